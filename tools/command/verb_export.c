/* SPDX-License-Identifier: MIT
 * stiction export: a copy of a robot's file with friction for other simulators. The copy differs
 * from the file only in what is inserted or replaced, so that comments and layout stay.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "document/number.h"
#include "document/reader.h"
#include "mujoco_element/plugin_element.h"
#include "robots/xml.h"
#include "stiction/stiction.h"

typedef struct export_options {
    const char *robot, *to, *out, *prefix;
    double timestep;
    bool native, force;
} export_options;

/* Bytes of the file that others take the place of. */
typedef struct edit {
    size_t at, removed;
    const char *text;
} edit;

/* A joint of the file, and the body in the world that it belongs to (MJCF). */
typedef struct exported {
    const xml_element *element, *body;
    stiction_joint_def def;
} exported;

typedef struct exporter {
    reader *r;
    const export_options *options;
    const char *configuration;
    const char *text;
    const size_t *lines; /* where each begins */
    size_t size, line_count;
    xml_element *root;
    exported *joints;
    const char **names;
    size_t joint_count;
    edit *edits;
    size_t edit_count;
    stiction_config *config;
    stiction_model *model;
} exporter;

static const stiction_place nowhere;

/* ---- places in the text ---- */

static void find_lines(exporter *x) {
    size_t *lines = stiction_reader_alloc(x->r, (x->size + 2) * sizeof *lines);
    for (size_t k = 0; k <= x->size; k++)
        if (k == 0 || x->text[k - 1] == '\n') lines[x->line_count++] = k;
    x->lines = lines;
}

/* Where the tag of an element begins; expat counts characters, not bytes, in a line. */
static size_t begin_of(const exporter *x, const xml_element *e) {
    const char *tag = stiction_reader_format(x->r, "<%s", e->name);
    const size_t from = x->lines[e->at.line - 1] + (size_t)(e->at.column - 1);
    const char *at = strstr(x->text + from, tag);
    return at ? (size_t)(at - x->text) : from;
}

/* Its '>'. */
static size_t end_of(const exporter *x, size_t begin) {
    char quote = 0;
    for (size_t k = begin; k < x->size; k++) {
        const char c = x->text[k];
        if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else if (!quote && c == '>')
            return k;
    }
    return x->size;
}

static void add_edit(exporter *x, size_t at, size_t removed, const char *text) {
    x->edits = stiction_reader_grow(x->r, x->edits, x->edit_count, sizeof *x->edits);
    x->edits[x->edit_count++] = (edit){at, removed, text};
}

/* Inserts a text after the opening tag of an element. */
static void insert_in(exporter *x, const xml_element *e, const char *text) {
    add_edit(x, end_of(x, begin_of(x, e)) + 1, 0, text);
}

static bool is_space(char c) {
    return strchr(" \t\r\n", c) && c;
}

static void set_attribute(exporter *x, const xml_element *e, const char *name, double value) {
    const size_t begin = begin_of(x, e), end = end_of(x, begin), length = strlen(name);
    char number[NUMBER_SIZE], quote = 0;
    const char *written = stiction_number_write(value, number);
    for (size_t k = begin; k < end; k++) {
        const char c = x->text[k];
        if (quote || c == '"' || c == '\'') {
            quote = quote ? (c == quote ? 0 : quote) : c;
            continue;
        }
        size_t at = k + 1 + length;
        if (!is_space(c) || strncmp(x->text + k + 1, name, length) != 0) continue;
        while (is_space(x->text[at])) at++;
        if (x->text[at] != '=') continue;
        while (is_space(x->text[++at])) {
        }
        const char *close = strchr(x->text + at + 1, x->text[at]);
        if (!close) continue;
        add_edit(x, at + 1, (size_t)(close - x->text) - at - 1,
                 stiction_reader_text(x->r, written));
        return;
    }
    add_edit(x, begin + 1 + strlen(e->name), 0,
             stiction_reader_format(x->r, " %s=\"%s\"", name, written));
}

/* ---- joints ---- */

