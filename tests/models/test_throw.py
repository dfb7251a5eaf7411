"""How far a man is thrown by fronts of three classes from 30 to 70 km/h, against published regressions."""

import pytest

from mannequin.engine.runs.simulation import run
from mannequin.models.validation.pedestrians import WRAPPED, regression_rows, struck, throw_of

CASES = [(kind, speed) for kind in ("saloon", "suv", "van") for speed in (30.0, 50.0, 70.0)]

TOO_FAR = {
    (
        "van",
        70.0,
    ): "81.8 km/h by Toor and Araszewski (80 is the edge; half the step 81.1, a standing man 81.5): he "
    "leaves at the van's own speed, 10 degrees upward, within Searle's bounds, and slides at the scene's friction of "
    "0.59, which is assumed (79.3 km/h at 0.66). Before limbs were as limp as relaxed legs it was 79.0"
}
"""Cases that miss the first regression, and why."""


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "speed"), CASES)
def test_throw_is_inside_the_regressions(kind, speed):
    """The vehicle's speed by the distance thrown is within 10 km/h of what it was (Toor and Araszewski 2003, Happer et
    al. 2000: wrap and forward projection), and the distance within the bounds of Wood and Simms."""
    scenario = struck(kind, speed)
    throw = throw_of(scenario, run(scenario), speed)
    assert throw.rest < 0.1  # the distance is that to rest
    rows = regression_rows("throw", throw, kind in WRAPPED)
    assert len(rows) == 3
    missed = [row for row in rows if not row.inside]
    if [row.experiment for row in missed] == ["throw_toor"] and (kind, speed) in TOO_FAR:
        pytest.xfail(TOO_FAR[kind, speed])
    assert not missed, [f"{row.quantity}: {row.measured}, published {row.published}" for row in missed]
