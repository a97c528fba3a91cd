/* SPDX-License-Identifier: MIT
 * Of our own: every element and law, and every reference model, on the same three drives with
 * time steps from 0.1 to 10 ms; the table to choose a model from.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../experiment.h"
#include "joint_models/element.h"
#include "wrist.h"

/* A body of one inertia under a load, with any friction model: an element A to D of a law, or
 * a reference model through the C ABI. Models that give a force are coupled as a simulator does:
 * explicitly, the body moved by semi-implicit Euler. */

typedef struct friction_model {
    char name[40];               /* "C stribeck", "lugre" */
    bool reference;              /* else an element */
    stiction_element_kind kind;  /* of the element */
    stiction_joint_def friction; /* the law and all its parameters */
} friction_model;

typedef struct driven_body {
    const friction_model *model;
    double inertia, timestep;
    stiction_element element; /* A, B, D */
    one_joint *joint;         /* C and reference models */
    double e, inner;          /* deflection; velocity of the mass in element B */
    double position, velocity, friction;
} driven_body;

/* The element of a model at a time step; half of the inertia is in element B, the other half in
 * the body that moves it. */
static stiction_law_verdict friction_model_element(const friction_model *m, double inertia,
                                                   double timestep, stiction_element *element) {
    const stiction_element_def def = {
        .kind = m->kind,
        .mass = m->kind == STICTION_ELEMENT_B ? inertia / 2 : inertia,
        .stiffness = m->friction.stiffness,
        .damping = m->friction.damping,
        .timestep = timestep,
    };
    const stiction_law_parameters p = stiction_joint_law_parameters(&m->friction);
    return stiction_element_init(element, &def, stiction_law_find(m->friction.law), &p);
}

/* At rest. False where the model is not legal at this time step. */
static bool driven_body_create(driven_body *b, const friction_model *m, double inertia,
                               double timestep) {
    stiction_error error;
    *b = (driven_body){.model = m, .inertia = inertia, .timestep = timestep};
    if (!m->reference && m->kind != STICTION_ELEMENT_C)
        return friction_model_element(m, inertia, timestep, &b->element) == STICTION_LAW_OK;
    if (stiction_joint_def_check(NULL, &m->friction, timestep, &error) != STICTION_OK) return false;
    b->joint = one_joint_create(&m->friction, timestep);
    return b->joint != NULL;
}

static void driven_body_destroy(driven_body *b) {
    one_joint_destroy(b->joint);
    b->joint = NULL;
}

static void driven_body_set_velocity(driven_body *b, double velocity) {
    b->velocity = b->inner = velocity;
}

/* Karnopp's model is one for callers that stop the body where it says so, K (3). */
static void step_joint(driven_body *b, double load) {
    bool slipping;
    b->friction = one_joint_step(b->joint, b->velocity, load, &slipping);
    b->velocity += b->timestep * (load - b->friction) / b->inertia;
    if (!slipping && strcmp(b->model->friction.law, "karnopp") == 0) b->velocity = 0;
}

static void step_element(driven_body *b, double load) {
    const double u = b->velocity;
    double felt;
    switch (b->model->kind) {
    case STICTION_ELEMENT_A:
        stiction_element_a_step(&b->element, 1, &load, &b->velocity, &b->friction);
        break;
    case STICTION_ELEMENT_B:
        stiction_element_b_step(&b->element, 1, &u, &b->e, &b->inner, &b->friction, &felt);
        b->velocity += b->timestep * (load - felt) / (b->inertia / 2);
        break;
    case STICTION_ELEMENT_D:
        (void)stiction_element_d_step(&b->element, 1, &load, &b->e, &b->velocity, &b->friction);
        break;
    case STICTION_ELEMENT_C: /* through the C ABI */
        break;
    }
}

/* One time step under a load. False where the motion has exploded. */
static bool driven_body_step(driven_body *b, double load) {
    if (b->joint)
        step_joint(b, load);
    else
        step_element(b, load);
    b->position += b->timestep * b->velocity;
    return fabs(b->velocity) < 1e3; /* false for NaN as well */
}

static const double pi = 3.141592653589793;

