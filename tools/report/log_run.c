/* SPDX-License-Identifier: MIT
 * A log as a run. The whole log is read first, since a missing velocity is computed from the
 * neighbouring rows; then every row becomes a sample of the results.
 */
#include "log_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/file.h"
#include "document/shown.h"
#include "logs/joint_log.h"
#include "results/results.h"

/* ---- columns ---- */

/* Affected by --degrees. */
static bool is_angular(log_kind kind) {
    return kind == LOG_POSITION || kind == LOG_VELOCITY || kind == LOG_TARGET;
}

typedef struct log_joint {
    char *name;
    size_t column[LOG_KIND_COUNT]; /* LOG_NO_COLUMN: none */
    stiction_joint_def friction;
    double *series[LOG_KIND_COUNT]; /* NULL: absent and not computed */
} log_joint;

typedef struct log_run {
    const char *path;
    const log_options *options;
    joint_log file;
    size_t time_column;
    const char *given[LOG_KIND_COUNT]; /* patterns of the options; NULL: the usual ones */
    log_joint *joints;
    size_t joint_count;
    double *time;
    size_t row_count, row_capacity;
    double timestep;
    stiction_config *config;
    stiction_model *model;
    stiction_state *state;
    results *results;
    stiction_error *error;
} log_run;

/* "position=q_{joint}" */
static bool read_mapping(log_run *l, const char *text) {
    const char *equals = strchr(text, '=');
    const log_kind kind = equals ? log_kind_of(text, (size_t)(equals - text)) : LOG_KIND_COUNT;
    if (kind == LOG_KIND_COUNT || kind == LOG_TIME)
        return fail(l->error,
                    "report: --column %s: must be KIND=PATTERN, where KIND is position, velocity, "
                    "command, friction_torque, target, temperature or external",
                    text);
    if (!log_pattern_has_joint(equals + 1) && l->options->joints.count != 1)
        return fail(l->error,
                    "report: --column %s: the pattern must contain {joint}, unless one --joint "
                    "is given",
                    text);
    l->given[kind] = equals + 1;
    return true;
}

static log_joint *find_joint_of_log(const log_run *l, const char *name) {
    for (size_t k = 0; k < l->joint_count; k++)
        if (strcmp(l->joints[k].name, name) == 0) return &l->joints[k];
    return NULL;
}

static bool is_wanted(const log_run *l, const char *name) {
    const text_list *wanted = &l->options->joints;
    for (size_t k = 0; k < wanted->count; k++)
        if (strcmp(wanted->items[k], name) == 0) return true;
    return wanted->count == 0;
}

/* Takes the name. */
static log_joint *add_joint(log_run *l, char *name) {
    l->joints = reallocate(l->joints, l->joint_count + 1, sizeof *l->joints);
    log_joint *j = &l->joints[l->joint_count++];
    *j = (log_joint){.name = name, .friction = stiction_joint_def_default()};
    j->friction.law = "none";
    for (int k = 0; k < LOG_KIND_COUNT; k++) j->column[k] = LOG_NO_COLUMN;
    return j;
}

static bool set_column(log_run *l, char *name, log_kind kind, size_t column) {
    if (!is_wanted(l, name)) {
        free(name);
        return true;
    }
    log_joint *j = find_joint_of_log(l, name);
    if (j)
        free(name);
    else
        j = add_joint(l, name);
    if (j->column[kind] != LOG_NO_COLUMN)
        return joint_log_fail(&l->file, l->error,
                              "columns '%s' and '%s' both match the %s of joint '%s'; choose one "
                              "with --column %s=PATTERN",
                              l->file.names[j->column[kind]], l->file.names[column],
                              log_kind_name(kind), j->name, log_kind_name(kind));
    j->column[kind] = column;
    return true;
}

static bool read_column(log_run *l, size_t column) {
    const char *head = l->file.names[column];
    for (log_kind kind = 0; kind < LOG_KIND_COUNT; kind++) {
        const char *given = l->given[kind];
        if (!given) continue;
        char *joint = log_pattern_has_joint(given) ? log_joint_of(head, given, NULL)
                      : strcmp(given, head) == 0   ? copy_text(l->options->joints.items[0])
                                                   : NULL;
        if (joint) return set_column(l, joint, kind, column);
    }
    log_kind kind = LOG_KIND_COUNT;
    char *joint = log_joint_of(head, NULL, &kind);
    if (joint && !l->given[kind]) return set_column(l, joint, kind, column);
    free(joint);
    return true;
}

