/*
 * The folder of a sweep: lock, plan, scratch folders and complete runs.
 */
#include "sweep/store.h"

#include <dirent.h>
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

#include "common/command.h"
#include "common/folder.h"
#include "storage/sync.h"
#include "storage/walk.h"
#include "sweep/fingerprint.h"
#include "json/json_in.h"
#include "json/json_out.h"

/* How long the processes of a killed sweep may take to die, in steps of a twentieth of a second. */
enum { patience = 40 };

/* In the folder of a sweep: what was there before --force, and the same while it moves there. */
static const char before_name[] = ".before", moving_name[] = ".before.part";

/* What a sweep writes into its folder. */
static const char *const our_names[] = {"runs",       RECORDS_NAME, RECORDS_JOURNAL, "sweep.csv",
                                        "sweep.html", "sweep.json", MANIFEST_NAME};
enum { name_count = sizeof our_names / sizeof our_names[0] };
/* Those of them that no list has: they change while a sweep goes on. */
static bool is_unlisted(const char *name) {
    return strcmp(name, "runs") == 0 || strcmp(name, RECORDS_NAME) == 0 ||
           strcmp(name, RECORDS_JOURNAL) == 0;
}

static bool in_words(const char *path) {
    return complain("%s: %s", path, strerror(errno));
}

static bool is_there(const char *folder, const char *name) {
    struct stat status;
    char *path = format_text("%s/%s", folder, name);
    const bool there = lstat(path, &status) == 0;
    free(path);
    return there;
}

/* ---- JSON files ---- */

