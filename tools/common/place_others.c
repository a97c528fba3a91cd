/*
 * What is in a place and is not ours: it stands in the way, or it stays there when results around
 * it are replaced.
 */
#define COMMON_WITHOUT_PRINTING
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "folder.h"
#include "place.h"
#include "storage/sync.h"
#include "storage/walk.h"

/* Whether a file in a folder of results would be one of ours by its name. */
static bool is_our_name(const char *name) {
    static const char *const patterns[] = {
        MANIFEST_NAME,    "summary.json", "joints.csv",   "joints.npz", "report.html",
        "settings.json",  "messages.txt", "position.png", "torque.png", "law.png",
        "position-*.png", "torque-*.png", "law-*.png",    "video",      "video/frame_*.png"};
    for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++)
        if (fnmatch(patterns[k], name, FNM_PATHNAME) == 0) return true;
    return false;
}

/* ---- a walk over a folder ---- */

typedef struct stroll {
    const place *place;
    const char *folder;
    manifest list; /* of the folder */
    bool listed;   /* there is one that can be read */
    storage_walk *walk;
} stroll;

static bool stroll_begin(stroll *s, const place *p, const char *folder, stiction_error *error) {
    *s = (stroll){.place = p, .folder = folder};
    const manifest_state state = place_read_list(&s->list, folder);
    s->listed = state == MANIFEST_FINE;
    if (state == MANIFEST_UNREAD) /* what cannot be read is not the same as none */
        return fail(error, "%s/" MANIFEST_NAME ": %s", folder, strerror(errno));
    s->walk = must_have(storage_walk_begin(folder));
    return true;
}

static void stroll_end(stroll *s) {
    storage_walk_end(s->walk);
    manifest_free(&s->list);
}

/* The next entry below the folder; its name is that of the list. */
static const walk_entry *stroll_next(stroll *s, const char **name) {
    const walk_entry *entry;
    do entry = storage_walk_next(s->walk);
    while (entry && entry->level == 0 && entry->kind != WALK_UNREADABLE);
    if (!entry) need_memory();
    *name = entry && entry->level > 0 ? entry->path + strlen(s->folder) + 1 : "";
    return entry;
}

static bool is_unreadable(const walk_entry *entry) {
    return entry->kind == WALK_UNREADABLE;
}

/* Of a file or a link: by the list alone, since names such as position.png are anybody's. */
static bool is_ours(const stroll *s, const char *name) {
    return manifest_has(&s->list, name) || (s->listed && strcmp(name, MANIFEST_NAME) == 0);
}

/* ---- in the way ---- */

static bool is_fresh(const place *p, const char *name) {
    struct stat status;
    char *path = format_text("%s/%s", p->fresh, name);
    const bool there = lstat(path, &status) == 0;
    free(path);
    return there;
}

/* Frames and a folder of them of somebody else. */
static bool is_other_video(const stroll *s, const char *name) {
    return strncmp(name, "video/", 6) == 0 && !manifest_has_below(&s->list, "video");
}

/* What we would call so: it could be taken for a part of the results, unless a place of ours puts
 * aside what is in the way in the end. */
static bool is_misleading(const stroll *s, const char *name) {
    return s->place->rule != PLACE_OWN && (is_our_name(name) || is_other_video(s, name));
}

/* A folder that could not be moved: it is somebody else's who lets nobody write. */
static bool is_closed(const walk_entry *entry) {
    return access(entry->path, W_OK) != 0 && entry->status.st_uid != geteuid();
}

static bool is_obstacle(const stroll *s, const walk_entry *entry, const char *name) {
    if (is_unreadable(entry)) return true;
    if (entry->kind == WALK_FOLDER_END) return false;
    if (entry->kind == WALK_FOLDER)
        return manifest_has(&s->list, name) || is_misleading(s, name) || is_closed(entry);
    return !is_ours(s, name) && (is_misleading(s, name) || is_fresh(s->place, name));
}

char *place_obstacle(const place *p) {
    struct stat status;
    if (lstat(p->target, &status) != 0) return NULL;
    stroll s;
    const char *name;
    char *found = NULL;
    stiction_error unread;
    if (!stroll_begin(&s, p, p->target, &unread)) found = copy_text(".");
    for (const walk_entry *entry; !found && (entry = stroll_next(&s, &name)) != NULL;)
        if (is_obstacle(&s, entry, name))
            found = is_other_video(&s, name) ? copy_text("video") : copy_text(*name ? name : ".");
    stroll_end(&s);
    return found;
}

/* ---- carried over ---- */

/* The folders of a name, below another folder. */
static bool make_above(const char *folder, const char *name) {
    bool fine = true;
    for (const char *slash = strchr(name, '/'); fine && slash; slash = strchr(slash + 1, '/')) {
        char *path = format_text("%s/%.*s", folder, (int)(slash - name), name);
        fine = mkdir(path, 0777) == 0 || errno == EEXIST;
        free(path);
    }
    return fine;
}

static bool copy_link(const char *from, const char *to) {
    char text[4096];
    const ssize_t length = readlink(from, text, sizeof text - 1);
    if (length < 0) return false;
    text[length] = '\0';
    return symlink(text, to) == 0;
}

