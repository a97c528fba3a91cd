/* SPDX-License-Identifier: MIT
 * SQL expressions over named values. Every name becomes a parameter of `SELECT (expression)` on an
 * empty database in memory, so that nothing but functions and operators can be reached.
 */
#include "sweep/select.h"

#include <ctype.h>
#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/command.h"
#include "document/fail.h"

enum { longest_expression = 10000, largest_value = 1 << 20 };

typedef struct name {
    char *text;
    size_t column;
    bool may_be_text;
} name;

struct sweep_select {
    sqlite3 *database;
    sqlite3_stmt *statement;
    name *names;
    size_t name_count;
};

/* ---- from the user's text to SQL ---- */

typedef struct reader {
    sweep_select *s;
    const char *text, *at;
    char *sql;
    size_t length;
    bool after_equal;       /* the last token was = or the like */
    size_t depth, compared; /* parentheses; bit d: a comparison was seen in depth d */
    stiction_error *error;
} reader;

static void emit(reader *r, const char *text, size_t length) {
    r->sql = reallocate(r->sql, r->length + length + 1, 1);
    memcpy(r->sql + r->length, text, length);
    r->sql[r->length += length] = '\0';
}

static bool fail_here(reader *r, const char *at, const char *what) {
    (void)stiction_fail(r->error, STICTION_INVALID_CONFIG, "%s", what);
    r->error->column = (int)(at - r->text) + 1;
    return false;
}

static void emit_name(reader *r, const char *text, size_t length, size_t column) {
    sweep_select *s = r->s;
    size_t k = 0;
    while (k < s->name_count &&
           (strlen(s->names[k].text) != length || strncmp(s->names[k].text, text, length) != 0))
        k++;
    if (k == s->name_count) {
        s->names = reallocate(s->names, k + 1, sizeof *s->names);
        s->names[s->name_count++] =
            (name){format_text("%.*s", (int)length, text), column, r->after_equal};
    }
    s->names[k].may_be_text = s->names[k].may_be_text && r->after_equal;
    AUTO_FREE char *parameter = format_text("?%zu", k + 1);
    emit(r, parameter, strlen(parameter));
}

static bool is_keyword(const char *word, size_t length) {
    static const char *const keywords[] = {
        "and",     "or",   "not",  "is",      "null", "in",     "like",    "glob",
        "between", "case", "when", "then",    "else", "end",    "isnull",  "notnull",
        "cast",    "as",   "real", "integer", "text", "escape", "collate", "nocase"};
    for (size_t k = 0; k < sizeof keywords / sizeof keywords[0]; k++)
        if (strlen(keywords[k]) == length && strncasecmp(keywords[k], word, length) == 0)
            return true;
    return false;
}

static bool read_word(reader *r) {
    const char *start = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.' ||
           (unsigned char)*r->at >= 0x80)
        r->at++;
    const size_t length = (size_t)(r->at - start);
    const char *next = r->at + strspn(r->at, " \t\n");
    if (r->after_equal && length == 4 && strncasecmp(start, "null", 4) == 0)
        return fail_here(r, start, "nothing is equal to null; write IS NULL or IS NOT NULL");
    if (is_keyword(start, length) || *next == '(') {
        emit(r, start, length);
        r->compared &= ~((size_t)1 << r->depth); /* another comparison may begin */
    } else {
        emit_name(r, start, length, (size_t)(start - r->text) + 1);
    }
    r->after_equal = false;
    return true;
}

/* "2 deg" is in radians. */
static bool read_number_token(reader *r) {
    const char *start = r->at;
    char *end;
    (void)strtod(start, &end);
    const char *unit = end + strspn(end, " \t\n");
    if (strncmp(unit, "deg", 3) == 0 && !isalnum((unsigned char)unit[3]) && unit[3] != '_' &&
        unit[3] != '.') {
        char text[64];
        (void)snprintf(text, sizeof text, "%.17g", strtod(start, NULL) * acos(-1) / 180);
        emit(r, text, strlen(text));
        end = (char *)(uintptr_t)(unit + 3);
    } else {
        emit(r, start, (size_t)(end - start));
    }
    r->at = end;
    r->after_equal = false;
    return true;
}

