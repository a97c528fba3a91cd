/* SPDX-License-Identifier: MIT
 * Meshes: read by a process of its own, kept for the life of the reader.
 */
#include "mesh.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "sandbox.h"
#include "triangles.h"

/* Limits for all meshes of a reader together: hulls, and processor time in s, where each mesh
 * counts for a minimum. */
enum { most_hulls = 20000 };
static const double least_seconds = 0.01;

/* Of the time for meshes that are drawn: a picture is not worth more. */
enum { most_seconds_drawn = 5 };

static const struct {
    const char *ending;
    mesh_importer *import;
} formats[] = {
    {".stl", mesh_import_assimp},
    {".obj", mesh_import_assimp},
    {".dae", mesh_import_assimp},
    {".wrl", mesh_import_vrml},
};
enum { format_count = sizeof formats / sizeof formats[0] };

static mesh_importer *importer_of(const char *path) {
    const char *ending = strrchr(path, '.');
    for (size_t k = 0; ending && k < format_count; k++)
        if (strcasecmp(ending, formats[k].ending) == 0) return formats[k].import;
    return NULL;
}

/* The head of the reply, before the corners of all parts. */
typedef struct reply {
    char problem[sizeof((stiction_error *)NULL)->message], note[TRIANGLES_NOTE];
    double swelling;
    bool flat, is_forbidden, names_files;
    size_t part_count, face_count; /* faces of a surface, the one part */
    size_t corner_counts[MESH_MOST_PARTS];
} reply;

/* ---- in the other process ---- */

typedef struct request {
    const char *path;       /* NULL: the triangles are given */
    const char *untrusted;  /* see reader.h */
    const triangles *given; /* these are not changed */
    size_t most_faces;      /* see reader.h */
} request;

/* Of the one request that a process answers. */
static triangles imported;
static mesh_parts parts;

static void *make_parts(reader *r, const void *context) {
    const request *q = context;
    if (q->given) imported = *q->given;
    imported.r = r;
    if (q->path) {
        size_t size;
        mesh_importer *import = importer_of(q->path);
        const char *bytes = mesh_file_bytes(&imported, q->path, &size);
        /* assimp would open what an OBJ names, wherever that is */
        if (import == mesh_import_assimp) sandbox_open_no_more();
        import(&imported, q->path, bytes, size);
    }
    if (q->most_faces) {
        mesh_make_surface(&imported, q->most_faces);
        parts.items[0] = (mesh_part){imported.vertices, imported.vertex_count};
        parts.count = 1;
    } else {
        mesh_make_parts(&imported, &parts);
    }
    return &parts;
}

static void answer(void *context, int out) {
    const request *q = context;
    static reply head;
    stiction_error error;
    reader r = {.error = &error, .untrusted = q->untrusted};
    if (!stiction_reader_run(&r, make_parts, q)) {
        parts.count = 0;
        memcpy(head.problem, error.message, sizeof head.problem);
    }
    memcpy(head.note, imported.note, sizeof head.note);
    head.swelling = parts.swelling;
    head.flat = parts.flat;
    head.is_forbidden = imported.is_forbidden;
    head.names_files = imported.names_files;
    head.part_count = parts.count;
    head.face_count = q->most_faces ? imported.count : 0;
    for (size_t k = 0; k < parts.count; k++) head.corner_counts[k] = parts.items[k].count;
    sandbox_write(out, &head, sizeof head);
    for (size_t k = 0; k < parts.count; k++)
        sandbox_write(out, parts.items[k].corners, 3 * parts.items[k].count * sizeof(double));
    if (parts.count) sandbox_write(out, imported.corners, 3 * head.face_count * sizeof(int));
}

/* ---- in this one ---- */

/* Whether a reply has counts that are possible. */
static bool is_plausible(const reply *head, size_t most_faces) {
    if (most_faces)
        return head->part_count == 1 && head->corner_counts[0] >= 3 &&
               head->corner_counts[0] <= 3 * most_faces && head->face_count >= 1 &&
               head->face_count <= most_faces;
    if (head->face_count) return false;
    if (head->part_count < 1 || head->part_count > MESH_MOST_PARTS) return false;
    for (size_t k = 0; k < head->part_count; k++)
        if (head->corner_counts[k] < 4 || head->corner_counts[k] > MESH_MOST_CORNERS) return false;
    return true;
}

