/* SPDX-License-Identifier: MIT
 * The lock, the scratch folder and the rename.
 */
#define _GNU_SOURCE /* renameat2, asprintf */
#include "place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "document/fail.h"
#include "folders.h"
#include "sync.h"

/* In the scratch folder, beside the list of files that are being added. */
static const char lock_name[] = "lock", fresh_name[] = "new", work_name[] = "work",
                  old_name[] = "old", /* new results before an exchange, old ones after it */
    back_name[] = "back";             /* old results where a file system cannot exchange */

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

/* "FOLDER/NAME"; false where that is too long for a path, errno says so. */
static bool join(char path[PATH_MAX], const char *folder, const char *name) {
    const int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    if (length >= 0 && length < PATH_MAX) return true;
    path[0] = '\0'; /* no file has this name */
    errno = ENAMETOOLONG;
    return false;
}

static bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool is_absent(void) {
    return errno == ENOENT || errno == ENOTDIR;
}

/* ---- entries of a folder ---- */

/* Calls visit for each entry until one returns false. False: one did, or the folder cannot be read
 * (then *error says so). */
static bool for_each(const char *folder, bool visit(void *user, const char *name), void *user,
                     stiction_error *error) {
    DIR *opened = opendir(folder);
    if (!opened) return refuse_errno(error, folder);
    bool fine = true;
    for (const struct dirent *entry; fine && (entry = readdir(opened)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            fine = visit(user, entry->d_name);
    (void)closedir(opened);
    return fine;
}

static bool take_first(void *user, const char *name) {
    char *first = user;
    if (!*first || strcmp(name, first) < 0) (void)snprintf(first, NAME_MAX + 1, "%s", name);
    return true;
}

/* The first entry by name; "" for an empty folder or none. */
static void first_entry(const char *folder, char first[NAME_MAX + 1]) {
    stiction_error unread;
    first[0] = '\0';
    (void)for_each(folder, take_first, first, &unread);
}

/* ---- the lock ---- */

/* How often a lock is tried, every 20 ms: the processes of a killed run take a moment to die, and
 * adding files takes a moment. */
enum { tries_of_a_run = 5, tries_of_a_file = 500 };

typedef enum lock_verdict {
    LOCK_TAKEN,
    LOCK_BUSY,
    LOCK_AGAIN,
    LOCK_REFUSED /* see the error */
} lock_verdict;

static bool is_same(int file, const char *path) {
    struct stat ours, there;
    return fstat(file, &ours) == 0 && lstat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

static bool is_scratch_name(void *user, const char *name) {
    static const char *const names[] = {lock_name,
                                        fresh_name,
                                        work_name,
                                        old_name,
                                        back_name,
                                        MANIFEST_NAME,
                                        "." MANIFEST_NAME ".part"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(name, names[k]) == 0) return true;
    (void)snprintf(user, NAME_MAX + 1, "%s", name);
    return false;
}

/* A scratch folder of ours is empty or has a lock, and nothing that we do not write. */
static bool is_ours(const place *p, const char *lock, stiction_error *error) {
    stiction_error unread;
    char other[NAME_MAX + 1] = "";
    (void)for_each(p->scratch, is_scratch_name, other, &unread);
    if (!*other && !exists(lock)) first_entry(p->scratch, other);
    /* another process may have made its lock in between */
    return !*other || strcmp(other, lock_name) == 0 ||
           refuse(error, "%s is in the way: %s in it was not written by stiction; move it away",
                  p->scratch, other);
}

static lock_verdict try_lock(place *p, const char *path, stiction_error *error) {
    struct stat status;
    const bool made = mkdir(p->scratch, 0777) == 0;
    bool failed = !made && errno != EEXIST;
    if (!failed && lstat(p->scratch, &status) != 0) return LOCK_AGAIN;
    if (!failed && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        failed = true;
    }
    if (!failed && !made && !is_ours(p, path, error)) return LOCK_REFUSED;
    const int file = failed ? -1 : open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) {
        if (!failed && errno == ENOENT) return LOCK_AGAIN;
        (void)refuse_errno(error, p->scratch);
        return LOCK_REFUSED;
    }
    lock_verdict verdict = LOCK_TAKEN;
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        verdict = LOCK_BUSY;
    else if (!is_same(file, path)) /* the process before removed it */
        verdict = LOCK_AGAIN;
    if (verdict == LOCK_TAKEN)
        p->lock = file;
    else
        (void)close(file);
    return verdict;
}

static bool take_lock(place *p, int tries, stiction_error *error) {
    enum { most_races = 1000 };
    char path[PATH_MAX];
    if (!join(path, p->scratch, lock_name)) return refuse_errno(error, p->scratch);
    lock_verdict verdict = LOCK_AGAIN;
    for (int races = 0;
         (verdict == LOCK_BUSY || verdict == LOCK_AGAIN) && tries && races < most_races; races++) {
        const struct timespec moment = {0, 20000000};
        if (verdict == LOCK_BUSY) (void)nanosleep(&moment, NULL);
        verdict = try_lock(p, path, error);
        tries -= verdict == LOCK_BUSY;
    }
    if (verdict == LOCK_BUSY || verdict == LOCK_AGAIN)
        (void)refuse(error,
                     "another process writes into %s at this moment; wait for it, or give another "
                     "--out",
                     p->target);
    return verdict == LOCK_TAKEN;
}

/* ---- files of ours and of others ---- */

/* A folder, its list, and where its other files go. */
typedef struct visit {
    const place *place;
    const char *folder;
    manifest list;
    bool listed;      /* there is a list */
    const char *name; /* of the subfolder that is visited; "": the folder */
    stiction_error *error;
    char found[PATH_MAX]; /* by who looks for a file */
} visit;

static bool visit_begin(visit *v, const place *p, const char *folder, stiction_error *error) {
    *v = (visit){.place = p, .folder = folder, .name = "", .error = error};
    const manifest_state state = manifest_read(&v->list, folder);
    v->listed = state == MANIFEST_FINE;
    return state != MANIFEST_UNREAD ||
           refuse(error, "%s/" MANIFEST_NAME ": %s", folder, strerror(errno));
}

/* "video" and "frame_00000.png" -> "video/frame_00000.png" */
static bool name_below(const visit *v, const char *entry, char name[PATH_MAX]) {
    if (*v->name) return join(name, v->name, entry);
    return snprintf(name, PATH_MAX, "%s", entry) < PATH_MAX;
}

static bool is_listed(const visit *v, const char *name) {
    return manifest_has(&v->list, name) || (v->listed && strcmp(name, MANIFEST_NAME) == 0);
}

/* Visits what is in a subfolder. */
static bool visit_below(visit *v, const char *name, bool each(void *user, const char *entry)) {
    char path[PATH_MAX];
    const char *above = v->name;
    if (!join(path, v->folder, name)) return refuse_errno(v->error, v->folder);
    v->name = name;
    const bool fine = for_each(path, each, v, v->error);
    v->name = above;
    return fine;
}

/* The names of results: a file of the user with one of them is in the way from the beginning. */
static bool is_our_name(const char *name) {
    static const char *const patterns[] = {
        MANIFEST_NAME,    "summary.json", "joints.csv",   "joints.npz", "report.html",
        "settings.json",  "messages.txt", "position.png", "torque.png", "law.png",
        "position-*.png", "torque-*.png", "law-*.png",    "video",      "video/frame_*.png"};
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++)
        if (fnmatch(patterns[k], name, FNM_PATHNAME) == 0) return true;
    return false;
}

/* Looks for what must not be replaced. */
static bool is_no_obstacle(void *user, const char *entry) {
    visit *v = user;
    char name[PATH_MAX], path[PATH_MAX], fresh[PATH_MAX];
    struct stat status;
    bool fine = name_below(v, entry, name) && join(path, v->folder, name) &&
                join(fresh, v->place->fresh, name) && lstat(path, &status) == 0;
    const bool is_folder = fine && S_ISDIR(status.st_mode);
    if (fine && is_folder && manifest_has_below(&v->list, name)) {
        fine = visit_below(v, name, is_no_obstacle);
    } else if (fine && is_folder && manifest_has(&v->list, name)) {
        fine = false;
    } else if (fine && !is_listed(v, name)) {
        fine = !exists(fresh) && (v->place->rule == PLACE_OWN || !is_our_name(name));
        /* a folder that cannot be moved belongs to another user who lets nobody write */
        if (is_folder && access(path, W_OK) != 0 && status.st_uid != geteuid()) fine = false;
    }
    if (!fine && !v->found[0]) (void)snprintf(v->found, sizeof v->found, "%s", name);
    return fine;
}

/* The name of a file in the target that must not be replaced; "": there is none. */
static void find_obstacle(const place *p, char found[PATH_MAX]) {
    stiction_error unread;
    visit v;
    found[0] = '\0';
    if (!exists(p->target)) return;
    bool fine = visit_begin(&v, p, p->target, &unread);
    fine = fine && for_each(p->target, is_no_obstacle, &v, &unread);
    if (!fine) (void)snprintf(found, PATH_MAX, "%s", v.found[0] ? v.found : ".");
    manifest_free(&v.list);
}

/* Moves a file or folder of the user from replaced results to the same name in the target. */
static bool move_to_target(const visit *v, const char *name) {
    char from[PATH_MAX], to[PATH_MAX];
    struct stat status;
    if (!join(from, v->folder, name) || !join(to, v->place->target, name) ||
        lstat(from, &status) != 0)
        return refuse_errno(v->error, v->folder);
    for (char *slash = strchr(to + strlen(v->place->target) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(to, 0777);
        *slash = '/';
    }
    /* a folder that is moved must be writable */
    const bool closed = S_ISDIR(status.st_mode) && access(from, W_OK) != 0;
    if (closed) (void)chmod(from, status.st_mode | S_IRWXU);
    const bool moved =
        renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ||
        ((errno == ENOSYS || errno == EINVAL) && !exists(to) && rename(from, to) == 0);
    if (closed) (void)chmod(moved ? to : from, status.st_mode & 07777);
    return (moved && storage_sync_above(to)) ||
           refuse(v->error,
                  "%s was not written by stiction and is left over from what was in %s; move it "
                  "away",
                  from, v->place->target);
}

/* Removes a listed file of replaced results, and keeps others. */
static bool dispose_one(void *user, const char *entry) {
    visit *v = user;
    char name[PATH_MAX], path[PATH_MAX];
    struct stat status;
    if (!name_below(v, entry, name) || !join(path, v->folder, name) || lstat(path, &status) != 0)
        return refuse_errno(v->error, v->folder);
    if (S_ISDIR(status.st_mode) && manifest_has_below(&v->list, name)) {
        if (!visit_below(v, name, dispose_one)) return false;
        (void)rmdir(path);
        return true;
    }
    if (!is_listed(v, name)) return v->place ? move_to_target(v, name) : true;
    if (strcmp(name, MANIFEST_NAME) == 0) return true; /* the last */
    return unlink(path) == 0 || refuse_errno(v->error, path);
}

/* The list is removed last: until then it says whose the files are. Without a place other files
 * stay. */
static bool dispose(const place *p, const char *folder, stiction_error *error) {
    visit v;
    if (!exists(folder)) return is_absent() || refuse_errno(error, folder);
    bool fine = visit_begin(&v, p, folder, error) && for_each(folder, dispose_one, &v, error);
    char list[PATH_MAX];
    if (fine && v.listed && join(list, folder, MANIFEST_NAME)) (void)unlink(list);
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
    manifest list;
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
    fine = fine && (!changed || manifest_write(&list, p->target));
    manifest_free(&list);
    return fine;
}

/* Lists files that were added and not listed yet. */
static bool finish_adding(const place *p, stiction_error *error) {
    manifest pending;
    char path[PATH_MAX];
    bool fine = manifest_read(&pending, p->scratch) != MANIFEST_UNREAD &&
                join(path, p->scratch, MANIFEST_NAME) &&
                (!pending.count || list_pending(p, &pending)) &&
                (unlink(path) == 0 || errno == ENOENT);
    manifest_free(&pending);
    return fine || refuse_errno(error, p->target);
}

/* Puts right what a killed process left. */
static bool recover(const place *p, stiction_error *error) {
    char old[PATH_MAX], back[PATH_MAX];
    if (!join(old, p->scratch, old_name) || !join(back, p->scratch, back_name))
        return refuse_errno(error, p->scratch);
    if (exists(back) && !exists(p->target) &&
        !(rename(back, p->target) == 0 && storage_sync_above(p->target)))
        return refuse_errno(error, p->target);
    if (!finish_adding(p, error) || !dispose(p, old, error) || !dispose(p, back, error))
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

/* The folder above, of any path. */
static void above(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    (void)snprintf(folder, PATH_MAX, "%.*s", (int)length, path);
    if (!length) (void)snprintf(folder, PATH_MAX, "%s", slash ? "/" : ".");
}

/* "a/b" -> "a/.b.ENDING"; NULL: no memory. */
static char *beside(const place *p, const char *ending) {
    const char *slash = strrchr(p->target, '/'), *name = slash ? slash + 1 : p->target;
    char *path;
    return asprintf(&path, "%.*s.%s.%s", (int)(name - p->target), p->target, name, ending) < 0
               ? NULL
               : path;
}

/* Takes the name of the scratch folder. */
static bool set_scratch(place *p, char *scratch, stiction_error *error) {
    free(p->scratch);
    free(p->fresh);
    free(p->work);
    p->scratch = scratch;
    p->fresh = p->work = NULL;
    if (scratch && asprintf(&p->fresh, "%s/%s", scratch, fresh_name) < 0) p->fresh = NULL;
    if (scratch && asprintf(&p->work, "%s/%s", scratch, work_name) < 0) p->work = NULL;
    if (p->fresh && p->work) return true;
    (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    return false;
}

static bool begin(place *p, const char *folder, place_rule rule, stiction_error *error) {
    *p = (place){.target = name_target(folder), .rule = rule, .lock = -1};
    return set_scratch(p, p->target ? beside(p, "part") : NULL, error);
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
    char in_the_way[PATH_MAX] = "";
    if (!is_free_or_folder(p, error)) return false;
    if (p->rule == PLACE_FREE) first_entry(p->target, in_the_way);
    if (p->rule == PLACE_REPLACE) find_obstacle(p, in_the_way);
    if (!*in_the_way) return true;
    manifest list;
    const bool listed = manifest_read(&list, p->target) == MANIFEST_FINE;
    manifest_free(&list);
    if (p->rule == PLACE_FREE && listed)
        return refuse(error,
                      "%s has results already; give --force to replace them, or another --out",
                      p->target);
    return refuse(
        error,
        "%s has '%s' in it, which is not listed as written by stiction (in its " MANIFEST_NAME
        "); move it away, or give another --out",
        p->target, in_the_way);
}

/* What both ways of opening end with. */
static bool start(place *p, int tries, stiction_error *error) {
    return take_lock(p, tries, error) && recover(p, error) && check_target(p, error) &&
           (mkdir(p->fresh, 0777) == 0 || refuse_errno(error, p->fresh));
}

bool place_open(place *p, const char *folder, place_rule rule, stiction_error *error) {
    char parent[PATH_MAX];
    bool fine = begin(p, folder, rule, error) && is_free_or_folder(p, error);
    if (fine) {
        above(p->target, parent);
        fine = storage_make_folders(parent, &p->made, error) && start(p, tries_of_a_run, error);
    }
    if (!fine) place_close(p);
    return fine;
}

bool place_open_folder(place *p, const char *folder, stiction_error *error) {
    char parent[PATH_MAX], *inside;
    struct stat status;
    bool fine = begin(p, folder, PLACE_OWN, error);
    if (fine && (stat(p->target, &status) != 0 || !S_ISDIR(status.st_mode)))
        fine = refuse(error, "%s: there is no such folder", p->target);
    /* who cannot write beside it cannot replace it, so a lock inside serves as well */
    if (fine) above(p->target, parent);
    if (fine && access(parent, W_OK) != 0)
        fine = set_scratch(p, asprintf(&inside, "%s/.part", p->target) < 0 ? NULL : inside, error);
    fine = fine && take_lock(p, tries_of_a_file, error) && recover(p, error) &&
           (mkdir(p->fresh, 0777) == 0 || refuse_errno(error, p->fresh));
    if (!fine) place_close(p);
    return fine;
}

/* From the innermost to the first one that was made. */
static void remove_made(const place *p) {
    char folder[PATH_MAX], next[PATH_MAX];
    if (!p->made) return;
    above(p->target, folder);
    while (rmdir(folder) == 0 && strcmp(folder, p->made) != 0) {
        above(folder, next);
        memcpy(folder, next, sizeof folder);
    }
}

/* Whether something is left in the scratch folder, which then needs its lock: without it the next
 * process would take it for a folder of the user. */
static bool is_to_recover(const place *p) {
    static const char *const names[] = {old_name, back_name, MANIFEST_NAME, fresh_name, work_name};
    char path[PATH_MAX];
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (join(path, p->scratch, names[k]) && exists(path)) return true;
    return false;
}

void place_close(place *p) {
    if (p->lock >= 0) {
        char path[PATH_MAX];
        storage_remove_folder(p->fresh);
        storage_remove_folder(p->work);
        if (join(path, p->scratch, "." MANIFEST_NAME ".part")) (void)unlink(path);
        if (!is_to_recover(p) && join(path, p->scratch, lock_name) && unlink(path) == 0)
            (void)rmdir(p->scratch);
        (void)close(p->lock);
    }
    if (p->target) remove_made(p);
    free(p->target);
    free(p->scratch);
    free(p->fresh);
    free(p->work);
    free(p->made);
    free(p->kept);
    *p = (place){.lock = -1};
}

/* ---- taking the place ---- */

/* Checksums that the run has listed already are taken over. */
static bool list_fresh(const place *p, stiction_error *error) {
    manifest list = {.entries = NULL}, known;
    const bool before = storage_put_off_sync(true);
    (void)manifest_read(&known, p->fresh);
    const bool listed =
        manifest_add_rest(&list, p->fresh, &known) && manifest_write(&list, p->fresh);
    (void)storage_put_off_sync(before);
    manifest_free(&list);
    manifest_free(&known);
    return (listed && storage_sync_all(p->fresh)) || refuse_errno(error, p->fresh);
}

/* Moves a folder to "TO", "TO-2" and so on, the first free name from a number on. */
static bool move_to_free(const char *from, const char *to, int number, char moved[PATH_MAX]) {
    enum { most_names = 1000 };
    for (; number < most_names; number++) {
        (void)snprintf(moved, PATH_MAX, "%s-%d", to, number);
        if (number < 2) (void)snprintf(moved, PATH_MAX, "%s", to);
        if (rename(from, moved) == 0) {
            (void)storage_sync_above(moved);
            return true;
        }
    }
    return false;
}

/* Something was put into the place meanwhile: what was computed is kept beside it. */
static bool move_aside(const place *p, stiction_error *error) {
    char other[PATH_MAX];
    if (!move_to_free(p->fresh, p->target, 2, other)) return refuse_errno(error, p->target);
    return refuse(error, "something was put into %s meanwhile; the results are in %s", p->target,
                  other);
}

/* Where nothing is, or an empty folder. */
static bool move_in(const place *p, stiction_error *error) {
    if (rename(p->fresh, p->target) == 0)
        return storage_sync_above(p->target) || refuse_errno(error, p->target);
    if (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR) return move_aside(p, error);
    return refuse(error, "%s cannot be made: %s", p->target, strerror(errno));
}

/* Exchanges `old`, which has the new results, with the target. False: errno says why, and the old
 * results are in their place. */
static bool exchange(const place *p, const char *old, const char *back) {
    if (renameat2(AT_FDCWD, old, AT_FDCWD, p->target, RENAME_EXCHANGE) == 0) return true;
    if (errno != ENOSYS && errno != EINVAL) return false;
    /* a file system that cannot: for a moment there is nothing, which recover() puts right */
    if (rename(p->target, back) != 0) return false;
    if (rename(old, p->target) == 0) return true;
    const int why = errno;
    (void)rename(back, p->target);
    errno = why;
    return false;
}

static bool replace(const place *p, stiction_error *error) {
    char old[PATH_MAX], back[PATH_MAX];
    struct stat status;
    stiction_error later;
    if (!check_target(p, &later)) return move_aside(p, error);
    if (!join(old, p->scratch, old_name) || !join(back, p->scratch, back_name))
        return refuse_errno(error, p->scratch);
    if (stat(p->target, &status) == 0) (void)chmod(p->fresh, status.st_mode & 07777);
    if (rename(p->fresh, old) != 0 || !exchange(p, old, back)) {
        (void)refuse(error, "%s cannot be replaced: %s", p->target, strerror(errno));
        (void)rename(old, p->fresh);
        return false;
    }
    /* the files of others first; what cannot be moved or removed now waits for the next run */
    if (dispose(p, old, &later)) (void)dispose(p, back, &later);
    return storage_sync_above(p->target) || refuse_errno(error, p->target);
}

/* A damaged list cannot say which files are ours: the folder is kept whole. */
static bool keep_and_move_in(place *p, stiction_error *error) {
    char *kept = beside(p, "kept"), moved[PATH_MAX];
    const bool fine =
        (kept && move_to_free(p->target, kept, 1, moved)) || refuse_errno(error, p->target);
    free(kept);
    if (fine) p->kept = strdup(moved);
    return fine && move_in(p, error);
}

bool place_commit(place *p, stiction_error *error) {
    char first[NAME_MAX + 1] = "", obstacle[PATH_MAX] = "";
    if (!list_fresh(p, error)) return false;
    if (p->rule != PLACE_FREE) first_entry(p->target, first);
    if (*first && p->rule == PLACE_OWN) find_obstacle(p, obstacle);
    return *obstacle ? keep_and_move_in(p, error) : *first ? replace(p, error) : move_in(p, error);
}

/* ---- adding ---- */

/* Whether a file may be written: it does not exist, or is as listed. */
static bool is_free(const char *folder, const char *name, const manifest *list,
                    stiction_error *error) {
    char path[PATH_MAX];
    if (!join(path, folder, name)) return refuse_errno(error, folder);
    if (!exists(path) && errno == ENOENT) return true;
    const manifest_entry *entry = manifest_find(list, name);
    if (!entry)
        return refuse(error,
                      "%s exists and is not listed as written by stiction (in " MANIFEST_NAME
                      "); move it away",
                      path);
    if (manifest_entry_holds(entry, folder)) return true;
    if (errno && errno != EISDIR && errno != ELOOP) return refuse_errno(error, path);
    return refuse(error, "%s was changed since stiction wrote it; move it away", path);
}

static bool refuse_list(const char *folder, stiction_error *error) {
    return refuse(error, "%s/" MANIFEST_NAME " is damaged or was not written by stiction", folder);
}

bool place_may_write(const char *folder, const char *name, bool force, stiction_error *error) {
    manifest list;
    const manifest_state state = manifest_read(&list, folder);
    const bool fine = state == MANIFEST_DAMAGED            ? refuse_list(folder, error)
                      : force && manifest_has(&list, name) ? true
                                                           : is_free(folder, name, &list, error);
    manifest_free(&list);
    return fine;
}

static bool move_files(const place *p, const manifest *added, stiction_error *error) {
    for (size_t k = 0; k < added->count; k++) {
        char from[PATH_MAX], to[PATH_MAX];
        if (!join(from, p->fresh, added->entries[k].name) ||
            !join(to, p->target, added->entries[k].name) || rename(from, to) != 0)
            return refuse_errno(error, to);
    }
    return storage_sync(p->target) || refuse_errno(error, p->target);
}

/* The list of what is added waits in the scratch folder: after a kill, who opens the folder next
 * completes the folder's list. */
static bool add_all(const place *p, manifest *list, const manifest *added, stiction_error *error) {
    manifest dropped = {.entries = NULL};
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
    /* what was to be replaced and is still there is ours as before */
    if (!fine && dropped.count) (void)list_pending(p, &dropped);
    manifest_free(&dropped);
    return fine;
}

bool place_add(place *p, bool force, stiction_error *error) {
    manifest list, added = {.entries = NULL};
    const manifest_state state = manifest_read(&list, p->target);
    bool fine = state != MANIFEST_UNREAD || refuse_errno(error, p->target);
    if (state == MANIFEST_DAMAGED && !force) fine = refuse_list(p->target, error);
    fine = fine && ((manifest_add_all(&added, p->fresh) && storage_sync_all(p->fresh)) ||
                    refuse_errno(error, p->fresh));
    for (size_t k = 0; k < added.count && fine && !force; k++)
        fine = is_free(p->target, added.entries[k].name, &list, error);
    fine = fine && add_all(p, &list, &added, error);
    manifest_free(&list);
    manifest_free(&added);
    return fine;
}
