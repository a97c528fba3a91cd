/* SPDX-License-Identifier: MIT
 * Numbers in pages as base64, the lowest byte first, as typed arrays of scripts have them.
 */
#ifndef STICTION_TOOLS_COMMON_BASE64_H
#define STICTION_TOOLS_COMMON_BASE64_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct base64 {
    FILE *out;
    uint32_t bits;
    int count; /* bytes in bits */
} base64;

/* Writes the opening quote. */
base64 base64_begin(FILE *out);
/* The low bytes of a number. */
void base64_bytes(base64 *b, uint32_t value, int bytes);
/* As a number of four bytes. */
void base64_float(base64 *b, double value);
/* Writes the closing quote. */
void base64_end(base64 *b);

#endif