/* 'text' as it is, "name" and `name` as names. Quotes in them are doubled. */
static bool read_quoted(reader *r) {
    const char *start = r->at, quote = *start, *end = start + 1;
    while (*end && (*end != quote || end[1] == quote)) end += *end == quote ? 2 : 1;
    if (!*end) return fail_here(r, start, "a quotation mark has no end");
    if (quote == '\'')
        emit(r, start, (size_t)(end + 1 - start));
    else
        emit_name(r, start + 1, (size_t)(end - start) - 1, (size_t)(start - r->text) + 1);
    r->at = end + 1;
    r->after_equal = false;
    return true;
}

static bool read_comparison(reader *r) {
    const size_t bit = (size_t)1 << r->depth, length = strspn(r->at, "<>=!");
    if (r->compared & bit)
        return fail_here(r, r->at, "comparisons cannot be chained; write 0 < a AND a < 1");
    r->compared |= bit;
    r->after_equal = strcspn(r->at, "=") < length || strncmp(r->at, "<>", 2) == 0;
    if (r->after_equal && length == 2 && (*r->at == '<' || *r->at == '>') && r->at[1] == '=')
        r->after_equal = false;
    emit(r, r->at, length);
    r->at += length;
    return true;
}

static bool read_symbol(reader *r) {
    static const char blanks[] = " \t\n\r";
    const char c = *r->at;
    if (strchr(blanks, c)) {
        emit(r, r->at++, 1);
        return true;
    }
    if (strncmp(r->at, "&&", 2) == 0 || strncmp(r->at, "||", 2) == 0) {
        emit(r, c == '&' ? " AND " : " OR ", c == '&' ? 5 : 4);
        r->compared &= ~((size_t)1 << r->depth);
        r->at += 2;
        return true;
    }
    if (c == '!' && r->at[1] != '=') {
        emit(r, " NOT ", 5);
        r->at++;
        return true;
    }
    if (strchr("<>=!", c)) return read_comparison(r);
    if (!strchr("+-*/%(),", c)) return fail_here(r, r->at, "unexpected character");
    if (strncmp(r->at, "--", 2) == 0 || strncmp(r->at, "/*", 2) == 0)
        return fail_here(r, r->at, "no comments here");
    if (c == '(' && ++r->depth == 60) return fail_here(r, r->at, "too many parentheses");
    if (c == '(' || c == ',') r->compared &= ~((size_t)1 << r->depth);
    if (c == ')' && r->depth-- == 0) return fail_here(r, r->at, "')' without '('");
    emit(r, r->at++, 1);
    r->after_equal = false;
    return true;
}

static bool read_tokens(reader *r) {
    bool fine = true;
    if (strlen(r->text) > longest_expression) return fail_here(r, r->text, "it is too long");
    while (fine && *r->at) {
        const unsigned char c = (unsigned char)*r->at;
        if (isdigit(c) || (c == '.' && isdigit((unsigned char)r->at[1])))
            fine = read_number_token(r);
        else if (isalpha(c) || c == '_' || c >= 0x80)
            fine = read_word(r);
        else if (c == '\'' || c == '"' || c == '`')
            fine = read_quoted(r);
        else
            fine = read_symbol(r);
    }
    return fine;
}

/* ---- SQLite ---- */

static int allow(void *user, int action, const char *a, const char *b, const char *c,
                 const char *d) {
    (void)user, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_SELECT || action == SQLITE_FUNCTION ? SQLITE_OK : SQLITE_DENY;
}

static bool prepare(reader *r) {
    sweep_select *s = r->s;
    if (sqlite3_open(":memory:", &s->database) != SQLITE_OK) (void)must_have(NULL);
    (void)sqlite3_limit(s->database, SQLITE_LIMIT_LENGTH, largest_value);
    (void)sqlite3_set_authorizer(s->database, allow, NULL);
    AUTO_FREE char *sql = format_text("SELECT (%s)", r->sql ? r->sql : "");
    const int verdict = sqlite3_prepare_v2(s->database, sql, -1, &s->statement, NULL);
    if (verdict == SQLITE_NOMEM) (void)must_have(NULL);
    if (verdict == SQLITE_OK && sqlite3_column_count(s->statement) == 1) return true;
    return stiction_fail(r->error, STICTION_INVALID_CONFIG, "%s", sqlite3_errmsg(s->database)) ==
           STICTION_OK;
}

