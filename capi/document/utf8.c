/* SPDX-License-Identifier: MIT */
/* UTF-8: reading characters one by one. */
#include "utf8.h"

#include <stdbool.h>

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
