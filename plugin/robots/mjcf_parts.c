/* SPDX-License-Identifier: MIT
 * What a compiled MJCF model has beside its links: shapes that touch, equalities, pairs that never
 * touch, and what cannot be carried over.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf_reader.h"

/* ---- shapes ---- */

/* The corners of a mesh's hull where MuJoCo has made one, else all of its points. */
static void read_vertices(const mjcf_import *m, int mesh, body_shape *shape) {
    const mjModel *model = m->model;
    const float *all = model->mesh_vert + 3 * model->mesh_vertadr[mesh];
    const int graph = model->mesh_graphadr[mesh];
    const int count = graph < 0 ? model->mesh_vertnum[mesh] : model->mesh_graph[graph];
    /* vertices, faces, an address for each vertex, then the number of each among all */
    const int *chosen = graph < 0 ? NULL : model->mesh_graph + graph + 2 + count;
    double *vertices = stiction_reader_alloc(m->r, (size_t)count * 3 * sizeof *vertices + 1);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            vertices[3 * k + i] = (double)all[3 * (chosen ? chosen[k] : k) + i];
    shape->vertices = vertices;
    shape->vertex_count = (size_t)count;
}

static bool read_shape(const mjcf_import *m, int geom, body_shape *shape) {
    static const struct {
        mjtGeom theirs;
        body_shape_kind ours;
    } kinds[] = {{mjGEOM_BOX, BODY_BOX},
                 {mjGEOM_SPHERE, BODY_SPHERE},
                 {mjGEOM_ELLIPSOID, BODY_ELLIPSOID},
                 {mjGEOM_CYLINDER, BODY_CYLINDER},
                 {mjGEOM_CAPSULE, BODY_CAPSULE},
                 {mjGEOM_MESH, BODY_MESH},
                 {mjGEOM_PLANE, BODY_PLANE}};
    const mjModel *model = m->model;
    size_t k = 0;
    while (k < sizeof kinds / sizeof kinds[0] && kinds[k].theirs != (mjtGeom)model->geom_type[geom])
        k++;
    if (k == sizeof kinds / sizeof kinds[0]) return false;
    shape->kind = kinds[k].ours;
    mju_copy3(shape->size, model->geom_size + 3 * geom);
    if (shape->kind == BODY_MESH) read_vertices(m, model->geom_dataid[geom], shape);
    for (int i = 0; i < 3; i++) shape->color[i] = (double)model->geom_rgba[4 * geom + i];
    body_contact *contact = stiction_reader_alloc(m->r, sizeof *contact);
    *contact = (body_contact){.type = m->type[geom],
                              .affinity = m->affinity[geom],
                              .dimensions = model->geom_condim[geom],
                              .priority = model->geom_priority[geom]};
    mju_copy3(contact->friction, model->geom_friction + 3 * geom);
    shape->contact = contact;
    return true;
}

/* <pair>: a geom of pairs gets a bit that no other has, which the others of its pairs get, too. */
void mjcf_read_contacts(mjcf_import *m) {
    const mjModel *model = m->model;
    const size_t count = (size_t)model->ngeom;
    const stiction_place at = {m->path, 0, 0};
    m->type = stiction_reader_alloc(m->r, count * sizeof *m->type + 1);
    m->affinity = stiction_reader_alloc(m->r, count * sizeof *m->affinity + 1);
    unsigned *own = stiction_reader_alloc(m->r, count * sizeof *own + 1), used = 0, next = 1;
    int *pairs = stiction_reader_alloc(m->r, count * sizeof *pairs + 1);
    for (size_t k = 0; k < count; k++) {
        m->type[k] = (unsigned)model->geom_contype[k];
        m->affinity[k] = (unsigned)model->geom_conaffinity[k];
        used |= m->type[k] | m->affinity[k];
    }
    for (int k = 0; k < model->npair; k++) {
        pairs[model->pair_geom1[k]]++;
        pairs[model->pair_geom2[k]]++;
    }
    for (int k = 0; k < model->npair; k++) {
        int first = model->pair_geom1[k], second = model->pair_geom2[k];
        if (own[first] ? false : own[second] || pairs[second] > pairs[first]) {
            first = model->pair_geom2[k];
            second = model->pair_geom1[k];
        }
        while (!own[first] && (next & used)) next <<= 1;
        if (!own[first] && !(next & 0x7fffffff))
            stiction_reader_refuse(m->r, at, "has contact pairs of too many geoms: at most 31");
        if (!own[first]) used |= own[first] = next;
        m->affinity[first] |= own[first];
        m->type[second] |= own[first];
    }
    if (model->npair)
        stiction_reader_warn(m->r, at,
                             "of contact pairs only which geoms touch is taken over: friction and "
                             "the rest are those of the geoms");
}

