/* SPDX-License-Identifier: MIT
 * One run, read from its folder or taken from memory.
 */
#include "run_data.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "json/json_in.h"

/* ---- summary.json ---- */

static bool read_lists(run_joint *joint, const json_t *friction, const char *path,
                       stiction_error *error) {
    stiction_list_info list;
    for (size_t k = 0; stiction_list_at(k, &list); k++) {
        const json_t *values = json_object_get(friction, list.key);
        const size_t count = json_array_size(values);
        bool fine = !values || (json_is_array(values) && count <= list.most);
        for (size_t n = 0; fine && n < count; n++) {
            const json_t *value = json_array_get(values, n);
            const double number = json_number_value(value);
            fine = json_is_number(value);
            memcpy((char *)&joint->friction + list.offset + n * sizeof number, &number,
                   sizeof number);
        }
        if (!fine)
            return fail(error, "%s: joint '%s': %s must be a list of at most %zu numbers", path,
                        joint->name, list.key, list.most);
    }
    return true;
}

static bool read_friction(run_joint *joint, const char *path, stiction_error *error) {
    const json_t *friction = json_object_get(joint->summary, "friction");
    const char *law = json_string_value(json_object_get(friction, "law"));
    joint->friction = stiction_joint_def_default();
    joint->friction.law = law ? law : "none";
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        const json_t *value = json_object_get(friction, info.key);
        if (!value || json_is_null(value)) continue;
        if (!json_is_number(value))
            return fail(error, "%s: joint '%s': %s must be a number", path, joint->name, info.key);
        const double number = json_number_value(value);
        memcpy((char *)&joint->friction + info.offset, &number, sizeof number);
    }
    return read_lists(joint, friction, path, error);
}

/* Limit for summaries of unknown origin; a row of joints.csv has no room for more joints. */
enum { most_of_a_run = 50000 };

static bool are_too_many(const json_t *object, const char *what, const char *path,
                         stiction_error *error) {
    return json_object_size(object) > most_of_a_run &&
           !fail(error, "%s: more than %d %s", path, most_of_a_run, what);
}

static bool read_joints(run_data *run, const char *path, stiction_error *error) {
    json_t *joints = json_object_get(run->summary, "joints");
    if (!json_is_object(joints)) return fail(error, "%s: missing object 'joints'", path);
    if (are_too_many(joints, "joints", path, error)) return false;
    run->joints = allocate(json_object_size(joints) + 1, sizeof *run->joints);
    const char *name;
    json_t *value;
    json_object_foreach(joints, name, value) {
        run_joint *joint = &run->joints[run->joint_count++];
        *joint = (run_joint){.name = name, .summary = value};
        if (!json_is_object(value))
            return fail(error, "%s: joint '%s' must be an object", path, name);
        const char *type = json_string_value(json_object_get(value, "type"));
        joint->prismatic = type && strcmp(type, "prismatic") == 0;
        if (!read_friction(joint, path, error)) return false;
    }
    return true;
}

/* Runs of earlier versions have no bodies. */
static bool read_bodies(run_data *run, const char *path, stiction_error *error) {
    json_t *bodies = json_object_get(run->summary, "bodies"), *value;
    const char *name;
    if (!bodies) return true;
    if (are_too_many(bodies, "bodies", path, error)) return false;
    run->bodies = allocate(json_object_size(bodies) + 1, sizeof *run->bodies);
    json_object_foreach(bodies, name, value) {
        if (!json_is_object(value))
            return fail(error, "%s: body '%s' must be an object", path, name);
        run->bodies[run->body_count++] = (run_joint){.name = name, .summary = value};
    }
    return true;
}

/* Takes the summary, which may be NULL. */
static bool take_summary(run_data *run, json_t *summary, const char *path, stiction_error *error) {
    run->summary = summary;
    return summary && read_joints(run, path, error) && read_bodies(run, path, error);
}

bool run_data_load_summary(run_data *run, const char *folder, stiction_error *error) {
    *run = (run_data){.folder = copy_text(folder)};
    AUTO_FREE char *path = format_text("%s/summary.json", folder);
    errno = 0;
    json_t *summary = json_in_read(path, error);
    if (!summary && errno == ENOTDIR)
        (void)fail(error,
                   "%s: is a file; expected a folder of results, such as results/wrist, which "
                   "stiction run writes",
                   folder);
    return take_summary(run, summary, path, error);
}

bool run_data_read_summary(run_data *run, const char *text, const char *path,
                           stiction_error *error) {
    *run = (run_data){.folder = copy_text("")};
    return take_summary(run, json_in_parse(text, strlen(text), path, error), path, error);
}

bool run_data_take_summary(run_data *run, const json_t *summary, stiction_error *error) {
    *run = (run_data){.folder = copy_text("")};
    return take_summary(run, json_incref((json_t *)(uintptr_t)summary), "summary.json", error);
}

/* ---- the series ---- */

