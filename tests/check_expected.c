/* SPDX-License-Identifier: MIT
 * check_expected RESULTS FOLDER...: are the figures of the sample projects those that the folder's
 * expected.yaml states? RESULTS has a folder for each project, with summary.json and joints.csv.
 * May not run anything: any engine may have written the results. See sample_projects/README.md.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/csv.h"
#include "document/document.h"
#include "document/file.h"
#include "document/number.h"
#include "stiction/stiction.h"

static const double degree = 3.14159265358979323846 / 180;

/* A stuck joint moves by the rate of its load over K, some 1e-4 rad/s; a slip is far above. */
static const double stick_velocity = 1e-3, slip_velocity = 1e-2;

/* ---- the time series of a joint ---------------------------------------------------------------
 */

typedef struct series {
    size_t count;
    double *time, *position, *velocity, *command;
} series;

/* The column of a joint's quantity in the head of joints.csv, from 0; refuses where it lacks. */
static size_t column_of(reader *r, const csv *head, const char *joint, const char *quantity) {
    const char *name = stiction_reader_format(r, "%s.%s", joint, quantity);
    size_t k = 0;
    while (k < head->count && strcmp(head->cells[k].text, name) != 0) k++;
    if (k == head->count)
        stiction_reader_refuse(r, stiction_csv_place(head, 0), "there is no column '%s'", name);
    return k;
}

static double cell_of(reader *r, const csv *row, size_t column) {
    double value;
    if (column >= row->count || !stiction_decimal(row->cells[column].text, &value))
        stiction_reader_refuse(r, stiction_csv_place(row, column), "column %zu is no number",
                               column + 1);
    return value;
}

static void close_table(void *table) {
    stiction_csv_close(table);
}

static bool next_row(reader *r, csv *table) {
    stiction_error error;
    const csv_verdict verdict = stiction_csv_next_row(table, &error);
    if (verdict == CSV_WRONG) stiction_reader_refuse_as(r, &error);
    return verdict == CSV_ROW;
}

static series read_series(reader *r, stiction_place asked, const char *path, const char *joint) {
    static const char *const quantities[] = {"position", "velocity", "command"};
    stiction_error error;
    csv *table = stiction_reader_own(r, sizeof *table, close_table);
    if (!stiction_csv_open(table, path, FILE_MOST_RESULTS, &error))
        stiction_reader_refuse(r, asked, "cannot read '%s': %s", path, error.message);
    series s = {0};
    double **const to[] = {&s.position, &s.velocity, &s.command};
    size_t columns[3] = {0};
    const bool has_head = next_row(r, table);
    for (int k = 0; has_head && k < 3; k++) columns[k] = column_of(r, table, joint, quantities[k]);
    for (; has_head && next_row(r, table); s.count++) {
        s.time = stiction_reader_grow(r, s.time, s.count, sizeof *s.time);
        s.time[s.count] = cell_of(r, table, 0);
        for (int k = 0; k < 3; k++) {
            *to[k] = stiction_reader_grow(r, *to[k], s.count, sizeof **to[k]);
            (*to[k])[s.count] = cell_of(r, table, columns[k]);
        }
    }
    if (s.count == 0)
        stiction_reader_refuse(r, (stiction_place){path, 1, 1}, "there are no samples");
    return s;
}

/* ---- figures that summary.json does not have --------------------------------------------------
 */

/* When the joint moves off after it had moved and stuck, as in experiment S.fig13. */
typedef struct break_aways {
    size_t count;
    double time[64];
    double peak; /* largest torque of the controller after the first stop, N m */
} break_aways;

static break_aways find_break_aways(const series *s) {
    break_aways found = {0};
    bool moved = false, stuck = false;
    for (size_t k = 0; k < s->count; k++) {
        const double speed = fabs(s->velocity[k]);
        if (stuck && speed > slip_velocity && found.count < 64)
            found.time[found.count++] = s->time[k];
        if (speed > slip_velocity) moved = true, stuck = false;
        if (moved && speed < stick_velocity) stuck = true;
        if (stuck || found.count) found.peak = fmax(found.peak, fabs(s->command[k]));
    }
    return found;
}

