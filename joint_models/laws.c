/* SPDX-License-Identifier: MIT
 * The table of laws. Each is compiled once for any processor and once more for newer ones; a
 * program gets those that fit its processor.
 */
#include "joint_models/laws.h"

#include <string.h>

#include "joint_models/fast/variant.h"

#define COUNT_LAW(name)    +1
#define BASELINE_LAW(name) &stiction_law_##name,
#define AVX2_LAW(name)     &stiction_law_##name##_avx2,
#define AVX512_LAW(name)   &stiction_law_##name##_avx512,
enum { law_count = STICTION_LAWS(COUNT_LAW) };

static const stiction_law *const laws[STICTION_VARIANT_COUNT][law_count] = {
    [STICTION_BASELINE] = {STICTION_LAWS(BASELINE_LAW)},
#ifdef STICTION_WITH_AVX2
    [STICTION_AVX2] = {STICTION_LAWS(AVX2_LAW)},
#endif
#ifdef STICTION_WITH_AVX512
    [STICTION_AVX512] = {STICTION_LAWS(AVX512_LAW)},
#endif
};

size_t stiction_law_count(void) {
    return law_count;
}

const stiction_law *stiction_law_at(size_t index) {
    return index < law_count ? laws[stiction_variant_best()][index] : NULL;
}

const stiction_law *stiction_law_find(const char *name) {
    for (size_t k = 0; name && k < law_count; k++)
        if (strcmp(stiction_law_at(k)->name, name) == 0) return stiction_law_at(k);
    return NULL;
}
