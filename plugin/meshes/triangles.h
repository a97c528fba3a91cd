/* SPDX-License-Identifier: MIT
 * Points and triangles, from which hulls are made. Their memory is that of a reader; what is wrong
 * with them ends its reading.
 */
#ifndef STICTION_MESHES_TRIANGLES_H
#define STICTION_MESHES_TRIANGLES_H

#include "document/reader.h"
#include "frame3.h"

enum { TRIANGLES_NOTE = 1200, TRIANGLES_AROUND = 32 };

typedef struct triangles {
    reader *r;
    double *vertices; /* 3 each */
    size_t vertex_count;
    int *corners; /* 3 indices each */
    size_t count;
    const char *inside;        /* how errors begin in a file that another one includes; NULL: not */
    bool is_forbidden;         /* it names a file that may not be read: an error, not a warning */
    bool names_files;          /* it names some */
    char note[TRIANGLES_NOTE]; /* what of it is not used; "": nothing */
} triangles;

/* Leaves through the reader with an error without a place. */
_Noreturn void triangles_fail(const triangles *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Keeps the first note. */
void triangles_note(triangles *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

void triangles_add_vertex(triangles *t, const double point[3]);
/* A polygon of `count` corners, indices of vertices from `first` on, which must exist. */
void triangles_add_face(triangles *t, size_t first, const unsigned *corners, size_t count);
/* The vertices from `first` on are rings of `each` points: joins them to a tube with closed ends.
 */
void triangles_add_tube(triangles *t, size_t first, unsigned rings, unsigned each);
/* What a profile of radius and height sweeps around y, in TRIANGLES_AROUND steps. */
void triangles_add_round(triangles *t, const frame3 *at, const double (*profile)[2],
                         unsigned rings);
void triangles_add_box(triangles *t, const frame3 *at, const double size[3]);

/* Adds the triangles of a file, of which the bytes are given. */
typedef void mesh_importer(triangles *t, const char *path, const char *bytes, size_t size);
mesh_importer mesh_import_assimp, mesh_import_vrml;
/* Loads assimp, once in the program and not once in each process of a mesh. */
void mesh_prepare_assimp(void);

/* The bytes of a regular file that is not empty and not too large, with a terminating 0. */
char *mesh_file_bytes(triangles *t, const char *path, size_t *size);

/* ---- hulls ---- */

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

/* Triangles as convex hulls: one around all, or one for each part if that is much smaller. */
void mesh_make_parts(triangles *t, mesh_parts *parts);

/* Leaves what a drawing needs of them. */
void mesh_make_surface(triangles *t, size_t most_faces);

/* Beyond this factor a hull is much larger than what is in it. */
extern const double mesh_much_larger;

#endif