static bool find_time(log_run *l) {
    const char *given = l->options->time;
    l->time_column =
        given ? joint_log_column(&l->file, given) : joint_log_usual(&l->file, LOG_TIME, "", true);
    return l->time_column != LOG_NO_COLUMN ||
           joint_log_fail(&l->file, l->error, "no column '%s'%s", given ? given : "time",
                          given ? "" : "; name it with --time COLUMN");
}

static bool check_joints(log_run *l) {
    for (size_t k = 0; k < l->joint_count; k++) {
        const log_joint *j = &l->joints[k];
        if (j->column[LOG_POSITION] == LOG_NO_COLUMN && j->column[LOG_VELOCITY] == LOG_NO_COLUMN)
            return joint_log_fail(
                &l->file, l->error,
                "joint '%s' has neither a position nor a velocity; name the column with "
                "--column position=PATTERN",
                j->name);
    }
    for (size_t k = 0; k < l->options->joints.count; k++)
        if (!find_joint_of_log(l, l->options->joints.items[k]))
            return joint_log_fail(&l->file, l->error, "no column of joint '%s'",
                                  l->options->joints.items[k]);
    return l->joint_count ||
           joint_log_fail(&l->file, l->error,
                          "no column is the position or velocity of a joint, such as "
                          "'JOINT.position'; name them with --column position=PATTERN");
}

/* Names of joints go into JSON, which is UTF-8. */
static bool is_text(const log_run *l) {
    for (size_t k = 0; k < l->file.columns; k++)
        for (const char *c = l->file.names[k]; *c;)
            if (stiction_utf8_next(&c) == UTF8_INVALID)
                return joint_log_fail(&l->file, l->error, "the name of column %zu is not UTF-8",
                                      k + 1);
    return true;
}

static bool read_head(log_run *l) {
    for (size_t k = 0; k < l->options->columns.count; k++)
        if (!read_mapping(l, l->options->columns.items[k])) return false;
    if (!joint_log_open(&l->file, l->path, FILE_MOST_RESULTS, l->error)) return false;
    if (!is_text(l) || !find_time(l)) return false;
    for (size_t k = 0; k < l->file.columns; k++)
        if (k != l->time_column && !read_column(l, k)) return false;
    return check_joints(l);
}

/* ---- rows ---- */

static void grow(log_run *l) {
    if (l->row_count < l->row_capacity) return;
    l->row_capacity = l->row_capacity ? 2 * l->row_capacity : 1024;
    l->time = reallocate(l->time, l->row_capacity, sizeof *l->time);
    for (size_t k = 0; k < l->joint_count; k++)
        for (int kind = 0; kind < LOG_KIND_COUNT; kind++)
            if (l->joints[k].column[kind] != LOG_NO_COLUMN)
                l->joints[k].series[kind] = reallocate(l->joints[k].series[kind], l->row_capacity,
                                                       sizeof *l->joints[k].series[kind]);
}

static bool may_miss(log_kind kind) {
    return kind == LOG_TARGET || kind == LOG_TEMPERATURE;
}

static bool read_cell(const log_run *l, const log_joint *j, log_kind kind, double *value) {
    const char *name = log_kind_name(kind);
    if (!joint_log_number(&l->file, j->column[kind], name, j->name, value, l->error)) return false;
    return !isnan(*value) || may_miss(kind) ||
           joint_log_fail(&l->file, l->error, "the %s of joint '%s' is missing", name, j->name);
}

