/* SPDX-License-Identifier: MIT
 * The figures of a joint: what is accumulated from the samples, and the table. Memory does not grow
 * with the run.
 */
#include "joint_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the answer to a target ---- */

/* A target that changed less than this time before the end still moves; a joint that left its band
 * in this time has not settled, s. */
static const double target_rest = 0.1;
/* The band around the target: this part of the step, but not less than so many rad (m). */
static const double band = 0.02, least_band = 1e-3;

/* Errors on the way and, since the target took its last value, how far the joint went beyond it and
 * when it settled there. */
typedef struct step_response {
    bool begun;
    double first_position; /* rad */
    double target;         /* rad; NaN: none at present */
    double since;          /* s: the target has this value from then on */
    double beyond;         /* rad: the farthest beyond it, in the direction of the step */
    bool was_outside;
    double last_outside; /* s: the last time that it was outside of the band */
    double time;         /* s: of the last sample */
    double error_squares;
    size_t errors;      /* samples with a target */
    double least, most; /* target so far, rad */
} step_response;

static double step_of(const step_response *r) {
    return r->target - r->first_position;
}

static void begin_step(step_response *r, double time, double target) {
    r->target = target;
    r->since = time;
    r->beyond = 0;
    r->was_outside = false;
}

static void step_response_add(step_response *r, double time, double position, double target) {
    if (!r->begun) {
        r->begun = true;
        r->first_position = position;
        begin_step(r, time, target);
    }
    r->time = time;
    if (target != r->target) begin_step(r, time, target); /* so does NaN, every time */
    if (isnan(target)) return;
    const double error = target - position, step = step_of(r);
    r->error_squares += error * error;
    r->least = r->errors ? fmin(r->least, target) : target;
    r->most = r->errors ? fmax(r->most, target) : target;
    r->errors++;
    r->beyond = fmax(r->beyond, copysign(1, step) * -error);
    if (fabs(error) > fmax(band * fabs(step), least_band)) {
        r->was_outside = true;
        r->last_outside = time;
    }
}

/* Root of the mean square of target minus position; NaN without a target. */
static double rms_error_of(const step_response *r) {
    return r->errors ? sqrt(r->error_squares / (double)r->errors) : (double)NAN;
}

static bool target_rests(const step_response *r) {
    return r->begun && !isnan(r->target) && r->time - r->since >= target_rest;
}

/* In % of the step from the first position to the final target. */
static double overshoot_of(const step_response *r) {
    const double step = fabs(step_of(r));
    if (!target_rests(r) || step < least_band) return (double)NAN;
    return 100 * r->beyond / step;
}

/* From the last change of the target to the last time outside of the band, s. */
static double settling_time_of(const step_response *r) {
    if (!target_rests(r)) return (double)NAN;
    if (!r->was_outside) return 0;
    return r->time - r->last_outside >= target_rest ? r->last_outside - r->since : (double)NAN;
}
/* ---- hunting ---- */

/* A joint with stiction under integral action comes to rest beside its target, breaks away, comes
 * to rest on the other side, and so on. A cycle is the time from a breakaway to the next one in the
 * same direction, with one in the other direction in between. */

/* A joint is at rest when it has not moved for this long, s. */
static const double hunting_rest = 0.1;

/* From a turn to the next. */
typedef struct hunting_swing {
    double since;     /* s */
    double low, high; /* rad */
} hunting_swing;

typedef struct hunting {
    bool begun;
    double target;      /* rad; another one starts over */
    bool moved;         /* towards it, so that the next rest is one of this motion */
    bool still;         /* without motion now */
    double still_since; /* s */
    bool at_rest;       /* so long that it is a rest */
    int direction;      /* of the last break-away from rest, 1 or -1; 0: none yet */
    size_t turns;
    hunting_swing swing, before; /* since the last turn, and from the one before to it */
    size_t cycles;
    double amplitudes, periods; /* their sums */
} hunting;

