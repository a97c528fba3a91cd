/*
 * A sweep file: the YAML tree is walked once; a mistake is told and the walk goes on.
 */
#include "sweep/sweep_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "document/document.h"
#include "document/names.h"

typedef struct walk {
    const char *path;
    const sweep_rules *rules;
    sweep_plan *plan;
    bool fine;
    const tree_node *projects; /* NULL: the file has none */
} walk;

__attribute__((format(printf, 3, 4))) static void mistake(walk *w, stiction_place at,
                                                          const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char sentence[2000];
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    tell_line("%s:%d:%d: %s", at.path, at.line, at.column, sentence);
    va_end(arguments);
    w->fine = false;
}

char *sweep_file_beside(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || !slash) return copy_text(name);
    return format_text("%.*s/%s", (int)(slash - path), path, name);
}

static void expect_file(walk *w, stiction_place at, const char *name) {
    char *path = sweep_file_beside(w->path, name);
    if (!file_exists(path)) mistake(w, at, "there is no file '%s'", path);
    free(path);
}

/* ---- lists of texts ---- */

/* One text, or a list of texts that differ. */
typedef struct texts {
    const tree_node *node;
    const char *what;
} texts;

static size_t texts_count(const texts *t) {
    return t->node->kind == TREE_LIST ? t->node->count : 1;
}

static const tree_node *texts_at(const texts *t, size_t k) {
    if (t->node->kind != TREE_LIST) return t->node;
    const tree_entry *e = t->node->first;
    while (k-- > 0) e = e->next;
    return e->value;
}

static bool check_text(walk *w, const texts *t, size_t k) {
    const tree_node *node = texts_at(t, k);
    if (node->kind != TREE_SCALAR)
        mistake(w, node->at, "%s must be one value or a list of single values%s", t->what,
                node->kind == TREE_LIST ? "; a vector is one text: \"0,0,-9.8\", and so is a "
                                          "list: \"[0.1, 0.2]\""
                                        : "");
    else if (!*node->text)
        mistake(w, node->at, "%s has no value", t->what);
    else
        for (size_t n = 0; n < k; n++) {
            const tree_node *earlier = texts_at(t, n);
            if (earlier->kind == TREE_SCALAR && strcmp(earlier->text, node->text) == 0) {
                mistake(w, node->at, "%s has '%s' twice", t->what, node->text);
                return false;
            }
        }
    return node->kind == TREE_SCALAR && *node->text;
}

/* Copies those that are fine. */
static void take_texts(walk *w, const texts *t, char ***copies, sweep_spot **spots, size_t *count) {
    *copies = allocate(texts_count(t), sizeof **copies);
    *spots = allocate(texts_count(t), sizeof **spots);
    if (texts_count(t) == 0) mistake(w, t->node->at, "%s has no value", t->what);
    for (size_t k = 0; k < texts_count(t); k++)
        if (check_text(w, t, k)) {
            const tree_node *node = texts_at(t, k);
            (*spots)[*count] = (sweep_spot){node->at.line, node->at.column};
            (*copies)[(*count)++] = copy_text(node->text);
        }
}

/* ---- the keys of the file ---- */

static bool is_single(walk *w, const tree_entry *entry) {
    if (entry->value->kind == TREE_SCALAR) return true;
    mistake(w, entry->value->at, "%s must be a single value", entry->key->text);
    return false;
}

static void read_format(walk *w, const tree_entry *entry) {
    if (is_single(w, entry) && strcmp(entry->value->text, "1") != 0)
        mistake(w, entry->value->at, "sweep %s is a format that is not known here; 1 is",
                entry->value->text);
}

static void read_projects(walk *w, const tree_entry *entry) {
    const texts projects = {entry->value, entry->key->text};
    sweep_spot *spots;
    take_texts(w, &projects, &w->plan->projects, &spots, &w->plan->project_count);
    free(spots);
    for (size_t k = 0; k < texts_count(&projects); k++) {
        const tree_node *node = texts_at(&projects, k);
        if (node->kind == TREE_SCALAR && *node->text) expect_file(w, node->at, node->text);
    }
}

static void read_engine(walk *w, const tree_entry *entry) {
    if (!is_single(w, entry)) return;
    if (!w->rules->has_engine(entry->value->text)) {
        char *names = w->rules->engine_names();
        mistake(w, entry->value->at, "engine '%s' must be %s", entry->value->text, names);
        free(names);
    }
    free(w->plan->engine);
    w->plan->engine = copy_text(entry->value->text);
}

static void read_interval(walk *w, const tree_entry *entry) {
    double value;
    if (!is_single(w, entry)) return;
    if (!read_number(entry->value->text, &value) || !isfinite(value) || value <= 0)
        mistake(w, entry->value->at, "interval '%s' must be a number of seconds above 0",
                entry->value->text);
    w->plan->interval = copy_text(entry->value->text);
}

