/* SPDX-License-Identifier: MIT
 * Drincic and Bernstein, Figs 9, 11, 12 and 15: a body on a spring that a slow force moves back
 * and forth.
 */
#include <float.h>
#include <math.h>

#include "../experiment.h"
#include "bristle_body.h"
#include "joint_models/comparison/bristle_analysis.h"

/* The equilibria beside a spring K for x from -x_max to x_max: their boundary, and dots over the
 * area for its shade. */
static void draw_equilibria(experiment_plot *plot, double K,
                            stiction_interval (*holding)(const void *, double), const void *model,
                            double x_max) {
    enum { points = 1000, rows = 30 };
    experiment_curve *boundary = add_curve(plot, "boundary equilibria");
    for (int k = 0; k <= 2 * points; k++) { /* up along the highest input, down along the lowest */
        const double x = x_max * (1 - 2 * fabs(1 - (double)k / points));
        const stiction_interval u = stiction_equilibrium_inputs(K, x, holding(model, x));
        add_point(boundary, k < points ? u.high : u.low, x);
    }
    experiment_curve *area = add_dots(plot, "equilibria");
    for (int k = 0; k < rows; k++) {
        const double x = x_max * ((2 * k + 1.0) / rows - 1), step = 0.06;
        const stiction_interval u = stiction_equilibrium_inputs(K, x, holding(model, x));
        for (double j = ceil(u.low / step); j * step < u.high; j++) add_point(area, j * step, x);
    }
}

static stiction_interval sawtooth_holding(const void *sawtooth, double x) {
    return stiction_sawtooth_holding(sawtooth, x);
}

/* ---- Fig 9: hysteresis of a body on a spring, and the energy it loses ---- */

static const double pi = 3.14159265358979323846;

static const experiment_parameter fig9_parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"K", 1, "N/m", PRINTED, NULL},
    {"U", 1, "N", PRINTED, "u = U sin(omega t)"},
    {"omega (a)", 0.05, "rad/s", PRINTED, NULL},
    {"omega (b)", 0.001, "rad/s", PRINTED, NULL},
    {"kappa", 0.1, "N m/rad", PRINTED, NULL},
    {"h", 0.0995, "m", PRINTED, NULL},
    {"l_b", 0.1, "m", PRINTED, NULL},
    {"Delta", 0.005, "m", CORRECTED, "printed 0.01, above d0 = 0.0099875 m"},
    {"Delta printed", 0.01, "m", PRINTED, "against d0/Delta > 1; shown beside"},
    {"d", 1, "m", PRINTED, NULL},
    {"eta", 1e-6, "m/s", PRINTED, "half the stick band"},
    {"tau", 0.04, "s", CHOSEN, "time constant in the stick band"},
    {"T stuck", 0.02, "s", CHOSEN, "step of RK4 within the stick band"},
    {"l aside", 0.02, "m", CHOSEN, "stretch of the spring at the start of a run beside"},
    {"T", 0.002, "s", CHOSEN, "longest step of RK4 elsewhere; none leaps the stick band"},
};

static const char fig9_steps[] = "steps of 1 to 4 ms give 0.3781 to 0.3784 J";
static const char aside_steps[] = "steps of 1 to 4 ms give 0.3574 to 0.3583 J";
static const char floored[] = "the floor in (46) leaves out up to 0.0027";

static const char turns[] =
    "it turns where its last slip ends, from 0.85 to 0.95 m: 0.34 to 0.378 J; the start decides";

