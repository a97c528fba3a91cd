/*
 * The time series of a run in files, the same numbers in either: joints.csv for people and
 * spreadsheets, joints.npz (NumPy's format) for programs, in half of the time and half to
 * four fifths of the size. Whoever reads a run reads whichever there is, through series_open.
 */
#ifndef STICTION_RESULTS_SERIES_H
#define STICTION_RESULTS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "stiction/error.h"

STICTION_BEGIN_C

/* In which files, as bits. */
typedef enum series_format {
    SERIES_NONE = 0,
    SERIES_CSV = 1,
    SERIES_NPZ = 2,
    SERIES_BOTH = SERIES_CSV | SERIES_NPZ
} series_format;
#define SERIES_FORMATS "csv, npz, both or none"
/* False: there is no such word. */
bool series_format_find(const char *word, series_format *format);

#define SERIES_CSV_NAME "joints.csv"
#define SERIES_NPZ_NAME "joints.npz"

/* ---- writing ---- */

/* Rows of numbers below names; an entry that is not known is NaN. */
typedef struct series_view {
    const char *const *names; /* "time", "RWRR.position", ... */
    size_t column_count;
    const double *rows; /* one after the other */
    size_t row_count;
} series_view;

/* Names in one line and without what acts on a terminal or in a spreadsheet, numbers with 17
 * digits, nothing where it is not known. False: it could not be written. */
bool series_print_csv(FILE *file, const series_view *s);
/* An array a column, see npz.h. False: errno says why, unless the file does. */
bool series_print_npz(FILE *file, const series_view *s);

/* The files of a folder, whose list has some of them, become those of a format. The error is not
 * NULL. */
stiction_status series_convert(const char *folder, series_format format, stiction_error *error);

/* ---- reading ---- */

typedef struct series_reader series_reader;

/* The series of a run's folder: joints.npz or, where there is none, joints.csv. NULL: see *error.
 * It stands at its first row. */
series_reader *series_open(const char *folder, stiction_error *error);
/* Whether a folder has one of them. */
bool series_is_there(const char *folder);
void series_close(series_reader *r);

const char *series_path(const series_reader *r);
size_t series_column_count(const series_reader *r);
/* As it stands in the file. */
const char *series_name(const series_reader *r, size_t column);
/* The column of a name, looked for from `hint` on and around; SIZE_MAX: there is none. */
size_t series_find(const series_reader *r, const char *name, size_t hint);

typedef enum series_verdict {
    SERIES_ROW,
    SERIES_END,
    SERIES_WRONG /* the error says what */
} series_verdict;

/* The entries of some columns in the next row; SIZE_MAX, or no entry: NaN. */
series_verdict series_next(series_reader *r, const size_t *columns, size_t count, double *values,
                           stiction_error *error);
/* A mistake in the row that was read last, with its place. Gives SERIES_WRONG. */
series_verdict series_blame(const series_reader *r, stiction_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

STICTION_END_C

#endif
