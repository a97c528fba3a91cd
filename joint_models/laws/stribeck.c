/*
 * The Stribeck law: Phi(v) = (F_C + F_SC exp(-|v/v_S|^alpha)) sgn v + D v.
 * Cisneros et al., (21) to (32). alpha = 1 in closed form through Lambert's W in its natural
 * variable: one exponential, one square root, one division; alpha > 1, and D |v|^p with p not 1, by
 * Newton's method.
 */
#include "joint_models/laws/stribeck.h"

#include <string.h>

#include "joint_models/laws.h"
#include "joint_models/viscous_slide.h"

/* (v/v_S)^alpha, no larger than what the exponential takes. */
static double exponent(const stiction_law_parameters *p, double u) {
    if (p->stribeck_exponent == 1 || u == 0 || u > stiction_exp_range)
        return fmin(u, stiction_exp_range);
    return fmin(stiction_power(u, p->stribeck_exponent), stiction_exp_range);
}

static double phi(const stiction_law_parameters *p, double v) {
    const double F_C = p->coulomb_torque, F_SC = p->static_torque - F_C;
    if (v == 0) return p->static_torque; /* free of rounding */
    const double w = exponent(p, v / p->stribeck_velocity);
    const double dry = fma(F_SC, stiction_exp(-w).value, F_C); /* (21) */
    return stiction_add_viscous(p, v, dry);
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    const double alpha = p->stribeck_exponent, u = v / v_S, w = exponent(p, u);
    /* w/u = u^(alpha-1), whose limit at zero is 1 or 0 */
    const double shape = u > 0 ? w / u : alpha == 1;
    return stiction_viscous_slope(p, v) -
           F_SC / v_S * alpha * shape * stiction_exp(-w).value; /* (31) */
}

/* The integral of exp(-u^alpha) from a on over `length`, by Gauss and Legendre's five points on
 * panels that are short where the function bends. */
static double numeric_decay(double alpha, double a, double length) {
    static const double node[] = {0.5384693101056831, 0.9061798459386640};
    static const double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    enum { most_panels = 64 };
    /* behind u^alpha = 40 nothing is left */
    const double whole = fmin(length, stiction_exp(stiction_ln(40) / alpha).value - a);
    const double longest = 0.25 / alpha;
    if (!(whole > 0)) return 0;
    const int panels = (int)fmin(fmax(ceil(whole / longest), 1), most_panels);
    const double half = whole / (2 * panels);
    double sum = 0;
    for (int k = 0; k < panels; k++) {
        const double middle = a + half * (2 * k + 1);
        sum += weight[0] * stiction_exp(-stiction_power(middle, alpha)).value;
        for (int n = 0; n < 2; n++)
            sum += weight[n + 1] *
                   (stiction_exp(-stiction_power(middle - half * node[n], alpha)).value +
                    stiction_exp(-stiction_power(middle + half * node[n], alpha)).value);
    }
    return sum * half;
}

/* The same in closed form where alpha is 1. */
static double decay(double alpha, double a, double length) {
    if (alpha != 1) return numeric_decay(alpha, a, length);
    return stiction_exp(-fmin(a, stiction_exp_range)).value *
           -stiction_exp(-fmin(length, stiction_exp_range)).minus_one;
}

static double work(const stiction_law_parameters *p, double a, double b) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    /* the difference before the division, which would round it away */
    const double falling = decay(p->stribeck_exponent, fmin(a, b) / v_S, fabs(b - a) / v_S);
    return stiction_smooth_work(p, a, b) + copysign(F_SC * v_S * falling, b - a);
}

/* c(alpha) = max over u of alpha u^(alpha-1) exp(-u^alpha) */
static double steepness(double alpha) {
    if (alpha == 1) return 1;
    const double q = (alpha - 1) / alpha;
    return alpha * stiction_exp(q * stiction_ln(q) - q).value;
}

/* p < 1: -Phi' is Q alpha u^(alpha - 1) e^-w - C u^(p - 1) in u = v/v_S, w = u^alpha. With
 * z = alpha w - (alpha - 1) > 0 its largest value is where ln(z u^(alpha - p) e^-w) is
 * ln(C (1 - p)/(Q alpha)); there it is Q alpha u^(alpha - 1) e^-w (1 - z/(1 - p)). The logarithm
 * rises in z as far as its derivative in ln u, alpha + 1 - p - z + alpha (alpha - 1)/z, is above
 * 0. */
static double gap(const stiction_law_parameters *p, double z) {
    const double alpha = p->stribeck_exponent, w = (z + (alpha - 1)) / alpha;
    const double ln_u = stiction_ln(w) / alpha;
    return stiction_ln(z) + (alpha - p->viscous_exponent) * ln_u - w;
}

static double thinning_descent(const stiction_law_parameters *p, double Q) {
    const double alpha = p->stribeck_exponent, e = p->viscous_exponent;
    const double half = (alpha + 1 - e) / 2;
    const double most = half + sqrt(half * half + alpha * (alpha - 1));
    const double z = stiction_thinning_root(p, gap, Q * alpha, most);
    if (!(z > 0)) return 0;
    const double w = (z + (alpha - 1)) / alpha;
    const double steepness = alpha * stiction_exp((alpha - 1) / alpha * stiction_ln(w) - w).value;
    return fmax(Q * steepness * (1 - z / (1 - e)), 0);
}

