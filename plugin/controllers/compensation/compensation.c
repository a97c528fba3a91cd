/*
 * The laws of a robot's joints, read once; a torque is then one Phi. It allocates nothing after
 * that.
 */
#include "compensation.h"

#include <math.h>
#include <stdlib.h>

#include "document/fail.h"
#include "stiction/models/law.h"
#include "stiction/stiction.h"

typedef struct joint_law {
    const stiction_law *law; /* NULL: no friction */
    stiction_law_parameters parameters;
} joint_law;

struct compensation {
    size_t count;
    joint_law joints[];
};

void compensation_destroy(compensation *c) {
    free(c);
}

static stiction_status take_joint(joint_law *to, const stiction_config *config, const char *path,
                                  const char *name, stiction_error *error) {
    stiction_joint_def def = stiction_joint_def_default();
    if (!stiction_config_find_joint(config, name, &def)) return STICTION_OK;
    to->law = stiction_law_find(def.law);
    to->parameters = stiction_joint_law_parameters(&def);
    if (to->law && stiction_law_in_domain(to->law, &to->parameters)) return STICTION_OK;
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, (stiction_place){path, 0, 0},
                            "joint '%.100s': law %.100s cannot be compensated: %s", name, def.law,
                            to->law ? "a parameter is out of its domain"
                                    : "it is a model of the literature and has no Phi");
}

static stiction_status take_all(compensation *c, const char *path, const char *const *joints,
                                stiction_errors *errors, stiction_error *error) {
    stiction_config *config = NULL;
    stiction_status status = stiction_config_load(path, &config, errors);
    if (status != STICTION_OK && error) *error = *stiction_errors_at(errors, 0);
    for (size_t k = 0; k < c->count && status == STICTION_OK; k++)
        status = take_joint(&c->joints[k], config, path, joints[k], error);
    stiction_config_destroy(config);
    return status;
}

stiction_status compensation_create(const char *path, const char *const *joints, size_t count,
                                    compensation **result, stiction_error *error) {
    stiction_errors *errors = stiction_errors_create();
    compensation *c = calloc(1, sizeof *c + count * sizeof c->joints[0]);
    stiction_status status = STICTION_OUT_OF_MEMORY;
    *result = NULL;
    if (c && errors) {
        c->count = count;
        status = take_all(c, path, joints, errors, error);
    } else {
        (void)stiction_fail(error, status, "out of memory for friction");
    }
    stiction_errors_destroy(errors);
    if (status == STICTION_OK)
        *result = c;
    else
        compensation_destroy(c);
    return status;
}

double compensation_torque(const compensation *c, size_t joint, double velocity, double share,
                           double edge) {
    if (!c || joint >= c->count || !c->joints[joint].law || !isfinite(velocity)) return 0;
    const joint_law *j = &c->joints[joint];
    const double softness = fabs(velocity) / sqrt(velocity * velocity + edge * edge);
    return share * softness * stiction_phi(j->law, &j->parameters, velocity);
}
