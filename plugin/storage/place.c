/* SPDX-License-Identifier: MIT
 * The lock, the scratch folder and the rename.
 */
#define _GNU_SOURCE /* renameat2, asprintf */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
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

static const char *const scratch_names[PLACE_NAMES] = {[PLACE_LOCK] = "lock",
                                                       [PLACE_FRESH] = "new",
                                                       [PLACE_WORK] = "work",
                                                       [PLACE_OLD] = "old",
                                                       [PLACE_BACK] = "back",
                                                       [PLACE_PENDING] = MANIFEST_NAME,
                                                       [PLACE_PENDING_PART] =
                                                           "." MANIFEST_NAME ".part"};

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

/* The names of results: a file of the user with one of them is in the way from the beginning. */
static bool is_our_name(const char *name) {
    static const char *const patterns[] = {
        MANIFEST_NAME,    "summary.json", "joints.csv",   "joints.npz", "report.html",
        "settings.json",  "messages.txt", "position.png", "torque.png", "law.png",
        "position-*.png", "torque-*.png", "law-*.png",    "video",      "video/frame_*.png",
        "scene.json"};
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++)
        if (fnmatch(patterns[k], name, FNM_PATHNAME) == 0) return true;
    return false;
}

/* Stops at a file that must not be replaced. */
static bool is_no_obstacle(void *user, const char *path) {
    visit *v = user;
    const char *name = name_in(v, path);
    struct stat status;
    bool fine = lstat(path, &status) == 0;
    const bool is_folder = fine && S_ISDIR(status.st_mode);
    if (is_folder && manifest_has_below(&v->list, name)) {
        fine = storage_visit(path, is_no_obstacle, v);
    } else if (is_folder && manifest_has(&v->list, name)) {
        fine = false;
    } else if (fine && !is_listed(v, name)) {
        AUTO_FREE char *fresh = storage_join(v->place->fresh, name);
        fine = fresh && !exists(fresh) && (v->place->rule == PLACE_OWN || !is_our_name(name));
        /* a folder of another user that is not writable cannot be moved */
        if (is_folder && access(path, W_OK) != 0 && status.st_uid != geteuid()) fine = false;
    }
    if (!fine && !v->found) v->found = strdup(name);
    return fine;
}

/* The name of a file in the target that must not be replaced, which the caller frees; NULL: every
 * one may be. */
