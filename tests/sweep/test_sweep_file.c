/* SPDX-License-Identifier: MIT
 * The file of a sweep is read without an engine: this program links none.
 */
#include "check.h"
#include "common/command.h"
#include "sweep/goal.h"
#include "sweep/sweep_file.h"
#include "temporary.h"

static bool has_engine(const char *name) {
    return strcmp(name, "mujoco") == 0;
}

static char *engine_names(void) {
    return strdup("mujoco");
}

static bool has_key(const char *key, char hint[NAME_HINT_SIZE]) {
    static const char *const keys[] = {"law", "kp", "a.kv", "b.kv", "static", "coulomb"};
    strcpy(hint, "; the nearest is 'law'");
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (strcmp(keys[k], key) == 0) return true;
    return false;
}

static int checked;

static bool check_setting(const char *text, stiction_place at, stiction_error *error) {
    checked += strcmp(text, "law=stribeck") == 0 && at.line == 5;
    if (strncmp(text, "kp=", 3) != 0 || atof(text + 3) <= 1000) return true;
    return !stiction_fail_at(error, STICTION_INVALID_CONFIG, at, "%s is too much", text);
}

static bool is_option(const char *key) {
    return strcmp(key, "controller.kp") == 0;
}

static bool has_other_controllers(const char *project, bool untrusted) {
    (void)project, (void)untrusted;
    return false;
}

static bool checks_options_of(const char *controller) {
    return strncmp(controller, "posture", 7) == 0;
}

static bool draws(const char *project, bool untrusted) {
    (void)untrusted;
    return strstr(project, "drawn") != NULL;
}

static const sweep_rules rules = {has_engine,        engine_names, has_key,
                                  check_setting,     is_option,    has_other_controllers,
                                  checks_options_of, draws,        false};

TEST(a_file_is_read_without_an_engine) {
    (void)temporary_file("wrist.cnoid", "");
    const char *path = temporary_file("sweep.yaml", "sweep: 1\n"
                                                    "projects: wrist.cnoid\n"
                                                    "engine: mujoco\n"
                                                    "set:\n"
                                                    "  law: [stribeck, coulomb]\n");
    AUTO(sweep_plan_free) sweep_plan plan;
    CHECK(sweep_file_read(path, &rules, &plan, NULL));
    CHECK(sweep_plan_count(&plan) == 2);
    CHECK(strcmp(plan.engine, "mujoco") == 0);
    CHECK(checked == 1);
}

/* The errors of a file, or its warning, one a line; and whether it can be read. */
static char messages[4000];

static bool read_messages(const char *text) {
    const char *path = temporary_file("wrong.yaml", text);
    AUTO(sweep_plan_free) sweep_plan plan;
    stiction_errors *errors = stiction_errors_create();
    const bool fine = sweep_file_read(path, &rules, &plan, errors);
    CHECK(fine == (stiction_errors_count(errors) == 0));
    (void)snprintf(messages, sizeof messages, "%s", plan.warning ? plan.warning : "");
    for (size_t k = 0; k < stiction_errors_count(errors); k++) {
        const size_t length = strlen(messages);
        (void)stiction_error_format(stiction_errors_at(errors, k), messages + length,
                                    sizeof messages - length);
        (void)strncat(messages, "\n", sizeof messages - strlen(messages) - 1);
    }
    stiction_errors_destroy(errors);
    return fine;
}

static void check_error(const char *text, const char *expected) {
    CHECK(!read_messages(text));
    CHECK_CONTAINS(messages, expected);
}

