/* SPDX-License-Identifier: MIT
 * A host that loads the customizer exactly as Choreonoid does: dlopen, one symbol, plain function
 * pointers. Its bodies are arrays; its steps do to them what the simulator's would.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../plugin/customizer/body_customizer.h"
#include "wrist.h"

static const double T = 0.001;

/* A body of the fake simulator. */
enum { most_links = 8 };

typedef struct fake_body {
    int count;
    const char *names[most_links];
    double q[most_links], dq[most_links], u[most_links];
} fake_body;

static int link_index_from_name(body_handle handle, const char *name) {
    const fake_body *body = handle;
    for (int k = 0; k < body->count; k++)
        if (strcmp(body->names[k], name) == 0) return k;
    return -1;
}

/* As in the simulator, an index past the end is nobody's to ask for. */
static int in_range(const fake_body *body, int link) {
    if (link >= 0 && link < body->count) return link;
    FAIL("link %d was asked for; there are %d", link, body->count);
    return 0;
}

static const char *link_name(body_handle handle, int link) {
    const fake_body *body = handle;
    return body->names[in_range(body, link)];
}
static double *joint_position(body_handle handle, int link) {
    fake_body *body = handle;
    return &body->q[in_range(body, link)];
}
static double *joint_velocity(body_handle handle, int link) {
    fake_body *body = handle;
    return &body->dq[in_range(body, link)];
}
static double *joint_effort(body_handle handle, int link) {
    fake_body *body = handle;
    return &body->u[in_range(body, link)];
}

static body_interface simulator = {
    1, link_index_from_name, link_name, joint_position, joint_velocity, joint_effort};

/* A temporary folder with files, and what was said on stderr. */
static char folder[64];
static int real_stderr;
static long said_so_far;

static const char *in_folder(const char *name) {
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static const char *write_file(const char *name, const char *text) {
    const char *path = in_folder(name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) FAIL("cannot write %s", path);
    return path;
}

static void set_up(void) {
    strcpy(folder, "/tmp/stiction-customizer-XXXXXX");
    if (!mkdtemp(folder)) FAIL("no temporary folder");
    fflush(stderr);
    real_stderr = dup(STDERR_FILENO);
    const int said = open(in_folder("said"), O_CREAT | O_TRUNC | O_RDWR, 0600);
    (void)dup2(said, STDERR_FILENO);
    close(said);
    said_so_far = 0;
    unsetenv("STICTION_CONFIG");
}

/* What was said since set_up or the last call. */
static const char *said(void) {
    static char text[8192];
    fflush(stderr);
    FILE *file = fopen(in_folder("said"), "r");
    (void)fseek(file, said_so_far, SEEK_SET);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    said_so_far += (long)length;
    fclose(file);
    return text;
}

static void tear_down(void) {
    fflush(stderr);
    (void)dup2(real_stderr, STDERR_FILENO);
    close(real_stderr);
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) FAIL("cannot remove %s", folder);
}

typedef struct customizer {
    void *library;
    body_customizer_interface *interface;
} customizer;

static customizer load_from(const char *path) {
    customizer c = {dlopen(path, RTLD_LAZY), NULL};
    if (!c.library) {
        FAIL("%s", dlerror());
        exit(EXIT_FAILURE);
    }
    body_customizer_interface *(*get)(body_interface *);
    void *symbol = dlsym(c.library, "getHrpBodyCustomizerInterface");
    memcpy(&get, &symbol, sizeof get);
    c.interface = get(&simulator);
    return c;
}

static customizer load(const char *config) {
    setenv("STICTION_CONFIG", config, 1);
    return load_from(CUSTOMIZER);
}

/* A temporary folder with one configuration, and the customizer that loads it. */
static customizer begin(const char *name, const char *yaml) {
    set_up();
    return load(write_file(name, yaml));
}

static void end(const customizer *c, customizer_handle handle) {
    c->interface->destroy(handle);
    dlclose(c->library);
    tear_down();
}

static void step(const customizer *c, customizer_handle handle, double timestep) {
    c->interface->set_virtual_joint_forces_2(handle, timestep);
}

