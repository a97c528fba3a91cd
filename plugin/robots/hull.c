/* SPDX-License-Identifier: MIT */
/* A convex hull by qhull, with triangles as faces. */
#include "hull.h"

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>

/* The corners of a triangle as indices of points, counterclockwise seen from outside. False: a
 * corner is not one of the points. */
static bool read_corners(qhT *qh, facetT *facet, size_t count, unsigned corners[3]) {
    setT *ordered = qh_facet3vertex(qh, facet); /* clockwise from outside */
    vertexT *vertex, **vertexp;                 /* qhull's loops want these names */
    size_t found = 0;
    bool fine = true;
    FOREACHvertex_(ordered) {
        const int id = qh_pointid(qh, vertex->point);
        fine = fine && id >= 0 && (size_t)id < count && found < 3;
        if (fine) corners[2 - found++] = (unsigned)id;
    }
    qh_settempfree(qh, &ordered);
    return fine && found == 3;
}

hull_faces hull_of_points(reader *r, const double *points, size_t count) {
    static char command[] = "qhull Qt Pp";
    /* before qhull has any memory, since the reader leaves by a jump */
    double *copy = stiction_reader_alloc(r, (3 * count + 1) * sizeof *copy);
    double *own = stiction_reader_alloc(r, (3 * count + 1) * sizeof *own);
    unsigned *numbers = stiction_reader_alloc(r, (count + 1) * sizeof *numbers);
    unsigned(*triangles)[3] = stiction_reader_alloc(r, (2 * count + 1) * sizeof *triangles);
    hull_faces made = {own, 0, (const unsigned(*)[3])triangles, 0};
    FILE *nowhere = count < 4 ? NULL : fopen("/dev/null", "w"); /* for qhull's messages */
    if (!nowhere) return made;
    mju_copy(copy, points, (int)(3 * count));
    qhT memory = {0}, *qh = &memory;
    qh_zero(qh, nowhere);
    if (qh_new_qhull(qh, 3, (int)count, copy, False, command, NULL, nowhere) == 0) {
        facetT *facet;
        FORALLfacets {
            unsigned *corners = triangles[made.triangle_count];
            if (made.triangle_count == 2 * count || !read_corners(qh, facet, count, corners))
                continue;
            made.triangle_count++;
            for (int i = 0; i < 3; i++) {
                const unsigned point = corners[i];
                if (!numbers[point]) { /* the reader's memory is zeros */
                    mju_copy3(own + 3 * made.point_count, points + 3 * point);
                    numbers[point] = (unsigned)++made.point_count;
                }
                corners[i] = numbers[point] - 1;
            }
        }
    }
    int left = 0, blocks = 0;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &blocks);
    (void)fclose(nowhere);
    return made;
}
