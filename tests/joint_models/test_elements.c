/* SPDX-License-Identifier: MIT
 * Elements A to D: reference trajectories, K's figures, and what sticking must mean.
 */
#include <float.h>

#include "check.h"
#include "joint_models/comparison/approximation.h"
#include "joint_models/element.h"
#include "random.h"
#include "reference.h"

/* The wrist of Cisneros et al. */
static const stiction_law_parameters of_the_wrist = {.static_torque = 2.5,
                                                     .coulomb_torque = 0.4,
                                                     .stribeck_velocity = 0.06,
                                                     .stribeck_exponent = 1,
                                                     .viscous = 4.5};

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

/* K Fig 6: v0 0.7, h -1, F 8, M 1. When the velocity is zero for good, s. */
static double time_to_rest(double v0, double T) {
    const stiction_element a = coulomb_element(STICTION_ELEMENT_A, 8, 1, 0, 0, T);
    const double h = -1;
    double v = v0, f, last = 0;
    for (int k = 0; k < 1000; k++) {
        stiction_element_a_step(&a, 1, &h, &v, &f);
        if (v != 0) last = (k + 1) * T;
        if (v == 0 && k * T > last + T) CHECK_NEAR(f, -1, 1e-15); /* friction holds the load */
    }
    return last + T;
}

TEST(element_a_reaches_zero_velocity_without_chattering) {
    /* K Fig 6; exactly v0/(F + 1): 0.0778 s, on the grid of the time step */
    CHECK_NEAR(time_to_rest(0.7, 0.001), 0.078, 1e-9);
    CHECK_NEAR(time_to_rest(0.7, 0.004), 0.080, 1e-9);
    CHECK_NEAR(time_to_rest(1.3, 0.001), 0.145, 1e-9);
}

TEST(element_a_reverses) {
    /* K Fig 7: v0 1.3, h -10: at 0.0722 s, on the grid 0.073 and 0.076 */
    const double steps[] = {0.001, 0.004}, expected[] = {0.073, 0.076};
    for (int n = 0; n < 2; n++) {
        const stiction_element a = coulomb_element(STICTION_ELEMENT_A, 8, 1, 0, 0, steps[n]);
        const double h = -10;
        double v = 1.3, f, t = 0;
        while (v > 0) {
            stiction_element_a_step(&a, 1, &h, &v, &f);
            t += steps[n];
        }
        CHECK_NEAR(t, expected[n], 1e-9);
    }
}

/* K Fig 13: input u = 0.1 t. h of B itself, or of its alternative: A and a spring-damper. */
static double ramp_force(double K, int alternative, double *largest) {
    const double T = 0.001, M = 1, B = 2 * sqrt(K * M);
    const stiction_element b = coulomb_element(STICTION_ELEMENT_B, 10, M, K, B, T);
    const stiction_element a = coulomb_element(STICTION_ELEMENT_A, 10, M, 0, 0, T);
    double e = 0, v = 0, f, h = 0;
    *largest = 0;
    for (int k = 1; k <= 1000; k++) {
        const double u = 0.1 * k * T;
        if (alternative) {
            const double rate = u - v;
            e += T * rate;
            h = K * e + B * rate;
            stiction_element_a_step(&a, 1, &h, &v, &f);
        } else {
            stiction_element_b_step(&b, 1, &u, &e, &v, &f, &h);
        }
        *largest = fmax(*largest, fabs(h));
    }
    return h;
}

TEST(element_b_settles_where_its_alternative_grows) {
    /* K Fig 13: h settles at F + M du/dt = 10.1 N at any stiffness */
    const double stiffness[] = {8.3e4, 2.5e5, 7.5e5};
    double largest;
    for (int k = 0; k < 3; k++) CHECK_NEAR(ramp_force(stiffness[k], 0, &largest), 10.1, 0.05);
    (void)ramp_force(7.5e5, 1, &largest);
    CHECK(!(largest <= 70));
}

/* K Fig 14: u0 = 1, h = 0, after a second. D itself, or its alternative: C and a mass. */
static double speed_left(double K, int alternative) {
    const double T = 0.001, M = 1, B = 2 * sqrt(K * M);
    const stiction_element d = coulomb_element(STICTION_ELEMENT_D, 7, M, K, B, T);
    const stiction_element c = coulomb_element(STICTION_ELEMENT_C, 7, M, K, B, T);
    const double h = 0;
    double e = 0, u = 1, f = 0, largest = 0;
    for (int k = 0; k < 1000; k++) {
        if (alternative) {
            u += T / M * (h - f); /* (60) */
            CHECK(stiction_element_c_step(&c, 1, &u, &e, &f));
        } else {
            CHECK(stiction_element_d_step(&d, 1, &h, &e, &u, &f));
        }
        if (k >= 900) largest = fmax(largest, fabs(u));
    }
    return largest;
}

