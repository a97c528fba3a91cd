/*
 * What --set replaces in a project: values of the simulator, of friction and of controllers. run
 * and sweep read the same keys; settings_keys lists them.
 */
#ifndef STICTION_TOOLS_RUN_SETTINGS_H
#define STICTION_TOOLS_RUN_SETTINGS_H

#include "common/options.h"
#include "document/names.h"
#include "mujoco/simulation.h"

typedef struct settings {
    simulation_options simulation; /* its lists are those below */
    double video_rate;             /* frames a second; NaN: none */
    int video_width, video_height;
    series_format series;  /* which files of the series are written */
    bool report, pictures; /* report.html and PNGs are made of them, too */
    FILE *figures;   /* gets summary.json, and nothing else is written; NULL: a folder has all */
    text_list given; /* "timestep=0.002", as they were given */
    text_list specifications;  /* of controllers, of a definition of the engine */
    text_list controller;      /* "kp=50" */
    stiction_override *values; /* of the configuration */
    size_t value_count;
    stiction_override *pushes; /* "push", "push.force" */
    size_t push_count;
    char **texts; /* that all of these point into */
    size_t text_count;
    stiction_place at; /* of the text in a file; without a path: it is an option */
    bool any_option;   /* a controller is not ours: only it knows its options */
} settings;

/* Reads KEY=VALUE texts. False after a sentence on stderr; free with settings_free either way. */
bool settings_read(settings *s, const text_list *given);
/* The same for controllers whose options are their own. */
bool settings_read_any(settings *s, const text_list *given);
void settings_free(settings *s);
/* A text that they point to, and free with the rest. */
char *settings_keep(settings *s, char *text);

/* Something else that replaces what the project says, for the results: "controller=pd.so". */
void settings_note(settings *s, const char *key, const char *value);

/* Whether a key is an option of controllers, and whether a project has one that is not ours, which
 * then takes any. */
bool settings_is_option(const char *key);
bool settings_has_other_controllers(const char *project_path, bool untrusted);
/* Whether all code of a project is ours, whatever its options. */
bool settings_has_our_controllers(const char *project_path, bool untrusted);

/* Whether the friction of a project draws something; true also where that cannot be read. */
bool settings_draws(const char *project_path, bool untrusted);

/* What of a run a key is for. Whether a run can begin depends on the world and on each other part
 * with it, see simulation_check. */
typedef enum settings_part {
    SETTINGS_WORLD,
    SETTINGS_CONTROLLERS,
    SETTINGS_PUSHES,
    SETTINGS_FRICTION,
    SETTINGS_PART_COUNT
} settings_part;
settings_part settings_part_of(const char *key);

/* The keys, for completion and help; one that ends in a dot begins others. NULL behind the last. */
const char *settings_key_at(size_t index);
/* Whether there is this key; else what to say behind it. */
bool settings_has_key(const char *key, char hint[NAME_HINT_SIZE]);
/* One KEY=VALUE of a file: a sentence about it begins with its place. */
bool settings_check(const char *text, stiction_place at);

#endif
