/* SPDX-License-Identifier: MIT */
/* A hand that pulls a handle along a script. */
#include "scripted_hand.h"

#include <math.h>
#include <stdlib.h>

#include "common/command.h"

static const double pi = 3.141592653589793;

/* ---- the script ---- */

static double line_length(const hand_stroke *s) {
    return hypot(s->to[0] - s->from[0], s->to[1] - s->from[1]);
}

static double stroke_length(const hand_stroke *s) {
    return line_length(s) + s->radius * s->turn;
}

/* At a steady speed but for two linear ramps, which a short stroke cuts. */
static double ramp_time(const scripted_hand *hand, const hand_stroke *s) {
    return fmin(hand->ramp, stroke_length(s) / s->speed);
}

static double moving_time(const scripted_hand *hand, const hand_stroke *s) {
    return stroke_length(s) / s->speed + ramp_time(hand, s);
}

static double travelled(const scripted_hand *hand, const hand_stroke *s, double t) {
    const double ramp = ramp_time(hand, s), left = moving_time(hand, s) - t;
    if (left <= 0) return stroke_length(s);
    if (t < ramp) return s->speed * t * t / (2 * ramp);
    if (left < ramp) return stroke_length(s) - s->speed * left * left / (2 * ramp);
    return s->speed * (t - ramp / 2);
}

/* Where the hand is after a distance on the stroke. */
static void place(const hand_stroke *s, double distance, double at[2]) {
    const double length = line_length(s);
    const double along[2] = {(s->to[0] - s->from[0]) / length, (s->to[1] - s->from[1]) / length};
    const double straight = fmin(distance, length);
    const double angle = s->radius > 0 ? (distance - straight) / s->radius : 0;
    const double ahead = straight + s->radius * sin(angle), left = s->radius * (1 - cos(angle));
    at[0] = s->from[0] + ahead * along[0] - left * along[1];
    at[1] = s->from[1] + ahead * along[1] + left * along[0];
}

static void find_phase(const hand_stroke *s, double distance, double rested, hand_sample *sample) {
    const double length = line_length(s);
    if (rested > 0) {
        sample->phase = HAND_AT_REST;
        sample->progress = rested / s->rest;
    } else if (distance > length) {
        sample->phase = HAND_ON_ARC;
        sample->progress = (distance - length) / (s->radius * s->turn);
    } else {
        sample->phase = HAND_ON_LINE;
        sample->progress = distance / length;
    }
}

/* The hand's force on the handle, t into a stroke. */
static void pull(const scripted_hand *hand, const hand_stroke *s, double t, double T,
                 const hand_sample *handle, double force[2]) {
    double here[2], before[2];
    place(s, travelled(hand, s, t), here);
    place(s, travelled(hand, s, fmax(t - T, 0)), before);
    const double phase = 2 * pi * t / hand->tremor_period;
    const double tremor[2] = {sin(phase) + 0.4 * sin(5 * phase), 0.8 * cos(3 * phase)};
    const bool resting = t > moving_time(hand, s);
    for (int i = 0; i < 2; i++)
        force[i] = hand->stiffness * (here[i] - handle->position[i]) +
                   hand->damping * ((here[i] - before[i]) / T - handle->velocity[i]) +
                   (resting ? s->tremor * tremor[i] : 0);
}

/* ---- a rendering ---- */

static long step_count(const scripted_hand *hand, const hand_stroke *s, double T) {
    return lround((moving_time(hand, s) + s->rest) / T);
}

scripted_hand scripted_hand_of(const experiment *self, const hand_stroke *strokes, size_t count) {
    return (scripted_hand){strokes,
                           count,
                           param(self, "hand stiffness"),
                           param(self, "hand damping"),
                           param(self, "ramp"),
                           param(self, "tremor period")};
}

hand_record hand_play(const scripted_hand *hand, double T, hand_handle step, void *handle) {
    hand_record record = {NULL, 0};
    size_t steps = 0;
    for (size_t n = 0; n < hand->count; n++)
        steps += (size_t)step_count(hand, &hand->strokes[n], T);
    record.samples = allocate(steps, sizeof *record.samples);
    hand_sample now = {.time = 0, .position = {hand->strokes[0].from[0], hand->strokes[0].from[1]}};
    for (size_t n = 0; n < hand->count; n++) {
        const hand_stroke *s = &hand->strokes[n];
        now.stroke = n;
        for (long k = 1; k <= step_count(hand, s, T); k++) {
            const double t = (double)k * T;
            double force[2];
            pull(hand, s, t, T, &now, force);
            if (!step(handle, force, now.velocity, now.force)) {
                hand_record_release(&record);
                return record;
            }
            for (int i = 0; i < 2; i++) now.position[i] += T * now.velocity[i];
            now.time += T;
            find_phase(s, travelled(hand, s, t), t - moving_time(hand, s), &now);
            record.samples[record.count++] = now;
        }
    }
    return record;
}

