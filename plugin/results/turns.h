/* SPDX-License-Identifier: MIT
 * Turns of a joint about a target that rests: how often it went back by more than a little. Unlike
 * hunting.h it needs no rests: a joint that swings turns around, too.
 */
#ifndef STICTION_RESULTS_TURNS_H
#define STICTION_RESULTS_TURNS_H

#include <stdbool.h>
#include <stddef.h>

/* Back by less than this is the bristle's sway, rad (m). */
#define TURNS_LEAST 1e-3

typedef struct turns {
    bool begun;
    double target;          /* rad; another one begins anew */
    int direction;          /* 1 or -1; 0: it has not moved yet */
    double farthest, other; /* rad: in the direction, and, before there is one, on the other side */
    size_t count;
} turns;

/* Starts as zeros. A target that is not known is NaN. */
void turns_add(turns *t, double position, double target);

/* NaN without a target. */
double turns_count(const turns *t);

#endif
