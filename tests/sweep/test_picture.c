/* SPDX-License-Identifier: MIT
 * Pictures of sweeps from rows that are made here: which runs fall together, what is shown of them,
 * and the errors of words that mean nothing.
 */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "sweep/picture.h"
#include "sweep/store.h"
#include "temporary_folder.h"

/* ---- sweeps ---- */

enum { most_values = 500, most_figures = 100 };
static char *two_projects[] = {"a/wrist.cnoid", "b/arm.cnoid"}, *laws[] = {"coulomb", "stribeck"},
            *torques[] = {"1", "2"};
static char texts[most_values][24], *values[most_values];
static sweep_parameter parameters[] = {{.key = "law", .values = laws, .count = 2},
                                       {.key = "controller.kp", .values = values, .count = 2},
                                       {.key = "a.static_torque", .values = torques, .count = 1},
                                       {.key = "b.static_torque", .values = torques, .count = 1}};
static sweep_plan plan = {.projects = two_projects,
                          .project_count = 1,
                          .engine = "mujoco",
                          .parameters = parameters,
                          .parameter_count = 4};
static char folder[128];

/* What a run came to: its figures are these, by the number of the run. */
typedef struct outcome {
    bool failed;
    double final_position, other; /* of the joints HIP and SLIDE */
} outcome;

static size_t figure_index(const char *name) {
    size_t k = 0;
    while (strcmp(joint_figure_at(k)->name, name) != 0) k++;
    return k;
}

static void put(records *r, size_t run, const outcome *o) {
    static double hip[most_figures], slide[most_figures], body[most_figures];
    for (int k = 0; k < most_figures; k++) hip[k] = slide[k] = body[k] = (double)NAN;
    hip[figure_index("final_position")] = o->final_position;
    slide[figure_index("final_position")] = o->other;
    hip[figure_index("dissipated_energy")] = -o->final_position;
    slide[figure_index("dissipated_energy")] = o->other;
    body[0] = 10 * o->other; /* its mass */
    const record_joint joints[] = {
        {"HIP", false, false, hip}, {"SLIDE", true, false, slide}, {"ROBOT", false, true, body}};
    const record row = {.run = run,
                        .failed = o->failed,
                        .reason = o->failed ? "it fell" : NULL,
                        .joints = joints,
                        .joint_count = o->failed ? 0 : 3};
    stiction_error error;
    CHECK(records_put(r, &row, &error));
}

/* Runs whose outcomes repeat themselves; `absent` of the last are not there. */
static void make_sweep(const outcome *outcomes, size_t count, size_t absent) {
    (void)snprintf(folder, sizeof folder, "%s/sweep", temporary_folder_make());
    AUTO(sweep_store_close) sweep_store store;
    stiction_error error;
    CHECK(sweep_store_open(&store, folder, &plan, false, &error) &&
          sweep_store_take(&store, &error));
    for (size_t run = 0; run + absent < sweep_plan_count(&plan); run++)
        put(store.records, run, &outcomes[run % count]);
    CHECK(records_commit(store.records, &error));
}

/* kp has so many values, which a format writes. */
static void set_values(const char *format, size_t count) {
    for (size_t k = 0; k < count; k++) {
        (void)snprintf(texts[k], sizeof texts[k], format, (int)k + 1);
        values[k] = texts[k];
    }
    parameters[1].count = count;
}

static const outcome fine[] = {{.final_position = 1, .other = 2},
                               {.final_position = 3, .other = 4}};

/* ---- drawing ---- */

typedef struct request {
    const char *spec, *arguments[3], *out;
} request;

static FILE *printed;

static bool draw_request(const request *q, stiction_error *error) {
    text_list arguments = {(const char **)(uintptr_t)q->arguments, 0};
    while (arguments.count < 3 && q->arguments[arguments.count]) arguments.count++;
    AUTO(sweep_picture_free) sweep_picture p;
    picture_counts counts;
    return sweep_picture_read(&p, q->spec, &arguments, q->out, error) &&
           sweep_picture_draw(&p, p.folder ? p.folder : folder, &counts, print_messages, error);
}

static bool run_request(const request *q, stiction_error *error) {
    printed = stdout;
    stdout = fopen("/dev/null", "w");
    const bool drawn = draw_request(q, error);
    (void)fclose(stdout);
    stdout = printed;
    return drawn;
}

static const char *picture_path(void) {
    static char path[160];
    (void)snprintf(path, sizeof path, "%s/p.svg", temporary_root);
    return path;
}

