/* SPDX-License-Identifier: MIT
 * Reading a log: which column is what, rows that miss a value, time that does not rise, angles
 * that wrap, and units that cannot be.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/csv.h"
#include "document/file.h"
#include "document/memory_stream.h"
#include "document/text.h"
#include "joint_fit.h"

enum { least_rows = 50, most_rows = 20000000 };

#define COLUMN_NAME(name) #name,
static const char *const kinds[FIT_COLUMN_COUNT] = {FIT_COLUMNS(COLUMN_NAME)};

/* Names that are recognised without --columns; JOINT is the joint. The first rows are those of our
 * own joints.csv, then of ROS joint states as PlotJuggler and rosbag tools write them. */
static const struct {
    int kind;
    const char *name;
} known_names[] = {
    {FIT_COLUMN_time, "time"},
    {FIT_COLUMN_time, "t"},
    {FIT_COLUMN_time, "__time"},
    {FIT_COLUMN_time, "timestamp"},
    {FIT_COLUMN_time, "time (s)"},

    {FIT_COLUMN_position, "JOINT.position"},
    {FIT_COLUMN_position, "/joint_states/JOINT/position"},
    {FIT_COLUMN_position, "position"},
    {FIT_COLUMN_position, "q"},
    {FIT_COLUMN_velocity, "JOINT.velocity"},
    {FIT_COLUMN_velocity, "/joint_states/JOINT/velocity"},
    {FIT_COLUMN_velocity, "velocity"},
    {FIT_COLUMN_velocity, "dq"},
    {FIT_COLUMN_torque, "JOINT.command"},
    {FIT_COLUMN_torque, "JOINT.effort"},
    {FIT_COLUMN_torque, "JOINT.torque"},
    {FIT_COLUMN_torque, "/joint_states/JOINT/effort"},
    {FIT_COLUMN_torque, "torque"},
    {FIT_COLUMN_torque, "tau"},
    {FIT_COLUMN_torque, "effort"},
    {FIT_COLUMN_torque, "current"},
    {FIT_COLUMN_torque, "force"},
    {FIT_COLUMN_temperature, "JOINT.temperature"},
    {FIT_COLUMN_temperature, "temperature"},
    {FIT_COLUMN_external, "JOINT.external_torque"},
    {FIT_COLUMN_external, "external"},
};

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
    for (size_t k = 0; k < FIT_COLUMN_COUNT; k++) free(log->column[k]);
    free(log->path), free(log->torque_column);
    *log = (fit_log){0};
}

/* ---- columns ---- */

/* A name in which JOINT stands for the joint; the caller frees it. */
static char *name_for(const char *pattern, size_t length, const char *joint) {
    char *name = NULL;
    for (size_t k = 0; k < length;) {
        if (length - k >= 5 && strncmp(pattern + k, "JOINT", 5) == 0) {
            append_text(&name, "%s", joint);
            k += 5;
        } else {
            append_text(&name, "%c", pattern[k++]);
        }
    }
    return name ? name : copy_text("");
}

static size_t find_cell(const csv *c, const char *name) {
    for (size_t k = 0; k < c->count; k++)
        if (strcmp(c->cells[k].text, name) == 0) return k;
    return SIZE_MAX;
}

static char *head_names(const csv *c) {
    char *names = NULL;
    for (size_t k = 0; k < c->count && k < 40; k++)
        append_text(&names, "%s'%.60s'", k ? ", " : "", c->cells[k].text);
    return names ? names : copy_text("none");
}

