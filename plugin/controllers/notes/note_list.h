/* SPDX-License-Identifier: MIT
 * The notes of a controller, collected at the end of a run. Notes that do not fit in memory are
 * dropped.
 */
#ifndef STICTION_CONTROLLERS_NOTES_NOTE_LIST_H
#define STICTION_CONTROLLERS_NOTES_NOTE_LIST_H

#include "document/arena.h"
#include "stiction/controller.h"

/* Start from zeros; clear it at the end. */
typedef struct note_list {
    arena memory;
    stiction_controller_note *notes;
    size_t count;
} note_list;

void note_list_clear(note_list *list);
/* Keys are copied. */
void note_list_number(note_list *list, const char *key, double value);
void note_list_text(note_list *list, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As stiction_controller_api.note. */
int note_list_at(const note_list *list, size_t index, stiction_controller_note *note);

#endif
