/* UTF-8: reading characters one by one. */
#include "utf8.h"

#include <stdbool.h>
#include <string.h>

uint32_t stiction_utf8_next(const char **text) {
    /* the smallest character of each length: a longer form of a smaller one is invalid */
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*text;
    const unsigned char first = *p++;
    const unsigned more = first < 0x80   ? 0
                          : first < 0xC0 ? 4
                          : first < 0xE0 ? 1
                          : first < 0xF0 ? 2
                          : first < 0xF8 ? 3
                                         : 4;
    *text += 1;
    if (more > 3) return UTF8_INVALID;

    uint32_t c = more ? first & (0x3Fu >> more) : first;
    for (unsigned k = 0; k < more; k++) {
        if ((p[k] & 0xC0) != 0x80) return UTF8_INVALID;
        c = c << 6 | (p[k] & 0x3F);
    }
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    if (c < smallest[more] || c > 0x10FFFF || surrogate) return UTF8_INVALID;
    *text += more;
    return c;
}

static bool breaks_line_or_is_unseen(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

void stiction_utf8_clean(char *text) {
    while (*text) {
        const char *next = text;
        const uint32_t c = stiction_utf8_next(&next);
        const size_t length = (size_t)(next - text);
        if (c == UTF8_INVALID || breaks_line_or_is_unseen(c)) memset(text, '?', length);
        text += length;
    }
}
