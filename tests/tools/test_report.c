/* SPDX-License-Identifier: MIT
 * Reports of runs: reading a run back, what the pages say, and that no name breaks out of its
 * place. That the plots draw is tests/report/chromium.sh.
 */
#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "report/joint_plots.h"
#include "report/page.h"
#include "report/reduce.h"
#include "report/report.h"
#include "results/results.h"
#include "stiction/models/law.h"
#include "temporary.h"

/* ---- files ---- */

/* The folder of the test's files. */
static const char *folder(void) {
    (void)temporary_file("mark", "");
    return temporary_folder;
}

static char *read_file(const char *name) {
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder(), name);
    FILE *file = fopen(path, "rb");
    if (!file) FAIL("there is no %s", path);
    static char *text;
    free(text);
    text = calloc(1, 1 << 24);
    if (file) {
        (void)!fread(text, 1, (1 << 24) - 1, file);
        fclose(file);
    }
    /* it goes with the test */
    for (int k = 0; k < temporary_count; k++)
        if (strcmp(temporary_paths[k], path) == 0) return text;
    (void)strcpy(temporary_paths[temporary_count++], path);
    return text;
}

static stiction_error error;

/* The last error, "path:line: message". */
static const char *caught(void) {
    static char text[1600];
    if (error.path[0] && error.line)
        (void)snprintf(text, sizeof text, "%s:%d: %s", error.path, error.line, error.message);
    else
        (void)snprintf(text, sizeof text, "%s%s%s", error.path, error.path[0] ? ": " : "",
                       error.message);
    return text;
}

/* ---- runs ---- */

static const char summary_start[] =
    "{\n  \"stiction\": \"0.1.0\", \"project\": \"p.cnoid\", \"engine\": \"test\",\n"
    "  \"timestep\": 0.5, \"duration\": 1.5,";
static const char one_joint[] =
    " \"joints\": { \"a, \\\"b\\\"\": { \"final_position\": 0.25, \"tracking_error\": 0.75, "
    "\"creep\": null, \"friction\": {"
    " \"law\": \"stribeck\", \"static_torque\": 2.5, \"coulomb_torque\": 0.4, "
    "\"stribeck_velocity\": 0.06, \"stribeck_exponent\": 1, \"viscous\": 4.5, \"stiffness\": 5000,"
    " \"damping\": 50 } } } }\n";

/* Not in the order in which a run is written. */
static const char shuffled[] =
    "\"a, \"\"b\"\".stick\",\"a, \"\"b\"\".velocity\",time,other,\"a, \"\"b\"\".target\","
    "\"a, \"\"b\"\".position\",\"a, \"\"b\"\".friction_torque\",\"a, \"\"b\"\".command\","
    "\"a, \"\"b\"\".deflection\"\n"
    "1,0,0,x,,0.125,2,3,1e-4\n"
    "0,0.5,0.5,x,1,0.25,2.5,4,2e-4\n"
    "1,-0.5,1.5,x,nan,0.5,-2,5,3e-4\n";

static void write_run(const char *more_summary, const char *csv) {
    char summary[4096];
    (void)snprintf(summary, sizeof summary, "%s%s%s", summary_start, more_summary, one_joint);
    (void)temporary_file("summary.json", summary);
    (void)temporary_file("joints.csv", csv);
}

TEST(columns_are_found_by_their_names) {
    write_run("", shuffled);
    AUTO(run_data_release) run_data run;
    CHECK(run_data_load(&run, folder(), &error));
    CHECK(run.joint_count == 1 && run.sample_count == 3);
    if (run.sample_count == 3) {
        const run_joint *j = &run.joints[0];
        CHECK(strcmp(j->name, "a, \"b\"") == 0);
        CHECK_SAME(run.time[2], 1.5);
        CHECK_SAME(j->position[1], 0.25);
        CHECK_SAME(j->velocity[2], -0.5);
        CHECK_SAME(j->command[2], 5);
        CHECK_SAME(j->friction_torque[0], 2);
        CHECK_SAME(j->stick[2], 1);
        CHECK_SAME(j->deflection[1], 2e-4);
        CHECK(isnan(j->target[0]) && j->target[1] == 1 && isnan(j->target[2]));
        CHECK_SAME(j->friction.static_torque, 2.5);
        CHECK_SAME(run_data_figure(j, "final_position"), 0.25);
        CHECK(isnan(run_data_figure(j, "creep")) && isnan(run_data_figure(j, "no such")));
        CHECK_SAME(run_data_motion(&run, j), 0.375);
    }
}