static const experiment_quantity fig9_quantities[] = {
    NUMBER_DIFFERS("energy lost in a cycle", "J", 0.3782, 0.0005, fig9_steps, 0.35647, 0.00005,
                   turns),
    NUMBER_DIFFERS("energy stored in the bristles passed", "J", 0.3773, 0.0005, fig9_steps, 0.35566,
                   0.00005, turns),
    NUMBER("energy lost over stored", "", 1.0024, 0.0005, floored, 1.0023, 0.0005),
    OURS("energy lost in a cycle, started 20 mm aside", "J", 0.358, 0.001, aside_steps),
    NUMBER_DIFFERS("energy lost in a cycle, Delta as printed", "J", 0.1975, 0.0015,
                   "steps of 1 to 4 ms give 0.1968 to 0.1981 J", 0.35647, 0.022,
                   "with 0.01 m there are half as many bristles, and at times none at all"),
    CLAIM("stuck outside of the equilibria", "", 0, 0, "u rises by 2e-5 N in a step",
          "exact stick-slip: all equilibria are in (56)"),
    CLAIM("slips in a cycle, (a)", "", 14, 0, "counted",
          "rate-dependent: the shape changes with the frequency"),
    CLAIM("slips in a cycle, (b)", "", 36, 0, "counted", "staircase shape"),
};

typedef struct observed {
    double lost, stored; /* in the second cycle, J */
    long outside, slips;
} observed;

static observed simulate(const experiment *self, double spacing, double omega, double stretch,
                         experiment_curve *loop, const body_curves *over_time) {
    const double cycle = 2 * pi / omega, T = param(self, "T");
    const double T_stuck = param(self, "T stuck");
    stiction_bristles bristles = bristles_of(self);
    bristles.spacing = spacing;
    bristle_body body = bristle_body_of(self, body_on_drbm, &bristles);
    body.omega = omega;
    body.y[BODY_L] = stretch;
    trace map = trace_begin(loop, 0.008, 0.004);
    double x_min = DBL_MAX, x_max = -DBL_MAX, first_work = 0, next = 0;
    observed s = {.outside = 0};
    bool slipping = false;
    while (body.t < 2 * cycle) {
        const bool stuck = bristle_body_sticks(&body);
        trace_add(&map, bristle_body_input(&body), body.y[BODY_X]);
        if (over_time && body.t >= next) {
            body_curves_add(over_time, &body);
            next += cycle / 2000;
        }
        bristle_body_step(&body, fmin(stuck ? T_stuck : T, 2 * cycle - body.t));
        if (body.t < cycle) {
            first_work = body.y[BODY_WORK];
            continue;
        }
        x_min = fmin(x_min, body.y[BODY_X]);
        x_max = fmax(x_max, body.y[BODY_X]);
        s.slips += !slipping && fabs(body.y[BODY_V]) > 0.02;
        slipping = fabs(body.y[BODY_V]) > (slipping ? 0.005 : 0.02);
        s.outside += stuck && bristle_body_sticks(&body) && !bristle_body_may_rest(&body, T_stuck);
    }
    s.lost = body.y[BODY_WORK] - first_work;
    s.stored = stiction_bristles_stored_energy(&bristles, x_min, x_max);
    return s;
}

static void run_fig9(const experiment *self, experiment_run *out) {
    const double slow = param(self, "omega (b)");
    const double spacing = param(self, "Delta");
    experiment_plot *a =
        add_plot(out, "(a) Input-output map, omega = 0.05 rad/s", "u (N)", "x (m)");
    experiment_plot *b = add_plot(out, "(b) Hysteresis map, omega = 0.001 rad/s", "u (N)", "x (m)");
    const body_curves over_time = {
        .x = add_curve(add_plot(out, "(c) Position", "time (s)", "x (m)"), "x"),
        .v = add_curve(add_plot(out, "(c) Velocity", "time (s)", "v (m/s)"), "v"),
        .u = add_curve(add_plot(out, "(c) Input", "time (s)", "u (N)"), "u"),
        .force = add_curve(add_plot(out, "(c) Friction", "time (s)", "F_f (N)"), "F_f"),
    };
    const observed fast =
        simulate(self, spacing, param(self, "omega (a)"), 0, add_curve(a, "Delta = 0.005 m"), NULL);
    const observed s =
        simulate(self, spacing, slow, 0, add_curve(b, "Delta = 0.005 m"), &over_time);
    const observed printed = simulate(self, param(self, "Delta printed"), slow, 0,
                                      add_curve(b, "Delta = 0.01 m, as printed"), NULL);
    const observed aside = simulate(self, spacing, slow, param(self, "l aside"),
                                    add_curve(b, "Delta = 0.005 m, 20 mm aside"), NULL);
    MEASURE(out, s.lost, s.stored, s.lost / s.stored, aside.lost, printed.lost, (double)s.outside,
            (double)fast.slips, (double)s.slips);
}

