/*
 * An SQLite database in one file, for a command that complains. What is written waits in a
 * transaction that ends about four times a second: a row costs next to nothing, and a kill or a
 * loss of power costs the last of them and never the file. No WAL: folders of sweeps are on NFS.
 * What is read may be anybody's: the file must be a regular one, cells are bounded, and nothing in
 * it is run (triggers and views of others are refused by whoever knows the tables).
 */
#ifndef STICTION_TOOLS_SWEEP_DATABASE_H
#define STICTION_TOOLS_SWEEP_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text of a cell has at most so many bytes. */
enum { DATABASE_MOST_CELL = 1 << 20 };

typedef struct database database;
typedef struct query query;

typedef enum database_mode {
    DATABASE_READ, /* what is there */
    DATABASE_WRITE /* made where it is not there */
} database_mode;

/*
 * NULL after a sentence on stderr. One that is damaged, no database, of another program
 * (`application`) or of a version above `version` is refused; version 0 is a new one, with nothing
 * in it.
 */
database *database_open(const char *path, database_mode mode, int32_t application, int version);
/* What waits is written. False after a sentence on stderr. */
bool database_close(database *d);
/* The same without writing it: after a failure, or in a child. */
void database_abandon(database *d);

const char *database_path(const database *d);
/* Which version the file had when it was opened; 0: it is new. */
int database_version(const database *d);
bool database_set_version(database *d, int32_t application, int version);

/* Statements without parameters or results. False after a sentence on stderr. */
bool database_do(database *d, const char *sql);

/* A transaction begins, unless there is one. What is written belongs to it. */
bool database_begin(database *d);
/* It ends, where it began long enough ago. False after a sentence on stderr: all of it is lost. */
bool database_tick(database *d);
/* It ends now. */
bool database_flush(database *d);
/* All of it is as if it had not been. */
void database_undo(database *d);
/* Whether something waits. */
bool database_waits(const database *d);

/* ---- a statement with parameters or results, which may be used again ---- */

/* NULL after a sentence on stderr. */
query *query_prepare(database *d, const char *sql);
void query_free(query *q); /* NULL is fine */

/* Parameters count from 1; a text is copied, NULL and NaN become null. They stay until changed. */
void query_set_text(query *q, int parameter, const char *text);
void query_set_integer(query *q, int parameter, int64_t value);
void query_set_number(query *q, int parameter, double value);

/* The next row; false: there is none, or it failed, see query_failed. After the last one it begins
 * again. */
bool query_next(query *q);
/* Whether the last query_next failed, after a sentence on stderr. */
bool query_failed(const query *q);
/* One that has no rows. False after a sentence on stderr. */
bool query_run(query *q);
/* It begins again before it came to the end. */
void query_reset(query *q);

/* Of the row, columns count from 0. A text is there until the next row; NULL: it is null. */
const char *query_text(query *q, int column);
int64_t query_integer(query *q, int column);
double query_number(query *q, int column); /* NaN: it is null, or no finite number */
bool query_is_null(query *q, int column);

/* "a" -> "\"a\"", as a name in SQL; the caller frees it. */
char *database_quoted(const char *name);

#endif
