/* SPDX-License-Identifier: MIT
 * The configuration files of a customizer: of the environment variable STICTION_CONFIG (several,
 * separated by colons), else those of the folder stiction/ beside the shared object.
 */
#ifndef STICTION_CUSTOMIZER_CONFIGURATIONS_H
#define STICTION_CUSTOMIZER_CONFIGURATIONS_H

#include "stiction/stiction.h"

typedef struct configurations {
    size_t count;
    stiction_config **configs;
    const char **model_names; /* of all of them, with NULL at the end; never NULL once loaded */
} configurations;

/* Prints "stiction: message" and a newline to stderr, since Choreonoid gives it no other place;
 * control characters from files and models are escaped. */
__attribute__((format(printf, 1, 2))) void customizer_log(const char *format, ...);

/* Reports errors in a file on stderr and continues without the file. */
void configurations_load(configurations *all);
void configurations_free(configurations *all);

/* The configuration for a model, or NULL. Of two files that name one model the first counts. */
const stiction_config *configurations_find(const configurations *all, const char *model_name);
const char **configurations_model_names(const configurations *all);

#endif
