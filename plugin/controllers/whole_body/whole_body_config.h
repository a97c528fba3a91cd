/* SPDX-License-Identifier: MIT
 * The whole-body controller from the options and files of the posture controller: `tasks`,
 * `contacts` and `apart` of its YAML. See README.md.
 */
#ifndef STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_CONFIG_H
#define STICTION_CONTROLLERS_WHOLE_BODY_WHOLE_BODY_CONFIG_H

#include "controllers/posture/posture_config.h"
#include "document/arena.h"
#include "whole_body.h"

/*
 * Fills in tasks, contacts, joints that are apart and links from the sections. def->posture must be
 * complete. All arrays are in `memory`, which is freed after an error.
 */
stiction_status whole_body_config_apply(const posture_config *config,
                                        const stiction_controller_setup *setup, arena *memory,
                                        whole_body_def *def, stiction_error *error);

#endif
