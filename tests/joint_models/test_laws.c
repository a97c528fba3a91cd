/* SPDX-License-Identifier: MIT
 * The laws: reference vectors, the properties that theorem 1 promises, and every trap of the
 * printed formulas, each with the input that breaks them.
 */
#include <float.h>

#include "check.h"
#include "joint_models/element.h"
#include "random.h"
#include "reference.h"
#include "wrist.h"

/* The bar of the reference data. */
static const double phi_z_bar = 1e-14;

static double relative_error(double value, double expected) {
    if (value == expected) return 0;
    return fabs(value - expected) / fabs(expected);
}

static stiction_phi_z prepared(const char *law, double F_S, double F_C, double v_S, double D,
                               double Z) {
    const stiction_law_parameters p = {.static_torque = F_S,
                                       .coulomb_torque = F_C,
                                       .stribeck_velocity = v_S,
                                       .stribeck_exponent = 1,
                                       .viscous = D};
    stiction_phi_z phi_z;
    const stiction_law_verdict verdict =
        stiction_phi_z_prepare(&phi_z, stiction_law_find(law), &p, Z);
    if (verdict != STICTION_LAW_OK) FAIL("%s: verdict %d", law, (int)verdict);
    return phi_z;
}

/* The wrist of Cisneros et al., Fig 3 and 4: K 5000, B 50, T 0.001. */
static stiction_phi_z wrist(void) {
    return prepared("stribeck", 2.5, 0.4, 0.06, 4.5, 1.0 / 55);
}

static stiction_phi_z rational_wrist(void) {
    return prepared("rational", 2.5, 0.2, 0.04, 4.5, 1.0 / 55);
}

TEST(phi_z_matches_the_reference_vectors) {
    const reference_node sets = reference_get(reference_load(), "phiZ_sets");
    size_t points_seen = 0;
    for (size_t k = 0; k < reference_count(sets); k++) {
        const reference_node set = reference_at(sets, k);
        const char *id = reference_text(reference_get(set, "id"));
        stiction_law_parameters p;
        const stiction_law *law = reference_law(set, &p);
        stiction_phi_z phi_z;
        CHECK(stiction_phi_z_prepare(&phi_z, law, &p, reference_value(set, "Z")) ==
              STICTION_LAW_OK);
        const reference_node points = reference_get(set, "phiZ");
        double worst = 0;
        for (size_t n = 0; n < reference_count(points); n++, points_seen++) {
            const reference_node point = reference_at(points, n);
            const double x = reference_value(point, "x"), y = reference_value(point, "y");
            const double error = relative_error(stiction_phi_z_at(&phi_z, x), y);
            worst = fmax(worst, error);
            if (!(error <= phi_z_bar)) FAIL("%s: x = %.17g is off by %.3g", id, x, error);
        }
        printf("%-10s worst relative error %.2g\n", id, worst);
    }
    CHECK(points_seen > 0);
}

/* Simpson's rule, in steps that are short for every law here. */
static double integral_of_phi(const stiction_law *law, const stiction_law_parameters *p, double a,
                              double b) {
    enum { intervals = 2000 };
    const double h = (b - a) / intervals;
    double sum = stiction_phi(law, p, a) + stiction_phi(law, p, b);
    for (int k = 1; k < intervals; k++) sum += (k % 2 ? 4 : 2) * stiction_phi(law, p, a + k * h);
    return sum * h / 3;
}

TEST(work_is_the_integral_of_phi) {
    /* of one v_S, shorter and longer than what a logarithm or an exponential is expanded for */
    static const double from[] = {0.01, 0.5, 3}, length[] = {1e-4, 0.02, 0.15, 0.5, 4};
    const reference_node sets = reference_get(reference_load(), "phiZ_sets");
    for (size_t k = 0; k < reference_count(sets); k++) {
        stiction_law_parameters p;
        const stiction_law *law = reference_law(reference_at(sets, k), &p);
        const double unit = p.stribeck_velocity > 0 ? p.stribeck_velocity : 1;
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 5; j++) {
                const double a = from[i] * unit, b = a + length[j] * unit;
                const double expected = integral_of_phi(law, &p, a, b);
                if (!(relative_error(stiction_phi_work(law, &p, a, b), expected) < 1e-7))
                    FAIL("%s: from %g to %g: %.17g, not %.17g", law->name, a, b,
                         stiction_phi_work(law, &p, a, b), expected);
            }
    }
}

