/* SPDX-License-Identifier: MIT
 * Friction and MuJoCo's constraints as one problem: what holds under contacts stays where it is,
 * and what is loaded through them breaks away at its static torque.
 */
#include "contact_scenes.h"

/* ---- creep ---- */

typedef struct holding {
    const char *name, *project, *controller;
    double strength;
    double settling, seconds;
} holding;

static const double worst_creep = 1e-12; /* rad/s */

static void check_holding(const holding *scene, host_kind kind, double timestep, bool pyramidal) {
    host *h = host_make(scene->project, &(host_options){.kind = kind,
                                                        .timestep = timestep,
                                                        .strength = scene->strength,
                                                        .pyramidal = pyramidal,
                                                        .controller = scene->controller});
    host_run(h, scene->settling);
    double height[2] = {h->data->xpos[3 * h->world->bodies[1].root + 2], 0}, speed = 0;
    const double creep = host_creep(h, scene->seconds);
    height[1] = h->data->xpos[3 * h->world->bodies[1].root + 2];
    for (int k = 0; k < 10; k++) {
        host_step(h);
        speed = fmax(speed, host_speed(h));
    }
    printf("%s, %s, %g ms, %s cone: creep %.2g rad/s, speed %.2g rad/s, fell %.2g m, %d frozen\n",
           scene->name, host_names[kind], 1e3 * timestep, pyramidal ? "pyramidal" : "elliptic",
           creep, speed, height[0] - height[1], (int)friction_frozen_steps(h->friction));
    CHECK(creep <= worst_creep);
    if (kind == HOST_RIGID) CHECK(speed == 0);
    CHECK_NEAR(height[1], height[0], 1e-3);
    host_destroy(h);
}

static void check_holds(const holding *scene) {
    for (int kind = HOST_RIGID; kind <= HOST_BRISTLE; kind++)
        for (int fast = 0; fast < 2; fast++)
            for (int cone = 0; cone < 2; cone++)
                check_holding(scene, (host_kind)kind, fast ? 0.005 : 0.001, cone == 1);
}

/* The sample's arm cannot hold itself stretched out: brakes of 30 times its friction. */
TEST(an_arm_on_its_brakes_holds_a_load_that_hangs_on_it) {
    check_holds(&(holding){"20 kg hung on the arm", scene_of_hung_load(), NULL, 30, 2, ROUNDS(60)});
}

TEST(an_arm_on_its_brakes_holds_a_box_that_stands_on_its_tip) {
    check_holds(&(holding){"5 kg on the tip", scene_of_box_on_tip(), NULL, 30, 2, ROUNDS(60)});
}

TEST(the_humanoid_stands_still_under_its_controller) {
    check_holds(&(holding){"standing under PD", standing, NULL, 0, 2, ROUNDS(20)});
}

/* Nothing but friction bears the knees' 48 N m, of which the sample's bears 25. */
TEST(the_humanoid_stands_on_its_brakes_alone) {
    check_holds(&(holding){"standing on brakes", standing, "kp=0 kv=0", 10, 2, ROUNDS(20)});
}

/* ---- breaking away ---- */

TEST(a_joint_that_is_loaded_through_a_contact_breaks_away_at_its_static_torque) {
    static const double cases[][2] = {
        {0.1, 0.001}, {0.1, 0.005}, {0.1, 0.01}, {1e-3, 0.001}, {1e-3, 0.005}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int kind = HOST_RIGID; kind <= HOST_BRISTLE; kind++) {
            const double torque = scene_breakaway((host_kind)kind, cases[k][0], cases[k][1]);
            printf("%g kg m^2, %g ms, %s: breaks away at %.4f N m\n", cases[k][0],
                   1e3 * cases[k][1], host_names[kind], torque);
            CHECK_NEAR(torque, 2.5, 0.01);
        }
}
