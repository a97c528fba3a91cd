/*
 * The columns of joints.csv, once: what an engine tells of a step, and a row for each column that
 * is written of it. The writer, the reader (tools/report/run_data.h) and docs/running.md follow
 * this list.
 */
#ifndef STICTION_RESULTS_JOINT_COLUMNS_H
#define STICTION_RESULTS_JOINT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/stiction.h"

STICTION_BEGIN_C

/* One step, an entry a joint. What is not known may be NULL, but for position and velocity. */
typedef struct results_sample {
    double time; /* s */
    const double *position, *velocity;
    const double *command; /* N m, before friction */
    const double *target;  /* rad; NULL or NaN: not known */
    const double *friction, *deflection, *dissipated_energy;
    const unsigned char *slipping;
    const double *channels;           /* an entry a channel of results_def */
    const double *compensation;       /* N m: what of the command is for friction; from the channels
                                         "controller.JOINT.compensation" */
    const struct body_sample *bodies; /* the same of bodies, see body_figures.h; NULL: none */
} results_sample;

/* An entry of an array that may be NULL: what an engine does not have is 0. */
static inline double sample_entry(const double *array, size_t k) {
    return array ? array[k] : 0;
}

/*
 * COLUMN(name, title, unit, unit of a prismatic joint, whether a file must have it to be read,
 *        value of joint k in sample s, description). A column that files of earlier versions lack
 * is not required of a file.
 */
#define JOINT_COLUMNS(COLUMN)                                                                      \
    COLUMN(position, "position", "rad", "m", true, s->position[k], "")                             \
    COLUMN(velocity, "velocity", "rad/s", "m/s", true, s->velocity[k], "")                         \
    COLUMN(command, "command", "N m", "N", true, sample_entry(s->command, k),                      \
           "of the controller, before friction")                                                   \
    COLUMN(friction_torque, "friction torque", "N m", "N", true, sample_entry(s->friction, k),     \
           "against the motion")                                                                   \
    COLUMN(stick, "stick", "", "", true, s->slipping ? !s->slipping[k] : 0, "1 where it sticks")   \
    COLUMN(deflection, "deflection", "rad", "m", true, sample_entry(s->deflection, k),             \
           "of the bristle")                                                                       \
    COLUMN(target, "target", "rad", "m", false, s->target ? s->target[k] : (double)NAN,            \
           "empty where it is not known")

typedef struct joint_column {
    const char *name;               /* "JOINT.name" is its head */
    const char *title;              /* for people */
    const char *unit, *linear_unit; /* "" where it is a number */
    bool required;
    const char *description;
} joint_column;

#define JOINT_COLUMN_INDEX(name, ...) joint_column_##name,
enum { JOINT_COLUMNS(JOINT_COLUMN_INDEX) JOINT_COLUMN_COUNT };
#undef JOINT_COLUMN_INDEX

extern const joint_column joint_columns[JOINT_COLUMN_COUNT];

/* The columns of one joint of a sample, in their order. */
void joint_columns_fill(double *row, const results_sample *s, size_t k);

STICTION_END_C

#endif
