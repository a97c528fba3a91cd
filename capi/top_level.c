/* SPDX-License-Identifier: MIT
 * The keys of the top level of a configuration file, each with its way in and out: a new one is a
 * row here, a field of the configuration, and a row in docs/configuration.md.
 */
#include <math.h>
#include <string.h>

#include "document/number.h"
#include "document/yaml_write.h"
#include "load_internal.h"

enum { most_models = 1000 };

static bool write_version(FILE *out, const stiction_config *config) {
    (void)config;
    return fputs("stiction: 1\n", out) >= 0;
}

static void read_model(loader *l, const tree_node *node) {
    char buffer[DESCRIPTION_SIZE];
    stiction_error error;
    if (node->kind != TREE_SCALAR || stiction_load_is_nothing(node)) {
        REFUSE(l, node, NULL, "models must be a name or a list of names, not %s",
               stiction_load_describe(node, buffer));
        return;
    }
    const stiction_status status = stiction_config_add_model(l->config, node->text, &error);
    if (status == STICTION_OUT_OF_MEMORY)
        stiction_load_no_memory(l);
    else if (status != STICTION_OK)
        REFUSE(l, node, NULL, "%s", error.message);
}

static void read_models(loader *l, const tree_node *node) {
    if (node->kind != TREE_LIST) {
        read_model(l, node);
        return;
    }
    if (!node->first) REFUSE(l, node, NULL, "models is a list without a name");
    size_t count = 0;
    for (const tree_entry *e = node->first; e; e = e->next) {
        if (count++ == most_models) {
            REFUSE(l, e->value, NULL, "models has more than %d names", most_models);
            return;
        }
        read_model(l, e->value);
    }
}

static bool write_models(FILE *out, const stiction_config *config) {
    bool fine = true;
    for (size_t k = 0; k < config->model_count; k++) {
        (void)fputs(k ? ", " : "models: [", out);
        fine = stiction_yaml_write_text(out, config->models[k]) && fine;
    }
    if (config->model_count) (void)fputs("]\n", out);
    return fine;
}

static void read_timestep(loader *l, const tree_node *node) {
    stiction_error error;
    const double timestep = stiction_load_number(l, NULL, "timestep", node);
    if (!isnan(timestep) &&
        stiction_config_set_timestep(l->config, timestep, &error) != STICTION_OK)
        REFUSE(l, node, NULL, "%s", error.message);
}

static bool write_timestep(FILE *out, const stiction_config *config) {
    char number[NUMBER_SIZE];
    if (!(config->timestep > 0)) return true;
    return fprintf(out, "timestep: %s  # s\n", stiction_number_write(config->timestep, number)) > 0;
}

static void read_seed(loader *l, const tree_node *node) {
    char buffer[DESCRIPTION_SIZE];
    double seed;
    const bool is_number = node->kind == TREE_SCALAR && node->plain &&
                           stiction_number_read(node->text, &seed) == NUMBER_OK;
    if (is_number && seed >= 0 && seed <= (double)STICTION_SEED_LARGEST && seed == floor(seed))
        l->config->seed = (uint64_t)seed;
    else
        REFUSE(l, node, NULL, "seed must be a whole number from 0 to %lld, not %s",
               (long long)STICTION_SEED_LARGEST, stiction_load_describe(node, buffer));
}

static bool write_seed(FILE *out, const stiction_config *config) {
    return !(config->seed || stiction_config_is_random(config)) ||
           fprintf(out, "seed: %llu\n", (unsigned long long)config->seed) > 0;
}

/* The text of a scalar node, "" for other nodes. */
static const char *plain_text(const tree_node *node) {
    return node->kind == TREE_SCALAR && node->plain ? node->text : "";
}

static void read_strict(loader *l, const tree_node *node) {
    char buffer[DESCRIPTION_SIZE];
    l->config->strict = strcmp(plain_text(node), "true") == 0;
    if (!l->config->strict && strcmp(plain_text(node), "false") != 0)
        REFUSE(l, node, NULL, "strict must be true or false, not %s",
               stiction_load_describe(node, buffer));
}

static bool write_strict(FILE *out, const stiction_config *config) {
    return !config->strict || fputs("strict: true\n", out) >= 0;
}

/* The index of a node's text among some names; -1, after an error, if it is none of them. */
static int read_choice(loader *l, const tree_node *node, const char *(*name_of)(int),
                       const char *expected) {
    char buffer[DESCRIPTION_SIZE];
    const char *name;
    for (int k = 0; (name = name_of(k)) != NULL; k++)
        if (strcmp(plain_text(node), name) == 0) return k;
    REFUSE(l, node, NULL, "%s, not %s", expected, stiction_load_describe(node, buffer));
    return -1;
}

static const char *coupling_name(int k) {
    return stiction_coupling_name((stiction_coupling)k);
}

static void read_coupling(loader *l, const tree_node *node) {
    const int choice =
        read_choice(l, node, coupling_name, "coupling must be auto, explicit or implicit");
    if (choice >= 0) l->config->coupling = (stiction_coupling)choice;
}

static bool write_coupling(FILE *out, const stiction_config *config) {
    return config->coupling == STICTION_COUPLING_AUTO ||
           fprintf(out, "coupling: %s\n", stiction_coupling_name(config->coupling)) > 0;
}

static const char *element_name(int k) {
    return stiction_element_choice_name((stiction_element_choice)k);
}

static void read_element(loader *l, const tree_node *node) {
    const int choice = read_choice(l, node, element_name, "element must be auto, bristle or rigid");
    if (choice >= 0) l->config->element = (stiction_element_choice)choice;
}

static bool write_element(FILE *out, const stiction_config *config) {
    return config->element == STICTION_ELEMENT_AUTO ||
           fprintf(out, "element: %s\n", stiction_element_choice_name(config->element)) > 0;
}

static void read_profiles(loader *l, const tree_node *node) {
    stiction_load_sections(l, "profile", node, &l->profiles);
}

static void read_joints(loader *l, const tree_node *node) {
    stiction_load_sections(l, "joint", node, &l->joints);
}

/* It was read first. */
static void read_version(loader *l, const tree_node *node) {
    (void)l, (void)node;
}

/* In the order in which they are written; joints are the writer's own. */
const top_level_key stiction_top_level[] = {
    {"stiction", "a file must say stiction: 1, the version of the format", read_version,
     write_version},
    {"timestep", NULL, read_timestep, write_timestep},
    {"models", NULL, read_models, write_models},
    {"strict", NULL, read_strict, write_strict},
    {"coupling", NULL, read_coupling, write_coupling},
    {"element", NULL, read_element, write_element},
    {"seed", NULL, read_seed, write_seed},
    {"profiles", NULL, read_profiles, NULL},
    {"joints", "a file must say which joints have friction", read_joints, NULL},
    {"valid", NULL, stiction_load_valid, stiction_write_valid},
};

const size_t stiction_top_level_count = sizeof stiction_top_level / sizeof stiction_top_level[0];
_Static_assert(sizeof stiction_top_level / sizeof stiction_top_level[0] <= TOP_LEVEL_MOST,
               "the loader has room for each");
