/* SPDX-License-Identifier: MIT */
/* What happened in a run, in sentences made from its figures. */
#include "run_sentences.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
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

/* Three significant digits without an exponent: "25.0", "0.857", "1200". */
typedef struct short_number {
    char text[64];
} short_number;

static short_number short_of(double value) {
    short_number n;
    const double size = fabs(value);
    const int decimals = size > 0 ? (int)fmin(6, fmax(0, 2 - floor(log10(size)))) : 0;
    (void)snprintf(n.text, sizeof n.text, "%.*f", decimals, value);
    return n;
}

/* "10.7°" or "3.20 mm"; the caller frees it. */
static char *distance_text(const run_joint *joint, double distance) {
    return joint->prismatic ? format_text("%s mm", short_of(1e3 * distance).text)
                            : format_text("%s\u00b0", short_of(distance / degree).text);
}

static bool has_friction(const run_joint *joint) {
    return strcmp(joint->friction.law, "none") != 0;
}

/* The share of its samples in which a joint sticks; NaN: not known. */
static double stick_share(const run_data *run, const run_joint *joint) {
    double sum = 0;
    if (!joint->stick || !has_friction(joint)) return (double)NAN;
    for (size_t k = 0; k < run->sample_count; k++) sum += joint->stick[k];
    return sum / (double)run->sample_count;
}

/* Whether a joint ended before its target, seen from where it came; `error`: end minus target. */
static bool is_short(const run_data *run, const run_joint *joint, double end, double error) {
    const double far = 0.1 * run_data_motion(run, joint);
    size_t k = run->sample_count;
    while (k > 0 && !(fabs(joint->position[k - 1] - end) > far)) k--;
    return k > 0 && (joint->position[k - 1] - end) * error > 0;
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
        if (!isnan(period)) append_text(text, ", once in %s s", short_of(period).text);
    } else if (isnan(error) && !(run_data_motion(run, joint) >= negligible_distance(joint))) {
        append_text(text, "No joint moved. ");
        return;
    } else if (isnan(error)) {
        AUTO_FREE char *moved = distance_text(joint, run_data_motion(run, joint));
        append_text(text, "%s moved the most, by %s", joint->name, moved);
    } else if (fabs(error) < negligible_distance(joint)) {
        append_text(text, "%s, the joint farthest from its target, reached it", joint->name);
    } else {
        AUTO_FREE char *far = distance_text(joint, fabs(error));
        append_text(text, "%s %s %s %s its target", joint->name,
                    stop == 0     ? "never broke away and stayed"
                    : isnan(stop) ? "was"
                                  : "stopped",
                    far, is_short(run, joint, end, error) ? "short of" : "beyond");
        if (isnan(stop)) append_text(text, " at the end");
        if (stop > 0) append_text(text, " after %s s", short_of(stop).text);
    }
    if (!isnan(share)) append_text(text, " and stuck %.0f %% of the time", 100 * share);
    append_text(text, ". ");
}

/* "12 of 53 joints broke away." Nothing of a single joint, whose sentence says it. */
static void add_break_aways(char **text, const run_data *run) {
    size_t known = 0, broke_away = 0;
    for (size_t j = 0; j < run->joint_count; j++) {
        const double events = run_data_figure(&run->joints[j], "stick_slip_events");
        if (!has_friction(&run->joints[j])) continue;
        known += isfinite(events);
        broke_away += events > 0;
    }
    if (known > 1) append_text(text, "%zu of %zu joints broke away. ", broke_away, known);
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
    append_text(text, "The largest friction was %s %s", short_of(largest).text,
                where->prismatic ? "N" : "N m");
    if (run->joint_count > 1) append_text(text, ", in %s", where->name);
    append_text(text, ". ");
}

/* Joints whose friction chatters are warned of above the sentences. */
static void add_chatter(char **text, const run_data *run) {
    bool known = false;
    for (size_t j = 0; j < run->joint_count; j++) {
        const json_t *stable = json_object_get(run->joints[j].summary, "stable");
        if (json_is_false(stable)) return;
        known = known || (json_is_true(stable) && has_friction(&run->joints[j]));
    }
    if (known) append_text(text, "No chatter. ");
}

static void add_bodies(char **text, const run_data *run) {
    for (size_t k = 0; k < run->body_count; k++) {
        const double falls = run_data_figure(&run->bodies[k], "falls");
        const double time = run_data_figure(&run->bodies[k], "fall_time");
        if (falls > 0 && !isnan(time))
            append_text(text, "%s fell at %s s. ", run->bodies[k].name, short_of(time).text);
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

/* A balance that is open by less than this share closes; the rest went into contacts and limits. */
static const double closed_balance = 0.01;

static void add_energy(char **text, const run_data *run) {
    const double heat = energy_of(run, "heat"), elsewhere = energy_of(run, "lost_elsewhere");
    const double nothing = energy_of(run, "from_nothing");
    if (isnan(heat) || isnan(elsewhere)) return;
    const double most = fmax(fmax(fabs(energy_of(run, "work_of_controllers")), fabs(heat)),
                             fabs(energy_of(run, "work_of_pushes")));
    AUTO_FREE char *sentence = copy_text("");
    if (heat > 0) append_text(&sentence, "; friction turned %s J into heat", short_of(heat).text);
    if (heat < 0) append_text(&sentence, "; friction gave %s J", short_of(-heat).text);
    if (fabs(elsewhere) > fmax(closed_balance * most, 1e-6))
        append_text(&sentence, "; contacts, limits and the integrator took %s J",
                    short_of(elsewhere).text);
    else if (most > 0)
        append_text(&sentence, "; the energy balance closes to %.1g %%",
                    fmax(100 * fabs(elsewhere) / most, 1e-3));
    if (nothing > 1e-3 * heat && nothing > 1e-6)
        append_text(&sentence, "; %s J came from nothing", short_of(nothing).text);
    if (!*sentence) return;
    sentence[2] = (char)toupper((unsigned char)sentence[2]);
    append_text(text, "%s. ", sentence + 2);
}

void run_sentences_print(FILE *out, const run_data *run) {
    AUTO_FREE char *text = copy_text("");
    if (run->sample_count) {
        add_bodies(&text, run);
        add_joint(&text, run);
        add_break_aways(&text, run);
        add_friction(&text, run);
        add_chatter(&text, run);
    }
    add_energy(&text, run);
    if (*text) page_element(out, "p class=\"summary\"", text);
}
