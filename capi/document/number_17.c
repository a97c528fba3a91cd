/*
 * 17 significant digits of a double, as printf's %.17g writes them, without printf: in the usual
 * range |x| = m 2^e, and x 10^n = m 5^n 2^(e + n) is an integer of at most 181 bits and a shift, so
 * that digits and rounding are exact. Outside of that range printf does it.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

/* 5^n has at most 128 bits for n up to 55. */
enum { most_fives = 55, digit_count = 17 };
static const uint64_t ten_16 = UINT64_C(10000000000000000);

/* Powers of two between which all of it fits, of the leading bit: 1.5e-39 to 7.2e16. */
enum { lowest_top = -129, highest_top = 55 };

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high) {
    const uint64_t low_half = UINT64_C(0xffffffff);
    const uint64_t a0 = a & low_half, a1 = a >> 32, b0 = b & low_half, b1 = b >> 32;
    const uint64_t first = a0 * b0, inner = a1 * b0 + (first >> 32);
    const uint64_t outer = a0 * b1 + (inner & low_half);
    *high = a1 * b1 + (inner >> 32) + (outer >> 32);
    return outer << 32 | (first & low_half);
}

void stiction_digits_begin(number_digits *d) {
    uint64_t low = 1, high = 0;
    for (size_t n = 0; n <= most_fives; n++) {
        uint64_t carry;
        d->fives[n][0] = low;
        d->fives[n][1] = high;
        low = multiply(low, 5, &carry);
        high = 5 * high + carry;
    }
}

/* m 5^n 2^-shift, rounded to nearest, half to even; `whole` without the rounding. */
static uint64_t scaled(const uint64_t five[2], uint64_t m, int shift, uint64_t *whole) {
    uint64_t high, more;
    uint64_t product[4] = {multiply(m, five[0], &high), 0, 0, 0};
    const uint64_t middle = multiply(m, five[1], &more);
    product[1] = high + middle;
    product[2] = more + (product[1] < middle);
    if (shift <= 0) return *whole = product[0] << -shift; /* an integer, of 56 bits */
    const int limb = shift / 64, bit = shift % 64;
    uint64_t rest = 0, half;
    *whole = product[limb] >> bit;
    if (bit) {
        *whole |= product[limb + 1] << (64 - bit);
        half = product[limb] >> (bit - 1) & 1;
        rest = product[limb] & ((UINT64_C(1) << (bit - 1)) - 1);
        for (int k = 0; k < limb; k++) rest |= product[k];
    } else {
        half = product[limb - 1] >> 63;
        rest = product[limb - 1] << 1;
        for (int k = 0; k + 1 < limb; k++) rest |= product[k];
    }
    return *whole + (half && (rest || (*whole & 1)));
}

/* The 17 digits as an integer, and the power of ten of the first. False: out of range. */
static bool digits_of(const number_digits *d, uint64_t bits, uint64_t *digits, int *exponent) {
    const int top = (int)(bits >> 52) - 1023;
    if (top < lowest_top || top > highest_top) return false;
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    /* the power of ten of 2^top, which is that of x or one less */
    int power = (int)(top * 0.30102999566398120 + 100) - 100;
    for (;; power++) {
        const int n = digit_count - 1 - power;
        uint64_t whole;
        *digits = scaled(d->fives[n], m, 52 - top - n, &whole);
        if (whole < 10 * ten_16) break;
    }
    if (*digits == 10 * ten_16) {
        *digits = ten_16;
        power++;
    }
    *exponent = power;
    return true;
}

static void put_eight(char *to, uint32_t number) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    const uint32_t front = number / 10000, back = number % 10000;
    memcpy(to, pairs + front / 100 * 2, 2);
    memcpy(to + 2, pairs + front % 100 * 2, 2);
    memcpy(to + 4, pairs + back / 100 * 2, 2);
    memcpy(to + 6, pairs + back % 100 * 2, 2);
}

size_t stiction_digits_write(const number_digits *d, double value, char text[DIGITS_SIZE]) {
    uint64_t bits, digits;
    int exponent;
    char *p = text, all[2 * digit_count] = {0};
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63) *p++ = '-';
    bits &= ~(UINT64_C(1) << 63);
    if (bits == 0) {
        *p++ = '0';
        return (size_t)(p - text);
    }
    if (!digits_of(d, bits, &digits, &exponent))
        return (size_t)snprintf(text, DIGITS_SIZE, "%.17g", value);
    const uint64_t behind_first = digits % ten_16;
    all[0] = (char)('0' + digits / ten_16);
    put_eight(all + 1, (uint32_t)(behind_first / 100000000));
    put_eight(all + 9, (uint32_t)(behind_first % 100000000));
    int count = digit_count; /* without zeros at the end */
    while (all[count - 1] == '0') count--;
    /* copies have a fixed length, which is fast, and there is room */
    if (exponent < -4) {
        *p++ = all[0];
        *p = '.';
        memcpy(p + 1, all + 1, digit_count - 1);
        p += count > 1 ? count : 0;
        *p++ = 'e';
        *p++ = '-';
        *p++ = (char)('0' - exponent / 10);
        *p++ = (char)('0' - exponent % 10);
    } else if (exponent < 0) {
        memcpy(p, "0.000", 5);
        memcpy(p + 1 - exponent, all, digit_count);
        p += 1 - exponent + count;
    } else {
        const int before = exponent + 1;
        memcpy(p, all, digit_count); /* zeros among them, where it has fewer digits */
        p += before;
        if (count > before) {
            *p++ = '.';
            memcpy(p, all + before, digit_count); /* with some of what is behind them */
            p += count - before;
        }
    }
    return (size_t)(p - text);
}
