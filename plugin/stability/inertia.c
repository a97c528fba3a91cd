/* SPDX-License-Identifier: MIT
 * Inverse mass matrices of a robot over its poses.
 */
#include "inertia.h"

#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "linear.h"
#include "mujoco_compile/fence.h"

typedef struct inertia_job {
    const robot *robot;
    mjData *data;
    double *M;       /* of the model, nv x nv */
    double *inverse; /* the same */
    double *x;       /* nv */
    size_t joint;    /* of the column */
} inertia_job;

static void make_data(void *context) {
    inertia_job *job = context;
    job->data = mj_makeData(job->robot->model);
}

static void compute_composite_inertia(void *context) {
    inertia_job *job = context;
    const mjModel *m = job->robot->model;
    mj_kinematics(m, job->data);
    mj_comPos(m, job->data);
    mujoco_compute_inertia(m, job->data);
}

static void compute_mass_matrix(void *context) {
    inertia_job *job = context;
    compute_composite_inertia(job);
    mj_fullM(job->robot->model, job->M, job->data->qM);
}

/* One column of the inverse, which is much cheaper than all of it. */
static void compute_column(void *context) {
    inertia_job *job = context;
    const mjModel *m = job->robot->model;
    compute_composite_inertia(job);
    mj_factorM(m, job->data);
    mju_zero(job->x, m->nv);
    job->x[job->robot->joints[job->joint].velocity] = 1;
    mj_solveM(m, job->data, job->x, job->x, 1);
}

static stiction_status fail(stiction_error *error, stiction_status status, const robot *r,
                            const char *message, const char *name) {
    return stiction_fail_at(error, status, (stiction_place){r->path, 0, 0}, "%s%s%s%s",
                            name ? "joint '" : "", name ? name : "", name ? "'" : "", message);
}

static stiction_status begin(inertia_job *job, const robot *r, stiction_error *error) {
    const size_t nv = (size_t)r->model->nv;
    char crash[ENGINE_MESSAGE] = "out of memory";
    *job = (inertia_job){.robot = r, .M = calloc(2 * nv * nv + nv + 1, sizeof *job->M)};
    if (!job->M || !engine_run(make_data, job, NULL, NULL, crash))
        return fail(error, STICTION_OUT_OF_MEMORY, r, crash, NULL);
    job->inverse = job->M + nv * nv;
    job->x = job->inverse + nv * nv;
    return STICTION_OK;
}

static void end(inertia_job *job) {
    if (job->data) mj_deleteData(job->data);
    free(job->M);
}

static void set_pose(inertia_job *job, const double *positions) {
    const robot *r = job->robot;
    memcpy(job->data->qpos, r->model->qpos0, (size_t)r->model->nq * sizeof *positions);
    for (size_t k = 0; k < r->joint_count; k++)
        job->data->qpos[r->joints[k].position] = positions[k];
}

/* A joint that moves no mass makes the matrix singular. */
static stiction_status explain_singular(const inertia_job *job, stiction_error *error) {
    const robot *r = job->robot;
    const size_t nv = (size_t)r->model->nv;
    for (size_t k = 0; k < r->joint_count; k++)
        if (!(job->M[(size_t)r->joints[k].velocity * (nv + 1)] > 0))
            return fail(error, STICTION_SINGULAR, r,
                        " moves nothing that has mass, so it has no dynamics",
                        r->joints[k].link->joint_name);
    return fail(error, STICTION_SINGULAR, r,
                "the mass matrix is singular: there are links that move without mass", NULL);
}

static stiction_status at_pose(inertia_job *job, const double *positions, double *mobility,
                               stiction_error *error) {
    const robot *r = job->robot;
    const size_t n = r->joint_count, nv = (size_t)r->model->nv;
    char crash[ENGINE_MESSAGE];
    if (n == 0) return STICTION_OK;
    set_pose(job, positions);
    if (!engine_run(compute_mass_matrix, job, NULL, NULL, crash))
        return fail(error, engine_status(crash, STICTION_SINGULAR), r, crash, NULL);
    const stiction_status status = stiction_inverse(nv, job->M, job->inverse, NULL);
    if (status == STICTION_OUT_OF_MEMORY) return fail(error, status, r, "out of memory", NULL);
    if (status != STICTION_OK) return explain_singular(job, error);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            mobility[i * n + j] =
                job->inverse[(size_t)r->joints[i].velocity * nv + (size_t)r->joints[j].velocity];
    return STICTION_OK;
}

stiction_status robot_mobility_at(const robot *r, const double *positions, double *mobility,
                                  stiction_error *error) {
    inertia_job job;
    stiction_status status = begin(&job, r, error);
    if (status == STICTION_OK) status = at_pose(&job, positions, mobility, error);
    end(&job);
    return status;
}

/* For poses.h. */
static stiction_status find_columns(void *host, const double *positions, size_t first, size_t count,
                                    double *columns, stiction_error *error) {
    inertia_job *job = host;
    char crash[ENGINE_MESSAGE];
    if (count == job->robot->joint_count) return at_pose(job, positions, columns, error);
    for (size_t k = 0; k < count; k++) {
        set_pose(job, positions);
        job->joint = first + k;
        if (!engine_run(compute_column, job, NULL, NULL, crash))
            return fail(error, engine_status(crash, STICTION_SINGULAR), job->robot, crash, NULL);
        for (size_t i = 0; i < job->robot->joint_count; i++)
            columns[k * job->robot->joint_count + i] = job->x[job->robot->joints[i].velocity];
    }
    return STICTION_OK;
}

static pose_joint *make_joints(const robot *r) {
    pose_joint *joints = calloc(r->joint_count + 1, sizeof *joints);
    for (size_t k = 0; joints && k < r->joint_count; k++)
        joints[k] =
            (pose_joint){r->joints[k].link->joint_name, r->joints[k].link->joint == BODY_PRISMATIC,
                         r->joints[k].link->lower, r->joints[k].link->upper};
    return joints;
}

stiction_status robot_couple(const robot *r, stiction_coupling configured,
                             const stiction_joint_def *friction, double timestep,
                             robot_mobility *mobility, coupling_decision *decision,
                             stiction_error *error) {
    inertia_job job;
    *mobility = (robot_mobility){0};
    stiction_status status = begin(&job, r, error);
    pose_joint *joints = make_joints(r);
    if (!joints) status = fail(error, STICTION_OUT_OF_MEMORY, r, "out of memory", NULL);
    const coupling_robot whole = {
        {joints, r->joint_count, (size_t)r->model->nv, find_columns, &job},
        .friction = friction,
        .timestep = timestep};
    if (status == STICTION_OK && friction)
        status = coupling_decide(configured, &whole, mobility, NULL, decision, error);
    else if (status == STICTION_OK)
        status = robot_mobility_over_poses(&whole.poses, mobility, error);
    free(joints);
    end(&job);
    return status;
}

stiction_status robot_mobility_compute(const robot *r, robot_mobility *mobility,
                                       stiction_error *error) {
    return robot_couple(r, STICTION_COUPLING_AUTO, NULL, 0, mobility, NULL, error);
}
