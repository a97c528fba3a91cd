/* SPDX-License-Identifier: MIT
 * A sweep file: YAML with projects, a grid of settings and a few values for all runs. Its errors
 * that need no project are found before anything runs.
 */
#ifndef STICTION_TOOLS_SWEEP_SWEEP_FILE_H
#define STICTION_TOOLS_SWEEP_SWEEP_FILE_H

#include "document/fail.h"
#include "document/names.h"
#include "stiction/load.h"
#include "sweep/plan.h"

/* What a run knows of its engines and settings: a file is checked by them, but needs no engine to
 * be read. */
typedef struct sweep_rules {
    bool (*has_engine)(const char *name);
    char *(*engine_names)(void); /* "mujoco or choreonoid"; the caller frees it */
    /* whether a simulation has this key; else `hint` is the end of the message */
    bool (*has_key)(const char *key, char hint[NAME_HINT_SIZE]);
    bool (*check_setting)(const char *text, stiction_place at, stiction_error *error);
    /* options of controllers are not checked where a project has others than ours */
    bool (*is_option)(const char *key);
    bool (*has_other_controllers)(const char *project, bool untrusted);
    bool (*checks_options_of)(const char *controller);  /* "posture:kp=50" */
    bool (*draws)(const char *project, bool untrusted); /* something of its friction, by a seed */
    bool untrusted; /* the projects may name only files in their folders */
} sweep_rules;

/* Adds all errors of the file. Free the plan either way. */
bool sweep_file_read(const char *path, const sweep_rules *rules, sweep_plan *plan,
                     stiction_errors *errors);

/* The path of a file that the sweep file names; the caller frees it. */
char *sweep_file_beside(const char *path, const char *name);

#endif
