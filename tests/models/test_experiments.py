"""Published tests as files: what a file says is what a row states, and a wrong file is refused with its name."""

import numpy as np
import pytest

from mannequin.models.validation import experiment as experiment_module
from mannequin.models.validation.experiment import FOLDER, NOT_EXAMINED, experiment
from mannequin.models.validation.row import AREAS, MEMORY_MEDIUM, READ

GOOD = """
area = "head"
check = "Drop of {height:g} m"
source = "paper"
mark = "read"

[set_up]
text = "A head falls."
height = 0.2

[[quantity]]
name = "peak"
unit = "g"
band = [10, 20]
digits = 1

[[quantity]]
name = "speed"
unit = "m/s"
mean = 3.0
sd = 0.25
mark = "memory, medium"
fitted = "curve"

[[quantity]]
name = "side"
published = "left first"

[[cause]]
quantity = "peak"
text = '''Examined:
two lines.'''
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder of experiments."""
    monkeypatch.setattr(experiment_module, "FOLDER", tmp_path)
    experiment.cache_clear()
    yield tmp_path
    experiment.cache_clear()


def test_rows_state_what_the_file_says(folder):
    (folder / "drop.toml").write_text(GOOD)
    test = experiment("drop").of(height=0.2)
    peak, speed, side = (
        test.row("peak", 25.0),
        test.row("speed", 3.4),
        test.words("side", "right", inside=False),
    )
    assert (peak.check, peak.published, peak.measured) == ("Drop of 0.2 m", "10 to 20 g", "25.0 g")
    assert peak.remark == "misses by 5.0 g (25 %). Examined: two lines."
    assert (peak.source.mark, peak.fitted, peak.experiment) == (READ, "", "drop")
    # mean +- 2 sd where no band was printed; mark and part of a quantity go before the file's
    assert (speed.band, speed.inside) == ((2.5, 3.5), True)
    assert (speed.source.mark, speed.fitted) == (MEMORY_MEDIUM, "curve")
    assert (side.published, side.remark) == ("left first", NOT_EXAMINED)
    assert test.words("side", "right", inside=np.bool_(False)).remark == NOT_EXAMINED


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("band = [10, 20]", "band = [20, 10]", "drop.toml: the band of 'peak' has a low and a higher end"),
        ("digits = 1", "digit = 1", "drop.toml: quantity 'peak': there is no 'digit'"),
        ('area = "head"', 'area = "nose"', "drop.toml: 'area' is one of head, neck"),
        ('mark = "read"', 'mark = "guessed"', "drop.toml: 'area' is one of .*'mark' one of read, arithmetic"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name(folder, old, new, message):
    (folder / "drop.toml").write_text(GOOD.replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        experiment("drop")


def test_a_quantity_without_band_asks_for_one(folder):
    (folder / "drop.toml").write_text(GOOD)
    with pytest.raises(ValueError, match="experiment 'drop': 'side' has no band"):
        experiment("drop").row("side", 1.0)


def test_every_file_can_be_read_and_says_how_its_test_is_set_up():
    found = [experiment(path.stem) for path in sorted(FOLDER.glob("*.toml"))]
    assert len(found) >= 60
    assert {test.area for test in found} == set(AREAS)
    for test in found:
        assert test.set_up["text"].strip() and test.source.text and test.quantities, test.name
        for known in test.quantities.values():
            assert known.band or known.published or known.unit, (test.name, known.name)
