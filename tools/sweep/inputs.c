/*
 * The files that the runs of a sweep read. A process of its own reads them as the runs would, and
 * tells the paths of all that it opens through a file in memory.
 */
#define _GNU_SOURCE /* memfd_create */
#include "sweep/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "document/file.h"
#include "document/file_notes.h"
#include "run/run.h"

/* More sentences than this are only counted. */
enum { most_told = 20 };

struct watched_input {
    manifest_entry entry; /* its name is that in the list */
    char *path;           /* by which it is read */
    file_notes note;
};

/* ---- which runs read all of them ---- */

/* A value of a key that is no number may name a file; a configuration always does. */
typedef struct seen {
    size_t which, parameter; /* project and key */
    const char *value;
} seen;

typedef struct choice {
    seen *seen;
    size_t seen_count;
    size_t *runs, run_count;
} choice;

enum { most_seen = 2000 };

static bool is_new(choice *c, size_t which, size_t parameter, const char *value) {
    for (size_t k = 0; k < c->seen_count; k++)
        if (c->seen[k].which == which && c->seen[k].parameter == parameter &&
            strcmp(c->seen[k].value, value) == 0)
            return false;
    if (c->seen_count == most_seen) return false;
    c->seen = reallocate(c->seen, c->seen_count + 1, sizeof *c->seen);
    c->seen[c->seen_count++] = (seen){which, parameter, value};
    return true;
}

/* For every project, and every such value with it, the first run that has it. */
static choice choose_runs(const sweep_plan *plan) {
    choice c = {.seen = NULL};
    double number;
    for (size_t run = 0; run < sweep_plan_count(plan); run++) {
        const size_t which = sweep_plan_project_index(plan, run);
        bool more = is_new(&c, which, plan->parameter_count, "");
        for (size_t k = 0; k < plan->parameter_count; k++) {
            const char *value = sweep_plan_value(plan, run, k);
            if (strcmp(plan->parameters[k].key, "configuration") == 0 ||
                !read_number(value, &number))
                more = is_new(&c, which, k, value) || more;
        }
        if (!more) continue;
        c.runs = reallocate(c.runs, c.run_count + 1, sizeof *c.runs);
        c.runs[c.run_count++] = run;
    }
    return c;
}

static void free_choice(choice *c) {
    free(c->seen);
    free(c->runs);
}

/* ---- in the child ---- */

/* Its own, and by which it is read: a link may lead elsewhere some day. */
static void tell_path(void *user, const char *path) {
    const int *file = user;
    char real[PATH_MAX];
    if (realpath(path, real)) (void)dprintf(*file, "%s%c%s%c", real, '\0', path, '\0');
}

/* As stiction run reads it. Controllers of others are asked as well: only so their files show. */
static void read_run(const sweep_runner *r, size_t run) {
    const sweep_plan *plan = r->store->plan;
    char *path = sweep_run_project(r, run);
    text_list set = {NULL, 0};
    for (size_t k = 0; k < plan->parameter_count; k++)
        text_list_add(&set, sweep_run_setting(r, run, k));
    settings s;
    const bool fine =
        (settings_has_other_controllers(path, plan->untrusted) ? settings_read_any
                                                               : settings_read)(&s, &set);
    s.simulation.world.untrusted = plan->untrusted;
    if (fine) (void)run_find_checker(plan->engine)(path, &s);
    settings_free(&s);
    for (size_t k = 0; k < set.count; k++) free((char *)set.items[k]);
    free((void *)set.items);
    free(path);
}

/* What it would say of mistakes is told by the check of all runs, or by the runs. */
static _Noreturn void be_reader(const sweep_runner *r, const choice *c, int file, pid_t parent) {
    const int nowhere = open("/dev/null", O_RDWR);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent || nowhere < 0) _exit(125);
    for (int to = 0; to < 3; to++)
        if (dup2(nowhere, to) < 0) _exit(125);
    stiction_file_watch(tell_path, &file);
    for (size_t k = 0; k < c->run_count; k++) read_run(r, c->runs[k]);
    _exit(0);
}

/* ---- in the parent ---- */

/* "/a/b/c" from "/a/d" on: "../b/c" */
static char *relative_to(const char *folder, const char *path) {
    size_t common = 0;
    for (size_t k = 0;; k++) {
        const bool at_end = !folder[k] || folder[k] == '/', too = !path[k] || path[k] == '/';
        if (at_end && too) common = k;
        if (folder[k] != path[k] || !folder[k]) break;
    }
    const char *rest = path + common + (path[common] == '/');
    char *relative = copy_text(rest);
    for (const char *slash = folder + common; (slash = strchr(slash, '/')) != NULL; slash++)
        if (slash[1]) {
            char *longer = format_text("../%s", relative);
            free(relative);
            relative = longer;
        }
    return relative;
}

