/* SPDX-License-Identifier: MIT
 * What all laws share: domains, oddness, sticking and the slope.
 * Kikuuwe et al. 2006, theorem 1.
 * May not know any law but through its functions.
 */
#include "stiction/models/law.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "joint_models/sliding.h"

/* The rows of the parameters with the bounds of their domains. */
#define PARAMETER_ROW(key, symbol, unit, description, minimum, exclusive, fallback, least, most)   \
    {offsetof(stiction_law_parameters, key), (double)(fallback), least, most},
static const struct {
    size_t offset;
    double fallback, least, most;
} rows[] = {STICTION_LAW_PARAMETERS(PARAMETER_ROW)};
_Static_assert(sizeof(stiction_law_parameters) == STICTION_LAW_PARAMETER_COUNT * sizeof(double),
               "a row for every field");

stiction_law_parameters stiction_law_parameters_default(void) {
    stiction_law_parameters p;
    for (size_t k = 0; k < STICTION_LAW_PARAMETER_COUNT; k++)
        memcpy((char *)&p + rows[k].offset, &rows[k].fallback, sizeof rows[k].fallback);
    return p;
}

static bool row_in_domain(size_t k, const stiction_law_parameters *p) {
    if (k == STICTION_PARAMETER_viscous_exponent && p->viscous_exponent == 0) return true;
    double value;
    memcpy(&value, (const char *)p + rows[k].offset, sizeof value);
    return value >= rows[k].least && value <= rows[k].most;
}

bool stiction_law_in_domain(const stiction_law *law, const stiction_law_parameters *p) {
    for (size_t k = 0; k < STICTION_LAW_PARAMETER_COUNT; k++)
        if (law->uses >> k & 1 && !row_in_domain(k, p)) return false;
    return !(law->uses & STICTION_USES(static_torque)) || p->static_torque >= p->coulomb_torque;
}

/* What would overflow is the largest number. */
static double saturated(double y) {
    return y > DBL_MAX ? DBL_MAX : y < -DBL_MAX ? -DBL_MAX : y;
}

double stiction_phi(const stiction_law *law, const stiction_law_parameters *parameters, double v) {
    if (isnan(v)) return v;
    const double y = law->phi(parameters, fabs(v));
    return copysign(isinf(v) ? y : saturated(y), v);
}

double stiction_phi_slope(const stiction_law *law, const stiction_law_parameters *parameters,
                          double v) {
    return isnan(v) ? v : law->phi_slope(parameters, fabs(v));
}

double stiction_phi_work(const stiction_law *law, const stiction_law_parameters *parameters,
                         double a, double b) {
    const double work = law->work(parameters, fabs(a), fabs(b));
    return isfinite(a) && isfinite(b) ? saturated(work) : work;
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
    return isinf(x) ? law->phi(&phi_z->parameters, x) : saturated(law->magnitude(phi_z, x));
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
    const double y = magnitude(phi_z, a);
    const double v = y < DBL_MAX ? fmax(fma(-phi_z->Z, y, a), 0) : a;
    const double slope = phi_z->law->phi_slope(&phi_z->parameters, v);
    if (slope > 0x1p500) return phi_z->inverse_Z; /* its product with Z may overflow */
    return slope / fmax(fma(phi_z->Z, slope, 1), phi_z->margin);
}
