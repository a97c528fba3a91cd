/* SPDX-License-Identifier: MIT
 * Elements A to D: one implicit Euler step each, for any Phi_Z, in n dimensions.
 * Kikuuwe et al. 2006, section III, with v_{k-1} instead of e_{k-2} in B (36) and
 * Z = T/M + 1/(B + T K) in D (44).
 */
#include "joint_models/element.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "joint_models/element_c.h"

double stiction_norm(size_t n, const double *x) {
    if (n == 1) return fabs(x[0]);
    double largest = 0;
    for (size_t k = 0; k < n; k++) {
        if (isnan(x[k])) return x[k];
        largest = fmax(largest, fabs(x[k]));
    }
    if (largest == 0 || isinf(largest)) return largest;
    /* scaling by a power of two is exact */
    int exponent;
    (void)frexp(largest, &exponent);
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        const double scaled = ldexp(x[k], -exponent);
        sum = fma(scaled, scaled, sum);
    }
    return ldexp(sqrt(sum), exponent);
}

void stiction_phi_z_vector(const stiction_phi_z *phi_z, size_t n, const double *x, double *y) {
    if (n == 1) {
        y[0] = stiction_phi_z_at(phi_z, x[0]);
        return;
    }
    const double length = stiction_norm(n, x);
    if (stiction_phi_z_sticks(phi_z, length)) {
        for (size_t k = 0; k < n; k++) y[k] = x[k] * phi_z->inverse_Z;
        return;
    }
    const double force = stiction_phi_z_at(phi_z, length);
    for (size_t k = 0; k < n; k++) y[k] = force * (x[k] / length);
}

static bool positive(double value) {
    return value >= DBL_MIN && value <= DBL_MAX;
}

static bool has_mass(stiction_element_kind kind) {
    return kind != STICTION_ELEMENT_C;
}

static bool has_spring(stiction_element_kind kind) {
    return kind != STICTION_ELEMENT_A;
}

static double rigidity_of(const stiction_element_def *def) {
    return fma(def->timestep, def->stiffness, def->damping);
}

/* T/M, T/C, 1/(B + T K), T/M + 1/(B + T K). NaN where the def is not valid. */
static double z_of(const stiction_element_def *def) {
    const double M = def->mass, K = def->stiffness, B = def->damping, T = def->timestep;
    const double rigidity = rigidity_of(def);
    if (!positive(T) || (has_mass(def->kind) && !positive(M))) return (double)NAN;
    if (has_spring(def->kind) && !(K >= 0 && B >= 0 && positive(rigidity))) return (double)NAN;
    switch (def->kind) {
    case STICTION_ELEMENT_A:
        return T / M; /* (26b) */
    case STICTION_ELEMENT_B:
        return T / fma(T, rigidity, M); /* (35) */
    case STICTION_ELEMENT_C:
        return 1 / rigidity; /* (38b) */
    case STICTION_ELEMENT_D:
        return T / M + 1 / rigidity; /* (44) */
    }
    return (double)NAN;
}

/* Whether all numbers are such that no velocity within the limit makes the step overflow, and the
 * reserve is zero only where it is exactly that. Parameters and time steps within their bounds
 * are. */
static bool moderate(const stiction_element *element) {
    const stiction_element_c *c = &element->c;
    double numbers[STICTION_FAST_NUMBERS], largest = 0;
    memcpy(numbers, c, sizeof numbers);
    for (size_t k = 0; k < STICTION_FAST_NUMBERS; k++) largest = fmax(largest, numbers[k]);
    const double T = element->def.timestep;
    return largest <= STICTION_VELOCITY_LIMIT && T >= 0x1p-100 && T <= 0x1p100 &&
           c->Z * c->breakaway >= 0x1p-900;
}

stiction_law_verdict stiction_element_init(stiction_element *element,
                                           const stiction_element_def *def, const stiction_law *law,
                                           const stiction_law_parameters *parameters) {
    memset(element, 0, sizeof *element);
    const double Z = z_of(def);
    const stiction_law_verdict verdict =
        stiction_phi_z_prepare(&element->phi_z, law, parameters, Z);
    if (verdict == STICTION_LAW_OK) {
        element->def = *def;
        element->Z = Z;
        element->rigidity = rigidity_of(def);
        element->c = (stiction_element_c){.K = def->stiffness,
                                          .Z = Z,
                                          .inverse_Z = element->phi_z.inverse_Z,
                                          .breakaway = element->phi_z.breakaway,
                                          .ZK = Z * def->stiffness,
                                          .TZ = Z * def->timestep};
        memcpy(element->c.coefficients, element->phi_z.coefficients,
               sizeof element->c.coefficients);
        if (def->kind != STICTION_ELEMENT_C) return verdict;
        if (!moderate(element)) {
            memset(element, 0, sizeof *element);
            return STICTION_LAW_OUT_OF_DOMAIN;
        }
        element->fast = stiction_fast_find(law, parameters);
        if (element->fast) element->step = element->fast->step;
    }
    return verdict;
}

