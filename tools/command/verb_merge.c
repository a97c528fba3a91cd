/*
 * stiction merge: the shards of one sweep, from several machines, become the whole.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/verb.h"
#include "document/file.h"
#include "sweep/store.h"
#include "sweep/tables.h"

typedef struct merge_options {
    const char *out;
    bool force, partial;
} merge_options;

/* ---- copying ---- */

static bool copy_file(const char *from, const char *to) {
    char buffer[1 << 16];
    file_problem problem;
    FILE *in = stiction_file_stream(from, FILE_MOST_RESULTS, &problem), *out = fopen(to, "wb");
    bool fine = in && out;
    for (size_t size; fine && (size = fread(buffer, 1, sizeof buffer, in)) > 0;)
        fine = fwrite(buffer, 1, size, out) == size;
    if (in) {
        fine = !ferror(in) && fine;
        (void)fclose(in);
    }
    if (out) fine = fclose(out) == 0 && fine;
    return fine || complain("cannot copy %s to %s: %s", from, to, strerror(errno));
}

/* The files of a folder; a run has no folders. */
static bool copy_files(const char *from, const char *to) {
    DIR *folder = opendir(from);
    bool fine = folder != NULL || complain("%s: %s", from, strerror(errno));
    for (const struct dirent *entry; fine && (entry = readdir(folder)) != NULL;) {
        struct stat status;
        char *source = format_text("%s/%s", from, entry->d_name);
        char *target = format_text("%s/%s", to, entry->d_name);
        if (stat(source, &status) == 0 && S_ISREG(status.st_mode)) fine = copy_file(source, target);
        free(source);
        free(target);
    }
    if (folder) (void)closedir(folder);
    return fine;
}

static bool copy_run(const sweep_store *store, const char *folder, size_t run) {
    char *scratch = sweep_store_scratch(store, run);
    if (!scratch) return false;
    char *from = sweep_run_folder(folder, store->plan, run);
    const bool fine = copy_files(from, scratch) && sweep_store_put(store, run, scratch);
    if (!fine) folder_remove(scratch);
    free(from);
    free(scratch);
    return fine;
}

/* ---- choosing ---- */

/* One that went well is better than one that failed, the first of them better than others. */
static bool merge_run(const sweep_store *store, const text_list *folders, size_t run) {
    sweep_state best = sweep_run_state(store->folder, store->plan, run, NULL);
    const char *chosen = NULL;
    for (size_t k = 0; k < folders->count; k++) {
        const char *folder = folders->items[k];
        const sweep_state state = sweep_run_state(folder, store->plan, run, NULL);
        if (state == SWEEP_ABSENT) continue;
        if (!sweep_run_fits(folder, store->plan, run))
            return complain("%s: run %zu has other settings than its sweep.json gives it", folder,
                            run + 1);
        if (best == SWEEP_DONE || (best == SWEEP_FAILED && state == SWEEP_FAILED)) continue;
        best = state;
        chosen = folder;
    }
    return !chosen || copy_run(store, chosen, run);
}

/* How many runs are in a state. */
static size_t count_runs(const sweep_store *store, sweep_state state) {
    size_t count = 0;
    for (size_t run = 0; run < sweep_plan_count(store->plan); run++)
        count += sweep_run_state(store->folder, store->plan, run, NULL) == state;
    return count;
}

/* "2, 3, 5 and 17 more" */
static char *missing_runs(const sweep_store *store) {
    enum { most_named = 10 };
    char *text = copy_text("");
    size_t count = 0;
    for (size_t run = 0; run < sweep_plan_count(store->plan); run++) {
        if (sweep_run_state(store->folder, store->plan, run, NULL) != SWEEP_ABSENT) continue;
        if (++count > most_named) continue;
        char *longer = format_text("%s%s%zu", text, *text ? ", " : "", run + 1);
        free(text);
        text = longer;
    }
    if (count <= most_named) return text;
    char *longer = format_text("%s and %zu more", text, count - most_named);
    free(text);
    return longer;
}

static bool merge_into(const merge_options *o, const sweep_store *store, const text_list *folders) {
    const size_t all = sweep_plan_count(store->plan);
    bool fine = true;
    for (size_t run = 0; fine && run < all; run++) fine = merge_run(store, folders, run);
    if (!fine || !sweep_show(store->folder, store->plan)) return false;
    (void)fflush(stdout);
    const size_t missing = count_runs(store, SWEEP_ABSENT),
                 failed = count_runs(store, SWEEP_FAILED);
    if (missing) {
        char *named = missing_runs(store);
        (void)complain("%zu of %zu runs are missing: %s", missing, all, named);
        free(named);
    }
    if (failed) (void)complain("%zu of %zu runs failed", failed, all);
    return failed == 0 && (missing == 0 || o->partial);
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
        if (o->force && is_same_folder(folders->items[k], o->out))
            fine = complain("--force would remove %s, which is to be merged", o->out);
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
        fine =
            sweep_store_open(&store, o->out, &plan, o->force) && merge_into(o, &store, arguments);
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
    {"force", OPTION_FLAG, NULL, "remove what is in DIR and begin anew",
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
        "the exit code is then 1, unless --partial is given, and also where a run failed.",
    .example = "  stiction merge shard1 shard2 --out results/gains",
    .run = run,
};
