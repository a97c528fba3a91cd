/* SPDX-License-Identifier: MIT
 * Plots in the terminal: lines of braille dots, 2 x 4 in every character.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/terminal.h"
#include "plot_axis.h"

enum { most_columns = 100, most_rows = 32, margin = 9, mark_spacing = 14 };

/* Series `s` touches the character at (column, row) in the dots of one byte. */
typedef struct canvas {
    int width;         /* of the terminal */
    int columns, rows; /* of the curves */
    bool wraps;        /* notes of the legend over several lines */
    size_t series;
    unsigned char *dots;
    bool colour;
} canvas;

static unsigned char *cell_of(const canvas *c, size_t series, int column, int row) {
    return &c->dots[(series * (size_t)c->rows + (size_t)row) * (size_t)c->columns + (size_t)column];
}

static void set_dot(const canvas *c, size_t series, int x, int y) {
    /* bits of the dots in U+2800 to U+28FF */
    static const unsigned char bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    if (x < 0 || y < 0 || x >= 2 * c->columns || y >= 4 * c->rows) return;
    *cell_of(c, series, x / 2, y / 4) |= bits[y % 4][x % 2];
}

static void draw_line(const canvas *c, size_t series, int x0, int y0, int x1, int y1) {
    const int steps = (int)fmax(abs(x1 - x0), abs(y1 - y0));
    for (int k = 0; k <= steps; k++) {
        const double part = steps ? (double)k / steps : 0;
        set_dot(c, series, x0 + (int)lround(part * (x1 - x0)), y0 + (int)lround(part * (y1 - y0)));
    }
}

static int x_dot(const canvas *c, double share) {
    return (int)lround(share * (2 * c->columns - 1));
}

static int y_dot(const canvas *c, double share) {
    return (int)lround((1 - share) * (4 * c->rows - 1));
}

static void draw_series(const canvas *c, size_t series, const plot_series *s, const plot_ruler *x,
                        const plot_ruler *y) {
    int last_x = 0, last_y = 0;
    bool pen_down = false;
    for (size_t k = 0; k < s->count; k++) {
        const bool there = isfinite(s->x[k]) && isfinite(s->y[k]);
        if (there) {
            const int px = x_dot(c, plot_share(x, s->x[k]));
            const int py = y_dot(c, plot_share(y, s->y[k]));
            draw_line(c, series, pen_down ? last_x : px, pen_down ? last_y : py, px, py);
            last_x = px;
            last_y = py;
        }
        pen_down = there;
    }
}

/* ---- printing ---- */

static void print_braille(FILE *out, unsigned char dots) {
    const unsigned code = 0x2800u + dots;
    fputc((int)(0xE0u | code >> 12), out);
    fputc((int)(0x80u | (code >> 6 & 0x3Fu)), out);
    fputc((int)(0x80u | (code & 0x3Fu)), out);
}

static char mark_of(size_t series) {
    return (char)('a' + (int)(series % 26));
}

/* Whether to print the letter of a series here: at regular distances along its line, on the highest
 * character of the column. */
static bool marked(const canvas *c, size_t series, int column, int row) {
    const int turn = (int)(series * mark_spacing / c->series);
    if (c->series < 2 || column % mark_spacing != turn || !*cell_of(c, series, column, row))
        return false;
    return row == 0 || !*cell_of(c, series, column, row - 1);
}

static void colour_on(FILE *out, const canvas *c, size_t series) {
    if (c->colour) fprintf(out, "\033[38;5;%dm", plot_style_of(series)->terminal);
}

static void colour_off(FILE *out, const canvas *c) {
    if (c->colour) fputs("\033[0m", out);
}

static void print_cell(FILE *out, const canvas *c, int column, int row, const char *background) {
    unsigned char dots = 0;
    size_t owner = 0;
    char mark = '\0';
    for (size_t s = 0; s < c->series; s++) {
        const unsigned char own = *cell_of(c, s, column, row);
        if (marked(c, s, column, row)) mark = mark_of(s);
        if (own && (!dots || mark == mark_of(s))) owner = s;
        dots |= own;
    }
    if (!dots) {
        fputs(background, out);
        return;
    }
    colour_on(out, c, owner);
    if (mark)
        fputc(mark, out);
    else
        print_braille(out, dots);
    colour_off(out, c);
}

/* The tick in a row or column of characters; NULL: none. */
static const plot_tick *tick_in_row(const plot_ruler *y, const canvas *c, int row) {
    for (size_t k = 0; k < y->count; k++)
        if (y_dot(c, y->ticks[k].share) / 4 == row) return &y->ticks[k];
    return NULL;
}

static const plot_tick *tick_in_column(const plot_ruler *x, const canvas *c, int column) {
    for (size_t k = 0; k < x->count; k++)
        if (x_dot(c, x->ticks[k].share) / 2 == column) return &x->ticks[k];
    return NULL;
}

static void print_rows(FILE *out, const canvas *c, const plot_ruler *x, const plot_ruler *y) {
    for (int row = 0; row < c->rows; row++) {
        const plot_tick *tick = tick_in_row(y, c, row);
        fprintf(out, "%*s %s", margin - 2, tick ? tick->text : "", tick ? "┤" : "│");
        for (int column = 0; column < c->columns; column++) {
            const plot_tick *below = tick_in_column(x, c, column);
            print_cell(out, c, column, row,
                       below && below->zero ? "┊"
                       : tick && tick->zero ? "┈"
                                            : " ");
        }
        fputc('\n', out);
    }
}

