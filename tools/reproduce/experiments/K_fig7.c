/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 7: model A reverses. */
#include <math.h>

#include "all.h"
#include "sliding_block.h"

static const experiment_parameter parameters[] = {
    {"M", 1, "kg", PRINTED, NULL},         {"F", 8, "N", PRINTED, NULL},
    {"h", -10, "N", PRINTED, NULL},        {"v0", 1.3, "m/s", PRINTED, NULL},
    {"T left", 0.001, "s", PRINTED, NULL}, {"T right", 0.004, "s", PRINTED, NULL},
    {"duration", 0.2, "s", CHOSEN, NULL},  {.symbol = NULL},
};

static const char grid[] = "v0/(F - h) = 0.0722 s, up to the next step; rounding";
static const char straight[] = "exactly -0.2556; the step in which it reverses is worth 2 F T/M";
static const char reversed[] = "the velocity is reversed after crossing the zero velocity";

static const experiment_quantity quantities[] = {
    {"reversal, T 1 ms", "s", 0.073, 1e-9, grid, (double)NAN, 0, reversed, NULL},
    {"reversal, T 4 ms", "s", 0.076, 1e-9, grid, (double)NAN, 0, reversed, NULL},
    {"steps at exactly zero, T 1 ms", "", 1, 0, "a count", (double)NAN, 0,
     "may or may not reach the exact zero", NULL},
    {"steps at exactly zero, T 4 ms", "", 0, 0, "a count", (double)NAN, 0,
     "may or may not reach the exact zero", NULL},
    {"velocity at 0.2 s, T 1 ms", "m/s", -0.2556, 0.016, straight, (double)NAN, 0, NULL, NULL},
    {"velocity at 0.2 s, T 4 ms", "m/s", -0.2556, 0.064, straight, (double)NAN, 0, NULL, NULL},
    {.name = NULL},
};

static void run_experiment(const experiment *self, experiment_run *out) {
    static const char *const titles[] = {"T = 1 ms", "T = 4 ms"};
    static const char *const at[] = {"reversal, T 1 ms", "reversal, T 4 ms"};
    static const char *const zeros[] = {"steps at exactly zero, T 1 ms",
                                        "steps at exactly zero, T 4 ms"};
    static const char *const end_velocity[] = {"velocity at 0.2 s, T 1 ms",
                                               "velocity at 0.2 s, T 4 ms"};
    const double T[] = {experiment_value(self, "T left"), experiment_value(self, "T right")};
    experiment_plot *v = experiment_add_plot(out, "Velocity", "time (s)", "velocity (m/s)");
    experiment_plot *f = experiment_add_plot(out, "Friction", "time (s)", "force f (N)");
    for (int n = 0; n < 2; n++) {
        const sliding_block b = block_of(self, experiment_value(self, "v0"), T[n]);
        const sliding_end end =
            slide_block(&b, experiment_value(self, "duration"), experiment_add_curve(v, titles[n]),
                        experiment_add_curve(f, titles[n]));
        experiment_measure(out, at[n], end.arrival);
        experiment_measure(out, zeros[n], end.at_zero);
        experiment_measure(out, end_velocity[n], end.velocity);
    }
}

const experiment K_fig7 = {
    .id = "K.fig7",
    .title = "Model A reverses",
    .shows = "A force above the friction turns the block around; friction changes its sign within "
             "a step or two, at either time step.",
    .seconds = 0.1,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
