/* SPDX-License-Identifier: MIT
 * Hunting about a target.
 */
#include "hunting.h"

#include <math.h>

#include "joint_figures.h"

/* The last two swings are a cycle where it is about the target, not on one side of it. */
static void count_cycle(hunting *h, double time) {
    const double low = fmin(h->before.low, h->swing.low),
                 high = fmax(h->before.high, h->swing.high);
    if (!(low <= h->target && h->target <= high)) return;
    h->cycles++;
    h->amplitudes += (high - low) / 2;
    h->periods += time - h->before.since;
}

static void break_away(hunting *h, double time, double position, int direction) {
    if (direction == -h->direction) {
        if (h->turns >= 2) count_cycle(h, time);
        h->turns++;
        h->before = h->swing;
        h->swing = (hunting_swing){time, position, position};
    }
    h->direction = direction;
}

void hunting_add(hunting *h, double time, double position, double velocity, double target) {
    if (!h->begun || target != h->target) *h = (hunting){.begun = true, .target = target};
    h->swing.low = fmin(h->swing.low, position);
    h->swing.high = fmax(h->swing.high, position);
    if (fabs(velocity) > RESULTS_MOTION) {
        if (h->at_rest) break_away(h, time, position, velocity > 0 ? 1 : -1);
        h->moved = true;
        h->still = h->at_rest = false;
        return;
    }
    if (!h->still) {
        h->still = true;
        h->still_since = time;
    }
    h->at_rest = h->moved && time - h->still_since >= HUNTING_REST;
}

double hunting_amplitude(const hunting *h) {
    return h->cycles ? h->amplitudes / (double)h->cycles : (double)NAN;
}

double hunting_period(const hunting *h) {
    return h->cycles ? h->periods / (double)h->cycles : (double)NAN;
}
