/* SPDX-License-Identifier: MIT */
/* What collecting a run and writing it share. */
#ifndef STICTION_RESULTS_INTERNAL_H
#define STICTION_RESULTS_INTERNAL_H

#include "results.h"

/* A body, and the channels in which its controller records data about it. */
typedef struct recorded_body {
    char *name;
    body_record *record;
    size_t channels[8]; /* com_error, com_asked, cop_asked; SIZE_MAX: none */
} recorded_body;

struct results {
    results_def def; /* its texts are those below */
    char **names, **channels, **overrides, **warnings;
    size_t *compensation_channels; /* a joint: SIZE_MAX: none */
    double *compensation;          /* of a sample; NULL: no controller records any */
    size_t warning_count;
    char *project, *simulator, *engine, *engine_version, *friction_source, *coupling;
    double energy_gained; /* of all bodies, J; NaN: not known */
    stiction_joint_def *friction;
    bool *prismatic;
    unsigned *columns; /* of each joint: bit c, it has column c */
    push *pushes;
    recorded_body *bodies;
    joint_record *records;
    double *rows; /* time, then the columns that each joint has */
    size_t row_count, row_capacity, row_size;
    size_t samples;
    double last_time, next_row; /* s */
    bool interrupted, doubtful;
    bool incomplete; /* something of it is lost for want of memory: it is not written */
    results_controller *controllers; /* their texts are copies */
    size_t controller_count;
};

/* Whether joints.csv has a column of a joint. */
bool results_has_column(const results *r, size_t joint, size_t column);

#endif