/* Whether only a controller of the projects knows what a key may be. */
static bool is_free(const walk *w, const char *key) {
    if (!w->projects || !w->rules->is_option(key)) return false;
    const texts projects = {w->projects, "projects"};
    bool others = false;
    for (size_t k = 0; !others && k < texts_count(&projects); k++) {
        const tree_node *node = texts_at(&projects, k);
        if (node->kind != TREE_SCALAR || !*node->text) continue;
        char *path = sweep_file_beside(w->path, node->text);
        others = w->rules->has_other_controllers(path);
        free(path);
    }
    return others;
}

static void check_setting(walk *w, const char *key, const tree_node *value) {
    if (value->kind != TREE_SCALAR || !*value->text) return; /* told already */
    char *text = format_text("%s=%s", key, value->text);
    if (!is_free(w, key)) w->fine = w->rules->check_setting(text, value->at) && w->fine;
    if (strcmp(key, "configuration") == 0) expect_file(w, value->at, value->text);
    free(text);
}

static void read_parameter(walk *w, const tree_entry *entry) {
    const char *key = entry->key->text;
    if (strchr(key, '=')) {
        mistake(w, entry->key->at, "a key of set has no '=': '%s'", key);
        return;
    }
    const texts values = {entry->value, key};
    sweep_parameter *p = &w->plan->parameters[w->plan->parameter_count++];
    p->key = copy_text(key);
    take_texts(w, &values, &p->values, &p->spots, &p->count);
    /* a wrong key is one mistake, however many values it has */
    char hint[NAME_HINT_SIZE];
    if (!w->rules->has_key(key, hint)) {
        mistake(w, entry->key->at, "set has no key '%s'%s", key, hint);
        return;
    }
    for (size_t k = 0; k < texts_count(&values); k++) check_setting(w, key, texts_at(&values, k));
}

static void read_set(walk *w, const tree_entry *entry) {
    const tree_node *map = entry->value;
    if (map->kind != TREE_MAPPING) {
        mistake(w, map->at, "set must be a map of keys and values");
        return;
    }
    w->plan->parameters = allocate(map->count, sizeof *w->plan->parameters);
    for (const tree_entry *e = map->first; e; e = e->next) read_parameter(w, e);
}

static const struct {
    const char *key;
    void (*read)(walk *w, const tree_entry *entry);
    bool needed;
} keys[] = {
    {"sweep", read_format, true},       {"projects", read_projects, true},
    {"engine", read_engine, false},     {"set", read_set, false},
    {"interval", read_interval, false},
};
enum { key_count = sizeof keys / sizeof keys[0] };

static void read_key(walk *w, const tree_entry *entry) {
    const char *names[key_count];
    for (size_t k = 0; k < key_count; k++) {
        if (strcmp(keys[k].key, entry->key->text) == 0) {
            keys[k].read(w, entry);
            return;
        }
        names[k] = keys[k].key;
    }
    char hint[NAME_HINT_SIZE];
    mistake(w, entry->key->at, "there is no key '%s'%s", entry->key->text,
            stiction_name_hint(entry->key->text, names, key_count, hint));
}

/* ---- the whole ---- */

static void *read_tree(reader *r, const void *context) {
    walk *w = *(walk *const *)context;
    const stiction_place start = {w->path, 1, 1};
    const tree_options options = {.what = "a sweep",
                                  .must_say = "sweep: 1",
                                  .signs = {"sweep:"},
                                  .doubles = TREE_REFUSE_DOUBLES};
    const tree_node *root = stiction_doc_read(r, (stiction_place){0}, w->path, &options).root;
    if (root->kind != TREE_MAPPING)
        stiction_reader_refuse(r, root->at,
                               "this is no sweep file, which is YAML that says sweep: 1, projects: "
                               "[FILE.cnoid] and set: with values; see stiction help sweep");
    const tree_entry *projects = stiction_yaml_find(root, "projects");
    w->projects = projects ? projects->value : NULL;
    for (size_t k = 0; k < key_count; k++)
        if (keys[k].needed && !stiction_yaml_find(root, keys[k].key))
            mistake(w, start, "there is no key '%s'%s", keys[k].key,
                    k == 0 ? "; sweep: 1 says that this is a sweep file" : "");
    if (!stiction_yaml_find(root, "sweep")) return w; /* it may be anything: nothing is quoted */
    for (const tree_entry *e = root->first; e; e = e->next) read_key(w, e);
    if (w->fine && sweep_plan_count(w->plan) > SWEEP_MOST_RUNS)
        mistake(w, start, "the grid has more than %d runs", SWEEP_MOST_RUNS);
    return w;
}

bool sweep_file_read(const char *path, const sweep_rules *rules, sweep_plan *plan) {
    *plan = (sweep_plan){.engine = copy_text("mujoco"), .path = copy_text(path)};
    stiction_error error;
    reader r = {.error = &error};
    walk w = {.path = path, .rules = rules, .plan = plan, .fine = true};
    walk *const context = &w;
    if (!stiction_reader_run(&r, read_tree, &context)) {
        complain_error(&error);
        w.fine = false;
    }
    stiction_arena_free(&r.memory);
    return w.fine;
}