static const experiment_parameter models_parameters[] = {
    WRIST_INERTIA,
    WRIST_STRIBECK,
    WRIST_RATIONAL,
    WRIST_COULOMB,
    WRIST_ELEMENT,
    {"v_0", 0.01, "rad/s", CHOSEN, "threshold of viscosity, tanh, karnopp, quinn"},
    {"z_ba", 7.2e-5, "rad", CHOSEN, "of elasto_plastic: 0.9 F_C/K; it must be below F_C/K"},
    {"Delta", 0.01, "rad", CHOSEN, "spacing of sawtooth and ffbm"},
    {"kappa/h of mpabm", 25, "N m/rad", CHOSEN, "so that its F_S, F_C and K are those above"},
    {"kappa of rbm, drbm", 0.1, "N m", CHOSEN, "the bristles of Drincic and Bernstein, Fig 3"},
    {"light load", 0.32, "N m", CHOSEN, "0.8 F_C, ramped up in 1 s; then +- 0.04 N m at 5 Hz"},
    {"heavy load", 2, "N m", CHOSEN, "0.8 F_S, likewise; then +- 0.1 N m"},
    {"start velocity", 1, "rad/s", CHOSEN, "chatter: until rest, under 0.2 N m"},
    {"pull", 0.05, "rad/s", CHOSEN, "stick-slip: velocity of the end of the spring"},
    {"spring", 10, "N m/rad", CHOSEN, "stick-slip"},
};

static const char all_time[] = "what friction has to do";
static const char once[] = "measured once; the drive is ours";
static const char exact[] = "exact, up to the search";

static const experiment_quantity models_quantities[] = {
    OURS("drift under the heavy load, C stribeck", "rad", 0, 1e-9, all_time),
    OURS("drift under the heavy load, A stribeck", "rad", 0, 0, all_time),
    OURS("drift under the light load, elasto_plastic", "rad", 0, 1e-9, all_time),
    OURS("drift under the light load, lugre", "rad", 1.82e-4, 2e-6, once),
    OURS("drift under the light load, tanh", "rad", 0.02988, 1e-4,
         "the mean of v_0 atanh(load/F) over 9 s"),
    OURS("chatter at rest, C stribeck", "N m", 0, 1e-9, all_time),
    OURS("chatter at rest, C stribeck, 5 ms", "N m", 0, 1e-9, all_time),
    OURS("chatter at rest, sawtooth", "N m", 2.9, 0.05, once),
    OURS("peak of the stick-slip, C stribeck", "N m", 2.511, 0.003,
         "F_S, and what the load gains while the joint breaks away"),
    OURS("slips in 20 s, C stribeck", "", 5, 0, "a count"),
    OURS("C rational is legal above T =", "s", 0.0006, 1e-12, exact),
    OURS("A stribeck is legal below T =", "s", 0.1675 / 30.5, 1e-12, exact),
    OURS("D stribeck is legal below T =", "s", 0.002893618823339138, 1e-12, exact),
};

static const double timesteps[] = {1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2};

enum { timestep_count = sizeof timesteps / sizeof timesteps[0], usual = 3 /* 1 ms */ };

/* ---- the models ---- */

enum { most_models = 40 };

static bool has_stiction(const char *law) {
    stiction_law_info info;
    stiction_parameter_info p;
    if (!stiction_law_info_find(law, &info)) return false;
    for (size_t k = 0; stiction_parameter_at(k, &p); k++)
        if (strcmp(p.key, "static_torque") == 0) return info.parameters >> k & 1;
    return false;
}

static stiction_joint_def element_def(const experiment *self, const char *law) {
    if (strcmp(law, "rational") == 0) return wrist_rational(self);
    stiction_joint_def def = has_stiction(law) ? wrist_stribeck(self) : wrist_coulomb(self);
    def.law = law;
    return def;
}

static stiction_joint_def reference_def(const experiment *self, const char *law) {
    stiction_joint_def def = element_def(self, law);
    def.stick_velocity = param(self, "v_0");
    def.elastic_limit = param(self, "z_ba");
    def.bristle_spacing = param(self, "Delta");
    if (strcmp(law, "mpabm") == 0) { /* B (82), (85) */
        const double force_per_angle = param(self, "kappa/h of mpabm");
        def = wrist_stribeck(self);
        def.law = law;
        def.bristle_height = 1;
        def.bristle_stiffness = force_per_angle;
        def.angle_scale = def.stiffness / force_per_angle;
        def.min_angle = def.coulomb_torque / force_per_angle;
        def.max_angle = def.static_torque / force_per_angle;
    }
    if (strcmp(law, "rbm") == 0 || strcmp(law, "drbm") == 0) {
        def.bristle_stiffness = param(self, "kappa of rbm, drbm");
        def.bristle_height = 0.098;
        def.bristle_length = 0.1;
        def.bristle_spacing = 0.002;
        def.body_length = 1;
    }
    return def;
}

