/* SPDX-License-Identifier: MIT
 * Axes, ticks and colours, the same in all outputs.
 */
#include "plot_axis.h"

#include <math.h>
#include <string.h>

/* ---- ranges ---- */

/* Differences of values near the largest double would overflow. */
static bool is_drawable(double value) {
    return fabs(value) < 1e300;
}

static panel_axis range_of(const plot *p, bool of_x) {
    panel_axis axis = {.label = of_x ? p->x_label : p->y_label,
                       .low = (double)INFINITY,
                       .high = -(double)INFINITY};
    for (size_t s = 0; s < p->count; s++) {
        const double *values = of_x ? p->series[s].x : p->series[s].y;
        for (size_t k = 0; k < p->series[s].count; k++) {
            if (!is_drawable(values[k])) continue;
            axis.low = fmin(axis.low, values[k]);
            axis.high = fmax(axis.high, values[k]);
        }
    }
    return axis;
}

panel_axis plot_x_range(const plot *p) {
    return range_of(p, true);
}

panel_axis plot_y_range(const plot *p) {
    return range_of(p, false);
}

plot_ruler plot_x_ruler(const plot *p, const panel_axis *range, int most) {
    bool lines = false;
    for (size_t s = 0; s < p->count; s++)
        lines = lines || !(p->series[s].points || p->series[s].marked);
    /* a line may end at the frame; a dot there would be cut */
    return plot_ruler_make(range, lines ? 0 : 0.04, most);
}

plot_ruler plot_y_ruler(const panel_axis *range, int most) {
    return plot_ruler_make(range, 0.06, most);
}

/* ---- positions ---- */

double plot_share(const plot_ruler *r, double value) {
    if (r->axis->names) return (value + 0.5) / (double)r->axis->name_count;
    if (r->axis->log) value = log10(value);
    const double share = (value - r->low) / (r->high - r->low);
    return isfinite(value) ? fmax(-1e3, fmin(1e3, share)) : (double)NAN;
}

/* ---- ticks ---- */

static void add_tick(plot_ruler *r, double share, bool zero, const char *text) {
    if (r->count == PLOT_MOST_TICKS || !(share >= -1e-9 && share <= 1 + 1e-9)) return;
    plot_tick *t = &r->ticks[r->count++];
    *t = (plot_tick){.share = share, .zero = zero};
    (void)snprintf(t->text, sizeof t->text, "%s", text);
}

/* Long names keep their first and last letters. */
static void shorten(const char *name, char *buffer, size_t size) {
    enum { most = 22, kept = 10 };
    const size_t length = strlen(name);
    if (length <= most) {
        (void)snprintf(buffer, size, "%s", name);
        return;
    }
    size_t head = kept, tail = length - kept;
    while (head && ((unsigned char)name[head] & 0xC0) == 0x80) head--;
    while (((unsigned char)name[tail] & 0xC0) == 0x80) tail++;
    (void)snprintf(buffer, size, "%.*s\xE2\x80\xA6%s", (int)head, name, name + tail);
}

static void tick_names(plot_ruler *r, size_t most) {
    const size_t n = r->axis->name_count, every = most && n > most ? (n + most - 1) / most : 1;
    char text[64];
    for (size_t k = 0; k < n; k += every) {
        shorten(r->axis->names[k], text, sizeof text);
        add_tick(r, plot_share(r, (double)k), false, text);
    }
}

/* The smallest 1, 2 or 5 times a power of ten that cuts the span into at most so many parts. */
static double nice_step(double span, int most) {
    const double least = span / most;
    const double power = pow(10, floor(log10(least)));
    static const double steps[] = {1, 2, 5};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
        if (steps[k] * power >= least * (1 - 1e-9)) return steps[k] * power;
    return 10 * power;
}

/* At the multiples of a round step, with as many decimals as the step needs. */
static void tick_numbers(plot_ruler *r, double low, double high, double step) {
    const long first = (long)ceil(low / step - 1e-9), last = (long)floor(high / step + 1e-9);
    const double largest = fmax(fabs(low), fabs(high));
    const int decimals = (int)fmax(0, -floor(log10(step) + 1e-9));
    char text[64];
    for (long k = first; k <= last; k++) {
        const double value = (double)k * step;
        if (decimals <= 5 && largest < 1e6)
            (void)snprintf(text, sizeof text, "%.*f", decimals, value);
        else
            (void)snprintf(text, sizeof text, "%g", value);
        add_tick(r, plot_share(r, value), k == 0, text);
    }
}

static void tick_logarithms(plot_ruler *r, int most) {
    static const double few[] = {1, 2, 5}, many[] = {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9};
    const double span = r->high - r->low;
    const double *parts = span > 1 ? few : many;
    const size_t part_count = span > 3 ? 1 : span > 1 ? 3 : 10;
    const int every = span > 3 ? (int)ceil(span / most) : 1;
    char text[32];
    for (int decade = (int)floor(r->low); decade <= (int)ceil(r->high); decade++)
        for (size_t k = 0; k < part_count && decade % every == 0; k++) {
            const double value = parts[k] * pow(10, decade);
            (void)snprintf(text, sizeof text, "%g", value);
            add_tick(r, plot_share(r, value), false, text);
        }
    if (r->count >= 3) return;
    r->count = 0; /* a short range has too few of these */
    const double low = pow(10, r->low), high = pow(10, r->high);
    tick_numbers(r, low, high, nice_step(high - low, most));
}

/* At given values, leaving out those that would overlap. */
static void tick_marks(plot_ruler *r, int most) {
    char text[32];
    double last = -1;
    for (size_t k = 0; k < r->axis->mark_count; k++) {
        const double share = plot_share(r, r->axis->marks[k]);
        if (share - last < 0.4 / most) continue;
        last = share;
        (void)snprintf(text, sizeof text, "%.6g", r->axis->marks[k]);
        add_tick(r, share, r->axis->marks[k] == 0, text);
    }
}

plot_ruler plot_ruler_make(const panel_axis *axis, double room, int most) {
    plot_ruler r = {.axis = axis};
    if (axis->names) {
        tick_names(&r, (size_t)most);
        return r;
    }
    double low = axis->low, high = axis->high;
    if (!(low <= high)) low = high = axis->log; /* no value at all: around 0, or 1 */
    if (axis->log) {
        low = log10(low);
        high = log10(high);
    }
    /* widen a flat range, and one that has no doubles between its ends */
    const double size = fmax(fabs(low), fabs(high));
    if (high - low <= 1e-9 * size || high == low) {
        const double half = size > 0 && !axis->log ? size / 2 : 1;
        low -= half;
        high += half;
    }
    const double span = high - low;
    r.low = low - room * span;
    r.high = high + room * span;
    if (axis->marks)
        tick_marks(&r, most);
    else if (axis->log)
        tick_logarithms(&r, most);
    else
        tick_numbers(&r, r.low, r.high, nice_step(span, most));
    return r;
}

/* ---- colours ---- */

const plot_style *plot_style_of(size_t series) {
    static const plot_style styles[] = {
        {0x0072b2, 32, NULL},        {0xd55e00, 166, "9 4"},         {0x009e73, 36, "3 3"},
        {0xcc79a7, 175, "12 4 3 4"}, {0xe69f00, 214, "6 3 2 3 2 3"}, {0x56b4e9, 74, "14 4"},
        {0x333333, 250, "2 5"},
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
