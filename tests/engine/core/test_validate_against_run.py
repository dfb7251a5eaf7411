"""`validate` against `run`: what one refuses the other refuses, in the same words, and for no other reason.

Nothing here knows a rule. Fields are found by walking over a scenario that has every kind of spec, and are given values
of every size and kind; whatever `validate` lets through must compile and run, and whatever it does not must be refused
with its very words.
"""

import dataclasses
import math
import typing
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from rich_scenario import Field, all_fields, changed, rich_scenario

from mannequin.engine import EngineError, compile_system, spec, validate
from mannequin.engine.runs.simulation import Simulation
from mannequin.engine.spec import muscles as muscle_specs
from mannequin.engine.spec.rules import RULES, Rows, Within

MOST_STEPS = 200
"""Of a run that is tried."""
BASE = rich_scenario()
FIELDS = [field for field in all_fields(BASE) if field.name not in ("extras", "outputs", "source")]
NUMBERS = [field for field in FIELDS if type(field.value) in (int, float)]
NAMES = sorted({field.value for field in FIELDS if isinstance(field.value, str)})

SIZES = st.sampled_from(
    [
        0.0,
        -0.0,
        5e-324,
        1e-300,
        1e-30,
        1e-12,
        1e-6,
        0.5,
        1.0,
        2.0,
        90.0,
        360.0,
        1e3,
        1e6,
        1e9,
        1e15,
        1e29,
        1e154,
        1e308,
    ]
)
ODD = st.sampled_from(
    [math.nan, math.inf, -math.inf, 10**400, -(10**400), True, None, "1", "", (), [], {}, (1.0, 2.0)]
)
FLOATS = st.floats(allow_nan=True, allow_infinity=True)


def run_shortly(scenario: spec.Scenario) -> None:
    """Compile, and run for as long as that is quick."""
    system = compile_system(scenario)
    params = system.arrays.params
    if params.steps_per_frame > MOST_STEPS:
        return
    simulation = Simulation(system)
    for progress in simulation.advance():
        if progress.steps >= MOST_STEPS:
            break
    simulation.recording()


def assert_same_verdict(scenario: spec.Scenario) -> None:
    """No error, and it runs; or errors, and compiling is refused with them."""
    errors = [issue for issue in validate(scenario) if issue.severity == "error"]
    try:
        run_shortly(scenario)
    except EngineError as refused:
        assert errors, f"validate says nothing, and run: {refused}"
        assert refused.issues == errors
        assert all(str(issue) in str(refused) for issue in errors[:20])
    else:
        assert not errors, f"it runs, and validate says: {errors[0]}"


@st.composite
def other_values(draw: st.DrawFn, field: Field):
    """Something else for a field: of its kind but of any size, of another kind, or what another field holds."""
    value = field.value
    graft = st.sampled_from([f.value for f in FIELDS if type(f.value) is type(value)])
    kinds = [ODD, graft]
    if type(value) in (int, float):
        kinds += [
            SIZES,
            SIZES.map(lambda x: -x),
            FLOATS,
            st.sampled_from(
                [-value, value * 1e3, value * 1e-3, *([int(value)] if math.isfinite(value) else [])]
            ),
        ]
    elif isinstance(value, str):
        kinds += [st.sampled_from(NAMES), st.just("nobody")]
    elif isinstance(value, tuple | list) and value:
        kinds += [
            st.sampled_from(
                [value[:1], value[:-1], value[::-1], type(value)([*value, value[0]]), list(value)]
            )
        ]
    elif value is None:
        kinds += [
            SIZES,
            st.sampled_from([f.value for f in FIELDS if f.cls is field.cls and f.name == field.name]),
        ]
    return draw(st.one_of(kinds))


@st.composite
def changes(draw: st.DrawFn) -> list[tuple[tuple, object]]:
    """One to three fields and what to put there."""
    fields = draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=3))
    return [(field.path, draw(other_values(field))) for field in fields]


def with_changes(scenario: spec.Scenario, asked: list[tuple[tuple, object]]) -> spec.Scenario:
    """The scenario with each change that an earlier one did not make impossible."""
    for path, value in asked:
        with suppress(KeyError, IndexError, TypeError, AttributeError):
            scenario = changed(scenario, path, value)
    return scenario


def test_the_scenario_has_every_kind_of_spec():
    """So that every field is tried."""
    found = {type(field.value) for field in FIELDS} | {field.cls for field in FIELDS}
    assert every_spec() <= found
    assert_same_verdict(BASE)


def every_spec() -> set[type]:
    modules = (spec, muscle_specs)
    found = {item for module in modules for item in vars(module).values() if dataclasses.is_dataclass(item)}
    return found - {
        spec.Response
    }  # wants a whole person: tests/engine/responses refuses all that it cannot drive