void mjcf_add_shapes(mjcf_import *m, body_file *file, body_link *link, int body,
                     const double position[3], const double turn[4]) {
    const mjModel *model = m->model;
    body_shape *shapes = (body_shape *)link->shapes; /* made here */
    if (model->opt.disableflags & mjDSBL_CONTACT) return;
    const int first = model->body_geomadr[body];
    for (int geom = first; geom < first + model->body_geomnum[body]; geom++) {
        if (!m->type[geom] && !m->affinity[geom]) continue;
        body_shape shape = {0};
        double way[3];
        if (!read_shape(m, geom, &shape)) {
            if (file->unread_shapes++ == 0) file->unread_shape_at = mjcf_body_place(m, body);
            continue;
        }
        mju_rotVecQuat(way, model->geom_pos + 3 * geom, turn);
        mju_add3(shape.translation, position, way);
        mju_mulQuat(shape.rotation, turn, model->geom_quat + 4 * geom);
        shapes = stiction_reader_grow(m->r, shapes, link->shape_count, sizeof *shapes);
        shapes[link->shape_count++] = shape;
    }
    link->shapes = shapes;
}

/* ---- tendons ---- */

static bool is_held(const mjModel *model, int tendon) {
    if (model->opt.disableflags & mjDSBL_EQUALITY) return false;
    for (int k = 0; k < model->neq; k++)
        if (model->MUJOCO_EQ_ACTIVE[k] && model->eq_type[k] == mjEQ_TENDON &&
            (model->eq_obj1id[k] == tendon || model->eq_obj2id[k] == tendon))
            return true;
    return false;
}

/* What of a tendon would act, besides friction; NULL: nothing. */
static const char *tendon_acts(const mjModel *model, int k) {
    return model->tendon_stiffness[k] > 0 ? "stiffness"
           : model->tendon_limited[k]     ? "limits"
           : is_held(model, k)            ? "an equality"
                                          : NULL;
}

static bool is_fixed(const mjModel *model, int tendon) {
    return model->tendon_num[tendon] > 0 &&
           model->wrap_type[model->tendon_adr[tendon]] == mjWRAP_JOINT;
}

/* That of its first joint. */
static int file_of_tendon(const mjcf_import *m, int tendon) {
    const int joint = m->model->wrap_objid[m->model->tendon_adr[tendon]];
    return m->file[m->model->jnt_bodyid[joint]];
}

/* Its number among those that act on the same robot. */
static int tendon_number(const mjcf_import *m, int tendon) {
    const mjModel *model = m->model;
    int number = 0;
    for (int k = 0; k < tendon; k++)
        if (tendon_acts(model, k) && file_of_tendon(m, k) == file_of_tendon(m, tendon)) number++;
    return number;
}

/* ---- equalities ---- */

/* p(x) -> offset + p(x - start) */
static void move_polynomial(double p[5], double start, double offset) {
    for (int round = 0; round < 4; round++)
        for (int k = 3; k >= round; k--) p[k] -= start * p[k + 1];
    p[0] += offset;
}

static const char *equality_name(const mjcf_import *m, int k) {
    const char *name = mj_id2name(m->model, mjOBJ_EQUALITY, k);
    return stiction_reader_format(m->r, name && *name ? "the equality '%s'" : "an equality%s",
                                  name && *name ? name : "");
}

static body_equality read_couple(const mjcf_import *m, int k) {
    const mjModel *model = m->model;
    const int joint[2] = {model->eq_obj1id[k], model->eq_obj2id[k]};
    body_equality e = {
        .kind = BODY_COUPLE,
        .link = {m->joint_link[joint[0]], joint[1] < 0 ? -1 : m->joint_link[joint[1]]}};
    memcpy(e.polynomial, model->eq_data + mjNEQDATA * k, sizeof e.polynomial);
    for (int i = 0; i < 2; i++)
        if (joint[i] >= 0 && !mjcf_has_axis(model, joint[i]))
            stiction_reader_refuse(m->r, (stiction_place){m->path, 0, 0},
                                   "%s is of a joint without an axis, which is not read",
                                   equality_name(m, k));
    move_polynomial(e.polynomial, joint[1] < 0 ? 0 : model->qpos0[model->jnt_qposadr[joint[1]]],
                    model->qpos0[model->jnt_qposadr[joint[0]]]);
    return e;
}

