/* SPDX-License-Identifier: MIT */
/* Cisneros et al., Fig 8: the implicit transformations of both laws; and what (47) prints. */
#include <math.h>

#include "../experiment.h"
#include "law_curve.h"
#include "wrist.h"

static const experiment_parameter parameters[] = {
    WRIST_STRIBECK,   WRIST_RATIONAL,
    WRIST_ELEMENT,    {"range", 0.5, "rad/s", CHOSEN, "of the plot: the figure is lost"},
    {.symbol = NULL},
};

static const experiment_quantity quantities[] = {
    CLAIM("largest distance of the two curves", "N m", 0.28930, 1e-5,
          "bisection of (15), in other hands", "an equivalent curve"),
    CLAIM("1 + Z min Phi', rational", "", 1 - 53.0 / 55, 1e-14, "exact; legal above 0",
          "r < K T + B, (49)"),
    CLAIM_DIFFERS("v_S/F_S - Z, rational", "s", 0.04 / 2.5 - 1 / 55., 1e-15, "exact",
                  "(32) asks for Z <= v_S/F_S",
                  "(32) is sufficient, not necessary: it refuses the paper's own rational set, "
                  "which is legal"),
    CLAIM("torque at v* = -0.2, rational", "N m", -1.4136479948947387, 1e-12,
          "the quadratic equation of (44), in other hands", "odd"),
    CLAIM_DIFFERS("the same, (47) as printed", "N m", 12.80315872779434, 1e-12,
                  "the printed formula", "odd",
                  "b_- has the wrong sign: friction would drive the joint"),
    {.name = NULL},
};

static const char *const misprints[] = {
    "(47): b_- = +(-x + delta - 2DZx + alpha Z), not -(...); the library works on |x| and gives y "
    "the sign of x.",
    "The captions of Figs 7 and 8 are mixed up: F_S 2.5, F_C 0.2, v_S 0.04, D 4.5 belong to Fig 7, "
    "K 5000, B 50, T 0.001 to Fig 8.",
    NULL};

/* (45) with (46) to (48) as they stand in the paper, for x < 0. */
static double as_printed(const law_curve *c, double x) {
    const stiction_law_parameters *p = &c->parameters;
    const double Z = c->phi_z.Z, D = p->viscous, delta = p->stribeck_velocity;
    const double alpha = D * delta + p->coulomb_torque, beta = p->static_torque * delta;
    const double a = D * Z * Z + Z, b = -(-x + delta - 2 * D * Z * x + alpha * Z);
    return (-b + sqrt(b * b - 4 * a * (D * x * x - alpha * x + beta))) / (2 * a);
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const stiction_joint_def rational = wrist_rational(self), stribeck = wrist_stribeck(self);
    const double T = param(self, "T"), range = param(self, "range");
    const law_curve r = law_curve_of(&rational, T), s = law_curve_of(&stribeck, T);
    static const char x_label[] = "hypothetical velocity v* (rad/s)";
    experiment_plot *plot =
        add_plot(out, "Implicit transformations of the rational and the Stribeck model", x_label,
                 "friction torque (N m)");
    law_curve_draw(&r, law_curve_phi_z, range, 500, add_curve(plot, "rational"));
    law_curve_draw(&s, law_curve_phi_z, range, 500, add_curve(plot, "Stribeck"));
    plot = add_plot(out, "The left side of the rational model as (47) prints it", x_label,
                    "friction torque (N m)");
    law_curve_draw(&r, law_curve_phi_z, range, 500, add_curve(plot, "corrected"));
    experiment_curve *printed = add_curve(plot, "as printed");
    for (double x = -range; x < -r.phi_z.Z * r.phi_z.breakaway; x += range / 200)
        add_point(printed, x, as_printed(&r, x));

    MEASURE(out, law_curve_distance(&r, &s, law_curve_phi_z, range), r.phi_z.margin,
            r.parameters.stribeck_velocity / r.parameters.static_torque - r.phi_z.Z,
            law_curve_phi_z(&r, -0.2), as_printed(&r, -0.2));
}

const experiment S_fig8 = {
    .id = "S.fig8",
    .title = "The implicit transformations of both laws",
    .shows = "Both laws stick up to the same v* and stay close; the rational one is legal by a "
             "margin of 4 %, so it drops off much more steeply.",
    .seconds = 0.02,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
