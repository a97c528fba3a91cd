/* SPDX-License-Identifier: MIT
 * The step of a drive. Compiled once more for processors with fma: see fast/variant.h. All that is
 * not in the table at the end is its own.
 */
#include <math.h>

#include "joint_models/drive/drive_step.h"
#include "joint_models/drive/levels.h"
#include "joint_models/drive/presliding.h"
#include "joint_models/element_c.h"
#include "joint_models/laws/stribeck_numeric.h"
#include "joint_models/viscous_slide.h"

/* ---- levels ---- */

static double temperature_of(const stiction_drive *d, const stiction_drive_input *in,
                             const stiction_drive_memory *m) {
    return isnan(in->temperature) ? d->parameters.temperature + m->rise : in->temperature;
}

/* s of the step, the direction apart. */
static double scale_of(const stiction_drive *d, double position, double warmth) {
    return d->parts & STICTION_DRIVE_SCALES ? drive_scale(&d->parameters, position, warmth) : 1;
}

static void add_load(const stiction_drive *d, const stiction_drive_input *in, stiction_levels *l) {
    const drive_load load = drive_load_of(&d->parameters, in->motor_torque, in->external_torque);
    l->coulomb += drive_load_friction(&d->parameters, load);
    if (d->change.change != STICTION_SHIFT) l->falling += drive_load_falling(&d->parameters, load);
}

static stiction_levels levels_of(const stiction_drive *d, const stiction_drive_input *in,
                                 double scale, double warmth, double last, bool backwards) {
    const stiction_drive_parameters *p = &d->parameters;
    stiction_levels l = d->base;
    if (d->parts & STICTION_DRIVE_SCALES) {
        const double s = scale * drive_direction(p, backwards);
        l.coulomb *= s;
        l.falling *= s;
        if (d->change.change == STICTION_ALL_LEVELS)
            l.viscous *= drive_viscous_direction(p, backwards) * drive_thinning(p, warmth);
    }
    if (d->parts & STICTION_DRIVE_LOADS) add_load(d, in, &l);
    if (d->follow < 1) {
        l.coulomb = drive_late(d->follow, last > 0 ? last : l.coulomb + l.falling, l.coulomb);
        l.falling *= d->follow;
    }
    return l;
}

static stiction_drive_outlook look_ahead(const stiction_drive *d, const stiction_drive_input *in,
                                         const stiction_drive_memory *m) {
    stiction_drive_outlook ahead = {.temperature = temperature_of(d, in, m)};
    const double warmth = drive_warmth(&d->parameters, ahead.temperature);
    ahead.scale = scale_of(d, in->position, warmth);
    for (int k = 0; k < 2; k++)
        ahead.levels[k] = levels_of(d, in, ahead.scale, warmth, m->level, k == 1);
    return ahead;
}

/* ---- the law at other levels ---- */

/* Yet to be prepared. */
static stiction_phi_z phi_z_of(const stiction_drive *d, const stiction_levels *l) {
    stiction_phi_z phi_z = d->element.phi_z;
    phi_z.parameters.coulomb_torque = l->coulomb;
    phi_z.parameters.static_torque = phi_z.breakaway = l->coulomb + l->falling;
    phi_z.parameters.viscous = l->viscous;
    return phi_z;
}

/* Of a law without a closed form: coefficients in doubles, as levels are not exact either. */
static __attribute__((noinline)) double force_of_any(const stiction_drive *d,
                                                     const stiction_levels *l, double x) {
    stiction_phi_z phi_z = phi_z_of(d, l);
    if (stribeck_is_numeric(phi_z.law, &phi_z.parameters))
        stribeck_set_numeric(&phi_z, l->falling, d->change.inverse_v_S);
    else if (stiction_viscosity_is_linear(&phi_z.parameters)) /* a power that is cold and gone */
        phi_z.law->prepare(&phi_z);
    else
        stiction_set_power(&phi_z, dd_from(l->falling));
    return stiction_phi_z_at(&phi_z, x);
}

/* The step of the law's element. */
static double step_law(const stiction_drive *d, const stiction_levels *l, double u, double *e) {
    const stiction_element_c *c = &d->element.c;
    if (d->step_levelled)
        return d->step_levelled(c, &d->change, l->coulomb, l->falling, l->viscous, u, e);
    const double f = force_of_any(d, l, element_c_input(c->ZK, u, *e)); /* (38b) */
    *e = element_c_deflect(c->K, c->TZ, *e, f);                         /* (38c) */
    return f;
}

/* The viscous part of a torque. */
static double viscosity(const stiction_drive *d, const stiction_levels *l, double v) {
    const stiction_law_parameters *base = &d->element.phi_z.parameters;
    if (stiction_viscosity_is_linear(base)) return l->viscous * v;
    stiction_law_parameters p = *base;
    p.viscous = l->viscous;
    return stiction_viscous_torque(&p, v);
}

/* ---- the step ---- */

static void settle(const stiction_drive *d, double temperature, const stiction_levels *l,
                   double torque, double slip, double power, stiction_drive_memory *m) {
    const double most = l->coulomb + l->falling;
    if (d->follow < 1)
        m->level = slip > 0 ? drive_clamp(torque - viscosity(d, l, slip), l->coulomb, most) : most;
    m->rise = temperature - d->parameters.temperature +
              drive_heat(&d->parameters, d->warming, temperature, power);
}

