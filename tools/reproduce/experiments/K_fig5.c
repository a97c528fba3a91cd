/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 5: how Phi and Phi_Z belong together, and the approximation (46). */
#include <math.h>

#include "../experiment.h"
#include "joint_models/comparison/approximation.h"
#include "joint_models/element.h"

static const experiment_parameter parameters[] = {
    {"F_S", 2.5, "N m", CHOSEN, "the wrist of Cisneros et al.; the figure has no numbers"},
    {"F_C", 0.4, "N m", CHOSEN, "the same"},
    {"v_S", 0.06, "rad/s", CHOSEN, "the same"},
    {"D", 4.5, "N m s/rad", CHOSEN, "the same"},
    {"1/Z", 55, "N m s/rad", CHOSEN, "the same: B + T K"},
    {"x0", 0.07, "rad/s", CHOSEN, "an arbitrary value, as in the figure"},
    {"span", 0.3, "rad/s", CHOSEN, "drawn range of x"},
    {.symbol = NULL},
};

static const char rounding[] = "rounding of forces up to 3 N m";
static const char measured[] = "measured; the samples are finer than 1e-4 of the span";

static const experiment_quantity quantities[] = {
    CLAIM("y0 - Phi(x0 - Z y0)", "N m", 0, 1e-13, rounding, "y0 = Phi(x0 - Z y0)"),
    CLAIM("largest |Phi_Z(x) - Phi(x - Z Phi_Z(x))|, sliding", "N m", 0, 1e-13, rounding,
          "theorem 1"),
    CLAIM("largest |Phi_Z(x) - x/Z|, sticking", "N m", 0, 1e-14, rounding, "(16)"),
    CLAIM("end of stick, |x|", "rad/s", 2.5 / 55, 1e-5, "Z F_S, between two samples",
          "x/Z = Phi(+0)"),
    OURS("error of (46)", "N m", 0.91, 0.005, measured),
    CLAIM("error of (46), Z/10 to Z/100", "", 10, 3, "first order in Z, but for the next terms",
          "error Z |Phi_Z Phi'| + O(Z^2)"),
    {.name = NULL},
};

enum { samples = 20000 };

typedef struct transformed {
    const stiction_law *law;
    stiction_law_parameters p;
    stiction_phi_z phi_z;
} transformed;

static bool transform(transformed *t, const experiment *self, double inverse_Z) {
    t->law = stiction_law_find("stribeck");
    t->p = stiction_law_parameters_default();
    t->p.static_torque = param(self, "F_S");
    t->p.coulomb_torque = param(self, "F_C");
    t->p.stribeck_velocity = param(self, "v_S");
    t->p.viscous = param(self, "D");
    return stiction_phi_z_prepare_inverse(&t->phi_z, t->law, &t->p, inverse_Z) == STICTION_LAW_OK;
}

/* Phi at the slip velocity that Phi_Z(x) leaves. */
static double phi_at_slip(const transformed *t, double x) {
    return stiction_phi(t->law, &t->p, fma(-t->phi_z.Z, stiction_phi_z_at(&t->phi_z, x), x));
}

static void check_theorem(const transformed *t, double span, experiment_run *out) {
    double slide = 0, stick = 0, end = 0;
    for (int k = -samples; k <= samples; k++) {
        const double x = span * k / samples, y = stiction_phi_z_at(&t->phi_z, x);
        if (stiction_phi_z_sticks(&t->phi_z, x)) {
            stick = fmax(stick, fabs(y - x / t->phi_z.Z));
            end = fmax(end, fabs(x));
        } else {
            slide = fmax(slide, fabs(y - phi_at_slip(t, x)));
        }
    }
    MEASURE(out, slide, stick, end);
}

static double error_of_46(const experiment *self, double part_of_Z) {
    transformed t;
    if (!transform(&t, self, param(self, "1/Z") / part_of_Z)) return (double)NAN;
    const double span = part_of_Z * param(self, "span");
    double largest = 0;
    for (int k = 0; k <= samples; k++) {
        const double x = span * k / samples;
        largest = fmax(largest, fabs(stiction_approximation_46(t.law, &t.p, t.phi_z.Z, x) -
                                     stiction_phi_z_at(&t.phi_z, x)));
    }
    return largest;
}

/* The figure: from (x0, y0) along x = x0 - Z (y0 - y) to Phi. */
static void draw(const experiment *self, const transformed *t, experiment_run *out) {
    enum { drawn = 300 };
    const double span = param(self, "span"), x0 = param(self, "x0");
    const double y0 = stiction_phi_z_at(&t->phi_z, x0), slip = x0 - t->phi_z.Z * y0;
    experiment_plot *plot = add_plot(out, "Phi, Phi_Z and the approximation (46) of Phi_Z",
                                     "x (rad/s)", "torque (N m)");
    experiment_curve *phi = add_curve(plot, "Phi");
    experiment_curve *phi_z = add_curve(plot, "Phi_Z");
    experiment_curve *approximation = add_curve(plot, "(46)");
    for (int k = -drawn; k <= drawn; k++) {
        const double x = span * k / drawn;
        if (k == 0) {
            add_point(phi, 0, stiction_phi(t->law, &t->p, -0.0));
            add_point(phi, 0, stiction_phi(t->law, &t->p, 0.0));
        } else {
            add_point(phi, x, stiction_phi(t->law, &t->p, x));
        }
        add_point(phi_z, x, stiction_phi_z_at(&t->phi_z, x));
        add_point(approximation, x, stiction_approximation_46(t->law, &t->p, t->phi_z.Z, x));
    }
    experiment_curve *shift = add_curve(plot, "x0 - Z y0 to x0, at y0");
    add_point(shift, slip, y0);
    add_point(shift, x0, y0);
    experiment_curve *dots = add_dots(plot, "(x0 - Z y0, y0) and (x0, y0)");
    add_point(dots, slip, y0);
    add_point(dots, x0, y0);
}

static void run_experiment(const experiment *self, experiment_run *out) {
    transformed t;
    if (!transform(&t, self, param(self, "1/Z"))) return;
    draw(self, &t, out);
    const double x0 = param(self, "x0");
    measure(out, fabs(stiction_phi_z_at(&t.phi_z, x0) - phi_at_slip(&t, x0)));
    check_theorem(&t, param(self, "span"), out);
    MEASURE(out, error_of_46(self, 1), error_of_46(self, 0.1) / error_of_46(self, 0.01));
}

const experiment K_fig5 = {
    .id = "K.fig5",
    .title = "Phi and its implicit transformation Phi_Z",
    .shows = "Phi_Z is Phi pushed to the right by Z y: the same torque at a larger x, and the jump "
             "at zero becomes a steep line. The paper's approximation (46) keeps neither the "
             "breakaway nor the sliding torque unless Z is small.",
    .seconds = 0.1,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
