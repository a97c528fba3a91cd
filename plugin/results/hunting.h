/* SPDX-License-Identifier: MIT
 * Hunting: a joint with stiction under integral action comes to rest beside its target, breaks
 * away, comes to rest on the other side, and so on. A cycle is the time from a breakaway to the
 * next one in the same direction, with one in the other direction in between.
 */
#ifndef STICTION_RESULTS_HUNTING_H
#define STICTION_RESULTS_HUNTING_H

#include <stdbool.h>
#include <stddef.h>

/* So long without motion is a rest, s. */
#define HUNTING_REST 0.1

/* From a turn to the next. */
typedef struct hunting_swing {
    double since;     /* s */
    double low, high; /* rad */
} hunting_swing;

typedef struct hunting {
    bool begun;
    double target;      /* rad; another one begins anew */
    bool moved;         /* towards it, so that the next rest is one of this motion */
    bool still;         /* without motion now */
    double still_since; /* s */
    bool at_rest;       /* so long that it is a rest */
    int direction;      /* of the last break-away from rest, 1 or -1; 0: none yet */
    size_t turns;
    hunting_swing swing, before; /* since the last turn, and from the one before to it */
    size_t cycles;
    double amplitudes, periods; /* their sums */
} hunting;

/* Starts as zeros. A target that is not known is NaN. */
void hunting_add(hunting *h, double time, double position, double velocity, double target);

/* Means of all cycles about the target: half of the way from the lowest to the highest position,
 * and seconds. NaN if there is no cycle. */
double hunting_amplitude(const hunting *h);
double hunting_period(const hunting *h);

#endif
