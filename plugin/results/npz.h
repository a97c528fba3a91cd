/* SPDX-License-Identifier: MIT
 * joints.npz: an uncompressed zip file with one NumPy array per column, NAME.npy, as numpy.savez
 * writes it. (One array of records would be simpler, but numpy.load refuses headers above 10000
 * bytes, which a humanoid exceeds.) The writer streams to a FILE; libzip would need all columns in
 * memory.
 *   https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 *   https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3 and 4.4
 */
#ifndef STICTION_RESULTS_NPZ_H
#define STICTION_RESULTS_NPZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stiction/error.h"

/* The CRC-32 of zip, eight bytes at a time. */
typedef struct npz_crc {
    uint32_t tables[8][256];
} npz_crc;

/* The name of a column as written in the file: escaped (shown.h), and without path separators, so
 * that unpacking stays in its folder. Free it with free(); NULL if memory runs out. */
char *npz_name(const char *name);

typedef struct npz_column {
    char *name;
    uint64_t begin; /* of its numbers, bytes */
    uint32_t crc;   /* of header and numbers */
} npz_column;

typedef struct npz_file {
    FILE *file;
    const char *path; /* the caller's */
    npz_column *columns;
    size_t column_count;
    uint64_t row_count;
    npz_crc crc;
} npz_file;

/* Reads the directory and the array headers. False with an error; close it in either case. */
bool npz_open(npz_file *z, const char *path, stiction_error *error);
/* The numbers of a column; free them with free(). NULL with an error. */
double *npz_read(npz_file *z, size_t column, stiction_error *error);
void npz_close(npz_file *z);

#endif
