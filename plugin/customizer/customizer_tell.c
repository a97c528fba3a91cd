/* SPDX-License-Identifier: MIT */
/* What the customizer says. */
#include "customizer_tell.h"

#include <stdarg.h>
#include <stdio.h>

#include "document/shown.h"

void customizer_tell(const char *format, ...) {
    char sentence[8192]; /* a path, which has up to 4096 bytes, and what is to say of it */
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    (void)fputs("stiction: ", stderr);
    (void)stiction_show_to(stderr, sentence);
    (void)fputc('\n', stderr);
}