/* Of all elements of presliding. */
typedef struct presliding_sum {
    double torque, power, stored, limit;
} presliding_sum;

static presliding_sum step_presliding(const stiction_drive *d, double scale, double u,
                                      double torque, double power, stiction_drive_memory *m) {
    presliding_sum sum = {torque, power, 0, 0};
    for (size_t k = 0; k < d->presliding; k++) {
        const double K = d->presliding_stiffness[k], before = m->presliding[k];
        const presliding p = presliding_step(&d->parameters, scale * d->presliding_torque[k], K,
                                             d->element.def.timestep, u, before);
        m->presliding[k] = p.deflection;
        sum.torque += p.torque;
        sum.power += p.power;
        sum.stored += presliding_stored(K, before, p.deflection);
        sum.limit += p.limit;
    }
    return sum;
}

/* A step with all outputs. */
static inline void step_full(const stiction_drive *d, const stiction_drive_input *in, double u,
                             double *e, stiction_drive_memory *m, stiction_drive_result *r) {
    const stiction_element_c *c = &d->element.c;
    const double x = element_c_input(c->ZK, u, *e); /* (38a) */
    const double theta = temperature_of(d, in, m);
    const double warmth = drive_warmth(&d->parameters, theta);
    const double scale = scale_of(d, in->position, warmth);
    const stiction_levels l = levels_of(d, in, scale, warmth, m->level, x < 0);
    const double f = step_law(d, &l, u, e), most = l.coulomb + l.falling;
    const bool slips = element_c_reserve(c->Z, most, x) < 0;
    presliding_sum sum = {.torque = f};
    if (d->parts & STICTION_DRIVE_REMEMBERS || !isnan(in->temperature)) {
        const double v = slips ? fmax(fma(-c->Z, fabs(f), fabs(x)), 0) : 0;
        sum = step_presliding(d, scale, u, f, fabs(f) * v, m);
        settle(d, theta, &l, fabs(f), v, sum.power, m);
    }
    *r = (stiction_drive_result){.torque = sum.torque,
                                 .temperature = theta,
                                 .static_level = most + sum.limit,
                                 .coulomb_level = l.coulomb + sum.limit,
                                 .stored = sum.stored,
                                 .slips = slips};
}

static double step(const stiction_drive *d, const stiction_drive_input *in, double u, double *e,
                   stiction_drive_memory *m) {
    stiction_drive_result r;
    step_full(d, in, u, e, m, &r);
    return r.torque;
}

/* Laws in closed form that are only shifted or given other levels by load and lag: temperature
 * plays no part. First with lag. */
static double step_lag(const stiction_drive *d, const stiction_drive_input *in, double u, double *e,
                       stiction_drive_memory *m) {
    const stiction_element_c *c = &d->element.c;
    const double x = element_c_input(c->ZK, u, *e), follow = d->follow;
    stiction_levels l = d->base;
    if (d->parts & STICTION_DRIVE_LOADS) add_load(d, in, &l);
    const double last = m->level > 0 ? m->level : l.coulomb + l.falling;
    const double coulomb = drive_late(follow, last, l.coulomb), falling = follow * l.falling;
    const double f = d->step_levelled(c, &d->change, coulomb, falling, l.viscous, u, e);
    const double most = coulomb + falling, slip = fma(-c->Z, fabs(f), fabs(x));
    const double level = drive_clamp(fabs(f) - l.viscous * (slip > 0 ? slip : 0), coulomb, most);
    m->level = element_c_reserve(c->Z, most, x) < 0 && slip > 0 ? level : most;
    return f;
}

/* The fastest variant, with load only. */
static double step_load(const stiction_drive *d, const stiction_drive_input *in, double u,
                        double *e, stiction_drive_memory *m) {
    (void)m;
    const stiction_drive_parameters *p = &d->parameters;
    const drive_load load = drive_load_of(p, in->motor_torque, in->external_torque);
    const double coulomb = d->base.coulomb + drive_load_friction(p, load);
    const double falling = d->change.change == STICTION_SHIFT
                               ? d->base.falling
                               : d->base.falling + drive_load_falling(p, load);
    return d->step_levelled(&d->element.c, &d->change, coulomb, falling, d->base.viscous, u, e);
}

static double slope(const stiction_drive *d, const stiction_drive_input *in, double u, double e,
                    const stiction_drive_memory *m) {
    const double x = element_c_input(d->element.c.ZK, u, e);
    const stiction_drive_outlook ahead = look_ahead(d, in, m);
    stiction_phi_z phi_z = phi_z_of(d, &ahead.levels[x < 0]);
    phi_z.law->prepare(&phi_z);
    double sum = stiction_phi_z_slope(&phi_z, x);
    for (size_t k = 0; k < d->presliding; k++) {
        const double K = d->presliding_stiffness[k], T = d->element.def.timestep;
        const presliding p = presliding_step(&d->parameters, ahead.scale * d->presliding_torque[k],
                                             K, T, u, m->presliding[k]);
        if (p.power == 0) sum += K * T;
    }
    return sum;
}

const stiction_drive_functions stiction_drive_hot = {
    .look_ahead = look_ahead,
    .settle = settle,
    .step_full = step_full,
    .step = step,
    .step_load = step_load,
    .step_lag = step_lag,
    .slope = slope,
};
