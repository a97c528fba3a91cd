/* SPDX-License-Identifier: MIT */
/* MuJoCo's own joint friction: frictionloss with its default, a stiff and a noslip solver, and from
 * version 3.7 the LuGre friction of its dcmotor. */
#include <math.h>
#include <stdio.h>

#include "mujoco_world.h"

#ifdef PEER_MUJOCO_IS_3
#define NAME       "MuJoCo 3"
#define PEER(name) mujoco3_##name
#else
#define NAME       "MuJoCo 2"
#define PEER(name) mujoco2_##name
#endif
#ifdef PEER_MUJOCO_IN_NODE
#define IS_REMOTE true
#else
#define IS_REMOTE false
#endif

static void *create(const chain *c, const char *option, const char *solver) {
    char joint[200];
    (void)snprintf(joint, sizeof joint, "frictionloss=\"%.17g\" %s", c->static_torque, solver);
    return mujoco_open(c, mujoco_text(c, option, c->static_torque > 0 ? joint : "", ""));
}

static void *create_default(const chain *c) {
    return create(c, "", "");
}

/* The shortest time constant that the documentation allows, two steps, and an impedance near 1. */
static void *create_hard(const chain *c, const char *option) {
    char solver[200];
    (void)snprintf(solver, sizeof solver,
                   "solreffriction=\"%.17g 1\" solimpfriction=\"0.9999 0.9999 0.001 0.5 2\"",
                   2 * c->timestep);
    return create(c, option, solver);
}

static void *create_stiff(const chain *c) {
    return create_hard(c, "iterations=\"200\" tolerance=\"1e-14\"");
}

static void *create_noslip(const chain *c) {
    return create_hard(c, "iterations=\"200\" tolerance=\"1e-14\" noslip_iterations=\"20\" "
                          "noslip_tolerance=\"1e-12\"");
}

static void destroy(void *made) {
    mujoco_close(made);
}

static void step(void *made, const double *torque) {
    mujoco_step(made, torque);
}

static void read_state(void *made, double *position, double *velocity) {
    mujoco_read(made, position, velocity);
}

static void place(void *made, const double *position, const double *velocity) {
    mujoco_place(made, position, velocity);
}

static void set_level(void *made, double level) {
    mujoco_set_level(made, level);
}

#define ROW(id, title, text, stiction, maker, levels)                                              \
    const peer PEER(id) = {NAME " " title, text, stiction,   IS_REMOTE, mujoco_version, maker,     \
                           destroy,        step, read_state, place,     levels};
ROW(default, "frictionloss", "default solref and solimp", false, create_default, set_level)
ROW(stiff, "frictionloss, stiff", "solreffriction two steps, solimpfriction 0.9999, 200 iterations",
    false, create_stiff, set_level)
ROW(noslip, "frictionloss, noslip", "the same with noslip_iterations 20", false, create_noslip,
    set_level)

#ifdef PEER_MUJOCO_HAS_DCMOTOR
/* A passive motor: no windings. The damping is implicit, and makes the bristle stable at any step.
 */
static void *create_dcmotor(const chain *c) {
    char motor[300] = "";
    const double inertia = c->inertia + c->mass * c->centre * c->centre;
    const double stiffness = c->static_torque / 5e-4;
    const double damping = fmax(2 * sqrt(stiffness * inertia), 2 * c->timestep * stiffness);
    if (c->static_torque > 0)
        (void)snprintf(motor, sizeof motor,
                       "<dcmotor joint=\"J%%d\" input=\"none\" resistance=\"1e6\" "
                       "motorconst=\"1e-6\" lugre=\"%.17g %.17g %.17g %.17g %.17g\"/>",
                       stiffness, damping, c->coulomb_torque, c->static_torque, c->stribeck);
    return mujoco_open(c, mujoco_text(c, "integrator=\"implicitfast\"", "", motor));
}

ROW(dcmotor, "dcmotor, LuGre",
    "passive, stiffness F_S/0.5 mrad, damping at least 2 T stiffness, implicitfast", true,
    create_dcmotor, NULL)
#endif
