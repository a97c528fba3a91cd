/* SPDX-License-Identifier: MIT
 * Reading a log: which column is what, rows that miss a value, time that does not rise, angles
 * that wrap, and units that cannot be.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/file.h"
#include "joint_fit.h"

enum { least_rows = 50, most_rows = 20000000 };

void fit_warn(fit_warnings *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char message[600];
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    char *text = copy_text(message);
    for (size_t k = 0; k < w->count; k++)
        if (strcmp(w->items[k], text) == 0) {
            free(text);
            return;
        }
    w->items = reallocate(w->items, w->count + 1, sizeof *w->items);
    w->items[w->count++] = text;
}

void fit_log_free(fit_log *log) {
    for (size_t k = 0; k < LOG_KIND_COUNT; k++) free(log->column[k]);
    for (size_t k = 0; k < 2 * log->other_count; k++) free(log->others[k]);
    free((void *)log->others);
    free(log->path), free(log->torque_column);
    *log = (fit_log){0};
}

/* ---- columns ---- */

typedef struct reading {
    fit_log *log;
    const fit_reading *what;
    joint_log file;
    char *pattern[LOG_KIND_COUNT]; /* of --columns */
    size_t index[LOG_KIND_COUNT];
    size_t *others; /* the columns of the other joints */
    size_t capacity;
    size_t missing, first_missing, repeated, first_repeated;
} reading;

static const log_kind used[] = {LOG_TIME,   LOG_POSITION,    LOG_VELOCITY, LOG_TORQUE,
                                LOG_TARGET, LOG_TEMPERATURE, LOG_EXTERNAL};
enum { used_count = sizeof used / sizeof used[0] };

/* --columns */
static bool read_given(reading *r, stiction_error *error) {
    for (const char *at = r->what->columns; at && *at;) {
        const size_t length = strcspn(at, ",");
        const char *equals = memchr(at, '=', length);
        if (!equals)
            return fail(error, "fit: --columns: '%.*s' must be WHAT=COLUMN, such as position=q",
                        (int)length, at);
        const log_kind kind = log_kind_of(at, (size_t)(equals - at));
        if (kind == LOG_KIND_COUNT || kind == LOG_FRICTION)
            return fail(error,
                        "fit: --columns: unknown quantity '%.*s'; known are time, position, "
                        "velocity, torque, temperature, external, target",
                        (int)(equals - at), at);
        free(r->pattern[kind]);
        r->pattern[kind] =
            format_text("%.*s", (int)(length - (size_t)(equals + 1 - at)), equals + 1);
        at += length + (at[length] == ',');
    }
    return true;
}

/* Where columns are given, the others are not guessed. */
static bool find_column(reading *r, log_kind kind, stiction_error *error) {
    const char *pattern = r->pattern[kind], *joint = r->what->joint;
    if (!r->what->columns) r->index[kind] = joint_log_usual(&r->file, kind, joint, true);
    if (!pattern) return true;
    r->index[kind] = joint_log_matching(&r->file, pattern, joint);
    if (r->index[kind] != LOG_NO_COLUMN) return true;
    char *names = joint_log_columns(&r->file);
    (void)joint_log_fail(&r->file, error,
                         "there is no column '%s' for the %s of joint '%s'; the columns are %s",
                         pattern, log_kind_name(kind), joint, names);
    free(names);
    return false;
}

static void find_other(reading *r, size_t k, log_kind kind) {
    const char *pattern = r->pattern[kind], *joint = r->what->others[k];
    size_t *column = &r->others[2 * k + (kind == LOG_VELOCITY)];
    *column = !r->what->columns ? joint_log_usual(&r->file, kind, joint, false)
              : pattern && log_pattern_has_joint(pattern)
                  ? joint_log_matching(&r->file, pattern, joint)
                  : LOG_NO_COLUMN;
}

