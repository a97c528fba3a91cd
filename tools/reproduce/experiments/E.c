/* SPDX-License-Identifier: MIT
 * The experiments of Dupont et al.: the block of their Fig 1 on each of the friction models of
 * their Table 1, integrated by semi-implicit Euler. The equations of the models are the
 * library's.
 */
#include <math.h>

#include "../experiment.h"
#include "joint_models/element.h"
#include "joint_models/reference/reference.h"

/* Rows of a parameter list, which dupont_read reads: section 1.1.2. */
/* clang-format off */
#define DUPONT_MODEL_PARAMETERS                                                                    \
    {"f_c", 1.0, "N", PRINTED, NULL},                                                              \
    {"f_ba", 1.1, "N", PRINTED, "LuGre and elasto-plastic; the others break away at f_c"},         \
    {"v_s", 0.1, "m/s", PRINTED, NULL},                                                            \
    {"sigma_0", 100, "N/m", PRINTED, NULL},                                                        \
    {"sigma_1", 2, "N s/m", PRINTED, NULL},                                                        \
    {"sigma_2", 0, "N s/m", PRINTED, NULL},                                                        \
    {"z_ba", 0.0095, "m", CHOSEN, "not given; (19) demands less than f_c/sigma_0 = 0.01"}

#define DUPONT_PARAMETERS                                                                          \
    {"m", 1.0, "kg", PRINTED, NULL},                                                               \
    DUPONT_MODEL_PARAMETERS,                                                                       \
    {"v_0", 0.01, "m/s", PRINTED, "of the regularized model (5)"},                                 \
    {"Dp", 0.01, "m/s", PRINTED, "of the Karnopp model"}

/* clang-format on */

/* (2) and the others that every experiment on these models meets. */
#define DUPONT_MISPRINTS                                                                           \
    "(2) begins with zdot: it is f_t = sigma_0 z + sigma_1 zdot + sigma_2 v.",                     \
        "(8) has z in the sine: |z|; and alpha = 0 where v and z differ in sign (18)."

typedef enum dupont_model {
    DUPONT_CLASSIC, /* Coulomb friction, by implicit Euler: element A */
    DUPONT_KARNOPP,
    DUPONT_REGULARIZED,
    DUPONT_LUGRE,
    DUPONT_ELASTO_PLASTIC,
    DUPONT_MODELS
} dupont_model;

typedef struct dupont {
    double mass, timestep;
    double f_c, v_0, band;
    stiction_single_state lugre, elasto_plastic;
    stiction_element classic;
} dupont;

typedef struct dupont_block {
    double position, velocity, deflection; /* the last is 0 in models without a state */
} dupont_block;

static const char *const dupont_names[DUPONT_MODELS] = {
    "classic Coulomb", "Karnopp", "regularized Coulomb", "LuGre", "elasto-plastic"};

/* (2), (6) to (8) of an experiment with DUPONT_MODEL_PARAMETERS; z_ba 0: the LuGre model. */
static stiction_single_state dupont_single_state(const experiment *self, double z_ba) {
    stiction_single_state m = stiction_single_state_default();
    m.stiffness = param(self, "sigma_0");
    m.damping = param(self, "sigma_1");
    m.viscous = param(self, "sigma_2");
    m.coulomb_torque = param(self, "f_c");
    m.static_torque = param(self, "f_ba");
    m.stribeck_velocity = param(self, "v_s");
    m.elastic_limit = z_ba;
    return m;
}

static stiction_law_parameters coulomb(double f_c) {
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = p.coulomb_torque = f_c;
    return p;
}

static dupont dupont_read(const experiment *self, double timestep) {
    dupont d = {.mass = param(self, "m"),
                .timestep = timestep,
                .f_c = param(self, "f_c"),
                .v_0 = param(self, "v_0"),
                .band = param(self, "Dp"),
                .lugre = dupont_single_state(self, 0),
                .elasto_plastic = dupont_single_state(self, param(self, "z_ba"))};
    const stiction_element_def rigid = {
        .kind = STICTION_ELEMENT_A, .mass = d.mass, .timestep = timestep};
    const stiction_law_parameters p = coulomb(d.f_c);
    (void)stiction_element_init(&d.classic, &rigid, stiction_law_find("coulomb"), &p);
    return d;
}

