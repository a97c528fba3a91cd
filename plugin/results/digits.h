/* SPDX-License-Identifier: MIT
 * Many decimal numbers, with the bytes of printf in the "C" locale, several times as fast.
 */
#ifndef STICTION_RESULTS_DIGITS_H
#define STICTION_RESULTS_DIGITS_H

#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* As "%.17g"; the length, without a terminating 0. */
enum { DIGITS_SIZE = 40 };
size_t digits_write(double value, char text[DIGITS_SIZE]);
/* As "%.*f"; 0: it does not fit. */
size_t digits_write_fixed(double value, int decimals, char text[DIGITS_SIZE]);

STICTION_END_C

#endif
