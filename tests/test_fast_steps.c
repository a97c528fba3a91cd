/*
 * The fast steps: the bits of the step through the law, of one joint and of many, in every
 * instruction set; and a law without one.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "joint_models/element.h"
#include "joint_models/laws.h"
#include "random_joint.h"

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
            if (!stiction_variant_runs(v)) continue;
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

TEST(a_law_has_a_fast_step_only_where_it_has_a_closed_form) {
    stiction_law_parameters p = {.static_torque = 2.5,
                                 .coulomb_torque = 0.4,
                                 .stribeck_velocity = 0.06,
                                 .stribeck_exponent = 1,
                                 .viscous = 4.5};
    CHECK(stiction_fast_find(stiction_law_find("stribeck"), &p) != NULL);
    p.stribeck_exponent = 2;
    CHECK(stiction_fast_find(stiction_law_find("stribeck"), &p) == NULL);
    CHECK(stiction_fast_find(stiction_law_find("rational"), &p) != NULL);
}

TEST(an_element_of_a_law_without_a_fast_step_goes_through_the_law) {
    stiction_law other = *stiction_law_find("rational");
    other.name = "other";
    const stiction_law_parameters p = {.static_torque = 2.5,
                                       .coulomb_torque = 0.4,
                                       .stribeck_velocity = 0.06,
                                       .stribeck_exponent = 1,
                                       .viscous = 4.5};
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
