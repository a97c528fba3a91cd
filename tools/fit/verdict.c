/* SPDX-License-Identifier: MIT
 * What the data say about each parameter: its value, a 95 % interval, and whether the motion
 * determines it, with the reason if not. The interval joins the scatter of blocks of time with the
 * change under a second smoothing, which the scatter cannot show.
 */
#include "verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "output_error.h"
#include "robot_torque.h"
#include "smooth_motion.h"

static const double wide = 0.35; /* largest relative 95 % half width of an identified value */
static const double normal = 1.96;

/* What of the motion slides, and how. */
typedef struct coverage {
    double slowest, fastest;    /* rad/s: 2 % and 99 % of the samples that slide */
    double clearly;             /* share of all samples faster than 5 % of the fastest */
    double forwards, backwards; /* shares of the samples that slide */
    double quantum;             /* rad: of the encoder; 0: not known */
    double coldest, warmest;
    bool warm;
} coverage;

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static coverage cover(const fit_problem *p, double threshold) {
    coverage c = {.coldest = INFINITY, .warmest = -INFINITY};
    double *speeds = allocate(p->samples, sizeof *speeds);
    size_t n = 0, forwards = 0;
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++) {
            if (!(p->train[p->first[file] + i] > 0)) continue;
            const double v = p->motions[file].velocity[i];
            const double *warmth = p->logs[file].column[LOG_TEMPERATURE];
            if (warmth) {
                c.warm = true;
                c.coldest = fmin(c.coldest, warmth[i]), c.warmest = fmax(c.warmest, warmth[i]);
            }
            c.clearly += (fabs(v) > 0.05 * p->fastest) / (double)p->samples;
            if (fabs(v) < threshold) continue;
            speeds[n++] = fabs(v);
            forwards += v > 0;
        }
    qsort(speeds, n, sizeof *speeds, compare);
    if (n > 0) {
        c.slowest = speeds[n / 50], c.fastest = speeds[n - 1 - n / 100];
        c.forwards = (double)forwards / (double)n, c.backwards = 1 - c.forwards;
    }
    c.quantum = fit_quantum(&p->logs[0]);
    free(speeds);
    return c;
}

/* The slowest motion that counts as sliding: a share of the fastest, or the bristle's bend. */
static double sliding(const fit_problem *p, const stiction_joint_def *def) {
    return fmax(3 * def->coulomb_torque / def->stiffness / (10 * fit_median_step(&p->logs[0])) *
                    0.02,
                2e-3 * p->fastest);
}

static const double within_fall = 0.3; /* of the slowest sliding: a smaller v_S is out of reach */

static const double likely_fall = 4; /* F_S/F_C that a log need not confirm */

bool fit_slides_in_fall(const fit_problem *p, const fit_model *model) {
    if (!(model->free & FIT_BIT(FIT_STRIBECK))) return true;
    const stiction_joint_def def = fit_def(p, model);
    return def.static_torque < likely_fall * def.coulomb_torque ||
           def.stribeck_velocity >= within_fall * cover(p, sliding(p, &def)).slowest;
}

/* 99 % of the torques of the motor are less. */
static double largest_load(const fit_problem *p) {
    double *sizes = allocate(p->samples, sizeof *sizes);
    size_t n = 0;
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++)
            if (p->train[p->first[file] + i] > 0)
                sizes[n++] = fabs(p->logs[file].column[LOG_TORQUE][i]);
    qsort(sizes, n, sizeof *sizes, compare);
    const double load = n > 0 ? sizes[n - 1 - n / 100] : 0;
    free(sizes);
    return load;
}

/* ---- values ---- */

typedef struct quantity {
    const char *key;
    unsigned bit;  /* 0: of every law */
    size_t offset; /* in the definition */
    bool relative; /* its interval is a factor */
} quantity;

