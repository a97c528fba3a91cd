/* SPDX-License-Identifier: MIT
 * The folder of a sweep: lock, plan, run folders and rows.
 */
#include "sweep/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "storage/folders.h"
#include "json/json_in.h"
#include "json/json_out.h"

/* Attempts, 50 ms apart: the processes of a killed sweep may still be dying. */
enum { patience = 40 };

static const char plan_name[] = "sweep.json";

static const char *const our_names[] = {"runs",       RECORDS_NAME, RECORDS_NAME "-journal",
                                        "sweep.csv",  "sweep.html", "sweep.json",
                                        MANIFEST_NAME};
enum { name_count = sizeof our_names / sizeof our_names[0] };

static bool is_there(const char *folder, const char *name) {
    struct stat status;
    AUTO_FREE char *path = format_text("%s/%s", folder, name);
    return lstat(path, &status) == 0;
}

static bool has_sweep(const char *folder) {
    return is_there(folder, plan_name);
}

static json_t *read_json(const char *folder, const char *name, stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/%s", folder, name);
    json_t *json = json_in_read(path, error);
    if (!json && error->status == STICTION_OUT_OF_MEMORY) (void)must_have(NULL);
    return json;
}

bool sweep_plan_load(const char *folder, sweep_plan *plan, stiction_error *error) {
    json_auto_t *json = read_json(folder, plan_name, error);
    *plan = (sweep_plan){.projects = NULL};
    return (json && sweep_plan_read_json(plan, json)) ||
           fail(error, "%s: there is no sweep in it (a readable sweep.json)", folder);
}

bool sweep_folder_has(const char *folder, const sweep_plan *plan, bool *same,
                      stiction_error *error) {
    AUTO(sweep_plan_free) sweep_plan there;
    const bool fine = sweep_plan_load(folder, &there, error);
    json_auto_t *json = fine ? sweep_plan_json(&there) : NULL;
    *same = fine && sweep_plan_is(plan, json);
    return fine;
}

/* ---- run folders ---- */

char *sweep_run_folder(const char *folder, const sweep_plan *plan, size_t run) {
    char *name = sweep_plan_name(plan, run), *path = format_text("%s/runs/%s", folder, name);
    free(name);
    return path;
}

/* "0007-9f3a61c2" */
static const char name_pattern[] = "[0-9][0-9][0-9][0-9]*-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
                                   "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]";

/* What is damaged; NULL: all files are as SHA256SUMS lists them. */
static char *find_damage(const char *path) {
    AUTO(manifest_free) manifest list;
    const char *reason, *name = NULL;
    char *damage = NULL;
    switch (manifest_read(&list, path)) {
    case MANIFEST_FINE:
        name = manifest_check(&list, path, &reason);
        if (name) need_memory();
        if (name) damage = format_text("%s %s", name, reason);
        if (!name && !manifest_has(&list, "settings.json"))
            damage = copy_text("settings.json is missing in " MANIFEST_NAME);
        break;
    case MANIFEST_ABSENT:
        damage = copy_text(MANIFEST_NAME " is missing");
        break;
    case MANIFEST_DAMAGED:
        damage = copy_text(MANIFEST_NAME " is damaged");
        break;
    case MANIFEST_UNREAD:
        damage = format_text(MANIFEST_NAME ": %s", strerror(errno));
    }
    return damage;
}

sweep_state sweep_run_state(const char *folder, const sweep_plan *plan, size_t run, char **reason) {
    AUTO_FREE char *path = sweep_run_folder(folder, plan, run);
    sweep_state state = SWEEP_DAMAGED;
    *reason = NULL;
    if (!file_exists(path)) {
        state = SWEEP_ABSENT;
    } else if (!(*reason = find_damage(path))) {
        stiction_error error;
        json_auto_t *settings = read_json(path, "settings.json", &error);
        const char *failure = json_string_value(json_object_get(settings, "failure"));
        state = failure ? SWEEP_FAILED : SWEEP_DONE;
        if (failure) *reason = copy_text(failure);
    }
    return state;
}

bool sweep_store_open_run(const sweep_store *store, size_t run, place *p, stiction_error *error) {
    AUTO_FREE char *path = sweep_run_folder(store->folder, store->plan, run);
    return place_open(p, path, PLACE_OWN, error);
}

/* ---- rows ---- */

/* `data` NULL: it has no figures. */
static bool put_row(sweep_store *store, record *row, const run_data *data, stiction_error *error) {
    AUTO_FREE record_joint *joints = data ? run_figures(data, &row->joint_count) : NULL;
    AUTO_FREE char *warnings = data ? run_data_warnings(data) : NULL;
    row->joints = joints;
    row->warnings = warnings;
    row->stable = data && run_data_is_stable(data);
    return records_put(store->records, row, error) && records_tick(store->records, error);
}

