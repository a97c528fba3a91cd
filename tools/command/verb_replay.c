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
#include "common/table.h"
#include "common/verb.h"
#include "document/csv.h"
#include "document/file.h"
#include "document/memory_stream.h"
#include "replay.h"

typedef struct replay_options {
    double timestep;
    text_list joints;
} replay_options;

typedef struct row {
    char *raw; /* NULL: no row */
    const char *ending;
    size_t line;
    double time;
    double *velocity;              /* one entry per channel; NaN: missing */
    double *inputs[REPLAY_INPUTS]; /* the same; NULL: no joint reads it */
} row;

typedef struct replay {
    stiction_error *error;
    csv log;
    size_t columns, time_column; /* of the header */
    channels channels;
    double timestep;         /* of all rows; 0: from the time column */
    double fallback;         /* of a log with a single row; 0: none */
    stiction_config *config; /* only the joints of the log */
    stiction_model *model;
    stiction_state *state;
    double *torque, *deflection;
    unsigned char *slipping;
    row current, last; /* the first row waits for the second, which gives its time step */
    bool first_waits;
    size_t rows;
} replay;

/* ---- reading rows ---- */

/* A finite number, or NaN if the cell is empty or nan. */
static bool read_cell(const replay *r, size_t column, const char *what, const char *joint,
                      double *value) {
    const char *text = r->log.cells[column].text;
    *value = (double)NAN;
    if (!*text || (read_number(text, value) && !isinf(*value))) return true;
    return fail_at(r->error, r->log.path, r->log.line,
                   "%s '%.80s' of joint '%s' is not a finite number", what, text, joint);
}

/* Without an input the velocity counts as missing, except for the temperature, which has a
 * default. */
static bool read_inputs(const replay *r, size_t k, row *to) {
    const channel *c = &r->channels.items[k];
    for (size_t n = 0; n < REPLAY_INPUTS; n++) {
        if (c->inputs[n] == REPLAY_NO_COLUMN) continue;
        double *value = &to->inputs[n][k];
        if (!read_cell(r, c->inputs[n], replay_inputs[n] + 1, c->joint, value)) return false;
        if (!isnan(*value) || n == REPLAY_TEMPERATURE) continue;
        *value = 0;
        to->velocity[k] = (double)NAN;
    }
    return true;
}

static bool read_channel(const replay *r, size_t k, row *to) {
    channel *c = &r->channels.items[k];
    if (!read_cell(r, c->column, "velocity", c->joint, &to->velocity[k]) || !read_inputs(r, k, to))
        return false;
    if (isnan(to->velocity[k]) && c->missing++ == 0) c->first_missing = r->log.line;
    return true;
}

static bool read_time(const replay *r, double *time) {
    if (r->timestep > 0) return true; /* unused */
    const char *text = r->log.cells[r->time_column].text;
    if (!read_number(text, time) || !isfinite(*time))
        return fail_at(r->error, r->log.path, r->log.line, "time '%.80s' is not a finite number",
                       text);
    if (r->rows > 0 && !(*time > r->last.time))
        return fail_at(r->error, r->log.path, r->log.line,
                       "time %.17g must be greater than %.17g, the time of the previous row", *time,
                       r->last.time);
    return true;
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
    FILE *out = stiction_memory_stream(&text, &size);
    for (size_t k = 0; out && k < log->count; k++) {
        if (k) fputc(',', out);
        stiction_csv_print(out, log->cells[k].text);
    }
    const bool fine = out && fclose(out) == 0;
    if (!fine) {
        free(text);
        text = NULL;
    }
    return must_have(text);
}

static bool read_row(const replay *r, row *to) {
    if (r->log.count != r->columns)
        return fail_at(r->error, r->log.path, r->log.line, "the row has %zu cells, the header %zu",
                       r->log.count, r->columns);
    to->line = r->log.line;
    to->ending = r->log.ending;
    to->raw = take_raw(&r->log, false, to->raw);
    for (size_t k = 0; k < r->channels.count; k++)
        if (!read_channel(r, k, to)) return false;
    return read_time(r, &to->time);
}

/* ---- stepping ---- */

/* Made with the first time step, so that errors have a line of the log. */
static bool make_state(replay *r, size_t line, double timestep) {
    stiction_error why;
    stiction_model_def def = stiction_model_def_default();
    def.timestep = timestep;
    const char **names = allocate(r->channels.count, sizeof *names);
    for (size_t k = 0; k < r->channels.count; k++) names[k] = r->channels.items[k].joint;
    stiction_status status =
        stiction_model_create(r->config, names, r->channels.count, &def, &r->model, &why);
    if (status == STICTION_OK) status = stiction_state_create(r->model, &r->state, &why);
    free(names);
    return status == STICTION_OK || fail_at(r->error, r->log.path, line, "%s", why.message);
}

