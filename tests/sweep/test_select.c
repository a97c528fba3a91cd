/* SPDX-License-Identifier: MIT
 * SQL expressions over named values: results, names, errors, and what they cannot reach.
 */
#include "check.h"
#include "sweep/select.h"

static const struct {
    const char *name, *text;
} values[] = {
    {"kp", "50"},         {"controller.kv", "5"},        {"law", "stribeck"},
    {"integral", "true"}, {"static_torque", "2.5"},      {"stop_time", ""},
    {"order", "and"},     {"RWRR.rms_error", "1.25e-2"}, {"joints.*WR*.viscous", "4.5"},
};

static const char *value_of(void *user, const char *name) {
    (void)user;
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        if (strcmp(values[k].name, name) == 0) return values[k].text;
    return NULL;
}

/* 1: it holds; 0: it does not; -1: evaluation fails; -2: it cannot be read */
static int ask(const char *sql) {
    stiction_error error = {.status = STICTION_OK};
    sweep_select *s = sweep_select_read(sql, &error);
    if (!s) {
        CHECK(error.status == STICTION_INVALID_CONFIG && *error.message);
        return -2;
    }
    bool holds;
    const bool fine = sweep_select_holds(s, value_of, NULL, &holds, &error);
    CHECK(fine == (error.status == STICTION_OK));
    sweep_select_free(s);
    return fine ? holds : -1;
}

static void check_all(const char *const *list, int expected) {
    for (; *list; list++)
        if (ask(*list) != expected) FAIL("%s: %d, expected %d", *list, ask(*list), expected);
}

TEST(expressions_hold_or_not) {
    check_all((const char *const[]){"kp > 20",
                                    "kp == 5e1",
                                    "kp = 50",
                                    "controller.kv < kp",
                                    "RWRR.rms_error <= .0125",
                                    "\"joints.*WR*.viscous\" = 4.5",
                                    "`joints.*WR*.viscous` = 4.5",
                                    "abs(-kp) = 50",
                                    "kp * 2 <= 100 and not (kp < 50)",
                                    "max(kp, 60) == 60",
                                    "kp > 100 || law == 'stribeck'",
                                    "kp > 20 && law != coulomb",
                                    "law = stribeck",
                                    "integral == true",
                                    "order = 'and'",
                                    "stop_time IS NULL",
                                    "law in ('coulomb', 'stribeck')",
                                    "kp between 49 and 51",
                                    "law like 'stri%'",
                                    "!(kp > 60)",
                                    "0 < kp and kp < 60",
                                    "case when kp > 1 then kp < 60 end",
                                    NULL},
              1);
    check_all((const char *const[]){"kp > 50", "kp <> 50", "law = coulomb", "stop_time > 0",
                                    "stop_time <= 0", "not (kp = 50)", "kp > 20 and law = x", NULL},
              0);
}

TEST(unknown_names_are_errors) {
    check_all((const char *const[]){"ki > 5", "RWRR.peak > 0", "kp > coulomb", "\"k p\" = 1", NULL},
              -1);
    stiction_error error;
    sweep_select *s = sweep_select_read("law == coulomb and kp > ki and kp > 2", &error);
    CHECK(s && sweep_select_name_count(s) == 4);
    CHECK(strcmp(sweep_select_name(s, 3), "ki") == 0 && sweep_select_name_column(s, 3) == 25);
    CHECK(sweep_select_may_be_text(s, 1) && !sweep_select_may_be_text(s, 2));
    sweep_select_free(s);
}

TEST(invalid_expressions_are_refused) {
    check_all((const char *const[]){"", "kp >", "(kp > 1", "kp > 1)", "kp $ 2", "'open",
                                    "0 < kp < 9", "kp > 1; select 1", "stop_time == null",
                                    "kp -- 1", "kp, 1", "nosuch(kp)", NULL},
              -2);
    stiction_error error;
    CHECK(!sweep_select_read("kp > 2 ~ 3", &error) && error.column == 8);
}

TEST(tables_files_and_loops_are_out_of_reach) {
    check_all((const char *const[]){"(select 1 from sqlite_schema)", "exists (select 1)",
                                    "(with n(k) as (select 1 union all select k from n) select k "
                                    "from n)",
                                    NULL},
              -2);
    CHECK(ask("load_extension('x')") == -1);
    CHECK(ask("length(zeroblob(100000000)) > 1") == -1);
}

TEST(numbers_are_computed) {
    stiction_error error;
    double number;
    sweep_select *s = sweep_select_read("RWRR.rms_error + 0.01 * kp", &error);
    CHECK(s && sweep_select_number(s, value_of, NULL, &number, &error));
    CHECK_NEAR(number, 0.5125, 1e-15);
    sweep_select_free(s);
    s = sweep_select_read("stop_time * 2", &error);
    CHECK(s && sweep_select_number(s, value_of, NULL, &number, &error) && isnan(number));
    sweep_select_free(s);
    s = sweep_select_read("law", &error);
    CHECK(s && !sweep_select_number(s, value_of, NULL, &number, &error));
    sweep_select_free(s);
}
