/* SPDX-License-Identifier: MIT
 * A PD controller of all joints, the smallest one that is good for something. To build and run it:
 *
 *     cc -shared -fPIC $(pkg-config --cflags stiction) pd.c -o pd.so
 *     stiction run wrist.cnoid --controller ./pd.so:kp=20 --targets RWRR:90
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/controller.h>

typedef struct pd {
    double kp, kd; /* N m/rad, N m s/rad */
} pd;

/* The number after the last NAME= of the options. */
static double option(const char *options, const char *name, double otherwise) {
    for (const char *at = options; (at = strstr(at, name)) != NULL; at += strlen(name))
        if (at == options || strchr(" \n", at[-1])) otherwise = strtod(at + strlen(name), NULL);
    return otherwise;
}

static stiction_status create(const stiction_controller_setup *setup,
                              stiction_controller_needs *needs, void **self,
                              stiction_error *error) {
    const pd gains = {option(setup->options, "kp=", 20), option(setup->options, "kd=", 2)};
    (void)needs; /* joints and base are always in the input */
    if (!(gains.kp >= 0 && gains.kd >= 0)) {
        snprintf(error->message, sizeof error->message, "kp %g and kd %g must be at least 0",
                 gains.kp, gains.kd);
        return STICTION_INVALID_CONFIG;
    }
    pd *made = malloc(sizeof *made);
    if (!made) return STICTION_OUT_OF_MEMORY;
    *made = gains;
    *self = made;
    return STICTION_OK;
}

static stiction_status step(void *self, const stiction_controller_input *in,
                            stiction_controller_output *out, stiction_error *error) {
    const pd *gains = self;
    (void)error;
    for (size_t k = 0; k < in->joint_count; k++) {
        const double target = isnan(in->target[k]) ? 0 : in->target[k];
        out->torque[k] = gains->kp * (target - in->q[k]) - gains->kd * in->dq[k];
        out->target[k] = target; /* for the results */
    }
    return STICTION_OK;
}

static void destroy(void *self) {
    free(self);
}

STICTION_CONTROLLER = {STICTION_CONTROLLER_HEAD, .create = create, .step = step,
                       .destroy = destroy};
