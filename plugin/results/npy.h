/*
 * NumPy's format of arrays (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html)
 * as far as joints.npy is one: records of doubles, in one dimension.
 */
#ifndef STICTION_RESULTS_NPY_H
#define STICTION_RESULTS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stiction/error.h"

/* Six bytes, two of the version, four of the header's length; version 1 has only two of these. */
#define NPY_MAGIC "\x93NUMPY"
enum { NPY_PREFIX = 12 };
/* Bytes of a header and columns that are read, as of a row of CSV. */
enum { NPY_MOST_HEADER = 16 << 20, NPY_MOST_COLUMNS = 1 << 18 };

typedef struct npy_head {
    char **names;
    size_t column_count;
    uint64_t row_count;
    bool big_endian;
} npy_head;

/* Reads up to the first number, and looks whether the file, of this size, has all of them. False
 * with an error; free it either way. */
bool npy_read_head(npy_head *head, FILE *file, uint64_t size, const char *path,
                   stiction_error *error);
void npy_free_head(npy_head *head);

#endif