/* The last two swings are a cycle where it is about the target, not on one side of it. */
static void count_cycle(hunting *h, double time) {
    const double low = fmin(h->before.low, h->swing.low),
                 high = fmax(h->before.high, h->swing.high);
    if (!(low <= h->target && h->target <= high)) return;
    h->cycles++;
    h->amplitudes += (high - low) / 2;
    h->periods += time - h->before.since;
}

static void break_away(hunting *h, double time, double position, int direction) {
    if (direction == -h->direction) {
        if (h->turns >= 2) count_cycle(h, time);
        h->turns++;
        h->before = h->swing;
        h->swing = (hunting_swing){time, position, position};
    }
    h->direction = direction;
}

static void hunting_add(hunting *h, double time, double position, double velocity, double target) {
    if (!h->begun || target != h->target) *h = (hunting){.begun = true, .target = target};
    h->swing.low = fmin(h->swing.low, position);
    h->swing.high = fmax(h->swing.high, position);
    if (fabs(velocity) > RESULTS_MOTION) {
        if (h->at_rest) break_away(h, time, position, velocity > 0 ? 1 : -1);
        h->moved = true;
        h->still = h->at_rest = false;
        return;
    }
    if (!h->still) {
        h->still = true;
        h->still_since = time;
    }
    h->at_rest = h->moved && time - h->still_since >= hunting_rest;
}

/* The mean of all cycles; NaN if there is none. */
static double mean_of_cycles(const hunting *h, double sum) {
    return h->cycles ? sum / (double)h->cycles : (double)NAN;
}

/* ---- turns ---- */

/* A motion back by less than this is elastic motion of the bristle, rad (m). */
static const double least_turn = 1e-3;

/* How often a joint went back by more than a little while its target rests. Unlike hunting this
 * needs no rests: a joint that swings turns around, too. */
typedef struct turns {
    bool begun;
    double target;          /* rad; another one starts over */
    int direction;          /* 1 or -1; 0: it has not moved yet */
    double farthest, other; /* rad: in the direction, and, before there is one, on the other side */
    size_t count;
} turns;

/* The initial direction. */
static void find_direction(turns *t, double position) {
    t->farthest = fmax(t->farthest, position);
    t->other = fmin(t->other, position);
    if (t->farthest - t->other <= least_turn) return;
    t->direction = position == t->farthest ? 1 : -1;
    t->farthest = position;
}

static void turns_add(turns *t, double position, double target) {
    if (!t->begun || target != t->target) /* so does NaN, every time */
        *t = (turns){.begun = true, .target = target, .farthest = position, .other = position};
    if (!t->direction) {
        find_direction(t, position);
        return;
    }
    const double back = t->direction * (t->farthest - position);
    if (back <= 0) t->farthest = position;
    if (back <= least_turn) return;
    t->count++;
    t->direction = -t->direction;
    t->farthest = position;
}

/* NaN without a target. */
static double turns_count(const turns *t) {
    return t->begun && !isnan(t->target) ? (double)t->count : (double)NAN;
}

/* ---- what is known of a joint ---- */

/* A joint that has just stopped rings in its bristle for a while, which is not creep, s. */
static const double ringing_time = 0.5;
/* A joint has stopped if it does not move for this long at the end, s: one that turns around is
 * at rest for a sample or two. */
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

static void add_sample(joint_record *j, const results_sample *s, size_t k) {
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
    for (size_t k = 0; k < count; k++) add_sample(&records[k], s, k);
}

/* ---- the table ---- */

/* A joint that slides slowly has stopped once the next rest_range takes half as long again. */
static double stop_time(const joint_record *j) {
    const bool moves_on = j->moved && j->time - j->last_motion < fmax(rest_time, 1.5 * j->slow_for);
    return moves_on ? (double)NAN : j->last_motion;
}

