/* SPDX-License-Identifier: MIT
 * The friction of a row of rotating bristles, and of simpler models that approximate it.
 * Drincic and Bernstein, (1) to (20), (47) to (50), Tables 1 and 2.
 * No bristle is stored: which ones touch a corner follows from the position and one index.
 *
 * A motion to the left is the mirror image of one to the right, so all is computed along the
 * direction: the leading corner meets bristles and bends them forward, the trailing one releases
 * what an earlier motion had bent the other way.
 */
#include <math.h>

#include "joint_models/reference/bristle.h"

/* Something of one bristle whose base lies `offset` behind the corner. */
typedef double (*bristle_quantity)(const stiction_bristles *bristles, double offset);

static double angle(const stiction_bristles *bristles, double offset) {
    return atan(offset / bristles->height); /* (2), (3) */
}

double stiction_bristle_force(const stiction_bristles *bristles, double offset) {
    const double tangent = offset / bristles->height;
    /* (6), with cos^2 = 1/(1 + tan^2) */
    return bristles->stiffness / bristles->height * angle(bristles, offset) /
           (1 + tangent * tangent);
}

/* x mod spacing, floored: in [0, spacing], without rounding for x >= 0 however far. */
static double floored_mod(double x, double spacing) {
    const double r = fmod(x, spacing);
    return r < 0 ? r + spacing : r;
}

/* Index of the last base at or before x: floor(x/spacing), in step with floored_mod. */
static double base_index(double x, double spacing) {
    return round((x - floored_mod(x, spacing)) / spacing);
}

/* v = 0 counts as +; NaN stays. */
static double direction_of(double v) {
    return v >= 0 ? 1 : v < 0 ? -1 : v;
}

bool stiction_bristles_in_domain(const stiction_bristles *b) {
    const double d0 = stiction_bristles_reach(b);
    return b->stiffness > 0 && isfinite(b->stiffness) && b->height > 0 && b->length > b->height &&
           isfinite(b->length) && b->spacing > 0 && b->spacing < d0 &&
           d0 <= STICTION_BRISTLES_MAX * b->spacing && b->body_length > d0 + 2 * b->spacing &&
           isfinite(b->body_length);
}

double stiction_bristles_reach(const stiction_bristles *b) {
    return sqrt((b->length - b->height) * (b->length + b->height));
}

double stiction_bristles_max_angle(const stiction_bristles *b) {
    return atan(stiction_bristles_reach(b) / b->height); /* (1), without the loss of acos at 1 */
}

/* ---- the bristles at one corner -------------------------------------------------------------- */

/* Sum over the first `count` bristles from `offset` on: they are released at d0, and their number
 * must be sane. */
static double corner_sum(const stiction_bristles *b, bristle_quantity quantity, double offset,
                         double count) {
    const double d0 = stiction_bristles_reach(b);
    const bool sane = b->spacing > 0 && d0 <= STICTION_BRISTLES_MAX * b->spacing;
    if (!sane || isnan(offset) || isnan(count)) return (double)NAN;
    double sum = 0;
    for (double j = 0, a = offset; j < count && a < d0; j++, a = offset + j * b->spacing)
        sum += quantity(b, a);
    return sum;
}

/* ---- the rotating bristle model -------------------------------------------------------------- */

stiction_rbm_state stiction_rbm_start(double x_0) {
    return (stiction_rbm_state){.start = x_0};
}

void stiction_rbm_update(const stiction_bristles *b, stiction_rbm_state *state, double x,
                         double v) {
    const bool at_rest = v == 0 && state->direction == 0;
    const double direction = direction_of(v);
    if (at_rest || direction == state->direction) return;
    state->reversed = state->direction != 0;
    state->direction = direction;
    const double from = state->reversed ? x : state->start;
    state->last_base = base_index(direction * from + b->body_length / 2, b->spacing);
}

/*
 * Table 2, and Table 1 in both directions. x_{r-} of the table is last_base * spacing, and with
 * `met` the number of bristles that the leading corner has passed since the reversal, the rows
 * (1), (2), (3) on are met <= 0, 1, >= 2.
 *
 * Table 1 is odd in places, and followed all the same:
 * - Each reversal starts from the steady sets of the motion before, however short that was, so the
 *   force may jump to the other sign. The quasi-stick of Figure 5 rests on it.
 * - From row (3) on it counts all bristles within d0 of the leading corner. For d0 > 2 Delta some
 *   of them still lie under the body, bent the other way: the force jumps when the second bristle
 *   is met. `untangled` keeps to those that the corner has met, as the text has it.
 * Two things are left out. Rows (2) and (4) of v < 0 close the set at theta_max, which has no
 * measure and breaks the mirror symmetry. Rows (1) to (3) do not end the trailing set at last_base,
 * where it ends by itself for a body longer than d0 + 2 Delta.
 */
double stiction_rbm_force(const stiction_bristles *b, const stiction_rbm_state *state, double x) {
    if (state->direction == 0) return isnan(x) ? x : 0;
    const double y = state->direction * x, spacing = b->spacing;

    /* bristles ahead, which this motion bends */
    const double leading = y + b->body_length / 2;
    const double met = base_index(leading, spacing) - state->last_base;
    const bool all = state->reversed && !state->untangled && met >= 2;
    const double ahead =
        corner_sum(b, stiction_bristle_force, floored_mod(leading, spacing), all ? HUGE_VAL : met);
    if (!state->reversed) return state->direction * ahead;

    /* bristles behind, which the motion before has bent: bases from the corner to last_base */
    const double trailing = y - b->body_length / 2;
    const double left = state->last_base + base_index(-trailing, spacing) + 1;
    return state->direction *
           (ahead - corner_sum(b, stiction_bristle_force, floored_mod(-trailing, spacing), left));
}

/* ---- the discontinuous rotating bristle model ------------------------------------------------ */

static double drbm_sum(const stiction_bristles *b, double x, double v, bristle_quantity quantity) {
    const double direction = direction_of(v);
    const double corner = direction * x + b->body_length / 2;
    return direction * corner_sum(b, quantity, floored_mod(corner, b->spacing), HUGE_VAL);
}

double stiction_drbm_force(const stiction_bristles *b, double x, double v) {
    return drbm_sum(b, x, v, stiction_bristle_force); /* (13) to (16) */
}

double stiction_drbm_angle_sum(const stiction_bristles *b, double x, double v) {
    return drbm_sum(b, x, v, angle);
}

/* ---- the sawtooth ---------------------------------------------------------------------------- */

double stiction_sawtooth_force(const stiction_sawtooth *s, double x, double v) {
    const double direction = direction_of(v);
    const double slope = (s->highest - s->lowest) / s->spacing;
    return direction * (s->lowest + slope * floored_mod(direction * x, s->spacing)); /* (50) */
}