static const quantity quantities[] = {
    {"static_torque", FIT_BIT(FIT_FALL), offsetof(stiction_joint_def, static_torque), true},
    {"coulomb_torque", 0, offsetof(stiction_joint_def, coulomb_torque), true},
    {"stribeck_velocity", FIT_BIT(FIT_FALL), offsetof(stiction_joint_def, stribeck_velocity), true},
    {"viscous", FIT_BIT(FIT_VISCOUS), offsetof(stiction_joint_def, viscous), true},
    {"stiffness", 0, offsetof(stiction_joint_def, stiffness), true},
    {"damping", 0, offsetof(stiction_joint_def, damping), true},
    {"reverse_factor", FIT_BIT(FIT_REVERSE), offsetof(stiction_joint_def, reverse_factor), true},
    {"reverse_viscous_factor", FIT_BIT(FIT_REVERSE_VISCOUS),
     offsetof(stiction_joint_def, reverse_viscous_factor), true},
    {"load_motor", FIT_BIT(FIT_LOAD_MOTOR), offsetof(stiction_joint_def, load_motor), true},
    {"load_external", FIT_BIT(FIT_LOAD_EXTERNAL), offsetof(stiction_joint_def, load_external),
     true},
    {"temperature_level", FIT_BIT(FIT_TEMPERATURE_LEVEL),
     offsetof(stiction_joint_def, temperature_level), false},
    {"temperature_viscous", FIT_BIT(FIT_TEMPERATURE_VISCOUS),
     offsetof(stiction_joint_def, temperature_viscous), false},
    {"ripple", FIT_BIT(FIT_RIPPLE_COS), offsetof(stiction_joint_def, ripple), true},
};
enum { quantity_count = sizeof quantities / sizeof quantities[0] };

static double value_in(const stiction_joint_def *def, const quantity *q) {
    double value;
    memcpy(&value, (const char *)def + q->offset, sizeof value);
    return value;
}

static double measure(const fit_problem *p, const fit_model *m, const quantity *q) {
    const stiction_joint_def def = fit_def(p, m);
    const double value = value_in(&def, q);
    return q->relative ? log(fmax(value, 1e-300)) : value;
}

/* The derivatives of a quantity by the parameters. */
static void slopes_of(const fit_problem *p, const fit_model *m, const quantity *q,
                      double slope[FIT_PARAMETER_COUNT]) {
    const double here = measure(p, m, q);
    for (size_t k = 0; k < FIT_PARAMETER_COUNT; k++) {
        slope[k] = 0;
        if (!(m->free & FIT_BIT(k))) continue;
        fit_model moved = *m;
        moved.theta[k] += 1e-4;
        slope[k] = (measure(p, &moved, q) - here) / 1e-4;
    }
}

/* The standard deviation of a quantity by the covariance of the parameters. */
static double deviation(const fit_problem *p, const fit_model *m, const quantity *q,
                        double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT]) {
    double slope[FIT_PARAMETER_COUNT], sum = 0;
    slopes_of(p, m, q, slope);
    for (size_t a = 0; a < FIT_PARAMETER_COUNT; a++)
        for (size_t b = 0; b < FIT_PARAMETER_COUNT; b++)
            sum += slope[a] * slope[b] * covariance[a][b];
    return sqrt(fmax(sum, 0));
}

__attribute__((format(printf, 2, 3))) static void doubt(fit_value *v, const char *format, ...) {
    if (!v->identifiable) return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(v->why, sizeof v->why, format, arguments);
    va_end(arguments);
    v->identifiable = false;
}

static bool is(const fit_value *v, const char *key) {
    return strcmp(v->key, key) == 0;
}

