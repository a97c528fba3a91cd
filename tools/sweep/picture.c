/*
 * A picture of a sweep: rows fall into panels, lines or cells, and what of a figure is shown there.
 */
#include "sweep/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/folder.h"
#include "plot/panels.h"
#include "sweep/picture_columns.h"
#include "sweep/select.h"

/* More of a kind than this cannot be told apart. */
enum { most_cells = 40, most_lines = 7, most_panels = 16, most_points = 400, most_marks = 12 };

/* ---- the command line ---- */

static bool ends_in(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool take_argument(sweep_picture *p, const char *argument) {
    const bool picture = ends_in(argument, ".png") || ends_in(argument, ".svg");
    const char **into = picture && !p->file   ? &p->file
                        : is_folder(argument) ? &p->folder
                                              : &p->sweep;
    if (*into) return complain("--plot: '%s' and '%s' are one too many", *into, argument);
    *into = argument;
    return true;
}

bool sweep_picture_read(sweep_picture *p, const char *spec, const text_list *arguments,
                        const char *out) {
    *p = (sweep_picture){.file = NULL};
    if (!picture_spec_read(&p->spec, spec)) return false;
    for (size_t k = 0; k < arguments->count; k++)
        if (!take_argument(p, arguments->items[k])) return false;
    if (!p->file)
        return complain("--plot needs the file of the picture, which ends in .png or .svg");
    if (p->folder && p->sweep)
        return complain("--plot: give a sweep file or its folder, not both: '%s', '%s'", p->sweep,
                        p->folder);
    if (p->folder && out)
        return complain("--plot: give --out or the folder of the sweep, not both");
    if (out) p->folder = out;
    if (!p->folder && !p->sweep) p->folder = ".";
    return true;
}

void sweep_picture_free(sweep_picture *p) {
    picture_spec_free(&p->spec);
}

static bool has_file(const char *folder, const char *name) {
    char *path = format_text("%s/%s", folder, name);
    const bool there = file_exists(path);
    free(path);
    return there;
}

bool sweep_picture_has(const char *folder) {
    return has_file(folder, "sweep.json");
}

/* ---- what is drawn ---- */

typedef struct drawing {
    const sweep_rows *rows;
    const picture_spec *spec;
    picture_column x, y, z, wrap;  /* z is the figure: y where lines are drawn */
    bool heat, scattered;          /* scattered: x is a figure, too */
    bool *shown;                   /* which rows pass */
    picture_groups xs, ys, panels; /* ys are lines or rows of cells */
} drawing;

static bool must_be(const picture_column *c, bool figure, const char *word, const char *name,
                    const char *why) {
    return c->is_figure == figure ||
           complain("--plot: %s=%s is a %s; %s", word, name, figure ? "setting" : "figure", why);
}

static bool find_columns(drawing *d) {
    const picture_spec *s = d->spec;
    const char *figure = d->heat ? s->z : s->y, *second = d->heat ? s->y : s->by;
    bool fine = picture_column_find(&d->x, d->rows, "x", s->x) &&
                picture_column_find(&d->z, d->rows, d->heat ? "z" : "y", figure) &&
                (!second || picture_column_find(&d->y, d->rows, d->heat ? "y" : "by", second)) &&
                (!s->wrap || picture_column_find(&d->wrap, d->rows, "wrap", s->wrap)) &&
                must_be(&d->z, true, d->heat ? "z" : "y", figure,
                        d->heat ? "the colours of a heat map are a figure, such as JOINT.rms_error"
                                : "lines are of a figure; for a heat map of two settings add z=") &&
                (!second || must_be(&d->y, false, d->heat ? "y" : "by", second,
                                    d->heat ? "a heat map is over two settings"
                                            : "a line is for a value of a setting")) &&
                (!s->wrap ||
                 must_be(&d->wrap, false, "wrap", s->wrap, "a panel is for a value of a setting"));
    d->scattered = fine && !d->heat && d->x.is_figure;
    return fine &&
           (!d->heat || must_be(&d->x, false, "x", s->x, "a heat map is over two settings"));
}

/* ---- conditions ---- */

/* A name of the condition, or a word behind == that may be one. */
typedef struct asked_name {
    char *name;
    bool is_there;
    picture_column column;
    char number[64]; /* its text in the row, which stays while the condition is asked */
} asked_name;

typedef struct asked_row {
    const sweep_rows *rows;
    const sweep_row *row;
    asked_name **names;
    size_t count;
} asked_row;

static asked_name *find_name(asked_row *a, const char *name) {
    for (size_t k = 0; k < a->count; k++)
        if (strcmp(a->names[k]->name, name) == 0) return a->names[k];
    asked_name *n = allocate(1, sizeof *n);
    *n = (asked_name){.name = copy_text(name)};
    n->is_there = picture_column_look(&n->column, a->rows, name);
    a->names = reallocate(a->names, a->count + 1, sizeof(asked_name *));
    return a->names[a->count++] = n;
}

static void free_names(asked_row *a) {
    for (size_t k = 0; k < a->count; k++) {
        free(a->names[k]->name);
        picture_column_free(&a->names[k]->column);
        free(a->names[k]);
    }
    free((void *)a->names);
}

static const char *text_of_name(void *user, const char *name) {
    asked_row *a = user;
    asked_name *n = find_name(a, name);
    if (!n->is_there) return NULL;
    if (!n->column.is_figure) return picture_column_text(&n->column, a->rows, a->row);
    const double value = picture_column_number(&n->column, a->rows, a->row);
    (void)snprintf(n->number, sizeof n->number, "%.17g", value);
    return isnan(value) ? "" : n->number;
}

/* Whether there is a column for every name that must be one. */
static bool find_names(const sweep_rows *rows, const sweep_select *asked) {
    bool fine = true;
    for (size_t k = 0; fine && k < sweep_select_name_count(asked); k++) {
        picture_column c;
        if (sweep_select_may_be_text(asked, k)) continue;
        fine = picture_column_find(&c, rows, "where", sweep_select_name(asked, k));
        picture_column_free(&c);
    }
    return fine;
}

static bool filter(const sweep_rows *rows, const sweep_select *asked, bool *shown) {
    bool fine = find_names(rows, asked);
    asked_row a = {.rows = rows};
    for (size_t k = 0; k < rows->count && fine; k++) {
        stiction_error error;
        a.row = &rows->rows[k];
        fine = sweep_select_holds(asked, text_of_name, &a, &shown[k], &error) ||
               complain("--plot: where: %s", error.message);
    }
    free_names(&a);
    return fine;
}

/* Which rows pass; some must. */
static bool choose_rows(drawing *d) {
    size_t count = 0;
    d->shown = allocate(d->rows->count + 1, sizeof *d->shown);
    for (size_t k = 0; k < d->rows->count; k++) d->shown[k] = true;
    if (d->spec->where) {
        stiction_error error;
        sweep_select *asked = sweep_select_read(d->spec->where, &error);
        const bool fine =
            asked ? filter(d->rows, asked, d->shown) : complain("--plot: where: %s", error.message);
        sweep_select_free(asked);
        if (!fine) return false;
    }
    for (size_t k = 0; k < d->rows->count; k++) count += d->shown[k];
    return count || complain(d->rows->count ? "--plot: no run passes where=%s"
                                            : "--plot: the sweep has no complete run",
                             d->spec->where ? d->spec->where : "");
}

/* ---- places ---- */

/* What falls together: a cell, or a point of a line. */
typedef struct place_sum {
    size_t runs, failed, valued;
    double sum, best, worst;
} place_sum;

static void add_to(place_sum *p, const sweep_row *row, double value, bool higher_is_better) {
    p->runs++;
    p->failed += row->failure != NULL;
    if (!isfinite(value)) return;
    const bool first = !p->valued++;
    const double low = first ? value : fmin(value, higher_is_better ? p->worst : p->best);
    const double high = first ? value : fmax(value, higher_is_better ? p->best : p->worst);
    p->best = higher_is_better ? high : low;
    p->worst = higher_is_better ? low : high;
    p->sum += value;
}

/* A run that failed is the worst of all. */
static panel_cell cell_of(const place_sum *p, picture_of of) {
    panel_cell cell = {.state = PANEL_VALUE, .value = (double)NAN};
    if (!p->runs)
        cell.state = PANEL_EMPTY;
    else if (p->failed == p->runs || (of == PICTURE_WORST && p->failed))
        cell.state = PANEL_FAILED;
    else if (!p->valued)
        cell.state = PANEL_NONE;
    if (cell.state != PANEL_VALUE) return cell;
    cell.value = of == PICTURE_MEAN   ? p->sum / (double)p->valued
                 : of == PICTURE_BEST ? p->best
                                      : p->worst;
    cell.some_failed = p->failed > 0;
    return cell;
}

/* All of them: panel by panel, then lines or rows of cells, then x. The caller frees them. */
static panel_cell *sum_up(const drawing *d, bool *several) {
    const size_t rows = d->ys.count, columns = d->xs.count;
    const size_t count = d->panels.count * rows * columns;
    place_sum *sums = allocate(count + 1, sizeof *sums);
    panel_cell *cells = allocate(count + 1, sizeof *cells);
    memset(sums, 0, count * sizeof *sums);
    for (size_t k = 0; k < d->rows->count; k++)
        if (d->shown[k])
            add_to(&sums[(d->panels.of[k] * rows + d->ys.of[k]) * columns + d->xs.of[k]],
                   &d->rows->rows[k], picture_column_number(&d->z, d->rows, &d->rows->rows[k]),
                   d->spec->higher_is_better);
    *several = false;
    for (size_t k = 0; k < count; k++) {
        cells[k] = cell_of(&sums[k], d->spec->of);
        *several = *several || sums[k].runs > 1;
    }
    free(sums);
    return cells;
}

/* ---- axes ---- */

static panel_axis named_axis(const picture_groups *g, const char *label) {
    return (panel_axis){
        .label = label, .names = (const char *const *)g->labels, .name_count = g->count};
}

/* Around the values; a logarithmic one needs them above 0. */
static bool numeric_axis(panel_axis *axis, const double *values, size_t count, bool log,
                         const char *word, const char *name) {
    axis->low = (double)INFINITY;
    axis->high = -(double)INFINITY;
    axis->log = log;
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k])) continue;
        if (log && !(values[k] > 0))
            return complain("--plot: log=%s: %s is %g somewhere, and a logarithmic axis needs "
                            "values above 0",
                            word, name, values[k]);
        axis->low = fmin(axis->low, values[k]);
        axis->high = fmax(axis->high, values[k]);
    }
    if (axis->low <= axis->high) return true;
    axis->low = log ? 1 : 0;
    axis->high = log ? 10 : 1;
    return true;
}

