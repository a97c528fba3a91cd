/* SPDX-License-Identifier: MIT
 * joints.npz. Anybody may have written a file that is read: nothing is believed of its sizes and
 * places, and all members together are no larger than the file.
 */
#include "npz.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "document/auto.h"
#include "document/fail.h"
#include "document/file.h"
#include "document/shown.h"
#include "series.h"

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

/* The polynomial of zip, its bits in reverse order. */
#define POLYNOMIAL UINT32_C(0xedb88320)

static void crc_begin(npz_crc *c) {
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t rest = k;
        for (int bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (rest & 1 ? POLYNOMIAL : 0);
        c->tables[0][k] = rest;
    }
    /* the same continued with more bytes */
    for (size_t n = 1; n < 8; n++)
        for (size_t k = 0; k < 256; k++) {
            const uint32_t before = c->tables[n - 1][k];
            c->tables[n][k] = before >> 8 ^ c->tables[0][before & 0xff];
        }
}

static uint32_t crc_of(const npz_crc *c, uint32_t before, const void *bytes, size_t count) {
    const unsigned char *b = bytes;
    uint32_t crc = ~before;
    for (; count >= 8; count -= 8, b += 8) {
        crc ^= (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        crc = c->tables[7][crc & 0xff] ^ c->tables[6][crc >> 8 & 0xff] ^
              c->tables[5][crc >> 16 & 0xff] ^ c->tables[4][crc >> 24] ^ c->tables[3][b[4]] ^
              c->tables[2][b[5]] ^ c->tables[1][b[6]] ^ c->tables[0][b[7]];
    }
    for (; count; count--, b++) crc = crc >> 8 ^ c->tables[0][(crc ^ *b) & 0xff];
    return ~crc;
}

static unsigned char *put(unsigned char *to, uint64_t number, size_t bytes) {
    for (size_t k = 0; k < bytes; k++) to[k] = (unsigned char)(number >> 8 * k);
    return to + bytes;
}

/* Turns doubles to or from those with the lower byte first. */
static void turn_bytes(double *numbers, size_t count) {
    const uint16_t one = 1;
    if (*(const unsigned char *)&one) return;
    for (size_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &numbers[k], sizeof bits);
        (void)put((unsigned char *)&numbers[k], bits, 8);
    }
}

/* "\x93NUMPY", version 1.0, the length of the line, and the line, which ends in a newline. NumPy
 * writes the same. */
static void make_head(unsigned char head[NPZ_HEAD], uint64_t rows) {
    enum { begin = 10 };
    memcpy(head, "\x93NUMPY\x01", 8);
    (void)put(head + 8, NPZ_HEAD - begin, 2);
    memset(head + begin, ' ', NPZ_HEAD - begin);
    const int length = snprintf((char *)head + begin, NPZ_HEAD - begin,
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (%llu,), }",
                                (unsigned long long)rows);
    head[begin + length] = ' ';
    head[NPZ_HEAD - 1] = '\n';
}

static bool leads_out(const char *name) {
    if (*name == '/' || *name == '\\') return true;
    for (const char *dots = name; (dots = strstr(dots, "..")); dots++) {
        const bool begins = dots == name || dots[-1] == '/' || dots[-1] == '\\';
        if (begins && (dots[2] == '/' || dots[2] == '\\')) return true;
    }
    return false;
}

char *npz_name(const char *name) {
    char *shown = stiction_shown_copy(name);
    if (shown && leads_out(shown))
        for (char *c = shown; *c; c++)
            if (*c == '/' || *c == '\\') *c = '_';
    return shown;
}

/* ---- reading ---- */

/* The longest directory that is read, bytes. */
enum { most_directory = 64 << 20 };

static bool refuse(const npz_file *z, stiction_error *error, const char *what) {
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, (stiction_place){z->path, 0, 0}, "%s",
                            what) == STICTION_OK;
}

/* About a member. */
static bool refuse_column(const npz_file *z, stiction_error *error, const char *name,
                          const char *what) {
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, (stiction_place){z->path, 0, 0},
                            "'%.300s' in it %s", name, what) == STICTION_OK;
}

static bool no_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory") == STICTION_OK;
}

