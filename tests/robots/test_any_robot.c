/* SPDX-License-Identifier: MIT
 * Any robot in a world: URDF and MJCF become the same links as a .body, with the same motion as the
 * original; floors, bases and starts; what cannot be carried over is a sentence.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "robots/robot_bodies.h"
#include "stability/inertia.h"
#include "worlds.h"

static world *load_robot(const char *path) {
    return load_file(path, world_options_default());
}

static const char *refusal(const char *path) {
    static char line[2048];
    stiction_error error;
    world *w = world_load(path, NULL, &error);
    if (w) {
        FAIL("%s was read", path);
        world_destroy(w);
        return "";
    }
    (void)stiction_error_format(&error, line, sizeof line);
    return without_folder(line);
}

static void check_refusal(const char *name, const char *text, const char *expected) {
    const char *said = refusal(temporary_file(name, text));
    if (strcmp(said, expected) != 0) FAIL("said:     %s\nexpected: %s", said, expected);
}

/* ---- the same robot in three formats ---- */

/* All joints move; the same torques on both for half a second. */
static void check_same_motion(const char *first, const char *second, double tolerance) {
    world_options options = world_options_default();
    options.timestep = 0.001;
    for (int k = 0; k < 3; k++) options.gravity[k] = k == 2 ? -9.8 : 0;
    world *a = load_file(first, options), *b = load_file(second, options);
    CHECK(a->joint_count == b->joint_count && a->model->nv == b->model->nv);
    mjData *x = start(a), *y = start(b);
    double M[2][64], difference = 0;
    for (int k = 0; k < 500; k++) {
        for (size_t j = 0; j < a->joint_count; j++) {
            CHECK(strcmp(a->joints[j].name, b->joints[j].name) == 0);
            const double torque = 0.5 * sin(0.01 * k + (double)j);
            x->qfrc_applied[a->joints[j].velocity] = torque;
            y->qfrc_applied[b->joints[j].velocity] = torque;
        }
        mj_step1(a->model, x);
        mj_step1(b->model, y);
        mj_fullM(a->model, M[0], x->qM);
        mj_fullM(b->model, M[1], y->qM);
        for (size_t j = 0; j < a->joint_count; j++) {
            const int u = a->joints[j].velocity, v = b->joints[j].velocity;
            difference = fmax(difference, fabs(x->qfrc_bias[u] - y->qfrc_bias[v]));
            difference = fmax(
                difference, fabs(x->qpos[a->joints[j].position] - y->qpos[b->joints[j].position]));
            for (size_t i = 0; i < a->joint_count; i++)
                difference = fmax(difference, fabs(M[0][u * a->model->nv + a->joints[i].velocity] -
                                                   M[1][v * b->model->nv + b->joints[i].velocity]));
        }
        mj_step2(a->model, x);
        mj_step2(b->model, y);
    }
    CHECK(fabs(x->qpos[a->joints[0].position]) > 0.01);
    printf("%s and %s: %.1e\n", first, second, difference);
    CHECK(difference < tolerance);
    end_world(a, x);
    end_world(b, y);
}

TEST(an_arm_moves_alike_in_all_three_formats) {
    check_same_motion("robots/arm.body", "robots/arm.urdf", 1e-11);
    /* MJCF has its inertias from MuJoCo's compiler */
    check_same_motion("robots/arm.body", "robots/arm.xml", 1e-11);
    check_same_motion("robots/floater.urdf", "robots/floater.xml", 1e-12);
}

TEST(joints_of_a_urdf_come_in_the_order_of_its_file) {
    static const char text[] =
        "<robot name='r'>\n<link name='world'/>\n"
        "<link name='A'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
        "ixz='0' iyz='0'/></inertial></link>\n"
        "<link name='B'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
        "ixz='0' iyz='0'/></inertial></link>\n"
        "<joint name='second' type='continuous'><parent link='A'/><child link='B'/></joint>\n"
        "<joint name='first' type='revolute'><parent link='world'/><child link='A'/>"
        "<limit lower='0.5' upper='2' effort='7' velocity='3'/></joint>\n</robot>\n";
    world *w = load_robot(temporary_file("order.urdf", text));
    CHECK(w->joint_count == 2 && strcmp(w->joints[0].name, "second") == 0);
    CHECK_SAME(w->joints[1].torque_limit, 7);
    CHECK_SAME(w->joints[1].velocity_limit, 3);
    /* 0 is outside of its range */
    CHECK_CONTAINS(warnings,
                   "joint 'first' starts at 0.5, the end of its range, since 0 is outside");
    mjData *d = start(w);
    CHECK_SAME(d->qpos[w->joints[1].position], 0.5);
    CHECK_SAME(w->model->opt.timestep, 0.001);
    CHECK_SAME(w->duration, 10);
    CHECK_SAME(w->model->opt.gravity[2], -9.80665);
    CHECK(strcmp(w->bodies[0].model_name, "r") == 0 && strcmp(w->bodies[0].name, "order") == 0);
    end_world(w, d);
}

/* ---- MJCF against MuJoCo ---- */