TEST(errors_have_a_line_and_a_column) {
    check_error("", "wrong.yaml:1:1: the file is empty; it must say sweep: 1");
    check_error("sweep: 1\nset:\n  law: [a, b\n",
                "wrong.yaml:4:1: this is not YAML: a bracket is not closed");
    check_error("sweep: 1\nset:\n  law: a\n   kp: 1\n",
                "wrong.yaml:4:6: this is not YAML: unexpected key");
    check_error("sweep: 1\nset:\n  joints.*WR*.law: a\n  *WR*: 1\n",
                "wrong.yaml:4:3: this is not YAML: a text that begins with * is an alias; quote");
    check_error("sweep: 1\nset:\n  lawe: a\n",
                "wrong.yaml:3:3: set has no key 'lawe'; the nearest is 'law'");
    check_error("sweep: 1\nset: [law]\n", "wrong.yaml:2:6: set must be a map of keys and values");
    check_error("sweep: 1\nset:\n  law=a: b\n", "wrong.yaml:3:3: a key of set has no '=': 'law=a'");
    check_error("sweep: 1\nset:\n  law: ['']\n", "wrong.yaml:3:9: law has no value");
    check_error("sweep: 1\nset:\n  law: [{a: b}]\n", "wrong.yaml:3:9: ");
    check_error("sweep: 1\nset:\n  law: [[a]]\n",
                "wrong.yaml:3:9: law must be one value or a list of single values; a vector is "
                "one text: \"0,0,-9.8\", and so is a list: \"[0.1, 0.2]\"");
    check_error("sweep: 1\nprojects: ['', {a: b}]\n", "wrong.yaml:2:12: projects has no value");
    check_error("sweep: 1\nprojects: ['']\nset:\n  controller.kp: 1\n",
                "wrong.yaml:2:12: projects has no value");
    check_error("sweep: [1]\n", "wrong.yaml:1:8: sweep must be a single value");
    check_error("sweep: 2\n", "wrong.yaml:1:8: unknown format 2; expected sweep: 1");
    check_error("sweep: 1\nengine: [ode]\n", "wrong.yaml:2:9: engine must be a single value");
    check_error("sweep: 1\ninterval: [1]\n", "wrong.yaml:2:11: interval must be a single value");
    check_error("sweep: 1\ninterval: inf\n", "wrong.yaml:2:11: interval 'inf' must be a number");
    check_error("sweep: 1\ninterval: 0\n", "wrong.yaml:2:11: interval '0' must be a number");
    check_error("sweep: 1\ninterval: soon\n", "wrong.yaml:2:11: interval 'soon' must be");
    check_error("sweep: 1\nengine: ode\n", "wrong.yaml:2:9: engine 'ode' must be mujoco");
    check_error("sweep: 1\nsweep: 1\n",
                "wrong.yaml:2:1: the key 'sweep' is given twice, first in line 1");
    check_error("sweep: 1\n---\nsweep: 1\n",
                "wrong.yaml:2:1: a second document begins here; a sweep is one");
}

/* ---- sampling ---- */

/* The plan of a file with these lines after its head. */
static sweep_plan read_plan(const char *lines) {
    char text[4000];
    (void)temporary_file("wrist.cnoid", "");
    (void)snprintf(text, sizeof text, "sweep: 1\nprojects: wrist.cnoid\n%s", lines);
    sweep_plan plan;
    CHECK(sweep_file_read(temporary_file("sweep.yaml", text), &rules, &plan, NULL));
    return plan;
}

/* "kp=1 kv=2; kp=3 kv=4": all runs of a plan. */
static const char *runs_of(const sweep_plan *plan) {
    static char text[4000];
    text[0] = '\0';
    for (size_t run = 0; run < sweep_plan_count(plan); run++)
        for (size_t k = 0; k < plan->parameter_count; k++) {
            strcat(text, k ? " " : run ? "; " : "");
            strcat(text, sweep_plan_value(plan, run, k));
        }
    return text;
}

static void check_runs(const char *lines, const char *expected) {
    AUTO(sweep_plan_free) sweep_plan plan = read_plan(lines);
    const char *runs = runs_of(&plan);
    if (strcmp(runs, expected) != 0) FAIL("%s: %s, expected %s", lines, runs, expected);
    /* and again from sweep.json */
    json_auto_t *json = sweep_plan_json(&plan);
    AUTO(sweep_plan_free) sweep_plan again;
    CHECK(sweep_plan_read_json(&again, json));
    CHECK(strcmp(runs_of(&again), expected) == 0);
    CHECK(sweep_plan_is(&plan, json));
    for (size_t run = 0; run < sweep_plan_count(&plan); run++) {
        AUTO_FREE char *name = sweep_plan_name(&plan, run), *other = sweep_plan_name(&again, run);
        CHECK(strcmp(name, other) == 0);
    }
}

