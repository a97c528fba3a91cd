/* SPDX-License-Identifier: MIT
 * A drawing and its SVG.
 */
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

void sheet_release(sheet *s) {
    for (size_t k = 0; k < s->count; k++) {
        free(s->shapes[k].points);
        free(s->shapes[k].text);
    }
    free(s->shapes);
    *s = (sheet){.count = 0};
}

/* ---- shapes ---- */

static void add(sheet *s, sheet_shape shape, const sheet_point *points) {
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 64;
        s->shapes = reallocate(s->shapes, s->capacity, sizeof *s->shapes);
    }
    shape.points = allocate(shape.count, sizeof *points);
    memcpy(shape.points, points, shape.count * sizeof *points);
    s->shapes[s->count++] = shape;
}

void sheet_box(sheet *s, double x, double y, double width, double height, unsigned colour) {
    const sheet_point points[] = {{x, y}, {width, height}};
    add(s, (sheet_shape){.kind = SHEET_BOX, .colour = colour, .count = 2}, points);
}

void sheet_line(sheet *s, const sheet_point *points, size_t count, unsigned colour, double width,
                const char *dashes) {
    if (count)
        add(s,
            (sheet_shape){.kind = SHEET_LINE,
                          .colour = colour,
                          .count = count,
                          .width = width,
                          .dashes = dashes},
            points);
}

void sheet_dots(sheet *s, const sheet_point *points, size_t count, unsigned colour, double radius) {
    if (count)
        add(s, (sheet_shape){.kind = SHEET_DOTS, .colour = colour, .count = count, .width = radius},
            points);
}

void sheet_text(sheet *s, sheet_point at, const char *text, double size, sheet_anchor anchor,
                bool upright, unsigned colour) {
    add(s,
        (sheet_shape){.kind = SHEET_TEXT,
                      .colour = colour,
                      .count = 1,
                      .width = size,
                      .text = shown_text(text),
                      .anchor = anchor,
                      .upright = upright},
        &at);
}

double sheet_text_width(const char *text, double size) {
    size_t letters = 0;
    for (; *text; text++) letters += ((unsigned char)*text & 0xC0) != 0x80;
    return 0.58 * size * (double)letters;
}

/* ---- SVG ---- */

static void print_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        const char *entity = *text == '<'   ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '&' ? "&amp;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            fputs(entity, out);
        else
            fputc(*text, out);
    }
}

static bool is_finite(sheet_point p) {
    return isfinite(p.x) && isfinite(p.y);
}

static void print_line(FILE *out, const sheet_shape *shape) {
    char last[64] = "";
    bool pen_down = false;
    fputs("<path d=\"", out);
    for (size_t k = 0; k < shape->count; k++) {
        const sheet_point p = shape->points[k];
        char point[64];
        if (!is_finite(p)) {
            pen_down = false;
            continue;
        }
        (void)snprintf(point, sizeof point, "%.2f %.2f", p.x, p.y);
        if (pen_down && strcmp(point, last) == 0) continue;
        fprintf(out, "%s%s", pen_down ? "L" : "M", point);
        memcpy(last, point, sizeof last);
        pen_down = true;
    }
    fprintf(out, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" stroke-linejoin=\"round\"",
            shape->colour, shape->width);
    if (shape->dashes) fprintf(out, " stroke-dasharray=\"%s\"", shape->dashes);
    fputs("/>\n", out);
}

/* Strokes of no length with round ends: one path for all dots. */
static void print_dots(FILE *out, const sheet_shape *shape) {
    fputs("<path d=\"", out);
    for (size_t k = 0; k < shape->count; k++)
        if (is_finite(shape->points[k]))
            fprintf(out, "M%.1f %.1fh0", shape->points[k].x, shape->points[k].y);
    fprintf(out,
            "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" stroke-linecap=\"round\"/>\n",
            shape->colour, 2 * shape->width);
}

static void print_text(FILE *out, const sheet_shape *shape) {
    static const char *const anchors[] = {"start", "middle", "end"};
    const sheet_point at = shape->points[0];
    const double down = 0.35 * shape->width; /* from the middle of the letters to their baseline */
    if (shape->upright)
        fprintf(out, "<text transform=\"translate(%.2f %.2f) rotate(-90)\"", at.x + down, at.y);
    else
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\"", at.x, at.y + down);
    fprintf(out, " text-anchor=\"%s\" font-size=\"%g\" fill=\"#%06x\">", anchors[shape->anchor],
            shape->width, shape->colour);
    print_escaped(out, shape->text);
    fputs("</text>\n", out);
}

static void print_shape(FILE *out, const sheet_shape *shape) {
    switch (shape->kind) {
    case SHEET_BOX:
        /* crisp edges: no gaps between neighbouring cells at any size */
        fprintf(out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\" "
                "shape-rendering=\"crispEdges\"/>\n",
                shape->points[0].x, shape->points[0].y, shape->points[1].x, shape->points[1].y,
                shape->colour);
        break;
    case SHEET_LINE:
        print_line(out, shape);
        break;
    case SHEET_DOTS:
        print_dots(out, shape);
        break;
    case SHEET_TEXT:
        print_text(out, shape);
        break;
    }
}

void sheet_svg(const sheet *s, FILE *out) {
    static const int layer_of[] = {
        [SHEET_BOX] = 0, [SHEET_LINE] = 1, [SHEET_DOTS] = 1, [SHEET_TEXT] = 2};
    AUTO_FREE char *title = shown_text(s->title);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"'DejaVu Sans', Verdana, Arial, "
            "sans-serif\">\n<title>",
            s->width, s->height, s->width, s->height);
    print_escaped(out, title);
    fprintf(out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", s->width,
            s->height);
    for (int layer = 0; layer < 3; layer++)
        for (size_t k = 0; k < s->count; k++)
            if (layer_of[s->shapes[k].kind] == layer) print_shape(out, &s->shapes[k]);
    fputs("</svg>\n", out);
}