/* Names of joints agree; a joint without one comes at the place of its body. */
static double difference_to_original(const char *path, double seconds) {
    char error[500];
    mjModel *original = mj_loadXML(path, NULL, error, sizeof error);
    CHECK(original);
    world *w = load_robot(path);
    CHECK_SAME(w->model->opt.timestep, original->opt.timestep);
    mjData *x = mj_makeData(original), *y = start(w);
    double difference = 0, motion = 0;
    for (double t = 0; t < seconds; t += original->opt.timestep) {
        mj_step(original, x);
        mj_step(w->model, y);
        for (size_t k = 0; k < w->joint_count; k++) {
            const int id = mj_name2id(original, mjOBJ_JOINT, w->joints[k].name);
            CHECK(id >= 0);
            const double q = x->qpos[original->jnt_qposadr[id]];
            difference = fmax(difference, fabs(q - y->qpos[w->joints[k].position]));
            motion = fmax(motion, fabs(q - original->qpos0[original->jnt_qposadr[id]]));
        }
    }
    /* what is free */
    for (size_t k = 0; k < w->body_count; k++) {
        const char *name = strrchr(mj_id2name(w->model, mjOBJ_BODY, w->bodies[k].root), '/');
        const int id = name ? mj_name2id(original, mjOBJ_BODY, name + 1) : -1;
        for (int i = 0; id > 0 && i < 3; i++)
            difference = fmax(difference, fabs(x->xpos[3 * id + i] - root_of(w, y, k)[i]));
    }
    printf("%s: moves by %.2g, differs by %.1e\n", path, motion, difference);
    CHECK(motion > 0.1);
    mj_deleteData(x);
    mj_deleteData(y);
    mj_deleteModel(original);
    world_destroy(w);
    return difference;
}

/* Blanks what begins with a text, to another; so often as it is there. */
static void blank(char *text, const char *from, const char *to) {
    for (char *at = text; (at = strstr(at, from)) != NULL;) {
        char *end = strstr(at + strlen(from), to);
        if (!end) return;
        memset(at, ' ', (size_t)(end - at) + strlen(to));
    }
}