/* Elements times laws, then the reference models: whatever the library has. */
static size_t list_models(const experiment *self, friction_model *models) {
    static const char letters[] = "ABCD";
    size_t count = 0;
    for (int kind = STICTION_ELEMENT_A; kind <= STICTION_ELEMENT_D; kind++)
        for (size_t k = 0; k < stiction_law_count() && count < most_models; k++) {
            friction_model *m = &models[count++];
            const char *law = stiction_law_at(k)->name;
            *m = (friction_model){.kind = (stiction_element_kind)kind,
                                  .friction = element_def(self, law)};
            (void)snprintf(m->name, sizeof m->name, "%c %s", letters[kind], law);
        }
    stiction_law_info info;
    for (size_t k = 0; stiction_law_info_at(k, &info) && count < most_models; k++) {
        if (!info.reference) continue;
        models[count] =
            (friction_model){.reference = true, .friction = reference_def(self, info.name)};
        (void)snprintf(models[count].name, sizeof models[count].name, "%s", info.name);
        count++;
    }
    return count;
}

static const friction_model *find_model(const friction_model *models, size_t count,
                                        const char *name) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(models[k].name, name) == 0) return &models[k];
    return NULL;
}

/* ---- the drives ---- */

/* What came of a model at a time step. */
typedef struct outcome {
    bool legal, stable;
    double light, heavy; /* drift, rad; NaN: it cannot hold such a load */
    double chatter;      /* the largest jump of friction from step to step at rest, N m */
    double peak;         /* of the pulling torque, N m */
    double slips;        /* a count */
} outcome;

/* Curves to draw into; NULL: none. */
typedef struct traces {
    experiment_curve *drift, *chatter, *stick_slip;
} traces;

/* One point an interval or, of a longer step, every step. */
static bool is_shown(long k, double T, double interval) {
    const long stride = lround(interval / T);
    return stride < 2 || k % stride == 0;
}

/* The way from 2 s to 11 s under a load that swings around a level, in whole periods. */
static double drift(driven_body *b, double level, double swing, experiment_curve *trace) {
    const double T = b->timestep;
    const long settled = lround(2 / T), end = lround(11 / T);
    double from = 0;
    for (long k = 0; k < end; k++) {
        const double t = (double)k * T;
        if (k == settled) from = b->position;
        if (is_shown(k, T, 0.02)) add_point(trace, t, b->position);
        const double load = t < 1 ? level * t : level + swing * sin(2 * pi * 5 * (t - 1));
        if (!driven_body_step(b, load)) return (double)NAN;
    }
    return b->position - from;
}

/* The largest jump of friction in the last half of a second. */
static double chatter(driven_body *b, double velocity, experiment_curve *trace) {
    const double T = b->timestep;
    const long late = lround(2.5 / T), end = lround(3 / T);
    double largest = 0, before = 0;
    driven_body_set_velocity(b, velocity);
    for (long k = 0; k < end; k++) {
        if (!driven_body_step(b, 0.2)) return (double)NAN;
        if (k >= late) largest = fmax(largest, fabs(b->friction - before));
        before = b->friction;
        if (k < lround(0.4 / T) && is_shown(k, T, 0.001))
            add_point(trace, (double)k * T, b->friction);
    }
    return largest;
}

static bool stick_slip(driven_body *b, double pull, double spring, experiment_curve *trace,
                       outcome *o) {
    const double T = b->timestep;
    bool stuck = true;
    for (long k = 0; k < lround(20 / T); k++) {
        const double load = spring * (pull * (double)k * T - b->position);
        if (is_shown(k, T, 0.04)) add_point(trace, (double)k * T, load);
        if (!driven_body_step(b, load)) return false;
        o->peak = fmax(o->peak, load);
        if (stuck && b->velocity > 2 * pull) {
            o->slips++;
            stuck = false;
        }
        if (b->velocity < 0.2 * pull) stuck = true;
    }
    return true;
}

