/* SPDX-License-Identifier: MIT
 * What implicit coupling promises whole robots at any time step to 10 ms: a load below the static
 * torque is held without creep, and friction never gives back more than the bristles stored.
 */
#include <float.h>

#include "auto.h"
#include "implicit_robot.h"
#include "wrist.h"

/* ---- holding ---- */

/* A joint whose friction suits what it moves, as a gear's does; its bristle settles in a second. */
static stiction_joint_def joint_for(random_source *r, double inertia, const char *law) {
    stiction_joint_def def = wrist_def();
    def.law = law;
    def.static_torque = 10 * sqrt(inertia) * random_decade(r, -0.3, 0.7);
    def.coulomb_torque = def.static_torque * random_uniform(r, 0.1, 0.6);
    def.stribeck_velocity = random_decade(r, -2, -1);
    def.viscous = def.static_torque * random_uniform(r, 0, 3);
    def.damping = 2 * (def.static_torque - def.coulomb_torque) / def.stribeck_velocity;
    def.stiffness = def.damping * random_uniform(r, 30, 200);
    return def;
}

/* Makes the last joint of a tree as light as a finger's: its reach is scaled. */
static void end_in_a_finger(random_tree *t) {
    const size_t n = t->count, last = n - 1;
    const double scale = sqrt(1e-4 / t->mass[last * n + last]);
    for (size_t i = 0; i < n; i++) {
        t->mass[i * n + last] *= scale;
        t->mass[last * n + i] *= scale;
    }
}

static void make_robot(implicit_robot *m, random_source *r, size_t count, double T, bool rigid) {
    memset(m, 0, sizeof *m);
    random_tree_make(&m->tree, r, count, -4, 0);
    end_in_a_finger(&m->tree);
    m->T = T;
    for (size_t k = 0; k < count; k++) {
        const char *law = random_bits(r) % 2 ? "stribeck" : "rational";
        m->joints[k] = joint_for(r, m->tree.mass[k * count + k], law);
    }
    implicit_robot_start(m, implicit_robot_def(m, rigid));
}

typedef struct holding {
    double fastest, drift, lightest, least_heat;
    int steps_with_slip;
} holding;

/* 0.9 of the static torque on every joint, ramped over 5 s; 20 s to settle, 10 s to watch. */
static holding hold(random_source *r, size_t count, double T, bool rigid) {
    implicit_robot m;
    double start[most_joints] = {0}, load[most_joints];
    holding seen = {.lightest = 1e9};
    make_robot(&m, r, count, T, rigid);
    for (size_t i = 0; i < count; i++) {
        load[i] = (random_bits(r) % 2 ? 0.9 : -0.9) * m.joints[i].static_torque;
        seen.lightest = fmin(seen.lightest, m.tree.mass[i * count + i]);
    }
    const long settled = lround(25 / T), end = lround(35 / T);
    for (long k = 0; k < end; k++) {
        for (size_t i = 0; i < count; i++) m.force[i] = load[i] * fmin((double)k * T / 5, 1);
        implicit_robot_step(&m);
        seen.least_heat = fmin(seen.least_heat, m.output.heat);
        seen.steps_with_slip += m.output.outcome != STICTION_IMPLICIT_STUCK;
        for (size_t i = 0; i < count; i++) {
            if (rigid || k >= settled) seen.fastest = fmax(seen.fastest, fabs(m.v[i]));
            const double anchor = m.q[i] - m.deflection[i];
            if (k == settled) start[i] = anchor;
            if (k == end - 1) seen.drift = fmax(seen.drift, fabs(anchor - start[i]) / 10);
        }
    }
    implicit_robot_free(&m);
    return seen;
}

static void hold_trees(size_t count, bool rigid) {
    const double milliseconds[] = {1, 5, 10};
    random_source r = {count};
    for (size_t k = 0; k < 3; k++) {
        holding worst = {.lightest = 1e9};
        for (int n = 0; n < ROUNDS(5); n++) {
            const holding seen = hold(&r, count, milliseconds[k] / 1e3, rigid);
            worst.fastest = fmax(worst.fastest, seen.fastest);
            worst.drift = fmax(worst.drift, seen.drift);
            worst.lightest = fmin(worst.lightest, seen.lightest);
            worst.least_heat = fmin(worst.least_heat, seen.least_heat);
            worst.steps_with_slip += seen.steps_with_slip;
        }
        printf("%zu joints from %.1e kg m^2, %s, %g ms: |v| %.1e rad/s, drift %.1e rad/s, %d steps "
               "with slip, heat %.1e J at least\n",
               count, worst.lightest, implicit_element(rigid), milliseconds[k], worst.fastest,
               worst.drift, worst.steps_with_slip, worst.least_heat);
        CHECK(worst.steps_with_slip == 0);
        CHECK(worst.fastest < (rigid ? DBL_MIN : 1e-12));
        CHECK(worst.drift < 1e-12);
        CHECK(worst.least_heat >= 0);
    }
}

