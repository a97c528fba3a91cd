/* SPDX-License-Identifier: MIT
 * The table of parameters, the validation of a joint's definition, and the step of one joint.
 * Everything that names a parameter (configuration, documentation, messages) reads the table.
 */
#include "drives.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "joint_parameters.h"
#include "sized.h"

#define PARAMETER_ROW(key, symbol, unit, description, minimum, exclusive, fallback, least, most)   \
    {#key,                                                                                         \
     symbol,                                                                                       \
     unit,                                                                                         \
     description,                                                                                  \
     minimum,                                                                                      \
     exclusive,                                                                                    \
     (double)(fallback),                                                                           \
     offsetof(stiction_joint_def, key)},

static const stiction_parameter_info parameters[] = {PARAMETERS(PARAMETER_ROW)};

#define RANGE_ROW(key, symbol, unit, description, minimum, exclusive, fallback, least, most)       \
    {least, most},

static const struct { double least, most; } ranges[] = {PARAMETERS(RANGE_ROW)};

size_t stiction_parameter_count(void) {
    return parameter_count;
}

bool stiction_parameter_at(size_t index, stiction_parameter_info *info) {
    if (!info || index >= parameter_count) return false;
    *info = parameters[index];
    return true;
}

bool stiction_parameter_range(size_t index, double *least, double *most) {
    if (index >= parameter_count) return false;
    if (least) *least = ranges[index].least;
    if (most) *most = ranges[index].most;
    return true;
}

bool stiction_parameter_is_neutral(size_t index, double value) {
    if (index < parameter_inertia || index >= parameter_count) return false;
    return isnan(value) || value == parameters[index].fallback;
}

