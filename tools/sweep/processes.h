/*
 * Child processes, a few at a time: they die with their parent, and a crash of one is a sentence.
 * It knows nothing of sweeps.
 */
#ifndef STICTION_TOOLS_SWEEP_PROCESSES_H
#define STICTION_TOOLS_SWEEP_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct processes {
    const char *what;  /* for the progress bar */
    size_t task_count; /* they count from 0 and are begun in this order */
    size_t at_once;
    double time_limit; /* s of a task; NaN: none */
    void *user;

    /* In the parent: makes ready; a file for stderr of the child, which is closed (STDERR_FILENO:
     * ours). -1: it cannot be done, and whoever is to know was told. */
    int (*prepare)(void *user, size_t task);
    /* In the child, which ends with what this returns. */
    int (*run)(void *user, size_t task);
    /* In the parent: it ended, `failure` says how where it was not with 0. False: it counts as
     * failed. */
    bool (*finish)(void *user, size_t task, const char *failure);
    /* In the parent: it was killed since the user wants to stop. */
    void (*abandon)(void *user, size_t task);
    /* In the parent: whether there is no sense in going on; NULL: never. Those that run are then
     * abandoned. */
    bool (*is_hopeless)(void *user);
} processes;

/* False: the user or is_hopeless stopped it (run_catch_interrupts is the caller's). */
bool processes_run(const processes *p);

/* As many as the cores that we may use. */
size_t processes_cores(void);

#endif
