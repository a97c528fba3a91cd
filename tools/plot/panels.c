/* SPDX-License-Identifier: MIT
 * Plots and panels, drawn on a sheet: the layout, the frames with their grids, lines and heat maps,
 * the legend above the frames and the colour bar beside them.
 */
#include "panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/whole_file.h"
#include "document/text.h"
#include "plot_axis.h"
#include "sheet.h"

enum { ink = 0x222222, faint = 0x555555, grid = 0xe4e4e4, zero_line = 0x9a9a9a };
enum { no_value = 0xdddddd, failed = 0xc4420a };
static const double text_size = 15, small_size = 13, cell_size = 12, gap = 8, legend_row = 22;

static double widest_tick(const plot_ruler *r) {
    double widest = 0;
    for (size_t k = 0; k < r->count; k++)
        widest = fmax(widest, sheet_text_width(r->ticks[k].text, small_size));
    return widest;
}

static void straight(sheet *s, double x1, double y1, double x2, double y2, unsigned colour,
                     double width) {
    const sheet_point points[] = {{x1, y1}, {x2, y2}};
    sheet_line(s, points, 2, colour, width, NULL);
}

static void draw_cross(sheet *s, double x, double y) {
    enum { arm = 4 };
    straight(s, x - arm, y - arm, x + arm, y + arm, failed, 1.6);
    straight(s, x - arm, y + arm, x + arm, y - arm, failed, 1.6);
}

/* Diagonal lines a few pixels apart, which continue in neighbouring boxes. */
static void hatch(sheet *s, double left, double top, double width, double height) {
    const double apart = 7;
    for (double c = apart - fmod(left + top, apart); c < width + height; c += apart) {
        const double from_x = c < height ? 0 : c - height, from_y = c < height ? c : height;
        const double to_x = c < width ? c : width, to_y = c < width ? 0 : c - width;
        straight(s, left + from_x, top + from_y, left + to_x, top + to_y, failed, 1.2);
    }
}

/* ---- the layout ---- */

typedef struct layout {
    size_t columns, rows;
    double width, height;  /* of the frame of a panel */
    double left, top;      /* of the first frame */
    double step_x, step_y; /* from one frame to the next */
    double tick_depth;     /* below a frame */
    bool upright;          /* names on x */
    double right, tall;    /* right end of the frames; their height with the gaps */
    double legend_top;
    bool has_failed, has_none; /* in the legend */
    sheet on;
} layout;

static void find_gaps(const panels *p, layout *l) {
    for (size_t k = 0; k < p->count; k++) {
        const panel *one = &p->panels[k];
        l->has_failed = l->has_failed || one->failed_count > 0;
        for (size_t n = 0; one->cells && n < p->x.name_count * p->y.name_count; n++) {
            l->has_failed =
                l->has_failed || one->cells[n].state == PANEL_FAILED || one->cells[n].some_failed;
            l->has_none = l->has_none || one->cells[n].state == PANEL_NONE;
        }
    }
}

static size_t column_count(size_t panel_count) {
    return panel_count == 1   ? 1
           : panel_count == 3 ? 3
           : panel_count <= 4 ? 2
           : panel_count <= 9 ? 3
                              : 4;
}

static int draw_legend(sheet *on, const panels *p, const layout *l);