static uint64_t number_at(const unsigned char *from, size_t bytes) {
    uint64_t number = 0;
    while (bytes--) number = number << 8 | from[bytes];
    return number;
}

static bool read_at(npz_file *z, uint64_t place, void *to, size_t count) {
    return fseeko(z->file, (off_t)place, SEEK_SET) == 0 && fread(to, 1, count, z->file) == count;
}

/* The directory, by the record at the end of the file, which has no comment. False with an error.
 */
static bool find_directory(npz_file *z, uint64_t file_size, uint64_t *begin, uint64_t *size,
                           size_t *count, stiction_error *error) {
    unsigned char tail[NPZ_DIRECTORY_SIZE];
    const uint64_t end = file_size - sizeof tail;
    if (file_size < sizeof tail || !read_at(z, end, tail, sizeof tail) ||
        number_at(tail, 4) != NPZ_DIRECTORY)
        return refuse(
            z, error,
            "it is not an npz file, or its end is missing: it has no directory of a zip file");
    *count = (size_t)number_at(tail + 10, 2);
    *size = number_at(tail + 12, 4);
    *begin = number_at(tail + 16, 4);
    if (*begin > end || *size > end - *begin || *size > most_directory)
        return refuse(z, error, "its directory is outside of the file or too large");
    return *count <= NPZ_MOST_MEMBERS || refuse(z, error, "it has more than 65534 arrays");
}

/* "RWRR.position.npy" */
static bool is_array_name(const unsigned char *name, size_t length) {
    return length > 4 && memcmp(name + length - 4, ".npy", 4) == 0 && !memchr(name, 0, length);
}

/* Without its end; NULL: no memory. */
static char *copy_name(const unsigned char *from, size_t length) {
    char *name = malloc(length - 3);
    if (!name) return NULL;
    memcpy(name, from, length - 4);
    name[length - 4] = '\0';
    return name;
}

/* Reads one entry, of at most `left` bytes, into a column. `room` is the number of bytes of the
 * file that earlier members left. */
static bool add_column(npz_file *z, const unsigned char *entry, size_t *left, uint64_t *room,
                       stiction_error *error) {
    if (*left < NPZ_ENTRY_SIZE || number_at(entry, 4) != NPZ_ENTRY)
        return refuse(z, error, "its directory has fewer entries than it says");
    const size_t name_length = (size_t)number_at(entry + 28, 2),
                 length = NPZ_ENTRY_SIZE + name_length + (size_t)number_at(entry + 30, 2) +
                          (size_t)number_at(entry + 32, 2);
    if (*left < length) return refuse(z, error, "its directory ends in an entry");
    *left -= length;
    if (!is_array_name(entry + NPZ_ENTRY_SIZE, name_length))
        return refuse(z, error, "it has something else than arrays, NAME.npy, in it");
    npz_column *c = &z->columns[z->column_count];
    *c = (npz_column){.name = copy_name(entry + NPZ_ENTRY_SIZE, name_length),
                      .crc = (uint32_t)number_at(entry + 16, 4)};
    if (!c->name) return no_memory(error);
    z->column_count++;
    const uint64_t size = number_at(entry + 24, 4), offset = number_at(entry + 42, 4);
    if (number_at(entry + 8, 2) & 1) return refuse_column(z, error, c->name, "is encrypted");
    if (number_at(entry + 10, 2) != 0 || number_at(entry + 20, 4) != size)
        return refuse_column(z, error, c->name, "is compressed; numpy.savez writes what is read");
    unsigned char header[NPZ_MEMBER_SIZE];
    if (!read_at(z, offset, header, sizeof header) || number_at(header, 4) != NPZ_MEMBER)
        return refuse_column(z, error, c->name, "is not where the directory says");
    const uint64_t before = NPZ_MEMBER_SIZE + number_at(header + 26, 2) + number_at(header + 28, 2);
    if (size > *room || before > *room - size)
        return refuse_column(z, error, c->name, "is larger than what the file has for it");
    *room -= before + size;
    c->begin = offset + before;
    const uint64_t rows = size > NPZ_HEAD ? (size - NPZ_HEAD) / 8 : 0;
    unsigned char head[NPZ_HEAD], expected[NPZ_HEAD];
    make_head(expected, rows);
    if (size != NPZ_HEAD + 8 * rows || !read_at(z, c->begin, head, NPZ_HEAD) ||
        memcmp(head, expected, NPZ_HEAD) != 0)
        return refuse_column(
            z, error, c->name,
            "is not an array of doubles of one dimension with the header and the size "
            "that numpy.savez writes");
    c->begin += NPZ_HEAD;
    if (z->column_count > 1 && rows != z->row_count)
        return refuse_column(z, error, c->name, "has another number of rows than the first one");
    z->row_count = rows;
    return true;
}

