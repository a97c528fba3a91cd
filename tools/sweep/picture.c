/* SPDX-License-Identifier: MIT
 * A picture of a sweep: the option --plot, the columns that it names, and the drawing.
 */
#include "sweep/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/folder.h"
#include "document/names.h"
#include "plot/panels.h"
#include "run/setting_units.h"
#include "sweep/rows.h"
#include "sweep/select.h"

/* ---- settings and figures by their whole or short names ---- */

typedef struct picture_column {
    bool is_figure, absolute, works; /* works: whether a run does, by the condition of the plan */
    size_t setting;                  /* a key; parameter_count: the project */
    size_t
        *figures; /* columns of the rows: one, or those of all joints, of which the worst counts */
    size_t figure_count;
    char *label; /* with its unit */
    char *name;  /* "kp" */
} picture_column;

/* "NAME (UNIT)", with the power of "s^-2" raised; the caller frees it. */
static char *with_unit(const char *name, const char *unit) {
    static const char *const digits[] = {
        "\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",     "\xE2\x81\xB4",
        "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
    const char *power = strchr(unit, '^');
    const bool minus = power && power[1] == '-';
    const char digit = power ? power[minus ? 2 : 1] : '\0';
    if (digit < '0' || digit > '9')
        return *unit ? format_text("%s (%s)", name, unit) : copy_text(name);
    return format_text("%s (%.*s%s%s%s)", name, (int)(power - unit), unit,
                       minus ? "\xE2\x81\xBB" : "", digits[digit - '0'], power + (minus ? 3 : 2));
}

static bool find_setting(picture_column *c, const sweep_plan *plan, const char *name) {
    size_t alike;
    const bool project = strcmp(name, "project") == 0;
    c->setting = project ? plan->parameter_count : sweep_plan_find_key(plan, name, &alike);
    if (!project && c->setting == plan->parameter_count) return false;
    const char *key = project ? "project" : plan->parameters[c->setting].key;
    c->label = with_unit(key, setting_unit(key));
    c->name = copy_text(project ? key : sweep_plan_short_key(plan, c->setting));
    return true;
}

static const char *unit_of(const sweep_figure *f) {
    return joint_figure_unit(f->kind, f->prismatic);
}

/* "RWRR.rms_error", or "rms_error" of the worst joint, of those with the unit of the first. */
static bool find_figure(picture_column *c, const sweep_rows *rows, const char *name) {
    if (rows->plan->works.select && strcmp(name, "works") == 0) {
        c->name = copy_text(name);
        c->label = format_text("works: %s", rows->plan->works.text);
        return c->works = c->is_figure = true;
    }
    const ptrdiff_t found = sweep_rows_find(rows, name);
    const joint_figure *kind = joint_figure_find(name);
    if (!kind) kind = body_figure_find(name);
    c->figures = allocate(rows->figure_count + 1, sizeof *c->figures);
    for (size_t k = 0; k < rows->figure_count; k++) {
        const sweep_figure *f = &rows->figures[k];
        if (found >= 0 ? (size_t)found == k
                       : kind && f->kind == kind && sweep_has_figure(rows, k) &&
                             (!c->figure_count ||
                              strcmp(unit_of(f), unit_of(&rows->figures[c->figures[0]])) == 0))
            c->figures[c->figure_count++] = k;
    }
    if (!c->figure_count) return false;
    const sweep_figure *f = &rows->figures[c->figures[0]];
    const char *bar = c->absolute ? "|" : "";
    c->name = format_text("%s%s%s, %s", bar, f->kind->title, bar,
                          c->figure_count > 1 ? "worst joint" : f->joint);
    c->label = with_unit(c->name, unit_of(f));
    return c->is_figure = true;
}

static bool fail_unknown(const sweep_rows *rows, const char *word, const char *name,
                         stiction_error *error) {
    const sweep_plan *plan = rows->plan;
    size_t alike = 0;
    (void)sweep_plan_find_key(plan, name, &alike);
    if (alike > 1)
        return fail(error, "--plot: %s=%s: %zu settings end so; give the whole key", word, name,
                    alike);
    AUTO(text_list_free) text_list names = {NULL, 0};
    for (size_t k = 0; k < plan->parameter_count; k++) {
        text_list_add(&names, copy_text(plan->parameters[k].key));
        text_list_add(&names, copy_text(sweep_plan_short_key(plan, k)));
    }
    for (size_t k = 0; k < rows->figure_count; k++) {
        const sweep_figure *f = &rows->figures[k];
        const char *kind = f->kind->alias ? f->kind->alias : f->kind->name;
        text_list_add(&names, copy_text(f->name));
        text_list_add(&names, format_text("%s.%s", f->joint, kind));
        text_list_add(&names, copy_text(kind));
    }
    char hint[NAME_HINT_SIZE];
    return fail(error, "--plot: %s=%s: the sweep has no such setting or figure%s", word, name,
                stiction_name_hint(name, names.items, names.count, hint));
}

/* `word` is the key of --plot that names it, for the error. Free it either way. */
static bool picture_column_find(picture_column *c, const sweep_rows *rows, const char *word,
                                const char *name, stiction_error *error) {
    const size_t length = strlen(name);
    *c = (picture_column){.is_figure = false};
    AUTO_FREE char *plain = copy_text(name);
    if (length > 2 && name[0] == '|' && name[length - 1] == '|')
        (void)snprintf(plain, length - 1, "%s", name + 1);
    else if (length > 5 && strncmp(name, "abs(", 4) == 0 && name[length - 1] == ')')
        (void)snprintf(plain, length - 4, "%s", name + 4);
    c->absolute = strcmp(plain, name) != 0;
    return (!c->absolute && find_setting(c, rows->plan, plain)) || find_figure(c, rows, plain) ||
           fail_unknown(rows, word, plain, error);
}

static void picture_column_free(picture_column *c) {
    free(c->figures);
    free(c->label);
    free(c->name);
}

/* ---- values ---- */

/* The setting of a row as text. */
static const char *picture_column_text(const picture_column *c, const sweep_rows *rows,
                                       const sweep_row *row) {
    return c->setting < rows->plan->parameter_count
               ? sweep_plan_value(rows->plan, row->run, c->setting)
               : sweep_plan_short_project(rows->plan,
                                          sweep_plan_project_index(rows->plan, row->run));
}

/* The number of a row; NaN if it has none. */
static double picture_column_number(const picture_column *c, const sweep_rows *rows,
                                    const sweep_row *row) {
    double worst = (double)NAN;
    if (c->works) return row->failure ? (double)NAN : row->works;
    if (!c->is_figure)
        return read_number(picture_column_text(c, rows, row), &worst) ? worst : (double)NAN;
    for (size_t k = 0; k < c->figure_count && !row->failure; k++) {
        const double value = sweep_row_figure(row, c->figures[k]);
        if (!(fabs(value) <= fabs(worst)) && isfinite(value)) worst = value;
    }
    return c->absolute ? fabs(worst) : worst;
}

/* ---- the values of a setting in some rows, in order; bins where there are too many ---- */

typedef struct picture_groups {
    size_t count;
    size_t *of;      /* the group of each row */
    char **labels;   /* "20", "0.1 to 0.2" */
    double *numbers; /* of the values, or the middles of bins; NULL: they are not numbers */
} picture_groups;

typedef struct entry {
    const char *text;
    double number;
    size_t row;
} entry;

static int by_number(const void *a, const void *b) {
    const entry *one = a, *other = b;
    if (one->number != other->number) return one->number < other->number ? -1 : 1;
    return one->row < other->row ? -1 : 1;
}

static void add_group(picture_groups *g, char *label, double number) {
    g->labels = reallocate(g->labels, g->count + 1, sizeof *g->labels);
    g->numbers = reallocate(g->numbers, g->count + 1, sizeof *g->numbers);
    g->labels[g->count] = label;
    g->numbers[g->count++] = number;
}

static void group_numbers(picture_groups *g, const entry *sorted, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (!k || sorted[k].number != sorted[k - 1].number)
            add_group(g, copy_text(sorted[k].text), sorted[k].number);
        g->of[sorted[k].row] = g->count - 1;
    }
    sweep_round_texts(g->labels, g->count);
}

