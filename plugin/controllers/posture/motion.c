/* SPDX-License-Identifier: MIT
 * Columns of a motion: which joint each is of, and its samples. In the modes qp and pd JOINT,
 * JOINT.position or JOINT.target, in mode torque JOINT or JOINT.command; other columns of a
 * recording are ignored.
 */
#include "posture_settings.h"

#include <stdlib.h>
#include <string.h>

#include "document/csv.h"
#include "document/file.h"
#include "document/number.h"

/* What a column contains. A target beats a position: a recording has both. */
typedef enum column_kind { IGNORED, TIME, VALUE, TARGET } column_kind;

/* All numbers are kept in memory. A file of the largest size has this many if each has all its
 * digits. */
enum { most_numbers = 1 << 24 };

typedef struct motion_column {
    const char *name; /* in the header */
    column_kind kind;
    size_t joint;
    int missing_line; /* of the first row without a number; 0: none */
    bool has_numbers;
} motion_column;

typedef struct motion {
    reader *r;
    posture_mode mode;
    posture_joint_def *joints;
    size_t joint_count;
    csv table;
    motion_column *columns;
    size_t column_count, row_count;
    double *rows; /* all that was read, row by row */
} motion;

static void finish_motion(void *memory) {
    motion *m = memory;
    stiction_csv_close(&m->table);
    free(m->rows);
}

/* At a cell of the row, from 0. */
#define REFUSE(m, cell, ...)                                                                       \
    stiction_reader_refuse((m)->r, stiction_csv_place(&(m)->table, cell), __VA_ARGS__)

/* The joint with a name of this length; false: there is none. */
static bool find_joint(const motion *m, const char *name, size_t length, size_t *joint) {
    for (*joint = 0; *joint < m->joint_count; ++*joint)
        if (stiction_csv_names(name, length, m->joints[*joint].name)) return true;
    return false;
}

/* Whether a column with this suffix moves a joint in some mode. */
static bool is_signal(const char *suffix) {
    size_t index;
    return config_choose("position | target | command", suffix, &index);
}

static column_kind kind_of_suffix(const motion *m, const char *suffix) {
    if (m->mode == POSTURE_TORQUE) return strcmp(suffix, "command") == 0 ? VALUE : IGNORED;
    if (strcmp(suffix, "target") == 0) return TARGET;
    return strcmp(suffix, "position") == 0 ? VALUE : IGNORED;
}

/* Which joint a column is of. */
static void read_name(const motion *m, size_t cell) {
    motion_column *column = &m->columns[cell];
    const char *name = column->name, *dot = strrchr(name, '.');
    const size_t whole = strlen(name), length = dot ? (size_t)(dot - name) : whole;
    if (strcmp(name, "time") == 0) {
        column->kind = TIME;
    } else if (find_joint(m, name, whole, &column->joint)) {
        column->kind = VALUE;
    } else if (dot && find_joint(m, name, length, &column->joint)) {
        column->kind = kind_of_suffix(m, dot + 1);
    } else if (!dot || is_signal(dot + 1)) {
        const char *joint = stiction_reader_format(m->r, "%.*s", (int)length, name);
        REFUSE(m, cell, "joint '%.100s': the robot has no such joint%s", joint,
               config_joint_hint(m->r, joint, m->joints, m->joint_count));
    }
}

/* Refuses a column that repeats or contradicts an earlier one of the same joint. */
static void check_column(const motion *m, size_t cell) {
    const motion_column *last = m->columns + cell;
    for (const motion_column *c = m->columns; c < last && last->kind != IGNORED; c++) {
        const bool same = c->kind != IGNORED && c->joint == last->joint &&
                          (c->kind == TIME) == (last->kind == TIME);
        const bool recorded = c->kind != last->kind && strchr(c->name, '.') &&
                              strchr(last->name, '.') && last->kind != TIME;
        if (same && !recorded)
            REFUSE(m, cell, "the columns '%.100s' and '%.100s' say the same", c->name, last->name);
    }
}

static void check_time(const motion *m) {
    for (size_t k = 0; k < m->column_count; k++)
        if (strcmp(m->table.cells[k].text, "time") == 0) return;
    REFUSE(m, 0, "the header has no column 'time', in s");
}

/* False: the end of the file. */
static bool next_row(motion *m) {
    stiction_error error;
    const csv_verdict verdict = stiction_csv_next_row(&m->table, &error);
    if (verdict == CSV_WRONG) stiction_reader_refuse_as(m->r, &error);
    if (verdict == CSV_END && !m->row_count) m->table.line = 1; /* for the error that follows */
    return verdict == CSV_ROW;
}

