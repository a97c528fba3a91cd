/* SPDX-License-Identifier: MIT
 * What controllers see of a body, in our frames: mass matrix, bias, Jacobians, contacts and base,
 * each against what it must be by its meaning, not against the functions that it is made of.
 */
#include <math.h>

#include "mujoco/body_view.h"
#include "random.h"
#include "worlds.h"

static const char humanoid[] = "../sample_projects/humanoid/humanoid_standing.cnoid";

static world *load_humanoid(void) {
    return load_file(humanoid, world_options_default());
}

static size_t robot_of(const world *w) {
    size_t body = 0;
    while (!w->bodies[body].joint_count) body++;
    return body;
}

/* Anywhere, moving, with its root turned. */
static mjData *throw_about(const world *w) {
    mjData *data = start(w);
    random_source source = {7};
    for (int k = 0; k < w->model->nv; k++) data->qvel[k] = random_uniform(&source, -1, 1);
    for (int k = 0; k < 200; k++) mj_step(w->model, data);
    for (int k = 0; k < w->model->nv; k++) data->qvel[k] = random_uniform(&source, -1, 1);
    mj_forward(w->model, data);
    return data;
}

/* The velocities of a body in our order. */
static void velocities(const world *w, const mjData *data, size_t body, double *v) {
    const body_base base = body_view_base(w, data, body);
    size_t at = 0;
    for (int k = 0; k < 3 && w->bodies[body].floats; k++) v[at++] = base.linear[k];
    for (int k = 0; k < 3 && w->bodies[body].floats; k++) v[at++] = base.angular[k];
    for (size_t k = 0; k < w->bodies[body].joint_count; k++)
        v[at++] = data->qvel[w->joints[w->bodies[body].first_joint + k].velocity];
}

TEST(mass_matrix_gives_the_kinetic_energy) {
    OWNED(world) *w = load_humanoid();
    const size_t body = robot_of(w), n = body_view_dof(w, body);
    CHECK(w->bodies[body].floats && n == w->bodies[body].joint_count + 6);
    OWNED(mjData) *data = throw_about(w);
    AUTO_FREE double *M = malloc(n * n * sizeof *M), *v = malloc(n * sizeof *v);
    double energy = 0, whole = 0;
    body_view_mass_matrix(w, data, body, M);
    velocities(w, data, body, v);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            CHECK_SAME(M[i * n + k], M[k * n + i]);
            energy += v[i] * M[i * n + k] * v[k] / 2;
        }
    w->model->opt.enableflags |= mjENBL_ENERGY;
    mj_energyVel(w->model, data);
    whole = data->energy[1];
    CHECK(whole > 1);
    CHECK_NEAR(energy, whole, 1e-12 * whole);
    /* the linear block of a free body is its mass, whatever its attitude */
    CHECK_NEAR(M[0], w->model->body_subtreemass[w->bodies[body].root], 1e-9);
}

TEST(jacobians_give_the_velocities_of_links) {
    OWNED(world) *w = load_humanoid();
    const size_t body = robot_of(w), n = body_view_dof(w, body);
    OWNED(mjData) *data = throw_about(w);
    AUTO_FREE double *J = malloc(6 * n * sizeof *J), *v = malloc(n * sizeof *v);
    velocities(w, data, body, v);
    for (size_t link = 0; link < w->bodies[body].link_count; link++) {
        body_view_jacobian(w, data, body, link, J);
        mjtNum seen[6]; /* angular, then linear, at the origin of the link's frame */
        mj_objectVelocity(w->model, data, mjOBJ_XBODY, w->bodies[body].root + (int)link, seen, 0);
        for (size_t i = 0; i < 6; i++) {
            double velocity = 0;
            for (size_t k = 0; k < n; k++) velocity += J[i * n + k] * v[k];
            CHECK_NEAR(velocity, seen[(i + 3) % 6], 1e-12);
        }
    }
}

/* Where each link's velocity goes while no velocity of the body changes: J v a moment later less
 * J v a moment before. The moment squared is the error. */
