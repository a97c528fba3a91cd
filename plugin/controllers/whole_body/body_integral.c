/* SPDX-License-Identifier: MIT
 * The integral term (51) for the whole body, and the feed-forward of friction.
 *
 *     tau_p = (lambda M + C(q, dq)) s,   s = integral of ddq_r - dq
 *
 * Both act inside the program. lambda s is an acceleration that is added to what tasks and posture
 * ask for, so that every limit binds it. C s is a torque beside the bias. A host gives no C, so its
 * symmetric part stands for it, 1/2 dM/dt from the mass matrices of two steps: of C, only s'C s =
 * 1/2 s'(dM/dt)s enters the energy 1/2 s'M s from which (51) is derived, and this has it exactly.
 */
#include <math.h>
#include <string.h>

#include "whole_body_internal.h"

static double lambda_of(const whole_body *w, size_t dof) {
    return dof < w->base ? w->def.base_lambda : w->def.posture.joints[dof - w->base].lambda;
}

static bool integrates(const whole_body *w) {
    if (w->base && w->def.base_lambda > 0) return true;
    for (size_t k = 0; k < w->n; k++)
        if (w->def.posture.joints[k].lambda > 0) return true;
    return false;
}

void body_integral_begin(whole_body *w) {
    /* tau_p is 0 at first, however fast the body moves */
    memcpy(w->integral, w->v, w->dof * sizeof *w->integral);
}

void body_integral_push(whole_body *w, step_input in) {
    const size_t d = w->dof;
    const double *M = in->mass_matrix;
    memset(w->push, 0, d * sizeof *w->push);
    memset(w->coriolis, 0, d * sizeof *w->coriolis);
    memset(w->integral_torque, 0, w->n * sizeof *w->integral_torque);
    memcpy(w->bias, in->bias, d * sizeof *w->bias);
    if (!integrates(w)) return;
    for (size_t i = 0; i < d; i++) w->push[i] = lambda_of(w, i) * (w->integral[i] - w->v[i]);
    if (w->has_last_M)
        for (size_t i = 0; i < d; i++) {
            double sum = 0;
            for (size_t j = 0; j < d; j++)
                if (lambda_of(w, j) > 0)
                    sum += (M[i * d + j] - w->last_M[i * d + j]) * (w->integral[j] - w->v[j]);
            w->coriolis[i] = 0.5 * sum / w->def.timestep;
        }
    memcpy(w->last_M, M, d * d * sizeof *M);
    w->has_last_M = true;
    for (size_t i = 0; i < d; i++) w->bias[i] += w->coriolis[i];
    for (size_t k = 0; k < w->n; k++)
        w->integral_torque[k] =
            body_along(M + (w->base + k) * d, w->push, d) + w->coriolis[w->base + k];
}

/* ddq_r is what the program found without the push: what the limits left of the tasks. */
void body_integral_advance(whole_body *w, step_input in) {
    const double dt = w->def.timestep;
    (void)in;
    for (size_t i = 0; i < w->dof; i++) {
        const double lacks = w->integral[i] - w->v[i];
        w->integral[i] += dt * (w->a[i] - w->push[i] - w->def.posture.leak * lacks);
    }
    for (size_t k = 0; k < w->n; k++) {
        const double asked = w->a[w->base + k] - w->push[w->base + k];
        w->led[k] += dt * (asked - w->def.posture.compensation_leak * w->led[k]);
        w->led[k] = compensation_led(w->led[k], w->v[w->base + k], w->desired[w->base + k]);
    }
}

void body_feedforward(whole_body *w, step_input in) {
    const posture_def *p = &w->def.posture;
    const bool is_led = p->compensation == POSTURE_COMPENSATE_REFERENCE;
    const size_t d = w->dof;
    const compensation_input desired = {.dt = w->def.timestep,
                                        .q = in->q,
                                        .velocity = is_led ? w->led : w->desired + w->base,
                                        .ahead = is_led ? NULL : w->later + w->base,
                                        .goal = is_led ? NULL : w->goal,
                                        .motor = w->last_torque,
                                        .external = w->external};
    for (size_t k = 0; k < w->n; k++) w->external[k] = -in->bias[w->base + k];
    memset(w->feedforward, 0, w->n * sizeof *w->feedforward);
    if (w->def.friction && p->compensation != POSTURE_NO_COMPENSATION)
        (void)compensation_step(w->def.friction, &desired, w->feedforward, NULL);
    for (size_t k = 0; k < w->n; k++) {
        const size_t i = w->base + k;
        w->ahead[k] = w->feedforward[k] / in->mass_matrix[i * d + i];
    }
}
