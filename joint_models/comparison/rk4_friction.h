/* SPDX-License-Identifier: MIT
 * Friction that a Runge-Kutta method can integrate. Kikuuwe and Yamamoto, (19), (23), (24).
 */
#ifndef STICTION_JOINT_MODELS_COMPARISON_RK4_FRICTION_H
#define STICTION_JOINT_MODELS_COMPARISON_RK4_FRICTION_H

#include "joint_models/element.h"

STICTION_BEGIN_C

/*
 * The forms of Kikuuwe and Yamamoto that a Runge-Kutta method can integrate: force and deflection
 * rate from velocity and deflection, nothing is updated. The stage argument tau is the time over
 * which the stage looks ahead (T_r in (21)); with B > 0, tau = 0 is the exact differential
 * equation.
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

STICTION_END_C

#endif
