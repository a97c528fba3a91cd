/* SPDX-License-Identifier: MIT
 * Soles are the convex hulls of the lowest points of the feet. The posture is found by damped least
 * squares over the joints of the legs: the base stays, the feet rise level under the centre of
 * mass.
 */
#include "standing.h"

#include <string.h>

#include "document/reader.h"
#include "hull.h"
#include "robot_bodies.h"

/* Feet are the links within this height of the lowest point, and a sole the points of a foot within
 * the second, m. */
static const double foot_height = 0.02, sole_height = 4e-3;
/* Of the points that tell how a foot is tilted: their height, m, and the most, rad. */
static const double flat_height = 1e-3, most_tilt = 0.35;
/* Links of one leg whose lowest points differ by less touch the floor together, m. */
static const double level_height = 2e-3;
/* A foot whose touching points span less is a point, m^2. */
static const double least_area = 4e-4;
/* How far the base sinks, as a share of the length of the legs. */
static const double sinking = 0.05;
/* The largest errors that a posture may have: m and rad. */
static const double most_error = 2e-3;
enum {
    least_joints = 3,
    level_joints = 5 /* that a leg needs for a level sole */,
    most_feet = 8,
    turns = 16, /* around a foot, in which its corners are sought */
    most_corners = 10 * turns,
    most_iterations = 300
};

typedef struct foot {
    size_t group; /* the link that moves with a joint, and everything fixed to it */
    standing_sole sole;
    double center[3], ahead[3]; /* in the frame of sole.link */
    double start[3], start_ahead[3];
} foot;

typedef struct search {
    reader *r;
    const body_file *body;
    double *q; /* one entry per link */
    double *reference;
    frame3 *frames;
    foot feet[most_feet];
    size_t foot_count;
    bool *in_legs;
    size_t *joints; /* of the legs */
    size_t joint_count;
    double height;   /* of the feet, m */
    double shift[2]; /* of the feet under the body, m */
} search;

/* ---- kinematics ---- */

static bool moves(const body_link *link) {
    return link->joint == BODY_REVOLUTE || link->joint == BODY_PRISMATIC;
}

static void update_frames(search *s) {
    for (size_t k = 0; k < s->body->count; k++) s->frames[k] = body_link_frame(s->body, s->q, k);
}

static void center_of_mass(const search *s, double com[3]) {
    double mass = 0;
    mju_zero3(com);
    for (size_t k = 0; k < s->body->count; k++) {
        const body_link *link = &s->body->links[k];
        double center[3];
        frame3_point(&s->frames[k], link->center, center);
        mju_addToScl3(com, center, link->mass);
        mass += link->mass;
    }
    if (mass > 0) mju_scl3(com, com, 1 / mass);
}

/* The link whose joint moves a link. */
static size_t group_of(const body_file *body, size_t link) {
    while (!moves(&body->links[link]) && body->links[link].parent >= 0)
        link = (size_t)body->links[link].parent;
    return link;
}

static bool is_below(const body_file *body, size_t link, size_t ancestor) {
    for (int k = body->links[link].parent; k >= 0; k = body->links[k].parent)
        if ((size_t)k == ancestor) return true;
    return false;
}

static size_t joints_above(const body_file *body, size_t link) {
    size_t count = 0;
    for (int k = (int)link; k >= 0; k = body->links[k].parent) count += moves(&body->links[k]);
    return count;
}

double standing_mass_below(const body_file *body, size_t link) {
    double mass = body->links[link].mass;
    for (size_t k = 0; k < body->count; k++)
        if (is_below(body, k, link)) mass += body->links[k].mass;
    return mass;
}

/* ---- points that may touch ---- */

typedef struct point {
    double at[3]; /* m, in the world */
    double u, v;  /* the same in the plane of a sole */
    double depth; /* along the direction down */
    size_t link;
} point;

typedef struct point_list {
    point *items;
    size_t count;
} point_list;

static void add_point(search *s, point_list *list, size_t link, const frame3 *frame,
                      const double at[3]) {
    list->items = stiction_reader_grow(s->r, list->items, list->count, sizeof *list->items);
    point *p = &list->items[list->count++];
    *p = (point){.link = link};
    frame3_point(frame, at, p->at);
}

/* Of a ball around a point of a shape: its lowest one. */
static void add_ball(search *s, point_list *list, size_t link, const frame3 *frame,
                     const double center[3], double radius, const double down[3]) {
    add_point(s, list, link, frame, center);
    mju_addToScl3(list->items[list->count - 1].at, down, radius);
}