static double steepest_descent(const stiction_law_parameters *p) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    if (!stiction_viscosity_is_linear(p) && p->viscous_exponent < 1)
        return thinning_descent(p, F_SC / v_S);
    const double dry = steepness(p->stribeck_exponent) * F_SC / v_S;
    return stiction_viscosity_is_linear(p) ? dry - p->viscous : dry;
}

/* u^alpha, no larger than what the exponential takes; without the loss of digits that `exponent`
 * has. */
static double exact_exponent(double alpha, double u) {
    if (u < DBL_MIN) return 0;
    const double w = alpha == 1   ? u
                     : alpha == 2 ? u * u
                                  : stiction_power_of(stiction_ln_sum(fmin(u, DBL_MAX)), alpha);
    return w < stiction_exp_range ? w : stiction_exp_range;
}

static stiction_fall fall_at(const stiction_law_parameters *p, double v) {
    const double alpha = p->stribeck_exponent, w = exact_exponent(alpha, v / p->stribeck_velocity);
    const stiction_exp_result e = stiction_exp(-w);
    return (stiction_fall){.gone = -e.minus_one, .left = e.value, .growth = alpha * w * e.value};
}

static stiction_exact_fall exact_fall_at(const stiction_law_parameters *p, dd v) {
    const dd u = dd_div(v, dd_from(p->stribeck_velocity));
    const dd ln_w = dd_mul(dd_from(p->stribeck_exponent), stiction_dd_log(u));
    /* beyond w = e^6 the exponential is far below rounding; below w = e^-600 nothing falls */
    const dd w =
        ln_w.hi < 6 ? stiction_dd_exp(ln_w.hi > -600 ? ln_w : dd_from(-600)) : dd_from(400);
    const dd minus_one = stiction_dd_expm1(dd_neg(w));
    return (stiction_exact_fall){.gone = dd_neg(minus_one), .left = dd_add(minus_one, dd_from(1))};
}

static const stiction_falling falling = {fall_at, exact_fall_at};

/* 1 - (1 - d) e^d for 0 <= d <= 1: the sum of d^k (k - 1)/k!, k >= 2, all terms positive. */
static double one_minus_h1(double d) {
    double sum = 1; /* of the terms divided by the first one, innermost first */
    for (int k = 20; k >= 2; k--) sum = 1 + sum * d * k / ((k - 1.0) * (k + 1));
    return sum * d * d / 2;
}

/* The exponential of the closed form is a power of two. */
static const dd log2_e = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

/* alpha = 1 */
static void prepare_closed(stiction_phi_z *phi_z) {
    const dd kappa = stiction_kappa(phi_z);
    phi_z->margin = stiction_margin(phi_z);
    const double d = dd_round(dd_sub(dd_from(1), kappa));
    if (!(d > 0)) return; /* illegal: margin says so */
    const double e_d = stiction_exp(d).value;
    const stribeck_coefficients c = {.line = stiction_line_of(phi_z),
                                     .amplitude = dd_round(stiction_amplitude(phi_z)) * e_d,
                                     .rate = dd_round(dd_mul(log2_e, stiction_sliding_rate(phi_z))),
                                     .h1 = dd_round(kappa) * e_d,
                                     .one_minus_h1 = one_minus_h1(d)};
    memcpy(phi_z->coefficients, &c, sizeof c);
}

/* What the solution for alpha > 1 reads. */
typedef struct numeric_coefficients {
    stiction_line line;
    double amplitude; /* F_SC/g */
    double rate;      /* 1/(v_S g), so that sigma = rate s */
    double kappa;     /* Z F_SC/(v_S g) */
} numeric_coefficients;

static void prepare_numeric(stiction_phi_z *phi_z) {
    const dd kappa = stiction_kappa(phi_z);
    const numeric_coefficients c = {.line = stiction_line_of(phi_z),
                                    .amplitude = dd_round(stiction_amplitude(phi_z)),
                                    .rate = dd_round(stiction_sliding_rate(phi_z)),
                                    .kappa = dd_round(kappa)};
    memcpy(phi_z->coefficients, &c, sizeof c);
    const double steepest = steepness(phi_z->parameters.stribeck_exponent);
    const dd slack = dd_sub(dd_from(1), dd_mul(dd_from(steepest), kappa));
    phi_z->margin = dd_round(dd_mul(stiction_g(phi_z), slack));
}

static void prepare(stiction_phi_z *phi_z) {
    const stiction_law_parameters *p = &phi_z->parameters;
    if (!stiction_viscosity_is_linear(p)) {
        stiction_prepare_power(phi_z, stiction_f_sc(p), steepest_descent(p));
        return;
    }
    (phi_z->parameters.stribeck_exponent == 1 ? prepare_closed : prepare_numeric)(phi_z);
}

/*
 * alpha > 1: u = v/v_S solves m(u) = u - kappa (1 - exp(-u^alpha)) = sigma, which rises from below
 * sigma at u = sigma to above it at u = sigma + kappa. Then y = line + amplitude exp(-u^alpha).
 */
