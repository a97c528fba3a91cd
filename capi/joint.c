/*
 * The table of parameters, the validation of a joint's definition, and the step of one joint.
 * Everything that names a parameter (configuration, documentation, messages) reads the table.
 */
#include "joint_internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error_internal.h"
#include "kinds.h"

#define PARAMETER(field) #field, offsetof(stiction_joint_def, field)

static const struct {
    const char *key;
    size_t offset;
    const char *symbol, *unit, *description;
    double minimum;
    bool exclusive;
    bool optional;
    double fallback;
} parameters[] = {
    /* the first five stand in the order of the bits STICTION_USES_... of a law */
    {PARAMETER(static_torque), "F_S", "N m", "largest torque at rest", 0, true, false, 0},
    {PARAMETER(coulomb_torque), "F_C", "N m", "torque of fast sliding, viscosity apart", 0, true,
     false, 0},
    {PARAMETER(stribeck_velocity), "v_S", "rad/s", "over which static falls to kinetic friction", 0,
     true, false, 0},
    {PARAMETER(stribeck_exponent), "alpha", "1",
     "of the fall; 1 has a closed form, another is solved numerically", 1, false, true, 1},
    {PARAMETER(viscous), "D", "N m s/rad", "viscous friction", 0, false, true, 0},
    {PARAMETER(stiffness), "K", "N m/rad", "of the bristle", 0, true, false, 0},
    {PARAMETER(damping), "B", "N m s/rad", "of the bristle", 0, false, false, 0},
    {PARAMETER(stick_velocity), "epsilon", "rad/s", "below which the model treats motion as rest",
     0, true, false, 0},
    {PARAMETER(elastic_limit), "z_ba", "rad", "deflection up to which nothing slips", 0, true,
     false, 0},
    {PARAMETER(bristle_spacing), "Delta", "rad", "between two bristles", 0, true, false, 0},
    {PARAMETER(bristle_stiffness), "kappa", "N m/rad", "of a bristle's torsion spring", 0, true,
     false, 0},
    {PARAMETER(bristle_height), "h", "m", "of the body above the bristles' bases", 0, true, false,
     0},
    {PARAMETER(bristle_length), "l_b", "m", "of a bristle", 0, true, false, 0},
    {PARAMETER(body_length), "d", "m", "of the body that slides on the bristles", 0, true, false,
     0},
    {PARAMETER(angle_scale), "sigma", "1", "mean pivot angle over deflection", 0, true, false, 0},
    {PARAMETER(min_angle), "theta_min", "rad", "mean pivot angle of fast sliding", 0, true, false,
     0},
    {PARAMETER(max_angle), "theta_max", "rad", "mean pivot angle at rest", 0, true, false, 0},
};

size_t stiction_parameter_count(void) {
    return sizeof parameters / sizeof parameters[0];
}

bool stiction_parameter_at(size_t index, stiction_parameter_info *info) {
    if (!info || index >= stiction_parameter_count()) return false;
    *info = (stiction_parameter_info){
        .key = parameters[index].key,
        .symbol = parameters[index].symbol,
        .unit = parameters[index].unit,
        .description = parameters[index].description,
        .minimum = parameters[index].minimum,
        .exclusive = parameters[index].exclusive,
        .fallback = parameters[index].optional ? parameters[index].fallback : (double)NAN,
        .offset = parameters[index].offset};
    return true;
}

/* Parameters that bound each other: the first may not be below the second. */
static const struct {
    size_t upper, lower;
    bool exclusive;
} orders[] = {
    {offsetof(stiction_joint_def, static_torque), offsetof(stiction_joint_def, coulomb_torque),
     false},
    {offsetof(stiction_joint_def, bristle_length), offsetof(stiction_joint_def, bristle_height),
     true},
    {offsetof(stiction_joint_def, max_angle), offsetof(stiction_joint_def, min_angle), false},
};

static double *field(stiction_joint_def *def, size_t offset) {
    return (double *)(void *)((char *)def + offset);
}

static double value_at(const stiction_joint_def *def, size_t offset) {
    double value;
    memcpy(&value, (const char *)def + offset, sizeof value);
    return value;
}

static size_t parameter_of(size_t offset) {
    size_t k = 0;
    while (parameters[k].offset != offset) k++;
    return k;
}

stiction_joint_def stiction_joint_def_default(void) {
    stiction_joint_def def = {.size = sizeof def, .law = NULL};
    for (size_t k = 0; k < stiction_parameter_count(); k++)
        *field(&def, parameters[k].offset) = (double)NAN;
    return def;
}

double stiction_joint_def_value(const stiction_joint_def *def, size_t index) {
    if (!def || index >= stiction_parameter_count()) return (double)NAN;
    const double value = value_at(def, parameters[index].offset);
    return isnan(value) && parameters[index].optional ? parameters[index].fallback : value;
}

/* "joint 'X': " or nothing. */
static const char *prefix(char *buffer, size_t size, const char *name) {
    if (!name) return "";
    (void)snprintf(buffer, size, "joint '%.200s': ", name);
    return buffer;
}

/* A def of an older caller may be shorter than ours: what it lacks is not given. */
static bool read_def(const stiction_joint_def *from, stiction_joint_def *def) {
    *def = stiction_joint_def_default();
    if (from->size < offsetof(stiction_joint_def, stick_velocity)) return false;
    memcpy(def, from, from->size < sizeof *def ? from->size : sizeof *def);
    def->size = sizeof *def;
    return true;
}

