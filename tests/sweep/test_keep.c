/* SPDX-License-Identifier: MIT
 * Which runs of a sweep keep their series: by settings before a run, by figures after it.
 */
#include "check.h"
#include "common/command.h"
#include "sweep/run_values.h"

static char *projects[] = {"a.cnoid", "b.cnoid"}, *gains[] = {"20", "50"}, *laws[] = {"coulomb"};
static sweep_parameter parameters[] = {{.key = "controller.kp", .values = gains, .count = 2},
                                       {.key = "law", .values = laws, .count = 1}};
/* Runs 0 and 1 are of the first project with kp 20 and 50, runs 2 and 3 of the second. */
static const sweep_plan plan = {.projects = projects,
                                .project_count = 2,
                                .engine = "mujoco",
                                .parameters = parameters,
                                .parameter_count = 2};
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

TEST(figures_are_known_behind_a_run) {
    static const struct {
        const char *text;
        bool holds; /* of the summary, in run 0 */
    } cases[] = {
        {"HIP.final_position > 0.4", true}, {"HIP.final_position > 0.6", false},
        {"HIP.rms_error IS NULL", true}, /* its short name */
        {"HIP.rms_error > 0", false},       {"ROBOT.mass == 40", true},
        {"ROBOT.com_x IS NULL", true},      {"kp == 20 and HIP.final_position < 1", true},
        {"kp == HIP.peak_torque", true}, /* behind == a name, too */
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

TEST(names_that_can_be_nothing_are_refused_before_a_run) {
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"kp >", "--keep-series 'kp >': "},
        {"kpp > 3", "column 1: 'kpp' is no key of the sweep and no figure"},
        {"HIP.nothing > 3", "column 1: 'HIP.nothing' is no key of the sweep and no figure"},
        {"`.mass` > 3", "'.mass' is no key of the sweep and no figure"},
        {"kp > 1 && rms_error > 3", "column 11: 'rms_error' is no key of the sweep"}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        AUTO(sweep_keep_free) sweep_keep k;
        stiction_error error = {.status = STICTION_OK};
        CHECK(!sweep_keep_read(&k, &plan, false, cases[n].text, &error));
        CHECK_CONTAINS(error.message, cases[n].sentence);
    }
}
