/* SPDX-License-Identifier: MIT
 * The instruction sets that the laws and their fast steps are compiled for. All compute the same
 * bits: `#pragma` and flags change how many joints one instruction handles, nothing else.
 */
#ifndef STICTION_JOINT_MODELS_FAST_VARIANT_H
#define STICTION_JOINT_MODELS_FAST_VARIANT_H

#include <stdbool.h>

/* The copies of the files for others than the first define names that end in _avx2 and _avx512;
 * where the build makes them, it defines STICTION_WITH_AVX2 and STICTION_WITH_AVX512. */
typedef enum stiction_variant {
    STICTION_BASELINE, /* any processor */
    STICTION_AVX2,     /* AVX2 and fma */
    STICTION_AVX512,   /* AVX-512 F, VL, BW and DQ: Intel's since Skylake-SP, AMD's since Zen 4 */
    STICTION_VARIANT_COUNT
} stiction_variant;

/* "baseline", "avx2", "avx512"; "unknown" for another number. */
const char *stiction_variant_name(stiction_variant variant);

/* Whether the library has it and this processor can run it. */
bool stiction_variant_runs(stiction_variant variant);

/* The fastest of those that run. */
stiction_variant stiction_variant_best(void);

#endif
