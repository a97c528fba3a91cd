/* SPDX-License-Identifier: MIT
 * Writes a time series as CSV, and the names of its formats.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "document/c_locale.h"
#include "document/csv.h"
#include "series.h"

bool series_format_find(const char *word, series_format *format) {
    static const struct {
        const char *word;
        series_format format;
    } formats[] = {
        {"csv", SERIES_CSV}, {"npz", SERIES_NPZ}, {"both", SERIES_BOTH}, {"none", SERIES_NONE}};
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (strcmp(word, formats[k].word) == 0) {
            *format = formats[k].format;
            return true;
        }
    return false;
}

/* ---- CSV ---- */

/* Numbers on their way to the file: one call of stdio for thousands of them. */
typedef struct csv_out {
    FILE *file;
    size_t length;
    char text[1 << 16];
} csv_out;

static void flush(csv_out *out) {
    (void)fwrite(out->text, 1, out->length, out->file);
    out->length = 0;
}

static void put_row(csv_out *out, const double *row, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (out->length + DIGITS_SIZE + 1 > sizeof out->text) flush(out);
        char *to = out->text + out->length;
        size_t length = 0;
        /* sticks or slides, at rest, without command: one number in three is a digit */
        if (row[k] == 0 && !signbit(row[k]))
            to[length++] = '0';
        else if (row[k] == 1)
            to[length++] = '1';
        else if (!isnan(row[k]))
            length = digits_write(row[k], to);
        to[length++] = k + 1 < count ? ',' : '\n';
        out->length += length;
    }
}

static bool print_csv(csv_out *out, const series_view *s) {
    for (size_t k = 0; k < s->column_count; k++) {
        if (k) fputc(',', out->file);
        stiction_csv_print(out->file, s->names[k]);
    }
    fputc('\n', out->file);
    for (size_t row = 0; row < s->row_count && !ferror(out->file); row++)
        put_row(out, s->rows + row * s->column_count, s->column_count);
    flush(out);
    return !ferror(out->file);
}

bool series_print_csv(FILE *file, const series_view *s) {
    csv_out *out = malloc(sizeof *out);
    if (!out) return false;
    out->file = file;
    out->length = 0;
    const c_locale locale = c_locale_enter();
    const bool printed = print_csv(out, s);
    c_locale_leave(locale);
    free(out);
    return printed;
}