static void group_bins(picture_groups *g, const entry *sorted, size_t count, size_t most,
                       bool log) {
    log = log && sorted[0].number > 0;
    const size_t parts = most < 20 ? most : 20;
    const double low = log ? log10(sorted[0].number) : sorted[0].number;
    const double high = log ? log10(sorted[count - 1].number) : sorted[count - 1].number;
    const double step = (high - low) / (double)parts;
    for (size_t k = 0; k < parts; k++) {
        const double from = low + (double)k * step, to = from + step, middle = (from + to) / 2;
        add_group(g,
                  format_text("%.3g to %.3g", log ? pow(10, from) : from, log ? pow(10, to) : to),
                  log ? pow(10, middle) : middle);
    }
    for (size_t k = 0; k < count; k++) {
        const double at = ((log ? log10(sorted[k].number) : sorted[k].number) - low) / step;
        g->of[sorted[k].row] = at < (double)parts ? (size_t)at : parts - 1;
    }
}

/* Texts keep the order in which they come. False: there are more than `most`. */
static bool group_texts(picture_groups *g, const entry *all, size_t count, size_t most) {
    for (size_t k = 0; k < count; k++) {
        const char *text = *all[k].text ? all[k].text : "(not set)";
        size_t at = 0;
        while (at < g->count && strcmp(g->labels[at], text) != 0) at++;
        if (at == most) return false;
        if (at == g->count) add_group(g, copy_text(text), (double)at);
        g->of[all[k].row] = at;
    }
    free(g->numbers);
    g->numbers = NULL;
    return true;
}

