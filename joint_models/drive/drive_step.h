/* SPDX-License-Identifier: MIT
 * One joint's friction in a real drive: element C of a law whose levels change from step to step,
 * and beside it elements of Coulomb friction that yield before it does (presliding hysteresis,
 * Maxwell slip). docs/drives.md.
 * A drive knows no joint and no simulator. It is passive for any sequence of levels: friction
 * opposes slip, and the stored energy knows no level.
 */
#ifndef STICTION_JOINT_MODELS_DRIVE_DRIVE_STEP_H
#define STICTION_JOINT_MODELS_DRIVE_DRIVE_STEP_H

#include "joint_models/element.h"
#include "stiction/models/drive.h"

STICTION_BEGIN_C

typedef struct stiction_drive_def {
    const stiction_law *law;
    stiction_law_parameters parameters; /* of the whole: presliding is a part of F_S and F_C */
    stiction_drive_parameters drive;
    size_t presliding;                                     /* how many elements */
    double presliding_torque[STICTION_PRESLIDING_MOST];    /* N m, together at most F_C */
    double presliding_stiffness[STICTION_PRESLIDING_MOST]; /* N m/rad */
    double stiffness, damping, timestep;                   /* of the law's element */
} stiction_drive_def;

/* What steps change. All zeros are rest, at the drive's own temperature. */
typedef struct stiction_drive_memory {
    double rise;  /* K: how much warmer than at the start */
    double level; /* N m: where lag has got to; 0: where it starts, at F_S */
    double presliding[STICTION_PRESLIDING_MOST]; /* rad: deflections */
} stiction_drive_memory;

typedef struct stiction_drive stiction_drive;
typedef struct stiction_drive_functions stiction_drive_functions;

/* Which of its parts a drive has. */
typedef enum stiction_drive_part {
    STICTION_DRIVE_LOADS = 1,    /* reads the torques */
    STICTION_DRIVE_SCALES = 2,   /* ripple, direction or temperature */
    STICTION_DRIVE_REMEMBERS = 4 /* lag, heating or presliding */
} stiction_drive_part;

typedef double (*stiction_drive_step)(const stiction_drive *drive,
                                      const stiction_drive_input *input, double u, double *e,
                                      stiction_drive_memory *memory);

/* A drive ready to step. Fill it with stiction_drive_init; read only. */
struct stiction_drive {
    stiction_element element; /* of the law less presliding */
    const stiction_drive_functions *functions;
    stiction_drive_step step; /* the one that fits it */
    stiction_drive_parameters parameters;
    stiction_levels base; /* the law's, without any change */
    stiction_level_base change;
    stiction_levelled_step step_levelled; /* of a law in closed form; else NULL */
    unsigned parts;
    double follow;  /* of the lag: T/(T + lag) */
    double warming; /* of the heat: 1 - exp(-T/thermal_time) */
    size_t presliding;
    double presliding_torque[STICTION_PRESLIDING_MOST];
    double presliding_stiffness[STICTION_PRESLIDING_MOST];
};

/* The largest F_SC and the least D that steps can meet. */
typedef struct stiction_drive_extremes {
    double falling;       /* N m, lag included */
    double least_viscous; /* N m s/rad */
    double most_viscous;
} stiction_drive_extremes;
stiction_drive_extremes stiction_drive_extremes_of(const stiction_drive_def *def);

/* Backwards or forwards, hot or cold. */
double stiction_drive_most_viscous(const stiction_drive_parameters *drive, double viscous);

/* What K T + B must exceed, N m s/rad. */
double stiction_drive_needed(const stiction_drive_def *def);

/* Whether a drive has any effect on its law. */
bool stiction_drive_changes(const stiction_drive_def *def);

/* A drive that is legal at its extremes. */
stiction_law_verdict stiction_drive_init(stiction_drive *drive, const stiction_drive_def *def);

/* What is known of a step before its direction is. */
typedef struct stiction_drive_outlook {
    double temperature;        /* deg C */
    double scale;              /* of presliding, the direction apart */
    stiction_levels levels[2]; /* forwards and backwards, with lag */
} stiction_drive_outlook;

/* The outputs of a step. */
typedef struct stiction_drive_result {
    double torque;                      /* N m */
    double temperature;                 /* deg C, at its start */
    double static_level, coulomb_level; /* N m: F_S', F_C' of the step */
    double stored;                      /* J: what presliding has more than before */
    bool slips;
} stiction_drive_result;

/* The steps, compiled for one instruction set. */
struct stiction_drive_functions {
    stiction_drive_outlook (*look_ahead)(const stiction_drive *drive,
                                         const stiction_drive_input *input,
                                         const stiction_drive_memory *memory);
    /* Updates level and temperature after a step in which the law's element slipped at `slip` under
     * `torque`, both >= 0, and the drive dissipated `power`, W. */
    void (*settle)(const stiction_drive *drive, double temperature, const stiction_levels *levels,
                   double torque, double slip, double power, stiction_drive_memory *memory);
    /* One step of velocity u from the deflection e, which it moves. A temperature that is NaN is
     * the memory's own. */
    void (*step_full)(const stiction_drive *drive, const stiction_drive_input *input, double u,
                      double *e, stiction_drive_memory *memory, stiction_drive_result *result);
    /* The same for its torque; where load is all that changes a law in closed form; where load and
     * lag are. */
    stiction_drive_step step, step_load, step_lag;
    /* d torque/d u of the next step. */
    double (*slope)(const stiction_drive *drive, const stiction_drive_input *input, double u,
                    double e, const stiction_drive_memory *memory);
};

/* For any processor, and where the build makes them for one with AVX2 and fma. */
extern const stiction_drive_functions stiction_drive_hot, stiction_drive_hot_avx2,
    stiction_drive_hot_avx512;

STICTION_END_C

#endif
