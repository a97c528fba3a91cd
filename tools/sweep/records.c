/*
 * The record of a sweep: its tables, rows in and out.
 */
#include "sweep/records.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/command.h"
#include "document/utf8.h"
#include "sweep/fingerprint.h"

/* "stic" */
static const int32_t application = 0x73746963;
enum { version = 1, most_settings = 1000 };
/* A sentence that is longer is cut. */
enum { most_sentence = 1 << 16 };

/* The tables of figures: a row a joint, or a body, and a column a figure. */
enum { of_joints, of_bodies, kinds };
static const struct {
    const char *table, *view, *whose;
    const joint_figure *(*at)(size_t);
} figure_tables[kinds] = {{"figures", "results", "joint", joint_figure_at},
                          {"body_figures", "body_results", "body", body_figure_at}};

typedef struct known_joint {
    char *name;
    bool prismatic, is_body;
} known_joint;

struct records {
    database *db;
    const sweep_plan *plan;
    bool is_empty;                      /* read, and there are no tables in it */
    bool *present[kinds];               /* whether the table has each figure */
    known_joint *joints;                /* by number */
    size_t joint_count, written_joints; /* those whose transaction has ended */
    query *put_run, *put_stamp, *ask_inputs, *drop_run, *put_joint, *drop_figures[kinds],
        *put_figures[kinds];
};

/* ---- the text of the tables ---- */

static void append(char **text, const char *more) {
    char *longer = format_text("%s%s", *text, more);
    free(*text);
    *text = longer;
}

static void append_all(char **text, const char *a, const char *b, const char *c) {
    append(text, a);
    append(text, b);
    append(text, c);
}

static size_t figure_count(size_t kind) {
    size_t count = 0;
    while (figure_tables[kind].at(count)) count++;
    return count;
}

static const char *const run_columns[] = {"number",  "name",   "status", "reason", "warnings",
                                          "project", "inputs", "series", "stamp",  "checksum"};
enum { run_column_count = sizeof run_columns / sizeof run_columns[0] };

static bool is_taken(const sweep_plan *plan, size_t parameter) {
    const char *key = plan->parameters[parameter].key;
    for (size_t k = 0; k < run_column_count; k++)
        if (strcasecmp(key, run_columns[k]) == 0) return true;
    for (size_t k = 0; k < parameter; k++)
        if (strcasecmp(key, plan->parameters[k].key) == 0) return true;
    return false;
}

/* The column of a setting; SQL knows no difference between a and A. */
static char *setting_column(const sweep_plan *plan, size_t parameter) {
    char *name = is_taken(plan, parameter)
                     ? format_text("%s (%zu)", plan->parameters[parameter].key, parameter + 1)
                     : copy_text(plan->parameters[parameter].key);
    char *quoted = database_quoted(name);
    free(name);
    return quoted;
}

/* NUMERIC: what looks like a number is one, so that kp > 20 means what it says. */
static char *text_of_runs(const sweep_plan *plan) {
    char *sql = copy_text("CREATE TABLE runs(number INTEGER PRIMARY KEY, name TEXT NOT NULL, "
                          "status TEXT NOT NULL, reason TEXT, warnings TEXT, project TEXT NOT "
                          "NULL, inputs INTEGER NOT NULL, series INTEGER NOT NULL, stamp INTEGER "
                          "NOT NULL, checksum INTEGER NOT NULL");
    for (size_t k = 0; k < plan->parameter_count; k++) {
        char *column = setting_column(plan, k);
        append_all(&sql, ", ", column, " NUMERIC");
        free(column);
    }
    append(&sql, ")");
    return sql;
}

static const char text_of_joints[] =
    "CREATE TABLE joints(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL)";
static const char text_of_inputs[] =
    "CREATE TABLE inputs(generation INTEGER NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, "
    "PRIMARY KEY(generation, path)) WITHOUT ROWID";

static const char figures_begin[] =
    "(run INTEGER NOT NULL, place INTEGER NOT NULL, joint INTEGER NOT NULL";
static const char figures_end[] = ", PRIMARY KEY(run, place)) WITHOUT ROWID";

