/* SPDX-License-Identifier: MIT */
/* Laws fitted to tables: what made the table is found again, and what it cannot tell is known. */
#include "check.h"
#include "import/fit.h"

enum { most = 400 };

typedef struct made {
    double velocity[2 * most], torque[2 * most];
    fit_table table;
} made;

static double noise(unsigned *state) {
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        *state = *state * 1664525u + 1013904223u;
        sum += (double)(*state >> 8) / (1 << 24);
    }
    return sum - 6;
}

/* Speeds from `slowest` to 3 rad/s, both ways, of a law with such numbers. */
static void make(made *m, const fit *law, size_t count, double slowest, double deviation) {
    unsigned state = 1;
    for (size_t k = 0; k < 2 * count; k++) {
        const double share = (double)(k / 2) / (double)(count - 1);
        const double v = slowest * pow(3 / slowest, share) * (k % 2 ? -1 : 1);
        m->velocity[k] = v;
        m->torque[k] = fit_at(law, v) + deviation * noise(&state);
    }
    m->table = (fit_table){m->velocity, m->torque, 2 * count};
}

static fit law_of(const char *name, double fall, double exponent, double reverse) {
    return (fit){.law = name, .value = {0.4, fall, 0.06, exponent, 4.5, reverse}};
}

static void check_numbers(const fit *found, const fit *law, double tolerance) {
    CHECK(strcmp(found->law, law->law) == 0);
    for (int k = 0; k < FIT_COUNT; k++)
        if (found->free >> k & 1) CHECK_NEAR(found->value[k] / law->value[k], 1, tolerance);
}

TEST(the_law_of_an_exact_table_is_found_again) {
    static made m;
    const fit laws[] = {law_of("coulomb", 0, 1, 1), law_of("stribeck", 2.1, 1, 1),
                        law_of("rational", 2.1, 1, 1), law_of("stribeck", 2.1, 1.7, 1),
                        law_of("stribeck", 2.1, 1, 1.2)};
    static const unsigned numbers[] = {0x11, 0x17, 0x17, 0x1f, 0x37};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        fit found;
        make(&m, &laws[k], 60, 0.002, 0);
        CHECK(fit_table_to(&m.table, NULL, &found));
        CHECK(found.free == numbers[k]);
        check_numbers(&found, &laws[k], 1e-9);
        CHECK(found.residual < 1e-10);
    }
}

TEST(noise_moves_the_numbers_by_their_errors) {
    static made m;
    const fit law = law_of("stribeck", 2.1, 1, 1.2);
    fit found;
    make(&m, &law, 200, 0.002, 0.05);
    CHECK(fit_table_to(&m.table, NULL, &found));
    check_numbers(&found, &law, 0.05);
    CHECK_NEAR(found.residual, 0.05, 0.005);
    for (int k = 0; k < FIT_COUNT; k++)
        if (found.free >> k & 1) CHECK_NEAR(found.value[k], law.value[k], 4 * found.error[k]);
    CHECK(found.free >> FIT_REVERSE & 1);
}

TEST(a_line_with_noise_is_no_more_than_a_line) {
    static made m;
    const fit law = law_of("coulomb", 0, 1, 1);
    fit found;
    make(&m, &law, 100, 0.002, 0.05);
    CHECK(fit_table_to(&m.table, NULL, &found));
    CHECK(found.free == (1u << FIT_COULOMB | 1u << FIT_VISCOUS));
}

TEST(a_law_that_is_asked_for_is_fitted) {
    static made m;
    const fit law = law_of("stribeck", 2.1, 1, 1);
    fit best, asked;
    make(&m, &law, 60, 0.002, 0);
    CHECK(fit_table_to(&m.table, NULL, &best));
    CHECK(fit_table_to(&m.table, "rational", &asked));
    CHECK(strcmp(asked.law, "rational") == 0);
    CHECK(asked.residual > 1e-3 && asked.residual < 0.2);
    CHECK(best.criterion < asked.criterion);
}

TEST(no_number_is_negative) {
    static made m;
    const fit law = {.law = "stribeck", .value = {0.4, 2.1, 0.06, 1, -0.1, 1}};
    fit found;
    make(&m, &law, 60, 0.002, 0.01);
    CHECK(fit_table_to(&m.table, NULL, &found));
    for (int k = 0; k < FIT_COUNT; k++) CHECK(found.value[k] >= 0);
}

TEST(too_few_speeds_are_no_fit) {
    static made m;
    const fit law = law_of("coulomb", 0, 1, 1);
    fit found;
    make(&m, &law, 60, 0.002, 0);
    m.table.count = 2; /* one speed, both ways */
    CHECK(fit_speeds(&m.table) == 1);
    CHECK(!fit_table_to(&m.table, NULL, &found));
    m.table.count = 6;
    CHECK(fit_speeds(&m.table) == 3);
    CHECK(fit_table_to(&m.table, NULL, &found));
    CHECK(!fit_table_to(&m.table, "stribeck", &found));
    CHECK(fit_speeds_needed("stribeck") == 4);
}
