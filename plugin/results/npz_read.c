/* SPDX-License-Identifier: MIT
 * Reading joints.npz. Anybody may have written it: nothing is believed of its sizes and places, and
 * all members together are no larger than the file.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "document/fail.h"
#include "document/file.h"
#include "npz.h"

/* The longest directory or array header that is read, bytes. */
enum { most_directory = 64 << 20, most_head = 1 << 16 };

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

/* ---- arrays ---- */

/* The text after a key and a colon; NULL if there is none. */
static const char *value_of(const char *line, const char *key) {
    const char *found = strstr(line, key);
    if (!found) return NULL;
    found += strlen(key);
    found += strspn(found, " ");
    if (*found != ':') return NULL;
    return found + 1 + strspn(found + 1, " ");
}

/* {'descr': '<f8', 'fortran_order': False, 'shape': (5001,), } */
static const char *read_line(const char *line, npz_column *c, uint64_t *rows) {
    const char *type = value_of(line, "'descr'"), *shape = value_of(line, "'shape'");
    if (!type || !shape || !value_of(line, "'fortran_order'"))
        return "has a header without descr, fortran_order and shape";
    c->big_endian = strncmp(type, "'>f8'", 5) == 0;
    if (!c->big_endian && strncmp(type, "'<f8'", 5) != 0) return "is no array of doubles ('<f8')";
    char *end;
    if (*shape != '(' || shape[1] < '0' || shape[1] > '9')
        return "has no shape of one dimension, such as (5001,)";
    errno = 0;
    *rows = strtoull(shape + 1, &end, 10);
    return errno || strncmp(end, ",)", 2) != 0 ? "has no shape of one dimension, such as (5001,)"
                                               : NULL;
}

/* Reads the header of an array at c->begin, which is moved past it. Returns an error message or
 * NULL; `missing_memory` if memory runs out. */
static const char missing_memory[] = "out of memory";
static const char *read_head(npz_file *z, npz_column *c, uint64_t size, uint64_t *rows) {
    unsigned char prefix[12] = {0};
    if (size < sizeof prefix || !read_at(z, c->begin, prefix, sizeof prefix))
        return "ends before its numbers";
    if (memcmp(prefix, "\x93NUMPY", 6) != 0) return "is no array of NumPy's";
    const bool old = prefix[6] == 1;
    if (prefix[6] < 1 || prefix[6] > 3) return "has a version of NumPy's format other than 1 to 3";
    const size_t begin = old ? 10 : 12;
    const uint64_t length = number_at(prefix + 8, old ? 2 : 4);
    if (length > most_head) return "has a header of more than 64 KiB";
    if (length > size - begin) return "ends before its numbers";
    c->head_size = begin + (size_t)length;
    c->head = malloc(c->head_size + 1);
    if (!c->head) return missing_memory;
    if (!read_at(z, c->begin, c->head, c->head_size)) return "ends before its numbers";
    c->head[c->head_size] = '\0';
    const char *wrong = read_line((const char *)c->head + begin, c, rows);
    if (wrong) return wrong;
    if (*rows != (size - c->head_size) / 8 || (size - c->head_size) % 8)
        return "has more or fewer numbers than its header says";
    c->begin += c->head_size;
    return NULL;
}

/* ---- the directory ---- */

