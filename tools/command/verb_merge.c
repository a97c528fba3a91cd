/* SPDX-License-Identifier: MIT
 * stiction merge: joins the shards of one sweep, from several machines.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/progress.h"
#include "common/verb.h"
#include "storage/place.h"
#include "sweep/store.h"
#include "sweep/tables.h"

typedef struct merge_options {
    const char *out;
    bool force, partial, accept_changes, remove;
} merge_options;

static bool is_same_folder(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* ---- copying ---- */

/* The listed files of a run, which may be in folders. */
static bool copy_files(const char *from, const char *to, stiction_error *error) {
    AUTO(manifest_free) manifest list;
    bool fine = manifest_read(&list, from) == MANIFEST_FINE ||
                fail(error, "%s/" MANIFEST_NAME " cannot be read any more", from);
    for (size_t k = 0; k < list.count && fine; k++) {
        AUTO_FREE char *source = format_text("%s/%s", from, list.entries[k].name);
        AUTO_FREE char *target = format_text("%s/%s", to, list.entries[k].name);
        AUTO_FREE char *above = format_text("%.*s", (int)(strrchr(target, '/') - target), target);
        fine = folder_make(above, error) &&
               (folder_copy_file(source, target, 0666) ||
                fail(error, "cannot copy %s to %s: %s", source, target, strerror(errno)));
    }
    const char *reason, *name = fine ? manifest_check(&list, to, &reason) : NULL;
    if (name) {
        need_memory();
        fine = fail(error, "%s/%s: its copy %s", from, name, reason);
    }
    return fine;
}

static bool copy_folder(const sweep_store *store, const char *from, size_t run,
                        stiction_error *error) {
    AUTO(place_close) place p;
    AUTO_FREE char *source = sweep_run_folder(from, store->plan, run);
    return sweep_store_open_run(store, run, &p, error) && copy_files(source, p.fresh, error) &&
           place_commit(&p, error);
}

/* A run that succeeded replaces one that failed, and the first of two stays. */
static int worth(sweep_state state) {
    return state == SWEEP_DONE ? 2 : state == SWEEP_FAILED ? 1 : 0;
}

/* Adds the input files of a folder. One with another hash than before is an error, unless `accept`.
 */
static bool add_inputs(manifest *all, records *rows, const char *folder, bool accept,
                       stiction_error *error) {
    AUTO(manifest_free) manifest list;
    bool fine = records_inputs(rows, &list, error);
    for (size_t n = 0; fine && n < list.count; n++) {
        const manifest_entry *entry = &list.entries[n], *before = manifest_find(all, entry->name);
        if (!before && !manifest_add_entry(all, entry)) (void)must_have(NULL);
        if (before && strcmp(before->digest, entry->digest) != 0 && !accept)
            fine = fail(error,
                        "%s was done with another '%s' than the folders before it, so nothing was "
                        "merged; do one of them again, or give --accept-changes",
                        folder, entry->name);
    }
    return fine;
}

typedef struct merging {
    sweep_store *store;
    sweep_states *whole, *shard;
    manifest *inputs; /* of all folders so far */
} merging;

static bool is_better(const merging *m, size_t run) {
    return worth(m->shard->states[run]) > worth(m->whole->states[run]);
}

static void note_merged(const merging *m, size_t run) {
    sweep_states_set(m->whole, run, m->shard->states[run], m->shard->reasons[run]);
}

static bool copy_row(const merging *m, const record *row, stiction_error *error) {
    if (!is_better(m, row->run)) return true;
    if (row->has_series) {
        if (!copy_folder(m->store, m->shard->folder, row->run, error)) return false;
    } else { /* a folder is that of a failed run, which this one replaces */
        stiction_error unused;
        AUTO_FREE char *folder = sweep_run_folder(m->store->folder, m->store->plan, row->run);
        if (file_exists(folder)) (void)place_clear(folder, &unused);
    }
    note_merged(m, row->run);
    return records_put(m->store->records, row, error) && records_tick(m->store->records, error);
}

