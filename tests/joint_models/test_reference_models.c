/* SPDX-License-Identifier: MIT
 * The models of the literature: their equations and their known faults.
 * Kikuuwe et al. 2006, section II; Dupont et al. 2000; Drincic and Bernstein, section 4.
 * The figures of the papers are in tests/tools/test_reproduce.c.
 */
#include "check.h"

#include <float.h>
#include <stdint.h>

#include "joint_models/reference/reference.h"
#include "reference.h"
#include "wrist.h"

static const double pi = 3.14159265358979323846;

/* A fixed sequence of numbers in [-1, 1). */
static double next_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* The model of E, section 1.1.2, with the vectors' z_ba; LuGre is the same with z_ba = 0. */
static stiction_single_state dupont(double elastic_limit) {
    stiction_single_state m = stiction_single_state_default();
    m.stiffness = 100;
    m.damping = 2;
    m.coulomb_torque = 1;
    m.static_torque = 1.1;
    m.stribeck_velocity = 0.1;
    m.elastic_limit = elastic_limit;
    return m;
}

/* ---- algebraic models ------------------------------------------------------------------------ */

TEST(karnopp_balances_the_load_in_its_band_and_follows_the_law_outside) {
    const stiction_law_parameters wrist = wrist_law();
    const stiction_law *law = stiction_law_find("stribeck");
    CHECK_SAME(stiction_karnopp_force(law, &wrist, 0.01, 0.005, 2.4), 2.4);
    CHECK_SAME(stiction_karnopp_force(law, &wrist, 0.01, 0.005, 2.5), 2.5);
    CHECK_SAME(stiction_karnopp_force(law, &wrist, 0.01, -0.01, 2.6), 2.5);
    CHECK_SAME(stiction_karnopp_force(law, &wrist, 0.01, 0.01, -2.6), -2.5);
    CHECK_SAME(stiction_karnopp_force(law, &wrist, 0.01, 0.011, -9),
               stiction_phi(law, &wrist, 0.011));
    CHECK(stiction_karnopp_sticks(law, &wrist, 0.01, -0.01, 2.5));
    CHECK(!stiction_karnopp_sticks(law, &wrist, 0.01, 0.011, 1));
    CHECK(!stiction_karnopp_sticks(law, &wrist, 0.01, 0, 2.6));
}

TEST(quinn_and_viscosity_saturate_at_the_kinetic_friction) {
    /* powers of two: every value is exact */
    CHECK_SAME(stiction_quinn_force(2, 0.25, 0, 1), 1);
    CHECK_SAME(stiction_quinn_force(2, 0.25, 0, 5), 2);
    CHECK_SAME(stiction_quinn_force(2, 0.25, -0.125, 2), 1);
    CHECK_SAME(stiction_quinn_force(2, 0.25, -0.5, 2), -2);
    CHECK_SAME(stiction_quinn_force(2, 0.25, -1, 9), -2);
    CHECK_SAME(stiction_viscosity_force(2, 0.25, 0.125), 1);
    CHECK_SAME(stiction_viscosity_force(2, 0.25, -0.5), -2);
    /* tanh(1/2) to its last digit; libm may err by an ulp */
    CHECK_NEAR(stiction_tanh_force(2, 0.01, 0.005), 2 * 0.46211715726000976, 4e-16);
}

/* ---- the equations of the single-state models ------------------------------------------------ */

/* The bar of the vectors; the worst is 1 - 1.04 in the fourth, which costs 26 ulp. */
static const double vector_bar = 1e-14;

static void check_relative(double actual, double expected) {
    CHECK_NEAR(actual, expected, vector_bar * fabs(expected));
}

