/* SPDX-License-Identifier: MIT
 * Finding and reading the configuration files of a customizer.
 */
#define _GNU_SOURCE /* dladdr: where this shared object lies */
#include "configurations.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/shown.h"

static const char *const no_names[] = {NULL};

void customizer_log(const char *format, ...) {
    char message[8192]; /* a path of up to 4096 bytes and a text about it */
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)fputs("stiction: ", stderr);
    (void)stiction_show_to(stderr, message);
    (void)fputc('\n', stderr);
}

const stiction_config *configurations_find(const configurations *all, const char *model_name) {
    for (size_t k = 0; k < all->count; k++)
        if (stiction_config_is_for(all->configs[k], model_name, NULL, 0)) return all->configs[k];
    return NULL;
}

const char **configurations_model_names(const configurations *all) {
    return all->model_names ? all->model_names : (const char **)no_names;
}

static void print_errors(const stiction_errors *errors) {
    for (size_t k = 0; k < stiction_errors_count(errors); k++) {
        char text[1700];
        (void)stiction_error_format(stiction_errors_at(errors, k), text, sizeof text);
        customizer_log("%s", text);
    }
}

/* Warns of models that an earlier file has already. */
static void warn_of_repeated_models(const configurations *all, const stiction_config *config,
                                    const char *path) {
    for (size_t k = 0; k < stiction_config_model_count(config); k++) {
        const char *name = stiction_config_model_at(config, k);
        if (configurations_find(all, name))
            customizer_log("%s: model '%s' is in an earlier file already, which counts", path,
                           name);
    }
    if (stiction_config_model_count(config) == 0)
        customizer_log("%s: it names no models, so no body gets its friction", path);
}

static void load_file(configurations *all, const char *path) {
    stiction_errors *errors = stiction_errors_create();
    stiction_config *config = NULL;
    const stiction_status status = stiction_config_load(path, &config, errors);
    if (status != STICTION_OK) {
        print_errors(errors);
        customizer_log("%s is not used%s", path,
                       status == STICTION_OUT_OF_MEMORY ? ": out of memory" : "");
    } else {
        stiction_config **configs = realloc(all->configs, (all->count + 1) * sizeof *configs);
        if (configs) {
            all->configs = configs;
            warn_of_repeated_models(all, config, path);
            all->configs[all->count++] = config;
        } else {
            customizer_log("%s: out of memory; it is not used", path);
            stiction_config_destroy(config);
        }
    }
    stiction_errors_destroy(errors);
}

/* A list of paths, separated by colons. */
static void load_list(configurations *all, const char *list) {
    while (*list) {
        const size_t length = strcspn(list, ":");
        char path[4096];
        if (length >= sizeof path) {
            customizer_log("STICTION_CONFIG: a path of %zu bytes is too long; it is not used",
                           length);
        } else if (length > 0) {
            memcpy(path, list, length);
            path[length] = '\0';
            load_file(all, path);
        }
        list += length + (list[length] == ':');
    }
}

static int is_yaml(const struct dirent *entry) {
    const char *ending = strrchr(entry->d_name, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

/* The files of stiction/ beside this shared object, by name. */
static void load_folder(configurations *all) {
    Dl_info self;
    if (!dladdr((const void *)no_names, &self) || !self.dli_fname) return;
    const char *slash = strrchr(self.dli_fname, '/');
    const int length = slash ? (int)(slash - self.dli_fname) : 1;
    char folder[2048];
    (void)snprintf(folder, sizeof folder, "%.*s/stiction", length, slash ? self.dli_fname : ".");
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_yaml, alphasort);
    for (int k = 0; k < count; k++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
        load_file(all, path);
        free(entries[k]);
    }
    if (count >= 0) free(entries);
    /* Where there is no such folder either, nobody asked for friction: an installed customizer is
     * loaded at every start of the simulator. */
    if (count == 0) customizer_log("%s has no configuration (*.yaml)", folder);
    if (count < 0 && errno != ENOENT && errno != ENOTDIR)
        customizer_log("%s: %s", folder, strerror(errno));
}

static void collect_names(configurations *all) {
    size_t count = 0;
    for (size_t k = 0; k < all->count; k++) count += stiction_config_model_count(all->configs[k]);
    if (count == 0) return;
    all->model_names = calloc(count + 1, sizeof *all->model_names);
    if (!all->model_names) {
        customizer_log("out of memory; no friction for any body");
        return;
    }
    size_t next = 0;
    for (size_t k = 0; k < all->count; k++)
        for (size_t n = 0; n < stiction_config_model_count(all->configs[k]); n++)
            all->model_names[next++] = stiction_config_model_at(all->configs[k], n);
}

void configurations_load(configurations *all) {
    *all = (configurations){0};
    const char *list = getenv("STICTION_CONFIG");
    if (list && *list)
        load_list(all, list);
    else
        load_folder(all);
    collect_names(all);
}

void configurations_free(configurations *all) {
    for (size_t k = 0; k < all->count; k++) stiction_config_destroy(all->configs[k]);
    free(all->configs);
    free(all->model_names);
    *all = (configurations){0};
}
