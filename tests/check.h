/* SPDX-License-Identifier: MIT
 * The test harness: TEST(name) { ... } in a file makes a CTest case `file.name`.
 * tests/CMakeLists.txt reads the names from the source; the program runs the one it is given.
 */
#ifndef STICTION_TESTS_CHECK_H
#define STICTION_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sanitized.h"

typedef struct check_case {
    const char *name;
    void (*run)(void);
    struct check_case *next;
} check_case;

static check_case *check_cases;
static int check_failures;

#define TEST(test_name)                                                                            \
    static void test_name(void);                                                                   \
    static check_case check_case_##test_name = {#test_name, test_name, NULL};                      \
    __attribute__((constructor)) static void check_add_##test_name(void) {                         \
        check_case_##test_name.next = check_cases;                                                 \
        check_cases = &check_case_##test_name;                                                     \
    }                                                                                              \
    static void test_name(void)

/* Reports a failure and goes on, up to twenty times. */
#define FAIL(...)                                                                                  \
    do {                                                                                           \
        if (check_failures++ < 20) {                                                               \
            printf("%s:%d: ", __FILE__, __LINE__);                                                 \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
        }                                                                                          \
    } while (0)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) FAIL("not true: %s", #condition);                                        \
    } while (0)

/* |actual - expected| <= tolerance; a NaN anywhere fails. */
#define CHECK_NEAR(actual, expected, tolerance)                                                    \
    do {                                                                                           \
        const double check_a = (actual), check_e = (expected), check_t = (tolerance);              \
        if (!(fabs(check_a - check_e) <= check_t))                                                 \
            FAIL("%s = %.17g, expected %.17g within %.3g", #actual, check_a, check_e, check_t);    \
    } while (0)

/* The same bits, so that -0 is not 0 and a NaN equals itself. */
#define CHECK_SAME(actual, expected)                                                               \
    do {                                                                                           \
        const double check_a = (actual), check_e = (expected);                                     \
        if (memcmp(&check_a, &check_e, sizeof check_a) != 0)                                       \
            FAIL("%s = %.17g (%a), expected %.17g (%a)", #actual, check_a, check_a, check_e,       \
                 check_e);                                                                         \
    } while (0)

#define CHECK_CONTAINS(text, part)                                                                 \
    do {                                                                                           \
        const char *check_t = (text), *check_p = (part);                                           \
        if (!strstr(check_t, check_p)) FAIL("\"%s\" lacks \"%s\"", check_t, check_p);              \
    } while (0)

/* A call fails with a status and a message that contains a part. */
#define CHECK_REFUSED(call, status_, error_, part)                                                 \
    do {                                                                                           \
        CHECK((call) == (status_));                                                                \
        CHECK_CONTAINS((error_).message, part);                                                    \
    } while (0)

int main(int argc, char **argv) {
    int ran = 0;
    for (const check_case *c = check_cases; c; c = c->next)
        if (argc < 2 || strcmp(argv[1], c->name) == 0) {
            c->run();
            ran++;
        }
    if (check_failures > 20) printf("... and %d more\n", check_failures - 20);
    if (!ran) printf("no test named %s\n", argc > 1 ? argv[1] : "(any)");
    return ran && !check_failures ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
