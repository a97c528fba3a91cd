/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 8: model A over velocity and external force. */
#include <math.h>

#include "../experiment.h"
#include "coulomb_element.h"
#include "friction_sections.h"
#include "joint_models/reference/reference.h"

static const experiment_parameter parameters[] = {
    {"F", 8, "N", CHOSEN, "of Fig 6; the figure has no numbers"},
    {"M", 1, "kg", CHOSEN, "of Fig 6"},
    {"T", 0.001, "s", CHOSEN, "of Fig 6"},
    {.symbol = NULL},
};

static const char rounding[] = "rounding";

static const experiment_quantity quantities[] = {
    CLAIM("A - Coulomb at v = 0", "N", 0, 1e-14, rounding,
          "identical to the Coulomb friction model at v = 0"),
    OURS("jump of f over v", "N", 0, 1e-9, rounding),
    CLAIM("stops within one step from", "m/s", 0.008, 1e-9, "T F/M, to where the search ends",
          "|v + T h/M| <= T F/M"),
    CLAIM("energy that friction adds in a step", "J", 0, 0, "never, at any T from 0.1 ms to 10 s",
          "dissipative regardless of the timestep size"),
    {.name = NULL},
};

/* Friction of one step from v, the last velocity. */
static double model_a(const void *context, double v, double h) {
    double f;
    stiction_element_a_step(context, 1, &h, &v, &f);
    return f;
}

static double coulomb(const void *context, double v, double h) {
    return stiction_karnopp_force(stiction_law_find("coulomb"), context, 0, v, h);
}

/* The largest velocity from which a step without external force ends at rest. */
static double stops_from(const stiction_element *a, double stops, double moves) {
    const double h = 0;
    for (int n = 0; n < 60; n++) {
        double v = 0.5 * (stops + moves), f;
        stiction_element_a_step(a, 1, &h, &v, &f);
        if (v == 0)
            stops = 0.5 * (stops + moves);
        else
            moves = 0.5 * (stops + moves);
    }
    return stops;
}

/* The most by which a step's friction raises the kinetic energy, over many v and h. */
static double energy_added(double F, double M, double T) {
    const stiction_element_def def = {.kind = STICTION_ELEMENT_A, .mass = M, .timestep = T};
    stiction_element a;
    if (!coulomb_element(&a, F, &def)) return (double)NAN;
    double most = 0;
    for (int j = -50; j <= 50; j++)
        for (int k = -50; k <= 50; k++) {
            const double h = 0.1 * k * F;
            double v = 0.1 * j * T * F / M, f;
            const double unopposed = fma(a.Z, h, v); /* v*, (26a) */
            stiction_element_a_step(&a, 1, &h, &v, &f);
            most = fmax(most, 0.5 * M * (v * v - unopposed * unopposed));
        }
    return most;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const double F = param(self, "F"), M = param(self, "M");
    const double T = param(self, "T");
    const stiction_element_def def = {.kind = STICTION_ELEMENT_A, .mass = M, .timestep = T};
    const stiction_law_parameters p = coulomb_parameters(F);
    stiction_element a;
    if (!coulomb_element(&a, F, &def)) return;
    const double span = 4 * T * F / M;
    draw_sections(out, "Model A (27)", model_a, &a, F, span);

    experiment_plot *rest =
        add_plot(out, "Friction at v = 0", "external force h (N)", "friction force f (N)");
    experiment_curve *of_a = add_curve(rest, "model A");
    experiment_curve *of_coulomb = add_curve(rest, "Coulomb (1)");
    double apart = 0;
    for (int k = -200; k <= 200; k++) {
        const double h = 0.01 * k * F;
        apart = fmax(apart, fabs(model_a(&a, 0, h) - coulomb(&p, 0, h)));
        add_point(of_a, h, model_a(&a, 0, h));
        add_point(of_coulomb, h, coulomb(&p, 0, h));
    }
    double added = 0;
    for (double step = 1e-4; step < 11; step *= 10) added += energy_added(F, M, step);
    MEASURE(out, apart, largest_jump(model_a, &a, F / 2, span), stops_from(&a, 0, span), added);
}

const experiment K_fig8 = {
    .id = "K.fig8",
    .title = "Model A over velocity and external force",
    .shows = "At rest model A is the Coulomb model itself, and around rest it is continuous: its "
             "width T F/M is no threshold but what friction can stop in one step.",
    .seconds = 0.1,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