TEST(single_state_matches_the_reference_vectors) {
    const reference_node points =
        reference_get(reference_get(reference_load(), "single_state_eval"), "points");
    const stiction_single_state lugre = dupont(0), ep = dupont(0.0095);
    for (size_t k = 0; k < reference_count(points); k++) {
        const reference_node p = reference_at(points, k);
        const double v = reference_value(p, "v"), z = reference_value(p, "z");
        const double steady = reference_value(p, "fss");
        double f, zdot;
        CHECK_NEAR(stiction_single_state_steady(&ep, v), steady, vector_bar * steady);
        CHECK_SAME(stiction_single_state_alpha(&ep, v, z), reference_value(p, "ep_alpha"));
        stiction_single_state_rate(&lugre, v, z, &f, &zdot);
        check_relative(f, reference_value(p, "lugre_f"));
        check_relative(zdot, reference_value(p, "lugre_zdot"));
        stiction_single_state_rate(&ep, v, z, &f, &zdot);
        check_relative(f, reference_value(p, "ep_f"));
        check_relative(zdot, reference_value(p, "ep_zdot"));
    }
    CHECK(reference_count(points) >= 5);
}

TEST(alpha_rises_from_the_elastic_limit_to_the_steady_deflection) {
    const stiction_single_state ep = dupont(0.0095);
    const double v = 0.02, z_max = stiction_single_state_steady(&ep, v) / ep.stiffness;
    const double middle = (0.0095 + z_max) / 2;
    CHECK_SAME(stiction_single_state_alpha(&ep, v, 0.0095), 0);
    CHECK_NEAR(stiction_single_state_alpha(&ep, v, middle), 0.5, 1e-14); /* sine of an ulp */
    CHECK_SAME(stiction_single_state_alpha(&ep, v, z_max), 1);
    CHECK_SAME(stiction_single_state_alpha(&ep, -v, z_max), 0);
    CHECK_SAME(stiction_single_state_alpha(&ep, 0, z_max), 0);
    double before = 0;
    for (int k = 1; k < 100; k++) {
        const double z = 0.0095 + (z_max - 0.0095) * k / 100;
        const double alpha = stiction_single_state_alpha(&ep, v, z);
        /* (8) as printed; it loses an ulp of 1 */
        const double printed = 0.5 * sin(pi * (z - middle) / (z_max - 0.0095)) + 0.5;
        CHECK_NEAR(alpha, printed, 1e-13);
        CHECK(alpha > before);
        before = alpha;
    }
}

TEST(domain_of_the_single_state_models) {
    CHECK(stiction_single_state_in_domain(&(stiction_single_state){1, 0, 0, 1, 1, 1, 0, 1}));
    CHECK(!stiction_single_state_in_domain(&(stiction_single_state){1, 0, 0, 1, 1, 1, 1, 1}));
    CHECK(!stiction_single_state_in_domain(&(stiction_single_state){1, 0, 0, 1, 0.9, 1, 0, 1}));
    CHECK(!stiction_single_state_in_domain(&(stiction_single_state){1, -1, 0, 1, 1, 1, 0, 1}));
    const stiction_single_state unset = stiction_single_state_default();
    CHECK(!stiction_single_state_in_domain(&unset));
}

TEST(every_number_of_a_single_state_model_has_its_domain) {
    const stiction_single_state fine = {1, 0.1, 0.1, 1, 1.5, 1, 0.1, 1};
    enum { numbers = sizeof fine / sizeof(double) };
    CHECK(stiction_single_state_in_domain(&fine));
    for (size_t k = 0; k < numbers; k++)
        for (size_t n = 0; n < 3; n++) {
            double values[numbers];
            memcpy(values, &fine, sizeof fine);
            values[k] = (const double[]){-1, (double)INFINITY, (double)NAN}[n];
            stiction_single_state changed;
            memcpy(&changed, values, sizeof changed);
            CHECK(!stiction_single_state_in_domain(&changed));
        }
}