/* That of the figure, as far as the range is not given. */
static bool set_range(panel_axis *axis, const picture_spec *s, const char *word) {
    if (!isnan(s->low)) axis->low = s->low;
    if (!isnan(s->high)) axis->high = s->high;
    if (axis->low >= axis->high && !(isnan(s->low) && isnan(s->high)))
        return complain("--plot: range: no value is in it; the axis would go from %g to %g",
                        axis->low, axis->high);
    return !(axis->log && !(axis->low > 0)) ||
           complain("--plot: range: %g is not above 0, which log=%s needs", axis->low, word);
}

static bool value_axis(panel_axis *axis, const panel_cell *cells, size_t count, bool log,
                       const char *word, const char *name) {
    double *values = allocate(count + 1, sizeof *values);
    for (size_t k = 0; k < count; k++)
        values[k] = cells[k].state == PANEL_VALUE ? cells[k].value : (double)NAN;
    const bool fine = numeric_axis(axis, values, count, log, word, name);
    free(values);
    return fine;
}

/* ---- the two kinds ---- */

/* What all panels have, and where they keep it. */
typedef struct picture_parts {
    panels all;
    panel *each;
    char **titles;
    char *note; /* what is shown of several runs; NULL: there are none */
} picture_parts;

static picture_parts begin_parts(const drawing *d, bool several) {
    static const char *const words[] = {"worst", "mean", "best"};
    picture_parts p = {.each = allocate(d->panels.count, sizeof *p.each),
                       .titles = allocate(d->panels.count, sizeof *p.titles),
                       .note =
                           several ? format_text("%s of several runs", words[d->spec->of]) : NULL};
    for (size_t k = 0; k < d->panels.count; k++) {
        p.titles[k] = format_text("%s = %s", d->wrap.name ? d->wrap.name : "", d->panels.labels[k]);
        p.each[k] = (panel){.title = d->spec->wrap ? p.titles[k] : NULL};
    }
    p.all = (panels){
        .title = d->spec->title ? d->spec->title : "", .panels = p.each, .count = d->panels.count};
    return p;
}

