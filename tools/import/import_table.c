/* SPDX-License-Identifier: MIT
 * A table of friction torque over velocity: a law is fitted to it (fit.h), and notes report what
 * the table cannot identify.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/csv.h"
#include "document/file.h"
#include "document/number.h"
#include "import.h"
#include "stiction/models/parameters.h"

enum { most_rows = 1000000, most_word = 64 };

/* ---- the head: names and units ---- */

typedef enum quantity { VELOCITY, TORQUE } quantity;

static const char *const quantity_names[] = {"velocity", "torque"};

static const struct {
    quantity quantity;
    const char *word;
} words[] = {
    {VELOCITY, "velocity"}, {VELOCITY, "speed"},  {VELOCITY, "omega"},
    {VELOCITY, "qdot"},     {VELOCITY, "dq"},     {VELOCITY, "v"},
    {TORQUE, "torque"},     {TORQUE, "friction"}, {TORQUE, "friction_torque"},
    {TORQUE, "tau"},        {TORQUE, "force"},    {TORQUE, "friction_force"},
};

/* A unit as it is written, without spaces and signs of multiplication, in lower case; first as it
 * is shown, then in other ways. */
static const struct unit {
    quantity quantity;
    const char *text, *shown;
    double factor; /* to rad/s, m/s, N m, N */
    bool slides;
} units[] = {
    {VELOCITY, "rad/s", "rad/s", 1, false},
    {VELOCITY, "rads", "rad/s", 1, false},
    {VELOCITY, "radps", "rad/s", 1, false},
    {VELOCITY, "deg/s", "deg/s", 0.017453292519943295, false},
    {VELOCITY, "degs", "deg/s", 0.017453292519943295, false},
    {VELOCITY, "rpm", "rpm", 0.10471975511965977, false},
    {VELOCITY, "m/s", "m/s", 1, true},
    {VELOCITY, "mps", "m/s", 1, true},
    {VELOCITY, "mm/s", "mm/s", 1e-3, true},
    {TORQUE, "nm", "N m", 1, false},
    {TORQUE, "mnm", "mN m", 1e-3, false},
    {TORQUE, "nmm", "N mm", 1e-3, false},
    {TORQUE, "knm", "kN m", 1e3, false},
    {TORQUE, "n", "N", 1, true},
    {TORQUE, "mn", "mN", 1e-3, true},
    {TORQUE, "kn", "kN", 1e3, true},
};
enum { unit_count = sizeof units / sizeof units[0] };

/* A cell of the header: its name, and the unit in brackets after it, or "". */
typedef struct head_cell {
    char name[most_word], unit[most_word];
} head_cell;

static void lower_into(char out[most_word], const char *text, size_t length) {
    size_t n = 0;
    while (length && isspace((unsigned char)text[length - 1])) length--;
    for (size_t k = 0; k < length && n + 1 < most_word; k++)
        out[n++] = (char)tolower((unsigned char)text[k]);
    out[n] = '\0';
}

/* "N m", "N.m", "N*m", "N·m" and "N_m" are one. */
static void squeeze(char *unit) {
    char *to = unit;
    for (const char *c = unit; *c; c++) {
        const bool middle_dot = (unsigned char)c[0] == 0xc2 && (unsigned char)c[1] == 0xb7;
        if (middle_dot) c++;
        if (middle_dot || strchr(" .*-_", *c)) continue;
        *to++ = *c;
    }
    *to = '\0';
}

static const struct unit *unit_named(quantity q, const char *text) {
    for (size_t k = 0; k < unit_count; k++)
        if (units[k].quantity == q && strcmp(units[k].text, text) == 0) return &units[k];
    return NULL;
}

/* "velocity_rad_s": a name followed by a unit. */
static void split_unit(head_cell *cell) {
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        const size_t length = strlen(words[k].word);
        char unit[most_word];
        if (strncmp(cell->name, words[k].word, length) != 0 || cell->name[length] != '_') continue;
        memcpy(unit, cell->name + length, strlen(cell->name + length) + 1);
        squeeze(unit);
        if (!unit_named(words[k].quantity, unit)) continue;
        cell->name[length] = '\0';
        memcpy(cell->unit, unit, sizeof unit);
        return;
    }
}

