/* SPDX-License-Identifier: MIT
 * Progress of long operations on stderr: a bar on a terminal, else, as in the log of a job, a line
 * now and then.
 */
#ifndef STICTION_TOOLS_COMMON_PROGRESS_H
#define STICTION_TOOLS_COMMON_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The environment variable with the least number of seconds between two lines of a log, 30 by
 * default; the first line comes after a sixth of it. 0: no lines.
 */
#define PROGRESS_INTERVAL "STICTION_PROGRESS_INTERVAL"

typedef struct progress {
    const char *what;
    double total;          /* 0: not known */
    double started, shown; /* s */
    double interval;       /* s between two lines of a log; 0: no lines */
    double part;           /* of the total, when the last line was printed */
    bool wanted, visible;
    bool counts;  /* progress is a number of items: a rate is printed */
    bool printed; /* the last state is in the log */
    double done;  /* the last state */
    char note[100];
} progress;

/* `results`: the results go to stdout, where a bar on the same terminal would be in the way. */
progress progress_begin(const char *what, double total, bool results);
/* How much of the total is done. `note` follows the bar; where no total is known there is no bar,
 * but the note and how long it has taken. */
void progress_update(progress *p, double done, const char *note);
/* The same for items, some of which may fail. `more` is appended to the note; "" for nothing. */
void progress_count(progress *p, size_t done, size_t failed, const char *more);
void progress_end(progress *p);

/* "45 s", "12 min", "3 h 20 min"; the caller frees it. */
char *duration_text(double seconds);

#endif