#define LIST_ROW(key, symbol, unit, description)                                                   \
    {#key, symbol, unit, description, STICTION_PRESLIDING_MOST, offsetof(stiction_joint_def, key)},

static const stiction_list_info lists[] = {PARAMETER_LISTS(LIST_ROW)};
enum { list_count = sizeof lists / sizeof lists[0] };

size_t stiction_list_count(void) {
    return list_count;
}

bool stiction_list_at(size_t index, stiction_list_info *info) {
    if (!info || index >= list_count) return false;
    *info = lists[index];
    return true;
}

size_t stiction_joint_def_list(const stiction_joint_def *def, size_t index,
                               const double **numbers) {
    if (numbers) *numbers = NULL;
    if (!def || index >= list_count) return 0;
    const double *list = (const double *)(const void *)((const char *)def + lists[index].offset);
    size_t count = 0;
    while (count < lists[index].most && !isnan(list[count])) count++;
    if (numbers) *numbers = list;
    return count;
}

/* Parameters that bound each other: the first may not be below the second. */
static const struct {
    size_t upper, lower;
    bool exclusive;
} orders[] = {
    {parameter_static_torque, parameter_coulomb_torque, false},
    {parameter_bristle_length, parameter_bristle_height, true},
    {parameter_max_angle, parameter_min_angle, false},
};

bool stiction_joint_is_upper(size_t parameter) {
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
        if (orders[k].upper == parameter) return true;
    return false;
}

static double *field(stiction_joint_def *def, size_t index) {
    return (double *)(void *)((char *)def + parameters[index].offset);
}

/* Below by more than rounding: 3 x 0.6 is less than 1.8 in doubles. */
static bool is_below(double high, double low) {
    return high < low - 4 * DBL_EPSILON * fabs(low);
}

stiction_joint_def stiction_joint_def_default(void) {
    stiction_joint_def def = {.size = sizeof def, .law = NULL};
    for (size_t k = 0; k < parameter_count; k++) *field(&def, k) = (double)NAN;
    for (size_t k = 0; k < STICTION_PRESLIDING_MOST; k++)
        def.presliding_torque[k] = def.presliding_stiffness[k] = (double)NAN;
    return def;
}

double stiction_joint_def_value(const stiction_joint_def *def, size_t index) {
    if (!def || index >= parameter_count) return (double)NAN;
    double value;
    memcpy(&value, (const char *)def + parameters[index].offset, sizeof value);
    return isnan(value) ? parameters[index].fallback : value;
}

stiction_law_parameters stiction_joint_law_parameters(const stiction_joint_def *def) {
#define VALUE(key, ...) .key = stiction_joint_def_value(def, parameter_##key),
    return (stiction_law_parameters){STICTION_LAW_PARAMETERS(VALUE)};
#undef VALUE
}

/* "joint 'X': " or nothing. */
static const char *prefix(char *buffer, size_t size, const char *name) {
    if (!name) return "";
    (void)snprintf(buffer, size, "joint '%.200s': ", name);
    return buffer;
}

/* What an older caller does not know is not given. */
static bool read_def(const stiction_joint_def *from, stiction_joint_def *def) {
    *def = stiction_joint_def_default();
    return sized_read(def, sizeof *def, from, SIZED_END(stiction_joint_def, damping));
}

static stiction_status check_size(const stiction_joint_def *from, stiction_joint_def *def,
                                  const char *who, stiction_error *error) {
    REQUIRE(read_def(from, def), error,
            "%sthe size of the definition is %zu; start from stiction_joint_def_default()", who,
            from->size);
    return STICTION_OK;
}

void stiction_joint_give_def(const stiction_joint_def *from, stiction_joint_def *def) {
    stiction_joint_def own = *from;
    (void)stiction_joint_derive(&own);
    own.size = def->size < sizeof own ? def->size : sizeof own;
    memcpy(def, &own, own.size);
}

/* A number with as few digits as identify it, so that a value next to a bound is not printed like
 * the bound. */
enum { PLAIN_SIZE = 32 };
static const char *plain(double value, char buffer[PLAIN_SIZE]) {
    (void)snprintf(buffer, PLAIN_SIZE, "%.15g", value);
    if (strtod(buffer, NULL) != value) (void)snprintf(buffer, PLAIN_SIZE, "%.17g", value);
    return buffer;
}

stiction_status stiction_joint_check_parameter(const char *who, const char *law, size_t k,
                                               double value, stiction_error *error) {
    FAIL_IF(isnan(value), error, STICTION_INVALID_CONFIG, "%slaw %s needs %s (%s, %s)", who, law,
            parameters[k].key, parameters[k].symbol, parameters[k].unit);
    FAIL_IF(isinf(value), error, STICTION_INVALID_CONFIG, "%s%s %g is not finite", who,
            parameters[k].key, value);
    const bool below =
        parameters[k].exclusive ? value <= parameters[k].minimum : value < parameters[k].minimum;
    FAIL_IF(below, error, STICTION_INVALID_CONFIG, "%s%s %.15g must be %s %g", who,
            parameters[k].key, value, parameters[k].exclusive ? "above" : "at least",
            parameters[k].minimum);
    const double least = ranges[k].least, most = ranges[k].most;
    if (value >= least && value <= most) return STICTION_OK;
    char number[PLAIN_SIZE];
    return stiction_fail(error, STICTION_INVALID_CONFIG, "%s%s %s must be at %s %g%s", who,
                         parameters[k].key, plain(value, number), value > most ? "most" : "least",
                         value > most ? most : least, stiction_joint_unit(k));
}

const char *stiction_joint_unit(size_t k) {
#define UNIT_ROW(key, symbol, unit, ...) " " unit,
    static const char *const units[] = {PARAMETERS(UNIT_ROW)};
    return strcmp(parameters[k].unit, "1") == 0 ? "" : units[k];
}

stiction_status stiction_check_timestep(const char *what, double timestep, stiction_status status,
                                        stiction_error *error) {
    char number[PLAIN_SIZE];
    if (timestep >= STICTION_LEAST && timestep <= STICTION_MOST) return STICTION_OK;
    FAIL_IF(!(timestep > 0) || isinf(timestep), error, status, "%s %g must be above 0 s%s", what,
            timestep, isinf(timestep) ? " and finite" : "");
    return stiction_fail(error, status, "%s %s must be at %s %g s", what, plain(timestep, number),
                         timestep > STICTION_MOST ? "most" : "least",
                         timestep > STICTION_MOST ? STICTION_MOST : STICTION_LEAST);
}

stiction_status stiction_joint_check_orders(const char *who, const stiction_joint_def *def,
                                            uint64_t uses, joint_conflict *conflict,
                                            stiction_error *error) {
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        const size_t upper = orders[k].upper, lower = orders[k].lower;
        if (!(uses >> upper & 1) || !(uses >> lower & 1)) continue;
        const double high = stiction_joint_def_value(def, upper);
        const double low = stiction_joint_def_value(def, lower);
        if (!(orders[k].exclusive ? high <= low : is_below(high, low))) continue;
        char above[PLAIN_SIZE], below[PLAIN_SIZE];
        if (conflict) *conflict = (joint_conflict){2, {upper, lower}};
        return stiction_fail(error, STICTION_INVALID_CONFIG, "%s%s %s %s %s %s", who,
                             parameters[upper].key, plain(high, above),
                             orders[k].exclusive ? "is not above" : "is below",
                             parameters[lower].key, plain(low, below));
    }
    stiction_joint_def in_force = *def;
    (void)stiction_joint_derive(&in_force);
    return stiction_joint_check_drive(who, &in_force, uses, conflict, error);
}