/* The picture; the caller frees it. */
static char *draw(const char *spec) {
    stiction_error error = {.status = STICTION_OK};
    const request q = {.spec = spec, .arguments = {folder, picture_path()}};
    char *text = calloc(1, 1 << 20);
    if (!run_request(&q, &error)) {
        FAIL("%s: %s", spec, error.message);
        return text;
    }
    FILE *file = fopen(picture_path(), "r");
    if (!file || !fread(text, 1, (1 << 20) - 1, file)) FAIL("%s: no picture", spec);
    if (file) (void)fclose(file);
    (void)unlink(picture_path());
    return text;
}

static void check_refused(const char *spec, const char *sentence) {
    stiction_error error = {.status = STICTION_OK};
    const request q = {.spec = spec, .arguments = {folder, picture_path()}};
    if (run_request(&q, &error)) FAIL("%s was drawn", spec);
    if (!strstr(error.message, sentence))
        FAIL("%s: '%s' lacks '%s'", spec, error.message, sentence);
    if (access(picture_path(), F_OK) == 0) FAIL("%s left a picture", spec);
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) count++;
    return count;
}

static void check_has(const char *spec, const char *part, size_t count) {
    AUTO_FREE char *text = draw(spec);
    if (count_of(text, part) != count)
        FAIL("%s: %zu of %s, not %zu", spec, count_of(text, part), part, count);
}

/* ---- what is named ---- */

TEST(columns_are_found_by_any_of_their_names) {
    set_values("%d", 3);
    make_sweep(fine, 2, 0);
    check_has("x=controller.kp,y=HIP.final_position", ">final position, HIP (rad)<", 1);
    check_has("x=kp,y=SLIDE.final_position", ">final position, SLIDE (m)<", 1);
    check_has("x=kp,y=|SLIDE.final_position|", ">|final position|, SLIDE (m)<", 1);
    check_has("x=kp,y=abs(HIP.final_position)", ">|final position|, HIP (rad)<", 1);
    check_has("x=kp,y=mass", ">mass, ROBOT (kg)<", 1);
    check_has("x=kp,y=ROBOT.mass", ">mass, ROBOT (kg)<", 1);
    /* of all joints with the unit of the first: HIP turns, SLIDE slides; energies are alike */
    check_has("x=kp,y=final_position", ">final position, HIP (rad)<", 1);
    check_has("x=kp,y=dissipated_energy", "worst joint (J)<", 1);
    check_has("x=project,y=HIP.final_position", ">project<", 1);
    check_has("x=project,y=HIP.final_position", ">wrist.cnoid<", 1);
    check_refused("x=kp,y=HIP.final_positon",
                  "y=HIP.final_positon: the sweep has no such setting or figure; the nearest is "
                  "'HIP.final_position'");
    check_refused("x=static_torque,y=mass",
                  "x=static_torque: 2 settings end so; give the whole key");
    check_refused("x=kp,y=||", "y=||: the sweep has no such");
    check_refused("x=kp,y=|mass", "y=|mass: the sweep has no such");
    check_refused("x=kp,y=abs(mass", "y=abs(mass: the sweep has no such");
    check_refused("x=kp,y=overshoot", "y=overshoot: the sweep has no such"); /* null in every run */
    check_refused("x=kp,y=mass,by=kv", "by=kv: the sweep has no such");
    check_refused("x=kp,y=mass,wrap=kv", "wrap=kv: the sweep has no such");
    check_refused("x=kp,y=mass,wrap=HIP.final_position", "a panel is for a value of a setting");
    check_refused("x=kp,y=mass,by=HIP.final_position", "a line is for a value of a setting");
    check_refused("x=kp,y=mass,z=HIP.final_position", "y=mass is a figure; a heat map is over two");
    temporary_folder_remove();
}

