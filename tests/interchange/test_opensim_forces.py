"""Actuators along paths, points on lines, splines and motion tables against OpenSim's own program. Needs the package
`opensim`."""

import numpy as np
import pytest
from gait_osim import gait_osim
from osim_frames import array

from mannequin.engine import Excitation, Scenario, Settings, run, validate
from mannequin.interchange.common.axes import Z_UP_FROM_Y_UP as C
from mannequin.interchange.motions import MotionTable, write_storage
from mannequin.interchange.opensim.functions import Function, natural_spline_points
from mannequin.interchange.opensim.read import read_osim

osim = pytest.importorskip("opensim", reason="OpenSim is not installed")
osim.Logger.setLevelString("off")


def vec(*values: float):
    return osim.Vec3(*values)


def arm():
    """Two bodies on hinges, askew."""
    model, parent = osim.Model(), None
    for k, name in enumerate(("upper", "lower")):
        body = osim.Body(name, 2.0 - k, vec(0.01, -0.15, 0.02), osim.Inertia(0.03, 0.01, 0.03, 0.001, 0, 0))
        joint = osim.PinJoint(
            f"j{k}",
            parent or model.getGround(),
            vec(0, -0.3 * k, 0),
            vec(0.2, 0.1, 0.3 * k),
            body,
            vec(0, 0, 0),
            vec(0),
        )
        joint.updCoordinate().setName(f"q{k}")
        joint.updCoordinate().setDefaultValue(0.4 - 0.7 * k)
        model.addBody(body)
        model.addJoint(joint)
        parent = body
    return model


def started(path, **settings) -> Scenario:
    actor = read_osim(path).actor
    plain = {"ground": False, "gravity": (0.0, 0.0, -9.80665), "joint_limits": False, "self_contact": False}
    return Scenario("arm", [actor], settings=Settings(**plain, **settings))


@pytest.mark.parametrize("control", [0.3, 1.0])
def test_a_path_actuator_pulls_as_in_opensim(control: float, tmp_path) -> None:
    """Accelerations of both bodies at rest, with an actuator over three points, one of them on the ground, to 1e-6."""
    model = arm()
    actuator = osim.PathActuator()
    actuator.setName("pull")
    actuator.setOptimalForce(250.0)
    bodies = model.getBodySet()
    for name, frame, place in (("a", model.getGround(), (0.1, 0.05, 0)), ("b", bodies.get("upper"), (0.04, -0.2, 0.01)),
                               ("c", bodies.get("lower"), (0.03, -0.1, 0.0))):  # fmt: skip
        actuator.addNewPathPoint(name, frame, vec(*place))
    model.addForce(actuator)
    model.finalizeConnections()
    model.printToXML(str(tmp_path / "arm.osim"))
    state = model.initSystem()
    actuator = osim.PathActuator.safeDownCast(model.updForceSet().get("pull"))
    actuator.overrideActuation(state, True)
    actuator.setOverrideActuation(state, 250.0 * control)
    model.realizeAcceleration(state)
    scenario = started(tmp_path / "arm.osim", duration=1e-4, output_step=1e-4, time_step=1e-4)
    (muscle,) = scenario.actors[0].model.muscles
    assert (muscle.form, muscle.max_isometric_force) == ("actuator", 250.0)
    scenario.actors[0].excitations = {"pull": Excitation(tone=control)}
    assert not [issue for issue in validate(scenario) if issue.severity == "error"]
    recording = run(scenario)
    for name in ("upper", "lower"):
        body = model.getBodySet().get(name)
        b = recording.body_names.index(name)
        theirs = C @ array(body.findStationAccelerationInGround(state, body.getMassCenter()))
        np.testing.assert_allclose(recording.acceleration[0, b], theirs, atol=1e-6)
        turning = C @ array(body.getAngularAccelerationInGround(state))
        np.testing.assert_allclose(recording.angular_acceleration[0, b], turning, atol=1e-6)


