/* SPDX-License-Identifier: MIT
 * The parameters of the laws: a row and a field each. Their domains, the keys of a configuration,
 * its messages and its documentation are generated from the rows.
 *
 * For prismatic joints read N and m/s instead of N m and rad/s.
 */
#ifndef STICTION_MODELS_PARAMETERS_H
#define STICTION_MODELS_PARAMETERS_H

#include <math.h>

/* The bounds of most parameters, in their units, and of the time step, s. No real joint exceeds
 * them, and within them no step can overflow. */
#define STICTION_LEAST 1e-30
#define STICTION_MOST  1e30

/* "auto". Stiffness and damping are derived from the other parameters whenever a joint is created,
 * so they follow a torque that is overridden or drawn: stiffness bends the bristle by 0.5 mrad (mm)
 * at break-away; damping is the larger of stiffness times 10 ms and 1.25 times what the law needs
 * at any time step. Functions that return a def return the numbers. For reverse_viscous_factor it
 * means "not given": viscous friction follows reverse_factor. */
#define STICTION_AUTO (-HUGE_VAL)

/* X(key, symbol, unit, description, minimum, whether the minimum is excluded, fallback, least,
 * most); a parameter whose fallback is NaN must be given. `least` and `most` are allowed values:
 * where the minimum is excluded, `least` is the smallest allowed number above it. A new one is a
 * row here, a field below, one of the same name at the end of stiction_joint_def, and the law that
 * reads it. */
#define STICTION_LAW_PARAMETERS(X)                                                                 \
    X(static_torque, "F_S", "N m", "static torque", 0, true, NAN, STICTION_LEAST, STICTION_MOST)   \
    X(coulomb_torque, "F_C", "N m", "Coulomb torque: sliding friction without viscosity", 0, true, \
      NAN, STICTION_LEAST, STICTION_MOST)                                                          \
    X(stribeck_velocity, "v_S", "rad/s",                                                           \
      "velocity scale of the fall from static to Coulomb torque", 0, true, NAN, STICTION_LEAST,    \
      STICTION_MOST)                                                                               \
    X(stribeck_exponent, "alpha", "1", "exponent of that fall; 1 has a closed form", 1, false, 1,  \
      1, 1000)                                                                                     \
    X(viscous, "D", "N m s/rad", "viscous friction coefficient", 0, false, 0, 0, STICTION_MOST)    \
    X(viscous_exponent, "p", "1", "exponent of D v^p with v in rad/s; 1 has a closed form", 0,     \
      true, 1, 0.01, 10)

/* Parameters of Phi. A law reads those in its `uses` and ignores the others. "> 0" means at least
 * STICTION_LEAST, and all are at most STICTION_MOST. */
typedef struct stiction_law_parameters {
    double static_torque;     /* F_S, N m, >= coulomb_torque */
    double coulomb_torque;    /* F_C, N m, > 0 */
    double stribeck_velocity; /* v_S, rad/s, > 0 */
    double stribeck_exponent; /* alpha, 1 to 1000; 1 has the closed form */
    double viscous;           /* D, N m s/rad, >= 0: at 1 rad/s */
    double viscous_exponent; /* p, 0.01 to 10; 1 has the closed form; 0 (left out of an initialiser)
                                means 1 */
} stiction_law_parameters;

/* The index of each row. */
#define STICTION_PARAMETER_NUMBER(key, ...) STICTION_PARAMETER_##key,
enum { STICTION_LAW_PARAMETERS(STICTION_PARAMETER_NUMBER) STICTION_LAW_PARAMETER_COUNT };
#undef STICTION_PARAMETER_NUMBER

/* The bit of a parameter in a law's `uses`: STICTION_USES(viscous). */
#define STICTION_USES(key) (1u << STICTION_PARAMETER_##key)

#endif