/* Friction from the velocity, which Karnopp's model may set to zero. */
static double explicit_friction(const dupont *d, dupont_model model, double force,
                                dupont_block *b) {
    const stiction_law *law = stiction_law_find("coulomb");
    const stiction_law_parameters p = coulomb(d->f_c);
    switch (model) {
    case DUPONT_KARNOPP:
        if (stiction_karnopp_sticks(law, &p, d->band, b->velocity, force)) b->velocity = 0;
        return stiction_karnopp_force(law, &p, d->band, b->velocity, force);
    case DUPONT_REGULARIZED:
        return stiction_tanh_force(d->f_c, d->v_0, b->velocity);
    case DUPONT_LUGRE:
        return stiction_single_state_step(&d->lugre, d->timestep, b->velocity, &b->deflection);
    default:
        return stiction_single_state_step(&d->elasto_plastic, d->timestep, b->velocity,
                                          &b->deflection);
    }
}

/* One step under a force; returns the friction. */
static double dupont_step(const dupont *d, dupont_model model, double force, dupont_block *b) {
    double f;
    if (model == DUPONT_CLASSIC) {
        stiction_element_a_step(&d->classic, 1, &force, &b->velocity, &f);
        b->position += d->timestep * b->velocity;
        return f;
    }
    f = explicit_friction(d, model, force, b);
    /* with the velocity that moved z, so that nothing but sliding parts x and z */
    b->position += d->timestep * b->velocity;
    b->velocity += d->timestep * (force - f) / d->mass;
    return f;
}

/* The sliding displacement w = x - z (9). */
static double dupont_slid(const dupont_block *b) {
    return b->position - b->deflection;
}

/* ---- Table 1: which models have stiction, which presliding displacement ---- */

static const experiment_parameter table1_parameters[] = {
    DUPONT_PARAMETERS,
    {"force, middle", 0.6, "N", CHOSEN, "it never reaches the breakaway force, nor f_c, nor 0"},
    {"force, amplitude", 0.2, "N", CHOSEN, NULL},
    {"period", 20, "s", CHOSEN, "slow, so that the block's inertia matters little"},
    {"periods", 5, "", CHOSEN, NULL},
    {"T", 1e-3, "s", CHOSEN, NULL},
};

#define STICTION_YES   "stiction: yes"
#define STICTION_NO    "stiction: no"
#define PRESLIDING_YES "presliding displacement: yes"
#define PRESLIDING_NO  "presliding displacement: no"

static const char rest[] = "at rest to the bit";
static const char table1_rounding[] = "100000 roundings";
static const char creep[] = "theory v_0 times the mean of artanh(F/f_c); inertia is left out";
static const char slow[] = "theory of Dahl's equation at f_ba; inertia is left out";
static const char elastic[] = "theory: a forced oscillator on sigma_0, sigma_1; first order in T";

static const experiment_quantity table1_quantities[] = {
    CLAIM("drift, classic Coulomb", "m/period", 0, 0, rest, STICTION_YES),
    CLAIM("drift, Karnopp", "m/period", 0, 0, rest, STICTION_YES),
    CLAIM("drift, regularized Coulomb", "m/period", 0.14517, 1e-4, creep, STICTION_NO),
    CLAIM("drift, LuGre", "m/period", 6.7200e-3, 1e-4, slow, STICTION_NO),
    CLAIM("drift, elasto-plastic", "m/period", 0, 1e-14, table1_rounding, STICTION_YES),
    CLAIM("return, classic Coulomb", "m", 0, 0, rest, PRESLIDING_NO),
    CLAIM("return, Karnopp", "m", 0, 0, rest, PRESLIDING_NO),
    CLAIM("return, regularized Coulomb", "m", 0, 0, "it never turns back", PRESLIDING_NO),
    CLAIM("return, LuGre", "m", 2.6003e-3, 1e-4, slow, PRESLIDING_YES),
    CLAIM("return, elasto-plastic", "m", 4.0040e-3, 4e-6, elastic, PRESLIDING_YES),
};