/* NULL: there is none, or it is no JSON. */
static json_t *read_json(const char *folder, const char *name) {
    char *path = format_text("%s/%s", folder, name);
    stiction_error error;
    json_t *json = json_in_read(path, &error);
    if (!json && error.status == STICTION_OUT_OF_MEMORY) (void)must_have(NULL);
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

/* The name of a run: "0007-9f3a61c2" */
static const char name_pattern[] = "[0-9][0-9][0-9][0-9]*-[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
                                   "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]";

/* What is damaged in it; NULL: all of its files are as they were written. */
static char *damage_of(const char *path, manifest *list) {
    const char *reason;
    switch (place_read_list(list, path)) {
    case MANIFEST_FINE:
        break;
    case MANIFEST_ABSENT:
        return copy_text(MANIFEST_NAME " is missing");
    case MANIFEST_DAMAGED:
        return copy_text(MANIFEST_NAME " is damaged");
    case MANIFEST_UNREAD:
        return format_text(MANIFEST_NAME ": %s", strerror(errno));
    }
    const char *name = manifest_check(list, path, &reason);
    if (!name) return NULL;
    need_memory();
    return errno ? format_text("%s %s: %s", name, reason, strerror(errno))
                 : format_text("%s %s", name, reason);
}

static bool fits(json_t *settings, const sweep_plan *plan, size_t run) {
    json_t *wanted = sweep_plan_run_json(plan, run), *without = json_copy(settings);
    (void)json_object_del(without, "failure");
    const bool same = without && sweep_json_same(without, wanted);
    json_decref(without);
    json_decref(wanted);
    return same;
}

/* Of files that are as listed. */
static sweep_state state_of(const char *path, const manifest *list, const sweep_plan *plan,
                            size_t run, char **reason) {
    json_t *settings =
        manifest_has(list, "settings.json") ? read_json(path, "settings.json") : NULL;
    const json_t *failure = json_object_get(settings, "failure");
    sweep_state state = json_is_string(failure) ? SWEEP_FAILED : SWEEP_DONE;
    if (!failure || !(json_is_string(failure) || json_is_null(failure))) {
        state = SWEEP_DAMAGED;
        *reason = copy_text("settings.json is missing in " MANIFEST_NAME ", or is none");
    } else if (!fits(settings, plan, run)) {
        state = SWEEP_DAMAGED;
        *reason = copy_text("settings.json has other settings than its sweep.json gives it");
    } else if (state == SWEEP_FAILED) {
        *reason = copy_text(json_string_value(failure));
    }
    const bool has_series =
        manifest_has(list, SERIES_CSV_NAME) || manifest_has(list, SERIES_NPZ_NAME);
    const char *missing = !manifest_has(list, "summary.json") ? "summary.json"
                          : !has_series                       ? SERIES_CSV_NAME
                                                              : NULL;
    if (state == SWEEP_DONE && missing) {
        state = SWEEP_DAMAGED;
        *reason = format_text("%s is missing in " MANIFEST_NAME, missing);
    }
    json_decref(settings);
    return state;
}

sweep_state sweep_run_state(const char *folder, const sweep_plan *plan, size_t run, char **reason) {
    char *path = sweep_run_folder(folder, plan, run), *why = NULL;
    struct stat status;
    manifest list = {.entries = NULL};
    sweep_state state = SWEEP_DAMAGED;
    if (lstat(path, &status) != 0)
        state = SWEEP_ABSENT;
    else if (!S_ISDIR(status.st_mode))
        why = copy_text("it is no folder");
    else if (!(why = damage_of(path, &list)))
        state = state_of(path, &list, plan, run, &why);
    manifest_free(&list);
    free(path);
    if (reason)
        *reason = why;
    else
        free(why);
    return state;
}

/* ---- stamps ---- */

/* A sum, since a folder has no order. */
int64_t sweep_run_stamp(const char *path) {
    storage_walk *walk = must_have(storage_walk_begin(path));
    uint64_t sum = 0;
    bool fine = true;
    errno = 0;
    for (const walk_entry *e; (e = storage_walk_next(walk)) != NULL;) {
        if (e->kind == WALK_UNREADABLE) fine = false;
        if (e->kind == WALK_UNREADABLE || e->kind == WALK_FOLDER || e->kind == WALK_FOLDER_END)
            continue;
        const char *name = e->path + strlen(path);
        const uint64_t marks[] = {(uint64_t)e->kind, (uint64_t)e->status.st_size,
                                  (uint64_t)e->status.st_ino, (uint64_t)e->status.st_ctim.tv_sec,
                                  (uint64_t)e->status.st_ctim.tv_nsec};
        sum += fingerprint(fingerprint(FINGERPRINT_OF_NOTHING, name, strlen(name)), marks,
                           sizeof marks);
    }
    need_memory();
    storage_walk_end(walk);
    return fine ? (int64_t)(sum >> 1) : 0;
}

bool sweep_store_open_run(const sweep_store *store, size_t run, place *p) {
    char *path = sweep_run_folder(store->folder, store->plan, run);
    const bool fine = place_open(p, path, PLACE_OWN);
    free(path);
    return fine;
}

/* ---- rows ---- */

static void add_number(sweep_numbers *n, size_t run) {
    if (n->count == n->room) {
        n->room = 2 * n->room + 64;
        n->runs = reallocate(n->runs, n->room, sizeof *n->runs);
    }
    n->runs[n->count++] = run;
}

/* What a call on the records says of the rows that wait. */
static bool or_lose(sweep_store *store, bool fine) {
    for (size_t k = 0; !fine && k < store->waiting.count; k++)
        add_number(&store->lost, store->waiting.runs[k]);
    const bool ended = !records_wait(store->records);
    if (!fine)
        store->losses++;
    else if (ended && store->waiting.count)
        store->losses = 0;
    if (!fine || ended) store->waiting.count = 0;
    return fine;
}

bool sweep_store_put(sweep_store *store, const record *row, const record_joint *joints,
                     size_t count) {
    if (!store->records) return complain("%s/" RECORDS_NAME " is not open", store->folder);
    add_number(&store->waiting, row->run);
    return or_lose(store, records_put(store->records, row, joints, count)) &&
           or_lose(store, records_tick(store->records));
}

void sweep_store_tick(sweep_store *store) {
    if (store->records) (void)or_lose(store, records_tick(store->records));
}

bool sweep_store_settle(sweep_store *store) {
    return !store->records || or_lose(store, records_flush(store->records));
}

/* The figures of a run as a row has them; the caller frees both. */
static record_joint *figures_of(const run_data *data, double **values, size_t *count) {
    size_t of_joint = 0, of_body = 0, n = 0;
    while (joint_figure_at(of_joint)) of_joint++;
    while (body_figure_at(of_body)) of_body++;
    *count = data->joint_count + data->body_count;
    record_joint *joints = allocate(*count, sizeof *joints);
    *values = allocate(data->joint_count * of_joint + data->body_count * of_body, sizeof **values);
    double *at = *values;
    for (size_t k = 0; k < *count; k++) {
        const bool is_body = k >= data->joint_count;
        const run_joint *joint = is_body ? &data->bodies[k - data->joint_count] : &data->joints[k];
        joints[n++] = (record_joint){joint->name, joint->prismatic, is_body, at};
        for (size_t f = 0; f < (is_body ? of_body : of_joint); f++)
            *at++ =
                run_data_figure(joint, (is_body ? body_figure_at(f) : joint_figure_at(f))->name);
    }
    return joints;
}

static const char unread[] = "its results cannot be read";

/* `data` NULL: it has no figures. */
static bool put_row(sweep_store *store, record *row, const run_data *data) {
    double *values = NULL;
    size_t count = 0;
    record_joint *joints = data ? figures_of(data, &values, &count) : NULL;
    char *name = sweep_plan_name(store->plan, row->run);
    char *warnings = data ? run_data_warnings(data) : NULL;
    row->name = name;
    row->warnings = warnings;
    row->inputs = row->inputs ? row->inputs : store->generation;
    const bool fine = sweep_store_put(store, row, joints, count);
    free(name);
    free(warnings);
    free(values);
    free(joints);
    return fine;
}

bool sweep_store_put_folder(sweep_store *store, size_t run, bool failed, const char *reason,
                            size_t inputs) {
    char *path = sweep_run_folder(store->folder, store->plan, run);
    run_data data = {.folder = NULL};
    stiction_error error;
    const bool read =
        !failed && (run_data_load_summary(&data, path, &error) || complain_error(&error));
    record row = {.run = run,
                  .failed = failed,
                  .reason = failed ? reason
                            : read ? NULL
                                   : unread,
                  .inputs = inputs           ? inputs
                            : store->records ? records_generation_of(store->records, run)
                                             : 0,
                  .has_series = true,
                  .stamp = sweep_run_stamp(path)};
    const bool fine = put_row(store, &row, read ? &data : NULL);
    if (!failed) run_data_release(&data);
    free(path);
    return fine;
}

void sweep_store_restamp(sweep_store *store, size_t run) {
    char *path = sweep_run_folder(store->folder, store->plan, run);
    if (store->records)
        (void)or_lose(store, records_put_stamp(store->records, run, sweep_run_stamp(path)));
    free(path);
}

bool sweep_store_wants_series(const sweep_store *store, size_t run) {
    return !store->keep || sweep_keep_wants(store->keep, store->plan, run);
}

/* With the settings of the run. */
static bool commit_folder(const sweep_store *store, size_t run, place *p, const char *failure) {
    json_t *settings = sweep_plan_run_json(store->plan, run);
    /* what a program said need not be UTF-8 */
    (void)json_out_set(settings, "failure", failure ? json_out_text(failure) : json_null());
    char *path = format_text("%s/settings.json", p->fresh);
    const bool fine = (json_out_write(settings, path) || in_words(path)) && place_commit(p);
    free(path);
    json_decref(settings);
    return fine;
}

/* False: there is no summary that can be read, which was told where there should be one. */
static bool read_outcome(run_data *data, const place *p, const sweep_outcome *o) {
    *data = (run_data){.folder = NULL};
    if (o->failure) return false;
    stiction_error error;
    if (!o->summary && !p) return complain("a run gave no summary");
    return (o->summary ? run_data_read_summary(data, o->summary, "summary.json", &error)
                       : run_data_load_summary(data, p->fresh, &error)) ||
           complain_error(&error);
}

bool sweep_store_commit(sweep_store *store, size_t run, place *p, const sweep_outcome *o) {
    char *path = sweep_run_folder(store->folder, store->plan, run);
    run_data data;
    const bool read = read_outcome(&data, p, o);
    record row = {.run = run,
                  .failed = o->failure != NULL,
                  .reason = o->failure ? o->failure
                            : read     ? NULL
                                       : unread};
    row.has_series =
        p && (!store->keep || sweep_keep_holds(store->keep, store->plan, run, read ? &data : NULL));
    bool fine = true;
    if (row.has_series) {
        fine = commit_folder(store, run, p, o->failure);
        row.stamp = fine ? sweep_run_stamp(path) : 0;
    } else if (file_exists(path)) {
        place_clear(path); /* of a run before, which this one replaces */
    }
    fine = fine && put_row(store, &row, read ? &data : NULL);
    run_data_release(&data);
    free(path);
    return fine;
}

/* ---- whose folder it is ---- */

static bool lock(sweep_store *store) {
    char *path = format_text("%s/.lock", store->folder);
    store->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
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

size_t sweep_run_by_name(const sweep_plan *plan, const char *name) {
    const size_t count = sweep_plan_count(plan);
    size_t number;
    if (fnmatch(name_pattern, name, 0) != 0 || sscanf(name, "%zu-", &number) != 1 || number < 1 ||
        number > count)
        return count;
    char *wanted = sweep_plan_name(plan, number - 1);
    const bool same = strcmp(wanted, name) == 0;
    free(wanted);
    return same ? number - 1 : count;
}

/* Whether all runs that are there are of a plan. */
static bool has_runs_of(const char *folder, const sweep_plan *plan) {
    char *path = format_text("%s/runs", folder);
    DIR *runs = folder_open(path);
    bool fine = true;
    for (const struct dirent *entry; runs && (entry = readdir(runs)) != NULL;) {
        if (fnmatch(name_pattern, entry->d_name, 0) == 0)
            fine = fine && sweep_run_by_name(plan, entry->d_name) < sweep_plan_count(plan);
    }
    if (runs) (void)closedir(runs);
    free(path);
    return fine;
}

/* Whose the files in a folder are: its list says it, and where that is lost the plan. */
typedef struct whose {
    manifest list;
    bool has_plan; /* the folder has a sweep, or what is left of one */
} whose;

static whose whose_is(const char *folder) {
    whose w = {.has_plan = false};
    if (place_read_list(&w.list, folder) == MANIFEST_UNREAD) return w; /* nobody's, as it seems */
    w.has_plan = manifest_has(&w.list, "sweep.json");
    if (w.has_plan) return w;
    json_t *json = read_json(folder, "sweep.json");
    sweep_plan plan;
    w.has_plan = json && sweep_plan_read_json(&plan, json);
    if (json) sweep_plan_free(&plan);
    json_decref(json);
    return w;
}

static bool is_ours(const whose *w, const char *name) {
    if (!w->list.count) return w->has_plan;
    return manifest_has(&w->list, name) || strcmp(name, MANIFEST_NAME) == 0 ||
           (w->has_plan && (is_unlisted(name) || strcmp(name, "sweep.json") == 0));
}

static bool has_sweep(const char *folder) {
    whose w = whose_is(folder);
    manifest_free(&w.list);
    return w.has_plan;
}

/* What may lie in a folder without a sweep: of one that was killed at its beginning. */
static bool may_be_there(const char *name) {
    static const char list_in_the_making[] = "." MANIFEST_NAME ".part";
    static const char *const names[] = {".lock",     ".part",   list_in_the_making,
                                        before_name, ".shards", ".slurm"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(name, names[k]) == 0) return true;
    return false;
}

/* The first file that is not ours and in the way; NULL: none. The caller frees it. */
static char *find_foreign(const char *folder) {
    whose w = whose_is(folder);
    char *found = NULL, *before = format_text("%s/%s", folder, before_name);
    if (!w.has_plan) {
        found = folder_first_other(folder, may_be_there);
        if (!found && file_exists(before) && !has_sweep(before)) found = copy_text(before_name);
    }
    for (size_t k = 0; k < name_count && w.has_plan && !found; k++)
        if (!is_ours(&w, our_names[k]) && is_there(folder, our_names[k]))
            found = copy_text(our_names[k]);
    free(before);
    manifest_free(&w.list);
    return found;
}

/* Whether nothing of others would have to be replaced. */
static bool is_free(const char *folder) {
    char *foreign = find_foreign(folder);
    if (foreign && has_sweep(folder)) { /* one who was killed may not have listed it yet */
        place p;
        (void)place_open_folder(&p, folder); /* which lists it */
        place_close(&p);
        free(foreign);
        foreign = find_foreign(folder);
    }
    const bool fine = !foreign || complain("%s/%s is there and is of no sweep; move it away, or "
                                           "give another --out",
                                           folder, foreign);
    free(foreign);
    return fine;
}

/* Whether the plan is as it was written; without a list that must be believed. */
static bool plan_holds(const sweep_store *store, const manifest *list) {
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->entries[k].name, "sweep.json") == 0) {
            const bool holds = manifest_entry_holds(&list->entries[k], store->folder);
            if (!holds) need_memory();
            return holds;
        }
    return true;
}

