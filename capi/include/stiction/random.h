/*
 * Parameters that are drawn: distributions in a configuration, its seed, and samples of it.
 *
 * A configuration keeps its distributions; what a model draws from them depends on the seed, the
 * number of the sample, the name of the joint and that of the parameter, and on nothing else: not
 * on other joints, their order, threads or the machine. So sample k is the same robot wherever it
 * is drawn: in a model, a state, or as environment k of a batch.
 *
 * What is drawn is legal: as long as the parameters of a joint do not go together (F_S below F_C,
 * an illegal Z at the time step), all that is drawn of that joint is drawn again.
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

/* This struct does not grow. */
typedef struct stiction_distribution {
    stiction_distribution_kind kind;
    double first, second; /* in the parameter's unit */
} stiction_distribution;

/* "uniform", "log_uniform", "normal"; NULL behind the last. */
STICTION_API const char *stiction_distribution_name(stiction_distribution_kind kind);

/* A whole number up to 2^53 - 1, so that every reader of JSON has it exactly; 0 where none is
 * given. */
#define STICTION_SEED_LARGEST 9007199254740991
STICTION_API stiction_status stiction_config_set_seed(stiction_config *config, uint64_t seed,
                                                      stiction_error *error);
STICTION_API uint64_t stiction_config_seed(const stiction_config *config);

/*
 * From now on a parameter (its key: "static_torque") of the entry with exactly this pattern is
 * drawn. Each joint that the pattern gives its friction to has its own draw. Numbers out of the
 * parameter's range are refused, and so is what no draw can make legal.
 */
STICTION_API stiction_status stiction_config_set_distribution(
    stiction_config *config, const char *pattern, const char *parameter,
    const stiction_distribution *distribution, stiction_error *error);

/* How a parameter (a row of stiction_parameter_at) of an entry is drawn; false: it is not. */
STICTION_API bool stiction_config_distribution(const stiction_config *config, size_t index,
                                               size_t parameter,
                                               stiction_distribution *distribution);

/* Whether anything is drawn. */
STICTION_API bool stiction_config_is_random(const stiction_config *config);

/*
 * The friction of the joint of this name in a sample, as a model of this time step has it (0: that
 * of the configuration; where it has none, Z may be illegal). Law "none" where nothing matches.
 * stiction_config_find_joint and _joint_at are sample 0 of this, with time step 0, and give what a
 * model would refuse, too; the latter with the pattern in place of a name. Start def from
 * stiction_joint_def_default(); unless OK, it stays as it is.
 */
STICTION_API stiction_status stiction_config_draw(const stiction_config *config, const char *name,
                                                  uint64_t sample, double timestep,
                                                  stiction_joint_def *def, stiction_error *error);

/* What a model was drawn with; the sample is that of its definition. */
STICTION_API uint64_t stiction_model_seed(const stiction_model *model);
STICTION_API uint64_t stiction_model_sample(const stiction_model *model);
/* Whether anything of a joint of a model is drawn. */
STICTION_API bool stiction_model_joint_is_random(const stiction_model *model, size_t index);

/* Gives all joints that are drawn the parameters of another sample, at the time step of the state;
 * bristles keep their torques. Others stay as they are. Allocates nothing. stiction_state_reset
 * goes back to the sample of the model. Unless OK, the state is as it was. */
STICTION_API stiction_status stiction_state_draw(stiction_state *state, uint64_t sample,
                                                 stiction_error *error);

/* The same for one environment of a batch, which a reset leaves with its parameters. A new batch
 * has the sample of its model in environment 0, the next one in environment 1, and so on, unless
 * stiction_batch_def.same_sample. */
STICTION_API stiction_status stiction_batch_draw(stiction_batch *batch, size_t environment,
                                                 uint64_t sample, stiction_error *error);

STICTION_END_C

#endif
