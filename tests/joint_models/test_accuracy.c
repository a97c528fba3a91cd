/* SPDX-License-Identifier: MIT
 * The exponential and Phi_Z against MPFR, on random legal parameters and arguments, with many next
 * to the limit of (14) and next to the threshold |x| = Z F_S. Lambert's W: lambert_accuracy.c.
 */
#include "../joint_models/exponential.h"
#include "check.h"
#include "exact_w.h"
#include "random.h"
#include "stiction/models/law.h"

/* The largest errors of an exponential and of what it gives for the exponential less one. */
typedef struct exponential_errors {
    double value, minus_one;
} exponential_errors;

static exponential_errors errors_of(stiction_exp_result (*f)(double x),
                                    int (*exact_f)(mpfr_t, const mpfr_t, mpfr_rnd_t), uint64_t seed,
                                    int lowest_decade, double largest) {
    enum { points = ROUNDS(300000) };
    random_source r = {seed};
    exponential_errors worst = {0, 0};
    mpfr_t exact;
    mpfr_init2(exact, precision);
    for (int k = 0; k < points; k++) {
        double x = k % 2 ? random_uniform(&r, -largest, largest)
                         : fmin(random_decade(&r, lowest_decade, 3), largest);
        if (k % 4 < 2) x = -x;
        const stiction_exp_result result = f(x);
        mpfr_set_d(exact, x, MPFR_RNDN);
        (void)exact_f(exact, exact, MPFR_RNDN);
        worst.value = fmax(worst.value, ulps(result.value, exact));
        mpfr_sub_ui(exact, exact, 1, MPFR_RNDN);
        worst.minus_one = fmax(worst.minus_one, ulps(result.minus_one, exact));
    }
    mpfr_clear(exact);
    printf("worst errors %.3f and %.3f ulp, %d points\n", worst.value, worst.minus_one, points);
    return worst;
}

static stiction_exp_result exponential(double x) {
    return stiction_exp(x);
}

static stiction_exp_result power_of_two(double x) {
    return stiction_exp2_expand(stiction_exp2_reduce(x));
}

/*
 * (2^r - 1)/r is below 1 and has three roundings of 2^-54 and that of its first coefficient: less
 * than 1.72 2^-53 in all. Times |r| <= 1/2 it is 0.86 ulp of a 2^r below 1, and the last operation
 * has half an ulp: 1.4. It weighs most in 2^n 2^r - 1 where n = 1 and r = -1/2: 3.44 ulp of 0.41,
 * with the last operation 3.94.
 */
TEST(exponential_as_exact_as_stated) {
    const exponential_errors e = errors_of(exponential, mpfr_exp, 41, -12, stiction_exp_range);
    CHECK(e.value <= 1.4 && e.minus_one <= 3.94);
    const exponential_errors two = errors_of(power_of_two, mpfr_exp2, 43, -12, 1020);
    CHECK(two.value <= 1.4 && two.minus_one <= 3.94);
}

TEST(exponential_of_zero_is_one) {
    CHECK_SAME(stiction_exp(0.0).value, 1);
    CHECK_SAME(stiction_exp(0.0).minus_one, 0);
}

/* The decay of a law and its slope at v, in MPFR. */
static void shape(const stiction_law *law, const stiction_law_parameters *p, mpfr_t v, mpfr_t value,
                  mpfr_t slope) {
    mpfr_t u;
    mpfr_init2(u, precision);
    mpfr_div_d(u, v, p->stribeck_velocity, MPFR_RNDN);
    if (strcmp(law->name, "rational") == 0) {
        mpfr_add_ui(value, u, 1, MPFR_RNDN);
        mpfr_ui_div(value, 1, value, MPFR_RNDN);
        mpfr_sqr(slope, value, MPFR_RNDN);
    } else if (p->stribeck_exponent == 1) {
        mpfr_neg(value, u, MPFR_RNDN);
        mpfr_exp(value, value, MPFR_RNDN);
        mpfr_set(slope, value, MPFR_RNDN);
    } else {
        mpfr_t w;
        mpfr_init2(w, precision);
        mpfr_set_d(w, p->stribeck_exponent, MPFR_RNDN);
        mpfr_pow(w, u, w, MPFR_RNDN);
        mpfr_neg(value, w, MPFR_RNDN);
        mpfr_exp(value, value, MPFR_RNDN);
        mpfr_mul_d(slope, w, p->stribeck_exponent, MPFR_RNDN);
        mpfr_div(slope, slope, u, MPFR_RNDN);
        mpfr_mul(slope, slope, value, MPFR_RNDN);
        mpfr_clear(w);
    }
    mpfr_div_d(slope, slope, -p->stribeck_velocity, MPFR_RNDN);
    mpfr_clear(u);
}

