/* SPDX-License-Identifier: MIT
 * MuJoCo as a host that solves its contacts after our step, as Choreonoid and most others do: what
 * friction then holds, where it breaks away, and how far joints go from those of small steps.
 */
#include "contact_scenes.h"
#include "random.h"

/* ---- breaking away ---- */

TEST(a_joint_that_is_loaded_through_a_contact_breaks_away_at_its_static_torque) {
    static const double cases[][2] = {
        {0.1, 0.001}, {0.1, 0.005}, {0.1, 0.01}, {1e-3, 0.001}, {1e-3, 0.005}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double torque = scene_breakaway(HOST_LATER, cases[k][0], cases[k][1]);
        printf("%g kg m^2, %g ms: breaks away at %.4f N m\n", cases[k][0], 1e3 * cases[k][1],
               torque);
        CHECK_NEAR(torque, 2.5, 0.01);
    }
}

/* ---- creep ---- */

static void check_creep(const char *name, const char *path, double strength,
                        const char *controller) {
    for (int fast = 0; fast < 2; fast++) {
        const double T = fast ? 0.005 : 0.001;
        host *h = host_make(path, &(host_options){.kind = HOST_LATER,
                                                  .timestep = T,
                                                  .strength = strength,
                                                  .controller = controller});
        host_run(h, 3);
        const double height = h->data->xpos[3 * h->world->bodies[1].root + 2];
        const double creep = host_creep(h, ROUNDS(20));
        const double fell = height - h->data->xpos[3 * h->world->bodies[1].root + 2];
        printf("%s, %g ms: creep %.2g rad/s, speed %.2g rad/s, fell %.2g m\n", name, 1e3 * T, creep,
               host_speed(h), fell);
        CHECK(creep <= 1e-12);
        CHECK_NEAR(fell, 0, 1e-3);
        host_destroy(h);
    }
}

/* Brakes of 30 and 10 times the samples' friction where that is too weak to hold. */
TEST(an_arm_on_its_brakes_holds_a_load_that_hangs_on_it) {
    check_creep("20 kg hung on the arm", scene_of_hung_load(), 30, NULL);
}

TEST(the_humanoid_stands_still_under_its_controller) {
    check_creep("standing under PD", standing, 0, NULL);
}

TEST(the_humanoid_stands_on_its_brakes_alone) {
    check_creep("standing on brakes", standing, 10, "kp=0 kv=0");
}

/* ---- angles ---- */

typedef struct course {
    const char *name, *path;
    double seconds;
    double lifted;     /* m: dropped from there */
    double allowed[2]; /* deg at 5 and 10 ms */
} course;

/* Contacts of one softness, so that only time steps differ. */
static const double softness = 0.025;

static host *run_course(const course *c, host_kind kind, double timestep, double *angles) {
    host *h = host_make(c->path,
                        &(host_options){.kind = kind, .timestep = timestep, .softness = softness});
    if (c->lifted > 0) h->data->qpos[2] += c->lifted;
    host_run(h, c->seconds);
    for (size_t k = 0; k < h->world->joint_count; k++)
        angles[k] = h->data->qpos[h->world->joints[k].position];
    return h;
}

static double largest_difference(const host *h, const double *a, const double *b, size_t *which) {
    double most = 0;
    for (size_t k = 0; k < h->world->joint_count; k++)
        if (!(fabs(a[k] - b[k]) <= most)) {
            most = fabs(a[k] - b[k]);
            *which = k;
        }
    return most;
}

static const double degree = 3.141592653589793 / 180;

static void check_course(const course *c) {
    double reference[200], angles[200];
    host_destroy(run_course(c, HOST_EXPLICIT, 1e-4, reference));
    for (int k = 0; k < 2; k++) {
        const double T = k ? 0.01 : 0.005;
        size_t which = 0;
        host *h = run_course(c, HOST_LATER, T, angles);
        const double off = largest_difference(h, angles, reference, &which) / degree;
        printf("%s at %g ms: %.3f deg off (%s), allowed %g; speed %.2g rad/s\n", c->name, 1e3 * T,
               off, h->world->joints[which].name, c->allowed[k], host_speed(h));
        CHECK(off <= c->allowed[k]);
        if (c->lifted > 0 && k == 0) CHECK(host_speed(h) < 1e-5);
        host_destroy(h);
    }
}

TEST(the_wrist_stops_where_small_steps_stop_it) {
    check_course(&(course){.name = "wrist",
                           .path = "../sample_projects/wrist/wrist.cnoid",
                           .seconds = 6,
                           .allowed = {0.1, 0.2}});
}

