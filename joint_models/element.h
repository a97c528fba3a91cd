/* SPDX-License-Identifier: MIT
 * Elements A to D: discrete-time friction models made of any law and a mass, a spring-damper,
 * both or neither, by implicit Euler. Kikuuwe et al. 2006, (26), (36), (38), (45).
 * An element knows no joint; it is given arrays of n components (1-D is n = 1).
 */
#ifndef STICTION_JOINT_MODELS_ELEMENT_H
#define STICTION_JOINT_MODELS_ELEMENT_H

#include "joint_models/fast/fast.h"

STICTION_BEGIN_C

/* Phi_Z of a vector for an isotropic law, K (52) to (56): y is parallel to x. x may be y. */
void stiction_phi_z_vector(const stiction_phi_z *phi_z, size_t n, const double *x, double *y);

/* The length of a vector without overflow or underflow on the way. */
double stiction_norm(size_t n, const double *x);

typedef enum stiction_element_kind {
    STICTION_ELEMENT_A, /* rigid admittance: force in, velocity out; mass */
    STICTION_ELEMENT_B, /* inertial impedance: velocity in, force out; mass, spring-damper */
    STICTION_ELEMENT_C, /* massless impedance: velocity in, force out; spring-damper */
    STICTION_ELEMENT_D  /* compliant admittance: force in, velocity out; mass, spring-damper */
} stiction_element_kind;

typedef struct stiction_element_def {
    stiction_element_kind kind;
    double mass;      /* M, kg or kg m^2, > 0 (A, B, D) */
    double stiffness; /* K, N m/rad, >= 0 (B, C, D) */
    double damping;   /* B, N m s/rad, >= 0 (B, C, D), with K T + B > 0 */
    double timestep;  /* T, s, > 0 */
} stiction_element_def;

/* An element ready to step. stiction_element_init fills it; read only. */
typedef struct stiction_element {
    stiction_element_def def;
    double Z;                              /* T/M, T/C, 1/(B + T K), T/M + 1/(B + T K) */
    double rigidity;                       /* B + T K */
    stiction_phi_z phi_z;                  /* of the law */
    stiction_element_c c;                  /* for element C */
    const stiction_fast_step *fast;        /* of an element C in closed form, else NULL */
    stiction_element_c_step_function step; /* its step of one joint, else NULL */
} stiction_element;

/* An element of a law. Unless OK, all of it is zero. */
stiction_law_verdict stiction_element_init(stiction_element *element,
                                           const stiction_element_def *def, const stiction_law *law,
                                           const stiction_law_parameters *parameters);

/* The most components that elements C and D take; more are refused. */
enum { STICTION_ELEMENT_DIMENSIONS = 16 };

/*
 * One step each. The input is the force h on the mass (A, D) or the velocity u (B, C).
 * Arrays have n components and do not overlap; the state arrays are the caller's and start at
 * zero (or, for a velocity, where the motion starts). f is the friction force.
 */
void stiction_element_a_step(const stiction_element *element, size_t n, const double *h, double *v,
                             double *f);
/* h is the force in the spring-damper, e its deflection, v the velocity of the mass. */
void stiction_element_b_step(const stiction_element *element, size_t n, const double *u, double *e,
                             double *v, double *f, double *h);
bool stiction_element_c_step(const stiction_element *element, size_t n, const double *u, double *e,
                             double *f);
/* The same without a closed form, in one dimension. */
double stiction_element_c_step_open(const stiction_element *element, double u, double *e);
/* The same in one dimension, for an element of a law: gives f. */
static inline double stiction_element_c_step_1(const stiction_element *element, double u,
                                               double *e) {
    return element->step ? element->step(&element->c, u, e)
                         : stiction_element_c_step_open(element, u, e);
}
/* Whether the friction of the next step, from the deflection e, is within the static torque. */
bool stiction_element_c_sticks(const stiction_element *element, double u, double e);

/* u is the velocity of the mass. */
bool stiction_element_d_step(const stiction_element *element, size_t n, const double *h, double *e,
                             double *u, double *f);

STICTION_END_C

#endif
