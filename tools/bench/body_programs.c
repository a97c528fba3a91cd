/* SPDX-License-Identifier: MIT
 * Programs of a humanoid: it is put into a posture with velocities, and asked for accelerations.
 */
#include "body_programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "mujoco/body_view.h"

enum {
    feet = 2,
    corners = 4,
    edges = 4,
    forces = feet * corners * edges,
    equalities = 6 + 6 * feet
};

static const char *const foot_names[feet] = {"RAR", "LAR"};

/* Corners of a sole in the frame of its link, m; friction of the floor. */
static const double sole[corners][3] = {
    {0.16, 0.07, -0.1}, {0.16, -0.07, -0.1}, {-0.1, 0.07, -0.1}, {-0.1, -0.07, -0.1}};
static const double friction_coefficient = 0.5;

/* Gains 1/s^2 and 1/s, and weights of the tasks. */
static const double kp = 50, kv = 14;
static const double com_weight = 100, base_weight = 10, posture_weight = 1, force_weight = 1e-4,
                    least_weight = 1e-6;
static const double strongest_force = 2000; /* N, along an edge */
static const double fastest = 6;            /* rad/s */
static const double horizon = 0.05;         /* s, in which a limit is reached at the earliest */

struct body_programs {
    world *world;
    mjData *data;
    size_t which, dof;     /* the body among those of the world, and its velocities */
    size_t *used, p;       /* the velocities that are variables */
    size_t links[feet];    /* of the feet */
    double *rest;          /* qpos of the start */
    double height, com[3]; /* of a foot and of the body, at the start */
    size_t n, m;
    double *v, *M, *bias, *J[feet], *pull; /* pull: dof x forces */
    double *H, *g, *A, *lower, *upper;
};

const char *body_motion_name(body_motion motion) {
    static const char *const names[body_motion_count] = {"standing", "squat", "push"};
    return names[motion];
}

/* ---- the body ---- */

static bool is_finger(const char *name) {
    static const char *const parts[] = {"MP", "PIP", "DIP"};
    static const char of_finger[] = "TIM";
    const size_t length = strlen(name);
    if (length < 4 || !strchr(of_finger, name[1])) return false;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (strcmp(name + 2, parts[k]) == 0) return true;
    return false;
}

static const world_joint *joint_at(const body_programs *b, size_t k) {
    return &b->world->joints[b->world->bodies[b->which].first_joint + k];
}

static size_t find_link(const body_programs *b, const char *name) {
    for (size_t k = 0; k < b->world->bodies[b->which].link_count; k++)
        if (strcmp(body_view_link(b->world, b->which, k), name) == 0) return k;
    return 0;
}

static int model_body(const body_programs *b, size_t link) {
    return b->world->bodies[b->which].root + (int)link;
}

/* How a joint takes part in bending: legs, and a little forward. */
static double bend_share(const char *name) {
    static const struct {
        const char *name;
        double share;
    } joints[] = {{"RCP", -1}, {"RKP", 2},  {"RAP", -1}, {"LCP", -1},
                  {"LKP", 2},  {"LAP", -1}, {"WP", 1}};
    for (size_t k = 0; k < sizeof joints / sizeof joints[0]; k++)
        if (strcmp(name, joints[k].name) == 0) return joints[k].share;
    return 0;
}

/* Where the body is, and how it moves. */
typedef struct moment {
    double bend, bend_rate;    /* of the legs beyond the start, rad, rad/s */
    double shift[3], slide[3]; /* of the base, m, m/s */
    double sway;               /* of all joints, rad */
    double down;               /* m, that the centre of mass is asked to be below its start */
} moment;

static moment moment_at(body_motion motion, double t) {
    const double pi = 3.141592653589793;
    moment at = {.sway = 2e-4 * sin(2 * pi * 0.7 * t)};
    switch (motion) {
    case BODY_SQUAT: {
        const double phase = pi * t / 2;
        at.bend = 0.25 * (1 - cos(phase));
        at.bend_rate = 0.25 * sin(phase) * pi / 2;
        at.down = 0.05 * (1 - cos(phase)) + 0.01 * sin(phase);
        break;
    }
    case BODY_PUSH: {
        /* pushed until 0.1 s, then on its way back */
        const double grown = t < 0.1 ? t / 0.1 : exp(-(t - 0.1) / 0.4);
        at.slide[0] = 0.45 * grown * (t < 0.1 ? 1 : cos(4 * (t - 0.1)));
        at.slide[1] = 0.2 * grown * (t < 0.1 ? 1 : sin(5 * (t - 0.1)));
        at.shift[0] = 0.05 * (1 - exp(-6 * t)) * grown;
        at.bend_rate = 0.2 * grown;
        break;
    }
    default:
        break;
    }
    return at;
}