TEST(the_arm_goes_where_small_steps_take_it) {
    check_course(&(course){.name = "arm7",
                           .path = "../sample_projects/arm7/arm7.cnoid",
                           .seconds = 6,
                           .allowed = {0.2, 0.4}});
}

/* Nothing touches here; of all joints, the fingers of 1e-4 kg m^2 among them. */
TEST(the_arms_of_the_humanoid_go_where_small_steps_take_them) {
    check_course(&(course){.name = "humanoid_arms",
                           .path = "../sample_projects/humanoid/humanoid_arms.cnoid",
                           .seconds = 5,
                           .allowed = {0.35, 0.6}});
}

TEST(the_humanoid_stands_as_with_small_steps) {
    check_course(
        &(course){.name = "standing", .path = standing, .seconds = 3, .allowed = {0.15, 0.3}});
}

TEST(a_humanoid_that_is_dropped_comes_to_rest_as_with_small_steps) {
    check_course(&(course){.name = "dropped from 5 cm",
                           .path = standing,
                           .seconds = 4,
                           .lifted = 0.05,
                           .allowed = {0.4, 0.7}});
}

/* ---- energy ---- */

typedef struct account {
    double turnover, work, heat;    /* J; turnover: of work, whatever its sign */
    double given, given_in_silence; /* J, by friction: with a warning and without, of each joint */
    double last[200];               /* heat of the joints before */
} account;

static void book(const host *h, account *a) {
    double given = 0;
    for (size_t k = 0; k < h->world->joint_count; k++) {
        const double heat = h->energy[h->world->joints[k].velocity];
        given += fmax(a->last[k] - heat, 0);
        a->last[k] = heat;
    }
    a->turnover += fabs(h->output.work);
    a->work += h->output.work;
    a->heat += h->output.heat;
    if (h->output.warning)
        a->given += given;
    else
        a->given_in_silence += given;
}

static void close_account(const char *name, host *h, const account *a) {
    const double open = a->work - a->heat - h->output.stored;
    printf("%s at %g ms: %.3g J of work, friction gave %.2g J with a warning and %.2g J without, "
           "%.2g J not accounted for\n",
           name, 1e3 * h->T, a->work, a->given, a->given_in_silence, open);
    CHECK_NEAR(open, 0, 1e-6 * a->turnover);
    CHECK(a->given_in_silence <= 1e-6 * a->turnover);
    host_destroy(h);
}

static void drop(double T) {
    account a = {0};
    host *h = host_make(standing, &(host_options){.kind = HOST_LATER, .timestep = T});
    h->data->qpos[2] += 0.05;
    for (long k = 0; k < lround(2 / T); k++) {
        host_step(h);
        book(h, &a);
    }
    close_account("dropped from 5 cm", h, &a);
}

/* Random torques: falls, limits, blows. */
static void throw_about(double T) {
    account a = {0};
    random_source random = {.state = 7};
    host *h = host_make(standing, &(host_options){.kind = HOST_LATER, .timestep = T});
    for (long k = 0; k < lround(3 / T); k++) {
        if (k % lround(0.05 / T) == 0)
            for (size_t j = 0; j < h->world->joint_count; j++)
                h->command[j] =
                    random_uniform(&random, -4, 4) * friction_joint(h->friction, j)->static_torque;
        mj_step1(h->world->model, h->data);
        host_step_commanded(h);
        book(h, &a);
    }
    close_account("thrown about", h, &a);
}

/* The slider loads the lever to nearly its static torque, then leaves; or falls onto it. */
static void push_lever(double T, double inertia, bool falls) {
    account a = {0};
    char name[100];
    host *h = host_make(scene_of_lever(inertia),
                        &(host_options){.kind = HOST_LATER, .timestep = T, .weightless = true});
    if (falls) h->data->qpos[h->world->joints[1].position] = 0.5;
    for (long k = 0; k < lround(4 / T); k++) {
        const double t = (double)k * T, force = 2.4 * fmin(t, 1) / lever_arm;
        mj_step1(h->world->model, h->data);
        h->command[1] = falls ? -8 : t < 2 ? -force : 20;
        host_step_commanded(h);
        book(h, &a);
    }
    (void)snprintf(name, sizeof name, "%s a lever of %g kg m^2",
                   falls ? "a blow onto" : "a contact lost by", inertia);
    close_account(name, h, &a);
}

TEST(friction_gives_no_energy_without_a_warning) {
    static const double steps[] = {0.001, 0.005, 0.01};
    for (size_t k = 0; k < 3; k++) {
        drop(steps[k]);
        throw_about(steps[k]);
        for (int falls = 0; falls < 2; falls++) {
            push_lever(steps[k], 0.1, falls == 1);
            push_lever(steps[k], 1e-3, falls == 1);
        }
    }
}
