/*
 * The head of an npy file: a text that Python would read, such as
 *   {'descr': [('time', '<f8'), ('J1.position', '<f8')], 'fortran_order': False, 'shape': (5001,),
 * } Anybody may have written it: each byte is looked at once, and nothing is believed of its sizes.
 */
#include "npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"

/* Where reading is. */
typedef struct cursor {
    const char *path;
    const char *text; /* ends with 0 */
    size_t at;
    stiction_error *error;
} cursor;

static bool refuse(const cursor *c, const char *what) {
    return stiction_fail_at(c->error, STICTION_INVALID_CONFIG, (stiction_place){c->path, 0, 0},
                            "byte %zu of its header: %s", c->at, what) == STICTION_OK;
}

static bool no_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory") == STICTION_OK;
}

static void skip_blanks(cursor *c) {
    c->at += strspn(c->text + c->at, " \t\r\n");
}

/* Whether a word comes next, which is passed. */
static bool passes(cursor *c, const char *word) {
    skip_blanks(c);
    const size_t length = strlen(word);
    if (strncmp(c->text + c->at, word, length) != 0) return false;
    c->at += length;
    return true;
}

static bool expect(cursor *c, const char *word) {
    char what[40];
    if (passes(c, word)) return true;
    (void)snprintf(what, sizeof what, "'%s' is expected", word);
    return refuse(c, what);
}

/* ---- texts ---- */

static int hex(char digit) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = digit ? strchr(digits, digit) : NULL;
    return found ? (int)(found - digits) % 16 : -1;
}

/* What stands behind a backslash; -1: nothing that is known. */
static int escaped(cursor *c) {
    static const char letters[] = "\\'\"nrt", meanings[] = "\\'\"\n\r\t";
    const char sign = c->text[c->at++];
    const char *found = sign ? strchr(letters, sign) : NULL;
    if (found) return (unsigned char)meanings[found - letters];
    if (sign != 'x') {
        c->at -= !sign;
        return -1;
    }
    const int high = hex(c->text[c->at]), low = high < 0 ? -1 : hex(c->text[c->at + 1]);
    if (low < 0) return -1;
    c->at += 2;
    return 16 * high + low;
}

/* A text in quotes; the caller frees it. NULL with an error. */
static char *read_text(cursor *c) {
    skip_blanks(c);
    const char quote = c->text[c->at];
    if (quote != '\'' && quote != '"') {
        (void)refuse(c, "a text in quotes is expected");
        return NULL;
    }
    c->at++;
    size_t most = 0; /* the next quote may be one of the text: there is room for two bytes each */
    while (c->text[c->at + most] && c->text[c->at + most] != quote)
        most += c->text[c->at + most] == '\\' && c->text[c->at + most + 1] ? 2 : 1;
    char *text = malloc(2 * most + 1);
    if (!text) {
        (void)no_memory(c->error);
        return NULL;
    }
    size_t length = 0;
    while (c->text[c->at] && c->text[c->at] != quote) {
        int sign = (unsigned char)c->text[c->at++];
        const bool plain = sign != '\\';
        if (!plain) sign = escaped(c);
        if (sign <= 0) {
            (void)refuse(c, "a text has an escape that is not known");
            free(text);
            return NULL;
        }
        if (!plain && sign > 127) { /* a character of Python's, which is UTF-8 here */
            text[length++] = (char)(0xc0 | sign >> 6);
            sign = 0x80 | (sign & 0x3f);
        }
        text[length++] = (char)sign;
    }
    text[length] = '\0';
    if (expect(c, quote == '"' ? "\"" : "'")) return text;
    free(text);
    return NULL;
}

/* ---- the three keys ---- */

static bool read_type(cursor *c, const char *name, npy_head *head) {
    char *type = read_text(c);
    if (!type) return false;
    const bool little = strcmp(type, "<f8") == 0, big = strcmp(type, ">f8") == 0;
    const bool same = head->column_count == 0 || big == head->big_endian;
    bool fine = (little || big) && same;
    head->big_endian = big;
    if (!fine)
        fine = stiction_fail_at(c->error, STICTION_INVALID_CONFIG, (stiction_place){c->path, 0, 0},
                                "column '%.200s' has the type '%.40s'; '<f8' is expected", name,
                                type) == STICTION_OK;
    free(type);
    return fine;
}

static bool read_column(cursor *c, npy_head *head, size_t *capacity) {
    if (head->column_count == NPY_MOST_COLUMNS) return refuse(c, "more than 262144 columns");
    if (head->column_count == *capacity) {
        *capacity = 2 * *capacity + 64;
        char **names = realloc(head->names, *capacity * sizeof *names);
        if (!names) return no_memory(c->error);
        head->names = names;
    }
    if (!expect(c, "(")) return false;
    char *name = read_text(c);
    const bool fine =
        name && expect(c, ",") && read_type(c, name, head) && (passes(c, ",") || true);
    if (name) head->names[head->column_count++] = name;
    return fine && expect(c, ")");
}

static bool read_columns(cursor *c, npy_head *head) {
    size_t capacity = 0;
    skip_blanks(c);
    if (head->names) return refuse(c, "'descr' stands twice");
    if (c->text[c->at] == '\'' || c->text[c->at] == '"')
        return refuse(c, "columns with names are expected, not one type");
    if (!expect(c, "[")) return false;
    while (!passes(c, "]")) {
        if (!read_column(c, head, &capacity)) return false;
        if (passes(c, "]")) break;
        if (!expect(c, ",")) return false;
    }
    return head->column_count > 0 || refuse(c, "there is no column");
}

