/* SPDX-License-Identifier: MIT */
/* Targets are trajectories of the posture controller, read by its readers. */
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controllers/posture/posture_config.h"
#include "document/auto.h"
#include "document/fail.h"
#include "document/text.h"

struct targets {
    posture_config *config; /* has the samples of a file */
    posture_joint_def *joints;
    size_t count;
};

/* The option of the posture controller that reads a text; NULL: none does. */
static const char *option_of(const char *text) {
    if (strpbrk(text, "\"\n")) return NULL;
    if (stiction_text_ends_with(text, ".csv")) return "motion";
    if (stiction_text_ends_with(text, ".yaml")) return "config";
    return strchr(text, ':') ? "target" : NULL;
}

bool targets_is_text(const char *text) {
    return option_of(text) != NULL;
}

static stiction_status read_text(targets *t, const char *text, stiction_error *error) {
    const char *key = option_of(text);
    if (!key)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "must be JOINT:DEGREES,... or a file that ends in .csv or .yaml, not "
                             "'%.200s'",
                             text);
    const size_t size = strlen(text) + 16;
    AUTO_FREE char *options = malloc(size);
    posture_def def = posture_def_default();
    if (!options) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    (void)snprintf(options, size, "%s=\"%s\"", key, text);
    TRY(posture_config_add_options(t->config, options, NULL, error));
    return posture_config_apply(t->config, &def, t->joints, t->count, error);
}

targets *targets_create(const char *text, const char *const *joints, const bool *prismatic,
                        size_t count, stiction_error *error) {
    targets *t = calloc(1, sizeof *t);
    if (t) {
        t->config = posture_config_create();
        t->joints = calloc(count + 1, sizeof *t->joints);
    }
    if (!t || !t->config || !t->joints) {
        (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
        targets_destroy(t);
        return NULL;
    }
    t->count = count;
    for (size_t k = 0; k < count; k++) {
        t->joints[k] = posture_joint_def_default();
        t->joints[k].name = joints[k];
        t->joints[k].prismatic = prismatic[k];
    }
    if (count && read_text(t, text, error) == STICTION_OK) return t;
    if (!count) (void)stiction_fail(error, STICTION_INVALID_CONFIG, "there are no joints");
    targets_destroy(t);
    return NULL;
}

void targets_destroy(targets *t) {
    if (!t) return;
    posture_config_destroy(t->config);
    free(t->joints);
    free(t);
}

void targets_at(const targets *t, double time, double *target) {
    for (size_t k = 0; k < t->count; k++)
        target[k] = posture_trajectory_at(&t->joints[k].trajectory, time, (double)NAN).q;
}
