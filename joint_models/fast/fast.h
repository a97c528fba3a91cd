/* SPDX-License-Identifier: MIT
 * Fast steps: element C of a law in closed form, for one joint and for many at once, to the bits of
 * stiction_element_c_step_open. A law without one works: its joints step one by one, through Phi_Z.
 */
#ifndef STICTION_JOINT_MODELS_FAST_FAST_H
#define STICTION_JOINT_MODELS_FAST_FAST_H

#include "joint_models/fast/variant.h"
#include "stiction/models/drive.h"

/* A new one is the file fast/<law>.c, which defines stiction_fast_<law>, and its name here. */
#define STICTION_FAST_STEPS(ROW) ROW(coulomb) ROW(stribeck) ROW(rational)

/* The coefficients of one joint that element C reads in a step. */
typedef struct stiction_element_c {
    double K;                                       /* stiffness, N m/rad */
    double Z;                                       /* 1/(T K + B) */
    double inverse_Z;                               /* 1/Z */
    double breakaway;                               /* Phi(+0), N m */
    double coefficients[STICTION_LAW_COEFFICIENTS]; /* of stiction_phi_z */
    double ZK, TZ; /* products, which the step of many joints makes itself */
} stiction_element_c;

/*
 * No motion is so fast: beyond it a step could overflow. At such a velocity v, parameters within
 * STICTION_LEAST and STICTION_MOST give torques K e up to F_S + D v < 2^400, and where the
 * stiffness of a bristle was changed it keeps them: no legal bristle bears 2^410.
 */
#define STICTION_VELOCITY_LIMIT 0x1p300
#define STICTION_SPRING_LIMIT   0x1p410 /* K |e| */
/* Whatever the stiffness, a step from such a deflection is finite. */
#define STICTION_DEFLECTION_LIMIT 0x1p400

typedef double (*stiction_element_c_step_function)(const stiction_element_c *c, double u,
                                                   double *e);

/* What of a law's levels changes from step to step. */
typedef enum stiction_level_change {
    STICTION_SHIFT,      /* F_C, and F_S by as much: all but the line's offset stays */
    STICTION_LEVELS,     /* F_C and F_S */
    STICTION_ALL_LEVELS, /* viscosity, too */
    STICTION_LEVEL_CHANGES
} stiction_level_change;

/* What new levels are made with, of a law that is prepared for one Z. */
typedef struct stiction_level_base {
    stiction_level_change change;
    double inverse_v_S; /* 1/v_S */
    double inverse_g;   /* 1/(1 + Z D) */
} stiction_level_base;

/* Numbers one by one, as these are handed over in registers. */
typedef double (*stiction_levelled_step)(const stiction_element_c *c,
                                         const stiction_level_base *base, double coulomb,
                                         double falling, double viscous, double u, double *e);

/*
 * The steps of one law. `numbers` are the fields of stiction_element_c up to ZK as doubles: once if
 * `shared`; otherwise in blocks of STICTION_FAST_BLOCK joints, the first number of all joints, then
 * the second, and so on, padded with zeros. If u is NaN or above STICTION_VELOCITY_LIMIT, step_many
 * does not change e and sets f to NaN; it returns the number of these joints. For all others, if
 * |e| or K |e| is within its limit, f and e are finite.
 */
typedef struct stiction_fast_step {
    const char *law; /* its name */
    /* Whether the law has a closed form with these parameters; NULL: always. */
    bool (*covers)(const stiction_law_parameters *parameters);
    stiction_element_c_step_function step; /* moves e, gives f */
    bool (*sticks)(const stiction_element_c *c, double u, double e);
    size_t (*step_many)(const double *numbers, bool shared, double timestep, size_t n,
                        const double *u, double *e, double *f);
    /* By what changes: `step` of the law with other levels, `c` being prepared with those of the
     * base. */
    stiction_levelled_step step_levelled[STICTION_LEVEL_CHANGES];
} stiction_fast_step;

enum {
    STICTION_FAST_BLOCK = 64,
    STICTION_FAST_NUMBERS = offsetof(stiction_element_c, ZK) / sizeof(double)
};

/* The fast steps for this processor, in the order of the list; NULL past the end. */
size_t stiction_fast_count(void);
const stiction_fast_step *stiction_fast_at(size_t index);
/* That of a law with these parameters, or NULL. */
const stiction_fast_step *stiction_fast_find(const stiction_law *law,
                                             const stiction_law_parameters *parameters);
/* The same for another instruction set, to show that all give the same bits; NULL where the
 * library or the processor lacks it. */
const stiction_fast_step *stiction_fast_variant(const stiction_fast_step *fast,
                                                stiction_variant variant);

#endif