/* A sweep whose plan is damaged, or none. */
static bool look_without_plan(sweep_store *store, const manifest *list) {
    store->is_sweep = manifest_has(list, "sweep.json");
    if (!store->is_sweep || store->force) return true;
    store->same = has_runs_of(store->folder, store->plan);
    if (!store->same)
        return complain("%s/sweep.json is damaged, and there are runs of another sweep; give "
                        "--force to replace them, or another --out",
                        store->folder);
    (void)complain("%s/sweep.json is damaged; its runs are of this sweep, so it is written anew",
                   store->folder);
    return true;
}

static bool look(sweep_store *store) {
    manifest list;
    const bool listed = place_read_list(&list, store->folder) == MANIFEST_FINE;
    json_t *there = read_json(store->folder, "sweep.json");
    sweep_plan read;
    const bool readable = there && sweep_plan_read_json(&read, there) && plan_holds(store, &list);
    if (there) sweep_plan_free(&read);
    bool fine = is_free(store->folder);
    if (fine && readable) {
        store->is_sweep = true;
        store->same = sweep_plan_is(store->plan, there);
        store->is_listed = listed && manifest_has(&list, "sweep.json");
        if (!store->same && !store->force)
            fine = complain("%s has the results of another sweep; give --force to replace them, or "
                            "another --out",
                            store->folder);
    } else if (fine) {
        fine = look_without_plan(store, &list);
    }
    json_decref(there);
    manifest_free(&list);
    return fine;
}