static head_cell read_head_cell(const char *text) {
    head_cell cell = {{0}, {0}};
    const size_t length = strcspn(text, "([");
    lower_into(cell.name, text, length);
    if (text[length]) {
        const char *inside = text + length + 1;
        lower_into(cell.unit, inside, strcspn(inside, ")]"));
        squeeze(cell.unit);
    } else {
        split_unit(&cell);
    }
    return cell;
}

/* Whether a name is that of a quantity, also after that of a joint: "RWRR.velocity". */
static bool is_named(const char *name, quantity q) {
    const char *point = strrchr(name, '.');
    const char *last = point ? point + 1 : name;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (words[k].quantity == q && strcmp(words[k].word, last) == 0) return true;
    return false;
}

typedef struct column {
    size_t index;
    const struct unit *unit; /* NULL: the head has none */
} column;

typedef struct table_reader {
    reader *r;
    import_result *result;
    const import_options *options;
    csv file;
    size_t columns;
    column of[2];
    double *values[2];
    size_t count, capacity, at_rest;
    double largest_at_rest;
} table_reader;

static void close_file(void *memory) {
    stiction_csv_close(&((table_reader *)memory)->file);
    free(((table_reader *)memory)->values[VELOCITY]);
    free(((table_reader *)memory)->values[TORQUE]);
}

static bool next_row(table_reader *t) {
    stiction_error error;
    const csv_verdict verdict = stiction_csv_next_row(&t->file, &error);
    if (verdict == CSV_WRONG) stiction_reader_refuse_as(t->r, &error);
    return verdict == CSV_ROW;
}

static size_t find_column(table_reader *t, quantity q, const char *given) {
    size_t found = t->columns;
    for (size_t k = 0; k < t->columns; k++) {
        const char *text = t->file.cells[k].text;
        const head_cell cell = read_head_cell(text);
        char wanted[most_word];
        if (given) lower_into(wanted, given, strlen(given));
        const bool fits = given ? strcmp(text, given) == 0 || strcmp(cell.name, wanted) == 0
                                : is_named(cell.name, q);
        if (!fits) continue;
        if (found < t->columns)
            stiction_reader_refuse(t->r, stiction_csv_place(&t->file, k),
                                   "columns '%s' and '%s' could both be the %s; choose one with "
                                   "--%s COLUMN",
                                   t->file.cells[found].text, text, quantity_names[q],
                                   quantity_names[q]);
        found = k;
    }
    if (found == t->columns && given)
        stiction_reader_refuse(t->r, (stiction_place){t->file.path, (int)t->file.line, 1},
                               "--%s: there is no column '%s'", quantity_names[q], given);
    if (found == t->columns)
        stiction_reader_refuse(
            t->r, (stiction_place){t->file.path, (int)t->file.line, 1},
            "no column of the head is called %s, as in \"velocity (rad/s),torque "
            "(N m)\"; name one with --%s COLUMN",
            quantity_names[q], quantity_names[q]);
    return found;
}

static const struct unit *find_unit(table_reader *t, quantity q, size_t index) {
    const head_cell cell = read_head_cell(t->file.cells[index].text);
    if (!*cell.unit) return NULL;
    const struct unit *found = unit_named(q, cell.unit);
    if (found) return found;
    const char *list = "", *last = "";
    for (size_t k = 0; k < unit_count; k++) {
        if (units[k].quantity != q || strcmp(units[k].shown, last) == 0) continue;
        last = units[k].shown;
        list = stiction_reader_format(t->r, "%s%s%s", list, *list ? ", " : "", last);
    }
    stiction_reader_refuse(t->r, stiction_csv_place(&t->file, index),
                           "'%s' has a unit that is none of %s", t->file.cells[index].text, list);
}

static const struct unit *plain_unit(quantity q, bool slides) {
    for (size_t k = 0; k < unit_count; k++)
        if (units[k].quantity == q && units[k].slides == slides && units[k].factor == 1)
            return &units[k];
    return NULL;
}

