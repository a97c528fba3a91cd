/* SPDX-License-Identifier: MIT
 * The figures of a body: what is accumulated from the samples, and the table. Memory does not grow
 * with the run.
 */
#include "body_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The position of the centre of mass every few samples: relative to its desired position if that is
 * known, otherwise absolute. */
typedef struct com_series {
    double *values; /* time, x, y, z */
    size_t count;
    size_t stride, next; /* samples between two; until the next */
} com_series;

/* A sum of squares. */
typedef struct squares {
    double sum;
    size_t count;
} squares;

/* A link since it touched down. */
typedef struct sole {
    bool down;
    double since[2];  /* m: where it touched down */
    double last_time; /* s: when it last touched */
} sole;

struct body_record {
    double mass, timestep;
    size_t samples, link_count;
    com_series series;
    double end_time;
    double end[3];                     /* of the centre of mass, m */
    double error_end[3], error_max[3]; /* m, with their signs */
    squares error, acceleration, cop;
    double cop_max, cop_end[2];
    double last_velocity[3], last_asked[3];
    double start_height, floor; /* m; NaN: not known yet */
    bool was_above;             /* its centre of mass, of what it first touched */
    double sunk;                /* m: now below all that it touches; NaN: not known */
    bool knows_contacts;
    double fall_time; /* s; NaN: it has not fallen */
    sole *soles;
    double slip; /* m */
    bool pulled;
    push pull;
    double kp;
};

/* ---- the centre of mass over a run ---- */

/* In a few thousand entries: every second one is dropped when they are many. */
enum { entry = 4, most = 8192 };

static bool com_series_add(com_series *s, double time, const double position[3]) {
    if (!s->values) {
        s->values = malloc(most * entry * sizeof *s->values);
        s->stride = 1;
        if (!s->values) return false;
    }
    if (s->next > 0) {
        s->next--;
        return true;
    }
    if (s->count == most) {
        for (size_t k = 0; k < most / 2; k++)
            memcpy(s->values + entry * k, s->values + 2 * entry * k, entry * sizeof *s->values);
        s->count = most / 2;
        s->stride *= 2;
    }
    double *to = s->values + entry * s->count++;
    to[0] = time;
    memcpy(to + 1, position, 3 * sizeof *to);
    s->next = s->stride - 1;
    return true;
}

typedef struct com_window {
    double mean[3], low[3], high[3];
    size_t count;
} com_window;

/* From a time on. */
static com_window com_series_window(const com_series *s, double from) {
    com_window w = {.count = 0};
    for (size_t k = 0; k < s->count; k++) {
        const double *at = s->values + entry * k;
        if (at[0] < from) continue;
        for (int i = 0; i < 3; i++) {
            w.mean[i] += at[1 + i];
            w.low[i] = w.count ? fmin(w.low[i], at[1 + i]) : at[1 + i];
            w.high[i] = w.count ? fmax(w.high[i], at[1 + i]) : at[1 + i];
        }
        w.count++;
    }
    for (int i = 0; i < 3; i++) w.mean[i] = w.count ? w.mean[i] / (double)w.count : (double)NAN;
    return w;
}

/* How often it turned around by more than a threshold along an axis since a time. */
static size_t com_series_reversals(const com_series *s, double from, int axis, double threshold) {
    size_t reversals = 0;
    double extreme = (double)NAN; /* the farthest position in the present direction */
    int direction = 0;
    for (size_t k = 0; k < s->count; k++) {
        const double at = s->values[entry * k + 1 + (size_t)axis];
        if (s->values[entry * k] < from) continue;
        if (isnan(extreme)) extreme = at;
        const double moved = at - extreme;
        if (direction * moved > 0) extreme = at;
        if (fabs(moved) <= threshold || direction * moved > 0) continue;
        reversals += direction != 0;
        direction = moved > 0 ? 1 : -1;
        extreme = at;
    }
    return reversals;
}

/* The position at a time: the last entry before it. False if there is none. */
static bool com_series_at(const com_series *s, double time, double position[3]) {
    bool found = false;
    for (size_t k = 0; k < s->count && s->values[entry * k] <= time; k++) {
        memcpy(position, s->values + entry * k + 1, 3 * sizeof *position);
        found = true;
    }
    return found;
}

/* ---- samples ---- */

