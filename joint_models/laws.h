/*
 * The laws of the table in law.c, and what their sliding branches have in common.
 * Cisneros et al., section IV, in the form that loses no digits.
 */
#ifndef STICTION_JOINT_MODELS_LAWS_H
#define STICTION_JOINT_MODELS_LAWS_H

#include "double_double.h"
#include "stiction/models/law.h"

/* A new law is one file and one word here. */
#define STICTION_LAWS(ROW) ROW(coulomb) ROW(stribeck) ROW(rational)

/* The name of a law's row in the copy of its file for one instruction set. */
#ifndef STICTION_VARIANT
#define STICTION_VARIANT baseline
#endif
#define STICTION_VARIANT_OF(name, variant) STICTION_JOINED(name, variant)
#define STICTION_JOINED(name, variant)     stiction_##name##_##variant
#define STICTION_LAW_OF(name, variant)     STICTION_VARIANT_OF(law_##name, variant)
#define STICTION_LAW(name)                 STICTION_LAW_OF(name, STICTION_VARIANT)

#define STICTION_DECLARE_LAW(name)                                                                 \
    extern const stiction_law STICTION_LAW_OF(name, baseline), STICTION_LAW_OF(name, avx2);
STICTION_LAWS(STICTION_DECLARE_LAW)

/* Z Phi(+0) - |x|, one rounding, so that its sign is exact: the joint slides where it is negative.
 */
static inline double stiction_reserve(const stiction_phi_z *phi_z, double x) {
    return fma(phi_z->Z, phi_z->breakaway, -x);
}

/* F_SC = F_S - F_C without error. */
static inline dd stiction_f_sc(const stiction_law_parameters *p) {
    return dd_sum(p->static_torque, -p->coulomb_torque);
}

/* g = 1 + Z D. */
static inline dd stiction_g(const stiction_phi_z *phi_z) {
    return dd_add(dd_from(1), dd_product(phi_z->Z, phi_z->parameters.viscous));
}

/* kappa = Z F_SC/(v_S g). */
static inline dd stiction_kappa(const stiction_phi_z *phi_z) {
    const stiction_law_parameters *p = &phi_z->parameters;
    return dd_div(dd_mul(dd_from(phi_z->Z), stiction_f_sc(p)),
                  dd_mul(dd_from(p->stribeck_velocity), stiction_g(phi_z)));
}

/* sigma = (|x| - Z F_S)/(v_S g). */
static inline dd stiction_sigma(const stiction_phi_z *phi_z, double x) {
    const stiction_law_parameters *p = &phi_z->parameters;
    return dd_div(dd_sub(dd_from(x), dd_product(phi_z->Z, p->static_torque)),
                  dd_mul(dd_from(p->stribeck_velocity), stiction_g(phi_z)));
}

/* 1/(v_S g). */
static inline dd stiction_rate_of(const stiction_phi_z *phi_z) {
    return dd_div(dd_from(1),
                  dd_mul(dd_from(phi_z->parameters.stribeck_velocity), stiction_g(phi_z)));
}

/* offset and gain: the line (F_C + D |x|)/g that every sliding branch tends to. */
static inline void stiction_prepare_line(stiction_phi_z *phi_z) {
    const dd g = stiction_g(phi_z);
    phi_z->sliding.offset = dd_round(dd_div(dd_from(phi_z->parameters.coulomb_torque), g));
    phi_z->sliding.gain = dd_round(dd_div(dd_from(phi_z->parameters.viscous), g));
}

/* The line and what laws with F_S > F_C need, each coefficient rounded once. */
static inline void stiction_prepare_stiction(stiction_phi_z *phi_z) {
    const dd g = stiction_g(phi_z), kappa = stiction_kappa(phi_z);
    const dd one_minus_kappa = dd_sub(dd_from(1), kappa);
    stiction_prepare_line(phi_z);
    phi_z->sliding.amplitude = dd_round(dd_div(stiction_f_sc(&phi_z->parameters), g));
    phi_z->sliding.rate = dd_round(stiction_rate_of(phi_z));
    phi_z->sliding.bend = dd_round(kappa);
    phi_z->sliding.one_minus_bend = dd_round(one_minus_kappa);
    /* 1 + Z Phi'(+0) = g (1 - kappa) */
    phi_z->margin = dd_round(dd_mul(g, one_minus_kappa));
}

#endif
