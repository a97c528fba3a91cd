/*
 * Reading CSV a row at a time, in memory that does not grow with the file.
 */
#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* A quote that is never closed must not take the whole file for one row. */
enum { longest_row = 1 << 22 };

static void push(csv_text_buffer *b, char c) {
    if (b->length + 2 > b->capacity) {
        b->capacity = b->capacity ? 2 * b->capacity : 256;
        b->data = reallocate(b->data, b->capacity, 1);
    }
    b->data[b->length++] = c;
    b->data[b->length] = '\0';
}

static void empty(csv_text_buffer *b) {
    push(b, '\0');
    b->length = 0;
}

bool csv_open(csv *c, const char *path) {
    const bool standard = strcmp(path, "-") == 0;
    *c = (csv){.file = standard ? stdin : fopen(path, "rb"),
               .path = standard ? "stdin" : path,
               .next_line = 1,
               .ending = "\n"};
    return c->file || complain("%s: %s", path, strerror(errno));
}

void csv_close(csv *c) {
    if (c->file && c->file != stdin) fclose(c->file);
    free(c->raw.data);
    free(c->text.data);
    free(c->cells);
    *c = (csv){.file = NULL};
}

static csv_verdict wrong(const csv *c, const char *sentence) {
    complain_at(c->path, c->line, "%s", sentence);
    return CSV_WRONG;
}

/* The bytes up to the end of the row, with the quotes that hide a newline. */
static csv_verdict read_raw(csv *c) {
    bool quoted = false, comment = false, cell_starts = true;
    int byte;
    while ((byte = getc_unlocked(c->file)) != EOF) {
        if (byte == '\n') c->next_line++;
        if (byte == '\n' && !quoted) break;
        if (byte == '\0') return wrong(c, "there is a byte 0: this is no text");
        if (c->raw.length == longest_row)
            return wrong(c, "the row is longer than 4 MB; is a quote not closed?");
        if (c->raw.length == 0) comment = byte == '#';
        push(&c->raw, (char)byte);
        /* a quote counts at the start of a cell and then up to its like */
        if (byte == '"' && !comment && (quoted || cell_starts)) quoted = !quoted;
        cell_starts = !quoted && (byte == ',' || (cell_starts && (byte == ' ' || byte == '\t')) ||
                                  byte == '"');
    }
    if (ferror(c->file)) return wrong(c, strerror(errno));
    if (quoted) return wrong(c, "a quote is not closed");
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

/* Copies one cell behind the text; returns where it ends (at a comma or the end of the row). */
static const char *split_cell(csv_text_buffer *text, const char *from) {
    size_t kept = text->length; /* spaces are dropped only behind this place */
    while (*from == ' ' || *from == '\t') from++;
    if (*from == '"') {
        for (from++; *from && !(from[0] == '"' && from[1] != '"'); from++) {
            if (*from == '"') from++;
            push(text, *from);
        }
        if (*from) from++;
        kept = text->length;
    }
    while (*from && *from != ',') push(text, *from++);
    while (text->length > kept && strchr(" \t", text->data[text->length - 1])) text->length--;
    push(text, '\0');
    return from;
}

static void split(csv *c) {
    const char *from = c->raw.data;
    c->count = 1;
    while (*(from = split_cell(&c->text, from)) == ',') {
        from++;
        c->count++;
    }
    if (c->count > c->cells_capacity) {
        c->cells_capacity = c->count;
        c->cells = reallocate(c->cells, c->count, sizeof *c->cells);
    }
    char *cell = c->text.data;
    for (size_t k = 0; k < c->count; k++) {
        c->cells[k] = cell;
        cell += strlen(cell) + 1;
    }
}

csv_verdict csv_next(csv *c) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    empty(&c->raw);
    empty(&c->text);
    c->count = 0;
    c->line = c->next_line;
    const csv_verdict verdict = read_raw(c);
    if (verdict != CSV_ROW) return verdict;
    take_line_end(c);
    if (c->line == 1 && strncmp(c->raw.data, byte_order_mark, 3) == 0) {
        c->raw.length -= 3;
        memmove(c->raw.data, c->raw.data + 3, c->raw.length + 1);
    }
    if (c->raw.length == 0 || c->raw.data[0] == '#') return CSV_OTHER;
    split(c);
    return CSV_ROW;
}
