"""Models read from .osim files against OpenSim's own program: poses, masses, mass matrices, path lengths.

Needs the package `opensim`; without it these tests are skipped. The models are made with OpenSim's own interface and
written by it, so nothing here goes by our reading of the format. MANNEQUIN_OSIM_FILES may name a folder of public
models (gait10dof18musc, arm26, ...), which are compared too.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from osim_frames import array, their_pose

from mannequin.engine import Scenario, Settings, compile_system
from mannequin.engine.bodies.kinematics import forward_kinematics
from mannequin.engine.bodies.posture import actor_poses
from mannequin.engine.bodies.virtual_power import mass_matrix
from mannequin.engine.bodies.workspace import new_workspace
from mannequin.interchange.common.axes import Z_UP_FROM_Y_UP as C
from mannequin.interchange.opensim.functions import Function
from mannequin.interchange.opensim.read import read_osim

osim = pytest.importorskip("opensim", reason="OpenSim is not installed")
osim.Logger.setLevelString("off")
ARM = Path(__file__).resolve().parent / "arm.osim"
PUBLIC = sorted(Path(os.environ.get("MANNEQUIN_OSIM_FILES", "/nonexistent")).glob("*.osim"))


def vec(*values: float):
    return osim.Vec3(*values)


def chain(kinds: list[str], seed: int):
    """An OpenSim model: bodies on joints of the given kinds, with random frames and coordinates."""
    rng = np.random.default_rng(seed)

    def draw(scale: float = 0.3):
        return vec(*rng.normal(scale=scale, size=3))

    model = osim.Model()
    model.setName("chain")
    parent = model.getGround()
    for k, kind in enumerate(kinds):
        moments = rng.uniform(0.05, 0.08, size=3)
        inertia = osim.Inertia(*moments, *rng.uniform(-0.004, 0.004, size=3))
        body = osim.Body(f"b{k}", float(rng.uniform(1, 3)), draw(0.1), inertia)
        args = (f"j{k}", parent, draw(), draw(1.0), body, draw(), draw(1.0))
        joint = getattr(osim, kind)(*args)
        model.addBody(body)
        model.addJoint(joint)
        for c in range(joint.numCoordinates()):
            joint.get_coordinates(c).setName(f"q{k}_{c}")
            joint.get_coordinates(c).setDefaultValue(float(rng.uniform(-0.6, 0.6)))
        parent = body
    model.finalizeConnections()
    return model


def compare(path: Path, model) -> None:
    """Poses, masses and centres of mass at the default values of the coordinates."""
    state = model.initSystem()
    model.realizePosition(state)
    actor = read_osim(path).actor
    poses = actor_poses(actor)
    for body in actor.model.bodies:
        if body.name == "ground":
            continue
        theirs = model.getBodySet().get(body.name)
        np.testing.assert_allclose(poses[body.name], their_pose(theirs, state), atol=1e-12, err_msg=body.name)
        if theirs.getMass() > 0.0:
            assert body.mass == pytest.approx(theirs.getMass(), rel=1e-12)
            np.testing.assert_allclose(body.center_of_mass, C @ array(theirs.getMassCenter()), atol=1e-12)


CHAINS = [
    ["PinJoint", "PinJoint"],
    ["BallJoint", "PinJoint"],
    ["FreeJoint", "BallJoint", "WeldJoint", "PinJoint"],
    ["FreeJoint", "GimbalJoint", "UniversalJoint"],
    ["WeldJoint", "GimbalJoint", "PinJoint"],
    ["PlanarJoint", "PinJoint", "PinJoint"],
    ["PinJoint", "SliderJoint", "PinJoint"],
]


@pytest.mark.parametrize("kinds", CHAINS, ids=lambda kinds: "-".join(kind[:-5] for kind in kinds))
@pytest.mark.parametrize("seed", [1, 2])
def test_poses_masses_and_centres_of_mass(kinds: list[str], seed: int, tmp_path: Path) -> None:
    model = chain(kinds, seed)
    model.printToXML(str(tmp_path / "m.osim"))
    compare(tmp_path / "m.osim", model)


@pytest.mark.parametrize("kinds", [["PinJoint"] * 3, ["WeldJoint", "PinJoint", "PinJoint", "WeldJoint"]])
def test_mass_matrix_of_hinges(kinds: list[str], tmp_path: Path) -> None:
    """Inertias, joint axes and frames all enter it; our angles are their coordinates."""
    model = chain(kinds, 7)
    model.printToXML(str(tmp_path / "m.osim"))
    state = model.initSystem()
    theirs = osim.Matrix()
    model.getMatterSubsystem().calcM(state, theirs)
    n = theirs.nrow()
    expected = np.array([[theirs.get(i, j) for j in range(n)] for i in range(n)])
    actor = read_osim(tmp_path / "m.osim").actor
    np.testing.assert_allclose(our_mass_matrix(actor), expected, atol=1e-12)


def our_mass_matrix(actor) -> np.ndarray:
    """At the actor's start, by the principle of virtual power."""
    system = compile_system(Scenario("s", [actor], settings=Settings(ground=False)))
    workspace = new_workspace(system.tree)
    forward_kinematics(system.tree, system.q_start, system.u_start, workspace)
    return mass_matrix(system.tree, workspace)


