/*
 * A drive: what is legal at its extremes, and the step of one joint. docs/drives.md.
 */
#include "joint_models/drive/drive.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "joint_models/drive/levels.h"
#include "joint_models/drive/presliding.h"
#include "joint_models/element_c.h"
#include "joint_models/viscous_slide.h"

#define FALLBACK(key, symbol, unit, description, minimum, exclusive, fallback, least, most)        \
    .key = (double)(fallback),

stiction_drive_parameters stiction_drive_parameters_default(void) {
    return (stiction_drive_parameters){STICTION_DRIVE_PARAMETERS(FALLBACK)};
}

/* ---- what is there ---- */

static bool falls(const stiction_law *law) {
    return law->uses & STICTION_USES(static_torque);
}

/* F_S - F_C of a law that has both. */
static double falling_of(const stiction_drive_def *def) {
    const stiction_law_parameters *p = &def->parameters;
    return falls(def->law) ? p->static_torque - p->coulomb_torque : 0;
}

static bool loads_at_rest(const stiction_drive_def *def) {
    const stiction_drive_parameters *p = &def->drive;
    return falls(def->law) && (p->load_motor_static > 0 || p->load_external_static > 0);
}

static unsigned parts_of(const stiction_drive_def *def) {
    const stiction_drive_parameters *p = &def->drive;
    unsigned parts = 0;
    if (p->load_motor > 0 || p->load_external > 0 || loads_at_rest(def))
        parts |= STICTION_DRIVE_LOADS;
    if (p->ripple > 0 || p->reverse_factor != 1 || p->temperature_level != 0 ||
        p->temperature_viscous != 0)
        parts |= STICTION_DRIVE_SCALES;
    if (p->lag > 0 || p->thermal_resistance > 0 || def->presliding > 0)
        parts |= STICTION_DRIVE_REMEMBERS;
    return parts;
}

bool stiction_drive_changes(const stiction_drive_def *def) {
    return parts_of(def) != 0;
}

static stiction_level_change change_of(const stiction_drive_def *def) {
    const stiction_drive_parameters *p = &def->drive;
    if (def->parameters.viscous > 0 && (p->reverse_factor != 1 || p->temperature_viscous != 0))
        return STICTION_ALL_LEVELS;
    if (loads_at_rest(def) || (falls(def->law) && parts_of(def) & STICTION_DRIVE_SCALES))
        return STICTION_LEVELS;
    return STICTION_SHIFT;
}

/* ---- what is legal ---- */

stiction_drive_extremes stiction_drive_extremes_of(const stiction_drive_def *def) {
    const stiction_drive_parameters *p = &def->drive;
    const double cold = drive_warmth(p, STICTION_COLDEST), hot = drive_warmth(p, STICTION_HOTTEST);
    const double warmest =
        fmax(fma(p->temperature_level, cold, 1), fma(p->temperature_level, hot, 1));
    const double scale = (1 + p->ripple) * fmax(p->reverse_factor, 1) * warmest;
    const double load = (p->load_motor_static + p->load_external_static) * p->load_limit;
    const double thin = drive_thinning(p, cold), thick = drive_thinning(p, hot);
    const double D = def->parameters.viscous;
    return (stiction_drive_extremes){
        .falling = drive_follow(p, def->timestep) *
                   fma(scale, falling_of(def), loads_at_rest(def) ? load : 0),
        .least_viscous = D * fmin(p->reverse_factor, 1) * fmin(thin, thick),
        .most_viscous = D * fmax(p->reverse_factor, 1) * fmax(thin, thick)};
}

double stiction_drive_needed(const stiction_drive_def *def) {
    const stiction_drive_extremes at = stiction_drive_extremes_of(def);
    stiction_law_parameters worst = def->parameters;
    /* F_C plays no part: so that no digit of the difference is lost */
    worst.coulomb_torque = at.falling;
    worst.static_torque = 2 * at.falling;
    worst.viscous = at.least_viscous;
    return def->law->steepest_descent(&worst);
}

/* The law of the element: less what presliding has of it, and as far as it follows in a step. */
static stiction_law_parameters own_parameters(const stiction_drive_def *def) {
    stiction_law_parameters own = def->parameters;
    double sum = 0;
    for (size_t k = 0; k < def->presliding; k++) sum += def->presliding_torque[k];
    /* where presliding is all of it, the law's element is left with nothing that could be felt */
    own.coulomb_torque = fmax(own.coulomb_torque - sum, STICTION_LEAST);
    own.static_torque =
        own.coulomb_torque + drive_follow(&def->drive, def->timestep) * falling_of(def);
    return own;
}

