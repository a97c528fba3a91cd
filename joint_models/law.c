/*
 * What all laws share: domains, oddness, sticking, the slope and vectors.
 * Kikuuwe et al. 2006, theorem 1 and section III-F.
 * May not know any law but through its functions.
 */
#include "stiction/models/law.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "joint_models/sliding.h"

stiction_law_parameters stiction_law_parameters_default(void) {
    return (stiction_law_parameters){.static_torque = (double)NAN,
                                     .coulomb_torque = (double)NAN,
                                     .stribeck_velocity = (double)NAN,
                                     .stribeck_exponent = 1,
                                     .viscous = 0};
}

static bool at_least(double value, double bound) {
    return value >= bound && value <= DBL_MAX;
}

bool stiction_law_in_domain(const stiction_law *law, const stiction_law_parameters *p) {
    const unsigned uses = law->uses;
    return (!(uses & STICTION_USES_COULOMB_TORQUE) || at_least(p->coulomb_torque, DBL_MIN)) &&
           (!(uses & STICTION_USES_STATIC_TORQUE) ||
            at_least(p->static_torque, p->coulomb_torque)) &&
           (!(uses & STICTION_USES_STRIBECK_VELOCITY) || at_least(p->stribeck_velocity, DBL_MIN)) &&
           (!(uses & STICTION_USES_STRIBECK_EXPONENT) || at_least(p->stribeck_exponent, 1)) &&
           (!(uses & STICTION_USES_VISCOUS) || at_least(p->viscous, 0));
}

double stiction_phi(const stiction_law *law, const stiction_law_parameters *parameters, double v) {
    return isnan(v) ? v : copysign(law->phi(parameters, fabs(v)), v);
}

double stiction_phi_slope(const stiction_law *law, const stiction_law_parameters *parameters,
                          double v) {
    return isnan(v) ? v : law->phi_slope(parameters, fabs(v));
}

static stiction_law_verdict refuse(stiction_phi_z *phi_z, stiction_law_verdict verdict) {
    memset(phi_z, 0, sizeof *phi_z);
    return verdict;
}

static stiction_law_verdict prepare(stiction_phi_z *phi_z, const stiction_law *law,
                                    const stiction_law_parameters *parameters, double Z,
                                    double inverse_Z) {
    if (!law || !parameters || !(Z >= DBL_MIN && inverse_Z >= DBL_MIN) || isinf(Z) ||
        isinf(inverse_Z) || !stiction_law_in_domain(law, parameters))
        return refuse(phi_z, STICTION_LAW_OUT_OF_DOMAIN);

    *phi_z = (stiction_phi_z){.law = law,
                              .parameters = *parameters,
                              .Z = Z,
                              .inverse_Z = inverse_Z,
                              .breakaway = law->phi(parameters, 0)};
    law->prepare(phi_z);

    /* NaN: parameters so far apart that nothing is known of them are no friction of any joint, nor
     * are those of which a coefficient overflows */
    if (isnan(phi_z->margin)) return refuse(phi_z, STICTION_LAW_OUT_OF_DOMAIN);
    if (!(phi_z->margin > 0)) return refuse(phi_z, STICTION_LAW_ILLEGAL_Z);
    double largest = Z * phi_z->breakaway;
    for (size_t k = 0; k < STICTION_LAW_COEFFICIENTS; k++)
        largest = fmax(largest, phi_z->coefficients[k]);
    if (!(largest <= DBL_MAX)) return refuse(phi_z, STICTION_LAW_OUT_OF_DOMAIN);
    return STICTION_LAW_OK;
}

stiction_law_verdict stiction_phi_z_prepare(stiction_phi_z *phi_z, const stiction_law *law,
                                            const stiction_law_parameters *parameters, double Z) {
    return prepare(phi_z, law, parameters, Z, 1 / Z);
}

stiction_law_verdict stiction_phi_z_prepare_inverse(stiction_phi_z *phi_z, const stiction_law *law,
                                                    const stiction_law_parameters *parameters,
                                                    double inverse_Z) {
    return prepare(phi_z, law, parameters, 1 / inverse_Z, inverse_Z);
}

/* |Phi_Z(x)| for x >= 0. */
static double magnitude(const stiction_phi_z *phi_z, double x) {
    const stiction_law *law = phi_z->law;
    return isinf(x) ? law->phi(&phi_z->parameters, x) : law->magnitude(phi_z, x);
}

double stiction_phi_z_at(const stiction_phi_z *phi_z, double x) {
    return isnan(x) ? x : copysign(magnitude(phi_z, fabs(x)), x);
}

bool stiction_phi_z_sticks(const stiction_phi_z *phi_z, double x) {
    return stiction_reserve(phi_z, fabs(x)) >= 0;
}

double stiction_phi_z_slope(const stiction_phi_z *phi_z, double x) {
    if (isnan(x)) return x;
    if (stiction_phi_z_sticks(phi_z, x)) return phi_z->inverse_Z;
    /* y = Phi(v), v = x - Z y, so dy/dx = Phi'/(1 + Z Phi'), whose denominator is >= margin */
    const double a = fabs(x);
    const double v = isinf(x) ? a : fmax(fma(-phi_z->Z, magnitude(phi_z, a), a), 0);
    const double slope = phi_z->law->phi_slope(&phi_z->parameters, v);
    return slope / fmax(fma(phi_z->Z, slope, 1), phi_z->margin);
}

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
