/* SPDX-License-Identifier: MIT
 * Keys of a sweep file and their values: one, a list, a sequence of numbers, or what they are drawn
 * from.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "document/error_list.h"
#include "document/names.h"
#include "sweep/sweep_walk.h"

/* Number of values of a sequence that are checked; every run is checked before it starts. */
enum { most_checked = 20 };

/* The values given for a key, as indices in the list of its distinct values. */
typedef struct value_list {
    sweep_parameter *of;
    uint32_t *at;
    size_t count, room;
    bool sequence;   /* made of two ends */
    bool may_repeat; /* a value may occur again */
} value_list;

static void add_value(sweep_walk *w, value_list *list, const char *text, stiction_place at) {
    const size_t before = list->of->count;
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->at = reallocate(list->at, list->room, sizeof *list->at);
    }
    list->at[list->count++] =
        (uint32_t)sweep_parameter_add(list->of, text, (sweep_spot){at.line, at.column});
    if (list->of->count > before || list->may_repeat) return;
    sweep_add_error(w, at, "%s has '%s' twice%s", list->of->key, text,
                    list->sequence ? ": its values are the same to nine digits" : "");
    list->may_repeat = list->sequence; /* one error is enough */
}

/* ---- sequences, and what is drawn ---- */

/* How a generator is written, and between how many numbers and how many. */
typedef struct generator generator;
typedef struct call {
    sweep_walk *w;
    const char *key;
    const generator *generator;
    const tree_node *node; /* after the word */
    double numbers[4];
    const tree_node *nodes[4];
    size_t count;
    value_list *list;
} call;

struct generator {
    const char *word, *form;
    size_t least, most;
    void (*make)(call *c);
    sampling_kind kind;
};

__attribute__((format(printf, 3, 4))) static void refuse(call *c, stiction_place at,
                                                         const char *format, ...) {
    char message[1000];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sweep_add_error(c->w, at, "%s: %s", c->key, message);
}

static bool read_numbers(call *c) {
    const generator *g = c->generator;
    if (c->node->kind != TREE_LIST || c->node->count < g->least || c->node->count > g->most) {
        refuse(c, c->node->at, "%s must be given as %s", g->word, g->form);
        return false;
    }
    for (const tree_entry *e = c->node->first; e; e = e->next) {
        double *number = &c->numbers[c->count];
        const tree_node *node = c->nodes[c->count++] = e->value;
        if (node->kind != TREE_SCALAR || !read_number(node->text, number) || !isfinite(*number)) {
            refuse(c, node->at, "%s must be given as %s, in finite numbers", g->word, g->form);
            return false;
        }
    }
    return true;
}

static void add_number(call *c, double value) {
    char text[SAMPLING_TEXT_SIZE];
    sampling_text(value, NULL, text);
    add_value(c->w, c->list, text, c->node->at);
}

/* The ends as in the file, and values between them by a function. */
static void make_space(call *c, double (*at)(double, double, size_t, size_t)) {
    const double first = c->numbers[0], last = c->numbers[1], wanted = c->numbers[2];
    if (!(wanted >= 2 && wanted <= SWEEP_MOST_RUNS && wanted == floor(wanted))) {
        refuse(c, c->nodes[2]->at, "the count of %s must be a whole number from 2 to %d, not %s",
               c->generator->word, SWEEP_MOST_RUNS, c->nodes[2]->text);
        return;
    }
    if (first == last) {
        refuse(c, c->nodes[1]->at, "the ends of %s are the same: %s", c->generator->word,
               c->nodes[1]->text);
        return;
    }
    const size_t count = (size_t)wanted;
    if (!sweep_may_make(c->w, c->node->at, count)) return;
    c->list->sequence = true;
    add_value(c->w, c->list, c->nodes[0]->text, c->node->at);
    for (size_t k = 1; k + 1 < count; k++) add_number(c, at(first, last, k, count));
    add_value(c->w, c->list, c->nodes[1]->text, c->node->at);
}

static void make_linspace(call *c) {
    make_space(c, sampling_linear);
}

static void make_logspace(call *c) {
    if (c->numbers[0] * c->numbers[1] > 0)
        make_space(c, sampling_geometric);
    else
        refuse(c, c->node->at,
               "the ends of logspace are the values themselves, not exponents: both must be above "
               "0, or both below");
}