static void add_shape(search *s, point_list *list, size_t link, const body_shape *shape,
                      const double down[3]) {
    const frame3 inner = body_frame_of(shape->translation, shape->rotation);
    const frame3 frame = frame3_inside(&s->frames[link], &inner);
    const double *size = shape->size;
    switch (shape->kind) {
    case BODY_BOX:
        for (int k = 0; k < 8; k++)
            add_point(s, list, link, &frame,
                      (double[3]){k & 1 ? size[0] : -size[0], k & 2 ? size[1] : -size[1],
                                  k & 4 ? size[2] : -size[2]});
        break;
    case BODY_CYLINDER:
        for (int k = 0; k < 16; k++)
            add_point(s, list, link, &frame,
                      (double[3]){size[0] * cos(mjPI / 4 * k), size[0] * sin(mjPI / 4 * k),
                                  k < 8 ? size[1] : -size[1]});
        break;
    case BODY_SPHERE:
        add_ball(s, list, link, &frame, (double[3]){0, 0, 0}, size[0], down);
        break;
    case BODY_CAPSULE:
        for (int k = -1; k < 2; k += 2)
            add_ball(s, list, link, &frame, (double[3]){0, 0, k * size[1]}, size[0], down);
        break;
    case BODY_ELLIPSOID: {
        double along[3], end[3], length = 0;
        mju_mulMatTVec(along, frame.linear, down, 3, 3);
        for (int k = 0; k < 3; k++) length += along[k] * along[k] * size[k] * size[k];
        for (int k = 0; k < 3; k++) end[k] = along[k] * size[k] * size[k] / sqrt(length);
        add_point(s, list, link, &frame, end);
        break;
    }
    case BODY_MESH:
        for (size_t k = 0; k < shape->vertex_count; k++)
            add_point(s, list, link, &frame, shape->vertices + 3 * k);
        break;
    case BODY_PLANE:
        break;
    }
}

/* All points of a link, or of a group, that may be the lowest in a direction. */
static point_list points_of(search *s, size_t group, const double down[3]) {
    point_list list = {0};
    for (size_t k = 0; k < s->body->count; k++) {
        const body_link *link = &s->body->links[k];
        if (link->untouchable || group_of(s->body, k) != group) continue;
        for (size_t i = 0; i < link->shape_count; i++)
            add_shape(s, &list, k, &link->shapes[i], down);
    }
    for (size_t k = 0; k < list.count; k++) list.items[k].depth = mju_dot3(list.items[k].at, down);
    return list;
}

static double deepest(const point_list *list) {
    double depth = -(double)INFINITY;
    for (size_t k = 0; k < list->count; k++) depth = fmax(depth, list->items[k].depth);
    return depth;
}

/* ---- soles ---- */

static int by_place(const void *a, const void *b) {
    const point *x = a, *y = b;
    return x->u != y->u ? (x->u < y->u ? -1 : 1) : (x->v > y->v) - (x->v < y->v);
}

static double turn(const point *a, const point *b, const point *c) {
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

/* The convex hull, counterclockwise (Andrew's monotone chain); `hull` has room for twice as many.
 */
static size_t make_hull(point *points, size_t count, point *hull) {
    size_t n = 0;
    qsort(points, count, sizeof *points, by_place);
    for (int side = 0; side < 2; side++) {
        const size_t first = n;
        for (size_t i = 0; i < count; i++) {
            const point *p = &points[side ? count - 1 - i : i];
            while (n >= first + 2 && turn(&hull[n - 2], &hull[n - 1], p) <= 0) n--;
            hull[n++] = *p;
        }
        n--; /* the first of the other side */
    }
    return n;
}

static double area_of(const point *hull, size_t count) {
    double area = 0;
    for (size_t k = 2; k < count; k++) area += turn(&hull[0], &hull[k - 1], &hull[k]) / 2;
    return area;
}

/* Drops the corners whose removal reduces the area least. */
static size_t reduce_hull(point *hull, size_t count, size_t most) {
    while (count > most) {
        size_t least = 0;
        double smallest = (double)INFINITY;
        for (size_t k = 0; k < count; k++) {
            const double cost =
                turn(&hull[(k + count - 1) % count], &hull[k], &hull[(k + 1) % count]);
            if (cost < smallest) smallest = cost, least = k;
        }
        count--;
        for (size_t k = least; k < count; k++) hull[k] = hull[k + 1];
    }
    return count;
}

/* Keeps the points within a height of the deepest one along a direction, and makes their hull, for
 * which there is room for twice as many and two. Returns its area. */
static double keep_low(point_list *list, const double down[3], double height, point *hull,
                       size_t *count) {
    double across[3], along[3];
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++)
        list->items[k].depth = mju_dot3(list->items[k].at, down);
    const double depth = deepest(list);
    for (size_t k = 0; k < list->count; k++)
        if (list->items[k].depth > depth - height) list->items[kept++] = list->items[k];
    list->count = kept;
    mju_cross(across, down, fabs(down[0]) < 0.9 ? (double[3]){1, 0, 0} : (double[3]){0, 1, 0});
    mju_normalize3(across);
    mju_cross(along, down, across);
    for (size_t k = 0; k < kept; k++) {
        list->items[k].u = mju_dot3(list->items[k].at, across);
        list->items[k].v = mju_dot3(list->items[k].at, along);
    }
    *count = make_hull(list->items, kept, hull);
    return area_of(hull, *count);
}

