/*
 * Reading the reference vectors: JSON is YAML, so libyaml reads it. A missing key or a wrong type
 * ends the program, since a test without its data proves nothing.
 */
#ifndef STICTION_TESTS_REFERENCE_H
#define STICTION_TESTS_REFERENCE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "stiction/models/law.h"

typedef struct reference_node {
    yaml_document_t *document;
    yaml_node_t *node;
} reference_node;

static void reference_fail(const char *what, const char *which) {
    printf("reference data: %s %s\n", what, which);
    exit(EXIT_FAILURE);
}

/* The vectors of tests/reference, or of the file that STICTION_REFERENCE names. */
static inline reference_node reference_load(void) {
    static yaml_document_t document;
    static int loaded;
    if (!loaded) {
        const char *other = getenv("STICTION_REFERENCE");
        const char *path = other ? other : "reference/reference.json";
        FILE *file = fopen(path, "rb");
        if (!file) reference_fail("cannot open", path);
        yaml_parser_t parser;
        yaml_parser_initialize(&parser);
        yaml_parser_set_input_file(&parser, file);
        if (!yaml_parser_load(&parser, &document)) reference_fail("cannot parse", path);
        yaml_parser_delete(&parser);
        fclose(file);
        loaded = 1;
    }
    return (reference_node){&document, yaml_document_get_root_node(&document)};
}

static inline int reference_has(reference_node map, const char *key, reference_node *value) {
    if (map.node->type != YAML_MAPPING_NODE) reference_fail("no mapping around", key);
    for (yaml_node_pair_t *p = map.node->data.mapping.pairs.start;
         p < map.node->data.mapping.pairs.top; p++) {
        const yaml_node_t *k = yaml_document_get_node(map.document, p->key);
        if (strcmp((const char *)k->data.scalar.value, key) == 0) {
            *value = (reference_node){map.document, yaml_document_get_node(map.document, p->value)};
            return 1;
        }
    }
    return 0;
}

static inline reference_node reference_get(reference_node map, const char *key) {
    reference_node value = {NULL, NULL};
    if (!reference_has(map, key, &value)) reference_fail("no key", key);
    return value;
}

static inline size_t reference_count(reference_node list) {
    if (list.node->type != YAML_SEQUENCE_NODE) reference_fail("not a list", "");
    return (size_t)(list.node->data.sequence.items.top - list.node->data.sequence.items.start);
}

static inline reference_node reference_at(reference_node list, size_t index) {
    if (index >= reference_count(list)) reference_fail("list too short", "");
    return (reference_node){
        list.document,
        yaml_document_get_node(list.document, list.node->data.sequence.items.start[index])};
}

static inline const char *reference_text(reference_node scalar) {
    if (scalar.node->type != YAML_SCALAR_NODE) reference_fail("not a scalar", "");
    return (const char *)scalar.node->data.scalar.value;
}

static inline double reference_number(reference_node scalar) {
    char *end;
    const char *text = reference_text(scalar);
    const double value = strtod(text, &end);
    if (*end) reference_fail("not a number:", text);
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
