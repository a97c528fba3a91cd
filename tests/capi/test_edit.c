/* SPDX-License-Identifier: MIT
 * Values written into a configuration file: what is edited changes, and every other byte stays.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "stiction/stiction.h"
#include "temporary.h"

static const char *const names[] = {"A", "B1", "B2", "D"};
enum { name_count = sizeof names / sizeof names[0] };

typedef struct edited {
    stiction_status status;
    char message[1700]; /* of the first error */
    char text[4096];    /* of the file */
} edited;

static void read_text(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    const size_t length = file ? fread(text, 1, size - 1, file) : 0;
    text[length] = '\0';
    if (file) (void)fclose(file);
}

static edited edit_file(const char *path, const stiction_override *overrides, size_t count) {
    edited e = {.message = ""};
    stiction_errors *errors = stiction_errors_create();
    e.status = stiction_config_edit_file(path, overrides, count, names, name_count, errors);
    if (stiction_errors_count(errors))
        (void)stiction_error_format(stiction_errors_at(errors, 0), e.message, sizeof e.message);
    stiction_errors_destroy(errors);
    read_text(path, e.text, sizeof e.text);
    return e;
}

static edited edit(const char *before, const stiction_override *overrides, size_t count) {
    return edit_file(temporary_file("c.yaml", before), overrides, count);
}

#define WITH(before, ...)                                                                          \
    edit(before, (const stiction_override[]){__VA_ARGS__},                                         \
         sizeof((const stiction_override[]){__VA_ARGS__}) / sizeof(stiction_override))

#define CHECK_TEXT(e, expected)                                                                    \
    do {                                                                                           \
        CHECK((e).status == STICTION_OK);                                                          \
        if (strcmp((e).text, expected) != 0)                                                       \
            FAIL("%s\nthe file is\n%s\nexpected\n%s", (e).message, (e).text, expected);            \
    } while (0)

#define HEAD                                                                                       \
    "# measured in May, \xC3\xA4\n"                                                                \
    "stiction: 1   # the format\n"                                                                 \
    "profiles:\n"                                                                                  \
    "  p:\n"                                                                                       \
    "    law: stribeck        # as in the paper\n"                                                 \
    "    static_torque: 2.5\n"                                                                     \
    "    coulomb_torque: 0.4\n"                                                                    \
    "    stribeck_velocity: 0.06\n"                                                                \
    "    viscous: 4.5         # D\n"                                                               \
    "    stiffness: 5000\n"                                                                        \
    "    damping: 50\n"                                                                            \
    "\n"                                                                                           \
    "joints:\n"

TEST(a_value_changes_where_it_stands) {
    edited e = WITH(HEAD "  A: { profile: p, viscous: 3 }   # the first\n"
                         "  \"B*\":\n    profile: p\n    viscous: 2  # low\n",
                    {"joints.A.viscous", "3.25"}, {"profiles.p.damping", "55"});
    char expected[sizeof HEAD + 200];
    (void)snprintf(expected, sizeof expected, "%s",
                   HEAD "  A: { profile: p, viscous: 3.25 }   # the first\n"
                        "  \"B*\":\n    profile: p\n    viscous: 2  # low\n");
    memcpy(strstr(expected, "damping: 50") + 9, "55", 2);
    CHECK_TEXT(e, expected);
}

TEST(a_value_of_a_profile_becomes_the_joints_own) {
    edited e = WITH(HEAD "  A: { profile: p }   # the first\n"
                         "  D:\n    profile: p  # the last\n",
                    {"joints.A.viscous", "3"}, {"joints.A.damping", "51"},
                    {"joints.D.static_torque", "2.75"});
    CHECK_TEXT(e, HEAD "  A: { profile: p, viscous: 3, damping: 51 }   # the first\n"
                       "  D:\n    profile: p  # the last\n    static_torque: 2.75\n");
}

TEST(a_joint_of_a_pattern_gets_an_entry_after_the_others) {
    edited e = WITH(HEAD "  \"B*\":\n    profile: p\n    viscous: 2  # low\n"
                         "  A: { profile: p }   # behind it\n"
                         "strict: false\n",
                    {"joints.B2.viscous", "3"});
    CHECK_TEXT(e, HEAD "  \"B*\":\n    profile: p\n    viscous: 2  # low\n"
                       "  A: { profile: p }   # behind it\n"
                       "  B2: { profile: p, viscous: 3 }\n"
                       "strict: false\n");
}

TEST(one_law_for_all_is_written_into_every_joint) {
    edited e =
        WITH(HEAD "  A: { profile: p, law: rational }\n  D: { profile: p }", {"law", "coulomb"});
    CHECK_TEXT(e, HEAD "  A: { profile: p, law: coulomb }\n  D: { profile: p, law: coulomb }");
}

