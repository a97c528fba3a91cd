/* SPDX-License-Identifier: MIT
 * Friction laws: Phi (torque over sliding velocity) and its implicit transformation Phi_Z.
 * Kikuuwe et al. 2006, theorem 1; Cisneros et al., sections III and IV.
 * A law does not depend on elements, joints or simulators; all functions are pure.
 *
 * For prismatic joints read N and m/s instead of N m and rad/s.
 */
#ifndef STICTION_MODELS_LAW_H
#define STICTION_MODELS_LAW_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/models/export.h"
#include "stiction/models/parameters.h"

STICTION_BEGIN_C

typedef struct stiction_phi_z stiction_phi_z;

/*
 * One law. Its functions take a velocity (or |x|) >= 0; stiction_phi and stiction_phi_z_at make it
 * odd.
 */
typedef struct stiction_law {
    const char *name;
    const char *description;
    unsigned uses; /* STICTION_USES(static_torque) | ... */
    /* Phi(v) for v > 0, its limit for v = infinity, and Phi(+0) for v = 0. */
    double (*phi)(const stiction_law_parameters *parameters, double v);
    /* dPhi/dv for v > 0, and its limits for v = infinity and 0. */
    double (*phi_slope)(const stiction_law_parameters *parameters, double v);
    /* The integral of Phi from a to b, both >= 0; accurate also where a and b are close. */
    double (*work)(const stiction_law_parameters *parameters, double a, double b);
    /* The largest -dPhi/dv over v > 0: Phi_Z exists exactly when 1/Z exceeds it. */
    double (*steepest_descent)(const stiction_law_parameters *parameters);
    /* Fills the law's own coefficients; Z is legal. */
    void (*prepare)(stiction_phi_z *phi_z);
    /* |Phi_Z(x)| for a finite x. */
    double (*magnitude)(const stiction_phi_z *phi_z, double x);
} stiction_law;

/* The number of coefficients that a law may derive from its parameters and Z. */
enum { STICTION_LAW_COEFFICIENTS = 6 };

/* A law prepared for one Z. Fill it with stiction_phi_z_prepare; read only. */
struct stiction_phi_z {
    const stiction_law *law;
    stiction_law_parameters parameters;
    double Z;         /* rad/s / (N m), > 0 */
    double inverse_Z; /* 1/Z = K T + B for element C */
    double breakaway; /* Phi(+0), N m */
    double margin;    /* 1 + Z min Phi' > 0: how far Z is from its limit, 1 = far */
    double coefficients[STICTION_LAW_COEFFICIENTS]; /* private to the law */
};

typedef enum stiction_law_verdict {
    STICTION_LAW_OK = 0,
    STICTION_LAW_OUT_OF_DOMAIN, /* a parameter or Z is not finite or outside its bounds */
    STICTION_LAW_ILLEGAL_Z      /* 1/Z <= steepest descent of Phi: Phi_Z would jump */
} stiction_law_verdict;

/* The laws: coulomb, stribeck, rational. NULL past the end or for an unknown name. */
STICTION_API size_t stiction_law_count(void);
STICTION_API const stiction_law *stiction_law_at(size_t index);
STICTION_API const stiction_law *stiction_law_find(const char *name);

/* The fallbacks of all parameters; NaN for those that must be given. */
STICTION_API stiction_law_parameters stiction_law_parameters_default(void);

/* Whether every parameter that the law uses is finite and within its bounds. */
STICTION_API bool stiction_law_in_domain(const stiction_law *law,
                                         const stiction_law_parameters *parameters);

/* Phi(v), odd; Phi(+-0) = +-Phi(+0). In this and the functions below a finite argument gives a
 * finite result: overflow gives +-DBL_MAX, and D |v|^p with p != 1 is limited to 2^390 = 2.52e117 N
 * m, as in steps. */
STICTION_API double stiction_phi(const stiction_law *law, const stiction_law_parameters *parameters,
                                 double v);

/* dPhi/dv, even. */
STICTION_API double stiction_phi_slope(const stiction_law *law,
                                       const stiction_law_parameters *parameters, double v);

/* The integral of Phi from a to b: it is even, so only |a| and |b| matter. */
STICTION_API double stiction_phi_work(const stiction_law *law,
                                      const stiction_law_parameters *parameters, double a,
                                      double b);

/* Prepares a law for one Z. Unless the verdict is OK, *phi_z is all zeros. */
STICTION_API stiction_law_verdict stiction_phi_z_prepare(stiction_phi_z *phi_z,
                                                         const stiction_law *law,
                                                         const stiction_law_parameters *parameters,
                                                         double Z);

/* The same for Z = 1/inverse_Z, which keeps K T + B exact. */
STICTION_API stiction_law_verdict
stiction_phi_z_prepare_inverse(stiction_phi_z *phi_z, const stiction_law *law,
                               const stiction_law_parameters *parameters, double inverse_Z);

/* y = Phi_Z(x): the y with y = Phi(x - Z y), or x/Z while that is within the static torque.
 * Odd to the bit, continuous, Phi_Z(+-0) = +-0, Phi_Z(inf) = inf (D > 0) or F_C (D = 0). */
STICTION_API double stiction_phi_z_at(const stiction_phi_z *phi_z, double x);

/* Whether x is within the static torque: |x| <= Z Phi(+0), decided without rounding. */
STICTION_API bool stiction_phi_z_sticks(const stiction_phi_z *phi_z, double x);

/* dPhi_Z/dx at x: 1/Z while sticking. */
STICTION_API double stiction_phi_z_slope(const stiction_phi_z *phi_z, double x);

/* The same for arrays of `count` numbers, for languages in which a call costs more than a law;
 * input and result may be the same array. */
STICTION_API void stiction_phi_array(const stiction_law *law,
                                     const stiction_law_parameters *parameters, size_t count,
                                     const double *v, double *phi);
STICTION_API void stiction_phi_slope_array(const stiction_law *law,
                                           const stiction_law_parameters *parameters, size_t count,
                                           const double *v, double *slope);
STICTION_API void stiction_phi_work_array(const stiction_law *law,
                                          const stiction_law_parameters *parameters, size_t count,
                                          const double *a, const double *b, double *work);
STICTION_API void stiction_phi_z_array(const stiction_phi_z *phi_z, size_t count, const double *x,
                                       double *y);
STICTION_API void stiction_phi_z_sticks_array(const stiction_phi_z *phi_z, size_t count,
                                              const double *x, unsigned char *sticks);
STICTION_API void stiction_phi_z_slope_array(const stiction_phi_z *phi_z, size_t count,
                                             const double *x, double *slope);

STICTION_END_C

#endif
