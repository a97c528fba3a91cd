/*
 * A configuration: which joints, by name or pattern, have which friction.
 */
#ifndef STICTION_CONFIG_H
#define STICTION_CONFIG_H

#include "stiction/joint.h"

STICTION_BEGIN_C

typedef struct stiction_config stiction_config;

/* An empty configuration, or NULL where there is no memory. */
STICTION_API stiction_config *stiction_config_create(void);
STICTION_API void stiction_config_destroy(stiction_config *config);

/* The time step for hosts whose simulator does not tell its own, s, > 0. */
STICTION_API stiction_status stiction_config_set_timestep(stiction_config *config, double timestep,
                                                          stiction_error *error);
STICTION_API double stiction_config_timestep(const stiction_config *config); /* 0: none */

/*
 * Gives the joints that match `pattern` this friction. A pattern is a joint's name, or a glob with
 * *, ? and [...]. An exact name beats a pattern, a later pattern an earlier one; the same pattern
 * twice is refused. The parameters must be in their domain; that Z is legal is decided with the
 * time step, when a model is made.
 */
STICTION_API stiction_status stiction_config_add_joint(stiction_config *config, const char *pattern,
                                                       const stiction_joint_def *def,
                                                       stiction_error *error);

STICTION_END_C

#endif
