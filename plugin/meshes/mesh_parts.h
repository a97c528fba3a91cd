/* SPDX-License-Identifier: MIT */
/* Triangles as convex hulls: one around all, or one for each part where that is much smaller. */
#ifndef STICTION_MESHES_MESH_PARTS_H
#define STICTION_MESHES_MESH_PARTS_H

#include "triangles.h"

enum {
    MESH_MOST_PARTS = 256,
    MESH_MOST_CORNERS = 128 /* of a hull: what a step costs grows with them */
};

typedef struct mesh_part {
    double *corners;
    size_t count;
} mesh_part;

typedef struct mesh_parts {
    mesh_part items[MESH_MOST_PARTS];
    size_t count;
    double swelling; /* the largest ratio of a hull to the closed mesh in it; 0: not known */
    bool flat;       /* some lie in a plane and were made thicker */
} mesh_parts;

/* False: there is no hull; t->problem says why. */
bool mesh_make_parts(triangles *t, mesh_parts *parts);

/* Beyond this factor a hull is much larger than what is in it. */
extern const double mesh_much_larger;

#endif
