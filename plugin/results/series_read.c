/* SPDX-License-Identifier: MIT
 * Reading the time series of a run, from whichever file has them.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "document/csv.h"
#include "document/fail.h"
#include "document/file.h"
#include "document/number.h"
#include "document/shown.h"
#include "npz.h"
#include "series.h"

/* A column, to be found by its name. */
typedef struct series_head {
    const char *name;
    size_t place;
} series_head;

struct series_reader {
    char *path;
    char **names;
    series_head *heads; /* sorted: a stranger's file may have many, in any order */
    size_t column_count;
    bool is_npz;
    csv csv;          /* or */
    npz_file npz;     /* whose names are those above, with */
    double **numbers; /* of each column; NULL: not requested yet */
    uint64_t row;     /* that was read last, from 1 */
};

/* ---- opening ---- */

/* "a" and "b" -> "a/b"; NULL: no memory. */
static char *join(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + sizeof "/";
    char *path = malloc(size);
    if (path) (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static bool is_there(const char *folder, const char *name) {
    struct stat status;
    char *path = join(folder, name);
    const bool there = path && lstat(path, &status) == 0;
    free(path);
    return there;
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

static int compare(const void *a, const void *b) {
    const series_head *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : (left->place > right->place) - (left->place < right->place);
}

static bool sort_names(series_reader *r, stiction_error *error) {
    r->heads = calloc(r->column_count + 1, sizeof *r->heads);
    if (!r->heads) return no_memory(error);
    for (size_t k = 0; k < r->column_count; k++) r->heads[k] = (series_head){r->names[k], k};
    qsort(r->heads, r->column_count, sizeof *r->heads, compare);
    return true;
}

series_reader *series_open(const char *folder, stiction_error *error) {
    series_reader *r = calloc(1, sizeof *r);
    if (r) r->is_npz = is_there(folder, SERIES_NPZ_NAME);
    if (r) r->path = join(folder, r->is_npz ? SERIES_NPZ_NAME : SERIES_CSV_NAME);
    if (!r || !r->path) {
        free(r);
        (void)no_memory(error);
        return NULL;
    }
    if ((r->is_npz ? open_npz(r, error) : open_csv(r, error)) && sort_names(r, error)) return r;
    series_close(r);
    return NULL;
}

void series_close(series_reader *r) {
    if (!r) return;
    for (size_t k = 0; k < r->column_count; k++)
        free(r->is_npz ? (void *)r->numbers[k] : r->names[k]);
    if (r->is_npz)
        npz_close(&r->npz);
    else
        stiction_csv_close(&r->csv);
    free(r->names);
    free(r->heads);
    free(r->numbers);
    free(r->path);
    free(r);
}

/* ---- access ---- */

const char *series_path(const series_reader *r) {
    return r->path;
}

size_t series_column_count(const series_reader *r) {
    return r->column_count;
}

const char *series_name(const series_reader *r, size_t column) {
    return r->names[column];
}

/* The first column of this name from a place on. */
static size_t find_from(const series_reader *r, const char *name, size_t place) {
    const series_head wanted = {name, place};
    size_t low = 0, high = r->column_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(&r->heads[middle], &wanted) < 0)
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
    size_t found = r->is_npz ? SIZE_MAX : find_around(r, name, hint);
    if (found != SIZE_MAX) return found;
    /* as it is called there, or shown */
    char *other = r->is_npz ? npz_name(name) : stiction_shown_copy(name);
    found = find_around(r, other, hint);
    free(other);
    return found;
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

/* ---- rows ---- */

static series_verdict next_npz(series_reader *r, const size_t *columns, size_t count,
                               double *values, stiction_error *error) {
    if (r->row == r->npz.row_count) return SERIES_END;
    for (size_t k = 0; k < count; k++) {
        const size_t at = columns[k];
        if (at != SIZE_MAX && !r->numbers[at] && !(r->numbers[at] = npz_read(&r->npz, at, error)))
            return SERIES_WRONG;
        values[k] = at == SIZE_MAX ? (double)NAN : r->numbers[at][r->row];
    }
    r->row++;
    return SERIES_ROW;
}

/* An empty cell is where nothing is known. */
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
            return series_blame(r, error, "column %zu: '%.200s' is no number", columns[k] + 1,
                                text);
    }
    return SERIES_ROW;
}

series_verdict series_next(series_reader *r, const size_t *columns, size_t count, double *values,
                           stiction_error *error) {
    return (r->is_npz ? next_npz : next_csv)(r, columns, count, values, error);
}
