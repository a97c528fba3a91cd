/* SPDX-License-Identifier: MIT
 * Contacts: which are closed, their rows (they do not accelerate) and the generators of their
 * forces: the edges of a pyramid at every corner.
 */
#include <math.h>
#include <string.h>

#include "whole_body_internal.h"

/* A contact that opened or closed stays so for at least this long, s. */
static const double settling = 0.01;

/* The force on a link along a direction of the world, N. */
static double pressure(step_input in, size_t link, const double normal[3]) {
    for (size_t k = 0; k < in->contact_count; k++)
        if (in->contacts[k].link == link) return dot3(in->contacts[k].force, normal);
    return 0;
}

static bool is_wanted_closed(const whole_body *w, step_input in, size_t index) {
    const whole_body_contact *c = &w->def.contacts[index];
    const contact_state *s = &w->contacts[index];
    if (in->time < c->from || in->time >= c->until) return false;
    if (c->closing == WHOLE_BODY_TOLD) return true;
    if (in->time < s->since + settling) return s->is_closed;
    double normal[3];
    turn_vector(in->link_states[body_link(w, c->link)].rotation, c->normal, normal);
    const double force = pressure(in, c->link, normal);
    return s->is_closed ? force > c->open_force : force > c->close_force;
}

/* The height of the lowest corner of a contact, against gravity. */
static double lowest_corner(const whole_body *w, step_input in, const whole_body_contact *c) {
    const stiction_controller_link_state *s = &in->link_states[body_link(w, c->link)];
    const double *g = w->def.gravity, length = sqrt(dot3(g, g));
    double lowest = (double)INFINITY, r[3];
    for (size_t k = 0; k < c->corner_count; k++) {
        turn_vector(s->rotation, c->corners[k], r);
        const double down = dot3(s->position, g) + dot3(r, g);
        lowest = fmin(lowest, length > 0 ? -down / length : 0);
    }
    return lowest;
}

/* Corners within this height of the lowest one stand on the same floor, m. */
static const double same_floor = 0.01;

/* Before the first step no forces are known: the robot is assumed to stand on its lowest
 * contacts. */
static void begin_contacts(whole_body *w, step_input in) {
    double lowest = (double)INFINITY;
    for (size_t k = 0; k < w->def.contact_count; k++)
        lowest = fmin(lowest, lowest_corner(w, in, &w->def.contacts[k]));
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const whole_body_contact *c = &w->def.contacts[k];
        const bool may = in->time >= c->from && in->time < c->until;
        const bool stands =
            c->closing == WHOLE_BODY_TOLD || lowest_corner(w, in, c) <= lowest + same_floor;
        /* one that is open may close at once */
        w->contacts[k] = (contact_state){.is_closed = may && stands,
                                         .since = may && stands ? in->time : -(double)INFINITY};
    }
}

void body_contacts_detect(whole_body *w, step_input in) {
    w->closed = 0;
    if (!w->started) begin_contacts(w, in);
    for (size_t k = 0; k < w->def.contact_count; k++) {
        contact_state *s = &w->contacts[k];
        if (w->started && is_wanted_closed(w, in, k) != s->is_closed) {
            s->is_closed = !s->is_closed;
            s->since = in->time;
            w->events |= 1u << (s->is_closed ? WHOLE_BODY_CLOSED : WHOLE_BODY_OPENED);
        }
        w->closed += s->is_closed;
    }
}

/* Two directions that make a frame with the normal. */
static void tangents(const double n[3], double a[3], double b[3]) {
    const double axis[3] = {fabs(n[0]) < 0.9 ? 1 : 0, fabs(n[0]) < 0.9 ? 0 : 1, 0};
    cross3(n, axis, b);
    const double length = sqrt(dot3(b, b));
    for (int k = 0; k < 3; k++) b[k] /= length;
    cross3(b, n, a);
}

