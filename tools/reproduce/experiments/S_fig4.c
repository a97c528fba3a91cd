/* SPDX-License-Identifier: MIT */
/* Cisneros et al., Fig 4: the implicit transformation of the Stribeck law. */
#include <math.h>

#include "../experiment.h"
#include "law_curve.h"
#include "wrist.h"

static const experiment_parameter parameters[] = {
    WRIST_STRIBECK,
    WRIST_ELEMENT,
    {"range", 0.5, "rad/s", CHOSEN, "of the plot: the figure is lost"},
    {.symbol = NULL},
};

static const experiment_quantity quantities[] = {
    CLAIM("stick up to v* =", "rad/s", 2.5 / 55, 1e-15, "exact: Z F_S", "x/Z if |x| <= Z F_S"),
    OURS("slope while it sticks", "N m s/rad", 55, 1e-12, "exact: K T + B"),
    OURS("v* of least friction", "rad/s", 0.14532793, 1e-7, "a closed form, up to the search"),
    OURS("torque at v* = -50", "N m", -208.35294117647058, 1e-13,
         "an ulp of a value from 60 digits; (27) overflows there"),
    CLAIM("largest |y - Phi(v* - Z y)| while it slips", "N m", 0, 1e-13,
          "rounding of v* - Z y times the steepest slope", "y = Phi(x - Z y)"),
    CLAIM("1 + Z min Phi'", "", 1 - 30.5 / 55, 1e-15, "exact; legal above 0, (14)",
          "the condition (14) must be respected"),
    {.name = NULL},
};

static double residual(const law_curve *c, double range) {
    double largest = 0;
    for (int k = 1; k <= 100000; k++) {
        const double x = range * k / 100000, y = law_curve_phi_z(c, x);
        if (stiction_phi_z_sticks(&c->phi_z, x)) continue;
        largest = fmax(largest, fabs(y - law_curve_phi(c, fma(-c->phi_z.Z, y, x))));
    }
    return largest;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_joint_def def = wrist_stribeck(self);
    const law_curve c = law_curve_of(&def, param(self, "T"));
    const double range = param(self, "range");
    experiment_plot *plot = add_plot(out, "Implicit transformation of the Stribeck friction model",
                                     "hypothetical velocity v* (rad/s)", "friction torque (N m)");
    law_curve_draw(&c, law_curve_phi_z, range, 500, add_curve(plot, "Stribeck"));

    /* the largest v* that sticks, to the last bit */
    double stick = 0, slip = range;
    for (int k = 0; k < 200; k++) {
        const double middle = stick + (slip - stick) / 2;
        *(stiction_phi_z_sticks(&c.phi_z, middle) ? &stick : &slip) = middle;
    }
    MEASURE(out, stick, law_curve_phi_z(&c, stick / 2) / (stick / 2),
            law_curve_minimum(&c, law_curve_phi_z, stick, range), law_curve_phi_z(&c, -50),
            residual(&c, range), c.phi_z.margin);
}

const experiment S_fig4 = {
    .id = "S.fig4",
    .title = "The implicit transformation of the Stribeck law",
    .shows = "The jump at rest has become a steep line: below Z F_S the bristle takes the whole "
             "motion, above it the law of Fig 3 goes on without a gap.",
    .seconds = 0.02,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
