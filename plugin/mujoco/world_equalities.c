/* SPDX-License-Identifier: MIT
 * Equality constraints of a robot's file, its tendons, pairs of its links that never touch, and the
 * loops that extra_joints of a .body close: points that stay together, one for a ball, two on its
 * axis for a hinge, as Choreonoid's AIST simulator holds them.
 */
#include <string.h>

#include "document/document.h"
#include "robots/xml.h"
#include "world_reader.h"

static const char *const elements[] = {"connect", "weld", "joint", "tendon"};

/* Unique in the model, as the link's name is. */
static const char *tendon_name(reader *r, const placed_body *b, int k) {
    const body_link *link = &b->file.links[b->file.tendons[k].links[0]];
    return stiction_reader_format(r, "%s tendon %d", xml_escape(r, link->name), k);
}

static void write_objects(reader *r, FILE *out, const placed_body *b, const body_equality *e) {
    const bool couple = e->kind == BODY_COUPLE;
    /* MuJoCo needs a body first; the world can only be second */
    for (int k = 0, written = 0; k < 2; k++) {
        if (e->link[k] < 0) continue;
        if (e->kind == BODY_COUPLE_TENDONS) {
            fprintf(out, " tendon%d=\"%s\"", ++written, tendon_name(r, b, e->link[k]));
            continue;
        }
        const body_link *link = &b->file.links[e->link[k]];
        fprintf(out, " %s%d=\"%s\"", couple ? "joint" : "body", ++written,
                xml_escape(r, couple ? link->joint_name : link->name));
    }
}

void world_write_equalities(reader *r, FILE *out, const placed_body *b) {
    for (size_t k = 0; k < b->file.equality_count; k++) {
        const body_equality *e = &b->file.equalities[k];
        fprintf(out, "<%s", elements[e->kind]);
        write_objects(r, out, b, e);
        if (e->kind == BODY_CONNECT) fputs(" anchor=\"0 0 0\"", out);
        fprintf(out, " solref=\"%.17g 1\" solimp=\"0.95 0.99 0.001\"/>\n", b->style.softness);
    }
}

void world_write_separations(reader *r, FILE *out, const placed_body *b) {
    for (size_t k = 0; k < b->file.separate_count; k++) {
        const int *pair = b->file.separate[k];
        fprintf(out, "<exclude body1=\"%s\" body2=\"%s\"/>\n",
                xml_escape(r, b->file.links[pair[0]].name),
                xml_escape(r, b->file.links[pair[1]].name));
    }
}

/* MuJoCo would compute points and frames from the links' poses in qpos0. */
static void set_data(const body_equality *e, mjtNum *data) {
    if (e->kind >= BODY_COUPLE) {
        memcpy(data, e->polynomial, sizeof e->polynomial);
        return;
    }
    /* the world was written as the second */
    const int first = e->link[0] < 0, second = 1 - first;
    const bool weld = e->kind == BODY_WELD;
    mju_copy3(data + (weld ? 3 : 0), e->point[first]);
    mju_copy3(data + (weld ? 0 : 3), e->point[second]);
    if (!weld) return;
    if (first)
        mju_negQuat(data + 6, e->turn);
    else
        mju_copy4(data + 6, e->turn);
    data[10] = e->torque_scale;
}

void world_set_equalities(const world_plan *plan, mjModel *model, int first) {
    for (size_t i = 0; i < plan->body_count; i++)
        for (size_t k = 0; k < plan->bodies[i].file.equality_count; k++, first++)
            set_data(&plan->bodies[i].file.equalities[k], model->eq_data + mjNEQDATA * first);
}

void world_write_tendons(reader *r, FILE *out, const placed_body *b) {
    for (size_t k = 0; k < b->file.tendon_count; k++) {
        const body_tendon *t = &b->file.tendons[k];
        fprintf(out, "<fixed name=\"%s\" stiffness=\"%.17g\" limited=\"%s\"",
                tendon_name(r, b, (int)k), t->stiffness, t->limited ? "true" : "false");
        if (t->limited) fprintf(out, " range=\"%.17g %.17g\"", t->range[0], t->range[1]);
        fprintf(out, " solreflimit=\"%.17g 1\" solimplimit=\"0.95 0.99 0.001\">\n",
                b->style.softness);
        for (size_t i = 0; i < t->count; i++)
            fprintf(out, "<joint joint=\"%s\" coef=\"%.17g\"/>\n",
                    xml_escape(r, b->file.links[t->links[i]].joint_name), t->factors[i]);
        fputs("</fixed>\n", out);
    }
}

/* MuJoCo would assume that springs are at rest where the joints are 0. */
void world_set_tendons(const world_plan *plan, mjModel *model) {
    int at = 0;
    for (size_t i = 0; i < plan->body_count; i++)
        for (size_t k = 0; k < plan->bodies[i].file.tendon_count; k++)
            mujoco_set_rest(model, at++, plan->bodies[i].file.tendons[k].rest);
}

/* ---- loops ---- */

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