static bool read_row(log_run *l) {
    const double pi = acos(-1);
    grow(l);
    const size_t row = l->row_count;
    if (!joint_log_time(&l->file, l->time_column, false, &l->time[row], l->error)) return false;
    for (size_t k = 0; k < l->joint_count; k++)
        for (log_kind kind = 0; kind < LOG_KIND_COUNT; kind++) {
            const log_joint *j = &l->joints[k];
            if (j->column[kind] == LOG_NO_COLUMN) continue;
            double *value = &j->series[kind][row];
            if (!read_cell(l, j, kind, value)) return false;
            if (l->options->degrees && is_angular(kind)) *value *= pi / 180;
        }
    l->row_count++;
    return true;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median time between two rows. */
static bool find_timestep(log_run *l) {
    if (l->row_count < 2)
        return fail(l->error, "%s: %zu row%s; a report needs at least two", l->path, l->row_count,
                    l->row_count == 1 ? "" : "s");
    const size_t count = l->row_count - 1;
    double *steps = allocate(count, sizeof *steps);
    for (size_t k = 0; k < count; k++) steps[k] = l->time[k + 1] - l->time[k];
    qsort(steps, count, sizeof *steps, by_size);
    l->timestep = steps[count / 2];
    free(steps);
    return true;
}

static bool read_rows(log_run *l) {
    csv_verdict verdict;
    while ((verdict = joint_log_next(&l->file, l->error)) == CSV_ROW)
        if (!read_row(l)) return false;
    return verdict == CSV_END && find_timestep(l);
}

/* ---- missing quantities ---- */

static double step_at(const log_run *l, size_t row) {
    return row ? l->time[row] - l->time[row - 1] : l->time[1] - l->time[0];
}

/* Velocities from differences of positions, or positions as integrals of velocities. */
static void complete_motion(const log_run *l, log_joint *j) {
    const size_t n = l->row_count;
    const double *q = j->series[LOG_POSITION], *v = j->series[LOG_VELOCITY];
    if (!v) {
        double *made = allocate(n, sizeof *made);
        for (size_t k = 0; k < n; k++) {
            const size_t before = k ? k - 1 : 0, after = k + 1 < n ? k + 1 : n - 1;
            made[k] = (q[after] - q[before]) / (l->time[after] - l->time[before]);
        }
        j->series[LOG_VELOCITY] = made;
    } else if (!q) {
        double *made = allocate(n, sizeof *made);
        for (size_t k = 1; k < n; k++)
            made[k] = made[k - 1] + (l->time[k] - l->time[k - 1]) * (v[k] + v[k - 1]) / 2;
        j->series[LOG_POSITION] = made;
    }
}

/* Friction of the joints of the log; the configuration may have others. */
static bool take_friction(log_run *l, const stiction_config *given) {
    if (!given) return true;
    l->config = must_have(stiction_config_create());
    bool fine = true, some = false;
    for (size_t k = 0; k < l->joint_count && fine; k++) {
        log_joint *j = &l->joints[k];
        stiction_joint_def def = stiction_joint_def_default();
        if (stiction_config_find_joint(given, j->name, &def))
            some = true;
        else
            def.law = "none";
        fine = stiction_config_add_joint(l->config, j->name, &def, l->error) == STICTION_OK;
        j->friction = def;
    }
    if (!fine) return false;
    return some || fail(l->error, "%s: no joint of %s is in it", l->options->config, l->path);
}

static bool make_state(log_run *l) {
    if (!l->config) return true;
    const char **names = allocate(l->joint_count, sizeof *names);
    for (size_t k = 0; k < l->joint_count; k++) names[k] = l->joints[k].name;
    stiction_model_def def = stiction_model_def_default();
    def.timestep = l->timestep;
    stiction_status status =
        stiction_model_create(l->config, names, l->joint_count, &def, &l->model, l->error);
    if (status == STICTION_OK) status = stiction_state_create(l->model, &l->state, l->error);
    free((void *)names);
    return status == STICTION_OK;
}

/* ---- results ---- */

static bool make_results(log_run *l) {
    const char **names = allocate(l->joint_count, sizeof *names);
    stiction_joint_def *defs = allocate(l->joint_count, sizeof *defs);
    for (size_t k = 0; k < l->joint_count; k++) {
        names[k] = l->joints[k].name;
        defs[k] = l->joints[k].friction;
    }
    l->results = results_create(&(results_def){.project = l->path,
                                               .simulator = "",
                                               .engine = "log",
                                               .friction_source = l->config ? "stiction" : "none",
                                               .coupling = l->config ? "explicit" : "none",
                                               .timestep = l->timestep,
                                               .count = l->joint_count,
                                               .names = names,
                                               .friction = defs});
    free((void *)names);
    free(defs);
    return l->results || fail(l->error, "out of memory");
}

/* A row, one entry per joint. */
typedef struct log_row {
    double *value[LOG_KIND_COUNT];
    joint_arrays friction;
    void *memory;
} log_row;

static log_row make_row(size_t count) {
    log_row row;
    const size_t size = joint_arrays_place(&row.friction, NULL, count);
    row.memory = allocate(size + LOG_KIND_COUNT * count * sizeof(double), 1);
    memset(row.memory, 0, size);
    (void)joint_arrays_place(&row.friction, row.memory, count);
    double *after = (double *)(void *)((char *)row.memory + size);
    for (size_t k = 0; k < LOG_KIND_COUNT; k++) row.value[k] = after + k * count;
    return row;
}

/* Computes friction along the velocity if the log has none. */
static bool add_friction(const log_run *l, log_row *row, size_t at) {
    if (!l->state) {
        for (size_t k = 0; k < l->joint_count; k++)
            row->friction.slipping[k] = fabs(row->value[LOG_VELOCITY][k]) > RESULTS_MOTION;
        return true;
    }
    stiction_error error;
    stiction_input input = stiction_input_default();
    const stiction_output output = joint_arrays_output(&row->friction, 0, false);
    input.timestep = step_at(l, at);
    input.velocity = row->value[LOG_VELOCITY];
    input.effort = row->value[LOG_TORQUE];
    input.position = row->value[LOG_POSITION];
    input.external_torque = row->value[LOG_EXTERNAL];
    input.temperature = row->value[LOG_TEMPERATURE];
    if (stiction_step_full(l->state, &input, &output, &error) != STICTION_OK)
        return fail(l->error, "%s: at %g s: %s", l->path, l->time[at], error.message);
    for (size_t k = 0; k < l->joint_count; k++)
        if (!l->joints[k].series[LOG_FRICTION])
            row->value[LOG_FRICTION][k] = row->friction.torque[k];
    return true;
}

static bool add_row(log_run *l, log_row *row, size_t at) {
    for (size_t k = 0; k < l->joint_count; k++)
        for (int kind = 0; kind < LOG_KIND_COUNT; kind++) {
            const double *series = l->joints[k].series[kind];
            row->value[kind][k] = series ? series[at] : may_miss(kind) ? (double)NAN : 0;
        }
    if (!add_friction(l, row, at)) return false;
    const results_sample sample = {
        .time = l->time[at],
        .position = row->value[LOG_POSITION],
        .velocity = row->value[LOG_VELOCITY],
        .command = row->value[LOG_TORQUE],
        .target = row->value[LOG_TARGET],
        .friction = {.torque = row->value[LOG_FRICTION],
                     .deflection = row->friction.deflection,
                     .dissipated_energy = row->friction.dissipated_energy,
                     .slipping = row->friction.slipping}};
    return results_add(l->results, &sample) ||
           fail(l->error, "%s: %s", l->path,
                results_is_full(l->results) ? "too many numbers" : "out of memory");
}

/* Warns of what was not in the log. */
static void add_warnings(log_run *l) {
    size_t uneven = 0, no_velocity = 0, no_position = 0;
    for (size_t k = 1; k < l->row_count; k++)
        uneven += fabs(step_at(l, k) - l->timestep) > 0.01 * l->timestep;
    for (size_t k = 0; k < l->joint_count; k++) {
        no_velocity += l->joints[k].column[LOG_VELOCITY] == LOG_NO_COLUMN;
        no_position += l->joints[k].column[LOG_POSITION] == LOG_NO_COLUMN;
    }
    const struct {
        size_t count;
        const char *what;
    } facts[] = {
        {uneven, "rows of the log deviate from its median time step; energies are approximate"},
        {no_velocity, "joints have no velocity in the log; it was computed from their positions"},
        {no_position, "joints have no position in the log; it was integrated from 0"},
    };
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        if (!facts[k].count) continue;
        char *text = format_text("%zu %s", facts[k].count, facts[k].what);
        (void)results_warn(l->results, text);
        free(text);
    }
}