/* A sole is off the floor when it has touched nothing for this long, s: contacts of simulators
 * flicker. */
static const double lift_time = 0.02;
/* While a body settles on the floor its motion is not counted, s. */
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
                       .sunk = none,
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

/* The acceleration of the step before, from its velocities, and the one asked in it. */
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

static const double least_fall = 0.01; /* m */

static void follow_fall(body_record *r, double time, const body_sample *s) {
    bool base_touches = false;
    for (size_t k = 0; k < s->touch_count; k++) base_touches |= s->touches[k].link == 0;
    if (!r->samples) r->start_height = s->base[2];
    if (isnan(r->floor)) r->was_above = s->com[2] > s->floor;
    if (!isnan(s->floor) && !(s->floor >= r->floor)) r->floor = s->floor;
    r->sunk = r->was_above ? s->floor - s->com[2] : (double)NAN;
    /* the origin of a base may be below what touches */
    const double height = fabs(r->start_height - r->floor);
    const bool is_low = r->start_height - s->base[2] > fmax(0.5 * height, least_fall);
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

/* ---- the table ---- */

/* A centre of mass that turns around by more than this hunts, m. */
static const double reversal = 1e-4;

static double root_of(const squares *s) {
    return s->count ? sqrt(s->sum / (double)s->count) : (double)NAN;
}

/* The last third of a run, when what was asked is over. */
static com_window last_third(const body_record *r) {
    return com_series_window(&r->series, r->end_time * (2.0 / 3));
}

static int widest(const com_window *w) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (w->high[k] - w->low[k] > w->high[axis] - w->low[axis]) axis = k;
    return axis;
}

static double residual(const body_record *r) {
    if (!r->error.count) return (double)NAN;
    const com_window w = last_third(r);
    return sqrt(w.mean[0] * w.mean[0] + w.mean[1] * w.mean[1] + w.mean[2] * w.mean[2]);
}

static double hunting_of(const body_record *r) {
    const com_window w = last_third(r);
    const int axis = widest(&w);
    return w.count ? (w.high[axis] - w.low[axis]) / 2 : (double)NAN;
}

static double reversals(const body_record *r) {
    const com_window w = last_third(r);
    if (!w.count) return (double)NAN;
    return (double)com_series_reversals(&r->series, r->end_time * (2.0 / 3), widest(&w), reversal);
}

/* x m kp/F: the displacement along the pull, in the last tenth of it, as a share of that of a
 * spring. */
static double yield_ratio(const body_record *r) {
    double before[3], x = 0;
    const double *f = r->pull.force, size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    if (!r->pulled || !(size > 0) || r->end_time <= r->pull.time) return (double)NAN;
    if (!com_series_at(&r->series, fmax(r->pull.time - r->timestep / 2, 0), before))
        return (double)NAN;
    const com_window w =
        com_series_window(&r->series, r->end_time - 0.1 * (r->end_time - r->pull.time));
    for (int k = 0; k < 3; k++) x += (w.mean[k] - before[k]) * f[k] / size;
    return x * r->mass * r->kp / size;
}

/*
 * FIGURE(name, title, head, unit, digits, interest, text of null, value of a body r, description):
 * the members of joint_figure; no figure has a total.
 */
