"""Impacts joined from the contact log, what belongs to each, and the flags of values beyond trust."""

import dataclasses

import numpy as np
import pytest
from synthetic_run import make_recording, make_scenario, sense_head

from mannequin.analysis.measures import evaluate
from mannequin.analysis.measures.impacts import JOIN_GAP, find_impacts, impact_rows, impact_window, share_text
from mannequin.analysis.measures.measure import FLAG, Measure
from mannequin.analysis.measures.signals import G0
from mannequin.analysis.measures.trust import BOUNDS, bounds_of, curve_flags, value_flags
from mannequin.engine import CONTACT_EVENT
from mannequin.engine.spec import Body, Ellipsoid, Joint


def events(*spans, body=1, impulse=1.0):
    """Contacts of a body with the ground from start to end, with their largest force in the middle."""
    contacts = np.zeros(len(spans), dtype=CONTACT_EVENT)
    contacts["ellipsoid_a"] = contacts["body_a"] = body
    contacts["ellipsoid_b"] = contacts["body_b"] = -1
    for contact, (start, end, force) in zip(contacts, spans, strict=True):
        contact["start"], contact["end"], contact["peak_time"] = start, end, 0.5 * (start + end)
        contact["peak_force"], contact["impulse"] = force, (0, 0, impulse * force)
        contact["joined_force"], contact["joined_time"] = force, contact["peak_time"]
    return contacts


def recording_with(contacts, frames=3001, step=1e-4):
    recording = make_recording(frames, step)
    recording.contacts = contacts
    return recording


def test_contacts_of_two_bodies_join_up_to_the_gap():
    gap = JOIN_GAP
    first = (0.010, 0.015, 300.0)
    near = (0.015 + 0.99 * gap, 0.040, 900.0)
    far = (0.040 + 1.01 * gap, 0.070, 500.0)
    found = find_impacts(make_scenario(), recording_with(events(first, near, far)))
    assert [impact.events for impact in found] == [(0, 1), (2,)]
    assert found[0].start == 0.010 and found[0].end == 0.040
    assert found[0].peak_force == 900.0 and found[0].peak_time == pytest.approx(0.5 * (near[0] + near[1]))
    assert found[0].shares == pytest.approx((0.25, 0.75))


def test_different_partners_are_different_impacts_and_fixed_bodies_are_one():
    scenario = make_scenario()
    model = scenario.actors[0].model
    model.bodies.append(
        Body("jaw", 0.5, (1e-3, 1e-3, 1e-3, 0, 0, 0), ellipsoids=[Ellipsoid("chin", (0.03,) * 3)])
    )
    model.joints.append(Joint("jaw", "fixed", "Head", "jaw"))
    recording = make_recording(301, 1e-3, bodies=3)
    recording.body_names = (*recording.body_names, "jaw")
    recording.body_actor, recording.joint_names = np.zeros(4, dtype=int), (*recording.joint_names, "jaw")
    recording.joint_actor = np.zeros(4, dtype=int)
    recording.ellipsoid_names = (*recording.ellipsoid_names, "chin")
    contacts = np.concatenate(
        [events((0.1, 0.11, 800.0)), events((0.102, 0.11, 200.0), body=3), events((0.1, 0.2, 50.0), body=2)]
    )
    recording.contacts = contacts[np.argsort(contacts["start"], kind="stable")]
    rows = impact_rows(scenario, recording)
    assert [(first, second) for _, first, second in rows] == [
        ("man / Head, jaw", "ground"),
        ("man / hand", "ground"),
    ]
    assert share_text(recording, rows[0][0]) == "skull on ground 80 %, chin on ground 20 %"


def test_an_open_contact_lasts_to_the_end_of_the_run():
    (impact,) = find_impacts(make_scenario(), recording_with(events((0.1, np.nan, 10.0), (0.25, 0.26, 20.0))))
    assert impact.end == pytest.approx(0.3) and len(impact.events) == 2


def test_windows_are_cut_half_way_between_peaks():
    found = find_impacts(make_scenario(), recording_with(events((0.1, 0.102, 500.0), (0.13, 0.14, 500.0))))
    assert impact_window(found, 0) == pytest.approx((0.095, 0.117))
    assert impact_window(found, 1) == pytest.approx((0.125, 0.155))


