/*
 * --set KEY=VALUE: each key has one reader, which puts the value where a simulation looks for it.
 */
#include "settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "controllers/posture/posture_config.h"
#include "document/memory_stream.h"
#include "document/names.h"
#include "document/yaml_write.h"
#include "stiction/stiction.h"

/* A sentence about a bad value is told by the reader of its key. */
typedef bool read_value(settings *s, const char *key, const char *value);

static bool refuse(const settings *s, const char *text, const char *sentence) {
    if (!s->at.path) return complain("--set %s: %s", text, sentence);
    stiction_error error = {.line = s->at.line, .column = s->at.column};
    (void)snprintf(error.path, sizeof error.path, "%s", s->at.path);
    (void)snprintf(error.message, sizeof error.message, "%.300s: %.700s", text, sentence);
    return complain_error(&error);
}

static bool refuse_value(const settings *s, const char *key, const char *value,
                         const char *sentence) {
    char *text = format_text("%s=%s", key, value);
    (void)refuse(s, text, sentence);
    free(text);
    return false;
}

char *settings_keep(settings *s, char *text) {
    s->texts = reallocate(s->texts, s->text_count + 1, sizeof *s->texts);
    return s->texts[s->text_count++] = text;
}

/* A value for the configuration. */
static void add_value(settings *s, const char *key, const char *value) {
    s->values = reallocate(s->values, s->value_count + 1, sizeof *s->values);
    s->values[s->value_count++] = (stiction_override){key, value};
}

static bool positive(const settings *s, const char *key, const char *value, double *number) {
    return (read_number(value, number) && isfinite(*number) && *number > 0) ||
           refuse_value(s, key, value, "must be a number of seconds above 0");
}

static bool read_timestep(settings *s, const char *key, const char *value) {
    return positive(s, key, value, &s->simulation.world.timestep);
}

static bool read_duration(settings *s, const char *key, const char *value) {
    return positive(s, key, value, &s->simulation.world.duration);
}

static bool read_vector(const char *text, double vector[3]) {
    char *copy = copy_text(text), *rest = copy;
    bool fine = true;
    for (int k = 0; k < 3 && fine; k++) {
        char *comma = strchr(rest, ',');
        if (comma) *comma = '\0';
        fine = (k < 2) == (comma != NULL) && read_number(rest, &vector[k]);
        if (comma) rest = comma + 1;
    }
    free(copy);
    return fine;
}

/* "9.8" (downwards) or "0,0,-9.8" */
static bool read_gravity(settings *s, const char *key, const char *value) {
    double g[3];
    if (!read_vector(value, g)) {
        g[0] = g[1] = 0;
        if (!read_number(value, &g[2]))
            return refuse_value(s, key, value,
                                "must be one number (downwards) or three: X,Y,Z in m/s^2");
        g[2] = -g[2];
    }
    for (int k = 0; k < 3; k++)
        if (!isfinite(g[k])) return refuse_value(s, key, value, "must be finite");
    memcpy(s->simulation.world.gravity, g, sizeof g);
    return true;
}

static bool read_integrator(settings *s, const char *key, const char *value) {
    const bool rk4 = strcmp(value, "rk4") == 0;
    if (!rk4 && strcmp(value, "euler") != 0)
        return refuse_value(s, key, value, "must be euler or rk4");
    s->simulation.world.integrator = rk4 ? WORLD_RK4 : WORLD_EULER;
    return true;
}

static bool read_friction(settings *s, const char *key, const char *value) {
    const char *name;
    for (int k = 0; (name = friction_source_name((friction_source)k)) != NULL; k++)
        if (strcmp(value, name) == 0) {
            s->simulation.friction.source = (friction_source)k;
            return true;
        }
    return refuse_value(s, key, value, "must be stiction, frictionloss or none");
}

static bool read_law(settings *s, const char *key, const char *value) {
    stiction_law_info law;
    char hint[NAME_HINT_SIZE];
    if (!stiction_law_info_find(value, &law))
        return refuse_value(
            s, key, value,
            settings_keep(s, format_text("there is no such law%s", law_hint(value, hint))));
    s->simulation.friction.law = value;
    return true;
}

