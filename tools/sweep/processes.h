/* SPDX-License-Identifier: MIT
 * Child processes that do tasks, a few at a time. The parent sends a child its task, and the child
 * answers with one line of JSON. A child stays for further tasks, and dies with its parent; if it
 * crashes, another takes its place. Nothing here knows sweeps.
 */
#ifndef STICTION_TOOLS_SWEEP_PROCESSES_H
#define STICTION_TOOLS_SWEEP_PROCESSES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "stiction/error.h"

typedef struct processes {
    const char *what;  /* for the progress bar */
    size_t task_count; /* numbered from 0, started in this order */
    size_t at_once;
    double time_limit; /* s of a task; NaN: none */
    void *user;

    /* In the parent: returns the order for the child, which is freed. NULL: the task fails. Without
     * this function the order is empty. */
    char *(*prepare)(void *user, size_t task);
    /* In a child, first: closes what belongs to the parent. NULL: nothing to do. */
    void (*begin)(void *user);
    /* In a child: does the task. The answer is freed. Set *leaves where the process must not do
     * another task. */
    json_t *(*serve)(void *user, size_t task, const char *order, bool *leaves);
    /* In the parent: the answer, or NULL, and then `end` says how the process ended. False: the
     * task counts as failed. */
    bool (*finish)(void *user, size_t task, const json_t *answer, const char *end);
    /* In the parent: the task was killed, because the user stops. NULL: nothing to do. */
    void (*abandon)(void *user, size_t task);
    /* In the parent: whether to stop. Tasks in progress are abandoned. NULL: never. */
    bool (*is_over)(void *user);
} processes;

/* False: the user or is_over stopped it (run_catch_interrupts is the caller's). */
bool processes_run(const processes *p);

/* The number of cores that this process may use. */
size_t processes_cores(void);

/* ---- errors in answers ---- */

/* An answer with the status, place and message of an error; STICTION_OK: only the status. */
json_t *process_answer(const stiction_error *error);
/* The error of an answer; true: it is STICTION_OK. */
bool process_succeeded(const json_t *answer, stiction_error *error);

#endif