/* The edges of the pyramids, each a force and its torque about the origin of the link's frame. A
 * pyramid lies within the cone of friction: its edges are on it. */
static void add_generators(whole_body *w, const whole_body_contact *c, size_t contact,
                           const double rotation[4]) {
    double n[3], a[3], b[3], r[3];
    turn_vector(rotation, c->normal, n);
    tangents(n, a, b);
    for (size_t corner = 0; corner < c->corner_count; corner++) {
        turn_vector(rotation, c->corners[corner], r);
        for (size_t edge = 0; edge < WHOLE_BODY_GENERATORS; edge++) {
            double *g = w->generators + 6 * w->forces;
            const double along_a = edge & 1 ? c->friction : -c->friction;
            const double along_b = edge & 2 ? c->friction : -c->friction;
            /* edges in the diagonals of the tangents, each sqrt(1/2) of the friction */
            for (int k = 0; k < 3; k++) g[k] = n[k] + sqrt(0.5) * (along_a * a[k] + along_b * b[k]);
            cross3(r, g, g + 3);
            w->generator_contact[w->forces++] = contact;
        }
    }
}

/* Rows of a contact: the frame's six, or the three of a single point. */
static void add_rows(whole_body *w, step_input in, const whole_body_contact *c) {
    const size_t d = w->dof, l = body_link(w, c->link);
    const double *J = in->jacobians[l];
    const stiction_controller_link_state *s = &in->link_states[l];
    const bool is_point = c->corner_count == 1;
    double r[3] = {0}, velocity[6], spin[3], centripetal[3], tangential[3];
    if (is_point) turn_vector(s->rotation, c->corners[0], r);
    for (size_t k = 0; k < 6; k++) velocity[k] = body_along(J + k * d, w->v, d);
    cross3(velocity + 3, r, spin);
    cross3(velocity + 3, spin, centripetal);
    cross3(s->bias + 3, r, tangential);
    for (size_t k = 0; k < (is_point ? 3u : 6u); k++) {
        double *row = w->contact_J + w->contact_rows * w->p;
        double goal = -s->bias[k] - c->kv * velocity[k];
        if (k < 3) goal -= centripetal[k] + tangential[k] + c->kv * spin[k];
        const size_t i = 3 + (k + 1) % 3, j = 3 + (k + 2) % 3;
        for (size_t column = 0; column < w->p; column++) {
            const size_t at = w->dofs[column];
            row[column] = J[k * d + at];
            if (k < 3) row[column] += J[i * d + at] * r[j - 3] - J[j * d + at] * r[i - 3];
        }
        for (size_t at = 0; at < d; at++) {
            if (w->apart[at] == 0) continue;
            goal -= J[k * d + at] * w->apart[at];
            if (k < 3) goal -= (J[i * d + at] * r[j - 3] - J[j * d + at] * r[i - 3]) * w->apart[at];
        }
        w->contact_goal[w->contact_rows++] = goal;
    }
}

/* The generalised force of a generator on each degree of freedom. */
static void project_forces(whole_body *w, step_input in) {
    const size_t d = w->dof;
    for (size_t f = 0; f < w->forces; f++) {
        const whole_body_contact *c = &w->def.contacts[w->generator_contact[f]];
        const double *J = in->jacobians[body_link(w, c->link)], *g = w->generators + 6 * f;
        for (size_t i = 0; i < d; i++) {
            double sum = 0;
            for (size_t k = 0; k < 6; k++) sum += J[k * d + i] * g[k];
            w->JtG[i * w->most_forces + f] = sum;
        }
    }
}

void body_contacts_rows(whole_body *w, step_input in) {
    w->contact_rows = w->forces = 0;
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const whole_body_contact *c = &w->def.contacts[k];
        if (!w->contacts[k].is_closed) continue;
        add_rows(w, in, c);
        add_generators(w, c, k, in->link_states[body_link(w, c->link)].rotation);
    }
    project_forces(w, in);
}
