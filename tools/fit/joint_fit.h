/* SPDX-License-Identifier: MIT
 * Friction from logs: what the parts of `stiction fit` share. A log is read (read_log.c), its
 * motion smoothed (smooth_motion.c), friction simulated along it with the public API (simulate.c),
 * parameters are estimated by nonlinear least squares (estimate.c), a law is chosen on blocks of
 * the log (choose.c), and each parameter gets an interval and a verdict (verdict.c).
 */
#ifndef STICTION_TOOLS_FIT_JOINT_FIT_H
#define STICTION_TOOLS_FIT_JOINT_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/command.h"
#include "common/options.h"
#include "logs/joint_log.h"

/* ---- logs ---- */

/* One file of one joint, as it was read. */
typedef struct fit_log {
    char *path;
    size_t count;
    double *column[LOG_KIND_COUNT]; /* NULL: the file has no such column */
    size_t other_count;             /* joints of the robot besides this one */
    double **others;                /* the position and the velocity of each; NULL: not logged */
    bool held_out;                  /* named by --hold-out */
    char *torque_column;            /* its name in the file */
    double step;                    /* s, the median */
} fit_log;

typedef struct fit_warnings {
    char **items;
    size_t count;
} fit_warnings;
__attribute__((format(printf, 2, 3))) void fit_warn(fit_warnings *w, const char *format, ...);

/* What is read of a file. */
typedef struct fit_reading {
    const char *joint;
    const char *columns;       /* the text of --columns; NULL: by the usual names */
    const char *const *others; /* joints whose motion is read too */
    size_t other_count;
    double torque_scale;
    bool needs_torque, needs_target;
} fit_reading;

/* False with an error. */
bool fit_log_read(fit_log *log, const char *path, const fit_reading *what, fit_warnings *warnings,
                  stiction_error *error);
void fit_log_free(fit_log *log);
/* The smallest change of the position that is seen often; 0: not known. */
double fit_quantum(const fit_log *log);

/* ---- motion ---- */

/* How the motion is smoothed: a local polynomial of the position, or of the logged velocity. */
typedef struct fit_smoothing {
    bool of_velocity;
    double window; /* s, half width */
} fit_smoothing;

/* The motion of a log at its samples, and on the even grid on which friction is stepped. */
typedef struct fit_motion {
    double *position, *velocity, *acceleration; /* at the samples */
    double grid_step;                           /* s */
    size_t grid;                                /* points */
    double *grid_velocity, *grid_position;
    size_t *at;    /* of each sample: the grid point before it */
    double *share; /* and how far it is beyond that, 0 to 1 */
} fit_motion;

/* ---- the problem ---- */

enum { FIT_LANES = 16, FIT_NUISANCES = 40, FIT_PROFILE = FIT_LANES - 1 };

/* The parameters that are searched, in the order in which they become free. */
enum {
    FIT_COULOMB,
    FIT_VISCOUS,
    FIT_STIFFNESS,
    FIT_DAMPING,
    FIT_FALL,
    FIT_STRIBECK,
    FIT_REVERSE,
    FIT_REVERSE_VISCOUS,
    FIT_LOAD_MOTOR,
    FIT_LOAD_EXTERNAL,
    FIT_TEMPERATURE_LEVEL,
    FIT_TEMPERATURE_VISCOUS,
    FIT_RIPPLE_COS,
    FIT_RIPPLE_SIN,
    FIT_PARAMETER_COUNT
};
#define FIT_BIT(k) (1u << (k))

