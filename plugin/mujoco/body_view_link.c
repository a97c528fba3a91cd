/* SPDX-License-Identifier: MIT
 * Pose and bias acceleration, (dJ/dt) v, of a link. MuJoCo 2.2 has no function for the latter: it
 * is the acceleration of the links from the base on, joint by joint, at constant joint velocities.
 * Gravity is not included: it is a force here.
 */
#include "body_view.h"

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
        /* its six velocities are those of the frame's origin in the world: nothing accelerates */
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
