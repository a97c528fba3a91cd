/*
 * An SQLite database in one file: opening with care, transactions by time, and sentences.
 */
#include "sweep/database.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"

/* How long a transaction is open, s, and how long others that read are waited for, ms. */
static const double group_time = 0.25;
enum { patience = 60000 };

struct database {
    sqlite3 *handle;
    char *path;
    int version;
    double last_end; /* s: when the last transaction ended */
};

struct query {
    database *owner;
    sqlite3_stmt *statement;
    int verdict; /* of the last step */
    int set;     /* of the parameters since */
};

/* ---- sentences ---- */

/* The errno that SQLite logs of a call that failed: of a sync it does not keep it elsewhere. */
static _Thread_local int logged_errno;

static void note_log(void *user, int code, const char *message) {
    (void)user, (void)code;
    int why;
    if (sscanf(message, "os_unix.c:%*d: (%d)", &why) == 1) logged_errno = why;
}

/* SQLite tries a file that it cannot make as one to read, and then knows only that there is none:
 * the same in the same folder says why. */
static int why_nothing_is_made(const database *d) {
    char *path = format_text("%s-try", d->path);
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    const int why = file < 0 ? errno : EIO; /* it could, a moment later */
    if (file >= 0) (void)close(file);
    if (file >= 0) (void)unlink(path);
    free(path);
    return why;
}

/* What SQLite says, in the words of the system where it was the system's fault. */
static const char *reason_of(const database *d, int verdict) {
    const int code = verdict & 0xff, kept = sqlite3_system_errno(d->handle);
    int why = logged_errno ? logged_errno : kept;
    logged_errno = 0;
    if (code == SQLITE_CANTOPEN && why == ENOENT) why = why_nothing_is_made(d);
    if (code == SQLITE_NOMEM || (why == ENOMEM && code == SQLITE_IOERR)) (void)must_have(NULL);
    if (code == SQLITE_FULL) return strerror(ENOSPC);
    if ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && why) return strerror(why);
    switch (code) {
    case SQLITE_CORRUPT:
        return "it is damaged";
    case SQLITE_NOTADB:
        return "it is no SQLite database";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program has it locked";
    case SQLITE_TOOBIG:
        return "a cell of it has more than 1 MiB, the most that is read";
    case SQLITE_READONLY:
        return verdict == SQLITE_READONLY_ROLLBACK || verdict == SQLITE_READONLY_RECOVERY
                   ? "whoever wrote it was killed, and what was half done cannot be undone, since "
                     "it may not be written here"
                   : "it may not be written";
    default:
        return sqlite3_errmsg(d->handle);
    }
}

static bool complain_of(const database *d, int verdict) {
    return complain("%s: %s", d->path, reason_of(d, verdict));
}

/* ---- opening ---- */

/* Before SQLite looks: a pipe would wait, and a link leads elsewhere. It is asked by its name only:
 * to open and close the file would end the locks of SQLite's own descriptors (POSIX). */
static bool is_regular(const char *path, database_mode mode) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return (mode == DATABASE_WRITE && errno == ENOENT) ||
               complain("%s: %s", path, strerror(errno));
    if (S_ISLNK(status.st_mode)) return complain("%s: it is a symbolic link", path);
    return S_ISREG(status.st_mode) || complain("%s: it is not a file", path);
}

static int integer_of(database *d, const char *sql, int64_t *value) {
    sqlite3_stmt *statement = NULL;
    int verdict = sqlite3_prepare_v2(d->handle, sql, -1, &statement, NULL);
    if (verdict == SQLITE_OK) verdict = sqlite3_step(statement);
    if (verdict == SQLITE_ROW) *value = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return verdict == SQLITE_ROW || verdict == SQLITE_DONE ? SQLITE_OK : verdict;
}

