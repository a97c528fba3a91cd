/* SPDX-License-Identifier: MIT
 * The database of a sweep while calls on SQLite fail, each in turn: an error says why and
 * where, what was not refused is as without failures, no row is half there, and the next one, whom
 * nothing fails, puts all right.
 */
#include <math.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../sweep_rows.h"
#include "common/command.h"
#include "sweep/goal.h"
#include "sweep/picture.h"
#include "sweep/run_values.h"
#include "sweep/tables.h"
#include "walks.h"

/* A full disk, a file that somebody spoilt, one that others hold, and one that may not be written;
 * for a moment, or from now on. */
static const kind_of_failure kinds[] = {
    {"full", SQLITE_FULL, 1, RECORDS_NAME ": No space left on device"},
    {"spoilt from now on", SQLITE_CORRUPT, ~0U, RECORDS_NAME ": it is damaged"},
    {"busy", SQLITE_BUSY, 1, RECORDS_NAME ": database is locked"},
    {"read-only from now on", SQLITE_READONLY, ~0U, RECORDS_NAME ": attempt to write a readonly"}};

static void arm(long n, const kind_of_failure *kind) {
    faults_arm_sql(n, kind->which != 1, kind->why);
}

static long disarm(void) {
    const long calls = faults_counted_sql();
    faults_arm_sql(0, false, 0);
    return calls;
}

static void walk(const scenario *s) {
    fail_in_turn(s, kinds, sizeof kinds / sizeof kinds[0]);
}

/* ---- what is in it ---- */

static char *projects[] = {"a.cnoid"}, *laws[] = {"coulomb", "stribeck"}, *gains[] = {"20", "50"};
static sweep_parameter parameters[] = {{.key = "law", .values = laws, .count = 2},
                                       {.key = "kp", .values = gains, .count = 2}};
static sweep_plan plan = {.projects = projects,
                          .project_count = 1,
                          .engine = "mujoco",
                          .parameters = parameters,
                          .parameter_count = 2};
enum { run_count = 4 };

/* Two files. */
static bool put_files(records *r) {
    manifest list = {.entries = NULL};
    manifest_entry entry = {.name = "a.body"};
    memset(entry.digest, 'a', sizeof entry.digest - 1);
    CHECK(manifest_add_entry(&list, &entry));
    entry.name = "b.yaml";
    CHECK(manifest_add_entry(&list, &entry));
    const bool fine = records_put_inputs(r, &list, &error);
    manifest_free(&list);
    return fine;
}

static bool writes_all(void) {
    records *r = records_create(out, &plan, &error);
    bool fine = r && put_files(r);
    for (size_t run = 0; fine && run < run_count; run++)
        fine = put_joints(r, run, 3, &error) && (run != 1 || records_commit(r, &error));
    fine = fine && records_commit(r, &error);
    records_close(r);
    return fine;
}

static void prepare_nothing(void) {
    CHECK(mkdir(out, 0777) == 0);
}

static void prepare_all(void) {
    prepare_nothing();
    CHECK(writes_all());
}

static void check_row(const record *row) {
    EXPECT(row->joint_count == 3);
    for (size_t k = 0; k < row->joint_count; k++)
        EXPECT(fabs(row->joints[k].figures[2]) == (double)row->run + 0.2 &&
               isnan(row->joints[k].figures[1]));
}

static size_t rows_read, files_read;

static bool reads_all(void) {
    manifest list = {.entries = NULL};
    rows_read = files_read = 0;
    records *r = records_open(out, &plan, &error);
    const bool fine = r && records_inputs(r, &list, &error);
    record_cursor c = records_begin(r, 0, run_count, true);
    for (; fine && records_next(&c, &error); rows_read++) check_row(&c.row);
    records_end(&c);
    files_read = list.count;
    manifest_free(&list);
    records_close(r);
    return fine && !c.failed;
}

/* ---- writing and reading ---- */

/* Every row is whole, or absent. */
static void check_write(bool fine) {
    struct stat status;
    const bool there = stat(temporary_path(out, RECORDS_NAME), &status) == 0;
    EXPECT(there || !fine);
    if (there && reads_all()) {
        EXPECT(fine ? rows_read == run_count : rows_read <= run_count);
        EXPECT(files_read % 2 == 0);
    }
    EXPECT(writes_all() && reads_all() && rows_read == run_count);
}

TEST(rows_are_whole_or_absent_whatever_the_database_fails_at) {
    walk(&(scenario){"writing", prepare_nothing, writes_all, check_write, 7, false});
}

static void check_read(bool fine) {
    EXPECT(!fine || (rows_read == run_count && files_read == 2));
    EXPECT(reads_all() && rows_read == run_count);
}

TEST(what_is_read_is_all_of_it_or_refused) {
    walk(&(scenario){"reading", prepare_all, reads_all, check_read, 7, false});
}

/* ---- tables and pictures ---- */

