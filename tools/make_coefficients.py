#!/usr/bin/env python3
"""Prints the coefficients of joint_models/approximations.h (needs Debian's python3-mpmath).

    /usr/bin/python3 tools/make_coefficients.py > joint_models/approximations.h

R(p) = W0((p^2 - 1)/e)/(p^2 - 1) on [0, 1] as a rational function of degree (6, 6), and
(2^r - 1)/r on |r| <= 1/2 as a polynomial of degree 10: the least largest error, by the Remez
exchange in 50 digits, coefficients rounded to double.
"""
from mpmath import mp, mpf, lambertw, exp, log, cos, pi, matrix, polyval, sign

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
        nodes = [x for x, _ in new]
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


def main():
    relative = lambda v, x: 1 / v
    numerator, denominator, error = remez(lambert_ratio, relative, mpf(0), mpf(1), 6, 6)
    half = mpf(1) / 2 * (1 + mpf(2) ** -20)
    # the error of 2^r is r times that of the secant
    absolute = lambda v, r: 1
    secant, _, exp2_error = remez(exp2_secant, absolute, -half, half, 10, 0)

    print("/*\n * Coefficients printed by tools/make_coefficients.py, lowest degree first."
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


main()