static char *text_of_figures(size_t kind) {
    char *sql = format_text("CREATE TABLE %s%s", figure_tables[kind].table, figures_begin);
    const joint_figure *f;
    for (size_t k = 0; (f = figure_tables[kind].at(k)); k++)
        append_all(&sql, ", ", f->name, " REAL");
    append(&sql, figures_end);
    return sql;
}

/* Everything of a run and a joint in a row; a run that failed has one without a joint. */
static char *text_of_view(const sweep_plan *plan, size_t kind) {
    const char *table = figure_tables[kind].table;
    char *sql = format_text("CREATE VIEW %s AS SELECT r.number, r.name, r.status, r.reason, "
                            "r.warnings, r.project, r.inputs, r.series",
                            figure_tables[kind].view);
    for (size_t k = 0; k < plan->parameter_count; k++) {
        char *column = setting_column(plan, k);
        append_all(&sql, ", r.", column, "");
        free(column);
    }
    append_all(&sql, ", j.name AS ", figure_tables[kind].whose, "");
    const joint_figure *f;
    for (size_t k = 0; (f = figure_tables[kind].at(k)); k++) append_all(&sql, ", f.", f->name, "");
    append_all(&sql, " FROM runs r LEFT JOIN ", table, " f ON f.run = r.number");
    append(&sql, " LEFT JOIN joints j ON j.id = f.joint");
    return sql;
}

/* ---- whether the tables are ours ---- */