TEST(a_key_of_the_top_level_is_replaced_or_added) {
    edited e = WITH("{ stiction: 1, timestep: 0.001, joints: {} }\n", {"timestep", "0.002"});
    CHECK_TEXT(e, "{ stiction: 1, timestep: 0.002, joints: {} }\n");
    e = WITH(HEAD "  A: { profile: p }\n", {"timestep", "0.002"});
    CHECK_TEXT(e, HEAD "  A: { profile: p }\ntimestep: 0.002\n");
}

TEST(line_ends_and_a_byte_order_mark_stay) {
    edited e = WITH("\xEF\xBB\xBFstiction: 1\r\njoints:\r\n"
                    "  A:\r\n    law: coulomb\r\n    coulomb_torque: 1\r\n"
                    "    stiffness: 5000\r\n    damping: 50\r\n",
                    {"joints.A.viscous", "3"}, {"joints.A.coulomb_torque", "2"});
    CHECK_TEXT(e, "\xEF\xBB\xBFstiction: 1\r\njoints:\r\n"
                  "  A:\r\n    law: coulomb\r\n    coulomb_torque: 2\r\n"
                  "    stiffness: 5000\r\n    damping: 50\r\n    viscous: 3\r\n");
}

#define SHARED                                                                                     \
    "stiction: 1\n"                                                                                \
    "joints:\n"                                                                                    \
    "  A: &a { law: coulomb, coulomb_torque: 1, stiffness: 5000, damping: 50 }\n"                  \
    "  B1: *a\n"                                                                                   \
    "  B2: { <<: *a, viscous: 1 }\n"

TEST(what_others_share_is_refused_and_the_file_stays) {
    edited e = WITH(SHARED, {"joints.B1.coulomb_torque", "2"});
    CHECK(e.status == STICTION_INVALID_CONFIG);
    CHECK_CONTAINS(e.message,
                   "c.yaml: these values cannot be written where they stand (an alias or "
                   "<< shares them with others");
    CHECK(strcmp(e.text, SHARED) == 0);
    /* its own value shares nothing */
    e = WITH(SHARED, {"joints.B2.viscous", "2"});
    CHECK(e.status == STICTION_OK);
    CHECK_CONTAINS(e.text, "  B2: { <<: *a, viscous: 2 }\n");
}

TEST(what_a_joint_takes_over_becomes_its_own_and_stays_that_of_others) {
    edited e = WITH(SHARED, {"joints.B2.coulomb_torque", "2"});
    CHECK(e.status == STICTION_OK);
    CHECK_CONTAINS(e.text, "A: &a { law: coulomb, coulomb_torque: 1, ");
    CHECK_CONTAINS(e.text, "  B2: { <<: *a, viscous: 1, coulomb_torque: 2 }\n");
    /* where it has nothing else, and where no joint would show a change of the profile */
    e = WITH("stiction: 1\nprofiles:\n"
             "  p: &p { law: coulomb, coulomb_torque: 1, stiffness: 5000, damping: 50 }\n"
             "  q: *p\njoints:\n  A: { <<: *p }\n",
             {"joints.A.damping", "60"});
    CHECK(e.status == STICTION_OK);
    CHECK_CONTAINS(e.text, "stiffness: 5000, damping: 50 }\n");
    CHECK_CONTAINS(e.text, "  A: { <<: *p , damping: 60}\n");
    e = WITH("stiction: 1\nprofiles:\n"
             "  p: &p { law: coulomb, coulomb_torque: 1, stiffness: 5000, damping: 50 }\n"
             "  q: *p\njoints: {}\n",
             {"profiles.q.damping", "60"});
    CHECK(e.status == STICTION_INVALID_CONFIG);
}

TEST(lines_are_counted_as_yaml_counts_them) {
    edited e = WITH("# a\xE2\x80\xA8# b\xC2\x85# c\nstiction: 1\njoints: {}\ntimestep: 0.001",
                    {"timestep", "0.002"});
    CHECK_TEXT(e, "# a\xE2\x80\xA8# b\xC2\x85# c\nstiction: 1\njoints: {}\ntimestep: 0.002");
    e = WITH("stiction: 1\r\njoints: {}", {"timestep", "0.002"});
    CHECK_TEXT(e, "stiction: 1\r\njoints: {}\r\ntimestep: 0.002");
}

TEST(a_wrong_value_is_reported_and_the_file_stays) {
    edited e = WITH(HEAD "  A: { profile: p }\n", {"joints.A.static_torque", "0.1"});
    CHECK(e.status == STICTION_INVALID_CONFIG);
    CHECK_CONTAINS(e.message, "static_torque 0.1 is below coulomb_torque 0.4");
    CHECK(strcmp(e.text, HEAD "  A: { profile: p }\n") == 0);
    e = WITH(HEAD "  A: { profile: p }\n", {"joints.E.viscous", "1"});
    CHECK_CONTAINS(e.message, "no joint with friction is called 'E'");
}

