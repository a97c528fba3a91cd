/*
 * stiction merge: the shards of one sweep, from several machines, become the whole.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/place.h"
#include "common/verb.h"
#include "sweep/states.h"
#include "sweep/tables.h"

typedef struct merge_options {
    const char *out;
    bool force, partial, remove;
} merge_options;

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

static bool copy_run(const sweep_store *store, sweep_states *states, const sweep_states *from,
                     size_t run) {
    place p;
    char *folder = sweep_run_folder(from->folder, store->plan, run);
    const bool fine =
        sweep_store_open_run(store, run, &p) && copy_files(folder, p.fresh) && place_commit(&p);
    place_close(&p);
    if (fine) sweep_states_set(states, run, from->states[run], from->reasons[run]);
    free(folder);
    return fine;
}

/* ---- choosing ---- */

static int worth(sweep_state state) {
    return state == SWEEP_DONE ? 2 : state == SWEEP_FAILED ? 1 : 0;
}

/* One that went well is better than one that failed, the first of them better than others; one that
 * is damaged is none. */
static bool merge_run(const sweep_store *store, sweep_states *states, const sweep_states *shards,
                      size_t count, size_t run) {
    const sweep_states *best = states;
    for (size_t k = 0; k < count; k++)
        if (worth(shards[k].states[run]) > worth(best->states[run])) best = &shards[k];
    return best == states || copy_run(store, states, best, run);
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

/* A run that is damaged in a shard and nowhere whole is damaged here, though it was not copied. */
static void note_damage(sweep_states *states, const sweep_states *shards, size_t count) {
    for (size_t run = 0; run < states->count; run++)
        for (size_t k = 0; k < count && states->states[run] == SWEEP_ABSENT; k++)
            if (shards[k].states[run] == SWEEP_DAMAGED)
                sweep_states_set(states, run, SWEEP_DAMAGED, shards[k].reasons[run]);
}

static bool show_outcome(const merge_options *o, const sweep_store *store,
                         const sweep_states *states) {
    const bool shown = sweep_show(states);
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
    if (shown && !damaged && (!missing || o->partial)) sweep_store_forget(store);
    return shown && failed == 0 && damaged == 0 && (missing == 0 || o->partial);
}

static bool merge_into(const merge_options *o, sweep_store *store, const sweep_states *shards,
                       size_t count) {
    sweep_states states =
        sweep_states_read(store->is_sweep && !o->force ? store->folder : NULL, store->plan);
    states.folder = store->folder;
    (void)sweep_states_tell_damage(&states, "");
    bool fine = true;
    for (size_t run = 0; fine && run < states.count; run++)
        fine = merge_run(store, &states, shards, count, run);
    if (fine && o->remove)
        for (size_t k = 0; k < count; k++) folder_remove(shards[k].folder);
    note_damage(&states, shards, count);
    fine = fine && show_outcome(o, store, &states);
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

static bool is_same_folder(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
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
    bool fine = sweep_plan_load(arguments->items[0], &plan) && check(o, arguments, &plan);
    if (fine) {
        sweep_store store;
        const size_t count = arguments->count;
        sweep_states *shards = allocate(count, sizeof *shards);
        for (size_t k = 0; k < count; k++) {
            shards[k] = sweep_states_read(arguments->items[k], &plan);
            (void)sweep_states_tell_damage(&shards[k], "; it is not copied");
        }
        fine = sweep_store_look(&store, o->out, &plan, o->force) && sweep_store_take(&store) &&
               merge_into(o, &store, shards, count);
        sweep_store_close(&store);
        for (size_t k = 0; k < count; k++) sweep_states_free(&shards[k]);
        free(shards);
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
    {"force", OPTION_FLAG, NULL, "replace the sweep that is in DIR, when this one is whole",
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
        "the exit code is 1 where no other shard has it whole. Copies are checked, too.",
    .example = "  stiction merge shard1 shard2 --out results/gains",
    .run = run,
};
