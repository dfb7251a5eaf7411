"""Throw distances under the published formulas: of the people whom a vehicle struck in a run, or of many runs."""

import numpy as np
from matplotlib.figure import Figure

from ...engine.runs.recording import Recording
from ...engine.spec import Model, Scenario
from ..measures.throw import actor_centre, throw_measures
from ..measures.throw_formulas import REGRESSIONS, SCATTER, searle_speeds
from .figures import new_figure, styled


@styled
def plot_throw(
    speeds: np.ndarray, distances: np.ndarray, friction: float, title: str = "Throw distance"
) -> Figure:
    """Throw results (impact speed in m/s, distance in m) under Searle's bounds for a friction and the regressions."""
    figure, (axes,) = new_figure()
    way = np.linspace(0.5, max(float(np.max(distances)), 1.0) * 1.15, 200)
    low, high = searle_speeds(way, friction)
    axes.fill_between(
        way, 3.6 * low, 3.6 * high, color="#cfd8e2", label=f"Searle's bounds, friction {friction:g}"
    )
    for (name, formula), style in zip(REGRESSIONS.items(), ("-", "--"), strict=True):
        middle = formula(way)
        axes.plot(
            way,
            middle,
            style,
            color="#8f3d3d",
            linewidth=1.2,
            label=f"{name}, not verified, ± {SCATTER:.0f} km/h",
        )
        axes.fill_between(way, middle - SCATTER, middle + SCATTER, color="#8f3d3d", alpha=0.08)
    axes.plot(distances, 3.6 * speeds, ".", color="black", markersize=4, label="runs")
    axes.set(title=title, xlabel="throw distance (m)", ylabel="impact speed (km/h)")
    axes.legend(fontsize=8, loc="upper left")
    return figure


def is_vehicle(model: Model) -> bool:
    """Whether a model is struck as a vehicle: it carries a contact mesh, or has wheels."""
    return any(body.surface is not None or "wheel" in body.name.lower() for body in model.bodies)


def thrown(scenario: Scenario, recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """(n,) speeds of the vehicle at the first touch, m/s, and throw distances, m, of whom a vehicle struck."""
    vehicles = [is_vehicle(actor.model) for actor in scenario.actors]
    found = []
    for number, measure in enumerate(throw_measures(recording)):
        other = _first_touched(recording, number)
        if other is not None and vehicles[other] and not vehicles[number]:
            velocity = actor_centre(recording, other, "velocity")
            speed = np.interp(
                measure.details["from_s"], recording.times, np.hypot(velocity[:, 0], velocity[:, 1])
            )
            found.append((float(speed), measure.value))
    table = np.array(found).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _first_touched(recording: Recording, actor: int) -> int | None:
    """The first other actor that an actor touched."""
    pairs = recording.contacts[recording.contacts["body_b"] >= 0]
    body_actor = np.asarray(recording.body_actor)
    first, second = body_actor[pairs["body_a"]], body_actor[pairs["body_b"]]
    mine = (first != second) & ((first == actor) | (second == actor))
    if not mine.any():
        return None
    k = int(np.argmin(np.where(mine, pairs["start"], np.inf)))
    return int(second[k] if first[k] == actor else first[k])


def plot_throw_of_run(scenario: Scenario, recording: Recording) -> Figure | None:
    """The throw of the people whom a vehicle struck; None where there are none."""
    speeds, distances = thrown(scenario, recording)
    if not len(speeds):
        return None
    settings = scenario.settings
    friction = settings.friction if settings.ground_friction is None else settings.ground_friction
    return plot_throw(speeds, distances, float(friction), f"{scenario.name}: throw distance")