TEST(the_mode_of_the_file_and_a_link_to_it_stay) {
    const char *path = temporary_file("c.yaml", HEAD "  A: { profile: p }\n");
    const char *link = temporary_file("link.yaml", "");
    struct stat status;
    CHECK(chmod(path, 0640) == 0 && unlink(link) == 0 && symlink("c.yaml", link) == 0);
    const edited e = edit_file(link, &(stiction_override){"joints.A.viscous", "3"}, 1);
    CHECK_TEXT(e, HEAD "  A: { profile: p, viscous: 3 }\n");
    CHECK(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0640);
}

TEST(a_missing_file_is_reported) {
    const edited e = edit_file("no/such.yaml", &(stiction_override){"timestep", "0.002"}, 1);
    CHECK(e.status == STICTION_INVALID_CONFIG);
    CHECK_CONTAINS(e.message, "no/such.yaml: the file cannot be read: No such file");
    CHECK(stiction_config_edit_file(NULL, NULL, 0, NULL, 0, NULL) == STICTION_INVALID_ARGUMENT);
}

TEST(distributions_are_kept_and_written) {
    edited e =
        WITH(HEAD "  \"B*\": { profile: p, static_torque: {uniform: [2, 3]} }  # guessed\n"
                  "  A: { profile: p, viscous: {scale: [0.8, 1.2]} }   # the first\n",
             {"joints.B1.viscous", "3"}, {"joints.A.viscous", "{normal: [4, 0.5]}"}, {"seed", "9"});
    CHECK_TEXT(e, HEAD "  \"B*\": { profile: p, static_torque: {uniform: [2, 3]} }  # guessed\n"
                       "  A: { profile: p, viscous: { normal: [4, 0.5] } }   # the first\n"
                       "  B1: { profile: p, static_torque: { uniform: [2, 3] }, viscous: 3 }\n"
                       "seed: 9\n");
    e = WITH(HEAD "  A: { profile: p, viscous: {scale: [0.8, 1.2]} }   # the first\n",
             {"joints.A.viscous", "4"});
    CHECK_TEXT(e, HEAD "  A: { profile: p, viscous: 4 }   # the first\n");
}

TEST(a_list_changes_where_it_stands) {
    edited e = WITH(HEAD "  A: { profile: p, presliding_torque: [0.1, 0.2],  # two\n"
                         "       presliding_stiffness: [2000, 1000] }   # the first\n"
                         "  D:\n    profile: p\n    presliding_torque: [0.1]  # one\n"
                         "    presliding_stiffness: [500]\n",
                    {"joints.A.presliding_torque", "[0.05, 0.25]"},
                    {"joints.D.presliding_torque", "[0.1, 0.125]"},
                    {"joints.D.presliding_stiffness", "[500,300]"});
    CHECK_TEXT(e, HEAD "  A: { profile: p, presliding_torque: [0.05, 0.25],  # two\n"
                       "       presliding_stiffness: [2000, 1000] }   # the first\n"
                       "  D:\n    profile: p\n    presliding_torque: [0.1, 0.125]  # one\n"
                       "    presliding_stiffness: [500, 300]\n");
    /* a new one, and none */
    e = WITH(HEAD "  A: { profile: p }   # the first\n",
             {"joints.A.presliding_torque", "[0.1, 0.2]"},
             {"joints.A.presliding_stiffness", "[2000, 1000]"});
    CHECK_TEXT(e, HEAD "  A: { profile: p, presliding_torque: [0.1, 0.2], presliding_stiffness: "
                       "[2000, 1000] }   # the first\n");
    e = WITH(HEAD "  A: { profile: p, presliding_torque: [0.1], presliding_stiffness: [500] }\n",
             {"joints.A.presliding_torque", "[]"}, {"joints.A.presliding_stiffness", "[]"});
    CHECK_TEXT(e, HEAD "  A: { profile: p, presliding_torque: [], presliding_stiffness: [] }\n");
    /* in lines of its own it is left to the user */
    e = WITH(HEAD "  A:\n    profile: p\n    presliding_torque:\n      - 0.1\n"
                  "    presliding_stiffness: [500]\n",
             {"joints.A.presliding_torque", "[0.2]"});
    CHECK(e.status == STICTION_INVALID_CONFIG);
    CHECK_CONTAINS(e.message, "change the file by hand");
}

TEST(a_distribution_in_lines_of_its_own_is_left_to_the_user) {
    static const char *const texts[] = {
        HEAD "  A:\n    profile: p\n    viscous:\n      uniform: [3, 4]\n# end\n",
        HEAD "  A:\n    viscous:\n      uniform: [3, 4]\n    profile: p\n"};
    for (size_t k = 0; k < 2; k++) {
        edited e = WITH(texts[k], {"joints.A.viscous", k ? "4" : "{uniform: [4, 5]}"});
        CHECK(e.status == STICTION_INVALID_CONFIG);
        CHECK_CONTAINS(e.message, "change the file by hand");
        CHECK(strcmp(e.text, texts[k]) == 0);
    }
}
