/* SPDX-License-Identifier: MIT
 * The figures of a joint, once: a row for each, with its name, unit, meaning and the function that
 * gives it. summary.json, the tables of `run` and `sweep`, the pages and docs/results.md follow the
 * table of joint_figures.c; what a figure needs of the samples is kept there as well.
 */
#ifndef STICTION_RESULTS_JOINT_FIGURES_H
#define STICTION_RESULTS_JOINT_FIGURES_H

#include "friction_work.h"
#include "joint_columns.h"

STICTION_BEGIN_C

/* Velocities above this are motion, rad/s (m/s where it is prismatic). */
#define RESULTS_MOTION 1e-3

/* What is known of a joint from the samples so far. */
typedef struct joint_record joint_record;

/* How the values of many joints are combined for a robot. */
typedef enum figure_total {
    FIGURE_LARGEST, /* absolute value */
    FIGURE_SUM,
    FIGURE_NO_TOTAL /* per joint only */
} figure_total;

typedef struct joint_figure {
    const char *name;  /* in summary.json and the heads of CSV */
    const char *alias; /* a shorter one where people ask for it; NULL: none */
    const char *title; /* on pages and in documents */
    const char *head;  /* in tables on the terminal; NULL: it is not shown there */
    const char *unit;  /* of a revolute joint; "": a number */
    int digits;        /* in tables on the terminal; 0: 6 */
    int interest;      /* 1 is shown first in narrow tables; 0: last */
    figure_total total;
    const char *none;                           /* for people, where the figure is null */
    const char *description;                    /* without a full stop */
    double (*value)(const joint_record *joint); /* NaN: null */
} joint_figure;

/* In the order of the tables; NULL past the end. */
const joint_figure *joint_figure_at(size_t index);
/* Those with a rank, in its order; NULL past the end. */
const joint_figure *joint_figure_by_interest(size_t index);
/* By its name or its alias; NULL: unknown. */
const joint_figure *joint_figure_find(const char *name);

const char *joint_figure_unit(const joint_figure *f, bool prismatic);

/* For people an angle is in degrees, and rounding noise is 0: the unit and the value then. */
const char *joint_figure_shown_unit(const joint_figure *f, bool prismatic);
double joint_figure_shown(const joint_figure *f, bool prismatic, double value);
double joint_unit_shown(const char *unit, double value);

/* ---- collecting, for results.c ---- */

/* Free it with free(); NULL if memory runs out. The friction of each joint may be NULL. */
joint_record *joint_records_create(size_t count, double timestep,
                                   const stiction_joint_def *friction);
void joint_records_add(joint_record *records, size_t count, const results_sample *s);
double joint_records_value(const joint_record *records, size_t joint, const joint_figure *f);
const friction_work *joint_records_friction(const joint_record *records, size_t joint);
void joint_records_jump(joint_record *records, size_t count);
void joint_records_end_chatter(joint_record *records, size_t joint);
void joint_records_set_chatter(joint_record *records, size_t joint, const chatter *c);

STICTION_END_C

#endif