/* What is there under our names, unless the other folder has it, too. */
static bool move_all(const char *from, const char *to) {
    bool fine = true;
    for (size_t k = 0; k < name_count && fine; k++) {
        char *here = format_text("%s/%s", from, our_names[k]);
        char *there = format_text("%s/%s", to, our_names[k]);
        if (!is_there(to, our_names[k]))
            fine = rename(here, there) == 0 || errno == ENOENT || in_words(there);
        free(here);
        free(there);
    }
    return fine && (storage_sync(to) || in_words(to)) && (storage_sync(from) || in_words(from));
}

/* Of a move that came to no end. */
static bool put_back(const sweep_store *store) {
    char *moving = format_text("%s/%s", store->folder, moving_name);
    const bool fine = !file_exists(moving) ||
                      (move_all(moving, store->folder) && (rmdir(moving) == 0 || in_words(moving)));
    free(moving);
    return fine;
}

bool sweep_store_look(sweep_store *store, const char *folder, const sweep_plan *plan, bool force) {
    *store = (sweep_store){.folder = folder, .plan = plan, .lock = -1, .force = force};
    struct stat status;
    if (stat(folder, &status) != 0) return true;
    if (is_there(folder, moving_name) && !(lock(store) && put_back(store))) return false;
    /* what is found by then is still so when the lock is ours, or another sweep has begun */
    return look(store) && (!store->is_sweep || store->lock >= 0 || lock(store));
}