static mesh *receive_parts(reader *r, sandbox *box, const reply *head) {
    mesh *first = NULL, **to = &first;
    for (size_t k = 0; k < head->part_count; k++) {
        const size_t size = 3 * head->corner_counts[k] * sizeof(double);
        mesh *part = stiction_arena_take(&r->memory, sizeof *part);
        double *corners = stiction_arena_take(&r->memory, size);
        if (!part || !corners || !sandbox_read(box, corners, size)) return NULL;
        for (size_t i = 0; i < 3 * head->corner_counts[k]; i++)
            if (!isfinite(corners[i])) return NULL;
        *part = (mesh){.count = head->corner_counts[k], .vertices = corners};
        *to = part;
        to = (mesh **)&part->next;
    }
    return first;
}

static bool receive_faces(reader *r, sandbox *box, const reply *head, mesh *of) {
    const size_t size = 3 * head->face_count * sizeof(int);
    int *faces = stiction_arena_take(&r->memory, size);
    if (!faces || !sandbox_read(box, faces, size)) return false;
    for (size_t k = 0; k < 3 * head->face_count; k++)
        if (faces[k] < 0 || (size_t)faces[k] >= of->count) return false;
    of->faces = faces;
    of->face_count = head->face_count;
    return true;
}

/* What MuJoCo takes for a volume. */
static bool is_too_small(const mesh *part) {
    double low[3], high[3], volume = 1;
    for (size_t i = 0; i < 3; i++) {
        low[i] = high[i] = part->vertices[i];
        for (size_t k = 1; k < part->count; k++) {
            low[i] = fmin(low[i], part->vertices[3 * k + i]);
            high[i] = fmax(high[i], part->vertices[3 * k + i]);
        }
        volume *= high[i] - low[i];
    }
    return !(volume > 1e-12);
}

/* The scaled parts, without those that are too small. */
static const mesh *scale_parts(reader *r, stiction_place at, const char *what, const mesh *all,
                               const double scale[3]) {
    const mesh *first = NULL, **to = &first;
    for (const mesh *part = all; part; part = part->next) {
        mesh *scaled = stiction_reader_alloc(r, sizeof *scaled);
        double *vertices = stiction_reader_alloc(r, 3 * part->count * sizeof *vertices);
        for (size_t k = 0; k < 3 * part->count; k++) vertices[k] = part->vertices[k] * scale[k % 3];
        *scaled = *part;
        scaled->vertices = vertices;
        scaled->next = NULL;
        if (!part->faces && is_too_small(scaled)) continue;
        *to = scaled;
        to = &scaled->next;
    }
    if (all && !first)
        stiction_reader_warn(r, at, "%s is too small to touch anything, below 1e-12 m^3", what);
    return first;
}

/* Kept by the reader. */
typedef struct kept_mesh {
    const char *path;
    bool there; /* then a file of another name may be the same: */
    dev_t device;
    ino_t number;
    const mesh *made; /* NULL: it could not be read, and a warning was given */
    const struct kept_mesh *next;
} kept_mesh;

typedef struct kept_meshes {
    const kept_mesh *first;
    size_t hulls; /* that were handed out */
} kept_meshes;

static kept_meshes *kept_by(reader *r) {
    if (!r->meshes) r->meshes = stiction_reader_alloc(r, sizeof(kept_meshes));
    return (kept_meshes *)r->meshes;
}

static void count_mesh(reader *r, stiction_place at, const char *what) {
    const int most = r->most_faces ? most_seconds_drawn
                                   : sandbox_limits_of(r->untrusted, r->is_stopped).all_seconds;
    if (r->seconds > most)
        stiction_reader_refuse(r, at,
                               "the meshes before %s took more than %d s of processor time, each "
                               "%g s at least",
                               what, most, least_seconds);
    r->seconds += least_seconds;
}