/* Moves the wrist as its velocity says, then steps. */
static void move(const customizer *c, customizer_handle handle, fake_body *body) {
    body->q[1] += T * body->dq[1];
    step(c, handle, T);
}

#define WRIST_LAW "{ " WRIST_KEYS " }"

static const char wrist_yaml[] = "stiction: 1\nmodels: [Wrist]\njoints:\n  RWRR: " WRIST_LAW "\n";

static fake_body wrist_body(void) {
    return (fake_body){.count = 3, .names = {"BASE", "RWRR", "HAND"}};
}

/* What the library says for the same velocities. */
static double library_friction(double velocity, int steps) {
    stiction_config *config;
    stiction_model *model;
    stiction_state *state;
    const char *names[] = {"RWRR"};
    stiction_model_def def = stiction_model_def_default();
    def.timestep = T;
    CHECK(stiction_config_parse(wrist_yaml, strlen(wrist_yaml), "wrist.yaml", &config, NULL) ==
          STICTION_OK);
    CHECK(stiction_model_create(config, names, 1, &def, &model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
    double torque = 0;
    for (int k = 0; k < steps; k++)
        CHECK(stiction_step(state, T, &velocity, &torque, NULL) == STICTION_OK);
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    return torque;
}

TEST(interface_is_what_the_simulator_expects) {
    const customizer c = begin("wrist.yaml", wrist_yaml);
    CHECK(c.interface->version == 2);
    CHECK(c.interface->create && c.interface->destroy && c.interface->set_virtual_joint_forces);
    CHECK(!c.interface->initialize_analytic_ik && !c.interface->calculate_analytic_ik);
    const char **names = c.interface->target_model_names();
    CHECK(strcmp(names[0], "Wrist") == 0 && names[1] == NULL);
    fake_body body = wrist_body();
    CHECK(c.interface->create(&body, "Unknown") == NULL);
    c.interface->destroy(NULL);
    CHECK(said()[0] == '\0');
    end(&c, NULL);
}

TEST(friction_is_subtracted_from_the_command_once_a_step) {
    const customizer c = begin("wrist.yaml", wrist_yaml);
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.dq[1] = 0.3;
    body.u[0] = body.u[2] = 7;
    for (int k = 1; k <= 50; k++) {
        body.u[1] = 10 + k; /* a controller */
        move(&c, handle, &body);
        CHECK_SAME(body.u[1], 10 + k - library_friction(0.3, k));
    }
    CHECK_SAME(body.u[0], 7); /* other joints are not touched */
    CHECK_SAME(body.u[2], 7);
    end(&c, handle);
}

TEST(friction_does_not_add_up_where_nothing_rewrites_the_effort) {
    const customizer c = begin("wrist.yaml", wrist_yaml);
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.dq[1] = 0.3;
    for (int k = 0; k < 1000; k++) move(&c, handle, &body);
    CHECK_SAME(body.u[1], -library_friction(0.3, 1000));
    /* a command that comes late, and stays */
    body.u[1] = 5;
    for (int k = 0; k < 1000; k++) move(&c, handle, &body);
    CHECK_SAME(body.u[1], 5 - library_friction(0.3, 2000));
    end(&c, handle);
}

/* A finger that the customizer knows nothing of but its inertia, under a load that grows slowly:
 * the largest that it bears, N m. Where it is thrown about, that is nothing. */
static double finger_bears(const customizer *c, double inertia, double timestep) {
    fake_body body = wrist_body();
    customizer_handle handle = c->interface->create(&body, "Wrist");
    double load = 0;
    /* it breaks away; under a load that is not seen a light joint yields before that, slowly */
    while (fabs(body.dq[1]) < 0.05 && load < 5) {
        load += 1e-4;
        body.u[1] = 0; /* a controller; the load is gravity's or a contact's */
        step(c, handle, timestep);
        body.dq[1] += timestep / inertia * (load + body.u[1]);
        body.q[1] += timestep * body.dq[1];
    }
    c->interface->destroy(handle);
    return load;
}

#define FINGER(coupling, inertia)                                                                  \
    "stiction: 1\nmodels: [Wrist]\n" coupling "joints:\n  RWRR: { " WRIST_KEYS inertia " }\n"

TEST(light_joint_holds_where_its_inertia_is_known) {
    static const struct {
        double inertia, timestep;
        const char *yaml;
    } cases[] = {{1e-3, 0.001, FINGER("", ", inertia: 0.001")},
                 {1e-3, 0.005, FINGER("coupling: implicit\n", ", inertia: 0.001")},
                 {1e-3, 0.01, FINGER("", ", inertia: 0.001")},
                 {1e-4, 0.005, FINGER("coupling: implicit\n", ", inertia: 0.0001")},
                 {0.1, 0.001, FINGER("", ", inertia: 0.1")}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const customizer c = begin("wrist.yaml", cases[k].yaml);
        const double bears = finger_bears(&c, cases[k].inertia, cases[k].timestep);
        printf("%g kg m^2 at %g s bears %.4f N m\n", cases[k].inertia, cases[k].timestep, bears);
        CHECK_NEAR(bears, 2.5, 0.01);
        CHECK(said()[0] == '\0');
        end(&c, NULL);
    }
}

TEST(coupling_that_lacks_an_inertia_is_reported_and_explicit) {
    const customizer c = begin("wrist.yaml", FINGER("coupling: implicit\n", ""));
    CHECK(finger_bears(&c, 1e-3, 0.005) < 1); /* it flies off */
    const char *text = said();
    CHECK_CONTAINS(text, "Wrist: joint 'RWRR': a customizer sees one joint at a time and needs its "
                         "'inertia:'");
    CHECK_CONTAINS(text, "coupling is explicit");
    end(&c, NULL);
}

/* Position and commanded torque are known; F_C' = (1 + r cos(n q)) F_C + mu |u| of a steady slide.
 */
TEST(ripple_and_load_of_the_motor_are_those_of_position_and_command) {
    const customizer c =
        begin("wrist.yaml", "stiction: 1\nmodels: [Wrist]\njoints:\n  RWRR: { law: coulomb,"
                            " coulomb_torque: 0.5, viscous: 1, ripple: 0.4, ripple_count: 2,"
                            " load_motor: 0.1, stiffness: 5000, damping: 50 }\n");
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.dq[1] = 0.3;
    for (int k = 0; k < 4000; k++) {
        body.u[1] = 5;
        move(&c, handle, &body);
        const double expected = (1 + 0.4 * cos(2 * body.q[1])) * 0.5 + 0.1 * 5 + 0.3;
        if (k > 500) CHECK_NEAR(body.u[1], 5 - expected, 1e-3);
    }
    CHECK(said()[0] == '\0');
    end(&c, handle);
}

TEST(external_load_is_refused_once_and_gives_no_friction) {
    static const char *const keys[] = {"load_external: 0.1", "load_external_static: 0.1"};
    for (int k = 0; k < 2; k++) {
        set_up();
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "stiction: 1\nmodels: [Wrist]\njoints:\n"
                       "  RWRR: { " WRIST_KEYS ", load_limit: 5, %s }\n",
                       keys[k]);
        const customizer c = load(write_file("wrist.yaml", text));
        fake_body body = wrist_body();
        customizer_handle handle = c.interface->create(&body, "Wrist");
        body.dq[1] = 0.3;
        body.u[1] = 2;
        step(&c, handle, T);
        CHECK_CONTAINS(said(), "Wrist: joint 'RWRR' has load_external or load_external_static, and "
                               "a customizer does not know the external torque: use the "
                               "StictionItem");
        for (int n = 0; n < 10; n++) step(&c, handle, T);
        CHECK(said()[0] == '\0');
        CHECK_SAME(body.u[1], 2);
        end(&c, handle);
    }
}

TEST(time_step_of_zero_is_the_configurations) {
    set_up();
    char text[1024];
    (void)snprintf(text, sizeof text, "%stimestep: 0.001\n", wrist_yaml);
    const customizer c = load(write_file("timed.yaml", text));
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.dq[1] = 0.3;
    step(&c, handle, 0);
    CHECK_SAME(body.u[1], -library_friction(0.3, 1));
    body.u[1] = 0;
    body.q[1] += T * body.dq[1];
    c.interface->set_virtual_joint_forces(handle); /* as Choreonoid 1.7 calls it */
    CHECK_SAME(body.u[1], -library_friction(0.3, 2));
    end(&c, handle);
}

TEST(time_step_that_is_unknown_is_reported_once_and_gives_no_friction) {
    const customizer c = begin("wrist.yaml", wrist_yaml);
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.dq[1] = 0.3;
    body.u[1] = 2;
    step(&c, handle, 0);
    CHECK_CONTAINS(said(), "Wrist: this simulator does not give its time step");
    for (int k = 0; k < 10; k++) step(&c, handle, 0);
    CHECK(said()[0] == '\0');
    CHECK_SAME(body.u[1], 2);
    end(&c, handle);
}

TEST(clones_start_fresh_and_bodies_of_one_model_are_apart) {
    const customizer c = begin("wrist.yaml", wrist_yaml);
    fake_body loaded = wrist_body(), clone = wrist_body(), other = wrist_body();
    customizer_handle handles[3] = {c.interface->create(&loaded, "Wrist"),
                                    c.interface->create(&clone, "Wrist"), NULL};
    clone.dq[1] = 0.01;
    for (int k = 0; k < 20; k++) move(&c, handles[1], &clone);
    handles[2] = c.interface->create(&other, "Wrist");
    other.dq[1] = 0.01;
    step(&c, handles[2], T);
    CHECK_SAME(other.u[1], -library_friction(0.01, 1)); /* no memory of the other run */
    CHECK_SAME(clone.u[1], -library_friction(0.01, 20));
    CHECK_SAME(loaded.u[1], 0);
    for (int k = 0; k < 3; k++) c.interface->destroy(handles[k]);
    end(&c, NULL);
}

TEST(two_models_have_their_own_files) {
    set_up();
    char list[300];
    const char *first = write_file("wrist.yaml", wrist_yaml);
    const char *second =
        write_file("arm.yaml", "stiction: 1\nmodels: [Arm, Leg]\njoints:\n  J1: { law: coulomb, "
                               "coulomb_torque: 3, stiffness: 1000, damping: 10 }\n");
    (void)snprintf(list, sizeof list, "%s:%s", first, second);
    const customizer c = load(list);
    const char **names = c.interface->target_model_names();
    CHECK(strcmp(names[0], "Wrist") == 0 && strcmp(names[1], "Arm") == 0 &&
          strcmp(names[2], "Leg") == 0 && names[3] == NULL);
    fake_body wrist = wrist_body(), arm = {.count = 2, .names = {"BASE", "J1"}};
    customizer_handle a = c.interface->create(&wrist, "Wrist");
    customizer_handle b = c.interface->create(&arm, "Arm");
    wrist.dq[1] = arm.dq[1] = 1;
    step(&c, a, T);
    step(&c, b, T);
    CHECK_SAME(wrist.u[1], -library_friction(1, 1));
    CHECK_NEAR(arm.u[1], -3, 1e-15);
    c.interface->destroy(a);
    c.interface->destroy(b);

    /* one model in two files: the first counts, and it is said */
    dlclose(c.library);
    (void)snprintf(list, sizeof list, "%s:%s", first,
                   write_file("again.yaml", "stiction: 1\nmodels: [Wrist]\njoints: {}\n"));
    const customizer d = load(list);
    CHECK_CONTAINS(said(), "model 'Wrist' is in an earlier file already");
    dlclose(d.library);
    tear_down();
}

TEST(patterns_find_joints_of_a_body_that_cannot_be_counted) {
    const customizer c =
        begin("patterns.yaml", "stiction: 1\nmodels: [Robot]\njoints:\n  \"?WR[PY]\": " WRIST_LAW
                               "\n  \"R*R\": " WRIST_LAW "\n");
    fake_body body = {.count = 5, .names = {"BASE", "RWRR", "RWRP", "LWRY", "TIP"}};
    customizer_handle handle = c.interface->create(&body, "Robot");
    for (int k = 0; k < 5; k++) body.dq[k] = 0.3;
    step(&c, handle, T);
    const double friction = -library_friction(0.3, 1);
    CHECK_SAME(body.u[0], 0);
    CHECK_SAME(body.u[1], friction); /* R*R, since LWRY behind it was found by spelling */
    CHECK_SAME(body.u[2], friction);
    CHECK_SAME(body.u[3], friction);
    CHECK_SAME(body.u[4], 0);
    end(&c, handle);
}

TEST(joint_that_the_body_lacks_is_named_with_its_place) {
    const customizer c =
        begin("wrong.yaml", "stiction: 1\nmodels: [Wrist]\njoints:\n  RWRR: " WRIST_LAW
                            "\n  RWRX: " WRIST_LAW "\n");
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.dq[1] = 0.3;
    step(&c, handle, T);
    const char *text = said();
    CHECK_CONTAINS(text, "wrong.yaml:5:3: joint 'RWRX': the robot has no such joint");
    CHECK_CONTAINS(text, "the nearest is 'RWRR'");
    CHECK_SAME(body.u[1], 0);
    end(&c, handle);
}

TEST(names_of_models_and_joints_are_shown_escaped) {
    set_up();
    const char *text =
        "stiction: 1\nmodels: [\"W\\e[2Jx\\u202E\"]\njoints:\n  RWRR: " WRIST_LAW "\n";
    char list[300];
    (void)snprintf(list, sizeof list, "%s:%s", write_file("one.yaml", text),
                   write_file("two.yaml", text));
    const customizer c = load(list);
    CHECK_CONTAINS(said(), "two.yaml: model 'W\\x1b[2Jx\\u202e' is in an earlier file already");
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "W\x1b[2Jx\xE2\x80\xAE");
    CHECK(handle != NULL);
    step(&c, handle, 0); /* which nobody tells */
    const char *sentence = said();
    CHECK_CONTAINS(sentence, "stiction: W\\x1b[2Jx\\u202e: this simulator does not give");
    CHECK(!strchr(sentence, '\x1b') && !strstr(sentence, "\xE2\x80\xAE"));
    end(&c, handle);
}

