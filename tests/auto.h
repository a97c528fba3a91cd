/* SPDX-License-Identifier: MIT
 * Objects of the C ABI that are released where the scope of their variable ends:
 * AUTO(free_state) stiction_state *state = state_of(model);
 */
#ifndef STICTION_TESTS_AUTO_H
#define STICTION_TESTS_AUTO_H

#include <stdlib.h>

#include "stiction/stiction.h"

#define AUTO(release) __attribute__((cleanup(release)))

#define RELEASE(name, type, destroy)                                                               \
    static inline void name(type **object) {                                                       \
        destroy(*object);                                                                          \
    }
RELEASE(free_config, stiction_config, stiction_config_destroy)
RELEASE(free_errors, stiction_errors, stiction_errors_destroy)
RELEASE(free_model, stiction_model, stiction_model_destroy)
RELEASE(free_state, stiction_state, stiction_state_destroy)
RELEASE(free_batch, stiction_batch, stiction_batch_destroy)
RELEASE(free_solver, stiction_implicit, stiction_implicit_destroy)
RELEASE(free_effort, stiction_effort, stiction_effort_destroy)
RELEASE(free_text, char, free)
RELEASE(free_bytes, unsigned char, free)
RELEASE(free_numbers, double, free)
#undef RELEASE

#endif
