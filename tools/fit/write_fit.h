/* SPDX-License-Identifier: MIT
 * The result of a fit as a configuration and as JSON.
 */
#ifndef STICTION_TOOLS_FIT_WRITE_FIT_H
#define STICTION_TOOLS_FIT_WRITE_FIT_H

#include <jansson.h>
#include <stdio.h>

#include "joint_fit.h"

/* The first line of a configuration that fit wrote, and may replace. */
#define FIT_HEADER "# Friction fitted to logs by stiction fit"

/* The unit of a key of the configuration where torques are in `torque`. */
const char *fit_unit_of(const char *key, const char *torque);

/* A configuration of the joints. */
void fit_write_configuration(FILE *out, fit *const *fits, size_t count);

/* One joint; NULL: out of memory. */
json_t *fit_json(const fit *f);

#endif