/* One panel fills a picture of fixed size, of several each has a fixed size. */
static layout lay_out(const panels *p, const plot_ruler *x, const plot_ruler *y,
                      const plot_ruler *z) {
    static const double widths[] = {0, 0, 330, 280, 220};
    layout l = {.columns = column_count(p->count), .on = {.title = p->title}};
    const bool single = p->count == 1, titled = p->panels[0].title != NULL;
    const double bar = p->panels[0].cells ? 20 + 7 * gap + widest_tick(z) + 2 * text_size +
                                                (p->z.note ? 1.3 * small_size : 0)
                                          : 0;
    const double right = bar + 3 * gap;
    l.rows = (p->count + l.columns - 1) / l.columns;
    l.left = 2.4 * text_size + gap + widest_tick(y) + (p->y.note ? 1.3 * small_size : 0);
    l.width = single ? PLOT_WIDTH - l.left - right : widths[l.columns];
    l.step_x = l.width + widest_tick(y) + 3 * gap;
    l.right = l.left + (double)(l.columns - 1) * l.step_x + l.width;
    l.on.width = (int)ceil(l.right + right);
    find_gaps(p, &l);
    l.legend_top = (*p->title ? 2.2 * text_size : gap) + legend_row / 2;
    l.top = l.legend_top - legend_row / 2 + legend_row * draw_legend(NULL, p, &l) +
            (titled ? 1.8 * text_size : gap);
    const double slot = x->count ? l.width / (double)x->count : l.width;
    l.upright = p->x.names && widest_tick(x) > slot - 6;
    l.tick_depth = (l.upright ? widest_tick(x) : small_size) + gap;
    const double below = l.tick_depth + 2.4 * text_size;
    l.height = single ? fmax(280, PLOT_HEIGHT - l.top - below)
                      : round((l.rows == 1 ? 0.84 : 0.72) * l.width);
    l.step_y = l.height + l.tick_depth + (titled ? 2 * text_size : gap);
    l.tall = (double)(l.rows - 1) * l.step_y + l.height;
    l.on.height = (int)ceil(l.top + l.tall + below);
    return l;
}

/* ---- the legend ---- */

typedef enum key_kind { KEY_SERIES, KEY_BAND, KEY_CROSS, KEY_HATCH, KEY_NONE } key_kind;

static void draw_key(sheet *s, key_kind kind, const plot_series *series, size_t number, double x,
                     double y) {
    const plot_style *style = plot_style_of(number);
    const sheet_point ends[] = {{x, y}, {x + 30, y}}, middle = {x + 15, y};
    switch (kind) {
    case KEY_SERIES:
        if (!series->points) sheet_line(s, ends, 2, style->colour, 2.2, style->dashes);
        if (series->points || series->marked) sheet_dots(s, &middle, 1, style->colour, 3.5);
        break;
    case KEY_BAND:
        sheet_box(s, x + 4, y - 6, 22, 12, PLOT_BAND_COLOUR);
        break;
    case KEY_CROSS:
        draw_cross(s, middle.x, y);
        break;
    case KEY_HATCH:
        hatch(s, x + 4, y - 6, 22, 12);
        break;
    case KEY_NONE:
        sheet_box(s, x + 4, y - 6, 22, 12, no_value);
        break;
    }
}

typedef struct legend_pen {
    sheet *on; /* NULL: only counts rows */
    double left, right, x, y;
    int rows;
} legend_pen;

static void add_key(legend_pen *pen, key_kind kind, const plot_series *series, size_t number,
                    const char *label) {
    const double width = 36 + sheet_text_width(label, small_size) + 3 * gap;
    if (pen->rows == 0) {
        pen->rows = 1;
    } else if (pen->x + width > pen->right) {
        pen->rows++;
        pen->x = pen->left;
        pen->y += legend_row;
    }
    if (pen->on) {
        draw_key(pen->on, kind, series, number, pen->x, pen->y);
        sheet_text(pen->on, (sheet_point){pen->x + 36, pen->y}, label, small_size, SHEET_LEFT,
                   false, ink);
    }
    pen->x += width;
}

/* Rows of keys with their labels above the frames. Returns how many; `on` NULL: only counts. */
static int draw_legend(sheet *on, const panels *p, const layout *l) {
    legend_pen pen = {on, l->left, l->right, l->left, l->legend_top, 0};
    const panel *one = &p->panels[0];
    for (size_t k = 0; k < one->series_count && one->series_count > 1; k++)
        add_key(&pen, KEY_SERIES, &one->series[k], k, one->series[k].label);
    if (p->band_label && one->band_count) add_key(&pen, KEY_BAND, NULL, 0, p->band_label);
    if (l->has_failed) add_key(&pen, one->cells ? KEY_HATCH : KEY_CROSS, NULL, 0, "failed");
    if (l->has_none) add_key(&pen, KEY_NONE, NULL, 0, "no value");
    return pen.rows;
}

/* ---- one panel ---- */

typedef struct frame {
    sheet *on;
    double left, top, width, height;
} frame;

