/* SPDX-License-Identifier: MIT
 * The figures of a robot whose base floats, once: what its centre of mass, its soles and the floor
 * under it did, and how it yielded. As joint_figures.h has those of joints.
 */
#ifndef STICTION_RESULTS_BODY_FIGURES_H
#define STICTION_RESULTS_BODY_FIGURES_H

#include "joint_figures.h"
#include "pushes/push.h"

STICTION_BEGIN_C

/* A link that touches something. */
typedef struct body_touch {
    size_t link;        /* 0: the base */
    double position[3]; /* of its frame's origin, m */
} body_touch;

/* A body in a step. Unknown values are NaN. */
typedef struct body_sample {
    double com[3], com_velocity[3]; /* m, m/s */
    double base[3];                 /* m */
    /* of what it touches, itself apart */
    bool knows_contacts; /* otherwise none of these is known */
    double support;      /* N, upwards */
    double cop[2];       /* m; NaN: nothing carries it */
    double floor;        /* m: its lowest contact point; NaN: it touches nothing */
    size_t touch_count;
    const body_touch *touches;
    /* what its controller records of it */
    double com_error[3]; /* m: position minus target */
    double com_asked[3]; /* m/s^2 */
    double cop_asked[2]; /* m */
} body_sample;

typedef struct body_record body_record;

/* NULL: no memory. */
body_record *body_record_create(double mass, size_t link_count, double timestep);
void body_record_destroy(body_record *r);
/* False: no memory. */
bool body_record_add(body_record *r, double time, const body_sample *s);
/* The pull that it yields to, and the gain of what pulls back, 1/s^2; NaN: not known. */
void body_record_set_pull(body_record *r, const push *pull, double kp);

/* How far its centre of mass is below all that it touches, though it was above at first, m; NaN:
 * not known. */
double body_record_sunk(const body_record *r);

/* Those of bodies have no value function; total, none and the units are as for joints. */
const joint_figure *body_figure_at(size_t index);
/* By its name; NULL: unknown. */
const joint_figure *body_figure_find(const char *name);
/* NaN: null. */
double body_record_value(const body_record *r, size_t figure);

STICTION_END_C

#endif
