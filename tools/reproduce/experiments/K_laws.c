/* SPDX-License-Identifier: MIT
 * Kikuuwe et al. 2006, Figs 1, 5 and 8: conventional models, Phi and Phi_Z, and model A.
 */
#include <math.h>

#include "../experiment.h"
#include "coulomb_element.h"
#include "joint_models/element.h"
#include "joint_models/reference/reference.h"

/* Friction as a surface over velocity and external force (Kikuuwe et al. 2006, Figs 1 and 8),
 * drawn as sections at some external forces: a page shows those better than the surface. */

typedef double (*friction_of)(const void *context, double v, double h);

enum { samples = 600 };

static double velocity(int k, double span) {
    return span * (2.0 * k / samples - 1);
}

static void draw_section(experiment_curve *curve, friction_of f, const void *context, double h,
                         double F, double span) {
    double last = (double)NAN;
    for (int k = 0; k <= samples; k++) {
        const double v = velocity(k, span), here = f(context, v, h);
        /* within a continuous model f changes by less than this from sample to sample */
        if (fabs(here - last) > F / 10)
            add_point(curve, velocity(k, span) - span / samples, (double)NAN);
        add_point(curve, v, here);
        last = here;
    }
}

/* f over v in [-span, span] at h = -1.5 F ... 1.5 F; lines end where f jumps. */
static void draw_sections(experiment_run *run, const char *title, friction_of f,
                          const void *context, double F, double span) {
    static const double h[] = {-1.5, -0.5, 0, 0.5, 1.5}; /* of F */
    static const char *const labels[] = {"h = -1.5 F", "h = -0.5 F", "h = 0", "h = 0.5 F",
                                         "h = 1.5 F"};
    enum { sections = sizeof h / sizeof h[0] };
    experiment_plot *plot = add_plot(run, title, "velocity v (m/s)", "friction force f (N)");
    for (int k = 0; k < sections; k++)
        draw_section(add_curve(plot, labels[k]), f, context, h[k] * F, F, span);
    experiment_curve *rest = add_dots(plot, "v = 0");
    for (int k = 0; k < sections; k++) add_point(rest, 0, f(context, 0, h[k] * F));
}

/* The largest jump of f over v in [-span, span]; 0 but for rounding where f is continuous. */
static double largest_jump(friction_of f, const void *context, double h, double span) {
    double low = 0, high = 0, largest = 0;
    for (int k = 0; k < samples; k++) {
        const double a = velocity(k, span), b = velocity(k + 1, span);
        const double change = fabs(f(context, b, h) - f(context, a, h));
        if (!(change > largest)) continue;
        largest = change;
        low = a;
        high = b;
    }
    /* close in on it: a jump stays, a slope vanishes */
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (low + high), at = f(context, middle, h);
        if (fabs(at - f(context, low, h)) > fabs(f(context, high, h) - at))
            high = middle;
        else
            low = middle;
    }
    return fabs(f(context, high, h) - f(context, low, h));
}

/* The largest |f(0, h) - h| over |h| <= F: 0 where friction balances the external force at rest. */
static double imbalance_at_rest(friction_of f, const void *context, double F) {
    double largest = 0;
    for (int k = -100; k <= 100; k++)
        largest = fmax(largest, fabs(f(context, 0, F * k / 100) - F * k / 100));
    return largest;
}

/* ---- Fig 1: the conventional models, and the drift and chatter that follow ---- */

static const experiment_parameter fig1_parameters[] = {
    {"F", 8, "N", CHOSEN, "of Fig 6; the figure has no numbers"},
    {"M", 1, "kg", CHOSEN, "of Fig 6"},
    {"T", 0.001, "s", CHOSEN, "of Fig 6"},
    {"epsilon", 0.008, "m/s", CHOSEN, "of the sections: T F/M, as wide as model A sticks"},
    {"epsilon, wide", 0.1, "m/s", CHOSEN, "far above T F/M"},
    {"epsilon, narrow", 0.0008, "m/s", CHOSEN, "a tenth of T F/M"},
    {"h", 4, "N", CHOSEN, "a load that friction should hold"},
    {"v0", 0.098, "m/s", CHOSEN,
     "no step from it lands in the narrow band; from 0.1 m/s Karnopp would stick"},
};

static const char fig1_rounding[] = "rounding";
static const char theory[] = "epsilon h/F exactly; what is left of the transient";
static const char explicit_step[] = "a sum of steps (F - h) T/M and (F + h) T/M";
static const char neither[] = "either drift or chattering";

