/*
 * Experiments: what the verdicts are, and that none can pass by not being measured.
 */
#include <math.h>

#include "check.h"
#include "reproduce/experiment_run.h"
#include "reproduce/experiments/law_curve.h"

static const experiment_quantity quantities[] = {
    {"number", "m", 1, 0.1, "", 1.2, 0.3, NULL, NULL},
    {"other number", "m", 1, 0.1, "", 2, 0.3, NULL, "for a reason"},
    {"words", "", 0, 0, "", (double)NAN, 0, "stays at zero", NULL},
    {"nothing said", "", 5, 1, "", (double)NAN, 0, NULL, NULL},
    {.name = NULL},
};

static const experiment_parameter parameters[] = {
    {"F_S", 2.5, "N m", PRINTED, NULL},
    {.symbol = NULL},
};

/* Measures what the test is about to give it. */
static double given[4];

static void run(const experiment *self, experiment_run *out) {
    (void)self;
    for (int k = 0; k < 4; k++)
        if (!isnan(given[k])) experiment_measure(out, quantities[k].name, given[k]);
    experiment_curve *curve =
        experiment_add_curve(experiment_add_plot(out, "p", "x (s)", "y (m)"), "c");
    for (int k = 0; k < 1000; k++) experiment_add_point(curve, k, 2 * k);
}

static const experiment made_up = {
    .id = "X.fig1", .parameters = parameters, .quantities = quantities, .run = run};

static experiment_run *perform(double a, double b, double c, double d) {
    const double values[4] = {a, b, c, d};
    memcpy(given, values, sizeof given);
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
    experiment_run *r = perform(1.05, (double)NAN, 0, 5.5);
    CHECK(experiment_judge(r, 1) == VERDICT_FAILED);
    CHECK(!experiment_holds(r));
    experiment_run_destroy(r);
}

TEST(a_parameter_that_is_not_listed_spoils_what_uses_it) {
    CHECK_NEAR(experiment_value(&made_up, "F_S"), 2.5, 0);
    CHECK(isnan(experiment_value(&made_up, "F_C")));
}

TEST(every_experiment_says_what_it_shows_and_where_its_numbers_come_from) {
    for (size_t k = 0; experiments[k]; k++) {
        const experiment *e = experiments[k];
        CHECK(e->id && e->title && *e->title && e->shows && *e->shows && e->seconds > 0 && e->run);
        CHECK(e->quantities && e->quantities[0].name && e->parameters && e->parameters[0].symbol);
        for (const experiment_quantity *q = e->quantities; q->name; q++) {
            if (!(q->tolerance >= 0 && isfinite(q->ours)) || !q->why || !*q->why)
                FAIL("%s: '%s' lacks a number, a tolerance or its reason", e->id, q->name);
            /* a number of the paper that ours is not must have a reason */
            if (!isnan(q->paper) && fabs(q->ours - q->paper) > q->paper_tolerance && !q->differs)
                FAIL("%s: '%s' differs without a reason", e->id, q->name);
        }
        for (const experiment_parameter *p = e->parameters; p->symbol; p++)
            if ((p->source == CORRECTED || p->source == INFERRED) && (!p->note || !*p->note))
                FAIL("%s: %s was corrected or inferred, and nothing says from what", e->id,
                     p->symbol);
    }
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