static sheet_point point_in(const frame *f, double share_x, double share_y) {
    return (sheet_point){f->left + share_x * f->width, f->top + (1 - share_y) * f->height};
}

static void draw_outline(const frame *f) {
    const double right = f->left + f->width, bottom = f->top + f->height;
    const sheet_point points[] = {
        {f->left, f->top}, {right, f->top}, {right, bottom}, {f->left, bottom}, {f->left, f->top}};
    sheet_line(f->on, points, 5, faint, 1, NULL);
}

static void draw_ticks(const frame *f, const layout *l, const plot_ruler *x, const plot_ruler *y,
                       bool lines) {
    const double bottom = f->top + f->height;
    for (size_t k = 0; k < x->count; k++) {
        const double at = f->left + x->ticks[k].share * f->width;
        if (lines && !x->axis->names)
            straight(f->on, at, f->top, at, bottom, x->ticks[k].zero ? zero_line : grid, 1);
        if (l->upright)
            sheet_text(f->on, (sheet_point){at, bottom + gap}, x->ticks[k].text, small_size,
                       SHEET_RIGHT, true, ink);
        else
            sheet_text(f->on, (sheet_point){at, bottom + gap + small_size / 2}, x->ticks[k].text,
                       small_size, SHEET_MIDDLE, false, ink);
    }
    for (size_t k = 0; k < y->count; k++) {
        const double at = bottom - y->ticks[k].share * f->height;
        if (lines && !y->axis->names)
            straight(f->on, f->left, at, f->left + f->width, at,
                     y->ticks[k].zero ? zero_line : grid, 1);
        sheet_text(f->on, (sheet_point){f->left - gap, at}, y->ticks[k].text, small_size,
                   SHEET_RIGHT, false, ink);
    }
}

static bool is_on_axis(double share) {
    return share >= 0 && share <= 1;
}

static void draw_series(const frame *f, const plot_series *series, size_t number,
                        const plot_ruler *x, const plot_ruler *y) {
    const plot_style *style = plot_style_of(number);
    AUTO_FREE sheet_point *points = allocate(series->count + 1, sizeof *points);
    for (size_t k = 0; k < series->count; k++) {
        const double right = plot_share(x, series->x[k]), up = plot_share(y, series->y[k]);
        points[k] = is_on_axis(right) && is_on_axis(up) ? point_in(f, right, up)
                                                        : (sheet_point){(double)NAN, (double)NAN};
    }
    if (!series->points)
        sheet_line(f->on, points, series->count, style->colour, 2.2, style->dashes);
    if (series->points || series->marked)
        sheet_dots(f->on, points, series->count, style->colour, series->count > 200 ? 1.5 : 3.5);
}

static void draw_lines(const frame *f, const panel *p, const plot_ruler *x, const plot_ruler *y) {
    for (size_t k = 0; k < p->band_count; k++) {
        const double from = fmax(plot_share(x, p->bands[k].from), 0);
        const double to = fmin(plot_share(x, p->bands[k].to), 1);
        if (from < to)
            sheet_box(f->on, f->left + from * f->width, f->top, (to - from) * f->width, f->height,
                      PLOT_BAND_COLOUR);
    }
    for (size_t s = 0; s < p->series_count; s++) draw_series(f, &p->series[s], s, x, y);
    for (size_t k = 0; k < p->failed_count; k++) {
        const sheet_point at = point_in(f, plot_share(x, p->failed[k]), 1);
        draw_cross(f->on, at.x, at.y + 9);
    }
}

static void draw_cell(const frame *f, const panel_cell *cell, const plot_ruler *z, double left,
                      double top, double width, double height) {
    if (cell->state == PANEL_EMPTY) return;
    if (cell->state == PANEL_FAILED) {
        hatch(f->on, left, top, width, height);
        return;
    }
    const double share = cell->state == PANEL_VALUE ? plot_share(z, cell->value) : 0;
    sheet_box(f->on, left, top, width, height,
              cell->state == PANEL_NONE ? no_value : plot_scale_colour(share));
    if (!cell->some_failed) return;
    const double size = fmin(12, fmin(width, height) / 2);
    straight(f->on, left + width - size, top, left + width, top + size, failed, 2.5);
}