/* Half a period up to the peak from rest, then around the middle: smooth, and always below f_c. */
static double table1_force_at(double middle, double amplitude, double period, double t) {
    const double pi = 3.141592653589793;
    if (t < period / 2) return (middle + amplitude) * (1 - cos(2 * pi * t / period)) / 2;
    return middle - amplitude * cos(2 * pi * t / period);
}

typedef struct answer {
    double drift;        /* m a period: of x - z, from the second period on */
    double goes_back_by; /* m: in the last period, while the force falls but still pushes */
} answer;

static answer ask(const experiment *self, const dupont *d, dupont_model model,
                  experiment_curve *curve) {
    enum { every = 20 };
    const double middle = param(self, "force, middle");
    const double amplitude = param(self, "force, amplitude");
    const double period = param(self, "period"), T = d->timestep;
    const long in_period = lround(period / T);
    const long steps = lround(param(self, "periods")) * in_period;
    dupont_block b = {0};
    double slid = 0, furthest = 0, back = 0;
    for (long k = 0; k < steps; k++) {
        if (k == in_period) slid = dupont_slid(&b);
        if (k == steps - in_period) furthest = b.position;
        if (k % every == 0) add_point(curve, (double)k * T, 1e3 * b.position);
        (void)dupont_step(d, model, table1_force_at(middle, amplitude, period, (double)k * T), &b);
        furthest = fmax(furthest, b.position);
        if (k >= steps - in_period) back = fmax(back, furthest - b.position);
    }
    return (answer){(dupont_slid(&b) - slid) * (double)in_period / (double)(steps - in_period),
                    back};
}

static void run_table1(const experiment *self, experiment_run *out) {
    static const char *const heads[] = {"model", "drift (m/period)", "stiction", "return (m)",
                                        "presliding displacement"};
    /* between rounding and the least that a model without stiction or with presliding shows */
    const double nothing = 1e-9;
    const dupont d = dupont_read(self, param(self, "T"));
    experiment_table *table = add_table(out, "Table 1, measured", 5, heads);
    experiment_plot *motion =
        add_plot(out, "Position under a force between 0.4 and 0.8 N", "time (s)", "position (mm)");
    experiment_plot *regularized =
        add_plot(out, "The same, regularized Coulomb friction", "time (s)", "position (mm)");
    double goes_back_by[DUPONT_MODELS];
    for (int m = 0; m < DUPONT_MODELS; m++) {
        experiment_plot *p = m == DUPONT_REGULARIZED ? regularized : motion; /* it runs away */
        const answer a = ask(self, &d, (dupont_model)m, add_curve(p, dupont_names[m]));
        measure(out, a.drift);
        goes_back_by[m] = a.goes_back_by;
        add_cell(table, "%s", dupont_names[m]);
        add_cell(table, "%.3g", a.drift);
        add_cell(table, "%s", fabs(a.drift) < nothing ? "yes" : "no");
        add_cell(table, "%.3g", a.goes_back_by);
        add_cell(table, "%s", a.goes_back_by > nothing ? "yes" : "no");
    }
    for (int m = 0; m < DUPONT_MODELS; m++) measure(out, goes_back_by[m]);
}

const experiment E_table1 = {
    .id = "E.table1",
    .title = "Table 1: stiction and presliding displacement",
    .shows = "A force that stays below the breakaway force must not make the block drift "
             "(stiction), and the block springs back where the force falls (presliding "
             "displacement): only the elasto-plastic model does both.",
    .seconds = 0.05,
    .misprints = LINES(DUPONT_MISPRINTS),
    PARTS(table1),
};

/* ---- Figs 2 and 3: four friction models under a force that challenges stiction ---- */

static const experiment_parameter fig3_parameters[] = {
    DUPONT_PARAMETERS,
    {"peak", 1.2, "N", CHOSEN, "Fig 2 is lost: a ramp in 1 s past the breakaway force"},
    {"level", 0.8, "N", CHOSEN, "from 1.2 s on: below Coulomb friction, as the text says"},
    {"amplitude", 0.1, "N", CHOSEN, "its peak must stay below sigma_0 z_ba = 0.95 N"},
    {"frequency", 5, "Hz", CHOSEN, NULL},
    {"high level", 0.97, "N", CHOSEN, "for comparison: its peak passes sigma_0 z_ba"},
    {"T", 1e-4, "s", CHOSEN, NULL},
};

