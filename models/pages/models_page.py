"""The page docs/models.md: a picture and a mass table of every shipped model, printed from the models themselves."""

from pathlib import Path

import numpy as np

from ...engine.spec import Model
from ...io_json.scenario_json import read_scenario
from ..library import list_models, list_scenarios, load_model
from ..parts.frames import __doc__ as frames_text
from ..parts.placement import dimensions, volume
from .pictures import draw_model

INTRODUCTION = """# Models

This page is written by `python -m mannequin models page` from the shipped model files; do not edit it by
hand.

The files are in `models/`, one JSON each, and so is the code that builds them: people as every person is, from
a mesh that is shaped to their age, height and mass ([people](people.md)), dummies from published tables. A
scenario names a shipped model without a path (`"model": "male"`). `python -m mannequin models build --sex
female --height 1.58 --mass 52` makes an adult of any size by tables alone; below 1.40 m make a person: children
are not small adults (a 3-year-old's head is 17 % of the body, an adult's 7 %).

The people stand at rest with their soles on z = 0, facing +x, arms hanging, when the actor is at the origin.
Of people, head, Neck and NeckUpper together are de Leva's head, UpperBack, Chest, Sternum and both Clavicles
his upper trunk, LowerBack and Abdomen his middle trunk (AbdomenFront included), pelvis his lower trunk; his own
man of 73 kg, as a person, has his masses exactly. The right side is the left mirrored to the bit. Knees and
elbows are ball joints with 5 degrees of side play, so that a blow from the side can bend them; past its range a
joint is held by a stiff spring.

Tissue gives. The neck bends by curves that stiffen, without stops, and shortens along a slider between Neck and
NeckUpper; the Sternum slides against UpperBack on a spring and damper, and so do a person's AbdomenFront and
Clavicles; a person's back resists bending. A dummy's neck and chest are fitted to its certification, a
person's are softer. Legs break where chosen (male_legs). This is tissue without muscles: a scenario gives a
living person motors of the neck ([physics](physics.md#what-gives-in-people-and-dummies)).

People's ellipsoids are fitted to the skin of the mesh; a dummy's skin is not measured, and its ellipsoids are sized
so that their volume fits the published mass. They overlap at the joints. Materials say where their curve comes
from, and say "assumed" where no source could be traced.
"""


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Lines of a Markdown table."""
    return [_row(head), _row(["---"] * len(head)), *map(_row, rows)]


def summary_row(model: Model) -> list[str]:
    """Name, bodies, ellipsoids, mass, height, first source of a model."""
    height = dimensions(model)[1][2] if model.height is None else model.height
    return [
        model.name,
        str(len(model.bodies)),
        str(sum(len(body.ellipsoids) for body in model.bodies)),
        f"{sum(body.mass for body in model.bodies):.2f}",
        f"{height:.3f}",
        model.sources[0] if model.sources else "",
    ]


SUMMARY_HEAD = ["name", "bodies", "ellipsoids", "mass kg", "height m", "source"]


def _mass_table(model: Model) -> list[str]:
    total = sum(body.mass for body in model.bodies)
    rows = [
        [
            body.name,
            f"{body.mass:.3f}",
            f"{100.0 * body.mass / total:.2f}",
            ", ".join(f"{value:.3f}" for value in body.center_of_mass),
            ", ".join(f"{value:.4f}" for value in body.inertia[:3]),
        ]
        for body in model.bodies
    ]
    head = ["body", "mass kg", "share %", "centre of mass m (x, y, z)", "inertia kg m2 (xx, yy, zz)"]
    return table(head, rows)


def _material_table(model: Model) -> list[str]:
    rows = [
        [
            material.name,
            f"{material.loading[-1][1] / 1000:.0f} kN at {material.loading[-1][0] * 1000:.0f} mm",
            f"{np.sqrt(material.energy_retention):.2f}",
            material.source,
        ]
        for material in model.materials
    ]
    return table(["material", "last point", "restitution", "source"], rows)


def _joint_table(model: Model) -> list[str]:
    rows = []
    for joint in model.joints:
        if not joint.kind.turns or joint.name.endswith("rJnt"):
            continue
        limits, cone = "", ""
        if joint.limits is not None:
            pairs = zip(joint.limits.lower, joint.limits.upper, strict=True)
            count = 1 if joint.kind.has_axis else 3
            limits = "; ".join(f"{low:g} to {high:g}" for low, high in list(pairs)[:count])
        if joint.cone is not None:
            cone = " / ".join(f"{angle:g}" for angle in joint.cone.quadrant_angles)
        damping = "" if joint.damping is None else f"{joint.damping:g}"
        rows.append([joint.name, joint.type, limits, cone, damping])
    return table(["joint (left)", "type", "limits deg (Z; Y; X)", "cone deg", "damping N m s/rad"], rows)


def _section(model: Model, images: str) -> list[str]:
    mass = sum(body.mass for body in model.bodies)
    size = dimensions(model)
    extent = " x ".join(f"{value:.2f}" for value in size[1] - size[0])
    lines = [f"## {model.name}", "", model.description, "", f"![{model.name}]({images}/{model.name}.png)", ""]
    lines += [f"Mass {mass:.2f} kg; extent {extent} m."]
    if model.height is not None:
        density = mass / volume(model)
        lines[-1] += f" Mass over the volume of the ellipsoids: {density:.0f} kg/m3."
    lines += ["", *_mass_table(model), "", *_joint_table(model), "", *_material_table(model), ""]
    lines += ["Sources:", "", *[f"- {source}" for source in model.sources], ""]
    lines += ["Notes:", "", *[f"- {note}" for note in model.notes], ""]
    return lines


def write_page(folder: str | Path) -> Path:
    """Write models.md and its pictures under images/models in `folder`; returns the page's path."""
    from ...io_json.atomic import write_text

    folder = Path(folder)
    models = [load_model(name) for name in list_models()]
    scenarios = [[path.stem, read_scenario(path).description] for path in list_scenarios()]
    lines = [INTRODUCTION, *table(SUMMARY_HEAD, [summary_row(model) for model in models]), ""]
    lines += ["## Signs of joint angles", "", *frames_text.strip().splitlines()[2:], ""]
    lines += ["## Scenarios", "", *table(["name", "what happens"], scenarios), ""]
    for model in models:
        draw_model(model, folder / "images" / "models" / f"{model.name}.png")
        lines += _section(model, "images/models")
    page = folder / "models.md"
    write_text(page, "\n".join(lines).rstrip() + "\n")
    return page
