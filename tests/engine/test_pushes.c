/* SPDX-License-Identifier: MIT
 * Pushes and pulls: what they may say, when they act, and that a free body gains their impulse.
 */
#include <math.h>

#include "mujoco/simulation.h"
#include "projects.h"
#include "pushes/push.h"

static char sentence[PUSH_SENTENCE];

static push made(const char *words) {
    push p = push_default();
    if (!push_read(&p, words, sentence) || !push_check(&p, sentence)) FAIL("%s", sentence);
    return p;
}

static const char *refusal(const char *words) {
    push p = push_default();
    (void)snprintf(sentence, sizeof sentence, "none");
    if (push_read(&p, words, sentence)) (void)push_check(&p, sentence);
    return sentence;
}

TEST(words_make_a_push) {
    const push p = made("link=\"LEFT FOOT\" body=Robot force=10,-20,3.5 time=1 duration=0.1 "
                        "point=0,0,0.2 ramp=0.05 name=first kp=50");
    CHECK(strcmp(p.link, "LEFT FOOT") == 0 && strcmp(p.body, "Robot") == 0);
    CHECK(strcmp(p.name, "first") == 0);
    CHECK_SAME(p.force[1], -20);
    CHECK_SAME(p.point[2], 0.2);
    CHECK_SAME(p.kp, 50);
    CHECK(isinf(made("force=1,0,0").duration) && isnan(made("force=1,0,0").point[0]));
    CHECK_SAME(made("impulse=0,4,0 duration=0.1").force[1], 40);
    CHECK_SAME(made("impulse=0,4,0 duration=0.1 ramp=0.04").force[1], 50);
}

TEST(mistakes_have_a_sentence) {
    CHECK_CONTAINS(refusal("link=WAIST"), "neither a force nor an impulse");
    CHECK_CONTAINS(refusal("force=1,2"), "force must be three finite numbers (N), not '1,2'");
    CHECK_CONTAINS(refusal("force=1,2,3,4"), "must be three finite numbers");
    CHECK_CONTAINS(refusal("force=1,nan,3"), "must be three finite numbers");
    CHECK_CONTAINS(refusal("force=1,1e999,3"), "must be three finite numbers");
    CHECK_CONTAINS(refusal("force=100"), "must be three finite numbers (N), not '100'");
    CHECK_CONTAINS(refusal("force=1,0,0 time=-1"), "time must be a number of at least 0 (s)");
    CHECK_CONTAINS(refusal("force=1,0,0 duration=0"), "duration must be a number above 0 (s)");
    CHECK_CONTAINS(refusal("force=1,0,0 duration=1,2,3"), "duration must be a number above 0");
    CHECK_CONTAINS(refusal("force=1,0,0 duration=0.1 ramp=1"),
                   "ramp 1 s is longer than duration 0.1 s");
    CHECK_CONTAINS(refusal("impulse=1,0,0"), "an impulse needs a duration");
    CHECK_CONTAINS(refusal("forse=1,0,0"), "there is no key 'forse'; the nearest is 'force'");
    CHECK_CONTAINS(refusal("force"), "'force' must be KEY=VALUE");
    char longest[PUSH_NAME_SIZE + 20] = "force=1,0,0 name=";
    memset(longest + strlen(longest), 'n', PUSH_NAME_SIZE);
    CHECK_CONTAINS(refusal(longest), "name has 200 bytes, and may have 199");
}

/* A floor, which does not move, and two robots that both have a link HAND. */
static const char *const bodies[][3] = {
    {"PLANE", NULL, NULL}, {"WAIST", "HAND", NULL}, {"HEAD", "HAND", NULL}};

static const char *name_of(const void *context, size_t body) {
    static const char *const names[] = {"Floor", "Left", "Right"};
    (void)context;
    return names[body];
}

static const char *link_of(const void *context, size_t body, size_t link) {
    (void)context;
    return bodies[body][link];
}

static bool is_robot(const void *context, size_t body, size_t link) {
    (void)context, (void)link;
    return body > 0;
}

/* "BODY.LINK" by their numbers, or why not, among the first so many of the bodies. */
static const char *found(const char *words, size_t count) {
    const push p = made(words);
    const push_bodies some = {NULL, count, name_of, link_of, is_robot};
    size_t body, link;
    if (push_find(&p, &some, &body, &link, sentence))
        (void)snprintf(sentence, sizeof sentence, "%zu.%zu", body, link);
    return sentence;
}

