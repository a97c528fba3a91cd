/* SPDX-License-Identifier: MIT
 * VRML in this process: what each statement of the grammar means for the triangles, which mistakes
 * are told with their line, and that a lack of memory anywhere is told too.
 */
#include "check.h"
#include "meshes/triangles.h"
#include "stiction/models/export.h"
#include "temporary.h"

#define WRL "#VRML V2.0 utf8\n"

static stiction_error error;
static reader r = {.error = &error};
static triangles t;
static mesh_parts parts;

/* Runs with triangles that are kept until the next. */
static bool make(void *call(reader *r, const void *context), const void *context) {
    stiction_arena_free(&r.memory);
    t = (triangles){.r = &r};
    return stiction_reader_run(&r, call, context);
}

static void *read_file(reader *of, const void *path) {
    size_t size;
    (void)of;
    const char *bytes = mesh_file_bytes(&t, path, &size);
    mesh_import_vrml(&t, path, bytes, size);
    mesh_make_parts(&t, &parts);
    return &t;
}

static bool import(const char *text) {
    return make(read_file, temporary_file("f.wrl", text));
}

static void check_problem(const char *text, const char *why) {
    if (import(text) || strcmp(error.message, why) != 0)
        FAIL("'%s' instead of '%s'", error.message, why);
}

/* How far the points reach along +x, -x, +y, ... */
static void check_reach(const char *text, const double reach[6]) {
    double found[6];
    for (int i = 0; i < 6; i++) found[i] = -1e9;
    if (!import(text)) FAIL("%s: %s", text, error.message);
    for (size_t k = 0; k < 3 * t.vertex_count; k++) {
        double *both = found + 2 * (k % 3);
        both[0] = fmax(both[0], t.vertices[k]);
        both[1] = fmax(both[1], -t.vertices[k]);
    }
    for (int i = 0; i < 6; i++)
        if (!(fabs(found[i] - reach[i]) < 1e-12))
            FAIL("%s: %g instead of %g in direction %d", text, found[i], reach[i], i);
}

static const double unit_box[6] = {1, 1, 1, 1, 1, 1};
#define BOX "Shape { geometry Box { } }\n"

/* ---- what is passed over --------------------------------------------------------------------- */

TEST(statements_without_a_shape_are_passed_over) {
    static const char *const statements[] = {
        "PROTO P [ field SFNode n NULL exposedField MFNode m [ ] ] { Group { children [ ] } }\n",
        "EXTERNPROTO Q [ eventIn SFBool on ] \"q.wrl\"\n",
        "EXTERNPROTO Q [ ] [ \"a.wrl\" \"b.wrl\" ]\n",
        "ROUTE A.x TO B.y\n",
        "Script { eventIn SFBool on eventOut SFTime at field SFInt32 n 3\n"
        "  exposedField MFString s [ \"a\" \"b\" ] directOutput TRUE mustEvaluate FALSE }\n",
        "Group { PROTO P [ ] { } ROUTE A.x TO B.y children [ ] }\n",
        "PROTO P [ eventIn SFBool go field SFFloat size 1 ] {\n"
        "  Script { eventIn SFBool go IS go field SFFloat size IS size } }\n",
        "Script { eventIn SFBool go IS other eventOut SFBool gone field SFFloat n IS size }\n",
        "Shape { }\n",
        "Shape { geometry NULL }\n",
        "Shape { geometry Text { string \"a\\\"b\\\\\" } appearance Appearance { } }\n",
        "Shape { geometry IndexedFaceSet { } }\n",
        "Shape { geometry IndexedFaceSet { coord NULL coordIndex [ 0 ] } }\n",
        "Shape { geometry IndexedFaceSet { coord Coordinate { } coordIndex [ 0 ] } }\n",
        "Shape { geometry IndexedFaceSet { coord Coordinate { point 9 9 9 } } }\n",
        "Switch { choice [ Shape { geometry Box { size 9 9 9 } } ] }\n",
        "Switch { whichChoice 1 choice Shape { geometry Box { size 9 9 9 } } }\n",
        "Switch { whichChoice 0 }\n",
        "LOD { }\n",
        "Inline { }\n",
        "Inline { url [ ] }\n",
        "# a comment at the end without its line end",
    };
    char text[1000];
    for (size_t k = 0; k < sizeof statements / sizeof statements[0]; k++) {
        (void)snprintf(text, sizeof text, WRL BOX "%s", statements[k]);
        check_reach(text, unit_box);
        if (t.note[0]) FAIL("%s: %s", statements[k], t.note);
    }
}