/* Offsets of the series in run_joint. */
#define PLACE(name, ...)             offsetof(run_joint, name),
#define LEVEL_PLACE(type, name, ...) offsetof(run_joint, name),
static const size_t series_offsets[JOINT_COLUMN_COUNT] = {JOINT_COLUMNS(PLACE, LEVEL_PLACE)};
#undef PLACE
#undef LEVEL_PLACE

static void set_series(run_joint *joint, size_t column, const double *series) {
    memcpy((char *)joint + series_offsets[column], &series, sizeof series);
}

/* The column of each wanted value: time, then the columns of every joint and of every body. */
typedef struct layout {
    size_t *places; /* absent: missing */
    size_t count;
} layout;
static const size_t absent = SIZE_MAX;

#define COLUMN_NAME(name, column) column,
static const char *const body_columns[] = {RUN_BODY_COLUMNS(COLUMN_NAME)};
#undef COLUMN_NAME

/* Returns the name of a missing column, which the caller frees, or NULL. Each search starts after
 * the last column found, and a column belongs to one joint only, so that columns with equal names
 * go to one joint after the other. */
static char *find_columns(layout *l, const series_reader *file, const run_data *run) {
    const size_t of_joints = 1 + JOINT_COLUMN_COUNT * run->joint_count;
    l->count = of_joints + RUN_BODY_COLUMN_COUNT * run->body_count;
    l->places = allocate(l->count, sizeof *l->places);
    l->places[0] = series_find(file, "time", 0);
    if (l->places[0] == absent) return copy_text("time");
    size_t hint = l->places[0];
    char *missing = NULL;
    AUTO_FREE bool *taken = allocate(series_column_count(file), sizeof *taken);
    for (size_t k = 0; k + 1 < of_joints && !missing; k++) {
        const joint_column *column = &joint_columns[k % JOINT_COLUMN_COUNT];
        char *name = format_text("%s.%s", run->joints[k / JOINT_COLUMN_COUNT].name, column->name);
        size_t place = series_find(file, name, hint + 1);
        if (place != absent && taken[place]) place = absent;
        l->places[k + 1] = place;
        if (place != absent) taken[hint = place] = true;
        if (place == absent && column->presence == COLUMN_ALWAYS)
            missing = name;
        else
            free(name);
    }
    for (size_t k = of_joints; k < l->count; k++) {
        const run_joint *body = &run->bodies[(k - of_joints) / RUN_BODY_COLUMN_COUNT];
        const char *column = body_columns[(k - of_joints) % RUN_BODY_COLUMN_COUNT];
        char *name =
            run->body_count > 1 ? format_text("%s.%s", body->name, column) : copy_text(column);
        l->places[k] = series_find(file, name, 0);
        free(name);
    }
    return missing;
}

/* All rows, one after the other; NULL on error. */
static double *read_rows(series_reader *file, const layout *l, size_t *row_count,
                         stiction_error *error) {
    double *rows = NULL, last_time = -(double)INFINITY;
    size_t capacity = 0, present = 0; /* columns */
    for (size_t k = 0; k < l->count; k++) present += l->places[k] != absent;
    series_verdict verdict = SERIES_ROW;
    *row_count = 0;
    while (verdict == SERIES_ROW) {
        if ((*row_count + 1) * present > RESULTS_MOST_NUMBERS) {
            verdict = series_blame(file, error, "more than %d numbers", RESULTS_MOST_NUMBERS);
            break;
        }
        if (*row_count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            rows = reallocate(rows, capacity * l->count, sizeof *rows);
        }
        double *row = rows + *row_count * l->count;
        verdict = series_next(file, l->places, l->count, row, error);
        if (verdict == SERIES_ROW && !(row[0] > last_time))
            verdict =
                series_blame(file, error, "time %g must be greater than %g", row[0], last_time);
        last_time = row[0];
        *row_count += verdict == SERIES_ROW;
    }
    if (verdict == SERIES_END && *row_count == 0) {
        (void)fail(error, "%s: no samples", series_path(file));
        verdict = SERIES_WRONG;
    }
    if (verdict == SERIES_END) return rows;
    free(rows);
    return NULL;
}

/* Whether a series has any value: the target of a joint without one is NaN throughout. */
static bool has_values(const double *series, size_t count) {
    size_t k = 0;
    while (k < count && isnan(series[k])) k++;
    return k < count;
}

