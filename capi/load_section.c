/* SPDX-License-Identifier: MIT
 * Reading profiles and joints one by one: which keys they have, and that each value is of its type
 * and in its domain.
 */
#include "load_section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The values, by key. */

static void read_parameter(loader *l, section *s, size_t k, tree_node *node) {
    stiction_error error;
    s->own |= (uint64_t)1 << k;
    if (stiction_load_is_drawn(node)) {
        stiction_load_distribution(l, s, k, node);
        return;
    }
    const double value = stiction_load_number(l, s, l->keys[KEY_PARAMETERS + k], node);
    if (isnan(value)) return;
    if (stiction_joint_check_parameter("", "", k, value, &error) == STICTION_OK)
        node->number = value;
    else
        REFUSE(l, node, s, "%s", error.message);
}

/* One number of a list; false: it is refused. */
static bool read_list_number(loader *l, section *s, size_t list, size_t k, tree_node *node) {
    stiction_error error;
    node->number =
        stiction_load_number(l, s, l->keys[KEY_PARAMETERS + l->parameter_count + list], node);
    if (isnan(node->number)) return false;
    if (stiction_joint_check_list_number("", list, k, node->number, &error) == STICTION_OK)
        return true;
    REFUSE(l, node, s, "%s", error.message);
    return false;
}

/* [0.1, 0.12]. Its own number is NaN where anything of it is refused. */
static void read_list(loader *l, section *s, size_t k, tree_node *node) {
    char buffer[DESCRIPTION_SIZE];
    stiction_list_info info;
    s->own |= (uint64_t)1 << (l->parameter_count + k);
    node->number = (double)NAN;
    (void)stiction_list_at(k, &info);
    if (node->kind != TREE_LIST) {
        REFUSE(l, node, s, "%s must be a list of numbers such as [0.1, 0.2], not %s", info.key,
               stiction_load_describe(node, buffer));
    } else if (node->count > info.most) {
        REFUSE(l, node, s, "%s has %zu numbers; there may be %zu", info.key, node->count,
               info.most);
    } else {
        bool fine = true;
        size_t number = 0;
        for (tree_entry *entry = node->first; entry; entry = entry->next)
            fine = read_list_number(l, s, k, number++, entry->value) && fine;
        node->number = fine ? 0 : (double)NAN;
    }
}

/* A text that is the name of something. */
static bool read_name(loader *l, section *s, const char *key, const tree_node *node) {
    char buffer[DESCRIPTION_SIZE];
    if (node->kind == TREE_SCALAR && *node->text) return true;
    REFUSE(l, node, s, "%s must be a name, not %s", key, stiction_load_describe(node, buffer));
    s->broken = true;
    return false;
}

static void read_law(loader *l, section *s, const tree_node *node) {
    char hint[HINT_SIZE];
    stiction_law_info info;
    s->own_law = true;
    if (!read_name(l, s, "law", node) || stiction_law_info_find(node->text, &info)) return;
    REFUSE(l, node, s, "there is no law '%.200s'%s", node->text,
           stiction_load_hint(l, node->text, l->laws, stiction_law_info_count(), hint));
    s->broken = true;
}

static void read_value(loader *l, section *s, size_t key, tree_node *node) {
    s->given[key] = node;
    if (key == KEY_LAW)
        read_law(l, s, node);
    else if (key == KEY_PROFILE)
        (void)read_name(l, s, "profile", node);
    else if (key - KEY_PARAMETERS < l->parameter_count)
        read_parameter(l, s, key - KEY_PARAMETERS, node);
    else
        read_list(l, s, key - KEY_PARAMETERS - l->parameter_count, node);
}

/* The keys of one section. */

/* A key that is a symbol of the papers is as near as can be, however it is spelled. */
static const char *hint_key(const loader *l, const char *text, char buffer[HINT_SIZE]) {
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (strcmp(info.symbol, text) == 0)
            return stiction_load_hint(l, info.key, &info.key, 1, buffer);
    return stiction_load_hint(l, text, l->keys, l->key_count, buffer);
}

