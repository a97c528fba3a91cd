/* SPDX-License-Identifier: MIT
 * Files that are written whole, lists of them and walks through folders, while memory ends at every
 * place: a failure sets errno, and a file is complete or absent.
 * usage: faults_storage FOLDER
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "in_turn.h"
#include "storage/folders.h"
#include "storage/manifest.h"
#include "storage/whole.h"

static const char *folder;

/* Notes a call that has no status but errno. */
static bool did(walk *w, const char *call, bool fine) {
    if (fine) return true;
    snprintf(w->error.message, sizeof w->error.message, "%s", strerror(errno));
    return went(w, call, errno == ENOMEM ? STICTION_OUT_OF_MEMORY : STICTION_INVALID_ARGUMENT);
}

static bool write_file(walk *w, const char *name) {
    char path[500];
    storage_file file;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!did(w, "storage_file_begin", storage_file_begin(&file, path))) return false;
    (void)fprintf(file.out, "%s\n", name);
    return did(w, "storage_file_end", storage_file_end(&file));
}

static bool count_file(void *user, const char *path) {
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return storage_visit(path, count_file, user);
    *(double *)user += 1;
    return true;
}

static void go(walk *w) {
    manifest made_list = {.entries = NULL}, read_list = {.entries = NULL};
    const char *reason = NULL;
    bool fine = write_file(w, "one.csv") && write_file(w, "below/two.csv") &&
                did(w, "manifest_add_all", manifest_add_all(&made_list, folder)) &&
                did(w, "manifest_write", manifest_write(&made_list, folder)) &&
                did(w, "manifest_read", manifest_read(&read_list, folder) == MANIFEST_FINE) &&
                did(w, "manifest_check", !manifest_check(&read_list, folder, &reason)) &&
                did(w, "storage_visit", storage_visit(folder, count_file, &w->result));
    if (fine) w->result += 100 * (double)read_list.count;
    manifest_free(&made_list);
    manifest_free(&read_list);
}

/* A terminal, pipe or device is written to as it is; a place that is none is refused. */
static int other_places(void) {
    storage_file file;
    int bad = 0;
    if (!storage_file_begin(&file, "/dev/null") || !storage_file_end(&file)) {
        printf("FAILED: /dev/null is not written to: %s\n", strerror(errno));
        bad++;
    }
    char path[500];
    (void)snprintf(path, sizeof path, "%s/nowhere/file", folder);
    if (storage_file_begin(&file, path) || errno != ENOENT) {
        printf("FAILED: a file in a folder that is not there: %s\n", strerror(errno));
        bad++;
    }
    return bad;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    folder = argv[1];
    char below[500];
    (void)snprintf(below, sizeof below, "%s/below", folder);
    (void)mkdir(folder, 0777);
    (void)mkdir(below, 0777);
    const in_turn all = {.name = "storage", .go = go, .first = 1000, .then = -1};
    return try_in_turn(&all, false) + try_in_turn(&all, true) + other_places() != 0;
}