/* Names that are shown alike: each has its own column, or none. */
TEST(a_column_belongs_to_one_joint) {
    static const char head[] = "a\\nb.position,a\\nb.velocity,a\\nb.command,"
                               "a\\nb.friction_torque,a\\nb.stick,a\\nb.deflection";
    char csv[512];
    run_data run;
    (void)temporary_file("summary.json", "{ \"joints\": { \"a\\nb\": {}, \"a\\\\nb\": {} } }");
    (void)snprintf(csv, sizeof csv, "time,%s,%s\n0,1,0,0,0,0,0,2,0,0,0,0,0\n", head, head);
    (void)temporary_file("joints.csv", csv);
    CHECK(run_data_load(&run, folder(), &error));
    CHECK(run.joint_count == 2 && run.sample_count == 1);
    CHECK_SAME(run.joints[0].position[0], 1);
    CHECK_SAME(run.joints[1].position[0], 2);
    run_data_release(&run);
    (void)snprintf(csv, sizeof csv, "time,%s\n0,1,0,0,0,0,0\n", head);
    (void)temporary_file("joints.csv", csv);
    error.message[0] = 0;
    const bool loaded = run_data_load(&run, folder(), &error);
    CHECK_CONTAINS(caught(), "joints.csv:1: missing column 'a\\nb.position'");
    CHECK(!loaded);
    run_data_release(&run);
}

TEST(joints_and_bodies_of_a_summary_are_bounded) {
    enum { most = 50000 };
    static const char *const kinds[] = {"joints", "bodies"};
    AUTO_FREE char *text = malloc(most * 16);
    for (int bodies = 0; bodies < 2; bodies++)
        for (int more = 0; more < 2; more++) {
            size_t size =
                (size_t)sprintf(text, "{ \"joints\": { %s", bodies ? "}, \"bodies\": {" : "");
            for (int k = 0; k < most + more; k++)
                size += (size_t)sprintf(text + size, "%s\"%d\":{}", k ? "," : "", k);
            (void)sprintf(text + size, "}}");
            AUTO(run_data_release) run_data run;
            error.message[0] = 0;
            const bool read = run_data_read_summary(&run, text, "s.json", &error);
            char sentence[64];
            (void)snprintf(sentence, sizeof sentence, "s.json: more than 50000 %s", kinds[bodies]);
            CHECK_CONTAINS(caught(), more ? sentence : "");
            CHECK(read == !more);
        }
}

static void check_refusal(const char *more_summary, const char *csv, const char *sentence) {
    write_run(more_summary, csv);
    AUTO(run_data_release) run_data run;
    error.message[0] = 0;
    const bool loaded = run_data_load(&run, folder(), &error);
    const char *message = caught();
    CHECK(!loaded);
    CHECK_CONTAINS(message, sentence);
}

TEST(errors_have_their_place) {
    check_refusal("", "time,other\n0,1\n", "joints.csv:1: missing column 'a, \"b\".position'");
    check_refusal("", "", "joints.csv: there is no sample in it");
    char csv[1024];
    (void)snprintf(csv, sizeof csv, "%s1,2\n", shuffled);
    check_refusal("", csv, "joints.csv:5: 2 cells instead of 9");
    (void)snprintf(csv, sizeof csv, "%s0,0,1.5,x,,0,0,0,0\n", shuffled);
    check_refusal("", csv, "joints.csv:5: time 1.5 must be greater than 1.5");
    (void)snprintf(csv, sizeof csv, "%s0,fast,2,x,,0,0,0,0\n", shuffled);
    check_refusal("", csv, "joints.csv:5: column 2: 'fast' is not a number");
    check_refusal("\n \"project\": 1,", shuffled, "summary.json:");
    check_refusal("\n }", shuffled, "summary.json:4:");
    AUTO(run_data_release) run_data run;
    error.message[0] = 0;
    CHECK(!run_data_load(&run, "/no/such/folder", &error));
    CHECK_CONTAINS(caught(), "/no/such/folder/summary.json: No such file or directory");
}

/* ---- fewer points ---- */

