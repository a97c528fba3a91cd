/* SPDX-License-Identifier: MIT */
/* What the customizer says, on stderr: it has no other place. */
#ifndef STICTION_CUSTOMIZER_TELL_H
#define STICTION_CUSTOMIZER_TELL_H

/* "stiction: sentence" and a newline, where what comes from files and models is shown. */
__attribute__((format(printf, 1, 2))) void customizer_tell(const char *format, ...);

#endif
