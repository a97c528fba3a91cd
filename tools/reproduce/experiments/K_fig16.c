/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Figs 16 and 17: model A in two dimensions under a scripted hand. */
#include <math.h>

#include "../experiment.h"
#include "coulomb_element.h"
#include "scripted_hand.h"

static const experiment_parameter parameters[] = {
    {"F", 6, "N", PRINTED, NULL},
    {"M", 2, "kg", PRINTED, NULL},
    {"T", 0.001, "s", PRINTED, NULL},
    {"interval", 0.02, "s", PRINTED, "of the drawn forces"},
    {"hand stiffness", 1000, "N/m", CHOSEN,
     "a firm grasp; the paper has an experimenter. 400 N/m trails further behind"},
    {"hand damping", 80, "N s/m", CHOSEN, "the same"},
    {"tremor", 1.5, "N", CHOSEN, "at c; where the hand rests was adjusted so that h stays below F"},
    {"tremor period", 0.5, "s", CHOSEN, NULL},
    {"speed", 0.35, "m/s", CHOSEN, "with the radius: fast enough to see the slant"},
    {"radius", 0.08, "m", CHOSEN, "of the hand's curve from d to e"},
    {"ramp", 0.15, "s", CHOSEN, "at the ends of a stroke"},
    {.symbol = NULL},
};

static const char scripted[] =
    "of the script, which was adjusted until the hand stays below F at c";

static const experiment_quantity quantities[] = {
    CLAIM("angle of h to the motion, straight", "deg", 2.2, 0.3,
          "the largest of three lines: what the corner at c leaves; 0 when steady",
          "in the same direction as the motion"),
    CLAIM("h, straight from a to b", "N", 5.91, 0.1,
          "F, an input, when steady; what is left of the start",
          "properly exhibits kinetic friction"),
    OURS("largest h at c", "N", 5.30, 0.05, scripted),
    OURS("least h at c", "N", 1.84, 0.05, scripted),
    CLAIM("motion at c", "m", 0, 0, "exactly none, once the hand's pull is below F",
          "does not drift even under fluctuating external forces"),
    CLAIM("slant of h to the inside, curve", "deg", 27.22, 0.1,
          "theory: atan(M v^2/(r F)) on a steady circle, r 80.6 mm; explicit coupling to the hand",
          "slanted to the inside of the curve"),
    {.name = NULL},
};

static bool step_handle(void *handle, const double hand_force[2], double velocity[2],
                        double drawn[2]) {
    double f[2];
    stiction_element_a_step(handle, 2, hand_force, velocity, f);
    for (int i = 0; i < 2; i++) drawn[i] = hand_force[i];
    return true;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const double T = param(self, "T"), speed = param(self, "speed");
    const double radius = param(self, "radius");
    /* a to b, b to c and a little further, which leaves a pull below F, c to d to e */
    const hand_stroke strokes[] = {
        {.from = {0, 0.05}, .to = {0.13, -0.06}, .speed = speed, .rest = 0.2},
        {.from = {0.13, -0.06}, .to = {0.24, 0.06}, .speed = speed},
        {.from = {0.24, 0.06},
         .to = {0.2412, 0.0612},
         .speed = speed / 10,
         .rest = 3,
         .tremor = param(self, "tremor")},
        {.from = {0.2412, 0.0612},
         .to = {0.32, 0},
         .radius = radius,
         .turn = 3.5,
         .speed = speed,
         .rest = 0.3},
    };
    const scripted_hand hand = scripted_hand_of(self, strokes, sizeof strokes / sizeof strokes[0]);
    const stiction_element_def def = {
        .kind = STICTION_ELEMENT_A, .mass = param(self, "M"), .timestep = T};
    stiction_element a;
    if (!coulomb_element(&a, param(self, "F"), &def)) return;
    hand_record record = hand_play(&hand, T, step_handle, &a);
    hand_draw(&record, out, param(self, "interval"), 0.006, "h, 6 mm for 1 N", "a, b, c, d, e",
              "Magnitude of the hand's force h");

    double angle = 0;
    for (size_t n = 0; n < 4; n++)
        if (n != 2) angle = fmax(angle, hand_summarize(&record, n, HAND_ON_LINE).largest_angle);
    const hand_summary rest = hand_summarize(&record, 2, HAND_AT_REST);
    MEASURE(out, angle, hand_summarize(&record, 0, HAND_ON_LINE).mean_force, rest.largest_force,
            rest.least_force, rest.range, hand_summarize(&record, 3, HAND_ON_ARC).mean_angle);
    hand_record_release(&record);
}

const experiment K_fig16 = {
    .id = "K.fig16",
    .title = "Model A in two dimensions, under a scripted hand (with Fig 17)",
    .shows = "The hand's force points along straight motions, fluctuates at c without moving the "
             "handle, and slants inwards on the curve, where it also turns the mass.",
    .seconds = 0.1,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