/* Puts the body there, with its feet on the floor. */
static void place(body_programs *b, const moment *at) {
    const world_body *wb = &b->world->bodies[b->which];
    const mjModel *model = b->world->model;
    mju_copy(b->data->qpos, b->rest, model->nq);
    mju_zero(b->data->qvel, model->nv);
    for (size_t k = 0; k < wb->joint_count; k++) {
        const world_joint *j = joint_at(b, k);
        const double share = bend_share(j->name);
        b->data->qpos[j->position] +=
            share * at->bend + at->sway * sin(1 + (double)k) * (share == 0 ? 1 : 0.1);
        b->data->qvel[j->velocity] = share * at->bend_rate + 10 * at->sway * cos((double)k);
    }
    mj_kinematics(model, b->data);
    double *base = b->data->qpos + model->jnt_qposadr[model->body_jntadr[wb->root]];
    base[2] += b->height - b->data->xpos[3 * model_body(b, b->links[0]) + 2];
    for (int c = 0; c < 3; c++) base[c] += at->shift[c];
    mj_fwdPosition(model, b->data);

    /* the base moves as its right foot stands, and as it is pushed */
    body_view_jacobian(b->world, b->data, b->which, b->links[0], b->J[0]);
    mju_zero(b->v, (int)b->dof);
    for (size_t k = 0; k < wb->joint_count; k++)
        b->v[b->dof - wb->joint_count + k] = b->data->qvel[joint_at(b, k)->velocity];
    double *velocity = b->data->qvel + model->jnt_dofadr[model->body_jntadr[wb->root]];
    for (int c = 0; c < 3; c++) {
        const double foot = mju_dot(b->J[0] + (size_t)c * b->dof, b->v, (int)b->dof);
        b->v[c] = velocity[c] = at->slide[c] - foot;
    }
    mj_fwdVelocity(model, b->data);
}

/* What forces along the edges do to the velocities of the body. */
static void set_pull(body_programs *b) {
    const double side =
        friction_coefficient / sqrt(1 + friction_coefficient * friction_coefficient);
    const double up = 1 / sqrt(1 + friction_coefficient * friction_coefficient);
    const double directions[edges][3] = {
        {side, 0, up}, {-side, 0, up}, {0, side, up}, {0, -side, up}};
    for (size_t f = 0; f < forces; f++) {
        const size_t foot = f / (corners * edges), corner = f / edges % corners;
        const double *force = directions[f % edges];
        double arm[3], moment_of_it[3];
        mju_rotVecMat(arm, sole[corner], b->data->xmat + 9 * model_body(b, b->links[foot]));
        mju_cross(moment_of_it, arm, force);
        for (size_t i = 0; i < b->dof; i++) {
            double sum = 0;
            for (size_t c = 0; c < 3; c++)
                sum += b->J[foot][c * b->dof + i] * force[c] +
                       b->J[foot][(3 + c) * b->dof + i] * moment_of_it[c];
            b->pull[i * forces + f] = sum;
        }
    }
}

/* ---- the program ---- */

/* Adds weight |row a - asked|^2 / 2 to the objective. */
static void add_task(body_programs *b, double weight, const double *row, double asked) {
    for (size_t i = 0; i < b->p; i++) {
        const double at_i = weight * row[b->used[i]];
        if (at_i == 0) continue;
        for (size_t j = 0; j <= i; j++) b->H[i * b->n + j] += at_i * row[b->used[j]];
        b->g[i] -= at_i * asked;
    }
}

static void set_objective(body_programs *b, const moment *at) {
    memset(b->H, 0, b->n * b->n * sizeof *b->H);
    memset(b->g, 0, b->n * sizeof *b->g);
    for (size_t i = 0; i < b->n; i++) b->H[i * b->n + i] = i < b->p ? least_weight : force_weight;
    /* the base's rows of the mass matrix are the momentum, which is the mass times the CoM's
     * velocity */
    const double mass = b->M[0];
    double *row = mju_malloc(b->dof * sizeof *row);
    const double *com = b->data->subtree_com + 3 * b->world->bodies[b->which].root;
    for (size_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < b->dof; i++) row[i] = b->M[c * b->dof + i] / mass;
        const double goal = b->com[c] - (c == 2 ? at->down : 0);
        add_task(b, com_weight, row, kp * (goal - com[c]) - kv * mju_dot(row, b->v, (int)b->dof));
    }
    for (size_t i = 3; i < b->dof; i++) {
        mju_zero(row, (int)b->dof);
        row[i] = 1;
        double error = 0;
        if (i >= 6) {
            const world_joint *j = joint_at(b, i - 6);
            error = b->rest[j->position] - b->data->qpos[j->position];
        }
        add_task(b, i < 6 ? base_weight : posture_weight, row, kp * error - kv * b->v[i]);
    }
    mju_free(row);
}

/* M a + bias - pull f as a row. */
static void dynamics_row(const body_programs *b, size_t dof, double *row) {
    for (size_t i = 0; i < b->p; i++) row[i] = b->M[dof * b->dof + b->used[i]];
    for (size_t f = 0; f < forces; f++) row[b->p + f] = -b->pull[dof * forces + f];
}

