"""A body whose way until it rests is known in closed form, and tells its speed."""

from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Material, Model, Scenario, Settings

SPEED, FRICTION, G = 3.0, 0.5, 9.81
RUNNER = 0.05


def sled() -> Scenario:
    """A body on four runners that slides along x and stops after v^2 / (2 mu g), whatever its mass."""
    stuff = Material("steel", law="linear", stiffness=2e5, damping=800.0)
    feet = [
        Ellipsoid(f"runner {i}", (RUNNER, RUNNER, RUNNER), (x, y, 0.0), material="steel")
        for i, (x, y) in enumerate([(-0.5, -0.3), (-0.5, 0.3), (0.5, -0.3), (0.5, 0.3)])
    ]
    body = Body("deck", 10.0, (0.5, 1.0, 1.4, 0, 0, 0), (0.0, 0.0, 0.0), ellipsoids=feet)
    model = Model("sled", [body], [Joint("root", "free", None, "deck")], materials=[stuff])
    actor = Actor("sled", model, position=(0.0, 0.0, RUNNER), velocity=(SPEED, 0.0, 0.0))
    settings = Settings(duration=1.2, time_step=5e-4, output_step=0.01, friction=FRICTION)
    return Scenario("sled", [actor], settings=settings)


REST = SPEED**2 / (2 * FRICTION * G)
"""m: where it stops."""
