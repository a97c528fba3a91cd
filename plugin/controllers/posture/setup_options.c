/* SPDX-License-Identifier: MIT
 * The lines of options of a setup, for every controller that has the options of the posture
 * controller.
 */
#include "setup_options.h"

#include <stdlib.h>
#include <string.h>

#include "document/auto.h"
#include "document/fail.h"
#include "document/text.h"

posture_joint_def *setup_joints(const stiction_controller_setup *setup) {
    posture_joint_def *defs = calloc(setup->joint_count + 1, sizeof *defs);
    for (size_t k = 0; defs && k < setup->joint_count; k++) {
        const stiction_controller_joint *joint = &setup->joints[k];
        defs[k] = posture_joint_def_default();
        defs[k].name = joint->name;
        defs[k].prismatic = joint->prismatic;
        defs[k].lower_limit = joint->lower;
        defs[k].upper_limit = joint->upper;
        defs[k].torque_limit = joint->torque_limit;
        defs[k].velocity_limit = joint->velocity_limit;
    }
    return defs;
}

static stiction_status add_lines(posture_config *config, char *lines, const char *untrusted,
                                 const char *directory, stiction_error *error) {
    stiction_status status = STICTION_OK;
    for (char *line = lines, *next; line && status == STICTION_OK; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        posture_config_restrict(config, line == lines ? untrusted : NULL);
        status = posture_config_add_options(config, line, line == lines ? directory : NULL, error);
    }
    return status;
}

stiction_status setup_out_of_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for the configuration");
}

stiction_status setup_config(const stiction_controller_setup *setup, const char *untrusted,
                             posture_config **config, stiction_error *error) {
    AUTO_FREE char *lines = stiction_text_copy(setup->options);
    *config = posture_config_create();
    if (!*config || !lines) return setup_out_of_memory(error);
    return add_lines(*config, lines, untrusted, setup->directory, error);
}

stiction_status setup_compensation(const posture_def *def, compensation **result,
                                   stiction_error *error) {
    *result = NULL;
    if (def->compensation == POSTURE_NO_COMPENSATION) return STICTION_OK;
    if (def->mode == POSTURE_TORQUE)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "compensation is of modes qp and pd: mode torque has no desired "
                             "velocity to expect friction at");
    if (def->compensation == POSTURE_COMPENSATE_REFERENCE && def->mode != POSTURE_QP)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "compensation reference is of mode qp, whose acceleration it "
                             "integrates, not of mode %s",
                             posture_mode_name(def->mode));
    if (!def->friction)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "compensation needs friction: FILE, the configuration of the friction "
                             "to compensate");
    AUTO_FREE const char **names = calloc(def->joint_count + 1, sizeof *names);
    if (!names) return setup_out_of_memory(error);
    for (size_t k = 0; k < def->joint_count; k++) names[k] = def->joints[k].name;
    const compensation_def wanted = {.path = def->friction,
                                     .joints = names,
                                     .count = def->joint_count,
                                     .share = def->compensation_share,
                                     .edge = def->compensation_edge,
                                     .reach = def->compensation_reach};
    return compensation_create(&wanted, result, error);
}
