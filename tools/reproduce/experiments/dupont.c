/* SPDX-License-Identifier: MIT */
/* The block of Dupont et al., Fig 1. */
#include "dupont.h"

const char *const dupont_names[DUPONT_MODELS] = {"classic Coulomb", "Karnopp",
                                                 "regularized Coulomb", "LuGre", "elasto-plastic"};

stiction_single_state dupont_single_state(const experiment *self, double z_ba) {
    stiction_single_state m = stiction_single_state_default();
    m.stiffness = param(self, "sigma_0");
    m.damping = param(self, "sigma_1");
    m.viscous = param(self, "sigma_2");
    m.coulomb_torque = param(self, "f_c");
    m.static_torque = param(self, "f_ba");
    m.stribeck_velocity = param(self, "v_s");
    m.elastic_limit = z_ba;
    return m;
}

static stiction_law_parameters coulomb(double f_c) {
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = p.coulomb_torque = f_c;
    return p;
}

bool dupont_read(const experiment *self, double timestep, dupont *d) {
    *d = (dupont){.mass = param(self, "m"),
                  .timestep = timestep,
                  .f_c = param(self, "f_c"),
                  .v_0 = param(self, "v_0"),
                  .band = param(self, "Dp"),
                  .lugre = dupont_single_state(self, 0),
                  .elasto_plastic = dupont_single_state(self, param(self, "z_ba"))};
    const stiction_element_def rigid = {
        .kind = STICTION_ELEMENT_A, .mass = d->mass, .timestep = timestep};
    const stiction_law_parameters p = coulomb(d->f_c);
    return stiction_single_state_in_domain(&d->lugre) &&
           stiction_single_state_in_domain(&d->elasto_plastic) &&
           stiction_element_init(&d->classic, &rigid, stiction_law_find("coulomb"), &p) ==
               STICTION_LAW_OK;
}

/* Friction from the velocity, which Karnopp's model may set to zero. */
static double explicit_friction(const dupont *d, dupont_model model, double force,
                                dupont_block *b) {
    const stiction_law *law = stiction_law_find("coulomb");
    const stiction_law_parameters p = coulomb(d->f_c);
    switch (model) {
    case DUPONT_KARNOPP:
        if (stiction_karnopp_sticks(law, &p, d->band, b->velocity, force)) b->velocity = 0;
        return stiction_karnopp_force(law, &p, d->band, b->velocity, force);
    case DUPONT_REGULARIZED:
        return stiction_tanh_force(d->f_c, d->v_0, b->velocity);
    case DUPONT_LUGRE:
        return stiction_single_state_step(&d->lugre, d->timestep, b->velocity, &b->deflection);
    default:
        return stiction_single_state_step(&d->elasto_plastic, d->timestep, b->velocity,
                                          &b->deflection);
    }
}

double dupont_step(const dupont *d, dupont_model model, double force, dupont_block *b) {
    double f;
    if (model == DUPONT_CLASSIC) {
        stiction_element_a_step(&d->classic, 1, &force, &b->velocity, &f);
        b->position += d->timestep * b->velocity;
        return f;
    }
    f = explicit_friction(d, model, force, b);
    /* with the velocity that moved z, so that nothing but sliding parts x and z */
    b->position += d->timestep * b->velocity;
    b->velocity += d->timestep * (force - f) / d->mass;
    return f;
}

double dupont_slid(const dupont_block *b) {
    return b->position - b->deflection;
}