const experiment B_fig9 = {
    .id = "B.fig9",
    .title = "Hysteresis of the discontinuous bristle model, and the energy it loses",
    .shows = "The slower the force, the more the loop becomes a staircase; its area is what the "
             "bristles had stored. With the printed spacing it is half of that.",
    .seconds = 6,
    .chief = true,
    .misprints = LINES("Delta = 0.01 m violates d0/Delta > 1; 0.005 m gives the printed energies.",
                       "(29) has gdot = -tau g; (32) uses gdot = -g/tau. G_- is g < -eta."),
    PARTS(fig9),
};

/* ---- Fig 11: equilibria and hysteresis on the sawtooth ---- */

static const experiment_parameter fig11_parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"K", 1, "N/m", PRINTED, NULL},
    {"F_min", 0.5, "N", PRINTED, NULL},
    {"F_max", 1, "N", PRINTED, NULL},
    {"Delta", 0.1, "m", PRINTED, NULL},
    {"U", 2, "N", CHOSEN, "u = U sin(omega t); not stated, that of Fig 12"},
    {"omega", 0.01, "rad/s", CHOSEN, "not stated, that of Fig 12"},
    {"eta", 1e-6, "m/s", CHOSEN, "half the stick band, that of Fig 9"},
    {"tau", 0.01, "s", CHOSEN, "time constant in the stick band"},
    {"T", 0.002, "s", CHOSEN, "longest step of RK4"},
};

static const experiment_quantity fig11_quantities[] = {
    CLAIM("stuck outside of the equilibria", "", 0, 0,
          "but for the 2e-4 N by which u rises while the body starts",
          "except for the vertical portions, the hysteresis map is a subset"),
    CLAIM("share of the slips outside of the equilibria", "", 0.51, 0.02,
          "steps of 0.5 to 4 ms stay within it",
          "the vertical portions are not completely contained"),
    CLAIM("share of the time stuck", "", 0.77, 0.02, "steps of 0.5 to 4 ms stay within it",
          "the hysteresis map is a staircase"),
    OURS("energy lost in a cycle over that of the teeth passed", "", 1, 0.005,
         "theory: (F_min + F_max) Delta a tooth, there and back; a tooth more or less"),
};

static void run_fig11(const experiment *self, experiment_run *out) {
    const stiction_sawtooth sawtooth = {param(self, "F_min"), param(self, "F_max"),
                                        param(self, "Delta")};
    const double T = param(self, "T");
    bristle_body body = bristle_body_of(self, body_on_sawtooth, &sawtooth);
    const double cycle = 2 * pi / body.omega;

    experiment_plot *plot = add_plot(out, "Equilibria and hysteresis map", "u (N)", "x (m)");
    trace map = trace_begin(add_curve(plot, "hysteresis map"), 0.02, 0.01);
    draw_equilibria(plot, body.K, sawtooth_holding, &sawtooth, 1.5);
    double stuck = 0, moving = 0, moving_outside = 0, x_min = DBL_MAX, x_max = -DBL_MAX;
    double first_work = 0;
    long outside = 0;
    while (body.t < 2 * cycle) {
        const double x = body.y[BODY_X];
        const bool sticks = bristle_body_sticks(&body);
        const bool may_rest = bristle_body_may_rest(&body, T);
        trace_add(&map, bristle_body_input(&body), x);
        const double dt = bristle_body_step(&body, fmin(T, 2 * cycle - body.t));
        if (body.t < cycle) {
            first_work = body.y[BODY_WORK];
            continue;
        }
        x_min = fmin(x_min, x);
        x_max = fmax(x_max, x);
        if (sticks) {
            stuck += dt;
            outside += !may_rest && bristle_body_sticks(&body);
        } else {
            moving += dt;
            moving_outside += may_rest ? 0 : dt;
        }
    }
    const double lost = body.y[BODY_WORK] - first_work;
    MEASURE(out, (double)outside, moving_outside / moving, stuck / cycle,
            lost / ((sawtooth.lowest + sawtooth.highest) * (x_max - x_min)));
}