static void read_header(motion *m) {
    size_t used = 0;
    if (!next_row(m))
        REFUSE(m, 0, "the file is empty: it needs a header such as time,%.100s", m->joints[0].name);
    m->column_count = m->table.count;
    check_time(m);
    m->columns = stiction_reader_alloc(m->r, m->column_count * sizeof *m->columns);
    for (size_t k = 0; k < m->column_count; k++) {
        m->columns[k].name = stiction_reader_text(m->r, m->table.cells[k].text);
        read_name(m, k);
        check_column(m, k);
        used += m->columns[k].kind >= VALUE;
    }
    if (!used)
        REFUSE(m, 0, "no column moves a joint: %s",
               m->mode == POSTURE_TORQUE
                   ? "mode torque reads JOINT or JOINT.command"
                   : "modes qp and pd read JOINT, JOINT.position or JOINT.target");
}

/* How a recording writes a target that is not known. */
static bool is_missing(const char *text) {
    return !*text || strcmp(text, "nan") == 0 || strcmp(text, "-nan") == 0;
}

static double read_cell(const motion *m, size_t cell) {
    motion_column *column = &m->columns[cell];
    const char *text = m->table.cells[cell].text;
    double value;
    if (column->kind == IGNORED) return 0;
    if (column->kind == TARGET && is_missing(text)) {
        if (column->missing_line == 0) column->missing_line = (int)m->table.line;
        return 0;
    }
    column->has_numbers = true;
    if (!stiction_decimal(text, &value))
        REFUSE(m, cell, "%.100s must be a decimal number such as 2.5 or 1e-3, not '%.100s'",
               column->name, text);
    return value;
}

/* At a power of two, the rows are full. */
static void make_room(motion *m) {
    if (m->row_count & (m->row_count - 1)) return;
    const size_t rows = m->row_count ? 2 * m->row_count : 1;
    double *grown = realloc(m->rows, rows * m->column_count * sizeof *grown);
    if (!grown) stiction_reader_no_memory(m->r);
    m->rows = grown;
}

static void read_row(motion *m, double *last_time) {
    if (m->table.count != m->column_count)
        REFUSE(m, 0, "the row has %zu cells, the header %zu", m->table.count, m->column_count);
    if (m->row_count >= most_numbers / m->column_count)
        REFUSE(m, 0, "the file has more than %d numbers", most_numbers);
    make_room(m);
    double *row = m->rows + m->row_count * m->column_count;
    for (size_t k = 0; k < m->column_count; k++) {
        row[k] = read_cell(m, k);
        if (m->columns[k].kind != TIME) continue;
        if (m->row_count > 0 && !(row[k] > *last_time))
            REFUSE(m, k, "time %.15g must be above %.15g, that of the row before", row[k],
                   *last_time);
        *last_time = row[k];
    }
    m->row_count++;
}

/* A target must be known in every row, or in none: then the position may replace it. */
static void check_targets(const motion *m) {
    for (size_t k = 0; k < m->column_count; k++) {
        const motion_column *c = &m->columns[k];
        if (c->has_numbers && c->missing_line)
            stiction_reader_refuse(m->r, (stiction_place){m->table.path, c->missing_line, 1},
                                   "%.100s has no number here, but in other rows", c->name);
    }
}

static const posture_sample *make_samples(const motion *m, size_t column) {
    posture_sample *samples = stiction_reader_alloc(m->r, m->row_count * sizeof *samples);
    size_t time = 0;
    while (m->columns[time].kind != TIME) time++;
    for (size_t k = 0; k < m->row_count; k++) {
        const double *row = m->rows + k * m->column_count;
        samples[k] = (posture_sample){.time = row[time], .value = row[column]};
    }
    return samples;
}

static void set_trajectories(const motion *m) {
    for (column_kind kind = VALUE; kind <= TARGET; kind++)
        for (size_t k = 0; k < m->column_count; k++) {
            const motion_column *c = &m->columns[k];
            if (c->kind != kind || !c->has_numbers) continue;
            posture_trajectory *t = &m->joints[c->joint].trajectory;
            t->shape = POSTURE_SAMPLES;
            t->samples = make_samples(m, k);
            t->sample_count = m->row_count;
        }
}

void motion_apply(reader *r, const char *path, setting_place named_at, posture_mode mode,
                  posture_joint_def *joints, size_t count) {
    motion *m = stiction_reader_own(r, sizeof *m, finish_motion);
    stiction_error error;
    double last_time = 0;
    *m = (motion){.r = r, .mode = mode, .joints = joints, .joint_count = count};
    if (!stiction_csv_open(&m->table, path, FILE_MOST_MOTION, &error))
        config_refuse(r, named_at, "the motion '%.200s' cannot be read: %s", path, error.message);
    read_header(m);
    while (next_row(m)) read_row(m, &last_time);
    if (!m->row_count) REFUSE(m, 0, "no row follows the header");
    check_targets(m);
    set_trajectories(m);
    finish_motion(m);
    *m = (motion){.r = NULL};
}