TEST(mpabm_is_lugre_with_angles) {
    const stiction_mpabm mpabm = {.force_per_angle = 2,
                                  .scale = 1e5,
                                  .min_angle = 0.5,
                                  .max_angle = 0.75,
                                  .stribeck_velocity = 0.001};
    const stiction_single_state m = stiction_mpabm_single_state(&mpabm);
    const double v = 0.0007, z = 3e-6;
    double f, zdot;
    stiction_single_state_rate(&m, v, z, &f, &zdot);
    const double theta = 0.5 + 0.25 * exp(-(v / 0.001) * (v / 0.001)); /* B (83) */
    CHECK_NEAR(zdot, v - 1e5 * v / theta * z, 1e-15 * v);              /* B (84), a few ulp */
    CHECK_NEAR(f, 2e5 * z, 1e-16 * 2e5);                               /* B (85) */
}

TEST(ffbm_slides_at_the_force_of_its_sawtooth) {
    const stiction_ffbm ffbm = {1e5, {1, 1.5, 0.05}};
    double f, zdot, z = 1.2e-5;
    stiction_ffbm_rate(&ffbm, 0.02, 0.1, z, &f, &zdot);
    CHECK_NEAR(zdot, 0, 1e-15); /* F(0.02) = 1.2 N is steady; an ulp of v */
    stiction_ffbm_rate(&ffbm, -0.02, -0.1, -z, &f, &zdot);
    CHECK_NEAR(zdot, 0, 1e-15);
    f = stiction_ffbm_step(&ffbm, 1, 0.04, 0.1, &z); /* 1 s is 10^4 relaxation times */
    CHECK_NEAR(f, 1.4, 1e-15);                       /* an ulp of each of three operations */
}

/* ---- the time step --------------------------------------------------------------------------- */

/* The step against many small explicit ones, on the way to sliding and back. */
static double deflection_error(const stiction_single_state *m, int steps) {
    enum { substeps = 20000 };
    const double v[] = {0.03, -0.05, 0.02}, T = 0.5 / steps;
    double exact = 0, z = 0, worst = 0;
    for (int leg = 0; leg < 3; leg++) {
        for (int k = 0; k < steps; k++) {
            stiction_single_state_step(m, T, v[leg], &z);
            for (int j = 0; j < substeps / steps; j++) { /* midpoint rule: 1e-9 of z here */
                double f, zdot, h = 0.5 / substeps;
                stiction_single_state_rate(m, v[leg], exact, &f, &zdot);
                stiction_single_state_rate(m, v[leg], exact + h / 2 * zdot, &f, &zdot);
                exact += h * zdot;
            }
            if (!(fabs(z - exact) <= worst)) worst = fabs(z - exact); /* a NaN shows */
        }
    }
    return worst;
}

TEST(step_solves_the_differential_equation) {
    /* alpha = 1: exact for every i, up to the error of the comparison */
    const double exponents[] = {1, 2, 3, 1.5, 0.5};
    for (int k = 0; k < 5; k++) {
        stiction_single_state dahl = dupont(0);
        dahl.exponent = exponents[k];
        CHECK_NEAR(deflection_error(&dahl, 10), 0, 1e-8);
    }
    /* elasto-plastic: second order in T */
    const stiction_single_state ep = dupont(0.005);
    const double coarse = deflection_error(&ep, 50), fine = deflection_error(&ep, 200);
    CHECK(coarse < 2e-4); /* of z = 0.01 */
    CHECK(fine < coarse / 8);
}

TEST(trap_stiff_bristles_blow_up_explicitly_but_not_in_our_step) {
    for (int elastic = 0; elastic < 2; elastic++)
        for (double T = 1e-4; T < 1.1e-2; T *= 2) {
            stiction_single_state m = dupont(elastic ? 0.9e-5 : 0);
            m.stiffness = 1e5;
            m.damping = 0;
            double z = 0, z_euler = 0, worst_euler = 0, f, zdot;
            for (int k = 0; k < 2000; k++) {
                const double v = 3 * sin(0.01 * k);
                f = stiction_single_state_step(&m, T, v, &z);
                CHECK(fabs(f) <= m.static_torque); /* E, property 1: |z| <= f_m/sigma_0 */
                stiction_single_state_rate(&m, v, z_euler, &f, &zdot);
                z_euler += T * zdot;
                worst_euler = fmax(worst_euler, m.stiffness * fabs(z_euler));
            }
            CHECK(worst_euler > 10 * m.static_torque);
        }
}