/* Reasons in the motion itself, whatever the interval. */
static void judge_motion(fit_value *v, const coverage *c, const fit_model *m,
                         const stiction_joint_def *def, const fit_problem *p) {
    const bool one_way = c->forwards < 0.03 || c->backwards < 0.03;
    if (one_way && (is(v, "coulomb_torque") || is(v, "static_torque") || is(v, "stiffness") ||
                    is(v, "reverse_factor") || is(v, "reverse_viscous_factor")))
        doubt(v, "the joint slides in one direction only, so friction and an offset of the torque "
                 "cannot be told apart; log both directions");
    if (is(v, "stiffness")) {
        const double bend = def->coulomb_torque / def->stiffness;
        if (bend < 2.5 * c->quantum)
            doubt(v,
                  "the bristle bends by %.2g %s and the encoder resolves %.2g %s; log torque "
                  "ramps at rest with a finer encoder",
                  bend, p->position_unit, c->quantum, p->position_unit);
    }
    if (c->clearly < 0.15 && (is(v, "viscous") || is(v, "stribeck_velocity")))
        doubt(v, "the joint slides in %.2g %% of the log only; log longer motion at several speeds",
              100 * c->clearly);
    if (is(v, "damping")) doubt(v, "it also absorbs delays and filters of the log");
    if (is(v, "viscous") && m->theta[FIT_VISCOUS] < log(p->scale / p->fastest) - 6)
        doubt(v, "friction does not rise with the speed up to %.3g %s; log faster motion",
              c->fastest, p->velocity_unit);
    if (m->free & FIT_BIT(FIT_STRIBECK) && (is(v, "static_torque") || is(v, "stribeck_velocity")) &&
        def->stribeck_velocity < within_fall * c->slowest)
        doubt(v,
              "the slowest sliding in the log is %.2g %s and the fall of friction would be "
              "below it; log slower motion, both ways",
              c->slowest, p->velocity_unit);
}

/* What held the joint where it was left out because it stands still: 95 % are less. */
static double held_at_rest(const fit_problem *p, const fit_result *r) {
    double *sizes = allocate(p->samples, sizeof *sizes);
    size_t n = 0;
    for (size_t k = 0; k < p->samples; k++)
        if (p->train[k] == -1) sizes[n++] = fabs(r->residual[k] + r->friction[k]);
    qsort(sizes, n, sizeof *sizes, compare);
    const double held = n > 0 ? sizes[n - 1 - n / 20] : 0;
    free(sizes);
    return held;
}

static const char *reason_of_absence(const fit_value *v, const coverage *c, const fit_problem *p,
                                     double held, char buffer[300]) {
    if (is(v, "static_torque") && held > 1.2 * v->value)
        (void)snprintf(buffer, 300,
                       "the joint stood still under %.3g %s, more than friction while it slides, "
                       "but no fall of friction is seen: log slower motion and torque ramps from "
                       "rest",
                       held, p->unit);
    else if (is(v, "static_torque") || is(v, "stribeck_velocity"))
        (void)snprintf(buffer, 300,
                       "no fall of friction from rest to sliding is seen: the slowest sliding in "
                       "the log is %.2g %s; log slower motion and torque ramps from rest",
                       c->slowest, p->velocity_unit);
    else if (is(v, "viscous"))
        (void)snprintf(buffer, 300,
                       "friction does not rise with the speed up to %.3g %s; log faster motion",
                       c->fastest, p->velocity_unit);
    else if (is(v, "reverse_factor"))
        (void)snprintf(buffer, 300, "both directions alike predict as well");
    else if (is(v, "reverse_viscous_factor"))
        (void)snprintf(buffer, 300,
                       "viscous friction that follows reverse_factor predicts as well");
    else if (is(v, "load_motor"))
        (void)snprintf(buffer, 300, "%s",
                       p->gravity || p->robot
                           ? "the load changes friction less than the data show"
                           : "the load does not change in this log; log postures with and "
                             "without gravity, and give --gravity");
    else if (is(v, "load_external"))
        (void)snprintf(buffer, 300, "the log has no external torque that changes friction");
    else if (is(v, "ripple"))
        (void)snprintf(buffer, 300, "friction varies with the position less than the data show");
    else if (!c->warm)
        (void)snprintf(buffer, 300, "the log has no temperature");
    else
        (void)snprintf(buffer, 300, "the log covers %.3g to %.3g deg C only; log a warm joint too",
                       c->coldest, c->warmest);
    return buffer;
}

