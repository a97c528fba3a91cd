/* SPDX-License-Identifier: MIT
 * Positions against velocities. Whatever the integrator, a joint moves in a step by the time step
 * times a velocity between that at its start and that at its end; sums of these bounds hold for any
 * number of steps, and rounding of positions enters but once.
 */
#include "velocity_check.h"

#include <math.h>
#include <stddef.h>

/* A joint that is put elsewhere moves in one step; one that moves does so again and again. */
enum { fewest_silent_steps = 3, fewest_steps = 10, correction_steps = 10 };
/* A window of steps: a part of the motion, or of the time if there is little motion. */
enum { window_steps = 100, longest_window = 500 };

/* rad or m: twice what rounding to 24 bits moves a position near 1. */
static const double rounding = 2.4e-7;
/* rad or m: far above what stops and contacts correct in positions alone. */
static const double smallest_gap = 1e-3, largest_gap = 1e-2, window_path = 0.2;
/* rad/s or m/s: slower gaps, as of a solver that works in positions, are given back as they grow.
 */
static const double slowest_gap = 5e-2;
/* rad or m in a step: what solvers correct in positions is far below. */
static const double smallest_correction = 1e-5, largest_correction = 1e-3;
/* Of the path; a velocity of half or twice the size leaves a half. */
static const double gap_share = 0.4;
/* Of the gap: a joint that moved less stood. rad or m: one that moves farther in a window moves. */
static const double standing_share = 0.2, standing_range = 5e-3;

static const double pi = 3.14159265358979323846;

/* Some simulators give the angle of a hinge in one turn: it jumps at its end. */
static double displacement(double from, double to) {
    const double d = to - from;
    return fabs(d) > pi ? remainder(d, 2 * pi) : d;
}

static void open_window(velocity_check *c) {
    c->moved = c->least = c->most = c->path = c->gap = c->begun = c->jump = 0;
    c->steps = 0;
}

/* Adds a step from velocity v to w that moved the joint by d. */
static void add_step(velocity_check *c, double T, double d, double v, double w) {
    const double least = T * fmin(v, w), most = T * fmax(v, w);
    c->moved += d;
    c->least += least;
    c->most += most;
    c->path += fmax(fabs(d), fmax(least, -most));
    const double gap = fmax(fmax(c->least - c->moved, c->moved - c->most), 0);
    c->jump = fmax(c->jump, gap - c->gap);
    c->gap = gap;
    if (gap < smallest_gap) c->begun = c->moved;
    c->steps++;
}

static bool is_contradicted(const velocity_check *c, double T) {
    const double gap = c->gap - c->jump; /* a joint that is put elsewhere has no other */
    return c->steps >= fewest_steps && gap > largest_gap && gap > gap_share * c->path &&
           gap > slowest_gap * T * c->steps;
}

/* As long as no velocity is given. */
static velocity_source find_silence(velocity_check *c, double d) {
    c->moved += d;
    if (d != 0) c->silent_steps++;
    const bool moves = fabs(c->moved) > rounding * fmax(1, fabs(c->position));
    return c->silent_steps >= fewest_silent_steps && moves ? VELOCITY_MISSING : VELOCITY_GIVEN;
}

static velocity_source find_contradiction(velocity_check *c, double T, double d, double given) {
    const bool is_long = c->path > window_path || c->steps >= longest_window;
    if (c->steps >= window_steps && is_long) open_window(c);
    add_step(c, T, d, c->velocity, given);
    if (!is_contradicted(c, T)) return VELOCITY_GIVEN;
    if (fabs(c->moved - c->begun) > fmin(standing_share * c->gap, largest_gap))
        return VELOCITY_CONTRADICTED;
    open_window(c);
    c->lies = 0;
    return VELOCITY_STANDING;
}

/*
 * A solver that stops a joint, by a grip or in a loop, may leave it the velocity that it took away.
 * That is no wrong simulator; but one that gives degrees looks alike, until the joint moves: then
 * its velocities are believed again, or are found to lie in one window after the other.
 */
static velocity_source watch_standing(velocity_check *c, double T, double d, double given) {
    add_step(c, T, d, c->velocity, given);
    if (c->steps < window_steps) return VELOCITY_STANDING;
    const bool moves = fabs(c->moved) > standing_range, lies = is_contradicted(c, T);
    if (moves && !lies) return VELOCITY_GIVEN;
    c->lies = moves ? c->lies + 1 : 0;
    if (c->lies == 2) return VELOCITY_CONTRADICTED;
    open_window(c);
    return VELOCITY_STANDING;
}

static velocity_source find_source(velocity_check *c, double T, double d, double given) {
    switch (c->source) {
    case VELOCITY_GIVEN:
        return c->has_given ? find_contradiction(c, T, d, given) : find_silence(c, d);
    case VELOCITY_STANDING:
        return watch_standing(c, T, d, given);
    default:
        return c->source;
    }
}

/*
 * What the joint moved beyond its velocities, given back over some steps, so that what friction
 * holds is the position. Sums of velocities at the start and at the end of steps differ by
 * T (v_n - v_0), whatever the number of steps: any integrator lies between, up to T^2 of its
 * acceleration. Within that, and rounding, a velocity stays as it is given.
 */
static double unseen_velocity(velocity_check *c, double T, double position, double d,
                              double given) {
    const double least = T * fmin(c->velocity, given), most = T * fmax(c->velocity, given);
    if (d < least - largest_correction || d > most + largest_correction) return 0; /* put there */
    if (fabs(d - T * given) > rounding * fmax(1, fabs(position))) {
        c->unseen += d - T * given;
        c->change += T * (c->velocity - given);
    }
    const double slack = smallest_correction + T * fabs(given - c->velocity);
    const double low = fmin(0, c->change) - slack, high = fmax(0, c->change) + slack;
    const double excess = c->unseen - fmin(fmax(c->unseen, low), high);
    const double correction = excess / correction_steps;
    c->unseen -= correction;
    return correction / T;
}

/* No motion is so far, so fast or so slow, and nothing within it overflows. */
static const double farthest = 1e90, shortest_step = 1e-30, longest_step = 1e30;

static bool is_usable(double T, double position, double given) {
    return T >= shortest_step && T <= longest_step && fabs(position) <= farthest &&
           fabs(given) <= farthest;
}

double velocity_check_step(velocity_check *c, double T, double position, double given) {
    if (!is_usable(T, position, given)) {
        *c = (velocity_check){0};
        return given;
    }
    const double d = c->has_last ? displacement(c->position, position) : 0;
    /* what is found may be what was written here */
    if (!c->has_given && given != 0 && given != c->written) {
        c->has_given = true;
        c->source = VELOCITY_GIVEN;
        open_window(c);
    } else if (c->has_last) {
        c->source = find_source(c, T, d, given);
    }
    if (c->source != VELOCITY_GIVEN) {
        c->written = d / T;
        c->unseen = c->change = 0;
    } else {
        c->written =
            given + (c->has_given && c->has_last ? unseen_velocity(c, T, position, d, given) : 0);
    }
    c->has_last = true;
    c->position = position;
    c->velocity = given;
    return c->written;
}

const char *velocity_source_fault(velocity_source source) {
    switch (source) {
    case VELOCITY_GIVEN:
        return NULL;
    case VELOCITY_MISSING:
        return "no velocity, while it moves";
    case VELOCITY_STANDING:
        return "a velocity, while it stands";
    case VELOCITY_CONTRADICTED:
        break;
    }
    return "a velocity that is not that of its motion";
}
