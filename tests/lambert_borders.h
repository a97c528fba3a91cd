/* SPDX-License-Identifier: MIT
 * The arguments at which Lambert's W goes from one cell of its table to the next, known from what
 * joint_models/lambert_cells.h says, not from its numbers.
 */
#ifndef STICTION_TESTS_LAMBERT_BORDERS_H
#define STICTION_TESTS_LAMBERT_BORDERS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    lambert_shifted_borders = 8 * 24, /* eighths of the binades of z + 1/e from 2^-13 to 2^11 */
    lambert_plain_borders = 8 * 12    /* those of -z from 2^-13 to 2^-1 */
};

static inline size_t lambert_border_count(bool minus_one) {
    /* and each power of two */
    return lambert_shifted_borders + lambert_plain_borders + (minus_one ? 1074 : 1024);
}

/* The k-th of them, or a double some places beside. */
static inline double lambert_border(bool minus_one, size_t k, int beside) {
    double z;
    if (k < lambert_shifted_borders)
        z = ldexp(1 + (double)(k % 8) / 8, (int)(k / 8) - 13) - exp(-1);
    else if ((k -= lambert_shifted_borders) < lambert_plain_borders)
        z = -ldexp(1 + (double)(k % 8) / 8, (int)(k / 8) - 13);
    else
        z = minus_one ? -ldexp(1, -(int)(k - lambert_plain_borders) - 1)
                      : ldexp(1, (int)(k - lambert_plain_borders));
    for (; beside > 0; beside--) z = nextafter(z, INFINITY);
    for (; beside < 0; beside++) z = nextafter(z, -INFINITY);
    return z;
}

#endif
