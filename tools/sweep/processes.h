/*
 * Child processes, a few at a time: they die with their parent, and a crash of one is a sentence. A
 * child may stay for the next task, which then finds what the one before has read. It knows nothing
 * of sweeps.
 */
#ifndef STICTION_TOOLS_SWEEP_PROCESSES_H
#define STICTION_TOOLS_SWEEP_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

/* What a child gets. Start from PROCESS_TASK. */
typedef struct process_task {
    int messages; /* for its stderr, which is closed here; STDERR_FILENO: ours */
    int answer;   /* a file for what it has to say, likewise; -1: none */
    char *order;  /* what a child that stays is told, which is freed; NULL: it is one of its own */
} process_task;
#define PROCESS_TASK ((process_task){.messages = -1, .answer = -1, .order = NULL})

/* In a child that stays: whether it goes on to the next task, or another takes its place. */
typedef enum process_verdict { PROCESS_STAYS, PROCESS_LEAVES } process_verdict;

typedef struct processes {
    const char *what;  /* for the progress bar */
    size_t task_count; /* they count from 0 and are begun in this order */
    size_t at_once;
    double time_limit; /* s of a task; NaN: none */
    void *user;

    /* In the parent: makes ready. False: it cannot be done, and whoever is to know was told. */
    bool (*prepare)(void *user, size_t task, process_task *t);
    /* In a child, first: lets go what is the parent's. NULL: nothing is. */
    void (*begin)(void *user);
    /* In a child of its own, which ends with what this returns. */
    int (*run)(void *user, size_t task);
    /* In a child that stays; *code is as its exit code would be. NULL: none stays. */
    process_verdict (*serve)(void *user, size_t task, const char *order, int answer, int *code);
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

/* Whether children may stay for more than one task: not where the time of a processor is limited,
 * which is a limit of a process. */
bool processes_may_stay(void);

/* As many as the cores that we may use. */
size_t processes_cores(void);

#endif