TEST(mjcf_moves_as_mujoco_moves_it) {
    static char text[10000];
    FILE *in = fopen("robots/linkage.xml", "r");
    CHECK(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    (void)fclose(in);
    /* how soft constraints are depends on inertias where MuJoCo's joints are at their references,
     * which are all 0 here */
    CHECK(difference_to_original("robots/linkage.xml", 1) < 1e-3);
    char *other = strdup(text);
    blank(other, "<equality>", "</equality>");
    blank(other, "range=\"", "\"");
    CHECK(difference_to_original(temporary_file("loose.xml", other), 1) < 1e-10);
    blank(text, " ref=\"", "\"");
    CHECK(difference_to_original(temporary_file("straight.xml", text), 1) < 1e-10);
    free(other);
}

TEST(a_ball_joint_moves_as_mujoco_moves_it) {
    static const char text[] =
        "<mujoco><worldbody><body name='A' pos='0 0 1'><joint name='a' axis='0 1 0'/>"
        "<geom size='0.1 0.3' type='capsule' euler='0 90 0' pos='0.3 0 0'/>\n"
        "<body name='B' pos='0.6 0 0'><joint type='ball' armature='0.01' stiffness='0.2'/>"
        "<geom size='0.1 0.2' type='capsule' pos='0.1 0.1 0.2' mass='2'/>"
        "<body name='C' pos='0.2 0.2 0.2'><joint name='c' axis='1 0 0'/>"
        "<geom size='0.1' pos='0 0.3 0'/></body></body></body></worldbody></mujoco>";
    CHECK(difference_to_original(temporary_file("ball.xml", text), 1) < 1e-10);
}

/* One robot, told in two ways, the first of which may be MJCF that this MuJoCo does not read. */
static void check_same_robot(const char *text, const char *plain) {
    world *a = load_robot(temporary_file("same.xml", text));
    world *b = load_robot(temporary_file("same.xml", plain));
    mjData *x = start(a), *y = start(b);
    double difference = 0, motion = 0;
    CHECK(a->model->nq == b->model->nq && a->model->ngeom == b->model->ngeom);
    for (int k = 0; k < 500; k++) {
        mj_step(a->model, x);
        mj_step(b->model, y);
        for (int i = 0; i < a->model->nq; i++) {
            difference = fmax(difference, fabs(x->qpos[i] - y->qpos[i]));
            motion = fmax(motion, fabs(x->qpos[i] - a->model->key_qpos[i]));
        }
    }
    for (int k = 0; k < a->model->ngeom; k++)
        for (int i = 0; i < 3; i++)
            difference = fmax(difference, fabs(x->geom_xpos[3 * k + i] - y->geom_xpos[3 * k + i]));
    CHECK(motion > 0.1);
    if (!(difference < 1e-9)) FAIL("differ by %g:\n%s\n%s", difference, text, plain);
    mj_deleteData(x);
    mj_deleteData(y);
    world_destroy(a);
    world_destroy(b);
}

#define NEW_ARM                                                                                    \
    "<body name='A' pos='0 0 1'><inertial mass='1' pos='0.2 0 0' diaginertia='1 2 2'/>"            \
    "<joint name='a' axis='0 1 0'/>"

TEST(frames_and_copies_of_mjcf_are_expanded) {
    check_same_robot(
        "<mujoco><compiler eulerseq='XYZ'/>\n<default><default class='c'><geom size='0.1'/>"
        "<joint axis='1 0 0' armature='0.1'/></default></default><worldbody>\n"
        "<frame pos='1 2 3' euler='90 0 90'><frame axisangle='0 0 1 45' childclass='c'>"
        "<body name='A' pos='1 0 0' xyaxes='0 1 0 -1 0 0'>"
        "<frame zaxis='1 0 0' pos='0 0.1 0'><joint name='a' pos='0.1 0 0'/>"
        "<geom pos='0.5 0 0'/></frame>"
        "<frame pos='0 0.2 0' quat='0 1 0 0'><geom type='capsule' fromto='0 0 0 0.3 0 0'/></frame>"
        "</body></frame></frame></worldbody></mujoco>",
        "<mujoco><worldbody><body pos='1 2 3' quat='0.5 0.5 0.5 0.5'><body euler='0 0 45'>"
        "<body name='A' pos='1 0 0' euler='0 0 90'>"
        "<joint name='a' axis='0 0 -1' pos='0 0.1 -0.1' armature='0.1'/>"
        "<geom pos='0 0.1 -0.5' size='0.1'/>"
        "<geom type='capsule' size='0.1' fromto='0 0.2 0 0.3 0.2 0'/>"
        "</body></body></body></worldbody></mujoco>");
    check_same_robot("<mujoco><worldbody>" NEW_ARM
                     "<replicate count='3' offset='0 0.3 0' euler='0 0 30' sep='_'>"
                     "<body name='F' pos='1 0 0'><joint name='f' axis='0 1 0'/>"
                     "<geom size='0.1' pos='0.1 0 0'/></body></replicate></body>"
                     "</worldbody></mujoco>",
                     "<mujoco><worldbody>" NEW_ARM
                     "<body name='F_0' pos='1 0 0'><joint name='f_0' axis='0 1 0'/>"
                     "<geom size='0.1' pos='0.1 0 0'/></body>"
                     "<body pos='0 0.3 0' euler='0 0 30'>"
                     "<body name='F_1' pos='1 0 0'><joint name='f_1' axis='0 1 0'/>"
                     "<geom size='0.1' pos='0.1 0 0'/></body></body>"
                     "<body pos='-0.15 0.55980762113533160 0' euler='0 0 60'>"
                     "<body name='F_2' pos='1 0 0'><joint name='f_2' axis='0 1 0'/>"
                     "<geom size='0.1' pos='0.1 0 0'/></body></body></body>"
                     "</worldbody></mujoco>");
}

TEST(what_a_run_does_not_use_of_mjcf_is_left_out_and_listed) {
    static const char new[] =
        "<mujoco><option integrator='implicitfast' ls_iterations='4'><flag eulerdamp='disable'/>"
        "</option><extension/>\n<asset><mesh name='seen' file='none.obj'/>"
        "<material name='m' metallic='1'/></asset><worldbody>" NEW_ARM
        "<geom type='mesh' mesh='seen' contype='0' conaffinity='0' material='m'/>"
        "<camera resolution='3 4'/><geom size='0.1' pos='2 0 0' contype='1'/></body></worldbody>\n"
        "<actuator><position joint='a' dampratio='1' kv='3'/></actuator><sensor><gyro site='x'/>"
        "</sensor><keyframe><key qpos='1 2 3 4'/></keyframe></mujoco>";
    check_same_robot(new, "<mujoco><worldbody>" NEW_ARM
                          "<geom size='0.1' pos='2 0 0'/></body></worldbody></mujoco>");
    world_destroy(load_robot(temporary_file("same.xml", new)));
    CHECK_CONTAINS(warnings, "same.xml: not used in a run: option integrator, option "
                             "ls_iterations, flag eulerdamp, extension, material metallic, camera, "
                             "actuator, sensor, keyframe, 1 visual geom");
    /* but its mass would be, and a limit */
    check_refusal("a.xml",
                  "<mujoco><asset>\n<mesh name='seen' file='/none.obj'/></asset><worldbody>"
                  "<body name='A'><joint name='a'/><geom type='mesh' mesh='seen' contype='0' "
                  "conaffinity='0'/></body></worldbody></mujoco>",
                  MUJOCO_IS_3
                      ? "a.xml:2:1: MuJoCo: Error: Error opening file '/none.obj': No such file or "
                        "directory (seen)"
                      : "a.xml:2:1: MuJoCo: Error: could not parse OBJ file '/none.obj': Cannot "
                        "open file [/none.obj] (seen)");
    check_same_robot("<mujoco><worldbody><body name='A'><joint name='a' axis='0 1 0' "
                     "range='-30 30'/><geom size='0.1' pos='1 0 0'/></body></worldbody></mujoco>",
                     "<mujoco><worldbody><body name='A'><joint name='a' axis='0 1 0' "
                     "limited='true' range='-30 30'/><geom size='0.1' pos='1 0 0'/></body>"
                     "</worldbody></mujoco>");
}

TEST(equalities_between_sites_and_contact_pairs_of_mjcf_act) {
#define TWO_ARMS                                                                                   \
    "<body name='A' pos='0 0 1'><joint name='a' axis='0 1 0'/>"                                    \
    "<geom name='g' size='0.1' pos='1 0 0' contype='0' conaffinity='0' mass='1'/>"                 \
    "<site name='s' pos='1 0 0' euler='0 0 90'/></body>"                                           \
    "<body name='B' pos='2 0 1'><joint name='b' axis='0 1 0'/><joint name='c' axis='1 0 0'/>"      \
    "<geom name='h' size='0.1' pos='-1 0.3 0' contype='0' conaffinity='0' mass='2'/>"              \
    "<site name='o' pos='-1 0 0' euler='0 0 90'/></body>"
    check_same_robot("<mujoco><worldbody>" TWO_ARMS "</worldbody><equality>"
                     "<connect site1='s' site2='o'/></equality></mujoco>",
                     "<mujoco><worldbody>" TWO_ARMS "</worldbody><equality>"
                     "<connect body1='A' body2='B' anchor='1 0 0'/></equality></mujoco>");
    check_same_robot("<mujoco><worldbody>" TWO_ARMS "</worldbody><equality>"
                     "<weld site1='s' site2='o' active='false'/></equality></mujoco>",
                     "<mujoco><worldbody>" TWO_ARMS "</worldbody></mujoco>");
    world *w = load_robot(
        temporary_file("pair.xml", "<mujoco><worldbody>" TWO_ARMS
                                   "<geom name='f' type='plane' size='1 1 1'/></worldbody>"
                                   "<contact><pair geom1='f' geom2='h'/></contact></mujoco>"));
    mjData *d = start(w);
    bool touched = false;
    double depth = 0;
    for (int k = 0; k < 1000; k++) {
        mj_step(w->model, d);
        for (int i = 0; i < d->ncon; i++) {
            touched = true;
            depth = fmin(depth, d->contact[i].dist);
            CHECK(w->model->body_mass[w->model->geom_bodyid[d->contact[i].geom2]] > 1.5);
        }
    }
    CHECK(touched && depth > -0.01);
    end_world(w, d);
    CHECK_CONTAINS(warnings, "of contact pairs only which geoms touch is taken over");
}

TEST(a_robot_of_mjcf_that_nothing_carries_is_reported) {
    world_options options = world_options_default();
    options.floor = true;
    world_destroy(load_file(temporary_file("ghost.xml",
                                           "<mujoco><worldbody><body pos='0 0 1'><freejoint/>"
                                           "<geom size='0.1' contype='0' conaffinity='0'/></body>"
                                           "</worldbody></mujoco>"),
                            options));
    CHECK_CONTAINS(warnings, "'ghost' has no shapes that could touch the floor");
}

TEST(what_an_mjcf_file_holds_beside_the_robot_comes_along) {
    static const char text[] =
        "<mujoco model='Scene'>\n<worldbody>\n"
        "<geom type='plane' size='0 0 1'/>\n"
        "<body name='table' pos='2 0 0.2'><geom type='box' size='0.3 0.3 0.2'/></body>\n"
        "<body name='ball' pos='2 0 0.6'><freejoint/><geom size='0.1'/></body>\n"
        "<body name='box' pos='0 0 0.5'>\n<freejoint/>\n<geom type='box' size='0.1 0.1 0.1'/>\n"
        "<body name='lid' pos='0 0 0.1'><joint name='hinge' axis='0 1 0' pos='-0.1 0 0'/>\n"
        "<geom type='box' size='0.1 0.1 0.02' contype='0' conaffinity='0'/></body>\n</body>\n"
        "</worldbody>\n</mujoco>\n";
    world *w = load_robot(temporary_file("scene.xml", text));
    CHECK(w->body_count == 3 && w->joint_count == 1);
    CHECK(strcmp(w->bodies[0].model_name, "Scene") == 0);
    mjData *d = start(w);
    CHECK_SAME(root_of(w, d, 0)[2], 0.5);
    run(w, d, 2);
    CHECK_NEAR(root_of(w, d, 0)[2], 0.1, 1e-3);
    CHECK_NEAR(root_of(w, d, 1)[2], 0.5, 1e-3); /* the ball lies on the table */
    end_world(w, d);
}

TEST(excluded_pairs_do_not_touch) {
    static const char text[] =
        "<mujoco><worldbody><body name='A'><geom size='0.1'/>\n"
        "<body name='B' pos='0.3 0 0'><joint name='i' axis='0 1 0'/><geom size='0.1'/>\n"
        "<body name='C' pos='-0.2 0 0'><joint name='j' axis='0 1 0'/><geom size='0.11'/></body>"
        "</body></body></worldbody><contact>%s</contact></mujoco>\n";
    for (int excluded = 0; excluded < 2; excluded++) {
        char all[1000];
        (void)snprintf(all, sizeof all, text, excluded ? "<exclude body1='A' body2='C'/>" : "");
        world *w = load_robot(temporary_file("pair.xml", all));
        mjData *d = start(w);
        CHECK(d->ncon == !excluded); /* A and C, which are not parent and child */
        end_world(w, d);
    }
}

TEST(a_fixed_base_does_not_fall_and_its_neighbours_do_not_collide_with_it) {
    static const char text[] =
        "<mujoco><worldbody><body name='A' pos='0 0 1'><freejoint/><geom size='0.1'/>\n"
        "<body name='B' pos='0.05 0 0'><joint name='i' axis='0 1 0'/><joint name='j' axis='1 0 0'/>"
        "<geom size='0.1' pos='0 0 -0.02'/></body></body></worldbody></mujoco>\n";
    for (int fixed = 0; fixed < 2; fixed++) {
        world_options options = world_options_default();
        options.base = fixed ? ROBOT_BASE_FIXED : ROBOT_BASE_FREE;
        world *w = load_file(temporary_file("near.xml", text), options);
        mjData *d = start(w);
        CHECK(d->ncon == 0 && w->joint_count == 2);
        run(w, d, 0.3);
        CHECK(d->ncon == 0);
        CHECK(fixed == (root_of(w, d, 0)[2] == 1));
        end_world(w, d);
    }
}

/* ---- floors ---- */

#define INERTIAL                                                                                   \
    "<inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "        \
    "iyz='0'/></inertial>"

/* Two boxes; the lower one hangs at 0.3 below the upper, turned by 90 degrees about y. */
static const char legged[] =
    "<robot name='legged'><link name='trunk'>" INERTIAL
    "<collision><geometry><box size='0.4 0.4 0.1'/></geometry></collision></link>\n"
    "<link name='leg'>" INERTIAL "<collision><origin rpy='0 1.5707963267948966 0' xyz='0 0 -0.1'/>"
    "<geometry><box size='0.2 0.3 0.3'/></geometry></collision></link>\n"
    "<joint name='hip' type='prismatic'><origin xyz='0 0 -0.3'/><axis xyz='0 0 1'/>"
    "<parent link='trunk'/><child link='leg'/>"
    "<limit lower='-0.01' upper='0.01' effort='100' velocity='1'/></joint></robot>\n";

TEST(a_robot_that_floats_starts_on_the_floor_that_it_is_given) {
    world_options options = world_options_default();
    options.floor = true;
    world *w = load_file(temporary_file("legged.urdf", legged), options);
    mjData *d = start(w);
    /* 0.3 down to the leg, 0.1 to its box, 0.1 to the end of that */
    CHECK_NEAR(root_of(w, d, 0)[2], 0.5 - 1e-5, 1e-12);
    run(w, d, 1);
    CHECK_NEAR(root_of(w, d, 0)[2], 0.49, 1e-3); /* the hip gives in to its limit */
    CHECK(d->ncon >= 4);
    end_world(w, d);
    options.base = ROBOT_BASE_FIXED;
    stiction_error error; /* its leg is below the floor */
    CHECK(!world_load(temporary_file("legged.urdf", legged), &options, &error));
    CHECK_CONTAINS(error.message, "'legged/leg' and 'Floor/FLOOR' overlap by 0.5 m at the start");
    options.floor = false;
    w = load_file(temporary_file("legged.urdf", legged), options);
    d = start(w);
    CHECK_SAME(root_of(w, d, 0)[2], 0);
    end_world(w, d);
}

TEST(every_kind_of_shape_touches_the_floor_with_its_lowest_point) {
    static const struct {
        const char *geometry;
        double height;
    } kinds[] = {
        {"<sphere radius='0.2'/>", 0.2},
        {"<box size='0.2 0.4 0.6'/>", 0.3},
        {"<cylinder radius='0.1' length='0.6'/>", 0.3},
        {"<capsule radius='0.1' length='0.6'/>", 0.4},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (int lying = 0; lying < 2; lying++) {
            char text[1000];
            (void)snprintf(text, sizeof text,
                           "<robot name='r'><link name='A'>" INERTIAL
                           "<collision><origin rpy='0 %s 0'/><geometry>%s</geometry></collision>"
                           "</link></robot>",
                           lying ? "1.5707963267948966" : "0", kinds[k].geometry);
            world_options options = world_options_default();
            options.floor = true;
            world *w = load_file(temporary_file("shape.urdf", text), options);
            mjData *d = start(w);
            const double lain[] = {0.2, 0.1, 0.1, 0.1};
            CHECK_NEAR(root_of(w, d, 0)[2], (lying ? lain[k] : kinds[k].height) - 1e-5, 1e-12);
            run(w, d, 0.5);
            CHECK_NEAR(root_of(w, d, 0)[2], lying ? lain[k] : kinds[k].height, 1e-4);
            end_world(w, d);
        }
}

TEST(floor_and_fixed_base_are_not_for_projects) {
    (void)temporary_file("arm.body", ARM_BODY);
    const char *path =
        temporary_file("test.cnoid", PROJECT_HEAD BODY_ITEM("A", "arm.body", "") SIMULATOR);
    stiction_error error;
    world_options options = world_options_default();
    options.floor = true;
    CHECK(!world_load(path, &options, &error));
    CHECK_CONTAINS(error.message, "floor is for a robot; in a project a floor is a BodyItem");
    options.floor = false;
    options.base = ROBOT_BASE_FIXED;
    CHECK(!world_load(path, &options, &error));
    CHECK_CONTAINS(error.message,
                   "fixed_base is for a robot; in a project a BodyItem says fix_root");
}

/* ---- what URDF has beyond links ---- */

TEST(a_joint_that_mimics_follows) {
    static const char text[] =
        "<robot name='r'><link name='world'/><link name='A'>" INERTIAL
        "</link><link name='B'>" INERTIAL
        "</link><joint name='lead' type='continuous'><parent link='world'/>"
        "<child link='A'/></joint>\n<joint name='follow' type='continuous'><parent link='A'/>"
        "<child link='B'/><mimic joint='lead' multiplier='-2' offset='0.1'/></joint></robot>\n";
    world *w = load_robot(temporary_file("mimic.urdf", text));
    mjData *d = start(w);
    for (int k = 0; k < 500; k++) {
        d->qfrc_applied[w->joints[0].velocity] = 0.05;
        mj_step(w->model, d);
    }
    const double lead = d->qpos[w->joints[0].position], follow = d->qpos[w->joints[1].position];
    CHECK(fabs(lead) > 0.1);
    CHECK_NEAR(follow, 0.1 - 2 * lead, 2e-3);
    end_world(w, d);
}

/* A box of 0.2 x 0.4 x 0.6 m, not about its origin. */
static const char box_obj[] =
    "v 0 0 0\nv 0.2 0 0\nv 0.2 0.4 0\nv 0 0.4 0\nv 0 0 0.6\nv 0.2 0 0.6\nv 0.2 0.4 0.6\n"
    "v 0 0.4 0.6\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

TEST(a_mesh_of_a_urdf_stands_on_the_floor) {
    (void)temporary_file("box.obj", box_obj);
    const char *path = temporary_file(
        "mesh.urdf", "<robot name='r'><link name='A'>" INERTIAL
                     "<collision><origin xyz='-0.1 -0.2 -0.6'/><geometry>"
                     "<mesh filename='box.obj' scale='1 1 2'/></geometry></collision></link>"
                     "</robot>");
    world_options options = world_options_default();
    options.floor = true;
    world *w = load_file(path, options);
    mjData *d = start(w);
    CHECK_NEAR(root_of(w, d, 0)[2], 0.6 - 1e-5, 1e-9);
    run(w, d, 0.5);
    CHECK_NEAR(root_of(w, d, 0)[2], 0.6, 1e-3);
    mj_deleteData(d);
    world_destroy(w);
}

TEST(a_mesh_of_mjcf_lies_where_mujoco_has_it) {
    static const char text[] =
        "<mujoco><asset><mesh name='m' vertex='0 0 0 0.2 0 0 0 0.4 0 0 0 0.6 0.2 0.4 0 0.2 0 0.6 "
        "0 0.4 0.6 0.2 0.4 0.6'/></asset><worldbody><geom type='plane' size='0 0 1'/>"
        "<body name='A' pos='0 0 0.7'><freejoint/><geom type='mesh' mesh='m' pos='0.3 0 0' "
        "euler='0 90 0'/></body></worldbody></mujoco>\n";
    world *w = load_robot(temporary_file("mesh.xml", text));
    mjData *d = start(w);
    run(w, d, 2);
    /* its shortest side points up, and all of it is below its frame */
    CHECK_NEAR(root_of(w, d, 0)[2], 0.2, 2e-3);
    CHECK(d->ncon >= 3);
    end_world(w, d);
}

/* MuJoCo 2 refuses such a mesh, also one whose mass is stated. */
TEST(a_mesh_whose_faces_do_not_all_point_outwards_is_its_hull) {
    static const char text[] =
        "<mujoco><asset><mesh name='m' file='turned.obj'/></asset><worldbody>\n"
        "<geom type='plane' size='0 0 1'/><body name='A' pos='0 0 0.1'><freejoint/>"
        "<geom type='mesh' mesh='m' mass='2'/></body></worldbody></mujoco>\n";
    char turned[sizeof box_obj];
    memcpy(turned, box_obj, sizeof turned);
    char *face = strstr(turned, "f 1 4 3 2");
    memcpy(face, "f 2 3 4 1", 9);
    (void)temporary_file("turned.obj", turned);
    world *w = load_robot(temporary_file("mesh.xml", text));
    mjData *d = start(w);
    const int body = w->bodies[0].root;
    CHECK_NEAR(w->model->body_mass[body], 2, 1e-12);
    CHECK_NEAR(d->xipos[3 * body + 2], 0.4, 1e-6);
    run(w, d, 2);
    CHECK_NEAR(root_of(w, d, 0)[2], 0, 1e-3);
    end_world(w, d);
    if (!MUJOCO_IS_3) CHECK_CONTAINS(warnings, "mesh.xml:1: the faces of the mesh 'm' do not all");
}

/* Whether the file of a mesh with this name was found. */
static bool finds_mesh(const char *name) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<robot name='r'><link name='A'>" INERTIAL "<collision><geometry>\n"
                   "<mesh filename='%s'/></geometry></collision></link></robot>",
                   name);
    world_destroy(load_robot(temporary_file("mesh.urdf", text)));
    return !strstr(warnings, "is not there: neither");
}