/* Stores rows as columns, so that a series is contiguous. */
static void keep(run_data *run, const layout *l, const double *rows, size_t count) {
    run->sample_count = count;
    run->values = allocate(l->count * count, sizeof *run->values);
    run->time = run->values;
    for (size_t row = 0; row < count; row++)
        for (size_t k = 0; k < l->count; k++)
            run->values[k * count + row] = rows[row * l->count + k];
    const size_t of_joints = JOINT_COLUMN_COUNT * run->joint_count;
    run->body_series = allocate(run->body_count + 1, sizeof *run->body_series);
    for (size_t k = of_joints; k + 1 < l->count; k++)
        if (l->places[k + 1] != absent)
            run->body_series[(k - of_joints) / RUN_BODY_COLUMN_COUNT]
                .columns[(k - of_joints) % RUN_BODY_COLUMN_COUNT] = run->values + (k + 1) * count;
    for (size_t k = 0; k < of_joints; k++) {
        const double *series = run->values + (k + 1) * count;
        if (l->places[k + 1] != absent &&
            (joint_columns[k % JOINT_COLUMN_COUNT].presence == COLUMN_ALWAYS ||
             has_values(series, count)))
            set_series(&run->joints[k / JOINT_COLUMN_COUNT], k % JOINT_COLUMN_COUNT, series);
    }
}

/* Closes the file, which may be NULL. */
static bool take_series(run_data *run, series_reader *file, stiction_error *error) {
    if (!file) return false;
    layout l = {.places = NULL};
    size_t count;
    double *rows = NULL;
    AUTO_FREE char *missing = find_columns(&l, file, run);
    if (missing)
        (void)series_blame(file, error, "missing column '%s'", missing);
    else
        rows = read_rows(file, &l, &count, error);
    if (rows) keep(run, &l, rows, count);
    const bool fine = rows != NULL;
    free(rows);
    free(l.places);
    series_close(file);
    return fine;
}

bool run_data_load(run_data *run, const char *folder, stiction_error *error) {
    return run_data_load_summary(run, folder, error) &&
           take_series(run, series_open(folder, error), error);
}

bool run_data_take(run_data *run, const results *r, stiction_error *error) {
    series_view view;
    *run = (run_data){.folder = NULL};
    if (!take_summary(run, results_summary(r, error), "summary.json", error)) return false;
    if (!results_series(r, &view)) (void)must_have(NULL);
    const bool fine = take_series(run, series_open_view(&view, error), error);
    results_series_free(&view);
    return fine;
}

void run_data_release(run_data *run) {
    json_decref(run->summary);
    free(run->folder);
    free(run->joints);
    free(run->bodies);
    free(run->body_series);
    free(run->values);
    *run = (run_data){.folder = NULL};
}

/* ---- queries ---- */

static double number_or_nan(const json_t *value) {
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double run_data_figure(const run_joint *joint, const char *name) {
    return number_or_nan(json_object_get(joint->summary, name));
}

const char *run_data_warning(const run_data *run, size_t index) {
    return json_string_value(json_array_get(json_object_get(run->summary, "warnings"), index));
}

bool run_data_is_stable(const run_data *run) {
    return !json_is_false(json_object_get(run->summary, "stable"));
}

char *run_data_warnings(const run_data *run) {
    char *all = NULL;
    const char *one;
    for (size_t k = 0; (one = run_data_warning(run, k)); k++)
        append_text(&all, "%s%s", all ? "; " : "", one);
    return all;
}

const double *run_data_series(const run_joint *joint, const joint_column *column) {
    const double *series;
    memcpy(&series, (const char *)joint + series_offsets[column - joint_columns], sizeof series);
    return series;
}

const char *run_data_text(const run_data *run, const char *key) {
    const char *text = json_string_value(json_object_get(run->summary, key));
    return text ? text : "";
}

double run_data_number(const run_data *run, const char *key) {
    return number_or_nan(json_object_get(run->summary, key));
}

double run_data_motion(const run_data *run, const run_joint *joint) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t k = 0; k < run->sample_count; k++) {
        low = fmin(low, joint->position[k]);
        high = fmax(high, joint->position[k]);
    }
    return high >= low ? high - low : 0;
}

size_t *run_data_by_motion(const run_data *run) {
    size_t *order = allocate(run->joint_count + 1, sizeof *order);
    AUTO_FREE double *motion = allocate(run->joint_count + 1, sizeof *motion);
    for (size_t j = 0; j < run->joint_count; j++) {
        motion[j] = run_data_motion(run, &run->joints[j]);
        size_t place = j;
        for (; place > 0 && motion[order[place - 1]] < motion[j]; place--)
            order[place] = order[place - 1];
        order[place] = j;
    }
    return order;
}

/* The joint with the largest figure; NULL: none is above the bound. */
static const run_joint *joint_with_most(const run_data *run, const char *figure, double bound) {
    const run_joint *worst = NULL;
    for (size_t j = 0; j < run->joint_count; j++) {
        const double value = fabs(run_data_figure(&run->joints[j], figure));
        if (!(value > bound)) continue;
        bound = value;
        worst = &run->joints[j];
    }
    return worst;
}

const run_joint *run_data_worst_joint(const run_data *run) {
    const run_joint *worst = joint_with_most(run, "tracking_error", 1e-3);
    if (!worst) worst = joint_with_most(run, "rms_tracking_error", 0);
    if (worst || !run->joint_count) return worst;
    AUTO_FREE size_t *order = run_data_by_motion(run);
    return &run->joints[order[0]];
}
