/* SPDX-License-Identifier: MIT
 * A model that MuJoCo has compiled as bodies of links. A body with several joints becomes as many
 * links, of which the last has the mass; a link's frame is at its joint.
 */
#include <math.h>
#include <string.h>

#include "mjcf_reader.h"
#include "rotation.h"

enum { most_bodies = 2000 };

static const char *body_name(const mjcf_import *m, int body) {
    const char *name = mj_id2name(m->model, mjOBJ_BODY, body);
    return name && *name ? name : stiction_reader_format(m->r, "body %d", body);
}

stiction_place mjcf_body_place(const mjcf_import *m, int body) {
    const char *name = mj_id2name(m->model, mjOBJ_BODY, body);
    return mjcf_locate(m->source.file, name ? name : "", 0);
}

/* ---- which bodies go together ---- */

typedef struct tree {
    int top;
    int joints; /* with one axis */
    bool free;
} tree;

static tree measure_tree(const mjcf_import *m, int top) {
    const mjModel *model = m->model;
    tree t = {.top = top};
    for (int k = 0; k < model->njnt; k++) {
        if (model->body_rootid[model->jnt_bodyid[k]] != top) continue;
        if (model->jnt_type[k] == mjJNT_FREE)
            t.free = true;
        else
            t.joints++;
    }
    return t;
}

static int add_file(mjcf_import *m, const char *name) {
    body_file *file = stiction_reader_alloc(m->r, sizeof *file);
    *file = (body_file){.name = name, .path = m->path, .apart = 1};
    m->files = stiction_reader_grow(m->r, m->files, m->file_count, sizeof(body_file *));
    m->files[m->file_count] = file;
    return (int)m->file_count++;
}

static int add_link(mjcf_import *m, int file, body_link link) {
    body_file *f = m->files[file];
    f->links = stiction_reader_grow(m->r, f->links, f->count, sizeof *f->links);
    f->links[f->count] = link;
    return (int)f->count++;
}

/* A root for joints that hang on the world itself. */
static int add_world(mjcf_import *m, int file) {
    body_link link = body_new_link((stiction_place){m->path, 0, 0});
    link.name = link.joint_name = "world";
    body_set_mass(&link, &(body_mass){0}, 1);
    return add_link(m, file, link);
}

static void put_into(mjcf_import *m, int top, int file) {
    for (int k = 1; k < m->model->nbody; k++)
        if (m->model->body_rootid[k] == top) m->file[k] = file;
}

/* The robot gets the model's name, the others that of their first body. */
static int add_tree(mjcf_import *m, int top) {
    return add_file(m, m->file_count ? body_name(m, top) : m->source.robot.name);
}

/* Trees with joints first. Those of them that stand on the world are one robot: one configuration
 * and one controller is for them. */
static void assign_trees(mjcf_import *m) {
    const mjModel *model = m->model;
    int standing_count = 0, standing = -1;
    for (int top = 1; top < model->nbody; top++)
        if (model->body_parentid[top] == 0) {
            const tree t = measure_tree(m, top);
            standing_count += t.joints && !t.free;
        }
    for (int jointed = 1; jointed >= 0; jointed--)
        for (int top = 1; top < model->nbody; top++) {
            if (model->body_parentid[top] != 0) continue;
            const tree t = measure_tree(m, top);
            if ((t.joints > 0) != (jointed > 0) || (!t.joints && !t.free)) continue;
            if (t.free) {
                put_into(m, top, add_tree(m, top));
                continue;
            }
            if (standing < 0) {
                standing = add_tree(m, top);
                if (standing_count > 1 || model->body_jntnum[top]) (void)add_world(m, standing);
            }
            put_into(m, top, standing);
        }
}

/* ---- links ---- */

/* A joint's zero is that of the file, which may draw it at another position (ref). */
static void turn_back(body_link *link, double reference) {
    if (link->joint == BODY_REVOLUTE) {
        double back[4], product[4];
        mju_axisAngle2Quat(back, link->axis, -reference);
        mju_mulQuat(product, link->rotation, back);
        mju_copy4(link->rotation, product);
    } else {
        double way[3];
        mju_rotVecQuat(way, link->axis, link->rotation);
        mju_addToScl3(link->translation, way, -reference);
    }
}

