/* SPDX-License-Identifier: MIT */
#include "customizer_log.h"

#include <stdarg.h>
#include <stdio.h>

#include "document/shown.h"

void customizer_log(const char *format, ...) {
    char message[8192]; /* a path of up to 4096 bytes and a text about it */
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)fputs("stiction: ", stderr);
    (void)stiction_show_to(stderr, message);
    (void)fputc('\n', stderr);
}
