/*
 * URDF: read by MuJoCo, from a text in which the geometry is blanked out (its meshes are neither
 * needed nor there) and what MuJoCo would stumble over is put right. No line moves.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "xml.h"

/* MuJoCo's compiler refuses links that move without mass; these stand in until it is done. */
#define STAND_IN_MASS    "<mass value=\"1\"/>"
#define STAND_IN_INERTIA "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>"

enum { most_links = 2000 };

/* Text to be put in at an offset. */
typedef struct insertion {
    size_t offset;
    const char *text;
} insertion;

typedef struct urdf_link {
    const char *name;
    const xml_element *element;
    const xml_element *joint; /* to its parent; NULL: a root */
    bool no_mass, no_inertia; /* to be taken off again */
} urdf_link;

typedef struct urdf {
    reader *r;
    const char *path;
    char *text; /* is blanked in place */
    size_t size;
    const xml_element *robot;
    urdf_link *links;
    size_t link_count;
    insertion *insertions;
    size_t insertion_count;
} urdf;

static void insert(urdf *u, size_t offset, const char *text) {
    u->insertions =
        stiction_reader_grow(u->r, u->insertions, u->insertion_count, sizeof *u->insertions);
    u->insertions[u->insertion_count++] = (insertion){offset, text};
}

static void blank(urdf *u, const xml_element *element) {
    for (size_t k = element->start; k < element->end; k++)
        if (u->text[k] != '\n' && u->text[k] != '\r') u->text[k] = ' ';
}

static void replace(urdf *u, const xml_element *element, const char *text) {
    blank(u, element);
    insert(u, element->start, text);
}

static bool is_one_of(const char *name, const char *const *list) {
    while (*list && strcmp(name, *list) != 0) list++;
    return *list != NULL;
}

static void blank_children(urdf *u, const xml_element *parent, const char *const *names) {
    for (const xml_element *e = parent->first_child; e; e = e->next)
        if (is_one_of(e->name, names)) blank(u, e);
}

static urdf_link *find_link(const urdf *u, const char *name) {
    for (size_t k = 0; k < u->link_count; k++)
        if (strcmp(u->links[k].name, name) == 0) return &u->links[k];
    return NULL;
}

/* Links */

static void read_links(urdf *u) {
    static const char *const geometry[] = {"visual", "collision", NULL};
    for (const xml_element *e = xml_child(u->robot, "link"); e; e = xml_next(e, "link")) {
        const char *name = xml_required(u->r, e, "name");
        if (find_link(u, name))
            stiction_reader_refuse(u->r, e->at, "the link '%s' is defined twice", name);
        if (u->link_count == most_links)
            stiction_reader_refuse(u->r, e->at, "has more than %d links", most_links);
        u->links = stiction_reader_grow(u->r, u->links, u->link_count, sizeof *u->links);
        u->links[u->link_count++] = (urdf_link){.name = name, .element = e};
        blank_children(u, e, geometry);
    }
    if (!u->link_count) stiction_reader_refuse(u->r, u->robot->at, "has no links");
}

static double attribute_number(reader *r, const xml_element *element, const char *name) {
    return stiction_reader_number(r, element->at, name, xml_required(r, element, name));
}

static double mass_of(reader *r, const urdf_link *link) {
    const xml_element *inertial = xml_child(link->element, "inertial");
    const xml_element *mass = inertial ? xml_child(inertial, "mass") : NULL;
    if (inertial && !mass) stiction_reader_refuse(r, inertial->at, "<inertial> lacks its <mass>");
    return mass ? attribute_number(r, mass, "value") : 0;
}