/* Figures have up to two parameters. */
enum { most_parameters = 2 };

static double peak_after_stop(const series *s, const double *unused) {
    (void)unused;
    return find_break_aways(s).peak;
}

static double max_position(const series *s, const double *unused) {
    double highest = s->position[0];
    (void)unused;
    for (size_t k = 1; k < s->count; k++) highest = fmax(highest, s->position[k]);
    return highest;
}

/* At the sample nearest to a time; NaN: it lies outside of the run. */
static double position_at(const series *s, const double *time) {
    if (!(*time >= s->time[0] && *time <= s->time[s->count - 1])) return (double)NAN;
    size_t nearest = 0;
    for (size_t k = 1; k < s->count; k++)
        if (fabs(s->time[k] - *time) < fabs(s->time[nearest] - *time)) nearest = k;
    return s->position[nearest];
}

/* Over the seconds up to `end`; NaN: there is no sample. */
static double mean_until(const series *s, double end, double seconds) {
    double sum = 0, count = 0;
    for (size_t k = 0; k < s->count; k++)
        if (s->time[k] > end - seconds && s->time[k] <= end) sum += s->position[k], count++;
    return sum / count;
}

/* Over the last seconds. */
static double mean_position(const series *s, const double *seconds) {
    return mean_until(s, s->time[s->count - 1], *seconds);
}

/* How fast the mean over some seconds has moved since a time, rad/s. */
static double drift(const series *s, const double *seconds_since) {
    const double seconds = seconds_since[0], since = seconds_since[1];
    const double end = s->time[s->count - 1];
    return (mean_until(s, end, seconds) - mean_until(s, since, seconds)) / (end - since);
}

static const struct {
    const char *name;
    double (*compute)(const series *, const double *parameters);
    const char *parameters[most_parameters]; /* their keys */
} derived[] = {
    {"peak_after_stop", peak_after_stop, {NULL}},
    {"max_position", max_position, {NULL}},
    {"position", position_at, {"at"}},
    {"mean_position", mean_position, {"over"}},
    {"drift", drift, {"over", "since"}},
};

/* ---- the comparison ---------------------------------------------------------------------------
 */

typedef struct check {
    reader *r;
    const char *results;      /* the folder of all */
    const char *stem, *joint; /* of the project */
    const char *csv;          /* the path of the time series */
    const tree_node *figures; /* of the joint in summary.json */
    int checked, failed;
} check;

typedef struct job {
    check *check;
    const char *folder;
} job;

/* JSON is YAML. */
static const tree_options options = {.doubles = TREE_REFUSE_DOUBLES};

static void print_row(check *c, const char *what, const char *expected, double found, bool right) {
    char joint_figure[128];
    (void)snprintf(joint_figure, sizeof joint_figure, "%s.%s", c->joint, what);
    printf("%-24s %-30s %-30s %14.8g  %s\n", c->stem, joint_figure, expected, found,
           right ? "ok" : "WRONG");
    c->checked++;
    c->failed += !right;
}

static double number_or(check *c, const tree_node *node, const char *key, double otherwise) {
    const tree_node *value = stiction_doc_find(c->r, node, key);
    return value ? stiction_doc_number(c->r, value, key) : otherwise;
}

/* How far from `value` it may be; both ways of saying it at once, or none, are refused. */
static double tolerance_of(check *c, const tree_node *node, double value) {
    const double tolerance = number_or(c, node, "tolerance", (double)NAN);
    const double relative = number_or(c, node, "relative", (double)NAN);
    if (isnan(tolerance) == isnan(relative))
        stiction_reader_refuse(c->r, node->at, "give either tolerance or relative");
    return isnan(relative) ? tolerance : relative * fabs(value);
}

