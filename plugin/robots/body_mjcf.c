/* SPDX-License-Identifier: MIT
 * Links as MJCF: a body a link, in the frames and with the names of the .body file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "formats.h"
#include "xml.h"

typedef struct writer {
    reader *r;
    FILE *out;
    const body_file *body;
    const body_style *style;
} writer;

static void write_name(writer *w, const char *attribute, const char *name) {
    fprintf(w->out, " %s=\"%s\"", attribute, xml_escape(w->r, name));
}

static void write_numbers(writer *w, const char *attribute, const double *numbers, int count) {
    fprintf(w->out, " %s=\"", attribute);
    for (int k = 0; k < count; k++) fprintf(w->out, "%s%.17g", k ? " " : "", numbers[k]);
    fputc('"', w->out);
}

/* As stiff as the time step allows, with critical damping. */
static void write_softness(writer *w, const char *reference, const char *impedance) {
    const double solref[2] = {w->style->softness, 1}, solimp[3] = {0.95, 0.99, 0.001};
    write_numbers(w, reference, solref, 2);
    write_numbers(w, impedance, solimp, 3);
}

/* MuJoCo wants both ends, and some room between them. */
static void write_range(writer *w, const body_link *link) {
    const double far = 1e6, room = 1e-9;
    if (!isfinite(link->lower) && !isfinite(link->upper)) return;
    double range[2] = {fmax(link->lower, -far), fmin(link->upper, far)};
    if (range[1] - range[0] < room) range[1] = range[0] + room;
    fputs(" limited=\"true\"", w->out);
    write_numbers(w, "range", range, 2);
    if (w->style->softness > 0) write_softness(w, "solreflimit", "solimplimit");
}

static void write_joint(writer *w, const body_link *link) {
    if (link->joint == BODY_FIXED) return;
    if (link->joint == BODY_FREE) {
        fputs("<freejoint/>\n", w->out);
        return;
    }
    static const char *const types[] = {
        [BODY_REVOLUTE] = "hinge", [BODY_PRISMATIC] = "slide", [BODY_BALL] = "ball"};
    fputs("<joint", w->out);
    write_name(w, "name", link->joint_name);
    fprintf(w->out, " type=\"%s\"", types[link->joint]);
    if (link->joint != BODY_BALL) write_numbers(w, "axis", link->axis, 3);
    write_numbers(w, "armature", &link->armature, 1);
    if (link->stiffness > 0) write_numbers(w, "stiffness", &link->stiffness, 1);
    if (link->stiffness > 0 && link->joint != BODY_BALL)
        write_numbers(w, "springref", &link->rest, 1);
    write_range(w, link);
    fputs("/>\n", w->out);
}

static void write_inertial(writer *w, const body_link *link) {
    static const double stand_in[3] = {1, 1, 1};
    fputs("<inertial", w->out);
    write_numbers(w, "pos", link->center, 3);
    write_numbers(w, "quat", link->frame, 4);
    write_numbers(w, "mass", link->bare ? stand_in : &link->mass, 1);
    write_numbers(w, "diaginertia", link->bare ? stand_in : link->principal, 3);
    fputs("/>\n", w->out);
}

/* The name of a mesh in the model: the first shape that has these vertices. */
static const char *mesh_name(writer *w, const body_shape *shape) {
    for (size_t i = 0; i < w->body->count; i++)
        for (size_t k = 0; k < w->body->links[i].shape_count; k++)
            if (w->body->links[i].shapes[k].vertices == shape->vertices)
                return stiction_reader_format(w->r, "%s:%zu", w->body->links[i].name, k);
    return "";
}

void body_write_meshes(reader *r, FILE *out, const body_file *body) {
    writer w = {.r = r, .out = out, .body = body};
    for (size_t i = 0; i < body->count; i++)
        for (size_t k = 0; k < body->links[i].shape_count; k++) {
            const body_shape *shape = &body->links[i].shapes[k];
            if (shape->kind != BODY_MESH) continue;
            const char *own = stiction_reader_format(r, "%s:%zu", body->links[i].name, k);
            if (strcmp(own, mesh_name(&w, shape)) != 0) continue;
            fputs("<mesh", out);
            write_name(&w, "name", own);
            write_numbers(&w, "vertex", shape->vertices, (int)(3 * shape->vertex_count));
            fputs("/>\n", out);
        }
}

/* Of a shape that says it itself, else of its link's material. */
static body_contact contact_of(const writer *w, const body_link *link, const body_shape *shape) {
    if (link->untouchable || !w->style->contact_type) return (body_contact){.dimensions = 3};
    if (shape->contact) return *shape->contact;
    return (body_contact){.type = w->style->contact_type,
                          .affinity = w->style->contact_affinity,
                          .dimensions = 3,
                          .priority = link->priority,
                          .friction = {link->shape_friction, 0.005, 0.0001}};
}

