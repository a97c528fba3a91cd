/*
 * Conditions: what they hold of, and what is no condition.
 */
#include "check.h"
#include "sweep/condition.h"

static const struct {
    const char *name, *text;
} values[] = {
    {"kp", "50"},
    {"controller.kv", "5"},
    {"law", "stribeck"},
    {"integral", "true"},
    {"static_torque", "2.5"},
    {"coulomb_torque", "0.4"},
    {"stop_time", "null"},
    {"RWRR.rms_tracking_error", "1.25e-2"},
    {"joints.*WR*.viscous", "4.5"},
    {"order", "and"},
    {"empty", ""},
};

static const char *text_of(void *user, const char *name) {
    ++*(int *)user;
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        if (strcmp(values[k].name, name) == 0) return values[k].text;
    return NULL;
}

static int asked;
static const condition_names names = {&asked, text_of};

/* 1: it holds; 0: it does not; -1: that is not known; -2: it is no condition */
static int ask(const char *text) {
    char *mistake;
    condition *c = condition_read(text, &mistake);
    if (!c) {
        CHECK(mistake && strncmp(mistake, "column ", 7) == 0);
        free(mistake);
        return -2;
    }
    bool holds = true;
    const bool known = condition_holds(c, &names, &holds);
    char *problem = condition_problem(c, &names);
    CHECK(known == !problem);
    CHECK(known || !holds);
    free(problem);
    condition_free(c);
    return known ? holds : -1;
}

static void check_asked(const char *text, int expected) {
    const int answer = ask(text);
    if (answer != expected) FAIL("%s: %d, expected %d", text, answer, expected);
}

TEST(numbers_are_compared) {
    check_asked("kp > 20", 1);
    check_asked("kp>50", 0);
    check_asked("kp>=50", 1);
    check_asked("kp <= 49.999", 0);
    check_asked("kp == 5e1", 1);
    check_asked("kp != 50.0", 0);
    check_asked("static_torque > coulomb_torque", 1);
    check_asked("coulomb_torque < .5", 1);
    check_asked("RWRR.rms_tracking_error <= 0.0125", 1);
    check_asked("0 < controller.kv < kp", 1);
    check_asked("0 < controller.kv < 5", 0);
    check_asked("`joints.*WR*.viscous` == 4.5", 1);
}

TEST(arithmetic_goes_before_comparison_and_from_the_left) {
    check_asked("kp * 2 <= 100", 1);
    check_asked("1 + 2 * 3 == 7", 1);
    check_asked("(1 + 2) * 3 == 9", 1);
    check_asked("10 - 4 - 3 == 3", 1);
    check_asked("64 / 4 / 2 == 8", 1);
    check_asked("-kp < -49", 1);
    check_asked("2 - -3 == 5", 1);
    check_asked("min(kp, 3, 9) == 3", 1);
    check_asked("max(1, kp / 2, 3) == 25", 1);
    check_asked("min(4) == 4", 1);
    check_asked("abs(3 - kp) == 47", 1);
    check_asked("sqrt(2 * kp) == 10", 1);
    check_asked("1 / 0 > 5", 1);
    check_asked("0 / 0 == 0 / 0", 1); /* both are null */
}

TEST(truths_are_joined_and_binds_tighter_than_or) {
    check_asked("kp > 20 && controller.kv < 9", 1);
    check_asked("kp > 20 and controller.kv > 9", 0);
    check_asked("kp > 60 || controller.kv == 5", 1);
    check_asked("kp > 0 or kp > 60 and kp > 70", 1);
    check_asked("(kp > 0 or kp > 60) and kp > 70", 0);
    check_asked("not kp > 60", 1);
    check_asked("!(kp > 20)", 0);
    check_asked("not not integral", 1);
    check_asked("integral and kp", 1);
    check_asked("order == 'and'", 1);
}

TEST(texts_are_compared_by_their_letters) {
    check_asked("law == stribeck", 1);
    check_asked("law != stribeck", 0);
    check_asked("law == 'stribeck'", 1);
    check_asked("law == \"coulomb\"", 0);
    check_asked("law != coulomb", 1);
    check_asked("law == kp", 0);          /* a name goes before a word */
    check_asked("law == `stribeck`", -1); /* a name for certain */
    check_asked("kp == '50.0'", 1);       /* both are numbers */
    check_asked("law == 2 + 3", 0);
}

TEST(a_null_is_not_above_below_or_equal_to_a_number) {
    check_asked("stop_time < 1", 0);
    check_asked("stop_time >= 1", 0);
    check_asked("stop_time == 0", 0);
    check_asked("stop_time == null", 1);
    check_asked("kp == null", 0);
    check_asked("empty == null", 1);
    check_asked("min(stop_time, 1) < 2", 0);
    check_asked("max(1, stop_time) < 2", 0);
    check_asked("stop_time + 1 < 2", 0);
}