TEST(reduction_keeps_every_extreme_and_its_promise) {
    enum { count = 50000, most = 400 };
    static double a[count], b[count];
    static size_t indices[count];
    for (size_t k = 0; k < count; k++) {
        a[k] = sin(1e-3 * (double)k);
        b[k] = (double)NAN;
    }
    a[12345] = 7;  /* one sample wide */
    a[12346] = -7; /* and its opposite beside it */
    b[40000] = 3;
    const double *const series[] = {a, b};
    const size_t kept = reduce_series(series, 2, count, most, indices);
    CHECK(kept <= most + 2 && kept > most / 4);
    CHECK(indices[0] == 0 && indices[kept - 1] == count - 1);
    int found = 0;
    for (size_t k = 0; k < kept; k++) {
        if (k) CHECK(indices[k] > indices[k - 1]);
        found += indices[k] == 12345 || indices[k] == 12346 || indices[k] == 40000;
    }
    CHECK(found == 3);
    CHECK(reduce_series(series, 2, most, most, indices) == most);
}

TEST(cloud_has_a_point_in_every_cell_that_had_one) {
    enum { count = 20000, cells = 50 };
    static double x[count], y[count];
    static size_t indices[count];
    for (size_t k = 0; k < count; k++) {
        x[k] = cos(0.1 * (double)k);
        y[k] = sin(0.1 * (double)k);
    }
    x[7] = (double)NAN;
    const size_t kept = reduce_cloud(x, y, count, cells, indices);
    CHECK(kept < 4 * cells);
    for (size_t k = 1; k < kept; k++) CHECK(x[indices[k]] >= x[indices[k - 1]]);
    /* a point that was left out has one that was kept within a cell */
    for (size_t k = 0; k < count; k += 37) {
        size_t n = 0;
        while (n < kept && !(fabs(x[indices[n]] - x[k]) <= 2.0 / cells &&
                             fabs(y[indices[n]] - y[k]) <= 2.0 / cells))
            n++;
        CHECK(n < kept);
    }
}

/* ---- the page ---- */

/* The JSON of the first choice on a page. */
static json_t *plots_on(const char *html) {
    const char *start = strstr(html, "data-choice=");
    start = start ? strstr(start, "\">[") : NULL;
    const char *end = start ? strstr(start, "</script>") : NULL;
    json_t *plots = end ? json_loadb(start + 2, (size_t)(end - start - 2), 0, NULL) : NULL;
    if (!plots) FAIL("there are no plots on the page");
    return plots;
}

static json_t *series_of(const json_t *plots, size_t index, size_t series) {
    return json_array_get(json_object_get(json_array_get(plots, index), "series"), series);
}

static double number_at(const json_t *series, const char *key, size_t index) {
    return json_number_value(json_array_get(json_object_get(series, key), index));
}

TEST(page_has_the_values_of_the_run) {
    write_run("", shuffled);
    CHECK(report_write(folder(), folder(), &error));
    json_auto_t *plots = plots_on(read_file("report.html"));
    CHECK(json_array_size(plots) == JOINT_LEVEL); /* which does not move, as the temperature */
    const json_t *position = series_of(plots, JOINT_POSITION, 0);
    const json_t *target = series_of(plots, JOINT_POSITION, 1);
    CHECK_SAME(number_at(position, "x", 2), 1.5);
    CHECK_SAME(number_at(position, "y", 1), 0.25);
    CHECK_SAME(number_at(target, "y", 1), 1);
    CHECK(json_is_null(json_array_get(json_object_get(target, "y"), 0)));
    CHECK_SAME(number_at(series_of(plots, JOINT_VELOCITY, 0), "y", 2), -0.5);
    CHECK_SAME(number_at(series_of(plots, JOINT_TORQUE, 0), "y", 1), 4);
    CHECK_SAME(number_at(series_of(plots, JOINT_TORQUE, 1), "y", 1), 2.5);
    /* what follows from these: target less position, friction times velocity */
    const json_t *tracking = series_of(plots, JOINT_ERROR, 0);
    CHECK_SAME(number_at(tracking, "y", 1), 0.75);
    CHECK(json_is_null(json_array_get(json_object_get(tracking, "y"), 0)));
    const json_t *power = series_of(plots, JOINT_POWER, 0);
    CHECK_SAME(number_at(power, "y", 0), 0);
    CHECK_SAME(number_at(power, "y", 1), 1.25);
    CHECK_SAME(number_at(power, "y", 2), 1);
    const json_t *bands = json_object_get(json_array_get(plots, JOINT_POSITION), "bands");
    CHECK(json_array_size(bands) == 1);
    CHECK_SAME(json_number_value(json_array_get(json_array_get(bands, 0), 1)), 0.5);
}

