/*
 * The Stribeck law: Phi(v) = (F_C + F_SC exp(-|v/v_S|^alpha)) sgn v + D v.
 * Cisneros et al., (21) to (32). alpha = 1 in closed form through Lambert's W in its natural
 * variable: one exponential, one square root, one division; alpha > 1 by Newton's method.
 */
#include "joint_models/fast/element_c.h"
#include "joint_models/lambert_ratio.h"
#include "joint_models/laws.h"

/* (v/v_S)^alpha, no larger than what the exponential takes. */
static double exponent(const stiction_law_parameters *p, double u) {
    if (p->stribeck_exponent == 1 || u == 0) return fmin(u, stiction_exp_range);
    return fmin(stiction_power(u, p->stribeck_exponent), stiction_exp_range);
}

static double phi(const stiction_law_parameters *p, double v) {
    const double F_C = p->coulomb_torque, F_SC = p->static_torque - F_C;
    if (v == 0) return p->static_torque; /* free of rounding */
    const double w = exponent(p, v / p->stribeck_velocity);
    const double dry = fma(F_SC, stiction_exp(-w).value, F_C); /* (21) */
    return p->viscous > 0 ? fma(p->viscous, v, dry) : dry;
}

static double phi_slope(const stiction_law_parameters *p, double v) {
    const double F_SC = p->static_torque - p->coulomb_torque, v_S = p->stribeck_velocity;
    const double alpha = p->stribeck_exponent, u = v / v_S, w = exponent(p, u);
    /* w/u = u^(alpha-1), whose limit at zero is 1 or 0 */
    const double shape = u > 0 ? w / u : alpha == 1;
    return p->viscous - F_SC / v_S * alpha * shape * stiction_exp(-w).value; /* (31) */
}

/* c(alpha) = max over u of alpha u^(alpha-1) exp(-u^alpha) */
static double steepness(double alpha) {
    if (alpha == 1) return 1;
    const double q = (alpha - 1) / alpha;
    return alpha * stiction_exp(q * stiction_log(q) - q).value;
}

static double steepest_descent(const stiction_law_parameters *p) {
    return steepness(p->stribeck_exponent) * (p->static_torque - p->coulomb_torque) /
               p->stribeck_velocity -
           p->viscous;
}

/* 1 - (1 - d) e^d for 0 <= d <= 1: the sum of d^k (k - 1)/k!, k >= 2, all terms positive. */
static double one_minus_h1(double d) {
    double sum = 1; /* of the terms divided by the first one, innermost first */
    for (int k = 20; k >= 2; k--) sum = 1 + sum * d * k / ((k - 1.0) * (k + 1));
    return sum * d * d / 2;
}

/* The exponential of the closed form is a power of two. */
static const dd log2_e = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

static void prepare(stiction_phi_z *phi_z) {
    stiction_prepare_stiction(phi_z);
    const double alpha = phi_z->parameters.stribeck_exponent;
    if (alpha == 1) {
        const double d = phi_z->sliding.one_minus_bend;
        if (!(d > 0)) return; /* illegal: margin says so */
        const double e_d = stiction_exp(d).value;
        phi_z->sliding.bend = phi_z->sliding.bend * e_d;
        phi_z->sliding.one_minus_bend = one_minus_h1(d);
        phi_z->sliding.amplitude *= e_d;
        phi_z->sliding.rate = dd_round(dd_mul(log2_e, stiction_rate_of(phi_z)));
        return;
    }
    const dd slack = dd_sub(dd_from(1), dd_mul(dd_from(steepness(alpha)), stiction_kappa(phi_z)));
    phi_z->margin = dd_round(dd_mul(stiction_g(phi_z), slack));
}

/*
 * (27) with W0 in its natural variable: psi = (p^2 - 1)/e, p^2 a sum of positive terms, in three
 * stages: -sigma, as an exponent of two, to (r, 2^n), these to (amplitude P, p), these to |y|.
 */

/* Below it P is constant: not so far out that its product with the amplitude is a subnormal. */
static const double least_exponent = -995;

STICTION_INLINE double at_least(double value, double limit) {
    return value > limit ? value : limit; /* fmax is a call */
}

