/*
 * Inverse mass matrices of a robot over its poses.
 */
#include "inertia.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "linear/linear.h"
#include "mujoco/fence.h"
#include "poses.h"

typedef struct inertia_job {
    const robot *robot;
    mjData *data;
    double *M;       /* of the model, nv x nv */
    double *inverse; /* the same */
    double *x;       /* nv */
    size_t joint;    /* that is searched for */
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

static stiction_status complain(stiction_error *error, stiction_status status, const robot *r,
                                const char *message, const char *name) {
    return stiction_fail_at(error, status, (stiction_place){r->path, 0, 0}, "%s%s%s%s",
                            name ? "joint '" : "", name ? name : "", name ? "'" : "", message);
}

static stiction_status begin(inertia_job *job, const robot *r, stiction_error *error) {
    const size_t nv = (size_t)r->model->nv;
    char crash[ENGINE_MESSAGE] = "out of memory";
    *job = (inertia_job){.robot = r, .M = calloc(2 * nv * nv + nv + 1, sizeof *job->M)};
    if (!job->M || !engine_run(make_data, job, NULL, NULL, crash))
        return complain(error, STICTION_OUT_OF_MEMORY, r, crash, NULL);
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
            return complain(error, STICTION_SINGULAR, r,
                            " moves nothing that has mass, so it has no dynamics",
                            r->joints[k].name);
    return complain(error, STICTION_SINGULAR, r,
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
        return complain(error, engine_status(crash, STICTION_SINGULAR), r, crash, NULL);
    const stiction_status status = stiction_inverse(nv, job->M, job->inverse, NULL);
    if (status == STICTION_OUT_OF_MEMORY) return complain(error, status, r, "out of memory", NULL);
    if (status != STICTION_OK) return explain_singular(job, error);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            mobility[i * n + j] =
                job->inverse[(size_t)r->joints[i].velocity * nv + (size_t)r->joints[j].velocity];
    return STICTION_OK;
}

/* The mobility of job->joint alone; 0 where MuJoCo gives up. */
static double mobility_of(inertia_job *job, const double *positions) {
    char crash[ENGINE_MESSAGE];
    set_pose(job, positions);
    if (!engine_run(compute_column, job, NULL, NULL, crash)) return 0;
    return job->x[job->robot->joints[job->joint].velocity];
}

/* Of a range that a search moves a joint by: 1/4, 1/8, 1/16 and 1/32. */
enum { largest_part = 4, smallest_part = 32, parts = 4 };

/* Moves one joint after the other by ever smaller parts of its range, as long as that makes
 * job->joint lighter. */
static void search(inertia_job *job, double *positions) {
    const robot *r = job->robot;
    double best = mobility_of(job, positions);
    for (int part = largest_part; part <= smallest_part; part *= 2)
        for (size_t k = 0; k < r->joint_count; k++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double lower, upper;
                pose_range(&r->joints[k], &lower, &upper);
                const double before = positions[k];
                positions[k] = fmin(upper, fmax(lower, before + sign * (upper - lower) / part));
                const double value = mobility_of(job, positions);
                if (value > best)
                    best = value;
                else
                    positions[k] = before;
            }
}

stiction_status robot_mobility_at(const robot *r, const double *positions, double *mobility,
                                  stiction_error *error) {
    inertia_job job;
    stiction_status status = begin(&job, r, error);
    if (status == STICTION_OK) status = at_pose(&job, positions, mobility, error);
    end(&job);
    return status;
}

/* Products, some 1e9 of which are a second: a chain of STABILITY_MOST_JOINTS has 2.5e10. */
static const double most_work = 1e11;

/* Whether all poses can be looked at in a bounded time: a column of each step of a search from the
 * factors of M, which are as full as M is, and a whole inverse of each pose. */
static bool is_feasible(const robot *r) {
    const double n = (double)r->joint_count, nv = r->model->nv, entries = r->model->nM;
    const double searched = 2 * parts * n * n * entries * entries / fmax(nv, 1);
    const double inverted = ((double)pose_count(r) + n) * nv * nv * nv;
    return r->joint_count <= STABILITY_MOST_JOINTS && searched + inverted <= most_work;
}

/* The pose, of those so far, at which a joint is lightest. */
static size_t lightest(const robot_mobility *m, size_t joint) {
    const size_t n = m->joint_count, entry = joint * (n + 1);
    size_t worst = 0;
    for (size_t k = 1; k < m->pose_count; k++)
        if (m->matrices[k * n * n + entry] > m->matrices[worst * n * n + entry]) worst = k;
    return worst;
}

/* `positions` has room for all poses, of which there are `most`. */
static stiction_status visit_poses(inertia_job *job, size_t most, double *positions,
                                   robot_mobility *m, stiction_error *error) {
    const robot *r = job->robot;
    const size_t n = r->joint_count, given = pose_count(r);
    stiction_status status = STICTION_OK;
    for (size_t k = 0; k < most && status == STICTION_OK; k++) {
        double *q = positions + k * n;
        if (k < given) {
            pose_at(r, k, q);
        } else {
            job->joint = k - given;
            memcpy(q, positions + lightest(m, job->joint) * n, n * sizeof *q);
            search(job, q);
        }
        status = at_pose(job, q, m->matrices + k * n * n, error);
        m->pose_count++;
    }
    return status;
}

stiction_status robot_mobility_compute(const robot *r, robot_mobility *mobility,
                                       stiction_error *error) {
    const bool feasible = is_feasible(r);
    const size_t n = r->joint_count, most = feasible ? pose_count(r) + n : 1;
    *mobility = (robot_mobility){.joint_count = n, .partial = !feasible};
    mobility->matrices = calloc(most * n * (n + 1) + 1, sizeof *mobility->matrices);
    if (!mobility->matrices)
        return complain(error, STICTION_OUT_OF_MEMORY, r, "out of memory", NULL);
    inertia_job job;
    stiction_status status = begin(&job, r, error);
    if (status == STICTION_OK)
        status = visit_poses(&job, most, mobility->matrices + most * n * n, mobility, error);
    end(&job);
    if (status != STICTION_OK) robot_mobility_release(mobility);
    return status;
}

void robot_mobility_release(robot_mobility *mobility) {
    free(mobility->matrices);
    *mobility = (robot_mobility){0};
}
