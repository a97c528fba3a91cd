/* SPDX-License-Identifier: MIT
 * The largest error of Lambert's W, a row a range, against MPFR: `lambert_accuracy POINTS`.
 * Exit code 1 where one is above 0.7 units in the last place. A million points a range take some
 * minutes (target lambert-accuracy), a few thousand a second.
 */
#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact_w.h"
#include "lambert_borders.h"
#include "lambert_ranges.h"
#include "random.h"
#include "stiction/models/lambert_w.h"

static const double most = 0.7; /* ulp */

typedef struct worst_case {
    double error, z;
    size_t points;
} worst_case;

static void look_at(worst_case *worst, bool minus_one, double z) {
    const double w = minus_one ? stiction_lambert_wm1(z) : stiction_lambert_w0(z);
    double error = INFINITY;
    /* -1 is the end of both branches: only there Newton's method has no slope */
    if (minus_one ? w < -1 : w > -1) {
        mpfr_t exact;
        mpfr_init2(exact, precision);
        exact_w(exact, w, z);
        error = ulps(w, exact);
        mpfr_clear(exact);
    }
    if (!(error <= worst->error)) *worst = (worst_case){error, z, worst->points};
    worst->points++;
}

static bool print(const char *name, const worst_case *worst) {
    printf("%-36s %9zu points %7.4f ulp at z = %.17g\n", name, worst->points, worst->error,
           worst->z);
    (void)fflush(stdout);
    return worst->error <= most;
}

static bool measure_range(const lambert_range *range, size_t points, random_source *r) {
    worst_case worst = {0};
    for (size_t k = 0; k < points; k++)
        look_at(&worst, range->minus_one, lambert_argument(range, random_uniform(r, 0, 1)));
    char name[64];
    return print(lambert_range_name(range, name, sizeof name), &worst);
}

/* Next to the borders of all cells, some doubles on both sides. */
static bool measure_borders(bool minus_one) {
    worst_case worst = {0};
    for (size_t k = 0; k < lambert_border_count(minus_one); k++)
        for (int beside = -3; beside <= 3; beside++) {
            const double z = lambert_border(minus_one, k, beside);
            if (z > lambert_branch_point && (minus_one ? z < 0 : z <= DBL_MAX))
                look_at(&worst, minus_one, z);
        }
    return print(minus_one ? "W-1, borders of cells" : "W0, borders of cells", &worst);
}

int main(int argc, char **argv) {
    const long points = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (points <= 0) {
        (void)fprintf(stderr, "usage: lambert_accuracy POINTS\n");
        return 2;
    }
    random_source r = {20};
    bool fine = measure_borders(false) & measure_borders(true);
    for (size_t k = 0; k < lambert_range_count; k++)
        fine &= measure_range(&lambert_ranges[k], (size_t)points, &r);
    if (!fine) printf("FAILED: more than %g ulp\n", most);
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
