/* SPDX-License-Identifier: MIT
 * Names of --plot, and the values of settings as groups.
 */
#include "sweep/picture_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "document/names.h"
#include "run/setting_units.h"

/* ---- names ---- */

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
    size_t alike = 0, count = 0;
    (void)sweep_plan_find_key(plan, name, &alike);
    if (alike > 1)
        return fail(error, "--plot: %s=%s: %zu settings end so; give the whole key", word, name,
                    alike);
    const char **names =
        allocate(2 * plan->parameter_count + 3 * rows->figure_count + 1, sizeof *names);
    char **made = allocate(rows->figure_count + 1, sizeof *made);
    for (size_t k = 0; k < plan->parameter_count; k++) {
        names[count++] = plan->parameters[k].key;
        names[count++] = sweep_plan_short_key(plan, k);
    }
    for (size_t k = 0; k < rows->figure_count; k++) {
        const sweep_figure *f = &rows->figures[k];
        made[k] = format_text("%s.%s", f->joint, f->kind->alias ? f->kind->alias : f->kind->name);
        names[count++] = f->name;
        names[count++] = made[k];
        names[count++] = f->kind->alias ? f->kind->alias : f->kind->name;
    }
    char hint[NAME_HINT_SIZE];
    (void)fail(error, "--plot: %s=%s: the sweep has no such setting or figure%s", word, name,
               stiction_name_hint(name, names, count, hint));
    for (size_t k = 0; k < rows->figure_count; k++) free(made[k]);
    free(made);
    free((void *)names);
    return false;
}

bool picture_column_find(picture_column *c, const sweep_rows *rows, const char *word,
                         const char *name, stiction_error *error) {
    const size_t length = strlen(name);
    *c = (picture_column){.is_figure = false};
    char *plain = copy_text(name);
    if (length > 2 && name[0] == '|' && name[length - 1] == '|')
        (void)snprintf(plain, length - 1, "%s", name + 1);
    else if (length > 5 && strncmp(name, "abs(", 4) == 0 && name[length - 1] == ')')
        (void)snprintf(plain, length - 4, "%s", name + 4);
    c->absolute = strcmp(plain, name) != 0;
    const bool fine = (!c->absolute && find_setting(c, rows->plan, plain)) ||
                      find_figure(c, rows, plain) || fail_unknown(rows, word, plain, error);
    free(plain);
    return fine;
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

double picture_column_number(const picture_column *c, const sweep_rows *rows,
                             const sweep_row *row) {
    double worst = (double)NAN;
    if (!c->is_figure)
        return read_number(picture_column_text(c, rows, row), &worst) ? worst : (double)NAN;
    for (size_t k = 0; k < c->figure_count && !row->failure; k++) {
        const double value = sweep_row_figure(row, c->figures[k]);
        if (!(fabs(value) <= fabs(worst)) && isfinite(value)) worst = value;
    }
    return c->absolute ? fabs(worst) : worst;
}

/* ---- groups ---- */

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

/* Texts keep the order in which they come. */
static bool group_texts(picture_groups *g, const entry *all, size_t count, size_t most,
                        const char *name, stiction_error *error) {
    for (size_t k = 0; k < count; k++) {
        const char *text = *all[k].text ? all[k].text : "(not set)";
        size_t at = 0;
        while (at < g->count && strcmp(g->labels[at], text) != 0) at++;
        g->of[all[k].row] = at;
        if (at < g->count) continue;
        if (g->count == most)
            return fail(error,
                        "--plot: %s has more than %zu values that are no numbers; choose some with "
                        "where=",
                        name, most);
        add_group(g, copy_text(text), (double)at);
    }
    free(g->numbers);
    g->numbers = NULL;
    return true;
}

bool picture_groups_make(picture_groups *g, const picture_column *c, const sweep_rows *rows,
                         const bool *shown, size_t most, bool log, stiction_error *error) {
    *g = (picture_groups){.of = allocate(rows->count + 1, sizeof *g->of)};
    if (!c) {
        add_group(g, copy_text(""), 0);
        return true;
    }
    entry *all = allocate(rows->count + 1, sizeof *all);
    size_t count = 0, distinct = 0;
    bool numeric = true, fine = true;
    for (size_t k = 0; k < rows->count; k++) {
        if (!shown[k]) continue;
        all[count] = (entry){picture_column_text(c, rows, &rows->rows[k]),
                             picture_column_number(c, rows, &rows->rows[k]), k};
        numeric = isfinite(all[count++].number) && numeric;
    }
    if (numeric && count) qsort(all, count, sizeof *all, by_number);
    for (size_t k = 0; k < count; k++) distinct += !k || all[k].number != all[k - 1].number;
    if (!numeric || !count)
        fine = group_texts(g, all, count, most, c->name, error);
    else if (distinct <= most)
        group_numbers(g, all, count);
    else
        group_bins(g, all, count, most, log);
    free(all);
    return fine;
}

void picture_groups_free(picture_groups *g) {
    for (size_t k = 0; k < g->count; k++) free(g->labels[k]);
    free(g->labels);
    free(g->numbers);
    free(g->of);
}
