/*
 * Writing a run: joints.csv and summary.json, whatever the host's locale.
 */
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results_internal.h"

static const char *const column_names[RESULTS_COLUMNS] = {
    "position", "velocity", "command", "friction_torque", "stick", "deflection", "target"};

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

static void write_controller(FILE *file, const results_controller *c) {
    const char *const texts[][2] = {
        {"name", c->name}, {"body", c->body}, {"mode", c->mode}, {"options", c->options}};
    fputs("{ ", file);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        fprintf(file, "\"%s\": ", texts[k][0]);
        write_json_text(file, texts[k][1] ? texts[k][1] : "");
        fputs(", ", file);
    }
    fprintf(file,
            "\"clamped\": %" PRIu64 ", \"relaxed\": %" PRIu64 ", \"held\": %" PRIu64
            ", \"faults\": %" PRIu64 " }",
            c->clamped, c->relaxed, c->held, c->faults);
}

bool results_finish(results *r, bool complete, const results_controller *list, size_t count) {
    results_free_texts(r->controllers, r->controller_count);
    r->interrupted = !complete;
    r->controllers = calloc(count + 1, sizeof *r->controllers);
    r->controller_count = r->controllers ? count : 0;
    bool made = r->controllers != NULL;
    for (size_t k = 0; made && k < count; k++) {
        size_t size;
        FILE *file = open_memstream(&r->controllers[k], &size);
        if (file) write_controller(file, &list[k]);
        made = file && fclose(file) == 0;
    }
    if (made) return true;
    results_free_texts(r->controllers, r->controller_count);
    r->controllers = NULL;
    r->controller_count = 0;
    return false;
}

static void write_texts(FILE *file, const char *key, char *const *texts, size_t count) {
    fprintf(file, "  \"%s\": [", key);
    for (size_t k = 0; k < count; k++) {
        fputs(k ? ", " : "", file);
        write_json_text(file, texts[k]);
    }
    fputs("],\n", file);
}

/* What was simulated, s: a sample stands at the start of its step. */
static double duration_of(const results *r) {
    if (!r->samples) return 0;
    /* a whole number of steps, without the roundings of a time that was summed up */
    return (round(r->last_time / r->def.timestep) + 1) * r->def.timestep;
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
    write_json_number(file, duration_of(r));
    fprintf(file, ",\n  \"complete\": %s,\n", r->interrupted ? "false" : "true");
    write_field(file, "friction_source", r->friction_source);
    write_texts(file, "overrides", r->overrides, r->def.override_count);
    write_texts(file, "warnings", r->warnings, r->warning_count);
    fputs("  \"controllers\": [", file);
    for (size_t k = 0; k < r->controller_count; k++)
        fprintf(file, "%s\n    %s", k ? "," : "", r->controllers[k]);
    fprintf(file, "%s],\n  \"joints\": {\n", r->controller_count ? "\n  " : "");
    for (size_t k = 0; k < r->def.count; k++) {
        fputs("    ", file);
        write_json_text(file, r->names[k]);
        fprintf(file, ": {\n      \"type\": \"%s\",\n",
                r->figures[k].prismatic ? "prismatic" : "revolute");
        for (size_t n = 0; results_figure_name(n); n++) {
            fprintf(file, "      \"%s\": ", results_figure_name(n));
            write_json_number(file, results_figure_at(&r->figures[k], n));
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
        for (size_t c = 0; c < RESULTS_COLUMNS; c++) {
            fputc(',', file);
            write_csv_text(file, r->names[k], column_names[c]);
        }
    fputc('\n', file);
    const double *value = r->rows;
    for (size_t row = 0; row < r->row_count; row++) {
        for (size_t k = 0; k < r->row_size; k++, value++) {
            fputs(k ? "," : "", file);
            if (!isnan(*value)) fprintf(file, "%.17g", *value);
        }
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
