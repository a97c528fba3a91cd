/* SPDX-License-Identifier: MIT */
/* The quotient from multiplications: the bits of a division, everywhere in its domain. */
#include <float.h>
#include <math.h>

#include "check.h"
#include "joint_models/fast/quotient.h"
#include "random_joint.h"

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_signed;

enum { digits = 53 };
static const uint64_t top = (uint64_t)1 << 52;

/* A mantissa of 53 bits as a number in [1, 2), by 2^exponent. */
static double number(uint64_t mantissa, int exponent) {
    return ldexp((double)mantissa, exponent - 52);
}

static uint64_t random_mantissa(random_source *r) {
    return top | (random_bits(r) & (top - 1));
}

static void check_quotient(double a, double b) {
    CHECK_SAME(stiction_quotient(a, b), a / b);
    CHECK_SAME(stiction_quotient(-a, b), -a / b);
}

/* Numerators for which a/b is as close to the middle of two numbers as it can be: A 2^s = B M + d
 * of 53 bits A and B and 54 bits M, d small and odd. */
static void check_closest(uint64_t B, int64_t d) {
    if (B % 2 == 0) return;
    uint64_t inverse = B; /* modulo 2^64, by Newton's method: B B = 1 modulo 8 */
    for (int k = 0; k < 5; k++) inverse *= 2 - B * inverse;
    for (int s = digits; s <= digits + 1; s++) {
        const uint64_t modulus = (uint64_t)1 << s;
        uint64_t M = (0 - inverse * (uint64_t)d) & (modulus - 1);
        if (M < (uint64_t)1 << digits) M += modulus;
        if (M >> (digits + 1)) continue;
        const wide sum = (wide)B * M + (wide)(wide_signed)d;
        if (sum & (modulus - 1)) continue;
        const uint64_t A = (uint64_t)(sum >> s);
        if (A >= top && A < 2 * top) check_quotient(number(A, 0), number(B, 0));
    }
}

TEST(quotients_of_random_numbers) {
    random_source r = {41};
    for (int k = 0; k < 1000000; k++) {
        const int i = (int)(random_bits(&r) % 800) - 400, j = (int)(random_bits(&r) % 799) - 400;
        check_quotient(number(random_mantissa(&r), i < 399 ? i : 0),
                       number(random_mantissa(&r), j));
    }
}

TEST(quotients_closest_to_the_middle_of_two_numbers) {
    random_source r = {43};
    for (int k = 0; k < 100000; k++) {
        const uint64_t B = random_mantissa(&r) | 1;
        for (int64_t d = -5; d <= 5; d += 2) check_closest(B, d);
    }
    /* denominators next to powers of two */
    for (uint64_t n = 1; n < 100000; n += 2)
        for (int64_t d = -5; d <= 5; d += 2) {
            check_closest(2 * top - n, d);
            check_closest(top + n, d);
        }
}

TEST(quotients_at_the_ends_of_mantissas) {
    for (uint64_t i = 0; i < 300; i++)
        for (uint64_t j = 0; j < 300; j++) {
            const double low = number(top + i, 0), high = number(2 * top - 1 - i, 0);
            check_quotient(low, number(top + j, 0));
            check_quotient(low, number(2 * top - 1 - j, 0));
            check_quotient(high, number(top + j, 0));
            check_quotient(high, number(2 * top - 1 - j, 0));
        }
    for (int k = -400; k <= 400; k++) {
        check_quotient(ldexp(1, k), number(2 * top - 1, 7)); /* where Markstein's 1/b is a tie */
        check_quotient(1, ldexp(1, k));
        CHECK_SAME(stiction_quotient(0, ldexp(1.25, k < 400 ? k : 0)), 0.0);
    }
    check_quotient(STICTION_QUOTIENT_LEAST, STICTION_QUOTIENT_MOST);
    check_quotient(STICTION_QUOTIENT_MOST, STICTION_QUOTIENT_LEAST);
}

/* What the proof rests on. */
TEST(the_guess_of_an_inverse_is_as_good_as_the_proof_needs) {
    random_source r = {47};
    for (int k = 0; k < 1000000; k++) {
        const double b =
            number(k < 500000 ? top + (top >> 19) * (uint64_t)k % top : random_mantissa(&r), 0);
        CHECK(fabs(fma(-b, quotient_guess(b), 1)) < 4.4e-11);
    }
}

/* y lies strictly between the inverses of b's neighbours. Next to 2 the bound of its error alone
 * does not say so; these are all such b. */
TEST(inverses_next_to_a_power_of_two_are_as_good_as_the_proof_needs) {
    for (uint64_t n = 1; n <= (uint64_t)1 << 21; n++) {
        const uint64_t B = 2 * top - n;
        const double b = number(B, 0), y = quotient_inverse(b, quotient_guess(b));
        const uint64_t Y = (uint64_t)ldexp(y, digits); /* y is in [1/2, 1] */
        const wide one = (wide)1 << (52 + digits);
        CHECK((wide)Y * (B + 1) > one && (wide)Y * (B - 1) < one);
    }
}
