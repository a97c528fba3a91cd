/* SPDX-License-Identifier: MIT
 * URDF as links, in the order of its joints, which is Choreonoid's for their ids. What a file means
 * follows the specification, and Choreonoid's reader (src/URDFBodyLoader) where that leaves it
 * open.
 */
#include <math.h>
#include <string.h>

#include "formats.h"
#include "meshes/mesh.h"
#include "rotation.h"
#include "xml.h"

enum { most_links = 2000 };

typedef struct urdf_link {
    const char *name;
    const xml_element *element;
    const xml_element *joint; /* to its parent; NULL: a root */
    struct urdf_link *parent;
    bool bears_mass; /* has mass, or a link further out has */
} urdf_link;

/* Of links without masses, kg/m^3: MuJoCo's. */
static const double usual_density = 1000;

typedef struct urdf {
    reader *r;
    const xml_element *robot;
    urdf_link *links;
    size_t link_count;
    const xml_element **joints;
    size_t joint_count;
    bool has_dynamics; /* a joint moves something that has mass */
    bool weighs;       /* no link has mass that a joint moves: shapes give it */
    bool simulated;    /* with shapes, and warnings about what is not used */
    body_file *body;
} urdf;

static bool is_one_of(const char *name, const char *const *list) {
    while (*list && strcmp(name, *list) != 0) list++;
    return *list != NULL;
}

static urdf_link *find_link(const urdf *u, const char *name) {
    for (size_t k = 0; k < u->link_count; k++)
        if (strcmp(u->links[k].name, name) == 0) return &u->links[k];
    return NULL;
}

/* ---- the tree ---- */

static void list_link(urdf *u, const xml_element *e, const char *name) {
    robot_check_name(u->r, e->at, "a link", name);
    if (find_link(u, name))
        stiction_reader_refuse(u->r, e->at, "the link '%s' is defined twice", name);
    if (u->link_count == most_links)
        stiction_reader_refuse(u->r, e->at, "has more than %d links", most_links);
    u->links = stiction_reader_grow(u->r, u->links, u->link_count, sizeof *u->links);
    u->links[u->link_count++] = (urdf_link){.name = name, .element = e};
}

/* A part of a robot may hang from a link of another file, or from the world. */
static void list_links(urdf *u) {
    for (const xml_element *e = xml_child(u->robot, "link"); e; e = xml_next(e, "link"))
        list_link(u, e, xml_required(u->r, e, "name"));
    if (!u->link_count) stiction_reader_refuse(u->r, u->robot->at, "has no links");
    for (const xml_element *e = xml_child(u->robot, "joint"); e; e = xml_next(e, "joint")) {
        const xml_element *parent = xml_child(e, "parent");
        const char *name = parent ? xml_attribute(parent, "link") : NULL;
        if (!name || find_link(u, name)) continue;
        list_link(u, parent, name);
        if (u->simulated)
            stiction_reader_warn(u->r, parent->at,
                                 "there is no link '%s': it is taken as one without mass", name);
    }
}

static const char *type_of(const xml_element *joint) {
    return xml_attribute(joint, "type");
}

