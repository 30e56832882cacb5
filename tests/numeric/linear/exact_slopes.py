"""Linear equations by another route: Newton and Euler in world axes, differences with 120 digits (flint's arb).

Nothing of the package's dynamics is used: a model is read as data, bodies, joints, gravity, joint springs and dampers,
point constraints and prescribed motions. Differences of 1e-20 err by 1e-40 of the derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flint
import numpy as np

import mbwidgets as mb

Vector = list[Any]
STEP, OUTER = "1e-25", "1e-18"


def arb(value: Any) -> Any:
    return flint.arb(value)


def cross(a: Vector, b: Vector) -> Vector:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a: Vector, b: Vector) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), arb(0))


def plus(*vectors: Vector) -> Vector:
    return [sum(items, arb(0)) for items in zip(*vectors, strict=True)]


def times(k: Any, a: Vector) -> Vector:
    return [k * x for x in a]


def turn(R: list[Vector], a: Vector) -> Vector:
    return [dot(row, a) for row in R]


def product(A: list[Vector], B: list[Vector]) -> list[Vector]:
    columns = list(zip(*B, strict=True))
    return [[dot(row, list(column)) for column in columns] for row in A]


def rotation(e: Vector, angle: Any) -> list[Vector]:
    s, c = angle.sin(), angle.cos()
    K = [[arb(0), -e[2], e[1]], [e[2], arb(0), -e[0]], [-e[1], e[0], arb(0)]]
    return [[(c if i == j else arb(0)) + s * K[i][j] + (1 - c) * e[i] * e[j] for j in range(3)] for i in range(3)]


def ball_rotation(x: Any, y: Any, z: Any, w: Any) -> list[Vector]:
    n = x * x + y * y + z * z + w * w
    return [
        [1 - 2 * (y * y + z * z) / n, 2 * (x * y - z * w) / n, 2 * (x * z + y * w) / n],
        [2 * (x * y + z * w) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - x * w) / n],
        [2 * (x * z - y * w) / n, 2 * (y * z + x * w) / n, 1 - 2 * (x * x + y * y) / n],
    ]


class Reference:
    """A model in arb numbers, at a time."""

    def __init__(self, model: mb.Model, t: float = 0.0) -> None:
        flint.ctx.prec = 400
        self.model, self.t = model, arb(t)
        self.nq, self.nv = model.nq, model.nv
        self.g = self.vector(model.gravity)
        self.columns: list[tuple[int, str, int, int, Vector]] = []
        for i, body in enumerate(model.bodies):
            a, b = model.q_offsets[i], model.u_offsets[i]
            for column in body.joint.columns():
                axis = [arb(0)] * 3
                if column.kind != "ball":
                    axis = self.vector(column.axis)
                    length = dot(axis, axis).sqrt()
                    axis = [x / length for x in axis]
                self.columns.append((i, column.kind, a, b, axis))
                a, b = (a + 4, b + 3) if column.kind == "ball" else (a + 1, b + 1)

    def vector(self, given: Any) -> Vector:
        return [arb(self.model.number(item)) for item in given]

    def poses(self, q: Vector) -> tuple[list[Any], list[Vector], dict[int, Vector]]:
        """R and O* of the bodies, and the axes of the velocities."""
        model = self.model
        R: list[Any] = [None] * len(model.bodies)
        P: list[Any] = [None] * len(model.bodies)
        axes: dict[int, Vector] = {}
        identity = [[arb(i == j) for j in range(3)] for i in range(3)]
        for i in model.order:
            parent = model.parents[i]
            A, origin = (identity, [arb(0)] * 3) if parent < 0 else (R[parent], P[parent])
            B, x = A, self.vector(model.bodies[i].joint.at)
            for _, kind, a, b, e in (column for column in self.columns if column[0] == i):
                if kind == "translation":
                    axes[b] = turn(B, e)
                    x = plus(x, times(q[a], e))
                elif kind == "rotation":
                    axes[b] = turn(B, e)
                    B = product(B, rotation(e, q[a]))
                else:
                    B = product(B, ball_rotation(*q[a : a + 4]))
                    for k in range(3):
                        axes[b + k] = [B[0][k], B[1][k], B[2][k]]
            R[i], P[i] = B, plus(origin, turn(A, x))
        return R, P, axes

    def inverse(self, q: Vector, u: Vector, ud: Vector, weight: bool = True) -> Vector:
        """Efforts by Newton and Euler."""
        model = self.model
        R, P, axes = self.poses(q)
        zero = [arb(0)] * 3
        w, e, a = ({-1: zero} for _ in range(3))
        force, moment = {}, {}
        for i in model.order:
            p = model.parents[i]
            r = plus(P[i], times(arb(-1), zero if p < 0 else P[p]))
            spin, gain = w[p], e[p]
            slide, slide_rate = zero, zero
            for _, kind, _, b, _ in (column for column in self.columns if column[0] == i):
                if kind == "translation":
                    slide = plus(slide, times(u[b], axes[b]))
                    slide_rate = plus(slide_rate, times(ud[b], axes[b]))
                    continue
                wide = 3 if kind == "ball" else 1
                before = spin
                for k in range(b, b + wide):
                    part = times(u[k], axes[k])
                    # the axis of a pin turns with what is before it, those of a ball with the body
                    gain = plus(gain, times(ud[k], axes[k]), cross(before, part))
                    spin = plus(spin, part)
            w[i], e[i] = spin, gain
            a[i] = plus(
                a[p],
                cross(e[p], r),
                cross(w[p], plus(cross(w[p], r), times(arb(2), slide))),
                slide_rate,
            )
            body = model.bodies[i]
            m, c = arb(model.number(body.mass)), turn(R[i], self.vector(body.com))
            J = [self.vector(row) for row in body.inertia]
            columns = list(zip(*R[i], strict=True))
            local_w, local_e = ([dot(list(column), x) for column in columns] for x in (w[i], e[i]))
            H = turn(J, local_w)
            N = turn(R[i], plus(turn(J, local_e), cross(local_w, H)))
            aC = plus(a[i], cross(e[i], c), cross(w[i], cross(w[i], c)))
            F = times(m, plus(aC, times(arb(-1), self.g) if weight else zero))
            force[i], moment[i] = F, plus(N, cross(plus(P[i], c), F))
        for i in reversed(model.order):
            p = model.parents[i]
            if p >= 0:
                force[p], moment[p] = plus(force[p], force[i]), plus(moment[p], moment[i])
        tau = [arb(0)] * self.nv
        for i, kind, _, b, _ in self.columns:
            at = plus(moment[i], times(arb(-1), cross(P[i], force[i])))
            for k in range(b, b + (3 if kind == "ball" else 1)):
                tau[k] = dot(axes[k], force[i] if kind == "translation" else at)
        if weight:
            for load in model.forces:
                k, place = model.u_offsets[model.index(load.joint)], model.q_offsets[model.index(load.joint)]
                if isinstance(load, mb.JointSpring):
                    tau[k] += arb(model.number(load.stiffness)) * (q[place] - arb(model.number(load.rest)))
                else:
                    tau[k] += arb(model.number(load.damping)) * u[k]
        return tau

    def moved(self, q: Vector, change: Vector) -> Vector:
        """q after a change δξ: along the axes, and by a turn about body axes for a ball."""
        out = list(q)
        for _, kind, a, b, _ in self.columns:
            if kind != "ball":
                out[a] = q[a] + change[b]
                continue
            r = change[b : b + 3]
            x, y, z, w = q[a : a + 4]
            angle = dot(r, r).sqrt()
            if not angle > 0:
                continue
            s, c = (angle / 2).sin() / angle, (angle / 2).cos()
            p = [s * item for item in r]
            out[a : a + 4] = [
                w * p[0] + x * c + y * p[2] - z * p[1],
                w * p[1] + y * c + z * p[0] - x * p[2],
                w * p[2] + z * c + x * p[1] - y * p[0],
                w * c - x * p[0] - y * p[1] - z * p[2],
            ]
        return out

    def residual(self, q: Vector, later: Any = 0) -> Vector:
        """Φ: points that lie on each other, coordinates that follow a + b t + c t²."""
        R, P, _ = self.poses(q)
        out: Vector = []
        for item in self.model.constraints:
            if isinstance(item, mb.Prescribed):
                a, b, c = self.prescribed
                t = self.t + later
                out.append(q[self.model.q_offsets[self.model.index(item.joint)]] - (a + b * t + c * t * t))
                continue
            ends = []
            for anchor in (item.a, item.b):
                at = self.vector(anchor.at)
                k = None if anchor.body is None else self.model.index(anchor.body)
                ends.append(at if k is None else plus(P[k], turn(R[k], at)))
            out += plus(ends[0], times(arb(-1), ends[1]))
        return out

    prescribed: tuple[Any, ...] = ()
    rows: Any = None

    def jacobian(self, q: Vector) -> list[Vector]:
        """J by columns, then turned: rows."""
        h = arb(STEP)
        columns = []
        for j in range(self.nv):
            way = [h if k == j else arb(0) for k in range(self.nv)]
            ahead, behind = self.residual(self.moved(q, way)), self.residual(self.moved(q, times(arb(-1), way)))
            columns.append([(x - y) / (2 * h) for x, y in zip(ahead, behind, strict=True)])
        J = [list(row) for row in zip(*columns, strict=True)]
        if self.rows is None:
            self.rows = independent_rows(np.array([[float(x.mid()) for x in row] for row in J]))
        return [J[k] for k in self.rows]

    def rate(self, q: Vector, u: Vector, order: int) -> Vector:
        """Φ̇ or, at u̇ = 0, Φ̈ by differences along the motion."""
        h = arb(STEP)
        ahead, here, behind = (self.residual(self.moved(q, times(s, u)), s) for s in (h, arb(0), -h))
        kept = range(len(here)) if self.rows is None else self.rows
        if order == 1:
            return [(ahead[k] - behind[k]) / (2 * h) for k in kept]
        return [(ahead[k] - 2 * here[k] + behind[k]) / (h * h) for k in kept]

    def accelerations(self, q: Vector, u: Vector, tau: Vector) -> Vector:
        """u̇ by the KKT system."""
        n, zero = self.nv, [arb(0)] * self.nv
        bias = self.inverse(q, u, zero)
        M = [self.inverse(q, zero, [arb(k == j) for k in range(n)], weight=False) for j in range(n)]
        if not self.model.constraints:
            return solve(M, [x - y for x, y in zip(tau, bias, strict=True)])
        J = self.jacobian(q)
        m = len(J)
        big = [[*M[i], *(-J[k][i] for k in range(m))] for i in range(n)]
        big += [[*J[k], *([arb(0)] * m)] for k in range(m)]
        right = [x - y for x, y in zip(tau, bias, strict=True)] + times(arb(-1), self.rate(q, u, 2))
        return solve(big, right)[:n]


def independent_rows(J: np.ndarray) -> list[int]:
    """Rows of a Jacobian that are independent, by elimination with the largest row first."""
    left, chosen = J.copy(), list[int]()
    while len(left):
        sizes = np.linalg.norm(left, axis=1)
        best = int(sizes.argmax())
        if sizes[best] < 1e-9 * np.linalg.norm(J, axis=1).max():
            break
        chosen.append(best)
        axis = left[best] / sizes[best]
        left = left - np.outer(left @ axis, axis)
    return sorted(chosen)


def solve(A: list[Vector], b: Vector) -> Vector:
    found = flint.arb_mat(A).solve(flint.arb_mat([[x] for x in b]))
    return [found[k, 0] for k in range(len(b))]


def slope(function: Callable[[Any], Vector]) -> Vector:
    h = arb(OUTER)
    return [(x - y) / (2 * h) for x, y in zip(function(h), function(-h), strict=True)]


def linear_reference(
    model: mb.Model, q: Any, u: Any, chosen: list[int], t: float = 0.0, prescribed: tuple[float, ...] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """A and B (with an input at every velocity) of the chosen coordinates."""
    one = Reference(model, t)
    one.prescribed = tuple(map(arb, prescribed))
    place, speed, none = [arb(float(x)) for x in q], [arb(float(x)) for x in u], [arb(0)] * model.nv
    n, k = model.nv, len(chosen)
    if model.constraints:
        J = np.array([[float(x.mid()) for x in row] for row in one.jacobian(place)])
        exact = one.jacobian(place)
        rest = [i for i in range(n) if i not in chosen]
        assert np.linalg.matrix_rank(J) == len(rest)

        def dependent(right: list[Vector]) -> Vector:
            return solve([[row[i] for i in rest] for row in exact], right)

        ways = []
        for j in chosen:
            way = [arb(i == j) for i in range(n)]
            for i, x in zip(rest, dependent([-row[j] for row in exact]), strict=True):
                way[i] = x
            ways.append(way)
        follow = []
        for way in ways:
            off = slope(lambda h, way=way: one.rate(one.moved(place, times(h, way)), speed, 1))
            extra = [arb(0)] * n
            for i, x in zip(rest, dependent(times(arb(-1), off)), strict=True):
                extra[i] = x
            follow.append(extra)
    else:
        ways = [[arb(i == j) for i in range(n)] for j in chosen]
        follow = [none for _ in chosen]

    def number(values: Vector) -> list[float]:
        return [float(x.mid()) for x in values]

    A = np.zeros((2 * k, 2 * k))
    A[:k, k:] = np.eye(k)
    for j, (way, extra) in enumerate(zip(ways, follow, strict=True)):
        by_pose = slope(
            lambda h, way=way, extra=extra: one.accelerations(
                one.moved(place, times(h, way)), plus(speed, times(h, extra)), none
            )
        )
        by_rate = slope(lambda h, way=way: one.accelerations(place, plus(speed, times(h, way)), none))
        A[k:, j], A[k:, k + j] = np.array(number(by_pose))[chosen], np.array(number(by_rate))[chosen]
        for _, kind, _, b, _ in one.columns:
            if kind == "ball":  # a small turn is told in axes that turn: δξ̇ = δu − ω × δξ
                turned = number(cross(times(arb(-1), speed[b : b + 3]), way[b : b + 3]))
                for row, i in enumerate(chosen):
                    if b <= i < b + 3:
                        A[row, j] = turned[i - b]
    rest_state = one.accelerations(place, speed, none)
    B = np.zeros((2 * k, n))
    for j in range(n):
        pushed = one.accelerations(place, speed, [arb(i == j) for i in range(n)])
        B[k:, j] = np.array(number(plus(pushed, times(arb(-1), rest_state))))[chosen]
    return A, B
