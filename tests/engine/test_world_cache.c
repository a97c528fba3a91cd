/* SPDX-License-Identifier: MIT
 * Worlds that are kept: as world_load makes them, to the bit, and made anew when anything is
 * another. Files that were changed a moment ago are not trusted, so that these tests take those of
 * the source tree, or wait.
 */
#include "mujoco/world_cache.h"

#include <time.h>

#include "document/auto.h"
#include "mujoco/simulation.h"
#include "worlds.h"

OWNS(world_cache, world_cache_destroy)

static const char wrist[] = SOURCES "/sample_projects/wrist/wrist.cnoid";
static const char arm[] = SOURCES "/sample_projects/two_link/two_link.cnoid";

#define ODD_BODY ARM_BODY "body_handlers: Handler\n"

static world *take(world_cache *c, const char *path, world_options options) {
    stiction_error error;
    options.log = keep_warning;
    warnings[0] = '\0';
    world *w = world_cache_take(c, path, &options, &error);
    if (!w) FAIL("%s", error.message);
    return w;
}

static void check_counts(const world_cache *c, size_t made, size_t again) {
    size_t m, a;
    world_cache_count(c, &m, &a);
    if (m != made || a != again)
        FAIL("%zu were made and %zu given again, instead of %zu and %zu", m, a, made, again);
}

TEST(world_of_the_same_options_is_given_again) {
    OWNED(world_cache) *c = world_cache_create();
    for (int k = 0; k < 3; k++) {
        world_cache_return(c, take(c, wrist, world_options_default()));
        world_cache_return(c, take(c, arm, world_options_default()));
    }
    check_counts(c, 2, 4);
}

TEST(every_option_makes_another_world) {
    world_options o[8];
    for (int k = 0; k < 8; k++) o[k] = world_options_default();
    o[1].timestep = 0.002;
    o[2].gravity[0] = 1;
    o[3].gravity[2] = -5;
    o[4].integrator = WORLD_RK4;
    o[5].duration = 3;
    o[6].simulator = "AISTSimulator";
    o[7].memory_per_joint = 19;
    OWNED(world_cache) *c = world_cache_create();
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < 8; k++) {
            world *w = take(c, wrist, o[k]);
            CHECK_SAME(w->model->opt.timestep, k == 1 ? 0.002 : 0.001);
            CHECK_SAME(w->model->opt.gravity[0], k == 2 ? 1 : 0);
            CHECK_SAME(w->model->opt.gravity[2], k == 3 ? -5 : -9.80665);
            CHECK(w->model->opt.integrator == (k == 4 ? mjINT_RK4 : mjINT_EULER));
            CHECK_SAME(w->duration, k == 5 ? 3 : 6);
            CHECK(w->model->nuserdata == (k == 7 ? 19 : 0));
            world_cache_return(c, w);
        }
    check_counts(c, 8, 8);
}

TEST(what_a_simulation_did_to_the_model_is_gone) {
    OWNED(world_cache) *c = world_cache_create();
    for (int k = 0; k < 3; k++) {
        world *w = take(c, wrist, world_options_default());
        CHECK_SAME(w->model->dof_frictionloss[0], 0);
        CHECK(!(w->model->opt.enableflags & mjENBL_ENERGY));
        w->model->dof_frictionloss[0] = 2.5;
        w->model->opt.enableflags |= mjENBL_ENERGY;
        world_cache_return(c, w);
    }
    check_counts(c, 1, 2);
}

TEST(one_that_is_in_use_is_not_given_twice) {
    OWNED(world_cache) *c = world_cache_create();
    world *a = take(c, wrist, world_options_default()),
          *b = take(c, wrist, world_options_default());
    CHECK(a != b && a->model != b->model);
    world_cache_return(c, a);
    world_cache_return(c, b);
    check_counts(c, 2, 0);
}

TEST(world_comes_with_its_warnings_until_a_file_changes) {
    OWNED(world_cache) *c = world_cache_create();
    const char *path =
        temporary_file("test.cnoid", PROJECT_HEAD BODY_ITEM("Arm", "arm.body", "") SIMULATOR);
    (void)temporary_file("arm.body", ODD_BODY);
    const struct timespec until_it_is_old = {1, 100000000};
    (void)nanosleep(&until_it_is_old, NULL);
    for (int k = 0; k < 2; k++) {
        world_cache_return(c, take(c, path, world_options_default()));
        CHECK_CONTAINS(warnings, "body_handlers are not run\n");
    }
    check_counts(c, 1, 1);
    (void)temporary_file("arm.body", BOX_BODY);
    world *w = take(c, path, world_options_default());
    CHECK(w->joint_count == 0);
    world_cache_return(c, w);
    check_counts(c, 2, 1);
    /* and at once again: too young to be kept */
    (void)temporary_file("arm.body", ARM_BODY);
    w = take(c, path, world_options_default());
    CHECK(w->joint_count == 2);
    world_cache_return(c, w);
    check_counts(c, 3, 1);
}

TEST(more_worlds_than_are_kept_are_made_as_well) {
    OWNED(world_cache) *c = world_cache_create();
    for (int turn = 0; turn < 2; turn++)
        for (int k = 1; k <= 40; k++) {
            world_options o = world_options_default();
            o.timestep = 1e-5 * k;
            world *w = take(c, wrist, o);
            CHECK_SAME(w->model->opt.timestep, 1e-5 * k);
            world_cache_return(c, w);
        }
}

TEST(world_that_cannot_be_made_is_told_every_time) {
    stiction_error error;
    world_options o = world_options_default();
    o.simulator = "Nobody";
    OWNED(world_cache) *c = world_cache_create();
    for (int k = 0; k < 2; k++) {
        CHECK(!world_cache_take(c, wrist, &o, &error));
        CHECK(strstr(error.message, "has no simulator item 'Nobody'"));
    }
}
