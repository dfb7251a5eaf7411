"""One trip three times: a limp man, one with muscle tone and stretch reflexes, and one who braces at the stumble.

Everything but the excitation of the muscles is the same, so what differs in the outcome is what the muscles did. No
joint motors: the trunk and the arms, which have no muscles here, are limp in all three.
"""

from dataclasses import replace

from ...engine.spec import Scenario
from ...engine.spec.muscles import Excitation, StretchReflex
from ..library import load_model
from .falls import trip

MODEL = "male_muscles"
REFLEX = StretchReflex(
    gain=2.0, threshold=1.0, delay=0.03, source="Assumed; delay of the order of spinal reflexes"
)
TONED = Excitation(
    tone=0.1, reflex=REFLEX, source="Assumed: a tenth of full activation, and a stretch reflex"
)
BRACED = Excitation(
    curve=((0.0, 0.1), (0.08, 0.1), (0.16, 0.8)),
    source="Assumed: a startle 0.08 s after the start, full bracing 0.08 s later",
)


def _variant(name: str, excitations: dict[str, Excitation], description: str) -> Scenario:
    scenario = trip()
    man = replace(
        scenario.actors[0],
        model=load_model(MODEL),
        model_reference=MODEL,
        motors={},
        excitations=excitations,
    )
    sources = scenario.sources | {"actors.man.excitations": "Assumed, to compare; see the entries"}
    return replace(
        scenario,
        name=name,
        actors=[man],
        description=f"{scenario.description} {description}",
        sources=sources if excitations else scenario.sources,
    )


def trip_limp() -> Scenario:
    """Muscles without excitation: only their passive forces."""
    return _variant("trip_limp", {}, "His muscles are not excited.")


def trip_toned() -> Scenario:
    """Low tone and stretch reflexes in all muscles."""
    return _variant("trip_toned", {"*": TONED}, "His muscles have tone and stretch reflexes.")


def trip_braced() -> Scenario:
    """All muscles of legs and neck contract together after the stumble."""
    return _variant("trip_braced", {"*": BRACED}, "He braces neck and legs at the stumble.")
