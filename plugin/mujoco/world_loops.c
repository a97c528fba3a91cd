/* SPDX-License-Identifier: MIT
 * The loops that extra_joints of a .body close, as points that stay together: one for a ball, two
 * on its axis for a hinge, as Choreonoid's AIST simulator holds them.
 */
#include <string.h>

#include "document/document.h"
#include "world_reader.h"

/* The distance of the two points of a hinge, m, as in Choreonoid. */
static const double span = 0.05;

static const tree_node *required(reader *r, const tree_node *map, const char *key) {
    const tree_node *node = stiction_doc_find(r, map, key);
    if (!node) stiction_reader_refuse(r, map->at, "an extra joint lacks its %s", key);
    return node;
}

static const char *find_link(reader *r, const placed_body *b, const body_loops *loops,
                             const tree_node *node) {
    const char *name = stiction_reader_format(
        r, "%s%s%s", loops->prefix, stiction_doc_text(r, node, "a link's name"), loops->suffix);
    const body_file *file = b->source->file;
    for (size_t k = 0; k < file->count; k++)
        if (strcmp(file->links[k].name, name) == 0) return b->file.links[k].name;
    stiction_reader_refuse(r, node->at, "there is no link '%s'", name);
}

/* translation_in_link1, or link1LocalPos of old */
static void read_point(reader *r, const tree_node *map, const char *key, const char *old,
                       double point[3]) {
    const tree_node *node = stiction_doc_find(r, map, key);
    if (!node) node = stiction_doc_find(r, map, old);
    if (node) stiction_doc_numbers(r, node, key, 3, point);
}

static void read_axis(reader *r, const tree_node *map, double axis[3]) {
    const tree_node *node = stiction_doc_find(r, map, "axis");
    if (!node) node = stiction_doc_find(r, map, "joint_axis");
    if (node) stiction_doc_numbers(r, node, "axis", 3, axis);
    if (mju_normalize3(axis) < 1e-6)
        stiction_reader_refuse(r, node->at, "the axis of an extra joint must not be zero");
}

typedef struct tie_list {
    world_tie *items;
    size_t count;
} tie_list;

static void add_tie(reader *r, tie_list *list, const world_tie *tie) {
    list->items = stiction_reader_grow(r, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = *tie;
}

static void read_joint(reader *r, const placed_body *b, const body_loops *loops,
                       const tree_node *map, tie_list *list) {
    stiction_doc_expect(r, map, TREE_MAPPING, "an extra joint");
    const tree_node *type = required(r, map, "joint_type");
    const char *name = stiction_doc_text(r, type, "joint_type");
    const bool hinge = strcmp(name, "hinge") == 0;
    if (!hinge && strcmp(name, "ball") != 0)
        stiction_reader_refuse(r, type->at,
                               "of extra joints only ball and hinge are read, not '%s'", name);
    const tree_node *turned = stiction_doc_find(r, map, "rotation_in_link1");
    if (!turned) turned = stiction_doc_find(r, map, "rotation_in_link2");
    if (hinge && turned)
        stiction_reader_refuse(r, turned->at, "the rotation of an extra joint is not read");
    world_tie tie = {.link = {find_link(r, b, loops, required(r, map, "link1_name")),
                              find_link(r, b, loops, required(r, map, "link2_name"))}};
    read_point(r, map, "translation_in_link1", "link1_local_pos", tie.point[0]);
    read_point(r, map, "translation_in_link2", "link2_local_pos", tie.point[1]);
    add_tie(r, list, &tie);
    if (!hinge) return;
    double axis[3] = {1, 0, 0};
    read_axis(r, map, axis);
    for (int k = 0; k < 2; k++) mju_addToScl3(tie.point[k], axis, span);
    add_tie(r, list, &tie);
}

void world_read_ties(reader *r, placed_body *b) {
    tie_list list = {0};
    for (const body_loops *loops = b->source->file->loops; loops; loops = loops->next) {
        stiction_doc_expect(r, loops->joints, TREE_LIST, "extra_joints");
        for (const tree_entry *e = loops->joints->first; e; e = e->next)
            read_joint(r, b, loops, e->value, &list);
    }
    b->ties = list.items;
    b->tie_count = list.count;
}