/* Whether all moments are zero: a point mass. The others are MuJoCo's to judge. */
static bool inertia_is_zero(reader *r, const xml_element *inertia) {
    static const char *const keys[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    bool zero = true;
    for (int k = 0; k < 6; k++) zero = attribute_number(r, inertia, keys[k]) == 0 && zero;
    return zero;
}

/* Puts stand-ins where a link that moves has no mass or no inertia. */
static void support(urdf *u, urdf_link *link) {
    const xml_element *inertial = xml_child(link->element, "inertial");
    if (!inertial) {
        link->no_mass = link->no_inertia = true;
        replace(u, link->element,
                stiction_reader_format(u->r,
                                       "<link name=\"%s\"><inertial>" STAND_IN_MASS STAND_IN_INERTIA
                                       "</inertial></link>",
                                       xml_escape(u->r, link->name)));
        return;
    }
    const xml_element *inertia = xml_child(inertial, "inertia");
    if (!inertia) stiction_reader_refuse(u->r, inertial->at, "<inertial> lacks its <inertia>");
    link->no_mass = mass_of(u->r, link) == 0;
    link->no_inertia = inertia_is_zero(u->r, inertia);
    if (link->no_mass) replace(u, xml_child(inertial, "mass"), STAND_IN_MASS);
    if (link->no_inertia) replace(u, inertia, STAND_IN_INERTIA);
}

/* Joints */

static robot_number stated(reader *r, const xml_element *element, const char *name) {
    const char *text = element ? xml_attribute(element, name) : NULL;
    return text ? number_at(element->at, stiction_reader_number(r, element->at, name, text))
                : facts_of(NULL).effort;
}

static void read_joint(urdf *u, const xml_element *e, robot_source *source) {
    static const char *const types[] = {"revolute", "continuous", "prismatic", "fixed",
                                        "floating", "planar",     NULL};
    reader *r = u->r;
    const char *name = xml_required(r, e, "name"), *type = xml_required(r, e, "type");
    if (!is_one_of(type, types))
        stiction_reader_refuse(r, e->at, "joint '%s': the type '%s' is not one of URDF", name,
                               type);
    if (source->fact_count == most_links)
        stiction_reader_refuse(r, e->at, "has more than %d joints", most_links);
    for (size_t k = 0; k < source->fact_count; k++)
        if (strcmp(source->facts[k].name, name) == 0)
            stiction_reader_refuse(r, e->at, "the joint '%s' is defined twice", name);
    const xml_element *parent = xml_child(e, "parent"), *child = xml_child(e, "child");
    if (!parent || !child)
        stiction_reader_refuse(r, e->at, "joint '%s' lacks its parent or child", name);
    const char *child_name = xml_required(r, child, "link");
    const char *parent_name = xml_required(r, parent, "link");
    urdf_link *link = find_link(u, child_name);
    if (!link) stiction_reader_refuse(r, child->at, "there is no link '%s'", child_name);
    if (!find_link(u, parent_name))
        stiction_reader_refuse(r, parent->at, "there is no link '%s'", parent_name);
    if (link->joint)
        stiction_reader_refuse(r, child->at, "the link '%s' has two parents", child_name);
    link->joint = e;
    if (xml_child(e, "mimic"))
        stiction_reader_warn(r, e->at,
                             "joint '%s': <mimic> is not read; the coupling could only add to the "
                             "joints' inertias",
                             name);
    const xml_element *limit = xml_child(e, "limit"), *dynamics = xml_child(e, "dynamics");
    joint_facts *facts = add_facts(r, source, name);
    facts->effort = stated(r, limit, "effort");
    facts->friction = stated(r, dynamics, "friction");
    facts->damping = stated(r, dynamics, "damping");
}

/* The link from which all others hang. */
static urdf_link *find_root(urdf *u) {
    urdf_link *root = NULL;
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
            link = find_link(u, xml_attribute(xml_child(link->joint, "parent"), "link"));
        }
    }
    return root;
}

static bool moves(const urdf_link *link) {
    return link->joint && strcmp(xml_attribute(link->joint, "type"), "fixed") != 0;
}

