"""A view shows one state: what could not be computed is empty and says why, or the model is refused and the last
good one stays whole. Each computed part of each view is made to fail in turn."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from typing import Any, NamedTuple

import ipywidgets
import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import SingularError, error_reason
from mbwidgets.numeric.permanent.rotation_states import with_nearest_permanent_rotation
from mbwidgets.widgets.base.lifetime import blank_part
from mbwidgets.widgets.parts.readout import Readout
from mbwidgets.widgets.views.view import View

SHORT = {"duration": 0.4, "rate": 30}
ARM = mb.library.three_body_arm()


class Case(NamedTuple):
    """A view, what makes another model of its own, and its menu of tabs."""

    make: Callable[[], Any]
    change: Callable[[mb.Model], mb.Model]
    tabs: str = "tabs"


def explorer() -> Any:
    view = mb.Explorer(ARM, vectors=("force", "weight", "static"), **SHORT)
    view._trace.value = True
    return view


CASES = {
    "Explorer": Case(explorer, lambda model: model.with_body(0, mass=17).with_values(m2=9), "_tabs"),
    "MassMoments": Case(
        lambda: mb.MassMomentsView(**SHORT), lambda model: model.with_body(0, mass=9, com=(0.1, 0.2, 0.3))
    ),
    "Rotators": Case(lambda: mb.RotatorsView(mb.library.rotor(), **SHORT), lambda model: model.with_body(0, mass=9)),
    "Reactions": Case(lambda: mb.ReactionsView(ARM, joint=1, **SHORT), lambda model: model.with_body(1, mass=9)),
    "Equations": Case(
        lambda: mb.EquationsView(mb.library.pendulum(2), **SHORT), lambda model: model.with_body(0, mass=9)
    ),
    "Release": Case(
        lambda: mb.ReleaseView(duration=0.4, rate=30), lambda model: model.with_body(-1, mass=9, com=(0.2, 0.1, 0))
    ),
    "Permanent": Case(
        lambda: mb.PermanentRotationsView(perturbation=1.0, **SHORT),
        lambda model: with_nearest_permanent_rotation(model.with_values(m2=4)),
    ),
    "Constrained": Case(lambda: mb.ConstrainedView(**SHORT), lambda model: model.with_body(0, mass=9)),
}

PARTS = """
Explorer     0 widgets.views.explorer:editable_places
Explorer     0 numeric.motion.motion:Motion.point
Explorer     0 widgets.parts.formulas:formula_groups
Explorer     0 widgets.parts.formulas:formula_groups_html
Explorer     0 widgets.parts.formulas:instant_of
Explorer     1 model.model:Model.coordinate_names
Explorer     2 model.model:Model.to_code
Explorer     0 scene.stage.drawn_arrows:arrows_of
Explorer     0 scene.stage.picture:picture_axes
Explorer     0 scene.stage.composition:mechanism_of
Explorer     0 widgets.base.solver:simulate
Explorer     0 widgets.parts.readout:Readout.show
MassMoments  0 numeric.motion.motion:Motion.mass_moments
MassMoments  0 widgets.edit.pole_and_axis:PoleAndAxis.verdict_numbers
MassMoments  0 widgets.views.mass_moments:balance_sentences
MassMoments  0 widgets.edit.pole_and_axis:PoleAndAxis.marks
MassMoments  0 widgets.edit.pole_and_axis:PoleAndAxis.formulae
MassMoments  1 widgets.edit.pole_and_axis:PoleAndAxis.turned
MassMoments  0 widgets.edit.pole_and_axis:PoleAndAxis.tensor
MassMoments  0 widgets.views.mass_moments:joint_axis_or_z
MassMoments  0 widgets.views.vector_view:editable_places
MassMoments  0 widgets.views.mass_moments:append_length
Rotators     0 numeric.motion.motion:Motion.rotators
Rotators     0 widgets.views.rotators:contribution_polygon
Rotators     0 widgets.views.rotators:single_rotator_arrows
Rotators     0 widgets.views.rotators:rows_contributing_to
Rotators     0 widgets.views.rotators:parts_along_sum
Rotators     0 widgets.views.rotators:law_values
Rotators     0 widgets.views.rotators:contribution_table
Rotators     0 widgets.views.rotators:contribution_table_values
Rotators     1 widgets.views.rotators:rotator_contribution
Rotators     0 widgets.views.rotators:_exact
Rotators     0 widgets.views.rotators:PoleAndAxis
Rotators     2 widgets.views.balancing:_state
Rotators     2 numeric.motion.motion:Motion.reaction_parts
Rotators     0 widgets.views.vector_view:editable_places
Reactions    0 numeric.motion.motion:Motion.reaction_parts
Reactions    1 numeric.motion.motion:Motion.reaction_parts
Reactions    0 widgets.views.reactions:reactions_by_both_methods
Reactions    0 widgets.views.reactions:finding_numbers
Reactions    0 widgets.views.reactions:force_by_accelerations
Reactions    0 widgets.views.reactions:force_by_rotators
Reactions    0 widgets.views.reactions:vector_to_pole
Reactions    1 widgets.views.reactions:vector_to_pole
Reactions    0 widgets.views.reactions:reaction_rows_and_arrows
Reactions    0 numeric.motion.motion:Motion.reactions
Reactions    2 numeric.motion.motion:Motion.pressure_spectrum
Reactions    3 widgets.parts.formulas:formula_groups
Reactions    0 widgets.views.vector_view:editable_places
Equations    0 widgets.views.equations:covariant
Equations    1 widgets.views.equations:covariant
Equations    2 widgets.views.equations:covariant
Equations    0 widgets.views.equations:tensor_heatmap
Equations    0 widgets.views.equations:kernel_disagreement
Equations    0 widgets.views.equations:entry_html
Equations    1 widgets.views.equations:equations_html
Equations    2 symbolic.papers.covariant:Covariant.code
Equations    3 widgets.views.equations:editable_places
Equations    0 scene.stage.picture:packed_poses
Release      0 widgets.views.release:release_of
Release      1 widgets.views.release:release_of
Release      2 widgets.views.release:release_of
Release      0 widgets.views.release:holding_numbers
Release      0 widgets.views.release:opened_motion
Release      0 widgets.views.release:opened_joint_arrows
Release      0 widgets.views.release:reaction_component_table
Release      0 widgets.views.release:reactions_by_both_methods
Release      0 widgets.views.release:release_matrices
Release      1 widgets.views.release:release_formulae_html
Release      2 widgets.views.release:draw_curves
Release      0 widgets.views.vector_view:editable_places
Permanent    0 numeric.permanent.permanent:rotation_growth
Permanent    0 widgets.views.study:cone_of
Permanent    0 widgets.views.study:cone_curves
Permanent    0 widgets.views.study:natural_speed
Permanent    2 widgets.views.study:Study._diagram
Permanent    0 widgets.text.verdicts:permanence_verdict
Permanent    0 widgets.text.verdicts:condition_checklist
Permanent    0 widgets.text.verdicts:augmented_table
Permanent    0 widgets.text.verdicts:stability_text
Permanent    0 widgets.views.permanent:speed_places
Permanent    3 widgets.views.permanent:editable_places
Permanent    0 widgets.views.permanent:deviation_curves
Permanent    1 widgets.views.permanent:residual_curves
Permanent    0 widgets.views.permanent:tilt_angles
Permanent    0 widgets.views.permanent:rotation_of
Permanent    0 widgets.views.permanent:tilted_start
Permanent    0 widgets.views.study:Study.of
Constrained  0 widgets.views.constrained_page:constraint_arrows
Constrained  0 widgets.views.constrained:rank_badge
Constrained  0 widgets.views.constrained_page:held_numbers
Constrained  0 widgets.views.constrained_page:held_sentences
Constrained  0 widgets.views.constrained:constraint_force_table
Constrained  0 widgets.views.constrained:euler_angle_rows
Constrained  0 widgets.views.constrained_page:jacobian_and_complement_matrices
Constrained  0 widgets.views.constrained:acceleration_routes_text
Constrained  0 widgets.views.constrained:exact_constraints
Constrained  0 widgets.views.constrained:constraint_formulae_html
Constrained  1 widgets.views.constrained:drift_by_stabilisation
Constrained  2 widgets.views.constrained:paper_figure_curves
Constrained  0 numeric.motion.motion:Motion.point
Constrained  0 widgets.views.vector_view:editable_places
Constrained  0 widgets.base.solver:simulate
"""
EACH = [tuple(line.split()) for line in PARTS.strip().splitlines()]
ERRORS = (np.linalg.LinAlgError("no way"), SingularError("no way", remedy="go elsewhere"))


def in_sight(widget: Any) -> Iterator[Any]:
    """The widget and what is in it; of tabs the one in front."""
    yield widget
    children = getattr(widget, "children", ())
    if isinstance(widget, ipywidgets.Tab):
        children = children[widget.selected_index or 0 :][:1]
    for child in children:
        yield from in_sight(child)


def parts_of(view: View) -> list[Any]:
    """What the view fills: parts in sight, and those of the stage."""
    found = [
        part
        for part in in_sight(view)
        if isinstance(part, ipywidgets.HTML | ipywidgets.HTMLMath) or hasattr(part, "blank")
    ]
    stage = [getattr(view, name) for name in ("markers", "handles", "cone", "barycentres") if hasattr(view, name)]
    return [*(part for part in found if part is not view.health), *stage]


QUIET = {"version", "layout", "style", "player", "scene", "homes", "edit", "answered", "opened", "children", "rules"}


def state(part: Any) -> Any:
    """All that a part shows."""
    if isinstance(part, ipywidgets.Widget):
        synced = {name: getattr(part, name) for name in part.keys if not name.startswith("_") and name not in QUIET}
        return {name: value for name, value in synced.items() if not isinstance(value, ipywidgets.Widget)}
    if hasattr(part, "_meshes"):
        return [(name, item.mesh.visible, item.mesh.position, item.mesh.scale) for name, item in part._meshes.items()]
    if hasattr(part, "balls"):
        return [(ball.visible, ball.position, ball.scale) for ball in part.balls]
    return part._points.array.tobytes()


def stage_of(view: View) -> dict[str, Any]:
    """The picture: poses, arrows and trails."""
    player = view.picture.player
    trails = [trail.line.visible for trail in view.picture._trails]
    return {"poses": player.poses, "times": player.times, "vectors": player.vectors, "trails": trails}


def shown(view: View) -> list[Any]:
    return [state(part) for part in parts_of(view)]


@cache
def known(name: str, tab: int) -> tuple[list[Any], dict[str, Any]]:
    """What the view shows of the changed model when nothing fails."""
    case = CASES[name]
    view = case.make()
    getattr(view, case.tabs).selected_index = tab
    view.model = case.change(view.model)
    found = shown(view), stage_of(view)
    view.close()
    return found


def is_empty(part: Any, why: str) -> bool:
    """Whether the part is as empty as it can be, and says why; one without words is only empty."""
    before = state(part)
    if isinstance(part, Readout) and part.missing:
        return not part.columns and set(part.missing.values()) == {why}
    blank_part(part, why)
    return bool(state(part) == before)


@pytest.mark.on_purpose
@pytest.mark.parametrize(("name", "tab", "target", "error"), [(*each, k % 2) for k, each in enumerate(EACH)])
def test_nothing_of_before_stands_beside_what_is_new(
    name: str, tab: str, target: str, error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, broken = CASES[name], ERRORS[error]
    expected, stage = known(name, int(tab))
    view = case.make()
    getattr(view, case.tabs).selected_index = int(tab)
    old, old_stage, good = shown(view), stage_of(view), view.model
    assert old != expected

    module, _, attribute = target.partition(":")
    home: Any = importlib.import_module(f"mbwidgets.{module}")
    *inner, last = attribute.split(".")
    for step in inner:
        home = getattr(home, step)
    wanted, works = case.change(good), vars(home)[last]

    def fails(*arguments: Any, **options: Any) -> Any:
        if view.model is wanted:
            raise broken
        return getter(*arguments, **options)

    of_class = isinstance(works, property | cached_property)
    getter = (works.fget if isinstance(works, property) else works.func) if of_class else works
    monkeypatch.setattr(home, last, property(fails) if of_class else fails)
    view.model = wanted
    monkeypatch.undo()

    why, now = error_reason(broken), shown(view)
    if view.model is good:
        assert now == old
        assert stage_of(view) == old_stage
        assert view.motion.model is good
        assert not view.history.can_undo
        assert "no way" in view.health.value
    else:
        assert view.model is wanted is view.motion.model
        assert view.history.can_undo
        empty = [part for part, ours, right in zip(parts_of(view), now, expected, strict=True) if ours != right]
        assert stage_of(view)["poses"] == stage["poses"]
        lacking = stage_of(view) != stage
        assert empty or lacking, "the part that fails is not one of this view"
        if lacking:
            vectors = stage_of(view)["vectors"]
            assert vectors in (b"", stage["vectors"]), "arrows of before"
            assert "no way" in str([view.health.value, *now]), "it is not said why arrows are missing"
        for part in empty:
            assert is_empty(part, why), f"{type(part).__name__} shows {state(part)}"
        view.refresh()
    view.model = wanted
    assert shown(view) == expected, "what was empty is filled again"
    assert stage_of(view) == stage
    assert "no way" not in view.health.value
    view.close()