static const char fig3_rounding[] = "rounding of 80000 steps";
static const char fig3_halved[] = "measured; half of T moves it by less than a tenth of it";
static const char forced[] = "theory of a forced oscillator; the start has not died out";

static const experiment_quantity fig3_quantities[] = {
    CLAIM("slid from 2 to 10 s, regularized Coulomb", "m", 0.08931, 1e-5, fig3_halved,
          "steady drift"),
    CLAIM("slid from 2 to 10 s, Karnopp", "m", 0, 0, rest, "no motion"),
    CLAIM("slid from 2 to 10 s, LuGre", "m", 0.02041, 2e-5, fig3_halved, "a steady drift"),
    CLAIM("slid from 2 to 10 s, elasto-plastic", "m", 0, 1e-12, fig3_rounding,
          "absence of net motion"),
    OURS("the same at 0.97 N, elasto-plastic", "m", 5.4106e-4, 5e-8, fig3_halved),
    CLAIM("return in the last second, Karnopp", "m", 0, 0, rest, "no presliding displacement"),
    CLAIM("return in the last second, LuGre", "m", 6.793e-5, 1e-8, fig3_halved,
          "oscillatory response"),
    CLAIM("return in the last second, elasto-plastic", "m", 2.2493e-4, 2e-6, forced,
          "oscillatory response"),
};

typedef struct drive {
    double peak, level, amplitude, frequency;
} drive;

/* A ramp up, a ramp back to the level, then the oscillation. */
static double fig3_force_at(const drive *u, double t) {
    const double pi = 3.141592653589793, up = 1, back = 0.2; /* s */
    if (t < up) return u->peak * t / up;
    if (t < up + back) return u->peak + (u->level - u->peak) * (t - up) / back;
    return u->level + u->amplitude * sin(2 * pi * u->frequency * t);
}

typedef struct outcome {
    double slid; /* m: x - z, from 2 s to the end */
    double back; /* m: how far it goes back in the last second; the force always pushes on */
} outcome;

/* Curves may be NULL. */
static outcome drag(const dupont *d, dupont_model model, const drive *u, experiment_curve *whole,
                    experiment_curve *after) {
    enum { every = 20 };
    const double T = d->timestep, end = 10, from = 2, last = 9; /* s */
    const long steps = lround(end / T), start = lround(from / T), final = lround(last / T);
    dupont_block b = {0}, at_start = b;
    double furthest = -(double)INFINITY, back = 0;
    for (long k = 0; k < steps; k++) {
        const double t = (double)k * T;
        if (k == start) at_start = b;
        if (k % every == 0) add_point(whole, t, 1e3 * b.position);
        if (k >= start && k % every == 0)
            add_point(after, t, 1e3 * (b.position - at_start.position));
        if (k >= final) {
            furthest = fmax(furthest, b.position);
            back = fmax(back, furthest - b.position);
        }
        (void)dupont_step(d, model, fig3_force_at(u, t), &b);
    }
    return (outcome){dupont_slid(&b) - dupont_slid(&at_start), back};
}

static void draw_force(const drive *u, experiment_run *out) {
    experiment_curve *c =
        add_curve(add_plot(out, "Applied force (Fig 2)", "time (s)", "force (N)"), "force");
    for (int k = 0; k <= 2000; k++) add_point(c, 5e-3 * k, fig3_force_at(u, 5e-3 * k));
}

