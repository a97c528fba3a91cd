/* SPDX-License-Identifier: MIT
 * The shapes of a joint's desired motion, a function each. No state: any time can be asked for.
 */
#include "trajectory.h"

#include <math.h>

posture_trajectory posture_trajectory_default(void) {
    const double not_given = (double)NAN;
    return (posture_trajectory){.shape = POSTURE_HOLD, .target = not_given, .from = not_given};
}

static posture_reference at_rest(double q) {
    return (posture_reference){q, 0, 0};
}

/* On the straight line through two points. */
static posture_reference on_line(posture_sample a, posture_sample b, double t) {
    const double velocity = (b.value - a.value) / (b.time - a.time);
    return (posture_reference){a.value + velocity * (t - a.time), velocity, 0};
}

static posture_reference hold(const posture_trajectory *p, double t) {
    (void)t;
    return at_rest(p->target);
}

static posture_reference step(const posture_trajectory *p, double t) {
    return at_rest(t < p->time ? p->from : p->target);
}

static posture_reference ramp(const posture_trajectory *p, double t) {
    if (t < p->time) return at_rest(p->from);
    if (t >= p->time + p->duration) return at_rest(p->target);
    const posture_sample a = {p->time, p->from}, b = {p->time + p->duration, p->target};
    return on_line(a, b, t);
}

static posture_reference sine(const posture_trajectory *p, double t) {
    if (t < p->time) return at_rest(p->target);
    const double omega = 2 * 3.141592653589793 * p->frequency, phase = omega * (t - p->time);
    const double swing = p->amplitude * sin(phase);
    return (posture_reference){p->target + swing, p->amplitude * omega * cos(phase),
                               -omega * omega * swing};
}

/* The polynomial of degree 5 with velocity and acceleration 0 at both ends. */
static posture_reference smooth(const posture_trajectory *p, double t) {
    if (t < p->time) return at_rest(p->from);
    if (t >= p->time + p->duration) return at_rest(p->target);
    const double T = p->duration, way = p->target - p->from, s = (t - p->time) / T;
    return (posture_reference){p->from + way * s * s * s * (10 + s * (6 * s - 15)),
                               way / T * 30 * s * s * (1 - s) * (1 - s),
                               way / (T * T) * 60 * s * (1 - s) * (1 - 2 * s)};
}

static posture_reference samples(const posture_trajectory *p, double t) {
    const posture_sample *const s = p->samples;
    size_t low = 0, high = p->sample_count - 1;
    if (t < s[low].time) return at_rest(s[low].value);
    if (t >= s[high].time) return at_rest(s[high].value);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (t < s[middle].time)
            high = middle;
        else
            low = middle;
    }
    return on_line(s[low], s[high], t);
}

posture_reference posture_trajectory_at(const posture_trajectory *trajectory, double t,
                                        double start) {
    static posture_reference (*const shapes[])(const posture_trajectory *, double) = {
        [POSTURE_HOLD] = hold, [POSTURE_STEP] = step,     [POSTURE_RAMP] = ramp,
        [POSTURE_SINE] = sine, [POSTURE_SMOOTH] = smooth, [POSTURE_SAMPLES] = samples,
    };
    posture_trajectory complete = *trajectory;
    if (isnan(complete.target)) complete.target = start;
    if (isnan(complete.from)) complete.from = start;
    return shapes[complete.shape](&complete, t);
}
