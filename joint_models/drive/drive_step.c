/* SPDX-License-Identifier: MIT
 * A drive: its parameters, the checks at its extremes, and its preparation. docs/drives.md.
 */
#include "joint_models/drive/drive_step.h"

#include <math.h>
#include <string.h>

#include "joint_models/drive/levels.h"
#include "joint_models/fast/variant.h"

#define FALLBACK(key, symbol, unit, description, minimum, exclusive, fallback, least, most)        \
    .key = (double)(fallback),

stiction_drive_parameters stiction_drive_parameters_default(void) {
    return (stiction_drive_parameters){STICTION_DRIVE_PARAMETERS(FALLBACK)};
}

/* ---- which effects a drive has ---- */

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
    if (p->ripple > 0 || p->reverse_factor != 1 || drive_viscous_direction(p, true) != 1 ||
        p->temperature_level != 0 || p->temperature_viscous != 0)
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
    if (def->parameters.viscous > 0 &&
        (drive_viscous_direction(p, true) != 1 || p->temperature_viscous != 0))
        return STICTION_ALL_LEVELS;
    if (loads_at_rest(def) || (falls(def->law) && parts_of(def) & STICTION_DRIVE_SCALES))
        return STICTION_LEVELS;
    return STICTION_SHIFT;
}

/* ---- checks ---- */

double stiction_drive_most_viscous(const stiction_drive_parameters *p, double viscous) {
    const double thin = drive_thinning(p, drive_warmth(p, STICTION_COLDEST));
    const double thick = drive_thinning(p, drive_warmth(p, STICTION_HOTTEST));
    return viscous * fmax(drive_viscous_direction(p, true), 1) * fmax(thin, thick);
}

stiction_drive_extremes stiction_drive_extremes_of(const stiction_drive_def *def) {
    const stiction_drive_parameters *p = &def->drive;
    const double cold = drive_warmth(p, STICTION_COLDEST), hot = drive_warmth(p, STICTION_HOTTEST);
    const double scale = (1 + p->ripple) * fmax(p->reverse_factor, 1) *
                         fmax(drive_warm_scale(p, cold), drive_warm_scale(p, hot));
    const double load = (p->load_motor_static + p->load_external_static) * p->load_limit;
    const double thick = drive_thinning(p, cold), thin = drive_thinning(p, hot);
    const double D = def->parameters.viscous;
    return (stiction_drive_extremes){
        .falling = drive_follow(p, def->timestep) *
                   fma(scale, falling_of(def), loads_at_rest(def) ? load : 0),
        .least_viscous = D * fmin(drive_viscous_direction(p, true), 1) * fmin(thin, thick),
        .most_viscous = stiction_drive_most_viscous(p, D)};
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

/* The steps for this processor. */
static const stiction_drive_functions *hot(void) {
    static const stiction_drive_functions *const all[STICTION_VARIANT_COUNT] = {
        [STICTION_BASELINE] = &stiction_drive_hot,
#ifdef STICTION_WITH_AVX2
        [STICTION_AVX2] = &stiction_drive_hot_avx2,
#endif
#ifdef STICTION_WITH_AVX512
        [STICTION_AVX512] = &stiction_drive_hot_avx512,
#endif
    };
    return all[stiction_variant_best()];
}

/* The shortest that does all of it. */
static stiction_drive_step step_of(const stiction_drive *d) {
    const bool only_load = d->parts == STICTION_DRIVE_LOADS;
    const bool only_lag = d->follow < 1 && !(d->parts & STICTION_DRIVE_SCALES) && d->warming == 0 &&
                          d->presliding == 0;
    if (!d->element.fast || !(only_load || only_lag)) return d->functions->step;
    return only_load ? d->functions->step_load : d->functions->step_lag;
}

stiction_law_verdict stiction_drive_init(stiction_drive *drive, const stiction_drive_def *def) {
    memset(drive, 0, sizeof *drive);
    const stiction_element_def element = {STICTION_ELEMENT_C, 0, def->stiffness, def->damping,
                                          def->timestep};
    if (!(fma(def->stiffness, def->timestep, def->damping) > stiction_drive_needed(def)))
        return STICTION_LAW_ILLEGAL_Z;
    stiction_law_parameters own = own_parameters(def);
    stiction_law_verdict verdict = stiction_element_init(&drive->element, &element, def->law, &own);
    /* the sum of F_C and the rest of F_SC may be rounded up, to a law that falls more steeply than
     * the one checked above */
    if (verdict == STICTION_LAW_ILLEGAL_Z) {
        own.static_torque = nextafter(own.static_torque, 0);
        verdict = stiction_element_init(&drive->element, &element, def->law, &own);
    }
    if (verdict != STICTION_LAW_OK) return verdict;
    drive->functions = hot();
    drive->parameters = def->drive;
    if (!falls(def->law)) /* a load at rest acts on the part that falls */
        drive->parameters.load_motor_static = drive->parameters.load_external_static = 0;
    drive->base = (stiction_levels){own.coulomb_torque, falling_of(def), own.viscous};
    drive->change =
        (stiction_level_base){.change = change_of(def),
                              .inverse_v_S = falls(def->law) ? 1 / own.stribeck_velocity : 0,
                              .inverse_g = 1 / fma(drive->element.Z, own.viscous, 1)};
    if (drive->element.fast)
        drive->step_levelled = drive->element.fast->step_levelled[drive->change.change];
    drive->parts = parts_of(def);
    drive->follow = drive_follow(&def->drive, def->timestep);
    drive->warming = drive_warming(&def->drive, def->timestep);
    drive->presliding = def->presliding;
    memcpy(drive->presliding_torque, def->presliding_torque, sizeof drive->presliding_torque);
    memcpy(drive->presliding_stiffness, def->presliding_stiffness,
           sizeof drive->presliding_stiffness);
    drive->step = step_of(drive);
    return STICTION_LAW_OK;
}

/* ---- levels and heat as outputs ---- */

stiction_levels stiction_drive_levels(const stiction_drive_parameters *drive,
                                      const stiction_law_parameters *law,
                                      const stiction_drive_input *input, bool backwards) {
    const double warmth = drive_warmth(drive, input->temperature);
    const double s =
        drive_scale(drive, input->position, warmth) * drive_direction(drive, backwards);
    const drive_load load = drive_load_of(drive, input->motor_torque, input->external_torque);
    return (stiction_levels){
        .coulomb = fma(s, law->coulomb_torque, drive_load_friction(drive, load)),
        .falling =
            fma(s, law->static_torque - law->coulomb_torque, drive_load_falling(drive, load)),
        .viscous = law->viscous * drive_viscous_direction(drive, backwards) *
                   drive_thinning(drive, warmth)};
}

double stiction_drive_heated(const stiction_drive_parameters *drive, double temperature,
                             double power, double timestep) {
    const double warming = drive_warming(drive, timestep);
    return temperature + drive_heat(drive, warming, temperature, power);
}

double stiction_phi_z_shifted_at(const stiction_phi_z *phi_z, double shift, double x) {
    if (isnan(x)) return x;
    const double a = fabs(x);
    if (fma(phi_z->Z, phi_z->breakaway + shift, -a) >= 0) return x * phi_z->inverse_Z;
    return copysign(shift + stiction_phi_z_at(phi_z, fma(-phi_z->Z, shift, a)), x);
}
