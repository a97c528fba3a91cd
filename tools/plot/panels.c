/*
 * Panels side by side over the same axes, drawn on a sheet.
 */
#include "panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "sheet.h"

enum { ink = 0x222222, faint = 0x555555, grid = 0xe4e4e4, no_value = 0xdddddd, failed = 0xc4420a };
static const double text_size = 15, small_size = 13, cell_size = 12, gap = 8;

/* ---- axes ---- */

enum { most_ticks = 60 };

typedef struct tick {
    double share; /* of the axis, from 0 to 1 */
    char text[72];
} tick;

typedef struct ruler {
    const panel_axis *axis;
    plot_axis numbers; /* of logarithms where the axis is logarithmic */
    tick ticks[most_ticks];
    size_t count;
} ruler;

/* Where a value lies, from 0 to 1. */
static double share_of(const ruler *r, double value) {
    if (r->axis->names) return (value + 0.5) / (double)r->axis->name_count;
    return plot_place(&r->numbers, r->axis->log ? log10(value) : value, 0, 1);
}

static void add_tick(ruler *r, double share, const char *text) {
    if (r->count == most_ticks || !(share >= -1e-9 && share <= 1 + 1e-9)) return;
    tick *t = &r->ticks[r->count++];
    t->share = share;
    (void)snprintf(t->text, sizeof t->text, "%s", text);
}

/* A long name has its beginning and its end, between whole letters. */
static void shorten(const char *name, char *buffer, size_t size) {
    enum { most = 22, kept = 10 };
    const size_t length = strlen(name);
    if (length <= most) {
        (void)snprintf(buffer, size, "%s", name);
        return;
    }
    size_t head = kept, tail = length - kept;
    while (head && ((unsigned char)name[head] & 0xC0) == 0x80) head--;
    while (((unsigned char)name[tail] & 0xC0) == 0x80) tail++;
    (void)snprintf(buffer, size, "%.*s\xE2\x80\xA6%s", (int)head, name, name + tail);
}

/* As many of the names as there is room for. */
static void tick_names(ruler *r, size_t most) {
    const size_t n = r->axis->name_count, every = most && n > most ? (n + most - 1) / most : 1;
    char text[64];
    for (size_t k = 0; k < n; k += every) {
        shorten(r->axis->names[k], text, sizeof text);
        add_tick(r, share_of(r, (double)k), text);
    }
}

static void tick_logarithms(ruler *r, int most) {
    static const double all[] = {1, 2, 5}, many[] = {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9};
    const double span = r->numbers.high - r->numbers.low;
    const double *parts = span > 1 ? all : many;
    const size_t part_count = span > 3 ? 1 : span > 1 ? 3 : 10;
    const int every = span > 3 ? (int)ceil(span / most) : 1;
    char text[32];
    for (int decade = (int)floor(r->numbers.low); decade <= (int)ceil(r->numbers.high); decade++)
        for (size_t k = 0; k < part_count && decade % every == 0; k++) {
            const double value = parts[k] * pow(10, decade);
            (void)snprintf(text, sizeof text, "%g", value);
            add_tick(r, share_of(r, value), text);
        }
}

static void tick_numbers(ruler *r) {
    char text[64];
    const long first = plot_first_tick(&r->numbers), count = plot_tick_count(&r->numbers);
    for (long k = first; k < first + count; k++) {
        plot_tick_text(&r->numbers, k, text, sizeof text);
        add_tick(r, plot_place(&r->numbers, (double)k * r->numbers.step, 0, 1), text);
    }
}

/* At values of its own, as far as their texts have room. */
static void tick_marks(ruler *r, int most) {
    char text[32];
    double last = -1;
    for (size_t k = 0; k < r->axis->mark_count; k++) {
        const double share = share_of(r, r->axis->marks[k]);
        if (share - last < 0.4 / most) continue;
        last = share;
        (void)snprintf(text, sizeof text, "%.6g", r->axis->marks[k]);
        add_tick(r, share, text);
    }
}

/* An axis with about as many ticks as there is room for. */
static ruler make_ruler(const panel_axis *axis, double room, int most) {
    ruler r = {.axis = axis};
    if (axis->names) {
        tick_names(&r, (size_t)most);
        return r;
    }
    const double low = axis->log ? log10(axis->low) : axis->low;
    const double high = axis->log ? log10(axis->high) : axis->high;
    r.numbers = plot_axis_of(low, high, room, most);
    if (axis->marks)
        tick_marks(&r, most);
    else if (axis->log)
        tick_logarithms(&r, most);
    else
        tick_numbers(&r);
    return r;
}

static double widest_tick(const ruler *r) {
    double widest = 0;
    for (size_t k = 0; k < r->count; k++)
        widest = fmax(widest, sheet_text_width(r->ticks[k].text, small_size));
    return widest;
}

