/* SPDX-License-Identifier: MIT
 * Kikuuwe et al. 2006, Figs 16 and 19: models A and C in two dimensions, rendered to a hand.
 */
#include <math.h>
#include <stdlib.h>

#include "../experiment.h"
#include "common/command.h"
#include "coulomb_element.h"

/* A hand that pulls a handle through a spring along a script of strokes, for the renderings of
 * Kikuuwe et al. 2006, section V: the experimenter of the paper, who cannot be repeated. The handle
 * is whatever the experiment makes of the hand's force. */

/* A straight line, then perhaps an arc to the left of it, then a rest. */
typedef struct hand_stroke {
    double from[2], to[2]; /* m, of the line */
    double radius, turn;   /* m, rad, of the arc; 0: none */
    double speed;          /* m/s, but for a ramp at either end */
    double rest;           /* s */
    double tremor;         /* N, of a fluctuating force during the rest */
} hand_stroke;

typedef struct scripted_hand {
    const hand_stroke *strokes;
    size_t count;
    double stiffness, damping; /* N/m, N s/m, of the spring to the handle */
    double ramp;               /* s */
    double tremor_period;      /* s */
} scripted_hand;

typedef enum hand_phase { HAND_ON_LINE, HAND_ON_ARC, HAND_AT_REST } hand_phase;

/* One step of a rendering, from its end. */
typedef struct hand_sample {
    double time;
    double position[2], velocity[2]; /* of the handle */
    double force[2];                 /* N: the one that the paper draws */
    size_t stroke;
    hand_phase phase; /* of the hand */
    double progress;  /* through the phase, 0 to 1 */
} hand_sample;

/* The handle: moves its velocity by one step under the hand's force and returns the force to draw.
 */
typedef void (*hand_handle)(void *handle, const double hand_force[2], double velocity[2],
                            double drawn[2]);

typedef struct hand_record {
    hand_sample *samples;
    size_t count;
} hand_record;

/* ---- what to see of it ---- */

/* Over a phase of a stroke from its middle to shortly before its end: without the transients. */
typedef struct hand_summary {
    double least_force, mean_force, largest_force; /* N */
    double mean_angle, largest_angle; /* deg, of the force to the velocity, > 0 to the left */
    double range;                     /* m, the handle's largest distance from its first place */
} hand_summary;

static const double pi = 3.141592653589793;

/* ---- the script ---- */

static double line_length(const hand_stroke *s) {
    return hypot(s->to[0] - s->from[0], s->to[1] - s->from[1]);
}

static double stroke_length(const hand_stroke *s) {
    return line_length(s) + s->radius * s->turn;
}

/* At a steady speed but for two linear ramps, which a short stroke cuts. */
static double ramp_time(const scripted_hand *hand, const hand_stroke *s) {
    return fmin(hand->ramp, stroke_length(s) / s->speed);
}

static double moving_time(const scripted_hand *hand, const hand_stroke *s) {
    return stroke_length(s) / s->speed + ramp_time(hand, s);
}

static double travelled(const scripted_hand *hand, const hand_stroke *s, double t) {
    const double ramp = ramp_time(hand, s), left = moving_time(hand, s) - t;
    if (left <= 0) return stroke_length(s);
    if (t < ramp) return s->speed * t * t / (2 * ramp);
    if (left < ramp) return stroke_length(s) - s->speed * left * left / (2 * ramp);
    return s->speed * (t - ramp / 2);
}

/* Where the hand is after a distance on the stroke. */
static void place(const hand_stroke *s, double distance, double at[2]) {
    const double length = line_length(s);
    const double along[2] = {(s->to[0] - s->from[0]) / length, (s->to[1] - s->from[1]) / length};
    const double straight = fmin(distance, length);
    const double angle = s->radius > 0 ? (distance - straight) / s->radius : 0;
    const double ahead = straight + s->radius * sin(angle), left = s->radius * (1 - cos(angle));
    at[0] = s->from[0] + ahead * along[0] - left * along[1];
    at[1] = s->from[1] + ahead * along[1] + left * along[0];
}

