/* SPDX-License-Identifier: MIT
 * Specifications, the files that they name, and what may be wrong with a library.
 */
#define _GNU_SOURCE /* dladdr */
#include "controller_source.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "built_in.h"
#include "crash_guard.h"
#include "document/fail.h"
#include "document/file.h"
#include "document/names.h"
#include "document/text.h"

/* ---- specifications ---- */

bool controller_is_none(const char *specification) {
    return strcmp(specification, "none") == 0;
}

const char *controller_without_body(const char *text, size_t *length) {
    const size_t before = strcspn(text, "=:/");
    *length = text[before] == '=' ? before : 0;
    return text[before] == '=' ? text + before + 1 : text;
}

static const char library_ending[] = ".so", python_ending[] = ".py", unix_word[] = "unix";

static const struct {
    const char *name;
    const stiction_controller_api *api;
    built_in_create *create;
} built_in[] = {
    {"posture", &posture_controller_api, posture_controller_create},
    {"whole_body", &whole_body_controller_api, whole_body_controller_create},
};

static const stiction_controller_api *find_built_in(const char *name, built_in_create **create) {
    *create = NULL;
    for (size_t k = 0; k < sizeof built_in / sizeof built_in[0]; k++)
        if (strcmp(built_in[k].name, name) == 0) {
            *create = built_in[k].create;
            return built_in[k].api;
        }
    return NULL;
}

/* ---- files ---- */

enum { path_size = 4096 };

/* Whether a file exists; dlopen would search other folders for a name without a slash. */
static bool try_path(char path[path_size], const char *folder, const char *file,
                     const char *ending) {
    const bool is_whole = file[0] == '/' || (!*folder && strchr(file, '/'));
    const char *base = is_whole ? "" : *folder ? folder : ".";
    const bool needs_slash = !is_whole && base[strlen(base) - 1] != '/';
    const int written =
        snprintf(path, path_size, "%s%s%s%s", base, needs_slash ? "/" : "", file, ending);
    return written > 0 && written < path_size && access(path, F_OK) == 0;
}

static bool find_in(char path[path_size], const char *folder, const char *file, bool is_library) {
    if (try_path(path, folder, file, "")) return true;
    return is_library && !stiction_text_ends_with(file, library_ending) &&
           try_path(path, folder, file, library_ending);
}

void controller_own_folder(char *folder) {
    static const char here;
    Dl_info info;
    const bool known = dladdr(&here, &info) && info.dli_fname && realpath(info.dli_fname, folder);
    /* a program is known by the name that it was called with */
    if (!known && !realpath("/proc/self/exe", folder)) folder[0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
}

/* Controllers that come with stiction, in a build and as installed, relative to our own folder. */
static const char *const near_us[] = {
    "controllers", "../controllers", "../../controllers", "../../../controllers",
    /* one path: NOLINTNEXTLINE(bugprone-suspicious-missing-comma) */
    "../" STICTION_LIBRARIES "/stiction/controllers", "stiction/controllers"};

static bool find_file(char path[path_size], const controller_host_def *def, const char *file,
                      bool is_library) {
    char own[PATH_MAX], near[path_size];
    for (size_t k = 0; k < def->folder_count; k++)
        if (find_in(path, def->folders[k], file, is_library)) return true;
    controller_own_folder(own);
    for (size_t k = 0; *own && !strchr(file, '/') && k < sizeof near_us / sizeof *near_us; k++) {
        const int length = snprintf(near, sizeof near, "%s/%s", own, near_us[k]);
        if (length < path_size && find_in(path, near, file, is_library)) return true;
    }
    return false;
}

bool controller_file_exists(const char *file, const char *const *folders, size_t folder_count) {
    char path[path_size];
    const controller_host_def def = {.folders = folders, .folder_count = folder_count};
    return *file && find_file(path, &def, file, true);
}

static stiction_status refuse_missing(const controller_host_def *def, const char *file,
                                      stiction_error *error) {
    char places[700] = "", here[path_size] = "";
    if (!getcwd(here, sizeof here)) here[0] = '\0';
    for (size_t k = 0; k < def->folder_count && file[0] != '/'; k++) {
        const size_t used = strlen(places);
        const char *folder = def->folders[k], *between = used ? " and in " : ": looked in ";
        if (*folder)
            (void)snprintf(places + used, sizeof places - used, "%s'%.200s'", between, folder);
        else
            (void)snprintf(places + used, sizeof places - used, "%sthe working directory '%.200s'",
                           between, here);
    }
    const bool is_bridge = strcmp(file, "mc_rtc") == 0;
    return stiction_fail(
        error, STICTION_INVALID_CONFIG, "there is no file '%.200s'%s%s", file, places,
        is_bridge ? "; the bridge to mc_rtc is built where CMake finds mc_rtc" : "");
}

/* Loading a pipe or device would block. */
static stiction_status check_file(const char *path, stiction_error *error) {
    file_problem problem;
    const int file = stiction_file_open(path, UINT64_MAX, &problem);
    if (file < 0)
        return stiction_fail(error, problem.status, "'%.300s' cannot be read: %s", path,
                             problem.text);
    (void)close(file);
    return STICTION_OK;
}

/* ---- libraries ---- */

typedef struct loading {
    const char *path;
    void *handle;
    char problem[512]; /* of dlerror */
} loading;

/* Initializers run in it, too. */
static void load(void *context) {
    loading *l = context;
    l->handle = dlopen(l->path, RTLD_NOW | RTLD_LOCAL);
    if (l->handle) return;
    const char *problem = dlerror();
    const size_t length = strlen(l->path);
    if (problem && strncmp(problem, l->path, length) == 0 &&
        strncmp(problem + length, ": ", 2) == 0)
        problem += length + 2;
    (void)snprintf(l->problem, sizeof l->problem, "%s", problem ? problem : "unknown reason");
}

/* Copies what this host knows of a table that may be older or newer. */
static stiction_status take_api(const stiction_controller_api *table, stiction_controller_api *api,
                                stiction_error *error) {
    const size_t least = offsetof(stiction_controller_api, reset);
    if (table->abi != STICTION_CONTROLLER_ABI)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "its table is of version %u of the controller ABI, this program's is "
                             "%d: build it with this version's stiction/controller.h",
                             table->abi, STICTION_CONTROLLER_ABI);
    if (table->size < least)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "its table has %zu bytes and must have at least %zu: begin it with "
                             "STICTION_CONTROLLER_HEAD",
                             table->size, least);
    memset(api, 0, sizeof *api);
    memcpy(api, table, table->size < sizeof *api ? table->size : sizeof *api);
    const char *missing = !api->create ? "create" : !api->step ? "step" : NULL;
    if (!missing && !api->destroy) missing = "destroy";
    return !missing ? STICTION_OK
                    : stiction_fail(error, STICTION_INVALID_CONFIG,
                                    "its table has no function '%s'", missing);
}

