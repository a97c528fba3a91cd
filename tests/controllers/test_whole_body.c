/* SPDX-License-Identifier: MIT
 * The whole-body controller on a hopper whose dynamics fit on a page: a base of 80 kg on a foot of
 * 20 kg that slides along the base's z axis. What its torque must be is known by hand.
 */
#include "allocations.h"
#include "check.h"
#include "controllers/whole_body/whole_body.h"
#include "document/auto.h"

enum { DOF = 7 };
static const double base_mass = 80, foot_mass = 20, g = 9.80665, T = 0.001;
static const double infinity = (double)INFINITY;

/* ---- the hopper ---- */

typedef struct hopper {
    double z, dz, q, dq; /* of the base, and how far the foot is below it */
    double M[DOF * DOF], bias[DOF], J[6 * DOF];
    const double *jacobians[1];
    stiction_controller_link_state link;
    stiction_controller_contact contact;
    double target;
    stiction_controller_input in;
} hopper;

static const size_t links[] = {1};

/* Upright and without spin: the coupling of the angular velocity is that of the lever r. */
static void look(hopper *h, double time) {
    const double m = base_mass + foot_mass, r = -h->q;
    memset(h->M, 0, sizeof h->M);
    memset(h->J, 0, sizeof h->J);
    for (size_t k = 0; k < 3; k++) {
        h->M[k * DOF + k] = m;
        h->M[(3 + k) * DOF + 3 + k] = 5 + (k < 2 ? foot_mass * r * r : 0);
        h->J[k * DOF + k] = h->J[(3 + k) * DOF + 3 + k] = 1;
    }
    /* -m [c - p]x and its transpose */
    const double lever = foot_mass * r;
    h->M[0 * DOF + 4] = h->M[4 * DOF + 0] = lever;
    h->M[1 * DOF + 3] = h->M[3 * DOF + 1] = -lever;
    h->M[2 * DOF + 6] = h->M[6 * DOF + 2] = -foot_mass;
    h->M[6 * DOF + 6] = foot_mass;
    h->J[0 * DOF + 4] = r;
    h->J[1 * DOF + 3] = -r;
    h->J[2 * DOF + 6] = -1;
    memset(h->bias, 0, sizeof h->bias);
    h->bias[2] = m * g;
    h->bias[6] = -foot_mass * g;
    h->jacobians[0] = h->J;
    h->link =
        (stiction_controller_link_state){.position = {0, 0, h->z - h->q}, .rotation = {1, 0, 0, 0}};
    h->target = (double)NAN;
    h->in = (stiction_controller_input){.size = sizeof h->in,
                                        .time = time,
                                        .joint_count = 1,
                                        .dof = DOF,
                                        .q = &h->q,
                                        .dq = &h->dq,
                                        .effort = &h->dq,
                                        .target = &h->target,
                                        .position = {0, 0, h->z},
                                        .rotation = {1, 0, 0, 0},
                                        .linear = {0, 0, h->dz},
                                        .mass_matrix = h->M,
                                        .bias = h->bias,
                                        .jacobians = h->jacobians,
                                        .contact_count = 1,
                                        .contacts = &h->contact,
                                        .link_states = &h->link};
    h->contact = (stiction_controller_contact){.link = 1, .force = {0, 0, m * g}};
}

static hopper hopper_at_rest(void) {
    return (hopper){.z = 1, .q = 1};
}

/* ---- its controller ---- */

typedef struct rig {
    posture_joint_def joint;
    whole_body_move moves[2];
    whole_body_task tasks[2];
    whole_body_contact contact;
    whole_body_def def;
    whole_body *body;
} rig;

