/* SPDX-License-Identifier: MIT
 * Reading CSV a row at a time, in memory that does not grow with the file.
 */
#include "csv.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "number.h"
#include "shown.h"

/* A quote that is never closed must not take the whole file for one row. */
enum { longest_row = 1 << 22 };

/* Far more than any robot has joints times what is recorded of each. */
enum { most_cells = 1 << 18 };

/* What a spreadsheet takes for the beginning of a formula. */
static const char formula_signs[] = "=+-@";

static bool push(csv_text_buffer *b, char c) {
    if (b->length + 2 > b->capacity) {
        const size_t capacity = b->capacity ? 2 * b->capacity : 256;
        char *data = realloc(b->data, capacity);
        if (!data) return false;
        b->data = data;
        b->capacity = capacity;
    }
    b->data[b->length++] = c;
    b->data[b->length] = '\0';
    return true;
}

static bool empty(csv_text_buffer *b) {
    const bool fine = push(b, '\0');
    b->length = 0;
    return fine;
}

static csv begin(FILE *file, const char *path, uint64_t most) {
    return (csv){.file = file, .path = path, .most = most, .next_line = 1, .ending = "\n"};
}

static bool open_file(csv *c, const char *path, uint64_t most, const char *hint,
                      stiction_error *error) {
    file_problem problem;
    *c = begin(stiction_file_stream(path, most, &problem), path, most);
    if (c->file) return true;
    (void)stiction_fail_at(error, problem.status, (stiction_place){path, 0, 0}, "%s%s",
                           problem.text, problem.is_pipe ? hint : "");
    return false;
}

bool stiction_csv_open(csv *c, const char *path, uint64_t most, stiction_error *error) {
    return open_file(c, path, most, "", error);
}

bool stiction_csv_open_or_stdin(csv *c, const char *path, uint64_t most, stiction_error *error) {
    if (strcmp(path, "-") != 0)
        return open_file(c, path, most, "; give - to read from a pipe", error);
    *c = begin(stdin, "stdin", most);
    return true;
}

void stiction_csv_close(csv *c) {
    if (c->file && c->file != stdin) fclose(c->file);
    free(c->raw.data);
    free(c->text.data);
    free(c->cells);
    *c = (csv){.file = NULL};
}

stiction_place stiction_csv_place(const csv *c, size_t cell) {
    return (stiction_place){c->path, c->line < INT_MAX ? (int)c->line : INT_MAX,
                            cell < c->count ? c->cells[cell].column : 1};
}

static csv_verdict wrong(const csv *c, size_t offset, stiction_error *error, const char *message) {
    stiction_place at = stiction_csv_place(c, c->count);
    at.column = (int)offset + 1;
    (void)stiction_fail_at(error, STICTION_INVALID_CONFIG, at, "%s", message);
    return CSV_WRONG;
}