TEST(step_holds_a_mass_on_stiff_bristles) {
    /* explicit coupling is stable while 2 T B/M + T^2 K/M < 4; here it is 1 to 2.3 */
    for (double T = 1e-4; T < 1.1e-2; T *= 10) {
        stiction_single_state m = dupont(0.9e-5);
        m.stiffness = 1e5;
        const double M = T * T * 1e5;
        m.damping = 0.3 * M / T;
        double z = 0, v = 0, x = 0;
        for (int k = 0; k < 20000; k++) {
            x += T * v;
            const double load = 0.8 * fmin(1, k / 5000.0); /* a ramp: a step would overshoot */
            v += T / M * (load - stiction_single_state_step(&m, T, v, &z));
        }
        CHECK_NEAR(m.stiffness * z, 0.8, 1e-12); /* at rest: a few ulp of the force */
        CHECK_NEAR(x, z, 1e-18 * 20000);         /* all of it elastic; an ulp of x a step */
    }
}

TEST(step_never_passes_the_steady_deflection) {
    uint64_t seed = 1;
    for (int k = 0; k < 200000; k++) {
        stiction_single_state m = dupont(k % 2 ? 0.0099 * fabs(next_random(&seed)) : 0);
        m.exponent = k % 3 ? 1 : 1.5 + 1.3 * next_random(&seed);
        const double v = 3 * next_random(&seed), T = pow(10, 4 * next_random(&seed) - 3);
        const double z_ss = stiction_single_state_steady(&m, v) / m.stiffness;
        const double start = 0.011 * next_random(&seed);
        double z = start;
        stiction_single_state_step(&m, T, v, &z);
        const double u = copysign(1, v) * z, u_0 = copysign(1, v) * start;
        CHECK(u_0 <= z_ss ? u >= u_0 && u <= z_ss : u <= u_0 && u >= z_ss);
    }
}

TEST(step_within_the_elastic_limit_is_the_motion_itself) {
    const stiction_single_state ep = dupont(0.0095);
    uint64_t seed = 2;
    for (int k = 0; k < 100000; k++) {
        const double start = 0.0047 * next_random(&seed), T = 1e-3;
        const double v = 4.7 * next_random(&seed);
        double z = start;
        stiction_single_state_step(&ep, T, v, &z);
        CHECK_SAME(z, start + T * v);
    }
}

TEST(every_exponent_leads_to_the_steady_deflection) {
    for (double i = 0.5; i < 4; i += 0.5) {
        stiction_single_state dahl = dupont(0);
        dahl.exponent = i;
        const double steady = dahl.static_torque / dahl.stiffness;
        double f, zdot, z = steady;
        stiction_single_state_rate(&dahl, 1, 0.02, &f, &zdot);
        CHECK(zdot < 0); /* from above as well, also where i is even */
        stiction_single_state_rate(&dahl, 1, 0.005, &f, &zdot);
        CHECK_NEAR(zdot, pow(0.5, i), 1e-14); /* f_ss(1) = 1 to 4e-44 */
        CHECK_NEAR(stiction_single_state_step(&dahl, 1e-3, 0, &z), 1.1, 1e-15); /* an ulp */
        CHECK_SAME(z, steady); /* no way, no change */
    }
}

TEST(viscous_friction_is_added) {
    stiction_single_state m = dupont(0.005);
    m.viscous = 0.5;
    m.damping = 0;
    double f, zdot, z = 0.002;
    stiction_single_state_rate(&m, -4, z, &f, &zdot);
    CHECK_NEAR(f, 0.2 - 2, 1e-15); /* an ulp of 2, halved */
    CHECK_NEAR(stiction_single_state_step(&m, 1e-3, -1, &z), 0.1 - 0.5, 1e-15);
}

TEST(step_flushes_subnormals) {
    const stiction_single_state lugre = dupont(0);
    double z = -3e-308;
    stiction_single_state_step(&lugre, 1e-3, 1e-305, &z); /* + 1e-308 */
    CHECK_SAME(z, -0.0);
}

