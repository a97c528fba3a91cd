/* SPDX-License-Identifier: MIT
 * Elements A to D: reference trajectories, and what sticking must mean.
 */
#include <float.h>

#include "check.h"
#include "joint_models/element.h"
#include "random.h"
#include "reference.h"
#include "wrist.h"

/* The bar of the reference data: this part of the largest value of a column. */
static const double trajectory_bar = 1e-12;

static double cell(reference_node rows, size_t row, size_t column) {
    return reference_number(reference_at(reference_at(rows, row), column));
}

/* Steps the element along the inputs of the rows and puts its results beside the inputs. */
static void advance(const stiction_element *element, size_t n, const double *input,
                    double state[2][2], double *result) {
    double f[2], h[2];
    switch (element->def.kind) {
    case STICTION_ELEMENT_A: /* columns h f v */
        stiction_element_a_step(element, n, input, state[0], f);
        result[0] = f[0];
        result[1] = state[0][0];
        return;
    case STICTION_ELEMENT_B: /* u f v e h */
        stiction_element_b_step(element, n, input, state[1], state[0], f, h);
        result[0] = f[0];
        result[1] = state[0][0];
        result[2] = state[1][0];
        result[3] = h[0];
        return;
    case STICTION_ELEMENT_C: /* u f e, each of n components */
        CHECK(stiction_element_c_step(element, n, input, state[1], f));
        for (size_t k = 0; k < n; k++) {
            result[k] = f[k];
            result[n + k] = state[1][k];
        }
        return;
    case STICTION_ELEMENT_D: /* h f e u */
        CHECK(stiction_element_d_step(element, n, input, state[1], state[0], f));
        result[0] = f[0];
        result[1] = state[1][0];
        result[2] = state[0][0];
        return;
    }
}

static void check_trajectory(reference_node trajectory) {
    const char *id = reference_text(reference_get(trajectory, "id"));
    const char *model = reference_text(reference_get(trajectory, "model"));
    const reference_node rows = reference_get(trajectory, "rows");
    const size_t columns = reference_count(reference_get(trajectory, "columns"));
    const size_t n = (size_t)reference_value_or(trajectory, "dim", 1);
    stiction_law_parameters p;
    const stiction_law *law = reference_law(trajectory, &p);
    const stiction_element_def def = {
        .kind = (stiction_element_kind)(STICTION_ELEMENT_A + (model[0] - 'A')),
        .mass = reference_value_or(trajectory, "M", 0),
        .stiffness = reference_value_or(trajectory, "K", 0),
        .damping = reference_value_or(trajectory, "B", 0),
        .timestep = reference_value(trajectory, "T")};
    stiction_element element;
    CHECK(stiction_element_init(&element, &def, law, &p) == STICTION_LAW_OK);

    double largest[8] = {0}, worst = 0;
    for (size_t row = 0; row < reference_count(rows); row++)
        for (size_t c = n; c < columns; c++)
            largest[c] = fmax(largest[c], fabs(cell(rows, row, c)));

    /* state[0] is a velocity, state[1] a deflection */
    const double start =
        reference_value_or(trajectory, "v0", reference_value_or(trajectory, "u0", 0));
    double state[2][2] = {{start, 0}, {0, 0}};
    for (size_t row = 0; row < reference_count(rows); row++) {
        double input[2] = {0}, result[4] = {0};
        for (size_t c = 0; c < n; c++) input[c] = cell(rows, row, c);
        advance(&element, n, input, state, result);
        for (size_t c = n; c < columns; c++) {
            const double error = fabs(result[c - n] - cell(rows, row, c));
            worst = fmax(worst, error / largest[c]);
            if (!(error <= trajectory_bar * largest[c]))
                FAIL("%s: row %zu column %zu is %.17g, not %.17g", id, row, c, result[c - n],
                     cell(rows, row, c));
        }
    }
    printf("%-16s worst error %.2g of the column maximum\n", id, worst);
}