/* ---- taking it ---- */

/* What killed sweeps left in the folder of runs. */
static void remove_scratch(const char *runs) {
    DIR *folder = folder_open(runs);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        char *pattern = format_text(".%s.part", name_pattern);
        if (fnmatch(pattern, entry->d_name, 0) == 0) {
            char *target = format_text("%s/%s", runs, entry->d_name + 1);
            *strrchr(target, '.') = '\0';
            place p;
            (void)place_open(&p, target, PLACE_OWN); /* which recovers it */
            place_close(&p);
            free(target);
        }
        free(pattern);
    }
    if (folder) (void)closedir(folder);
}

/* What is ours of a folder of runs; folders with other files in them stay. */
static void clear_runs(const char *folder) {
    char *path = format_text("%s/runs", folder);
    remove_scratch(path);
    DIR *runs = folder_open(path);
    for (const struct dirent *entry; runs && (entry = readdir(runs)) != NULL;)
        if (fnmatch(name_pattern, entry->d_name, 0) == 0) {
            char *run = format_text("%s/%s", path, entry->d_name);
            place_clear(run);
            free(run);
        }
    if (runs) (void)closedir(runs);
    (void)rmdir(path);
    free(path);
}

/* Only what is ours; the list, by which that is known, goes last, and with all of it or not. */
static void clear_sweep(const char *folder) {
    whose w = whose_is(folder);
    bool all = true;
    if (w.has_plan) clear_runs(folder);
    for (size_t k = 0; k < name_count; k++) {
        char *path = format_text("%s/%s", folder, our_names[k]);
        if (is_ours(&w, our_names[k]) && (all || strcmp(our_names[k], MANIFEST_NAME) != 0))
            all = (unlink(path) == 0 || errno == ENOENT) && all;
        free(path);
    }
    manifest_free(&w.list);
}