static void add_joint(exporter *x, const xml_element *e, const xml_element *body) {
    const char *name = xml_attribute(e, "name");
    if (!name) return;
    x->joints = stiction_reader_grow(x->r, x->joints, x->joint_count, sizeof *x->joints);
    x->names = stiction_reader_grow(x->r, x->names, x->joint_count, sizeof *x->names);
    x->joints[x->joint_count] =
        (exported){.element = e, .body = body, .def = stiction_joint_def_default()};
    x->names[x->joint_count++] = name;
}

static bool is_one_of(const char *text, const char *a, const char *b) {
    return text && (strcmp(text, a) == 0 || strcmp(text, b) == 0);
}

/* The type that a class of defaults gives joints, NULL the class of the whole model; `type` is that
 * of the classes around it. False: there is no such class. */
static bool find_default_type(const xml_element *parent, const char *class_name,
                              const char **type) {
    const char *around = *type;
    for (const xml_element *d = xml_child(parent, "default"); d; d = xml_next(d, "default")) {
        const xml_element *joint = xml_child(d, "joint");
        const char *own = joint ? xml_attribute(joint, "type") : NULL;
        const char *name = xml_attribute(d, "class");
        *type = own ? own : around;
        if (!class_name || (name && strcmp(name, class_name) == 0) ||
            find_default_type(d, class_name, type))
            return true;
    }
    *type = around;
    return false;
}

static bool has_axis(const exporter *x, const xml_element *joint, const char *class_name) {
    const char *own = xml_attribute(joint, "class"), *type = NULL;
    (void)find_default_type(x->root, own ? own : class_name, &type);
    if (xml_attribute(joint, "type")) type = xml_attribute(joint, "type");
    return !is_one_of(type, "free", "ball");
}

static void find_mjcf_joints(exporter *x, const xml_element *parent, const xml_element *top,
                             const char *class_name) {
    const char *child_class = xml_attribute(parent, "childclass");
    if (child_class) class_name = child_class;
    for (const xml_element *e = parent->first_child; e; e = e->next) {
        const bool is_body = strcmp(e->name, "body") == 0;
        if (strcmp(e->name, "joint") != 0 || !top)
            find_mjcf_joints(x, e, top ? top : is_body ? e : NULL, class_name);
        else if (has_axis(x, e, class_name))
            add_joint(x, e, top);
    }
}

static void find_urdf_joints(exporter *x) {
    for (const xml_element *e = xml_child(x->root, "joint"); e; e = xml_next(e, "joint"))
        if (!is_one_of(xml_attribute(e, "type"), "fixed", "floating")) add_joint(x, e, NULL);
}

static void find_joints(exporter *x) {
    const bool is_mjcf = strcmp(x->options->to, "mjcf") == 0;
    const char *root = is_mjcf ? "mujoco" : "robot";
    if (strcmp(x->root->name, root) != 0)
        stiction_reader_refuse(x->r, x->root->at,
                               "is not a file for --to %s: it begins with <%s>, not <%s>",
                               x->options->to, x->root->name, root);
    if (!is_mjcf) find_urdf_joints(x);
    for (const xml_element *e = xml_child(x->root, "worldbody"); is_mjcf && e;
         e = xml_next(e, "worldbody"))
        find_mjcf_joints(x, e, NULL, NULL);
    if (x->joint_count == 0)
        stiction_reader_refuse(x->r, x->root->at, "has no hinge and no slide with a name%s",
                               is_mjcf ? "; of files that it includes, export each by itself" : "");
}

/* MuJoCo's own time step where the file has none. */
static double timestep_of(const exporter *x) {
    if (!isnan(x->options->timestep)) return x->options->timestep;
    const xml_element *e = xml_child(x->root, "option");
    const char *stated = e ? xml_attribute(e, "timestep") : NULL;
    return stated ? stiction_reader_number(x->r, e->at, "timestep", stated) : 0.002;
}

