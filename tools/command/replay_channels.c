/* SPDX-License-Identifier: MIT
 * Finds the columns of a log with the velocities and inputs of joints.
 */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/verb.h"
#include "document/text.h"
#include "replay.h"

static const char suffix[] = ".velocity";

const char *const replay_inputs[REPLAY_INPUTS] = {".position", ".effort", ".external_torque",
                                                  ".temperature"};

const char *const replay_columns[REPLAY_COLUMNS] = {".friction_torque", ".stick", ".deflection"};

typedef struct search {
    channels *found;
    const csv *head;
    const stiction_config *config;
    const char *config_path;
    const text_list *mapped; /* JOINT=COLUMN */
    stiction_error *error;
} search;

static bool add(const search *s, const char *joint, size_t column, const stiction_joint_def *def) {
    for (size_t k = 0; k < s->found->count; k++) {
        const channel *other = &s->found->items[k];
        if (strcmp(other->joint, joint) != 0) continue;
        return fail_at(s->error, s->head->path, s->head->line,
                       "columns '%s' and '%s' both match the velocity of joint '%s'; "
                       "choose one with --joint %s=COLUMN",
                       s->head->cells[other->column].text, s->head->cells[column].text, joint,
                       joint);
    }
    s->found->items = reallocate(s->found->items, s->found->count + 1, sizeof *s->found->items);
    s->found->items[s->found->count++] =
        (channel){.joint = copy_text(joint), .column = column, .def = *def};
    for (size_t k = 0; k < REPLAY_INPUTS; k++)
        s->found->items[s->found->count - 1].inputs[k] = REPLAY_NO_COLUMN;
    return true;
}

/* ---- --joint JOINT=COLUMN ---- */

static bool names_joint(const char *mapping, const char *joint) {
    const size_t length = strlen(joint);
    return strncmp(mapping, joint, length) == 0 && mapping[length] == '=';
}

static bool is_mapped(const search *s, const char *joint) {
    for (size_t k = 0; k < s->mapped->count; k++)
        if (names_joint(s->mapped->items[k], joint)) return true;
    return false;
}

static size_t column_of(const csv *head, const char *name) {
    size_t k = 0;
    while (k < head->count && strcmp(head->cells[k].text, name) != 0) k++;
    return k;
}

static int add_mapped(const search *s, const char *mapping) {
    const char *equals = strchr(mapping, '=');
    if (!equals || equals == mapping || !equals[1]) {
        (void)fail(s->error, "replay: --joint '%s' must be JOINT=COLUMN", mapping);
        return EXIT_USAGE;
    }
    stiction_joint_def def = stiction_joint_def_default();
    char *joint = format_text("%.*s", (int)(equals - mapping), mapping);
    const size_t column = column_of(s->head, equals + 1);
    bool fine = find_joint(s->config, s->config_path, joint, &def, s->error);
    if (fine && column == s->head->count)
        fine = fail_at(s->error, s->head->path, s->head->line, "--joint %s: no column '%s'",
                       mapping, equals + 1);
    fine = fine && add(s, joint, column, &def);
    free(joint);
    return fine ? EXIT_FINE : EXIT_DATA;
}

/* ---- by names ---- */

/* The joint of a column, which the caller frees, or NULL. Patterns such as * do not match names
 * with a point, such as JOINT.angle. */
static char *joint_of(const search *s, const char *column, stiction_joint_def *def) {
    char *name = copy_text(column);
    if (strcmp(name, suffix) != 0 && stiction_text_ends_with(name, suffix))
        name[strlen(name) - strlen(suffix)] = '\0';
    /* names with special characters, as CSV escapes them */
    for (size_t k = 0; strchr(name, '\\') && k < stiction_config_joint_count(s->config); k++) {
        const char *other = stiction_config_joint_at(s->config, k, NULL);
        /* NOLINTNEXTLINE(readability-suspicious-call-argument): the cell is our name */
        if (strcmp(name, other) == 0 || !stiction_csv_names(name, strlen(name), other)) continue;
        free(name);
        name = copy_text(other);
        break;
    }
    const char *pattern = stiction_config_find_joint(s->config, name, def);
    const bool plain = !strchr(name, '.') || (pattern && strcmp(pattern, name) == 0);
    if (pattern && plain) return name;
    free(name);
    return NULL;
}

static bool add_named(const search *s, size_t column) {
    stiction_joint_def def = stiction_joint_def_default();
    if (strcmp(s->head->cells[column].text, "time") == 0) return true;
    for (size_t k = 0; k < s->mapped->count; k++)
        if (strcmp(strchr(s->mapped->items[k], '=') + 1, s->head->cells[column].text) == 0)
            return true;
    char *joint = joint_of(s, s->head->cells[column].text, &def);
    const bool fine = !joint || is_mapped(s, joint) || add(s, joint, column, &def);
    free(joint);
    return fine;
}

/* ---- errors ---- */