TEST(bad_configuration_is_reported_and_the_simulation_goes_on) {
    set_up();
    char list[300];
    const char *bad = write_file("bad.yaml", "stiction: 1\nmodels: [Wrist]\njoints:\n  RWRR:\n"
                                             "    law: stribeck\n    static_torque: -1\n");
    const char *good = write_file("good.yaml", "stiction: 1\nmodels: [Good]\njoints:\n"
                                               "  RWRR: " WRIST_LAW "\n");
    (void)snprintf(list, sizeof list, "%s:%s:%s", bad, in_folder("missing.yaml"), good);
    const customizer c = load(list);
    const char *text = said();
    CHECK_CONTAINS(text, "bad.yaml:6:20: joint 'RWRR': static_torque -1 must be above 0");
    CHECK_CONTAINS(text, "missing.yaml");
    const char **names = c.interface->target_model_names();
    CHECK(strcmp(names[0], "Good") == 0 && names[1] == NULL);
    fake_body body = wrist_body();
    CHECK(c.interface->create(&body, "Wrist") == NULL);
    customizer_handle handle = c.interface->create(&body, "Good");
    CHECK(handle != NULL);
    end(&c, handle);
}

TEST(velocity_that_is_not_finite_leaves_the_command) {
    const customizer c = begin("wrist.yaml", wrist_yaml);
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.u[1] = 4;
    body.dq[1] = (double)NAN;
    step(&c, handle, T);
    CHECK_SAME(body.u[1], 4);
    CHECK_CONTAINS(said(), "joint 'RWRR': velocity nan");
    end(&c, handle);
}

