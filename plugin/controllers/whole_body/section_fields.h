/* SPDX-License-Identifier: MIT
 * Reading mappings of YAML into structs by tables of fields: numbers with their domain, vectors,
 * words, names of links.
 */
#ifndef STICTION_CONTROLLERS_WHOLE_BODY_SECTION_FIELDS_H
#define STICTION_CONTROLLERS_WHOLE_BODY_SECTION_FIELDS_H

#include "controllers/posture/posture_settings.h"
#include "stiction/controller.h"

typedef enum field_kind {
    FIELD_NUMBER, /* double */
    FIELD_VECTOR, /* double[3] */
    FIELD_WORD,   /* int: the place in `words` */
    FIELD_LINK,   /* size_t */
    FIELD_NAME,   /* const char *: the text as it is written */
    FIELD_NODE    /* const tree_node *: whoever asks reads it */
} field_kind;

typedef struct section_field {
    const char *name;
    field_kind kind;
    size_t offset;
    double minimum;    /* of a number */
    bool exclusive;    /* the minimum itself is not allowed */
    const char *words; /* "a | b" */
} section_field;

/* What is read, for the messages: "task 'com'". */
typedef struct section_owner {
    const char *what, *name;
    const stiction_controller_setup *setup;
} section_owner;

stiction_status section_refuse(const section_owner *owner, const tree_node *at,
                               stiction_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A mapping into a struct; *given (which may be NULL) gets bit k for fields[k]. */
stiction_status section_read(const section_owner *owner, const tree_node *mapping,
                             const section_field *fields, size_t count, void *to, unsigned *given,
                             stiction_error *error);

stiction_status section_number(const section_owner *owner, const tree_node *node, const char *name,
                               double *value, stiction_error *error);
stiction_status section_vector(const section_owner *owner, const tree_node *node, const char *name,
                               double value[3], stiction_error *error);

#endif
