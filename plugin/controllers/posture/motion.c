/* SPDX-License-Identifier: MIT
 * Columns of a motion: which joint each is of, and its samples. In the modes qp and pd JOINT,
 * JOINT.position or JOINT.target, in mode torque JOINT or JOINT.command; what else a recording has
 * is passed over.
 */
#include "motion.h"

#include <stdlib.h>
#include <string.h>

#include "document/arena.h"
#include "document/csv.h"
#include "document/file.h"
#include "document/number.h"
#include "words.h"

/* What a column says of its joint. A target beats a position: a recording has both. */
typedef enum column_kind { IGNORED, TIME, VALUE, TARGET } column_kind;

/* All are kept in memory; as many as a file of full length has with all their digits. */
enum { most_numbers = 1 << 24 };

typedef struct motion_column {
    const char *name; /* in the header */
    column_kind kind;
    size_t joint;
    posture_sample *samples;
    int missing_line; /* of the first row without a number; 0: none */
    bool has_numbers;
} motion_column;

typedef struct motion {
    posture_mode mode;
    posture_joint_def *joints;
    size_t joint_count;
    csv table;
    arena memory; /* of the columns and their names */
    motion_column *columns;
    size_t column_count, row_count;
    double *rows;            /* all that was read, row by row */
    posture_sample *samples; /* all of them */
    stiction_error *error;
} motion;

/* At a cell of the row, from 0. */
#define REFUSE(m, cell, joint, ...)                                                                \
    config_refuse((setting_place){stiction_csv_place(&(m)->table, cell), NULL}, joint, (m)->error, \
                  __VA_ARGS__)

/* The joint of a name, which need not end with a 0; false: there is none. */
static bool find_joint(const motion *m, const char *name, size_t length, size_t *joint) {
    for (*joint = 0; *joint < m->joint_count; ++*joint) {
        if (stiction_csv_names(name, length, m->joints[*joint].name)) return true;
    }
    return false;
}

/* Whether a column of this ending moves a joint in some mode. */
static bool is_signal(const char *ending) {
    size_t index;
    return words_choose("position | target | command", ending, &index);
}

static column_kind kind_of_ending(const motion *m, const char *ending) {
    if (m->mode == POSTURE_TORQUE) return strcmp(ending, "command") == 0 ? VALUE : IGNORED;
    if (strcmp(ending, "target") == 0) return TARGET;
    return strcmp(ending, "position") == 0 ? VALUE : IGNORED;
}

static stiction_status refuse_joint(const motion *m, size_t cell, size_t length) {
    const char *nearest = NULL;
    char *name = m->table.cells[cell].text;
    name[length] = '\0';
    for (size_t k = 0; k < m->joint_count; k++)
        nearest = words_nearer(name, m->joints[k].name, nearest);
    return REFUSE(m, cell, name,
                  nearest ? "the robot has no such joint; the nearest is '%.100s'"
                          : "the robot has no such joint",
                  nearest);
}

/* Which joint a column is of. */
static stiction_status read_name(const motion *m, size_t cell) {
    motion_column *column = &m->columns[cell];
    const char *name = column->name, *dot = strrchr(name, '.');
    const size_t whole = strlen(name), length = dot ? (size_t)(dot - name) : whole;
    if (strcmp(name, "time") == 0) {
        column->kind = TIME;
    } else if (find_joint(m, name, whole, &column->joint)) {
        column->kind = VALUE;
    } else if (dot && find_joint(m, name, length, &column->joint)) {
        column->kind = kind_of_ending(m, dot + 1);
    } else if (!dot || is_signal(dot + 1)) {
        return refuse_joint(m, cell, length);
    }
    return STICTION_OK;
}

