/* SPDX-License-Identifier: MIT
 * The list of laws. Configuration, command, documents and tests find them through stiction_law_at
 * and stiction_law_find.
 */
#ifndef STICTION_JOINT_MODELS_LAWS_H
#define STICTION_JOINT_MODELS_LAWS_H

#include "stiction/models/law.h"

/* A new law is the file laws/<name>.c, which defines stiction_law_<name>, and its name here. */
#define STICTION_LAWS(ROW) ROW(coulomb) ROW(stribeck) ROW(rational)

/* The copies for other instruction sets have the same files, see fast/variant.h. */
#define STICTION_DECLARE_LAW(name)                                                                 \
    extern const stiction_law stiction_law_##name, stiction_law_##name##_avx2,                     \
        stiction_law_##name##_avx512;
STICTION_LAWS(STICTION_DECLARE_LAW)

#endif
