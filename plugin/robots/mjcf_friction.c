/* SPDX-License-Identifier: MIT
 * Elements of our plugin in an MJCF file (docs/mujoco.md): their friction as one configuration, so
 * that a run here has the same. They are taken out of the elements that go to MuJoCo.
 */
#include <string.h>

#include "mjcf_reader.h"
#include "mujoco_element/plugin_element.h"

typedef struct collector {
    mjcf_file *file;
    const char **names; /* of the joints below an element */
    size_t count;
    text_stream *joints;
    const char *coupling; /* of the first element */
    const char *path;     /* of the model */
    double timestep;
    bool any;
} collector;

/* An element_value of an XML element with <config key value>. */
static const char *config_of(const void *user, const char *key) {
    for (const xml_element *c = xml_child(user, "config"); c; c = xml_next(c, "config"))
        if (mjcf_is(xml_attribute(c, "key"), key)) return xml_attribute(c, "value");
    return NULL;
}

/* The <instance> of an <extension> that an element names; NULL: none of ours. */
static const xml_element *find_instance(const mjcf_file *f, const char *name) {
    for (const xml_element *x = xml_child(f->root, "extension"); name && x;
         x = xml_next(x, "extension"))
        for (const xml_element *p = xml_child(x, "plugin"); p; p = xml_next(p, "plugin"))
            for (const xml_element *i = xml_child(p, "instance"); i; i = xml_next(i, "instance"))
                if (mjcf_is(xml_attribute(p, "plugin"), FRICTION_PLUGIN) &&
                    mjcf_is(xml_attribute(i, "name"), name))
                    return i;
    return NULL;
}

static void find_names(collector *c, const xml_element *parent) {
    for (const xml_element *e = parent->first_child; e; e = e->next) {
        const char *name = xml_attribute(e, "name"), *type = xml_attribute(e, "type");
        if (strcmp(e->name, "joint") == 0 && name && !mjcf_is(type, "free") &&
            !mjcf_is(type, "ball")) {
            c->names = stiction_reader_grow(c->file->r, c->names, c->count, sizeof *c->names);
            c->names[c->count++] = name;
        }
        find_names(c, e);
    }
}

/* The friction of an element for the joints below a body. */
static void collect(collector *c, const xml_element *plugin, const xml_element *body) {
    reader *r = c->file->r;
    const element e = {config_of, plugin, plugin->at, c->path};
    c->names = NULL;
    c->count = 0;
    find_names(c, body);
    const char **all = stiction_reader_alloc(r, (c->count + 1) * sizeof *all);
    for (size_t k = 0; k < c->count; k++) all[k] = c->names[k];
    element_select(r, &e, c->names, c->count);
    const stiction_config *config = element_configuration(r, &e);
    const stiction_model *model = element_model(r, &e, config, c->names, c->count, c->timestep);
    if (!c->any) c->coupling = stiction_coupling_name(stiction_config_coupling(config));
    size_t index = 0;
    for (size_t k = 0; k < c->count; k++) {
        stiction_joint_def def = stiction_joint_def_default();
        if (!c->names[k]) continue;
        (void)stiction_model_joint(model, index++, &def, NULL);
        if (strcmp(def.law, "none") == 0) continue;
        fprintf(c->joints->file, "%s\n  ", c->any ? "," : "");
        element_write_joint(c->joints->file, all[k], &def);
        c->any = true;
    }
}

static void take(collector *c, xml_element *parent) {
    for (xml_element **at = &parent->first_child, *e; (e = *at);) {
        const bool is_plugin = strcmp(e->name, "plugin") == 0;
        const xml_element *instance =
            is_plugin ? find_instance(c->file, xml_attribute(e, "instance")) : NULL;
        if (instance || (is_plugin && mjcf_is(xml_attribute(e, "plugin"), FRICTION_PLUGIN))) {
            *at = e->next;
            collect(c, instance ? instance : e, parent);
            continue;
        }
        if (mjcf_holds_bodies(e)) take(c, e);
        at = &e->next;
    }
}

const char *mjcf_take_friction(mjcf_file *f) {
    reader *r = f->r;
    const xml_element *option = xml_child(f->root, "option");
    const char *stated = option ? xml_attribute(option, "timestep") : NULL;
    collector c = {.file = f,
                   .path = f->path,
                   .timestep =
                       stated ? stiction_reader_number(r, option->at, "timestep", stated) : 0.002,
                   .joints = stiction_reader_stream(r)};
    for (xml_element *e = f->root->first_child; e; e = e->next)
        if (strcmp(e->name, "worldbody") == 0) take(&c, e);
    const char *joints = stiction_reader_stream_text(r, c.joints);
    if (!c.any) return NULL;
    return stiction_reader_format(r, "{stiction: 1, coupling: %s, joints: {%s}}\n", c.coupling,
                                  joints);
}
