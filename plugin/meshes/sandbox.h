/* SPDX-License-Identifier: MIT
 * Work on untrusted data in a process of its own, with limits of time and memory: whatever happens
 * there becomes an error message here.
 */
#ifndef STICTION_MESHES_SANDBOX_H
#define STICTION_MESHES_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct sandbox_limits {
    int seconds;     /* of processor time */
    int all_seconds; /* of processor time, for all files of a project or robot together */
    int patience;    /* s of real time: far more, since other processes need the processor too */
    size_t memory;   /* bytes beyond what the process has at its start */
    bool (*is_stopped)(void); /* called while waiting: true ends the work; may be NULL */
} sandbox_limits;

/* For meshes and MJCF files. An untrusted project has a tenth of the time. */
sandbox_limits sandbox_limits_of(bool untrusted, bool (*is_stopped)(void));

enum { SANDBOX_PROBLEM = 160 };

typedef struct sandbox {
    pid_t process;
    int pipe;
    double deadline; /* s, by a clock that never steps */
    sandbox_limits limits;
    double used;                   /* s of processor time, once it has ended */
    bool stopped;                  /* by is_stopped */
    char problem[SANDBOX_PROBLEM]; /* why nothing (more) can be read; "": nothing is wrong */
} sandbox;

/* Starts work(context, out), which writes its result to `out`. Always ended by sandbox_end. */
void sandbox_start(sandbox *box, const sandbox_limits *limits, void work(void *context, int out),
                   void *context);
/* The next bytes of the result. False: see box->problem. */
bool sandbox_read(sandbox *box, void *bytes, size_t size);
void sandbox_end(sandbox *box);

/* Called by the work: from now on it can open no file. */
void sandbox_open_no_more(void);

/* Called by the work: writes all bytes, or ends the process. */
void sandbox_write(int out, const void *bytes, size_t size);

#endif
