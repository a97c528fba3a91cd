/* SPDX-License-Identifier: MIT
 * stiction import: a configuration from friction that others have written down (import/import.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "document/text.h"
#include "import/import.h"

typedef struct verb_options {
    import_options import;
    const char *from, *out;
    bool force;
    bool untrusted;
} verb_options;

/* ---- options ---- */

static const import_kind *kind_named(const char *name, stiction_error *error) {
    const char *names[IMPORT_KIND_COUNT];
    for (size_t k = 0; k < IMPORT_KIND_COUNT; k++) {
        if (strcmp(import_kinds[k].name, name) == 0) return &import_kinds[k];
        names[k] = import_kinds[k].name;
    }
    char hint[NAME_HINT_SIZE];
    (void)fail(error, "import: there is no format '%s'%s", name,
               stiction_name_hint(name, names, IMPORT_KIND_COUNT, hint));
    return NULL;
}

static const import_kind *kind_of(const char *path, stiction_error *error) {
    for (size_t k = 0; k < IMPORT_KIND_COUNT; k++)
        if (stiction_text_ends_with(path, import_kinds[k].ending)) return &import_kinds[k];
#define ENDING(name, ending) " " ending " (" #name ")"
    (void)fail(error,
               "import: the name '%s' has none of the endings" IMPORT_FORMATS(
                   ENDING) "; give the format with --from",
               path);
#undef ENDING
    return NULL;
}

/* Options of one format are refused with another: they would do nothing. */
static bool options_agree(const verb_options *given, const import_kind *kind,
                          stiction_error *error) {
    const import_options *o = &given->import;
    if (!isnan(o->load_limit) && strcmp(kind->name, "bam") != 0)
        return fail(error, "import: --load-limit is for bam, not for %s", kind->name);
    const char *repeated = text_list_repeated(&o->joints);
    if (repeated) return fail(error, "import: --joint '%s' is given twice", repeated);
    if (!isnan(o->damping) && o->damping < 0)
        return fail(error, "import: --damping %g must be at least 0", o->damping);
    return !given->force || given->out ||
           fail(error, "import: --force is for --out; stdout replaces nothing");
}

/* ---- output ---- */

/* As a host would: what it refuses is not written. */
static bool is_legal(const import_result *result) {
    stiction_errors *errors = must_have(stiction_errors_create());
    stiction_config *config = NULL;
    stiction_status status =
        stiction_config_parse(result->text, strlen(result->text), NULL, &config, errors);
    if (status == STICTION_OK)
        status = stiction_config_check(config, NULL, 0, result->timestep, errors);
    for (size_t k = 0; k < stiction_errors_count(errors); k++)
        (void)print_error("%s: %s", result->path, stiction_errors_at(errors, k)->message);
    stiction_config_destroy(config);
    stiction_errors_destroy(errors);
    return status == STICTION_OK;
}

static bool write_out(const verb_options *given, const import_result *result,
                      stiction_error *error) {
    if (!given->out) {
        fputs(result->text, stdout);
        return true;
    }
    whole_file file;
    if (!whole_file_begin(&file, given->out, error)) return false;
    fputs(result->text, file.out);
    return whole_file_end(&file, error);
}

static void print_notes(const import_result *result) {
    for (size_t k = 0; k < result->notes.count; k++)
        print_note("%s: %s", result->path, result->notes.items[k]);
}

static int import_file(const void *options, const text_list *arguments, stiction_error *error) {
    const verb_options *given = options;
    const char *path = arguments->items[0];
    const import_kind *kind = given->from ? kind_named(given->from, error) : kind_of(path, error);
    if (!kind || !options_agree(given, kind, error)) return EXIT_USAGE;
    reader r = {.error = error, .untrusted = given->untrusted ? path : NULL};
    const import_result *result = import_read(&r, path, kind, &given->import);
    if (!result) return EXIT_DATA;
    const bool fine = is_legal(result) &&
                      (!given->out || whole_file_may_take(given->out, given->force, error)) &&
                      write_out(given, result, error);
    if (fine) print_notes(result);
    stiction_arena_free(&r.memory);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static const verb_options defaults = {.import = {.load_limit = (double)NAN,
                                                 .stiffness = (double)NAN,
                                                 .damping = (double)NAN,
                                                 .timestep = (double)NAN}};

#define FIELD(name) offsetof(verb_options, name)

static const option options_of_import[] = {
    {"from", OPTION_TEXT, "FORMAT", "bam or mujoco (else by the ending)", FIELD(from)},
    {"out", OPTION_TEXT, "FILE", "write to a new file instead of stdout", FIELD(out)},
    {"force", OPTION_FLAG, NULL, "replace an existing file of --out", FIELD(force)},
    {"joint", OPTION_TEXTS, "NAME", "whose friction it is; of MJCF: just this one",
     FIELD(import.joints)},
    {"stiffness", OPTION_POSITIVE, "K", "of the bristle in N m/rad", FIELD(import.stiffness)},
    {"damping", OPTION_NUMBER, "B", "of the bristle in N m s/rad", FIELD(import.damping)},
    {"timestep", OPTION_POSITIVE, "T", "time step in s that it must be legal at (0.001)",
     FIELD(import.timestep)},
    {"load-limit", OPTION_POSITIVE, "TORQUE", "of BAM: torques count up to here, N m",
     FIELD(import.load_limit)},
    UNTRUSTED_OPTION(verb_options, untrusted),
    {.name = NULL},
};

const verb verb_import = {
    .name = "import",
    .summary = "a configuration from friction that others have measured",
    .arguments = "FILE",
    .least = 1,
    .most = 1,
    VERB_OPTIONS(options_of_import, defaults),
    .description =

        "Writes a configuration with a comment for every number: its unit and where it\n"
        "comes from. Comments at its head and notes on stderr report what could not be\n"
        "taken over and what had to be chosen. FILE is one of\n"
        "\n"
        "bam: a parameter file of BAM, Rhoban's actuator models m1 to m6 (.json). The\n"
        "torque of steady sliding is BAM's, but for the quadratic term of m6. An\n"
        "exponent alpha below 1 is refused.\n"
        "\n"
        "mujoco: an MJCF file with <dcmotor lugre=...> (.xml), through gears to the\n"
        "joints that the motors drive.\n"
        "\n"
        "Where the source has no bristle, stiffness and damping are chosen so that the\n"
        "law is legal at any time step. Friction from your own logs: stiction fit.",
    .example = "  stiction import params/mx106/m5.json --joint elbow --out elbow.yaml\n"
               "  stiction import robot.xml > friction.yaml",
    .run = import_file,
};
