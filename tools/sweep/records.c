/* SPDX-License-Identifier: MIT
 * The database of a sweep.
 */
#include "sweep/records.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/command.h"

enum { application = 0x73746963 /* "stic" */, version = 2 };
/* Largest cell, bytes; longer texts are cut. */
enum { largest_cell = 1 << 20, longest_text = 1 << 16 };
/* s between commits; ms to wait for other programs. */
static const double commit_interval = 0.25;
enum { patience = 60000 };

/* The tables of figures, one for joints and one for bodies. */
enum { of_joints, of_bodies, kinds };
static const struct {
    const char *table, *view, *whose;
    const joint_figure *(*at)(size_t);
} figure_tables[kinds] = {{"figures", "results", "joint", joint_figure_at},
                          {"body_figures", "body_results", "body", body_figure_at}};

struct records {
    sqlite3 *db;
    char *path;
    const sweep_plan *plan;
    double last_commit; /* s */
    sqlite3_stmt *put_run, *put_figures[kinds], *drop_figures[kinds], *get_figures[kinds];
};

/* ---- errors ---- */

static bool fail_sql(const records *r, int code, stiction_error *error) {
    const int primary = code & 0xff, system = sqlite3_system_errno(r->db);
    const char *text =
        (sqlite3_errcode(r->db) & 0xff) == primary ? sqlite3_errmsg(r->db) : sqlite3_errstr(code);
    if (primary == SQLITE_NOMEM) (void)must_have(NULL);
    if (primary == SQLITE_FULL) return fail(error, "%s: %s", r->path, strerror(ENOSPC));
    /* SQLite tries to read a file that it cannot create; that ENOENT is not the reason */
    if ((primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) && system && system != ENOENT)
        return fail(error, "%s: %s", r->path, strerror(system));
    if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB)
        return fail(error, "%s: it is damaged (%s); --force replaces it", r->path, text);
    return fail(error, "%s: %s", r->path, text);
}

