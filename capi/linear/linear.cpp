/*
 * The only door to Eigen. Exceptions and allocation failures become statuses.
 */
#include "linear.h"

#include <cmath>
#include <new>

#include <Eigen/Dense>

#include "document/fail.h"

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/* A symmetric matrix from its lower triangle. */
Matrix symmetric(size_t n, const double *values) {
    const auto size = static_cast<Eigen::Index>(n);
    Matrix A = Eigen::Map<const Matrix>(values, size, size);
    return A.selfadjointView<Eigen::Lower>();
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
    Eigen::Map<Matrix>(output, result.rows(), result.cols()) = result;
    return stiction_succeed(error);
}

} // namespace

stiction_status stiction_solve_symmetric(size_t n, const double *A, const double *b, double *x,
                                         stiction_error *error) {
    return guarded(n, {A, b}, x, error, [&]() -> stiction_status {
        const Eigen::FullPivLU<Matrix> lu(symmetric(n, A));
        if (!lu.isInvertible()) return singular(error, "the matrix", "regular");
        const Vector right = Eigen::Map<const Vector>(b, static_cast<Eigen::Index>(n));
        return put(Vector(lu.solve(right)), x, error);
    });
}

stiction_status stiction_cholesky(size_t n, const double *A, double *L, stiction_error *error) {
    return guarded(n, {A}, L, error, [&]() -> stiction_status {
        const Eigen::LLT<Matrix> llt(symmetric(n, A));
        if (llt.info() != Eigen::Success) return singular(error, "the matrix", "positive definite");
        return put(Matrix(llt.matrixL()), L, error);
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
        const Matrix mass = symmetric(n, M);
        if (Eigen::LLT<Matrix>(mass).info() != Eigen::Success)
            return singular(error, "M", "positive definite");
        const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(
            symmetric(n, A), mass, Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
        if (solver.info() != Eigen::Success) return singular(error, "the pencil", "solvable");
        return put(Vector(solver.eigenvalues()), eigenvalues, error);
    });
}

stiction_status stiction_matrix_power(size_t n, const double *A, size_t exponent, double *power,
                                      stiction_error *error) {
    return guarded(n, {A}, power, error, [&]() -> stiction_status {
        const auto size = static_cast<Eigen::Index>(n);
        Matrix square = Eigen::Map<const Matrix>(A, size, size);
        Matrix result = Matrix::Identity(size, size);
        for (size_t rest = exponent; rest > 0; rest /= 2) {
            if (rest % 2 == 1) result = result * square;
            if (rest > 1) square = square * square;
        }
        Eigen::Map<Matrix>(power, size, size) = result;
        return stiction_succeed(error);
    });
}

stiction_status stiction_spectral_radius(size_t n, const double *A, double *radius,
                                         stiction_error *error) {
    return guarded(n, {A}, radius, error, [&]() -> stiction_status {
        const auto size = static_cast<Eigen::Index>(n);
        const Matrix copy = Eigen::Map<const Matrix>(A, size, size);
        if (!copy.allFinite()) return singular(error, "the matrix", "finite");
        const Eigen::EigenSolver<Matrix> solver(copy, false);
        if (solver.info() != Eigen::Success) return singular(error, "the matrix", "solvable");
        *radius = solver.eigenvalues().cwiseAbs().maxCoeff();
        return stiction_succeed(error);
    });
}
