/* SPDX-License-Identifier: MIT
 * How a joint answers to its target.
 */
#include "step_response.h"

#include <math.h>

static double step_of(const step_response *r) {
    return r->target - r->first_position;
}

static void begin(step_response *r, double time, double target) {
    r->target = target;
    r->since = time;
    r->beyond = 0;
    r->was_outside = false;
}

void step_response_add(step_response *r, double time, double position, double target) {
    if (!r->begun) {
        r->begun = true;
        r->first_position = position;
        begin(r, time, target);
    }
    r->time = time;
    if (target != r->target) begin(r, time, target); /* so does NaN, every time */
    if (isnan(target)) return;
    const double error = target - position, step = step_of(r);
    r->error_squares += error * error;
    r->errors++;
    r->beyond = fmax(r->beyond, copysign(1, step) * -error);
    if (fabs(error) > fmax(STEP_RESPONSE_BAND * fabs(step), STEP_RESPONSE_FLOOR)) {
        r->was_outside = true;
        r->last_outside = time;
    }
}

double step_response_rms_error(const step_response *r) {
    return r->errors ? sqrt(r->error_squares / (double)r->errors) : (double)NAN;
}

static bool target_rests(const step_response *r) {
    return r->begun && !isnan(r->target) && r->time - r->since >= STEP_RESPONSE_REST;
}

double step_response_overshoot(const step_response *r) {
    const double step = fabs(step_of(r));
    if (!target_rests(r) || step < STEP_RESPONSE_FLOOR) return (double)NAN;
    return 100 * r->beyond / step;
}

double step_response_settling_time(const step_response *r) {
    if (!target_rests(r)) return (double)NAN;
    if (!r->was_outside) return 0;
    return r->time - r->last_outside >= STEP_RESPONSE_REST ? r->last_outside - r->since
                                                           : (double)NAN;
}