static const char unreadable[] = "its results cannot be read";

bool sweep_store_adopt(sweep_store *store, size_t run, const char *reason, stiction_error *error) {
    AUTO_FREE char *path = sweep_run_folder(store->folder, store->plan, run);
    AUTO(run_data_release) run_data data = {.folder = NULL};
    stiction_error unread;
    const bool read = !reason && run_data_load_summary(&data, path, &unread);
    record row = {.run = run, .failed = reason, .reason = reason, .has_series = true};
    if (!reason && !read) row.reason = unreadable;
    return put_row(store, &row, read ? &data : NULL, error);
}

bool sweep_store_wants_series(const sweep_store *store, size_t run) {
    return !store->keep || sweep_keep_wants(store->keep, store->plan, run);
}

static bool commit_folder(const sweep_store *store, size_t run, place *p, const char *failure,
                          stiction_error *error) {
    json_auto_t *settings = sweep_plan_run_json(store->plan, run);
    (void)json_out_set(settings, "failure", failure ? json_out_text(failure) : json_null());
    AUTO_FREE char *path = format_text("%s/settings.json", p->fresh);
    return (json_out_write(settings, path) || fail_errno(error, path)) && place_commit(p, error);
}

bool sweep_store_commit(sweep_store *store, size_t run, place *p, const sweep_outcome *o,
                        stiction_error *error) {
    AUTO(run_data_release) run_data data = {.folder = NULL};
    stiction_error unread;
    bool read = false;
    if (!o->failure && o->summary)
        read = run_data_take_summary(&data, o->summary, &unread);
    else if (!o->failure)
        read = run_data_load_summary(&data, o->folder, &unread);
    record row = {.run = run, .failed = o->failure, .reason = o->failure};
    if (!o->failure && !read) row.reason = unreadable;
    row.has_series =
        p && (!store->keep || sweep_keep_holds(store->keep, store->plan, run, read ? &data : NULL));
    AUTO_FREE char *path = sweep_run_folder(store->folder, store->plan, run);
    bool fine = true;
    if (row.has_series)
        fine = commit_folder(store, run, p, o->failure, error);
    else if (file_exists(path))
        (void)place_clear(path, &unread); /* of an earlier run; files that are not ours stay */
    return fine && put_row(store, &row, read ? &data : NULL, error);
}

/* ---- whose folder it is ---- */

static bool lock(sweep_store *store, stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/.lock", store->folder);
    store->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool fine = store->lock >= 0 || fail_errno(error, path);
    int tries = 0;
    while (fine && flock(store->lock, LOCK_EX | LOCK_NB) != 0) {
        const struct timespec step = {0, 50000000};
        if (errno != EWOULDBLOCK && errno != EINTR)
            fine = fail_errno(error, path);
        else if (++tries == patience)
            fine = fail(error,
                        "another sweep writes into %s at this moment; wait for it, or give "
                        "another --out",
                        store->folder);
        else
            (void)nanosleep(&step, NULL);
    }
    return fine;
}

/* Files of a sweep that was killed at its start, and of Slurm. */
static bool may_be_there(const char *name) {
    static const char *const names[] = {".lock", ".part", "." MANIFEST_NAME ".part", ".shards",
                                        ".slurm"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(name, names[k]) == 0) return true;
    return false;
}

static bool is_empty(const char *folder, stiction_error *error) {
    AUTO_FREE char *other = folder_first_other(folder, may_be_there);
    return !other ||
           fail(error,
                "%s/%s exists and does not belong to a sweep; move it away, or give another "
                "--out",
                folder, other);
}

static const char *text_or_none(const char *text) {
    return text ? text : "";
}

/* Whether sweep.json has another condition for runs that work. */
static bool works_differently(const sweep_store *store) {
    AUTO(sweep_plan_free) sweep_plan there;
    stiction_error unused;
    const sweep_works *a = &store->plan->works, *b = &there.works;
    return sweep_plan_load(store->folder, &there, &unused) &&
           (strcmp(text_or_none(a->text), text_or_none(b->text)) != 0 ||
            strcmp(text_or_none(a->edge), text_or_none(b->edge)) != 0 || a->largest != b->largest);
}

