/* SPDX-License-Identifier: MIT
 * Points between 0 and 1, and the numbers that are made of them.
 */
#include "sweep/sampling.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/command.h"
#include "distribution.h"
#include "joint_models/exponential.h"

const char *sampling_method_name(size_t method) {
    static const char *const names[] = {"random", "latin", "sobol"};
    return method < sizeof names / sizeof names[0] ? names[method] : NULL;
}

/* The middle of a cell of 2^-52: never 0 or 1. */
static double fraction(uint64_t bits) {
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

static random_stream start(const sampling_axis *axis, uint64_t sample) {
    const draw_key key = {.seed = axis->seed, .sample = sample, .name = "sweep"};
    return stiction_random_start(&key, axis->key);
}

/* ---- at random ---- */

static void fill_random(const sampling_axis *axis, double *points, size_t count) {
    random_stream stream = start(axis, SAMPLING_RANDOM);
    for (size_t k = 0; k < count; k++) points[k] = fraction(stiction_random_bits(&stream));
}

/* ---- Latin hypercubes ---- */

/* Uniform below `count`: bits that would favour small numbers are drawn again. */
static size_t draw_below(random_stream *stream, size_t count) {
    const uint64_t most = UINT64_MAX - UINT64_MAX % count;
    for (;;) {
        const uint64_t bits = stiction_random_bits(stream);
        if (bits < most) return (size_t)(bits % count);
    }
}

/* One stratum for each point, shuffled for each key (Fisher, Yates), and a random place in it. */
static void fill_latin(const sampling_axis *axis, double *points, size_t count) {
    random_stream stream = start(axis, SAMPLING_LATIN);
    AUTO_FREE size_t *strata = allocate(count, sizeof *strata);
    for (size_t k = 0; k < count; k++) strata[k] = k;
    for (size_t k = count; k > 1; k--) {
        const size_t other = draw_below(&stream, k), last = strata[k - 1];
        strata[k - 1] = strata[other];
        strata[other] = last;
    }
    for (size_t k = 0; k < count; k++) {
        const double within = fraction(stiction_random_bits(&stream));
        /* in the last stratum the sum may round to 1, which is not below 1 */
        points[k] = fmin(((double)strata[k] + within) / (double)count, 1 - 0x1p-53);
    }
}

/* ---- Sobol's sequence ---- */

/* Joe and Kuo 2008, new-joe-kuo-6.21201: of the dimensions from the second on the degree of a
 * primitive polynomial, its inner coefficients as bits, and the first odd numbers m. */
static const struct {
    unsigned degree, inner, m[7];
} sobol[SAMPLING_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
};

enum { sobol_bits = 32 };

/* v of a dimension: m_k 2^-k as bits from the left, by Sobol's recurrence. */
static void fill_directions(size_t dimension, uint32_t v[sobol_bits]) {
    for (size_t k = 0; k < sobol_bits; k++) v[k] = 1u << (31 - k);
    if (dimension == 0) return; /* van der Corput's */
    const unsigned degree = sobol[dimension - 1].degree, inner = sobol[dimension - 1].inner;
    for (size_t k = 0; k < sobol_bits; k++) {
        if (k < degree) {
            v[k] = (uint32_t)sobol[dimension - 1].m[k] << (31 - k);
            continue;
        }
        v[k] = v[k - degree] ^ (v[k - degree] >> degree);
        for (unsigned n = 1; n < degree; n++)
            if (inner >> (degree - 1 - n) & 1) v[k] ^= v[k - n];
    }
}

uint32_t sampling_direction(size_t dimension, size_t bit) {
    uint32_t v[sobol_bits];
    fill_directions(dimension, v);
    return v[bit];
}

static uint32_t sobol_point(const uint32_t v[sobol_bits], uint32_t index) {
    uint32_t point = 0;
    index ^= index >> 1;
    for (size_t k = 0; index; k++, index >>= 1)
        if (index & 1) point ^= v[k];
    return point;
}

uint32_t sampling_sobol(size_t dimension, uint32_t index) {
    uint32_t v[sobol_bits];
    fill_directions(dimension, v);
    return sobol_point(v, index);
}

/* Owen's: every bit is turned or not, by a number that all higher bits decide. It keeps the strata
 * of every power of two. */
static uint32_t scramble(random_stream from, uint32_t point) {
    uint32_t result = 0;
    for (size_t k = 0; k < sobol_bits; k++) {
        const uint64_t above = k ? point >> (32 - k) : 0;
        random_stream stream = {from.state ^ (above << 6 | k) * 0xd1342543de82ef95u};
        const uint32_t turn = (uint32_t)(stiction_random_bits(&stream) >> 63);
        result |= ((point >> (31 - k) & 1) ^ turn) << (31 - k);
    }
    return result;
}

static void fill_sobol(const sampling_axis *axis, double *points, size_t count) {
    uint32_t v[sobol_bits];
    fill_directions(axis->dimension, v);
    random_stream stream = start(axis, SAMPLING_SOBOL);
    const random_stream from = {stiction_random_bits(&stream)};
    /* the bits below those of the sequence are random */
    for (size_t k = 0; k < count; k++) {
        const uint64_t high = scramble(from, sobol_point(v, (uint32_t)k));
        points[k] = fraction(high << 32 | stiction_random_bits(&stream) >> 32);
    }
}

void sampling_fill(const sampling_axis *axis, double *points, size_t count) {
    static void (*const fill[])(const sampling_axis *, double *, size_t) = {fill_random, fill_latin,
                                                                            fill_sobol};
    fill[axis->method](axis, points, count);
}

/* ---- numbers ---- */

/* With our own logarithm and exponential, which give the same bits on every machine. */
static double mix_logarithms(double first, double second, double share) {
    const double low = stiction_ln(fmax(first, DBL_MIN)), high = stiction_ln(fmax(second, DBL_MIN));
    const double power = (1 - share) * low + share * high;
    return stiction_exp(fmin(fmax(power, -stiction_exp_range), stiction_exp_range)).value;
}

static double within(double value, double a, double b) {
    return fmin(fmax(value, fmin(a, b)), fmax(a, b));
}

double sampling_linear(double first, double last, size_t k, size_t count) {
    if (k == 0 || count == 1) return first;
    if (k == count - 1) return last;
    const double share = (double)k / (double)(count - 1);
    return within((1 - share) * first + share * last, first, last);
}

double sampling_geometric(double first, double last, size_t k, size_t count) {
    if (k == 0 || count == 1) return first;
    if (k == count - 1) return last;
    const double sign = first < 0 ? -1 : 1, share = (double)k / (double)(count - 1);
    return within(sign * mix_logarithms(fabs(first), fabs(last), share), first, last);
}

/* Rational functions of Wichura's PPND16, numerator first. */
static const double centre[2][8] = {
    {3.3871328727963666080, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3},
};
static const double flank[2][8] = {
    {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
     1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2,
     7.74545014278341407640e-4},
    {1, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9},
};
static const double tail[2][8] = {
    {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15},
};

static double ratio(const double of[2][8], double x) {
    double above = 0, below = 0;
    for (size_t k = 8; k-- > 0;) {
        above = above * x + of[0][k];
        below = below * x + of[1][k];
    }
    return above / below;
}

double sampling_normal_inverse(double p) {
    const double q = p - 0.5;
    if (fabs(q) <= 0.425) return q * ratio(centre, 0.180625 - q * q);
    const double r = sqrt(-stiction_ln(fmax(q < 0 ? p : 1 - p, DBL_MIN)));
    const double x = r <= 5 ? ratio(flank, r - 1.6) : ratio(tail, r - 5);
    return q < 0 ? -x : x;
}

/* By bisection of its inverse: it is rarely called, and needs no table. */
double sampling_normal(double x) {
    double low = 0, high = 1;
    if (!(x > -37)) return 0;
    if (x > 8.2) return 1;
    for (;;) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) return high;
        if (sampling_normal_inverse(middle) < x)
            low = middle;
        else
            high = middle;
    }
}