/* A motion that has died out must not go on as subnormal numbers, which are slow. */
static double flush(double value) {
    return fabs(value) < DBL_MIN ? 0 : value;
}

/* The sliding velocity v* - Z f: what rounding leaves of it while sticking is no motion. */
static double slip(double v_star, double Z, double f) {
    const double v = fma(-Z, f, v_star);
    return fabs(v) <= 4 * DBL_EPSILON * fabs(v_star) ? 0 : flush(v);
}

void stiction_element_a_step(const stiction_element *element, size_t n, const double *h, double *v,
                             double *f) {
    const double T_M = element->Z;
    for (size_t k = 0; k < n; k++) v[k] = fma(T_M, h[k], v[k]);  /* (26a): v is v* */
    stiction_phi_z_vector(&element->phi_z, n, v, f);             /* (26b) */
    for (size_t k = 0; k < n; k++) v[k] = slip(v[k], T_M, f[k]); /* (26c) */
}

void stiction_element_b_step(const stiction_element *element, size_t n, const double *u, double *e,
                             double *v, double *f, double *h) {
    const stiction_element_def *d = &element->def;
    const double T = d->timestep, Z = element->Z;
    for (size_t k = 0; k < n; k++)
        /* (36a), where C = T/Z and u_{k-1} - (e_{k-1} - e_{k-2})/T is the last v */
        v[k] = u[k] + Z * (d->stiffness * e[k] - d->mass / T * (u[k] - v[k]));
    stiction_phi_z_vector(&element->phi_z, n, v, f); /* (36b) */
    for (size_t k = 0; k < n; k++) {
        v[k] = slip(v[k], Z, f[k]);
        const double rate = u[k] - v[k];
        e[k] = flush(fma(T, rate, e[k]));                  /* (36c) */
        h[k] = fma(d->stiffness, e[k], d->damping * rate); /* (36d) */
    }
}

bool stiction_element_c_step(const stiction_element *element, size_t n, const double *u, double *e,
                             double *f) {
    if (n == 0 || n > STICTION_ELEMENT_DIMENSIONS) return false;
    double v_star[STICTION_ELEMENT_DIMENSIONS] = {0};
    const stiction_element_c *c = &element->c;
    for (size_t k = 0; k < n; k++) v_star[k] = element_c_input(c->ZK, u[k], e[k]);    /* (38a) */
    stiction_phi_z_vector(&element->phi_z, n, v_star, f);                             /* (38b) */
    for (size_t k = 0; k < n; k++) e[k] = element_c_deflect(c->K, c->TZ, e[k], f[k]); /* (38c) */
    return true;
}

double stiction_element_c_step_open(const stiction_element *element, double u, double *e) {
    const stiction_element_c *c = &element->c;
    const double x = element_c_input(c->ZK, u, *e);         /* (38a) */
    const double f = stiction_phi_z_at(&element->phi_z, x); /* (38b) */
    *e = element_c_deflect(c->K, c->TZ, *e, f);             /* (38c) */
    return f;
}

bool stiction_element_c_sticks(const stiction_element *element, double u, double e) {
    return element->fast ? element->fast->sticks(&element->c, u, e)
                         : element_c_sticks(&element->c, u, e);
}

bool stiction_element_d_step(const stiction_element *element, size_t n, const double *h, double *e,
                             double *u, double *f) {
    if (n == 0 || n > STICTION_ELEMENT_DIMENSIONS) return false;
    double v_star[STICTION_ELEMENT_DIMENSIONS] = {0};
    const stiction_element_def *d = &element->def;
    const double T_M = d->timestep / d->mass;
    const double K_rigidity = d->stiffness / element->rigidity;
    for (size_t k = 0; k < n; k++)
        v_star[k] = fma(T_M, h[k], fma(K_rigidity, e[k], u[k])); /* (45a) */
    stiction_phi_z_vector(&element->phi_z, n, v_star, f);        /* (45b) */
    for (size_t k = 0; k < n; k++) {
        /* (45c) as a change, so that rest stays rest */
        const double rate = fma(-d->stiffness, e[k], f[k]) / element->rigidity;
        e[k] = flush(fma(d->timestep, rate, e[k]));
        u[k] = flush(fma(T_M, h[k] - f[k], u[k])); /* (45d) */
    }
    return true;
}
