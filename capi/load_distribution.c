/* SPDX-License-Identifier: MIT
 * Reads a random parameter: {uniform: [2, 3]} instead of a number.
 */
#include <math.h>
#include <string.h>

#include "load_section.h"

/* The kinds of the library, in their order, and one that is uniform once its number is known. */
static const char *const names[] = {"uniform", "log_uniform", "normal", "scale"};
enum { name_count = sizeof names / sizeof names[0], scale = name_count - 1 };

/* Which of them a text is; name_count: none. */
static size_t find_name(const char *text) {
    size_t k = 0;
    while (k < name_count && strcmp(names[k], text) != 0) k++;
    return k;
}

static bool is_scale(const tree_node *node) {
    return find_name(node->first->key->text) == scale;
}

static const tree_node *number_node(const tree_node *node, bool first) {
    const tree_entry *entry = node->first->value->first;
    return first ? entry->value : entry->next->value;
}

/* As written; the node was read without an error. */
static stiction_distribution numbers_of(const tree_node *node) {
    const size_t name = find_name(node->first->key->text);
    return (stiction_distribution){
        name == scale ? STICTION_UNIFORM : (stiction_distribution_kind)name,
        number_node(node, true)->number, number_node(node, false)->number};
}

/* {NAME: [NUMBER, NUMBER]}, whatever the numbers are. */
static bool read_shape(loader *l, const section *s, const char *key, const tree_node *node) {
    char hint[HINT_SIZE], buffer[DESCRIPTION_SIZE];
    if (node->count != 1) {
        REFUSE(l, node, s, "%s must be a number or one distribution such as {uniform: [2, 3]}",
               key);
        return false;
    }
    const tree_node *name = node->first->key, *list = node->first->value;
    if (find_name(name->text) == name_count) {
        REFUSE(l, name, s, "%s: there is no distribution '%.200s'%s", key, name->text,
               stiction_load_hint(l, name->text, names, name_count, hint));
        return false;
    }
    if (list->kind == TREE_LIST && list->count == 2) return true;
    REFUSE(l, list, s, "%s: %s must be a list of two numbers such as [2, 3], not %s", key,
           name->text,
           list->kind == TREE_LIST ? "a list of another length"
                                   : stiction_load_describe(list, buffer));
    return false;
}

static bool check_factors(loader *l, const section *s, const char *key, const tree_node *node) {
    const stiction_distribution d = numbers_of(node);
    if (d.first >= 0 && d.second >= d.first) return true;
    REFUSE(l, number_node(node, d.first < 0), s,
           d.first < 0 ? "%s: a scale of %.15g must be at least 0"
                       : "%s: a scale from %.15g to %.15g, which must not be below it",
           key, d.first, d.second);
    return false;
}

static bool check_numbers(loader *l, const section *s, size_t k, const tree_node *node,
                          const stiction_distribution *d) {
    bool of_first;
    stiction_error error;
    if (stiction_distribution_check(d, k, &of_first, &error) == STICTION_OK) return true;
    REFUSE(l, number_node(node, of_first), s, "%s", error.message);
    return false;
}

void stiction_load_distribution(loader *l, const section *s, size_t k, tree_node *node) {
    const char *key = l->keys[KEY_PARAMETERS + k];
    if (!read_shape(l, s, key, node)) return;
    for (const tree_entry *e = node->first->value->first; e; e = e->next) {
        e->value->number = stiction_load_number(l, s, key, e->value);
        if (isnan(e->value->number)) return;
    }
    const stiction_distribution d = numbers_of(node);
    if (is_scale(node) ? check_factors(l, s, key, node) : check_numbers(l, s, k, node, &d))
        node->number = 0;
}

bool stiction_load_is_drawn(const tree_node *node) {
    return node && node->kind == TREE_MAPPING;
}

/* The section beneath or above that gives a parameter, and what that one would have without it. */
static const tree_node *inherited(const section *s, size_t k) {
    while (s->base && !(s->own >> k & 1)) s = s->base;
    return s->base ? s->base->given[KEY_PARAMETERS + k] : NULL;
}

bool stiction_load_drawn(const section *s, size_t k, stiction_distribution *d) {
    const tree_node *node = s->given[KEY_PARAMETERS + k];
    if (!stiction_load_is_drawn(node) || isnan(node->number)) return false;
    *d = numbers_of(node);
    if (!is_scale(node)) return true;
    const tree_node *scaled = inherited(s, k);
    if (!scaled || scaled->kind != TREE_SCALAR || isnan(scaled->number)) return false;
    d->first *= scaled->number;
    d->second *= scaled->number;
    return true;
}

void stiction_load_check_scales(loader *l, const section *s) {
    for (size_t k = 0; k < l->key_count - KEY_PARAMETERS; k++) {
        const tree_node *node = s->given[KEY_PARAMETERS + k], *scaled;
        stiction_distribution d;
        if (!(s->own >> k & 1) || !stiction_load_is_drawn(node) || isnan(node->number) ||
            !is_scale(node) || s->broken)
            continue;
        const char *key = l->keys[KEY_PARAMETERS + k];
        if (stiction_load_drawn(s, k, &d))
            (void)check_numbers(l, s, k, node, &d);
        else if (!(scaled = inherited(s, k)))
            REFUSE(l, node->first->key, s,
                   "%s: there is nothing to scale; the profile beneath must "
                   "give a number",
                   key);
        else if (stiction_load_is_drawn(scaled))
            REFUSE(l, node->first->key, s, "%s: the profile beneath draws it; scale needs a number",
                   key);
    }
}
