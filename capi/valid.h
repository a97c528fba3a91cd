/* SPDX-License-Identifier: MIT
 * Where the friction of a joint was identified: the key `valid` of a configuration.
 */
#ifndef STICTION_CAPI_VALID_H
#define STICTION_CAPI_VALID_H

#include "stiction/config.h"

typedef enum valid_quantity {
    VALID_SPEED,
    VALID_LOAD,
    VALID_TEMPERATURE,
    VALID_COUNT
} valid_quantity;

/* rad/s, N m, deg C; speed and load are sizes. -INFINITY, INFINITY: not stated. */
typedef struct valid_ranges {
    double low[VALID_COUNT], high[VALID_COUNT];
} valid_ranges;

/* "speed", "load", "temperature" and their units. */
const char *stiction_valid_key(int k);
const char *stiction_valid_unit(int k, bool prismatic);
/* No range at all. */
valid_ranges stiction_valid_none(void);
/* The ranges of the entry that gives a joint its friction; false: it has none. */
bool stiction_config_find_valid(const stiction_config *config, const char *name,
                                valid_ranges *ranges);

#endif