TEST(damper_impulse_does_not_depend_on_the_step) {
    stiction_single_state bare = dupont(0);
    bare.stiffness = 1e5; /* at 1 m/s the bristle relaxes in 1e-5 s */
    bare.damping = 0;
    stiction_single_state damped = bare;
    damped.damping = 0.5;
    for (double T = 1e-7; T < 1; T *= 10) {
        double z = 0, same_z = 0, impulse = 0;
        for (int k = 0; k < 100; k++) {
            const double f = stiction_single_state_step(&bare, T, 1, &same_z);
            impulse += T * (stiction_single_state_step(&damped, T, 1, &z) - f);
        }
        /* T f, 100 times, each a difference of numbers below 1 + sigma_1 v */
        CHECK_NEAR(impulse, damped.damping * z, 100 * T * 2e-16 + 1e-14 * z);
    }
}

/* ---- passivity ------------------------------------------------------------------------------- */

TEST(elasto_plastic_and_lugre_dissipate_without_a_stribeck_effect) {
    uint64_t seed = 3;
    for (int k = 0; k < 200000; k++) {
        stiction_single_state m = dupont(k % 2 ? 0.0099 * fabs(next_random(&seed)) : 0);
        m.static_torque = m.coulomb_torque;
        m.viscous = k % 3;
        const double v = next_random(&seed), start = 0.01 * next_random(&seed);
        const double T = pow(10, 4 * next_random(&seed) - 3);
        double f, zdot, z = start;
        /* (25): v f >= dV/dt, V = sigma_0 z^2/2; LuGre relaxes too fast for it after a reversal
         * (14), where its damper may push */
        stiction_single_state_rate(&m, v, z, &f, &zdot);
        if (k % 2 || v * z >= 0) CHECK(v * f >= m.stiffness * z * zdot - 1e-15 * fabs(v));
        f = stiction_single_state_step(&m, T, v, &z);
        const double rise = m.stiffness / 2 * (z - start) * (z + start);
        CHECK(T * v * f >= rise - 1e-14 * (fabs(rise) + T * fabs(v * f)));
    }
}

TEST(lugre_without_bristle_damping_dissipates_with_a_stribeck_effect) {
    uint64_t seed = 4;
    for (int k = 0; k < 200000; k++) {
        stiction_single_state m = dupont(0);
        m.damping = 0;
        const double v = next_random(&seed), z = 0.011 * next_random(&seed);
        double f, zdot;
        stiction_single_state_rate(&m, v, z, &f, &zdot);
        CHECK(v * f >= m.stiffness * z * zdot - 1e-15 * fabs(v));
    }
}

/* ---- oddness --------------------------------------------------------------------------------- */

TEST(models_are_odd_to_the_bit) {
    const stiction_law_parameters wrist = wrist_law();
    const stiction_law *law = stiction_law_find("stribeck");
    const stiction_ffbm ffbm = {1e5, {1, 1.5, 0.05}};
    uint64_t seed = 5;
    for (int k = 0; k < 100000; k++) {
        const double v = next_random(&seed), h = 3 * next_random(&seed), x = next_random(&seed);
        const double slow = v / 50, z = 0.011 * next_random(&seed);
        CHECK_SAME(stiction_karnopp_force(law, &wrist, 0.01, -slow, -h),
                   -stiction_karnopp_force(law, &wrist, 0.01, slow, h));
        CHECK_SAME(stiction_quinn_force(1, 0.01, -slow, -h),
                   -stiction_quinn_force(1, 0.01, slow, h));
        CHECK_SAME(stiction_viscosity_force(1, 0.01, -slow),
                   -stiction_viscosity_force(1, 0.01, slow));
        CHECK_SAME(stiction_tanh_force(1, 0.01, -slow), -stiction_tanh_force(1, 0.01, slow));

        stiction_single_state m = dupont(k % 2 ? 0.0095 : 0);
        m.exponent = 1 + k % 4;
        double f, zdot, f_m, zdot_m, after = z, after_m = -z;
        stiction_single_state_rate(&m, v, z, &f, &zdot);
        stiction_single_state_rate(&m, -v, -z, &f_m, &zdot_m);
        CHECK_SAME(f_m, -f);
        CHECK_SAME(zdot_m, -zdot);
        CHECK_SAME(stiction_single_state_step(&m, 1e-3, -v, &after_m),
                   -stiction_single_state_step(&m, 1e-3, v, &after));
        CHECK_SAME(after_m, -after);
        CHECK_SAME(stiction_ffbm_step(&ffbm, 1e-3, -x, -v, &after_m),
                   -stiction_ffbm_step(&ffbm, 1e-3, x, v, &after));
        CHECK_SAME(after_m, -after);
    }
}

