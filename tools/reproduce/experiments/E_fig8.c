/* SPDX-License-Identifier: MIT */
/* Dupont et al., Fig 8: frictional memory in oscillatory sliding at three frequencies. */
#include <math.h>

#include "../experiment.h"
#include "dupont.h"

static const char canudas[] =
    "as remembered of Canudas de Wit et al. 1995, whom the paper follows; not checked there";

static const experiment_parameter parameters[] = {
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
    {.symbol = NULL},
};

#define MEMORY "differing levels of friction for acceleration and deceleration"
static const char first[] = "theory of first order in the frequency";
static const char halved[] = "measured; half of the step moves it by less than a tenth of it";

static const experiment_quantity quantities[] = {
    CLAIM("gap at 1 rad/s, elasto-plastic", "N", 1.1967e-3, 2e-6, halved, MEMORY),
    CLAIM("gap at 10 rad/s, elasto-plastic", "N", 0.011623, 1e-6, halved, MEMORY),
    CLAIM("gap at 25 rad/s, elasto-plastic", "N", 0.032708, 1e-6, halved, MEMORY),
    CLAIM("gap at 1 rad/s, LuGre", "N", 1.2192e-3, 2e-6, first, "like the LuGre model"),
    CLAIM("gap at 10 rad/s, LuGre", "N", 0.012781, 1e-6, halved, "like the LuGre model"),
    CLAIM("gap at 25 rad/s, LuGre", "N", 0.036094, 1e-6, halved, "like the LuGre model"),
    {.name = NULL},
};

static const char *const misprints[] = {
    DUPONT_MISPRINTS,
    "(16) has the acceleration in its last term: sigma_2 times the velocity.",
    NULL,
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

static void run_experiment(const experiment *self, experiment_run *out) {
    static const char *const titles[2] = {"Elasto-plastic (Fig 8)", "LuGre, for comparison"};
    static const char *const curves[3] = {"1 rad/s", "10 rad/s", "25 rad/s"};
    const double frequencies[3] = {param(self, "low frequency"), param(self, "middle frequency"),
                                   param(self, "high frequency")};
    const stiction_single_state models[2] = {dupont_single_state(self, param(self, "z_ba")),
                                             dupont_single_state(self, 0)};
    for (int m = 0; m < 2; m++) {
        if (!stiction_single_state_in_domain(&models[m])) return;
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
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