static const experiment_quantity fig1_quantities[] = {
    CLAIM("f - h at rest, Coulomb", "N", 0, 1e-14, fig1_rounding, "balances h"),
    CLAIM("f - h at rest, Karnopp", "N", 0, 1e-14, fig1_rounding, "balances h"),
    OURS("f - h at rest, Quinn", "N", 0, 1e-14, fig1_rounding),
    CLAIM("f - h at rest, viscosity", "N", 8, 1e-14, fig1_rounding, "does not balance h"),
    CLAIM("jump of f over v, Coulomb", "N", 12, 1e-9, fig1_rounding, "discontinuous"),
    CLAIM("jump of f over v, Karnopp", "N", 12, 1e-9, fig1_rounding, "discontinuous"),
    CLAIM("jump of f over v, Quinn", "N", 0, 1e-9, fig1_rounding, "discontinuities removed"),
    OURS("jump of f over v, viscosity", "N", 0, 1e-9, fig1_rounding),
    CLAIM("drift, Karnopp, wide", "m/s", 0.098, 1e-9, "the velocity with which it comes in",
          neither),
    CLAIM_DIFFERS("drift, Quinn, wide", "m/s", 0, 1e-9, "what is left of the transient", neither,
                  "f = h + F v/epsilon in the band: v dies out"),
    CLAIM("drift, viscosity, wide", "m/s", 0.05, 1e-9, theory, neither),
    CLAIM("chatter, Karnopp, narrow", "m/s", 0.012, 1e-9, explicit_step, neither),
    CLAIM("chatter, Quinn, narrow", "m/s", 0.012, 1e-9, explicit_step, neither),
    CLAIM("chatter, viscosity, narrow", "m/s", 0.012, 1e-9, explicit_step, neither),
    CLAIM("drift, model A", "m/s", 0, 0, "exactly at rest", "neither drift nor chatter"),
    CLAIM("chatter, model A", "m/s", 0, 0, "exactly at rest", "neither drift nor chatter"),
};

/* ---- the four models ---- */

typedef struct threshold {
    double F, epsilon;
} threshold;

/* Coulomb (1) is Karnopp (3) without a band. */
static double karnopp(const void *context, double v, double h) {
    const threshold *t = context;
    const stiction_law_parameters p = coulomb_parameters(t->F);
    return stiction_karnopp_force(stiction_law_find("coulomb"), &p, t->epsilon, v, h);
}

static double quinn(const void *context, double v, double h) {
    const threshold *t = context;
    return stiction_quinn_force(t->F, t->epsilon, v, h);
}

static double viscosity(const void *context, double v, double h) {
    const threshold *t = context;
    (void)h;
    return stiction_viscosity_force(t->F, t->epsilon, v);
}

static const struct {
    const char *title, *name;
    friction_of f;
} models[] = {
    {"(a) Coulomb (1)", "Coulomb", karnopp},
    {"(b) Karnopp (3)", "Karnopp", karnopp},
    {"(c) Quinn (4)", "Quinn", quinn},
    {"(d) viscosity (5)", "viscosity", viscosity},
};

/* ---- a block that comes in at v0 and should stop under the load h ---- */

enum { steps = 2000 };

typedef struct end {
    double drift, chatter; /* m/s, over the second half */
} end;

static end watch(experiment_curve *curve, const double *v, double T) {
    double low = v[steps], high = v[steps], sum = 0;
    for (int k = 0; k <= steps; k++) {
        if (k <= 200) add_point(curve, k * T, v[k]);
        if (k <= steps / 2) continue;
        low = fmin(low, v[k]);
        high = fmax(high, v[k]);
        sum += v[k];
    }
    const int counted = steps - steps / 2;
    return (end){sum / (double)counted, high - low};
}

static end slide(const experiment *self, friction_of f, double epsilon, experiment_curve *curve) {
    const double T = param(self, "T"), M = param(self, "M");
    const double h = param(self, "h");
    const threshold t = {param(self, "F"), epsilon};
    double v[steps + 1] = {param(self, "v0")};
    for (int k = 0; k < steps; k++) v[k + 1] = v[k] + T / M * (h - f(&t, v[k], h));
    return watch(curve, v, T);
}

