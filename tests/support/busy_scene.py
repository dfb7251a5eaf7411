"""A short scene in which nearly everything the engine knows happens at once."""

from mechanisms import shifted

from mannequin.engine import (
    Actor,
    Body,
    Ellipsoid,
    Joint,
    Model,
    Motor,
    Obstacle,
    Point,
    Scenario,
    Settings,
    SpringDamper,
    Weld,
)


def busy_scenario(**settings) -> Scenario:
    """Two jointed things thrown at each other over the ground and a box: contact, friction, motor, spring, weld."""
    curve = ((0.0, 0.0), (0.005, 800.0), (0.01, 3000.0))

    def part(name, x):
        return Body(
            name,
            2.0,
            (0.01, 0.02, 0.015, 0.001, 0.0, -0.001),
            center_of_mass=(x, 0.0, 0.01),
            ellipsoids=[Ellipsoid(f"{name} skin", (0.12, 0.06, 0.08), (x, 0.0, 0.0), force_curve=curve)],
        )

    joints = [
        Joint("root", "free", None, "a"),
        Joint(
            "ball", "spherical", "a", "b", T1=shifted(0.2, 0.0, 0.0), motor=Motor(stiffness=5.0, damping=0.1)
        ),
        Joint("hinge", "revolute", "b", "c", T1=shifted(0.3, 0.0, 0.0), axis=(0.0, 1.0, 0.0)),
        Joint("weldment", "fixed", "c", "d", T1=shifted(0.3, 0.05, 0.0)),
    ]
    model = Model("snake", [part(name, 0.15) for name in "abcd"], joints)
    actors = [
        Actor(
            "one",
            model,
            position=(0.0, 0.0, 0.25),
            velocity=(0.5, 3.0, -2.0),
            angular_velocity=(0.0, 1.0, 2.0),
        ),
        Actor(
            "two", model, position=(0.1, 0.4, 0.3), velocity=(0.0, -3.0, -1.0), orientation=(5.0, -8.0, 10.0)
        ),
    ]
    return Scenario(
        "busy",
        actors,
        obstacles=[Obstacle("box", "box", position=(0.6, 0.1, 0.05), half_size=(0.1, 0.3, 0.04))],
        springs=[SpringDamper("cord", Point((0, 0, 1)), Point((0.1, 0, 0), "a", "one"), 50.0, 1.0)],
        welds=[Weld("pin", Point((0, 0, 0), "d", "one"), Point((0, 0, 0), "d", "two"), 100.0, 1.0)],
        settings=Settings(**({"duration": 0.2} | settings)),
    )
