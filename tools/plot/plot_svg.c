/*
 * A plot as SVG: one file that every browser, LaTeX and office program shows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/whole_file.h"
#include "plot.h"

/* The picture in its own units, which browsers take for pixels. */
enum { width = 800, height = 500, left = 84, right = 776, top = 52, bottom = 436 };

void plot_print_xml(FILE *out, const char *text) {
    static const struct {
        char c;
        const char *entity;
    } entities[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}};
    char *all = shown_text(text); /* XML 1.0 has no control characters */
    for (const char *c = all; *c; c++) {
        size_t k = 0;
        while (k < 4 && entities[k].c != *c) k++;
        if (k < 4)
            fputs(entities[k].entity, out);
        else
            fputc(*c, out);
    }
    free(all);
}

static void print_label(FILE *out, const char *attributes, const char *text) {
    fprintf(out, "<text %s>", attributes);
    plot_print_xml(out, text);
    fputs("</text>\n", out);
}

static void print_head(FILE *out, const plot *p) {
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"'DejaVu Sans', Verdana, Arial, "
            "sans-serif\" font-size=\"14\" fill=\"#222\">\n<title>",
            width, height, width, height);
    plot_print_xml(out, p->title);
    fprintf(out, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height);
}

/* Grid line and label of every tick; the line of 0 is darker. */
static void print_x_ticks(FILE *out, const plot_axis *axis) {
    char text[64];
    const long first = plot_first_tick(axis), count = plot_tick_count(axis);
    for (long k = first; k < first + count; k++) {
        const double x = plot_place(axis, (double)k * axis->step, left, right);
        plot_tick_text(axis, k, text, sizeof text);
        fprintf(out, "<path d=\"M%.2f %dV%d\" stroke=\"%s\"/>\n", x, top, bottom,
                k ? "#e4e4e4" : "#9a9a9a");
        fprintf(out, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x, bottom + 21,
                text);
    }
}

static void print_y_ticks(FILE *out, const plot_axis *axis) {
    char text[64];
    const long first = plot_first_tick(axis), count = plot_tick_count(axis);
    for (long k = first; k < first + count; k++) {
        const double y = plot_place(axis, (double)k * axis->step, bottom, top);
        plot_tick_text(axis, k, text, sizeof text);
        fprintf(out, "<path d=\"M%d %.2fH%d\" stroke=\"%s\"/>\n", left, y, right,
                k ? "#e4e4e4" : "#9a9a9a");
        fprintf(out, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%s</text>\n", left - 9, y + 5,
                text);
    }
}

static void print_bands(FILE *out, const plot *p, const plot_axis *axis) {
    plot_band band;
    for (size_t k = 0; k < p->band_count; k++) {
        if (!plot_band_on(axis, &p->bands[k], &band)) continue;
        const double from = plot_place(axis, band.from, left, right);
        const double to = plot_place(axis, band.to, left, right);
        fprintf(out, "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>\n", from,
                top, to - from, bottom - top, PLOT_BAND_COLOUR);
    }
}

/* Dots as strokes of no length with round ends: one path for all of them. */
static void print_dots(FILE *out, const plot_series *s, const plot_style *style,
                       const plot_axis *x_axis, const plot_axis *y_axis) {
    fputs("<path d=\"", out);
    for (size_t k = 0; k < s->count; k++)
        if (isfinite(s->x[k]) && isfinite(s->y[k]))
            fprintf(out, "M%.1f %.1fh0", plot_place(x_axis, s->x[k], left, right),
                    plot_place(y_axis, s->y[k], bottom, top));
    /* a cloud of fine dots, or a few to look at one by one */
    fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%d\" stroke-linecap=\"round\"/>\n",
            style->colour, s->count > 200 ? 3 : 8);
}

static void print_line(FILE *out, const plot_series *s, const plot_style *style,
                       const plot_axis *x_axis, const plot_axis *y_axis) {
    char last[64] = "";
    bool pen_down = false;
    fputs("<path d=\"", out);
    for (size_t k = 0; k < s->count; k++) {
        char point[64];
        if (!isfinite(s->x[k]) || !isfinite(s->y[k])) {
            pen_down = false;
            continue;
        }
        (void)snprintf(point, sizeof point, "%.2f %.2f", plot_place(x_axis, s->x[k], left, right),
                       plot_place(y_axis, s->y[k], bottom, top));
        if (pen_down && strcmp(point, last) == 0) continue; /* the same pixel */
        fprintf(out, "%s%s", pen_down ? "L" : "M", point);
        memcpy(last, point, sizeof last);
        pen_down = true;
    }
    fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.4\" stroke-linejoin=\"round\"",
            style->colour);
    if (style->dashes) fprintf(out, " stroke-dasharray=\"%s\"", style->dashes);
    fputs("/>\n", out);
}

