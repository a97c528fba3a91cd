/* SPDX-License-Identifier: MIT
 * The elements of an MJCF file: includes in their places, classes of defaults, and where the files
 * of its meshes are.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/file.h"
#include "mjcf_reader.h"

enum { deepest = 20, most_classes = 1000, most_included = 1000 };

/* A class of defaults; one that is defined in several places is as many of these. */
struct mjcf_class {
    const char *name;
    const xml_element *element;
    const char *parent; /* NULL: none */
    const mjcf_class *next;
};

bool mjcf_holds_bodies(const xml_element *e) {
    return strcmp(e->name, "worldbody") == 0 || strcmp(e->name, "body") == 0;
}

bool mjcf_is_true(const char *value) {
    return value && strcmp(value, "true") == 0;
}

bool mjcf_is(const char *value, const char *wanted) {
    return value && strcmp(value, wanted) == 0;
}

/* ---- included files ---- */

static bool is_there(reader *r, const char *path) {
    struct stat status;
    stiction_file_notes_add(r->notes, path);
    return stat(path, &status) == 0;
}

/* A file is named relative to the first one or to the one that names it. */
static const char *find_beside(const mjcf_file *f, const xml_element *e, const char *name) {
    const char *of_first = stiction_reader_beside(f->r, f->path, name);
    const char *of_this = stiction_reader_beside(f->r, e->at.path, name);
    return is_there(f->r, of_first) || !is_there(f->r, of_this) ? of_first : of_this;
}

/* Puts the elements of included files in the place of <include>. */
static void expand_includes(mjcf_file *f, xml_element *parent, int depth) {
    for (xml_element **at = &parent->first_child, *e; (e = *at);) {
        if (strcmp(e->name, "include") != 0) {
            expand_includes(f, e, depth);
            at = &e->next;
            continue;
        }
        if (depth == deepest)
            stiction_reader_refuse(f->r, e->at, "files include each other without end");
        if (f->included++ == most_included)
            stiction_reader_refuse(f->r, e->at, "more than %d files are included", most_included);
        size_t size;
        const char *path = find_beside(f, e, xml_required(f->r, e, "file"));
        const char *text = stiction_reader_file(f->r, e->at, path, &size);
        f->included_bytes += size;
        if (f->included_bytes > FILE_MOST_DOCUMENT)
            stiction_reader_refuse(f->r, e->at, "with '%s' more than 64 MiB are included", path);
        xml_element *root = xml_parse(f->r, path, text, size);
        expand_includes(f, root, depth + 1);
        *at = root->first_child;
        for (; *at; at = &(*at)->next) (*at)->parent = parent;
        *at = e->next;
    }
}

/* ---- classes of defaults ---- */

/* <default class=...>, which may hold others; the outermost is called main. */
static void read_defaults(mjcf_file *f, const xml_element *e, const char *parent) {
    const char *name = xml_attribute(e, "class");
    if (!name) name = "main";
    if (f->class_count++ == most_classes)
        stiction_reader_refuse(f->r, e->at, "has more than %d classes of defaults", most_classes);
    mjcf_class *c = stiction_reader_alloc(f->r, sizeof *c);
    *c = (mjcf_class){name, e, parent, f->classes};
    f->classes = c;
    for (e = xml_child(e, "default"); e; e = xml_next(e, "default")) read_defaults(f, e, name);
}

/* All kinds of actuators have the same defaults. */
static bool same_kind(const xml_element *in_class, const xml_element *e) {
    static const char *const actuators[] = {"general", "motor",    "position", "velocity",
                                            "damper",  "cylinder", "muscle",   "intvelocity"};
    if (strcmp(in_class->name, e->name) == 0) return true;
    if (strcmp(e->name, "spatial") == 0) return strcmp(in_class->name, "tendon") == 0;
    if (!e->parent || strcmp(e->parent->name, "actuator") != 0) return false;
    for (size_t k = 0; k < sizeof actuators / sizeof actuators[0]; k++)
        if (strcmp(in_class->name, actuators[k]) == 0) return true;
    return false;
}

const xml_element *mjcf_find_stated(const mjcf_file *f, const xml_element *e,
                                    const char *class_name, const char *attribute) {
    if (xml_attribute(e, attribute)) return e;
    const char *own = xml_attribute(e, "class");
    const char *name = own ? own : class_name;
    for (int depth = 0; name && depth < most_classes; depth++) {
        const char *parent = NULL;
        for (const mjcf_class *c = f->classes; c; c = c->next) {
            if (strcmp(c->name, name) != 0) continue;
            for (const xml_element *d = c->element->first_child; d; d = d->next)
                if (same_kind(d, e) && xml_attribute(d, attribute)) return d;
            if (c->parent) parent = c->parent;
        }
        name = parent;
    }
    return NULL;
}

const char *mjcf_stated(const mjcf_file *f, const xml_element *e, const char *class_name,
                        const char *attribute) {
    const xml_element *stated = mjcf_find_stated(f, e, class_name, attribute);
    return stated ? xml_attribute(stated, attribute) : NULL;
}

