/* SPDX-License-Identifier: MIT
 * What an error adds after a name that is not in a list.
 */
#include "auto.h"
#include "check.h"
#include "document/names.h"

static const char *const few[] = {"run", "report", "sweep", "curve"};
static const char *const keys[] = {"timestep", "duration", "friction", "configuration", "joints."};

static void check_hint(const char *text, const char *const *list, size_t count,
                       const char *expected) {
    char hint[NAME_HINT_SIZE];
    (void)stiction_name_hint(text, list, count, hint);
    if (strcmp(hint, expected) != 0) FAIL("'%s': \"%s\", not \"%s\"", text, hint, expected);
}

TEST(patterns_match_whole_names) {
    static const struct {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"a", "a", true},       {"a", "ab", false},         {"", "", true},
        {"a*c", "abbc", true},  {"a*c", "abcd", false},     {"*b*d*", "abcde", true},
        {"a?c", "abc", true},   {"a?", "a", false},         {"a**", "a", true},
        {"[ab]1", "b1", true},  {"[a-c]", "b", true},       {"[!a-c]", "b", false},
        {"[]a]", "]", true},    {"[!]a]", "]", false},      {"[!]a]", "b", true},
        {"[", "[", true},       {"[!", "[!", true},         {"a]*[", "a]x[", true},
        {"*[b", "a[b", true},   {"[]", "[]", true},         {"[!]", "[!]", true},
        {"[a]b]", "ab]", true}, {"*[ab]c[", "xxbc[", true}, {"[a]*[b", "aa[b", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        if (stiction_name_matches(cases[k].pattern, cases[k].name) != cases[k].matches)
            FAIL("'%s' and '%s'", cases[k].pattern, cases[k].name);
}

/* A text of `count` bytes c, and one more. */
static char *repeated(char c, size_t count, char end) {
    char *text = calloc(count + 2, 1);
    if (!text) abort();
    memset(text, c, count);
    text[count] = end;
    return text;
}

/* All of these would take hours: the time is bounded by CTest's TIMEOUT. */
TEST(long_patterns_match_in_bounded_time) {
    AUTO(free_text)
    char *name = repeated('a', 2000000, 'a'), *long_pattern = repeated('a', 1000000, 'b');
    AUTO(free_text)
    char *brackets = repeated('[', NAME_MOST - 1, 'b'), *opened = repeated('[', 100000, 'a');
    long_pattern[0] = brackets[0] = '*';
    CHECK(!stiction_name_matches(long_pattern, name));
    CHECK(stiction_name_matches(long_pattern, long_pattern));
    CHECK(!stiction_name_matches(brackets, opened));
}

TEST(a_slip_of_the_hand_names_the_nearest) {
    check_hint("cruve", few, 4, "; the nearest is 'curve'");
    check_hint("CURVE", few, 4, "; the nearest is 'curve'");
    check_hint("ru", few, 4, "; the nearest is 'run'");
    check_hint("rep", few, 4, "; the nearest is 'report'");
    check_hint("timestp", keys, 5, "; the nearest is 'timestep'");
    check_hint("config", keys, 5, "; the nearest is 'configuration'");
}

TEST(a_name_far_from_all_gets_the_list_if_it_is_short) {
    check_hint("nope", few, 4, "; there are 'run', 'report', 'sweep' and 'curve'");
    check_hint("nope", few, 1, "; there is only 'run'");
    check_hint("", few, 2, "; there are 'run' and 'report'");
    check_hint("nope", few, 0, "");
    const char *const profile = "wrist_coulomb";
    check_hint("wrst", &profile, 1, "; there is only 'wrist_coulomb'");
    for (const char *const *text = (const char *const[]){"coupling", "strict", "models", NULL};
         *text; text++)
        check_hint(*text, keys, 5,
                   "; there are 'timestep', 'duration', 'friction', 'configuration' and 'joints.'");
}

TEST(many_or_long_names_are_not_listed) {
    const char *const long_name =
        "a_name_of_eighty_characters_or_more_that_nobody_would_type_again_"
        "and_which_fills_a_line_of_any_terminal";
    const char *many[20];
    for (size_t k = 0; k < 20; k++) many[k] = long_name;
    check_hint("nope", many, 20, "");
}
