/*
 * Links as MJCF: a body a link, in the frames and with the names of the .body file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "xml.h"

typedef struct writer {
    reader *r;
    FILE *out;
    const body_file *body;
} writer;

static void write_name(writer *w, const char *attribute, const char *name) {
    fprintf(w->out, " %s=\"%s\"", attribute, xml_escape(w->r, name));
}

static void write_numbers(writer *w, const char *attribute, const double *numbers, int count) {
    fprintf(w->out, " %s=\"", attribute);
    for (int k = 0; k < count; k++) fprintf(w->out, "%s%.17g", k ? " " : "", numbers[k]);
    fputc('"', w->out);
}

static void write_joint(writer *w, const body_link *link) {
    if (link->joint == BODY_FIXED) return;
    if (link->joint == BODY_FREE) {
        fputs("<freejoint/>\n", w->out);
        return;
    }
    fputs("<joint", w->out);
    write_name(w, "name", link->joint_name);
    fprintf(w->out, " type=\"%s\"", link->joint == BODY_REVOLUTE ? "hinge" : "slide");
    write_numbers(w, "axis", link->axis, 3);
    write_numbers(w, "armature", &link->armature, 1);
    /* a range needs both ends, and some room between them */
    if (isfinite(link->lower) && isfinite(link->upper) && link->lower < link->upper) {
        const double range[2] = {link->lower, link->upper};
        fputs(" limited=\"true\"", w->out);
        write_numbers(w, "range", range, 2);
    }
    fputs("/>\n", w->out);
}

static void write_inertial(writer *w, const body_link *link) {
    static const double stand_in[3] = {1, 1, 1};
    fputs("<inertial", w->out);
    write_numbers(w, "pos", link->center, 3);
    write_numbers(w, "quat", link->frame, 4);
    write_numbers(w, "mass", link->bare ? stand_in : &link->mass, 1);
    write_numbers(w, "diaginertia", link->bare ? stand_in : link->principal, 3);
    fputs("/>\n", w->out);
}

static void write_link(writer *w, size_t index) {
    const body_file *body = w->body;
    const body_link *link = &body->links[index];
    fputs("<body", w->out);
    write_name(w, "name", link->name);
    write_numbers(w, "pos", link->translation, 3);
    write_numbers(w, "quat", link->rotation, 4);
    fputs(">\n", w->out);
    write_joint(w, link);
    write_inertial(w, link);
    for (size_t k = 0; k < body->count; k++)
        if (body->links[k].parent == (int)index) write_link(w, k);
    fputs("</body>\n", w->out);
}

void body_write_links(reader *r, FILE *out, const body_file *body) {
    writer w = {r, out, body};
    write_link(&w, body->root);
}

void body_restore_masses(const body_file *body, mjModel *model) {
    for (size_t k = 0; k < body->count; k++) {
        const body_link *link = &body->links[k];
        const int id = mj_name2id(model, mjOBJ_BODY, link->name);
        if (!link->bare || id < 0) continue;
        model->body_mass[id] = link->mass;
        memcpy(model->body_inertia + 3 * id, link->principal, sizeof link->principal);
    }
}

/* Memory of open_memstream, which is ours to free whenever the reading ends. */
typedef struct text_stream {
    FILE *file;
    char *text;
    size_t size;
} text_stream;

static void finish_stream(void *memory) {
    text_stream *stream = memory;
    if (stream->file) (void)fclose(stream->file);
    free(stream->text);
}

static joint_facts body_facts(const body_link *link) {
    joint_facts facts = facts_of(link->joint_name);
    facts.id = link->joint_id;
    facts.lower = link->lower;
    facts.upper = link->upper;
    facts.effort = link->effort;
    facts.rotor_inertia = link->rotor;
    facts.gear_ratio = link->gear_ratio;
    return facts;
}

/* The text that MuJoCo reads is ours: its lines say nothing to the user. */
static place locate(const void *context, const char *object) {
    const body_file *body = context;
    for (size_t k = 0; k < body->count; k++)
        if (strcmp(body->links[k].name, object) == 0 ||
            strcmp(body->links[k].joint_name, object) == 0)
            return body->links[k].at;
    return (place){body->path, 0, 0};
}

robot_source read_body_robot(reader *r, const char *path, const robot_options *options) {
    (void)options; /* a .body says what its root is */
    const place at = {path, 0, 0};
    const body_file *body = body_read(r, at, path);
    text_stream *stream = reader_own(r, sizeof *stream, finish_stream);
    stream->file = open_memstream(&stream->text, &stream->size);
    if (!stream->file) reader_refuse(r, at, "out of memory");
    fputs("<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<worldbody>\n",
          stream->file);
    body_write_links(r, stream->file, body);
    fputs("</worldbody>\n</mujoco>\n", stream->file);
    (void)fflush(stream->file);

    robot_source source = {.name = body->name};
    source.model = engine_load(r, path, stream->text, stream->size, locate, body);
    body_restore_masses(body, source.model);
    engine_update(r, at, source.model);
    for (size_t k = 0; k < body->count; k++)
        *add_facts(r, &source, body->links[k].joint_name) = body_facts(&body->links[k]);
    return source;
}
