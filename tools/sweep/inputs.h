/*
 * The files that the runs of a sweep read: projects, bodies, meshes, configurations, motions,
 * controllers, with what they include. Their checksums stand in the database, so that a sweep that
 * goes on, or shards that are merged, are of the same files, or say which are not. The files of a
 * sweep count as generations: a new one begins where changes were accepted.
 */
#ifndef STICTION_TOOLS_SWEEP_INPUTS_H
#define STICTION_TOOLS_SWEEP_INPUTS_H

#include "sweep/runner.h"

/* A file as it was when its checksum was made. */
typedef struct watched_input watched_input;

typedef struct sweep_inputs {
    manifest now;      /* by their paths from the folder of the sweep file on */
    size_t generation; /* of new runs */
    watched_input *watched;
    size_t watched_count;
    bool have_changed; /* which was told */
} sweep_inputs;

/*
 * Reads the files as the runs do and compares them with those that complete runs were done with;
 * writes nothing. False after a sentence on stderr for each that is another, unless `accept` says
 * that it is fine. Free it either way.
 */
bool sweep_inputs_check(sweep_inputs *inputs, const sweep_runner *r, bool accept);
void sweep_inputs_free(sweep_inputs *inputs);
/* Whether all are still as they were found; what a run that ends by then has read. False after a
 * sentence on stderr, for good. */
bool sweep_inputs_hold(sweep_inputs *inputs);
/* Into the database of a store that was taken: new runs were done with them. */
bool sweep_inputs_record(const sweep_inputs *inputs, sweep_store *store);

/* ---- for shards ---- */

/* Whether two lists have other checksums for a file; a sentence for each on stderr, where `first`
 * (NULL: none) and `second` are the folders whose they are. */
bool sweep_inputs_differ(const manifest *a, const char *first, const manifest *b,
                         const char *second);
/* The generation of a store that a list belongs to, which is made where there is none; 0 after a
 * sentence on stderr. */
size_t sweep_inputs_take_over(sweep_store *store, const manifest *list);

#endif