static end slide_model_a(const experiment *self, experiment_curve *curve) {
    const double T = param(self, "T"), h = param(self, "h");
    const stiction_element_def def = {
        .kind = STICTION_ELEMENT_A, .mass = param(self, "M"), .timestep = T};
    stiction_element a = coulomb_element(param(self, "F"), &def);
    double v[steps + 1] = {param(self, "v0")}, f;
    for (int k = 0; k < steps; k++) {
        v[k + 1] = v[k];
        stiction_element_a_step(&a, 1, &h, &v[k + 1], &f);
    }
    return watch(curve, v, T);
}

static void stop_block(const experiment *self, experiment_run *out) {
    experiment_plot *wide = add_plot(out, "A block under h = F/2 with a wide threshold: drift",
                                     "time (s)", "velocity (m/s)");
    experiment_plot *narrow =
        add_plot(out, "A block under h = F/2 with a narrow threshold: chatter", "time (s)",
                 "velocity (m/s)");
    const double wide_epsilon = param(self, "epsilon, wide");
    const double narrow_epsilon = param(self, "epsilon, narrow");
    for (int k = 1; k < 4; k++)
        measure(out, slide(self, models[k].f, wide_epsilon, add_curve(wide, models[k].name)).drift);
    for (int k = 1; k < 4; k++)
        measure(
            out,
            slide(self, models[k].f, narrow_epsilon, add_curve(narrow, models[k].name)).chatter);
    const end a = slide_model_a(self, add_curve(wide, "model A"));
    (void)slide_model_a(self, add_curve(narrow, "model A"));
    MEASURE(out, a.drift, a.chatter);
}

static void run_fig1(const experiment *self, experiment_run *out) {
    const double F = param(self, "F"), epsilon = param(self, "epsilon"), span = 4 * epsilon;
    const threshold of[] = {{F, 0}, {F, epsilon}, {F, epsilon}, {F, epsilon}};
    for (int k = 0; k < 4; k++) draw_sections(out, models[k].title, models[k].f, &of[k], F, span);
    for (int k = 0; k < 4; k++) measure(out, imbalance_at_rest(models[k].f, &of[k], F));
    for (int k = 0; k < 4; k++) measure(out, largest_jump(models[k].f, &of[k], F / 2, span));
    stop_block(self, out);
}

const experiment K_fig1 = {
    .id = "K.fig1",
    .title = "The conventional models over velocity and external force",
    .shows = "Sections of the paper's four surfaces; a threshold that is wide lets a block under a "
             "load creep away, a narrow one makes it chatter, and model A does neither.",
    .seconds = 0.1,
    PARTS(fig1),
};

/* ---- Fig 5: how Phi and Phi_Z belong together, and the approximation (46) ---- */

static const experiment_parameter fig5_parameters[] = {
    {"F_S", 2.5, "N m", CHOSEN, "the wrist of Cisneros et al.; the figure has no numbers"},
    {"F_C", 0.4, "N m", CHOSEN, "the same"},
    {"v_S", 0.06, "rad/s", CHOSEN, "the same"},
    {"D", 4.5, "N m s/rad", CHOSEN, "the same"},
    {"1/Z", 55, "N m s/rad", CHOSEN, "the same: B + T K"},
    {"x0", 0.07, "rad/s", CHOSEN, "an arbitrary value, as in the figure"},
    {"span", 0.3, "rad/s", CHOSEN, "drawn range of x"},
};

static const char fig5_rounding[] = "rounding of forces up to 3 N m";
static const char measured[] = "measured; the samples are finer than 1e-4 of the span";

static const experiment_quantity fig5_quantities[] = {
    CLAIM("y0 - Phi(x0 - Z y0)", "N m", 0, 1e-13, fig5_rounding, "y0 = Phi(x0 - Z y0)"),
    CLAIM("largest |Phi_Z(x) - Phi(x - Z Phi_Z(x))|, sliding", "N m", 0, 1e-13, fig5_rounding,
          "theorem 1"),
    CLAIM("largest |Phi_Z(x) - x/Z|, sticking", "N m", 0, 1e-14, fig5_rounding, "(16)"),
    CLAIM("end of stick, |x|", "rad/s", 2.5 / 55, 1e-5, "Z F_S, between two samples",
          "x/Z = Phi(+0)"),
    OURS("error of (46)", "N m", 0.91, 0.005, measured),
    CLAIM("error of (46), Z/10 to Z/100", "", 10, 3, "first order in Z, but for the next terms",
          "error Z |Phi_Z Phi'| + O(Z^2)"),
};

enum { fig5_samples = 20000 };

typedef struct transformed {
    const stiction_law *law;
    stiction_law_parameters p;
    stiction_phi_z phi_z;
} transformed;

