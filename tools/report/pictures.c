/* SPDX-License-Identifier: MIT
 * Pictures for documents: the plots of a run as PNGs, and one column of the series of several runs.
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
    joint_plots plots;
    joint_plots_make(&plots, run, joint, most_points);
    bool fine = true;
    for (size_t k = 0; fine && k < sizeof pictures / sizeof pictures[0]; k++) {
        if (!plots.plots[pictures[k].plot].count) continue; /* constant */
        char *path = format_text("%s/%s%s.png", into, pictures[k].name, suffix);
        fine = plot_write(&plots.plots[pictures[k].plot], path, PLOT_PNG, error);
        free(path);
    }
    joint_plots_release(&plots);
    return fine;
}

bool report_pngs_run(const run_data *run, const char *into, stiction_error *error) {
    if (!plot_png_possible()) return fail(error, REPORT_NO_PNGS);
    size_t *order = run_data_by_motion(run);
    bool fine = true;
    for (size_t k = 0; fine && k < run->joint_count && k < most_joints; k++) {
        const run_joint *joint = &run->joints[order[k]];
        if (k && !(run_data_motion(run, joint) > 0)) break;
        char *suffix = k ? suffix_of(joint->name) : copy_text("");
        fine = write_joint(run, joint, into, suffix, error);
        free(suffix);
    }
    free(order);
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
        char *path = format_text("%s/%s", folder, entry->d_name);
        if (ours) (void)unlink(path);
        free(path);
    }
    if (files) (void)closedir(files);
}

enum { most_column_points = 1000 };

/* ---- one column of several runs ---- */

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
    const char **heads = allocate(count + 1, sizeof *heads);
    for (size_t k = 0; k < count; k++) heads[k] = series_name(file, k);
    char hint[NAME_HINT_SIZE];
    (void)series_blame(file, error, "no column '%s'%s", column,
                       stiction_name_hint(column, heads, count, hint));
    free(heads);
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
    size_t *indices = allocate(s->count, sizeof *indices);
    const double *const values = s->value;
    const size_t left = reduce_series(&values, 1, s->count, most_column_points, indices);
    for (size_t k = 0; k < left; k++) {
        s->time[k] = s->time[indices[k]];
        s->value[k] = s->value[indices[k]];
    }
    s->count = left;
    free(indices);
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

/* The label of a run; the caller frees it. */
static char *label_of(const char *const *folders, size_t count, size_t k) {
    const size_t front = count > 1 ? common(folders, count, false) : 0;
    const size_t back = count > 1 ? common(folders, count, true) : 0;
    const size_t length = strlen(folders[k]);
    return length > front + back
               ? format_text("%.*s", (int)(length - front - back), folders[k] + front)
               : copy_text(folders[k]);
}

bool column_picture_write(const char *const *folders, size_t count, const char *column,
                          const char *path, stiction_error *error) {
    if (!stiction_text_ends_with(path, ".svg") && !stiction_text_ends_with(path, ".png"))
        return fail(error, "'%s': the name of a picture ends in .svg or .png", path);
    series *all = allocate(count, sizeof *all);
    plot_series *lines = allocate(count, sizeof *lines);
    char **labels = allocate(count, sizeof *labels);
    memset(all, 0, count * sizeof *all);
    size_t made = 0;
    bool fine = true;
    for (; fine && made < count; made++) {
        labels[made] = label_of(folders, count, made);
        fine = read_series(&all[made], folders[made], column, error);
        if (fine) reduce(&all[made]);
        lines[made] = (plot_series){.label = labels[made],
                                    .x = all[made].time,
                                    .y = all[made].value,
                                    .count = all[made].count};
    }
    const plot picture = {
        .title = column, .x_label = "time (s)", .y_label = column, .series = lines, .count = count};
    fine = fine && plot_write(&picture, path, plot_format_of(path), error);
    for (size_t k = 0; k < made; k++) {
        release(&all[k]);
        free(labels[k]);
    }
    free(all);
    free(lines);
    free(labels);
    return fine;
}
