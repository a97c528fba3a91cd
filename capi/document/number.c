/* SPDX-License-Identifier: MIT
 * Numbers of files and options: decimal, finite, correctly rounded.
 */
#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *skip_sign(const char *p) {
    return p + (*p == '-' || *p == '+');
}

static const char *skip_digits(const char *p) {
    while (*p >= '0' && *p <= '9') p++;
    return p;
}

/* [-+] digits [. digits] [e [-+] digits], a digit before or after the point. */
static bool is_decimal(const char *text) {
    const char *whole = skip_sign(text), *p = skip_digits(whole);
    size_t digits = (size_t)(p - whole);
    if (*p == '.') {
        const char *fraction = ++p;
        p = skip_digits(p);
        digits += (size_t)(p - fraction);
    }
    if (digits == 0) return false;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = skip_sign(p + 1);
        p = skip_digits(exponent);
        if (p == exponent) return false;
    }
    return *p == '\0';
}

/* How YAML writes what is not finite. */
static bool is_special(const char *text) {
    static const char *const words[] = {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"};
    text = skip_sign(text);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (strcmp(text, words[k]) == 0) return true;
    return false;
}

static bool has_leading_zero(const char *text) {
    text = skip_sign(text);
    return text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

number_verdict stiction_number_read(const char *text, double *value) {
    *value = (double)NAN;
    if (is_special(text)) return NUMBER_NOT_FINITE;
    if (!is_decimal(text)) return NUMBER_NOT_DECIMAL;

    char *end;
    errno = 0;
    const double number = strtod(text, &end);
    if (*end) return NUMBER_NOT_DECIMAL;
    if (isinf(number)) return NUMBER_NOT_FINITE;
    if (number == 0 && errno == ERANGE) return NUMBER_TOO_SMALL;
    *value = number;
    return has_leading_zero(text) ? NUMBER_LEADING_ZERO : NUMBER_OK;
}

bool stiction_decimal(const char *text, double *value) {
    const number_verdict verdict = stiction_number_read(text, value);
    return verdict == NUMBER_OK || verdict == NUMBER_LEADING_ZERO;
}

const char *stiction_number_write(double value, char buffer[NUMBER_SIZE]) {
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(buffer, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    /* YAML 1.1 takes 1e-05 as a text, 1.0e-05 as a number */
    char *exponent = strchr(buffer, 'e');
    if (exponent && !strchr(buffer, '.')) {
        memmove(exponent + 2, exponent, strlen(exponent) + 1);
        memcpy(exponent, ".0", 2); /* NOLINT(bugprone-not-null-terminated-result): the end stays */
    }
    return buffer;
}

static const char *skip_spaces(const char *text) {
    return text + strspn(text, " \t\r\n");
}

bool stiction_number_read_loosely(const char *text, double *value) {
    char word[400]; /* a double needs no more digits */
    text = skip_spaces(text);
    const size_t length = strcspn(text, " \t\r\n");
    if (length >= sizeof word || *skip_spaces(text + length)) return false;
    memcpy(word, text, length);
    word[length] = '\0';
    const char *magnitude = word + strspn(word, "+-");
    const bool infinite = strcasecmp(magnitude, "inf") == 0;
    const number_verdict verdict = stiction_number_read(word, value);
    if (verdict == NUMBER_TOO_SMALL) *value = 0;
    if (verdict == NUMBER_NOT_FINITE || infinite)
        *value = word[0] == '-' ? -(double)INFINITY : (double)INFINITY;
    return verdict != NUMBER_NOT_DECIMAL || infinite || strcasecmp(magnitude, "nan") == 0;
}
