/* SPDX-License-Identifier: MIT */
/* A block that slides in under a steady force. */
#include "sliding_block.h"

#include <math.h>

#include "coulomb_element.h"

sliding_block block_of(const experiment *self, double v0, double T) {
    return (sliding_block){.mass = param(self, "M"),
                           .friction = param(self, "F"),
                           .force = param(self, "h"),
                           .velocity = v0,
                           .timestep = T};
}

/* One step; returns the friction. */
static double step(const sliding_block *b, const stiction_element *a, double *v) {
    double f;
    if (b->explicit_euler) {
        f = *v == 0 ? 0 : stiction_phi(a->phi_z.law, &a->phi_z.parameters, *v);
        *v += b->timestep / b->mass * (b->force - f);
    } else {
        stiction_element_a_step(a, 1, &b->force, v, &f);
    }
    return f;
}

sliding_end slide_block(const sliding_block *b, double duration, experiment_curve *velocity,
                        experiment_curve *friction) {
    const stiction_element_def def = {
        .kind = STICTION_ELEMENT_A, .mass = b->mass, .timestep = b->timestep};
    stiction_element a;
    sliding_end end = {.arrival = (double)NAN, .velocity = (double)NAN, .friction = (double)NAN};
    if (!coulomb_element(&a, b->friction, &def)) return end;
    double v = b->velocity;
    add_point(velocity, 0, v);
    for (long k = 1; k <= lround(duration / b->timestep); k++) {
        const double t = (double)k * b->timestep, before = v;
        end.friction = step(b, &a, &v);
        end.velocity = v;
        if (isnan(end.arrival) && v <= 0) end.arrival = t;
        if (v * before < 0) end.reversals++;
        if (v == 0) end.at_zero++;
        if (t >= end.arrival) end.speed_after = fmax(end.speed_after, fabs(v));
        add_point(velocity, t, v);
        add_point(friction, t, end.friction);
    }
    return end;
}