void sweep_store_remove(const char *folder) {
    char *lock_file = format_text("%s/.lock", folder);
    clear_sweep(folder);
    (void)unlink(lock_file);
    if (rmdir(folder) != 0 && errno != ENOENT)
        (void)complain("%s has files that stiction did not write; they are left there", folder);
    free(lock_file);
}

void sweep_store_forget(const sweep_store *store, bool whole) {
    char *before = format_text("%s/%s", store->folder, before_name);
    char *plan = format_text("%s/sweep.json", before);
    const bool there = has_sweep(before);
    if (there && whole) {
        (void)unlink(plan); /* from here on no --force takes the rest for a sweep to be kept */
        sweep_store_remove(before);
    } else if (there && file_exists(plan)) {
        (void)complain("the old sweep is kept in %s until all runs went well", before);
        (void)complain("'mv %s ELSEWHERE' brings it back", before);
    }
    free(plan);
    free(before);
}

static bool cannot_be(const char *before) {
    if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return in_words(before);
    return complain("%s is there and is of no sweep; move it away", before);
}

/* The sweep that is there moves away, but stays until the new one is whole. One that moved away
 * before was not replaced by a whole one: it stays, and what came behind it goes. Whoever is killed
 * meanwhile leaves .before.part, which the next one puts back: .before is always whole. */
static bool move_away(const sweep_store *store) {
    char *before = format_text("%s/%s", store->folder, before_name);
    char *moving = format_text("%s/%s", store->folder, moving_name);
    const bool has_before = has_sweep(before);
    bool fine = true;
    if (has_before && is_there(before, "sweep.json")) {
        clear_sweep(store->folder);
    } else {
        /* a database and the journal of one who was killed must not be parted */
        if (is_there(store->folder, RECORDS_JOURNAL)) records_recover(store->folder);
        /* of one that was replaced, what could not be removed by then */
        if (has_before) sweep_store_remove(before);
        fine = mkdir(moving, 0777) == 0 || in_words(moving);
        if (fine) {
            fine = move_all(store->folder, moving) &&
                   (rename(moving, before) == 0 || cannot_be(before)) &&
                   (storage_sync(store->folder) || in_words(store->folder));
            if (!fine) (void)put_back(store);
        }
    }
    free(moving);
    free(before);
    return fine;
}

bool sweep_store_write_plan(const sweep_store *store) {
    place p;
    bool fine = place_open_folder(&p, store->folder);
    if (fine) {
        char *path = format_text("%s/sweep.json", p.fresh);
        json_t *plan = sweep_plan_json(store->plan);
        fine = (json_out_write(plan, path) || in_words(path)) && place_add(&p, store->is_sweep);
        json_decref(plan);
        free(path);
    }
    place_close(&p);
    return fine;
}

/* Of a sweep whose list is lost: they are written anew, and would be somebody's. */
static void clear_unlisted_tables(const char *folder) {
    whose w = whose_is(folder);
    const char *const tables[] = {"sweep.csv", "sweep.html"};
    for (size_t k = 0; k < 2 && w.has_plan && !w.list.count; k++) {
        char *path = format_text("%s/%s", folder, tables[k]);
        (void)unlink(path);
        free(path);
    }
    manifest_free(&w.list);
}

bool sweep_store_take(sweep_store *store) {
    if (store->lock < 0) { /* it was not there, or had no sweep */
        if (!folder_make(store->folder) || !lock(store) || !look(store)) return false;
    }
    char *runs = format_text("%s/runs", store->folder);
    bool fine = true;
    if (store->is_sweep && store->force) fine = move_away(store);
    if (fine && (!store->same || !store->is_listed || store->force)) {
        clear_unlisted_tables(store->folder);
        fine = sweep_store_write_plan(store);
    }
    fine = fine && folder_make(runs);
    if (fine) remove_scratch(runs);
    free(runs);
    if (fine) store->records = records_open(store->folder, store->plan, DATABASE_WRITE);
    fine = fine && store->records;
    if (fine && !store->generation) {
        size_t last;
        fine = records_generations(store->records, &last);
        store->generation = last ? last : 1;
    }
    if (!fine) sweep_store_forget(store, false);
    return fine;
}

void sweep_store_close(sweep_store *store) {
    (void)sweep_store_settle(store);
    records_abandon(store->records);
    store->records = NULL;
    free(store->waiting.runs);
    free(store->lost.runs);
    store->waiting = store->lost = (sweep_numbers){.runs = NULL};
    if (store->lock >= 0) (void)close(store->lock);
    store->lock = -1;
}