/* Of lengths from those in qpos0. */
static body_equality read_tendon_couple(const mjcf_import *m, int k) {
    const mjModel *model = m->model;
    const int first = model->eq_obj1id[k], second = model->eq_obj2id[k];
    body_equality e = {
        .kind = BODY_COUPLE_TENDONS,
        .link = {tendon_number(m, first), second < 0 ? -1 : tendon_number(m, second)}};
    memcpy(e.polynomial, model->eq_data + mjNEQDATA * k, sizeof e.polynomial);
    move_polynomial(e.polynomial, second < 0 ? 0 : model->tendon_length0[second],
                    model->tendon_length0[first]);
    return e;
}

/* What holds two bodies together, in their frames. */
typedef struct tie {
    int body[2];
    double point[2][3];
    double turn[4]; /* of the second body in the first one */
    double torque_scale;
    bool weld;
} tie;

/* As their links or the world see it. */
static body_equality place_tie(const mjcf_import *m, const tie *t) {
    body_equality e = {.kind = t->weld ? BODY_WELD : BODY_CONNECT};
    for (int i = 0; i < 2; i++) {
        const int body = t->body[i];
        e.link[i] = m->link[body];
        if (e.link[i] >= 0) {
            mju_sub3(e.point[i], t->point[i], m->shift[body]);
        } else {
            double way[3];
            mju_rotVecQuat(way, t->point[i], m->turn[body]);
            mju_add3(e.point[i], m->position[body], way);
        }
    }
    if (!t->weld) return e;
    double turn[4], back[4], half[4];
    mju_copy4(turn, t->turn);
    mju_unit4(half);
    if (e.link[0] < 0) {
        mju_mulQuat(half, m->turn[t->body[0]], turn);
        mju_copy4(turn, half);
    }
    if (e.link[1] < 0) {
        mju_negQuat(back, m->turn[t->body[1]]);
        mju_mulQuat(half, turn, back);
        mju_copy4(turn, half);
    }
    mju_copy4(e.turn, turn);
    e.torque_scale = t->torque_scale;
    return e;
}

static body_equality read_tie(const mjcf_import *m, int k) {
    const mjModel *model = m->model;
    const double *data = model->eq_data + mjNEQDATA * k;
    tie t = {.body = {model->eq_obj1id[k], model->eq_obj2id[k]},
             .weld = model->eq_type[k] == mjEQ_WELD,
             .torque_scale = data[10]};
    /* of a weld the second body's point comes first */
    for (int i = 0; i < 2; i++) mju_copy3(t.point[i], data + 3 * (t.weld ? 1 - i : i));
    mju_copy4(t.turn, data + 6);
    return place_tie(m, &t);
}

/* Two sites at one point, of a weld with one frame. */
static tie read_site_tie(const mjcf_import *m, const xml_element *e) {
    static const char *const keys[] = {"site1", "site2"};
    const mjModel *model = m->model;
    const char *scale = mjcf_stated(m->source.file, e, "main", "torquescale");
    tie t = {.weld = strcmp(e->name, "weld") == 0, .torque_scale = scale ? atof(scale) : 1};
    double back[4];
    int site[2];
    for (int i = 0; i < 2; i++) {
        const char *name = xml_required(m->r, e, keys[i]);
        site[i] = mj_name2id(model, mjOBJ_SITE, name);
        if (site[i] < 0) stiction_reader_refuse(m->r, e->at, "there is no site '%s'", name);
        t.body[i] = model->site_bodyid[site[i]];
        mju_copy3(t.point[i], model->site_pos + 3 * site[i]);
    }
    mju_negQuat(back, model->site_quat + 4 * site[1]);
    mju_mulQuat(t.turn, model->site_quat + 4 * site[0], back);
    return t;
}