TEST(sequences_are_lists_and_end_at_their_ends) {
    check_runs("set: {kp: {linspace: [0, 1, 5]}}\n", "0; 0.25; 0.5; 0.75; 1");
    check_runs("set: {kp: {linspace: [0.1, 0.3, 2]}}\n", "0.1; 0.3");
    check_runs("set: {kp: {linspace: [1, 2, 4]}}\n", "1; 1.33333333; 1.66666667; 2");
    check_runs("set: {kp: {logspace: [0.01, 100, 5]}}\n", "0.01; 0.1; 1; 10; 100");
    check_runs("set: {kp: {logspace: [-1, -4, 3]}}\n", "-1; -2; -4");
    check_runs("set: {kp: {range: [0, 1, 0.3]}}\n", "0; 0.3; 0.6; 0.9");
    check_runs("set: {kp: {range: [0, 0.3, 0.1]}}\n", "0; 0.1; 0.2; 0.3");
    check_runs("set: {kp: {range: [3, 1, -1]}}\n", "3; 2; 1");
    check_runs("set: {kp: {linspace: [1, 2, 2]}, law: [a, b]}\n", "1 a; 1 b; 2 a; 2 b");
}

TEST(zipped_lists_vary_together_and_multiply_with_the_rest) {
    check_runs("zip: {kp: [20, 50], a.kv: [2, 5]}\n", "20 2; 50 5");
    check_runs("set: {law: [a, b]}\nzip: {kp: [20, 20], a.kv: [2, 5]}\n",
               "a 20 2; a 20 5; b 20 2; b 20 5");
    check_runs("zip: [{kp: [1, 2], a.kv: [3, 4]}, {static: [5, 6], coulomb: [7, 8]}]\n",
               "1 3 5 7; 1 3 6 8; 2 4 5 7; 2 4 6 8");
    check_runs("zip: {kp: {linspace: [1, 3, 3]}, a.kv: [a, b, c]}\n", "1 a; 2 b; 3 c");
}

TEST(repetitions_are_the_fastest_key) {
    check_runs("repetitions: 2\nset: {kp: [1, 2]}\n", "1 1; 1 2; 2 1; 2 2");
    check_runs("repetitions: 1\n", "1");
    AUTO(sweep_plan_free) sweep_plan plan = read_plan("repetitions: 3\n");
    CHECK(plan.parameter_count == 1 && strcmp(plan.parameters[0].key, "repetition") == 0);
}

TEST(repetitions_without_random_values_are_reported) {
    (void)temporary_file("wrist.cnoid", "");
    (void)temporary_file("drawn.cnoid", "");
    CHECK(read_messages("sweep: 1\nprojects: wrist.cnoid\nrepetitions: 3\n"));
    CHECK_CONTAINS(messages,
                   "wrong.yaml:3:14: warning: nothing is drawn, so that the 3 repetitions of a "
                   "run are the same");
    CHECK(read_messages("sweep: 1\nprojects: wrist.cnoid\nrepetitions: 1\n") && !*messages);
    CHECK(read_messages("sweep: 1\nprojects: drawn.cnoid\nrepetitions: 3\n") && !*messages);
    CHECK(read_messages("sweep: 1\nprojects: wrist.cnoid\nrepetitions: 3\nset: {static: "
                        "'{uniform: [1, 2]}'}\n") &&
          !*messages);
}

