/*
 * The lock, the scratch folder and the rename.
 */
#define _GNU_SOURCE /* renameat2 */
#define COMMON_WITHOUT_PRINTING
#include "place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "folder.h"
#include "storage/sync.h"

/* In the scratch folder. */
static const char lock_name[] = "lock", fresh_name[] = "new", old_name[] = "old",
                  work_name[] = "work",
                  swap_name[] = "swap"; /* there while old results may be in the scratch folder */

static const char list_in_the_making[] = "." MANIFEST_NAME ".part";

static char *in_scratch(const place *p, const char *name) {
    return format_text("%s/%s", p->scratch, name);
}

static bool remove_scratch_file(const place *p, const char *name) {
    char *path = in_scratch(p, name);
    const bool gone = unlink(path) == 0 || errno == ENOENT;
    free(path);
    return gone;
}

/* ---- the lock ---- */

/* How long others are waited for, in steps of 20 ms: the processes of a killed run take a moment to
 * die, and files are added in a moment. */
enum { tries_of_a_run = 5, tries_of_a_file = 500 };

typedef enum lock_verdict {
    LOCK_TAKEN,
    LOCK_BUSY,
    LOCK_AGAIN,
    LOCK_FAILED, /* errno says why */
    LOCK_REFUSED /* after a sentence */
} lock_verdict;

static bool is_same(int file, const char *path) {
    struct stat ours, there;
    return fstat(file, &ours) == 0 && lstat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

static bool is_scratch_name(const char *name) {
    const char *const names[] = {lock_name, fresh_name, old_name,
                                 swap_name, work_name,  MANIFEST_NAME};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(name, names[k]) == 0) return true;
    return strcmp(name, list_in_the_making) == 0;
}

/* One of these is the first to come and the last to go; but what was removed and what was not
 * before a loss of power comes in any order. */
static bool is_marked(const place *p) {
    char *lock = in_scratch(p, lock_name), *swap = in_scratch(p, swap_name);
    manifest pending = {.entries = NULL};
    const bool marked = file_exists(lock) || file_exists(swap) ||
                        place_read_list(&pending, p->scratch) == MANIFEST_FINE;
    manifest_free(&pending);
    free(lock);
    free(swap);
    return marked;
}

/* Some file of a folder that nothing marks as ours, or NULL; the caller frees it. Others may come
 * and go meanwhile, and theirs do. */
static char *unmarked_file(const place *p) {
    struct stat status;
    char *file = folder_first_file(p->scratch), *path = in_scratch(p, file ? file : "");
    const bool is_one = file && !is_marked(p) && lstat(path, &status) == 0;
    free(path);
    if (is_one) return file;
    free(file);
    return NULL;
}

/* A folder of that name that is not ours has something else in it, or files without our mark. */
static bool is_ours(const place *p, stiction_error *error) {
    char *other = folder_first_other(p->scratch, is_scratch_name);
    if (!other) other = unmarked_file(p);
    const bool fine =
        !other ||
        fail(error, "%s is in the way: %s in it was not written by stiction; move it away",
             p->scratch, other);
    free(other);
    return fine;
}

static lock_verdict try_lock(place *p, const char *path, stiction_error *error) {
    struct stat status;
    const bool made = mkdir(p->scratch, 0777) == 0;
    if (!made && errno != EEXIST) return LOCK_FAILED;
    if (lstat(p->scratch, &status) != 0) return LOCK_AGAIN;
    if (!S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return LOCK_FAILED;
    }
    if (!made && !is_ours(p, error)) return LOCK_REFUSED;
    const int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) return errno == ENOENT ? LOCK_AGAIN : LOCK_FAILED;
    lock_verdict verdict = LOCK_TAKEN;
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        verdict = errno == EWOULDBLOCK || errno == EINTR ? LOCK_BUSY : LOCK_FAILED;
    else if (!is_same(file, path)) /* the one before removed it */
        verdict = LOCK_AGAIN;
    if (verdict == LOCK_TAKEN)
        p->lock = file;
    else
        (void)close(file);
    return verdict;
}