const experiment B_fig11 = {
    .id = "B.fig11",
    .title = "Equilibria and hysteresis of a body on a sawtooth",
    .shows = "At each input there are infinitely many places to rest; the body leaves them only "
             "while it slips.",
    .seconds = 0.5,
    .misprints = LINES("mod in (48) and (49) is floored, also below 0; v = 0 counts as forwards."),
    PARTS(fig11),
};

/* ---- Fig 12: equilibria and hysteresis of the friction-force-based model ---- */

static const experiment_parameter fig12_parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"K", 1, "N/m", PRINTED, NULL},
    {"F_min", 1, "N", PRINTED, NULL},
    {"F_max", 1.5, "N", PRINTED, NULL},
    {"Delta", 0.05, "m", PRINTED, NULL},
    {"sigma_0", 1e5, "N/m", PRINTED, NULL},
    {"U", 2, "N", PRINTED, "u = U sin(omega t)"},
    {"omega", 0.01, "rad/s", PRINTED, NULL},
    {"T", 2.5e-4, "s", CHOSEN, "longest step of RK4: 0.08 rad of the deflection's vibration"},
    {"T sigma_0 |v|", 0.25, "N", CHOSEN, "a quarter of the relaxation z_ss/|v| at most"},
};

static const experiment_quantity fig12_quantities[] = {
    OURS("energy lost in the first cycle", "J", 2.408, 0.002,
         "thirty choices of the steps give 2.4067 to 2.4095"),
    CLAIM("at rest outside of the equilibria", "", 0, 0, "a hundredth of a tooth is allowed",
          "the hysteresis map is a subset, except for the slips"),
    CLAIM("share of the time at rest", "", 0.845, 0.002, "below 1e-4 m/s; steps agree to 1e-4",
          "exact stick-slip: a staircase"),
};

static void run_fig12(const experiment *self, experiment_run *out) {
    const stiction_ffbm ffbm = {param(self, "sigma_0"),
                                {param(self, "F_min"), param(self, "F_max"), param(self, "Delta")}};
    const double T = param(self, "T");
    const double travel = param(self, "T sigma_0 |v|") / ffbm.stiffness; /* m a step */
    bristle_body body = bristle_body_of(self, body_on_ffbm, &ffbm);
    const double cycle = 2 * pi / body.omega;

    experiment_plot *plot = add_plot(out, "Equilibria and hysteresis map", "u (N)", "x (m)");
    trace map = trace_begin(add_curve(plot, "hysteresis map"), 0.02, 0.005);
    draw_equilibria(plot, body.K, sawtooth_holding, &ffbm.sawtooth, 1);
    double resting = 0, lost = 0;
    long outside = 0;
    while (body.t < 1.25 * cycle) {
        const double x = body.y[BODY_X], speed = fabs(body.y[BODY_V]);
        const double u = bristle_body_input(&body);
        trace_add(&map, u, x);
        const double end = body.t < cycle ? cycle : 1.25 * cycle;
        const double dt = bristle_body_step(&body, fmin(fmin(T, travel / speed), end - body.t));
        if (body.t > cycle) continue;
        lost = body.y[BODY_WORK];
        if (speed > 1e-4) continue;
        resting += dt;
        const stiction_interval inputs =
            stiction_equilibrium_inputs(body.K, x, sawtooth_holding(&ffbm.sawtooth, x));
        outside += u < inputs.low - 0.005 || u > inputs.high + 0.005;
    }
    MEASURE(out, lost, (double)outside, resting / cycle);
}

const experiment B_fig12 = {
    .id = "B.fig12",
    .title = "Equilibria and hysteresis of the friction-force-based model",
    .shows =
        "One state instead of a Switch Model, and the same staircase within the same equilibria.",
    .seconds = 2.5,
    .chief = true,
    .misprints =
        LINES("(75) should equal (76) by the text; it does not. The equilibria are those of (76).",
              "mod in (65), (66) is floored, also below 0; v = 0 counts as forwards."),
    PARTS(fig12),
};