/* Those of a foot that are the deepest along some direction near that of gravity. */
static size_t find_corners(const point_list *list, double *corners) {
    size_t count = 0;
    for (int k = 0; k < most_corners; k++) {
        const int ring = k / turns; /* 0 to 9 */
        const double tilt = 1.2 * most_tilt * ring / 9, turn = 2 * mjPI * k / turns;
        const double down[3] = {sin(tilt) * cos(turn), sin(tilt) * sin(turn), -cos(tilt)};
        const point *best = &list->items[0];
        for (size_t i = 1; i < list->count; i++)
            if (mju_dot3(list->items[i].at, down) > mju_dot3(best->at, down))
                best = &list->items[i];
        bool is_known = false;
        for (size_t i = 0; i < count; i++)
            is_known = is_known || mju_dist3(corners + 3 * i, best->at) == 0;
        if (!is_known) mju_copy3(corners + 3 * count++, best->at);
    }
    return count;
}

static double area_along(const double *corners, size_t count, const double down[3]) {
    point points[most_corners], hull[2 * most_corners + 2];
    point_list list = {points, count};
    for (size_t k = 0; k < count; k++) mju_copy3(points[k].at, corners + 3 * k);
    return keep_low(&list, down, flat_height, hull, &count);
}

/* The direction along which most of a foot is level: that of gravity, or the normal of a face of
 * the foot's convex hull. The start may tilt a foot, such as one on a knee that does not
 * straighten. */
static void find_level(search *s, size_t group, double down[3]) {
    double corners[3 * (most_corners + 1)];
    const point_list list = points_of(s, group, down);
    const size_t count = find_corners(&list, corners);
    double largest = area_along(corners, count, down);
    mju_addScl3(corners + 3 * count, corners, down, -1); /* so that no foot is flat */
    const hull_faces hull = hull_of_points(s->r, corners, count + 1);
    for (size_t k = 0; k < hull.triangle_count; k++) {
        const unsigned *at = hull.triangles[k];
        double first[3], second[3], normal[3];
        mju_sub3(first, hull.points + 3 * at[1], hull.points + 3 * at[0]);
        mju_sub3(second, hull.points + 3 * at[2], hull.points + 3 * at[0]);
        mju_cross(normal, first, second);
        if (mju_normalize3(normal) < least_area / 100 || normal[2] > -cos(most_tilt)) continue;
        const double area = area_along(corners, count, normal);
        if (area <= 1.1 * largest) continue;
        largest = area;
        mju_copy3(down, normal);
    }
}

static void into_link(const frame3 *frame, const double at[3], double out[3]) {
    double difference[3];
    mju_sub3(difference, at, frame->offset);
    mju_mulMatTVec(out, frame->linear, difference, 3, 3);
}

