"""The elementary functions in the kernels' own subset: the same bits on every machine, in Python and in a page.

After fdlibm (Sun Microsystems, 1993): an argument is reduced to a short interval, a polynomial serves there. Bounds, in
units of the last place (ulp) of the result, hold against mpmath in the tests: sin, cos, exp, log, atan, asin, acos 1,
tan, atan2, tanh 2. Angles up to 2⁵⁰ rad, some 10¹⁵, are reduced exactly; the sine of a larger one, whose neighbours
are an eighth of a radian apart, is NaN.
"""

from __future__ import annotations

import math
from math import inf, nan

import numpy as np

from ..engines.kernel import instruction, kernel

LARGEST_ANGLE = 2.0**50
"""Beyond it an angle is not known to a quarter of a radian, and its functions are not known at all."""
SHORT_TURNS = 2.0**19
"""Multiples of π/2 up to which their products with π's first 33 bits are exact."""
ROUNDER = 6755399441055744.0  # 1.5 · 2⁵²: adding it rounds to a whole number
SPLITTER = 134217729.0  # 2²⁷ + 1
QUARTER = 0.7853981633974483
TWO_OVER_PI = 0.6366197723675814

# π/2 in parts of 33 bits, each followed by what is left of it
P1, P1_REST = 1.57079632673412561417e00, 6.07710050650619224932e-11
P2, P2_REST = 6.07710050630396597660e-11, 2.02226624879595063154e-21
P3, P3_REST = 2.02226624871116645580e-21, 8.47842766036889956997e-32
# π/2 as a sum of three floats, for large multiples
HALF_PI, HALF_PI_2, HALF_PI_3 = 1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33

LN2_HIGH, LN2_LOW, LOG2_E = 6.93147180369123816490e-01, 1.90821492927058770002e-10, 1.4426950408889634
LARGEST_EXPONENT, SMALLEST_EXPONENT = 709.782712893384, -745.1332191019412
"""Where e^x becomes infinite, and where it becomes zero."""

STRIDE = 32
FINE = np.array([2.0**k for k in range(STRIDE)])
COARSE = np.array([2.0 ** (STRIDE * k) for k in range(-31, 32)])
"""2^k = FINE[k % 32] · COARSE[k // 32 + 31] for −992 ≤ k < 1024."""
TINY = 2.0**-128
SHIFTS = np.array([512.0, 256.0, 128.0, 64.0, 32.0, 16.0, 8.0, 4.0, 2.0, 1.0])
UP = np.array([2.0**shift for shift in (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)])


@instruction("sqrt")
def sqrt(x):
    """√x, NaN below zero; exact but for the last rounding, as every machine has it."""
    return math.sqrt(x) if x >= 0.0 else nan


@instruction("floor")
def floor(x):
    """The largest whole number that is not above x, as a float."""
    return math.copysign(math.floor(x), x) if x - x == 0.0 else x


@instruction("ceil")
def ceil(x):
    """The smallest whole number that is not below x, as a float."""
    return math.copysign(math.ceil(x), x) if x - x == 0.0 else x


@kernel
def square(x):
    """x²."""
    return x * x


@instruction("nearest")
def nearest(x):
    """The whole number nearest to x, |x| < 2⁵¹; its tangent is zero."""
    return (x + ROUNDER) - ROUNDER


@instruction("upper")
def upper_half(x):
    """The first 26 bits of x (Dekker, Veltkamp); its tangent is zero, so that of the lower half is that of x."""
    wide = SPLITTER * x
    return wide - (wide - x)


@kernel
def exact_product(a, b):
    """a b as a sum of two floats."""
    p = a * b
    high_a, high_b = upper_half(a), upper_half(b)
    low_a, low_b = a - high_a, b - high_b
    return p, ((high_a * high_b - p) + high_a * low_b + low_a * high_b) + low_a * low_b


@kernel
def exact_sum(a, b):
    """a + b as a sum of two floats."""
    s = a + b
    part = s - a
    return s, (a - (s - part)) + (b - part)


@kernel
def reduce_large_angle(x, n):
    """y + z = x − n π/2 for a whole n up to 2⁵⁰: the products are exact, and π/2 has three floats."""
    p, p_rest = exact_product(n, HALF_PI)
    m, m_rest = exact_product(n, HALF_PI_2)
    first, first_rest = exact_sum(x - p, -p_rest)  # x − p is exact: they are as good as equal
    second, second_rest = exact_sum(first, -m)
    return exact_sum(second, (first_rest + second_rest) - m_rest - n * HALF_PI_3)


