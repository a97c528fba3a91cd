/*
 * The folder of a sweep: lock, plan, scratch folders and complete runs.
 */
#include "sweep/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "json/json_in.h"
#include "json/json_out.h"

/* How long the processes of a killed sweep may take to die, in steps of a twentieth of a second. */
enum { patience = 40 };

static bool in_words(const char *path) {
    return complain("%s: %s", path, strerror(errno));
}

/* ---- JSON files ---- */

static bool write_json(const char *folder, const char *name, const json_t *json) {
    char *path = format_text("%s/%s", folder, name);
    const bool fine = json_out_write(json, path) || in_words(path);
    free(path);
    return fine;
}

/* NULL: there is none, or it is no JSON. */
static json_t *read_json(const char *folder, const char *name) {
    char *path = format_text("%s/%s", folder, name);
    json_t *json = json_in_read(path, NULL);
    free(path);
    return json;
}

bool sweep_plan_load(const char *folder, sweep_plan *plan) {
    json_t *json = read_json(folder, "sweep.json");
    *plan = (sweep_plan){.projects = NULL};
    const bool fine =
        (json && sweep_plan_read_json(plan, json)) ||
        complain("%s: there is no sweep (a sweep.json that can be read) in it", folder);
    json_decref(json);
    return fine;
}

/* ---- runs ---- */

char *sweep_run_folder(const char *folder, const sweep_plan *plan, size_t run) {
    char *name = sweep_plan_name(plan, run), *path = format_text("%s/runs/%s", folder, name);
    free(name);
    return path;
}

static json_t *run_settings(const char *folder, const sweep_plan *plan, size_t run) {
    char *path = sweep_run_folder(folder, plan, run);
    json_t *settings = read_json(path, "settings.json");
    free(path);
    return settings;
}

sweep_state sweep_run_state(const char *folder, const sweep_plan *plan, size_t run, char **reason) {
    json_t *settings = run_settings(folder, plan, run);
    const json_t *failure = json_object_get(settings, "failure");
    const sweep_state state = !failure                  ? SWEEP_ABSENT
                              : json_is_string(failure) ? SWEEP_FAILED
                                                        : SWEEP_DONE;
    if (reason) *reason = state == SWEEP_FAILED ? copy_text(json_string_value(failure)) : NULL;
    json_decref(settings);
    return state;
}

bool sweep_run_fits(const char *folder, const sweep_plan *plan, size_t run) {
    json_t *settings = run_settings(folder, plan, run), *wanted = sweep_plan_run_json(plan, run);
    json_object_del(settings, "failure");
    const bool fits = settings && sweep_json_same(settings, wanted);
    json_decref(settings);
    json_decref(wanted);
    return fits;
}

char *sweep_store_scratch(const sweep_store *store, size_t run) {
    char *name = sweep_plan_name(store->plan, run);
    char *path = format_text("%s/runs/.%s.XXXXXX", store->folder, name);
    free(name);
    if (mkdtemp(path)) return path;
    (void)in_words(path);
    free(path);
    return NULL;
}

bool sweep_store_put(const sweep_store *store, size_t run, const char *from) {
    char *to = sweep_run_folder(store->folder, store->plan, run);
    folder_remove(to); /* one that failed before */
    const bool fine = rename(from, to) == 0 || in_words(to);
    free(to);
    return fine;
}

bool sweep_store_commit(const sweep_store *store, size_t run, const char *from,
                        const char *failure) {
    json_t *settings = sweep_plan_run_json(store->plan, run);
    /* what a program said need not be UTF-8 */
    json_t *reason = failure ? json_out_text(failure) : json_null();
    (void)json_out_set(settings, "failure", reason);
    const bool fine =
        write_json(from, "settings.json", settings) && sweep_store_put(store, run, from);
    json_decref(settings);
    return fine;
}

/* ---- the folder ---- */

static bool lock(sweep_store *store) {
    char *path = format_text("%s/.lock", store->folder);
    store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool fine = store->lock >= 0 || in_words(path);
    int tries = 0;
    while (fine && flock(store->lock, LOCK_EX | LOCK_NB) != 0) {
        const struct timespec while_it_dies = {0, 50000000};
        if (errno != EWOULDBLOCK && errno != EINTR)
            fine = in_words(path);
        else if (++tries == patience)
            fine = complain("another sweep writes into %s at this moment; wait for it, or give "
                            "another --out",
                            store->folder);
        else
            (void)nanosleep(&while_it_dies, NULL);
    }
    free(path);
    return fine;
}

static void remove_in(const char *folder, const char *name) {
    char *path = format_text("%s/%s", folder, name);
    folder_remove(path);
    free(path);
}

/* What killed sweeps left. */
static void remove_scratch(const char *runs) {
    DIR *folder = opendir(runs);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] == '.' && strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0)
            remove_in(runs, entry->d_name);
    if (folder) (void)closedir(folder);
}

/* The plan goes last: until then the folder is that of the old sweep. */
static void empty(const char *folder) {
    static const char *const ours[] = {"runs", "sweep.csv", "sweep.html"};
    for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++) remove_in(folder, ours[k]);
}

static bool take(const sweep_store *store, const char *runs, bool force) {
    json_t *there = read_json(store->folder, "sweep.json");
    json_t *plan = sweep_plan_json(store->plan);
    const bool ours = there != NULL, same = ours && sweep_json_same(there, plan);
    bool fine = true;
    if (ours && !same && !force)
        fine = complain("%s has the results of another sweep; give --force to replace them, or "
                        "another --out",
                        store->folder);
    else if (!ours && file_exists(runs))
        fine = complain("%s is there and is of no sweep; give another --out", runs);
    else if (ours && force)
        empty(store->folder);
    if (fine && (!same || force)) fine = write_json(store->folder, "sweep.json", plan);
    json_decref(there);
    json_decref(plan);
    return fine && folder_make(runs);
}

bool sweep_store_open(sweep_store *store, const char *folder, const sweep_plan *plan, bool force) {
    *store = (sweep_store){folder, plan, -1};
    if (!folder_make(folder) || !lock(store)) return false;
    char *runs = format_text("%s/runs", folder);
    const bool fine = take(store, runs, force);
    if (fine) remove_scratch(runs);
    free(runs);
    return fine;
}

void sweep_store_close(sweep_store *store) {
    if (store->lock >= 0) (void)close(store->lock);
    store->lock = -1;
}
