/* SPDX-License-Identifier: MIT
 * The lock, the scratch folder and the rename.
 */
#define _GNU_SOURCE /* asprintf */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "document/auto.h"
#include "document/fail.h"
#include "folders.h"

static const char *const scratch_names[PLACE_NAMES] = {
    [PLACE_LOCK] = "lock", [PLACE_FRESH] = "new", [PLACE_WORK] = "work", [PLACE_OLD] = "old"};

__attribute__((format(printf, 2, 3))) static bool refuse(stiction_error *error, const char *format,
                                                         ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)stiction_fail_list(error, STICTION_INVALID_ARGUMENT, (stiction_place){0}, format,
                             arguments);
    va_end(arguments);
    return false;
}

static bool refuse_errno(stiction_error *error, const char *path) {
    return refuse(error, "%s: %s", path, strerror(errno));
}

static bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool is_absent(void) {
    return errno == ENOENT || errno == ENOTDIR;
}

/* ---- the lock ---- */

/* How often a lock is tried, every 20 ms: processes of a killed run need a moment to end, and so
 * does a process that adds files. */
enum { tries_of_a_run = 5, tries_of_a_file = 500 };

/* The lock is a file in the scratch folder, since NFS locks no folders. The process that had it
 * before may remove both at any moment. */
static bool take_lock(place *p, int tries, stiction_error *error) {
    const struct timespec moment = {0, 20000000};
    const char *lock = p->names[PLACE_LOCK];
    struct stat status;
    for (int k = 0; k < tries; k++) {
        if (k) (void)nanosleep(&moment, NULL);
        const bool is_new = mkdir(p->scratch, 0777) == 0;
        if (!is_new && errno != EEXIST) return refuse_errno(error, p->scratch);
        if (lstat(p->scratch, &status) == 0 && !S_ISDIR(status.st_mode)) {
            errno = ENOTDIR;
            return refuse_errno(error, p->scratch);
        }
        /* a folder with files but without a lock is the user's; that of another process has its
         * lock by now */
        if (!is_new && !exists(lock) && rmdir(p->scratch) != 0 && errno != ENOENT && !exists(lock))
            return refuse(error, "%s is in the way: it was not made by stiction; move it away",
                          p->scratch);
        p->lock = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (p->lock < 0 && errno != ENOENT) return refuse_errno(error, p->scratch);
        if (p->lock < 0) continue;
        if (flock(p->lock, LOCK_EX | LOCK_NB) == 0 && storage_is_at(p->lock, lock)) return true;
        (void)close(p->lock);
        p->lock = -1;
    }
    return refuse(error,
                  "another process writes into %s at this moment; wait for it, or give another "
                  "--out",
                  p->target);
}

/* ---- files of ours and of others ---- */

/* A visit of a folder with its list. */
typedef struct visit {
    const place *place;
    const char *folder;
    manifest list;
    bool listed; /* the folder has a list */
    stiction_error *error;
    char *found; /* the first file that is in the way; the caller frees it */
} visit;

static bool visit_begin(visit *v, const place *p, const char *folder, stiction_error *error) {
    *v = (visit){.place = p, .folder = folder, .error = error};
    const manifest_state state = manifest_read(&v->list, folder);
    v->listed = state == MANIFEST_FINE;
    return state != MANIFEST_UNREAD ||
           refuse(error, "%s/" MANIFEST_NAME ": %s", folder, strerror(errno));
}

/* The name of a file in the list, "video/frame_00000.png". */
static const char *name_in(const visit *v, const char *path) {
    return path + strlen(v->folder) + 1;
}

static bool is_listed(const visit *v, const char *name) {
    return manifest_has(&v->list, name) || (v->listed && strcmp(name, MANIFEST_NAME) == 0);
}

/* Stops at a file of the user with the name of a new one. */
static bool is_no_obstacle(void *user, const char *path) {
    visit *v = user;
    const char *name = name_in(v, path);
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && manifest_has_below(&v->list, name))
        return storage_visit(path, is_no_obstacle, v);
    AUTO_FREE char *fresh = storage_join(v->place->fresh, name);
    if (fresh && (is_listed(v, name) || !exists(fresh))) return true;
    v->found = strdup(name);
    return false;
}

/* The first file in the target that must not be replaced, which the caller frees. */
static char *find_obstacle(const place *p) {
    visit v;
    stiction_error error;
    const bool read = visit_begin(&v, p, p->target, &error);
    if (!read || (exists(p->target) && !storage_visit(p->target, is_no_obstacle, &v)))
        if (!v.found) v.found = strdup(MANIFEST_NAME);
    manifest_free(&v.list);
    return v.found;
}

static bool take_first(void *user, const char *path) {
    char **first = user;
    const char *name = strrchr(path, '/') + 1;
    if (*first && strcmp(name, *first) >= 0) return true;
    free(*first);
    *first = strdup(name);
    return true;
}