/* A column that contradicts one before it of the same joint, or says the same. */
static stiction_status check_column(const motion *m, size_t cell) {
    const motion_column *last = m->columns + cell;
    for (const motion_column *c = m->columns; c < last && last->kind != IGNORED; c++) {
        const bool same = c->kind != IGNORED && c->joint == last->joint &&
                          (c->kind == TIME) == (last->kind == TIME);
        const bool recorded = c->kind != last->kind && strchr(c->name, '.') &&
                              strchr(last->name, '.') && last->kind != TIME;
        if (same && !recorded)
            return REFUSE(m, cell, NULL, "the columns '%.100s' and '%.100s' say the same", c->name,
                          last->name);
    }
    return STICTION_OK;
}

/* Without it the file may be anything: nothing of it is quoted. */
static stiction_status refuse_without_time(const motion *m) {
    return REFUSE(m, 0, NULL, "the header has no column 'time', in s");
}

static bool has_time(const motion *m) {
    for (size_t k = 0; k < m->column_count; k++)
        if (strcmp(m->table.cells[k].text, "time") == 0) return true;
    return false;
}

static stiction_status check_header(const motion *m) {
    size_t times = 0, used = 0;
    for (size_t k = 0; k < m->column_count; k++) {
        times += m->columns[k].kind == TIME;
        used += m->columns[k].kind >= VALUE;
    }
    if (times == 0) return refuse_without_time(m);
    if (used > 0) return STICTION_OK;
    return REFUSE(m, 0, NULL, "no column moves a joint: %s",
                  m->mode == POSTURE_TORQUE ? "mode torque reads JOINT or JOINT.command"
                                            : "modes qp and pd read JOINT, JOINT.position or "
                                              "JOINT.target");
}

static stiction_status read_header(motion *m) {
    const csv_verdict verdict = stiction_csv_next_row(&m->table, m->error);
    if (verdict == CSV_WRONG) return m->error ? m->error->status : STICTION_INVALID_CONFIG;
    if (verdict == CSV_END) {
        m->table.line = 1;
        return REFUSE(m, 0, NULL, "the file is empty: it needs a header such as time,%.100s",
                      m->joints[0].name);
    }
    m->column_count = m->table.count;
    if (!has_time(m)) return refuse_without_time(m);
    m->columns = stiction_arena_take(&m->memory, m->column_count * sizeof *m->columns);
    if (!m->columns) return config_out_of_memory(m->error);
    stiction_status status = STICTION_OK;
    for (size_t k = 0; k < m->column_count && status == STICTION_OK; k++) {
        const char *name = m->table.cells[k].text;
        m->columns[k].name = stiction_arena_text(&m->memory, name, strlen(name));
        if (!m->columns[k].name) return config_out_of_memory(m->error);
        status = read_name(m, k);
        if (status == STICTION_OK) status = check_column(m, k);
    }
    return status == STICTION_OK ? check_header(m) : status;
}

/* How a recording writes a target that is not known. */
static bool is_missing(const char *text) {
    return !*text || strcmp(text, "nan") == 0 || strcmp(text, "-nan") == 0;
}

static stiction_status read_cell(motion *m, size_t cell, double *value) {
    motion_column *column = &m->columns[cell];
    const char *text = m->table.cells[cell].text;
    *value = 0;
    if (column->kind == IGNORED) return STICTION_OK;
    if (column->kind == TARGET && is_missing(text)) {
        if (column->missing_line == 0) column->missing_line = (int)m->table.line;
        return STICTION_OK;
    }
    column->has_numbers = true;
    if (stiction_decimal(text, value)) return STICTION_OK;
    return REFUSE(m, cell, NULL,
                  "%.100s must be a decimal number such as 2.5 or 1e-3, not '%.100s'", column->name,
                  text);
}

