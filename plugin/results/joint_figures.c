/* SPDX-License-Identifier: MIT
 * The figures of a joint: what is accumulated from the samples, and the table. Memory does not grow
 * with the run.
 */
#include "joint_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hunting.h"
#include "step_response.h"
#include "turns.h"

/* A joint that has just stopped rings in its bristle for a while, which is no creep, s. */
static const double ringing_time = 0.5;
/* So long without motion at the end, and it has stopped, s: a joint that turns around is at rest
 * for a sample or two. */
static const double rest_time = 0.1;
/* If the foot of a bristle moves farther than this after the joint seemed to stop, rad or m, the
 * joint has not stopped: it slides slowly. */
static const double rest_range = 2e-3;

struct joint_record {
    double timestep;                /* s, the duration of a sample */
    double time, position, command; /* of the last sample */
    double error;                   /* of the last sample; NaN: no target */
    double peak_command;
    bool moved, rests;              /* so far; in the last sample, by its velocity */
    double last_motion;             /* s */
    double rest_anchor;             /* rad: the position of the bristle's foot then */
    double slow_for;                /* s: how long it took to slide by rest_range; 0: it did not */
    size_t stuck_steps, most_stuck; /* up to the last sample, and at most */
    double creep;                   /* of this time that it sticks */
    double break_aways;
    bool armed;         /* it has stuck since it last moved */
    double stuck_since; /* s */
    double anchor; /* rad: the position of the bristle's foot after sticking for ringing_time, */
    double anchor_since; /* s: and when that was */
    bool anchored;
    bool warms, level_moves;           /* its friction's temperature and levels do */
    double temperature;                /* the largest, deg C; NaN: not known */
    double least_level, largest_level; /* static ones; NaN: not known */
    friction_work friction;
    step_response response;
    hunting hunting;
    turns turns;
    double compensation, compensation_energy; /* N m in the last sample; J; NaN: not recorded */
};

joint_record *joint_records_create(size_t count, double timestep,
                                   const stiction_joint_def *friction) {
    joint_record *records = calloc(count + 1, sizeof *records);
    for (size_t k = 0; records && k < count; k++) {
        records[k].timestep = timestep;
        records[k].friction = friction_work_of(friction ? &friction[k] : NULL);
        records[k].error = records[k].creep = (double)NAN;
        const stiction_joint_def *def = friction ? &friction[k] : NULL;
        records[k].warms = joint_has_columns(def, COLUMN_WARMING);
        records[k].level_moves = joint_has_columns(def, COLUMN_LEVEL_MOVING);
        records[k].temperature = (double)NAN;
        records[k].least_level = records[k].largest_level = (double)NAN;
        records[k].compensation = records[k].compensation_energy = (double)NAN;
    }
    return records;
}

/* The position of the bristle's foot, which shows creep without the elastic motion. The deflection
 * includes the velocities up to this step, and so does the position of a semi-implicit integrator.
 */
static double anchor_of(const results_sample *s, size_t k) {
    return s->position[k] - sample_entry(s->friction.deflection, k);
}

/* How long it sticks, and creep: what the bristle's foot moves meanwhile. */
static void follow_sticking(joint_record *j, const results_sample *s, size_t k, bool sticks) {
    if (!sticks || !j->stuck_steps) {
        j->stuck_since = s->time;
        j->anchored = false;
    }
    j->stuck_steps = sticks ? j->stuck_steps + 1 : 0;
    if (j->stuck_steps > j->most_stuck) j->most_stuck = j->stuck_steps;
    const double stuck_for = s->time - j->stuck_since;
    if (!j->anchored && stuck_for >= ringing_time) {
        j->anchor = anchor_of(s, k);
        j->anchor_since = s->time;
        j->anchored = true;
    }
    if (stuck_for >= 2 * ringing_time)
        j->creep = (anchor_of(s, k) - j->anchor) / (s->time - j->anchor_since);
}

/* A breakaway: the joint stuck (or started at rest) and then slips; an oscillation of the bristle
 * does not count. */
