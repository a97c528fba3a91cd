/* SPDX-License-Identifier: MIT
 * Reading the reference vectors: JSON is YAML, so the one reader of it reads them. A missing key or
 * a wrong type ends the program, since a test without its data proves nothing.
 */
#ifndef STICTION_TESTS_REFERENCE_H
#define STICTION_TESTS_REFERENCE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "document/number.h"
#include "stiction/models/law.h"

typedef const tree_node *reference_node;

static void reference_fail(const char *what, const char *which) {
    printf("reference data: %s %s\n", what, which);
    exit(EXIT_FAILURE);
}

static void *reference_read(reader *r, const void *path) {
    const tree_options options = {.doubles = TREE_REFUSE_DOUBLES};
    return stiction_doc_read(r, (stiction_place){path, 0, 0}, path, &options).root;
}

/* The vectors of a file, read once. */
static inline reference_node reference_file(const char *path) {
    static reference_node root;
    stiction_error error;
    reader r = {.error = &error};
    if (!root) root = stiction_reader_run(&r, reference_read, path);
    if (!root) reference_fail(error.path, error.message);
    return root;
}

/* The vectors of tests/reference, or of the file that STICTION_REFERENCE names. */
static inline reference_node reference_load(void) {
    const char *other = getenv("STICTION_REFERENCE");
    return reference_file(other ? other : "reference/reference.json");
}

static inline int reference_has(reference_node map, const char *key, reference_node *value) {
    if (map->kind != TREE_MAPPING) reference_fail("no mapping around", key);
    const tree_entry *entry = stiction_yaml_find(map, key);
    if (entry) *value = entry->value;
    return entry != NULL;
}

static inline reference_node reference_get(reference_node map, const char *key) {
    reference_node value = NULL;
    if (!reference_has(map, key, &value)) reference_fail("no key", key);
    return value;
}

static inline size_t reference_count(reference_node list) {
    if (list->kind != TREE_LIST) reference_fail("not a list", "");
    return list->count;
}

static inline reference_node reference_at(reference_node list, size_t index) {
    if (index >= reference_count(list)) reference_fail("list too short", "");
    const tree_entry *entry = list->first;
    while (index-- > 0) entry = entry->next;
    return entry->value;
}

static inline const char *reference_text(reference_node scalar) {
    if (scalar->kind != TREE_SCALAR) reference_fail("not a scalar", "");
    return scalar->text;
}

static inline double reference_number(reference_node scalar) {
    double value;
    const char *text = reference_text(scalar);
    if (!stiction_decimal(text, &value)) reference_fail("not a number:", text);
    return value;
}

static inline double reference_value(reference_node map, const char *key) {
    return reference_number(reference_get(map, key));
}

/* A number of the map, or the fallback where it has no such key. */
static inline double reference_value_or(reference_node map, const char *key, double fallback) {
    reference_node value;
    return reference_has(map, key, &value) ? reference_number(value) : fallback;
}

/* The numbers of a list, at most three; returns how many. */
static inline size_t reference_numbers(reference_node list, double numbers[3]) {
    const size_t count = reference_count(list);
    if (count > 3) reference_fail("a list of more than three numbers", "");
    for (size_t k = 0; k < count; k++) numbers[k] = reference_number(reference_at(list, k));
    return count;
}

/* The law and its parameters of a set or a trajectory. */
static inline const stiction_law *reference_law(reference_node set, stiction_law_parameters *p) {
    const char *name = reference_text(reference_get(set, "law"));
    const reference_node params = reference_get(set, "params");
    const double F = reference_value_or(params, "F", 0);
    *p = (stiction_law_parameters){.static_torque = reference_value_or(params, "FS", F),
                                   .coulomb_torque = reference_value_or(params, "FC", F),
                                   .stribeck_velocity = reference_value_or(params, "vS", 0),
                                   .stribeck_exponent = reference_value_or(params, "alpha", 1),
                                   .viscous = reference_value_or(params, "D", 0)};
    const stiction_law *law =
        stiction_law_find(strcmp(name, "coulomb_viscous") == 0 ? "coulomb" : name);
    if (!law) reference_fail("no law", name);
    return law;
}

#endif