static void make_uniform(const sampling_range *r, double *points, size_t count) {
    for (size_t k = 0; k < count; k++)
        points[k] = within((1 - points[k]) * r->first + points[k] * r->second, r->first, r->second);
}

static void make_loguniform(const sampling_range *r, double *points, size_t count) {
    for (size_t k = 0; k < count; k++)
        points[k] = within(mix_logarithms(r->first, r->second, points[k]), r->first, r->second);
}

/* A truncated distribution is scaled to the range that remains. */
static void make_normal(const sampling_range *r, double *points, size_t count) {
    const double low = sampling_normal((r->least - r->first) / r->second);
    const double high = sampling_normal((r->most - r->first) / r->second);
    for (size_t k = 0; k < count; k++) {
        const double x = sampling_normal_inverse(low + points[k] * (high - low));
        points[k] = within(r->first + r->second * x, r->least, r->most);
    }
}

void sampling_values(const sampling_range *range, double *points, size_t count) {
    static void (*const make[])(const sampling_range *, double *,
                                size_t) = {make_uniform, make_loguniform, make_normal};
    make[range->kind](range, points, count);
}

void sampling_text(double value, const sampling_range *range, char text[SAMPLING_TEXT_SIZE]) {
    double written;
    const bool is_normal = range && range->kind == SAMPLING_NORMAL;
    (void)snprintf(text, SAMPLING_TEXT_SIZE, "%.9g", value + 0.0); /* no -0 */
    /* to the last of nine digits it may be beyond an end that has more of them */
    if (range && read_number(text, &written) &&
        (written < (is_normal ? range->least : range->first) ||
         written > (is_normal ? range->most : range->second)))
        (void)snprintf(text, SAMPLING_TEXT_SIZE, "%.17g", value);
}
