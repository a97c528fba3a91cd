/* SPDX-License-Identifier: MIT
 * The engine as a library: the same run as the command's, step by step from outside, looked at,
 * copied, changed, written; and what it refuses.
 */
#include "stiction/engine.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../capi/document/auto.h"
#include "../../capi/document/text.h"
#include "check.h"
#include "temporary.h"

OWNS(stiction_engine, stiction_engine_destroy)

/* A folder that is not there, in one that goes with the program. */
static const char *new_folder(const char *name) {
    static char path[256];
    (void)temporary_file("here", "");
    (void)snprintf(path, sizeof path, "%s/%s", temporary_folder, name);
    return path;
}

static void remove_folder(const char *path) {
    char command[300];
    (void)snprintf(command, sizeof command, "rm -r '%s'", path);
    CHECK(system(command) == 0);
}

static const char wrist[] = "../sample_projects/wrist/wrist.cnoid";
static const char arm7[] = "../sample_projects/arm7/arm7.cnoid";
static const char humanoid[] = "../sample_projects/humanoid/humanoid_standing.cnoid";

static stiction_engine *create_with(const char *path, const stiction_engine_def *def) {
    stiction_engine *engine;
    stiction_error error;
    if (stiction_engine_create(path, def, &engine, &error) != STICTION_OK) {
        FAIL("%s: %s", path, error.message);
        exit(EXIT_FAILURE);
    }
    return engine;
}

static stiction_engine *create(const char *path) {
    return create_with(path, NULL);
}

/* With a value replaced; NULL: none. */
static stiction_engine *create_set(const char *path, const char *setting) {
    stiction_engine_def def = stiction_engine_def_default();
    def.settings = &setting;
    def.setting_count = setting != NULL;
    return create_with(path, &def);
}

static void step(stiction_engine *e, const double *torque) {
    stiction_error error = {.message = ""};
    if (stiction_engine_step(e, torque, &error) != STICTION_OK) FAIL("%s", error.message);
}

/* Goes on in `to` where `from` is. */
static void copy_state(stiction_engine *from, stiction_engine *to) {
    stiction_error error;
    const size_t size = stiction_engine_state_size(from);
    AUTO_FREE void *state = malloc(size);
    CHECK(stiction_engine_save(from, state, size, &error) == STICTION_OK);
    CHECK(stiction_engine_restore(to, state, size, &error) == STICTION_OK);
}

static void check_alike(const stiction_engine *a, const stiction_engine *b) {
    for (size_t k = 0; k < stiction_engine_joint_count(a); k++) {
        CHECK_SAME(stiction_engine_q(a)[k], stiction_engine_q(b)[k]);
        CHECK_SAME(stiction_engine_dq(a)[k], stiction_engine_dq(b)[k]);
    }
}

static void run(stiction_engine *engine, double until) {
    stiction_error error = {.message = ""};
    CHECK(stiction_engine_run(engine, until, &error) == STICTION_OK);
    CHECK(strcmp(error.message, "") == 0);
}

TEST(the_wrist_runs_to_its_end) {
    OWNED(stiction_engine) *e = create(wrist);
    CHECK(stiction_engine_joint_count(e) == 1);
    CHECK(strcmp(stiction_engine_joint_name(e, 0), "RWRR") == 0);
    CHECK(!stiction_engine_joint_name(e, 1));
    run(e, (double)NAN);
    CHECK_NEAR(stiction_engine_time(e), stiction_engine_duration(e), 1e-12);
    CHECK_NEAR(stiction_engine_q(e)[0] * 180 / acos(-1), 69.8768, 1e-4);
    CHECK_NEAR(stiction_engine_dq(e)[0], 0, 1e-15);
    CHECK_NEAR(stiction_engine_figure(e, 0, "final_position"), stiction_engine_q(e)[0], 1e-9);
    stiction_engine_friction seen = stiction_engine_friction_default();
    stiction_engine_look(e, &seen);
    CHECK(!seen.slipping[0] && seen.dissipated_energy[0] > 3);
    /* at rest, friction is what is commanded */
    CHECK_NEAR(seen.torque[0], stiction_engine_command(e)[0], 1e-9);
}

/* What the controllers command, given from outside, is the same run bit for bit. */
TEST(torques_from_outside_make_the_same_run) {
    OWNED(stiction_engine) *own = create(arm7), *led = create(arm7);
    for (int k = 0; k < 2000; k++) {
        step(own, NULL);
        step(led, stiction_engine_command(own));
    }
    CHECK_NEAR(stiction_engine_time(led), 2, 1e-12);
    check_alike(led, own);
    CHECK(fabs(stiction_engine_q(own)[0]) > 0.01);
}

