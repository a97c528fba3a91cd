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

bool stiction_variant_runs(stiction_variant variant) {
    return variant == STICTION_BASELINE || (variant == STICTION_AVX2 && has_avx2());
}

stiction_variant stiction_variant_best(void) {
    return has_avx2() ? STICTION_AVX2 : STICTION_BASELINE;
}
