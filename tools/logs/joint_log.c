/* SPDX-License-Identifier: MIT
 * Reading logs of joints: names of columns, rows, numbers.
 */
#include "joint_log.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "document/file.h"
#include "document/text.h"

/* ---- which column is what ---- */

static const char *const kind_names[LOG_KIND_COUNT] = {
    [LOG_TIME] = "time",
    [LOG_POSITION] = "position",
    [LOG_VELOCITY] = "velocity",
    [LOG_TORQUE] = "torque",
    [LOG_FRICTION] = "friction_torque",
    [LOG_TARGET] = "target",
    [LOG_TEMPERATURE] = "temperature",
    [LOG_EXTERNAL] = "external",
};

static const struct {
    const char *name;
    log_kind kind;
} other_names[] = {{"command", LOG_TORQUE}, {"external_torque", LOG_EXTERNAL}};

const char *log_kind_name(log_kind kind) {
    return kind_names[kind];
}

static bool is_name(const char *name, const char *text, size_t length) {
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

log_kind log_kind_of(const char *name, size_t length) {
    for (size_t k = 0; k < sizeof other_names / sizeof other_names[0]; k++)
        if (is_name(other_names[k].name, name, length)) return other_names[k].kind;
    log_kind kind = 0;
    while (kind < LOG_KIND_COUNT && !is_name(kind_names[kind], name, length)) kind++;
    return kind;
}

/* Usual names of columns, the first one of a kind that is found counts: those of joints.csv, of
 * ROS joint states as PlotJuggler and rosbag tools write them, and of logs of a single joint. */
static const struct {
    log_kind kind;
    const char *pattern;
} usual[] = {
    {LOG_TIME, "time"},
    {LOG_TIME, "t"},
    {LOG_TIME, "__time"},
    {LOG_TIME, "timestamp"},
    {LOG_TIME, "time (s)"},
    {LOG_POSITION, "{joint}.position"},
    {LOG_POSITION, "/joint_states/{joint}/position"},
    {LOG_POSITION, "{joint}.q"},
    {LOG_POSITION, "{joint}_position"},
    {LOG_POSITION, "{joint}_pos"},
    {LOG_POSITION, "q_{joint}"},
    {LOG_POSITION, "{joint}_q"},
    {LOG_POSITION, "position"},
    {LOG_POSITION, "q"},
    {LOG_VELOCITY, "{joint}.velocity"},
    {LOG_VELOCITY, "/joint_states/{joint}/velocity"},
    {LOG_VELOCITY, "{joint}.dq"},
    {LOG_VELOCITY, "{joint}_velocity"},
    {LOG_VELOCITY, "{joint}_vel"},
    {LOG_VELOCITY, "dq_{joint}"},
    {LOG_VELOCITY, "{joint}_dq"},
    {LOG_VELOCITY, "velocity"},
    {LOG_VELOCITY, "dq"},
    {LOG_TORQUE, "{joint}.command"},
    {LOG_TORQUE, "{joint}.effort"},
    {LOG_TORQUE, "{joint}.torque"},
    {LOG_TORQUE, "/joint_states/{joint}/effort"},
    {LOG_TORQUE, "{joint}.tau"},
    {LOG_TORQUE, "{joint}_effort"},
    {LOG_TORQUE, "{joint}_torque"},
    {LOG_TORQUE, "tau_{joint}"},
    {LOG_TORQUE, "{joint}_tau"},
    {LOG_TORQUE, "torque"},
    {LOG_TORQUE, "tau"},
    {LOG_TORQUE, "effort"},
    {LOG_TORQUE, "current"},
    {LOG_TORQUE, "force"},
    {LOG_FRICTION, "{joint}.friction_torque"},
    {LOG_FRICTION, "{joint}.friction"},
    {LOG_FRICTION, "{joint}_friction"},
    {LOG_TARGET, "{joint}.target"},
    {LOG_TARGET, "{joint}.q_ref"},
    {LOG_TARGET, "{joint}_target"},
    {LOG_TARGET, "{joint}_ref"},
    {LOG_TARGET, "q_ref_{joint}"},
    {LOG_TARGET, "{joint}_q_ref"},
    {LOG_TARGET, "target"},
    {LOG_TARGET, "q_ref"},
    {LOG_TARGET, "q_des"},
    {LOG_TEMPERATURE, "{joint}.temperature"},
    {LOG_TEMPERATURE, "temperature"},
    {LOG_EXTERNAL, "{joint}.external_torque"},
    {LOG_EXTERNAL, "external_torque"},
    {LOG_EXTERNAL, "external"},
};
enum { usual_count = sizeof usual / sizeof usual[0] };

static const char *const marks[] = {"{joint}", "JOINT"};

static const char *find_mark(const char *pattern, size_t *length) {
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++) {
        const char *at = strstr(pattern, marks[k]);
        *length = strlen(marks[k]);
        if (at) return at;
    }
    return NULL;
}

