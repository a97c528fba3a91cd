/* SPDX-License-Identifier: MIT
 * Writes the programs of `stiction bench --part qp` as text, so that any solver can be given them:
 *     program MOTION n m
 *     H (n x n, its lower triangle used), g, A (m x n), lower, upper: a line a row, hexadecimal
 */
#include <stdio.h>
#include <stdlib.h>

#include "body_programs.h"

static void write_rows(size_t rows, size_t columns, const double *values) {
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++)
            printf("%a%c", values[i * columns + k], k + 1 < columns ? ' ' : '\n');
}

int main(int argc, char **argv) {
    if (argc < 2) {
        (void)fprintf(stderr, "usage: qp_problems PROJECT.cnoid [STEPS [fingers [SECONDS]]]\n");
        return 2;
    }
    stiction_error error;
    const int steps = argc > 2 ? atoi(argv[2]) : 100;
    const double apart = argc > 4 ? atof(argv[4]) : 1e-3; /* s */
    body_programs *b = body_programs_create(argv[1], argc > 3 && atoi(argv[3]), &error);
    if (!b) {
        (void)fprintf(stderr, "%s: %s\n", error.path, error.message);
        return 1;
    }
    for (body_motion motion = 0; motion < body_motion_count; motion++)
        for (int k = 0; k < steps; k++) {
            const qp_problem p = body_programs_at(b, motion, apart * k);
            printf("program %s %zu %zu\n", body_motion_name(motion), p.n, p.m);
            write_rows(p.n, p.n, p.H);
            write_rows(1, p.n, p.g);
            write_rows(p.m, p.n, p.A);
            write_rows(1, p.m, p.lower);
            write_rows(1, p.m, p.upper);
        }
    body_programs_destroy(b);
    return 0;
}
