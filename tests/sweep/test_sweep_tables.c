/* SPDX-License-Identifier: MIT
 * What is shown of a sweep, and what is known of its runs, from rows and folders that are made
 * here.
 */
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "storage/manifest.h"
#include "sweep/tables.h"
#include "temporary_folder.h"

/* ---- tables ---- */

enum { row_count = 72 };
static char *projects[] = {"a/wrist.cnoid", "b/wrist.cnoid", "a_long_name_of_a_project.cnoid"};
static char *laws[] = {"coulomb", "stribeck"}, *once[] = {"1"};
static char *gains[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "100000000000"};
static sweep_parameter parameters[] = {
    {.key = "x.law", .values = laws, .count = 2},
    {.key = "y.law", .values = gains, .count = 12},
    {.key = "duration", .values = once, .count = 1},
};
static const sweep_plan plan = {.projects = projects,
                                .project_count = 3,
                                .engine = "mujoco",
                                .parameters = parameters,
                                .parameter_count = 3};

static sweep_row rows[row_count];
static double values[row_count][4];
static char texts[row_count][64];
static sweep_figure figures[4];

/* Twelve that failed for twelve reasons, five for one, twelve with warnings. */
static sweep_rows make_rows(void) {
    static const char *const names[] = {"tracking_error", "final_position", "tracking_error",
                                        "dissipated_energy"};
    for (int f = 0; f < 4; f++)
        figures[f] =
            (sweep_figure){"J.f", f < 2 ? "HIP" : "SLIDE", joint_figure_find(names[f]), f >= 2};
    for (int k = 0; k < row_count; k++) {
        rows[k] = (sweep_row){.run = (size_t)k, .name = "0001-0", .figures = values[k]};
        rows[k].figure_count = k % 2 ? 4 : 2;
        for (int f = 0; f < 4; f++) values[k][f] = f == 1 ? (double)NAN : 0.25 * f;
        (void)snprintf(texts[k], sizeof texts[k], "it fell %d times", k < 12 ? k : 12);
        if (k < 17) rows[k].failure = texts[k];
        if (k >= 40 && k < 52) rows[k].warnings = "it chatters";
    }
    return (sweep_rows){.folder = "there",
                        .plan = &plan,
                        .rows = rows,
                        .count = row_count,
                        .failed = 17,
                        .figures = figures,
                        .figure_count = 4};
}

static char *read_stream(FILE *file) {
    char *text = calloc(1, 65536);
    rewind(file);
    if (fread(text, 1, 65535, file) == 0) text[0] = '\0';
    (void)fclose(file);
    return text;
}

static char *print_rows(const sweep_rows *r, const char *columns) {
    FILE *file = tmpfile();
    CHECK(setenv("COLUMNS", columns, 1) == 0);
    sweep_print(r, file);
    return read_stream(file);
}

TEST(the_terminal_reports_how_much_it_leaves_out) {
    const sweep_rows r = make_rows();
    AUTO_FREE char *text = print_rows(&r, "200");
    CHECK_CONTAINS(text, "project");
    CHECK_CONTAINS(text, "x.law"); /* two keys end so */
    CHECK_CONTAINS(text, "y.law");
    CHECK(!strstr(text, "duration"));
    CHECK_CONTAINS(text, "SLIDE");
    CHECK_CONTAINS(text, "FAILED");
    CHECK_CONTAINS(text, "and 12 more runs, in sweep.csv");
    CHECK_CONTAINS(text, "run 1 failed: it fell 0 times");
    CHECK(!strstr(text, "it fell 10 times"));
    CHECK_CONTAINS(text, "and 7 more failed; sweep.csv says why");
    CHECK_CONTAINS(text, "run 41: warning: it chatters");
    CHECK(!strstr(text, "run 51: warning"));
    CHECK_CONTAINS(text, "and 2 more with warnings; sweep.csv has them");
}

TEST(failures_for_one_reason_are_one_line) {
    sweep_rows r = make_rows();
    r.rows += 12; /* which fail alike, and more */
    r.count = 8;
    char *text = print_rows(&r, "20");
    CHECK_CONTAINS(text, "runs 13, 14, 15, 16 and 1 more failed: it fell 12 times");
    CHECK(!strstr(text, "more runs, in sweep.csv") && !strstr(text, "warning"));
    free(text);
    r.count = 1;
    text = print_rows(&r, "20"); /* no joint at all */
    CHECK_CONTAINS(text, "run 13 failed: it fell 12 times");
    free(text);
}

TEST(tables_of_several_projects_tell_them_apart) {
    sweep_rows r = make_rows();
    r.rows += 22; /* two of the first project, one of the second */
    r.count = 3;
    r.rows[2].failure = "it <i> fell";
    r.failed = 1;
    const char *root = temporary_folder_make();
    size_t size;
    stiction_error error;
    CHECK(sweep_write_csv(&r, root, &error) && sweep_write_page(&r, root, &error));
    AUTO_FREE char *page = temporary_read(root, "sweep.html", &size);
    CHECK(page && strstr(page, "a/wrist.cnoid") && strstr(page, "b/wrist.cnoid"));
    CHECK_CONTAINS(page, "1 of the runs failed");
    CHECK_CONTAINS(page, "\"failures\":{\"values\":[\"\",\"it \\u003ci\\u003e fell\"]");
    CHECK(!strstr(page, "<i>") && !strstr(page, "danvk/dygraphs")); /* it draws by itself */
    AUTO_FREE char *table = temporary_read(root, "sweep.csv", &size);
    CHECK(table && strstr(table, "a/wrist.cnoid") && strstr(table, "b/wrist.cnoid"));
    temporary_folder_remove();
    AUTO_FREE char *glance = print_rows(&r, "200");
    CHECK_CONTAINS(glance, " a/wrist.cnoid ");
    CHECK_CONTAINS(glance, " b/wrist.cnoid ");
    CHECK(strcmp(sweep_plan_short_project(&plan, 1), "b/wrist.cnoid") == 0);
    CHECK(strcmp(sweep_plan_short_project(&plan, 2), "a_long_name_of_a_project.cnoid") == 0);
    CHECK(strcmp(sweep_plan_short_key(&plan, 2), "duration") == 0);
}

