/* SPDX-License-Identifier: MIT
 * Where results go. They are made in a scratch folder beside their place (.NAME.part) and take it
 * in one rename when they are complete; until then the place is unchanged. The scratch
 * folder holds the lock: one process at a time writes into a place, and the next one recovers what
 * a killed one left. Only files that are listed (manifest.h) are ever removed.
 */
#ifndef STICTION_STORAGE_PLACE_H
#define STICTION_STORAGE_PLACE_H

#include <stdbool.h>

#include "manifest.h"
#include "stiction/error.h"

STICTION_BEGIN_C

typedef enum place_rule {
    PLACE_FREE,    /* refused if the folder is not empty */
    PLACE_REPLACE, /* listed results are replaced; other files stay in the folder */
    PLACE_OWN      /* the same where the list is damaged: files of the new names are replaced */
} place_rule;

/* What the scratch folder has in it. */
enum {
    PLACE_LOCK,
    PLACE_FRESH,
    PLACE_WORK,
    PLACE_OLD, /* replaced results, until their files are removed */
    PLACE_NAMES
};

typedef struct place {
    char *target;             /* the place */
    char *scratch;            /* beside it */
    char *names[PLACE_NAMES]; /* paths in it */
    const char *fresh;        /* of these: the results are made here */
    const char *work;         /* for temporary files; the user makes it */
    char *made; /* the first of the parent folders that was made for it; NULL: none was */
    place_rule rule;
    int lock; /* a file descriptor; -1: not open */
} place;

/* False: nothing was made. Close it in either case. */
bool place_open(place *p, const char *folder, place_rule rule, stiction_error *error);
/* Lists all files in `fresh`, which takes the place. False: the place is unchanged. */
bool place_commit(place *p, stiction_error *error);
/* Removes the scratch folder, and the parent folders that were made and are empty. */
void place_close(place *p);

/* Opens a folder that exists, to add files to it. Waits up to ten seconds for other processes. */
bool place_open_folder(place *p, const char *folder, stiction_error *error);
/* The files in `fresh` go into the folder and into its list. A file in the way that is not listed,
 * or was changed since, is refused, unless `force`. */
bool place_add(place *p, bool force, stiction_error *error);

/* Whether a file may be written: it does not exist, or is listed and, without `force`, unchanged.
 */
bool place_may_write(const char *folder, const char *name, bool force, stiction_error *error);

/* Removes the listed files of a folder, and the folder. False: it has other files, which stay. */
bool place_clear(const char *folder, stiction_error *error);

STICTION_END_C

#endif
