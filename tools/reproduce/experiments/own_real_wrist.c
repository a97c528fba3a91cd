/* SPDX-License-Identifier: MIT
 * Of our own: the wrist as the robot of Cisneros et al. moved, Figs 10 and 11, and how little that
 * says about its friction. The robot stopped at 75 deg after 3.2 s: two numbers. Every member of
 * the family below stops there and then.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../experiment.h"
#include "wrist.h"

static const double degree = 3.141592653589793 / 180;

static const experiment_parameter real_wrist_parameters[] = {
    {"kp", 20, "s^-2", PRINTED, "Figs 10 and 12"},
    {"kv", 2, "s^-1", PRINTED, "Figs 10 and 12"},
    {"kp'", 50, "s^-2", PRINTED, "with the integral term, Figs 11 and 13"},
    {"kv'", 14, "s^-1", PRINTED, "with the integral term"},
    {"lambda", 1, "s^-1", PRINTED, "the integral term"},
    {"target", 90, "deg", PRINTED, NULL},
    {"M", 0.1846, "kg m^2", INFERRED, "the robot's torque at the start: 5.8 N m = kp M 90 deg"},
    {"F_S", 2.5, "N m", PRINTED, "the peaks of the robot's torque, Fig 11"},
    {"F_C", 0.23, "N m", INFERRED, "the robot's stop, with v_S and D: one of a family"},
    {"v_S", 0.045, "rad/s", INFERRED, "one of a family"},
    {"D", 5.28, "N m s/rad", INFERRED, "one of a family"},
    WRIST_ELEMENT,
    {"M''", 0.1675, "kg m^2", INFERRED, "what the paper's simulated stop angles fit"},
    {"F_C''", 0.4, "N m", PRINTED, "the paper's simulation, Fig 3"},
    {"v_S''", 0.06, "rad/s", PRINTED, "the paper's simulation, Fig 3"},
    {"D''", 4.5, "N m s/rad", PRINTED, "the paper's simulation, Fig 3"},
};

static const char euler[] = "integrator details move the angle by less than 0.03 deg";
static const char ringing[] = "implicit coupling stops without the ringing of the bristle: 26 ms";
static const char peaks[] = "the load rises on while the joint gathers speed";
static const char search[] = "B and the time step move the stop time by some ms, and D with it";
static const char shape[] = "follows from the above";

static const experiment_quantity real_wrist_quantities[] = {
    NUMBER("torque at the start", "N m", 5.799, 0.001, "kp M 90 deg", 5.8, 0.05),
    NUMBER("stop angle", "deg", 75.035, 0.02, euler, 75, 0.5),
    NUMBER("stop time", "s", 3.206, 0.03, ringing, 3.2, 0.05),
    NUMBER_DIFFERS("torque left", "N m", 0.964, 0.002, "kp M (90 deg - stop angle)", 0.9, 0.05,
                   "75 deg leave 0.967 N m: it is the stop angle again, with its digits cut"),
    CLAIM("largest angle, integral term", "deg", 101.47, 0.1, euler,
          "bigger than in the simulation"),
    CLAIM("slips in 60 s, integral term", "", 8, 0, "a count", "sawtooth-like"),
    NUMBER("least later peak, integral term", "N m", 2.5003, 0.01, peaks, 2.5, 0.03),
    NUMBER("highest later peak, integral term", "N m", 2.506, 0.01, peaks, 2.5, 0.03),
    NUMBER("stop angle, the paper's simulation", "deg", 69.877, 0.03, euler, 69.9, 0.05),
    NUMBER("stop time, the paper's simulation", "s", 2.768, 0.01, euler, 2.75, 0.05),
    OURS("largest angle, the paper's simulation", "deg", 100.13, 0.1, euler),
    OURS("F_C that fits v_S 0.015", "N m", 0.754, 0.02, search),
    OURS("D that fits v_S 0.015", "N m s/rad", 3.40, 0.1, search),
    OURS("F_C that fits v_S 0.055", "N m", 0.030, 0.02, search),
    OURS("D that fits v_S 0.055", "N m s/rad", 5.86, 0.1, search),
    OURS("members that stop as the robot did", "", 14, 0, "all of them"),
    OURS("overshoots to, least of the family", "deg", 96.76, 0.2, search),
    OURS("overshoots to, most of the family", "deg", 106.27, 0.2, search),
    OURS("spread of the family at 0.02 rad/s", "N m", 0.582, 0.02, shape),
    OURS("spread of the family at 0.09 rad/s", "N m", 0.056, 0.02, shape),
    OURS("spread of the family at 0.34 rad/s", "N m", 0.121, 0.02, shape),
    OURS("spread of the family at 0.9 rad/s", "N m", 2.584, 0.05, shape),
};

/* ---- the family ---- */

