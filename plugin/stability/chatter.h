/* SPDX-License-Identifier: MIT
 * Whether the friction of a joint chatters: its sign changes within a few steps, again and again,
 * although the load does not ask for it. One rule for the engine, Choreonoid and the results.
 */
#ifndef STICTION_STABILITY_CHATTER_H
#define STICTION_STABILITY_CHATTER_H

#include <stdbool.h>
#include <stdint.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* Of one joint. Start from zeros. */
typedef struct chatter {
    uint64_t turns;         /* the last 64 steps, the newest in bit 0; 1: the sign changed */
    unsigned lasted;        /* steps since the last change of sign */
    double torque, command; /* of the last step whose torque counts */
} chatter;

/*
 * Adds a step with its velocity, its friction torque and its command (the torque of the
 * controllers), N m. A joint whose velocity is exactly 0 is stuck by implicit friction: its torque
 * is the reaction to what loads it, such as contacts that rattle, and does not count.
 * `level` is the largest torque at rest: torques below a hundredth of it do not count, since
 * rounding about 0 changes its sign, too. True: the friction chatters.
 */
bool chatter_add(chatter *c, double level, double velocity, double torque, double command);

STICTION_END_C

#endif