static void read_entry(loader *l, section *s, const tree_entry *entry, const tree_node *seen[]) {
    char hint[HINT_SIZE];
    const tree_node *key = entry->key;
    size_t k = 0;
    while (k < l->key_count && strcmp(key->text, l->keys[k]) != 0) k++;
    if (k == l->key_count) {
        REFUSE(l, key, s, "there is no key '%.200s'%s", key->text, hint_key(l, key->text, hint));
    } else if (seen[k]) {
        REFUSE(l, key, s, "%s is given twice, first in line %d", l->keys[k], seen[k]->at.line);
    } else {
        seen[k] = key;
        read_value(l, s, k, entry->value);
    }
}

static section *read_section(loader *l, const char *what, const tree_entry *entry) {
    const tree_node *seen[KEY_PARAMETERS + 64] = {NULL};
    char buffer[DESCRIPTION_SIZE];
    section *s = stiction_arena_take(&l->memory, sizeof *s + l->key_count * sizeof s->given[0]);
    if (!s) return NULL;
    s->what = what;
    s->key = entry->key;
    if (!*entry->key->text) REFUSE(l, entry->key, NULL, "a %s's name is empty", what);
    if (strlen(entry->key->text) > NAME_MOST)
        REFUSE(l, entry->key, NULL, "a %s's name has more than %d bytes", what, NAME_MOST);

    const tree_node *value = entry->value;
    if (value->kind == TREE_MAPPING) {
        for (const tree_entry *e = value->first; e; e = e->next) read_entry(l, s, e, seen);
    } else {
        s->broken = true;
        REFUSE(l, value, s, "it must be a mapping such as { law: none }, not %s",
               stiction_load_describe(value, buffer));
    }
    return s;
}

/* All sections of a kind. */

static int compare(const void *a, const void *b) {
    const section *left = *(section *const *)a, *right = *(section *const *)b;
    const int order = strcmp(left->key->text, right->key->text);
    if (order) return order;
    /* entries of the same name in the order of the file */
    return left->key->at.line != right->key->at.line
               ? (left->key->at.line < right->key->at.line ? -1 : 1)
               : left->key->at.column - right->key->at.column;
}

static void sort(loader *l, section_list *list) {
    if (list->count) memcpy(list->by_name, list->in_order, list->count * sizeof list->by_name[0]);
    qsort(list->by_name, list->count, sizeof list->by_name[0], compare);
    for (size_t k = 1; k < list->count; k++) {
        const section *first = list->by_name[k - 1], *second = list->by_name[k];
        if (strcmp(first->key->text, second->key->text) == 0)
            REFUSE(l, second->key, second, "it is given twice, first in line %d",
                   first->key->at.line);
    }
}

void stiction_load_sections(loader *l, const char *what, const tree_node *node,
                            section_list *list) {
    char buffer[DESCRIPTION_SIZE];
    if (node->kind != TREE_MAPPING) {
        REFUSE(l, node, NULL, "%ss must be a mapping of names, not %s", what,
               stiction_load_describe(node, buffer));
        return;
    }
    size_t count = 0, pattern_bytes = 0;
    for (const tree_entry *e = node->first; e; e = e->next) {
        if (stiction_name_is_pattern(e->key->text)) pattern_bytes += strlen(e->key->text);
        count++;
        if (pattern_bytes <= PATTERNS_MOST) continue;
        REFUSE(l, e->key, NULL, "the patterns of %ss have more than %d bytes in all", what,
               PATTERNS_MOST);
        return;
    }
    list->in_order = stiction_arena_take(&l->memory, count * sizeof list->in_order[0]);
    list->by_name = stiction_arena_take(&l->memory, count * sizeof list->by_name[0]);
    if (count && (!list->in_order || !list->by_name)) {
        stiction_load_no_memory(l);
        return;
    }
    for (const tree_entry *e = node->first; e; e = e->next) {
        section *s = read_section(l, what, e);
        if (!s) {
            stiction_load_no_memory(l);
            return;
        }
        list->in_order[list->count++] = s;
    }
    sort(l, list);
}

static int compare_name(const void *name, const void *element) {
    const section *s = *(section *const *)element;
    return strcmp(name, s->key->text);
}

section *stiction_load_find_section(const section_list *list, const char *name) {
    section **found = list->count ? bsearch(name, list->by_name, list->count,
                                            sizeof list->by_name[0], compare_name)
                                  : NULL;
    return found ? *found : NULL;
}
