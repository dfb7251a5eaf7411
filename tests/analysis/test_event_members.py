"""A contact event is declared once, and whatever lists its members agrees with the declaration."""

import re

import numpy as np
from synthetic_run import make_recording

from mannequin.analysis.files.csv_files import contacts_csv
from mannequin.analysis.pages.appendices import CONTACT_COLUMNS
from mannequin.engine.contact.arrays import EVENT_WIDTH, INSTANT_WIDTH
from mannequin.engine.contact.event_members import (
    CONTACT_EVENT,
    EVENT,
    EVENT_COLUMN,
    EVENT_MEMBERS,
    INSTANT_COLUMN,
    INSTANT_MEMBERS,
    SIDES,
    fill,
)
from mannequin.sweeps.spec import CONTACT_TAKES, OF_SEVERAL


def test_columns_of_the_log_hold_every_member_and_none_twice():
    for members, column, width in (
        (EVENT_MEMBERS, EVENT_COLUMN, EVENT_WIDTH),
        (INSTANT_MEMBERS, INSTANT_COLUMN, INSTANT_WIDTH),
    ):
        taken = [column[m.name] + k for m in members for k in range(m.size)]
        assert len(set(taken)) == len(taken) and max(taken) < width


def test_records_are_filled_from_the_columns():
    rows = np.arange(2.0 * EVENT_WIDTH).reshape(2, EVENT_WIDTH)
    records = np.zeros(2, dtype=CONTACT_EVENT)
    fill(records, rows, EVENT_COLUMN)
    for member in EVENT_MEMBERS:
        first = EVENT_COLUMN[member.name]
        assert np.array_equal(np.ravel(records[1][member.name]), rows[1, first : first + member.size])


def test_the_table_has_every_member_and_its_page_explains_it(root):
    header = next(iter(contacts_csv(make_recording()))).strip().split(",")
    assert len(header) == 6 + sum(member.size for member in EVENT_MEMBERS)
    page = (root / "docs" / "formats" / "run_folder.md").read_text(encoding="utf-8")
    page = page.split("## `_contacts.csv`")[1].split("\n## ")[0]
    names = [
        (member.stem or member.name) if member.size > 1 else member.columns[0] for member in EVENT_MEMBERS
    ]
    assert not [name for name in names if not re.search(rf"\b{re.escape(name)}", page)]


def test_sweeps_can_take_what_their_page_lists(root):
    page = (root / "docs" / "sweeps.md").read_text(encoding="utf-8")
    text = " ".join(page.split("`contact`: which contacts, and `take`:")[1].split(". ")[0].split())
    assert {word for word in re.findall(r"\w+", text) if "_" in word or word in CONTACT_TAKES} == set(
        CONTACT_TAKES
    )
    assert set(OF_SEVERAL.values()) == {"first", "largest", "sum"} and not set(OF_SEVERAL) & set(SIDES)


def test_the_report_shows_members_in_their_units():
    for name, heading, factor, _ in CONTACT_COLUMNS:
        unit = {1: EVENT[name].unit, 1000: f"m{EVENT[name].unit}"}[factor]
        assert heading.endswith(f"({unit})")
