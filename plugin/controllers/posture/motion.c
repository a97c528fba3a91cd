/*
 * Columns of a motion: which joint each is of, and its samples. In the modes qp and pd JOINT,
 * JOINT.position or JOINT.target, in mode torque JOINT or JOINT.command; what else a recording has
 * is passed over.
 */
#include "motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion_table.h"
#include "words.h"

/* What a column says of its joint. A target beats a position: a recording has both. */
typedef enum column_kind { IGNORED, TIME, VALUE, TARGET } column_kind;

typedef struct motion_column {
    const char *name; /* in the header */
    column_kind kind;
    size_t joint;
    posture_sample *samples;
    int missing_line; /* of the first row without a number; 0: none */
    bool has_numbers;
} motion_column;

typedef struct motion {
    const char *path;
    posture_mode mode;
    posture_joint_def *joints;
    size_t joint_count;
    motion_table table;
    motion_column *columns;
    size_t column_count, time_column, row_count;
    posture_sample *samples; /* all of them */
    stiction_error *error;
} motion;

#define REFUSE(m, column, joint, ...)                                                              \
    config_refuse((config_place){(m)->path, NULL, (m)->table.line, column}, joint, (m)->error,     \
                  __VA_ARGS__)

/* The joint of a name, which need not end with a 0; false: there is none. */
static bool find_joint(const motion *m, const char *name, size_t length, size_t *joint) {
    for (*joint = 0; *joint < m->joint_count; ++*joint) {
        const char *other = m->joints[*joint].name;
        if (strlen(other) == length && strncmp(other, name, length) == 0) return true;
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

static stiction_status refuse_joint(const motion *m, motion_cell cell, size_t length) {
    const char *nearest = NULL;
    cell.text[length] = '\0';
    for (size_t k = 0; k < m->joint_count; k++)
        nearest = words_nearer(cell.text, m->joints[k].name, nearest);
    return REFUSE(m, cell.column, cell.text, "the robot has no such joint; the nearest is '%.100s'",
                  nearest);
}

/* Which joint a column is of. */
static stiction_status read_name(const motion *m, motion_cell cell, motion_column *column) {
    const char *dot = strrchr(cell.text, '.');
    const size_t whole = strlen(cell.text), length = dot ? (size_t)(dot - cell.text) : whole;
    column->name = cell.text;
    if (strcmp(cell.text, "time") == 0) {
        column->kind = TIME;
    } else if (find_joint(m, cell.text, whole, &column->joint)) {
        column->kind = VALUE;
    } else if (dot && find_joint(m, cell.text, length, &column->joint)) {
        column->kind = kind_of_ending(m, dot + 1);
    } else if (!dot || is_signal(dot + 1)) {
        return refuse_joint(m, cell, length);
    }
    return STICTION_OK;
}

/* Columns of one joint that contradict each other, or a second time. */
static stiction_status check_column(const motion *m, int at) {
    const motion_column *last = m->columns + m->column_count - 1;
    for (const motion_column *c = m->columns; c < last && last->kind != IGNORED; c++) {
        const bool same = c->kind != IGNORED && c->joint == last->joint &&
                          (c->kind == TIME) == (last->kind == TIME);
        const bool recorded = c->kind != last->kind && strchr(c->name, '.') &&
                              strchr(last->name, '.') && last->kind != TIME;
        if (same && !recorded)
            return REFUSE(m, at, NULL, "the columns '%.100s' and '%.100s' say the same", c->name,
                          last->name);
    }
    return STICTION_OK;
}

static stiction_status read_header(motion *m) {
    if (!motion_table_next_row(&m->table)) {
        m->table.line = 1;
        return REFUSE(m, 1, NULL, "the file is empty: it needs a header such as time,%.100s",
                      m->joints[0].name);
    }
    bool has_time = false;
    for (motion_cell cell; motion_table_next_cell(&m->table, &cell);) {
        if (!cell.closed) return REFUSE(m, cell.column, NULL, "a quote is not closed");
        motion_column *columns = config_grow(m->columns, m->column_count, sizeof *columns);
        if (!columns) return config_out_of_memory(m->error);
        m->columns = columns;
        motion_column *column = &columns[m->column_count++];
        *column = (motion_column){.kind = IGNORED};
        stiction_status status = read_name(m, cell, column);
        if (status == STICTION_OK) status = check_column(m, cell.column);
        if (status != STICTION_OK) return status;
        if (column->kind == TIME) m->time_column = m->column_count - 1;
        has_time = has_time || column->kind == TIME;
    }
    return has_time ? STICTION_OK
                    : REFUSE(m, 1, NULL,
                             "the header has no column 'time', in s; it begins with "
                             "'%.100s'",
                             m->columns[0].name);
}

/* Room for the samples of all columns that are of use. */
static stiction_status make_room(motion *m) {
    const size_t rows = motion_table_row_bound(&m->table);
    size_t used = 0;
    for (size_t k = 0; k < m->column_count; k++) used += m->columns[k].kind >= VALUE;
    if (used == 0) {
        return REFUSE(m, 1, NULL, "no column moves a joint: %s",
                      m->mode == POSTURE_TORQUE ? "mode torque reads JOINT or JOINT.command"
                                                : "modes qp and pd read JOINT, JOINT.position or "
                                                  "JOINT.target");
    }
    m->samples = calloc(rows * used, sizeof *m->samples);
    if (!m->samples) return config_out_of_memory(m->error);
    posture_sample *next = m->samples;
    for (size_t k = 0; k < m->column_count; k++)
        if (m->columns[k].kind >= VALUE) {
            m->columns[k].samples = next;
            next += rows;
        }
    return STICTION_OK;
}

/* How a recording writes a target that is not known. */
static bool is_missing(const char *text) {
    return !*text || strcmp(text, "nan") == 0 || strcmp(text, "-nan") == 0;
}

static stiction_status read_cell(motion *m, motion_column *column, motion_cell cell, double *time) {
    double value = 0;
    if (!cell.closed) return REFUSE(m, cell.column, NULL, "a quote is not closed");
    if (column->kind == IGNORED) return STICTION_OK;
    if (column->kind == TARGET && is_missing(cell.text)) {
        if (column->missing_line == 0) column->missing_line = m->table.line;
    } else if (!words_number(cell.text, &value)) {
        return REFUSE(m, cell.column, NULL,
                      "%.100s must be a decimal number such as 2.5 or 1e-3, not '%.100s'",
                      column->name, cell.text);
    } else {
        column->has_numbers = true;
    }
    if (column->kind == TIME)
        *time = value;
    else
        column->samples[m->row_count].value = value;
    return STICTION_OK;
}

static stiction_status check_time(motion *m, double time, double *last) {
    if (m->row_count > 0 && !(time > *last))
        return REFUSE(m, 1, NULL, "time %.15g must be above %.15g, that of the row before", time,
                      *last);
    *last = time;
    for (size_t k = 0; k < m->column_count; k++)
        if (m->columns[k].samples) m->columns[k].samples[m->row_count].time = time;
    m->row_count++;
    return STICTION_OK;
}

static stiction_status read_rows(motion *m) {
    double last = 0;
    while (motion_table_next_row(&m->table)) {
        size_t cells = 0;
        double time = 0;
        stiction_status status = STICTION_OK;
        for (motion_cell cell; motion_table_next_cell(&m->table, &cell); cells++) {
            if (cells < m->column_count) status = read_cell(m, &m->columns[cells], cell, &time);
            if (status != STICTION_OK) return status;
        }
        if (cells != m->column_count)
            return REFUSE(m, 1, NULL, "the row has %zu cells, the header %zu", cells,
                          m->column_count);
        status = check_time(m, time, &last);
        if (status != STICTION_OK) return status;
    }
    return m->row_count > 0 ? STICTION_OK : REFUSE(m, 1, NULL, "no row follows the header");
}

/* A target is known in every row or in none, in which case a position may stand in. */
static stiction_status check_targets(motion *m) {
    for (size_t k = 0; k < m->column_count; k++) {
        const motion_column *c = &m->columns[k];
        if (!c->has_numbers || c->missing_line == 0) continue;
        m->table.line = c->missing_line;
        return REFUSE(m, 1, NULL, "%.100s has no number here, but in other rows", c->name);
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

stiction_status motion_put(const char *path, config_place named_at, posture_mode mode,
                           posture_joint_def *joints, size_t count, posture_sample **samples,
                           stiction_error *error) {
    motion m = {.path = path, .mode = mode, .joints = joints, .joint_count = count, .error = error};
    const char *problem = motion_table_open(&m.table, path);
    stiction_status status = STICTION_OK;
    if (problem)
        status = config_refuse(named_at, NULL, error, "the motion '%.200s' cannot be read: %s",
                               path, problem);
    if (status == STICTION_OK) status = read_header(&m);
    if (status == STICTION_OK) status = make_room(&m);
    if (status == STICTION_OK) status = read_rows(&m);
    if (status == STICTION_OK) status = check_targets(&m);
    if (status == STICTION_OK) put_columns(&m);
    if (status != STICTION_OK) {
        free(m.samples);
        m.samples = NULL;
    }
    free(m.columns);
    motion_table_close(&m.table);
    *samples = m.samples;
    return status;
}
