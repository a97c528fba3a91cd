/* SPDX-License-Identifier: MIT */
#include "hull_contacts.h"

#include <math.h>
#include <string.h>

#include "mujoco_versions.h"

#if MUJOCO_HAS_ROOM_FOR_CONTACTS

/* A vertex that is deeper by this part of a length counts as that much farther out, so that the
 * deepest ones are among those that are kept. */
static const double depth_counts = 100;

static mjfCollision plane_mesh, box_mesh; /* MuJoCo's */

/* The vertices of a hull that are below a surface, in the frame of that surface. */
typedef struct touching {
    int count;
    double points[HULL_CONTACTS_MOST][3];
    double reach[HULL_CONTACTS_MOST]; /* in its direction */
} touching;

/* One frame in another: x -> turn x + shift. */
typedef struct relative {
    double turn[9], shift[3];
} relative;

/* The vertices of a hull; those inside are not among them. */
typedef struct hull {
    const float *vertices;
    const int *ids;
    int count;
} hull;

static bool has_these(const mjModel *model) {
    return strcmp(model->names, HULL_CONTACTS_MODEL) == 0;
}

static bool find_hull(const mjModel *model, int geom, hull *of) {
    const int mesh = model->geom_dataid[geom];
    if (mesh < 0 || model->mesh_graphadr[mesh] < 0) return false;
    const int *graph = model->mesh_graph + model->mesh_graphadr[mesh];
    of->vertices = model->mesh_vert + 3 * model->mesh_vertadr[mesh];
    of->count = graph[0];
    of->ids = graph + 2 + of->count;
    return true;
}

static relative find_relative(const mjData *data, int to, int from) {
    relative r;
    double between[3];
    const double *const turned = data->geom_xmat + 9 * (size_t)to;
    mju_mulMatTMat(r.turn, turned, data->geom_xmat + 9 * (size_t)from, 3, 3, 3);
    mju_sub3(between, data->geom_xpos + 3 * (size_t)from, data->geom_xpos + 3 * (size_t)to);
    mju_mulMatTVec(r.shift, turned, between, 3, 3);
    return r;
}

static void move(const relative *r, const hull *h, int index, double point[3]) {
    const float *v = h->vertices + 3 * (size_t)h->ids[index];
    for (int k = 0; k < 3; k++)
        point[k] = r->turn[3 * k] * (double)v[0] + r->turn[3 * k + 1] * (double)v[1] +
                   r->turn[3 * k + 2] * (double)v[2] + r->shift[k];
}

/* The directions in which vertices are kept stay with the hull, so that the same ones are kept in
 * the next step: they are turned from the axis of the hull that lies flattest. */
static void find_directions(const relative *r, int axis, double directions[][2]) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int flattest = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(r->turn[3 * axis + k]) < fabs(r->turn[3 * axis + flattest])) flattest = k;
    /* not along the edges of a shape, whose ends would be equally far */
    const double first = atan2(r->turn[3 * v + flattest], r->turn[3 * u + flattest]) + 0.3;
    for (int k = 0; k < HULL_CONTACTS_MOST; k++) {
        directions[k][0] = cos(first + 2 * mjPI * k / HULL_CONTACTS_MOST);
        directions[k][1] = sin(first + 2 * mjPI * k / HULL_CONTACTS_MOST);
    }
}

static double reach_of(const double point[3], double depth, int axis, const double direction[2]) {
    return direction[0] * point[(axis + 1) % 3] + direction[1] * point[(axis + 2) % 3] +
           depth_counts * depth;
}

/* The vertices under `surface` along `sign` times the axis: all, or the farthest. */
static void find_touching(const relative *r, const hull *h, int axis, double sign, double surface,
                          double margin, touching *found) {
    double directions[HULL_CONTACTS_MOST][2], point[3];
    int total = 0;
    found->count = 0;
    for (int i = 0; i < h->count; i++) {
        move(r, h, i, point);
        const double depth = surface - sign * point[axis];
        if (!(depth > -margin)) continue;
        if (total++ < HULL_CONTACTS_MOST) {
            mju_copy3(found->points[found->count++], point);
            continue;
        }
        if (total == HULL_CONTACTS_MOST + 1) {
            /* too many: now the farthest in each direction */
            const touching before = *found;
            find_directions(r, axis, directions);
            for (int k = 0; k < HULL_CONTACTS_MOST; k++) {
                found->reach[k] = -(double)INFINITY;
                for (int n = 0; n < before.count; n++) {
                    const double *p = before.points[n];
                    const double reach = reach_of(p, surface - sign * p[axis], axis, directions[k]);
                    if (!(reach > found->reach[k])) continue;
                    found->reach[k] = reach;
                    mju_copy3(found->points[k], p);
                }
            }
        }
        for (int k = 0; k < HULL_CONTACTS_MOST; k++) {
            const double reach = reach_of(point, depth, axis, directions[k]);
            if (!(reach > found->reach[k])) continue;
            found->reach[k] = reach;
            mju_copy3(found->points[k], point);
        }
    }
}