static void rig_fill(rig *r) {
    *r = (rig){0};
    r->joint = posture_joint_def_default();
    r->joint.kp = 50;
    r->joint.kv = 14;
    r->tasks[0] = (whole_body_task){.name = "com",
                                    .kind = WHOLE_BODY_COM,
                                    .kp = 50,
                                    .kv = 14,
                                    .feedforward = 1,
                                    .weight = 1000,
                                    .axes = {true, true, true},
                                    .shape = POSTURE_SMOOTH,
                                    .moves = r->moves};
    r->contact = (whole_body_contact){
        .name = "foot",
        .link = 1,
        .corners = {{0.1, 0.1, 0}, {0.1, -0.1, 0}, {-0.1, -0.1, 0}, {-0.1, 0.1, 0}},
        .corner_count = 4,
        .normal = {0, 0, 1},
        .friction = 0.5,
        .until = infinity,
        .close_force = 20,
        .open_force = 2};
    r->def = (whole_body_def){.posture = posture_def_default(),
                              .posture_weight = 1,
                              .force_weight = 1e-6,
                              .floating = true,
                              .gravity = {0, 0, -9.80665},
                              .timestep = T,
                              .link_count = 1,
                              .links = links,
                              .task_count = 1,
                              .tasks = r->tasks,
                              .contact_count = 1,
                              .contacts = &r->contact};
    r->def.posture.joints = &r->joint;
    r->def.posture.joint_count = 1;
}

static void rig_make(rig *r) {
    stiction_error error;
    if (whole_body_create(&r->def, &r->body, &error) != STICTION_OK) FAIL("%s", error.message);
}

static void rig_free(rig *r) {
    whole_body_destroy(r->body);
}

static double step(rig *r, hopper *h, double time) {
    double torque = 1e9;
    look(h, time);
    whole_body_step(r->body, &h->in, &torque);
    return torque;
}

/* Semi-implicit Euler while the foot stands: the joint alone moves the base. */
static void stand_on(hopper *h, double torque) {
    const double a = torque / base_mass - g;
    h->dq += T * a;
    h->q += T * h->dq;
    h->dz = h->dq;
    h->z = h->q;
}

/* ---- tests ---- */

TEST(standing_carries_the_base_and_nothing_more) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    rig_fill(&r);
    rig_make(&r);
    for (int k = 0; k < 5; k++) CHECK_NEAR(step(&r, &h, k * T), base_mass * g, 1e-2);
    const whole_body_view view = whole_body_last_step(r.body);
    CHECK_NEAR(view.mass, 100, 1e-12);
    CHECK_NEAR(view.com[2], 0.8, 1e-12); /* the foot at 0, the base at 1 */
    CHECK_NEAR(view.com_planned[2], 0, 1e-4);
    CHECK(view.closed == 1);
    CHECK(view.variables == DOF + 16 && view.rows == 6 + 6 + 1 + 1 + 16);
}

TEST(a_squat_follows_its_way_within_a_tenth_of_a_millimetre) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    double largest = 0;
    rig_fill(&r);
    r.moves[0] = (whole_body_move){.time = 0.2, .duration = 1, .to = {0, 0, -0.1}};
    r.tasks[0].move_count = 1;
    rig_make(&r);
    for (int k = 0; k < 1500; k++) {
        stand_on(&h, step(&r, &h, k * T));
        const whole_body_view view = whole_body_last_step(r.body);
        largest = fmax(largest, fabs(view.com[2] - view.com_reference[2]));
    }
    CHECK_NEAR(largest, 0, 1e-4);
    CHECK_NEAR(0.8 * h.z, 0.7, 1e-4);
    /* the leg was led there, too */
    CHECK_NEAR(whole_body_last_step(r.body).reference[0], h.q, 1e-3);
}

TEST(a_task_yields_as_a_spring_of_its_gain) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    rig_fill(&r);
    rig_make(&r);
    (void)step(&r, &h, 0);
    /* 1 cm too low: the centre of mass by 0.8 cm; both tasks ask for kp of it */
    h.z = h.q = 0.99;
    CHECK_NEAR(step(&r, &h, T), base_mass * (g + 50 * 0.01), 1e-2);
}

TEST(torque_limits_are_never_relaxed) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    rig_fill(&r);
    r.joint.torque_limit = 500; /* below the weight of the base */
    rig_make(&r);
    CHECK_NEAR(step(&r, &h, 0), 500, 1e-6);
    CHECK(whole_body_count(r.body, WHOLE_BODY_CLAMPED) == 0);
    CHECK(whole_body_count(r.body, WHOLE_BODY_RELAXED_CONTACTS) == 0);
}