bool log_pattern_has_joint(const char *pattern) {
    size_t length;
    return find_mark(pattern, &length) != NULL;
}

/* Whether a pattern with a mark covers a column, and which part of the column the joint is. */
static bool split(const char *pattern, const char *column, size_t *begin, size_t *length) {
    size_t mark_length;
    const char *mark = find_mark(pattern, &mark_length);
    if (!mark) return false;
    const size_t before = (size_t)(mark - pattern);
    const char *after = mark + mark_length;
    const size_t whole = strlen(column), fixed = before + strlen(after);
    *begin = before, *length = whole - fixed;
    return whole > fixed && strncmp(column, pattern, before) == 0 &&
           stiction_text_ends_with(column, after);
}

size_t joint_log_column(const joint_log *log, const char *name) {
    for (size_t k = 0; k < log->columns; k++)
        if (strcmp(log->names[k], name) == 0) return k;
    return LOG_NO_COLUMN;
}

size_t joint_log_matching(const joint_log *log, const char *pattern, const char *joint) {
    const size_t exact = joint_log_column(log, pattern);
    if (exact != LOG_NO_COLUMN || !log_pattern_has_joint(pattern)) return exact;
    for (size_t k = 0; k < log->columns; k++) {
        size_t begin, length;
        if (split(pattern, log->names[k], &begin, &length) &&
            stiction_csv_names(log->names[k] + begin, length, joint))
            return k;
    }
    return LOG_NO_COLUMN;
}

size_t joint_log_usual(const joint_log *log, log_kind kind, const char *joint, bool alone) {
    for (size_t k = 0; k < usual_count; k++) {
        if (usual[k].kind != kind || (!alone && !log_pattern_has_joint(usual[k].pattern))) continue;
        const size_t column = joint_log_matching(log, usual[k].pattern, joint);
        if (column != LOG_NO_COLUMN) return column;
    }
    return LOG_NO_COLUMN;
}

char *log_joint_of(const char *column, const char *pattern, log_kind *kind) {
    size_t begin = 0, length = 0, best_begin = 0, best = 0;
    if (pattern) {
        if (split(pattern, column, &begin, &length)) best_begin = begin, best = length;
    } else {
        /* the longest pattern, so that a.friction_torque is not the torque of a joint a.friction */
        for (size_t k = 0; k < usual_count; k++)
            if (split(usual[k].pattern, column, &begin, &length) && (best == 0 || length < best))
                best_begin = begin, best = length, *kind = usual[k].kind;
    }
    return best > 0 ? format_text("%.*s", (int)best, column + best_begin) : NULL;
}

char *joint_log_columns(const joint_log *log) {
    enum { most = 40 };
    char *names = NULL;
    for (size_t k = 0; k < log->columns && k < most; k++)
        append_text(&names, "%s'%.60s'", k ? ", " : "", log->names[k]);
    if (log->columns > most) append_text(&names, " and %zu more", log->columns - most);
    return names ? names : copy_text("none");
}

/* ---- opening ---- */