/* ---- the layout ---- */

typedef struct layout {
    size_t columns, rows;
    double width, height;        /* of the frame of a panel */
    double left, top;            /* of the first one */
    double step_x, step_y;       /* from one to the next */
    double tick_depth;           /* under a frame */
    bool slanted;                /* names on x stand upright */
    double right_of_all, legend; /* where the legend begins, and its width */
    double tall;                 /* from the top of the first frame to the bottom of the last */
    bool has_failed, has_none;   /* the legend says what these look like */
    int sheet_width, sheet_height;
} layout;

static double widest_label(const panels *p) {
    double widest = 0;
    for (size_t s = 0; s < p->panels[0].series_count; s++)
        widest = fmax(widest, sheet_text_width(p->panels[0].series[s].label, small_size));
    return widest;
}

static void look_for_gaps(const panels *p, layout *l) {
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

static layout lay_out(const panels *p, const ruler *x, const ruler *y, const ruler *z) {
    layout l = {.columns = p->count == 1   ? 1
                           : p->count == 3 ? 3
                           : p->count <= 4 ? 2
                           : p->count <= 9 ? 3
                                           : 4};
    l.rows = (p->count + l.columns - 1) / l.columns;
    static const double widths[] = {0, 560, 330, 280, 220};
    l.width = widths[l.columns];
    l.height = p->count == 1 ? 380 : round((l.rows == 1 ? 0.84 : 0.72) * l.width);
    const double slot = x->count ? l.width / (double)x->count : l.width;
    l.slanted = p->x.names && widest_tick(x) > slot - 6;
    l.tick_depth = (l.slanted ? widest_tick(x) : small_size) + gap;
    const bool titled = p->panels[0].title != NULL;
    l.left = 2.4 * text_size + gap + widest_tick(y) + (p->y.note ? 1.3 * small_size : 0);
    l.top = (*p->title ? 2.2 * text_size : gap) + (titled ? 1.8 * text_size : gap);
    l.step_x = l.width + widest_tick(y) + 3 * gap;
    l.step_y = l.height + l.tick_depth + (titled ? 2 * text_size : gap);
    l.right_of_all = l.left + (double)(l.columns - 1) * l.step_x + l.width + 2.5 * gap;
    const bool heat = p->panels[0].cells != NULL;
    l.legend =
        heat ? 22 + 2 * gap + widest_tick(z) + 2 * text_size + (p->z.note ? 1.3 * small_size : 0)
        : p->panels[0].series_count > 1 ? 44 + widest_label(p)
                                        : 0;
    look_for_gaps(p, &l);
    if (l.has_failed || l.has_none)
        l.legend = fmax(l.legend, 38 + sheet_text_width("no value", small_size));
    l.tall = (double)(l.rows - 1) * l.step_y + l.height;
    l.sheet_width = (int)ceil(l.right_of_all + l.legend + gap);
    l.sheet_height = (int)ceil(l.top + l.tall + l.tick_depth + 2.4 * text_size);
    return l;
}

/* ---- one panel ---- */

typedef struct frame {
    sheet *on;
    double left, top, width, height;
} frame;

static sheet_point point_in(const frame *f, double share_x, double share_y) {
    return (sheet_point){f->left + share_x * f->width, f->top + (1 - share_y) * f->height};
}

static void straight(sheet *s, double x1, double y1, double x2, double y2, unsigned colour,
                     double width) {
    const sheet_point points[] = {{x1, y1}, {x2, y2}};
    sheet_line(s, points, 2, colour, width, NULL);
}

static void outline(const frame *f) {
    const double right = f->left + f->width, bottom = f->top + f->height;
    const sheet_point points[] = {
        {f->left, f->top}, {right, f->top}, {right, bottom}, {f->left, bottom}, {f->left, f->top}};
    sheet_line(f->on, points, 5, faint, 1, NULL);
}

static void draw_ticks(const frame *f, const layout *l, const ruler *x, const ruler *y,
                       bool lines) {
    const double bottom = f->top + f->height;
    for (size_t k = 0; k < x->count; k++) {
        const double at = f->left + x->ticks[k].share * f->width;
        if (lines && !x->axis->names) straight(f->on, at, f->top, at, bottom, grid, 1);
        if (l->slanted)
            sheet_text(f->on, (sheet_point){at, bottom + gap}, x->ticks[k].text, small_size,
                       SHEET_RIGHT, true, ink);
        else
            sheet_text(f->on, (sheet_point){at, bottom + gap + small_size / 2}, x->ticks[k].text,
                       small_size, SHEET_MIDDLE, false, ink);
    }
    for (size_t k = 0; k < y->count; k++) {
        const double at = bottom - y->ticks[k].share * f->height;
        if (lines && !y->axis->names) straight(f->on, f->left, at, f->left + f->width, at, grid, 1);
        sheet_text(f->on, (sheet_point){f->left - gap, at}, y->ticks[k].text, small_size,
                   SHEET_RIGHT, false, ink);
    }
}

static unsigned colour_of_style(size_t series) {
    return (unsigned)strtoul(plot_style_of(series)->colour + 1, NULL, 16);
}

static void draw_series(const frame *f, const plot_series *series, size_t number, const ruler *x,
                        const ruler *y) {
    sheet_point *points = allocate(series->count + 1, sizeof *points);
    for (size_t k = 0; k < series->count; k++) {
        /* what is beyond the axis is not there */
        const double up = share_of(y, series->y[k]);
        points[k] = point_in(f, share_of(x, series->x[k]), up >= 0 && up <= 1 ? up : (double)NAN);
        if (isfinite(points[k].x) && isfinite(points[k].y))
            sheet_dot(f->on, points[k], colour_of_style(number), 3.5);
    }
    if (!series->points)
        sheet_line(f->on, points, series->count, colour_of_style(number), 2,
                   plot_style_of(number)->dashes);
    free(points);
}

static void draw_cross(sheet *s, double x, double y) {
    enum { arm = 4 };
    straight(s, x - arm, y - arm, x + arm, y + arm, failed, 1.6);
    straight(s, x - arm, y + arm, x + arm, y - arm, failed, 1.6);
}

static void draw_lines(const frame *f, const panel *p, const ruler *x, const ruler *y) {
    for (size_t s = 0; s < p->series_count; s++) draw_series(f, &p->series[s], s, x, y);
    for (size_t k = 0; k < p->failed_count; k++) {
        const sheet_point at = point_in(f, share_of(x, p->failed[k]), 1);
        draw_cross(f->on, at.x, at.y + 9);
    }
}

/* Lines from the lower left to the upper right, a few pixels apart, which end at the edges. */
static void hatch(sheet *s, double left, double top, double width, double height) {
    const double apart = 7;
    /* neighbours go on with each other's lines */
    for (double c = apart - fmod(left + top, apart); c < width + height; c += apart) {
        const double from_x = c < height ? 0 : c - height, from_y = c < height ? c : height;
        const double to_x = c < width ? c : width, to_y = c < width ? 0 : c - width;
        straight(s, left + from_x, top + from_y, left + to_x, top + to_y, failed, 1.2);
    }
}

static void draw_cell(const frame *f, const panel_cell *cell, const ruler *z, double left,
                      double top, double width, double height) {
    if (cell->state == PANEL_EMPTY) return;
    if (cell->state == PANEL_FAILED) {
        hatch(f->on, left, top, width, height);
        return;
    }
    const double share = cell->state == PANEL_VALUE ? share_of(z, cell->value) : 0;
    sheet_box(f->on, left, top, width, height,
              cell->state == PANEL_NONE ? no_value : plot_scale_colour(share));
    if (!cell->some_failed) return;
    const double size = fmin(12, fmin(width, height) / 2);
    const sheet_point corner[] = {{left + width - size, top}, {left + width, top + size}};
    sheet_line(f->on, corner, 2, failed, 2.5, NULL);
}

/* As many digits as all values have room for, three at the most; 0: none is written. */
static int digits_for(const panels *p, double width) {
    char text[32];
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

static void write_cell(const frame *f, const panel_cell *cell, const ruler *z, sheet_point at,
                       int digits) {
    char text[32] = "\xE2\x80\x93";
    if (cell->state != PANEL_VALUE && cell->state != PANEL_NONE) return;
    if (cell->state == PANEL_VALUE) (void)snprintf(text, sizeof text, "%.*g", digits, cell->value);
    const bool dark = cell->state == PANEL_VALUE && share_of(z, cell->value) < 0.6;
    sheet_text(f->on, at, text, cell_size, SHEET_MIDDLE, false, dark ? 0xffffff : 0);
}

static void draw_heat(const frame *f, const panel *p, const panels *all, const ruler *z) {
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

/* ---- legends ---- */

/* A long label is smaller. */
static double fitting_size(const char *text, double room) {
    const double width = sheet_text_width(text, text_size);
    return width > room ? fmax(8, text_size * room / width) : text_size;
}

/* The label of an axis beside it, and its note behind that. */
static void write_upright(sheet *s, const panel_axis *axis, double x, double y, double room) {
    const double size = fitting_size(axis->label, room);
    sheet_text(s, (sheet_point){x, y}, axis->label, size, SHEET_MIDDLE, true, ink);
    if (axis->note)
        sheet_text(s, (sheet_point){x + 1.25 * text_size, y}, axis->note, fmin(size, small_size),
                   SHEET_MIDDLE, true, faint);
}

static void draw_colour_bar(sheet *s, const panels *p, const layout *l, const ruler *z) {
    enum { steps = 128 };
    const double left = l->right_of_all, width = 20;
    const double height = fmin(l->tall, 520) - 22 * (l->has_failed + l->has_none);
    for (int k = 0; k < steps; k++)
        sheet_box(s, left, l->top + height * (steps - 1 - k) / steps, width, height / steps + 0.3,
                  plot_scale_colour((k + 0.5) / steps));
    const frame f = {s, left, l->top, width, height};
    outline(&f);
    for (size_t k = 0; k < z->count; k++) {
        const double at = l->top + (1 - z->ticks[k].share) * height;
        straight(s, left + width, at, left + width + 4, at, faint, 1);
        sheet_text(s, (sheet_point){left + width + gap, at}, z->ticks[k].text, small_size,
                   SHEET_LEFT, false, ink);
    }
    write_upright(s, &p->z, left + width + 2 * gap + widest_tick(z) + text_size / 2 + 2,
                  l->top + height / 2, l->tall);
    double y = l->top + height + 22;
    if (l->has_failed) {
        hatch(s, left, y - 6, 22, 12);
        sheet_text(s, (sheet_point){left + 30, y}, "failed", small_size, SHEET_LEFT, false, ink);
        y += 22;
    }
    if (!l->has_none) return;
    sheet_box(s, left, y - 6, 22, 12, no_value);
    sheet_text(s, (sheet_point){left + 30, y}, "no value", small_size, SHEET_LEFT, false, ink);
}

static void draw_line_keys(sheet *s, const panels *p, const layout *l) {
    const size_t count = p->panels[0].series_count > 1 ? p->panels[0].series_count : 0;
    if (l->has_failed) {
        const double y = l->top + 12 + 22 * (double)count;
        draw_cross(s, l->right_of_all + 15, y);
        sheet_text(s, (sheet_point){l->right_of_all + 38, y}, "failed", small_size, SHEET_LEFT,
                   false, ink);
    }
    for (size_t k = 0; k < count; k++) {
        const plot_series *series = &p->panels[0].series[k];
        const double y = l->top + 12 + 22 * (double)k, x = l->right_of_all;
        const sheet_point points[] = {{x, y}, {x + 30, y}};
        if (!series->points)
            sheet_line(s, points, 2, colour_of_style(k), 2, plot_style_of(k)->dashes);
        sheet_dot(s, (sheet_point){x + 15, y}, colour_of_style(k), 3.5);
        sheet_text(s, (sheet_point){x + 38, y}, series->label, small_size, SHEET_LEFT, false, ink);
    }
}

/* ---- the whole ---- */

static void draw_panel(sheet *s, const panels *p, const layout *l, size_t number, const ruler *x,
                       const ruler *y, const ruler *z) {
    const panel *one = &p->panels[number];
    const size_t row = number / l->columns, column = number % l->columns;
    const frame f = {s, l->left + (double)column * l->step_x, l->top + (double)row * l->step_y,
                     l->width, l->height};
    if (one->title)
        sheet_text(s, (sheet_point){f.left + f.width / 2, f.top - 0.9 * text_size}, one->title,
                   text_size, SHEET_MIDDLE, false, ink);
    draw_ticks(&f, l, x, y, !one->cells);
    if (one->cells)
        draw_heat(&f, one, p, z);
    else
        draw_lines(&f, one, x, y);
    outline(&f);
}

bool panels_write(const panels *p, const char *path) {
    const bool heat = p->panels[0].cells != NULL, single = p->count == 1;
    const ruler x = make_ruler(&p->x, 0.04, single ? (p->x.names ? 24 : 10) : 7);
    const ruler y = make_ruler(&p->y, 0.06, single ? (p->y.names ? 24 : 8) : 10);
    ruler z = {.axis = &p->z};
    if (heat) z = make_ruler(&p->z, 0, 8);
    const layout l = lay_out(p, &x, &y, &z);
    sheet *s = sheet_create(l.sheet_width, l.sheet_height, p->title);
    for (size_t k = 0; k < p->count; k++) draw_panel(s, p, &l, k, &x, &y, &z);
    const double frames = l.right_of_all - 2.5 * gap - l.left;
    if (*p->title)
        sheet_text(s, (sheet_point){l.left + frames / 2, 1.2 * text_size}, p->title, text_size + 2,
                   SHEET_MIDDLE, false, ink);
    sheet_text(s, (sheet_point){l.left + frames / 2, l.sheet_height - 1.1 * text_size}, p->x.label,
               text_size, SHEET_MIDDLE, false, ink);
    write_upright(s, &p->y, 1.1 * text_size, l.top + l.tall / 2, l.tall);
    if (heat)
        draw_colour_bar(s, p, &l, &z);
    else
        draw_line_keys(s, p, &l);
    return sheet_write(s, path);
}
