/* SPDX-License-Identifier: MIT
 * Where the time of a run goes (`stiction run --times`): each part reports when it is done. If
 * nobody asks, that is one comparison. Within steps only one in seven is timed, so that the clock
 * takes less than 1 %; the parts share the time of all steps in proportion. A time of more than
 * fifty times the mean is an interruption and is not counted.
 */
#ifndef STICTION_TIMES_TIMES_H
#define STICTION_TIMES_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* In the order of a run. */
typedef enum times_part {
    TIMES_READING,    /* project, robot, configuration; making the engine */
    TIMES_MUJOCO,     /* of the steps */
    TIMES_CONTROLLER, /* without its quadratic program, */
    TIMES_QP,         /* which is this */
    TIMES_FRICTION,
    TIMES_RECORDING, /* samples and figures */
    TIMES_VIDEO,
    TIMES_SERIES,   /* printing joints.csv, joints.npz */
    TIMES_SUMMARY,  /* the figures at the end, and summary.json */
    TIMES_REPORT,   /* report.html */
    TIMES_PICTURES, /* PNGs */
    TIMES_DISK,     /* checksums, and until all is on the disk */
    TIMES_OTHER,
    TIMES_PARTS
} times_part;

/* "MuJoCo", for people. */
const char *times_name(times_part part);

typedef struct times {
    double seconds[TIMES_PARTS]; /* after times_end */
    size_t steps;
    double steps_seconds,
        sampled_seconds[TIMES_PARTS];  /* of all steps, and of those that were timed */
    size_t sample_counts[TIMES_PARTS]; /* how often */
    double last, mark;                 /* when a part, or one of a step, ended */
    bool is_sampled;                   /* at this step */
} times;

/* The receiver of this thread; NULL: none. */
extern _Thread_local times *times_asked;

/* From now on, in this thread. The sum of all parts at the end is what passed until then. */
void times_begin(times *t);
void times_end(void);

/* For the two below. */
void times_add(times_part part);
void times_add_steps(void);
void times_begin_sample(void);
void times_add_sample(times_part part);

/* What passed since the last such call was of this part. */
static inline void times_lap(times_part part) {
    if (times_asked) times_add(part);
}
/* The same, of steps. */
static inline void times_lap_steps(void) {
    if (times_asked) times_add_steps();
}

/* A step begins; what passed since then or the last call was of this part. */
static inline void times_begin_step(void) {
    if (times_asked) times_begin_sample();
}
static inline void times_lap_in_step(times_part part) {
    if (times_asked && times_asked->is_sampled) times_add_sample(part);
}

STICTION_END_C

#endif
