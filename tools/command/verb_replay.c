/* SPDX-License-Identifier: MIT
 * stiction replay: the friction torque along logged velocities. Rows are processed one at a time,
 * so that a log may be larger than memory.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/command.h"
#include "common/progress.h"
#include "common/verb.h"
#include "document/file.h"
#include "document/memory_stream.h"
#include "document/reader.h"
#include "document/text.h"
#include "logs/joint_log.h"
#include "stiction/stiction.h"

typedef struct replay_options {
    double timestep;
    text_list joints;
} replay_options;

/* What friction reads of a log; the velocity is also in a column of the joint's name. */
static const log_kind inputs[] = {LOG_VELOCITY, LOG_POSITION, LOG_TORQUE, LOG_EXTERNAL,
                                  LOG_TEMPERATURE};
enum { input_count = sizeof inputs / sizeof inputs[0] };

/* Suffixes of the columns that are added for a joint. */
enum { output_count = 3 };
static const char *const outputs[output_count] = {".friction_torque", ".stick", ".deflection"};

/* A joint whose velocity is in a column of the log. */
typedef struct channel {
    const char *joint;
    size_t columns[LOG_KIND_COUNT];
    stiction_joint_def def;
    size_t missing, first_missing; /* rows without a velocity, and the line of the first of them */
    uint64_t faults;               /* counted by the library up to this row */
} channel;

typedef struct row {
    char *raw;
    const char *ending;
    size_t line;
    double time;
    double *inputs[LOG_KIND_COUNT]; /* one number per channel; NaN: missing */
} row;

typedef struct replay {
    reader *r;
    const replay_options *options;
    const char *config_path;
    const stiction_config *config;
    joint_log log;
    size_t time_column;
    channel *channels;
    size_t count;
    double timestep;              /* of all rows; 0: from the time column */
    stiction_config *joints_only; /* the joints of the log */
    stiction_model *model;
    stiction_state *state;
    double *torque, *deflection;
    unsigned char *slipping;
    row current, last; /* the first row waits for the second, which gives its time step */
    bool first_waits;
    size_t rows;
    progress bar;
} replay;

static stiction_place line_of(const replay *p) {
    return (stiction_place){p->log.path, (int)p->log.line, 0};
}

/* ---- finding columns ---- */

/* A name that is read must not be that of two columns. */
static void refuse_second(const replay *p, size_t column) {
    for (size_t k = column + 1; k < p->log.columns; k++)
        if (strcmp(p->log.names[k], p->log.names[column]) == 0)
            stiction_reader_refuse(p->r, line_of(p), "two columns '%s'", p->log.names[k]);
}

static void add_channel(replay *p, const char *joint, size_t column,
                        const stiction_joint_def *def) {
    for (size_t k = 0; k < p->count; k++)
        if (strcmp(p->channels[k].joint, joint) == 0)
            stiction_reader_refuse(p->r, line_of(p),
                                   "columns '%s' and '%s' both match the velocity of joint '%s'; "
                                   "choose one with --joint %s=COLUMN",
                                   p->log.names[p->channels[k].columns[LOG_VELOCITY]],
                                   p->log.names[column], joint, joint);
    p->channels = stiction_reader_grow(p->r, p->channels, p->count, sizeof *p->channels);
    channel *c = &p->channels[p->count++];
    *c = (channel){.joint = joint, .def = *def};
    for (size_t k = 0; k < LOG_KIND_COUNT; k++) c->columns[k] = LOG_NO_COLUMN;
    c->columns[LOG_VELOCITY] = column;
}

/* --joint JOINT=COLUMN */
static void add_mapped(replay *p, const char *mapping) {
    const char *equals = strchr(mapping, '=');
    const char *joint = stiction_reader_format(p->r, "%.*s", (int)(equals - mapping), mapping);
    const size_t column = joint_log_column(&p->log, equals + 1);
    stiction_joint_def def = stiction_joint_def_default();
    stiction_error error;
    if (!find_joint(p->config, p->config_path, joint, &def, &error))
        stiction_reader_refuse_as(p->r, &error);
    if (column == LOG_NO_COLUMN)
        stiction_reader_refuse(p->r, line_of(p), "--joint %s: no column '%s'", mapping, equals + 1);
    add_channel(p, joint, column, &def);
}

