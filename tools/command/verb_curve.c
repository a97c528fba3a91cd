/* SPDX-License-Identifier: MIT
 * stiction curve: the friction of joints as a plot or table, Phi over velocity or Phi_Z over v*.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/table.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "document/csv.h"
#include "document/file.h"
#include "document/number.h"
#include "plot/curve.h"
#include "plot/plot.h"
#include "stiction/stiction.h"

/* Inputs besides the velocity, each with an option. */
enum { INPUT_COUNT = 4, most_values = 64, most_curves = 64 };

static const struct {
    const char *option, *column, *symbol, *unit, *reader;
    unsigned need;
    size_t offset;
    double least, most;
} input_rows[INPUT_COUNT] = {
    {"position", "position", "q", "rad", "ripple", STICTION_NEEDS_POSITION,
     offsetof(curve_inputs, position), -STICTION_MOST, STICTION_MOST},
    {"motor-torque", "motor_torque", "τ_m", "N m", "load_motor", STICTION_NEEDS_EFFORT,
     offsetof(curve_inputs, motor_torque), -STICTION_MOST, STICTION_MOST},
    {"external-torque", "external_torque", "τ_e", "N m", "load_external",
     STICTION_NEEDS_EXTERNAL_TORQUE, offsetof(curve_inputs, external_torque), -STICTION_MOST,
     STICTION_MOST},
    {"temperature", "temperature", "θ", "deg C", "temperature_level", CURVE_READS_TEMPERATURE,
     offsetof(curve_inputs, temperature), STICTION_COLDEST, STICTION_HOTTEST},
};

/* The values of one input; none if it is not given. */
typedef struct input_values {
    double items[most_values];
    size_t count;
} input_values;

typedef struct family {
    input_values inputs[INPUT_COUNT];
    size_t count; /* number of curves of one joint with one law */
} family;

typedef struct curve_options {
    bool implicit, csv, json, force;
    double timestep, from, to;
    size_t points;
    const char *at, *svg, *png;
    const char *inputs[INPUT_COUNT]; /* "1" or "1,2,3" */
    text_list laws;
} curve_options;

enum { default_points = 401 }; /* odd, so that it includes 0 */

/* One joint with one law. */
typedef struct line {
    curve curve;
    bool is_first; /* of a family */
    char *column;  /* of the table */
    char *label;   /* in a picture */
    char *note;
} line;

typedef struct lines {
    line *items;
    size_t count;
} lines;

typedef struct grid {
    double *x;
    size_t count;
} grid;

/* ---- checks ---- */

static bool all_differ(const text_list *list, const char *what, stiction_error *error) {
    const char *repeated = text_list_repeated(list);
    return !repeated || fail(error, "curve: %s '%s' is given twice", what, repeated);
}

static bool laws_exist(const text_list *laws, stiction_error *error) {
    stiction_law_info info;
    char hint[NAME_HINT_SIZE];
    for (size_t k = 0; k < laws->count; k++)
        if (!stiction_law_info_find(laws->items[k], &info))
            return fail(error, "curve: unknown law '%s'%s", laws->items[k],
                        law_hint(laws->items[k], hint));
    return true;
}

/* ---- families ---- */

static bool add_value(input_values *values, size_t row, const char *text, stiction_error *error) {
    double value;
    if (!stiction_decimal(text, &value))
        return fail(error, "curve: --%s: '%s' is not a finite number", input_rows[row].option,
                    text);
    if (value < input_rows[row].least || value > input_rows[row].most)
        return fail(error, "curve: --%s %s must be from %g to %g %s", input_rows[row].option, text,
                    input_rows[row].least, input_rows[row].most, input_rows[row].unit);
    for (size_t k = 0; k < values->count; k++)
        if (values->items[k] == value)
            return fail(error, "curve: --%s has %s twice", input_rows[row].option, text);
    if (values->count == most_values)
        return fail(error, "curve: --%s has more than %d values", input_rows[row].option,
                    most_values);
    values->items[values->count++] = value;
    return true;
}

