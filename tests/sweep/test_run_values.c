/* SPDX-License-Identifier: MIT
 * Expressions over a run: the goal of a search, from rows that are made here, and which runs keep
 * their series, by settings before a run and by figures after it.
 */
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "sweep/goal.h"
#include "sweep/run_values.h"
#include "temporary_folder.h"

static char *projects[] = {"a.cnoid", "b.cnoid"}, *gains[] = {"20", "50"}, *laws[] = {"coulomb"},
            path[] = "s.yaml";
static sweep_parameter parameters[] = {{.key = "controller.kp", .values = gains, .count = 2},
                                       {.key = "law", .values = laws, .count = 1}};
static sweep_goal goal = {.spot = {4, 11}};
/* Runs 0 and 1 are of the first project with kp 20 and 50, runs 2 and 3 of the second. */
static sweep_plan plan = {.projects = projects,
                          .project_count = 2,
                          .engine = "mujoco",
                          .parameters = parameters,
                          .parameter_count = 2,
                          .path = path,
                          .goal = &goal};

/* ---- the goal of a search ---- */

enum { most_figures = 100 };

static size_t index_of(const char *name) {
    size_t k = 0;
    while (strcmp(joint_figure_at(k)->name, name) != 0) k++;
    return k;
}

/* Run 0: a hip at -3, a slide at 2, a robot of 40 kg, and no figure of what was not followed. */
static records *make_records(bool joints) {
    static double hip[most_figures], slide[most_figures], body[most_figures];
    for (int k = 0; k < most_figures; k++) hip[k] = slide[k] = body[k] = (double)NAN;
    hip[index_of("final_position")] = -3;
    slide[index_of("final_position")] = 2;
    hip[index_of("dissipated_energy")] = 5;
    slide[index_of("dissipated_energy")] = 7;
    slide[index_of("rms_tracking_error")] = 0.25;
    body[0] = 40;
    const record_joint all[] = {
        {"HIP", false, false, hip}, {"SLIDE", true, false, slide}, {"ROBOT", false, true, body}};
    stiction_error error;
    records *r = records_create(temporary_folder_make(), &plan, &error);
    CHECK(r && records_put(r, &(record){.joints = all, .joint_count = joints ? 3 : 0}, &error));
    return r;
}

static void set_goal(const char *text) {
    stiction_error error;
    goal.objective = sweep_select_read(text, &error);
    if (!goal.objective) FAIL("%s: %s", text, error.message);
}

TEST(names_are_figures_of_a_joint_of_all_or_keys) {
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"HIP.final_position", -3},
                 {"SLIDE.final_position - HIP.final_position", 5},
                 {"ROBOT.mass", 40},
                 {"SLIDE.rms_error", 0.25},  /* its short name */
                 {"final_position", 3},      /* of all joints: the farthest */
                 {"dissipated_energy", 12},  /* of all joints: the sum */
                 {"rms_error", 0.25},        /* of those that have one */
                 {"overshoot", (double)NAN}, /* nobody has one */
                 {"HIP.rms_error", (double)NAN},
                 {"HIP.rms_error + ROBOT.mass", (double)NAN},
                 {"controller.kp * 2", 40},
                 {"kp + ROBOT.mass", 60},
                 {"max(final_position, abs(HIP.final_position), 4)", 4}};
    records *r = make_records(true);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        set_goal(cases[k].text);
        stiction_error error;
        double value;
        CHECK(expression_check(&plan, plan.goal->objective, plan.goal->spot, &error) &&
              objective_of_run(&plan, r, 0, &value, &error));
        if (isnan(cases[k].value) ? !isnan(value) : value != cases[k].value)
            FAIL("%s is %g, not %g", cases[k].text, value, cases[k].value);
        sweep_select_free(goal.objective);
    }
    records_close(r);
    temporary_folder_remove();
}

static void check_refused(records *r, size_t run, const char *message) {
    stiction_error error;
    double value;
    CHECK(!objective_of_run(&plan, r, run, &value, &error) && isnan(value));
    CHECK_CONTAINS(error.message, message);
}

TEST(unknown_names_are_errors_with_the_nearest_name) {
    static const struct {
        const char *text, *message;
    } cases[] = {{"HIPP.final_position", "there is no figure 'HIPP.final_position'; the nearest is "
                                         "'HIP.final_position'"},
                 {"ROBOTS.mass", "there is no figure 'ROBOTS.mass'; the nearest is 'ROBOT.mass'"},
                 {"HIP.mass", "there is no figure 'HIP.mass'"}, /* mass is of bodies */
                 {"com_error_rms", "there is no figure 'com_error_rms'"},
                 {"Zz.creep", "there is no figure 'Zz.creep'"},
                 {"law", "'coulomb' is not a number"}};
    records *r = make_records(true);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        set_goal(cases[k].text);
        check_refused(r, 0, cases[k].message);
        sweep_select_free(goal.objective);
    }
    set_goal("HIP.final_position");
    check_refused(r, 1, "the row of run 2 is missing");
    records_close(r);
    temporary_folder_remove();
    r = make_records(false);
    check_refused(r, 0, "there is no figure 'HIP.final_position'");
    records_close(r);
    sweep_select_free(goal.objective);
    temporary_folder_remove();
}