/* As many digits as fit into the cells, at most three; 0: no text. */
static int digits_for(const panels *p, double width) {
    char text[32];
    if (p->z.names)
        return sheet_text_width(p->z.names[p->z.name_count - 1], cell_size) <= width - 4;
    for (int digits = 3; digits >= 2; digits--) {
        bool fits = true;
        for (size_t k = 0; k < p->count && fits; k++)
            for (size_t n = 0; n < p->x.name_count * p->y.name_count && fits; n++) {
                const panel_cell *cell = &p->panels[k].cells[n];
                (void)snprintf(text, sizeof text, "%.*g", digits, cell->value);
                fits = cell->state != PANEL_VALUE || sheet_text_width(text, cell_size) <= width - 4;
            }
        if (fits) return digits;
    }
    return 0;
}

static void write_cell(const frame *f, const panel_cell *cell, const plot_ruler *z, sheet_point at,
                       int digits) {
    char text[32] = "\xE2\x80\x93";
    if (cell->state != PANEL_VALUE && cell->state != PANEL_NONE) return;
    if (cell->state == PANEL_VALUE && z->axis->names)
        (void)snprintf(text, sizeof text, "%s", z->axis->names[(size_t)cell->value]);
    else if (cell->state == PANEL_VALUE)
        (void)snprintf(text, sizeof text, "%.*g", digits, cell->value);
    const bool dark = cell->state == PANEL_VALUE && plot_share(z, cell->value) < 0.6;
    sheet_text(f->on, at, text, cell_size, SHEET_MIDDLE, false, dark ? 0xffffff : 0);
}

static void draw_heat(const frame *f, const panel *p, const panels *all, const plot_ruler *z) {
    const size_t columns = all->x.name_count, rows = all->y.name_count;
    const double width = f->width / (double)columns, height = f->height / (double)rows;
    const int digits = height > cell_size + 4 ? digits_for(all, width) : 0;
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            const panel_cell *cell = &p->cells[row * columns + column];
            const double left = f->left + (double)column * width;
            const double top = f->top + (double)(rows - 1 - row) * height;
            draw_cell(f, cell, z, left, top, width, height);
            if (digits)
                write_cell(f, cell, z, (sheet_point){left + width / 2, top + height / 2}, digits);
        }
}

static void draw_panel(layout *l, const panels *p, size_t number, const plot_ruler *x,
                       const plot_ruler *y, const plot_ruler *z) {
    const panel *one = &p->panels[number];
    const size_t row = number / l->columns, column = number % l->columns;
    const frame f = {&l->on, l->left + (double)column * l->step_x, l->top + (double)row * l->step_y,
                     l->width, l->height};
    if (one->title)
        sheet_text(&l->on, (sheet_point){f.left + f.width / 2, f.top - 0.9 * text_size}, one->title,
                   text_size, SHEET_MIDDLE, false, ink);
    draw_ticks(&f, l, x, y, !one->cells);
    if (one->cells)
        draw_heat(&f, one, p, z);
    else
        draw_lines(&f, one, x, y);
    draw_outline(&f);
}

/* ---- labels and the colour bar ---- */

/* A label that is too long is drawn smaller. */
static double fitting_size(const char *text, double size, double room) {
    const double width = sheet_text_width(text, size);
    return width > room ? fmax(8, size * room / width) : size;
}

static void write_upright(sheet *s, const panel_axis *axis, double x, double y, double room) {
    const double size = fitting_size(axis->label, text_size, room);
    sheet_text(s, (sheet_point){x, y}, axis->label, size, SHEET_MIDDLE, true, ink);
    if (axis->note)
        sheet_text(s, (sheet_point){x + 1.25 * text_size, y}, axis->note, fmin(size, small_size),
                   SHEET_MIDDLE, true, faint);
}

