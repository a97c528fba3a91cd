/* SPDX-License-Identifier: MIT */
/* Numbers in pages as base64. */
#include "base64.h"

#include <string.h>

base64 base64_begin(FILE *out) {
    fputc('"', out);
    return (base64){.out = out};
}

static void put_group(base64 *b) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t bits = b->bits << (8 * (3 - b->count));
    for (int k = 0; k < 4; k++)
        fputc(k <= b->count ? digits[bits >> (18 - 6 * k) & 63] : '=', b->out);
    *b = (base64){.out = b->out};
}

void base64_bytes(base64 *b, uint32_t value, int bytes) {
    for (int k = 0; k < bytes; k++) {
        b->bits = b->bits << 8 | (value >> 8 * k & 255);
        if (++b->count == 3) put_group(b);
    }
}

void base64_float(base64 *b, double value) {
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    base64_bytes(b, bits, 4);
}

void base64_end(base64 *b) {
    if (b->count) put_group(b);
    fputc('"', b->out);
}