static bool find_given(const csv *c, const char *joint, const char *columns, size_t *index,
                       stiction_error *error) {
    for (const char *at = columns; *at;) {
        const size_t length = strcspn(at, ",");
        const char *equals = memchr(at, '=', length);
        if (!equals)
            return fail(error, "fit: --columns: '%.*s' must be WHAT=COLUMN, such as position=q",
                        (int)length, at);
        size_t kind = 0;
        while (kind < FIT_COLUMN_COUNT && !(strlen(kinds[kind]) == (size_t)(equals - at) &&
                                            strncmp(kinds[kind], at, (size_t)(equals - at)) == 0))
            kind++;
        if (kind == FIT_COLUMN_COUNT)
            return fail(error,
                        "fit: --columns: unknown quantity '%.*s'; known are time, position, "
                        "velocity, torque, temperature, external",
                        (int)(equals - at), at);
        char *name = name_for(equals + 1, length - (size_t)(equals + 1 - at), joint);
        index[kind] = find_cell(c, name);
        char *names = head_names(c);
        const bool found = index[kind] != SIZE_MAX ||
                           fail_at(error, c->path, c->line,
                                   "there is no column '%s' for the %s; the columns are %s", name,
                                   kinds[kind], names);
        free(names), free(name);
        if (!found) return false;
        at += length + (at[length] == ',');
    }
    return true;
}

static void guess(const csv *c, const char *joint, size_t *index) {
    for (size_t k = 0; k < sizeof known_names / sizeof known_names[0]; k++) {
        const int kind = known_names[k].kind;
        if (index[kind] != SIZE_MAX) continue;
        char *name = name_for(known_names[k].name, strlen(known_names[k].name), joint);
        index[kind] = find_cell(c, name);
        free(name);
    }
}

static bool find_columns(const csv *c, const char *joint, const char *columns, size_t *index,
                         stiction_error *error) {
    for (size_t k = 0; k < FIT_COLUMN_COUNT; k++) index[k] = SIZE_MAX;
    if (columns) {
        if (!find_given(c, joint, columns, index, error)) return false;
    } else {
        guess(c, joint, index);
    }
    const size_t time = index[FIT_COLUMN_time], torque = index[FIT_COLUMN_torque];
    const bool moves =
        index[FIT_COLUMN_position] != SIZE_MAX || index[FIT_COLUMN_velocity] != SIZE_MAX;
    if (time != SIZE_MAX && torque != SIZE_MAX && moves) {
        for (size_t a = 0; a < FIT_COLUMN_COUNT; a++)
            for (size_t b = 0; b < a; b++)
                if (index[a] == index[b] && index[a] != SIZE_MAX)
                    return fail_at(error, c->path, c->line, "column '%s' is named as %s and as %s",
                                   c->cells[index[a]].text, kinds[b], kinds[a]);
        return true;
    }
    const char *missing = time == SIZE_MAX     ? "time"
                          : torque == SIZE_MAX ? "torque"
                                               : "position or velocity";
    char *names = head_names(c);
    (void)fail_at(error, c->path, c->line,
                  "no column for the %s of joint '%s'; name it with --columns "
                  "time=...,position=...,torque=...; the columns are %s",
                  missing, joint, names);
    free(names);
    return false;
}

/* ---- rows ---- */

typedef struct reading {
    fit_log *log;
    csv file;
    size_t index[FIT_COLUMN_COUNT], columns, capacity;
    size_t missing, first_missing, repeated, first_repeated;
    double torque_scale;
} reading;

static void grow(reading *r) {
    if (r->log->count < r->capacity) return;
    r->capacity = r->capacity ? 2 * r->capacity : 4096;
    for (size_t k = 0; k < FIT_COLUMN_COUNT; k++)
        if (r->index[k] != SIZE_MAX)
            r->log->column[k] = reallocate(r->log->column[k], r->capacity, sizeof(double));
}

