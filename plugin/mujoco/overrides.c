/* SPDX-License-Identifier: MIT
 * KEY=VALUE: each key has one reader, which puts the value where a simulation reads it.
 */
#include "overrides.h"

#include <math.h>
#include <string.h>

#include "controllers/posture/posture_config.h"
#include "document/number.h"
#include "document/reader.h"
#include "document/yaml_tree.h"
#include "document/yaml_write.h"
#include "stiction/stiction.h"

typedef struct reading reading;

/* Refuses a bad value. */
typedef void read_value(const reading *g, const char *key, const char *value);

typedef struct override_key {
    const char *key; /* if it ends in a dot, the prefix of many keys */
    read_value *read;
    size_t field;      /* of simulation_options, where the reader sets one */
    const char *words; /* of a choice: "euler or rk4" */
} override_key;

/* One text that is read. */
struct reading {
    reader *r;
    simulation_options *o;
    const char *text; /* "KEY=VALUE" */
    stiction_place at;
    bool any_option;
    const override_key *row;
};

static void *field_of(const reading *g) {
    return (char *)g->o + g->row->field;
}

_Noreturn static void refuse(const reading *g, const char *message) {
    if (g->at.path) stiction_reader_refuse(g->r, g->at, "%.300s: %.700s", g->text, message);
    stiction_error error;
    (void)stiction_fail(&error, STICTION_INVALID_ARGUMENT, "--set %s: %s", g->text, message);
    stiction_reader_refuse_as(g->r, &error);
}

/* A value of the configuration. */
static void add_value(const reading *g, const char *key, const char *value) {
    friction_options *f = &g->o->friction;
    stiction_override *values =
        stiction_reader_grow(g->r, (void *)f->overrides, f->override_count, sizeof *values);
    values[f->override_count++] = (stiction_override){key, value};
    f->overrides = values;
}

/* A text at the end of a list; the new list. */
static const char *const *add_text(reader *r, const char *const *texts, size_t *count,
                                   const char *text) {
    const char **grown = stiction_reader_grow(r, (void *)texts, *count, sizeof *grown);
    grown[(*count)++] = text;
    return grown;
}

static void read_seconds(const reading *g, const char *key, const char *value) {
    (void)key;
    double number;
    if (!stiction_number_read_loosely(value, &number) || !isfinite(number) || !(number > 0))
        refuse(g, "must be a number of seconds above 0");
    *(double *)field_of(g) = number;
}

static bool read_vector(reader *r, const char *text, double vector[3]) {
    char *rest = stiction_reader_text(r, text);
    for (int k = 0; k < 3; k++) {
        char *comma = strchr(rest, ',');
        if (comma) *comma = '\0';
        if ((k < 2) != (comma != NULL) || !stiction_number_read_loosely(rest, &vector[k]))
            return false;
        if (comma) rest = comma + 1;
    }
    return true;
}

/* "9.8" (downwards) or "0,0,-9.8" */
static void read_gravity(const reading *g, const char *key, const char *value) {
    (void)key;
    double gravity[3] = {0};
    if (!read_vector(g->r, value, gravity)) {
        gravity[0] = gravity[1] = 0;
        if (!stiction_number_read_loosely(value, &gravity[2]))
            refuse(g, "must be one number (downwards) or three: X,Y,Z in m/s^2");
        gravity[2] = -gravity[2];
    }
    for (int k = 0; k < 3; k++)
        if (!isfinite(gravity[k])) refuse(g, "must be finite");
    memcpy(g->o->world.gravity, gravity, sizeof gravity);
}

/* The index of a value among words such as "auto, explicit or implicit". */
static int find_word(const reading *g, const char *value) {
    const char *word = g->row->words;
    for (int k = 0; *word; k++) {
        const size_t length = strcspn(word, ", ");
        if (strlen(value) == length && strncmp(word, value, length) == 0) return k;
        word += length;
        word += strspn(word, ", ");
        if (strncmp(word, "or ", 3) == 0) word += 3;
    }
    refuse(g, stiction_reader_format(g->r, "must be %s", g->row->words));
}

static void read_choice(const reading *g, const char *key, const char *value) {
    (void)key;
    *(int *)field_of(g) = find_word(g, value); /* an enum in the order of the words */
}

static void read_word(const reading *g, const char *key, const char *value) {
    (void)key;
    (void)find_word(g, value);
    *(const char **)field_of(g) = value;
}

static void read_name(const reading *g, const char *key, const char *value) {
    (void)key;
    if (!*value) refuse(g, "must not be empty");
    *(const char **)field_of(g) = value;
}