/*
 * Phi_Z(x) while sliding, x > 0: Newton's method for v + Z Phi(v) = x from the v that our own
 * result implies, halving the bracket (0, x) where a step would leave it.
 */
static void exact_phi_z(const stiction_phi_z *phi_z, double x, double start, mpfr_t y) {
    const stiction_law_parameters *p = &phi_z->parameters;
    mpfr_t v, lower, upper, F_SC, value, slope, residual;
    mpfr_inits2(precision, v, lower, upper, F_SC, value, slope, residual, (mpfr_ptr)0);
    mpfr_set_d(F_SC, p->static_torque, MPFR_RNDN);
    mpfr_sub_d(F_SC, F_SC, p->coulomb_torque, MPFR_RNDN);
    mpfr_set_zero(lower, 1);
    mpfr_set_d(upper, x, MPFR_RNDN);

    mpfr_set_d(v, -start, MPFR_RNDN);
    mpfr_mul_d(v, v, phi_z->Z, MPFR_RNDN);
    mpfr_add_d(v, v, x, MPFR_RNDN);
    for (int k = 0; k < 400; k++) {
        if (mpfr_cmp(v, lower) <= 0 || mpfr_cmp(v, upper) >= 0) {
            mpfr_add(v, lower, upper, MPFR_RNDN);
            mpfr_div_ui(v, v, 2, MPFR_RNDN);
        }
        /* y = Phi(v), slope = 1 + Z Phi'(v) */
        shape(phi_z->law, p, v, value, slope);
        mpfr_mul(y, F_SC, value, MPFR_RNDN);
        mpfr_add_d(y, y, p->coulomb_torque, MPFR_RNDN);
        mpfr_mul_d(value, v, p->viscous, MPFR_RNDN);
        mpfr_add(y, y, value, MPFR_RNDN);
        mpfr_mul(slope, slope, F_SC, MPFR_RNDN);
        mpfr_add_d(slope, slope, p->viscous, MPFR_RNDN);
        mpfr_mul_d(slope, slope, phi_z->Z, MPFR_RNDN);
        mpfr_add_ui(slope, slope, 1, MPFR_RNDN);

        mpfr_mul_d(residual, y, phi_z->Z, MPFR_RNDN);
        mpfr_add(residual, residual, v, MPFR_RNDN);
        mpfr_sub_d(residual, residual, x, MPFR_RNDN);
        mpfr_set(mpfr_sgn(residual) > 0 ? upper : lower, v, MPFR_RNDN);
        mpfr_div(residual, residual, slope, MPFR_RNDN);
        if (mpfr_zero_p(residual) || mpfr_get_exp(residual) < mpfr_get_exp(v) - 110) break;
        mpfr_sub(v, v, residual, MPFR_RNDN);
    }
    mpfr_clears(v, lower, upper, F_SC, value, slope, residual, (mpfr_ptr)0);
}

