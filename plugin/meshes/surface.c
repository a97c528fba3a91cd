/* SPDX-License-Identifier: MIT */
#include "surface.h"

#include <math.h>
#include <stdlib.h>

#include "document/auto.h"

/* Cells along the longest side. */
enum { finest_grid = 96, coarsest_grid = 4 };

bool surface_join(surface *s, const size_t *group) {
    const size_t n = s->vertex_count + 1;
    AUTO_FREE size_t *members = calloc(n, sizeof *members);
    AUTO_FREE int *number = calloc(n, sizeof *number); /* of a group's vertex, from 1 */
    AUTO_FREE double *sums = calloc(n, 3 * sizeof *sums);
    if (!members || !number || !sums) return false;
    for (size_t k = 0; k < s->vertex_count; k++) {
        members[group[k]]++;
        for (size_t i = 0; i < 3; i++) sums[3 * group[k] + i] += s->vertices[3 * k + i];
    }
    size_t kept = 0;
    int count = 0;
    for (size_t k = 0; k < s->face_count; k++) {
        const int *old = s->faces + 3 * k;
        const size_t of[3] = {group[old[0]], group[old[1]], group[old[2]]};
        if (of[0] == of[1] || of[1] == of[2] || of[2] == of[0]) continue;
        for (size_t i = 0; i < 3; i++) {
            if (!number[of[i]]) number[of[i]] = ++count;
            s->faces[3 * kept + i] = number[of[i]] - 1;
        }
        kept++;
    }
    for (size_t k = 0; k < s->vertex_count; k++)
        for (size_t i = 0; number[k] && i < 3; i++)
            s->vertices[3 * ((size_t)number[k] - 1) + i] = sums[3 * k + i] / (double)members[k];
    s->vertex_count = (size_t)count;
    s->face_count = kept;
    return true;
}

static bool join_cells(surface *s, size_t cells) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double longest = 0;
    for (size_t k = 0; k < 3 * s->vertex_count; k++) {
        low[k % 3] = fmin(low[k % 3], s->vertices[k]);
        high[k % 3] = fmax(high[k % 3], s->vertices[k]);
    }
    for (int k = 0; k < 3; k++) longest = fmax(longest, high[k] - low[k]);
    const size_t n = cells + 1;
    AUTO_FREE size_t *group_of = calloc(n * n * n, sizeof *group_of); /* from 1 */
    AUTO_FREE size_t *group = calloc(s->vertex_count + 1, sizeof *group);
    if (!group_of || !group) return false;
    size_t count = 0;
    for (size_t k = 0; longest > 0 && k < s->vertex_count; k++) {
        size_t cell = 0;
        for (size_t i = 0; i < 3; i++)
            cell = cell * n + (size_t)((s->vertices[3 * k + i] - low[i]) / longest * (double)cells);
        if (!group_of[cell]) group_of[cell] = ++count;
        group[k] = group_of[cell] - 1;
    }
    return surface_join(s, group);
}

bool surface_simplify(surface *s, size_t most_faces) {
    bool fine = true;
    for (size_t cells = finest_grid; fine && s->face_count > most_faces && cells > coarsest_grid;
         cells = cells * 3 / 4)
        fine = join_cells(s, cells);
    return fine;
}
