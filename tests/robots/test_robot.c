/* SPDX-License-Identifier: MIT
 * Robots from .body, URDF and MJCF files: what is read, what is refused and with which words, and
 * inertias against closed forms.
 */
#include "check.h"
#include "robots/robot.h"
#include "stability/inertia.h"
#include "stiction/load.h"
#include "temporary.h"

static char warnings[4096];

static void keep_warning(void *user, stiction_log_level level, const char *message) {
    (void)user, (void)level;
    const size_t used = strlen(warnings);
    (void)snprintf(warnings + used, sizeof warnings - used, "%s\n", message);
}

/* A robot without a mistake; its warnings are in `warnings`. */
static robot *load(const char *path) {
    const robot_options options = {.log = keep_warning};
    stiction_error error;
    warnings[0] = '\0';
    robot *r = robot_load(path, &options, &error);
    if (!r) {
        FAIL("%s:%d:%d: %s", error.path, error.line, error.column, error.message);
        exit(EXIT_FAILURE);
    }
    return r;
}

static double total_mass(const robot *r) {
    double mass = 0;
    for (int k = 0; k < r->model->nbody; k++) mass += r->model->body_mass[k];
    return mass;
}

/* What is wrong with a file, as it is told, without the folder. */
static const char *refusal(const char *name, const char *text) {
    static char line[2048];
    stiction_error error;
    const char *path = temporary_file(name, text);
    robot *r = robot_load(path, NULL, &error);
    if (r) {
        robot_destroy(r);
        return "(it was read)";
    }
    (void)stiction_error_format(&error, line, sizeof line);
    const size_t folder = strlen(temporary_folder) + 1;
    return strncmp(line, temporary_folder, folder - 1) == 0 ? line + folder : line;
}

static void check_refusal(const char *name, const char *text, const char *expected) {
    const char *said = refusal(name, text);
    if (strcmp(said, expected) != 0) FAIL("said:     %s\nexpected: %s", said, expected);
}

#define HEAD "format: ChoreonoidBody\nformat_version: 2.0\nname: Test\nlinks:\n"
#define ROOT "  - { name: BASE, joint_type: fixed }\n"

/* A one-joint robot with more lines in its link. */
static robot *load_link(const char *lines) {
    char text[2048];
    (void)snprintf(text, sizeof text,
                   HEAD ROOT "  - name: L\n    parent: BASE\n    joint_type: revolute\n%s", lines);
    return load(temporary_file("link.body", text));
}

/* What joint 0 feels at position 0. */
static double inertia_at_zero(const robot *r) {
    double zero = 0, mobility;
    CHECK(r->joint_count == 1);
    CHECK(robot_mobility_at(r, &zero, &mobility, NULL) == STICTION_OK);
    return 1 / mobility;
}

/* ---- the three formats ---- */

static void check_same_joints(const robot *a, const robot *b) {
    CHECK(strcmp(a->name, b->name) == 0);
    CHECK(a->free_root == b->free_root);
    CHECK(a->joint_count == b->joint_count);
    CHECK_NEAR(total_mass(a), total_mass(b), 1e-12);
    for (size_t k = 0; k < a->joint_count; k++) {
        const body_link *x = a->joints[k].link, *y = b->joints[k].link;
        CHECK(strcmp(x->joint_name, y->joint_name) == 0);
        CHECK(x->joint == y->joint);
        if (isfinite(x->lower)) {
            CHECK_NEAR(x->lower, y->lower, 1e-15);
            CHECK_NEAR(x->upper, y->upper, 1e-15);
        } else {
            CHECK(x->lower == y->lower && x->upper == y->upper);
        }
    }
}

static void check_same_inertias(const robot *a, const robot *b) {
    robot_mobility x, y;
    CHECK(robot_mobility_compute(a, &x, NULL) == STICTION_OK);
    CHECK(robot_mobility_compute(b, &y, NULL) == STICTION_OK);
    CHECK(x.pose_count == y.pose_count && x.pose_count > 200);
    const size_t n = x.joint_count;
    for (size_t pose = 0; pose < x.pose_count; pose++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const double *m = x.matrices + pose * n * n, *o = y.matrices + pose * n * n;
                CHECK_NEAR(m[i * n + j], o[i * n + j], 1e-12 * sqrt(m[i * n + i] * m[j * n + j]));
            }
    robot_mobility_release(&x);
    robot_mobility_release(&y);
}

static void check_same(const char *first, const char *second) {
    robot *a = load(first), *b = load(second);
    check_same_joints(a, b);
    check_same_inertias(a, b);
    robot_destroy(a);
    robot_destroy(b);
}

TEST(three_formats_of_an_arm_give_the_same_joints_and_inertias) {
    check_same("robots/arm.body", "robots/arm.urdf");
    check_same("robots/arm.body", "robots/arm.xml");
}