TEST(phi_matches_the_reference_vectors) {
    const reference_node sets = reference_get(reference_load(), "phiZ_sets");
    for (size_t k = 0; k < reference_count(sets); k++) {
        const reference_node set = reference_at(sets, k), points = reference_get(set, "phi");
        stiction_law_parameters p;
        const stiction_law *law = reference_law(set, &p);
        for (size_t n = 0; n < reference_count(points); n++) {
            const reference_node point = reference_at(points, n);
            const double v = reference_value(point, "v"), y = reference_value(point, "y");
            const double error = relative_error(stiction_phi(law, &p, v), y);
            if (!(error <= phi_z_bar)) FAIL("%s: v = %.17g is off by %.3g", law->name, v, error);
        }
    }
}

/* A random legal Phi_Z of a random law. */
static stiction_phi_z random_phi_z(random_source *r) {
    stiction_phi_z phi_z;
    for (;;) {
        const stiction_law *law = stiction_law_at(random_bits(r) % stiction_law_count());
        stiction_law_parameters p = {.static_torque = random_decade(r, -3, 3)};
        p.coulomb_torque = p.static_torque * random_decade(r, -3, 0);
        p.stribeck_velocity = random_decade(r, -4, 1);
        p.stribeck_exponent = random_bits(r) % 2 ? 1 : random_uniform(r, 1, 5);
        p.viscous = random_bits(r) % 4 ? random_decade(r, -3, 2) : 0;
        if (stiction_phi_z_prepare(&phi_z, law, &p, random_decade(r, -6, 1)) == STICTION_LAW_OK)
            return phi_z;
    }
}

TEST(phi_and_phi_z_are_odd_to_the_bit) {
    random_source r = {21};
    for (int k = 0; k < 200000; k++) {
        const stiction_phi_z phi_z = random_phi_z(&r);
        const double x = random_decade(&r, -12, 12);
        CHECK_SAME(stiction_phi_z_at(&phi_z, -x), -stiction_phi_z_at(&phi_z, x));
        CHECK_SAME(stiction_phi_z_slope(&phi_z, -x), stiction_phi_z_slope(&phi_z, x));
        CHECK_SAME(stiction_phi(phi_z.law, &phi_z.parameters, -x),
                   -stiction_phi(phi_z.law, &phi_z.parameters, x));
    }
}

TEST(phi_z_is_continuous_at_the_threshold) {
    random_source r = {22};
    for (int k = 0; k < 200000; k++) {
        const stiction_phi_z phi_z = random_phi_z(&r);
        double x = phi_z.Z * phi_z.breakaway;
        /* from the last double that sticks to the first that slides */
        while (!stiction_phi_z_sticks(&phi_z, x)) x = nextafter(x, 0);
        while (stiction_phi_z_sticks(&phi_z, nextafter(x, DBL_MAX))) x = nextafter(x, DBL_MAX);
        const double stuck = stiction_phi_z_at(&phi_z, x), next = nextafter(x, DBL_MAX);
        const double sliding = stiction_phi_z_at(&phi_z, next);
        /* the curve itself moves by its slope; beyond that only roundings of y may show */
        const double slope = fmax(fabs(stiction_phi_z_slope(&phi_z, next)), phi_z.inverse_Z);
        const double bound = 4 * DBL_EPSILON * phi_z.breakaway + 2 * slope * (next - x);
        if (!(fabs(sliding - stuck) <= bound))
            FAIL("%s jumps by %.3g at the threshold", phi_z.law->name, sliding - stuck);
    }
}

TEST(phi_z_solves_its_definition) {
    random_source r = {23};
    for (int k = 0; k < 200000; k++) {
        const stiction_phi_z phi_z = random_phi_z(&r);
        const double x = phi_z.Z * phi_z.breakaway * random_decade(&r, 0.01, 3);
        const double y = stiction_phi_z_at(&phi_z, x), v = fma(-phi_z.Z, y, x);
        /* y = Phi(v); v carries the rounding of x, which Phi' turns into torque */
        const double slope = stiction_phi_slope(phi_z.law, &phi_z.parameters, v);
        const double bound = 1e-14 * y + 2 * DBL_EPSILON * x * fabs(slope);
        CHECK_NEAR(stiction_phi(phi_z.law, &phi_z.parameters, v), y, bound);
    }
}

