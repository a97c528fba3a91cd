/* SPDX-License-Identifier: MIT */
/* The pulled body of Drincic and Bernstein, section 3.2, and its mean pivot angle, section 4.3. */
#include "pulled_body.h"
#include "joint_models/comparison/bristle_analysis.h"

#include <math.h>

bristle_body pulled_body(const experiment *self, const stiction_bristles *bristles) {
    bristle_body body = bristle_body_of(self);
    body.v_p = param(self, "v_p");
    body.eta = param(self, "eta");
    body.tau = param(self, "tau");
    body.friction = body_on_drbm;
    body.model = bristles;
    return body;
}

double pulled_body_angle_sum(const bristle_body *body, const stiction_bristles *bristles) {
    /* within the stick band v may be below 0, where the bristles still are those of v > 0 */
    return stiction_drbm_angle_sum(bristles, body->y[BODY_X], fmax(body->y[BODY_V], 0));
}

mean_angle mean_angle_begin(double beta, double interval) {
    return (mean_angle){.beta = beta, .interval = interval, .value = (double)NAN};
}

bool mean_angle_see(mean_angle *mean, double t, double theta_s) {
    if (t < mean->next) return false;
    mean->next += mean->interval;
    mean->value =
        isnan(mean->value) ? theta_s : stiction_moving_average(mean->beta, theta_s, mean->value);
    return true;
}