/* ---- meshes and height fields ---- */

/* Where an asset's file is: in a folder of <compiler>, beside the first file or the one that names
 * it. Where it is nowhere, the place where MuJoCo searches first. */
static const char *find_asset(const mjcf_file *f, const xml_element *e, const char *name) {
    static const char package[] = "package://";
    static const char *const folders[] = {"meshdir", "assetdir"};
    const char *slash = strrchr(name, '/'), *first = NULL;
    if (strncmp(name, package, strlen(package)) == 0) name += strlen(package);
    if (f->strips_folders && slash) name = slash + 1;
    for (int k = 0; k <= 2; k++) {
        const char *folder = k == 2 ? "" : mjcf_compiler(f, folders[k]);
        if (!folder || (k < 2 && (!*folder || name[0] == '/'))) continue;
        const char *place =
            find_beside(f, e, *folder ? stiction_reader_format(f->r, "%s/%s", folder, name) : name);
        if (is_there(f->r, place)) return place;
        if (!first) first = place;
    }
    return first;
}

/* MuJoCo reads a file once for each reference to it. */
static void permit(mjcf_file *f, const xml_element *e, const char *path) {
    static const uint64_t most_named = UINT64_C(1) << 30;
    file_problem problem;
    struct stat status = {0};
    if (!is_there(f->r, path)) return; /* MuJoCo reports it */
    stiction_reader_permit(f->r, e->at, path);
    const int file = stiction_file_open(path, FILE_MOST_MESH, &problem);
    if (file < 0) stiction_reader_refuse(f->r, e->at, "cannot read '%s': %s", path, problem.text);
    (void)fstat(file, &status);
    (void)close(file);
    f->named_bytes += (uint64_t)status.st_size;
    if (f->named_bytes > most_named)
        stiction_reader_refuse(f->r, e->at,
                               "with '%s' the meshes and height fields have more than 1 GiB", path);
}

static const char *stem(reader *r, const char *file) {
    const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file;
    const char *dot = strrchr(start, '.');
    return stiction_reader_format(r, "%.*s", (int)(dot ? dot - start : (long)strlen(start)), start);
}

const char *mjcf_asset_name(const mjcf_file *f, const xml_element *e) {
    const char *name = xml_attribute(e, "name"), *file = xml_attribute(e, "file");
    return name && *name ? name : file && *file ? stem(f->r, file) : "";
}

bool mjcf_asset_is_there(const mjcf_file *f, const xml_element *e) {
    const char *file = xml_attribute(e, "file");
    return !file || !*file || is_there(f->r, find_asset(f, e, file));
}

const char *mjcf_asset_path(mjcf_file *f, const xml_element *e) {
    const char *file = xml_attribute(e, "file");
    if (!file || !*file) return NULL;
    const char *path = find_asset(f, e, file);
    permit(f, e, path);
    return path;
}

void mjcf_set_asset(mjcf_file *f, xml_element *e) {
    const char *name = mjcf_asset_name(f, e), *path = mjcf_asset_path(f, e);
    if (!path) return;
    xml_set(f->r, e, "name", name);
    xml_set(f->r, e, "file", path);
}

/* ---- the whole ---- */

const char *mjcf_compiler(const mjcf_file *f, const char *attribute) {
    const char *value = NULL;
    for (const xml_element *e = xml_child(f->root, "compiler"); e; e = xml_next(e, "compiler"))
        if (xml_attribute(e, attribute)) value = xml_attribute(e, attribute);
    return value;
}

bool mjcf_limits_itself(const mjcf_file *f) {
    return !mjcf_is(mjcf_compiler(f, "autolimits"), "false");
}

static void check_names(mjcf_file *f, const xml_element *e) {
    const char *name = xml_attribute(e, e == f->root ? "model" : "name");
    if (name) robot_check_name(f->r, e->at, "an element", name);
    for (const xml_element *c = e->first_child; c; c = c->next) check_names(f, c);
}

mjcf_file *mjcf_open(reader *r, stiction_place at, const char *path) {
    size_t size;
    const char *text = stiction_reader_file(r, at, path, &size);
    mjcf_file *f = stiction_reader_alloc(r, sizeof *f);
    *f = (mjcf_file){.r = r, .path = path, .root = xml_parse(r, path, text, size)};
    if (strcmp(f->root->name, "mujoco") != 0)
        stiction_reader_refuse(r, f->root->at, "is not MJCF: it begins with %s, not with <mujoco>",
                               xml_kind(f->root));
    expand_includes(f, f->root, 0);
    check_names(f, f->root);
    f->strips_folders = mjcf_is_true(mjcf_compiler(f, "strippath"));
    for (const xml_element *e = xml_child(f->root, "default"); e; e = xml_next(e, "default"))
        read_defaults(f, e, NULL);
    return f;
}
