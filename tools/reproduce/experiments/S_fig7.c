/* SPDX-License-Identifier: MIT */
/* Cisneros et al., Fig 7: the rational law beside the Stribeck law. */
#include <math.h>

#include "../experiment.h"
#include "law_curve.h"
#include "wrist.h"

static const experiment_parameter parameters[] = {
    WRIST_STRIBECK,   WRIST_RATIONAL,
    WRIST_ELEMENT,    {"range", 0.5, "rad/s", CHOSEN, "of the plot: the figure is lost"},
    {.symbol = NULL},
};

static const char theory[] = "a closed form, up to the search for the minimum";

static const experiment_quantity quantities[] = {
    OURS("torque at +0, rational", "N m", 2.5, 0, "exact: F_S"),
    OURS("velocity of least friction, rational", "rad/s", 0.10298407, 1e-7, theory),
    OURS("least friction, rational", "N m", 1.3068566354, 1e-9, theory),
    CLAIM("largest distance of the two curves", "N m", 0.1716529, 1e-6,
          "a difference of closed forms on a fine grid", "an equivalent curve"),
    OURS("r = -Phi'(+0), rational", "N m s/rad", 53, 1e-12, "exact: (38)"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "The captions of Figs 7 and 8 are mixed up: F_S 2.5, F_C 0.2, v_S 0.04, D 4.5 belong to Fig 7, "
    "K 5000, B 50, T 0.001 to Fig 8.",
    "(33) to (42) come down to delta = v_S: Phi = F_C + F_SC v_S/(|x| + v_S) + D |x|, odd.", NULL};

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_joint_def rational = wrist_rational(self), stribeck = wrist_stribeck(self);
    const double T = param(self, "T"), range = param(self, "range");
    const law_curve r = law_curve_of(&rational, T), s = law_curve_of(&stribeck, T);
    experiment_plot *plot = add_plot(out, "Rational and Stribeck friction models",
                                     "joint velocity (rad/s)", "friction torque (N m)");
    law_curve_draw(&r, law_curve_phi, range, 500, add_curve(plot, "rational"));
    law_curve_draw(&s, law_curve_phi, range, 500, add_curve(plot, "Stribeck"));
    const double least = law_curve_minimum(&r, law_curve_phi, 0, range);
    MEASURE(out, law_curve_phi(&r, 0), least, law_curve_phi(&r, least),
            law_curve_distance(&r, &s, law_curve_phi, range),
            -stiction_phi_slope(r.law, &r.parameters, 0));
}

const experiment S_fig7 = {
    .id = "S.fig7",
    .title = "The rational law beside the Stribeck law",
    .shows = "With its own F_C and v_S the rational law stays within 0.18 N m of the Stribeck law, "
             "without an exponential.",
    .seconds = 0.02,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
