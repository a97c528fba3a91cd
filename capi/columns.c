/* SPDX-License-Identifier: MIT */
/* How joints are grouped into columns. */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "document/fail.h"

enum { block = STICTION_FAST_BLOCK, number_count = STICTION_FAST_NUMBERS };

static const joint *joint_of(const column_source *source, size_t slot) {
    return source->joint(source->owner, slot);
}

void stiction_column_read_numbers(const column *c, size_t k, const joint *j) {
    double numbers[number_count];
    memcpy(numbers, &j->model.element.c, sizeof numbers);
    double *to = c->numbers + (c->shared ? 0 : k / block * block * number_count + k % block);
    for (size_t n = 0; n < number_count; n++) to[n * (c->shared ? 1 : block)] = numbers[n];
}

static void read_numbers(const column_source *source, const column *c, size_t k) {
    stiction_column_read_numbers(c, k, joint_of(source, column_slot(c, k)));
}

static void refresh(const column_source *source, const column *c) {
    for (size_t k = 0; c->fast && k < (c->shared ? 1 : c->count); k++) read_numbers(source, c, k);
}

double *stiction_columns_lines(size_t count) {
    const size_t size = (count * sizeof(double) / 64 + 1) * 64;
    double *numbers = aligned_alloc(64, size);
    if (numbers) memset(numbers, 0, size);
    return numbers;
}

/* Slots from `begin` to before `end`. */
typedef struct slot_range {
    size_t begin, end;
} slot_range;

/* Which of the slots of a run belong to a column. */
static bool fill_slots(const column_source *source, slot_range r, column *c) {
    c->slots = calloc(c->count, sizeof *c->slots);
    c->places = calloc(c->count, sizeof *c->places);
    if (!c->slots || !c->places) return false;
    for (size_t slot = r.begin, k = 0; slot < r.end; slot++) {
        if (joint_fast_step(joint_of(source, slot)) != c->fast) continue;
        c->slots[k] = slot;
        c->places[k++] = source->place(source->owner, slot);
    }
    return true;
}

static bool make_column(const column_source *source, slot_range r, column *c) {
    size_t like_first = 0; /* slots that have the joint of the first one */
    const joint *first = NULL;
    c->first = r.begin;
    for (size_t slot = r.begin; slot < r.end; slot++) {
        const joint *j = joint_of(source, slot);
        if (joint_fast_step(j) != c->fast) continue;
        if (!first) first = j;
        c->count++;
        like_first += j == first;
    }
    if (c->count == 0) return true;
    c->shared = like_first == c->count;
    if (c->count < r.end - r.begin && !fill_slots(source, r, c)) return false;
    if (!c->fast) return true;
    c->numbers = stiction_columns_lines(
        c->shared ? number_count : (c->count + block - 1) / block * block * number_count);
    if (!c->numbers) return false;
    refresh(source, c);
    return true;
}

static void destroy_column(column *c) {
    free(c->slots);
    free(c->places);
    free(c->numbers);
    *c = (column){.fast = NULL};
}

void stiction_columns_destroy(columns *all) {
    for (size_t k = 0; k < all->count; k++) destroy_column(&all->list[k]);
    free(all->list);
    *all = (columns){.list = NULL};
}

stiction_status stiction_columns_create(const column_source *source, columns *made,
                                        stiction_error *error) {
    const size_t kinds = stiction_fast_count() + 1; /* with one more for those without */
    const size_t most = source->length ? source->runs * kinds : 0;
    *made = (columns){.list = calloc(most + 1, sizeof *made->list)};
    bool complete = made->list != NULL;
    for (size_t k = 0, start = 0; complete && k < most; k++) {
        column *c = &made->list[made->count];
        const size_t begin = k / kinds * source->length;
        c->fast = k % kinds < kinds - 1 ? stiction_fast_at(k % kinds) : NULL;
        c->start = start;
        complete = make_column(source, (slot_range){begin, begin + source->length}, c);
        if (complete && c->count == 0) {
            *c = (column){.fast = NULL};
            continue;
        }
        made->count++;
        if (c->fast) start += c->count;
    }
    if (complete) return STICTION_OK;
    stiction_columns_destroy(made);
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints",
                         source->runs * source->length);
}

void stiction_columns_refresh(const columns *all, const column_source *source) {
    for (size_t k = 0; k < all->count; k++) refresh(source, &all->list[k]);
}

/* Where a slot is in a column, or the count of the column. */
static size_t find_slot(const column *c, size_t slot) {
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

const column *stiction_columns_find(const columns *all, size_t slot, size_t *index) {
    /* the columns of a run begin at its first slot, and the runs rise */
    size_t lower = 0, upper = all->count;
    while (lower < upper) {
        const size_t middle = lower + (upper - lower) / 2;
        if (all->list[middle].first <= slot)
            lower = middle + 1;
        else
            upper = middle;
    }
    while (lower > 0) {
        const column *c = &all->list[--lower];
        *index = find_slot(c, slot);
        if (*index < c->count) return c;
    }
    return NULL;
}

bool stiction_columns_refresh_slot(const columns *all, const column_source *source, size_t slot) {
    const stiction_fast_step *fast = joint_fast_step(joint_of(source, slot));
    size_t k;
    const column *c = stiction_columns_find(all, slot, &k);
    if (!c || c->fast != fast || (fast && c->shared && c->count > 1)) return false;
    if (fast) read_numbers(source, c, k);
    return true;
}
