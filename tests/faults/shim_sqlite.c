/* SPDX-License-Identifier: MIT
 * Calls on SQLite that fail at will, as those of a disk that breaks, a file that others hold, or
 * one that somebody spoilt: part of a test program, whose libraries then use them. What SQLite
 * calls itself on the way is not counted.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <sqlite3.h>
#include <string.h>

#include "shim.h"

static long counted, fails_at;
static int fails_with;
static bool fails_on;
static int depth;

void faults_arm_sql(long n, bool on, int code) {
    counted = 0;
    fails_at = n;
    fails_on = on;
    fails_with = code;
}

long faults_counted_sql(void) {
    return counted;
}

static bool fails(void) {
    if (depth) return false;
    counted++;
    return fails_at && (counted == fails_at || (fails_on && counted > fails_at));
}

SHOWN int sqlite3_prepare_v2(sqlite3 *handle, const char *sql, int size, sqlite3_stmt **statement,
                             const char **tail) {
    REAL(sqlite3_prepare_v2);
    if (fails()) {
        *statement = NULL;
        return fails_with;
    }
    depth++;
    const int verdict = real(handle, sql, size, statement, tail);
    depth--;
    return verdict;
}

SHOWN int sqlite3_step(sqlite3_stmt *statement) {
    REAL(sqlite3_step);
    /* expressions (sweep/select.c) are evaluated in memory, where no disk can fail */
    const char *file = sqlite3_db_filename(sqlite3_db_handle(statement), "main");
    if (file && *file && fails()) return fails_with;
    depth++;
    const int verdict = real(statement);
    depth--;
    return verdict;
}

SHOWN int sqlite3_exec(sqlite3 *handle, const char *sql, int (*call)(void *, int, char **, char **),
                       void *user, char **message) {
    REAL(sqlite3_exec);
    /* there is no other way to undo something */
    if (strcmp(sql, "ROLLBACK") != 0 && fails()) return fails_with;
    depth++;
    const int verdict = real(handle, sql, call, user, message);
    depth--;
    return verdict;
}

SHOWN int sqlite3_open_v2(const char *path, sqlite3 **handle, int flags, const char *vfs) {
    REAL(sqlite3_open_v2);
    const bool broken = fails();
    depth++;
    const int verdict = real(path, handle, flags, vfs);
    depth--;
    return broken ? fails_with : verdict;
}