static void draw_colour_bar(layout *l, const panels *p, const plot_ruler *z) {
    enum { steps = 128 };
    const size_t names = p->z.name_count;
    const double left = l->right + 2.5 * gap, width = 20, height = fmin(l->tall, 520);
    for (int k = 0; k < steps; k++)
        sheet_box(&l->on, left, l->top + height * (steps - 1 - k) / steps, width,
                  height / steps + 0.3,
                  plot_scale_colour(names ? (floor((double)k * (double)names / steps) + 0.5) /
                                                (double)names
                                          : (k + 0.5) / steps));
    draw_outline(&(frame){&l->on, left, l->top, width, height});
    for (size_t k = 0; k < z->count; k++) {
        const double at = l->top + (1 - z->ticks[k].share) * height;
        straight(&l->on, left + width, at, left + width + 4, at, faint, 1);
        sheet_text(&l->on, (sheet_point){left + width + gap, at}, z->ticks[k].text, small_size,
                   SHEET_LEFT, false, ink);
    }
    write_upright(&l->on, &p->z, left + width + 2 * gap + widest_tick(z) + text_size / 2 + 2,
                  l->top + height / 2, l->tall);
}

/* ---- the whole ---- */

static sheet draw(const panels *p, const plot_ruler *x, const plot_ruler *y) {
    const bool heat = p->panels[0].cells != NULL;
    plot_ruler z = {.axis = &p->z};
    if (heat) z = plot_ruler_make(&p->z, 0, 8);
    layout l = lay_out(p, x, y, &z);
    for (size_t k = 0; k < p->count; k++) draw_panel(&l, p, k, x, y, &z);
    (void)draw_legend(&l.on, p, &l);
    const double middle = (l.left + l.right) / 2, room = l.right - l.left;
    if (*p->title)
        sheet_text(&l.on, (sheet_point){middle, 1.2 * text_size}, p->title,
                   fitting_size(p->title, text_size + 2, room), SHEET_MIDDLE, false, ink);
    sheet_text(&l.on, (sheet_point){middle, l.on.height - 1.1 * text_size}, p->x.label,
               fitting_size(p->x.label, text_size, room), SHEET_MIDDLE, false, ink);
    write_upright(&l.on, &p->y, 1.1 * text_size, l.top + l.tall / 2, l.tall);
    if (heat) draw_colour_bar(&l, p, &z);
    return l.on;
}

static sheet draw_panels(const panels *p) {
    const bool single = p->count == 1;
    const plot_ruler x = plot_ruler_make(&p->x, 0.04, single ? (p->x.names ? 24 : 10) : 7);
    const plot_ruler y = plot_ruler_make(&p->y, 0.06, single ? (p->y.names ? 24 : 8) : 10);
    return draw(p, &x, &y);
}

static sheet draw_plot(const plot *p) {
    const panel one = {.series = p->series,
                       .series_count = p->count,
                       .bands = p->bands,
                       .band_count = p->band_count};
    const panels all = {.title = p->title,
                        .band_label = p->band_label,
                        .x = plot_x_range(p),
                        .y = plot_y_range(p),
                        .panels = &one,
                        .count = 1};
    const plot_ruler x = plot_x_ruler(p, &all.x, 8), y = plot_y_ruler(&all.y, 8);
    return draw(&all, &x, &y);
}

static bool write_sheet(sheet s, const char *path, plot_format format, stiction_error *error) {
    bool fine = true;
    whole_file file;
    if (format == PLOT_PNG) {
        fine = sheet_png(&s, path, error);
    } else if (strcmp(path, "-") == 0) {
        sheet_svg(&s, stdout);
    } else if ((fine = whole_file_begin(&file, path, error))) {
        sheet_svg(&s, file.out);
        fine = whole_file_end(&file, error);
    }
    sheet_release(&s);
    return fine;
}

plot_format plot_format_of(const char *path) {
    return stiction_text_ends_with(path, ".png") ? PLOT_PNG : PLOT_SVG;
}

bool panels_write(const panels *p, const char *path, stiction_error *error) {
    return write_sheet(draw_panels(p), path, plot_format_of(path), error);
}

bool plot_write(const plot *p, const char *path, plot_format format, stiction_error *error) {
    return write_sheet(draw_plot(p), path, format, error);
}

void plot_svg(const plot *p, FILE *out) {
    AUTO(sheet_release) sheet s = draw_plot(p);
    sheet_svg(&s, out);
}
