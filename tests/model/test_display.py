"""A model reads as a table, in a terminal and in a notebook, and hostile names stay text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import mbwidgets as mb
from mbwidgets.model.bodies import Body
from mbwidgets.model.forces import JointDamper
from mbwidgets.model.joints import Revolute, Spherical
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter
from mbwidgets.model.solids import Box, Composite, Cylinder

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</table><iframe src='javascript:1'>",
    "&lt;b&gt;",
    "' onmouseover='x",
    "{{7*7}} ${x} %s",
]


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"style", "class"}

    def handle_data(self, data: str) -> None:
        self.text += data


def model(name: str = "arm", unit: str = "kg") -> Model:
    return Model(
        [
            Body("base", Revolute("z"), mass=8),
            Body("wrist", Spherical((0, 0, "1/2")), mass=Parameter("m2", 5, unit=unit)),
        ],
        forces=[JointDamper("base", 1)],
        name=name,
    )


def test_the_text_holds_one_line_a_body() -> None:
    text = repr(model())
    assert "Model 'arm': 2 bodies, 4 degrees of freedom, 1 force, g = (0, 0, -9.81) m/s²" in text
    assert "parameters: m2 = 5 kg" in text
    assert "wrist  base    spherical        (0, 0, 1/2)  m2" in text


def test_the_html_is_a_table_of_the_same() -> None:
    tags = Tags(model()._repr_html_())
    assert {"table", "th", "td"} <= tags.tags
    assert "wrist" in tags.text
    assert "m2 = 5 kg" in tags.text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name: str) -> None:
    plain = Tags(model()._repr_html_()).tags
    tags = Tags(model(name, unit=name)._repr_html_())
    assert tags.tags == plain
    assert tags.text.count(name) == 2


def test_numbers_inside_formulae_have_six_digits_and_stay_exact_in_the_model() -> None:
    m = Parameter("m", 2)
    plate = Model([Body("plate", inertia=Box((0.08, 0.3, 0.08), mass=m))])
    for shown in ("0.00803333*m", "2/1875*m"):  # a fraction that is short is shown as it is
        assert shown in repr(plate)
        assert shown in plate._repr_html_()
    assert plate.number(plate.bodies[0].inertia[1][1]) == pytest.approx(2 * 0.0064 / 6, rel=1e-15)


def test_long_formulae_are_cut_in_the_table() -> None:
    r = Parameter("r", 1)
    big = Model([Body("a", inertia=Composite([Cylinder(r, r + i, (1, 1, i)) for i in range(5)]))])
    assert max(map(len, repr(big).splitlines())) < 1000


def test_a_parameter_that_moves_nothing_is_told() -> None:
    """A slider that a person has forgotten to write into a body changes nothing, and the model says so."""
    m2, spare = mb.Parameter("m2", 5.0, unit="kg"), mb.Parameter("spare", 0.5, unit="m")
    used = mb.Model([mb.Body("a", joint=mb.Revolute("x"), mass=m2, shape=None)], parameters=[m2, spare])
    for text in (repr(used), used._repr_html_()):
        assert "m2 = 5 kg," in text
        assert "spare = 0.5 m (stands nowhere in the model)" in text
    for name in mb.library.names():
        assert "stands nowhere" not in repr(getattr(mb.library, name)()), name
