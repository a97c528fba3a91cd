/* SPDX-License-Identifier: MIT */
/* The posture controller: its files, its options (an input of one line), its motions; and the parts
 * of its files that the whole-body controller reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz.h"
#include "controllers/posture/posture_config.h"
#include "controllers/whole_body/whole_body_config.h"

enum { joint_count = 2 };

static void apply_whole_body(const posture_config *config, const posture_def *def) {
    static const char *const links[] = {"PELVIS", "a"};
    static const stiction_controller_joint joints[joint_count] = {{.name = "RWRR"}, {.name = "a"}};
    const stiction_controller_setup setup = {.size = sizeof setup,
                                             .timestep = 0.001,
                                             .floating = 1,
                                             .joint_count = joint_count,
                                             .joints = joints,
                                             .link_count = 2,
                                             .links = links};
    whole_body_def body = {.posture = *def};
    whole_body *made;
    arena memory = {0};
    stiction_error error;
    if (whole_body_config_apply(config, &setup, &memory, &body, &error) != STICTION_OK) {
        must_be_told(&error);
    } else if (whole_body_create(&body, &made, &error) == STICTION_OK) {
        whole_body_destroy(made);
    }
    stiction_arena_free(&memory);
}

static void apply(posture_config *config) {
    posture_def def = posture_def_default();
    posture_joint_def joints[joint_count] = {posture_joint_def_default(),
                                             posture_joint_def_default()};
    stiction_error error;
    joints[0].name = "RWRR";
    joints[1].name = "a";
    if (posture_config_apply(config, &def, joints, joint_count, &error) == STICTION_OK)
        apply_whole_body(config, &def);
    else
        must_be_told(&error);
}

static void read_posture(const uint8_t *data, size_t size) {
    stiction_error error;
    posture_config *config = posture_config_create();
    if (posture_config_add_file(config, fuzz_file("f.yaml", data, size), &error) == STICTION_OK)
        apply(config);
    else
        must_be_told(&error);
    posture_config_destroy(config);

    config = posture_config_create();
    char *options = fuzz_text((fuzz_part){data, size});
    if (posture_config_add_options(config, options, fuzz_folder(), &error) == STICTION_OK)
        apply(config);
    else
        must_be_told(&error);
    free(options);
    posture_config_destroy(config);
}

static void read_motion(const uint8_t *data, size_t size) {
    stiction_error error;
    char options[160];
    posture_config *config = posture_config_create();
    (void)snprintf(options, sizeof options, "motion=%s", fuzz_file("f.csv", data, size));
    must(posture_config_add_options(config, options, NULL, &error) == STICTION_OK);
    apply(config);
    posture_config_destroy(config);
}

const fuzz_reader fuzz_posture = {.name = "posture", .read = read_posture};
const fuzz_reader fuzz_motion = {.name = "motion", .read = read_motion};
