/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 6: model A reaches zero velocity. */
#include <math.h>

#include "../experiment.h"
#include "sliding_block.h"

static const experiment_parameter parameters[] = {
    {"M", 1, "kg", PRINTED, NULL},
    {"F", 8, "N", PRINTED, NULL},
    {"h", -1, "N", PRINTED, NULL},
    {"v0", 0.7, "m/s", PRINTED, "the caption's"},
    {"v0 of the text", 1.3, "m/s", PRINTED, "the text's; probably Fig 7's by mistake"},
    {"T left", 0.001, "s", PRINTED, NULL},
    {"T right", 0.004, "s", PRINTED, NULL},
    {"duration", 0.2, "s", CHOSEN, NULL},
    {.symbol = NULL},
};

static const char grid[] = "v0/(F - h) = 0.0778 s, up to the next step; rounding";
static const char text_grid[] = "v0/(F - h) = 0.1444 s, up to the next step; rounding";
static const char no_chatter[] = "reaches the zero velocity without chattering";
static const char at_any_step[] = "irrespective of the timestep size";

static const experiment_quantity quantities[] = {
    CLAIM("at rest from, v0 0.7, T 1 ms", "s", 0.078, 1e-9, grid, no_chatter),
    CLAIM("at rest from, v0 0.7, T 4 ms", "s", 0.080, 1e-9, grid, at_any_step),
    OURS("at rest from, v0 1.3, T 1 ms", "s", 0.145, 1e-9, text_grid),
    OURS("at rest from, v0 1.3, T 4 ms", "s", 0.148, 1e-9, text_grid),
    CLAIM("velocity at the end", "m/s", 0, 0, "exactly zero, in all four runs", no_chatter),
    CLAIM("sign changes of the velocity", "", 0, 0, "a count, of all four runs", no_chatter),
    OURS("friction at the end", "N", -1, 1e-15, "holds h"),
    CLAIM("speed that explicit Euler keeps, T 1 ms", "m/s", 0.0085, 0.0006,
          "a step (F - h) T/M at most, 0.009; where it starts from zero is rounding",
          "conventional friction models suffer from chattering"),
    {.name = NULL},
};

static void run_experiment(const experiment *self, experiment_run *out) {
    static const char *const titles[2][2] = {{"Velocity, T = 1 ms", "Friction, T = 1 ms"},
                                             {"Velocity, T = 4 ms", "Friction, T = 4 ms"}};
    static const char *const names[] = {"v0 = 0.7 m/s (caption)", "v0 = 1.3 m/s (text)",
                                        "explicit Euler, v0 = 0.7 m/s"};
    const double T[] = {param(self, "T left"), param(self, "T right")};
    const double v0[] = {param(self, "v0"), param(self, "v0 of the text"), param(self, "v0")};
    const double duration = param(self, "duration");
    sliding_end end[2][3];
    double reversals = 0, velocity = 0;
    for (int n = 0; n < 2; n++) {
        experiment_plot *v = add_plot(out, titles[n][0], "time (s)", "velocity (m/s)");
        experiment_plot *f = add_plot(out, titles[n][1], "time (s)", "force f (N)");
        for (int k = 0; k < 3; k++) {
            sliding_block b = block_of(self, v0[k], T[n]);
            b.explicit_euler = k == 2;
            end[n][k] = slide_block(&b, duration, add_curve(v, names[k]), add_curve(f, names[k]));
            if (b.explicit_euler) continue;
            reversals += end[n][k].reversals;
            velocity += fabs(end[n][k].velocity);
        }
    }
    MEASURE(out, end[0][0].arrival, end[1][0].arrival, end[0][1].arrival, end[1][1].arrival,
            velocity, reversals, end[1][1].friction, end[0][2].speed_after);
}

static const char *const misprints[] = {
    "The initial velocity is 0.7 m/s in the caption and 1.3 m/s in the text: both are shown.",
    NULL,
};

const experiment K_fig6 = {
    .id = "K.fig6",
    .title = "Model A reaches zero velocity",
    .shows = "The block stops and stays at exactly zero, its friction then holds the force, at "
             "either time step; explicit Euler chatters on.",
    .seconds = 0.1,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
