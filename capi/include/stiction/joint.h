/* SPDX-License-Identifier: MIT
 * The friction of one joint: a law and its parameters, and the tables of both, from which the
 * configuration format and its documentation are generated.
 */
#ifndef STICTION_JOINT_H
#define STICTION_JOINT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stiction/error.h"
#include "stiction/models/drive.h"

STICTION_BEGIN_C

/*
 * Friction of one joint. Start from stiction_joint_def_default(): every parameter is NaN, which
 * means "not given". A law reads only its own parameters, see stiction_law_info; other parameters
 * that are given must still be within their bounds. Torques and angles are forces and lengths for a
 * prismatic joint. "> 0" means at least STICTION_LEAST (1e-30), and no parameter may exceed
 * STICTION_MOST (1e30): stiction_parameter_range gives the bounds of each.
 */
typedef struct stiction_joint_def {
    size_t size;              /* sizeof(stiction_joint_def) of the caller; set by the default */
    const char *law;          /* "stribeck", ...: a name of stiction_law_info; copied */
    double static_torque;     /* F_S, N m, >= coulomb_torque */
    double coulomb_torque;    /* F_C, N m, > 0 */
    double stribeck_velocity; /* v_S, rad/s, > 0 */
    double stribeck_exponent; /* alpha, 1 to 1000 */
    double viscous;           /* D, N m s/rad, >= 0 */
    double stiffness;         /* K, N m/rad, > 0, or STICTION_AUTO */
    double damping;           /* B, N m s/rad, >= 0, or STICTION_AUTO */
    double stick_velocity;    /* epsilon or v_0, rad/s, > 0 (karnopp, quinn, viscosity, tanh) */
    double elastic_limit;     /* z_ba, rad, > 0 (elasto_plastic) */
    double bristle_spacing;   /* Delta, rad, > 0 (bristle models) */
    double bristle_stiffness; /* kappa, N m/rad, > 0 (drbm, rbm, mpabm) */
    double bristle_height;    /* h, m, > 0 (drbm, rbm, mpabm) */
    double bristle_length;    /* l_b, m, > bristle_height (drbm, rbm) */
    double body_length;       /* d, m, > 0 (drbm, rbm) */
    double angle_scale;       /* sigma, > 0 (mpabm) */
    double min_angle;         /* theta_min, rad, > 0 (mpabm) */
    double max_angle;         /* theta_max, rad, >= min_angle (mpabm) */
    double inertia; /* M, kg m^2, >= 0: inertia that the joint moves, for hosts that see one joint
                       at a time and couple it implicitly; 0: unknown */
    double viscous_exponent; /* p of D (|v|/1 rad/s)^p, 0.01 to 10 */
    /* of real drives (coulomb, stribeck, rational): stiction/models/drive.h, docs/drives.md */
    double load_motor;            /* N m of friction per N m of motor torque, 0 to 1 */
    double load_external;         /* per N m of external torque, >= 0 */
    double load_motor_static;     /* the same, at rest only; with load_motor below 1 */
    double load_external_static;  /* >= 0 */
    double load_limit;            /* N m, torques count up to here */
    double temperature;           /* deg C at the start, -50 to 150 */
    double reference_temperature; /* deg C that the other values hold for */
    double temperature_level;     /* 1/K, of static and Coulomb torque */
    double temperature_viscous;   /* 1/K, D falls by exp */
    double ambient_temperature;   /* deg C */
    double thermal_resistance;    /* K/W; 0: no heating */
    double thermal_time;          /* s, > 0 where it heats */
    double ripple;                /* share of the torque, 0 to 0.99 */
    double ripple_count;          /* per turn of the joint */
    double ripple_phase;          /* rad */
    double reverse_factor;        /* friction backwards over forwards */
    double lag;                   /* s, >= 0 */
    double presliding_torque[STICTION_PRESLIDING_MOST]; /* N m, together at most coulomb_torque; NaN
                                                           past the end */
    double presliding_stiffness[STICTION_PRESLIDING_MOST]; /* N m/rad, as many */
    double reverse_viscous_factor; /* viscous friction backwards over forwards; NaN or
                                      STICTION_AUTO: reverse_factor */
} stiction_joint_def;

