/* SPDX-License-Identifier: MIT
 * The quadratic program of the posture controller against CGAL's, which is solved in exact
 * arithmetic from the same bits: the same verdict, the same minimum, the same place of it. C++
 * because CGAL is.
 */
#include <CGAL/Gmpzf.h>
#include <CGAL/QP_functions.h>
#include <CGAL/QP_models.h>

#include <vector>

#include "check.h"
#include "controllers/qp/qp.h"
#include "random.h"

namespace {

struct program {
    size_t n, m;
    std::vector<double> H, g, A, lower, upper;

    program(size_t variables, size_t rows)
        : n(variables), m(rows), H(n * n), g(n), A(m * n), lower(m, -HUGE_VAL), upper(m, HUGE_VAL) {
    }
};

struct solution {
    bool feasible;
    double objective;
    std::vector<double> x;
};

solution solve_exactly(const program &p) {
    CGAL::Quadratic_program<double> qp(CGAL::SMALLER, false, 0, false, 0);
    const int n = static_cast<int>(p.n);
    for (int i = 0; i < n; i++) {
        qp.set_c(i, p.g[static_cast<size_t>(i)]);
        for (int j = 0; j <= i; j++)
            qp.set_d(i, j, p.H[static_cast<size_t>(i) * p.n + static_cast<size_t>(j)]);
    }
    int row = 0;
    for (size_t i = 0; i < p.m; i++)
        for (const bool is_upper : {false, true}) {
            const double bound = is_upper ? p.upper[i] : p.lower[i];
            if (!std::isfinite(bound)) continue;
            for (int k = 0; k < n; k++) qp.set_a(k, row, p.A[i * p.n + static_cast<size_t>(k)]);
            qp.set_b(row, bound);
            qp.set_r(row++, is_upper ? CGAL::SMALLER : CGAL::LARGER);
        }
    const auto s = CGAL::solve_quadratic_program(qp, CGAL::Gmpzf());
    CHECK(s.is_valid() && !s.is_unbounded());
    solution exact = {!s.is_infeasible(), 0, {}};
    if (!exact.feasible) return exact;
    exact.objective = CGAL::to_double(s.objective_value());
    for (auto v = s.variable_values_begin(); v != s.variable_values_end(); ++v)
        exact.x.push_back(CGAL::to_double(*v));
    return exact;
}

solution solve_ours(const program &p) {
    std::vector<char> workspace(qp_workspace_size(p.n, p.m));
    solution s = {false, 0, std::vector<double>(p.n)};
    const qp_problem problem = {
        p.n, p.m, p.H.data(), p.g.data(), p.A.data(), p.lower.data(), p.upper.data()};
    const qp_result result = qp_solve(&problem, s.x.data(), nullptr, workspace.data());
    if (result.status != QP_SOLVED && result.status != QP_INFEASIBLE)
        FAIL("status %d", static_cast<int>(result.status));
    s.feasible = result.status == QP_SOLVED;
    for (size_t i = 0; i < p.n; i++) {
        s.objective += p.g[i] * s.x[i];
        for (size_t j = 0; j < p.n; j++) s.objective += s.x[i] * p.H[i * p.n + j] * s.x[j] / 2;
    }
    return s;
}

struct tally {
    int feasible = 0, infeasible = 0, limited = 0;
    double place = 0, objective = 0;

    // Solves both ways; differences relative to the largest number of the answer.
    void compare(const program &p) {
        const solution exact = solve_exactly(p), ours = solve_ours(p);
        if (exact.feasible != ours.feasible) {
            FAIL("n = %zu: %s, but exactly it is %s", p.n, ours.feasible ? "solved" : "infeasible",
                 exact.feasible ? "feasible" : "not");
            return;
        }
        exact.feasible ? feasible++ : infeasible++;
        if (!exact.feasible) return;
        double scale = 1e-4, difference = 0, rows = 0; // an answer may be 0
        for (size_t k = 0; k < p.n; k++) {
            scale = fmax(scale, fabs(exact.x[k]));
            difference = fmax(difference, fabs(ours.x[k] - exact.x[k]));
        }
        for (size_t i = 0; i < p.m; i++) {
            double value = 0;
            for (size_t k = 0; k < p.n; k++) value += p.A[i * p.n + k] * exact.x[k];
            rows += fmin(value - p.lower[i], p.upper[i] - value) < 1e-9 * fabs(value);
        }
        limited += rows > 0;
        place = fmax(place, difference / scale);
        objective = fmax(objective,
                         fabs(ours.objective - exact.objective) / fmax(1, fabs(exact.objective)));
    }