/* How many points a box in the picture would hide, those on the way from one to the next too. */
static size_t points_under(const plot *p, const plot_axis *x_axis, const plot_axis *y_axis, int x,
                           int y, int box_width, int box_height) {
    enum { parts = 4 };
    size_t hidden = 0;
    for (size_t s = 0; s < p->count; s++) {
        double last_x = 0, last_y = 0;
        for (size_t k = 0; k < p->series[s].count; k++) {
            const double next_x = plot_place(x_axis, p->series[s].x[k], left, right);
            const double next_y = plot_place(y_axis, p->series[s].y[k], bottom, top);
            for (int part = k ? 1 : parts; part <= parts; part++) {
                const double at_x = last_x + (next_x - last_x) * part / parts;
                const double at_y = last_y + (next_y - last_y) * part / parts;
                hidden += at_x > x && at_x < x + box_width && at_y > y && at_y < y + box_height;
            }
            last_x = next_x;
            last_y = next_y;
        }
    }
    return hidden;
}

/* In the upper left corner, which friction leaves free, or in the first one that hides less. */
static void print_legend(FILE *out, const plot *p, const plot_axis *x_axis,
                         const plot_axis *y_axis) {
    const int row = 22;
    size_t longest = 0;
    for (size_t s = 0; s < p->count; s++) {
        const size_t length = strlen(p->series[s].label);
        if (length > longest) longest = length;
    }
    const int box_width = 60 + 9 * (int)longest, box_height = row * (int)p->count + 10;
    const int at_left = left + 10, at_right = right - 10 - box_width;
    const int at_top = top + 10, at_bottom = bottom - 10 - box_height;
    const int corners[][2] = {
        {at_left, at_top}, {at_right, at_top}, {at_right, at_bottom}, {at_left, at_bottom}};
    size_t best = 0, least = (size_t)-1;
    for (size_t k = 0; k < sizeof corners / sizeof corners[0]; k++) {
        const size_t hidden =
            points_under(p, x_axis, y_axis, corners[k][0], corners[k][1], box_width, box_height);
        if (hidden < least) best = k;
        if (hidden < least) least = hidden;
    }
    const int x = corners[best][0] + 6, box_top = corners[best][1];
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"#fff\" "
            "fill-opacity=\"0.88\" stroke=\"#ccc\"/>\n",
            x - 6, box_top, box_width, box_height);
    for (size_t s = 0; s < p->count; s++) {
        const plot_style *style = plot_style_of(s);
        const int y = box_top + 16 + row * (int)s;
        const bool dot = p->series[s].points;
        fprintf(out, "<path d=\"M%d %dh%d\" stroke=\"%s\" stroke-width=\"%s\"",
                dot ? x + 19 : x + 2, y, dot ? 0 : 34, style->colour, dot ? "8" : "2.4");
        if (dot) fputs(" stroke-linecap=\"round\"", out);
        if (style->dashes && !dot) fprintf(out, " stroke-dasharray=\"%s\"", style->dashes);
        fprintf(out, "/>\n<text x=\"%d\" y=\"%d\">", x + 44, y + 5);
        plot_print_xml(out, p->series[s].label);
        fputs("</text>\n", out);
    }
}

void plot_svg(const plot *p, FILE *out) {
    const plot_axis x_axis = plot_x_axis(p, 8), y_axis = plot_y_axis(p, 8);
    print_head(out, p);
    print_bands(out, p, &x_axis);
    print_x_ticks(out, &x_axis);
    print_y_ticks(out, &y_axis);
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#555\"/>\n",
            left, top, right - left, bottom - top);
    /* an inner picture cuts what leaves the frame; a clip path would need a name of its own on a
     * page */
    fprintf(out, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\">\n",
            left, top, right - left, bottom - top, left, top, right - left, bottom - top);
    for (size_t s = 0; s < p->count; s++)
        (p->series[s].points ? print_dots : print_line)(out, &p->series[s], plot_style_of(s),
                                                        &x_axis, &y_axis);
    fputs("</svg>\n", out);
    if (p->count > 1) print_legend(out, p, &x_axis, &y_axis);
    print_label(out, "x=\"430\" y=\"32\" text-anchor=\"middle\" font-size=\"17\"", p->title);
    print_label(out, "x=\"430\" y=\"484\" text-anchor=\"middle\"", p->x_label);
    print_label(out, "transform=\"translate(24 244) rotate(-90)\" text-anchor=\"middle\"",
                p->y_label);
    fputs("</svg>\n", out);
}

bool plot_svg_file(const plot *p, const char *path) {
    if (strcmp(path, "-") == 0) {
        plot_svg(p, stdout);
        return true;
    }
    whole_file file;
    if (!whole_file_begin(&file, path)) return false;
    plot_svg(p, file.out);
    return whole_file_end(&file);
}
