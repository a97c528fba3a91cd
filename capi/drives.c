/* SPDX-License-Identifier: MIT
 * Joints of real drives: creates the drive of joint_models from a definition, checks its parameters
 * together, and steps it. A joint is a drive if a parameter of drives differs from its neutral
 * value.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/fail.h"
#include "drives.h"
#include "joint_parameters.h"

stiction_drive_parameters stiction_joint_drive_parameters(const stiction_joint_def *def) {
#define VALUE(key, ...) .key = stiction_joint_def_value(def, parameter_##key),
    stiction_drive_parameters p = {STICTION_DRIVE_PARAMETERS(VALUE)};
#undef VALUE
    if (p.reverse_viscous_factor == STICTION_AUTO) p.reverse_viscous_factor = p.reverse_factor;
    return p;
}

static size_t presliding_of(const stiction_joint_def *def) {
    const double *numbers;
    return stiction_joint_def_list(def, 0, &numbers);
}

stiction_drive_def stiction_joint_drive_def(const stiction_joint_def *def, const stiction_law *law,
                                            double timestep) {
    stiction_drive_def drive = {.law = law,
                                .parameters = stiction_joint_law_parameters(def),
                                .drive = stiction_joint_drive_parameters(def),
                                .presliding = presliding_of(def),
                                .stiffness = def->stiffness,
                                .damping = def->damping,
                                .timestep = timestep};
    memcpy(drive.presliding_torque, def->presliding_torque, sizeof drive.presliding_torque);
    memcpy(drive.presliding_stiffness, def->presliding_stiffness,
           sizeof drive.presliding_stiffness);
    return drive;
}

double stiction_joint_def_descent(const stiction_joint_def *def, double timestep) {
    const stiction_law *law = def && def->law ? stiction_law_find(def->law) : NULL;
    if (!law) return -(double)INFINITY;
    const stiction_drive_def drive = stiction_joint_drive_def(def, law, timestep);
    return stiction_drive_changes(&drive) ? stiction_drive_needed(&drive)
                                          : law->steepest_descent(&drive.parameters);
}

/* ---- checks ---- */

/* An error about some parameters; its location is that of the first one. */
typedef struct complaint {
    const char *who;
    joint_conflict *conflict;
    stiction_error *error;
} complaint;

#define BLAME(c, ...)                                                                              \
    do {                                                                                           \
        if ((c)->conflict)                                                                         \
            *(c)->conflict =                                                                       \
                (joint_conflict){sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), {__VA_ARGS__}}; \
    } while (0)

static stiction_status check_loads(const complaint *c, const stiction_drive_parameters *p) {
    const double motor = p->load_motor + p->load_motor_static;
    if (motor >= 1) {
        BLAME(c, parameter_load_motor_static, parameter_load_motor);
        return stiction_fail(c->error, STICTION_INVALID_CONFIG,
                             "%sload_motor %.15g and load_motor_static %.15g together must be "
                             "below 1: the motor could never break away",
                             c->who, p->load_motor, p->load_motor_static);
    }
    const bool at_rest = p->load_motor_static > 0 || p->load_external_static > 0;
    if (at_rest && p->load_limit >= STICTION_MOST) {
        const bool motors = p->load_motor_static > 0;
        BLAME(c, motors ? parameter_load_motor_static : parameter_load_external_static);
        return stiction_fail(c->error, STICTION_INVALID_CONFIG,
                             "%s%s needs load_limit (N m): the largest static torque decides which "
                             "time steps are legal",
                             c->who, motors ? "load_motor_static" : "load_external_static");
    }
    return STICTION_OK;
}

static stiction_status check_temperatures(const complaint *c, const stiction_drive_parameters *p) {
    if (p->thermal_resistance > 0 && !(p->thermal_time >= STICTION_LEAST)) {
        BLAME(c, parameter_thermal_time, parameter_thermal_resistance);
        return stiction_fail(c->error, STICTION_INVALID_CONFIG,
                             "%sthermal_resistance %.15g needs a thermal_time above 0 s", c->who,
                             p->thermal_resistance);
    }
    const double level = p->temperature_level;
    const double end = level < 0 ? STICTION_HOTTEST : STICTION_COLDEST;
    if (!(level * (end - p->reference_temperature) > -1)) {
        BLAME(c, parameter_temperature_level, parameter_reference_temperature);
        return stiction_fail(c->error, STICTION_INVALID_CONFIG,
                             "%stemperature_level %.15g leaves no friction at %g deg C; it must be "
                             "%s %.6g 1/K",
                             c->who, level, end, level < 0 ? "above" : "below",
                             -1 / (end - p->reference_temperature));
    }
    return STICTION_OK;
}

