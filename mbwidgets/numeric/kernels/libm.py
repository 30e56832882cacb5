"""sin, cos, tan, exp, log, tanh in the kernels' own subset of Python: the same bits on every machine.

Reduction by π/2 in three parts (Cody and Waite) and polynomials after fdlibm.
"""

import math

from ..engines.kernel import instruction

P1, P1T = 1.57079632673412561417e00, 6.07710050650619224932e-11
P2, P2T = 6.07710050630396597660e-11, 2.02226624879595063154e-21
P3, P3T = 2.02226624871116645580e-21, 8.47842766036889956997e-32
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10


def nearest(x):
    """The whole number nearest to x, |x| < 2^51."""
    return (x + 6755399441055744.0) - 6755399441055744.0


def reduced_angle(x):
    """n mod 4, and y + z = x − n π/2 with |y| ≤ π/4."""
    if abs(x) <= 0.7853981633974483:
        return 0, x, 0.0
    if not abs(x) < 1e15:
        return 0, x - x if x - x != 0.0 else 0.0, 0.0
    n = nearest(x * 0.6366197723675814)
    r, w = x - n * P1, n * P1T
    y = r - w
    if abs(y) < 1e-4 * abs(x):  # digits were lost: take more of π
        t = r
        w = n * P2
        r = t - w
        w = n * P2T - ((t - r) - w)
        y = r - w
        if abs(y) < 1e-14 * abs(x):
            t = r
            w = n * P3
            r = t - w
            w = n * P3T - ((t - r) - w)
            y = r - w
    quarter = n - 4.0 * nearest(n * 0.25)
    return int(quarter + 4.0) % 4, y, (r - y) - w


def short_sin(x, y):
    """sin(x + y), |x| ≤ π/4, y its tail."""
    z = x * x
    r = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
    )
    v = z * x
    return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01)


def short_cos(x, y):
    """cos(x + y), |x| ≤ π/4, y its tail."""
    z = x * x
    r = z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
            )
        )
    )
    h = 0.5 * z
    w = 1.0 - h
    return w + (((1.0 - w) - h) + (z * r - x * y))


def sin(x):
    """sin x."""
    n, y, z = reduced_angle(x)
    value = short_sin(y, z) if n % 2 == 0 else short_cos(y, z)
    return -value if n >= 2 else value


def cos(x):
    """cos x."""
    n, y, z = reduced_angle(x)
    value = short_cos(y, z) if n % 2 == 0 else short_sin(y, z)
    return -value if n == 1 or n == 2 else value


def tan(x):
    """tan x."""
    return sin(x) / cos(x)


def exp(x):
    """e^x."""
    if x != x:
        return x
    if x > 709.782712893384:
        return float("inf")
    if x < -745.2:
        return 0.0
    k = nearest(x * 1.4426950408889634)
    high, low = x - k * LN2_HIGH, k * LN2_LOW
    r = high - low
    z = r * r
    c = r - z * (
        1.66666666666666019037e-01
        + z
        * (
            -2.77777777770155933842e-03
            + z * (6.61375632143793436117e-05 + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08))
        )
    )
    value = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    step = 2.0 if k >= 0.0 else 0.5
    for _ in range(int(abs(k))):
        value *= step
    return value


def log(x):
    """ln x for x > 0."""
    if not x > 0.0 or x == float("inf"):
        return x
    k = 0
    while x >= 1.4142135623730951:
        x *= 0.5
        k += 1
    while x < 0.7071067811865476:
        x *= 2.0
        k -= 1
    f = x - 1.0
    s = f / (2.0 + f)
    z = s * s
    r = z * (
        6.666666666666735130e-01
        + z
        * (
            3.999999999940941908e-01
            + z
            * (
                2.857142874366239149e-01
                + z
                * (
                    2.222219843214978396e-01
                    + z * (1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01))
                )
            )
        )
    )
    h = 0.5 * f * f
    return k * LN2_HIGH - ((h - (s * (h + r) + k * LN2_LOW)) - f)


def tanh(x):
    """tanh x."""
    a = abs(x)
    if a < 0.35:  # the continued fraction of Lambert
        z = x * x
        d = 15.0
        d = 13.0 + z / d
        d = 11.0 + z / d
        d = 9.0 + z / d
        d = 7.0 + z / d
        d = 5.0 + z / d
        d = 3.0 + z / d
        return x / (1.0 + z / d)
    if a > 22.0:
        return 1.0 if x > 0.0 else -1.0
    e = exp(-2.0 * a)
    value = (1.0 - e) / (1.0 + e)
    return value if x > 0.0 else -value


@instruction("sqrt")
def sqrt(x):
    """√x, NaN below zero."""
    return math.sqrt(x) if x >= 0.0 else math.nan


@instruction("floor")
def floor(x):
    """The largest whole number that is not above x, as a float."""
    return float(math.floor(x)) if x - x == 0.0 else x


@instruction("ceil")
def ceil(x):
    """The smallest whole number that is not below x, as a float."""
    return float(math.ceil(x)) if x - x == 0.0 else x


def square(x):
    """x²."""
    return x * x
