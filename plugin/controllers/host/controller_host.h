/* SPDX-License-Identifier: MIT
 * A controller (stiction/controller.h) as a host has it: found by its specification, made, asked
 * for a step when one is due, its output held and turned into torques meanwhile, and every fault of
 * it an error. Knows no simulator. A step allocates nothing.
 *
 * In each step of the simulation:
 *
 *     controller_readings *in = controller_host_readings(host);
 *     ... in->q, in->dq
 *     if (controller_host_begin(host, time)) ... the rest of *in
 *     status = controller_host_finish(host, torque, &error);
 */
#ifndef STICTION_CONTROLLERS_HOST_CONTROLLER_HOST_H
#define STICTION_CONTROLLERS_HOST_CONTROLLER_HOST_H

#include <stdbool.h>

#include "stiction/controller.h"

STICTION_BEGIN_C

/*
 * A specification is one of
 *     posture[:options]       built in
 *     LIB.so[:options]        a shared library; the ending may be left out
 *     FILE.py[:options]       started as a process
 *     unix:PATH[:options]     a process that listens there
 *     none                    no controller
 */
bool controller_is_none(const char *specification);

/* The part after BODY= of "BODY=SPECIFICATION", whose name then has *length letters; the text
 * itself and 0 where no body is named. */
const char *controller_without_body(const char *text, size_t *length);

/*
 * Without bodies in them, one specification is for all bodies, or there is one for each; BODY=SPEC
 * beats those. `bodies` are the names of those that have joints. Writes the specification of each,
 * without its BODY=; NULL: it is given none.
 */
stiction_status controller_choose(const char *const *specifications, size_t specification_count,
                                  const char *const *bodies, size_t body_count, const char **chosen,
                                  stiction_error *error);

/* Whether a project's module, "controllers/my" or "my.so", is a file in one of the folders. */
bool controller_file_exists(const char *file, const char *const *folders, size_t folder_count);

/* How to make one. All of it is the caller's. */
typedef struct controller_host_def {
    const char *specification;
    const char *const *folders; /* where a file that is not absolute is searched, in this order;
                                   "": the working directory */
    size_t folder_count;
    const char *const *extra; /* "kp=50": options that beat the others, one line each */
    size_t extra_count;
    const char *untrusted; /* the project that names it: only built-in controllers, which read files
                              of the project's folder; NULL: trusted */
    stiction_controller_setup setup; /* its options follow those of the specification */
} controller_host_def;

typedef struct controller_host controller_host;

/* NULL: see *error, whose message does not name the controller. */
controller_host *controller_host_create(const controller_host_def *def, stiction_error *error);
/* A crash in it is reported to the log of the setup. */
void controller_host_destroy(controller_host *host);

/* The simulation starts anew. */
void controller_host_reset(controller_host *host);

/* What it asks for; fields of the arrays stay where they are. */
const stiction_controller_needs *controller_host_needs(const controller_host *host);

/* What a simulator measures: fields of stiction_controller_input. NULL: not wanted. */
typedef struct controller_readings {
    double *q, *dq;          /* in every step of the simulation */
    double *effort, *target; /* these and all below only for a step that is due */
    double position[3], rotation[4], linear[3], angular[3];
    double *mass_matrix, *bias;
    double *const *jacobians;
    size_t contact_count;
    stiction_controller_contact *contacts; /* room for one a link */
    stiction_controller_link_state *link_states;
    stiction_controller_link_motion *motions; /* without accelerations */
    stiction_controller_other *others;
} controller_readings;

controller_readings *controller_host_readings(controller_host *host);

/* Begins a step of the simulation at a time, s: whether the controller runs in it. */
bool controller_host_begin(controller_host *host, double time);
/* Ends it with the torques, one entry per joint. Unless OK the run cannot go on: see *error. */
stiction_status controller_host_finish(controller_host *host, double *torque,
                                       stiction_error *error);

/* Its targets, NaN where it has none; and its values to record. */
const double *controller_host_targets(const controller_host *host);
const double *controller_host_records(const controller_host *host);
/* Whether it has finished. */
bool controller_host_finished(const controller_host *host);

/* All figures since the reset, collected now; they are the host's until the next call. */
const stiction_controller_note *controller_host_notes(controller_host *host, size_t *count);

/*
 * Whether a controller has crashed in this process, which then calls none any more: it may write
 * what was computed so far and must end. controller_host_create fails from then on.
 */
bool controller_host_has_crashed(void);

/* What was loaded: the path of a file, "posture", "unix:PATH". */
const char *controller_host_library(const controller_host *host);
/* Whether it is part of this program. */
bool controller_host_is_built_in(const controller_host *host);
/* "pd" of "controllers/pd.so": a name for a controller that has no other. */
const char *controller_host_stem(const controller_host *host);
/* All its options on one line. */
const char *controller_host_options(const controller_host *host);

STICTION_END_C

#endif