static bool read_directory(npz_file *z, uint64_t file_size, stiction_error *error) {
    uint64_t begin = 0, size = 0;
    size_t count = 0;
    if (!find_directory(z, file_size, &begin, &size, &count, error)) return false;
    if (count == 0) return refuse(z, error, "there is no array in it");
    AUTO_FREE unsigned char *entries = malloc((size_t)size + 1);
    z->columns = calloc(count, sizeof *z->columns);
    if (!entries || !z->columns) return no_memory(error);
    if (!read_at(z, begin, entries, (size_t)size))
        return refuse(z, error, "its directory cannot be read");
    size_t left = (size_t)size;
    uint64_t room = file_size;
    for (size_t k = 0; k < count; k++)
        if (!add_column(z, entries + (size - left), &left, &room, error)) return false;
    return true;
}

bool npz_open(npz_file *z, const char *path, stiction_error *error) {
    file_problem problem;
    struct stat status;
    *z = (npz_file){.path = path};
    crc_begin(&z->crc);
    z->file = stiction_file_stream(path, FILE_MOST_RESULTS, &problem);
    if (!z->file)
        return stiction_fail_at(error, problem.status, (stiction_place){path, 0, 0}, "%s%s",
                                stiction_file_blamed(&problem), problem.text) == STICTION_OK;
    if (fstat(fileno(z->file), &status) != 0) return refuse(z, error, strerror(errno));
    return read_directory(z, (uint64_t)status.st_size, error);
}

void npz_close(npz_file *z) {
    for (size_t k = 0; k < z->column_count; k++) free(z->columns[k].name);
    free(z->columns);
    if (z->file) (void)fclose(z->file);
    *z = (npz_file){.file = NULL};
}

double *npz_read(npz_file *z, size_t column, stiction_error *error) {
    const npz_column *c = &z->columns[column];
    const size_t count = (size_t)z->row_count, size = count * sizeof(double);
    AUTO_FREE double *numbers = malloc(size + 1);
    unsigned char head[NPZ_HEAD];
    if (!numbers) {
        (void)no_memory(error);
        return NULL;
    }
    make_head(head, z->row_count);
    const bool read = read_at(z, c->begin, numbers, size);
    const uint32_t crc = crc_of(&z->crc, crc_of(&z->crc, 0, head, NPZ_HEAD), numbers, size);
    if (!read || crc != c->crc) {
        (void)refuse_column(z, error, c->name,
                            read ? "is damaged: its checksum is another one" : "cannot be read");
        return NULL;
    }
    turn_bytes(numbers, count);
    double *const result = numbers;
    numbers = NULL;
    return result;
}

/* ---- writing ---- */

/* Columns that are copied from the rows at a time: neighbours share cache lines. */
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

static void print_bytes(npz_out *out, const void *bytes, size_t count) {
    (void)fwrite(bytes, 1, count, out->file);
    out->bytes += count;
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
    m->crc = crc_of(&out->crc, 0, out->head, NPZ_HEAD);
    m->crc = crc_of(&out->crc, m->crc, numbers, size);
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

static void free_members(npz_out *out) {
    for (size_t k = 0; out->members && k < out->view->column_count; k++) free(out->members[k].name);
    free(out->members);
}

bool series_print_npz(FILE *file, const series_view *s) {
    AUTO(free_members) npz_out out = {.file = file, .view = s};
    if (!make_members(&out)) return false;
    errno = ENOMEM;
    AUTO_FREE double *numbers = malloc((together * s->row_count + 1) * sizeof *numbers);
    if (!numbers) return false;
    out.numbers = numbers;
    make_head(out.head, s->row_count);
    crc_begin(&out.crc);
    print_columns(&out);
    print_directory(&out);
    return !ferror(file);
}
