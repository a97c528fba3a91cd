/* SPDX-License-Identifier: MIT
 * An XML file as a tree of elements, each with its place.
 */
#ifndef STICTION_ROBOTS_XML_H
#define STICTION_ROBOTS_XML_H

#include "document/reader.h"

typedef struct xml_element xml_element;

struct xml_element {
    const char *name;
    stiction_place at;
    const char *const *attributes; /* name, value, name, value, ..., NULL */
    xml_element *parent, *first_child, *last_child, *next;
};

/* The root of a text. */
xml_element *xml_parse(reader *r, const char *path, const char *text, size_t size);

/* "<robot>": what a file of another kind begins with, where it is one that everybody knows. */
const char *xml_kind(const xml_element *root);

/* A text escaped for an attribute. */
const char *xml_escape(reader *r, const char *text);

/* The value of an attribute, or NULL. */
const char *xml_attribute(const xml_element *element, const char *name);
/* The same of an attribute that must be there. */
const char *xml_required(reader *r, const xml_element *element, const char *name);

/* Sets an attribute, or with NULL removes it. */
void xml_set(reader *r, xml_element *element, const char *name, const char *value);

/* The numbers of an attribute, with spaces between them. False: it is not there. */
bool xml_numbers(reader *r, const xml_element *element, const char *name, int count,
                 double *numbers);

/* The first child of this name, or the next sibling of it; NULL: not found. */
xml_element *xml_child(const xml_element *element, const char *name);
xml_element *xml_next(const xml_element *element, const char *name);

#endif
