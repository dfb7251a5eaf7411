"""Models and scenarios as MuJoCo's XML (MJCF), for cross-checks.

Bodies, joints, masses, inertias, damping, ellipsoids and the start are the same to the last bit. Contact forces, limits
and muscle curves are MuJoCo's own. The start is the keyframe "start". Names: "actor/body" in a scenario; the same with
the model's name in a model.
"""

import os
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from ...engine import spec
from ...engine.bodies.posture import actor_poses
from ...engine.bodies.tree import actor_transform
from ...engine.contact.compile import self_contact_table
from ...engine.maths.rotations import inverse_transform, matrix_from_zyx
from ...engine.muscles.compile import chosen_excitation
from ...io_json.atomic import write_text
from ..common.axes import transform
from ..common.findings import Finding, Findings
from .elements import add, numbers, pose
from .joints import JointWriter, State, mjcf_types
from .paths import PathWriter, Places
from .three_hinges import with_hinges

MOST_ACTORS = 30
"""Contact masks have 32 bits."""
WORLD = (None, None)


def write_mjcf(model: spec.Model, path: str | os.PathLike, ball_hinges: bool = False) -> list[Finding]:
    """Write a model; returns what was not carried over exactly. Raises `FileError`. ball_hinges: as in `mjcf`."""
    text, findings = mjcf(of_model(model), ball_hinges=ball_hinges)
    write_text(path, text)
    return findings


def of_model(model: spec.Model) -> spec.Scenario:
    """A scenario with one actor of the model at the origin, and nothing else."""
    return spec.Scenario(model.name, [spec.Actor(model.name, model)], settings=spec.Settings(ground=False))


def mjcf(
    scenario: spec.Scenario, fuse: bool = False, forces: bool = True, ball_hinges: bool = False
) -> tuple[str, list[Finding]]:
    """(text, what was not carried over exactly).

    fuse: bodies on fixed joints become part of their parent, as this engine does it too. forces: also limits, friction,
    springs, motors, belts, welds, couplers and muscles; without them the bodies move freely but for joint damping.
    ball_hinges: ball joints with axis limits become three hinges with the same ranges.
    """
    if len(scenario.actors) > MOST_ACTORS:
        raise ValueError(f"{len(scenario.actors)} actors: MuJoCo's contact masks allow {MOST_ACTORS}")
    hinged = Findings()
    if ball_hinges:
        scenario = with_hinges(scenario, hinged)
    text, findings = _Writer(scenario, fuse, forces).text()
    return text, [*hinged.list(), *findings]


@dataclass(frozen=True)
class _Masks:
    """Contact masks: bit 0 is the surroundings, bit k + 1 actor k."""

    actors: int
    self_contact: bool

    def still(self) -> dict[str, str]:
        return {"contype": "1", "conaffinity": str(self._everyone())}

    def actor(self, k: int) -> dict[str, str]:
        own = 2 << k
        others = self._everyone() if self.self_contact else self._everyone() ^ own
        return {"contype": str(own), "conaffinity": str(1 | others)}

    def _everyone(self) -> int:
        return sum(2 << k for k in range(self.actors))


