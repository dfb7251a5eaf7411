"""A wheel on its tyre, which belongs to a model, and what the driver of a vehicle does, which belongs to an actor."""

from dataclasses import dataclass

from .description import described
from .values import Curve


@dataclass
class Wheel:
    """A wheel that rolls on a tyre. The ellipsoids of its body are the tread: where they touch an obstacle, the force
    of the tyre takes the place of friction, whose static coefficient is the peak and whose sliding one that of a
    locked wheel.
    """

    body: str = described("Body that turns on the axle")
    radius: float = described("Axle to tread: way rolled per turn", "m", low=0.05, high=1, new=0.32)
    load: float = described("Load at which the other values hold", "N", low=1, new=4000.0)
    cornering_stiffness: float = described(
        "Side force over load per slip angle, at small angles", "1/rad", low=1, high=50, default=10.0
    )
    slip_stiffness: float = described(
        "Force along over load per slip ratio, at small slip", low=1, high=100, default=20.0
    )
    side_friction: float = described(
        "Friction across over friction along: axes of the friction ellipse", low=0.5, high=1.2, default=0.95
    )
    load_sensitivity: float = described(
        "Share of friction that is lost when the load doubles", low=0, high=0.5, default=0.1
    )
    stiffness_sensitivity: float = described(
        "Share of both stiffnesses over load that is lost when the load doubles", low=0, high=0.5, default=0.2
    )
    relaxation: float = described(
        "Way rolled after which a side force has risen to 63 %", "m", low=0.01, high=2, default=0.4
    )
    slip_relaxation: float = described(
        "Way rolled after which a force along has risen to 63 %", "m", low=0.01, high=2, default=0.15
    )
    rolling_resistance: float = described(
        "Resistance to rolling over load", low=0, high=0.1, digits=4, default=0.012
    )
    brake_torque: float = described(
        "Brake torque at the full pedal; their ratio is the balance", "N m", low=0, default=0.0
    )
    drive_share: float = described("Share of the engine's force", low=0, high=1, default=0.0)
    steering: str = described("Joint that steers it; empty: none", label="Steering Joint", default="")
    source: str = ""


@dataclass(frozen=True)
class Drive:
    """What the driver of a vehicle does: speed at the start, brakes, steering. The model must have wheels."""

    speed: float | None = described(
        "Forward, at the start, with wheels that roll; it takes the place of the actor's velocity",
        "m/s",
        low=0,
        high=70,
        new=13.9,
        absent="as the start says",
        switch="Own Speed",
    )
    keep_speed: bool = described("The throttle holds the speed until the brakes are used", default=False)
    braking: float | None = described(
        "Deceleration asked for, over 9.80665 m/s²; held on any road that can take it",
        "g",
        low=0,
        high=1.2,
        new=0.7,
        absent="no braking",
        switch="Brakes",
    )
    brake_start: float = described("Time at which the pedal is pressed", "s", low=0, default=0.0)
    pedal_time: float = described(
        "From the first pressure to the deceleration asked for, in proportion",
        "s",
        low=0,
        high=2,
        default=0.2,
    )
    anti_lock: bool = described("Brakes that keep wheels from locking", label="ABS", default=True)
    engine_drag: float = described(
        "Deceleration by the engine with the throttle released, over 9.80665 m/s²",
        "g",
        low=0,
        high=0.3,
        default=0.0,
    )
    pedal: Curve | None = described(
        "Rows: time (s), share of the full brake torque (0 to 1); in place of a deceleration",
        absent="not used",
    )
    steering: Curve | None = described(
        "Rows: time (s), steering angle of the front wheels (degrees, positive to the left)",
        absent="straight on",
    )
    path: Curve | None = described(
        "Rows: x, y (m, world) of points that the rear axle is steered along", absent="not used"
    )
    preview: float = described(
        "How far ahead the path is looked at, in time", "s", low=0.1, high=3, default=0.5
    )
    trace: tuple[tuple[float, ...], ...] | None = described(
        "Rows of an event data recorder: time (s), speed (m/s) [, steering angle of the front wheels (degrees)]; "
        "throttle and brakes follow it",
        absent="not used",
    )
    balance: bool = described(
        "The rider of a two-wheeler keeps it up by steering into the fall, until it lies or the hands let go; "
        "off: it steers freely",
        default=False,
    )
    load: float = described(
        "Mass that is carried besides the model's own, such as a rider; brakes and throttle allow for it",
        "kg",
        low=0,
        high=1000,
        default=0.0,
    )
    source: str = ""
