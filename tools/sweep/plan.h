/* SPDX-License-Identifier: MIT
 * The plan of a sweep: projects, keys with their values, and runs. A run has one project and one
 * value of every key. The runs are all combinations (a grid) or a table of some of them (samples,
 * pairs, conditions, a search). In a grid the last key varies fastest. Runs count from 0 here and
 * from 1 for users.
 */
#ifndef STICTION_TOOLS_SWEEP_PLAN_H
#define STICTION_TOOLS_SWEEP_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "document/fail.h"

/* The place of a value in the sweep file. */
typedef struct sweep_spot {
    int line, column;
} sweep_spot;

/* A key with the values that occur in runs, each once; sweep_plan_value returns that of a run. */
typedef struct sweep_parameter {
    char *key; /* as in --set */
    char **values;
    size_t count;      /* one value is the same in every run */
    sweep_spot *spots; /* of every value; NULL: not known */
    sweep_spot spot;   /* of values that a search adds */
    size_t room;
    uint32_t *slots; /* a hash table of the values; NULL: not needed so far */
    size_t slot_count;
} sweep_parameter;

/* The condition for runs that work, and the key whose smallest or largest working value is shown.
 */
typedef struct sweep_works {
    char *text; /* "rms_error < 2 deg and stable"; NULL: none */
    struct sweep_select *select;
    sweep_spot spot;
    char *edge; /* a key; NULL: none */
    bool largest;
} sweep_works;

typedef struct sweep_plan {
    char **projects; /* as the file has them: relative to it, the same on every machine */
    size_t project_count;
    sweep_spot *project_spots; /* their places in the file; NULL: not known */
    char *engine;
    char *interval; /* s, as text; NULL: not given */
    bool untrusted; /* its projects may name only files in their folders */
    sweep_parameter *parameters;
    size_t parameter_count;
    char *path;                 /* of the sweep file, for messages; NULL: not known */
    char *warning;              /* about the sweep file; NULL: no warning */
    uint32_t *table;            /* of each run its project, then its value of each key; NULL: every
                                   combination is a run */
    size_t run_count, run_room; /* of the table */
    struct sweep_goal *goal;    /* of a search that adds runs, see goal.h; NULL: not a search */
    json_t *definition;         /* the same for sweep.json; NULL: not a search */
    json_t *outcome;            /* what a search has found, for sweep.json; NULL: nothing yet */
    sweep_works works;          /* another condition does not make another sweep */
} sweep_plan;

/* More runs are an error. */
enum { SWEEP_MOST_RUNS = 1000000 };

void sweep_plan_free(sweep_plan *plan);

/* How many runs there are; more than SWEEP_MOST_RUNS where there are too many. */
size_t sweep_plan_count(const sweep_plan *plan);
const char *sweep_plan_project(const sweep_plan *plan, size_t run);
size_t sweep_plan_project_index(const sweep_plan *plan, size_t run);
const char *sweep_plan_value(const sweep_plan *plan, size_t run, size_t parameter);

/* Whether the runs differ in a key. */
bool sweep_plan_varies(const sweep_plan *plan, size_t parameter);
/* The place in the sweep file of the value of a run, or of the distribution that it is drawn from,
 * for messages. path NULL: unknown. */
stiction_place sweep_plan_place(const sweep_plan *plan, size_t run, size_t parameter);
/* The place of its project. */
stiction_place sweep_plan_project_place(const sweep_plan *plan, size_t run);
/* Finds a key by its whole name, or by its end after a dot ("kp" of "controller.kp") if no other
 * key ends so. parameter_count: not found; *alike is then the number of candidates. */
size_t sweep_plan_find_key(const sweep_plan *plan, const char *name, size_t *alike);

/* Adds a run, with a value for every key; returns its number. */
size_t sweep_plan_append(sweep_plan *plan, size_t project, const char *const *values);

/* ---- making one ---- */

/* The index of a value in the list of its key; a new value is added, with its place in the file. */
size_t sweep_parameter_add(sweep_parameter *p, const char *value, sweep_spot spot);
void sweep_parameter_free(sweep_parameter *p);
/* A row of the table for the caller to fill: project, then a value of each key. */
uint32_t *sweep_plan_add_row(sweep_plan *plan);

/* ---- names ---- */

/* "0007-9f3a61c2": its number and a hash of its settings; the caller frees it. */
char *sweep_plan_name(const sweep_plan *plan, size_t run);
/* "controller.kp" -> "kp", where no other key ends so. */
const char *sweep_plan_short_key(const sweep_plan *plan, size_t parameter);
/* Values for people: numbers are rounded to as few digits, from four on, as keep them apart. */
void sweep_round_texts(char **texts, size_t count);
/* "a/wrist.cnoid" -> "wrist.cnoid", where no other project is called so. */
const char *sweep_plan_short_project(const sweep_plan *plan, size_t project);

/* The whole plan, and the settings of one run; the caller owns them. */
json_t *sweep_plan_json(const sweep_plan *plan);
json_t *sweep_plan_run_json(const sweep_plan *plan, size_t run);
/* From what sweep_plan_json made. False: it is something else. Free the plan either way. */
bool sweep_plan_read_json(sweep_plan *plan, const json_t *json);

/* Whether what sweep_plan_json made of another plan is this sweep: the same runs, or the same
 * search, which may have more of them by then. */
bool sweep_plan_is(const sweep_plan *plan, const json_t *json);

#endif
