/* SPDX-License-Identifier: MIT
 * Drawing a joint: all that is drawn of it, again and again until it is legal together. That is a
 * draw from the distributions under the condition that it is legal.
 */
#include "draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_internal.h"
#include "document/fail.h"
#include "joint_parameters.h"

/* Lists. */

joint_draws *stiction_draws_copy(const joint_draws *from) {
    const size_t count = from ? from->count : 0;
    joint_draws *copy = malloc(sizeof *copy + (count + 1) * sizeof copy->list[0]);
    if (!copy) return NULL;
    copy->count = count;
    if (count) memcpy(copy->list, from->list, count * sizeof copy->list[0]);
    return copy;
}

void stiction_draws_set(joint_draws *draws, size_t parameter, const stiction_distribution *d) {
    size_t k = 0;
    while (k < draws->count && draws->list[k].parameter != parameter) k++;
    draws->list[k] = (joint_draw){parameter, *d};
    if (k == draws->count) draws->count++;
}

const stiction_distribution *stiction_draws_find(const joint_draws *draws, size_t parameter) {
    for (size_t k = 0; draws && k < draws->count; k++)
        if (draws->list[k].parameter == parameter) return &draws->list[k].distribution;
    return NULL;
}

bool stiction_draws_vary(const joint_draws *draws) {
    for (size_t k = 0; draws && k < draws->count; k++) {
        const stiction_distribution *d = &draws->list[k].distribution;
        if (d->kind == STICTION_NORMAL || d->first < d->second) return true;
    }
    return false;
}

const char *stiction_draws_refusal(const joint_draws *draws) {
    return stiction_draws_vary(draws) ? "no draw can be legal: " : "";
}

static void put(stiction_joint_def *def, size_t parameter, double value) {
    stiction_parameter_info info;
    if (stiction_parameter_at(parameter, &info))
        memcpy((char *)def + info.offset, &value, sizeof value);
}

void stiction_draws_favour(const joint_draws *draws, stiction_joint_def *def) {
    for (size_t k = 0; draws && k < draws->count; k++) {
        const joint_draw *d = &draws->list[k];
        put(def, d->parameter,
            stiction_distribution_end(&d->distribution, d->parameter,
                                      stiction_joint_is_upper(d->parameter)));
    }
}

/* Draws. */

static stiction_status try(joint *j, const stiction_joint_def *def, double timestep,
                           stiction_error *error) {
    return timestep > 0 ? stiction_joint_init(j, NULL, def, timestep, error)
                        : stiction_config_check_def(NULL, def, &j->def, error);
}

/* "static_torque {uniform: [2, 3]}, viscous {normal: [4, 1]}", truncated to the size of the buffer.
 */
static void list_draws(const joint_draws *draws, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t k = 0; k < draws->count && length < size; k++) {
        char distribution[DISTRIBUTION_SIZE];
        stiction_parameter_info info;
        (void)stiction_parameter_at(draws->list[k].parameter, &info);
        const int added =
            snprintf(buffer + length, size - length, "%s%s %s", k ? ", " : "", info.key,
                     stiction_distribution_write(&draws->list[k].distribution, distribution));
        length += added > 0 ? (size_t)added : 0;
    }
}

stiction_status stiction_draw_joint(joint *j, const stiction_joint_def *def,
                                    const joint_draws *draws, const draw_key *key, double timestep,
                                    size_t *left, stiction_error *error) {
    random_stream streams[parameter_count];
    stiction_parameter_info info;
    stiction_joint_def drawn = *def;
    stiction_error inner = {.status = STICTION_OK};
    const bool vary = stiction_draws_vary(draws);
    const size_t wanted = vary ? DRAW_MOST : 1, most = left && *left < wanted ? *left : wanted;
    for (size_t k = 0; k < draws->count; k++) {
        (void)stiction_parameter_at(draws->list[k].parameter, &info);
        streams[k] = stiction_random_start(key, info.key);
    }
    for (size_t tried = 1; tried <= most; tried++) {
        for (size_t k = 0; k < draws->count; k++) {
            const joint_draw *d = &draws->list[k];
            put(&drawn, d->parameter,
                stiction_distribution_next(&d->distribution, d->parameter, &streams[k]));
        }
        const stiction_status status = try(j, &drawn, timestep, &inner);
        if (status == STICTION_OUT_OF_MEMORY) return stiction_fail(error, status, "out of memory");
        if (status == STICTION_OK) return STICTION_OK;
        if (left) --*left;
    }
    if (!vary) return stiction_fail(error, inner.status, "%s", inner.message);
    char list[384];
    list_draws(draws, list, sizeof list);
    return stiction_fail(error, inner.status,
                         "none of %zu draws of %s is legal; in the last one %.400s", most, list,
                         inner.message);
}