static void check_link_states(const char *path) {
    OWNED(world) *w = load_file(path, world_options_default());
    const size_t body = robot_of(w), n = body_view_dof(w, body);
    const int count = (int)w->bodies[body].link_count, nq = w->model->nq;
    const double moment = 1e-4;
    OWNED(mjData) *data = throw_about(w);
    AUTO_FREE double *J = malloc(6 * n * sizeof *J), *v = malloc(n * sizeof *v);
    AUTO_FREE double *q = malloc((size_t)nq * sizeof *q),
                     *change = calloc((size_t)count, 6 * sizeof *change);
    memcpy(q, data->qpos, (size_t)nq * sizeof *q);
    velocities(w, data, body, v);
    for (int sign = -1; sign <= 1; sign += 2) {
        memcpy(data->qpos, q, (size_t)nq * sizeof *q);
        mj_integratePos(w->model, data->qpos, data->qvel, sign * moment);
        mj_forward(w->model, data);
        for (int link = 0; link < count; link++) {
            body_view_jacobian(w, data, body, (size_t)link, J);
            for (size_t i = 0; i < 6 * n; i++)
                change[(size_t)(6 * link) + i / n] += sign * J[i] * v[i % n] / (2 * moment);
        }
    }
    memcpy(data->qpos, q, (size_t)nq * sizeof *q);
    mj_forward(w->model, data);
    double largest = 0;
    for (int link = 0; link < count; link++) {
        const stiction_controller_link_state state =
            body_view_link_state(w, data, body, (size_t)link);
        const int id = w->bodies[body].root + link;
        mjtNum turned[9];
        mju_quat2Mat(turned, state.rotation);
        for (int i = 0; i < 9; i++) CHECK_NEAR(turned[i], data->xmat[9 * id + i], 1e-12);
        for (int i = 0; i < 3; i++) CHECK_SAME(state.position[i], data->xpos[3 * id + i]);
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(state.bias[i], change[6 * link + i], 1e-6);
            largest = fmax(largest, fabs(state.bias[i]));
        }
    }
    CHECK(largest > 0.1);
}

TEST(link_states_tell_where_links_go_without_acceleration) {
    check_link_states(humanoid);
}

/* A fixed base, and prismatic joints after revolute ones. */
TEST(link_states_of_joints_that_slide) {
    check_link_states("robots/arm.xml");
}

/* With that force and nothing else nothing accelerates; without it, M a = -bias. */
TEST(bias_is_the_force_that_no_acceleration_needs) {
    OWNED(world) *w = load_humanoid();
    const size_t body = robot_of(w), n = body_view_dof(w, body);
    OWNED(mjData) *data = throw_about(w);
    w->model->opt.disableflags |= mjDSBL_CONSTRAINT;
    AUTO_FREE double *M = malloc(n * n * sizeof *M), *bias = malloc(n * sizeof *bias);
    AUTO_FREE double *before = malloc(n * sizeof *before), *after = malloc(n * sizeof *after);
    mj_forward(w->model, data);
    body_view_mass_matrix(w, data, body, M);
    body_view_bias(w, data, body, bias);
    velocities(w, data, body, before);
    const double T = w->model->opt.timestep = 1e-7;
    mj_step(w->model, data);
    velocities(w, data, body, after);
    for (size_t i = 0; i < n; i++) {
        double force = bias[i], size = 1;
        for (size_t k = 0; k < n; k++) {
            force += M[i * n + k] * (after[k] - before[k]) / T;
            size += fabs(M[i * n + k] * (after[k] - before[k]) / T);
        }
        /* a step of 1e-7 s turns the frames by 1e-7, and velocities have 16 digits */
        CHECK_NEAR(force, 0, 1e-6 * size);
    }
}

/* A box that lies on a floor: its weight, at a point below its centre of mass. */
TEST(contacts_carry_the_weight) {
    (void)temporary_file("box.body", BOX_BODY);
    (void)temporary_file("floor.body", FLOOR_BODY);
    OWNED(world) *w =
        load_file(temporary_file("test.cnoid",
                                 PROJECT_HEAD BODY_ITEM("Box", "box.body",
                                                        "initial_root_translation: [ 0.3, 0, 0.2 ]")
                                     BODY_ITEM("Floor", "floor.body", "") SIMULATOR),
                  world_options_default());
    OWNED(mjData) *data = start(w);
    run(w, data, 3);
    stiction_controller_contact contacts[1];
    const double weight = mj_getTotalmass(w->model) * 9.80665;
    for (size_t body = 0; body < 2; body++) {
        const double up = body == 0 ? 1 : -1;
        CHECK(body_view_contacts(w, data, body, contacts) == 1);
        CHECK(contacts[0].link == 0);
        CHECK_NEAR(contacts[0].force[2], up * w->model->body_mass[w->bodies[0].root] * 9.80665,
                   1e-3 * weight);
        CHECK_NEAR(contacts[0].force[0], 0, 1e-3 * weight);
        /* about the origin of each: the box's own is above the contact, the floor's 0.3 m off */
        CHECK_NEAR(contacts[0].torque[1],
                   body == 0 ? 0 : w->model->body_mass[w->bodies[0].root] * 9.80665 * 0.3,
                   2e-2 * weight);
    }
}

TEST(links_have_the_names_of_the_file) {
    OWNED(world) *w = load_humanoid();
    const size_t body = robot_of(w);
    CHECK(body_view_link(w, body, w->bodies[body].link_count) == NULL);
    const body_file *file = w->bodies[body].source->file;
    CHECK(w->bodies[body].link_count == file->count);
    CHECK(strcmp(body_view_link(w, body, 0), file->links[file->root].name) == 0);
}