static void find_phase(const hand_stroke *s, double distance, double rested, hand_sample *sample) {
    const double length = line_length(s);
    if (rested > 0) {
        sample->phase = HAND_AT_REST;
        sample->progress = rested / s->rest;
    } else if (distance > length) {
        sample->phase = HAND_ON_ARC;
        sample->progress = (distance - length) / (s->radius * s->turn);
    } else {
        sample->phase = HAND_ON_LINE;
        sample->progress = distance / length;
    }
}

/* The hand's force on the handle, t into a stroke. */
static void pull(const scripted_hand *hand, const hand_stroke *s, double t, double T,
                 const hand_sample *handle, double force[2]) {
    double here[2], before[2];
    place(s, travelled(hand, s, t), here);
    place(s, travelled(hand, s, fmax(t - T, 0)), before);
    const double phase = 2 * pi * t / hand->tremor_period;
    const double tremor[2] = {sin(phase) + 0.4 * sin(5 * phase), 0.8 * cos(3 * phase)};
    const bool resting = t > moving_time(hand, s);
    for (int i = 0; i < 2; i++)
        force[i] = hand->stiffness * (here[i] - handle->position[i]) +
                   hand->damping * ((here[i] - before[i]) / T - handle->velocity[i]) +
                   (resting ? s->tremor * tremor[i] : 0);
}

/* ---- a rendering ---- */

static long step_count(const scripted_hand *hand, const hand_stroke *s, double T) {
    return lround((moving_time(hand, s) + s->rest) / T);
}

/* The hand of the parameters "hand stiffness", "hand damping", "ramp" and "tremor period". */
static scripted_hand scripted_hand_of(const experiment *self, const hand_stroke *strokes,
                                      size_t count) {
    return (scripted_hand){strokes,
                           count,
                           param(self, "hand stiffness"),
                           param(self, "hand damping"),
                           param(self, "ramp"),
                           param(self, "tremor period")};
}

static void hand_record_release(hand_record *record) {
    free(record->samples);
    *record = (hand_record){NULL, 0};
}

/* The whole script at time step T, to be released. */
static hand_record hand_play(const scripted_hand *hand, double T, hand_handle step, void *handle) {
    hand_record record = {NULL, 0};
    size_t steps = 0;
    for (size_t n = 0; n < hand->count; n++)
        steps += (size_t)step_count(hand, &hand->strokes[n], T);
    record.samples = allocate(steps, sizeof *record.samples);
    hand_sample now = {.time = 0, .position = {hand->strokes[0].from[0], hand->strokes[0].from[1]}};
    for (size_t n = 0; n < hand->count; n++) {
        const hand_stroke *s = &hand->strokes[n];
        now.stroke = n;
        for (long k = 1; k <= step_count(hand, s, T); k++) {
            const double t = (double)k * T;
            double force[2];
            pull(hand, s, t, T, &now, force);
            step(handle, force, now.velocity, now.force);
            for (int i = 0; i < 2; i++) now.position[i] += T * now.velocity[i];
            now.time += T;
            find_phase(s, travelled(hand, s, t), t - moving_time(hand, s), &now);
            record.samples[record.count++] = now;
        }
    }
    return record;
}

/* ---- what to see of it ---- */

static bool begins(const hand_record *record, size_t k) {
    const hand_sample *s = &record->samples[k];
    return k == 0 || k + 1 == record->count || s->stroke != s[-1].stroke ||
           (s->phase == HAND_ON_ARC && s[-1].phase != HAND_ON_ARC);
}

