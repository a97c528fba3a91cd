/* SPDX-License-Identifier: MIT
 * Bristle friction: forces, history, extrema and the Switch Model. Drincic and Bernstein, sections
 * 2 to 4; the motions of their figures are in tests/tools/test_reproduce.c.
 */
#include "check.h"

#include <float.h>

#include "joint_models/comparison/bristle_analysis.h"
#include "joint_models/reference/reference.h"
#include "reference.h"

/* B's parameters, by figure. */
static const stiction_bristles fig3 = {0.1, 0.098, 0.1, 0.002, 1};
static const stiction_bristles fig5 = {0.5, 0.098, 0.1, 0.01, 1};
static const stiction_bristles fig7 = {0.1, 0.0995, 0.1, 0.005, 0.5};
/* theta_max = 1.27 rad, where a bristle pushes less and less before its release */
static const stiction_bristles steep = {0.1, 0.03, 0.1, 0.021, 1};

/* ---- the discontinuous model ----------------------------------------------------------------- */

/*
 * x + d/2 is rounded to 1.1e-16 m, and all n = d0/Delta bristles move by that: n kappa/h^2 times
 * it is 1.1e-14 N (n = 10) in a force of 1 N. Another order of the sum adds n ulp. 1e-13 holds.
 */
TEST(drbm_matches_the_reference_vectors) {
    const reference_node sets = reference_get(reference_load(), "drbm_eval");
    const stiction_bristles *const all[] = {&fig3, &fig5};
    CHECK(reference_count(sets) == 2);
    for (size_t n = 0; n < 2; n++) {
        const reference_node rows = reference_get(reference_at(sets, n), "rows");
        CHECK_NEAR(stiction_bristles_reach(all[n]), 0.019899748742132413, 1e-17);
        CHECK_NEAR(stiction_bristles_max_angle(all[n]), 0.20033484232311968, 1e-16);
        for (size_t k = 0; k < reference_count(rows); k++) {
            double row[3]; /* x, forces to the right and to the left */
            CHECK(reference_numbers(reference_at(rows, k), row) == 3);
            CHECK_NEAR(stiction_drbm_force(all[n], row[0], 1), row[1], 1e-13);
            CHECK_NEAR(stiction_drbm_force(all[n], row[0], 0), row[1], 1e-13);
            CHECK_NEAR(stiction_drbm_force(all[n], row[0], -1), row[2], 1e-13);
        }
    }
}

TEST(drbm_repeats_itself_far_away) {
    /* spacing and positions are multiples of 2^-20, so that far x are exact */
    const stiction_bristles b = {0.1, 0.098, 0.1, 0x1p-8, 1};
    for (int k = 0; k < 4096; k += 7) {
        const double x = k * 0x1p-20, far = x + 0x1p30;
        CHECK_SAME(stiction_drbm_force(&b, far, 1), stiction_drbm_force(&b, x, 1));
        CHECK_SAME(stiction_drbm_force(&b, far, -1), stiction_drbm_force(&b, x, -1));
    }
}

TEST(work_over_one_spacing_is_the_energy_of_one_bristle) {
    /* (45): what the force does over Delta is stored in, and lost with, one bristle */
    const stiction_bristles *all[] = {&fig3, &fig5, &fig7, &steep};
    for (int k = 0; k < 4; k++) {
        enum { cells = 100000 };
        const double cell = all[k]->spacing / cells;
        double work = 0;
        for (int j = 0; j < cells; j++)
            work += cell * stiction_drbm_force(all[k], (j + 0.5) * cell, 1);
        const double stored = stiction_bristles_stored_energy(all[k], 0, 1.5 * all[k]->spacing) / 2;
        /* the midpoint rule misses the release by at most half a cell of at most the mean force */
        CHECK_NEAR(work, stored, 2.0 / cells * stored);
    }
}

/* The least and largest force on a grid over one period. */
static stiction_interval scanned(const stiction_bristles *b) {
    stiction_interval range = {DBL_MAX, 0};
    for (int k = 0; k < 200000; k++) {
        const double f = stiction_drbm_force(b, b->spacing * k / 200000, 1);
        range.low = fmin(range.low, f);
        range.high = fmax(range.high, f);
    }
    return range;
}