/* A run that is damaged in a shard is damaged here, too, unless another shard has it. */
static bool merge_shard(merging *m, stiction_error *error) {
    const char *folder = m->shard->folder;
    records *rows = NULL;
    bool fine =
        !records_exist(folder) || (rows = records_open(folder, m->store->plan, error)) != NULL;
    fine = fine && (!rows || add_inputs(m->inputs, rows, folder, true, error));
    record_cursor c = records_begin(rows, 0, m->shard->count, true);
    while (fine && rows && records_next(&c, error)) fine = copy_row(m, &c.row, error);
    fine = fine && !c.failed;
    records_end(&c);
    records_close(rows);
    for (size_t run = 0; fine && run < m->shard->count; run++) {
        if (m->shard->rowless[run] && is_better(m, run)) {
            fine = copy_folder(m->store, folder, run, error) &&
                   sweep_store_adopt(m->store, run, m->shard->reasons[run], error);
            note_merged(m, run);
        } else if (m->shard->states[run] == SWEEP_DAMAGED &&
                   m->whole->states[run] == SWEEP_ABSENT) {
            note_merged(m, run);
        }
    }
    return fine && records_commit(m->store->records, error);
}

/* ---- the result ---- */

/* "2, 3, 5 and 17 more" */
static char *missing_runs(const sweep_states *states) {
    enum { most_named = 10 };
    char *text = copy_text("");
    size_t count = 0;
    for (size_t run = 0; run < states->count; run++) {
        if (states->states[run] != SWEEP_ABSENT || ++count > most_named) continue;
        append_text(&text, "%s%zu", count > 1 ? ", " : "", run + 1);
    }
    if (count > most_named) append_text(&text, " and %zu more", count - most_named);
    return text;
}

/* `*shown`: the tables are written. */
static bool show_outcome(const merge_options *o, const sweep_states *states, bool *shown) {
    stiction_error error;
    *shown = sweep_show(states, stdout, &error) || report_error(&error);
    (void)flush_output();
    const size_t missing = sweep_states_count(states, SWEEP_ABSENT),
                 failed = sweep_states_count(states, SWEEP_FAILED),
                 damaged = sweep_states_count(states, SWEEP_DAMAGED);
    if (missing) {
        AUTO_FREE char *named = missing_runs(states);
        (void)print_error("%zu of %zu runs are missing: %s", missing, states->count, named);
    }
    if (failed) (void)print_error("%zu of %zu runs failed", failed, states->count);
    if (damaged)
        (void)print_error("%zu of %zu runs are damaged in every shard, see above", damaged,
                          states->count);
    return *shown && failed == 0 && damaged == 0 && (missing == 0 || o->partial);
}

/* ---- removing ---- */

/* Whether all complete runs of a shard are in the whole: its sweep may have gone on meanwhile. */
static bool is_merged(const char *folder, const sweep_states *whole, stiction_error *error) {
    AUTO(sweep_states_free) sweep_states now;
    bool fine = sweep_states_read_folder(&now, folder, whole->plan, error);
    size_t more = 0;
    for (size_t run = 0; fine && run < now.count; run++)
        more += worth(now.states[run]) > worth(whole->states[run]);
    return fine && (!more || fail(error,
                                  "%zu run%s complete in %s since it was merged, so it is not "
                                  "removed; the same command merges the rest",
                                  more, more == 1 ? " became" : "s became", folder));
}

static bool remove_shard(const char *folder, const sweep_states *whole, stiction_error *error) {
    AUTO_FREE char *path = format_text("%s/.lock", folder);
    const int lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool fine = lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
                fail(error, "a sweep writes into %s at this moment, so it is not removed", folder);
    fine = fine && is_merged(folder, whole, error) && sweep_store_remove(folder, error);
    if (lock >= 0) (void)close(lock);
    return fine;
}

/* ---- all of it ---- */

static bool merge_all(sweep_store *store, sweep_states *whole, const text_list *folders,
                      stiction_error *error) {
    AUTO(manifest_free) manifest inputs = {.entries = NULL};
    bool fine = add_inputs(&inputs, store->records, store->folder, true, error);
    progress bar = progress_begin("merging shards", (double)folders->count, false);
    for (size_t k = 0; fine && k < folders->count; k++) {
        progress_count(&bar, k, 0, "");
        if (is_same_folder(folders->items[k], store->folder)) continue;
        AUTO(sweep_states_free) sweep_states shard;
        merging m = {store, whole, &shard, &inputs};
        fine = sweep_states_read_folder(&shard, folders->items[k], store->plan, error);
        if (fine) (void)sweep_states_log_damage(&shard, 0, "; it is not copied", print_messages);
        fine = fine && merge_shard(&m, error);
    }
    progress_end(&bar);
    fine = fine && records_put_inputs(store->records, &inputs, error);
    return fine;
}

