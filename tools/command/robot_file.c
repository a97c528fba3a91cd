/* SPDX-License-Identifier: MIT */
/* A robot for a verb. */
#include "robot_file.h"

#include "common/command.h"

static void warn(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level;
    tell_line("warning: %s", message);
}

robot *load_robot(const char *path, bool fixed_base, bool untrusted) {
    stiction_error error;
    const robot_options options = {.log = warn, .fixed_root = fixed_base, .untrusted = untrusted};
    robot *made = robot_load(path, &options, &error);
    if (!made) report_error(&error);
    return made;
}
