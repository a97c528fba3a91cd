/*
 * MuJoCo, fenced in: its handlers for errors and warnings are global, its default ones end the
 * program and write into the working directory.
 */
#ifndef STICTION_MUJOCO_FENCE_H
#define STICTION_MUJOCO_FENCE_H

#include "document/reader.h"
#include "mujoco/mujoco_versions.h"

enum { ENGINE_MESSAGE = 1000 };

/*
 * Runs call(context) with our handlers in place of MuJoCo's, and puts back those that were there.
 * False: MuJoCo gave up, `message` says why, and what the call had in hand is lost. Warnings go to
 * the log, which may be NULL. One thread at a time, since the handlers are global.
 */
bool engine_run(void (*call)(void *), void *context, stiction_log log, void *log_user,
                char message[ENGINE_MESSAGE]);

/* Where a thing of the model stands in the file that it comes from; no path: not known. */
typedef stiction_place engine_locate(const void *context, const char *object);

/*
 * A model from an XML text, or from the file `path` where the text is NULL. It lives as long as the
 * reader's memory. What MuJoCo cannot take is refused, at the place that `locate` knows, else at
 * the line of the text; locate may be NULL.
 */
mjModel *engine_load(reader *r, const char *path, const char *text, size_t size,
                     engine_locate *locate, const void *context);

/* Recomputes what MuJoCo derives from masses and inertias, after some were changed. */
void engine_update(reader *r, stiction_place at, mjModel *model);

#endif
