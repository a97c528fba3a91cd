/* SPDX-License-Identifier: MIT */
/* Robots at random: trees of joints with the mass matrix of bodies that hang on them. */
#ifndef STICTION_TESTS_RANDOM_TREE_H
#define STICTION_TESTS_RANDOM_TREE_H

#include <stdio.h>
#include <string.h>

#include "random_joint.h"

enum { most_joints = 46 };

typedef struct random_tree {
    size_t count;
    int parent[most_joints];
    double mass[most_joints * most_joints]; /* dense */
    double reach[most_joints][6]; /* of each joint: how its motion moves what hangs on it */
} random_tree;

/* Every body moves by the sum of the reaches of its ancestors; rotors add to the diagonal. Where
 * `apart` is not 0 a joint's reach is that of its parent but for this much: hinges of nearly one
 * axis, whose mass matrix is nearly singular. */
static inline void random_tree_couple(random_tree *t, random_source *r, size_t count,
                                      double rotor_from, double rotor_to, double apart) {
    memset(t, 0, sizeof *t);
    t->count = count;
    for (size_t i = 0; i < count; i++) {
        /* mostly chains, as robots are */
        const bool branches = random_uniform(r, 0, 1) < 0.2;
        t->parent[i] = i == 0 ? -1 : branches ? (int)(random_bits(r) % i) : (int)i - 1;
        for (int n = 0; n < 6; n++) {
            const double own = random_uniform(r, -1, 1);
            t->reach[i][n] = apart > 0 && i ? t->reach[t->parent[i]][n] + apart * own : own;
        }
        t->mass[i * count + i] = random_decade(r, rotor_from, rotor_to);
    }
    for (size_t b = 0; b < count; b++) {
        const double size = random_decade(r, -4, 0);
        for (int i = (int)b; i >= 0; i = t->parent[i])
            for (int j = i; j >= 0; j = t->parent[j]) {
                double product = 0;
                for (int n = 0; n < 6; n++) product += t->reach[i][n] * t->reach[j][n];
                const size_t at = (size_t)i * count + (size_t)j;
                t->mass[at] += size * product;
            }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) t->mass[j * count + i] = t->mass[i * count + j];
}

static inline void random_tree_make(random_tree *t, random_source *r, size_t count,
                                    double rotor_from, double rotor_to) {
    random_tree_couple(t, r, count, rotor_from, rotor_to, 0);
}

/* The same along the parents, as stiction_implicit_def.packed says. */
static inline void random_tree_pack(const random_tree *t, double *packed) {
    for (size_t i = 0; i < t->count; i++)
        for (int j = (int)i; j >= 0; j = t->parent[j])
            *packed++ = t->mass[i * t->count + (size_t)j];
}

/* A state of these joints named j0, j1, ...; false: one is refused. */
static inline bool random_tree_state(const stiction_joint_def *joints, size_t count, double T,
                                     stiction_model **model, stiction_state **state) {
    char names[most_joints][24];
    const char *list[most_joints];
    stiction_config *config = stiction_config_create();
    stiction_model_def def = stiction_model_def_default();
    stiction_error error;
    def.timestep = T;
    bool fine = true;
    for (size_t k = 0; k < count; k++) {
        (void)snprintf(names[k], sizeof names[k], "j%zu", k);
        list[k] = names[k];
        fine = fine && (!joints[k].law || stiction_config_add_joint(config, list[k], &joints[k],
                                                                    &error) == STICTION_OK);
    }
    fine = fine && stiction_model_create(config, list, count, &def, model, &error) == STICTION_OK &&
           stiction_state_create(*model, state, &error) == STICTION_OK;
    if (!fine) printf("%s\n", error.message);
    stiction_config_destroy(config);
    return fine;
}

#endif