static bool take_lock(place *p, int tries, stiction_error *error) {
    enum { most_races = 1000 };
    char *path = in_scratch(p, lock_name);
    lock_verdict verdict = LOCK_AGAIN;
    for (int races = 0;
         (verdict == LOCK_BUSY || verdict == LOCK_AGAIN) && tries && races < most_races; races++) {
        const struct timespec moment = {0, 20000000};
        if (verdict == LOCK_BUSY) (void)nanosleep(&moment, NULL);
        verdict = try_lock(p, path, error);
        tries -= verdict == LOCK_BUSY;
    }
    if (verdict == LOCK_FAILED) (void)fail_errno(error, p->scratch);
    if (verdict == LOCK_BUSY || verdict == LOCK_AGAIN)
        (void)fail(error,
                   "another process writes into %s at this moment; wait for it, or give "
                   "another --out",
                   p->target);
    free(path);
    return verdict == LOCK_TAKEN;
}

/* ---- whose a file is ---- */

manifest_state place_read_list(manifest *list, const char *folder) {
    const manifest_state state = manifest_read(list, folder);
    if (state == MANIFEST_UNREAD) need_memory();
    return state;
}

typedef enum entry_verdict { ENTRY_HOLDS, ENTRY_DIFFERS, ENTRY_UNREAD } entry_verdict;

/* One that cannot be read at this moment is not another; ENTRY_UNREAD: errno says why. */
static entry_verdict compare_entry(const manifest_entry *entry, const char *folder) {
    if (manifest_entry_holds(entry, folder)) return ENTRY_HOLDS;
    need_memory();
    /* a folder or a link stands there */
    return !errno || errno == EISDIR || errno == ELOOP ? ENTRY_DIFFERS : ENTRY_UNREAD;
}

/* ---- what killed ones left ---- */

/* Those of them that are there are listed. False: errno says why. */
static bool list_pending(const place *p, const manifest *pending) {
    manifest list;
    bool fine = place_read_list(&list, p->target) != MANIFEST_UNREAD, more = false;
    for (size_t k = 0; k < pending->count && fine; k++) {
        if (manifest_has(&list, pending->entries[k].name)) continue;
        const entry_verdict verdict = compare_entry(&pending->entries[k], p->target);
        fine = verdict != ENTRY_UNREAD;
        if (verdict != ENTRY_HOLDS) continue;
        more = true;
        fine = manifest_add_entry(&list, &pending->entries[k]);
    }
    fine = fine && (!more || manifest_write(&list, p->target));
    const int why = errno;
    manifest_free(&list);
    errno = why;
    return fine;
}

/* Files that were added, but not yet listed. */
static bool finish_adding(const place *p, stiction_error *error) {
    manifest pending;
    const manifest_state state = place_read_list(&pending, p->scratch);
    const bool fine =
        (state != MANIFEST_UNREAD || fail_errno(error, p->scratch)) &&
        (((!pending.count || list_pending(p, &pending)) && remove_scratch_file(p, MANIFEST_NAME)) ||
         fail_errno(error, p->target));
    manifest_free(&pending);
    return fine;
}

/* Old results that were moved away, when the new ones did not come. */
static bool put_back(const place *p, const char *old, stiction_error *error) {
    struct stat status;
    if (lstat(old, &status) != 0) return errno == ENOENT || fail_errno(error, old);
    if (lstat(p->target, &status) == 0) return true;
    return (rename(old, p->target) == 0 && storage_sync_above(p->target)) ||
           fail_errno(error, p->target);
}

static bool recover(const place *p, stiction_error *error) {
    char *old = in_scratch(p, old_name), *swap = in_scratch(p, swap_name);
    bool fine = put_back(p, old, error) && finish_adding(p, error);
    if (fine && file_exists(swap))
        fine = place_dispose(p, p->fresh, error) && place_dispose(p, old, error) &&
               (storage_sync(p->scratch) && remove_scratch_file(p, swap_name)
                    ? true
                    : fail_errno(error, swap));
    if (fine) { /* of a run that did not come so far */
        folder_remove(p->fresh);
        folder_remove(p->work);
    }
    free(old);
    free(swap);
    return fine;
}

