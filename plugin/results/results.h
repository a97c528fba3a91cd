/* SPDX-License-Identifier: MIT
 * The results of one run, the same from every engine: a time series, joints.csv or joints.npz (see
 * series.h), and summary.json with figures computed from it. A host adds one sample per step; this
 * module does not depend on any host.
 */
#ifndef STICTION_RESULTS_RESULTS_H
#define STICTION_RESULTS_RESULTS_H

#include <stdio.h>

#include "body_figures.h"
#include "pushes/push.h"
#include "series.h"
#include "stiction/controller.h"
#include "valid.h"

STICTION_BEGIN_C

typedef struct results results;

/* A robot whose base floats. */
typedef struct results_body {
    const char *name;
    double mass; /* kg */
    size_t link_count;
} results_body;

/* The run. All strings are copied. */
typedef struct results_def {
    const char *project;          /* the file */
    const char *simulator;        /* the name of the simulator item */
    const char *engine;           /* "mujoco", "choreonoid AIST", ... */
    const char *engine_version;   /* may be NULL */
    const char *friction_source;  /* whose friction it was; NULL: "stiction" */
    const char *coupling;         /* "explicit", "implicit", "both" or "none"; NULL: "explicit" */
    const char *const *overrides; /* values replaced in the project; may be NULL */
    size_t override_count;
    double timestep;             /* s */
    double interval;             /* s between rows of the series; 0: every sample; NaN: none */
    size_t count;                /* of joints */
    const char *const *names;    /* "BODY.JOINT" if there are several bodies */
    const bool *prismatic;       /* of each joint; NULL: all are revolute */
    const double *torque_limits; /* of each joint, N m; may be NULL or infinite */
    const stiction_joint_def *friction; /* of each joint; law "none" if it has none */
    const valid_ranges *valid;          /* of each joint: where it was identified; may be NULL */
    bool drawn; /* some of that friction was drawn at random, with this seed */
    uint64_t seed;
    size_t channel_count;        /* of columns that belong to no joint, after those of the joints */
    const char *const *channels; /* "base.x", "controller.error"; may be NULL */
    size_t body_count;
    const results_body *bodies; /* may be NULL */
    size_t push_count;
    const push *pushes;  /* with the bodies and links that they act on; may be NULL */
    double least_energy; /* J: less than this is never reported as energy from nothing */
} results_def;

/* The largest number of values in a series, for runs and reports: 2 GiB. */
enum { RESULTS_MOST_NUMBERS = 1 << 28 };

/* NULL if memory runs out. */
results *results_create(const results_def *def);
void results_destroy(results *r);

/* The number of values in a row of the series. */
size_t results_row_size(const results *r);

/* False if memory runs out or the series is full; earlier samples remain. */
bool results_add(results *r, const results_sample *sample);
/* Whether the series cannot take another row, and the warning for it. */
bool results_is_full(const results *r);
#define RESULTS_FULL "its series is full: a longer interval makes rows rarer"

/* A controller that took part, and its figures. */
typedef struct results_controller {
    const char *name, *body, *options;
    const char *library; /* the loaded library; NULL: built into the host */
    const stiction_controller_note *notes;
    size_t note_count;
} results_controller;

/* Adds a warning for readers of the results; it is copied, and written once however often it is
 * added. It appears in summary.json, below the table of `run` and in the row of a sweep. False if
 * memory runs out. */
bool results_warn(results *r, const char *message);

/* The same for a run that was not the one that was asked for: results_stable is then false. */
bool results_doubt(results *r, const char *message);

/* Notes that data was lost because memory ran out: results_write then fails. Returns false. */
bool results_lose(results *r);

/* Warning `index`; NULL past the end. */
const char *results_warning(const results *r, size_t index);

/* What a host knows of the energy of all bodies at the start of a step, J. */
typedef struct energy_sample {
    double kinetic, potential;
    double pushed;      /* the work of pushes since the start of the run */
    double constrained; /* that of contacts, joint limits and closed loops */
} energy_sample;

/* For hosts that know it: at the last sample that was added. The first one must have it, the last
 * one should; others as often as is cheap. summary.json then has the energy balance of the run. */
void results_add_energy(results *r, const energy_sample *energy);

/* The state was set from outside: between the last sample and the next one nothing moved, and the
 * energy balance starts over with the next energy. */
void results_jump(results *r);

/* How many steps of implicit friction did not converge so far; `where`, a text that is copied: what
 * kept the first of them from it. */
void results_set_unconverged(results *r, uint64_t steps, const char *where);
/* Replaces the coupling of the definition by a constant text, in a run that changes it. */
void results_set_coupling(results *r, const char *coupling);
/* A joint whose friction chatters or did, see stability/chatter.h; the joint count: none. */
size_t results_find_chatter(const results *r);
/* Forgets the chatter of a joint, for a host that has ended it and warns of it. */
void results_end_chatter(results *r, size_t joint);
/* What the rule knows of the last steps of a joint, for a host that goes on from a saved state. */
chatter results_chatter(const results *r, size_t joint);
void results_set_chatter(results *r, size_t joint, const chatter *c);

/* Call it at the end of the run; adds warnings about what cannot be believed, see health.h. Without
 * it the run counts as complete and without controllers. False if memory runs out. */
bool results_finish(results *r, bool complete, const results_controller *controllers, size_t count);

/* Whether the run can be believed, see health.h. */
bool results_stable(const results *r);

/* Writes joints.csv and summary.json into an existing, empty folder, and then their list, see
 * storage/manifest.h. Hosts write into the scratch folder of a place (storage/place.h), which then
 * takes the place of earlier results at once. */
stiction_status results_write(const results *r, const char *folder, stiction_error *error);
/* The same with the series in another format than joints.csv, or without a series. */
stiction_status results_write_as(const results *r, const char *folder, series_format series,
                                 stiction_error *error);

/* The series so far. False if memory runs out. Free it in either case; the rows remain owned by
 * `r`. */
bool results_series(const results *r, series_view *view);
void results_series_free(series_view *view);

/* The value that summary.json has, which the caller releases with json_decref; NULL with an
 * error. */
struct json_t *results_summary(const results *r, stiction_error *error);
/* The same as text. */
stiction_status results_print_summary(const results *r, FILE *file, stiction_error *error);

/* A figure of a joint as in summary.json; NaN if it is null there. */
double results_figure(const results *r, size_t joint, const char *name);

STICTION_END_C

#endif
