/*
 * The results of a run: the figures of a joint, and files that others can read.
 */
#include <locale.h>
#include <yaml.h>

#include "check.h"
#include "results/results.h"

static const double T = 0.01;

/* One joint that sticks for 3 s, slips for 1 s, and sticks for 6 s, creeping by 1e-5 rad/s. */
static results *a_run(const char *name) {
    const stiction_joint_def friction = {.size = sizeof friction, .law = "none"};
    const results_def def = {.project = "a \"project\"",
                             .simulator = "S",
                             .engine = "test",
                             .timestep = T,
                             .count = 1,
                             .names = &name,
                             .friction = &friction};
    results *r = results_create(&def);
    CHECK(r != NULL);
    double q = 0;
    for (int k = 0; k < 1000; k++) {
        const double t = k * T, deflection = 1e-4;
        const unsigned char slipping = t >= 3 && t < 4;
        const double v = slipping ? 0.5 : t >= 4 ? 1e-5 : 0;
        const double command = t < 2 ? -3 : 1, energy = 0.1 * t, target = 1;
        const results_sample sample = {.time = t,
                                       .position = &q,
                                       .velocity = &v,
                                       .command = &command,
                                       .target = &target,
                                       .friction = &command,
                                       .deflection = &deflection,
                                       .dissipated_energy = &energy,
                                       .slipping = &slipping};
        CHECK(results_add(r, &sample));
        q += T * v;
    }
    return r;
}

TEST(figures_tell_what_the_joint_did) {
    results *r = a_run("J");
    CHECK_NEAR(results_figure(r, 0, "stop_time"), 3.99, 1e-9);
    CHECK_NEAR(results_figure(r, 0, "stick_slip_events"), 1, 0);
    CHECK_NEAR(results_figure(r, 0, "peak_torque"), 3, 0);
    CHECK_NEAR(results_figure(r, 0, "final_torque"), 1, 0);
    CHECK_NEAR(results_figure(r, 0, "final_position"), 0.5 + 5.99e-5, 1e-9);
    CHECK_NEAR(results_figure(r, 0, "tracking_error"), 0.5 - 5.99e-5, 1e-9);
    CHECK_NEAR(results_figure(r, 0, "dissipated_energy"), 0.999, 1e-12);
    /* 600 roundings of a position of half a radian, over 5 s */
    CHECK_NEAR(results_figure(r, 0, "creep"), 1e-5, 600 * 1.2e-16 / 5);
    CHECK(isnan(results_figure(r, 0, "no such figure")));
    CHECK(isnan(results_figure(r, 1, "creep")));
    results_destroy(r);
    results_destroy(NULL);
}

/* Whether a file parses, as JSON does for a reader of YAML. */
static bool parses(const char *path) {
    yaml_parser_t parser;
    yaml_document_t document;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_file(&parser, file);
    const bool fine = yaml_parser_load(&parser, &document) != 0;
    if (fine) yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    fclose(file);
    return fine;
}

/* The whole of a file, until the next call. */
static const char *text_of(const char *folder, const char *name) {
    static char text[20000];
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file) fclose(file);
    return text;
}

TEST(a_summary_tells_what_was_simulated_and_each_warning_once) {
    char folder[] = "/tmp/stiction-results-XXXXXX", command[128];
    CHECK(mkdtemp(folder) != NULL);
    results *r = a_run("J");
    CHECK(results_warn(r, "no joint has \"friction\""));
    CHECK(results_warn(r, "it chatters"));
    CHECK(results_warn(r, "no joint has \"friction\""));
    stiction_error error;
    CHECK(results_write(r, folder, &error) == STICTION_OK);
    const char *summary = text_of(folder, "summary.json");
    CHECK_CONTAINS(summary, "\"duration\": 10,"); /* the last of 1000 samples stands at 9.99 s */
    CHECK_CONTAINS(summary, "\"warnings\": [\"no joint has \\\"friction\\\"\", \"it chatters\"],");
    results_destroy(r);
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK(system(command) == 0);
}

TEST(files_are_read_back_whatever_the_names_and_the_locale) {
    char folder[] = "/tmp/stiction-results-XXXXXX", path[128], line[512];
    CHECK(mkdtemp(folder) != NULL);
    (void)setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is installed, 0.5 prints as 0,5 */
    results *r = a_run("a, \"b\"");
    stiction_error error;
    CHECK(results_write(r, folder, &error) == STICTION_OK);
    (void)setlocale(LC_ALL, "C");
    (void)snprintf(path, sizeof path, "%s/summary.json", folder);
    CHECK(parses(path));
    (void)snprintf(path, sizeof path, "%s/joints.csv", folder);
    FILE *csv = fopen(path, "r");
    CHECK(csv && fgets(line, sizeof line, csv));
    CHECK_CONTAINS(line, "time,\"a, \"\"b\"\".position\",");
    int rows = 0;
    double time = 0;
    while (csv && fgets(line, sizeof line, csv)) {
        time = strtod(line, NULL);
        rows++;
    }
    if (csv) fclose(csv);
    CHECK(rows == 1000);
    CHECK_NEAR(time, 9.99, 1e-12);

    CHECK(results_write(r, "/no/such/folder", &error) == STICTION_INVALID_ARGUMENT);
    CHECK_CONTAINS(error.message, "cannot write /no/such/folder/joints.csv");
    results_destroy(r);
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK(system(command) == 0);
}
