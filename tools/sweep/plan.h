/*
 * What a sweep is: projects and a grid of settings, every combination of which is a run. The order
 * of the runs is that of the file, the last key the fastest; they count from 0 here and from 1 for
 * people. It knows no folders and no processes.
 */
#ifndef STICTION_TOOLS_SWEEP_PLAN_H
#define STICTION_TOOLS_SWEEP_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct sweep_parameter {
    char *key; /* as in --set */
    char **values;
    size_t count; /* from 1; one value is the same in every run */
} sweep_parameter;

typedef struct sweep_plan {
    char **projects; /* as the file has them: relative to it, the same on every machine */
    size_t project_count;
    char *engine;
    char *interval; /* s, as text; NULL: not given */
    sweep_parameter *parameters;
    size_t parameter_count;
} sweep_plan;

/* More runs than this are a mistake. */
enum { SWEEP_MOST_RUNS = 1000000 };

void sweep_plan_free(sweep_plan *plan);

/* How many runs there are; more than SWEEP_MOST_RUNS where there are too many. */
size_t sweep_plan_count(const sweep_plan *plan);
const char *sweep_plan_project(const sweep_plan *plan, size_t run);
const char *sweep_plan_value(const sweep_plan *plan, size_t run, size_t parameter);

/* "0007-9f3a61c2": its number and a hash of its settings; the caller frees it. */
char *sweep_plan_name(const sweep_plan *plan, size_t run);
/* "7 kp=50 law=stribeck": what it has that others have not; the caller frees it. */
char *sweep_plan_label(const sweep_plan *plan, size_t run);
/* "controller.kp" -> "kp", where no other key ends so. */
const char *sweep_plan_short_key(const sweep_plan *plan, size_t parameter);
/* "a/wrist.cnoid" -> "wrist.cnoid", where no other project is called so. */
const char *sweep_plan_short_project(const sweep_plan *plan, size_t run);

/* The whole plan, and the settings of one run; the caller owns them. */
json_t *sweep_plan_json(const sweep_plan *plan);
json_t *sweep_plan_run_json(const sweep_plan *plan, size_t run);
/* From what sweep_plan_json made. False: it is something else. Free the plan either way. */
bool sweep_plan_read_json(sweep_plan *plan, const json_t *json);

/* Whether two texts of JSON are the same, the order of keys included. */
bool sweep_json_same(const json_t *a, const json_t *b);

#endif