TEST(a_push_that_names_no_body_acts_where_one_can_be_meant) {
    CHECK_CONTAINS(found("force=1,0,0", 2), "1.0");
    CHECK_CONTAINS(found("link=HEAD force=1,0,0", 3), "2.0");
    CHECK_CONTAINS(found("link=HAND body=Left force=1,0,0", 3), "1.1");
    CHECK_CONTAINS(found("link=HAND force=1,0,0", 3),
                   "2 bodies have a link 'HAND': it must name its body");
    CHECK_CONTAINS(found("force=1,0,0", 3),
                   "2 bodies can be pushed: it must name its body or link");
    CHECK_CONTAINS(found("link=FOOT force=1,0,0", 3), "no body that moves has a link 'FOOT'");
    CHECK_CONTAINS(found("force=1,0,0", 1), "no body can be pushed: nothing moves");
    CHECK_CONTAINS(found("link=HANT force=1,0,0", 2), "body 'Left' has no link 'HANT'");
    CHECK_CONTAINS(found("body=Lift force=1,0,0", 3), "there is no body 'Lift'");
}

TEST(steps_of_a_push_add_up_to_its_impulse) {
    const push plain = made("force=1,0,0 time=0.3 duration=0.1"),
               ramped = made("force=1,0,0 time=0.3 duration=0.1 ramp=0.04");
    for (double T = 1e-3; T < 6e-3; T *= 2.5) {
        double sum = 0, ramp = 0;
        for (long k = 0; k < lround(1 / T); k++) {
            sum += T * push_share(&plain, (double)k * T, T);
            ramp += T * push_share(&ramped, (double)k * T, T);
        }
        CHECK_NEAR(sum, 0.1, 1e-12);
        CHECK_NEAR(ramp, 0.08, 1e-12);
    }
    CHECK_SAME(push_share(&plain, 0.299, 1e-3), 0);
    CHECK_SAME(push_share(&plain, 0.3, 1e-3), 1);
    CHECK_SAME(push_share(&plain, 0.4, 1e-3), 0);
}

TEST(a_user_changes_those_of_a_project) {
    push_list list = {NULL, 0};
    size_t which;
    CHECK(push_list_set(&list, "push", "force=3,4,0 duration=1", sentence));
    CHECK(push_list_set(&list, "push", "name=back impulse=-2,0,0 duration=0.5", sentence));
    CHECK(push_list_set(&list, "push.force", "10", sentence));
    CHECK_NEAR(list.items[0].force[1], 8, 1e-12);
    CHECK_NEAR(list.items[1].force[0], -10, 1e-12);
    CHECK(push_list_set(&list, "push.back.impulse", "4", sentence));
    CHECK(push_list_set(&list, "push.duration", "0.25", sentence));
    CHECK(push_list_check(&list, &which, sentence));
    CHECK_NEAR(list.items[0].force[1], 8, 1e-12);
    CHECK_NEAR(list.items[1].force[0], -16, 1e-12);
    CHECK(strcmp(list.items[0].name, "push") == 0);
    CHECK(!push_list_set(&list, "push.front.force", "1", sentence));
    CHECK_CONTAINS(sentence, "there is no push 'front' to change");
    CHECK(push_list_set(&list, "push", "name=back force=1,0,0", sentence));
    CHECK(!push_list_check(&list, &which, sentence) && which == 2);
    CHECK_CONTAINS(sentence, "two pushes of the name 'back'");
    CHECK(push_list_set(&list, "push", "none", sentence) && !list.count);
    CHECK(!push_list_set(&list, "push.force", "1", sentence));
    CHECK_CONTAINS(sentence, "there is no push to change");
    push_list_free(&list);
    CHECK(push_list_may_set("push.any.force", "5", sentence));
    CHECK(!push_list_may_set("push.any.forse", "5", sentence));
}

/* ---- on the embedded engine ---- */

