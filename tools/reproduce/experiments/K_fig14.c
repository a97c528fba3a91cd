/* SPDX-License-Identifier: MIT */
/* Kikuuwe et al. 2006, Fig 14: model D, and what it becomes when made of a model C and a mass. */
#include <math.h>

#include "../experiment.h"
#include "coulomb_element.h"

static const experiment_parameter parameters[] = {
    {"K gray", 8.3e4, "N/m", PRINTED, NULL},
    {"K dashed", 2.5e5, "N/m", PRINTED, NULL},
    {"K black", 7.5e5, "N/m", PRINTED, NULL},
    {"u0", 1, "m/s", PRINTED, NULL},
    {"h", 0, "N", PRINTED, NULL},
    {"M", 1, "kg", PRINTED, NULL},
    {"B/sqrt(K M)", 2, "", CORRECTED, "printed as B = 2 sqrt(K/M); the same number at M = 1 kg"},
    {"F", 7, "N", PRINTED, NULL},
    {"T", 0.001, "s", PRINTED, NULL},
    {"duration", 1, "s", CHOSEN, "its last tenth shows what is left"},
    {"drawn", 0.2, "s", CHOSEN, NULL},
    {"enlarged from", 0.138, "s", CHOSEN, "the mass comes to rest at M u0/F = 0.143 s"},
    {"small u0", 1e-5, "m/s", CHOSEN, "sticks, for the eigenvalues of (63)"},
    {.symbol = NULL},
};

static const char settled[] = "dies out; 0 but for rounding";
static const char eigenvalue[] = "eigenvalue of (63); what the other one leaves";
static const char unlimited[] = "the stiffness in model D is not limited";

static const experiment_quantity quantities[] = {
    CLAIM("speed left, model D, K 8.3e4", "m/s", 0, 1e-12, settled, unlimited),
    CLAIM("speed left, model D, K 2.5e5", "m/s", 0, 1e-12, settled, unlimited),
    CLAIM("speed left, model D, K 7.5e5", "m/s", 0, 1e-12, settled, unlimited),
    OURS("speed left, alternative, K 8.3e4", "m/s", 0, 1e-12, settled),
    CLAIM("speed left, alternative, K 2.5e5", "m/s", 0, 1e-12, settled, "the marginal case"),
    CLAIM("speed left, alternative, K 7.5e5", "m/s", 3.7e-3, 1e-4, "measured",
          "unstable or vibratory when the stiffness is high"),
    CLAIM("growth a step, alternative sticking, K 8.3e4", "", 0.8305, 0.001, eigenvalue,
          "T^2 < M/(4 K): real and between 0 and 1"),
    CLAIM("growth a step, alternative sticking, K 2.5e5", "", 0.75, 0.001, eigenvalue,
          "T^2 = M/(4 K): the marginal case"),
    CLAIM("growth a step, alternative sticking, K 7.5e5", "", -1.1299, 0.001, eigenvalue,
          "not between 0 and 1: oscillates"),
    {.name = NULL},
};

/* A mass with friction: model D, or the alternative of Fig 12 (b), a model C and a mass. */
typedef struct slider {
    stiction_element element;
    bool alternative;
    double h, e, u, f;
} slider;

static bool slider_make(slider *of, const experiment *self, double K, bool alternative, double u0) {
    const double M = param(self, "M");
    const stiction_element_def def = {.kind = alternative ? STICTION_ELEMENT_C : STICTION_ELEMENT_D,
                                      .mass = M,
                                      .stiffness = K,
                                      .damping = param(self, "B/sqrt(K M)") * sqrt(K * M),
                                      .timestep = param(self, "T")};
    *of = (slider){.alternative = alternative, .h = param(self, "h"), .u = u0};
    return coulomb_element(&of->element, param(self, "F"), &def);
}

static void slider_step(slider *of) {
    const stiction_element_def *d = &of->element.def;
    if (!of->alternative) {
        (void)stiction_element_d_step(&of->element, 1, &of->h, &of->e, &of->u, &of->f);
        return;
    }
    of->u += d->timestep / d->mass * (of->h - of->f); /* (60): the friction of the last step */
    (void)stiction_element_c_step(&of->element, 1, &of->u, &of->e, &of->f);
}

/* The largest speed in the last tenth. */
static double speed_left(const experiment *self, double K, bool alternative,
                         experiment_curve *curve, experiment_curve *enlarged) {
    const double T = param(self, "T"), drawn = param(self, "drawn");
    const double u0 = param(self, "u0"), duration = param(self, "duration");
    const double from = param(self, "enlarged from");
    slider s;
    if (!slider_make(&s, self, K, alternative, u0)) return (double)NAN;
    double largest = 0;
    add_point(curve, 0, s.u);
    for (long k = 1; k <= lround(duration / T); k++) {
        const double t = (double)k * T;
        slider_step(&s);
        if (t <= drawn) add_point(curve, t, s.u);
        if (t <= drawn && t >= from) add_point(enlarged, t, s.u);
        if (t > 0.9 * duration) largest = fmax(largest, fabs(s.u));
    }
    return largest;
}

/* How u changes from a step to the next while the alternative sticks. */
static double growth(const experiment *self, double K) {
    slider s;
    if (!slider_make(&s, self, K, true, param(self, "small u0"))) return (double)NAN;
    double last = 0;
    for (int k = 0; k < 30; k++) {
        last = s.u;
        if (!element_c_sticks(&s.element, s.u, s.e)) return (double)NAN;
        slider_step(&s);
    }
    return s.u / last;
}

static void run_experiment(const experiment *self, experiment_run *out) {
    static const char *const labels[] = {"K = 8.3e4 N/m", "K = 2.5e5 N/m", "K = 7.5e5 N/m"};
    static const char *const titles[] = {"Model D", "Alternative: a mass on a model C",
                                         "Model D, enlarged", "Alternative, enlarged"};
    const double K[] = {param(self, "K gray"), param(self, "K dashed"), param(self, "K black")};
    experiment_plot *plots[4];
    for (int n = 0; n < 4; n++) plots[n] = add_plot(out, titles[n], "time (s)", "velocity u (m/s)");
    for (int alternative = 0; alternative < 2; alternative++)
        for (int k = 0; k < 3; k++)
            measure(out,
                    speed_left(self, K[k], alternative, add_curve(plots[alternative], labels[k]),
                               add_curve(plots[2 + alternative], labels[k])));
    for (int k = 0; k < 3; k++) measure(out, growth(self, K[k]));
}

static const char *const misprints[] = {
    "B = 2 sqrt(K/M) is no damping: critical damping is 2 sqrt(K M). With M = 1 kg nothing "
    "changes.",
    "A of (44) is computed as T/M + 1/(B + T K), which is the same and better conditioned.",
    NULL,
};

const experiment K_fig14 = {
    .id = "K.fig14",
    .title = "Model D slides to rest, beside its alternative",
    .shows = "Model D comes to rest at any stiffness; put together from a model C and a mass, the "
             "stiffest one goes on vibrating, as the eigenvalues of (63) say.",
    .seconds = 0.1,
    .parameters = parameters,
    .quantities = quantities,
    .misprints = misprints,
    .run = run_experiment,
};