static void run_fig3(const experiment *self, experiment_run *out) {
    static const dupont_model models[] = {DUPONT_REGULARIZED, DUPONT_KARNOPP, DUPONT_LUGRE,
                                          DUPONT_ELASTO_PLASTIC};
    enum { count = sizeof models / sizeof *models };
    const drive u = {param(self, "peak"), param(self, "level"), param(self, "amplitude"),
                     param(self, "frequency")};
    drive high = u;
    high.level = param(self, "high level");
    const dupont d = dupont_read(self, param(self, "T"));

    draw_force(&u, out);
    experiment_plot *whole =
        add_plot(out, "Response of the four models (Fig 3)", "time (s)", "position (mm)");
    experiment_plot *after =
        add_plot(out, "From 2 s on: who stays", "time (s)", "motion since 2 s (mm)");
    outcome of[count];
    for (size_t k = 0; k < count; k++) {
        const char *name = dupont_names[models[k]];
        of[k] = drag(&d, models[k], &u, add_curve(whole, name), k ? add_curve(after, name) : NULL);
        measure(out, of[k].slid);
    }
    measure(out, drag(&d, DUPONT_ELASTO_PLASTIC, &high, NULL, NULL).slid);
    MEASURE(out, of[1].back, of[2].back, of[3].back);
}

const experiment E_fig3 = {
    .id = "E.fig3",
    .title = "Four models under a force that challenges stiction",
    .shows = "After breakaway the force stays below Coulomb friction and oscillates: regularized "
             "Coulomb and LuGre friction drift, Karnopp's stands rigidly, the elasto-plastic model "
             "swings without drift.",
    .seconds = 0.05,
    .chief = true,
    .misprints = LINES(DUPONT_MISPRINTS),
    PARTS(fig3),
};

/* ---- Fig 4: the Stribeck curve, and that the models with a state settle on it ---- */

static const experiment_parameter fig4_parameters[] = {
    DUPONT_MODEL_PARAMETERS,
};

static const char fig4_rounding[] = "a few roundings";

static const experiment_quantity fig4_quantities[] = {
    CLAIM("largest steady friction f_m", "N", 1.1, 1e-12, fig4_rounding, "f_ba at rest"),
    OURS("steady friction at v_s", "N", 1.0367879441171442, 1e-12, "f_c + (f_ba - f_c)/e"),
    CLAIM("steady friction at 10 v_s", "N", 1, 1e-12, "(f_ba - f_c) exp(-100) is nothing",
          "f_c at speed"),
    CLAIM("largest rise with speed", "N", 0, 0, "no point lies above the one before",
          "a decreasing function of velocity magnitude"),
    CLAIM("largest distance to it, LuGre", "N", 0, 1e-12, "settles within exp(-45) of it",
          "rendered by the LuGre model"),
    CLAIM("largest distance to it, elasto-plastic", "N", 0, 1e-12, "settles within exp(-45) of it",
          "rendered by the elasto-plastic model"),
};

/* The friction after half a metre at a velocity: many times the deflection, 0.011 m. */
static double settled(const stiction_single_state *m, double v) {
    enum { steps = 1000 };
    double z = 0, f = (double)NAN;
    for (int k = 0; k < steps; k++) f = stiction_single_state_step(m, 0.5 / steps / fabs(v), v, &z);
    return f;
}

/* Returns how far from the curve the friction lies at most, at velocities k * 0.05 m/s; draws those
 * with an odd k (`shown` 1) or an even one (0), so that the dots of two models do not hide each
 * other. */
static double settle(const stiction_single_state *m, experiment_curve *dots, int shown) {
    double largest = 0;
    for (int k = -8; k <= 8; k++) {
        const double v = 0.05 * k;
        if (k == 0) continue;
        const double f = settled(m, v);
        const double distance = fabs(f - copysign(stiction_single_state_steady(m, v), v));
        if (v > 0 && k % 2 == shown) add_point(dots, v, f);
        if (!(distance <= largest)) largest = distance; /* a NaN shows */
    }
    return largest;
}

