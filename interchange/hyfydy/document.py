"""The tree of a Hyfydy file as components, and components as a tree."""

from collections.abc import Iterable, Iterator

from ..common.findings import Findings
from ..common.trees import free_name
from .components import (
    Body,
    Component,
    Dof,
    Geometry,
    HyfydyModel,
    Joint,
    JointMotor,
    Material,
    Mesh,
    ModelOptions,
    Muscle,
    Perturbation,
    Spring,
    read_component,
    write_component,
)
from .configuration import is_block
from .text import Entry, Group, parse, syntax_error

LISTS = {
    "material": (Material, "materials"),
    "spring": (Spring, "springs"),
    "geometry": (Geometry, "geometries"),
    "joint_motor": (JointMotor, "motors"),
    "dof": (Dof, "dofs"),
    "perturbation": (Perturbation, "perturbations"),
}
"""Key of a component to what it is, and to the list it goes to."""
MUSCLES = ("point_path_muscle", "joint_point_path_muscle")
IN_BODY = ("joint", "joint_6dof", "geometry", "mesh")
"""Keys of components in a body."""
PARTS = (*LISTS, *MUSCLES, *IN_BODY, "model_options", "body")
"""Keys of components in a model."""


def read_text(text: str, findings: Findings) -> HyfydyModel:
    """The model of a file's text. Raises `FileError` with line and column."""
    tree = parse(text)
    models = [entry for entry in tree.entries if entry.key == "model" and isinstance(entry.value, Group)]
    beside = tuple(entry for entry in tree.entries if is_block(entry.key))
    others = [entry for entry in tree.entries if entry not in models and entry not in beside]
    if others:
        entry = others[0]
        raise syntax_error(
            f"'{entry.key}' stands outside the model", entry.place, "Put everything into model { ... }"
        )
    if len(models) != 1:
        place = models[1].place if models else tree.place
        raise syntax_error(f"the file holds {len(models)} models", place, "Write one model { ... }")
    model = read_model_group(models[0].value, findings)
    model.blocks += beside
    return model


def read_model_group(group: Group, findings: Findings) -> HyfydyModel:
    """The model of its group."""
    blocks = tuple(entry for entry in group.entries if is_block(entry.key))
    own = [entry for entry in group.entries if entry.key not in PARTS and not is_block(entry.key)]
    model = read_component(HyfydyModel, Group(own, group.place), "model", findings)
    model.blocks = blocks
    _collect(model, group, findings)
    _name_nameless(model)
    _refuse_same_names("body", model.bodies)
    _refuse_same_names("joint", model.joints)
    _refuse_same_names("material", model.materials)
    return model


def _groups(parent: Group, keys: Iterable[str]) -> Iterator[tuple[str, Group]]:
    for entry in parent.entries:
        if entry.key in keys:
            if not isinstance(entry.value, Group):
                raise syntax_error(
                    f"'{entry.key}' is not a group", entry.place, f"Write {entry.key} {{ ... }}"
                )
            yield entry.key, entry.value


def _collect(model: HyfydyModel, group: Group, findings: Findings) -> None:
    """Every component of the model, in the order of the file."""
    for key, part in _groups(group, PARTS):
        if key == "body":
            _read_body(model, part, findings)
        elif key == "model_options":
            model.options = read_component(ModelOptions, part, key, findings)
        elif key == "mesh":
            findings.add(key, "", "left out a mesh that stands in no body")
        elif key in ("joint", "joint_6dof"):
            model.joints.append(_read_joint(key, part, findings))
        elif key in MUSCLES:
            muscle = read_component(Muscle, part, "muscle", findings)
            muscle.as_torques = key == "joint_point_path_muscle"
            model.muscles.append(muscle)
        else:
            cls, target = LISTS[key]
            getattr(model, target).append(read_component(cls, part, key, findings))


def _read_joint(key: str, group: Group, findings: Findings) -> Joint:
    joint = read_component(Joint, group, "joint", findings)
    if key == "joint" and joint.translation_limits is not None:
        raise syntax_error(
            "a joint has no translation_limits", group.place, "Make it a joint_6dof, or leave them out"
        )
    if key == "joint_6dof" and joint.translation_limits is None:
        joint.translation_limits = ((0.0, 0.0),) * 3
    return joint


def _read_body(model: HyfydyModel, group: Group, findings: Findings) -> None:
    """A body with the joints, geometries and meshes written inside it."""
    body = read_component(Body, group, "body", findings, also=IN_BODY)
    for key, part in _groups(group, IN_BODY):
        if key == "mesh":
            body.meshes.append(read_component(Mesh, part, key, findings))
        elif key == "geometry":
            geometry = read_component(Geometry, part, key, findings)
            geometry.body = geometry.body or body.name
            body.first_geometry = body.first_geometry or geometry
            model.geometries.append(geometry)
        else:
            joint = _read_joint(key, part, findings)
            joint.child = joint.child or body.name
            model.joints.append(joint)
    model.bodies.append(body)


def _name_nameless(model: HyfydyModel) -> None:
    """Give a name to what has none, since ours must have one."""
    for kind, parts in (
        ("body", model.bodies),
        ("joint", model.joints),
        ("spring", model.springs),
        ("geometry", model.geometries),
        ("muscle", model.muscles),
        ("perturbation", model.perturbations),
    ):
        taken = {part.name for part in parts}
        for part in parts:
            if not part.name:
                part.name = free_name(kind, taken)
                taken.add(part.name)


def _refuse_same_names(kind: str, parts: list) -> None:
    seen: set[str] = set()
    for part in parts:
        if part.name in seen:
            raise syntax_error(
                f"two of kind {kind} are named '{part.name}'", part.place, "Rename one of them"
            )
        seen.add(part.name)


# ---------------------------------------------------------------- writing


def write_tree(model: HyfydyModel) -> Group:
    """The whole file as a tree. Joints stand inside their child's body, as in files of Hyfydy itself."""
    group = write_component(model)
    _add(group, "material", model.materials)
    if model.options != ModelOptions():
        _add(group, "model_options", [model.options])
    within = {joint.child: joint for joint in reversed(model.joints)}
    for body in model.bodies:
        part = write_component(body)
        if body.name in within:
            _add_joint(part, within[body.name])
        _add(part, "mesh", body.meshes)
        group.entries.append(Entry("body", part))
    for joint in model.joints:
        if within.get(joint.child) is not joint:
            _add_joint(group, joint)
    _add(group, "spring", model.springs)
    for muscle in model.muscles:
        key = "joint_point_path_muscle" if muscle.as_torques else "point_path_muscle"
        _add(group, key, [muscle])
    _add(group, "joint_motor", model.motors)
    _add(group, "geometry", model.geometries)
    _add(group, "dof", model.dofs)
    _add(group, "perturbation", model.perturbations)
    group.entries += model.blocks
    return Group([Entry("model", group)])


def _add(group: Group, key: str, components: Iterable[Component]) -> None:
    group.entries += [Entry(key, write_component(component)) for component in components]


def _add_joint(group: Group, joint: Joint) -> None:
    _add(group, "joint" if joint.translation_limits is None else "joint_6dof", [joint])
