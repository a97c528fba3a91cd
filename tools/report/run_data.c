/*
 * One run, read back from its folder.
 */
#include "run_data.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "document/csv.h"
#include "document/file.h"
#include "json/json_in.h"

/* ---- summary.json ---- */

static bool read_lists(run_joint *joint, const json_t *friction, const char *path) {
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
            return complain("%s: joint '%s': %s is no list of at most %zu numbers", path,
                            joint->name, list.key, list.most);
    }
    return true;
}

static bool read_friction(run_joint *joint, const char *path) {
    const json_t *friction = json_object_get(joint->summary, "friction");
    const char *law = json_string_value(json_object_get(friction, "law"));
    joint->friction = stiction_joint_def_default();
    joint->friction.law = law ? law : "none";
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        const json_t *value = json_object_get(friction, info.key);
        if (!value || json_is_null(value)) continue;
        if (!json_is_number(value))
            return complain("%s: joint '%s': %s is no number", path, joint->name, info.key);
        const double number = json_number_value(value);
        memcpy((char *)&joint->friction + info.offset, &number, sizeof number);
    }
    return read_lists(joint, friction, path);
}

static bool read_joints(run_data *run, const char *path) {
    json_t *joints = json_object_get(run->summary, "joints");
    if (!json_is_object(joints)) return complain("%s: there is no object 'joints'", path);
    run->joints = allocate(json_object_size(joints) + 1, sizeof *run->joints);
    const char *name;
    json_t *value;
    json_object_foreach(joints, name, value) {
        run_joint *joint = &run->joints[run->joint_count++];
        *joint = (run_joint){.name = name, .summary = value};
        if (!json_is_object(value)) return complain("%s: joint '%s' is no object", path, name);
        const char *type = json_string_value(json_object_get(value, "type"));
        joint->prismatic = type && strcmp(type, "prismatic") == 0;
        if (!read_friction(joint, path)) return false;
    }
    return true;
}

/* A run of an earlier version has none. */
static bool read_bodies(run_data *run, const char *path) {
    json_t *bodies = json_object_get(run->summary, "bodies"), *value;
    const char *name;
    if (!bodies) return true;
    run->bodies = allocate(json_object_size(bodies) + 1, sizeof *run->bodies);
    json_object_foreach(bodies, name, value) {
        if (!json_is_object(value)) return complain("%s: body '%s' is no object", path, name);
        run->bodies[run->body_count++] = (run_joint){.name = name, .summary = value};
    }
    return true;
}

bool run_data_load_summary(run_data *run, const char *folder) {
    *run = (run_data){.folder = copy_text(folder)};
    char *path = format_text("%s/summary.json", folder);
    stiction_error error;
    errno = 0;
    run->summary = json_in_read(path, &error);
    bool fine = run->summary ||
                (errno == ENOTDIR ? complain("%s: is a file; a folder of results is expected, "
                                             "such as results/wrist of stiction run",
                                             folder)
                                  : complain_error(&error));
    fine = fine && read_joints(run, path) && read_bodies(run, path);
    free(path);
    return fine;
}

bool run_data_read_summary(run_data *run, const char *text, const char *path) {
    *run = (run_data){.folder = copy_text("")};
    stiction_error error;
    run->summary = json_in_parse(text, strlen(text), path, &error);
    return (run->summary || complain_error(&error)) && read_joints(run, path) &&
           read_bodies(run, path);
}

/* ---- joints.csv ---- */

/* Where a joint has the series of each column. */
#define PLACE(name, ...) offsetof(run_joint, name),
static const size_t series_offsets[JOINT_COLUMN_COUNT] = {JOINT_COLUMNS(PLACE)};
#undef PLACE

static void set_series(run_joint *joint, size_t column, const double *series) {
    memcpy((char *)joint + series_offsets[column], &series, sizeof series);
}

/* Where in a row each wanted value stands: time, then the columns of every joint. */
typedef struct layout {
    size_t *places; /* absent: there is no such column */
    size_t count;
    size_t cells; /* of a row */
} layout;
static const size_t absent = (size_t)-1;

/* The cell of a head; the search goes on from `hint`, where the last one was found, so that the
 * usual order takes one comparison each. */
static size_t find_column(const csv *file, const char *name, size_t hint) {
    for (size_t k = 0; k < file->count; k++) {
        const size_t place = (hint + k) % file->count;
        const char *cell = file->cells[place].text;
        if (stiction_csv_names(cell, strlen(cell), name)) return place;
    }
    return absent;
}

static bool read_head(layout *l, const csv *file, const run_data *run) {
    l->cells = file->count;
    l->count = 1 + JOINT_COLUMN_COUNT * run->joint_count;
    l->places = allocate(l->count, sizeof *l->places);
    l->places[0] = find_column(file, "time", 0);
    if (l->places[0] == absent)
        return complain_at(file->path, file->line, "there is no column 'time'");
    size_t hint = l->places[0];
    for (size_t k = 0; k + 1 < l->count; k++) {
        const joint_column *column = &joint_columns[k % JOINT_COLUMN_COUNT];
        char *name = format_text("%s.%s", run->joints[k / JOINT_COLUMN_COUNT].name, column->name);
        const size_t place = find_column(file, name, hint + 1);
        const bool fine = place != absent || column->presence != COLUMN_ALWAYS ||
                          complain_at(file->path, file->line, "there is no column '%s'", name);
        free(name);
        if (!fine) return false;
        l->places[k + 1] = place;
        if (place != absent) hint = place;
    }
    return true;
}

