/* SPDX-License-Identifier: MIT
 * Writing joints.npz.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "npz.h"
#include "series.h"

/* Columns that are taken from the rows at a time: what lies beside each other comes together. */
enum { together = 8 };

/* A member in the directory at the end. */
typedef struct member {
    char *name;
    uint32_t crc, offset;
} member;

typedef struct npz_out {
    FILE *file;
    const series_view *view;
    npz_crc crc;
    member *members;
    uint64_t bytes;               /* written so far */
    unsigned char head[NPZ_HEAD]; /* the same of every array */
    double *numbers;              /* of some columns */
} npz_out;

static unsigned char *put(unsigned char *to, uint64_t number, size_t bytes) {
    for (size_t k = 0; k < bytes; k++) to[k] = (unsigned char)(number >> 8 * k);
    return to + bytes;
}

static void print_bytes(npz_out *out, const void *bytes, size_t count) {
    (void)fwrite(bytes, 1, count, out->file);
    out->bytes += count;
}

/* "\x93NUMPY", version 1.0, the length of the line, and the line, which ends in a newline. */
static void make_head(npz_out *out) {
    char line[NPZ_HEAD];
    unsigned char *p = out->head;
    memcpy(p, "\x93NUMPY\x01", 8);
    p = put(p + 8, NPZ_HEAD - 10, 2);
    const int length = snprintf(line, sizeof line,
                                "{'descr': '<f8', 'fortran_order': False, "
                                "'shape': (%zu,), }",
                                out->view->row_count);
    memset(p, ' ', NPZ_HEAD - 10);
    memcpy(p, line, (size_t)length);
    out->head[NPZ_HEAD - 1] = '\n';
}

/* The lower byte first, whatever this machine does. */
static void turn_bytes(double *numbers, size_t count) {
    const uint16_t one = 1;
    if (*(const unsigned char *)&one) return;
    for (size_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &numbers[k], sizeof bits);
        (void)put((unsigned char *)&numbers[k], bits, 8);
    }
}

/* The part that the header of a member and its directory entry share: from the required version to
 * the length of the name. The date is the first that zip knows, 1980-01-01. */
static unsigned char *put_facts(unsigned char *p, const member *m, uint64_t size) {
    p = put(p, 20, 2);
    p = put(p, NPZ_UTF8, 2);
    p = put(p, 0, 2); /* not compressed */
    p = put(p, 0, 2);
    p = put(p, 0x21, 2);
    p = put(p, m->crc, 4);
    p = put(p, size, 4);
    p = put(p, size, 4);
    p = put(p, strlen(m->name) + sizeof ".npy" - 1, 2);
    return put(p, 0, 2);
}

static void print_name(npz_out *out, const member *m) {
    print_bytes(out, m->name, strlen(m->name));
    print_bytes(out, ".npy", 4);
}

static void print_column(npz_out *out, member *m, double *numbers) {
    const size_t size = out->view->row_count * sizeof *numbers;
    unsigned char header[NPZ_MEMBER_SIZE];
    turn_bytes(numbers, out->view->row_count);
    m->crc = npz_crc_of(&out->crc, 0, out->head, NPZ_HEAD);
    m->crc = npz_crc_of(&out->crc, m->crc, numbers, size);
    m->offset = (uint32_t)out->bytes;
    (void)put_facts(put(header, NPZ_MEMBER, 4), m, NPZ_HEAD + size);
    print_bytes(out, header, sizeof header);
    print_name(out, m);
    print_bytes(out, out->head, NPZ_HEAD);
    print_bytes(out, numbers, size);
}

static void print_columns(npz_out *out) {
    const series_view *v = out->view;
    for (size_t first = 0; first < v->column_count && !ferror(out->file); first += together) {
        const size_t left = v->column_count - first, count = left < together ? left : together;
        for (size_t row = 0; row < v->row_count; row++)
            for (size_t k = 0; k < count; k++)
                out->numbers[k * v->row_count + row] = v->rows[row * v->column_count + first + k];
        for (size_t k = 0; k < count; k++)
            print_column(out, &out->members[first + k], out->numbers + k * v->row_count);
    }
}

static void print_directory(npz_out *out) {
    const size_t count = out->view->column_count;
    const uint64_t begin = out->bytes, size = NPZ_HEAD + 8 * (uint64_t)out->view->row_count;
    for (size_t k = 0; k < count; k++) {
        unsigned char entry[NPZ_ENTRY_SIZE] = {0};
        unsigned char *p = put(put(entry, NPZ_ENTRY, 4), 20, 2);
        (void)put_facts(p, &out->members[k], size);
        (void)put(entry + NPZ_ENTRY_SIZE - 4, out->members[k].offset, 4);
        print_bytes(out, entry, sizeof entry);
        print_name(out, &out->members[k]);
    }
    unsigned char end[NPZ_DIRECTORY_SIZE] = {0}, *p = put(end, NPZ_DIRECTORY, 4);
    p = put(put(p + 4, count, 2), count, 2);
    (void)put(put(p, out->bytes - begin, 4), begin, 4);
    print_bytes(out, end, sizeof end);
}

/* False, with errno set, also if a name is too long. */
static bool make_members(npz_out *out) {
    const series_view *v = out->view;
    uint64_t all = NPZ_DIRECTORY_SIZE;
    out->members = calloc(v->column_count + 1, sizeof *out->members);
    errno = ENOMEM;
    if (!out->members) return false;
    for (size_t k = 0; k < v->column_count; k++) {
        char *name = npz_name(v->names[k]);
        if (!name) return false;
        out->members[k].name = name;
        const uint64_t length = strlen(name) + 4;
        if (length > 0xffff) {
            errno = ENAMETOOLONG;
            return false;
        }
        all +=
            NPZ_MEMBER_SIZE + NPZ_ENTRY_SIZE + 2 * length + NPZ_HEAD + 8 * (uint64_t)v->row_count;
    }
    errno = EFBIG;
    return v->column_count <= NPZ_MOST_MEMBERS && all <= NPZ_MOST_BYTES;
}

bool series_print_npz(FILE *file, const series_view *s) {
    npz_out *out = calloc(1, sizeof *out);
    bool made = out != NULL;
    if (made) {
        out->file = file;
        out->view = s;
        made = make_members(out);
    }
    if (made) {
        errno = ENOMEM;
        out->numbers = malloc((together * s->row_count + 1) * sizeof *out->numbers);
        made = out->numbers != NULL;
    }
    if (made) {
        make_head(out);
        npz_crc_begin(&out->crc);
        print_columns(out);
        print_directory(out);
    }
    const int why = errno;
    for (size_t k = 0; out && out->members && k < s->column_count; k++) free(out->members[k].name);
    if (out) {
        free(out->members);
        free(out->numbers);
    }
    free(out);
    errno = why;
    return made && !ferror(file);
}