static bool read_order(cursor *c, npy_head *head) {
    (void)head; /* of one dimension both are the same */
    return passes(c, "False") || passes(c, "True") || refuse(c, "True or False is expected");
}

static bool read_shape(cursor *c, npy_head *head) {
    if (!expect(c, "(")) return false;
    skip_blanks(c);
    char *end;
    const char *digits = c->text + c->at;
    if (strspn(digits, "0123456789") == 0) return refuse(c, "a number of rows is expected");
    errno = 0;
    head->row_count = strtoull(digits, &end, 10);
    if (errno) return refuse(c, "the number of rows is too large");
    c->at += (size_t)(end - digits);
    if (!expect(c, ",")) return false;
    return passes(c, ")") || refuse(c, "one dimension is expected, as in (5001,)");
}

static bool read_keys(cursor *c, npy_head *head) {
    static const struct {
        const char *name;
        bool (*read)(cursor *c, npy_head *head);
    } keys[] = {{"descr", read_columns}, {"fortran_order", read_order}, {"shape", read_shape}};
    enum { key_count = sizeof keys / sizeof keys[0], all_keys = (1 << key_count) - 1 };
    unsigned seen = 0;
    if (!expect(c, "{")) return false;
    while (!passes(c, "}")) {
        char *name = read_text(c);
        if (!name) return false;
        size_t k = 0;
        while (k < key_count && strcmp(keys[k].name, name) != 0) k++;
        free(name);
        if (k == key_count || seen >> k & 1)
            return refuse(c, "'descr', 'fortran_order' and 'shape' are expected, each once");
        seen |= 1U << k;
        if (!expect(c, ":") || !keys[k].read(c, head)) return false;
        if (passes(c, "}")) break;
        if (!expect(c, ",")) return false;
    }
    skip_blanks(c);
    if (seen != all_keys) return refuse(c, "'descr', 'fortran_order' or 'shape' is missing");
    return !c->text[c->at] || refuse(c, "something stands behind it");
}

/* ---- the file ---- */

static bool refuse_file(const char *path, stiction_error *error, const char *what) {
    return stiction_fail_at(error, STICTION_INVALID_CONFIG, (stiction_place){path, 0, 0}, "%s",
                            what) == STICTION_OK;
}

/* The length of the header, and where it begins; false with an error. */
static bool read_prefix(FILE *file, uint64_t size, const char *path, uint64_t *length,
                        uint64_t *begin, stiction_error *error) {
    unsigned char prefix[NPY_PREFIX] = {0};
    const bool whole = fread(prefix, 1, 10, file) == 10;
    if (memcmp(prefix, NPY_MAGIC, 6) != 0)
        return refuse_file(path, error, "it is no file of NumPy's: it begins with other bytes");
    const int version = prefix[6];
    if (version < 1 || version > 3)
        return refuse_file(path, error, "its version of NumPy's format is none of 1, 2 and 3");
    *begin = version == 1 ? 10 : NPY_PREFIX;
    if (!whole || (version > 1 && fread(prefix + 10, 1, 2, file) != 2))
        return refuse_file(path, error, "it ends in its header");
    *length = 0;
    for (size_t k = (size_t)*begin; k-- > 8;) *length = *length << 8 | prefix[k];
    if (*length > NPY_MOST_HEADER)
        return refuse_file(path, error, "its header is longer than 16 MiB, the most that is read");
    return (size >= *begin && *length <= size - *begin) ||
           refuse_file(path, error, "it ends in its header");
}

/* Whether there are exactly so many numbers behind the header. */
static bool check_size(const npy_head *head, uint64_t have, const char *path,
                       stiction_error *error) {
    const uint64_t row = 8 * (uint64_t)head->column_count;
    if (head->row_count == have / row && have % row == 0) return true;
    return stiction_fail_at(
               error, STICTION_INVALID_CONFIG, (stiction_place){path, 0, 0},
               "its header says %llu rows of %zu columns, but there are %llu bytes of numbers; "
               "%llu a row are expected",
               (unsigned long long)head->row_count, head->column_count, (unsigned long long)have,
               (unsigned long long)row) == STICTION_OK;
}

bool npy_read_head(npy_head *head, FILE *file, uint64_t size, const char *path,
                   stiction_error *error) {
    uint64_t length = 0, begin = 0;
    *head = (npy_head){.names = NULL};
    if (!read_prefix(file, size, path, &length, &begin, error)) return false;
    char *text = malloc((size_t)length + 1);
    if (!text) return no_memory(error);
    bool fine = fread(text, 1, (size_t)length, file) == length;
    if (!fine) (void)refuse_file(path, error, "it ends in its header");
    text[fine ? length : 0] = '\0';
    if (fine && memchr(text, 0, (size_t)length))
        fine = refuse_file(path, error, "its header has a byte 0 in it");
    cursor c = {.path = path, .text = text, .error = error};
    fine = fine && read_keys(&c, head) && check_size(head, size - begin - length, path, error);
    free(text);
    return fine;
}

void npy_free_head(npy_head *head) {
    for (size_t k = 0; k < head->column_count; k++) free(head->names[k]);
    free(head->names);
    *head = (npy_head){.names = NULL};
}