/* Every given velocity must yield a torque. */
static bool has_torque(const replay *r, const row *now) {
    for (size_t k = 0; k < r->channels.count; k++) {
        channel *c = &r->channels.items[k];
        const uint64_t before = c->faults;
        c->faults = stiction_state_faults(r->state, k);
        if (isfinite(now->velocity[k]) && c->faults > before)
            return fail_at(r->error, r->log.path, now->line,
                           "velocity %g of joint '%s' is too large for a torque", now->velocity[k],
                           c->joint);
    }
    return true;
}

static void write_row(const replay *r, const row *now) {
    fputs(now->raw, stdout);
    for (size_t k = 0; k < r->channels.count; k++) {
        if (isnan(now->velocity[k]))
            fputs(",,,", stdout); /* unknown */
        else
            printf(",%.17g,%d,%.17g", r->torque[k], !r->slipping[k], r->deflection[k]);
    }
    fputs(now->ending, stdout);
}

static bool step(replay *r, const row *now, double timestep) {
    stiction_error why;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = timestep;
    input.velocity = now->velocity;
    input.position = now->inputs[REPLAY_POSITION];
    input.effort = now->inputs[REPLAY_EFFORT];
    input.external_torque = now->inputs[REPLAY_EXTERNAL];
    input.temperature = now->inputs[REPLAY_TEMPERATURE];
    output.torque = r->torque;
    output.deflection = r->deflection;
    output.slipping = r->slipping;
    if (!r->state && !make_state(r, now->line, timestep)) return false;
    if (stiction_step_full(r->state, &input, &output, &why) != STICTION_OK)
        return fail_at(r->error, r->log.path, now->line, "%s", why.message);
    if (!has_torque(r, now)) return false;
    write_row(r, now);
    return true;
}

/* Processes a row; the first waits for the second, which gives its time step. */
static bool take_row(replay *r) {
    const double timestep = r->timestep > 0 ? r->timestep : r->current.time - r->last.time;
    bool fine = true;
    if (r->rows == 0 && r->timestep == 0) {
        r->first_waits = true;
    } else {
        if (r->first_waits) fine = step(r, &r->last, timestep);
        r->first_waits = false;
        fine = fine && step(r, &r->current, timestep);
    }
    const row swap = r->last;
    r->last = r->current;
    r->current = swap;
    r->rows++;
    return fine;
}

static bool take_single_row(replay *r) {
    if (!r->first_waits) return true;
    if (r->fallback > 0) return step(r, &r->last, r->fallback);
    return fail_at(r->error, r->log.path, r->last.line,
                   "a single row has no time step; give --timestep");
}

/* ---- the log ---- */

static void write_head(const replay *r) {
    char *raw = take_raw(&r->log, true, NULL);
    fputs(raw, stdout);
    free(raw);
    for (size_t k = 0; k < r->channels.count; k++)
        for (size_t n = 0; n < REPLAY_COLUMNS; n++) {
            char *name = format_text("%s%s", r->channels.items[k].joint, replay_columns[n]);
            putchar(',');
            stiction_csv_print(stdout, name);
            free(name);
        }
    fputs(r->log.ending, stdout);
}

static bool find_time(replay *r) {
    r->time_column = r->columns;
    for (size_t k = 0; k < r->columns; k++) {
        if (strcmp(r->log.cells[k].text, "time") != 0) continue;
        if (r->time_column < r->columns)
            return fail_at(r->error, r->log.path, r->log.line, "two columns 'time'");
        r->time_column = k;
    }
    if (r->time_column < r->columns || r->timestep > 0) return true;
    return fail_at(r->error, r->log.path, r->log.line, "no column 'time'; give --timestep");
}

static int read_head(replay *r, const stiction_config *config, const char *config_path,
                     const text_list *mapped) {
    const csv_verdict verdict = stiction_csv_next_row(&r->log, r->error);
    if (verdict == CSV_WRONG) return EXIT_DATA;
    if (verdict == CSV_END) {
        (void)fail(r->error, "%s: no header with the names of the columns", r->log.path);
        return EXIT_DATA;
    }
    r->columns = r->log.count;
    if (!find_time(r)) return EXIT_DATA;
    return channels_find(&r->channels, &r->log, config, config_path, mapped, r->error);
}

/* Inputs that a joint does not read are 0, its temperature the default. */
static void prepare_row(const replay *r, row *to) {
    const size_t count = r->channels.count;
    to->velocity = allocate(count, sizeof *to->velocity);
    for (size_t n = 0; n < REPLAY_INPUTS; n++) {
        bool is_read = false;
        for (size_t k = 0; k < count; k++)
            is_read = is_read || r->channels.items[k].inputs[n] != REPLAY_NO_COLUMN;
        if (!is_read) continue;
        to->inputs[n] = allocate(count, sizeof *to->inputs[n]);
        for (size_t k = 0; k < count; k++)
            to->inputs[n][k] = n == REPLAY_TEMPERATURE ? (double)NAN : 0;
    }
}