/* Nothing in the file may make us do more than read it. */
static int set_bounds(database *d) {
    (void)sqlite3_extended_result_codes(d->handle, 1);
    (void)sqlite3_busy_timeout(d->handle, patience);
    (void)sqlite3_limit(d->handle, SQLITE_LIMIT_LENGTH, DATABASE_MOST_CELL);
    (void)sqlite3_limit(d->handle, SQLITE_LIMIT_ATTACHED, 0);
    (void)sqlite3_limit(d->handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    (void)sqlite3_db_config(d->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(d->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return sqlite3_exec(d->handle,
                        "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"
                        "PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY",
                        NULL, NULL, NULL);
}

/* Every page of it, so that damage shows before anything is done. */
static bool is_sound(database *d) {
    query *q = query_prepare(d, "PRAGMA quick_check(1)");
    const char *said = q && query_next(q) ? query_text(q, 0) : NULL;
    const bool fine = said && strcmp(said, "ok") == 0;
    if (said && !fine) (void)complain("%s: it is damaged: %s", d->path, said);
    query_free(q);
    return fine;
}

static bool is_known(database *d, int32_t application, int version) {
    int64_t whose = 0, which = 0, size = 0;
    int verdict = integer_of(d, "PRAGMA application_id", &whose);
    if (verdict == SQLITE_OK) verdict = integer_of(d, "PRAGMA user_version", &which);
    if (verdict == SQLITE_OK) verdict = integer_of(d, "SELECT count(*) FROM sqlite_schema", &size);
    if (verdict != SQLITE_OK) return complain_of(d, verdict);
    if (!whose && !which && !size) return true; /* a new one, or one that was killed before */
    if (whose != application) return complain("%s: it is the database of another program", d->path);
    if (which < 1 || which > version)
        return complain("%s: its version is %lld; this stiction knows those up to %d", d->path,
                        (long long)which, version);
    d->version = (int)which;
    return true;
}

/* A file that cannot be opened to write SQLite opens to read only. */
static int open_handle(database *d, database_mode mode) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW |
                      (mode == DATABASE_WRITE ? SQLITE_OPEN_CREATE : 0);
    errno = 0;
    int verdict = sqlite3_open_v2(d->path, &d->handle, flags, NULL);
    if (verdict == SQLITE_OK && mode == DATABASE_WRITE &&
        sqlite3_db_readonly(d->handle, "main") == 1) {
        const int why = errno;
        if (why == ENOSPC || why == EIO) (void)complain("%s: %s", d->path, strerror(why));
        return SQLITE_READONLY;
    }
    return verdict;
}

database *database_open(const char *path, database_mode mode, int32_t application, int version) {
    if (!is_regular(path, mode)) return NULL;
    (void)sqlite3_config(SQLITE_CONFIG_LOG, note_log, NULL); /* before the first is opened */
    logged_errno = 0;
    database *d = allocate(1, sizeof *d);
    *d = (database){.path = copy_text(path), .last_end = -HUGE_VAL};
    int verdict = open_handle(d, mode);
    if (!d->handle) (void)must_have(NULL);
    if (verdict == SQLITE_OK) verdict = set_bounds(d);
    if (verdict == SQLITE_OK ? is_known(d, application, version) && is_sound(d)
                             : complain_of(d, verdict))
        return d;
    database_abandon(d);
    return NULL;
}

void database_abandon(database *d) {
    if (!d) return;
    (void)sqlite3_close_v2(d->handle); /* which undoes what waits */
    free(d->path);
    free(d);
}

bool database_close(database *d) {
    const bool fine = database_flush(d);
    database_abandon(d);
    return fine;
}

const char *database_path(const database *d) {
    return d->path;
}

int database_version(const database *d) {
    return d->version;
}

bool database_set_version(database *d, int32_t application, int version) {
    char *sql =
        format_text("PRAGMA application_id=%d; PRAGMA user_version=%d", (int)application, version);
    const bool fine = database_do(d, sql);
    free(sql);
    return fine;
}

/* ---- transactions ---- */

void database_undo(database *d) {
    if (!sqlite3_get_autocommit(d->handle))
        (void)sqlite3_exec(d->handle, "ROLLBACK", NULL, NULL, NULL);
}

/* A journal that could not be made for a moment: nothing was done, and nothing is lost. */
static bool is_worth_another(const database *d, int verdict, bool waited) {
    return (verdict & 0xff) == SQLITE_CANTOPEN && database_waits(d) == waited;
}

bool database_do(database *d, const char *sql) {
    const bool waited = database_waits(d);
    int verdict = sqlite3_exec(d->handle, sql, NULL, NULL, NULL);
    if (is_worth_another(d, verdict, waited))
        verdict = sqlite3_exec(d->handle, sql, NULL, NULL, NULL);
    return verdict == SQLITE_OK || complain_of(d, verdict);
}

bool database_begin(database *d) {
    return database_waits(d) || database_do(d, "BEGIN");
}

bool database_waits(const database *d) {
    return !sqlite3_get_autocommit(d->handle);
}

bool database_flush(database *d) {
    if (!database_waits(d)) return true;
    const bool fine = database_do(d, "COMMIT");
    if (!fine) database_undo(d);
    d->last_end = monotonic_seconds();
    return fine;
}

bool database_tick(database *d) {
    return monotonic_seconds() - d->last_end < group_time || database_flush(d);
}

/* ---- queries ---- */

query *query_prepare(database *d, const char *sql) {
    sqlite3_stmt *statement;
    const int verdict = sqlite3_prepare_v2(d->handle, sql, -1, &statement, NULL);
    if (verdict != SQLITE_OK) {
        (void)complain_of(d, verdict);
        return NULL;
    }
    query *q = allocate(1, sizeof *q);
    *q = (query){.owner = d, .statement = statement, .verdict = SQLITE_OK};
    return q;
}

void query_free(query *q) {
    if (!q) return;
    (void)sqlite3_finalize(q->statement);
    free(q);
}

/* A parameter that is too large for a cell shows when the statement is run. */
static void note(query *q, int verdict) {
    if (verdict == SQLITE_NOMEM) (void)must_have(NULL);
    if (verdict != SQLITE_OK) q->set = verdict;
}

void query_set_text(query *q, int parameter, const char *text) {
    note(q, text ? sqlite3_bind_text(q->statement, parameter, text, -1, SQLITE_TRANSIENT)
                 : sqlite3_bind_null(q->statement, parameter));
}

void query_set_integer(query *q, int parameter, int64_t value) {
    note(q, sqlite3_bind_int64(q->statement, parameter, value));
}

void query_set_number(query *q, int parameter, double value) {
    note(q, sqlite3_bind_double(q->statement, parameter, value)); /* NaN becomes null */
}

bool query_next(query *q) {
    const bool waited = database_waits(q->owner);
    q->verdict = q->set != SQLITE_OK ? q->set : sqlite3_step(q->statement);
    q->set = SQLITE_OK;
    if (is_worth_another(q->owner, q->verdict, waited)) {
        (void)sqlite3_reset(q->statement);
        q->verdict = sqlite3_step(q->statement);
    }
    if (q->verdict == SQLITE_ROW) return true;
    if (query_failed(q)) (void)complain_of(q->owner, q->verdict);
    (void)sqlite3_reset(q->statement);
    return false;
}

bool query_failed(const query *q) {
    return q->verdict != SQLITE_OK && q->verdict != SQLITE_ROW && q->verdict != SQLITE_DONE;
}

bool query_run(query *q) {
    while (query_next(q)) continue;
    return !query_failed(q);
}

void query_reset(query *q) {
    (void)sqlite3_reset(q->statement);
}

const char *query_text(query *q, int column) {
    if (query_is_null(q, column)) return NULL;
    const unsigned char *text = sqlite3_column_text(q->statement, column);
    return must_have((void *)(uintptr_t)text);
}

int64_t query_integer(query *q, int column) {
    return sqlite3_column_int64(q->statement, column);
}

double query_number(query *q, int column) {
    const int type = sqlite3_column_type(q->statement, column);
    const double value = type == SQLITE_FLOAT || type == SQLITE_INTEGER
                             ? sqlite3_column_double(q->statement, column)
                             : (double)NAN;
    return isfinite(value) ? value : (double)NAN;
}

bool query_is_null(query *q, int column) {
    return sqlite3_column_type(q->statement, column) == SQLITE_NULL;
}

char *database_quoted(const char *name) {
    char *quoted = allocate(2 * strlen(name) + 3, 1), *at = quoted;
    *at++ = '"';
    for (; *name; name++) {
        if (*name == '"') *at++ = '"';
        *at++ = *name;
    }
    *at++ = '"';
    *at = '\0';
    return quoted;
}