size_t controller_source_count_threads(void) {
    size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *task; tasks && (task = readdir(tasks));)
        count += task->d_name[0] != '.';
    if (tasks) (void)closedir(tasks);
    return count;
}

static stiction_status load_library(const char *path, controller_source *source,
                                    stiction_error *error) {
    loading l = {.path = path};
    source->threads = controller_source_count_threads();
    const int crash = crash_guard_run(load, &l);
    if (crash)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "'%.300s' crashed while it was loaded: %s", path,
                             crash_guard_name(crash));
    if (!l.handle)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "'%.300s' cannot be loaded as a shared library: %s", path, l.problem);
    stiction_error reason;
    const stiction_controller_api *table = dlsym(l.handle, STICTION_CONTROLLER_SYMBOL);
    stiction_status status =
        table ? take_api(table, &source->api, &reason)
              : stiction_fail(&reason, STICTION_INVALID_CONFIG,
                              "it does not have the symbol '%s', see stiction/controller.h",
                              STICTION_CONTROLLER_SYMBOL);
    if (status == STICTION_OK) {
        source->handle = l.handle;
        return status;
    }
    (void)dlclose(l.handle);
    return stiction_fail(error, status, "'%.300s' is not a controller: %s", path, reason.message);
}

/* ---- all of them ---- */

static const char *text_of(arena *memory, const char *text) {
    return stiction_arena_text(memory, text, strlen(text));
}

/* "a:b" of "a", "b" */
static const char *joined(arena *memory, const char *a, char between, const char *b) {
    const size_t size = strlen(a) + strlen(b) + 2;
    char *text = stiction_arena_take(memory, size);
    if (text) (void)snprintf(text, size, "%s%c%s", a, between, b);
    return text;
}

/* The options of the specification and of the setup on one line, then one line per extra option;
 * NULL: no memory. */
static const char *all_options(const controller_host_def *def, const char *own, char line_end,
                               arena *memory) {
    const char *more = def->setup.options ? def->setup.options : "";
    char *first = stiction_arena_take(memory, strlen(own) + strlen(more) + 2);
    if (!first) return NULL;
    (void)sprintf(first, "%s%s%s", own, *own && *more ? " " : "", more);
    /* a line end in a file counts as a space */
    for (char *c = first; *c; c++)
        if (line_end == '\n' && (*c == '\n' || *c == '\r')) *c = ' ';
    const char *all = first;
    for (size_t k = 0; all && k < def->extra_count; k++)
        all = joined(memory, all, line_end, def->extra[k]);
    return all;
}

