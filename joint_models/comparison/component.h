/* SPDX-License-Identifier: MIT
 * Components for networks: rigid bodies, friction, contacts, joints.
 * Kikuuwe and Yamamoto, (11), (12), (19), (23) to (26), (29).
 * A component is a const struct of parameters, which must outlive it; its state is the network's.
 *
 * The force of an impedance is what its input has to overcome: the mover receives -force.
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_COMPONENT_H
#define STICTION_JOINT_MODELS_COMPARISON_COMPONENT_H

#include "joint_models/comparison/network.h"
#include "joint_models/element.h"
#include "joint_models/reference/reference.h"

STICTION_BEGIN_C

/*
 * The forms of Kikuuwe and Yamamoto that a Runge-Kutta method can integrate: force and deflection
 * rate from velocity and deflection, nothing is updated. The stage argument tau is the time over
 * which the stage looks ahead (T_r in (21)).
 */
typedef struct stiction_fric_k {
    double stiffness; /* K, > 0 */
    double damping;   /* B, >= 0, with B + tau K > 0 */
    double tau;       /* s, >= 0 */
    stiction_phi_z phi_z;
} stiction_fric_k;

/* I_fricK (19), for any isotropic law. */
stiction_law_verdict stiction_fric_k_init(stiction_fric_k *fric, const stiction_law *law,
                                          const stiction_law_parameters *parameters,
                                          double stiffness, double damping, double tau);
void stiction_fric_k_evaluate(const stiction_fric_k *fric, size_t n, const double *v,
                              const double *e, double *f, double *edot);

/* I_fricKN (23), (24): Coulomb friction on the plane z = 0 under a penalty normal force. */
typedef struct stiction_fric_kn {
    double stiffness;   /* K, N/m, > 0 */
    double damping;     /* B, N s/m, >= 0, with B + tau K > 0 */
    double coefficient; /* mu, > 0 */
} stiction_fric_kn;

/* The object at height p_z with velocity v[3] receives -f[3] (f_z <= 0: no adhesion); e[2]. */
void stiction_fric_kn_evaluate(const stiction_fric_kn *fric, double tau, double p_z,
                               const double v[3], const double e[2], double f[3], double edot[2]);

/*
 * A_rigid (26): the state (25) is p[3] and v[3] of the centre of mass, the unit quaternion q[4]
 * (real part first, body to world) and omega[3], in the world's frame; the input is the force and
 * the moment about the centre of mass, in the world's frame too.
 */
enum {
    STICTION_RIGID_P = 0,
    STICTION_RIGID_V = 3,
    STICTION_RIGID_Q = 6,
    STICTION_RIGID_W = 10,
    STICTION_RIGID_STATES = 13
};
typedef struct stiction_rigid_body {
    double mass;          /* M, kg, > 0 */
    double inertia[3][3]; /* J, kg m^2, about the centre of mass, body frame; positive definite */
} stiction_rigid_body;
stiction_admittance stiction_rigid_body_admittance(const stiction_rigid_body *body);

/* A frame fixed to a body at `offset` (body frame) from its centre of mass, in the form (25). */
void stiction_rigid_body_frame(const double body[STICTION_RIGID_STATES], const double offset[3],
                               double frame[STICTION_RIGID_STATES]);

/* Adds `sign` times a wrench[6] (force, moment) at a frame to the input[6] of its body. */
void stiction_rigid_body_apply(const double body[STICTION_RIGID_STATES],
                               const double frame[STICTION_RIGID_STATES], double sign,
                               const double wrench[6], double input[6]);

/* I_fricK (19) of any isotropic law, made for one time step: input v[n]; state e[n]; force f[n]. */
typedef struct stiction_staged_friction {
    size_t n;
    stiction_fric_k half, full; /* for tau = T/2 and T */
} stiction_staged_friction;
stiction_law_verdict stiction_staged_friction_init(stiction_staged_friction *friction, size_t n,
                                                   const stiction_law *law,
                                                   const stiction_law_parameters *parameters,
                                                   double stiffness, double damping,
                                                   double timestep);
stiction_impedance stiction_staged_friction_impedance(const stiction_staged_friction *friction);

/* I_fricKN (24): input p_z, v[3]; state e[2]; force f[3]. */
stiction_impedance stiction_fric_kn_impedance(const stiction_fric_kn *contact);

/*
 * Dahl (11), LuGre (12) and the elasto-plastic model, for comparison: input v; state z; force f.
 * RK4 is stable while T |v| sigma_0/f_c < 2.7; a faster slide makes z explode.
 */
stiction_impedance stiction_single_state_impedance(const stiction_single_state *model);

/*
 * I_joint (29): a revolute joint of stiff springs between a frame of the parent and one of the
 * child, with friction about the axis. Input: both frames in the form (25), parent first; state:
 * the friction's e; force: a wrench[6], of which the child receives -1 times, the parent +1 times.
 */
typedef struct stiction_penalty_joint {
    double axis[3];                           /* unit vector, the same in both body frames */
    double stiffness, damping;                /* against separation, N/m and N s/m, >= 0 */
    double bend_stiffness;                    /* against bending of the axis, N m/rad, >= 0 */
    double bend_damping;                      /* N m s/rad, >= 0 */
    const stiction_staged_friction *friction; /* n = 1 */
} stiction_penalty_joint;
stiction_impedance stiction_penalty_joint_impedance(const stiction_penalty_joint *joint);

STICTION_END_C

#endif
