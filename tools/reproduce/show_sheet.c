/* SPDX-License-Identifier: MIT */
/* An experiment on one sheet, an SVG: what it shows, all of its plots, two in a row, its tables. */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/whole_file.h"
#include "document/memory_stream.h"
#include "report/page.h"
#include "show.h"

/* In units of the plots. */
enum {
    width = 2 * PLOT_WIDTH,
    margin = 40,
    line = 26, /* of text and of tables */
    text_columns = 165,
    letter = 9 /* a wide one, at the size of the tables */
};

static void print_text(FILE *out, int x, int y, const char *attributes, const char *text,
                       size_t length) {
    AUTO_FREE char *part = format_text("%.*s", (int)length, text);
    fprintf(out, "<text x=\"%d\" y=\"%d\"%s>", x, y, attributes);
    page_text(out, part);
    fputs("</text>\n", out);
}

/* Where a line of text ends: at the last blank before it is too long. */
static size_t line_length(const char *text) {
    if (strlen(text) <= text_columns) return strlen(text);
    size_t length = text_columns;
    while (length > 1 && text[length] != ' ') length--;
    return length;
}

/* Both return where what follows begins. */
static int print_head(FILE *out, const experiment *e) {
    int y = 50;
    print_text(out, margin, y, " font-size=\"26\"", e->title, strlen(e->title));
    y += 14;
    for (const char *text = e->shows; *text; text += strspn(text, " ")) {
        const size_t length = line_length(text);
        print_text(out, margin, y += line, " font-size=\"17\"", text, length);
        text += length;
    }
    return y + line;
}

static int print_plots(FILE *out, const experiment_run *run, int y) {
    for (size_t k = 0; k < run->plot_count; k++) {
        const experiment_plot *p = run->plots[k];
        AUTO_FREE plot_series *series = allocate(p->curve_count, sizeof *series);
        const plot view = experiment_plot_view(p, series);
        fprintf(out, "<g transform=\"translate(%d %d)\">\n", (int)(k % 2) * PLOT_WIDTH,
                y + (int)(k / 2) * PLOT_HEIGHT);
        plot_svg(&view, out);
        fputs("</g>\n", out);
    }
    return y + (int)((run->plot_count + 1) / 2) * PLOT_HEIGHT;
}

/* As many letters as the longest text of a column has. */
static size_t column_letters(const experiment_table *t, size_t column) {
    size_t most = strlen(t->heads[column]);
    for (size_t k = column; k < t->cell_count; k += t->columns)
        if (strlen(t->cells[k]) > most) most = strlen(t->cells[k]);
    return most;
}

/* The first column begins where the page does, the others are numbers and end below each other. */
static void print_row(FILE *out, const experiment_table *t, const char *const *cells, int y,
                      const char *weight) {
    int x = margin;
    for (size_t c = 0; c < t->columns; c++) {
        const int room = letter * ((int)column_letters(t, c) + 1);
        char *attributes = format_text("%s%s", weight, c > 0 ? " text-anchor=\"end\"" : "");
        print_text(out, c > 0 ? x + room : x, y, attributes, cells[c], strlen(cells[c]));
        free(attributes);
        x += room;
    }
}

static int print_tables(FILE *out, const experiment_run *run, int y) {
    for (size_t n = 0; n < run->table_count; n++) {
        const experiment_table *t = run->tables[n];
        y += 2 * line;
        print_text(out, margin, y, " font-size=\"17\"", t->title, strlen(t->title));
        print_row(out, t, t->heads, y += line + 6, " font-weight=\"bold\"");
        for (size_t k = 0; k + t->columns <= t->cell_count; k += t->columns)
            print_row(out, t, (const char *const *)t->cells + k, y += line, "");
    }
    return y + line;
}

static bool write_sheet(const experiment_run *run, const char *path, stiction_error *error) {
    /* the height comes before the rows that determine it */
    AUTO_FREE char *inside = NULL;
    size_t size = 0;
    FILE *memory = must_have(stiction_memory_stream(&inside, &size));
    const int height =
        print_tables(memory, run, print_plots(memory, run, print_head(memory, run->of)));
    if (fclose(memory) != 0) (void)must_have(NULL);
    whole_file file;
    bool fine = whole_file_begin(&file, path, error);
    if (fine) {
        fprintf(file.out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"'DejaVu Sans', Verdana, Arial, "
                "sans-serif\" font-size=\"15\" fill=\"#222\">\n<rect width=\"%d\" height=\"%d\" "
                "fill=\"#fff\"/>\n%s</svg>\n",
                width, height, width, height, width, height, inside);
        fine = whole_file_end(&file, error);
    }
    return fine;
}

bool show_sheets(experiment_run *const *runs, size_t count, const char *folder,
                 stiction_error *error) {
    bool fine = true;
    AUTO_FREE char *sheets = format_text("%s/sheets", folder);
    for (size_t k = 0; fine && k < count; k++) {
        if (!runs[k]->of->sheet) continue;
        AUTO_FREE char *path = format_text("%s/%s.svg", sheets, runs[k]->of->id);
        fine = folder_make(sheets, error) && write_sheet(runs[k], path, error);
    }
    return fine;
}