static bool write_run(log_run *l, const stiction_config *friction, const char *folder) {
    for (size_t k = 0; k < l->joint_count; k++) complete_motion(l, &l->joints[k]);
    if (!take_friction(l, friction) || !make_state(l) || !make_results(l)) return false;
    log_row row = make_row(l->joint_count);
    bool fine = true;
    for (size_t k = 0; k < l->row_count && fine; k++) fine = add_row(l, &row, k);
    free(row.memory);
    if (!fine) return false;
    add_warnings(l);
    if (!results_finish(l->results, true, NULL, 0)) return fail(l->error, "out of memory");
    return results_write(l->results, folder, l->error) == STICTION_OK;
}

static void release(log_run *l) {
    joint_log_close(&l->file);
    results_destroy(l->results);
    stiction_state_destroy(l->state);
    stiction_model_destroy(l->model);
    stiction_config_destroy(l->config);
    for (size_t k = 0; k < l->joint_count; k++) {
        for (int kind = 0; kind < LOG_KIND_COUNT; kind++) free(l->joints[k].series[kind]);
        free(l->joints[k].name);
    }
    free(l->joints);
    free(l->time);
}

bool log_run_write(const char *path, const log_options *options, const stiction_config *friction,
                   const char *folder, stiction_error *error) {
    log_run l = {.path = path, .options = options, .error = error};
    const bool fine = read_head(&l) && read_rows(&l) && write_run(&l, friction, folder);
    release(&l);
    return fine;
}
