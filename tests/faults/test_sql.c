/*
 * The database of a sweep while calls on SQLite fail, each in turn: whoever fails says why and
 * where, what was not refused is as without failures, no row is half there, and the next one, whom
 * nothing fails, puts all right.
 */
#include <math.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../check.h"
#include "../sweep_rows.h"
#include "../temporary_folder.h"
#include "common/command.h"
#include "common/folder.h"
#include "shim.h"
#include "sweep/goal.h"
#include "sweep/inputs.h"
#include "sweep/objective.h"
#include "sweep/picture.h"
#include "sweep/tables.h"

/* ---- walks ---- */

/* What begins as `prepare` leaves it, and must be as `check` says, whatever failed. */
typedef struct scenario {
    const char *name;
    void (*prepare)(void);
    bool (*go)(void *);
    void (*check)(bool went_well);
} scenario;

static const char *trial = "";
static char out[128];

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) FAIL("%s: not true: %s", trial, #condition);                             \
    } while (0)

/* A full disk, a file that somebody spoilt, one that others hold, and one that may not be written;
 * for a moment, or from now on. */
static const struct {
    int code;
    bool on;
    const char *sentence;
} trials[] = {{SQLITE_FULL, false, "No space left on device"},
              {SQLITE_CORRUPT, true, "it is damaged"},
              {SQLITE_BUSY, false, "another program has it locked"},
              {SQLITE_READONLY, true, "it may not be written"}};
enum { trial_count = sizeof trials / sizeof trials[0] };

static void begin(const scenario *s) {
    (void)strcpy(temporary_root, "/dev/shm/stiction_test_XXXXXX");
    const char *root = mkdtemp(temporary_root) ? temporary_root : temporary_folder_make();
    (void)snprintf(out, sizeof out, "%s/out", root);
    CHECK(mkdir(out, 0777) == 0);
    s->prepare();
}

