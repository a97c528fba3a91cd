/*
 * What is known of all runs of a sweep, when a command begins: by the rows of its database, and of
 * those whose series are kept by the stamps of their folders. A folder whose stamp is another one,
 * or which has no row, is read, every file of it. What the command writes itself it knows.
 */
#ifndef STICTION_TOOLS_SWEEP_STATES_H
#define STICTION_TOOLS_SWEEP_STATES_H

#include "sweep/store.h"

/* What the database does not know yet of a run. */
typedef enum sweep_news {
    SWEEP_NO_NEWS,
    SWEEP_NEW_ROW,   /* a folder without a row, or one that has changed */
    SWEEP_NEW_STAMP, /* its files are as they were written, but were touched */
    SWEEP_NEW_RUN,   /* a folder that went well beside the row of a failure: the run was repeated,
                        and its sweep killed before the row */
    SWEEP_GONE       /* a row whose folder is not there, or damaged */
} sweep_news;

typedef struct sweep_states {
    const char *folder;
    const sweep_plan *plan;
    size_t count;
    sweep_state *states;
    char **reasons;      /* why it failed, or what is damaged; NULL: nothing */
    unsigned char *news; /* sweep_news */
    bool unread;         /* the database cannot be read, which was told */
    records *records;    /* for sweep_states_grow; NULL: not open */
} sweep_states;

/* A folder that is not there, or NULL, has no runs. Both are the caller's and stay. */
sweep_states sweep_states_read(const char *folder, const sweep_plan *plan);
void sweep_states_free(sweep_states *s);

/* The plan has more runs than before, which are looked for; those that are damaged are told. */
void sweep_states_grow(sweep_states *s);

/* `reason` is copied; NULL: none. */
void sweep_states_set(sweep_states *s, size_t run, sweep_state state, const char *reason);

size_t sweep_states_count(const sweep_states *s, sweep_state state);

/* The news go into the database of the store, which was taken. False after a sentence on stderr. */
bool sweep_states_record(sweep_states *s, sweep_store *store);
/* Rows are on the disk; runs whose rows were lost are absent. False after a sentence on stderr. */
bool sweep_states_settle(sweep_states *s, sweep_store *store);

/* What becomes of a run that is damaged where runs are done. */
#define SWEEP_NOT_COMPLETE "; it does not count as complete"

/* A sentence on stderr for every run that is damaged, which `then` ends, up to a number of them.
 * How many there are. */
size_t sweep_states_tell_damage(const sweep_states *s, const char *then);

#endif