static bool open_npz(joint_log *log, stiction_error *error) {
    if (!npz_open(&log->arrays, log->path, error)) return false;
    const size_t count = log->arrays.column_count;
    log->names = allocate(count, sizeof *log->names);
    log->values = allocate(count, sizeof *log->values);
    for (; log->columns < count; log->columns++)
        log->names[log->columns] = copy_text(log->arrays.columns[log->columns].name);
    for (size_t k = 0; k < count; k++)
        if (!(log->values[k] = npz_read(&log->arrays, k, error))) return false;
    return true;
}

bool joint_log_open(joint_log *log, const char *path, uint64_t most, stiction_error *error) {
    *log = (joint_log){.path = path};
    log->is_npz = stiction_text_ends_with(path, ".npz");
    if (log->is_npz) return open_npz(log, error);
    if (!stiction_csv_open_or_stdin(&log->file, path, most, error)) return false;
    const csv_verdict verdict = stiction_csv_next_row(&log->file, error);
    if (verdict == CSV_END)
        return fail_at(error, path, 0, "no header with the names of the columns");
    if (verdict != CSV_ROW) return false;
    log->line = log->file.line;
    log->names = allocate(log->file.count, sizeof *log->names);
    for (; log->columns < log->file.count; log->columns++)
        log->names[log->columns] = copy_text(log->file.cells[log->columns].text);
    return true;
}

void joint_log_close(joint_log *log) {
    for (size_t k = 0; k < log->columns; k++) {
        free(log->names[k]);
        if (log->values) free(log->values[k]);
    }
    free((void *)log->names), free((void *)log->values);
    if (log->is_npz)
        npz_close(&log->arrays);
    else
        stiction_csv_close(&log->file);
    *log = (joint_log){.path = log->path};
}

bool joint_log_fail(const joint_log *log, stiction_error *error, const char *format, ...) {
    va_list arguments;
    char message[sizeof error->message];
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail_at(error, log->is_npz ? log->path : log->file.path, log->line, "%s", message);
}

/* ---- rows ---- */

csv_verdict joint_log_next(joint_log *log, stiction_error *error) {
    if (log->is_npz) {
        if (log->line == log->arrays.row_count) return CSV_END;
        log->line++;
        return CSV_ROW;
    }
    const csv_verdict verdict = stiction_csv_next_row(&log->file, error);
    if (verdict != CSV_ROW) return verdict;
    log->line = log->file.line;
    if (log->file.count == log->columns) return CSV_ROW;
    (void)joint_log_fail(log, error, "the row has %zu cells, the header %zu", log->file.count,
                         log->columns);
    return CSV_WRONG;
}

static bool read_cell(const joint_log *log, size_t column, double *value) {
    if (log->is_npz) {
        *value = log->values[column][log->line - 1];
        return !isinf(*value);
    }
    const char *text = log->file.cells[column].text;
    *value = (double)NAN;
    return !*text || (read_number(text, value) && !isinf(*value));
}

/* A cell as the error message shows it. */
static char *shown_cell(const joint_log *log, size_t column) {
    return log->is_npz ? format_text("%g", log->values[column][log->line - 1])
                       : format_text("%.80s", log->file.cells[column].text);
}

bool joint_log_number(const joint_log *log, size_t column, const char *what, const char *joint,
                      double *value, stiction_error *error) {
    if (read_cell(log, column, value)) return true;
    char *cell = shown_cell(log, column);
    (void)joint_log_fail(log, error, "%s '%s'%s%s%s is not a finite number", what, cell,
                         joint ? " of joint '" : "", joint ? joint : "", joint ? "'" : "");
    free(cell);
    return false;
}

bool joint_log_time(joint_log *log, size_t column, bool may_repeat, double *time,
                    stiction_error *error) {
    if (!read_cell(log, column, time) || isnan(*time)) {
        char *cell = shown_cell(log, column);
        (void)joint_log_fail(log, error, "time '%s' is not a finite number", cell);
        free(cell);
        return false;
    }
    if (log->times > 0 && (*time < log->time || (*time == log->time && !may_repeat)))
        return joint_log_fail(log, error,
                              "time %.17g must be greater than %.17g, the time of the previous row",
                              *time, log->time);
    log->time = *time;
    log->times++;
    return true;
}
