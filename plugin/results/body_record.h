/* SPDX-License-Identifier: MIT */
/* What is kept of a body's samples. */
#ifndef STICTION_RESULTS_BODY_RECORD_H
#define STICTION_RESULTS_BODY_RECORD_H

#include "body_figures.h"

/* The position of the centre of mass every few samples: relative to its desired position if that is
 * known, otherwise absolute. */
typedef struct com_series {
    double *values; /* time, x, y, z */
    size_t count;
    size_t stride, next; /* samples between two; until the next */
} com_series;

/* A sum of squares. */
typedef struct squares {
    double sum;
    size_t count;
} squares;

/* A link since it touched down. */
typedef struct sole {
    bool down;
    double since[2];  /* m: where it touched down */
    double last_time; /* s: when it last touched */
} sole;

struct body_record {
    double mass, timestep;
    size_t samples, link_count;
    com_series series;
    double end_time;
    double end[3];                     /* of the centre of mass, m */
    double error_end[3], error_max[3]; /* m, with their signs */
    squares error, acceleration, cop;
    double cop_max, cop_end[2];
    double last_velocity[3], last_asked[3];
    double start_height, floor; /* m; NaN: not known yet */
    bool knows_contacts;
    double fall_time; /* s; NaN: it has not fallen */
    sole *soles;
    double slip; /* m */
    bool pulled;
    push pull;
    double kp;
};

/* ---- the last part of a run, from the series ---- */

typedef struct com_window {
    double mean[3], low[3], high[3];
    size_t count;
} com_window;

/* From a time on. */
com_window com_series_window(const com_series *s, double from);
/* How often it turned around by more than a threshold along an axis since then. */
size_t com_series_reversals(const com_series *s, double from, int axis, double threshold);
/* The position at a time: the last entry before it. False if there is none. */
bool com_series_at(const com_series *s, double time, double position[3]);
bool com_series_add(com_series *s, double time, const double position[3]);

#endif