/* Only for a joint that sticks at the end; earlier phases of sticking do not matter. */
static double creep_at_the_end(const joint_record *j) {
    const bool sticks = j->stuck_steps && j->time - j->stuck_since >= 2 * ringing_time;
    return sticks ? j->creep : (double)NAN;
}

/*
 * FIGURE(name, alias, title, head, unit, digits, interest, total, text of null, value of a joint j,
 *        description): the members of joint_figure.
 */
#define FIGURES(FIGURE)                                                                            \
    FIGURE(final_position, NULL, "final position", "stops at", "rad", 0, 2, FIGURE_NO_TOTAL, NULL, \
           j->position, "position at the end")                                                     \
    FIGURE(stop_time, NULL, "stop time", "after", "s", 5, 3, FIGURE_LARGEST, "never",              \
           stop_time(j),                                                                           \
           "last time at which the joint was faster than 0.001 rad/s (m/s) or its bristle "        \
           "slipped by another 0.002 rad (m); 0 if it never moved; null if it moved in the last "  \
           "0.1 s or still slides slowly")                                                         \
    FIGURE(stick_slip_events, NULL, "stick-slip events", "breaks away", "", 0, 5, FIGURE_SUM,      \
           NULL, j->break_aways, "number of break-aways after sticking")                           \
    FIGURE(peak_torque, NULL, "peak torque", "peak", "N m", 4, 6, FIGURE_LARGEST, NULL,            \
           j->peak_command, "largest controller torque")                                           \
    FIGURE(final_torque, NULL, "final torque", NULL, "N m", 0, 0, FIGURE_LARGEST, NULL,            \
           j->command, "controller torque at the end")                                             \
    FIGURE(tracking_error, "error", "tracking error", "error", "rad", 4, 1, FIGURE_LARGEST, NULL,  \
           j->error, "target minus position at the end; null without a target")                    \
    FIGURE(dissipated_energy, NULL, "dissipated energy", "heat", "J", 4, 7, FIGURE_SUM, NULL,      \
           friction_work_heat(&j->friction),                                                       \
           "work against friction minus the energy stored in the bristle; negative if unstable "   \
           "friction produced energy")                                                             \
    FIGURE(creep, NULL, "creep", "creep", "rad/s", 2, 4, FIGURE_LARGEST, NULL,                     \
           creep_at_the_end(j),                                                                    \
           "drift of the bristle while the joint sticks, without elastic motion; null if the "     \
           "joint does not stick in the last second")                                              \
    FIGURE(rms_tracking_error, "rms_error", "RMS tracking error", NULL, "rad", 4, 12,              \
           FIGURE_LARGEST, NULL, rms_error_of(&j->response),                                       \
           "root mean square of target minus position; null without a target")                     \
    FIGURE(target_range, NULL, "target range", NULL, "rad", 4, 0, FIGURE_LARGEST, NULL,            \
           j->response.errors ? j->response.most - j->response.least : (double)NAN,                \
           "largest minus smallest target; null without a target")                                 \
    FIGURE(overshoot, NULL, "overshoot", NULL, "%", 4, 10, FIGURE_LARGEST, NULL,                   \
           overshoot_of(&j->response),                                                             \
           "largest distance past the final target, in % of the step to it; null without a "       \
           "target, if the target changed in the last 0.1 s, or for a step below 0.001 rad (m)")   \
    FIGURE(settling_time, NULL, "settling time", NULL, "s", 5, 11, FIGURE_LARGEST, NULL,           \
           settling_time_of(&j->response),                                                         \
           "from the last change of the target until the error stays below 2 % of the step, or "   \
           "below 0.001 rad (m) if that is more; null if not settled, or as for overshoot")        \
    FIGURE(hunting_amplitude, NULL, "hunting amplitude", "hunts by", "rad", 4, 8, FIGURE_LARGEST,  \
           NULL, mean_of_cycles(&j->hunting, j->hunting.amplitudes),                               \
           "half the peak-to-peak distance of a cycle around a constant target, mean of all "      \
           "cycles; a cycle consists of two break-aways from rest in opposite directions; null "   \
           "without hunting")                                                                      \
    FIGURE(hunting_period, NULL, "hunting period", "every", "s", 4, 9, FIGURE_LARGEST, NULL,       \
           mean_of_cycles(&j->hunting, j->hunting.periods),                                        \
           "mean duration of these cycles; null without hunting")                                  \
    FIGURE(reversals, NULL, "reversals", NULL, "", 0, 0, FIGURE_SUM, NULL, turns_count(&j->turns), \
           "number of direction changes by more than 0.001 rad (m) since the last change of the "  \
           "target; null without a target")                                                        \
    FIGURE(compensation_energy, NULL, "energy of compensation", NULL, "J", 4, 0, FIGURE_SUM, NULL, \
           j->compensation_energy,                                                                 \
           "work of the friction compensation, from the column `controller.JOINT.compensation`; "  \
           "null without it")                                                                      \
    FIGURE(longest_stick, NULL, "longest stick", NULL, "s", 4, 0, FIGURE_LARGEST, NULL,            \
           (double)j->most_stuck * j->timestep, "longest time of uninterrupted sticking")          \
    FIGURE(peak_temperature, NULL, "peak temperature", NULL, "deg C", 4, 0, FIGURE_LARGEST, NULL,  \
           j->temperature, "highest temperature of the joint's friction; null if it is constant")  \
    FIGURE(least_level, NULL, "least level", NULL, "N m", 4, 0, FIGURE_LARGEST, NULL,              \
           j->least_level, "smallest static torque of all steps; null if it is constant")          \
    FIGURE(peak_level, NULL, "peak level", NULL, "N m", 4, 0, FIGURE_LARGEST, NULL,                \
           j->largest_level, "largest static torque of all steps; null if it is constant")

