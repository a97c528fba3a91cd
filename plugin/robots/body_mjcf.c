/*
 * Links as MJCF: a body a link, in the frames and with the names of the .body file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "document/document.h"
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
    fputs("<joint", w->out);
    write_name(w, "name", link->joint_name);
    fprintf(w->out, " type=\"%s\"", link->joint == BODY_REVOLUTE ? "hinge" : "slide");
    write_numbers(w, "axis", link->axis, 3);
    write_numbers(w, "armature", &link->armature, 1);
    if (link->stiffness > 0) {
        write_numbers(w, "stiffness", &link->stiffness, 1);
        write_numbers(w, "springref", &link->rest, 1);
    }
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

/* What a material slides with on Choreonoid's Ground and on Default. Where two geoms meet, MuJoCo
 * takes the larger friction, or that of the higher priority. */
static const struct {
    const char *name;
    double friction;
    int priority;
} materials[] = {
    {"Default", 0.5, 0}, {"Ground", 0.5, 0}, {"Sole", 1, 0},   {"Hand", 1, 0},
    {"Tire", 3, 0},      {"Steel", 1, 0},    {"Slider", 0, 1}, {"OilWetGround", 0.316, 1},
};

static int find_material(const char *name) {
    for (size_t k = 0; name && k < sizeof materials / sizeof materials[0]; k++)
        if (strcmp(materials[k].name, name) == 0) return (int)k;
    return -1;
}

bool body_material_known(const char *name) {
    return find_material(name) >= 0;
}

/* Of a shape that says it itself, else of its link's material. */
static body_contact contact_of(const writer *w, const body_link *link, const body_shape *shape) {
    if (link->untouchable || !w->style->contact_type) return (body_contact){.dimensions = 3};
    if (shape->contact) return *shape->contact;
    const int known = find_material(link->material), material = known < 0 ? 0 : known;
    return (body_contact){.type = w->style->contact_type,
                          .affinity = w->style->contact_affinity,
                          .dimensions = 3,
                          .priority = materials[material].priority,
                          .friction = {materials[material].friction, 0.005, 0.0001}};
}

static void write_shape(writer *w, const body_link *link, const body_shape *shape) {
    static const char *const types[] = {"box",     "sphere", "ellipsoid", "cylinder",
                                        "capsule", "mesh",   "plane"};
    if (shape->kind == BODY_MESH) return;
    const body_contact contact = contact_of(w, link, shape);
    const double color[4] = {shape->color[0], shape->color[1], shape->color[2], 1};
    fprintf(
        w->out, "<geom type=\"%s\" contype=\"%u\" conaffinity=\"%u\" condim=\"%d\" priority=\"%d\"",
        types[shape->kind], contact.type, contact.affinity, contact.dimensions, contact.priority);
    write_numbers(w, "size", shape->size, 3);
    write_numbers(w, "pos", shape->translation, 3);
    write_numbers(w, "quat", shape->rotation, 4);
    write_numbers(w, "friction", contact.friction, 3);
    write_numbers(w, "rgba", color, 4);
    if (w->style->softness > 0) write_softness(w, "solref", "solimp");
    fputs("/>\n", w->out);
}

static void write_link(writer *w, size_t index) {
    const body_file *body = w->body;
    const body_link *link = &body->links[index];
    fputs("<body", w->out);
    write_name(w, "name", link->name);
    write_numbers(w, "pos", link->translation, 3);
    write_numbers(w, "quat", link->rotation, 4);
    fputs(">\n", w->out);
    write_joint(w, link);
    write_inertial(w, link);
    for (size_t k = 0; w->style->shapes && k < link->shape_count; k++)
        write_shape(w, link, &link->shapes[k]);
    for (size_t k = 0; k < body->count; k++)
        if (body->links[k].parent == (int)index) write_link(w, k);
    fputs("</body>\n", w->out);
}

void body_write_links(reader *r, FILE *out, const body_file *body, const body_style *style) {
    writer w = {r, out, body, style};
    write_link(&w, body->root);
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

static joint_facts body_facts(const body_link *link) {
    joint_facts facts = facts_of(link->joint_name);
    facts.id = link->joint_id;
    facts.lower = link->lower;
    facts.upper = link->upper;
    facts.effort = link->effort;
    facts.rotor_inertia = link->rotor;
    facts.gear_ratio = link->gear_ratio;
    facts.friction = link->friction;
    facts.damping = link->damping;
    return facts;
}

/* The text that MuJoCo reads is ours: its lines say nothing to the user. */
static stiction_place locate(const void *context, const char *object) {
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

    robot_source source = {.name = body->name};
    source.model = engine_load(r, body->path, text, stream->size, locate, body);
    body_restore_masses(body, source.model);
    engine_update(r, at, source.model);
    for (size_t k = 0; k < body->count; k++)
        *add_facts(r, &source, body->links[k].joint_name) = body_facts(&body->links[k]);
    return source;
}

robot_source read_body_robot(reader *r, const char *path, const robot_options *options) {
    (void)options; /* a .body says what its root is */
    const body_file body = body_for_model(r, body_read(r, (stiction_place){path, 0, 0}, path));
    if (body.loops)
        stiction_reader_warn(r, body.loops->at,
                             "extra_joints are not read; the loops that they close could only "
                             "add to the joints' inertias");
    return body_robot(r, &body);
}