/* Where it is: the last thing of the file, before a remark. False with an error. */
static bool find_directory(npz_file *z, uint64_t file_size, uint64_t *begin, uint64_t *size,
                           size_t *count, stiction_error *error) {
    enum { most_remark = 0xffff, most = most_remark + NPZ_DIRECTORY_SIZE };
    const size_t length = file_size < most ? (size_t)file_size : most;
    unsigned char *tail = malloc(length + 1);
    if (!tail) return no_memory(error);
    const unsigned char *found = NULL;
    if (length >= NPZ_DIRECTORY_SIZE && read_at(z, file_size - length, tail, length))
        for (size_t k = length - NPZ_DIRECTORY_SIZE + 1; !found && k-- > 0;)
            if (number_at(tail + k, 4) == NPZ_DIRECTORY &&
                number_at(tail + k + 20, 2) == length - k - NPZ_DIRECTORY_SIZE)
                found = tail + k;
    bool fine = found || refuse(z, error,
                                "it is no npz file, or its end is missing: it has no "
                                "directory of a zip file");
    if (fine) {
        const uint64_t end = file_size - length + (uint64_t)(found - tail);
        *count = (size_t)number_at(found + 10, 2);
        *size = number_at(found + 12, 4);
        *begin = number_at(found + 16, 4);
        if (*begin > end || *size > end - *begin || *size > most_directory)
            fine = refuse(z, error, "its directory is outside of the file or too large");
        else if (*count > NPZ_MOST_MEMBERS)
            fine = refuse(z, error, "it has more than 65534 arrays");
    }
    free(tail);
    return fine;
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
    uint64_t rows = 0;
    const char *wrong = read_head(z, c, size, &rows);
    if (wrong == missing_memory) return no_memory(error);
    if (wrong) return refuse_column(z, error, c->name, wrong);
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
    unsigned char *entries = malloc((size_t)size + 1);
    z->columns = calloc(count, sizeof *z->columns);
    bool fine = (entries && z->columns) || no_memory(error);
    if (fine && !read_at(z, begin, entries, (size_t)size))
        fine = refuse(z, error, "its directory cannot be read");
    size_t left = (size_t)size;
    uint64_t room = file_size;
    for (size_t k = 0; k < count && fine; k++)
        fine = add_column(z, entries + (size - left), &left, &room, error);
    free(entries);
    return fine;
}

bool npz_open(npz_file *z, const char *path, stiction_error *error) {
    file_problem problem;
    struct stat status;
    *z = (npz_file){.path = path};
    npz_crc_begin(&z->crc);
    z->file = stiction_file_stream(path, FILE_MOST_RESULTS, &problem);
    if (!z->file)
        return stiction_fail_at(error, problem.status, (stiction_place){path, 0, 0}, "%s%s",
                                stiction_file_blamed(&problem), problem.text) == STICTION_OK;
    if (fstat(fileno(z->file), &status) != 0) return refuse(z, error, strerror(errno));
    return read_directory(z, (uint64_t)status.st_size, error);
}

void npz_close(npz_file *z) {
    for (size_t k = 0; k < z->column_count; k++) {
        free(z->columns[k].name);
        free(z->columns[k].head);
    }
    free(z->columns);
    if (z->file) (void)fclose(z->file);
    *z = (npz_file){.file = NULL};
}

/* ---- numbers ---- */

double *npz_read(npz_file *z, size_t column, stiction_error *error) {
    const npz_column *c = &z->columns[column];
    const size_t count = (size_t)z->row_count, size = count * sizeof(double);
    double *numbers = malloc(size + 1);
    if (!numbers) {
        (void)no_memory(error);
        return NULL;
    }
    const bool read = read_at(z, c->begin, numbers, size);
    const uint32_t crc =
        npz_crc_of(&z->crc, npz_crc_of(&z->crc, 0, c->head, c->head_size), numbers, size);
    if (!read || crc != c->crc) {
        (void)refuse_column(z, error, c->name,
                            read ? "is damaged: its checksum is another one" : "cannot be read");
        free(numbers);
        return NULL;
    }
    for (size_t k = 0; k < count; k++) {
        unsigned char bytes[8];
        uint64_t bits = 0;
        memcpy(bytes, &numbers[k], sizeof bytes);
        for (size_t n = 0; n < 8; n++) bits = bits << 8 | bytes[c->big_endian ? n : 7 - n];
        memcpy(&numbers[k], &bits, sizeof bits);
    }
    return numbers;
}