/* Our settings for MuJoCo, and a free root, where Choreonoid has one too. */
static void insert_head(urdf *u, const char *free_root) {
    insert(u, u->robot->content,
           "<mujoco><compiler fusestatic=\"false\" inertiafromgeom=\"false\"/></mujoco>");
    if (free_root)
        insert(
            u, u->robot->content,
            stiction_reader_format(u->r,
                                   "<link name=\"world\"/><joint name=\"(root)\" type=\"floating\">"
                                   "<parent link=\"world\"/><child link=\"%s\"/></joint>",
                                   xml_escape(u->r, free_root)));
}

static int by_offset(const void *a, const void *b) {
    const insertion *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The text with the insertions. */
static char *edited(urdf *u, size_t *size) {
    *size = u->size;
    for (size_t k = 0; k < u->insertion_count; k++) *size += strlen(u->insertions[k].text);
    qsort(u->insertions, u->insertion_count, sizeof *u->insertions, by_offset);
    char *text = stiction_reader_alloc(u->r, *size + 1), *to = text;
    size_t from = 0;
    for (size_t k = 0; k < u->insertion_count; k++) {
        const insertion *i = &u->insertions[k];
        memcpy(to, u->text + from, i->offset - from);
        to += i->offset - from;
        from = i->offset;
        memcpy(to, i->text, strlen(i->text));
        to += strlen(i->text);
    }
    memcpy(to, u->text + from, u->size - from);
    return text;
}

static void restore_masses(const urdf *u, mjModel *model) {
    for (size_t k = 0; k < u->link_count; k++) {
        const int id = mj_name2id(model, mjOBJ_BODY, u->links[k].name);
        if (u->links[k].no_mass) model->body_mass[id] = 0;
        if (u->links[k].no_inertia) mju_zero3(model->body_inertia + 3 * id);
    }
}

static stiction_place locate(const void *context, const char *object) {
    const urdf_link *link = find_link(context, object);
    return link ? link->element->at : (stiction_place){0};
}

static void check_root(urdf *u) {
    reader *r = u->r;
    if (strcmp(u->robot->name, "robot") != 0)
        stiction_reader_refuse(r, u->robot->at,
                               "is not a URDF: it begins with <%s>, not with <robot>",
                               u->robot->name);
    for (const xml_element *e = u->robot->first_child; e; e = e->next) {
        if (strncmp(e->name, "xacro:", 6) == 0)
            stiction_reader_refuse(r, e->at, "is a xacro file: expand it to a URDF first");
        if (strcmp(e->name, "mujoco") == 0) stiction_reader_warn(r, e->at, "<mujoco> is not read");
    }
}

robot_source read_urdf_robot(reader *r, const char *path, const robot_options *options) {
    static const char *const not_needed[] = {"material", "transmission", "gazebo", "mujoco", NULL};
    urdf u = {.r = r, .path = path};
    u.text = stiction_reader_file(r, (stiction_place){path, 0, 0}, path, &u.size);
    u.robot = xml_parse(r, path, u.text, u.size);
    check_root(&u);
    robot_source source = {.name = xml_attribute(u.robot, "name")};
    read_links(&u);
    for (const xml_element *e = xml_child(u.robot, "joint"); e; e = xml_next(e, "joint"))
        read_joint(&u, e, &source);
    blank_children(&u, u.robot, not_needed);
    urdf_link *root = find_root(&u);
    const bool is_free =
        !options->fixed_root && strcmp(root->name, "world") != 0 && mass_of(r, root) > 0;
    insert_head(&u, is_free ? root->name : NULL);
    for (size_t k = 0; k < u.link_count; k++)
        if (moves(&u.links[k]) || (is_free && &u.links[k] == root)) support(&u, &u.links[k]);

    size_t size;
    const char *text = edited(&u, &size);
    source.model = engine_load(r, path, text, size, locate, &u);
    restore_masses(&u, source.model);
    engine_update(r, (stiction_place){path, 0, 0}, source.model);
    return source;
}