TEST(what_is_not_read_is_noted_once) {
    CHECK(import(WRL BOX "Shape { geometry ElevationGrid { xDimension 2 } }\n"
                         "Shape { geometry Extrusion { } }\n"));
    CHECK_CONTAINS(t.note, "has a ElevationGrid, which is not read and does not touch");
    CHECK(import(WRL BOX "Inline { url \"thing.x3d\" }"));
    CHECK_CONTAINS(t.note, "has 'thing.x3d' inside, which is not read");
    CHECK(import(WRL BOX "Inline { url \"/thing\" }"));
    CHECK_CONTAINS(t.note, "has '/thing' inside, which is not read");
}

/* ---- where shapes stand ---------------------------------------------------------------------- */

TEST(frames_turn_scale_and_shift) {
    const double shifted[6] = {3, -1, 1, 1, 1, 1}, stretched[6] = {2, 2, 1, 1, 3, 3},
                 turned[6] = {1, 1, 2, 2, 3, 3}, about_center[6] = {1, 3, 1, 1, 1, 1};
    check_reach(WRL "Transform { translation 2 0 0 children " BOX "}", shifted);
    check_reach(WRL "Transform { scale 2 1 3 children [ " BOX " ] }", stretched);
    check_reach(WRL "Transform { rotation 0 0 1 1.5707963267948966\n"
                    "  children Transform { scale 2 1 3 children " BOX "} }",
                turned);
    check_reach(WRL "Transform { center -0.5 0 0 rotation 0 1 0 3.141592653589793\n"
                    "  translation 0 0 0 children " BOX "}",
                (const double[6]){0, 2, 1, 1, 1, 1});
    check_reach(WRL "Transform { scaleOrientation 0 0 1 1.5707963267948966 scale 1 2 3\n"
                    "  children " BOX "}",
                stretched);
    /* along a line at 30 degrees twice as long: 1 + n n' */
    const double x = 1.75 + sqrt(3) / 4, y = 1.25 + sqrt(3) / 4;
    check_reach(WRL "Transform { scaleOrientation 0 0 1 0.5235987755982988 scale 2 1 1\n"
                    "  children " BOX "}",
                (const double[6]){x, x, y, y, 1, 1});
    check_reach(WRL "Transform { center -1 0 0 scale 2 1 1 children " BOX "}",
                (const double[6]){3, 1, 1, 1, 1, 1});
    check_reach(WRL "Transform { center 1 0 0 scale 2 1 1 children " BOX "}", about_center);
    /* too few numbers, and an axis of length 0, count as none */
    check_reach(WRL "Transform { translation 2 rotation 0 0 0 1 children " BOX "}", unit_box);
}

TEST(a_use_is_the_last_def_of_its_name) {
    check_reach(WRL "DEF A Shape { geometry Box { size 8 8 8 } }\n"
                    "Switch { whichChoice -1 choice [ DEF A Shape { geometry Box { } } ] }\n",
                (const double[6]){4, 4, 4, 4, 4, 4});
    check_reach(WRL "Switch { choice [ DEF A Shape { geometry Box { size 8 8 8 } }\n"
                    "  DEF A " BOX "] }\nGroup { children [ USE A ] }\n",
                unit_box);
    /* two names with one hash */
    check_reach(WRL "Switch { choice [ DEF ab " BOX
                    "DEF bA Shape { } ] }\nGroup { children USE ab }",
                unit_box);
    check_reach(WRL "LOD { level [ " BOX " Shape { geometry Box { size 8 8 8 } } ] }", unit_box);
    check_reach(WRL "Switch { whichChoice 1 choice [ Shape { geometry Box { size 8 8 8 } }\n" BOX
                    "] }",
                unit_box);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

/* A quote means nothing in VRML, wherever it stands. */
TEST(a_character_without_a_meaning_is_told) {
    static const char *const places[] = {
        WRL "'",
        WRL "Shape { geometry ' }",
        WRL "Shape { geometry [ ' ] }",
        WRL "Shape { size 1 ' }",
        WRL "DEF A '",
        WRL "DEF '",
        WRL "Group { children USE '",
        WRL "PROTO P [ ' ] { }",
        WRL "PROTO '",
        WRL "PROTO P '",
        WRL "EXTERNPROTO '",
        WRL "EXTERNPROTO P '",
        WRL "ROUTE '",
        WRL "ROUTE A.x '",
        WRL "ROUTE A.x TO '",
        WRL "Group { ROUTE A.x TO B.y ' }",
        WRL "Script { eventIn ' }",
        WRL "Script { field SFBool '",
        WRL "Script { eventIn SFBool a '",
        WRL "Script { eventIn SFBool a IS '",
        WRL "Script { a IS '",
        WRL "Script { a NULL '",
        WRL "Script { a TRUE '",
        WRL "Script { a \"b\" '",
    };
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++)
        check_problem(places[k], "cannot be read: line 2: a character that has no meaning here");
}

