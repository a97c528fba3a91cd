/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 6: model A reaches zero velocity. */
#include <math.h>

#include "all.h"
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
    {"at rest from, v0 0.7, T 1 ms", "s", 0.078, 1e-9, grid, (double)NAN, 0, no_chatter, NULL},
    {"at rest from, v0 0.7, T 4 ms", "s", 0.080, 1e-9, grid, (double)NAN, 0, at_any_step, NULL},
    {"at rest from, v0 1.3, T 1 ms", "s", 0.145, 1e-9, text_grid, (double)NAN, 0, NULL, NULL},
    {"at rest from, v0 1.3, T 4 ms", "s", 0.148, 1e-9, text_grid, (double)NAN, 0, NULL, NULL},
    {"velocity at the end", "m/s", 0, 0, "exactly zero, in all four runs", (double)NAN, 0,
     no_chatter, NULL},
    {"sign changes of the velocity", "", 0, 0, "a count, of all four runs", (double)NAN, 0,
     no_chatter, NULL},
    {"friction at the end", "N", -1, 1e-15, "holds h", (double)NAN, 0, NULL, NULL},
    {"speed that explicit Euler keeps, T 1 ms", "m/s", 0.0085, 0.0006,
     "a step (F - h) T/M at most, 0.009; where it starts from zero is rounding", (double)NAN, 0,
     "conventional friction models suffer from chattering", NULL},
    {.name = NULL},
};

static void run_experiment(const experiment *self, experiment_run *out) {
    static const char *const titles[2][2] = {{"Velocity, T = 1 ms", "Friction, T = 1 ms"},
                                             {"Velocity, T = 4 ms", "Friction, T = 4 ms"}};
    static const char *const rest[2][2] = {
        {"at rest from, v0 0.7, T 1 ms", "at rest from, v0 1.3, T 1 ms"},
        {"at rest from, v0 0.7, T 4 ms", "at rest from, v0 1.3, T 4 ms"}};
    static const char *const names[] = {"v0 = 0.7 m/s (caption)", "v0 = 1.3 m/s (text)"};
    const double T[] = {experiment_value(self, "T left"), experiment_value(self, "T right")};
    const double v0[] = {experiment_value(self, "v0"), experiment_value(self, "v0 of the text")};
    const double duration = experiment_value(self, "duration");
    double reversals = 0, velocity = 0;
    for (int n = 0; n < 2; n++) {
        experiment_plot *v = experiment_add_plot(out, titles[n][0], "time (s)", "velocity (m/s)");
        experiment_plot *f = experiment_add_plot(out, titles[n][1], "time (s)", "force f (N)");
        for (int k = 0; k < 2; k++) {
            const sliding_block b = block_of(self, v0[k], T[n]);
            const sliding_end end = slide_block(&b, duration, experiment_add_curve(v, names[k]),
                                                experiment_add_curve(f, names[k]));
            experiment_measure(out, rest[n][k], end.arrival);
            experiment_measure(out, "friction at the end", end.friction);
            reversals += end.reversals;
            velocity += fabs(end.velocity);
        }
        sliding_block b = block_of(self, v0[0], T[n]);
        b.explicit_euler = true;
        const sliding_end end =
            slide_block(&b, duration, experiment_add_curve(v, "explicit Euler, v0 = 0.7 m/s"),
                        experiment_add_curve(f, "explicit Euler, v0 = 0.7 m/s"));
        if (n == 0)
            experiment_measure(out, "speed that explicit Euler keeps, T 1 ms", end.speed_after);
    }
    experiment_measure(out, "velocity at the end", velocity);
    experiment_measure(out, "sign changes of the velocity", reversals);
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
