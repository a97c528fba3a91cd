/* SPDX-License-Identifier: MIT
 * Files, opened and read in one way: regular files alone, without waiting for anything, and within
 * a limit that the sentence about it tells. What is replaced is whole before or after.
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
    char text[128];
} file_problem;

/* How a sentence about it begins: "the file cannot be read: ", or "" where the file is not to
 * blame, since memory ended. */
static inline const char *stiction_file_blamed(const file_problem *problem) {
    return problem->status == STICTION_OUT_OF_MEMORY ? "" : "the file cannot be read: ";
}

/*
 * A descriptor of a regular file, after links are followed, that has at most so many bytes now; -1:
 * the problem says why. Whoever reads counts on: a file may grow, and those of /proc have no size.
 */
int stiction_file_open(const char *path, uint64_t most, file_problem *problem);

/* Who is told of every file that this thread opens from now on, for a list of what a run reads;
 * NULL: nobody. */
typedef void stiction_file_watcher(void *user, const char *path);
void stiction_file_watch(stiction_file_watcher *watcher, void *user);

/* The same as a stream; NULL: the problem says why. */
FILE *stiction_file_stream(const char *path, uint64_t most, file_problem *problem);

/* Its bytes with a terminating 0; NULL: the problem says why. */
char *stiction_file_read(arena *memory, const char *path, uint64_t most, size_t *size,
                         file_problem *problem);

/* "5.1 GiB", "16 MiB", "312 bytes" */
enum { FILE_SIZE_TEXT = 32 };
const char *stiction_file_size_text(uint64_t bytes, char text[FILE_SIZE_TEXT]);

/* Says that a file has more than is read; what it has is not known. */
void stiction_file_say_larger(uint64_t most, file_problem *problem);

/*
 * Puts a text in the place of a file that is there, whose mode and links stay: written beside it,
 * synced, renamed, its folder synced, so that whatever happens one of the two is there whole.
 * False: the problem says why, and the file is as it was, or where only the folder could not be
 * synced as it was to be.
 */
bool stiction_file_replace(const char *path, const char *text, size_t size, file_problem *problem);

#endif
