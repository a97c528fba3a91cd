/*
 * Links as MJCF: a body a link, in the frames and with the names of the .body file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"

static void write_text(FILE *out, const char *text) {
    for (; *text; text++) switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
}

static void write_name(FILE *out, const char *attribute, const char *name) {
    fprintf(out, " %s=\"", attribute);
    write_text(out, name);
    fputc('"', out);
}

static void write_numbers(FILE *out, const char *attribute, const double *numbers, int count) {
    fprintf(out, " %s=\"", attribute);
    for (int k = 0; k < count; k++) fprintf(out, "%s%.17g", k ? " " : "", numbers[k]);
    fputc('"', out);
}

static void write_joint(FILE *out, const body_link *link) {
    if (link->joint == BODY_FIXED) return;
    if (link->joint == BODY_FREE) {
        fputs("<freejoint/>\n", out);
        return;
    }
    fputs("<joint", out);
    write_name(out, "name", link->joint_name);
    fprintf(out, " type=\"%s\"", link->joint == BODY_REVOLUTE ? "hinge" : "slide");
    write_numbers(out, "axis", link->axis, 3);
    write_numbers(out, "armature", &link->armature, 1);
    /* a range needs both ends, and some room between them */
    if (isfinite(link->lower) && isfinite(link->upper) && link->lower < link->upper) {
        const double range[2] = {link->lower, link->upper};
        fputs(" limited=\"true\"", out);
        write_numbers(out, "range", range, 2);
    }
    fputs("/>\n", out);
}

static void write_inertial(FILE *out, const body_link *link) {
    static const double stand_in[3] = {1, 1, 1};
    fputs("<inertial", out);
    write_numbers(out, "pos", link->center, 3);
    write_numbers(out, "quat", link->frame, 4);
    write_numbers(out, "mass", link->bare ? stand_in : &link->mass, 1);
    write_numbers(out, "diaginertia", link->bare ? stand_in : link->principal, 3);
    fputs("/>\n", out);
}

static void write_link(FILE *out, const body_file *body, size_t index) {
    const body_link *link = &body->links[index];
    fputs("<body", out);
    write_name(out, "name", link->name);
    write_numbers(out, "pos", link->translation, 3);
    write_numbers(out, "quat", link->rotation, 4);
    fputs(">\n", out);
    write_joint(out, link);
    write_inertial(out, link);
    for (size_t k = 0; k < body->count; k++)
        if (body->links[k].parent == (int)index) write_link(out, body, k);
    fputs("</body>\n", out);
}

void body_write_links(FILE *out, const body_file *body) {
    write_link(out, body, body->root);
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

robot_source read_body_robot(reader *r, const char *path, const robot_options *options) {
    (void)options; /* a .body says what its root is */
    const place at = {path, 0, 0};
    const body_file *body = body_read(r, at, path);
    text_stream *stream = reader_own(r, sizeof *stream, finish_stream);
    stream->file = open_memstream(&stream->text, &stream->size);
    if (!stream->file) reader_refuse(r, at, "out of memory");
    fputs("<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<worldbody>\n",
          stream->file);
    body_write_links(stream->file, body);
    fputs("</worldbody>\n</mujoco>\n", stream->file);
    (void)fflush(stream->file);

    engine_complaint complaint;
    robot_source source = {.name = body->name};
    source.model = engine_load(r, path, stream->text, stream->size, &complaint);
    if (!source.model) reader_refuse(r, at, "%s (%s)", complaint.message, complaint.object);
    body_restore_masses(body, source.model);
    engine_update(r, at, source.model);
    for (size_t k = 0; k < body->count; k++)
        *add_facts(r, &source, body->links[k].joint_name) = body_facts(&body->links[k]);
    return source;
}
