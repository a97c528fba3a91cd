/* SPDX-License-Identifier: MIT
 * What the readers of robot files share: memory that lives as long as the robot, warnings, and an
 * error that ends the reading at once, so that a reader needs no error paths of its own.
 */
#ifndef STICTION_CAPI_DOCUMENT_READER_H
#define STICTION_CAPI_DOCUMENT_READER_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "access.h"
#include "arena.h"
#include "fail.h"
#include "file_notes.h"
#include "stiction/load.h"

typedef struct reader {
    jmp_buf out; /* where stiction_reader_refuse jumps to; set by stiction_reader_run */
    arena memory;
    stiction_log log; /* NULL: none */
    void *log_user;
    stiction_error *error; /* NULL: not wanted */
    const char *untrusted; /* the file whose folder all others must be in; NULL: any may be read */
    const void *meshes;    /* that were read so far, of plugin/meshes; NULL: none */
    size_t most_faces;     /* of a mesh, which is read to be drawn; 0: to touch, as its hull */
    size_t elements;       /* of XML that were read so far, of plugin/robots */
    uint64_t bytes;        /* of files that were read so far, each as often as it was read */
    double seconds;        /* of processor time that processes took for it so far */
    bool (*is_stopped)(void); /* polled while they run: true ends the reading; NULL: never */
    file_notes *notes;        /* of all files that are read or looked for; NULL: not wanted */
} reader;

/* Memory of zeros until the arena is freed; `finish` is called before. */
void *stiction_reader_alloc(reader *r, size_t size);
void *stiction_reader_own(reader *r, size_t size, void (*finish)(void *));
char *stiction_reader_format(reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* An array of `count` items with space for one more; it may have moved. */
void *stiction_reader_grow(reader *r, void *items, size_t count, size_t item_size);

/* An empty list of errors, which ends with the memory. */
stiction_errors *stiction_reader_errors(reader *r);

/* The whole file, with a terminating 0. `at` is where its name is written: in another file, which
 * must be permitted to name it, or without a place or in the file itself if the user named it. */
char *stiction_reader_file(reader *r, stiction_place at, const char *path, size_t *size);

/* Refuses a file that an untrusted one may not name. */
void stiction_reader_permit(reader *r, stiction_place at, const char *path);

/* A text that is written piece by piece; its memory is the reader's. */
typedef struct text_stream {
    FILE *file;
    char *text;
    size_t size;
} text_stream;
text_stream *stiction_reader_stream(reader *r);
/* Ends the writing. */
const char *stiction_reader_stream_text(reader *r, text_stream *stream);

/* A copy of a text. */
char *stiction_reader_text(reader *r, const char *text);

/* The path of a file that is named in another one. */
const char *stiction_reader_beside(reader *r, const char *path, const char *name);

/* A finite decimal number, and nothing after it. */
double stiction_reader_number(reader *r, stiction_place at, const char *what, const char *text);

/*
 * call(r, context) with numbers read and written with a point, whatever the locale. NULL: it failed
 * with an error, and all memory is released.
 */
void *stiction_reader_run(reader *r, void *call(reader *r, const void *context),
                          const void *context);

/* Fills the error and leaves through reader.out. */
_Noreturn void stiction_reader_refuse(reader *r, stiction_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void stiction_reader_no_memory(reader *r);
_Noreturn void stiction_reader_refuse_as(reader *r, const stiction_error *error);
void stiction_reader_warn(reader *r, stiction_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
