/* SPDX-License-Identifier: MIT */
/* The shim over Eigen. */
#include "check.h"
#include "random.h"
#include "stability/linear.h"

enum { n = 6 };

/* A random positive definite matrix G G' + 1. */
static void random_matrix(random_source *r, double A[n * n]) {
    double G[n * n];
    for (int k = 0; k < n * n; k++) G[k] = random_uniform(r, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j;
            for (int k = 0; k < n; k++) sum += G[i * n + k] * G[j * n + k];
            A[i * n + j] = sum;
        }
}

/* Rounding of order n times the norm, which is below ten, times the inverse's, below one. */
static const double rounding = 1e-13;

TEST(solve_and_inverse_agree_with_the_matrix) {
    random_source r = {51};
    for (int round = 0; round < 100; round++) {
        double A[n * n], inverse[n * n], b[n], x[n];
        random_matrix(&r, A);
        for (int k = 0; k < n; k++) b[k] = random_uniform(&r, -1, 1);
        CHECK(stiction_solve_symmetric(n, A, b, x, NULL) == STICTION_OK);
        CHECK(stiction_inverse(n, A, inverse, NULL) == STICTION_OK);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += A[i * n + k] * x[k];
            CHECK_NEAR(sum, b[i], rounding);
            for (int j = 0; j < n; j++) {
                double identity = 0;
                for (int k = 0; k < n; k++) identity += A[i * n + k] * inverse[k * n + j];
                CHECK_NEAR(identity, i == j, rounding);
            }
        }
    }
}

TEST(only_the_lower_triangle_is_read) {
    const double A[4] = {2, 999, 1, 3}, b[2] = {5, 10};
    double x[2];
    CHECK(stiction_solve_symmetric(2, A, b, x, NULL) == STICTION_OK);
    CHECK_NEAR(x[0], 1, 1e-15);
    CHECK_NEAR(x[1], 3, 1e-15);
}

TEST(symmetric_solve_takes_indefinite_matrices) {
    const double A[4] = {0, 0, 1, 0}, b[2] = {2, 3};
    double x[2];
    CHECK(stiction_solve_symmetric(2, A, b, x, NULL) == STICTION_OK);
    CHECK_NEAR(x[0], 3, 1e-15);
    CHECK_NEAR(x[1], 2, 1e-15);
}

TEST(pencil_eigenvalues_of_a_known_pencil) {
    /* det(A - lambda M) = (2 - lambda)(6 - 3 lambda) - (1 - lambda/2)^2 -> 2 and ... */
    const double A[4] = {2, 0, 0, 12}, M[4] = {1, 0, 0, 3};
    double values[2];
    CHECK(stiction_pencil_eigenvalues(2, A, M, values, NULL) == STICTION_OK);
    CHECK_NEAR(values[0], 2, 1e-14);
    CHECK_NEAR(values[1], 4, 1e-14);
    /* coupled: A = 1, M = [2 1; 1 2] has 1/3 and 1 */
    const double I[4] = {1, 0, 0, 1}, coupled[4] = {2, 1, 1, 2};
    CHECK(stiction_pencil_eigenvalues(2, I, coupled, values, NULL) == STICTION_OK);
    CHECK_NEAR(values[0], 1.0 / 3, 1e-14);
    CHECK_NEAR(values[1], 1, 1e-14);
}

TEST(matrices_that_do_not_do_are_refused) {
    const double singular[4] = {1, 1, 1, 1}, indefinite[4] = {1, 2, 2, 1}, b[2] = {1, 2};
    const double broken[4] = {(double)NAN, 0, 0, 1};
    double x[4];
    stiction_error error;
    CHECK_REFUSED(stiction_solve_symmetric(2, singular, b, x, &error), STICTION_SINGULAR, error,
                  "not regular");
    CHECK_REFUSED(stiction_inverse(2, indefinite, x, &error), STICTION_SINGULAR, error,
                  "not positive definite");
    CHECK(stiction_pencil_eigenvalues(2, singular, indefinite, x, &error) == STICTION_SINGULAR);
    CHECK(stiction_inverse(2, broken, x, &error) == STICTION_SINGULAR);
    CHECK(stiction_solve_symmetric(2, broken, b, x, &error) == STICTION_SINGULAR);
    CHECK(stiction_inverse(0, singular, x, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_inverse(2, NULL, x, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_inverse(2, singular, NULL, &error) == STICTION_INVALID_ARGUMENT);
    CHECK(stiction_solve_symmetric(2, singular, NULL, x, NULL) == STICTION_INVALID_ARGUMENT);
}