static bool read_coupling(settings *s, const char *key, const char *value) {
    const char *name;
    for (int k = 0; (name = stiction_coupling_name((stiction_coupling)k)) != NULL; k++)
        if (strcmp(value, name) == 0) {
            s->simulation.friction.coupling = value;
            return true;
        }
    return refuse_value(s, key, value, "must be auto, explicit or implicit");
}

static bool read_element(settings *s, const char *key, const char *value) {
    const char *name;
    for (int k = 0; (name = stiction_element_choice_name((stiction_element_choice)k)) != NULL; k++)
        if (strcmp(value, name) == 0) {
            s->simulation.friction.element = value;
            return true;
        }
    return refuse_value(s, key, value, "must be auto, bristle or rigid");
}

static bool read_seed(settings *s, const char *key, const char *value) {
    double seed;
    if (!read_number(value, &seed) ||
        !(seed >= 0 && seed <= (double)STICTION_SEED_LARGEST && seed == floor(seed)))
        return refuse_value(s, key, value,
                            "must be a whole number from 0 to 9007199254740991 (2^53 - 1)");
    add_value(s, key, value);
    return true;
}

/* Of runs that differ in what is drawn alone; where nothing is, they differ in nothing. */
static bool read_repetition(settings *s, const char *key, const char *value) {
    double number;
    if (!read_number(value, &number) || !(number >= 1 && number <= 1e6 && number == floor(number)))
        return refuse_value(s, key, value, "must be a whole number from 1 to 1000000");
    add_value(s, key, value);
    return true;
}

static bool read_configuration(settings *s, const char *key, const char *value) {
    if (!*value) return refuse_value(s, key, value, "must be the path of a file");
    s->simulation.friction.configuration = value;
    return true;
}

static bool flag(const settings *s, const char *key, const char *value, bool *is_on) {
    *is_on = strcmp(value, "true") == 0;
    return *is_on || strcmp(value, "false") == 0 ||
           refuse_value(s, key, value, "must be true or false");
}

static bool read_floor(settings *s, const char *key, const char *value) {
    return flag(s, key, value, &s->simulation.world.floor);
}

static bool read_fixed_base(settings *s, const char *key, const char *value) {
    return flag(s, key, value, &s->simulation.world.fixed_base);
}

/* Whether controllers have such an option and it such a value; whether the robot has the joints of
 * it, and a file, is seen when they are made. */
static bool check_option(const settings *s, const char *key, const char *value, const char *word) {
    if (s->any_option) return true;
    if (strncmp(word, "config=", strlen("config=")) == 0) return true;
    stiction_error error;
    posture_config *config = posture_config_create();
    const bool fine =
        config && posture_config_add_options(config, word, NULL, &error) == STICTION_OK;
    if (!fine) (void)refuse_value(s, key, value, config ? error.message : "out of memory");
    posture_config_destroy(config);
    return fine;
}

static bool read_controller(settings *s, const char *key, const char *value) {
    const char *name = strchr(key, '.') + 1;
    /* one word of an option string */
    const char *quote = strchr(value, ' ') ? "\"" : "";
    if (strchr(value, '"')) return refuse_value(s, key, value, "quotes are not possible here");
    char *word = settings_keep(s, format_text("%s=%s%s%s", name, quote, value, quote));
    if (!check_option(s, key, value, word)) return false;
    text_list_add(&s->controller, word);
    return true;
}

/* An option of controllers under a name of its own. */
static bool read_control_period(settings *s, const char *key, const char *value) {
    char *word = settings_keep(s, format_text("period=%s", value));
    if (!check_option(s, key, value, word)) return false;
    text_list_add(&s->controller, word);
    return true;
}

/* {uniform: [2, 3]}, [0.1, 0.2]: what is read as YAML, as stiction_config_override does. */
static bool is_structure(const char *value) {
    return *value == '{' || *value == '[';
}

