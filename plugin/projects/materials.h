/* SPDX-License-Identifier: MIT
 * Tables of materials, as Choreonoid's MaterialTable has them: what slides on what with which
 * friction.
 */
#ifndef STICTION_PROJECTS_MATERIALS_H
#define STICTION_PROJECTS_MATERIALS_H

#include "document/document.h"

typedef struct surface_material {
    const char *name;
    double roughness; /* the friction of two materials without a pair is the root of the product
                       * of theirs */
} surface_material;

typedef struct material_pair {
    const char *names[2];
    double friction;
    stiction_place at;     /* line 0: of Choreonoid's own table */
    double restitution;    /* is not used */
    const char *collision; /* a handler, which is not run; NULL: none */
} material_pair;

typedef struct material_table {
    surface_material *materials;
    size_t count;
    material_pair *pairs;
    size_t pair_count;
    size_t read; /* materials and pairs, those that came again too */
} material_table;

/* Choreonoid's own table. */
void materials_begin(reader *r, material_table *table);
/* Values of the file override those that were there. */
void materials_merge(reader *r, stiction_place at, const char *path, material_table *table);

/* The name of a material that is in the table; Default for all others and for NULL. */
const char *materials_known(const material_table *table, const char *name);
/* NULL: no pair names them both. */
const material_pair *materials_pair(const material_table *table, const char *a, const char *b);
double materials_friction(const material_table *table, const char *a, const char *b);

#endif
