/* SPDX-License-Identifier: MIT */
/* The table of fast steps. */
#include "joint_models/fast/fast.h"

#include <string.h>

#define DECLARE_FAST(name)                                                                         \
    extern const stiction_fast_step stiction_fast_##name, stiction_fast_##name##_avx2,             \
        stiction_fast_##name##_avx512;
STICTION_FAST_STEPS(DECLARE_FAST)

#define COUNT_FAST(name)    +1
#define BASELINE_FAST(name) &stiction_fast_##name,
#define AVX2_FAST(name)     &stiction_fast_##name##_avx2,
#define AVX512_FAST(name)   &stiction_fast_##name##_avx512,
enum { fast_count = STICTION_FAST_STEPS(COUNT_FAST) };

static const stiction_fast_step *const steps[STICTION_VARIANT_COUNT][fast_count] = {
    [STICTION_BASELINE] = {STICTION_FAST_STEPS(BASELINE_FAST)},
#ifdef STICTION_WITH_AVX2
    [STICTION_AVX2] = {STICTION_FAST_STEPS(AVX2_FAST)},
#endif
#ifdef STICTION_WITH_AVX512
    [STICTION_AVX512] = {STICTION_FAST_STEPS(AVX512_FAST)},
#endif
};

size_t stiction_fast_count(void) {
    return fast_count;
}

const stiction_fast_step *stiction_fast_at(size_t index) {
    return index < fast_count ? steps[stiction_variant_best()][index] : NULL;
}

const stiction_fast_step *stiction_fast_find(const stiction_law *law,
                                             const stiction_law_parameters *parameters) {
    const stiction_fast_step *const *best = steps[stiction_variant_best()];
    for (size_t k = 0; law && k < fast_count; k++)
        if (strcmp(best[k]->law, law->name) == 0)
            return !best[k]->covers || best[k]->covers(parameters) ? best[k] : NULL;
    return NULL;
}

const stiction_fast_step *stiction_fast_variant(const stiction_fast_step *fast,
                                                stiction_variant variant) {
    for (size_t k = 0; fast && stiction_variant_runs(variant) && k < fast_count; k++)
        if (strcmp(steps[variant][k]->law, fast->law) == 0) return steps[variant][k];
    return NULL;
}