TEST(unknown_figures_are_errors_before_a_run) {
    static const struct {
        const char *text, *message; /* NULL: joints are known after the first run */
    } cases[] = {{"ANY.rms_error", NULL},
                 {"ANY.mass", NULL},
                 {"kp", NULL},
                 {"ANY.rms_eror", "there is no figure 'rms_eror'; the nearest is 'rms_error'"},
                 {"rms_eror", "there is no figure 'rms_eror'"},
                 {"kpp", "there is no figure 'kpp'"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        stiction_error error;
        set_goal(cases[k].text);
        const bool fine = expression_check(&plan, plan.goal->objective, plan.goal->spot, &error);
        if (fine != !cases[k].message) FAIL("%s", cases[k].text);
        if (!fine) CHECK_CONTAINS(error.message, cases[k].message);
        if (!fine) CHECK(strcmp(error.path, path) == 0 && error.line == 4 && error.column == 11);
        sweep_select_free(goal.objective);
    }
}

/* ---- which runs keep their series ---- */

static const char summary[] =
    "{\"joints\": {\"HIP\": {\"final_position\": 0.5, \"rms_tracking_error\": null, "
    "\"peak_torque\": 20}}, \"bodies\": {\"ROBOT\": {\"mass\": 40, \"com_x\": null}}}";

static bool reads(sweep_keep *k, bool figures_only, const char *series) {
    stiction_error error;
    return sweep_keep_read(k, &plan, figures_only, series, &error);
}

TEST(all_series_are_kept_or_none) {
    sweep_keep k;
    CHECK(reads(&k, false, NULL) && sweep_keep_wants(&k, &plan, 0));
    CHECK(sweep_keep_holds(&k, &plan, 0, NULL));
    sweep_keep_free(&k);
    CHECK(reads(&k, true, NULL) && !sweep_keep_wants(&k, &plan, 0));
    CHECK(!sweep_keep_holds(&k, &plan, 0, NULL));
    sweep_keep_free(&k);
}

TEST(settings_alone_are_known_before_a_run) {
    static const struct {
        const char *text;
        bool holds[4];
    } cases[] = {{"kp > 20", {false, true, false, true}},
                 {"controller.kp == 20", {true, false, true, false}},
                 {"project == b.cnoid", {false, false, true, true}},
                 {"law == coulomb && project == 'a.cnoid'", {true, true, false, false}}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        AUTO(sweep_keep_free) sweep_keep k;
        CHECK(reads(&k, false, cases[n].text));
        for (size_t run = 0; run < 4; run++) {
            if (sweep_keep_wants(&k, &plan, run) != cases[n].holds[run] ||
                sweep_keep_holds(&k, &plan, run, NULL) != cases[n].holds[run])
                FAIL("%s: run %zu", cases[n].text, run);
        }
    }
}

TEST(figures_are_known_after_a_run) {
    static const struct {
        const char *text;
        bool holds; /* of the summary, in run 0 */
    } cases[] = {
        {"HIP.final_position > 0.4", true}, {"HIP.final_position > 0.6", false},
        {"HIP.rms_error IS NULL", true}, /* its short name */
        {"HIP.rms_error > 0", false},       {"ROBOT.mass == 40", true},
        {"ROBOT.com_x IS NULL", true},      {"kp == 20 and HIP.final_position < 1", true},
        {"kp == HIP.peak_torque", true}, /* a name may follow == */
        {"kp != HIP.peak_torque", false},   {"kp == 50 and HIP.final_position < 1", false}};
    AUTO(run_data_release) run_data data;
    CHECK(run_data_read_summary(&data, summary, "summary.json", &(stiction_error){.line = 0}));
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        AUTO(sweep_keep_free) sweep_keep k;
        CHECK(reads(&k, false, cases[n].text));
        if (!sweep_keep_wants(&k, &plan, 0)) FAIL("%s: no series are recorded", cases[n].text);
        if (sweep_keep_holds(&k, &plan, 0, &data) != cases[n].holds) FAIL("%s", cases[n].text);
        CHECK(!sweep_keep_holds(&k, &plan, 0, NULL)); /* one that failed has no figures */
    }
}

TEST(figure_that_no_run_has_is_counted) {
    static const char *const unknown[] = {"KNEE.final_position > 0", "HIP.mass > 0",
                                          "ROBOT.final_position > 0"};
    AUTO(run_data_release) run_data data;
    CHECK(run_data_read_summary(&data, summary, "summary.json", &(stiction_error){.line = 0}));
    for (size_t n = 0; n < sizeof unknown / sizeof unknown[0]; n++) {
        AUTO(sweep_keep_free) sweep_keep k;
        CHECK(reads(&k, false, unknown[n]) && !sweep_keep_holds(&k, &plan, 0, &data));
        CHECK(!sweep_keep_holds(&k, &plan, 1, &data) && k.unknown == 2);
        CHECK_CONTAINS(k.problem.message, "there is no value '");
    }
}

TEST(unknown_names_are_refused_before_a_run) {
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"kp >", "--keep-series 'kp >': "},
        {"kpp > 3", "column 1: 'kpp' is neither a key of the sweep nor a figure"},
        {"HIP.nothing > 3", "column 1: 'HIP.nothing' is neither a key of the sweep nor a figure"},
        {"`.mass` > 3", "'.mass' is neither a key of the sweep nor a figure"},
        {"kp > 1 && rms_error > 3", "column 11: 'rms_error' is neither a key of the sweep"}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        AUTO(sweep_keep_free) sweep_keep k;
        stiction_error error = {.status = STICTION_OK};
        CHECK(!sweep_keep_read(&k, &plan, false, cases[n].text, &error));
        CHECK_CONTAINS(error.message, cases[n].sentence);
    }
}