/* Whether --joint names the joint or the column. */
static bool is_mapped(const replay *p, const char *joint, const char *column) {
    for (size_t k = 0; k < p->options->joints.count; k++) {
        const char *mapping = p->options->joints.items[k], *equals = strchr(mapping, '=');
        const size_t length = (size_t)(equals - mapping);
        if (strcmp(equals + 1, column) == 0) return true;
        if (strlen(joint) == length && strncmp(mapping, joint, length) == 0) return true;
    }
    return false;
}

/* The joint of the configuration with this name, as it is or as CSV escapes it. */
static const char *name_in_config(const replay *p, const char *name) {
    for (size_t k = 0; strchr(name, '\\') && k < stiction_config_joint_count(p->config); k++) {
        const char *other = stiction_config_joint_at(p->config, k, NULL);
        /* NOLINTNEXTLINE(readability-suspicious-call-argument): the cell is our name */
        if (stiction_csv_names(name, strlen(name), other)) return other;
    }
    return name;
}

/* Patterns such as * do not match names with a point, such as JOINT.angle. */
static void add_named(replay *p, size_t column) {
    stiction_joint_def def = stiction_joint_def_default();
    const char *head = p->log.names[column];
    if (strcmp(head, "time") == 0) return;
    log_kind kind = LOG_VELOCITY;
    char *of = log_joint_of(head, NULL, &kind);
    const char *joint =
        name_in_config(p, stiction_reader_text(p->r, of && kind == LOG_VELOCITY ? of : head));
    free(of);
    const char *pattern = stiction_config_find_joint(p->config, joint, &def);
    if (pattern && (!strchr(joint, '.') || strcmp(pattern, joint) == 0) &&
        !is_mapped(p, joint, head))
        add_channel(p, joint, column, &def);
}

static void refuse_header(const replay *p) {
    /* do not quote a file without a time: it may be anything */
    if (joint_log_column(&p->log, "time") == LOG_NO_COLUMN)
        stiction_reader_refuse(
            p->r, line_of(p),
            "no column is a joint of %s or 'time'; name one with --joint JOINT=COLUMN",
            p->config_path);
    char *columns = joint_log_columns(&p->log);
    const char *names = stiction_reader_text(p->r, columns);
    free(columns);
    stiction_reader_refuse(p->r, line_of(p),
                           "no column is a joint of %s; the columns are %s; name one with --joint "
                           "JOINT=COLUMN",
                           p->config_path, names);
}

/* ---- inputs besides the velocity ---- */

/* Whether friction reads an input, whether it is required, and the parameter that reads it. */
typedef struct reading {
    bool reads, needs;
    const char *why; /* NULL: the law */
} reading;

static void find_readings(const stiction_joint_def *def, reading of[LOG_KIND_COUNT]) {
    stiction_law_info info;
    const stiction_drive_parameters p = stiction_joint_drive_parameters(def);
    const bool of_sum = stiction_law_info_find(def->law, &info) && info.needs_effort;
    const bool motor = of_sum || p.load_motor > 0 || p.load_motor_static > 0;
    const bool external = p.load_external > 0 || p.load_external_static > 0;
    const bool warm = p.temperature_level != 0 || p.temperature_viscous != 0;
    of[LOG_VELOCITY] = (reading){false, false, NULL};
    of[LOG_POSITION] = (reading){p.ripple > 0, p.ripple > 0, "ripple"};
    of[LOG_TORQUE] = (reading){motor, motor, of_sum ? NULL : "load_motor"};
    of[LOG_EXTERNAL] = (reading){of_sum || external, external, "load_external"};
    of[LOG_TEMPERATURE] = (reading){warm, false, "temperature_level"};
}