/* The first entry of the target by name, which the caller frees; NULL: it is empty or absent. */
static char *find_entry(const place *p) {
    char *first = NULL;
    (void)storage_visit(p->target, take_first, &first);
    return first;
}

/* Moves a file or folder of the user from replaced results to the same name in the target. */
static bool move_to_target(const visit *v, const char *from) {
    struct stat status;
    AUTO_FREE char *to = storage_join(v->place->target, name_in(v, from));
    if (!to || lstat(from, &status) != 0) return refuse_errno(v->error, v->folder);
    for (char *slash = strchr(to + strlen(v->place->target) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(to, 0777);
        *slash = '/';
    }
    if (exists(to)) {
        /* without a list, what has the name of a result was one */
        if (!v->listed) return unlink(from) == 0 || (storage_remove_folder(from), true);
        return refuse(v->error,
                      "%s was not written by stiction and is left over from what was in %s; "
                      "move it away",
                      from, v->place->target);
    }
    /* a folder that is moved must be writable */
    const bool closed = S_ISDIR(status.st_mode) && access(from, W_OK) != 0;
    if (closed) (void)chmod(from, status.st_mode | S_IRWXU);
    const bool moved = rename(from, to) == 0;
    if (closed) (void)chmod(moved ? to : from, status.st_mode & 07777);
    return moved || refuse_errno(v->error, to);
}

/* Removes a listed file of replaced results, and keeps others. */
static bool dispose_one(void *user, const char *path) {
    visit *v = user;
    const char *name = name_in(v, path);
    struct stat status;
    if (lstat(path, &status) != 0) return refuse_errno(v->error, path);
    if (S_ISDIR(status.st_mode) && manifest_has_below(&v->list, name)) {
        if (!storage_visit(path, dispose_one, v)) return false;
        (void)rmdir(path);
        return true;
    }
    if (!is_listed(v, name)) return v->place ? move_to_target(v, path) : true;
    if (strcmp(name, MANIFEST_NAME) == 0) return true; /* the last */
    return unlink(path) == 0 || refuse_errno(v->error, path);
}

/* The list is removed last: until then it says whose the files are. Without a place other files
 * stay. */
static bool dispose(const place *p, const char *folder, stiction_error *error) {
    visit v;
    if (!exists(folder)) return is_absent() || refuse_errno(error, folder);
    *error = (stiction_error){0};
    bool fine = visit_begin(&v, p, folder, error);
    if (fine && !storage_visit(folder, dispose_one, &v)) {
        fine = false;
        if (!error->message[0]) (void)refuse_errno(error, folder);
    }
    AUTO_FREE char *list = fine && v.listed ? storage_join(folder, MANIFEST_NAME) : NULL;
    if (list) (void)unlink(list);
    manifest_free(&v.list);
    (void)rmdir(folder);
    return fine;
}

bool place_clear(const char *folder, stiction_error *error) {
    if (!dispose(NULL, folder, error)) return false;
    return !exists(folder) ||
           refuse(error,
                  "%s has files in it that are not listed as written by stiction (in "
                  "its " MANIFEST_NAME "); they are left there",
                  folder);
}

/* ---- recovery ---- */

/* Repairs what a killed process left: it died before or after new results took the place. */
static bool recover(const place *p, stiction_error *error) {
    const char *old = p->names[PLACE_OLD];
    if (exists(old) && !exists(p->target) && rename(old, p->target) != 0)
        return refuse_errno(error, p->target);
    if (!dispose(p, old, error)) return false;
    storage_remove_folder(p->fresh); /* of a run that did not end */
    storage_remove_folder(p->work);
    return true;
}

/* ---- opening and closing ---- */

/* Without slashes at the end; "." and the like have no name to put something beside. NULL: no
 * memory. */
static char *name_target(const char *folder) {
    char *path = strdup(folder);
    for (size_t n = path ? strlen(path) : 0; n > 1 && path[n - 1] == '/'; n--) path[n - 1] = '\0';
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    if (!path || (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)) return path;
    char *real = realpath(path, NULL);
    if (!real) return path;
    free(path);
    return real;
}

/* The folder above, of any path, which the caller frees; NULL: no memory. */
static char *above(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash > path ? strndup(path, (size_t)(slash - path)) : strdup(slash ? "/" : ".");
}

/* Takes the name of the scratch folder. */
static bool set_scratch(place *p, char *scratch, stiction_error *error) {
    free(p->scratch);
    p->scratch = scratch;
    bool fine = scratch != NULL;
    for (int k = 0; k < PLACE_NAMES; k++) {
        free(p->names[k]);
        p->names[k] = scratch ? storage_join(scratch, scratch_names[k]) : NULL;
        fine = fine && p->names[k];
    }
    p->fresh = p->names[PLACE_FRESH];
    p->work = p->names[PLACE_WORK];
    if (!fine) (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    return fine;
}

static bool begin(place *p, const char *folder, place_rule rule, stiction_error *error) {
    *p = (place){.target = name_target(folder), .rule = rule, .lock = -1};
    return set_scratch(p, p->target ? storage_beside(p->target, "part") : NULL, error);
}

static bool is_free_or_folder(const place *p, stiction_error *error) {
    struct stat status;
    if (lstat(p->target, &status) != 0)
        return errno == ENOENT ||
               refuse(error, "cannot make the folder %s: %s", p->target, strerror(errno));
    if (S_ISLNK(status.st_mode))
        return refuse(error,
                      "%s is a symbolic link, through which nothing is written; give another --out",
                      p->target);
    return S_ISDIR(status.st_mode) || refuse(error, "%s exists and is not a directory", p->target);
}

static bool check_target(const place *p, stiction_error *error) {
    AUTO_FREE char *entry = find_entry(p);
    if (!entry || p->rule == PLACE_OWN) return true;
    AUTO(manifest_free) manifest list;
    const bool listed = manifest_read(&list, p->target) == MANIFEST_FINE;
    if (listed && p->rule == PLACE_REPLACE) return true;
    return listed ? refuse(error,
                           "%s has results already; give --force to replace them, or another --out",
                           p->target)
                  : refuse(error,
                           "%s has '%s' in it, which is not listed as written by stiction (in "
                           "its " MANIFEST_NAME "); move it away, or give another --out",
                           p->target, entry);
}

static bool make_fresh(const place *p, stiction_error *error) {
    return mkdir(p->fresh, 0777) == 0 || refuse_errno(error, p->fresh);
}

bool place_open(place *p, const char *folder, place_rule rule, stiction_error *error) {
    bool fine = begin(p, folder, rule, error) && is_free_or_folder(p, error);
    AUTO_FREE char *parent = fine ? above(p->target) : NULL;
    fine = fine && (parent || refuse_errno(error, p->target)) &&
           storage_make_folders(parent, &p->made, error) && take_lock(p, tries_of_a_run, error) &&
           recover(p, error) && check_target(p, error) && make_fresh(p, error);
    if (!fine) place_close(p);
    return fine;
}

bool place_open_folder(place *p, const char *folder, stiction_error *error) {
    struct stat status;
    bool fine = begin(p, folder, PLACE_OWN, error);
    if (fine && (stat(p->target, &status) != 0 || !S_ISDIR(status.st_mode)))
        fine = refuse(error, "%s: there is no such folder", p->target);
    fine =
        fine && take_lock(p, tries_of_a_file, error) && recover(p, error) && make_fresh(p, error);
    if (!fine) place_close(p);
    return fine;
}

/* Removes the folders that were made, the innermost first. */
static void remove_made(const place *p) {
    AUTO_FREE char *folder = p->made ? above(p->target) : NULL;
    while (folder && rmdir(folder) == 0 && strcmp(folder, p->made) != 0) {
        char *next = above(folder);
        free(folder);
        folder = next;
    }
}

/* What could not be removed waits for the next process, which knows it by the lock. */
void place_close(place *p) {
    if (p->lock >= 0) {
        storage_remove_folder(p->fresh);
        storage_remove_folder(p->work);
        bool empty = true;
        for (int k = 0; k < PLACE_NAMES; k++)
            if (k != PLACE_LOCK && (exists(p->names[k]) || !is_absent())) empty = false;
        if (empty) (void)unlink(p->names[PLACE_LOCK]);
        (void)rmdir(p->scratch);
        (void)close(p->lock);
    }
    if (p->target) remove_made(p);
    free(p->target);
    free(p->scratch);
    for (int k = 0; k < PLACE_NAMES; k++) free(p->names[k]);
    free(p->made);
    *p = (place){.lock = -1};
}

/* ---- taking the place ---- */

/* Checksums that the run has listed already are taken over. */
static bool list_fresh(const place *p, stiction_error *error) {
    AUTO(manifest_free) manifest list = {.entries = NULL}, known;
    (void)manifest_read(&known, p->fresh);
    return (manifest_add_rest(&list, p->fresh, &known) && manifest_write(&list, p->fresh)) ||
           refuse_errno(error, p->fresh);
}

/* Something else is in the place: what was computed is kept beside it, as "NAME-2" and so on. */
static bool move_aside(const place *p, const char *obstacle, stiction_error *error) {
    enum { most_names = 1000 };
    for (int number = 2; number < most_names; number++) {
        AUTO_FREE char *other = NULL;
        if (asprintf(&other, "%s-%d", p->target, number) < 0) break;
        if (rename(p->fresh, other) == 0)
            return refuse(error,
                          "%s has '%s' in it, which is not in its " MANIFEST_NAME
                          "; the results are in %s",
                          p->target, obstacle, other);
    }
    return refuse_errno(error, p->target);
}

static bool replace(const place *p, stiction_error *error) {
    struct stat status;
    stiction_error later;
    if (stat(p->target, &status) == 0) (void)chmod(p->fresh, status.st_mode & 07777);
    if (rename(p->target, p->names[PLACE_OLD]) != 0)
        return refuse(error, "%s cannot be replaced: %s", p->target, strerror(errno));
    if (rename(p->fresh, p->target) != 0) {
        (void)refuse(error, "%s cannot be replaced: %s", p->target, strerror(errno));
        (void)rename(p->names[PLACE_OLD], p->target);
        return false;
    }
    /* what cannot be moved or removed now waits for the next run */
    (void)dispose(p, p->names[PLACE_OLD], &later);
    return true;
}

bool place_commit(place *p, stiction_error *error) {
    if (!list_fresh(p, error)) return false;
    /* where nothing is, or an empty folder */
    if (rename(p->fresh, p->target) == 0) return true;
    if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR)
        return refuse(error, "%s cannot be made: %s", p->target, strerror(errno));
    AUTO_FREE char *obstacle = p->rule == PLACE_FREE      ? find_entry(p)
                               : p->rule == PLACE_REPLACE ? find_obstacle(p)
                                                          : NULL;
    return obstacle || p->rule == PLACE_FREE
               ? move_aside(p, obstacle ? obstacle : "another file", error)
               : replace(p, error);
}

/* ---- adding ---- */

/* Whether a file may be written: it does not exist, or is as listed. */
static bool is_free(const char *folder, const char *name, const manifest *list,
                    stiction_error *error) {
    AUTO_FREE char *path = storage_join(folder, name);
    const manifest_entry *entry = manifest_find(list, name);
    if (!path) return refuse_errno(error, folder);
    if (!exists(path) && errno == ENOENT) return true;
    if (!entry)
        return refuse(error,
                      "%s exists and is not listed as written by stiction (in " MANIFEST_NAME
                      "); move it away",
                      path);
    if (manifest_entry_holds(entry, folder)) return true;
    return errno && errno != EISDIR && errno != ELOOP
               ? refuse_errno(error, path)
               : refuse(error, "%s was changed since stiction wrote it; move it away", path);
}

static bool refuse_list(const char *folder, stiction_error *error) {
    return refuse(error, "%s/" MANIFEST_NAME " is damaged or was not written by stiction", folder);
}

bool place_may_write(const char *folder, const char *name, bool force, stiction_error *error) {
    AUTO(manifest_free) manifest list;
    if (manifest_read(&list, folder) == MANIFEST_DAMAGED) return refuse_list(folder, error);
    return (force && manifest_has(&list, name)) || is_free(folder, name, &list, error);
}

/* `list` gets the files that were moved, and of the others those that `before` has. */
static bool move_files(const place *p, const manifest *added, const manifest *before,
                       manifest *list, stiction_error *error) {
    bool fine = true;
    for (size_t k = 0; k < added->count; k++) {
        const manifest_entry *entry = &added->entries[k];
        AUTO_FREE char *from = storage_join(p->fresh, entry->name);
        AUTO_FREE char *to = storage_join(p->target, entry->name);
        if (fine && !(from && to && rename(from, to) == 0))
            fine = refuse_errno(error, to ? to : p->target);
        if (!fine) entry = manifest_find(before, entry->name);
        if (entry && !manifest_add_entry(list, entry)) fine = refuse_errno(error, p->target);
    }
    return fine;
}

bool place_add(place *p, bool force, stiction_error *error) {
    AUTO(manifest_free) manifest before, list, added = {.entries = NULL};
    const manifest_state state = manifest_read(&before, p->target);
    bool fine = state != MANIFEST_UNREAD || refuse_errno(error, p->target);
    if (state == MANIFEST_DAMAGED && !force) fine = refuse_list(p->target, error);
    (void)manifest_read(&list, p->target);
    fine = fine && (manifest_add_all(&added, p->fresh) || refuse_errno(error, p->fresh));
    for (size_t k = 0; k < added.count && fine && !force; k++)
        fine = is_free(p->target, added.entries[k].name, &before, error);
    if (!fine) return false;
    /* a file that is replaced leaves the list first, so that the folder never looks damaged */
    for (size_t k = 0; k < added.count; k++) manifest_drop(&list, added.entries[k].name);
    if (list.count < before.count && !manifest_write(&list, p->target))
        return refuse_errno(error, p->target);
    fine = move_files(p, &added, &before, &list, error);
    return (manifest_write(&list, p->target) || refuse_errno(error, p->target)) && fine;
}
