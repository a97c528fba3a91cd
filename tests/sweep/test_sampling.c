/* SPDX-License-Identifier: MIT
 * Samples: what the methods promise of their points, against definitions and known values.
 */
#include "check.h"
#include "sweep/sampling.h"

enum { count = 256 };
static double points[count], others[count];

/* How many strata of 1 / count have exactly one point. */
static int filled_strata(const double *p) {
    int in[count] = {0}, filled = 0;
    for (int k = 0; k < count; k++) {
        CHECK(p[k] > 0 && p[k] < 1);
        in[(int)(p[k] * count)]++;
    }
    for (int k = 0; k < count; k++) filled += in[k] == 1;
    return filled;
}

TEST(a_latin_hypercube_has_one_point_in_every_stratum_of_every_key) {
    static const char *const keys[] = {"kp", "kv", "static_torque"};
    for (uint64_t seed = 0; seed < 5; seed++)
        for (size_t k = 0; k < 3; k++) {
            sampling_fill(&(sampling_axis){SAMPLING_LATIN, seed, keys[k], k}, points, count);
            CHECK(filled_strata(points) == count);
        }
    /* and the keys are not in one order */
    sampling_fill(&(sampling_axis){SAMPLING_LATIN, 4, "kp", 0}, others, count);
    int alike = 0;
    for (int k = 0; k < count; k++) alike += (int)(others[k] * count) == (int)(points[k] * count);
    CHECK(alike < 10);
}

TEST(random_points_fill_no_strata_and_have_the_mean_of_a_uniform_one) {
    sampling_fill(&(sampling_axis){SAMPLING_RANDOM, 1, "kp", 0}, points, count);
    const int filled = filled_strata(points);
    CHECK(filled > 60 && filled < 130); /* 256 / e is 94 */
    double mean = 0;
    for (int k = 0; k < count; k++) mean += points[k] / count;
    CHECK_NEAR(mean, 0.5, 0.06);
}

TEST(a_seed_and_a_key_decide_the_points) {
    for (int method = 0; method < 3; method++) {
        const sampling_axis axis = {(sampling_method)method, 7, "kp", 0};
        sampling_axis other = axis;
        sampling_fill(&axis, points, count);
        sampling_fill(&axis, others, count);
        CHECK(memcmp(points, others, sizeof points) == 0);
        other.seed = 8;
        sampling_fill(&other, others, count);
        CHECK(points[0] != others[0] && points[count - 1] != others[count - 1]);
        other = axis;
        other.key = "kv";
        sampling_fill(&other, others, count);
        CHECK(points[0] != others[0] && points[count - 1] != others[count - 1]);
    }
    CHECK(!sampling_method_name(3) && strcmp(sampling_method_name(2), "sobol") == 0);
}

/* So that no compiler, machine or library may change them. */
TEST(points_are_these_to_the_bit) {
    static const double first[3] = {0x1.c767e00945ce5p-1, 0x1.23fadfa8489b2p-2,
                                    0x1.f513bbdc85794p-3};
    for (int method = 0; method < 3; method++) {
        sampling_fill(&(sampling_axis){(sampling_method)method, 1, "controller.kp", 1}, points, 8);
        CHECK_SAME(points[3], first[method]);
    }
}

TEST(sobols_first_points_are_the_known_ones) {
    static const double known[8][5] = {
        {0, 0, 0, 0, 0},
        {0.5, 0.5, 0.5, 0.5, 0.5},
        {0.75, 0.25, 0.25, 0.25, 0.75},
        {0.25, 0.75, 0.75, 0.75, 0.25},
        {0.375, 0.375, 0.625, 0.875, 0.375},
        {0.875, 0.875, 0.125, 0.375, 0.875},
        {0.625, 0.125, 0.875, 0.625, 0.625},
        {0.125, 0.625, 0.375, 0.125, 0.125},
    };
    for (uint32_t k = 0; k < 8; k++)
        for (size_t d = 0; d < 5; d++) CHECK(sampling_sobol(d, k) * 0x1p-32 == known[k][d]);
    /* of later dimensions, as Joe and Kuo's program prints them */
    CHECK(sampling_sobol(20, 1000) * 0x1p-32 == 0.5224609375);
    CHECK(sampling_sobol(36, 777) * 0x1p-32 == 0.4619140625);
    CHECK(sampling_sobol(30, 1023) * 0x1p-32 == 0.9287109375);
    CHECK(sampling_sobol(12, 515) * 0x1p-32 == 0.9326171875);
}

/* m_k is odd and below 2^k: every dimension by itself fills its strata, and follows a recurrence
 * of its own. */
TEST(direction_numbers_are_odd_and_differ) {
    uint64_t all = 0xcbf29ce484222325u; /* FNV-1a of all of them */
    for (size_t d = 0; d < SAMPLING_DIMENSIONS; d++)
        for (size_t k = 0; k < 32; k++) all = (all ^ sampling_direction(d, k)) * 0x100000001b3u;
    CHECK(all == 0xd7a4587fa1467cd8u);
    for (size_t d = 0; d < SAMPLING_DIMENSIONS; d++) {
        for (size_t k = 0; k < 32; k++) {
            const uint32_t v = sampling_direction(d, k);
            CHECK(v >> (31 - k) & 1);
            CHECK(k == 31 || (v & (0x7fffffffu >> k)) == 0);
        }
        for (size_t e = 0; e < d; e++) {
            bool same = true;
            for (size_t k = 0; k < 10; k++)
                same = same && sampling_direction(d, k) == sampling_direction(e, k);
            CHECK(!same);
        }
    }
}

