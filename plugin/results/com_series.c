/* SPDX-License-Identifier: MIT
 * The centre of mass over a run of any length in a few thousand entries: every second one is
 * dropped when they are many.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_record.h"

enum { entry = 4, most = 8192 };

bool com_series_add(com_series *s, double time, const double position[3]) {
    if (!s->values) {
        s->values = malloc(most * entry * sizeof *s->values);
        s->stride = 1;
        if (!s->values) return false;
    }
    if (s->next > 0) {
        s->next--;
        return true;
    }
    if (s->count == most) {
        for (size_t k = 0; k < most / 2; k++)
            memcpy(s->values + entry * k, s->values + 2 * entry * k, entry * sizeof *s->values);
        s->count = most / 2;
        s->stride *= 2;
    }
    double *to = s->values + entry * s->count++;
    to[0] = time;
    memcpy(to + 1, position, 3 * sizeof *to);
    s->next = s->stride - 1;
    return true;
}

com_window com_series_window(const com_series *s, double from) {
    com_window w = {.count = 0};
    for (size_t k = 0; k < s->count; k++) {
        const double *at = s->values + entry * k;
        if (at[0] < from) continue;
        for (int i = 0; i < 3; i++) {
            w.mean[i] += at[1 + i];
            w.low[i] = w.count ? fmin(w.low[i], at[1 + i]) : at[1 + i];
            w.high[i] = w.count ? fmax(w.high[i], at[1 + i]) : at[1 + i];
        }
        w.count++;
    }
    for (int i = 0; i < 3; i++) w.mean[i] = w.count ? w.mean[i] / (double)w.count : (double)NAN;
    return w;
}

size_t com_series_reversals(const com_series *s, double from, int axis, double threshold) {
    size_t reversals = 0;
    double extreme = (double)NAN; /* the farthest position in the present direction */
    int direction = 0;
    for (size_t k = 0; k < s->count; k++) {
        const double at = s->values[entry * k + 1 + (size_t)axis];
        if (s->values[entry * k] < from) continue;
        if (isnan(extreme)) extreme = at;
        const double moved = at - extreme;
        if (direction * moved > 0) extreme = at;
        if (fabs(moved) <= threshold || direction * moved > 0) continue;
        reversals += direction != 0;
        direction = moved > 0 ? 1 : -1;
        extreme = at;
    }
    return reversals;
}

bool com_series_at(const com_series *s, double time, double position[3]) {
    bool found = false;
    for (size_t k = 0; k < s->count && s->values[entry * k] <= time; k++) {
        memcpy(position, s->values + entry * k + 1, 3 * sizeof *position);
        found = true;
    }
    return found;
}