/* Every call of the first trial, of the others a sample; FAULTS_ALL: every one. */
static void fail_in_turn(const scenario *s) {
    static char text[200];
    long total = 0, refused = 0, all = 0;
    trial = text;
    for (int k = 0; k < trial_count; k++) {
        const long step = k && !getenv("FAULTS_ALL") ? 7 : 1;
        for (long n = k ? k : 0; n <= total && check_failures < 5; n += step) {
            stiction_error said = {.status = STICTION_OK};
            (void)snprintf(text, sizeof text, "%s: call %ld%s, %s", s->name, n,
                           trials[k].on ? " and all behind it" : "", trials[k].sentence);
            begin(s);
            faults_arm_sql(n, trials[k].on, trials[k].code);
            const bool fine = command_catch(s->go, NULL, &said);
            if (!n) total = faults_counted_sql();
            faults_arm_sql(0, false, 0);
            EXPECT(n || fine);
            all++;
            refused += !fine;
            if (!fine &&
                (!strstr(said.message, RECORDS_NAME) || !strstr(said.message, trials[k].sentence)))
                FAIL("%s: it says: %s", text, said.message);
            s->check(fine);
            folder_remove(temporary_root);
        }
    }
    printf("%s: %ld failures among %ld calls, %ld times refused\n", s->name, all, total, refused);
    CHECK(refused > all / 2); /* or nothing failed */
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

static bool put_run(records *r, size_t run) {
    return put_joints(r, &plan, run, 3);
}

/* Two files, whose digests have only this letter. */
static manifest files(char letter) {
    manifest list = {.entries = NULL};
    manifest_entry entry = {.name = "a.body"};
    memset(entry.digest, letter, sizeof entry.digest - 1);
    CHECK(manifest_add_entry(&list, &entry));
    entry.name = "b.yaml";
    CHECK(manifest_add_entry(&list, &entry));
    return list;
}

static bool put_files(records *r, size_t generation, char letter) {
    manifest list = files(letter);
    const bool fine = records_put_inputs(r, generation, &list);
    manifest_free(&list);
    return fine;
}

static bool writes_all(void) {
    records *r = records_open(out, &plan, DATABASE_WRITE);
    bool fine = r && put_files(r, 1, 'a') && put_files(r, 2, 'b');
    for (size_t run = 0; fine && run < run_count; run++) fine = put_run(r, run);
    return records_close(r) && fine;
}

static void prepare_nothing(void) {}

static void prepare_all(void) {
    CHECK(writes_all());
}

/* Every row is whole; how many there are, and whether these three figures are theirs. */
static size_t count_whole_rows(void) {
    records *r = records_open(out, &plan, DATABASE_READ);
    records_reader *reader = r ? records_read(r, 0, run_count) : NULL;
    record row;
    size_t count = 0, joints;
    while (reader && records_next(reader, &row)) {
        const record_joint *j = records_joints(reader, &joints);
        EXPECT(!row.is_damaged && joints == 3);
        for (size_t k = 0; k < joints; k++)
            EXPECT(fabs(j[k].figures[2]) == (double)row.run + 0.2 && isnan(j[k].figures[1]));
        count++;
    }
    EXPECT(reader && !records_failed(reader) && !records_foreign(reader));
    records_reader_free(reader);
    for (size_t g = 1; r && g <= 2; g++) { /* all of a list, or nothing */
        manifest list;
        EXPECT(records_inputs(r, g, &list) && list.count % 2 == 0);
        manifest_free(&list);
    }
    records_abandon(r);
    return count;
}

/* ---- writing ---- */

static bool go_write(void *user) {
    (void)user;
    records *r = records_open(out, &plan, DATABASE_WRITE);
    bool fine = r && put_files(r, 1, 'a') && records_flush(r);
    for (size_t run = 0; fine && run < run_count; run++)
        fine = put_run(r, run) && (run != 1 || records_flush(r));
    fine = fine && records_put_stamp(r, 0, 5) && records_remove(r, 3) && records_tick(r) &&
           put_run(r, 1); /* in place of the one before */
    return records_close(r) && fine;
}

static void check_write(bool fine) {
    struct stat status;
    const bool there = stat(temporary_path(out, RECORDS_NAME), &status) == 0;
    EXPECT(there || !fine);
    if (there) {
        const size_t count = count_whole_rows();
        EXPECT(fine ? count == 3 : count <= run_count);
    }
    EXPECT(writes_all() && count_whole_rows() == run_count);
}

TEST(rows_are_whole_or_absent_whatever_the_database_fails_at) {
    fail_in_turn(&(scenario){"writing", prepare_nothing, go_write, check_write});
}

/* A transaction that is lost takes all of it along, and the next one begins anew. */
static bool go_on_after(void *user) {
    (void)user;
    records *r = records_open(out, &plan, DATABASE_WRITE);
    bool fine = r != NULL;
    for (size_t run = 0; r && run < run_count; run++) fine = put_run(r, run) && fine;
    return records_close(r) && fine;
}

static void check_went_on(bool fine) {
    struct stat status;
    const bool there = stat(temporary_path(out, RECORDS_NAME), &status) == 0;
    const size_t count = there ? count_whole_rows() : 0;
    EXPECT(!fine || count == run_count);
    EXPECT(writes_all() && count_whole_rows() == run_count);
}

TEST(who_goes_on_after_a_failure_writes_whole_rows) {
    fail_in_turn(&(scenario){"going on", prepare_nothing, go_on_after, check_went_on});
}

/* ---- tables of an earlier version ---- */

/* Without the last figure. */
static void prepare_older(void) {
    prepare_all();
    size_t last = 0;
    while (joint_figure_at(last + 1)) last++;
    char *columns = copy_text(""), *sql, *path = format_text("%s/" RECORDS_NAME, out);
    for (size_t k = 0; k < last; k++) {
        char *longer = format_text("%s, %s REAL", columns, joint_figure_at(k)->name);
        free(columns);
        columns = longer;
    }
    sql = format_text("DROP VIEW results; DROP VIEW body_results; DROP TABLE figures; CREATE TABLE "
                      "figures(run INTEGER NOT NULL, place INTEGER NOT NULL, joint INTEGER NOT "
                      "NULL%s, PRIMARY KEY(run, place)) WITHOUT ROWID; INSERT INTO figures(run, "
                      "place, joint, final_position) VALUES(1, 0, 1, 0.5)",
                      columns);
    database *d = database_open(path, DATABASE_WRITE, 0x73746963, 1);
    CHECK(d && database_do(d, sql) && database_close(d));
    free(columns);
    free(sql);
    free(path);
}

static bool go_add_figures(void *user) {
    (void)user;
    records *r = records_open(out, &plan, DATABASE_WRITE);
    return r && records_close(r);
}

static double first_figure(database_mode mode) {
    records *r = records_open(out, &plan, mode);
    records_reader *reader = r ? records_read(r, 0, 1) : NULL;
    record row;
    size_t count = 0;
    const record_joint *j =
        reader && records_next(reader, &row) ? records_joints(reader, &count) : NULL;
    const double value = count ? j[0].figures[0] : (double)NAN;
    records_reader_free(reader);
    EXPECT(r && records_close(r));
    return value;
}

static void check_add_figures(bool fine) {
    (void)fine;
    EXPECT(first_figure(DATABASE_READ) == 0.5);
    EXPECT(first_figure(DATABASE_WRITE) == 0.5);
    EXPECT(writes_all() && count_whole_rows() == run_count);
}

TEST(tables_of_an_earlier_version_stay_until_the_new_ones_are_whole) {
    fail_in_turn(&(scenario){"older tables", prepare_older, go_add_figures, check_add_figures});
}

/* ---- reading ---- */

static size_t rows_read, files_read;

static bool go_read(void *user) {
    (void)user;
    record row;
    size_t last = 0;
    manifest list = {.entries = NULL};
    records *r = records_open(out, &plan, DATABASE_READ);
    records_reader *reader = r ? records_read(r, 0, run_count) : NULL;
    bool fine = reader && records_generations(r, &last) && records_inputs(r, last, &list);
    files_read = list.count;
    for (rows_read = 0; reader && records_next(reader, &row);) rows_read += !row.is_damaged;
    fine = fine && !records_failed(reader);
    records_reader_free(reader);
    manifest_free(&list);
    records_abandon(r);
    return fine;
}

static void check_read(bool fine) {
    EXPECT(!fine || (rows_read == run_count && files_read == 2));
    EXPECT(count_whole_rows() == run_count);
}

TEST(what_is_read_is_all_of_it_or_refused) {
    fail_in_turn(&(scenario){"reading", prepare_all, go_read, check_read});
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
    sweep_states states = sweep_states_read(out, &plan);
    be_quiet();
    const bool fine = !states.unread && sweep_show(&states);
    be_loud();
    sweep_states_free(&states);
    return fine;
}

static bool go_show(void *user) {
    (void)user;
    return shows();
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
    fail_in_turn(&(scenario){"tables", prepare_tables, go_show, check_show});
}

static bool go_draw(void *user) {
    (void)user;
    char *path = format_text("%s/p.svg", out);
    const char *const words[] = {path, out};
    const text_list arguments = {(const char **)(uintptr_t)words, 2};
    picture_counts counts;
    stiction_error error = {.status = STICTION_OK};
    sweep_picture p;
    be_quiet();
    const bool fine =
        (sweep_picture_read(&p, "x=kp,y=HIP.final_position,by=law", &arguments, NULL, &error) &&
         sweep_picture_draw(&p, p.folder, &counts, &error)) ||
        (error.status != STICTION_OK && report_error(&error));
    be_loud();
    sweep_picture_free(&p);
    free(path);
    return fine;
}

static void prepare_sweep(void) {
    sweep_store store;
    CHECK(sweep_store_look(&store, out, &plan, false) && sweep_store_take(&store));
    sweep_store_close(&store);
    prepare_all();
}

/* A dot a run, and one for each of the two lines in the legend. */
static void check_draw(bool fine) {
    size_t size, dots = 0;
    char *text = temporary_read(out, "p.svg", &size);
    for (const char *c = text; c && (c = strstr(c, "<circle")) != NULL; c++) dots++;
    EXPECT(fine ? dots == run_count + 2 : !text);
    free(text);
}

TEST(pictures_are_of_all_runs_or_not_drawn) {
    fail_in_turn(&(scenario){"pictures", prepare_sweep, go_draw, check_draw});
}

/* ---- the store ---- */

static const char summary[] = "{\"joints\": {\"HIP\": {\"final_position\": 0.5}}}";

static bool sweeps(void) {
    sweep_store store;
    bool fine = sweep_store_look(&store, out, &plan, false) && sweep_store_take(&store);
    for (size_t run = 0; fine && run < run_count; run++) {
        const sweep_outcome went = {.summary = summary}, fell = {.failure = "it fell"};
        fine = sweep_store_commit(&store, run, NULL, run == 2 ? &fell : &went);
        sweep_store_tick(&store);
    }
    sweep_states states = sweep_states_read(fine ? out : NULL, &plan);
    fine = sweep_states_settle(&states, &store) && fine;
    sweep_states_free(&states);
    sweep_store_close(&store);
    return fine;
}

static bool go_sweep(void *user) {
    (void)user;
    return sweeps();
}

static void check_sweep(bool fine) {
    for (int again = 0; again < 2; again++) {
        sweep_states s = sweep_states_read(out, &plan);
        EXPECT(!s.unread);
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
    fail_in_turn(&(scenario){"a sweep", prepare_nothing, go_sweep, check_sweep});
}

/* ---- the files that runs read ---- */

static size_t taken[3];

static bool go_take_over(void *user) {
    (void)user;
    static const char letters[] = {'a', 'c', 'b'};
    sweep_store store;
    bool fine = sweep_store_look(&store, out, &plan, false) && sweep_store_take(&store);
    for (size_t k = 0; fine && k < 3; k++) {
        manifest list = files(letters[k]);
        taken[k] = sweep_inputs_take_over(&store, &list);
        fine = taken[k] != 0;
        manifest_free(&list);
    }
    fine = fine && sweep_store_settle(&store);
    sweep_store_close(&store);
    return fine;
}

static void check_take_over(bool fine) {
    EXPECT(!fine || (taken[0] == 1 && taken[1] == 3 && taken[2] == 2));
    EXPECT(count_whole_rows() == run_count);
    EXPECT(go_take_over(NULL) && taken[0] == 1 && taken[1] == 3 && taken[2] == 2);
}

TEST(files_of_shards_are_told_apart_or_refused) {
    fail_in_turn(&(scenario){"shards", prepare_sweep, go_take_over, check_take_over});
}

static size_t generation;

/* The runs of this test read no file that is there: their list is an empty one. */
static bool go_check_files(void *user) {
    (void)user;
    sweep_store store;
    bool fine = sweep_store_look(&store, out, &plan, false);
    sweep_states states = sweep_states_read(NULL, &plan);
    char *file = format_text("%s/sweep.yaml", out);
    const sweep_runner r = {.store = &store, .states = &states, .file = file, .at_once = 1};
    sweep_inputs inputs = {.generation = 0};
    fine = fine && sweep_inputs_check(&inputs, &r, false) && sweep_store_take(&store) &&
           sweep_inputs_record(&inputs, &store);
    generation = inputs.generation;
    sweep_inputs_free(&inputs);
    sweep_states_free(&states);
    sweep_store_close(&store);
    free(file);
    return fine;
}

static void check_files(bool fine) {
    EXPECT(!fine || generation == 3); /* behind two with other files */
    EXPECT(count_whole_rows() == run_count);
}

TEST(files_are_compared_or_refused) {
    fail_in_turn(&(scenario){"files", prepare_sweep, go_check_files, check_files});
}

/* ---- a search ---- */

static double found;

static bool go_ask(void *user) {
    (void)user;
    records *r = records_open(out, &plan, DATABASE_READ);
    const bool fine = r && objective_of_run(&plan, r, 3, &found);
    records_abandon(r);
    return fine;
}

static void check_ask(bool fine) {
    EXPECT(!fine || found == 2 * 3.0);
}

TEST(goal_of_a_search_has_its_value_or_is_refused) {
    sweep_goal goal = {.objective = sweep_select_read("2 * HIP.final_position", NULL)};
    CHECK(goal.objective != NULL);
    plan.goal = &goal;
    fail_in_turn(&(scenario){"a goal", prepare_all, go_ask, check_ask});
    plan.goal = NULL;
    sweep_select_free(goal.objective);
}