static void free_parts(picture_parts *p, size_t count) {
    for (size_t k = 0; k < count; k++) free(p->titles[k]);
    free(p->titles);
    free(p->each);
    free(p->note);
}

static bool write_panels(const panels *p, const char *path) {
    stiction_error error;
    return panels_write(p, path, &error) || complain_error(&error);
}

static bool draw_heat(const drawing *d, const char *path) {
    bool several;
    panel_cell *cells = sum_up(d, &several);
    const size_t each = d->xs.count * d->ys.count;
    picture_parts p = begin_parts(d, several);
    for (size_t k = 0; k < d->panels.count; k++) p.each[k].cells = cells + k * each;
    p.all.x = named_axis(&d->xs, d->x.label);
    p.all.y = named_axis(&d->ys, d->y.label);
    p.all.z.label = d->z.label;
    p.all.z.note = p.note;
    const bool fine =
        value_axis(&p.all.z, cells, each * d->panels.count, d->spec->log_z, "z", d->z.name) &&
        set_range(&p.all.z, d->spec, "z") && write_panels(&p.all, path);
    free_parts(&p, d->panels.count);
    free(cells);
    return fine;
}

/* One point for each value of x, or for each run where x is a figure. */
typedef struct line_points {
    double *x, *y;
    size_t count;
} line_points;

