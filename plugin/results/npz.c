/* SPDX-License-Identifier: MIT
 * What reading and writing joints.npz share.
 */
#include "npz.h"

#include <string.h>

#include "document/shown.h"

/* The polynomial of zip, its bits in reverse order. */
#define POLYNOMIAL UINT32_C(0xedb88320)

void npz_crc_begin(npz_crc *c) {
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t rest = k;
        for (int bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (rest & 1 ? POLYNOMIAL : 0);
        c->tables[0][k] = rest;
    }
    /* the same continued with more bytes */
    for (size_t n = 1; n < 8; n++)
        for (size_t k = 0; k < 256; k++) {
            const uint32_t before = c->tables[n - 1][k];
            c->tables[n][k] = before >> 8 ^ c->tables[0][before & 0xff];
        }
}

uint32_t npz_crc_of(const npz_crc *c, uint32_t before, const void *bytes, size_t count) {
    const unsigned char *b = bytes;
    uint32_t crc = ~before;
    for (; count >= 8; count -= 8, b += 8) {
        crc ^= (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        crc = c->tables[7][crc & 0xff] ^ c->tables[6][crc >> 8 & 0xff] ^
              c->tables[5][crc >> 16 & 0xff] ^ c->tables[4][crc >> 24] ^ c->tables[3][b[4]] ^
              c->tables[2][b[5]] ^ c->tables[1][b[6]] ^ c->tables[0][b[7]];
    }
    for (; count; count--, b++) crc = crc >> 8 ^ c->tables[0][(crc ^ *b) & 0xff];
    return ~crc;
}

static bool leads_out(const char *name) {
    if (*name == '/' || *name == '\\') return true;
    for (const char *dots = name; (dots = strstr(dots, "..")); dots++) {
        const bool begins = dots == name || dots[-1] == '/' || dots[-1] == '\\';
        if (begins && (dots[2] == '/' || dots[2] == '\\')) return true;
    }
    return false;
}

char *npz_name(const char *name) {
    char *shown = stiction_shown_copy(name);
    if (shown && leads_out(shown))
        for (char *c = shown; *c; c++)
            if (*c == '/' || *c == '\\') *c = '_';
    return shown;
}
