/* SPDX-License-Identifier: MIT
 * A table that is filled once and printed for people (aligned), as CSV or as JSON (17 digits).
 */
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "document/csv.h"
#include "terminal.h"
#include "json/json_out.h"

typedef enum cell_kind { CELL_EMPTY, CELL_TEXT, CELL_NUMBER, CELL_COUNT } cell_kind;

typedef struct cell {
    cell_kind kind;
    union {
        char *text;
        double number;
        size_t count;
    } is;
} cell;

struct table {
    table_column *columns;
    size_t *ranks; /* of each column; the largest goes first where there is little room */
    size_t column_count;
    cell *cells; /* row by row */
    size_t cell_count, capacity;
};

table *table_create(const table_column *columns, size_t count) {
    table *t = allocate(1, sizeof *t);
    t->columns = allocate(count, sizeof *t->columns);
    t->ranks = allocate(count, sizeof *t->ranks);
    t->column_count = count;
    for (size_t k = 0; k < count; k++) t->ranks[k] = k;
    for (size_t k = 0; k < count; k++)
        t->columns[k] =
            (table_column){.name = copy_text(columns[k].name),
                           .head = copy_text(columns[k].head ? columns[k].head : columns[k].name),
                           .digits = columns[k].digits ? columns[k].digits : 6};
    return t;
}

void table_destroy(table *t) {
    if (!t) return;
    for (size_t k = 0; k < t->column_count; k++) {
        free((char *)t->columns[k].name);
        free((char *)t->columns[k].head);
    }
    for (size_t k = 0; k < t->cell_count; k++)
        if (t->cells[k].kind == CELL_TEXT) free(t->cells[k].is.text);
    free(t->columns);
    free(t->ranks);
    free(t->cells);
    free(t);
}

void table_rank(table *t, size_t column, size_t rank) {
    t->ranks[column] = rank;
}

static void add(table *t, cell c) {
    if (t->cell_count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 64;
        t->cells = reallocate(t->cells, t->capacity, sizeof *t->cells);
    }
    t->cells[t->cell_count++] = c;
}

void table_text(table *t, const char *text) {
    add(t, (cell){.kind = CELL_TEXT, .is.text = copy_text(text)});
}

void table_number(table *t, double value) {
    add(t, (cell){.kind = CELL_NUMBER, .is.number = value});
}

void table_count(table *t, size_t value) {
    add(t, (cell){.kind = CELL_COUNT, .is.count = value});
}

void table_empty(table *t) {
    add(t, (cell){.kind = CELL_EMPTY});
}

void table_number_or_empty(table *t, double value) {
    if (isfinite(value))
        table_number(t, value);
    else
        table_empty(t);
}

/* ---- for people ---- */

/* A number of the table as text, or the text itself; `buffer` may hold it. */
static const char *shown(const cell *c, int digits, char *buffer, size_t size) {
    buffer[0] = '\0';
    switch (c->kind) {
    case CELL_EMPTY:
        break;
    case CELL_TEXT:
        return c->is.text;
    case CELL_NUMBER:
        (void)snprintf(buffer, size, "%.*g", digits, c->is.number);
        break;
    case CELL_COUNT:
        (void)snprintf(buffer, size, "%zu", c->is.count);
        break;
    }
    return buffer;
}

typedef struct layout {
    size_t width;
    bool right;    /* numbers stand at the right of their column */
    bool left_out; /* there is no room for it */
} layout;

static layout lay_out(const table *t, size_t column) {
    char buffer[64];
    layout l = {.width = text_columns(t->columns[column].head)};
    for (size_t k = column; k < t->cell_count; k += t->column_count) {
        const cell *c = &t->cells[k];
        AUTO_FREE char *text =
            shown_text(shown(c, t->columns[column].digits, buffer, sizeof buffer));
        const size_t width = text_columns(text);
        if (width > l.width) l.width = width;
        l.right = l.right || c->kind == CELL_NUMBER || c->kind == CELL_COUNT;
    }
    return l;
}

static void print_padded(FILE *out, const char *text, const layout *l, bool first, bool last) {
    AUTO_FREE char *fitting = text_fit(text, l->width);
    const int space = (int)(l->width - text_columns(fitting));
    if (!first) fputs("  ", out);
    if (l->right) fprintf(out, "%*s", space, "");
    fputs(fitting, out);
    if (!l->right && !last) fprintf(out, "%*s", space, "");
    if (last) fputc('\n', out);
}

enum { gap = 2, narrowest_text = 16 };

static size_t width_of(const layout *layouts, size_t count) {
    size_t width = 0;
    for (size_t k = 0; k < count; k++)
        if (!layouts[k].left_out) width += layouts[k].width + (width ? gap : 0);
    return width;
}

