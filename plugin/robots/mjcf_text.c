/* SPDX-License-Identifier: MIT
 * An MJCF file as a text that any version of MuJoCo reads. Elements without effect on our
 * simulations are left out; unsupported elements with an effect are refused. A new case is a row of
 * a table.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meshes/mesh.h"
#include "mjcf_reader.h"

/* FOLLOWED: the reader implements it itself. */
typedef enum action { LEAVE_OUT, FOLLOWED, REFUSE } action;

/* What to do with an element or its attributes. Those without a row are left to MuJoCo, which
 * reports what it does not know. */
static const struct {
    const char *element;
    const char *attributes; /* NULL: the element with its contents */
    action what;
} rows[] = {
    {"compiler", "meshdir texturedir assetdir strippath", FOLLOWED},
    {"compiler", "discardvisual fusestatic usethread saveinertial alignfree convexhull conflict",
     LEAVE_OUT},
    {"option",
     "integrator solver cone jacobian impratio iterations tolerance ls_iterations ls_tolerance "
     "noslip_iterations noslip_tolerance mpr_iterations mpr_tolerance ccd_iterations ccd_tolerance "
     "sdf_iterations sdf_initpoints sleep_tolerance o_margin o_solref o_solimp o_friction apirate "
     "magnetic collision actuatorgroupdisable",
     LEAVE_OUT},
    {"flag",
     "frictionloss clampctrl warmstart actuation refsafe sensor midphase nativeccd eulerdamp "
     "autoreset island damper override energy fwdinv invdiscrete sensornoise multiccd sleep "
     "diagexact",
     LEAVE_OUT},
    {"size", NULL, LEAVE_OUT},
    {"visual", NULL, LEAVE_OUT},
    {"statistic", NULL, LEAVE_OUT},
    {"custom", NULL, LEAVE_OUT},
    {"extension", NULL, LEAVE_OUT},
    {"sensor", NULL, LEAVE_OUT},
    {"keyframe", NULL, LEAVE_OUT},
    {"actuator", NULL, LEAVE_OUT},
    {"camera", NULL, LEAVE_OUT},
    {"light", NULL, LEAVE_OUT},
    {"texture", NULL, LEAVE_OUT},
    {"skin", NULL, LEAVE_OUT},
    {"layer", NULL, LEAVE_OUT},
    {"general", NULL, LEAVE_OUT}, /* an actuator's defaults */
    {"motor", NULL, LEAVE_OUT},
    {"position", NULL, LEAVE_OUT},
    {"velocity", NULL, LEAVE_OUT},
    {"intvelocity", NULL, LEAVE_OUT},
    {"damper", NULL, LEAVE_OUT},
    {"cylinder", NULL, LEAVE_OUT},
    {"muscle", NULL, LEAVE_OUT},
    {"adhesion", NULL, LEAVE_OUT},
    {"dcmotor", NULL, LEAVE_OUT},
    {"material",
     "texture texrepeat texuniform emission specular shininess reflectance metallic roughness",
     LEAVE_OUT},
    {"mesh",
     "material content_type smoothnormal normal texcoord maxhullvert octree_depth needsdf inertia",
     LEAVE_OUT},
    {"body", "gravcomp sleep simple user", LEAVE_OUT},
    {"joint",
     "user actuatorfrcrange actuatorfrclimited actuatorgravcomp solreffriction solimpfriction",
     LEAVE_OUT},
    {"freejoint", "align", LEAVE_OUT},
    {"geom", "user fluidshape fluidcoef", LEAVE_OUT},
    {"site", "user", LEAVE_OUT},
    {"fixed", "user actuatorfrcrange actuatorfrclimited", LEAVE_OUT},
    {"tendon", "user actuatorfrcrange actuatorfrclimited", LEAVE_OUT},
    {"deformable", NULL, REFUSE},
    {"flexcomp", NULL, REFUSE},
    {"attach", NULL, REFUSE},
    {"model", NULL, REFUSE},
    {"plugin", NULL, REFUSE},
};