/* "0.5" or "0,2,4" */
static bool read_values(input_values *values, size_t row, const char *text, stiction_error *error) {
    char *copy = copy_text(text), *rest = copy;
    bool fine = true;
    while (rest && fine) {
        char *comma = strchr(rest, ',');
        if (comma) *comma = '\0';
        fine = add_value(values, row, rest + strspn(rest, " "), error);
        rest = comma ? comma + 1 : NULL;
    }
    free(copy);
    return fine;
}

static bool read_family(family *f, const curve_options *options, stiction_error *error) {
    *f = (family){.count = 1};
    for (size_t k = 0; k < INPUT_COUNT; k++) {
        if (!options->inputs[k]) continue;
        if (!read_values(&f->inputs[k], k, options->inputs[k], error)) return false;
        f->count *= f->inputs[k].count;
        if (f->count > most_curves)
            return fail(error, "curve: more than %d curves of a joint", most_curves);
    }
    return true;
}

/* The inputs of curve `member`; the last option varies fastest. */
static curve_inputs inputs_of(const family *f, size_t member) {
    curve_inputs inputs = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    for (size_t k = INPUT_COUNT; k-- > 0;) {
        const input_values *values = &f->inputs[k];
        if (values->count == 0) continue;
        const double value = values->items[member % values->count];
        memcpy((char *)&inputs + input_rows[k].offset, &value, sizeof value);
        member /= values->count;
    }
    return inputs;
}

static double input_of(const curve_inputs *inputs, size_t row) {
    double value;
    memcpy(&value, (const char *)inputs + input_rows[row].offset, sizeof value);
    return value;
}

/* Checks that the required inputs are given; the temperature has a default. */
static bool has_inputs(const curve *c, const char *path, const char *joint, stiction_error *error) {
    const unsigned needs = c->is_drive ? curve_needs(c) : 0; /* reference models need none */
    for (size_t k = 0; k < INPUT_COUNT; k++)
        if (needs & input_rows[k].need && input_rows[k].need != CURVE_READS_TEMPERATURE &&
            isnan(input_of(&c->inputs, k)))
            return fail(error, "%s: joint '%s': %s needs the %s; give --%s", path, joint,
                        input_rows[k].reader,
                        input_rows[k].need == STICTION_NEEDS_POSITION ? "position"
                        : input_rows[k].need == STICTION_NEEDS_EFFORT ? "motor torque"
                                                                      : "external torque",
                        input_rows[k].option);
    return true;
}

/* Warns of options without effect. */
static void warn_of_unread(const family *f, unsigned reads) {
    for (size_t k = 0; k < INPUT_COUNT; k++)
        if (f->inputs[k].count && !(reads & input_rows[k].need))
            print_note("curve: warning: --%s has no effect: no joint has %s", input_rows[k].option,
                       input_rows[k].reader);
}

/* The inputs with several values, or those with one: ".motor_torque=2" for the name of a column,
 * "τ_m 2 N m" for labels. */
static char *describe_inputs(const family *f, const curve_inputs *inputs, bool several,
                             bool for_column) {
    char *text = copy_text("");
    for (size_t k = 0; k < INPUT_COUNT; k++) {
        const size_t count = f->inputs[k].count;
        if (count == 0 || (count > 1) != several) continue;
        const double value = input_of(inputs, k);
        char number[NUMBER_SIZE];
        if (for_column)
            append_text(&text, ".%s=%s", input_rows[k].column,
                        stiction_number_write(value, number));
        else
            append_text(&text, "%s%s %g %s", *text ? ", " : "", input_rows[k].symbol, value,
                        input_rows[k].unit);
    }
    return text;
}

/* ---- names ---- */

/* The name of a column, with joint and law if there are several. */
static char *column_name(const char *joint, const char *law, const char *member) {
    return format_text("torque%s%s%s%s%s", joint ? "." : "", joint ? joint : "", law ? "." : "",
                       law ? law : "", member);
}