static void read_joint(mjcf_import *m, int joint, body_link *link, int *next_id) {
    const mjModel *model = m->model;
    const char *name = mj_id2name(model, mjOBJ_JOINT, joint);
    link->nameless = !name || !*name;
    link->joint_name = link->nameless ? stiction_reader_format(m->r, "joint %d", joint) : name;
    link->joint_id = link->nameless || !mjcf_has_axis(model, joint) ? -1 : (*next_id)++;
    mjcf_set_joint(model, joint, !(model->opt.disableflags & mjDSBL_LIMIT), link);
    const bool ball = link->joint == BODY_BALL; /* which starts as the file draws it */
    if (!ball) link->displacement = model->qpos0[model->jnt_qposadr[joint]];
    if (!(model->opt.disableflags & MUJOCO_NO_SPRINGS)) {
        link->stiffness = model->jnt_stiffness[joint];
        if (!ball) link->rest = model->qpos_spring[model->jnt_qposadr[joint]];
    }
    const body_link *stated =
        link->nameless ? NULL : robot_find_joint(&m->source.robot, link->joint_name);
    if (stated) {
        link->effort = stated->effort;
        link->friction = stated->friction;
        link->damping = stated->damping;
    }
    if (!ball) turn_back(link, link->displacement);
}

static void read_mass(const mjcf_import *m, int body, body_link *link) {
    const mjModel *model = m->model;
    body_mass own = {.mass = model->body_mass[body]};
    frame3 frame = frame3_identity;
    const double *moments = model->body_inertia + 3 * body;
    const double diagonal[9] = {moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]};
    mju_sub3(own.center, model->body_ipos + 3 * body, m->shift[body]);
    mju_quat2Mat(frame.linear, model->body_iquat + 4 * body);
    frame3_tensor(&frame, diagonal, own.inertia);
    body_set_mass(link, &own, 1);
}

static void add_body(mjcf_import *m, int body, int *next_id) {
    const mjModel *model = m->model;
    const int file = m->file[body], parent = model->body_parentid[body];
    const int first = model->body_jntadr[body], count = model->body_jntnum[body];
    const bool is_free = count && model->jnt_type[first] == mjJNT_FREE;
    const bool below_world = parent == 0;
    int above = below_world ? (m->files[file]->count ? 0 : -1) : m->link[parent];
    double at[3], turn[4];
    mju_copy3(at, model->body_pos + 3 * body);
    mju_copy4(turn, model->body_quat + 4 * body);
    if (!below_world) mju_subFrom3(at, m->shift[parent]);
    body_link link = body_new_link(mjcf_body_place(m, body));
    const int last = count && !is_free ? count : 1;
    for (int k = 0; k < last; k++) {
        const int joint = first + k;
        link = body_new_link(mjcf_body_place(m, body));
        link.parent = above;
        mju_copy3(link.translation, at);
        mju_copy4(link.rotation, turn);
        link.joint_name = link.name = body_name(m, body);
        if (is_free) link.joint = BODY_FREE;
        if (count && !is_free) {
            double anchor[3], way[3];
            mju_sub3(anchor, model->jnt_pos + 3 * joint, m->shift[body]);
            mju_rotVecQuat(way, anchor, turn);
            mju_addTo3(link.translation, way);
            mju_copy3(m->shift[body], model->jnt_pos + 3 * joint);
            read_joint(m, joint, &link, next_id);
            if (k + 1 < last)
                link.name = stiction_reader_format(m->r, "%s:%s", link.name, link.joint_name);
            /* the next joint is given in the frame of this one */
            mju_zero3(at);
            mju_unit4(turn);
        }
        if (k + 1 < last) {
            body_set_mass(&link, &(body_mass){0}, 1);
            above = add_link(m, file, link);
            m->joint_link[joint] = above;
        }
    }
    read_mass(m, body, &link);
    double back[3], unit[4];
    mju_scl3(back, m->shift[body], -1);
    mju_unit4(unit);
    mjcf_add_shapes(m, m->files[file], &link, body, back, unit);
    m->link[body] = add_link(m, file, link);
    if (count && !is_free) m->joint_link[first + last - 1] = m->link[body];
}

/* ---- what does not move ---- */