static int none_found(const search *s) {
    /* do not quote a file without a time: it may be anything */
    if (column_of(s->head, "time") == s->head->count) {
        (void)fail_at(s->error, s->head->path, s->head->line,
                      "no column is a joint of %s or 'time'; name one with --joint JOINT=COLUMN",
                      s->config_path);
        return EXIT_DATA;
    }
    char *names = copy_text("");
    for (size_t k = 0; k < s->head->count; k++) {
        char *longer = format_text("%s%s'%s'", names, k ? ", " : "", s->head->cells[k].text);
        free(names);
        names = longer;
    }
    (void)fail_at(s->error, s->head->path, s->head->line,
                  "no column is a joint of %s; the columns are %s; name one with "
                  "--joint JOINT=COLUMN",
                  s->config_path, names);
    free(names);
    return EXIT_DATA;
}

/* ---- inputs ---- */

/* Whether friction reads an input, whether it is required, and the parameter that reads it. */
typedef struct reading {
    bool reads, needs;
    const char *why;
} reading;

static void read_inputs(const stiction_joint_def *def, reading of[REPLAY_INPUTS]) {
    stiction_law_info info;
    const stiction_drive_parameters p = stiction_joint_drive_parameters(def);
    const bool of_sum = stiction_law_info_find(def->law, &info) && info.needs_effort;
    const bool motor = p.load_motor > 0 || p.load_motor_static > 0;
    const bool external = p.load_external > 0 || p.load_external_static > 0;
    const bool warm = p.temperature_level != 0 || p.temperature_viscous != 0;
    of[REPLAY_POSITION] = (reading){p.ripple > 0, p.ripple > 0, "ripple"};
    of[REPLAY_EFFORT] = (reading){of_sum || motor, of_sum || motor, "load_motor"};
    of[REPLAY_EXTERNAL] = (reading){of_sum || external, external, "load_external"};
    of[REPLAY_TEMPERATURE] = (reading){warm, false, "temperature_level"};
    if (of_sum) of[REPLAY_EFFORT].why = NULL;
}

/* Also as CSV escapes the name. False if two columns match. */
static bool find_column(const search *s, const char *joint, const char *ending, size_t *column) {
    *column = REPLAY_NO_COLUMN;
    for (size_t k = 0; k < s->head->count; k++) {
        const char *cell = s->head->cells[k].text;
        if (!stiction_text_ends_with(cell, ending) ||
            !stiction_csv_names(cell, strlen(cell) - strlen(ending), joint))
            continue;
        if (*column != REPLAY_NO_COLUMN)
            return fail_at(s->error, s->head->path, s->head->line, "two columns '%s'", cell);
        *column = k;
    }
    return true;
}

static bool find_inputs(const search *s, channel *c) {
    reading of[REPLAY_INPUTS];
    read_inputs(&c->def, of);
    for (size_t k = 0; k < REPLAY_INPUTS; k++) {
        if (!of[k].reads) continue;
        if (!find_column(s, c->joint, replay_inputs[k], &c->inputs[k])) return false;
        if (c->inputs[k] != REPLAY_NO_COLUMN || !of[k].needs) continue;
        if (of[k].why)
            return fail_at(s->error, s->head->path, s->head->line,
                           "joint '%s': %s needs a column '%s%s'", c->joint, of[k].why, c->joint,
                           replay_inputs[k]);
        return fail_at(s->error, s->head->path, s->head->line,
                       "joint '%s': law %s needs the sum of the other torques: a column '%s%s', "
                       "and '%s%s' if other torques than the motor's act",
                       c->joint, c->def.law, c->joint, replay_inputs[REPLAY_EFFORT], c->joint,
                       replay_inputs[REPLAY_EXTERNAL]);
    }
    return true;
}

/* The log must not have the columns that replay adds. */
static bool is_usable(const search *s, channel *c) {
    if (!find_inputs(s, c)) return false;
    for (size_t k = 0; k < REPLAY_COLUMNS; k++) {
        char *name = format_text("%s%s", c->joint, replay_columns[k]);
        const bool there = column_of(s->head, name) < s->head->count;
        if (there)
            (void)fail_at(s->error, s->head->path, s->head->line, "column '%s' exists already",
                          name);
        free(name);
        if (there) return false;
    }
    return true;
}

int channels_find(channels *c, const csv *head, const stiction_config *config,
                  const char *config_path, const text_list *mapped, stiction_error *error) {
    const search s = {c, head, config, config_path, mapped, error};
    for (size_t k = 0; k < mapped->count; k++) {
        const int status = add_mapped(&s, mapped->items[k]);
        if (status != EXIT_FINE) return status;
    }
    for (size_t k = 0; k < head->count; k++)
        if (!add_named(&s, k)) return EXIT_DATA;
    if (c->count == 0) return none_found(&s);
    for (size_t k = 0; k < c->count; k++)
        if (!is_usable(&s, &c->items[k])) return EXIT_DATA;
    return EXIT_FINE;
}

void channels_free(channels *c) {
    for (size_t k = 0; k < c->count; k++) free(c->items[k].joint);
    free(c->items);
    *c = (channels){NULL, 0};
}