static void list_joint(urdf *u, const xml_element *e) {
    static const char *const types[] = {"revolute", "continuous", "prismatic", "fixed",
                                        "floating", "planar",     NULL};
    reader *r = u->r;
    const char *name = xml_required(r, e, "name"), *type = xml_required(r, e, "type");
    robot_check_name(r, e->at, "a joint", name);
    if (!is_one_of(type, types))
        stiction_reader_refuse(r, e->at, "joint '%s': the type '%s' is not one of URDF", name,
                               type);
    if (strcmp(type, "planar") == 0)
        stiction_reader_refuse(r, e->at,
                               "joint '%s': planar joints are not read; two prismatic joints and a "
                               "revolute one are the same",
                               name);
    for (size_t k = 0; k < u->joint_count; k++)
        if (strcmp(xml_attribute(u->joints[k], "name"), name) == 0)
            stiction_reader_refuse(r, e->at, "the joint '%s' is defined twice", name);
    const xml_element *parent = xml_child(e, "parent"), *child = xml_child(e, "child");
    if (!parent || !child)
        stiction_reader_refuse(r, e->at, "joint '%s' lacks its parent or child", name);
    const char *child_name = xml_required(r, child, "link");
    const char *parent_name = xml_required(r, parent, "link");
    urdf_link *link = find_link(u, child_name);
    urdf_link *above = find_link(u, parent_name);
    if (!link) stiction_reader_refuse(r, child->at, "there is no link '%s'", child_name);
    if (link->joint)
        stiction_reader_refuse(r, child->at, "the link '%s' has two parents", child_name);
    link->joint = e;
    link->parent = above;
    u->joints = stiction_reader_grow(r, u->joints, u->joint_count, sizeof *u->joints);
    u->joints[u->joint_count++] = e;
}

/* The link from which all others hang. */
static const urdf_link *find_root(const urdf *u) {
    const urdf_link *root = NULL;
    for (size_t k = 0; k < u->link_count; k++) {
        if (u->links[k].joint) continue;
        if (root)
            stiction_reader_refuse(u->r, u->links[k].element->at,
                                   "the links '%s' and '%s' both lack a parent", root->name,
                                   u->links[k].name);
        root = &u->links[k];
    }
    if (!root)
        stiction_reader_refuse(u->r, u->robot->at,
                               "every link has a parent: the joints go in circles");
    for (size_t k = 0; k < u->link_count; k++) {
        const urdf_link *link = &u->links[k];
        for (size_t steps = 0; link->joint; steps++) {
            if (steps > u->link_count)
                stiction_reader_refuse(u->r, u->links[k].element->at,
                                       "link '%s' is its own ancestor", u->links[k].name);
            link = link->parent;
        }
    }
    return root;
}

/* ---- shapes: half lengths, the axis along z, as MuJoCo has them ---- */

/* roll, pitch, yaw: first about x, then about y, then about z, all of the fixed frame. */
static void read_origin(reader *r, const xml_element *element, double translation[3],
                        double rotation[4]) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const xml_element *origin = xml_child(element, "origin");
    double angles[3] = {0, 0, 0};
    mju_zero3(translation);
    mju_unit4(rotation);
    if (!origin) return;
    (void)xml_numbers(r, origin, "xyz", 3, translation);
    if (!xml_numbers(r, origin, "rpy", 3, angles)) return;
    for (int k = 0; k < 3; k++) {
        double turn[4], product[4];
        mju_axisAngle2Quat(turn, axes[k], angles[k]);
        mju_mulQuat(product, turn, rotation);
        mju_copy4(rotation, product);
    }
}

typedef struct shape_reader {
    reader *r;
    body_file *body;
    const xml_element *element; /* <box>, <mesh>, ... */
    const mesh *parts;          /* of a mesh whose parts lie apart: the next ones; NULL: no more */
} shape_reader;

static void note_unread(const shape_reader *s) {
    if (s->body->unread_shapes++ == 0) s->body->unread_shape_at = s->element->at;
}

/* Points, lines and planes are files' way to say where a robot touches; MuJoCo has none. */
static double check_length(const shape_reader *s, const char *key, double length) {
    const double thin = 1e-3; /* m */
    if (length < 0)
        stiction_reader_refuse(s->r, s->element->at, "%s %g must not be negative", key, length);
    if (length > 0) return length;
    stiction_reader_warn(s->r, s->element->at, "%s 0 is taken as %g m", key, thin);
    return thin;
}

static double length_of(const shape_reader *s, const char *key) {
    return check_length(
        s, key,
        stiction_reader_number(s->r, s->element->at, key, xml_required(s->r, s->element, key)));
}

static bool read_box(shape_reader *s, body_shape *shape) {
    double size[3];
    (void)xml_required(s->r, s->element, "size");
    (void)xml_numbers(s->r, s->element, "size", 3, size);
    for (int k = 0; k < 3; k++) shape->size[k] = 0.5 * check_length(s, "size", size[k]);
    shape->kind = BODY_BOX;
    return true;
}