typedef struct member {
    const char *name;
    const char *law;
    double v_S;                                   /* rad/s; 0: the law has none */
    double F_C, D;                                /* where the search begins */
    enum { IN_TABLE, LAW, LAW_AND_MOTION } shown; /* in plots; those with motion come first */
    size_t field; /* of a definition, that has `value`; NOTHING: none */
    double value;
} member;

#define NOTHING     ((size_t)-1)
#define FIELD(name) offsetof(stiction_joint_def, name)
/* clang-format off */
static const member members[] = {
    {"Stribeck, v_S 0.015", "stribeck", 0.015, 0.75, 3.4, LAW_AND_MOTION, NOTHING, 0},
    {"Stribeck, v_S 0.025", "stribeck", 0.025, 0.59, 4.1, IN_TABLE, NOTHING, 0},
    {"Stribeck, v_S 0.035", "stribeck", 0.035, 0.42, 4.7, IN_TABLE, NOTHING, 0},
    {"Stribeck, v_S 0.045: wrist_real", "stribeck", 0.045, 0.23, 5.28, LAW_AND_MOTION, NOTHING, 0},
    {"Stribeck, v_S 0.055", "stribeck", 0.055, 0.03, 5.8, LAW_AND_MOTION, NOTHING, 0},
    {"alpha 2, v_S 0.045", "stribeck", 0.045, 0.57, 4.2, IN_TABLE, FIELD(stribeck_exponent), 2},
    {"rational, v_S 0.01", "rational", 0.01, 0.45, 4.2, IN_TABLE, NOTHING, 0},
    {"p 0.7, v_S 0.025", "stribeck", 0.025, 0.27, 3.74, LAW_AND_MOTION, FIELD(viscous_exponent), 0.7},
    {"p 1.5, v_S 0.045", "stribeck", 0.045, 0.6, 6.7, LAW_AND_MOTION, FIELD(viscous_exponent), 1.5},
    {"rational, v_S 0.02", "rational", 0.02, 0.13, 5, LAW, NOTHING, 0},
    {"lag 0.3 s, v_S 0.06", "stribeck", 0.06, 0.4, 4.3, IN_TABLE, FIELD(lag), 0.3},
    {"load_motor 0.1, v_S 0.045", "stribeck", 0.045, 0.17, 4.9, IN_TABLE, FIELD(load_motor), 0.1},
    {"load_motor 0.2, v_S 0.045", "stribeck", 0.045, 0.12, 4.5, IN_TABLE, FIELD(load_motor), 0.2},
    {"Coulomb: but not these peaks", "coulomb", 0, 0.96, 1.5, IN_TABLE, NOTHING, 0},
};
/* clang-format on */
enum { member_count = sizeof members / sizeof members[0], REAL = 3, LAST_STRIBECK = 4 };

static wrist robot(const experiment *self) {
    return wrist_of(self, wrist_stribeck(self));
}

/* With the paper's own parameters. */
static wrist simulated(const experiment *self) {
    wrist w = robot(self);
    w.inertia = param(self, "M''");
    w.friction.coulomb_torque = param(self, "F_C''");
    w.friction.stribeck_velocity = param(self, "v_S''");
    w.friction.viscous = param(self, "D''");
    return w;
}

static void set(stiction_joint_def *def, size_t field, double value) {
    memcpy((char *)def + field, &value, sizeof value);
}

static void scale(stiction_joint_def *def, size_t field, double by) {
    double value;
    memcpy(&value, (const char *)def + field, sizeof value);
    set(def, field, by * value);
}