static void find_static_frames(mjcf_import *m) {
    const mjModel *model = m->model;
    mju_unit4(m->turn[0]);
    for (int k = 1; k < model->nbody; k++) {
        const int parent = model->body_parentid[k];
        double way[3];
        mju_rotVecQuat(way, model->body_pos + 3 * k, m->turn[parent]);
        mju_add3(m->position[k], m->position[parent], way);
        mju_mulQuat(m->turn[k], m->turn[parent], model->body_quat + 4 * k);
    }
}

static void add_scene(mjcf_import *m) {
    body_link link = body_new_link((stiction_place){m->path, 0, 0});
    body_file unread = {0};
    link.name = link.joint_name = "scene";
    body_set_mass(&link, &(body_mass){0}, 1);
    for (int k = 0; k < m->model->nbody; k++)
        if (m->file[k] < 0) mjcf_add_shapes(m, &unread, &link, k, m->position[k], m->turn[k]);
    if (!link.shape_count && !unread.unread_shapes && m->file_count) return;
    const int file = add_file(m, m->file_count ? "scene" : m->source.robot.name);
    m->files[file]->unread_shapes = unread.unread_shapes;
    m->files[file]->unread_shape_at = unread.unread_shape_at;
    (void)add_link(m, file, link);
}

/* ---- the whole ---- */

static void warn_nameless(const mjcf_import *m) {
    int count = 0, first = 0;
    for (int k = 0; k < m->model->njnt; k++) {
        const char *name = mj_id2name(m->model, mjOBJ_JOINT, k);
        if (mjcf_has_axis(m->model, k) && (!name || !*name) && count++ == 0) first = k;
    }
    if (count) robot_warn_nameless(m->r, &m->source.robot, m->path, count, first);
}

robot_bodies mjcf_read(reader *r, stiction_place at, const char *path) {
    mjcf_import m = {.r = r, .path = path, .source = mjcf_load(r, at, path, false)};
    const mjModel *model = m.model = m.source.robot.model;
    if (model->nbody > most_bodies)
        stiction_reader_refuse(r, (stiction_place){path, 0, 0}, "has more than %d bodies",
                               most_bodies);
    const size_t bodies = (size_t)model->nbody;
    m.file = stiction_reader_alloc(r, bodies * sizeof *m.file);
    m.link = stiction_reader_alloc(r, bodies * sizeof *m.link);
    m.shift = stiction_reader_alloc(r, bodies * sizeof *m.shift);
    m.position = stiction_reader_alloc(r, bodies * sizeof *m.position);
    m.turn = stiction_reader_alloc(r, bodies * sizeof *m.turn);
    m.joint_link = stiction_reader_alloc(r, (size_t)model->njnt * sizeof *m.joint_link + 1);
    for (size_t k = 0; k < bodies; k++) m.file[k] = m.link[k] = -1;
    mjcf_check(&m);
    mjcf_read_contacts(&m);
    find_static_frames(&m);
    assign_trees(&m);
    int next_id = 0;
    for (int k = 1; k < model->nbody; k++)
        if (m.file[k] >= 0) add_body(&m, k, &next_id);
    add_scene(&m);
    mjcf_read_equalities(&m);
    mjcf_read_tendons(&m);
    mjcf_read_separations(&m);
    mjcf_read_keyframes(&m);
    warn_nameless(&m);
    robot_bodies all = {.count = m.file_count,
                        .timestep = model->opt.timestep,
                        .friction = m.source.friction,
                        .placed = true};
    const body_file **files = stiction_reader_alloc(r, m.file_count * sizeof *files);
    for (size_t k = 0; k < m.file_count; k++) {
        m.files[k]->medium[0] = model->opt.density;
        m.files[k]->medium[1] = model->opt.viscosity;
        files[k] = m.files[k];
    }
    all.files = files;
    bool finite = isfinite(model->opt.timestep);
    for (int k = 0; k < 3; k++) finite = finite && isfinite(model->opt.gravity[k]);
    if (!finite)
        stiction_reader_refuse(r, (stiction_place){path, 0, 0},
                               "its time step or gravity is not a finite number");
    const bool weightless = model->opt.disableflags & mjDSBL_GRAVITY;
    for (int k = 0; k < 3; k++) all.gravity[k] = weightless ? 0 : model->opt.gravity[k];
    return all;
}
