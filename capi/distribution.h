/* SPDX-License-Identifier: MIT
 * Distributions, and the source of random bits beneath them: counted, not stepped, so that what one
 * parameter draws depends on no other. The same bits on every machine.
 */
#ifndef STICTION_CAPI_DISTRIBUTION_H
#define STICTION_CAPI_DISTRIBUTION_H

#include "joint_internal.h"
#include "stiction/random.h"

/* Where a number comes from: SplitMix64 (Steele, Lea, Flood 2014) from a start that is a hash. */
typedef struct random_stream {
    uint64_t state;
} random_stream;

/* What a draw depends on. */
typedef struct draw_key {
    uint64_t seed, sample;
    const char *name; /* of the joint */
} draw_key;

random_stream stiction_random_start(const draw_key *key, const char *parameter);

/* The next 64 bits. */
uint64_t stiction_random_bits(random_stream *stream);

/* The next number of a distribution, in the range of a row of the parameter table. */
double stiction_distribution_next(const stiction_distribution *d, size_t parameter,
                                  random_stream *stream);

/* Checks a distribution of a parameter; the message does not include its name. `of_first`, which
 * may be NULL: whether the first or the second number is wrong. */
stiction_status stiction_distribution_check(const stiction_distribution *d, size_t parameter,
                                            bool *of_first, stiction_error *error);

/* The largest or the smallest number that it can give; a normal one ends with the range. */
double stiction_distribution_end(const stiction_distribution *d, size_t parameter, bool largest);

/* "{uniform: [2, 3]}", as YAML has it, to the bit. */
enum { DISTRIBUTION_SIZE = 96 };
const char *stiction_distribution_write(const stiction_distribution *d,
                                        char buffer[DISTRIBUTION_SIZE]);

#endif
