/* SPDX-License-Identifier: MIT
 * Points between 0 and 1 from which samples are made: at random, by a Latin hypercube (McKay,
 * Beckman, Conover 1979) or of Sobol's sequence (1967) with the direction numbers of Joe and Kuo
 * (2008) and Owen's scrambling (1995). The same bits on every machine: no libm, no state.
 */
#ifndef STICTION_TOOLS_SWEEP_SAMPLING_H
#define STICTION_TOOLS_SWEEP_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sampling_method { SAMPLING_RANDOM, SAMPLING_LATIN, SAMPLING_SOBOL } sampling_method;

/* NULL: there is no such method. */
const char *sampling_method_name(size_t method);

/* The dimensions of Sobol's sequence that are implemented. */
enum { SAMPLING_DIMENSIONS = 37 };

/* One dimension of `count` points, each above 0 and below 1. At random and by Latin hypercubes
 * they depend on the key alone, of Sobol's sequence on its dimension (from 0), too. */
typedef struct sampling_axis {
    sampling_method method;
    uint64_t seed;
    const char *key;
    size_t dimension;
} sampling_axis;
void sampling_fill(const sampling_axis *axis, double *points, size_t count);

/* The 32 bits of a point of Sobol's sequence before it is scrambled, in the order of Gray's code as
 * in the literature; and the direction numbers, bit 0 of them the first. */
uint32_t sampling_sobol(size_t dimension, uint32_t index);
uint32_t sampling_direction(size_t dimension, size_t bit);

/* Replaces points by numbers of a distribution. */
typedef enum sampling_kind { SAMPLING_UNIFORM, SAMPLING_LOGUNIFORM, SAMPLING_NORMAL } sampling_kind;

typedef struct sampling_range {
    sampling_kind kind;
    double first, second; /* ends, above 0 where they are logarithmic; or mean and deviation */
    double least, most;   /* of a normal one: what is beyond is cut off; infinite: nothing is */
} sampling_range;
void sampling_values(const sampling_range *range, double *points, size_t count);

/* A number as text, with nine digits, which are the same on every machine, or with more if it would
 * leave its range otherwise (NULL: no range). */
enum { SAMPLING_TEXT_SIZE = 32 };
void sampling_text(double value, const sampling_range *range, char text[SAMPLING_TEXT_SIZE]);

/* From the first to the last of `count` values, which are these themselves: in equal steps, or by
 * equal factors. */
double sampling_linear(double first, double last, size_t k, size_t count);
double sampling_geometric(double first, double last, size_t k, size_t count);

/* The standard normal distribution and its inverse (Wichura 1988, AS 241). */
double sampling_normal(double x);
double sampling_normal_inverse(double p);

#endif
