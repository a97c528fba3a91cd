/* SPDX-License-Identifier: MIT */
/* What a user writes without a library: tanh, Karnopp and LuGre, each explicit, as the papers and
 * textbooks have them, for one joint. */
#include <math.h>
#include <stdlib.h>

#include "peer.h"

typedef enum formula { TANH, KARNOPP, LUGRE } formula;

typedef struct made {
    chain of;
    formula formula;
    double inertia, position, velocity, bristle;
    double scale; /* of friction, by the load */
} made;

static void *create(const chain *c, formula f) {
    if (c->count != 1 || c->gravity != 0 || c->weight > 0) return NULL;
    made *m = calloc(1, sizeof *m);
    *m = (made){.of = *c,
                .formula = f,
                .inertia = c->inertia + c->mass * c->centre * c->centre,
                .scale = 1};
    return m;
}

static void *create_tanh(const chain *c) {
    return create(c, TANH);
}

static void *create_karnopp(const chain *c) {
    return create(c, KARNOPP);
}

static void *create_lugre(const chain *c) {
    return create(c, LUGRE);
}

static double stribeck(const chain *c, double speed) {
    const double falling = c->static_torque - c->coulomb_torque;
    return c->coulomb_torque + (falling > 0 ? falling * exp(-speed / c->stribeck) : 0);
}

static void step(void *of, const double *torque) {
    made *m = of;
    const chain *c = &m->of;
    const double v = m->velocity, T = c->timestep, level = m->scale * stribeck(c, fabs(v));
    double friction = 0;
    if (c->static_torque <= 0) {
        friction = c->viscous * v;
    } else if (m->formula == TANH) {
        friction = level * tanh(v / 0.01) + c->viscous * v;
    } else if (m->formula == KARNOPP) {
        /* a dead band of velocity, in which friction balances the load */
        if (fabs(v) < 1e-3) {
            m->velocity = 0;
            const double most = m->scale * c->static_torque;
            friction = fmin(fmax(*torque, -most), most);
        } else {
            friction = copysign(level, v) + c->viscous * v;
        }
    } else {
        /* sigma_0 bends by 0.5 mrad at break-away, or by what the step bears; sigma_1 damps it
         * critically. The bristle is implicit: at speed, explicit Euler diverges. Under a load
         * friction as a whole is scaled (mujoco issue 3528) */
        const double stiffness =
            m->scale * fmin(c->static_torque / 5e-4, 0.25 * m->inertia / T / T);
        const double last = m->bristle;
        m->bristle = (last + T * v) / (1 + T * stiffness * fabs(v) / level);
        const double rate = (m->bristle - last) / T;
        friction =
            stiffness * m->bristle + 2 * sqrt(stiffness * m->inertia) * rate + c->viscous * v;
    }
    m->velocity += T / m->inertia * (*torque - friction);
    m->position += T * m->velocity;
}

static void set_level(void *of, double level) {
    made *m = of;
    m->scale = level / m->of.coulomb_torque;
}

static void read_state(void *of, double *position, double *velocity) {
    const made *m = of;
    *position = m->position;
    *velocity = m->velocity;
}

static void place(void *of, const double *position, const double *velocity) {
    made *m = of;
    m->position = *position;
    m->velocity = *velocity;
}

static const char *version(void) {
    return "";
}

#define ROW(id, title, text)                                                                       \
    const peer formula_##id = {title, text, true,       false, version,  create_##id,              \
                               free,  step, read_state, place, set_level};
ROW(tanh, "tanh(v/v0)", "v0 0.01 rad/s, explicit")
ROW(karnopp, "Karnopp", "dead band 1e-3 rad/s, explicit")
ROW(lugre, "LuGre", "0.5 mrad at break-away or what the step bears, critically damped, explicit")
