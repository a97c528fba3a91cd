/*
 * Names of --plot, and the values of settings as groups.
 */
#include "sweep/picture_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "document/names.h"
#include "run/setting_units.h"
#include "sweep/figure_names.h"

/* ---- names ---- */

/* "s^-2" with its power raised; the caller frees it. */
static char *raised(const char *unit) {
    static const char *const digits[] = {
        "\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",     "\xE2\x81\xB4",
        "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
    const char *power = strchr(unit, '^');
    if (!power) return copy_text(unit);
    const bool minus = power[1] == '-';
    const char digit = power[minus ? 2 : 1];
    if (digit < '0' || digit > '9') return copy_text(unit);
    return format_text("%.*s%s%s%s", (int)(power - unit), unit, minus ? "\xE2\x81\xBB" : "",
                       digits[digit - '0'], power + (minus ? 3 : 2));
}

static char *with_unit(const char *name, const char *unit) {
    if (!*unit) return copy_text(name);
    char *shown = raised(unit), *label = format_text("%s (%s)", name, shown);
    free(shown);
    return label;
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

static void take_figure(picture_column *c, size_t figure) {
    c->figures = reallocate(c->figures, c->figure_count + 1, sizeof *c->figures);
    c->figures[c->figure_count++] = figure;
}

static const char *unit_of(const sweep_figure *f) {
    return joint_figure_unit(f->kind, f->prismatic);
}

/* "RWRR.rms_error", or "rms_error" of whichever joint is worst, of those with one unit. */
static bool find_figure(picture_column *c, const sweep_rows *rows, const char *name) {
    const ptrdiff_t found = sweep_rows_find(rows, name);
    if (found >= 0) {
        take_figure(c, (size_t)found);
    } else {
        const joint_figure *kind = joint_figure_find(name);
        if (!kind) kind = sweep_body_figure_find(name);
        for (size_t k = 0; kind && k < rows->figure_count; k++)
            if (rows->figures[k].kind == kind && sweep_has_figure(rows, k) &&
                (!c->figure_count ||
                 strcmp(unit_of(&rows->figures[k]), unit_of(&rows->figures[c->figures[0]])) == 0))
                take_figure(c, k);
    }
    if (!c->figure_count) return false;
    const sweep_figure *f = &rows->figures[c->figures[0]];
    const char *bar = c->absolute ? "|" : "";
    c->name = format_text("%s%s%s, %s", bar, f->kind->title, bar,
                          c->figure_count > 1 ? "worst joint" : f->joint);
    c->label = with_unit(c->name, unit_of(f));
    return c->is_figure = true;
}

typedef struct name_list {
    char **names;
    size_t count;
} name_list;

static void add_name(name_list *l, char *name) {
    for (size_t k = 0; k < l->count; k++)
        if (strcmp(l->names[k], name) == 0) {
            free(name);
            return;
        }
    l->names = reallocate(l->names, l->count + 1, sizeof *l->names);
    l->names[l->count++] = name;
}

/* All names that a setting or figure may be called by. */
static name_list all_names(const sweep_rows *rows) {
    name_list l = {NULL, 0};
    for (size_t k = 0; k < rows->plan->parameter_count; k++) {
        add_name(&l, copy_text(rows->plan->parameters[k].key));
        add_name(&l, copy_text(sweep_plan_short_key(rows->plan, k)));
    }
    for (size_t k = 0; k < rows->figure_count; k++) {
        const sweep_figure *f = &rows->figures[k];
        add_name(&l, copy_text(f->name));
        add_name(&l, copy_text(f->kind->name));
        if (!f->kind->alias) continue;
        add_name(&l, format_text("%s.%s", f->joint, f->kind->alias));
        add_name(&l, copy_text(f->kind->alias));
    }
    return l;
}

static void tell_unknown(const sweep_rows *rows, const char *word, const char *name) {
    name_list l = all_names(rows);
    char hint[NAME_HINT_SIZE];
    size_t alike = 0;
    (void)sweep_plan_find_key(rows->plan, name, &alike);
    if (alike > 1)
        (void)complain("--plot: %s=%s: %zu settings end so; give the whole key", word, name, alike);
    else
        (void)complain("--plot: %s=%s: the sweep has no such setting or figure%s", word, name,
                       stiction_name_hint(name, (const char *const *)l.names, l.count, hint));
    for (size_t k = 0; k < l.count; k++) free(l.names[k]);
    free(l.names);
}

/* What is within abs( ) or | |, which the caller frees; NULL: neither stands there. */
static char *within_bars(const char *name) {
    const size_t length = strlen(name);
    if (length > 2 && name[0] == '|' && name[length - 1] == '|')
        return format_text("%.*s", (int)length - 2, name + 1);
    if (length > 5 && strncmp(name, "abs(", 4) == 0 && name[length - 1] == ')')
        return format_text("%.*s", (int)length - 5, name + 4);
    return NULL;
}

bool picture_column_look(picture_column *c, const sweep_rows *rows, const char *name) {
    *c = (picture_column){.is_figure = false};
    char *within = within_bars(name);
    c->absolute = within != NULL;
    const char *plain = within ? within : name;
    const bool fine =
        (!within && find_setting(c, rows->plan, plain)) || find_figure(c, rows, plain);
    free(within);
    return fine;
}

bool picture_column_find(picture_column *c, const sweep_rows *rows, const char *word,
                         const char *name) {
    if (picture_column_look(c, rows, name)) return true;
    char *within = within_bars(name);
    tell_unknown(rows, word, within ? within : name);
    free(within);
    return false;
}

void picture_column_free(picture_column *c) {
    free(c->figures);
    free(c->label);
    free(c->name);
}

/* ---- values ---- */

const char *picture_column_text(const picture_column *c, const sweep_rows *rows,
                                const sweep_row *row) {
    return c->setting < rows->plan->parameter_count
               ? sweep_plan_value(rows->plan, row->run, c->setting)
               : sweep_plan_short_project(rows->plan, row->run);
}

static double figure_of(const picture_column *c, const sweep_row *row) {
    double worst = (double)NAN;
    for (size_t k = 0; k < c->figure_count && !row->failure; k++) {
        const double value = sweep_row_figure(row, c->figures[k]);
        if (!(fabs(value) <= fabs(worst)) && isfinite(value)) worst = value;
    }
    return c->absolute ? fabs(worst) : worst;
}

double picture_column_number(const picture_column *c, const sweep_rows *rows,
                             const sweep_row *row) {
    double value;
    if (c->is_figure) return figure_of(c, row);
    return read_number(picture_column_text(c, rows, row), &value) ? value : (double)NAN;
}

/* ---- groups ---- */

typedef struct entry {
    char *text;
    double number; /* NaN: it is none */
    size_t row;
} entry;

static int by_number(const void *a, const void *b) {
    const entry *one = a, *other = b;
    if (one->number != other->number) return one->number < other->number ? -1 : 1;
    return one->row < other->row ? -1 : 1;
}

/* Words keep the order in which they came. */
static size_t place_of(const entry *distinct, size_t count, const char *text) {
    size_t k = 0;
    while (k < count && strcmp(distinct[k].text, text) != 0) k++;
    return k;
}

static void add_group(picture_groups *g, char *label, double number) {
    g->labels = reallocate(g->labels, g->count + 1, sizeof *g->labels);
    g->numbers = reallocate(g->numbers, g->count + 1, sizeof *g->numbers);
    g->labels[g->count] = label;
    g->numbers[g->count++] = number;
}

/* Entries by their numbers: each of its own, or stretches of the same width. */
static void group_numbers(picture_groups *g, const entry *sorted, size_t count, size_t most,
                          bool log) {
    size_t distinct = 0;
    for (size_t k = 0; k < count; k++) distinct += !k || sorted[k].number != sorted[k - 1].number;
    if (distinct <= most) {
        for (size_t k = 0; k < count; k++) {
            if (!k || sorted[k].number != sorted[k - 1].number)
                add_group(g, copy_text(sorted[k].text), sorted[k].number);
            g->of[sorted[k].row] = g->count - 1;
        }
        return;
    }
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

static bool group_words(picture_groups *g, const entry *all, size_t count, size_t most,
                        const char *name) {
    entry *distinct = allocate(most + 1, sizeof *distinct);
    bool fine = true;
    for (size_t k = 0; k < count && fine; k++) {
        const size_t at = place_of(distinct, g->count, all[k].text);
        g->of[all[k].row] = at;
        if (at < g->count) continue;
        if (g->count == most) {
            fine = complain("--plot: %s has more than %zu values that are no numbers; choose some "
                            "with where=",
                            name, most);
            break;
        }
        distinct[at] = all[k];
        add_group(g, copy_text(*all[k].text ? all[k].text : "(not set)"), (double)at);
    }
    free(distinct);
    free(g->numbers);
    g->numbers = NULL;
    return fine;
}

bool picture_groups_make(picture_groups *g, const picture_column *c, const sweep_rows *rows,
                         const bool *shown, size_t most, bool log) {
    *g = (picture_groups){.of = allocate(rows->count + 1, sizeof *g->of)};
    if (!c) {
        memset(g->of, 0, rows->count * sizeof *g->of);
        add_group(g, copy_text(""), 0);
        return true;
    }
    entry *all = allocate(rows->count + 1, sizeof *all);
    size_t count = 0;
    bool numeric = true, fine = true;
    for (size_t k = 0; k < rows->count; k++) {
        if (!shown[k]) continue;
        all[count] = (entry){copy_text(picture_column_text(c, rows, &rows->rows[k])),
                             picture_column_number(c, rows, &rows->rows[k]), k};
        numeric = isfinite(all[count++].number) && numeric;
    }
    if (numeric && count) {
        qsort(all, count, sizeof *all, by_number);
        group_numbers(g, all, count, most, log);
    } else {
        fine = group_words(g, all, count, most, c->name);
    }
    for (size_t k = 0; k < count; k++) free(all[k].text);
    free(all);
    return fine;
}

void picture_groups_free(picture_groups *g) {
    for (size_t k = 0; k < g->count; k++) free(g->labels[k]);
    free(g->labels);
    free(g->numbers);
    free(g->of);
}
