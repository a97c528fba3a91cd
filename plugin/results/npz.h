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

/* ---- what reading and writing share ---- */

/* Bytes before the numbers of an array: NumPy's header. */
enum { NPZ_HEAD = 128 };

/* Zip headers and their lengths: of a member, of its directory entry, of the end of the directory.
 */
#define NPZ_MEMBER    UINT32_C(0x04034b50)
#define NPZ_ENTRY     UINT32_C(0x02014b50)
#define NPZ_DIRECTORY UINT32_C(0x06054b50)
enum { NPZ_MEMBER_SIZE = 30, NPZ_ENTRY_SIZE = 46, NPZ_DIRECTORY_SIZE = 22 };
/* Names are UTF-8. */
enum { NPZ_UTF8 = 0x0800 };
/* The limits without zip64. */
enum { NPZ_MOST_MEMBERS = 0xfffe };
#define NPZ_MOST_BYTES UINT64_C(0xfffffffe)

/* The CRC-32 of zip, eight bytes at a time. */
typedef struct npz_crc {
    uint32_t tables[8][256];
} npz_crc;
void npz_crc_begin(npz_crc *c);
uint32_t npz_crc_of(const npz_crc *c, uint32_t before, const void *bytes, size_t count);

/* The name of a column as written in the file: escaped (shown.h), and without path separators, so
 * that unpacking stays in its folder. Free it with free(); NULL if memory runs out. */
char *npz_name(const char *name);

/* ---- reading ---- */

typedef struct npz_column {
    char *name;
    uint64_t begin; /* of its numbers, bytes */
    uint32_t crc;   /* of head and numbers */
    unsigned char *head;
    size_t head_size;
    bool big_endian;
} npz_column;

typedef struct npz_file {
    FILE *file;
    const char *path; /* the caller's */
    npz_column *columns;
    size_t column_count, capacity;
    uint64_t row_count;
    npz_crc crc;
} npz_file;

/* Reads the directory and the array headers. False with an error; close it in either case. */
bool npz_open(npz_file *z, const char *path, stiction_error *error);
/* The numbers of a column; free them with free(). NULL with an error. */
double *npz_read(npz_file *z, size_t column, stiction_error *error);
void npz_close(npz_file *z);

#endif
