/* SPDX-License-Identifier: MIT
 * Of our own: how each parameter moves the law and the place where the wrist of Cisneros et al.,
 * Fig 12, stops. One parameter at a time; the others are the paper's.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../experiment.h"
#include "wrist.h"

static const double degree = 3.141592653589793 / 180;

static const experiment_parameter parameters_parameters[] = {
    {"kp", 20, "s^-2", PRINTED, "Fig 12"},
    {"kv", 2, "s^-1", PRINTED, "Fig 12"},
    {"target", 90, "deg", PRINTED, "Fig 12"},
    WRIST_INERTIA,
    {"M'", 0.18462, "kg m^2", INFERRED, "5.8 N m at 90 deg, in the paper's experiment"},
    WRIST_STRIBECK,
    WRIST_RATIONAL,
    WRIST_ELEMENT,
    {"duration", 10, "s", CHOSEN, "long enough for every value here"},
};

static const char euler[] = "integrator details move the angle by less than 0.03 deg";

static const experiment_quantity parameters_quantities[] = {
    OURS("stop angle, Stribeck", "deg", 69.877, 0.03, euler),
    OURS("stop angle, Stribeck, M'", "deg", 71.856, 0.03, euler),
    OURS("stop angle, rational, M'", "deg", 70.550, 0.03, euler),
    OURS("smallest legal B", "N m s/rad", 25.5, 1e-9, "exact: F_SC/v_S - D - K T"),
    OURS("largest legal F_S", "N m", 3.97, 1e-9, "exact: F_C + v_S (K T + B + D)"),
    OURS("smallest kp that moves the joint, as kp M target/F_S", "", 0.87, 0.01,
         "a load that steps makes the bristle overshoot"),
};

/* ---- one wrist ---- */

typedef struct stop {
    double angle, time, highest; /* deg, s, deg */
    experiment_curve *curve;     /* of the angle; NULL: none */
} stop;

static void observe(void *context, const wrist_sample *s) {
    stop *of = context;
    of->angle = s->position / degree;
    of->highest = fmax(of->highest, of->angle);
    if (fabs(s->velocity) > 1e-3) of->time = s->time;
    if (s->step % 20 == 0 && s->time <= 5) add_point(of->curve, s->time, of->angle);
}

static bool is_legal(const wrist *w) {
    stiction_error error;
    return stiction_joint_def_check(NULL, &w->friction, w->timestep, &error) == STICTION_OK;
}

/* NaN where the friction is not legal. */
static stop stop_of(const experiment *self, const wrist *w, experiment_curve *curve) {
    stop s = {.angle = (double)NAN, .time = 0, .highest = 0, .curve = curve};
    if (is_legal(w)) (void)wrist_simulate(w, param(self, "duration"), observe, &s);
    return s;
}

/* Where the command falls below the least friction of sliding: rest is near, but for inertia. */
static double estimate(const wrist *w) {
    if (!is_legal(w)) return (double)NAN;
    const law_curve c = law_curve_of(&w->friction, w->timestep);
    const double v = law_curve_minimum(&c, law_curve_phi, 0, 2);
    const double torque = law_curve_phi(&c, v) + w->inertia * w->kv * v;
    return fmax(0, w->target - torque / (w->inertia * w->kp)) / degree;
}

/* ---- what there is to vary ---- */

enum { most_values = 9, grid = 40 };

typedef struct variable {
    const char *symbol;         /* of the list above, which has its unit and the paper's value */
    const char *label;          /* of an axis */
    size_t field;               /* in a wrist */
    double low, high;           /* of the stop angle over it */
    double values[most_values]; /* of the slider, 0 ends; one is the paper's */
    double (*curve)(const law_curve *c, double x); /* that it moves; NULL: none */
} variable;

#define FRICTION(name) offsetof(wrist, friction.name)
/* clang-format off */
static const variable variables[] = {
    {"F_S", "F_S (N m)", FRICTION(static_torque), 0.5, 5,
     {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 3.9}, law_curve_phi},
    {"F_C", "F_C (N m)", FRICTION(coulomb_torque), 0.05, 2.5,
     {0.1, 0.2, 0.4, 0.7, 1, 1.5, 2, 2.4}, law_curve_phi},
    {"v_S", "v_S (rad/s)", FRICTION(stribeck_velocity), 0.02, 0.3,
     {0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3}, law_curve_phi},
    {"D", "D (N m s/rad)", FRICTION(viscous), 0.2, 12,
     {0.5, 1, 2, 3, 4.5, 6, 8, 10, 12}, law_curve_phi},
    {"K", "K (N m/rad)", FRICTION(stiffness), 100, 40000,
     {100, 500, 1000, 2000, 5000, 10000, 20000, 40000}, law_curve_phi_z},
    {"B", "B (N m s/rad)", FRICTION(damping), 10, 300,
     {26, 30, 40, 50, 70, 100, 150, 200, 300}, law_curve_phi_z},
    {"M", "M (kg m^2)", offsetof(wrist, inertia), 0.05, 0.4,
     {0.06, 0.08, 0.1, 0.13, 0.1675, 0.2, 0.25, 0.3, 0.4}, NULL},
    {"kp", "kp (s^-2)", offsetof(wrist, kp), 2, 80, {5, 10, 15, 20, 30, 40, 60, 80}, NULL},
    {"kv", "kv (s^-1)", offsetof(wrist, kv), 0, 10, {0.5, 1, 2, 3, 4, 6, 8, 10}, NULL},
};
/* clang-format on */
enum { variable_count = sizeof variables / sizeof variables[0] };

static void set(wrist *w, const variable *of, double value) {
    memcpy((char *)w + of->field, &value, sizeof value);
}