/* Of two joints, one whose level moves and one whose temperature does; the files know no order. */
TEST(page_draws_levels_and_temperatures_where_they_move) {
    (void)temporary_file(
        "summary.json",
        "{ \"stiction\": \"0.2.0\", \"project\": \"p.cnoid\", \"engine\": \"test\", \"joints\": {"
        " \"L\": { \"friction\": { \"law\": \"coulomb\", \"coulomb_torque\": 2, \"stiffness\": "
        "5000,"
        " \"damping\": 50, \"load_motor\": 0.25, \"presliding_torque\": [0.5, 0.25],"
        " \"presliding_stiffness\": [2000, 1000] } },"
        " \"W\": { \"friction\": { \"law\": \"none\" } } } }\n");
    (void)temporary_file("joints.csv",
                         "time,L.position,L.velocity,L.command,L.friction_torque,L.stick,"
                         "L.deflection,L.static_level,L.coulomb_level,W.position,W.velocity,"
                         "W.command,W.friction_torque,W.stick,W.deflection,W.temperature\n"
                         "0,0,0,1,1,1,0,2.5,2.25,0,0,0,0,0,0,25\n"
                         "1,0,0,2,-2,1,0,3.5,2.75,0,0,0,0,0,0,26\n");
    CHECK(report_write(folder(), folder(), &error));
    const char *html = read_file("report.html");
    CHECK_CONTAINS(html, "mu_m 0.25");
    CHECK_CONTAINS(html, " 0.5, 0.25 N m");
    const char *second = strstr(strstr(html, "data-choice=\"L\"") + 1, "data-choice=");
    json_t *plots = plots_on(html);
    const size_t level = JOINT_LEVEL - 1; /* there is no target and so no error */
    CHECK(json_array_size(plots) == level + 1);
    const json_t *of = json_array_get(plots, level);
    CHECK_CONTAINS(json_string_value(json_object_get(of, "y")), "friction level (N m)");
    CHECK_SAME(number_at(series_of(plots, level, 0), "y", 1), 3.5);
    CHECK_SAME(number_at(series_of(plots, level, 1), "y", 0), 2.25);
    CHECK_SAME(number_at(series_of(plots, level, 2), "y", 1), 2); /* its size */
    json_decref(plots);
    plots = plots_on(second);
    CHECK(json_array_size(plots) == level + 1);
    CHECK_CONTAINS(json_string_value(json_object_get(json_array_get(plots, level), "y")),
                   "temperature");
    CHECK_SAME(number_at(series_of(plots, level, 0), "y", 1), 26);
    json_decref(plots);
    char picture[256];
    (void)snprintf(picture, sizeof picture, "%s/level.svg", folder());
    const char *const folders[] = {folder()};
    const char *column = "L.static_level";
    CHECK(column_picture_write(folders, 1, &(text_list){&column, 1}, picture, &error));
    CHECK_CONTAINS(read_file("level.svg"), "L.static_level");
    CHECK(remove(picture) == 0);
}

TEST(an_invalid_list_of_numbers_is_named) {
    static const char *const lists[] = {"[\"a\"]", "3", "[1, 2, 3, 4, 5, 6, 7, 8, 9]"};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        char summary[300];
        (void)snprintf(summary, sizeof summary,
                       "{ \"joints\": { \"L\": { \"friction\": { \"presliding_torque\": %s } } } }",
                       lists[k]);
        (void)temporary_file("summary.json", summary);
        AUTO(run_data_release) run_data run;
        error.message[0] = 0;
        const bool loaded = run_data_load_summary(&run, folder(), &error);
        const char *message = caught();
        CHECK(!loaded);
        CHECK_CONTAINS(message, "joint 'L': presliding_torque must be a list of at most 8 numbers");
    }
}

