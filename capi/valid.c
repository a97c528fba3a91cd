/* SPDX-License-Identifier: MIT
 * The key `valid`: by joint or pattern, which must be those of `joints`, the ranges of speed, load
 * and temperature in which its friction was identified.
 */
#include "valid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/number.h"
#include "document/yaml_write.h"
#include "load_internal.h"

static const struct {
    const char *key, *unit, *sliding;
} keys[VALID_COUNT] = {[VALID_SPEED] = {"speed", "rad/s", "m/s"},
                       [VALID_LOAD] = {"load", "N m", "N"},
                       [VALID_TEMPERATURE] = {"temperature", "deg C", "deg C"}};

const char *stiction_valid_key(int k) {
    return keys[k].key;
}

const char *stiction_valid_unit(int k, bool prismatic) {
    return prismatic ? keys[k].sliding : keys[k].unit;
}

valid_ranges stiction_valid_none(void) {
    valid_ranges all;
    for (int k = 0; k < VALID_COUNT; k++)
        all.low[k] = -(double)INFINITY, all.high[k] = (double)INFINITY;
    return all;
}

static void read_range(loader *l, const tree_entry *e, valid_ranges *to) {
    char buffer[DESCRIPTION_SIZE];
    int k = 0;
    while (k < VALID_COUNT && strcmp(keys[k].key, e->key->text) != 0) k++;
    if (k == VALID_COUNT) {
        REFUSE(l, e->key, NULL, "valid: unknown quantity '%s'; known are speed, load, temperature",
               e->key->text);
        return;
    }
    const tree_entry *first = e->value->kind == TREE_LIST ? e->value->first : NULL;
    if (!first || !first->next || first->next->next) {
        REFUSE(l, e->value, NULL, "valid: %s must be [lowest, highest], not %s", keys[k].key,
               stiction_load_describe(e->value, buffer));
        return;
    }
    to->low[k] = stiction_load_number(l, NULL, keys[k].key, first->value);
    to->high[k] = stiction_load_number(l, NULL, keys[k].key, first->next->value);
    if (to->low[k] > to->high[k])
        REFUSE(l, e->value, NULL, "valid: %s from %.15g to %.15g is empty", keys[k].key, to->low[k],
               to->high[k]);
}

static bool is_joint(const loader *l, const char *pattern) {
    for (size_t k = 0; k < l->joints.count; k++)
        if (strcmp(l->joints.in_order[k]->key->text, pattern) == 0) return true;
    return false;
}

static void add(loader *l, const char *pattern, const valid_ranges *ranges) {
    stiction_config *c = l->config;
    config_valid *longer = realloc(c->valid, (c->valid_count + 1) * sizeof *longer);
    char *copy = strdup(pattern);
    if (longer) c->valid = longer;
    if (!longer || !copy) {
        free(copy);
        stiction_load_no_memory(l);
        return;
    }
    config_valid *added = &c->valid[c->valid_count++];
    added->pattern = copy;
    added->ranges = *ranges;
}

void stiction_load_valid(loader *l, const tree_node *node) {
    char buffer[DESCRIPTION_SIZE];
    if (node->kind != TREE_MAPPING) {
        REFUSE(l, node, NULL, "valid must be a mapping of joints, not %s",
               stiction_load_describe(node, buffer));
        return;
    }
    for (const tree_entry *j = node->first; j; j = j->next) {
        valid_ranges ranges = stiction_valid_none();
        if (!is_joint(l, j->key->text))
            REFUSE(l, j->key, NULL, "valid: '%s' is no key of joints", j->key->text);
        else if (j->value->kind != TREE_MAPPING)
            REFUSE(l, j->value, NULL,
                   "valid: must be a mapping such as {speed: [0.01, 1.5]}, not %s",
                   stiction_load_describe(j->value, buffer));
        else
            for (const tree_entry *e = j->value->first; e; e = e->next) read_range(l, e, &ranges);
        add(l, j->key->text, &ranges);
    }
}

bool stiction_write_valid(FILE *out, const stiction_config *config) {
    bool fine = true;
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    if (config->valid_count) (void)fputs("valid:\n", out);
    for (size_t j = 0; j < config->valid_count; j++) {
        const valid_ranges *r = &config->valid[j].ranges;
        const char *before = "";
        (void)fputs("  ", out);
        fine = stiction_yaml_write_text(out, config->valid[j].pattern) && fine;
        (void)fputs(": {", out);
        for (int k = 0; k < VALID_COUNT; k++) {
            if (isinf(r->low[k]) && isinf(r->high[k])) continue;
            (void)fprintf(out, "%s%s: [%s, %s]", before, keys[k].key,
                          stiction_number_write(r->low[k], low),
                          stiction_number_write(r->high[k], high));
            before = ", ";
        }
        (void)fputs("}\n", out);
    }
    return fine;
}

bool stiction_config_find_valid(const stiction_config *config, const char *name,
                                valid_ranges *ranges) {
    const char *pattern = stiction_config_find_joint(config, name, NULL);
    *ranges = stiction_valid_none();
    for (size_t k = 0; pattern && k < config->valid_count; k++)
        if (strcmp(config->valid[k].pattern, pattern) == 0) {
            *ranges = config->valid[k].ranges;
            return true;
        }
    return false;
}