/* Up to the end, which is included if a step meets it. */
static void make_steps(call *c) {
    const double first = c->numbers[0], last = c->numbers[1], step = c->numbers[2];
    const double steps = (last - first) / step;
    if (!(steps >= 0) || isinf(steps)) {
        refuse(c, c->nodes[2]->at, "a step of %s does not lead from %s to %s", c->nodes[2]->text,
               c->nodes[0]->text, c->nodes[1]->text);
    } else if (steps > SWEEP_MOST_RUNS) {
        refuse(c, c->nodes[2]->at, "the range has more than %d values", SWEEP_MOST_RUNS);
    } else {
        const size_t most = (size_t)(steps * (1 + 1e-12) + 1e-9);
        if (!sweep_may_make(c->w, c->node->at, most + 1)) return;
        c->list->sequence = true;
        for (size_t k = 0; k <= most; k++) add_number(c, first + (double)k * step);
    }
}

static sweep_draw *add_draw(call *c) {
    sweep_walk *w = c->w;
    w->draws = reallocate(w->draws, w->draw_count + 1, sizeof *w->draws);
    sweep_draw *draw = &w->draws[w->draw_count++];
    *draw = (sweep_draw){.parameter = w->plan->parameter_count - 1,
                         .at = c->node->at,
                         .word = c->generator->word,
                         .range = {.kind = c->generator->kind,
                                   .first = c->numbers[0],
                                   .second = c->numbers[1],
                                   .least = -(double)INFINITY,
                                   .most = (double)INFINITY}};
    return draw;
}

/* Also a range without steps, which only a search can use. */
static void make_draw(call *c) {
    if (!(c->numbers[0] < c->numbers[1]))
        refuse(c, c->nodes[1]->at, "%s goes from %s up to %s, which must be above it",
               c->generator->word, c->nodes[0]->text, c->nodes[1]->text);
    else if (c->generator->kind == SAMPLING_LOGUNIFORM && !(c->numbers[0] > 0))
        refuse(c, c->nodes[0]->at, "%s %s must be above 0: it is drawn by its logarithm",
               c->generator->word, c->nodes[0]->text);
    else
        (void)add_draw(c);
}

static void make_range(call *c) {
    if (c->count == 3)
        make_steps(c);
    else
        make_draw(c);
}

static void make_normal(call *c) {
    const double mean = c->numbers[0];
    if (c->count == 3)
        refuse(c, c->node->at, "normal must be given as %s", c->generator->form);
    else if (!(c->numbers[1] > 0))
        refuse(c, c->nodes[1]->at, "the deviation %s must be above 0", c->nodes[1]->text);
    else if (c->count == 4 && !(c->numbers[2] < c->numbers[3]))
        refuse(c, c->nodes[3]->at, "normal is cut off at %s and %s, which must be above it",
               c->nodes[2]->text, c->nodes[3]->text);
    else if (c->count == 4 &&
             (c->numbers[2] > mean + 8 * c->numbers[1] || c->numbers[3] < mean - 8 * c->numbers[1]))
        refuse(c, c->nodes[2]->at,
               "hardly a number of this normal distribution is within %s and %s", c->nodes[2]->text,
               c->nodes[3]->text);
    else {
        sweep_draw *draw = add_draw(c);
        if (c->count < 4) return;
        draw->range.least = c->numbers[2];
        draw->range.most = c->numbers[3];
    }
}

static bool read_texts(sweep_walk *w, const tree_node *node, const char *what, value_list *list);

/* A value that is given twice is twice as likely. */
static void make_choice(call *c) {
    sweep_parameter distinct = {.key = NULL};
    value_list list = {.of = &distinct, .may_repeat = true};
    if (c->node->kind != TREE_LIST || c->node->count == 0) {
        refuse(c, c->node->at, "choice must be given as %s", c->generator->form);
    } else if (read_texts(c->w, c->node, c->key, &list)) {
        sweep_draw *draw = add_draw(c);
        draw->choices = allocate(list.count, sizeof *draw->choices);
        for (size_t k = 0; k < list.count; k++)
            draw->choices[draw->choice_count++] = copy_text(distinct.values[list.at[k]]);
    }
    free(list.at);
    sweep_parameter_free(&distinct);
}

