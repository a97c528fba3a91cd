/* SPDX-License-Identifier: MIT */
/* Dupont et al., Fig 4: the Stribeck curve, and that the models with a state settle on it. */
#include <math.h>

#include "all.h"
#include "common/command.h"
#include "dupont.h"

static const experiment_parameter parameters[] = {
    DUPONT_MODEL_PARAMETERS,
    {.symbol = NULL},
};

static const char rounding[] = "a few roundings";

static const experiment_quantity quantities[] = {
    {"largest steady friction f_m", "N", 1.1, 1e-12, rounding, (double)NAN, 0, "f_ba at rest",
     NULL},
    {"steady friction at v_s", "N", 1.0367879441171442, 1e-12, "f_c + (f_ba - f_c)/e", (double)NAN,
     0, NULL, NULL},
    {"steady friction at 10 v_s", "N", 1, 1e-12, "(f_ba - f_c) exp(-100) is nothing", (double)NAN,
     0, "f_c at speed", NULL},
    {"largest rise with speed", "N", 0, 0, "no point lies above the one before", (double)NAN, 0,
     "a decreasing function of velocity magnitude", NULL},
    {"largest distance to it, LuGre", "N", 0, 1e-12, "settles within exp(-45) of it", (double)NAN,
     0, "rendered by the LuGre model", NULL},
    {"largest distance to it, elasto-plastic", "N", 0, 1e-12, "settles within exp(-45) of it",
     (double)NAN, 0, "rendered by the elasto-plastic model", NULL},
    {.name = NULL},
};

static const char *const misprints[] = {DUPONT_MISPRINTS, NULL};

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
        if (v > 0 && k % 2 == shown) experiment_add_point(dots, v, f);
        if (!(distance <= largest)) largest = distance; /* a NaN shows */
    }
    return largest;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_single_state lugre = dupont_single_state(self, 0);
    const stiction_single_state ep = dupont_single_state(self, experiment_value(self, "z_ba"));
    if (!stiction_single_state_in_domain(&lugre) || !stiction_single_state_in_domain(&ep)) {
        (void)complain("%s: a parameter of its models is out of its domain", self->id);
        return;
    }
    const double v_s = experiment_value(self, "v_s");
    experiment_plot *both = experiment_add_plot(out, "Stribeck curve of steady sliding (Fig 4)",
                                                "velocity (m/s)", "friction (N)");
    experiment_plot *close =
        experiment_add_plot(out, "Where the models settle", "velocity (m/s)", "friction (N)");
    experiment_curve *curve = experiment_add_curve(both, "f_ss sgn(v), (6)");
    experiment_curve *forward = experiment_add_curve(close, "f_ss, (6)");
    experiment_curve *const dots[2] = {experiment_add_dots(close, "LuGre, settled"),
                                       experiment_add_dots(close, "elasto-plastic, settled")};
    double rise = 0;
    enum { points = 400 };
    for (int k = -points; k <= points; k++) {
        const double v = 4 * v_s * k / points, f = stiction_single_state_steady(&ep, v);
        if (k >= 0) experiment_add_point(forward, v, f);
        if (k == 0) { /* it jumps from -f_m to f_m */
            experiment_add_point(curve, v, -f);
            experiment_add_point(curve, v, f);
            continue;
        }
        experiment_add_point(curve, v, copysign(f, v));
        if (k > 0)
            rise = fmax(rise, f - stiction_single_state_steady(&ep, 4 * v_s * (k - 1) / points));
    }
    experiment_measure(out, "largest steady friction f_m", stiction_single_state_steady(&ep, 0));
    experiment_measure(out, "steady friction at v_s", stiction_single_state_steady(&ep, v_s));
    experiment_measure(out, "steady friction at 10 v_s",
                       stiction_single_state_steady(&ep, 10 * v_s));
    experiment_measure(out, "largest rise with speed", rise);
    experiment_measure(out, "largest distance to it, LuGre", settle(&lugre, dots[0], 1));
    experiment_measure(out, "largest distance to it, elasto-plastic", settle(&ep, dots[1], 0));
}

const experiment E_fig4 = {
    .id = "E.fig4",
    .title = "The Stribeck curve",
    .shows = "Steady friction falls from f_m at rest to f_c at speed; the LuGre and the "
             "elasto-plastic model settle on this curve at every velocity.",
    .seconds = 0.01,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