static void print_x_axis(FILE *out, const canvas *c, const plot_ruler *x) {
    char line[most_columns + margin + 64];
    memset(line, ' ', sizeof line);
    fprintf(out, "%*s└", margin - 1, "");
    int free_from = 0;
    for (int column = 0; column < c->columns; column++) {
        const plot_tick *tick = tick_in_column(x, c, column);
        fputs(tick ? "┴" : "─", out);
        if (!tick) continue;
        const int length = (int)strlen(tick->text), last = margin + c->columns - length;
        const int start = margin + column - length / 2 < last ? margin + column - length / 2 : last;
        if (start < free_from) continue;
        memcpy(line + start, tick->text, (size_t)length);
        free_from = start + length + 1;
    }
    fprintf(out, "\n%.*s\n", free_from ? free_from - 1 : 0, line);
}

/* ---- the legend ---- */

static const char *note_of(const plot_series *s) {
    return s->note ? s->note : s->label;
}

/* Room for "a " before a note if there are several. */
static size_t indent_of(const plot *p) {
    return p->count > 1 ? 2 : 0;
}

/* Bytes of the parts of a text, separated by two spaces, that fit into so many columns; at least
 * one part. */
static size_t piece_of(const char *text, size_t columns) {
    size_t end = 0;
    for (const char *gap = text; *gap;) {
        const char *next = strstr(gap, "  ");
        if (!next) next = gap + strlen(gap);
        AUTO_FREE char *piece = format_text("%.*s", (int)(next - text), text);
        const bool fits = text_columns(piece) <= columns;
        if (!fits && end) break;
        end = (size_t)(next - text);
        if (!fits) break;
        gap = next + strspn(next, " ");
    }
    return end;
}

/* Wraps a note; returns the number of lines. `out` NULL: only counts. */
static int print_wrapped(FILE *out, const char *note, size_t columns, size_t indent) {
    int lines = 0;
    while (*note) {
        const size_t length = piece_of(note, columns);
        AUTO_FREE char *piece = format_text("%.*s", (int)length, note);
        AUTO_FREE char *fitting = text_fit(piece, columns);
        if (out) fprintf(out, "%*s%s\n", lines ? (int)indent : 0, "", fitting);
        note += length;
        note += strspn(note, " ");
        lines++;
    }
    return lines;
}

static int wrapped_lines(const plot *p, size_t width) {
    const size_t indent = indent_of(p);
    int lines = 0;
    for (size_t s = 0; s < p->count; s++)
        lines += print_wrapped(NULL, note_of(&p->series[s]), width - indent, indent);
    return lines;
}

/* Notes are wrapped if they leave enough room for the plot, else cut to a line each. */
static bool may_wrap(const plot *p, terminal_size size) {
    return 3 * (size_t)wrapped_lines(p, size.columns) <= size.rows;
}

static void print_legend(FILE *out, const canvas *c, const plot *p) {
    const size_t indent = indent_of(p), columns = (size_t)c->width - indent;
    for (size_t s = 0; s < p->count; s++) {
        if (indent) {
            colour_on(out, c, s);
            fputc(mark_of(s), out);
            colour_off(out, c);
            fputc(' ', out);
        }
        if (c->wraps) {
            (void)print_wrapped(out, note_of(&p->series[s]), columns, indent);
        } else {
            AUTO_FREE char *fitting = text_fit(note_of(&p->series[s]), columns);
            fprintf(out, "%s\n", fitting);
        }
    }
}

/* ---- the whole ---- */

static int smaller(size_t value, int most) {
    return value < (size_t)most ? (int)value : most;
}

static canvas make_canvas(const plot *p, FILE *out) {
    const terminal_size size = terminal_size_of(out);
    const int columns = smaller(size.columns, most_columns), rows = smaller(size.rows, most_rows);
    const bool wraps = may_wrap(p, size);
    /* title, axis, its numbers and its label, the prompt, and the legend */
    const int others = 5 + (wraps ? wrapped_lines(p, size.columns) : (int)p->count);
    canvas c = {.width = (int)size.columns,
                .columns = columns - margin > 20 ? columns - margin : 20,
                .rows = rows - others > 8 ? rows - others : 8,
                .wraps = wraps,
                .series = p->count,
                .colour = isatty(fileno(out)) == 1 && !getenv("NO_COLOR")};
    c.dots = allocate(c.series * (size_t)c.rows * (size_t)c.columns, 1);
    return c;
}

void plot_terminal(const plot *p, FILE *out) {
    const canvas c = make_canvas(p, out);
    const panel_axis x_range = plot_x_range(p), y_range = plot_y_range(p);
    const plot_ruler x = plot_x_ruler(p, &x_range, c.columns / 10);
    const plot_ruler y = plot_y_ruler(&y_range, c.rows / 2);
    for (size_t s = 0; s < p->count; s++) draw_series(&c, s, &p->series[s], &x, &y);
    fprintf(out, "%*s%s\n", margin - 1, "", p->y_label);
    print_rows(out, &c, &x, &y);
    print_x_axis(out, &c, &x);
    fprintf(out, "%*s%s\n", margin, "", p->x_label);
    print_legend(out, &c, p);
    free(c.dots);
}