static bool draw_series(const drawing *d, picture_parts *p, line_points *lines, bool points,
                        const char *path) {
    const size_t count = d->panels.count * d->ys.count;
    plot_series *series = allocate(count + 1, sizeof *series);
    char **labels = allocate(d->ys.count, sizeof *labels);
    for (size_t k = 0; k < d->ys.count; k++)
        labels[k] = format_text("%s = %s", d->y.name ? d->y.name : "", d->ys.labels[k]);
    for (size_t k = 0; k < count; k++)
        series[k] = (plot_series){.label = labels[k % d->ys.count],
                                  .x = lines[k].x,
                                  .y = lines[k].y,
                                  .count = lines[k].count,
                                  .points = points,
                                  .marked = !points};
    for (size_t k = 0; k < d->panels.count; k++) {
        p->each[k].series = series + k * d->ys.count;
        p->each[k].series_count = d->ys.count;
    }
    const bool fine = write_panels(&p->all, path);
    for (size_t k = 0; k < d->ys.count; k++) free(labels[k]);
    free(labels);
    free(series);
    return fine;
}

static bool draw_lines(const drawing *d, const char *path) {
    bool several;
    panel_cell *cells = sum_up(d, &several);
    const size_t columns = d->xs.count, lines_count = d->panels.count * d->ys.count;
    const bool ordered = d->xs.numbers != NULL;
    picture_parts p = begin_parts(d, several);
    line_points *lines = allocate(lines_count, sizeof *lines);
    double *places = allocate(lines_count * columns + 1, sizeof *places);
    double *values = allocate(lines_count * columns + 1, sizeof *values);
    double *failed = allocate(lines_count * columns + 1, sizeof *failed);
    size_t failed_count = 0;
    for (size_t k = 0; k < lines_count; k++) {
        lines[k] = (line_points){places + k * columns, values + k * columns, 0};
        panel *of = &p.each[k / d->ys.count];
        if (!of->failed) of->failed = failed + failed_count;
        for (size_t n = 0; n < columns; n++) {
            const panel_cell *cell = &cells[k * columns + n];
            const double at = ordered ? d->xs.numbers[n] : (double)n;
            if (cell->state == PANEL_FAILED || cell->some_failed) {
                failed[failed_count++] = at;
                of->failed_count++;
            }
            if (cell->state == PANEL_EMPTY) continue;
            lines[k].x[lines[k].count] = at;
            lines[k].y[lines[k].count++] = cell->value;
        }
    }
    p.all.x = named_axis(&d->xs, d->x.label);
    if (ordered) p.all.x.names = NULL;
    if (ordered && columns <= most_marks) p.all.x.marks = d->xs.numbers;
    p.all.x.mark_count = columns;
    p.all.y.label = d->z.label;
    p.all.y.note = p.note;
    const bool fine =
        (!ordered ||
         numeric_axis(&p.all.x, d->xs.numbers, columns, d->spec->log_x, "x", d->x.name)) &&
        value_axis(&p.all.y, cells, lines_count * columns, d->spec->log_y, "y", d->z.name) &&
        set_range(&p.all.y, d->spec, "y") && draw_series(d, &p, lines, !ordered, path);
    free(lines);
    free(places);
    free(values);
    free(failed);
    free_parts(&p, d->panels.count);
    free(cells);
    return fine;
}

