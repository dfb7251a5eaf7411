"""What a road vehicle looks like: its class and the dimensions that its surface is generated from."""

from dataclasses import dataclass

from .description import Choices, described
from .values import Vector

VEHICLE_CLASSES = Choices(
    hatchback="Small car with a tailgate",
    saloon="Car with a boot",
    estate="Car with a long roof and a tailgate",
    suv="High car with an upright tail",
    van="Panel van with a short bonnet",
    pickup="Cab with four doors and an open bed",
    truck="Light truck: a short cab and a box body",
    bus="City bus with a flat front",
)


@dataclass(frozen=True)
class Vehicle:
    """A road vehicle by its class and dimensions; its surface is generated from them (`models.vehicles.form`).

    Actor frame: x forward, y left, z up, on the ground under the middle of the wheelbase. Heights are those of the
    vehicle at rest. The bonnet leading edge is where a straight edge of 1000 mm that leans back by 50 degrees, its
    lower end 600 mm above the ground, touches the front; where its upper end touches first (flat fronts), the line at
    1000 mm of wrap-around distance takes its place (UN Regulation 127).
    """

    kind: str = described("Class of the vehicle", label="Class", options=VEHICLE_CLASSES, default="saloon")
    length: float = described("Bumper to bumper", "m", low=2.5, high=18, default=4.70)
    width: float = described("Over the body, without mirrors", "m", low=1.2, high=2.6, default=1.83)
    height: float = described("Ground to roof", "m", low=1.1, high=4.0, default=1.46)
    wheelbase: float = described("Front axle to rear axle", "m", low=1.6, high=9, default=2.75)
    track: float = described(
        "Between the middles of the tyres of an axle", "m", low=1.0, high=2.3, default=1.57
    )
    wheel_radius: float = described("Axle to tread of a free wheel", "m", low=0.2, high=0.6, default=0.335)
    tyre_width: float = described("Width of a tyre", "m", low=0.12, high=0.4, default=0.22)
    front_overhang: float = described("Front axle to foremost point", "m", low=0.4, high=3.2, default=0.88)
    edge_height: float = described(
        "Bonnet leading edge above the ground, by the straight edge of the regulation",
        "m",
        low=0.6,
        high=1.3,
        default=0.76,
    )
    bonnet_length: float = described(
        "Leading edge to the foot of the windscreen, horizontally", "m", low=0.0, high=1.8, default=1.14
    )
    bonnet_angle: float = described("Rise of the bonnet", "degrees", low=0, high=45, default=11.4)
    screen_angle: float = described(
        "Windscreen from the horizontal", "degrees", low=20, high=88, default=28.0
    )
    bumper_height: float = described(
        "Middle of the bumper, its foremost point", "m", low=0.3, high=0.8, default=0.5
    )
    clearance: float = described("Ground to the underside", "m", low=0.1, high=0.5, default=0.2)
    color: Vector = described(
        "Paint: red, green and blue, linear, 0 to 1", label="Colour", default=(0.012, 0.06, 0.24)
    )
    plate: str = described("Text on the number plates", default="MNQ 22")

    @property
    def front(self) -> float:
        """x of the foremost point (m)."""
        return self.wheelbase / 2.0 + self.front_overhang

    @property
    def rear(self) -> float:
        """x of the rearmost point (m)."""
        return self.front - self.length

    @property
    def axles(self) -> tuple[float, float]:
        """x of the front and of the rear axle (m)."""
        return self.wheelbase / 2.0, -self.wheelbase / 2.0