/* `c` NULL: all rows are one group. `shown`: which rows count. Free it either way. */
static bool picture_groups_make(picture_groups *g, const picture_column *c, const sweep_rows *rows,
                                const bool *shown, size_t most, bool log, stiction_error *error) {
    *g = (picture_groups){.of = allocate(rows->count, sizeof *g->of)};
    if (!c) {
        add_group(g, copy_text(""), 0);
        return true;
    }
    AUTO_FREE entry *all = allocate(rows->count, sizeof *all);
    size_t count = 0, distinct = 0;
    bool numeric = true;
    for (size_t k = 0; k < rows->count; k++) {
        if (!shown[k]) continue;
        all[count] = (entry){picture_column_text(c, rows, &rows->rows[k]),
                             picture_column_number(c, rows, &rows->rows[k]), k};
        numeric = isfinite(all[count++].number) && numeric;
    }
    if (!numeric)
        return group_texts(g, all, count, most) ||
               fail(error,
                    "--plot: %s has more than %zu values that are not numbers; choose some with "
                    "where=",
                    c->name, most);
    qsort(all, count, sizeof *all, by_number);
    for (size_t k = 0; k < count; k++) distinct += !k || all[k].number != all[k - 1].number;
    if (distinct <= most)
        group_numbers(g, all, count);
    else
        group_bins(g, all, count, most, log);
    return true;
}

static void picture_groups_free(picture_groups *g) {
    for (size_t k = 0; k < g->count; k++) free(g->labels[k]);
    free(g->labels);
    free(g->numbers);
    free(g->of);
}

/* More than this cannot be distinguished. */
enum { most_cells = 40, most_lines = 7, most_panels = 16, most_points = 400, most_marks = 12 };

/* ---- the option: KEY=VALUE with commas between ---- */

/* The first ones are texts, in the order of sweep_picture. */
static const char *const keys[] = {"x",     "y",  "z",      "by",  "wrap", "where",
                                   "title", "of", "better", "log", "range"};
enum { key_count = sizeof keys / sizeof keys[0] };

/* The key at the start of a text, before a single =; key_count: none. */
static size_t key_at(const char *text) {
    for (size_t k = 0; k < key_count; k++) {
        const size_t length = strlen(keys[k]);
        if (strncmp(text, keys[k], length) == 0 && text[length] == '=' && text[length + 1] != '=')
            return k;
    }
    return key_count;
}

static bool fail_key(const char *text, stiction_error *error) {
    char hint[NAME_HINT_SIZE];
    AUTO_FREE char *key = format_text("%.*s", (int)strcspn(text, "=,"), text);
    (void)fail(error, "--plot: unknown key '%s'%s", key,
               stiction_name_hint(key, keys, key_count, hint));
    return false;
}

/* The end of a value is the comma before the next key: a value may contain commas (log=x,y). */
static bool find_end(const char *value, const char **end, stiction_error *error) {
    for (*end = value; **end; (*end)++) {
        const char *word = *end + 1;
        if (**end != ',') continue;
        if (key_at(word) < key_count) return true;
        const size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz_");
        if (length && word[length] == '=' && word[length + 1] != '=') return fail_key(word, error);
    }
    return true;
}

static bool read_choice(const char *key, const char *value, const char *const *words, size_t count,
                        size_t *found, stiction_error *error) {
    char hint[NAME_HINT_SIZE];
    for (*found = 0; *found < count; (*found)++)
        if (strcmp(value, words[*found]) == 0) return true;
    return fail(error, "--plot: %s=%s: unknown value%s", key, value,
                stiction_name_hint(value, words, count, hint));
}