static void follow_break_aways(joint_record *j, bool sticks, bool moves) {
    if (sticks && !moves) j->armed = true;
    if (j->armed && !sticks && moves) {
        j->break_aways++;
        j->armed = false;
    }
}

/* Whether it moves: fast, or so slowly that only the distance shows it. */
static bool follow_motion(joint_record *j, const results_sample *s, size_t k) {
    const double foot = anchor_of(s, k);
    const bool fast = fabs(s->velocity[k]) > RESULTS_MOTION;
    if (!j->rests) j->rest_anchor = foot; /* from here on it may slide slowly */
    j->rests = !fast;
    const bool slow = !fast && fabs(foot - j->rest_anchor) > rest_range;
    if (!fast && !slow) return false;
    j->slow_for = slow ? s->time - j->last_motion : 0;
    j->moved = true;
    j->last_motion = s->time;
    j->rest_anchor = foot;
    return true;
}

/* fmin and fmax ignore NaN */
static void follow_levels(joint_record *j, const results_sample *s, size_t k) {
    if (j->warms) j->temperature = fmax(j->temperature, sample_known(s->friction.temperature, k));
    if (!j->level_moves) return;
    j->least_level = fmin(j->least_level, sample_known(s->friction.static_level, k));
    j->largest_level = fmax(j->largest_level, sample_known(s->friction.static_level, k));
}

/* The work of the feed-forward: the torque of a sample times the motion to the next one. */
static void follow_compensation(joint_record *j, const results_sample *s, size_t k) {
    const double torque = s->compensation ? s->compensation[k] : (double)NAN;
    if (!isnan(j->compensation)) {
        const double work = j->compensation * (s->position[k] - j->position);
        j->compensation_energy =
            isnan(j->compensation_energy) ? work : j->compensation_energy + work;
    }
    j->compensation = torque;
}

static void add(joint_record *j, const results_sample *s, size_t k) {
    const bool sticks = s->friction.slipping && !s->friction.slipping[k];
    const bool moves = follow_motion(j, s, k);
    const double target = s->target ? s->target[k] : (double)NAN;
    follow_compensation(j, s, k);
    j->time = s->time;
    j->position = s->position[k];
    j->command = sample_entry(s->command, k);
    j->peak_command = fmax(j->peak_command, fabs(j->command));
    friction_work_add(&j->friction, s, k);
    j->error = target - s->position[k];
    follow_sticking(j, s, k, sticks);
    follow_break_aways(j, sticks, moves);
    follow_levels(j, s, k);
    step_response_add(&j->response, s->time, s->position[k], target);
    hunting_add(&j->hunting, s->time, s->position[k], s->velocity[k], target);
    turns_add(&j->turns, s->position[k], target);
}

void joint_records_add(joint_record *records, size_t count, const results_sample *s) {
    for (size_t k = 0; k < count; k++) add(&records[k], s, k);
}

/* ---- the table ---- */

static double final_position(const joint_record *j) {
    return j->position;
}

/* A joint that slides slowly has stopped once the next rest_range takes half as long again. */
static double stop_time(const joint_record *j) {
    const bool moves_on = j->moved && j->time - j->last_motion < fmax(rest_time, 1.5 * j->slow_for);
    return moves_on ? (double)NAN : j->last_motion;
}

static double stick_slip_events(const joint_record *j) {
    return j->break_aways;
}

static double peak_torque(const joint_record *j) {
    return j->peak_command;
}

static double final_torque(const joint_record *j) {
    return j->command;
}

static double tracking_error(const joint_record *j) {
    return j->error;
}

static double dissipated_energy(const joint_record *j) {
    return friction_work_heat(&j->friction);
}

/* Only for a joint that sticks at the end; earlier phases of sticking do not matter. */
static double creep(const joint_record *j) {
    const bool sticks = j->stuck_steps && j->time - j->stuck_since >= 2 * ringing_time;
    return sticks ? j->creep : (double)NAN;
}

static double rms_tracking_error(const joint_record *j) {
    return step_response_rms_error(&j->response);
}

static double overshoot(const joint_record *j) {
    return step_response_overshoot(&j->response);
}

