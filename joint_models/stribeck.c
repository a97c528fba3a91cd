/*
 * The Stribeck law: Phi(v) = (F_C + F_SC exp(-|v/v_S|^alpha)) sgn v + D v.
 * Cisneros et al., (21) to (32). alpha = 1 in closed form through Lambert's W in its natural
 * variable: one exponential, one square root, one division; alpha > 1 by Newton's method.
 */
#include "element_c.h"
#include "lambert_ratio.h"
#include "laws.h"

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
        return;
    }
    const dd slack = dd_sub(dd_from(1), dd_mul(dd_from(steepness(alpha)), stiction_kappa(phi_z)));
    phi_z->margin = dd_round(dd_mul(stiction_g(phi_z), slack));
}

/*
 * (27) with W0 in its natural variable: psi = (p^2 - 1)/e, p^2 a sum of positive terms, in three
 * stages: sigma to (r, 2^n), these to (amplitude P, p), these to |y|.
 */

/* Beyond it P is constant: not so far out that its product with the amplitude is a subnormal. */
static const double sigma_limit = 690;

STICTION_INLINE double at_most(double value, double limit) {
    return value < limit ? value : limit; /* fmin is a call */
}

STICTION_INLINE double at_least(double value, double limit) {
    return value > limit ? value : limit;
}

typedef struct stribeck_term {
    double scale; /* amplitude P */
    double p;
} stribeck_term;

STICTION_INLINE stribeck_term term(const stiction_sliding *c, stiction_exp_reduced x) {
    const stiction_exp_result P = stiction_exp_expand(x);
    return (stribeck_term){c->amplitude * P.value,
                           sqrt(fma(c->bend, -P.minus_one, c->one_minus_bend))};
}

STICTION_INLINE double slide_closed(const stiction_sliding *c, double x, double s) {
    const double sigma = at_most(c->rate * s, sigma_limit);
    const stribeck_term t = term(c, stiction_exp_reduce(-sigma));
    return fma(t.scale, stiction_lambert_ratio(t.p), sliding_line(c, x));
}

static double step(const stiction_element_c *c, double T, double u, double *e, bool *sticks) {
    return element_c_step(slide_closed, c, T, u, e, sticks);
}

/*
 * Many joints: each stage is a loop of its own, through the stack, as a chain of dependent
 * operations as long as all of them would leave the processor waiting.
 */
typedef struct stages {
    double x[element_c_block], s[element_c_block];
    double p[element_c_block], scale[element_c_block]; /* before that, r and 2^n; then R(p) */
} stages;

/* Tells whether a joint slides. */
STICTION_INLINE bool start(const double *restrict numbers, bool shared, size_t m,
                           const double *restrict u, const double *restrict e, stages *a) {
    /* read at run time: of a constant bound gcc makes a comparison and a blend */
    const volatile double bounds[] = {0, sigma_limit};
    const double lower = bounds[0], upper = bounds[1];
    uint64_t slides = 0;
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, k);
        a->x[k] = element_c_input(&c, u[k], e[k]);
        a->s[k] = element_c_excess(&c, a->x[k]);
        slides |= bits_of(-a->s[k]);
        const double sigma = at_least(at_most(c.sliding.rate * a->s[k], upper), lower);
        const stiction_exp_reduced decay = stiction_exp_reduce(-sigma);
        a->p[k] = decay.r;
        a->scale[k] = decay.power;
    }
    return slides >> 63;
}

STICTION_INLINE void find_terms(const double *restrict numbers, bool shared, size_t m, stages *a) {
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, k);
        const stribeck_term t = term(&c.sliding, (stiction_exp_reduced){a->p[k], a->scale[k]});
        a->scale[k] = t.scale;
        a->p[k] = t.p;
    }
}

/* `have_ratio`: R(p) is in the place of p. */
STICTION_INLINE void finish(const double *restrict numbers, bool shared, double T, size_t m,
                            bool have_ratio, const stages *a, double *restrict e,
                            double *restrict f) {
    for (size_t k = 0; k < m; k++) {
        const stiction_element_c c = element_c_at(numbers, shared, k);
        const double R = have_ratio ? a->p[k] : stiction_lambert_ratio(a->p[k]);
        const double y = fma(a->scale[k], R, sliding_line(&c.sliding, a->x[k]));
        f[k] = element_c_force(&c, a->x[k], a->s[k], y);
        e[k] = element_c_deflect(&c, T, e[k], f[k]);
    }
}

/* So few joints are all on their way at once: a loop less is faster. */
enum { few = 24 };

STICTION_INLINE void block(const double *restrict numbers, bool shared, double T, size_t m,
                           const double *restrict u, double *restrict e, double *restrict f) {
    stages a;
    const bool slides = start(numbers, shared, m, u, e, &a);
    if (slides) find_terms(numbers, shared, m, &a);
    if (slides && m <= few) {
        finish(numbers, shared, T, m, false, &a, e, f);
        return;
    }
    /* where no joint slides, R does not matter */
    for (size_t k = 0; slides && k < m; k++) a.p[k] = stiction_lambert_ratio(a.p[k]);
    finish(numbers, shared, T, m, true, &a, e, f);
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

static double slide(const stiction_phi_z *phi_z, double x, double s) {
    return phi_z->parameters.stribeck_exponent == 1 ? slide_closed(&phi_z->sliding, x, s)
                                                    : slide_numeric(phi_z, x, s);
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
    .slide = slide,
    .step = step,
    .step_many = step_many,
};