static bool find_columns(reading *r, stiction_error *error) {
    for (size_t k = 0; k < LOG_KIND_COUNT; k++) r->index[k] = LOG_NO_COLUMN;
    if (!read_given(r, error)) return false;
    for (size_t k = 0; k < used_count; k++)
        if (!find_column(r, used[k], error)) return false;
    if (!r->what->needs_target && !r->pattern[LOG_TARGET]) r->index[LOG_TARGET] = LOG_NO_COLUMN;
    r->others = allocate(2 * r->what->other_count + 1, sizeof *r->others);
    for (size_t k = 0; k < r->what->other_count; k++)
        find_other(r, k, LOG_POSITION), find_other(r, k, LOG_VELOCITY);
    for (size_t a = 0; a < LOG_KIND_COUNT; a++)
        for (size_t b = 0; b < a; b++)
            if (r->index[a] == r->index[b] && r->index[a] != LOG_NO_COLUMN)
                return joint_log_fail(&r->file, error, "column '%s' is named as %s and as %s",
                                      r->file.names[r->index[a]], log_kind_name((log_kind)b),
                                      log_kind_name((log_kind)a));
    const bool moves =
        r->index[LOG_POSITION] != LOG_NO_COLUMN || r->index[LOG_VELOCITY] != LOG_NO_COLUMN;
    const char *missing =
        r->index[LOG_TIME] == LOG_NO_COLUMN                              ? "time"
        : r->what->needs_target && r->index[LOG_TARGET] == LOG_NO_COLUMN ? "target"
        : r->what->needs_torque && r->index[LOG_TORQUE] == LOG_NO_COLUMN ? "torque"
        : !moves                                                         ? "position or velocity"
                                                                         : NULL;
    if (!missing) return true;
    char *names = joint_log_columns(&r->file);
    (void)joint_log_fail(&r->file, error,
                         "no column for the %s of joint '%s'; name it with --columns "
                         "time=...,position=...,torque=...; the columns are %s",
                         missing, r->what->joint, names);
    free(names);
    return false;
}

/* ---- rows ---- */

static void grow(reading *r) {
    fit_log *log = r->log;
    if (log->count < r->capacity) return;
    r->capacity = r->capacity ? 2 * r->capacity : 4096;
    for (size_t k = 0; k < LOG_KIND_COUNT; k++)
        if (r->index[k] != LOG_NO_COLUMN)
            log->column[k] = reallocate(log->column[k], r->capacity, sizeof(double));
    for (size_t k = 0; k < 2 * log->other_count; k++)
        if (r->others[k] != LOG_NO_COLUMN)
            log->others[k] = reallocate(log->others[k], r->capacity, sizeof(double));
}

/* A number of the row; *value is NaN where it is missing. */
static bool read_cell(const reading *r, size_t column, log_kind kind, const char *joint,
                      double *value, stiction_error *error) {
    if (!joint_log_number(&r->file, column, log_kind_name(kind), joint, value, error)) return false;
    return !(fabs(*value) > 1e12) ||
           joint_log_fail(&r->file, error, "%s %g of joint '%s' is beyond 1e12",
                          log_kind_name(kind), *value, joint);
}

static bool read_row(reading *r, stiction_error *error) {
    fit_log *log = r->log;
    grow(r);
    bool missing = false;
    for (size_t k = 0; k < used_count; k++) {
        const log_kind kind = used[k];
        if (r->index[kind] == LOG_NO_COLUMN) continue;
        double *to = &log->column[kind][log->count];
        if (!read_cell(r, r->index[kind], kind, r->what->joint, to, error)) return false;
        missing = missing || isnan(*to);
    }
    for (size_t k = 0; k < 2 * log->other_count; k++) {
        if (r->others[k] == LOG_NO_COLUMN) continue;
        double *to = &log->others[k][log->count];
        const log_kind kind = k % 2 ? LOG_VELOCITY : LOG_POSITION;
        if (!read_cell(r, r->others[k], kind, r->what->others[k / 2], to, error)) return false;
        missing = missing || isnan(*to);
    }
    if (missing) {
        if (r->missing++ == 0) r->first_missing = r->file.line;
        return true;
    }
    double time;
    if (!joint_log_time(&r->file, r->index[LOG_TIME], true, &time, error)) return false;
    if (log->count > 0 && time == log->column[LOG_TIME][log->count - 1]) {
        if (r->repeated++ == 0) r->first_repeated = r->file.line;
        return true;
    }
    if (log->count == most_rows)
        return joint_log_fail(&r->file, error, "more than %d rows are not read", most_rows);
    if (log->column[LOG_TORQUE]) log->column[LOG_TORQUE][log->count] *= r->what->torque_scale;
    log->count++;
    return true;
}

