/* The key << of YAML: takes over what other mappings have. */
#include "yaml_merge.h"

#include <stdlib.h>
#include <string.h>

#include "error_list.h"

typedef struct candidate {
    tree_entry entry; /* a copy */
    size_t order;     /* the mapping's own come first */
    bool own, hidden;
} candidate;

typedef struct candidates {
    candidate *list; /* NULL while they are only counted */
    size_t count;
} candidates;

static void add(candidates *c, const tree_entry *entry, bool own) {
    if (c->list) c->list[c->count] = (candidate){*entry, c->count, own, false};
    c->count++;
}

static void add_mapping(candidates *c, const tree_node *mapping) {
    if (mapping->kind != TREE_MAPPING) return;
    for (const tree_entry *e = mapping->first; e; e = e->next) add(c, e, false);
}

static bool is_merge(const tree_entry *entry) {
    return entry->key->plain && strcmp(entry->key->text, "<<") == 0;
}

/* The mapping's own entries, then those of each mapping that it takes over. */
static void collect(candidates *c, const tree_node *mapping) {
    for (const tree_entry *e = mapping->first; e; e = e->next)
        if (!is_merge(e)) add(c, e, true);
    for (const tree_entry *e = mapping->first; e; e = e->next) {
        if (!is_merge(e)) continue;
        if (e->value->kind == TREE_LIST)
            for (const tree_entry *item = e->value->first; item; item = item->next)
                add_mapping(c, item->value);
        else
            add_mapping(c, e->value);
    }
}

static void refuse(const tree_node *node, const char *path, stiction_errors *errors,
                   const char *sentence) {
    errors_add(errors, (error_place){path, node->line, node->column}, "", STICTION_INVALID_CONFIG,
               "%s", sentence);
}

static void check_source(const tree_node *source, const char *path, stiction_errors *errors) {
    if (source->kind != TREE_MAPPING && source->kind != TREE_BAD)
        refuse(source, path, errors, "<< must be a mapping or a list of mappings");
}

static void check_merges(const tree_node *mapping, const char *path, stiction_errors *errors) {
    const tree_entry *before = NULL;
    for (const tree_entry *e = mapping->first; e; e = e->next) {
        if (!is_merge(e)) continue;
        if (before) refuse(e->key, path, errors, "<< is given twice; a list merges several");
        before = e;
        if (e->value->kind == TREE_LIST)
            for (const tree_entry *item = e->value->first; item; item = item->next)
                check_source(item->value, path, errors);
        else
            check_source(e->value, path, errors);
    }
}

static int by_key(const void *a, const void *b) {
    const candidate *left = a, *right = b;
    const int order = strcmp(left->entry.key->text, right->entry.key->text);
    return order ? order : left->order < right->order ? -1 : left->order > right->order;
}

static int by_order(const void *a, const void *b) {
    const candidate *left = a, *right = b;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Hides what is taken over under a key that is there before. A mapping's own keys all stay, so
 * that one given twice is found later. */
static void hide(candidates *c) {
    qsort(c->list, c->count, sizeof *c->list, by_key);
    for (size_t k = 1; k < c->count; k++)
        c->list[k].hidden = !c->list[k].own &&
                            strcmp(c->list[k - 1].entry.key->text, c->list[k].entry.key->text) == 0;
    qsort(c->list, c->count, sizeof *c->list, by_order);
}

static bool relink(arena *memory, tree_node *mapping, const candidates *c) {
    mapping->first = mapping->last = NULL;
    for (size_t k = 0; k < c->count; k++) {
        if (c->list[k].hidden) continue;
        tree_entry *entry = arena_take(memory, sizeof *entry);
        if (!entry) return false;
        *entry = (tree_entry){.key = c->list[k].entry.key, .value = c->list[k].entry.value};
        *(mapping->last ? &mapping->last->next : &mapping->first) = entry;
        mapping->last = entry;
    }
    return true;
}

bool tree_merge(arena *memory, tree_node *mapping, const char *path, stiction_errors *errors) {
    const tree_entry *merge = mapping->first;
    while (merge && !is_merge(merge)) merge = merge->next;
    if (!merge) return true;

    check_merges(mapping, path, errors);
    candidates c = {0};
    collect(&c, mapping);
    c.list = calloc(c.count + 1, sizeof *c.list);
    if (!c.list) return false;
    c.count = 0;
    collect(&c, mapping);
    hide(&c);
    const bool done = relink(memory, mapping, &c);
    free(c.list);
    return done;
}
