/* SPDX-License-Identifier: MIT
 * How a joint answers to its target, sample by sample: errors on the way, and, since the target
 * took its last value, how far the joint went beyond it and when it settled there.
 */
#ifndef STICTION_RESULTS_STEP_RESPONSE_H
#define STICTION_RESULTS_STEP_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

/* A target that changed less than this time before the end still moves; a joint that left its band
 * in this time has not settled, s. */
#define STEP_RESPONSE_REST 0.1
/* Around the target: this part of the step, but not less than so many rad (m). */
#define STEP_RESPONSE_BAND  0.02
#define STEP_RESPONSE_FLOOR 1e-3

typedef struct step_response {
    bool begun;
    double first_position; /* rad */
    double target;         /* rad; NaN: none at present */
    double since;          /* s: the target has this value from then on */
    double beyond;         /* rad: the farthest beyond it, in the direction of the step */
    bool was_outside;
    double last_outside; /* s: the last time that it was outside of the band */
    double time;         /* s: of the last sample */
    double error_squares;
    size_t errors; /* samples with a target */
} step_response;

/* Starts as zeros. A target that is not known is NaN. */
void step_response_add(step_response *r, double time, double position, double target);

/* Root of the mean square of target less position; NaN without a target. */
double step_response_rms_error(const step_response *r);

/* In % of the step from the first position to the final target. NaN if that is shorter than the
 * floor, or if there is no target at the end or it still moves. */
double step_response_overshoot(const step_response *r);

/* From the target's last change to the last time outside of the band, s. NaN if it has not settled,
 * or if there is no target at the end or it still moves. */
double step_response_settling_time(const step_response *r);

#endif
