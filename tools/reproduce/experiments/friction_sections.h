/* SPDX-License-Identifier: MIT
 * Friction as a surface over velocity and external force (Kikuuwe et al. 2006, Figs 1 and 8),
 * drawn as sections at some external forces: a page shows those better than the surface.
 */
#ifndef STICTION_TOOLS_REPRODUCE_EXPERIMENTS_FRICTION_SECTIONS_H
#define STICTION_TOOLS_REPRODUCE_EXPERIMENTS_FRICTION_SECTIONS_H

#include "../experiment.h"

typedef double (*friction_of)(const void *context, double v, double h);

/* f over v in [-span, span] at h = -1.5 F ... 1.5 F; lines end where f jumps. */
void draw_sections(experiment_run *run, const char *title, friction_of f, const void *context,
                   double F, double span);

/* The largest jump of f over v in [-span, span]; 0 but for rounding where f is continuous. */
double largest_jump(friction_of f, const void *context, double h, double span);

/* The largest |f(0, h) - h| over |h| <= F: 0 where friction balances the external force at rest. */
double imbalance_at_rest(friction_of f, const void *context, double F);

#endif
