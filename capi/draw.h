/*
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

/* With room for one more; NULL: no memory. `from` may be NULL. */
joint_draws *stiction_draws_copy(const joint_draws *from);

/* Puts a distribution in its place, where there is one for the parameter already, or in the room at
 * the end. */
void stiction_draws_set(joint_draws *draws, size_t parameter, const stiction_distribution *d);

/* How a parameter is drawn, or NULL. */
const stiction_distribution *stiction_draws_find(const joint_draws *draws, size_t parameter);

/* Whether another draw may give another number: {scale: [2, 2]} is one. */
bool stiction_draws_vary(const joint_draws *draws);
/* What comes before a sentence about draws of which the best is none that is legal. */
const char *stiction_draws_refusal(const joint_draws *draws);

/* Fills in what is most likely legal: where a parameter may not be below another, as far apart as
 * they can be. What is illegal then is so in every draw. */
void stiction_draws_favour(const joint_draws *draws, stiction_joint_def *def);

/* How often it is drawn before it counts as illegal: one that is legal once in 400 times is missed
 * in 1e-11 of all cases. */
enum { DRAW_MOST = 10000 };

/*
 * A joint of a def, with what is drawn of it, at a time step; 0: it is not known, and only j->def
 * is made. The sentence of an error has no joint's name. Unless OK, j->def is the last that was
 * tried. `left`, which may be NULL: how many illegal draws there may be, and from which they are
 * taken.
 */
stiction_status stiction_draw_joint(joint *j, const stiction_joint_def *def,
                                    const joint_draws *draws, const draw_key *key, double timestep,
                                    size_t *left, stiction_error *error);

#endif
