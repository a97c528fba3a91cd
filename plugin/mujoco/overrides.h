/* SPDX-License-Identifier: MIT
 * KEY=VALUE texts that replace values of a project: of its simulator, friction, controllers and
 * pushes. `stiction run --set`, sweeps and the engine library read the same keys.
 */
#ifndef STICTION_MUJOCO_OVERRIDES_H
#define STICTION_MUJOCO_OVERRIDES_H

#include "document/arena.h"
#include "document/fail.h"
#include "document/names.h"
#include "simulation.h"

STICTION_BEGIN_C

/* The options of a simulation with the values in them, and the memory that they point into. */
typedef struct overrides {
    simulation_options simulation;
    arena memory;
} overrides;

/*
 * Reads the texts, which are copied. With `any_option` controller.KEY may have any name and value:
 * a controller that is not ours checks its options itself. False: the first error. Free it in
 * either case.
 */
bool overrides_read(overrides *o, const char *const *texts, size_t count, bool any_option,
                    stiction_error *error);
void overrides_free(overrides *o);
/* Lists another replaced value in the results, such as "controller", "pd.so". */
bool overrides_note(overrides *o, const char *key, const char *value, stiction_error *error);

/* Checks one text. Without a path in `at` it is an option of the command. */
bool overrides_check(const char *text, stiction_place at, bool any_option, stiction_error *error);

/* The keys, for completion and help; a key that ends in a dot is a prefix. NULL past the end. */
const char *override_key_at(size_t index);
/* Whether the key exists; if not, `hint` names the nearest. */
bool override_has_key(const char *key, char hint[NAME_HINT_SIZE]);
/* Whether a key is an option of controllers. */
bool override_is_of_controllers(const char *key);

STICTION_END_C

#endif