/* A figure over a figure: a dot a run. */
static bool draw_dots(const drawing *d, const char *path) {
    const size_t count = d->rows->count, lines_count = d->panels.count * d->ys.count;
    picture_parts p = begin_parts(d, false);
    line_points *lines = allocate(lines_count, sizeof *lines);
    double *x = allocate(count * lines_count + 1, sizeof *x);
    double *y = allocate(count * lines_count + 1, sizeof *y);
    double *all_x = allocate(count + 1, sizeof *all_x), *all_y = allocate(count + 1, sizeof *all_y);
    for (size_t k = 0; k < lines_count; k++)
        lines[k] = (line_points){x + k * count, y + k * count, 0};
    for (size_t k = 0; k < count; k++) {
        all_x[k] = all_y[k] = (double)NAN;
        if (!d->shown[k]) continue;
        line_points *line = &lines[d->panels.of[k] * d->ys.count + d->ys.of[k]];
        line->x[line->count] = all_x[k] = picture_column_number(&d->x, d->rows, &d->rows->rows[k]);
        line->y[line->count++] = all_y[k] =
            picture_column_number(&d->z, d->rows, &d->rows->rows[k]);
    }
    p.all.x.label = d->x.label;
    p.all.y.label = d->z.label;
    const bool fine = numeric_axis(&p.all.x, all_x, count, d->spec->log_x, "x", d->x.name) &&
                      numeric_axis(&p.all.y, all_y, count, d->spec->log_y, "y", d->z.name) &&
                      set_range(&p.all.y, d->spec, "y") && draw_series(d, &p, lines, true, path);
    free(lines);
    free(x);
    free(y);
    free(all_x);
    free(all_y);
    free_parts(&p, d->panels.count);
    return fine;
}

/* ---- the whole ---- */

static bool make_groups(drawing *d) {
    const picture_spec *s = d->spec;
    const bool second = d->heat || s->by;
    const size_t most_y = d->heat ? most_cells : most_lines;
    const bool x_fine = d->scattered
                            ? picture_groups_make(&d->xs, NULL, d->rows, d->shown, 1, false)
                            : picture_groups_make(&d->xs, &d->x, d->rows, d->shown,
                                                  d->heat ? most_cells : most_points, s->log_x);
    return picture_groups_make(&d->ys, second ? &d->y : NULL, d->rows, d->shown, most_y,
                               d->heat && s->log_y) &&
           picture_groups_make(&d->panels, s->wrap ? &d->wrap : NULL, d->rows, d->shown,
                               most_panels, false) &&
           x_fine;
}

static void tell_drawn(const drawing *d, const char *path) {
    size_t runs = 0, failed = 0;
    for (size_t k = 0; k < d->rows->count; k++) {
        runs += d->shown[k];
        failed += d->shown[k] && d->rows->rows[k].failure;
    }
    if (failed)
        show_line("picture: %s (%zu runs, %zu of them failed)", path, runs, failed);
    else
        show_line("picture: %s (%zu run%s)", path, runs, runs == 1 ? "" : "s");
}

static bool draw_rows(const sweep_picture *p, const sweep_rows *rows) {
    drawing d = {.rows = rows, .spec = &p->spec, .heat = p->spec.z != NULL};
    const bool fine = find_columns(&d) && choose_rows(&d) && make_groups(&d) &&
                      (d.heat        ? draw_heat
                       : d.scattered ? draw_dots
                                     : draw_lines)(&d, p->file);
    if (fine) tell_drawn(&d, p->file);
    picture_column *const columns[] = {&d.x, &d.y, &d.z, &d.wrap};
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) picture_column_free(columns[k]);
    picture_groups_free(&d.xs);
    picture_groups_free(&d.ys);
    picture_groups_free(&d.panels);
    free(d.shown);
    return fine;
}

static bool draw_states(const sweep_picture *p, const sweep_states *states) {
    const size_t damaged = sweep_states_tell_damage(states, "; it is not in the picture");
    const size_t absent = sweep_states_count(states, SWEEP_ABSENT);
    if (absent)
        tell_line("%zu of %zu runs are not there yet, nor in the picture", absent, states->count);
    sweep_rows rows = sweep_rows_read(states);
    const bool fine = !rows.is_cut && draw_rows(p, &rows);
    sweep_rows_free(&rows);
    return fine && !damaged;
}

bool sweep_picture_draw(const sweep_picture *p, const char *folder) {
    if (!sweep_picture_has(folder))
        return complain("%s: there is no sweep in it (no sweep.json)", folder);
    if (!has_file(folder, "sweep.db"))
        return complain("%s: it has no sweep.db, as sweeps of earlier versions; the command that "
                        "made it adds one",
                        folder);
    sweep_plan plan;
    bool fine = sweep_plan_load(folder, &plan);
    if (fine) {
        sweep_states states = sweep_states_read(folder, &plan);
        fine = !states.unread && draw_states(p, &states);
        sweep_states_free(&states);
    }
    sweep_plan_free(&plan);
    return fine;
}