typedef struct writer {
    mjcf_file *f;
    FILE *out;
    const char *left_out; /* a list for the user */
    size_t visual;        /* geoms */
} writer;

/* ---- what was left out ---- */

static void note(writer *w, const char *element, const char *attribute) {
    reader *r = w->f->r;
    const char *what = attribute ? stiction_reader_format(r, "%s %s", element, attribute) : element;
    const char *quoted = stiction_reader_format(r, ", %s,", what);
    if (strstr(stiction_reader_format(r, ", %s,", w->left_out), quoted)) return;
    w->left_out = stiction_reader_format(r, "%s%s%s", w->left_out, *w->left_out ? ", " : "", what);
}

static bool names(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

/* Whether a row takes this attribute, or with NULL the element. */
static bool leaves_out(writer *w, const xml_element *e, const char *attribute) {
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (strcmp(rows[k].element, e->name) != 0 || !rows[k].attributes != !attribute) continue;
        if (attribute && !names(rows[k].attributes, attribute)) continue;
        if (rows[k].what == REFUSE)
            stiction_reader_refuse(w->f->r, e->at, "<%s> is not read, but would act", e->name);
        if (rows[k].what == LEAVE_OUT) note(w, e->name, attribute);
        return true;
    }
    return false;
}

/* ---- shapes that are only visible ---- */

static double number_of(const mjcf_file *f, const xml_element *e, const char *class_name,
                        const char *attribute, double otherwise) {
    const char *text = mjcf_stated(f, e, class_name, attribute);
    return text ? strtod(text, NULL) : otherwise;
}

/* Whether a link without <inertial> has mass from this geom. */
static bool has_mass(const mjcf_file *f, const xml_element *geom, const char *class_name) {
    const char *range = mjcf_compiler(f, "inertiagrouprange");
    double first = 0, last = 5;
    const double group = number_of(f, geom, class_name, "group", 0);
    if (range) {
        char *end;
        first = strtod(range, &end);
        last = strtod(end, NULL);
    }
    return group >= first && group <= last &&
           number_of(f, geom, class_name, "mass", number_of(f, geom, class_name, "density", 1)) !=
               0;
}

static bool is_in_pair(const mjcf_file *f, const xml_element *geom) {
    const char *name = xml_attribute(geom, "name");
    for (const xml_element *c = xml_child(f->root, "contact"); name && c;
         c = xml_next(c, "contact"))
        for (const xml_element *p = xml_child(c, "pair"); p; p = xml_next(p, "pair"))
            if (mjcf_is(xml_attribute(p, "geom1"), name) ||
                mjcf_is(xml_attribute(p, "geom2"), name))
                return true;
    return false;
}

static const xml_element *find_asset(const mjcf_file *f, const char *kind, const char *name) {
    for (const xml_element *a = xml_child(f->root, "asset"); name && a; a = xml_next(a, "asset"))
        for (const xml_element *m = xml_child(a, kind); m; m = xml_next(m, kind))
            if (strcmp(mjcf_asset_name(f, m), name) == 0) return m;
    return NULL;
}

/* Static bodies need no mass, so their meshes may be missing. */
static bool is_only_seen(const mjcf_file *f, const xml_element *geom, const char *class_name,
                         bool weighs, bool moves) {
    const bool touches = number_of(f, geom, class_name, "contype", 1) != 0 ||
                         number_of(f, geom, class_name, "conaffinity", 1) != 0;
    if ((touches && !f->for_masses) || is_in_pair(f, geom)) return false;
    if (!weighs || !has_mass(f, geom, class_name)) return true;
    const xml_element *used = find_asset(f, "mesh", mjcf_stated(f, geom, class_name, "mesh"));
    return !moves && used && !mjcf_asset_is_there(f, used);
}

static bool has_joint(const xml_element *body) {
    return xml_child(body, "joint") || xml_child(body, "freejoint");
}

