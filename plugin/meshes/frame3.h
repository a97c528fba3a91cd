/* SPDX-License-Identifier: MIT */
/* An affine map. Matrices are 3 x 3, row by row. */
#ifndef STICTION_MESHES_FRAME3_H
#define STICTION_MESHES_FRAME3_H

/* x -> linear x + offset */
typedef struct frame3 {
    double linear[9], offset[3];
} frame3;

static const frame3 frame3_identity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static inline void frame3_point(const frame3 *f, const double x[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = f->linear[3 * i] * x[0] + f->linear[3 * i + 1] * x[1] +
                 f->linear[3 * i + 2] * x[2] + f->offset[i];
}

/* The frame `inner`, given in the frame `outer`, seen from outside. */
static inline frame3 frame3_inside(const frame3 *outer, const frame3 *inner) {
    frame3 both = {{0}, {0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                both.linear[3 * i + j] += outer->linear[3 * i + k] * inner->linear[3 * k + j];
    frame3_point(outer, inner->offset, both.offset);
    return both;
}

#endif