TEST(slope_is_the_derivative_of_phi_z) {
    random_source r = {24};
    for (int k = 0; k < 100000; k++) {
        const stiction_phi_z phi_z = random_phi_z(&r);
        if (phi_z.margin < 1e-2) continue; /* next to the limit the curve bends too fast for h */
        const double x = phi_z.Z * phi_z.breakaway * random_decade(&r, 0.02, 2), h = 1e-6 * x;
        const double rise = stiction_phi_z_at(&phi_z, x + h) - stiction_phi_z_at(&phi_z, x - h);
        const double slope = stiction_phi_z_slope(&phi_z, x);
        /* the slope lies in (-1/(Z margin), 1/Z); a central difference is good to some 1e-4 of
         * that scale where x is many v_S wide */
        const double y = stiction_phi_z_at(&phi_z, x);
        const double curvature = h / phi_z.parameters.stribeck_velocity;
        CHECK_NEAR(rise / (2 * h), slope,
                   phi_z.inverse_Z / phi_z.margin * (1e-4 + 100 * curvature) + 1e-9 * y / h);
    }
}

TEST(unit_slope_while_sticking) {
    const stiction_phi_z phi_z = wrist();
    CHECK_NEAR(stiction_phi_z_slope(&phi_z, 0.01), 55, 1e-13);
    CHECK_NEAR(stiction_phi_z_slope(&phi_z, (double)INFINITY), 4.5 / (1 + 4.5 / 55), 1e-14);
}

TEST(legality_is_exactly_the_slope_condition) {
    /* PAPERS: c(1) = 1, c(2) = 0.857764, c(3) = 1.175432; the limit of the wrist is 1/Z = 30.5 */
    const stiction_law *law = stiction_law_find("stribeck");
    stiction_law_parameters p = wrist_law();
    CHECK_NEAR(law->steepest_descent(&p), 30.5, 1e-13);
    p.stribeck_exponent = 2;
    CHECK_NEAR(law->steepest_descent(&p), 0.857764 * 35 - 4.5, 35 * 1e-6);
    p.stribeck_exponent = 3;
    CHECK_NEAR(law->steepest_descent(&p), 1.175432 * 35 - 4.5, 35 * 1e-6);

    stiction_phi_z phi_z;
    for (double exponent = 1; exponent < 4; exponent += 0.5) {
        p.stribeck_exponent = exponent;
        const double limit = law->steepest_descent(&p);
        CHECK(stiction_phi_z_prepare(&phi_z, law, &p, (1 - 1e-12) / limit) == STICTION_LAW_OK);
        CHECK(stiction_phi_z_prepare(&phi_z, law, &p, (1 + 1e-12) / limit) ==
              STICTION_LAW_ILLEGAL_Z);
        CHECK_SAME(phi_z.Z, 0);
    }
}

TEST(the_sufficient_condition_is_not_the_test) {
    /* Z > v_S/F_S violates (32), yet r = 53 < 1/Z = 55 is legal: the paper's own set */
    const stiction_phi_z phi_z = rational_wrist();
    CHECK(phi_z.Z > 0.04 / 2.5);
    CHECK_NEAR(phi_z.margin, 1 - 53.0 / 55, 1e-15);
}

