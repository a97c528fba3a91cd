/*
 * A progress bar on stderr: only on a terminal, only when it takes long.
 */
#ifndef STICTION_TOOLS_COMMON_PROGRESS_H
#define STICTION_TOOLS_COMMON_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    const char *what;
    double total;          /* 0: not known */
    double started, shown; /* s */
    bool wanted, visible;
} progress;

/* `results` says that the results come on stdout: on the same terminal a bar would be in the way.
 */
progress progress_begin(const char *what, double total, bool results);
/* How much of the total is done. `note` follows the bar; where no total is known there is no bar,
 * but the note and how long it has taken. */
void progress_update(progress *p, double done, const char *note);
void progress_end(progress *p);

#endif
