/* SPDX-License-Identifier: MIT
 * What the samples of a body come to. Memory does not grow with the run.
 */
#include "body_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So long without a touch and a sole is off the floor, s: contacts of simulators flicker. */
static const double lift_time = 0.02;
/* What a body does while it settles on the floor is not the controller's, s. */
static const double settling_time = 0.1;

body_record *body_record_create(double mass, size_t link_count, double timestep) {
    body_record *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    const double none = (double)NAN;
    *r = (body_record){.mass = mass,
                       .timestep = timestep,
                       .link_count = link_count,
                       .error_end = {none, none, none},
                       .error_max = {none, none, none},
                       .cop_max = none,
                       .cop_end = {none, none},
                       .last_asked = {none, none, none},
                       .start_height = none,
                       .floor = none,
                       .fall_time = none,
                       .kp = none};
    r->soles = calloc(link_count + 1, sizeof *r->soles);
    if (r->soles) return r;
    free(r);
    return NULL;
}

void body_record_destroy(body_record *r) {
    if (!r) return;
    free(r->series.values);
    free(r->soles);
    free(r);
}

void body_record_set_pull(body_record *r, const push *pull, double kp) {
    r->pulled = true;
    r->pull = *pull;
    r->kp = kp;
}

static void add_square(squares *s, double value) {
    s->sum += value;
    s->count++;
}

static void follow_errors(body_record *r, const body_sample *s) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        r->error_end[i] = s->com_error[i];
        square += s->com_error[i] * s->com_error[i];
        if (!(fabs(s->com_error[i]) <= fabs(r->error_max[i]))) r->error_max[i] = s->com_error[i];
    }
    if (isfinite(square)) add_square(&r->error, square);
}

/* What the step before came to: the velocity that it made, and what was asked in it. */
static void follow_acceleration(body_record *r, const body_sample *s) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double real = (s->com_velocity[i] - r->last_velocity[i]) / r->timestep;
        square += (real - r->last_asked[i]) * (real - r->last_asked[i]);
        r->last_velocity[i] = s->com_velocity[i];
        r->last_asked[i] = s->com_asked[i];
    }
    if (r->samples && isfinite(square)) add_square(&r->acceleration, square);
}

static void follow_cop(body_record *r, double time, const body_sample *s) {
    memcpy(r->cop_end, s->cop, sizeof r->cop_end);
    const double off = hypot(s->cop[0] - s->cop_asked[0], s->cop[1] - s->cop_asked[1]);
    if (!isfinite(off) || time < settling_time) return;
    add_square(&r->cop, off * off);
    if (!(off <= r->cop_max)) r->cop_max = off;
}

static void follow_soles(body_record *r, double time, const body_sample *s) {
    for (size_t k = 0; k < s->touch_count; k++) {
        const body_touch *touch = &s->touches[k];
        if (touch->link >= r->link_count) continue;
        sole *f = &r->soles[touch->link];
        if (!f->down || time - f->last_time > lift_time) {
            f->down = true;
            memcpy(f->since, touch->position, sizeof f->since);
        }
        f->last_time = time;
        const double slip =
            hypot(touch->position[0] - f->since[0], touch->position[1] - f->since[1]);
        if (!(slip <= r->slip)) r->slip = slip;
    }
}

static void follow_fall(body_record *r, double time, const body_sample *s) {
    bool base_touches = false;
    for (size_t k = 0; k < s->touch_count; k++) base_touches |= s->touches[k].link == 0;
    if (!r->samples) r->start_height = s->base[2];
    if (!isnan(s->floor) && !(s->floor >= r->floor)) r->floor = s->floor;
    const bool is_low = s->base[2] - r->floor < 0.5 * (r->start_height - r->floor);
    if (isnan(r->fall_time) && (is_low || base_touches)) r->fall_time = time;
}

bool body_record_add(body_record *r, double time, const body_sample *s) {
    follow_errors(r, s);
    follow_acceleration(r, s);
    r->knows_contacts = s->knows_contacts;
    if (s->knows_contacts) {
        follow_cop(r, time, s);
        follow_soles(r, time, s);
        follow_fall(r, time, s);
    }
    memcpy(r->end, s->com, sizeof r->end);
    r->end_time = time;
    r->samples++;
    return com_series_add(&r->series, time, isnan(s->com_error[0]) ? s->com : s->com_error);
}
