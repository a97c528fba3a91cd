/* SPDX-License-Identifier: MIT
 * The levels of a step and its updates for the next step, used by the step of one joint and of
 * many. docs/drives.md, "Levels of one step", "Lag", "Heat". Branches only on properties that all
 * joints of a drive share; no calls, no libm except fma.
 */
#ifndef STICTION_JOINT_MODELS_DRIVE_LEVELS_H
#define STICTION_JOINT_MODELS_DRIVE_LEVELS_H

#include "joint_models/cosine.h"
#include "joint_models/exponential.h"
#include "stiction/models/drive.h"

static inline double drive_clamp(double value, double least, double most) {
    /* in the order of max and min, which are one instruction each */
    const double low = least > value ? least : value;
    return most < low ? most : low;
}

/* Of the temperature: how much of it counts. */
static inline double drive_warmth(const stiction_drive_parameters *p, double temperature) {
    return drive_clamp(temperature, STICTION_COLDEST, STICTION_HOTTEST) - p->reference_temperature;
}

/* s of F_C and F_SC is the product of these and of the direction. */
static inline double drive_ripple(const stiction_drive_parameters *p, double position) {
    const double wave = stiction_cosine(fma(p->ripple_count, position, -p->ripple_phase));
    return fma(p->ripple, wave, 1);
}

static inline double drive_warm_scale(const stiction_drive_parameters *p, double warmth) {
    return fma(p->temperature_level, warmth, 1);
}

static inline double drive_scale(const stiction_drive_parameters *p, double position,
                                 double warmth) {
    const double scale = drive_warm_scale(p, warmth);
    return p->ripple > 0 ? drive_ripple(p, position) * scale : scale;
}

/* D'/D, the direction apart. */
static inline double drive_thinning(const stiction_drive_parameters *p, double warmth) {
    return stiction_exp(-p->temperature_viscous * warmth).value;
}

static inline double drive_direction(const stiction_drive_parameters *p, bool backwards) {
    return backwards ? p->reverse_factor : 1;
}

/* The direction's factor of D. */
static inline double drive_viscous_direction(const stiction_drive_parameters *p, bool backwards) {
    const double own = p->reverse_viscous_factor;
    return !backwards ? 1 : own > 0 ? own : p->reverse_factor;
}

/* The torques that count. */
typedef struct drive_load {
    double motor, external;
} drive_load;

static inline drive_load drive_load_of(const stiction_drive_parameters *p, double motor,
                                       double external) {
    return (drive_load){drive_clamp(motor, -p->load_limit, p->load_limit),
                        drive_clamp(external, -p->load_limit, p->load_limit)};
}

/* What a load adds to F_C, and to F_SC. */
static inline double drive_load_friction(const stiction_drive_parameters *p, drive_load load) {
    return fabs(p->load_motor * load.motor - p->load_external * load.external);
}

static inline double drive_load_falling(const stiction_drive_parameters *p, drive_load load) {
    return fabs(p->load_motor_static * load.motor - p->load_external_static * load.external);
}

/* How much of the new level counts in a step: T/(T + lag). */
static inline double drive_follow(const stiction_drive_parameters *p, double timestep) {
    return p->lag > 0 ? timestep / (timestep + p->lag) : 1;
}

/* A level that follows another one late. */
static inline double drive_late(double follow, double last, double level) {
    return fma(1 - follow, last, follow * level);
}

/* 1 - exp(-T/thermal_time); 0: no heating. */
static inline double drive_warming(const stiction_drive_parameters *p, double timestep) {
    if (!(p->thermal_resistance > 0)) return 0;
    return -stiction_exp(-fmin(timestep / p->thermal_time, stiction_exp_range)).minus_one;
}

/* By how much the temperature changes in a step. */
static inline double drive_heat(const stiction_drive_parameters *p, double warming,
                                double temperature, double power) {
    return warming * (fma(p->thermal_resistance, power, p->ambient_temperature) - temperature);
}

#endif
