/* SPDX-License-Identifier: MIT
 * The stage forms of friction, I_fricK and I_fricKN, against reference.json and their promises.
 * Kikuuwe and Yamamoto, (19) and (23), with the corrections of docs/papers.md.
 */
#include "check.h"
#include "joint_models/comparison/component.h"
#include "reference.h"
#include "wrist.h"

static double largest(size_t n, const double *a) {
    double m = 0;
    for (size_t i = 0; i < n; i++) m = fmax(m, fabs(a[i]));
    return m;
}

static stiction_law_parameters coulomb_parameters(double F) {
    stiction_law_parameters p = stiction_law_parameters_default();
    p.static_torque = p.coulomb_torque = F;
    return p;
}

/* Numbers in [-1, 1], the same on every machine. */
static double scatter(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 2147483648.0 - 1;
}

/* 1e-14 of the largest component is the bar of reference.json; the values have 16 digits. */
static void check_close(reference_node point, const char *key, const double *actual) {
    double expected[3];
    const size_t n = reference_numbers(reference_get(point, key), expected);
    for (size_t i = 0; i < n; i++) CHECK_NEAR(actual[i], expected[i], 1e-14 * largest(n, expected));
}

TEST(fric_k_matches_reference_vectors) {
    const reference_node set = reference_get(reference_load(), "IfricK_eval");
    const reference_node points = reference_get(set, "points");
    const stiction_law_parameters p = coulomb_parameters(reference_value(set, "F"));
    for (size_t k = 0; k < reference_count(points); k++) {
        const reference_node point = reference_at(points, k);
        stiction_fric_k fric;
        double v[3], e[3], f[3], edot[3];
        const size_t n = reference_numbers(reference_get(point, "v"), v);
        (void)reference_numbers(reference_get(point, "e"), e);
        CHECK(stiction_fric_k_init(&fric, stiction_law_find("coulomb"), &p,
                                   reference_value(set, "K"), reference_value(set, "B"),
                                   reference_value(point, "tau")) == STICTION_LAW_OK);
        stiction_fric_k_evaluate(&fric, n, v, e, f, edot);
        check_close(point, "f", f);
        check_close(point, "edot", edot);
    }
    CHECK(reference_count(points) >= 5);
}

TEST(fric_kn_matches_reference_vectors) {
    const reference_node set = reference_get(reference_load(), "IfricKN_eval");
    const reference_node points = reference_get(set, "points");
    const stiction_fric_kn contact = {.stiffness = reference_value(set, "K"),
                                      .damping = reference_value(set, "B"),
                                      .coefficient = reference_value(set, "mu")};
    for (size_t k = 0; k < reference_count(points); k++) {
        const reference_node point = reference_at(points, k);
        double v[3], e[3], f[3], edot[2];
        (void)reference_numbers(reference_get(point, "v"), v);
        (void)reference_numbers(reference_get(point, "e"), e);
        stiction_fric_kn_evaluate(&contact, reference_value(point, "tau"),
                                  reference_value(point, "pz"), v, e, f, edot);
        check_close(point, "f", f);
        check_close(point, "edot", edot);
    }
    CHECK(reference_count(points) >= 3);
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