sweep_select *sweep_select_read(const char *sql, stiction_error *error) {
    stiction_error unused;
    reader r = {.s = allocate(1, sizeof *r.s), .text = sql, .at = sql};
    r.error = error ? error : &unused;
    *r.s = (sweep_select){.names = NULL};
    (void)stiction_succeed(r.error);
    const bool fine = read_tokens(&r) && prepare(&r);
    free(r.sql);
    if (fine) return r.s;
    sweep_select_free(r.s);
    return NULL;
}

void sweep_select_free(sweep_select *s) {
    if (!s) return;
    for (size_t k = 0; k < s->name_count; k++) free(s->names[k].text);
    free(s->names);
    (void)sqlite3_finalize(s->statement);
    (void)sqlite3_close(s->database);
    free(s);
}

size_t sweep_select_name_count(const sweep_select *s) {
    return s->name_count;
}

const char *sweep_select_name(const sweep_select *s, size_t k) {
    return s->names[k].text;
}

size_t sweep_select_name_column(const sweep_select *s, size_t k) {
    return s->names[k].column;
}

bool sweep_select_may_be_text(const sweep_select *s, size_t k) {
    return s->names[k].may_be_text;
}

/* ---- evaluation ---- */

static void bind(const sweep_select *s, size_t k, const char *text) {
    double number;
    int verdict;
    if (!*text)
        verdict = sqlite3_bind_null(s->statement, (int)k + 1);
    else if (read_number(text, &number) && isfinite(number))
        verdict = sqlite3_bind_double(s->statement, (int)k + 1, number);
    else
        verdict = sqlite3_bind_text(s->statement, (int)k + 1, text, -1, SQLITE_TRANSIENT);
    if (verdict == SQLITE_NOMEM) (void)must_have(NULL);
}

/* The result is in column 0 of the statement, which the caller resets. */
static bool evaluate(const sweep_select *s, sweep_select_value *value, void *user,
                     stiction_error *error) {
    for (size_t k = 0; k < s->name_count; k++) {
        const name *n = &s->names[k];
        const char *text = value(user, n->text);
        if (!text && !n->may_be_text)
            return stiction_fail(error, STICTION_INVALID_CONFIG, "there is no value '%s'",
                                 n->text) == STICTION_OK;
        bind(s, k, text ? text : n->text);
    }
    const int verdict = sqlite3_step(s->statement);
    if (verdict == SQLITE_ROW) return true;
    if (verdict == SQLITE_NOMEM) (void)must_have(NULL);
    return stiction_fail(error, STICTION_INVALID_CONFIG, "%s",
                         verdict == SQLITE_ERROR ? sqlite3_errmsg(s->database)
                                                 : sqlite3_errstr(verdict)) == STICTION_OK;
}

bool sweep_select_holds(const sweep_select *s, sweep_select_value *value, void *user, bool *holds,
                        stiction_error *error) {
    const bool fine = evaluate(s, value, user, error);
    *holds = fine && sqlite3_column_double(s->statement, 0) != 0;
    (void)sqlite3_reset(s->statement);
    return fine;
}

bool sweep_select_number(const sweep_select *s, sweep_select_value *value, void *user,
                         double *number, stiction_error *error) {
    bool fine = evaluate(s, value, user, error);
    const int type = fine ? sqlite3_column_type(s->statement, 0) : SQLITE_NULL;
    const bool is_number = type == SQLITE_FLOAT || type == SQLITE_INTEGER;
    *number = is_number ? sqlite3_column_double(s->statement, 0) : (double)NAN;
    if (type == SQLITE_TEXT || type == SQLITE_BLOB)
        fine = stiction_fail(error, STICTION_INVALID_CONFIG, "'%s' is not a number",
                             (const char *)sqlite3_column_text(s->statement, 0)) == STICTION_OK;
    (void)sqlite3_reset(s->statement);
    return fine;
}
