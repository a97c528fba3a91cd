/* SPDX-License-Identifier: MIT
 * Viscosity as a power of velocity, D |v|^p: against vectors of 40 digits, against the equation
 * that it solves, and what must hold of any exponent.
 */
#include <float.h>

#include "auto.h"
#include "check.h"
#include "drives_reference.h"
#include "implicit_robot.h"
#include "random.h"

#include "joint_models/drive/drive_step.h"
#include "joint_models/viscosity.h"

static const char *const names[] = {"coulomb", "stribeck", "rational"};
enum { law_count = sizeof names / sizeof names[0] };

static double relative(double actual, double expected) {
    return fabs(actual - expected) / fabs(expected);
}

/* The wrist of the vectors. */
static stiction_law_parameters wrist(double exponent) {
    return (stiction_law_parameters){.static_torque = 2.5,
                                     .coulomb_torque = 0.4578,
                                     .stribeck_velocity = 0.045,
                                     .stribeck_exponent = 1,
                                     .viscous = 5.921,
                                     .viscous_exponent = exponent};
}

/* A law at random; its steepest descent is finite. */
static const stiction_law *random_law(random_source *r, stiction_law_parameters *p) {
    p->coulomb_torque = random_decade(r, -3, 2);
    p->static_torque = p->coulomb_torque * (1 + random_decade(r, -3, 2));
    p->stribeck_velocity = random_decade(r, -4, 1);
    p->stribeck_exponent = random_bits(r) % 2 ? 1 : random_uniform(r, 1, 3);
    p->viscous = random_decade(r, -3, 2);
    p->viscous_exponent = random_bits(r) % 2 ? random_uniform(r, 0.3, 1) : random_uniform(r, 1, 4);
    return stiction_law_find(names[random_bits(r) % law_count]);
}

/* ---- the vectors ---- */

TEST(torques_of_the_vectors_are_met) {
    const reference_node list = reference_get(drives_load(), "viscous_exponent");
    double worst = 0;
    for (size_t k = 0; k < reference_count(list); k++) {
        const reference_node v = reference_at(list, k);
        stiction_law_parameters p;
        stiction_phi_z phi_z;
        const stiction_law *law = drives_law(v, &p);
        CHECK(stiction_phi_z_prepare_inverse(&phi_z, law, &p, reference_value(v, "inverse_Z")) ==
              STICTION_LAW_OK);
        const double x = reference_value(v, "x");
        worst = fmax(worst, relative(stiction_phi_z_at(&phi_z, x), reference_value(v, "torque")));
        CHECK_SAME(stiction_phi_z_at(&phi_z, -x), -stiction_phi_z_at(&phi_z, x));
        CHECK(stiction_phi_z_sticks(&phi_z, x) ==
              (strcmp(reference_text(reference_get(v, "sticks")), "true") == 0));
    }
    printf("%zu vectors, worst relative error %.2g\n", reference_count(list), worst);
    CHECK(reference_count(list) >= 42);
    CHECK(worst <= 4e-15);
}

/* Where Z is all but illegal, and x where Phi_Z is steepest: solved with 60 digits, F_S 19.26, F_C
 * 1.96, v_S 0.0183. */
TEST(torques_next_to_the_limit_of_legality_keep_their_digits) {
    static const struct {
        const char *law;
        double alpha, viscous, exponent, inverse_Z, x, torque;
    } hard[] = {
        {"stribeck", 1.0, 6.64, 2.0, 945.355285792, 0.0203732927607, 19.259897225851821084},
        {"stribeck", 1.0, 0.05, 0.5, 939.340393523, 0.0205038738502, 19.223666037380915522},
        {"stribeck", 2.0, 1.5, 3.0, 810.891549629, 0.0282972086573, 12.352096783603349952},
        {"stribeck", 2.5, 0.7, 0.8, 953.362378359, 0.0269582182575, 11.37408722877852261},
        {"rational", 1.0, 3.0, 1.25, 945.355285792, 0.0203732927676, 19.25989373552011099},
        {"rational", 1.0, 0.02, 0.4, 938.166430922, 0.0205295568378, 19.235247307567494803},
        {"stribeck", 1.2, 0.5, 2.0, 712.364018401, 0.0274199264888, 16.615459876928025282},
    };
    for (size_t k = 0; k < sizeof hard / sizeof hard[0]; k++) {
        const stiction_law_parameters p = {.static_torque = 19.26,
                                           .coulomb_torque = 1.96,
                                           .stribeck_velocity = 0.0183,
                                           .stribeck_exponent = hard[k].alpha,
                                           .viscous = hard[k].viscous,
                                           .viscous_exponent = hard[k].exponent};
        stiction_phi_z z;
        CHECK(stiction_phi_z_prepare_inverse(&z, stiction_law_find(hard[k].law), &p,
                                             hard[k].inverse_Z) == STICTION_LAW_OK);
        CHECK_NEAR(relative(stiction_phi_z_at(&z, hard[k].x), hard[k].torque), 0, 1e-15);
    }
}