static char *find_obstacle(const place *p) {
    stiction_error unread;
    visit v;
    if (!exists(p->target)) return NULL;
    const bool fine =
        visit_begin(&v, p, p->target, &unread) && storage_visit(p->target, is_no_obstacle, &v);
    manifest_free(&v.list);
    if (fine) return NULL;
    return v.found ? v.found : strdup(".");
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
    /* a folder that is moved must be writable */
    const bool closed = S_ISDIR(status.st_mode) && access(from, W_OK) != 0;
    if (closed) (void)chmod(from, status.st_mode | S_IRWXU);
    bool moved = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ||
                 ((errno == ENOSYS || errno == EINVAL) && !exists(to) && rename(from, to) == 0);
    if (closed) (void)chmod(moved ? to : from, status.st_mode & 07777);
    return (moved && storage_sync_above(to)) ||
           refuse(v->error,
                  "%s was not written by stiction and is left over from what was in %s; "
                  "move it away",
                  from, v->place->target);
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

/* Lists the files of `pending` that are in the target. A file that cannot be read is an error. */
static bool list_pending(const place *p, const manifest *pending) {
    AUTO(manifest_free) manifest list;
    bool fine = manifest_read(&list, p->target) != MANIFEST_UNREAD, changed = false;
    for (size_t k = 0; k < pending->count && fine; k++) {
        const manifest_entry *entry = &pending->entries[k];
        if (!manifest_entry_holds(entry, p->target)) {
            fine = !errno || errno == EISDIR || errno == ELOOP || is_absent();
            continue;
        }
        manifest_drop(&list, entry->name);
        fine = changed = manifest_add_entry(&list, entry);
    }
    return fine && (!changed || manifest_write(&list, p->target));
}

/* Lists files that were added and not listed yet. */
static bool finish_adding(const place *p, stiction_error *error) {
    AUTO(manifest_free) manifest pending;
    return (manifest_read(&pending, p->scratch) != MANIFEST_UNREAD &&
            (!pending.count || list_pending(p, &pending)) &&
            (unlink(p->names[PLACE_PENDING]) == 0 || errno == ENOENT)) ||
           refuse_errno(error, p->target);
}

/* Repairs what a killed process left. */
static bool recover(const place *p, stiction_error *error) {
    const char *back = p->names[PLACE_BACK];
    if (exists(back) && !exists(p->target) &&
        !(rename(back, p->target) == 0 && storage_sync_above(p->target)))
        return refuse_errno(error, p->target);
    if (!finish_adding(p, error) || !dispose(p, p->names[PLACE_OLD], error) ||
        !dispose(p, back, error))
        return false;
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
    if (!is_free_or_folder(p, error)) return false;
    AUTO_FREE char *in_the_way = p->rule == PLACE_FREE      ? find_entry(p)
                                 : p->rule == PLACE_REPLACE ? find_obstacle(p)
                                                            : NULL;
    if (!in_the_way) return true;
    AUTO(manifest_free) manifest list = {.entries = NULL};
    if (p->rule == PLACE_FREE && manifest_read(&list, p->target) == MANIFEST_FINE)
        return refuse(error,
                      "%s has results already; give --force to replace them, or another --out",
                      p->target);
    return refuse(error,
                  "%s has '%s' in it, which is not listed as written by stiction (in "
                  "its " MANIFEST_NAME "); move it away, or give another --out",
                  p->target, in_the_way);
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
    /* who cannot write beside it cannot replace it, so a lock inside serves as well */
    AUTO_FREE char *parent = fine ? above(p->target) : NULL;
    if (parent && access(parent, W_OK) != 0)
        fine = set_scratch(p, storage_join(p->target, ".part"), error);
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
        (void)unlink(p->names[PLACE_PENDING_PART]);
        bool empty = true;
        for (int k = 0; k < PLACE_NAMES; k++)
            if (k != PLACE_LOCK && exists(p->names[k])) empty = false;
        if (empty) (void)unlink(p->names[PLACE_LOCK]);
        (void)rmdir(p->scratch);
        (void)close(p->lock);
    }
    if (p->target) remove_made(p);
    free(p->target);
    free(p->scratch);
    for (int k = 0; k < PLACE_NAMES; k++) free(p->names[k]);
    free(p->made);
    free(p->kept);
    *p = (place){.lock = -1};
}

/* ---- taking the place ---- */

/* Checksums that the run has listed already are taken over. */
static bool list_fresh(const place *p, stiction_error *error) {
    AUTO(manifest_free) manifest list = {.entries = NULL}, known;
    const bool before = storage_put_off_sync(true);
    (void)manifest_read(&known, p->fresh);
    const bool listed =
        manifest_add_rest(&list, p->fresh, &known) && manifest_write(&list, p->fresh);
    (void)storage_put_off_sync(before);
    return (listed && storage_sync_all(p->fresh)) || refuse_errno(error, p->fresh);
}

/* Moves a folder to "TO", "TO-2" and so on, the first free name from a number on. Returns that
 * name, which the caller frees; NULL: errno says why. */
static char *move_to_free(const char *from, const char *to, int number) {
    enum { most_names = 1000 };
    for (char *moved; number < most_names; number++) {
        if ((number < 2 ? asprintf(&moved, "%s", to) : asprintf(&moved, "%s-%d", to, number)) < 0)
            return NULL;
        if (rename(from, moved) == 0) {
            (void)storage_sync_above(moved);
            return moved;
        }
        free(moved);
    }
    return NULL;
}

/* Something was put into the place meanwhile: what was computed is kept beside it. */
static bool move_aside(const place *p, stiction_error *error) {
    AUTO_FREE char *other = move_to_free(p->fresh, p->target, 2);
    if (!other) return refuse_errno(error, p->target);
    return refuse(error, "something was put into %s meanwhile; the results are in %s", p->target,
                  other);
}

/* Moves the results to where nothing is, or an empty folder. */
static bool move_in(const place *p, stiction_error *error) {
    if (rename(p->fresh, p->target) == 0)
        return storage_sync_above(p->target) || refuse_errno(error, p->target);
    if (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR) return move_aside(p, error);
    return refuse(error, "%s cannot be made: %s", p->target, strerror(errno));
}

/* Exchanges `old`, which has the new results, with the target. False: errno says why, and the old
 * results are in their place. */