static int file_of(const mjcf_import *m, int k, int side) {
    const int id = side ? m->model->eq_obj2id[k] : m->model->eq_obj1id[k];
    if (id < 0) return -1;
    if (m->model->eq_type[k] == mjEQ_TENDON) return file_of_tendon(m, id);
    return m->file[m->model->eq_type[k] == mjEQ_JOINT ? m->model->jnt_bodyid[id] : id];
}

/* `name` is for messages. */
static void add_equality(const mjcf_import *m, stiction_place at, const char *name, int first,
                         int second, body_equality e) {
    if (first >= 0 && second >= 0 && first != second)
        stiction_reader_refuse(m->r, at,
                               "%s joins two bodies of which one is free of the other, which is "
                               "not read",
                               name);
    const int file = first >= 0 ? first : second;
    if (file < 0) return;
    body_file *f = m->files[file];
    body_equality *list =
        stiction_reader_grow(m->r, (body_equality *)f->equalities, f->equality_count, sizeof *list);
    list[f->equality_count++] = e;
    f->equalities = list;
}

void mjcf_read_equalities(mjcf_import *m) {
    const mjModel *model = m->model;
    const mjcf_file *file = m->source.file;
    const stiction_place at = {m->path, 0, 0};
    const char *unread = mujoco_find_unread(model);
    if (unread)
        stiction_reader_refuse(m->r, at, "the model has %s: it is not read, but would act", unread);
    if (model->opt.disableflags & mjDSBL_EQUALITY) return;
    for (int k = 0; k < model->neq; k++) {
        if (!model->MUJOCO_EQ_ACTIVE[k]) continue;
        const int type = model->eq_type[k];
        if (type != mjEQ_CONNECT && type != mjEQ_WELD && type != mjEQ_JOINT && type != mjEQ_TENDON)
            stiction_reader_refuse(m->r, at,
                                   "%s is neither connect, weld, joint nor tendon: it is not "
                                   "read, but would act",
                                   equality_name(m, k));
        add_equality(m, at, equality_name(m, k), file_of(m, k, 0), file_of(m, k, 1),
                     type == mjEQ_TENDON  ? read_tendon_couple(m, k)
                     : type == mjEQ_JOINT ? read_couple(m, k)
                                          : read_tie(m, k));
    }
    for (size_t k = 0; k < file->site_equality_count; k++) {
        const xml_element *e = file->site_equalities[k];
        if (mjcf_is(mjcf_stated(file, e, "main", "active"), "false")) continue;
        const tie t = read_site_tie(m, e);
        add_equality(m, e->at, "an equality", m->file[t.body[0]], m->file[t.body[1]],
                     place_tie(m, &t));
    }
}

/* ---- pairs that never touch ---- */

static void separate(mjcf_import *m, int first, int second) {
    const int file = m->file[first];
    if (file < 0 || file != m->file[second]) return;
    if (!m->model->body_geomnum[first] || !m->model->body_geomnum[second]) return;
    body_file *f = m->files[file];
    int(*list)[2] =
        stiction_reader_grow(m->r, (int(*)[2])f->separate, f->separate_count, sizeof *list);
    list[f->separate_count][0] = m->link[first];
    list[f->separate_count++][1] = m->link[second];
    f->separate = (const int(*)[2])list;
}

/* Parent and child, as MuJoCo leaves them out: it compares bodies that move, not the world.
 * Several links for one body, or a base that is held, would hide that. */
void mjcf_read_separations(mjcf_import *m) {
    const mjModel *model = m->model;
    for (int a = 1; a < model->nbody; a++)
        for (int b = 1; b < a; b++) {
            const int weld_a = model->body_weldid[a], weld_b = model->body_weldid[b];
            if (!weld_a || !weld_b || weld_a == weld_b) continue;
            if (model->body_weldid[model->body_parentid[weld_a]] == weld_b ||
                model->body_weldid[model->body_parentid[weld_b]] == weld_a)
                separate(m, a, b);
        }
    for (int k = 0; k < model->nexclude; k++)
        separate(m, (model->exclude_signature[k] >> 16) - MUJOCO_FIRST_EXCLUDED,
                 (model->exclude_signature[k] & 0xffff) - MUJOCO_FIRST_EXCLUDED);
}

/* ---- what is not carried over ---- */

static bool any(const mjtNum *numbers, int count) {
    for (int k = 0; k < count; k++)
        if (numbers[k] != 0) return true;
    return false;
}