static const generator generators[] = {
    {"linspace", "[first, last, count]", 3, 3, make_linspace, SAMPLING_UNIFORM},
    {"logspace", "[first, last, count]", 3, 3, make_logspace, SAMPLING_UNIFORM},
    {"range", "[first, last, step]", 2, 3, make_range, SAMPLING_UNIFORM},
    {"uniform", "[least, most]", 2, 2, make_draw, SAMPLING_UNIFORM},
    {"loguniform", "[least, most]", 2, 2, make_draw, SAMPLING_LOGUNIFORM},
    {"log_uniform", "[least, most]", 2, 2, make_draw, SAMPLING_LOGUNIFORM},
    {"normal", "[mean, deviation] or [mean, deviation, least, most]", 2, 4, make_normal,
     SAMPLING_NORMAL},
    {"choice", "[value, value, ...]", 0, 0, make_choice, SAMPLING_UNIFORM},
};
enum { generator_count = sizeof generators / sizeof generators[0] };

static void read_generator(sweep_walk *w, const char *key, const tree_node *map, value_list *list) {
    const char *names[generator_count];
    const char *word = map->count ? map->first->key->text : "";
    if (map->count != 1) {
        sweep_add_error(w, map->at,
                        "%s must have one key in its braces, such as {linspace: [0, 1, "
                        "5]} or {uniform: [0, 1]}",
                        key);
        return;
    }
    for (size_t k = 0; k < generator_count; k++) {
        names[k] = generators[k].word;
        if (strcmp(word, names[k]) != 0) continue;
        call c = {.w = w,
                  .key = key,
                  .generator = &generators[k],
                  .node = map->first->value,
                  .list = list};
        if (generators[k].most == 0 || read_numbers(&c)) generators[k].make(&c);
        return;
    }
    char hint[NAME_HINT_SIZE];
    sweep_add_error(w, map->first->key->at, "%s: there is no '%s' of values%s", key, word,
                    stiction_name_hint(word, names, generator_count, hint));
}

/* ---- values ---- */

static bool read_text(sweep_walk *w, const tree_node *node, const char *what, value_list *list) {
    if (node->kind != TREE_SCALAR)
        sweep_add_error(w, node->at, "%s must be one value or a list of single values%s", what,
                        node->kind == TREE_LIST
                            ? "; a vector is one text: \"0,0,-9.8\", and so is a "
                              "list: \"[0.1, 0.2]\""
                            : "");
    else if (!*node->text)
        sweep_add_error(w, node->at, "%s has no value", what);
    else {
        add_value(w, list, node->text, node->at);
        return true;
    }
    return false;
}

static bool read_texts(sweep_walk *w, const tree_node *node, const char *what, value_list *list) {
    if (node->kind != TREE_LIST) return read_text(w, node, what, list);
    bool fine = node->count > 0;
    if (!fine) sweep_add_error(w, node->at, "%s has no value", what);
    for (const tree_entry *e = node->first; e; e = e->next)
        fine = read_text(w, e->value, what, list) && fine;
    return fine;
}

/* Whether only a controller of the projects can check a key. */
static bool is_free(sweep_walk *w, const char *key) {
    if (!w->rules->is_option(key)) return false;
    for (size_t k = 0; k < w->plan->parameter_count; k++) {
        const sweep_parameter *p = &w->plan->parameters[k];
        for (size_t n = 0; n < p->count && strcmp(p->key, "controller") == 0; n++)
            if (!w->rules->checks_options_of(p->values[n])) return true;
    }
    for (size_t k = 0; !w->others_known && k < w->plan->project_count; k++) {
        AUTO_FREE char *path = sweep_file_beside(w->path, w->plan->projects[k]);
        w->others = w->others || w->rules->has_other_controllers(path, w->plan->untrusted);
    }
    w->others_known = true;
    return w->others;
}

/* Keys that are options of `stiction run`, not of its --set. */
static bool is_run_option(const char *key) {
    return strcmp(key, "controller") == 0 || strcmp(key, "targets") == 0;
}

static bool check_setting(sweep_walk *w, const char *key, const char *value, stiction_place at) {
    if (is_run_option(key)) return true; /* checked before the first run */
    AUTO_FREE char *text = format_text("%s=%s", key, value);
    stiction_error error;
    bool fine = is_free(w, key) || w->rules->check_setting(text, at, &error);
    if (!fine) {
        stiction_errors_add_error(w->errors, &error);
        w->fine = false;
    }
    if (strcmp(key, "configuration") == 0) {
        AUTO_FREE char *path = sweep_file_beside(w->path, value);
        if (!file_exists(path)) sweep_add_error(w, at, "there is no file '%s'", path);
        fine = fine && file_exists(path);
    }
    return fine;
}

