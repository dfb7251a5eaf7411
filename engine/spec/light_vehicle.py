"""What a two-wheeler, a wheelchair or a pram is: its kind and the dimensions that it is built and drawn from."""

from dataclasses import dataclass

from .description import Choices, described
from .values import Vector

LIGHT_VEHICLE_KINDS = Choices(
    city_bicycle="City bicycle with mudguards, rack, lamps and an upright bar",
    race_bicycle="Racing bicycle with a dropped bar",
    child_bicycle="Child's bicycle with 20 inch wheels",
    motorcycle="Motorcycle with a tank, a fairing and cast wheels",
    scooter="Motor scooter with a step-through body and a floor board",
    wheelchair="Wheelchair with large rear wheels and castors in front",
    pram="Pram with a basket, castors in front and fixed rear wheels",
)


@dataclass(frozen=True)
class LightVehicle:
    """A vehicle for one by its kind and dimensions; built and drawn from them (`models.vehicles.light`).

    Actor frame: x forward, y left, z up, on the ground under the middle of the wheelbase. Of castors the head angle is
    90 degrees and the trail how far the wheel runs behind its pivot.
    """

    kind: str = described("Kind of vehicle", options=LIGHT_VEHICLE_KINDS, default="city_bicycle")
    wheelbase: float = described("Front axle to rear axle", "m", low=0.3, high=1.8, default=1.10)
    front_radius: float = described("Axle to tread of a front wheel", "m", low=0.05, high=0.4, default=0.345)
    rear_radius: float = described("Axle to tread of a rear wheel", "m", low=0.05, high=0.4, default=0.345)
    front_tyre: float = described("Width of a front tyre", "m", low=0.015, high=0.2, default=0.040)
    rear_tyre: float = described("Width of a rear tyre", "m", low=0.015, high=0.25, default=0.040)
    head_angle: float = described(
        "Steering axis from the horizontal", "degrees", low=55, high=90, default=69.0
    )
    trail: float = described(
        "Where the steering axis meets the ground ahead of the front wheel's contact",
        "m",
        low=0.0,
        high=0.2,
        default=0.060,
    )
    seat_height: float = described("Ground to the top of the seat", "m", low=0.3, high=1.2, default=0.87)
    bar_height: float = described("Ground to the grips", "m", low=0.4, high=1.4, default=1.06)
    bar_width: float = described("Between the ends of the grips", "m", low=0.2, high=1.0, default=0.60)
    track: float = described(
        "Between the rear wheels; 0: one wheel behind the other", "m", low=0, high=0.8, default=0.0
    )
    color: Vector = described(
        "Paint: red, green and blue, linear, 0 to 1", label="Colour", default=(0.02, 0.10, 0.06)
    )
    plate: str = described("Text on the number plate of a motorcycle or scooter", default="MNQ 2")

    @property
    def axles(self) -> tuple[float, float]:
        """x of the front and of the rear axle (m)."""
        return self.wheelbase / 2.0, -self.wheelbase / 2.0

    @property
    def is_ridden(self) -> bool:
        """Whether it has one wheel behind the other and must be balanced."""
        return self.track == 0.0
