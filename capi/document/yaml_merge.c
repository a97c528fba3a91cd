/* SPDX-License-Identifier: MIT */
/* The keys of a mapping: those that << takes over, and those that are there twice. */
#include "yaml_merge.h"

#include <stdio.h>
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

static void refuse(const tree_node *node, stiction_errors *errors, const char *sentence) {
    stiction_errors_add(errors, node->at, "", STICTION_INVALID_CONFIG, "%s", sentence);
}

static void check_source(const tree_node *source, stiction_errors *errors) {
    if (source->kind != TREE_MAPPING && source->kind != TREE_BAD)
        refuse(source, errors, "<< must be a mapping or a list of mappings");
}

/* Where the last of doubles counts, several << are all taken, the first first. */
static void check_merges(const tree_node *mapping, tree_doubles doubles, stiction_errors *errors) {
    bool merged = false;
    for (const tree_entry *e = mapping->first; e; e = e->next) {
        if (!is_merge(e)) continue;
        if (merged && doubles != TREE_LAST_COUNTS)
            refuse(e->key, errors, "<< is given twice; a list merges several");
        merged = true;
        if (e->value->kind == TREE_LIST)
            for (const tree_entry *item = e->value->first; item; item = item->next)
                check_source(item->value, errors);
        else
            check_source(e->value, errors);
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

/* What is done about the second of two entries of a mapping under one key. */
static void settle_double(candidate *first, const candidate *second, const tree_options *options,
                          stiction_errors *errors) {
    const tree_node *key = second->entry.key;
    char sentence[300];
    if (options->doubles == TREE_KEEP_DOUBLES) return;
    if (options->doubles == TREE_REFUSE_DOUBLES) {
        stiction_errors_add(errors, key->at, "", STICTION_INVALID_CONFIG,
                            "the key%s%.200s%s is given twice, first in line %d",
                            options->is_stranger ? "" : " '", options->is_stranger ? "" : key->text,
                            options->is_stranger ? "" : "'", first->entry.key->at.line);
        return;
    }
    first->hidden = true;
    if (options->is_stranger) return;
    (void)snprintf(sentence, sizeof sentence,
                   "the key '%.200s' is given twice; the last counts, as in Choreonoid", key->text);
    if (options->warn) options->warn(options->user, key->at, sentence);
}

/* Hides what is taken over under a key that is there before. */
static void settle(candidates *c, const tree_options *options, stiction_errors *errors) {
    qsort(c->list, c->count, sizeof *c->list, by_key);
    for (size_t k = 1; k < c->count; k++) {
        candidate *first = &c->list[k - 1], *second = &c->list[k];
        if (strcmp(first->entry.key->text, second->entry.key->text) != 0) continue;
        if (second->own)
            settle_double(first, second, options, errors);
        else
            second->hidden = true;
    }
    qsort(c->list, c->count, sizeof *c->list, by_order);
}

static bool relink(arena *memory, tree_node *mapping, const candidates *c) {
    mapping->first = mapping->last = NULL;
    mapping->count = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (c->list[k].hidden) continue;
        tree_entry *entry = stiction_arena_take(memory, sizeof *entry);
        if (!entry) return false;
        *entry = (tree_entry){.key = c->list[k].entry.key, .value = c->list[k].entry.value};
        *(mapping->last ? &mapping->last->next : &mapping->first) = entry;
        mapping->last = entry;
        mapping->count++;
    }
    return true;
}

bool stiction_yaml_merge(arena *memory, tree_node *mapping, const tree_options *options,
                         stiction_errors *errors) {
    const tree_entry *merge = mapping->first;
    while (merge && !is_merge(merge)) merge = merge->next;
    const bool doubles_matter = options->doubles != TREE_KEEP_DOUBLES && mapping->count > 1;
    if (!merge && !doubles_matter) return true;

    check_merges(mapping, options->doubles, errors);
    candidates c = {0};
    collect(&c, mapping);
    c.list = calloc(c.count + 1, sizeof *c.list);
    if (!c.list) return false;
    c.count = 0;
    collect(&c, mapping);
    settle(&c, options, errors);
    const bool done = relink(memory, mapping, &c);
    free(c.list);
    return done;
}