TEST(law_on_the_page_is_that_of_the_library) {
    write_run("", shuffled);
    CHECK(report_write(folder(), folder(), &error));
    json_auto_t *plots = plots_on(read_file("report.html"));
    const json_t *law = series_of(plots, JOINT_LAW, 0);
    const stiction_law_parameters p = {.static_torque = 2.5,
                                       .coulomb_torque = 0.4,
                                       .stribeck_velocity = 0.06,
                                       .stribeck_exponent = 1,
                                       .viscous = 4.5};
    const size_t count = json_array_size(json_object_get(law, "x"));
    CHECK(count == 302); /* 301 velocities, 0 twice */
    double highest = 0;
    for (size_t k = 0; k < count; k++) {
        const double v = number_at(law, "x", k), torque = number_at(law, "y", k);
        highest = fmax(highest, fabs(v));
        /* a velocity is rounded to 1e-6 here, where the law is as steep as 35 N m s/rad + D */
        if (fabs(v) > 1e-5)
            CHECK_NEAR(torque, stiction_phi(stiction_law_find("stribeck"), &p, v), 5e-5);
    }
    CHECK(highest >= 0.5); /* as fast as the run */
    const json_t *dots = series_of(plots, JOINT_LAW, 1);
    CHECK(json_is_true(json_object_get(dots, "points")));
    CHECK(json_array_size(json_object_get(dots, "x")) == 3);
}

/* Every joint's friction by this law; count joints that shake about. */
static void write_shaking_run(const char *const *names, size_t count, size_t samples,
                              const char *law) {
    AUTO_FREE stiction_joint_def *friction = calloc(count, sizeof *friction);
    AUTO_FREE double *values = calloc(count, sizeof *values);
    unsigned char *slipping = calloc(count, 1);
    unsigned random = 1;
    for (size_t k = 0; k < count; k++) {
        friction[k] = stiction_joint_def_default();
        friction[k].law = law;
    }
    const results_def def = {.project = "shaking </title><script>alert(1)</script>",
                             .simulator = "<u>",
                             .engine = "&amp;",
                             .timestep = 0.001,
                             .count = count,
                             .names = names,
                             .friction = friction};
    results *r = results_create(&def);
    for (size_t n = 0; n < samples; n++) {
        for (size_t k = 0; k < count; k++) {
            random = random * 1664525U + 1013904223U;
            values[k] = (double)random / 4294967296.0 - 0.5;
            slipping[k] = random >> 31 != 0;
        }
        const results_sample sample = {.time = 0.001 * (double)n,
                                       .position = values,
                                       .velocity = values,
                                       .command = values,
                                       .friction.torque = values,
                                       .friction.slipping = slipping};
        CHECK(results_add(r, &sample));
    }
    CHECK(results_write(r, folder(), NULL) == STICTION_OK);
    results_destroy(r);
    free(slipping);
}

/* As many joints as HRP-5P has. */
static void write_shaking_robot(size_t samples) {
    char names[37][16];
    const char *list[37];
    for (size_t k = 0; k < 37; k++) {
        (void)snprintf(names[k], sizeof names[k], "JOINT_%zu", k);
        list[k] = names[k];
    }
    write_shaking_run(list, 37, samples, "none");
}

/* Noise is the worst of all: nothing of it can be left out. */
TEST(page_of_37_shaking_joints_stays_below_4_MB) {
    write_shaking_robot(6000);
    CHECK(report_write(folder(), folder(), &error));
    const char *html = read_file("report.html");
    printf("%zu bytes\n", strlen(html));
    CHECK(strlen(html) < 4000000);
    CHECK_CONTAINS(html, "The run has 6000 samples.");
    for (int k = 0; k < 37; k++) {
        char name[32];
        (void)snprintf(name, sizeof name, "JOINT_%d", k);
        CHECK_CONTAINS(html, name);
    }
}

static const char *const evil[] = {"</script><script>alert(2)</script>", "\"' onclick='alert(3)",
                                   "<img src=x onerror=alert(4)>", "&lt;\\u003c"};

/* What must be nowhere but in escapes: a tag or a quote that is not ours. */
static void check_nothing_broke_out(const char *html) {
    static const char *const traces[] = {"<script>alert", "\"' onclick", "<img",
                                         "<u>",           "</td><i>",    "\"<i>"};
    for (size_t k = 0; k < sizeof traces / sizeof traces[0]; k++)
        if (strstr(html, traces[k])) FAIL("there is a %s on the page", traces[k]);
}

