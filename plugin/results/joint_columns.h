/* SPDX-License-Identifier: MIT
 * The columns of joints.csv: the sample that a host records in each step, and a row for each
 * column. The writer, the reader (tools/report/run_data.h) and docs/results.md follow this list.
 */
#ifndef STICTION_RESULTS_JOINT_COLUMNS_H
#define STICTION_RESULTS_JOINT_COLUMNS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "joint_arrays.h"

STICTION_BEGIN_C

/* One step; arrays have one entry per joint. All but position and velocity may be NULL if not
 * known. */
typedef struct results_sample {
    double time; /* s */
    const double *position, *velocity;
    const double *command; /* N m, before friction */
    const double *target;  /* rad; NULL or NaN: not known */
    joint_quantities friction;
    const double *channels;     /* one entry per channel of results_def */
    const double *compensation; /* N m: the part of the command that compensates friction; from
                                   the channels "controller.JOINT.compensation" */
    const struct body_sample *bodies; /* see body_figures.h; NULL: none */
} results_sample;

/* An entry of an array that may be NULL, which gives 0. */
static inline double sample_entry(const double *array, size_t k) {
    return array ? array[k] : 0;
}

/* The same for a quantity that is unknown (NaN) if the host does not record it. */
static inline double sample_known(const double *array, size_t k) {
    return array ? array[k] : (double)NAN;
}

/* Which joints have a column, depending on their friction. */
typedef enum joint_column_presence {
    COLUMN_ALWAYS,
    COLUMN_LATER,        /* always, but files of earlier versions lack it */
    COLUMN_LOADED,       /* friction reads the external torque */
    COLUMN_WARMING,      /* its temperature changes */
    COLUMN_LEVEL_MOVING, /* its levels change */
    COLUMN_PRESENCES
} joint_column_presence;

/* Whether a joint with this friction (NULL: none) has the columns of a presence. */
bool joint_has_columns(const stiction_joint_def *friction, joint_column_presence presence);
/* Whether its temperature or its levels change, so that hosts record them. */
bool joint_friction_moves(const stiction_joint_def *friction);

/*
 * COLUMN(name, unit, which joints have it, value of joint k in sample s, description), and
 * LEVEL(type, name, unit, description) for the levels of friction (stiction/quantities.h), which a
 * joint has if they change.
 */
#define JOINT_COLUMNS(COLUMN, LEVEL)                                                               \
    COLUMN(position, "rad", COLUMN_ALWAYS, s->position[k], "")                                     \
    COLUMN(velocity, "rad/s", COLUMN_ALWAYS, s->velocity[k], "")                                   \
    COLUMN(command, "N m", COLUMN_ALWAYS, sample_entry(s->command, k),                             \
           "controller torque, without friction")                                                  \
    COLUMN(friction_torque, "N m", COLUMN_ALWAYS, sample_entry(s->friction.torque, k),             \
           "to be subtracted")                                                                     \
    COLUMN(stick, "", COLUMN_ALWAYS, s->friction.slipping ? !s->friction.slipping[k] : 0,          \
           "1 if it sticks")                                                                       \
    COLUMN(deflection, "rad", COLUMN_ALWAYS, sample_entry(s->friction.deflection, k),              \
           "of the bristle")                                                                       \
    COLUMN(target, "rad", COLUMN_LATER, sample_known(s->target, k), "empty if unknown")            \
    COLUMN(external_torque, "N m", COLUMN_LOADED, sample_known(s->friction.external_torque, k),    \
           "[load torque](drives.md#inputs), if the friction of the joint depends on it")          \
    STICTION_JOINT_LEVELS(LEVEL)

typedef struct joint_column {
    const char *name; /* the header is "JOINT.name" */
    const char *unit; /* of a revolute joint; "" if it has no unit */
    joint_column_presence presence;
    const char *description;
} joint_column;

/* The unit of a prismatic joint: "N" for "N m". */
const char *joint_linear_unit(const char *unit);

#define JOINT_COLUMN_INDEX(name, ...)      joint_column_##name,
#define JOINT_LEVEL_INDEX(type, name, ...) joint_column_##name,
enum { JOINT_COLUMNS(JOINT_COLUMN_INDEX, JOINT_LEVEL_INDEX) JOINT_COLUMN_COUNT };
#undef JOINT_COLUMN_INDEX
#undef JOINT_LEVEL_INDEX

extern const joint_column joint_columns[JOINT_COLUMN_COUNT];

/* The columns of one joint of a sample, in their order. */
void joint_columns_fill(double *row, const results_sample *s, size_t k);

STICTION_END_C

#endif