/* ---- opening and closing ---- */

static char *without_slashes(const char *folder) {
    char *path = copy_text(folder);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--) path[n - 1] = '\0';
    return path;
}

/* "." and the like have no name to put something beside. */
static char *named(const char *folder) {
    char *path = without_slashes(folder);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *real = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ? realpath(path, NULL) : NULL;
    if (!real) return path;
    free(path);
    return real;
}

static char *above_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return !slash          ? copy_text(".")
           : slash == path ? copy_text("/")
                           : format_text("%.*s", (int)(slash - path), path);
}

static void set_scratch(place *p, char *scratch) {
    free(p->scratch);
    free(p->fresh);
    free(p->work);
    p->scratch = scratch;
    p->fresh = in_scratch(p, fresh_name);
    p->work = in_scratch(p, work_name);
}

/* "a/b" -> "a/.b.ENDING" */
static char *beside(const place *p, const char *ending) {
    const char *slash = strrchr(p->target, '/'), *name = slash ? slash + 1 : p->target;
    return format_text("%.*s.%s.%s", (int)(name - p->target), p->target, name, ending);
}

static void begin(place *p, const char *folder, place_rule rule) {
    *p = (place){.target = named(folder), .rule = rule, .lock = -1};
    set_scratch(p, beside(p, "part"));
}

static bool is_free_or_folder(const place *p, stiction_error *error) {
    struct stat status;
    if (lstat(p->target, &status) != 0)
        return errno == ENOENT ||
               fail(error, "cannot make the folder %s: %s", p->target, strerror(errno));
    if (S_ISLNK(status.st_mode))
        return fail(error,
                    "%s is a symbolic link, through which nothing is written; give another "
                    "--out",
                    p->target);
    return S_ISDIR(status.st_mode) || fail(error, "%s is there and is no folder", p->target);
}

static bool check_target(const place *p, stiction_error *error) {
    if (!is_free_or_folder(p, error)) return false;
    char *in_the_way = p->rule == PLACE_FREE      ? folder_first_entry(p->target)
                       : p->rule == PLACE_REPLACE ? place_obstacle(p)
                                                  : NULL; /* that is seen in the end */
    if (!in_the_way) return true;
    manifest list;
    const bool listed = place_read_list(&list, p->target) == MANIFEST_FINE;
    manifest_free(&list);
    if (p->rule == PLACE_FREE && listed)
        (void)fail(error, "%s has results already; give --force to replace them, or another --out",
                   p->target);
    else
        (void)fail(
            error,
            "%s has '%s' in it, which is not listed as written by stiction (in its " MANIFEST_NAME
            "); move it away, or give another --out",
            p->target, in_the_way);
    free(in_the_way);
    return false;
}

bool place_open(place *p, const char *folder, place_rule rule, stiction_error *error) {
    begin(p, folder, rule);
    char *above = above_of(p->target);
    const bool fine = is_free_or_folder(p, error) && folder_make_noting(above, &p->made, error) &&
                      take_lock(p, tries_of_a_run, error) && recover(p, error) &&
                      check_target(p, error) &&
                      (mkdir(p->fresh, 0777) == 0 || fail_errno(error, p->fresh));
    free(above);
    if (!fine) place_close(p);
    return fine;
}

bool place_open_folder(place *p, const char *folder, stiction_error *error) {
    begin(p, folder, PLACE_REPLACE);
    char *above = above_of(p->target);
    struct stat status;
    const bool there = (stat(p->target, &status) == 0 && S_ISDIR(status.st_mode)) ||
                       fail(error, "%s: there is no such folder", p->target);
    /* whoever cannot write beside it cannot replace it, so a lock in it serves as well */
    if (there && access(above, W_OK) != 0) set_scratch(p, format_text("%s/.part", p->target));
    free(above);
    const bool fine = there && take_lock(p, tries_of_a_file, error) && recover(p, error) &&
                      (mkdir(p->fresh, 0777) == 0 || fail_errno(error, p->fresh));
    if (!fine) place_close(p);
    return fine;
}

