/* SPDX-License-Identifier: MIT */
/* Dupont et al., Table 1: which models have stiction, which presliding displacement. */
#include <math.h>

#include "../experiment.h"
#include "dupont.h"

static const experiment_parameter parameters[] = {
    DUPONT_PARAMETERS,
    {"force, middle", 0.6, "N", CHOSEN, "it never reaches the breakaway force, nor f_c, nor 0"},
    {"force, amplitude", 0.2, "N", CHOSEN, NULL},
    {"period", 20, "s", CHOSEN, "slow, so that the block's inertia matters little"},
    {"periods", 5, "", CHOSEN, NULL},
    {"T", 1e-3, "s", CHOSEN, NULL},
    {.symbol = NULL},
};

#define STICTION_YES   "stiction: yes"
#define STICTION_NO    "stiction: no"
#define PRESLIDING_YES "presliding displacement: yes"
#define PRESLIDING_NO  "presliding displacement: no"

static const char rest[] = "at rest to the bit";
static const char rounding[] = "100000 roundings";
static const char creep[] = "theory v_0 times the mean of artanh(F/f_c); inertia is left out";
static const char slow[] = "theory of Dahl's equation at f_ba; inertia is left out";
static const char elastic[] = "theory: a forced oscillator on sigma_0, sigma_1; first order in T";

static const experiment_quantity quantities[] = {
    CLAIM("drift, classic Coulomb", "m/period", 0, 0, rest, STICTION_YES),
    CLAIM("drift, Karnopp", "m/period", 0, 0, rest, STICTION_YES),
    CLAIM("drift, regularized Coulomb", "m/period", 0.14517, 1e-4, creep, STICTION_NO),
    CLAIM("drift, LuGre", "m/period", 6.7200e-3, 1e-4, slow, STICTION_NO),
    CLAIM("drift, elasto-plastic", "m/period", 0, 1e-14, rounding, STICTION_YES),
    CLAIM("return, classic Coulomb", "m", 0, 0, rest, PRESLIDING_NO),
    CLAIM("return, Karnopp", "m", 0, 0, rest, PRESLIDING_NO),
    CLAIM("return, regularized Coulomb", "m", 0, 0, "it never turns back", PRESLIDING_NO),
    CLAIM("return, LuGre", "m", 2.6003e-3, 1e-4, slow, PRESLIDING_YES),
    CLAIM("return, elasto-plastic", "m", 4.0040e-3, 4e-6, elastic, PRESLIDING_YES),
    {.name = NULL},
};

static const char *const misprints[] = {DUPONT_MISPRINTS, NULL};

/* Half a period up to the peak from rest, then around the middle: smooth, and always below f_c. */
static double force_at(double middle, double amplitude, double period, double t) {
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
        (void)dupont_step(d, model, force_at(middle, amplitude, period, (double)k * T), &b);
        furthest = fmax(furthest, b.position);
        if (k >= steps - in_period) back = fmax(back, furthest - b.position);
    }
    return (answer){(dupont_slid(&b) - slid) * (double)in_period / (double)(steps - in_period),
                    back};
}

static void run_experiment(const experiment *self, experiment_run *out) {
    static const char *const heads[] = {"model", "drift (m/period)", "stiction", "return (m)",
                                        "presliding displacement"};
    /* between rounding and the least that a model without stiction or with presliding shows */
    const double nothing = 1e-9;
    dupont d;
    if (!dupont_read(self, param(self, "T"), &d)) return;
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
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
