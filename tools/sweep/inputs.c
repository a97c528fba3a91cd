/* SPDX-License-Identifier: MIT
 * The files that the runs of a sweep read.
 */
#include "sweep/inputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"

/* ---- paths ---- */

/* The path without links but for the file itself; NULL: its folder is not there. */
static char *full_path(const char *path) {
    char real[PATH_MAX];
    const char *slash = strrchr(path, '/');
    AUTO_FREE char *folder =
        slash ? format_text("%.*s/", (int)(slash - path), path) : copy_text(".");
    const bool found = realpath(folder, real) != NULL;
    return found
               ? format_text("%s/%s", strcmp(real, "/") == 0 ? "" : real, slash ? slash + 1 : path)
               : NULL;
}

static bool hash_file(const char *path, char digest[MANIFEST_DIGEST_SIZE]) {
    AUTO(manifest_free) manifest one = {.entries = NULL};
    char real[PATH_MAX]; /* a manifest takes no links */
    const bool fine = realpath(path, real) && manifest_add(&one, "", real);
    if (fine)
        memcpy(digest, one.entries[0].digest, MANIFEST_DIGEST_SIZE);
    else
        need_memory();
    return fine;
}

/* ---- the list ---- */

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

static void add_full(sweep_inputs *inputs, char *path) {
    sweep_input one = {.path = path, .name = path_relative(inputs->folder, path)};
    bool known = false;
    for (size_t k = 0; k < inputs->count && !known; k++)
        known = strcmp(inputs->files[k].name, one.name) == 0;
    if (known || stat(path, &one.status) != 0 || !S_ISREG(one.status.st_mode) ||
        !hash_file(path, one.digest)) {
        free(one.name);
        free(path);
        return;
    }
    inputs->files = reallocate(inputs->files, inputs->count + 1, sizeof *inputs->files);
    inputs->files[inputs->count++] = one;
}

void sweep_inputs_add(sweep_inputs *inputs, const char *path) {
    char *full = full_path(path);
    if (full && strncmp(full, "/proc/", 6) != 0 && strncmp(full, "/sys/", 5) != 0)
        add_full(inputs, full);
    else
        free(full);
}

void sweep_inputs_free(sweep_inputs *inputs) {
    for (size_t k = 0; k < inputs->count; k++) {
        free(inputs->files[k].name);
        free(inputs->files[k].path);
    }
    free(inputs->files);
    free(inputs->folder);
    *inputs = (sweep_inputs){.count = 0};
}

/* ---- comparing ---- */

/* Adds the files that complete runs read; *changed gets the first that is another now. */
static void take_recorded(sweep_inputs *inputs, const manifest *list, const char **changed) {
    for (size_t k = 0; k < list->count; k++) {
        const char *name = list->entries[k].name;
        const size_t before = inputs->count;
        AUTO_FREE char *path = format_text("%s/%s", inputs->folder, name);
        sweep_inputs_add(inputs, path);
        const bool same = inputs->count > before &&
                          strcmp(inputs->files[before].digest, list->entries[k].digest) == 0;
        if (!same && !*changed) *changed = name;
    }
}

bool sweep_inputs_check(sweep_inputs *inputs, const sweep_runner *r, bool accept,
                        stiction_error *error) {
    const size_t complete =
        sweep_states_count(r->states, SWEEP_DONE) + sweep_states_count(r->states, SWEEP_FAILED);
    AUTO_FREE char *file = full_path(r->file);
    *inputs = (sweep_inputs){.count = 0};
    inputs->folder =
        file ? format_text("%.*s", (int)(strrchr(file, '/') - file), file) : copy_text("/");
    if (!r->store->records || !complete) return true;
    AUTO(manifest_free) manifest list;
    const char *changed = NULL;
    bool fine = records_inputs(r->store->records, &list, error);
    if (fine) take_recorded(inputs, &list, &changed);
    if (fine && changed && !accept)
        fine = fail(error,
                    "'%s' has changed since %zu run%s of this sweep %s done, so nothing was "
                    "started; put it back, give --force to do all runs again, or --accept-changes "
                    "to do the rest with the new file",
                    changed, complete, complete == 1 ? "" : "s", complete == 1 ? "was" : "were");
    return fine;
}

bool sweep_inputs_hold(sweep_inputs *inputs, stiction_error *error) {
    for (size_t k = 0; k < inputs->count; k++) {
        sweep_input *f = &inputs->files[k];
        struct stat now;
        char digest[MANIFEST_DIGEST_SIZE];
        const bool there = stat(f->path, &now) == 0;
        if (there && is_same_file(&now, &f->status)) continue;
        if (!there || !hash_file(f->path, digest) || strcmp(digest, f->digest) != 0)
            return fail(error,
                        "'%s' has changed since the sweep began, so that it was stopped: put it "
                        "back and give the same command, or do all runs again with --force, or the "
                        "rest with the new file with --accept-changes",
                        f->name);
        f->status = now; /* touched, but the same */
    }
    return true;
}

bool sweep_inputs_record(const sweep_inputs *inputs, sweep_store *store, stiction_error *error) {
    AUTO(manifest_free) manifest list = {.entries = NULL};
    for (size_t k = 0; k < inputs->count; k++) {
        manifest_entry entry = {.name = inputs->files[k].name};
        memcpy(entry.digest, inputs->files[k].digest, sizeof entry.digest);
        if (!manifest_add_entry(&list, &entry)) (void)must_have(NULL);
    }
    return records_put_inputs(store->records, &list, error);
}
