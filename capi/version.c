/* SPDX-License-Identifier: MIT */
/* Which library this is. */
#include "stiction/stiction.h"

const char *stiction_version(void) {
    return STICTION_VERSION;
}

int stiction_abi_version(void) {
    return STICTION_ABI_VERSION;
}
