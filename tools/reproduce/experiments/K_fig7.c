/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 7: model A reverses. */
#include <math.h>

#include "../experiment.h"
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
    CLAIM("reversal, T 1 ms", "s", 0.073, 1e-9, grid, reversed),
    CLAIM("reversal, T 4 ms", "s", 0.076, 1e-9, grid, reversed),
    CLAIM("steps at exactly zero, T 1 ms", "", 1, 0, "a count",
          "may or may not reach the exact zero"),
    CLAIM("steps at exactly zero, T 4 ms", "", 0, 0, "a count",
          "may or may not reach the exact zero"),
    OURS("velocity at 0.2 s, T 1 ms", "m/s", -0.2556, 0.016, straight),
    OURS("velocity at 0.2 s, T 4 ms", "m/s", -0.2556, 0.064, straight),
    {.name = NULL},
};

static void run_experiment(const experiment *self, experiment_run *out) {
    static const char *const titles[] = {"T = 1 ms", "T = 4 ms"};
    const double T[] = {param(self, "T left"), param(self, "T right")};
    experiment_plot *v = add_plot(out, "Velocity", "time (s)", "velocity (m/s)");
    experiment_plot *f = add_plot(out, "Friction", "time (s)", "force f (N)");
    sliding_end end[2];
    for (int n = 0; n < 2; n++) {
        const sliding_block b = block_of(self, param(self, "v0"), T[n]);
        end[n] = slide_block(&b, param(self, "duration"), add_curve(v, titles[n]),
                             add_curve(f, titles[n]));
    }
    MEASURE(out, end[0].arrival, end[1].arrival, end[0].at_zero, end[1].at_zero, end[0].velocity,
            end[1].velocity);
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