/* The column that error messages ask for. */
static const char *column_name(const replay *p, const char *joint, log_kind kind) {
    return stiction_reader_format(p->r, "%s.%s", joint,
                                  kind == LOG_TORQUE     ? "effort"
                                  : kind == LOG_EXTERNAL ? "external_torque"
                                                         : log_kind_name(kind));
}

static void find_inputs(replay *p, channel *c) {
    reading of[LOG_KIND_COUNT];
    find_readings(&c->def, of);
    for (size_t n = 0; n < input_count; n++) {
        const log_kind k = inputs[n];
        if (!of[k].reads) continue;
        c->columns[k] = joint_log_usual(&p->log, k, c->joint, false);
        if (c->columns[k] != LOG_NO_COLUMN) {
            refuse_second(p, c->columns[k]);
            continue;
        }
        if (!of[k].needs) continue;
        if (of[k].why)
            stiction_reader_refuse(p->r, line_of(p), "joint '%s': %s needs a column '%s'", c->joint,
                                   of[k].why, column_name(p, c->joint, k));
        stiction_reader_refuse(
            p->r, line_of(p),
            "joint '%s': law %s needs the sum of the other torques: a column '%s', "
            "and '%s' if other torques than the motor's act",
            c->joint, c->def.law, column_name(p, c->joint, LOG_TORQUE),
            column_name(p, c->joint, LOG_EXTERNAL));
    }
}

/* ---- the header ---- */

static void find_time(replay *p) {
    p->time_column = joint_log_column(&p->log, "time");
    if (p->time_column != LOG_NO_COLUMN)
        refuse_second(p, p->time_column);
    else if (p->timestep == 0)
        stiction_reader_refuse(p->r, line_of(p), "no column 'time'; give --timestep");
}

static bool next_row(replay *p) {
    stiction_error error;
    const csv_verdict verdict = joint_log_next(&p->log, &error);
    if (verdict == CSV_WRONG) stiction_reader_refuse_as(p->r, &error);
    return verdict == CSV_ROW;
}

static void read_head(replay *p) {
    find_time(p);
    for (size_t k = 0; k < p->options->joints.count; k++)
        add_mapped(p, p->options->joints.items[k]);
    for (size_t k = 0; k < p->log.columns; k++) add_named(p, k);
    if (p->count == 0) refuse_header(p);
    for (size_t k = 0; k < p->count; k++) {
        find_inputs(p, &p->channels[k]);
        for (size_t n = 0; n < output_count; n++) {
            const char *name =
                stiction_reader_format(p->r, "%s%s", p->channels[k].joint, outputs[n]);
            if (joint_log_column(&p->log, name) != LOG_NO_COLUMN)
                stiction_reader_refuse(p->r, line_of(p), "column '%s' exists already", name);
        }
    }
}

/* ---- reading rows ---- */

/* Without an input the velocity counts as missing, except for the temperature, which has a
 * default. */
static void read_channel(const replay *p, size_t k, row *to) {
    channel *c = &p->channels[k];
    stiction_error error;
    for (size_t i = 0; i < input_count; i++) {
        const log_kind n = inputs[i];
        if (c->columns[n] == LOG_NO_COLUMN) continue;
        double *value = &to->inputs[n][k];
        if (!joint_log_number(&p->log, c->columns[n], log_kind_name(n), c->joint, value, &error))
            stiction_reader_refuse_as(p->r, &error);
        if (!isnan(*value) || n == LOG_VELOCITY || n == LOG_TEMPERATURE) continue;
        *value = 0;
        to->inputs[LOG_VELOCITY][k] = (double)NAN;
    }
    if (isnan(to->inputs[LOG_VELOCITY][k]) && c->missing++ == 0) c->first_missing = p->log.line;
}

static double read_time(replay *p) {
    double time = 0;
    stiction_error error;
    if (p->timestep == 0 && !joint_log_time(&p->log, p->time_column, false, &time, &error))
        stiction_reader_refuse_as(p->r, &error);
    return time;
}