static bool is_drawn(const stiction_config *config, const char *joint) {
    const char *pattern = stiction_config_find_joint(config, joint, NULL);
    for (size_t k = 0; k < stiction_config_joint_count(config); k++)
        for (size_t n = 0; n < stiction_parameter_count(); n++)
            if (stiction_config_joint_at(config, k, NULL) == pattern &&
                stiction_config_distribution(config, k, n, NULL))
                return true;
    return false;
}

/* ", drawn with seed 42", or nothing. */
static char *describe_draw(const stiction_config *config, const char *joint) {
    return is_drawn(config, joint) ? format_text(", drawn with seed %llu",
                                                 (unsigned long long)stiction_config_seed(config))
                                   : copy_text("");
}

static void name_line(line *l, const char *joint, bool many_joints, bool many_laws, const family *f,
                      const stiction_config *config) {
    const char *law = l->curve.info.name;
    AUTO_FREE char *description = curve_describe(&l->curve), *draw = describe_draw(config, joint);
    AUTO_FREE char *column = describe_inputs(f, &l->curve.inputs, true, true);
    AUTO_FREE char *member = describe_inputs(f, &l->curve.inputs, true, false);
    AUTO_FREE char *name = format_text("%s (%s)", joint, law);
    const bool is_alone = *member && !many_joints && !many_laws;
    l->column = column_name(many_joints ? joint : NULL, many_laws ? law : NULL, column);
    l->label = is_alone  ? copy_text(member)
               : *member ? format_text("%s, %s", name, member)
                         : copy_text(name);
    /* the law is the same in a family: described once */
    AUTO_FREE char *held = describe_inputs(f, &l->curve.inputs, false, false);
    l->note = l->is_first ? format_text("%s%s%s%s%s: %s%s", joint, *member ? ", " : "", member,
                                        *held ? ", " : "", held, description, draw)
                          : copy_text(l->label);
}

static bool make_lines(lines *all, const curve_options *options, const text_list *joints,
                       const family *f, const stiction_config *config, const char *path,
                       double timestep, stiction_error *error) {
    static const char *own_law[] = {NULL};
    unsigned reads = 0;
    const text_list laws = options->laws.count ? options->laws : (text_list){own_law, 1};
    all->items = allocate(joints->count * laws.count * f->count, sizeof *all->items);
    for (size_t j = 0; j < joints->count; j++) {
        stiction_joint_def def = stiction_joint_def_default();
        if (!find_joint(config, path, joints->items[j], &def, error)) return false;
        /* drawn as in a model with this time step; curve_make reports errors */
        (void)stiction_config_draw(config, joints->items[j], 0, timestep, &def, NULL);
        for (size_t k = 0; k < laws.count * f->count; k++) {
            line *l = &all->items[all->count++];
            const curve_inputs inputs = inputs_of(f, k % f->count);
            if (!curve_make(&l->curve, path, joints->items[j], &def, laws.items[k / f->count],
                            timestep, &inputs, error))
                return false;
            if (!has_inputs(&l->curve, path, joints->items[j], error)) return false;
            l->is_first = k % f->count == 0;
            reads |= curve_needs(&l->curve);
            name_line(l, joints->items[j], joints->count > 1, laws.count > 1, f, config);
        }
    }
    warn_of_unread(f, reads);
    return true;
}

static void release_lines(lines *all) {
    for (size_t k = 0; k < all->count; k++) {
        curve_release(&all->items[k].curve);
        free(all->items[k].column);
        free(all->items[k].label);
        free(all->items[k].note);
    }
    free(all->items);
}

/* ---- grid ---- */