TEST(time_step_that_is_illegal_is_reported_and_gives_no_friction) {
    const customizer c =
        begin("soft.yaml", "stiction: 1\nmodels: [Wrist]\njoints:\n  RWRR: { law: stribeck, "
                           "static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06,"
                           " viscous: 4.5, stiffness: 5000, damping: 20 }\n");
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.dq[1] = 0.3;
    for (int k = 0; k < 5; k++) step(&c, handle, T);
    CHECK_SAME(body.u[1], 0);
    /* the place of the damping that is too small */
    CHECK_CONTAINS(said(), "soft.yaml:4:132: joint 'RWRR': at time step 0.001 s");
    end(&c, handle);
}

TEST(files_beside_the_shared_object_are_read) {
    set_up();
    char command[400];
    CHECK(mkdir(in_folder("stiction"), 0700) == 0);
    (void)write_file("stiction/wrist.yaml", wrist_yaml);
    (void)write_file("stiction/notes.txt", "not a configuration");
    (void)snprintf(command, sizeof command, "cp '%s' '%s/StictionCustomizer.so'", CUSTOMIZER,
                   folder);
    CHECK(system(command) == 0);
    const customizer c = load_from(in_folder("StictionCustomizer.so"));
    const char **names = c.interface->target_model_names();
    CHECK(names[0] && strcmp(names[0], "Wrist") == 0 && names[1] == NULL);
    CHECK(said()[0] == '\0');
    end(&c, NULL);
}

