/* SPDX-License-Identifier: MIT
 * The page of a fit.
 */
#ifndef STICTION_TOOLS_FIT_FIT_REPORT_H
#define STICTION_TOOLS_FIT_FIT_REPORT_H

#include "joint_fit.h"

/* One page for all joints. False with an error. */
bool fit_report(const char *path, fit *const *fits, size_t count, stiction_error *error);

#endif