static csv_verdict out_of_memory(stiction_error *error) {
    (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for a row of CSV");
    return CSV_WRONG;
}

/* It has grown since it was opened, or is a pipe. */
static csv_verdict larger(const csv *c, stiction_error *error) {
    file_problem problem;
    stiction_file_set_too_large(c->most, &problem);
    return wrong(c, 0, error, problem.text);
}

static const char byte_order_mark[] = "\xEF\xBB\xBF";

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* The bytes up to the end of the row, with the quotes that hide a newline. */
static csv_verdict read_raw(csv *c, stiction_error *error) {
    bool quoted = false, comment = false, cell_starts = true;
    size_t quote = 0; /* position of the last one */
    int byte;
    while ((byte = getc_unlocked(c->file)) != EOF) {
        if (c->bytes++ == c->most) return larger(c, error);
        if (byte == '\n') c->next_line++;
        if (byte == '\n' && !quoted) break;
        if (byte == '\0')
            return wrong(c, c->raw.length, error, "there is a byte 0: this is no text");
        if (c->raw.length == longest_row)
            return wrong(c, quote, error, "the row is longer than 4 MB; is a quote not closed?");
        if (c->raw.length == 0) comment = byte == '#';
        if (byte == '"') quote = c->raw.length;
        /* the first cell starts after the byte order mark, too */
        const bool mark =
            c->line == 1 && c->raw.length < 3 && (char)byte == byte_order_mark[c->raw.length];
        if (!push(&c->raw, (char)byte)) return out_of_memory(error);
        /* a quote counts at the start of a cell and then up to its like, which may be doubled */
        const bool counts = byte == '"' && !comment && (quoted || cell_starts);
        if (counts) quoted = !quoted;
        cell_starts =
            !quoted && (byte == ',' || counts || (cell_starts && (mark || is_blank((char)byte))));
    }
    if (ferror(c->file)) return wrong(c, 0, error, strerror(errno));
    if (quoted) return wrong(c, quote, error, "a quote is not closed");
    return byte == EOF && c->raw.length == 0 ? CSV_END : CSV_ROW;
}

static void take_line_end(csv *c) {
    csv_text_buffer *raw = &c->raw;
    c->ending = "\n";
    if (raw->length && raw->data[raw->length - 1] == '\r') {
        raw->data[--raw->length] = '\0';
        c->ending = "\r\n";
    }
}

/*
 * Appends the cell at *from to the text; *from moves to its end: a comma, the end of the row, or
 * what follows a closing quote. False: out of memory.
 */
static bool split_cell(csv_text_buffer *text, const char **from) {
    const size_t start = text->length;
    const char *p = *from;
    bool fine = true;
    if (*p == '"') {
        /* as stiction_csv_print writes what would be a formula */
        if (p[1] == '\'' && p[2] && strchr(formula_signs, p[2])) p++;
        for (p++; *p && !(p[0] == '"' && p[1] != '"'); p++) {
            if (*p == '"') p++;
            fine = push(text, *p) && fine;
        }
        if (*p) p++; /* its end is there: read_raw counts quotes in the same way */
        while (is_blank(*p)) p++;
    } else {
        while (*p && *p != ',') fine = push(text, *p++) && fine;
        while (text->length > start && is_blank(text->data[text->length - 1])) text->length--;
    }
    *from = p;
    return push(text, '\0') && fine;
}

static bool make_room(csv *c, size_t commas) {
    if (commas < c->cells_capacity) return true;
    csv_cell *cells = realloc(c->cells, (commas + 1) * sizeof *cells);
    if (!cells) return false;
    c->cells = cells;
    c->cells_capacity = commas + 1;
    return true;
}

static csv_verdict split(csv *c, stiction_error *error) {
    size_t commas = 0;
    for (const char *p = c->raw.data; (p = strchr(p, ',')); p++) commas++;
    if (commas >= most_cells) return wrong(c, 0, error, "the row has more than 262144 cells");
    bool fine = make_room(c, commas);
    const char *from = c->raw.data;
    for (bool more = fine; more; from++) {
        while (is_blank(*from)) from++;
        c->cells[c->count++].column = (int)(from - c->raw.data) + 1;
        fine = split_cell(&c->text, &from) && fine;
        if (*from && *from != ',')
            return wrong(c, (size_t)(from - c->raw.data), error, "text follows a closing quote");
        more = *from == ',';
    }
    /* only now that the text does not move any more */
    char *cell = c->text.data;
    for (size_t k = 0; fine && k < c->count; k++) {
        c->cells[k].text = cell;
        cell += strlen(cell) + 1;
    }
    return fine ? CSV_ROW : out_of_memory(error);
}

csv_verdict stiction_csv_next(csv *c, stiction_error *error) {
    c->count = 0;
    c->line = c->next_line;
    if (!empty(&c->raw) || !empty(&c->text)) return out_of_memory(error);
    const csv_verdict verdict = read_raw(c, error);
    if (verdict != CSV_ROW) return verdict;
    take_line_end(c);
    if (c->line == 1 && strncmp(c->raw.data, byte_order_mark, 3) == 0) {
        c->raw.length -= 3;
        memmove(c->raw.data, c->raw.data + 3, c->raw.length + 1);
    }
    if (c->raw.data[0] == '#' || strspn(c->raw.data, " \t") == c->raw.length) return CSV_OTHER;
    return split(c, error);
}

csv_verdict stiction_csv_next_row(csv *c, stiction_error *error) {
    csv_verdict verdict;
    while ((verdict = stiction_csv_next(c, error)) == CSV_OTHER) continue;
    return verdict;
}

/* ---- writing ---- */

/* Whether a spreadsheet would compute a cell. A number is no formula, nor is a dash alone. */
static bool is_formula(const char *text) {
    double value;
    if (!*text || !strchr(formula_signs, *text) || !text[1]) return false;
    const char *magnitude = text + 1;
    return !stiction_decimal(text, &value) && strcmp(magnitude, "inf") != 0 &&
           strcmp(magnitude, "nan") != 0;
}

bool stiction_csv_is_plain(const char *text) {
    return stiction_is_plain(text) && !is_formula(text);
}

void stiction_csv_print(FILE *out, const char *text) {
    const bool is_defused = is_formula(text);
    if (!is_defused && !strpbrk(text, ",\"") && *text != '#') {
        (void)stiction_show_to(out, text);
        return;
    }
    fputs(is_defused ? "\"'" : "\"", out);
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        (void)stiction_show_part(out, text, quote);
        fputs("\"\"", out);
    }
    (void)stiction_show_to(out, text);
    fputc('"', out);
}

bool stiction_csv_names(const char *cell, size_t length, const char *name) {
    if (strncmp(cell, name, length) == 0 && !name[length]) return true;
    if (stiction_is_plain(name)) return false;
    char *seen = stiction_shown_copy(name);
    const bool same = seen && strlen(seen) == length && strncmp(cell, seen, length) == 0;
    free(seen);
    return same;
}