/* ---- Fig 15: equilibria and hysteresis of the mean-pivot-angle-based model ---- */

static const experiment_parameter fig15_parameters[] = {
    {"m", 1, "kg", PRINTED, NULL},
    {"K", 2, "N/m", PRINTED, NULL},
    {"theta_min", 0.5, "rad", PRINTED, "theta_l in the caption"},
    {"theta_max", 0.75, "rad", PRINTED, "theta_h in the caption"},
    {"v_s", 0.001, "m/s", PRINTED, NULL},
    {"sigma_0", 1e5, "N/rad", PRINTED, NULL},
    {"sigma", 1e5, "", PRINTED, "sigma_0 = sigma kappa/h, so kappa/h = 1 N/rad"},
    {"U", 2, "N", PRINTED, "u = U sin(omega t)"},
    {"omega", 0.01, "rad/s", PRINTED, NULL},
    {"steps a cycle", 2000000, "", CHOSEN, "semi-implicit Euler with 3.1e-4 s"},
};

static const experiment_quantity fig15_quantities[] = {
    OURS("energy lost in the second cycle", "J", 1.6161, 1e-4,
         "steps of 2e-5 to 1e-3 s agree to 4e-5 J"),
    CLAIM("at rest outside of the equilibria", "", 0, 0, "the band is exact but for 0.002 N",
          "the hysteresis map is a subset of the equilibria map"),
    CLAIM("share of the time at rest", "", 0.9511, 0.001, "below 1e-4 m/s; steps agree to 1e-5",
          "the staircase indicates exact stick-slip"),
    CLAIM("slips in a cycle", "", 12, 0, "counted: above 0.01 m/s", "staircase-shaped"),
};

/* The largest friction at rest, to both sides: (94). */
static stiction_interval steady_holding(const void *single_state, double x) {
    (void)x;
    const double f = stiction_single_state_steady(single_state, 0);
    return (stiction_interval){-f, f};
}

static void run_fig15(const experiment *self, experiment_run *out) {
    const double sigma = param(self, "sigma"), m = param(self, "m");
    const stiction_mpabm mpabm = {param(self, "sigma_0") / sigma, sigma, param(self, "theta_min"),
                                  param(self, "theta_max"), param(self, "v_s")};
    const stiction_single_state friction = stiction_mpabm_single_state(&mpabm);
    const double K = param(self, "K"), U = param(self, "U");
    const double omega = param(self, "omega");
    const long steps = lround(param(self, "steps a cycle"));
    const double T = 2 * pi / omega / (double)steps;
    experiment_plot *plot = add_plot(out, "Equilibria and hysteresis map", "u (N)", "x (m)");
    trace map = trace_begin(add_curve(plot, "hysteresis map"), 0.02, 0.005);
    draw_equilibria(plot, K, steady_holding, &friction, 1);

    double x = 0, v = 0, z = 0, work = 0, resting = 0;
    long outside = 0, slips = 0;
    bool slipping = false;
    for (long k = 0; k < 2 * steps; k++) {
        const double u = U * sin(omega * ((double)k * T));
        trace_add(&map, u, x);
        v += T * (u - K * x - stiction_single_state_step(&friction, T, v, &z)) / m;
        x += T * v;
        if (k < steps) continue;
        work += T * u * v;
        if (fabs(v) < 1e-4) {
            const stiction_interval inputs =
                stiction_equilibrium_inputs(K, x, steady_holding(&friction, x));
            outside += u < inputs.low - 0.002 || u > inputs.high + 0.002;
            resting += T;
            slipping = false;
        } else if (!slipping && fabs(v) > 0.01) {
            slipping = true;
            slips++;
        }
    }
    MEASURE(out, work, (double)outside, resting / (T * (double)steps), (double)slips);
}

const experiment B_fig15 = {
    .id = "B.fig15",
    .title = "Equilibria and hysteresis of the mean-pivot-angle-based model",
    .shows =
        "The average of the angles is a LuGre model: a band of equilibria and a staircase in it.",
    .seconds = 0.7,
    PARTS(fig15),
};