TEST(packages_are_found_above_the_file_and_in_the_lists_of_the_environment) {
    char name[400], folder[300], list[400];
    (void)temporary_file("a.stl", "solid\nendsolid\n");
    (void)snprintf(name, sizeof name, "package://%s/a.stl", strrchr(temporary_folder, '/') + 1);
    CHECK(finds_mesh(name));
    CHECK(finds_mesh("a.stl"));
    CHECK(!finds_mesh("package://other/a.stl"));
    CHECK_CONTAINS(
        warnings,
        "mesh.urdf:2: 'package://other/a.stl' is not there: neither in a folder around '");
    /* apart from the file */
    char elsewhere[] = "/tmp/stiction_packages_XXXXXX";
    CHECK(mkdtemp(elsewhere));
    (void)snprintf(folder, sizeof folder, "%s/other", elsewhere);
    CHECK(mkdir(folder, 0700) == 0);
    (void)snprintf(name, sizeof name, "%s/a.stl", folder);
    FILE *out = fopen(name, "w");
    CHECK(out && fputs("solid\nendsolid\n", out) >= 0 && fclose(out) == 0);
    static const char *const variables[] = {"STICTION_PACKAGE_PATH", "ROS_PACKAGE_PATH"};
    for (int k = 0; k < 2; k++) {
        (void)snprintf(list, sizeof list, "/nowhere::%s", k ? folder : elsewhere);
        CHECK(setenv(variables[k], list, 1) == 0);
        CHECK(finds_mesh("package://other/a.stl"));
        CHECK(!finds_mesh("package://another/a.stl"));
        (void)unsetenv(variables[k]);
        CHECK(!finds_mesh("package://other/a.stl"));
    }
    (void)unlink(name);
    (void)rmdir(folder);
    (void)rmdir(elsewhere);
}

