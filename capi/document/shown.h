/* SPDX-License-Identifier: MIT
 * How any text from outside is shown to people: one line in which nothing is hidden. Control
 * characters, line ends, marks that turn or hide what stands around them, and bytes that are no
 * UTF-8 become \n, \t, \r, \x1b, \u202e, \U000e0041. A backslash stays as it is: messages quote
 * others that were shown before, and what was shown once must not change again.
 */
#ifndef STICTION_CAPI_DOCUMENT_SHOWN_H
#define STICTION_CAPI_DOCUMENT_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arena.h"

/* The UTF-8 character at *text, which moves past it. A byte that starts no valid character is
 * UTF8_INVALID, and *text moves on by one. The text ends with a 0. */
#define UTF8_INVALID UINT32_MAX
uint32_t stiction_utf8_next(const char **text);

/* Whether a character, or UTF8_INVALID, is shown as an escape. */
bool stiction_is_escaped(uint32_t character);
/* Whether a text is shown as it is. */
bool stiction_is_plain(const char *text);

/* Writes what fits, whole escapes and characters with a terminating 0; returns the length of the
 * whole. */
size_t stiction_show(const char *text, char *out, size_t size);

/* The same in a buffer that holds the text, of at most SHOWN_MOST bytes. */
enum { SHOWN_MOST = 4096 };
void stiction_show_in_place(char *text, size_t size);

/* A copy, the caller's or the arena's; NULL: no memory. */
char *stiction_shown_copy(const char *text);
char *stiction_shown_text(arena *memory, const char *text);

/* False: it could not be written. A part of a text ends before an ASCII character. */
bool stiction_show_part(FILE *out, const char *text, const char *end);
bool stiction_show_to(FILE *out, const char *text);

#endif
