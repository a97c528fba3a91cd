/* The posture controller: its files, its options (an input of one line), its motions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz.h"
#include "controllers/posture/posture_config.h"

enum { joint_count = 2 };

static void apply(posture_config *config) {
    posture_def def = posture_def_default();
    posture_joint_def joints[joint_count] = {posture_joint_def_default(),
                                             posture_joint_def_default()};
    stiction_error error;
    joints[0].name = "RWRR";
    joints[1].name = "a";
    if (posture_config_apply(config, &def, joints, joint_count, &error) != STICTION_OK)
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