stiction_law_verdict stiction_drive_init(stiction_drive *drive, const stiction_drive_def *def) {
    memset(drive, 0, sizeof *drive);
    const stiction_element_def element = {STICTION_ELEMENT_C, 0, def->stiffness, def->damping,
                                          def->timestep};
    if (!(fma(def->stiffness, def->timestep, def->damping) > stiction_drive_needed(def)))
        return STICTION_LAW_ILLEGAL_Z;
    const stiction_law_parameters own = own_parameters(def);
    const stiction_law_verdict verdict =
        stiction_element_init(&drive->element, &element, def->law, &own);
    if (verdict != STICTION_LAW_OK) return verdict;
    drive->parameters = def->drive;
    drive->base = (stiction_levels){own.coulomb_torque, falling_of(def), own.viscous};
    drive->change =
        (stiction_level_base){.change = change_of(def),
                              .inverse_v_S = falls(def->law) ? 1 / own.stribeck_velocity : 0,
                              .inverse_g = 1 / fma(drive->element.Z, own.viscous, 1)};
    drive->parts = parts_of(def);
    drive->follow = drive_follow(&def->drive, def->timestep);
    drive->warming = drive_warming(&def->drive, def->timestep);
    drive->presliding = def->presliding;
    memcpy(drive->presliding_torque, def->presliding_torque, sizeof drive->presliding_torque);
    memcpy(drive->presliding_stiffness, def->presliding_stiffness,
           sizeof drive->presliding_stiffness);
    return STICTION_LAW_OK;
}

/* ---- the step ---- */

stiction_levels stiction_drive_levels(const stiction_drive_parameters *drive,
                                      const stiction_law_parameters *law,
                                      const stiction_drive_input *input, bool backwards) {
    const double warmth = drive_warmth(drive, input->temperature);
    const double direction = drive_direction(drive, backwards);
    const double s = drive_scale(drive, input->position, warmth) * direction;
    const drive_load load = drive_load_of(drive, input->motor_torque, input->external_torque);
    return (stiction_levels){
        .coulomb = fma(s, law->coulomb_torque, drive_load_friction(drive, load)),
        .falling =
            fma(s, law->static_torque - law->coulomb_torque, drive_load_falling(drive, load)),
        .viscous = law->viscous * direction * drive_thinning(drive, warmth)};
}

double stiction_drive_heated(const stiction_drive_parameters *drive, double temperature,
                             double power, double timestep) {
    const double warming = drive_warming(drive, timestep);
    return temperature + drive_heat(drive, warming, temperature, power);
}

static double temperature_of(const stiction_drive *d, const stiction_drive_input *in,
                             const stiction_drive_memory *m) {
    return isnan(in->temperature) ? d->parameters.temperature + m->rise : in->temperature;
}

/* s of the step, the direction apart. */
static double scale_of(const stiction_drive *d, double position, double warmth) {
    return d->parts & STICTION_DRIVE_SCALES ? drive_scale(&d->parameters, position, warmth) : 1;
}

static stiction_levels levels_of(const stiction_drive *d, const stiction_drive_input *in,
                                 double scale, double warmth, double last, bool backwards) {
    const stiction_drive_parameters *p = &d->parameters;
    stiction_levels l = d->base;
    if (d->parts & STICTION_DRIVE_SCALES) {
        const double direction = drive_direction(p, backwards), s = scale * direction;
        l.coulomb *= s;
        l.falling *= s;
        if (d->change.change == STICTION_ALL_LEVELS)
            l.viscous *= direction * drive_thinning(p, warmth);
    }
    if (d->parts & STICTION_DRIVE_LOADS) {
        const drive_load load = drive_load_of(p, in->motor_torque, in->external_torque);
        l.coulomb += drive_load_friction(p, load);
        if (d->change.change != STICTION_SHIFT) l.falling += drive_load_falling(p, load);
    }
    if (d->follow < 1) {
        l.coulomb = drive_late(d->follow, last > 0 ? last : l.coulomb + l.falling, l.coulomb);
        l.falling *= d->follow;
    }
    return l;
}

stiction_drive_outlook stiction_drive_look_ahead(const stiction_drive *d,
                                                 const stiction_drive_input *in,
                                                 const stiction_drive_memory *m) {
    stiction_drive_outlook ahead = {.temperature = temperature_of(d, in, m)};
    const double warmth = drive_warmth(&d->parameters, ahead.temperature);
    ahead.scale = scale_of(d, in->position, warmth);
    for (int k = 0; k < 2; k++)
        ahead.levels[k] = levels_of(d, in, ahead.scale, warmth, m->level, k == 1);
    return ahead;
}

/* The law at other levels, yet to be prepared. */
static stiction_phi_z phi_z_of(const stiction_drive *d, const stiction_levels *l) {
    stiction_phi_z phi_z = d->element.phi_z;
    phi_z.parameters.coulomb_torque = l->coulomb;
    phi_z.parameters.static_torque = phi_z.breakaway = l->coulomb + l->falling;
    phi_z.parameters.viscous = l->viscous;
    return phi_z;
}

