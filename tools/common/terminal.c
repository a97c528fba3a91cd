/* SPDX-License-Identifier: MIT
 * How wide a terminal is, and text that fits into it.
 */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"

/* A count in the environment, for a terminal that does not know its size. */
static size_t count_in(const char *variable, size_t otherwise) {
    const char *text = getenv(variable);
    const long count = text ? strtol(text, NULL, 10) : 0;
    return count > 0 && count < 100000 ? (size_t)count : otherwise;
}

terminal_size terminal_size_of(FILE *stream) {
    struct winsize size = {0};
    if (isatty(fileno(stream)) == 1) (void)ioctl(fileno(stream), TIOCGWINSZ, &size);
    return (terminal_size){size.ws_col ? size.ws_col : count_in("COLUMNS", 80),
                           size.ws_row ? size.ws_row : count_in("LINES", 24)};
}

static bool begins_character(char byte) {
    return ((unsigned char)byte & 0xC0) != 0x80;
}

size_t text_columns(const char *text) {
    size_t columns = 0;
    for (; *text; text++) columns += begins_character(*text);
    return columns;
}

/* Where the character at this column begins. */
static const char *at_column(const char *text, size_t column) {
    for (; *text; text++)
        if (begins_character(*text) && column-- == 0) break;
    return text;
}

static const char ellipsis[] = "\xE2\x80\xA6";

char *text_fit(const char *text, size_t columns) {
    char *all = shown_text(text), *fitting;
    if (text_columns(all) <= columns) return all;
    const char *end = at_column(all, columns ? columns - 1 : 0);
    fitting = columns ? format_text("%.*s%s", (int)(end - all), all, ellipsis) : copy_text("");
    free(all);
    return fitting;
}

char *text_fit_end(const char *text, size_t columns) {
    char *all = shown_text(text), *fitting;
    const size_t length = text_columns(all);
    if (length <= columns) return all;
    fitting = columns ? format_text("%s%s", ellipsis, at_column(all, length - (columns - 1)))
                      : copy_text("");
    free(all);
    return fitting;
}