static void read_head(table_reader *t) {
    if (!next_row(t))
        stiction_reader_refuse(t->r, (stiction_place){t->file.path, 0, 0},
                               "there is no head with the names of columns");
    t->columns = t->file.count;
    const char *const given[] = {t->options->velocity, t->options->torque};
    for (quantity q = VELOCITY; q <= TORQUE; q++) {
        t->of[q].index = find_column(t, q, given[q]);
        t->of[q].unit = find_unit(t, q, t->of[q].index);
    }
    const struct unit *velocity = t->of[VELOCITY].unit, *torque = t->of[TORQUE].unit;
    if (velocity && torque && velocity->slides != torque->slides)
        stiction_reader_refuse(t->r, stiction_csv_place(&t->file, t->of[TORQUE].index),
                               "a torque in %s does not go with a velocity in %s", torque->shown,
                               velocity->shown);
    const bool slides = (velocity && velocity->slides) || (torque && torque->slides);
    for (quantity q = VELOCITY; q <= TORQUE; q++) {
        const struct unit *unit = t->of[q].unit;
        if (!unit)
            import_note(t->result, "the head has no unit of the %s: taken as %s", quantity_names[q],
                        plain_unit(q, slides)->shown);
        else if (unit->factor != 1)
            import_remark(t->result, "The %s was converted from %s.", quantity_names[q],
                          unit->shown);
        if (!unit) t->of[q].unit = plain_unit(q, slides);
    }
    const char *others = "";
    for (size_t k = 0; k < t->columns; k++)
        if (k != t->of[VELOCITY].index && k != t->of[TORQUE].index)
            others = stiction_reader_format(t->r, "%s%s%.40s", others, *others ? ", " : "",
                                            t->file.cells[k].text);
    if (*others) import_note(t->result, "columns that were not read: %s", others);
}

/* ---- the rows ---- */

static double read_cell(table_reader *t, quantity q) {
    const csv_cell *cell = &t->file.cells[t->of[q].index];
    double value;
    if (!stiction_decimal(cell->text, &value) || fabs(value) > STICTION_MOST)
        stiction_reader_refuse(t->r, stiction_csv_place(&t->file, t->of[q].index),
                               "%s '%.80s' is not a finite number", quantity_names[q], cell->text);
    return value * t->of[q].unit->factor;
}

static void grow(table_reader *t) {
    if (t->count < t->capacity) return;
    t->capacity = t->capacity ? 2 * t->capacity : 256;
    for (quantity q = VELOCITY; q <= TORQUE; q++) {
        double *values = realloc(t->values[q], t->capacity * sizeof *values);
        if (!values) stiction_reader_no_memory(t->r);
        t->values[q] = values;
    }
}

/* At rest friction is whatever it must be, up to the static torque: no point of the curve. */
static void read_rows(table_reader *t) {
    while (next_row(t)) {
        if (t->file.count != t->columns)
            stiction_reader_refuse(t->r, (stiction_place){t->file.path, (int)t->file.line, 1},
                                   "the row has %zu cells, the head %zu", t->file.count,
                                   t->columns);
        const double velocity = read_cell(t, VELOCITY), torque = read_cell(t, TORQUE);
        if (velocity == 0) {
            t->at_rest++;
            t->largest_at_rest = fmax(t->largest_at_rest, fabs(torque));
            continue;
        }
        if (t->count == most_rows)
            stiction_reader_refuse(t->r, (stiction_place){t->file.path, (int)t->file.line, 1},
                                   "more than %d rows are not read", most_rows);
        grow(t);
        t->values[VELOCITY][t->count] = velocity;
        t->values[TORQUE][t->count++] = torque;
    }
}

/* Some write the torque on the joint, which is against its velocity. */
static void turn_torque(table_reader *t) {
    double sum = 0;
    for (size_t k = 0; k < t->count; k++)
        sum += copysign(t->values[TORQUE][k], t->values[TORQUE][k] * t->values[VELOCITY][k]);
    if (!(sum < 0)) return;
    for (size_t k = 0; k < t->count; k++) t->values[TORQUE][k] = -t->values[TORQUE][k];
    import_note(
        t->result,
        "the torque of the table is against the velocity: it was taken as the torque on the "
        "joint, whose opposite is friction's");
}

