/* SPDX-License-Identifier: MIT
 * Opening and reading files: only regular files, without blocking, up to a limit that the error
 * message states. A file is replaced as a whole or not at all.
 */
#ifndef STICTION_CAPI_DOCUMENT_FILE_H
#define STICTION_CAPI_DOCUMENT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena.h"
#include "stiction/error.h"

/* The largest file of each kind that is read, bytes. docs/files.md has the same table. */
#define FILE_MOST_CONFIGURATION (UINT64_C(16) << 20) /* friction, posture */
#define FILE_MOST_DOCUMENT      (UINT64_C(64) << 20) /* robots, projects, sweeps; what they include */
#define FILE_MOST_DOCUMENTS     (UINT64_C(256) << 20) /* all of them, as often as they are named */
#define FILE_MOST_MESH          (UINT64_C(100) << 20) /* also textures and height fields of MJCF */
#define FILE_MOST_MOTION        (UINT64_C(256) << 20) /* CSV of motions and targets */
#define FILE_MOST_SUMMARY       (UINT64_C(64) << 20)  /* JSON of results */
#define FILE_MOST_RESULTS       (UINT64_C(4) << 30)   /* CSV of runs, and logs for reports */
#define FILE_MOST_LOG           (UINT64_C(16) << 30)  /* CSV that is read a row at a time */

/* Why a file is not read: "No such file or directory". */
typedef struct file_problem {
    stiction_status status; /* STICTION_INVALID_CONFIG or STICTION_OUT_OF_MEMORY */
    bool is_pipe;           /* where a file was expected */
    char text[128];
} file_problem;

/* The start of the error message: "the file cannot be read: ", or "" if memory ran out. */
static inline const char *stiction_file_blamed(const file_problem *problem) {
    return problem->status == STICTION_OUT_OF_MEMORY ? "" : "the file cannot be read: ";
}

/*
 * A descriptor of a regular file, after links are followed, that has at most so many bytes now; -1:
 * see the problem. The caller counts what it reads: a file may grow, and /proc reports no sizes.
 */
int stiction_file_open(const char *path, uint64_t most, file_problem *problem);

/* Calls `watcher` for every file that this thread opens from now on, so that a run can list what it
 * reads; NULL: no longer. */
typedef void stiction_file_watcher(void *user, const char *path);
void stiction_file_watch(stiction_file_watcher *watcher, void *user);

/* The same as a stream; NULL: see the problem. */
FILE *stiction_file_stream(const char *path, uint64_t most, file_problem *problem);

/* Its bytes with a terminating 0; NULL: see the problem. */
char *stiction_file_read(arena *memory, const char *path, uint64_t most, size_t *size,
                         file_problem *problem);

/* "5.1 GiB", "16 MiB", "312 bytes" */
enum { FILE_SIZE_TEXT = 32 };
const char *stiction_file_size_text(uint64_t bytes, char text[FILE_SIZE_TEXT]);

/* Reports a file of more bytes than are read; how many it has is not known. */
void stiction_file_set_too_large(uint64_t most, file_problem *problem);

/*
 * Replaces the content of an existing file and keeps its mode and links: the text is written beside
 * it, synced and renamed, and the folder is synced, so that the old or the new file survives whole.
 * False: see the problem; the file is unchanged, or new if only the folder could not be synced.
 */
bool stiction_file_replace(const char *path, const char *text, size_t size, file_problem *problem);

#endif