/* Random legal parameters; a third of them within 10^-1 .. 10^-14 of the limit of (14). */
static stiction_phi_z random_phi_z(random_source *r, const stiction_law *law, double exponent) {
    stiction_phi_z phi_z;
    do {
        stiction_law_parameters p = stiction_law_parameters_default();
        p.static_torque = random_decade(r, -3, 3);
        p.coulomb_torque = p.static_torque * random_decade(r, -3, 0);
        p.stribeck_velocity = random_decade(r, -5, 1);
        p.stribeck_exponent = exponent == 1 ? 1 : random_uniform(r, 1.0001, exponent);
        p.viscous = random_bits(r) % 8 ? random_decade(r, -4, 3) : 0;
        const double limit = 1 / law->steepest_descent(&p);
        double Z = random_decade(r, -6, 2);
        if (limit > 0)
            Z = random_bits(r) % 3 ? limit * random_decade(r, -6, 0)
                                   : limit * (1 - random_decade(r, -14, -1));
        if (stiction_phi_z_prepare(&phi_z, law, &p, Z) == STICTION_LAW_OK) return phi_z;
    } while (1);
}

/* Next to the threshold, about it, or anywhere. */
static double random_x(random_source *r, const stiction_phi_z *phi_z) {
    const double threshold = phi_z->Z * phi_z->breakaway;
    switch (random_bits(r) % 4) {
    case 0:
        return threshold * (1 + random_decade(r, -16, -1));
    case 1:
        return threshold + random_decade(r, -4, 2) * phi_z->parameters.stribeck_velocity *
                               fma(phi_z->Z, phi_z->parameters.viscous, 1);
    case 2:
        return threshold * random_decade(r, -3, 3);
    default:
        return random_decade(r, -8, 12);
    }
}

static void check_phi_z(const char *law_name, double exponent, uint64_t seed, int count) {
    const stiction_law *law = stiction_law_find(law_name);
    random_source r = {seed};
    mpfr_t exact, difference;
    mpfr_inits2(precision, exact, difference, (mpfr_ptr)0);
    double worst = 0;
    int slid = 0;
    for (int k = 0; k < count; k++) {
        const stiction_phi_z phi_z = random_phi_z(&r, law, exponent);
        const double x = random_x(&r, &phi_z), y = stiction_phi_z_at(&phi_z, x);
        if (stiction_phi_z_sticks(&phi_z, x)) {
            mpfr_set_d(exact, x, MPFR_RNDN);
            mpfr_div_d(exact, exact, phi_z.Z, MPFR_RNDN);
        } else {
            exact_phi_z(&phi_z, x, y, exact);
            slid++;
        }
        mpfr_d_sub(difference, y, exact, MPFR_RNDN);
        mpfr_div(difference, difference, exact, MPFR_RNDN);
        const double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
        if (!(error <= worst)) {
            worst = error;
            const stiction_law_parameters *p = &phi_z.parameters;
            printf("%.3g at F_S %.17g F_C %.17g v_S %.17g alpha %.17g D %.17g Z %.17g x %.17g\n",
                   error, p->static_torque, p->coulomb_torque, p->stribeck_velocity,
                   p->stribeck_exponent, p->viscous, phi_z.Z, x);
        }
    }
    mpfr_clears(exact, difference, (mpfr_ptr)0);
    printf("%s: worst relative error %.3g on %d points, %d of them sliding\n", law_name, worst,
           count, slid);
    CHECK(worst <= 2e-15);
    CHECK(slid > count / 2);
}

TEST(stribeck_phi_z_within_2e15_of_the_exact_result) {
    check_phi_z("stribeck", 1, 11, ROUNDS(400000));
}
TEST(stribeck_phi_z_within_2e15_on_other_parameters) {
    check_phi_z("stribeck", 1, 12, ROUNDS(200000));
}
TEST(rational_phi_z_within_2e15_of_the_exact_result) {
    check_phi_z("rational", 1, 13, ROUNDS(400000));
}
TEST(stribeck_phi_z_with_another_exponent_within_2e15_of_the_exact_result) {
    check_phi_z("stribeck", 8, 14, ROUNDS(150000));
}
TEST(stribeck_phi_z_with_a_large_exponent_within_2e15_of_the_exact_result) {
    check_phi_z("stribeck", 1000, 15, ROUNDS(20000));
}
TEST(stribeck_phi_z_with_an_exponent_next_to_1_within_2e15_of_the_exact_result) {
    check_phi_z("stribeck", 1.02, 16, ROUNDS(20000));
}