TEST(trajectories_match_the_reference_vectors) {
    const reference_node trajectories = reference_get(reference_load(), "trajectories");
    for (size_t k = 0; k < reference_count(trajectories); k++)
        check_trajectory(reference_at(trajectories, k));
}

static stiction_element coulomb_element(stiction_element_kind kind, double F, double M, double K,
                                        double B, double T) {
    const stiction_law_parameters p = {.static_torque = F,
                                       .coulomb_torque = F,
                                       .stribeck_velocity = 0,
                                       .stribeck_exponent = 1,
                                       .viscous = 0};
    const stiction_element_def def = {kind, M, K, B, T};
    stiction_element element;
    CHECK(stiction_element_init(&element, &def, stiction_law_find("coulomb"), &p) ==
          STICTION_LAW_OK);
    return element;
}

TEST(trap_element_d_at_rest_flushes_subnormals) {
    const stiction_element d = coulomb_element(STICTION_ELEMENT_D, 7, 1, 8.3e4, 577, 0.001);
    const double h = 0;
    double e = 0, u = 1, f;
    for (int k = 0; k < 100000; k++) {
        CHECK(stiction_element_d_step(&d, 1, &h, &e, &u, &f));
        CHECK(u == 0 || fabs(u) >= DBL_MIN);
        CHECK(e == 0 || fabs(e) >= DBL_MIN);
    }
    CHECK_SAME(fabs(u), 0);
    CHECK_SAME(fabs(e), 0);
}

/* Every element times every law: a mass under a load below the static torque comes to rest and
 * stays at rest, to the last bit where the element has no bristle. */
TEST(every_element_holds_every_law) {
    const stiction_law_parameters p = wrist_law();
    for (size_t n = 0; n < stiction_law_count(); n++) {
        const stiction_law *law = stiction_law_at(n);
        const double load = 0.9 * law->phi(&p, 0);
        stiction_element_def def = {STICTION_ELEMENT_A, 0.2, 5000, 50, 0.001};
        stiction_element a, d;
        CHECK(stiction_element_init(&a, &def, law, &p) == STICTION_LAW_OK);
        def.kind = STICTION_ELEMENT_D;
        CHECK(stiction_element_init(&d, &def, law, &p) == STICTION_LAW_OK);
        double v = 0, f, e = 0, u = 0;
        for (int k = 0; k < 20000; k++) {
            const double h = load * fmin(k / 10000.0, 1);
            stiction_element_a_step(&a, 1, &h, &v, &f);
            CHECK_SAME(v, 0);
            CHECK_NEAR(f, h, 1e-15);
            CHECK(stiction_element_d_step(&d, 1, &h, &e, &u, &f));
        }
        CHECK_NEAR(u, 0, 1e-15);
        CHECK_NEAR(e, load / 5000, 1e-15);
    }
}

/* The step of one dimension is that of n dimensions, to the bit, and says what it did. */
TEST(element_c_is_the_same_in_one_dimension) {
    const stiction_law_parameters p = wrist_law();
    const stiction_element_def def = {STICTION_ELEMENT_C, 0, 5000, 50, 0.001};
    random_source r = {38};
    for (size_t law = 0; law < stiction_law_count(); law++) {
        stiction_element element;
        size_t sticking = 0;
        double e = 0, e_one = 0;
        enum { steps = 2000 };
        CHECK(stiction_element_init(&element, &def, stiction_law_at(law), &p) == STICTION_LAW_OK);
        for (int k = 0; k < steps; k++) {
            const double u = copysign(random_decade(&r, -6, 1), random_uniform(&r, -1, 1));
            const double v_star = fma(element.Z * def.stiffness, e, u);
            double f;
            const bool sticks = stiction_element_c_sticks(&element, u, e_one);
            CHECK(stiction_element_c_step(&element, 1, &u, &e, &f));
            CHECK_SAME(stiction_element_c_step_1(&element, u, &e_one), f);
            CHECK_SAME(e_one, e);
            CHECK(sticks == stiction_phi_z_sticks(&element.phi_z, v_star));
            sticking += sticks;
        }
        CHECK(sticking > steps / 10 && sticking < 9 * steps / 10); /* both were seen */
    }
}