/* Every box of 2^-a by 2^-b with a + b = 8 has one of 256 points: t = 0 of the first two
 * dimensions, scrambled or not. */
TEST(scrambled_points_keep_the_nets_of_the_sequence) {
    for (uint64_t seed = 0; seed < 4; seed++) {
        sampling_fill(&(sampling_axis){SAMPLING_SOBOL, seed, "kp", 0}, points, count);
        sampling_fill(&(sampling_axis){SAMPLING_SOBOL, seed, "kv", 1}, others, count);
        for (int a = 0; a <= 8; a++) {
            int in[count] = {0}, filled = 0;
            for (int k = 0; k < count; k++) {
                const int x = (int)(points[k] * (1 << a)), y = (int)(others[k] * (1 << (8 - a)));
                in[x << (8 - a) | y]++;
            }
            for (int k = 0; k < count; k++) filled += in[k] == 1;
            CHECK(filled == count);
        }
    }
    for (size_t d = 0; d < SAMPLING_DIMENSIONS; d++) {
        sampling_fill(&(sampling_axis){SAMPLING_SOBOL, 3, "kp", d}, points, count);
        CHECK(filled_strata(points) == count);
    }
}

TEST(the_inverse_of_the_normal_distribution_is_one) {
    for (double p = 1e-300; p < 0.4; p *= 1.7) {
        const double x = sampling_normal_inverse(p), again = 0.5 * erfc(-x / sqrt(2));
        CHECK_NEAR(again / p, 1, 1e-12);
    }
    for (double p = 0.001; p < 1; p += 0.001) {
        const double x = sampling_normal_inverse(p);
        CHECK_NEAR(0.5 * erfc(-x / sqrt(2)), p, 1e-15);
        CHECK_NEAR(sampling_normal(x), p, 1e-15);
    }
    CHECK(sampling_normal_inverse(0.5) == 0);
    CHECK(sampling_normal(-(double)INFINITY) == 0 && sampling_normal((double)INFINITY) == 1);
}

TEST(numbers_are_of_their_range) {
    const double ends = (double)INFINITY;
    double u[5] = {1e-16, 0.25, 0.5, 0.75, 1 - 1e-16};
    sampling_values(&(sampling_range){.kind = SAMPLING_UNIFORM, .first = -2, .second = 6}, u, 5);
    CHECK_NEAR(u[0], -2, 1e-14);
    CHECK(u[0] >= -2 && u[1] == 0 && u[2] == 2 && u[3] == 4 && u[4] <= 6);
    double l[3] = {1e-16, 0.5, 1 - 1e-16};
    sampling_values(&(sampling_range){.kind = SAMPLING_LOGUNIFORM, .first = 0.01, .second = 100}, l,
                    3);
    CHECK_NEAR(l[0], 0.01, 1e-15);
    CHECK_NEAR(l[1], 1, 1e-15);
    CHECK(l[0] >= 0.01 && l[2] <= 100);
    double n[3] = {0.5, 0.841344746068543, 1e-9};
    sampling_values(&(sampling_range){SAMPLING_NORMAL, 3, 2, -ends, ends}, n, 3);
    CHECK(n[0] == 3);
    CHECK_NEAR(n[1], 5, 1e-12);
    CHECK(n[2] < -8);
    /* cut off at the mean: the median of a half is at 0.6745 of a deviation */
    double h[3] = {1e-16, 0.5, 1 - 1e-16};
    sampling_values(&(sampling_range){SAMPLING_NORMAL, 3, 2, 3, 6}, h, 3);
    CHECK(h[0] >= 3 && h[2] <= 6 && h[2] > 5.99);
    CHECK_NEAR(0.5 * erfc(-(h[1] - 3) / 2 / sqrt(2)) - 0.5,
               0.5 * (0.5 * erfc(-1.5 / sqrt(2)) - 0.5), 1e-12);
}

TEST(a_text_of_nine_digits_is_within_the_ends) {
    char text[SAMPLING_TEXT_SIZE];
    const double most = 0.12345678998, ends = (double)INFINITY; /* 0.12345679 is above it */
    sampling_text(most, &(sampling_range){SAMPLING_NORMAL, 0, 1, -most, most}, text);
    CHECK(strtod(text, NULL) == most);
    sampling_text(-most, &(sampling_range){SAMPLING_NORMAL, 0, 1, -most, most}, text);
    CHECK(strtod(text, NULL) == -most);
    sampling_text(most, &(sampling_range){SAMPLING_UNIFORM, 0, most, -ends, ends}, text);
    CHECK(strtod(text, NULL) == most);
    sampling_text(most, &(sampling_range){SAMPLING_NORMAL, 0, 1, -ends, ends}, text);
    CHECK(strcmp(text, "0.12345679") == 0);
}

TEST(steps_are_equal_or_equal_factors_and_end_at_the_ends) {
    for (size_t k = 0; k < 5; k++) CHECK(sampling_linear(0, 1, k, 5) == 0.25 * (double)k);
    CHECK(sampling_linear(0.1, 0.7, 6, 7) == 0.7 && sampling_linear(5, 9, 0, 1) == 5);
    CHECK_NEAR(sampling_linear(3, -3, 1, 3), 0, 0);
    for (size_t k = 0; k < 7; k++)
        CHECK_NEAR(sampling_geometric(1e-3, 1e3, k, 7) / pow(10, (double)k - 3), 1, 1e-14);
    CHECK(sampling_geometric(1e-3, 1e3, 6, 7) == 1e3 && sampling_geometric(-1, -4, 2, 3) == -4);
    CHECK_NEAR(sampling_geometric(-1, -4, 1, 3), -2, 1e-15);
}