bool stiction_joint_may_be_auto(size_t parameter) {
    return parameter == parameter_stiffness || parameter == parameter_damping ||
           parameter == parameter_reverse_viscous_factor;
}

/* The deflection at break-away, rad, and damping over stiffness, s: the paper's K = 5000 N m/rad
 * and B = 50 N m s/rad for F_S = 2.5 N m. */
static const double reach = 5e-4, bristle_time = 0.01;
/* Damping over what the law needs at a time step of 0: the margin 1 - Z r is then at least 0.2. */
static const double legal = 1.25;

/* NaN where the torque that it depends on is not given. */
static double derived_stiffness(const stiction_joint_def *def, uint64_t uses) {
    const bool sticks = uses >> parameter_static_torque & 1;
    const double torque = sticks ? def->static_torque : def->coulomb_torque;
    return isnan(torque) ? torque
                         : fmax(ranges[parameter_stiffness].least,
                                fmin(torque / reach, ranges[parameter_stiffness].most));
}

/* A lag makes the law less steep at short time steps: at long ones it is as steep as without. */
static double derived_damping(const stiction_joint_def *def) {
    const double descent = stiction_joint_def_descent(def, STICTION_MOST);
    const double usual = bristle_time * def->stiffness;
    return fmin(isfinite(descent) ? fmax(usual, legal * descent) : usual,
                ranges[parameter_damping].most);
}

/* Raises a value that rounding put below its lower neighbour. */
static void raise_to(stiction_joint_def *def, size_t upper, size_t lower) {
    if (*field(def, upper) < *field(def, lower)) *field(def, upper) = *field(def, lower);
}

unsigned stiction_joint_derive(stiction_joint_def *def) {
    stiction_law_info info;
    unsigned derived = 0;
    if (!def->law || !stiction_law_info_find(def->law, &info)) info.parameters = 0;
    for (size_t k = parameter_stiffness; k <= parameter_damping; k++) {
        double *value = field(def, k);
        if (*value != STICTION_AUTO) continue;
        derived |= 1u << (k - parameter_stiffness);
        *value = !(info.parameters >> k & 1) ? (double)NAN
                 : k == parameter_stiffness  ? derived_stiffness(def, info.parameters)
                                             : derived_damping(def);
    }
    return derived;
}

stiction_joint_def stiction_joint_underived(const joint *j) {
    stiction_joint_def def = j->def;
    for (size_t k = parameter_stiffness; k <= parameter_damping; k++)
        if (j->derived >> (k - parameter_stiffness) & 1) *field(&def, k) = STICTION_AUTO;
    return def;
}

stiction_status stiction_joint_replacement(const joint *before, const stiction_joint_def *def,
                                           stiction_joint_def *own, stiction_error *error) {
    TRY(check_size(def, own, "", error));
    for (size_t k = parameter_stiffness; k <= parameter_damping; k++) {
        const double was = stiction_joint_def_value(&before->def, k);
        if (before->derived >> (k - parameter_stiffness) & 1 && *field(own, k) == was)
            *field(own, k) = STICTION_AUTO;
    }
    return STICTION_OK;
}

