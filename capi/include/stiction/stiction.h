/* SPDX-License-Identifier: MIT
 * stiction: joint friction that really sticks, for robot simulators.
 *
 *     config  --(joint names, time step)-->  model    immutable, shared by threads
 *                                            state    one per run: copy, reset, save, restore
 *     each step:  velocity[]  --stiction_step-->  torque[], which the host subtracts
 *
 * Every function that can fail returns a status and fills a stiction_error, which may be NULL.
 */
#ifndef STICTION_STICTION_H
#define STICTION_STICTION_H

#include "stiction/batch.h"
#include "stiction/compensate.h"
#include "stiction/config.h"
#include "stiction/effort.h"
#include "stiction/error.h"
#include "stiction/implicit.h"
#include "stiction/joint.h"
#include "stiction/load.h"
#include "stiction/model.h"
#include "stiction/random.h"
#include "stiction/state.h"

STICTION_BEGIN_C

/* "major.minor.patch" of the library that is loaded. */
STICTION_API const char *stiction_version(void);

/* The version of this ABI, and the number in libstiction.so. It increases when a function or field
 * is removed or changes its meaning. New functions, and new fields at the end of a struct with a
 * `size` that is passed by pointer, do not change it. A ..._default() function returns its struct
 * by value, which cannot grow for programs that are already built: with a new field it gets a new
 * symbol version, and the old version remains for them (docs/abi.md). */
#define STICTION_ABI_VERSION 3
STICTION_API int stiction_abi_version(void);

STICTION_END_C

#endif