/* With more the bristle of a fast motion would bear what no state may hold. */
static stiction_status check_most_viscous(const complaint *c, const stiction_joint_def *def,
                                          const stiction_drive_parameters *p) {
    const double D = stiction_joint_def_value(def, parameter_viscous);
    const double own = stiction_joint_def_value(def, parameter_reverse_viscous_factor);
    const double most = stiction_drive_most_viscous(p, D);
    if (!(most > STICTION_MOST)) return STICTION_OK;
    BLAME(c, parameter_temperature_viscous, parameter_viscous,
          own > 0 ? parameter_reverse_viscous_factor : parameter_reverse_factor);
    return stiction_fail(
        c->error, STICTION_INVALID_CONFIG,
        "%sviscous %.15g with temperature_viscous %.15g and %s %.15g "
        "is up to %.6g from %g to %g deg C; it must be at most %g N m s/rad",
        c->who, D, p->temperature_viscous, own > 0 ? "reverse_viscous_factor" : "reverse_factor",
        p->reverse_viscous_factor, most, STICTION_COLDEST, STICTION_HOTTEST, STICTION_MOST);
}

stiction_status stiction_joint_check_list_number(const char *who, size_t list, size_t k,
                                                 double value, stiction_error *error) {
    stiction_list_info info;
    if (value >= STICTION_LEAST && value <= STICTION_MOST) return STICTION_OK;
    (void)stiction_list_at(list, &info);
    return stiction_fail(error, STICTION_INVALID_CONFIG,
                         "%snumber %zu of %s is %.15g; it must be from %g to %g %s", who, k + 1,
                         info.key, value, STICTION_LEAST, STICTION_MOST, info.unit);
}

static stiction_status check_list(const complaint *c, const stiction_joint_def *def, size_t list,
                                  size_t *count) {
    stiction_list_info info;
    const double *numbers;
    (void)stiction_list_at(list, &info);
    *count = stiction_joint_def_list(def, list, &numbers);
    for (size_t k = 0; k < info.most; k++) {
        if (k >= *count && isnan(numbers[k])) continue;
        BLAME(c, parameter_count + list);
        FAIL_IF(k >= *count, c->error, STICTION_INVALID_CONFIG,
                "%snumber %zu of %s is given, and number %zu is not", c->who, k + 1, info.key,
                *count + 1);
        TRY(stiction_joint_check_list_number(c->who, list, k, numbers[k], c->error));
    }
    return STICTION_OK;
}

/* The slow ramp on which a joint must break away at its static torque: from 0 to it in this time.
 */
static const double slow_ramp = 10; /* s */
/* Of the static torque: by so much presliding may lower the torque of break-away. */
static const double most_shortfall = 1.5e-3;

/*
 * A law that falls from its static torque weakens once its bristle slips. An element of presliding
 * that still yields at that moment never bears its whole torque, and the joint breaks away early.
 */
