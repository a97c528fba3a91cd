/* SPDX-License-Identifier: MIT
 * An error message for the author of a text that is not YAML: libyaml's own messages describe what
 * its parser expected.
 */
#ifndef STICTION_CAPI_DOCUMENT_YAML_SYNTAX_H
#define STICTION_CAPI_DOCUMENT_YAML_SYNTAX_H

#include <stdbool.h>

/* Of a context, which may be NULL, and a problem of libyaml. *at_context: the message is about the
 * place where the context begins, not about that of the problem. */
const char *stiction_yaml_explain(const char *context, const char *problem, bool *at_context);

#endif
