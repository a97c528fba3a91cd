/* SPDX-License-Identifier: MIT
 * The stage forms of friction, I_fricK and I_fricKN, against reference.json and their promises.
 * Kikuuwe and Yamamoto, (19) and (23), with the corrections of PAPERS.md.
 */
#include "joint_models/comparison/component.h"
#include "network.h"
#include "wrist.h"

/* 1e-14 of the largest component is the bar of reference.json; the values have 16 digits. */
static void check_close(size_t n, const double *actual, const double *expected, double scale) {
    for (size_t i = 0; i < n; i++) CHECK_NEAR(actual[i], expected[i], 1e-14 * scale);
}

TEST(fric_k_matches_reference_vectors) {
    static const struct {
        size_t n;
        double v[3], e[3], tau, f[3], edot[3];
    } points[] = {
        {1, {0.001}, {0.0}, 0.0001, {0.0015}, {0.001}},
        {1, {0.3}, {9e-05}, 0.0005, {0.5}, {0.014285714285714277}},
        {1, {0.0}, {0.0001}, 0.001, {0.5}, {-3.993478001988275e-18}},
        {2,
         {0.1, -0.2},
         {5e-05, 2e-05},
         0.0005,
         {0.3535533905932738, -0.3535533905932738},
         {0.029586683026649643, -0.12958668302664964}},
        {3, {0.02, 0.0, -0.01}, {1e-05, 2e-05, 3e-05}, 0.0, {0.07, 0.1, 0.14}, {0.02, 0.0, -0.01}},
    };
    const stiction_law_parameters p = coulomb_parameters(0.5);
    for (size_t k = 0; k < COUNT(points); k++) {
        stiction_fric_k fric;
        double f[3], edot[3];
        CHECK(stiction_fric_k_init(&fric, stiction_law_find("coulomb"), &p, 5000, 1,
                                   points[k].tau) == STICTION_LAW_OK);
        stiction_fric_k_evaluate(&fric, points[k].n, points[k].v, points[k].e, f, edot);
        check_close(points[k].n, f, points[k].f, largest(points[k].n, points[k].f));
        check_close(points[k].n, edot, points[k].edot, largest(points[k].n, points[k].edot));
    }
}

TEST(fric_kn_matches_reference_vectors) {
    static const struct {
        double p_z, v[3], e[2], tau, f[3], edot[2];
    } points[] = {
        {0.001, {1.0, 0.0, -0.2}, {0.0, 0.0}, 0.0001, {0.0, 0.0, 0.0}, {0.0, 0.0}},
        {-3e-05,
         {0.001, -0.002, 0.0},
         {1e-07, 2e-07},
         5e-05,
         {0.025, -0.010000000000000002, -3.0},
         {0.001, -0.002}},
        {-1e-06,
         {0.5, 0.0, 0.1},
         {1e-06, 0.0},
         0.0001,
         {0.0, 0.0, 0.0},
         {-0.004999999999999999, 0.0}},
    };
    const stiction_fric_kn contact = {.stiffness = 1e5, .damping = 10, .coefficient = 0.1};
    for (size_t k = 0; k < COUNT(points); k++) {
        double f[3], edot[2];
        stiction_fric_kn_evaluate(&contact, points[k].tau, points[k].p_z, points[k].v, points[k].e,
                                  f, edot);
        check_close(3, f, points[k].f, largest(3, points[k].f));
        check_close(2, edot, points[k].edot, largest(2, points[k].edot));
    }
}

TEST(bristle_follows_to_the_bit_while_it_holds) {
    unsigned seed = 1;
    for (size_t k = 0; k < stiction_law_count(); k++) {
        const stiction_law_parameters p = wrist_law();
        stiction_fric_k fric;
        CHECK(stiction_fric_k_init(&fric, stiction_law_at(k), &p, 5000, 50, 1e-3) ==
              STICTION_LAW_OK);
        for (int trial = 0; trial < 1000; trial++) {
            /* at most 0.8 of the least breakaway, 0.4: 55 v + 5000 e */
            const double v = 0.16 / 55 * scatter(&seed), e = 0.16 / 5000 * scatter(&seed);
            double f, edot;
            stiction_fric_k_evaluate(&fric, 1, &v, &e, &f, &edot);
            CHECK_SAME(edot, v);
        }
    }
}