/* ---- what was found, and what was not ---- */

/* A number to a thousandth of its standard error: further digits are noise. */
static void add_number(table_reader *t, import_joint *joint, const char *key, double value,
                       double error, double least) {
    if (error > 0 && value > 0) {
        char text[NUMBER_SIZE];
        const int digits = (int)fmin(fmax(ceil(log10(value / error)) + 3, 3), 17);
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        (void)stiction_decimal(text, &value);
        import_add(t->result, joint, key, fmax(value, least), "fitted, +- %.2g", error);
    } else {
        import_add(t->result, joint, key, fmax(value, least), "fitted");
    }
}

static void add_numbers(table_reader *t, const fit *f, import_joint *joint) {
    const double *value = f->value, *error = f->error;
    const double coulomb =
        import_coulomb(t->result, "the fitted Coulomb torque", value[FIT_COULOMB]);
    add_number(t, joint, "coulomb_torque", coulomb, error[FIT_COULOMB], STICTION_LEAST);
    if (f->free >> FIT_FALL & 1) {
        add_number(t, joint, "static_torque", coulomb + value[FIT_FALL],
                   hypot(error[FIT_COULOMB], error[FIT_FALL]),
                   import_value(joint, "coulomb_torque"));
        add_number(t, joint, "stribeck_velocity", value[FIT_VELOCITY], error[FIT_VELOCITY],
                   STICTION_LEAST);
    }
    if (f->free >> FIT_EXPONENT & 1)
        add_number(t, joint, "stribeck_exponent", value[FIT_EXPONENT], error[FIT_EXPONENT], 1);
    add_number(t, joint, "viscous", value[FIT_VISCOUS], error[FIT_VISCOUS], 0);
    if (f->free >> FIT_REVERSE & 1)
        add_number(t, joint, "reverse_factor", value[FIT_REVERSE], error[FIT_REVERSE],
                   STICTION_LEAST);
}

static void note_speeds(table_reader *t, const fit *f, double slowest, double fastest) {
    import_result *result = t->result;
    const char *unit = t->of[VELOCITY].unit->slides ? "m/s" : "rad/s";
    const double v_S = f->value[FIT_VELOCITY];
    size_t below = 0;
    for (size_t k = 0; k < t->count; k++) below += fabs(t->values[VELOCITY][k]) < v_S;
    if (!(f->free >> FIT_FALL & 1)) {
        import_note(result,
                    "the table shows no fall of friction above its slowest velocity, %g %s: the "
                    "static torque below that is unknown; law coulomb breaks away at the Coulomb "
                    "torque",
                    slowest, unit);
        return;
    }
    if (below < 2)
        import_note(result,
                    "the table cannot identify static_torque and stribeck_velocity apart: %s below "
                    "v_S = %.4g %s (the slowest is %g); they are extrapolated",
                    below ? "a single row is" : "no row is", v_S, unit, slowest);
    else if (slowest > v_S / 5)
        import_note(result,
                    "static_torque is extrapolated: the slowest row is at %g %s, v_S is %.4g",
                    slowest, unit, v_S);
    if (fastest < 3 * v_S)
        import_note(result,
                    "the table cannot identify coulomb_torque and viscous apart: its fastest row, "
                    "%g %s, is below three times v_S = %.4g",
                    fastest, unit, v_S);
}

/* Numbers whose error is as large as themselves. */
static void note_uncertain(table_reader *t, const fit *f) {
    static const char *const keys[] = {"coulomb_torque",    "static_torque less coulomb_torque",
                                       "stribeck_velocity", "stribeck_exponent",
                                       "viscous",           "reverse_factor"};
    for (int k = 0; k < FIT_COUNT; k++) {
        if (!(f->free >> k & 1) || f->value[k] == 0) continue;
        if (isnan(f->error[k]))
            import_note(t->result, "the table cannot identify %s: other values fit as well",
                        keys[k]);
        else if (f->error[k] > 0.5 * f->value[k])
            import_note(t->result, "the table hardly identifies %s: %.3g +- %.2g", keys[k],
                        f->value[k], f->error[k]);
    }
}

