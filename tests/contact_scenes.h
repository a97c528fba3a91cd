/* SPDX-License-Identifier: MIT */
/* Scenes with contacts: things on the arm of the samples, the humanoid, and a lever that is pushed.
 * Their paths, made once. */
#ifndef STICTION_TESTS_CONTACT_SCENES_H
#define STICTION_TESTS_CONTACT_SCENES_H

#include "contact_hosts.h"

static const char standing[] = "../sample_projects/humanoid/humanoid_standing.cnoid";

/* Friction for the bodies of a scene. */
#define FRICTION_ITEM(file)                                                                        \
    "        - { class: AISTSimulatorItem, name: Sim, data: { time_step: 0.001 }, children: [\n"   \
    "            { class: StictionItem, name: S, data: { enabled: true,\n"                         \
    "              configuration_file: \"" file "\" } } ] }\n"

static inline const char *scene_path(const char *relative) {
    static char path[PATH_MAX];
    if (!realpath(relative, path)) abort();
    return path;
}

/* The arm of the samples at these angles, and a thing at a place; the sample's friction. */
static inline const char *scene_of_arm(const char *name, const char *angles, const char *thing,
                                       const char *place) {
    char text[3 * PATH_MAX], arm[PATH_MAX];
    (void)snprintf(arm, sizeof arm, "%s", scene_path("../sample_projects/arm7/arm7.body"));
    (void)temporary_file("thing.body", thing);
    (void)snprintf(
        text, sizeof text,
        PROJECT_HEAD
        "        - { class: BodyItem, name: Arm, data: { file: \"%s\",\n"
        "            fix_root: true, collision_detection: true,\n"
        "            joint_displacements: [ %s ], initial_joint_displacements: [ %s ] } }\n"
        "        - { class: BodyItem, name: Thing, data: { file: thing.body,\n"
        "            initial_root_translation: [ %s ] } }\n"
        "        - { class: AISTSimulatorItem, name: Sim, data: { time_step: 0.001 }, children: [\n"
        "            { class: StictionItem, name: S, data: { enabled: true,\n"
        "              configuration_file: \"%s\" } } ] }\n",
        arm, angles, angles, place, scene_path("../sample_projects/arm7/arm7.yaml"));
    return temporary_file(name, text);
}

/* 20 kg below a plate that lies on the last link of the arm, which is stretched out. */
static inline const char *scene_of_hung_load(void) {
    return scene_of_arm("hung.cnoid", "0, 90, 0, 0, 0, 0, 0",
                        BODY_HEAD "  - { name: LOAD, joint_type: free, mass: 20,\n"
                                  "      center_of_mass: [ 0, 0, -0.25 ],\n"
                                  "      inertia: [ 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1 ],\n"
                                  "      elements: { Shape: { geometry: { type: Box, size: "
                                  "[ 0.03, 0.05, 0.02 ] } } } }\n",
                        "0.95, 0, 0.39");
}

/* A box of 5 kg on the tip of the arm, which leans. */
static inline const char *scene_of_box_on_tip(void) {
    return scene_of_arm("tip.cnoid", "0, 20, 0, 0, 0, -20, 0",
                        BODY_HEAD "  - { name: BOX, joint_type: free, mass: 5,\n"
                                  "      inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 ],\n"
                                  "      elements: { Shape: { geometry: { type: Box, size: "
                                  "[ 0.06, 0.05, 0.1 ] } } } }\n",
                        /* J6 is 0.8 m along the leaning links, the top 0.17 m above it */
                        "0.273616114661535, 0, 1.3117540966287267");
}

/* A lever with the paper's wrist friction, touched by a slider without any: what pushes the slider
 * reaches the lever only through the contact, 0.2 m from its joint. */
static const double lever_arm = 0.2;

static inline const char *scene_of_lever(double inertia) {
    char body[1000];
    (void)snprintf(body, sizeof body,
                   "format: ChoreonoidBody\nformat_version: 2.0\nname: Lever\nlinks:\n"
                   "  - { name: BASE, joint_type: fixed }\n"
                   "  - { name: LEVER, parent: BASE, joint_type: revolute, joint_id: 0,\n"
                   "      joint_axis: Y, mass: 0.1,\n"
                   "      inertia: [ %g, 0, 0, 0, %g, 0, 0, 0, %g ],\n"
                   "      elements: { Shape: { translation: [ 0.2, 0, 0 ],\n"
                   "        geometry: { type: Sphere, radius: 0.02 } } } }\n",
                   inertia, inertia, inertia);
    (void)temporary_file("lever.body", body);
    (void)temporary_file("slider.body",
                         "format: ChoreonoidBody\nformat_version: 2.0\nname: Slider\nlinks:\n"
                         "  - { name: BASE, joint_type: fixed }\n"
                         "  - { name: SLIDER, parent: BASE, joint_type: prismatic, joint_id: 0,\n"
                         "      joint_axis: Z, mass: 1,\n"
                         "      inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 ],\n"
                         "      elements: { Shape: { translation: [ 0.2, 0, 0.03 ],\n"
                         "        geometry: { type: Box, size: [ 0.1, 0.1, 0.02 ] } } } }\n");
    (void)temporary_file("lever.yaml",
                         "stiction: 1\nmodels: [Lever]\njoints:\n  LEVER:\n    law: stribeck\n"
                         "    static_torque: 2.5\n    coulomb_torque: 0.4\n"
                         "    stribeck_velocity: 0.06\n    stribeck_exponent: 1\n"
                         "    viscous: 4.5\n    stiffness: 5000\n    damping: 50\n");
    return temporary_file("lever.cnoid",
                          PROJECT_HEAD BODY_ITEM("Lever", "lever.body", "fix_root: true")
                              BODY_ITEM("Slider", "slider.body", "fix_root: true")
                                  FRICTION_ITEM("lever.yaml"));
}

/* The torque of the contact at which a slow ramp makes the lever slip. */
static inline double scene_breakaway(host_kind kind, double inertia, double timestep) {
    static const double rate = 0.1; /* N m/s */
    host *h = host_make(scene_of_lever(inertia),
                        &(host_options){.kind = kind, .timestep = timestep, .weightless = true});
    double slipped = 0, torque = 0, last = 0;
    const int lever = h->world->joints[0].velocity;
    for (int k = 0; k < h->world->model->ngeom; k++) h->world->model->geom_condim[k] = 1;
    while (slipped < 1e-3 && torque < 4) {
        mj_step1(h->world->model, h->data);
        const double angle = h->data->qpos[lever], force = rate * h->data->time / lever_arm;
        h->command[0] = 0;
        h->command[1] = -force;
        host_step_commanded(h);
        /* since the last step; bristles may be softer than they are told */
        const double foot = h->kind == HOST_RIGID ? angle : angle - h->deflection[lever];
        slipped = h->slipping[lever] ? slipped + fabs(foot - last) : 0;
        last = foot;
        torque = force * lever_arm * cos(angle);
    }
    host_destroy(h);
    return torque;
}

#endif
