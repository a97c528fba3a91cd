/*
 * A mesh from a file as points whose convex hull touches others.
 */
#ifndef STICTION_MESHES_MESH_H
#define STICTION_MESHES_MESH_H

#include "document/reader.h"

typedef struct mesh {
    size_t count;
    const double *vertices; /* 3 x count, m: the corners of its convex hull, or enough points around
                               them */
} mesh;

/* NULL after a warning: the shape cannot be used. */
const mesh *mesh_read(reader *r, stiction_place at, const char *path, const double scale[3]);

#endif