static void draw_trajectory(const hand_record *record, experiment_run *out, double interval,
                            double scale, const char *force_label, const char *points_label) {
    experiment_plot *plot = add_plot(out, "Trajectory and force", "x (m)", "y (m)");
    experiment_curve *forces = add_curve(plot, force_label);
    experiment_curve *path = add_dots(plot, "handle, every 10 ms");
    experiment_curve *points = add_dots(plot, points_label);
    double next = 0, next_dot = 0;
    for (size_t k = 0; k < record->count; k++) {
        const hand_sample *s = &record->samples[k];
        const double x = s->position[0], y = s->position[1];
        if (begins(record, k)) add_point(points, x, y);
        if (s->time >= next_dot) {
            add_point(path, x, y);
            next_dot += 0.01;
        }
        if (s->time < next) continue;
        add_point(forces, x, y);
        add_point(forces, x + scale * s->force[0], y + scale * s->force[1]);
        add_point(forces, x, (double)NAN);
        next += interval;
    }
}

/* The trajectory with force vectors (metre_per_newton long, < 0: reversed) at every `interval`, Fig
 * 16 and 19; the points where a stroke begins or ends; coordinates and force over time, Fig 17
 * and 20. */
static void hand_draw(const hand_record *record, experiment_run *out, double interval,
                      double metre_per_newton, const char *force_label, const char *points_label,
                      const char *magnitude_title) {
    draw_trajectory(record, out, interval, metre_per_newton, force_label, points_label);
    experiment_plot *place_plot =
        add_plot(out, "Coordinates of the handle", "time (s)", "position (m)");
    experiment_plot *force_plot = add_plot(out, magnitude_title, "time (s)", "force (N)");
    experiment_curve *x = add_curve(place_plot, "x");
    experiment_curve *y = add_curve(place_plot, "y");
    experiment_curve *force = add_curve(force_plot, "force");
    for (size_t k = 0; k < record->count; k++) {
        const hand_sample *s = &record->samples[k];
        add_point(x, s->time, s->position[0]);
        add_point(y, s->time, s->position[1]);
        add_point(force, s->time, hypot(s->force[0], s->force[1]));
    }
}

static double angle_of_force(const hand_sample *s) {
    const double *v = s->velocity, *f = s->force;
    return atan2(v[0] * f[1] - v[1] * f[0], v[0] * f[0] + v[1] * f[1]) * 180 / pi;
}

static double distance(const hand_sample *a, const hand_sample *b) {
    return hypot(a->position[0] - b->position[0], a->position[1] - b->position[1]);
}

static bool counts(const hand_sample *s, size_t stroke, hand_phase phase) {
    return s->stroke == stroke && s->phase == phase && s->progress > 0.5 && s->progress < 0.85;
}

static hand_summary hand_summarize(const hand_record *record, size_t stroke, hand_phase phase) {
    const hand_sample *first = NULL;
    hand_summary sum = {.least_force = (double)INFINITY};
    double count = 0;
    for (size_t k = 0; k < record->count; k++) {
        const hand_sample *s = &record->samples[k];
        if (!counts(s, stroke, phase)) continue;
        if (!first) first = s;
        const double force = hypot(s->force[0], s->force[1]), angle = angle_of_force(s);
        sum.least_force = fmin(sum.least_force, force);
        sum.largest_force = fmax(sum.largest_force, force);
        sum.mean_force += force;
        sum.mean_angle += angle;
        sum.largest_angle = fmax(sum.largest_angle, fabs(angle));
        sum.range = fmax(sum.range, distance(s, first));
        count++;
    }
    sum.mean_angle /= count;
    sum.mean_force /= count;
    return sum;
}

/* The most that the handle of a rest is away from where it was `period` ago, m. */
static double hand_drift(const hand_record *record, size_t stroke, double period) {
    double most = (double)NAN;
    const hand_sample *last = NULL; /* a period ago */
    for (size_t k = 0; k < record->count; k++) {
        const hand_sample *s = &record->samples[k];
        if (!counts(s, stroke, HAND_AT_REST)) continue;
        if (!last) last = s;
        if (s->time - last->time < period * (1 - 1e-9)) continue;
        most = fmax(most, distance(s, last)); /* fmax leaves a NaN behind */
        last++;
    }
    return most;
}

/* ---- Figs 16 and 17: model A in two dimensions under a scripted hand ---- */