TEST(three_formats_of_a_floating_robot_give_the_same_joints_and_inertias) {
    check_same("robots/floater.body", "robots/floater.urdf");
    check_same("robots/floater.body", "robots/floater.xml");
}

static void check_number(robot_number number, double value, const char *file, int line) {
    CHECK_NEAR(number.value, value, 0);
    CHECK(number.line == line);
    CHECK(number.path && strcmp(number.path, file) == 0);
}

TEST(numbers_know_the_line_they_stand_on) {
    robot *r = load("robots/arm.urdf");
    check_number(r->joints[0].link->friction, 0.6, "robots/arm.urdf", 37);
    check_number(r->joints[0].link->damping, 0.25, "robots/arm.urdf", 37);
    check_number(r->joints[0].link->effort, 20, "robots/arm.urdf", 36);
    CHECK(isnan(r->joints[1].link->damping.value) && isnan(r->joints[2].link->friction.value));
    robot_destroy(r);
    /* by itself, by its class, by the class around that, in another file */
    r = load("robots/arm.xml");
    check_number(r->joints[0].link->friction, 0.6, "robots/arm.xml", 10);
    check_number(r->joints[1].link->friction, 0.3, "robots/arm_defaults.xml", 4);
    check_number(r->joints[2].link->friction, 0.3, "robots/arm_defaults.xml", 4);
    check_number(r->joints[2].link->damping, 2, "robots/arm_defaults.xml", 6);
    check_number(r->joints[3].link->friction, 0, "robots/arm.xml", 19);
    CHECK_NEAR(r->joints[0].link->effort.value, 20, 0); /* a motor with a gear */
    CHECK_NEAR(r->joints[1].link->effort.value, 10, 0); /* a force range */
    CHECK(isnan(r->joints[2].link->effort.value));
    robot_destroy(r);
    r = load("robots/arm.body");
    check_number(r->joints[0].link->effort, 20, "robots/arm.body", 28);
    CHECK(r->joints[3].link->joint_id == 3);
    robot_destroy(r);
    r = load("robots/finger.body");
    check_number(r->joints[0].link->rotor, 1e-5, "robots/finger.body", 14);
    check_number(r->joints[0].link->gear_ratio, 120, "robots/finger.body", 15);
    CHECK_NEAR(r->joints[0].link->armature, 0.144, 1e-16);
    robot_destroy(r);
}

/* ---- closed forms ---- */

TEST(pendulum_has_the_inertia_of_its_mass_inertia_and_rotor) {
    robot *r =
        load_link("    joint_axis: [0, 1, 0]\n    mass: 2\n    center_of_mass: [0.3, 9, 0.4]\n"
                  "    inertia: [7, 0, 0, 0.05, 0, 7]\n    rotor_inertia: 3.0e-6\n"
                  "    gear_ratio: -100\n");
    CHECK_NEAR(inertia_at_zero(r), 0.05 + 2 * 0.25 + 0.03, 1e-14);
    robot_destroy(r);
}

TEST(point_masses_and_massless_links_are_read) {
    /* a point mass, which MuJoCo's compiler refuses */
    robot *r = load_link("    joint_axis: Z\n    mass: 2\n    center_of_mass: [0.5, 0, 0]\n"
                         "    inertia: [0, 0, 0, 0, 0, 0]\n");
    CHECK_NEAR(inertia_at_zero(r), 0.5, 1e-15);
    robot_destroy(r);
    /* a link between two joints that weighs nothing */
    r = load(temporary_file(
        "cardan.body",
        HEAD ROOT "  - { name: A, parent: BASE, joint_type: revolute, joint_axis: X, mass: 0 }\n"
                  "  - { name: B, parent: A, joint_type: revolute, joint_axis: Y, mass: 1,\n"
                  "      inertia: [0.1, 0, 0, 0.2, 0, 0.25] }\n"));
    double zero[2] = {0, 0}, mobility[4];
    CHECK(robot_mobility_at(r, zero, mobility, NULL) == STICTION_OK);
    CHECK_NEAR(1 / mobility[0], 0.1, 1e-15);
    CHECK_NEAR(1 / mobility[3], 0.2, 1e-15);
    robot_destroy(r);
    /* and in URDF, where such links are common */
    r = load(temporary_file(
        "cardan.urdf",
        "<robot name=\"C\"><link name=\"world\"/><link name=\"A\"/><link name=\"B\"><inertial>\n"
        "<mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.25\" ixy=\"0\" ixz=\"0\"\n"
        "iyz=\"0\"/></inertial></link>\n"
        "<joint name=\"a\" type=\"continuous\"><parent link=\"world\"/><child "
        "link=\"A\"/></joint>\n"
        "<joint name=\"b\" type=\"continuous\"><axis xyz=\"0 1 0\"/><parent link=\"A\"/>\n"
        "<child link=\"B\"/></joint></robot>"));
    CHECK(robot_mobility_at(r, zero, mobility, NULL) == STICTION_OK);
    CHECK_NEAR(1 / mobility[0], 0.1, 1e-15);
    CHECK_NEAR(1 / mobility[3], 0.2, 1e-15);
    robot_destroy(r);
}