STICTION_API stiction_joint_def stiction_joint_def_default(void);

/* One parameter of the table. */
typedef struct stiction_parameter_info {
    const char *key;    /* the name of its field and of its key in a configuration file */
    const char *symbol; /* as in the papers */
    const char *unit;   /* of a revolute joint */
    const char *description;
    double minimum;  /* see also stiction_parameter_range */
    bool exclusive;  /* the minimum itself is not allowed */
    double fallback; /* the value if it is not given; NaN: it must be given; STICTION_AUTO: it
                        follows another parameter */
    size_t offset;   /* of its field in stiction_joint_def */
} stiction_parameter_info;

/* One parameter that is a list of numbers, each above 0. */
typedef struct stiction_list_info {
    const char *key;
    const char *symbol;
    const char *unit;
    const char *description;
    size_t most;   /* numbers */
    size_t offset; /* of its field in stiction_joint_def */
} stiction_list_info;

/* One law of the table: of friction that sticks, or of a model from the literature. */
typedef struct stiction_law_info {
    const char *name;
    const char *description;
    bool reference;      /* a model to compare with, with its known faults */
    bool needs_effort;   /* reads stiction_input.effort */
    uint64_t parameters; /* bit k: it reads parameter k of the table */
} stiction_law_info;

/* Row `index` of a table; false past the end. */
STICTION_API size_t stiction_parameter_count(void);
STICTION_API bool stiction_parameter_at(size_t index, stiction_parameter_info *info);
/* The smallest and the largest value of a parameter; either pointer may be NULL. Within these
 * bounds no step gives a number that is not finite. */
STICTION_API bool stiction_parameter_range(size_t index, double *least, double *most);
/* Whether a value has no effect: it is the fallback of a parameter that most configurations leave
 * out, such as those of real drives. */
STICTION_API bool stiction_parameter_is_neutral(size_t index, double value);
/* The parameters that are lists, and the number of values of one in a def. */
STICTION_API size_t stiction_list_count(void);
STICTION_API bool stiction_list_at(size_t index, stiction_list_info *info);
STICTION_API size_t stiction_joint_def_list(const stiction_joint_def *def, size_t index,
                                            const double **numbers);
STICTION_API size_t stiction_law_info_count(void);
STICTION_API bool stiction_law_info_at(size_t index, stiction_law_info *info);
/* The law with this name; false, with all zeros, if there is none. */
STICTION_API bool stiction_law_info_find(const char *name, stiction_law_info *info);

/* The value of parameter `index` in a def, or its fallback if it is not given. */
STICTION_API double stiction_joint_def_value(const stiction_joint_def *def, size_t index);

/* The parameters of a def that its law and its drive read, with fallbacks for those that are not
 * given. */
STICTION_API stiction_law_parameters stiction_joint_law_parameters(const stiction_joint_def *def);
STICTION_API stiction_drive_parameters
stiction_joint_drive_parameters(const stiction_joint_def *def);

/*
 * The steepest descent of torque over velocity of this joint, N m s/rad, for a drive over its whole
 * range of load and temperature: stiffness * timestep + damping must exceed it. -infinity for laws
 * without such a bound. It depends on the time step only if there is a lag.
 */
STICTION_API double stiction_joint_def_descent(const stiction_joint_def *def, double timestep);

/*
 * Whether a joint of this def can be stepped with this time step: every parameter of its law is
 * given and in its domain, and Z is legal. `name` is for the error message and may be NULL.
 */
STICTION_API stiction_status stiction_joint_def_check(const char *name,
                                                      const stiction_joint_def *def,
                                                      double timestep, stiction_error *error);

STICTION_END_C

#endif