/* LOW:HIGH, of which one may be missing. */
static bool read_range(sweep_picture *p, const char *value, stiction_error *error) {
    const char *colon = strchr(value, ':');
    AUTO_FREE char *low = colon ? format_text("%.*s", (int)(colon - value), value) : NULL;
    const bool fine = colon && (!*low || (read_number(low, &p->low) && isfinite(p->low))) &&
                      (!colon[1] || (read_number(colon + 1, &p->high) && isfinite(p->high))) &&
                      !(p->low >= p->high);
    return fine || fail(error, "--plot: range=%s: must be LOW:HIGH, LOW below HIGH", value);
}

static bool read_value(sweep_picture *p, size_t key, char *value, stiction_error *error) {
    static const char *const ofs[] = {"worst", "mean", "best"};
    static const char *const betters[] = {"lower", "higher"};
    static const char *const axes[] = {"x", "y", "z"};
    char **const texts[] = {&p->x, &p->y, &p->z, &p->by, &p->wrap, &p->where, &p->title};
    size_t choice;
    if (!*value) return fail(error, "--plot: %s= has no value", keys[key]);
    if (key < sizeof texts / sizeof texts[0]) {
        if (*texts[key]) return fail(error, "--plot: %s is given twice", keys[key]);
        *texts[key] = copy_text(value);
        return true;
    }
    if (strcmp(keys[key], "range") == 0) return read_range(p, value, error);
    if (strcmp(keys[key], "log") == 0) {
        for (char *axis; (axis = strsep(&value, ",")) != NULL; p->log[choice] = true)
            if (!read_choice("log", axis, axes, 3, &choice, error)) return false;
        return true;
    }
    const bool is_of = strcmp(keys[key], "of") == 0;
    if (!read_choice(keys[key], value, is_of ? ofs : betters, is_of ? 3 : 2, &choice, error))
        return false;
    if (is_of)
        p->of = (picture_of)choice;
    else
        p->higher_is_better = choice == 1;
    return true;
}

static bool read_spec(sweep_picture *p, const char *text, stiction_error *error) {
    while (*text) {
        const size_t key = key_at(text);
        if (key == key_count) return fail_key(text, error);
        const char *value = text + strlen(keys[key]) + 1, *end;
        if (!find_end(value, &end, error)) return false;
        AUTO_FREE char *copy = format_text("%.*s", (int)(end - value), value);
        const bool fine = read_value(p, key, copy, error);
        if (!fine) return false;
        text = *end ? end + 1 : end;
    }
    if (!p->x || !p->y)
        return fail(error, "--plot needs x= and y=, as in x=controller.kp,y=controller.kv,"
                           "z=JOINT.rms_error");
    return !(p->z && p->by) || fail(error, "--plot: by= is of lines; a heat map (z=) has none");
}

static bool ends_in(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

bool sweep_picture_read(sweep_picture *p, const char *spec, const text_list *arguments,
                        const char *out, stiction_error *error) {
    *p = (sweep_picture){.low = (double)NAN, .high = (double)NAN};
    if (!read_spec(p, spec, error)) return false;
    for (size_t k = 0; k < arguments->count; k++) {
        const char *given = arguments->items[k];
        struct stat info;
        const bool picture = !p->file && (ends_in(given, ".png") || ends_in(given, ".svg"));
        const char **into = picture                                            ? &p->file
                            : stat(given, &info) == 0 && S_ISDIR(info.st_mode) ? &p->folder
                                                                               : &p->sweep;
        if (*into) return fail(error, "--plot: '%s' and '%s' are one too many", *into, given);
        *into = given;
    }
    if (!p->file)
        return fail(error, "--plot needs the file of the picture, which ends in .png or .svg");
    if (p->folder && p->sweep)
        return fail(error, "--plot: give a sweep file or its folder, not both: '%s', '%s'",
                    p->sweep, p->folder);
    if (p->folder && out)
        return fail(error, "--plot: give --out or the folder of the sweep, not both");
    if (out) p->folder = out;
    if (!p->folder && !p->sweep) p->folder = ".";
    return true;
}

void sweep_picture_free(sweep_picture *p) {
    char *const texts[] = {p->x, p->y, p->z, p->by, p->wrap, p->where, p->title};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) free(texts[k]);
}

