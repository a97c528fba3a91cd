/* SPDX-License-Identifier: MIT
 * Notes in an array that doubles, with their texts in the same arena.
 */
#include "note_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void note_list_clear(note_list *list) {
    stiction_arena_free(&list->memory);
    *list = (note_list){.count = 0};
}

static void add(note_list *list, const char *key, const char *text, double value) {
    const size_t n = list->count;
    if ((n & (n - 1)) == 0) { /* at 0, 1, 2, 4, 8, ... notes it is full */
        stiction_controller_note *grown =
            stiction_arena_take(&list->memory, (n ? 2 * n : 1) * sizeof *grown);
        if (!grown) return;
        if (n) memcpy(grown, list->notes, n * sizeof *grown);
        list->notes = grown;
    }
    const char *copy = stiction_arena_text(&list->memory, key, strlen(key));
    if (copy) list->notes[list->count++] = (stiction_controller_note){copy, text, value};
}

void note_list_number(note_list *list, const char *key, double value) {
    add(list, key, NULL, value);
}

void note_list_text(note_list *list, const char *key, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    char *text = stiction_arena_take(&list->memory, size);
    if (text) (void)vsnprintf(text, size, format, again);
    va_end(again);
    va_end(arguments);
    if (text) add(list, key, text, 0);
}

int note_list_at(const note_list *list, size_t index, stiction_controller_note *note) {
    if (index >= list->count) return 0;
    *note = list->notes[index];
    return 1;
}
