/* SPDX-License-Identifier: MIT
 * One project, run by an engine into a folder: what `stiction run` does for each.
 */
#ifndef STICTION_TOOLS_RUN_RUN_H
#define STICTION_TOOLS_RUN_RUN_H

#include <stdio.h>

#include "mujoco/overrides.h"
#include "report/run_data.h"
#include "storage/place.h"

/* What a run writes, and where its messages go. Start from run_outputs_default(). */
typedef struct run_outputs {
    double video_rate; /* frames per second; NaN: no video */
    int video_width, video_height;
    const char *video_format; /* video_file.h */
    series_format series;  /* which files of the series are written */
    bool report, pictures; /* report.html; PNGs of its plots */
    FILE *figures;         /* summary.json goes here and no folder is written; NULL: a folder */
    stiction_log log;      /* warnings; NULL: none */
    stiction_log messages; /* of controllers, information too; NULL: none */
    void *log_user;
} run_outputs;

run_outputs run_outputs_default(void);

typedef enum run_verdict {
    RUN_FINE,
    RUN_STOPPED,  /* by the user; what was computed so far is written */
    RUN_FAILED,   /* see the error; what was computed so far is written */
    RUN_UNWRITTEN /* see the error: something could not be written, such as a frame of a video */
} run_verdict;

/* Writes the series and summary.json, listed (see results_write), and the other outputs, into a
 * folder that exists; without the list there are no results. */
typedef run_verdict run_engine(const char *project_path, const overrides *o,
                               const run_outputs *outputs, const char *folder,
                               stiction_error *error);

/* Whether a run could begin: project, bodies, configuration and overrides are read as for a run,
 * but no step is made and nothing is written. */
typedef bool run_checker(const char *project_path, const overrides *o, stiction_error *error);

/* The engine with this name; NULL: unknown. */
run_engine *run_find_engine(const char *name);
run_checker *run_find_checker(const char *name);
/* "mujoco or choreonoid", for messages; the caller frees it. */
char *run_engine_names(void);

/* The environment variable that a sweep sets for its runs: their results need not be on the disk.
 */
#define RUN_IN_SCRATCH "STICTION_IN_SCRATCH"

/* The end of an error message about a simulator without an end. */
#define RUN_NEEDS_DURATION "give --set duration=SECONDS"

/* An engine runs a project, and its results take their place. `written`: they have. */
run_verdict run_into_place(place *p, const char *project_path, run_engine *engine,
                           const overrides *o, const run_outputs *outputs, bool *written,
                           stiction_error *error);

/* Whether a folder has results, which are complete with the list of their files. */
bool run_has_results(const char *folder);

/* report.html and the PNGs, as far as the outputs include them. False: the folder has none of
 * them. */
bool run_write_report(const run_data *data, const run_outputs *outputs, const char *folder,
                      stiction_error *error);

/* The engines by their names. A new one is its name here and the file run_NAME.c, which defines
 * run_NAME and run_check_NAME. */
#define RUN_ENGINES(X) X(mujoco) X(choreonoid)
#define RUN_ENGINE_DECLARED(name)                                                                  \
    run_engine run_##name;                                                                         \
    run_checker run_check_##name;
RUN_ENGINES(RUN_ENGINE_DECLARED)

/* From now on an interrupt, the end of the terminal or of the time of the processor stops runs
 * cleanly instead of ending the command. Another one ends it, but not in the first two seconds:
 * timeout(1) and terminals send theirs twice. Where nobody reads any more, or a file becomes too
 * large, writing fails instead of ending the command. */
void run_catch_interrupts(void);
bool run_interrupted(void);
/* In a child that becomes another program: the default handlers again. */
void run_release_interrupts(void);
/* In a child that its parent ends: on a cluster an interrupt reaches both, and a run that it ended
 * would count as failed. */
void run_ignore_interrupts(void);
/* While results are written an interrupt waits. */
void run_hold_interrupts(bool on);

#endif