/* sqrt and the quadratic formula: v + Z D sqrt(v) = s, v + Z D v^2 = s. */
TEST(coulomb_friction_has_the_closed_forms_of_one_half_and_two) {
    random_source r = {3};
    const stiction_law *law = stiction_law_find("coulomb");
    for (int k = 0; k < 20000; k++) {
        stiction_law_parameters p = wrist(k % 2 ? 2 : 0.5);
        p.coulomb_torque = random_decade(&r, -3, 2);
        p.viscous = random_decade(&r, -3, 3);
        stiction_phi_z z;
        CHECK(stiction_phi_z_prepare(&z, law, &p, random_decade(&r, -4, 1)) == STICTION_LAW_OK);
        const double x = z.Z * p.coulomb_torque * (1 + random_decade(&r, -6, 6));
        const double s = -fma(z.Z, p.coulomb_torque, -x), a = z.Z * p.viscous;
        const double root = 2 * s / (a + sqrt(fma(a, a, 4 * s))); /* of v */
        const double v = 2 * s / (1 + sqrt(fma(4 * a, s, 1)));
        const double viscous = p.viscous * (k % 2 ? v * v : root);
        if (s > 0 && !(relative(stiction_phi_z_at(&z, x), p.coulomb_torque + viscous) <= 2e-15))
            FAIL("p %g D %g Z %g x %.17g: %.17g, not %.17g", p.viscous_exponent, p.viscous, z.Z, x,
                 stiction_phi_z_at(&z, x), p.coulomb_torque + viscous);
    }
}

/* ---- one as before ---- */

/* law.h and docs/c_api.md tell where. */
TEST(a_power_that_no_bristle_could_bear_ends_at_the_documented_torque) {
    const stiction_law *law = stiction_law_find("coulomb");
    const stiction_law_parameters p = {.coulomb_torque = 1, .viscous = 1, .viscous_exponent = 10};
    CHECK(relative(stiction_phi(law, &p, 5e11), 9.765625e116) < 1e-14);
    CHECK(relative(0x1p39, 5.5e11) < 0.01);
    CHECK_SAME(stiction_phi(law, &p, 0x1p39 * (1 + 1e-9)), 0x1p390);
    CHECK_SAME(stiction_phi(law, &p, -1e30), -0x1p390);
    CHECK_SAME(stiction_phi(law, &p, DBL_MAX), 0x1p390);
}

TEST(an_exponent_of_one_or_none_changes_no_bit) {
    random_source r = {4};
    for (int k = 0; k < 20000; k++) {
        stiction_law_parameters p, none;
        const stiction_law *law = random_law(&r, &p);
        p.viscous_exponent = 1;
        none = p;
        none.viscous_exponent = 0; /* as an initialiser that does not name it leaves it */
        const double Z = 0.9 / fmax(law->steepest_descent(&p), random_decade(&r, -2, 4));
        stiction_phi_z one, other;
        CHECK(stiction_phi_z_prepare(&one, law, &p, Z) == STICTION_LAW_OK);
        CHECK(stiction_phi_z_prepare(&other, law, &none, Z) == STICTION_LAW_OK);
        const double x = Z * p.static_torque * random_decade(&r, -1, 3);
        CHECK_SAME(stiction_phi_z_at(&one, x), stiction_phi_z_at(&other, x));
        CHECK_SAME(stiction_phi(law, &p, x), stiction_phi(law, &none, x));
        CHECK_SAME(law->steepest_descent(&p), law->steepest_descent(&none));
        CHECK(!!stiction_fast_find(law, &p) == (law->name[0] != 's' || p.stribeck_exponent == 1));
        p.viscous_exponent = nextafter(1, k % 2 ? 0 : 2);
        CHECK(!stiction_fast_find(law, &p));
        /* next to it there is another way to the same torque */
        if (stiction_phi_z_prepare(&other, law, &p, Z / 2) == STICTION_LAW_OK &&
            stiction_phi_z_prepare(&one, law, &none, Z / 2) == STICTION_LAW_OK &&
            !(relative(stiction_phi_z_at(&other, x), stiction_phi_z_at(&one, x)) < 3e-14))
            FAIL("%s: %.17g, not %.17g", law->name, stiction_phi_z_at(&other, x),
                 stiction_phi_z_at(&one, x));
    }
    /* without viscosity its exponent is nothing */
    stiction_law_parameters p = wrist(0.5);
    p.viscous = 0;
    CHECK(stiction_fast_find(stiction_law_find("stribeck"), &p) != NULL);
}

