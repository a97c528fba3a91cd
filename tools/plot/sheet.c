/*
 * A sheet to draw on. What is drawn is kept, and written when all of it is known.
 */
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/whole_file.h"
#include "plot.h"
#include "sheet_png.h"

sheet *sheet_create(int width, int height, const char *title) {
    sheet *s = allocate(1, sizeof *s);
    *s = (sheet){.width = width, .height = height, .title = copy_text(title)};
    return s;
}

static void sheet_free(sheet *s) {
    for (size_t k = 0; k < s->count; k++) {
        free(s->shapes[k].points);
        free(s->shapes[k].text);
    }
    free(s->shapes);
    free(s->title);
    free(s);
}

static sheet_shape *add(sheet *s, sheet_kind kind, unsigned colour) {
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->shapes = reallocate(s->shapes, s->room, sizeof *s->shapes);
    }
    sheet_shape *shape = &s->shapes[s->count++];
    *shape = (sheet_shape){.kind = kind, .colour = colour};
    return shape;
}

void sheet_box(sheet *s, double x, double y, double width, double height, unsigned colour) {
    sheet_shape *shape = add(s, SHEET_BOX, colour);
    shape->at = (sheet_point){x, y};
    shape->size = (sheet_point){width, height};
}

void sheet_line(sheet *s, const sheet_point *points, size_t count, unsigned colour, double width,
                const char *dashes) {
    if (!count) return;
    sheet_shape *shape = add(s, SHEET_LINE, colour);
    shape->points = allocate(count, sizeof *points);
    memcpy(shape->points, points, count * sizeof *points);
    shape->count = count;
    shape->width = width;
    shape->dashes = dashes;
}

void sheet_dot(sheet *s, sheet_point at, unsigned colour, double radius) {
    sheet_shape *shape = add(s, SHEET_DOT, colour);
    shape->at = at;
    shape->width = radius;
}

void sheet_text(sheet *s, sheet_point at, const char *text, double size, sheet_anchor anchor,
                bool upright, unsigned colour) {
    sheet_shape *shape = add(s, SHEET_TEXT, colour);
    shape->at = at;
    shape->text = copy_text(text);
    shape->width = size;
    shape->anchor = anchor;
    shape->upright = upright;
}

double sheet_text_width(const char *text, double size) {
    size_t letters = 0;
    for (; *text; text++) letters += ((unsigned char)*text & 0xC0) != 0x80;
    return 0.58 * size * (double)letters;
}

/* ---- SVG ---- */

static void print_line(FILE *out, const sheet_shape *shape) {
    bool down = false;
    fputs("<path d=\"", out);
    for (size_t k = 0; k < shape->count; k++) {
        const sheet_point p = shape->points[k];
        const bool there = isfinite(p.x) && isfinite(p.y);
        if (there) fprintf(out, "%s%.2f %.2f", down ? "L" : "M", p.x, p.y);
        down = there;
    }
    fprintf(out, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" stroke-linejoin=\"round\"",
            shape->colour, shape->width);
    if (shape->dashes) fprintf(out, " stroke-dasharray=\"%s\"", shape->dashes);
    fputs("/>\n", out);
}

static void print_text(FILE *out, const sheet_shape *shape) {
    static const char *const anchors[] = {"start", "middle", "end"};
    const double down = 0.35 * shape->width; /* from the middle of the letters to their line */
    if (shape->upright)
        fprintf(out, "<text transform=\"translate(%.2f %.2f) rotate(-90)\"", shape->at.x + down,
                shape->at.y);
    else
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\"", shape->at.x, shape->at.y + down);
    fprintf(out, " text-anchor=\"%s\" font-size=\"%g\" fill=\"#%06x\">", anchors[shape->anchor],
            shape->width, shape->colour);
    plot_print_xml(out, shape->text);
    fputs("</text>\n", out);
}

static void print_shape(FILE *out, const sheet_shape *shape) {
    switch (shape->kind) {
    case SHEET_BOX:
        /* neighbours meet without a gap, whatever the size on paper */
        fprintf(out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\" "
                "shape-rendering=\"crispEdges\"/>\n",
                shape->at.x, shape->at.y, shape->size.x, shape->size.y, shape->colour);
        break;
    case SHEET_LINE:
        print_line(out, shape);
        break;
    case SHEET_DOT:
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%g\" fill=\"#%06x\"/>\n", shape->at.x,
                shape->at.y, shape->width, shape->colour);
        break;
    case SHEET_TEXT:
        print_text(out, shape);
        break;
    }
}

static void print_svg(FILE *out, const sheet *s) {
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"'DejaVu Sans', Verdana, Arial, "
            "sans-serif\">\n<title>",
            s->width, s->height, s->width, s->height);
    plot_print_xml(out, s->title);
    fprintf(out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", s->width,
            s->height);
    static const bool layers[][4] = {
        {[SHEET_BOX] = true}, {[SHEET_LINE] = true, [SHEET_DOT] = true}, {[SHEET_TEXT] = true}};
    for (size_t layer = 0; layer < sizeof layers / sizeof layers[0]; layer++)
        for (size_t k = 0; k < s->count; k++)
            if (layers[layer][s->shapes[k].kind]) print_shape(out, &s->shapes[k]);
    fputs("</svg>\n", out);
}

static bool write_svg(const sheet *s, const char *path) {
    whole_file file;
    if (!whole_file_begin(&file, path)) return false;
    print_svg(file.out, s);
    return whole_file_end(&file);
}

bool sheet_write(sheet *s, const char *path) {
    const size_t length = strlen(path);
    const bool png = length > 4 && strcmp(path + length - 4, ".png") == 0;
    const bool fine = png ? plot_gnuplot(sheet_print_gnuplot, s, path) : write_svg(s, path);
    sheet_free(s);
    return fine;
}
