"""A scenario and a recording of it made from closed-form motion, for tests that need no engine.

One actor "man": a pelvis (root), a head on a ball joint above it, a hand on a hinge. Every body's centre of mass moves
on its own smooth curve and turns about its own fixed axis; velocities, accelerations and turn rates are the
derivatives.
"""

import numpy as np

from mannequin.engine import CONTACT_EVENT, ENERGY_TERMS, Recording
from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Model, Scenario, Settings

BODIES = ("pelvis", "Head", "hand")


def make_model(name: str = "doll") -> Model:
    bodies = [
        Body(
            "pelvis", 12.0, (0.1, 0.1, 0.1, 0.0, 0.0, 0.0), ellipsoids=[Ellipsoid("hips", (0.1, 0.17, 0.1))]
        ),
        Body(
            "Head",
            4.5,
            (0.02, 0.02, 0.015, 0.0, 0.0, 0.0),
            center_of_mass=(0.01, 0.0, 0.1),
            ellipsoids=[Ellipsoid("skull", (0.104, 0.084, 0.113), position=(0.0, 0.0, 0.1))],
        ),
        Body(
            "hand", 0.5, (1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0), ellipsoids=[Ellipsoid("palm", (0.09, 0.04, 0.02))]
        ),
    ]
    up = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.5), (0.0, 0.0, 0.0, 1.0))
    joints = [
        Joint("root", "free", None, "pelvis"),
        Joint("neck", "spherical", "pelvis", "Head", T1=up),
        Joint("elbow", "revolute", "pelvis", "hand", axis=(0.0, 1.0, 0.0)),
    ]
    return Model(name, bodies, joints)


def make_scenario(name: str = "fall test", **settings) -> Scenario:
    actor = Actor("man", make_model(), position=(0.0, 0.0, 1.0), velocity=(1.0, 0.0, 0.0))
    return Scenario(
        name, [actor], settings=Settings(**settings), sources={"actors.0.velocity": "video, camera 2"}
    )


def make_contacts(duration: float) -> np.ndarray:
    """Head and hand touch the ground; the hand is still touching at the end."""
    contacts = np.zeros(2, dtype=CONTACT_EVENT)
    contacts["ellipsoid_a"], contacts["body_a"] = (1, 2), (1, 2)
    contacts["ellipsoid_b"], contacts["body_b"], contacts["obstacle_b"] = -1, -1, 0
    contacts["start"], contacts["end"] = (0.3 * duration, 0.5 * duration), (0.4 * duration, np.nan)
    contacts["peak_time"], contacts["peak_force"] = (0.35 * duration, 0.6 * duration), (2500.0, 120.0)
    contacts["joined_time"], contacts["joined_force"] = contacts["peak_time"], contacts["peak_force"]
    contacts["approach_speed"], contacts["sliding_speed"] = (3.0, 0.5), (4.0, 0.0)
    contacts["energy"] = (40.0, 1.5)
    contacts["normal"] = (0.0, 0.0, 1.0)
    return contacts


def make_recording(frames: int = 201, step: float = 1e-3, bodies: int = 3) -> Recording:
    """Motion of `bodies` bodies (the first three are BODIES) at `frames` output times."""
    t = np.arange(frames) * step
    names = tuple(BODIES[i] if i < 3 else f"part{i}" for i in range(bodies))
    k = np.arange(bodies)
    rate = 2.0 + 0.7 * k
    phase = rate * t[:, None]
    shift = np.stack([np.cos(k), np.sin(k), 1.0 + 0.1 * k], -1)
    swing = np.stack([0.3 + 0.02 * k, 0.2 - 0.01 * k, 0.1 + 0.0 * k], -1)
    position = shift + swing * np.sin(phase)[..., None]
    velocity = swing * (rate * np.cos(phase))[..., None]
    acceleration = -swing * (rate**2 * np.sin(phase))[..., None]
    axis = np.stack([np.sin(k + 1.0), np.cos(2.0 * k), 0.5 + 0.0 * k], -1)
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    turn, turn_rate, turn_acceleration = np.sin(phase), rate * np.cos(phase), -(rate**2) * np.sin(phase)
    quaternion = np.concatenate([np.cos(turn / 2)[..., None], np.sin(turn / 2)[..., None] * axis], -1)
    joint_axis = np.array([axis[0], axis[min(1, bodies - 1)], (0.0, 1.0, 0.0)])
    joint_turn = np.stack([turn[:, 0], turn[:, 0] * 0.5, 2.5 * np.sin(3 * t)], -1)
    joint_rate = np.stack([turn_rate[:, 0], turn_rate[:, 0] * 0.5, 7.5 * np.cos(3 * t)], -1)
    force = np.zeros((frames, bodies, 3))
    force[frames // 3 : frames // 2, 1, 2] = 2000.0
    energy = np.zeros((frames, len(ENERGY_TERMS)))
    energy[:, 0] = 100.0 + t
    energy[:, 1] = 200.0 - 2.0 * t
    energy[:, -1] = 0.01 * t
    reaction = np.stack([joint_axis * 100.0 * np.sin(5 * s) for s in t])
    recording = Recording(
        times=t,
        actor_names=("man",),
        body_names=names,
        body_actor=np.zeros(bodies, dtype=np.int64),
        body_mass=np.full(bodies, 2.0),
        body_com=np.zeros((bodies, 3)),
        joint_names=("root", "neck", "elbow"),
        joint_actor=np.zeros(3, dtype=np.int64),
        joint_child=np.arange(3),
        joint_types=("free", "spherical", "revolute"),
        ellipsoid_names=("hips", "skull", "palm"),
        ellipsoid_body=np.arange(3),
        obstacle_names=("ground",),
        position=position,
        quaternion=quaternion,
        velocity=velocity,
        angular_velocity=turn_rate[..., None] * axis,
        acceleration=acceleration,
        angular_acceleration=turn_acceleration[..., None] * axis,
        contact_force=force,
        contact_torque=np.zeros((frames, bodies, 3)),
        joint_angle=joint_turn[..., None] * joint_axis,
        joint_rate=joint_rate[..., None] * joint_axis,
        reaction_force=reaction,
        reaction_moment=0.1 * reaction,
        energy=energy,
        contacts=make_contacts(frames * step),
        warnings=["a <warning> & its text"],
        steps=frames * 10,
    )
    sense_head(recording)
    return recording


def sense_head(recording: Recording, gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)) -> None:
    """Give a recording the channels that the default sensors of `make_scenario` fill, sampled at its output times."""
    turn = recording.rotation(1)
    world = {
        "acceleration": recording.acceleration[:, 1] - np.array(gravity),
        "turn_rate": recording.angular_velocity[:, 1],
        "contact_force": recording.contact_force[:, 1],
        "joint_force": recording.reaction_force[:, 1],
        "joint_moment": recording.reaction_moment[:, 1],
    }
    data = [np.einsum("fji,fj->fi", turn, values) for values in world.values()]
    data.append(
        np.einsum("fji,fj->fi", recording.rotation(0), recording.acceleration[:, 0] - np.array(gravity))
    )
    recording.channel_sensor = (*("man head",) * 3, *("man upper neck",) * 2, "man pelvis")
    recording.channel_quantity = (*world, "acceleration")
    recording.channel_axes = ("body",) * 6
    recording.channel_body = np.array([1, 1, 1, 1, 1, 0])
    recording.channel_cfc = np.array([1000, 60, 1000, 1000, 600, 1000])
    recording.channel_times = recording.times.copy()
    recording.channel_data = np.stack(data, axis=1).astype(np.float32)