void hand_record_release(hand_record *record) {
    free(record->samples);
    *record = (hand_record){NULL, 0};
}

/* ---- what to see of it ---- */

static bool begins(const hand_record *record, size_t k) {
    const hand_sample *s = &record->samples[k];
    return k == 0 || k + 1 == record->count || s->stroke != s[-1].stroke ||
           (s->phase == HAND_ON_ARC && s[-1].phase != HAND_ON_ARC);
}

static void draw_trajectory(const hand_record *record, experiment_run *out, double interval,
                            double scale, const char *force_label, const char *points_label) {
    experiment_plot *plot = add_plot(out, "Trajectory and force", "x (m)", "y (m)");
    experiment_curve *forces = add_curve(plot, force_label);
    experiment_curve *path = add_dots(plot, "handle, every 10 ms");
    experiment_curve *points = add_dots(plot, points_label);
    double next = 0, next_dot = 0;
    for (size_t k = 0; k < record->count; k++) {
        const hand_sample *s = &record->samples[k];
        const double x = s->position[0], y = s->position[1];
        if (begins(record, k)) add_point(points, x, y);
        if (s->time >= next_dot) {
            add_point(path, x, y);
            next_dot += 0.01;
        }
        if (s->time < next) continue;
        add_point(forces, x, y);
        add_point(forces, x + scale * s->force[0], y + scale * s->force[1]);
        add_point(forces, x, (double)NAN);
        next += interval;
    }
}

void hand_draw(const hand_record *record, experiment_run *out, double interval,
               double metre_per_newton, const char *force_label, const char *points_label,
               const char *magnitude_title) {
    draw_trajectory(record, out, interval, metre_per_newton, force_label, points_label);
    experiment_plot *place_plot =
        add_plot(out, "Coordinates of the handle", "time (s)", "position (m)");
    experiment_plot *force_plot = add_plot(out, magnitude_title, "time (s)", "force (N)");
    experiment_curve *x = add_curve(place_plot, "x");
    experiment_curve *y = add_curve(place_plot, "y");
    experiment_curve *force = add_curve(force_plot, "force");
    for (size_t k = 0; k < record->count; k++) {
        const hand_sample *s = &record->samples[k];
        add_point(x, s->time, s->position[0]);
        add_point(y, s->time, s->position[1]);
        add_point(force, s->time, hypot(s->force[0], s->force[1]));
    }
}

static double angle_of_force(const hand_sample *s) {
    const double *v = s->velocity, *f = s->force;
    return atan2(v[0] * f[1] - v[1] * f[0], v[0] * f[0] + v[1] * f[1]) * 180 / pi;
}

static double distance(const hand_sample *a, const hand_sample *b) {
    return hypot(a->position[0] - b->position[0], a->position[1] - b->position[1]);
}

static bool counts(const hand_sample *s, size_t stroke, hand_phase phase) {
    return s->stroke == stroke && s->phase == phase && s->progress > 0.5 && s->progress < 0.85;
}

hand_summary hand_summarize(const hand_record *record, size_t stroke, hand_phase phase) {
    const hand_sample *first = NULL;
    hand_summary sum = {.least_force = (double)INFINITY};
    double count = 0;
    for (size_t k = 0; k < record->count; k++) {
        const hand_sample *s = &record->samples[k];
        if (!counts(s, stroke, phase)) continue;
        if (!first) first = s;
        const double force = hypot(s->force[0], s->force[1]), angle = angle_of_force(s);
        sum.least_force = fmin(sum.least_force, force);
        sum.largest_force = fmax(sum.largest_force, force);
        sum.mean_force += force;
        sum.mean_angle += angle;
        sum.largest_angle = fmax(sum.largest_angle, fabs(angle));
        sum.range = fmax(sum.range, distance(s, first));
        count++;
    }
    sum.mean_angle /= count;
    sum.mean_force /= count;
    return sum;
}

double hand_drift(const hand_record *record, size_t stroke, double period) {
    double most = (double)NAN;
    const hand_sample *last = NULL; /* a period ago */
    for (size_t k = 0; k < record->count; k++) {
        const hand_sample *s = &record->samples[k];
        if (!counts(s, stroke, HAND_AT_REST)) continue;
        if (!last) last = s;
        if (s->time - last->time < period * (1 - 1e-9)) continue;
        most = fmax(most, distance(s, last)); /* fmax leaves a NaN behind */
        last++;
    }
    return most;
}
