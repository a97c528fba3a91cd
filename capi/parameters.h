/*
 * The parameters that a joint's friction can have, once: the table of joint.c and the bits of
 * kinds.c are made from this list. Its first five stand in the order of a law's STICTION_USES_...
 */
#ifndef STICTION_CAPI_PARAMETERS_H
#define STICTION_CAPI_PARAMETERS_H

#define REQUIRED ((double)NAN)

/* X(key, symbol, unit, description, minimum, whether the minimum is excluded, fallback) */
#define PARAMETERS(X)                                                                              \
    X(static_torque, "F_S", "N m", "largest torque at rest", 0, true, REQUIRED)                    \
    X(coulomb_torque, "F_C", "N m", "torque of fast sliding, viscosity apart", 0, true, REQUIRED)  \
    X(stribeck_velocity, "v_S", "rad/s", "over which static falls to kinetic friction", 0, true,   \
      REQUIRED)                                                                                    \
    X(stribeck_exponent, "alpha", "1", "of that fall; 1 has a closed form", 1, false, 1)           \
    X(viscous, "D", "N m s/rad", "viscous friction", 0, false, 0)                                  \
    X(stiffness, "K", "N m/rad", "of the bristle", 0, true, REQUIRED)                              \
    X(damping, "B", "N m s/rad", "of the bristle", 0, false, REQUIRED)                             \
    X(stick_velocity, "epsilon", "rad/s", "below which the model treats motion as rest", 0, true,  \
      REQUIRED)                                                                                    \
    X(elastic_limit, "z_ba", "rad", "deflection up to which nothing slips", 0, true, REQUIRED)     \
    X(bristle_spacing, "Delta", "rad", "between two bristles", 0, true, REQUIRED)                  \
    X(bristle_stiffness, "kappa", "N m/rad", "of a bristle's torsion spring", 0, true, REQUIRED)   \
    X(bristle_height, "h", "m", "of the body above the bristles' bases", 0, true, REQUIRED)        \
    X(bristle_length, "l_b", "m", "of a bristle", 0, true, REQUIRED)                               \
    X(body_length, "d", "m", "of the body that slides on the bristles", 0, true, REQUIRED)         \
    X(angle_scale, "sigma", "1", "mean pivot angle over deflection", 0, true, REQUIRED)            \
    X(min_angle, "theta_min", "rad", "mean pivot angle of fast sliding", 0, true, REQUIRED)        \
    X(max_angle, "theta_max", "rad", "mean pivot angle at rest", 0, true, REQUIRED)

#define PARAMETER_INDEX(key, ...) parameter_##key,
enum { PARAMETERS(PARAMETER_INDEX) parameter_count };
#undef PARAMETER_INDEX

#endif
