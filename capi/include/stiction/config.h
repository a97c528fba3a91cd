/* SPDX-License-Identifier: MIT
 * A configuration: which joints, by name or pattern, have which friction.
 */
#ifndef STICTION_CONFIG_H
#define STICTION_CONFIG_H

#include "stiction/joint.h"

STICTION_BEGIN_C

typedef struct stiction_config stiction_config;

/* An empty configuration, or NULL if memory runs out. */
STICTION_API stiction_config *stiction_config_create(void);
STICTION_API void stiction_config_destroy(stiction_config *config);

/* The time step, s, > 0, for hosts whose simulator does not report its own. */
STICTION_API stiction_status stiction_config_set_timestep(stiction_config *config, double timestep,
                                                          stiction_error *error);
STICTION_API double stiction_config_timestep(const stiction_config *config); /* 0: none */

/*
 * Gives the joints that match `pattern` this friction. A pattern is a joint's name, or a glob with
 * *, ? and [...]. An exact name beats a pattern, a later pattern an earlier one; the same pattern
 * twice is refused. The parameters must be in their domain; whether Z is legal depends on the time
 * step and is checked when a model is created.
 */
STICTION_API stiction_status stiction_config_add_joint(stiction_config *config, const char *pattern,
                                                       const stiction_joint_def *def,
                                                       stiction_error *error);

/* The pattern of an entry; if def is not NULL, also its friction with all profiles resolved. Start
 * def from stiction_joint_def_default(). Returns NULL past the end. */
STICTION_API size_t stiction_config_joint_count(const stiction_config *config);
STICTION_API const char *stiction_config_joint_at(const stiction_config *config, size_t index,
                                                  stiction_joint_def *def);

/* The same for the entry that gives the joint of this name its friction. */
STICTION_API const char *stiction_config_find_joint(const stiction_config *config, const char *name,
                                                    stiction_joint_def *def);

/* Strict: a joint of the robot that nothing matches is an error. */
STICTION_API void stiction_config_set_strict(stiction_config *config, bool strict);
STICTION_API bool stiction_config_strict(const stiction_config *config);

/* How a host couples friction with the motion of the robot. */
typedef enum stiction_coupling {
    STICTION_COUPLING_AUTO, /* explicit if that is stable by a factor of two, otherwise implicit */
    STICTION_COUPLING_EXPLICIT, /* from the velocity before the step: stiction_step */
    STICTION_COUPLING_IMPLICIT  /* from the velocity after the step: stiction_implicit_step */
} stiction_coupling;

/* "auto", "explicit", "implicit"; NULL past the end. */
STICTION_API const char *stiction_coupling_name(stiction_coupling coupling);

STICTION_API void stiction_config_set_coupling(stiction_config *config, stiction_coupling coupling);
STICTION_API stiction_coupling stiction_config_coupling(const stiction_config *config);

/* What an implicit joint is made of. */
typedef enum stiction_element_choice {
    STICTION_ELEMENT_AUTO,    /* rigid where friction and contacts are solved together */
    STICTION_ELEMENT_BRISTLE, /* element D: sticks with a spring, which balances contact forces */
    STICTION_ELEMENT_RIGID    /* element A: does not move while it sticks */
} stiction_element_choice;

/* "auto", "bristle", "rigid"; NULL past the end. */
STICTION_API const char *stiction_element_choice_name(stiction_element_choice element);

STICTION_API void stiction_config_set_element(stiction_config *config,
                                              stiction_element_choice element);
STICTION_API stiction_element_choice stiction_config_element(const stiction_config *config);

/* The names of the body models that the configuration is for; hosts bind by them. */
STICTION_API stiction_status stiction_config_add_model(stiction_config *config, const char *name,
                                                       stiction_error *error);
STICTION_API size_t stiction_config_model_count(const stiction_config *config);
STICTION_API const char *stiction_config_model_at(const stiction_config *config, size_t index);
/* Whether the configuration is for a body: decided by the name of its model or, if the
 * configuration names no models, by its joints. names may be NULL with count 0: then only the model
 * name is compared. */
STICTION_API bool stiction_config_is_for(const stiction_config *config, const char *model_name,
                                         const char *const *names, size_t count);

STICTION_END_C

#endif
