/* SPDX-License-Identifier: MIT
 * The quantities of a joint and the inputs of its friction, one row each. The structs that carry
 * them (stiction_output, stiction_implicit_output, stiction_engine_friction, the samples of
 * results) and the tables of the Python package are made from these lists.
 *
 * Torques and angles are forces and lengths for a prismatic joint.
 */
#ifndef STICTION_QUANTITIES_H
#define STICTION_QUANTITIES_H

/* X(type, name, unit, description). A new quantity is a row at the end: the structs then grow at
 * their end, which their `size` allows. For laws without static friction, static_level is F_C. */
#define STICTION_JOINT_LEVELS(X)                                                                   \
    X(double, temperature, "deg C", "at the start of the step")                                    \
    X(double, static_level, "N m", "F_S with load, temperature, ripple, direction and lag")        \
    X(double, coulomb_level, "N m", "F_C, likewise")

#define STICTION_JOINT_QUANTITIES(X)                                                               \
    X(double, torque, "N m", "friction, to be subtracted from the joint torque")                   \
    X(double, deflection, "rad", "of the bristle")                                                 \
    X(double, dissipated_energy, "J", "since the start or the last reset")                         \
    X(unsigned char, slipping, "", "1: slips, 0: sticks")                                          \
    X(double, external_torque, "N m", "of gravity, contacts and pushes, where friction reads it")  \
    STICTION_JOINT_LEVELS(X)

/* X(name, unit, description, value where the caller has no array): what a law may read besides the
 * velocity, in the order of stiction_input. Bit k of stiction_need is row k. */
#define STICTION_JOINT_INPUTS(X)                                                                   \
    X(effort, "N m", "torque of the motor", 0)                                                     \
    X(position, "rad", "of the joint", 0)                                                          \
    X(external_torque, "N m", "all other torques on the joint except friction", 0)                 \
    X(temperature, "deg C", "measured; NaN: the joint computes its own", (double)NAN)

/* A field of a struct of arrays. */
#define STICTION_QUANTITY_ARRAY(type, name, unit, description)       type *name;
#define STICTION_QUANTITY_CONST_ARRAY(type, name, unit, description) const type *name;

#endif
