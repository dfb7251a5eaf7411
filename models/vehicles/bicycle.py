"""The wheels of the model `bicycle`, a city bicycle of 18.3 kg that is kept as its file."""

from ..parts.bodies import tidy

WHEEL_RADIUS = 0.346


def rolling(speed: float) -> dict[str, tuple[float, float, float]]:
    """Joint velocities (rad/s) of wheels that roll at `speed` (m/s)."""
    rate = (tidy(speed / WHEEL_RADIUS), 0.0, 0.0)
    return {"front_wheel_jnt": rate, "rear_wheel_jnt": rate}