static bool is_word(const char *from, const char *to) {
    for (const char *c = from; c < to; c++)
        if (!(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_')) return false;
    return to > from;
}

/* One of an earlier version may have fewer figures, one of a later version more. */
static bool read_figure_columns(records *r, size_t kind, const char *sql) {
    char *begin = format_text("CREATE TABLE %s%s", figure_tables[kind].table, figures_begin);
    const size_t length = strlen(begin);
    bool fine = strncmp(sql, begin, length) == 0;
    free(begin);
    sql += fine ? length : 0;
    while (fine && strcmp(sql, figures_end) != 0) {
        static const char type[] = " REAL";
        const char *word = sql + 2, *end = strncmp(sql, ", ", 2) == 0 ? strchr(word, ' ') : NULL;
        fine = end && is_word(word, end) && strncmp(end, type, sizeof type - 1) == 0;
        if (!fine) break;
        const joint_figure *f;
        for (size_t k = 0; (f = figure_tables[kind].at(k)); k++)
            if (strlen(f->name) == (size_t)(end - word) &&
                strncmp(f->name, word, (size_t)(end - word)) == 0)
                r->present[kind][k] = true;
        sql = end + sizeof type - 1;
    }
    return fine;
}

static bool is_ours(records *r, const char *name, const char *sql, bool *known) {
    *known = true;
    for (size_t kind = 0; kind < kinds; kind++)
        if (strcmp(name, figure_tables[kind].table) == 0) return read_figure_columns(r, kind, sql);
    if (strcmp(name, "joints") == 0) return strcmp(sql, text_of_joints) == 0;
    if (strcmp(name, "inputs") == 0) return strcmp(sql, text_of_inputs) == 0;
    *known = false;
    if (strcmp(name, "runs") != 0) return true; /* somebody's own, which nobody here reads */
    *known = true;
    char *text = text_of_runs(r->plan);
    const bool same = strcmp(sql, text) == 0;
    free(text);
    return same;
}

static bool check_tables(records *r) {
    const char *path = database_path(r->db);
    query *q = query_prepare(r->db, "SELECT type, name, sql FROM sqlite_schema");
    bool fine = q != NULL, known;
    int count = 0;
    while (fine && query_next(q)) {
        const char *type = query_text(q, 0), *name = query_text(q, 1), *sql = query_text(q, 2);
        if (!type || !name || !sql) continue; /* an index that SQLite made itself */
        if (strcmp(type, "trigger") == 0)
            fine =
                complain("%s: it has a trigger ('%s'), which stiction did not write", path, name);
        else if (!is_ours(r, name, sql, &known))
            fine =
                complain("%s: it is of another sweep, or its table '%s' was changed", path, name);
        else
            count += known;
    }
    fine = fine && !query_failed(q);
    query_free(q);
    return fine && (count == kinds + 3 || complain("%s: a table is missing in it", path));
}

/* ---- making them ---- */

static bool do_and_free(database *db, char *sql) {
    const bool fine = database_do(db, sql);
    free(sql);
    return fine;
}

static bool make_views(records *r) {
    bool fine = true;
    for (size_t kind = 0; fine && kind < kinds; kind++) {
        char *drop = format_text("DROP VIEW IF EXISTS %s", figure_tables[kind].view);
        fine = do_and_free(r->db, drop) && do_and_free(r->db, text_of_view(r->plan, kind));
    }
    return fine;
}

static bool make_tables(records *r) {
    bool fine = database_begin(r->db) && do_and_free(r->db, text_of_runs(r->plan)) &&
                database_do(r->db, text_of_joints) && database_do(r->db, text_of_inputs);
    for (size_t kind = 0; fine && kind < kinds; kind++) {
        fine = do_and_free(r->db, text_of_figures(kind));
        for (size_t k = 0; k < figure_count(kind); k++) r->present[kind][k] = true;
    }
    return fine && make_views(r) && database_set_version(r->db, application, version) &&
           database_flush(r->db);
}

/* The columns that the table has and that are known here. */
static char *columns_of(const records *r, size_t kind) {
    char *columns = copy_text("run, place, joint");
    const joint_figure *f;
    for (size_t k = 0; (f = figure_tables[kind].at(k)); k++)
        if (r->present[kind][k]) append_all(&columns, ", ", f->name, "");
    return columns;
}

/* A figure came since the table was made: the runs that are there have none. */
static bool add_figures(records *r, size_t kind) {
    bool whole = true;
    for (size_t k = 0; k < figure_count(kind); k++) whole = whole && r->present[kind][k];
    if (whole) return true;
    const char *table = figure_tables[kind].table;
    char *columns = columns_of(r, kind);
    bool fine = database_begin(r->db);
    for (size_t k = 0; fine && k < kinds; k++)
        fine = do_and_free(r->db, format_text("DROP VIEW IF EXISTS %s", figure_tables[k].view));
    fine = fine &&
           do_and_free(r->db, format_text("ALTER TABLE %s RENAME TO before_%s", table, table)) &&
           do_and_free(r->db, text_of_figures(kind)) &&
           do_and_free(r->db, format_text("INSERT INTO %s(%s) SELECT %s FROM before_%s", table,
                                          columns, columns, table)) &&
           do_and_free(r->db, format_text("DROP TABLE before_%s", table)) && make_views(r) &&
           database_flush(r->db);
    for (size_t k = 0; k < figure_count(kind); k++) r->present[kind][k] = true;
    free(columns);
    return fine;
}

/* ---- opening ---- */

static bool is_utf8(const char *text) {
    while (*text)
        if (stiction_utf8_next(&text) == UTF8_INVALID) return false;
    return true;
}

static bool read_joints(records *r) {
    query *q = query_prepare(r->db, "SELECT id, name, type FROM joints ORDER BY id");
    bool fine = q != NULL;
    while (fine && query_next(q)) {
        const char *name = query_text(q, 1), *type = query_text(q, 2);
        if (r->joint_count == RECORDS_MOST_JOINTS || !name || !type || strlen(name) > 1000 ||
            !is_utf8(name) || query_integer(q, 0) != (int64_t)r->joint_count + 1) {
            fine = complain("%s: its table of joints was changed, or has more than %d",
                            database_path(r->db), RECORDS_MOST_JOINTS);
            break;
        }
        r->joints[r->joint_count++] = (known_joint){.name = copy_text(name),
                                                    .prismatic = strcmp(type, "prismatic") == 0,
                                                    .is_body = strcmp(type, "body") == 0};
    }
    fine = fine && !query_failed(q);
    query_free(q);
    r->written_joints = r->joint_count;
    return fine;
}

/* "INSERT OR REPLACE INTO t VALUES(?,?,?)" */
static query *prepare_put(records *r, const char *table, size_t columns) {
    char *sql = format_text("INSERT OR REPLACE INTO %s VALUES(", table);
    for (size_t k = 0; k < columns; k++) append(&sql, k ? ",?" : "?");
    append(&sql, ")");
    query *q = query_prepare(r->db, sql);
    free(sql);
    return q;
}

static query *prepare_drop(records *r, const char *table, const char *key) {
    char *sql = format_text("DELETE FROM %s WHERE %s = ?", table, key);
    query *q = query_prepare(r->db, sql);
    free(sql);
    return q;
}

static query *prepare_put_figures(records *r, size_t kind) {
    char *columns = columns_of(r, kind), *sql;
    size_t count = 3 + figure_count(kind);
    sql = format_text("INSERT INTO %s(%s) VALUES(", figure_tables[kind].table, columns);
    for (size_t k = 0; k < count; k++) append(&sql, k ? ",?" : "?");
    append(&sql, ")");
    query *q = query_prepare(r->db, sql);
    free(columns);
    free(sql);
    return q;
}

static bool prepare(records *r) {
    r->put_run = prepare_put(r, "runs", run_column_count + r->plan->parameter_count);
    r->put_joint = prepare_put(r, "joints", 3);
    r->put_stamp = query_prepare(r->db, "UPDATE runs SET stamp = ? WHERE number = ?");
    r->ask_inputs = query_prepare(r->db, "SELECT inputs FROM runs WHERE number = ?");
    r->drop_run = prepare_drop(r, "runs", "number");
    bool fine = r->put_run && r->put_joint && r->put_stamp && r->ask_inputs && r->drop_run;
    for (size_t kind = 0; fine && kind < kinds; kind++) {
        r->drop_figures[kind] = prepare_drop(r, figure_tables[kind].table, "run");
        r->put_figures[kind] = prepare_put_figures(r, kind);
        fine = r->drop_figures[kind] && r->put_figures[kind];
    }
    return fine;
}

static bool open_tables(records *r, database_mode mode) {
    if (database_version(r->db) == 0) {
        r->is_empty = mode == DATABASE_READ;
        return r->is_empty || (make_tables(r) && prepare(r));
    }
    if (!check_tables(r) || !read_joints(r)) return false;
    if (mode == DATABASE_READ) return true;
    bool fine = true;
    for (size_t kind = 0; fine && kind < kinds; kind++) fine = add_figures(r, kind);
    return fine && prepare(r);
}

bool records_exist(const char *folder) {
    struct stat status;
    char *path = format_text("%s/" RECORDS_NAME, folder);
    const bool there = lstat(path, &status) == 0 || errno != ENOENT;
    free(path);
    return there;
}

void records_recover(const char *folder) {
    char *path = format_text("%s/" RECORDS_NAME, folder);
    database_abandon(database_open(path, DATABASE_READ, application, version));
    free(path);
}

records *records_open(const char *folder, const sweep_plan *plan, database_mode mode) {
    char *path = format_text("%s/" RECORDS_NAME, folder);
    records *r = allocate(1, sizeof *r);
    *r = (records){.plan = plan};
    r->joints = allocate(RECORDS_MOST_JOINTS, sizeof *r->joints);
    for (size_t kind = 0; kind < kinds; kind++)
        r->present[kind] = allocate(figure_count(kind) + 1, sizeof *r->present[kind]);
    bool fine = plan->parameter_count <= most_settings ||
                complain("a sweep has at most %d keys in 'set'; this one has %zu", most_settings,
                         plan->parameter_count);
    r->db = fine ? database_open(path, mode, application, version) : NULL;
    fine = r->db && open_tables(r, mode);
    free(path);
    if (fine) return r;
    records_abandon(r);
    return NULL;
}

static void free_queries(records *r) {
    query_free(r->put_run);
    query_free(r->put_stamp);
    query_free(r->ask_inputs);
    query_free(r->drop_run);
    query_free(r->put_joint);
    for (size_t kind = 0; kind < kinds; kind++) {
        query_free(r->drop_figures[kind]);
        query_free(r->put_figures[kind]);
        free(r->present[kind]);
    }
    for (size_t k = 0; k < r->joint_count; k++) free(r->joints[k].name);
    free(r->joints);
}

void records_abandon(records *r) {
    if (!r) return;
    free_queries(r);
    database_abandon(r->db);
    free(r);
}

/* What was lost with a transaction is not there. */
static bool or_forget(records *r, bool fine) {
    if (fine) {
        r->written_joints = database_waits(r->db) ? r->written_joints : r->joint_count;
        return true;
    }
    database_undo(r->db);
    while (r->joint_count > r->written_joints) free(r->joints[--r->joint_count].name);
    return false;
}

bool records_flush(records *r) {
    return or_forget(r, database_flush(r->db));
}

bool records_tick(records *r) {
    return or_forget(r, database_tick(r->db));
}

bool records_wait(const records *r) {
    return database_waits(r->db);
}

bool records_close(records *r) {
    if (!r) return true;
    const bool fine = records_flush(r);
    records_abandon(r);
    return fine;
}

/* ---- the checksum of a row ---- */

/* None is not the same as an empty one. */
static void add_text(uint64_t *sum, const char *text) {
    *sum = text ? fingerprint(*sum, text, strlen(text) + 1) : fingerprint(*sum, "\1", 1);
}

/* A figure that there is none of adds nothing, so that later versions may have more of them. */
static void add_figures_of(uint64_t *sum, const record_joint *joint) {
    const size_t kind = joint->is_body ? of_bodies : of_joints;
    const joint_figure *f;
    for (size_t k = 0; (f = figure_tables[kind].at(k)); k++) {
        const double value = joint->figures[k] + 0.0; /* SQLite knows no -0 */
        if (!isfinite(value)) continue;
        add_text(sum, f->name);
        *sum = fingerprint(*sum, &value, sizeof value);
    }
}

/* Of all but the stamp, which changes alone, and project and settings, which are compared with the
 * plan's. SQLite would not notice a digit that is another one. */
static int64_t checksum(const record *row, const record_joint *joints, size_t count) {
    uint64_t sum = FINGERPRINT_OF_NOTHING;
    const uint64_t numbers[] = {row->inputs, row->failed, row->has_series};
    add_text(&sum, row->name);
    add_text(&sum, row->reason);
    add_text(&sum, row->warnings);
    sum = fingerprint(sum, numbers, sizeof numbers);
    /* those of the joints, then those of the bodies, as they are read */
    for (size_t kind = 0; kind < kinds; kind++)
        for (size_t k = 0; k < count; k++) {
            if (joints[k].is_body != (kind == of_bodies)) continue;
            add_text(&sum, joints[k].name);
            add_text(&sum, joints[k].prismatic ? "prismatic" : "");
            add_figures_of(&sum, &joints[k]);
        }
    int64_t same_bits;
    memcpy(&same_bits, &sum, sizeof same_bits);
    return same_bits;
}

/* ---- writing ---- */

static const char *type_of(const record_joint *joint) {
    return joint->is_body ? "body" : joint->prismatic ? "prismatic" : "revolute";
}

/* Its number, from 1; 0 after a sentence on stderr. The search begins at `hint`. */
static size_t joint_number(records *r, const record_joint *joint, size_t hint) {
    for (size_t k = 0; k < r->joint_count; k++) {
        const size_t at = (hint + k) % r->joint_count;
        const known_joint *there = &r->joints[at];
        if (there->is_body == joint->is_body && there->prismatic == joint->prismatic &&
            strcmp(there->name, joint->name) == 0)
            return at + 1;
    }
    if (r->joint_count == RECORDS_MOST_JOINTS) {
        (void)complain("%s: a sweep has at most %d joints and bodies", database_path(r->db),
                       RECORDS_MOST_JOINTS);
        return 0;
    }
    query_set_integer(r->put_joint, 1, (int64_t)r->joint_count + 1);
    query_set_text(r->put_joint, 2, joint->name);
    query_set_text(r->put_joint, 3, type_of(joint));
    if (!query_run(r->put_joint)) return 0;
    r->joints[r->joint_count++] =
        (known_joint){copy_text(joint->name), joint->prismatic, joint->is_body};
    return r->joint_count;
}

/* A text that others wrote, not too long; the caller frees it. */
static char *cut(const char *text) {
    return text ? format_text("%.*s", most_sentence, text) : NULL;
}

static bool put_run(records *r, const record *row, int64_t sum) {
    query *q = r->put_run;
    int at = 0;
    query_set_integer(q, ++at, (int64_t)row->run + 1);
    query_set_text(q, ++at, row->name);
    query_set_text(q, ++at, row->failed ? "failed" : "done");
    query_set_text(q, ++at, row->reason);
    query_set_text(q, ++at, row->warnings);
    query_set_text(q, ++at, sweep_plan_project(r->plan, row->run));
    query_set_integer(q, ++at, (int64_t)row->inputs);
    query_set_integer(q, ++at, row->has_series);
    query_set_integer(q, ++at, row->stamp);
    query_set_integer(q, ++at, sum);
    for (size_t k = 0; k < r->plan->parameter_count; k++)
        query_set_text(q, ++at, sweep_plan_value(r->plan, row->run, k));
    return query_run(q);
}

static bool drop_figures(records *r, size_t run) {
    bool fine = true;
    for (size_t kind = 0; fine && kind < kinds; kind++) {
        query_set_integer(r->drop_figures[kind], 1, (int64_t)run + 1);
        fine = query_run(r->drop_figures[kind]);
    }
    return fine;
}

static bool put_joint(records *r, size_t run, const record_joint *joint, size_t place) {
    const size_t kind = joint->is_body ? of_bodies : of_joints;
    query *q = r->put_figures[kind];
    const size_t number = joint_number(r, joint, place);
    if (!number) return false;
    query_set_integer(q, 1, (int64_t)run + 1);
    query_set_integer(q, 2, (int64_t)place);
    query_set_integer(q, 3, (int64_t)number);
    for (size_t k = 0; k < figure_count(kind); k++)
        query_set_number(q, (int)k + 4, joint->figures[k]);
    return query_run(q);
}

bool records_put(records *r, const record *row, const record_joint *joints, size_t count) {
    record written = *row;
    char *reason = cut(row->reason), *warnings = cut(row->warnings);
    written.reason = reason;
    written.warnings = warnings;
    bool fine = database_begin(r->db) && drop_figures(r, row->run) &&
                put_run(r, &written, checksum(&written, joints, count));
    for (size_t k = 0; fine && k < count; k++) fine = put_joint(r, row->run, &joints[k], k);
    free(reason);
    free(warnings);
    return or_forget(r, fine);
}

bool records_put_stamp(records *r, size_t run, int64_t stamp) {
    query_set_integer(r->put_stamp, 1, stamp);
    query_set_integer(r->put_stamp, 2, (int64_t)run + 1);
    return or_forget(r, database_begin(r->db) && query_run(r->put_stamp));
}

bool records_remove(records *r, size_t run) {
    query_set_integer(r->drop_run, 1, (int64_t)run + 1);
    return or_forget(r, database_begin(r->db) && drop_figures(r, run) && query_run(r->drop_run));
}

size_t records_generation_of(records *r, size_t run) {
    query *q = r->ask_inputs;
    query_set_integer(q, 1, (int64_t)run + 1);
    const int64_t found = query_next(q) ? query_integer(q, 0) : 0;
    query_reset(q);
    /* a row that was changed may say anything */
    size_t count;
    if (!records_generations(r, &count)) return 0;
    return found > 0 && (uint64_t)found <= count ? (size_t)found : 0;
}

/* ---- reading ---- */

struct records_reader {
    records *owner;
    query *runs, *figures[kinds];
    query *settings;                 /* whether a row has those of the plan */
    bool waits[kinds], ended[kinds]; /* a row of figures is there; there are no more */
    size_t run, foreign, joint_count, value_count;
    bool failed;
    char *name; /* of the run by the plan */
    record_joint *joints;
    double *values;
};

static void set_range(query *q, size_t first, size_t end) {
    query_set_integer(q, 1, (int64_t)first);
    query_set_integer(q, 2, (int64_t)end);
}

static query *prepare_figures(records *r, size_t kind, size_t first, size_t end) {
    char *sql = copy_text("SELECT run, joint");
    const joint_figure *f;
    for (size_t k = 0; (f = figure_tables[kind].at(k)); k++)
        append_all(&sql, ", ", r->present[kind][k] ? f->name : "NULL", "");
    append_all(&sql, " FROM ", figure_tables[kind].table, " WHERE run > ? AND run <= ?");
    append(&sql, " ORDER BY run, place");
    query *q = query_prepare(r->db, sql);
    if (q) set_range(q, first, end);
    free(sql);
    return q;
}

/* SQLite compares as it stores: '050' and 50 are the same number. Two lists, since so many AND
 * would be deeper than it goes. */
static query *prepare_settings(records *r) {
    char *sql = copy_text("SELECT 1 FROM runs WHERE (number, project");
    for (size_t k = 0; k < r->plan->parameter_count; k++) {
        char *column = setting_column(r->plan, k);
        append_all(&sql, ", ", column, "");
        free(column);
    }
    append(&sql, ") = (?, ?");
    for (size_t k = 0; k < r->plan->parameter_count; k++) append(&sql, ", ?");
    append(&sql, ")");
    query *q = query_prepare(r->db, sql);
    free(sql);
    return q;
}

records_reader *records_read(records *r, size_t first, size_t end) {
    records_reader *reader = allocate(1, sizeof *reader);
    *reader = (records_reader){.owner = r};
    if (r->is_empty) return reader;
    reader->runs = query_prepare(r->db, "SELECT number, name, status, reason, warnings, inputs, "
                                        "series, stamp, checksum FROM runs WHERE number > ? "
                                        "AND number <= ? ORDER BY number");
    reader->settings = prepare_settings(r);
    bool fine = reader->runs && reader->settings;
    if (fine) set_range(reader->runs, first, end);
    for (size_t kind = 0; fine && kind < kinds; kind++)
        fine = (reader->figures[kind] = prepare_figures(r, kind, first, end)) != NULL;
    if (fine) return reader;
    records_reader_free(reader);
    return NULL;
}

void records_reader_free(records_reader *reader) {
    if (!reader) return;
    query_free(reader->runs);
    query_free(reader->settings);
    for (size_t kind = 0; kind < kinds; kind++) query_free(reader->figures[kind]);
    free(reader->name);
    free(reader->joints);
    free(reader->values);
    free(reader);
}

/* A row of this sweep: the name is that of its number and settings. */
static bool take_row(records_reader *reader, record *row) {
    query *q = reader->runs;
    const sweep_plan *plan = reader->owner->plan;
    const int64_t number = query_integer(q, 0);
    const char *name = query_text(q, 1), *status = query_text(q, 2);
    if (number < 1 || (uint64_t)number > sweep_plan_count(plan) || !name || !status) return false;
    free(reader->name);
    reader->name = sweep_plan_name(plan, (size_t)number - 1);
    const bool failed = strcmp(status, "failed") == 0;
    if (strcmp(name, reader->name) != 0 || (!failed && strcmp(status, "done") != 0)) return false;
    const int64_t inputs = query_integer(q, 5);
    *row = (record){.run = (size_t)number - 1,
                    .name = reader->name,
                    .failed = failed,
                    .reason = query_text(q, 3),
                    .warnings = query_text(q, 4),
                    .inputs = inputs > 0 ? (size_t)inputs : 0,
                    .has_series = query_integer(q, 6) != 0,
                    .stamp = query_integer(q, 7)};
    reader->run = row->run;
    return true;
}

bool records_failed(const records_reader *reader) {
    return reader->failed;
}

size_t records_foreign(const records_reader *reader) {
    return reader->foreign;
}

static void take_joint(records_reader *reader, size_t kind) {
    query *q = reader->figures[kind];
    const records *r = reader->owner;
    const int64_t number = query_integer(q, 1);
    if (number < 1 || (uint64_t)number > r->joint_count ||
        r->joints[number - 1].is_body != (kind == of_bodies) ||
        reader->joint_count == RECORDS_MOST_JOINTS)
        return;
    const known_joint *joint = &r->joints[number - 1];
    const size_t count = figure_count(kind);
    reader->values =
        reallocate(reader->values, reader->value_count + count, sizeof *reader->values);
    for (size_t k = 0; k < count; k++)
        reader->values[reader->value_count++] = query_number(q, (int)k + 2);
    reader->joints = reallocate(reader->joints, reader->joint_count + 1, sizeof *reader->joints);
    reader->joints[reader->joint_count++] = (record_joint){
        .name = joint->name, .prismatic = joint->prismatic, .is_body = joint->is_body};
}

/* Those of the run; what belongs to runs before it is passed. */
static void take_joints(records_reader *reader, size_t kind) {
    query *q = reader->figures[kind];
    while (q && !reader->ended[kind]) {
        if (!reader->waits[kind] && !query_next(q)) {
            reader->ended[kind] = true;
            reader->failed = reader->failed || query_failed(q);
            break;
        }
        reader->waits[kind] = query_integer(q, 0) > (int64_t)reader->run + 1;
        if (reader->waits[kind]) break;
        if (query_integer(q, 0) == (int64_t)reader->run + 1) take_joint(reader, kind);
    }
}

static void take_all_joints(records_reader *reader) {
    reader->joint_count = reader->value_count = 0;
    for (size_t kind = 0; kind < kinds; kind++) take_joints(reader, kind);
    const double *values = reader->values;
    for (size_t k = 0; k < reader->joint_count; k++) {
        reader->joints[k].figures = values;
        values += figure_count(reader->joints[k].is_body ? of_bodies : of_joints);
    }
}

static bool has_settings(records_reader *reader) {
    const sweep_plan *plan = reader->owner->plan;
    query *q = reader->settings;
    query_set_integer(q, 1, (int64_t)reader->run + 1);
    query_set_text(q, 2, sweep_plan_project(plan, reader->run));
    for (size_t k = 0; k < plan->parameter_count; k++)
        query_set_text(q, (int)k + 3, sweep_plan_value(plan, reader->run, k));
    const bool has = query_next(q);
    reader->failed = reader->failed || query_failed(q);
    query_reset(q);
    return has;
}

bool records_next(records_reader *reader, record *row) {
    while (reader->runs && !reader->failed && query_next(reader->runs)) {
        if (!take_row(reader, row)) {
            reader->foreign++;
            continue;
        }
        take_all_joints(reader);
        row->is_damaged =
            !has_settings(reader) ||
            query_integer(reader->runs, 8) != checksum(row, reader->joints, reader->joint_count);
        return !reader->failed;
    }
    reader->failed = reader->failed || (reader->runs && query_failed(reader->runs));
    return false;
}

const record_joint *records_joints(const records_reader *reader, size_t *count) {
    *count = reader->joint_count;
    return reader->joints;
}

/* ---- the files that the runs read ---- */

bool records_generations(records *r, size_t *count) {
    *count = 0;
    if (r->is_empty) return true;
    query *q = query_prepare(r->db, "SELECT max(generation) FROM inputs");
    const bool fine = q && query_next(q);
    const int64_t last = fine ? query_integer(q, 0) : 0;
    query_free(q);
    if (last > 0 && last < SWEEP_MOST_RUNS) *count = (size_t)last;
    return fine;
}

static bool is_digest(const char *text) {
    return strlen(text) == MANIFEST_DIGEST_SIZE - 1 &&
           strspn(text, "0123456789abcdef") == MANIFEST_DIGEST_SIZE - 1;
}

bool records_inputs(records *r, size_t generation, manifest *list) {
    *list = (manifest){.entries = NULL};
    if (r->is_empty) return true;
    query *q = query_prepare(r->db, "SELECT path, sha256 FROM inputs WHERE generation = ? "
                                    "ORDER BY path");
    bool fine = q != NULL;
    if (fine) query_set_integer(q, 1, (int64_t)generation);
    while (fine && query_next(q)) {
        const char *path = query_text(q, 0), *digest = query_text(q, 1);
        fine = (path && digest && is_digest(digest)) ||
               complain("%s: its table of inputs was changed", database_path(r->db));
        if (!fine) break;
        manifest_entry entry = {.name = copy_text(path)};
        memcpy(entry.digest, digest, sizeof entry.digest);
        if (!manifest_add_entry(list, &entry)) (void)must_have(NULL);
        free(entry.name);
    }
    fine = fine && !query_failed(q);
    query_free(q);
    return fine;
}

bool records_put_inputs(records *r, size_t generation, const manifest *list) {
    query *q = prepare_put(r, "inputs", 3);
    bool fine = q && database_begin(r->db);
    for (size_t k = 0; fine && k < list->count; k++) {
        query_set_integer(q, 1, (int64_t)generation);
        query_set_text(q, 2, list->entries[k].name);
        query_set_text(q, 3, list->entries[k].digest);
        fine = query_run(q);
    }
    query_free(q);
    return or_forget(r, fine); /* half a list would be that of other files */
}