static const char *stem_of(arena *memory, const char *file) {
    const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file;
    const char *dot = strrchr(start, '.');
    return stiction_arena_text(memory, start, dot ? (size_t)(dot - start) : strlen(start));
}

/* Splits "FILE:options" at the colon and returns the options, which may be "". */
static char *cut_options(char *text) {
    char *colon = strchr(text, ':');
    if (!colon) return text + strlen(text);
    *colon = '\0';
    return colon + 1;
}

stiction_status controller_source_find(const controller_host_def *def, arena *memory,
                                       controller_source *source, stiction_error *error) {
    char path[path_size];
    char *text = stiction_arena_text(memory, def->specification, strlen(def->specification));
    *source = (controller_source){.handle = NULL};
    if (!text) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    char *options = cut_options(text);
    const stiction_controller_api *known = find_built_in(text, &source->create);
    const bool is_unix = strcmp(text, unix_word) == 0;
    const bool is_python = !is_unix && stiction_text_ends_with(text, python_ending);
    /* the first of the options of a process is its address */
    const char *address = NULL;
    stiction_status status = STICTION_OK;
    if (!*text)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "the specification of a controller is empty: it must be LIB.so, "
                             "FILE.py, unix:PATH, posture or whole_body, followed by :options");
    if (!known && def->untrusted)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "'%.200s' is code of '%.200s', which --untrusted refuses; replace it "
                             "with --controller, as in --controller none",
                             text, def->untrusted);
    if (is_unix) {
        address = options;
        options = cut_options(options);
        if (!*address)
            return stiction_fail(error, STICTION_INVALID_CONFIG,
                                 "'unix:' needs the path of a socket");
        source->library = joined(memory, unix_word, ':', address);
        known = &remote_unix_api;
    } else if (known) {
        source->is_built_in = true;
        source->library = text_of(memory, text);
    } else {
        if (!find_file(path, def, text, !is_python)) return refuse_missing(def, text, error);
        status = check_file(path, error);
        if (status != STICTION_OK) return status;
        source->library = text_of(memory, path);
        if (is_python) known = &remote_python_api;
        if (is_python) address = source->library;
    }
    source->stem = stem_of(memory, address ? address : text);
    source->options = all_options(def, options, '\n', memory);
    source->shown_options = all_options(def, options, ' ', memory);
    if (address && source->options)
        source->options = joined(memory, address, '\n', source->options);
    if (!source->library || !source->stem || !source->options || !source->shown_options)
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    if (known)
        source->api = *known;
    else
        status = load_library(source->library, source, error);
    return status;
}

/* ---- which body gets which ---- */

/* Every named body must exist; the other specifications must match the number of bodies. */

static bool is_for(const char *body, const char *specification, size_t length) {
    return length && strlen(body) == length && strncmp(body, specification, length) == 0;
}

static stiction_status refuse_body(const char *specification, size_t length,
                                   const char *const *bodies, size_t body_count,
                                   stiction_error *error) {
    char name[200], hint[NAME_HINT_SIZE];
    const size_t kept = length < sizeof name ? length : sizeof name - 1;
    memcpy(name, specification, kept);
    name[kept] = '\0';
    return stiction_fail(error, STICTION_INVALID_CONFIG,
                         "controller '%.300s': there is no body '%s' with joints%s", specification,
                         name, stiction_name_hint(name, bodies, body_count, hint));
}

stiction_status controller_choose(const char *const *specifications, size_t specification_count,
                                  const char *const *bodies, size_t body_count, const char **chosen,
                                  stiction_error *error) {
    size_t without_body = 0, length;
    for (size_t b = 0; b < body_count; b++) chosen[b] = NULL;
    if (specification_count && !body_count && controller_is_none(specifications[0]))
        return stiction_succeed(error);
    if (specification_count && !body_count)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "controller '%.300s': no body has joints", specifications[0]);
    for (size_t k = 0; k < specification_count; k++) {
        const char *rest = controller_without_body(specifications[k], &length);
        if (length) continue;
        for (size_t b = without_body; b < (without_body ? without_body + 1 : body_count); b++)
            if (b < body_count) chosen[b] = rest;
        without_body++;
    }
    if (without_body > 1 && without_body != body_count)
        return stiction_fail(error, STICTION_INVALID_CONFIG,
                             "%zu controllers are given for %zu bodies with joints: give one for "
                             "all, one for each, or BODY=CONTROLLER",
                             without_body, body_count);
    for (size_t k = 0; k < specification_count; k++) {
        const char *rest = controller_without_body(specifications[k], &length);
        size_t found = 0;
        for (size_t b = 0; b < body_count; b++) {
            if (!is_for(bodies[b], specifications[k], length)) continue;
            chosen[b] = rest;
            found++;
        }
        if (length && !found)
            return refuse_body(specifications[k], length, bodies, body_count, error);
    }
    return stiction_succeed(error);
}