typedef struct root {
    double u, w, decay; /* w = u^alpha, decay = e^-w */
    double slope;       /* m'(u) */
} root;

/* Newton's method, halving the bracket where a step would leave it. */
static root solve(const stiction_phi_z *phi_z, double kappa, double sigma) {
    const double alpha = phi_z->parameters.stribeck_exponent;
    double lower = sigma, upper = sigma + kappa;
    root r = {.u = upper};
    for (int k = 0; k < 200; k++) {
        r.w = exponent(&phi_z->parameters, r.u);
        const stiction_exp_result e = stiction_exp(-r.w);
        r.decay = e.value;
        r.slope = 1 - kappa * alpha * (r.w / r.u) * e.value;
        const double residual = r.u - sigma + kappa * e.minus_one;
        *(residual > 0 ? &upper : &lower) = r.u;
        double next = r.u - residual / r.slope;
        if (!(next > lower && next < upper)) next = lower + (upper - lower) / 2;
        if (fabs(next - r.u) <= 0x1p-53 * r.u || next == lower || next == upper) break;
        r.u = next;
    }
    return r;
}

/* exp(-u^alpha) at the root in double-double, where m is so flat that rounding would show. */
static double refine(const stiction_phi_z *phi_z, double x, double start) {
    const dd kappa = stiction_kappa(phi_z), sigma = stiction_sigma(phi_z, x);
    const dd alpha = dd_from(phi_z->parameters.stribeck_exponent);
    dd lower = sigma, upper = dd_add(sigma, kappa), u = dd_from(start), decay = dd_from(1);
    for (int k = 0; k < 200; k++) {
        const dd log_w = dd_mul(alpha, stiction_dd_log(u));
        /* beyond w = e^6 the exponential is far below rounding */
        const dd w = log_w.hi < 6 ? stiction_dd_exp(log_w) : dd_from(400);
        const dd minus_one = stiction_dd_expm1(dd_neg(w));
        decay = dd_add(minus_one, dd_from(1));
        const dd residual = dd_add(dd_sub(u, sigma), dd_mul(kappa, minus_one));
        const dd slope =
            dd_sub(dd_from(1), dd_div(dd_mul(dd_mul(kappa, alpha), dd_mul(w, decay)), u));
        *(residual.hi > 0 ? &upper : &lower) = u;
        dd next = dd_sub(u, dd_div(residual, slope));
        if (!(next.hi >= lower.hi && next.hi <= upper.hi)) {
            const dd sum = dd_add(lower, upper);
            next = (dd){sum.hi / 2, sum.lo / 2};
        }
        const double step = dd_round(dd_sub(next, u));
        u = next;
        if (fabs(step) <= 0x1p-80 * u.hi) break;
    }
    return dd_round(decay);
}

/* Where the torque is known no better than this many roundings of sigma, it is refined. */
static const double well_conditioned = 2;

static double slide_numeric(const stiction_phi_z *phi_z, double x, double s) {
    numeric_coefficients c;
    memcpy(&c, phi_z->coefficients, sizeof c);
    const double line = stiction_line_at(c.line, x), sigma = c.rate * s;
    if (sigma >= stiction_exp_range) return line; /* u >= sigma, so the exponential is gone */
    const root r = solve(phi_z, c.kappa, sigma);
    const double y = fma(c.amplitude, r.decay, line);
    /* (dy/du) u/(m' y): how much a relative error of sigma grows on its way to y */
    const double condition =
        c.amplitude * r.decay * phi_z->parameters.stribeck_exponent * r.w / (r.slope * y);
    if (condition >= 0 && condition < well_conditioned) return y;
    return fma(c.amplitude, refine(phi_z, x, r.u), line);
}

static double slide_closed(const stiction_phi_z *phi_z, double x, double reserve) {
    return stribeck_slide(stribeck_coefficients_of(phi_z->coefficients), x, reserve);
}

static double magnitude(const stiction_phi_z *phi_z, double x) {
    const double reserve = stiction_reserve(phi_z, x);
    if (!(reserve < 0)) return x * phi_z->inverse_Z;
    if (!stiction_viscosity_is_linear(&phi_z->parameters))
        return stiction_slide_power(phi_z, &falling, x, -reserve);
    return phi_z->parameters.stribeck_exponent == 1 ? slide_closed(phi_z, x, reserve)
                                                    : slide_numeric(phi_z, x, -reserve);
}

const stiction_law stiction_law_stribeck = {
    .name = "stribeck",
    .description = "F_C + (F_S - F_C) exp(-|v/v_S|^alpha), with viscosity",
    .uses = STICTION_USES(static_torque) | STICTION_USES(coulomb_torque) |
            STICTION_USES(stribeck_velocity) | STICTION_USES(stribeck_exponent) |
            STICTION_USES(viscous) | STICTION_USES(viscous_exponent),
    .phi = phi,
    .phi_slope = phi_slope,
    .work = work,
    .steepest_descent = steepest_descent,
    .prepare = prepare,
    .magnitude = magnitude,
};