TEST(conditions_select_combinations) {
    check_runs("set: {static: [1, 2], coulomb: [1, 1.5]}\nwhere: static > coulomb\n", "2 1; 2 1.5");
    check_runs("set: {kp: [1, 2, 3, 4]}\nwhere: [kp > 1, kp < 4]\n", "2; 3");
    check_runs("set: {law: [a, b], kp: [1, 2]}\nwhere: law == b or kp != 2\n", "a 1; b 1; b 2");
    check_runs("set: {a.kv: [1, 2], b.kv: [1, 2]}\nwhere: a.kv == b.kv\n", "1 1; 2 2");
    check_runs("set: {kp: [1, 2]}\nwhere: project == wrist.cnoid and kp == 2\n", "2");
    /* what no run has is no value of the key */
    AUTO(sweep_plan_free)
    sweep_plan plan = read_plan("set: {law: [a, b, c], kp: [1, 2]}\nwhere: law == b\n");
    const sweep_parameter *law = &plan.parameters[0];
    CHECK(law->count == 1 && strcmp(law->values[0], "b") == 0 && !sweep_plan_varies(&plan, 0));
    CHECK(sweep_plan_varies(&plan, 1));
}

TEST(values_have_their_places) {
    AUTO(sweep_plan_free)
    sweep_plan plan = read_plan("set:\n  kp: [1, 2]\n  a.kv: {linspace: [1, 3, 3]}\n");
    stiction_place at = sweep_plan_place(&plan, 5, 0);
    CHECK(at.path && at.line == 4 && at.column == 11);
    at = sweep_plan_place(&plan, 5, 1);
    CHECK(at.path && at.line == 5 && at.column == 20);
    size_t alike;
    CHECK(sweep_plan_find_key(&plan, "kv", &alike) == 1 && alike == 1);
    CHECK(sweep_plan_find_key(&plan, "v", &alike) == 2 && alike == 0);
}

static double value_of(const sweep_plan *plan, size_t run, size_t parameter) {
    return atof(sweep_plan_value(plan, run, parameter));
}

TEST(samples_are_of_their_ranges_and_the_same_every_time) {
    static const char lines[] = "sampling: {method: latin, samples: 40, seed: 3}\n"
                                "set:\n"
                                "  kp: {uniform: [20, 100]}\n"
                                "  static: {loguniform: [0.01, 1]}\n"
                                "  coulomb: {normal: [5, 1, 4, 6]}\n"
                                "  law: {choice: [a, b]}\n";
    AUTO(sweep_plan_free) sweep_plan plan = read_plan(lines), again = read_plan(lines);
    int strata[40] = {0}, filled = 0, law_a = 0, below = 0;
    CHECK(sweep_plan_count(&plan) == 40);
    for (size_t run = 0; run < 40; run++) {
        for (size_t k = 0; k < 4; k++)
            CHECK(strcmp(sweep_plan_value(&plan, run, k), sweep_plan_value(&again, run, k)) == 0);
        const double kp = value_of(&plan, run, 0), level = value_of(&plan, run, 1);
        CHECK(kp >= 20 && kp <= 100 && level >= 0.01 && level <= 1);
        CHECK(value_of(&plan, run, 2) >= 4 && value_of(&plan, run, 2) <= 6);
        CHECK(strlen(sweep_plan_value(&plan, run, 0)) <= 10); /* nine digits and a point */
        strata[(int)((kp - 20) / 2)]++;
        below += level < 0.1;
        law_a += sweep_plan_value(&plan, run, 3)[0] == 'a';
    }
    for (int k = 0; k < 40; k++) filled += strata[k] == 1;
    CHECK(filled == 40 && below == 20 && law_a == 20); /* a Latin hypercube's halves are halves */
    CHECK(sweep_plan_place(&plan, 0, 0).line == 5);
    sweep_plan_free(&again);
}

TEST(a_latin_hypercube_has_three_names) {
    static const char *const names[] = {"latin", "lhs", "latin_hypercube"};
    char first[32] = "", lines[200];
    for (size_t k = 0; k < 3; k++) {
        (void)snprintf(lines, sizeof lines,
                       "sampling: {method: %s, samples: 5}\nset: {kp: {uniform: [0, 1]}}\n",
                       names[k]);
        AUTO(sweep_plan_free) sweep_plan plan = read_plan(lines);
        if (k == 0) (void)snprintf(first, sizeof first, "%s", sweep_plan_value(&plan, 0, 0));
        CHECK(strcmp(sweep_plan_value(&plan, 0, 0), first) == 0);
    }
}