/* By its checksum. False: it cannot be read. */
static bool sum_of(const char *path, char digest[MANIFEST_DIGEST_SIZE]) {
    manifest one = {.entries = NULL};
    char real[PATH_MAX]; /* a list has no links */
    const bool fine = realpath(path, real) && manifest_add(&one, "", real);
    if (fine)
        memcpy(digest, one.entries[0].digest, MANIFEST_DIGEST_SIZE);
    else
        need_memory();
    manifest_free(&one);
    return fine;
}

/* As it is now; what happens to it from here on shows. A file that was changed a moment ago is
 * trusted: it is not kept for the next sweep. */
static void note(watched_input *w) {
    stiction_file_notes_free(&w->note);
    stiction_file_notes_add(&w->note, w->path);
    if (!w->note.count) (void)must_have(NULL);
    w->note.incomplete = false;
}

/* Whether it is known; runs read mostly the same in the same order, so it is looked for from
 * `*hint` on. */
static bool is_watched(const sweep_inputs *inputs, const char *path, size_t *hint) {
    for (size_t k = 0; k < inputs->watched_count; k++) {
        const size_t at = (*hint + k) % inputs->watched_count;
        if (strcmp(inputs->watched[at].path, path) != 0) continue;
        *hint = at + 1;
        return true;
    }
    return false;
}

static void free_watched(watched_input *w) {
    stiction_file_notes_free(&w->note);
    free(w->entry.name);
    free(w->path);
}

static void add_path(sweep_inputs *inputs, const char *folder, const char *real, const char *path,
                     size_t *hint) {
    if (strncmp(real, "/proc/", 6) == 0 || strncmp(real, "/sys/", 5) == 0 ||
        is_watched(inputs, path, hint))
        return;
    watched_input one = {.path = copy_text(path), .entry = {.name = relative_to(folder, real)}};
    note(&one); /* before it is read */
    if (!sum_of(path, one.entry.digest)) {
        free_watched(&one);
        return;
    }
    if (!manifest_add_entry(&inputs->now, &one.entry)) (void)must_have(NULL);
    inputs->watched =
        reallocate(inputs->watched, inputs->watched_count + 1, sizeof *inputs->watched);
    inputs->watched[inputs->watched_count++] = one;
}

/* The paths that a child told, each with a 0 behind it. */
static void add_paths(sweep_inputs *inputs, const char *folder, int file) {
    FILE *told = must_have(fdopen(file, "r"));
    char *real = NULL, *path = NULL;
    size_t real_size = 0, size = 0, hint = 0;
    rewind(told);
    while (getdelim(&real, &real_size, '\0', told) > 0 && getdelim(&path, &size, '\0', told) > 0)
        add_path(inputs, folder, real, path, &hint);
    free(real);
    free(path);
    (void)fclose(told);
}