def test_the_made_up_arm() -> None:
    """arm.osim itself: OpenSim agrees on poses and on the lengths of straight paths."""
    model = osim.Model(str(ARM))
    for k in range(model.getConstraintSet().getSize()):
        model.updConstraintSet().get(k).set_isEnforced(False)  # OpenSim would move the arm to meet them
    compare(ARM, model)
    lengths(ARM, model)


def lengths(path: Path, model) -> None:
    """Lengths of the paths that wrap over nothing."""
    state = model.initSystem()
    model.realizePosition(state)
    actor = read_osim(path).actor
    poses = actor_poses(actor)
    for muscle in actor.model.muscles:
        if model.getMuscles().get(muscle.name).getGeometryPath().getWrapSet().getSize() > 0:
            continue
        points = [poses[p.body][:3, :3] @ np.array(p.position) + poses[p.body][:3, 3] for p in muscle.path]
        ours = sum(np.linalg.norm(b - a) for a, b in zip(points, points[1:], strict=False))
        assert ours == pytest.approx(model.getMuscles().get(muscle.name).getLength(state), abs=1e-12), (
            muscle.name
        )


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_splines(count: int) -> None:
    rng = np.random.default_rng(count)
    x, y = np.cumsum(rng.uniform(0.2, 1.0, count)), rng.normal(size=count)
    theirs = osim.SimmSpline()
    for a, b in zip(x, y, strict=True):
        theirs.addPoint(float(a), float(b))
    ours = Function("spline", tuple(x), tuple(y))
    for value in np.linspace(x[0] - 0.3, x[-1] + 0.3, 40):
        assert ours(value) == pytest.approx(theirs.calcValue(osim.Vector(1, float(value))), abs=1e-11)


@pytest.mark.parametrize("path", PUBLIC, ids=lambda path: path.stem)
def test_public_models(path: Path) -> None:
    model = osim.Model(str(path))
    compare(path, model)
    lengths(path, model)


def wrapped_hinge(shape: str, quadrant: str, path: Path):
    """OpenSim's model of a muscle over a surface at a hinge; written to a file."""
    model = osim.Model()
    model.setName("hinge")
    upper = osim.Body("upper", 2.0, vec(0, -0.15, 0), osim.Inertia(0.02, 0.01, 0.02))
    lower = osim.Body("lower", 1.0, vec(0, -0.15, 0), osim.Inertia(0.02, 0.01, 0.02))
    model.addBody(upper)
    model.addBody(lower)
    zero = vec(0, 0, 0)
    model.addJoint(osim.WeldJoint("fix", model.getGround(), vec(0, 1, 0), zero, upper, zero, zero))
    elbow = osim.PinJoint("elbow", upper, vec(0, -0.3, 0), zero, lower, zero, zero)
    elbow.updCoordinate().setName("flexion")
    model.addJoint(elbow)
    surface = getattr(osim, shape)()
    surface.setName("pulley")
    surface.set_translation(vec(0.004, -0.3, 0.002))
    surface.set_radius(0.03)
    surface.set_quadrant(quadrant)
    if shape == "WrapCylinder":
        surface.set_length(0.2)
    upper.addWrapObject(surface)
    muscle = osim.Thelen2003Muscle("muscle", 500.0, 0.1, 0.2, 0.0)
    muscle.addNewPathPoint("origin", upper, vec(-0.02, -0.1, 0.01))
    muscle.addNewPathPoint("insertion", lower, vec(-0.02, -0.05, -0.01))
    model.addForce(muscle)
    muscle.updGeometryPath().addPathWrap(surface)
    model.finalizeConnections()
    model.printToXML(str(path))
    return model


@pytest.mark.parametrize(
    ("shape", "quadrant"),
    [("WrapCylinder", "all"), ("WrapCylinder", "-x"), ("WrapCylinder", "x"), ("WrapSphere", "all")],
)
def test_wrapped_lengths_and_moment_arms(shape: str, quadrant: str, tmp_path: Path) -> None:
    """Over the range of the hinge: the length of the path, and r = -dl/dtheta, which OpenSim calls the moment arm.

    OpenSim's wrapping over cylinders is iterated to some ten micrometres, and the shortest path is never longer. A
    sphere that is confined to a side it lets go of in a jump, so none is here.
    """
    geometry = pytest.importorskip(
        "mannequin.engine.runs.muscle_paths", reason="no muscle paths in the engine yet"
    )
    model = wrapped_hinge(shape, quadrant, tmp_path / "m.osim")
    state = model.initSystem()
    coordinate, muscle = model.getCoordinateSet().get("flexion"), model.getMuscles().get("muscle")
    ours = geometry.MuscleGeometry(read_osim(tmp_path / "m.osim").actor.model)
    wrapped = 0
    for angle in np.linspace(-0.4, 1.6, 21):
        coordinate.setValue(state, float(angle))
        model.realizePosition(state)
        ours.place({"elbow": (np.degrees(angle), 0.0, 0.0)})
        theirs = muscle.getLength(state)
        assert theirs - (3e-5 if shape == "WrapCylinder" else 1e-12) < ours.length(0) < theirs + 1e-12
        arm = -float(ours.jacobian(0) @ ours.joint_speeds("elbow", np.array([0.0, 0.0, 1.0])))
        assert arm == pytest.approx(
            muscle.computeMomentArm(state, coordinate), abs=1e-4 if shape == "WrapCylinder" else 1e-12
        )
        wrapped += len(ours.line(0)) > 2
    assert 3 < wrapped
