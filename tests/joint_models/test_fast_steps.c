/* SPDX-License-Identifier: MIT
 * The fast steps: the bits of the step through the law, of one joint and of many, in every
 * instruction set; and a law without one.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "joint_models/element.h"
#include "joint_models/laws.h"
#include "random_joint.h"
#include "wrist.h"

static const double T = 0.001;

enum { most = 300, block = STICTION_FAST_BLOCK, numbers = STICTION_FAST_NUMBERS };

typedef struct kernel_case {
    stiction_element elements[most];
    _Alignas(64) double table[(most / block + 1) * block * numbers];
    double u[most + 8], e[most + 8], f[most + 8];
} kernel_case;

static void fill_case(kernel_case *c, random_source *r, const stiction_law *law, size_t which) {
    for (size_t k = 0; k < most; k++) {
        const stiction_joint_def d = random_joint(r, which);
        const stiction_law_parameters p = stiction_joint_law_parameters(&d);
        const stiction_element_def def = {STICTION_ELEMENT_C, 0, d.stiffness, d.damping, T};
        CHECK(stiction_element_init(&c->elements[k], &def, law, &p) == STICTION_LAW_OK);
        CHECK(c->elements[k].fast != NULL);
        double row[numbers];
        memcpy(row, &c->elements[k].c, sizeof row);
        for (size_t n = 0; n < numbers; n++)
            c->table[k / block * block * numbers + n * block + k % block] = row[n];
    }
}

/* One joint after the other, through the law in the code for any processor. */
static void check_kernel(kernel_case *c, random_source *r, const stiction_fast_step *fast,
                         bool shared, size_t n, size_t offset) {
    double *u = c->u + offset, *e = c->e + (offset * 3) % 8, *f = c->f + (offset * 5) % 8;
    double expected_e[most];
    for (size_t k = 0; k < n; k++) {
        u[k] = random_bits(r) % 50 ? random_velocity(r) : (double)NAN;
        expected_e[k] = e[k] = random_velocity(r) * 1e-3;
    }
    const double *table = shared ? (const double *)&c->elements[0].c : c->table;
    f[n < most ? n : 0] = 42;
    const size_t faults = fast->step_many(table, shared, T, n, u, e, f);
    size_t expected_faults = 0;
    for (size_t k = 0; k < n; k++) {
        const stiction_element *element = &c->elements[shared ? 0 : k];
        const double before = expected_e[k];
        double single_e = before;
        double force = stiction_element_c_step_open(element, u[k], &expected_e[k]);
        if (!(fabs(u[k]) <= STICTION_VELOCITY_LIMIT)) {
            expected_e[k] = before;
            expected_faults++;
            CHECK(isnan(f[k]));
            force = f[k];
        } else {
            CHECK_SAME(fast->step(&element->c, u[k], &single_e), force);
            CHECK_SAME(single_e, expected_e[k]);
        }
        CHECK_SAME(f[k], force);
        CHECK_SAME(e[k], expected_e[k]);
    }
    CHECK(faults == expected_faults);
    if (n && n < most) CHECK(f[n] == 42);
}

TEST(every_instruction_set_gives_the_bits_of_the_law) {
    static kernel_case c;
    random_source r = {37};
    static const struct {
        const stiction_law *law;
        size_t which;
    } laws[] = {
        {&stiction_law_coulomb, 0}, {&stiction_law_stribeck, 1}, {&stiction_law_rational, 3}};
    for (size_t l = 0; l < 3; l++) {
        const stiction_law_parameters p = {.stribeck_exponent = 1};
        const stiction_fast_step *fast = stiction_fast_find(laws[l].law, &p);
        for (stiction_variant v = 0; v < STICTION_VARIANT_COUNT; v++) {
            if (!stiction_variant_runs(v)) {
                if (l == 0) printf("skipped: %s, not here\n", stiction_variant_name(v));
                continue;
            }
            fill_case(&c, &r, laws[l].law, laws[l].which);
            for (size_t n = 0; n <= most; n += n < 140 ? 1 : 40) {
                check_kernel(&c, &r, stiction_fast_variant(fast, v), true, n, n % 8);
                check_kernel(&c, &r, stiction_fast_variant(fast, v), false, n, n % 8);
            }
        }
    }
    CHECK(stiction_fast_variant(NULL, STICTION_BASELINE) == NULL);
    CHECK(stiction_fast_variant(stiction_fast_at(0), STICTION_VARIANT_COUNT) == NULL);
}

/* ---- blocks one after the other ---- */

typedef enum block_kind {
    all_slide,
    all_stick,
    some_stick,
    not_usable,
    huge,
    kind_count
} block_kind;

static double velocity_of(random_source *r, block_kind kind, size_t k) {
    const double fast = random_uniform(r, 1, 2) * (random_bits(r) % 2 ? 5 : -5);
    switch (kind) {
    case all_slide:
        return fast;
    case all_stick:
        return 0;
    case not_usable:
        return k % 17 ? fast : random_bits(r) % 2 ? (double)NAN : 0x1p301;
    case huge:
        return k % 19 ? fast : ldexp(fast, (int)(random_bits(r) % 290));
    default:
        return k % 3 ? random_velocity(r) : 0;
    }
}