/* ---- rest ------------------------------------------------------------------------------------ */

TEST(elasto_plastic_does_not_drift_in_a_long_dither) {
    const stiction_single_state ep = dupont(0.0095);
    const double T = 1e-4;
    double x = 0, v = 0, z = 0, at_2 = 0;
    for (int k = 0; k < 10000000; k++) {
        const double t = k * T, load = t < 1 ? 0.8 * t : 0.8 + 0.1 * sin(2 * pi * 5 * t);
        if (k == 20000) at_2 = x - z;
        const double f = stiction_single_state_step(&ep, T, v, &z);
        x += T * v;
        v += T * (load - f);
    }
    /* a random walk of rounding errors of 1e-18 m stays below 1e-14 */
    CHECK_NEAR(x - z, at_2, 1e-12);
}

/* ---- bad input ------------------------------------------------------------------------------- */

TEST(bad_input_gives_nan_or_a_number_and_always_ends) {
    const stiction_law_parameters wrist = wrist_law();
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double values[] = {0.0,  -0.0,  1,      -1,     nan,     inf,
                             -inf, 1e300, -1e300, 1e-310, DBL_MAX, 0.0099};
    const size_t n = sizeof values / sizeof *values;
    const stiction_law *law = stiction_law_find("stribeck");
    const stiction_ffbm ffbm = {1e5, {1, 1.5, 0.05}};
    const double exponents[] = {1, 2, 0.5};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double a = values[i], b = values[j];
            const bool bad = isnan(a) || isnan(b);
            CHECK(!bad || isnan(stiction_karnopp_force(law, &wrist, 0.01, a, b)));
            CHECK(!bad || !stiction_karnopp_sticks(law, &wrist, 0.01, a, b));
            CHECK(!bad || isnan(stiction_quinn_force(1, 0.01, a, b)));
            CHECK(!isnan(a) || isnan(stiction_viscosity_force(1, 0.01, a)));
            CHECK(!isnan(a) || isnan(stiction_tanh_force(1, 0.01, a)));
            for (int e = 0; e < 6; e++) {
                stiction_single_state m = dupont(e % 2 ? 0.0095 : 0);
                m.exponent = exponents[e / 2];
                double f, zdot, z = b;
                stiction_single_state_rate(&m, a, b, &f, &zdot);
                CHECK(!bad || (isnan(f) && isnan(zdot)));
                CHECK(!bad || isnan(stiction_single_state_alpha(&m, a, b)));
                CHECK(!bad || isnan(stiction_single_state_step(&m, 1e-3, a, &z)));
                z = b;
                CHECK(a > 0 || isnan(stiction_single_state_step(&m, a, 1, &z)));
            }
            double f, zdot, z = 1e-6;
            stiction_ffbm_rate(&ffbm, a, b, z, &f, &zdot);
            CHECK(!bad || isnan(zdot));
            (void)stiction_ffbm_step(&ffbm, 1e-3, a, b, &z);
            CHECK(!bad || isnan(z));
        }
    CHECK(isfinite(stiction_single_state_step(&(stiction_single_state){1, 0, 0, 1, 1, 1, 0, 1},
                                              1e300, 1e300, &(double){0})));
}