/* Reading between two steps changes nothing. */
TEST(looking_changes_nothing) {
    OWNED(stiction_engine) *plain = create(humanoid), *looked = create(humanoid);
    stiction_error error;
    size_t body = 0, count;
    stiction_engine_body info = stiction_engine_body_default();
    while (stiction_engine_body_at(looked, body, &info) && !info.joint_count) body++;
    CHECK(info.floating && info.dof == info.joint_count + 6);
    double *M = malloc(info.dof * info.dof * sizeof *M), *J = malloc(6 * info.dof * sizeof *J);
    double base[13], *bias = malloc(info.dof * sizeof *bias);
    AUTO_FREE stiction_controller_contact *touches = calloc(info.link_count, sizeof *touches);
    stiction_controller_link_state state;
    for (int k = 0; k < 300; k++) {
        step(plain, NULL);
        step(looked, NULL);
        CHECK(stiction_engine_mass_matrix(looked, body, M, &error) == STICTION_OK);
        CHECK(stiction_engine_bias(looked, body, bias, &error) == STICTION_OK);
        CHECK(stiction_engine_jacobian(looked, body, 3, J, &error) == STICTION_OK);
        CHECK(stiction_engine_link_state(looked, body, 3, &state, &error) == STICTION_OK);
        CHECK(stiction_engine_base(looked, body, base, &error) == STICTION_OK);
        CHECK(stiction_engine_contacts(looked, body, touches, &count, &error) == STICTION_OK);
    }
    check_alike(looked, plain);
    /* it stands on both feet */
    double weight = 0;
    for (size_t k = 0; k < count; k++) weight += touches[k].force[2];
    CHECK(count == 2);
    CHECK_NEAR(weight, M[0] * 9.80665, 0.05 * M[0] * 9.80665);
    free(M);
    free(J);
    free(bias);
}

/* Torques from outside, since a controller remembers where it started. */
static void push(stiction_engine *e, int steps) {
    const size_t n = stiction_engine_joint_count(e);
    AUTO_FREE double *torque = calloc(n, sizeof *torque);
    for (int k = 0; k < steps; k++) {
        for (size_t i = 0; i < n; i++) torque[i] = 3 * sin(7 * stiction_engine_time(e) + (double)i);
        step(e, torque);
    }
}

TEST(a_saved_state_goes_on_bit_for_bit_also_elsewhere) {
    static const char *const projects[] = {wrist, humanoid};
    for (int p = 0; p < 2; p++) {
        OWNED(stiction_engine) *first = create(projects[p]), *second = create(projects[p]);
        stiction_error error;
        const size_t size = stiction_engine_state_size(first);
        AUTO_FREE char *state = malloc(size);
        push(first, 300);
        CHECK(stiction_engine_save(first, state, size - 1, &error) == STICTION_INVALID_BUFFER);
        CHECK(stiction_engine_save(first, state, size, &error) == STICTION_OK);
        CHECK(stiction_engine_restore(second, state, size, &error) == STICTION_OK);
        CHECK_NEAR(stiction_engine_time(second), 0.3, 1e-12);
        push(first, 300);
        push(second, 300);
        for (size_t k = 0; k < stiction_engine_joint_count(first); k++)
            CHECK_SAME(stiction_engine_q(second)[k], stiction_engine_q(first)[k]);
    }
}

/* Makes the checksum of a changed state right: after 8 bytes, of those after 16. */
static void seal(void *state, size_t size) {
    const uint64_t sum = stiction_checksum((char *)state + 16, size - 16);
    memcpy((char *)state + 8, &sum, sizeof sum);
}

