/* SPDX-License-Identifier: MIT
 * A body of a world, from MuJoCo's arrays to our order. MuJoCo's angular velocity of a free joint
 * is in the body's own axes, ours in the world's: its three rows and columns are turned. The
 * derivative of R w is R dw, as R (w x w) is 0, so the bias turns with them.
 */
#include "body_view.h"

#include <string.h>

enum { base_dof = 6, angular = 3 };

size_t body_view_dof(const world *w, size_t body) {
    return w->bodies[body].joint_count + (w->bodies[body].floats ? base_dof : 0);
}

/* In the model links are called "BODY/LINK" where there are several bodies. */
const char *body_view_link(const world *w, size_t body, size_t link) {
    const world_body *b = &w->bodies[body];
    if (link >= b->link_count) return NULL;
    const char *name = mj_id2name(w->model, mjOBJ_BODY, b->root + (int)link);
    return w->body_count > 1 ? name + strlen(b->name) + 1 : name;
}

body_base body_view_base(const world *w, const mjData *data, size_t body) {
    const world_body *b = &w->bodies[body];
    const mjModel *model = w->model;
    body_base base = {.rotation = {1}};
    if (!b->floats) {
        mju_copy3(base.position, model->body_pos + 3 * b->root);
        mju_copy4(base.rotation, model->body_quat + 4 * b->root);
        return base;
    }
    const int joint = model->body_jntadr[b->root];
    const mjtNum *q = data->qpos + model->jnt_qposadr[joint];
    const mjtNum *v = data->qvel + model->jnt_dofadr[joint];
    mju_copy3(base.position, q);
    mju_copy4(base.rotation, q + 3);
    mju_normalize4(base.rotation);
    mju_copy3(base.linear, v);
    mju_rotVecQuat(base.angular, v + angular, base.rotation);
    return base;
}

/* Of the root, from its own axes to the world's. */
static void turn(const world *w, const mjData *data, const world_body *b, mjtNum R[9]) {
    mjtNum q[4];
    mju_copy4(q, data->qpos + w->model->jnt_qposadr[w->model->body_jntadr[b->root]] + 3);
    mju_normalize4(q);
    mju_quat2Mat(R, q);
}

/* Each entry (i, k) of the tree's M and its mirror. */
static void read_mass_matrix(const world *w, const mjData *data, const world_body *b, size_t n,
                             double *M) {
    const mjModel *model = w->model;
    for (int i = 0; i < model->nv; i++) {
        const int row = b->places[i];
        if (row < 0) continue;
        const mjtNum *entry = data->qM + model->dof_Madr[i];
        for (int k = i; k >= 0; k = model->dof_parentid[k], entry++) {
            const int column = b->places[k];
            if (column >= 0)
                M[(size_t)row * n + (size_t)column] = M[(size_t)column * n + (size_t)row] = *entry;
        }
    }
}

void body_view_mass_matrix(const world *w, const mjData *data, size_t body, double *M) {
    const world_body *b = &w->bodies[body];
    const size_t n = body_view_dof(w, body);
    memset(M, 0, n * n * sizeof *M);
    read_mass_matrix(w, data, b, n, M);
    if (!b->floats) return;
    mjtNum R[9], part[3], turned[3];
    turn(w, data, b, R);
    for (size_t i = 0; i < n; i++) { /* M R' */
        mju_copy3(part, M + i * n + angular);
        mju_rotVecMat(turned, part, R);
        mju_copy3(M + i * n + angular, turned);
    }
    for (size_t k = 0; k < n; k++) { /* R M */
        for (size_t i = 0; i < 3; i++) part[i] = M[(angular + i) * n + k];
        mju_rotVecMat(turned, part, R);
        for (size_t i = 0; i < 3; i++) M[(angular + i) * n + k] = turned[i];
    }
    for (size_t i = 0; i < n; i++) /* rounding apart, symmetric already */
        for (size_t k = 0; k < i; k++) M[k * n + i] = M[i * n + k];
}

void body_view_bias(const world *w, const mjData *data, size_t body, double *bias) {
    const world_body *b = &w->bodies[body];
    for (int i = 0; i < w->model->nv; i++)
        if (b->places[i] >= 0) bias[b->places[i]] = data->qfrc_bias[i];
    if (!b->floats) return;
    mjtNum R[9], own[3];
    turn(w, data, b, R);
    mju_copy3(own, bias + angular);
    mju_rotVecMat(bias + angular, own, R);
}