/* C under steady sliding: the torque is Phi(v). */
TEST(steady_sliding_torque_is_phi) {
    const stiction_law_parameters p = wrist_law();
    for (size_t n = 0; n < stiction_law_count(); n++) {
        const stiction_law *law = stiction_law_at(n);
        const stiction_element_def def = {STICTION_ELEMENT_C, 0, 5000, 50, 0.001};
        stiction_element c;
        CHECK(stiction_element_init(&c, &def, law, &p) == STICTION_LAW_OK);
        for (double v = 0.02; v < 10; v *= 1.7) {
            double e = 0, f = 0;
            for (int k = 0; k < 4000; k++) CHECK(stiction_element_c_step(&c, 1, &v, &e, &f));
            CHECK_NEAR(f, stiction_phi(law, &p, v), 1e-12 * f);
        }
    }
}

TEST(elements_refuse_what_they_cannot_be) {
    const stiction_law_parameters p = {.static_torque = 1,
                                       .coulomb_torque = 1,
                                       .stribeck_velocity = 0,
                                       .stribeck_exponent = 1,
                                       .viscous = 0};
    const stiction_law *law = stiction_law_find("coulomb");
    const stiction_element_def bad[] = {{STICTION_ELEMENT_A, 0, 0, 0, 0.001},
                                        {STICTION_ELEMENT_A, 1, 0, 0, 0},
                                        {STICTION_ELEMENT_A, 1, 0, 0, -1},
                                        {STICTION_ELEMENT_C, 0, 0, 0, 0.001},
                                        {STICTION_ELEMENT_C, 0, -1, 5, 0.001},
                                        {STICTION_ELEMENT_D, (double)NAN, 1, 1, 0.001},
                                        {STICTION_ELEMENT_B, 1, 1, (double)INFINITY, 0.001},
                                        {(stiction_element_kind)9, 1, 1, 1, 0.001}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        stiction_element element;
        CHECK(stiction_element_init(&element, &bad[k], law, &p) == STICTION_LAW_OUT_OF_DOMAIN);
    }
    const stiction_element c = coulomb_element(STICTION_ELEMENT_C, 1, 0, 1, 1, 0.001);
    double many[STICTION_ELEMENT_DIMENSIONS + 1] = {0};
    CHECK(!stiction_element_c_step(&c, STICTION_ELEMENT_DIMENSIONS + 1, many, many, many));
    CHECK(!stiction_element_d_step(&c, 0, many, many, many, many));
    CHECK(!stiction_element_c_step(&c, 0, many, many, many));
    CHECK(!stiction_element_d_step(&c, STICTION_ELEMENT_DIMENSIONS + 1, many, many, many, many));
}

/* Numbers with which a step within the limit of velocities could overflow, or lose what is left to
 * the break-away. */
TEST(element_c_refuses_numbers_that_steps_cannot_bear) {
    const stiction_law *law = stiction_law_find("coulomb");
    const struct {
        double stiffness, damping, timestep, torque;
    } bad[] = {{1e200, 1, 1e-3, 1},     /* K */
               {1e200, 1e200, 1e-3, 1}, /* both */
               {1, 1, 0x1p-101, 1},     /* T */
               {1e-40, 1, 0x1p101, 1},
               {1e100, 1e100, 1e-3, 1e-300}}; /* Z F */
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const stiction_law_parameters p = {.static_torque = bad[k].torque,
                                           .coulomb_torque = bad[k].torque,
                                           .stribeck_exponent = 1};
        const stiction_element_def def = {STICTION_ELEMENT_C, 0, bad[k].stiffness, bad[k].damping,
                                          bad[k].timestep};
        stiction_element element;
        CHECK(stiction_element_init(&element, &def, law, &p) == STICTION_LAW_OUT_OF_DOMAIN);
        CHECK(element.step == NULL && element.Z == 0); /* nothing of it is left */
    }
}
