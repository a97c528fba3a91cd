/*
 * stiction merge: the shards of one sweep, from several machines, become the whole.
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
#include "common/place.h"
#include "common/progress.h"
#include "common/verb.h"
#include "sweep/inputs.h"
#include "sweep/states.h"
#include "sweep/tables.h"

typedef struct merge_options {
    const char *out;
    bool force, partial, accept_changes, remove;
} merge_options;

/* ---- folders ---- */

static bool is_same_folder(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* ---- copying ---- */

/* The files of a run that are listed; it may have folders of them. */
static bool copy_files(const char *from, const char *to) {
    manifest list;
    bool fine = place_read_list(&list, from) == MANIFEST_FINE ||
                complain("%s/" MANIFEST_NAME " cannot be read any more", from);
    for (size_t k = 0; k < list.count && fine; k++) {
        char *source = format_text("%s/%s", from, list.entries[k].name);
        char *target = format_text("%s/%s", to, list.entries[k].name);
        char *above = format_text("%.*s", (int)(strrchr(target, '/') - target), target);
        fine = folder_make(above) &&
               (folder_copy_file(source, target, 0666) ||
                complain("cannot copy %s to %s: %s", source, target, strerror(errno)));
        free(above);
        free(source);
        free(target);
    }
    /* the copy, and not what it was made of, is what counts */
    const char *reason, *name = fine ? manifest_check(&list, to, &reason) : NULL;
    if (name) {
        need_memory();
        fine = complain("%s/%s: its copy %s", from, name, reason);
    }
    manifest_free(&list);
    return fine;
}

/* Where the shard has a folder of it. */
static bool copy_folder(const sweep_store *store, const char *from, size_t run, int64_t *stamp) {
    place p;
    char *source = sweep_run_folder(from, store->plan, run);
    char *target = sweep_run_folder(store->folder, store->plan, run);
    const bool fine =
        sweep_store_open_run(store, run, &p) && copy_files(source, p.fresh) && place_commit(&p);
    place_close(&p);
    *stamp = fine ? sweep_run_stamp(target) : 0;
    free(source);
    free(target);
    return fine;
}

/* ---- choosing ---- */

static int worth(sweep_state state) {
    return state == SWEEP_DONE ? 2 : state == SWEEP_FAILED ? 1 : 0;
}

/* A shard whose rows are read one after the other. */
typedef struct shard {
    sweep_states states;
    records *rows;
    records_reader *reader;
    record row;
    bool has_row;
    size_t *generations; /* of the store, for each of the shard; 0: not asked for so far */
    size_t generation_count;
} shard;

static bool open_shard(shard *s, const char *folder, const sweep_plan *plan) {
    *s = (shard){.states = sweep_states_read(folder, plan)};
    if (s->states.unread) return false;
    (void)sweep_states_tell_damage(&s->states, "; it is not copied");
    if (!records_exist(folder)) return true;
    s->rows = records_open(folder, plan, DATABASE_READ);
    if (!s->rows) return false;
    if (!records_generations(s->rows, &s->generation_count)) return false;
    s->generations = allocate(s->generation_count + 1, sizeof *s->generations);
    s->reader = records_read(s->rows, 0, s->states.count);
    s->has_row = s->reader && records_next(s->reader, &s->row);
    return s->reader && !records_failed(s->reader);
}

static void close_shard(shard *s) {
    records_reader_free(s->reader);
    records_abandon(s->rows);
    sweep_states_free(&s->states);
    free(s->generations);
}

/* The generation of the store that one of the shard is; 0: not known, or after a sentence. */
static size_t generation_of(shard *s, sweep_store *store, size_t generation, bool *fine) {
    if (!generation || generation > s->generation_count) return 0;
    size_t *found = &s->generations[generation];
    if (!*found) {
        manifest list;
        *fine = records_inputs(s->rows, generation, &list) &&
                (*found = sweep_inputs_take_over(store, &list)) != 0;
        manifest_free(&list);
    }
    return *found;
}

/* Its row, where there is one that holds, or what is in its folder. */
static bool copy_run(sweep_store *store, shard *s, size_t run) {
    const bool recorded = s->has_row && s->row.run == run && s->states.news[run] != SWEEP_NEW_ROW &&
                          s->states.news[run] != SWEEP_NEW_RUN;
    const char *from = s->states.folder;
    record row = s->row;
    row.stamp = 0;
    bool fine = (recorded && !row.has_series) || copy_folder(store, from, run, &row.stamp);
    /* a folder without a row is of the sweep that was killed last */
    row.inputs = generation_of(s, store, recorded ? row.inputs : s->generation_count, &fine);
    if (!recorded)
        return fine && sweep_store_put_folder(store, run, s->states.states[run] == SWEEP_FAILED,
                                              s->states.reasons[run], row.inputs);
    size_t count;
    const record_joint *joints = records_joints(s->reader, &count);
    if (fine && !row.has_series) {
        char *folder = sweep_run_folder(store->folder, store->plan, run);
        if (file_exists(folder)) place_clear(folder); /* of one that failed, which this replaces */
        free(folder);
    }
    return fine && sweep_store_put(store, &row, joints, count);
}

/* One that went well is better than one that failed, the first of them better than others; one that
 * is damaged is none, but where no other shard has it whole it is damaged here, too. */
static bool merge_shard(sweep_store *store, sweep_states *states, shard *s) {
    bool fine = true;
    for (size_t run = 0; fine && run < states->count; run++) {
        while (s->has_row && s->row.run < run) s->has_row = records_next(s->reader, &s->row);
        const sweep_state state = s->states.states[run];
        if (worth(state) > worth(states->states[run])) {
            fine = copy_run(store, s, run);
            if (fine) sweep_states_set(states, run, state, s->states.reasons[run]);
        } else if (state == SWEEP_DAMAGED && states->states[run] == SWEEP_ABSENT) {
            sweep_states_set(states, run, SWEEP_DAMAGED, s->states.reasons[run]);
        }
    }
    return fine && !(s->reader && records_failed(s->reader));
}

/* "2, 3, 5 and 17 more" */
static char *missing_runs(const sweep_states *states) {
    enum { most_named = 10 };
    char *text = copy_text("");
    size_t count = 0;
    for (size_t run = 0; run < states->count; run++) {
        if (states->states[run] != SWEEP_ABSENT || ++count > most_named) continue;
        char *longer = format_text("%s%s%zu", text, *text ? ", " : "", run + 1);
        free(text);
        text = longer;
    }
    if (count <= most_named) return text;
    char *longer = format_text("%s and %zu more", text, count - most_named);
    free(text);
    return longer;
}

/* `*shown`: the tables are written. */
static bool show_outcome(const merge_options *o, const sweep_store *store,
                         const sweep_states *states, bool *shown) {
    *shown = sweep_show(states);
    (void)flush_output();
    const size_t missing = sweep_states_count(states, SWEEP_ABSENT),
                 failed = sweep_states_count(states, SWEEP_FAILED),
                 damaged = sweep_states_count(states, SWEEP_DAMAGED);
    if (missing) {
        char *named = missing_runs(states);
        (void)complain("%zu of %zu runs are missing: %s", missing, states->count, named);
        free(named);
    }
    if (failed) (void)complain("%zu of %zu runs failed", failed, states->count);
    if (damaged)
        (void)complain("%zu of %zu runs are damaged and nowhere whole, see above", damaged,
                       states->count);
    sweep_store_forget(store, *shown && !missing && !failed && !damaged);
    return *shown && failed == 0 && damaged == 0 && (missing == 0 || o->partial);
}

/* ---- removing ---- */

/* Whether all that is complete in a shard is in the whole: its sweep may have gone on since it was
 * read. */
static bool is_merged(const char *folder, const sweep_states *whole) {
    sweep_states now = sweep_states_read(folder, whole->plan);
    size_t more = 0;
    for (size_t run = 0; run < now.count; run++)
        more += worth(now.states[run]) > worth(whole->states[run]);
    const bool unread = now.unread;
    sweep_states_free(&now);
    return !unread && (!more || complain("%zu run%s complete in %s since it was merged, so it is "
                                         "not removed; the same command merges the rest",
                                         more, more == 1 ? " became" : "s became", folder));
}

/* One into which a sweep writes has more to come. */
static bool remove_shard(const char *folder, const sweep_states *whole) {
    char *path = format_text("%s/.lock", folder);
    const int lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    const bool busy = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (busy) (void)complain("a sweep writes into %s at this moment, so it is not removed", folder);
    const bool fine = !busy && is_merged(folder, whole);
    if (fine) sweep_store_remove(folder);
    if (lock >= 0) (void)close(lock);
    free(path);
    return fine;
}

/* ---- all of it ---- */

/* One after the other, so that memory does not grow with their number. */
static bool merge_into(const merge_options *o, sweep_store *store, const text_list *folders) {
    sweep_states states =
        sweep_states_read(store->is_sweep && !o->force ? store->folder : NULL, store->plan);
    states.folder = store->folder;
    (void)sweep_states_tell_damage(&states, "");
    bool fine = !states.unread && sweep_store_take(store) && sweep_states_record(&states, store);
    progress bar = progress_begin("merging shards", (double)folders->count, false);
    for (size_t k = 0; fine && k < folders->count; k++) {
        progress_count(&bar, k, 0, "");
        if (is_same_folder(folders->items[k], store->folder)) continue;
        shard s;
        fine = open_shard(&s, folders->items[k], store->plan) && merge_shard(store, &states, &s);
        close_shard(&s);
    }
    progress_end(&bar);
    fine = sweep_states_settle(&states, store) && fine;
    if (fine) {
        bool shown;
        fine = show_outcome(o, store, &states, &shown);
        for (size_t k = 0; shown && o->remove && k < folders->count; k++)
            fine = remove_shard(folders->items[k], &states) && fine;
    }
    sweep_states_free(&states);
    return fine;
}

/* ---- before anything is written ---- */

static bool is_same_plan(const char *folder, const sweep_plan *plan, const char *first) {
    sweep_plan other;
    bool same = sweep_plan_load(folder, &other);
    if (same) {
        json_t *a = sweep_plan_json(plan), *b = sweep_plan_json(&other);
        same =
            sweep_json_same(a, b) || complain("%s and %s are of different sweeps", first, folder);
        json_decref(a);
        json_decref(b);
    }
    sweep_plan_free(&other);
    return same;
}

/* What the folders before were done with. */
typedef struct known_inputs {
    manifest all;
    const char *first; /* of them; NULL: none so far */
    size_t differ;
} known_inputs;

/* False after a sentence: its database cannot be read. */
static bool compare_inputs(known_inputs *known, const char *folder, const sweep_plan *plan) {
    if (!records_exist(folder)) return true;
    records *rows = records_open(folder, plan, DATABASE_READ);
    if (!rows) return false;
    manifest list = {.entries = NULL};
    size_t last;
    const bool fine =
        records_generations(rows, &last) && (!last || records_inputs(rows, last, &list));
    records_abandon(rows);
    if (known->first)
        known->differ += sweep_inputs_differ(&known->all, known->first, &list, folder);
    else
        known->first = folder;
    for (size_t n = 0; n < list.count; n++)
        if (!manifest_has(&known->all, list.entries[n].name) &&
            !manifest_add_entry(&known->all, &list.entries[n]))
            (void)must_have(NULL);
    manifest_free(&list);
    return fine;
}

/* Whether all were done with the same files, as far as is known: shards, and the whole that they go
 * to. */
static bool check_inputs(const merge_options *o, const sweep_store *store,
                         const text_list *folders) {
    if (o->accept_changes) return true;
    known_inputs known = {.first = NULL};
    bool fine = !store->is_sweep || o->force || compare_inputs(&known, store->folder, store->plan);
    for (size_t k = 0; k < folders->count && fine; k++)
        if (!is_same_folder(folders->items[k], store->folder))
            fine = compare_inputs(&known, folders->items[k], store->plan);
    manifest_free(&known.all);
    return fine &&
           (!known.differ || complain("they are not one sweep, so nothing was merged; do one of "
                                      "them anew, or give --accept-changes to merge them all the "
                                      "same ('inputs' in sweep.csv and sweep.db then tells the "
                                      "runs apart)"));
}

static bool check(const merge_options *o, const text_list *folders, const sweep_plan *plan) {
    bool fine = true;
    for (size_t k = 0; k < folders->count; k++) {
        if (k) fine = is_same_plan(folders->items[k], plan, folders->items[0]) && fine;
        if ((o->force || o->remove) && is_same_folder(folders->items[k], o->out))
            fine = complain("--%s would remove %s, which is to be merged",
                            o->force ? "force" : "remove", o->out);
    }
    return fine;
}

static int run(const void *given, const text_list *arguments) {
    const merge_options *o = given;
    if (!o->out) {
        (void)complain("merge needs --out DIR");
        return EXIT_USAGE;
    }
    sweep_plan plan;
    bool fine = sweep_plan_load(arguments->items[0], &plan) &&
                (!plan.definition ||
                 complain("%s has a search, which has no shards to merge", arguments->items[0])) &&
                check(o, arguments, &plan);
    if (fine) {
        sweep_store store;
        fine = sweep_store_look(&store, o->out, &plan, o->force) &&
               check_inputs(o, &store, arguments) && merge_into(o, &store, arguments);
        sweep_store_close(&store);
    }
    sweep_plan_free(&plan);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static const merge_options defaults = {.out = NULL};

static const option options_of_merge[] = {
    {"out", OPTION_TEXT, "DIR", "the folder of the whole; may be one of the shards",
     offsetof(merge_options, out)},
    {"partial", OPTION_FLAG, NULL, "it is fine that runs are missing",
     offsetof(merge_options, partial)},
    {"remove", OPTION_FLAG, NULL, "remove the shards when all that is whole in them is in DIR",
     offsetof(merge_options, remove)},
    {"accept-changes", OPTION_FLAG, NULL, "merge also shards that were done with other files",
     offsetof(merge_options, accept_changes)},
    {"force", OPTION_FLAG, NULL, "replace the sweep that is in DIR, when all runs went well",
     offsetof(merge_options, force)},
    {.name = NULL},
};

const verb verb_merge = {
    .name = "merge",
    .summary = "join the shards of a sweep",
    .arguments = "SHARD... --out DIR",
    .least = 1,
    .most = 0,
    .options = options_of_merge,
    .defaults = &defaults,
    .options_size = sizeof defaults,
    .description =

        "Joins folders that stiction sweep --shard wrote, on one machine or several, into\n"
        "one with the tables of the whole sweep. All must be of the same sweep. Of a run\n"
        "that is in several, one that went well is kept. Runs that are in none are named;\n"
        "the exit code is then 1, unless --partial is given, and also where a run failed.\n"
        "A run whose files are not as listed in its SHA256SUMS is named and not copied;\n"
        "the exit code is 1 where no other shard has it whole. Copies are checked, too.\n"
        "Shards that were done with other files (a project, body or configuration that\n"
        "changed), or with others than what is in DIR, are refused, unless\n"
        "--accept-changes is given. --remove leaves files that stiction did not write.",
    .example = "  stiction merge shard1 shard2 --out results/gains",
    .run = run,
};