TEST(limits_give_way_in_their_order_and_are_counted) {
    static const struct {
        double lower, velocity;
        bool joint, speed;
    } cases[] = {
        {0.5, 10, false, false},
        {1, 10, true, false},  /* the base sinks through the end of the range */
        {1, 1e-6, true, true}, /* and must be slower than it can */
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        AUTO(rig_free) rig r;
        hopper h = hopper_at_rest();
        rig_fill(&r);
        r.joint.torque_limit = 500;
        r.joint.lower_limit = cases[k].lower;
        r.joint.velocity_limit = cases[k].velocity;
        rig_make(&r);
        CHECK_NEAR(step(&r, &h, 0), 500, 1e-6);
        CHECK((whole_body_count(r.body, WHOLE_BODY_RELAXED_JOINT_LIMITS) == 1) == cases[k].joint);
        CHECK((whole_body_count(r.body, WHOLE_BODY_RELAXED_VELOCITY_LIMITS) == 1) ==
              cases[k].speed);
        CHECK(whole_body_count(r.body, WHOLE_BODY_HELD) == 0);
    }
}

/* A foot that would fly up by itself is held down by a pull of the floor, or by a torque of 2000 N:
 * neither is there. */
TEST(contacts_give_way_last) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    double torque = 1e9;
    rig_fill(&r);
    r.joint.torque_limit = 1;
    rig_make(&r);
    look(&h, 0);
    h.link.bias[2] = 100;
    h.bias[2] = h.bias[6] = 0;
    whole_body_step(r.body, &h.in, &torque);
    CHECK(fabs(torque) <= 1);
    CHECK(whole_body_count(r.body, WHOLE_BODY_RELAXED_CONTACTS) == 1);
    CHECK(whole_body_count(r.body, WHOLE_BODY_HELD) == 0);
}

TEST(a_joint_stops_at_the_end_of_its_range_whatever_the_integral_says) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    rig_fill(&r);
    r.joint.lambda = r.def.base_lambda = 5;
    r.joint.lower_limit = 0.95;
    r.moves[0] = (whole_body_move){.time = 0.1, .duration = 0.5, .to = {0, 0, -0.2}};
    r.tasks[0].move_count = 1;
    rig_make(&r);
    double least = 1;
    for (int k = 0; k < 2000; k++) {
        stand_on(&h, step(&r, &h, k * T));
        least = fmin(least, h.q);
    }
    CHECK(least > 0.95 - 1e-4);
    CHECK(h.q < 0.96);
}

/* A joint that sticks: the integral builds up a torque, a leak bounds it. */
static double torque_after(rig *r, int steps) {
    hopper h = hopper_at_rest();
    double torque = 0;
    (void)step(r, &h, 0);
    h.z = h.q = 0.99; /* held 1 cm low */
    for (int k = 1; k <= steps; k++) torque = step(r, &h, k * T);
    return torque;
}

TEST(the_integral_grows_while_a_joint_sticks_and_a_leak_bounds_it) {
    const double first = base_mass * (g + 50 * 0.01);
    for (int leaks = 0; leaks < 2; leaks++) {
        AUTO(rig_free) rig r;
        rig_fill(&r);
        r.joint.lambda = r.def.base_lambda = 1;
        r.def.posture.leak = leaks ? 4 : 0;
        rig_make(&r);
        /* lambda times the integral of 0.5 m/s^2: 1 s of it, or 1/leak (1 - exp(-leak t)) */
        const double push = leaks ? 0.5 / 4 * (1 - exp(-4)) : 0.5;
        CHECK_NEAR(torque_after(&r, 1001), first + base_mass * push, 1);
    }
}

TEST(contacts_open_and_close_by_force) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    double torque;
    rig_fill(&r);
    rig_make(&r);
    (void)step(&r, &h, 0);
    look(&h, 0.02);
    h.contact.force[2] = 1; /* below open_force */
    whole_body_step(r.body, &h.in, &torque);
    CHECK(whole_body_last_step(r.body).closed == 0);
    CHECK(whole_body_count(r.body, WHOLE_BODY_OPENED) == 1);
    /* in the air the joint's posture alone remains: nothing is carried */
    CHECK_NEAR(torque, 0, 1e-3);
    look(&h, 0.04);
    h.contact.force[2] = 10; /* between the two: it stays open */
    whole_body_step(r.body, &h.in, &torque);
    CHECK(whole_body_last_step(r.body).closed == 0);
    look(&h, 0.06);
    h.contact.force[2] = 30;
    whole_body_step(r.body, &h.in, &torque);
    CHECK(whole_body_last_step(r.body).closed == 1);
    CHECK(whole_body_count(r.body, WHOLE_BODY_CLOSED) == 1);
    CHECK_NEAR(torque, base_mass * g, 1);
}

