/* SPDX-License-Identifier: MIT */
/* The readers that are fuzzed; those of the engine only where it is built. */
#ifndef STICTION_FUZZ_READERS_H
#define STICTION_FUZZ_READERS_H

#include "fuzz.h"

/* clang-format off */
#define FUZZ_CORE(X) X(config) X(state)
#ifdef STICTION_FUZZ_ENGINE
#define FUZZ_READERS(X)                                                                            \
    FUZZ_CORE(X)                                                                                   \
    X(body) X(project) X(urdf) X(mjcf) X(vrml) X(import)                                                \
    X(posture) X(motion) X(remote)                                                                 \
    X(set) X(log) X(replay) X(run) X(sweep) X(sweep_results) X(sweep_database) X(plot)
#else
#define FUZZ_READERS(X) FUZZ_CORE(X)
#endif
/* clang-format on */

#define FUZZ_DECLARED(name) extern const fuzz_reader fuzz_##name;
FUZZ_READERS(FUZZ_DECLARED)
#undef FUZZ_DECLARED

/* NULL: there is none of this name. */
const fuzz_reader *fuzz_find(const char *name);

#endif
