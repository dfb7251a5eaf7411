"""Small linkages for tests of joints and restraints in whole runs."""

from mannequin.engine.spec import Body, Joint, Model

ROD_MASS, ROD_LENGTH = 2.0, 0.8
ROD_INERTIA = ROD_MASS * ROD_LENGTH**2 / 12.0


def shifted(x: float = 0.0, y: float = 0.0, z: float = 0.0):
    """A 4x4 translation."""
    return ((1, 0, 0, x), (0, 1, 0, y), (0, 0, 1, z), (0, 0, 0, 1))


def rod(name: str) -> Body:
    """A slim rod along x about its middle, a little thick so that its inertia is sound."""
    return Body(name, ROD_MASS, (0.01, ROD_INERTIA, ROD_INERTIA, 0, 0, 0))


def arm(joint_type: str = "revolute", **joint_fields) -> Model:
    """A rod that turns about the world's y axis (revolute) or on a ball joint, at its left end in the origin."""
    fields = {"axis": (0.0, 1.0, 0.0), "damping": 0.0, **joint_fields}
    if joint_type != "revolute":
        fields.pop("axis")
    base = Body("base", 1.0, (1, 1, 1, 0, 0, 0))
    joints = [
        Joint("root", "fixed", None, "base"),
        Joint("hinge", joint_type, "base", "rod", T2=shifted(-ROD_LENGTH / 2), **fields),
    ]
    return Model("arm", [base, rod("rod")], joints)


def two_arms(**second_fields) -> Model:
    """Two rods one after the other, hinges about y."""
    model = arm()
    model.bodies.append(rod("far"))
    fields = {"axis": (0.0, 1.0, 0.0), "damping": 0.0, **second_fields}
    end, start = shifted(ROD_LENGTH / 2), shifted(-ROD_LENGTH / 2)
    model.joints.append(Joint("elbow", "revolute", "rod", "far", T1=end, T2=start, **fields))
    return model