/* False where nothing fits. */
static bool fit_member(const experiment *self, const member *m, wrist_stop goal, wrist *w) {
    *w = robot(self);
    w->friction.law = m->law;
    if (m->v_S > 0) w->friction.stribeck_velocity = m->v_S;
    w->friction.coulomb_torque = m->F_C;
    w->friction.viscous = m->D;
    if (m->field != NOTHING) set(&w->friction, m->field, m->value);
    /* breaks away at the peaks of the robot: F_S + load_motor * 2.5 N m */
    if (m->field == FIELD(load_motor)) scale(&w->friction, FIELD(static_torque), 1 - m->value);
    return wrist_fit(w, goal);
}

static wrist_hunt hunt_of(const experiment *self, const wrist *w, experiment_curve *angle) {
    return wrist_hunt_of(w, param(self, "kp'"), param(self, "kv'"), param(self, "lambda"), angle);
}

/* ---- what is measured ---- */

typedef struct fitted {
    const member *of;
    bool fits;
    wrist w;
    wrist_stop stop;
    wrist_hunt hunt;
    law_curve law;
} fitted;

static fitted fit_one(const experiment *self, const member *m, wrist_stop goal) {
    fitted f = {.of = m};
    f.fits = fit_member(self, m, goal, &f.w);
    f.stop = wrist_stop_of(&f.w);
    f.hunt = hunt_of(self, &f.w, NULL);
    f.law = law_curve_of(&f.w.friction, f.w.timestep);
    return f;
}

/* Between the highest and the lowest law that is drawn. */
static double spread(const fitted *family, double v) {
    double low = (double)INFINITY, high = 0;
    for (int k = 0; k < member_count; k++) {
        if (!family[k].of->shown) continue;
        low = fmin(low, law_curve_phi(&family[k].law, v));
        high = fmax(high, law_curve_phi(&family[k].law, v));
    }
    return high - low;
}

static void measure_robot(const experiment *self, experiment_run *out, wrist_stop goal) {
    const wrist w = robot(self), paper = simulated(self);
    const wrist_hunt hunt = hunt_of(self, &w, NULL);
    const wrist_stop early = wrist_stop_of(&paper);
    MEASURE(out, w.kp * w.inertia * w.target, goal.angle, goal.time, goal.torque, hunt.highest,
            hunt.slips, hunt.least_peak, hunt.highest_peak, early.angle, early.time,
            hunt_of(self, &paper, NULL).highest);
}

static void measure_family(experiment_run *out, const fitted *family) {
    const stiction_joint_def *first = &family[0].w.friction,
                             *last = &family[LAST_STRIBECK].w.friction;
    double low = (double)INFINITY, high = 0;
    int fits = 0;
    for (int k = 0; k < member_count; k++) {
        fits += family[k].fits;
        if (family[k].of->v_S == 0) continue; /* no stiction: it does not hunt */
        low = fmin(low, family[k].hunt.highest);
        high = fmax(high, family[k].hunt.highest);
    }
    MEASURE(out, first->coulomb_torque, first->viscous, last->coulomb_torque, last->viscous, fits,
            low, high, spread(family, 0.02), spread(family, 0.09), spread(family, 0.34),
            spread(family, 0.9));
}

/* ---- how it is shown ---- */

static void observe_angle(void *context, const wrist_sample *s) {
    if (s->step % 20 == 0) add_point(context, s->time, s->position / degree);
}

static void draw_steps(const experiment *self, experiment_run *out, const fitted *family) {
    experiment_plot *plot =
        add_plot(out, "A step to 90 deg: all that fit stop alike", "time (s)", "angle (deg)");
    const wrist paper = simulated(self);
    (void)wrist_simulate(&paper, 5, observe_angle, add_curve(plot, "the paper's simulation"));
    for (int k = 0; k < member_count; k++)
        if (family[k].of->shown == LAW_AND_MOTION)
            (void)wrist_simulate(&family[k].w, 5, observe_angle,
                                 add_curve(plot, family[k].of->name));
    add_point(add_dots(plot, "the robot: 75 deg after 3.2 s"), 3.2, 75);
}

