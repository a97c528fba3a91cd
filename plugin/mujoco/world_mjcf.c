/* SPDX-License-Identifier: MIT
 * Placed bodies as one MJCF text, and that as a model.
 */
#include <stdlib.h>
#include <string.h>

#include "mujoco_compile/hull_contacts.h"
#include "robots/xml.h"
#include "world_reader.h"

/* Room for contacts and all constraints; MuJoCo's default of 100 contacts is too little for a pile
 * of boxes, and its memory grows with the square. */
typedef struct room {
    size_t contacts, constraints;
} room;

/* A mesh touches others in more points than a box: four on the average. */
static size_t mesh_count(const placed_body *b) {
    size_t count = 0;
    for (size_t k = 0; k < b->file.count; k++)
        for (size_t i = 0; i < b->file.links[k].shape_count; i++)
            count += b->file.links[k].shapes[i].kind == BODY_MESH;
    return count < 100 ? count : 100;
}

static room find_room(const world_plan *plan) {
    room all = {100, 0};
    for (size_t k = 0; k < plan->body_count; k++) {
        const placed_body *b = &plan->bodies[k];
        if (b->style.contact_type && all.contacts < 1000) all.contacts += 20 + 4 * mesh_count(b);
        all.constraints +=
            b->file.count + 3 * b->tie_count + 6 * b->file.equality_count + b->file.tendon_count;
    }
    all.constraints += 3 * all.contacts;
    return all;
}

static void write_head(const world_plan *plan, FILE *out) {
    const room size = find_room(plan);
    double medium[2] = {0, 0};
    for (size_t k = 0; k < plan->body_count; k++)
        for (int i = 0; i < 2; i++) medium[i] = fmax(medium[i], plan->bodies[k].file.medium[i]);
    fprintf(out,
            "<mujoco model=\"" HULL_CONTACTS_MODEL "\">\n"
            "<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n"
            "<option timestep=\"%.17g\" gravity=\"%.17g %.17g %.17g\" integrator=\"%s\" "
            "density=\"%.17g\" viscosity=\"%.17g\" "
            /* a cone that does not depend on directions, and feet that slip ten times less */
            "solver=\"Newton\" tolerance=\"1e-10\" cone=\"elliptic\" impratio=\"10\">\n"
            /* a lying cylinder touches the floor in more than one point */
            "<flag multiccd=\"enable\" contact=\"disable\"/></option>\n"
            "<size nuserdata=\"%d\" nconmax=\"%zu\" njmax=\"%zu\"/>\n"
            "<visual><global offwidth=\"1920\" offheight=\"1080\"/></visual>\n",
            plan->timestep, plan->gravity[0], plan->gravity[1], plan->gravity[2],
            plan->integrator == WORLD_RK4 ? "RK4" : "Euler", medium[0], medium[1],
            plan->memory_size, size.contacts, size.constraints);
}

static void write_exclusions(reader *r, FILE *out, const placed_body *b) {
    const body_file *file = &b->file;
    if (!b->source->collides_with_itself) return;
    for (size_t i = 0; i < file->count; i++)
        for (size_t k = 0; k < i; k++)
            if (file->links[i].shape_count && file->links[k].shape_count &&
                body_never_touch(file, i, k))
                fprintf(out, "<exclude body1=\"%s\" body2=\"%s\"/>\n",
                        xml_escape(r, file->links[k].name), xml_escape(r, file->links[i].name));
}

static void write_overlaps(reader *r, FILE *out, const world_overlap *overlaps) {
    for (; overlaps; overlaps = overlaps->next)
        if (overlaps->inside)
            fprintf(out, "<exclude body1=\"%s\" body2=\"%s\"/>\n",
                    xml_escape(r, overlaps->links[0]), xml_escape(r, overlaps->links[1]));
}

static void write_ties(reader *r, FILE *out, const placed_body *b) {
    for (size_t k = 0; k < b->tie_count; k++)
        fprintf(out,
                "<connect body1=\"%s\" body2=\"%s\" anchor=\"0 0 0\" "
                "solref=\"%.17g 1\" solimp=\"0.95 0.99 0.001\"/>\n",
                xml_escape(r, b->ties[k].link[0]), xml_escape(r, b->ties[k].link[1]),
                b->style.softness);
}

static void write_actuators(reader *r, FILE *out, const world_plan *plan) {
    if (plan->integrator != WORLD_RK4) return;
    fputs("<actuator>\n", out);
    for (size_t k = 0; k < plan->driven_count; k++)
        fprintf(out,
                "<general joint=\"%s\" dyntype=\"integrator\" gaintype=\"fixed\" gainprm=\"0\" "
                "biastype=\"none\"/>\n",
                xml_escape(r, plan->driven[k]));
    fputs("</actuator>\n", out);
}