static bool read_row(reading *r, stiction_error *error) {
    const csv *c = &r->file;
    if (c->count != r->columns)
        return fail_at(error, c->path, c->line, "the row has %zu cells, the header %zu", c->count,
                       r->columns);
    grow(r);
    double row[FIT_COLUMN_COUNT] = {0};
    for (size_t k = 0; k < FIT_COLUMN_COUNT; k++) {
        if (r->index[k] == SIZE_MAX) continue;
        const char *text = c->cells[r->index[k]].text;
        if (*text && !read_number(text, &row[k]))
            return fail_at(error, c->path, c->line, "%s '%.60s' is not a number", kinds[k], text);
        if (!*text || !isfinite(row[k])) {
            if (r->missing++ == 0) r->first_missing = c->line;
            return true;
        }
        if (fabs(row[k]) > 1e12)
            return fail_at(error, c->path, c->line, "%s %g is beyond 1e12", kinds[k], row[k]);
    }
    row[FIT_COLUMN_torque] *= r->torque_scale;
    fit_log *log = r->log;
    if (log->count > 0) {
        const double last = log->column[FIT_COLUMN_time][log->count - 1];
        if (row[FIT_COLUMN_time] < last)
            return fail_at(error, c->path, c->line,
                           "time %.9g is before %.9g of the previous row; time must rise",
                           row[FIT_COLUMN_time], last);
        if (row[FIT_COLUMN_time] == last) {
            if (r->repeated++ == 0) r->first_repeated = c->line;
            return true;
        }
    }
    if (log->count == most_rows)
        return fail_at(error, c->path, c->line, "more than %d rows are not read", most_rows);
    for (size_t k = 0; k < FIT_COLUMN_COUNT; k++)
        if (log->column[k]) log->column[k][log->count] = row[k];
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
    const double *q = log->column[FIT_COLUMN_position];
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
    double *q = log->column[FIT_COLUMN_position];
    const double *t = log->column[FIT_COLUMN_time];
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
    const double *t = log->column[FIT_COLUMN_time], *q = log->column[FIT_COLUMN_position],
                 *v = log->column[FIT_COLUMN_velocity], *tau = log->column[FIT_COLUMN_torque];
    const size_t n = log->count;
    double sum = 0, square = 0;
    for (size_t i = 0; i < n; i++) sum += tau[i], square += tau[i] * tau[i];
    if (square / (double)n - sum * sum / (double)n / (double)n <= 1e-24 * square / (double)n)
        return fail_at(error, log->path, 0, "the torque is constant: nothing can be identified");
    double least = INFINITY, most = -INFINITY, travel = 0, fastest = 0;
    for (size_t i = 0; i < n; i++) {
        if (q) least = fmin(least, q[i]), most = fmax(most, q[i]);
        if (i && q) travel += fabs(q[i] - q[i - 1]);
        if (v) fastest = fmax(fastest, fabs(v[i]));
    }
    if (q ? most - least == 0 : fastest == 0)
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
        if (1 / ratio > 40 && 1 / ratio < 75)
            return fail_at(error, log->path, 0,
                           "the velocity is %.3g times the change of the position: it is in "
                           "degrees; both must be in rad",
                           1 / ratio);
        if (ratio < -0.3)
            return fail_at(error, log->path, 0,
                           "the velocity has the opposite sign of the change of the position: "
                           "is it the right column?");
        if (!(ratio > 0.5 && ratio < 2))
            fit_warn(
                warnings,
                "%s: the position changes %.3g times as fast as the velocity column; one of the "
                "columns or units is wrong",
                log->path, ratio);
    }
    if (q && most - least > 30 && !v)
        fit_warn(warnings, "%s: the position covers %.4g rad; if it is in degrees, convert it",
                 log->path, most - least);
    (void)travel;
    return true;
}

/* ---- reading ---- */

bool fit_log_read(fit_log *log, const char *path, const char *joint, const char *columns,
                  double torque_scale, fit_warnings *warnings, stiction_error *error) {
    *log = (fit_log){.path = copy_text(path)};
    reading r = {.log = log, .torque_scale = torque_scale};
    bool fine = stiction_csv_open_or_stdin(&r.file, path, FILE_MOST_RESULTS, error);
    csv_verdict verdict = CSV_END;
    if (fine) {
        verdict = stiction_csv_next_row(&r.file, error);
        fine = verdict == CSV_ROW;
        if (verdict == CSV_END) (void)fail_at(error, path, 0, "there is no header of column names");
    }
    fine = fine && find_columns(&r.file, joint, columns, r.index, error);
    r.columns = r.file.count;
    if (fine) log->torque_column = copy_text(r.file.cells[r.index[FIT_COLUMN_torque]].text);
    while (fine && (verdict = stiction_csv_next_row(&r.file, error)) == CSV_ROW)
        fine = read_row(&r, error);
    fine = fine && verdict == CSV_END;
    stiction_csv_close(&r.file);
    fine = fine && check_rows(&r, warnings, error);
    if (fine) unwrap(log, warnings);
    return fine && check_units(log, warnings, error);
}