/* ---- what is drawn ---- */

typedef struct drawing {
    const sweep_rows *rows;
    const sweep_picture *p;
    picture_column x, y, z, wrap;  /* z is the figure: y where lines are drawn */
    bool heat, scattered;          /* scattered: x is a figure, too */
    bool *shown;                   /* which rows satisfy where= */
    picture_groups xs, ys, panels; /* ys are lines or rows of cells */
    stiction_error *error;
} drawing;

/* A column that --plot names; `name` NULL: it does not. */
typedef struct wanted_column {
    picture_column *column;
    const char *word, *name;
    enum { WANTS_EITHER, WANTS_SETTING, WANTS_FIGURE } kind;
    const char *why; /* another kind is an error */
} wanted_column;

static bool find_columns(drawing *d) {
    static const char over_two[] = "a heat map is over two settings";
    const sweep_picture *p = d->p;
    const wanted_column of_heat[] = {{&d->x, "x", p->x, WANTS_SETTING, over_two},
                                     {&d->y, "y", p->y, WANTS_SETTING, over_two},
                                     {&d->z, "z", p->z, WANTS_FIGURE,
                                      "the colours of a heat map are a figure, such as "
                                      "JOINT.rms_error"}};
    const wanted_column of_lines[] = {
        {&d->x, "x", p->x, WANTS_EITHER, NULL},
        {&d->z, "y", p->y, WANTS_FIGURE,
         "lines are of a figure; for a heat map of two settings add z="},
        {&d->y, "by", p->by, WANTS_SETTING, "a line is for a value of a setting"}};
    const wanted_column of_panels = {&d->wrap, "wrap", p->wrap, WANTS_SETTING,
                                     "a panel is for a value of a setting"};
    for (size_t k = 0; k < 4; k++) {
        const wanted_column *w = k == 3 ? &of_panels : d->heat ? &of_heat[k] : &of_lines[k];
        if (!w->name) continue;
        if (!picture_column_find(w->column, d->rows, w->word, w->name, d->error)) return false;
        const bool is_figure = w->column->is_figure;
        if (w->kind != WANTS_EITHER && is_figure != (w->kind == WANTS_FIGURE))
            return fail(d->error, "--plot: %s=%s is a %s; %s", w->word, w->name,
                        is_figure ? "figure" : "setting", w->why);
    }
    d->scattered = !d->heat && d->x.is_figure;
    return true;
}

/* ---- where= ---- */

typedef struct condition {
    const sweep_select *select;
    picture_column *columns; /* of each name */
    char (*texts)[32];       /* of each name that is a figure */
    const sweep_rows *rows;
    const sweep_row *row;
} condition;

static const char *value_of(void *user, const char *name) {
    const condition *c = user;
    size_t k = 0;
    while (strcmp(sweep_select_name(c->select, k), name) != 0) k++;
    const picture_column *column = &c->columns[k];
    if (!column->name) return NULL;
    if (!column->is_figure) return picture_column_text(column, c->rows, c->row);
    const double number = picture_column_number(column, c->rows, c->row);
    (void)snprintf(c->texts[k], sizeof c->texts[k], "%.17g", number);
    return isnan(number) ? "" : c->texts[k];
}

static bool filter_rows(drawing *d, const sweep_select *select) {
    const size_t count = sweep_select_name_count(select);
    AUTO_FREE picture_column *columns = allocate(count, sizeof *columns);
    AUTO_FREE char(*texts)[32] = allocate(count, sizeof *texts);
    condition c = {.select = select, .columns = columns, .texts = texts, .rows = d->rows};
    bool fine = true;
    for (size_t k = 0; k < count && fine; k++)
        fine = picture_column_find(&columns[k], d->rows, "where", sweep_select_name(select, k),
                                   d->error) ||
               sweep_select_may_be_text(select, k);
    for (size_t k = 0; k < d->rows->count && fine; k++) {
        c.row = &d->rows->rows[k];
        fine = sweep_select_holds(select, value_of, &c, &d->shown[k], d->error);
    }
    for (size_t k = 0; k < count; k++) picture_column_free(&columns[k]);
    return fine;
}