TEST(joint_that_moves_no_mass_is_named) {
    robot *r = load_link("    mass: 0\n");
    robot_mobility mobility;
    stiction_error error;
    CHECK(robot_mobility_compute(r, &mobility, &error) == STICTION_SINGULAR);
    CHECK_CONTAINS(error.message, "joint 'L' moves nothing that has mass, so it has no dynamics");
    robot_destroy(r);
}

/* M of two rods of 1 kg and 1 m: [5/3 + c, 1/3 + c/2; ., 1/3] with c = cos q2. */
TEST(two_link_arm_has_the_textbooks_mass_matrix) {
    robot *r = load("robots/two_link.body");
    CHECK(r->joint_count == 2 && strcmp(r->joints[1].link->joint_name, "second") == 0);
    for (double q = -2.8; q < 2.9; q += 0.4) {
        const double positions[2] = {0.7, q}, c = cos(q);
        const double m11 = 5.0 / 3 + c, m12 = 1.0 / 3 + c / 2, m22 = 1.0 / 3;
        const double det = m11 * m22 - m12 * m12;
        double W[4];
        CHECK(robot_mobility_at(r, positions, W, NULL) == STICTION_OK);
        CHECK_NEAR(W[0], m22 / det, 1e-13 * W[0]);
        CHECK_NEAR(W[1], -m12 / det, 1e-13 * W[3]);
        CHECK_NEAR(W[3], m11 / det, 1e-13 * W[3]);
    }
    /* the worst case: straight, M22 - M12^2/M11 and M11 - M12^2/M22 */
    robot_mobility all;
    CHECK(robot_mobility_compute(r, &all, NULL) == STICTION_OK);
    CHECK_NEAR(robot_effective_inertia(&all, 0), 8.0 / 3 - 25.0 / 36 * 3, 1e-13);
    CHECK_NEAR(robot_effective_inertia(&all, 1), 1.0 / 3 - 25.0 / 36 * 3 / 8, 1e-13);
    robot_mobility_release(&all);
    robot_destroy(r);
}

/* In a plane, the joint's inertia with the hull free to give way, by momentum: M22 - m' A^-1 m. */
TEST(free_root_makes_a_joint_lighter) {
    robot *r = load("robots/floater.body");
    const double angle = 0.4, x = 0.3 + 0.2 * cos(angle), y = 0.2 * sin(angle);
    /* A is the mass matrix of the hull (x, y, turn) with the arm on it, m its column of the arm */
    const double own = 0.02 + 0.04; /* about the joint */
    const double mx = -y, my = 0.2 * cos(angle);
    const double turn = 0.4 + 0.02 + x * x + y * y, mt = 0.02 + x * my + y * y;
    /* eliminate the translations, 5 kg, then the turn */
    const double axt = -y, ayt = x;
    const double t = turn - (axt * axt + ayt * ayt) / 5;
    const double c = mt - (axt * mx + ayt * my) / 5;
    const double expected = own - (mx * mx + my * my) / 5 - c * c / t;
    double W;
    CHECK(r->free_root);
    CHECK(robot_mobility_at(r, &angle, &W, NULL) == STICTION_OK);
    CHECK_NEAR(1 / W, expected, 1e-14);
    robot_destroy(r);
    const robot_options fixed = {.base = ROBOT_BASE_FIXED};
    r = robot_load("robots/floater.urdf", &fixed, NULL);
    CHECK(r && !r->free_root);
    CHECK_NEAR(inertia_at_zero(r), own, 1e-15);
    robot_destroy(r);
}

/* ---- what the .body format allows ---- */

TEST(axes_ranges_and_units_of_a_body) {
    robot *r = load_link("    joint_axis: -X\n    joint_range: 90\n    jointAngle: 30\n");
    CHECK_NEAR(r->joints[0].link->lower, -acos(0), 1e-15);
    CHECK_NEAR(r->joints[0].link->upper, acos(0), 1e-15);
    CHECK_SAME(r->model->jnt_axis[0], -1);
    robot_destroy(r);
    r = load_link("    jointRange: [ -45, unlimited ]\n");
    CHECK_NEAR(r->joints[0].link->lower, -acos(0) / 2, 1e-15);
    CHECK(isinf(r->joints[0].link->upper));
    CHECK_SAME(r->model->jnt_axis[2], 1); /* Z, where none is given */
    robot_destroy(r);
    r = load(temporary_file(
        "radian.body", "format: ChoreonoidBody\nformatVersion: 1.0\nangleUnit: radian\nlinks:\n"
                       "  Link: { name: L, jointType: revolute, jointRange: [-1, 2] }\n"));
    CHECK_SAME(r->joints[0].link->upper, 2);
    CHECK(strcmp(r->name, "radian") == 0); /* the file's, where none is given */
    robot_destroy(r);
}

