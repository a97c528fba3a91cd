/*
 * A plot as SVG: one file that every browser, LaTeX and office program shows.
 */
#include <math.h>
#include <string.h>

#include "plot.h"

/* The picture in its own units, which browsers take for pixels. */
enum { width = 800, height = 500, left = 84, right = 776, top = 52, bottom = 436 };

static void print_xml(FILE *out, const char *text) {
    static const struct {
        char c;
        const char *entity;
    } entities[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}};
    for (; *text; text++) {
        size_t k = 0;
        while (k < 4 && entities[k].c != *text) k++;
        if (k < 4)
            fputs(entities[k].entity, out);
        else if ((unsigned char)*text >= 0x20) /* XML 1.0 has no other control characters */
            fputc(*text, out);
    }
}

static void print_label(FILE *out, const char *attributes, const char *text) {
    fprintf(out, "<text %s>", attributes);
    print_xml(out, text);
    fputs("</text>\n", out);
}

static void print_head(FILE *out, const plot *p) {
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"'DejaVu Sans', Verdana, Arial, "
            "sans-serif\" font-size=\"14\" fill=\"#222\">\n<title>",
            width, height, width, height);
    print_xml(out, p->title);
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
        if (pen_down && strcmp(point, last) == 0) continue; /* points by the million */
        fprintf(out, "%s%s", pen_down ? "L" : "M", point);
        memcpy(last, point, sizeof last);
        pen_down = true;
    }
    fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.4\" stroke-linejoin=\"round\"",
            style->colour);
    if (style->dashes) fprintf(out, " stroke-dasharray=\"%s\"", style->dashes);
    fputs("/>\n", out);
}

/* In the upper left corner, which friction leaves free. */
static void print_legend(FILE *out, const plot *p) {
    const int x = left + 16, row = 22;
    size_t longest = 0;
    for (size_t s = 0; s < p->count; s++) {
        const size_t length = strlen(p->series[s].label);
        if (length > longest) longest = length;
    }
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%zu\" height=\"%zu\" rx=\"4\" fill=\"#fff\" "
            "fill-opacity=\"0.88\" stroke=\"#ccc\"/>\n",
            x - 6, top + 10, 60 + 9 * longest, (size_t)row * p->count + 10);
    for (size_t s = 0; s < p->count; s++) {
        const plot_style *style = plot_style_of(s);
        const int y = top + 26 + row * (int)s;
        fprintf(out, "<path d=\"M%d %dh34\" stroke=\"%s\" stroke-width=\"2.4\"", x + 2, y,
                style->colour);
        if (style->dashes) fprintf(out, " stroke-dasharray=\"%s\"", style->dashes);
        fprintf(out, "/>\n<text x=\"%d\" y=\"%d\">", x + 44, y + 5);
        print_xml(out, p->series[s].label);
        fputs("</text>\n", out);
    }
}

void plot_svg(const plot *p, FILE *out) {
    const plot_axis x_axis = plot_x_axis(p, 8), y_axis = plot_y_axis(p, 8);
    print_head(out, p);
    print_x_ticks(out, &x_axis);
    print_y_ticks(out, &y_axis);
    fprintf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#555\"/>\n",
            left, top, right - left, bottom - top);
    fprintf(out,
            "<clipPath id=\"area\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            "</clipPath>\n<g clip-path=\"url(#area)\">\n",
            left, top, right - left, bottom - top);
    for (size_t s = 0; s < p->count; s++)
        print_line(out, &p->series[s], plot_style_of(s), &x_axis, &y_axis);
    fputs("</g>\n", out);
    if (p->count > 1) print_legend(out, p);
    print_label(out, "x=\"430\" y=\"32\" text-anchor=\"middle\" font-size=\"17\"", p->title);
    print_label(out, "x=\"430\" y=\"484\" text-anchor=\"middle\"", p->x_label);
    print_label(out, "transform=\"translate(24 244) rotate(-90)\" text-anchor=\"middle\"",
                p->y_label);
    fputs("</svg>\n", out);
}