static bool execute(records *r, const char *sql, stiction_error *error) {
    const int code = sqlite3_exec(r->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || fail_sql(r, code, error);
}

/* Frees the SQL. */
static bool execute_text(records *r, char *sql, stiction_error *error) {
    const bool fine = execute(r, sql, error);
    free(sql);
    return fine;
}

/* Frees the SQL. */
static bool prepare(records *r, char *sql, sqlite3_stmt **statement, stiction_error *error) {
    const int code = sqlite3_prepare_v2(r->db, sql, -1, statement, NULL);
    free(sql);
    return code == SQLITE_OK || fail_sql(r, code, error);
}

/* A statement without rows. */
static bool run_statement(records *r, sqlite3_stmt *statement, stiction_error *error) {
    const int code = sqlite3_step(statement);
    const bool fine = code == SQLITE_DONE || fail_sql(r, code, error);
    (void)sqlite3_reset(statement);
    return fine;
}

/* ---- tables ---- */

static size_t figure_count(size_t kind) {
    size_t count = 0;
    while (figure_tables[kind].at(count)) count++;
    return count;
}

static const char *const run_columns[] = {"number",   "name",    "status", "reason",
                                          "warnings", "project", "series", "stable"};
enum { run_column_count = sizeof run_columns / sizeof run_columns[0] };

/* SQL does not distinguish a and A. */
static bool is_taken(const sweep_plan *plan, size_t parameter) {
    const char *key = plan->parameters[parameter].key;
    for (size_t k = 0; k < run_column_count; k++)
        if (strcasecmp(key, run_columns[k]) == 0) return true;
    for (size_t k = 0; k < parameter; k++)
        if (strcasecmp(key, plan->parameters[k].key) == 0) return true;
    return false;
}

/* The quoted column of a setting, after a separator. */
static void append_setting(char **sql, const char *before, const sweep_plan *plan,
                           size_t parameter) {
    AUTO_FREE char *name =
        is_taken(plan, parameter)
            ? format_text("%s (%zu)", plan->parameters[parameter].key, parameter + 1)
            : copy_text(plan->parameters[parameter].key);
    char *quoted = sqlite3_mprintf("%s\"%w\"", before, name);
    append_text(sql, "%s", (const char *)must_have(quoted));
    sqlite3_free(quoted);
}

/* ", a, b, c" */
static char *figure_list(size_t kind, const char *before, const char *after) {
    char *list = copy_text("");
    const joint_figure *f;
    for (size_t k = 0; (f = figure_tables[kind].at(k)); k++)
        append_text(&list, ", %s%s%s", before, f->name, after);
    return list;
}

/* NUMERIC: texts that are numbers are stored as numbers, so that kp > 20 compares numbers. */
static bool create_runs(records *r, stiction_error *error) {
    char *sql = copy_text("CREATE TABLE runs(number INTEGER PRIMARY KEY, name TEXT NOT NULL, "
                          "status TEXT NOT NULL, reason TEXT, warnings TEXT, project TEXT NOT "
                          "NULL, series INTEGER NOT NULL, stable INTEGER NOT NULL");
    for (size_t k = 0; k < r->plan->parameter_count; k++) {
        append_setting(&sql, ", ", r->plan, k);
        append_text(&sql, " NUMERIC");
    }
    append_text(&sql, ")");
    return execute_text(r, sql, error);
}

/* The view has a row for every run and joint; a failed run has one without a joint. */
static bool create_figures(records *r, size_t kind, stiction_error *error) {
    const char *table = figure_tables[kind].table, *whose = figure_tables[kind].whose;
    AUTO_FREE char *columns = figure_list(kind, "", " REAL"), *shown = figure_list(kind, "f.", "");
    return execute_text(r,
                        format_text("CREATE TABLE %s(run INTEGER NOT NULL, place "
                                    "INTEGER NOT NULL, %s TEXT NOT NULL, prismatic "
                                    "INTEGER NOT NULL%s, PRIMARY KEY(run, place)) "
                                    "WITHOUT ROWID",
                                    table, whose, columns),
                        error) &&
           execute_text(r,
                        format_text("CREATE VIEW %s AS SELECT r.*, f.%s%s FROM runs r "
                                    "LEFT JOIN %s f ON f.run = r.number",
                                    figure_tables[kind].view, whose, shown, table),
                        error);
}

static bool create_tables(records *r, stiction_error *error) {
    bool fine = execute(r, "BEGIN", error) && create_runs(r, error) &&
                execute(r,
                        "CREATE TABLE inputs(path TEXT PRIMARY KEY, sha256 TEXT NOT NULL) "
                        "WITHOUT ROWID",
                        error);
    for (size_t kind = 0; fine && kind < kinds; kind++) fine = create_figures(r, kind, error);
    return fine &&
           execute_text(r,
                        format_text("PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT",
                                    application, version),
                        error);
}

/* ---- opening ---- */

static char *path_of(const char *folder) {
    return format_text("%s/" RECORDS_NAME, folder);
}

bool records_exist(const char *folder) {
    struct stat status;
    AUTO_FREE char *path = path_of(folder);
    return lstat(path, &status) == 0 || errno != ENOENT;
}

/* Before SQLite opens it: a pipe would block, and a link leads elsewhere. */
static bool is_regular(const char *path, stiction_error *error) {
    struct stat status;
    if (lstat(path, &status) != 0) return errno == ENOENT || fail_errno(error, path);
    return S_ISREG(status.st_mode) || fail(error, "%s: it is not a regular file", path);
}

/* The first column of the first row, or -1. */
static bool ask_number(records *r, const char *sql, int64_t *value, stiction_error *error) {
    sqlite3_stmt *statement;
    if (!prepare(r, copy_text(sql), &statement, error)) return false;
    const int code = sqlite3_step(statement);
    *value = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE || fail_sql(r, code, error);
}

/* Nothing in the file may make us do more than read it. */
static bool set_limits(records *r, stiction_error *error) {
    (void)sqlite3_extended_result_codes(r->db, 1);
    (void)sqlite3_busy_timeout(r->db, patience);
    (void)sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, largest_cell);
    (void)sqlite3_limit(r->db, SQLITE_LIMIT_ATTACHED, 0);
    (void)sqlite3_db_config(r->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return execute(r,
                   "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"
                   "PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY",
                   error);
}

static bool check_pages(records *r, stiction_error *error) {
    sqlite3_stmt *statement;
    if (!prepare(r, copy_text("PRAGMA quick_check(1)"), &statement, error)) return false;
    const int code = sqlite3_step(statement);
    const char *result =
        code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    const bool fine =
        result ? strcmp(result, "ok") == 0 ||
                     fail(error, "%s: it is damaged (%s); --force replaces it", r->path, result)
               : fail_sql(r, code, error);
    (void)sqlite3_finalize(statement);
    return fine;
}

/* *is_new: there is nothing in it. */
static bool check_version(records *r, bool *is_new, stiction_error *error) {
    int64_t whose, which, tables, ours;
    if (!ask_number(r, "PRAGMA application_id", &whose, error) ||
        !ask_number(r, "PRAGMA user_version", &which, error) ||
        !ask_number(r, "SELECT count(*) FROM sqlite_schema", &tables, error) ||
        !ask_number(r,
                    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN "
                    "('runs', 'inputs', 'figures', 'body_figures')",
                    &ours, error))
        return false;
    *is_new = !whose && !which && !tables;
    if (*is_new) return true;
    if (whose != application)
        return fail(error, "%s: it is the database of another program", r->path);
    if (which != version)
        return fail(error,
                    "%s: its format is version %lld, and this stiction reads %d; --force replaces "
                    "the sweep",
                    r->path, (long long)which, version);
    return ours == 4 || fail(error, "%s: a table is missing; --force replaces it", r->path);
}

/* Also shows whether the tables have the columns of this sweep. */
static bool prepare_all(records *r, stiction_error *error) {
    char *put = copy_text("INSERT OR REPLACE INTO runs(number, name, status, reason, warnings, "
                          "project, series, stable");
    for (size_t k = 0; k < r->plan->parameter_count; k++) append_setting(&put, ", ", r->plan, k);
    append_text(&put, ") VALUES(?,?,?,?,?,?,?,?");
    for (size_t k = 0; k < r->plan->parameter_count; k++) append_text(&put, ",?");
    append_text(&put, ")");
    bool fine = prepare(r, put, &r->put_run, error);
    for (size_t kind = 0; fine && kind < kinds; kind++) {
        const char *table = figure_tables[kind].table, *whose = figure_tables[kind].whose;
        AUTO_FREE char *columns = figure_list(kind, "", "");
        char *insert = format_text("INSERT INTO %s(run, place, %s, prismatic%s) VALUES(?,?,?,?",
                                   table, whose, columns);
        for (size_t k = 0; k < figure_count(kind); k++) append_text(&insert, ",?");
        append_text(&insert, ")");
        fine = prepare(r, insert, &r->put_figures[kind], error) &&
               prepare(r, format_text("DELETE FROM %s WHERE run = ?", table),
                       &r->drop_figures[kind], error) &&
               prepare(r,
                       format_text("SELECT %s, prismatic%s FROM %s WHERE run = ? ORDER BY place",
                                   whose, columns, table),
                       &r->get_figures[kind], error);
    }
    return fine;
}

static records *open_with(const char *folder, const sweep_plan *plan, int flags,
                          stiction_error *error) {
    records *r = allocate(1, sizeof *r);
    *r = (records){.path = path_of(folder), .plan = plan, .last_commit = -HUGE_VAL};
    bool fine = is_regular(r->path, error), is_new = false;
    if (fine) {
        const int code = sqlite3_open_v2(r->path, &r->db, flags | SQLITE_OPEN_NOFOLLOW, NULL);
        if (!r->db) (void)must_have(NULL);
        fine = (code == SQLITE_OK || fail_sql(r, code, error)) && set_limits(r, error) &&
               check_version(r, &is_new, error);
    }
    fine =
        fine && (is_new ? create_tables(r, error) : check_pages(r, error)) && prepare_all(r, error);
    if (fine) return r;
    records_close(r);
    return NULL;
}

records *records_open(const char *folder, const sweep_plan *plan, stiction_error *error) {
    return open_with(folder, plan, SQLITE_OPEN_READWRITE, error);
}

records *records_create(const char *folder, const sweep_plan *plan, stiction_error *error) {
    return open_with(folder, plan, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
}

void records_close(records *r) {
    if (!r) return;
    (void)sqlite3_finalize(r->put_run);
    for (size_t kind = 0; kind < kinds; kind++) {
        (void)sqlite3_finalize(r->put_figures[kind]);
        (void)sqlite3_finalize(r->drop_figures[kind]);
        (void)sqlite3_finalize(r->get_figures[kind]);
    }
    (void)sqlite3_close(r->db);
    free(r->path);
    free(r);
}

/* ---- writing ---- */

static bool begin(records *r, stiction_error *error) {
    return !sqlite3_get_autocommit(r->db) || execute(r, "BEGIN", error);
}

static bool or_roll_back(records *r, bool fine) {
    if (!fine && !sqlite3_get_autocommit(r->db))
        (void)sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
    return fine;
}

bool records_commit(records *r, stiction_error *error) {
    if (sqlite3_get_autocommit(r->db)) return true;
    r->last_commit = monotonic_seconds();
    return or_roll_back(r, execute(r, "COMMIT", error));
}

bool records_tick(records *r, stiction_error *error) {
    return monotonic_seconds() - r->last_commit < commit_interval || records_commit(r, error);
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text) {
    const size_t length = text ? strlen(text) : 0;
    if (sqlite3_bind_text(statement, at, text, (int)(length < longest_text ? length : longest_text),
                          SQLITE_TRANSIENT) == SQLITE_NOMEM)
        (void)must_have(NULL);
}

static bool put_run(records *r, const record *row, stiction_error *error) {
    sqlite3_stmt *q = r->put_run;
    AUTO_FREE char *name = sweep_plan_name(r->plan, row->run);
    int at = 0;
    (void)sqlite3_bind_int64(q, ++at, (sqlite3_int64)row->run + 1);
    bind_text(q, ++at, name);
    bind_text(q, ++at, row->failed ? "failed" : "done");
    bind_text(q, ++at, row->reason);
    bind_text(q, ++at, row->warnings);
    bind_text(q, ++at, sweep_plan_project(r->plan, row->run));
    (void)sqlite3_bind_int(q, ++at, row->has_series);
    (void)sqlite3_bind_int(q, ++at, row->stable);
    for (size_t k = 0; k < r->plan->parameter_count; k++)
        bind_text(q, ++at, sweep_plan_value(r->plan, row->run, k));
    return run_statement(r, q, error);
}

static bool put_joint(records *r, size_t run, const record_joint *joint, size_t place,
                      stiction_error *error) {
    const size_t kind = joint->is_body ? of_bodies : of_joints, count = figure_count(kind);
    sqlite3_stmt *q = r->put_figures[kind];
    (void)sqlite3_bind_int64(q, 1, (sqlite3_int64)run + 1);
    (void)sqlite3_bind_int64(q, 2, (sqlite3_int64)place);
    bind_text(q, 3, joint->name);
    (void)sqlite3_bind_int(q, 4, joint->prismatic);
    for (size_t k = 0; k < count; k++) /* NaN becomes null */
        (void)sqlite3_bind_double(q, (int)k + 5, joint->figures[k]);
    return run_statement(r, q, error);
}

bool records_put(records *r, const record *row, stiction_error *error) {
    bool fine = begin(r, error) && put_run(r, row, error);
    for (size_t kind = 0; fine && kind < kinds; kind++) {
        (void)sqlite3_bind_int64(r->drop_figures[kind], 1, (sqlite3_int64)row->run + 1);
        fine = run_statement(r, r->drop_figures[kind], error);
    }
    for (size_t k = 0; fine && k < row->joint_count; k++)
        fine = put_joint(r, row->run, &row->joints[k], k, error);
    return or_roll_back(r, fine);
}

/* ---- reading ---- */

static void free_joints(record *row) {
    for (size_t k = 0; k < row->joint_count; k++) {
        free((char *)(uintptr_t)row->joints[k].name);
        free((double *)(uintptr_t)row->joints[k].figures);
    }
    free((record_joint *)(uintptr_t)row->joints);
    row->joints = NULL;
    row->joint_count = 0;
}

static bool read_joints(records *r, size_t kind, record *row, stiction_error *error) {
    sqlite3_stmt *q = r->get_figures[kind];
    const size_t count = figure_count(kind);
    record_joint *joints = (record_joint *)(uintptr_t)row->joints;
    int code;
    (void)sqlite3_bind_int64(q, 1, (sqlite3_int64)row->run + 1);
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        double *figures = allocate(count, sizeof *figures);
        for (size_t k = 0; k < count; k++)
            figures[k] = sqlite3_column_type(q, (int)k + 2) == SQLITE_FLOAT
                             ? sqlite3_column_double(q, (int)k + 2)
                             : (double)NAN;
        row->joints = joints = reallocate(joints, row->joint_count + 1, sizeof *joints);
        joints[row->joint_count++] = (record_joint){.name = copy_text(name ? name : ""),
                                                    .prismatic = sqlite3_column_int(q, 1) != 0,
                                                    .is_body = kind == of_bodies,
                                                    .figures = figures};
    }
    (void)sqlite3_reset(q);
    return code == SQLITE_DONE || fail_sql(r, code, error);
}

/* Names contain a hash of the settings, so that a row of another sweep is noticed. */
static bool read_run(const records *r, sqlite3_stmt *q, record *row, stiction_error *error) {
    const int64_t number = sqlite3_column_int64(q, 0);
    const char *name = (const char *)sqlite3_column_text(q, 1),
               *status = (const char *)sqlite3_column_text(q, 2);
    AUTO_FREE char *expected = sweep_plan_name(r->plan, (size_t)number - 1);
    if (!name || !status || strcmp(name, expected) != 0)
        return fail(error, "%s: row %lld is of another sweep; --force replaces it", r->path,
                    (long long)number);
    *row = (record){.run = (size_t)number - 1,
                    .failed = strcmp(status, "done") != 0,
                    .reason = (const char *)sqlite3_column_text(q, 3),
                    .warnings = (const char *)sqlite3_column_text(q, 4),
                    .has_series = sqlite3_column_int(q, 5) != 0,
                    .stable = sqlite3_column_int(q, 6) != 0};
    return true;
}

record_cursor records_begin(records *r, size_t first, size_t end, bool with_figures) {
    return (record_cursor){.of = r, .first = first, .end = end, .with_figures = with_figures};
}

static bool prepare_cursor(record_cursor *c, stiction_error *error) {
    static const char sql[] =
        "SELECT number, name, status, reason, warnings, series, stable FROM runs WHERE "
        "number > ? AND number <= ? ORDER BY number";
    sqlite3_stmt *q = NULL;
    if (!prepare(c->of, copy_text(sql), &q, error)) return false;
    (void)sqlite3_bind_int64(q, 1, (sqlite3_int64)c->first);
    (void)sqlite3_bind_int64(q, 2, (sqlite3_int64)c->end);
    c->statement = q;
    return true;
}

bool records_next(record_cursor *c, stiction_error *error) {
    free_joints(&c->row);
    c->failed = !c->statement && !prepare_cursor(c, error);
    const int code = c->failed ? SQLITE_DONE : sqlite3_step(c->statement);
    if (c->failed || code == SQLITE_DONE) return false;
    bool fine = (code == SQLITE_ROW || fail_sql(c->of, code, error)) &&
                read_run(c->of, c->statement, &c->row, error);
    for (size_t kind = 0; fine && c->with_figures && kind < kinds; kind++)
        fine = read_joints(c->of, kind, &c->row, error);
    c->failed = !fine;
    return fine;
}

void records_end(record_cursor *c) {
    free_joints(&c->row);
    (void)sqlite3_finalize(c->statement);
}

/* ---- input files ---- */

bool records_inputs(records *r, manifest *list, stiction_error *error) {
    sqlite3_stmt *q;
    int code;
    *list = (manifest){.entries = NULL};
    if (!prepare(r, copy_text("SELECT path, sha256 FROM inputs"), &q, error)) return false;
    while ((code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(q, 0),
                   *digest = (const char *)sqlite3_column_text(q, 1);
        manifest_entry entry = {.name = copy_text(path ? path : "")};
        (void)snprintf(entry.digest, sizeof entry.digest, "%s", digest ? digest : "");
        if (!manifest_add_entry(list, &entry)) (void)must_have(NULL);
        free(entry.name);
    }
    const bool fine = code == SQLITE_DONE || fail_sql(r, code, error);
    (void)sqlite3_finalize(q);
    return fine;
}

bool records_put_inputs(records *r, const manifest *list, stiction_error *error) {
    sqlite3_stmt *q;
    if (!prepare(r, copy_text("INSERT INTO inputs VALUES(?, ?)"), &q, error)) return false;
    bool fine = begin(r, error) && execute(r, "DELETE FROM inputs", error);
    for (size_t k = 0; fine && k < list->count; k++) {
        bind_text(q, 1, list->entries[k].name);
        bind_text(q, 2, list->entries[k].digest);
        fine = run_statement(r, q, error);
    }
    (void)sqlite3_finalize(q);
    return or_roll_back(r, fine) && records_commit(r, error);
}
