/* SPDX-License-Identifier: MIT */
/* What collecting a run and writing it share. */
#ifndef STICTION_RESULTS_INTERNAL_H
#define STICTION_RESULTS_INTERNAL_H

#include "document/arena.h"
#include "health.h"

/* A body, and the channels in which its controller records data about it. */
typedef struct recorded_body {
    const char *name;
    body_record *record;
    size_t channels[8]; /* com_error, com_asked, cop_asked; SIZE_MAX: none */
} recorded_body;

struct results {
    arena memory;
    results_def def; /* its texts and arrays are copies */
    const char **warnings;
    size_t warning_count;
    size_t *compensation_channels; /* of each joint; SIZE_MAX: none */
    double *compensation;          /* of a sample; NULL: no controller records any */
    energy_account energy;
    double *top_speeds;        /* of each joint, rad/s or m/s */
    double *top_loads;         /* of each joint, N m or N */
    double *coldest, *warmest; /* of each joint, deg C; NaN: not known */
    size_t *saturated;         /* samples of each joint whose command is at its torque limit */
    uint64_t unconverged;      /* steps of implicit friction */
    char unconverged_where[400];
    unsigned *columns; /* of each joint: bit c, it has column c */
    recorded_body *bodies;
    joint_record *records;
    double *rows; /* time, then the columns that each joint has */
    size_t row_count, row_capacity, row_size;
    size_t samples;
    double last_time, next_row; /* s */
    bool interrupted, doubtful;
    bool incomplete; /* something is lost because memory ran out: it is not written */
    const results_controller *controllers; /* copies */
    size_t controller_count;
    arena controller_memory;
};

/* Whether joints.csv has a column of a joint. */
bool results_has_column(const results *r, size_t joint, size_t column);

#endif