static double settling_time(const joint_record *j) {
    return step_response_settling_time(&j->response);
}

static double amplitude_of_hunting(const joint_record *j) {
    return hunting_amplitude(&j->hunting);
}

static double period_of_hunting(const joint_record *j) {
    return hunting_period(&j->hunting);
}

static double reversals(const joint_record *j) {
    return turns_count(&j->turns);
}

static double compensation_energy(const joint_record *j) {
    return j->compensation_energy;
}

static double longest_stick(const joint_record *j) {
    return (double)j->most_stuck * j->timestep;
}

static double peak_temperature(const joint_record *j) {
    return j->temperature;
}

static double least_level(const joint_record *j) {
    return j->least_level;
}

static double peak_level(const joint_record *j) {
    return j->largest_level;
}

static const joint_figure figures[] = {
    {.name = "final_position",
     .title = "final position",
     .head = "stops at",
     .unit = "rad",
     .linear_unit = "m",
     .interest = 2,
     .total = FIGURE_NO_TOTAL,
     .description = "position at the end",
     .value = final_position},
    {.name = "stop_time",
     .title = "stop time",
     .head = "after",
     .unit = "s",
     .linear_unit = "s",
     .digits = 5,
     .interest = 3,
     .none = "never",
     .description = "last time at which the joint was faster than 0.001 rad/s (m/s) or its "
                    "bristle slipped by another 0.002 rad (m); 0 if it never moved; null if it "
                    "moved in the last 0.1 s or still slides slowly",
     .value = stop_time},
    {.name = "stick_slip_events",
     .title = "stick-slip events",
     .head = "breaks away",
     .unit = "",
     .linear_unit = "",
     .interest = 5,
     .total = FIGURE_SUM,
     .description = "number of break-aways after sticking",
     .value = stick_slip_events},
    {.name = "peak_torque",
     .title = "peak torque",
     .head = "peak",
     .unit = "N m",
     .linear_unit = "N",
     .digits = 4,
     .interest = 6,
     .description = "largest controller torque",
     .value = peak_torque},
    {.name = "final_torque",
     .title = "final torque",
     .unit = "N m",
     .linear_unit = "N",
     .description = "controller torque at the end",
     .value = final_torque},
    {.name = "tracking_error",
     .alias = "error",
     .title = "tracking error",
     .head = "error",
     .unit = "rad",
     .linear_unit = "m",
     .digits = 4,
     .interest = 1,
     .description = "target minus position at the end; null without a target",
     .value = tracking_error},
    {.name = "dissipated_energy",
     .title = "dissipated energy",
     .head = "heat",
     .unit = "J",
     .linear_unit = "J",
     .digits = 4,
     .interest = 7,
     .total = FIGURE_SUM,
     .description = "work against friction minus the energy stored in the bristle; negative if "
                    "unstable friction produced energy",
     .value = dissipated_energy},
    {.name = "creep",
     .title = "creep",
     .head = "creep",
     .unit = "rad/s",
     .linear_unit = "m/s",
     .digits = 2,
     .interest = 4,
     .description = "drift of the bristle while the joint sticks, without elastic motion; null "
                    "if the joint does not stick in the last second",
     .value = creep},
    {.name = "rms_tracking_error",
     .alias = "rms_error",
     .title = "RMS tracking error",
     .unit = "rad",
     .linear_unit = "m",
     .digits = 4,
     .interest = 12,
     .description = "root mean square of target minus position; null without a target",
     .value = rms_tracking_error},
    {.name = "overshoot",
     .title = "overshoot",
     .unit = "%",
     .linear_unit = "%",
     .digits = 4,
     .interest = 10,
     .description = "largest distance past the final target, in % of the step to it; null "
                    "without a target, if the target changed in the last 0.1 s, or for a step "
                    "below 0.001 rad (m)",
     .value = overshoot},
    {.name = "settling_time",
     .title = "settling time",
     .unit = "s",
     .linear_unit = "s",
     .digits = 5,
     .interest = 11,
     .description = "from the last change of the target until the error stays below 2 % of the "
                    "step, or below 0.001 rad (m) if that is more; null if not settled, or as "
                    "for overshoot",
     .value = settling_time},
    {.name = "hunting_amplitude",
     .title = "hunting amplitude",
     .head = "hunts by",
     .unit = "rad",
     .linear_unit = "m",
     .digits = 4,
     .interest = 8,
     .description = "half the peak-to-peak distance of a cycle around a constant target, mean "
                    "of all cycles; a cycle consists of two break-aways from rest in opposite "
                    "directions; null without hunting",
     .value = amplitude_of_hunting},
    {.name = "hunting_period",
     .title = "hunting period",
     .head = "every",
     .unit = "s",
     .linear_unit = "s",
     .digits = 4,
     .interest = 9,
     .description = "mean duration of these cycles; null without hunting",
     .value = period_of_hunting},
    {.name = "reversals",
     .title = "reversals",
     .unit = "",
     .linear_unit = "",
     .total = FIGURE_SUM,
     .description = "number of direction changes by more than 0.001 rad (m) since the last "
                    "change of the target; null without a target",
     .value = reversals},
    {.name = "compensation_energy",
     .title = "energy of compensation",
     .unit = "J",
     .linear_unit = "J",
     .digits = 4,
     .total = FIGURE_SUM,
     .description = "work of the friction compensation, from the column "
                    "`controller.JOINT.compensation`; null without it",
     .value = compensation_energy},
    {.name = "longest_stick",
     .title = "longest stick",
     .unit = "s",
     .linear_unit = "s",
     .digits = 4,
     .description = "longest time of uninterrupted sticking",
     .value = longest_stick},
    {.name = "peak_temperature",
     .title = "peak temperature",
     .unit = "deg C",
     .linear_unit = "deg C",
     .digits = 4,
     .description = "highest temperature of the joint's friction; null if it is constant",
     .value = peak_temperature},
    {.name = "least_level",
     .title = "least level",
     .unit = "N m",
     .linear_unit = "N",
     .digits = 4,
     .description = "smallest static torque of all steps; null if it is constant",
     .value = least_level},
    {.name = "peak_level",
     .title = "peak level",
     .unit = "N m",
     .linear_unit = "N",
     .digits = 4,
     .description = "largest static torque of all steps; null if it is constant",
     .value = peak_level},
};
enum { figure_count = sizeof figures / sizeof figures[0] };