TEST(friction_of_a_file_is_told_to_belong_in_the_configuration) {
    world_destroy(load_robot("robots/arm.urdf"));
    CHECK_CONTAINS(warnings,
                   "robots/arm.urdf:37: friction and damping of <dynamics> are not used: "
                   "friction belongs in the configuration, to which `stiction init` takes "
                   "them over");
    world_destroy(load_robot("robots/arm.xml"));
    CHECK_CONTAINS(warnings, "robots/arm.xml: friction and damping of joints are not used");
    CHECK_CONTAINS(warnings,
                   "robots/arm.xml: actuators are not used: torques come from controllers");
}

/* ---- in projects ---- */

TEST(projects_take_every_format) {
    char text[2000], folder[500];
    CHECK(getcwd(folder, sizeof folder));
    (void)snprintf(text, sizeof text,
                   PROJECT_HEAD BODY_ITEM("A", "%s/robots/arm.urdf", "fix_root: true")
                       BODY_ITEM("B", "%s/robots/arm.xml", "initial_root_translation: [ 1, 0, 0 ]")
                           BODY_ITEM("C", "%s/robots/arm.body", "") SIMULATOR,
                   folder, folder, folder);
    world *w = load_file(temporary_file("test.cnoid", text), world_options_default());
    CHECK(w->joint_count == 12 && w->body_count == 3);
    CHECK(strcmp(w->joints[4].label, "B.shoulder") == 0);
    mjData *d = start(w);
    CHECK_SAME(root_of(w, d, 1)[0], 1);
    end_world(w, d);
}