static bool is_same_sweep(const sweep_store *store, stiction_error *error) {
    bool same;
    if (!sweep_folder_has(store->folder, store->plan, &same, error))
        return fail(error,
                    "%s/sweep.json is damaged; give --force to replace the sweep, or another --out",
                    store->folder);
    return same || fail(error,
                        "%s has the results of another sweep; give --force to replace them, or "
                        "another --out",
                        store->folder);
}

/* With the lock, unless the folder has no sweep. */
static bool examine_folder(sweep_store *store, stiction_error *error) {
    store->is_sweep = has_sweep(store->folder);
    if (!store->is_sweep) return is_empty(store->folder, error);
    if (store->force) return true;
    if (!is_same_sweep(store, error)) return false;
    store->works_differently = works_differently(store);
    if (!records_exist(store->folder)) return true;
    store->records = records_open(store->folder, store->plan, error);
    return store->records != NULL;
}

bool sweep_store_open(sweep_store *store, const char *folder, const sweep_plan *plan, bool force,
                      stiction_error *error) {
    *store = (sweep_store){.folder = folder, .plan = plan, .lock = -1, .force = force};
    if (!file_exists(folder)) return true;
    return (!has_sweep(folder) || lock(store, error)) && examine_folder(store, error);
}

/* ---- taking it ---- */

static void remove_scratch(const char *runs) {
    DIR *folder = folder_open(runs);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        AUTO_FREE char *pattern = format_text(".%s.part", name_pattern);
        if (fnmatch(pattern, entry->d_name, 0) == 0) {
            stiction_error unused;
            AUTO(place_close) place p;
            AUTO_FREE char *target = format_text("%s/%s", runs, entry->d_name + 1);
            *strrchr(target, '.') = '\0';
            (void)place_open(&p, target, PLACE_OWN, &unused); /* which recovers it */
        }
    }
    if (folder) (void)closedir(folder);
}

/* Run folders with files of others stay. */
static void clear_sweep(const char *folder) {
    AUTO_FREE char *runs = format_text("%s/runs", folder);
    remove_scratch(runs);
    DIR *list = folder_open(runs);
    for (const struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        if (fnmatch(name_pattern, entry->d_name, 0) == 0) {
            stiction_error unused;
            AUTO_FREE char *run = format_text("%s/%s", runs, entry->d_name);
            (void)place_clear(run, &unused);
        }
    if (list) (void)closedir(list);
    (void)rmdir(runs);
    bool all = true; /* the list goes last, because it marks the rest as ours */
    for (size_t k = 0; k < name_count && (all || k + 1 < name_count); k++) {
        AUTO_FREE char *path = format_text("%s/%s", folder, our_names[k]);
        all = (unlink(path) == 0 || errno == ENOENT || errno == EISDIR) && all;
    }
}

bool sweep_store_remove(const char *folder, stiction_error *error) {
    AUTO_FREE char *lock_file = format_text("%s/.lock", folder);
    clear_sweep(folder);
    (void)unlink(lock_file);
    return rmdir(folder) == 0 || errno == ENOENT ||
           fail(error, "%s has files that stiction did not write; they are left there", folder);
}

bool sweep_store_write_plan(const sweep_store *store, stiction_error *error) {
    AUTO(place_close) place p;
    bool fine = place_open_folder(&p, store->folder, error);
    if (fine) {
        AUTO_FREE char *path = format_text("%s/%s", p.fresh, plan_name);
        json_auto_t *plan = sweep_plan_json(store->plan);
        fine =
            (json_out_write(plan, path) || fail_errno(error, path)) && place_add(&p, true, error);
    }
    return fine;
}

static bool plan_is_listed(const char *folder) {
    AUTO(manifest_free) manifest list;
    (void)manifest_read(&list, folder);
    return manifest_has(&list, plan_name);
}

bool sweep_store_take(sweep_store *store, stiction_error *error) {
    if (store->lock < 0 && /* it was not there, or had no sweep */
        !(folder_make(store->folder, error) && lock(store, error) && examine_folder(store, error)))
        return false;
    const bool fresh = !store->is_sweep || store->force || store->works_differently ||
                       !plan_is_listed(store->folder);
    AUTO_FREE char *runs = format_text("%s/runs", store->folder);
    if (store->is_sweep && store->force) clear_sweep(store->folder);
    bool fine = (!fresh || sweep_store_write_plan(store, error)) && folder_make(runs, error);
    if (fine) remove_scratch(runs);
    if (fine && !store->records) store->records = records_create(store->folder, store->plan, error);
    return fine && store->records;
}

void sweep_store_close(sweep_store *store) {
    records_close(store->records);
    store->records = NULL;
    if (store->lock >= 0) (void)close(store->lock);
    store->lock = -1;
}