const joint_figure *joint_figure_at(size_t index) {
    return index < figure_count ? &figures[index] : NULL;
}

const joint_figure *joint_figure_find(const char *name) {
    for (size_t k = 0; k < figure_count; k++)
        if (strcmp(figures[k].name, name) == 0 ||
            (figures[k].alias && strcmp(figures[k].alias, name) == 0))
            return &figures[k];
    return NULL;
}

/* How many come before: those of a smaller number. */
static size_t place_by_interest(const joint_figure *f) {
    size_t before = 0;
    for (size_t k = 0; k < figure_count; k++)
        before += figures[k].interest && figures[k].interest < f->interest;
    return before;
}

const joint_figure *joint_figure_by_interest(size_t index) {
    for (size_t k = 0; k < figure_count; k++)
        if (figures[k].interest && place_by_interest(&figures[k]) == index) return &figures[k];
    return NULL;
}

const char *joint_figure_unit(const joint_figure *f, bool prismatic) {
    return prismatic ? f->linear_unit : f->unit;
}

static bool is_angle(const joint_figure *f, bool prismatic) {
    return strcmp(joint_figure_unit(f, prismatic), "rad") == 0;
}

const char *joint_figure_shown_unit(const joint_figure *f, bool prismatic) {
    return is_angle(f, prismatic) ? "deg" : joint_figure_unit(f, prismatic);
}

double joint_figure_shown(const joint_figure *f, bool prismatic, double value) {
    static const double degree = 3.141592653589793 / 180;
    return is_angle(f, prismatic) ? value / degree : value;
}

double joint_records_value(const joint_record *records, size_t joint, const joint_figure *f) {
    return f->value(&records[joint]);
}

const friction_work *joint_records_friction(const joint_record *records, size_t joint) {
    return &records[joint].friction;
}