class _Writer:
    """Writes one scenario."""

    def __init__(self, scenario: spec.Scenario, fuse: bool, forces: bool) -> None:
        self.scenario, self.forces = scenario, forces
        self.findings, self.state = Findings(), State()
        settings = scenario.settings
        self.root = Element("mujoco", model=scenario.name or "model")
        add(
            self.root,
            "compiler",
            angle="radian",
            fusestatic=str(fuse).lower(),
            inertiafromgeom="false",
            balanceinertia="true",
        )
        add(self.root, "option", timestep=settings.time_step, gravity=settings.gravity)
        self.asset = SubElement(self.root, "asset")
        self.world = SubElement(self.root, "worldbody")
        self.contact = SubElement(self.root, "contact")
        self.tendons = SubElement(self.root, "tendon")
        self.equality = SubElement(self.root, "equality")
        self.actuators = SubElement(self.root, "actuator")
        self.places = Places({WORLD: self.world}, {WORLD: np.eye(4)})
        self.joints = JointWriter(settings, self.actuators, self.state, self.findings, forces)
        self.paths = PathWriter(self.tendons, self.actuators, self.places, self.state, self.findings)
        self.masks = _Masks(len(scenario.actors), settings.self_contact)

    def text(self) -> tuple[str, list[Finding]]:
        self._surroundings()
        for k, actor in enumerate(self.scenario.actors):
            self._actor(actor, self.masks.actor(k))
        if self.forces:
            self._connections()
        key = {
            name: numbers(values)
            for name in ("qpos", "qvel", "act", "ctrl")
            if (values := getattr(self.state, name))
        }
        if key:
            add(SubElement(self.root, "keyframe"), "key", name="start", **key)
        for element in [element for element in self.root if not len(element) and not element.attrib]:
            self.root.remove(element)
        indent(self.root)
        return tostring(self.root, encoding="unicode") + "\n", self.findings.list()

    # ------------------------------------------------ surroundings

    def _surroundings(self) -> None:
        settings = self.scenario.settings
        friction = settings.friction if settings.ground_friction is None else settings.ground_friction
        if settings.ground:
            self._plane("ground", np.eye(4), friction)
        for obstacle in self.scenario.obstacles:
            own = obstacle.material.static_friction if obstacle.material is not None else None
            self._obstacle(obstacle, settings.friction if own is None else own)
            if obstacle.motion is not None:
                self.findings.add("obstacle", obstacle.name, "it stands still: its motion is left out")

    def _plane(self, name: str, frame: np.ndarray, friction: float) -> None:
        shape = {"type": "plane", "size": "50 50 1", "friction": numbers((friction, 0.0, 0.0))}
        add(self.world, "geom", name=name, **shape, **pose(frame), **self.masks.still())

    def _obstacle(self, obstacle: spec.Obstacle, friction: float) -> None:
        frame = transform(matrix_from_zyx(obstacle.orientation), obstacle.position)
        if obstacle.shape == "plane":
            self._plane(obstacle.name, frame, friction)
            return
        shape: dict[str, object] = {"type": obstacle.shape, "friction": (friction, 0.0, 0.0)}
        if obstacle.shape == "box":
            shape["size"] = obstacle.half_size
        elif obstacle.shape == "capsule":
            radius, _, half = (float(value) for value in obstacle.half_size)
            shape |= {"size": (radius, half)} if half > 0.0 else {"type": "sphere", "size": radius}
        elif obstacle.vertices is None:
            self.findings.add("obstacle", obstacle.name, "left out: its mesh is not loaded")
            return
        else:
            faces = " ".join(str(int(index)) for index in np.ravel(obstacle.triangles))
            add(self.asset, "mesh", name=obstacle.name, vertex=np.ravel(obstacle.vertices), face=faces)
            shape["mesh"] = obstacle.name
            self.findings.add("obstacle", obstacle.name, "MuJoCo takes the convex hull of a mesh for contact")
        add(self.world, "geom", name=obstacle.name, **shape, **pose(frame), **self.masks.still())

    # ------------------------------------------------ actors

    def _actor(self, actor: spec.Actor, mask: dict[str, str]) -> None:
        poses = actor_poses(actor)
        bodies = {body.name: body for body in actor.model.bodies}
        for joint in _depth_first(actor.model.joints):
            self.places.poses[(actor.name, joint.child)] = poses[joint.child]
            self._body(actor, joint, bodies[joint.child], mask, poses[joint.child])
        if self.scenario.settings.self_contact:
            self._exclude(actor)
        self.findings.leave_out("actor", actor, "torque_pulses", "force_pulses", "prescribed")

    def _body(
        self, actor: spec.Actor, joint: spec.Joint, body: spec.Body, mask: dict[str, str], at: np.ndarray
    ) -> None:
        """A body in its parent, in the posture with all joints at zero. Our products of inertia are minus MuJoCo's."""
        rest = np.array(joint.T1, dtype=float) @ inverse_transform(np.array(joint.T2, dtype=float))
        if joint.parent is None:
            rest = actor_transform(actor) @ rest
        parent = self.places.elements[(actor.name, joint.parent) if joint.parent is not None else WORLD]
        element = add(parent, "body", name=f"{actor.name}/{body.name}", **pose(rest))
        self.places.elements[(actor.name, body.name)] = element
        xx, yy, zz, xy, yz, xz = body.inertia
        whole = (xx, yy, zz, -xy, -xz, -yz)
        add(element, "inertial", mass=float(body.mass), pos=body.center_of_mass, fullinertia=whole)
        self.joints.write(element, actor, joint, f"{actor.name}/{joint.name}", at)
        for ellipsoid in body.ellipsoids:
            self._ellipsoid(element, actor, ellipsoid, mask, body.name)

    def _ellipsoid(
        self, element: Element, actor: spec.Actor, ellipsoid: spec.Ellipsoid, mask: dict[str, str], body: str
    ) -> None:
        frame = transform(np.array(ellipsoid.orientation, dtype=float), ellipsoid.position)
        material = next((m for m in actor.model.materials if m.name == ellipsoid.material), None)
        own = material.static_friction if material is not None else None
        friction = self.scenario.settings.friction if own is None else own
        add(
            element,
            "geom",
            name=f"{actor.name}/{body}/{ellipsoid.name}",
            type="ellipsoid",
            size=ellipsoid.semi_axes,
            friction=(friction, 0.0, 0.0),
            mass="0",
            **pose(frame),
            **mask,
        )
        self.findings.add("model", actor.model.name, "contact forces are MuJoCo's own soft ones")

    def _exclude(self, actor: spec.Actor) -> None:
        """Pairs of bodies that never touch."""
        never = ~self_contact_table(actor, self.scenario.settings.exclusion_hops)
        names = [body.name for body in actor.model.bodies]
        pairs = (sorted((names[a], names[b])) for a, b in np.argwhere(np.triu(never, 1)))
        for pair in sorted(pairs):
            first, second = (f"{actor.name}/{name}" for name in pair)
            add(self.contact, "exclude", body1=first, body2=second)

    # ------------------------------------------------ connections

    def _connections(self) -> None:
        for actor in self.scenario.actors:
            model = actor.model
            self._connect(model, actor.name)
            for coupler in model.couplers:
                self._coupler(coupler, actor)
            known = {
                surface.name: surface
                for surface in model.wrap_surfaces
                if self.paths.surface(surface, model, actor.name, f"{actor.name}/{surface.name}")
            }
            for muscle in model.muscles:
                own = replace(muscle, excitation=chosen_excitation(actor, muscle))
                self.paths.muscle(own, actor, f"{actor.name}/{muscle.name}", known)
        self._connect(self.scenario, None)

    def _connect(self, holder: spec.Model | spec.Scenario, actor: str | None) -> None:
        prefix = "" if actor is None else f"{actor}/"
        for spring in holder.springs:
            self.paths.spring(spring, actor, f"{prefix}{spring.name}")
        for belt in holder.belts:
            self.paths.belt(belt, actor, f"{prefix}{belt.name}")
        for weld in holder.welds:
            self._weld(weld, actor, f"{prefix}{weld.name}")

    def _weld(self, weld: spec.Weld, actor: str | None, name: str) -> None:
        if weld.line is not None:
            self.findings.add("weld", weld.name, "left out: MuJoCo holds no point on a line")
            return
        sites = [f"{name}/{end}" for end in ("start", "end")]
        for point, site in zip((weld.start, weld.end), sites, strict=True):
            self.places.site(point.actor or actor, point.body, point.position, site)
        kind = "weld" if weld.rotational_stiffness > 0.0 else "connect"
        add(self.equality, kind, name=name, site1=sites[0], site2=sites[1])
        self.findings.add(
            "weld", weld.name, "its stiffness is MuJoCo's own; it neither breaks nor is released"
        )

    def _coupler(self, coupler: spec.Coupler, actor: spec.Actor) -> None:
        hinges = {joint.name for joint in actor.model.joints if mjcf_types(joint) == ("hinge",)}
        if not {coupler.leader, coupler.follower} <= hinges:
            self.findings.add("coupler", coupler.name, "left out: MuJoCo couples hinges only")
            return
        follower, leader = (f"{actor.name}/{name}" for name in (coupler.follower, coupler.leader))
        coefficients = (np.radians(coupler.offset), coupler.ratio, 0.0, 0.0, 0.0)
        name = f"{actor.name}/{coupler.name}"
        add(self.equality, "joint", name=name, joint1=follower, joint2=leader, polycoef=coefficients)


def _depth_first(joints: list[spec.Joint]) -> list[spec.Joint]:
    """Joints in the order in which MuJoCo numbers them: each body before its children, branch by branch."""
    children: dict[str | None, list[spec.Joint]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint)
    ordered, stack = [], list(reversed(children.get(None, [])))
    while stack:
        joint = stack.pop()
        ordered.append(joint)
        stack += reversed(children.get(joint.child, []))
    return ordered
