"""Random URDF robots: trees with turned frames, all joint types, physical inertias."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


@dataclass(frozen=True)
class Robot:
    """URDF text, and the type of each joint by name."""

    text: str
    joints: dict[str, str]


def random_robot(rng: np.random.Generator, most: int = 8, kinds: list[str] | None = None) -> Robot:
    """A tree with links in random order; a planar joint's normal is z, the only one that Pinocchio knows."""
    chosen = kinds or [str(rng.choice(KINDS)) for _ in range(rng.integers(1, most + 1))]
    links = [_link("link0", rng)]
    joints, types = [], {}
    for number, kind in enumerate(chosen, start=1):
        links.append(_link(f"link{number}", rng))
        parent = int(rng.integers(0, number))
        axis = np.array([0.0, 0.0, 1.0]) if kind == "planar" else rng.normal(size=3)
        axis /= np.linalg.norm(axis)  # Pinocchio wants a unit vector
        joints.append(
            f'<joint name="joint{number}" type="{kind}">'
            f'<parent link="link{parent}"/><child link="link{number}"/>'
            f'<origin xyz="{_triple(rng.uniform(-1, 1, 3))}" rpy="{_triple(rng.uniform(-3, 3, 3))}"/>'
            f'<axis xyz="{_triple(axis)}"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>'
        )
        types[f"joint{number}"] = kind
    rng.shuffle(links)
    return Robot(f'<robot name="random">{"".join(links)}{"".join(joints)}</robot>', types)


def _link(name: str, rng: np.random.Generator) -> str:
    mass = rng.uniform(0.5, 5)
    # the second moments of any body: positive, hence the triangle inequality
    spread = rng.uniform(0.1, 1, 3)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    inertia = turn @ np.diag(spread.sum() - spread) @ turn.T * mass
    numbers = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "ixz": (0, 2), "iyz": (1, 2)}
    parts = " ".join(f'{key}="{float(inertia[place])!r}"' for key, place in numbers.items())
    return (
        f'<link name="{name}"><inertial><origin xyz="{_triple(rng.uniform(-1, 1, 3))}" '
        f'rpy="{_triple(rng.uniform(-3, 3, 3))}"/><mass value="{mass!r}"/>'
        f"<inertia {parts}/></inertial></link>"
    )


def _triple(values: np.ndarray) -> str:
    return " ".join(repr(float(value)) for value in values)