STICTION_INLINE stiction_exp2_reduced decay(const stiction_sliding *c, double reserve,
                                            double least) {
    return stiction_exp2_reduce(at_least(c->rate * reserve, least));
}

typedef struct stribeck_term {
    double scale; /* amplitude P */
    double p, p2; /* p and p^2 */
} stribeck_term;

STICTION_INLINE stribeck_term term(const stiction_sliding *c, stiction_exp2_reduced exponent) {
    /* P = power + scaled secant, and p^2 = (1 - h1) + h1 (1 - P) without waiting for P */
    const double secant = stiction_exp2_secant(exponent.r), power = exponent.power;
    const double scaled = power * exponent.r, P = fma(scaled, secant, power);
    const double p2 = fma(-(c->bend * scaled), secant, fma(c->bend, 1 - power, c->one_minus_bend));
    return (stribeck_term){c->amplitude * P, sqrt(p2), p2};
}

STICTION_INLINE double slide_by(const stiction_sliding *c, double x, double scale, double ratio) {
    return fma(scale, ratio, sliding_line(c, x));
}

STICTION_INLINE double slide_closed(const stiction_sliding *c, double x, double reserve) {
    const stribeck_term t = term(c, decay(c, reserve, least_exponent));
    return slide_by(c, x, t.scale, stiction_lambert_ratio(t.p, t.p2));
}

STICTION_HOT static double step(const stiction_element_c *c, double u, double *e) {
    return element_c_step(slide_closed, c, u, e);
}

STICTION_BLOCK bool careful(BLOCK_PARAMETERS) {
    return element_c_careful(slide_closed, numbers, shared, T, m, u, e, f);
}

/*
 * Many joints: each stage is a loop of its own, through the stack, as a chain of dependent
 * operations as long as all of them would leave the processor waiting.
 */
typedef struct stages {
    double x[element_c_block], reserve[element_c_block];
    double r[element_c_block], power[element_c_block];
    double scale[element_c_block], p[element_c_block], p2[element_c_block];
    double ratio[element_c_block];
} stages;

typedef struct outlook {
    bool usable; /* all velocities */
    bool slides; /* a joint */
} outlook;

STICTION_INLINE outlook start(const double *restrict numbers, bool shared, double T, size_t m,
                              const double *restrict u, const double *restrict e, stages *a) {
    /* read at run time: of a constant bound gcc makes a comparison and a blend */
    const volatile double bound = least_exponent;
    const double least = bound;
    double sum = 0;
    uint64_t signs = 0;
    STICTION_SUM(sum)
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, T, k);
        a->x[k] = element_c_input(&c, u[k], e[k]);
        a->reserve[k] = element_c_reserve(&c, a->x[k]);
        const stiction_exp2_reduced exponent = decay(&c.sliding, a->reserve[k], least);
        a->r[k] = exponent.r;
        a->power[k] = exponent.power;
        signs |= bits_of(a->reserve[k]);
        sum += fabs(u[k]);
    }
    return (outlook){is_usable(sum), signs >> 63};
}

STICTION_INLINE void find_terms(const double *restrict numbers, bool shared, double T, size_t m,
                                stages *a) {
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, T, k);
        const stribeck_term t = term(&c.sliding, (stiction_exp2_reduced){a->r[k], a->power[k]});
        a->scale[k] = t.scale;
        a->p[k] = t.p;
        a->p2[k] = t.p2;
    }
}

STICTION_INLINE void find_ratios(size_t m, stages *a) {
    for (size_t k = 0; k < m; k++) a->ratio[k] = stiction_lambert_ratio(a->p[k], a->p2[k]);
}

/* Where `with_ratio`, finds the ratios on the way. */
STICTION_INLINE void finish(const double *restrict numbers, bool shared, double T, size_t m,
                            bool with_ratio, const stages *a, double *restrict e,
                            double *restrict f) {
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, T, k);
        const double ratio = with_ratio ? stiction_lambert_ratio(a->p[k], a->p2[k]) : a->ratio[k];
        const double y = slide_by(&c.sliding, a->x[k], a->scale[k], ratio);
        f[k] = element_c_force(&c, a->x[k], a->reserve[k], y);
        e[k] = element_c_deflect(&c, e[k], f[k]);
    }
}