static void draw_laws(const experiment *self, experiment_run *out, const fitted *family) {
    enum { points = 300 };
    const double range = 0.9; /* rad/s: the robot's step is no faster */
    experiment_plot *plot =
        add_plot(out, "Friction of sliding: shaded where all that fit agree within 10 %",
                 "joint velocity (rad/s)", "friction torque (N m)");
    const wrist paper = simulated(self);
    const law_curve published = law_curve_of(&paper.friction, paper.timestep);
    experiment_curve *curve = add_curve(plot, "the paper's simulation");
    for (int k = 0; k <= points; k++)
        add_point(curve, range * k / points, law_curve_phi(&published, range * k / points));
    for (int m = 0; m < member_count; m++) {
        if (!family[m].of->shown) continue;
        curve = add_curve(plot, family[m].of->name);
        for (int k = 0; k <= points; k++)
            add_point(curve, range * k / points, law_curve_phi(&family[m].law, range * k / points));
    }
    double from = (double)NAN;
    for (int k = 1; k <= points + 1; k++) {
        const double v = range * k / points;
        const bool agree =
            k <= points && spread(family, v) < 0.1 * law_curve_phi(&family[REAL].law, v);
        if (agree && isnan(from)) from = v;
        if (!agree && !isnan(from)) {
            add_band(plot, from, range * (k - 1) / points, "agree within 10 %");
            from = (double)NAN;
        }
    }
}

/* The laws whose v_S is gone through, and where that begins. */
static const struct sweep {
    const char *name, *law;
    double from, to; /* of v_S, rad/s */
    double F_C, D;   /* near those that fit at first */
} sweeps[] = {
    {"Stribeck", "stribeck", 0.015, 0.055, 0.75, 3.4},
    {"rational", "rational", 0.01, 0.0225, 0.45, 4.2},
};

/* Where this wrist lies on a plot over v_S. */
static void mark(experiment_plot *plot, double v_S, double y) {
    add_point(add_dots(plot, "wrist_real"), v_S, y);
}

/* F_C, D and the overshoot of all that fit, over v_S. */
static void draw_family(const experiment *self, experiment_run *out, wrist_stop goal) {
    static const char over[] = "v_S (rad/s)";
    enum { parts = 16 };
    experiment_plot *F_C =
        add_plot(out, "The F_C that fits is another for every v_S", over, "F_C (N m)");
    experiment_plot *D =
        add_plot(out, "The D that fits is another for every v_S", over, "D (N m s/rad)");
    experiment_plot *angle = add_plot(out, "A third number that would tell: the overshoot", over,
                                      "largest angle with the integral term (deg)");
    const wrist real = robot(self), paper = simulated(self);
    for (size_t k = 0; k < sizeof sweeps / sizeof sweeps[0]; k++) {
        const struct sweep *of = &sweeps[k];
        experiment_curve *on_F_C = add_curve(F_C, of->name);
        experiment_curve *on_D = add_curve(D, of->name);
        experiment_curve *on_angle = add_curve(angle, of->name);
        wrist w = real;
        w.friction.law = of->law;
        w.friction.coulomb_torque = of->F_C;
        w.friction.viscous = of->D;
        for (int part = 0; part <= parts; part++) {
            const double v_S = of->from + (of->to - of->from) * part / parts;
            w.friction.stribeck_velocity = v_S;
            w.friction.damping = real.friction.damping;
            if (!wrist_fit(&w, goal)) break; /* from the one before on */
            add_point(on_F_C, v_S, w.friction.coulomb_torque);
            add_point(on_D, v_S, w.friction.viscous);
            add_point(on_angle, v_S, hunt_of(self, &w, NULL).highest);
        }
    }
    experiment_curve *line = add_curve(angle, "the paper's simulation");
    const double simulated_angle = hunt_of(self, &paper, NULL).highest;
    add_point(line, sweeps[1].from, simulated_angle);
    add_point(line, sweeps[0].to, simulated_angle);
    const stiction_joint_def *def = &real.friction;
    mark(F_C, def->stribeck_velocity, def->coulomb_torque);
    mark(D, def->stribeck_velocity, def->viscous);
    mark(angle, def->stribeck_velocity, hunt_of(self, &real, NULL).highest);
}

static void draw_hunting(const experiment *self, experiment_run *out, const fitted *family) {
    experiment_plot *plot =
        add_plot(out, "With the integral term, from 80 deg up", "time (s)", "angle (deg)");
    const wrist paper = simulated(self);
    (void)hunt_of(self, &paper, add_curve(plot, "the paper's simulation"));
    for (int k = 0; k < member_count; k++)
        if (family[k].of->shown == LAW_AND_MOTION)
            (void)hunt_of(self, &family[k].w, add_curve(plot, family[k].of->name));
}