/* The column that goes first; 0: only the first one is left. */
static size_t least_important(const table *t, const layout *layouts) {
    size_t least = 0;
    for (size_t k = 1; k < t->column_count; k++)
        if (!layouts[k].left_out && (!least || t->ranks[k] >= t->ranks[least])) least = k;
    return least;
}

/* Leaves out columns until the rest fits; a long text is cut instead. */
static void fit_columns(const table *t, layout *layouts, size_t room) {
    for (size_t width; (width = width_of(layouts, t->column_count)) > room;) {
        const size_t k = least_important(t, layouts), beyond = width - room;
        if (k == 0)
            layouts[0].width = room;
        else if (!layouts[k].right && layouts[k].width >= beyond + narrowest_text)
            layouts[k].width -= beyond;
        else
            layouts[k].left_out = true;
    }
}

/* "(left out: law, creep (rad/s))", in as many lines as it takes. */
static void print_left_out(const table *t, const layout *layouts, size_t room, FILE *out) {
    static const char start[] = "(left out:";
    size_t at = 0;
    for (size_t k = 0; k < t->column_count; k++) {
        if (!layouts[k].left_out) continue;
        const size_t width = 2 + text_columns(t->columns[k].head);
        if (at)
            fputc(',', out);
        else
            fputs(start, out);
        at = at ? at : strlen(start);
        const bool fits = at + width < room;
        fprintf(out, "%s%s", fits ? " " : "\n", t->columns[k].head);
        at = fits ? at + width : width;
    }
    if (at) fputs(")\n", out);
}

static void print_row(const layout *layouts, size_t count, const char *const *texts, FILE *out) {
    size_t last = count - 1;
    while (layouts[last].left_out) last--;
    for (size_t k = 0; k <= last; k++)
        if (!layouts[k].left_out) print_padded(out, texts[k], &layouts[k], k == 0, k == last);
}

static void print_text(const table *t, FILE *out) {
    enum { number_size = 64 };
    const size_t n = t->column_count, room = terminal_size_of(out).columns;
    AUTO_FREE layout *layouts = allocate(n, sizeof *layouts);
    AUTO_FREE const char **texts = allocate(n, sizeof *texts);
    char(*numbers)[number_size] = allocate(n, sizeof *numbers);
    for (size_t k = 0; k < n; k++) {
        layouts[k] = lay_out(t, k);
        texts[k] = t->columns[k].head;
    }
    if (isatty(fileno(out)) == 1) fit_columns(t, layouts, room);
    print_row(layouts, n, texts, out);
    for (size_t first = 0; first < t->cell_count; first += n) {
        const cell *row = t->cells + first;
        for (size_t k = 0; k < n; k++)
            texts[k] = shown(&row[k], t->columns[k].digits, numbers[k], sizeof numbers[k]);
        print_row(layouts, n, texts, out);
    }
    print_left_out(t, layouts, room, out);
    free(numbers);
}

/* ---- CSV ---- */

static void print_csv(const table *t, FILE *out) {
    const size_t n = t->column_count;
    char buffer[64];
    for (size_t k = 0; k < n; k++) {
        stiction_csv_print(out, t->columns[k].name);
        fputc(k + 1 < n ? ',' : '\n', out);
    }
    for (size_t k = 0; k < t->cell_count; k++) {
        stiction_csv_print(out, shown(&t->cells[k], 17, buffer, sizeof buffer));
        fputc(k % n + 1 < n ? ',' : '\n', out);
    }
}

/* ---- JSON ---- */

static json_t *cell_json(const cell *c) {
    switch (c->kind) {
    case CELL_TEXT:
        return json_out_text(c->is.text);
    case CELL_NUMBER:
        return json_out_number(c->is.number);
    case CELL_COUNT:
        return json_integer((json_int_t)c->is.count);
    case CELL_EMPTY:
        break;
    }
    return json_null();
}

json_t *table_json(const table *t) {
    json_t *rows = json_array(), *row = NULL;
    for (size_t k = 0; k < t->cell_count; k++) {
        const size_t column = k % t->column_count;
        if (column == 0) {
            row = json_object();
            (void)json_array_append_new(rows, row);
        }
        (void)json_out_set(row, t->columns[column].name, cell_json(&t->cells[k]));
    }
    return rows;
}

static void print_json(const table *t, FILE *out) {
    json_auto_t *rows = table_json(t);
    (void)json_out_print(rows, out);
}

void table_print(const table *t, table_format format, FILE *out) {
    static void (*const printers[])(const table *, FILE *) = {
        [TABLE_TEXT] = print_text, [TABLE_CSV] = print_csv, [TABLE_JSON] = print_json};
    printers[format](t, out);
}