@kernel
def reduce_angle(x):
    """n mod 4, and y + z = x − n π/2 with |y| ≤ π/4."""
    if abs(x) <= QUARTER:
        return 0, x, 0.0
    if not abs(x) <= LARGEST_ANGLE:
        return 0, nan, 0.0
    n = nearest(x * TWO_OVER_PI)
    quarter = int(n - 4.0 * nearest(n * 0.25)) + 4
    if abs(n) > SHORT_TURNS:
        y, z = reduce_large_angle(x, n)
        if abs(y) > QUARTER:  # so large a product is not known to a half: the next multiple is nearer
            n += 1.0 if y > 0.0 else -1.0
            quarter += 1 if y > 0.0 else 3
            y, z = reduce_large_angle(x, n)
        return quarter % 4, y, z
    r, w = x - n * P1, n * P1_REST
    y = r - w
    if abs(y) < 1e-4 * abs(x):  # digits were lost: take more of π
        t = r
        w = n * P2
        r = t - w
        w = n * P2_REST - ((t - r) - w)
        y = r - w
        if abs(y) < 1e-14 * abs(x):
            t = r
            w = n * P3
            r = t - w
            w = n * P3_REST - ((t - r) - w)
            y = r - w
    return quarter % 4, y, (r - y) - w


@kernel
def short_sin(x, y):
    """sin(x + y), |x| ≤ π/4, y its tail."""
    z = x * x
    r = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
    )
    v = z * x
    return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01)


@kernel
def short_cos(x, y):
    """cos(x + y), |x| ≤ π/4, y its tail."""
    z = x * x
    inner = 2.48015872894767294178e-05 + z * (
        -2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
    )
    r = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * inner))
    h = 0.5 * z
    w = 1.0 - h
    return w + (((1.0 - w) - h) + (z * r - x * y))


@kernel
def sin_cos(x):
    """sin x and cos x."""
    n, y, z = reduce_angle(x)
    s, c = short_sin(y, z), short_cos(y, z)
    if n == 0:
        return s, c
    if n == 1:
        return c, -s
    if n == 2:
        return -s, -c
    return -c, s


@kernel
def sin(x):
    """sin x."""
    n, y, z = reduce_angle(x)
    value = short_sin(y, z) if n % 2 == 0 else short_cos(y, z)
    return -value if n >= 2 else value


@kernel
def cos(x):
    """cos x."""
    n, y, z = reduce_angle(x)
    value = short_cos(y, z) if n % 2 == 0 else short_sin(y, z)
    return -value if n == 1 or n == 2 else value


@kernel
def tan(x):
    """tan x."""
    s, c = sin_cos(x)
    return s / c


@kernel
def exp(x):
    """e^x."""
    if not x <= LARGEST_EXPONENT:
        return inf if x > 0.0 else x
    if x < SMALLEST_EXPONENT:
        return 0.0
    k = nearest(x * LOG2_E)
    high, low = x - k * LN2_HIGH, k * LN2_LOW
    r = high - low
    z = r * r
    inner = 6.61375632143793436117e-05 + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08)
    c = r - z * (1.66666666666666019037e-01 + z * (-2.77777777770155933842e-03 + z * inner))
    value = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    if k < -900.0:  # the last product alone rounds where the result has fewer digits
        return scale_by_power(value, int(k) + 128) * TINY
    return scale_by_power(2.0 * value, int(k) - 1)


@kernel
def scale_by_power(x, k):
    """x 2^k for −992 ≤ k < 1024."""
    place = k + 31 * STRIDE
    return x * FINE[place % STRIDE] * COARSE[place // STRIDE]


@kernel
def log(x):
    """ln x; −∞ at zero, NaN below."""
    if not x > 0.0:
        return -inf if x == 0.0 else nan
    if x == inf:
        return x
    k = 0.0
    if x < TINY:  # what has fewer digits than others is lifted first
        x *= UP[1]
        k -= SHIFTS[1]
    if x >= 1.0:  # to 1 ≤ x < 2
        for j in range(10):
            if x >= UP[j]:
                x /= UP[j]
                k += SHIFTS[j]
    else:
        for j in range(10):
            if x * UP[j] < 2.0:
                x *= UP[j]
                k -= SHIFTS[j]
    if x > 1.4142135623730951:
        x *= 0.5
        k += 1.0
    f = x - 1.0
    s = f / (2.0 + f)
    z = s * s
    inner = 2.222219843214978396e-01 + z * (
        1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01)
    )
    r = z * (6.666666666666735130e-01 + z * (3.999999999940941908e-01 + z * (2.857142874366239149e-01 + z * inner)))
    h = 0.5 * f * f
    return k * LN2_HIGH - ((h - (s * (h + r) + k * LN2_LOW)) - f)


