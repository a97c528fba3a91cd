/* SPDX-License-Identifier: MIT
 * VRML97 (.wrl) as nodes with fields: the grammar, without the meaning of any node. All memory is
 * that of the triangles.
 */
#ifndef STICTION_MESHES_VRML_H
#define STICTION_MESHES_VRML_H

#include "triangles.h"

typedef struct vrml_node vrml_node;

/* A value: numbers, or nodes, or the first string. */
typedef struct vrml_field {
    const char *name;
    double *numbers; /* TRUE is 1, FALSE 0 */
    size_t number_count, number_room;
    vrml_node **nodes;
    size_t node_count, node_room;
    const char *text; /* NULL: none */
    struct vrml_field *next;
} vrml_field;

/* A node that is used in several places is the same node there; none is inside itself. */
struct vrml_node {
    const char *type;
    vrml_field *fields;
};

/* The nodes at the top as a field; NULL: t->problem says what is wrong, with the line. */
const vrml_field *vrml_parse(triangles *t, const char *text, size_t size);

/* NULL: the node does not state it. */
const vrml_field *vrml_find(const vrml_node *node, const char *name);

#endif