TEST(exponents_out_of_their_bounds_are_refused) {
    static const double wrong[] = {-1, 0.009999, 10.0001, INFINITY, NAN};
    for (size_t l = 0; l < law_count; l++) {
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            const stiction_law_parameters p = wrist(wrong[k]);
            CHECK(!stiction_law_in_domain(stiction_law_find(names[l]), &p));
        }
        const stiction_law_parameters least = wrist(0.01), most = wrist(10);
        CHECK(stiction_law_in_domain(stiction_law_find(names[l]), &least));
        CHECK(stiction_law_in_domain(stiction_law_find(names[l]), &most));
    }
    stiction_joint_def def = stiction_joint_def_default();
    stiction_error error;
    def.law = "coulomb";
    def.coulomb_torque = 1;
    def.stiffness = 1000;
    def.damping = 10;
    def.viscous_exponent = 0;
    CHECK_REFUSED(stiction_joint_def_check("J", &def, 1e-3, &error), STICTION_INVALID_CONFIG, error,
                  "joint 'J': viscous_exponent 0 must be");
}

/* ---- legality ---- */

/* The largest -Phi' of a law, by a search that knows nothing of it: over decades, then by thirds.
 */
static double searched_descent(const stiction_law *law, const stiction_law_parameters *p) {
    double best = 0, at = 0;
    for (double t = -60; t < 10; t += 0.02) {
        const double v = p->stribeck_velocity * exp(t);
        const double steep = -stiction_phi_slope(law, p, v);
        if (steep > best) {
            best = steep;
            at = t;
        }
    }
    double low = at - 0.02, high = at + 0.02;
    for (int k = 0; best > 0 && k < 60; k++) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        const double at_a = -stiction_phi_slope(law, p, p->stribeck_velocity * exp(a));
        const double at_b = -stiction_phi_slope(law, p, p->stribeck_velocity * exp(b));
        *(at_a < at_b ? &low : &high) = at_a < at_b ? a : b;
        best = fmax(best, fmax(at_a, at_b));
    }
    return best;
}

TEST(thinning_viscosity_needs_what_its_steepest_descent_is) {
    random_source r = {5};
    int falls = 0, rises = 0;
    for (int k = 0; k < 300; k++) {
        stiction_law_parameters p;
        const stiction_law *law = random_law(&r, &p);
        p.viscous_exponent = k % 3 ? random_uniform(&r, 0.05, 0.95) : 1 - random_decade(&r, -9, -1);
        const double expected = law->name[0] == 'c' ? 0 : searched_descent(law, &p);
        const double found = law->steepest_descent(&p);
        const double scale = (p.static_torque - p.coulomb_torque) / p.stribeck_velocity;
        if (!(fabs(found - expected) <= 1e-12 * expected + 1e-14 * scale))
            FAIL("%s alpha %g p %g: %.17g, not %.17g", law->name, p.stribeck_exponent,
                 p.viscous_exponent, found, expected);
        *(expected > 0 ? &falls : &rises) += 1;
    }
    CHECK(falls > 100 && rises > 50);
}

TEST(legality_is_exact) {
    static const double exponents[] = {0.3, 0.5, 0.8, 0.95, 1, 1.25, 2, 4};
    int limits = 0;
    for (size_t l = 0; l < law_count; l++)
        for (size_t k = 0; k < sizeof exponents / sizeof exponents[0]; k++)
            for (double alpha = 1; alpha <= 2.5; alpha += 0.75) {
                const stiction_law *law = stiction_law_find(names[l]);
                stiction_law_parameters p = wrist(exponents[k]);
                p.stribeck_exponent = alpha;
                p.viscous = 0.7;
                const double needed = law->steepest_descent(&p);
                stiction_phi_z z;
                if (!(needed > 0)) {
                    CHECK(stiction_phi_z_prepare(&z, law, &p, 1e6) == STICTION_LAW_OK);
                    continue;
                }
                limits++;
                CHECK(stiction_phi_z_prepare_inverse(&z, law, &p, needed * (1 + 1e-9)) ==
                      STICTION_LAW_OK);
                CHECK(stiction_phi_z_prepare_inverse(&z, law, &p, needed * (1 - 1e-9)) ==
                      STICTION_LAW_ILLEGAL_Z);
            }
    CHECK(limits > 20);
    /* thickening viscosity is no help at rest */
    const stiction_law_parameters p = wrist(2);
    CHECK_NEAR(stiction_law_find("stribeck")->steepest_descent(&p), (2.5 - 0.4578) / 0.045, 1e-12);
    CHECK_NEAR(stiction_law_find("rational")->steepest_descent(&p), (2.5 - 0.4578) / 0.045, 1e-12);
}

