/* SPDX-License-Identifier: MIT
 * make_sweep FOLDER RUNS: the page of a sweep that was never run, for the test that opens it:
 * gains, static friction, laws, two projects with one name, random values, failures, and two joints
 * and a sliding one. Figures follow formulas, so that the test knows which runs are best.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/command.h"
#include "sweep/tables.h"

static char *projects[] = {"left/arm.cnoid", "right/arm.cnoid"},
            *keys[] = {"controller.kp", "controller.kv", "joints.*.static_torque", "joints.*.law",
                       "noise"};
static const char *const gains[] = {"20", "50", "100", "200", "400"};
static const char *const dampings[] = {"5", "10", "20", "40"};
static const char *const levels[] = {"0.5", "1", "2", "4"};
static const char *const laws[] = {"stribeck", "</script>rational"};
static const struct {
    char *joint;
    const char *kind;
} columns[] = {{"J1", "tracking_error"}, {"J2", "tracking_error"}, {"SLIDE", "tracking_error"},
               {"J1", "stop_time"},      {"J2", "stop_time"},      {"J1", "peak_torque"},
               {"J2", "peak_torque"},    {"J1", "settling_time"}};
enum { key_count = 5, figure_count = 8 };

/* The indices of a run in the lists, the last the slowest. */
typedef struct indices {
    size_t project, gain, damping, level, law;
} indices;

static void fill_figures(double *figures, size_t run, const indices *p) {
    const double kp = strtod(gains[p->gain], NULL), kv = strtod(dampings[p->damping], NULL);
    const double error = strtod(levels[p->level], NULL) / kp * (1 + 0.1 * (double)p->law) +
                         1e-4 * (double)(run * 7919 % 10007) / 10007;
    figures[0] = p->project ? -error : error;
    figures[1] = 0.5 * error;
    figures[2] = 0.01 * error;
    figures[3] = kv > 10 ? (double)NAN : kv / 5;
    figures[4] = kv / 4;
    figures[5] = kp / 10 + kv;
    figures[6] = kp / 20;
    figures[7] = (double)NAN;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const size_t count = strtoul(argv[2], NULL, 10);
    sweep_parameter parameters[key_count] = {{NULL}};
    for (size_t k = 0; k < key_count; k++) parameters[k].key = keys[k];
    sweep_plan plan = {.projects = projects,
                       .project_count = 2,
                       .engine = "none",
                       .parameters = parameters,
                       .parameter_count = key_count};
    sweep_figure figures[figure_count];
    for (size_t k = 0; k < figure_count; k++)
        figures[k] = (sweep_figure){format_text("%s.%s", columns[k].joint, columns[k].kind),
                                    columns[k].joint, joint_figure_find(columns[k].kind), k == 2};
    sweep_rows rows = {.folder = argv[1],
                       .plan = &plan,
                       .rows = allocate(count, sizeof *rows.rows),
                       .count = count,
                       .figures = figures,
                       .figure_count = figure_count};
    for (size_t run = 0; run < count; run++) {
        const indices p = {run % 2, run / 2 % 5, run / 10 % 4, run / 40 % 4, run / 160 % 2};
        char noise[32];
        (void)snprintf(noise, sizeof noise, "%.5f", 0.1 + (double)(run * 7919 % 10007) / 10007);
        const char *const values[] = {gains[p.gain], dampings[p.damping], levels[p.level],
                                      laws[p.law], noise};
        /* the stiffest gain without damping breaks */
        char *failure = p.gain == 4 && p.damping == 0 ? "J1: velocity 1e9 rad/s at 0.3 s <b>"
                        : run % 997 == 33             ? "no \"answer\" in 10 s"
                                                      : NULL;
        rows.rows[run] = (sweep_row){.run = sweep_plan_append(&plan, p.project, values),
                                     .name = "",
                                     .failure = failure,
                                     .warnings = run % 50 == 7 ? "J2 chatters" : NULL,
                                     .figures = allocate(figure_count, sizeof(double)),
                                     .figure_count = figure_count};
        rows.failed += failure != NULL;
        fill_figures(rows.rows[run].figures, run, &p);
    }
    return sweep_write_page(&rows, argv[1], &(stiction_error){.line = 0}) ? 0 : 1;
}