static void read_flag(const reading *g, const char *key, const char *value) {
    (void)key;
    *(bool *)field_of(g) = find_word(g, value) == 0;
}

/* true: fixed, false: free; else as the file of the robot says. */
static void read_base(const reading *g, const char *key, const char *value) {
    (void)key;
    *(robot_base *)field_of(g) = find_word(g, value) == 0 ? ROBOT_BASE_FIXED : ROBOT_BASE_FREE;
}

static void check_law(const reading *g, const char *name) {
    stiction_law_info law;
    if (stiction_law_info_find(name, &law)) return;
    const size_t count = stiction_law_info_count();
    const char **names = stiction_reader_alloc(g->r, count * sizeof *names);
    for (size_t k = 0; stiction_law_info_at(k, &law); k++) names[k] = law.name;
    char hint[NAME_HINT_SIZE];
    refuse(g, stiction_reader_format(g->r, "there is no such law%s",
                                     stiction_name_hint(name, names, count, hint)));
}

static void read_law(const reading *g, const char *key, const char *value) {
    (void)key;
    check_law(g, value);
    g->o->friction.law = value;
}

static bool is_whole(const char *value, double least, double most) {
    double number;
    return stiction_number_read_loosely(value, &number) && number >= least && number <= most &&
           number == floor(number);
}

/* Repetitions differ only in their random draws. */
static void read_repetition(const reading *g, const char *key, const char *value) {
    if (!is_whole(value, 1, 1e6)) refuse(g, "must be a whole number from 1 to 1000000");
    add_value(g, key, value);
}

static void read_configuration(const reading *g, const char *key, const char *value) {
    (void)key;
    if (!*value) refuse(g, "must be the path of a file");
    g->o->friction.configuration = value;
}

/* An option of our controllers is checked here; its joints and files when controllers are made. */
static void add_option(const reading *g, const char *option) {
    if (!g->any_option && strncmp(option, "config=", strlen("config=")) != 0) {
        stiction_error error = {.message = "out of memory"};
        posture_config *config = posture_config_create();
        const bool fine =
            config && posture_config_add_options(config, option, NULL, &error) == STICTION_OK;
        posture_config_destroy(config);
        if (!fine) refuse(g, error.message);
    }
    g->o->controller = add_text(g->r, g->o->controller, &g->o->controller_count, option);
}

static void read_controller(const reading *g, const char *key, const char *value) {
    /* one token of an option string */
    const char *quote = strchr(value, ' ') ? "\"" : "";
    if (strchr(value, '"')) refuse(g, "quotes are not possible here");
    add_option(
        g, stiction_reader_format(g->r, "%s=%s%s%s", strchr(key, '.') + 1, quote, value, quote));
}

/* An option of controllers under a name of its own. */
static void read_control_period(const reading *g, const char *key, const char *value) {
    (void)key;
    add_option(g, stiction_reader_format(g->r, "period=%s", value));
}

/* {uniform: [2, 3]}, [0.1, 0.2]: read as YAML, as stiction_config_override does. */
static bool is_structure(const char *value) {
    return *value == '{' || *value == '[';
}

static void check_structure(const reading *g, const char *value) {
    const tree_options options = {.what = "a value"};
    const tree_document document = stiction_yaml_read(&g->r->memory, value, strlen(value), NULL,
                                                      &options, stiction_reader_errors(g->r));
    if (document.root) return;
    refuse(g, *value == '{' ? "is not YAML; a random value is written as {uniform: [2, 3]}"
                            : "is not YAML; a list is written as [0.1, 0.2]");
}

/* A friction file with one value, of a joint or a profile. */
static const char *file_of_value(const reading *g, const char *kind, const char *name,
                                 const char *key, const char *value) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    text_stream *stream = stiction_reader_stream(g->r);
    FILE *out = stream->file;
    fprintf(out, "stiction: 1\n%s%s:\n  ", strcmp(kind, "joints") == 0 ? "" : "joints: {}\n", kind);
    bool fine = stiction_yaml_write_text(out, name);
    fputs(":\n    law: none\n    ", out);
    fine = stiction_yaml_write_text(out, key) && fine;
    fputs(": ", out);
    if (value[strspn(value, plain)] && !is_structure(value))
        fine = stiction_yaml_write_text(out, value) && fine;
    else
        fputs(value, out);
    fputs("\n", out);
    if (!fine) refuse(g, "is not UTF-8");
    return stiction_reader_stream_text(g->r, stream);
}