TEST(names_that_xml_would_break_on_are_kept) {
    robot *r = load(temporary_file(
        "odd.body", HEAD "  - { name: 'a&<\"b', joint_type: revolute, joint_name: '<&\">' }\n"));
    CHECK(strcmp(r->joints[0].link->joint_name, "<&\">") == 0);
    CHECK_NEAR(inertia_at_zero(r), 1, 1e-15);
    robot_destroy(r);
    r = load(temporary_file(
        "odd.urdf", "<robot name='&lt;'><link name='a&amp;&quot;'><inertial><mass value='1'/>"
                    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
                    "</link><link name='&lt;b'/><joint name='&gt;j' type='continuous'>"
                    "<parent link='a&amp;&quot;'/><child link='&lt;b'/></joint></robot>"));
    CHECK(r->free_root && strcmp(r->joints[0].link->joint_name, ">j") == 0 &&
          strcmp(r->name, "<") == 0);
    robot_destroy(r);
}

TEST(link_that_states_no_mass_has_one_kilogram) {
    robot *r = load_link("");
    CHECK_NEAR(inertia_at_zero(r), 1, 1e-15);
    CHECK_NEAR(total_mass(r), 2, 1e-15);
    robot_destroy(r);
}

TEST(rigid_bodies_add_up_wherever_they_are_nested) {
    robot *r = load_link("    mass: 1\n    center_of_mass: [0.1, 0, 0]\n"
                         "    inertia: [0, 0, 0, 0, 0, 0.001]\n"
                         "    elements:\n"
                         "      - type: Skip\n"
                         "        elements: { RigidBody: { mass: 50 } }\n"
                         "      - type: Camera\n"
                         "        translation: [ [0, 0.1, 0], [0, 0.1, 0] ]\n"
                         "        elements: { RigidBody: { mass: 2 } }\n"
                         "      - type: Visual\n"
                         "        rotation: [0, 0, 1, 90]\n"
                         "        elements:\n"
                         "          type: RigidBody\n"
                         "          mass: 3\n"
                         "          center_of_mass: [0.3, 0, 0]\n"
                         "          inertia: [1, 0, 0, 1, 0, 0.01]\n");
    CHECK_NEAR(total_mass(r), 7, 1e-15);
    CHECK_NEAR(inertia_at_zero(r), 0.001 + 0.01 + 2 * 0.04 + 0.01 + 3 * 0.09, 1e-15);
    robot_destroy(r);
}

TEST(masses_in_yaml_resources_are_read) {
    (void)temporary_file("parts.yaml", "LIDAR: &LIDAR\n  type: RangeSensor\n  elements:\n"
                                       "    RigidBody: { mass: 2, center_of_mass: [0.5, 0, 0] }\n");
    robot *r = load_link("    elements:\n      Transform:\n        translation: [0.5, 0, 0]\n"
                         "        elements: { Resource: { uri: parts.yaml, node: LIDAR } }\n");
    CHECK_NEAR(inertia_at_zero(r), 2, 1e-15);
    robot_destroy(r);
}

TEST(bodies_inside_bodies_get_prefix_place_and_parent) {
    (void)temporary_file("hand.body", HEAD
                         "  - { name: PALM, joint_type: free, joint_id: 0, mass: 1 }\n"
                         "  - { name: THUMB, parent: PALM, joint_type: revolute, joint_id: 1 }\n");
    robot *r = load(temporary_file(
        "arm.body", HEAD ROOT
        "  - { type: SubBody, uri: hand.body, parent: BASE, prefix: L_, joint_type: revolute,\n"
        "      translation: [1, 0, 0], joint_id_offset: 10 }\n"
        "  - { type: SubBody, uri: hand.body, parent: L_THUMB, prefix: R_, suffix: _2,\n"
        "      joint_type: fixed }\n"));
    CHECK(r->joint_count == 3);
    CHECK(strcmp(r->joints[0].link->joint_name, "L_PALM") == 0 &&
          r->joints[0].link->joint_id == 10);
    CHECK(strcmp(r->joints[1].link->joint_name, "L_THUMB") == 0 &&
          r->joints[1].link->joint_id == 11);
    CHECK(strcmp(r->joints[2].link->joint_name, "R_THUMB_2") == 0 &&
          r->joints[2].link->joint_id == 1);
    CHECK_NEAR(r->model->body_pos[3 * mj_name2id(r->model, mjOBJ_BODY, "L_PALM")], 1, 0);
    robot_destroy(r);
}

TEST(inertias_that_nothing_real_has_are_taken_as_they_are) {
    robot *r = load_link("    mass: 1\n    inertia: [0.1, 0, 0, 0.1, 0, 0.5]\n");
    CHECK_NEAR(inertia_at_zero(r), 0.5, 1e-15);
    CHECK_CONTAINS(warnings, "link.body:6: link 'L': no real thing has the moments of inertia");
    robot_destroy(r);
    /* full, and off the principal axes: an axis that MuJoCo's own solver only nearly finds */
    r = load_link("    joint_axis: [1, 2, 3]\n    mass: 1\n"
                  "    inertia: [3, 1, 0.5, 1, 4, 0.25, 0.5, 0.25, 5]\n");
    CHECK_NEAR(inertia_at_zero(r), (3 + 16 + 45 + 2 * (2 + 1.5 + 1.5)) / 14, 1e-14);
    robot_destroy(r);
}

