/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 11: two stacked blocks, a model C in either contact. */
#include <math.h>

#include "../experiment.h"
#include "coulomb_element.h"

static const experiment_parameter parameters[] = {
    {"u amplitude", 0.5, "m/s", PRINTED, "u = 0.5 sin(5 t)"},
    {"u frequency", 5, "rad/s", PRINTED, NULL},
    {"M1", 1, "kg", PRINTED, NULL},
    {"M2", 1, "kg", PRINTED, NULL},
    {"K1", 100, "N/m", PRINTED, "block 1 to the wall; the layout (Fig 9) is inferred"},
    {"K2", 200, "N/m", PRINTED, "block 2 to the wall; the layout (Fig 9) is inferred"},
    {"K", 3e4, "N/m", PRINTED, "of both model-C elements"},
    {"B", 300, "N s/m", PRINTED, "of both model-C elements"},
    {"F1", 5, "N", PRINTED, "belt to block 1"},
    {"F2", 2.5, "N", PRINTED, "block 1 to block 2"},
    {"T", 0.001, "s", PRINTED, NULL},
    {"duration", 100, "s", CHOSEN, "of the fractions"},
    {"drawn", 5, "s", CHOSEN, NULL},
    {.symbol = NULL},
};

static const char measured[] = "measured; the share of a few slips more or less in 80 periods";
static const char twice[] = "once each way; the start, and 79.6 periods that are cut";
static const char claim[] = "realistic stick-slip oscillations in both frictional contacts";

static const experiment_quantity quantities[] = {
    CLAIM("stick fraction, belt and block 1", "", 0.32, 0.01, measured, claim),
    CLAIM("stick fraction, blocks 1 and 2", "", 0.43, 0.01, measured, claim),
    CLAIM("sticks a period, belt and block 1", "", 2, 0.05, twice, claim),
    CLAIM("sticks a period, blocks 1 and 2", "", 2, 0.05, twice, claim),
    OURS("largest friction, belt and block 1", "N", 5, 1e-12, "F; rounding"),
    OURS("largest friction, blocks 1 and 2", "N", 2.5, 1e-12, "F; rounding"),
    {.name = NULL},
};

/* One contact: what lies below moves at u relative to what lies on it. */
typedef struct contact {
    stiction_element c;
    double deflection, friction;
    bool sticks;
    double stuck, begun, largest; /* steps that stuck, sticks that began, N */
} contact;

static bool contact_make(contact *of, const experiment *self, const char *F) {
    *of = (contact){.sticks = false};
    const stiction_element_def def = {.kind = STICTION_ELEMENT_C,
                                      .stiffness = param(self, "K"),
                                      .damping = param(self, "B"),
                                      .timestep = param(self, "T")};
    return coulomb_element(&of->c, param(self, F), &def);
}

static void contact_step(contact *of, double u) {
    const bool sticks = element_c_sticks(&of->c, u, of->deflection);
    of->begun += sticks && !of->sticks;
    of->stuck += sticks;
    of->sticks = sticks;
    (void)stiction_element_c_step(&of->c, 1, &u, &of->deflection, &of->friction);
    of->largest = fmax(of->largest, fabs(of->friction));
}

static void run_experiment(const experiment *self, experiment_run *out) {
    contact belt, blocks;
    if (!contact_make(&belt, self, "F1") || !contact_make(&blocks, self, "F2")) return;
    experiment_plot *velocities = add_plot(out, "Velocities", "time (s)", "velocity (m/s)");
    experiment_plot *forces = add_plot(out, "Friction", "time (s)", "force (N)");
    experiment_curve *of_u = add_curve(velocities, "u, the belt");
    experiment_curve *of_v1 = add_curve(velocities, "v1");
    experiment_curve *of_v2 = add_curve(velocities, "v2");
    experiment_curve *of_f1 = add_curve(forces, "f1, belt on block 1");
    experiment_curve *of_f2 = add_curve(forces, "f2, block 1 on block 2");

    const double T = param(self, "T"), omega = param(self, "u frequency");
    const double M1 = param(self, "M1"), M2 = param(self, "M2");
    const double K1 = param(self, "K1"), K2 = param(self, "K2");
    const double amplitude = param(self, "u amplitude");
    const long steps = lround(param(self, "duration") / T);
    const double drawn = param(self, "drawn");
    double p1 = 0, p2 = 0, v1 = 0, v2 = 0;
    for (long k = 0; k < steps; k++) {
        const double t = (double)k * T, u = amplitude * sin(omega * t);
        contact_step(&belt, u - v1);
        contact_step(&blocks, v1 - v2);
        if (t <= drawn) {
            add_point(of_u, t, u);
            add_point(of_v1, t, v1);
            add_point(of_v2, t, v2);
            add_point(of_f1, t, belt.friction);
            add_point(of_f2, t, blocks.friction);
        }
        v1 += T / M1 * (belt.friction - blocks.friction - K1 * p1);
        v2 += T / M2 * (blocks.friction - K2 * p2);
        p1 += T * v1;
        p2 += T * v2;
    }
    const double periods = (double)steps * T * omega / 6.283185307179586;
    MEASURE(out, belt.stuck / (double)steps, blocks.stuck / (double)steps, belt.begun / periods,
            blocks.begun / periods, belt.largest, blocks.largest);
}

const experiment K_fig11 = {
    .id = "K.fig11",
    .title = "Two stacked blocks on a moving belt",
    .shows = "Model C serves each contact by itself: block 1 now and then goes along with the "
             "belt, block 2 with block 1, and both slip in between.",
    .seconds = 0.1,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
