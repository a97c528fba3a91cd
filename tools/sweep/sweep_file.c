/* SPDX-License-Identifier: MIT
 * A sweep file: the YAML tree is walked once, and all errors are collected.
 */
#include "sweep/sweep_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "document/document.h"
#include "document/error_list.h"
#include "document/names.h"
#include "sweep/sweep_walk.h"

void sweep_add_error(sweep_walk *w, stiction_place at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    stiction_error error;
    (void)stiction_fail_list(&error, STICTION_INVALID_CONFIG, at, format, arguments);
    stiction_errors_add_error(w->errors, &error);
    va_end(arguments);
    w->fine = false;
}

static void free_walk(sweep_walk *w) {
    for (size_t k = 0; k < w->factor_count; k++) {
        free(w->factors[k].keys);
        free(w->factors[k].rows);
    }
    for (size_t k = 0; k < w->draw_count; k++) {
        for (size_t n = 0; n < w->draws[k].choice_count; n++) free(w->draws[k].choices[n]);
        free(w->draws[k].choices);
    }
    for (size_t k = 0; k < w->where_count; k++) sweep_select_free(w->wheres[k].select);
    free(w->factors);
    free(w->draws);
    free(w->wheres);
}

char *sweep_file_beside(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || !slash) return copy_text(name);
    return format_text("%.*s/%s", (int)(slash - path), path, name);
}

/* ---- the keys of the file ---- */

bool sweep_is_single(sweep_walk *w, const tree_node *node, const char *what) {
    if (node->kind == TREE_SCALAR) return true;
    sweep_add_error(w, node->at, "%s must be a single value", what);
    return false;
}

bool sweep_may_make(sweep_walk *w, stiction_place at, size_t count) {
    if (count <= SWEEP_MOST_NUMBERS - w->numbers) {
        w->numbers += count;
        return true;
    }
    sweep_add_error(w, at, "the sequences and samples of the file have more than %d numbers",
                    SWEEP_MOST_NUMBERS);
    return false;
}

bool sweep_whole(sweep_walk *w, const tree_node *node, const char *what, double least, double most,
                 double *value) {
    if (!sweep_is_single(w, node, what)) return false;
    if (read_number(node->text, value) && *value >= least && *value <= most &&
        *value == floor(*value))
        return true;
    sweep_add_error(w, node->at, "%s '%s' must be a whole number from %.16g to %.16g", what,
                    node->text, least, most);
    return false;
}

static void read_format(sweep_walk *w, const tree_entry *entry) {
    if (sweep_is_single(w, entry->value, "sweep") && strcmp(entry->value->text, "1") != 0)
        sweep_add_error(w, entry->value->at, "unknown format %s; expected sweep: 1",
                        entry->value->text);
}

static void read_project(sweep_walk *w, const tree_node *node) {
    if (node->kind != TREE_SCALAR) {
        sweep_add_error(w, node->at, "projects must be one value or a list of single values");
    } else if (!*node->text) {
        sweep_add_error(w, node->at, "projects has no value");
    } else {
        AUTO_FREE char *path = sweep_file_beside(w->path, node->text);
        if (!file_exists(path)) sweep_add_error(w, node->at, "there is no file '%s'", path);
        for (size_t k = 0; k < w->plan->project_count; k++)
            if (strcmp(w->plan->projects[k], node->text) == 0) {
                sweep_add_error(w, node->at, "projects has '%s' twice", node->text);
                return;
            }
        w->plan->project_spots[w->plan->project_count] =
            (sweep_spot){node->at.line, node->at.column};
        w->plan->projects[w->plan->project_count++] = copy_text(node->text);
    }
}

static void read_projects(sweep_walk *w, const tree_entry *entry) {
    const tree_node *node = entry->value;
    const bool list = node->kind == TREE_LIST;
    if (list && node->count == 0) sweep_add_error(w, node->at, "projects has no value");
    w->plan->projects = allocate(list ? node->count : 1, sizeof *w->plan->projects);
    w->plan->project_spots = allocate(list ? node->count : 1, sizeof *w->plan->project_spots);
    if (!list) read_project(w, node);
    for (const tree_entry *e = list ? node->first : NULL; e; e = e->next) read_project(w, e->value);
}

/* Keys that were read before the others. */
static void skip(sweep_walk *w, const tree_entry *entry) {
    (void)w, (void)entry;
}

static void read_engine(sweep_walk *w, const tree_entry *entry) {
    if (!sweep_is_single(w, entry->value, "engine")) return;
    if (!w->rules->has_engine(entry->value->text)) {
        AUTO_FREE char *names = w->rules->engine_names();
        sweep_add_error(w, entry->value->at, "engine '%s' must be %s", entry->value->text, names);
    }
    free(w->plan->engine);
    w->plan->engine = copy_text(entry->value->text);
}

