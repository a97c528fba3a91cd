/* SPDX-License-Identifier: MIT
 * Curves of runs for the script of a comparison: position and target, velocity, torques. A small
 * sweep has those of every run; of a large one those of the best runs, and of others far and wide.
 */
#include <math.h>
#include <stdlib.h>

#include "common/command.h"
#include "common/folder.h"
#include "comparison_data.h"
#include "reduce.h"
#include "run_data.h"

/* Numbers of all curves on a page, points of one, and runs. */
enum { most_numbers = 600000, most_points = 600, least_points = 60, most_runs = 120, best = 40 };

static const struct {
    const char *name;
    size_t offset; /* of its series in run_joint */
} curves[] = {{"position", offsetof(run_joint, position)},
              {"velocity", offsetof(run_joint, velocity)},
              {"command", offsetof(run_joint, command)},
              {"friction", offsetof(run_joint, friction_torque)},
              {"target", offsetof(run_joint, target)}};
enum { curve_count = sizeof curves / sizeof curves[0] };

static const double *series_of(const run_joint *joint, size_t curve) {
    return *(const double *const *)((const char *)joint + curves[curve].offset);
}

/* ---- which runs ---- */

typedef struct candidate {
    double value; /* of the first figure, NaN last */
    size_t run;
} candidate;

static int by_value(const void *a, const void *b) {
    const candidate *one = a, *other = b;
    if (isnan(one->value) || isnan(other->value)) return isnan(one->value) - isnan(other->value);
    return one->value < other->value ? -1 : one->value > other->value;
}

static bool has_series(const comparison *c, size_t run, const char *folder) {
    const char *of_run = comparison_failed(c, run) ? NULL : c->folder(c->user, run, 0);
    char *path = of_run ? format_text("%s/%s", folder, of_run) : NULL;
    const bool there = path && series_is_there(path);
    free(path);
    return there;
}

/* Puts those to show first, the best of all before the others. */
static size_t choose(candidate *all, size_t count) {
    if (count <= most_runs) return count;
    qsort(all, count, sizeof *all, by_value);
    const double step = (double)(count - best) / (most_runs - best);
    for (size_t k = best; k < most_runs; k++)
        all[k] = all[best + (size_t)((double)(k - best) * step)];
    return most_runs;
}

/* ---- one run ---- */

static void print_curve(FILE *out, const double *y, const size_t *indices, size_t count) {
    float *values = allocate(count + 1, sizeof *values);
    for (size_t k = 0; k < count; k++) values[k] = (float)y[indices[k]];
    comparison_print_floats(out, values, count);
    free(values);
}

/* How many numbers went out. */
static size_t print_joint(FILE *out, const run_data *run, const run_joint *joint, size_t most) {
    size_t *indices = allocate(run->sample_count + 1, sizeof *indices), shaped = 0;
    const double *shapes[curve_count];
    for (size_t k = 0; k < curve_count; k++)
        if (series_of(joint, k) && k < 3) shapes[shaped++] = series_of(joint, k);
    const size_t count = reduce_series(shapes, shaped, run->sample_count, most, indices);
    page_json_text(out, joint->name);
    fprintf(out, ":{\"linear\":%s,\"time\":", joint->prismatic ? "true" : "false");
    print_curve(out, run->time, indices, count);
    for (size_t k = 0; k < curve_count; k++) {
        if (!series_of(joint, k)) continue;
        fprintf(out, ",\"%s\":", curves[k].name);
        print_curve(out, series_of(joint, k), indices, count);
    }
    fputc('}', out);
    free(indices);
    return (shaped + 1) * count;
}

static size_t print_run(FILE *out, const run_data *run, size_t number, size_t room) {
    size_t most = room / (curve_count + 1) / (run->joint_count ? run->joint_count : 1), used = 0;
    most = most > most_points ? most_points : most < least_points ? least_points : most;
    fprintf(out, "\"%zu\":{", number);
    for (size_t j = 0; j < run->joint_count; j++) {
        if (j) fputs(",\n", out);
        used += print_joint(out, run, &run->joints[j], most);
    }
    fputc('}', out);
    return used;
}

/* ---- all ---- */

void comparison_print_curves(page *p, const comparison *c, const char *folder) {
    FILE *out = page_out(p);
    candidate *all = allocate(c->run_count + 1, sizeof *all);
    size_t there = 0, shown = 0, used = 0;
    for (size_t k = 0; k < c->run_count; k++)
        if (has_series(c, k, folder))
            all[there++] =
                (candidate){c->figure_count ? fabs(comparison_figure(c, k, 0)) : (double)NAN, k};
    const size_t count = choose(all, there);
    page_json_begin(p, "curves");
    fputs("{\"runs\":{", out);
    for (size_t k = 0; k < count && used < most_numbers; k++) {
        run_data run;
        char *path = format_text("%s/%s", folder, c->folder(c->user, all[k].run, 0));
        stiction_error error;
        if (run_data_load(&run, path, &error)) {
            if (shown++) fputs(",\n", out);
            used += print_run(out, &run, all[k].run, most_numbers / count);
        }
        run_data_release(&run);
        free(path);
    }
    fprintf(out, "},\"shown\":%zu,\"there\":%zu}", shown, there);
    page_json_end(p);
    free(all);
}