static bool is_repeated(const touching *found, int index) {
    for (int k = 0; k < index; k++)
        if (memcmp(found->points[k], found->points[index], sizeof found->points[k]) == 0)
            return true;
    return false;
}

/* Contacts, halfway between a vertex and the surface, with the normal from the surface to it. */
static int write_contacts(const touching *found, int axis, double sign, double surface,
                          const double place[3], const double turn[9], mjContact *contacts) {
    int count = 0;
    for (int k = 0; k < found->count; k++) {
        if (is_repeated(found, k)) continue;
        mjContact *c = &contacts[count++];
        double point[3], normal[3] = {0};
        c->dist = sign * found->points[k][axis] - surface;
        mju_copy3(point, found->points[k]);
        point[axis] -= sign * c->dist / 2;
        normal[axis] = sign;
        mju_mulMatVec(c->pos, turn, point, 3, 3);
        mju_addTo3(c->pos, place);
        mju_mulMatVec(c->frame, turn, normal, 3, 3);
        mju_zero3(c->frame + 3);
    }
    return count;
}

static int collide_plane(const mjModel *model, const mjData *data, mjContact *contacts, int plane,
                         int mesh, mjtNum margin) {
    hull h;
    if (!has_these(model) || !find_hull(model, mesh, &h))
        return plane_mesh(model, data, contacts, plane, mesh, margin);
    const relative r = find_relative(data, plane, mesh);
    touching found;
    find_touching(&r, &h, 2, 1, 0, margin, &found);
    return write_contacts(&found, 2, 1, 0, data->geom_xpos + 3 * (size_t)plane,
                          data->geom_xmat + 9 * (size_t)plane, contacts);
}

/* How far a hull is above each of the six faces, positive where it is outside. */
static double find_face(const relative *r, const hull *h, const mjtNum *size, int *axis,
                        double *sign) {
    double lowest[3], highest[3], point[3], farthest = -(double)INFINITY;
    for (int k = 0; k < 3; k++) lowest[k] = (double)INFINITY, highest[k] = -(double)INFINITY;
    for (int i = 0; i < h->count; i++) {
        move(r, h, i, point);
        for (int k = 0; k < 3; k++) {
            lowest[k] = fmin(lowest[k], point[k]);
            highest[k] = fmax(highest[k], point[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        const double above = lowest[k] - size[k], below = -highest[k] - size[k];
        if (above > farthest) farthest = above, *axis = k, *sign = 1;
        if (below > farthest) farthest = below, *axis = k, *sign = -1;
    }
    return farthest;
}

/* Whether all that is under a face is over it: else edges touch, too. */
static bool is_over(const relative *r, const hull *h, const mjtNum *size, int axis, double sign,
                    double margin) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double point[3];
    for (int i = 0; i < h->count; i++) {
        move(r, h, i, point);
        if (size[axis] - sign * point[axis] > -margin &&
            (fabs(point[u]) > size[u] || fabs(point[v]) > size[v]))
            return false;
    }
    return true;
}

static int collide_box(const mjModel *model, const mjData *data, mjContact *contacts, int box,
                       int mesh, mjtNum margin) {
    hull h;
    if (!has_these(model) || !find_hull(model, mesh, &h))
        return box_mesh(model, data, contacts, box, mesh, margin);
    const relative r = find_relative(data, box, mesh);
    const mjtNum *size = model->geom_size + 3 * (size_t)box;
    int axis = 2;
    double sign = 1;
    if (find_face(&r, &h, size, &axis, &sign) > margin) return 0;
    if (!is_over(&r, &h, size, axis, sign, margin))
        return box_mesh(model, data, contacts, box, mesh, margin);
    touching found;
    find_touching(&r, &h, axis, sign, size[axis], margin, &found);
    return write_contacts(&found, axis, sign, size[axis], data->geom_xpos + 3 * (size_t)box,
                          data->geom_xmat + 9 * (size_t)box, contacts);
}

void hull_contacts_begin(void) {
    plane_mesh = mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_MESH];
    box_mesh = mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_MESH];
    mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_MESH] = collide_plane;
    mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_MESH] = collide_box;
}

void hull_contacts_end(void) {
    mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_MESH] = plane_mesh;
    mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_MESH] = box_mesh;
}

#else

void hull_contacts_begin(void) {}

void hull_contacts_end(void) {}

#endif
