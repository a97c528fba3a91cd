/*
 * Where results go: they are made in a scratch folder beside (.NAME.part) and take their place in
 * one rename when they are whole and on the disk. Until then what was there stays as it was. The
 * scratch folder is also the lock: one process at a time writes into a place, and what a killed one
 * left is taken over. What is not listed as ours (storage/manifest.h) is never removed.
 */
#ifndef STICTION_TOOLS_COMMON_PLACE_H
#define STICTION_TOOLS_COMMON_PLACE_H

#include <stdbool.h>

#include "command.h"
#include "storage/manifest.h"

typedef enum place_rule {
    PLACE_FREE,    /* anything in the place is a refusal */
    PLACE_REPLACE, /* results that are listed as ours are replaced; files of others stay there */
    PLACE_OWN,  /* the same, and what is in the way is no refusal: it is put aside (.NAME.kept) */
    PLACE_SHARE /* what is there stays; with place_give() */
} place_rule;

typedef struct place {
    char *target;  /* the place */
    char *scratch; /* beside it */
    char *fresh;   /* in the scratch folder: here the results are made */
    char *work;    /* the same, for what is not to stay; whoever needs it makes it */
    char *made;    /* the first of the folders above that was made for it; NULL: none was */
    place_rule rule;
    int lock; /* a file descriptor; -1: not open */
} place;

/* False: nothing was made. Close it either way. */
bool place_open(place *p, const char *folder, place_rule rule, stiction_error *error);
/* All in `fresh` is listed and takes the place. False: what was there is as it was. */
bool place_commit(place *p, stiction_error *error);
/* All in `fresh` takes the place, unlisted: it is the user's from now on. Where others have files
 * in it they come one by one, and none is replaced. False: none has come. */
bool place_give(place *p, stiction_error *error);
/* Removes the scratch folder, and folders that were made for it and have nothing in them. */
void place_close(place *p);

/* ---- files for a folder that is there ---- */

/* Waits a while for others that do the same. */
bool place_open_folder(place *p, const char *folder, stiction_error *error);
/* The files in `fresh` go into the folder and into its list. One that is in the way and not listed
 * as ours, or was changed since, is a refusal, unless `force` says that it may be replaced. */
bool place_add(place *p, bool force, stiction_error *error);

/* Removes the listed files of a folder, and the folder. False: it has other files, which stay. */
bool place_clear(const char *folder, stiction_error *error);

/* The list of a folder; without memory the command ends, since nobody knows then whose it is. */
manifest_state place_read_list(manifest *list, const char *folder);

/* Whether a file in a folder may be written: it is not there or is listed as ours, and, without
 * force, as it was written. */
bool place_may_write(const char *folder, const char *name, bool force, stiction_error *error);

/* ---- for the two above ---- */

/* What is not listed in `target` is also in `fresh` afterwards, as a link or a copy. */
bool place_carry(const place *p, stiction_error *error);
/* Removes a folder that another one replaced: what is listed in it, and what the target has, too.
 * The rest is moved there. */
bool place_dispose(const place *p, const char *folder, stiction_error *error);
/* The first entry of the target that must not be replaced, or NULL; the caller frees it. */
char *place_obstacle(const place *p);

/* Until all callers take errors: without the last argument the error is printed. */
#ifndef COMMON_WITHOUT_PRINTING
#define place_open(...) COMMON_PICK_4(__VA_ARGS__, place_open, print_place_open, 0)(__VA_ARGS__)
#define place_commit(...)                                                                          \
    COMMON_PICK_2(__VA_ARGS__, place_commit, print_place_commit, 0)(__VA_ARGS__)
#define place_give(...) COMMON_PICK_2(__VA_ARGS__, place_give, print_place_give, 0)(__VA_ARGS__)
#define place_open_folder(...)                                                                     \
    COMMON_PICK_3(__VA_ARGS__, place_open_folder, print_place_open_folder, 0)(__VA_ARGS__)
#define place_add(...)   COMMON_PICK_3(__VA_ARGS__, place_add, print_place_add, 0)(__VA_ARGS__)
#define place_clear(...) COMMON_PICK_2(__VA_ARGS__, place_clear, print_place_clear, 0)(__VA_ARGS__)
#define place_may_write(...)                                                                       \
    COMMON_PICK_4(__VA_ARGS__, place_may_write, print_place_may_write, 0)(__VA_ARGS__)
#endif
bool print_place_open(place *p, const char *folder, place_rule rule);
bool print_place_commit(place *p);
bool print_place_give(place *p);
bool print_place_open_folder(place *p, const char *folder);
bool print_place_add(place *p, bool force);
bool print_place_clear(const char *folder);
bool print_place_may_write(const char *folder, const char *name, bool force);

#endif