static void set_rows(body_programs *b) {
    const size_t n = b->n;
    memset(b->A, 0, b->m * n * sizeof *b->A);
    size_t r = 0;
    for (size_t i = 0; i < 6; i++, r++) {
        dynamics_row(b, i, b->A + r * n);
        b->lower[r] = b->upper[r] = -b->bias[i];
    }
    for (size_t k = 0; k < 6 * feet; k++, r++) {
        const double *J = b->J[k / 6] + k % 6 * b->dof;
        for (size_t i = 0; i < b->p; i++) b->A[r * n + i] = J[b->used[i]];
        b->lower[r] = b->upper[r] = -kv * mju_dot(J, b->v, (int)b->dof);
    }
    for (size_t i = 6; i < b->p; i++, r++) {
        const double limit = joint_at(b, b->used[i] - 6)->torque_limit, bias = b->bias[b->used[i]];
        dynamics_row(b, b->used[i], b->A + r * n);
        b->lower[r] = -limit - bias;
        b->upper[r] = limit - bias;
    }
    for (size_t i = 6; i < b->p; i++, r++) {
        const world_joint *j = joint_at(b, b->used[i] - 6);
        const double q = b->data->qpos[j->position], dq = b->v[b->used[i]];
        const double half = 2 / (horizon * horizon);
        b->A[r * n + i] = 1;
        b->lower[r] = fmax((-fastest - dq) / horizon, half * (j->lower - q - dq * horizon));
        b->upper[r] = fmin((fastest - dq) / horizon, half * (j->upper - q - dq * horizon));
    }
    for (size_t f = 0; f < forces; f++, r++) {
        b->A[r * n + b->p + f] = 1;
        b->lower[r] = 0;
        b->upper[r] = strongest_force;
    }
}

qp_problem body_programs_at(body_programs *b, body_motion motion, double t) {
    const moment at = moment_at(motion, t);
    place(b, &at);
    body_view_mass_matrix(b->world, b->data, b->which, b->M);
    body_view_bias(b->world, b->data, b->which, b->bias);
    for (size_t foot = 0; foot < feet; foot++)
        body_view_jacobian(b->world, b->data, b->which, b->links[foot], b->J[foot]);
    set_pull(b);
    set_objective(b, &at);
    set_rows(b);
    return (qp_problem){b->n, b->m, b->H, b->g, b->A, b->lower, b->upper};
}

/* ---- making them ---- */

static double *numbers(size_t count) {
    return allocate(count, sizeof(double));
}

static void make_arrays(body_programs *b) {
    b->n = b->p + forces;
    b->m = equalities + 2 * (b->p - 6) + forces;
    b->v = numbers(b->dof);
    b->M = numbers(b->dof * b->dof);
    b->bias = numbers(b->dof);
    for (size_t foot = 0; foot < feet; foot++) b->J[foot] = numbers(6 * b->dof);
    b->pull = numbers(b->dof * forces);
    b->H = numbers(b->n * b->n);
    b->g = numbers(b->n);
    b->A = numbers(b->m * b->n);
    b->lower = numbers(b->m);
    b->upper = numbers(b->m);
}

static bool find_humanoid(body_programs *b) {
    for (b->which = 0; b->which < b->world->body_count; b->which++)
        if (b->world->bodies[b->which].floats && (b->links[0] = find_link(b, foot_names[0])) &&
            (b->links[1] = find_link(b, foot_names[1])))
            return true;
    return false;
}

body_programs *body_programs_create(const char *path, bool fingers, stiction_error *error) {
    const world_options options = world_options_default();
    body_programs *b = allocate(1, sizeof *b);
    b->world = world_load(path, &options, error);
    if (!b->world) {
        body_programs_destroy(b);
        return NULL;
    }
    if (!find_humanoid(b)) {
        *error = (stiction_error){.status = STICTION_INVALID_CONFIG,
                                  .message = "no body floats and has the links RAR and LAR"};
        (void)snprintf(error->path, sizeof error->path, "%s", path);
        body_programs_destroy(b);
        return NULL;
    }
    const mjModel *model = b->world->model;
    b->data = mj_makeData(model);
    mj_resetDataKeyframe(model, b->data, 0);
    b->rest = numbers((size_t)model->nq);
    mju_copy(b->rest, b->data->qpos, model->nq);
    mj_fwdPosition(model, b->data);
    b->height = b->data->xpos[3 * model_body(b, b->links[0]) + 2];
    mju_copy3(b->com, b->data->subtree_com + 3 * b->world->bodies[b->which].root);
    b->dof = body_view_dof(b->world, b->which);
    b->used = allocate(b->dof, sizeof *b->used);
    for (size_t i = 0; i < b->dof; i++)
        if (fingers || i < 6 || !is_finger(joint_at(b, i - 6)->name)) b->used[b->p++] = i;
    make_arrays(b);
    return b;
}

void body_programs_destroy(body_programs *b) {
    if (!b) return;
    double *const arrays[] = {b->rest, b->v, b->M, b->bias, b->J[0],  b->J[1],
                              b->pull, b->H, b->g, b->A,    b->lower, b->upper};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    free(b->used);
    if (b->data) mj_deleteData(b->data);
    world_destroy(b->world);
    free(b);
}