static void run_fig4(const experiment *self, experiment_run *out) {
    const stiction_single_state lugre = dupont_single_state(self, 0);
    const stiction_single_state ep = dupont_single_state(self, param(self, "z_ba"));
    const double v_s = param(self, "v_s");
    experiment_plot *both =
        add_plot(out, "Stribeck curve of steady sliding (Fig 4)", "velocity (m/s)", "friction (N)");
    experiment_plot *close =
        add_plot(out, "Where the models settle", "velocity (m/s)", "friction (N)");
    experiment_curve *curve = add_curve(both, "f_ss sgn(v), (6)");
    experiment_curve *forward = add_curve(close, "f_ss, (6)");
    experiment_curve *const dots[2] = {add_dots(close, "LuGre, settled"),
                                       add_dots(close, "elasto-plastic, settled")};
    double rise = 0;
    enum { points = 400 };
    for (int k = -points; k <= points; k++) {
        const double v = 4 * v_s * k / points, f = stiction_single_state_steady(&ep, v);
        if (k >= 0) add_point(forward, v, f);
        if (k == 0) { /* it jumps from -f_m to f_m */
            add_point(curve, v, -f);
            add_point(curve, v, f);
            continue;
        }
        add_point(curve, v, copysign(f, v));
        if (k > 0)
            rise = fmax(rise, f - stiction_single_state_steady(&ep, 4 * v_s * (k - 1) / points));
    }
    MEASURE(out, stiction_single_state_steady(&ep, 0), stiction_single_state_steady(&ep, v_s),
            stiction_single_state_steady(&ep, 10 * v_s), rise, settle(&lugre, dots[0], 1),
            settle(&ep, dots[1], 0));
}

const experiment E_fig4 = {
    .id = "E.fig4",
    .title = "The Stribeck curve",
    .shows = "Steady friction falls from f_m at rest to f_c at speed; the LuGre and the "
             "elasto-plastic model settle on this curve at every velocity.",
    .seconds = 0.01,
    .misprints = LINES(DUPONT_MISPRINTS),
    PARTS(fig4),
};

/* ---- Fig 6: the Stribeck slingshot, friction that pushes ---- */

static const experiment_parameter fig6_parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"f_c", 1, "N", PRINTED, NULL},
    {"f_ba", 1.5, "N", PRINTED, NULL},
    {"sigma_0", 1e4, "N/m", PRINTED, NULL},
    {"sigma_1", 200, "N s/m", PRINTED, NULL},
    {"sigma_2", 0, "N s/m", PRINTED, NULL},
    {"v_s", 0.1, "m/s", PRINTED, NULL},
    {"force", 20, "N", CHOSEN, "a step at t = 0; the paper's force is not given"},
    {"preload", 1.45, "N", INFERRED,
     "held before the step: found by trying values until friction reversed; not given"},
    {"smaller sigma_1", 100, "N s/m", CHOSEN, "for comparison"},
    {"T", 1e-6, "s", CHOSEN, NULL},
};

static const char digits[] = "three digits are stated; half of T moves it by 2e-5 N";
static const char fig6_halved[] = "measured; half of T moves it by 2e-5 N";
static const char bisected[] = "three digits are stated";

static const experiment_quantity fig6_quantities[] = {
    CLAIM("least friction, preloaded", "N", -0.647, 0.001, digits, "friction reverses, f < 0"),
    CLAIM_DIFFERS("least friction, from relaxed bristles", "N", 0.2009, 2e-4, fig6_halved,
                  "friction reverses, f < 0",
                  "from z = 0 the friction stays positive; the paper does not state its preload"),
    OURS("least of all steps to 100 N, relaxed", "N", 0.1984, 2e-4, fig6_halved),
    OURS("least step that reverses it, preloaded", "N", 13.1, 0.05, bisected),
    CLAIM("least friction, sigma_1 100, preloaded", "N", 0.3285, 2e-4, fig6_halved,
          "can be avoided by proper choice of model parameters"),
};

/* A block at rest, held by `preload`, when the force steps. */
typedef struct shot {
    stiction_single_state model;
    double mass, timestep, preload, force;
} shot;

/* The least friction after its peak, within 40 ms: it has settled at f_c by then. Curves may be
 * NULL. */
static double shoot(const shot *s, experiment_curve *friction, experiment_curve *velocity) {
    enum { every = 20 };
    const double end = 0.04, drawn_until = 0.02, T = s->timestep;
    double z = s->preload / s->model.stiffness, v = 0;
    double peak = -(double)INFINITY, least = (double)NAN;
    for (long k = 0; k < lround(end / T); k++) {
        const double t = (double)k * T, f = stiction_single_state_step(&s->model, T, v, &z);
        if (k % every == 0 && t <= drawn_until) {
            add_point(friction, 1e3 * t, f);
            add_point(velocity, 1e3 * t, v);
        }
        if (f > peak) peak = least = f;
        least = fmin(least, f);
        v += T * (s->force - f) / s->mass;
    }
    return least;
}