ANY_HEALTH = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


@seed(20170817)
@settings(max_examples=125, **ANY_HEALTH)
@given(changes())
def test_validate_and_run_agree(asked):
    assert_same_verdict(with_changes(BASE, asked))


@pytest.mark.slow
@seed(20170817)
@settings(max_examples=500, **ANY_HEALTH)
@given(changes())
def test_validate_and_run_agree_on_many(asked):
    assert_same_verdict(with_changes(BASE, asked))


def test_rows_that_are_too_wide_are_refused_and_not_read():
    """As the many examples found: a polynomial of a path point with a row of six numbers."""
    place = ("actors", 0, "model", "muscles", 2, "path", 2, "shifts", 0, "terms", 0)
    scenario = with_changes(BASE, [(place, (0.02, 0.02, 0.02, 0.0, 0.0, 0.0))])
    assert_same_verdict(scenario)
    assert [issue.message for issue in validate(scenario) if "terms" in issue.message] == [
        "terms needs 1 or more rows of 2 numbers"
    ]


@pytest.mark.parametrize("power", [math.nan, math.inf, -math.inf, 0.5])
def test_powers_that_are_no_whole_numbers_are_refused(power):
    """As the many examples found: of a path point and of a joint, NaN and infinity included."""
    places = [
        field.path
        for field in NUMBERS
        if field.name == "terms" and field.path[-1] == 0 and field.path[-2] == 0
    ]
    assert {place[3] for place in places} == {"muscles", "joints"}
    for place in places:
        scenario = with_changes(BASE, [(place, power)])
        assert_same_verdict(scenario)
        messages = {issue.message for issue in validate(scenario) if issue.severity == "error"}
        assert messages & {"a power is not a whole number", "terms holds a value that is not finite"}


def bounds_of(field: Field) -> Within | None:
    """The range of a number, from its rule; a mesh has none for its numbers, it is checked as a whole."""
    rule = RULES.get(field.cls, {}).get(field.name)
    if isinstance(rule, Rows):
        return rule.first if field.path[-1] == 0 else rule.others
    return rule if isinstance(rule, Within) else None


ONE_OF_EACH = list(
    {(field.cls, field.name, field.path[-1]): field for field in NUMBERS if bounds_of(field)}.values()
)
"""Every number of every kind of spec once."""


ENDS = st.lists(
    st.tuples(st.sampled_from(ONE_OF_EACH), st.sampled_from(["low", "high"])), min_size=1, max_size=4
)


def assert_no_failure(asked):
    """Each at an end of its range, alone and with others; whatever they do to the motion, nothing is raised."""
    scenario = with_changes(BASE, [(field.path, getattr(bounds_of(field), end)) for field, end in asked])
    assert_same_verdict(changed(scenario, ("settings", "start_overlap_limit"), math.inf))


@seed(20170818)
@settings(max_examples=50, **ANY_HEALTH)
@given(ENDS)
def test_no_number_within_its_range_makes_a_failure(asked):
    assert_no_failure(asked)


@pytest.mark.slow
@seed(20170818)
@settings(max_examples=200, **ANY_HEALTH)
@given(ENDS)
def test_no_number_of_many_within_its_range_makes_a_failure(asked):
    assert_no_failure(asked)


def test_every_number_has_a_range():
    """So that no size is forgotten: the rules know every field of every spec that holds numbers."""
    without = [
        f"{cls.__name__}.{name}"
        for cls in every_spec()
        for name, hint in typing.get_type_hints(cls).items()
        if holds_numbers(hint) and name not in RULES.get(cls, {})
    ]
    assert without == []


def holds_numbers(hint: object) -> bool:
    """Whether a type is a number or made of numbers."""
    return hint in (float, int) or any(map(holds_numbers, typing.get_args(hint)))


def test_a_rule_that_only_one_side_knows_is_found(monkeypatch):
    """The comparison can fail: without a check of friction the run takes what `validate` would refuse, and so on."""
    asked = [(("actors", 0, "model", "materials", 0, "dynamic_friction"), 0.9)]
    scenario = with_changes(BASE, asked)
    assert_same_verdict(scenario)
    monkeypatch.setattr("mannequin.engine.build.system.spec_issues", lambda spec, once: [])
    with pytest.raises(AssertionError, match="it runs, and validate says"):
        assert_same_verdict(scenario)
    monkeypatch.undo()
    monkeypatch.setattr("mannequin.engine.build.validate.spec_issues", lambda spec, once: [])
    with pytest.raises(AssertionError, match="validate says nothing"):
        assert_same_verdict(scenario)
