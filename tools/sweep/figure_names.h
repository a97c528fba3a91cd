/* SPDX-License-Identifier: MIT */
/* Figures of bodies by their names, as joint_figure_find has those of joints. */
#ifndef STICTION_TOOLS_SWEEP_FIGURE_NAMES_H
#define STICTION_TOOLS_SWEEP_FIGURE_NAMES_H

#include <string.h>

#include "results/body_figures.h"

/* NULL: there is no such figure. */
static inline const joint_figure *sweep_body_figure_find(const char *name) {
    const joint_figure *f = NULL;
    for (size_t k = 0; (f = body_figure_at(k)) && strcmp(f->name, name) != 0; k++) continue;
    return f;
}

#endif
