/* SPDX-License-Identifier: MIT
 * Checks all files that an MJCF file names before MuJoCo opens them. Where MuJoCo searches for them
 * depends on its version, so every place that it may mean counts.
 */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/file.h"
#include "mjcf_reader.h"

typedef struct named_file {
    const char *name;
    const char *from; /* the file that names it */
    stiction_place at;
} named_file;

typedef struct named_files {
    reader *r;
    const char *path;     /* of the first file */
    const char **visited; /* files of elements */
    size_t visited_count;
    named_file *assets; /* all others */
    size_t asset_count;
    const char **folders; /* of a <compiler>: meshdir, texturedir, assetdir */
    size_t folder_count;
    bool strips;              /* the folders of names are cut off */
    uint64_t included, named; /* bytes of the files of elements, and of all others */
    char place[PATH_MAX];     /* that is checked: there are many, and none is kept */
} named_files;

/* Each asset may be in each folder. */
enum { most_included = 1000, most_places = 20000 };
static const uint64_t most_named = UINT64_C(1) << 30;

static void read_file(named_files *n, stiction_place at, const char *path);

/* The path of a name relative to the folder of a file. False: the path would be too long. */
static bool find_place(named_files *n, const char *path, const char *folder, const char *name) {
    const char *slash = strrchr(path, '/');
    if (name[0] == '/') folder = "";
    const bool is_relative = slash && (*folder ? folder : name)[0] != '/';
    const int length =
        snprintf(n->place, sizeof n->place, "%.*s%s%s%s", is_relative ? (int)(slash - path) + 1 : 0,
                 path, folder, *folder ? "/" : "", name);
    return length < (int)sizeof n->place;
}

static bool is_there(named_files *n, const char *path) {
    struct stat status;
    stiction_file_notes_add(n->r->notes, path);
    return stat(path, &status) == 0;
}

static void read_include(named_files *n, const char *from, const xml_element *e, const char *name) {
    const char *of_first = stiction_reader_beside(n->r, n->path, name);
    const char *of_this = stiction_reader_beside(n->r, from, name);
    const bool first = is_there(n, of_first), this = is_there(n, of_this);
    if (first || !this) read_file(n, e->at, of_first);
    if (this) read_file(n, e->at, of_this);
}

static void add_folder(named_files *n, const char *folder) {
    for (size_t k = 0; k < n->folder_count; k++)
        if (strcmp(n->folders[k], folder) == 0) return;
    n->folders = stiction_reader_grow(n->r, n->folders, n->folder_count, sizeof *n->folders);
    n->folders[n->folder_count++] = folder;
}

/* So that the work ends: also the folders are compared with each other. */
static void count_places(named_files *n, stiction_place at) {
    if ((n->asset_count + n->folder_count) * (n->folder_count + 1) > most_places)
        stiction_reader_refuse(n->r, at, "names files in more than %d places", most_places);
}

static void read_compiler(named_files *n, const xml_element *e) {
    static const char *const keys[] = {"meshdir", "texturedir", "assetdir"};
    const char *strips = xml_attribute(e, "strippath");
    n->strips = n->strips || (strips && strcmp(strips, "true") == 0);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const char *folder = xml_attribute(e, keys[k]);
        if (folder) add_folder(n, folder);
    }
    count_places(n, e->at);
}

static void read_element(named_files *n, const char *from, const xml_element *e) {
    const bool is_included = strcmp(e->name, "include") == 0 || strcmp(e->name, "model") == 0;
    const char *included = is_included ? xml_attribute(e, "file") : NULL;
    const char *name = xml_attribute(e, strcmp(e->name, "mujoco") == 0 ? "model" : "name");
    if (name) robot_check_name(n->r, e->at, "an element", name);
    if (strcmp(e->name, "compiler") == 0) read_compiler(n, e);
    if (included) read_include(n, from, e, included);
    for (const char *const *a = e->attributes; *a && !included; a += 2) {
        if (strncmp(a[0], "file", 4) != 0 || !*a[1]) continue; /* file, fileright, filename */
        n->assets = stiction_reader_grow(n->r, n->assets, n->asset_count, sizeof *n->assets);
        n->assets[n->asset_count++] = (named_file){a[1], from, e->at};
        count_places(n, e->at);
    }
    for (const xml_element *c = e->first_child; c; c = c->next) read_element(n, from, c);
}

static void read_file(named_files *n, stiction_place at, const char *path) {
    for (size_t k = 0; k < n->visited_count; k++)
        if (strcmp(n->visited[k], path) == 0) return;
    if (n->visited_count == most_included)
        stiction_reader_refuse(n->r, at, "more than %d files are included", most_included);
    n->visited = stiction_reader_grow(n->r, n->visited, n->visited_count, sizeof *n->visited);
    n->visited[n->visited_count++] = path;
    size_t size;
    const char *text = stiction_reader_file(n->r, at, path, &size);
    n->included += size;
    if (n->included > FILE_MOST_DOCUMENT)
        stiction_reader_refuse(n->r, at, "with '%s' more than 64 MiB are included", path);
    read_element(n, path, xml_parse(n->r, path, text, size));
}

/* MuJoCo reads a file as often as it is named. */
static void permit_place(named_files *n, const named_file *asset) {
    file_problem problem;
    struct stat status = {0};
    if (!is_there(n, n->place)) return; /* MuJoCo says so, unless it means another place */
    stiction_reader_permit(n->r, asset->at, n->place);
    const int file = stiction_file_open(n->place, FILE_MOST_MESH, &problem);
    if (file < 0)
        stiction_reader_refuse(n->r, asset->at, "cannot read '%s': %s", n->place, problem.text);
    (void)fstat(file, &status);
    (void)close(file);
    n->named += (uint64_t)status.st_size;
    if (n->named > most_named)
        stiction_reader_refuse(n->r, asset->at,
                               "with '%s' the meshes, textures and height fields have more than 1 "
                               "GiB",
                               n->place);
}

static void permit_in(named_files *n, const named_file *asset, const char *folder,
                      const char *name) {
    if (find_place(n, n->path, folder, name)) permit_place(n, asset);
    if (asset->from != n->path && find_place(n, asset->from, folder, name)) permit_place(n, asset);
}

static void permit_named(named_files *n, const named_file *asset, const char *name) {
    permit_in(n, asset, "", name);
    for (size_t k = 0; k < n->folder_count; k++) permit_in(n, asset, n->folders[k], name);
}

void mjcf_permit_files(reader *r, const char *path, const xml_element *root) {
    static const char package[] = "package://";
    named_files n = {.r = r, .path = path};
    read_element(&n, path, root);
    for (size_t k = 0; k < n.asset_count; k++) {
        const char *name = n.assets[k].name, *slash = strrchr(name, '/');
        permit_named(&n, &n.assets[k], name);
        if (n.strips && slash) permit_named(&n, &n.assets[k], slash + 1);
        if (strncmp(name, package, strlen(package)) == 0)
            permit_named(&n, &n.assets[k], name + strlen(package));
    }
}