/* A friction file with nothing but one value, of a joint or a profile; the caller frees it. */
static char *file_of_value(const char *kind, const char *name, const char *key, const char *value) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    char *text = NULL;
    size_t size;
    FILE *out = stiction_memory_stream(&text, &size);
    if (!out) return NULL;
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
    if (fclose(out) == 0 && fine) return text;
    free(text);
    return NULL;
}

/* Whether the loader takes a value on its own. Which joints and profiles there are, and whether
 * values go together, is seen with the project's file. */
static bool check_alone(const settings *s, const char *key, const char *value) {
    const char *name = strchr(key, '.') + 1, *dot = strrchr(name, '.');
    if (!dot || dot == name || !dot[1])
        return refuse_value(s, key, value, "its key must be joints.JOINT.KEY or profiles.NAME.KEY");
    stiction_law_info law;
    char hint[NAME_HINT_SIZE];
    if (strcmp(dot, ".profile") == 0) return true;
    if (*value == '{' && strstr(value, "scale")) return true; /* of what the file has */
    if (strcmp(dot, ".law") == 0) {
        if (stiction_law_info_find(value, &law)) return true;
        char *sentence = format_text("there is no such law%s", law_hint(value, hint));
        (void)refuse_value(s, key, value, sentence);
        free(sentence);
        return false;
    }
    char *kind = format_text("%.*s", (int)(name - 1 - key), key);
    char *of = format_text("%.*s", (int)(dot - name), name),
         *text = file_of_value(kind, of, dot + 1, value);
    stiction_config *config = NULL;
    stiction_errors *errors = stiction_errors_create();
    const bool fine =
        text && stiction_config_parse(text, strlen(text), NULL, &config, errors) == STICTION_OK;
    const char *mistake = text && stiction_errors_count(errors)
                              ? stiction_errors_at(errors, 0)->message
                              : "is not UTF-8";
    /* of a file that nobody has seen */
    if (is_structure(value) && strncmp(mistake, "this is not YAML", 16) == 0)
        mistake = *value == '{'
                      ? "is not YAML; a value that is drawn is written as {uniform: [2, 3]}"
                      : "is not YAML; a list is written as [0.1, 0.2]";
    if (!fine) (void)refuse_value(s, key, value, mistake);
    stiction_config_destroy(config);
    stiction_errors_destroy(errors);
    free(text);
    free(of);
    free(kind);
    return fine;
}

static bool read_configured(settings *s, const char *key, const char *value) {
    if (!check_alone(s, key, value)) return false;
    add_value(s, key, value);
    return true;
}

/* Whether friction has a parameter of that name; else the hint names the nearest. */
static bool is_parameter(const char *name, char hint[NAME_HINT_SIZE]) {
    const size_t count = stiction_parameter_count();
    const char **names = allocate(count, sizeof *names);
    stiction_parameter_info info;
    bool found = false;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        names[k] = info.key;
        found = found || strcmp(name, info.key) == 0;
    }
    (void)stiction_name_hint(name, names, count, hint);
    free((void *)names);
    return found;
}

/* A parameter of all joints by one number, which can be an axis of a sweep. */
static bool read_scale(settings *s, const char *key, const char *value) {
    const char *name = strchr(key, '.') + 1;
    char hint[NAME_HINT_SIZE];
    if (!is_parameter(name, hint))
        return refuse_value(
            s, key, value,
            settings_keep(s, format_text("there is no such parameter of friction%s", hint)));
    double factor;
    if (!read_number(value, &factor) || !isfinite(factor) || factor < 0)
        return refuse_value(s, key, value, "must be a factor from 0 on");
    add_value(s, settings_keep(s, format_text("joints.*.%s", name)),
              settings_keep(s, format_text("{scale: [%s, %s]}", value, value)));
    return true;
}

/* Whether a project has that push, and its link, is seen with the project. */
static bool read_push(settings *s, const char *key, const char *value) {
    char sentence[PUSH_SENTENCE];
    if (!push_list_may_set(key, value, sentence)) return refuse_value(s, key, value, sentence);
    s->pushes = reallocate(s->pushes, s->push_count + 1, sizeof *s->pushes);
    s->pushes[s->push_count++] = (stiction_override){key, value};
    return true;
}

