/*
 * The database of a sweep: what is written is read back, or was never there; tables of earlier and
 * later versions are read; rows of others are none.
 */
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "sweep/records.h"
#include "sweep_rows.h"
#include "temporary_folder.h"

enum { whose = 42, version = 3 };

static database *open_or_fail(database_mode mode) {
    database *d = database_open(temporary_path(temporary_root, "d.db"), mode, whose, version);
    CHECK(d != NULL);
    return d;
}

static int64_t count_rows(database *d) {
    query *q = query_prepare(d, "SELECT count(*) FROM t");
    const int64_t count = query_next(q) ? query_integer(q, 0) : -1;
    query_free(q);
    return count;
}

static void make_table(void) {
    database *d = open_or_fail(DATABASE_WRITE);
    CHECK(database_version(d) == 0);
    CHECK(database_do(d, "CREATE TABLE t(a, b, c)") && database_set_version(d, whose, version));
    CHECK(database_close(d));
}

TEST(cells_are_read_back_as_they_were_written) {
    (void)temporary_folder_make();
    make_table();
    database *d = open_or_fail(DATABASE_WRITE);
    CHECK(database_version(d) == version && database_begin(d));
    query *q = query_prepare(d, "INSERT INTO t VALUES(?, ?, ?)");
    const double third = 1.0 / 3;
    query_set_text(q, 1, "it's \"so\"");
    query_set_integer(q, 2, INT64_MIN);
    query_set_number(q, 3, third);
    CHECK(query_run(q));
    query_set_text(q, 1, NULL);
    query_set_number(q, 2, (double)NAN);
    query_set_number(q, 3, (double)INFINITY);
    CHECK(query_run(q));
    query_free(q);
    CHECK(database_close(d));
    d = open_or_fail(DATABASE_READ);
    q = query_prepare(d, "SELECT a, b, c FROM t");
    CHECK(query_next(q) && strcmp(query_text(q, 0), "it's \"so\"") == 0);
    CHECK(query_integer(q, 1) == INT64_MIN && query_number(q, 2) == third);
    CHECK(query_next(q) && !query_text(q, 0) && query_is_null(q, 1));
    CHECK(isnan(query_number(q, 1)) && isnan(query_number(q, 2)));
    CHECK(!query_next(q) && !query_failed(q));
    query_free(q);
    database_abandon(d);
    char *quoted = database_quoted("a\"b");
    CHECK(strcmp(quoted, "\"a\"\"b\"") == 0);
    free(quoted);
    temporary_folder_remove();
}

