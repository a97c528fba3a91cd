/*
 * The results of one run, the same from every engine: a time series, joints.csv or joints.npz (see
 * series.h), and summary.json, what it comes to. An engine adds a sample a step; nothing here knows
 * an engine.
 */
#ifndef STICTION_RESULTS_RESULTS_H
#define STICTION_RESULTS_RESULTS_H

#include <stdio.h>

#include "body_figures.h"
#include "pushes/push.h"
#include "series.h"
#include "stiction/controller.h"

STICTION_BEGIN_C

typedef struct results results;

/* A robot whose base floats. */
typedef struct results_body {
    const char *name;
    double mass; /* kg */
    size_t link_count;
} results_body;

/* What was run. All texts are copied. */
typedef struct results_def {
    const char *project;          /* the file */
    const char *simulator;        /* the name of the simulator item */
    const char *engine;           /* "mujoco", "choreonoid AIST", ... */
    const char *engine_version;   /* may be NULL */
    const char *friction_source;  /* "stiction" where NULL; whose friction it was */
    const char *coupling;         /* "explicit" where NULL; "implicit", "both", "none" of ours */
    const char *const *overrides; /* what was replaced in the project; may be NULL */
    size_t override_count;
    double timestep;          /* s */
    double interval;          /* s between rows of the series; 0: every sample; NaN: none */
    size_t count;             /* of joints */
    const char *const *names; /* "BODY.JOINT" where there are several bodies */
    const bool *prismatic;    /* of each joint; NULL: all are revolute */
    const stiction_joint_def *friction; /* of each joint; law "none" where it has none */
    bool drawn;                         /* some of that friction was, with this seed */
    uint64_t seed;
    size_t channel_count; /* of columns that belong to no joint, behind those of the joints */
    const char *const *channels; /* "base.x", "controller.error"; may be NULL */
    size_t body_count;
    const results_body *bodies; /* may be NULL */
    size_t push_count;
    const push *pushes; /* with the bodies and links that they act on; may be NULL */
} results_def;

/* The numbers of a series that a run may have and a report reads: 2 GiB. */
enum { RESULTS_MOST_NUMBERS = 1 << 28 };

/* NULL where there is no memory. */
results *results_create(const results_def *def);
void results_destroy(results *r);

/* The numbers of a row of its series. */
size_t results_row_size(const results *r);

/* False: no memory, or the series is full; what was added before stays. */
bool results_add(results *r, const results_sample *sample);
/* Whether the series has no room for another row, and what to say then. */
bool results_is_full(const results *r);
#define RESULTS_FULL "its series is full: a longer interval makes rows rarer"

/* A controller that took part, and its figures. */
typedef struct results_controller {
    const char *name, *body, *options;
    const char *library; /* what was loaded; NULL: it came with the engine */
    const stiction_controller_note *notes;
    size_t note_count;
} results_controller;

/* What a reader of the results must know before believing them: one sentence, which is copied and
 * written once however often it comes. It stands in summary.json, below the table of `run` and in
 * the row of a sweep. False: no memory. */
bool results_warn(results *r, const char *sentence);

/* Something of it is lost for want of memory: results_write then refuses. Gives false. */
bool results_lose(results *r);

/* Sentence `index`; NULL: there is none. */
const char *results_warning(const results *r, size_t index);

/* The kinetic and potential energy of all bodies at the first and the last sample, J, from an
 * engine that knows it: summary.json then has the balance of the whole. */
void results_set_energies(results *r, double first, double last);

/* What is known at the end; warns of joints whose friction was not stable. Without it the run
 * counts as complete and without controllers. False: no memory. */
bool results_finish(results *r, bool complete, const results_controller *controllers, size_t count);

/* Whether the friction of every joint was friction throughout, see friction_work.h. */
bool results_stable(const results *r);

/* Writes joints.csv and summary.json into a folder that exists, each whole or not at all, and then
 * the list of them, see storage/manifest.h: where that has both, they are of one run. */
stiction_status results_write(const results *r, const char *folder, stiction_error *error);
/* The same with the series in other files than joints.csv, or in none. */
stiction_status results_write_as(const results *r, const char *folder, series_format series,
                                 stiction_error *error);

/* The series as they are so far. False: no memory. Free it either way; the rows stay ours. */
bool results_look(const results *r, series_view *view);
void results_look_free(series_view *view);

/* The value that summary.json has, which the caller releases with json_decref; NULL with an
 * error. */
struct json_t *results_summary(const results *r, stiction_error *error);
/* The same as text. */
stiction_status results_print_summary(const results *r, FILE *file, stiction_error *error);

/* One figure of a joint as summary.json has it; NaN where it is null there. */
double results_figure(const results *r, size_t joint, const char *name);

/* The same of a body; NaN where there is no such figure, too. */
double results_body_figure(const results *r, size_t body, const char *name);

STICTION_END_C

#endif
