/*
 * Collecting a run and writing it: each joint's figures are kept up to date with every sample.
 */
#include "results.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a joint so far. */
typedef struct joint_figures {
    double final_position, stop_time, peak_torque, final_torque, tracking_error;
    double dissipated_energy;
    double creep; /* of the last time that it stuck for long */
    double stick_slip_events;
    bool armed;         /* it has stuck since it last moved */
    bool stuck;         /* in the last sample */
    double stuck_since; /* s */
    double settled_at;  /* rad: where it was when it had stuck for settling_time */
    bool settled;
} joint_figures;

/* A joint that has just stopped rings in its bristle for a while, which is no creep, s. */
static const double settling_time = 0.5;

/* Columns of joints.csv, each for every joint behind `time`. */
enum { columns = 6 };
static const char *const column_names[columns] = {"position",        "velocity", "command",
                                                  "friction_torque", "stick",    "deflection"};

struct results {
    results_def def;
    char **names;
    char *project, *simulator, *engine, *engine_version;
    stiction_joint_def *friction;
    joint_figures *figures;
    double *rows; /* time, then columns of each joint */
    size_t row_count, row_capacity, row_size;
};

static char *copy(const char *text) {
    const size_t size = strlen(text ? text : "") + 1;
    char *result = malloc(size);
    if (result) memcpy(result, text ? text : "", size);
    return result;
}

results *results_create(const results_def *def) {
    results *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->def = *def;
    r->project = copy(def->project);
    r->simulator = copy(def->simulator);
    r->engine = copy(def->engine);
    r->engine_version = copy(def->engine_version);
    r->names = calloc(def->count + 1, sizeof *r->names);
    r->friction = calloc(def->count + 1, sizeof *r->friction);
    r->figures = calloc(def->count + 1, sizeof *r->figures);
    r->row_size = 1 + columns * def->count;
    bool complete = r->project && r->simulator && r->engine && r->engine_version && r->names &&
                    r->friction && r->figures;
    for (size_t k = 0; complete && k < def->count; k++) {
        r->names[k] = copy(def->names[k]);
        r->friction[k] = def->friction ? def->friction[k] : stiction_joint_def_default();
        r->figures[k].tracking_error = r->figures[k].creep = (double)NAN;
        complete = r->names[k] != NULL;
    }
    if (complete) return r;
    results_destroy(r);
    return NULL;
}

void results_destroy(results *r) {
    if (!r) return;
    for (size_t k = 0; r->names && k < r->def.count; k++) free(r->names[k]);
    free(r->names);
    free(r->friction);
    free(r->figures);
    free(r->rows);
    free(r->project);
    free(r->simulator);
    free(r->engine);
    free(r->engine_version);
    free(r);
}

static double *new_row(results *r) {
    if (r->row_count == r->row_capacity) {
        const size_t capacity = r->row_capacity ? 2 * r->row_capacity : 1024;
        double *rows = realloc(r->rows, capacity * r->row_size * sizeof *rows);
        if (!rows) return NULL;
        r->rows = rows;
        r->row_capacity = capacity;
    }
    return r->rows + r->row_size * r->row_count++;
}

static double entry(const double *array, size_t k) {
    return array ? array[k] : 0;
}

/* Where the bristle stands: what creeps, the elastic motion apart. The deflection has seen the
 * velocities up to this one, and so has the position of a semi-implicit integrator. */
static double anchor(const results_sample *s, size_t k) {
    return s->position[k] - entry(s->deflection, k);
}

static void update(joint_figures *f, const results_sample *s, size_t k) {
    const double v = s->velocity[k];
    f->final_position = s->position[k];
    f->final_torque = entry(s->command, k);
    f->peak_torque = fmax(f->peak_torque, fabs(f->final_torque));
    f->dissipated_energy = entry(s->dissipated_energy, k);
    if (s->target) f->tracking_error = s->target[k] - s->position[k];
    if (fabs(v) > RESULTS_MOTION) f->stop_time = s->time;

    /* an event: it stuck, at the start perhaps, and then it moves */
    const bool sticks = s->slipping && !s->slipping[k] && fabs(v) <= RESULTS_MOTION;
    if (!sticks || !f->stuck) {
        f->stuck_since = s->time;
        f->settled = false;
    }
    const double stuck_for = s->time - f->stuck_since;
    if (!f->settled && stuck_for >= settling_time) {
        f->settled_at = anchor(s, k);
        f->settled = true;
    }
    if (stuck_for >= 2 * settling_time)
        f->creep = (anchor(s, k) - f->settled_at) / (stuck_for - settling_time);
    if (sticks) f->armed = true;
    if (f->armed && fabs(v) > RESULTS_MOTION) {
        f->stick_slip_events++;
        f->armed = false;
    }
    f->stuck = sticks;
}

bool results_add(results *r, const results_sample *s) {
    double *row = new_row(r);
    if (!row) return false;
    *row++ = s->time;
    for (size_t k = 0; k < r->def.count; k++, row += columns) {
        row[0] = s->position[k];
        row[1] = s->velocity[k];
        row[2] = entry(s->command, k);
        row[3] = entry(s->friction, k);
        row[4] = s->slipping ? !s->slipping[k] : 0;
        row[5] = entry(s->deflection, k);
        update(&r->figures[k], s, k);
    }
    return true;
}

