/* SPDX-License-Identifier: MIT
 * A controller as labs run one through OpenRTM: it gives position references every 5 ms, which a PD
 * loop follows in every step of the simulation. Joints move to their targets in 2 s.
 */
#include <math.h>
#include <stdlib.h>

#include "stiction/controller.h"

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    (void)error;
    needs->control_period = 0.005;
    double *start = malloc((setup->joint_count + 1) * sizeof *start);
    if (start) start[0] = NAN;
    *self = start;
    return start ? STICTION_OK : STICTION_OUT_OF_MEMORY;
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    (void)error;
    double *start = self;
    const int is_first = isnan(start[0]);
    for (size_t k = 0; k < in->joint_count; k++) {
        if (is_first) start[k] = in->q[k];
        const double part = fmin(1, in->time / 2), s = part * part * (3 - 2 * part);
        const double wanted = isnan(in->target[k]) ? start[k] : in->target[k];
        out->mode[k] = STICTION_CONTROL_PD;
        out->position[k] = start[k] + s * (wanted - start[k]);
        out->kp[k] = 2000;
        out->kd[k] = 100;
        out->target[k] = out->position[k];
    }
    return STICTION_OK;
}

STICTION_CONTROLLER = {STICTION_CONTROLLER_HEAD, .create = create, .step = step, .destroy = free};
