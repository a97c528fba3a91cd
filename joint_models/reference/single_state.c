/* SPDX-License-Identifier: MIT
 * Friction models with one state: Dahl, LuGre, elasto-plastic, and two made from bristles.
 * Dupont et al. 2000, (2), (3), (6) to (8), (18); Drincic and Bernstein, (59) to (67), (83) to
 * (85). Keeps no state: z belongs to the caller.
 *
 * All is computed along the motion, u = sgn(v) z against |v|, so that the models are odd to the
 * bit.
 */
#include <float.h>
#include <math.h>

#include "joint_models/reference/reference.h"

static const double half_pi = 1.57079632679489661923;

stiction_single_state stiction_single_state_default(void) {
    return (stiction_single_state){.stiffness = (double)NAN,
                                   .coulomb_torque = (double)NAN,
                                   .static_torque = (double)NAN,
                                   .stribeck_velocity = 1,
                                   .exponent = 1};
}

static bool positive(double a) {
    return a > 0 && isfinite(a);
}

static bool not_negative(double a) {
    return a >= 0 && isfinite(a);
}

bool stiction_single_state_in_domain(const stiction_single_state *m) {
    return positive(m->stiffness) && not_negative(m->damping) && not_negative(m->viscous) &&
           positive(m->coulomb_torque) && positive(m->static_torque) &&
           m->static_torque >= m->coulomb_torque && positive(m->stribeck_velocity) &&
           not_negative(m->elastic_limit) &&
           m->elastic_limit < m->coulomb_torque / m->stiffness && /* (19) */
           positive(m->exponent);
}

double stiction_single_state_steady(const stiction_single_state *m, double v) {
    const double f_c = m->coulomb_torque, r = v / m->stribeck_velocity;
    return f_c + (m->static_torque - f_c) * exp(-(r * r)); /* (6) */
}

/* alpha of (8) and (18). u <= z_ba takes in sgn(v) != sgn(z), where all is elastic. */
static double alpha_at(const stiction_single_state *m, double z_ss, double u) {
    const double z_ba = m->elastic_limit;
    if (z_ba == 0) return 1;
    if (u <= z_ba) return 0;
    if (u >= z_ss) return 1;
    /* (1 + sin(pi (s - 1/2)))/2 is sin^2(pi s/2), which keeps its digits next to z_ba */
    const double root = sin(half_pi * (u - z_ba) / (z_ss - z_ba));
    return root * root;
}

double stiction_single_state_alpha(const stiction_single_state *m, double v, double z) {
    if (isnan(v) || isnan(z)) return v + z;
    const double z_ss = stiction_single_state_steady(m, v) / m->stiffness;
    return alpha_at(m, z_ss, v == 0 ? 0.0 : copysign(1, v) * z);
}

/* b^i that keeps the sign of b, as Dahl has it: with an even i, (7) as printed would drive a
 * deflection above z_ss away from it. */
static double signed_power(double b, double i) {
    return i == 1 ? b : copysign(pow(fabs(b), i), b);
}

static double force(const stiction_single_state *m, double u, double udot, double speed) {
    return m->stiffness * u + m->damping * udot + m->viscous * speed; /* (2) */
}

static void rate_at(const stiction_single_state *m, double f_ss, double v, double z, double *f,
                    double *zdot) {
    const double sign = copysign(1, v), speed = fabs(v), u = sign * z;
    const double z_ss = f_ss / m->stiffness;
    const double b = 1 - alpha_at(m, z_ss, u) * u / z_ss;
    const double udot = speed * signed_power(b, m->exponent); /* (7), B (59) */
    *f = sign * force(m, u, udot, speed);
    *zdot = sign * udot;
}

/* The part of b that has gone after db/dlambda = -b^i has run from b for lambda: exact. */
static double relaxed_part(double b, double lambda, double i) {
    const double p = i - 1;
    if (b * lambda == 0) return 0;
    if (p == 0) return -expm1(-lambda);
    const double pq = p * lambda * pow(fabs(b), p);
    return pq <= -1 ? 1 : -expm1(-log1p(pq) / p); /* i < 1 arrives after a finite way */
}

/* u after the way s >= 0 with alpha held, which makes (7) solvable; never past z_ss. */
static double advance(const stiction_single_state *m, double z_ss, double alpha, double u,
                      double s) {
    double end = u + s; /* elastic: no drift, not even a rounding of alpha */
    if (alpha != 0) {
        const double target = z_ss / alpha;
        end = u + (target - u) * relaxed_part(1 - u / target, s / target, m->exponent);
    }
    if (u <= z_ss) return end > z_ss ? z_ss : end;
    return end < z_ss ? z_ss : end;
}

static double without_subnormals(double z) {
    return fabs(z) < DBL_MIN ? copysign(0.0, z) : z;
}

/*
 * alpha is taken in the middle of the step, which is exact where alpha is constant (Dahl, LuGre,
 * all that is elastic) and of second order elsewhere. zdot is the mean (z_new - z_old)/T: then
 * T sigma_1 zdot is the impulse of the damper over the step, however short its transient, it is
 * within |v| sigma_1 where (7) is, and T v f >= the rise of sigma_0 z^2/2 holds as in (25).
 */
static double step_at(const stiction_single_state *m, double f_ss, double T, double v, double *z) {
    if (!(T > 0)) return (double)NAN;
    const double sign = copysign(1, v), speed = fabs(v), u = sign * *z, s = T * speed;
    const double z_ss = f_ss / m->stiffness;
    const double middle = advance(m, z_ss, alpha_at(m, z_ss, u), u, s / 2);
    const double end = without_subnormals(advance(m, z_ss, alpha_at(m, z_ss, middle), u, s));
    *z = sign * end;
    return sign * force(m, end, (end - u) / T, speed);
}

void stiction_single_state_rate(const stiction_single_state *m, double v, double z, double *f,
                                double *zdot) {
    rate_at(m, stiction_single_state_steady(m, v), v, z, f, zdot);
}

double stiction_single_state_step(const stiction_single_state *m, double T, double v, double *z) {
    return step_at(m, stiction_single_state_steady(m, v), T, v, z);
}

/* ---- from bristles --------------------------------------------------------------------------- */

static stiction_single_state ffbm_single_state(const stiction_ffbm *ffbm) {
    return (stiction_single_state){.stiffness = ffbm->stiffness, .exponent = 1}; /* B (67) */
}

static double ffbm_steady(const stiction_ffbm *ffbm, double x, double v) {
    return fabs(stiction_sawtooth_force(&ffbm->sawtooth, x, v)); /* B (65) */
}

void stiction_ffbm_rate(const stiction_ffbm *ffbm, double x, double v, double z, double *f,
                        double *zdot) {
    const stiction_single_state m = ffbm_single_state(ffbm);
    rate_at(&m, ffbm_steady(ffbm, x, v), v, z, f, zdot); /* B (66) */
}

double stiction_ffbm_step(const stiction_ffbm *ffbm, double T, double x, double v, double *z) {
    const stiction_single_state m = ffbm_single_state(ffbm);
    return step_at(&m, ffbm_steady(ffbm, x, v), T, v, z);
}

stiction_single_state stiction_mpabm_single_state(const stiction_mpabm *mpabm) {
    stiction_single_state m = stiction_single_state_default();
    m.stiffness = mpabm->force_per_angle * mpabm->scale;          /* B (85) */
    m.coulomb_torque = mpabm->force_per_angle * mpabm->min_angle; /* B (82) */
    m.static_torque = mpabm->force_per_angle * mpabm->max_angle;
    m.stribeck_velocity = mpabm->stribeck_velocity;
    return m;
}
