/* SPDX-License-Identifier: MIT
 * The list of the files that were written into a folder, with their checksums: SHA256SUMS in the
 * format of sha256sum(1), so that `sha256sum -c SHA256SUMS` checks the folder. Its first line says
 * whose it is and checks the list itself. Files in the list are ours, all others in the folder are
 * not.
 */
#ifndef STICTION_STORAGE_MANIFEST_H
#define STICTION_STORAGE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

#define MANIFEST_NAME "SHA256SUMS"

enum { MANIFEST_DIGEST_SIZE = 65 };

typedef struct manifest_entry {
    char *name; /* "video/frame_00000.png": a path below the folder */
    char digest[MANIFEST_DIGEST_SIZE];
} manifest_entry;

typedef struct manifest {
    manifest_entry *entries; /* in the order of their names */
    size_t count;
} manifest;

typedef enum manifest_state {
    MANIFEST_FINE,
    MANIFEST_ABSENT,
    MANIFEST_DAMAGED, /* or not ours */
    MANIFEST_UNREAD   /* errno says why */
} manifest_state;

/* Free it in every case. */
manifest_state manifest_read(manifest *m, const char *folder);
void manifest_free(manifest *m);

/* NULL: it is not listed. */
const manifest_entry *manifest_find(const manifest *m, const char *name);
bool manifest_has(const manifest *m, const char *name);
/* Whether some file in a folder is listed. */
bool manifest_has_below(const manifest *m, const char *folder_name);

/* A file of the folder, as it is now. False: errno says why. */
bool manifest_add(manifest *m, const char *folder, const char *name);
/* What is listed there as it is listed there. False: no memory. */
bool manifest_add_entry(manifest *m, const manifest_entry *entry);
void manifest_drop(manifest *m, const char *name);
/* Every file in a folder and in folders in it, but for the list. False: errno says why. */
bool manifest_add_all(manifest *m, const char *folder);
/* The same, but those that another list has are taken from it, unread: their sums were made when
 * they were written. */
bool manifest_add_rest(manifest *m, const char *folder, const manifest *known);

/* Writes the list as a whole; a list without entries is removed. False: errno says
 * why. */
bool manifest_write(const manifest *m, const char *folder);

/* The first file that is not as listed, or NULL. `reason` gets "is missing" and the like. errno
 * says why if it "cannot be read", with ENOMEM it may well be as listed; else it is 0. */
const char *manifest_check(const manifest *m, const char *folder, const char **reason);
/* Whether a file is as an entry says; errno as above. */
bool manifest_entry_holds(const manifest_entry *entry, const char *folder);

STICTION_END_C

#endif
