/* SPDX-License-Identifier: MIT
 * The time series of a run in files, the same numbers in either: joints.csv for people and
 * spreadsheets, joints.npz (NumPy's format) for programs, in half of the time and half to
 * four fifths of the size. series_open reads either.
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
/* False: unknown name. */
bool series_format_find(const char *name, series_format *format);

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
 * digits, nothing for unknown values. False: it could not be written. */
bool series_print_csv(FILE *file, const series_view *s);
/* One array per column, see npz.h. False, with errno or the error flag of the file set. */
bool series_print_npz(FILE *file, const series_view *s);

typedef struct series_file {
    const char *name;
    series_format format;
    bool (*print)(FILE *file, const series_view *s);
} series_file;
enum { SERIES_FILES = 2 };
extern const series_file series_files[SERIES_FILES];

/* The files of a folder, whose list has some of them, become those of a format. The error is not
 * NULL. */
stiction_status series_convert(const char *folder, series_format format, stiction_error *error);

/* ---- reading ---- */

typedef struct series_reader series_reader;

/* Opens the series of a run's folder, joints.npz or else joints.csv, at its first row. NULL: see
 * *error. */
series_reader *series_open(const char *folder, stiction_error *error);
/* The same over a series in memory, which the reader does not own. */
series_reader *series_open_view(const series_view *view, stiction_error *error);
/* Whether a folder has one of them. */
bool series_is_there(const char *folder);
void series_close(series_reader *r);

const char *series_path(const series_reader *r);
size_t series_column_count(const series_reader *r);
/* As written in the file. */
const char *series_name(const series_reader *r, size_t column);
/* The column with a name, searched from `hint` on and then from the start; SIZE_MAX if there is
 * none. */
size_t series_find(const series_reader *r, const char *name, size_t hint);

typedef enum series_verdict {
    SERIES_ROW,
    SERIES_END,
    SERIES_WRONG /* see the error */
} series_verdict;

/* The entries of some columns in the next row; SIZE_MAX, or no entry: NaN. */
series_verdict series_next(series_reader *r, const size_t *columns, size_t count, double *values,
                           stiction_error *error);
/* Reports an error in the row that was read last, with its location. Returns SERIES_WRONG. */
series_verdict series_blame(const series_reader *r, stiction_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

STICTION_END_C

#endif
