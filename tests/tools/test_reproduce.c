/* SPDX-License-Identifier: MIT
 * Experiments: what the verdicts are, and that none can pass by not being measured.
 */
#include <math.h>

#include "check.h"
#include "reproduce/experiment_run.h"
#include "reproduce/experiments/wrist.h"

static const experiment_quantity made_up_quantities[] = {
    NUMBER("number", "m", 1, 0.1, "", 1.2, 0.3),
    NUMBER_DIFFERS("other number", "m", 1, 0.1, "", 2, 0.3, "for a reason"),
    CLAIM("words", "", 0, 0, "", "stays at zero"),
    OURS("nothing said", "", 5, 1, ""),
};

static const experiment_parameter made_up_parameters[] = {
    {"F_S", 2.5, "N m", PRINTED, NULL},
};

/* Measures what the test is about to give it. */
static double given[5];
static size_t given_count = 4;

static void run_made_up(const experiment *self, experiment_run *out) {
    (void)self;
    measure_all(out, given_count, given);
    experiment_curve *curve = add_curve(add_plot(out, "p", "x (s)", "y (m)"), "c");
    for (int k = 0; k < 1000; k++) add_point(curve, k, 2 * k);
    add_band(out->plots[0], 100, 200, "here");
    add_band(out->plots[0], 300, 400, "here");
}

static const experiment made_up = {.id = "X.fig1", PARTS(made_up)};

static experiment_run *perform(double a, double b, double c, double d) {
    const double values[4] = {a, b, c, d};
    memcpy(given, values, sizeof values);
    return experiment_perform(&made_up);
}

TEST(verdicts_compare_with_the_paper_only_while_our_own_number_holds) {
    experiment_run *r = perform(1.05, 1.05, 0, 5.5);
    CHECK(experiment_judge(r, 0) == VERDICT_REPRODUCED);
    CHECK(experiment_judge(r, 1) == VERDICT_DIFFERS);
    CHECK(experiment_judge(r, 2) == VERDICT_CLAIM);
    CHECK(experiment_judge(r, 3) == VERDICT_OURS);
    CHECK(experiment_holds(r));
    CHECK(r->plot_count == 1 && r->plots[0]->curves[0]->count == 1000);
    plot_series series;
    const plot view = experiment_plot_view(r->plots[0], &series);
    CHECK(view.band_count == 2 && view.bands[1].from == 300 &&
          strcmp(view.band_label, "here") == 0);
    experiment_run_destroy(r);
}

TEST(a_quantity_outside_of_its_tolerance_fails_and_so_does_the_experiment) {
    /* as near to the paper as it may be, but not where we say that it is */
    experiment_run *r = perform(1.2, 1.05, 0, 5.5);
    CHECK(experiment_judge(r, 0) == VERDICT_FAILED);
    CHECK(!experiment_holds(r));
    experiment_run_destroy(r);
}

TEST(a_quantity_that_is_not_measured_fails) {
    given_count = 3;
    experiment_run *r = perform(1.05, 1.05, 0, 5.5);
    CHECK(experiment_judge(r, 2) == VERDICT_CLAIM && experiment_judge(r, 3) == VERDICT_FAILED);
    CHECK(!experiment_holds(r));
    experiment_run_destroy(r);
    given_count = 5; /* one value more than there are quantities */
    r = perform(1.05, 1.05, 0, 5.5);
    CHECK(experiment_judge(r, 3) == VERDICT_OURS && !experiment_holds(r));
    experiment_run_destroy(r);
    given_count = 4;
}

TEST(a_parameter_that_is_not_listed_spoils_what_uses_it) {
    CHECK_NEAR(param(&made_up, "F_S"), 2.5, 0);
    CHECK(isnan(param(&made_up, "F_C")));
}

TEST(every_experiment_says_what_it_shows_and_where_its_numbers_come_from) {
    for (size_t k = 0; k < EXPERIMENT_COUNT; k++) {
        const experiment *e = experiments[k];
        CHECK(e->id && e->title && *e->title && e->shows && *e->shows && e->seconds > 0 && e->run);
        CHECK(e->quantity_count > 0 && e->parameter_count > 0);
        for (const experiment_quantity *q = e->quantities; q < e->quantities + e->quantity_count;
             q++) {
            if (!(q->tolerance >= 0 && isfinite(q->ours)) || !q->why || !*q->why)
                FAIL("%s: '%s' lacks a number, a tolerance or its reason", e->id, q->name);
            /* a number of the paper that ours is not must have a reason */
            if (!isnan(q->paper) && fabs(q->ours - q->paper) > q->paper_tolerance && !q->differs)
                FAIL("%s: '%s' differs without a reason", e->id, q->name);
        }
        for (const experiment_parameter *p = e->parameters; p < e->parameters + e->parameter_count;
             p++)
            if ((p->source == CORRECTED || p->source == INFERRED) && (!p->note || !*p->note))
                FAIL("%s: %s was corrected or inferred, and nothing says from what", e->id,
                     p->symbol);
    }
}

/* ---- the papers ---- */

/* Every quantity of the experiments whose ids begin like this is what we state. */
static void check_experiments(const char *letters) {
    size_t count = 0;
    for (size_t k = 0; k < EXPERIMENT_COUNT; k++) {
        const experiment *e = experiments[k];
        if (strncmp(e->id, letters, strlen(letters)) != 0) continue;
        experiment_run *r = experiment_perform(e);
        for (size_t q = 0; q < e->quantity_count; q++)
            if (experiment_judge(r, q) == VERDICT_FAILED)
                FAIL("%s: '%s' is %.9g, not %.9g", e->id, e->quantities[q].name, r->measured[q],
                     e->quantities[q].ours);
        CHECK(experiment_holds(r));
        experiment_run_destroy(r);
        count++;
    }
    CHECK(count >= 3);
}

TEST(cisneros_et_al) {
    check_experiments("S.");
}
TEST(kikuuwe_et_al) {
    check_experiments("K.");
}
TEST(kikuuwe_and_yamamoto) {
    check_experiments("R.");
}
TEST(dupont_et_al) {
    check_experiments("E.");
}
TEST(drincic_and_bernstein) {
    check_experiments("B.");
}

TEST(the_curve_of_a_joint_has_its_stribeck_exponent) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "stribeck";
    def.static_torque = 2.5;
    def.coulomb_torque = 0.4;
    def.stribeck_velocity = 0.06;
    def.stribeck_exponent = 2;
    def.viscous = 4.5;
    def.stiffness = 5000;
    def.damping = 50;
    const law_curve curve = law_curve_of(&def, 0.001);
    CHECK_NEAR(law_curve_phi(&curve, 0.03), 0.4 + 2.1 * exp(-0.25) + 4.5 * 0.03, 1e-14);
}
