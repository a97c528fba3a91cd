/* SPDX-License-Identifier: MIT */
/* Recovers the command of a controller from the effort that was found and the effort that was
 * written. */
#include "stiction/effort.h"

#include <stdbool.h>
#include <stdlib.h>

struct stiction_effort {
    size_t count;
    bool applied;    /* `written` is valid */
    double *command; /* that was found, before friction */
    double *written; /* what was left in its place */
    double numbers[];
};

stiction_effort *stiction_effort_create(size_t count) {
    if (count > ((size_t)-1 - sizeof(stiction_effort)) / (2 * sizeof(double))) return NULL;
    stiction_effort *effort = calloc(1, sizeof *effort + 2 * count * sizeof(double));
    if (!effort) return NULL;
    effort->count = count;
    effort->command = effort->numbers;
    effort->written = effort->numbers + count;
    return effort;
}

void stiction_effort_destroy(stiction_effort *effort) {
    free(effort);
}

const double *stiction_effort_command(stiction_effort *effort, const double *found) {
    if (!effort || !found) return NULL;
    for (size_t k = 0; k < effort->count; k++)
        if (!effort->applied || found[k] != effort->written[k]) effort->command[k] = found[k];
    return effort->command;
}

const double *stiction_effort_apply(stiction_effort *effort, const double *friction) {
    if (!effort || !friction) return NULL;
    for (size_t k = 0; k < effort->count; k++)
        effort->written[k] = effort->command[k] - friction[k];
    effort->applied = true;
    return effort->written;
}