TEST(names_cannot_break_a_page) {
    write_shaking_run(evil, 4, 100, "none");
    CHECK(report_write(folder(), folder(), &error));
    const char *html = read_file("report.html");
    check_nothing_broke_out(html);
    CHECK_CONTAINS(html, "data-choice=\"&lt;/script&gt;&lt;script&gt;alert(2)&lt;/script&gt;\"");
    CHECK_CONTAINS(html, "#joint=%3C/script%3E%3Cscript%3Ealert%282%29%3C/script%3E");
    json_auto_t *plots = plots_on(html);
    char title[128];
    (void)snprintf(title, sizeof title, "Position, %s", evil[0]);
    const char *read = json_string_value(json_object_get(json_array_get(plots, 0), "title"));
    CHECK(read && strcmp(read, title) == 0);

    CHECK(setenv(PAGE_DYGRAPHS, "/no/such/folder", 1) == 0);
    CHECK(report_write(folder(), folder(), &error));
    CHECK(unsetenv(PAGE_DYGRAPHS) == 0);
    check_nothing_broke_out(read_file("report.html"));
}

static size_t occurrences(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) count++;
    return count;
}

TEST(page_needs_nothing_from_elsewhere) {
    write_run("", shuffled);
    CHECK(report_write(folder(), folder(), &error));
    const char *html = read_file("report.html");
    CHECK(!strstr(html, " src=") && !strstr(html, "<link") && !strstr(html, "@import"));
    CHECK(!strstr(html, "sourceMappingURL"));
    CHECK(occurrences(html, "Dygraph") > 2);
}

TEST(without_dygraphs_the_plots_are_pictures_and_the_page_says_so) {
    write_run("", shuffled);
    CHECK(setenv(PAGE_DYGRAPHS, "/no/such/folder", 1) == 0);
    CHECK(report_write(folder(), folder(), &error));
    CHECK(unsetenv(PAGE_DYGRAPHS) == 0);
    const char *html = read_file("report.html");
    CHECK(occurrences(html, "<figure>") == JOINT_LEVEL);
    CHECK(occurrences(html, "role=\"img\"") == JOINT_LEVEL);
    CHECK(occurrences(html, "These plots are static") == 1);
}

TEST(warnings_are_boxes_on_the_page) {
    write_run("\"complete\": true, \"friction_source\": \"stiction\", \"controllers\": [ "
              "{ \"name\": \"C\", \"relaxed\": 0, \"options\": { \"kp\": 20 } } ],",
              shuffled);
    CHECK(report_write(folder(), folder(), &error));
    const char *html = read_file("report.html");
    CHECK(!strstr(html, "class=\"warning\">C") && !strstr(html, "was interrupted"));
    CHECK_CONTAINS(html, "<dd>C: kp = 20</dd>");

    write_run("\"complete\": false, \"warnings\": [ \"it <i> chatters\", \"so does b\" ], "
              "\"friction_source\": \"frictionloss\", \"controllers\": [ "
              "{ \"name\": \"C\", \"body\": \"B\", \"mode\": \"pd\", \"relaxed\": 3, \"steps\": 7, "
              "\"events\": { \"held\": 2 } } ], \"overrides\": [ \"kp=<1>\", \"b=2\" ],",
              shuffled);
    CHECK(report_write(folder(), folder(), &error));
    html = read_file("report.html");
    CHECK_CONTAINS(html, "This run was interrupted at 1.5 s.");
    CHECK_CONTAINS(html, "The friction is the simulator&#39;s own (frictionloss)");
    CHECK_CONTAINS(html, "class=\"warning\">Controller C: relaxed 3</p>");
    CHECK_CONTAINS(html, "class=\"warning\">Controller C: held 2</p>");
    CHECK(!strstr(html, "Controller C: steps")); /* a figure, no event */
    CHECK_CONTAINS(html, "class=\"warning\">it &lt;i&gt; chatters</p>");
    CHECK_CONTAINS(html, "class=\"warning\">so does b</p>");
    CHECK_CONTAINS(html, "<dd>C on B, pd</dd>");
    CHECK_CONTAINS(html, "<dd>kp=&lt;1&gt;, b=2</dd>");
    CHECK_CONTAINS(html, "F_S 2.5 N m, F_C 0.4 N m");

    static const char *const names[] = {"."};
    CHECK(report_index(folder(), folder(), names, 1, &error));
    html = read_file("index.html");
    CHECK_CONTAINS(html, "<td class=\"text\">interrupted; it &lt;i&gt; chatters; so does b</td>");
}

