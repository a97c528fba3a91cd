/* SPDX-License-Identifier: MIT
 * Without memory the loader fails, and neither crashes nor leaks: malloc and its kin are made to
 * fail one after the other by standing in their way.
 */
#include "load.h"
#include "sanitized.h"

static long countdown = -1; /* until an allocation fails, and all behind it; -1: never */
static long in_use, calls;

#ifndef SANITIZED /* which stands there already */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static bool fails(void) {
    calls++;
    if (countdown > 0) countdown--;
    return countdown == 0;
}

STICTION_API void *malloc(size_t size) {
    if (fails()) return NULL;
    in_use++;
    return __libc_malloc(size);
}
STICTION_API void *calloc(size_t count, size_t size) {
    if (fails()) return NULL;
    in_use++;
    return __libc_calloc(count, size);
}
STICTION_API void *realloc(void *memory, size_t size) {
    if (fails()) return NULL;
    if (!memory) in_use++;
    return __libc_realloc(memory, size);
}
STICTION_API void *aligned_alloc(size_t alignment, size_t size) {
    if (fails()) return NULL;
    in_use++;
    return __libc_memalign(alignment, size);
}
STICTION_API void free(void *memory) {
    if (memory) in_use--;
    __libc_free(memory);
}
#endif

static const char *text;
static size_t size;

/* All ways through the loader; false: something failed. */
static bool go_through(void) {
    const char *names[] = {"RWRR", "RWRY"};
    const stiction_override overrides[] = {
        {"joints.RWRY.viscous", "{uniform: [3, 5]}"}, {"seed", "4"}, {"law", "coulomb"}};
    stiction_config *config = NULL, *again = NULL, *none = NULL;
    stiction_model *model = NULL;
    stiction_batch *batch = NULL;
    const stiction_distribution d = {STICTION_LOG_UNIFORM, 0.1, 0.2};
    stiction_errors *errors = stiction_errors_create();
    char *written = NULL, *of_model = NULL;
    bool fine = errors != NULL;
    fine = stiction_config_parse(text, size, "f.yaml", &config, errors) == STICTION_OK && fine;
    fine = fine && stiction_config_override(config, overrides, 3, names, 2, errors) == STICTION_OK;
    fine = fine && stiction_config_check(config, names, 2, 0, errors) == STICTION_OK;
    fine = fine && stiction_model_create(config, names, 2, NULL, &model, NULL) == STICTION_OK;
    fine = fine && stiction_batch_create(model, 3, NULL, &batch, NULL) == STICTION_OK;
    fine = fine && stiction_batch_draw(batch, 1, 7, NULL) == STICTION_OK;
    fine = fine && stiction_config_set_distribution(config, "RWRR", "coulomb_torque", &d, NULL) ==
                       STICTION_OK;
    fine = fine && (written = stiction_config_write(config)) != NULL;
    fine = fine && (of_model = stiction_model_write(model)) != NULL;
    fine =
        fine && stiction_config_parse(written, strlen(written), NULL, &again, NULL) == STICTION_OK;
    /* and a text full of mistakes */
    fine = fine &&
           stiction_config_parse("a: {b: [*c]}", 12, "g", &none, errors) == STICTION_INVALID_CONFIG;
    fine = fine && stiction_errors_count(errors) == 4;
    stiction_free(written);
    stiction_free(of_model);
    stiction_batch_destroy(batch);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    stiction_config_destroy(again);
    stiction_errors_destroy(errors);
    return fine;
}

TEST(without_memory_nothing_crashes_or_leaks) {
    text = "stiction: 1\n"
           "models: [Wrist, HRP5P]\n"
           "timestep: 0.001\n"
           "profiles:\n"
           "  wrist: &w { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4,\n"
           "              stribeck_velocity: 0.06, stiffness: 5000, damping: 50 }\n"
           "joints:\n"
           "  RWRR: { profile: wrist }\n"
           "  RW*: { <<: *w, viscous: {uniform: [3, 4]}, damping: {normal: [50, 2]} }\n";
    size = strlen(text);
    CHECK(go_through()); /* and what the C library allocates once */
    if (calls == 0) {
        printf("skipped: a sanitizer or valgrind stands in the way of malloc\n");
        return;
    }
    long allocations = 0;
    bool fine = false;
    while (!fine && allocations < 100000) {
        const long before = in_use;
        countdown = ++allocations;
        fine = go_through();
        countdown = -1;
        if (in_use != before)
            FAIL("allocation %ld: %ld are not freed", allocations, in_use - before);
    }
    CHECK(fine);
    CHECK(allocations > 50);
}