static const experiment_parameter fig16_parameters[] = {
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
};

static const char fig16_scripted[] =
    "of the script, which was adjusted until the hand stays below F at c";

static const experiment_quantity fig16_quantities[] = {
    CLAIM("angle of h to the motion, straight", "deg", 2.2, 0.3,
          "the largest of three lines: what the corner at c leaves; 0 when steady",
          "in the same direction as the motion"),
    CLAIM("h, straight from a to b", "N", 5.91, 0.1,
          "F, an input, when steady; what is left of the start",
          "properly exhibits kinetic friction"),
    OURS("largest h at c", "N", 5.30, 0.05, fig16_scripted),
    OURS("least h at c", "N", 1.84, 0.05, fig16_scripted),
    CLAIM("motion at c", "m", 0, 0, "exactly none, once the hand's pull is below F",
          "does not drift even under fluctuating external forces"),
    CLAIM("slant of h to the inside, curve", "deg", 27.22, 0.1,
          "theory: atan(M v^2/(r F)) on a steady circle, r 80.6 mm; explicit coupling to the hand",
          "slanted to the inside of the curve"),
};

static void fig16_step_handle(void *handle, const double hand_force[2], double velocity[2],
                              double drawn[2]) {
    double f[2];
    stiction_element_a_step(handle, 2, hand_force, velocity, f);
    for (int i = 0; i < 2; i++) drawn[i] = hand_force[i];
}

static void run_fig16(const experiment *self, experiment_run *out) {
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
    stiction_element a = coulomb_element(param(self, "F"), &def);
    hand_record record = hand_play(&hand, T, fig16_step_handle, &a);
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
    PARTS(fig16),
};

/* ---- Figs 19 and 20: model C in two dimensions under a scripted hand ---- */

static const experiment_parameter fig19_parameters[] = {
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
};

static const char fig19_scripted[] = "of the script: the hand was chosen to stay below F at b";
static const char fixed[] = "maintained at a fixed point, without drift";

static const experiment_quantity fig19_quantities[] = {
    CLAIM("angle of f to the motion, straight", "deg", 0.17, 0.1,
          "the largest of two lines: what the corner at b leaves; 0 when steady",
          "the force opposes the velocity"),
    CLAIM("f, straight from a to b", "N", 4, 1e-9, "F, an input; rounding", "properly exerted"),
    OURS("largest f at b", "N", 3.76, 0.05, fig19_scripted),
    OURS("least f at b", "N", 1.48, 0.05, fig19_scripted),
    CLAIM("motion at b", "m", 3.16e-4, 2e-5, "elastic: below 2 F/K = 1.3 mm", fixed),
    CLAIM("drift at b in a period of the tremor", "m", 0, 1e-12, "rounding", fixed),
    CLAIM(
        "angle of f to the motion, curve", "deg", -2.007, 0.05,
        "theory: F/K = 0.67 mm trails behind on a circle of 19 mm; one time step turns by 0.29 deg",
        "the force opposes the velocity even in the curved motion"),
};

/* The joystick: a mass between the hand and model C, whose input is its velocity. */
typedef struct joystick {
    stiction_element c;
    double deflection[2], friction[2];
    double mass;
} joystick;

static void fig19_step_handle(void *handle, const double hand_force[2], double velocity[2],
                              double drawn[2]) {
    joystick *j = handle;
    for (int i = 0; i < 2; i++) /* (60): the motors still have the force of the last step */
        velocity[i] += j->c.def.timestep / j->mass * (hand_force[i] - j->friction[i]);
    (void)stiction_element_c_step(&j->c, 2, velocity, j->deflection, j->friction);
    for (int i = 0; i < 2; i++) drawn[i] = j->friction[i];
}

static void run_fig19(const experiment *self, experiment_run *out) {
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
    joystick j = {.c = coulomb_element(param(self, "F"), &def), .mass = param(self, "m")};
    hand_record record = hand_play(&hand, T, fig19_step_handle, &j);
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
    PARTS(fig19),
};