/* { deg | value, tolerance | relative }, { at_most } of the absolute value, or { none: true }. */
static void compare(check *c, const char *what, const tree_node *node, double found) {
    char text[64];
    const tree_node *none = stiction_doc_find(c->r, node, "none");
    if (none && stiction_doc_flag(c->r, none, "none")) {
        print_row(c, what, "none", found, isnan(found));
        return;
    }
    const double most = number_or(c, node, "at_most", (double)NAN);
    const double degrees = number_or(c, node, "deg", (double)NAN);
    const double value = isnan(degrees) ? number_or(c, node, "value", (double)NAN) : degrees;
    if (isnan(most) == isnan(value))
        stiction_reader_refuse(c->r, node->at,
                               "give either deg or value, or at_most, or none: true");
    if (!isnan(most)) {
        (void)snprintf(text, sizeof text, "at most %g", most);
        print_row(c, what, text, found, fabs(found) <= most);
        return;
    }
    const double tolerance = tolerance_of(c, node, value);
    const bool in_degrees = !isnan(degrees);
    (void)snprintf(text, sizeof text, "%.8g +- %.3g%s", value, tolerance, in_degrees ? " deg" : "");
    const double shown = in_degrees ? found / degree : found;
    print_row(c, what, text, shown, fabs(shown - value) <= tolerance); /* NaN is wrong */
}

/* { values: [ s, ... ], tolerance | relative }: the first ones of those that there are. */
static void compare_break_aways(check *c, const tree_node *node) {
    const series s = read_series(c->r, node->at, c->csv, c->joint);
    const break_aways found = find_break_aways(&s);
    const tree_node *values = stiction_doc_find(c->r, node, "values");
    if (!values) stiction_reader_refuse(c->r, node->at, "give values, a list of times");
    stiction_doc_expect(c->r, values, TREE_LIST, "values");
    size_t k = 0;
    for (const tree_entry *e = values->first; e; e = e->next, k++) {
        char what[40], text[64];
        const double value = stiction_doc_number(c->r, e->value, "values");
        const double tolerance = tolerance_of(c, node, value);
        const double time = k < found.count ? found.time[k] : (double)NAN;
        (void)snprintf(what, sizeof what, "break_away %zu", k + 1);
        (void)snprintf(text, sizeof text, "%.8g +- %.3g", value, tolerance);
        print_row(c, what, text, time, fabs(time - value) <= tolerance);
    }
}

/* A figure of summary.json; null there is no number. */
static double figure_of(check *c, stiction_place asked, const char *name) {
    const tree_node *node = stiction_doc_find(c->r, c->figures, name);
    if (!node) stiction_reader_refuse(c->r, asked, "there is no figure '%s'", name);
    const char *text = stiction_doc_text(c->r, node, name);
    return strcmp(text, "null") == 0 ? (double)NAN : stiction_doc_number(c->r, node, name);
}

static double derived_of(check *c, const tree_node *node, size_t k) {
    double parameters[most_parameters] = {0};
    for (int n = 0; n < most_parameters && derived[k].parameters[n]; n++) {
        const char *key = derived[k].parameters[n];
        parameters[n] = number_or(c, node, key, (double)NAN);
        if (isnan(parameters[n])) stiction_reader_refuse(c->r, node->at, "give '%s'", key);
    }
    const series s = read_series(c->r, node->at, c->csv, c->joint);
    return derived[k].compute(&s, parameters);
}

static void compare_figure(check *c, const tree_entry *figure) {
    const char *name = figure->key->text;
    if (strcmp(name, "break_away_times") == 0) {
        compare_break_aways(c, figure->value);
        return;
    }
    for (size_t k = 0; k < sizeof derived / sizeof derived[0]; k++)
        if (strcmp(name, derived[k].name) == 0) {
            compare(c, name, figure->value, derived_of(c, figure->value, k));
            return;
        }
    compare(c, name, figure->value, figure_of(c, figure->key->at, name));
}

static void check_figure(check *c, const tree_entry *figure) {
    stiction_doc_expect(c->r, figure->value, TREE_MAPPING, figure->key->text);
    compare_figure(c, figure);
    for (const tree_entry *e = figure->value->first; e; e = e->next)
        if (!e->used)
            stiction_reader_refuse(c->r, e->key->at, "key '%s' is of no use here", e->key->text);
}

static void refuse_empty(check *c, const tree_entry *entry) {
    stiction_doc_expect(c->r, entry->value, TREE_MAPPING, entry->key->text);
    if (entry->value->count == 0)
        stiction_reader_refuse(c->r, entry->key->at, "nothing is expected");
}

