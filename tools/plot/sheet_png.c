/*
 * A sheet as a script of gnuplot: its axes are the pixels of the sheet.
 */
#include "sheet_png.h"

#include <math.h>

#include "plot.h"

/* Pixels of the PNG to one of the sheet. */
enum { scale = 2 };

static void print_box(FILE *out, const sheet_shape *s) {
    fprintf(out,
            "set object rectangle from %.9g,%.9g to %.9g,%.9g back fillcolor rgb '#%06x' "
            "fillstyle solid noborder\n",
            s->at.x, s->at.y, s->at.x + s->size.x, s->at.y + s->size.y, s->colour);
}

static void print_label(FILE *out, const sheet_shape *s) {
    static const char *const anchors[] = {"left", "center", "right"};
    fputs("set label ", out);
    plot_print_quoted(out, s->text);
    /* cairo's points are 4/3 pixels */
    fprintf(out, " at %.9g,%.9g %s %s front font 'DejaVu Sans,%g' textcolor rgb '#%06x'\n", s->at.x,
            s->at.y, anchors[s->anchor], s->upright ? "rotate by 90" : "", 0.75 * s->width,
            s->colour);
}

static void print_points(FILE *out, const sheet_shape *s, size_t number) {
    fprintf(out, "$shape%zu << END_OF_DATA\n", number);
    if (s->kind == SHEET_DOT) fprintf(out, "%.9g %.9g\n", s->at.x, s->at.y);
    for (size_t k = 0; k < s->count; k++) {
        if (isfinite(s->points[k].x) && isfinite(s->points[k].y))
            fprintf(out, "%.9g %.9g\n", s->points[k].x, s->points[k].y);
        else
            fputc('\n', out);
    }
    fputs("END_OF_DATA\n", out);
}

static void print_look(FILE *out, const sheet_shape *s) {
    if (s->kind == SHEET_DOT) {
        fprintf(out, "with points pointtype 7 pointsize %g linecolor rgb '#%06x'", s->width / 4.5,
                s->colour);
        return;
    }
    fprintf(out, "with lines linewidth %g linecolor rgb '#%06x' dashtype ", s->width, s->colour);
    plot_print_dashes(out, s->dashes);
}

void sheet_print_gnuplot(FILE *out, const void *user) {
    const sheet *s = user;
    fprintf(out,
            "set terminal pngcairo size %d,%d noenhanced font 'DejaVu Sans,10' fontscale %d "
            "linewidth %d pointscale %d\n"
            "set encoding utf8\nunset border\nunset tics\nunset key\n"
            "set lmargin at screen 0\nset rmargin at screen 1\n"
            "set bmargin at screen 0\nset tmargin at screen 1\n"
            "set xrange [0:%d]\nset yrange [%d:0]\n",
            scale * s->width, scale * s->height, scale, scale, scale, s->width, s->height);
    for (size_t k = 0; k < s->count; k++) {
        if (s->shapes[k].kind == SHEET_BOX) print_box(out, &s->shapes[k]);
        if (s->shapes[k].kind == SHEET_TEXT) print_label(out, &s->shapes[k]);
        if (s->shapes[k].kind == SHEET_LINE || s->shapes[k].kind == SHEET_DOT)
            print_points(out, &s->shapes[k], k);
    }
    /* a sheet without a line has still to be plotted */
    fputs("plot NaN notitle", out);
    for (size_t k = 0; k < s->count; k++) {
        if (s->shapes[k].kind != SHEET_LINE && s->shapes[k].kind != SHEET_DOT) continue;
        fprintf(out, ", $shape%zu using 1:2 ", k);
        print_look(out, &s->shapes[k]);
    }
    fputc('\n', out);
}