TEST(nothing_is_said_where_nobody_configured_anything) {
    set_up();
    const customizer c = load_from(CUSTOMIZER);
    CHECK(c.interface->target_model_names()[0] == NULL);
    CHECK(said()[0] == '\0');
    end(&c, NULL);
}

TEST(a_path_that_is_too_long_and_a_file_without_models_are_reported) {
    set_up();
    static char list[6000];
    memset(list, 'x', 5000);
    (void)snprintf(list + 5000, sizeof list - 5000, ":%s",
                   write_file("nobody.yaml", "stiction: 1\njoints: { A: { law: none } }\n"));
    const customizer c = load(list);
    const char *text = said();
    CHECK_CONTAINS(text, "a path of 5000 bytes is too long; it is not used");
    CHECK_CONTAINS(text, "nobody.yaml: it names no models, so no body gets its friction");
    end(&c, NULL);
}

TEST(velocity_that_the_simulator_does_not_give_comes_from_positions) {
    const customizer c = begin("wrist.yaml", wrist_yaml);
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    for (int k = 0; k < 2000; k++) {
        body.q[1] += 0.3 * T;
        body.u[1] = 10;
        step(&c, handle, T);
    }
    /* after two thousand steps the first three are forgotten */
    CHECK_NEAR(body.u[1], 10 - library_friction(0.3, 2000), 1e-9);
    const char *text = said();
    CHECK_CONTAINS(
        text, "stiction: Wrist: for joint 'RWRR' this simulator gives no velocity, while it moves");
    CHECK(strchr(text, '\n') == strrchr(text, '\n')); /* once */
    end(&c, handle);
}

