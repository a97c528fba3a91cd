/* SPDX-License-Identifier: MIT
 * Decimal numbers of files and options: read and written in one way.
 */
#ifndef STICTION_CAPI_DOCUMENT_NUMBER_H
#define STICTION_CAPI_DOCUMENT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum number_verdict {
    NUMBER_OK,
    NUMBER_LEADING_ZERO, /* 010: ten, but eight to some readers of YAML */
    NUMBER_NOT_DECIMAL,  /* text, hexadecimal, 1_000, 1,5, ... */
    NUMBER_NOT_FINITE,   /* .nan, .inf, 1e999 */
    NUMBER_TOO_SMALL     /* not 0, but 0 as a double */
} number_verdict;

/* The double nearest to a decimal number. Unless OK or with a leading 0, *value is NaN. The thread
 * is in the "C" locale. */
number_verdict stiction_number_read(const char *text, double *value);

/* Whether a text is a finite decimal number, with or without a leading 0. */
bool stiction_decimal(const char *text, double *value);

/* A number of an option or a table: spaces around it, nan and inf are allowed, 1e-999 is 0. */
bool stiction_number_read_loosely(const char *text, double *value);

/* The shortest decimal number that reads back to the same finite double; the thread is in the "C"
 * locale. Always with a point or without an exponent: every reader of YAML takes it as a number. */
enum { NUMBER_SIZE = 32 };
const char *stiction_number_write(double value, char buffer[NUMBER_SIZE]);

#endif
