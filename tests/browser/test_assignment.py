"""The grading widget in a real JupyterLab: type an answer, check it, read what is said, record it."""

from __future__ import annotations

from tests.browser.lab import Lab

SETUP = """import sys
from pathlib import Path
import mbwidgets as mb
from mbwidgets import assignments
key = assignments.load_key(Path("assignments/keys/rotor.json"))"""
SHOW = "view = mb.AssignmentView(key, 's0000000', 'mine.json'); view"


def test_an_answer_is_typed_checked_mended_and_recorded(lab: Lab) -> None:
    lab.open_cells(SETUP, SHOW)
    assert [cell.error for cell in lab.run_all()] == [None, None]
    place = lab.cell(1).locator(".jp-OutputArea")
    first = place.get_by_role("textbox").first
    first.wait_for()
    first.fill("[0, -m*e, 0] kg m")
    place.get_by_role("button", name="check").first.click()
    place.get_by_text("The sign is the opposite one").wait_for()
    first.fill("[0, m*e, 0] kg m")
    place.get_by_role("button", name="check").first.click()
    place.get_by_text("right · 2 of 2").wait_for()
    second = place.get_by_role("textbox").nth(1)
    second.fill("[[1/5, 0, Jxz], [0, 1/4, 0], [Jxz, 0, 1/10]]")
    place.get_by_role("button", name="check").nth(1).click()
    place.get_by_text("This belongs to another pole").wait_for()
    place.get_by_role("textbox").nth(3).fill("<img src=x onerror=alert(1)>")
    place.get_by_role("button", name="check").nth(3).click()
    place.get_by_text("could not be read").wait_for()
    place.get_by_role("button", name="record").click()
    place.get_by_text("written to mine.json").wait_for()
    lab.screenshot("checked", place)
    assert place.locator("img").count() == 0
    assert lab.python("print(assignments.load_answers('mine.json').answers['q1'])") == "[0, m*e, 0] kg m"
    assert lab.errors == []
