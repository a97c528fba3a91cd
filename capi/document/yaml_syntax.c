/* SPDX-License-Identifier: MIT
 * Error messages for the problems of libyaml's scanner and parser, a row for each problem. libyaml
 * has no error codes, so its constant texts identify a problem. Details that they lack (an
 * indentation, a pattern without quotes) are found in the text of the file.
 */
#include "yaml_syntax.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The text. */

static char byte_at(const syntax_problem *p, size_t offset) {
    return offset < p->size ? p->text[offset] : '\0';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool ends_line(char c) {
    return c == '\0' || c == '\n' || c == '\r';
}

/* Lines: found once, then walked from, so that the time stays short whatever the file. */
typedef struct text_line {
    size_t start;
    int number;
} text_line;

static bool breaks_line(const syntax_problem *p, size_t k) {
    return p->text[k] == '\n' || (p->text[k] == '\r' && byte_at(p, k + 1) != '\n');
}

static text_line line_after(const syntax_problem *p, text_line line) {
    while (line.start < p->size && !breaks_line(p, line.start++)) continue;
    line.number++;
    return line;
}

static text_line line_at(const syntax_problem *p, int number) {
    text_line line = {0, 1};
    while (line.number < number && line.start < p->size) line = line_after(p, line);
    return line;
}

/* The byte of a place, whose column counts characters. */
static size_t offset_of(const syntax_problem *p, stiction_place at) {
    size_t k = line_at(p, at.line).start;
    for (int column = 1; k < p->size && !ends_line(p->text[k]); k++) {
        if ((p->text[k] & 0xC0) == 0x80) continue;
        if (column++ == at.column) break;
    }
    return k;
}

static int indentation(const syntax_problem *p, text_line line) {
    int n = 0;
    while (byte_at(p, line.start + (size_t)n) == ' ') n++;
    return n;
}

/* Whether a line has more than blanks and a comment. */
static bool has_content(const syntax_problem *p, text_line line) {
    size_t k = line.start;
    while (is_blank(byte_at(p, k))) k++;
    return !ends_line(byte_at(p, k)) && byte_at(p, k) != '#';
}

/* The column of the first key of a line: after the dashes of list items. */
static int key_indentation(const syntax_problem *p, text_line line) {
    size_t k = line.start + (size_t)indentation(p, line);
    while (byte_at(p, k) == '-' && is_blank(byte_at(p, k + 1)))
        for (k++; is_blank(byte_at(p, k)); k++) continue;
    return (int)(k - line.start);
}

/* The last line with content before another; its number is 0 if there is none. */
static text_line line_before(const syntax_problem *p, int number) {
    text_line found = {0, 0};
    for (text_line line = {0, 1}; line.number < number; line = line_after(p, line))
        if (has_content(p, line)) found = line;
    return found;
}

static bool begins_line(const syntax_problem *p, stiction_place at) {
    return at.column == indentation(p, line_at(p, at.line)) + 1;
}

/* The text from a byte on up to the end of a key, a value or the line, for "'%.*s'". */
enum { longest_word = 40 };

static int word_length(const syntax_problem *p, size_t from) {
    int n = 0;
    while (n < longest_word && !ends_line(byte_at(p, from + (size_t)n))) {
        const char c = byte_at(p, from + (size_t)n), next = byte_at(p, from + (size_t)n + 1);
        if (is_blank(c) || (c == ':' && (is_blank(next) || ends_line(next)))) break;
        n++;
    }
    return n;
}

/* The same, in { } or [ ]. */
static int pattern_length(const syntax_problem *p, size_t from) {
    const int whole = word_length(p, from);
    const int depth_of[256] = {['['] = 1, [']'] = -1};
    int depth = 0, n = 0;
    for (; n < whole; n++) {
        const char c = byte_at(p, from + (size_t)n);
        depth += depth_of[(unsigned char)c];
        if (depth < 0 || c == ',' || c == '}') break;
    }
    return n;
}

/* Messages. */

#define FORMAT(...) (void)snprintf(message, SYNTAX_MESSAGE, __VA_ARGS__)

/* With words of the file. */
#define FORMAT_QUOTING(...)                                                                        \
    do {                                                                                           \
        if (p->is_stranger)                                                                        \
            FORMAT("%s", unknown);                                                                 \
        else                                                                                       \
            FORMAT(__VA_ARGS__);                                                                   \
    } while (0)

static const char unknown[] = "it cannot be read from here on";

typedef stiction_place explain(const syntax_problem *p, char message[SYNTAX_MESSAGE]);

/* A place in the line of another one. */
static stiction_place moved(stiction_place at, size_t back) {
    at.column -= (int)back;
    return at;
}

/* "[LR]WR*": the text before the place belongs to it. */
static size_t bracket_before(const syntax_problem *p, size_t offset) {
    size_t back = 0;
    if (offset == 0 || byte_at(p, offset - 1) != ']') return 0;
    while (back < offset && !ends_line(byte_at(p, offset - back - 1))) {
        back++;
        if (byte_at(p, offset - back) == '[') return back;
    }
    return 0;
}

static stiction_place describe_pattern(const syntax_problem *p, stiction_place at, const char *why,
                                       char message[SYNTAX_MESSAGE]) {
    const size_t offset = offset_of(p, at), back = bracket_before(p, offset);
    const char *word = p->text + offset - back;
    const int length = pattern_length(p, offset - back);
    FORMAT_QUOTING("'%.*s' %s; quote the pattern: \"%.*s\"", length, word,
                   back ? "begins with a list in [ ]" : why, length, word);
    return moved(at, back);
}

static stiction_place explain_name(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    if (byte_at(p, offset_of(p, p->begun)) == '*')
        return describe_pattern(p, p->begun, "begins with *, as an alias does", message);
    FORMAT("& must be followed by the name of an anchor, of letters, digits, - and _; quote a "
           "text that begins with &");
    return p->begun;
}

/* The smallest indentation above that of a line, of keys and list items since another line; -1. */
static int deeper_than(const syntax_problem *p, text_line line, int since) {
    const int own = indentation(p, line);
    int deeper = -1;
    for (text_line k = line_at(p, since); k.number < line.number; k = line_after(p, k)) {
        if (!has_content(p, k)) continue;
        const int both[] = {indentation(p, k), key_indentation(p, k)};
        for (int n = 0; n < 2; n++)
            if (both[n] > own && (deeper < 0 || both[n] < deeper)) deeper = both[n];
    }
    return deeper;
}

static void describe_indentation(int own, int expected, int or, char message[SYNTAX_MESSAGE]) {
    if (or >= 0 && or != expected)
        FORMAT("the line is indented by %d, expected %d or %d", own, expected, or);
    else
        FORMAT("the line is indented by %d, expected %d", own, expected);
}

/* What follows a value in its line. */
static stiction_place explain_rest(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    const size_t offset = offset_of(p, p->at);
    const char c = byte_at(p, offset);
    size_t before = offset;
    while (before > 0 && is_blank(byte_at(p, before - 1))) before--;
    const char last = before > 0 ? byte_at(p, before - 1) : '\0';
    if (c == '}' || c == ']')
        FORMAT("a '%c' has no '%c' before it", c, c == '}' ? '{' : '[');
    else if (bracket_before(p, offset))
        return describe_pattern(p, p->at, "", message);
    else if (last == '\'' || last == '"')
        FORMAT_QUOTING("'%.*s' follows a closing quote; quote the whole text, and write a quote "
                       "inside it as %s",
                       word_length(p, offset), p->text + offset, last == '"' ? "\\\"" : "''");
    else if (ends_line(c))
        FORMAT("a value ends here and nothing follows it");
    else
        FORMAT_QUOTING("'%.*s' follows the end of a value",
                       word_length(p, offset) ? word_length(p, offset) : 1, p->text + offset);
    return p->at;
}

/* A line at an indentation at which there is nothing, or not of its kind. */
static stiction_place explain_line(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    const int expected = p->begun.column - 1;
    const text_line line = line_at(p, p->at.line);
    if (!begins_line(p, p->at)) return explain_rest(p, message);
    if (indentation(p, line) != expected)
        describe_indentation(indentation(p, line), expected, deeper_than(p, line, p->begun.line),
                             message);
    else if (byte_at(p, offset_of(p, p->at)) == '-')
        FORMAT("a list item is given where the keys of line %d continue", p->begun.line);
    else
        FORMAT("a '-' is missing: the list items of line %d continue here", p->begun.line);
    return p->at;
}

/* What follows the end of the document. */
static stiction_place explain_end(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    text_line first = {0, 1};
    while (first.number < p->at.line && !has_content(p, first)) first = line_after(p, first);
    if (!begins_line(p, p->at) || p->at.line == first.number) return explain_rest(p, message);
    if (p->at.column - 1 != indentation(p, first))
        describe_indentation(p->at.column - 1, indentation(p, first), -1, message);
    else
        FORMAT("the document has ended before this line");
    return p->at;
}

/* A key without its colon, or without a space after it. */
static void describe_colon(const syntax_problem *p, size_t word, char message[SYNTAX_MESSAGE]) {
    const int length = word_length(p, word);
    if (length > 0 && memchr(p->text + word, ':', (size_t)length))
        FORMAT_QUOTING("a space is missing after the ':' of '%.*s'", length, p->text + word);
    else
        FORMAT_QUOTING("a ':' and a space are missing after '%.*s'", length, p->text + word);
}

/* The ':' of a key that cannot be one here: it goes on with the line before, or with its own. */
static stiction_place explain_value(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    const size_t colon = offset_of(p, p->at);
    const text_line line = line_at(p, p->at.line), before = line_before(p, p->at.line);
    size_t k = line.start + (size_t)key_indentation(p, line);
    while (k < colon && !(byte_at(p, k) == ':' && is_blank(byte_at(p, k + 1)))) k++;
    if (k < colon || before.number == 0) {
        FORMAT("a line has a second ': '; put its mapping into { } or on a line of its "
               "own, or quote the text");
        return p->at;
    }
    const int expected = key_indentation(p, before), own = indentation(p, line);
    if (own != expected) {
        describe_indentation(own, expected, -1, message);
        return (stiction_place){p->at.path, line.number, own + 1};
    }
    describe_colon(p, before.start + (size_t)expected, message);
    return (stiction_place){p->at.path, before.number, expected + 1};
}

static stiction_place explain_key(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    describe_colon(p, offset_of(p, p->begun), message);
    return p->begun;
}

static stiction_place explain_flow(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    const char open = byte_at(p, offset_of(p, p->begun)), found = byte_at(p, offset_of(p, p->at));
    if (offset_of(p, p->at) >= p->size)
        FORMAT("the '%c' of line %d is not closed", open, p->begun.line);
    else if (found == '}' || found == ']')
        FORMAT("a '%c' is given where the '%c' of line %d is open", found, open, p->begun.line);
    else
        FORMAT("the '%c' of line %d is not closed, or a ',' is missing", open, p->begun.line);
    return p->at;
}

static stiction_place explain_content(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    const char found = byte_at(p, offset_of(p, p->at));
    if (found == '}' || found == ']' || found == ',')
        FORMAT("a '%c' is given where a value is expected", found);
    else
        FORMAT("a value is expected here");
    return p->at;
}

static stiction_place explain_start(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    FORMAT("a value cannot begin with '%c'; quote it", byte_at(p, offset_of(p, p->at)));
    return p->at;
}

static stiction_place explain_document(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    /* of a line break that only libyaml knows (U+0085, U+2028) the place lies at the text's end */
    const size_t offset = offset_of(p, p->at);
    FORMAT_QUOTING(
        "'%.*s' is at the start of a line inside the quote of line %d; is that quote closed?",
        word_length(p, offset), p->text + offset, p->begun.line);
    return p->at;
}

static stiction_place explain_escape(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    const char c = byte_at(p, offset_of(p, p->at) + 1);
    if (c > ' ' && c < 0x7F)
        FORMAT_QUOTING(
            "'\\%c' means nothing in double quotes; write '\\\\' for a backslash, or use single "
            "quotes",
            c);
    else
        FORMAT("a backslash in double quotes is written '\\\\'; or use single quotes");
    return p->at;
}

static const char not_a_directive[] =
    "a line that begins with % is a directive, such as %YAML 1.1, and this is none; quote a text "
    "that begins with %";
static const char not_a_tag[] = "this is no tag; quote a text that begins with !";

/*
 * The first row whose parts libyaml's context and problem have (NULL: any). A row has a message,
 * about the place of the problem or that where the context begins, or a function that finds one.
 */
static const struct {
    const char *context, *problem;
    explain *find;
    const char *message;
    bool at_context;
} rows[] = {
    /* words */
    {"while scanning an alias", NULL, explain_name, NULL, false},
    {"while scanning an anchor", NULL, explain_name, NULL, false},
    {NULL, "found character that cannot start any token", explain_start, NULL, false},
    {NULL, "found unexpected document indicator", explain_document, NULL, false},
    {NULL, "found unexpected end of stream", NULL, "this quote is not closed", true},
    {NULL, "found unknown escape character", explain_escape, NULL, false},
    {NULL, "did not find expected hexdecimal number", NULL,
     "\\x, \\u and \\U in double quotes need 2, 4 and 8 hexadecimal digits", false},
    {NULL, "found invalid Unicode character escape code", NULL,
     "this is the number of no character", false},
    {NULL, "found unexpected ':'", NULL, "a space is missing after ':'", false},
    {"while scanning a block scalar", NULL, NULL,
     "only a digit from 1 to 9, + or - may follow | or >; the text begins on the next line", false},
    /* lines */
    {NULL, "could not find expected ':'", explain_key, NULL, false},
    {NULL, "mapping values are not allowed in this context", explain_value, NULL, false},
    {NULL, "did not find expected key", explain_line, NULL, false},
    {NULL, "did not find expected '-' indicator", explain_line, NULL, false},
    {NULL, "block sequence entries are not allowed in this context", NULL,
     "'- ' begins a list item, which needs a line of its own; quote a text that begins so", false},
    {NULL, "mapping keys are not allowed in this context", NULL,
     "'? ' begins a key, which needs a line of its own; quote a text that begins so", false},
    {NULL, "did not find expected <document start>", explain_end, NULL, false},
    /* lists and mappings in brackets */
    {NULL, "did not find expected ',' or ']'", explain_flow, NULL, false},
    {NULL, "did not find expected ',' or '}'", explain_flow, NULL, false},
    {NULL, "did not find expected node content", explain_content, NULL, false},
    /* directives and tags, of which no format here makes use */
    {NULL, "found incompatible YAML document", NULL,
     "the file declares a YAML version other than 1.1 and 1.2", false},
    {NULL, "found duplicate %YAML directive", NULL, "%YAML is given twice", false},
    {NULL, "found duplicate %TAG directive", NULL, "this %TAG is given twice", false},
    {"directive", NULL, NULL, not_a_directive, true},
    {"ing a tag", NULL, NULL, not_a_tag, true},
    {NULL, "found undefined tag handle", NULL, not_a_tag, true},
};

static bool has(const char *text, const char *part) {
    return !part || (text && strstr(text, part));
}

stiction_place stiction_yaml_explain(const syntax_problem *p, char message[SYNTAX_MESSAGE]) {
    if (byte_at(p, offset_of(p, p->at)) == '\t') {
        FORMAT("a tab is used where only spaces are allowed");
        return p->at;
    }
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (!has(p->context, rows[k].context) || !has(p->problem, rows[k].problem)) continue;
        if (rows[k].find) return rows[k].find(p, message);
        FORMAT("%s", rows[k].message);
        return rows[k].at_context ? p->begun : p->at;
    }
    FORMAT("%s", unknown);
    return p->at;
}