/* Every kind of block after every other, and a rest. */
static void check_blocks(const stiction_fast_step *fast, const stiction_element *element,
                         random_source *r) {
    enum { count = 12 * block + 44 };
    static double u[count], e[count], f[count];
    for (size_t k = 0, kind = 0; k < count; k++) {
        if (k % block == 0) kind = random_bits(r) % kind_count;
        u[k] = velocity_of(r, (block_kind)kind, k);
        e[k] = random_uniform(r, -0.9, 0.9) * element->c.breakaway / element->c.K;
    }
    static double start[count];
    memcpy(start, e, sizeof e);
    size_t expected_faults = 0;
    const size_t n = count - random_bits(r) % 100;
    const size_t faults = fast->step_many((const double *)&element->c, true, T, n, u, e, f);
    for (size_t k = 0; k < n; k++) {
        double expected_e = start[k];
        if (!(fabs(u[k]) <= STICTION_VELOCITY_LIMIT)) {
            expected_faults++;
            CHECK(isnan(f[k]));
        } else {
            CHECK_SAME(f[k], stiction_element_c_step_open(element, u[k], &expected_e));
        }
        CHECK_SAME(e[k], expected_e);
    }
    CHECK(faults == expected_faults);
    for (size_t k = n; k < count; k++) CHECK_SAME(e[k], start[k]);
}

/* Levels from the usual to where a difference of them is hardly a number. */
static stiction_law_parameters levels(size_t round) {
    stiction_law_parameters p = wrist_law();
    if (round % 4 == 1) p.coulomb_torque = p.static_torque;
    if (round % 4 == 2)
        p.static_torque = nextafter(p.coulomb_torque = 0x1p-99, 1), p.viscous = 1e29;
    if (round % 4 == 3) p.static_torque = 0x1p90, p.stribeck_velocity = 0x1p84;
    return p;
}

TEST(blocks_of_any_kind_follow_each_other) {
    static const char *const laws[] = {"coulomb", "stribeck", "rational"};
    random_source r = {53};
    for (size_t l = 0; l < 3; l++)
        for (size_t round = 0; round < 80; round++) {
            const stiction_law_parameters p = levels(round);
            const stiction_element_def def = {STICTION_ELEMENT_C, 0, 0x1p14, 200, T};
            stiction_element element;
            if (stiction_element_init(&element, &def, stiction_law_find(laws[l]), &p) !=
                STICTION_LAW_OK) {
                FAIL("%s: no element", laws[l]);
                continue;
            }
            for (stiction_variant v = 0; v < STICTION_VARIANT_COUNT; v++)
                if (stiction_variant_runs(v))
                    check_blocks(stiction_fast_variant(element.fast, v), &element, &r);
        }
}

TEST(an_instruction_set_has_a_name) {
    CHECK(strcmp(stiction_variant_name(STICTION_BASELINE), "baseline") == 0);
    CHECK(strcmp(stiction_variant_name(STICTION_AVX2), "avx2") == 0);
    CHECK(strcmp(stiction_variant_name(STICTION_AVX512), "avx512") == 0);
    CHECK(strcmp(stiction_variant_name(STICTION_VARIANT_COUNT), "unknown") == 0);
    CHECK(stiction_variant_runs(stiction_variant_best()));
}

TEST(a_law_has_a_fast_step_only_where_it_has_a_closed_form) {
    stiction_law_parameters p = wrist_law();
    CHECK(stiction_fast_find(stiction_law_find("stribeck"), &p) != NULL);
    p.stribeck_exponent = 2;
    CHECK(stiction_fast_find(stiction_law_find("stribeck"), &p) == NULL);
    CHECK(stiction_fast_find(stiction_law_find("rational"), &p) != NULL);
}

TEST(an_element_of_a_law_without_a_fast_step_goes_through_the_law) {
    stiction_law other = *stiction_law_find("rational");
    other.name = "other";
    const stiction_law_parameters p = wrist_law();
    const stiction_element_def def = {STICTION_ELEMENT_C, 0, 5000, 50, T};
    stiction_element with, without;
    CHECK(stiction_element_init(&with, &def, stiction_law_find("rational"), &p) == STICTION_LAW_OK);
    CHECK(stiction_element_init(&without, &def, &other, &p) == STICTION_LAW_OK);
    CHECK(with.fast != NULL && without.fast == NULL);
    double e = 0, expected = 0;
    for (int k = 0; k < 100; k++) {
        const double u = 0.002 * k - 0.05;
        CHECK(stiction_element_c_sticks(&without, u, e) == stiction_element_c_sticks(&with, u, e));
        CHECK_SAME(stiction_element_c_step_1(&without, u, &e),
                   stiction_element_c_step_1(&with, u, &expected));
        CHECK_SAME(e, expected);
    }
}
