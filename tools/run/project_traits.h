/* SPDX-License-Identifier: MIT
 * What the controllers and the friction of a project are.
 */
#ifndef STICTION_TOOLS_RUN_PROJECT_TRAITS_H
#define STICTION_TOOLS_RUN_PROJECT_TRAITS_H

#include <stdbool.h>

/* Whether a project has a controller that is not the posture controller: it checks its options
 * itself. */
bool project_has_other_controllers(const char *project_path, bool untrusted);
/* Whether all controllers of a project are built in, whatever their options. */
bool project_has_our_controllers(const char *project_path, bool untrusted);
/* Whether the friction of a project has random values; true also where it cannot be read. */
bool project_draws(const char *project_path, bool untrusted);

#endif