static void read_interval(sweep_walk *w, const tree_entry *entry) {
    double value;
    if (!sweep_is_single(w, entry->value, "interval")) return;
    if (!read_number(entry->value->text, &value) || !isfinite(value) || value <= 0)
        sweep_add_error(w, entry->value->at, "interval '%s' must be a number of seconds above 0",
                        entry->value->text);
    w->plan->interval = copy_text(entry->value->text);
}

/* ---- what works ---- */

static void read_works(sweep_walk *w, const tree_entry *entry) {
    const tree_node *node = entry->value;
    if (!sweep_is_single(w, node, "works")) return;
    w->works_at = node;
    w->plan->works.text = copy_text(node->text);
    w->plan->works.spot = (sweep_spot){node->at.line, node->at.column};
    w->plan->works.select = sweep_read_select(w, node);
}

static void read_edge(sweep_walk *w, const tree_entry *entry) {
    const tree_node *node = entry->value;
    if (!sweep_is_single(w, node, entry->key->text)) return;
    if (w->edge_at) sweep_add_error(w, entry->key->at, "give smallest or largest, not both");
    w->edge_at = node;
    free(w->plan->works.edge);
    w->plan->works.edge = copy_text(node->text);
    w->plan->works.largest = strcmp(entry->key->text, "largest") == 0;
}

/* After all keys. The whole key takes the place of a short one. */
static void check_edge(sweep_walk *w) {
    size_t alike;
    if (!w->edge_at) return;
    const size_t key = sweep_plan_find_key(w->plan, w->edge_at->text, &alike);
    if (!w->works_at)
        sweep_add_error(w, w->edge_at->at,
                        "this is of the runs that work: give the condition, as "
                        "in works: rms_error < 2 deg and stable");
    else if (key == w->plan->parameter_count)
        sweep_add_error(w, w->edge_at->at, "no key of set is '%s'", w->edge_at->text);
    else {
        free(w->plan->works.edge);
        w->plan->works.edge = copy_text(w->plan->parameters[key].key);
    }
}

/* ---- sampling ---- */

static void read_method(sweep_walk *w, const tree_entry *entry) {
    const tree_node *node = entry->value;
    const char *names[4], *name;
    size_t count = 0;
    if (!sweep_is_single(w, node, entry->key->text)) return;
    w->method_at = node;
    if (strcmp(node->text, "latin_hypercube") == 0 || strcmp(node->text, "lhs") == 0) {
        w->method = SAMPLING_LATIN;
        return;
    }
    for (; (name = sampling_method_name(count)) != NULL; names[count++] = name)
        if (strcmp(node->text, name) == 0) {
            w->method = (sampling_method)count;
            return;
        }
    char hint[NAME_HINT_SIZE];
    sweep_add_error(w, node->at, "there is no sampling '%s'%s", node->text,
                    stiction_name_hint(node->text, names, count, hint));
}

static void read_samples(sweep_walk *w, const tree_entry *entry) {
    double value = 1;
    if (w->samples_at) sweep_add_error(w, entry->key->at, "samples is given already");
    w->samples_at = entry->value;
    if (sweep_whole(w, entry->value, "samples", 1, SWEEP_MOST_RUNS, &value))
        w->samples = (size_t)value;
}

static void read_seed(sweep_walk *w, const tree_entry *entry) {
    double value = 0;
    if (w->seed_at) sweep_add_error(w, entry->key->at, "seed is given already");
    w->seed_at = entry->value;
    if (sweep_whole(w, entry->value, "seed", 0, 9007199254740991, &value))
        w->seed = (uint64_t)value;
}

typedef struct file_key {
    const char *key;
    void (*read)(sweep_walk *w, const tree_entry *entry);
    bool needed;
} file_key;

static void read_keys(sweep_walk *w, const tree_node *map, const file_key *keys, size_t count);

/* sampling: latin, or sampling: {method: latin, samples: 100, seed: 1} */
static void read_sampling(sweep_walk *w, const tree_entry *entry) {
    static const file_key keys[] = {{"method", read_method, false},
                                    {"samples", read_samples, false},
                                    {"seed", read_seed, false}};
    if (entry->value->kind != TREE_MAPPING)
        read_method(w, entry);
    else
        read_keys(w, entry->value, keys, sizeof keys / sizeof keys[0]);
}

/* Repetitions are read last: they vary fastest. */
static void read_repetitions(sweep_walk *w, const tree_entry *entry) {
    w->repetitions = entry;
}

