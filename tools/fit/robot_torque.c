/* SPDX-License-Identifier: MIT
 * Inverse dynamics along a log by MuJoCo's recursive Newton-Euler. What friction and damping the
 * robot's file has, its limits and its contacts are left out.
 */
#include "robot_torque.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "smooth_motion.h"

struct fit_robot {
    const robot *robot;
    const robot_joint *joint;
    mjData *data;
    const robot_joint **others;
    const char **names;
    size_t other_count;
};

fit_robot *fit_robot_create(const robot *from, const char *joint, stiction_error *error) {
    fit_robot *r = allocate(1, sizeof *r);
    r->robot = from;
    r->others = allocate(from->joint_count + 1, sizeof *r->others);
    r->names = allocate(from->joint_count + 1, sizeof *r->names);
    char *names = NULL;
    for (size_t k = 0; k < from->joint_count; k++) {
        const robot_joint *j = &from->joints[k];
        append_text(&names, "%s%s", k ? ", " : "", j->link->joint_name);
        if (strcmp(j->link->joint_name, joint) == 0) {
            r->joint = j;
            continue;
        }
        r->names[r->other_count] = j->link->joint_name;
        r->others[r->other_count++] = j;
    }
    const bool fine = r->joint || fail(error, "fit: %s has no joint '%s'; it has %s", from->path,
                                       joint, names ? names : "none");
    free(names);
    if (fine) r->data = must_have(mj_makeData(from->model));
    if (fine) return r;
    fit_robot_destroy(r);
    return NULL;
}

void fit_robot_destroy(fit_robot *r) {
    if (!r) return;
    if (r->data) mj_deleteData(r->data);
    free((void *)r->others), free((void *)r->names);
    free(r);
}

size_t fit_robot_others(const fit_robot *r, const char *const **names) {
    *names = r->names;
    return r->other_count;
}

bool fit_robot_has_rotor(const fit_robot *r) {
    return r->robot->model->dof_armature[r->joint->velocity] > 0;
}

typedef struct passage {
    fit_robot *r;
    size_t count;
    double **motion; /* position, velocity, acceleration of each joint, this one last; NULL: none */
    double *torque, inertia;
} passage;

static void place(const passage *p, size_t i) {
    const fit_robot *r = p->r;
    mjData *d = r->data;
    for (size_t k = 0; k <= r->other_count; k++) {
        const robot_joint *j = k < r->other_count ? r->others[k] : r->joint;
        double *const *motion = &p->motion[3 * k];
        if (motion[0]) d->qpos[j->position] = motion[0][i];
        if (motion[1]) d->qvel[j->velocity] = motion[1][i];
        if (motion[2]) d->qacc[j->velocity] = motion[2][i];
    }
}

static void go_along(void *context) {
    passage *p = context;
    const fit_robot *r = p->r;
    const mjModel *m = r->robot->model;
    mjData *d = r->data;
    const int dof = r->joint->velocity;
    mj_resetData(m, d);
    double *all = allocate((size_t)m->nv + 1, sizeof *all);
    for (size_t i = 0; i < p->count; i++) {
        place(p, i);
        mj_kinematics(m, d);
        mj_comPos(m, d);
        mj_comVel(m, d);
        if (i == 0) {
            mj_crb(m, d);
            p->inertia = d->qM[m->dof_Madr[dof]];
        }
        if (!p->torque) break;
        mj_rne(m, d, 1, all);
        p->torque[i] = all[dof] + m->dof_armature[dof] * d->qacc[dof];
    }
    free(all);
}

double fit_robot_inertia(fit_robot *r, const fit_log *log) {
    double **motion = allocate(3 * (r->other_count + 1), sizeof *motion);
    for (size_t k = 0; k < r->other_count; k++) motion[3 * k] = log->others[2 * k];
    motion[3 * r->other_count] = log->column[LOG_POSITION];
    passage p = {.r = r, .count = 1, .motion = motion};
    char message[ENGINE_MESSAGE];
    if (!engine_run(go_along, &p, NULL, NULL, message)) p.inertia = 0;
    free((void *)motion);
    return p.inertia;
}

bool fit_robot_torque(fit_robot *r, const fit_log *log, const fit_motion *motion,
                      const fit_smoothing *smoothing, double *torque) {
    double **of = allocate(3 * (r->other_count + 1), sizeof *of);
    for (size_t k = 0; k < r->other_count; k++) {
        double *const *logged = &log->others[2 * k];
        if (!logged[0]) continue; /* it stands still where the file of the robot has it */
        for (size_t n = 0; n < 3; n++) of[3 * k + n] = allocate(log->count, sizeof(double));
        fit_smooth_along(log->column[LOG_TIME], log->count, logged[0],
                         smoothing->of_velocity ? logged[1] : NULL, smoothing->window, &of[3 * k]);
    }
    double *const own[3] = {motion->position, motion->velocity, motion->acceleration};
    memcpy((void *)&of[3 * r->other_count], (const void *)own, sizeof own);
    passage p = {.r = r, .count = log->count, .motion = of, .torque = torque};
    char message[ENGINE_MESSAGE];
    const bool fine = engine_run(go_along, &p, NULL, NULL, message);
    for (size_t k = 0; k < 3 * r->other_count; k++) free(of[k]);
    free((void *)of);
    return fine;
}
