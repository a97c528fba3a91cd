/* SPDX-License-Identifier: MIT
 * The database of a sweep: rows and figures are read as they were written, uncommitted rows are
 * lost, and files of others are refused.
 */
#include <math.h>
#include <sqlite3.h>

#include "check.h"
#include "common/command.h"
#include "sweep_rows.h"
#include "temporary_folder.h"

static char *projects[] = {"a.cnoid"}, *laws[] = {"coulomb", "stribeck"}, *gains[] = {"20", "050"};
static sweep_parameter parameters[] = {{.key = "law", .values = laws, .count = 2},
                                       {.key = "controller.kp", .values = gains, .count = 2},
                                       {.key = "LAW", .values = laws, .count = 1},
                                       {.key = "name", .values = laws, .count = 1}};
static const sweep_plan plan = {.projects = projects,
                                .project_count = 1,
                                .engine = "mujoco",
                                .parameters = parameters,
                                .parameter_count = 4};
static stiction_error error;

static records *open_again(records *r) {
    records_close(r);
    r = records_open(temporary_root, &plan, &error);
    if (!r) FAIL("%s", error.message);
    return r;
}

typedef struct seen {
    size_t rows, joints;
    bool failed[4];
    char reason[100], warnings[100];
} seen;

static void check_joints(const record *row) {
    for (size_t k = 0; k < row->joint_count; k++) {
        const record_joint *j = &row->joints[k];
        const double sign = j->is_body ? -1 : 1;
        CHECK(strcmp(j->name, k == 1 ? "SLIDE" : "HIP") == 0);
        CHECK(j->prismatic == (k == 1) && j->is_body == (k == 2) && isnan(j->figures[1]));
        CHECK(j->figures[3] == sign * ((double)row->run + 0.1 * 3));
    }
}

static seen read_rows(records *r, size_t first, size_t end, bool with_figures) {
    seen s = {.rows = 0};
    AUTO(records_end) record_cursor c = records_begin(r, first, end, with_figures);
    for (; records_next(&c, &error); s.rows++) {
        s.joints += c.row.joint_count;
        s.failed[c.row.run] = c.row.failed;
        if (c.row.reason) (void)snprintf(s.reason, sizeof s.reason, "%s", c.row.reason);
        if (c.row.warnings) (void)snprintf(s.warnings, sizeof s.warnings, "%s", c.row.warnings);
        check_joints(&c.row);
    }
    CHECK(!c.failed);
    return s;
}

static seen read_all(records *r, bool with_figures) {
    return read_rows(r, 0, 4, with_figures);
}

TEST(rows_are_read_as_they_were_written) {
    records *r = records_create(temporary_folder_make(), &plan, &error);
    CHECK(r && put_joints(r, 0, 3, &error) && put_joints(r, 2, 2, &error));
    const record fell = {.run = 3, .failed = true, .reason = "it fell", .warnings = "odd"};
    CHECK(records_put(r, &fell, &error) && records_commit(r, &error));
    r = open_again(r);
    const seen s = read_all(r, true);
    CHECK(s.rows == 3 && s.joints == 5 && !s.failed[0] && !s.failed[2] && s.failed[3]);
    CHECK(strcmp(s.reason, "it fell") == 0 && strcmp(s.warnings, "odd") == 0);
    CHECK(read_all(r, false).joints == 0);
    CHECK(read_rows(r, 1, 3, true).rows == 1);
    /* a row replaces the one before, with its figures */
    CHECK(put_joints(r, 0, 1, &error) && records_commit(r, &error));
    CHECK(read_all(r, true).joints == 3);
    records_close(r);
    temporary_folder_remove();
}

TEST(rows_that_were_not_committed_are_lost) {
    records *r = records_create(temporary_folder_make(), &plan, &error);
    CHECK(r && put_joints(r, 0, 3, &error) && records_commit(r, &error));
    CHECK(put_joints(r, 1, 3, &error));
    r = open_again(r);
    CHECK(read_all(r, true).rows == 1);
    records_close(r);
    temporary_folder_remove();
}

static int64_t ask(const char *sql) {
    sqlite3 *db;
    sqlite3_stmt *q;
    CHECK(sqlite3_open(temporary_path(temporary_root, RECORDS_NAME), &db) == SQLITE_OK);
    int64_t value = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
        value = sqlite3_column_int64(q, 0);
    else if (sqlite3_errcode(db) != SQLITE_DONE)
        FAIL("%s: %s", sql, sqlite3_errmsg(db));
    (void)sqlite3_finalize(q);
    (void)sqlite3_close(db);
    return value;
}

TEST(settings_are_numbers_and_columns_are_distinct) {
    records *r = records_create(temporary_folder_make(), &plan, &error);
    for (size_t run = 0; run < 4; run++) CHECK(r && put_joints(r, run, 3, &error));
    CHECK(records_commit(r, &error));
    CHECK(ask("SELECT count(*) FROM results WHERE \"controller.kp\" = 50 AND law = 'coulomb'") ==
          2);
    CHECK(ask("SELECT count(*) FROM body_results WHERE body = 'HIP' AND \"LAW (3)\" = 'coulomb' "
              "AND \"name (4)\" = 'coulomb'") == 4);
    records_close(r);
    temporary_folder_remove();
}

TEST(inputs_are_replaced_as_a_whole) {
    records *r = records_create(temporary_folder_make(), &plan, &error);
    AUTO(manifest_free) manifest list = {.entries = NULL}, read;
    manifest_entry entry = {.name = "a.body"};
    memset(entry.digest, 'a', sizeof entry.digest - 1);
    CHECK(manifest_add_entry(&list, &entry));
    for (int again = 0; again < 2; again++) {
        CHECK(r && records_put_inputs(r, &list, &error));
        r = open_again(r);
        CHECK(records_inputs(r, &read, &error) && read.count == 1);
        CHECK(strcmp(read.entries[0].name, "a.body") == 0 &&
              strcmp(read.entries[0].digest, entry.digest) == 0);
        manifest_free(&read);
    }
    records_close(r);
    temporary_folder_remove();
}