/* Which rows are drawn; there must be some. */
static bool choose_rows(drawing *d) {
    size_t count = 0;
    d->shown = allocate(d->rows->count + 1, sizeof *d->shown);
    for (size_t k = 0; k < d->rows->count; k++) d->shown[k] = true;
    if (d->p->where) {
        stiction_error wrong;
        sweep_select *select = sweep_select_read(d->p->where, &wrong);
        const bool fine =
            select ? filter_rows(d, select) : fail(d->error, "--plot: where: %s", wrong.message);
        sweep_select_free(select);
        if (!fine) return false;
    }
    for (size_t k = 0; k < d->rows->count; k++) count += d->shown[k];
    if (count) return true;
    return d->rows->count ? fail(d->error, "--plot: no run passes where=%s", d->p->where)
                          : fail(d->error, "--plot: the sweep has no complete run");
}

/* ---- runs with the same place: a cell, or a point of a line ---- */

typedef struct place_sum {
    size_t runs, failed, valued;
    double sum, low, high;
} place_sum;

/* A run that failed is the worst of all. */
static panel_cell cell_of(const place_sum *s, const sweep_picture *p, bool higher_is_better) {
    panel_cell cell = {.state = PANEL_VALUE, .value = (double)NAN};
    if (!s->runs)
        cell.state = PANEL_EMPTY;
    else if (s->failed == s->runs || (p->of == PICTURE_WORST && s->failed))
        cell.state = PANEL_FAILED;
    else if (!s->valued)
        cell.state = PANEL_NONE;
    if (cell.state != PANEL_VALUE) return cell;
    cell.value = p->of == PICTURE_MEAN                         ? s->sum / (double)s->valued
                 : (p->of == PICTURE_BEST) == higher_is_better ? s->high
                                                               : s->low;
    cell.some_failed = s->failed > 0;
    return cell;
}

/* Panel by panel, then line by line, then x; the caller frees them. */
static panel_cell *sum_up(const drawing *d, bool *several) {
    const size_t count = d->panels.count * d->ys.count * d->xs.count;
    AUTO_FREE place_sum *sums = allocate(count + 1, sizeof *sums);
    panel_cell *cells = allocate(count + 1, sizeof *cells);
    for (size_t k = 0; k < d->rows->count; k++) {
        if (!d->shown[k]) continue;
        place_sum *s =
            &sums[(d->panels.of[k] * d->ys.count + d->ys.of[k]) * d->xs.count + d->xs.of[k]];
        const double value = picture_column_number(&d->z, d->rows, &d->rows->rows[k]);
        s->runs++;
        s->failed += d->rows->rows[k].failure != NULL;
        if (!isfinite(value)) continue;
        s->low = s->valued ? fmin(s->low, value) : value;
        s->high = s->valued ? fmax(s->high, value) : value;
        s->sum += value;
        s->valued++;
    }
    *several = false;
    for (size_t k = 0; k < count; k++) {
        cells[k] = cell_of(&sums[k], d->p, d->p->higher_is_better || d->z.works);
        *several = *several || sums[k].runs > 1;
    }
    return cells;
}

/* ---- axes ---- */

/* Around the values; a logarithmic axis needs them above 0. */
static bool set_axis(const drawing *d, panel_axis *axis, const double *values, size_t count,
                     size_t which, const char *name) {
    const char word[] = {"xyz"[which], '\0'};
    axis->low = (double)INFINITY;
    axis->high = -(double)INFINITY;
    axis->log = d->p->log[which];
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k])) continue;
        if (axis->log && !(values[k] > 0))
            return fail(d->error,
                        "--plot: log=%s: %s is %g somewhere, and a logarithmic axis needs values "
                        "above 0",
                        word, name, values[k]);
        axis->low = fmin(axis->low, values[k]);
        axis->high = fmax(axis->high, values[k]);
    }
    if (!(axis->low <= axis->high)) {
        axis->low = axis->log ? 1 : 0;
        axis->high = axis->log ? 10 : 1;
    }
    if (which == 0) return true;
    if (!isnan(d->p->low)) axis->low = d->p->low;
    if (!isnan(d->p->high)) axis->high = d->p->high;
    if (axis->low >= axis->high && !(isnan(d->p->low) && isnan(d->p->high)))
        return fail(d->error, "--plot: range: no value is in it; the axis would go from %g to %g",
                    axis->low, axis->high);
    return !(axis->log && !(axis->low > 0)) ||
           fail(d->error, "--plot: range: %g is not above 0, which log=%s needs", axis->low, word);
}

static panel_axis named_axis(const picture_groups *g, const char *label) {
    return (panel_axis){
        .label = label, .names = (const char *const *)g->labels, .name_count = g->count};
}

/* ---- the picture ---- */

