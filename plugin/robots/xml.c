/* SPDX-License-Identifier: MIT
 * An XML file as a tree of elements, from expat's events.
 */
#include "xml.h"

#include <expat.h>
#include <string.h>

/* Far more than any robot has. */
enum { deepest = 200, most_elements = 3000000 };

typedef struct parse {
    XML_Parser parser;
    reader *r;
    const char *path;
    xml_element *root, *current;
    int depth;
    const char *refusal;    /* why a handler stopped the parser, */
    stiction_place refused; /* and where */
} parse;

static void finish_parse(void *memory) {
    parse *p = memory;
    if (p->parser) XML_ParserFree(p->parser);
    p->parser = NULL;
}

static stiction_place here(const parse *p) {
    return (stiction_place){p->path, (int)XML_GetCurrentLineNumber(p->parser),
                            (int)XML_GetCurrentColumnNumber(p->parser) + 1};
}

static void stop(parse *p, const char *refusal) {
    p->refusal = refusal;
    p->refused = here(p);
    (void)XML_StopParser(p->parser, XML_FALSE);
}

static const char *const *copy_attributes(reader *r, const char **attributes) {
    size_t count = 0;
    while (attributes[count]) count++;
    const char **copies = stiction_reader_alloc(r, (count + 1) * sizeof *copies);
    for (size_t k = 0; k < count; k++) copies[k] = stiction_reader_text(r, attributes[k]);
    r->elements += count / 2;
    return copies;
}

static void append(xml_element *parent, xml_element *child) {
    if (parent->last_child)
        parent->last_child->next = child;
    else
        parent->first_child = child;
    parent->last_child = child;
}

static void XMLCALL start_element(void *user, const char *name, const char **attributes) {
    parse *p = user;
    if (++p->depth > deepest) {
        stop(p, "is nested more than 200 levels deep");
        return;
    }
    if (++p->r->elements > most_elements) {
        stop(p, "has more than 3000000 elements and attributes, with the files that it names");
        return;
    }
    xml_element *element = stiction_reader_alloc(p->r, sizeof *element);
    element->name = stiction_reader_text(p->r, name);
    element->at = here(p);
    element->attributes = copy_attributes(p->r, attributes);
    element->parent = p->current;
    if (p->current)
        append(p->current, element);
    else
        p->root = element;
    p->current = element;
}

static void XMLCALL end_element(void *user, const char *name) {
    (void)name;
    parse *p = user;
    p->current = p->current->parent;
    p->depth--;
}

/* Entities would make places in the text meaningless; no robot needs them. */
static void XMLCALL start_doctype(void *user, const char *name, const char *system_id,
                                  const char *public_id, int has_internal_subset) {
    (void)name, (void)system_id, (void)public_id, (void)has_internal_subset;
    stop(user, "document type declarations are not read");
}

xml_element *xml_parse(reader *r, const char *path, const char *text, size_t size) {
    parse *p = stiction_reader_own(r, sizeof *p, finish_parse);
    p->r = r;
    p->path = path;
    p->parser = XML_ParserCreate(NULL);
    if (!p->parser) stiction_reader_no_memory(r);
    XML_SetUserData(p->parser, p);
    XML_SetElementHandler(p->parser, start_element, end_element);
    XML_SetStartDoctypeDeclHandler(p->parser, start_doctype);
    const bool whole = XML_Parse(p->parser, text, (int)size, 1) == XML_STATUS_OK;
    if (p->refusal) stiction_reader_refuse(r, p->refused, "%s", p->refusal);
    if (!whole && XML_GetErrorCode(p->parser) == XML_ERROR_NO_MEMORY) stiction_reader_no_memory(r);
    if (!whole)
        stiction_reader_refuse(r, here(p), "%s", XML_ErrorString(XML_GetErrorCode(p->parser)));
    finish_parse(p);
    return p->root;
}

const char *xml_kind(const xml_element *root) {
    static const char *const known[] = {"<robot>", "<mujoco>",  "<mujocoinclude>",
                                        "<sdf>",   "<COLLADA>", "<launch>"};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strlen(root->name) + 2 == strlen(known[k]) &&
            strncmp(root->name, known[k] + 1, strlen(root->name)) == 0)
            return known[k];
    return "another element";
}

const char *xml_escape(reader *r, const char *text) {
    static const char *const names[256] = {['&'] = "&amp;", ['<'] = "&lt;", ['"'] = "&quot;"};
    char *escaped = stiction_reader_alloc(r, 6 * strlen(text) + 1), *to = escaped;
    for (; *text; text++) {
        const char *name = names[(unsigned char)*text];
        if (name)
            to = stpcpy(to, name);
        else
            *to++ = *text;
    }
    return escaped;
}

const char *xml_attribute(const xml_element *element, const char *name) {
    for (const char *const *a = element->attributes; *a; a += 2)
        if (strcmp(a[0], name) == 0) return a[1];
    return NULL;
}

void xml_set(reader *r, xml_element *element, const char *name, const char *value) {
    size_t count = 0, kept = 0;
    while (element->attributes[count]) count++;
    const char **copy = stiction_reader_alloc(r, (count + 3) * sizeof *copy);
    for (size_t k = 0; k < count; k += 2)
        if (strcmp(element->attributes[k], name) != 0) {
            copy[kept++] = element->attributes[k];
            copy[kept++] = element->attributes[k + 1];
        }
    if (value) {
        copy[kept++] = name;
        copy[kept++] = value;
    }
    element->attributes = copy;
}

const char *xml_required(reader *r, const xml_element *element, const char *name) {
    const char *value = xml_attribute(element, name);
    if (!value)
        stiction_reader_refuse(r, element->at, "<%s> lacks the attribute '%s'", element->name,
                               name);
    return value;
}

bool xml_numbers(reader *r, const xml_element *element, const char *name, int count,
                 double *numbers) {
    static const char space[] = " \t\r\n";
    const char *text = xml_attribute(element, name);
    if (!text) return false;
    int found = 0;
    for (text += strspn(text, space); *text; text += strspn(text, space), found++) {
        const size_t length = strcspn(text, space);
        /* the others are counted only: there may be millions */
        if (found < count)
            numbers[found] = stiction_reader_number(
                r, element->at, name, stiction_reader_format(r, "%.*s", (int)length, text));
        text += length;
    }
    if (found != count)
        stiction_reader_refuse(r, element->at, "%s must have %d numbers, not %d", name, count,
                               found);
    return true;
}

static xml_element *first_named(xml_element *element, const char *name) {
    while (element && strcmp(element->name, name) != 0) element = element->next;
    return element;
}

xml_element *xml_child(const xml_element *element, const char *name) {
    return first_named(element->first_child, name);
}

xml_element *xml_next(const xml_element *element, const char *name) {
    return first_named(element->next, name);
}