/* The stop when one parameter alone is another: steep where the stop says something about it. */
static void draw_one_at_a_time(const experiment *self, experiment_run *out) {
    static const struct {
        const char *name;
        size_t fields[2];
    } changed[] = {
        {"D alone", {FIELD(viscous), NOTHING}},
        {"v_S alone", {FIELD(stribeck_velocity), NOTHING}},
        {"F_C alone", {FIELD(coulomb_torque), NOTHING}},
        {"F_S alone", {FIELD(static_torque), NOTHING}},
        {"K and B", {FIELD(stiffness), FIELD(damping)}},
    };
    static const char factor[] = "factor on the parameter";
    experiment_plot *angles =
        add_plot(out, "Where it stops when one parameter is another", factor, "stop angle (deg)");
    experiment_plot *times =
        add_plot(out, "When it stops when one parameter is another", factor, "stop time (s)");
    for (size_t c = 0; c < sizeof changed / sizeof changed[0]; c++) {
        experiment_curve *angle = add_curve(angles, changed[c].name);
        experiment_curve *time = add_curve(times, changed[c].name);
        for (int k = -18; k <= 15; k++) {
            const double by = 1 + k / 50.0;
            wrist w = robot(self);
            for (int f = 0; f < 2; f++)
                if (changed[c].fields[f] != NOTHING) scale(&w.friction, changed[c].fields[f], by);
            const wrist_stop s = wrist_stop_of(&w);
            add_point(angle, by, s.angle);
            add_point(time, by, s.time);
        }
    }
}

static void add_rows(experiment_run *out, const fitted *family) {
    static const char *const heads[] = {
        "friction",  "F_C (N m)",  "D (N m s/rad)",       "B (N m s/rad)", "stops at (deg)",
        "after (s)", "left (N m)", "overshoots to (deg)", "slips",         "later peaks (N m)"};
    experiment_table *t = add_table(
        out, "All of these stop as the robot did; v_S in rad/s, F_S 2.5 N m (times 1 - load_motor)",
        sizeof heads / sizeof heads[0], heads);
    for (int k = 0; k < member_count; k++) {
        const fitted *f = &family[k];
        add_cell(t, "%s%s", f->of->name, f->fits ? "" : ": does not fit");
        add_cell(t, "%.3f", f->w.friction.coulomb_torque);
        add_cell(t, "%.2f", f->w.friction.viscous);
        add_cell(t, "%.4g", f->w.friction.damping);
        add_cell(t, "%.3f", f->stop.angle);
        add_cell(t, "%.3f", f->stop.time);
        add_cell(t, "%.3f", f->stop.torque);
        add_cell(t, "%.2f", f->hunt.highest);
        add_cell(t, "%d", f->hunt.slips);
        add_cell(t, "%.3f to %.3f", f->hunt.least_peak, f->hunt.highest_peak);
    }
}

static void run_real_wrist(const experiment *self, experiment_run *out) {
    const wrist real = robot(self);
    const wrist_stop goal = wrist_stop_of(&real);
    fitted family[member_count];
    for (int k = 0; k < member_count; k++) family[k] = fit_one(self, &members[k], goal);
    draw_steps(self, out, family);
    draw_laws(self, out, family);
    draw_family(self, out, goal);
    draw_hunting(self, out, family);
    draw_one_at_a_time(self, out);
    add_rows(out, family);
    measure_robot(self, out, goal);
    measure_family(out, family);
}

const experiment own_real_wrist = {
    .id = "own.real_wrist",
    .title = "The real wrist: what two numbers identify",
    .shows = "The robot stopped at 75 deg after 3.2 s. Two numbers cannot identify three "
             "parameters: for every v_S there are an F_C and a D that stop there and then, and "
             "other laws do it as well. Identified are the torque of sliding about 0.09 rad/s (1.0 "
             "N m) and about 0.34 rad/s (2.0 N m), F_S by the peaks with the integral term, and M "
             "by the torque at the start. Not identified are F_C, v_S and D one by one, the law, "
             "friction of slower and faster sliding, and K and B, which hardly matter.",
    .seconds = 1,
    .page = "real_wrist.html",
    .sheet = true,
    PARTS(real_wrist),
};