/* A key that ends in a dot stands for all that begin with it. */
static const struct {
    const char *key;
    read_value *read;
    settings_part part;
} keys[] = {
    {"timestep", read_timestep, SETTINGS_WORLD},
    {"duration", read_duration, SETTINGS_WORLD},
    {"gravity", read_gravity, SETTINGS_WORLD},
    {"integrator", read_integrator, SETTINGS_WORLD},
    {"friction", read_friction, SETTINGS_WORLD}, /* MuJoCo's own is in its model */
    {"law", read_law, SETTINGS_FRICTION},
    {"coupling", read_coupling, SETTINGS_FRICTION},
    {"element", read_element, SETTINGS_FRICTION},
    {"seed", read_seed, SETTINGS_FRICTION},
    {"repetition", read_repetition, SETTINGS_FRICTION},
    {"configuration", read_configuration, SETTINGS_FRICTION},
    {"floor", read_floor, SETTINGS_WORLD},
    {"fixed_base", read_fixed_base, SETTINGS_WORLD},
    {"control_period", read_control_period, SETTINGS_CONTROLLERS},
    {"controller.", read_controller, SETTINGS_CONTROLLERS},
    {"joints.", read_configured, SETTINGS_FRICTION},
    {"profiles.", read_configured, SETTINGS_FRICTION},
    {"scale.", read_scale, SETTINGS_FRICTION},
    {"push", read_push, SETTINGS_PUSHES},
    {"push.", read_push, SETTINGS_PUSHES},
};
enum { key_count = sizeof keys / sizeof keys[0] };

static bool is_for(const char *key, const char *given) {
    const size_t length = strlen(key);
    if (key[length - 1] != '.') return strcmp(key, given) == 0;
    return strncmp(key, given, length) == 0 && given[length] != '\0';
}

const char *settings_key_at(size_t index) {
    return index < key_count ? keys[index].key : NULL;
}

settings_part settings_part_of(const char *key) {
    for (size_t k = 0; k < key_count; k++)
        if (is_for(keys[k].key, key)) return keys[k].part;
    return SETTINGS_WORLD;
}

bool settings_has_key(const char *key, char hint[NAME_HINT_SIZE]) {
    const char *names[key_count];
    for (size_t k = 0; k < key_count; k++) {
        if (is_for(keys[k].key, key)) return true;
        names[k] = keys[k].key;
    }
    (void)stiction_name_hint(key, names, key_count, hint);
    return false;
}

/* Line ends and the like: engines hand texts on line by line. The sentence shows them as '?'. */
static bool has_control_characters(settings *s, const char *text) {
    char *shown = settings_keep(s, copy_text(text));
    bool some = false;
    for (char *c = shown; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            *c = '?';
            some = true;
        }
    if (some) (void)refuse(s, shown, "has a line end, a tab or another control character");
    return some;
}

static bool read_one(settings *s, const char *text) {
    if (has_control_characters(s, text)) return false;
    char *key = settings_keep(s, copy_text(text));
    char *equals = strchr(key, '=');
    if (!equals) return refuse(s, text, "must be KEY=VALUE");
    *equals = '\0';
    for (size_t k = 0; k < key_count; k++)
        if (is_for(keys[k].key, key)) return keys[k].read(s, key, equals + 1);
    char hint[NAME_HINT_SIZE];
    (void)settings_has_key(key, hint);
    return refuse(s, text, settings_keep(s, format_text("there is no such key%s", hint)));
}

bool settings_check(const char *text, stiction_place at) {
    settings s = {.at = at};
    const bool fine = read_one(&s, text);
    settings_free(&s);
    return fine;
}

bool settings_is_option(const char *key) {
    return is_for("controller.", key) || strcmp(key, "control_period") == 0;
}

static void *read_project(reader *r, const void *path) {
    return (void *)(uintptr_t)project_read(r, path);
}

