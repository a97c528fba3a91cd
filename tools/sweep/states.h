/*
 * What is known of all runs of a sweep. Every file of every run is read once, when a command
 * begins; what it writes itself it knows.
 */
#ifndef STICTION_TOOLS_SWEEP_STATES_H
#define STICTION_TOOLS_SWEEP_STATES_H

#include "sweep/store.h"

typedef struct sweep_states {
    const char *folder;
    const sweep_plan *plan;
    size_t count;
    sweep_state *states;
    char **reasons; /* why it failed, or what is damaged; NULL: nothing */
} sweep_states;

/* A folder that is not there, or NULL, has no runs. Both are the caller's and stay. */
sweep_states sweep_states_read(const char *folder, const sweep_plan *plan);
void sweep_states_free(sweep_states *s);

/* `reason` is copied; NULL: none. */
void sweep_states_set(sweep_states *s, size_t run, sweep_state state, const char *reason);

size_t sweep_states_count(const sweep_states *s, sweep_state state);

/* A sentence on stderr for every run that is damaged, which `then` ends, up to a number of them.
 * How many there are. */
size_t sweep_states_tell_damage(const sweep_states *s, const char *then);

#endif
