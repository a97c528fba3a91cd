/* SPDX-License-Identifier: MIT
 * The only file that includes Eigen. Exceptions and allocation failures become statuses.
 * Callers store matrices row by row and they are read here column by column, that is transposed:
 * nearly all are symmetric, and the eigenvalues and powers of the others are the same. EigenSolver
 * and GeneralizedSelfAdjointEigenSolver are replaced by their steps without eigenvectors, which
 * are not needed and take as long to compile as the rest.
 */
#include "linear.h"

#include <cmath>
#include <cstring>
#include <new>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "document/fail.h"

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/* Arrays of callers are read and written by memcpy: sanitizers see that, and not this file. */
Matrix square_matrix(size_t n, const double *values) {
    Matrix A(n, n);
    std::memcpy(A.data(), values, n * n * sizeof *values);
    return A;
}

/* A symmetric matrix from the caller's lower triangle. */
Matrix symmetric(size_t n, const double *values) {
    const Matrix A = square_matrix(n, values);
    return A.selfadjointView<Eigen::Upper>();
}

stiction_status singular(stiction_error *error, const char *which, const char *what) {
    return stiction_fail(error, STICTION_SINGULAR, "%s is not %s", which, what);
}

/* Runs `compute` where the arrays are there and of finite numbers. */
template <typename Compute>
stiction_status guarded(size_t n, std::initializer_list<const double *> inputs, double *output,
                        stiction_error *error, Compute compute) {
    if (n == 0) return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the matrix is empty");
    if (!output) return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the result is NULL");
    for (const double *input : inputs)
        if (!input)
            return stiction_fail(error, STICTION_INVALID_ARGUMENT, "a matrix or vector is NULL");
    try {
        return compute();
    } catch (const std::bad_alloc &) {
        return stiction_fail(error, STICTION_OUT_OF_MEMORY,
                             "out of memory for a matrix of %zu rows", n);
    }
}

template <typename Result>
stiction_status put(const Result &result, double *output, stiction_error *error) {
    if (!result.allFinite()) return singular(error, "the matrix", "finite or not regular");
    std::memcpy(output, result.data(), static_cast<size_t>(result.size()) * sizeof *output);
    return stiction_succeed(error);
}

} // namespace

stiction_status stiction_solve_symmetric(size_t n, const double *A, const double *b, double *x,
                                         stiction_error *error) {
    return guarded(n, {A, b}, x, error, [&]() -> stiction_status {
        const Eigen::FullPivLU<Matrix> lu(symmetric(n, A));
        if (!lu.isInvertible()) return singular(error, "the matrix", "regular");
        Vector right(n);
        std::memcpy(right.data(), b, n * sizeof *b);
        return put(Vector(lu.solve(right)), x, error);
    });
}

stiction_status stiction_inverse(size_t n, const double *A, double *inverse,
                                 stiction_error *error) {
    return guarded(n, {A}, inverse, error, [&]() -> stiction_status {
        const Eigen::LLT<Matrix> llt(symmetric(n, A));
        if (llt.info() != Eigen::Success) return singular(error, "the matrix", "positive definite");
        const auto size = static_cast<Eigen::Index>(n);
        return put(Matrix(llt.solve(Matrix::Identity(size, size))), inverse, error);
    });
}

stiction_status stiction_pencil_eigenvalues(size_t n, const double *A, const double *M,
                                            double *eigenvalues, stiction_error *error) {
    return guarded(n, {A, M}, eigenvalues, error, [&]() -> stiction_status {
        const Eigen::LLT<Matrix> mass(symmetric(n, M));
        if (mass.info() != Eigen::Success) return singular(error, "M", "positive definite");
        /* L^-1 A L^-T, where M = L L^T, has the eigenvalues of the pencil */
        Matrix reduced = symmetric(n, A);
        mass.matrixL().solveInPlace<Eigen::OnTheLeft>(reduced);
        mass.matrixU().solveInPlace<Eigen::OnTheRight>(reduced);
        const double largest = reduced.cwiseAbs().maxCoeff();
        const double scale = largest > 0 ? largest : 1;
        const Eigen::Tridiagonalization<Matrix> tridiagonal(reduced / scale);
        Eigen::SelfAdjointEigenSolver<Matrix> solver(static_cast<Eigen::Index>(n));
        solver.computeFromTridiagonal(tridiagonal.diagonal(), tridiagonal.subDiagonal(),
                                      Eigen::EigenvaluesOnly);
        if (solver.info() != Eigen::Success) return singular(error, "the pencil", "solvable");
        return put(Vector(scale * solver.eigenvalues()), eigenvalues, error);
    });
}