/* Where there are no hard links. */
static bool copy(const walk_entry *entry, const char *from, const char *to) {
    if (entry->kind == WALK_LINK) return copy_link(from, to);
    if (entry->kind != WALK_FILE) return false;
    return folder_copy_file(from, to, entry->status.st_mode & 07777);
}

/* A folder gets its mode behind what comes into it. */
static bool carry_one(const place *p, const walk_entry *entry, const char *name,
                      stiction_error *error) {
    char *to = format_text("%s/%s", p->fresh, name);
    bool fine = make_above(p->fresh, name);
    if (entry->kind == WALK_FOLDER)
        fine = fine && (mkdir(to, 0777) == 0 || errno == EEXIST);
    else if (entry->kind == WALK_FOLDER_END)
        (void)chmod(to, entry->status.st_mode & 07777);
    else
        fine = fine &&
               (link(entry->path, to) == 0 || (errno != EEXIST && copy(entry, entry->path, to)));
    if (!fine) (void)fail(error, "%s cannot be kept: %s", entry->path, strerror(errno));
    free(to);
    return fine;
}

bool place_carry(const place *p, stiction_error *error) {
    stroll s;
    const char *name;
    bool fine = stroll_begin(&s, p, p->target, error);
    for (const walk_entry *entry; fine && (entry = stroll_next(&s, &name)) != NULL;) {
        if (is_unreadable(entry))
            fine = fail(error, "%s: %s", entry->path, strerror(entry->why));
        else if (!is_ours(&s, name) && !manifest_has_below(&s.list, name))
            fine = carry_one(p, entry, name, error);
    }
    stroll_end(&s);
    return fine;
}

/* ---- what was replaced ---- */

static bool is_in_target(const stroll *s, const walk_entry *entry, const char *name) {
    struct stat there;
    char *path = format_text("%s/%s", s->place->target, name);
    const bool exists = lstat(path, &there) == 0;
    free(path);
    if (!exists) return false;
    if (there.st_ino == entry->status.st_ino && there.st_dev == entry->status.st_dev) return true;
    if (entry->kind == WALK_LINK) return S_ISLNK(there.st_mode);
    manifest copied = {.entries = NULL};
    const bool same = manifest_add(&copied, s->folder, name) &&
                      manifest_entry_holds(&copied.entries[0], s->place->target);
    if (!same) need_memory();
    manifest_free(&copied);
    return same;
}

/* After lstat failed: what cannot be looked at is not gone. */
static bool is_absent(void) {
    return errno == ENOENT || errno == ENOTDIR;
}

static bool move_to_target(const stroll *s, const walk_entry *entry, const char *name,
                           stiction_error *error) {
    struct stat status;
    char *to = format_text("%s/%s", s->place->target, name);
    const bool fine =
        (lstat(to, &status) != 0 && is_absent() && make_above(s->place->target, name) &&
         rename(entry->path, to) == 0 && storage_sync_above(to)) ||
        fail(error,
             "%s was not written by stiction and is left over from what was in "
             "%s; move it away",
             entry->path, s->place->target);
    free(to);
    return fine;
}

static bool dispose_one(const stroll *s, const walk_entry *entry, const char *name,
                        stiction_error *error) {
    if (is_unreadable(entry)) return fail(error, "%s: %s", entry->path, strerror(entry->why));
    if (entry->kind == WALK_FOLDER) {
        folder_open_to_us(entry->path); /* what was in it is in the target by now */
        return true;
    }
    if (entry->kind == WALK_FOLDER_END) {
        (void)rmdir(entry->path);
        return true;
    }
    if (!is_ours(s, name) && !is_in_target(s, entry, name))
        return move_to_target(s, entry, name, error);
    if (strcmp(name, MANIFEST_NAME) == 0) return true; /* the last: it says whose the others are */
    return unlink(entry->path) == 0 || fail_errno(error, entry->path);
}

static void remove_list(const char *folder) {
    char *list = format_text("%s/" MANIFEST_NAME, folder);
    (void)unlink(list);
    free(list);
}

bool place_dispose(const place *p, const char *folder, stiction_error *error) {
    struct stat status;
    if (lstat(folder, &status) != 0) return is_absent() || fail_errno(error, folder);
    stroll s;
    const char *name;
    bool fine = stroll_begin(&s, p, folder, error);
    for (const walk_entry *entry; s.walk && (entry = stroll_next(&s, &name)) != NULL;)
        fine = dispose_one(&s, entry, name, error) && fine;
    stroll_end(&s);
    if (fine) remove_list(folder);
    (void)rmdir(folder);
    return fine;
}

bool place_clear(const char *folder, stiction_error *error) {
    stroll s;
    const char *name;
    bool fine = stroll_begin(&s, &(place){.rule = PLACE_OWN}, folder, error);
    for (const walk_entry *entry; s.walk && (entry = stroll_next(&s, &name)) != NULL;)
        if (is_unreadable(entry))
            fine = false;
        else if (entry->kind == WALK_FOLDER_END)
            (void)rmdir(entry->path);
        else if (entry->kind != WALK_FOLDER && manifest_has(&s.list, name))
            fine = unlink(entry->path) == 0 && fine;
    if (fine && s.listed) remove_list(folder); /* the last: it says whose the others are */
    stroll_end(&s);
    return rmdir(folder) == 0 || is_absent() ||
           fail(error,
                "%s has files in it that are not listed as written by stiction (in "
                "its " MANIFEST_NAME "); they are left there",
                folder);
}