/* The figures of a joint under their names in summary.json. */
static const struct {
    const char *name;
    size_t offset;
} figures[] = {
    {"final_position", offsetof(joint_figures, final_position)},
    {"stop_time", offsetof(joint_figures, stop_time)},
    {"stick_slip_events", offsetof(joint_figures, stick_slip_events)},
    {"peak_torque", offsetof(joint_figures, peak_torque)},
    {"final_torque", offsetof(joint_figures, final_torque)},
    {"tracking_error", offsetof(joint_figures, tracking_error)},
    {"dissipated_energy", offsetof(joint_figures, dissipated_energy)},
    {"creep", offsetof(joint_figures, creep)},
};
enum { figure_count = sizeof figures / sizeof figures[0] };

static double figure_at(const joint_figures *f, size_t index) {
    double value;
    memcpy(&value, (const char *)f + figures[index].offset, sizeof value);
    return value;
}

double results_figure(const results *r, size_t joint, const char *name) {
    for (size_t k = 0; joint < r->def.count && k < figure_count; k++)
        if (strcmp(figures[k].name, name) == 0) return figure_at(&r->figures[joint], k);
    return (double)NAN;
}

static void write_json_text(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void write_json_number(FILE *file, double value) {
    if (isfinite(value))
        fprintf(file, "%.17g", value);
    else
        fputs("null", file);
}

static void write_field(FILE *file, const char *key, const char *text) {
    fprintf(file, "  \"%s\": ", key);
    write_json_text(file, text);
    fputs(",\n", file);
}

/* The parameters that the joint's law reads. */
static void write_friction(FILE *file, const stiction_joint_def *def) {
    fputs("      \"friction\": { \"law\": ", file);
    write_json_text(file, def->law ? def->law : "none");
    stiction_law_info law;
    (void)stiction_law_info_find(def->law, &law);
    stiction_parameter_info parameter;
    for (size_t k = 0; stiction_parameter_at(k, &parameter); k++)
        if (law.parameters >> k & 1) {
            fprintf(file, ", \"%s\": ", parameter.key);
            write_json_number(file, stiction_joint_def_value(def, k));
        }
    fputs(" }\n", file);
}

static void write_summary(FILE *file, const results *r) {
    fputs("{\n", file);
    write_field(file, "stiction", stiction_version());
    write_field(file, "project", r->project);
    write_field(file, "simulator", r->simulator);
    write_field(file, "engine", r->engine);
    write_field(file, "engine_version", r->engine_version);
    fputs("  \"timestep\": ", file);
    write_json_number(file, r->def.timestep);
    fputs(",\n  \"duration\": ", file);
    write_json_number(file, r->row_count ? r->rows[r->row_size * (r->row_count - 1)] : 0);
    fputs(",\n  \"joints\": {\n", file);
    for (size_t k = 0; k < r->def.count; k++) {
        fputs("    ", file);
        write_json_text(file, r->names[k]);
        fputs(": {\n", file);
        for (size_t n = 0; n < figure_count; n++) {
            fprintf(file, "      \"%s\": ", figures[n].name);
            write_json_number(file, figure_at(&r->figures[k], n));
            fputs(",\n", file);
        }
        write_friction(file, &r->friction[k]);
        fprintf(file, "    }%s\n", k + 1 < r->def.count ? "," : "");
    }
    fputs("  }\n}\n", file);
}

/* A name as a CSV cell. */
static void write_csv_text(FILE *file, const char *name, const char *column) {
    const bool quoted = strpbrk(name, ",\"\n\r") != NULL;
    if (quoted) fputc('"', file);
    for (const char *c = name; *c; c++) {
        if (*c == '"') fputc('"', file);
        fputc(*c, file);
    }
    fprintf(file, ".%s%s", column, quoted ? "\"" : "");
}

static void write_csv(FILE *file, const results *r) {
    fputs("time", file);
    for (size_t k = 0; k < r->def.count; k++)
        for (size_t c = 0; c < columns; c++) {
            fputc(',', file);
            write_csv_text(file, r->names[k], column_names[c]);
        }
    fputc('\n', file);
    const double *value = r->rows;
    for (size_t row = 0; row < r->row_count; row++) {
        for (size_t k = 0; k < r->row_size; k++) fprintf(file, "%s%.17g", k ? "," : "", *value++);
        fputc('\n', file);
    }
}

static stiction_status refuse(stiction_error *error, const char *path) {
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = STICTION_INVALID_ARGUMENT;
        (void)snprintf(error->message, sizeof error->message, "cannot write %.700s: %s", path,
                       strerror(errno));
    }
    return STICTION_INVALID_ARGUMENT;
}

static stiction_status write_file(const results *r, const char *folder, const char *name,
                                  void (*write)(FILE *, const results *), stiction_error *error) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) return refuse(error, path);
    write(file, r);
    const bool written = !ferror(file);
    return fclose(file) == 0 && written ? STICTION_OK : refuse(error, path);
}

stiction_status results_write(const results *r, const char *folder, stiction_error *error) {
    /* the host's locale may write numbers with commas */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t host = uselocale(plain);
    stiction_status status = write_file(r, folder, "joints.csv", write_csv, error);
    if (status == STICTION_OK) status = write_file(r, folder, "summary.json", write_summary, error);
    (void)uselocale(host);
    freelocale(plain);
    return status;
}