static const char *unit_of(const variable *v) {
    const experiment_parameter *p = parameters_parameters;
    while (strcmp(p->symbol, v->symbol) != 0) p++;
    return p->unit;
}

/* ---- how it is shown ---- */

/* The stop angle over the variable; nothing where the friction is not legal. */
static void draw_stop_angles(const experiment *self, experiment_run *out, const variable *v) {
    wrist stribeck = wrist_of(self, wrist_stribeck(self));
    wrist rational = wrist_of(self, wrist_rational(self));
    experiment_plot *plot = add_plot(out, "Where the wrist stops", v->label, "stop angle (deg)");
    experiment_curve *angle = add_curve(plot, "Stribeck");
    experiment_curve *other = add_curve(plot, "rational");
    experiment_curve *rest = add_curve(plot, "command = least friction of sliding");
    for (int k = 0; k <= grid; k++) {
        const double value = v->low + (v->high - v->low) * k / grid;
        set(&stribeck, v, value);
        set(&rational, v, value);
        add_point(angle, value, stop_of(self, &stribeck, NULL).angle);
        add_point(other, value, stop_of(self, &rational, NULL).angle);
        add_point(rest, value, estimate(&stribeck));
    }
}

static void draw_steps(const experiment *self, experiment_run *out, const variable *v) {
    experiment_plot *angles = add_plot(out, "Joint angle", "time (s)", "angle (deg)");
    experiment_plot *curves = NULL;
    if (v->curve == law_curve_phi)
        curves = add_plot(out, "The law", "joint velocity (rad/s)", "friction torque (N m)");
    else if (v->curve)
        curves = add_plot(out, "Its implicit transformation", "hypothetical velocity v* (rad/s)",
                          "friction torque (N m)");
    size_t first = 0;
    for (size_t k = 0; k < most_values && v->values[k] > 0; k++) {
        char label[100];
        wrist w = wrist_of(self, wrist_stribeck(self));
        set(&w, v, v->values[k]);
        const stop s = stop_of(self, &w, NULL);
        (void)snprintf(label, sizeof label, "%s = %g %s: stops at %.2f deg after %.2f s", v->symbol,
                       v->values[k], unit_of(v), s.angle, s.time);
        (void)stop_of(self, &w, add_curve(angles, label));
        if (v->values[k] == param(self, v->symbol)) first = k;
        if (!curves) continue;
        const law_curve c = law_curve_of(&w.friction, w.timestep);
        law_curve_draw(&c, v->curve, 0.3, 90, add_curve(curves, label));
    }
    set_steps(angles, first);
    if (curves) set_steps(curves, first);
}

static void add_row(const experiment *self, experiment_table *t, const variable *v) {
    wrist w = wrist_of(self, wrist_stribeck(self));
    const double nominal = param(self, v->symbol);
    const double at = stop_of(self, &w, NULL).angle;
    set(&w, v, 0.9 * nominal);
    const double below = stop_of(self, &w, NULL).angle;
    set(&w, v, 1.1 * nominal);
    const double above = stop_of(self, &w, NULL).angle;
    add_cell(t, "%s", v->symbol);
    add_cell(t, "%g %s", nominal, unit_of(v));
    add_cell(t, "%+.3f deg", below - at);
    add_cell(t, "%+.3f deg", above - at);
}

/* ---- limits ---- */

/* Between a value that has the property and one that has not. */
static double limit_of(const experiment *self, const variable *v, double yes, double no,
                       bool (*has)(const experiment *self, const wrist *w)) {
    for (int k = 0; k < 60; k++) {
        wrist w = wrist_of(self, wrist_stribeck(self));
        const double middle = (yes + no) / 2;
        set(&w, v, middle);
        *(has(self, &w) ? &yes : &no) = middle;
    }
    return yes;
}

static bool legal(const experiment *self, const wrist *w) {
    (void)self;
    return is_legal(w);
}

static bool moves(const experiment *self, const wrist *w) {
    return stop_of(self, w, NULL).angle > 5;
}

static const variable *variable_named(const char *symbol) {
    const variable *v = variables;
    while (strcmp(v->symbol, symbol) != 0) v++;
    return v;
}

static void measure_limits(const experiment *self, experiment_run *out) {
    wrist w = wrist_of(self, wrist_stribeck(self)), r = wrist_of(self, wrist_rational(self));
    const double least_kp = limit_of(self, variable_named("kp"), 20, 2, moves);
    measure(out, stop_of(self, &w, NULL).angle);
    const double load = least_kp * w.inertia * w.target;
    w.inertia = r.inertia = param(self, "M'");
    MEASURE(out, stop_of(self, &w, NULL).angle, stop_of(self, &r, NULL).angle,
            limit_of(self, variable_named("B"), 50, 10, legal),
            limit_of(self, variable_named("F_S"), 2.5, 5, legal), load / w.friction.static_torque);
}

static void run_parameters(const experiment *self, experiment_run *out) {
    static const char *const heads[] = {"parameter", "the paper's", "10 % less", "10 % more"};
    experiment_table *table =
        add_table(out, "What the stop angle makes of 10 %, Stribeck", 4, heads);
    for (const variable *v = variables; v < variables + variable_count; v++) {
        begin_choice(out, v->symbol);
        draw_steps(self, out, v);
        draw_stop_angles(self, out, v);
        add_row(self, table, v);
    }
    measure_limits(self, out);
}

const experiment own_parameters = {
    .id = "own.parameters",
    .title = "What each parameter does to the wrist",
    .shows = "Choose a parameter and move the slider. The joint stops about where the command "
             "falls below the least friction of sliding, so the law, M and kp decide; the bristle "
             "(K, B) and kv hardly matter. A curve ends where the law is not legal at 1 ms.",
    .seconds = 2,
    .page = "parameters.html",
    PARTS(parameters),
};