/* ---- plans ---- */

static bool is_plan(const char *text) {
    AUTO(sweep_plan_free) sweep_plan read;
    json_auto_t *json = json_loads(text, 0, NULL);
    return sweep_plan_read_json(&read, json);
}

TEST(invalid_plans_are_refused) {
    CHECK(is_plan("{\"sweep\": 1, \"projects\": [\"a\"], \"engine\": \"mujoco\", \"interval\": "
                  "null, \"set\": {\"law\": [\"a\", \"b\"]}, \"runs\": 2}"));
    static const char *const others[] = {
        "{}",
        "[]",
        "{\"engine\": \"mujoco\"}",
        "{\"engine\": \"mujoco\", \"set\": []}",
        "{\"engine\": \"mujoco\", \"set\": {}, \"projects\": []}",
        "{\"engine\": \"mujoco\", \"set\": {}, \"projects\": [1]}",
        "{\"engine\": \"mujoco\", \"set\": {\"law\": [\"a\", 2]}, \"projects\": [\"a\"]}",
        "{\"engine\": \"mujoco\", \"set\": {\"law\": \"a\"}, \"projects\": [\"a\"]}",
        "{\"engine\": \"mujoco\", \"set\": {\"law\": [\"a\"]}, \"projects\": [\"a\"]}",
        "{\"sweep\": 1, \"projects\": [\"a\"], \"engine\": \"mujoco\", \"interval\": null, "
        "\"set\": {\"law\": [\"a\", \"b\"]}, \"runs\": 3}"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (is_plan(others[k])) FAIL("%s is a plan", others[k]);
}

/* Rows of a table: a project and a value of each key, by their places. */
TEST(invalid_tables_of_runs_are_refused) {
    static const char head[] = "{\"sweep\": 1, \"projects\": [\"a\"], \"engine\": \"mujoco\", "
                               "\"interval\": null, \"set\": {\"law\": [\"a\", \"b\"]}, ";
    static const struct {
        const char *rest;
        bool fine;
    } cases[] = {{"\"runs\": 2, \"table\": [\"0 1\", \"0 0\"]}", true},
                 {"\"runs\": 0, \"table\": []}", false},
                 {"\"runs\": 1, \"table\": {}}", false},
                 {"\"runs\": 1, \"table\": [5]}", false},
                 {"\"runs\": 1, \"table\": [\"\"]}", false},
                 {"\"runs\": 1, \"table\": [\"0\"]}", false},
                 {"\"runs\": 1, \"table\": [\"0 2\"]}", false},
                 {"\"runs\": 1, \"table\": [\"1 0\"]}", false},
                 {"\"runs\": 1, \"table\": [\"0 1 0\"]}", false},
                 {"\"runs\": 1, \"table\": [\"0 x\"]}", false},
                 {"\"runs\": 1, \"table\": [\"0 -1\"]}", false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        AUTO_FREE char *text = format_text("%s%s", head, cases[k].rest);
        if (is_plan(text) != cases[k].fine) FAIL("%s", cases[k].rest);
    }
}

/* ---- states ---- */

static char *print_damage(const sweep_states *s, size_t *count) {
    FILE *kept = tmpfile();
    (void)fflush(stderr);
    const int before = dup(STDERR_FILENO);
    CHECK(dup2(fileno(kept), STDERR_FILENO) == STDERR_FILENO);
    *count = sweep_states_log_damage(s, 0, "; it is repeated", print_messages);
    (void)fflush(stderr);
    CHECK(dup2(before, STDERR_FILENO) == STDERR_FILENO && close(before) == 0);
    return read_stream(kept);
}

TEST(many_damaged_runs_are_counted) {
    enum { many = 104 };
    static char *numbers[many], reason[] = "gone";
    static sweep_state states[many];
    static char *reasons[many];
    sweep_parameter number = {.key = "n", .values = numbers, .count = many};
    const sweep_plan large = {.projects = projects,
                              .project_count = 1,
                              .engine = "mujoco",
                              .parameters = &number,
                              .parameter_count = 1};
    for (int k = 0; k < many; k++) {
        numbers[k] = once[0];
        states[k] = k == 3 ? SWEEP_DONE : SWEEP_DAMAGED;
        reasons[k] = reason;
    }
    sweep_states s = {
        .folder = "there", .plan = &large, .count = many, .states = states, .reasons = reasons};
    size_t count;
    AUTO_FREE char *text = print_damage(&s, &count);
    CHECK(count == many - 1);
    CHECK_CONTAINS(text, "run 1 is damaged: there/runs/0001-");
    CHECK_CONTAINS(text, ": gone; it is repeated");
    CHECK(!strstr(text, "run 4 is damaged") && !strstr(text, "run 102 is damaged"));
    CHECK_CONTAINS(text, "and 3 more runs are damaged");
}
