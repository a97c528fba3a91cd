/*
 * How the slots of a batch are grouped, so that each group is one loop: by joint where there are
 * enough environments, since these mostly share their parameters, else by law alone.
 */
#include <stdlib.h>
#include <string.h>

#include "batch_internal.h"
#include "error_internal.h"

enum {
    block = STICTION_ELEMENT_C_BLOCK,
    number_count = STICTION_ELEMENT_C_NUMBERS,
    enough_environments = 16 /* for a column a joint */
};

const stiction_law *batch_law(const joint *j) {
    return j->law && j->model.element.step ? j->law : NULL;
}

/* A run of slots that may form columns: all of a joint, or all that there are. */
typedef struct run {
    size_t first, count;
} run;

static size_t slot_at(const batch_column *c, size_t k) {
    return c->slots ? c->slots[k] : c->first + k;
}

static void read_numbers(const stiction_batch *batch, batch_column *c, size_t k) {
    const stiction_element_c *from = &batch_joint(batch, slot_at(c, k))->model.element.c;
    double numbers[number_count];
    memcpy(numbers, from, sizeof numbers);
    double *to = c->numbers + (c->shared ? 0 : k / block * block * number_count + k % block);
    for (size_t n = 0; n < number_count; n++) to[n * (c->shared ? 1 : block)] = numbers[n];
}

static void refresh(const stiction_batch *batch, batch_column *c) {
    for (size_t k = 0; c->law && k < (c->shared ? 1 : c->count); k++) read_numbers(batch, c, k);
}

/* Zeroed, aligned to a cache line. */
static double *numbers_create(size_t count) {
    const size_t size = (count * sizeof(double) + 63) / 64 * 64;
    double *numbers = aligned_alloc(64, size);
    if (numbers) memset(numbers, 0, size);
    return numbers;
}

/* Which of the slots of a run belong to a column of this law. */
static bool fill_slots(const stiction_batch *batch, run r, batch_column *c) {
    c->slots = calloc(c->count, sizeof *c->slots);
    c->places = calloc(c->count, sizeof *c->places);
    if (!c->slots || !c->places) return false;
    for (size_t slot = r.first, k = 0; slot < r.first + r.count; slot++) {
        if (batch_law(batch_joint(batch, slot)) != c->law) continue;
        c->slots[k] = slot;
        c->places[k++] = batch_place(batch, slot);
    }
    return true;
}

static bool make_column(const stiction_batch *batch, run r, batch_column *c) {
    size_t from_batch = 0; /* slots that have the joint of the first one */
    const joint *first = NULL;
    c->first = r.first;
    for (size_t slot = r.first; slot < r.first + r.count; slot++) {
        const joint *j = batch_joint(batch, slot);
        if (batch_law(j) != c->law) continue;
        if (!first) first = j;
        c->count++;
        from_batch += j == first;
    }
    if (c->count == 0) return true;
    c->shared = from_batch == c->count;
    if (c->count < r.count && !fill_slots(batch, r, c)) return false;
    if (!c->law) return true;
    c->numbers = numbers_create(c->shared ? number_count
                                          : (c->count + block - 1) / block * block * number_count);
    if (!c->numbers) return false;
    refresh(batch, c);
    return true;
}

static void destroy_column(batch_column *c) {
    free(c->slots);
    free(c->places);
    free(c->numbers);
    *c = (batch_column){.law = NULL};
}

void batch_columns_destroy(batch_columns *groups) {
    for (size_t k = 0; k < groups->count; k++) destroy_column(&groups->columns[k]);
    free(groups->columns);
    *groups = (batch_columns){.columns = NULL};
}

stiction_status batch_columns_create(const stiction_batch *batch, batch_columns *groups,
                                     stiction_error *error) {
    const bool by_joint = batch->environments >= enough_environments;
    const size_t runs = by_joint ? batch->model->count : batch->size > 0;
    const size_t length = by_joint ? batch->environments : batch->size;
    const size_t kinds = stiction_law_count() + 1; /* the last: one by one */
    *groups = (batch_columns){.columns = calloc(runs * kinds + 1, sizeof *groups->columns)};
    bool made = groups->columns != NULL;
    for (size_t k = 0; made && k < runs * kinds; k++) {
        batch_column *c = &groups->columns[groups->count];
        c->law = stiction_law_at(k % kinds);
        made = make_column(batch, (run){k / kinds * length, length}, c);
        if (made && c->count == 0)
            *c = (batch_column){.law = NULL};
        else
            groups->count++;
    }
    if (made) return STICTION_OK;
    batch_columns_destroy(groups);
    return fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints", batch->size);
}

void batch_columns_refresh(const stiction_batch *batch, batch_columns *groups) {
    for (size_t k = 0; k < groups->count; k++) refresh(batch, &groups->columns[k]);
}

/* Where a slot is in a column, or the count of the column. */
static size_t find_slot(const batch_column *c, size_t slot) {
    if (!c->slots)
        return slot >= c->first && slot - c->first < c->count ? slot - c->first : c->count;
    /* they rise */
    size_t lower = 0, upper = c->count;
    while (lower < upper) {
        const size_t middle = lower + (upper - lower) / 2;
        if (c->slots[middle] < slot)
            lower = middle + 1;
        else
            upper = middle;
    }
    return lower < c->count && c->slots[lower] == slot ? lower : c->count;
}

bool batch_columns_refresh_slot(const stiction_batch *batch, batch_columns *groups, size_t slot) {
    const stiction_law *law = batch_law(batch_joint(batch, slot));
    for (size_t n = 0; n < groups->count; n++) {
        batch_column *c = &groups->columns[n];
        const size_t k = find_slot(c, slot);
        if (k == c->count) continue;
        if (c->law != law || (law && c->shared && c->count > 1)) return false;
        if (law) read_numbers(batch, c, k);
        return true;
    }
    return false;
}
