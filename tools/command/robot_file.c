/* SPDX-License-Identifier: MIT */
/* A robot for a verb. */
#include "robot_file.h"

#include "common/command.h"

robot *load_robot(const char *path, bool fixed_base, bool untrusted, stiction_error *error) {
    const robot_options options = {
        .log = print_log, .fixed_root = fixed_base, .untrusted = untrusted};
    return robot_load(path, &options, error);
}