def test_hic_is_given_for_each_impact_and_the_larger_one_is_that_of_the_whole():
    """Two half-sines of 10 ms, 100 g and 60 g: 0.4146456 A^2.5 T each, a little less through CFC 1000."""
    recording = recording_with(events((0.05, 0.06, 4500.0), (0.2, 0.21, 2700.0)))
    recording.acceleration[:] = recording.quaternion[:] = 0.0
    recording.quaternion[..., 0] = 1.0
    for start, peak in ((0.05, 100.0), (0.2, 60.0)):
        inside = (recording.times >= start) & (recording.times <= start + 0.01)
        recording.acceleration[inside, 1, 2] = (
            peak * G0 * np.sin(np.pi * (recording.times[inside] - start) / 0.01)
        )
    sense_head(recording, (0.0, 0.0, 0.0))
    measures = {(m.name, m.subject): m for m in evaluate(make_scenario(gravity=(0, 0, 0)), recording)}
    first, second = (measures["impact HIC15", f"man / Head, impact {number}"] for number in (1, 2))
    assert first.value == pytest.approx(0.4146456 * 100**2.5 * 0.01, rel=5e-3)
    assert second.value == pytest.approx(0.4146456 * 60**2.5 * 0.01, rel=5e-3)
    assert measures["HIC15", "man / Head"].value == pytest.approx(first.value, rel=1e-9)
    assert first.details["touched"] == "ground" and second.details["time_s"] == 0.2
    peak = measures["impact peak acceleration", "man / Head, impact 2"].value
    assert peak == pytest.approx(60.0, rel=0.01)


def test_the_force_of_an_impact_is_the_largest_of_its_contacts_together():
    contacts = events((0.05, 0.06, 3000.0), (0.051, 0.062, 4000.0))
    contacts["joined_force"], contacts["joined_time"] = (6900.0, 6500.0), (0.0562, 0.0571)
    scenario = make_scenario()
    (impact,) = find_impacts(scenario, recording_with(contacts))
    assert (impact.peak_force, impact.peak_time) == (6900.0, 0.0562)


def test_a_weak_touch_is_not_listed():
    measures = evaluate(make_scenario(), recording_with(events((0.05, 0.06, 4500.0), (0.2, 0.21, 100.0))))
    assert {m.subject for m in measures if m.name == "impact HIC15"} == {"man / Head, impact 1"}


def make_measure(name, value):
    return Measure(name, "man / Head", value, "", "definition", "validity")


def test_values_beyond_a_bound_are_flagged_with_its_source():
    assert value_flags(make_measure("HIC15", 699.0)) == ()
    (flag,) = value_flags(make_measure("HIC15", 701.0))
    assert "700" in flag and "FMVSS 208" in flag and "tolerance" in flag
    tolerance, data = value_flags(make_measure("HIC15", 5000.0))
    assert "risk curves" in data and value_flags(make_measure("HIC15", float("nan"))) == ()
    marked = dataclasses.replace(make_measure("HIC15", 701.0), flags=(flag,))
    assert marked.text == f"701 {FLAG}" and marked.remarks == (flag,) and marked.as_dict()["flags"] == [flag]


def test_every_bound_names_its_source_and_a_measure_that_exists():
    assert all(bound.source and bound.kind in ("tolerance", "data") and bound.most > 0 for bound in BOUNDS)
    assert [bound.kind for bound in bounds_of("HIC15")] == ["tolerance", "data"]


def test_a_contact_deeper_than_its_curve_flags_the_measures_of_that_body():
    recording = recording_with(events((0.05, 0.06, 4500.0)))
    recording.contacts["peak_penetration"] = 0.02
    recording.contact_curve_end = np.array([0.03])
    assert curve_flags(recording) == {}
    recording.contact_curve_end = np.array([0.015])
    (flag,) = curve_flags(recording).values()
    assert "20.0 mm deep" in flag and "15.0 mm" in flag
    measures = {(m.name, m.subject): m for m in evaluate(make_scenario(), recording)}
    assert flag in measures["HIC15", "man / Head"].flags
    assert flag in measures["peak contact force", "man / Head"].flags
    assert measures["peak acceleration", "man / pelvis"].flags == ()
    assert measures["throw distance", "man"].flags == ()