static void find_sole(search *s, foot *f) {
    double down[3] = {0, 0, -1};
    find_level(s, f->group, down);
    point_list list = points_of(s, f->group, down);
    point *hull = stiction_reader_alloc(s->r, (2 * list.count + 2) * sizeof *hull);
    size_t count;
    const double area = keep_low(&list, down, sole_height, hull, &count);
    const frame3 *frame = &s->frames[list.items[0].link];
    standing_sole *sole = &f->sole;
    sole->link = list.items[0].link;
    for (size_t k = 0; k < list.count; k++)
        if (list.items[k].depth > list.items[0].depth) sole->link = list.items[k].link;
    frame = &s->frames[sole->link];
    mju_zero3(f->start);
    if (area < least_area || joints_above(s->body, f->group) < level_joints) {
        const double depth = deepest(&list);
        for (size_t k = 0; k < list.count; k++)
            mju_addToScl3(f->start, list.items[k].at, 1 / (double)list.count);
        mju_addToScl3(f->start, down, depth - mju_dot3(f->start, down));
        into_link(frame, f->start, sole->corners[0]);
        sole->corner_count = 1;
    } else {
        count = reduce_hull(hull, count, STANDING_CORNERS);
        for (size_t k = 0; k < count; k++) {
            into_link(frame, hull[k].at, sole->corners[k]);
            mju_addToScl3(f->start, hull[k].at, 1 / (double)count);
        }
        sole->corner_count = count;
    }
    double up[3], ahead[3] = {1, 0, 0};
    mju_scl3(up, down, -1);
    mju_mulMatTVec(sole->normal, frame->linear, up, 3, 3);
    mju_addToScl3(ahead, down, -mju_dot3(ahead, down));
    mju_normalize3(ahead);
    mju_mulMatTVec(f->ahead, frame->linear, ahead, 3, 3);
    mju_copy3(f->start_ahead, ahead);
    into_link(frame, f->start, f->center);
}

/* ---- feet ---- */

/* NULL: they are found. */
static const char *find_feet(search *s) {
    const double down[3] = {0, 0, -1};
    const body_file *body = s->body;
    double *depth = stiction_reader_alloc(s->r, body->count * sizeof *depth);
    double lowest = -(double)INFINITY;
    for (size_t k = 0; k < body->count; k++) {
        depth[k] = -(double)INFINITY;
        if (group_of(body, k) != k) continue;
        const point_list list = points_of(s, k, down);
        depth[k] = deepest(&list);
        lowest = fmax(lowest, depth[k]);
    }
    if (!isfinite(lowest)) return "it has no shapes that could touch the floor";
    for (size_t k = 0; k < body->count; k++) {
        bool is_foot = depth[k] > lowest - foot_height;
        for (size_t i = 0; i < body->count && is_foot; i++) /* of an ankle and a foot, or a toe */
            is_foot = !(is_below(body, k, i) && depth[i] > depth[k] - level_height) &&
                      !(is_below(body, i, k) && depth[i] > depth[k] + level_height);
        if (!is_foot) continue;
        const size_t joints = joints_above(body, k);
        if (joints < least_joints)
            return stiction_reader_format(
                s->r, "its lowest link, '%s', is not a foot: %zu joint%s move%s it",
                body->links[k].name, joints, joints == 1 ? "" : "s", joints == 1 ? "s" : "");
        if (s->foot_count == most_feet)
            return stiction_reader_format(s->r, "more than %d links touch the floor", most_feet);
        s->feet[s->foot_count].group = k;
        find_sole(s, &s->feet[s->foot_count++]);
    }
    if (s->foot_count < 2)
        return stiction_reader_format(s->r, "only '%s' touches the floor",
                                      body->links[s->feet[0].group].name);
    return NULL;
}

static void find_legs(search *s) {
    const body_file *body = s->body;
    for (size_t i = 0; i < s->foot_count; i++)
        for (int k = (int)s->feet[i].group; k >= 0; k = body->links[k].parent) {
            if (!moves(&body->links[k]) || s->in_legs[k]) continue;
            s->in_legs[k] = true;
            s->joints[s->joint_count++] = (size_t)k;
        }
}

/* ---- the posture ---- */

/* Six numbers a foot at most: where it is and how it is turned, as m; then the centre of mass. */
static size_t errors(search *s, double *e) {
    size_t n = 0;
    double com[3], support[2] = {0, 0};
    const double arm = 0.3; /* m/rad */
    update_frames(s);
    for (size_t i = 0; i < s->foot_count; i++) {
        const foot *f = &s->feet[i];
        const frame3 *frame = &s->frames[f->sole.link];
        double at[3], normal[3], ahead[3];
        frame3_point(frame, f->center, at);
        for (int k = 0; k < 2; k++) {
            e[n++] = at[k] - f->start[k] - s->shift[k];
            support[k] += at[k] / (double)s->foot_count;
        }
        e[n++] = at[2] - s->height;
        if (f->sole.corner_count < 3) continue;
        mju_mulMatVec(normal, frame->linear, f->sole.normal, 3, 3);
        mju_mulMatVec(ahead, frame->linear, f->ahead, 3, 3);
        e[n++] = arm * normal[0];
        e[n++] = arm * normal[1];
        e[n++] = arm * (f->start_ahead[0] * ahead[1] - f->start_ahead[1] * ahead[0]);
    }
    center_of_mass(s, com);
    for (int k = 0; k < 2; k++) e[n++] = com[k] - support[k];
    return n;
}

