/* SPDX-License-Identifier: MIT
 * I_fricK and I_fricKN: friction as force and deflection rate, for a Runge-Kutta method.
 * Kikuuwe and Yamamoto, (19), (23), (24), with the signs of PAPERS.md (no adhesion).
 * May not update a state: a stage is a trial.
 */
#include <math.h>

#include "joint_models/comparison/rk4_friction.h"

static bool is_viscoelastic(double K, double B, double tau) {
    return K > 0 && B >= 0 && tau >= 0 && isfinite(K) && isfinite(B) && isfinite(tau);
}

stiction_law_verdict stiction_fric_k_init(stiction_fric_k *fric, const stiction_law *law,
                                          const stiction_law_parameters *parameters,
                                          double stiffness, double damping, double tau) {
    *fric = (stiction_fric_k){0};
    if (!is_viscoelastic(stiffness, damping, tau)) return STICTION_LAW_OUT_OF_DOMAIN;
    stiction_phi_z phi_z;
    const stiction_law_verdict verdict =
        stiction_phi_z_prepare_inverse(&phi_z, law, parameters, fma(tau, stiffness, damping));
    if (verdict == STICTION_LAW_OK)
        *fric = (stiction_fric_k){
            .stiffness = stiffness, .damping = damping, .tau = tau, .phi_z = phi_z};
    return verdict;
}

/* (19c). While the bristle holds, this is v; to say so keeps p - e constant to the last bit. */
static void deflection_rate(bool holds, double K, double inverse_Z, size_t n, const double *v,
                            const double *e, const double *f, double *edot) {
    for (size_t i = 0; i < n; i++) edot[i] = holds ? v[i] : fma(-K, e[i], f[i]) / inverse_Z;
}

void stiction_fric_k_evaluate(const stiction_fric_k *fric, size_t n, const double *v,
                              const double *e, double *f, double *edot) {
    const stiction_phi_z *phi_z = &fric->phi_z;
    const double K = fric->stiffness;

    /* the argument of Phi_Z is v + Z K e; it waits in f, which is free until then */
    for (size_t i = 0; i < n; i++) f[i] = fma(phi_z->Z, K * e[i], v[i]);
    const bool sticks = stiction_phi_z_sticks(phi_z, stiction_norm(n, f));
    stiction_phi_z_vector(phi_z, n, f, f); /* (19b) */

    /* at the edge itself K e may exceed the breakaway force by less than an ulp of it: there (19c)
     * sees what the argument's rounding has hidden */
    const bool holds = sticks && stiction_norm(n, f) < phi_z->breakaway;
    deflection_rate(holds, K, phi_z->inverse_Z, n, v, e, f, edot);
}

void stiction_fric_kn_evaluate(const stiction_fric_kn *fric, double tau, double p_z,
                               const double v[3], const double e[2], double f[3], double edot[2]) {
    const double K = fric->stiffness, B = fric->damping, inverse_Z = fma(tau, K, B);

    /* (23a): the surface pushes, it never pulls */
    f[2] = p_z > 0 ? 0 : fmin(0, K * p_z + B * v[2]);
    const double limit = fric->coefficient * -f[2];

    /* (23b), (23c): gsat (15) of the force that would hold the contact point */
    for (int i = 0; i < 2; i++) f[i] = fma(K, e[i], inverse_Z * v[i]);
    const double trial = hypot(f[0], f[1]);
    const bool holds = trial <= limit;
    for (int i = 0; i < 2 && !holds; i++) f[i] *= limit / trial;
    deflection_rate(holds, K, inverse_Z, 2, v, e, f, edot); /* (23d) */
}