/* Cells in quotes may contain line ends; names in the header may not. */
static bool is_plain(const char *text, bool is_head) {
    if (is_head || !strpbrk(text, "\r\n\t")) return stiction_csv_is_plain(text);
    char *copy = copy_text(text);
    for (char *c = copy + strcspn(copy, "\r\n\t"); *c; c += strcspn(c, "\r\n\t")) *c = ' ';
    const bool plain = stiction_csv_is_plain(copy);
    free(copy);
    return plain;
}

/* A copy of the row in new or reused memory, escaped if a cell contains what a terminal or a
 * spreadsheet would execute. */
static char *take_raw(const csv *log, bool is_head, char *memory) {
    size_t plain = 0, size;
    while (plain < log->count && is_plain(log->cells[plain].text, is_head)) plain++;
    if (plain == log->count) {
        memory = reallocate(memory, log->raw.length + 1, 1);
        return memcpy(memory, log->raw.data, log->raw.length + 1);
    }
    free(memory);
    char *text = NULL;
    FILE *out = must_have(stiction_memory_stream(&text, &size));
    for (size_t k = 0; k < log->count; k++) {
        if (k) fputc(',', out);
        stiction_csv_print(out, log->cells[k].text);
    }
    return must_have(fclose(out) == 0 ? text : NULL);
}

static void read_row(replay *p, row *to) {
    to->line = p->log.line;
    to->ending = p->log.file.ending;
    to->raw = take_raw(&p->log.file, false, to->raw);
    for (size_t k = 0; k < p->count; k++) read_channel(p, k, to);
    to->time = read_time(p);
}

/* ---- stepping ---- */

/* Made with the first time step, so that errors have a line of the log. */
static stiction_status make_state(replay *p, double timestep, stiction_error *error) {
    stiction_model_def def = stiction_model_def_default();
    def.timestep = timestep;
    const char **names = stiction_reader_alloc(p->r, p->count * sizeof *names);
    for (size_t k = 0; k < p->count; k++) names[k] = p->channels[k].joint;
    const stiction_status status =
        stiction_model_create(p->joints_only, names, p->count, &def, &p->model, error);
    return status == STICTION_OK ? stiction_state_create(p->model, &p->state, error) : status;
}

/* Every given velocity must yield a torque. */
static void check_faults(const replay *p, const row *now) {
    for (size_t k = 0; k < p->count; k++) {
        channel *c = &p->channels[k];
        const uint64_t before = c->faults;
        const double velocity = now->inputs[LOG_VELOCITY][k];
        c->faults = stiction_state_faults(p->state, k);
        if (isfinite(velocity) && c->faults > before)
            stiction_reader_refuse(p->r, (stiction_place){p->log.path, (int)now->line, 0},
                                   "velocity %g of joint '%s' is too large for a torque", velocity,
                                   c->joint);
    }
}

static void step(replay *p, const row *now, double timestep) {
    stiction_error error;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = timestep;
    input.velocity = now->inputs[LOG_VELOCITY];
    input.position = now->inputs[LOG_POSITION];
    input.effort = now->inputs[LOG_TORQUE];
    input.external_torque = now->inputs[LOG_EXTERNAL];
    input.temperature = now->inputs[LOG_TEMPERATURE];
    output.torque = p->torque;
    output.deflection = p->deflection;
    output.slipping = p->slipping;
    stiction_status status = p->state ? STICTION_OK : make_state(p, timestep, &error);
    if (status == STICTION_OK) status = stiction_step_full(p->state, &input, &output, &error);
    if (status != STICTION_OK)
        stiction_reader_refuse(p->r, (stiction_place){p->log.path, (int)now->line, 0}, "%s",
                               error.message);
    check_faults(p, now);
    fputs(now->raw, stdout);
    for (size_t k = 0; k < p->count; k++) {
        if (isnan(now->inputs[LOG_VELOCITY][k]))
            fputs(",,,", stdout); /* unknown */
        else
            printf(",%.17g,%d,%.17g", p->torque[k], !p->slipping[k], p->deflection[k]);
    }
    fputs(now->ending, stdout);
}