/* Of a sequence some values are checked, and the first error is enough. */
static void check_values(sweep_walk *w, const sweep_parameter *p, bool sequence) {
    const size_t step = sequence && p->count > most_checked ? p->count / most_checked : 1;
    for (size_t k = 0; k < p->count; k++) {
        const stiction_place at = {w->path, p->spots[k].line, p->spots[k].column};
        if ((k % step == 0 || k == p->count - 1) && !check_setting(w, p->key, p->values[k], at) &&
            sequence)
            return;
    }
}

/* The ends of what is drawn and its middle, or all choices. */
static void check_draw(sweep_walk *w, const char *key, const sweep_draw *draw) {
    static const double shares[] = {1e-9, 0.51234567, 1 - 1e-9};
    for (size_t k = 0; k < draw->choice_count; k++)
        (void)check_setting(w, key, draw->choices[k], draw->at);
    for (size_t k = 0; k < 3 && !draw->choices; k++) {
        char text[SAMPLING_TEXT_SIZE];
        double value = shares[k];
        sampling_values(&draw->range, &value, 1);
        sampling_text(value, &draw->range, text);
        if (!check_setting(w, key, text, draw->at)) return;
    }
}

/* ---- keys ---- */

/* A parameter of the plan. False after an error. */
static bool add_parameter(sweep_walk *w, const tree_node *key) {
    sweep_plan *plan = w->plan;
    for (size_t k = 0; k < plan->parameter_count; k++)
        if (strcmp(plan->parameters[k].key, key->text) == 0) {
            sweep_add_error(w, key->at, "the key '%s' is given twice", key->text);
            return false;
        }
    if (strchr(key->text, '=')) {
        sweep_add_error(w, key->at, "a key of set has no '=': '%s'", key->text);
        return false;
    }
    plan->parameters =
        reallocate(plan->parameters, plan->parameter_count + 1, sizeof *plan->parameters);
    plan->parameters[plan->parameter_count++] = (sweep_parameter){.key = copy_text(key->text)};
    return true;
}

static sweep_factor *add_factor(sweep_walk *w) {
    w->factors = reallocate(w->factors, w->factor_count + 1, sizeof *w->factors);
    sweep_factor *f = &w->factors[w->factor_count++];
    *f = (sweep_factor){.keys = NULL};
    return f;
}

static void add_key(sweep_factor *f, size_t parameter) {
    f->keys = reallocate(f->keys, f->key_count + 1, sizeof *f->keys);
    f->keys[f->key_count++] = parameter;
}

/* Values or a draw of the last parameter, all checked. Free list->at. */
static void read_values(sweep_walk *w, const tree_entry *entry, value_list *list) {
    const char *key = entry->key->text;
    const size_t draws = w->draw_count;
    list->of = &w->plan->parameters[w->plan->parameter_count - 1];
    if (entry->value->kind == TREE_MAPPING)
        read_generator(w, key, entry->value, list);
    else
        (void)read_texts(w, entry->value, key, list);
    /* a wrong key is one error, however many values it has */
    char hint[NAME_HINT_SIZE];
    if (!is_run_option(key) && !w->rules->has_key(key, hint)) {
        sweep_add_error(w, entry->key->at, "set has no key '%s'%s", key, hint);
        return;
    }
    check_values(w, list->of, list->sequence);
    if (w->draw_count > draws) check_draw(w, key, &w->draws[draws]);
}

void sweep_read_parameter(sweep_walk *w, const tree_entry *entry) {
    if (!add_parameter(w, entry->key)) return;
    const size_t parameter = w->plan->parameter_count - 1, draws = w->draw_count;
    value_list list = {.count = 0};
    read_values(w, entry, &list);
    free(list.at);
    if (w->draw_count == draws) {
        sweep_factor *f = add_factor(w);
        add_key(f, parameter);
        f->row_count = list.of->count;
        return;
    }
    if (draws == 0) { /* all draws are one factor */
        w->draw_factor = w->factor_count;
        (void)add_factor(w);
    }
    add_key(&w->factors[w->draw_factor], parameter);
}

void sweep_read_set(sweep_walk *w, const tree_entry *entry) {
    const tree_node *map = entry->value;
    if (map->kind != TREE_MAPPING) {
        sweep_add_error(w, map->at, "set must be a map of keys and values");
        return;
    }
    for (const tree_entry *e = map->first; e; e = e->next) sweep_read_parameter(w, e);
}

