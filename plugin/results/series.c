/* SPDX-License-Identifier: MIT
 * The time series of a run in files: writing CSV, reading whichever file there is, and another
 * program's file in the format that is asked for.
 */
#include "series.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "digits.h"
#include "document/auto.h"
#include "document/c_locale.h"
#include "document/csv.h"
#include "document/fail.h"
#include "document/file.h"
#include "document/number.h"
#include "document/shown.h"
#include "npz.h"
#include "storage/folders.h"
#include "storage/manifest.h"
#include "storage/whole.h"

bool series_format_find(const char *name, series_format *format) {
    static const struct {
        const char *name;
        series_format format;
    } formats[] = {
        {"csv", SERIES_CSV}, {"npz", SERIES_NPZ}, {"both", SERIES_BOTH}, {"none", SERIES_NONE}};
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (strcmp(name, formats[k].name) == 0) {
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

static void flush_numbers(csv_out *out) {
    (void)fwrite(out->text, 1, out->length, out->file);
    out->length = 0;
}

static void put_row(csv_out *out, const double *row, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (out->length + DIGITS_SIZE + 1 > sizeof out->text) flush_numbers(out);
        char *to = out->text + out->length;
        size_t length = 0;
        /* one number in three is a single digit: flags, joints at rest, no command */
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
    flush_numbers(out);
    return !ferror(out->file);
}

bool series_print_csv(FILE *file, const series_view *s) {
    AUTO_FREE csv_out *out = malloc(sizeof *out);
    if (!out) return false;
    out->file = file;
    out->length = 0;
    const c_locale locale = c_locale_enter();
    const bool printed = print_csv(out, s);
    c_locale_leave(locale);
    return printed;
}

/* ---- reading ---- */

/* A column, to be found by its name. */
typedef struct series_head {
    const char *name;
    size_t place;
} series_head;

struct series_reader {
    char *path;
    char **names;
    series_head *heads; /* sorted: a file of another program may have many, in any order */
    size_t column_count;
    bool is_npz;
    csv csv;          /* or */
    npz_file npz;     /* whose names are those above, with */
    double **numbers; /* of each column; NULL: not requested yet; or */
    const series_view *view;
    uint64_t row_count; /* of either */
    uint64_t row;       /* that was read last, from 1 */
};

static bool is_there(const char *folder, const char *name) {
    struct stat status;
    AUTO_FREE char *path = storage_join(folder, name);
    return path && lstat(path, &status) == 0;
}

bool series_is_there(const char *folder) {
    return is_there(folder, SERIES_NPZ_NAME) || is_there(folder, SERIES_CSV_NAME);
}

static bool no_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory") == STICTION_OK;
}

static stiction_place place_of(const series_reader *r) {
    return (stiction_place){r->path, r->is_npz ? 0 : (int)r->csv.line, 0};
}

static bool open_npz(series_reader *r, stiction_error *error) {
    if (!npz_open(&r->npz, r->path, error)) return false;
    r->numbers = calloc(r->npz.column_count, sizeof *r->numbers);
    r->names = calloc(r->npz.column_count, sizeof *r->names);
    if (!r->numbers || !r->names) return no_memory(error);
    r->column_count = r->npz.column_count;
    r->row_count = r->npz.row_count;
    for (size_t k = 0; k < r->column_count; k++) r->names[k] = r->npz.columns[k].name;
    return true;
}

/* The names of its first row outlive that row. */
static bool keep_names(series_reader *r, stiction_error *error) {
    r->names = calloc(r->csv.count + 1, sizeof *r->names);
    if (!r->names) return no_memory(error);
    for (size_t k = 0; k < r->csv.count; k++) {
        r->names[k] = strdup(r->csv.cells[k].text);
        if (!r->names[k]) return no_memory(error);
        r->column_count++;
    }
    return true;
}

static bool open_csv(series_reader *r, stiction_error *error) {
    struct stat status;
    if (lstat(r->path, &status) != 0 && errno == ENOENT)
        return stiction_fail_at(error, STICTION_INVALID_CONFIG, (stiction_place){r->path, 0, 0},
                                "there is no such file, nor " SERIES_NPZ_NAME " beside it: the run "
                                "has no series (--series none keeps none)") == STICTION_OK;
    if (!stiction_csv_open(&r->csv, r->path, FILE_MOST_RESULTS, error)) return false;
    const csv_verdict verdict = stiction_csv_next_row(&r->csv, error);
    if (verdict == CSV_END)
        return stiction_fail_at(error, STICTION_INVALID_CONFIG, (stiction_place){r->path, 0, 0},
                                "there is no sample in it") == STICTION_OK;
    return verdict == CSV_ROW && keep_names(r, error);
}

static int compare_heads(const void *a, const void *b) {
    const series_head *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : (left->place > right->place) - (left->place < right->place);
}

static bool sort_names(series_reader *r, stiction_error *error) {
    r->heads = calloc(r->column_count + 1, sizeof *r->heads);
    if (!r->heads) return no_memory(error);
    for (size_t k = 0; k < r->column_count; k++) r->heads[k] = (series_head){r->names[k], k};
    qsort(r->heads, r->column_count, sizeof *r->heads, compare_heads);
    return true;
}

series_reader *series_open(const char *folder, stiction_error *error) {
    series_reader *r = calloc(1, sizeof *r);
    if (r) r->is_npz = is_there(folder, SERIES_NPZ_NAME);
    if (r) r->path = storage_join(folder, r->is_npz ? SERIES_NPZ_NAME : SERIES_CSV_NAME);
    if (!r || !r->path) {
        free(r);
        (void)no_memory(error);
        return NULL;
    }
    if ((r->is_npz ? open_npz(r, error) : open_csv(r, error)) && sort_names(r, error)) return r;
    series_close(r);
    return NULL;
}

series_reader *series_open_view(const series_view *view, stiction_error *error) {
    series_reader *r = calloc(1, sizeof *r);
    bool fine = r && (r->path = storage_join(".", "series")) &&
                (r->names = calloc(view->column_count + 1, sizeof *r->names));
    for (size_t k = 0; fine && k < view->column_count; k++, r->column_count++)
        fine = (r->names[k] = stiction_shown_copy(view->names[k])) != NULL;
    if (r) {
        r->view = view;
        r->row_count = view->row_count;
    }
    if (fine ? sort_names(r, error) : no_memory(error)) return r;
    series_close(r);
    return NULL;
}

void series_close(series_reader *r) {
    if (!r) return;
    for (size_t k = 0; k < r->column_count; k++)
        free(r->is_npz ? (void *)r->numbers[k] : r->names[k]);
    if (r->is_npz)
        npz_close(&r->npz);
    else if (!r->view)
        stiction_csv_close(&r->csv);
    free(r->names);
    free(r->heads);
    free(r->numbers);
    free(r->path);
    free(r);
}

const char *series_path(const series_reader *r) {
    return r->path;
}

size_t series_column_count(const series_reader *r) {
    return r->column_count;
}

const char *series_name(const series_reader *r, size_t column) {
    return r->names[column];
}

/* The first column of this name at or after an index. */
static size_t find_from(const series_reader *r, const char *name, size_t place) {
    const series_head wanted = {name, place};
    size_t low = 0, high = r->column_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_heads(&r->heads[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->column_count && strcmp(r->heads[low].name, name) == 0 ? r->heads[low].place
                                                                          : SIZE_MAX;
}

static size_t find_around(const series_reader *r, const char *name, size_t hint) {
    const size_t found = name ? find_from(r, name, hint) : SIZE_MAX;
    return name && found == SIZE_MAX ? find_from(r, name, 0) : found;
}

size_t series_find(const series_reader *r, const char *name, size_t hint) {
    size_t found = find_around(r, name, hint);
    if (found != SIZE_MAX) return found;
    /* as it is written in the file */
    AUTO_FREE char *other = r->is_npz ? npz_name(name) : stiction_shown_copy(name);
    return find_around(r, other, hint);
}

series_verdict series_blame(const series_reader *r, stiction_error *error, const char *format,
                            ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->is_npz && r->row)
        (void)stiction_fail_at(error, STICTION_INVALID_CONFIG, place_of(r), "row %llu: %s",
                               (unsigned long long)r->row, text);
    else
        (void)stiction_fail_at(error, STICTION_INVALID_CONFIG, place_of(r), "%s", text);
    return SERIES_WRONG;
}

/* Of a column in memory, in the present row. NULL with an error. */
static const double *find_entry(series_reader *r, size_t column, stiction_error *error) {
    if (r->view) return r->view->rows + r->row * r->column_count + column;
    if (!r->numbers[column]) r->numbers[column] = npz_read(&r->npz, column, error);
    return r->numbers[column] ? r->numbers[column] + r->row : NULL;
}

static series_verdict next_in_memory(series_reader *r, const size_t *columns, size_t count,
                                     double *values, stiction_error *error) {
    if (r->row == r->row_count) return SERIES_END;
    for (size_t k = 0; k < count; k++) {
        static const double unknown = (double)NAN;
        const double *entry = columns[k] == SIZE_MAX ? &unknown : find_entry(r, columns[k], error);
        if (!entry) return SERIES_WRONG;
        values[k] = *entry;
    }
    r->row++;
    return SERIES_ROW;
}

/* An empty cell is an unknown value. */
static bool read_cell(const char *text, double *value) {
    *value = (double)NAN;
    if (!*text) return true;
    switch (stiction_number_read(text, value)) {
    case NUMBER_OK:
    case NUMBER_LEADING_ZERO:
        return true;
    case NUMBER_TOO_SMALL:
        *value = 0;
        return true;
    case NUMBER_NOT_FINITE:
        break;
    case NUMBER_NOT_DECIMAL: {
        const char *magnitude = text + strspn(text, "+-");
        if (strcasecmp(magnitude, "nan") == 0) return true;
        if (strcasecmp(magnitude, "inf") != 0) return false;
    }
    }
    *value = *text == '-' ? -(double)INFINITY : (double)INFINITY;
    return true;
}

static series_verdict next_csv(series_reader *r, const size_t *columns, size_t count,
                               double *values, stiction_error *error) {
    const csv_verdict verdict = stiction_csv_next_row(&r->csv, error);
    if (verdict == CSV_END) return SERIES_END;
    if (verdict != CSV_ROW) return SERIES_WRONG;
    r->row++;
    if (r->csv.count != r->column_count)
        return series_blame(r, error, "%zu cells instead of %zu", r->csv.count, r->column_count);
    for (size_t k = 0; k < count; k++) {
        values[k] = (double)NAN;
        if (columns[k] == SIZE_MAX) continue;
        const char *text = r->csv.cells[columns[k]].text;
        if (!read_cell(text, &values[k]))
            return series_blame(r, error, "column %zu: '%.200s' is not a number", columns[k] + 1,
                                text);
    }
    return SERIES_ROW;
}

series_verdict series_next(series_reader *r, const size_t *columns, size_t count, double *values,
                           stiction_error *error) {
    return (r->view || r->is_npz ? next_in_memory : next_csv)(r, columns, count, values, error);
}

/* ---- converting ---- */

OWNS(series_reader, series_close)

const series_file series_files[SERIES_FILES] = {{SERIES_CSV_NAME, SERIES_CSV, series_print_csv},
                                                {SERIES_NPZ_NAME, SERIES_NPZ, series_print_npz}};

/* All rows of all columns; false with an error. */
static bool read_all(series_reader *r, double **rows, size_t *row_count, stiction_error *error) {
    const size_t columns = r->column_count;
    size_t capacity = 0;
    AUTO_FREE size_t *all = malloc((columns + 1) * sizeof *all);
    series_verdict verdict = SERIES_ROW;
    *row_count = 0;
    for (size_t k = 0; all && k < columns; k++) all[k] = k;
    while (all && verdict == SERIES_ROW) {
        if (*row_count == capacity) {
            capacity = 2 * capacity + 1024;
            double *more = realloc(*rows, capacity * columns * sizeof *more);
            if (!more) break;
            *rows = more;
        }
        verdict = series_next(r, all, columns, *rows + *row_count * columns, error);
        *row_count += verdict == SERIES_ROW;
    }
    if (verdict == SERIES_ROW) (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    return verdict == SERIES_END;
}

typedef struct printing {
    const series_file *as;
    const series_view *view;
} printing;

static bool print_file(FILE *out, const void *context) {
    const printing *p = context;
    return p->as->print(out, p->view);
}

/* Creates or removes one file together with its entry in the manifest. False: see errno. */
static bool settle(const char *folder, const series_file *file, series_format format,
                   const series_view *view, manifest *list, char *path, size_t size) {
    (void)snprintf(path, size, "%s/%s", folder, file->name);
    const bool listed = manifest_has(list, file->name);
    if (format & file->format)
        return listed || (storage_file_write(path, print_file, &(printing){file, view}) &&
                          manifest_add(list, folder, file->name));
    manifest_drop(list, file->name);
    return !listed || unlink(path) == 0;
}

static stiction_status convert(const char *folder, series_format format, const series_view *view,
                               stiction_error *error) {
    char path[4096];
    AUTO(manifest_free) manifest list;
    bool fine = manifest_read(&list, folder) == MANIFEST_FINE;
    (void)snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
    for (size_t k = 0; k < SERIES_FILES && fine; k++)
        fine = settle(folder, &series_files[k], format, view, &list, path, sizeof path);
    fine = fine && manifest_write(&list, folder);
    const int why = errno;
    if (fine) return STICTION_OK;
    return stiction_fail(error, why == ENOMEM ? STICTION_OUT_OF_MEMORY : STICTION_INVALID_ARGUMENT,
                         "cannot write %.700s: %s", path, strerror(why));
}

stiction_status series_convert(const char *folder, series_format format, stiction_error *error) {
    OWNED(series_reader) *r = series_open(folder, error);
    if (!r) return error->status;
    AUTO_FREE double *rows = NULL;
    size_t row_count;
    if (!read_all(r, &rows, &row_count, error)) return error->status;
    const series_view view = {(const char *const *)r->names, r->column_count, rows, row_count};
    return convert(folder, format, &view, error);
}
