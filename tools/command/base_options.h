/* SPDX-License-Identifier: MIT
 * --fixed-base and --free-base, for every verb that reads a robot.
 */
#ifndef STICTION_TOOLS_COMMAND_BASE_OPTIONS_H
#define STICTION_TOOLS_COMMAND_BASE_OPTIONS_H

#include "common/verb.h"
#include "robots/body.h"

/* A field of a verb's options, and its rows. */
typedef struct base_options {
    bool fixed, free;
} base_options;

#define BASE_OPTIONS(options, field)                                                               \
    {"fixed-base", OPTION_FLAG, NULL, "the base of a robot stands still",                          \
     offsetof(options, field.fixed)},                                                              \
    {                                                                                              \
        "free-base", OPTION_FLAG, NULL, "the base of a robot floats",                              \
            offsetof(options, field.free)                                                          \
    }

static inline robot_base base_of(const base_options *o) {
    return o->fixed ? ROBOT_BASE_FIXED : o->free ? ROBOT_BASE_FREE : ROBOT_BASE_OF_FILE;
}

/* " --fixed-base", for a command that is shown. */
static inline const char *base_option(const base_options *o) {
    return o->fixed ? " --fixed-base" : o->free ? " --free-base" : "";
}

static inline bool base_options_fit(const base_options *o) {
    return !(o->fixed && o->free);
}

#define BASE_CONFLICT "--fixed-base and --free-base exclude each other"

#endif
