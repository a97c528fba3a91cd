/* SPDX-License-Identifier: MIT
 * The bodies of a project at the start: unique names, roots fixed or free, and which bodies may
 * touch, as in Choreonoid.
 */
#include <string.h>

#include "document/text.h"
#include "world_reader.h"

/* Bits for contacts: one for all bodies without joints, one for each with joints. */
enum { contact_bits = 31 };
static const unsigned all_contacts = 0x7fffffff;

static const char *unique_name(reader *r, const project *p, size_t index) {
    size_t earlier = 0;
    for (size_t k = 0; k < index; k++)
        if (strcmp(p->bodies[k].name, p->bodies[index].name) == 0) earlier++;
    if (!earlier) return p->bodies[index].name;
    return stiction_reader_format(r, "%s-%zu", p->bodies[index].name, earlier + 1);
}

static void copy_links(reader *r, placed_body *b, const char *prefix) {
    const project_body *source = b->source;
    b->file = body_for_model(r, source->file);
    for (size_t k = 0; k < b->file.count; k++) {
        body_link *link = &b->file.links[k];
        link->name = stiction_reader_format(r, "%s%s", prefix, link->name);
        link->joint_name = stiction_reader_format(r, "%s%s", prefix, link->joint_name);
    }
    body_link *root = &b->file.links[b->file.root];
    mju_copy3(root->translation, source->translation);
    mju_copy4(root->rotation, source->rotation);
    if (source->fixed_root)
        root->joint = BODY_FIXED;
    else if (root->joint == BODY_FIXED)
        root->joint = BODY_FREE;
}

static bool has_joints(const body_file *file) {
    for (size_t k = 0; k < file->count; k++)
        if (k != file->root && file->links[k].joint != BODY_FIXED) return true;
    return false;
}

/* A body with joints has a bit of its own, which it does not touch: its links pass through each
 * other, unless self-collision is enabled in its item. */
static void set_contacts(reader *r, placed_body *b, int *used) {
    const project_body *source = b->source;
    if (!source->collides) return;
    int bit = 0;
    if (!source->collides_with_itself && has_joints(&b->file)) bit = ++*used;
    if (bit >= contact_bits)
        stiction_reader_refuse(r, source->at,
                               "more than %d bodies with joints and contacts are not read",
                               contact_bits - 1);
    b->style.contact_type = 1u << bit;
    b->style.contact_affinity = bit ? all_contacts & ~(1u << bit) : all_contacts;
}

/* Reports what a robot may have and a world cannot. */
static void check(reader *r, const placed_body *b) {
    const project_body *source = b->source;
    const body_file *file = source->file;
    if (source->collides && file->unread_shapes)
        stiction_reader_warn(r, file->unread_shape_at,
                             "%zu shape%s of '%s' (%s) %s not used for contact",
                             file->unread_shapes, file->unread_shapes > 1 ? "s" : "", source->name,
                             robot_format_of(file->path) == ROBOT_BODY
                                 ? "ElevationGrid, bent Extrusion, parts of files by name"
                                 : "meshes that are not there, height fields and the like",
                             file->unread_shapes > 1 ? "are" : "is");
    if (file->handlers_at.line)
        stiction_reader_warn(r, file->handlers_at, "body_handlers are not run");
    for (size_t k = 0; k < file->count; k++) {
        const body_link *link = &file->links[k];
        if (link->track_at.line)
            stiction_reader_refuse(r, link->track_at, "the track '%s' is not read in a project",
                                   link->name);
        if (link->held_at.line)
            stiction_reader_warn(r, link->held_at,
                                 "joint '%s' is driven by torque here, whatever its actuation_mode",
                                 link->joint_name);
        if (link->joint != BODY_REVOLUTE && link->joint != BODY_PRISMATIC) continue;
        const double start = source->displacements[k];
        if (link->joint_id < 0 && !link->nameless)
            stiction_reader_warn(
                r, link->at,
                "joint '%s' has no joint_id: it moves, but without friction and control",
                link->joint_name);
        if (start < link->lower - 1e-6 || start > link->upper + 1e-6)
            stiction_reader_warn(r, source->at,
                                 "joint '%s' of '%s' starts at %g, outside its range",
                                 link->joint_name, source->name, start);
    }
}

placed_body *world_place_bodies(reader *r, const project *p, double timestep) {
    placed_body *bodies = stiction_reader_alloc(r, p->body_count * sizeof *bodies);
    int bits = 0;
    for (size_t k = 0; k < p->body_count; k++) {
        placed_body *b = &bodies[k];
        b->source = &p->bodies[k];
        b->name = unique_name(r, p, k);
        check(r, b);
        copy_links(r, b, p->body_count > 1 ? stiction_reader_format(r, "%s/", b->name) : "");
        /* MuJoCo needs at least twice the time step; more lets a heavy contact settle */
        b->style = (body_style){.shapes = true, .softness = 5 * timestep};
        set_contacts(r, b, &bits);
        world_read_ties(r, b);
    }
    world_set_materials(r, p, bodies);
    return bodies;
}