static bool read_sphere(shape_reader *s, body_shape *shape) {
    shape->kind = BODY_SPHERE;
    shape->size[0] = shape->size[1] = shape->size[2] = length_of(s, "radius");
    return true;
}

static bool read_cylinder(shape_reader *s, body_shape *shape) {
    shape->kind = BODY_CYLINDER;
    shape->size[0] = length_of(s, "radius");
    shape->size[1] = 0.5 * length_of(s, "length");
    return true;
}

/* Its length is that between the centres of its ends. */
static bool read_capsule(shape_reader *s, body_shape *shape) {
    (void)read_cylinder(s, shape);
    shape->kind = BODY_CAPSULE;
    return true;
}

/* A missing package is reported once, with the number of its meshes. */
static const char *locate(const shape_reader *s, const char *name) {
    const stiction_log log = s->r->log;
    if (s->body->unread_shapes) s->r->log = NULL;
    const char *path = mesh_locate(s->r, s->element->at, s->body->path, name);
    s->r->log = log;
    if (!path) note_unread(s);
    return path;
}

static void take_part(shape_reader *s, body_shape *shape) {
    shape->vertices = s->parts->vertices;
    shape->vertex_count = s->parts->count;
    shape->faces = s->parts->faces;
    shape->face_count = s->parts->face_count;
    s->parts = s->parts->next;
}

static bool read_mesh(shape_reader *s, body_shape *shape) {
    const char *path = locate(s, xml_required(s->r, s->element, "filename"));
    double scale[3] = {1, 1, 1};
    (void)xml_numbers(s->r, s->element, "scale", 3, scale);
    s->parts = path ? mesh_read(s->r, s->element->at, path, scale) : NULL;
    if (!s->parts) return false;
    shape->kind = BODY_MESH;
    take_part(s, shape);
    return true;
}

static const struct {
    const char *name;
    bool (*read)(shape_reader *s, body_shape *shape); /* false: it cannot be used */
} kinds[] = {
    {"box", read_box},         {"sphere", read_sphere}, {"cylinder", read_cylinder},
    {"capsule", read_capsule}, {"mesh", read_mesh},
};

static bool read_geometry(shape_reader *s, const xml_element *geometry, body_shape *shape) {
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        s->element = xml_child(geometry, kinds[k].name);
        if (s->element) return kinds[k].read(s, shape);
    }
    s->element = geometry->first_child ? geometry->first_child : geometry;
    note_unread(s);
    return false;
}

/* A material without a colour is one of the robot's. */
static void read_colour(reader *r, const xml_element *visual, double colour[3]) {
    const xml_element *material = xml_child(visual, "material");
    const xml_element *own = material ? xml_child(material, "color") : NULL;
    const char *name = material ? xml_attribute(material, "name") : NULL;
    const xml_element *whole = visual->parent->parent;
    double rgba[4];
    for (const xml_element *e = xml_child(whole, "material"); name && !own && e;
         e = xml_next(e, "material"))
        if (xml_attribute(e, "name") && strcmp(xml_attribute(e, "name"), name) == 0)
            own = xml_child(e, "color");
    if (own && xml_numbers(r, own, "rgba", 4, rgba)) mju_copy3(colour, rgba);
}

/* `kind`: collision, visual. To be drawn, all of them or none. */
static void read_shapes(reader *r, body_file *body, const xml_element *element, const char *kind,
                        body_link *link) {
    body_shape *shapes = NULL;
    bool incomplete = false;
    link->shape_count = 0;
    for (const xml_element *e = xml_child(element, kind); e; e = xml_next(e, kind)) {
        const xml_element *geometry = xml_child(e, "geometry");
        if (!geometry) stiction_reader_refuse(r, e->at, "<%s> lacks its <geometry>", kind);
        shape_reader s = {.r = r, .body = body};
        body_shape shape = {.color = {0.7, 0.7, 0.7}};
        read_origin(r, e, shape.translation, shape.rotation);
        bool more = read_geometry(&s, geometry, &shape);
        incomplete = incomplete || !more;
        if (r->most_faces) read_colour(r, e, shape.color);
        while (more) {
            shapes = stiction_reader_grow(r, shapes, link->shape_count, sizeof *shapes);
            shapes[link->shape_count++] = shape;
            more = s.parts != NULL;
            if (more) take_part(&s, &shape);
        }
    }
    link->shapes = shapes;
    if (r->most_faces && incomplete) link->shape_count = 0;
}

