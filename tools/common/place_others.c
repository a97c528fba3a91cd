/*
 * What is in a place and is not ours: it stands in the way, or it stays there when results around
 * it are replaced.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "folder.h"
#include "place.h"
#include "storage/manifest.h"
#include "storage/sync.h"

bool place_is_our_name(const char *name) {
    static const char *const patterns[] = {
        MANIFEST_NAME,  "summary.json", "joints.csv", "report.html",      "settings.json",
        "messages.txt", "position.png", "torque.png", "law.png",          "position-*.png",
        "torque-*.png", "law-*.png",    "video",      "video/frame_*.png"};
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
    FTS *walk;
} stroll;

static bool stroll_begin(stroll *s, const place *p, const char *folder) {
    *s = (stroll){.place = p, .folder = folder};
    s->listed = manifest_read(&s->list, folder) == MANIFEST_FINE;
    char *const roots[] = {(char *)folder, NULL};
    s->walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    return s->walk != NULL || complain("%s: %s", folder, strerror(errno));
}

static void stroll_end(stroll *s) {
    if (s->walk) (void)fts_close(s->walk);
    manifest_free(&s->list);
}

/* The next entry below the folder; its name is that of the list. */
static const FTSENT *stroll_next(stroll *s, const char **name) {
    const FTSENT *entry;
    do entry = fts_read(s->walk);
    while (entry && entry->fts_level == 0 && entry->fts_info != FTS_DNR);
    *name = entry && entry->fts_level > 0 ? entry->fts_path + strlen(s->folder) + 1 : "";
    return entry;
}

static bool is_unreadable(const FTSENT *entry) {
    return entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS;
}

/* Of a file or a link. */
static bool is_ours(const stroll *s, const char *name) {
    if (manifest_has(&s->list, name)) return true;
    if (s->place->rule == PLACE_OWN && place_is_our_name(name)) return true;
    return s->listed && strcmp(name, MANIFEST_NAME) == 0;
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

static bool is_obstacle(const stroll *s, const FTSENT *entry, const char *name) {
    if (is_unreadable(entry)) return true;
    if (entry->fts_info == FTS_DP) return false;
    if (entry->fts_info == FTS_D) return manifest_has(&s->list, name) || place_is_our_name(name);
    if (is_ours(s, name)) return false;
    return place_is_our_name(name) || is_other_video(s, name) || is_fresh(s->place, name);
}

char *place_obstacle(const place *p) {
    struct stat status;
    if (lstat(p->target, &status) != 0) return NULL;
    stroll s;
    const char *name;
    char *found = NULL;
    if (!stroll_begin(&s, p, p->target)) found = copy_text(".");
    for (const FTSENT *entry; !found && (entry = stroll_next(&s, &name)) != NULL;)
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
static bool copy(const FTSENT *entry, const char *from, const char *to) {
    if (entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE) return copy_link(from, to);
    if (entry->fts_info != FTS_F) return false;
    return folder_copy_file(from, to, entry->fts_statp->st_mode & 07777);
}

static bool carry_one(const place *p, const FTSENT *entry, const char *name) {
    char *to = format_text("%s/%s", p->fresh, name);
    bool fine = make_above(p->fresh, name);
    if (entry->fts_info == FTS_D)
        fine = fine && (mkdir(to, 0777) == 0 || errno == EEXIST);
    else
        fine = fine && (link(entry->fts_path, to) == 0 ||
                        (errno != EEXIST && copy(entry, entry->fts_path, to)));
    if (!fine) (void)complain("%s cannot be kept: %s", entry->fts_path, strerror(errno));
    free(to);
    return fine;
}

bool place_carry(const place *p) {
    stroll s;
    const char *name;
    bool fine = stroll_begin(&s, p, p->target);
    for (const FTSENT *entry; fine && (entry = stroll_next(&s, &name)) != NULL;) {
        if (is_unreadable(entry))
            fine = complain("%s: %s", entry->fts_path, strerror(entry->fts_errno));
        else if (entry->fts_info == FTS_D ? !manifest_has_below(&s.list, name)
                                          : entry->fts_info != FTS_DP && !is_ours(&s, name))
            fine = carry_one(p, entry, name);
    }
    stroll_end(&s);
    return fine;
}

/* ---- what was replaced ---- */

static bool is_in_target(const stroll *s, const FTSENT *entry, const char *name) {
    struct stat there;
    char *path = format_text("%s/%s", s->place->target, name);
    const bool exists = lstat(path, &there) == 0;
    free(path);
    if (!exists) return false;
    if (there.st_ino == entry->fts_statp->st_ino && there.st_dev == entry->fts_statp->st_dev)
        return true;
    if (entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE) return S_ISLNK(there.st_mode);
    manifest copied = {.entries = NULL};
    const bool same = manifest_add(&copied, s->folder, name) &&
                      manifest_entry_holds(&copied.entries[0], s->place->target);
    manifest_free(&copied);
    return same;
}

static bool move_to_target(const stroll *s, const FTSENT *entry, const char *name) {
    struct stat status;
    char *to = format_text("%s/%s", s->place->target, name);
    const bool fine = (lstat(to, &status) != 0 && make_above(s->place->target, name) &&
                       rename(entry->fts_path, to) == 0 && storage_sync_above(to)) ||
                      complain("%s was not written by stiction and is left over from what was in "
                               "%s; move it away",
                               entry->fts_path, s->place->target);
    free(to);
    return fine;
}

static bool dispose_one(const stroll *s, const FTSENT *entry, const char *name) {
    if (is_unreadable(entry))
        return complain("%s: %s", entry->fts_path, strerror(entry->fts_errno));
    if (entry->fts_info == FTS_D) return true;
    if (entry->fts_info == FTS_DP) {
        (void)rmdir(entry->fts_path);
        return true;
    }
    if (!is_ours(s, name) && !is_in_target(s, entry, name)) return move_to_target(s, entry, name);
    return unlink(entry->fts_path) == 0 || complain("%s: %s", entry->fts_path, strerror(errno));
}

bool place_dispose(const place *p, const char *folder) {
    struct stat status;
    if (lstat(folder, &status) != 0) return true;
    stroll s;
    const char *name;
    bool fine = stroll_begin(&s, p, folder);
    for (const FTSENT *entry; s.walk && (entry = stroll_next(&s, &name)) != NULL;)
        fine = dispose_one(&s, entry, name) && fine;
    stroll_end(&s);
    (void)rmdir(folder);
    return fine;
}

void place_clear(const char *folder) {
    const place own = {.rule = PLACE_OWN};
    stroll s;
    const char *name;
    (void)stroll_begin(&s, &own, folder);
    for (const FTSENT *entry; s.walk && (entry = stroll_next(&s, &name)) != NULL;)
        if (entry->fts_info == FTS_DP)
            (void)rmdir(entry->fts_path);
        else if (entry->fts_info != FTS_D && is_ours(&s, name))
            (void)unlink(entry->fts_path);
    stroll_end(&s);
    (void)rmdir(folder);
}