static outcome drive(const experiment *self, const friction_model *m, double T,
                     const traces *trace) {
    const double M = param(self, "M");
    outcome o = {.heavy = (double)NAN};
    driven_body b;
    o.legal = driven_body_create(&b, m, M, T);
    if (!o.legal) return o;
    o.light = drift(&b, param(self, "light load"), 0.04, trace->drift);
    driven_body_destroy(&b);
    if (!isnan(m->friction.static_torque) && driven_body_create(&b, m, M, T)) {
        o.heavy = drift(&b, param(self, "heavy load"), 0.1, NULL);
        driven_body_destroy(&b);
    }
    if (driven_body_create(&b, m, M, T)) {
        o.chatter = chatter(&b, param(self, "start velocity"), trace->chatter);
        driven_body_destroy(&b);
    }
    if (driven_body_create(&b, m, M, T)) {
        o.stable =
            stick_slip(&b, param(self, "pull"), param(self, "spring"), trace->stick_slip, &o);
        driven_body_destroy(&b);
    }
    o.stable = o.stable && !isnan(o.light) && !isnan(o.chatter);
    return o;
}

/* ---- the tables ---- */

static const char *const timestep_heads[] = {"model", "0.1 ms", "0.2 ms", "0.5 ms",
                                             "1 ms",  "2 ms",   "5 ms",   "10 ms"};

static void add_number(experiment_table *t, const outcome *o, double value) {
    if (!o->legal)
        add_cell(t, "illegal");
    else if (!o->stable)
        add_cell(t, "unstable");
    else if (isnan(value))
        add_cell(t, "-");
    else if (fabs(value) < 1e-9)
        add_cell(t, "0");
    else
        add_cell(t, fabs(value) < 0.01 ? "%.1e" : "%.3f", value);
}

static void add_stick_slip(experiment_table *t, const outcome *o) {
    if (!o->legal || !o->stable)
        add_number(t, o, 0);
    else
        add_cell(t, "%g, %.3f", o->slips, o->peak);
}

/* A number of an outcome. */
#define FIGURE(name)   offsetof(outcome, name)
#define SLIPS_AND_PEAK ((size_t)-1)

static double figure_of(const outcome *o, size_t figure) {
    double value;
    memcpy(&value, (const char *)o + figure, sizeof value);
    return value;
}

static void add_timestep_table(experiment_run *out, const char *title, const friction_model *models,
                               size_t count, outcome (*of)[timestep_count], size_t figure) {
    experiment_table *t = add_table(out, title, 1 + timestep_count, timestep_heads);
    for (size_t m = 0; m < count; m++) {
        add_cell(t, "%s", models[m].name);
        for (int k = 0; k < timestep_count; k++) {
            if (figure == SLIPS_AND_PEAK)
                add_stick_slip(t, &of[m][k]);
            else
                add_number(t, &of[m][k], figure_of(&of[m][k], figure));
        }
    }
}

/* The time steps at which a model is legal and comes to rest, in words. */
static void add_range(experiment_table *t, const outcome of[timestep_count]) {
    char text[100] = "";
    for (int k = 0; k < timestep_count; k++)
        if (of[k].legal && of[k].stable && of[k].chatter < 0.01) {
            const size_t length = strlen(text);
            (void)snprintf(text + length, sizeof text - length, "%s%g", length ? ", " : "",
                           1e3 * timesteps[k]);
        }
    add_cell(t, "%s", text[0] ? text : "none");
}

static void add_choice(experiment_run *out, const friction_model *models, size_t count,
                       outcome (*of)[timestep_count]) {
    static const char *const heads[] = {"model",
                                        "drift, light load (rad)",
                                        "drift, heavy load (rad)",
                                        "chatter at rest (N m)",
                                        "stick-slip: slips, peak (N m)",
                                        "legal, no chatter at (ms)"};
    experiment_table *t = add_table(out, "To choose from, at 1 ms", 6, heads);
    for (size_t m = 0; m < count; m++) {
        const outcome *o = &of[m][usual];
        add_cell(t, "%s", models[m].name);
        add_number(t, o, o->light);
        add_number(t, o, o->heavy);
        add_number(t, o, o->chatter);
        add_stick_slip(t, o);
        add_range(t, of[m]);
    }
}

/* ---- the quantities ---- */

/* Between a time step at which a model is legal and one at which it is not. */
static double legal_limit(const experiment *self, const friction_model *m, double yes, double no) {
    for (int k = 0; m && k < 80; k++) {
        stiction_element element;
        const double middle = (yes + no) / 2;
        const bool legal =
            friction_model_element(m, param(self, "M"), middle, &element) == STICTION_LAW_OK;
        *(legal ? &yes : &no) = middle;
    }
    return m ? yes : (double)NAN;
}

