/* SPDX-License-Identifier: MIT
 * A rate over a window: a row of changes in sequence would miss chatter that pauses for a step.
 */
#include "chatter.h"

#include <math.h>

/* A sign that lasts longer belongs to a motion that the time step resolves. */
enum { shortest_motion = 5 };
/* Of 64 steps. A joint that stops changes the sign of its friction a few times. */
enum { most_turns = 10 };
static const double least_torque = 0.01; /* of the level */

bool chatter_add(chatter *c, double level, double velocity, double torque, double command) {
    c->turns <<= 1;
    if (c->lasted < 64) c->lasted++;
    if (velocity == 0 || !(fabs(torque) > least_torque * level)) return false;
    /* a joint at rest follows a load that alternates */
    const bool follows = fabs(torque - c->torque) <= 1.5 * fabs(command - c->command);
    const bool turned = torque * c->torque < 0;
    /* both ends of the sign that was too short */
    if (turned && !follows && c->lasted < shortest_motion) c->turns |= 1 | (uint64_t)1 << c->lasted;
    if (turned) c->lasted = 0;
    c->torque = torque;
    c->command = command;
    return __builtin_popcountll(c->turns) >= most_turns;
}