static void write_shape(writer *w, const body_link *link, const body_shape *shape) {
    static const char *const types[] = {"box",     "sphere", "ellipsoid", "cylinder",
                                        "capsule", "mesh",   "plane"};
    const body_contact contact = contact_of(w, link, shape);
    const double color[4] = {shape->color[0], shape->color[1], shape->color[2], 1};
    fprintf(
        w->out, "<geom type=\"%s\" contype=\"%u\" conaffinity=\"%u\" condim=\"%d\" priority=\"%d\"",
        types[shape->kind], contact.type, contact.affinity, contact.dimensions, contact.priority);
    if (shape->kind == BODY_MESH)
        write_name(w, "mesh", mesh_name(w, shape));
    else
        write_numbers(w, "size", shape->size, 3);
    write_numbers(w, "pos", shape->translation, 3);
    write_numbers(w, "quat", shape->rotation, 4);
    write_numbers(w, "friction", contact.friction, 3);
    write_numbers(w, "rgba", color, 4);
    if (w->style->softness > 0) write_softness(w, "solref", "solimp");
    fputs("/>\n", w->out);
}

/* Where a link is at the start, in the frame of the world, with all joints at 0. */
static void place_link(const body_file *body, size_t index, double place[3], double turn[4]) {
    const body_link *link = &body->links[index];
    mju_copy3(place, link->translation);
    mju_copy4(turn, link->rotation);
    for (int k = link->parent; k >= 0; k = body->links[k].parent) {
        double moved[3], turned[4];
        mju_rotVecQuat(moved, place, body->links[k].rotation);
        mju_add3(place, moved, body->links[k].translation);
        mju_mulQuat(turned, body->links[k].rotation, turn);
        mju_copy4(turn, turned);
    }
}

static bool is_loose(const body_file *body, size_t index) {
    return index != body->root && body->links[index].joint == BODY_FREE;
}

static void write_link(writer *w, size_t index) {
    const body_file *body = w->body;
    const body_link *link = &body->links[index];
    double place[3], turn[4];
    mju_copy3(place, link->translation);
    mju_copy4(turn, link->rotation);
    if (is_loose(body, index)) place_link(body, index, place, turn);
    fputs("<body", w->out);
    write_name(w, "name", link->name);
    write_numbers(w, "pos", place, 3);
    write_numbers(w, "quat", turn, 4);
    fputs(">\n", w->out);
    write_joint(w, link);
    write_inertial(w, link);
    for (size_t k = 0; w->style->shapes && k < link->shape_count; k++)
        write_shape(w, link, &link->shapes[k]);
    for (size_t k = 0; k < body->count; k++)
        if (body->links[k].parent == (int)index && !is_loose(body, k)) write_link(w, k);
    fputs("</body>\n", w->out);
}

void body_write_links(reader *r, FILE *out, const body_file *body, const body_style *style) {
    writer w = {r, out, body, style};
    write_link(&w, body->root);
    /* a link that is free below the root moves as a body of its own */
    for (size_t k = 0; k < body->count; k++)
        if (is_loose(body, k)) write_link(&w, k);
}

void body_restore_masses(const body_file *body, mjModel *model) {
    for (size_t k = 0; k < body->count; k++) {
        const body_link *link = &body->links[k];
        const int id = mj_name2id(model, mjOBJ_BODY, link->name);
        if (!link->bare || id < 0) continue;
        model->body_mass[id] = link->mass;
        memcpy(model->body_inertia + 3 * id, link->principal, sizeof link->principal);
    }
}

/* The text that MuJoCo reads is ours: its lines say nothing to the user. */
static stiction_place locate(const void *context, const char *object, int line) {
    (void)line;
    const body_file *body = context;
    for (size_t k = 0; k < body->count; k++)
        if (strcmp(body->links[k].name, object) == 0 ||
            strcmp(body->links[k].joint_name, object) == 0)
            return body->links[k].at;
    return (stiction_place){body->path, 0, 0};
}

body_file body_for_model(reader *r, const body_file *body) {
    body_file copy = *body;
    copy.links = stiction_reader_alloc(r, body->count * sizeof *copy.links);
    memcpy(copy.links, body->links, body->count * sizeof *copy.links);
    for (size_t k = 0; k < body->count; k++)
        if (strcmp(copy.links[k].name, "world") == 0) copy.links[k].name = "world (link)";
    return copy;
}

robot_source body_robot(reader *r, const body_file *body) {
    const stiction_place at = {body->path, 0, 0};
    text_stream *stream = stiction_reader_stream(r);
    fputs("<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<worldbody>\n",
          stream->file);
    body_write_links(r, stream->file, body, &(body_style){0});
    fputs("</worldbody>\n</mujoco>\n", stream->file);
    const char *text = stiction_reader_stream_text(r, stream);

    robot_source source = {.name = body->name, .links = body->links, .link_count = body->count};
    source.model =
        engine_load(r, &(engine_text){body->path, text, stream->size, false, locate, body, NULL});
    body_restore_masses(body, source.model);
    engine_update(r, at, source.model);
    return source;
}

robot_source read_body_robot(reader *r, const char *path, const robot_options *options) {
    const body_file body =
        body_for_model(r, body_read_without_meshes(r, (stiction_place){path, 0, 0}, path));
    robot_set_base(r, &body, options->base);
    if (body.loops)
        stiction_reader_warn(r, body.loops->joints->at,
                             "extra_joints are not read; the loops that they close could only "
                             "add to the joints' inertias");
    return body_robot(r, &body);
}

robot_bodies read_body_bodies(reader *r, stiction_place at, const char *path) {
    return robot_one_body(r, body_read(r, at, path));
}