/* The column of a joint in a Jacobian: the velocity of a point that it carries, at a joint
 * velocity of 1. */
static void put_column(double *J, size_t n, int column, const mjtNum linear[3],
                       const mjtNum turning[3]) {
    for (size_t i = 0; i < 3 && column >= 0; i++) {
        J[i * n + (size_t)column] = linear[i];
        J[(i + 3) * n + (size_t)column] = turning[i];
    }
}

static void add_joint(const world *w, const mjData *data, const world_body *b, int joint,
                      const mjtNum point[3], double *J, size_t n) {
    static const mjtNum none[3] = {0};
    const mjModel *model = w->model;
    const int column = b->places[model->jnt_dofadr[joint]];
    const mjtNum *axis = data->xaxis + 3 * joint;
    mjtNum arm[3], linear[3];
    mju_sub3(arm, point, data->xanchor + 3 * joint);
    if (model->jnt_type[joint] == mjJNT_SLIDE) put_column(J, n, column, axis, none);
    if (model->jnt_type[joint] == mjJNT_HINGE) {
        mju_cross(linear, axis, arm);
        put_column(J, n, column, linear, axis);
    }
    if (model->jnt_type[joint] != mjJNT_FREE) return;
    for (int k = 0; k < 3; k++) {
        mjtNum unit[3] = {0};
        unit[k] = 1;
        put_column(J, n, k, unit, none);
        mju_cross(linear, unit, arm);
        put_column(J, n, angular + k, linear, unit);
    }
}

void body_view_jacobian(const world *w, const mjData *data, size_t body, size_t link, double *J) {
    const world_body *b = &w->bodies[body];
    const mjModel *model = w->model;
    const size_t n = body_view_dof(w, body);
    const int carried = b->root + (int)link;
    memset(J, 0, 6 * n * sizeof *J);
    for (int i = carried; i > 0; i = model->body_parentid[i])
        for (int k = 0; k < model->body_jntnum[i]; k++)
            add_joint(w, data, b, model->body_jntadr[i] + k, data->xpos + 3 * carried, J, n);
}

/* The entry of a link, added if it is missing. */
static stiction_controller_contact *entry_of(stiction_controller_contact *contacts, size_t *count,
                                             size_t link) {
    for (size_t k = 0; k < *count; k++)
        if (contacts[k].link == link) return &contacts[k];
    contacts[*count] = (stiction_controller_contact){.link = link};
    return &contacts[(*count)++];
}

size_t body_view_contacts(const world *w, const mjData *data, size_t body,
                          stiction_controller_contact *contacts) {
    const world_body *b = &w->bodies[body];
    size_t count = 0;
    for (int i = 0; i < data->ncon; i++) {
        const mjContact *c = &data->contact[i];
        mjtNum own[6], force[3], torque[3];
        mj_contactForce(w->model, data, i, own);
        /* from the contact's axes, the rows of its frame; it acts on the second geom */
        mju_mulMatTVec(force, c->frame, own, 3, 3);
        mju_mulMatTVec(torque, c->frame, own + 3, 3, 3);
        const int geoms[2] = {c->geom1, c->geom2};
        for (int k = 0; k < 2; k++) {
            const int link = w->model->geom_bodyid[geoms[k]];
            if (link < b->root || link >= b->root + (int)b->link_count) continue;
            mjtNum arm[3], moment[3];
            mju_sub3(arm, c->pos, data->xpos + 3 * link);
            mju_cross(moment, arm, force);
            mju_addTo3(moment, torque);
            stiction_controller_contact *e = entry_of(contacts, &count, (size_t)(link - b->root));
            mju_addToScl3(e->force, force, k ? 1 : -1);
            mju_addToScl3(e->torque, moment, k ? 1 : -1);
        }
    }
    return count;
}

/* ---- the state of a link ---- */

/*
 * The bias acceleration (dJ/dt) v of a link, for which MuJoCo 2.2 has no function, is its
 * acceleration at constant joint velocities, computed joint by joint from the base on. Gravity is
 * not included: it is a force here.
 */

/* The motion of a rigid body: of one of its points, and its rotation. */
typedef struct motion {
    mjtNum point[3], acceleration[3]; /* of the point */
    mjtNum turning[3], angular[3];    /* velocity, acceleration */
} motion;