static double threshold(shot s, double below, double above) {
    while (above - below > 1e-3) {
        s.force = (below + above) / 2;
        if (shoot(&s, NULL, NULL) < 0)
            above = s.force;
        else
            below = s.force;
    }
    return above;
}

/* Draws the least friction over the size of the step and returns the least of all. */
static double sweep(shot s, experiment_curve *curve) {
    double least = (double)INFINITY;
    for (s.force = 5; s.force <= 100; s.force += s.force < 40 ? 1 : 5) {
        const double f = shoot(&s, NULL, NULL);
        if (s.force <= 40) add_point(curve, s.force, f);
        least = fmin(least, f);
    }
    return least;
}

static void run_fig6(const experiment *self, experiment_run *out) {
    const shot preloaded = {.model = dupont_single_state(self, 0),
                            .mass = param(self, "m"),
                            .timestep = param(self, "T"),
                            .preload = param(self, "preload"),
                            .force = param(self, "force")};
    shot relaxed = preloaded, damped = preloaded;
    relaxed.preload = 0;
    damped.model.damping = param(self, "smaller sigma_1");
    static const char *const names[] = {"preloaded with 1.45 N", "from relaxed bristles",
                                        "preloaded, sigma_1 100"};
    const shot *const shots[] = {&preloaded, &relaxed, &damped};
    experiment_plot *friction =
        add_plot(out, "Friction after a step to 20 N (Fig 6)", "time (ms)", "friction (N)");
    experiment_plot *velocity =
        add_plot(out, "Velocity of the block", "time (ms)", "velocity (m/s)");
    experiment_plot *steps = add_plot(out, "Least friction over the size of the step", "force (N)",
                                      "least friction (N)");
    double least[3] = {0}, least_of_all[2] = {0};
    for (int k = 0; k < 3; k++)
        least[k] = shoot(shots[k], add_curve(friction, names[k]), add_curve(velocity, names[k]));
    for (int k = 0; k < 2; k++) least_of_all[k] = sweep(*shots[k], add_curve(steps, names[k]));
    MEASURE(out, least[0], least[1], least_of_all[1], threshold(preloaded, 12, 15), least[2]);
}

const experiment E_fig6 = {
    .id = "E.fig6",
    .title = "The Stribeck slingshot",
    .shows = "The bristle relaxes so fast after breakaway that its damper pushes the block on: "
             "friction turns negative, but only where the block was held near breakaway before. "
             "The figure cannot be reproduced from what is printed alone: both cases are shown.",
    .seconds = 0.4,
    .chief = true,
    .misprints = LINES("(2) begins with zdot: it is f_t = sigma_0 z + sigma_1 zdot + sigma_2 v.",
                       "(16) has the acceleration in its last term: sigma_2 times the velocity."),
    PARTS(fig6),
};

/* ---- Fig 8: frictional memory in oscillatory sliding at three frequencies ---- */

static const char canudas[] =
    "as remembered of Canudas de Wit et al. 1995, whom the paper follows; not checked there";

static const experiment_parameter fig8_parameters[] = {
    {"sigma_0", 1e5, "N/m", INFERRED, canudas},
    {"sigma_1", 316.22776601683796, "N s/m", INFERRED, canudas},
    {"sigma_2", 0.4, "N s/m", INFERRED, canudas},
    {"f_c", 1, "N", INFERRED, canudas},
    {"f_ba", 1.5, "N", INFERRED, canudas},
    {"v_s", 0.001, "m/s", INFERRED, canudas},
    {"velocity, middle", 1.5e-3, "m/s", INFERRED, "from their figure of frictional lag"},
    {"velocity, amplitude", 1e-3, "m/s", INFERRED, "from their figure of frictional lag"},
    {"low frequency", 1, "rad/s", INFERRED, canudas},
    {"middle frequency", 10, "rad/s", INFERRED, canudas},
    {"high frequency", 25, "rad/s", INFERRED, canudas},
    {"z_ba", 7e-6, "m", CHOSEN, "not given; (19) demands less than f_c/sigma_0 = 1e-5"},
    {"steps a period", 20000, "", CHOSEN, NULL},
};