static void resolve(exporter *x) {
    stiction_errors *errors = stiction_reader_errors(x->r);
    stiction_error error;
    if (stiction_config_load(x->configuration, &x->config, errors) != STICTION_OK)
        stiction_reader_refuse_as(x->r, stiction_errors_at(errors, 0));
    stiction_model_def def = stiction_model_def_default();
    def.timestep = timestep_of(x);
    if (stiction_model_create(x->config, x->names, x->joint_count, &def, &x->model, &error) !=
        STICTION_OK)
        stiction_reader_refuse_as(x->r, &error);
    for (size_t k = 0; k < x->joint_count; k++)
        (void)stiction_model_joint(x->model, k, &x->joints[k].def, NULL);
}

static bool rubs(const exported *j) {
    return strcmp(j->def.law, "none") != 0;
}

/* ---- the element of the plugin ---- */

/* The friction of the joints below a body in the world; NULL: they have none. */
static const char *element_of(exporter *x, const xml_element *body) {
    text_stream *yaml = stiction_reader_stream(x->r);
    size_t count = 0;
    fprintf(yaml->file, "{stiction: 1, coupling: %s, joints: {",
            stiction_coupling_name(stiction_config_coupling(x->config)));
    for (size_t k = 0; k < x->joint_count; k++) {
        const exported *j = &x->joints[k];
        if (j->body != body || !rubs(j)) continue;
        fprintf(yaml->file, "%s\n      ", count++ ? "," : "");
        element_write_joint(yaml->file, x->names[k], &j->def);
    }
    fputs("}}", yaml->file);
    const char *value = xml_escape(x->r, stiction_reader_stream_text(x->r, yaml));
    if (!count) return NULL;
    const char *prefix = x->options->prefix;
    return stiction_reader_format(x->r,
                                  "\n      <plugin plugin=\"" FRICTION_PLUGIN "\">\n%s%s%s"
                                  "        <config key=\"yaml\" value=\"%s\"/>\n"
                                  "      </plugin>",
                                  prefix ? "        <config key=\"prefix\" value=\"" : "",
                                  prefix ? xml_escape(x->r, prefix) : "", prefix ? "\"/>\n" : "",
                                  value);
}

/* Whether a default of the file gives joints an attribute. */
static bool is_default(const xml_element *parent, const char *attribute, bool inside) {
    for (const xml_element *e = parent->first_child; e; e = e->next) {
        const bool in = inside || strcmp(e->name, "default") == 0;
        if (in && strcmp(e->name, "joint") == 0 && xml_attribute(e, attribute)) return true;
        if (in && is_default(e, attribute, in)) return true;
    }
    return false;
}

/* From springdamper MuJoCo's compiler computes a spring and a damper, and ignores `damping`. */
static void refuse_springdamper(const exporter *x, const xml_element *joint) {
    if (xml_attribute(joint, "springdamper") || is_default(x->root, "springdamper", false))
        stiction_reader_refuse(x->r, joint->at,
                               "joint '%s', or a default of the file, has springdamper: its damper "
                               "would act in addition to friction; write its spring as stiffness",
                               xml_attribute(joint, "name"));
}

/* MuJoCo's own friction would act as well. */
static void clear_friction(exporter *x, const xml_element *joint) {
    static const char *const own[] = {"frictionloss", "damping"};
    refuse_springdamper(x, joint);
    for (size_t k = 0; k < 2; k++)
        if (xml_attribute(joint, own[k]) || is_default(x->root, own[k], false))
            set_attribute(x, joint, own[k], 0);
}

static void add_plugin(exporter *x) {
    const xml_element *last = NULL;
    for (const xml_element *e = xml_child(x->root, "extension"); e; e = xml_next(e, "extension"))
        for (const xml_element *p = xml_child(e, "plugin"); p; p = xml_next(p, "plugin"))
            if (is_one_of(xml_attribute(p, "plugin"), FRICTION_PLUGIN, ""))
                stiction_reader_refuse(x->r, p->at, "the file has elements of stiction.friction");
    /* programs that merge models read the first <extension> alone */
    const xml_element *extension = xml_child(x->root, "extension");
    if (extension && extension->first_child)
        insert_in(x, extension, "\n    <plugin plugin=\"stiction.friction\"/>");
    else
        insert_in(x, x->root,
                  "\n  <extension>\n    <plugin plugin=\"stiction.friction\"/>\n  </extension>");
    for (size_t k = 0; k < x->joint_count; k++) {
        const exported *j = &x->joints[k];
        if (rubs(j)) clear_friction(x, j->element);
        if (j->body == last) continue;
        last = j->body;
        const char *inserted = element_of(x, j->body);
        if (inserted) insert_in(x, j->body, inserted);
    }
}

