/* SPDX-License-Identifier: MIT
 * What the embedded engine gives a controller beyond joints and base, against what it means: the
 * controller records it (tests/controllers/senses.c).
 */
#include <string.h>

#include "check.h"
#include "mujoco/body_view.h"
#include "mujoco/simulation_internal.h"
#include "projects.h"

static const char arm[] = "../sample_projects/arm7/arm7.cnoid";
static const char humanoid[] = "../sample_projects/humanoid/humanoid_standing.cnoid";

static simulation *make(const char *path, const char *options) {
    static char specification[500];
    static const char *specifications[] = {specification};
    stiction_error error = {0};
    simulation_options of = simulation_options_default();
    (void)snprintf(specification, sizeof specification, "%s/senses.so:%s", CONTROLLER_FOLDER,
                   options);
    warnings[0] = '\0';
    of.specifications = specifications;
    of.specification_count = 1;
    of.controller_log = keep_warning;
    simulation *s = simulation_create(path, &of, &error);
    if (!s) FAIL("%s: %s", path, error.message);
    return s;
}

static void run(simulation *s, double until) {
    stiction_error error;
    if (simulation_run(s, until, &error) != STICTION_OK) FAIL("%s", error.message);
}

static size_t body_of(const simulation *s) {
    const world *w = simulation_world(s);
    size_t body = 0;
    while (!w->bodies[body].joint_count) body++;
    return body;
}

static const double *recorded(const simulation *s) {
    return controllers_record_values(simulation_controllers(s));
}

/* The linear momentum of what a link carries. */
static void momentum(simulation *s, mjData *copy, int link, mjtNum p[3]) {
    const mjModel *model = simulation_world(s)->model;
    mj_copyData(copy, model, simulation_data(s));
    mj_forward(model, copy);
    mj_subtreeVel(model, copy);
    mju_scl3(p, copy->subtree_linvel + 3 * link, model->body_subtreemass[link]);
}

TEST(a_link_exerts_what_moves_and_carries_the_links_after_it) {
    enum { steps = 300, wanted = 3 };
    simulation *s = make(arm, "3");
    const world *w = simulation_world(s);
    const mjModel *model = w->model;
    mjData *copy = mj_makeData(model);
    const double T = model->opt.timestep;
    const int link = w->bodies[body_of(s)].root + wanted;
    double largest = 0, worst = 0;
    mjtNum before[3], after[3], pose[3], moved[3];
    for (int k = 0; k < steps; k++) {
        momentum(s, copy, link, before);
        mju_copy3(pose, copy->xpos + 3 * link);
        const stiction_controller_link_motion now =
            body_view_motion(w, copy, body_of(s), (size_t)wanted);
        run(s, (k + 1) * T);
        momentum(s, copy, link, after);
        /* recorded at the start of the next step */
        const double *values = recorded(s);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(values[2 + i], pose[i], 1e-12);
            CHECK_NEAR(values[9 + i], now.linear[i], 1e-12);
            CHECK_NEAR(values[12 + i], now.angular[i], 1e-12);
        }
        mju_copy3(moved, copy->xpos + 3 * link);
        mju_subFrom3(moved, pose);
        for (int i = 0; i < 3; i++) CHECK_NEAR(moved[i] / T, now.linear[i], 0.05);
        run(s, (k + 2) * T);
        k++;
        for (int i = 0; i < 3; i++) {
            const double expected =
                model->body_subtreemass[link] * model->opt.gravity[i] - (after[i] - before[i]) / T;
            worst = fmax(worst, fabs(recorded(s)[18 + i] - expected));
            largest = fmax(largest, fabs(expected));
        }
    }
    printf("force: at most %.3g N beside that of the momentum, of %.3g N\n", worst, largest);
    CHECK(largest > 20);
    CHECK(worst < 0.02 * largest);
    mj_deleteData(copy);
    simulation_destroy(s);
}

