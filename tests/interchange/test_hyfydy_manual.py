"""Every example printed in the Hyfydy manual 1.0.0 is read as what the manual says of it.

The snippets are the manual's examples, shortened where a part says nothing new; each is set into the smallest model it
needs. Expectations are in our axes: their (x, y, z) is our (x, -z, y).
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine import spec
from mannequin.engine.maths.rotations import matrix_from_zyx
from mannequin.interchange.common.axes import Z_UP_FROM_Y_UP
from mannequin.interchange.common.findings import Findings
from mannequin.interchange.hyfydy.components import Mesh, read_component
from mannequin.interchange.hyfydy.read import loads
from mannequin.interchange.hyfydy.text import parse
from mannequin.interchange.hyfydy.values import Interval, Intervals, Text, Vector3
from mannequin.interchange.hyfydy.values import Rotation as RotationKind

BALL = "body {{ name = {} mass = 1 inertia = [ 1 1 1 ] }}"
KNEE = """
    name = knee_r
    parent = femur_r
    child = tibia_r
    pos_in_parent = [ 0 -0.226 0 ]
    pos_in_child = [ 0 0.1867 0 ]
    limits { x = 0..0 y = 0..0 z = -90..0 }
"""


def model_of(*parts: str) -> spec.Model:
    return loads(f"model {{ {' '.join(parts)} }}").actor.model


def entry(text: str):
    (found,) = parse(text).entries
    return found.value


def test_file_format() -> None:
    """2.1"""
    text = """
    model {
      name = my_model
      body {
        name = my_body
        mass = 3
        inertia = [ 1.5 1.5 1.5 ]
        pos = [ 0 1 0 ] # single-line comment
      }
      /* multi line
      comment */
    }
    """
    actor = loads(text).actor
    (body,) = actor.model.bodies
    assert (actor.model.name, body.name, body.mass, body.inertia) == (
        "my_model",
        "my_body",
        3,
        (1.5, 1.5, 1.5, 0, 0, 0),
    )
    assert actor.position == (0, 0, 1)
    assert [joint.type for joint in actor.model.joints] == ["free"]


def test_string() -> None:
    """2.2.1"""
    assert Text().read(entry("name = my_name")) == "my_name"
    assert (
        Text().read(entry('another_name = "Name with special {characters}"'))
        == "Name with special {characters}"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("position = [ 0 1 0 ]", (0, 1, 0)),
        ("velocity { x = 0 y = 1 z = 0 }", (0, 1, 0)),
        ("earth_gravity { y = -9.81 }", (0, -9.81, 0)),
    ],
)
def test_vector3(text, value) -> None:
    """2.2.2"""
    assert Vector3().read(entry(text)) == value


@pytest.mark.parametrize(
    ("text", "sequence", "angles"),
    [
        ("ori1 { z = 90 }", "Z", [90]),
        ("ori2 = [ 45 0 90 ]", "XZ", [45, 90]),  # about x, then about the turned z
        ("ori3 { w = 1 x = 0 y = 0 z = 0 }", "X", [0]),
    ],
)
def test_quaternion(text, sequence, angles) -> None:
    """2.2.3"""
    read = RotationKind().read(entry(text))
    expected = Rotation.from_euler(sequence, angles, degrees=True).as_quat().ravel()[[3, 0, 1, 2]]
    np.testing.assert_allclose(read, expected, atol=1e-15)


def test_range() -> None:
    """2.2.4"""
    limits = ((-10, 10), (0, 0), (-45, 90))
    assert Intervals().read(entry("joint_limits { x = -10..10 y = 0..0 z = -45..90 }")) == limits
    assert Intervals().read(entry("more_joint_limits = [ -10..10 0..0 -45..90 ]")) == limits
    assert Interval().read(entry("dof_range = 0..90")) == (0, 90)


def test_model() -> None:
    """2.3.1"""
    imported = loads(f"model {{ name = my_model gravity = [ 0 -9.81 0 ] {BALL.format('a')} }}")
    assert (imported.actor.model.name, imported.settings.gravity) == ("my_model", (0, 0, -9.81))
    assert loads(f"model {{ {BALL.format('a')} }}").settings.gravity == (0, 0, -9.81)


def test_body_by_mass() -> None:
    """2.3.2"""
    text = "body { name = my_body mass = 3 inertia = [ 1.5 1.5 1.5 ] pos = [ 0 1 0 ] ori = [ 0 0 45 ] }"
    actor = loads(f"model {{ {text} }}").actor
    assert actor.position == (0, 0, 1)
    # 45 degrees about their z, which is our minus y
    expected = Rotation.from_rotvec([0, -np.pi / 4, 0]).as_matrix()
    np.testing.assert_allclose(matrix_from_zyx(actor.orientation), expected, atol=1e-15)


def test_body_by_density_and_shape() -> None:
    """2.3.2: a cube of 10 cm and 1000 kg/m3 has 1 kg, and m a^2 / 6 about any axis."""
    text = "body { name = my_cube density = 1000 shape { type = box dim = [ 0.1 0.1 0.1 ] } pos = [ 0 1 0 ] }"
    (body,) = model_of(text).bodies
    assert body.mass == pytest.approx(1.0, rel=1e-15)
    assert body.inertia == pytest.approx((1 / 600, 1 / 600, 1 / 600, 0, 0, 0), rel=1e-15)


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("kind", ["joint", "joint_6dof"])
def test_joint(inside: bool, kind: str) -> None:
    """2.3.3 and 2.3.4: a hinge about z from -90 to 0 degrees."""
    slide = "translation_limits { x = 0..0 y = -0.05..0.05 z = 0..0 }" if kind == "joint_6dof" else ""
    joint = f"{kind} {{ {KNEE} {slide} }}"
    tibia = "name = tibia_r mass = 3.7075 inertia { x = 0.0504 y = 0.0051 z = 0.0511 }"
    parts = (
        [BALL.format("femur_r"), f"body {{ {tibia} {joint} }}"]
        if inside
        else [
            BALL.format("femur_r"),
            f"body {{ {tibia} }}",
            joint,
        ]
    )
    imported = loads(f"model {{ {' '.join(parts)} }}")
    model = imported.actor.model
    knee = model.joints[-1]
    assert (knee.name, knee.type, knee.parent, knee.child) == ("knee_r", "revolute", "femur_r", "tibia_r")
    assert knee.axis == (0, -1, 0)  # their z
    assert (knee.limits.lower[0], knee.limits.upper[0]) == (-90, 0)
    assert np.array(knee.T1)[:3, 3].tolist() == [0, 0, -0.226]
    assert np.array(knee.T2)[:3, 3].tolist() == [0, 0, 0.1867]
    assert model.bodies[1].inertia == (0.0504, 0.0511, 0.0051, 0, 0, 0)
    slides = [finding for finding in imported.findings.list() if "slide" in finding.message]
    assert len(slides) == (kind == "joint_6dof")


def test_geometry() -> None:
    """2.3.6"""
    text = """geometry { name = l_heel type = sphere radius = 0.03 body = calcn_l
        pos { x = -0.085 y = -0.015 z = 0.005 } ori { x = 0 y = 0 z = 0 } }"""
    (body,) = model_of(BALL.format("calcn_l"), text).bodies
    (heel,) = body.ellipsoids
    assert (heel.name, heel.semi_axes, heel.position) == (
        "l_heel",
        (0.03, 0.03, 0.03),
        (-0.085, -0.005, -0.015),
    )
    assert heel.orientation == spec.IDENTITY3


def test_muscle() -> None:
    """2.4.1"""
    text = """{ name = hamstrings_r tendon_slack_length = 0.31 optimal_fiber_length = 0.109
        max_isometric_force = 2594 pennation_angle = 0
        path [
          { body = pelvis pos { x = -0.05526 y = -0.10257 z = 0.06944 } }
          { body = tibia_r pos { x = -0.028 y = 0.1667 z = 0.02943 } }
          { body = tibia_r pos { x = -0.021 y = 0.1467 z = 0.0343 } }
        ] }"""
    joint = "joint { parent = pelvis child = tibia_r pos_in_parent = [ 0 0 0 ] pos_in_child = [ 0 0 0 ] }"
    for kind, acts in (("point_path_muscle", "forces"), ("joint_point_path_muscle", "joint_torques")):
        (muscle,) = model_of(BALL.format("pelvis"), BALL.format("tibia_r"), joint, f"{kind} {text}").muscles
        assert (muscle.name, muscle.acts, muscle.form) == ("hamstrings_r", acts, "millard")
        assert (muscle.tendon_slack_length, muscle.optimal_fibre_length) == (0.31, 0.109)
        assert (muscle.max_isometric_force, muscle.pennation, muscle.stiffness_factor) == (2594, 0, 1)
        assert [(point.body, point.position) for point in muscle.path] == [
            ("pelvis", (-0.05526, -0.06944, -0.10257)),
            ("tibia_r", (-0.028, -0.02943, 0.1667)),
            ("tibia_r", (-0.021, -0.0343, 0.1467)),
        ]


def test_joint_motor() -> None:
    """2.4.3"""
    text = """joint_motor { joint = hip_r stiffness = 1000 damping = 10 max_torque = 100
        target_ori = [ 0 0 90 ] target_vel = [ 0 0 0 ] torque_offset = [ 0 0 0 ] }"""
    joint = "joint { name = hip_r parent = a child = b pos_in_parent = [ 0 0 0 ] pos_in_child = [ 0 0 0 ] }"
    motor = model_of(BALL.format("a"), BALL.format("b"), joint, text).joints[-1].motor
    assert (motor.stiffness, motor.damping, motor.max_torque) == (1000, 10, 100)
    assert (motor.target_velocity, motor.base_torque) == ((0, 0, 0), (0, 0, 0))
    expected = Rotation.from_rotvec([0, -np.pi / 2, 0]).as_matrix()
    np.testing.assert_allclose(matrix_from_zyx(motor.target), expected, atol=1e-15)


def test_mesh_file() -> None:
    """2.5.1: the scale brings millimetres to metres; a point of the mesh lies where the manual's frames put it."""
    text = "mesh { file = example.obj pos = [ 0 0.1 0.1 ] ori = [ 0 90 0 ] scale = 0.001 }"
    (body,) = model_of(f"body {{ name = a mass = 1 inertia = [ 1 1 1 ] {text} }}").bodies
    (mesh,) = body.meshes
    assert (mesh.path, mesh.scale, mesh.position) == ("example.obj", 0.001, (0, -0.1, 0.1))
    vertex = np.array([1.0, 2.0, 3.0])
    theirs = Rotation.from_euler("y", 90, degrees=True).apply(vertex)
    np.testing.assert_allclose(np.array(mesh.orientation) @ vertex, Z_UP_FROM_Y_UP @ theirs, atol=1e-15)