static bool exchange(const place *p) {
    const char *old = p->names[PLACE_OLD], *back = p->names[PLACE_BACK];
    if (renameat2(AT_FDCWD, old, AT_FDCWD, p->target, RENAME_EXCHANGE) == 0) return true;
    if (errno != ENOSYS && errno != EINVAL) return false;
    /* this file system cannot exchange: for a moment the target does not exist, which recover()
     * repairs */
    if (rename(p->target, back) != 0) return false;
    if (rename(old, p->target) == 0) return true;
    const int why = errno;
    (void)rename(back, p->target);
    errno = why;
    return false;
}

static bool replace(const place *p, stiction_error *error) {
    struct stat status;
    stiction_error later;
    if (!check_target(p, &later)) return move_aside(p, error);
    if (stat(p->target, &status) == 0) (void)chmod(p->fresh, status.st_mode & 07777);
    if (rename(p->fresh, p->names[PLACE_OLD]) != 0 || !exchange(p)) {
        (void)refuse(error, "%s cannot be replaced: %s", p->target, strerror(errno));
        (void)rename(p->names[PLACE_OLD], p->fresh);
        return false;
    }
    /* the files of others first; what cannot be moved or removed now waits for the next run */
    if (dispose(p, p->names[PLACE_OLD], &later)) (void)dispose(p, p->names[PLACE_BACK], &later);
    return storage_sync_above(p->target) || refuse_errno(error, p->target);
}

/* With a damaged list it is not known which files are ours: the whole folder is kept. */
static bool keep_and_move_in(place *p, stiction_error *error) {
    AUTO_FREE char *kept = storage_beside(p->target, "kept");
    p->kept = kept ? move_to_free(p->target, kept, 1) : NULL;
    return (p->kept || refuse_errno(error, p->target)) && move_in(p, error);
}

bool place_commit(place *p, stiction_error *error) {
    if (!list_fresh(p, error)) return false;
    AUTO_FREE char *entry = p->rule != PLACE_FREE ? find_entry(p) : NULL;
    AUTO_FREE char *obstacle = entry && p->rule == PLACE_OWN ? find_obstacle(p) : NULL;
    return obstacle ? keep_and_move_in(p, error) : entry ? replace(p, error) : move_in(p, error);
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

static bool move_files(const place *p, const manifest *added, stiction_error *error) {
    bool fine = true;
    for (size_t k = 0; k < added->count && fine; k++) {
        AUTO_FREE char *from = storage_join(p->fresh, added->entries[k].name);
        AUTO_FREE char *to = storage_join(p->target, added->entries[k].name);
        fine = (from && to && rename(from, to) == 0) || refuse_errno(error, to ? to : p->target);
    }
    return fine && (storage_sync(p->target) || refuse_errno(error, p->target));
}

/* The list of what is added waits in the scratch folder: after a kill, who opens the folder next
 * completes the folder's list. */
static bool add_all(const place *p, manifest *list, const manifest *added, stiction_error *error) {
    AUTO(manifest_free) manifest dropped = {.entries = NULL};
    stiction_error unlisted;
    bool fine = true;
    /* a file that is replaced leaves the list first, so that the folder never looks damaged */
    for (size_t k = 0; k < added->count && fine; k++) {
        const manifest_entry *entry = manifest_find(list, added->entries[k].name);
        fine = !entry || manifest_add_entry(&dropped, entry);
        manifest_drop(list, added->entries[k].name);
    }
    fine = fine && manifest_write(added, p->scratch) &&
           (!dropped.count || manifest_write(list, p->target));
    if (fine) {
        fine = move_files(p, added, error);
        fine = finish_adding(p, fine ? error : &unlisted) && fine; /* what was moved is listed */
    } else {
        (void)refuse_errno(error, p->target);
    }
    /* files that were to be replaced and still exist are listed again */
    if (!fine && dropped.count) (void)list_pending(p, &dropped);
    return fine;
}

bool place_add(place *p, bool force, stiction_error *error) {
    AUTO(manifest_free) manifest list, added = {.entries = NULL};
    const manifest_state state = manifest_read(&list, p->target);
    bool fine = state != MANIFEST_UNREAD || refuse_errno(error, p->target);
    if (state == MANIFEST_DAMAGED && !force) fine = refuse_list(p->target, error);
    fine = fine && ((manifest_add_all(&added, p->fresh) && storage_sync_all(p->fresh)) ||
                    refuse_errno(error, p->fresh));
    for (size_t k = 0; k < added.count && fine && !force; k++)
        fine = is_free(p->target, added.entries[k].name, &list, error);
    return fine && add_all(p, &list, &added, error);
}
