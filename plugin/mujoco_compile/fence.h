/* SPDX-License-Identifier: MIT
 * Guarded calls of MuJoCo: its handlers for errors and warnings are global, and the default ones
 * end the program and write into the working directory.
 */
#ifndef STICTION_MUJOCO_FENCE_H
#define STICTION_MUJOCO_FENCE_H

#include "document/reader.h"
#include "mujoco_versions.h"

enum { ENGINE_MESSAGE = 1000 };

/*
 * Runs call(context) with our handlers instead of MuJoCo's; the last thread to leave restores the
 * previous ones. False: MuJoCo gave up, `message` says why, and what the call allocated is lost.
 * Warnings go to the log, which may be NULL. Any number of threads may call it, each with data of
 * its own; a call within a call takes no lock.
 */
bool engine_run(void (*call)(void *), void *context, stiction_log log, void *log_user,
                char message[ENGINE_MESSAGE]);

/* How often MuJoCo gave up so far, in all threads; each time memory may be lost. */
unsigned long engine_surrenders(void);

/* The status for such a message: STICTION_OUT_OF_MEMORY, or `otherwise`. */
stiction_status engine_status(const char *message, stiction_status otherwise);

/* Makes the reader fail with such a message. */
_Noreturn void engine_refuse(reader *r, stiction_place at, const char *message);

/* MuJoCo's control callback is global: it is `callback`, the same in all threads, from the first
 * begin to the last end. */
void engine_begin_callback(void (*callback)(const mjModel *, mjData *));
void engine_end_callback(void);

/* The place in a file of an object of the model, or where that is "" of a line of the text (0: not
 * known). */
typedef stiction_place engine_locate(const void *context, const char *object, int line);

/*
 * A model from an XML text. It lives as long as the reader's memory. An error of
 * MuJoCo has the place that `locate` returns. A foreign text, whose numbers are not checked, is
 * compiled in a child process with limits.
 */
typedef struct engine_text {
    const char *path; /* for messages */
    const char *text;
    size_t size;
    bool foreign;
    engine_locate *locate;
    const void *context;
    char *unoriented; /* room for ENGINE_MESSAGE; NULL: see below */
} engine_text;
/* NULL only with `unoriented`: that is the name of a mesh whose faces do not all point outwards,
 * which MuJoCo 2 refuses. */
mjModel *engine_load(reader *r, const engine_text *text);

/* Recomputes what MuJoCo derives from masses and inertias, after some were changed. */
void engine_update(reader *r, stiction_place at, mjModel *model);

#endif