TEST(unknown_parts_of_the_option_are_refused) {
    set_values("%d", 2);
    make_sweep(fine, 2, 0);
    static const struct {
        const char *spec, *sentence;
    } cases[] = {{"x=kp", "needs x= and y="},
                 {"y=mass", "needs x= and y="},
                 {"kp,y=mass", "unknown key 'kp'"},
                 {"x==kp,y=mass", "unknown key 'x'"},
                 {"x=kp,y=mass,colour=1", "unknown key 'colour'"},
                 {"x=kp,y=mass,log=x,w", "log=w: unknown value"},
                 {"x=kp,y=mass,better=worse", "better=worse: unknown value"},
                 {"x=kp,y=mass,range=1", "range=1: must be LOW:HIGH"},
                 {"x=kp,y=mass,range=a:1", "range=a:1: must be LOW:HIGH"},
                 {"x=kp,y=mass,range=1:b", "range=1:b: must be LOW:HIGH"},
                 {"x=kp,y=mass,range=nan:1", "range=nan:1: must be LOW:HIGH"},
                 {"x=kp,y=mass,range=1:inf", "range=1:inf: must be LOW:HIGH"},
                 {"x=kp,y=mass,range=2:2", "range=2:2: must be LOW:HIGH"},
                 {"x=kp,y=law,z=mass,by=law", "by= is of lines"},
                 {"x=kp,y=mass,log=y,range=-1:", "-1 is not above 0, which log=y needs"},
                 {"x=kp,y=mass,range=1000:", "no value is in it"},
                 {"x=kp,y=law,z=mass,log=z,range=0:", "0 is not above 0, which log=z needs"},
                 {"x=kp,y=HIP.dissipated_energy,log=y", "needs values above 0"},
                 {"x=mass,y=HIP.dissipated_energy,log=y", "needs values above 0"},
                 {"x=HIP.dissipated_energy,y=mass,log=x", "needs values above 0"},
                 {"x=mass,y=HIP.final_position,log=y,range=-1:", "-1 is not above 0"},
                 {"x=kp,y=mass,where=mass > 1e9", "no run passes where=mass > 1e9"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_refused(cases[k].spec, cases[k].sentence);
    temporary_folder_remove();
}

TEST(arguments_are_recognised_in_any_order) {
    set_values("%d", 2);
    make_sweep(fine, 2, 0);
    const char *svg = picture_path();
    const struct {
        request q;
        const char *sentence; /* NULL: drawn */
    } cases[] = {
        {{.spec = "x=kp,y=mass", .arguments = {svg, folder}}, NULL},
        {{.spec = "x=kp,y=mass", .arguments = {svg}, .out = folder}, NULL},
        {{.spec = "x=kp,y=mass", .arguments = {folder}}, "needs the file of the picture"},
        {{.spec = "x=kp,y=mass", .arguments = {".svg", folder}}, "needs the file of the picture"},
        {{.spec = "x=kp,y=mass", .arguments = {svg, folder, folder}}, "are one too many"},
        {{.spec = "x=kp,y=mass", .arguments = {svg, "s.yaml", "t.yaml"}}, "are one too many"},
        {{.spec = "x=kp,y=mass", .arguments = {svg, "s.yaml", folder}}, "or its folder, not both"},
        {{.spec = "x=kp,y=mass", .arguments = {svg, folder}, .out = folder}, "give --out or the"},
        {{.spec = "x=kp,y=mass", .arguments = {svg}, .out = "/nowhere"},
         "there is no sweep in it"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        stiction_error error = {.status = STICTION_OK};
        const bool drawn = run_request(&cases[k].q, &error);
        if (drawn != !cases[k].sentence) FAIL("case %zu: %s", k, error.message);
        if (cases[k].sentence && !drawn) CHECK_CONTAINS(error.message, cases[k].sentence);
        (void)unlink(svg);
    }
    /* a sweep of an earlier version has no database */
    CHECK(unlink(temporary_path(folder, RECORDS_NAME)) == 0);
    check_refused("x=kp,y=mass", "it has no sweep.db");
    temporary_write(folder, "sweep.db", "no database");
    check_refused("x=kp,y=mass", "it is damaged");
    temporary_write(folder, "sweep.json", "{}");
    check_refused("x=kp,y=mass", "there is no sweep in it");
    temporary_folder_remove();
}

/* ---- which runs ---- */

TEST(conditions_compare_figures_with_figures) {
    static const outcome mixed[] = {{.final_position = 1, .other = 1},
                                    {.final_position = 2, .other = 1},
                                    {.final_position = (double)NAN, .other = 3},
                                    {.failed = true}};
    set_values("%d", 4);
    make_sweep(mixed, 4, 0);
    /* two laws, four values of kp: a dot a run, as x is a figure */
    check_has("x=SLIDE.final_position,y=mass", "h0", 6);
    check_has("x=SLIDE.final_position,y=mass,where=HIP.final_position == SLIDE.final_position",
              "h0", 2);
    check_has("x=SLIDE.final_position,y=mass,where=HIP.final_position IS NOT SLIDE.final_position",
              "h0", 4);
    check_has("x=SLIDE.final_position,y=mass,where=HIP.final_position > SLIDE.final_position", "h0",
              2);
    check_has("x=SLIDE.final_position,y=mass,where=HIP.final_position IS NULL", "h0", 2);
    check_has("x=SLIDE.final_position,y=mass,where=law == coulomb && SLIDE.final_position < 2",
              "h0", 2);
    check_refused("x=kp,y=mass,where=nothing > 3", "where=nothing: the sweep has no such");
    temporary_folder_remove();
}

TEST(missing_runs_are_reported_and_left_out) {
    set_values("%d", 4);
    make_sweep(fine, 2, 3);
    check_has("x=kp,y=mass", "h0", 4); /* of the second law only the first is there */
    check_has("x=kp,y=mass,by=law", "h0", 5 + 2);
    check_has("x=kp,y=law,z=mass", "crispEdges", 128 + 5); /* three cells are empty */
    temporary_folder_remove();
    make_sweep(fine, 2, 8);
    check_refused("x=kp,y=mass", "the sweep has no such"); /* of no run there is a figure */
    temporary_folder_remove();
}

TEST(best_and_worst_follow_what_is_better) {
    static const outcome rising[] = {{.final_position = 1, .other = 1},
                                     {.final_position = 2, .other = 2}};
    set_values("%d", 1);
    make_sweep(rising, 2, 0); /* the two laws fall together */
    static const struct {
        const char *more, *value;
    } cases[] = {{",of=best", ">10<"},
                 {",of=worst", ">20<"},
                 {",of=mean", ">15<"},
                 {",of=best,better=higher", ">20<"},
                 {",of=worst,better=higher", ">10<"},
                 {",of=best,better=lower", ">10<"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        AUTO_FREE char *spec =
            format_text("x=kp,y=a.static_torque,z=mass,range=0:100%s", cases[k].more);
        AUTO_FREE char *text = draw(spec);
        /* the cell's number is smaller than those of the bar */
        AUTO_FREE char *cell = format_text("font-size=\"12\" fill=\"#ffffff\"%s", cases[k].value);
        if (!strstr(text, cell)) FAIL("%s lacks %s", spec, cell);
    }
    temporary_folder_remove();
}

TEST(cells_without_a_value_are_not_those_that_failed) {
    static const outcome mixed[] = {{.final_position = (double)NAN, .other = 1},
                                    {.failed = true},
                                    {.final_position = 2, .other = 2}};
    set_values("%d", 3);
    make_sweep(mixed, 3, 0);
    check_has("x=kp,y=law,z=HIP.final_position", ">no value<", 1);
    check_has("x=kp,y=law,z=HIP.final_position", ">failed<", 1);
    check_has("x=kp,y=HIP.final_position", ">failed<", 1);
    /* nothing has a value: an axis there is all the same */
    check_has("x=kp,y=HIP.final_position,where=kp < 3", "h0", 0);
    check_has("x=kp,y=HIP.final_position,where=kp < 3,log=y", ">10<", 1);
    temporary_folder_remove();
}

/* ---- groups ---- */

TEST(more_numbers_than_cells_are_binned) {
    set_values("%d", 50);
    make_sweep(fine, 2, 0);
    check_has("x=kp,y=law,z=mass", "crispEdges", 128 + 2 * 20);
    check_has("x=kp,y=law,z=mass", ">1 to 3.45<", 1);
    check_has("x=kp,y=law,z=mass,log=x", ">1 to 1.22<", 1);
    check_has("x=law,y=kp,z=mass,log=y", ">1 to 1.22<", 1);
    temporary_folder_remove();
    set_values("-%d", 50); /* of which there is no logarithm */
    make_sweep(fine, 2, 0);
    check_has("x=kp,y=law,z=mass,log=x", ">-50 to -47.5<", 1);
    check_refused("x=kp,y=mass,log=x", "log=x: kp is -50 somewhere");
    temporary_folder_remove();
    set_values("%d", 450); /* more points than a line shows one by one */
    make_sweep(fine, 2, 0);
    check_has("x=kp,y=mass,where=law == coulomb", "h0", 20);
    temporary_folder_remove();
}

TEST(texts_keep_their_order_and_are_limited) {
    set_values("word %d", 8);
    make_sweep(fine, 2, 0);
    check_refused("x=law,y=mass,by=kp", "kp has more than 7 values that are not numbers");
    check_has("x=kp,y=mass", ">word 8<", 1);
    check_has("x=kp,y=mass", "h0", 8);
    temporary_folder_remove();
    set_values("word %d", 17);
    make_sweep(fine, 2, 0);
    check_refused("x=law,y=mass,wrap=kp", "kp has more than 16 values that are not numbers");
    temporary_folder_remove();
    set_values("", 1);
    make_sweep(fine, 2, 0);
    check_has("x=kp,y=mass", ">(not set)<", 1);
    temporary_folder_remove();
}

TEST(several_projects_are_panels) {
    plan.project_count = 2;
    set_values("%d", 2);
    make_sweep(fine, 2, 0);
    check_has("x=kp,y=mass,wrap=project", ">project = wrist.cnoid<", 1);
    check_has("x=kp,y=mass,wrap=project", ">project = arm.cnoid<", 1);
    check_has("x=mass,y=HIP.final_position,by=project", "h0", 8 + 2);
    temporary_folder_remove();
    plan.project_count = 1;
}