/* What differentiating an encoder does to a value beyond the scatter, as a relative standard
 * deviation: seen on logs made with known friction. */
static double smallest_deviation(const char *key) {
    if (strcmp(key, "stribeck_velocity") == 0) return 0.07;
    if (strcmp(key, "static_torque") == 0) return 0.015;
    return strncmp(key, "temperature", 11) == 0 ? 0 : 0.01;
}

/* ---- intervals ---- */

/* A free quantity, and how well it is known. */
typedef struct known {
    const quantity *q;
    fit_value *v;
    double sd; /* of what measure() returns */
} known;

static const double widest = 10; /* a factor of e^10: nothing is known */

static double as_value(const quantity *q, double measured) {
    return q->relative ? exp(measured) : measured;
}

/* Where the curve reaches the 95 % level on one side; infinite: not within the computed range; NaN:
 * unknown, because a point could not be simulated or lies on the wrong side. */
static double crossing(const double *at, const double *loss, int side) {
    const double level = sqrt(FIT_LEVEL);
    for (int i = FIT_PROFILE / 2 + side; i >= 0 && i < FIT_PROFILE; i += side) {
        const double from = sqrt(loss[i - side]), to = sqrt(loss[i]);
        if (!isfinite(to) || !(side * (at[i] - at[i - side]) > -1e-9 * fabs(at[i]))) return NAN;
        if (to >= level && to > from)
            return at[i - side] + (at[i] - at[i - side]) * (level - from) / (to - from);
    }
    return side * (double)INFINITY;
}

/* Profiles of all free quantities. The rise is scaled so that the curvature at the best value
 * matches the standard deviation, which accounts for correlated errors and for smoothing. */
static void profile_values(fit_simulator *s, fit_problem *p, const fit_model *m,
                           const known *values, size_t count) {
    static const double most = 3; /* of a logarithm: a factor of 20 */
    double slopes[quantity_count][FIT_PARAMETER_COUNT], reach[quantity_count];
    fit_profile *profiles = allocate(quantity_count, sizeof *profiles);
    for (size_t n = 0; n < count; n++) {
        slopes_of(p, m, values[n].q, slopes[n]);
        reach[n] = 3.2 * values[n].sd;
        if (values[n].q->relative) reach[n] = fmin(reach[n], most);
    }
    const bool fine =
        fit_profiles(s, p, m, (const double(*)[FIT_PARAMETER_COUNT])slopes, reach, count, profiles);
    for (size_t n = 0; n < count && fine; n++) {
        fit_value *v = values[n].v;
        const fit_profile *from = &profiles[n];
        double at[FIT_PROFILE];
        const double scale = from->variance / (values[n].sd * values[n].sd);
        for (size_t i = 0; i < FIT_PROFILE; i++) {
            at[i] = measure(p, &from->models[i], values[n].q);
            v->loss[i] = i == FIT_PROFILE / 2 ? 0 : fmax(from->rise[i] * scale, 0);
            v->at[i] = as_value(values[n].q, at[i]);
        }
        v->points = FIT_PROFILE;
        const double low = crossing(at, v->loss, -1), high = crossing(at, v->loss, 1);
        v->open_below = isinf(low), v->open_above = isinf(high);
        /* the profile can only widen the interval: it is too steep if the other parameters did not
         * converge; but where one side is open, the standard deviation means nothing */
        if (isfinite(low))
            v->low = v->open_above ? as_value(values[n].q, low)
                                   : fmin(v->low, as_value(values[n].q, low));
        if (isfinite(high))
            v->high = v->open_below ? as_value(values[n].q, high)
                                    : fmax(v->high, as_value(values[n].q, high));
        if (v->open_below && values[n].q->relative) v->low = 0;
    }
    free(profiles);
}