#define FIGURE(name, alias, title, head, unit, digits, interest, total, none, value, description)  \
    static double value_of_##name(const joint_record *j) {                                         \
        return value;                                                                              \
    }
FIGURES(FIGURE)
#undef FIGURE

#define FIGURE(name, alias, title, head, unit, digits, interest, total, none, value, description)  \
    {#name, alias, title, head, unit, digits, interest, total, none, description, value_of_##name},
static const joint_figure figures[] = {FIGURES(FIGURE)};
#undef FIGURE
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
    return prismatic ? joint_linear_unit(f->unit) : f->unit;
}

const char *joint_figure_shown_unit(const joint_figure *f, bool prismatic) {
    const char *unit = joint_figure_unit(f, prismatic);
    return strcmp(unit, "rad") == 0 ? "deg" : unit;
}

double joint_unit_shown(const char *unit, double value) {
    /* The noise of a step on values of size 1 is about 1e-16, and grows over a run. */
    static const double degree = 3.141592653589793 / 180, noise = 1e-10;
    if (fabs(value) < noise) return 0;
    return strcmp(unit, "rad") == 0 ? value / degree : value;
}

double joint_figure_shown(const joint_figure *f, bool prismatic, double value) {
    return joint_unit_shown(joint_figure_unit(f, prismatic), value);
}

double joint_records_value(const joint_record *records, size_t joint, const joint_figure *f) {
    return f->value(&records[joint]);
}

const friction_work *joint_records_friction(const joint_record *records, size_t joint) {
    return &records[joint].friction;
}

void joint_records_set_chatter(joint_record *records, size_t joint, const chatter *c) {
    records[joint].friction.signs = *c;
    records[joint].friction.chatters = false;
}

void joint_records_end_chatter(joint_record *records, size_t joint) {
    joint_records_set_chatter(records, joint, &(chatter){0});
}

void joint_records_jump(joint_record *records, size_t count) {
    for (size_t k = 0; k < count; k++) records[k].friction.started = false;
}
