"""Prints the tables of docs/physics.md: what comes out of runs at several time steps.

Run with the interpreter of .venv: python docs/physics_numbers.py (about half a minute).
"""

import numpy as np

from mannequin.engine import Actor, Body, Ellipsoid, Joint, Material, Model, Scenario, Settings, run
from mannequin.engine.runs.placing import place_on_ground
from mannequin.models.library import load_model

STEPS = (2e-4, 1e-4, 5e-5, 2e-5)
REFERENCE = 2e-6


def bounce(restitution: float, time_step: float) -> float:
    """Restitution of a 4.5 kg ball on a Hertzian contact as stiff as a head on steel, at 2.7 m/s."""
    material = Material("m", law="lankarani_nikravesh", stiffness=5e7, restitution=restitution)
    body = Body(
        "ball", 4.5, (0.018, 0.018, 0.018, 0, 0, 0), ellipsoids=[Ellipsoid("e", (0.1,) * 3, material="m")]
    )
    model = Model("ball", [body], [Joint("root", "free", None, "ball")], materials=[material])
    actor = Actor("ball", model, position=(0, 0, 0.1005), velocity=(0, 0, -2.7))
    settings = Settings(time_step=time_step, duration=0.05, gravity=(0, 0, 0))
    return float(run(Scenario("bounce", [actor], settings=settings)).velocity[-1, 0, 2] / 2.7)


def head_peak(orientation: tuple, time_step: float) -> float:
    """Peak acceleration (m/s2) of the head of the male model that falls from 45 degrees."""
    actor = place_on_ground(
        Actor("man", load_model("male"), position=(0, 0, 1), orientation=orientation), 5e-4
    )
    settings = Settings(time_step=time_step, output_step=2e-4, duration=0.8, friction=0.5, reactions=False)
    if time_step <= 1e-4:
        settings.output_step = 1e-4
    recording = run(Scenario("fall", [actor], settings=settings))
    head = recording.body_index("man", "head")
    return float(np.linalg.norm(recording.acceleration[:, head], axis=1).max())


def momentum_drift(integrator: str) -> float:
    """Largest change of the linear momentum of two men who collide in free flight, over the momentum of one."""
    man = load_model("male")
    actors = [
        Actor("left", man, position=(0, 0, 1.0), velocity=(3.0, 0, 0), angular_velocity=(0.0, 1.0, 2.0)),
        Actor("right", man, position=(0.9, 0.1, 1.2), orientation=(180, 0, 0), velocity=(-3.0, 0.2, 0)),
    ]
    settings = Settings(duration=0.3, gravity=(0, 0, 0), ground=False, integrator=integrator)
    recording = run(Scenario("collision", actors, settings=settings))
    momentum = np.einsum("b,fbi->fi", recording.body_mass, recording.velocity)
    return float(np.abs(momentum - momentum[0]).max() / (3.0 * recording.body_mass.sum() / 2))


def main() -> None:
    """Print all tables."""
    print("| time step | e = 0.1 | 0.5 | 0.9 |\n| --- | --- | --- | --- |")
    for step in STEPS:
        print(f"| {step:g} s | " + " | ".join(f"{bounce(e, step):.5f}" for e in (0.1, 0.5, 0.9)) + " |")
    falls = {"backward": (0, -45, 0), "sideways": (0, 0, 45), "forward": (0, 45, 0)}
    print("\n| fall | " + " | ".join(f"{step:g} s" for step in (*STEPS, REFERENCE)) + " |")
    print("| --- |" + " --- |" * (len(STEPS) + 1))
    for name, orientation in falls.items():
        peaks = [head_peak(orientation, step) for step in (*STEPS, REFERENCE)]
        cells = [f"{peak:.0f} ({100 * (peak / peaks[-1] - 1):+.1f} %)" for peak in peaks[:-1]]
        print(f"| {name} | " + " | ".join([*cells, f"{peaks[-1]:.0f}"]) + " |")
    print("\n| integrator | drift |\n| --- | --- |")
    for integrator in ("symplectic_euler", "midpoint", "runge_kutta_4"):
        print(f"| {integrator} | {momentum_drift(integrator):.1e} |")


if __name__ == "__main__":
    main()
