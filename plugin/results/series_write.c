/*
 * Printing a time series, as CSV and as NumPy's format of arrays (npy, numpy.lib.format).
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "document/c_locale.h"
#include "document/csv.h"
#include "document/number.h"
#include "document/shown.h"
#include "npy.h"
#include "series.h"

bool series_format_find(const char *word, series_format *format) {
    static const struct {
        const char *word;
        series_format format;
    } formats[] = {
        {"csv", SERIES_CSV}, {"npy", SERIES_NPY}, {"both", SERIES_BOTH}, {"none", SERIES_NONE}};
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
    number_digits digits;
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
            length = stiction_digits_write(&out->digits, row[k], to);
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
    stiction_digits_begin(&out->digits);
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

/* ---- npy ---- */

/* A text that grows; a lack of memory is remembered. */
typedef struct header {
    char *text;
    size_t length, capacity;
    bool fine;
} header;

static void add(header *h, const char *text, size_t length) {
    if (h->length + length > h->capacity) {
        const size_t capacity = 2 * h->capacity + length + 1024;
        char *longer = realloc(h->text, capacity);
        if (!longer) {
            h->fine = false;
            return;
        }
        h->text = longer;
        h->capacity = capacity;
    }
    memcpy(h->text + h->length, text, length);
    h->length += length;
}

static void add_text(header *h, const char *text) {
    add(h, text, strlen(text));
}

/* As Python writes a text, of what a name is shown as. */
static void add_name(header *h, const char *name) {
    char *shown = stiction_shown_copy(name);
    h->fine = h->fine && shown;
    add_text(h, "'");
    for (const char *c = shown ? shown : ""; *c; c++) {
        if (*c == '\'' || *c == '\\') add_text(h, "\\");
        add(h, c, 1);
    }
    add_text(h, "'");
    free(shown);
}

static bool make_header(header *h, const series_view *s) {
    char shape[80];
    *h = (header){.fine = true};
    add_text(h, "{'descr': [");
    for (size_t k = 0; k < s->column_count; k++) {
        add_text(h, k ? ", (" : "(");
        add_name(h, s->names[k]);
        add_text(h, ", '<f8')");
    }
    (void)snprintf(shape, sizeof shape, "], 'fortran_order': False, 'shape': (%zu,), }",
                   s->row_count);
    add_text(h, shape);
    /* so that numbers begin at a multiple of 64 bytes, as NumPy has it */
    while (h->fine && (NPY_PREFIX + h->length + 1) % 64) add_text(h, " ");
    add_text(h, "\n");
    return h->fine;
}

static void put_little(unsigned char *to, uint64_t number, size_t bytes) {
    for (size_t k = 0; k < bytes; k++) to[k] = (unsigned char)(number >> 8 * k);
}

/* All of them the lower byte first, whatever this machine does. */
static void print_numbers(FILE *file, const double *numbers, size_t count) {
    unsigned char bytes[1 << 13];
    const uint16_t one = 1;
    if (*(const unsigned char *)&one) {
        (void)fwrite(numbers, sizeof *numbers, count, file);
        return;
    }
    for (size_t done = 0; done < count && !ferror(file);) {
        size_t k = 0;
        for (; k < sizeof bytes / 8 && done < count; k++, done++) {
            uint64_t bits;
            memcpy(&bits, &numbers[done], sizeof bits);
            put_little(bytes + 8 * k, bits, 8);
        }
        (void)fwrite(bytes, 8, k, file);
    }
}

bool series_print_npy(FILE *file, const series_view *s) {
    header h;
    unsigned char prefix[NPY_PREFIX] = NPY_MAGIC;
    const bool made = make_header(&h, s) && h.length <= NPY_MOST_HEADER;
    if (made) {
        prefix[6] = 3; /* version 3: names are UTF-8, and may be many */
        put_little(prefix + 8, h.length, 4);
        (void)fwrite(prefix, 1, sizeof prefix, file);
        (void)fwrite(h.text, 1, h.length, file);
        print_numbers(file, s->rows, s->row_count * s->column_count);
    }
    free(h.text);
    return made && !ferror(file);
}