static bool merge_into(const merge_options *o, sweep_store *store, const text_list *folders) {
    stiction_error error;
    AUTO(sweep_states_free) sweep_states states;
    bool fine = sweep_states_read(&states, store->is_sweep && !o->force ? store->folder : NULL,
                                  store->plan, store->records, &error);
    states.folder = store->folder;
    if (fine) (void)sweep_states_log_damage(&states, 0, "", print_messages);
    fine = (fine && sweep_store_take(store, &error) && sweep_states_adopt(&states, store, &error) &&
            merge_all(store, &states, folders, &error)) ||
           report_error(&error);
    if (fine) {
        bool shown;
        fine = show_outcome(o, &states, &shown);
        for (size_t k = 0; shown && o->remove && k < folders->count; k++)
            if (!remove_shard(folders->items[k], &states, &error)) fine = report_error(&error);
    }
    return fine;
}

/* ---- before anything is written ---- */

/* Whether all shards, and what is in the folder already, were done with the same files. */
static bool check_inputs(const sweep_store *store, const text_list *folders,
                         stiction_error *error) {
    AUTO(manifest_free) manifest all = {.entries = NULL};
    bool fine = !store->records || add_inputs(&all, store->records, store->folder, false, error);
    for (size_t k = 0; k < folders->count && fine; k++) {
        if (is_same_folder(folders->items[k], store->folder) || !records_exist(folders->items[k]))
            continue;
        records *rows = records_open(folders->items[k], store->plan, error);
        fine = rows && add_inputs(&all, rows, folders->items[k], false, error);
        records_close(rows);
    }
    return fine;
}

static bool check_folders(const merge_options *o, const text_list *folders, const sweep_plan *plan,
                          stiction_error *error) {
    bool fine = true;
    for (size_t k = 0; k < folders->count && fine; k++) {
        bool same = true;
        if (k) fine = sweep_folder_has(folders->items[k], plan, &same, error);
        if (!same)
            fine = fail(error, "%s and %s are of different sweeps", folders->items[0],
                        folders->items[k]);
        if (fine && (o->force || o->remove) && is_same_folder(folders->items[k], o->out))
            fine = fail(error, "--%s would remove %s, which is to be merged",
                        o->force ? "force" : "remove", o->out);
    }
    return fine;
}

static int run_merge(const void *given, const text_list *arguments, stiction_error *error) {
    const merge_options *o = given;
    if (!o->out) return fail_usage(error, "merge needs --out DIR");
    AUTO(sweep_plan_free) sweep_plan plan;
    bool fine = sweep_plan_load(arguments->items[0], &plan, error) &&
                (!plan.definition || fail(error, "%s has a search, which has no shards to merge",
                                          arguments->items[0])) &&
                check_folders(o, arguments, &plan, error);
    if (fine) {
        AUTO(sweep_store_close) sweep_store store;
        fine = sweep_store_open(&store, o->out, &plan, o->force, error) &&
               (o->accept_changes || check_inputs(&store, arguments, error)) &&
               merge_into(o, &store, arguments);
    }
    return fine ? EXIT_FINE : EXIT_DATA;
}

static const merge_options defaults = {.out = NULL};

#define FIELD(name) offsetof(merge_options, name)

static const option options_of_merge[] = {
    {"out", OPTION_TEXT, "DIR", "the folder of the whole sweep; may be one of the shards",
     FIELD(out)},
    {"partial", OPTION_FLAG, NULL, "missing runs are not an error", FIELD(partial)},
    {"remove", OPTION_FLAG, NULL, "remove the shards once all their complete runs are in DIR",
     FIELD(remove)},
    {"accept-changes", OPTION_FLAG, NULL, "merge shards even if they used different input files",
     FIELD(accept_changes)},
    {"force", OPTION_FLAG, NULL, "replace the sweep in DIR", FIELD(force)},
    {.name = NULL},
};

const verb verb_merge = {
    .name = "merge",
    .summary = "join the shards of a sweep",
    .arguments = "SHARD... --out DIR",
    .least = 1,
    .most = 0,
    VERB_OPTIONS(options_of_merge, defaults),
    .description =

        "Joins folders that stiction sweep --shard wrote, on one machine or several, into\n"
        "one with the tables of the whole sweep. All must be of the same sweep. If a run\n"
        "is in several folders, one that succeeded is kept. Missing runs are listed, and\n"
        "the exit code is 1, unless --partial is given; it is also 1 if a run failed.\n"
        "A run whose files are not as listed in its SHA256SUMS is reported and not\n"
        "copied; the exit code is 1 if no other shard has it. Copies are checked, too.\n"
        "Shards that used other input files (a project, body or configuration that\n"
        "changed) than each other or than the sweep in DIR are refused, unless\n"
        "--accept-changes is given. --remove keeps files that stiction did not write.",
    .example = "  stiction merge shard1 shard2 --out results/gains",
    .run = run_merge,
};