/* Where no joint slides. */
STICTION_INLINE void stick(const double *restrict numbers, bool shared, double T, size_t m,
                           const stages *a, double *restrict e, double *restrict f) {
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, T, k);
        f[k] = a->x[k] * c.inverse_Z;
        e[k] = element_c_deflect(&c, e[k], f[k]);
    }
}

/* So few joints are all on their way at once: a loop less is faster. */
enum { few = 24 };

STICTION_INLINE bool block(BLOCK_PARAMETERS) {
    stages a;
    const outlook all = start(numbers, shared, T, m, u, e, &a);
    if (!all.usable) return careful(numbers, shared, T, m, u, e, f);
    if (!all.slides) {
        stick(numbers, shared, T, m, &a, e, f);
        return true;
    }
    find_terms(numbers, shared, T, m, &a);
    if (m <= few) {
        finish(numbers, shared, T, m, true, &a, e, f);
    } else {
        find_ratios(m, &a);
        finish(numbers, shared, T, m, false, &a, e, f);
    }
    return true;
}

ELEMENT_C_STEP_MANY(block, element_c_block)

/*
 * alpha > 1: u = v/v_S solves m(u) = u - kappa (1 - exp(-u^alpha)) = sigma, which rises from below
 * sigma at u = sigma to above it at u = sigma + kappa. Then y = line + amplitude exp(-u^alpha).
 */
typedef struct root {
    double u, w, decay; /* w = u^alpha, decay = e^-w */
    double slope;       /* m'(u) */
} root;

/* Newton's method, halving the bracket where a step would leave it. */
static root solve(const stiction_phi_z *phi_z, double sigma) {
    const double kappa = phi_z->sliding.bend, alpha = phi_z->parameters.stribeck_exponent;
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
        const dd log_w = dd_mul(alpha, dd_log(u));
        /* beyond w = e^6 the exponential is far below rounding */
        const dd w = log_w.hi < 6 ? dd_exp(log_w) : dd_from(400);
        const dd minus_one = dd_expm1(dd_neg(w));
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
    const double line = fma(phi_z->sliding.gain, x, phi_z->sliding.offset),
                 sigma = phi_z->sliding.rate * s;
    if (sigma >= stiction_exp_range) return line; /* u >= sigma, so the exponential is gone */
    const root r = solve(phi_z, sigma);
    const double y = fma(phi_z->sliding.amplitude, r.decay, line);
    /* (dy/du) u/(m' y): how much a relative error of sigma grows on its way to y */
    const double condition = phi_z->sliding.amplitude * r.decay *
                             phi_z->parameters.stribeck_exponent * r.w / (r.slope * y);
    if (condition >= 0 && condition < well_conditioned) return y;
    return fma(phi_z->sliding.amplitude, refine(phi_z, x, r.u), line);
}

static double magnitude(const stiction_phi_z *phi_z, double x) {
    const double reserve = stiction_reserve(phi_z, x);
    if (!(reserve < 0)) return x * phi_z->inverse_Z;
    return phi_z->parameters.stribeck_exponent == 1 ? slide_closed(&phi_z->sliding, x, reserve)
                                                    : slide_numeric(phi_z, x, -reserve);
}

const stiction_law STICTION_LAW(stribeck) = {
    .name = "stribeck",
    .description = "F_C + (F_S - F_C) exp(-|v/v_S|^alpha), with viscosity",
    .uses = STICTION_USES_STATIC_TORQUE | STICTION_USES_COULOMB_TORQUE |
            STICTION_USES_STRIBECK_VELOCITY | STICTION_USES_STRIBECK_EXPONENT |
            STICTION_USES_VISCOUS,
    .phi = phi,
    .phi_slope = phi_slope,
    .steepest_descent = steepest_descent,
    .prepare = prepare,
    .magnitude = magnitude,
    .step = step,
    .sticks = element_c_sticks,
    .step_many = step_many,
};