TEST(what_choreonoid_has_otherwise_in_a_urdf_is_told) {
    (void)temporary_file("frames.urdf",
                         "<robot name='r'><link name='base'/><link name='A'>" INERTIAL
                         "</link><link name='tip'/><joint name='j' type='continuous'>"
                         "<parent link='base'/><child link='A'/></joint><joint name='f' "
                         "type='fixed'><parent link='A'/><child link='tip'/></joint></robot>");
    world_destroy(load_file(
        temporary_file("test.cnoid", PROJECT_HEAD BODY_ITEM("A", "frames.urdf", "") SIMULATOR),
        world_options_default()));
    CHECK_CONTAINS(warnings,
                   "body 'A': its root is taken as fixed; in Choreonoid it would fall: give "
                   "fix_root");
    CHECK_CONTAINS(warnings,
                   "body 'A': 1 link without mass, of which each weighs 1 kg in Choreonoid "
                   "where it has no <inertial>");
}

/* ---- .body files that are written ---- */

typedef struct writing {
    const char *from, *to;
} writing;

static void *write_body(reader *r, const void *context) {
    const writing *w = context;
    const robot_bodies all = robot_read_bodies(r, (stiction_place){w->from, 0, 0}, w->from);
    FILE *out = fopen(w->to, "w");
    CHECK(out);
    body_write_yaml(r, out, all.files[0]);
    (void)fclose(out);
    return r;
}

