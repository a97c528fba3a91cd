/* SPDX-License-Identifier: MIT */
/* The two-link arm of Kikuuwe and Yamamoto. */
#include "arm.h"

#include <math.h>

#include "joint_models/comparison/serial_link.h"

arm arm_read(const experiment *self) {
    const double l = param(self, "l"), m = param(self, "m l^2") / (l * l);
    const double across = m * l * l / 12, along = across / 40; /* the arm never turns about a rod */
    return (arm){.F = param(self, "F"),
                 .K = param(self, "K"),
                 .B = param(self, "B"),
                 .T = param(self, "T"),
                 .slope = param(self, "motor slope"),
                 .limit = param(self, "motor limit"),
                 .switches = param(self, "motor switches at"),
                 .level = param(self, "motor level"),
                 .amplitude = param(self, "motor amplitude"),
                 .frequency = param(self, "motor frequency"),
                 .length = l,
                 .mass = m,
                 .inertia = {{along, 0, 0}, {0, across, 0}, {0, 0, across}}};
}

void arm_torques(const arm *a, double t, double torque[2]) {
    const double phase = a->frequency * t, ramp = fmin(a->limit, a->slope * t);
    torque[0] = t < a->switches ? ramp : a->level + a->amplitude * sin(phase);
    torque[1] = t < a->switches ? ramp : a->level + a->amplitude * cos(phase);
}

static void route_motion(const void *context, double t, const double *state, double *motion) {
    (void)context, (void)t;
    motion[0] = state[2], motion[1] = state[3];
}

static void route_force(const void *context, double t, const double *state, const double *force,
                        double *input) {
    (void)state;
    arm_torques(context, t, input);
    for (int i = 0; i < 2; i++) input[i] -= force[i]; /* (28j), friction opposing */
}

static stiction_link rod(const arm *a, double offset) {
    stiction_link link = {
        .axis = {0, 0, 1}, .offset = {offset, 0, 0}, .com = {a->length / 2, 0, 0}, .mass = a->mass};
    for (int i = 0; i < 3; i++) link.inertia[i][i] = a->inertia[i][i];
    return link;
}

bool arm_simulate(const arm *a, const stiction_impedance *friction, network_observer observe,
                  void *context) {
    const stiction_link links[2] = {rod(a, 0), rod(a, a->length)};
    const stiction_serial_link chain = {.links = links, .count = 2};
    const stiction_admittance robot = stiction_serial_link_admittance(&chain);
    const stiction_impedance frictions[2] = {*friction, *friction};
    const stiction_network network = {.admittances = &robot,
                                      .admittance_count = 1,
                                      .impedances = frictions,
                                      .impedance_count = 2,
                                      .route_motion = route_motion,
                                      .route_force = route_force,
                                      .context = a,
                                      .timestep = a->T};
    double state[6] = {0};
    return network_simulate(&network, arm_duration, state, observe, context);
}