static void judge_interval(const known *k) {
    static const char *const hardly = "the motion hardly depends on it";
    fit_value *v = k->v;
    const double half = normal * k->sd;
    const bool open = v->open_below || v->open_above;
    const double share = k->q->relative ? (open ? (double)INFINITY : 0.5 * log(v->high / v->low))
                                        : half / fmax(fabs(v->value), 1e-12);
    if (!(share > wide)) return;
    if (v->open_below && v->open_above)
        doubt(v, "the data allow any value; %s", hardly);
    else if (open)
        doubt(v, "the data only show that it is %s %.3g; %s",
              v->open_below ? "at most" : "at least", v->open_below ? v->high : v->low, hardly);
    else
        doubt(v, "the data allow %.3g to %.3g; %s", v->low, v->high, hardly);
}

static void judge_values(fit_simulator *s, fit_problem *p, fit_result *r,
                         double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT]) {
    const fit_model *m = &r->model;
    const stiction_joint_def def = fit_def(p, m);
    const coverage c = cover(p, sliding(p, &def));
    r->slowest = c.slowest, r->fastest = c.fastest;
    r->coldest = c.warm ? c.coldest : (double)NAN, r->warmest = c.warm ? c.warmest : (double)NAN;
    r->load = largest_load(p);
    const double held = held_at_rest(p, r);
    known values[quantity_count];
    size_t count = 0;
    r->value_count = 0;
    for (size_t k = 0; k < quantity_count; k++) {
        const quantity *q = &quantities[k];
        fit_value *v = &r->values[r->value_count++];
        *v = (fit_value){.key = q->key, .identifiable = true};
        if (q->bit && !(m->free & q->bit)) {
            char reason[300];
            const bool level = is(v, "static_torque");
            v->value = level ? def.coulomb_torque : is(v, "reverse_factor") ? 1 : 0;
            if (is(v, "reverse_viscous_factor"))
                v->value = stiction_joint_drive_parameters(&def).reverse_viscous_factor;
            if (is(v, "stribeck_velocity")) v->value = (double)NAN;
            v->low = v->high = (double)NAN;
            doubt(v, "%s", reason_of_absence(v, &c, p, held, reason));
            continue;
        }
        const double here = measure(p, m, q), change = measure(p, &r->other, q) - here;
        double sd = deviation(p, m, q, covariance);
        sd = fmin(hypot(hypot(sd, change), smallest_deviation(q->key)), 1e3);
        values[count++] = (known){q, v, sd};
        const double half = normal * sd;
        v->value = value_in(&def, q);
        v->low = q->relative ? v->value * exp(-fmin(half, widest)) : v->value - half;
        v->high = q->relative ? v->value * exp(fmin(half, widest)) : v->value + half;
        judge_motion(v, &c, m, &def, p);
    }
    if (!p->simulates) profile_values(s, p, m, values, count);
    for (size_t n = 0; n < count; n++) judge_interval(&values[n]);
}

size_t fit_expected(fit_simulator *s, fit_problem *p, const fit_model *model, double noise,
                    fit_deviation rows[FIT_VALUES]) {
    double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT];
    if (!fit_covariance(s, p, model, noise, covariance)) return 0;
    const stiction_joint_def def = fit_def(p, model);
    size_t count = 0;
    for (size_t k = 0; k < quantity_count; k++) {
        const quantity *q = &quantities[k];
        if (q->bit && !(model->free & q->bit)) continue;
        rows[count++] =
            (fit_deviation){q->key, value_in(&def, q), deviation(p, model, q, covariance)};
    }
    return count;
}

/* ---- held-out data ---- */

/* The error of a prediction. At rest friction balances any torque up to `level`, so only the excess
 * is an error. */
static void find_error(const fit_problem *p, const double *residual, const double *friction,
                       double level, double *error) {
    for (size_t k = 0; k < p->samples; k++) {
        const double needed = residual[k] + friction[k];
        error[k] = p->rests[k] ? copysign(fmax(fabs(needed) - level, 0), needed) : residual[k];
    }
}

static double held_out_rms(const fit_problem *p, const double *error) {
    double sum = 0;
    size_t n = 0;
    for (size_t k = 0; k < p->samples; k++)
        if (p->train[k] == 0) sum += error[k] * error[k], n++;
    return n ? sqrt(sum / (double)n) : (double)NAN;
}