static void check_project(check *c, const tree_entry *project) {
    c->stem = project->key->text;
    const char *path = stiction_reader_format(c->r, "%s/%s/summary.json", c->results, c->stem);
    c->csv = stiction_reader_format(c->r, "%s/%s/joints.csv", c->results, c->stem);
    const tree_document summary = stiction_doc_read(c->r, project->key->at, path, &options);
    const tree_node *joints = stiction_doc_find(c->r, summary.root, "joints");
    const tree_node *bodies = stiction_doc_find(c->r, summary.root, "bodies");
    if (!joints) stiction_reader_refuse(c->r, summary.root->at, "there are no joints");
    refuse_empty(c, project);
    for (const tree_entry *joint = project->value->first; joint; joint = joint->next) {
        c->joint = joint->key->text;
        /* its name is a key as it stands: doc_find would look for other spellings */
        const tree_entry *found = stiction_yaml_find(joints, c->joint);
        if (!found && bodies) found = stiction_yaml_find(bodies, c->joint);
        if (!found)
            stiction_reader_refuse(c->r, joint->key->at, "the results have no joint or body '%s'",
                                   c->joint);
        c->figures = found->value;
        refuse_empty(c, joint);
        for (const tree_entry *e = joint->value->first; e; e = e->next) check_figure(c, e);
    }
}

/* Every project of the folder must be expected to do something. */
static void check_folder_is_covered(check *c, const char *folder, const tree_node *projects) {
    DIR *files = opendir(folder);
    if (!files)
        stiction_reader_refuse(c->r, (stiction_place){folder, 0, 0}, "the folder cannot be read");
    for (const struct dirent *file; (file = readdir(files));) {
        const char *end = strrchr(file->d_name, '.');
        if (!end || strcmp(end, ".cnoid") != 0) continue;
        const char *stem =
            stiction_reader_format(c->r, "%.*s", (int)(end - file->d_name), file->d_name);
        if (stiction_yaml_find(projects, stem)) continue;
        printf("%-24s has no expected figures in %s/expected.yaml\n", stem, folder);
        c->failed++;
    }
    closedir(files);
}

static void check_folder(check *c, const char *folder) {
    const char *path = stiction_reader_format(c->r, "%s/expected.yaml", folder);
    const tree_document expected =
        stiction_doc_read(c->r, (stiction_place){path, 0, 0}, path, &options);
    const tree_node *version = stiction_doc_find(c->r, expected.root, "expected");
    const tree_node *projects = stiction_doc_find(c->r, expected.root, "projects");
    if (!version || stiction_doc_number(c->r, version, "expected") != 1)
        stiction_reader_refuse(c->r, expected.root->at, "the file must say expected: 1");
    if (!projects) stiction_reader_refuse(c->r, expected.root->at, "there is no key 'projects'");
    stiction_doc_expect(c->r, projects, TREE_MAPPING, "projects");
    check_folder_is_covered(c, folder, projects);
    for (const tree_entry *e = projects->first; e; e = e->next) check_project(c, e);
}

/* One folder by itself, so that a mistake in it does not hide the next one. */
static void *check_alone(reader *r, const void *context) {
    const job *j = context;
    j->check->r = r;
    check_folder(j->check, j->folder);
    return j->check;
}

static void check_or_tell(check *c, const char *folder) {
    stiction_error error;
    char said[sizeof error + 64];
    reader r = {.error = &error};
    if (!stiction_reader_run(&r, check_alone, &(job){c, folder})) {
        (void)stiction_error_format(&error, said, sizeof said);
        printf("%s\n", said);
        c->failed++;
    }
    stiction_arena_free(&r.memory);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: check_expected RESULTS SAMPLE_FOLDER...\n");
        return 2;
    }
    check c = {.results = argv[1]};
    printf("%-24s %-30s %-30s %14s\n", "project", "quantity", "expected", "found");
    for (int k = 2; k < argc; k++) check_or_tell(&c, argv[k]);
    printf("%d figures, %d failures\n", c.checked, c.failed);
    return c.failed || !c.checked;
}