typedef struct fit_problem {
    fit_log *logs;
    fit_motion *motions; /* one per log */
    size_t count;        /* logs */
    const char *joint;
    const char *unit; /* of the torque: N m, N or A */
    const char *position_unit, *velocity_unit;
    size_t samples; /* of all logs */
    size_t *first;  /* sample of each log */
    bool gravity;
    double inertia;          /* NaN: fitted */
    double timestep;         /* s: that the configuration must be legal for */
    bool simulates;          /* compares simulated motion, not torque */
    bool controlled;         /* by the torque kp (target - position) - kd velocity */
    double kp, kd;           /* N m/rad, N m s/rad */
    struct fit_robot *robot; /* NULL: inertia and gravity are fitted */
    double **known;          /* one per log, with a robot: torque of its dynamics, N m */
    bool has_temperature, has_external;
    double ripple_count;
    /* of each sample */
    double *measured; /* N m, with the external torque */
    double *torque;   /* less all that is known of the robot's dynamics */
    double *weight;   /* 1: used for fitting, 0: held out or left out */
    double *load;     /* N m: the model's own motor torque, for load_motor */
    double *train; /* 1: for fitting, 0: held out, -1: left out, at rest, -2: at a limit; weight is
                      this, or less on a fold */
    bool *rests;   /* whether the joint rests; the motion does not determine its friction there */
    int *block;    /* number of the block of time that the sample is in */
    int blocks;
    int *cluster; /* of samples whose errors are correlated: half a block */
    /* nuisance columns, orthonormal over the weighted samples */
    double *nuisance; /* column by column */
    size_t nuisances;
    double gram[FIT_NUISANCES * FIT_NUISANCES]; /* upper triangle R: columns = Q R */
    double scale;                               /* N m: typical friction */
    double fastest;                             /* rad/s */
    double softest, stiffest; /* rad: the most and the least that a bristle bends; 0: any */
} fit_problem;

typedef struct fit_model {
    const char *law;
    unsigned free; /* bits of the parameters that are searched */
    double theta[FIT_PARAMETER_COUNT];
    double nuisance[FIT_NUISANCES];
    double rms; /* over the samples with weight */
} fit_model;

/* What is asked for. */
typedef struct fit_options {
    const char *law; /* NULL: chosen */
    bool gravity;
    double inertia;  /* NaN: fitted */
    double share;    /* of the blocks that are held out; 0: none */
    double timestep; /* s, of the configuration */
    bool simulate;   /* output error: the motion is simulated and compared */
    bool controlled; /* by a controller with these gains, along the target of the log */
    double kp, kd;
    void (*progress)(void *user, double share, const char *what); /* NULL: none */
    void *progress_user;
} fit_options;

/* A value of the configuration. */
typedef struct fit_value {
    const char *key;
    double value, low, high;
    bool identifiable;
    char why[300]; /* "" where identifiable */
    /* the profile likelihood: how much less likely other values are, FIT_LEVEL at the ends of the
     * interval; all other parameters follow */
    size_t points; /* 0: not computed */
    double at[FIT_PROFILE], loss[FIT_PROFILE];
    bool open_below, open_above; /* the curve does not reach the level on this side */
} fit_value;

#define FIT_LEVEL (1.96 * 1.96) /* 95 % */

enum { FIT_VALUES = 24 };

/* How well a value would be known. */
typedef struct fit_deviation {
    const char *key;
    double value, deviation; /* relative */
} fit_deviation;

typedef struct fit_result {
    fit_model model, other; /* other: under a second smoothing */
    fit_smoothing smoothing, second, plain_smoothing;
    const char *law; /* of the configuration */
    fit_value values[FIT_VALUES];
    size_t value_count;
    double rms, plain_rms;           /* of the training data, N m */
    double held_rms, held_plain_rms; /* of data that were not used */
    double averaged_rms;             /* of them, over 0.1 s */
    const char *held_kind;           /* how they were held out */
    const char *held_unit;           /* NULL: that of the torque */
    double slowest, fastest;         /* rad/s that sliding covers */
    double load;                     /* N m: the largest torque of the motor, without its peaks */
    double coldest, warmest;         /* deg C; NaN: not known */
    double inertia; /* kg m^2, of the joint; with a robot at the start of the first log */
    double rotor;   /* kg m^2: of it, what is fitted */
    double gravity_sin, gravity_cos;
    double *residual, *friction, *plain_residual;
} fit_result;

/* ---- what the verb calls ---- */

typedef struct fit fit;

/* What is fitted: the logs of one joint. */
typedef struct fit_request {
    const char *joint;
    const text_list *logs, *held_out; /* files */
    const char *columns;              /* NULL: guessed */
    const struct robot *robot;        /* NULL: not known */
    double torque_constant;           /* N m/A; NaN: the column is a torque */
    fit_options options;
} fit_request;

/* NULL with an error; the caller destroys it. */
fit *fit_create(const fit_request *request, stiction_error *error);
void fit_destroy(fit *f);
const fit_warnings *fit_warnings_of(const fit *f);
const fit_result *fit_result_of(const fit *f);
const fit_problem *fit_problem_of(const fit *f);
/* The torque's unit: N m, N or A; and that of the error on held-out data. */
const char *fit_unit(const fit *f);
const char *fit_held_unit(const fit *f);

#endif