static bool check_rows(const reading *r, fit_warnings *warnings, stiction_error *error) {
    const fit_log *log = r->log;
    const size_t rows = log->count + r->missing + r->repeated;
    if (r->repeated > rows / 2)
        return fail_at(error, log->path, r->first_repeated,
                       "time does not rise: %zu of %zu rows have the time of the row before",
                       r->repeated, rows);
    if (r->missing > rows / 2)
        return fail_at(error, log->path, r->first_missing,
                       "%zu of %zu rows miss a value; choose columns that are filled", r->missing,
                       rows);
    if (log->count < least_rows)
        return fail_at(error, log->path, 0,
                       "%zu rows cannot identify friction: at least %d are needed, with motion "
                       "both ways",
                       log->count, least_rows);
    if (r->missing)
        fit_warn(warnings,
                 "%s: %zu of %zu rows miss a value (the first in line %zu); they are left out",
                 log->path, r->missing, rows, r->first_missing);
    if (r->repeated)
        fit_warn(warnings,
                 "%s: %zu rows repeat the time of the row before (the first in line %zu); they are "
                 "left out",
                 log->path, r->repeated, r->first_repeated);
    return true;
}

/* ---- plausibility ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, size_t count) {
    double *sorted = allocate(count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    const double middle = sorted[count / 2];
    free(sorted);
    return middle;
}

/* The smallest change of the position that is seen often. */
double fit_quantum(const fit_log *log) {
    const double *q = log->column[LOG_POSITION];
    if (!q) return 0;
    double *changes = allocate(log->count, sizeof *changes);
    size_t n = 0;
    for (size_t i = 1; i < log->count; i++)
        if (q[i] != q[i - 1]) changes[n++] = fabs(q[i] - q[i - 1]);
    qsort(changes, n, sizeof *changes, compare);
    const double quantum = n > 20 ? changes[n / 100] : 0;
    free(changes);
    return quantum;
}

/* An angle that jumps by the same amount each time is one that wraps. */
static void unwrap(fit_log *log, fit_warnings *warnings) {
    double *q = log->column[LOG_POSITION];
    const double *t = log->column[LOG_TIME];
    if (!q) return;
    double low = q[0], high = q[0];
    for (size_t i = 1; i < log->count; i++) low = fmin(low, q[i]), high = fmax(high, q[i]);
    const double range = high - low;
    if (range < 5) return; /* rad: no joint wraps earlier */
    size_t jumps = 0;
    double offset = 0, last = q[0], turn = 0;
    /* a wrap is a jump over most of the range that the motion before it does not explain */
    for (size_t i = 1; i < log->count; i++) {
        const double jump = q[i] - last, before = i > 1 ? (last + offset) - q[i - 2] : 0;
        const double expected = i > 1 ? before * (t[i] - t[i - 1]) / (t[i - 1] - t[i - 2]) : 0;
        last = q[i];
        if (fabs(jump) > 0.6 * range && fabs(jump - expected) > 0.5 * range) {
            /* full turns, or the range of the encoder's number */
            const double size = fabs(jump - expected);
            const double turns = 2 * 3.14159265358979323846;
            const double whole = turns * round(size / turns);
            turn = fabs(size - whole) < 0.03 * size ? whole : round(size * 2) / 2;
            offset -= copysign(turn, jump);
            jumps++;
        }
        q[i] += offset;
    }
    if (jumps)
        fit_warn(warnings, "%s: the position wraps by %.4g rad %zu times; it was made continuous",
                 log->path, turn, jumps);
}