/* The same for a torque, for which a law with a power of velocity needs no more than products. */
static double force_of_any(const stiction_drive *d, const stiction_levels *l, double x) {
    stiction_phi_z phi_z = phi_z_of(d, l);
    if (stiction_viscosity_is_linear(&phi_z.parameters))
        phi_z.law->prepare(&phi_z);
    else
        stiction_set_power(&phi_z, dd_from(l->falling));
    return stiction_phi_z_at(&phi_z, x);
}

static double force_of(const stiction_drive *d, const stiction_levels *l, double x) {
    if (d->element.fast) return d->element.fast->levelled(&d->element.c, &d->change, l, x);
    return force_of_any(d, l, x);
}

/* The viscous part of a torque. */
static double viscosity(const stiction_drive *d, const stiction_levels *l, double v) {
    stiction_law_parameters p = d->element.phi_z.parameters;
    p.viscous = l->viscous;
    return stiction_viscous_torque(&p, v);
}

void stiction_drive_settle(const stiction_drive *d, double temperature, const stiction_levels *l,
                           double torque, double slip, double power, stiction_drive_memory *m) {
    const double most = l->coulomb + l->falling;
    if (d->follow < 1)
        m->level = slip > 0 ? drive_clamp(torque - viscosity(d, l, slip), l->coulomb, most) : most;
    m->rise = temperature - d->parameters.temperature +
              drive_heat(&d->parameters, d->warming, temperature, power);
}

/* What the next step begins with, and presliding. Not in the way of drives that forget. */
static __attribute__((noinline)) void remember(const stiction_drive *d, double theta, double scale,
                                               double x, const stiction_levels *l, double u,
                                               stiction_drive_memory *m, stiction_drive_result *r) {
    const double f = fabs(r->torque), v = r->slips ? fmax(fma(-d->element.Z, f, fabs(x)), 0) : 0;
    r->power = f * v;
    for (size_t k = 0; k < d->presliding; k++) {
        const presliding p = presliding_step(&d->parameters, scale * d->presliding_torque[k],
                                             d->presliding_stiffness[k], d->element.def.timestep, u,
                                             m->presliding[k]);
        r->stored += presliding_stored(d->presliding_stiffness[k], m->presliding[k], p.deflection);
        m->presliding[k] = p.deflection;
        r->torque += p.torque;
        r->power += p.power;
        r->static_level += p.limit;
        r->coulomb_level += p.limit;
    }
    stiction_drive_settle(d, theta, l, f, v, r->power, m);
}

stiction_drive_result stiction_drive_step(const stiction_drive *d, const stiction_drive_input *in,
                                          double u, double *e, stiction_drive_memory *m) {
    const stiction_element_c *c = &d->element.c;
    const double x = element_c_input(c->ZK, u, *e); /* (38a) */
    const double theta = temperature_of(d, in, m);
    const double warmth = drive_warmth(&d->parameters, theta);
    const double scale = scale_of(d, in->position, warmth);
    const stiction_levels l = levels_of(d, in, scale, warmth, m->level, x < 0);
    stiction_drive_result r = {.torque = force_of(d, &l, x), /* (38b) */
                               .static_level = l.coulomb + l.falling,
                               .coulomb_level = l.coulomb};
    *e = element_c_deflect(c->K, c->TZ, *e, r.torque); /* (38c) */
    r.slips = element_c_reserve(c->Z, r.static_level, x) < 0;
    if (d->parts & STICTION_DRIVE_REMEMBERS || !isnan(in->temperature))
        remember(d, theta, scale, x, &l, u, m, &r);
    return r;
}

double stiction_drive_slope(const stiction_drive *d, const stiction_drive_input *in, double u,
                            double e, const stiction_drive_memory *m) {
    const double x = element_c_input(d->element.c.ZK, u, e);
    const stiction_drive_outlook ahead = stiction_drive_look_ahead(d, in, m);
    stiction_phi_z phi_z = phi_z_of(d, &ahead.levels[x < 0]);
    phi_z.law->prepare(&phi_z);
    double slope = stiction_phi_z_slope(&phi_z, x);
    for (size_t k = 0; k < d->presliding; k++) {
        const double K = d->presliding_stiffness[k], T = d->element.def.timestep;
        const presliding p = presliding_step(&d->parameters, ahead.scale * d->presliding_torque[k],
                                             K, T, u, m->presliding[k]);
        if (p.power == 0) slope += K * T;
    }
    return slope;
}

double stiction_phi_z_shifted_at(const stiction_phi_z *phi_z, double shift, double x) {
    if (isnan(x)) return x;
    const double a = fabs(x);
    if (fma(phi_z->Z, phi_z->breakaway + shift, -a) >= 0) return x * phi_z->inverse_Z;
    return copysign(shift + stiction_phi_z_at(phi_z, fma(-phi_z->Z, shift, a)), x);
}
