/*
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
#include "npy.h"
#include "series.h"

struct series_reader {
    char *path;
    char **names;
    size_t column_count;
    bool is_npy;
    csv csv;
    FILE *file;      /* of numbers, where it is npy, */
    npy_head head;   /* whose head this is */
    double *numbers; /* of the row that was read last */
    uint64_t row;    /* which one that is, from 1 */
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
    return is_there(folder, SERIES_NPY_NAME) || is_there(folder, SERIES_CSV_NAME);
}

static bool no_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory") == STICTION_OK;
}

static stiction_place place_of(const series_reader *r) {
    return (stiction_place){r->path, r->is_npy ? 0 : (int)r->csv.line, 0};
}

static bool open_npy(series_reader *r, stiction_error *error) {
    file_problem problem;
    struct stat status;
    r->file = stiction_file_stream(r->path, FILE_MOST_RESULTS, &problem);
    if (!r->file)
        return stiction_fail_at(error, problem.status, (stiction_place){r->path, 0, 0}, "%s%s",
                                stiction_file_blamed(&problem), problem.text) == STICTION_OK;
    const uint64_t size = fstat(fileno(r->file), &status) == 0 ? (uint64_t)status.st_size : 0;
    if (!npy_read_head(&r->head, r->file, size, r->path, error)) return false;
    r->names = r->head.names;
    r->column_count = r->head.column_count;
    r->numbers = malloc(r->column_count * sizeof *r->numbers);
    return r->numbers || no_memory(error);
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
                                "there is no such file, nor " SERIES_NPY_NAME " beside it: the run "
                                "has no series (--series none keeps none)") == STICTION_OK;
    if (!stiction_csv_open(&r->csv, r->path, FILE_MOST_RESULTS, error)) return false;
    const csv_verdict verdict = stiction_csv_next_row(&r->csv, error);
    if (verdict == CSV_END)
        return stiction_fail_at(error, STICTION_INVALID_CONFIG, (stiction_place){r->path, 0, 0},
                                "there is no sample in it") == STICTION_OK;
    return verdict == CSV_ROW && keep_names(r, error);
}

series_reader *series_open(const char *folder, stiction_error *error) {
    series_reader *r = calloc(1, sizeof *r);
    if (r) r->is_npy = is_there(folder, SERIES_NPY_NAME);
    if (r) r->path = join(folder, r->is_npy ? SERIES_NPY_NAME : SERIES_CSV_NAME);
    if (!r || !r->path) {
        free(r);
        (void)no_memory(error);
        return NULL;
    }
    if (r->is_npy ? open_npy(r, error) : open_csv(r, error)) return r;
    series_close(r);
    return NULL;
}

void series_close(series_reader *r) {
    if (!r) return;
    if (r->is_npy) {
        npy_free_head(&r->head);
    } else {
        for (size_t k = 0; k < r->column_count; k++) free(r->names[k]);
        free(r->names);
        stiction_csv_close(&r->csv);
    }
    if (r->file) (void)fclose(r->file);
    free(r->numbers);
    free(r->path);
    free(r);
}

/* ---- looking ---- */

const char *series_path(const series_reader *r) {
    return r->path;
}

size_t series_column_count(const series_reader *r) {
    return r->column_count;
}

const char *series_name(const series_reader *r, size_t column) {
    return r->names[column];
}

size_t series_find(const series_reader *r, const char *name, size_t hint) {
    for (size_t k = 0; k < r->column_count; k++) {
        const size_t place = (hint + k) % r->column_count;
        if (stiction_csv_names(r->names[place], strlen(r->names[place]), name)) return place;
    }
    return SIZE_MAX;
}

series_verdict series_blame(const series_reader *r, stiction_error *error, const char *format,
                            ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (r->is_npy && r->row)
        (void)stiction_fail_at(error, STICTION_INVALID_CONFIG, place_of(r), "row %llu: %s",
                               (unsigned long long)r->row, text);
    else
        (void)stiction_fail_at(error, STICTION_INVALID_CONFIG, place_of(r), "%s", text);
    return SERIES_WRONG;
}

/* ---- rows ---- */

/* The lower byte first, whatever this machine does. */
static double number_of(const unsigned char *bytes, bool big_endian) {
    uint64_t bits = 0;
    double number;
    for (size_t k = 0; k < 8; k++) bits = bits << 8 | bytes[big_endian ? k : 7 - k];
    memcpy(&number, &bits, sizeof number);
    return number;
}

static series_verdict next_npy(series_reader *r, const size_t *columns, size_t count,
                               double *values, stiction_error *error) {
    if (r->row == r->head.row_count) return SERIES_END;
    r->row++;
    errno = 0;
    if (fread(r->numbers, sizeof *r->numbers, r->column_count, r->file) != r->column_count)
        return series_blame(r, error, "the file ends or cannot be read%s%s", errno ? ": " : "",
                            errno ? strerror(errno) : "");
    const unsigned char *bytes = (const unsigned char *)r->numbers;
    for (size_t k = 0; k < count; k++)
        values[k] = columns[k] == SIZE_MAX ? (double)NAN
                                           : number_of(bytes + 8 * columns[k], r->head.big_endian);
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
    return (r->is_npy ? next_npy : next_csv)(r, columns, count, values, error);
}
