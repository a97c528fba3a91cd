/* SPDX-License-Identifier: MIT
 * Reads profiles and joints one by one: which keys they have, and that each value is of its type
 * and in its domain; and reports what is wrong with its location.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/number.h"
#include "load_internal.h"

/* ---- errors ---- */

const char *stiction_load_overrides(const loader *l, const section *s,
                                    char buffer[OVERRIDES_SIZE]) {
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t k = 0; k < l->key_count && length < OVERRIDES_SIZE; k++) {
        if (!s->given[k] || !s->given[k]->override) continue;
        const int added = snprintf(buffer + length, OVERRIDES_SIZE - length, "%s%s",
                                   length ? ", " : "", s->given[k]->override);
        length += added > 0 ? (size_t)added : 0;
    }
    return buffer;
}

/* "joint 'X': ", and before it what was overridden at the node or in the section. */
static const char *write_who(const loader *l, const tree_node *node, const section *s,
                             char buffer[WHO_SIZE]) {
    char list[OVERRIDES_SIZE] = "", name[256] = "";
    const char *overrides = node->override ? node->override
                            : s            ? stiction_load_overrides(l, s, list)
                                           : "";
    if (s) (void)snprintf(name, sizeof name, "%s '%.200s': ", s->what, s->key->text);
    (void)snprintf(buffer, WHO_SIZE, "%s%.200s%s%s", *overrides ? "override " : "", overrides,
                   *overrides ? ": " : "", name);
    return buffer;
}

void stiction_load_refuse(loader *l, const tree_node *node, const section *s, const char *key,
                          const char *format, ...) {
    char who[WHO_SIZE], text[sizeof((stiction_error *)0)->message];
    if (node->kind == TREE_BAD) return;
    if (!key) key = node->override ? node->override : format;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    stiction_errors_add_about(l->errors, key, node->at, write_who(l, node, s, who),
                              STICTION_INVALID_CONFIG, "%s", text);
}

void stiction_load_no_memory(loader *l) {
    stiction_errors_add_no_memory(l->errors, l->path);
}

bool stiction_load_is_nothing(const tree_node *node) {
    return node->plain &&
           (!*node->text || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char *stiction_load_describe(const tree_node *node, char buffer[DESCRIPTION_SIZE]) {
    if (node->kind == TREE_LIST) return "a list";
    if (node->kind == TREE_MAPPING) return "a mapping";
    if (stiction_load_is_nothing(node)) return "nothing";
    (void)snprintf(buffer, DESCRIPTION_SIZE, "%s'%.200s'", node->plain ? "" : "the quoted text ",
                   node->text);
    return buffer;
}

const char *stiction_load_hint(const loader *l, const char *text, const char *const *list,
                               size_t count, char buffer[HINT_SIZE]) {
    return stiction_errors_full(l->errors) ? "" : stiction_name_hint(text, list, count, buffer);
}

double stiction_load_number(loader *l, const section *s, const char *key, const tree_node *node) {
    char buffer[DESCRIPTION_SIZE];
    double value = (double)NAN;
    const number_verdict verdict = node->kind == TREE_SCALAR && node->plain
                                       ? stiction_number_read(node->text, &value)
                                       : NUMBER_NOT_DECIMAL;
    if (verdict == NUMBER_NOT_DECIMAL || verdict == NUMBER_LEADING_ZERO)
        REFUSE(l, node, s, "%s must be a decimal number such as 2.5 or 1e-3, not %s", key,
               stiction_load_describe(node, buffer));
    if (verdict == NUMBER_NOT_FINITE)
        REFUSE(l, node, s, "%s %.100s is not finite", key, node->text);
    if (verdict == NUMBER_TOO_SMALL)
        REFUSE(l, node, s, "%s %.100s is too small for double precision", key, node->text);
    return verdict == NUMBER_OK ? value : (double)NAN;
}

/* ---- random parameters: {uniform: [2, 3]} in place of a number ---- */

/* The kinds of the library, in their order, and one that is uniform once its number is known. */
static const char *const distributions[] = {"uniform", "log_uniform", "normal", "scale"};
enum {
    distribution_count = sizeof distributions / sizeof distributions[0],
    scale = distribution_count - 1
};

/* Which of them a text is; distribution_count: none. */
static size_t find_distribution(const char *text) {
    size_t k = 0;
    while (k < distribution_count && strcmp(distributions[k], text) != 0) k++;
    return k;
}

static bool is_scale(const tree_node *node) {
    return find_distribution(node->first->key->text) == scale;
}

static const tree_node *number_node(const tree_node *node, bool first) {
    const tree_entry *entry = node->first->value->first;
    return first ? entry->value : entry->next->value;
}

/* As written; the node was read without an error. */
static stiction_distribution numbers_of(const tree_node *node) {
    const size_t name = find_distribution(node->first->key->text);
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
    if (find_distribution(name->text) == distribution_count) {
        REFUSE(l, name, s, "%s: there is no distribution '%.200s'%s", key, name->text,
               stiction_load_hint(l, name->text, distributions, distribution_count, hint));
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

/* Reads {uniform: [2, 3]}, the value of parameter k; its number is NaN where it is refused. */
static void read_distribution(loader *l, const section *s, size_t k, tree_node *node) {
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
    if (!scaled || scaled->kind != TREE_SCALAR || !isfinite(scaled->number)) return false;
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
                   "%s: there is nothing to scale; the profile beneath must give a number", key);
        else if (stiction_load_is_drawn(scaled))
            REFUSE(l, node->first->key, s, "%s: the profile beneath draws it; scale needs a number",
                   key);
        else if (scaled->number == STICTION_AUTO)
            REFUSE(l, node->first->key, s, "%s: the profile beneath has auto; scale needs a number",
                   key);
    }
}

/* ---- the values, by key ---- */

static void read_parameter(loader *l, section *s, size_t k, tree_node *node) {
    stiction_error error;
    s->own |= (uint64_t)1 << k;
    if (stiction_load_is_drawn(node)) {
        read_distribution(l, s, k, node);
        return;
    }
    if (stiction_joint_may_be_auto(k) && node->kind == TREE_SCALAR && node->plain &&
        strcmp(node->text, "auto") == 0) {
        node->number = STICTION_AUTO;
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

/* ---- the keys of one section ---- */

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

/* ---- all sections of a kind ---- */

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
