/* SPDX-License-Identifier: MIT
 * Lambert's W for the processor that runs the program.
 * Where fma is no instruction, it is a call of the C library, twenty times a W.
 */
#include "lambert_variants.h"

#include "stiction/models/lambert_w.h"

#ifdef STICTION_WITH_AVX2
double stiction_w0_in_cells_avx2(double z);
double stiction_wm1_in_cells_avx2(double z);

/* As stiction_variant_best has it, without its call, which would take as long as W. Before the
 * processor is known, while a program is loaded, it is false. */
#define HAS_AVX2                                                                                   \
    __builtin_expect(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"), 1)
#define W_OF(name, z) (HAS_AVX2 ? name##_avx2(z) : name(z))
#else
#define W_OF(name, z) name(z)
#endif

double stiction_lambert_w0(double z) {
    return W_OF(stiction_w0_in_cells, z);
}

double stiction_lambert_wm1(double z) {
    return W_OF(stiction_wm1_in_cells, z);
}

stiction_lambert_pair stiction_lambert_variant(stiction_variant variant) {
    static const stiction_lambert_pair copies[STICTION_VARIANT_COUNT] = {
        [STICTION_BASELINE] = {stiction_w0_in_cells, stiction_wm1_in_cells},
#ifdef STICTION_WITH_AVX2
        [STICTION_AVX2] = {stiction_w0_in_cells_avx2, stiction_wm1_in_cells_avx2},
#endif
    };
    return stiction_variant_runs(variant) ? copies[variant] : (stiction_lambert_pair){NULL, NULL};
}