/* Laws without a curve over velocity, and a run that says little. */
TEST(units_of_a_joint_that_slides_have_no_angle) {
    stiction_law_info law;
    stiction_parameter_info info;
    for (size_t k = 0; stiction_law_info_at(k, &law); k++) {
        run_joint joint = {.friction = stiction_joint_def_default(), .prismatic = true};
        joint.friction.law = law.name;
        for (size_t p = 0; stiction_parameter_at(p, &info); p++)
            *(double *)((char *)&joint.friction + info.offset) = 1;
        AUTO_FREE char *text = joint_friction_text(&joint);
        if (strstr(text, "rad") || strstr(text, "N m")) FAIL("%s", text);
    }
}

TEST(any_law_has_a_page) {
    static const char *const name = "J";
    stiction_law_info info;
    for (size_t k = 0; stiction_law_info_at(k, &info); k++) {
        write_shaking_run(&name, 1, 50, info.name);
        error.message[0] = 0;
        const bool written = report_write(folder(), folder(), &error);
        const char *message = caught();
        if (!written) FAIL("%s: %s", info.name, message);
    }
    write_shaking_run(&name, 1, 1, "none");
    CHECK(report_write(folder(), folder(), &error));
    write_shaking_run(&name, 0, 1, "none");
    CHECK(report_write(folder(), folder(), &error));
}

/* ---- PNGs ---- */

static bool draw_pngs(void) {
    AUTO(run_data_release) run_data run;
    return run_data_load(&run, folder(), &error) && report_pngs_run(&run, folder(), &error);
}

TEST(pngs_show_the_joint_that_moves_the_most) {
    if (!plot_png_possible()) return;
    write_run("", shuffled);
    CHECK(draw_pngs());
    static const char *const names[] = {"position.png", "torque.png", "law.png"};
    for (size_t k = 0; k < 3; k++) CHECK(memcmp(read_file(names[k]), "\x89PNG", 4) == 0);
}

/* ---- several runs ---- */

TEST(index_has_a_row_for_every_run_also_one_without_results) {
    write_run("", shuffled);
    static const char *const names[] = {".", "missing <i>"};
    error.message[0] = 0;
    const bool fine = report_index(folder(), folder(), names, 2, &error);
    CHECK(fine);
    const char *html = read_file("index.html");
    CHECK_CONTAINS(html, "<a href=\"./report.html\">");
    CHECK_CONTAINS(html, "class=\"spark\"");
    CHECK_CONTAINS(html, "missing &lt;i&gt;</td>");
    CHECK_CONTAINS(html, "No results: ");
    check_nothing_broke_out(html);
}

TEST(index_shows_law_target_and_error_of_every_joint) {
    static const char *const names[] = {"."};
    write_run("", shuffled);
    CHECK(report_index(folder(), folder(), names, 1, &error));
    const char *html = read_file("index.html");
    /* once for the run, once among all joints, each with a link to the joint */
    CHECK(occurrences(html, "<a href=\"./report.html#joint=a%2C%20%22b%22\">") == 2);
    CHECK(occurrences(html, "<td class=\"text\">stribeck</td>") == 2);
    CHECK(occurrences(html, "<td data-value=\"1\">57.3</td>") == 2);
    CHECK(occurrences(html, "<td data-value=\"0.75\">42.97</td>") == 2);
    const joint_figure *f;
    for (size_t k = 0; (f = joint_figure_at(k)); k++) {
        CHECK_CONTAINS(html, f->title);
        if (!strchr(f->description, '\'')) CHECK_CONTAINS(html, f->description);
    }
    CHECK(occurrences(html, "class=\"sortable") == 2);
}

/* ---- overlays ---- */

static char *overlay_path(void) {
    static char path[256];
    (void)snprintf(path, sizeof path, "%s/overlay.html", folder());
    return path;
}

TEST(overlay_of_seven_runs_of_37_shaking_joints_stays_below_4_MB) {
    write_shaking_robot(3000);
    const char *folders[OVERLAY_MOST_RUNS];
    for (size_t k = 0; k < OVERLAY_MOST_RUNS; k++) folders[k] = folder();
    CHECK(overlay_write(folders, OVERLAY_MOST_RUNS, overlay_path(), &error));
    const char *html = read_file("overlay.html");
    printf("%zu bytes\n", strlen(html));
    CHECK(strlen(html) < 4000000);
}
