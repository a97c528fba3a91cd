/* SPDX-License-Identifier: MIT */
/* Dupont et al., Figs 2 and 3: four friction models under a force that challenges stiction. */
#include <math.h>

#include "../experiment.h"
#include "dupont.h"

static const experiment_parameter parameters[] = {
    DUPONT_PARAMETERS,
    {"peak", 1.2, "N", CHOSEN, "Fig 2 is lost: a ramp in 1 s past the breakaway force"},
    {"level", 0.8, "N", CHOSEN, "from 1.2 s on: below Coulomb friction, as the text says"},
    {"amplitude", 0.1, "N", CHOSEN, "its peak must stay below sigma_0 z_ba = 0.95 N"},
    {"frequency", 5, "Hz", CHOSEN, NULL},
    {"high level", 0.97, "N", CHOSEN, "for comparison: its peak passes sigma_0 z_ba"},
    {"T", 1e-4, "s", CHOSEN, NULL},
    {.symbol = NULL},
};

static const char rest[] = "at rest to the bit";
static const char rounding[] = "rounding of 80000 steps";
static const char halved[] = "measured; half of T moves it by less than a tenth of it";
static const char forced[] = "theory of a forced oscillator; the start has not died out";

static const experiment_quantity quantities[] = {
    CLAIM("slid from 2 to 10 s, regularized Coulomb", "m", 0.08931, 1e-5, halved, "steady drift"),
    CLAIM("slid from 2 to 10 s, Karnopp", "m", 0, 0, rest, "no motion"),
    CLAIM("slid from 2 to 10 s, LuGre", "m", 0.02041, 2e-5, halved, "a steady drift"),
    CLAIM("slid from 2 to 10 s, elasto-plastic", "m", 0, 1e-12, rounding, "absence of net motion"),
    OURS("the same at 0.97 N, elasto-plastic", "m", 5.4106e-4, 5e-8, halved),
    CLAIM("return in the last second, Karnopp", "m", 0, 0, rest, "no presliding displacement"),
    CLAIM("return in the last second, LuGre", "m", 6.793e-5, 1e-8, halved, "oscillatory response"),
    CLAIM("return in the last second, elasto-plastic", "m", 2.2493e-4, 2e-6, forced,
          "oscillatory response"),
    {.name = NULL},
};

static const char *const misprints[] = {DUPONT_MISPRINTS, NULL};

typedef struct drive {
    double peak, level, amplitude, frequency;
} drive;

/* A ramp up, a ramp back to the level, then the oscillation. */
static double force_at(const drive *u, double t) {
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
        if (whole && k % every == 0) add_point(whole, t, 1e3 * b.position);
        if (after && k >= start && k % every == 0)
            add_point(after, t, 1e3 * (b.position - at_start.position));
        if (k >= final) {
            furthest = fmax(furthest, b.position);
            back = fmax(back, furthest - b.position);
        }
        (void)dupont_step(d, model, force_at(u, t), &b);
    }
    return (outcome){dupont_slid(&b) - dupont_slid(&at_start), back};
}

static void draw_force(const drive *u, experiment_run *out) {
    experiment_curve *c =
        add_curve(add_plot(out, "Applied force (Fig 2)", "time (s)", "force (N)"), "force");
    for (int k = 0; k <= 2000; k++) add_point(c, 5e-3 * k, force_at(u, 5e-3 * k));
}

static void run_experiment(const experiment *self, experiment_run *out) {
    static const dupont_model models[] = {DUPONT_REGULARIZED, DUPONT_KARNOPP, DUPONT_LUGRE,
                                          DUPONT_ELASTO_PLASTIC};
    enum { count = sizeof models / sizeof *models };
    const drive u = {param(self, "peak"), param(self, "level"), param(self, "amplitude"),
                     param(self, "frequency")};
    drive high = u;
    high.level = param(self, "high level");
    dupont d;
    if (!dupont_read(self, param(self, "T"), &d)) return;

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
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