static void leave_out_geoms(writer *w, xml_element *body, const char *class_name, bool moves) {
    mjcf_file *f = w->f;
    const char *from_geoms = mjcf_compiler(f, "inertiafromgeom");
    const bool is_body = strcmp(body->name, "body") == 0;
    const bool weighs = is_body && !mjcf_is(from_geoms, "false") &&
                        (mjcf_is(from_geoms, "true") || !xml_child(body, "inertial"));
    const char *inner = xml_attribute(body, "childclass");
    if (inner) class_name = inner;
    moves = moves || has_joint(body);
    for (xml_element **at = &body->first_child, *e; (e = *at);) {
        if (mjcf_holds_bodies(e)) leave_out_geoms(w, e, class_name, moves);
        if (strcmp(e->name, "geom") == 0 && is_only_seen(f, e, class_name, weighs, moves)) {
            w->visual++;
            *at = e->next;
            continue;
        }
        const char *name =
            strcmp(e->name, "geom") == 0 ? mjcf_stated(f, e, class_name, "mesh") : NULL;
        xml_element *used = (xml_element *)find_asset(f, "mesh", name);
        if (used && !xml_attribute(used, "used")) xml_set(f->r, used, "used", "");
        at = &e->next;
    }
}

/* ---- the text ---- */

static void begin_line(writer *w, const xml_element *e) {
    mjcf_file *f = w->f;
    f->lines = stiction_reader_grow(f->r, f->lines, f->line_count, sizeof *f->lines);
    f->lines[f->line_count++] = e;
}

/* 2.2.2 has one flag for springs and dampers, of which we use springs. */
static const char *own_name(const xml_element *e, const char *attribute) {
    static const char *const springs[] = {"passive", "spring"};
    if (strcmp(e->name, "flag") == 0 && strcmp(attribute, springs[!MUJOCO_IS_3]) == 0)
        return springs[MUJOCO_IS_3];
    return attribute;
}

static bool is_dropped_mesh(const xml_element *e) {
    return strcmp(e->name, "mesh") == 0 && strcmp(e->parent->name, "asset") == 0 &&
           !xml_attribute(e, "used");
}

/* Equalities between sites came with MuJoCo 3.2. */
static bool keep_site_equality(writer *w, const xml_element *e) {
    mjcf_file *f = w->f;
    if (!xml_attribute(e, "site1") || strcmp(e->parent->name, "equality") != 0) return false;
    f->site_equalities = stiction_reader_grow(f->r, f->site_equalities, f->site_equality_count,
                                              sizeof *f->site_equalities);
    f->site_equalities[f->site_equality_count++] = e;
    return true;
}

/* A tendon along sites matters only if it exerts a force. */
static bool is_idle_spatial(writer *w, const xml_element *e) {
    static const char *const acting[] = {"stiffness", "damping", "frictionloss", "armature"};
    const mjcf_file *f = w->f;
    if (strcmp(e->name, "spatial") != 0) return false;
    const char *limited = mjcf_stated(f, e, "main", "limited"), *what = NULL;
    if (limited && strcmp(limited, "auto") != 0
            ? mjcf_is_true(limited)
            : mjcf_limits_itself(f) && mjcf_stated(f, e, "main", "range"))
        what = "limits";
    for (size_t k = 0; k < sizeof acting / sizeof acting[0]; k++)
        if (number_of(f, e, "main", acting[k], 0) > 0) what = acting[k];
    if (what && !f->for_masses)
        stiction_reader_refuse(
            f->r, e->at,
            "the tendon '%s' has %s: of tendons only fixed ones are read, but it would act",
            xml_attribute(e, "name") ? xml_attribute(e, "name") : "", what);
    note(w, "tendon", NULL);
    return true;
}

