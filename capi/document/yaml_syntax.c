/* SPDX-License-Identifier: MIT
 * Error messages for the problems of libyaml's scanner and parser, a row for each problem. libyaml
 * has no error codes, so its constant texts identify a problem.
 */
#include "yaml_syntax.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char not_a_directive[] =
    "a line that begins with % is a directive, such as %YAML 1.1, and this is none; quote a text "
    "that begins with %";
static const char not_a_tag[] = "this is no tag; quote a text that begins with !";
static const char not_closed[] = "a bracket is not closed, or a ',' is missing before this";
static const char not_a_key[] =
    "this does not continue the lines above: check its indentation, and quote a pattern or text "
    "that begins with [, {, * or a quote";

/*
 * The first row whose parts libyaml's context and problem have (NULL: any). Its message is about
 * the place of the problem or that where the context begins.
 */
static const struct {
    const char *context, *problem, *message;
    bool at_context;
} rows[] = {
    /* words */
    {"while scanning an alias", NULL, "a text that begins with * is an alias; quote a pattern",
     true},
    {"while scanning an anchor", NULL,
     "& must be followed by the name of an anchor, of letters, digits, - and _; quote a text that "
     "begins with &",
     true},
    {NULL, "found character that cannot start any token",
     "a value cannot begin with this character, and lines are indented by spaces, not tabs; quote "
     "a text that begins so",
     false},
    {NULL, "found a tab character", "a tab is used where only spaces are allowed", false},
    {NULL, "found unexpected document indicator",
     "--- or ... is at the start of a line inside a quote; is that quote closed?", false},
    {NULL, "found unexpected end of stream", "this quote is not closed", true},
    {NULL, "found unknown escape character",
     "this means nothing in double quotes; write \\\\ for a backslash, or use single quotes",
     false},
    {NULL, "did not find expected hexdecimal number",
     "\\x, \\u and \\U in double quotes need 2, 4 and 8 hexadecimal digits", false},
    {NULL, "found invalid Unicode character escape code", "this is the number of no character",
     false},
    {NULL, "found unexpected ':'", "a space is missing after ':'", false},
    {"while scanning a block scalar", NULL,
     "only a digit from 1 to 9, + or - may follow | or >; the text begins on the next line", false},
    /* lines */
    {NULL, "could not find expected ':'", "a ':' and a space are missing after this key", true},
    {NULL, "mapping values are not allowed in this context",
     "unexpected key: the line has a second ': ', is indented differently from the lines above, "
     "or a ':' is missing before it",
     false},
    {NULL, "did not find expected key", not_a_key, false},
    {NULL, "did not find expected '-' indicator", not_a_key, false},
    {NULL, "block sequence entries are not allowed in this context",
     "'- ' begins a list item, which needs a line of its own; quote a text that begins so", false},
    {NULL, "mapping keys are not allowed in this context",
     "'? ' begins a key, which needs a line of its own; quote a text that begins so", false},
    {NULL, "did not find expected <document start>", not_a_key, false},
    /* lists and mappings in brackets */
    {NULL, "did not find expected ',' or ']'", not_closed, false},
    {NULL, "did not find expected ',' or '}'", not_closed, false},
    {NULL, "did not find expected node content", "a value is expected here", false},
    /* directives and tags, of which no format here makes use */
    {NULL, "found incompatible YAML document",
     "the file declares a YAML version other than 1.1 and 1.2", false},
    {NULL, "found duplicate %YAML directive", "%YAML is given twice", false},
    {NULL, "found duplicate %TAG directive", "this %TAG is given twice", false},
    {"directive", NULL, not_a_directive, true},
    {"ing a tag", NULL, not_a_tag, true},
    {NULL, "found undefined tag handle", not_a_tag, true},
};

static bool has(const char *text, const char *part) {
    return !part || (text && strstr(text, part));
}

const char *stiction_yaml_explain(const char *context, const char *problem, bool *at_context) {
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (!has(context, rows[k].context) || !has(problem, rows[k].problem)) continue;
        *at_context = rows[k].at_context;
        return rows[k].message;
    }
    *at_context = false;
    return "it cannot be read from here on";
}