/* In a child that ends as one that is killed does. */
static void killed_after(bool flush) {
    const pid_t child = fork();
    if (child == 0) {
        database *d =
            database_open(temporary_path(temporary_root, "d.db"), DATABASE_WRITE, whose, version);
        bool fine = d && database_begin(d) && database_do(d, "INSERT INTO t VALUES(1, 2, 3)");
        if (flush) fine = fine && database_flush(d) && !database_waits(d);
        _exit(fine ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

TEST(what_waits_is_lost_with_its_process_and_what_was_flushed_is_not) {
    (void)temporary_folder_make();
    make_table();
    killed_after(false);
    database *d = open_or_fail(DATABASE_READ);
    CHECK(count_rows(d) == 0);
    database_abandon(d);
    killed_after(true);
    killed_after(true);
    d = open_or_fail(DATABASE_WRITE);
    CHECK(count_rows(d) == 2);
    CHECK(database_begin(d) && database_do(d, "DELETE FROM t"));
    database_undo(d);
    CHECK(count_rows(d) == 2 && !database_waits(d));
    /* the first of a group does not wait, those behind it do */
    CHECK(database_begin(d) && database_do(d, "DELETE FROM t WHERE rowid = 1"));
    CHECK(database_tick(d) && !database_waits(d));
    CHECK(database_begin(d) && database_do(d, "DELETE FROM t"));
    CHECK(database_tick(d) && database_waits(d));
    database_abandon(d);
    d = open_or_fail(DATABASE_READ);
    CHECK(count_rows(d) == 1);
    database_abandon(d);
    temporary_folder_remove();
}

/* ---- records ---- */

static char *projects[] = {"a.cnoid"}, *laws[] = {"coulomb", "stribeck"}, *gains[] = {"20", "050"};
static sweep_parameter parameters[] = {{.key = "law", .values = laws, .count = 2},
                                       {.key = "LAW", .values = gains, .count = 2}};
static const sweep_plan plan = {.projects = projects,
                                .project_count = 1,
                                .engine = "mujoco",
                                .parameters = parameters,
                                .parameter_count = 2};

static bool put_run(records *r, size_t run, size_t joints) {
    return put_joints(r, &plan, run, joints);
}

static records *open_records(database_mode mode) {
    records *r = records_open(temporary_root, &plan, mode);
    CHECK(r != NULL);
    return r;
}

static void check_run(records_reader *reader, size_t run, size_t joints) {
    record row;
    size_t count;
    CHECK(records_next(reader, &row) && row.run == run && !row.failed && !row.reason);
    CHECK(row.inputs == 1 && row.stamp == -7 && !row.has_series);
    const record_joint *there = records_joints(reader, &count);
    CHECK(count == joints);
    for (size_t k = 0; k < count; k++) {
        CHECK(strcmp(there[k].name, k == 1 ? "SLIDE" : "HIP") == 0);
        CHECK(there[k].prismatic == (k == 1) && there[k].is_body == (k == 2));
        CHECK_NEAR(there[k].figures[2], (k == 2 ? -1 : 1) * ((double)run + 0.2), 1e-15);
        CHECK(isnan(there[k].figures[1]));
    }
}

TEST(figures_are_read_back_run_by_run) {
    (void)temporary_folder_make();
    records *r = open_records(DATABASE_WRITE);
    CHECK(put_run(r, 2, 3) && put_run(r, 0, 0) && put_run(r, 1, 1) && put_run(r, 3, 2));
    CHECK(put_run(r, 1, 3)); /* in place of the one before */
    CHECK(records_remove(r, 3) && records_close(r));
    r = open_records(DATABASE_READ);
    records_reader *reader = records_read(r, 0, 4);
    record row;
    check_run(reader, 0, 0);
    CHECK(records_next(reader, &row) && row.run == 1); /* whose figures nobody asks for */
    check_run(reader, 2, 3);
    CHECK(!records_next(reader, &row) && !records_failed(reader) && !records_foreign(reader));
    records_reader_free(reader);
    reader = records_read(r, 1, 2);
    check_run(reader, 1, 3);
    CHECK(!records_next(reader, &row));
    records_reader_free(reader);
    records_abandon(r);
    temporary_folder_remove();
}

static void change(const char *sql) {
    database *d =
        database_open(temporary_path(temporary_root, RECORDS_NAME), DATABASE_WRITE, 0x73746963, 1);
    CHECK(d && database_do(d, sql) && database_close(d));
}

/* The table of figures without its third, or with one more. */
static void make_figures_anew(bool more) {
    char *sql = copy_text("DROP VIEW results; DROP TABLE figures; CREATE TABLE figures(run INTEGER "
                          "NOT NULL, place INTEGER NOT NULL, joint INTEGER NOT NULL");
    const joint_figure *f;
    for (size_t k = 0; (f = joint_figure_at(k)); k++) {
        if (!more && k == 2) continue;
        char *longer = format_text("%s, %s REAL", sql, f->name);
        free(sql);
        sql = longer;
    }
    char *whole = format_text("%s%s, PRIMARY KEY(run, place)) WITHOUT ROWID; INSERT INTO "
                              "figures(run, place, joint, final_position) VALUES(1, 0, 1, 0.5)",
                              sql, more ? ", new_figure REAL" : "");
    change(whole);
    free(whole);
    free(sql);
}

static double figure_of_first(records *r, size_t figure) {
    records_reader *reader = records_read(r, 0, 1);
    record row;
    size_t count = 0;
    const record_joint *joints = records_next(reader, &row) ? records_joints(reader, &count) : NULL;
    const double value = count == 1 ? joints[0].figures[figure] : -1;
    records_reader_free(reader);
    return value;
}

TEST(tables_of_other_versions_are_read_and_get_the_figures_that_they_lack) {
    for (int more = 0; more < 2; more++) {
        (void)temporary_folder_make();
        records *r = open_records(DATABASE_WRITE);
        CHECK(put_run(r, 0, 1) && records_close(r));
        make_figures_anew(more);
        r = open_records(DATABASE_READ);
        CHECK(figure_of_first(r, 0) == 0.5 && isnan(figure_of_first(r, 2)));
        records_abandon(r);
        r = open_records(DATABASE_WRITE);
        CHECK(figure_of_first(r, 0) == 0.5);
        CHECK(put_run(r, 1, 1) && records_close(r));
        r = open_records(DATABASE_READ);
        CHECK(figure_of_first(r, 0) == 0.5);
        records_reader *reader = records_read(r, 1, 2);
        check_run(reader, 1, 1);
        records_reader_free(reader);
        records_abandon(r);
        temporary_folder_remove();
    }
}

TEST(rows_of_others_are_none) {
    static const char *const changes[] = {
        "UPDATE runs SET name = 'x'", "UPDATE runs SET number = 9", "UPDATE runs SET number = -1",
        "UPDATE runs SET status = 'perhaps'", "UPDATE runs SET name = x'ff00ff'"};
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        (void)temporary_folder_make();
        records *r = open_records(DATABASE_WRITE);
        CHECK(put_run(r, 0, 1) && records_close(r));
        change(changes[k]);
        r = open_records(DATABASE_READ);
        records_reader *reader = records_read(r, 0, 100);
        record row;
        CHECK(!records_next(reader, &row) && !records_failed(reader));
        CHECK(records_foreign(reader) == (k == 2 ? 0 : 1));
        records_reader_free(reader);
        records_abandon(r);
        temporary_folder_remove();
    }
}

TEST(settings_are_numbers_where_they_look_so_and_names_that_sql_takes_for_one_are_two) {
    (void)temporary_folder_make();
    records *r = open_records(DATABASE_WRITE);
    for (size_t run = 0; run < 4; run++) CHECK(put_run(r, run, 1));
    CHECK(records_close(r));
    database *d =
        database_open(temporary_path(temporary_root, RECORDS_NAME), DATABASE_READ, 0x73746963, 1);
    query *q =
        query_prepare(d, "SELECT count(*) FROM results WHERE law = 'stribeck' AND \"LAW (2)\" "
                         "> 20 AND joint = 'HIP'");
    CHECK(q && query_next(q) && query_integer(q, 0) == 1);
    query_free(q);
    database_abandon(d);
    temporary_folder_remove();
}

TEST(generations_of_files_are_told_apart) {
    (void)temporary_folder_make();
    manifest list = {.entries = NULL}, read;
    manifest_entry entry = {.name = "a.body"};
    memset(entry.digest, 'a', sizeof entry.digest - 1);
    CHECK(manifest_add_entry(&list, &entry));
    records *r = open_records(DATABASE_WRITE);
    size_t last;
    CHECK(records_generations(r, &last) && last == 0);
    CHECK(records_put_inputs(r, 1, &list) && records_put_inputs(r, 2, &list));
    CHECK(records_generations(r, &last) && last == 2 && put_run(r, 0, 1));
    CHECK(records_generation_of(r, 0) == 1 && records_generation_of(r, 1) == 0);
    CHECK(records_inputs(r, 2, &read) && read.count == 1);
    CHECK(strcmp(read.entries[0].digest, entry.digest) == 0);
    manifest_free(&read);
    CHECK(records_inputs(r, 3, &read) && read.count == 0);
    manifest_free(&read);
    CHECK(records_close(r));
    manifest_free(&list);
    temporary_folder_remove();
}

/* ---- what others made of it ---- */

typedef struct opening {
    database_mode mode;
    bool reads; /* also its rows and lists */
} opening;

static bool open_and_read(void *user) {
    const opening *o = user;
    records *r = records_open(temporary_root, &plan, o->mode);
    bool fine = r != NULL;
    manifest list = {.entries = NULL};
    if (fine && o->reads) fine = records_inputs(r, 1, &list);
    manifest_free(&list);
    records_abandon(r);
    return fine;
}

static void make_records(void) {
    (void)temporary_folder_make();
    manifest list = {.entries = NULL};
    manifest_entry entry = {.name = "a.body"};
    memset(entry.digest, 'a', sizeof entry.digest - 1);
    CHECK(manifest_add_entry(&list, &entry));
    records *r = open_records(DATABASE_WRITE);
    CHECK(records_put_inputs(r, 1, &list) && put_run(r, 0, 3) && records_close(r));
    manifest_free(&list);
}

TEST(tables_that_others_changed_are_refused) {
    static const char figures[] = "DROP VIEW results; DROP TABLE figures; CREATE TABLE figures";
    static const struct {
        const char *sql, *more, *sentence;
    } cases[] = {
        {"CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END", "", "has a trigger"},
        {"DROP TABLE inputs", "", "a table is missing in it"},
        {"DROP VIEW results; DROP VIEW body_results; ALTER TABLE runs ADD COLUMN other", "",
         "its table 'runs' was changed"},
        {"ALTER TABLE joints ADD COLUMN other", "", "its table 'joints' was changed"},
        {"DROP TABLE inputs; CREATE TABLE inputs(a)", "", "its table 'inputs' was changed"},
        {figures, "(a)", "its table 'figures' was changed"},
        {figures, "(run INTEGER NOT NULL, place INTEGER NOT NULL, joint INTEGER NOT NULL)",
         "its table 'figures' was changed"},
        {figures, "(run INTEGER NOT NULL, place INTEGER NOT NULL, joint INTEGER NOT NULL, x)",
         "its table 'figures' was changed"},
        {figures, "(run INTEGER NOT NULL, place INTEGER NOT NULL, joint INTEGER NOT NULL, x TEXT)",
         "its table 'figures' was changed"},
        {figures, "(run INTEGER NOT NULL, place INTEGER NOT NULL, joint INTEGER NOT NULL, X REAL)",
         "its table 'figures' was changed"},
        {figures, "(run INTEGER NOT NULL, place INTEGER NOT NULL, joint INTEGER NOT NULL,  REAL)",
         "its table 'figures' was changed"},
        {"UPDATE joints SET id = id + 7", "", "its table of joints was changed"},
        {"UPDATE joints SET name = x'41ff42' WHERE id = 1", "", "its table of joints was changed"},
        {"UPDATE joints SET name = hex(zeroblob(600)) WHERE id = 2", "", "table of joints was"},
        {"UPDATE inputs SET sha256 = 'abc'", "", "its table of inputs was changed"},
        {"UPDATE inputs SET sha256 = upper(sha256)", "", "its table of inputs was changed"},
        {"PRAGMA user_version = 9", "", "its version is 9; this stiction knows those up to 1"},
        {"PRAGMA user_version = 0", "", "its version is 0"},
        {"PRAGMA application_id = 5", "", "it is the database of another program"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int mode = 0; mode < 2; mode++) {
            make_records();
            char *sql = format_text("%s%s", cases[k].sql, cases[k].more);
            change(sql);
            free(sql);
            stiction_error said = {.status = STICTION_OK};
            opening o = {mode ? DATABASE_WRITE : DATABASE_READ, true};
            if (command_catch(open_and_read, &o, &said)) FAIL("taken: %s", cases[k].sql);
            CHECK_CONTAINS(said.message, RECORDS_NAME);
            CHECK_CONTAINS(said.message, cases[k].sentence);
            temporary_folder_remove();
        }
}

TEST(tables_of_others_beside_ours_do_no_harm) {
    make_records();
    opening o = {DATABASE_READ, true};
    stiction_error said;
    change("CREATE TABLE my_notes(a); CREATE INDEX mine ON runs(name)");
    CHECK(command_catch(open_and_read, &o, &said));
    o.mode = DATABASE_WRITE;
    CHECK(command_catch(open_and_read, &o, &said));
    temporary_folder_remove();
}

TEST(rows_whose_cells_were_changed_are_damaged_or_none) {
    static const struct {
        const char *sql;
        bool is_row;
    } cases[] = {{"UPDATE runs SET reason = 'x'", true},
                 {"UPDATE runs SET warnings = ''", true}, /* not the same as none */
                 {"UPDATE runs SET inputs = -5", true},
                 {"UPDATE runs SET series = 1", true},
                 {"UPDATE runs SET checksum = checksum + 1", true},
                 {"UPDATE figures SET final_position = 7", true},
                 {"UPDATE figures SET final_position = 'seven'", true},
                 {"UPDATE figures SET joint = 99", true},
                 {"UPDATE figures SET joint = -1", true},
                 {"UPDATE figures SET joint = 3", true}, /* which is a body */
                 {"UPDATE body_figures SET joint = 1", true},
                 {"DELETE FROM figures WHERE place = 1", true},
                 {"UPDATE joints SET type = 'prismatic' WHERE id = 1", true},
                 {"UPDATE runs SET status = 'failed'", true},
                 {"UPDATE runs SET name = '0002-00000000'", false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        make_records();
        change(cases[k].sql);
        records *r = open_records(DATABASE_READ);
        records_reader *reader = records_read(r, 0, 4);
        record row = {.is_damaged = false};
        const bool there = records_next(reader, &row);
        if (there != cases[k].is_row || (there && !row.is_damaged))
            FAIL("%s: %s", cases[k].sql, there ? "not damaged" : "no row");
        CHECK((!there || !records_next(reader, &row)) && !records_failed(reader));
        if (records_foreign(reader) != !cases[k].is_row) FAIL("%s: foreign", cases[k].sql);
        records_reader_free(reader);
        records_abandon(r);
        temporary_folder_remove();
    }
}

TEST(figures_of_runs_that_have_no_row_are_passed) {
    make_records();
    change("INSERT INTO figures(run, place, joint) VALUES(0, 0, 1), (7, 0, 1), (2, 0, 1)");
    records *r = open_records(DATABASE_READ);
    records_reader *reader = records_read(r, 0, 4);
    record row;
    size_t count;
    CHECK(records_next(reader, &row) && row.run == 0 && !row.is_damaged);
    CHECK(records_joints(reader, &count) && count == 3);
    CHECK(!records_next(reader, &row) && !records_failed(reader));
    records_reader_free(reader);
    records_abandon(r);
    temporary_folder_remove();
}

/* ---- what is no database ---- */

TEST(files_that_are_no_database_are_refused) {
    static const struct {
        const char *what, *sentence;
    } cases[] = {{"text", "it is no SQLite database"},
                 {"folder", "it is not a file"},
                 {"link", "it is a symbolic link"},
                 {"pipe", "it is not a file"},
                 {"cut", "it is"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int mode = 0; mode < 2; mode++) {
            make_records();
            const char *path = temporary_path(temporary_root, RECORDS_NAME);
            struct stat status;
            CHECK(stat(path, &status) == 0);
            if (k == 4)
                CHECK(truncate(path, status.st_size / 2) == 0);
            else
                CHECK(unlink(path) == 0);
            if (k == 0) temporary_write(temporary_root, RECORDS_NAME, "no database");
            if (k == 1) CHECK(mkdir(path, 0777) == 0);
            if (k == 2) CHECK(symlink("elsewhere", path) == 0);
            if (k == 3) CHECK(mkfifo(path, 0666) == 0);
            stiction_error said = {.status = STICTION_OK};
            opening o = {mode ? DATABASE_WRITE : DATABASE_READ, true};
            CHECK(records_exist(temporary_root));
            if (command_catch(open_and_read, &o, &said)) FAIL("taken: %s", cases[k].what);
            CHECK_CONTAINS(said.message, cases[k].sentence);
            temporary_folder_remove();
        }
    (void)temporary_folder_make();
    stiction_error said = {.status = STICTION_OK};
    opening o = {DATABASE_READ, true};
    CHECK(!records_exist(temporary_root) && !command_catch(open_and_read, &o, &said));
    CHECK_CONTAINS(said.message, "No such file or directory");
    /* an empty one is a new one: whoever made it was killed */
    temporary_write(temporary_root, RECORDS_NAME, "");
    size_t last = 1;
    records *r = open_records(DATABASE_READ);
    records_reader *reader = records_read(r, 0, 4);
    record row;
    CHECK(!records_next(reader, &row) && !records_failed(reader));
    CHECK(records_generations(r, &last) && last == 0);
    records_reader_free(reader);
    records_abandon(r);
    CHECK(command_catch(open_and_read, &o, &said)); /* without lists of files */
    temporary_folder_remove();
}

/* ---- bounds ---- */

static bool put_many_joints(void *user) {
    records *r = user;
    static double none[most_figures];
    enum { per_run = 1000 };
    static char names[per_run][16];
    static record_joint joints[per_run];
    bool fine = true;
    for (size_t run = 0; fine && run < 5; run++) {
        for (size_t k = 0; k < per_run; k++) {
            (void)snprintf(names[k], sizeof names[k], "J%zu", run * per_run + k);
            joints[k] = (record_joint){names[k], false, false, none};
        }
        char *name = sweep_plan_name(&plan, run % 4);
        const record row = {.run = run % 4, .name = name};
        fine = records_put(r, &row, joints, per_run);
        free(name);
    }
    return fine;
}

TEST(more_joints_than_a_sweep_may_have_are_refused) {
    (void)temporary_folder_make();
    records *r = open_records(DATABASE_WRITE);
    stiction_error said = {.status = STICTION_OK};
    CHECK(!command_catch(put_many_joints, r, &said));
    CHECK_CONTAINS(said.message, "a sweep has at most 4096 joints and bodies");
    CHECK(records_close(r)); /* which lost that transaction, and nothing else */
    r = open_records(DATABASE_WRITE);
    CHECK(put_run(r, 0, 3) && records_close(r));
    temporary_folder_remove();
}

static bool open_plan(void *user) {
    records *r = records_open(temporary_root, user, DATABASE_WRITE);
    records_abandon(r);
    return r != NULL;
}

TEST(more_settings_than_a_table_may_have_are_refused) {
    enum { too_many = 1001 };
    static sweep_parameter many[too_many];
    static char keys[too_many][16];
    for (size_t k = 0; k < too_many; k++) {
        (void)snprintf(keys[k], sizeof keys[k], "key%zu", k);
        many[k] = (sweep_parameter){.key = keys[k], .values = gains, .count = 1};
    }
    sweep_plan wide = plan;
    wide.parameters = many;
    wide.parameter_count = too_many;
    stiction_error said = {.status = STICTION_OK};
    (void)temporary_folder_make();
    CHECK(!command_catch(open_plan, &wide, &said));
    CHECK_CONTAINS(said.message, "at most 1000 keys in 'set'; this one has 1001");
    wide.parameter_count = too_many - 1;
    CHECK(command_catch(open_plan, &wide, &said));
    temporary_folder_remove();
}

/* The names of our own columns are no settings. */
TEST(keys_that_are_called_as_our_columns_are_told_apart) {
    static char *some[] = {"1"};
    static sweep_parameter odd[] = {{.key = "status", .values = some, .count = 1},
                                    {.key = "Name", .values = some, .count = 1},
                                    {.key = "a \"b\"", .values = some, .count = 1}};
    sweep_plan other = plan;
    other.parameters = odd;
    other.parameter_count = 3;
    (void)temporary_folder_make();
    records *r = records_open(temporary_root, &other, DATABASE_WRITE);
    char *name = sweep_plan_name(&other, 0);
    const record row = {.run = 0, .name = name, .failed = true, .reason = "it fell"};
    CHECK(r && records_put(r, &row, NULL, 0) && records_close(r));
    free(name);
    database *d =
        database_open(temporary_path(temporary_root, RECORDS_NAME), DATABASE_READ, 0x73746963, 1);
    query *q = query_prepare(d, "SELECT status, \"status (1)\", \"Name (2)\", \"a \"\"b\"\"\" "
                                "FROM results");
    CHECK(q && query_next(q) && strcmp(query_text(q, 0), "failed") == 0);
    for (int k = 1; k < 4; k++) CHECK(query_integer(q, k) == 1);
    query_free(q);
    database_abandon(d);
    temporary_folder_remove();
}

/* ---- cells that are too large ---- */

static bool put_large_cell(void *user) {
    database *d = user;
    char *text = allocate(DATABASE_MOST_CELL + 2, 1);
    memset(text, 'x', DATABASE_MOST_CELL + 1);
    query *q = query_prepare(d, "INSERT INTO t VALUES(?, 1, 1)");
    query_set_text(q, 1, text);
    const bool fine = query_run(q);
    query_free(q);
    free(text);
    return fine;
}

TEST(cells_above_a_mebibyte_are_refused_and_long_sentences_cut) {
    (void)temporary_folder_make();
    make_table();
    database *d = open_or_fail(DATABASE_WRITE);
    stiction_error said = {.status = STICTION_OK};
    CHECK(!command_catch(put_large_cell, d, &said) && count_rows(d) == 0);
    CHECK_CONTAINS(said.message, "a cell of it has more than 1 MiB");
    database_abandon(d);
    records *r = open_records(DATABASE_WRITE);
    char *name = sweep_plan_name(&plan, 0), *reason = allocate(200001, 1);
    memset(reason, 'y', 200000);
    const record row = {
        .run = 0, .name = name, .failed = true, .reason = reason, .warnings = reason};
    CHECK(records_put(r, &row, NULL, 0) && records_close(r));
    r = open_records(DATABASE_READ);
    records_reader *reader = records_read(r, 0, 1);
    record there;
    CHECK(records_next(reader, &there) && !there.is_damaged && there.failed);
    CHECK(strlen(there.reason) == 1 << 16 && strlen(there.warnings) == 1 << 16);
    records_reader_free(reader);
    records_abandon(r);
    free(reason);
    free(name);
    temporary_folder_remove();
}
