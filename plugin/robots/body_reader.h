/* SPDX-License-Identifier: MIT */
/* What the parts of the .body reader share. */
#ifndef STICTION_ROBOTS_BODY_READER_H
#define STICTION_ROBOTS_BODY_READER_H

#include "body.h"
#include "document/document.h"
#include "meshes/mesh.h"
#include "rotation.h"

enum { BODY_MOST_JOINT_ID = 1000000 };

/* What bodies inside bodies count together: each can be named without end. */
typedef struct body_whole {
    size_t elements;                       /* how many were walked */
    uint64_t bytes;                        /* of the files that were read, */
    const struct body_document *documents; /* which are these */
} body_whole;

typedef struct body_reader {
    reader *r;
    body_whole *whole;
    body_file *body;
    tree_document document;
    bool degrees;
    bool no_meshes;                   /* are wanted */
    int depth;                        /* of a body inside a body */
    struct made_geometry *geometries; /* meshes that were made of geometry so far */
    const tree_entry **unread;        /* the first of each key that nobody asked for */
    size_t unread_count;
    bool more_unread; /* than are noted */
} body_reader;

/* A file that `at` names, read if it was not yet. */
tree_document body_read_document(body_reader *b, stiction_place at, const char *path,
                                 const tree_options *options);

/* What a map states for a key, or `otherwise`. */
const char *body_text(body_reader *b, const tree_node *map, const char *key, const char *otherwise);
double body_number(body_reader *b, const tree_node *map, const char *key, double otherwise);

double body_angle(const body_reader *b, double angle); /* in radian */

/* What a map states; false: nothing, and the numbers stay as they are. */
bool body_translation(body_reader *b, const tree_node *map, double translation[3]);
bool body_rotation(body_reader *b, const tree_node *map, double quaternion[4]);

/* What a link and a body inside a body both state: position and joint. */
void body_read_joint(body_reader *b, const tree_node *map, body_link *link);

/* The masses and the shapes for contact in a link's `elements`, which may be nested. */
typedef struct mass_list {
    body_mass *items;
    size_t count;
} mass_list;
typedef struct shape_list {
    body_shape *items;
    size_t count;
    bool incomplete; /* a mesh could not be read */
} shape_list;
void body_read_elements(body_reader *b, const tree_node *elements, mass_list *masses,
                        shape_list *shapes);

/* A frame that turns and stretches, taken apart; false: it also shears. */
bool body_take_apart(const frame3 *frame, double quaternion[4], double scale[3]);

/* The geometry of a Shape, in a link's frame; `path` is its file. */
void body_read_shape(body_reader *b, const tree_node *map, const char *path, const frame3 *frame,
                     shape_list *list);
/* The same of a mesh in a file: what a Resource names in the file `from`. */
void body_read_mesh(body_reader *b, const tree_node *resource, const char *from,
                    const frame3 *frame, shape_list *list);
void body_read_mesh_file(body_reader *b, stiction_place at, const char *path, const frame3 *frame,
                         shape_list *list);
/* The shapes of a whole file that is a scene or a mesh. */
void body_read_scene(body_reader *b, stiction_place at, const char *path, shape_list *list);
/* The same of any geometry that is no primitive of MuJoCo's. False: it is not read. */
bool body_read_geometry(body_reader *b, const tree_node *geometry, const char *type,
                        const frame3 *frame, const double color[3], shape_list *list);
/* Counts a shape that is not read. */
void body_note_unread_shape(body_reader *b, stiction_place at);

/* Which links may touch others. */
void body_read_contact_rules(body_reader *b, const tree_node *top);

/* mass, center_of_mass and inertia of a map; what it lacks stays as it is. True: any was there. */
bool body_read_mass(body_reader *b, const tree_node *map, body_mass *mass);

#endif
