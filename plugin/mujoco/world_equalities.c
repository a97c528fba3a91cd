/* SPDX-License-Identifier: MIT
 * Equality constraints of a robot's file besides the loops of extra_joints, its tendons, and pairs
 * of its links that never touch.
 */
#include <string.h>

#include "robots/xml.h"
#include "world_reader.h"

static const char *const elements[] = {"connect", "weld", "joint"};

static void write_objects(reader *r, FILE *out, const placed_body *b, const body_equality *e) {
    const bool couple = e->kind == BODY_COUPLE;
    /* MuJoCo needs a body first; the world can only be second */
    for (int k = 0, written = 0; k < 2; k++) {
        if (e->link[k] < 0) continue;
        const body_link *link = &b->file.links[e->link[k]];
        fprintf(out, " %s%d=\"%s\"", couple ? "joint" : "body", ++written,
                xml_escape(r, couple ? link->joint_name : link->name));
    }
}

void world_write_equalities(reader *r, FILE *out, const placed_body *b) {
    for (size_t k = 0; k < b->file.equality_count; k++) {
        const body_equality *e = &b->file.equalities[k];
        fprintf(out, "<%s", elements[e->kind]);
        write_objects(r, out, b, e);
        if (e->kind == BODY_CONNECT) fputs(" anchor=\"0 0 0\"", out);
        fprintf(out, " solref=\"%.17g 1\" solimp=\"0.95 0.99 0.001\"/>\n", b->style.softness);
    }
}

void world_write_separations(reader *r, FILE *out, const placed_body *b) {
    for (size_t k = 0; k < b->file.separate_count; k++) {
        const int *pair = b->file.separate[k];
        fprintf(out, "<exclude body1=\"%s\" body2=\"%s\"/>\n",
                xml_escape(r, b->file.links[pair[0]].name),
                xml_escape(r, b->file.links[pair[1]].name));
    }
}

/* MuJoCo would compute points and frames from the links' poses in qpos0. */
static void set_data(const body_equality *e, mjtNum *data) {
    if (e->kind == BODY_COUPLE) {
        memcpy(data, e->polynomial, sizeof e->polynomial);
        return;
    }
    /* the world was written as the second */
    const int first = e->link[0] < 0, second = 1 - first;
    const bool weld = e->kind == BODY_WELD;
    mju_copy3(data + (weld ? 3 : 0), e->point[first]);
    mju_copy3(data + (weld ? 0 : 3), e->point[second]);
    if (!weld) return;
    if (first)
        mju_negQuat(data + 6, e->turn);
    else
        mju_copy4(data + 6, e->turn);
    data[10] = e->torque_scale;
}

void world_set_equalities(const world_plan *plan, mjModel *model, int first) {
    for (size_t i = 0; i < plan->body_count; i++)
        for (size_t k = 0; k < plan->bodies[i].file.equality_count; k++, first++)
            set_data(&plan->bodies[i].file.equalities[k], model->eq_data + mjNEQDATA * first);
}

void world_write_tendons(reader *r, FILE *out, const placed_body *b) {
    for (size_t k = 0; k < b->file.tendon_count; k++) {
        const body_tendon *t = &b->file.tendons[k];
        fprintf(out, "<fixed stiffness=\"%.17g\" limited=\"%s\"", t->stiffness,
                t->limited ? "true" : "false");
        if (t->limited) fprintf(out, " range=\"%.17g %.17g\"", t->range[0], t->range[1]);
        fprintf(out, " solreflimit=\"%.17g 1\" solimplimit=\"0.95 0.99 0.001\">\n",
                b->style.softness);
        for (size_t i = 0; i < t->count; i++)
            fprintf(out, "<joint joint=\"%s\" coef=\"%.17g\"/>\n",
                    xml_escape(r, b->file.links[t->links[i]].joint_name), t->factors[i]);
        fputs("</fixed>\n", out);
    }
}

/* MuJoCo would assume that springs are at rest where the joints are 0. */
void world_set_tendons(const world_plan *plan, mjModel *model) {
    int at = 0;
    for (size_t i = 0; i < plan->body_count; i++)
        for (size_t k = 0; k < plan->bodies[i].file.tendon_count; k++)
            mujoco_set_rest(model, at++, plan->bodies[i].file.tendons[k].rest);
}