/* From the innermost to the first one that was made. */
static void remove_made(const place *p) {
    char *folder = p->made ? above_of(p->target) : NULL;
    while (folder && rmdir(folder) == 0) {
        const bool last = strcmp(folder, p->made) == 0;
        char *above = last ? NULL : above_of(folder);
        free(folder);
        folder = above;
    }
    free(folder);
}

static bool is_lock_name(const char *name) {
    return strcmp(name, lock_name) == 0;
}

void place_close(place *p) {
    if (p->lock >= 0) {
        char *swap = in_scratch(p, swap_name);
        /* what others have to recover stays */
        if (!file_exists(swap)) {
            folder_remove(p->fresh);
            folder_remove(p->work);
            (void)remove_scratch_file(p, list_in_the_making);
            char *other = folder_first_other(p->scratch, is_lock_name);
            if (!other && remove_scratch_file(p, lock_name)) (void)rmdir(p->scratch);
            free(other);
        }
        free(swap);
        (void)close(p->lock);
    }
    remove_made(p);
    free(p->target);
    free(p->scratch);
    free(p->fresh);
    free(p->work);
    free(p->made);
    *p = (place){.lock = -1};
}

/* ---- taking the place ---- */

/* What a run has listed already need not be read again. */
static bool list_fresh(const place *p, stiction_error *error) {
    manifest list = {.entries = NULL}, known;
    const bool before = storage_put_off_sync(true);
    (void)place_read_list(&known, p->fresh);
    const bool listed =
        manifest_add_rest(&list, p->fresh, &known) && manifest_write(&list, p->fresh);
    (void)storage_put_off_sync(before);
    manifest_free(&list);
    manifest_free(&known);
    return (listed && storage_sync_all(p->fresh)) || fail_errno(error, p->fresh);
}

/* Both ways; false: errno says why, and the old results are in their place. */
static bool exchange(const place *p, const char *old) {
    if (renameat2(AT_FDCWD, p->fresh, AT_FDCWD, p->target, RENAME_EXCHANGE) == 0) return true;
    if (errno != ENOSYS && errno != EINVAL) return false;
    /* a file system that cannot: for a moment there is nothing, and recover() knows it */
    if (rename(p->target, old) != 0) return false;
    if (rename(p->fresh, p->target) == 0) return true;
    const int why = errno;
    (void)rename(old, p->target);
    errno = why;
    return false;
}

