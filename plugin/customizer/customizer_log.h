/* SPDX-License-Identifier: MIT
 * Messages of the customizer go to stderr: Choreonoid gives it no other place.
 */
#ifndef STICTION_CUSTOMIZER_LOG_H
#define STICTION_CUSTOMIZER_LOG_H

/* "stiction: message" and a newline; control characters from files and models are escaped. */
__attribute__((format(printf, 1, 2))) void customizer_log(const char *format, ...);

#endif
