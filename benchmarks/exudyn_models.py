"""Plane mechanisms as Exudyn systems: bodies, pins, distances, springs, a torque on the first body."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from mbwidgets.model.constraints import DistanceConstraint, PointConstraint
from mbwidgets.model.forces import Effort, Spring
from mbwidgets.model.joints import Planar, Revolute
from mbwidgets.model.model import Model
from mbwidgets.numeric.simulation.simulate import simulate


class Result(NamedTuple):
    """Seconds, and position and angle of the first body's mass centre at the end."""

    seconds: float
    place: np.ndarray


def run(model: Model, duration: float, steps: int) -> Result:
    """Integrate a plane model with Exudyn's generalised α method, index 3, in equal steps: index 2 fails in A02."""
    import exudyn as exu

    system, node = _system(exu, model)
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = duration
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.95
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.solutionSettings.writeSolutionToFile = False
    system.Assemble()
    start = time.perf_counter()
    system.SolveDynamic(settings)
    seconds = time.perf_counter() - start
    place = system.GetNodeOutput(node, exu.OutputVariableType.Position)[:2]
    return Result(seconds, np.array(place))


def _system(exu: Any, model: Model) -> tuple[Any, int]:
    import exudyn.itemInterface as items

    system = exu.SystemContainer().AddSystem()
    ground = system.AddObject(items.ObjectGround())
    start = simulate(model, duration=1e-3, rate=1e3)
    nodes, bodies, centres = [], [], []
    for index, body in enumerate(model.bodies):
        com = [model.number(x) for x in body.com]
        point = start.point(index, com)
        angle = float(2 * np.arctan2(*start.poses[1][0, index, 2:]))
        spin = sum(float(start.u[0, model.u_offsets[k + 1] - 1]) for k in model.path(index))
        nodes.append(
            system.AddNode(
                items.NodeRigidBody2D(
                    referenceCoordinates=[*point.position[0, :2], angle],
                    initialVelocities=[*point.velocity[0, :2], spin],
                )
            )
        )
        mass = model.number(body.mass)
        bodies.append(
            system.AddObject(
                items.ObjectRigidBody2D(
                    physicsMass=mass, physicsInertia=model.number(body.inertia[2][2]), nodeNumber=nodes[-1]
                )
            )
        )
        centres.append(com)
        marker = system.AddMarker(items.MarkerBodyMass(bodyNumber=bodies[-1]))
        system.AddLoad(
            items.LoadMassProportional(markerNumber=marker, loadVector=[model.number(x) for x in model.gravity])
        )

    def mark(index: int, at: Any) -> Any:
        place = [model.number(x) for x in at]
        if index < 0:
            return system.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=place))
        local = [p - c for p, c in zip(place, centres[index], strict=True)]
        return system.AddMarker(items.MarkerBodyPosition(bodyNumber=bodies[index], localPosition=local))

    def anchor(end: Any) -> Any:
        return mark(-1 if end.body is None else model.index(end.body), end.at)

    for index, body in enumerate(model.bodies):
        if isinstance(body.joint, Revolute):
            pair = [mark(model.parents[index], body.joint.at), mark(index, (0, 0, 0))]
            system.AddObject(items.ObjectJointRevolute2D(markerNumbers=pair))
        elif not isinstance(body.joint, Planar):
            raise ValueError(body.joint.type)
    for constraint in model.constraints:
        pair = [anchor(constraint.a), anchor(constraint.b)]
        if isinstance(constraint, PointConstraint):
            system.AddObject(items.ObjectJointRevolute2D(markerNumbers=pair))
        elif isinstance(constraint, DistanceConstraint):
            length = model.number(constraint.length)
            system.AddObject(items.ObjectConnectorDistance(markerNumbers=pair, distance=length))
    for force in model.forces:
        if isinstance(force, Spring):
            pair = [anchor(force.start), anchor(force.end)]
            stiffness, length = model.number(force.stiffness), model.number(force.length)
            system.AddObject(
                items.ObjectConnectorSpringDamper(markerNumbers=pair, stiffness=stiffness, referenceLength=length)
            )
        elif isinstance(force, Effort):
            marker = system.AddMarker(items.MarkerBodyRigid(bodyNumber=bodies[model.index(force.joint)]))
            system.AddLoad(items.Torque(markerNumber=marker, loadVector=[0, 0, model.number(force.value)]))
    return system, nodes[0]
