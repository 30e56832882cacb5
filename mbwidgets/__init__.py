"""mbwidgets: hold a rigid multibody system in the hand.

import mbwidgets as mb

arm = mb.library.three_body_arm()
motion = mb.simulate(arm)
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from .errors import (
    AssignmentError,
    CompatibilityError,
    ExpressionError,
    FileError,
    MbwidgetsError,
    MissingError,
    ModelError,
    SingularError,
    SizeError,
    StateError,
    UnknownNameError,
)
from .expressions import PI as pi
from .expressions import (
    Table,
    acos,
    asin,
    atan,
    atan2,
    cos,
    exp,
    log,
    maximum,
    minimum,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
    where,
)
from .model.bodies import Body, ground
from .model.constraints import (
    DistanceConstraint,
    EquationConstraint,
    OnCircle,
    OnCurve,
    OnLine,
    OnPlane,
    OnSphere,
    OrientationConstraint,
    ParallelConstraint,
    PointConstraint,
    Prescribed,
    WeldConstraint,
)
from .model.forces import (
    Anchor,
    Damper,
    Effort,
    ElasticAlignment,
    Force,
    Gravity,
    JointDamper,
    JointFriction,
    JointSpring,
    Spring,
    Torque,
)
from .model.joints import Cylindrical, Fixed, Free, Planar, Prismatic, Revolute, Spherical, Universal
from .model.model import Model, State
from .model.parameters import Parameter
from .model.solids import Box, Composite, Cone, Cylinder, Disk, Ellipsoid, Point, Rod, Sphere, Tube
from .version import VERSION as _VERSION

if _TYPE_CHECKING:
    from . import assignments, export
    from .export import figures
    from .files import load, save
    from .model import library
    from .numeric.base.outcome import Budget, Outcome, Result
    from .numeric.engines.engine import engine
    from .numeric.linear.equilibrium import equilibrium
    from .numeric.linear.linearise import Linear, linearise
    from .numeric.motion.euler_angles import euler_angles
    from .numeric.motion.extrema import UndersampledWarning
    from .numeric.motion.joined import join
    from .numeric.motion.motion import Motion
    from .numeric.permanent.branch_diagram import branch_diagram
    from .numeric.permanent.design import design_permanent
    from .numeric.permanent.equilibria import ConvergenceError, relative_equilibrium
    from .numeric.permanent.permanent import own_axes, permanent
    from .numeric.permanent.staude import staude_cone
    from .numeric.simulation.assemble import assemble
    from .numeric.simulation.controllers import Controller
    from .numeric.simulation.holding import hold
    from .numeric.simulation.load_motion import load_motion
    from .numeric.simulation.simulate import Event, simulate
    from .numeric.states.body_equations import body_equations
    from .numeric.states.dynamics import Dynamics
    from .symbolic import (
        Formula,
        balance,
        constrained,
        covariant,
        errata,
        limited,
        mass_moments,
        motion_vectors,
        opnchain,
        reactions,
        release,
        rotators,
        volume_integrals,
    )
    from .symbolic.papers.augmented import augmented
    from .symbolic.papers.kharlamov import kharlamov
    from .symbolic.papers.permanent import permanent_formulae
    from .widgets.parts.story import Step
    from .widgets.views.assignment import AssignmentView
    from .widgets.views.constrained import ConstrainedView
    from .widgets.views.equations import EquationsView
    from .widgets.views.explorer import Explorer
    from .widgets.views.mass_moments import MassMomentsView
    from .widgets.views.permanent import PermanentRotationsView
    from .widgets.views.reactions import ReactionsView
    from .widgets.views.release import ReleaseView
    from .widgets.views.rotators import RotatorsView

__version__ = _VERSION

# Loaded when first used: they bring wasmtime, SciPy, widgets or files' parsers with them.
_LAZY = {
    "AssignmentView": "widgets.views.assignment",
    "Budget": "numeric.base.outcome",
    "ConstrainedView": "widgets.views.constrained",
    "Controller": "numeric.simulation.controllers",
    "ConvergenceError": "numeric.permanent.equilibria",
    "Dynamics": "numeric.states.dynamics",
    "EquationsView": "widgets.views.equations",
    "Event": "numeric.simulation.simulate",
    "Explorer": "widgets.views.explorer",
    "Formula": "symbolic",
    "MassMomentsView": "widgets.views.mass_moments",
    "Motion": "numeric.motion.motion",
    "Outcome": "numeric.base.outcome",
    "ReactionsView": "widgets.views.reactions",
    "ReleaseView": "widgets.views.release",
    "PermanentRotationsView": "widgets.views.permanent",
    "Result": "numeric.base.outcome",
    "UndersampledWarning": "numeric.motion.extrema",
    "assignments": "",
    "RotatorsView": "widgets.views.rotators",
    "Step": "widgets.parts.story",
    "augmented": "symbolic.papers.augmented",
    "balance": "symbolic",
    "body_equations": "numeric.states.body_equations",
    "branch_diagram": "numeric.permanent.branch_diagram",
    "constrained": "symbolic",
    "covariant": "symbolic",
    "design_permanent": "numeric.permanent.design",
    "engine": "numeric.engines.engine",
    "errata": "symbolic",
    "euler_angles": "numeric.motion.euler_angles",
    "export": "",
    "figures": "export",
    "hold": "numeric.simulation.holding",
    "join": "numeric.motion.joined",
    "kharlamov": "symbolic.papers.kharlamov",
    "library": "model",
    "Linear": "numeric.linear.linearise",
    "linearise": "numeric.linear.linearise",
    "equilibrium": "numeric.linear.equilibrium",
    "assemble": "numeric.simulation.assemble",
    "limited": "symbolic",
    "load": "files",
    "load_motion": "numeric.simulation.load_motion",
    "mass_moments": "symbolic",
    "motion_vectors": "symbolic",
    "opnchain": "symbolic",
    "own_axes": "numeric.permanent.permanent",
    "permanent": "numeric.permanent.permanent",
    "permanent_formulae": "symbolic.papers.permanent",
    "reactions": "symbolic",
    "relative_equilibrium": "numeric.permanent.equilibria",
    "release": "symbolic",
    "rotators": "symbolic",
    "save": "files",
    "simulate": "numeric.simulation.simulate",
    "staude_cone": "numeric.permanent.staude",
    "volume_integrals": "symbolic",
}

__all__ = [
    "Anchor",
    "AssignmentError",
    "AssignmentView",
    "Body",
    "Box",
    "Budget",
    "CompatibilityError",
    "Composite",
    "Cone",
    "ConstrainedView",
    "Controller",
    "ConvergenceError",
    "Cylinder",
    "Cylindrical",
    "Damper",
    "Disk",
    "DistanceConstraint",
    "Dynamics",
    "Effort",
    "ElasticAlignment",
    "Ellipsoid",
    "EquationConstraint",
    "EquationsView",
    "Event",
    "Explorer",
    "ExpressionError",
    "FileError",
    "Fixed",
    "Force",
    "Formula",
    "Free",
    "Gravity",
    "JointDamper",
    "JointFriction",
    "JointSpring",
    "Linear",
    "MassMomentsView",
    "MbwidgetsError",
    "MissingError",
    "Model",
    "ModelError",
    "Motion",
    "OnCircle",
    "OnCurve",
    "OnLine",
    "OnPlane",
    "OnSphere",
    "OrientationConstraint",
    "Outcome",
    "ParallelConstraint",
    "Parameter",
    "PermanentRotationsView",
    "Planar",
    "Point",
    "PointConstraint",
    "Prescribed",
    "Prismatic",
    "ReactionsView",
    "ReleaseView",
    "Result",
    "Revolute",
    "Rod",
    "RotatorsView",
    "SingularError",
    "SizeError",
    "Sphere",
    "Spherical",
    "Spring",
    "State",
    "StateError",
    "Step",
    "Table",
    "Torque",
    "Tube",
    "UndersampledWarning",
    "Universal",
    "UnknownNameError",
    "WeldConstraint",
    "acos",
    "asin",
    "assemble",
    "assignments",
    "atan",
    "atan2",
    "augmented",
    "balance",
    "body_equations",
    "branch_diagram",
    "constrained",
    "cos",
    "covariant",
    "design_permanent",
    "engine",
    "equilibrium",
    "errata",
    "euler_angles",
    "exp",
    "export",
    "figures",
    "ground",
    "hold",
    "join",
    "kharlamov",
    "library",
    "limited",
    "linearise",
    "load",
    "load_motion",
    "log",
    "mass_moments",
    "maximum",
    "minimum",
    "motion_vectors",
    "opnchain",
    "own_axes",
    "permanent",
    "permanent_formulae",
    "pi",
    "reactions",
    "relative_equilibrium",
    "release",
    "rotators",
    "save",
    "sign",
    "simulate",
    "sin",
    "sqrt",
    "staude_cone",
    "tan",
    "tanh",
    "volume_integrals",
    "where",
]


def __getattr__(name: str) -> _Any:
    if name not in _LAZY:
        from difflib import get_close_matches

        near = get_close_matches(name, __all__, n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{meant}")
    path = f".{_LAZY[name]}"
    value = (
        _import_module(f"{path.rstrip('.')}.{name}", __name__)
        if name in ("assignments", "export", "figures", "library")
        else getattr(_import_module(path, __name__), name)
    )
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