/* Refuses a file that the loader refuses. */
static void check_file(const reading *g, const char *text) {
    stiction_config *config = NULL;
    stiction_errors *errors = stiction_reader_errors(g->r);
    const stiction_status status = stiction_config_parse(text, strlen(text), NULL, &config, errors);
    stiction_config_destroy(config);
    if (status == STICTION_OUT_OF_MEMORY) stiction_reader_no_memory(g->r);
    if (status != STICTION_OK)
        refuse(g, stiction_errors_count(errors) ? stiction_errors_at(errors, 0)->message
                                                : stiction_status_name(status));
}

/* Refuses what the loader would refuse of the value alone. Which joints and profiles exist, and
 * whether values are consistent, is checked with the project's file. */
static void check_alone(const reading *g, const char *key, const char *value) {
    const char *name = strchr(key, '.') + 1, *dot = strrchr(name, '.');
    if (!dot || dot == name || !dot[1])
        refuse(g, "its key must be joints.JOINT.KEY or profiles.NAME.KEY");
    if (strcmp(dot, ".profile") == 0) return;
    if (*value == '{' && strstr(value, "scale")) return; /* relative to the file's value */
    if (strcmp(dot, ".law") == 0) {
        check_law(g, value);
        return;
    }
    if (is_structure(value)) check_structure(g, value);
    const char *kind = stiction_reader_format(g->r, "%.*s", (int)(name - 1 - key), key),
               *of = stiction_reader_format(g->r, "%.*s", (int)(dot - name), name),
               *text = file_of_value(g, kind, of, dot + 1, value);
    check_file(g, text);
}

/* A value of a joint or a profile, or without a point a key of the file's top level. */
static void read_configured(const reading *g, const char *key, const char *value) {
    if (strchr(key, '.'))
        check_alone(g, key, value);
    else
        check_file(g,
                   stiction_reader_format(g->r, "stiction: 1\njoints: {}\n%s: %s\n", key, value));
    add_value(g, key, value);
}

static void check_parameter(const reading *g, const char *name) {
    const size_t count = stiction_parameter_count();
    const char **names = stiction_reader_alloc(g->r, count * sizeof *names);
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        names[k] = info.key;
        if (strcmp(name, info.key) == 0) return;
    }
    char hint[NAME_HINT_SIZE];
    refuse(g, stiction_reader_format(g->r, "there is no such parameter of friction%s",
                                     stiction_name_hint(name, names, count, hint)));
}

/* Scales a parameter of all joints by one number, which may be an axis of a sweep. */
static void read_scale(const reading *g, const char *key, const char *value) {
    const char *name = strchr(key, '.') + 1;
    double factor;
    check_parameter(g, name);
    if (!stiction_number_read_loosely(value, &factor) || !isfinite(factor) || factor < 0)
        refuse(g, "must be a factor from 0 on");
    add_value(g, stiction_reader_format(g->r, "joints.*.%s", name),
              stiction_reader_format(g->r, "{scale: [%s, %s]}", value, value));
}

/* Whether the project has this push and its link is checked with the project. */
static void read_push(const reading *g, const char *key, const char *value) {
    char message[PUSH_SENTENCE];
    if (!push_list_may_set(key, value, message)) refuse(g, message);
    simulation_options *o = g->o;
    stiction_override *grown =
        stiction_reader_grow(g->r, (void *)o->pushes, o->push_count, sizeof *grown);
    grown[o->push_count++] = (stiction_override){key, value};
    o->pushes = grown;
}

#define FIELD(field) offsetof(simulation_options, field)

static const override_key keys[] = {
    {"timestep", read_seconds, FIELD(world.timestep), NULL},
    {"duration", read_seconds, FIELD(world.duration), NULL},
    {"gravity", read_gravity, 0, NULL},
    {"integrator", read_choice, FIELD(world.integrator), "euler or rk4"},
    /* MuJoCo's own friction is in its model */
    {"friction", read_choice, FIELD(friction.source), "stiction, frictionloss or none"},
    {"law", read_law, 0, NULL},
    {"coupling", read_word, FIELD(friction.coupling), "auto, explicit or implicit"},
    {"element", read_word, FIELD(friction.element), "auto, bristle or rigid"},
    {"seed", read_configured, 0, NULL},
    {"repetition", read_repetition, 0, NULL},
    {"configuration", read_configuration, 0, NULL},
    {"floor", read_flag, FIELD(world.floor), "true or false"},
    {"fixed_base", read_base, FIELD(world.base), "true or false"},
    {"posture", read_name, FIELD(world.posture), NULL},
    {"control_period", read_control_period, 0, NULL},
    {"controller.", read_controller, 0, NULL},
    {"joints.", read_configured, 0, NULL},
    {"profiles.", read_configured, 0, NULL},
    {"scale.", read_scale, 0, NULL},
    {"push", read_push, 0, NULL},
    {"push.", read_push, 0, NULL},
};
enum { key_count = sizeof keys / sizeof keys[0] };