static void release_row(row *of) {
    free(of->raw);
    free(of->velocity);
    for (size_t n = 0; n < REPLAY_INPUTS; n++) free(of->inputs[n]);
}

/* A model refuses joints that the log lacks, so they are left out. */
static bool prepare(replay *r) {
    const size_t n = r->channels.count;
    r->config = must_have(stiction_config_create());
    for (size_t k = 0; k < n; k++) {
        const channel *c = &r->channels.items[k];
        if (stiction_config_add_joint(r->config, c->joint, &c->def, r->error) != STICTION_OK)
            return false;
    }
    r->torque = allocate(n, sizeof *r->torque);
    r->deflection = allocate(n, sizeof *r->deflection);
    r->slipping = allocate(n, sizeof *r->slipping);
    prepare_row(r, &r->current);
    prepare_row(r, &r->last);
    return true;
}

static double file_size(FILE *file) {
    struct stat s;
    return fstat(fileno(file), &s) == 0 && S_ISREG(s.st_mode) ? (double)s.st_size : 0;
}

static bool play(replay *r) {
    csv_verdict verdict;
    progress bar = progress_begin("replay", file_size(r->log.file), true);
    bool fine = true;
    while (fine && (verdict = stiction_csv_next_row(&r->log, r->error)) != CSV_END) {
        fine = verdict == CSV_ROW && read_row(r, &r->current) && take_row(r);
        if (r->rows % 1024 == 0) {
            char note[40];
            (void)snprintf(note, sizeof note, "%zu rows", r->rows);
            progress_update(&bar, (double)ftello(r->log.file), note);
        }
    }
    progress_end(&bar);
    return fine && take_single_row(r);
}

static void warn_of_missing(const replay *r) {
    for (size_t k = 0; k < r->channels.count; k++) {
        const channel *c = &r->channels.items[k];
        bool reads = false;
        for (size_t n = 0; n < REPLAY_TEMPERATURE; n++)
            reads = reads || c->inputs[n] != REPLAY_NO_COLUMN;
        if (c->missing)
            print_note("%s:%zu: warning: joint '%s' lacks %zu of %zu velocities%s, the first here; "
                       "its bristle keeps its deflection and the cells are empty",
                       r->log.path, c->first_missing, c->joint, c->missing, r->rows,
                       reads ? " or other inputs" : "");
    }
}

static void release(replay *r) {
    stiction_csv_close(&r->log);
    channels_free(&r->channels);
    stiction_state_destroy(r->state);
    stiction_model_destroy(r->model);
    stiction_config_destroy(r->config);
    free(r->torque);
    free(r->deflection);
    free(r->slipping);
    release_row(&r->current);
    release_row(&r->last);
}

/* ---- the verb ---- */

static int run_with(const replay_options *options, const stiction_config *config,
                    const char *config_path, const char *log_path, stiction_error *error) {
    replay r = {.error = error,
                .timestep = isnan(options->timestep) ? 0 : options->timestep,
                .fallback = stiction_config_timestep(config)};
    int status = EXIT_DATA;
    if (stiction_csv_open_or_stdin(&r.log, log_path, FILE_MOST_LOG, error))
        status = read_head(&r, config, config_path, &options->joints);
    if (status == EXIT_FINE) {
        const bool ready = prepare(&r);
        if (ready) write_head(&r);
        status = ready && play(&r) ? EXIT_FINE : EXIT_DATA;
        warn_of_missing(&r);
    }
    release(&r);
    return status;
}

static int run_replay(const void *given, const text_list *arguments, stiction_error *error) {
    const char *config_path = arguments->items[0];
    stiction_config *config = load_config(config_path);
    if (!config) return EXIT_DATA;
    const int status = run_with(given, config, config_path, arguments->items[1], error);
    stiction_config_destroy(config);
    return status;
}

static const replay_options defaults = {.timestep = (double)NAN};

static const option options_of_replay[] = {
    {"timestep", OPTION_POSITIVE, "T", "time step of all rows in s, instead of the column time",
     offsetof(replay_options, timestep)},
    {"joint", OPTION_TEXTS, "JOINT=COLUMN", "the column with the velocity of a joint",
     offsetof(replay_options, joints)},
    {.name = NULL},
};

const verb verb_replay = {
    .name = "replay",
    .summary = "the friction torque along logged velocities",
    .arguments = "CONFIG LOG.csv",
    .least = 2,
    .most = 2,
    .options = options_of_replay,
    .defaults = &defaults,
    .options_size = sizeof defaults,
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
    .run = run_replay,
};
