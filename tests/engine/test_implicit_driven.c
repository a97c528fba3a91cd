/* SPDX-License-Identifier: MIT
 * A humanoid that is thrown about, with friction and MuJoCo's constraints as one problem: impacts,
 * limits and falls neither stop the solver nor give energy.
 */
#include "contact_scenes.h"
#include "random.h"

/* Work against friction, heat, and what bristles hold, over all episodes. */
typedef struct account {
    double work, heat, stored, negative; /* J; negative: heat that a step took back */
    double imbalance;                    /* of momentum, as a part of the largest force */
} account;

/* M a = everything that acts; where nothing touches, no constraint does. */
static double imbalance(const host *h) {
    const mjData *d = h->data;
    double sum[200], most = 0, scale = 0;
    if (h->world->model->nv > 200) abort();
    mj_mulM(h->world->model, d, sum, d->qacc);
    for (int i = 0; i < h->world->model->nv; i++) {
        const double constraint = d->nefc ? d->qfrc_constraint[i] : 0;
        most = fmax(most, fabs(sum[i] - d->qfrc_smooth[i] - constraint + h->torque[i]));
        scale = fmax(scale, fabs(sum[i]) + fabs(d->qfrc_smooth[i]));
    }
    return most / scale;
}

static void drive(host *h, random_source *random) {
    for (size_t k = 0; k < h->world->joint_count; k++) {
        const double F_S = friction_joint(h->friction, k)->static_torque;
        h->command[k] = random_uniform(random, -4, 4) * F_S;
    }
}

/* From the sample's start: torques of up to 4 F_S, new ones every 50 ms. */
static void run_episode(host *h, random_source *random, long steps, account *a) {
    const world_joint *joints = h->world->joints;
    mj_resetDataKeyframe(h->world->model, h->data, 0);
    const long hold = lround(0.05 / h->T);
    double energy[200] = {0};
    for (long k = 0; k < steps; k++) {
        if (k % hold == 0) drive(h, random);
        mj_step1(h->world->model, h->data);
        host_step_commanded(h);
        a->imbalance = fmax(a->imbalance, imbalance(h));
        for (size_t j = 0; j < h->world->joint_count; j++) {
            const int dof = joints[j].velocity;
            a->work += h->T * h->torque[dof] * h->data->qvel[dof];
            a->negative += fmin(h->energy[dof] - energy[j], 0);
            energy[j] = h->energy[dof];
        }
    }
    for (size_t j = 0; j < h->world->joint_count; j++) a->heat += energy[j];
    if (h->kind == HOST_RIGID) return;
    /* the next step gives the deflections after the last one */
    mj_step1(h->world->model, h->data);
    host_step_commanded(h);
    for (size_t j = 0; j < h->world->joint_count; j++) {
        const double e = h->deflection[joints[j].velocity];
        a->stored += friction_joint(h->friction, j)->stiffness * e * e / 2;
    }
}

static bool is_finite(const host *h) {
    double sum = 0;
    for (int i = 0; i < h->world->model->nq; i++) sum += h->data->qpos[i];
    for (int i = 0; i < h->world->model->nv; i++) sum += h->data->qvel[i];
    return isfinite(sum) && !h->data->warning[mjWARN_BADQPOS].number &&
           !h->data->warning[mjWARN_BADQVEL].number && !h->data->warning[mjWARN_BADQACC].number;
}

static void check_driven(host_kind kind, double timestep, bool pyramidal, long steps) {
    enum { episodes = 10 };
    random_source random = {.state = 7};
    account a = {0};
    host *h = host_make(
        standing, &(host_options){.kind = kind, .timestep = timestep, .pyramidal = pyramidal});
    for (int k = 0; k < episodes; k++) {
        run_episode(h, &random, steps / episodes, &a);
        CHECK(is_finite(h));
    }
    const double frozen = (double)friction_frozen_steps(h->friction) / (double)steps;
    const double open = (a.work - a.heat - a.stored) / a.work;
    printf("driven, %s, %g ms, %s cone: %.4f %% of %ld steps frozen, %.0f J of work, %.2g of it "
           "not accounted for, %.2g J of heat taken back, momentum off by %.2g\n",
           host_names[kind], 1e3 * timestep, pyramidal ? "pyramidal" : "elliptic", 100 * frozen,
           steps, a.work, open, a.negative, a.imbalance);
    CHECK(frozen <= 1e-3);
    CHECK_NEAR(open, 0, 1e-6);
    CHECK(a.negative == 0);
    CHECK(a.imbalance < 1e-8);
    host_destroy(h);
}

/* As many steps as a test may take; 100,000 of each were run, too. */
TEST(a_humanoid_that_is_thrown_about_keeps_its_account_of_heat) {
    check_driven(HOST_RIGID, 0.001, false, ROUNDS(2000));
    check_driven(HOST_RIGID, 0.005, true, ROUNDS(1000));
    check_driven(HOST_BRISTLE, 0.001, false, ROUNDS(5000));
    check_driven(HOST_BRISTLE, 0.005, true, ROUNDS(2000));
}