/* Processes a row; the first waits for the second, which gives its time step. */
static void take_row(replay *p) {
    const double timestep = p->timestep > 0 ? p->timestep : p->current.time - p->last.time;
    if (p->rows == 0 && p->timestep == 0) {
        p->first_waits = true;
    } else {
        if (p->first_waits) step(p, &p->last, timestep);
        p->first_waits = false;
        step(p, &p->current, timestep);
    }
    const row swap = p->last;
    p->last = p->current;
    p->current = swap;
    p->rows++;
}

/* ---- the log ---- */

static void write_head(const replay *p) {
    char *raw = take_raw(&p->log.file, true, NULL);
    fputs(raw, stdout);
    free(raw);
    for (size_t k = 0; k < p->count; k++)
        for (size_t n = 0; n < output_count; n++) {
            putchar(',');
            stiction_csv_print(
                stdout, stiction_reader_format(p->r, "%s%s", p->channels[k].joint, outputs[n]));
        }
    fputs(p->log.file.ending, stdout);
}

/* Inputs that a joint does not read are 0, its temperature the default. */
static void prepare_row(const replay *p, row *to) {
    for (size_t n = 0; n < LOG_KIND_COUNT; n++)
        for (size_t k = 0; k < p->count; k++) {
            if (p->channels[k].columns[n] == LOG_NO_COLUMN || to->inputs[n]) continue;
            to->inputs[n] = stiction_reader_alloc(p->r, p->count * sizeof *to->inputs[n]);
            for (size_t i = 0; i < p->count; i++)
                to->inputs[n][i] = n == LOG_TEMPERATURE ? (double)NAN : 0;
        }
}

/* A model refuses joints that the log lacks, so they are left out. */
static void prepare(replay *p) {
    stiction_error error;
    p->joints_only = must_have(stiction_config_create());
    for (size_t k = 0; k < p->count; k++)
        if (stiction_config_add_joint(p->joints_only, p->channels[k].joint, &p->channels[k].def,
                                      &error) != STICTION_OK)
            stiction_reader_refuse_as(p->r, &error);
    p->torque = stiction_reader_alloc(p->r, p->count * sizeof *p->torque);
    p->deflection = stiction_reader_alloc(p->r, p->count * sizeof *p->deflection);
    p->slipping = stiction_reader_alloc(p->r, p->count * sizeof *p->slipping);
    prepare_row(p, &p->current);
    prepare_row(p, &p->last);
}

static void replay_rows(replay *p) {
    struct stat s;
    const bool is_file = fstat(fileno(p->log.file.file), &s) == 0 && S_ISREG(s.st_mode);
    p->bar = progress_begin("replay", is_file ? (double)s.st_size : 0, true);
    while (next_row(p)) {
        read_row(p, &p->current);
        take_row(p);
        if (p->rows % 1024 != 0) continue;
        char note[40];
        (void)snprintf(note, sizeof note, "%zu rows", p->rows);
        progress_update(&p->bar, (double)ftello(p->log.file.file), note);
    }
    if (!p->first_waits) return;
    const double timestep = stiction_config_timestep(p->config);
    if (!(timestep > 0))
        stiction_reader_refuse(p->r, (stiction_place){p->log.path, (int)p->last.line, 0},
                               "a single row has no time step; give --timestep");
    step(p, &p->last, timestep);
}

static void warn_of_missing(const replay *p) {
    for (size_t k = 0; k < p->count; k++) {
        const channel *c = &p->channels[k];
        const bool reads = c->columns[LOG_POSITION] != LOG_NO_COLUMN ||
                           c->columns[LOG_TORQUE] != LOG_NO_COLUMN ||
                           c->columns[LOG_EXTERNAL] != LOG_NO_COLUMN;
        if (c->missing)
            stiction_reader_warn(
                p->r, (stiction_place){p->log.path, (int)c->first_missing, 0},
                "joint '%s' lacks %zu of %zu velocities%s, the first here; its bristle keeps its "
                "deflection and the cells are empty",
                c->joint, c->missing, p->rows, reads ? " or other inputs" : "");
    }
}