static stiction_status check_breakaway(const complaint *c, const stiction_joint_def *def,
                                       size_t count, double sum) {
    const double F_S = stiction_joint_def_value(def, parameter_static_torque);
    const double K = stiction_joint_def_value(def, parameter_stiffness);
    const double B = stiction_joint_def_value(def, parameter_damping);
    /* on the ramp the damping of the bristle bears a part, which then is not in its deflection */
    const double damped = F_S * B / (K * slow_ramp), deflection = (F_S - sum - damped) / K;
    double shortfall = 0;
    size_t softest = 0;
    for (size_t k = 0; k < count; k++) {
        const double lacks =
            def->presliding_torque[k] - def->presliding_stiffness[k] * fmax(deflection, 0);
        shortfall += fmax(lacks, 0);
        if (def->presliding_torque[k] / def->presliding_stiffness[k] >
            def->presliding_torque[softest] / def->presliding_stiffness[softest])
            softest = k;
    }
    if (!(shortfall > most_shortfall * F_S)) return STICTION_OK;
    if (!(deflection > 0)) {
        BLAME(c, parameter_damping, parameter_presliding_torque);
        return stiction_fail(c->error, STICTION_INVALID_CONFIG,
                             "%sdamping %.15g is too large beside presliding_torque: the joint "
                             "would break away below static_torque %.15g; it must be below %.6g",
                             c->who, B, F_S, K * slow_ramp * (1 - sum / F_S));
    }
    BLAME(c, parameter_presliding_stiffness, parameter_presliding_torque);
    return stiction_fail(
        c->error, STICTION_INVALID_CONFIG,
        "%snumber %zu of presliding_stiffness is %.15g, softer than the bristle: the joint would "
        "break away at %.6g, below static_torque %.15g; it must be at least %.6g N m/rad",
        c->who, softest + 1, def->presliding_stiffness[softest], F_S - shortfall, F_S,
        def->presliding_torque[softest] / deflection);
}

static stiction_status check_presliding(const complaint *c, const stiction_joint_def *def,
                                        const size_t counts[2], uint64_t uses) {
    if (counts[0] != counts[1]) {
        BLAME(c, parameter_presliding_stiffness, parameter_presliding_torque);
        return stiction_fail(c->error, STICTION_INVALID_CONFIG,
                             "%spresliding_torque has %zu numbers and presliding_stiffness %zu; "
                             "each element needs both",
                             c->who, counts[0], counts[1]);
    }
    double sum = 0;
    for (size_t k = 0; k < counts[0]; k++) sum += def->presliding_torque[k];
    const double F_C = stiction_joint_def_value(def, parameter_coulomb_torque);
    /* sums of decimals are rounded */
    if (uses >> parameter_coulomb_torque & 1 && sum > F_C * (1 + 1e-12)) {
        BLAME(c, parameter_presliding_torque, parameter_coulomb_torque);
        return stiction_fail(c->error, STICTION_INVALID_CONFIG,
                             "%sthe sum of presliding_torque %.15g is above coulomb_torque %.15g",
                             c->who, sum, F_C);
    }
    return counts[0] && uses >> parameter_static_torque & 1
               ? check_breakaway(c, def, counts[0], sum)
               : STICTION_OK;
}

stiction_status stiction_joint_check_drive(const char *who, const stiction_joint_def *def,
                                           uint64_t uses, joint_conflict *conflict,
                                           stiction_error *error) {
    const complaint c = {who, conflict, error};
    size_t counts[2];
    stiction_status status = check_list(&c, def, 0, &counts[0]);
    if (status == STICTION_OK) status = check_list(&c, def, 1, &counts[1]);
    if (status != STICTION_OK || !(uses >> parameter_load_motor & 1)) return status;
    const stiction_drive_parameters p = stiction_joint_drive_parameters(def);
    status = check_loads(&c, &p);
    if (status == STICTION_OK) status = check_temperatures(&c, &p);
    if (status == STICTION_OK && uses >> parameter_viscous & 1)
        status = check_most_viscous(&c, def, &p);
    if (status == STICTION_OK) status = check_presliding(&c, def, counts, uses);
    return status;
}

/* ---- the kind ---- */

static stiction_status drive_prepare(joint *j, char *message, size_t size) {
    const double K = j->def.stiffness, B = j->def.damping, T = j->timestep, G = fma(K, T, B);
    const stiction_drive_def def = stiction_joint_drive_def(&j->def, j->law, T);
    j->stiffness = K;
    if (T == 0) {
        (void)snprintf(message, size,
                       "load, temperature, ripple, direction, lag and presliding "
                       "need a time step above 0");
        return STICTION_ILLEGAL_TIMESTEP;
    }
    TRY(stiction_joint_check_viscosity(stiction_drive_extremes_of(&def).most_viscous, G, message,
                                       size));
    const stiction_law_verdict verdict = stiction_drive_init(&j->model.drive, &def);
    return stiction_joint_refuse_verdict(j, verdict, stiction_drive_needed(&def), message, size);
}