TEST(every_flipped_bit_of_a_state_is_refused) {
    OWNED(stiction_engine) *e = create(arm7);
    stiction_error error;
    const size_t size = stiction_engine_state_size(e);
    AUTO_FREE unsigned char *state = malloc(size);
    push(e, 50);
    CHECK(stiction_engine_save(e, state, size, &error) == STICTION_OK);
    for (size_t bit = 0; bit < 8 * size; bit += 7) {
        state[bit / 8] ^= (unsigned char)(1 << bit % 8);
        CHECK(stiction_engine_restore(e, state, size, &error) == STICTION_INVALID_BUFFER);
        state[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    CHECK(stiction_engine_restore(e, state, size, &error) == STICTION_OK);
}

TEST(a_state_of_another_robot_or_a_broken_one_is_refused) {
    OWNED(stiction_engine) *one = create(wrist), *other = create(arm7);
    stiction_error error;
    const size_t size = stiction_engine_state_size(one);
    AUTO_FREE double *state = malloc(size);
    CHECK(stiction_engine_save(one, state, size, &error) == STICTION_OK);
    CHECK(stiction_engine_restore(other, state, size, &error) == STICTION_INVALID_BUFFER);
    CHECK_CONTAINS(error.message, "another robot");
    const size_t ends[] = {5, size / sizeof *state - 1}; /* the time after the head; the last */
    for (int k = 0; k < 2; k++) {
        const double good = state[ends[k]];
        state[ends[k]] = (double)NAN;
        seal(state, size);
        CHECK(stiction_engine_restore(one, state, size, &error) == STICTION_INVALID_BUFFER);
        CHECK_CONTAINS(error.message, "not finite");
        state[ends[k]] = good;
    }
}

/* Friction's numbers are the last of a state; two that cancel are none that steps can make. */
TEST(a_state_whose_friction_is_forged_is_refused_and_changes_nothing) {
    static const char *const settings[] = {"integrator=rk4", "coupling=explicit",
                                           "coupling=implicit"};
    enum { memory = 18 + 1, rk4 = 0 }; /* of friction, and what its constraints gave */
    for (size_t k = 0; k < 3; k++) {
        OWNED(stiction_engine) *e = create_set(wrist, settings[k]);
        stiction_error error;
        const size_t size = stiction_engine_state_size(e), count = size / sizeof(double);
        double *state = malloc(size), *after = malloc(size);
        push(e, 50);
        CHECK(stiction_engine_save(e, state, size, &error) == STICTION_OK);
        double *friction = state + count - memory;
        if (k == rk4) friction -= 1 + 1; /* before the acceleration that warms the next step */
        const double good = friction[0];
        friction[0] = 1e200;
        if (k != rk4) friction[1] = -1e200;
        seal(state, size);
        CHECK(stiction_engine_restore(e, state, size, &error) == STICTION_INVALID_BUFFER);
        CHECK_CONTAINS(error.message, "deflection 1e+200 in its memory must be from");
        CHECK_CONTAINS(error.message, "the saved state: joint '");
        CHECK(stiction_engine_save(e, after, size, &error) == STICTION_OK);
        CHECK_SAME(after[friction - state], good);
        friction[0] = good;
        if (k != rk4) friction[1] = 0;
        state[count - 1] = 1e91;
        seal(state, size);
        CHECK(stiction_engine_restore(e, state, size, &error) == STICTION_INVALID_BUFFER);
        CHECK_CONTAINS(error.message, "the saved state: joint 'RWRR': 1e+91 N m of its "
                                      "constraints must be from -1e+90 to 1e+90");
        state[count - 1] = 0;
        state[6] = 1; /* after the time: implicit, which only auto becomes on its way */
        seal(state, size);
        CHECK(stiction_engine_restore(e, state, size, &error) == STICTION_INVALID_BUFFER);
        CHECK_CONTAINS(error.message, "a coupling that this simulation cannot take");
        CHECK(stiction_engine_time(e) > 0);
        push(e, 50);
        free(state);
        free(after);
    }
}

/* MuJoCo normalises quaternions when it is asked for the mass matrix, and again after a restore. */
TEST(a_state_saved_after_a_look_goes_on_bit_for_bit) {
    OWNED(stiction_engine) *e = create("robots/floater.urdf"),
                           *other = create("robots/floater.urdf");
    OWNED(stiction_engine) *unseen = create("robots/floater.urdf");
    stiction_engine *const all[] = {e, other, unseen};
    stiction_error error;
    for (int k = 0; k < 200; k++) {
        const double torque = sin(k);
        double bias[7], bases[3][13];
        CHECK(stiction_engine_bias(e, 0, bias, &error) == STICTION_OK);
        copy_state(e, other);
        for (int i = 0; i < 3; i++) {
            step(all[i], &torque);
            CHECK(stiction_engine_base(all[i], 0, bases[i], &error) == STICTION_OK);
            CHECK(memcmp(bases[0], bases[i], sizeof bases[0]) == 0);
        }
        check_alike(e, other);
    }
}

TEST(a_reset_starts_anew) {
    OWNED(stiction_engine) *e = create(wrist);
    stiction_error error;
    run(e, 0.5);
    const double q = stiction_engine_q(e)[0];
    CHECK(stiction_engine_reset(e, &error) == STICTION_OK);
    CHECK_SAME(stiction_engine_time(e), 0);
    CHECK_SAME(stiction_engine_q(e)[0], 0);
    run(e, 0.5);
    CHECK_SAME(stiction_engine_q(e)[0], q);
}

TEST(parameters_change_between_steps) {
    OWNED(stiction_engine) *e = create(wrist), *strong = create(wrist);
    stiction_error error;
    CHECK_SAME(stiction_engine_parameter(e, 0, "static_torque"), 2.5);
    CHECK(isnan(stiction_engine_parameter(e, 0, "no_such")));
    /* a slower Stribeck effect, for which so much stiction is legal at this time step */
    CHECK(stiction_engine_set_parameter(strong, "RWRR", "stribeck_velocity", 0.6, &error) ==
          STICTION_OK);
    CHECK(stiction_engine_set_parameter(strong, "RWRR", "static_torque", 9, &error) == STICTION_OK);
    CHECK_SAME(stiction_engine_parameter(strong, 0, "static_torque"), 9);
    run(e, 1);
    run(strong, 1);
    CHECK(fabs(stiction_engine_q(e)[0]) > 0.5);
    CHECK(fabs(stiction_engine_q(strong)[0]) < 0.01); /* 5.3 N m do not break it away */
    CHECK(!stiction_engine_warning(strong, 0));
    /* and during a run, with a warning */
    CHECK(stiction_engine_set_parameter(strong, "RWRR", "static_torque", 2.5, &error) ==
          STICTION_OK);
    CHECK_CONTAINS(stiction_engine_warning(strong, 0), "changed during the run");
    run(strong, 2);
    CHECK(fabs(stiction_engine_q(strong)[0]) > 0.5);
    /* what is refused changes nothing */
    CHECK(stiction_engine_set_parameter(e, "RWRR", "static_torque", 0.1, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, "0.1");
    CHECK(stiction_engine_set_parameter(e, "RWRX", "viscous", 1, &error) != STICTION_OK);
    CHECK_CONTAINS(error.message, "RWRR");
    CHECK_SAME(stiction_engine_parameter(e, 0, "static_torque"), 2.5);
    run(e, 1.5);
}

static void keep_warning(void *user, stiction_log_level level, const char *message) {
    if (level == STICTION_LOG_WARNING) (void)snprintf(user, 300, "%s", message);
}

/* The torque of the second joint alternates; friction of the first one knows nothing of it. */
static stiction_status shake(const char *coupling, char message[300]) {
    stiction_engine_def def = stiction_engine_def_default();
    def.settings = &coupling;
    def.setting_count = 1;
    def.log = keep_warning;
    def.log_user = message;
    stiction_engine *e = create_with("../sample_projects/two_link/two_link.cnoid", &def);
    stiction_error error = {.message = ""};
    stiction_status status = STICTION_OK;
    for (int k = 0; k < 200 && status == STICTION_OK; k++)
        status = stiction_engine_step(e, (double[]){0, k % 2 ? 60 : -60}, &error);
    if (status != STICTION_OK) (void)snprintf(message, 300, "%.299s", error.message);
    stiction_engine_destroy(e);
    return status;
}

static void shake_steps(stiction_engine *e, int steps) {
    for (int k = 0; k < steps; k++) step(e, (double[]){0, k % 2 ? 60 : -60});
}

/* Whether the summary of what it writes has a text. */
static bool tells(stiction_engine *e, const char *words) {
    static char text[20000];
    char path[300];
    const char *folder = new_folder("told");
    CHECK(stiction_engine_write(e, folder, NULL) == STICTION_OK);
    (void)snprintf(path, sizeof path, "%s/summary.json", folder);
    FILE *file = fopen(path, "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file) (void)fclose(file);
    remove_folder(folder);
    return strstr(text, words);
}

/* The coupling that auto took later belongs to the state, and not to the next start. */
TEST(a_run_that_became_implicit_is_restored_and_starts_anew) {
    const char *path = "../sample_projects/two_link/two_link.cnoid";
    OWNED(stiction_engine) *e = create_set(path, "coupling=auto"),
                           *other = create_set(path, "coupling=auto");
    stiction_error error;
    /* before it becomes implicit, and after */
    for (int turn = 0; turn < 2; turn++) {
        shake_steps(e, turn == 0 ? 114 : 200);
        CHECK(stiction_engine_warning(e, 0) == NULL || turn == 1);
        copy_state(e, other);
        shake_steps(e, 20);
        shake_steps(other, 20);
        check_alike(e, other);
    }
    CHECK(tells(other, "\"coupling\": \"implicit\""));
    stiction_engine_destroy(other);
    other = create_set(path, "coupling=auto");
    CHECK(stiction_engine_reset(e, &error) == STICTION_OK);
    shake_steps(e, 200);
    shake_steps(other, 200);
    check_alike(e, other);
}

TEST(where_auto_chatters_it_becomes_implicit) {
    char message[300] = "";
    CHECK(shake("coupling=auto", message) == STICTION_OK);
    CHECK_CONTAINS(message, "joint 'JOINT0': explicit friction chattered at 0.01");
    CHECK_CONTAINS(message, "the friction of 'TwoLink' is implicit from then on");
    message[0] = '\0';
    CHECK(shake("coupling=explicit", message) ==
          STICTION_OK); /* as asked; its results are not stable */
    CHECK(strcmp(message, "") == 0);
}

TEST(joints_and_bases_are_put_somewhere) {
    OWNED(stiction_engine) *e = create(humanoid);
    stiction_error error;
    stiction_engine_body info = stiction_engine_body_default();
    size_t body = 0;
    while (stiction_engine_body_at(e, body, &info) && !info.joint_count) body++;
    double base[13] = {1, 2, 3, 0.6, 0, 0.8, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, seen[13];
    CHECK(stiction_engine_set_base(e, body, base, &error) == STICTION_OK);
    CHECK(stiction_engine_base(e, body, seen, &error) == STICTION_OK);
    for (int k = 0; k < 13; k++) CHECK_NEAR(seen[k], base[k], 1e-14);
    AUTO_FREE double *q = calloc(info.joint_count, sizeof *q);
    q[2] = 0.25;
    CHECK(stiction_engine_set_joints(e, q, NULL, &error) == STICTION_OK);
    CHECK_SAME(stiction_engine_q(e)[2], 0.25);
    q[2] = (double)NAN;
    CHECK(stiction_engine_set_joints(e, q, NULL, &error) == STICTION_INVALID_ARGUMENT);
    CHECK_SAME(stiction_engine_q(e)[2], 0.25);
    base[3] = base[5] = 0;
    CHECK(stiction_engine_set_base(e, body, base, &error) == STICTION_INVALID_ARGUMENT);
    base[3] = 8e-7; /* as good as zero */
    CHECK(stiction_engine_set_base(e, body, base, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_set_base(e, 99, base, &error) == STICTION_INVALID_ARGUMENT);
}

TEST(mistakes_are_sentences) {
    stiction_engine *e = (stiction_engine *)1;
    stiction_error error;
    stiction_engine_def def = stiction_engine_def_default();
    CHECK(stiction_engine_create("nowhere.cnoid", NULL, &e, &error) != STICTION_OK && !e);
    CHECK_CONTAINS(error.path, "nowhere.cnoid");
    static const char *const bad[] = {"timestep=fast"};
    def.settings = bad;
    def.setting_count = 1;
    CHECK(stiction_engine_create(wrist, &def, &e, &error) == STICTION_INVALID_ARGUMENT && !e);
    CHECK_CONTAINS(error.message, "must be a number of seconds above 0");
    def = stiction_engine_def_default();
    def.size = 8;
    CHECK(stiction_engine_create(wrist, &def, &e, &error) == STICTION_INVALID_ARGUMENT && !e);
    CHECK_CONTAINS(error.message, "stiction_engine_def_default()");
    def = stiction_engine_def_default();
    def.configuration = "no_such.yaml";
    CHECK(stiction_engine_create(wrist, &def, &e, &error) != STICTION_OK && !e);
    def = stiction_engine_def_default();
    def.controllers = (const char *const[]){"NO_SUCH_BODY=none", "B=none", "C=none"};
    def.controller_count = 3;
    CHECK(stiction_engine_create(wrist, &def, &e, &error) != STICTION_OK && !e);
    CHECK_CONTAINS(error.message, "'NO_SUCH_BODY=none'");

    e = create(wrist);
    const double nan = (double)NAN;
    CHECK(stiction_engine_step(e, &nan, &error) == STICTION_INVALID_ARGUMENT);
    CHECK_CONTAINS(error.message, "joint 'RWRR'");
    CHECK_SAME(stiction_engine_time(e), 0);
    run(e, 0.1); /* and it goes on */
    double numbers[13];
    CHECK(stiction_engine_mass_matrix(e, 7, numbers, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_jacobian(e, 0, 99, numbers, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_link_state(e, 0, 99, &(stiction_controller_link_state){{0}, {0}, {0}},
                                     &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_set_base(e, 0, numbers, &error) == STICTION_INVALID_ARGUMENT);
    stiction_engine_destroy(e);
    const double at_rest[13] = {0}, end = (double)INFINITY;
    CHECK(stiction_engine_create(NULL, NULL, &e, &error) == STICTION_INVALID_ARGUMENT && !e);
    CHECK(stiction_engine_create(wrist, NULL, NULL, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_create(NULL, NULL, &e, NULL) == STICTION_INVALID_ARGUMENT);
    e = create(wrist);
    CHECK(stiction_engine_run(e, end, &error) == STICTION_INVALID_ARGUMENT);
    CHECK_CONTAINS(error.message, "has no end");
    CHECK(stiction_engine_bias(e, 7, numbers, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_jacobian(e, 7, 0, numbers, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_base(e, 7, numbers, &error) == STICTION_INVALID_ARGUMENT);
    size_t touching;
    CHECK(stiction_engine_contacts(e, 7, NULL, &touching, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_set_base(e, 7, at_rest, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_set_targets(e, &end, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_set_joints(e, NULL, &end, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_engine_set_joints(e, NULL, NULL, &error) == STICTION_OK);
    CHECK(stiction_engine_save(e, NULL, 7, &error) == STICTION_INVALID_BUFFER);
    CHECK_CONTAINS(error.message, "the buffer has 0");
    CHECK(stiction_engine_save(e, numbers, 1, &error) == STICTION_INVALID_BUFFER);
    CHECK(stiction_engine_restore(e, NULL, 0, &error) == STICTION_INVALID_BUFFER);
    CHECK(!stiction_engine_link_name(e, 7, 0) && !stiction_engine_link_name(e, 0, 99));
    stiction_controller_joint joint;
    CHECK(!stiction_engine_joint_at(e, 1, &joint) && stiction_engine_joint_at(e, 0, &joint));
    stiction_engine_body body = stiction_engine_body_default();
    CHECK(!stiction_engine_body_at(e, 7, &body) && stiction_engine_body_at(e, 0, &body));
    CHECK(isnan(stiction_engine_parameter(e, 1, "damping")));
    CHECK(isnan(stiction_engine_parameter(e, 0, "no_such_key")));
    CHECK(stiction_engine_version()[0] != '\0');
    stiction_engine_destroy(e);
    stiction_engine_destroy(NULL);
}

TEST(null_is_refused_everywhere) {
    stiction_engine *e = create(humanoid);
    stiction_error error;
    double numbers[13] = {0};
    size_t count;
    char buffer[8];
    stiction_controller_link_state state;
    stiction_controller_contact contact;
    stiction_controller_joint joint;
    stiction_engine_body body = stiction_engine_body_default();
    stiction_engine_friction friction = stiction_engine_friction_default();
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        error.message[0] = '\0';                                                                   \
        CHECK((call) == STICTION_INVALID_ARGUMENT);                                                \
        CHECK_CONTAINS(error.message, " is NULL");                                                 \
    } while (0)
    for (int has = 0; has < 2; has++) {
        stiction_engine *o = has ? e : NULL;
        double *x = has ? NULL : numbers;
        REFUSED(stiction_engine_base(o, 0, x, &error));
        REFUSED(stiction_engine_mass_matrix(o, 0, x, &error));
        REFUSED(stiction_engine_bias(o, 0, x, &error));
        REFUSED(stiction_engine_jacobian(o, 0, 0, x, &error));
        REFUSED(stiction_engine_link_state(o, 0, 0, has ? NULL : &state, &error));
        REFUSED(stiction_engine_contacts(o, 0, has ? NULL : &contact, &count, &error));
        REFUSED(stiction_engine_contacts(o, 0, &contact, has ? NULL : &count, &error));
        REFUSED(stiction_engine_set_base(o, 0, x, &error));
        REFUSED(stiction_engine_set_targets(o, x, &error));
        REFUSED(stiction_engine_set_parameter(o, has ? NULL : "A", "viscous", 1, &error));
        REFUSED(stiction_engine_set_parameter(o, "A", has ? NULL : "viscous", 1, &error));
        REFUSED(stiction_engine_write(o, has ? NULL : "x", &error));
        CHECK(isnan(stiction_engine_parameter(o, 0, has ? NULL : "viscous")));
        CHECK(isnan(stiction_engine_figure(o, 0, has ? NULL : "creep")));
        CHECK(!stiction_engine_joint_at(o, 0, has ? NULL : &joint));
        CHECK(!stiction_engine_body_at(o, 0, has ? NULL : &body));
        stiction_engine_gravity(o, x);
        stiction_engine_look(o, has ? NULL : &friction);
    }
    REFUSED(stiction_engine_reset(NULL, &error));
    REFUSED(stiction_engine_step(NULL, NULL, &error));
    REFUSED(stiction_engine_run(NULL, 1, &error));
    REFUSED(stiction_engine_set_joints(NULL, NULL, NULL, &error));
    REFUSED(stiction_engine_save(NULL, buffer, sizeof buffer, &error));
    REFUSED(stiction_engine_restore(NULL, buffer, sizeof buffer, &error));
#undef REFUSED
    CHECK(isnan(stiction_engine_time(NULL)) && isnan(stiction_engine_timestep(NULL)));
    CHECK(isnan(stiction_engine_duration(NULL)) && !stiction_engine_finished(NULL));
    CHECK(!stiction_engine_joint_count(NULL) && !stiction_engine_joint_name(NULL, 0));
    CHECK(!stiction_engine_q(NULL) && !stiction_engine_dq(NULL) && !stiction_engine_command(NULL));
    CHECK(!stiction_engine_body_count(NULL) && !stiction_engine_link_name(NULL, 0, 0));
    CHECK(!stiction_engine_state_size(NULL) && !stiction_engine_warning(NULL, 0));
    stiction_engine_destroy(e);
}

/* Read from the results of a run whose joint is put elsewhere in between. */
TEST(a_joint_that_is_put_elsewhere_creates_no_energy) {
    OWNED(stiction_engine) *e = create(arm7);
    const char *folder = new_folder("jumps");
    double q[7] = {0};
    for (int k = 0; k < 5; k++) {
        q[1] = k % 2 ? 1 : -1;
        CHECK(stiction_engine_set_joints(e, q, NULL, NULL) == STICTION_OK);
        run(e, 0.1 * (k + 1));
    }
    CHECK(stiction_engine_write(e, folder, NULL) == STICTION_OK);
    const char *warning;
    for (size_t k = 0; (warning = stiction_engine_warning(e, k)); k++)
        CHECK(!strstr(warning, "from nothing"));
    remove_folder(folder);
}

TEST(a_simulation_that_diverged_ends_and_keeps_what_was) {
    OWNED(stiction_engine) *e = create(wrist);
    stiction_error error;
    const double huge = 1e300;
    stiction_status status = STICTION_OK;
    for (int k = 0; k < 10 && status == STICTION_OK; k++)
        status = stiction_engine_step(e, &huge, &error);
    CHECK(status != STICTION_OK);
    CHECK_CONTAINS(error.message, "diverged");
    CHECK(stiction_engine_step(e, NULL, &error) == STICTION_INVALID_ARGUMENT);
    CHECK_CONTAINS(error.message, "reset it");
    const char *folder = new_folder("diverged");
    CHECK(stiction_engine_write(e, folder, &error) == STICTION_OK);
    remove_folder(folder);
    CHECK(stiction_engine_reset(e, &error) == STICTION_OK);
    run(e, 0.1);
}

/* With either integrator: MuJoCo itself goes back to the start, or leaves numbers that are none. */
TEST(a_step_that_diverged_leaves_the_state_before_it) {
    for (int rk4 = 0; rk4 < 2; rk4++) {
        OWNED(stiction_engine) *e = create_set(wrist, rk4 ? "integrator=rk4" : NULL);
        stiction_error error;
        const double huge = 1e300;
        run(e, 0.1);
        const double q = stiction_engine_q(e)[0], dq = stiction_engine_dq(e)[0];
        CHECK(q != 0 && stiction_engine_step(e, &huge, &error) != STICTION_OK);
        CHECK_CONTAINS(error.message, "diverged at 0.1 s");
        CHECK_SAME(stiction_engine_q(e)[0], q);
        CHECK_SAME(stiction_engine_dq(e)[0], dq);
        CHECK_NEAR(stiction_engine_time(e), 0.1, 1e-12);
    }
}

/* An error of implicit friction belongs to its step. */
TEST(a_torque_that_implicit_friction_refuses_changes_nothing) {
    OWNED(stiction_engine) *e = create_set(wrist, "coupling=implicit"),
                           *other = create_set(wrist, "coupling=implicit");
    stiction_error error;
    const double huge = -1e308, some = 2.7;
    for (int k = 0; k < 100; k++) {
        if (k % 40 == 10) {
            CHECK(stiction_engine_step(e, &huge, &error) == STICTION_INVALID_ARGUMENT);
            CHECK_CONTAINS(error.message, "implicit friction failed at 0.0");
        }
        step(e, &some);
        step(other, &some);
    }
    check_alike(e, other);
    CHECK_SAME(stiction_engine_time(e), stiction_engine_time(other));
}

/* Not one step later, or when it is looked at: MuJoCo would go back to the start. */
TEST(a_velocity_that_is_too_large_is_a_divergence_of_its_step) {
    OWNED(stiction_engine) *e = create_set(wrist, "coupling=implicit");
    stiction_error error;
    const double large = 1e16;
    run(e, 0.1);
    const double q = stiction_engine_q(e)[0];
    double bias;
    CHECK_REFUSED(stiction_engine_step(e, &large, &error), STICTION_ILLEGAL_TIMESTEP, error,
                  "diverged at 0.1 s");
    CHECK(stiction_engine_bias(e, 0, &bias, &error) == STICTION_OK);
    CHECK_SAME(stiction_engine_q(e)[0], q);
}

TEST(a_state_that_mujoco_would_reset_is_refused) {
    OWNED(stiction_engine) *e = create("robots/floater.urdf");
    stiction_error error;
    const double far = 1e11, some = 0.3;
    double base[13] = {[3] = 1, [7] = far};
    CHECK(stiction_engine_set_joints(e, &some, NULL, &error) == STICTION_OK);
    CHECK_REFUSED(stiction_engine_set_joints(e, &far, NULL, &error), STICTION_INVALID_ARGUMENT,
                  error, "q[0] is 1e+11, and must be from -1e+10 to 1e+10");
    CHECK_REFUSED(stiction_engine_set_joints(e, NULL, &far, &error), STICTION_INVALID_ARGUMENT,
                  error, "dq[0] is 1e+11, and must be");
    CHECK_REFUSED(stiction_engine_set_base(e, 0, base, &error), STICTION_INVALID_ARGUMENT, error,
                  "base[7] is 1e+11, and must be");
    double bias[7];
    CHECK(stiction_engine_bias(e, 0, bias, &error) == STICTION_OK);
    CHECK_SAME(stiction_engine_q(e)[0], some);
    step(e, NULL);
}

TEST(results_are_written_once) {
    OWNED(stiction_engine) *e = create(wrist);
    stiction_error error;
    run(e, 0.2);
    const char *folder = new_folder("wrist");
    CHECK(stiction_engine_write(e, folder, &error) == STICTION_OK);
    CHECK(stiction_engine_write(e, folder, &error) == STICTION_INVALID_ARGUMENT);
    CHECK_CONTAINS(error.message, "has results already");
    remove_folder(folder);
}

/* Engines of several threads do not meet, with either integrator. */
static void *run_apart(void *context) {
    stiction_engine *e = context;
    stiction_error error;
    return stiction_engine_run(e, 0.5, &error) == STICTION_OK ? e : NULL;
}

TEST(engines_run_in_threads_of_their_own) {
    enum { count = 4 };
    stiction_engine *engines[count], *alone[2];
    pthread_t threads[count];
    for (int k = 0; k < count; k++) {
        engines[k] = create_set(wrist, k % 2 ? "integrator=rk4" : NULL);
        if (k < 2) alone[k] = create_set(wrist, k ? "integrator=rk4" : NULL);
    }
    for (int k = 0; k < count; k++)
        CHECK(pthread_create(&threads[k], NULL, run_apart, engines[k]) == 0);
    for (int k = 0; k < count; k++) {
        void *fine;
        CHECK(pthread_join(threads[k], &fine) == 0 && fine);
    }
    for (int k = 0; k < 2; k++) run(alone[k], 0.5);
    for (int k = 0; k < count; k++) {
        CHECK_SAME(stiction_engine_q(engines[k])[0], stiction_engine_q(alone[k % 2])[0]);
        stiction_engine_destroy(engines[k]);
    }
    for (int k = 0; k < 2; k++) stiction_engine_destroy(alone[k]);
}

static atomic_bool makes_engines;

static void *make_engines(void *context) {
    while (makes_engines) stiction_engine_destroy(create(wrist));
    return context;
}

/* Other threads may have held a lock when the child was made. The sanitizers' own allocators hang
 * in such a child. */
TEST(a_child_of_a_program_with_threads_makes_engines) {
    pthread_t thread;
#ifdef SANITIZED
    return;
#endif
    makes_engines = true;
    CHECK(pthread_create(&thread, NULL, make_engines, NULL) == 0);
    for (int k = 0; k < ROUNDS(60) + 10 && !check_failures; k++) {
        const pid_t child = fork();
        if (child == 0) {
            (void)alarm(100); /* ends a child that hangs */
            stiction_engine *e = create(wrist);
            run(e, 0.01);
            stiction_engine_destroy(e);
            _exit(check_failures ? 1 : 0);
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    makes_engines = false;
    CHECK(pthread_join(thread, NULL) == 0);
}

TEST(a_robot_needs_no_project) {
    stiction_engine_def def = stiction_engine_def_default();
    OWNED(stiction_engine) *e = create_with("robots/floater.urdf", &def);
    stiction_engine_body body = stiction_engine_body_default();
    CHECK(stiction_engine_body_count(e) == 1 && stiction_engine_body_at(e, 0, &body));
    CHECK(body.floating && body.dof == 7 && stiction_engine_joint_count(e) == 1);
    CHECK_NEAR(stiction_engine_timestep(e), 0.001, 0);
    CHECK_NEAR(stiction_engine_duration(e), 10, 0);
    stiction_engine_destroy(e);
    def.floor = def.fixed_base = true;
    e = create_with("robots/floater.urdf", &def);
    CHECK(stiction_engine_body_count(e) == 2 && stiction_engine_body_at(e, 0, &body));
    CHECK(!body.floating && body.dof == 1);
}

/* A leg on a foot whose sole has sixteen corners, all of them within a micrometre of a plane. */
static const char *legged_robot(const char *floor) {
    char vertices[2000] = "", text[4000];
    for (int k = 0; k < 16; k++) {
        const double angle = 2 * acos(-1) * k / 16, x = 0.1 * cos(angle), y = 0.05 * sin(angle);
        const size_t used = strlen(vertices);
        (void)snprintf(vertices + used, sizeof vertices - used, "%.9f %.9f %.9f %.9f %.9f 0.03 ", x,
                       y, k % 3 * 5e-7, x / 2, y / 2);
    }
    (void)snprintf(
        text, sizeof text,
        "<mujoco><option timestep='0.001'/><asset><mesh name='sole' vertex='%s'/></asset>"
        "<worldbody>%s<body name='foot'><freejoint/>"
        "<inertial pos='0 0 0.02' mass='1' diaginertia='0.002 0.004 0.005'/>"
        "<geom type='mesh' mesh='sole'/><body name='leg' pos='0 0 0.05'>"
        "<joint name='ankle' axis='0 1 0'/>"
        "<inertial pos='0.02 0 0.4' mass='10' diaginertia='0.5 0.5 0.05'/>"
        "<body name='arm' pos='0 0 0.5'><joint name='shoulder' axis='1 0 0'/>"
        "<inertial pos='0 0.1 0.1' mass='1' diaginertia='0.01 0.01 0.01'/>"
        "</body></body></body></worldbody></mujoco>",
        vertices, floor);
    return temporary_file("legged.xml", text);
}

/* Contacts that changed from step to step, as those of MuJoCo 2 do on a hull, would keep it moving.
 */
static void check_rests(const char *floor) {
    stiction_engine_def def = stiction_engine_def_default();
    stiction_error error;
    def.configuration = temporary_file(
        "legged.yaml", "stiction: 1\njoints:\n  '*': { law: coulomb, coulomb_torque: "
                       "2.5,\n    stiffness: auto, damping: auto }\n");
    def.floor = !*floor;
    stiction_engine *e = create_with(legged_robot(floor), &def);
    run(e, 1);
    double fastest = 0, base[13];
    for (int k = 0; k < 100; k++) {
        CHECK(stiction_engine_step(e, NULL, &error) == STICTION_OK);
        CHECK(stiction_engine_base(e, 0, base, &error) == STICTION_OK);
        for (int i = 7; i < 13; i++) fastest = fmax(fastest, fabs(base[i]));
        for (int i = 0; i < 2; i++) fastest = fmax(fastest, fabs(stiction_engine_dq(e)[i]));
    }
    printf("a foot on %s: at most %.2g m/s or rad/s\n", *floor ? "a box" : "a plane", fastest);
    CHECK(fastest < 1e-9 && base[2] > -1e-3);
    stiction_engine_destroy(e);
}

TEST(a_foot_of_many_corners_comes_to_rest) {
    check_rests("");
    check_rests("<geom type='box' size='1 1 0.1' pos='0 0 -0.1'/>");
}
