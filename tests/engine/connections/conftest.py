"""Bodies set by hand, connections between them, forces out. Body 0, 1, ... are the moving bodies, None the world."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine.bodies.tree import TreeBuilder
from mannequin.engine.bodies.workspace import new_workspace
from mannequin.engine.connections.compile import compile_connections
from mannequin.engine.connections.forces import commit_connections, connection_forces
from mannequin.engine.connections.power import connection_power
from mannequin.engine.connections.state import new_connection_state
from mannequin.engine.spec import Actor, Body, Joint, Model, Point


class Yard:
    """Free bodies of 2 kg with connections; poses and velocities are set directly."""

    def __init__(self, bodies: int, springs=(), belts=(), welds=(), place=None) -> None:
        builder = TreeBuilder()
        for k in range(bodies):
            body = Body("body", 2.0, (0.02, 0.03, 0.04, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            model = Model("thing", [body], [Joint("root", "free", None, "body")])
            builder.add_actor(k, Actor(str(k), model))
        self.tree, _ = builder.finish()
        self.w = new_workspace(self.tree)
        self.count = bodies
        for k in range(bodies):
            self.set(k)
        for k, position in (place or {}).items():
            self.set(k, position)
        pairs = ([(item, None) for item in group] for group in (springs, belts, welds))
        self.cn = compile_connections(*pairs, self.resolve)
        self.state = new_connection_state(self.cn, self.w)

    def resolve(self, point: Point, actor):
        if point.body is None:
            return self.count, -1, np.array(point.position, dtype=float)
        return int(point.body), int(point.body), np.array(point.position, dtype=float)

    def set(self, body, position=(0, 0, 0), turn=(0, 0, 0), velocity=(0, 0, 0), omega=(0, 0, 0)) -> None:
        self.w.position[body] = position
        self.w.rotation[body] = Rotation.from_rotvec(turn).as_matrix().ravel()
        self.w.velocity[body] = velocity
        self.w.omega[body] = omega

    def forces(self, t: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """(force, torque about the reference point) on every body, (n, 3) each."""
        self.w.art_f[:] = 0.0
        self.w.art_n[:] = 0.0
        connection_forces(self.cn, self.state, self.w, float(t))
        return -self.w.art_f[: self.count], -self.w.art_n[: self.count]

    def commit(self, t: float = 0.0) -> None:
        commit_connections(self.cn, self.state, float(t))

    def power(self) -> float:
        return connection_power(self.cn, self.state, self.w, 0.0, (0.0, 0.0, 0.0))


@pytest.fixture
def yard():
    """Yard(bodies, springs, belts, welds, place={body: position})"""
    return Yard


def point(body, *position) -> Point:
    """Point of body number `body` (None: the world)."""
    return Point(tuple(float(x) for x in position), None if body is None else str(body))


@pytest.fixture(name="point")
def point_fixture():
    return point
