/*
 * Decimal digits of a double, as printf's %.17g and %.6f write them, without printf: |x| = m 2^e,
 * and x 10^n = m 5^n 2^(e + n) is in the usual range an integer of at most 181 bits and a shift, so
 * that digits and rounding are exact. Outside of that range printf does it.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

/* 5^n has at most 128 bits for n up to 55. */
enum { digit_count = 17 };
static const uint64_t ten_16 = UINT64_C(10000000000000000);
/* 5^n, the lower 64 bits first. */
static const uint64_t fives[][2] = {{0x1, 0x0},
                                    {0x5, 0x0},
                                    {0x19, 0x0},
                                    {0x7d, 0x0},
                                    {0x271, 0x0},
                                    {0xc35, 0x0},
                                    {0x3d09, 0x0},
                                    {0x1312d, 0x0},
                                    {0x5f5e1, 0x0},
                                    {0x1dcd65, 0x0},
                                    {0x9502f9, 0x0},
                                    {0x2e90edd, 0x0},
                                    {0xe8d4a51, 0x0},
                                    {0x48c27395, 0x0},
                                    {0x16bcc41e9, 0x0},
                                    {0x71afd498d, 0x0},
                                    {0x2386f26fc1, 0x0},
                                    {0xb1a2bc2ec5, 0x0},
                                    {0x3782dace9d9, 0x0},
                                    {0x1158e460913d, 0x0},
                                    {0x56bc75e2d631, 0x0},
                                    {0x1b1ae4d6e2ef5, 0x0},
                                    {0x878678326eac9, 0x0},
                                    {0x2a5a058fc295ed, 0x0},
                                    {0xd3c21bcecceda1, 0x0},
                                    {0x422ca8b0a00a425, 0x0},
                                    {0x14adf4b7320334b9, 0x0},
                                    {0x6765c793fa10079d, 0x0},
                                    {0x4fce5e3e2502611, 0x2},
                                    {0x18f07d736b90be55, 0xa},
                                    {0x7cb2734119d3b7a9, 0x32},
                                    {0x6f7c40458122964d, 0xfc},
                                    {0x2d6d415b85acef81, 0x4ee},
                                    {0xe32246c99c60ad85, 0x18a6},
                                    {0x6fab61f00de36399, 0x7b42},
                                    {0x2e58e9b04570f1fd, 0x2684c},
                                    {0xe7bc90715b34b9f1, 0xc097c},
                                    {0x86aed236c807a1b5, 0x3c2f70},
                                    {0xa16a1b11e8262889, 0x12ced32},
                                    {0x2712875988becaad, 0x5e0a1fd},
                                    {0xc35ca4bfabb9f561, 0x1d6329f1},
                                    {0xd0cf37be5aa1cae5, 0x92efd1b8},
                                    {0x140c16b7c528f679, 0x2deaf189c},
                                    {0x643c7196d9ccd05d, 0xe596b7b0c},
                                    {0xf52e37f2410011d1, 0x47bf19673d},
                                    {0xc9e717bb45005915, 0x166bb7f0435},
                                    {0xf18376a85901bd69, 0x701a97b150c},
                                    {0xb7915149bd08b30d, 0x23084f676940},
                                    {0x95d69670b12b7f41, 0xaf298d050e43},
                                    {0xed30f03375d97c45, 0x36bcfc1194751},
                                    {0xa1f4b1014d3f6d59, 0x111b0ec57e6499},
                                    {0x29c77506823d22bd, 0x558749db77f700},
                                    {0xd0e549208b31adb1, 0x1aba4714957d300},
                                    {0x147a6da2b7f86475, 0x85a36366eb71f04},
                                    {0x6664242d97d9f649, 0x29c30f1029939b14},
                                    {0xfff4b4e3f741cf6d, 0xd0cf4b50cfe20765}};

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

/* m 5^n 2^-shift, rounded to nearest, half to even; `whole` without the rounding. A shift is at
 * most 182: what is shifted farther is 0. */
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
static bool digits_of(uint64_t bits, uint64_t *digits, int *exponent) {
    const int top = (int)(bits >> 52) - 1023;
    if (top < lowest_top || top > highest_top) return false;
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    /* the power of ten of 2^top, which is that of x or one less */
    int power = (int)(top * 0.30102999566398120 + 100) - 100;
    for (;; power++) {
        const int n = digit_count - 1 - power;
        uint64_t whole;
        *digits = scaled(fives[n], m, 52 - top - n, &whole);
        if (whole < 10 * ten_16) break;
    }
    if (*digits == 10 * ten_16) {
        *digits = ten_16;
        power++;
    }
    *exponent = power;
    return true;
}

enum { most_decimals = 15 };
static const double tens[most_decimals + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

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

size_t stiction_digits_write(double value, char text[DIGITS_SIZE]) {
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
    if (!digits_of(bits, &digits, &exponent))
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

size_t stiction_fixed_write(double value, int decimals, char text[DIGITS_SIZE]) {
    uint64_t bits, whole, digits = 0;
    memcpy(&bits, &value, sizeof bits);
    const int top = (int)(bits >> 52 & 0x7ff) - 1023, shift = 52 - top - decimals;
    if (top > highest_top || decimals < 0 || decimals > most_decimals) return 0;
    if (fabs(value) * tens[decimals] >= 1e17) return 0;
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    if (shift <= 182) digits = scaled(fives[decimals], m, shift, &whole);
    /* from the last digit on */
    char all[DIGITS_SIZE];
    size_t count = 0;
    for (; digits || count <= (size_t)decimals; digits /= 10) {
        if (decimals && count == (size_t)decimals) all[DIGITS_SIZE - 1 - count++] = '.';
        all[DIGITS_SIZE - 1 - count++] = (char)('0' + digits % 10);
    }
    const bool negative = bits >> 63;
    if (negative) all[DIGITS_SIZE - 1 - count++] = '-';
    memcpy(text, all + DIGITS_SIZE - count, count);
    return count;
}