/* ---- what goes together ---- */

/* A column of the rows of a factor. */
static void add_column(sweep_walk *w, sweep_factor *f, const value_list *list) {
    const size_t before = f->key_count;
    uint32_t *rows = allocate(f->row_count * (before + 1), sizeof *rows);
    for (size_t k = 0; k < f->row_count; k++) {
        for (size_t n = 0; n < before; n++) rows[k * (before + 1) + n] = f->rows[k * before + n];
        rows[k * (before + 1) + before] = list->at[k];
    }
    free(f->rows);
    f->rows = rows;
    add_key(f, w->plan->parameter_count - 1);
}

static void read_pairs(sweep_walk *w, const tree_node *map) {
    const char *first = NULL;
    if (map->kind != TREE_MAPPING || map->count == 0) {
        sweep_add_error(w, map->at,
                        "zip must be a map of keys with lists of equal length, or a list "
                        "of such maps");
        return;
    }
    const size_t factor = w->factor_count;
    (void)add_factor(w);
    for (const tree_entry *e = map->first; e; e = e->next) {
        if (!add_parameter(w, e->key)) continue;
        value_list list = {.may_repeat = true};
        const size_t draws = w->draw_count;
        const bool before = w->fine;
        w->fine = true;
        read_values(w, e, &list);
        sweep_factor *f = &w->factors[factor];
        if (w->draw_count > draws)
            sweep_add_error(w, e->value->at, "%s: drawn values cannot be zipped; give them in set",
                            e->key->text);
        else if (!w->fine) /* reported already; the length is meaningless */
            ;
        else if (first && list.count != f->row_count)
            sweep_add_error(w, e->value->at,
                            "%s has %zu value%s, but %s, which goes with it, has %zu", e->key->text,
                            list.count, list.count == 1 ? "" : "s", first, f->row_count);
        else {
            if (!first) f->row_count = list.count;
            first = e->key->text;
            add_column(w, f, &list);
        }
        w->fine = w->fine && before;
        free(list.at);
    }
}

void sweep_read_zip(sweep_walk *w, const tree_entry *entry) {
    const tree_node *node = entry->value;
    if (node->kind != TREE_LIST || node->count == 0)
        read_pairs(w, node);
    else
        for (const tree_entry *e = node->first; e; e = e->next) read_pairs(w, e->value);
}

/* ---- repetitions ---- */

/* Whether a seed may have an effect; true if only a run can tell. */
static bool may_draw(const sweep_walk *w) {
    const sweep_plan *plan = w->plan;
    bool draws = !w->fine;
    for (size_t k = 0; k < plan->parameter_count && !draws; k++) {
        draws = strcmp(plan->parameters[k].key, "configuration") == 0;
        for (size_t n = 0; n < plan->parameters[k].count && !draws; n++)
            draws = plan->parameters[k].values[n][0] == '{';
    }
    for (size_t k = 0; k < plan->project_count && !draws; k++) {
        AUTO_FREE char *path = sweep_file_beside(w->path, plan->projects[k]);
        draws = w->rules->draws(path, plan->untrusted);
    }
    return draws;
}

void sweep_read_repetitions(sweep_walk *w, const tree_entry *entry) {
    double wanted;
    if (!sweep_whole(w, entry->value, "repetitions", 1, SWEEP_MOST_RUNS, &wanted)) return;
    tree_node key = *entry->key;
    key.text = "repetition";
    if (!add_parameter(w, &key)) return;
    const stiction_place at = entry->value->at;
    for (size_t k = 1; k <= (size_t)wanted; k++) {
        char text[SAMPLING_TEXT_SIZE];
        (void)snprintf(text, sizeof text, "%zu", k);
        (void)sweep_parameter_add(&w->plan->parameters[w->plan->parameter_count - 1], text,
                                  (sweep_spot){at.line, at.column});
    }
    sweep_factor *f = add_factor(w);
    add_key(f, w->plan->parameter_count - 1);
    f->row_count = (size_t)wanted;
    if (wanted > 1 && !may_draw(w))
        w->plan->warning = format_text("%s:%d:%d: warning: nothing is drawn, so that the %.0f "
                                       "repetitions of a run are the same",
                                       at.path, at.line, at.column, wanted);
}