TEST(a_written_body_is_the_same_robot) {
    static const char *const robots[] = {"robots/arm.xml", "robots/arm.urdf", "robots/linkage.xml",
                                         "robots/floater.xml"};
    for (int k = 0; k < 4; k++) {
        char path[300];
        (void)snprintf(path, sizeof path, "%s", temporary_file("written.body", ""));
        stiction_error error;
        reader r = {.error = &error, .log = keep_warning};
        warnings[0] = '\0';
        CHECK(stiction_reader_run(&r, write_body, &(writing){robots[k], path}));
        stiction_arena_free(&r.memory);
        if (k == 2) {
            CHECK_CONTAINS(warnings, "a .body has no springs: those of 2 joints are left out");
            CHECK_CONTAINS(warnings, "a .body has no such equalities: 2, other than points held "
                                     "together and joints that follow others, left out");
        }
        robot *a = robot_load(robots[k], NULL, &error), *b = robot_load(path, NULL, &error);
        if (!a || !b || a->joint_count != b->joint_count) {
            FAIL("%s: %s", robots[k], error.message);
            return;
        }
        robot_mobility x = {0}, y = {0};
        CHECK(robot_mobility_compute(a, &x, NULL) == STICTION_OK);
        CHECK(robot_mobility_compute(b, &y, NULL) == STICTION_OK);
        for (size_t i = 0; i < a->joint_count; i++) {
            CHECK(strcmp(a->joints[i].link->joint_name, b->joints[i].link->joint_name) == 0);
            if (isfinite(a->joints[i].link->lower))
                CHECK_NEAR(a->joints[i].link->lower, b->joints[i].link->lower, 1e-12);
            else
                CHECK(isinf(b->joints[i].link->lower));
            CHECK_NEAR(robot_effective_inertia(&y, i) / robot_effective_inertia(&x, i), 1, 1e-9);
        }
        robot_mobility_release(&x);
        robot_mobility_release(&y);
        robot_destroy(a);
        robot_destroy(b);
    }
}

