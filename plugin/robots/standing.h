/* SPDX-License-Identifier: MIT
 * How a legged robot stands: the soles, found from the shapes that touch, and a posture with bent
 * knees in which the centre of mass is above them.
 */
#ifndef STICTION_ROBOTS_STANDING_H
#define STICTION_ROBOTS_STANDING_H

#include "body.h"

enum { STANDING_CORNERS = 4 };

/* The part of a foot that touches the floor. */
typedef struct standing_sole {
    size_t link;
    double corners[STANDING_CORNERS][3]; /* m, in the link's frame, around it */
    size_t corner_count;                 /* 1: a point; else 3 or 4 */
    double normal[3];                    /* in the link's frame, towards the body */
} standing_sole;

typedef struct standing {
    const char
        *obstacle; /* the reason why it does not stand; NULL: it stands, and the rest is set */
    const standing_sole *soles;
    size_t sole_count;
    const double *displacements; /* one entry per link, rad or m */
    const bool *in_legs;         /* one per link: its joint is between the root and a sole */
} standing;

/* From the posture `start`, upright with the feet lowest. With `bend` the knees are bent and the
 * centre of mass is moved above the soles; else the posture stays. */
const standing *standing_find(reader *r, const body_file *body, const double *start, bool bend);

/* Mass of a link and of all below it, kg. */
double standing_mass_below(const body_file *body, size_t link);

#endif