#define PUSHED_PROJECT(pushes)                                                                     \
    PROJECT_HEAD BODY_ITEM("Box", "box.body", "initial_root_translation: [ 0.3, 0, 0.2 ]")         \
        BODY_ITEM("Floor", "floor.body",                                                           \
                  "") "        - class: AISTSimulatorItem\n          name: Sim\n"                  \
                      "          data: { time_step: 0.001, time_range_mode: specified, "           \
                      "time_length: 1 }\n"                                                         \
                      "          children:\n"                                                      \
                      "            - { plugin: Stiction, class: StictionItem, name: S, data: { "   \
                      "pushes: " pushes " } }\n"

static simulation *begin(const char *text, const stiction_override *said, size_t count,
                         stiction_error *error) {
    simulation_options o = simulation_options_default();
    (void)temporary_file("box.body", BOX_BODY);
    (void)temporary_file("floor.body", FLOOR_BODY);
    o.world.gravity[0] = o.world.gravity[1] = o.world.gravity[2] = 0;
    o.pushes = said;
    o.push_count = count;
    return simulation_create(temporary_file("test.cnoid", text), &o, error);
}

static const char *refused(const char *text, const char *said) {
    static stiction_error error;
    const stiction_override one = {"push", said};
    simulation *s = begin(text, &one, said ? 1 : 0, &error);
    if (s) FAIL("it was taken");
    simulation_destroy(s);
    static char told[2000];
    (void)snprintf(told, sizeof told, "%d:%d: %s", error.line, error.column, error.message);
    return told;
}

/* Without gravity: m dv is the impulse, and at a point beside the centre of mass it turns. */
TEST(a_free_body_gains_the_impulse) {
    stiction_error error;
    const stiction_override said[] = {{"push", "body=Box impulse=0,0,3 time=0.05 duration=0.02"}};
    simulation *s =
        begin(PUSHED_PROJECT("[ { body: Box, time: 0.01, duration: 0.1, force: [ 20, 0, 0 ], "
                             "point: [ 0, 0.05, 0 ] } ]"),
              said, 1, &error);
    if (!s) {
        FAIL("%s", error.message);
        return;
    }
    const world *w = simulation_world(s);
    const int root = w->bodies[0].root;
    const double mass = w->model->body_mass[root];
    CHECK(simulation_run(s, 0.2, &error) == STICTION_OK);
    const mjtNum *v = simulation_data(s)->qvel;
    CHECK_NEAR(mass * v[0], 2, 1e-9);
    CHECK_NEAR(mass * v[2], 3, 1e-9);
    /* it turns by about -0.05 x 2 N m s about z, less as the point turns away */
    const double L = w->model->body_inertia[3 * root + 2] * v[5];
    CHECK(L < -0.08 && L >= -0.1 - 1e-9);
    simulation_destroy(s);
}

TEST(what_cannot_be_pushed_is_refused_with_its_place) {
    const char *plain = PUSHED_PROJECT("[]");
    CHECK_CONTAINS(refused(PUSHED_PROJECT("[ { body: Box, force: [ 1, 2 ] } ]"), NULL),
                   "a push: force must be three finite numbers (N), not ' 1 2'");
    CHECK_CONTAINS(refused(PUSHED_PROJECT("[ { body: Bx, force: [ 1, 2, 3 ] } ]"), NULL),
                   "push 'push': there is no body 'Bx'; the nearest is 'Box'");
    CHECK(strncmp(refused(PUSHED_PROJECT("[ { body: Bx, force: [ 1, 2, 3 ] } ]"), NULL), "0:", 2) !=
          0);
    CHECK_CONTAINS(refused(PUSHED_PROJECT("[ { force: [ 1, 2, 3 ], strength: 3 } ]"), NULL),
                   "there is no key 'strength'");
    CHECK_CONTAINS(refused(PUSHED_PROJECT("{ force: [ 1, 2, 3 ] }"), NULL), "pushes");
    CHECK_CONTAINS(refused(plain, "body=Box link=LID force=1,0,0"), "body 'Box' has no link 'LID'");
    CHECK_CONTAINS(refused(plain, "link=LID force=1,0,0"), "body 'Box' has no link 'LID'");
    CHECK_CONTAINS(refused(plain, "body=Floor force=1,0,0"), "of 'Floor' is fixed");
    CHECK_CONTAINS(refused(plain, "body=Box time=1"), "neither a force nor an impulse");
}
