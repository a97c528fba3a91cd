/* SPDX-License-Identifier: MIT
 * A law of friction fitted to a table of torque over velocity, by least squares.
 */
#ifndef STICTION_TOOLS_IMPORT_FIT_H
#define STICTION_TOOLS_IMPORT_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* No velocity is 0; the torque of friction has the sign of the velocity. */
typedef struct fit_table {
    const double *velocity, *torque;
    size_t count;
} fit_table;

/* The numbers of a fit, in this order. */
typedef enum fit_number {
    FIT_COULOMB,  /* F_C */
    FIT_FALL,     /* F_S - F_C */
    FIT_VELOCITY, /* v_S */
    FIT_EXPONENT, /* alpha */
    FIT_VISCOUS,  /* D */
    FIT_REVERSE,  /* friction backwards over forwards */
    FIT_COUNT
} fit_number;

typedef struct fit {
    const char *law;         /* coulomb, stribeck, rational */
    double value[FIT_COUNT]; /* of what the law has not: 0, or 1 for exponent and reverse */
    double error[FIT_COUNT]; /* standard error; NaN: held, or not identified at all */
    unsigned free;           /* bit k: number k was fitted */
    double residual;         /* root of the mean square, N m */
    double criterion;        /* Schwarz's, by which laws are compared: less is better */
} fit;

/* How many speeds a law needs in order to be fitted. */
size_t fit_speeds_needed(const char *law);
size_t fit_speeds(const fit_table *table);

/* The best fit of a law, NULL: of all that the table has enough speeds for. False: it has enough
 * for none, or no memory. */
bool fit_table_to(const fit_table *table, const char *law, fit *best);

/* The torque of a fit at a velocity, which is not 0. */
double fit_at(const fit *f, double velocity);

#endif