/* Fixed tendons, sums of joint positions, are carried over with their springs and limits. */
static void check_tendons(const mjcf_import *m) {
    const mjModel *model = m->model;
    bool rubs = false;
    for (int k = 0; k < model->ntendon; k++) {
        const char *what = tendon_acts(model, k), *name = mj_id2name(model, mjOBJ_TENDON, k);
        const stiction_place at = {m->path, 0, 0};
        if (what && !is_fixed(model, k))
            stiction_reader_refuse(m->r, at,
                                   "the tendon '%s' has %s: of tendons only fixed ones are read, "
                                   "but it would act",
                                   name ? name : "", what);
        rubs = rubs || model->tendon_damping[k] > 0 || model->tendon_frictionloss[k] > 0;
    }
    if (rubs)
        stiction_reader_warn(m->r, (stiction_place){m->path, 0, 0},
                             "friction and damping of tendons are not used");
}

void mjcf_read_tendons(mjcf_import *m) {
    const mjModel *model = m->model;
    for (int k = 0; k < model->ntendon; k++) {
        if (!tendon_acts(model, k)) continue;
        const int first = model->tendon_adr[k], count = model->tendon_num[k];
        body_tendon tendon = {.count = (size_t)count,
                              .limited = model->tendon_limited[k],
                              .stiffness = model->tendon_stiffness[k],
                              .rest = mujoco_rest(model, k)};
        memcpy(tendon.range, model->tendon_range + 2 * k, sizeof tendon.range);
        int *links = stiction_reader_alloc(m->r, tendon.count * sizeof *links);
        double *factors = stiction_reader_alloc(m->r, tendon.count * sizeof *factors);
        const int file = file_of_tendon(m, k);
        for (int i = 0; i < count; i++) {
            const int joint = model->wrap_objid[first + i];
            links[i] = m->joint_link[joint];
            factors[i] = model->wrap_prm[first + i];
            if (m->file[model->jnt_bodyid[joint]] != file)
                stiction_reader_refuse(m->r, (stiction_place){m->path, 0, 0},
                                       "a tendon runs between two robots, which is not read");
        }
        tendon.links = links;
        tendon.factors = factors;
        body_file *f = m->files[file];
        body_tendon *list =
            stiction_reader_grow(m->r, (body_tendon *)f->tendons, f->tendon_count, sizeof *list);
        list[f->tendon_count++] = tendon;
        f->tendons = list;
    }
}

static void warn_of_free_armature(const mjcf_import *m) {
    const mjModel *model = m->model;
    for (int k = 0; k < model->njnt; k++)
        if (model->jnt_type[k] == mjJNT_FREE &&
            any(model->dof_armature + model->jnt_dofadr[k], 6)) {
            stiction_reader_warn(m->r, mjcf_body_place(m, model->jnt_bodyid[k]),
                                 "the armature of a free joint is not taken over");
            return;
        }
}

void mjcf_check(const mjcf_import *m) {
    const mjModel *model = m->model;
    const stiction_place at = {m->path, 0, 0};
    check_tendons(m);
    const bool wet = model->opt.density > 0 || model->opt.viscosity > 0;
    for (int k = 0; wet && k < model->ngeom; k++)
        if (model->geom_fluid[mjNFLUID * k] != 0)
            stiction_reader_refuse(m->r, at,
                                   "a geom has its own shape in a medium (fluidshape), which is "
                                   "not read, but would act");
    if (wet && any(model->opt.wind, 3))
        stiction_reader_refuse(m->r, at, "wind is not read, but would act");
    const xml_element *actuators = xml_child(m->source.file->root, "actuator");
    if (actuators && actuators->first_child)
        stiction_reader_warn(m->r, at, "actuators are not used: torques come from controllers");
    if (m->source.file->compensates)
        stiction_reader_warn(m->r, at,
                             "gravity compensation (gravcomp) is not used: it belongs to the "
                             "controller, which has to carry the weight");
    if (any(model->dof_damping, model->nv) || any(model->dof_frictionloss, model->nv))
        stiction_reader_warn(m->r, at, ROBOT_OWN_FRICTION("joints"));
    if (any(model->geom_margin, model->ngeom) || any(model->geom_gap, model->ngeom))
        stiction_reader_warn(m->r, at, "margin and gap of geoms are not taken over");
    warn_of_free_armature(m);
}