static bool read_grid(grid *g, const char *path, stiction_error *error) {
    csv file;
    csv_verdict verdict;
    size_t capacity = 0;
    bool fine = stiction_csv_open_or_stdin(&file, path, FILE_MOST_MOTION, error);
    while (fine && (verdict = stiction_csv_next_row(&file, error)) != CSV_END) {
        double value;
        fine = verdict == CSV_ROW;
        if (fine && (file.count != 1 || !stiction_decimal(file.cells[0].text, &value))) {
            /* do not quote a file that has no numbers: it may be anything */
            const bool is_number = file.count == 1 && read_number(file.cells[0].text, &value);
            fine = g->count || is_number
                       ? fail_at(error, file.path, file.line, "'%.80s' is not a finite number",
                                 file.raw.data)
                       : fail_at(error, file.path, file.line, "not a finite number");
        }
        if (!fine) break;
        if (g->count == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            g->x = reallocate(g->x, capacity, sizeof *g->x);
        }
        g->x[g->count++] = value;
    }
    if (fine && g->count == 0) fine = fail(error, "%s: no numbers", file.path);
    stiction_csv_close(&file);
    return fine;
}

/* The smallest 1, 2 or 5 times a power of ten that is at least the value. */
static double round_up(double value) {
    const double power = pow(10, floor(log10(value)));
    const double factor = value / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

static double default_reach(const lines *all) {
    double reach = 0;
    for (size_t k = 0; k < all->count; k++) reach = fmax(reach, curve_reach(&all->items[k].curve));
    return reach > 0 ? round_up(reach) : 1;
}

static int make_grid(grid *g, const curve_options *options, const lines *all,
                     stiction_error *error) {
    if (options->at) return read_grid(g, options->at, error) ? EXIT_FINE : EXIT_DATA;
    const double reach = default_reach(all);
    const double from = isnan(options->from) ? -reach : options->from;
    const double to = isnan(options->to) ? reach : options->to;
    if (!(from < to)) return fail_usage(error, "curve: --from %g must be below --to %g", from, to);
    g->count = options->points ? options->points : default_points;
    g->x = allocate(g->count, sizeof *g->x);
    const double last = (double)(g->count - 1);
    /* exactly symmetric in a symmetric range, and exact at the ends */
    for (size_t k = 0; k < g->count; k++)
        g->x[k] = from * ((last - (double)k) / fmax(last, 1)) + to * ((double)k / fmax(last, 1));
    g->x[0] = from;
    if (g->count > 1) g->x[g->count - 1] = to;
    return EXIT_FINE;
}

/* ---- output ---- */

static void print_table(const lines *all, const grid *g, bool implicit, table_format format) {
    AUTO_FREE table_column *columns = allocate(all->count + 1, sizeof *columns);
    columns[0].name = implicit ? "v_star" : "velocity";
    for (size_t k = 0; k < all->count; k++) columns[k + 1].name = all->items[k].column;
    table *t = table_create(columns, all->count + 1);
    for (size_t n = 0; n < g->count; n++) {
        table_number(t, g->x[n]);
        for (size_t k = 0; k < all->count; k++)
            table_number(t, curve_at(&all->items[k].curve, g->x[n]));
    }
    table_print(t, format, stdout);
    table_destroy(t);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The grid in increasing order, with 0, where Phi jumps, if the range contains it. */
static grid picture_grid(const grid *g) {
    grid p = {allocate(g->count + 1, sizeof *p.x), g->count};
    memcpy(p.x, g->x, g->count * sizeof *p.x);
    qsort(p.x, p.count, sizeof *p.x, by_value);
    bool has_zero = false;
    for (size_t k = 0; k < p.count; k++) has_zero = has_zero || p.x[k] == 0;
    if (!has_zero && p.x[0] < 0 && p.x[p.count - 1] > 0) {
        p.x[p.count++] = 0;
        qsort(p.x, p.count, sizeof *p.x, by_value);
    }
    return p;
}

static plot_series make_series(line *l, const grid *g) {
    double *x = allocate(g->count + 1, sizeof *x), *y = allocate(g->count + 1, sizeof *y);
    const size_t count = curve_line(&l->curve, g->x, g->count, x, y);
    return (plot_series){.label = l->label, .note = l->note, .x = x, .y = y, .count = count};
}

static bool draw(const lines *all, const grid *g, const curve_options *options, const char *title,
                 stiction_error *error) {
    const grid fine = picture_grid(g);
    AUTO_FREE plot_series *series = allocate(all->count, sizeof *series);
    for (size_t k = 0; k < all->count; k++) series[k] = make_series(&all->items[k], &fine);
    const plot p = {.title = title,
                    .x_label = options->implicit ? "v* (rad/s or m/s)" : "velocity (rad/s or m/s)",
                    .y_label = options->implicit ? "friction torque Φ_Z (N m or N)"
                                                 : "friction torque (N m or N)",
                    .series = series,
                    .count = all->count};
    const bool drawn = (!options->svg || plot_write(&p, options->svg, PLOT_SVG, error)) &&
                       (!options->png || plot_write(&p, options->png, PLOT_PNG, error));
    if (!options->svg && !options->png) plot_terminal(&p, stdout);
    for (size_t k = 0; k < all->count; k++) {
        free((double *)series[k].x);
        free((double *)series[k].y);
    }
    free(fine.x);
    return drawn;
}

static char *make_title(const text_list *joints, const family *f, double timestep) {
    const curve_inputs inputs = inputs_of(f, 0);
    AUTO_FREE char *when =
        timestep > 0 ? format_text(", implicit with T = %g s", timestep) : copy_text("");
    AUTO_FREE char *held = describe_inputs(f, &inputs, false, false);
    char *whose =
        joints->count == 1 ? copy_text(joints->items[0]) : format_text("%zu joints", joints->count);
    char *title = format_text("Friction of %s%s%s%s", whose, *held ? ", " : "", held, when);
    free(whose);
    return title;
}

static bool output(const lines *all, const grid *g, const curve_options *options, double timestep,
                   const text_list *joints, const family *f, stiction_error *error) {
    const bool as_table = options->csv || options->json;
    if (as_table) print_table(all, g, options->implicit, options->csv ? TABLE_CSV : TABLE_JSON);
    if (as_table && !options->svg && !options->png) return true;
    AUTO_FREE char *title = make_title(joints, f, options->implicit ? timestep : 0);
    return draw(all, g, options, title, error);
}

/* ---- the verb ---- */

static bool options_agree(const curve_options *o, const text_list *joints, stiction_error *error) {
    const bool range = !isnan(o->from) || !isnan(o->to) || o->points;
    if (o->at && range) return fail(error, "curve: --at excludes --from, --to and --points");
    if (o->csv && o->json) return fail(error, "curve: give --csv or --json, not both");
    if (whole_file_is_same(o->svg, o->png))
        return fail(error, "curve: --svg and --png are the same file, '%s'", o->svg);
    if (o->force && !o->svg && !o->png) return fail(error, "curve: --force needs --svg or --png");
    if (!isnan(o->timestep) && !o->implicit)
        return fail(error, "curve: --timestep needs --implicit");
    return all_differ(joints, "joint", error) && all_differ(&o->laws, "law", error) &&
           laws_exist(&o->laws, error);
}

static int run_with(const curve_options *options, const family *f, const text_list *joints,
                    const char *path, const stiction_config *config, stiction_error *error) {
    const double timestep =
        isnan(options->timestep) ? stiction_config_timestep(config) : options->timestep;
    if (options->implicit && !(timestep > 0))
        return fail_usage(
            error, "curve: --implicit needs a time step; give --timestep, or timestep: in %s",
            path);
    lines all = {NULL, 0};
    grid g = {NULL, 0};
    int status = EXIT_DATA;
    if (make_lines(&all, options, joints, f, config, path, options->implicit ? timestep : 0, error))
        status = make_grid(&g, options, &all, error);
    if (status == EXIT_FINE && !output(&all, &g, options, timestep, joints, f, error))
        status = EXIT_DATA;
    release_lines(&all);
    free(g.x);
    return status;
}

static int run_curve(const void *given, const text_list *arguments, stiction_error *error) {
    const curve_options *options = given;
    const text_list joints = {arguments->items + 1, arguments->count - 1};
    family f;
    if (!options_agree(options, &joints, error) || !read_family(&f, options, error))
        return EXIT_USAGE;
    if ((options->svg && !whole_file_may_take(options->svg, options->force, error)) ||
        (options->png && !whole_file_may_take(options->png, options->force, error)))
        return EXIT_DATA;
    stiction_config *config = load_config(arguments->items[0]);
    if (!config) return EXIT_DATA;
    const int status = run_with(options, &f, &joints, arguments->items[0], config, error);
    stiction_config_destroy(config);
    return status;
}

static const curve_options defaults = {
    .timestep = (double)NAN, .from = (double)NAN, .to = (double)NAN};

#define FIELD(name) offsetof(curve_options, name)

static const option options_of_curve[] = {
    {"implicit", OPTION_FLAG, NULL, "Phi_Z over v* instead of Phi over velocity", FIELD(implicit)},
    {"timestep", OPTION_POSITIVE, "T", "time step of --implicit in s (else the file's)",
     FIELD(timestep)},
    {"law", OPTION_TEXTS, "LAW", "this law with the joint's parameters", FIELD(laws)},
    {"position", OPTION_TEXT, "Q", "of the joint in rad, or several: 0,0.1,0.2", FIELD(inputs[0])},
    {"motor-torque", OPTION_TEXT, "TORQUE", "in N m, or several: 0,2,4", FIELD(inputs[1])},
    {"external-torque", OPTION_TEXT, "TORQUE", "in N m, or several", FIELD(inputs[2])},
    {"temperature", OPTION_TEXT, "DEGREES", "in deg C, or several: 10,25,40", FIELD(inputs[3])},
    {"from", OPTION_NUMBER, "A", "left end of the range in rad/s (m/s)", FIELD(from)},
    {"to", OPTION_NUMBER, "B", "right end of the range in rad/s (m/s)", FIELD(to)},
    {"points", OPTION_COUNT, "N", "number of points in the range (401)", FIELD(points)},
    {"at", OPTION_TEXT, "FILE", "one number per line, not a range; - is stdin", FIELD(at)},
    {"csv", OPTION_FLAG, NULL, "table on stdout, 17 digits", FIELD(csv)},
    {"json", OPTION_FLAG, NULL, "the same as a list of objects", FIELD(json)},
    {"svg", OPTION_TEXT, "FILE", "picture as SVG; - is stdout", FIELD(svg)},
    {"png", OPTION_TEXT, "FILE", "picture as PNG (needs gnuplot)", FIELD(png)},
    {"force", OPTION_FLAG, NULL, "replace existing pictures", FIELD(force)},
    {.name = NULL},
};

const verb verb_curve = {
    .name = "curve",
    .summary = "the friction of joints as a plot or table",
    .arguments = "CONFIG JOINT...",
    .least = 2,
    VERB_OPTIONS(options_of_curve, defaults),
    .description =

        "Shows the friction torque of one or several joints over velocity: Phi(v), or\n"
        "with --implicit the Phi_Z(v*) that a simulation step computes. A joint is\n"
        "resolved against the names and patterns of the configuration, as in a\n"
        "simulation. Without --csv, --json, --svg or --png a plot appears in the\n"
        "terminal.\n"
        "\n"
        "At velocity 0 friction takes any value up to the static torque: a table has 0, a\n"
        "plot the vertical segment. A reference model (lugre, dahl, ...) has no Phi; its\n"
        "curve is the torque in steady sliding.\n"
        "\n"
        "The columns of a table are velocity or v_star, then torque, or torque.JOINT,\n"
        "torque.LAW or torque.JOINT.LAW if there are several.\n"
        "\n"
        "If friction depends on load, position or temperature, give the values with\n"
        "--motor-torque, --external-torque, --position and --temperature; only the\n"
        "temperature has a default, that of the file. Several values give a curve for\n"
        "each combination, with columns such as torque.motor_torque=2.",
    .example = "  stiction curve config/hrp5p.yaml RWRR\n"
               "  stiction curve config/hrp5p.yaml RWRR LWRR --svg wrists.svg\n"
               "  stiction curve config/hrp5p.yaml RWRR --implicit --timestep 0.001 --csv\n"
               "  stiction curve elbow.yaml elbow --motor-torque 0,2,4 --external-torque 0",
    .run = run_curve,
};
