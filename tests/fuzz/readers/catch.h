/* SPDX-License-Identifier: MIT */
/* Readers of the command: they return false with an error, or succeed. */
#ifndef STICTION_FUZZ_CATCH_H
#define STICTION_FUZZ_CATCH_H

#include "../fuzz.h"
#include "common/command.h"

/* Whether it succeeded; else its error must be one that can be shown. */
static inline bool succeeds(bool fine, const stiction_error *error) {
    if (!fine) must_be_told(error);
    return fine;
}

#endif
