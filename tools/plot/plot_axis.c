/*
 * Axes, ticks and colours, the same in all pictures.
 */
#include <math.h>
#include <stdio.h>

#include "plot.h"

/* The smallest 1, 2 or 5 times a power of ten that cuts the span into at most so many parts. */
static double nice_step(double span, int most_ticks) {
    const double least = span / most_ticks;
    const double power = pow(10, floor(log10(least)));
    static const double steps[] = {1, 2, 5};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
        if (steps[k] * power >= least * (1 - 1e-9)) return steps[k] * power;
    return 10 * power;
}

static plot_axis make_axis(const plot *p, double low, double high, double room, int most_ticks) {
    if (!(low <= high)) low = high = 0; /* no point at all */
    /* a flat curve, or a range in which neighbouring doubles are all there is */
    const double size = fmax(fabs(low), fabs(high));
    if (high - low <= 1e-9 * size || high == low) {
        const double half = size > 0 ? size / 2 : 1;
        low -= half;
        high += half;
    }
    const double span = high - low;
    const double step = nice_step(span, most_ticks);
    return (plot_axis){.low = low - room * span,
                       .high = high + room * span,
                       .step = p->decades ? fmax(round(step), 1) : step,
                       .decades = p->decades};
}

static void widen(double value, double *low, double *high) {
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* Values next to the largest double would leave no room for differences. */
static bool drawable(double value) {
    return fabs(value) < 1e300;
}

plot_axis plot_x_axis(const plot *p, int most_ticks) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    bool lines = false;
    for (size_t s = 0; s < p->count; s++) {
        lines = lines || !p->series[s].points;
        for (size_t k = 0; k < p->series[s].count; k++)
            if (drawable(p->series[s].x[k])) widen(p->series[s].x[k], &low, &high);
    }
    /* a line may end at the frame; a dot there would be cut */
    return make_axis(p, low, high, lines ? 0 : 0.04, most_ticks);
}

plot_axis plot_y_axis(const plot *p, int most_ticks) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t s = 0; s < p->count; s++)
        for (size_t k = 0; k < p->series[s].count; k++)
            if (drawable(p->series[s].y[k])) widen(p->series[s].y[k], &low, &high);
    return make_axis(p, low, high, 0.06, most_ticks);
}

plot_axis plot_axis_of(double low, double high, double room, int most_ticks) {
    const plot plain = {.decades = false};
    return make_axis(&plain, low, high, room, most_ticks);
}

long plot_first_tick(const plot_axis *axis) {
    return (long)ceil(axis->low / axis->step - 1e-9);
}

long plot_tick_count(const plot_axis *axis) {
    return (long)floor(axis->high / axis->step + 1e-9) - plot_first_tick(axis) + 1;
}

void plot_tick_text(const plot_axis *axis, long index, char *buffer, size_t size) {
    const double value = (double)index * axis->step;
    if (axis->decades) {
        (void)snprintf(buffer, size, "%g", pow(10, value));
        return;
    }
    const double largest = fmax(fabs(axis->low), fabs(axis->high));
    const int decimals = (int)fmax(0, -floor(log10(axis->step) + 1e-9));
    if (decimals <= 5 && largest < 1e6)
        (void)snprintf(buffer, size, "%.*f", decimals, value);
    else
        (void)snprintf(buffer, size, "%g", value);
}

bool plot_band_on(const plot_axis *axis, const plot_band *band, plot_band *cut) {
    *cut = (plot_band){fmax(band->from, axis->low), fmin(band->to, axis->high)};
    return cut->from < cut->to;
}

double plot_place(const plot_axis *axis, double value, double from, double to) {
    const double share = (value - axis->low) / (axis->high - axis->low);
    if (!isfinite(value)) return share;
    /* what is not drawable would overflow; a thousand pictures away is as far outside */
    return from + fmax(-1e3, fmin(1e3, share)) * (to - from);
}

const plot_style *plot_style_of(size_t series) {
    static const plot_style styles[] = {
        {"#0072b2", 32, NULL},        {"#d55e00", 166, "9 4"},         {"#009e73", 36, "3 3"},
        {"#cc79a7", 175, "12 4 3 4"}, {"#e69f00", 214, "6 3 2 3 2 3"}, {"#56b4e9", 74, "14 4"},
        {"#333333", 250, "2 5"},
    };
    return &styles[series % (sizeof styles / sizeof styles[0])];
}

unsigned plot_scale_colour(double share) {
    static const unsigned char stops[][3] = {{68, 1, 84},    {71, 44, 122},  {59, 82, 139},
                                             {44, 113, 142}, {33, 145, 140}, {39, 173, 129},
                                             {94, 201, 98},  {170, 220, 50}, {253, 231, 37}};
    enum { last = sizeof stops / sizeof stops[0] - 1 };
    const double place = fmin(fmax(share, 0), 1) * last;
    const size_t k = place < last ? (size_t)place : last - 1;
    unsigned colour = 0;
    for (size_t n = 0; n < 3; n++) {
        const double between = (place - (double)k) * (stops[k + 1][n] - stops[k][n]);
        colour = colour << 8 | (unsigned)lround(stops[k][n] + between);
    }
    return colour;
}
