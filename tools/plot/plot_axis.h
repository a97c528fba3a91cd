/* SPDX-License-Identifier: MIT */
/* Axes: the range, the positions of values, and the ticks. Shared by all outputs. */
#ifndef STICTION_TOOLS_PLOT_PLOT_AXIS_H
#define STICTION_TOOLS_PLOT_PLOT_AXIS_H

#include "panels.h"

enum { PLOT_MOST_TICKS = 60 };

typedef struct plot_tick {
    double share; /* position on the axis, from 0 to 1 */
    bool zero;    /* its value is 0 */
    char text[72];
} plot_tick;

/* An axis with its ticks. */
typedef struct plot_ruler {
    const panel_axis *axis;
    double low, high; /* low < high; logarithms to base 10 if the axis is logarithmic */
    plot_tick ticks[PLOT_MOST_TICKS];
    size_t count;
} plot_ruler;

/* `room`: share of the range to add at both ends; `most`: about how many ticks fit. */
plot_ruler plot_ruler_make(const panel_axis *axis, double room, int most);
/* The position of a value: from 0 to 1 on the axis, at most 1000 away from it, NaN of NaN. */
double plot_share(const plot_ruler *r, double value);

/* The range of all finite values of a plot; low > high if there are none. */
panel_axis plot_x_range(const plot *p);
panel_axis plot_y_range(const plot *p);
/* Rulers over these ranges. */
plot_ruler plot_x_ruler(const plot *p, const panel_axis *range, int most);
plot_ruler plot_y_ruler(const panel_axis *range, int most);

#endif
