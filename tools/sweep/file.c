/*
 * A sweep file: the YAML tree is walked once; a mistake is told and the walk goes on.
 */
#include "sweep/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "document/document.h"
#include "document/names.h"
#include "run/run.h"

typedef struct walk {
    const char *path;
    sweep_plan *plan;
    bool fine;
} walk;

__attribute__((format(printf, 3, 4))) static void mistake(walk *w, place at, const char *format,
                                                          ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d:%d: ", at.path, at.line, at.column);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    w->fine = false;
}

char *sweep_file_beside(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || !slash) return copy_text(name);
    return format_text("%.*s/%s", (int)(slash - path), path, name);
}

static void expect_file(walk *w, place at, const char *name) {
    char *path = sweep_file_beside(w->path, name);
    if (!file_exists(path)) mistake(w, at, "there is no file '%s'", path);
    free(path);
}

/* ---- lists of texts ---- */

/* One text, or a list of texts that differ. */
typedef struct texts {
    const doc_node *node;
    const char *what;
} texts;

static size_t texts_count(const texts *t) {
    return t->node->kind == DOC_LIST ? t->node->count : 1;
}

static const doc_node *texts_at(const texts *t, size_t k) {
    return t->node->kind == DOC_LIST ? t->node->entries[k].value : t->node;
}

static bool check_text(walk *w, const texts *t, size_t k) {
    const doc_node *node = texts_at(t, k);
    if (node->kind != DOC_TEXT)
        mistake(w, node->at, "%s must be one value or a list of single values%s", t->what,
                node->kind == DOC_LIST ? "; a vector is one text: \"0,0,-9.8\"" : "");
    else if (!*node->text)
        mistake(w, node->at, "%s has no value", t->what);
    else
        for (size_t n = 0; n < k; n++) {
            const doc_node *earlier = texts_at(t, n);
            if (earlier->kind == DOC_TEXT && strcmp(earlier->text, node->text) == 0) {
                mistake(w, node->at, "%s has '%s' twice", t->what, node->text);
                return false;
            }
        }
    return node->kind == DOC_TEXT && *node->text;
}

/* Copies those that are fine. */
static void take_texts(walk *w, const texts *t, char ***copies, size_t *count) {
    *copies = allocate(texts_count(t), sizeof **copies);
    if (texts_count(t) == 0) mistake(w, t->node->at, "%s has no value", t->what);
    for (size_t k = 0; k < texts_count(t); k++)
        if (check_text(w, t, k)) (*copies)[(*count)++] = copy_text(texts_at(t, k)->text);
}

/* ---- the keys of the file ---- */

static bool is_single(walk *w, const doc_entry *entry) {
    if (entry->value->kind == DOC_TEXT) return true;
    mistake(w, entry->value->at, "%s must be a single value", entry->key);
    return false;
}

static void read_format(walk *w, const doc_entry *entry) {
    if (is_single(w, entry) && strcmp(entry->value->text, "1") != 0)
        mistake(w, entry->value->at, "sweep %s is a format that is not known here; 1 is",
                entry->value->text);
}

static void read_projects(walk *w, const doc_entry *entry) {
    const texts projects = {entry->value, entry->key};
    take_texts(w, &projects, &w->plan->projects, &w->plan->project_count);
    for (size_t k = 0; k < texts_count(&projects); k++) {
        const doc_node *node = texts_at(&projects, k);
        if (node->kind == DOC_TEXT && *node->text) expect_file(w, node->at, node->text);
    }
}

static void read_engine(walk *w, const doc_entry *entry) {
    if (!is_single(w, entry)) return;
    if (!run_find_engine(entry->value->text))
        mistake(w, entry->value->at, "engine '%s' must be mujoco or choreonoid",
                entry->value->text);
    free(w->plan->engine);
    w->plan->engine = copy_text(entry->value->text);
}

static void read_interval(walk *w, const doc_entry *entry) {
    double value;
    if (!is_single(w, entry)) return;
    if (!read_number(entry->value->text, &value) || !isfinite(value) || value <= 0)
        mistake(w, entry->value->at, "interval '%s' must be a number of seconds above 0",
                entry->value->text);
    w->plan->interval = copy_text(entry->value->text);
}