    void tell() const {
        printf("%d feasible (%d at limits), %d infeasible; place within %.2g, objective %.2g\n",
               feasible, limited, infeasible, place, objective);
    }
};

// A mass matrix: inertias over three decades along a chain, coupled; its condition is below 1e6.
std::vector<double> random_mass_matrix(random_source *r, size_t n) {
    std::vector<double> L(n * n), M(n * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            L[i * n + j] = i == j ? random_decade(r, -1.5, 0) : random_uniform(r, -0.1, 0.1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) M[i * n + j] += L[i * n + k] * L[j * n + k];
    return M;
}

// What the controller solves: 1/2 x'x, torque rows through M, and a box of velocities and ranges.
program controller_program(random_source *r, size_t n) {
    program p(n, 2 * n);
    const std::vector<double> M = random_mass_matrix(r, n);
    // a joint that is too fast asks for torques that may not be there
    const double dt = 1e-3, excess = random_uniform(r, 0.95, 1.2);
    for (size_t i = 0; i < n; i++) {
        const double limit = random_decade(r, -0.5, 1),
                     torque = random_uniform(r, -1.3, 1.3) * limit;
        p.H[i * n + i] = 1;
        for (size_t k = 0; k < n; k++) p.A[i * n + k] = M[i * n + k];
        p.lower[i] = -limit - torque;
        p.upper[i] = limit - torque;
        const double wanted = random_uniform(r, -30, 30), dq = random_uniform(r, -1, 1) * excess;
        p.A[(n + i) * n + i] = 1;
        p.lower[n + i] = (-1 - dq) / dt - wanted;
        p.upper[n + i] = (1 - dq) / dt - wanted;
    }
    return p;
}

// Any strictly convex objective, rows in any direction around a point, some of them one-sided.
program general_program(random_source *r, size_t n, size_t m) {
    program p(n, m);
    p.H = random_mass_matrix(r, n);
    std::vector<double> point(n);
    for (size_t k = 0; k < n; k++) {
        p.g[k] = random_uniform(r, -10, 10);
        point[k] = random_uniform(r, -1, 1);
    }
    for (size_t i = 0; i < m; i++) {
        double value = 0;
        for (size_t k = 0; k < n; k++) {
            p.A[i * n + k] = random_uniform(r, -1, 1);
            value += p.A[i * n + k] * point[k];
        }
        const double side = random_uniform(r, 0, 1);
        if (side < 0.7) p.upper[i] = value + random_uniform(r, 0, 0.5);
        if (side > 0.3) p.lower[i] = value - random_uniform(r, 0, 0.5);
    }
    return p;
}

// Small integers: rows that follow from others, corners where many meet and contradictions are the
// rule here, and all of it is exact in both.
program integer_program(random_source *r, size_t n, size_t m) {
    const auto integer = [r](int range) {
        return static_cast<double>(random_bits(r) % static_cast<unsigned>(2 * range + 1)) - range;
    };
    program p(n, m + n);
    std::vector<double> B(n * n), point(n);
    for (double &b : B) b = integer(1);
    for (size_t i = 0; i < n; i++) {
        p.g[i] = integer(3);
        point[i] = integer(1);
        for (size_t j = 0; j < n; j++) {
            p.H[i * n + j] = i == j;
            for (size_t k = 0; k < n; k++) p.H[i * n + j] += B[k * n + i] * B[k * n + j];
        }
    }
    for (size_t i = 0; i < m; i++) {
        double value = 0;
        for (size_t k = 0; k < n; k++) {
            p.A[i * n + k] = integer(1);
            value += p.A[i * n + k] * point[k];
        }
        // mostly kept by the point, on the edge or not
        if (random_bits(r) % 16 == 0) value += integer(1);
        const uint64_t kind = random_bits(r) % 4;
        if (kind != 1) p.upper[i] = value;
        if (kind == 1 || kind == 3) p.lower[i] = value;
        if (kind == 2) p.lower[i] = value - 1;
    }
    for (size_t k = 0; k < n; k++) {
        p.A[(m + k) * n + k] = 1;
        p.lower[m + k] = random_bits(r) % 2 ? 0 : point[k] - 1;
    }
    return p;
}

/*
 * How far rounding may move an answer: the equations of the active rows are solved to 1e-16 times
 * their condition, which is up to 1e6 with these matrices. At the minimum the objective changes
 * with the square of that along the active rows, and across them no more than in proportion.
 */
const double tolerance = 1e-10;

} // namespace

TEST(the_controllers_programs_have_the_exact_answer) {
    random_source r = {5};
    tally t;
    for (int k = 0; k < 2400; k++)
        t.compare(controller_program(&r, 1 + static_cast<size_t>(k) % 12));
    t.tell();
    CHECK(t.limited > 1000 && t.infeasible > 200);
    CHECK(t.place < tolerance && t.objective < tolerance);
}

TEST(general_programs_have_the_exact_answer) {
    random_source r = {6};
    tally t;
    for (int k = 0; k < 900; k++) {
        const size_t n = 1 + static_cast<size_t>(k) % 9;
        t.compare(general_program(&r, n, 2 * n + 2));
    }
    t.tell();
    CHECK(t.feasible == 900 && t.limited > 800);
    CHECK(t.place < tolerance && t.objective < tolerance);
}

// Two rows of one direction leave a slit of 1e-7 of the bound, or lack as much.
TEST(a_narrow_slit_is_feasible_and_a_narrow_gap_is_not) {
    random_source r = {7};
    tally t;
    for (int k = 0; k < 600; k++) {
        const size_t n = 2 + static_cast<size_t>(k) % 6;
        program p = general_program(&r, n, n + 2);
        for (size_t c = 0; c < n; c++) p.A[(n + 1) * n + c] = p.A[n * n + c];
        const double at = fabs(p.lower[n]) < 1e9 ? p.lower[n] : 0.0;
        p.lower[n] = at;
        p.upper[n] = HUGE_VAL;
        p.lower[n + 1] = -HUGE_VAL;
        p.upper[n + 1] = at + (k % 2 ? 1e-7 : -1e-7);
        t.compare(p);
    }
    t.tell();
    CHECK(t.feasible > 200 && t.infeasible >= 300);
    CHECK(t.place < tolerance && t.objective < tolerance);
}

TEST(programs_of_small_integers_have_the_exact_answer) {
    random_source r = {8};
    tally t;
    for (int k = 0; k < ROUNDS(1500); k++) {
        const size_t n = 2 + static_cast<size_t>(k) % 8;
        t.compare(integer_program(&r, n, 2 * n));
    }
    t.tell();
    CHECK(t.feasible > ROUNDS(400) && t.infeasible > ROUNDS(300) - 15);
    CHECK(t.place < tolerance && t.objective < tolerance);
}