TEST(parameters_out_of_their_domain_are_refused) {
    const stiction_law *law = stiction_law_find("stribeck");
    const stiction_law_parameters good = wrist_law();
    const double bad_values[] = {-1, (double)NAN, (double)INFINITY, -(double)INFINITY};
    stiction_phi_z phi_z;
    for (size_t k = 0; k < 4; k++) {
        for (size_t field = 0; field < 5; field++) {
            stiction_law_parameters p = good;
            ((double *)&p)[field] = bad_values[k];
            CHECK(stiction_phi_z_prepare(&phi_z, law, &p, 0.01) == STICTION_LAW_OUT_OF_DOMAIN);
        }
        CHECK(stiction_phi_z_prepare(&phi_z, law, &good, bad_values[k]) ==
              STICTION_LAW_OUT_OF_DOMAIN);
    }
    stiction_law_parameters p = good;
    p.static_torque = 0.3; /* below coulomb_torque */
    CHECK(stiction_phi_z_prepare(&phi_z, law, &p, 0.01) == STICTION_LAW_OUT_OF_DOMAIN);
    p = good;
    p.stribeck_exponent = 0.99; /* can never satisfy (14) */
    CHECK(stiction_phi_z_prepare(&phi_z, law, &p, 0.01) == STICTION_LAW_OUT_OF_DOMAIN);
    CHECK(stiction_phi_z_prepare(&phi_z, law, &good, 0) == STICTION_LAW_OUT_OF_DOMAIN);
    CHECK(stiction_phi_z_prepare(&phi_z, NULL, &good, 0.01) == STICTION_LAW_OUT_OF_DOMAIN);
    CHECK(stiction_phi_z_prepare(&phi_z, law, NULL, 0.01) == STICTION_LAW_OUT_OF_DOMAIN);
    CHECK(stiction_law_find("no such law") == NULL);
    CHECK(stiction_law_find(NULL) == NULL);
    CHECK(stiction_law_at(99) == NULL);
}

TEST(stribeck_with_equal_torques_is_coulomb) {
    const stiction_phi_z stribeck = prepared("stribeck", 1, 1, 0.1, 4.5, 1.0 / 55);
    const stiction_phi_z rational = prepared("rational", 1, 1, 0.1, 4.5, 1.0 / 55);
    const stiction_phi_z coulomb = prepared("coulomb", 1, 1, 0.1, 4.5, 1.0 / 55);
    for (double x = 0; x < 1; x += 0.001) {
        CHECK_SAME(stiction_phi_z_at(&stribeck, x), stiction_phi_z_at(&coulomb, x));
        CHECK_SAME(stiction_phi_z_at(&rational, x), stiction_phi_z_at(&coulomb, x));
    }
}

TEST(isotropic_vector_is_the_scalar_law_along_the_velocity) {
    const stiction_phi_z phi_z = wrist();
    const double x[3] = {0.3, -0.4, 1.2}; /* of length 1.3 */
    double y[3];
    stiction_phi_z_vector(&phi_z, 3, x, y);
    const double along = stiction_phi_z_at(&phi_z, 1.3) / 1.3;
    for (size_t k = 0; k < 3; k++) CHECK_NEAR(y[k], along * x[k], 4 * DBL_EPSILON * fabs(y[k]));
    for (double s = -1; s <= 1; s += 0.01) {
        stiction_phi_z_vector(&phi_z, 1, &s, y);
        CHECK_SAME(y[0], stiction_phi_z_at(&phi_z, s));
    }
}

/* The traps of the printed formulas, one by one. */

TEST(trap_rational_without_viscosity_at_large_x) {
    const stiction_phi_z phi_z = prepared("rational", 2.5, 0.2, 0.06, 0, 1.0 / 55);
    CHECK_NEAR(stiction_phi_z_at(&phi_z, 1e9), 0.200000000138, 1e-15);
    CHECK_NEAR(stiction_phi_z_at(&phi_z, 1e155), 0.2, 1e-16);
    CHECK_NEAR(stiction_phi_z_at(&phi_z, DBL_MAX), 0.2, 1e-16);
}

TEST(stribeck_with_another_exponent_at_the_ends_of_its_range) {
    const stiction_law_parameters p = {.static_torque = 2.5,
                                       .coulomb_torque = 0.4,
                                       .stribeck_velocity = 0.06,
                                       .stribeck_exponent = 2,
                                       .viscous = 0};
    stiction_phi_z phi_z;
    CHECK(stiction_phi_z_prepare(&phi_z, stiction_law_find("stribeck"), &p, 1.0 / 55) ==
          STICTION_LAW_OK);
    CHECK_NEAR(stiction_phi_z_at(&phi_z, 1e9), 0.4, 1e-16);
    CHECK_NEAR(stiction_phi_z_at(&phi_z, DBL_MAX), 0.4, 1e-16);
    CHECK_SAME(stiction_phi_z_at(&phi_z, (double)INFINITY), 0.4);
    CHECK_NEAR(stiction_phi_z_at(&phi_z, nextafter(2.5 / 55, 1)), 2.5, 1e-15);
    /* the smallest x there is */
    CHECK_NEAR(stiction_phi_z_at(&phi_z, 0x1p-1074) / 0x1p-1074, 55, 0);
}