TEST(sawtooth_bounds_the_discontinuous_model) {
    const double spacings[] = {0.002, 0.0031, 0.005, 0.0077, 0.0123, 0.0198};
    for (int k = 0; k < 12; k++) {
        stiction_bristles b = k < 6 ? fig3 : steep;
        b.spacing = spacings[k % 6];
        const stiction_sawtooth s = stiction_drbm_sawtooth(&b);
        const stiction_interval range = scanned(&b);
        /* the slope is at most n kappa/h^2 and a cell Delta/200000; n Delta is about d0 */
        const double slack =
            stiction_bristles_reach(&b) * b.stiffness / (b.height * b.height) / 1e5;
        CHECK(s.lowest <= range.low + 1e-14 && s.lowest >= range.low - slack);
        CHECK(s.highest >= range.high - 1e-14 && s.highest <= range.high + slack);
    }
}

TEST(equation_19_holds_for_one_remaining_bristle_only) {
    stiction_bristles b = fig3;
    for (int k = 0; k < 2; k++) {
        b.spacing = k ? 0.002 : 0.0123;
        const double tangent = (stiction_bristles_reach(&b) - b.spacing) / b.height;
        const double printed =
            b.stiffness / b.height * atan(tangent) / (1 + tangent * tangent); /* (19) */
        const double lowest = stiction_drbm_sawtooth(&b).lowest;
        if (k == 0)
            CHECK_NEAR(lowest, printed, 1e-15); /* a few ulp */
        else
            CHECK(lowest > 4 * printed); /* nine bristles remain */
    }
}

TEST(domain_of_the_bristles) {
    CHECK(stiction_bristles_in_domain(&fig3));
    CHECK(!stiction_bristles_in_domain(&(stiction_bristles){0.1, 0.0995, 0.1, 0.01, 1}));
    CHECK(!stiction_bristles_in_domain(&(stiction_bristles){0.1, 0.11, 0.1, 0.001, 1}));
    CHECK(!stiction_bristles_in_domain(&(stiction_bristles){0.1, 0.098, 0.1, 1e-7, 1}));
    CHECK(!stiction_bristles_in_domain(&(stiction_bristles){0.1, 0.098, 0.1, 0.002, 0.02}));
}

/* ---- the sawtooth ---------------------------------------------------------------------------- */

TEST(sawtooth_matches_the_reference_vectors) {
    const stiction_sawtooth s = {0.5, 1, 0.033};
    CHECK_NEAR(stiction_sawtooth_force(&s, 0.01, 1), 0.6515151515151515, 1e-14);
    CHECK_NEAR(stiction_sawtooth_force(&s, -0.01, 1), 0.8484848484848484, 1e-14);
    CHECK_NEAR(stiction_sawtooth_force(&s, 0.1, 1), 0.5151515151515151, 1e-14);
    CHECK_NEAR(stiction_sawtooth_force(&s, -0.25, -2), -0.7878787878787876, 1e-14);
    CHECK_SAME(stiction_sawtooth_force(&s, 0, 0), 0.5); /* v = 0 counts as + */
    CHECK_SAME(stiction_sawtooth_force(&s, 0, -1), -0.5);
}

TEST(equilibria_lie_between_the_forces_of_both_directions) {
    const stiction_sawtooth s = {0.5, 1, 0.125};
    const stiction_interval holding = stiction_sawtooth_holding(&s, 0.03125);
    CHECK_SAME(holding.low, -0.875); /* 3/4 of the tooth in the other direction */
    CHECK_SAME(holding.high, 0.625);
    const stiction_interval inputs = stiction_equilibrium_inputs(2, 0.03125, holding);
    CHECK_SAME(inputs.low, 0.0625 - 0.875);
    CHECK_SAME(inputs.high, 0.0625 + 0.625);
    CHECK_SAME(stiction_drbm_holding(&fig3, 0.1).low, stiction_drbm_force(&fig3, 0.1, -1));
    CHECK_SAME(stiction_drbm_holding(&fig3, 0.1).high, stiction_drbm_force(&fig3, 0.1, 1));
}

TEST(mean_pivot_angle_of_fast_sliding) {
    /* B Fig 14: theta_min = 0.1; a slow average of theta_s over many spacings is its mean,
     * (1/Delta) times the integral of atan(a/h) from 0 to d0 = 0.10008 */
    double mean = stiction_drbm_angle_sum(&fig7, 0, 1);
    for (int k = 0; k < 100000; k++)
        mean = stiction_moving_average(1e-3, stiction_drbm_angle_sum(&fig7, k * 3.3e-4, 1), mean);
    CHECK_NEAR(mean, 0.100, 5e-4); /* ripple: beta times the swing of 0.1 rad, over 15 samples */
    CHECK_SAME(stiction_moving_average(0.25, 2, 4), 3.5);
    CHECK_SAME(stiction_drbm_angle_sum(&fig7, 0.01, -1), -stiction_drbm_angle_sum(&fig7, -0.01, 1));
}