/* One parameter of the law: given, finite, not below its minimum. */
static stiction_status check_parameter(const char *who, const char *law, size_t k, double value,
                                       stiction_error *error) {
    if (isnan(value))
        return fail(error, STICTION_INVALID_CONFIG, "%slaw %s needs %s (%s, %s)", who, law,
                    parameters[k].key, parameters[k].symbol, parameters[k].unit);
    if (isinf(value))
        return fail(error, STICTION_INVALID_CONFIG, "%s%s %g is not finite", who, parameters[k].key,
                    value);
    const bool below =
        parameters[k].exclusive ? value <= parameters[k].minimum : value < parameters[k].minimum;
    if (below)
        return fail(error, STICTION_INVALID_CONFIG, "%s%s %.15g must be %s %g", who,
                    parameters[k].key, value, parameters[k].exclusive ? "above" : "at least",
                    parameters[k].minimum);
    return STICTION_OK;
}

static stiction_status check_orders(const char *who, const stiction_joint_def *def, uint64_t uses,
                                    stiction_error *error) {
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        const size_t upper = parameter_of(orders[k].upper), lower = parameter_of(orders[k].lower);
        if (!(uses >> upper & 1) || !(uses >> lower & 1)) continue;
        const double high = value_at(def, orders[k].upper), low = value_at(def, orders[k].lower);
        if (orders[k].exclusive ? high <= low : high < low)
            return fail(error, STICTION_INVALID_CONFIG, "%s%s %.15g %s %s %.15g", who,
                        parameters[upper].key, high,
                        orders[k].exclusive ? "is not above" : "is below", parameters[lower].key,
                        low);
    }
    return STICTION_OK;
}

stiction_status joint_complete(const char *name, const stiction_joint_def *def,
                               stiction_joint_def *complete, stiction_error *error) {
    char buffer[256];
    const char *who = prefix(buffer, sizeof buffer, name);
    if (!read_def(def, complete))
        return fail(error, STICTION_INVALID_ARGUMENT,
                    "%sthe size of the definition is %zu; start from stiction_joint_def_default()",
                    who, def->size);

    stiction_law_info info;
    if (!complete->law) return fail(error, STICTION_INVALID_CONFIG, "%slaw is not given", who);
    if (!kind_info(complete->law, &info))
        return fail(error, STICTION_INVALID_CONFIG, "%sthere is no law '%.100s'", who,
                    complete->law);
    complete->law = info.name;

    for (size_t k = 0; k < stiction_parameter_count(); k++) {
        if (!(info.parameters >> k & 1)) continue;
        const double value = stiction_joint_def_value(complete, k);
        const stiction_status status = check_parameter(who, info.name, k, value, error);
        if (status != STICTION_OK) return status;
        *field(complete, parameters[k].offset) = value;
    }
    return check_orders(who, complete, info.parameters, error);
}

stiction_status joint_set_timestep(joint *j, const char *name, double timestep,
                                   stiction_error *error) {
    char buffer[256], message[512];
    j->timestep = timestep;
    const stiction_status status = j->kind->prepare(j, message, sizeof message);
    return status == STICTION_OK
               ? STICTION_OK
               : fail(error, status, "%s%s", prefix(buffer, sizeof buffer, name), message);
}

stiction_status joint_init(joint *j, const char *name, const stiction_joint_def *def,
                           double timestep, stiction_error *error) {
    memset(j, 0, sizeof *j);
    const stiction_status status = joint_complete(name, def, &j->def, error);
    if (status != STICTION_OK) return status;
    (void)joint_find_law(j->def.law, &j->kind, &j->law);
    return joint_set_timestep(j, name, timestep, error);
}

stiction_status stiction_joint_def_check(const char *name, const stiction_joint_def *def,
                                         double timestep, stiction_error *error) {
    joint j;
    if (!def) return fail(error, STICTION_INVALID_ARGUMENT, "the definition is NULL");
    if (!(timestep > 0 && timestep <= DBL_MAX))
        return fail(error, STICTION_INVALID_ARGUMENT, "time step %g must be above 0 s", timestep);
    const stiction_status status = joint_init(&j, name, def, timestep, error);
    return status == STICTION_OK ? succeed(error) : status;
}

joint_memory joint_at_rest(void) {
    return (joint_memory){.deflection = 0};
}

/* What the bristle can give back, J. */
static double stored(const joint *j, const joint_memory *m) {
    return 0.5 * j->stiffness * m->deflection * m->deflection;
}

bool joint_step(const joint *j, double velocity, double effort, joint_memory *m, joint_result *r) {
    joint_memory next = *m;
    const double usable = j->kind->info.needs_effort ? velocity + effort : velocity;
    if (isfinite(usable)) {
        *r = j->kind->step(j, velocity, effort, &next);
        /* the work done on the joint, less what the bristle took up */
        next.dissipated += r->torque * velocity * j->timestep - (stored(j, &next) - stored(j, m));
        if (isfinite(r->torque) && isfinite(next.deflection) && isfinite(next.position)) {
            *m = next;
            return true;
        }
    }
    *r = (joint_result){0, false};
    return false;
}

double joint_slope(const joint *j, double velocity, double effort, const joint_memory *m) {
    if (j->kind->slope) return j->kind->slope(j, velocity, m);
    /* half the digits: the best that a central difference can do */
    const double step = cbrt(DBL_EPSILON) * fmax(fabs(velocity), 1e-3);
    joint_memory left = *m, right = *m;
    joint_result low, high;
    if (!joint_step(j, velocity - step, effort, &left, &low) ||
        !joint_step(j, velocity + step, effort, &right, &high))
        return 0;
    return (high.torque - low.torque) / (2 * step);
}