TEST(a_name_without_a_value_and_a_text_for_a_number_are_told) {
    check_asked("kq > 20", -1);
    check_asked("kp > kq", -1);
    check_asked("law > 20", -1);
    check_asked("law + 1 == 2", -1);
    check_asked("law", -1);
    check_asked("stribeck == law", -1);
    char *mistake;
    condition *c = condition_read("kp > 0 && law * 2 > 1", &mistake);
    char *problem = condition_problem(c, &names);
    CHECK(problem && strcmp(problem, "'law' is 'stribeck', which is no number") == 0);
    free(problem);
    condition_free(c);
}

TEST(what_is_decided_asks_no_more) {
    check_asked("kp < 0 && kq > 1", 0);
    check_asked("kp > 0 || kq > 1", 1);
}

TEST(names_are_listed_once_with_their_columns) {
    char *mistake;
    condition *c = condition_read("kp > 2 and `a-b` < kp * RWRR.x and law == stribeck", &mistake);
    CHECK(c && condition_name_count(c) == 4);
    if (!c) return;
    CHECK(strcmp(condition_name(c, 0), "kp") == 0 && condition_name_column(c, 0) == 1);
    CHECK(strcmp(condition_name(c, 1), "a-b") == 0 && condition_name_column(c, 1) == 12);
    CHECK(strcmp(condition_name(c, 2), "RWRR.x") == 0 && condition_name_column(c, 2) == 25);
    CHECK(strcmp(condition_name(c, 3), "law") == 0 && condition_name_column(c, 3) == 36);
    condition_free(c);
    condition_free(NULL);
}

TEST(a_number_may_be_asked_for) {
    char *mistake;
    double value;
    condition *c = condition_read_number("RWRR.rms_tracking_error * 4 + 1", &mistake);
    CHECK(c && condition_number(c, &names, &value) && value == 1.05);
    condition_free(c);
    c = condition_read_number("stop_time", &mistake);
    CHECK(c && condition_number(c, &names, &value) && isnan(value));
    condition_free(c);
    c = condition_read_number("kq", &mistake);
    CHECK(c && !condition_number(c, &names, &value) && isnan(value));
    condition_free(c);
    CHECK(!condition_read_number("kp > 2", &mistake));
    CHECK(mistake && strcmp(mistake, "column 1: a number must stand here, not a comparison") == 0);
    free(mistake);
}

static void check_mistake(const char *text, const char *expected) {
    char *mistake = NULL;
    condition *c = condition_read(text, &mistake);
    CHECK(!c);
    if (!mistake || strncmp(mistake, expected, strlen(expected)) != 0)
        FAIL("%s: '%s', expected '%s'", text, mistake ? mistake : "", expected);
    free(mistake);
    condition_free(c);
}

TEST(mistakes_have_their_column) {
    check_mistake("", "column 1: nothing stands here");
    check_mistake("  ", "column 1: nothing stands here");
    check_mistake("kp >", "column 5: something must stand behind this");
    check_mistake("kp > > 2", "column 6: a name, a number or a text must stand here, not '>'");
    check_mistake("kp = 2", "column 4: equal is ==");
    check_mistake("kp => 2", "column 4: equal is ==");
    check_mistake("(kp > 2", "column 1: the ( is not closed");
    check_mistake("kp > 2)", "column 7: ')' is too much");
    check_mistake("kp > 2 kv", "column 8: 'kv' is too much");
    check_mistake("min(kp, 2 > 1", "column 9: a number must stand here, not a comparison");
    check_mistake("min(kp, 2 < 1", "column 9: a number");
    check_mistake("abs(kp, 2) < 1", "column 7: the ( of abs is not closed; it takes one number");
    check_mistake("sin(kp) < 1", "column 1: there is no function 'sin'; there are min, max, abs");
    check_mistake("20", "column 1: a condition must stand here, such as kp > 20, not a number");
    check_mistake("'a'", "column 1: a condition must stand here, such as kp > 20, not a text");
    check_mistake("kp + 1", "column 1: a condition must stand here");
    check_mistake("kp > 1 and 3", "column 12: a condition must stand here");
    check_mistake("not 3", "column 5: a condition must stand here");
    check_mistake("law == 'a", "column 8: the ' is not closed");
    check_mistake("`` > 2", "column 1: a name must stand in the ``");
    check_mistake("kp > 'a'", "column 6: a number must stand here, not the text 'a'");
    check_mistake("kp > 20rad", "column 6: '20rad' is no number");
    check_mistake("kp > 1e999", "column 6: '1e999' is no number");
    check_mistake("kp > 1.2.3", "column 6: '1.2.3' is no number");
    check_mistake("(kp > 1) == (kv > 2)", "column 1: comparisons cannot be compared");
    check_mistake("(kp > 1) + 1 > 2", "column 1: a number must stand here, not a comparison");
    check_mistake("joints.*.law == a", "column 1: a name with * ? [ or - in it stands in");
}

