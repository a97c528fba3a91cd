/* SPDX-License-Identifier: MIT
 * Which files something was made from, as they were then: the owner checks whether they still
 * are. A file is identified by its device, number, size and times.
 */
#ifndef STICTION_CAPI_DOCUMENT_FILE_NOTES_H
#define STICTION_CAPI_DOCUMENT_FILE_NOTES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct file_note file_note;

/* Start from all zeros. */
typedef struct file_notes {
    file_note *list;
    size_t count;
    bool incomplete; /* a file is not noted, or was changed a moment ago: the times of a file system
                        are coarse, and another change at once would look the same */
} file_notes;

/* Before a file is read, or looked for: one that is not there is noted as well. `notes` may be
 * NULL. */
void stiction_file_notes_add(file_notes *notes, const char *path);

/* Whether all are known, and are as they were. */
bool stiction_file_notes_hold(const file_notes *notes);

void stiction_file_notes_free(file_notes *notes);

#endif