def test_a_point_on_a_line_moves_as_in_opensim(tmp_path) -> None:
    """A body whose point slides down a slanted line for 0.3 s, turning as it does: within 0.5 mm of OpenSim, whose
    constraint has no give (ours is a stiff spring and damper)."""
    model = osim.Model()
    body = osim.Body("bead", 2.0, vec(0.0, -0.1, 0.03), osim.Inertia(0.02, 0.02, 0.02, 0, 0, 0))
    model.addBody(body)
    model.addJoint(osim.FreeJoint("root", model.getGround(), body))
    rail = osim.PointOnLineConstraint(model.getGround(), vec(1, -1, 0.5), vec(0, 1, 0), body, vec(0, 0, 0))
    rail.setName("rail")
    model.addConstraint(rail)
    model.finalizeConnections()
    joint = osim.FreeJoint.safeDownCast(model.updJointSet().get(0))
    joint.get_coordinates(4).setDefaultValue(1.0)
    model.printToXML(str(tmp_path / "bead.osim"))
    state = model.initSystem()
    manager = osim.Manager(model)
    manager.setIntegratorAccuracy(1e-8)
    manager.initialize(state)
    state = manager.integrate(0.3)
    model.realizePosition(state)
    theirs = C @ array(model.getBodySet().get(0).findStationLocationInGround(state, vec(0.0, -0.1, 0.03)))
    scenario = started(tmp_path / "bead.osim", duration=0.3, output_step=0.01, time_step=2e-5)
    (weld,) = scenario.actors[0].model.welds
    assert weld.line is not None
    recording = run(scenario)
    assert np.linalg.norm(recording.position[-1, 0] - recording.position[0, 0]) > 0.15, "it does slide"
    np.testing.assert_allclose(recording.position[-1, 0], theirs, atol=5e-4)


@pytest.mark.parametrize(("count", "half_order"), [(8, 3), (15, 3), (9, 2)])
def test_a_gcv_spline_has_opensims_values(count: int, half_order: int) -> None:
    """Inside its points and half an interval beyond them."""
    rng = np.random.default_rng(count)
    x = np.cumsum(rng.uniform(0.1, 0.3, size=count))
    y = np.sin(2.0 * x) + 0.1 * rng.normal(size=count)
    theirs = osim.GCVSpline()
    theirs.setDegree(2 * half_order - 1)
    for a, b in zip(x, y, strict=True):
        theirs.addPoint(float(a), float(b))
    ours = Function("spline", *natural_spline_points(tuple(x), tuple(y), half_order))
    for at in np.linspace(x[0] - 0.04, x[-1] + 0.04, 60):
        assert ours(float(at)) == pytest.approx(theirs.calcValue(osim.Vector(1, float(at))), abs=2e-6)


def test_a_mot_file_written_here_gives_opensim_the_same_coordinates(tmp_path) -> None:
    """Angles in degrees and ways in m, read by OpenSim as the motion of its model: coordinates of every frame."""
    (tmp_path / "gait.osim").write_text(gait_osim(), encoding="utf-8")
    model = osim.Model(str(tmp_path / "gait.osim"))
    model.initSystem()
    coordinates = [model.getCoordinateSet().get(k) for k in range(model.getCoordinateSet().getSize())]
    turns = np.array([c.getMotionType() == osim.Coordinate.Rotational for c in coordinates])
    rng = np.random.default_rng(4)
    wanted = rng.uniform(-0.5, 0.5, size=(6, len(coordinates)))
    names = tuple(c.getName() for c in coordinates)
    times = np.arange(6) / 60.0
    table = MotionTable("walk", names, times, np.where(turns, np.degrees(wanted), wanted), in_degrees=True)
    write_storage(table, tmp_path / "walk.mot")
    storage = osim.Storage(str(tmp_path / "walk.mot"))
    assert storage.isInDegrees()
    model.getSimbodyEngine().convertDegreesToRadians(storage)
    for row, time in enumerate(times):
        values = osim.ArrayDouble(0.0, len(names))
        storage.getDataAtTime(float(time), len(names), values)
        order = [storage.getStateIndex(name) for name in names]
        assert [values.getitem(k) for k in order] == pytest.approx(wanted[row], abs=1e-12)
    series = osim.TimeSeriesTable(str(tmp_path / "walk.mot"))
    assert series.getNumRows() == 6 and list(series.getColumnLabels()) == list(names)