static void write_element(writer *w, xml_element *e) {
    mjcf_file *f = w->f;
    reader *r = f->r;
    const bool is_asset = e->parent && strcmp(e->parent->name, "asset") == 0;
    if (leaves_out(w, e, NULL) || is_dropped_mesh(e) || is_idle_spatial(w, e) ||
        keep_site_equality(w, e))
        return;
    if (is_asset && !f->is_written) mjcf_set_asset(f, e);
    begin_line(w, e);
    fprintf(w->out, "<%s", e->name);
    if (number_of(f, e, NULL, "gravcomp", 0) != 0 || mjcf_is_true(xml_attribute(e, "gravcomp")))
        f->compensates = true;
    for (const char *const *a = e->attributes; *a; a += 2)
        if (*a[1] && !leaves_out(w, e, a[0]))
            fprintf(w->out, " %s=\"%s\"", own_name(e, a[0]), xml_escape(r, a[1]));
    fputs(">\n", w->out);
    if (e == f->root && !mjcf_compiler(f, "autolimits")) {
        begin_line(w, e);
        fputs("<compiler autolimits=\"true\"/>\n", w->out); /* as from 3.0 on */
    }
    for (xml_element *c = e->first_child; c; c = c->next) write_element(w, c);
    begin_line(w, e);
    fprintf(w->out, "</%s>\n", e->name);
}

/* Once for a file: its bodies as they are written, and what is left out of them. */
static void prepare(writer *w) {
    mjcf_file *f = w->f;
    for (xml_element *e = xml_child(f->root, "worldbody"); e; e = xml_next(e, "worldbody")) {
        mjcf_expand_frames(f, e, "main");
        leave_out_geoms(w, e, "main", false);
    }
}

static void report_left_out(writer *w) {
    reader *r = w->f->r;
    if (w->visual && !w->f->for_masses)
        note(w,
             w->visual == 1 ? "1 visual geom"
                            : stiction_reader_format(r, "%zu visual geoms", w->visual),
             NULL);
    if (*w->left_out && r->log)
        r->log(r->log_user, STICTION_LOG_INFO,
               stiction_reader_format(r, "%s: not used in a run: %s", w->f->path, w->left_out));
}

const char *mjcf_write(mjcf_file *f, size_t *size) {
    reader *r = f->r;
    text_stream *stream = stiction_reader_stream(r);
    writer w = {.f = f, .out = stream->file, .left_out = ""};
    f->line_count = f->site_equality_count = 0;
    if (!f->is_written) prepare(&w);
    write_element(&w, f->root);
    const char *text = stiction_reader_stream_text(r, stream);
    *size = stream->size;
    if (!f->is_written) report_left_out(&w);
    f->is_written = true;
    return text;
}

/* MuJoCo 2 wants faces that point outwards, also where a mesh only touches. A hull has them. */
void mjcf_use_hull(mjcf_file *f, const char *name) {
    static const double as_it_is[3] = {1, 1, 1};
    reader *r = f->r;
    xml_element *e = (xml_element *)find_asset(f, "mesh", name);
    const char *path = e ? xml_attribute(e, "file") : NULL;
    const mesh *first = path ? mesh_read(r, e->at, path, as_it_is) : NULL;
    if (!first)
        stiction_reader_refuse(r, e ? e->at : (stiction_place){f->path, 0, 0},
                               "the faces of the mesh '%s' do not all point outwards", name);
    text_stream *stream = stiction_reader_stream(r);
    for (const mesh *part = first; part; part = part->next)
        for (size_t k = 0; k < 3 * part->count; k++)
            fprintf(stream->file, "%.17g ", part->vertices[k]);
    xml_set(r, e, "vertex", stiction_reader_stream_text(r, stream));
    xml_set(r, e, "file", NULL);
    stiction_reader_warn(r, e->at,
                         "the faces of the mesh '%s' do not all point outwards: its hull is used, "
                         "also for masses",
                         name);
}

static const xml_element *find_named(const xml_element *e, const char *name) {
    if (mjcf_is(xml_attribute(e, "name"), name)) return e;
    const xml_element *found = NULL;
    for (const xml_element *c = e->first_child; c && !found; c = c->next)
        found = find_named(c, name);
    return found;
}

stiction_place mjcf_locate(const void *context, const char *object, int line) {
    const mjcf_file *f = context;
    if (line > 0 && (size_t)line <= f->line_count) return f->lines[line - 1]->at;
    const xml_element *named = *object ? find_named(f->root, object) : NULL;
    return named ? named->at : (stiction_place){f->path, 0, 0};
}
