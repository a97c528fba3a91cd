/* SPDX-License-Identifier: MIT
 * <frame> and <replicate> of MuJoCo 3: replaced by their contents, moved or copied.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "mjcf_reader.h"
#include "rotation.h"

enum { most_copies = 10000, most_elements = 3000000 };
static const char *const turns[] = {"axisangle", "xyaxes", "zaxis", "euler"};
enum { turn_count = sizeof turns / sizeof turns[0] };

typedef struct pose {
    double place[3], turn[4];
} pose;

static void set_euler(const mjcf_file *f, const double angles[3], double turn[4]) {
    const char *order = mjcf_compiler(f, "eulerseq");
    const double unit = mjcf_is(mjcf_compiler(f, "angle"), "radian") ? 1 : mjPI / 180;
    if (!order || strlen(order) != 3) order = "xyz";
    mju_unit4(turn);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {tolower(order[k]) == 'x', tolower(order[k]) == 'y',
                                tolower(order[k]) == 'z'};
        double step[4], before[4];
        mju_copy4(before, turn);
        mju_axisAngle2Quat(step, axis, unit * angles[k]);
        /* lower case turns with the frame, upper case about axes that stand still */
        if (islower((unsigned char)order[k]))
            mju_mulQuat(turn, before, step);
        else
            mju_mulQuat(turn, step, before);
    }
}

/* The orientation of an element, in one of MuJoCo's five ways. */
static void read_turn(const mjcf_file *f, const xml_element *e, const char *class_name,
                      double turn[4]) {
    reader *r = f->r;
    const double unit = mjcf_is(mjcf_compiler(f, "angle"), "radian") ? 1 : mjPI / 180;
    double n[6], axes[9];
    const xml_element *stated;
#define STATED(name, count)                                                                        \
    ((stated = mjcf_find_stated(f, e, class_name, name)) && xml_numbers(r, stated, name, count, n))
    mju_unit4(turn);
    if (STATED("euler", 3)) {
        set_euler(f, n, turn);
    } else if (STATED("axisangle", 4)) {
        mju_normalize3(n);
        mju_axisAngle2Quat(turn, n, unit * n[3]);
    } else if (STATED("zaxis", 3)) {
        mju_normalize3(n);
        mju_quatZ2Vec(turn, n);
    } else if (STATED("xyaxes", 6)) {
        mju_normalize3(n);
        mju_addToScl3(n + 3, n, -mju_dot3(n, n + 3));
        mju_normalize3(n + 3);
        double columns[9];
        mju_copy(columns, n, 6);
        mju_cross(columns + 6, n, n + 3);
        mju_transpose(axes, columns, 3, 3);
        mju_mat2Quat(turn, axes);
    } else if (STATED("quat", 4)) {
        mju_normalize4(n);
        mju_copy4(turn, n);
    }
}

static pose read_pose(const mjcf_file *f, const xml_element *e, const char *class_name) {
    pose p = {{0}, {0}};
    const xml_element *stated = mjcf_find_stated(f, e, class_name, "pos");
    if (stated) (void)xml_numbers(f->r, stated, "pos", 3, p.place);
    read_turn(f, e, class_name, p.turn);
    return p;
}

void mjcf_read_pose(const mjcf_file *f, const xml_element *e, const char *class_name,
                    double place[3], double turn[4]) {
    const pose p = read_pose(f, e, class_name);
    mju_copy3(place, p.place);
    mju_copy4(turn, p.turn);
}

static void move_point(const pose *p, double point[3]) {
    double turned[3];
    mju_rotVecQuat(turned, point, p->turn);
    mju_add3(point, turned, p->place);
}

static pose inside(const pose *outer, const pose *inner) {
    pose all = *inner;
    move_point(outer, all.place);
    mju_mulQuat(all.turn, outer->turn, inner->turn);
    return all;
}

static void set_numbers(const mjcf_file *f, xml_element *e, const char *name, const double *n,
                        int count) {
    const char *text = "";
    for (int k = 0; k < count; k++)
        text = stiction_reader_format(f->r, "%s%s%.17g", text, k ? " " : "", n[k]);
    xml_set(f->r, e, name, text);
}

static void move_joint(const mjcf_file *f, xml_element *e, const char *class_name, const pose *p) {
    double axis[3] = {0, 0, 1}, turned[3];
    pose own = read_pose(f, e, class_name);
    const xml_element *stated = mjcf_find_stated(f, e, class_name, "axis");
    if (stated) (void)xml_numbers(f->r, stated, "axis", 3, axis);
    move_point(p, own.place);
    mju_rotVecQuat(turned, axis, p->turn);
    set_numbers(f, e, "pos", own.place, 3);
    set_numbers(f, e, "axis", turned, 3);
}

