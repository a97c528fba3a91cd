/* SPDX-License-Identifier: MIT
 * Progress on stderr, when it takes long: a bar on a terminal; elsewhere, in the log of a job, a
 * line now and then that a person can read.
 */
#ifndef STICTION_TOOLS_COMMON_PROGRESS_H
#define STICTION_TOOLS_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The environment variable that says how many seconds at least are between two lines of a log, and
 * before the first of them a sixth of that; 0: there are none. Without it 30.
 */
#define PROGRESS_INTERVAL "STICTION_PROGRESS_INTERVAL"

typedef struct progress {
    const char *what;
    double total;          /* 0: not known */
    double started, shown; /* s */
    double interval;       /* s between two lines of a log; 0: none are wanted */
    double part;           /* of the total, when the last line was printed */
    bool wanted, visible;
    bool counts; /* what is done are things, so many a second */
    bool told;   /* the last state is in the log */
    double done; /* the last state */
    char note[100];
} progress;

/* `results` says that the results come on stdout: on the same terminal a bar would be in the way.
 */
progress progress_begin(const char *what, double total, bool results);
/* How much of the total is done. `note` follows the bar; where no total is known there is no bar,
 * but the note and how long it has taken. */
void progress_update(progress *p, double done, const char *note);
/* The same for things that end one by one, some of which fail; `more` follows, "" for nothing. */
void progress_count(progress *p, size_t done, size_t failed, const char *more);
void progress_end(progress *p);

/* ---- for other programs ---- */

typedef struct progress_state {
    size_t done, failed, total;
} progress_state;

/* From now on what progress_count tells of `what` is written into a file as well, the caller's
 * texts. A file that cannot be written is none. */
void progress_write_to(const char *path, const char *what);
/* False: there is no such file. */
bool progress_read(const char *path, progress_state *state);

/* "45 s", "12 min", "3 h 20 min"; the caller frees it. */
char *duration_text(double seconds);

#endif