static FILE *printed;

/* What is printed meanwhile is not looked at. */
static void be_quiet(void) {
    printed = stdout;
    stdout = fopen("/dev/null", "w");
}

static void be_loud(void) {
    (void)fclose(stdout);
    stdout = printed;
}

static bool shows(void) {
    sweep_states states;
    be_quiet();
    const bool fine =
        sweep_states_read_folder(&states, out, &plan, &error) && sweep_show(&states, &error);
    be_loud();
    sweep_states_free(&states);
    return fine;
}

static size_t count_lines(const char *name) {
    size_t size, count = 0;
    char *text = temporary_read(out, name, &size);
    for (const char *c = text; c && *c; c++) count += *c == '\n';
    free(text);
    return count;
}

static void prepare_tables(void) {
    prepare_all();
    CHECK(shows() && count_lines("sweep.csv") == run_count + 1);
}

static void check_show(bool fine) {
    (void)fine;
    EXPECT(count_lines("sweep.csv") == run_count + 1); /* the new ones, or the old ones */
}

TEST(tables_stay_where_the_new_ones_would_lack_rows) {
    walk(&(scenario){"tables", prepare_tables, shows, check_show, 7, false});
}

static bool go_draw(void) {
    char *path = format_text("%s/p.svg", out);
    const char *const files[] = {path, out};
    const text_list arguments = {(const char **)(uintptr_t)files, 2};
    picture_counts counts;
    error.status = STICTION_OK;
    sweep_picture p;
    be_quiet();
    const bool fine =
        sweep_picture_read(&p, "x=kp,y=HIP.final_position,by=law", &arguments, NULL, &error) &&
        sweep_picture_draw(&p, p.folder, &counts, &error);
    be_loud();
    sweep_picture_free(&p);
    free(path);
    return fine;
}

static void prepare_sweep(void) {
    sweep_store store;
    prepare_nothing();
    CHECK(sweep_store_open(&store, out, &plan, false, &error) && sweep_store_take(&store, &error));
    sweep_store_close(&store);
    CHECK(writes_all());
}

/* A dot a run, and one for each of the two lines in the legend. */
static void check_draw(bool fine) {
    size_t size, dots = 0;
    char *text = temporary_read(out, "p.svg", &size);
    for (const char *c = text; c && (c = strstr(c, "h0")) != NULL; c++) dots++;
    EXPECT(fine ? dots == run_count + 2 : !text);
    free(text);
}

TEST(pictures_are_of_all_runs_or_not_drawn) {
    walk(&(scenario){"pictures", prepare_sweep, go_draw, check_draw, 7, false});
}

/* ---- the store ---- */

static bool sweeps(void) {
    sweep_store store;
    json_t *summary = json_loads("{\"joints\": {\"HIP\": {\"final_position\": 0.5}}}", 0, NULL);
    bool fine =
        sweep_store_open(&store, out, &plan, false, &error) && sweep_store_take(&store, &error);
    for (size_t run = 0; fine && run < run_count; run++) {
        const sweep_outcome done = {.summary = summary}, failed = {.failure = "it fell"};
        fine = sweep_store_commit(&store, run, NULL, run == 2 ? &failed : &done, &error);
    }
    fine = fine && records_commit(store.records, &error);
    sweep_store_close(&store);
    json_decref(summary);
    return fine;
}

static void check_sweep(bool fine) {
    for (int again = 0; again < 2; again++) {
        sweep_states s;
        EXPECT(sweep_states_read_folder(&s, out, &plan, &error));
        for (size_t run = 0; run < run_count; run++) {
            EXPECT(s.states[run] == (run == 2 ? SWEEP_FAILED : SWEEP_DONE) ||
                   (!fine && s.states[run] == SWEEP_ABSENT));
            EXPECT(s.states[run] != SWEEP_FAILED || strcmp(s.reasons[run], "it fell") == 0);
        }
        sweep_states_free(&s);
        EXPECT(again || sweeps());
        fine = true;
    }
}

TEST(runs_count_as_done_only_where_their_rows_are) {
    walk(&(scenario){"a sweep", prepare_nothing, sweeps, check_sweep, 7, false});
}

/* ---- a search ---- */

static double found;

static bool go_ask(void) {
    records *r = records_open(out, &plan, &error);
    const bool fine = r && objective_of_run(&plan, r, 3, &found, &error);
    records_close(r);
    return fine;
}

static void check_ask(bool fine) {
    EXPECT(!fine || found == 2 * 3.0);
}

TEST(goal_of_a_search_has_its_value_or_is_refused) {
    sweep_goal goal = {.objective = sweep_select_read("2 * HIP.final_position", NULL)};
    CHECK(goal.objective != NULL);
    plan.goal = &goal;
    walk(&(scenario){"a goal", prepare_all, go_ask, check_ask, 7, false});
    plan.goal = NULL;
    sweep_select_free(goal.objective);
}