/* The same motion at another point: a + alpha x r + w x (w x r). */
static void move_point(motion *m, const mjtNum point[3]) {
    mjtNum arm[3], part[3], inner[3];
    mju_sub3(arm, point, m->point);
    mju_cross(part, m->angular, arm);
    mju_addTo3(m->acceleration, part);
    mju_cross(inner, m->turning, arm);
    mju_cross(part, m->turning, inner);
    mju_addTo3(m->acceleration, part);
    mju_copy3(m->point, point);
}

/* From the link before a joint to the link after it. */
static void pass_joint(const mjModel *model, const mjData *data, int joint, motion *m) {
    const mjtNum *velocity = data->qvel + model->jnt_dofadr[joint];
    const mjtNum *axis = data->xaxis + 3 * joint;
    mjtNum own[3], part[3];
    if (model->jnt_type[joint] == mjJNT_FREE) {
        /* its six velocities are those of the frame's origin in the world, so it does not
         * accelerate */
        const int body = model->jnt_bodyid[joint];
        *m = (motion){.point = {0}};
        mju_copy3(m->point, data->xpos + 3 * body);
        mju_rotVecMat(m->turning, velocity + 3, data->xmat + 9 * body);
        return;
    }
    move_point(m, data->xanchor + 3 * joint);
    mju_scl3(own, axis, *velocity);
    mju_cross(part, m->turning, own);
    if (model->jnt_type[joint] == mjJNT_SLIDE) { /* Coriolis */
        mju_addToScl3(m->acceleration, part, 2);
        return;
    }
    mju_addTo3(m->angular, part);
    mju_addTo3(m->turning, own);
}

static motion motion_of(const mjModel *model, const mjData *data, int body) {
    if (body == 0) return (motion){.point = {0}};
    motion m = motion_of(model, data, model->body_parentid[body]);
    for (int k = 0; k < model->body_jntnum[body]; k++)
        pass_joint(model, data, model->body_jntadr[body] + k, &m);
    move_point(&m, data->xpos + 3 * body);
    return m;
}

stiction_controller_link_state body_view_link_state(const world *w, const mjData *data, size_t body,
                                                    size_t link) {
    const int carried = w->bodies[body].root + (int)link;
    const motion m = motion_of(w->model, data, carried);
    stiction_controller_link_state state;
    mju_copy3(state.position, data->xpos + 3 * carried);
    mju_copy4(state.rotation, data->xquat + 4 * carried);
    mju_normalize4(state.rotation);
    mju_copy3(state.bias, m.acceleration);
    mju_copy3(state.bias + 3, m.angular);
    return state;
}

stiction_controller_link_motion body_view_motion(const world *w, const mjData *data, size_t body,
                                                 size_t link) {
    const int carried = w->bodies[body].root + (int)link;
    stiction_controller_link_motion state = {.rotation = {1}};
    mjtNum velocity[6];
    mju_copy3(state.position, data->xpos + 3 * carried);
    mju_copy4(state.rotation, data->xquat + 4 * carried);
    mju_normalize4(state.rotation);
    mj_objectVelocity(w->model, data, mjOBJ_XBODY, carried, velocity, 0);
    mju_copy3(state.angular, velocity);
    mju_copy3(state.linear, velocity + 3);
    return state;
}

/* MuJoCo gives the force of the parent on the link, about the centre of mass of the whole tree. */
void body_view_joint_wrench(const world *w, const mjData *data, size_t body, size_t link,
                            double force[3], double torque[3]) {
    const int carried = w->bodies[body].root + (int)link;
    const mjtNum *own = data->cfrc_int + 6 * carried;
    mjtNum arm[3], moment[3];
    mju_sub3(arm, data->subtree_com + 3 * w->model->body_rootid[carried], data->xpos + 3 * carried);
    mju_cross(moment, arm, own + 3);
    mju_addTo3(moment, own);
    mju_scl3(force, own + 3, -1);
    mju_scl3(torque, moment, -1);
}

void body_view_start(const world *w, mjData *data, size_t body, const double *joints,
                     const double *base) {
    const world_body *b = &w->bodies[body];
    if (base && b->floats) {
        mjtNum *q = data->qpos + w->model->jnt_qposadr[w->model->body_jntadr[b->root]];
        mju_copy3(q, base);
        mju_copy4(q + 3, base + 3);
    }
    for (size_t k = 0; joints && k < b->joint_count; k++)
        if (!mju_isBad(joints[k])) data->qpos[w->joints[b->first_joint + k].position] = joints[k];
}
