/* SPDX-License-Identifier: MIT */
/* Which instruction sets this processor has. */
#include "joint_models/fast/variant.h"

static bool has_avx2(void) {
#ifdef STICTION_WITH_AVX2
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/* The system's consent to wide registers is part of it. */
static bool has_avx512(void) {
#ifdef STICTION_WITH_AVX512
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
#else
    return false;
#endif
}

const char *stiction_variant_name(stiction_variant variant) {
    static const char *const names[STICTION_VARIANT_COUNT] = {
        [STICTION_BASELINE] = "baseline", [STICTION_AVX2] = "avx2", [STICTION_AVX512] = "avx512"};
    return variant < STICTION_VARIANT_COUNT ? names[variant] : "unknown";
}

bool stiction_variant_runs(stiction_variant variant) {
    switch (variant) {
    case STICTION_BASELINE:
        return true;
    case STICTION_AVX2:
        return has_avx2();
    case STICTION_AVX512:
        return has_avx512();
    default:
        return false;
    }
}

stiction_variant stiction_variant_best(void) {
    if (has_avx512()) return STICTION_AVX512;
    return has_avx2() ? STICTION_AVX2 : STICTION_BASELINE;
}