TEST(the_torque_about_a_joint_is_what_acts_on_it) {
    simulation *s = make(arm, "3");
    const world *w = simulation_world(s);
    const int link = w->bodies[body_of(s)].root + 3, joint = w->model->body_jntadr[link];
    const int dof = w->model->jnt_dofadr[joint];
    double largest = 0;
    for (int k = 1; k < 200; k++) {
        run(s, k * w->model->opt.timestep);
        const mjData *data = simulation_data(s);
        /* all that acts, less what turns the rotor */
        const double acts = data->qfrc_applied[dof] + data->qfrc_passive[dof] +
                            data->qfrc_constraint[dof] -
                            w->model->dof_armature[dof] * data->qacc[dof];
        mjtNum axis[3], force[3], torque[3];
        mju_copy3(axis, data->xaxis + 3 * joint);
        mj_rnePostConstraint(w->model, simulation_data(s));
        body_view_joint_wrench(w, data, body_of(s), 3, force, torque);
        CHECK_NEAR(mju_dot3(axis, torque), -acts, 0.1);
        largest = fmax(largest, fabs(acts));
    }
    CHECK(largest > 1);
    simulation_destroy(s);
}

TEST(acceleration_is_the_change_of_the_velocity) {
    simulation *s = make(arm, "5");
    const double T = simulation_world(s)->model->opt.timestep;
    run(s, T);
    for (int i = 0; i < 3; i++) CHECK_SAME(recorded(s)[15 + i], 0);
    double before[3], largest = 0;
    for (int k = 2; k < 100; k++) {
        memcpy(before, recorded(s) + 9, sizeof before);
        run(s, k * T);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(recorded(s)[15 + i], (recorded(s)[9 + i] - before[i]) / T, 1e-9);
            largest = fmax(largest, fabs(recorded(s)[15 + i]));
        }
    }
    CHECK(largest > 1);
    simulation_destroy(s);
}

static void check_start(simulation *s) {
    const world *w = simulation_world(s);
    const world_body *b = &w->bodies[body_of(s)];
    const mjData *data = simulation_data(s);
    mjData *plain = mj_makeData(w->model);
    mj_resetDataKeyframe(w->model, plain, 0);
    CHECK(b->joint_count > 2);
    for (size_t k = 0; k < b->joint_count; k++) {
        const int at = w->joints[b->first_joint + k].position;
        CHECK_NEAR(data->qpos[at], k == 1 ? plain->qpos[at] : 0.01 * (double)k, 0);
    }
    if (b->floats) {
        const body_base base = body_view_base(w, data, body_of(s));
        CHECK_NEAR(base.position[2], 2, 0);
        CHECK_NEAR(base.rotation[0], sqrt(0.5), 1e-15);
        CHECK_NEAR(base.rotation[3], sqrt(0.5), 1e-15);
    }
    mj_deleteData(plain);
}

TEST(a_controller_may_choose_where_the_simulation_starts) {
    const char *const projects[] = {arm, humanoid};
    stiction_error error;
    for (int k = 0; k < 2; k++) {
        simulation *s = make(projects[k], "0 start");
        check_start(s);
        run(s, 0.05);
        CHECK(simulation_reset(s, &error) == STICTION_OK);
        check_start(s);
        simulation_destroy(s);
    }
}

TEST(the_setup_has_rotors_the_file_and_other_bodies) {
    simulation *s = make(humanoid, "0");
    const world *w = simulation_world(s);
    const world_body *b = &w->bodies[body_of(s)];
    CHECK_CONTAINS(warnings, "humanoid/humanoid.body");
    CHECK_CONTAINS(warnings, "other Floor");
    run(s, w->model->opt.timestep);
    CHECK_SAME(recorded(s)[0], w->model->dof_armature[w->joints[b->first_joint].velocity]);
    CHECK(recorded(s)[0] > 0);
    CHECK_SAME(recorded(s)[1], (double)(w->body_count - 1));
    for (size_t k = 0; k < w->body_count; k++) {
        if (k == body_of(s)) continue;
        const body_base base = body_view_base(w, simulation_data(s), k);
        for (int i = 0; i < 3; i++) CHECK_SAME(recorded(s)[24 + i], base.position[i]);
        CHECK_SAME(recorded(s)[27], 1);
        break;
    }
    simulation_destroy(s);
}