TEST(mistakes_are_told_with_their_line) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"#VRML", "is no VRML: it must begin with \"#VRML V2.0\""},
        {WRL "Shape { geometry Box { size + } }",
         "cannot be read: line 2: no number where a sign is"},
        {WRL "Shape\n'", "cannot be read: line 3: a character that has no meaning here"},
        {WRL "Shape { 3 4 }", "cannot be read: line 2: no name of a field"},
        {WRL "Shape { geometry }", "cannot be read: line 2: no value"},
        {WRL "Shape { geometry", "cannot be read: line 2: the file ends inside a node"},
        {WRL "Shape { geometry [", "cannot be read: line 2: the file ends inside a node"},
        {WRL "Shape {\n\n'", "cannot be read: line 4: a character that has no meaning here"},
        {WRL "Shape [ ]", "cannot be read: line 2: a node without its {"},
        {WRL "[ ]", "cannot be read: line 2: no node where one should be"},
        {WRL "DEF A 3", "cannot be read: line 2: no node where one should be"},
        {WRL "PROTO P { }", "cannot be read: line 2: a PROTO without its parts"},
        {WRL "PROTO P [ ] [ ]", "cannot be read: line 2: a PROTO without its parts"},
        {WRL "PROTO P [ ] {\n{ }", "cannot be read: line 3: the file ends inside a PROTO"},
        {WRL "EXTERNPROTO P \"p.wrl\"", "cannot be read: line 2: a PROTO without its parts"},
        {WRL "WorldInfo { title \"a\\", "cannot be read: line 2: a string without its end"},
        {WRL "Shape { geometry Box { size 3e6 1 1 } }",
         "has a coordinate of -1.5e+06, which is not within +-1e+06"},
        {WRL "Shape { geometry Sphere { radius 2e6 } }",
         "has a coordinate of -2e+06, which is not within +-1e+06"},
        {WRL "Inline { url \"/nowhere/a.wrl\" }",
         "has '/nowhere/a.wrl' inside, which cannot be read: No such file or directory"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_problem(cases[k].text, cases[k].why);
}

/* ---- many parts ------------------------------------------------------------------------------ */

/* A tetrahedron at (x, y), with edges along the axes. */
static void add_tetrahedron(double x, double y, double size) {
    static const unsigned faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const size_t first = t.vertex_count;
    for (int k = 0; k < 4; k++) {
        const double point[3] = {x + (k == 1) * size, y + (k == 2) * size, (k == 3) * size};
        triangles_add_vertex(&t, point);
    }
    for (int k = 0; k < 4; k++) triangles_add_face(&t, first, faces[k], 3);
}

static void *make_many(reader *of, const void *context) {
    (void)of, (void)context;
    for (int k = 0; k < 300; k++) add_tetrahedron(10 * k, 0, 1 + 0.01 * (k % 2 ? k : 300 - k));
    mesh_make_parts(&t, &parts);
    return &t;
}