static void release(void *memory) {
    replay *p = memory;
    progress_end(&p->bar);
    joint_log_close(&p->log);
    stiction_state_destroy(p->state);
    stiction_model_destroy(p->model);
    stiction_config_destroy(p->joints_only);
    free(p->current.raw);
    free(p->last.raw);
}

/* ---- the verb ---- */

typedef struct request {
    const replay_options *options;
    const stiction_config *config;
    const char *config_path, *log_path;
} request;

static void *replay_log(reader *r, const void *context) {
    const request *q = context;
    stiction_error error;
    replay *p = stiction_reader_own(r, sizeof *p, release);
    p->r = r;
    p->options = q->options;
    p->config = q->config;
    p->config_path = q->config_path;
    p->timestep = isnan(q->options->timestep) ? 0 : q->options->timestep;
    if (!joint_log_open(&p->log, q->log_path, FILE_MOST_LOG, &error))
        stiction_reader_refuse_as(r, &error);
    if (p->log.is_npz)
        stiction_reader_refuse(r, (stiction_place){q->log_path, 0, 0},
                               "replay copies the rows of a CSV file; give one");
    read_head(p);
    prepare(p);
    write_head(p);
    replay_rows(p);
    warn_of_missing(p);
    return r;
}

static int replay_main(const void *given, const text_list *arguments, stiction_error *error) {
    const replay_options *options = given;
    for (size_t k = 0; k < options->joints.count; k++) {
        const char *mapping = options->joints.items[k], *equals = strchr(mapping, '=');
        if (equals && equals != mapping && equals[1]) continue;
        return fail_usage(error, "replay: --joint '%s' must be JOINT=COLUMN", mapping);
    }
    stiction_config *config = load_config(arguments->items[0]);
    if (!config) return EXIT_DATA;
    reader r = {.log = print_log, .error = error};
    const request q = {options, config, arguments->items[0], arguments->items[1]};
    const bool fine = stiction_reader_run(&r, replay_log, &q) != NULL;
    if (fine) stiction_arena_free(&r.memory);
    stiction_config_destroy(config);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static const replay_options defaults = {.timestep = (double)NAN};

#define FIELD(name) offsetof(replay_options, name)

static const option options_of_replay[] = {
    {"timestep", OPTION_POSITIVE, "T", "time step of all rows in s, instead of the column time",
     FIELD(timestep)},
    {"joint", OPTION_TEXTS, "JOINT=COLUMN", "the column with the velocity of a joint",
     FIELD(joints)},
    {.name = NULL},
};

const verb verb_replay = {
    .name = "replay",
    .summary = "the friction torque along logged velocities",
    .arguments = "CONFIG LOG.csv",
    .least = 2,
    .most = 2,
    VERB_OPTIONS(options_of_replay, defaults),
    .description =

        "Reads a log with a column time (s) and velocities (rad/s) in columns named JOINT\n"
        "or JOINT.velocity, or mapped with --joint, and writes the same rows to stdout\n"
        "followed by JOINT.friction_torque (N m), JOINT.stick (1 or 0) and\n"
        "JOINT.deflection (rad), with 17 digits. Other columns are copied. LOG.csv may be\n"
        "- for stdin. Empty lines and lines that begin with # are skipped.\n"
        "\n"
        "Other inputs of friction are read from JOINT.position (rad), JOINT.effort (motor\n"
        "torque, N m), JOINT.external_torque (N m) and JOINT.temperature (deg C). A joint\n"
        "with ripple, load_motor or load_external must have its column; without a\n"
        "temperature, that of the configuration is used, with the joint's own heating.\n"
        "\n"
        "The time step of a row is the difference to the previous row; the first row\n"
        "uses that of the second. If a velocity is missing (empty or nan), the bristle\n"
        "keeps its deflection, the new cells stay empty, and a warning gives the count.\n"
        "Time must increase.",
    .example = "  stiction replay config/hrp5p.yaml log.csv > friction.csv\n"
               "  stiction replay config/hrp5p.yaml log.csv --joint RWRR=wrist_speed",
    .run = replay_main,
};