#define MEMORY "differing levels of friction for acceleration and deceleration"

static const char first[] = "theory of first order in the frequency";
static const char fig8_halved[] = "measured; half of the step moves it by less than a tenth of it";

static const experiment_quantity fig8_quantities[] = {
    CLAIM("gap at 1 rad/s, elasto-plastic", "N", 1.1967e-3, 2e-6, fig8_halved, MEMORY),
    CLAIM("gap at 10 rad/s, elasto-plastic", "N", 0.011623, 1e-6, fig8_halved, MEMORY),
    CLAIM("gap at 25 rad/s, elasto-plastic", "N", 0.032708, 1e-6, fig8_halved, MEMORY),
    CLAIM("gap at 1 rad/s, LuGre", "N", 1.2192e-3, 2e-6, first, "like the LuGre model"),
    CLAIM("gap at 10 rad/s, LuGre", "N", 0.012781, 1e-6, fig8_halved, "like the LuGre model"),
    CLAIM("gap at 25 rad/s, LuGre", "N", 0.036094, 1e-6, fig8_halved, "like the LuGre model"),
};

typedef struct slide {
    double middle, amplitude, frequency; /* m/s, m/s, rad/s */
    long in_period;                      /* steps */
} slide;

/*
 * Two periods, of which the second is drawn. Returns by how much the friction is larger at the
 * middle velocity on the way up than on the way down.
 */
static double oscillate(const stiction_single_state *m, const slide *s, experiment_curve *loop) {
    enum { every = 20 };
    const double pi = 3.141592653589793, angle = 2 * pi / (double)s->in_period;
    const double T = angle / s->frequency;
    double z = stiction_single_state_steady(m, s->middle) / m->stiffness;
    double up = (double)NAN, down = (double)NAN;
    for (long k = 0; k <= 2 * s->in_period; k++) {
        const double v = s->middle + s->amplitude * sin(angle * (double)k);
        double f, zdot;
        stiction_single_state_rate(m, v, z, &f, &zdot);
        if (k == s->in_period) up = f;
        if (k == s->in_period + s->in_period / 2) down = f;
        if (k >= s->in_period && k % every == 0) add_point(loop, 1e3 * v, f);
        const double between = s->middle + s->amplitude * sin(angle * ((double)k + 0.5));
        (void)stiction_single_state_step(m, T, between, &z);
    }
    return up - down;
}

static void run_fig8(const experiment *self, experiment_run *out) {
    static const char *const titles[2] = {"Elasto-plastic (Fig 8)", "LuGre, for comparison"};
    static const char *const curves[3] = {"1 rad/s", "10 rad/s", "25 rad/s"};
    const double frequencies[3] = {param(self, "low frequency"), param(self, "middle frequency"),
                                   param(self, "high frequency")};
    const stiction_single_state models[2] = {dupont_single_state(self, param(self, "z_ba")),
                                             dupont_single_state(self, 0)};
    for (int m = 0; m < 2; m++) {
        experiment_plot *p = add_plot(out, titles[m], "velocity (mm/s)", "friction (N)");
        for (int k = 0; k < 3; k++) {
            const slide s = {param(self, "velocity, middle"), param(self, "velocity, amplitude"),
                             frequencies[k], lround(param(self, "steps a period"))};
            measure(out, oscillate(&models[m], &s, add_curve(p, curves[k])));
        }
    }
}

const experiment E_fig8 = {
    .id = "E.fig8",
    .title = "Frictional memory",
    .shows = "In oscillatory sliding friction lags behind the velocity: it is larger while the "
             "block speeds up than while it slows down, and the more so the faster it oscillates.",
    .seconds = 0.02,
    .misprints = LINES(DUPONT_MISPRINTS,
                       "(16) has the acceleration in its last term: sigma_2 times the velocity."),
    PARTS(fig8),
};