static bool run_reader(const sweep_runner *r, const choice *c, int file) {
    (void)flush_output();
    (void)fflush(NULL);
    const pid_t parent = getpid(), child = fork();
    int status = 0;
    if (child == 0) be_reader(r, c, file, parent);
    if (child < 0) return complain("cannot list the files that the runs read: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return true;
}

/* The folder of the sweep file, after links are followed; the caller frees it. */
static char *folder_of(const char *file) {
    char real[PATH_MAX];
    if (!realpath(file, real)) return copy_text("/");
    char *slash = strrchr(real, '/');
    *slash = '\0';
    return copy_text(real);
}

static bool find_inputs(const sweep_runner *r, sweep_inputs *inputs) {
    const int file = memfd_create("stiction", MFD_CLOEXEC);
    if (file < 0) return complain("cannot list the files that the runs read: %s", strerror(errno));
    choice c = choose_runs(r->store->plan);
    const bool fine = run_reader(r, &c, file);
    char *folder = folder_of(r->file);
    add_paths(inputs, folder, file); /* which closes it */
    free(folder);
    free_choice(&c);
    return fine;
}

/* ---- comparing ---- */

static const char *digest_in(const manifest *list, const char *name) {
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(list->entries[middle].name, name);
        if (order == 0) return list->entries[middle].digest;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* How many sentences there are; more than some are not said. */
static size_t tell_changes(const manifest *before, const manifest *now) {
    size_t count = 0;
    for (size_t k = 0; k < before->count; k++) {
        const char *name = before->entries[k].name, *digest = digest_in(now, name);
        if (digest && strcmp(digest, before->entries[k].digest) == 0) continue;
        if (++count <= most_told)
            (void)complain(digest ? "'%s' has changed since runs of this sweep were done"
                                  : "'%s', which runs of this sweep read, is not read any more",
                           name);
    }
    for (size_t k = 0; k < now->count; k++)
        if (!digest_in(before, now->entries[k].name) && ++count <= most_told)
            (void)complain("'%s' is read now, and was not when runs of this sweep were done",
                           now->entries[k].name);
    if (count > most_told) (void)complain("and %zu more files are others", count - most_told);
    return count;
}

static bool is_same(const manifest *a, const manifest *b) {
    bool same = a->count == b->count;
    for (size_t k = 0; same && k < a->count; k++)
        same = strcmp(a->entries[k].name, b->entries[k].name) == 0 &&
               strcmp(a->entries[k].digest, b->entries[k].digest) == 0;
    return same;
}

bool sweep_inputs_differ(const manifest *a, const char *first, const manifest *b,
                         const char *second) {
    size_t count = 0;
    for (size_t k = 0; k < a->count; k++) {
        const char *digest = digest_in(b, a->entries[k].name);
        if (!digest || strcmp(digest, a->entries[k].digest) == 0) continue;
        if (first && ++count <= most_told)
            (void)complain("%s and %s were done with different files: '%s' differs", first, second,
                           a->entries[k].name);
        if (!first) return true;
    }
    return count > 0;
}

/* ---- generations ---- */

/* The last one with this list; 0: there is none. */
static bool find_generation(records *there, const manifest *list, size_t last, size_t *found) {
    *found = 0;
    bool fine = true;
    for (size_t g = last; fine && g >= 1 && !*found; g--) {
        manifest before;
        fine = records_inputs(there, g, &before);
        if (fine && is_same(&before, list)) *found = g;
        manifest_free(&before);
    }
    return fine;
}

static bool refuse(const sweep_runner *r, const manifest *before, const manifest *now,
                   size_t complete) {
    (void)tell_changes(before, now);
    return complain("%zu run%s in %s %s done with other files than those that are there now, so "
                    "nothing was started; put the files back, give --force to do all runs anew, or "
                    "--accept-changes to do the rest with the new files ('inputs' in sweep.csv and "
                    "sweep.db then tells the runs apart)",
                    complete, complete == 1 ? "" : "s", r->store->folder,
                    complete == 1 ? "was" : "were");
}

static bool compare(sweep_inputs *inputs, const sweep_runner *r, records *there, bool accept) {
    const size_t complete =
        sweep_states_count(r->states, SWEEP_DONE) + sweep_states_count(r->states, SWEEP_FAILED);
    size_t last, known;
    manifest before = {.entries = NULL};
    if (!records_generations(there, &last)) return false;
    if (!last) return true; /* nobody knows what they read */
    bool fine =
        find_generation(there, &inputs->now, last, &known) && records_inputs(there, last, &before);
    inputs->generation = known ? known : last + 1;
    if (fine && known != last && complete && !accept)
        fine = refuse(r, &before, &inputs->now, complete);
    manifest_free(&before);
    return fine;
}

bool sweep_inputs_check(sweep_inputs *inputs, const sweep_runner *r, bool accept) {
    *inputs = (sweep_inputs){.generation = 1};
    if (!find_inputs(r, inputs)) return false;
    if (!r->store->is_sweep || r->store->force || !records_exist(r->store->folder)) return true;
    records *there = records_open(r->store->folder, r->store->plan, DATABASE_READ);
    const bool fine = there && compare(inputs, r, there, accept);
    records_abandon(there);
    return fine;
}

void sweep_inputs_free(sweep_inputs *inputs) {
    for (size_t k = 0; k < inputs->watched_count; k++) free_watched(&inputs->watched[k]);
    free(inputs->watched);
    manifest_free(&inputs->now);
    *inputs = (sweep_inputs){.generation = 0};
}

/* One that was touched may still say the same. */
static bool is_unchanged(watched_input *w) {
    char digest[MANIFEST_DIGEST_SIZE];
    if (stiction_file_notes_hold(&w->note)) return true;
    note(w);
    return sum_of(w->path, digest) && strcmp(digest, w->entry.digest) == 0;
}

bool sweep_inputs_hold(sweep_inputs *inputs) {
    for (size_t k = 0; !inputs->have_changed && k < inputs->watched_count; k++) {
        if (is_unchanged(&inputs->watched[k])) continue;
        inputs->have_changed = true;
        (void)complain("'%s' has changed since the sweep began, so that it was stopped: runs with "
                       "different files would be mixed; put it back and give the same command, or "
                       "do all runs anew by --force, or the rest with the new file by "
                       "--accept-changes",
                       inputs->watched[k].entry.name);
    }
    return !inputs->have_changed;
}

bool sweep_inputs_record(const sweep_inputs *inputs, sweep_store *store) {
    store->generation = inputs->generation;
    return records_put_inputs(store->records, inputs->generation, &inputs->now) &&
           sweep_store_settle(store);
}

size_t sweep_inputs_take_over(sweep_store *store, const manifest *list) {
    size_t last, found = 0;
    bool fine = records_generations(store->records, &last);
    for (size_t g = last; fine && g >= 1 && !found; g--) {
        manifest there;
        fine = records_inputs(store->records, g, &there);
        if (fine && !sweep_inputs_differ(&there, NULL, list, NULL)) found = g;
        manifest_free(&there);
    }
    if (!found) found = last + 1;
    return fine && records_put_inputs(store->records, found, list) ? found : 0;
}