/* ---- links ---- */

static double attribute_number(reader *r, const xml_element *element, const char *name) {
    return stiction_reader_number(r, element->at, name, xml_required(r, element, name));
}

static void read_inertial(const urdf *u, const xml_element *element, body_link *link) {
    static const char *const keys[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int places[] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    reader *r = u->r;
    const xml_element *inertial = xml_child(element, "inertial");
    body_mass own = {0};
    if (inertial) {
        const xml_element *mass = xml_child(inertial, "mass");
        const xml_element *inertia = xml_child(inertial, "inertia");
        if (!mass) stiction_reader_refuse(r, inertial->at, "<inertial> lacks its <mass>");
        own.mass = attribute_number(r, mass, "value");
        if (own.mass < 0)
            stiction_reader_refuse(r, mass->at, "mass %g must not be negative", own.mass);
        if (!inertia && link->joint != BODY_FIXED)
            stiction_reader_refuse(r, inertial->at, "<inertial> lacks its <inertia>");
        double moments[6] = {0}, turn[4], tensor[9];
        for (int k = 0; inertia && k < 6; k++) moments[k] = attribute_number(r, inertia, keys[k]);
        for (int k = 0; k < 9; k++) tensor[k] = moments[places[k]];
        frame3 frame = frame3_identity;
        read_origin(r, inertial, own.center, turn);
        mju_quat2Mat(frame.linear, turn);
        frame3_tensor(&frame, tensor, own.inertia);
    }
    body_set_mass(link, &own, 1);
    body_check_inertia(r, element->at, link);
}

static void add_link(urdf *u, body_link link, const urdf_link *source) {
    body_file *body = u->body;
    link.name = source->name;
    if (!link.joint_name) link.joint_name = source->name;
    read_inertial(u, source->element, &link);
    if (u->simulated)
        read_shapes(u->r, body, source->element, u->r->most_faces ? "visual" : "collision", &link);
    body->links = stiction_reader_grow(u->r, body->links, body->count, sizeof *body->links);
    body->links[body->count++] = link;
}

/* ---- joints ---- */

static robot_number stated(reader *r, const xml_element *element, const char *name) {
    const char *text = element ? xml_attribute(element, name) : NULL;
    return text ? number_at(element->at, stiction_reader_number(r, element->at, name, text))
                : robot_not_stated;
}

/* A continuous joint has no range, and a revolute one without numbers none either. */
static void read_limits(const urdf *u, const xml_element *joint, body_link *link) {
    const double infinite = (double)INFINITY;
    const xml_element *limit = xml_child(joint, "limit");
    const robot_number lower = stated(u->r, limit, "lower"), upper = stated(u->r, limit, "upper"),
                       velocity = stated(u->r, limit, "velocity");
    link->effort = stated(u->r, limit, "effort");
    link->lower = -infinite;
    link->upper = infinite;
    if (velocity.value > 0) link->velocity_limit = velocity.value;
    if (u->simulated && (velocity.value == 0 || link->effort.value == 0))
        stiction_reader_warn(u->r, limit->at, "joint '%s': a limit of 0 is taken as none",
                             link->joint_name);
    if (link->effort.value <= 0) link->effort.value = (double)NAN;
    if (strcmp(type_of(joint), "continuous") == 0) return;
    if (isnan(lower.value) && isnan(upper.value)) {
        if (u->simulated)
            stiction_reader_warn(u->r, joint->at,
                                 "joint '%s' has no lower and upper limit: it moves without end",
                                 link->joint_name);
        return;
    }
    link->lower = isnan(lower.value) ? 0 : lower.value;
    link->upper = isnan(upper.value) ? 0 : upper.value;
    if (link->lower > link->upper) {
        const double upper_end = link->lower;
        if (u->simulated)
            stiction_reader_warn(u->r, limit->at,
                                 "joint '%s': lower %g is above upper %g: they are exchanged",
                                 link->joint_name, link->lower, link->upper);
        link->lower = link->upper;
        link->upper = upper_end;
    }
}

static void read_axis(const urdf *u, const xml_element *joint, body_link *link) {
    static const double x[3] = {1, 0, 0};
    const xml_element *axis = xml_child(joint, "axis");
    mju_copy3(link->axis, x);
    if (axis && xml_numbers(u->r, axis, "xyz", 3, link->axis) && mju_normalize3(link->axis) < 1e-6)
        stiction_reader_refuse(u->r, axis->at, "joint '%s': the axis must not be zero",
                               link->joint_name);
}

/* The shapes that give a link its mass; NULL: it has none. */
static const char *shape_of_mass(const xml_element *link) {
    return xml_child(link, "collision") ? "collision" : xml_child(link, "visual") ? "visual" : NULL;
}

/* What is wrong with it is reported when the link is read. */
static bool has_mass(const urdf *u, const urdf_link *link) {
    if (u->weighs && shape_of_mass(link->element)) return true;
    const xml_element *inertial = xml_child(link->element, "inertial");
    const xml_element *mass = inertial ? xml_child(inertial, "mass") : NULL;
    return mass && attribute_number(u->r, mass, "value") > 0;
}

static bool moves_mass_by(const urdf *u, const xml_element *joint) {
    const char *child = xml_attribute(xml_child(joint, "child"), "link");
    return strcmp(type_of(joint), "fixed") != 0 && find_link(u, child)->bears_mass;
}

/* Marks the links that have mass or bear some. Parents are known, and no link is its own ancestor.
 */
static void mark_mass(urdf *u) {
    u->has_dynamics = false;
    for (size_t k = 0; k < u->link_count; k++) {
        if (!has_mass(u, &u->links[k])) continue;
        for (urdf_link *link = &u->links[k]; link && !link->bears_mass; link = link->parent)
            link->bears_mass = true;
    }
    for (size_t k = 0; k < u->joint_count; k++)
        u->has_dynamics = u->has_dynamics || moves_mass_by(u, u->joints[k]);
}

/* Whether a joint moves. One that moves nothing with mass, such as a hand without masses, has no
 * dynamics; one that would follow a joint that does not move, or that the file does not have, stays
 * where it is. Both are fixed, with a warning. A robot of nothing else is refused later. */
static bool is_moving(const urdf *u, const xml_element *e) {
    if (!moves_mass_by(u, e) && u->has_dynamics) {
        stiction_reader_warn(u->r, e->at, "joint '%s' moves nothing that has mass: it is fixed",
                             xml_attribute(e, "name"));
        return false;
    }
    const xml_element *mimic = xml_child(e, "mimic");
    const char *leader = mimic ? xml_attribute(mimic, "joint") : NULL;
    if (!leader) return true;
    size_t k = 0;
    while (k < u->joint_count && strcmp(xml_attribute(u->joints[k], "name"), leader) != 0) k++;
    if (k < u->joint_count && strcmp(type_of(u->joints[k]), "fixed") != 0) return true;
    stiction_reader_warn(u->r, e->at, "joint '%s' follows '%s', which %s: it is fixed",
                         xml_attribute(e, "name"), leader,
                         k < u->joint_count ? "is fixed" : "the file does not have");
    return false;
}

static body_link read_joint(const urdf *u, const xml_element *e, int *next_id) {
    body_link link = body_new_link(e->at);
    link.joint_name = xml_attribute(e, "name");
    read_origin(u->r, e, link.translation, link.rotation);
    if (strcmp(type_of(e), "fixed") == 0) return link;
    const body_link fixed = link;
    link.joint = strcmp(type_of(e), "prismatic") == 0 ? BODY_PRISMATIC : BODY_REVOLUTE;
    read_axis(u, e, &link);
    read_limits(u, e, &link);
    const xml_element *dynamics = xml_child(e, "dynamics");
    link.friction = stated(u->r, dynamics, "friction");
    link.damping = stated(u->r, dynamics, "damping");
    if (!is_moving(u, e)) return fixed;
    link.joint_id = (*next_id)++;
    return link;
}

/* ---- joints that follow others ---- */

static int link_of_joint(const body_file *body, const char *name) {
    for (size_t k = 0; k < body->count; k++)
        if (k != body->root && strcmp(body->links[k].joint_name, name) == 0) return (int)k;
    return -1;
}

static void read_mimic(const urdf *u, const xml_element *joint, body_equality **list) {
    reader *r = u->r;
    const xml_element *mimic = xml_child(joint, "mimic");
    const char *name = xml_attribute(joint, "name");
    if (!mimic) return;
    if (!u->simulated) {
        stiction_reader_warn(r, joint->at,
                             "joint '%s': <mimic> is not read; the coupling could only add to the "
                             "joints' inertias",
                             name);
        return;
    }
    const char *other = xml_required(r, mimic, "joint");
    const int own = link_of_joint(u->body, name), leader = link_of_joint(u->body, other);
    if (own >= 0 && u->body->links[own].joint == BODY_FIXED) return; /* warned of already */
    if (own < 0 || u->body->links[own].joint_id < 0 || leader < 0 ||
        u->body->links[leader].joint_id < 0)
        stiction_reader_refuse(r, mimic->at, "joint '%s' cannot follow '%s': no such joint moves",
                               name, other);
    const robot_number factor = stated(r, mimic, "multiplier"), offset = stated(r, mimic, "offset");
    *list = stiction_reader_grow(r, *list, u->body->equality_count, sizeof **list);
    (*list)[u->body->equality_count++] =
        (body_equality){.kind = BODY_COUPLE,
                        .link = {own, leader},
                        .polynomial = {isnan(offset.value) ? 0 : offset.value,
                                       isnan(factor.value) ? 1 : factor.value}};
}

static void warn_of_dynamics(const urdf *u) {
    for (size_t k = 0; k < u->body->count; k++) {
        const body_link *link = &u->body->links[k];
        const robot_number *number = link->friction.value > 0  ? &link->friction
                                     : link->damping.value > 0 ? &link->damping
                                                               : NULL;
        if (!number) continue;
        stiction_reader_warn(u->r, (stiction_place){number->path, number->line, 0},
                             ROBOT_OWN_FRICTION("<dynamics>"));
        return;
    }
}

/* ---- links without mass or extent ---- */

/* The link that moves it, itself or one above; the root if none does. */
static size_t mover_of(const body_file *body, size_t link) {
    while (body->links[link].joint == BODY_FIXED && body->links[link].parent >= 0)
        link = (size_t)body->links[link].parent;
    return link;
}

/* Not those of the base, which stands. */
static void weigh_links(const urdf *u) {
    const body_file *body = u->body;
    const stiction_log log = u->r->log;
    u->r->log = NULL; /* what is wrong with shapes that touch was logged */
    for (size_t k = 0; k < body->count; k++) {
        body_link *link = &body->links[k], solid = *link;
        const xml_element *source = find_link(u, link->name)->element;
        const char *kind = shape_of_mass(source);
        if (body->links[mover_of(body, k)].joint == BODY_FIXED || link->mass > 0 || !kind) continue;
        read_shapes(u->r, &(body_file){.path = body->path}, source, kind, &solid);
        body_weigh(u->r, &solid, usual_density);
        solid.shapes = link->shapes;
        solid.shape_count = link->shape_count;
        *link = solid;
    }
    u->r->log = log;
}

/* Whether a link and all that is fixed to it is a point mass, or nothing. */
static bool is_point(const body_file *body, size_t mover, body_link **point) {
    *point = NULL;
    for (size_t k = 0; k < body->count; k++) {
        body_link *link = &body->links[k];
        const double *I = link->principal;
        if (!(link->mass > 0) || mover_of(body, k) != mover) continue;
        if (*point || I[0] + I[1] + I[2] > 1e-9 * link->mass) return false;
        *point = link;
    }
    return true;
}

/* Whether a link can turn about three axes without anything that has extent in between. */
static bool turns_freely(const body_file *body, const double *zeros, size_t mover) {
    double axes[3][3];
    int count = 0;
    body_link *point;
    while (count < 3 && body->links[mover].joint == BODY_REVOLUTE &&
           is_point(body, mover, &point)) {
        const frame3 frame = body_link_frame(body, zeros, mover);
        mju_mulMatVec(axes[count], frame.linear, body->links[mover].axis, 3, 3);
        for (int k = 0; k < count; k++)
            mju_addToScl3(axes[count], axes[k], -mju_dot3(axes[count], axes[k]));
        count += mju_normalize3(axes[count]) > 0.1;
        if (body->links[mover].parent < 0) break;
        mover = mover_of(body, (size_t)body->links[mover].parent);
    }
    return count == 3;
}

/* There, as at the neck of an iCub, a point mass could turn about itself without inertia. */
static void extend_point_masses(const urdf *u) {
    const body_file *body = u->body;
    const double *zeros = stiction_reader_alloc(u->r, body->count * sizeof *zeros);
    for (size_t k = 0; k < body->count; k++) {
        body_link *link;
        if (!is_point(body, k, &link) || !link || !turns_freely(body, zeros, k)) continue;
        body_mass ball = {.mass = link->mass};
        const double radius = cbrt(link->mass / (usual_density * 4 / 3 * mjPI));
        mju_copy3(ball.center, link->center);
        for (int i = 0; i < 9; i += 4) ball.inertia[i] = 0.4 * link->mass * radius * radius;
        body_set_mass(link, &ball, 1);
        if (u->simulated)
            stiction_reader_warn(u->r, link->at,
                                 "link '%s' is a point mass that turns about three axes: it gets "
                                 "the inertia of a ball of water, %.2g kg m^2",
                                 link->name, ball.inertia[0]);
    }
}

/* ---- the whole ---- */

static void check_robot(const urdf *u) {
    if (strcmp(u->robot->name, "robot") != 0)
        stiction_reader_refuse(u->r, u->robot->at,
                               "is not a URDF: it begins with %s, not with <robot>",
                               xml_kind(u->robot));
    for (const xml_element *e = u->robot->first_child; e; e = e->next) {
        static const char *const definitions[] = {
            "xacro:include", "xacro:macro", "xacro:property", "xacro:arg", "xacro:if",
            "xacro:unless",  NULL};
        if (is_one_of(e->name, definitions))
            stiction_reader_refuse(u->r, e->at, "is a xacro file: expand it to a URDF first");
        if (strncmp(e->name, "xacro:", 6) == 0) /* of a sensor, in a file that was expanded */
            stiction_reader_warn(u->r, e->at, "<%s> was not expanded: it is not read", e->name);
        if (strcmp(e->name, "mujoco") == 0)
            stiction_reader_warn(u->r, e->at, "<mujoco> is not read");
    }
}

/* A root that only carries a floating joint is the world: the floating link is the root. */
static const urdf_link *find_floating(const urdf *u, const urdf_link *root) {
    const urdf_link *floating = NULL;
    for (size_t k = 0; k < u->link_count; k++) {
        const urdf_link *link = &u->links[k];
        if (!link->joint || strcmp(type_of(link->joint), "floating") != 0) continue;
        bool alone = link->parent == root && !has_mass(u, root);
        for (size_t i = 0; i < u->link_count; i++)
            alone = alone && (i == k || u->links[i].parent != root);
        if (!alone)
            stiction_reader_refuse(
                u->r, link->joint->at,
                "joint '%s': a floating joint is only read as the one joint of a "
                "root without mass",
                xml_attribute(link->joint, "name"));
        floating = link;
    }
    return floating;
}

/* Of a link and of all that is fixed to it. ROS puts a root without mass in front of the base. */
static bool moves_mass(const urdf *u, const urdf_link *link) {
    if (has_mass(u, link)) return true;
    for (size_t k = 0; k < u->link_count; k++)
        if (u->links[k].parent == link && strcmp(type_of(u->links[k].joint), "fixed") == 0 &&
            moves_mass(u, &u->links[k]))
            return true;
    return false;
}

static void connect(const body_file *body, const urdf *u) {
    for (size_t k = 1; k < body->count; k++) {
        const char *parent = find_link(u, body->links[k].name)->parent->name;
        for (size_t i = 0; i < body->count; i++)
            if (strcmp(body->links[i].name, parent) == 0) body->links[k].parent = (int)i;
    }
}

static void add_root(urdf *u) {
    const urdf_link *root = find_root(u), *floating = find_floating(u, root);
    body_link link = body_new_link(root->element->at);
    if (floating) {
        root = floating;
        read_origin(u->r, root->joint, link.translation, link.rotation);
        link.joint = BODY_FREE;
    } else if (strcmp(root->name, "world") != 0 && moves_mass(u, root)) {
        link.joint = BODY_FREE;
    }
    add_link(u, link, root);
}

/* Not simulated: without shapes, for inertias alone. */
static body_file *urdf_read(reader *r, stiction_place at, const char *path, bool simulated) {
    size_t size;
    const char *text = stiction_reader_file(r, at, path, &size);
    urdf u = {.r = r, .robot = xml_parse(r, path, text, size), .simulated = simulated};
    check_robot(&u);
    list_links(&u);
    for (const xml_element *e = xml_child(u.robot, "joint"); e; e = xml_next(e, "joint"))
        list_joint(&u, e);
    u.body = stiction_reader_alloc(r, sizeof *u.body);
    u.body->path = path;
    u.body->apart = 1;
    const char *name = xml_attribute(u.robot, "name");
    if (name) robot_check_name(r, u.robot->at, "the robot", name);
    u.body->name = name && *name ? name : NULL;
    add_root(&u);
    mark_mass(&u);
    if (!u.has_dynamics) {
        u.weighs = true;
        mark_mass(&u);
        if (simulated && u.has_dynamics)
            stiction_reader_warn(r, u.robot->at,
                                 "no joint moves anything that has mass: links get that of their "
                                 "shapes at %g kg/m^3, as in MuJoCo",
                                 usual_density);
    }
    int next_id = 0;
    for (size_t k = 0; k < u.joint_count; k++) {
        if (strcmp(type_of(u.joints[k]), "floating") == 0) continue;
        const body_link link = read_joint(&u, u.joints[k], &next_id);
        add_link(&u, link, find_link(&u, xml_attribute(xml_child(u.joints[k], "child"), "link")));
    }
    connect(u.body, &u);
    if (u.weighs && !r->most_faces) weigh_links(&u);
    extend_point_masses(&u);
    body_equality *equalities = NULL;
    for (size_t k = 0; k < u.joint_count; k++) read_mimic(&u, u.joints[k], &equalities);
    u.body->equalities = equalities;
    if (simulated) warn_of_dynamics(&u);
    return u.body;
}

robot_source read_urdf_robot(reader *r, const char *path, const robot_options *options) {
    const body_file *read = urdf_read(r, (stiction_place){path, 0, 0}, path, false);
    const body_file body = body_for_model(r, read);
    robot_set_base(r, &body, options->base);
    return body_robot(r, &body);
}

robot_bodies read_urdf_bodies(reader *r, stiction_place at, const char *path) {
    return robot_one_body(r, urdf_read(r, at, path, true));
}