/* ---- any law ---- */

TEST(random_laws_solve_their_equation_and_are_odd_and_monotone) {
    random_source r = {6};
    double worst = 0;
    for (int k = 0; k < 20000; k++) {
        stiction_law_parameters p;
        const stiction_law *law = random_law(&r, &p);
        const double needed = fmax(law->steepest_descent(&p), 0);
        const double inverse_Z = needed * (1 + random_decade(&r, -3, 0)) + random_decade(&r, -2, 3);
        stiction_phi_z z;
        CHECK(stiction_phi_z_prepare_inverse(&z, law, &p, inverse_Z) == STICTION_LAW_OK);
        double last = 0;
        for (int n = -40; n <= 30; n += 7) {
            const double x = z.Z * z.breakaway * (1 + ldexp(1, n)), y = stiction_phi_z_at(&z, x);
            const double v = fma(-z.Z, y, x), slope = stiction_phi_slope(law, &p, fmax(v, 0));
            CHECK_SAME(stiction_phi_z_at(&z, -x), -y);
            CHECK(!stiction_phi_z_sticks(&z, x));
            /* the slip rises with x, as far as x can tell */
            CHECK(v >= last - 4 * DBL_EPSILON * x);
            last = fmax(v, last);
            /* y = Phi(x - Z y) within what rounding of x - Z y does to it */
            const double noise = fmin(fabs(slope) * 4 * DBL_EPSILON * x, 0.1 * y);
            if (v > 1e3 * DBL_EPSILON * x)
                worst = fmax(worst, (fabs(stiction_phi(law, &p, v) - y) - noise) / y);
        }
    }
    printf("Phi(x - Z y) is y within %.2g\n", worst);
    CHECK(worst <= 4e-14);
}

/* Slips of 1e-280 rad/s, whose slope is beyond all numbers, and torques of 1e200 N m. */
TEST(exponents_within_their_bounds_give_no_energy) {
    random_source r = {9};
    long legal = 0;
    for (int k = 0; k < 20000; k++) {
        stiction_law_parameters p;
        const stiction_law *law = random_law(&r, &p);
        p.viscous = random_decade(&r, -30, 30);
        p.viscous_exponent = k % 2 ? random_decade(&r, -2, 1) : random_uniform(&r, 0.01, 0.1);
        stiction_phi_z z;
        const double least = fmax(law->steepest_descent(&p), 0);
        if (stiction_phi_z_prepare_inverse(&z, law, &p, 2 * least + random_decade(&r, -9, 9)))
            continue;
        legal++;
        double last = 0;
        for (int n = -50; n <= 120; n += 10) {
            const double x = z.Z * z.breakaway * (1 + ldexp(1, n)), y = stiction_phi_z_at(&z, x);
            const double v = fma(-z.Z, y, x);
            if (!(y > 0 && v >= -2 * DBL_EPSILON * x && v >= last - 4 * DBL_EPSILON * x))
                FAIL("%s p %.17g D %g Z %g: %g of x %g leaves %g", law->name, p.viscous_exponent,
                     p.viscous, z.Z, y, x, v);
            last = fmax(v, last);
        }
    }
    CHECK(legal > 15000);
}

TEST(work_is_the_integral_with_its_digits) {
    random_source r = {7};
    for (int k = 0; k < 20000; k++) {
        stiction_law_parameters p;
        const stiction_law *law = random_law(&r, &p);
        const double a = random_decade(&r, -6, 2), b = a * (1 + random_decade(&r, -12, -3));
        /* as short as this Phi is a line, or all but */
        const double mean = stiction_phi(law, &p, a) / 2 + stiction_phi(law, &p, b) / 2;
        const double work = stiction_phi_work(law, &p, a, b);
        if (!(relative(work, (b - a) * mean) < 1e-4)) FAIL("%g, not %g", work, (b - a) * mean);
        if (b - a < 1e-6 * a && !(relative(work, (b - a) * mean) < 1e-9))
            FAIL("%.17g, not %.17g", work, (b - a) * mean);
        CHECK_NEAR(stiction_phi_work(law, &p, b, a), -work, 1e-15 * work);
        /* of the viscous part alone, over long ways */
        const double c = a * random_decade(&r, 0, 9), n = p.viscous_exponent + 1;
        const double from = pow(a, n), to = pow(c, n);
        CHECK_NEAR(stiction_power_work(&p, a, c), p.viscous * (to - from) / n,
                   1e-13 * p.viscous * to);
        CHECK_NEAR(stiction_power_work(&p, 0, c), p.viscous * to / n, 1e-14 * p.viscous * to);
    }
}

