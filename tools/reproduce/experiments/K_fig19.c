/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Figs 19 and 20: model C in two dimensions under a scripted hand. */
#include <math.h>

#include "../experiment.h"
#include "coulomb_element.h"
#include "scripted_hand.h"

static const experiment_parameter parameters[] = {
    {"F", 4, "N", PRINTED, NULL},
    {"K", 6000, "N/m", PRINTED, NULL},
    {"B", 10, "N s/m", PRINTED, NULL},
    {"T", 0.001, "s", PRINTED, NULL},
    {"interval", 0.01, "s", PRINTED, "of the drawn forces"},
    {"m", 0.3, "kg", CHOSEN, "of the joystick's tip; the paper's is a real device"},
    {"hand stiffness", 1000, "N/m", CHOSEN, "the paper's hand is an experimenter's"},
    {"hand damping", 30, "N s/m", CHOSEN, "the same"},
    {"tremor", 1, "N", CHOSEN, "at b; with the pull of the hand it stays below F"},
    {"tremor period", 0.5, "s", CHOSEN, NULL},
    {"speed", 0.1, "m/s", CHOSEN, NULL},
    {"radius", 0.02, "m", CHOSEN, "of the hand's curve from c to d"},
    {"ramp", 0.1, "s", CHOSEN, "at the ends of a stroke"},
    {.symbol = NULL},
};

static const char scripted[] = "of the script: the hand was chosen to stay below F at b";
static const char fixed[] = "maintained at a fixed point, without drift";

static const experiment_quantity quantities[] = {
    CLAIM("angle of f to the motion, straight", "deg", 0.17, 0.1,
          "the largest of two lines: what the corner at b leaves; 0 when steady",
          "the force opposes the velocity"),
    CLAIM("f, straight from a to b", "N", 4, 1e-9, "F, an input; rounding", "properly exerted"),
    OURS("largest f at b", "N", 3.76, 0.05, scripted),
    OURS("least f at b", "N", 1.48, 0.05, scripted),
    CLAIM("motion at b", "m", 3.16e-4, 2e-5, "elastic: below 2 F/K = 1.3 mm", fixed),
    CLAIM("drift at b in a period of the tremor", "m", 0, 1e-12, "rounding", fixed),
    CLAIM(
        "angle of f to the motion, curve", "deg", -2.007, 0.05,
        "theory: F/K = 0.67 mm trails behind on a circle of 19 mm; one time step turns by 0.29 deg",
        "the force opposes the velocity even in the curved motion"),
    {.name = NULL},
};

/* The joystick: a mass between the hand and model C, whose input is its velocity. */
typedef struct joystick {
    stiction_element c;
    double deflection[2], friction[2];
    double mass;
} joystick;

static bool step_handle(void *handle, const double hand_force[2], double velocity[2],
                        double drawn[2]) {
    joystick *j = handle;
    for (int i = 0; i < 2; i++) /* (60): the motors still have the force of the last step */
        velocity[i] += j->c.def.timestep / j->mass * (hand_force[i] - j->friction[i]);
    if (!stiction_element_c_step(&j->c, 2, velocity, j->deflection, j->friction)) return false;
    for (int i = 0; i < 2; i++) drawn[i] = j->friction[i];
    return true;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    const double T = param(self, "T"), speed = param(self, "speed");
    /* a to b and back off, which leaves a pull below F, b to c to d */
    const hand_stroke strokes[] = {
        {.from = {0, 0.015}, .to = {0.045, -0.008}, .speed = speed},
        {.from = {0.045, -0.008},
         .to = {0.0438, -0.0074},
         .speed = speed / 10,
         .rest = 3,
         .tremor = param(self, "tremor")},
        {.from = {0.0438, -0.0074},
         .to = {0.078, 0},
         .radius = param(self, "radius"),
         .turn = 3,
         .speed = speed,
         .rest = 0.3},
    };
    const scripted_hand hand = scripted_hand_of(self, strokes, sizeof strokes / sizeof strokes[0]);
    const stiction_element_def def = {.kind = STICTION_ELEMENT_C,
                                      .stiffness = param(self, "K"),
                                      .damping = param(self, "B"),
                                      .timestep = T};
    joystick j = {.mass = param(self, "m")};
    if (!coulomb_element(&j.c, param(self, "F"), &def)) return;
    hand_record record = hand_play(&hand, T, step_handle, &j);
    hand_draw(&record, out, param(self, "interval"), -0.002, "-f, 2 mm for 1 N", "a, b, c, d",
              "Magnitude of the commanded force f");
    const hand_summary first = hand_summarize(&record, 0, HAND_ON_LINE);
    const hand_summary second = hand_summarize(&record, 2, HAND_ON_LINE);
    const hand_summary rest = hand_summarize(&record, 1, HAND_AT_REST);
    const hand_summary arc = hand_summarize(&record, 2, HAND_ON_ARC);
    MEASURE(out, fmax(first.largest_angle, second.largest_angle), first.mean_force,
            rest.largest_force, rest.least_force, rest.range,
            hand_drift(&record, 1, param(self, "tremor period")), arc.mean_angle);
    hand_record_release(&record);
}

const experiment K_fig19 = {
    .id = "K.fig19",
    .title = "Model C in two dimensions, under a scripted hand (with Fig 20)",
    .shows = "The force opposes the motion, on the curve too but for the 2 deg by which F/K trails "
             "behind, as model C has no mass; at b it fluctuates below F and the tip stays.",
    .seconds = 0.1,
    .chief = true,
    .parameters = parameters,
    .quantities = quantities,
    .run = run_experiment,
};