TEST(deep_and_long_ones_are_refused) {
    char text[5000];
    memset(text, '(', 200);
    strcpy(text + 200, "kp");
    check_mistake(text, "column 101: it is nested more than 100 deep");
    memset(text, '!', 200);
    check_mistake(text, "column 100: it is nested more than 100 deep");
    memset(text, '-', 200);
    check_mistake(text, "column 100: it is nested more than 100 deep");
    memset(text, 'a', 4001);
    text[4001] = '\0';
    check_mistake(text, "column 1: it has more than 4000 characters");
    /* as long as may be, and as deep for the walk */
    strcpy(text, "1");
    for (int k = 0; k < 1990; k++) strcpy(text + 1 + 2 * k, "+1");
    strcat(text, ">1");
    check_asked(text, 1);
}

TEST(numbers_are_written_as_elsewhere) {
    check_asked("kp == 5E1", 1);
    check_asked("kp == 0.5e+2", 1);
    check_asked("kp == 5000e-2", 1);
    check_asked("kp > .5e1", 1);
    check_asked("coulomb_torque == 4e-1", 1);
    check_mistake("kp > 1e", "column 6: '1e' is no number");
    check_mistake("kp > 1e+", "column 6: '1e' is no number");
    check_mistake("kp > .", "column 6: a name, a number or a text must stand here, not '.'");
}

TEST(words_of_functions_may_be_names) {
    check_asked("max(kp, 60, 1) == 60", 1);
    check_asked("max(60, kp) == 60", 1);
    check_asked("min(kp) == 50", 1);
    check_asked("sqrt(kp * 2) == 10", 1);
    check_asked("max(stop_time, 1) > 0", 0); /* of a null there is none */
    check_asked("min(1, stop_time) > 0", 0);
    check_asked("kp == max", 0); /* no name has it: a word */
    check_asked("max > 3", -1);  /* a name that has no value */
    check_asked("_x == 1", -1);
    check_asked("\xC3\xA9t\xC3\xA9 > 1", -1);
    check_asked("a:b > 1", -1);
    check_mistake("kp > min(1, 2", "column 14: the ( of min is not closed");
    check_mistake("kp. > 1", "column 1: a name with * ? [ or - in it stands in backquotes");
    check_mistake("a?b > 1", "column 1: a name with * ? [");
    check_mistake("a[1] > 1", "column 1: a name with * ? [");
    check_mistake("kp =< 2", "column 4: equal is ==");
    check_mistake("1 == (kp > 2)", "column 1: comparisons cannot be compared");
}

TEST(settings_that_are_truths_are_asked_as_such) {
    check_asked("integral", 1);
    check_asked("not integral", 0);
    check_asked("kp", 1);
    check_asked("kp && !integral", 0);
    check_asked("law", -1); /* neither true nor false */
    check_asked("law or kp > 1", -1);
    check_asked("not law", -1);
    check_asked("nothing or nobody", -1);
    check_asked("kp > 100 or law", -1);
    check_asked("nothing == 3", -1);
    check_asked("kp == nothing", 0);
    check_asked("nothing + 1 == 3", -1);
    check_asked("nothing < nobody", -1);
}

TEST(nulls_are_equal_to_null_alone) {
    check_asked("stop_time == null", 1);
    check_asked("stop_time != null", 0);
    check_asked("empty == null", 1);
    check_asked("empty == stop_time", 1);
    check_asked("kp == null", 0);
    check_asked("stop_time == kp", 0);
    check_asked("stop_time == law", 0);
    check_asked("stop_time + 1 == null", 1); /* of a null nothing can be computed */
    check_asked("kp + 1 == law", 0);
    check_asked("law == kp + 1", 0);
}

TEST(functions_take_a_bounded_number_of_numbers) {
    for (int count = 50; count <= 51; count++) {
        char text[300] = "min(1";
        for (int k = 1; k < count; k++) (void)strcat(text, ",1");
        (void)strcat(text, ") > 0");
        if (count == 50)
            check_asked(text, 1);
        else
            check_mistake(text, "column 105: min takes at most 50 numbers");
    }
}