TEST(what_is_not_read_is_named_once) {
    robot *r = load_link("    lubricant: oil\n    material: steel\n    maxJointVelocity: 3\n");
    CHECK_CONTAINS(warnings, "keys that have no bearing on masses and joints are not read: "
                             "lubricant (line 9)\n");
    CHECK(strstr(warnings, "material") == NULL);
    robot_destroy(r);
    r = load_link("    mass: 1\n    mass: 3\n");
    CHECK_CONTAINS(warnings, "link.body:10: the key 'mass' is given twice; the last counts");
    CHECK_NEAR(total_mass(r), 4, 1e-15);
    robot_destroy(r);
    r = load(temporary_file("loop.body", HEAD ROOT "extra_joints: [ { link1_name: BASE } ]\n"));
    CHECK_CONTAINS(warnings, "loop.body:6: extra_joints are not read; the loops that they close "
                             "could only add to the joints' inertias");
    robot_destroy(r);
}

/* ---- refusals, word by word ---- */

TEST(mistakes_in_bodies_are_told_with_line_and_column) {
    check_refusal("a.txt", "",
                  "a.txt: is not a robot file: its name must end in .body, .urdf or "
                  ".xml");
    check_refusal("a.body", "", "a.body:1:1: the file is empty");
    check_refusal("a.body", "[1, 2",
                  "a.body:2:1: this is not YAML: a bracket is not closed, or a ',' is missing "
                  "before this");
    check_refusal("a.body", "- 1\n", "a.body:1:1: the file must be a map, not a list");
    check_refusal("a.body", "name: X\n",
                  "a.body:1:1: is not a body: its format must be ChoreonoidBody");
    check_refusal("a.body", "modelFile: x.wrl\n",
                  "a.body:1:12: only refers to 'x.wrl': give that file instead");
    check_refusal("a.body", "format: ChoreonoidBody\n", "a.body:1:1: format_version is missing");
    check_refusal("a.body", "format: ChoreonoidBody\nformatVersion: 3\n",
                  "a.body:2:16: format_version 3 is not read; 1.0 to 2.0 are");
    check_refusal("a.body", "format: ChoreonoidBody\nformatVersion: 2\nangle_unit: radian\n",
                  "a.body:3:13: angle_unit must be degree in format_version 2");
    check_refusal("a.body", "format: ChoreonoidBody\nformatVersion: 1\nangle_unit: turn\n",
                  "a.body:3:13: angle_unit must be degree or radian, not 'turn'");
    check_refusal("a.body", "format: ChoreonoidBody\nformat_version: 1\n",
                  "a.body:1:1: links are missing");
    check_refusal("a.body", HEAD "  - { mass: 1 }\n", "a.body:5:5: a link lacks its name");
}

