"""What muscles cost: 50 on the shipped man, straight, every fifth round a cylinder, every fifth round an ellipsoid.

.venv/bin/python -m mannequin.benchmarks.muscles
"""

import time
from dataclasses import replace

import numpy as np

from ..engine import Actor, Joint, Model, Scenario, Settings, Simulation, System, compile_system
from ..engine.spec.muscles import Excitation, Muscle, PathPoint, PathWrap, WrapSurface
from ..models.library import load_model

COUNT = 50
REPEATS = 7
ALONG_Y = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))


def crossed_joints(model: Model) -> list[Joint]:
    """Moving joints between two bodies, in the order of the model."""
    return [joint for joint in model.joints if joint.parent is not None and joint.kind.moves]


def with_muscles(model: Model, shape: str = "", count: int = COUNT) -> Model:
    """The model with muscles across its joints in turn: three points each, every second one pennate.

    shape: of the surface that every fifth one goes round; none where empty.
    """
    rng = np.random.default_rng(0)
    joints = crossed_joints(model)
    muscles, surfaces = [], []
    for i in range(count):
        joint = joints[i % len(joints)]
        centre = np.array([row[3] for row in joint.T1[:3]])
        origin = centre + [0.03, rng.uniform(-0.02, 0.02), 0.15]
        via, insertion = centre + [0.05, 0.01, 0.03], np.array([0.05, 0.0, -0.06])
        length = float(np.linalg.norm(origin - via) + np.linalg.norm(via - centre - insertion))
        own = ()
        if shape and i % 5 == 0:
            name = f"{shape} {i}"
            size = {"radius": 0.055} if shape == "cylinder" else {"semi_axes": (0.055, 0.056, 0.07)}
            pose = {"position": tuple(centre), "orientation": ALONG_Y}
            surfaces.append(WrapSurface(name, joint.parent, shape, **size, **pose))
            own = (PathWrap(name, segment=1),)
        path = (
            PathPoint(joint.parent, tuple(origin)),
            PathPoint(joint.parent, tuple(via)),
            PathPoint(joint.child, tuple(insertion)),
        )
        muscles.append(
            Muscle(
                f"muscle {i}",
                path,
                max_isometric_force=500.0,
                optimal_fibre_length=0.45 * length,
                tendon_slack_length=0.55 * length,
                pennation=10.0 * (i % 2),
                wraps=own,
                excitation=Excitation(tone=0.1),
            )
        )
    return replace(model, muscles=muscles, wrap_surfaces=surfaces)


def airborne(model: Model) -> System:
    """The model in free flight for 0.3 s at the usual steps: no contacts to blur the difference."""
    settings = Settings(duration=0.3, ground=False)
    return compile_system(
        Scenario("muscles", [Actor("man", model, position=(0.0, 0.0, 3.0))], settings=settings)
    )


def step_time(system: System) -> float:
    """CPU microseconds per step of one run; every wrap must touch its surface at the start."""
    simulation = Simulation(system)
    assert simulation._state.muscles.touching.all()
    begun = time.thread_time()
    for _ in simulation.advance():
        pass
    spent = time.thread_time() - begun
    recording = simulation.recording()
    if recording.status != "completed":
        raise RuntimeError(recording.message)
    return 1e6 * spent / recording.steps


def measure() -> dict[str, float]:
    """Microseconds a step, in turns with and without muscles, the best of several runs."""
    man = load_model("male")
    bare = replace(man, muscles=[], wrap_surfaces=[])
    systems = {
        "no muscles": airborne(bare),
        "50 straight": airborne(with_muscles(bare)),
        "50, 10 round a cylinder": airborne(with_muscles(bare, "cylinder")),
        "50, 10 round an ellipsoid": airborne(with_muscles(bare, "ellipsoid")),
    }
    times = {name: [] for name in systems}
    for _ in range(REPEATS):
        for name, system in systems.items():
            times[name].append(step_time(system))
    best = {name: min(values) for name, values in times.items()}
    base = best["no muscles"]
    return best | {f"cost of {name}": value - base for name, value in best.items() if name != "no muscles"}


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:32s} {value:8.2f} us a step")