/* By picture_of. */
static const char *const notes[] = {"worst of several runs", "mean of several runs",
                                    "best of several runs"};

static bool draw_heat(const drawing *d, panels *all, panel *each) {
    bool several;
    AUTO_FREE panel_cell *cells = sum_up(d, &several);
    const size_t size = d->xs.count * d->ys.count, count = size * d->panels.count;
    AUTO_FREE double *values = allocate(count + 1, sizeof *values);
    for (size_t k = 0; k < count; k++) values[k] = cells[k].value;
    for (size_t k = 0; k < d->panels.count; k++) each[k].cells = cells + k * size;
    all->x = named_axis(&d->xs, d->x.label);
    all->y = named_axis(&d->ys, d->y.label);
    all->z = (panel_axis){.label = d->z.label, .note = several ? notes[d->p->of] : NULL};
    static const char *const answers[] = {"no", "works"};
    if (d->z.works && d->p->of != PICTURE_MEAN) {
        all->z.names = answers;
        all->z.name_count = 2;
    }
    return (all->z.names || set_axis(d, &all->z, values, count, 2, d->z.name)) &&
           panels_write(all, d->p->file, d->error);
}

/* Points of all lines; a line is at most `size` of them. */
typedef struct points {
    plot_series *series; /* panel by panel */
    double *x, *y, *failed;
    size_t size, failed_count;
} points;

static void add_point(points *p, size_t line, double x, double y) {
    const size_t at = line * p->size + p->series[line].count++;
    p->x[at] = x;
    p->y[at] = y;
}

/* A point for each value of x. */
static void take_cells(const drawing *d, points *p, const panel_cell *cells, panel *each) {
    for (size_t line = 0; line < d->panels.count * d->ys.count; line++) {
        panel *of = &each[line / d->ys.count];
        if (!of->failed) of->failed = p->failed + p->failed_count;
        for (size_t n = 0; n < d->xs.count; n++) {
            const panel_cell *cell = &cells[line * d->xs.count + n];
            const double at = d->xs.numbers ? d->xs.numbers[n] : (double)n;
            if (cell->state == PANEL_FAILED || cell->some_failed) {
                p->failed[p->failed_count++] = at;
                of->failed_count++;
            }
            if (cell->state != PANEL_EMPTY) add_point(p, line, at, cell->value);
        }
    }
}

/* A point for each run. */
static void take_runs(const drawing *d, points *p) {
    for (size_t k = 0; k < d->rows->count; k++)
        if (d->shown[k])
            add_point(p, d->panels.of[k] * d->ys.count + d->ys.of[k],
                      picture_column_number(&d->x, d->rows, &d->rows->rows[k]),
                      picture_column_number(&d->z, d->rows, &d->rows->rows[k]));
}

static bool draw_lines(const drawing *d, panels *all, panel *each) {
    const size_t lines = d->panels.count * d->ys.count, columns = d->xs.count;
    const size_t size = d->scattered ? d->rows->count : columns;
    const bool ordered = !d->scattered && d->xs.numbers;
    bool several = false;
    AUTO_FREE panel_cell *cells = d->scattered ? NULL : sum_up(d, &several);
    points p = {.series = allocate(lines, sizeof *p.series),
                .x = allocate(lines * size + 1, sizeof *p.x),
                .y = allocate(lines * size + 1, sizeof *p.y),
                .failed = allocate(lines * size + 1, sizeof *p.failed),
                .size = size};
    AUTO_FREE char **labels = allocate(d->ys.count, sizeof *labels);
    for (size_t k = 0; k < d->ys.count; k++)
        labels[k] = format_text("%s = %s", d->y.name ? d->y.name : "", d->ys.labels[k]);
    for (size_t k = 0; k < lines; k++)
        p.series[k] = (plot_series){.label = labels[k % d->ys.count],
                                    .x = p.x + k * size,
                                    .y = p.y + k * size,
                                    .points = !ordered,
                                    .marked = ordered};
    for (size_t k = 0; k < lines * size; k++) p.x[k] = p.y[k] = (double)NAN;
    for (size_t k = 0; k < d->panels.count; k++) {
        each[k].series = p.series + k * d->ys.count;
        each[k].series_count = d->ys.count;
    }
    if (d->scattered)
        take_runs(d, &p);
    else
        take_cells(d, &p, cells, each);
    if (!d->scattered && !ordered) all->x = named_axis(&d->xs, d->x.label);
    all->x.label = d->x.label;
    if (ordered && columns <= most_marks) {
        all->x.marks = d->xs.numbers;
        all->x.mark_count = columns;
    }
    all->y = (panel_axis){.label = d->z.label, .note = several ? notes[d->p->of] : NULL};
    const bool fine = (all->x.names || set_axis(d, &all->x, p.x, lines * size, 0, d->x.name)) &&
                      set_axis(d, &all->y, p.y, lines * size, 1, d->z.name) &&
                      panels_write(all, d->p->file, d->error);
    for (size_t k = 0; k < d->ys.count; k++) free(labels[k]);
    free(p.series);
    free(p.x);
    free(p.y);
    free(p.failed);
    return fine;
}

