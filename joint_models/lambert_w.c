/*
 * Lambert's W on its two real branches.
 * W0 below zero starts from the same R(p) as the Stribeck law, elsewhere Newton's method does; a
 * last step in double-double leaves only the final rounding.
 * No iteration count depends on anything but the argument.
 */
#include "stiction/models/lambert_w.h"

#include <float.h>

#include "double_double.h"
#include "lambert_ratio.h"

/* e as the sum of two doubles. */
static const dd e_dd = {0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53};

/* The double nearest to -1/e. */
static const double branch_point = -0x1.78b56362cef38p-2;

/* 1 + e z, accurate next to the branch point; 0 for the double that lies just below it. */
static double above_branch(double z) {
    const dd q = dd_add(dd_from(1), dd_mul(e_dd, dd_from(z)));
    return fmax(dd_round(q), 0);
}

/* Below this |mu| the series about the branch point is exact to rounding. */
static const double series_range = 0x1p-7;

/* W about the branch point in mu = +-sqrt(2 (1 + e z)), + for W0; the rest is below mu^8/60. */
static double series(double mu) {
    static const double c[] = {
        -1, 1, -1.0 / 3, 11.0 / 72, -43.0 / 540, 769.0 / 17280, -221.0 / 8505, 680863.0 / 43545600};
    return stiction_polynomial(c, 7, mu);
}

/* One Newton step on w + ln|w| = ln|z| in double-double: only its rounding is left. */
static double polish(double w, dd log_z) {
    const dd residual = dd_sub(dd_sub(log_z, stiction_dd_log(dd_from(fabs(w)))), dd_from(w));
    return w + dd_round(residual) * w / (1 + w);
}

static double w0_positive(double z) {
    /* a start within a few per cent, Winitzki 2003 */
    const double l = z < 1 ? z / (1 + z / 2) : stiction_ln(1 + z);
    double w = l * (1 - stiction_ln(1 + l) / (2 + l));
    for (int k = 0; k < 3; k++) {
        /* Fritsch, Shafer and Crowley 1973 */
        const double t = stiction_ln(z / w) - w;
        const double q = 2 * (1 + w) * (1 + w + 2 * t / 3);
        w *= 1 + t / (1 + w) * (q - t) / (q - 2 * t);
    }
    return polish(w, stiction_dd_log(dd_from(z)));
}

static double w0_negative(double z) {
    const double q = above_branch(z), mu = sqrt(2 * q);
    if (mu < series_range) return series(mu);
    /* W0 = (p^2 - 1) R(p) = e z R(p): no cancellation */
    return polish(e_dd.hi * z * stiction_lambert_ratio(sqrt(q), q), stiction_dd_log(dd_from(-z)));
}

double stiction_lambert_w0(double z) {
    if (!(z >= branch_point)) return (double)NAN;
    /* W0 = z - z^2 + ... */
    if (fabs(z) < 0x1p-54 || z > DBL_MAX) return z;
    return z > 0 ? w0_positive(z) : w0_negative(z);
}

double stiction_lambert_wm1(double z) {
    if (!(z >= branch_point && z <= 0)) return (double)NAN;
    if (z == 0) return -(double)INFINITY;
    const double mu = -sqrt(2 * above_branch(z));
    double w = series(mu);
    if (mu > -series_range) return w;

    const dd log_z = stiction_dd_log(dd_from(-z));
    if (mu < -0.7) {
        /* w = L1 - L2 + L2/L1 + ... towards zero */
        const double l1 = log_z.hi, l2 = stiction_ln(-l1);
        w = l1 - l2 + l2 / l1;
    }
    for (int k = 0; k < 5; k++) {
        const double t = log_z.hi - stiction_ln(-w) - w;
        w += t * w / (1 + w);
    }
    return polish(w, log_z);
}