/* ---- the rotating bristle model -------------------------------------------------------------- */

TEST(rbm_starts_relaxed_and_becomes_the_discontinuous_model) {
    for (double direction = -1; direction < 2; direction += 2) {
        stiction_rbm_state state = stiction_rbm_start(0.1);
        CHECK_SAME(stiction_rbm_force(&fig3, &state, 0.1), 0);
        stiction_rbm_update(&fig3, &state, 0.1, 0);
        CHECK_SAME(stiction_rbm_force(&fig3, &state, 0.1), 0);
        stiction_rbm_update(&fig3, &state, 0.1, direction);
        double before = 0;
        for (int k = 1; k < 400; k++) {
            const double way = 1e-4 * k, x = 0.1 + direction * way;
            const double f = direction * stiction_rbm_force(&fig3, &state, x);
            if (way < stiction_bristles_reach(&fig3))
                CHECK(f >= before); /* Table 2: only more and more bristles */
            else
                CHECK_SAME(f, direction * stiction_drbm_force(&fig3, x, direction));
            before = f;
        }
    }
}

TEST(rbm_force_lasts_through_a_reversal_and_then_turns) {
    for (double direction = -1; direction < 2; direction += 2) {
        const double v = direction, x = direction * 0.3007;
        stiction_rbm_state state = stiction_rbm_start(0);
        stiction_rbm_update(&fig3, &state, 0, v);
        const double before = stiction_rbm_force(&fig3, &state, x);
        stiction_rbm_update(&fig3, &state, x, -v);
        /* (a)-(1) and (b)-(1): the bristles still push the same way, as in Figure 3(b) */
        CHECK_NEAR(stiction_rbm_force(&fig3, &state, x), before, 1e-13);
        /* (4): the last bristles of the old motion leave when the body has moved by its length */
        const double part = x - direction * (fig3.body_length - 0.01);
        CHECK(direction * stiction_rbm_force(&fig3, &state, part) >
              direction * stiction_drbm_force(&fig3, part, -v));
        /* (5): then there are those of the new motion only */
        const double past = x - direction * (fig3.body_length + fig3.spacing);
        CHECK_SAME(stiction_rbm_force(&fig3, &state, past), stiction_drbm_force(&fig3, past, -v));
    }
}

TEST(rbm_jumps_at_the_second_bristle_unless_untangled) {
    stiction_rbm_state printed = stiction_rbm_start(0);
    stiction_rbm_update(&fig3, &printed, 0, -1);
    stiction_rbm_update(&fig3, &printed, -0.3001, 1); /* foremost base at 0.198 */
    stiction_rbm_state untangled = printed;
    untangled.untangled = true;
    const double just_before = -0.5 + 0.202 - 1e-9, just_after = -0.5 + 0.202 + 1e-9;
    /* row (2) to row (3) with d0/Delta = 9.9: eight more bristles, out of nowhere */
    CHECK(stiction_rbm_force(&fig3, &printed, just_after) -
              stiction_rbm_force(&fig3, &printed, just_before) >
          0.8);
    /* a bristle enters with no force: the change is that of 2e-9 m at 20 bristles, 2e-6 N */
    CHECK_NEAR(stiction_rbm_force(&fig3, &untangled, just_after),
               stiction_rbm_force(&fig3, &untangled, just_before), 1e-5);
    const double later = -0.3001 + 0.5;
    CHECK_SAME(stiction_rbm_force(&fig3, &untangled, later),
               stiction_rbm_force(&fig3, &printed, later));
}

TEST(bristle_models_are_odd_to_the_bit) {
    const stiction_sawtooth s = {0.5, 1, 0.033};
    stiction_rbm_state state = stiction_rbm_start(0.2), mirror = stiction_rbm_start(-0.2);
    for (int k = 1; k < 20000; k++) {
        const double t = 1e-3 * k, x = 0.2 + 0.7 * sin(t) + 0.3 * sin(2.7 * t);
        const double v = 0.7 * cos(t) + 0.81 * cos(2.7 * t);
        stiction_rbm_update(&fig3, &state, x, v);
        stiction_rbm_update(&fig3, &mirror, -x, -v);
        CHECK_SAME(stiction_rbm_force(&fig3, &mirror, -x), -stiction_rbm_force(&fig3, &state, x));
        CHECK_SAME(stiction_drbm_force(&fig3, -x, -v), -stiction_drbm_force(&fig3, x, v));
        CHECK_SAME(stiction_sawtooth_force(&s, -x, -v), -stiction_sawtooth_force(&s, x, v));
    }
}