static void note_rest(table_reader *t, const fit *f, bool both_ways) {
    import_result *result = t->result;
    const char *unit = t->of[TORQUE].unit->slides ? "N" : "N m";
    if (t->at_rest)
        import_note(result,
                    "%zu row%s at velocity 0, where friction is whatever holds the joint, %s not "
                    "used; the largest torque there is %.6g %s, the law's static torque %.6g",
                    t->at_rest, t->at_rest == 1 ? "" : "s", t->at_rest == 1 ? "was" : "were",
                    t->largest_at_rest, unit, f->value[FIT_COULOMB] + f->value[FIT_FALL]);
    if (!both_ways)
        import_note(result, "the table has one direction only: the other was taken as equal "
                            "(reverse_factor 1)");
    import_note(
        result,
        "a table of steady sliding does not identify the bristle (stiffness and damping were "
        "%s), nor the influence of load, temperature and position",
        isnan(t->options->stiffness) || isnan(t->options->damping) ? "chosen" : "given");
}

static void refuse_few(table_reader *t) {
    const fit_table table = {t->values[VELOCITY], t->values[TORQUE], t->count};
    const char *law = t->options->law ? t->options->law : "coulomb";
    const stiction_place whole = {t->file.path, 0, 0};
    const size_t speeds = fit_speeds(&table), needed = fit_speeds_needed(law);
    if (speeds == 0 && t->count > 0) stiction_reader_no_memory(t->r);
    if (needed == 0)
        stiction_reader_refuse(t->r, whole,
                               "law '%s' is not fitted to tables: coulomb, stribeck and rational "
                               "are",
                               law);
    if (speeds < needed || t->count <= needed)
        stiction_reader_refuse(
            t->r, whole,
            "%zu row%s with %zu different speed%s above 0 cannot identify the %zu "
            "numbers of law %s: one row more than these, at as many speeds, could",
            t->count, t->count == 1 ? "" : "s", speeds, speeds == 1 ? "" : "s", needed, law);
}

void import_table(import_result *result, const import_options *options) {
    reader *r = result->r;
    stiction_error error;
    table_reader *t = stiction_reader_own(r, sizeof *t, close_file);
    t->r = r;
    t->result = result;
    t->options = options;
    if (!stiction_csv_open(&t->file, result->path, FILE_MOST_MOTION, &error))
        stiction_reader_refuse_as(r, &error);
    read_head(t);
    read_rows(t);
    refuse_few(t);
    turn_torque(t);
    result->table = (fit_table){t->values[VELOCITY], t->values[TORQUE], t->count};
    fit *f = stiction_reader_alloc(r, sizeof *f);
    if (!fit_table_to(&result->table, options->law, f)) stiction_reader_no_memory(r);
    result->fit = f;
    double slowest = INFINITY, fastest = 0, mean = 0;
    bool ways[2] = {false, false};
    for (size_t k = 0; k < t->count; k++) {
        const double velocity = t->values[VELOCITY][k];
        slowest = fmin(slowest, fabs(velocity));
        fastest = fmax(fastest, fabs(velocity));
        mean += fabs(t->values[TORQUE][k]) / (double)t->count;
        ways[velocity < 0] = true;
    }
    const bool slides = t->of[TORQUE].unit->slides;
    result->what = "a law fitted to a table of torque over velocity";
    result->timestep_origin = isnan(options->timestep) ? "a table states none" : "--timestep";
    import_joint *joint = import_add_joint(result, NULL, f->law);
    joint->slides = slides;
    add_numbers(t, f, joint);
    import_bristle(result, joint, options);
    import_note(result,
                "law %s fits %zu rows with a residual of %.4g %s (root mean square), %.3g %% of "
                "the mean torque",
                f->law, t->count, f->residual, slides ? "N" : "N m", 100 * f->residual / mean);
    note_speeds(t, f, slowest, fastest);
    note_uncertain(t, f);
    note_rest(t, f, ways[0] && ways[1]);
    import_name_joints(result, options, "a table");
}