/* A hand, 1 m above the foot, is open until something presses on it; then it carries its share. */
TEST(a_hand_closes_where_it_touches) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    whole_body_contact contacts[2];
    static const size_t both[] = {1, 0};
    double hand_J[6 * DOF] = {0};
    const double *jacobians[2];
    stiction_controller_link_state states[2];
    stiction_controller_contact felt[2];
    double torque = 0;
    rig_fill(&r);
    contacts[0] = r.contact;
    contacts[1] = (whole_body_contact){.name = "hand",
                                       .corner_count = 1,
                                       .normal = {0, 0, 1},
                                       .friction = 0.5,
                                       .until = infinity,
                                       .close_force = 20,
                                       .open_force = 2};
    r.def.contacts = contacts;
    r.def.contact_count = r.def.link_count = 2;
    r.def.links = both;
    rig_make(&r);
    for (size_t k = 0; k < 6; k++) hand_J[k * DOF + k] = 1;
    for (int k = 0; k < 2; k++) {
        look(&h, 0.02 * k);
        jacobians[0] = h.J;
        jacobians[1] = hand_J;
        states[0] = h.link;
        states[1] =
            (stiction_controller_link_state){.position = {0, 0, 1}, .rotation = {1, 0, 0, 0}};
        felt[0] = h.contact;
        felt[1] = (stiction_controller_contact){.link = 0, .force = {0, 0, 50}};
        h.in.jacobians = jacobians;
        h.in.link_states = states;
        h.in.contacts = felt;
        h.in.contact_count = 2;
        whole_body_step(r.body, &h.in, &torque);
        CHECK(whole_body_last_step(r.body).closed == (k ? 2 : 1));
        if (k == 0) CHECK_NEAR(torque, base_mass * g, 1e-2);
    }
    /* three rows and four forces more; a hand below the base leaves less to the leg */
    CHECK(whole_body_last_step(r.body).variables == DOF + 16 + 4);
    CHECK(torque < 0.9 * base_mass * g);
}

TEST(contacts_open_and_close_as_they_are_told) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    rig_fill(&r);
    r.contact.closing = WHOLE_BODY_TOLD;
    r.contact.from = 0.1;
    r.contact.until = 0.2;
    rig_make(&r);
    CHECK_NEAR(step(&r, &h, 0), 0, 1e-3);
    CHECK_NEAR(step(&r, &h, 0.15), base_mass * g, 1);
    CHECK_NEAR(step(&r, &h, 0.25), 0, 1e-3);
}

TEST(an_input_that_is_no_number_gives_no_torque_and_is_counted) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    double torque = 7;
    rig_fill(&r);
    rig_make(&r);
    look(&h, 0);
    h.M[3] = (double)NAN;
    whole_body_step(r.body, &h.in, &torque);
    CHECK_SAME(torque, 0);
    look(&h, 0);
    h.in.link_states = NULL;
    whole_body_step(r.body, &h.in, &torque);
    CHECK_SAME(torque, 0);
    CHECK(whole_body_count(r.body, WHOLE_BODY_FAULT) == 2);
    CHECK_NEAR(step(&r, &h, T), base_mass * g, 1e-2);
}

TEST(a_reset_makes_a_run_repeat_to_the_bit) {
    AUTO(rig_free) rig r;
    double torques[2][50];
    rig_fill(&r);
    r.joint.lambda = r.def.base_lambda = 1;
    r.moves[0] = (whole_body_move){.time = 0.01, .duration = 0.1, .to = {0, 0, -0.02}};
    r.tasks[0].move_count = 1;
    rig_make(&r);
    for (int run = 0; run < 2; run++) {
        hopper h = hopper_at_rest();
        whole_body_reset(r.body);
        for (int k = 0; k < 50; k++) stand_on(&h, torques[run][k] = step(&r, &h, k * T));
    }
    CHECK(memcmp(torques[0], torques[1], sizeof torques[0]) == 0);
}

TEST(a_step_allocates_nothing) {
    AUTO(rig_free) rig r;
    hopper h = hopper_at_rest();
    rig_fill(&r);
    rig_make(&r);
    const long before = allocations;
    for (int k = 0; k < 10; k++) (void)step(&r, &h, k * T);
    CHECK(allocations == before);
}
