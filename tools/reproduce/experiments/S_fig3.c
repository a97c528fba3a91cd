/* SPDX-License-Identifier: MIT */
/* Cisneros et al., Fig 3: the Stribeck law over the joint velocity. */
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

static const char theory[] = "a closed form, up to the search for the minimum";

static const experiment_quantity quantities[] = {
    OURS("torque at +0", "N m", 2.5, 0, "exact: F_S"),
    OURS("velocity of least friction", "rad/s", 0.12307624, 1e-7, theory),
    CLAIM("least friction", "N m", 1.2238430795, 1e-9, theory,
          "decreases with increased speed, then increases"),
    OURS("steepest descent", "N m s/rad", 30.5, 1e-12, "exact: F_SC/v_S - D"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "Section III (b) demands Phi(x) > 0; a friction law has Phi(x) x > 0.", NULL};

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_joint_def def = wrist_stribeck(self);
    const law_curve c = law_curve_of(&def, param(self, "T"));
    const double range = param(self, "range");
    experiment_plot *plot =
        add_plot(out, "Stribeck friction model", "joint velocity (rad/s)", "friction torque (N m)");
    law_curve_draw(&c, law_curve_phi, range, 500, add_curve(plot, "Stribeck"));
    const double least = law_curve_minimum(&c, law_curve_phi, 0, range);
    MEASURE(out, law_curve_phi(&c, 0), least, law_curve_phi(&c, least),
            c.law->steepest_descent(&c.parameters));
}

const experiment S_fig3 = {
    .id = "S.fig3",
    .title = "The Stribeck law of the wrist",
    .shows = "Friction falls from 2.5 N m at rest to half of that at 0.12 rad/s, and rises again "
             "with the viscous term.",
    .seconds = 0.01,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