static bool is_for(const char *key, const char *given) {
    const size_t length = strlen(key);
    if (key[length - 1] != '.') return strcmp(key, given) == 0;
    return strncmp(key, given, length) == 0 && given[length] != '\0';
}

const char *override_key_at(size_t index) {
    return index < key_count ? keys[index].key : NULL;
}

static const override_key *find_row(const char *key) {
    for (size_t k = 0; k < key_count; k++)
        if (is_for(keys[k].key, key)) return &keys[k];
    return NULL;
}

bool override_is_of_controllers(const char *key) {
    const override_key *row = find_row(key);
    return row && (row->read == read_controller || row->read == read_control_period);
}

bool override_has_key(const char *key, char hint[NAME_HINT_SIZE]) {
    const char *names[key_count];
    if (find_row(key)) return true;
    for (size_t k = 0; k < key_count; k++) names[k] = keys[k].key;
    (void)stiction_name_hint(key, names, key_count, hint);
    return false;
}

/* Hosts pass texts on line by line. */
static bool has_control_characters(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f) return true;
    return false;
}

static void read_one(reading *g) {
    if (has_control_characters(g->text))
        refuse(g, "has a line end, a tab or another control character");
    char *key = stiction_reader_text(g->r, g->text), *equals = strchr(key, '=');
    char hint[NAME_HINT_SIZE];
    if (!equals) refuse(g, "must be KEY=VALUE");
    *equals = '\0';
    g->row = find_row(key);
    if (g->row) {
        g->row->read(g, key, equals + 1);
        return;
    }
    (void)override_has_key(key, hint);
    refuse(g, stiction_reader_format(g->r, "there is no such key%s", hint));
}

/* ---- texts ---- */

typedef struct request {
    overrides *o;
    const char *const *texts;
    size_t count;
    stiction_place at;
    bool any_option;
} request;

static void *read_all(reader *r, const void *context) {
    const request *q = context;
    simulation_options *o = &q->o->simulation;
    for (size_t k = 0; k < q->count; k++) {
        reading g = {r, o, stiction_reader_text(r, q->texts[k]), q->at, q->any_option, NULL};
        o->overrides = add_text(r, o->overrides, &o->override_count, g.text);
        read_one(&g);
    }
    return r;
}

static bool read_request(const request *q, stiction_error *error) {
    reader r = {.error = error};
    *q->o = (overrides){.simulation = simulation_options_default()};
    const bool fine = stiction_reader_run(&r, read_all, q);
    if (fine)
        q->o->memory = r.memory;
    else /* its memory is released */
        q->o->simulation = simulation_options_default();
    return fine;
}

bool overrides_read(overrides *o, const char *const *texts, size_t count, bool any_option,
                    stiction_error *error) {
    return read_request(&(request){o, texts, count, {.path = NULL}, any_option}, error);
}

bool overrides_check(const char *text, stiction_place at, bool any_option, stiction_error *error) {
    overrides o;
    const bool fine = read_request(&(request){&o, &text, 1, at, any_option}, error);
    overrides_free(&o);
    return fine;
}

void overrides_free(overrides *o) {
    stiction_arena_free(&o->memory);
    *o = (overrides){.memory = {.last = NULL}};
}

/* ---- notes ---- */

typedef struct note {
    simulation_options *o;
    const char *key, *value;
} note;

static void *add_note(reader *r, const void *context) {
    const note *n = context;
    const char *text = stiction_reader_format(r, "%s=%s", n->key, n->value);
    n->o->overrides = add_text(r, n->o->overrides, &n->o->override_count, text);
    return r;
}

bool overrides_note(overrides *o, const char *key, const char *value, stiction_error *error) {
    reader r = {.memory = o->memory, .error = error};
    const bool fine = stiction_reader_run(&r, add_note, &(note){&o->simulation, key, value});
    o->memory = r.memory;
    if (!fine) o->simulation = simulation_options_default(); /* its memory is released */
    return fine;
}
