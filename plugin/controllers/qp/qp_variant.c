/* SPDX-License-Identifier: MIT */
/* Which of the loops this processor runs. */
#include "qp_kernels.h"

const qp_kernels *qp_kernels_best(void) {
#ifdef STICTION_QP_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return &qp_kernels_avx2;
#endif
    return &qp_kernels_baseline;
}