/* Appends the next row. */
static stiction_status read_row(motion *m, double *last_time) {
    const csv *table = &m->table;
    if (table->count != m->column_count)
        return REFUSE(m, 0, NULL, "the row has %zu cells, the header %zu", table->count,
                      m->column_count);
    if (m->row_count >= most_numbers / m->column_count)
        return REFUSE(m, 0, NULL, "the file has more than %d numbers", most_numbers);
    double *rows = config_grow(m->rows, m->row_count, m->column_count * sizeof *rows);
    if (!rows) return config_out_of_memory(m->error);
    m->rows = rows;
    double *row = rows + m->row_count * m->column_count;
    stiction_status status = STICTION_OK;
    for (size_t k = 0; k < m->column_count && status == STICTION_OK; k++) {
        status = read_cell(m, k, &row[k]);
        if (status != STICTION_OK || m->columns[k].kind != TIME) continue;
        if (m->row_count > 0 && !(row[k] > *last_time))
            status = REFUSE(m, k, NULL, "time %.15g must be above %.15g, that of the row before",
                            row[k], *last_time);
        *last_time = row[k];
    }
    m->row_count++;
    return status;
}

static stiction_status read_rows(motion *m) {
    double last_time = 0;
    csv_verdict verdict;
    while ((verdict = stiction_csv_next_row(&m->table, m->error)) == CSV_ROW) {
        const stiction_status status = read_row(m, &last_time);
        if (status != STICTION_OK) return status;
    }
    if (verdict == CSV_WRONG) return m->error ? m->error->status : STICTION_INVALID_CONFIG;
    if (m->row_count > 0) return STICTION_OK;
    m->table.line = 1;
    return REFUSE(m, 0, NULL, "no row follows the header");
}

/* A target is known in every row or in none, in which case a position may stand in. */
static stiction_status check_targets(motion *m) {
    for (size_t k = 0; k < m->column_count; k++) {
        const motion_column *c = &m->columns[k];
        if (!c->has_numbers || c->missing_line == 0) continue;
        return config_refuse((setting_place){{m->table.path, c->missing_line, 1}, NULL}, NULL,
                             m->error, "%.100s has no number here, but in other rows", c->name);
    }
    return STICTION_OK;
}

/* From rows to columns. */
static stiction_status make_samples(motion *m) {
    size_t used = 0, time = 0;
    for (size_t k = 0; k < m->column_count; k++) {
        used += m->columns[k].kind >= VALUE;
        if (m->columns[k].kind == TIME) time = k;
    }
    m->samples = calloc(m->row_count * used, sizeof *m->samples);
    if (!m->samples) return config_out_of_memory(m->error);
    posture_sample *next = m->samples;
    for (size_t k = 0; k < m->column_count; k++) {
        if (m->columns[k].kind < VALUE) continue;
        m->columns[k].samples = next;
        for (const double *row = m->rows; row < m->rows + m->row_count * m->column_count;
             row += m->column_count)
            *next++ = (posture_sample){.time = row[time], .value = row[k]};
    }
    return STICTION_OK;
}

static void put_columns(const motion *m) {
    for (column_kind kind = VALUE; kind <= TARGET; kind++)
        for (size_t k = 0; k < m->column_count; k++) {
            const motion_column *c = &m->columns[k];
            if (c->kind != kind || !c->has_numbers) continue;
            posture_trajectory *t = &m->joints[c->joint].trajectory;
            t->shape = POSTURE_SAMPLES;
            t->samples = c->samples;
            t->sample_count = m->row_count;
        }
}

static stiction_status read_motion(motion *m) {
    stiction_status status = read_header(m);
    if (status == STICTION_OK) status = read_rows(m);
    if (status == STICTION_OK) status = check_targets(m);
    if (status == STICTION_OK) status = make_samples(m);
    if (status == STICTION_OK) put_columns(m);
    return status;
}

stiction_status motion_put(const char *path, setting_place named_at, posture_mode mode,
                           posture_joint_def *joints, size_t count, posture_sample **samples,
                           stiction_error *error) {
    motion m = {.mode = mode, .joints = joints, .joint_count = count, .error = error};
    stiction_error unopened;
    const stiction_status status =
        stiction_csv_open(&m.table, path, FILE_MOST_MOTION, &unopened)
            ? read_motion(&m)
            : config_refuse(named_at, NULL, error, "the motion '%.200s' cannot be read: %s", path,
                            unopened.message);
    stiction_csv_close(&m.table);
    stiction_arena_free(&m.memory);
    free(m.rows);
    *samples = m.samples;
    return status;
}
