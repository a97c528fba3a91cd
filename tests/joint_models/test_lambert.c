/* SPDX-License-Identifier: MIT
 * Lambert's W: its ends, and its course across the borders of its cells.
 * How exact it is: lambert_accuracy.c.
 */
#include <float.h>

#include "check.h"
#include "lambert_borders.h"
#include "lambert_ranges.h"
#include "random.h"
#include "stiction/models/lambert_w.h"

static const double rounded_branch_point = -0x1.78b56362cef38p-2; /* the double nearest to -1/e */

TEST(lambert_w0_at_its_ends) {
    CHECK_SAME(stiction_lambert_w0(rounded_branch_point), -1);
    CHECK(stiction_lambert_w0(lambert_branch_point) > -1);
    CHECK(isnan(stiction_lambert_w0(nextafter(rounded_branch_point, -1))));
    CHECK(isnan(stiction_lambert_w0(-1)));
    CHECK(isnan(stiction_lambert_w0(-DBL_MAX)));
    CHECK(isnan(stiction_lambert_w0(-(double)INFINITY)));
    CHECK(isnan(stiction_lambert_w0((double)NAN)));
    CHECK(isnan(stiction_lambert_w0(-(double)NAN)));
    CHECK_SAME(stiction_lambert_w0((double)INFINITY), (double)INFINITY);
    CHECK_NEAR(stiction_lambert_w0(DBL_MAX), 703.2270331047702, 1e-13);
    CHECK_NEAR(stiction_lambert_w0(exp(1)), 1, 3e-16);
}

TEST(lambert_w0_of_what_is_too_small_to_show_is_the_argument) {
    CHECK_SAME(stiction_lambert_w0(0), 0);
    CHECK_SAME(stiction_lambert_w0(-0.0), -0.0);
    for (int exponent = -1074; exponent <= -56; exponent++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double z = sign * ldexp(1, exponent);
            CHECK_SAME(stiction_lambert_w0(z), z);
            CHECK_SAME(stiction_lambert_w0(1.25 * z), 1.25 * z);
        }
}

TEST(lambert_wm1_at_its_ends) {
    CHECK_SAME(stiction_lambert_wm1(rounded_branch_point), -1);
    CHECK(stiction_lambert_wm1(lambert_branch_point) < -1);
    CHECK(isnan(stiction_lambert_wm1(nextafter(rounded_branch_point, -1))));
    CHECK(isnan(stiction_lambert_wm1(-(double)INFINITY)));
    CHECK(isnan(stiction_lambert_wm1((double)NAN)));
    CHECK_SAME(stiction_lambert_wm1(0), -(double)INFINITY);
    CHECK_SAME(stiction_lambert_wm1(-0.0), -(double)INFINITY);
    /* above zero, in every place that a cell could be looked for */
    for (int exponent = -1074; exponent <= 1023; exponent++)
        CHECK(isnan(stiction_lambert_wm1(ldexp(1, exponent))));
    CHECK(isnan(stiction_lambert_wm1((double)INFINITY)));
    /* the smallest numbers there are */
    CHECK_NEAR(stiction_lambert_wm1(-0x1p-1074), -751.0615595398791, 1e-12);
    CHECK_NEAR(stiction_lambert_wm1(-DBL_MIN), -714.9686572379665, 1e-12);
}

typedef double (*w_function)(double z);

static bool in_domain(bool minus_one, double z) {
    return z >= rounded_branch_point && (minus_one ? z < 0 : z <= DBL_MAX);
}

/* A number of each range in turns. */
static double some_argument(random_source *r, bool minus_one) {
    const lambert_range *range;
    do {
        range = &lambert_ranges[random_bits(r) % lambert_range_count];
    } while (range->minus_one != minus_one);
    return lambert_argument(range, random_uniform(r, 0, 1));
}

/* w e^w = z: an ulp of w is 1 + w of z, one of e^w is one of z. */
TEST(lambert_w_times_its_exponential_is_the_argument) {
    random_source r = {31};
    for (int k = 0; k < ROUNDS(200000); k++) {
        const bool minus_one = k % 2;
        const double z = some_argument(&r, minus_one);
        const double w = minus_one ? stiction_lambert_wm1(z) : stiction_lambert_w0(z);
        if (fabs(z) < 0x1p-960) continue; /* e^w could be subnormal */
        CHECK_NEAR(w * exp(w) / z, 1, 0x1p-53 * (fabs(1 + w) + fabs(w) + 5));
    }
}

/* An ulp, in which two roundings may differ, is all that W may go back by from one double to the
 * next; and over a larger step it goes on. */
static void check_course(w_function w, double direction, double z, double next) {
    const double here = w(z), there = w(next);
    const double ulp = fabs(nextafter(here, INFINITY) - here);
    if (!(direction * (there - here) >= -ulp))
        FAIL("W(%.17g) = %.17g, W(%.17g) = %.17g", z, here, next, there);
}

static void check_monotonic(w_function w, bool minus_one, double direction) {
    for (size_t k = 0; k < lambert_border_count(minus_one); k++)
        for (int beside = -3; beside < 3; beside++) {
            const double z = lambert_border(minus_one, k, beside), next = nextafter(z, INFINITY);
            if (in_domain(minus_one, z) && in_domain(minus_one, next))
                check_course(w, direction, z, next);
        }
    random_source r = {32};
    for (int k = 0; k < ROUNDS(100000); k++) {
        const double z = some_argument(&r, minus_one), next = nextafter(z, INFINITY);
        if (!in_domain(minus_one, next)) continue;
        check_course(w, direction, z, next);
        const double further = z + fabs(z) * 0x1p-36;
        if (!in_domain(minus_one, further) || further == z) continue;
        if (!(direction * (w(further) - w(z)) > 0))
            FAIL("W(%.17g) and W(%.17g) are %.17g and %.17g", z, further, w(z), w(further));
    }
}

TEST(lambert_w0_rises) {
    check_monotonic(stiction_lambert_w0, false, 1);
}
TEST(lambert_wm1_falls) {
    check_monotonic(stiction_lambert_wm1, true, -1);
}

TEST(lambert_w_of_arrays_is_that_of_numbers) {
    enum { count = 100 };
    random_source r = {34};
    double z[2][count], w[2][count];
    for (size_t k = 0; k < count; k++)
        for (int branch = 0; branch < 2; branch++) z[branch][k] = some_argument(&r, branch == 1);
    stiction_lambert_w0_array(count, z[0], w[0]);
    stiction_lambert_wm1_array(count, z[1], w[1]);
    for (size_t k = 0; k < count; k++) {
        CHECK_SAME(w[0][k], stiction_lambert_w0(z[0][k]));
        CHECK_SAME(w[1][k], stiction_lambert_wm1(z[1][k]));
    }
}
