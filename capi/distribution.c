/* SPDX-License-Identifier: MIT
 * Random numbers of our own: integers by SplitMix64, doubles by +, *, /, sqrt and our own
 * exponential and logarithm, so that a seed means the same robot everywhere and for ever.
 */
#include "distribution.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "document/fail.h"
#include "document/number.h"
#include "joint_models/exponential.h"

/* Bits. */

static const uint64_t golden = 0x9e3779b97f4a7c15u;

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* FNV-1a */
static uint64_t hash(const char *text) {
    uint64_t h = 0xcbf29ce484222325u;
    for (const char *p = text; *p; p++) h = (h ^ (unsigned char)*p) * 0x100000001b3u;
    return h;
}

random_stream stiction_random_start(const draw_key *key, const char *parameter) {
    const uint64_t parts[] = {key->seed, key->sample, hash(key->name), hash(parameter)};
    uint64_t state = 0;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        state = mix((state ^ parts[k]) + golden);
    return (random_stream){state};
}

uint64_t stiction_random_bits(random_stream *stream) {
    return mix(stream->state += golden);
}

/* In [0, 1), a multiple of 2^-53. */
static double next_fraction(random_stream *stream) {
    return (double)(stiction_random_bits(stream) >> 11) * 0x1p-53;
}

/* Distributions. */

const char *stiction_distribution_name(stiction_distribution_kind kind) {
    static const char *const names[] = {"uniform", "log_uniform", "normal"};
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}

static double within(double value, const stiction_distribution *d) {
    return fmin(fmax(value, d->first), d->second);
}

static double next_uniform(const stiction_distribution *d, random_stream *stream) {
    const double u = next_fraction(stream);
    return within((1 - u) * d->first + u * d->second, d);
}

static double next_log_uniform(const stiction_distribution *d, random_stream *stream) {
    const double u = next_fraction(stream);
    /* our logarithm takes normal numbers, our exponential what it can give */
    const double low = stiction_ln(fmax(d->first, DBL_MIN));
    const double high = stiction_ln(fmax(d->second, DBL_MIN));
    const double power =
        fmin(fmax((1 - u) * low + u * high, -stiction_exp_range), stiction_exp_range);
    return within(stiction_exp(power).value, d);
}

/* Mean 0 and deviation 1, by Marsaglia's polar method. */
static double next_standard(random_stream *stream) {
    for (;;) {
        const double x = 2 * next_fraction(stream) - 1, y = 2 * next_fraction(stream) - 1;
        const double square = x * x + y * y;
        /* pi/4 of the square are in the circle */
        if (square < 1 && square >= DBL_MIN) return x * sqrt(-2 * stiction_ln(square) / square);
    }
}

/* The mean is in the range, and the deviation no longer than the range: a third of the numbers are
 * in it, or more. */
static double next_normal(const stiction_distribution *d, size_t parameter, random_stream *stream) {
    enum { most_tries = 1000 };
    double least, most;
    (void)stiction_parameter_range(parameter, &least, &most);
    for (int k = 0; k < most_tries; k++) {
        const double value = d->first + d->second * next_standard(stream);
        if (value >= least && value <= most) return value;
    }
    return d->first;
}

double stiction_distribution_next(const stiction_distribution *d, size_t parameter,
                                  random_stream *stream) {
    if (d->kind == STICTION_NORMAL) return next_normal(d, parameter, stream);
    return d->kind == STICTION_UNIFORM ? next_uniform(d, stream) : next_log_uniform(d, stream);
}

double stiction_distribution_end(const stiction_distribution *d, size_t parameter, bool largest) {
    double least = 0, most = STICTION_MOST;
    if (d->kind != STICTION_NORMAL) return largest ? d->second : d->first;
    (void)stiction_parameter_range(parameter, &least, &most);
    return largest ? most : least;
}

stiction_status stiction_distribution_check(const stiction_distribution *d, size_t parameter,
                                            bool *of_first, stiction_error *error) {
    bool own;
    stiction_parameter_info info;
    bool *first = of_first ? of_first : &own;
    *first = true;
    REQUIRE(stiction_distribution_name(d->kind), error, "there is no distribution %d",
            (int)d->kind);
    REQUIRE(stiction_parameter_at(parameter, &info) && !isnan(d->first) && !isnan(d->second), error,
            "a number of the distribution is not given");
    TRY(stiction_joint_check_parameter("", "", parameter, d->first, error));
    FAIL_IF(d->kind == STICTION_LOG_UNIFORM && !(d->first > 0), error, STICTION_INVALID_CONFIG,
            "%s %.15g must be above 0: it is drawn by its logarithm", info.key, d->first);
    *first = false;
    FAIL_IF(isinf(d->second), error, STICTION_INVALID_CONFIG, "%s %g is not finite", info.key,
            d->second);
    double most = 0;
    (void)stiction_parameter_range(parameter, NULL, &most);
    FAIL_IF(d->kind == STICTION_NORMAL && !(d->second > 0), error, STICTION_INVALID_CONFIG,
            "%s has a deviation of %.15g, which must be above 0", info.key, d->second);
    if (d->kind == STICTION_NORMAL)
        return d->second <= most
                   ? STICTION_OK
                   : stiction_fail(error, STICTION_INVALID_CONFIG,
                                   "%s has a deviation of %.15g, which must be at most %g%s",
                                   info.key, d->second, most, stiction_joint_unit(parameter));
    return d->second >= d->first
               ? stiction_joint_check_parameter("", "", parameter, d->second, error)
               : stiction_fail(error, STICTION_INVALID_CONFIG,
                               "%s is drawn from %.15g to %.15g, which must not be below it",
                               info.key, d->first, d->second);
}

const char *stiction_distribution_write(const stiction_distribution *d,
                                        char buffer[DISTRIBUTION_SIZE]) {
    char first[NUMBER_SIZE], second[NUMBER_SIZE];
    (void)snprintf(buffer, DISTRIBUTION_SIZE, "{%s: [%s, %s]}", stiction_distribution_name(d->kind),
                   stiction_number_write(d->first, first),
                   stiction_number_write(d->second, second));
    return buffer;
}
