/* SPDX-License-Identifier: MIT
 * The series of a folder in other files than the engine has written: another program's engine
 * writes joints.csv.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/fail.h"
#include "series.h"
#include "storage/manifest.h"
#include "storage/whole.h"

static const struct {
    const char *name;
    series_format format;
    bool (*print)(FILE *file, const series_view *s);
} files[] = {{SERIES_CSV_NAME, SERIES_CSV, series_print_csv},
             {SERIES_NPZ_NAME, SERIES_NPZ, series_print_npz}};
enum { file_count = sizeof files / sizeof files[0] };

/* All rows of all columns; false with an error. */
static bool read_all(series_reader *r, double **rows, size_t *row_count, stiction_error *error) {
    const size_t columns = series_column_count(r);
    size_t capacity = 0, *all = malloc((columns + 1) * sizeof *all);
    series_verdict verdict = SERIES_ROW;
    *rows = NULL;
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
    free(all);
    if (verdict == SERIES_ROW) (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    return verdict == SERIES_END;
}

static bool write_one(const char *path, size_t k, const series_view *view) {
    storage_file file;
    if (!storage_file_begin(&file, path)) return false;
    errno = ENOMEM; /* unless the file says otherwise */
    if (files[k].print(file.out, view) || ferror(file.out)) return storage_file_end(&file);
    storage_file_drop(&file);
    errno = ENOMEM;
    return false;
}

/* Creates or removes one file together with its entry in the manifest. False: see errno. */
static bool settle(const char *folder, size_t k, series_format format, const series_view *view,
                   manifest *list, char *path, size_t size) {
    (void)snprintf(path, size, "%s/%s", folder, files[k].name);
    const bool listed = manifest_has(list, files[k].name);
    if (format & files[k].format)
        return listed || (write_one(path, k, view) && manifest_add(list, folder, files[k].name));
    manifest_drop(list, files[k].name);
    return !listed || unlink(path) == 0;
}

static stiction_status convert(const char *folder, series_format format, const series_view *view,
                               stiction_error *error) {
    char path[4096];
    manifest list;
    bool fine = manifest_read(&list, folder) == MANIFEST_FINE;
    (void)snprintf(path, sizeof path, "%s/" MANIFEST_NAME, folder);
    for (size_t k = 0; k < file_count && fine; k++)
        fine = settle(folder, k, format, view, &list, path, sizeof path);
    fine = fine && manifest_write(&list, folder);
    const int why = errno;
    manifest_free(&list);
    if (fine) return STICTION_OK;
    return stiction_fail(error, why == ENOMEM ? STICTION_OUT_OF_MEMORY : STICTION_INVALID_ARGUMENT,
                         "cannot write %.700s: %s", path, strerror(why));
}

stiction_status series_convert(const char *folder, series_format format, stiction_error *error) {
    series_reader *r = series_open(folder, error);
    if (!r) return error->status;
    double *rows;
    size_t row_count;
    const size_t columns = series_column_count(r);
    const char **names = malloc((columns + 1) * sizeof *names);
    stiction_status status = STICTION_OUT_OF_MEMORY;
    bool fine = read_all(r, &rows, &row_count, error);
    if (!fine)
        status = error->status;
    else if (!names)
        (void)stiction_fail(error, status, "out of memory");
    for (size_t k = 0; names && k < columns; k++) names[k] = series_name(r, k);
    if (fine && names)
        status = convert(folder, format, &(series_view){names, columns, rows, row_count}, error);
    free(rows);
    free((void *)names);
    series_close(r);
    return status;
}
