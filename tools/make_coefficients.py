#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the coefficients of joint_models/approximations.h and, with the word lambert, those of
joint_models/lambert_cells.c (needs Debian's python3-mpmath).

    /usr/bin/python3 tools/make_coefficients.py > joint_models/approximations.h
    /usr/bin/python3 tools/make_coefficients.py lambert > joint_models/lambert_cells.c

R(p) = W0((p^2 - 1)/e)/(p^2 - 1) on [0, 1] as a rational function of degree (6, 6), and
(2^r - 1)/r on |r| <= 1/2 as a polynomial of degree 10: the least largest error, by the Remez
exchange in 50 digits, coefficients rounded to double.

Both branches of Lambert's W: a polynomial of degree 10 in each of some hundred cells, from Taylor's
series in 50 digits at Chebyshev's points.
"""
import sys
import textwrap

from mpmath import mp, mpf, lambertw, exp, log, sqrt, cos, pi, matrix, polyval, sign

mp.dps = 50


def lambert_ratio(p):
    """R(p); at p = 1 its limit."""
    if p == 1:
        return 1 / exp(mpf(1))
    q = p * p - 1
    return lambertw(q / exp(mpf(1)), 0).real / q


def exp2_secant(r):
    """(2^r - 1)/r; at r = 0 its limit."""
    return mp.expm1(r * log(mpf(2))) / r if r else log(mpf(2))


def remez(f, weight, lower, upper, m, n, rounds=12):
    """Numerator (degree m) and denominator (degree n, constant term 1) of the rational function
    that minimises the largest |weight (approximation - f)|, and that error."""
    count = m + n + 2
    middle, half = (lower + upper) / 2, (upper - lower) / 2
    nodes = [middle - half * cos(pi * k / (count - 1)) for k in range(count)]
    grid = [middle - half * cos(pi * k / mpf(3000)) for k in range(3001)]
    values = [f(x) for x in grid]
    weights = [weight(v, x) for v, x in zip(values, grid)]
    for _ in range(rounds):
        numerator, denominator = interpolate(f, weight, nodes, m, n)
        error = [w * (ratio(numerator, denominator, x) - v)
                 for w, v, x in zip(weights, values, grid)]
        new = extrema(error, grid)
        if len(new) < count:
            break
        # keep the run of `count` alternating extrema with the largest errors
        while len(new) > count:
            del new[0 if abs(new[0][1]) < abs(new[-1][1]) else -1]
        before, nodes = nodes, [x for x, _ in new]
        if nodes == before:
            break  # the next round would be the same
    return numerator, denominator, max(abs(e) for e in error)


def ratio(numerator, denominator, x):
    return polyval(numerator[::-1], x) / polyval(denominator[::-1], x)


def interpolate(f, weight, nodes, m, n):
    """Levelled error +-E at the nodes: A c = E B c with c the coefficients of both polynomials.
    The E of the least size is the one whose denominator has no zero among the nodes; it is the
    dominant one of A^-1 B, found by power iteration."""
    count = len(nodes)
    A, B = matrix(count, count), matrix(count, count)
    for i, x in enumerate(nodes):
        v = f(x)
        for k in range(m + 1):
            A[i, k] = x ** k
        for k in range(n + 1):
            A[i, m + 1 + k] = -v * x ** k
            B[i, m + 1 + k] = (-1) ** i / weight(v, x) * x ** k
    step = A ** -1 * B
    c = matrix([mpf(k == m + 1) for k in range(count)])
    for _ in range(40):
        c = step * c
        c /= c[m + 1]
    return [c[k] for k in range(m + 1)], [c[m + 1 + k] for k in range(n + 1)]


def extrema(error, grid):
    """One extremum for each run of one sign."""
    runs = []
    for x, e in zip(grid, error):
        if runs and sign(e) == sign(runs[-1][1]):
            if abs(e) > abs(runs[-1][1]):
                runs[-1] = (x, e)
        elif e != 0:
            runs.append((x, e))
    return runs


def print_array(name, comment, values):
    print(f"/* {comment} */")
    print(f"static const double {name}[] = {{")
    for v in values:
        print(f"    {float(v).hex()},")
    print("};\n")


def print_approximations():
    relative = lambda v, x: 1 / v
    numerator, denominator, error = remez(lambert_ratio, relative, mpf(0), mpf(1), 6, 6)
    half = mpf(1) / 2 * (1 + mpf(2) ** -20)
    # the error of 2^r is r times that of the secant
    absolute = lambda v, r: 1
    secant, _, exp2_error = remez(exp2_secant, absolute, -half, half, 10, 0)

    print("/* SPDX-License-Identifier: MIT\n * Coefficients printed by tools/make_coefficients.py, lowest degree first."
          "\n * Do not edit: run the script.\n */")
    print("#ifndef STICTION_JOINT_MODELS_APPROXIMATIONS_H")
    print("#define STICTION_JOINT_MODELS_APPROXIMATIONS_H\n")
    print_array("lambert_ratio_numerator",
                "R(p) = W0((p^2 - 1)/e)/(p^2 - 1), 0 <= p <= 1, relative error "
                f"{mp.nstr(error, 2)} before rounding", numerator)
    print_array("lambert_ratio_denominator", "its denominator", denominator)
    print_array("exp2_secant", "(2^r - 1)/r, |r| <= 1/2, error "
                f"{mp.nstr(exp2_error, 2)} before rounding", secant)
    print("#endif")


# ---- Lambert's W ----

DEGREE = 10
TERMS = 26  # of Taylor's series: a cell's half width is below 1/14 of its radius of convergence
SUBCELLS = 8  # of a binade
INVERSE_E = exp(mpf(-1))


def polynomial(series, lower, upper, degree):
    """Coefficients of the polynomial that is the series at Chebyshev's points of an interval."""
    middle, half = (lower + upper) / 2, (upper - lower) / 2
    nodes = [middle + half * cos(pi * (2 * k + 1) / (2 * (degree + 1))) for k in range(degree + 1)]
    differences = [polyval(series[::-1], x) for x in nodes]
    for order in range(1, degree + 1):
        for k in range(degree, order - 1, -1):
            differences[k] = ((differences[k] - differences[k - 1])
                              / (nodes[k] - nodes[k - order]))
    result = []
    for k in range(degree, -1, -1):  # result * (x - nodes[k]) + differences[k]
        shifted = [mpf(0)] + result
        for j, c in enumerate(result):
            shifted[j] -= nodes[k] * c
        shifted[0] += differences[k]
        result = shifted
    return result[:degree + 1]


def series_of_w(w, factor, terms=TERMS):
    """Taylor's series of W where W' = W/((1 + W) (a + b t)), factor = (a, b): (z, 1) in z, (1, 0)
    in ln z."""
    a, b = factor
    series, divisor = [w], []
    for k in range(terms):
        one_more = series[k] + (k == 0)
        divisor.append(a * one_more + b * (series[k - 1] + (k == 1) if k else 0))
        rest = sum(divisor[j] * (k + 1 - j) * series[k + 1 - j] for j in range(1, k + 1))
        series.append((series[k] - rest) / ((k + 1) * divisor[0]))
    return series


def last_place(x):
    return mp.ldexp(1, mp.frexp(x)[1] - 53)


def round_center(center, step, value, slope):
    """A center some steps beside, whose value is a double but for a thousandth of its last place:
    then the first coefficient has no error."""
    unit = 1 << 60  # of a last place
    start, change = (int(x / last_place(value) * unit) for x in (value, slope * step))
    beside = lambda k: abs((start + k * change + unit // 2) % unit - unit // 2)
    return center + min(range(-250, 251), key=beside) * step


def cell(center, lower, upper, series):
    """Center, value there and coefficients, of t = argument - center."""
    return [center, series[0]] + polynomial(series[1:], lower - center, upper - center, DEGREE - 1)


def w_at(branch, z):
    return lambertw(z, branch).real


def cell_in_z(branch, lower, upper):
    center = mpf(float((lower + upper) / 2))
    series = series_of_w(w_at(branch, center), (center, 1), 1)
    center = round_center(center, last_place(center), series[0], series[1])
    return cell(center, lower, upper, series_of_w(w_at(branch, center), (center, 1)))


def series_of_quotient(center, terms=TERMS):
    """Of W0/z - 1 in z."""
    quotient = []
    for k, c in enumerate(series_of_w(w_at(0, center), (center, 1), terms)):
        quotient.append((c - (quotient[k - 1] if k else 0)) / center)
    quotient[0] -= 1
    return quotient


def quotient_cell(lower, upper):
    center = mpf(float((lower + upper) / 2))
    series = series_of_quotient(center, 1)
    center = round_center(center, last_place(center), series[0], series[1])
    row = cell(center, lower, upper, series_of_quotient(center))
    if lower < 0 < upper:
        # the value at zero must not come out above it, or W0(-0) = -0 would lose its sign
        row[1] = mpf(float(row[1])) - last_place(row[1])
    return row


def cell_in_exponent(branch, first, last):
    """|z| = 2^(n + 1/2) m, first <= n <= last, ln m within +-ln(2)/2; center is that of n, the
    polynomial is in (n - center) ln 2 + ln m."""
    ln2 = log(mpf(2))
    middle = mpf(first + last) / 2
    sign_of_z = -1 if branch else 1
    at = lambda n, terms: series_of_w(
        w_at(branch, sign_of_z * exp((n + mpf(1) / 2) * ln2)), (mpf(1), 0), terms)
    series = at(middle, 1)
    center = round_center(middle, mpf(2) ** -40, series[0], series[1] * ln2)
    half = mpf(last - first + 1) / 2 * ln2
    shift = (middle - center) * ln2
    return [center] + cell(mpf(0), shift - half, shift + half, at(center, TERMS))[1:]


def binades(lower, upper):
    """The cells of the binades from 2^lower to 2^upper."""
    for exponent in range(lower, upper):
        for k in range(SUBCELLS):
            yield [mp.ldexp(1 + mpf(j) / SUBCELLS, exponent) for j in (k, k + 1)]


def exponents(first, last):
    """The same cells of the integers from first to last, as pairs of integers."""
    return [(int(a), min(int(b) - 1, last)) for a, b in binades(3, 11) if first <= a <= last]


def series_at_branch_point():
    """Of W in s = +-sqrt(z + 1/e), from that in p = sqrt(2 e) s: Corless et al. 1996, (4.23) f."""
    mu, alpha = [mpf(-1), mpf(1)], [mpf(2), mpf(-1)]
    for k in range(2, TERMS):
        alpha.append(sum((mu[j] * mu[k + 1 - j] for j in range(2, k)), mpf(0)))
        mu.append(mpf(k - 1) / (k + 1) * (mu[k - 2] / 2 + alpha[k - 2] / 4) - alpha[k] / 2
                  - mu[k - 1] / (k + 1))
    return [c * sqrt(2 / INVERSE_E) ** k for k, c in enumerate(mu)]


def logarithm(k, count):
    """1/c and ln(c/sqrt(2)) for the mantissas from 1 + k/count to 1 + (k + 1)/count."""
    inverse = mpf(float(1 / (1 + (k + mpf(1) / 2) / count)))
    value = -log(inverse) - log(mpf(2)) / 2
    inverse = round_center(inverse, mpf(2) ** -53, value, -1 / inverse)
    return [inverse, -log(inverse) - log(mpf(2)) / 2]


def print_rows(kind, name, comment, rows):
    text = []
    for row in rows:
        numbers = [float(v).hex() for v in row]
        text.append(f"{', '.join(numbers)}," if kind == "double"
                    else f"{{{numbers[0]}, {{{', '.join(numbers[1:])}}}}},")
    print(f"/* {comment} */\nconst {kind} {name}[] = {{")
    print(textwrap.fill(" ".join(text), 100, initial_indent="    ", subsequent_indent="    "))
    print("};\n")


def print_lambert_cells():
    print("/* SPDX-License-Identifier: MIT\n * Lambert's W in cells, printed by tools/make_coefficients.py lambert; lambert_cells.h"
          "\n * says what they are. Do not edit: run the script.\n */\n/* clang-format off */")
    print('#include "lambert_cells.h"\n')
    kind = "stiction_lambert_cell"
    lower, upper = -mpf(2) ** -6, mpf(2) ** -6
    print_rows(kind, "stiction_lambert_branch", "about the branch point, in +-sqrt(z + 1/e)",
               [cell(mpf(0), lower, upper, series_at_branch_point())])
    is_quotient = lambda a: mpf(1) / 4 <= a <= mpf(1) / 2
    shifted = lambda a, b, branch: cell_in_z(branch, a - INVERSE_E, b - INVERSE_E)
    print_rows(kind, "stiction_lambert_w0_shifted", "W0 by z + 1/e, from 2^-12 to 2^10",
               [quotient_cell(a - INVERSE_E, b - INVERSE_E) if is_quotient(a)
                else shifted(a, b, 0) for a, b in binades(-12, 10)])
    print_rows("double", "stiction_lambert_w0_quotients", "1 for cells of W0/z - 1, else 0",
               [[float(is_quotient(a))] for a, _ in binades(-12, 10)])
    print_rows(kind, "stiction_lambert_w0_exponents", "W0 by the exponent, from 9 on",
               [cell_in_exponent(0, a, b) for a, b in exponents(9, 1023)])
    print_rows(kind, "stiction_lambert_wm1_shifted", "W-1 by z + 1/e, from 2^-12 to 2^-2",
               [shifted(a, b, -1) for a, b in binades(-12, -2)])
    print_rows(kind, "stiction_lambert_wm1_plain", "W-1 by -z, from 2^-9 to 2^-3",
               [cell_in_z(-1, -b, -a) for a, b in binades(-9, -3)])
    print_rows(kind, "stiction_lambert_wm1_exponents", "W-1 by the exponent, from -10 down",
               [cell_in_exponent(-1, -b, -a) for a, b in exponents(10, 1074)])
    count = 64
    print_rows("double", "stiction_lambert_logarithms",
               "1/c and ln(c/sqrt(2)), by the first six bits of the mantissa",
               [logarithm(k, count) for k in range(count)])
    log1p_rest = [mpf(-1) ** (k + 1) / (k + 2) for k in range(TERMS)]
    half = mpf(2) ** -7
    print_rows("double", "stiction_lambert_log1p", "(ln(1 + r) - r)/r^2, |r| <= 2^-7",
               [polynomial(log1p_rest, -half, half, 4)])


if sys.argv[1:] == ["lambert"]:
    print_lambert_cells()
elif sys.argv[1:]:
    sys.exit(__doc__)
else:
    print_approximations()
