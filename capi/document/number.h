/*
 * Numbers as they stand in a configuration file.
 */
#ifndef STICTION_CAPI_DOCUMENT_NUMBER_H
#define STICTION_CAPI_DOCUMENT_NUMBER_H

#include <stddef.h>

typedef enum number_verdict {
    NUMBER_OK,
    NUMBER_NOT_DECIMAL, /* text, hexadecimal, 1_000, 1,5, 010 (octal to some readers), ... */
    NUMBER_NOT_FINITE,  /* .nan, .inf, 1e999 */
    NUMBER_TOO_SMALL    /* not 0, but 0 as a double */
} number_verdict;

/* The double nearest to a decimal number. Unless OK, *value is NaN. The thread is in the "C"
 * locale. */
number_verdict number_read(const char *text, double *value);

/* The shortest decimal number that reads back to the same finite double; the thread is in the "C"
 * locale. Always with a point or without an exponent: every reader of YAML takes it as a number. */
enum { NUMBER_SIZE = 32 };
const char *number_write(double value, char buffer[NUMBER_SIZE]);

#endif