/* ---- the Switch Model ------------------------------------------------------------------------ */

static double switched(double normal_plus, double normal_minus, double g) {
    const double f_plus[] = {10, normal_plus}, f_minus[] = {20, normal_minus};
    double xdot[2];
    stiction_switch_model(2, f_plus, f_minus, normal_plus, normal_minus, g, 0.5, 2, xdot);
    const double alpha = (20 - xdot[0]) / 10;
    CHECK_NEAR(xdot[1], alpha * normal_plus + (1 - alpha) * normal_minus, 1e-14);
    return alpha;
}

TEST(switch_model_chooses_and_mixes_the_fields) {
    CHECK_SAME(switched(-1, 1, 0.6), 1); /* (37) */
    CHECK_SAME(switched(-1, 1, -0.6), 0);
    CHECK_SAME(switched(-1, 3, 0), 0.75);     /* (32): gdot = 0 at g = 0 */
    CHECK_SAME(switched(-1, 3, 0.5), 0.8125); /* gdot = -g/tau = -0.25 */
    CHECK_SAME(switched(2, 1, -0.1), 1);      /* (34) */
    CHECK_SAME(switched(-2, -1, 0.1), 0);
    CHECK_SAME(switched(1, -1, 0), 1); /* (36) */
    CHECK_SAME(switched(0, 2, 0), 1);  /* tangent: still held */
    CHECK_SAME(switched(-2, 0, 0), 0);
}

/* ---- bad input ------------------------------------------------------------------------------- */

TEST(bad_input_gives_nan_or_a_number_and_always_ends) {
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double values[] = {0.0, -0.0, 1, -1, nan, inf, -inf, 1e300, -1e300, 1e-310, DBL_MAX};
    const size_t n = sizeof values / sizeof *values;
    const stiction_sawtooth s = {0.5, 1, 0.033};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double x = values[i], v = values[j];
            const bool bad = isnan(x) || isnan(v);
            CHECK(!bad || isnan(stiction_drbm_force(&fig3, x, v)));
            CHECK(!bad || isnan(stiction_drbm_angle_sum(&fig3, x, v)));
            CHECK(!bad || isnan(stiction_sawtooth_force(&s, x, v)));
            CHECK(!bad || isnan(stiction_moving_average(0.5, x, v)));
            CHECK(!bad || isnan(stiction_bristles_stored_energy(&fig3, x, v)));
            stiction_rbm_state state = stiction_rbm_start(0);
            CHECK(!isnan(x) || isnan(stiction_rbm_force(&fig3, &state, x)));
            stiction_rbm_update(&fig3, &state, 0, -1);
            stiction_rbm_update(&fig3, &state, x, v);
            CHECK(!bad || isnan(stiction_rbm_force(&fig3, &state, x)));
            double xdot = 0;
            stiction_switch_model(1, &(double){1}, &(double){2}, x, v, 0, 1e-8, 1, &xdot);
            CHECK(!bad || isnan(xdot));
            stiction_switch_model(1, &(double){1}, &(double){2}, -1, 1, x, 1e-8, 1, &xdot);
            CHECK(!isnan(x) || isnan(xdot));
        }
    CHECK(isfinite(stiction_drbm_force(&fig3, 1e300, 1)));

    /* each parameter at each odd value: an answer, in finite time */
    for (size_t field_index = 0; field_index < 5; field_index++)
        for (size_t j = 0; j < n; j++) {
            double parameters[] = {0.1, 0.098, 0.1, 0.002, 1};
            parameters[field_index] = values[j];
            const stiction_bristles b = {parameters[0], parameters[1], parameters[2], parameters[3],
                                         parameters[4]};
            const double f = stiction_drbm_force(&b, 0.3, 1);
            CHECK(!isnan(values[j]) || isnan(f));
            stiction_rbm_state state = stiction_rbm_start(0);
            stiction_rbm_update(&b, &state, 0, 1);
            stiction_rbm_update(&b, &state, 0.3, -1);
            CHECK(!isnan(values[j]) || isnan(stiction_rbm_force(&b, &state, 0.29)));
            CHECK(stiction_bristles_in_domain(&b) || isnan(stiction_drbm_sawtooth(&b).lowest));
        }
    CHECK(isnan(stiction_drbm_force(&(stiction_bristles){0.1, 0.098, 0.1, 1e-300, 1}, 0.3, 1)));
    CHECK(isnan(stiction_drbm_force(&(stiction_bristles){0.1, 0.098, 0.1, -0.002, 1}, 0.3, 1)));
}