@pytest.mark.parametrize(
    ("text", "shape", "color"),
    [
        (
            "shape { type = cylinder height = 0.5 radius = 0.05 } ori = [ 0 0 0 ] color = [ 0.8 0.8 0.8 ]",
            ("cylinder", 0.5, 0.05, None),
            (0.8, 0.8, 0.8),
        ),
        (
            "shape { type = box dim = [ 0.3 0.1 0.1 ] } color = [ 0.8 0.8 0.8 ]",
            ("box", None, None, (0.3, 0.1, 0.1)),
            (0.8,) * 3,
        ),
    ],
)
def test_mesh_shape(text, shape, color) -> None:
    """2.5.1"""
    mesh = read_component(Mesh, parse(text), "mesh", Findings())
    assert (mesh.shape.type, mesh.shape.height, mesh.shape.radius, mesh.shape.dim) == shape
    assert mesh.color == color


def test_dof() -> None:
    """2.5.2: it does not act; a default other than zero is the start."""
    text = "dof {{ name = pelvis_tilt source = pelvis_rz default = {} range = -90..90 }}"
    assert loads(f"model {{ {BALL.format('pelvis')} {text.format(0)} }}").actor.orientation == (0, 0, 0)
    tilted = loads(f"model {{ {BALL.format('pelvis')} {text.format(30)} }}").actor
    expected = Rotation.from_rotvec([0, -np.pi / 6, 0]).as_matrix()
    np.testing.assert_allclose(matrix_from_zyx(tilted.orientation), expected, atol=1e-15)


