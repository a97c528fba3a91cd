/*
 * One project, run by an engine into a folder: what `stiction run` does for each.
 */
#ifndef STICTION_TOOLS_RUN_RUN_H
#define STICTION_TOOLS_RUN_RUN_H

#include "common/place.h"
#include "report/run_data.h"
#include "settings.h"

typedef enum run_verdict {
    RUN_FINE,
    RUN_STOPPED,  /* by the user; what was computed so far is written */
    RUN_FAILED,   /* after a sentence on stderr; what was computed so far is written */
    RUN_UNWRITTEN /* the same, since something could not be written, such as a frame of a video */
} run_verdict;

/* Writes the series and summary.json, listed (see results_write), into a folder that exists, and
 * what else is asked for; without the list there are no results. */
typedef run_verdict run_engine(const char *project_path, const settings *s, const char *folder);

/* Whether a run could begin: project, bodies, configuration and settings are read as for a run, but
 * no time passes and nothing is written. False after a sentence on stderr. */
typedef bool run_checker(const char *project_path, const settings *s);

/* The engine of a name; NULL: there is none. */
run_engine *run_find_engine(const char *name);
run_checker *run_find_checker(const char *name);
/* "mujoco or choreonoid", for messages; the caller frees it. */
char *run_engine_names(void);

/* The environment variable that a sweep sets for its runs: their results need not be on the disk.
 */
#define RUN_IN_SCRATCH "STICTION_IN_SCRATCH"

/* Behind a sentence about a simulator without an end. */
#define RUN_NEEDS_DURATION "give --set duration=SECONDS"

/* An engine runs a project, and its results take their place. `written`: they have. */
run_verdict run_into_place(place *p, const char *project_path, run_engine *engine,
                           const settings *s, bool *written);

/* report.html and the PNGs, as far as they are asked for. False after a sentence on stderr; the
 * folder has none of them then. */
bool run_write_report(const run_data *data, const settings *s, const char *folder);

run_engine run_mujoco;
run_engine run_choreonoid;
run_checker run_check_mujoco;
run_checker run_check_choreonoid;

/* From now on an interrupt, the end of the terminal or of the time of the processor stops runs
 * cleanly instead of ending the command. Another one ends it, but not in the first two seconds:
 * timeout(1) and terminals send theirs twice. Where nobody reads any more, or a file becomes too
 * large, writing fails instead of ending the command. */
void run_catch_interrupts(void);
bool run_interrupted(void);
/* In a child that becomes another program: as it was before. */
void run_release_interrupts(void);
/* In a child that runs for a parent, which ends it: on a cluster an interrupt comes to both, and a
 * run that it ended would look as if it had failed. */
void run_ignore_interrupts(void);
/* While results are written an interrupt waits. */
void run_hold_interrupts(bool on);

/* Warnings of all parts, on stderr. */
void run_log(void *user, stiction_log_level level, const char *message);

#endif