TEST(samples_multiply_with_lists_and_their_seed_decides_them) {
    sweep_plan plan = read_plan("sampling: sobol\nsamples: 4\nseed: 1\n"
                                "set: {law: [a, b], kp: {uniform: [0, 1]}}\n");
    CHECK(sweep_plan_count(&plan) == 8);
    CHECK(strcmp(sweep_plan_value(&plan, 0, 1), sweep_plan_value(&plan, 4, 1)) == 0);
    CHECK(strcmp(sweep_plan_value(&plan, 0, 0), "a") == 0);
    CHECK(strcmp(sweep_plan_value(&plan, 4, 0), "b") == 0);
    sweep_plan other = read_plan("sampling: {method: sobol, samples: 4, seed: 2}\n"
                                 "set: {law: [a, b], kp: {uniform: [0, 1]}}\n");
    CHECK(strcmp(sweep_plan_value(&plan, 0, 1), sweep_plan_value(&other, 0, 1)) != 0);
    json_auto_t *json = sweep_plan_json(&plan);
    CHECK(sweep_plan_is(&plan, json) && !sweep_plan_is(&other, json));
    sweep_plan_free(&plan);
    sweep_plan_free(&other);
}

TEST(many_samples_are_planned) {
    sweep_plan plan = read_plan("samples: 100000\nset: {kp: {uniform: [0, 1]}, static: {normal: "
                                "[1, 0.2]}, coulomb: [0.5, 1]}\nwhere: static > coulomb\n");
    CHECK(sweep_plan_count(&plan) > 140000 && sweep_plan_count(&plan) < 160000);
    sweep_plan_free(&plan);
}

TEST(a_run_may_be_added) {
    AUTO(sweep_plan_free) sweep_plan plan = read_plan("set: {kp: [1, 2], law: a}\n");
    const char *const values[] = {"7", "a"};
    CHECK(sweep_plan_append(&plan, 0, values) == 2);
    CHECK(sweep_plan_count(&plan) == 3 && strcmp(runs_of(&plan), "1 a; 2 a; 7 a") == 0);
    CHECK(plan.parameters[0].count == 3 && strcmp(plan.parameters[0].values[2], "7") == 0);
}

TEST(a_search_has_scenarios_and_no_runs_yet) {
    sweep_plan plan = read_plan("minimise: RWRR.rms_error\nevaluations: 30\nseed: 4\nover: mean\n"
                                "set: {kp: {loguniform: [1, 100]}, law: [a, b], a.kv: {range: [0, "
                                "1]}}\nwhere: [a.kv < kp, law != b]\n");
    const sweep_goal *goal = plan.goal;
    CHECK(goal && sweep_plan_count(&plan) == 0);
    if (!goal) return;
    CHECK(goal->searched_count == 2 && goal->scenario_count == 1 && goal->evaluations == 30);
    CHECK(goal->constraint_count == 1 && goal->mean && !goal->maximise && goal->seed == 4);
    CHECK(goal->searched[0].range.kind == SAMPLING_LOGUNIFORM);
    CHECK(goal->searched[0].range.first == 1 && goal->searched[0].range.second == 100);
    CHECK(goal->searched[1].parameter == 2 && strcmp(goal->values[1], "a") == 0);
    CHECK(!goal->values[0] && !goal->values[2]);
    const char *fine[] = {"2", "a", "0.5"}, *wrong[] = {"0.4", "a", "0.5"};
    bool holds;
    CHECK(sweep_goal_allows(&plan, fine, &holds, NULL) && holds);
    CHECK(sweep_goal_allows(&plan, wrong, &holds, NULL) && !holds);
    /* the same search with more runs is the same */
    json_auto_t *before = sweep_plan_json(&plan);
    CHECK(sweep_plan_append(&plan, 0, fine) == 0);
    json_auto_t *after = sweep_plan_json(&plan);
    sweep_plan again;
    CHECK(sweep_plan_read_json(&again, before) && sweep_plan_count(&again) == 0);
    sweep_plan_free(&again);
    CHECK(sweep_plan_read_json(&again, after) && sweep_plan_count(&again) == 1);
    CHECK(sweep_plan_is(&plan, before) && sweep_plan_is(&plan, after));
    sweep_plan_free(&again);
    sweep_plan_free(&plan);
}

