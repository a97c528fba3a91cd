/* SPDX-License-Identifier: MIT
 * Texts as YAML takes them for texts; numbers are number.h's.
 */
#ifndef STICTION_CAPI_DOCUMENT_YAML_WRITE_H
#define STICTION_CAPI_DOCUMENT_YAML_WRITE_H

#include <stdbool.h>
#include <stdio.h>

/* Plain where it is a word that no reader takes for anything else, in quotes otherwise. False: the
 * text is not UTF-8. */
bool stiction_yaml_write_text(FILE *out, const char *text);

#endif