static bool check_units(fit_log *log, fit_warnings *warnings, stiction_error *error) {
    const double *t = log->column[LOG_TIME], *q = log->column[LOG_POSITION],
                 *v = log->column[LOG_VELOCITY], *tau = log->column[LOG_TORQUE];
    const size_t n = log->count;
    double sum = 0, square = 0;
    for (size_t i = 0; i < n && tau; i++) sum += tau[i], square += tau[i] * tau[i];
    if (tau && square / (double)n - sum * sum / (double)n / (double)n <= 1e-24 * square / (double)n)
        return fail_at(error, log->path, 0, "the torque is constant: nothing can be identified");
    double least = INFINITY, most = -INFINITY, changes = 0, fastest = 0;
    for (size_t i = 0; i < n; i++) {
        if (q) least = fmin(least, q[i]), most = fmax(most, q[i]);
        if (i && q) changes += (q[i] - q[i - 1]) * (q[i] - q[i - 1]) / (double)n;
        if (v) fastest = fmax(fastest, fabs(v[i]));
    }
    /* noise changes by much of its range from sample to sample, and motion does not */
    const double noise_range = 8, smallest_motion = 5e-3; /* rad */
    const bool is_noise = most - least < fmin(noise_range * sqrt(changes), smallest_motion);
    if (q ? most - least == 0 || is_noise : fastest == 0)
        return fail_at(error, log->path, 0,
                       "the joint does not move in this log: friction of sliding cannot be "
                       "identified");
    const double step = (t[n - 1] - t[0]) / (double)(n - 1);
    double *steps = allocate(n, sizeof *steps);
    for (size_t i = 1; i < n; i++) steps[i - 1] = t[i] - t[i - 1];
    const double middle = median(steps, n - 1);
    log->step = middle;
    free(steps);
    if (middle > 0.5 && middle < 1e3 && step > 0.5 && (!v || fastest > 0))
        fit_warn(warnings, "%s: the time step is %.4g s; if the time is in ms, divide it by 1000",
                 log->path, middle);
    if (middle >= 1e3)
        return fail_at(error, log->path, 0,
                       "the time step is %.4g s: the time is probably in ms, us or ns; it must be "
                       "in s",
                       middle);
    if (q && v) {
        /* the slope of position changes over velocity: 1 in consistent units */
        double qv = 0, vv = 0;
        const size_t reach = 5;
        for (size_t i = reach; i + reach < n; i++) {
            const double rate = (q[i + reach] - q[i - reach]) / (t[i + reach] - t[i - reach]);
            if (fabs(rate) > 1e4 * (1 + fastest)) continue;
            double mean = 0;
            for (size_t k = i - reach; k <= i + reach; k++) mean += v[k] / (double)(2 * reach + 1);
            qv += rate * mean, vv += mean * mean;
        }
        const double ratio = vv > 0 ? qv / vv : 1;
        if (ratio > 40 && ratio < 75)
            return fail_at(error, log->path, 0,
                           "the position changes %.3g times as fast as the velocity column: the "
                           "position is in degrees; both must be in rad",
                           ratio);
        for (double unit = 1e-3; unit > 1e-10; unit *= 1e-3)
            if (ratio > 0.7 * unit && ratio < 1.4 * unit)
                return fail_at(error, log->path, 0,
                               "the position changes %.3g times as fast as the velocity column "
                               "says: the time is in %s; it must be in s",
                               ratio,
                               unit > 1e-4   ? "ms"
                               : unit > 1e-7 ? "us"
                                             : "ns");
        if (1 / ratio > 40 && 1 / ratio < 75)
            return fail_at(error, log->path, 0,
                           "the velocity is %.3g times the change of the position: it is in "
                           "degrees; both must be in rad",
                           1 / ratio);
        if (ratio < -0.3)
            return fail_at(error, log->path, 0,
                           "the velocity has the opposite sign of the change of the position: "
                           "is it the right column?");
        if (!(ratio > 0.8 && ratio < 1.25))
            fit_warn(
                warnings,
                "%s: the position changes %.3g times as fast as the velocity column; one of the "
                "columns or units is wrong",
                log->path, ratio);
    }
    if (q && most - least > 12.6)
        fit_warn(warnings,
                 "%s: the position covers %.4g rad, more than two turns; if it is in degrees, "
                 "convert it and the velocity",
                 log->path, most - least);
    return true;
}

/* ---- reading ---- */

bool fit_log_read(fit_log *log, const char *path, const fit_reading *what, fit_warnings *warnings,
                  stiction_error *error) {
    *log = (fit_log){.path = copy_text(path), .other_count = what->other_count};
    log->others = allocate(2 * what->other_count + 1, sizeof *log->others);
    reading r = {.log = log, .what = what};
    csv_verdict verdict = CSV_WRONG;
    if (joint_log_open(&r.file, path, FILE_MOST_RESULTS, error) && find_columns(&r, error)) {
        const size_t torque = r.index[LOG_TORQUE];
        log->torque_column = copy_text(torque == LOG_NO_COLUMN ? "" : r.file.names[torque]);
        while ((verdict = joint_log_next(&r.file, error)) == CSV_ROW)
            if (!read_row(&r, error)) break;
    }
    joint_log_close(&r.file);
    for (size_t k = 0; k < LOG_KIND_COUNT; k++) free(r.pattern[k]);
    free(r.others);
    if (verdict != CSV_END || !check_rows(&r, warnings, error)) return false;
    unwrap(log, warnings);
    return check_units(log, warnings, error);
}