stiction_status stiction_joint_complete(const char *name, const stiction_joint_def *def,
                                        stiction_joint_def *complete, stiction_error *error) {
    char buffer[256];
    const char *who = prefix(buffer, sizeof buffer, name);
    TRY(check_size(def, complete, who, error));

    stiction_law_info info;
    FAIL_IF(!complete->law, error, STICTION_INVALID_CONFIG, "%slaw is not given", who);
    FAIL_IF(!stiction_law_info_find(complete->law, &info), error, STICTION_INVALID_CONFIG,
            "%sthere is no law '%.100s'", who, complete->law);
    complete->law = info.name;

    for (size_t k = 0; k < parameter_count; k++) {
        const bool is_read = info.parameters >> k & 1;
        const double value = is_read ? stiction_joint_def_value(complete, k) : *field(complete, k);
        /* what the law does not read need not be given, and is for another law where it is */
        if (!is_read && isnan(value)) continue;
        if (value == STICTION_AUTO && stiction_joint_may_be_auto(k)) {
            /* a def that is returned keeps NaN, so that the factor still follows reverse_factor */
            if (k == parameter_reverse_viscous_factor) *field(complete, k) = (double)NAN;
            continue;
        }
        TRY(stiction_joint_check_parameter(who, info.name, k, value, error));
        *field(complete, k) = value;
    }
    TRY(stiction_joint_check_orders(who, complete, info.parameters, NULL, error));
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
        if (info.parameters >> orders[k].upper & 1)
            raise_to(complete, orders[k].upper, orders[k].lower);
    return STICTION_OK;
}

stiction_status stiction_joint_set_timestep(joint *j, const char *name, double timestep,
                                            stiction_error *error) {
    char buffer[256], message[512];
    j->timestep = timestep;
    const stiction_status status =
        j->kind->prepare ? j->kind->prepare(j, message, sizeof message) : STICTION_OK;
    j->needs = status == STICTION_OK ? stiction_joint_needs(j) : 0;
    return status == STICTION_OK
               ? STICTION_OK
               : stiction_fail(error, status, "%s%s", prefix(buffer, sizeof buffer, name), message);
}

stiction_status stiction_joint_init(joint *j, const char *name, const stiction_joint_def *def,
                                    double timestep, stiction_error *error) {
    memset(j, 0, sizeof *j);
    TRY(stiction_joint_complete(name, def, &j->def, error));
    j->derived = stiction_joint_derive(&j->def);
    (void)stiction_joint_find_law(j->def.law, &j->kind, &j->law);
    if (j->law) {
        const stiction_drive_def drive = stiction_joint_drive_def(&j->def, j->law, timestep);
        j->is_drive = stiction_drive_changes(&drive);
        if (j->is_drive) j->kind = &stiction_drive_kind;
    }
    return stiction_joint_set_timestep(j, name, timestep, error);
}

stiction_status stiction_joint_def_check(const char *name, const stiction_joint_def *def,
                                         double timestep, stiction_error *error) {
    joint j;
    REQUIRE(def, error, "the definition is NULL");
    TRY(stiction_check_timestep("time step", timestep, STICTION_INVALID_ARGUMENT, error));
    TRY(stiction_joint_init(&j, name, def, timestep, error));
    return stiction_succeed(error);
}

joint_memory stiction_joint_at_rest(void) {
    return (joint_memory){.deflection = 0};
}

/*
 * What the numbers of a memory can be. Steps cannot leave these bounds: a sum of steps of at most s
 * stops at 2^54 s, where one more is rounded away, and a position moves by no more than 2^400 in a
 * step, dissipation by 2^921. The deflection has its bound from the stiffness.
 */