/* Behind the head, in line 3. */
static void check_refused(const char *lines, const char *expected) {
    char text[1000];
    (void)temporary_file("wrist.cnoid", "");
    (void)snprintf(text, sizeof text, "sweep: 1\nprojects: wrist.cnoid\n%s\n", lines);
    check_error(text, expected);
}

TEST(errors_of_sampling_have_their_places) {
    check_refused("set: {kp: {linspce: [1, 2, 3]}}",
                  "3:12: kp: there is no 'linspce' of values; the nearest is 'linspace'");
    check_refused("set: {kp: {}}", "3:11: kp must have one key in its braces");
    check_refused("set: {kp: {linspace: [1, 2]}}", "3:22: kp: linspace must be given as [first, "
                                                   "last, count]");
    check_refused("set: {kp: {linspace: [1, b, 3]}}", "3:26: kp: linspace must be given as");
    check_refused(
        "set: {kp: {linspace: [1, 2, 1]}}",
        "3:29: kp: the count of linspace must be a whole number from 2 to 1000000, not 1");
    check_refused("set: {kp: {linspace: [2, 2, 3]}}",
                  "3:26: kp: the ends of linspace are the same");
    check_refused("set: {kp: {logspace: [-3, 2, 3]}}",
                  "3:22: kp: the ends of logspace are the values themselves, not exponents");
    check_refused("set: {kp: {range: [1, 2, -1]}}", "3:26: kp: a step of -1 does not lead from 1");
    check_refused("set: {kp: {range: [1, 2, 0]}}", "3:26: kp: a step of 0 does not lead from 1");
    check_refused("set: {kp: {range: [0, 1, 1e-9]}}", "3:26: kp: the range has more than 1000000");
    check_refused("set: {kp: {range: [1, 2]}}", "3:19: kp: a range needs a step");
    check_refused("set: {kp: {uniform: [2, 1]}}", "3:25: kp: uniform goes from 2 up to 1");
    check_refused("set: {kp: {loguniform: [0, 1]}}", "3:25: kp: loguniform 0 must be above 0");
    check_refused("set: {kp: {normal: [0, 0]}}", "3:24: kp: the deviation 0 must be above 0");
    check_refused("set: {kp: {normal: [0, 1, 2]}}", "3:20: kp: normal must be given as");
    check_refused("set: {kp: {normal: [0, 1, 3, 2]}}", "3:30: kp: normal is cut off at 3 and 2");
    check_refused("set: {kp: {normal: [0, 1, 20, 30]}}", "3:27: kp: hardly a number");
    check_refused("set: {kp: {choice: a}}", "3:20: kp: choice must be given as");
    check_refused("set: {kp: {uniform: [1, 2]}}",
                  "3:21: kp: this is drawn, and the number of samples is missing; give sampling:");
    check_refused("samples: 3\nset: {kp: [1, 2]}", "3:10: nothing is drawn");
    check_refused("samples: 0\nset: {kp: {uniform: [1, 2]}}",
                  "3:10: samples '0' must be a whole number from 1 to 1000000");
    check_refused("sampling: {method: lattin, samples: 3}\nset: {kp: {uniform: [1, 2]}}",
                  "3:20: there is no sampling 'lattin'; the nearest is 'latin'");
    check_refused("sampling: {samples: 3, sed: 1}\nset: {kp: {uniform: [1, 2]}}",
                  "3:24: there is no key 'sed'; the nearest is 'seed'");
    check_refused("sampling: {samples: 3}\nsamples: 4\nset: {kp: {uniform: [1, 2]}}",
                  "4:1: samples is given already");
    check_refused("seed: 3\nset: {kp: [1, 2]}", "3:7: nothing is drawn, so seed has no effect");
    check_refused("set: {kp: {linspace: [1, 2000, 3]}}", "3:22: kp=1000.5 is too much");
    check_refused("samples: 3\nset: {kp: {uniform: [1, 2000]}}", "4:21: kp=");
    check_refused("set: {kp: [1, 2, 1]}", "3:18: kp has '1' twice");
    check_refused("set: {kp: {linspace: [1, 1e3, 1000]}, a.kv: {linspace: [1, 1e3, 1001]}}",
                  "1:1: the grid has more than 1000000 runs");
    check_refused("samples: 1000000\nset: {kp: {uniform: [0, 1]}, a.kv: {uniform: [0, 1]}, b.kv: "
                  "{uniform: [0, 1]}, static: {uniform: [0, 1]}, coulomb: {uniform: [0, 1]}}",
                  "the sequences and samples of the file have more than 4000000 numbers");
}

