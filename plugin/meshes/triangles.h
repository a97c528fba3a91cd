/* SPDX-License-Identifier: MIT
 * What all importers give: points and triangles, within a bound. All memory is in an arena, which
 * ends with the process that reads a file.
 */
#ifndef STICTION_MESHES_TRIANGLES_H
#define STICTION_MESHES_TRIANGLES_H

#include <stdbool.h>
#include <stddef.h>

#include "document/access.h"
#include "document/arena.h"

enum { TRIANGLES_PROBLEM = 1200 };

typedef struct triangles {
    arena memory;
    double *vertices; /* 3 each */
    size_t vertex_count, vertex_room;
    int *corners; /* 3 indices each */
    size_t count, room;
    const char *untrusted; /* the file whose folder all others must be in; NULL: any may be read */
    bool is_forbidden;     /* it names one that may not be read: an error, not a warning */
    bool names_files;      /* it names some */
    char problem[TRIANGLES_PROBLEM]; /* why the file cannot be used; "": it can so far */
    char note[TRIANGLES_PROBLEM];    /* what of it is not used; "": nothing */
} triangles;

/* Notes the first problem; false, for callers to return. */
bool triangles_fail(triangles *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool triangles_note(triangles *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed memory; NULL: a problem was noted. */
void *triangles_take(triangles *t, size_t size);
/* Room for one more item after `count`; the array may move. False: the problem is noted. */
bool triangles_make_room(triangles *t, void **items, size_t count, size_t *room, size_t size);

/* False: a problem was noted. */
bool triangles_add_vertex(triangles *t, const double point[3]);
/* A polygon of `count` corners, indices of vertices from `first` on; one that names a vertex which
 * is not there is a problem. */
bool triangles_add_face(triangles *t, size_t first, const unsigned *corners, size_t count);

/* The importers; `name` is of the file, for its ending and for files beside it. */
/* Loads assimp, once in the program and not once in every process of a mesh. */
void mesh_prepare_assimp(void);
bool mesh_import_assimp(triangles *t, const char *name, const char *bytes, size_t size);
bool mesh_import_vrml(triangles *t, const char *name, const char *bytes, size_t size);

/* The whole of a regular file that is not too large, followed by a 0; NULL: the problem is noted.
 */
char *mesh_file_bytes(triangles *t, const char *path, size_t *size);
/* The same of a file that the mesh names, which it may not always. */
char *mesh_named_bytes(triangles *t, const char *path, size_t *size);

#endif