static transformed transform(const experiment *self, double inverse_Z) {
    transformed t = {.law = stiction_law_find("stribeck"), .p = stiction_law_parameters_default()};
    t.p.static_torque = param(self, "F_S");
    t.p.coulomb_torque = param(self, "F_C");
    t.p.stribeck_velocity = param(self, "v_S");
    t.p.viscous = param(self, "D");
    (void)stiction_phi_z_prepare_inverse(&t.phi_z, t.law, &t.p, inverse_Z);
    return t;
}

/* Phi at the slip velocity that Phi_Z(x) leaves. */
static double phi_at_slip(const transformed *t, double x) {
    return stiction_phi(t->law, &t->p, fma(-t->phi_z.Z, stiction_phi_z_at(&t->phi_z, x), x));
}

static void check_theorem(const transformed *t, double span, experiment_run *out) {
    double slide = 0, stick = 0, stick_end = 0;
    for (int k = -fig5_samples; k <= fig5_samples; k++) {
        const double x = span * k / fig5_samples, y = stiction_phi_z_at(&t->phi_z, x);
        if (stiction_phi_z_sticks(&t->phi_z, x)) {
            stick = fmax(stick, fabs(y - x / t->phi_z.Z));
            stick_end = fmax(stick_end, fabs(x));
        } else {
            slide = fmax(slide, fabs(y - phi_at_slip(t, x)));
        }
    }
    MEASURE(out, slide, stick, stick_end);
}

/* (46): Phi outside, x/Z inside. */
static double printed_46(const transformed *t, double x) {
    const double phi = stiction_phi(t->law, &t->p, x), stuck = x / t->phi_z.Z;
    return fabs(stuck) > fabs(phi) ? phi : stuck;
}

static double error_of_46(const experiment *self, double part_of_Z) {
    const transformed t = transform(self, param(self, "1/Z") / part_of_Z);
    const double span = part_of_Z * param(self, "span");
    double largest = 0;
    for (int k = 0; k <= fig5_samples; k++) {
        const double x = span * k / fig5_samples;
        largest = fmax(largest, fabs(printed_46(&t, x) - stiction_phi_z_at(&t.phi_z, x)));
    }
    return largest;
}

/* The figure: from (x0, y0) along x = x0 - Z (y0 - y) to Phi. */
static void draw(const experiment *self, const transformed *t, experiment_run *out) {
    enum { drawn = 300 };
    const double span = param(self, "span"), x0 = param(self, "x0");
    const double y0 = stiction_phi_z_at(&t->phi_z, x0), slip = x0 - t->phi_z.Z * y0;
    experiment_plot *plot = add_plot(out, "Phi, Phi_Z and the approximation (46) of Phi_Z",
                                     "x (rad/s)", "torque (N m)");
    experiment_curve *phi = add_curve(plot, "Phi");
    experiment_curve *phi_z = add_curve(plot, "Phi_Z");
    experiment_curve *approximation = add_curve(plot, "(46)");
    for (int k = -drawn; k <= drawn; k++) {
        const double x = span * k / drawn;
        if (k == 0) {
            add_point(phi, 0, stiction_phi(t->law, &t->p, -0.0));
            add_point(phi, 0, stiction_phi(t->law, &t->p, 0.0));
        } else {
            add_point(phi, x, stiction_phi(t->law, &t->p, x));
        }
        add_point(phi_z, x, stiction_phi_z_at(&t->phi_z, x));
        add_point(approximation, x, printed_46(t, x));
    }
    experiment_curve *shift = add_curve(plot, "x0 - Z y0 to x0, at y0");
    add_point(shift, slip, y0);
    add_point(shift, x0, y0);
    experiment_curve *dots = add_dots(plot, "(x0 - Z y0, y0) and (x0, y0)");
    add_point(dots, slip, y0);
    add_point(dots, x0, y0);
}

static void run_fig5(const experiment *self, experiment_run *out) {
    const transformed t = transform(self, param(self, "1/Z"));
    draw(self, &t, out);
    const double x0 = param(self, "x0");
    measure(out, fabs(stiction_phi_z_at(&t.phi_z, x0) - phi_at_slip(&t, x0)));
    check_theorem(&t, param(self, "span"), out);
    MEASURE(out, error_of_46(self, 1), error_of_46(self, 0.1) / error_of_46(self, 0.01));
}

