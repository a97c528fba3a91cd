/*
 * The database of a sweep: what is written is read back, or was never there; tables of earlier and
 * later versions are read; rows of others are none.
 */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "common/command.h"
#include "sweep/records.h"
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

enum { most_figures = 100 };

static bool put_run(records *r, size_t run, size_t joints) {
    static double of_joint[most_figures], of_body[most_figures];
    for (int k = 0; k < most_figures; k++) {
        of_joint[k] = k == 1 ? (double)NAN : (double)run + 0.1 * k;
        of_body[k] = -of_joint[k];
    }
    const record_joint figures[] = {{"HIP", false, false, of_joint},
                                    {"SLIDE", true, false, of_joint},
                                    {"HIP", false, true, of_body}};
    char *name = sweep_plan_name(&plan, run);
    const record row = {.run = run, .name = name, .inputs = 1, .stamp = -7};
    const bool fine = records_put(r, &row, figures, joints);
    free(name);
    return fine;
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
