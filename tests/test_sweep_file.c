/*
 * The file of a sweep is read without an engine: this program links none.
 */
#include "check.h"
#include "sweep/sweep_file.h"
#include "temporary.h"

static bool has_engine(const char *name) {
    return strcmp(name, "mujoco") == 0;
}

static char *engine_names(void) {
    return strdup("mujoco");
}

static bool has_key(const char *key, char hint[NAME_HINT_SIZE]) {
    strcpy(hint, "; the nearest is 'law'");
    return strcmp(key, "law") == 0;
}

static int checked;

static bool check_setting(const char *text, stiction_place at) {
    checked += strcmp(text, "law=stribeck") == 0 && at.line == 5;
    return true;
}

static bool is_option(const char *key) {
    return strcmp(key, "controller.kp") == 0;
}

static bool has_other_controllers(const char *project) {
    (void)project;
    return false;
}

static const sweep_rules rules = {has_engine,    engine_names, has_key,
                                  check_setting, is_option,    has_other_controllers};

TEST(a_file_is_read_without_an_engine) {
    (void)temporary_file("wrist.cnoid", "");
    const char *path = temporary_file("sweep.yaml", "sweep: 1\n"
                                                    "projects: wrist.cnoid\n"
                                                    "engine: mujoco\n"
                                                    "set:\n"
                                                    "  law: [stribeck, coulomb]\n");
    sweep_plan plan;
    CHECK(sweep_file_read(path, &rules, &plan));
    CHECK(sweep_plan_count(&plan) == 2);
    CHECK(strcmp(plan.engine, "mujoco") == 0);
    CHECK(checked == 1);
    sweep_plan_free(&plan);
}

/* What stands on stderr after a file is refused, without the folder. */
static void check_mistake(const char *text, const char *expected) {
    char said[2000];
    FILE *kept = tmpfile();
    const char *path = temporary_file("wrong.yaml", text);
    sweep_plan plan;
    fflush(stderr);
    const int before = dup(2);
    CHECK(kept && dup2(fileno(kept), 2) == 2);
    const bool fine = sweep_file_read(path, &rules, &plan);
    fflush(stderr);
    (void)dup2(before, 2);
    (void)close(before);
    if (!kept) return;
    rewind(kept);
    said[fread(said, 1, sizeof said - 1, kept)] = '\0';
    (void)fclose(kept);
    CHECK(!fine);
    CHECK_CONTAINS(said, expected);
    sweep_plan_free(&plan);
}

TEST(mistakes_are_told_with_line_and_column_in_plain_words) {
    check_mistake("", "wrong.yaml:1:1: the file is empty; it must say sweep: 1");
    check_mistake("sweep: 1\nset:\n  law: [a, b\n",
                  "wrong.yaml:4:1: this is not YAML: the '[' of line 3 is not closed");
    check_mistake("sweep: 1\nset:\n  law: a\n   kp: 1\n",
                  "wrong.yaml:4:4: this is not YAML: the line is indented by 3, expected 2");
    check_mistake(
        "sweep: 1\nset:\n  joints.*WR*.law: a\n  *WR*: 1\n",
        "wrong.yaml:4:3: this is not YAML: '*WR*' begins with *, as an alias does; quote");
    check_mistake("sweep: 1\nset:\n  lawe: a\n",
                  "wrong.yaml:3:3: set has no key 'lawe'; the nearest is 'law'");
    check_mistake("sweep: 1\nset: [law]\n", "wrong.yaml:2:6: set must be a map of keys and values");
    check_mistake("sweep: 1\nset:\n  law=a: b\n",
                  "wrong.yaml:3:3: a key of set has no '=': 'law=a'");
    check_mistake("sweep: 1\nset:\n  law: ['']\n", "wrong.yaml:3:9: law has no value");
    check_mistake("sweep: 1\nset:\n  law: [{a: b}]\n", "wrong.yaml:3:9: ");
    check_mistake("sweep: 1\nset:\n  law: [[a]]\n",
                  "wrong.yaml:3:9: law must be one value or a list of single values; a vector is "
                  "one text: \"0,0,-9.8\", and so is a list: \"[0.1, 0.2]\"");
    check_mistake("sweep: 1\nprojects: ['', {a: b}]\n", "wrong.yaml:2:12: projects has no value");
    check_mistake("sweep: 1\nprojects: ['']\nset:\n  controller.kp: 1\n",
                  "wrong.yaml:2:12: projects has no value");
    check_mistake("sweep: [1]\n", "wrong.yaml:1:8: sweep must be a single value");
    check_mistake("sweep: 2\n", "wrong.yaml:1:8: sweep 2 is a format that is not known here");
    check_mistake("sweep: 1\nengine: [ode]\n", "wrong.yaml:2:9: engine must be a single value");
    check_mistake("sweep: 1\ninterval: [1]\n", "wrong.yaml:2:11: interval must be a single value");
    check_mistake("sweep: 1\ninterval: inf\n", "wrong.yaml:2:11: interval 'inf' must be a number");
    check_mistake("sweep: 1\ninterval: 0\n", "wrong.yaml:2:11: interval '0' must be a number");
    check_mistake("sweep: 1\ninterval: soon\n", "wrong.yaml:2:11: interval 'soon' must be");
    check_mistake("sweep: 1\nengine: ode\n", "wrong.yaml:2:9: engine 'ode' must be mujoco");
    check_mistake("sweep: 1\nsweep: 1\n",
                  "wrong.yaml:2:1: the key 'sweep' is given twice, first in line 1");
    check_mistake("sweep: 1\n---\nsweep: 1\n",
                  "wrong.yaml:2:1: a second document begins here; a sweep is one");
}