TEST(trap_stribeck_at_large_negative_x) {
    const stiction_phi_z phi_z = wrist();
    const double expected = -208.35294117647058;
    CHECK(relative_error(stiction_phi_z_at(&phi_z, -50), expected) <= 2 * DBL_EPSILON);
}

TEST(trap_stribeck_argument_below_the_branch_point) {
    const stiction_phi_z phi_z =
        prepared("stribeck", 0.6918959522030171, 0.1589759733158318, 0.0853722173886814,
                 1.2967700716400383, 0.20220232785922168);
    const double y = stiction_phi_z_at(&phi_z, 0.13990297217182285);
    CHECK(relative_error(y, 0.6918959491172665) <= 2 * DBL_EPSILON);
}

TEST(trap_signed_zero_and_infinity) {
    const double inf = (double)INFINITY;
    const char *names[] = {"coulomb", "stribeck", "rational"};
    for (size_t k = 0; k < 3; k++) {
        const stiction_phi_z viscous = prepared(names[k], 2.5, 0.4, 0.06, 4.5, 1.0 / 55);
        const stiction_phi_z dry = prepared(names[k], 2.5, 0.4, 0.06, 0, 1.0 / 55);
        CHECK_SAME(stiction_phi_z_at(&viscous, 0.0), 0.0);
        CHECK_SAME(stiction_phi_z_at(&viscous, -0.0), -0.0);
        CHECK_SAME(stiction_phi_z_at(&viscous, inf), inf);
        CHECK_SAME(stiction_phi_z_at(&viscous, -inf), -inf);
        CHECK_SAME(stiction_phi_z_at(&dry, inf), 0.4);
        CHECK_SAME(stiction_phi_z_at(&dry, -inf), -0.4);
        CHECK(isnan(stiction_phi_z_at(&dry, (double)NAN)));
        CHECK(isnan(stiction_phi_z_slope(&dry, (double)NAN)));
    }
}

TEST(trap_norm_does_not_overflow) {
    const double large[2] = {3e200, 4e200}, small[2] = {3e-200, 4e-200};
    CHECK_NEAR(stiction_norm(2, large) / 5e200, 1, DBL_EPSILON);
    CHECK_NEAR(stiction_norm(2, small) / 5e-200, 1, DBL_EPSILON);
    const double zero[3] = {0, -0.0, 0}, infinite[2] = {1, -(double)INFINITY};
    const double broken[2] = {(double)INFINITY, (double)NAN};
    CHECK_SAME(stiction_norm(3, zero), 0);
    CHECK_SAME(stiction_norm(2, infinite), (double)INFINITY);
    CHECK(isnan(stiction_norm(2, broken)));
}

/* docs/models.md has a row for every law, which names its file, and none for what is no law. */
TEST(the_document_of_the_models_has_the_laws_of_the_table) {
    FILE *document = fopen("../docs/models.md", "r");
    CHECK(document != NULL);
    bool found[16] = {false};
    CHECK(stiction_law_count() <= sizeof found);
    char line[512], name[64] = "", file[256];
    bool in_table = false;
    while (document && fgets(line, sizeof line, document)) {
        if (line[0] == '#') in_table = strncmp(line, "## Laws", 7) == 0;
        const char *path = strstr(line, "`joint_models/laws/");
        if (!in_table || sscanf(line, "| %63[a-z_]", name) != 1 || !path) continue;
        size_t k = 0;
        while (k < stiction_law_count() && strcmp(stiction_law_at(k)->name, name) != 0) k++;
        if (k == stiction_law_count())
            FAIL("docs/models.md has a row for '%s', which is no law", name);
        found[k] = true;
        CHECK(sscanf(path, "`joint_models/laws/%255[^`.]", file) == 1);
        if (strcmp(file, name) != 0) FAIL("docs/models.md names the file %s for %s", file, name);
    }
    if (document) (void)fclose(document);
    for (size_t k = 0; k < stiction_law_count(); k++)
        if (!found[k]) FAIL("docs/models.md has no row for the law %s", stiction_law_at(k)->name);
}