/* The same of residuals averaged over 0.1 s, without most of the noise of a current. */
static double averaged_rms(const fit_problem *p, const double *residual) {
    double total = 0;
    size_t spans = 0;
    for (size_t file = 0; file < p->count; file++) {
        const fit_log *log = &p->logs[file];
        const size_t length = (size_t)fmax(0.1 / log->step + 0.5, 1);
        for (size_t i = 0; i + length <= log->count; i += length) {
            double sum = 0;
            size_t n = 0;
            for (size_t k = p->first[file] + i; k < p->first[file] + i + length; k++)
                if (p->train[k] == 0) sum += residual[k], n++;
            if (n < length) continue;
            total += sum * sum / ((double)n * (double)n);
            spans++;
        }
    }
    return spans ? sqrt(total / (double)spans) : (double)NAN;
}

/* ---- output error ---- */

/* Of the position, on held-out samples or on those of the fit, with or without rest. */
static double motion_rms(const fit_problem *p, const double *error, bool held) {
    double sum = 0;
    size_t n = 0;
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++) {
            const size_t k = p->first[file] + i;
            if ((p->logs[file].held_out || p->train[k] == 0) == held)
                sum += error[k] * error[k], n++;
        }
    return n ? sqrt(sum / (double)n) : (double)NAN;
}

/* Refines a torque fit so that the simulated motion is that of the log. Coulomb's law stays where
 * the richer one does not move better. */
static bool simulate(fit_simulator *s, fit_problem *p, const fit_plain *plain, fit_result *r,
                     double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT],
                     stiction_error *error) {
    static const double worth = 0.02;
    for (size_t file = 0; file < p->count; file++)
        for (size_t i = 0; i < p->logs[file].count; i++) {
            const size_t k = p->first[file] + i;
            p->weight[k] = !(p->logs[file].held_out || p->train[k] == 0);
        }
    fit_joint baseline = fit_joint_of_plain(p, plain), coulomb = baseline;
    fit_joint joint = fit_joint_of(p, &r->model);
    double *moved = allocate(p->samples, sizeof *moved);
    double other[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT];
    memcpy(other, covariance, sizeof other);
    bool fine = fit_motion_error(s, p, &baseline, moved);
    const double train = motion_rms(p, moved, false), held = motion_rms(p, moved, true);
    coulomb.model.theta[FIT_STIFFNESS] = joint.model.theta[FIT_STIFFNESS];
    coulomb.model.theta[FIT_DAMPING] = joint.model.theta[FIT_DAMPING];
    const bool rich = joint.model.free != coulomb.model.free;
    fine = fine && fit_motion_estimate(s, p, &joint, covariance) &&
           (!rich || fit_motion_estimate(s, p, &coulomb, other));
    if (fine && rich && !(joint.model.rms < (1 - worth) * coulomb.model.rms)) {
        joint = coulomb;
        memcpy(covariance, other, sizeof other);
    }
    fine = fine && fit_motion_error(s, p, &joint, moved);
    if (fine) {
        r->held_unit = p->position_unit;
        r->held_rms = motion_rms(p, moved, true), r->held_plain_rms = held;
        r->held_kind = "of the simulated position on held-out data";
        if (isnan(held)) {
            r->held_rms = motion_rms(p, moved, false), r->held_plain_rms = train;
            r->held_kind = "of the simulated position, on the data of the fit";
        }
        r->model = r->other = joint.model;
        size_t c = p->count;
        memcpy(r->model.nuisance, joint.offset, p->count * sizeof *joint.offset);
        if (isnan(p->inertia)) r->model.nuisance[c++] = joint.inertia;
        if (p->gravity)
            r->model.nuisance[c] = joint.gravity_sin, r->model.nuisance[c + 1] = joint.gravity_cos;
        r->rms = joint.model.rms;
        fine = fit_residual(s, p, &r->model, r->residual, r->friction);
    }
    for (size_t k = 0; k < p->samples; k++) p->weight[k] = p->train[k] > 0;
    free(moved);
    return fine || fail(error, "fit: the joint cannot be simulated along this log");
}