static void write_model(reader *r, FILE *out, const world_plan *plan) {
    write_head(plan, out);
    fputs("<asset>\n", out);
    for (size_t k = 0; k < plan->body_count; k++) body_write_meshes(r, out, &plan->bodies[k].file);
    fputs("</asset>\n<worldbody>\n<light pos=\"0 0 5\" directional=\"true\"/>\n", out);
    for (size_t k = 0; k < plan->body_count; k++)
        body_write_links(r, out, &plan->bodies[k].file, &plan->bodies[k].style);
    fputs("</worldbody>\n<contact>\n", out);
    for (size_t k = 0; k < plan->body_count; k++) write_exclusions(r, out, &plan->bodies[k]);
    for (size_t k = 0; k < plan->body_count; k++) world_write_separations(r, out, &plan->bodies[k]);
    write_overlaps(r, out, plan->overlaps);
    fputs("</contact>\n<equality>\n", out);
    for (size_t k = 0; k < plan->body_count; k++) write_ties(r, out, &plan->bodies[k]);
    for (size_t k = 0; k < plan->body_count; k++) world_write_equalities(r, out, &plan->bodies[k]);
    fputs("</equality>\n<tendon>\n", out);
    for (size_t k = 0; k < plan->body_count; k++) world_write_tendons(r, out, &plan->bodies[k]);
    fputs("</tendon>\n", out);
    write_actuators(r, out, plan);
    fputs("<keyframe><key name=\"start\"/></keyframe>\n</mujoco>\n", out);
}

/* MuJoCo reads a text that we generate: its line numbers mean nothing to the user. */
static stiction_place locate(const void *context, const char *object, int line) {
    (void)line;
    const world_plan *plan = context;
    for (size_t i = 0; i < plan->body_count; i++)
        for (size_t k = 0; k < plan->bodies[i].file.count; k++) {
            const body_link *link = &plan->bodies[i].file.links[k];
            if (strcmp(link->name, object) == 0 || strcmp(link->joint_name, object) == 0)
                return link->at;
        }
    return (stiction_place){plan->project->path, 0, 0};
}

/* A joint's zero is its position in qpos0, so the start is a keyframe: 0 stays 0. */
static void set_start(const world_plan *plan, mjModel *model) {
    for (size_t i = 0; i < plan->body_count; i++) {
        const placed_body *b = &plan->bodies[i];
        for (size_t k = 0; k < b->file.count; k++) {
            const body_link *link = &b->file.links[k];
            const int id = mj_name2id(model, mjOBJ_JOINT, link->joint_name);
            if (id < 0 || (link->joint != BODY_REVOLUTE && link->joint != BODY_PRISMATIC)) continue;
            model->key_qpos[model->jnt_qposadr[id]] = b->source->displacements[k];
        }
    }
}

/* MuJoCo would compute the second point from the links' poses in qpos0. */
static void set_ties(const world_plan *plan, mjModel *model) {
    int at = 0;
    for (size_t i = 0; i < plan->body_count; i++)
        for (size_t k = 0; k < plan->bodies[i].tie_count; k++, at++)
            memcpy(model->eq_data + mjNEQDATA * at, plan->bodies[i].ties[k].point,
                   6 * sizeof(double));
    world_set_equalities(plan, model, at);
    world_set_tendons(plan, model);
}

static mjModel *make_model(reader *r, const world_plan *plan) {
    const stiction_place at = {plan->project->path, 0, 0};
    text_stream *stream = stiction_reader_stream(r);
    write_model(r, stream->file, plan);
    const char *text = stiction_reader_stream_text(r, stream);
    mjModel *model =
        engine_load(r, &(engine_text){at.path, text, stream->size, false, locate, plan, NULL});
    for (size_t k = 0; k < plan->body_count; k++) body_restore_masses(&plan->bodies[k].file, model);
    engine_update(r, at, model);
    /* derived quantities need no contacts, and with all joints at 0 links may overlap */
    model->opt.disableflags &= ~mjDSBL_CONTACT;
    set_start(plan, model);
    set_ties(plan, model);
    return model;
}

static bool has_inside(const world_overlap *from, const world_overlap *to) {
    for (; from != to; from = from->next)
        if (from->inside) return true;
    return false;
}

/* Makes the model again where hulls overlap; with those contacts gone, more may be found. */
mjModel *world_make_model(reader *r, const world_plan *asked) {
    enum { most_turns = 4 };
    world_plan plan = *asked;
    mjModel *model = make_model(r, &plan);
    for (int turn = 0; turn < most_turns; turn++) {
        const world_overlap *before = plan.overlaps;
        plan.overlaps = world_find_overlaps(r, &plan, model);
        if (!has_inside(plan.overlaps, before)) break;
        model = make_model(r, &plan);
    }
    world_judge_overlaps(r, &plan);
    return model;
}
