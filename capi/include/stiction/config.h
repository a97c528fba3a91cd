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

/* The pattern of an entry, and its friction with all profiles resolved, where def is not NULL;
 * start def from stiction_joint_def_default(). NULL: there is no such entry. */
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
    STICTION_COUPLING_AUTO, /* explicit where that is stable by a factor of two, else implicit */
    STICTION_COUPLING_EXPLICIT, /* from the velocity before the step: stiction_step */
    STICTION_COUPLING_IMPLICIT  /* from the one behind it: stiction_implicit_step */
} stiction_coupling;

/* "auto", "explicit", "implicit"; NULL behind the last. */
STICTION_API const char *stiction_coupling_name(stiction_coupling coupling);

STICTION_API void stiction_config_set_coupling(stiction_config *config, stiction_coupling coupling);
STICTION_API stiction_coupling stiction_config_coupling(const stiction_config *config);

/* What an implicit joint is made of. */
typedef enum stiction_element_choice {
    STICTION_ELEMENT_AUTO,    /* rigid where friction and contacts are solved together */
    STICTION_ELEMENT_BRISTLE, /* element D: sticks with a spring, which balances any contact */
    STICTION_ELEMENT_RIGID    /* element A: does not move while it sticks */
} stiction_element_choice;

/* "auto", "bristle", "rigid"; NULL behind the last. */
STICTION_API const char *stiction_element_choice_name(stiction_element_choice element);

STICTION_API void stiction_config_set_element(stiction_config *config,
                                              stiction_element_choice element);
STICTION_API stiction_element_choice stiction_config_element(const stiction_config *config);

/* The names of the body models that the configuration is for; hosts bind by them. */
STICTION_API stiction_status stiction_config_add_model(stiction_config *config, const char *name,
                                                       stiction_error *error);
STICTION_API size_t stiction_config_model_count(const stiction_config *config);
STICTION_API const char *stiction_config_model_at(const stiction_config *config, size_t index);
/* Whether it is for a body: by the name of its model, or, where the configuration names no models,
 * by its joints. names may be NULL with count 0: then only a model's name counts. */
STICTION_API bool stiction_config_is_for(const stiction_config *config, const char *model_name,
                                         const char *const *names, size_t count);

STICTION_END_C

#endif