bool fit_judge(fit_simulator *s, fit_problem *p, const fit_options *options, fit_result *r,
               fit_warnings *warnings, stiction_error *error) {
    (void)options;
    r->residual = allocate(p->samples, sizeof(double));
    r->friction = allocate(p->samples, sizeof(double));
    r->plain_residual = allocate(p->samples, sizeof(double));
    /* the change under another smoothing */
    r->other = r->model;
    fit_smooth(p, &r->second);
    (void)fit_estimate(s, p, &r->other, 20);
    fit_smooth(p, &r->plain_smoothing);
    fit_plain plain = {0};
    fit_plain_estimate(p, &plain);
    AUTO_FREE double *plain_friction = allocate(p->samples, sizeof(double));
    fit_plain_residual(p, &plain, r->plain_residual, plain_friction);
    r->plain_rms = plain.rms;
    fit_smooth(p, &r->smoothing);
    if (!fit_residual(s, p, &r->model, r->residual, r->friction))
        return fail(error, "fit: the friction cannot be simulated");
    double covariance[FIT_PARAMETER_COUNT][FIT_PARAMETER_COUNT];
    (void)fit_covariance(s, p, &r->model, 0, covariance);
    if (p->simulates && !simulate(s, p, &plain, r, covariance, error)) return false;
    judge_values(s, p, r, covariance);
    bool held = false;
    for (size_t k = 0; k < p->samples && !held; k++) held = p->train[k] == 0;
    if (held) {
        if (!p->simulates) {
            r->held_kind = "on held-out data";
            const stiction_joint_def def = fit_def(p, &r->model);
            const double level =
                fmax(def.static_torque, def.coulomb_torque) * fmax(def.reverse_factor, 1);
            AUTO_FREE double *error_of = allocate(p->samples, sizeof(double));
            find_error(p, r->plain_residual, plain_friction, fabs(plain.coulomb), error_of);
            r->held_plain_rms = held_out_rms(p, error_of);
            find_error(p, r->residual, r->friction, level, error_of);
            r->held_rms = held_out_rms(p, error_of);
            r->averaged_rms = averaged_rms(p, error_of);
        }
        double slow = 0;
        size_t n = 0, faster = 0;
        for (size_t file = 0; file < p->count; file++)
            for (size_t i = 0; i < p->logs[file].count; i++)
                if (p->train[p->first[file] + i] == 0) {
                    n++;
                    const double speed = fabs(p->motions[file].velocity[i]);
                    faster += speed > 1.1 * r->fastest;
                    slow = fmax(slow, speed);
                }
        if (faster * 50 > n)
            fit_warn(
                warnings,
                "the held-out data are faster than the data of the fit: up to %.3g %s, the fit "
                "covers up to %.3g %s",
                slow, p->velocity_unit, r->fastest, p->velocity_unit);
    }
    const stiction_joint_def def = fit_def(p, &r->model);
    r->law = def.law;
    size_t c = p->count;
    r->inertia = isnan(p->inertia) ? r->model.nuisance[c++] : p->inertia;
    if (p->gravity)
        r->gravity_sin = r->model.nuisance[c], r->gravity_cos = r->model.nuisance[c + 1];
    const double of_file = p->robot ? fit_robot_inertia(p->robot, &p->logs[0]) : 0;
    if (p->robot && r->inertia < -0.1 * of_file)
        fit_warn(warnings,
                 "the log shows %.3g kg m^2 less inertia than the robot's file, which has %.3g at "
                 "the start",
                 -r->inertia, of_file);
    r->rotor = r->inertia;
    r->inertia += of_file;
    if (r->inertia < 0)
        fit_warn(warnings,
                 "the inertia comes out negative (%.3g): torque and motion do not fit together; "
                 "check the sign of the torque and the columns",
                 r->inertia);
    return true;
}
