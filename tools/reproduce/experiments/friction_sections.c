/* SPDX-License-Identifier: MIT */
/* Sections through friction as a surface over velocity and external force. */
#include "friction_sections.h"

#include <math.h>

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

void draw_sections(experiment_run *run, const char *title, friction_of f, const void *context,
                   double F, double span) {
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

double largest_jump(friction_of f, const void *context, double h, double span) {
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

double imbalance_at_rest(friction_of f, const void *context, double F) {
    double largest = 0;
    for (int k = -100; k <= 100; k++)
        largest = fmax(largest, fabs(f(context, 0, F * k / 100) - F * k / 100));
    return largest;
}
