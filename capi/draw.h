/* SPDX-License-Identifier: MIT
 * What of a joint is drawn, and a draw of it that is legal as a whole.
 */
#ifndef STICTION_CAPI_DRAW_H
#define STICTION_CAPI_DRAW_H

#include "distribution.h"

typedef struct joint_draw {
    size_t parameter;
    stiction_distribution distribution;
} joint_draw;

/* From malloc; NULL: nothing is drawn. */
typedef struct joint_draws {
    size_t count;
    joint_draw list[];
} joint_draws;

/* A copy with space for one more; NULL if memory runs out. `from` may be NULL. */
joint_draws *stiction_draws_copy(const joint_draws *from);

/* Replaces the distribution of a parameter, or adds it at the end. */
void stiction_draws_set(joint_draws *draws, size_t parameter, const stiction_distribution *d);

/* How a parameter is drawn, or NULL. */
const stiction_distribution *stiction_draws_find(const joint_draws *draws, size_t parameter);

/* Whether another draw may give another number: {scale: [2, 2]} is one. */
bool stiction_draws_vary(const joint_draws *draws);
/* The prefix of an error message about distributions that give no legal draw. */
const char *stiction_draws_refusal(const joint_draws *draws);

/* Fills in the values most likely to be legal: where one parameter may not be below another, they
 * are as far apart as possible. If these are illegal, so is every draw. */
void stiction_draws_favour(const joint_draws *draws, stiction_joint_def *def);

/* How often it is drawn before it counts as illegal: one that is legal once in 400 times is missed
 * in 1e-11 of all cases. */
enum { DRAW_MOST = 10000 };

/*
 * Creates a joint from a def and its random draws at a time step; with time step 0 (unknown) only
 * j->def is set. The error message does not name the joint. On failure, j->def is the last draw
 * tried. `left`, which may be NULL, is the remaining number of illegal draws allowed; it is
 * decreased.
 */
stiction_status stiction_draw_joint(joint *j, const stiction_joint_def *def,
                                    const joint_draws *draws, const draw_key *key, double timestep,
                                    size_t *left, stiction_error *error);

#endif
