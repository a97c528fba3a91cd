/* SPDX-License-Identifier: MIT
 * UTF-8: what YAML text and all messages are.
 */
#ifndef STICTION_CAPI_DOCUMENT_UTF8_H
#define STICTION_CAPI_DOCUMENT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The character at *text, which moves past it. A byte that starts no valid character is
 * 0xFFFFFFFF, and *text moves on by one. The text ends with a 0. */
#define UTF8_INVALID UINT32_MAX
uint32_t stiction_utf8_next(const char **text);

#endif
