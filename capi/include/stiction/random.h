/* SPDX-License-Identifier: MIT
 * Random parameters: distributions in a configuration, its seed, and its samples.
 *
 * The value drawn for a parameter depends only on the seed, the sample number, the joint name and
 * the parameter name; not on other joints, their order, threads or the machine. Sample k is
 * therefore the same robot in a model, in a state, and as environment k of a batch.
 *
 * Draws are legal: if the parameters of a joint contradict each other (F_S below F_C, an illegal Z
 * at the time step), all random parameters of that joint are drawn again.
 */
#ifndef STICTION_RANDOM_H
#define STICTION_RANDOM_H

#include "stiction/batch.h"

STICTION_BEGIN_C

typedef enum stiction_distribution_kind {
    STICTION_UNIFORM,     /* first to second */
    STICTION_LOG_UNIFORM, /* first to second, above 0: its logarithm is uniform */
    STICTION_NORMAL       /* mean first and deviation second, within the parameter's range */
} stiction_distribution_kind;

/* The size of this struct does not change. */
typedef struct stiction_distribution {
    stiction_distribution_kind kind;
    double first, second; /* in the parameter's unit */
} stiction_distribution;

/* "uniform", "log_uniform", "normal"; NULL past the end. */
STICTION_API const char *stiction_distribution_name(stiction_distribution_kind kind);

/* An integer up to 2^53 - 1, which every JSON reader represents exactly; 0 by default. */
#define STICTION_SEED_LARGEST 9007199254740991
STICTION_API stiction_status stiction_config_set_seed(stiction_config *config, uint64_t seed,
                                                      stiction_error *error);
STICTION_API uint64_t stiction_config_seed(const stiction_config *config);

/*
 * Draws a parameter (by its key, such as "static_torque") of the entry with exactly this pattern
 * from a distribution. Each joint that the entry applies to has its own draw. A distribution
 * outside the parameter's range is refused, and so is one that never gives legal parameters.
 */
STICTION_API stiction_status stiction_config_set_distribution(
    stiction_config *config, const char *pattern, const char *parameter,
    const stiction_distribution *distribution, stiction_error *error);

/* The distribution of a parameter (an index of stiction_parameter_at) of an entry; false: it is not
 * drawn. */
STICTION_API bool stiction_config_distribution(const stiction_config *config, size_t index,
                                               size_t parameter,
                                               stiction_distribution *distribution);

/* Whether any parameter is drawn. */
STICTION_API bool stiction_config_is_random(const stiction_config *config);

/*
 * The friction of a joint in a sample, as a model with this time step has it (0: that of the
 * configuration; if it has none, Z may be illegal). Law "none" if nothing matches.
 * stiction_config_find_joint and stiction_config_joint_at give sample 0 of this with time step 0,
 * including values that a model would refuse; the latter uses the pattern instead of a name. Start
 * def from stiction_joint_def_default(); on failure it does not change.
 */
STICTION_API stiction_status stiction_config_draw(const stiction_config *config, const char *name,
                                                  uint64_t sample, double timestep,
                                                  stiction_joint_def *def, stiction_error *error);

/* The seed and the sample that a model was drawn with. */
STICTION_API uint64_t stiction_model_seed(const stiction_model *model);
STICTION_API uint64_t stiction_model_sample(const stiction_model *model);
/* Whether a joint of a model has random parameters. */
STICTION_API bool stiction_model_joint_is_random(const stiction_model *model, size_t index);

/* Gives all joints with random parameters those of another sample, at the time step of the state;
 * bristles keep their torques. Other joints do not change. Allocates nothing. stiction_state_reset
 * returns to the sample of the model. On failure, the state does not change. */
STICTION_API stiction_status stiction_state_draw(stiction_state *state, uint64_t sample,
                                                 stiction_error *error);

/* The same for one environment of a batch; a reset keeps the parameters. In a new batch,
 * environment 0 has the sample of the model, environment 1 the next one, and so on, unless
 * stiction_batch_def.same_sample is set. */
STICTION_API stiction_status stiction_batch_draw(stiction_batch *batch, size_t environment,
                                                 uint64_t sample, stiction_error *error);

STICTION_END_C

#endif