TEST(errors_of_zip_and_repetitions_have_their_places) {
    check_refused("zip: {kp: [1, 2], a.kv: [1, 2, 3]}",
                  "3:25: a.kv has 3 values, but kp, which goes with it, has 2");
    check_refused("zip: [1, 2]", "3:7: zip must be a map of keys with lists of equal length");
    check_refused("zip: {}", "3:6: zip must be a map");
    check_refused("zip: {kp: {uniform: [1, 2]}, a.kv: [1, 2]}",
                  "3:11: kp: drawn values cannot be zipped");
    check_refused("set: {kp: 1}\nzip: {kp: [1, 2]}", "4:7: the key 'kp' is given twice");
    check_refused("zip: {kq: [1, 2]}", "3:7: set has no key 'kq'");
    check_refused("repetitions: 0", "3:14: repetitions '0' must be a whole number from 1");
    check_refused("repetitions: [1]", "3:14: repetitions must be a single value");
}

TEST(errors_of_conditions_have_their_places) {
    check_refused(
        "set: {kp: [1, 2]}\nwhere: kp > kq",
        "4:13: nothing in set or zip is called 'kq', so that no run has a value of it here; "
        "the nearest is 'kp'");
    check_refused("set: {a.kv: [1, 2], b.kv: [1, 2]}\nwhere: 1 < kv",
                  "4:12: 'kv' may be any of 2 keys; write more of it, up to all");
    check_refused("set: {kp: [1, 2]}\nwhere: kp > 1 and", "4:8: 'kp > 1 and': ");
    check_refused("set: {kp: [1, 2]}\nwhere: 1 < kp < 5", "4:15: '1 < kp < 5': comparisons cannot");
    check_refused("set: {kp: [1, 2]}\nwhere: kp > 5",
                  "4:8: where holds for none of 2 combinations");
    check_refused("set: {kp: [1, 2]}\nwhere: []", "4:8: where has no condition");
    check_refused("set: {kp: [1, 2]}\nwhere: [[kp]]", "4:9: where must be a single value");
}

TEST(errors_of_searches_have_their_places) {
    check_refused("minimise: x\nset: {kp: [1, 2]}", "3:11: nothing is searched");
    check_refused(
        "minimise: x\nset: {kp: {normal: [1, 2]}}",
        "4:20: kp: a search goes over {uniform: [a, b]} and {loguniform: [a, b]}, not over "
        "normal");
    check_refused("minimise: x >\nset: {kp: {uniform: [1, 2]}}", "3:11: 'x >': ");
    check_refused("minimise: x\nmaximise: y\nset: {kp: {uniform: [1, 2]}}",
                  "4:1: a search has one goal");
    check_refused("minimise: x\nsamples: 3\nset: {kp: {uniform: [1, 2]}}",
                  "4:10: a search draws no samples");
    check_refused("minimise: x\nover: best\nset: {kp: {uniform: [1, 2]}}",
                  "4:7: over 'best' must be worst or mean");
    check_refused("minimise: x\nevaluations: 0\nset: {kp: {uniform: [1, 2]}}",
                  "4:14: evaluations '0' must be a whole number from 1 to 10000");
    check_refused(
        "minimise: x\nevaluations: 1000\nset: {kp: {uniform: [1, 2]}, a.kv: {linspace: [1, "
        "9, 1001]}}",
        "3:11: 1000 evaluations of 1001 scenarios are more than 1000000 runs");
    check_refused("evaluations: 3\nset: {kp: 1}", "3:14: this belongs to a search");
}
