/* SPDX-License-Identifier: MIT
 * Turns about a target that rests.
 */
#include "turns.h"

#include <math.h>

/* The initial direction. */
static void find_direction(turns *t, double position) {
    t->farthest = fmax(t->farthest, position);
    t->other = fmin(t->other, position);
    if (t->farthest - t->other <= TURNS_LEAST) return;
    t->direction = position == t->farthest ? 1 : -1;
    t->farthest = position;
}

void turns_add(turns *t, double position, double target) {
    if (!t->begun || target != t->target) /* so does NaN, every time */
        *t = (turns){.begun = true, .target = target, .farthest = position, .other = position};
    if (!t->direction) {
        find_direction(t, position);
        return;
    }
    const double back = t->direction * (t->farthest - position);
    if (back <= 0) t->farthest = position;
    if (back <= TURNS_LEAST) return;
    t->count++;
    t->direction = -t->direction;
    t->farthest = position;
}

double turns_count(const turns *t) {
    return t->begun && !isnan(t->target) ? (double)t->count : (double)NAN;
}