/* ---- the nearest friction of others ---- */

/* What holds, as the embedded engine's friction=frictionloss takes it. */
static double holding(const stiction_joint_def *def) {
    return fmax(def->static_torque, def->coulomb_torque);
}
static double viscosity(const stiction_joint_def *def) {
    return def->viscous > 0 ? def->viscous : 0;
}

static void add_native(exporter *x) {
    for (size_t k = 0; k < x->joint_count; k++) {
        const exported *j = &x->joints[k];
        if (!rubs(j)) continue;
        refuse_springdamper(x, j->element);
        set_attribute(x, j->element, "frictionloss", holding(&j->def));
        set_attribute(x, j->element, "damping", viscosity(&j->def));
    }
}

static void add_dynamics(exporter *x) {
    for (size_t k = 0; k < x->joint_count; k++) {
        const exported *j = &x->joints[k];
        if (!rubs(j)) continue;
        const xml_element *dynamics = xml_child(j->element, "dynamics");
        if (dynamics) {
            set_attribute(x, dynamics, "friction", holding(&j->def));
            set_attribute(x, dynamics, "damping", viscosity(&j->def));
            continue;
        }
        char friction[NUMBER_SIZE], damping[NUMBER_SIZE];
        insert_in(x, j->element,
                  stiction_reader_format(x->r, "\n    <dynamics friction=\"%s\" damping=\"%s\"/>",
                                         stiction_number_write(holding(&j->def), friction),
                                         stiction_number_write(viscosity(&j->def), damping)));
    }
}

/* ---- what is lost ---- */

enum { VELOCITIES = 400 };
static const double fastest = 10; /* rad/s */

/* The friction of steady sliding; 0 for a model that has no such curve. */
static double steady(const stiction_joint_def *def, double v) {
    const stiction_law *law = stiction_law_find(def->law);
    const stiction_law_parameters parameters = stiction_joint_law_parameters(def);
    return law ? stiction_phi(law, &parameters, v) : 0;
}

static void print_losses(const exporter *x, FILE *out) {
    fprintf(out,
            "# what %s has instead of the friction of %s; errors from 0 to %g rad/s or m/s\n"
            "%-20s %12s %12s %12s %14s %10s\n",
            x->options->out ? x->options->out : "the copy", x->configuration, fastest, "joint",
            "friction", "damping", "breaks away", "largest error", "at");
    for (size_t k = 0; k < x->joint_count; k++) {
        const exported *j = &x->joints[k];
        double worst = 0, at = 0;
        if (!rubs(j)) continue;
        for (int i = 1; i <= VELOCITIES; i++) {
            const double v = fastest * pow((double)i / VELOCITIES, 3);
            const double error = holding(&j->def) + viscosity(&j->def) * v - steady(&j->def, v);
            /* less is rounding */
            if (fabs(error) > fmax(fabs(worst), 1e-12 * holding(&j->def))) worst = error, at = v;
        }
        fprintf(out, "%-20s %12.6g %12.6g %12.6g %+14.6g %10.3g\n", x->names[k], holding(&j->def),
                viscosity(&j->def), holding(&j->def), worst, at);
    }
    fputs("# these joints creep under a constant load; break-away and stick-slip need stiction\n",
          out);
}

/* ---- the copy ---- */

