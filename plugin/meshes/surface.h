/* SPDX-License-Identifier: MIT
 * Triangles that are drawn, with no more of them than a drawing needs.
 */
#ifndef STICTION_MESHES_SURFACE_H
#define STICTION_MESHES_SURFACE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct surface {
    double *vertices; /* 3 each */
    size_t vertex_count;
    int *faces; /* 3 vertices each */
    size_t face_count;
} surface;

/* The vertices of a group become one, their mean; faces that collapse vanish, and vertices without
 * a face. `group`: of each vertex the number of its group, below vertex_count. False: no memory. */
bool surface_join(surface *s, const size_t *group);

/* Joins the vertices in each cell of a grid, which is made coarser until at most so many faces are
 * left. */
bool surface_simplify(surface *s, size_t most_faces);

#endif