@kernel
def tanh(x):
    """tanh x."""
    a = abs(x)
    if not a >= 0.35:  # the continued fraction of Lambert; NaN, too
        z = x * x
        d = 13.0 + z / 15.0
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


ATAN_HIGH = np.array([4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01, HALF_PI])
ATAN_LOW = np.array([2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17, HALF_PI_2])
"""atan of ½, 1, 3/2 and ∞, each as a sum of two floats."""


@kernel
def atan(x):
    """The angle between −π/2 and π/2 whose tangent is x."""
    if x != x:
        return x
    a, k = abs(x), -1
    if a > 1e300:
        return HALF_PI if x > 0.0 else -HALF_PI
    if a >= 2.4375:
        a, k = -1.0 / a, 3
    elif a >= 1.1875:
        a, k = (a - 1.5) / (1.0 + 1.5 * a), 2
    elif a >= 0.6875:
        a, k = (a - 1.0) / (a + 1.0), 1
    elif a >= 0.4375:
        a, k = (2.0 * a - 1.0) / (2.0 + a), 0
    z = a * a
    w = z * z
    even = 4.97687799461593236017e-02 * w + 6.66107313738753120669e-02
    even = w * (even * w + 9.09088713343650656196e-02)
    even = z * (
        3.33333333333329318027e-01
        + w * (1.42857142725034663711e-01 + even + w * w * w * w * 1.62858201153657823623e-02)
    )
    odd = w * (-7.69187620504482999495e-02 + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))
    odd = w * (-1.99999999998764832476e-01 + w * (-1.11111104054623557880e-01 + odd))
    value = a - a * (even + odd)
    if k >= 0:
        value = ATAN_HIGH[k] - ((a * (even + odd) - ATAN_LOW[k]) - a)
    return value if x >= 0.0 else -value


@kernel
def atan2(y, x):
    """The angle of the point (x, y), between −π and π."""
    if x != x or y != y:
        return nan
    if x == 0.0 and y == 0.0:
        return 0.0
    if abs(x) == inf and abs(y) == inf:
        angle = QUARTER if x > 0.0 else 3.0 * QUARTER
        return angle if y > 0.0 else -angle
    angle = atan(abs(y) / abs(x)) if x != 0.0 else HALF_PI
    if x < 0.0:
        angle = 2.0 * HALF_PI - (angle - 2.0 * HALF_PI_2)
    return angle if y >= 0.0 else -angle


@kernel
def arc_ratio(z):
    """(asin √z − √z) / √z³, times z: the rational function of fdlibm for z ≤ ¼."""
    p = 2.01212532134862925881e-01 + z * (
        -4.00555345006794114027e-02 + z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)
    )
    p = z * (1.66666666666666657415e-01 + z * (-3.25565818622400915405e-01 + z * p))
    q = 1.0 + z * (
        -2.40339491173441421878e00
        + z * (2.02094576023350569471e00 + z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02))
    )
    return p / q


@kernel
def asin(x):
    """The angle between −π/2 and π/2 whose sine is x."""
    a = abs(x)
    if not a <= 1.0:
        return nan
    if a < 0.5:
        return x + x * arc_ratio(x * x)
    z = 0.5 * (1.0 - a)
    s = sqrt(z)
    if a >= 0.975:
        value = HALF_PI - (2.0 * (s + s * arc_ratio(z)) - HALF_PI_2)
    else:
        high = upper_half(s)
        rest = (z - high * high) / (s + high)
        p = 2.0 * s * arc_ratio(z) - (HALF_PI_2 - 2.0 * rest)
        value = QUARTER - (p - (QUARTER - 2.0 * high))
    return value if x > 0.0 else -value


@kernel
def acos(x):
    """The angle between 0 and π whose cosine is x."""
    a = abs(x)
    if not a <= 1.0:
        return nan
    if a < 0.5:
        return HALF_PI - (x - (HALF_PI_2 - x * arc_ratio(x * x)))
    z = 0.5 * (1.0 - a)
    s = sqrt(z)
    if x < 0.0:
        return 2.0 * HALF_PI - 2.0 * (s + (arc_ratio(z) * s - HALF_PI_2))
    high = upper_half(s)
    rest = (z - high * high) / (s + high) if s > 0.0 else 0.0
    return 2.0 * (high + (arc_ratio(z) * s + rest))