static mesh *make(reader *r, stiction_place at, const char *what, request *q) {
    sandbox box;
    reply head = {0};
    mesh *made = NULL;
    if (q->path && importer_of(q->path) == mesh_import_assimp) mesh_prepare_assimp();
    const sandbox_limits limits = sandbox_limits_of(r->untrusted, r->is_stopped);
    sandbox_start(&box, &limits, answer, q);
    const bool answered = sandbox_read(&box, &head, sizeof head);
    head.problem[sizeof head.problem - 1] = head.note[sizeof head.note - 1] = '\0';
    if (answered && !head.problem[0] && is_plausible(&head, q->most_faces))
        made = receive_parts(r, &box, &head);
    if (made && q->most_faces && !receive_faces(r, &box, &head, made)) made = NULL;
    sandbox_end(&box);
    r->seconds += box.used;
    if (box.stopped) stiction_reader_refuse(r, at, "%s: %s", what, box.problem);
    const char *problem = box.problem[0] ? box.problem : head.problem;
    /* only the other process knows which files, and it may have crashed */
    if (r->notes && (!made || head.names_files)) r->notes->incomplete = true;
    if (answered && head.is_forbidden)
        stiction_reader_refuse(r, at, "%s names a file: %s", what, head.problem);
    if (!made)
        stiction_reader_warn(r, at, "%s %s: it does not touch anything", what,
                             *problem ? problem : "could not be read");
    if (made && head.note[0]) stiction_reader_warn(r, at, "%s %s", what, head.note);
    if (made && head.flat)
        stiction_reader_warn(r, at, "%s is flat: its hull is made 1 %% of its length thick", what);
    if (made && head.swelling > mesh_much_larger)
        stiction_reader_warn(r, at,
                             "the convex hull of %s, which touches, is %.1f times as large as the "
                             "mesh",
                             what, head.swelling);
    return made;
}

static const mesh *read_once(reader *r, stiction_place at, const char *path) {
    kept_meshes *all = kept_by(r);
    struct stat file = {0};
    stiction_file_notes_add(r->notes, path);
    const bool there = stat(path, &file) == 0;
    for (const kept_mesh *k = all->first; k; k = k->next)
        if (strcmp(k->path, path) == 0 ||
            (there && k->there && k->device == file.st_dev && k->number == file.st_ino))
            return k->made;
    const char *what = stiction_reader_format(r, "'%s'", path);
    kept_mesh *kept = stiction_reader_alloc(r, sizeof *kept);
    request q = {.path = stiction_reader_format(r, "%s", path),
                 .untrusted = r->untrusted,
                 .most_faces = r->most_faces};
    stiction_reader_permit(r, at, path);
    count_mesh(r, at, what);
    if (importer_of(path)) {
        kept->made = make(r, at, what, &q);
    } else {
        const char *list = "";
        for (size_t k = 0; k < format_count; k++)
            list = stiction_reader_format(r, "%s%s%s", list, k ? ", " : "", formats[k].ending);
        stiction_reader_warn(r, at,
                             "%s is no mesh of a format that is read (%s): it does not touch "
                             "anything",
                             what, list);
    }
    kept->path = q.path;
    kept->there = there;
    kept->device = file.st_dev;
    kept->number = file.st_ino;
    kept->next = all->first;
    all->first = kept;
    return kept->made;
}

const mesh *mesh_read(reader *r, stiction_place at, const char *path, const double scale[3]) {
    const mesh *all = read_once(r, at, path);
    for (const mesh *part = all; part; part = part->next)
        if (++kept_by(r)->hulls > most_hulls)
            stiction_reader_refuse(r, at, "with '%s' meshes have more than %d hulls", path,
                                   most_hulls);
    return scale_parts(r, at, stiction_reader_format(r, "'%s'", path), all, scale);
}

const mesh *mesh_of_triangles(reader *r, stiction_place at, const char *what, const triangles *t) {
    request q = {.given = t, .most_faces = r->most_faces};
    count_mesh(r, at, what);
    return scale_parts(r, at, what, make(r, at, what, &q), (const double[3]){1, 1, 1});
}