static double *variable(search *s, size_t k) {
    return k < s->joint_count ? &s->q[s->joints[k]] : &s->shift[k - s->joint_count];
}

/* Inside the range, with a margin that leaves a controller something to work with. */
static void keep_in_range(search *s, size_t k) {
    if (k >= s->joint_count) return;
    const body_link *link = &s->body->links[s->joints[k]];
    if (!isfinite(link->lower) || !isfinite(link->upper)) return;
    const double margin = 0.03 * (link->upper - link->lower);
    double *q = variable(s, k);
    *q = fmin(fmax(*q, link->lower + margin), link->upper - margin);
}

static double square(const double *e, size_t count) {
    return mju_dot(e, e, (int)count);
}

/* Damped least squares (Levenberg 1944) from the posture in s->q; the largest error that is left.
 */
static double solve(search *s) {
    enum { most_errors = 6 * most_feet + 2 };
    const size_t n = s->joint_count + 2;
    double e[most_errors], moved[most_errors], damping = 1e-4;
    double *J = stiction_reader_alloc(s->r, most_errors * n * sizeof *J);
    double *H = stiction_reader_alloc(s->r, n * n * sizeof *H);
    double *step = stiction_reader_alloc(s->r, 3 * n * sizeof *step), *gradient = step + n,
           *before = gradient + n;
    const double small = 1e-7, pull = 1e-6; /* rad; towards the reference */
    size_t m = errors(s, e);
    double cost = square(e, m);
    for (int iteration = 0; iteration < most_iterations && cost > 1e-16; iteration++) {
        for (size_t k = 0; k < n; k++) {
            double *x = variable(s, k);
            const double kept = before[k] = *x;
            *x += small;
            (void)errors(s, moved);
            *x = kept;
            for (size_t i = 0; i < m; i++) J[k * m + i] = (moved[i] - e[i]) / small;
        }
        for (size_t i = 0; i < n; i++) {
            gradient[i] = -mju_dot(J + i * m, e, (int)m);
            if (i < s->joint_count) gradient[i] -= pull * (before[i] - s->reference[s->joints[i]]);
            for (size_t k = 0; k < n; k++) H[i * n + k] = mju_dot(J + i * m, J + k * m, (int)m);
            H[i * n + i] += damping + pull;
        }
        (void)mju_cholFactor(H, (int)n, 0);
        mju_cholSolve(step, H, gradient, (int)n);
        for (size_t k = 0; k < n; k++) {
            *variable(s, k) = before[k] + fmax(-0.2, fmin(step[k], 0.2));
            keep_in_range(s, k);
        }
        (void)errors(s, moved);
        const double next = square(moved, m);
        if (next < cost) {
            memcpy(e, moved, m * sizeof *e);
            damping = fmax(damping / 3, 1e-9);
            if (cost - next < 1e-14) iteration += 20;
            cost = next;
        } else {
            for (size_t k = 0; k < n; k++) *variable(s, k) = before[k];
            damping *= 5;
        }
    }
    m = errors(s, e);
    double largest = 0;
    for (size_t i = 0; i < m; i++) largest = fmax(largest, fabs(e[i]));
    return largest;
}

/* The joint of a leg that bends it most: of those that turn sideways, the one halfway down. */
static int knee_of(const search *s, const foot *f) {
    double hip = 0;
    int knee = -1;
    for (int k = (int)f->group; k >= 0; k = s->body->links[k].parent)
        if (moves(&s->body->links[k])) hip = s->frames[k].offset[2];
    double nearest = (double)INFINITY;
    for (int k = (int)f->group; k >= 0; k = s->body->links[k].parent) {
        const body_link *link = &s->body->links[k];
        double axis[3];
        mju_mulMatVec(axis, s->frames[k].linear, link->axis, 3, 3);
        const double distance = fabs(s->frames[k].offset[2] - (hip + f->start[2]) / 2);
        if (link->joint == BODY_REVOLUTE && fabs(axis[1]) > 0.7 && distance < nearest)
            nearest = distance, knee = k;
    }
    return knee;
}