#define FIGURES(FIGURE)                                                                            \
    FIGURE(mass, "mass", NULL, "kg", 0, 0, NULL, r->mass, "mass of the body")                      \
    FIGURE(com_x, "CoM x", NULL, "m", 0, 0, NULL, r->samples ? r->end[0] : (double)NAN,            \
           "centre of mass at the end")                                                            \
    FIGURE(com_y, "CoM y", NULL, "m", 0, 0, NULL, r->samples ? r->end[1] : (double)NAN,            \
           "the same")                                                                             \
    FIGURE(com_z, "CoM z", NULL, "m", 0, 0, NULL, r->samples ? r->end[2] : (double)NAN,            \
           "the same")                                                                             \
    FIGURE(com_error_max_x, "CoM error x, largest", NULL, "m", 4, 0, NULL, r->error_max[0],        \
           "centre of mass minus its target, the largest value with its sign")                     \
    FIGURE(com_error_max_y, "CoM error y, largest", NULL, "m", 4, 0, NULL, r->error_max[1],        \
           "the same")                                                                             \
    FIGURE(com_error_max_z, "CoM error z, largest", NULL, "m", 4, 0, NULL, r->error_max[2],        \
           "the same")                                                                             \
    FIGURE(com_error_end_x, "CoM error x, end", NULL, "m", 4, 0, NULL, r->error_end[0],            \
           "the same in the last sample")                                                          \
    FIGURE(com_error_end_y, "CoM error y, end", NULL, "m", 4, 0, NULL, r->error_end[1],            \
           "the same")                                                                             \
    FIGURE(com_error_end_z, "CoM error z, end", NULL, "m", 4, 0, NULL, r->error_end[2],            \
           "the same")                                                                             \
    FIGURE(com_error_rms, "CoM error, rms", "CoM error", "m", 4, 1, NULL, root_of(&r->error),      \
           "root mean square of the length of this error")                                         \
    FIGURE(com_residual, "residual", "residual", "m", 4, 2, NULL, residual(r),                     \
           "length of the mean error in the last third of the run")                                \
    FIGURE(com_hunting, "hunting", "hunting", "m", 4, 3, NULL, hunting_of(r),                      \
           "half the peak-to-peak motion of the centre of mass (of its error, if known) in the "   \
           "last third of the run, along the axis where it is largest")                            \
    FIGURE(com_reversals, "reversals", NULL, "", 0, 0, NULL, reversals(r),                         \
           "number of direction changes there by more than 0.1 mm")                                \
    FIGURE(com_acceleration_error, "acceleration error", "acceleration error", "m/s^2", 4, 4,      \
           NULL, root_of(&r->acceleration),                                                        \
           "root mean square of the acceleration of the centre of mass minus the one that the "    \
           "controller requested in the same step")                                                \
    FIGURE(cop_x, "CoP x", NULL, "m", 0, 0, NULL, r->cop_end[0], "centre of pressure at the end")  \
    FIGURE(cop_y, "CoP y", NULL, "m", 0, 0, NULL, r->cop_end[1], "the same")                       \
    FIGURE(cop_error_max, "CoP error, largest", NULL, "m", 4, 0, NULL, r->cop_max,                 \
           "largest distance from its target after the first 0.1 s")                               \
    FIGURE(cop_error_rms, "CoP error, rms", "CoP error", "m", 4, 5, NULL, root_of(&r->cop),        \
           "root mean square of this distance")                                                    \
    FIGURE(sole_slip, "sole slip", "slip", "m", 4, 6, NULL,                                        \
           r->knows_contacts ? r->slip : (double)NAN,                                              \
           "largest horizontal motion of a link in contact since it touched down; 20 ms without "  \
           "contact count as lift-off")                                                            \
    FIGURE(falls, "falls", "falls", "", 0, 7, NULL,                                                \
           r->knows_contacts ? !isnan(r->fall_time) : (double)NAN,                                 \
           "1 if the base lost half of its initial height above the lowest contact or touched "    \
           "something, else 0")                                                                    \
    FIGURE(fall_time, "falls at", NULL, "s", 4, 0, "stands", r->fall_time, "time of the fall")     \
    FIGURE(                                                                                        \
        yield_ratio, "yield ratio", "yield", "", 4, 8, NULL, yield_ratio(r),                       \
        "x m kp/F of the first permanent pull, in the last tenth of the run: the motion of the "   \
        "centre of mass relative to that of the controller's spring; 1 is compliant, 0 is stuck")

#define FIGURE(name, title, head, unit, digits, interest, none, value, description)                \
    {#name, NULL, title, head, unit, digits, interest, FIGURE_NO_TOTAL, none, description, NULL},
static const joint_figure figures[] = {FIGURES(FIGURE)};
#undef FIGURE

const joint_figure *body_figure_at(size_t index) {
    return index < sizeof figures / sizeof figures[0] ? &figures[index] : NULL;
}

const joint_figure *body_figure_find(const char *name) {
    for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++)
        if (strcmp(figures[k].name, name) == 0) return &figures[k];
    return NULL;
}

double body_record_sunk(const body_record *r) {
    return r->sunk;
}

double body_record_value(const body_record *r, size_t figure) {
#define FIGURE(name, title, head, unit, digits, interest, none, value, description) value,
    const double values[] = {FIGURES(FIGURE)};
#undef FIGURE
    return values[figure];
}
