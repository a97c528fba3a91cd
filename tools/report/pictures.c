/* SPDX-License-Identifier: MIT
 * Pictures for documents: the plots of a run as PNGs, and columns of the series of several runs.
 */
#include <dirent.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "document/names.h"
#include "document/text.h"
#include "joint_plots.h"
#include "reduce.h"
#include "report.h"
#include "results/series.h"

enum { most_joints = 4, most_points = 4000 };

/* "-NAME", with _ for characters that are unsafe in file names. The caller frees it. */
static char *suffix_of(const char *name) {
    char *suffix = format_text("-%s", name);
    for (char *c = suffix + 1; *c; c++) {
        const bool safe = (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') ||
                          (*c >= 'a' && *c <= 'z') || *c == '-' || *c == '_';
        if (!safe) *c = '_';
    }
    return suffix;
}

static const struct {
    joint_plot plot;
    const char *name;
} pictures[] = {{JOINT_POSITION, "position"},
                {JOINT_TORQUE, "torque"},
                {JOINT_LAW, "law"},
                {JOINT_LEVEL, "level"},
                {JOINT_TEMPERATURE, "temperature"}};

static bool write_joint(const run_data *run, const run_joint *joint, const char *into,
                        const char *suffix, stiction_error *error) {
    AUTO(joint_plots_release) joint_plots plots;
    joint_plots_make(&plots, run, joint, most_points);
    bool fine = true;
    for (size_t k = 0; fine && k < sizeof pictures / sizeof pictures[0]; k++) {
        if (!plots.plots[pictures[k].plot].count) continue; /* constant */
        AUTO_FREE char *path = format_text("%s/%s%s.png", into, pictures[k].name, suffix);
        fine = plot_write(&plots.plots[pictures[k].plot], path, PLOT_PNG, error);
    }
    return fine;
}

bool report_pngs_run(const run_data *run, const char *into, stiction_error *error) {
    if (!plot_png_possible()) return fail(error, REPORT_NO_PNGS);
    AUTO_FREE size_t *order = run_data_by_motion(run);
    bool fine = true;
    for (size_t k = 0; fine && k < run->joint_count && k < most_joints; k++) {
        const run_joint *joint = &run->joints[order[k]];
        if (k && !(run_data_motion(run, joint) > 0)) break;
        AUTO_FREE char *suffix = k ? suffix_of(joint->name) : copy_text("");
        fine = write_joint(run, joint, into, suffix, error);
    }
    return fine;
}

void report_remove(const char *folder) {
    DIR *files = opendir(folder);
    for (const struct dirent *entry; files && (entry = readdir(files)) != NULL;) {
        bool ours = strcmp(entry->d_name, "report.html") == 0;
        for (size_t k = 0; k < sizeof pictures / sizeof pictures[0]; k++) {
            const size_t length = strlen(pictures[k].name);
            ours = ours || (strncmp(entry->d_name, pictures[k].name, length) == 0 &&
                            stiction_text_ends_with(entry->d_name, ".png"));
        }
        AUTO_FREE char *path = format_text("%s/%s", folder, entry->d_name);
        if (ours) (void)unlink(path);
    }
    if (files) (void)closedir(files);
}

enum { most_column_points = 1000 };

/* ---- columns of several runs ---- */

typedef struct series {
    double *time, *value;
    size_t count, capacity;
} series;

static void release(series *s) {
    free(s->time);
    free(s->value);
}

/* The error names the nearest column. */
static bool find_both(const series_reader *file, const char *column, size_t places[2],
                      stiction_error *error) {
    places[0] = series_find(file, "time", 0);
    places[1] = series_find(file, column, 0);
    if (places[0] == SIZE_MAX)
        return series_blame(file, error, "missing column 'time'") == SERIES_ROW;
    if (places[1] != SIZE_MAX) return true;
    const size_t count = series_column_count(file);
    AUTO_FREE const char **heads = allocate(count + 1, sizeof *heads);
    for (size_t k = 0; k < count; k++) heads[k] = series_name(file, k);
    char hint[NAME_HINT_SIZE];
    (void)series_blame(file, error, "no column '%s'%s", column,
                       stiction_name_hint(column, heads, count, hint));
    return false;
}

/* NaN interrupts the line. */
static void keep(series *s, const double numbers[2]) {
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 1024;
        s->time = reallocate(s->time, s->capacity, sizeof *s->time);
        s->value = reallocate(s->value, s->capacity, sizeof *s->value);
    }
    s->time[s->count] = numbers[0];
    s->value[s->count++] = numbers[1];
}

static bool read_series(series *s, const char *folder, const char *column, stiction_error *error) {
    size_t places[2];
    double numbers[2];
    series_reader *file = series_open(folder, error);
    series_verdict verdict = SERIES_WRONG;
    if (file && find_both(file, column, places, error))
        while ((verdict = series_next(file, places, 2, numbers, error)) == SERIES_ROW)
            keep(s, numbers);
    bool fine = verdict == SERIES_END;
    if (fine && !s->count) fine = fail(error, "%s: no samples", series_path(file));
    series_close(file);
    return fine;
}

static void reduce(series *s) {
    AUTO_FREE size_t *indices = allocate(s->count, sizeof *indices);
    const double *const values = s->value;
    const size_t left = reduce_series(&values, 1, s->count, most_column_points, indices);
    for (size_t k = 0; k < left; k++) {
        s->time[k] = s->time[indices[k]];
        s->value[k] = s->value[indices[k]];
    }
    s->count = left;
}

