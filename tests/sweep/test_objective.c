/*
 * The value of a search's goal from rows that are made here, and names in it that mean nothing.
 */
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "sweep/goal.h"
#include "sweep/objective.h"
#include "temporary_folder.h"

static char *projects[] = {"a.cnoid"}, *gains[] = {"20", "50"}, *laws[] = {"coulomb"},
            path[] = "s.yaml";
static sweep_parameter parameters[] = {{.key = "controller.kp", .values = gains, .count = 2},
                                       {.key = "law", .values = laws, .count = 1}};
static sweep_goal goal = {.spot = {4, 11}};
static sweep_plan plan = {.projects = projects,
                          .project_count = 1,
                          .engine = "mujoco",
                          .parameters = parameters,
                          .parameter_count = 2,
                          .path = path,
                          .goal = &goal};
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
    records *r = records_open(temporary_folder_make(), &plan, DATABASE_WRITE);
    char *name = sweep_plan_name(&plan, 0);
    const record row = {.run = 0, .name = name};
    CHECK(r && records_put(r, &row, all, joints ? 3 : 0) && records_flush(r));
    free(name);
    return r;
}

typedef struct question {
    records *there;
    size_t run;
    double value;
} question;

static bool ask(void *user) {
    question *q = user;
    return objective_of_run(&plan, q->there, q->run, &q->value);
}

/* What a call says on stderr: places are not for the library. Until the next one. */
static const char *said_by(bool (*call)(void *), void *user, bool *fine) {
    static char text[2000];
    FILE *file = tmpfile();
    const int before = dup(STDERR_FILENO);
    CHECK(file && before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    *fine = call(user);
    CHECK(fflush(stderr) == 0 && dup2(before, STDERR_FILENO) >= 0);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    (void)close(before);
    return text;
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
        question q = {.there = r, .run = 0};
        CHECK(objective_check(&plan) && ask(&q));
        if (isnan(cases[k].value) ? !isnan(q.value) : q.value != cases[k].value)
            FAIL("%s is %g, not %g", cases[k].text, q.value, cases[k].value);
        sweep_select_free(goal.objective);
    }
    records_abandon(r);
    temporary_folder_remove();
}

TEST(names_that_nothing_has_are_told_with_the_nearest) {
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"HIPP.final_position",
         "s.yaml:4:11: no run has a figure 'HIPP.final_position'; the nearest is "
         "'HIP.final_position'"},
        {"ROBOTS.mass", "no run has a figure 'ROBOTS.mass'; the nearest is 'ROBOT.mass'"},
        {"HIP.mass", "it is JOINT.FIGURE, such as HIP.final_position"}, /* mass is of bodies */
        {"com_error_rms", "no run has a figure 'com_error_rms'"},
        {"Zz.creep", "no run has a figure 'Zz.creep'"},
        {"law", "s.yaml:4:11: 'coulomb' is not a number"}};
    records *r = make_records(true);
    bool fine;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        set_goal(cases[k].text);
        question q = {.there = r, .run = 0};
        CHECK_CONTAINS(said_by(ask, &q, &fine), cases[k].sentence);
        CHECK(!fine && isnan(q.value));
        sweep_select_free(goal.objective);
    }
    /* a run without a row */
    set_goal("HIP.final_position");
    question q = {.there = r, .run = 1};
    CHECK_CONTAINS(said_by(ask, &q, &fine), "the record of run 2 is not there");
    CHECK(!fine);
    records_abandon(r);
    temporary_folder_remove();
    /* one without joints has no names to be near to */
    r = make_records(false);
    q = (question){.there = r, .run = 0};
    CHECK_CONTAINS(said_by(ask, &q, &fine), "no run has a figure 'HIP.final_position'\n");
    CHECK(!fine);
    records_abandon(r);
    sweep_select_free(goal.objective);
    temporary_folder_remove();
}

static bool check(void *user) {
    return objective_check(user);
}

TEST(figures_that_there_are_not_are_told_before_a_run) {
    static const struct {
        const char *text, *sentence; /* NULL: joints are known behind the first run */
    } cases[] = {{"ANY.rms_error", NULL},
                 {"ANY.mass", NULL},
                 {"kp", NULL},
                 {"ANY.rms_eror", "there is no figure 'rms_eror'; the nearest is 'rms_error'"},
                 {"rms_eror", "there is no figure 'rms_eror'"},
                 {"kpp", "there is no figure 'kpp'"}};
    bool fine;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        set_goal(cases[k].text);
        const char *said = said_by(check, &plan, &fine);
        if (fine != !cases[k].sentence) FAIL("%s", cases[k].text);
        if (cases[k].sentence) CHECK_CONTAINS(said, cases[k].sentence);
        sweep_select_free(goal.objective);
    }
}
