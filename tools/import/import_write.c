/* SPDX-License-Identifier: MIT */
/* What stiction import writes: a configuration with a comment for every number. */
#include <stdlib.h>
#include <string.h>

#include "document/number.h"
#include "document/shown.h"
#include "document/yaml_write.h"
#include "import.h"

enum { widest = 96 };

static const char *shown_of(const import_result *result, const char *text) {
    const char *shown = stiction_shown_text(&result->r->memory, text);
    if (shown) return shown;
    stiction_reader_no_memory(result->r);
}

/* A text as comments, in lines that are not too wide. */
static void write_comment(FILE *out, const import_result *result, const char *text) {
    const char *shown = shown_of(result, text);
    while (*shown) {
        size_t length = strlen(shown);
        if (length > widest) {
            length = widest;
            while (length && shown[length] != ' ') length--;
            if (length == 0) length = strcspn(shown, " ");
        }
        fprintf(out, "# %.*s\n", (int)length, shown);
        shown += length;
        while (*shown == ' ') shown++;
    }
}

static void write_parameter(FILE *out, const import_result *result, const import_parameter *p) {
    char number[NUMBER_SIZE], line[128];
    const char *origin = shown_of(result, p->origin);
    (void)snprintf(line, sizeof line, "    %s: %s", p->key,
                   stiction_number_write(p->value, number));
    fprintf(out, "%-48s # %s, %s\n", line, p->unit, origin);
}

static void write_joint(FILE *out, const import_result *result, const import_joint *joint) {
    fputs("  ", out);
    (void)stiction_yaml_write_text(out, joint->name);
    fputs(":\n", out);
    fprintf(out, "    law: %s\n", joint->law);
    for (size_t k = 0; k < joint->parameter_count; k++)
        write_parameter(out, result, &joint->parameters[k]);
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void import_write(FILE *out, const import_result *result) {
    write_comment(out, result,
                  stiction_reader_format(result->r,
                                         "Friction taken over by stiction import: %s, %s.",
                                         result->what, file_name(result->path)));
    for (size_t k = 0; k < result->remarks.count; k++)
        write_comment(out, result, result->remarks.items[k]);
    for (size_t k = 0; k < result->notes.count; k++)
        write_comment(out, result, result->notes.items[k]);
    char number[NUMBER_SIZE];
    fprintf(out, "stiction: 1\ntimestep: %s  # s, %s\ncoupling: auto\njoints:\n",
            stiction_number_write(result->timestep, number), result->timestep_origin);
    for (size_t k = 0; k < result->joint_count; k++) write_joint(out, result, &result->joints[k]);
}
