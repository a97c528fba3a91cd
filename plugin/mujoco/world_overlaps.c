/* SPDX-License-Identifier: MIT
 * Shapes that overlap at the start. Two links of one body, whose meshes need not overlap where
 * their hulls do, would push each other apart for ever: their contact is excluded. Two bodies would
 * be thrown apart: that is an error.
 */
#include <string.h>

#include "world_reader.h"

/* A contact or a rounded corner may be so deep, m; what is deeper is an overlap. */
static const double deep = 1e-3;

typedef struct search {
    const mjModel *model;
    mjData *data;
} search;

static void find_contacts(void *context) {
    search *s = context;
    s->data = mj_makeData(s->model);
    if (!s->data) return;
    mj_resetDataKeyframe(s->model, s->data, 0);
    mj_fwdPosition(s->model, s->data);
}

/* The body of the project and the link that a geom is of; false: none. */
static bool find_link(const world_plan *plan, const mjModel *model, int geom, size_t *body,
                      size_t *link) {
    const char *name = mj_id2name(model, mjOBJ_BODY, model->geom_bodyid[geom]);
    for (*body = 0; name && *body < plan->body_count; ++*body)
        for (*link = 0; *link < plan->bodies[*body].file.count; ++*link)
            if (strcmp(plan->bodies[*body].file.links[*link].name, name) == 0) return true;
    return false;
}

static bool is_known(const world_overlap *list, const char *a, const char *b) {
    for (; list; list = list->next)
        if (strcmp(list->links[0], a) == 0 && strcmp(list->links[1], b) == 0) return true;
    return false;
}

static const world_overlap *add(reader *r, const world_overlap *list, const placed_body *a,
                                size_t i, const placed_body *b, size_t k, double depth) {
    world_overlap *one = stiction_reader_alloc(r, sizeof *one);
    *one = (world_overlap){
        .links = {a->file.links[i].name, b->file.links[k].name}, .depth = depth, .next = list};
    one->inside = a == b;
    return one;
}

const world_overlap *world_find_overlaps(reader *r, const world_plan *plan, const mjModel *model) {
    search s = {.model = model};
    char crash[ENGINE_MESSAGE];
    const world_overlap *list = plan->overlaps;
    if (!engine_run(find_contacts, &s, NULL, NULL, crash)) {
        if (engine_status(crash, STICTION_OK) == STICTION_OUT_OF_MEMORY)
            engine_refuse(r, (stiction_place){plan->project->path, 0, 0}, crash);
        return list;
    }
    if (!s.data) return list;
    for (int c = 0; c < s.data->ncon; c++) {
        const mjContact *contact = &s.data->contact[c];
        size_t a, b, i, k;
        const bool is_hull = model->geom_type[contact->geom1] == mjGEOM_MESH ||
                             model->geom_type[contact->geom2] == mjGEOM_MESH;
        if (contact->dist > -deep) continue;
        if (!find_link(plan, model, contact->geom1, &a, &i) ||
            !find_link(plan, model, contact->geom2, &b, &k))
            continue;
        if (b < a || (b == a && k < i)) { /* MuJoCo sorts them by kind of shape */
            const size_t body = a, link = i;
            a = b, i = k, b = body, k = link;
        }
        const placed_body *x = &plan->bodies[a], *y = &plan->bodies[b];
        if ((a == b && !is_hull) || is_known(list, x->file.links[i].name, y->file.links[k].name))
            continue;
        list = add(r, list, x, i, y, k, -contact->dist);
    }
    mj_deleteData(s.data);
    return list;
}

void world_judge_overlaps(reader *r, const world_plan *plan) {
    const stiction_place at = {plan->project->path, 0, 0};
    size_t inside = 0;
    const world_overlap *deepest = NULL, *between = NULL;
    for (const world_overlap *o = plan->overlaps; o; o = o->next) {
        inside += o->inside;
        if (o->inside && (!deepest || o->depth > deepest->depth)) deepest = o;
        if (!o->inside && (!between || o->depth > between->depth)) between = o;
    }
    if (between)
        stiction_reader_refuse(r, at,
                               "'%s' and '%s' overlap by %.3g m at the start, and would be thrown "
                               "apart: at most 0.001 m is allowed; move them apart",
                               between->links[0], between->links[1], between->depth);
    if (deepest)
        stiction_reader_warn(r, at,
                             "%zu pair%s of links whose hulls overlap at the start "
                             "%s not touch (the deepest: '%s' and '%s', %.3g m)",
                             inside, inside > 1 ? "s" : "", inside > 1 ? "do" : "does",
                             deepest->links[0], deepest->links[1], deepest->depth);
}