static joint_result drive_step(const joint *j, joint_input in, joint_memory *m) {
    const stiction_drive_input input = joint_drive_input(j, in);
    const stiction_drive *d = &j->model.drive;
    if (!d->presliding)
        return (joint_result){.torque = d->step(d, &input, in.velocity, &m->deflection, &m->drive)};
    stiction_drive_result r;
    d->functions->step_full(d, &input, in.velocity, &m->deflection, &m->drive, &r);
    /* what presliding has taken up is not lost; the caller knows only of the bristle */
    m->dissipated -= r.stored;
    return (joint_result){.torque = r.torque};
}

static double drive_slope(const joint *j, joint_input in, const joint_memory *m) {
    const stiction_drive_input input = joint_drive_input(j, in);
    const stiction_drive *d = &j->model.drive;
    return d->functions->slope(d, &input, in.velocity, m->deflection, &m->drive);
}

/* The outputs of the next step. */
static stiction_drive_result look_ahead(const joint *j, joint_input in, const joint_memory *m) {
    const stiction_drive_input input = joint_drive_input(j, in);
    const stiction_drive *d = &j->model.drive;
    stiction_drive_memory memory = m->drive;
    double deflection = m->deflection;
    stiction_drive_result r;
    d->functions->step_full(d, &input, in.velocity, &deflection, &memory, &r);
    return r;
}

static bool drive_slips(const joint *j, joint_input in, const joint_memory *m) {
    return look_ahead(j, in, m).slips;
}

const joint_kind stiction_drive_kind = {
    .prepare = drive_prepare,
    .step = drive_step,
    .slips = drive_slips,
    .slope = drive_slope,
};

unsigned stiction_joint_needs(const joint *j) {
    unsigned needs = j->kind->info.needs_effort ? STICTION_NEEDS_EFFORT : 0;
    if (!j->is_drive) return needs;
    const stiction_drive_parameters *p = &j->model.drive.parameters;
    const bool loads = j->model.drive.parts & STICTION_DRIVE_LOADS;
    if (loads && (p->load_motor > 0 || p->load_motor_static > 0)) needs |= STICTION_NEEDS_EFFORT;
    if (loads && (p->load_external > 0 || p->load_external_static > 0))
        needs |= STICTION_NEEDS_EXTERNAL_TORQUE;
    if (p->ripple > 0) needs |= STICTION_NEEDS_POSITION;
    return needs;
}

stiction_status stiction_joint_refuse_input(const char *name, const joint *j,
                                            const stiction_input *input, stiction_error *error) {
    const unsigned lacks = joint_lacks(j->needs, input);
    if (!lacks) return STICTION_OK;
    FAIL_IF(!j->is_drive, error, STICTION_INVALID_ARGUMENT,
            "joint '%.200s': law %s needs the effort", name, j->def.law);
    const char *key = lacks & STICTION_NEEDS_EFFORT            ? "load_motor needs the effort"
                      : lacks & STICTION_NEEDS_EXTERNAL_TORQUE ? "load_external needs the external "
                                                                 "torque"
                                                               : "ripple needs the position";
    return stiction_fail(error, STICTION_INVALID_ARGUMENT, "joint '%.200s': %s", name, key);
}

joint_levels stiction_joint_levels_of(const stiction_law_parameters *law, double breakaway,
                                      double beside, double temperature) {
    return (joint_levels){.temperature = temperature,
                          .static_level = breakaway + beside,
                          .coulomb_level = law->coulomb_torque + beside};
}

joint_levels stiction_joint_levels(const joint *j, joint_input in, const joint_memory *m) {
    if (j->is_drive) {
        const stiction_drive_result r = look_ahead(j, in, m);
        return (joint_levels){.temperature = r.temperature,
                              .static_level = r.static_level,
                              .coulomb_level = r.coulomb_level};
    }
    joint_levels plain = {.temperature = in.temperature};
    /* NaN means the joint's own temperature; a value that a drive could not use is not a fault of a
     * joint that reads none
     */
    if (!joint_can_use(plain.temperature))
        plain.temperature = stiction_joint_def_value(&j->def, parameter_temperature);
    if (j->law) {
        plain.static_level = j->model.element.phi_z.breakaway;
        plain.coulomb_level = j->def.coulomb_torque;
    }
    return plain;
}