const experiment K_fig5 = {
    .id = "K.fig5",
    .title = "Phi and its implicit transformation Phi_Z",
    .shows = "Phi_Z is Phi pushed to the right by Z y: the same torque at a larger x, and the jump "
             "at zero becomes a steep line. The paper's approximation (46) keeps neither the "
             "breakaway nor the sliding torque unless Z is small.",
    .seconds = 0.1,
    PARTS(fig5),
};

/* ---- Fig 8: model A over velocity and external force ---- */

static const experiment_parameter fig8_parameters[] = {
    {"F", 8, "N", CHOSEN, "of Fig 6; the figure has no numbers"},
    {"M", 1, "kg", CHOSEN, "of Fig 6"},
    {"T", 0.001, "s", CHOSEN, "of Fig 6"},
};

static const char fig8_rounding[] = "rounding";

static const experiment_quantity fig8_quantities[] = {
    CLAIM("A - Coulomb at v = 0", "N", 0, 1e-14, fig8_rounding,
          "identical to the Coulomb friction model at v = 0"),
    OURS("jump of f over v", "N", 0, 1e-9, fig8_rounding),
    CLAIM("stops within one step from", "m/s", 0.008, 1e-9, "T F/M, to where the search ends",
          "|v + T h/M| <= T F/M"),
    CLAIM("energy that friction adds in a step", "J", 0, 0, "never, at any T from 0.1 ms to 10 s",
          "dissipative regardless of the timestep size"),
};

/* Friction of one step from v, the last velocity. */
static double model_a(const void *context, double v, double h) {
    double f;
    stiction_element_a_step(context, 1, &h, &v, &f);
    return f;
}

static double coulomb(const void *context, double v, double h) {
    return stiction_karnopp_force(stiction_law_find("coulomb"), context, 0, v, h);
}

/* The largest velocity from which a step without external force ends at rest. */
static double stops_from(const stiction_element *a, double stops, double moves) {
    const double h = 0;
    for (int n = 0; n < 60; n++) {
        double v = 0.5 * (stops + moves), f;
        stiction_element_a_step(a, 1, &h, &v, &f);
        if (v == 0)
            stops = 0.5 * (stops + moves);
        else
            moves = 0.5 * (stops + moves);
    }
    return stops;
}

/* The most by which a step's friction raises the kinetic energy, over many v and h. */
static double energy_added(double F, double M, double T) {
    const stiction_element_def def = {.kind = STICTION_ELEMENT_A, .mass = M, .timestep = T};
    stiction_element a = coulomb_element(F, &def);
    double most = 0;
    for (int j = -50; j <= 50; j++)
        for (int k = -50; k <= 50; k++) {
            const double h = 0.1 * k * F;
            double v = 0.1 * j * T * F / M, f;
            const double unopposed = fma(a.Z, h, v); /* v*, (26a) */
            stiction_element_a_step(&a, 1, &h, &v, &f);
            most = fmax(most, 0.5 * M * (v * v - unopposed * unopposed));
        }
    return most;
}

static void run_fig8(const experiment *self, experiment_run *out) {
    const double F = param(self, "F"), M = param(self, "M");
    const double T = param(self, "T");
    const stiction_element_def def = {.kind = STICTION_ELEMENT_A, .mass = M, .timestep = T};
    const stiction_law_parameters p = coulomb_parameters(F);
    stiction_element a = coulomb_element(F, &def);
    const double span = 4 * T * F / M;
    draw_sections(out, "Model A (27)", model_a, &a, F, span);

    experiment_plot *rest =
        add_plot(out, "Friction at v = 0", "external force h (N)", "friction force f (N)");
    experiment_curve *of_a = add_curve(rest, "model A");
    experiment_curve *of_coulomb = add_curve(rest, "Coulomb (1)");
    double apart = 0;
    for (int k = -200; k <= 200; k++) {
        const double h = 0.01 * k * F;
        apart = fmax(apart, fabs(model_a(&a, 0, h) - coulomb(&p, 0, h)));
        add_point(of_a, h, model_a(&a, 0, h));
        add_point(of_coulomb, h, coulomb(&p, 0, h));
    }
    double added = 0;
    for (double step = 1e-4; step < 11; step *= 10) added += energy_added(F, M, step);
    MEASURE(out, apart, largest_jump(model_a, &a, F / 2, span), stops_from(&a, 0, span), added);
}

const experiment K_fig8 = {
    .id = "K.fig8",
    .title = "Model A over velocity and external force",
    .shows = "At rest model A is the Coulomb model itself, and around rest it is continuous: its "
             "width T F/M is no threshold but what friction can stop in one step.",
    .seconds = 0.1,
    PARTS(fig8),
};