static const file_key file_keys[] = {
    {"sweep", read_format, true},
    {"projects", skip, true},
    {"engine", read_engine, false},
    {"controller", skip, false},
    {"targets", sweep_read_parameter, false},
    {"set", sweep_read_set, false},
    {"interval", read_interval, false},
    {"zip", sweep_read_zip, false},
    {"sampling", read_sampling, false},
    {"samples", read_samples, false},
    {"seed", read_seed, false},
    {"repetitions", read_repetitions, false},
    {"where", sweep_read_where, false},
    {"works", read_works, false},
    {"smallest", read_edge, false},
    {"largest", read_edge, false},
    {"minimise", sweep_read_minimise, false},
    {"minimize", sweep_read_minimise, false},
    {"maximise", sweep_read_maximise, false},
    {"maximize", sweep_read_maximise, false},
    {"over", sweep_read_over, false},
    {"evaluations", sweep_read_evaluations, false},
};
enum { key_count = sizeof file_keys / sizeof file_keys[0] };

static void read_keys(sweep_walk *w, const tree_node *map, const file_key *keys, size_t count) {
    const char *names[key_count];
    for (size_t k = 0; k < count; k++) names[k] = keys[k].key;
    for (const tree_entry *e = map->first; e; e = e->next) {
        size_t k = 0;
        while (k < count && strcmp(keys[k].key, e->key->text) != 0) k++;
        char hint[NAME_HINT_SIZE];
        if (k < count)
            keys[k].read(w, e);
        else
            sweep_add_error(w, e->key->at, "there is no key '%s'%s", e->key->text,
                            stiction_name_hint(e->key->text, names, count, hint));
    }
}

/* Keys that have no meaning without another one. */
static void check_whole(sweep_walk *w) {
    const tree_node *of_search = w->over_at ? w->over_at : w->evaluations_at;
    if (!w->goal_at && of_search)
        sweep_add_error(w, of_search->at,
                        "this belongs to a search, and the file has no minimise or "
                        "maximise");
    if (w->seed_at && !w->goal_at && !w->draw_count && !w->samples_at)
        sweep_add_error(w, w->seed_at->at,
                        "nothing is drawn, so seed has no effect; set gives the seed of "
                        "what a friction file draws");
}

/* ---- the whole ---- */

static void *read_tree(reader *r, const void *context) {
    sweep_walk *w = *(sweep_walk *const *)context;
    const stiction_place start = {w->path, 1, 1};
    const tree_options options = {
        .what = "a sweep", .must_say = "sweep: 1", .doubles = TREE_REFUSE_DOUBLES};
    const tree_node *root = stiction_doc_read(r, (stiction_place){0}, w->path, &options).root;
    if (root->kind != TREE_MAPPING)
        stiction_reader_refuse(r, root->at,
                               "this is not a sweep file: expected YAML with sweep: 1, projects: "
                               "[FILE.cnoid] and set: with values; see stiction help sweep");
    for (size_t k = 0; k < key_count; k++)
        if (file_keys[k].needed && !stiction_yaml_find(root, file_keys[k].key))
            sweep_add_error(w, start, "there is no key '%s'%s", file_keys[k].key,
                            k == 0 ? "; sweep: 1 says that this is a sweep file" : "");
    if (!stiction_yaml_find(root, "sweep")) return w; /* it may be any file: quote nothing of it */
    const tree_entry *projects = stiction_yaml_find(root, "projects");
    const tree_entry *controller = stiction_yaml_find(root, "controller");
    if (projects) read_projects(w, projects); /* the keys of set depend on these */
    if (controller) sweep_read_parameter(w, controller);
    read_keys(w, root, file_keys, key_count);
    if (w->repetitions) sweep_read_repetitions(w, w->repetitions);
    check_whole(w);
    check_edge(w);
    sweep_make_runs(w);
    return w;
}

bool sweep_file_read(const char *path, const sweep_rules *rules, sweep_plan *plan,
                     stiction_errors *errors) {
    *plan = (sweep_plan){
        .engine = copy_text("mujoco"), .path = copy_text(path), .untrusted = rules->untrusted};
    stiction_error error;
    reader r = {.error = &error};
    sweep_walk w = {.path = path, .rules = rules, .plan = plan, .errors = errors, .fine = true};
    sweep_walk *const context = &w;
    if (!stiction_reader_run(&r, read_tree, &context)) {
        stiction_errors_add_error(errors, &error);
        w.fine = false;
    }
    free_walk(&w);
    stiction_arena_free(&r.memory);
    return w.fine;
}