TEST(velocity_that_contradicts_the_motion_is_reported_once_and_not_taken) {
    const customizer c = begin("wrist.yaml", wrist_yaml);
    fake_body body = wrist_body();
    customizer_handle handle = c.interface->create(&body, "Wrist");
    body.dq[1] = 0.01; /* of long ago */
    for (int k = 0; k < 2000; k++) {
        body.q[1] += 0.3 * T;
        body.u[1] = 10;
        step(&c, handle, T);
    }
    CHECK_NEAR(body.u[1], 10 - library_friction(0.3, 2000), 1e-9);
    const char *text = said();
    CHECK_CONTAINS(text, "gives a velocity that is not that of its motion");
    CHECK(strchr(text, '\n') == strrchr(text, '\n'));
    end(&c, handle);
}

TEST(twenty_starts_and_stops_and_reloads) {
    set_up();
    const char *path = write_file("wrist.yaml", wrist_yaml);
    for (int reload = 0; reload < 3; reload++) {
        const customizer c = load(path);
        fake_body body = wrist_body();
        customizer_handle original = c.interface->create(&body, "Wrist");
        for (int start = 0; start < 20; start++) {
            fake_body clone = wrist_body();
            customizer_handle handle = c.interface->create(&clone, "Wrist");
            clone.dq[1] = 0.3;
            for (int k = 0; k < 10; k++) move(&c, handle, &clone);
            CHECK_SAME(clone.u[1], -library_friction(0.3, 10));
            c.interface->destroy(handle);
        }
        c.interface->destroy(original);
        dlclose(c.library);
    }
    tear_down();
}