static void measure_models(const experiment *self, experiment_run *out,
                           const friction_model *models, size_t count,
                           outcome (*of)[timestep_count]) {
    static const struct {
        const char *model;
        int timestep;
        size_t figure;
    } rows[] = {
        {"C stribeck", usual, FIGURE(heavy)},     {"A stribeck", usual, FIGURE(heavy)},
        {"elasto_plastic", usual, FIGURE(light)}, {"lugre", usual, FIGURE(light)},
        {"tanh", usual, FIGURE(light)},           {"C stribeck", usual, FIGURE(chatter)},
        {"C stribeck", 5, FIGURE(chatter)},       {"sawtooth", usual, FIGURE(chatter)},
        {"C stribeck", usual, FIGURE(peak)},      {"C stribeck", usual, FIGURE(slips)},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const friction_model *m = find_model(models, count, rows[k].model);
        measure(out,
                m ? figure_of(&of[m - models][rows[k].timestep], rows[k].figure) : (double)NAN);
    }
    MEASURE(out, legal_limit(self, find_model(models, count, "C rational"), 1e-3, 1e-4),
            legal_limit(self, find_model(models, count, "A stribeck"), 1e-3, 1e-2),
            legal_limit(self, find_model(models, count, "D stribeck"), 1e-3, 1e-2));
}

/* ---- the whole ---- */

/* The time steps of a model that are drawn. */
static const struct {
    int timestep;
    const char *label;
} drawn[] = {{0, "0.1 ms"}, {3, "1 ms"}, {5, "5 ms"}};

static void drive_model(const experiment *self, experiment_run *out, const friction_model *m,
                        outcome of[timestep_count]) {
    begin_choice(out, m->name);
    experiment_plot *drift_plot =
        add_plot(out, "Drift: angle under the light load", "time (s)", "angle (rad)");
    experiment_plot *chatter_plot =
        add_plot(out, "Chatter: friction until rest", "time after the start (s)", "torque (N m)");
    experiment_plot *slip_plot =
        add_plot(out, "Stick-slip: torque of the spring that pulls", "time (s)", "torque (N m)");
    for (int k = 0; k < timestep_count; k++) {
        traces t = {0};
        for (size_t d = 0; d < sizeof drawn / sizeof drawn[0]; d++)
            if (drawn[d].timestep == k) {
                t.drift = add_curve(drift_plot, drawn[d].label);
                t.chatter = add_curve(chatter_plot, drawn[d].label);
                t.stick_slip = add_curve(slip_plot, drawn[d].label);
            }
        of[k] = drive(self, m, timesteps[k], &t);
    }
}

static void run_models(const experiment *self, experiment_run *out) {
    friction_model models[most_models];
    outcome of[most_models][timestep_count];
    const size_t count = list_models(self, models);
    for (size_t m = 0; m < count; m++) drive_model(self, out, &models[m], of[m]);
    add_choice(out, models, count, of);
    static const struct {
        const char *title;
        size_t figure;
    } tables[] = {
        {"Drift under the light load, below F_C (rad in 9 s)", FIGURE(light)},
        {"Drift under the heavy load, between F_C and F_S (rad in 9 s)", FIGURE(heavy)},
        {"Chatter at rest: jump of friction from step to step (N m)", FIGURE(chatter)},
        {"Stick-slip: slips in 20 s, peak of the pulling torque (N m)", SLIPS_AND_PEAK},
    };
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
        add_timestep_table(out, tables[k].title, models, count, of, tables[k].figure);
    measure_models(self, out, models, count, of);
}

const experiment own_models = {
    .id = "own.models",
    .title = "Every model on the same drives",
    .shows =
        "Every element holds without drift and comes to rest without chatter wherever its law is "
        "legal and, for B and C, the explicit coupling is stable (C up to 5.3 ms: 2 T B + T^2 K < "
        "4 M). Smoothed models and bristles that yield drift; what switches over the position "
        "chatters. The rational law, steeper at rest, is legal in C only above 0.6 ms, in A only "
        "below 3.2 ms, in D never with this inertia. Half of the inertia is in element B.",
    .seconds = 3,
    .page = "models.html",
    PARTS(models),
};