TEST(element_d_settles_where_its_alternative_vibrates) {
    /* K Fig 14: its alternative goes on at 3.7e-3 m/s */
    CHECK(speed_left(7.5e5, 0) < 1e-12);
    CHECK(speed_left(8.3e4, 0) < 1e-12);
    const double vibration = speed_left(7.5e5, 1);
    printf("the alternative vibrates at %.2e m/s\n", vibration);
    CHECK_NEAR(vibration, 3.7e-3, 1e-4);
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

TEST(two_stacked_blocks_stick_and_slip) {
    /* K Fig 11: u = 0.5 sin 5t under block 1, block 2 on block 1, each with a spring to the wall;
     * stick fractions 0.32 and 0.43 */
    const double T = 0.001, M = 1, K[2] = {100, 200};
    const stiction_element c1 = coulomb_element(STICTION_ELEMENT_C, 5, 0, 3e4, 300, T);
    const stiction_element c2 = coulomb_element(STICTION_ELEMENT_C, 2.5, 0, 3e4, 300, T);
    double p[2] = {0}, v[2] = {0}, e[2] = {0}, f[2] = {0};
    int stuck[2] = {0}, count = 0;
    for (int k = 0; k < 100000; k++) {
        const double u = 0.5 * sin(5 * k * T);
        const double relative[2] = {u - v[0], v[0] - v[1]};
        const stiction_element *elements[2] = {&c1, &c2};
        for (int n = 0; n < 2; n++) {
            const double v_star = relative[n] + elements[n]->Z * 3e4 * e[n];
            if (stiction_phi_z_sticks(&elements[n]->phi_z, v_star)) stuck[n]++;
            CHECK(stiction_element_c_step(elements[n], 1, &relative[n], &e[n], &f[n]));
        }
        v[0] += T / M * (f[0] - f[1] - K[0] * p[0]);
        v[1] += T / M * (f[1] - K[1] * p[1]);
        for (int n = 0; n < 2; n++) p[n] += T * v[n];
        count++;
    }
    printf("stick fractions %.3f and %.3f\n", (double)stuck[0] / count, (double)stuck[1] / count);
    CHECK_NEAR((double)stuck[0] / count, 0.32, 0.01);
    CHECK_NEAR((double)stuck[1] / count, 0.43, 0.01);
}

/* Every element times every law: a mass under a load below the static torque comes to rest and
 * stays at rest, to the last bit where the element has no bristle. */
TEST(every_element_holds_every_law) {
    const stiction_law_parameters p = of_the_wrist;
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
    const stiction_law_parameters p = of_the_wrist;
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
    const stiction_law_parameters p = of_the_wrist;
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

static void coulomb_of_4(const void *context, size_t n, const double *x, double *y) {
    (void)context;
    const double length = stiction_norm(n, x);
    for (size_t k = 0; k < n; k++) y[k] = 4 * x[k] / length;
}

TEST(elements_of_an_approximated_law) {
    /* (59) is exact for a Coulomb law, whose force does not depend on the speed */
    const stiction_element exact = coulomb_element(STICTION_ELEMENT_C, 4, 0, 6000, 10, 0.001);
    const stiction_vector_law law = {coulomb_of_4, NULL};
    stiction_element approximated;
    CHECK(stiction_element_init_map(&approximated, &exact.def, stiction_map_59, &law));
    double e1[2] = {0}, e2[2] = {0}, f1[2], f2[2];
    for (int k = 0; k < 1000; k++) {
        const double u[2] = {0.3 * cos(0.01 * k), 0.2 * sin(0.013 * k)};
        CHECK(stiction_element_c_step(&exact, 2, u, e1, f1));
        CHECK(stiction_element_c_step(&approximated, 2, u, e2, f2));
        for (int n = 0; n < 2; n++) CHECK_NEAR(f2[n], f1[n], 1e-12);
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
        CHECK(!stiction_element_init_map(&element, &bad[k], stiction_map_57, &element));
    }
    const stiction_element c = coulomb_element(STICTION_ELEMENT_C, 1, 0, 1, 1, 0.001);
    double many[STICTION_ELEMENT_DIMENSIONS + 1] = {0};
    CHECK(!stiction_element_c_step(&c, STICTION_ELEMENT_DIMENSIONS + 1, many, many, many));
    CHECK(!stiction_element_d_step(&c, 0, many, many, many, many));
    CHECK(!stiction_element_c_step(&c, 0, many, many, many));
    CHECK(!stiction_element_d_step(&c, STICTION_ELEMENT_DIMENSIONS + 1, many, many, many, many));
    stiction_element unmapped;
    CHECK(!stiction_element_init_map(&unmapped, &c.def, NULL, NULL));
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
