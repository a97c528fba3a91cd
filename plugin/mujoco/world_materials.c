/* SPDX-License-Identifier: MIT
 * The table of materials, as far as MuJoCo can represent it. For two shapes, MuJoCo uses the
 * friction of the one with the higher priority, or the larger one if priorities are equal. Only the
 * materials that can touch in this world count; pairs that cannot be represented give a warning.
 */
#include <math.h>
#include <string.h>

#include "world_reader.h"

enum { most_materials = 64 };

/* The materials of the world, and which of them may meet. */
typedef struct meeting {
    const char *names[most_materials];
    size_t count;
    bool meet[most_materials][most_materials];
    double wanted[most_materials][most_materials];
    double friction[most_materials];
    int priority[most_materials];
    bool settled[most_materials];
} meeting;

static bool touches(const placed_body *b, const body_link *link) {
    return b->source->collides && link->shape_count && !link->untouchable;
}

/* The index of a material, added if it is new; beyond the limit all count as the first. */
static size_t index_of(meeting *m, const char *name) {
    for (size_t k = 0; k < m->count; k++)
        if (strcmp(m->names[k], name) == 0) return k;
    if (m->count == most_materials) return 0;
    m->names[m->count] = name;
    return m->count++;
}

static void warn_of_unknown(reader *r, const project *p, const placed_body *b, size_t index) {
    const body_file *file = b->source->file;
    const char *name = file->links[index].material;
    if (!name || strcmp(name, "Default") == 0 ||
        strcmp(materials_known(&p->materials, name), "Default") != 0)
        return;
    for (size_t k = 0; k < index; k++)
        if (file->links[k].material && strcmp(file->links[k].material, name) == 0) return;
    stiction_reader_warn(r, file->links[index].material_at,
                         "the material '%s' is not known: it slides as Default does", name);
}

/* Links of one body touch only if it collides with itself; two fixed bodies never touch. */
static bool may_meet(const placed_body *a, const body_link *i, const placed_body *b,
                     const body_link *k) {
    if (a == b) return a->source->collides_with_itself && i != k;
    return i->joint != BODY_FIXED || k->joint != BODY_FIXED || i->parent >= 0 || k->parent >= 0;
}

static void collect(reader *r, const project *p, const placed_body *bodies, meeting *m) {
    for (size_t k = 0; k < p->body_count; k++)
        for (size_t i = 0; i < bodies[k].file.count; i++) {
            const body_link *link = &bodies[k].file.links[i];
            if (!touches(&bodies[k], link)) continue;
            warn_of_unknown(r, p, &bodies[k], i);
            (void)index_of(m, materials_known(&p->materials, link->material));
        }
    /* by pair of bodies: few materials, however many links there are */
    for (size_t a = 0; a < p->body_count; a++)
        for (size_t b = a; b < p->body_count; b++) {
            bool seen[most_materials][most_materials] = {{false}};
            for (size_t i = 0; i < bodies[a].file.count; i++) {
                const body_link *first = &bodies[a].file.links[i];
                if (!touches(&bodies[a], first)) continue;
                const size_t x = index_of(m, materials_known(&p->materials, first->material));
                for (size_t k = 0; k < bodies[b].file.count; k++) {
                    const body_link *second = &bodies[b].file.links[k];
                    if (!touches(&bodies[b], second) ||
                        !may_meet(&bodies[a], first, &bodies[b], second))
                        continue;
                    const size_t y = index_of(m, materials_known(&p->materials, second->material));
                    if (seen[x][y]) continue;
                    seen[x][y] = true;
                    m->meet[x][y] = m->meet[y][x] = true;
                }
            }
        }
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < m->count; k++)
            m->wanted[i][k] = materials_friction(&p->materials, m->names[i], m->names[k]);
}

static bool same(double a, double b) {
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

/* Sets the friction of a material to the smallest of its pairs with materials that are not
 * settled, as needed where the larger one counts. True: all these pairs have this friction. */
static bool is_uniform(meeting *m, size_t k) {
    double least = (double)INFINITY, most = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (!m->meet[k][i] || m->settled[i]) continue;
        least = fmin(least, m->wanted[k][i]);
        most = fmax(most, m->wanted[k][i]);
    }
    m->friction[k] = isfinite(least) ? least : m->wanted[k][k];
    return !isfinite(least) || same(least, most);
}

static double given(const meeting *m, size_t i, size_t k) {
    if (m->priority[i] != m->priority[k])
        return m->priority[i] > m->priority[k] ? m->friction[i] : m->friction[k];
    return fmax(m->friction[i], m->friction[k]);
}

static bool is_given(const meeting *m, size_t i, size_t k) {
    return !m->meet[i][k] || same(given(m, i, k), m->wanted[i][k]);
}

/* Materials with the same friction on all others get the higher priorities, one after the other,
 * until the rule of the larger one fits the rest. */
static void settle(meeting *m) {
    for (int level = (int)m->count; level > 0; level--) {
        bool fine = true;
        for (size_t k = 0; k < m->count; k++)
            if (!m->settled[k]) (void)is_uniform(m, k);
        for (size_t i = 0; i < m->count; i++)
            for (size_t k = 0; k < m->count; k++) fine = fine && is_given(m, i, k);
        if (fine) return;
        size_t next = 0; /* a uniform material is right whatever the others get */
        while (next < m->count && (m->settled[next] || !is_uniform(m, next))) next++;
        if (next == m->count) return;
        m->settled[next] = true;
        m->priority[next] = level;
    }
}

static void warn(reader *r, const project *p, const meeting *m) {
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k <= i; k++) {
            if (!m->meet[i][k]) continue;
            const material_pair *pair = materials_pair(&p->materials, m->names[i], m->names[k]);
            const stiction_place at =
                pair && pair->at.path ? pair->at : (stiction_place){p->path, 0, 0};
            if (!is_given(m, i, k))
                stiction_reader_warn(r, at,
                                     "%s on %s slides with a friction of %g instead of %g: MuJoCo "
                                     "cannot have that beside the other pairs",
                                     m->names[i], m->names[k], given(m, i, k), m->wanted[i][k]);
            if (pair && pair->restitution > 0)
                stiction_reader_warn(r, at, "%s does not bounce off %s: restitution is not read",
                                     m->names[i], m->names[k]);
            if (pair && pair->collision)
                stiction_reader_warn(r, at, "the collision handler '%s' is not run",
                                     pair->collision);
        }
}

void world_set_materials(reader *r, const project *p, placed_body *bodies) {
    meeting *m = stiction_reader_alloc(r, sizeof *m);
    collect(r, p, bodies, m);
    settle(m);
    warn(r, p, m);
    for (size_t k = 0; k < p->body_count; k++)
        for (size_t i = 0; i < bodies[k].file.count; i++) {
            body_link *link = &bodies[k].file.links[i];
            if (!touches(&bodies[k], link)) continue;
            const size_t at = index_of(m, materials_known(&p->materials, link->material));
            link->shape_friction = m->friction[at];
            link->priority = m->priority[at];
        }
}