/* ---- refusals ---- */

TEST(what_has_no_inertia_is_not_simulated) {
    check_refusal(
        "light.urdf",
        "<robot name='r'><link name='world'/>\n<link name='A'/>\n"
        "<joint name='j' type='continuous'><parent link='world'/><child link='A'/></joint>"
        "</robot>",
        "light.urdf:3:1: joint 'j' moves nothing that has inertia about its axis, so it "
        "cannot be simulated: give its link a mass and an inertia");
}

TEST(what_mjcf_has_and_a_world_has_not_is_refused) {
#define MJCF(rest) "<mujoco>" rest "</mujoco>"
#define ARM        "<worldbody><body name='A'><joint name='j'/><geom size='1'/><site name='s'/></body>"
    check_refusal("a.xml", MJCF("<option density='1.2' wind='1 0 0'/>" ARM "</worldbody>"),
                  "a.xml: wind is not read, but would act");
    check_refusal(
        "a.xml",
        MJCF(ARM "<site name='o'/></worldbody><tendon><spatial name='t' stiffness='3'>"
                 "<site site='s'/><site site='o'/></spatial></tendon>"),
        "a.xml:1:127: the tendon 't' has stiffness: of tendons only fixed ones are read, but it "
        "would act");
    check_refusal(
        "a.xml",
        MJCF(ARM "<body name='B' pos='5 0 0'><freejoint/><geom size='1'/></body>"
                 "</worldbody><equality><weld name='e' body1='A' body2='B'/></equality>"),
        "a.xml: the equality 'e' joins two bodies of which one is free of the other, which "
        "is not read");
}

TEST(a_medium_acts_as_in_mujoco) {
    CHECK(difference_to_original(
              temporary_file("wet.xml",
                             "<mujoco><option timestep='0.002' density='3000' viscosity='0.1'/>"
                             "<worldbody><body name='A'><joint name='x' type='slide' axis='1 0 0'/>"
                             "<joint name='z' axis='0 1 0'/><geom type='capsule' size='0.1' "
                             "fromto='0 0 0 1 0 0'/><body name='B' pos='1 0 0'><joint name='j' "
                             "axis='0 1 0'/><geom type='capsule' size='0.1' fromto='0 0 0 1 0 0'/>"
                             "</body></body></worldbody></mujoco>"),
              1) < 1e-12);
}

TEST(friction_of_tendons_is_left_out_with_a_warning) {
    end_world(load_robot(temporary_file("a.xml", MJCF(ARM "</worldbody><tendon>"
                                                          "<fixed name='t' damping='3'>"
                                                          "<joint joint='j' coef='1'/></fixed>"
                                                          "</tendon>"))),
              NULL);
    CHECK_CONTAINS(warnings, "a.xml: friction and damping of tendons are not used");
}

/* What MuJoCo 3 knows and would do, but no reader takes over. */
TEST(what_is_new_in_mujoco_3_is_refused_and_not_dropped) {
    if (!MUJOCO_IS_3) return; /* an older one does not read it: see below */
    check_refusal("a.xml",
                  MJCF(ARM "</worldbody><tendon><fixed name='t' stiffness='3' springlength='0 1'>"
                           "<joint joint='j' coef='1'/></fixed></tendon>"),
                  "a.xml: the model has a tendon whose spring is slack over a range: it is not "
                  "read, but would act");
}

TEST(mjcf_of_an_unknown_version_says_so) {
    char message[300];
    (void)snprintf(message, sizeof message,
                   "a.xml:2:1: MuJoCo: XML Error: Schema violation: unrecognized element Element "
                   "'extensions'; this is MuJoCo %s",
                   mj_versionString());
    if (!MUJOCO_IS_3) check_refusal("a.xml", MJCF("\n<extensions/>"), message);
    check_refusal("a.xml", MJCF("\n<deformable/>"),
                  "a.xml:2:1: <deformable> is not read, but would act");
}