/* By its module, or by what the one for any controller is told to load. */
static bool is_ours(const project_controller *c) {
    static const char *const built_in[] = {"posture", "whole_body", "none"};
    if (strcmp(c->module, "StictionPostureController") == 0) return true;
    const size_t length = strcspn(c->options ? c->options : "", ": ");
    for (size_t k = 0; k < sizeof built_in / sizeof built_in[0]; k++)
        if (strcmp(c->module, "StictionController") == 0 && length == strlen(built_in[k]) &&
            strncmp(c->options, built_in[k], length) == 0)
            return true;
    return false;
}

static bool is_posture(const project_controller *c) {
    return strcmp(c->module, "StictionPostureController") == 0;
}

/* A robot has no controllers, and one that cannot be read runs none. */
static bool are_all(const char *path, bool untrusted, bool is(const project_controller *)) {
    reader r = {.untrusted = untrusted ? path : NULL};
    const project *p = robot_is_file(path) ? NULL : stiction_reader_run(&r, read_project, path);
    bool all = true;
    for (size_t k = 0; p && k < p->body_count; k++)
        for (size_t n = 0; n < p->bodies[k].controller_count; n++)
            all = all && is(&p->bodies[k].controllers[n]);
    if (p) stiction_arena_free(&r.memory);
    return all;
}

bool settings_has_other_controllers(const char *path, bool untrusted) {
    return !are_all(path, untrusted, is_posture);
}

bool settings_has_our_controllers(const char *path, bool untrusted) {
    return are_all(path, untrusted, is_ours);
}

/* A project, and whether something of its friction is drawn. */
typedef struct drawing {
    const char *path;
    bool draws;
} drawing;

static bool friction_draws(reader *r, const project_friction *item) {
    stiction_config *config;
    if (!item->enabled || !item->configuration) return false;
    stiction_reader_permit(r, item->configuration_at, item->configuration);
    if (stiction_config_load(item->configuration, &config, NULL) != STICTION_OK)
        return true; /* a run says what is wrong with it */
    const bool draws = stiction_config_is_random(config);
    stiction_config_destroy(config);
    return draws;
}

static void *find_draws(reader *r, const void *context) {
    drawing *d = *(drawing *const *)context;
    const project *p = project_read(r, d->path);
    for (size_t k = 0; k < p->simulator_count; k++)
        for (size_t n = 0; n < p->simulators[k].friction_count && !d->draws; n++)
            d->draws = friction_draws(r, &p->simulators[k].frictions[n]);
    return d;
}

bool settings_draws(const char *path, bool untrusted) {
    reader r = {.untrusted = untrusted ? path : NULL};
    drawing d = {.path = path};
    drawing *const context = &d;
    const bool read = !robot_is_file(path) && stiction_reader_run(&r, find_draws, &context);
    if (read) stiction_arena_free(&r.memory);
    return d.draws || !read;
}

static bool read_all(settings *s, const text_list *given, bool any_option) {
    *s = (settings){.simulation = simulation_options_default(),
                    .video_rate = (double)NAN,
                    .series = SERIES_CSV,
                    .any_option = any_option};
    bool fine = true;
    for (size_t k = 0; k < given->count; k++) {
        text_list_add(&s->given, given->items[k]);
        fine = read_one(s, given->items[k]) && fine;
    }
    simulation_options *o = &s->simulation;
    o->controller = s->controller.items;
    o->controller_count = s->controller.count;
    o->friction.overrides = s->values;
    o->friction.override_count = s->value_count;
    o->pushes = s->pushes;
    o->push_count = s->push_count;
    o->overrides = s->given.items;
    o->override_count = s->given.count;
    return fine;
}

bool settings_read(settings *s, const text_list *given) {
    return read_all(s, given, false);
}

bool settings_read_any(settings *s, const text_list *given) {
    return read_all(s, given, true);
}

void settings_note(settings *s, const char *key, const char *value) {
    text_list_add(&s->given, settings_keep(s, format_text("%s=%s", key, value)));
    s->simulation.overrides = s->given.items;
    s->simulation.override_count = s->given.count;
}

void settings_free(settings *s) {
    for (size_t k = 0; k < s->text_count; k++) free(s->texts[k]);
    free(s->texts);
    free(s->values);
    free(s->pushes);
    free((void *)s->controller.items);
    free((void *)s->specifications.items);
    free((void *)s->given.items);
}
