/* SPDX-License-Identifier: MIT
 * make_sweep FOLDER RUNS: the page of a sweep that nobody ran, for the test that opens it: gains,
 * static friction, laws and projects of one name, drawn values, failures, two joints of which one
 * slides. Figures follow formulas, so that the test knows which runs are best.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/command.h"
#include "report/comparison.h"

static const comparison_column parameters[] = {
    {"project", ""},           {"controller.kp", "s^-2"},
    {"controller.kv", "s^-1"}, {"joints.*.static_torque", "N m"},
    {"joints.*.law", ""},      {"noise", ""}};
static const char *const projects[] = {"left/arm.cnoid", "right/arm.cnoid"};
static const char *const gains[] = {"20", "50", "100", "200", "400"};
static const char *const dampings[] = {"5", "10", "20", "40"};
static const char *const levels[] = {"0.5", "1", "2", "4"};
static const char *const laws[] = {"stribeck", "</script>rational"};
static const comparison_column figures[] = {
    {"J1.tracking_error", "rad"}, {"J2.tracking_error", "rad"}, {"SLIDE.tracking_error", "m"},
    {"J1.stop_time", "s"},        {"J2.stop_time", "s"},        {"J1.peak_torque", "N m"},
    {"J2.peak_torque", "N m"},    {"J1.settling_time", "s"}};
enum { parameter_count = 6, figure_count = 8 };

/* The places of a run in the lists, the last the fastest. */
typedef struct places {
    size_t project, gain, damping, level, law;
} places;

static places places_of(size_t run) {
    return (places){run % 2, run / 2 % 5, run / 10 % 4, run / 40 % 4, run / 160 % 2};
}

static const char *setting(void *user, size_t run, size_t parameter) {
    static char noise[32];
    const places p = places_of(run);
    (void)user;
    (void)snprintf(noise, sizeof noise, "%.5f", 0.1 + (double)(run * 7919 % 10007) / 10007);
    const char *const all[] = {projects[p.project], gains[p.gain], dampings[p.damping],
                               levels[p.level],     laws[p.law],   noise};
    return all[parameter];
}

static double figure(void *user, size_t run, size_t column) {
    const places p = places_of(run);
    const double kp = strtod(gains[p.gain], NULL), kv = strtod(dampings[p.damping], NULL);
    const double error = strtod(levels[p.level], NULL) / kp * (1 + 0.1 * (double)p.law) +
                         1e-4 * (double)(run * 7919 % 10007) / 10007;
    const double all[] = {column == 0 && p.project ? -error : error,
                          0.5 * error,
                          0.01 * error,
                          kv > 10 ? (double)NAN : kv / 5,
                          kv / 4,
                          kp / 10 + kv,
                          kp / 20,
                          (double)NAN};
    (void)user;
    return all[column];
}

static const char *name(void *user, size_t run, size_t column) {
    static char text[32];
    (void)user;
    (void)column;
    (void)snprintf(text, sizeof text, "%zu", run + 1);
    return text;
}

/* The stiffest gain without damping breaks. */
static const char *failure(void *user, size_t run, size_t column) {
    const places p = places_of(run);
    (void)user;
    (void)column;
    if (p.gain == 4 && p.damping == 0) return "J1: velocity 1e9 rad/s at 0.3 s <b>";
    return run % 997 == 33 ? "no \"answer\" in 10 s" : NULL;
}

static const char *warnings(void *user, size_t run, size_t column) {
    (void)user;
    (void)column;
    return run % 50 == 7 ? "J2 chatters" : NULL;
}

static const char *no_folder(void *user, size_t run, size_t column) {
    (void)user;
    (void)run;
    (void)column;
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const size_t count = strtoul(argv[2], NULL, 10);
    const comparison c = {.title = "A sweep that nobody ran",
                          .note = "All runs: engine=none",
                          .parameter_count = parameter_count,
                          .parameters = parameters,
                          .figure_count = figure_count,
                          .figures = figures,
                          .run_count = count,
                          .name = name,
                          .folder = no_folder,
                          .failure = failure,
                          .warnings = warnings,
                          .setting = setting,
                          .figure = figure};
    return comparison_write(&c, argv[1], argv[1], &(stiction_error){.line = 0}) ? 0 : 1;
}
