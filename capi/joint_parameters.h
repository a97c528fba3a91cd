/* SPDX-License-Identifier: MIT
 * The parameters that a joint's friction can have: those of the laws, and those of elements and
 * reference models. The table of joint.c and the bits of kinds.c are made from this list.
 */
#ifndef STICTION_CAPI_JOINT_PARAMETERS_H
#define STICTION_CAPI_JOINT_PARAMETERS_H

#include "stiction/models/drive.h"

/* Rows as those of STICTION_LAW_PARAMETERS, which come first: a law's `uses` has the same bits. */
#define PARAMETERS(X)                                                                              \
    STICTION_LAW_PARAMETERS(X)                                                                     \
    X(stiffness, "K", "N m/rad", "of the bristle", 0, true, NAN, STICTION_LEAST, STICTION_MOST)    \
    X(damping, "B", "N m s/rad", "of the bristle", 0, false, NAN, 0, STICTION_MOST)                \
    X(stick_velocity, "epsilon", "rad/s", "velocity below which the model is at rest", 0, true,    \
      NAN, STICTION_LEAST, STICTION_MOST)                                                          \
    X(elastic_limit, "z_ba", "rad", "largest purely elastic deflection", 0, true, NAN,             \
      STICTION_LEAST, STICTION_MOST)                                                               \
    X(bristle_spacing, "Delta", "rad", "distance between bristles", 0, true, NAN, STICTION_LEAST,  \
      STICTION_MOST)                                                                               \
    X(bristle_stiffness, "kappa", "N m/rad", "stiffness of a bristle's torsion spring", 0, true,   \
      NAN, STICTION_LEAST, STICTION_MOST)                                                          \
    X(bristle_height, "h", "m", "height of the body above the bristle bases", 0, true, NAN,        \
      STICTION_LEAST, STICTION_MOST)                                                               \
    X(bristle_length, "l_b", "m", "length of a bristle", 0, true, NAN, STICTION_LEAST,             \
      STICTION_MOST)                                                                               \
    X(body_length, "d", "m", "length of the sliding body", 0, true, NAN, STICTION_LEAST,           \
      STICTION_MOST)                                                                               \
    X(angle_scale, "sigma", "1", "mean pivot angle per deflection", 0, true, NAN, STICTION_LEAST,  \
      STICTION_MOST)                                                                               \
    X(min_angle, "theta_min", "rad", "mean pivot angle at high velocity", 0, true, NAN,            \
      STICTION_LEAST, STICTION_MOST)                                                               \
    X(max_angle, "theta_max", "rad", "mean pivot angle at rest", 0, true, NAN, STICTION_LEAST,     \
      STICTION_MOST)                                                                               \
    X(inertia, "M", "kg m^2", "inertia of the joint, for the customizer; 0: unknown", 0, false, 0, \
      0, STICTION_MOST)                                                                            \
    STICTION_DRIVE_PARAMETERS(X)

/* X(key, symbol, unit, description) of the parameters that are lists. In errors they are numbered
 * after the other parameters. */
#define PARAMETER_LISTS(X)                                                                         \
    X(presliding_torque, "F_i", "N m", "slip torques of additional elements")                      \
    X(presliding_stiffness, "K_i", "N m/rad", "stiffness of these elements")

#define PARAMETER_INDEX(key, ...) parameter_##key,
enum { PARAMETERS(PARAMETER_INDEX) parameter_count };
enum {
    parameter_before_lists = parameter_count - 1,
    PARAMETER_LISTS(PARAMETER_INDEX) parameter_end
};
#undef PARAMETER_INDEX

#endif