static const struct {
    const char *name, *unit;
    size_t offset;
    double least, most;
    bool whole; /* a whole number */
} memory_rows[] = {
    {"deflection", " rad", offsetof(joint_memory, deflection), 0, 0, false},
    {"dissipated energy", " J", offsetof(joint_memory, dissipated), -0x1p1000, 0x1p1000, false},
    {"position", " rad", offsetof(joint_memory, position), -0x1p460, 0x1p460, false},
    {"start", " rad", offsetof(joint_memory, start), -0x1p460, 0x1p460, false},
    {"direction", "", offsetof(joint_memory, direction), -1, 1, true},
    {"last base", "", offsetof(joint_memory, last_base), -0x1p600, 0x1p600, true},
    {"reversal", "", offsetof(joint_memory, reversed), 0, 1, true},
    {"slip", " rad/s", offsetof(joint_memory, slip), -STICTION_VELOCITY_LIMIT,
     STICTION_VELOCITY_LIMIT, false},
    {"temperature rise", " K", offsetof(joint_memory, drive.rise), -0x1p1000, 0x1p1000, false},
    {"level", " N m", offsetof(joint_memory, drive.level), 0, 0x1p300, false},
    {"presliding deflection", " rad", offsetof(joint_memory, drive.presliding[0]), 0, 0, false},
    {"presliding deflection", " rad", offsetof(joint_memory, drive.presliding[1]), 0, 0, false},
    {"presliding deflection", " rad", offsetof(joint_memory, drive.presliding[2]), 0, 0, false},
    {"presliding deflection", " rad", offsetof(joint_memory, drive.presliding[3]), 0, 0, false},
    {"presliding deflection", " rad", offsetof(joint_memory, drive.presliding[4]), 0, 0, false},
    {"presliding deflection", " rad", offsetof(joint_memory, drive.presliding[5]), 0, 0, false},
    {"presliding deflection", " rad", offsetof(joint_memory, drive.presliding[6]), 0, 0, false},
    {"presliding deflection", " rad", offsetof(joint_memory, drive.presliding[7]), 0, 0, false},
};
/* Of a joint that is no drive the numbers from here on are not read. */
enum { plain_numbers = offsetof(joint_memory, drive) / sizeof(double) };
enum { first_presliding = offsetof(joint_memory, drive.presliding) / sizeof(double) };
_Static_assert(sizeof memory_rows / sizeof memory_rows[0] == memory_numbers, "a row each");

double stiction_joint_most_deflection(const joint *j) {
    return STICTION_SPRING_LIMIT / (j->stiffness > 0 ? j->stiffness : STICTION_LEAST);
}

/* The largest size of a deflection that steps can make; of other numbers 0. */
static double most_bent(const joint *j, size_t number) {
    if (number == 0) return stiction_joint_most_deflection(j);
    const size_t k = number - first_presliding;
    if (number < first_presliding || !j->is_drive || k >= j->model.drive.presliding) return 0;
    return STICTION_SPRING_LIMIT / j->model.drive.presliding_stiffness[k];
}

/* The first number that is outside, or the number of them. */
static size_t first_outside(const joint *j, const joint_memory *m, double *value, double *least,
                            double *most) {
    const size_t count = j->is_drive ? memory_numbers : plain_numbers;
    for (size_t k = 0; k < count; k++) {
        memcpy(value, (const char *)m + memory_rows[k].offset, sizeof *value);
        const double deflection = most_bent(j, k);
        *least = memory_rows[k].least - deflection;
        *most = memory_rows[k].most + deflection;
        if (!(*value >= *least && *value <= *most)) return k;
        if (memory_rows[k].whole && *value != floor(*value)) return k;
    }
    return memory_numbers;
}

bool stiction_joint_can_remember(const joint *j, const joint_memory *m) {
    double value, least, most;
    return first_outside(j, m, &value, &least, &most) == memory_numbers;
}

stiction_status stiction_joint_check_memory(const char *name, const joint *j, const joint_memory *m,
                                            stiction_status status, stiction_error *error) {
    double value, least, most;
    if (joint_memory_is_plain(j, m)) return STICTION_OK;
    const size_t k = first_outside(j, m, &value, &least, &most);
    if (k == memory_numbers) return STICTION_OK;
    char buffer[256], number[PLAIN_SIZE];
    const char *who = prefix(buffer, sizeof buffer, name), *what = memory_rows[k].name;
    FAIL_IF(!isfinite(value), error, status, "%s%s %g in its memory is not finite", who, what,
            value);
    return stiction_fail(error, status, "%s%s %s in its memory must be %sfrom %g to %g%s", who,
                         what, plain(value, number), memory_rows[k].whole ? "a whole number " : "",
                         least, most, memory_rows[k].unit);
}

stiction_status stiction_joint_refuse_deflection(const char *name, const joint *j,
                                                 double deflection, stiction_error *error) {
    const joint_memory m = {.deflection = deflection};
    return stiction_joint_check_memory(name, j, &m, STICTION_INVALID_ARGUMENT, error);
}

/* The deflection at which spring `number` of a memory has the torque that it had with another
 * stiffness; rounding must not take it beyond what a memory may hold. */
static double keep_spring(double deflection, double from, double to, const joint *j,
                          size_t number) {
    const double most = most_bent(j, number);
    return fmax(-most, fmin(deflection * (from / to), most));
}

