/*
 * Elements A to D: discrete-time friction models made of any law and a mass, a spring-damper,
 * both or neither, by implicit Euler. Kikuuwe et al. 2006, (26), (36), (38), (45).
 * An element knows no joint; it is given arrays of n components (1-D is n = 1).
 */
#ifndef STICTION_MODELS_ELEMENT_H
#define STICTION_MODELS_ELEMENT_H

#include "joint_models/fast/fast.h"

STICTION_BEGIN_C

/*
 * Any Phi_Z, as a map of n components: y = Phi_Z(x), x and y apart. `context` is what the map was
 * made from. The approximations below serve where no exact one is known.
 */
typedef void (*stiction_phi_z_map)(const void *context, double Z, size_t n, const double *x,
                                   double *y);

/* Any Phi as a map of n components, for the approximations. Phi(0) may be anything. */
typedef void (*stiction_phi_map)(const void *context, size_t n, const double *x, double *y);

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

/* Z of an element: T/M, T/C, 1/(B + T K), T/M + 1/(B + T K). NaN where the def is not valid. */
STICTION_API double stiction_element_z(const stiction_element_def *def);

/* An element ready to step. Fill it with one of the two functions below; read only. */
typedef struct stiction_element {
    stiction_element_def def;
    double Z;
    double rigidity;                       /* B + T K */
    stiction_phi_z phi_z;                  /* of the law, where made from one */
    stiction_element_c c;                  /* for element C */
    const stiction_fast_step *fast;        /* of an element C in closed form, else NULL */
    stiction_element_c_step_function step; /* its step of one joint, else NULL */
    stiction_phi_z_map map;
    const void *context; /* NULL: phi_z */
} stiction_element;

/* An element of an exact isotropic law. */
STICTION_API stiction_law_verdict stiction_element_init(stiction_element *element,
                                                        const stiction_element_def *def,
                                                        const stiction_law *law,
                                                        const stiction_law_parameters *parameters);

/* An element of any Phi_Z map; `context` must outlive the element. False: def is not valid. */
STICTION_API bool stiction_element_init_map(stiction_element *element,
                                            const stiction_element_def *def, stiction_phi_z_map map,
                                            const void *context);

/* The most components that elements C and D take; more are refused. */
enum { STICTION_ELEMENT_DIMENSIONS = 16 };

/*
 * One step each. The input is the force h on the mass (A, D) or the velocity u (B, C).
 * Arrays have n components and do not overlap; the state arrays are the caller's and start at
 * zero (or, for a velocity, where the motion starts). f is the friction force.
 */
STICTION_API void stiction_element_a_step(const stiction_element *element, size_t n,
                                          const double *h, double *v, double *f);
/* h is the force in the spring-damper, e its deflection, v the velocity of the mass. */
STICTION_API void stiction_element_b_step(const stiction_element *element, size_t n,
                                          const double *u, double *e, double *v, double *f,
                                          double *h);
STICTION_API bool stiction_element_c_step(const stiction_element *element, size_t n,
                                          const double *u, double *e, double *f);
/* The same without a closed form, in one dimension. */
STICTION_API double stiction_element_c_step_open(const stiction_element *element, double u,
                                                 double *e);
/* The same in one dimension, for an element of a law: gives f. */
static inline double stiction_element_c_step_1(const stiction_element *element, double u,
                                               double *e) {
    return element->step ? element->step(&element->c, u, e)
                         : stiction_element_c_step_open(element, u, e);
}
/* Whether the friction of the next step, from the deflection e, is within the static torque. */
STICTION_API bool stiction_element_c_sticks(const stiction_element *element, double u, double e);

/* u is the velocity of the mass. */
STICTION_API bool stiction_element_d_step(const stiction_element *element, size_t n,
                                          const double *h, double *e, double *u, double *f);

/* K (46) and (57): Phi outside, x/Z inside. `context` is a stiction_vector_law. */
typedef struct stiction_vector_law {
    stiction_phi_map phi;
    const void *context;
} stiction_vector_law;
STICTION_API void stiction_map_57(const void *vector_law, double Z, size_t n, const double *x,
                                  double *y);
/* K (59): the same with a correction for laws whose force is not along the velocity. */
STICTION_API void stiction_map_59(const void *vector_law, double Z, size_t n, const double *x,
                                  double *y);
/* K (46) of a scalar law. */
STICTION_API double stiction_approximation_46(const stiction_law *law,
                                              const stiction_law_parameters *parameters, double Z,
                                              double x);

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
STICTION_API stiction_law_verdict stiction_fric_k_init(stiction_fric_k *fric,
                                                       const stiction_law *law,
                                                       const stiction_law_parameters *parameters,
                                                       double stiffness, double damping,
                                                       double tau);
STICTION_API void stiction_fric_k_evaluate(const stiction_fric_k *fric, size_t n, const double *v,
                                           const double *e, double *f, double *edot);

/* I_fricKN (23), (24): Coulomb friction on the plane z = 0 under a penalty normal force. */
typedef struct stiction_fric_kn {
    double stiffness;   /* K, N/m, > 0 */
    double damping;     /* B, N s/m, >= 0, with B + tau K > 0 */
    double coefficient; /* mu, > 0 */
} stiction_fric_kn;

/* The object at height p_z with velocity v[3] receives -f[3] (f_z <= 0: no adhesion); e[2]. */
STICTION_API void stiction_fric_kn_evaluate(const stiction_fric_kn *fric, double tau, double p_z,
                                            const double v[3], const double e[2], double f[3],
                                            double edot[2]);

STICTION_END_C

#endif