TEST(trees_of_7_rigid_joints_hold) {
    hold_trees(7, true);
}
TEST(trees_of_37_rigid_joints_hold) {
    hold_trees(37, true);
}
TEST(trees_of_7_joints_with_bristles_hold) {
    hold_trees(7, false);
}
TEST(trees_of_37_joints_with_bristles_hold) {
    hold_trees(37, false);
}

/* ---- dissipating ---- */

static stiction_joint_def any_joint(random_source *r) {
    const char *laws[] = {"coulomb", "stribeck", "rational"};
    stiction_joint_def def = wrist_def();
    def.law = laws[random_bits(r) % 3];
    def.coulomb_torque = random_uniform(r, 0.1, 2);
    def.static_torque = def.coulomb_torque * random_uniform(r, 1, 4);
    def.stribeck_velocity = random_decade(r, -2, 0);
    def.viscous = random_uniform(r, 0, 5);
    def.stiffness = random_decade(r, 1, 4);
    def.damping = 1.01 * (def.static_torque - def.coulomb_torque) / def.stribeck_velocity;
    return def;
}

static void make_any_robot(implicit_robot *m, random_source *r, size_t count, bool rigid) {
    memset(m, 0, sizeof *m);
    random_tree_make(&m->tree, r, count, -4, 0);
    m->T = random_decade(r, -4, -2);
    for (size_t k = 0; k < count; k++) m->joints[k] = any_joint(r);
    implicit_robot_start(m, implicit_robot_def(m, rigid));
}

/* The books of a drive, kept apart from the solver's. */
typedef struct energy_books {
    double work, heat, stored, moved, open, least_heat;
} energy_books;

static double stored_in(const implicit_robot *m) {
    double sum = 0;
    for (size_t i = 0; i < m->tree.count; i++)
        sum += m->joints[i].stiffness * m->deflection[i] * m->deflection[i] / 2;
    return sum;
}

static void drive_step(implicit_robot *m, energy_books *books) {
    implicit_robot_step(m);
    double work = 0, moved = 0;
    for (size_t i = 0; i < m->tree.count; i++) {
        work += m->T * m->friction[i] * m->v[i];
        moved += fabs(m->T * m->friction[i] * m->v[i]);
    }
    const double stored = stored_in(m);
    moved += stored + books->stored;
    const double open = fabs(work - m->output.heat - (stored - books->stored));
    books->open = fmax(books->open, open / fmax(moved, DBL_MIN));
    books->moved += moved;
    books->least_heat = fmin(books->least_heat, m->output.heat);
    books->work += work;
    books->heat += m->output.heat;
    books->stored = stored;
}

/* From wherever the drive before has left the bristles. */
static void drive(implicit_robot *m, random_source *r, energy_books *worst, long *returned) {
    energy_books books = {.stored = stored_in(m)};
    const double before = books.stored, size = random_decade(r, -1, 1);
    const int length = 5 + (int)(random_bits(r) % 20);
    for (int k = 0; k < length; k++) {
        for (size_t i = 0; i < m->tree.count; i++) {
            m->force[i] = size * random_uniform(r, -2, 2);
            if (k == 0) m->v[i] = size * random_uniform(r, -1, 1);
        }
        drive_step(m, &books);
    }
    *returned += books.work < 0;
    worst->open = fmax(worst->open, books.open);
    worst->least_heat = fmin(worst->least_heat, books.least_heat);
    if (!(books.work >= -before - 1e-13 * books.moved))
        FAIL("friction gives %.17g J, %.17g J were stored", -books.work, before);
    const double open = fabs(books.work - books.heat - (books.stored - before));
    if (!(open <= 1e-13 * books.moved)) FAIL("%.3g J of %.3g J are lost", open, books.moved);
}

static void drive_at_random(size_t most, bool rigid, int drives) {
    random_source r = {most};
    energy_books worst = {0};
    long returned = 0;
    for (int done = 0; done < drives;) {
        AUTO(implicit_robot_free) implicit_robot m;
        make_any_robot(&m, &r, 1 + random_bits(&r) % most, rigid);
        for (int k = 0; k < 100; k++, done++) drive(&m, &r, &worst, &returned);
    }
    printf(
        "%d drives of 1 to %zu joints, %s: the books are open by %.1e at most, the least heat of "
        "a step is %.1e J; %ld drives give energy back\n",
        drives, most, implicit_element(rigid), worst.open, worst.least_heat, returned);
    CHECK(worst.least_heat >= 0);
    CHECK(worst.open <= 1e-13);
    CHECK(rigid ? returned == 0 : returned > 0);
}

TEST(one_rigid_joint_dissipates_in_every_step) {
    drive_at_random(1, true, ROUNDS(100000));
}
TEST(trees_of_rigid_joints_dissipate_in_every_step) {
    drive_at_random(9, true, ROUNDS(100000));
}
TEST(one_joint_returns_no_more_than_its_bristle_stored) {
    drive_at_random(1, false, ROUNDS(100000));
}
TEST(trees_return_no_more_than_their_bristles_stored) {
    drive_at_random(9, false, ROUNDS(100000));
}
