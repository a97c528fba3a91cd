/* SPDX-License-Identifier: MIT
 * The optimiser: it finds minima, asks the same again, and ends when it is told.
 */
#include "check.h"
#include "sweep/optimiser.h"

enum { most_calls = 400 };
static double calls[most_calls][2], least, where[2];
static size_t call_count, stop_after;

/* A bowl with an edge, as figures under stiction have them, and a smaller one beside it. */
static bool value(void *user, const double *point, double *result) {
    (void)user;
    const double x = point[0] - 0.3, y = point[1] - 0.7, u = point[0] - 0.9, v = point[1] - 0.1;
    CHECK(point[0] >= 0 && point[0] <= 1 && point[1] >= 0 && point[1] <= 1);
    *result = fmin(fabs(x) + 4 * y * y, 0.3 + 2 * (u * u + v * v));
    if (call_count < most_calls) memcpy(calls[call_count], point, sizeof calls[0]);
    if (call_count++ == 0 || *result < least) {
        least = *result;
        memcpy(where, point, sizeof where);
    }
    return call_count < stop_after;
}

static optimiser begin(uint64_t seed) {
    call_count = 0;
    stop_after = most_calls;
    return (optimiser){.dimensions = 2, .seed = seed, .value = value};
}

TEST(downhill_from_a_point) {
    if (!optimiser_is_there()) return;
    const optimiser o = begin(1);
    const double start[] = {0.4, 0.5};
    optimiser_local(&o, start, 0.1, 120);
    CHECK(call_count <= 121 && calls[0][0] == 0.4 && calls[0][1] == 0.5);
    CHECK_NEAR(where[0], 0.3, 1e-2);
    CHECK_NEAR(where[1], 0.7, 5e-2);
}

TEST(everywhere_from_a_bad_start) {
    if (!optimiser_is_there()) return;
    const optimiser o = begin(1);
    const double start[] = {0.9, 0.1};
    optimiser_global(&o, start, 300);
    CHECK(call_count <= 301 && least < 0.1);
    CHECK_NEAR(where[0], 0.3, 0.1);
}

TEST(a_seed_asks_the_same_again_and_another_one_others) {
    if (!optimiser_is_there()) return;
    static double first[most_calls][2];
    const double start[] = {0.9, 0.1};
    optimiser o = begin(7);
    optimiser_global(&o, start, 100);
    optimiser_local(&o, where, 0.1, 100);
    const size_t count = call_count;
    if (!(count > 100 && count <= 210)) FAIL("%zu calls", count);
    memcpy(first, calls, sizeof first);
    o = begin(7);
    optimiser_global(&o, start, 100);
    optimiser_local(&o, where, 0.1, 100);
    CHECK(call_count == count && memcmp(first, calls, count * sizeof first[0]) == 0);
    o = begin(8);
    optimiser_global(&o, start, 100);
    CHECK(memcmp(first, calls, 50 * sizeof first[0]) != 0);
}

TEST(it_ends_when_it_is_told) {
    if (!optimiser_is_there()) return;
    const double start[] = {0.5, 0.5};
    optimiser o = begin(1);
    stop_after = 5;
    optimiser_global(&o, start, 100);
    CHECK(call_count < 50); /* its first generation is asked for as a whole */
    o = begin(1);
    stop_after = 5;
    optimiser_local(&o, start, 0.1, 100);
    if (call_count != 5) FAIL("%zu calls", call_count);
}