/* Bytes that all paths have in common at their begin or end, in whole names. */
static size_t common(const char *const *folders, size_t count, bool from_end) {
    size_t shared = 0;
    for (size_t n = 1;; n++) {
        const size_t first = strlen(folders[0]);
        if (n > first) return shared;
        const char here = folders[0][from_end ? first - n : n - 1];
        for (size_t k = 1; k < count; k++) {
            const size_t length = strlen(folders[k]);
            if (n > length || folders[k][from_end ? length - n : n - 1] != here) return shared;
        }
        if (here == '/') shared = n;
    }
}

char *report_label(const char *const *folders, size_t count, size_t k) {
    const size_t front = count > 1 ? common(folders, count, false) : 0;
    const size_t back = count > 1 ? common(folders, count, true) : 0;
    const size_t length = strlen(folders[k]);
    return length > front + back
               ? format_text("%.*s", (int)(length - front - back), folders[k] + front)
               : copy_text(folders[k]);
}

/* The unit of a column by the name after its last dot; "" if it has none. */
static const char *unit_of_column(const run_data *run, const char *column) {
    const char *dot = strrchr(column, '.'), *name = dot ? dot + 1 : column;
    for (size_t j = 0; dot && j < run->joint_count; j++) {
        const run_joint *joint = &run->joints[j];
        if (strlen(joint->name) != (size_t)(dot - column) ||
            strncmp(joint->name, column, (size_t)(dot - column)) != 0)
            continue;
        for (size_t k = 0; k < JOINT_COLUMN_COUNT; k++)
            if (strcmp(joint_columns[k].name, name) == 0)
                return joint->prismatic ? joint_linear_unit(joint_columns[k].unit)
                                        : joint_columns[k].unit;
    }
    const bool length =
        strlen(name) == 1 && strchr("xyz", *name) &&
        (strstr(column, "com.") || strstr(column, "cop.") || strstr(column, "base."));
    return length ? "m" : "";
}

/* "position (rad)" if all columns are of one quantity, else "rad". NULL with *error: their units
 * differ. The caller frees it. */
static char *label_of_columns(const char *folder, const text_list *columns, stiction_error *error) {
    AUTO(run_data_release) run_data run;
    char *label = NULL;
    const char *first = columns->items[0], *dot = strrchr(first, '.');
    const char *quantity = dot ? dot + 1 : first;
    if (run_data_load_summary(&run, folder, error)) {
        const char *unit = unit_of_column(&run, first), *other = NULL;
        for (size_t k = 1; k < columns->count && !other; k++) {
            const char *name = columns->items[k], *end = strrchr(name, '.');
            if (strcmp(unit_of_column(&run, name), unit) != 0) other = name;
            if (strcmp(end ? end + 1 : name, quantity) != 0) quantity = "";
        }
        if (other)
            (void)fail(error,
                       "--draw: the unit of %s is '%s' and that of %s is '%s'; draw each in a "
                       "picture of its own",
                       first, unit, other, unit_of_column(&run, other));
        else if (columns->count == 1)
            label = *unit ? format_text("%s (%s)", first, unit) : copy_text(first);
        else
            label = *unit && *quantity ? format_text("%s (%s)", quantity, unit)
                                       : copy_text(*unit ? unit : quantity);
    }
    return label;
}

static char *label_of_line(const char *const *folders, size_t count, const text_list *columns,
                           size_t line) {
    const char *column = columns->items[line % columns->count];
    AUTO_FREE char *run = report_label(folders, count, line / columns->count);
    return count == 1            ? copy_text(column)
           : columns->count == 1 ? copy_text(run)
                                 : format_text("%s, %s", run, column);
}

static char *title_of_columns(const text_list *columns) {
    char *title = copy_text(columns->items[0]);
    for (size_t k = 1; k < columns->count; k++) append_text(&title, ", %s", columns->items[k]);
    return title;
}

bool column_picture_write(const char *const *folders, size_t count, const text_list *columns,
                          const char *path, stiction_error *error) {
    const size_t line_count = count * columns->count;
    if (!stiction_text_ends_with(path, ".svg") && !stiction_text_ends_with(path, ".png"))
        return fail(error, "'%s': the name of a picture ends in .svg or .png", path);
    if (line_count > OVERLAY_MOST_RUNS)
        return fail(error, "--draw: %zu columns of %zu runs are more than %d lines", columns->count,
                    count, OVERLAY_MOST_RUNS);
    series all[OVERLAY_MOST_RUNS] = {{NULL}};
    plot_series lines[OVERLAY_MOST_RUNS];
    char *labels[OVERLAY_MOST_RUNS] = {NULL};
    bool fine = true;
    for (size_t k = 0; fine && k < line_count; k++) {
        labels[k] = label_of_line(folders, count, columns, k);
        fine = read_series(&all[k], folders[k / columns->count], columns->items[k % columns->count],
                           error);
        if (fine) reduce(&all[k]);
        lines[k] = (plot_series){
            .label = labels[k], .x = all[k].time, .y = all[k].value, .count = all[k].count};
    }
    AUTO_FREE char *y_label = fine ? label_of_columns(folders[0], columns, error) : NULL;
    if (y_label) {
        AUTO_FREE char *title = title_of_columns(columns);
        const plot picture = {.title = title,
                              .x_label = "time (s)",
                              .y_label = y_label,
                              .series = lines,
                              .count = line_count};
        fine = plot_write(&picture, path, plot_format_of(path), error);
    }
    for (size_t k = 0; k < line_count; k++) {
        release(&all[k]);
        free(labels[k]);
    }
    fine = fine && y_label;
    return fine;
}