/* (20) is (14): a stage over the whole step, then Euler, is the impedance C of the first paper. */
TEST(one_euler_stage_is_element_c_for_every_law) {
    const double T = 1e-3;
    const stiction_element_def def = {
        .kind = STICTION_ELEMENT_C, .mass = 1, .stiffness = 5000, .damping = 50, .timestep = T};
    const stiction_law_parameters p = wrist_law();
    for (size_t k = 0; k < stiction_law_count(); k++) {
        stiction_element element;
        stiction_fric_k fric;
        CHECK(stiction_element_init(&element, &def, stiction_law_at(k), &p) == STICTION_LAW_OK);
        CHECK(stiction_fric_k_init(&fric, stiction_law_at(k), &p, def.stiffness, def.damping, T) ==
              STICTION_LAW_OK);
        double e[3] = {0}, e_element[3] = {0};
        for (int step = 0; step < 300; step++) {
            const double a = 0.05 * step;
            const double v[3] = {0.2 * sin(a), 0.1 * cos(a), 0.3 * sin(0.3 * a)};
            double f[3], f_element[3], edot[3];
            stiction_element_c_step(&element, 3, v, e_element, f_element);
            stiction_fric_k_evaluate(&fric, 3, v, e, f, edot);
            for (int i = 0; i < 3; i++) {
                e[i] += T * edot[i];
                /* rounding only: 300 steps, forces of order 1, deflections of order 1e-4 */
                CHECK_NEAR(f[i], f_element[i], 1e-12);
                CHECK_NEAR(e[i], e_element[i], 1e-16);
            }
        }
    }
}

TEST(contact_never_pulls_and_stays_in_the_friction_cone) {
    const stiction_fric_kn contact = {.stiffness = 1e5, .damping = 10, .coefficient = 0.1};
    unsigned seed = 7;
    for (int trial = 0; trial < 10000; trial++) {
        const double p_z = 1e-4 * scatter(&seed), tau = 1e-4;
        const double v[3] = {scatter(&seed), scatter(&seed), scatter(&seed)};
        const double e[2] = {1e-5 * scatter(&seed), 1e-5 * scatter(&seed)};
        double f[3], edot[2];
        stiction_fric_kn_evaluate(&contact, tau, p_z, v, e, f, edot);
        CHECK(f[2] <= 0);
        CHECK(p_z <= 0 || largest(3, f) == 0);
        /* the cone is closed; two roundings may step over it */
        CHECK(hypot(f[0], f[1]) <= -0.1 * f[2] * (1 + 1e-15));
    }
}

TEST(nonsense_friction_is_refused) {
    const stiction_law *coulomb = stiction_law_find("coulomb");
    const stiction_law_parameters p = coulomb_parameters(0.5), none = coulomb_parameters(0);
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double bad[][3] = {{0, 1, 1e-3},     {-1, 1, 1e-3},     {nan, 1, 1e-3},   {inf, 1, 1},
                             {5000, -1, 1e-3}, {5000, nan, 1e-3}, {5000, 1, -1e-3}, {5000, 1, nan},
                             {5000, 1, inf},   {5000, 0, 0}}; /* K, B, tau; the last has no Z */
    stiction_fric_k fric;
    for (size_t k = 0; k < COUNT(bad); k++)
        CHECK(stiction_fric_k_init(&fric, coulomb, &p, bad[k][0], bad[k][1], bad[k][2]) ==
              STICTION_LAW_OUT_OF_DOMAIN);
    CHECK(stiction_fric_k_init(&fric, coulomb, &none, 5000, 1, 1e-3) == STICTION_LAW_OUT_OF_DOMAIN);
    CHECK(fric.phi_z.law == NULL && fric.stiffness == 0);
}