static int compare_edits(const void *a, const void *b) {
    const edit *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static const char *apply(exporter *x) {
    text_stream *s = stiction_reader_stream(x->r);
    size_t from = 0;
    if (x->edit_count) qsort(x->edits, x->edit_count, sizeof *x->edits, compare_edits);
    for (size_t k = 0; k < x->edit_count; k++) {
        const edit *e = &x->edits[k];
        fwrite(x->text + from, 1, e->at - from, s->file);
        fputs(e->text, s->file);
        from = e->at + e->removed;
    }
    fwrite(x->text + from, 1, x->size - from, s->file);
    return stiction_reader_stream_text(x->r, s);
}

static void *answer(reader *r, const void *context) {
    exporter *x = *(exporter *const *)context;
    const export_options *o = x->options;
    x->r = r;
    x->text = stiction_reader_file(r, nowhere, o->robot, &x->size);
    x->root = xml_parse(r, o->robot, x->text, x->size);
    find_lines(x);
    find_joints(x);
    resolve(x);
    if (strcmp(o->to, "urdf") == 0)
        add_dynamics(x);
    else if (o->native)
        add_native(x);
    else
        add_plugin(x);
    return (void *)apply(x);
}

static int export_robot(const void *options, const text_list *arguments, stiction_error *error) {
    const export_options *o = options;
    if (!o->robot || !o->to) return fail_usage(error, "export needs --robot FILE and --to FORMAT");
    if (strcmp(o->to, "mjcf") != 0 && strcmp(o->to, "urdf") != 0)
        return fail_usage(error, "export: --to is '%s' and must be mjcf or urdf", o->to);
    if (whole_file_is_same(o->out, o->robot))
        return fail_usage(error, "export: --out is the robot itself; it writes a copy");
    exporter x = {.options = o, .configuration = arguments->items[0]}, *const context = &x;
    reader r = {.log = print_log, .error = error};
    const char *text = stiction_reader_run(&r, answer, &context);
    bool fine = text && whole_file_write(o->out, o->force, text, error);
    if (fine && (o->native || strcmp(o->to, "urdf") == 0))
        print_losses(&x, o->out ? stdout : stderr);
    if (text) stiction_arena_free(&r.memory);
    stiction_model_destroy(x.model);
    stiction_config_destroy(x.config);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static const export_options defaults = {.timestep = (double)NAN};

#define FIELD(name) offsetof(export_options, name)

static const option options_of_export[] = {
    {"robot", OPTION_TEXT, "FILE", "the robot: an MJCF file or a URDF", FIELD(robot)},
    {"to", OPTION_TEXT, "FORMAT", "mjcf or urdf, the format of the robot", FIELD(to)},
    {"native", OPTION_FLAG, NULL, "MJCF: frictionloss and damping of MuJoCo instead of our plugin",
     FIELD(native)},
    {"prefix", OPTION_TEXT, "TEXT", "MJCF: the prefix that another program adds to joint names",
     FIELD(prefix)},
    {"out", OPTION_TEXT, "FILE", "write to a new file instead of stdout", FIELD(out)},
    {"force", OPTION_FLAG, NULL, "replace an existing file", FIELD(force)},
    {"timestep", OPTION_POSITIVE, "T", "time step in s (default: of the MJCF file, else 0.002)",
     FIELD(timestep)},
    {.name = NULL},
};

const verb verb_export = {
    .name = "export",
    .summary = "a copy of a robot's file with friction, for other simulators",
    .arguments = "CONFIG",
    .least = 1,
    .most = 1,
    VERB_OPTIONS(options_of_export, defaults),
    .description = "Writes a copy of an MJCF file or a URDF with the friction of a configuration;\n"
                   "everything else stays as it is. MJCF gets an element of our plugin for\n"
                   "MuJoCo 3, which holds, breaks away and slips as here. With --native, and in a\n"
                   "URDF, joints get the nearest friction that simulators without us have: the\n"
                   "torque that holds, and viscosity. A table reports per joint what is lost.\n"
                   "Write the copy beside the file: paths of meshes in it are relative.",
    .example = "  stiction export arm.yaml --robot arm.xml --to mjcf --out arm_friction.xml\n"
               "  stiction export arm.yaml --robot arm.urdf --to urdf --out arm_friction.urdf",
    .run = export_robot,
};