static void move_element(const mjcf_file *f, xml_element *e, const char *class_name,
                         const pose *p) {
    static const char *const movable[] = {"body", "geom", "site", "frame", "replicate"};
    static const char *const unmoved[] = {"freejoint", "camera", "light"};
    const xml_element *line = mjcf_find_stated(f, e, class_name, "fromto");
    for (size_t k = 0; k < sizeof unmoved / sizeof unmoved[0]; k++)
        if (strcmp(e->name, unmoved[k]) == 0) return;
    if (strcmp(e->name, "joint") == 0) {
        move_joint(f, e, class_name, p);
        return;
    }
    size_t kind = 0;
    while (kind < sizeof movable / sizeof movable[0] && strcmp(e->name, movable[kind]) != 0) kind++;
    if (kind == sizeof movable / sizeof movable[0])
        stiction_reader_refuse(f->r, e->at, "<%s> inside a <frame> is not read", e->name);
    double ends[6];
    if (line && xml_numbers(f->r, line, "fromto", 6, ends)) {
        move_point(p, ends);
        move_point(p, ends + 3);
        set_numbers(f, e, "fromto", ends, 6);
        return;
    }
    const pose own = read_pose(f, e, class_name), all = inside(p, &own);
    for (size_t k = 0; k < turn_count; k++) xml_set(f->r, e, turns[k], NULL);
    set_numbers(f, e, "pos", all.place, 3);
    set_numbers(f, e, "quat", all.turn, 4);
}

/* ---- copies ---- */

static xml_element *copy_tree(const mjcf_file *f, const xml_element *e, xml_element *parent,
                              const char *suffix) {
    reader *r = f->r;
    if (++r->elements > most_elements)
        stiction_reader_refuse(r, e->at, "<replicate> makes too many copies");
    xml_element *copy = stiction_reader_alloc(r, sizeof *copy);
    *copy = *e;
    copy->parent = parent;
    copy->next = copy->first_child = copy->last_child = NULL;
    const char *name = xml_attribute(e, "name");
    if (name) xml_set(r, copy, "name", stiction_reader_format(r, "%s%s", name, suffix));
    xml_element **end = &copy->first_child;
    for (const xml_element *c = e->first_child; c; c = c->next) {
        *end = copy_tree(f, c, copy, suffix);
        end = &(*end)->next;
    }
    return copy;
}

static void replicate(const mjcf_file *f, xml_element *e, const char *class_name) {
    reader *r = f->r;
    double count, offset[3] = {0}, angles[3] = {0}, scaled[3];
    const char *text = xml_required(r, e, "count"), *separator = xml_attribute(e, "sep");
    count = stiction_reader_number(r, e->at, "count", text);
    if (!(count >= 1 && count <= most_copies))
        stiction_reader_refuse(r, e->at, "count must be 1 to %d", most_copies);
    (void)xml_numbers(r, e, "offset", 3, offset);
    (void)xml_numbers(r, e, "euler", 3, angles);
    xml_element *first = e->first_child, **end = &e->first_child;
    const int digits = (int)strlen(stiction_reader_format(r, "%d", (int)count));
    pose p = {{0}, {1, 0, 0, 0}};
    e->first_child = NULL;
    for (int k = 0; k < (int)count; k++) {
        mju_scl3(scaled, angles, k);
        set_euler(f, scaled, p.turn);
        const char *suffix =
            stiction_reader_format(r, "%s%0*d", separator ? separator : "", digits, k);
        for (const xml_element *c = first; c; c = c->next) {
            *end = copy_tree(f, c, e, suffix);
            move_element(f, *end, class_name, &p);
            end = &(*end)->next;
        }
        move_point(&p, memcpy(scaled, offset, sizeof scaled));
        mju_copy3(p.place, scaled);
    }
    xml_set(r, e, "euler", NULL); /* of the copies, not of the frame that they are in */
}

/* ---- the whole ---- */

static void set_class(const mjcf_file *f, xml_element *e, const char *class_name) {
    const bool holds = strcmp(e->name, "body") == 0 || strcmp(e->name, "frame") == 0 ||
                       strcmp(e->name, "replicate") == 0;
    const char *attribute = holds ? "childclass" : "class";
    if (class_name && strcmp(e->name, "freejoint") != 0 && !xml_attribute(e, attribute))
        xml_set(f->r, e, attribute, class_name);
}

void mjcf_expand_frames(const mjcf_file *f, xml_element *parent, const char *class_name) {
    for (xml_element **at = &parent->first_child, *e; (e = *at);) {
        const char *inner = xml_attribute(e, "childclass");
        const bool copies = strcmp(e->name, "replicate") == 0;
        if (!copies && strcmp(e->name, "frame") != 0) {
            if (mjcf_holds_bodies(e)) mjcf_expand_frames(f, e, inner ? inner : class_name);
            at = &e->next;
            continue;
        }
        if (copies) replicate(f, e, inner ? inner : class_name);
        const pose p = read_pose(f, e, NULL);
        xml_element *after = e->next;
        *at = e->first_child;
        xml_element **end = at;
        for (; *end; end = &(*end)->next) {
            set_class(f, *end, inner);
            move_element(f, *end, class_name, &p);
            (*end)->parent = parent;
        }
        *end = after; /* the contents come next: they may be frames, too */
    }
}