static bool read_cell(const csv *file, size_t place, double *value) {
    const char *text = file->cells[place].text;
    *value = (double)NAN;
    return !*text || read_number(text, value) ||
           complain_at(file->path, file->line, "column %zu: '%s' is no number", place + 1, text);
}

static bool read_row(const layout *l, const csv *file, double *row, double last_time) {
    if (file->count != l->cells)
        return complain_at(file->path, file->line, "%zu cells instead of %zu", file->count,
                           l->cells);
    for (size_t k = 0; k < l->count; k++) {
        row[k] = (double)NAN;
        if (l->places[k] != absent && !read_cell(file, l->places[k], &row[k])) return false;
    }
    return row[0] > last_time ||
           complain_at(file->path, file->line, "time %g does not come after %g", row[0], last_time);
}

/* All rows, one after the other; NULL after a sentence on stderr. */
static double *read_rows(layout *l, csv *file, const run_data *run, size_t *row_count) {
    double *rows = NULL, last_time = -(double)INFINITY;
    size_t capacity = 0;
    csv_verdict verdict;
    bool fine = true;
    *row_count = 0;
    stiction_error error;
    while (fine && (verdict = stiction_csv_next_row(file, &error)) != CSV_END) {
        fine = verdict == CSV_ROW || complain_error(&error);
        if (fine && !l->places) {
            fine = read_head(l, file, run);
        } else if (fine) {
            if (*row_count == capacity) {
                capacity = capacity ? 2 * capacity : 1024;
                rows = reallocate(rows, capacity * l->count, sizeof *rows);
            }
            double *row = rows + *row_count * l->count;
            fine = read_row(l, file, row, last_time);
            last_time = row[0];
            *row_count += fine;
        }
    }
    if (fine && *row_count == 0) fine = complain("%s: there is no sample in it", file->path);
    if (fine) return rows;
    free(rows);
    return NULL;
}

/* What is never known is not there: a target of a joint that follows none. */
static bool has_values(const double *series, size_t count) {
    size_t k = 0;
    while (k < count && isnan(series[k])) k++;
    return k < count;
}

/* Rows to columns: a series then lies in one piece. */
static void keep(run_data *run, const layout *l, const double *rows, size_t count) {
    run->sample_count = count;
    run->values = allocate(l->count * count, sizeof *run->values);
    run->time = run->values;
    for (size_t row = 0; row < count; row++)
        for (size_t k = 0; k < l->count; k++)
            run->values[k * count + row] = rows[row * l->count + k];
    for (size_t k = 0; k + 1 < l->count; k++) {
        const double *series = run->values + (k + 1) * count;
        if (l->places[k + 1] != absent &&
            (joint_columns[k % JOINT_COLUMN_COUNT].presence == COLUMN_ALWAYS ||
             has_values(series, count)))
            set_series(&run->joints[k / JOINT_COLUMN_COUNT], k % JOINT_COLUMN_COUNT, series);
    }
}

static bool read_series(run_data *run, const char *path) {
    csv file;
    stiction_error error;
    if (!stiction_csv_open(&file, path, FILE_MOST_RESULTS, &error)) {
        stiction_csv_close(&file);
        return complain_error(&error);
    }
    layout l = {.places = NULL};
    size_t count;
    double *rows = read_rows(&l, &file, run, &count);
    if (rows) keep(run, &l, rows, count);
    const bool fine = rows != NULL;
    free(rows);
    free(l.places);
    stiction_csv_close(&file);
    return fine;
}

bool run_data_load(run_data *run, const char *folder) {
    if (!run_data_load_summary(run, folder)) return false;
    char *path = format_text("%s/joints.csv", folder);
    const bool fine = read_series(run, path);
    free(path);
    return fine;
}

void run_data_release(run_data *run) {
    json_decref(run->summary);
    free(run->folder);
    free(run->joints);
    free(run->bodies);
    free(run->values);
    *run = (run_data){.folder = NULL};
}

/* ---- questions ---- */

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
    for (size_t k = 0; (one = run_data_warning(run, k)); k++) {
        char *longer = format_text("%s%s%s", all ? all : "", all ? "; " : "", one);
        free(all);
        all = longer;
    }
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
    double *motion = allocate(run->joint_count + 1, sizeof *motion);
    for (size_t j = 0; j < run->joint_count; j++) {
        motion[j] = run_data_motion(run, &run->joints[j]);
        size_t place = j;
        for (; place > 0 && motion[order[place - 1]] < motion[j]; place--)
            order[place] = order[place - 1];
        order[place] = j;
    }
    free(motion);
    return order;
}
