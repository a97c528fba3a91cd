/* SPDX-License-Identifier: MIT */
/* What of the fence is C++. */
#ifndef STICTION_MUJOCO_FENCE_CATCH_H
#define STICTION_MUJOCO_FENCE_CATCH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The handler of new is global: from begin to end it is ours. */
void fence_catch_begin(void);
void fence_catch_end(void);

/* call(context); false: there was no memory for it, and what it had in hand is released or lost. */
bool fence_catch(void (*call)(void *), void *context);

#ifdef __cplusplus
}
#endif

#endif