TEST(mistakes_in_a_link_are_told_with_line_and_column) {
    static const struct {
        const char *key, *sentence; /* behind "{ name: A, ", and behind the line */
    } cases[] = {
        {"joint_axis: [ 0, 0, 0 ]", "28: joint_axis must not be zero"},
        {"joint_axis: XY", "28: joint_axis must be a list or one of X, Y, Z, -X, -Y, -Z"},
        {"joint_axis: ''", "28: joint_axis must be a list or one of X, Y, Z, -X, -Y, -Z"},
        {"joint_range: [ 1 ]", "29: joint_range must have 2 numbers, not 1"},
        {"joint_velocity_range: [ 1, 2, 3 ]",
         "38: joint_velocity_range must have 2 numbers, not 3"},
        {"joint_id: -2", "26: joint_id -2 must be a whole number from 0 to 1000000"},
        {"joint_id: 1e7", "26: joint_id 1e+07 must be a whole number from 0 to 1000000"},
        {"mass: x", "22: mass must be a number, not 'x'"},
        {"mass: .inf", "22: mass .inf is not finite"},
        {"mass: 1e999", "22: mass 1e999 is not finite"},
        {"mass: -1", "22: mass -1 must not be negative"},
        {"inertia: [1, 2]", "25: inertia must have 6 or 9 numbers, not 2"},
        {"mass: 1, inertia: [1, 2, 0, 1, 0, 1]",
         "5: link 'A' has a negative moment of inertia, -1 kg m^2"},
        {"translation: [1, 2]", "29: translation must have 3 numbers, not 2"},
        {"rotation: [0, 0, 0, 90]", "26: the axis of a rotation must not be zero"},
        {"joint_type: ball",
         "28: joint_type 'ball' is not read; there are fixed, free, revolute and prismatic"},
        {"joint_type: revoute", "28: joint_type 'revoute' is not read; the nearest is revolute"},
        {"joint_axis: W", "28: joint_axis must be a list or one of X, Y, Z, -X, -Y, -Z"},
        {"joint_type: revolute, joint_range: [2, 1]",
         "51: joint_range begins at 2, above its end at 1"},
        {"joint_range: 1, jointRange: 2",
         "32: joint_range and jointRange are one key, given twice"},
        {"rotor_inertia: -1", "5: the inertia of a rotor must not be negative, but is -1"},
        {"joint_id: 1.5", "26: joint_id 1.5 must be a whole number from 0 to 1000000"},
        {"mass: *m", "22: alias '*m' has no anchor '&m' before it"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[300], expected[300];
        (void)snprintf(text, sizeof text, HEAD "  - { name: A, %s }\n", cases[k].key);
        (void)snprintf(expected, sizeof expected, "a.body:5:%s", cases[k].sentence);
        check_refusal("a.body", text, expected);
    }
}

TEST(mistakes_in_the_tree_of_a_body_are_told) {
    check_refusal("a.body", HEAD ROOT "  - { name: BASE, parent: BASE }\n",
                  "a.body:6:5: the link 'BASE' is defined twice");
    check_refusal("a.body", HEAD ROOT "  - { name: A }\n", "a.body:6:5: link 'A' lacks its parent");
    check_refusal("a.body", HEAD ROOT "  - { name: A, parent: B }\n",
                  "a.body:6:5: link 'A': there is no link 'B', its parent");
    check_refusal("a.body", HEAD ROOT "  - { name: A, parent: B }\n  - { name: B, parent: A }\n",
                  "a.body:6:5: link 'A' is its own ancestor");
    check_refusal("a.body", HEAD ROOT "  - { type: ContinuousTrack, name: A }\n",
                  "a.body:6:5: a ContinuousTrack among the links is not read");
    check_refusal("a.body", HEAD ROOT "root_link: X\n", "a.body:6:12: there is no link 'X'");
    check_refusal("a.body", HEAD "  - { type: SubBody, uri: a.body }\n",
                  "a.body:5:27: bodies are nested more than 8 levels deep");
    CHECK_CONTAINS(refusal("a.body", HEAD "  - { type: SubBody, uri: none.body }\n"),
                   "a.body:5:27: cannot read '");
    check_refusal("a.body", HEAD "  - name: A\n    elements: { RigidBody: { type: Box } }\n",
                  "a.body:6:36: the type 'Box' stands under 'RigidBody'");
}

TEST(what_mujoco_refuses_is_told_at_the_link) {
    /* a link that is called as MuJoCo calls the world gets another name there */
    check_refusal(
        "a.body",
        HEAD ROOT "  - { name: world, parent: BASE }\n"
                  "  - { name: world (link), parent: BASE }\n",
        MUJOCO_IS_3
            ? "a.body:6:5: MuJoCo: XML Error: Error: repeated name 'world (link)' in body (world "
              "(link))"
            : "a.body:6:5: MuJoCo: Error: repeated name in body array, position 3 (world (link))");
}

TEST(rubbish_ends_in_bounded_time) {
    static char text[1 << 20];
    /* aliases to aliases: 2^40 elements */
    size_t n = (size_t)sprintf(text, HEAD "  - name: A\n    elements:\n"
                                          "      - &e0 { type: Group, elements: [] }\n");
    for (int k = 1; k <= 40; k++)
        n += (size_t)sprintf(text + n, "      - &e%d { type: Group, elements: [ *e%d, *e%d ] }\n",
                             k, k - 1, k - 1);
    CHECK_CONTAINS(refusal("a.body", text),
                   "more than 2000000 keys and values, with the aliases expanded");
    /* 100,000 levels */
    memset(text, '[', 100000);
    text[100000] = '\0';
    check_refusal("a.body", text, "a.body:1:101: lists and mappings are nested more than 100 deep");
    for (int k = 0; k < 1000; k++) memcpy(text + 3 * k, "<a>", 4);
    check_refusal("a.urdf", text, "a.urdf:1:601: is nested more than 200 levels deep");
    /* bytes that are no text */
    for (size_t k = 0; k < 1000; k++) text[k] = (char)(1 + (k * 7919) % 250);
    static const char *const names[] = {"a.body", "a.urdf", "a.xml"};
    for (int k = 0; k < 3; k++) {
        stiction_error error;
        CHECK(!robot_load(temporary_bytes(names[k], text, 1000), NULL, &error));
        CHECK(error.status == STICTION_INVALID_CONFIG && error.message[0]);
    }
    stiction_error error;
    CHECK(!robot_load("robots.body", NULL, &error));
    CHECK_CONTAINS(error.message, "the file cannot be read: No such file or directory");
}

TEST(mistakes_in_urdf_are_told_with_line) {
    check_refusal("a.urdf", "", "a.urdf:1:1: no element found");
    check_refusal("a.urdf", "<robot>\n<link name='A'>\n</robot>", "a.urdf:3:3: mismatched tag");
    check_refusal("a.urdf", "<sdf/>",
                  "a.urdf:1:1: is not a URDF: it begins with <sdf>, not with <robot>");
    check_refusal("a.urdf", "<robot/>", "a.urdf:1:1: has no links");
    check_refusal("a.urdf", "<!DOCTYPE x []>\n<robot/>",
                  "a.urdf:1:13: document type declarations are not read");
    check_refusal("a.urdf", "<robot xmlns:xacro='x'>\n<xacro:include filename='y'/></robot>",
                  "a.urdf:2:1: is a xacro file: expand it to a URDF first");
    check_refusal("a.urdf", "<robot>\n <link/></robot>",
                  "a.urdf:2:2: <link> lacks the attribute 'name'");
    check_refusal("a.urdf", "<robot><link name='A'/>\n<link name='A'/></robot>",
                  "a.urdf:2:1: the link 'A' is defined twice");
    check_refusal("a.urdf", "<robot><link name='A'/>\n<link name='B'/></robot>",
                  "a.urdf:2:1: the links 'A' and 'B' both lack a parent");
    check_refusal("a.urdf",
                  "<robot><link name='A'/><link name='B'/>\n<joint name='j' type='ball'/></robot>",
                  "a.urdf:2:1: joint 'j': the type 'ball' is not one of URDF");
    check_refusal("a.urdf", "<robot><link name='A'/>\n<joint name='j' type='fixed'/></robot>",
                  "a.urdf:2:1: joint 'j' lacks its parent or child");
    check_refusal("a.urdf",
                  "<robot><link name='A'/>\n<joint name='j' type='fixed'><parent link='A'/>"
                  "<child link='B'/></joint></robot>",
                  "a.urdf:2:48: there is no link 'B'");
    check_refusal("a.urdf",
                  "<robot><link name='A'/>\n<joint name='j' type='fixed'><parent link='A'/>"
                  "<child link='A'/></joint></robot>",
                  "a.urdf:1:1: every link has a parent: the joints go in circles");
    check_refusal("a.urdf",
                  "<robot><link name='world'/><link name='A'/>\n<joint name='j' type='revolute'>"
                  "<parent link='world'/><child link='A'/>\n<dynamics friction='much'/></joint>"
                  "</robot>",
                  "a.urdf:3:1: friction must be a number, not 'much'");
    check_refusal("a.urdf",
                  "<robot><link name='world'/>\n<link name='A'><inertial><mass value='1'/>"
                  "<inertia ixx='1' iyy='1' izz='1' ixy='2' ixz='0' iyz='0'/></inertial></link>\n"
                  "<joint name='j' type='revolute'><parent link='world'/><child link='A'/>"
                  "</joint></robot>",
                  "a.urdf:2:1: link 'A' has a negative moment of inertia, -1 kg m^2");
    check_refusal("a.urdf",
                  "<robot><link name='A'/><link name='B'/>\n<joint name='j' type='planar'>"
                  "<parent link='A'/><child link='B'/></joint></robot>",
                  "a.urdf:2:1: joint 'j': planar joints are not read; two prismatic joints and a "
                  "revolute one are the same");
    check_refusal("a.urdf",
                  "<robot><link name='A'/><link name='B'/>\n<joint name='j' type='fixed'>"
                  "<origin xyz='1 2'/><parent link='A'/><child link='B'/></joint></robot>",
                  "a.urdf:2:30: xyz must have 3 numbers, not 2");
    check_refusal("a.urdf",
                  "<robot><link name='A'/><link name='B'/>\n<joint name='j' type='revolute'>"
                  "<axis xyz='0 0 0'/><parent link='A'/><child link='B'/></joint></robot>",
                  "a.urdf:2:33: joint 'j': the axis must not be zero");
    check_refusal("a.urdf",
                  "<robot><link name='A'/><link name='B'/><link name='C'/>\n"
                  "<joint name='i' type='fixed'><parent link='A'/><child link='B'/></joint>\n"
                  "<joint name='j' type='floating'><parent link='B'/><child link='C'/></joint>"
                  "</robot>",
                  "a.urdf:3:1: joint 'j': a floating joint is only read as the one joint of a root "
                  "without mass");
}

TEST(odd_inertias_of_a_urdf_are_taken_with_a_warning) {
    robot *r = load(temporary_file(
        "odd.urdf", "<robot name='r'><link name='world'/>\n<link name='A'><inertial>"
                    "<mass value='1'/><inertia ixx='1' iyy='1' izz='3' ixy='0' ixz='0' iyz='0'/>"
                    "</inertial></link>\n<joint name='j' type='continuous'><axis xyz='0 0 2'/>"
                    "<parent link='world'/><child link='A'/></joint></robot>"));
    CHECK_CONTAINS(warnings, "odd.urdf:2: link 'A': no real thing has the moments of inertia 3, 1 "
                             "and 1: none exceeds the sum of the others; taken as they are");
    CHECK_NEAR(inertia_at_zero(r), 3, 1e-15);
    robot_destroy(r);
}

TEST(what_floats_below_a_root_without_mass_is_the_root) {
    robot *r = load(temporary_file(
        "floating.urdf",
        "<robot name='r'><link name='map'/><link name='A'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='f' type='floating'><parent link='map'/><child link='A'/></joint></robot>"));
    CHECK(r->free_root && r->joint_count == 0 && r->model->nbody == 2);
    robot_destroy(r);
}

TEST(joints_without_a_name_are_told_once_with_their_number) {
    static char text[20000];
    size_t n =
        (size_t)sprintf(text, "<mujoco>\n<worldbody>\n<body name=\"A\">\n"
                              "<joint name=\"J\" axis=\"1 0 0\"/>\n"
                              "<geom size=\"1\" contype=\"0\" conaffinity=\"0\"/>\n</body>\n");
    for (int k = 0; k < 100; k++)
        n += (size_t)sprintf(text + n,
                             "<body>\n<joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/>\n"
                             "<geom size=\"1\" contype=\"0\" conaffinity=\"0\"/>\n</body>\n");
    (void)sprintf(text + n, "</worldbody>\n</mujoco>\n");
    robot *r = load(temporary_file("many.xml", text));
    CHECK(r->joint_count == 1);
    CHECK_CONTAINS(warnings, "many.xml:8: 200 joints have no name, the first of a link without a "
                             "name, so they cannot be given friction\n");
    if (strchr(warnings, '\n') != strrchr(warnings, '\n')) FAIL("%s", warnings);
    robot_destroy(r);
    r = load(temporary_file("one.xml", "<mujoco>\n<worldbody>\n<body name=\"A\">\n"
                                       "<joint axis=\"1 0 0\"/><geom size=\"1\"/></body>\n"
                                       "</worldbody>\n</mujoco>\n"));
    CHECK_CONTAINS(warnings, "one.xml:4: a joint of link 'A' has no name, so it cannot be given "
                             "friction");
    robot_destroy(r);
}

TEST(torque_limits_of_mjcf_are_the_lowest_that_its_elements_say) {
    robot *r = load(temporary_file(
        "limits.xml",
        "<mujoco><default>\n<general forcerange='-3 7'/></default><worldbody>"
        "<body><joint name='a' actuatorfrcrange='-5 5'/><geom size='1'/>"
        "<body><joint name='b'/><geom size='1'/>\n<body><joint name='c' actuatorfrcrange='-2 2'/>"
        "<geom size='1'/></body></body></body></worldbody><actuator>\n"
        "<motor joint='a' ctrlrange='-1 1' gear='6'/><position joint='b'/>\n"
        "<motor joint='c' gear='0.5'/></actuator></mujoco>"));
    CHECK_NEAR(r->joints[0].link->effort.value, 5, 0);
    CHECK_NEAR(r->joints[1].link->effort.value, 7, 0); /* of its class, which has no name */
    CHECK_NEAR(r->joints[2].link->effort.value, 2, 0);
    CHECK(r->joints[0].link->effort.line == 2 && r->joints[2].link->effort.line == 3);
    robot_destroy(r);
}

TEST(mistakes_in_mjcf_are_told_with_line) {
    check_refusal("a.xml", "<robot/>",
                  "a.xml:1:1: is not MJCF: it begins with <robot>, not with <mujoco>");
    CHECK_CONTAINS(
        refusal("a.xml", "<mujoco>\n<worldbody>\n<body mass='1'/></worldbody></mujoco>"),
        "a.xml:3:1: MuJoCo: XML Error: Schema violation: unrecognized attribute: 'mass' Element "
        "'body'; this is MuJoCo ");
    CHECK_CONTAINS(refusal("a.xml", "<mujoco><asset>\n<mesh file='none.stl'/></asset><worldbody>"
                                    "<body name='A'><joint/><geom type='mesh' mesh='none'/>"
                                    "</body></worldbody></mujoco>"),
                   MUJOCO_IS_3 ? "a.xml:2:1: MuJoCo: Error: Error opening file '"
                               : "a.xml:2:1: MuJoCo: Error: could not open STL file '");
    CHECK_CONTAINS(refusal("a.xml", "<mujoco><include file='none.xml'/></mujoco>"),
                   "none.xml': No such file or directory");
}

TEST(nothing_is_written_into_the_working_directory) {
    CHECK(access("MUJOCO_LOG.TXT", F_OK) != 0);
    (void)refusal("a.xml", "<mujoco><worldbody><body/></worldbody></mujoco>");
    CHECK(access("MUJOCO_LOG.TXT", F_OK) != 0);
    CHECK(mju_user_error == NULL && mju_user_warning == NULL);
}