/* What is left of the memory of a drive in another one: level and temperature, and presliding as
 * far as both have it. */
static void keep_drive(const joint *from, const joint *to, stiction_drive_memory *m) {
    const size_t had = from->is_drive ? from->model.drive.presliding : 0;
    const size_t has = to->is_drive ? to->model.drive.presliding : 0;
    /* of a joint that was no drive it was not read, and may be anything */
    if (!from->is_drive || !to->is_drive) *m = (stiction_drive_memory){.rise = 0};
    for (size_t k = 0; k < STICTION_PRESLIDING_MOST; k++)
        m->presliding[k] =
            k < had && k < has
                ? keep_spring(m->presliding[k], from->model.drive.presliding_stiffness[k],
                              to->model.drive.presliding_stiffness[k], to, first_presliding + k)
                : 0;
}

void stiction_joint_keep_torque(const joint *from, const joint *to, double *deflection,
                                stiction_drive_memory *drive) {
    if (drive) keep_drive(from, to, drive);
    *deflection =
        to->stiffness > 0 ? keep_spring(*deflection, from->stiffness, to->stiffness, to, 0) : 0;
}

/* The step of a kind without a fast step, or from a memory that must be checked. It is a separate
 * function because its stack frame would cost the fast steps a nanosecond each. */
static __attribute__((noinline)) bool step_slowly(const joint *j, joint_input in, joint_memory *m,
                                                  joint_result *r) {
    const double deflection = m->deflection, position = m->position, velocity = in.velocity;
    const bool usable = joint_can_use(velocity) &&
                        (!j->kind->info.needs_effort ||
                         (joint_can_use(in.effort) && joint_can_use(in.external_torque)));
    /* a host's memory may hold anything */
    if (usable && stiction_joint_can_remember(j, m)) {
        *r = j->kind->step(j, in, m);
        if (isfinite(r->torque) && isfinite(m->deflection) && isfinite(m->position)) {
            m->dissipated += joint_dissipation(j->stiffness, j->timestep, velocity, r->torque,
                                               deflection, m->deflection);
            return true;
        }
        m->deflection = deflection;
        m->position = position;
    }
    *r = (joint_result){0, false};
    return false;
}

/* The step of a drive, whose memory steps have made unless a host keeps it. */
static bool step_drive(const joint *j, joint_input in, joint_memory *m, joint_result *r) {
    *r = (joint_result){0, false};
    const stiction_drive_input drive = joint_drive_input(j, in);
    if (!joint_can_drive(in.velocity, &drive) ||
        (!(fabs(m->deflection) <= STICTION_DEFLECTION_LIMIT) && !stiction_joint_can_remember(j, m)))
        return false;
    const double before = m->deflection;
    *r = j->kind->step(j, in, m);
    m->dissipated +=
        joint_dissipation(j->stiffness, j->timestep, in.velocity, r->torque, before, m->deflection);
    return true;
}

bool stiction_joint_step(const joint *j, joint_input in, joint_memory *m, joint_result *r) {
    const double deflection = m->deflection, velocity = in.velocity;
    if (j->is_drive) return step_drive(j, in, m, r);
    if (!joint_fast_step(j) || !joint_can_use(velocity) ||
        !(fabs(deflection) <= STICTION_DEFLECTION_LIMIT))
        return step_slowly(j, in, m, r);
    /* all of it is finite */
    *r = (joint_result){.torque =
                            j->model.element.step(&j->model.element.c, velocity, &m->deflection)};
    m->dissipated += joint_dissipation(j->stiffness, j->timestep, velocity, r->torque, deflection,
                                       m->deflection);
    return true;
}

double stiction_joint_slope(const joint *j, joint_input in, const joint_memory *m) {
    if (j->kind->slope) return j->kind->slope(j, in, m);
    /* half the digits: the best that a central difference can do */
    const double step = cbrt(DBL_EPSILON) * fmax(fabs(in.velocity), 1e-3);
    joint_input slower = in, faster = in;
    slower.velocity -= step;
    faster.velocity += step;
    joint_memory left = *m, right = *m;
    joint_result low, high;
    if (!stiction_joint_step(j, slower, &left, &low) ||
        !stiction_joint_step(j, faster, &right, &high))
        return 0;
    return (high.torque - low.torque) / (2 * step);
}