/* A mark that old results may be in the scratch folder, before they are. */
static bool mark_swap(const place *p, stiction_error *error) {
    char *swap = in_scratch(p, swap_name);
    const int file = open(swap, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    const bool fine = file >= 0 && storage_sync(p->scratch);
    if (file >= 0) (void)close(file);
    if (!fine) (void)fail_errno(error, swap);
    free(swap);
    return fine;
}

/* To "TO", "TO-2" and so on, the first that is free from a number on; NULL: errno says why. */
static char *move_to_free(const char *from, const char *to, int number) {
    enum { most_names = 1000 };
    for (; number < most_names; number++) {
        char *other = number < 2 ? copy_text(to) : format_text("%s-%d", to, number);
        if (rename(from, other) == 0) {
            (void)storage_sync_above(other);
            return other;
        }
        free(other);
    }
    return NULL;
}

/* Somebody put something into the place meanwhile: what was computed is not thrown away. */
static bool move_aside(const place *p, stiction_error *error) {
    char *other = move_to_free(p->fresh, p->target, 2);
    if (other)
        (void)fail(error, "something was put into %s meanwhile; the results are in %s", p->target,
                   other);
    free(other);
    return false;
}

/* Where nothing is: a folder with nothing in it gives way. */
static bool move_in(const place *p, stiction_error *error) {
    if (rename(p->fresh, p->target) == 0)
        return storage_sync_above(p->target) || fail_errno(error, p->target);
    if (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR) return move_aside(p, error);
    return fail(error, "%s cannot be made: %s", p->target, strerror(errno));
}

/* What was in a place of ours stays, whole, beside it: a list that is lost or damaged cannot tell
 * what of it is ours. */
static bool put_aside(const place *p, const char *in_the_way, stiction_error *error) {
    char *kept = beside(p, "kept"), *other = move_to_free(p->target, kept, 1);
    if (other)
        tell_line("%s had '%s' in it, which is not listed as written by stiction (in "
                  "its " MANIFEST_NAME "); all of it is kept as %s",
                  p->target, in_the_way, other);
    else
        (void)fail_errno(error, kept);
    const bool fine = other && move_in(p, error);
    free(kept);
    free(other);
    return fine;
}

static bool replace(const place *p, stiction_error *error) {
    struct stat status;
    if (!check_target(p, error)) return move_aside(p, error);
    char *old = in_scratch(p, old_name);
    bool fine = place_carry(p, error) &&
                (storage_sync_all(p->fresh) || fail_errno(error, p->fresh)) && mark_swap(p, error);
    if (fine && stat(p->target, &status) == 0) (void)chmod(p->fresh, status.st_mode & 07777);
    const bool exchanged = fine && exchange(p, old);
    if (!exchanged) {
        if (fine) (void)fail(error, "%s cannot be replaced: %s", p->target, strerror(errno));
        (void)remove_scratch_file(p, swap_name);
    }
    fine = exchanged && (storage_sync_above(p->target) || fail_errno(error, p->target));
    /* the new results are there: what cannot be removed of the old ones waits for the next run */
    if (fine && place_dispose(p, p->fresh, error) && place_dispose(p, old, error))
        (void)remove_scratch_file(p, swap_name);
    free(old);
    return fine;
}

bool place_commit(place *p, stiction_error *error) {
    if (!list_fresh(p, error)) return false;
    char *first = p->rule == PLACE_FREE ? NULL : folder_first_entry(p->target);
    char *in_the_way = first && p->rule == PLACE_OWN ? place_obstacle(p) : NULL;
    const bool fine = in_the_way ? put_aside(p, in_the_way, error)
                      : first    ? replace(p, error)
                                 : move_in(p, error);
    free(in_the_way);
    free(first);
    return fine;
}

/* ---- giving ---- */

/* What came before one that could not. */
static void take_back(const place *p, const manifest *given, size_t count) {
    for (size_t k = 0; k < count; k++) {
        char *path = format_text("%s/%s", p->target, given->entries[k].name);
        (void)unlink(path);
        free(path);
    }
}

static bool give_all(const place *p, const manifest *given, stiction_error *error) {
    bool fine = true;
    for (size_t k = 0; k < given->count && fine; k++) {
        char *from = format_text("%s/%s", p->fresh, given->entries[k].name),
             *to = format_text("%s/%s", p->target, given->entries[k].name);
        fine =
            renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 || fail_errno(error, to);
        if (!fine) take_back(p, given, k);
        free(from);
        free(to);
    }
    return fine && (storage_sync(p->target) || fail_errno(error, p->target));
}

bool place_give(place *p, stiction_error *error) {
    manifest given = {.entries = NULL};
    char *first = folder_first_entry(p->target);
    bool fine = (manifest_add_all(&given, p->fresh) && storage_sync_all(p->fresh)) ||
                fail_errno(error, p->fresh);
    if (fine) fine = first ? give_all(p, &given, error) : move_in(p, error);
    free(first);
    manifest_free(&given);
    return fine;
}

/* ---- adding ---- */

/* Whether a file may be written: none is there, or it is as it was when it was listed. False after
 * a sentence. */
static bool is_free(const char *folder, const char *name, const manifest *list,
                    stiction_error *error) {
    struct stat status;
    char *path = format_text("%s/%s", folder, name);
    /* one that cannot be looked at may be there */
    const bool there = lstat(path, &status) == 0 || errno != ENOENT;
    const manifest_entry *entry = manifest_find(list, name);
    const entry_verdict verdict = there && entry ? compare_entry(entry, folder) : ENTRY_HOLDS;
    bool fine = verdict != ENTRY_UNREAD || fail_errno(error, path);
    if (there && !entry)
        fine = fail(error,
                    "%s is there and is not listed as written by stiction (in " MANIFEST_NAME
                    "); move it away",
                    path);
    if (verdict == ENTRY_DIFFERS)
        fine = fail(error, "%s was changed since stiction wrote it; move it away", path);
    free(path);
    return fine;
}

static bool tell_damaged(const char *folder, stiction_error *error) {
    return fail(error, "%s/" MANIFEST_NAME " is damaged or was not written by stiction", folder);
}

bool place_may_write(const char *folder, const char *name, bool force, stiction_error *error) {
    manifest list;
    const manifest_state state = place_read_list(&list, folder);
    const bool fine = state == MANIFEST_DAMAGED            ? tell_damaged(folder, error)
                      : force && manifest_has(&list, name) ? true
                                                           : is_free(folder, name, &list, error);
    manifest_free(&list);
    return fine;
}

static bool move_files(const place *p, const manifest *added, stiction_error *error) {
    bool fine = true;
    for (size_t k = 0; k < added->count && fine; k++) {
        char *from = format_text("%s/%s", p->fresh, added->entries[k].name),
             *to = format_text("%s/%s", p->target, added->entries[k].name);
        fine = rename(from, to) == 0 || fail_errno(error, to);
        free(from);
        free(to);
    }
    return fine && (storage_sync(p->target) || fail_errno(error, p->target));
}

/* Those that are replaced leave the list. False: errno says why. */
static bool drop_all(manifest *list, const manifest *added, manifest *dropped) {
    bool fine = true;
    for (size_t k = 0; k < list->count; k++)
        if (manifest_has(added, list->entries[k].name))
            fine = manifest_add_entry(dropped, &list->entries[k]) && fine;
    for (size_t k = 0; k < dropped->count; k++) manifest_drop(list, dropped->entries[k].name);
    return fine;
}

/* The list is true at every moment: what is replaced is not in it meanwhile. What is to be listed
 * waits in the scratch folder, for whoever comes after a kill. */
static bool add_all(const place *p, manifest *list, const manifest *added, stiction_error *error) {
    manifest dropped = {.entries = NULL};
    bool fine = drop_all(list, added, &dropped) && manifest_write(added, p->scratch) &&
                (!dropped.count || manifest_write(list, p->target));
    if (fine) {
        fine = move_files(p, added, error);
        fine = finish_adding(p, error) && fine; /* those that were moved are listed either way */
    } else {
        (void)fail_errno(error, p->target);
    }
    /* what was to be replaced and still stands there is ours as before */
    if (!fine && dropped.count) (void)list_pending(p, &dropped);
    manifest_free(&dropped);
    return fine;
}

bool place_add(place *p, bool force, stiction_error *error) {
    manifest list, added = {.entries = NULL};
    const manifest_state state = place_read_list(&list, p->target);
    bool fine = state != MANIFEST_UNREAD || fail_errno(error, p->target);
    if (state == MANIFEST_DAMAGED && !force) fine = tell_damaged(p->target, error);
    fine = fine && ((manifest_add_all(&added, p->fresh) && storage_sync_all(p->fresh)) ||
                    fail_errno(error, p->fresh));
    for (size_t k = 0; k < added.count && fine && !force; k++)
        fine = is_free(p->target, added.entries[k].name, &list, error);
    fine = fine && add_all(p, &list, &added, error);
    manifest_free(&list);
    manifest_free(&added);
    return fine;
}