static void check_setting(walk *w, const char *key, const doc_node *value) {
    if (value->kind != DOC_TEXT || !*value->text) return; /* told already */
    char *text = format_text("%s=%s", key, value->text);
    w->fine = settings_check(text, value->at) && w->fine;
    if (strcmp(key, "configuration") == 0) expect_file(w, value->at, value->text);
    free(text);
}

static void read_parameter(walk *w, const doc_entry *entry) {
    if (strchr(entry->key, '=')) {
        mistake(w, entry->at, "a key of set has no '=': '%s'", entry->key);
        return;
    }
    const texts values = {entry->value, entry->key};
    sweep_parameter *p = &w->plan->parameters[w->plan->parameter_count++];
    p->key = copy_text(entry->key);
    take_texts(w, &values, &p->values, &p->count);
    /* a wrong key is one mistake, however many values it has */
    const char *nearest = settings_nearest_key(entry->key);
    if (nearest) {
        mistake(w, entry->at, "set has no key '%s'; the nearest is '%s'", entry->key, nearest);
        return;
    }
    for (size_t k = 0; k < texts_count(&values); k++)
        check_setting(w, entry->key, texts_at(&values, k));
}

static void read_set(walk *w, const doc_entry *entry) {
    const doc_node *map = entry->value;
    if (map->kind != DOC_MAP) {
        mistake(w, map->at, "set must be a map of keys and values");
        return;
    }
    w->plan->parameters = allocate(map->count, sizeof *w->plan->parameters);
    for (size_t k = 0; k < map->count; k++) read_parameter(w, &map->entries[k]);
}

static const struct {
    const char *key;
    void (*read)(walk *w, const doc_entry *entry);
    bool needed;
} keys[] = {
    {"sweep", read_format, true},       {"projects", read_projects, true},
    {"engine", read_engine, false},     {"set", read_set, false},
    {"interval", read_interval, false},
};
enum { key_count = sizeof keys / sizeof keys[0] };

static void read_key(walk *w, const doc_entry *entry) {
    const char *names[key_count];
    for (size_t k = 0; k < key_count; k++) {
        if (strcmp(keys[k].key, entry->key) == 0) {
            keys[k].read(w, entry);
            return;
        }
        names[k] = keys[k].key;
    }
    mistake(w, entry->at, "there is no key '%s'; the nearest is '%s'", entry->key,
            stiction_nearest_name(entry->key, names, key_count));
}

static bool has_key(const doc_node *map, const char *key) {
    for (size_t k = 0; k < map->count; k++)
        if (strcmp(map->entries[k].key, key) == 0) return true;
    return false;
}

/* ---- the whole ---- */

static void *read_tree(reader *r, const void *context) {
    walk *w = *(walk *const *)context;
    const place start = {w->path, 1, 1};
    const doc_node *root = doc_read(r, (place){0}, w->path, NULL).root;
    doc_expect(r, root, DOC_MAP, "a sweep file");
    for (size_t k = 0; k < key_count; k++)
        if (keys[k].needed && !has_key(root, keys[k].key))
            mistake(w, start, "there is no key '%s'%s", keys[k].key,
                    k == 0 ? "; sweep: 1 says that this is a sweep file" : "");
    for (size_t k = 0; k < root->count; k++) read_key(w, &root->entries[k]);
    if (w->fine && sweep_plan_count(w->plan) > SWEEP_MOST_RUNS)
        mistake(w, start, "the grid has more than %d runs", SWEEP_MOST_RUNS);
    return w;
}

bool sweep_file_read(const char *path, sweep_plan *plan) {
    *plan = (sweep_plan){.engine = copy_text("mujoco")};
    stiction_error error;
    reader r = {.error = &error, .unlike_keys = true};
    walk w = {path, plan, true};
    walk *const context = &w;
    if (!reader_run(&r, read_tree, &context)) {
        complain_error(&error);
        w.fine = false;
    }
    reader_release(r.memory);
    return w.fine;
}
