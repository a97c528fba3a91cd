/* SPDX-License-Identifier: MIT */
/* What happened in a run, in sentences made from its figures. */
#include "run_sentences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "joint_table.h"
#include "page.h"

static const double degree = 3.14159265358979323846 / 180;

/* A joint this near to its target has reached it: 0.05 deg, or 0.1 mm of a prismatic joint. */
static double negligible_distance(const run_joint *joint) {
    return joint->prismatic ? 1e-4 : 0.05 * degree;
}

/* "10.7°" or "3.2 mm"; the caller frees it. */
static char *distance_text(const run_joint *joint, double distance) {
    return joint->prismatic ? format_text("%.3g mm", 1e3 * distance)
                            : format_text("%.3g\u00b0", distance / degree);
}

/* The share of its samples in which a joint sticks; NaN: not known. */
static double stick_share(const run_data *run, const run_joint *joint) {
    double sum = 0;
    if (!joint->stick || strcmp(joint->friction.law, "none") == 0) return (double)NAN;
    for (size_t k = 0; k < run->sample_count; k++) sum += joint->stick[k];
    return sum / (double)run->sample_count;
}

/* "RKP stopped 10.7° short of its target after 2.77 s and stuck 62 % of the time." */
static void add_joint(char **text, const run_data *run) {
    const run_joint *joint = run_data_worst_joint(run);
    if (!joint) return;
    const double target = joint_table_target(run, joint), share = stick_share(run, joint);
    const double end = run_data_figure(joint, "final_position");
    const double stop = run_data_figure(joint, "stop_time");
    const double hunting = run_data_figure(joint, "hunting_amplitude");
    const double error = end - target;
    if (!isnan(hunting)) {
        AUTO_FREE char *width = distance_text(joint, hunting);
        append_text(text, "%s hunts about its target by %s", joint->name, width);
        const double period = run_data_figure(joint, "hunting_period");
        if (!isnan(period)) append_text(text, ", once in %.3g s", period);
    } else if (isnan(error)) {
        AUTO_FREE char *moved = distance_text(joint, run_data_motion(run, joint));
        append_text(text, "%s moved the most, by %s", joint->name, moved);
    } else if (fabs(error) < negligible_distance(joint)) {
        append_text(text, "%s, the joint farthest from its target, reached it", joint->name);
    } else {
        AUTO_FREE char *far = distance_text(joint, fabs(error));
        /* short: it began on the same side as it ended */
        const bool is_short = joint->position && (joint->position[0] - target) * error > 0;
        append_text(text, "%s %s %s %s its target", joint->name,
                    stop == 0     ? "never broke away and stayed"
                    : isnan(stop) ? "was"
                                  : "stopped",
                    far, is_short ? "short of" : "beyond");
        if (stop != 0) append_text(text, isnan(stop) ? " at the end" : " after %.3g s", stop);
    }
    if (!isnan(share)) append_text(text, " and stuck %.0f %% of the time", 100 * share);
    append_text(text, ". ");
}

static void add_friction(char **text, const run_data *run) {
    double largest = 0;
    const run_joint *where = NULL;
    for (size_t j = 0; j < run->joint_count; j++)
        for (size_t k = 0; run->joints[j].friction_torque && k < run->sample_count; k++)
            if (fabs(run->joints[j].friction_torque[k]) > largest) {
                largest = fabs(run->joints[j].friction_torque[k]);
                where = &run->joints[j];
            }
    if (!where) return;
    append_text(text, "The largest friction was %.3g %s", largest, where->prismatic ? "N" : "N m");
    if (run->joint_count > 1) append_text(text, ", in %s", where->name);
    append_text(text, ". ");
}

static void add_bodies(char **text, const run_data *run) {
    for (size_t k = 0; k < run->body_count; k++) {
        const double falls = run_data_figure(&run->bodies[k], "falls");
        const double time = run_data_figure(&run->bodies[k], "fall_time");
        if (falls > 0 && !isnan(time))
            append_text(text, "%s fell at %.3g s. ", run->bodies[k].name, time);
        else if (falls > 0)
            append_text(text, "%s fell. ", run->bodies[k].name);
        else if (falls == 0)
            append_text(text, "%s did not fall. ", run->bodies[k].name);
    }
}

static double energy_of(const run_data *run, const char *key) {
    const json_t *value = json_object_get(json_object_get(run->summary, "energy"), key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void add_energy(char **text, const run_data *run) {
    const double heat = energy_of(run, "heat"), elsewhere = energy_of(run, "lost_elsewhere");
    const double nothing = energy_of(run, "from_nothing");
    if (isnan(heat) || isnan(elsewhere)) return;
    append_text(text, "Friction turned %.3g J into heat", heat);
    if (fabs(elsewhere) > 1e-3 * fabs(heat))
        append_text(text, "; contacts, limits and the integrator took %.3g J", elsewhere);
    append_text(text, nothing > 1e-3 * heat ? "; %.3g J came from nothing. " : ". ", nothing);
}

void run_sentences_print(FILE *out, const run_data *run) {
    AUTO_FREE char *text = copy_text("");
    if (run->sample_count) {
        add_bodies(&text, run);
        add_joint(&text, run);
        add_friction(&text, run);
    }
    add_energy(&text, run);
    if (*text) page_element(out, "p class=\"summary\"", text);
}
