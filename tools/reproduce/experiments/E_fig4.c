/* SPDX-License-Identifier: MIT */
/* Dupont et al., Fig 4: the Stribeck curve, and that the models with a state settle on it. */
#include <math.h>

#include "../experiment.h"
#include "dupont.h"

static const experiment_parameter parameters[] = {
    DUPONT_MODEL_PARAMETERS,
    {.symbol = NULL},
};

static const char rounding[] = "a few roundings";

static const experiment_quantity quantities[] = {
    CLAIM("largest steady friction f_m", "N", 1.1, 1e-12, rounding, "f_ba at rest"),
    OURS("steady friction at v_s", "N", 1.0367879441171442, 1e-12, "f_c + (f_ba - f_c)/e"),
    CLAIM("steady friction at 10 v_s", "N", 1, 1e-12, "(f_ba - f_c) exp(-100) is nothing",
          "f_c at speed"),
    CLAIM("largest rise with speed", "N", 0, 0, "no point lies above the one before",
          "a decreasing function of velocity magnitude"),
    CLAIM("largest distance to it, LuGre", "N", 0, 1e-12, "settles within exp(-45) of it",
          "rendered by the LuGre model"),
    CLAIM("largest distance to it, elasto-plastic", "N", 0, 1e-12, "settles within exp(-45) of it",
          "rendered by the elasto-plastic model"),
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
        if (v > 0 && k % 2 == shown) add_point(dots, v, f);
        if (!(distance <= largest)) largest = distance; /* a NaN shows */
    }
    return largest;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_single_state lugre = dupont_single_state(self, 0);
    const stiction_single_state ep = dupont_single_state(self, param(self, "z_ba"));
    if (!stiction_single_state_in_domain(&lugre) || !stiction_single_state_in_domain(&ep)) return;
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
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
