/* SPDX-License-Identifier: MIT
 * The friction models of the literature that ours are compared with.
 * Kikuuwe et al. 2006, section II; Dupont et al. 2000; Drincic and Bernstein, section 4.
 * Pure functions; each has its known faults on purpose (drift, chattering, thresholds).
 *
 * Friction f opposes the motion: the body receives -f. Read N m and rad/s, or N and m/s.
 * A NaN gives NaN.
 */
#ifndef STICTION_JOINT_MODELS_REFERENCE_REFERENCE_H
#define STICTION_JOINT_MODELS_REFERENCE_REFERENCE_H

#include "joint_models/reference/bristle.h"
#include "stiction/models/law.h"

STICTION_BEGIN_C

/*
 * Algebraic models of the velocity v and, in the first two, of the sum h of all other forces on
 * the body. epsilon > 0 is the velocity below which the body counts as at rest.
 */

/* Karnopp, K (3), for any law. While it sticks the caller sets the velocity to zero; one who does
 * not drifts on with |v| <= epsilon. */
double stiction_karnopp_force(const stiction_law *law, const stiction_law_parameters *parameters,
                              double epsilon, double v, double h);
bool stiction_karnopp_sticks(const stiction_law *law, const stiction_law_parameters *parameters,
                             double epsilon, double v, double h);
/* Quinn, K (4), F > 0. */
double stiction_quinn_force(double F, double epsilon, double v, double h);
/* High viscosity instead of stiction, K (5). */
double stiction_viscosity_force(double F, double epsilon, double v);
/* E (5), v_0 > 0. */
double stiction_tanh_force(double f_c, double v_0, double v);

/*
 * Models with one state, the deflection z, E (2), (7) and B (59), (60):
 *     zdot = v (1 - alpha(z, v) sgn(v) z/z_ss)^i,  f = sigma_0 z + sigma_1 zdot + sigma_2 v.
 * Dahl: damping = viscous = 0, static_torque = coulomb_torque. LuGre: elastic_limit = 0.
 * Elasto-plastic: elastic_limit > 0. Start from stiction_single_state_default().
 */
typedef struct stiction_single_state {
    double stiffness;         /* sigma_0, N m/rad, > 0 */
    double damping;           /* sigma_1, N m s/rad, >= 0 */
    double viscous;           /* sigma_2, N m s/rad, >= 0 */
    double coulomb_torque;    /* f_c, N m, > 0 */
    double static_torque;     /* f_ba, N m, >= coulomb_torque */
    double stribeck_velocity; /* v_s, rad/s, > 0 */
    double elastic_limit;     /* z_ba, rad, in [0, f_c/sigma_0); 0: alpha = 1, no stiction */
    double exponent;          /* i, > 0; above 1 ductile, below 1 brittle */
} stiction_single_state;

/* sigma_0 = f_c = f_ba = NaN (must be given), v_s = i = 1, the others 0. */
stiction_single_state stiction_single_state_default(void);
bool stiction_single_state_in_domain(const stiction_single_state *model);

/* f_ss of E (6), the friction of steady sliding at |v| without the viscous part. */
double stiction_single_state_steady(const stiction_single_state *model, double v);
/* alpha of E (8), (18): 0 elastic, 1 plastic. */
double stiction_single_state_alpha(const stiction_single_state *model, double v, double z);
/* The differential equation: f and zdot at v and z. */
void stiction_single_state_rate(const stiction_single_state *model, double v, double z, double *f,
                                double *zdot);
/* One time step T > 0 with v held: moves z and returns f. Stable for every T, and z never passes
 * its steady value. */
double stiction_single_state_step(const stiction_single_state *model, double T, double v,
                                  double *z);

/* The friction-force-based model (FFBM), B (65) to (67): z_ss is a sawtooth over x. */
typedef struct stiction_ffbm {
    double stiffness; /* sigma_0, N/m, > 0 */
    stiction_sawtooth sawtooth;
} stiction_ffbm;

void stiction_ffbm_rate(const stiction_ffbm *model, double x, double v, double z, double *f,
                        double *zdot);
/* One time step from x with v held, else as stiction_single_state_step. */
double stiction_ffbm_step(const stiction_ffbm *model, double T, double x, double v, double *z);

/* The mean-pivot-angle-based model (MPABM), B (83) to (85): a LuGre model in terms of angles. */
typedef struct stiction_mpabm {
    double force_per_angle;   /* kappa/h, N/rad, > 0 */
    double scale;             /* sigma, > 0: z is the mean pivot angle over sigma */
    double min_angle;         /* theta_min, rad, > 0: at high speed */
    double max_angle;         /* theta_max, rad, >= min_angle: at rest */
    double stribeck_velocity; /* v_s, m/s, > 0 */
} stiction_mpabm;

stiction_single_state stiction_mpabm_single_state(const stiction_mpabm *model);

STICTION_END_C

#endif
