/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same everywhere: splitmix64. */
#ifndef STICTION_TESTS_RANDOM_H
#define STICTION_TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct random_source {
    uint64_t state;
} random_source;

static inline uint64_t random_bits(random_source *r) {
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [lower, upper). */
static inline double random_uniform(random_source *r, double lower, double upper) {
    return lower + (upper - lower) * (double)(random_bits(r) >> 11) * 0x1p-53;
}

/* Ten to a power that is uniform in [lower, upper). */
static inline double random_decade(random_source *r, double lower, double upper) {
    return pow(10, random_uniform(r, lower, upper));
}

#endif
