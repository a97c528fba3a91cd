/* SPDX-License-Identifier: MIT
 * The effects of a drive on a friction law: levels that change with load, temperature, position and
 * direction, friction that lags the velocity, and heating. They are evaluated at the start of a
 * step, so the law keeps its closed form. docs/drives.md has the formulas.
 *
 * For prismatic joints read N and m instead of N m and rad.
 */
#ifndef STICTION_MODELS_DRIVE_H
#define STICTION_MODELS_DRIVE_H

#include "stiction/models/law.h"

STICTION_BEGIN_C

/* Temperatures are clamped to this range, deg C, as torques are to load_limit; a configuration is
 * checked at both ends. */
#define STICTION_COLDEST (-50.0)
#define STICTION_HOTTEST 150.0

/* Rows as in STICTION_LAW_PARAMETERS. With the fallbacks, a drive has no effect. A new one is a
 * row here, a field below, one of the same name at the end of stiction_joint_def, and its term in
 * joint_models/drive. */
#define STICTION_DRIVE_PARAMETERS(X)                                                               \
    X(load_motor, "mu_m", "1", "friction per motor torque", 0, false, 0, 0, 1)                     \
    X(load_external, "mu_e", "1", "friction per external torque", 0, false, 0, 0, 1000)            \
    X(load_motor_static, "mu_ms", "1", "additional static friction per motor torque", 0, false, 0, \
      0, 1)                                                                                        \
    X(load_external_static, "mu_es", "1", "additional static friction per external torque", 0,     \
      false, 0, 0, 1000)                                                                           \
    X(load_limit, "tau_max", "N m", "torques are clamped to this value", 0, true, STICTION_MOST,   \
      STICTION_LEAST, STICTION_MOST)                                                               \
    X(temperature, "theta", "deg C", "initial temperature; a host may set it", STICTION_COLDEST,   \
      false, 25, STICTION_COLDEST, STICTION_HOTTEST)                                               \
    X(reference_temperature, "theta_r", "deg C",                                                   \
      "temperature for which the other values are valid", STICTION_COLDEST, false, 25,             \
      STICTION_COLDEST, STICTION_HOTTEST)                                                          \
    X(temperature_level, "k_F", "1/K", "relative increase of static and Coulomb torque", -1,       \
      false, 0, -1, 1)                                                                             \
    X(temperature_viscous, "k_D", "1/K", "exponential decrease of viscosity", -1, false, 0, -1, 1) \
    X(ambient_temperature, "theta_a", "deg C", "temperature of the surroundings",                  \
      STICTION_COLDEST, false, 25, STICTION_COLDEST, STICTION_HOTTEST)                             \
    X(thermal_resistance, "R", "K/W", "thermal resistance to the surroundings; 0: no heating", 0,  \
      false, 0, 0, 1e6)                                                                            \
    X(thermal_time, "t_R", "s", "thermal time constant; needed with thermal_resistance", 0, false, \
      0, 0, STICTION_MOST)                                                                         \
    X(ripple, "r", "1", "share of the torque that varies with position", 0, false, 0, 0, 0.99)     \
    X(ripple_count, "n_r", "1", "periods per turn of the joint", 0, true, 1, 1e-6, 1e6)            \
    X(ripple_phase, "phi_r", "rad", "phase of the ripple", -1000, false, 0, -1000, 1000)           \
    X(reverse_factor, "k_R", "1", "ratio of backward to forward friction", 0, true, 1, 0.01, 100)  \
    X(lag, "t_L", "s", "time constant of the level; 0: no lag", 0, false, 0, 0, STICTION_MOST)     \
    X(reverse_viscous_factor, "k_RD", "1",                                                         \
      "ratio of backward to forward viscous friction; auto: reverse_factor", 0, true,              \
      STICTION_AUTO, 0.01, 100)

/* The largest number of presliding elements besides the law's own. */
enum { STICTION_PRESLIDING_MOST = 8 };

/* Start from stiction_drive_parameters_default(): a drive without these effects. */
typedef struct stiction_drive_parameters {
    double load_motor;            /* N m of friction per N m of motor torque */
    double load_external;         /* per N m of external torque */
    double load_motor_static;     /* the same, at rest only */
    double load_external_static;  /* with it load_motor is below 1 */
    double load_limit;            /* N m */
    double temperature;           /* deg C */
    double reference_temperature; /* deg C */
    double temperature_level;     /* 1/K */
    double temperature_viscous;   /* 1/K */
    double ambient_temperature;   /* deg C */
    double thermal_resistance;    /* K/W */
    double thermal_time;          /* s */
    double ripple;                /* 1 */
    double ripple_count;          /* 1/turn */
    double ripple_phase;          /* rad */
    double reverse_factor;        /* 1 */
    double lag;                   /* s */
    /* 1; 0, NaN or STICTION_AUTO: the same as reverse_factor */
    double reverse_viscous_factor;
} stiction_drive_parameters;

STICTION_API stiction_drive_parameters stiction_drive_parameters_default(void);

/* The inputs of a drive at the start of a step. */
typedef struct stiction_drive_input {
    double position;        /* rad */
    double motor_torque;    /* N m, in the joint's direction */
    double external_torque; /* N m, without friction; motor and external torque together accelerate
                               the joint */
    double temperature;     /* deg C */
} stiction_drive_input;

/* The law of one step. */
typedef struct stiction_levels {
    double coulomb; /* F_C', N m */
    double falling; /* F_S' - F_C', N m */
    double viscous; /* D', N m s/rad */
} stiction_levels;

/* The levels of a step, backwards or forwards, before lag. */
STICTION_API stiction_levels stiction_drive_levels(const stiction_drive_parameters *drive,
                                                   const stiction_law_parameters *law,
                                                   const stiction_drive_input *input,
                                                   bool backwards);

/* The temperature after a step of `timestep`, deg C, in which friction dissipates `power`, W. */
STICTION_API double stiction_drive_heated(const stiction_drive_parameters *drive,
                                          double temperature, double power, double timestep);

/* Phi_Z of a law whose F_S and F_C are both increased by `shift`, N m: x/Z up to Z (F_S + shift),
 * then sgn(x) (shift + Phi_Z(|x| - Z shift)). F_C + shift must be above 0. */
STICTION_API double stiction_phi_z_shifted_at(const stiction_phi_z *phi_z, double shift, double x);

STICTION_END_C

#endif