static bool make_groups(drawing *d) {
    const sweep_picture *p = d->p;
    return picture_groups_make(&d->xs, d->scattered ? NULL : &d->x, d->rows, d->shown,
                               d->heat ? most_cells : most_points, p->log[0], d->error) &&
           picture_groups_make(&d->ys, d->heat || p->by ? &d->y : NULL, d->rows, d->shown,
                               d->heat ? most_cells : most_lines, d->heat && p->log[1], d->error) &&
           picture_groups_make(&d->panels, p->wrap ? &d->wrap : NULL, d->rows, d->shown,
                               most_panels, false, d->error);
}

static bool draw_groups(const drawing *d) {
    const size_t count = d->panels.count;
    AUTO_FREE panel *each = allocate(count, sizeof *each);
    AUTO_FREE char **titles = allocate(count, sizeof *titles);
    for (size_t k = 0; d->p->wrap && k < count; k++)
        each[k].title = titles[k] = format_text("%s = %s", d->wrap.name, d->panels.labels[k]);
    panels all = {.title = d->p->title ? d->p->title : "", .panels = each, .count = count};
    const bool fine = (d->heat ? draw_heat : draw_lines)(d, &all, each);
    for (size_t k = 0; k < count; k++) free(titles[k]);
    return fine;
}

static bool draw_rows(const sweep_picture *p, const sweep_rows *rows, picture_counts *counts,
                      stiction_error *error) {
    drawing d = {.rows = rows, .p = p, .heat = p->z != NULL, .error = error};
    const bool fine = find_columns(&d) && choose_rows(&d) && make_groups(&d) && draw_groups(&d);
    for (size_t k = 0; fine && k < rows->count; k++) {
        counts->runs += d.shown[k];
        counts->failed += d.shown[k] && rows->rows[k].failure;
    }
    picture_column *const columns[] = {&d.x, &d.y, &d.z, &d.wrap};
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) picture_column_free(columns[k]);
    picture_groups_free(&d.xs);
    picture_groups_free(&d.ys);
    picture_groups_free(&d.panels);
    free(d.shown);
    return fine;
}

/* ---- the sweep ---- */

static bool has_file(const char *folder, const char *name) {
    AUTO_FREE char *path = format_text("%s/%s", folder, name);
    return file_exists(path);
}

bool sweep_picture_has(const char *folder) {
    return has_file(folder, "sweep.json");
}

static bool draw_states(const sweep_picture *p, const sweep_states *states, picture_counts *counts,
                        stiction_log log, stiction_error *error) {
    counts->damaged = sweep_states_log_damage(states, 0, "; it is not in the picture", log);
    counts->absent = sweep_states_count(states, SWEEP_ABSENT);
    AUTO(sweep_rows_free) sweep_rows rows;
    return sweep_rows_read(&rows, states, error) && draw_rows(p, &rows, counts, error);
}

bool sweep_picture_draw(const sweep_picture *p, const char *folder, picture_counts *counts,
                        stiction_log log, stiction_error *error) {
    *counts = (picture_counts){.runs = 0};
    if (!sweep_picture_has(folder))
        return fail(error, "%s: there is no sweep in it (no sweep.json)", folder);
    if (!has_file(folder, "sweep.db"))
        return fail(error,
                    "%s: it has no sweep.db, as sweeps of earlier versions; the command that made "
                    "it adds one",
                    folder);
    AUTO(sweep_plan_free) sweep_plan plan;
    bool fine = sweep_plan_load(folder, &plan, error);
    if (fine) {
        AUTO(sweep_states_free) sweep_states states;
        fine = sweep_states_read_folder(&states, folder, &plan, error) &&
               draw_states(p, &states, counts, log, error);
    }
    return fine;
}