TEST(of_too_many_parts_the_largest_touch) {
    CHECK(make(make_many, NULL));
    CHECK(parts.count == MESH_MOST_PARTS);
    CHECK(strcmp(t.note, "has 300 parts: only the 256 largest touch") == 0);
    double last = 1e9;
    for (size_t k = 0; k < parts.count; k++) {
        double high = 0;
        for (size_t i = 0; i < parts.items[k].count; i++)
            high = fmax(high, parts.items[k].corners[3 * i + 2]);
        if (!(high <= last + 1e-12)) FAIL("part %zu is larger than the one before", k);
        last = high;
    }
    CHECK_NEAR(last, 1 + 0.01 * 45, 0.015);
}

static void *make_far_too_many(reader *of, const void *context) {
    (void)of, (void)context;
    for (int k = 0; k < 20001; k++) add_tetrahedron(10 * (k % 150), 10 * (k / 150), 1);
    mesh_make_parts(&t, &parts);
    return &t;
}

TEST(of_far_too_many_parts_one_hull_is_made) {
    CHECK(make(make_far_too_many, NULL));
    CHECK(parts.count == 1);
    CHECK(strcmp(t.note, "has 20001 parts, more than 20000: one hull is around them all") == 0);
}

static void *make_two_and_a_line(reader *of, const void *context) {
    (void)of, (void)context;
    for (int k = 0; k < 2; k++) add_tetrahedron(100 * k, 0, 1);
    const size_t first = t.vertex_count;
    for (int k = 0; k < 4; k++) triangles_add_vertex(&t, (const double[3]){50 + k, 0, 0});
    triangles_add_face(&t, first, (const unsigned[3]){0, 1, 2}, 3);
    mesh_make_parts(&t, &parts);
    return &t;
}

TEST(points_without_faces_and_parts_without_a_hull_are_left_out) {
    CHECK(make(make_two_and_a_line, NULL));
    CHECK(parts.count == 2 && parts.items[0].count == 4 && parts.items[1].count == 4);
}

/* ---- without memory -------------------------------------------------------------------------- */

static bool no_more_blocks;
static long refused;

#ifndef SANITIZED /* which stands there already */
extern void *__libc_calloc(size_t count, size_t size);
enum { an_arenas_block = 1 << 20 };

/* The arenas' blocks alone, which are large here: qhull ends the program without memory. */
STICTION_API void *calloc(size_t count, size_t size) {
    if (no_more_blocks && size >= an_arenas_block) {
        refused++;
        return NULL;
    }
    return __libc_calloc(count, size);
}
#endif

/* A reader with so many bytes and no more. */
static void limit_memory(size_t bytes) {
    const size_t block = 1 << 20;
    stiction_arena_free(&r.memory);
    t = (triangles){.r = &r};
    if (bytes > block || !stiction_arena_take(&r.memory, block)) abort();
    r.memory.used = block - bytes;
}

static void *read_text(reader *of, const void *text) {
    (void)of;
    mesh_import_vrml(&t, "a.wrl", text, strlen(text));
    mesh_make_parts(&t, &parts);
    return &t;
}

TEST(without_memory_anywhere_it_is_told) {
    static const char text[] =
        WRL "DEF A Group { children [ Shape { geometry IndexedFaceSet {\n"
            "  coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] }\n"
            "  coordIndex [ 0 2 1 -1 0 1 3 -1 1 2 3 -1 2 0 3 -1 ] } } ] }\n"
            "Transform { translation 9 0 0 children [ USE A ] info \"a\" big TRUE }\n"
            "Transform { translation 0 9 0 children Shape { geometry Cone { } } }\n"
            "Transform { translation 0 -9 0 children Shape { geometry Box { } } }\n";
    const size_t step = 16;
    size_t bytes = 0;
    bool fine = false;
    no_more_blocks = true;
    for (; !fine && bytes < 1 << 19; bytes += step) {
        no_more_blocks = false;
        limit_memory(bytes);
        no_more_blocks = true;
        refused = 0;
        fine = stiction_reader_run(&r, read_text, text);
        no_more_blocks = false;
        if (!fine && strcmp(error.message, "out of memory") != 0)
            FAIL("%zu bytes: %s", bytes, error.message);
#ifndef SANITIZED
        if (fine != !refused) FAIL("%zu bytes: %ld blocks refused", bytes, refused);
#endif
    }
    CHECK(fine && parts.count == 4);
#ifndef SANITIZED
    CHECK(bytes > 1000 * step);
#endif
}
