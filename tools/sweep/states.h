/* SPDX-License-Identifier: MIT
 * The states of all runs of a sweep when a command starts: from the rows of its database and, for
 * runs whose series are kept, from the hashes of the files in their folders.
 */
#ifndef STICTION_TOOLS_SWEEP_STATES_H
#define STICTION_TOOLS_SWEEP_STATES_H

#include "sweep/store.h"

typedef struct sweep_states {
    const char *folder;
    const sweep_plan *plan;
    size_t count;
    sweep_state *states;
    char **reasons; /* why it failed, or what is damaged; NULL: none */
    bool *rowless;  /* a complete folder without a row in the database */
} sweep_states;

/* `rows` NULL: there is no database. `folder` NULL: there are no runs. The arguments are not
 * copied. Free it either way. */
bool sweep_states_read(sweep_states *s, const char *folder, const sweep_plan *plan, records *rows,
                       stiction_error *error);
/* The same of a folder that this command does not write; the database is opened and closed. */
bool sweep_states_read_folder(sweep_states *s, const char *folder, const sweep_plan *plan,
                              stiction_error *error);
void sweep_states_free(sweep_states *s);

/* Reads the states of runs that were added to the plan. */
bool sweep_states_grow(sweep_states *s, records *rows, stiction_error *error);
/* `reason` is copied. */
void sweep_states_set(sweep_states *s, size_t run, sweep_state state, const char *reason);
size_t sweep_states_count(const sweep_states *s, sweep_state state);

#define SWEEP_NOT_COMPLETE "; it does not count as complete"

/* Writes the rows that complete folders lack. */
bool sweep_states_adopt(sweep_states *s, sweep_store *store, stiction_error *error);

/* Prints a line on stderr for each damaged run from `first` on, up to a number of them; `then` ends
 * the line. Returns how many there are. */
size_t sweep_states_print_damage(const sweep_states *s, size_t first, const char *then);

#endif