/* ---- in a step ---- */

static stiction_joint_def joint_of(const stiction_law *law, const stiction_law_parameters *p,
                                   double stiffness, double damping) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = law->name;
    def.static_torque = p->static_torque;
    def.coulomb_torque = p->coulomb_torque;
    def.stribeck_velocity = p->stribeck_velocity;
    def.stribeck_exponent = p->stribeck_exponent;
    def.viscous = p->viscous;
    def.viscous_exponent = p->viscous_exponent;
    def.stiffness = stiffness;
    def.damping = damping;
    return def;
}

/* One joint that is coupled implicitly is Phi_Z of Z = T/M + 1/(K T + B), or of T/M. */
static void couple_one_joint(bool rigid) {
    random_source r = {8};
    long slips = 0, breaks = 0;
    double worst = 0;
    for (int k = 0; k < 2000; k++) {
        stiction_law_parameters p;
        const stiction_law *law = random_law(&r, &p);
        const double needed = fmax(law->steepest_descent(&p), 1e-3);
        const double T = 1e-3, K = random_decade(&r, 2, 4), B = 4 * needed;
        const double G = K * T + B, M = T * random_decade(&r, 0.5, 2) * needed;
        const double Z = T / M + (rigid ? 0 : 1 / G);
        stiction_phi_z z;
        if (stiction_phi_z_prepare(&z, law, &p, Z) != STICTION_LAW_OK) continue;
        AUTO(implicit_robot_free) implicit_robot m;
        implicit_axis_start(&m, joint_of(law, &p, K, B), M, T, rigid);
        double energy = 0;
        for (int n = 0; n < 6; n++) {
            const double load = (n < 3 ? 1 : -1) * z.breakaway * (1 + random_decade(&r, -6, 1));
            const double v = m.v[0], e = m.deflection[0];
            const double x = v + T * load / M + (rigid ? 0 : K * e / G);
            const double y = stiction_phi_z_at(&z, x);
            const bool sticks = stiction_phi_z_sticks(&z, x);
            implicit_axis_step(&m, load);
            worst = fmax(worst, fabs(m.friction[0] - y) / fmax(z.breakaway, fabs(y)));
            if (sticks != (m.slip[0] == 0) && fabs(fabs(x) - Z * z.breakaway) > 1e-11 * fabs(x))
                FAIL("%s p %g: slip %g of x %.17g", law->name, p.viscous_exponent, m.slip[0], x);
            CHECK(m.friction[0] * m.slip[0] >= 0 && m.energy[0] >= energy);
            CHECK(m.output.outcome != STICTION_IMPLICIT_FROZEN);
            energy = m.energy[0];
            slips += m.slip[0] != 0;
            breaks += m.slip[0] != 0 && p.viscous_exponent < 1 && n == 0;
        }
    }
    printf("%ld slips, %ld from rest where p < 1, worst error %.2g F_S\n", slips, breaks, worst);
    CHECK(slips > 3000 && breaks > 200);
    CHECK(worst < 1e-9);
}

TEST(implicit_coupling_of_one_joint_is_phi_z) {
    couple_one_joint(false);
}

TEST(implicit_coupling_of_a_rigid_joint_is_phi_z) {
    couple_one_joint(true);
}

/* A lag takes D v^p, not D v, off the torque: in fast sliding its level is F_C. */
TEST(a_lag_knows_the_exponent) {
    stiction_drive_def def = {.law = stiction_law_find("stribeck"),
                              .parameters = wrist(2),
                              .drive = stiction_drive_parameters_default(),
                              .stiffness = 5000,
                              .damping = 50,
                              .timestep = 1e-3};
    def.drive.lag = 0.01;
    stiction_drive drive;
    CHECK(stiction_drive_init(&drive, &def) == STICTION_LAW_OK);
    const stiction_drive_input in = {.temperature = (double)NAN};
    stiction_drive_memory m = {0};
    double e = 0, torque = 0;
    for (int k = 0; k < 2000; k++) torque = drive.step(&drive, &in, 2, &e, &m);
    CHECK_NEAR(m.level, 0.4578, 1e-9);
    CHECK_NEAR(torque, 0.4578 + 5.921 * 4, 1e-9);
}
