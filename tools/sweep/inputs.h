/* SPDX-License-Identifier: MIT
 * The files that the runs of a sweep read: projects, bodies, meshes, configurations, motions,
 * controllers. Their hashes are in the database, so that a sweep that continues, and shards that
 * are merged, used the same files. The check before the first run (precheck.c) finds them.
 */
#ifndef STICTION_TOOLS_SWEEP_INPUTS_H
#define STICTION_TOOLS_SWEEP_INPUTS_H

#include <sys/stat.h>

#include "sweep/runner.h"

typedef struct sweep_input {
    char *name; /* path from the folder of the sweep file on */
    char *path;
    char digest[MANIFEST_DIGEST_SIZE];
    struct stat status; /* when it was hashed */
} sweep_input;

typedef struct sweep_inputs {
    char *folder; /* of the sweep file */
    sweep_input *files;
    size_t count;
} sweep_inputs;

/* Compares the files with those that complete runs read. A difference is an error, unless `accept`.
 * Free it either way. */
bool sweep_inputs_check(sweep_inputs *inputs, const sweep_runner *r, bool accept,
                        stiction_error *error);
void sweep_inputs_free(sweep_inputs *inputs);
/* A file that a run reads; one that cannot be read is left out. */
void sweep_inputs_add(sweep_inputs *inputs, const char *path);
/* Whether all files are unchanged since they were added. */
bool sweep_inputs_hold(sweep_inputs *inputs, stiction_error *error);
/* Writes them into the database of a store that was taken. */
bool sweep_inputs_record(const sweep_inputs *inputs, sweep_store *store, stiction_error *error);

/* ---- precheck.c ---- */

/* Whether the runs of a sweep can start, before the first of them does: the project, the bodies,
 * the configuration and the settings of each are read as `stiction run` reads them. It adds the
 * files that they read to the inputs, and writes nothing. False: some runs cannot start, and
 * *errors has an error for every reason, with the place in the sweep file; or the user stopped it.
 */
bool sweep_precheck(const sweep_runner *r, sweep_inputs *inputs, stiction_errors *errors);

#endif