/* Bends the knees to the side that has more room, or where both have the same to the given one. A
 * straight leg is singular: from there no small step would lift the foot. */
static void bend_knees(search *s, double side) {
    for (size_t i = 0; i < s->foot_count; i++) {
        const int k = knee_of(s, &s->feet[i]);
        if (k < 0) continue;
        const body_link *link = &s->body->links[k];
        const double above = link->upper - s->q[k], below = s->q[k] - link->lower;
        const double sign = above > 1.5 * below ? 1 : below > 1.5 * above ? -1 : side;
        s->q[k] += sign * fmin(0.5, fmax(above, below) / 2);
    }
}

static bool bend_legs(search *s, const double *start) {
    double lowest = (double)INFINITY, hip = -(double)INFINITY;
    for (size_t i = 0; i < s->foot_count; i++) lowest = fmin(lowest, s->feet[i].start[2]);
    for (size_t k = 0; k < s->joint_count; k++) hip = fmax(hip, s->frames[s->joints[k]].offset[2]);
    s->height = lowest + sinking * (hip - lowest);
    for (int side = 1; side >= -1; side -= 2) {
        memcpy(s->q, start, s->body->count * sizeof *s->q);
        s->shift[0] = s->shift[1] = 0;
        update_frames(s);
        bend_knees(s, side);
        for (size_t k = 0; k < s->joint_count; k++) keep_in_range(s, k);
        memcpy(s->reference, s->q, s->body->count * sizeof *s->q);
        if (solve(s) < most_error) return true;
    }
    return false;
}

/* Whether the centre of mass is above the area between all corners. */
static bool is_balanced(search *s) {
    point list[most_feet * STANDING_CORNERS], hull[2 * most_feet * STANDING_CORNERS + 2];
    size_t count = 0;
    double com[3];
    update_frames(s);
    center_of_mass(s, com);
    for (size_t i = 0; i < s->foot_count; i++) {
        const standing_sole *sole = &s->feet[i].sole;
        for (size_t k = 0; k < sole->corner_count; k++, count++) {
            frame3_point(&s->frames[sole->link], sole->corners[k], list[count].at);
            list[count].u = list[count].at[0];
            list[count].v = list[count].at[1];
        }
    }
    const point center = {.u = com[0], .v = com[1]};
    const size_t n = make_hull(list, count, hull);
    for (size_t k = 0; k < n; k++)
        if (turn(&hull[k], &hull[(k + 1) % n], &center) <= 0) return false;
    return n >= 3;
}

static const char *stand(search *s, const double *start, bool bend) {
    if (s->body->loops) return "its links form loops";
    for (size_t k = 0; k < s->body->equality_count; k++)
        if (s->body->equalities[k].kind < BODY_COUPLE) return "its links form loops";
    const char *obstacle = find_feet(s);
    if (obstacle) return obstacle;
    find_legs(s);
    if (bend && !bend_legs(s, start))
        return "no posture with bent knees was found that has its feet level below it";
    /* a round foot touches with another point than at the start */
    update_frames(s);
    for (size_t i = 0; i < s->foot_count; i++)
        if (s->feet[i].sole.corner_count == 1) find_sole(s, &s->feet[i]);
    if (!is_balanced(s)) return "its centre of mass is not above its feet";
    return NULL;
}

const standing *standing_find(reader *r, const body_file *body, const double *start, bool bend) {
    search *s = stiction_reader_alloc(r, sizeof *s);
    standing *found = stiction_reader_alloc(r, sizeof *found);
    s->r = r;
    s->body = body;
    s->q = stiction_reader_alloc(r, body->count * sizeof *s->q);
    s->reference = stiction_reader_alloc(r, body->count * sizeof *s->q);
    s->frames = stiction_reader_alloc(r, body->count * sizeof *s->frames);
    s->in_legs = stiction_reader_alloc(r, body->count * sizeof *s->in_legs);
    s->joints = stiction_reader_alloc(r, body->count * sizeof *s->joints);
    memcpy(s->q, start, body->count * sizeof *s->q);
    update_frames(s);
    standing_sole *soles = stiction_reader_alloc(r, most_feet * sizeof *soles);
    found->obstacle = stand(s, start, bend);
    for (size_t k = 0; k < s->foot_count; k++) soles[k] = s->feet[k].sole;
    found->soles = soles;
    found->sole_count = s->foot_count;
    found->displacements = s->q;
    found->in_legs = s->in_legs;
    return found;
}
