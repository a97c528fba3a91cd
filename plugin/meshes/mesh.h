/* SPDX-License-Identifier: MIT
 * A mesh from a file as points that span its convex hull, which is what touches. The file may be
 * anyone's: it is read by a process of its own, within bounds of size, time and memory.
 */
#ifndef STICTION_MESHES_MESH_H
#define STICTION_MESHES_MESH_H

#include "document/document.h"

struct triangles;

/* A file of several things that lie apart, such as the walls of a room, has a hull for each. */
typedef struct mesh {
    size_t count;
    const double *vertices; /* 3 x count, m: the corners of a convex hull */
    const int *faces;       /* 3 x face_count, of a mesh to be drawn; NULL: it is a hull */
    size_t face_count;
    const struct mesh *next; /* the hull of the next part; NULL: that was the last */
} mesh;

/* The mesh of an STL, OBJ, DAE or VRML file, `scale` times as large along each axis. NULL after a
 * warning at `at`: the shape cannot be used. A file is read once in the life of a reader, and all
 * of them in 120 s of processor time, with at most 20000 hulls as often as they are asked for. */
const mesh *mesh_read(reader *r, stiction_place at, const char *path, const double scale[3]);

/* The file that `uri` names in the file `from`: a file name, file://, ${SHARE} or package://. NULL
 * after a warning at `at`. */
const char *mesh_locate(reader *r, stiction_place at, const char *from, const char *uri);

/* A mesh from triangles; `what` is for warnings. */
const mesh *mesh_of_triangles(reader *r, stiction_place at, const char *what,
                              const struct triangles *t);

#endif
