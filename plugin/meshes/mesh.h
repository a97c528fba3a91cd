/*
 * A mesh from a file as points that span its convex hull, which is what touches. The file may be
 * anyone's: it is read by a process of its own, within bounds of size, time and memory.
 */
#ifndef STICTION_MESHES_MESH_H
#define STICTION_MESHES_MESH_H

#include "document/document.h"

typedef struct mesh {
    size_t count;
    const double *vertices; /* 3 x count, m: the corners of the mesh's convex hull */
} mesh;

/* The mesh of an STL, OBJ, DAE, VRML or Choreonoid scene file, `scale` times as large along each
 * axis. NULL after a warning at `at`: the shape cannot be used. A file that was read before in the
 * life of the same reader is not read again. */
const mesh *mesh_read(reader *r, stiction_place at, const char *path, const double scale[3]);

#endif