def test_options_are_defaults() -> None:
    """2.3.8"""
    options = "model_options { joint_limit_stiffness = 500 muscle_force_multiplier = 2 density = 500 }"
    sphere = "body { name = a shape { type = sphere radius = 0.1 } }"
    joint = f"joint {{ {KNEE} }}".replace("femur_r", "a").replace("tibia_r", "b")
    model = model_of(options, sphere, BALL.format("b"), joint)
    assert model.joints[-1].limits.stiffness == 500
    assert model.bodies[0].mass == pytest.approx(500 * 4 / 3 * np.pi * 0.1**3)


def test_material_defaults_and_stiffness() -> None:
    """2.3.7; 3.2.3.3: OpenSim's k and radius r give (4/3 sqrt(r) k) d^(3/2), whatever unit the file has it in."""
    k_osim, radius = 5.0e6, 0.03
    k_hfd = (4 / 3 * np.sqrt(radius) * k_osim) ** (2 / 3)
    material = f"material {{ name = m stiffness = {k_hfd!r} static_friction = 0.9 }}"
    geometry = f"geometry {{ type = sphere radius = {radius} body = a }}"
    model = model_of(BALL.format("a"), material, geometry)
    (material,) = model.materials
    assert material.law == "hunt_crossley" and material.exponent == 1.5
    assert material.stiffness == pytest.approx(4 / 3 * np.sqrt(radius) * k_osim, rel=1e-12)
    assert (material.damping, material.static_friction, material.dynamic_friction) == (1, 0.9, None)
    assert model.bodies[0].ellipsoids[0].material == "m"  # the first material is the default one
