"""Models of people: masses, centres and inertias against published ones and MuJoCo, ellipsoids on the skin, joints
where the mesh has them, both sides alike, falls with closed energy books."""

import dataclasses

import mujoco
import numpy as np
import pytest
from people_data import needs_people
from scipy.spatial import cKDTree

from mannequin.analysis.muscles.moment_arms import MomentArms, Turn
from mannequin.engine import ENERGY_TERMS, run, validate
from mannequin.engine.runs.placing import place_on_ground
from mannequin.engine.spec import Body, Ellipsoid, Model, Person
from mannequin.io_json.model_json import read_model, same_model, write_model
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import load_model, scenario_path
from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes
from mannequin.models.people import ageing, cutting, fit_layout, segment_masses, shoulders
from mannequin.models.people.chest import flesh_share, stand_back
from mannequin.models.people.person_model import fit_from_nothing, make_person, person_with_muscles
from mannequin.models.people.person_skin import skin_of
from mannequin.models.people.shape import solve

pytestmark = needs_people

DE_LEVA_MAN, DE_LEVA_WOMAN = Person(1, 24, 1.741, 73), Person(0, 19, 1.735, 61.9)
OBESE, OLD, CHILD, TODDLER = (
    Person(1, 45, 1.76, 140),
    Person(0, 78, 1.56, 52),
    Person(1, 6, 1.155, 20.7),
    Person(0, 2, 0.86, 12),
)
MAN, WOMAN = Person(1, 40, 1.754, 90.3), Person(0, 40, 1.612, 77.9)
STOUT = Person(1, 50, 1.75, 110)
HEAVY = Person(0, 45, 1.64, 115)
MEMBERS = {
    "head": ("head", "Neck", "NeckUpper"),
    "trunk": (
        *("UpperBack", "Chest", "Sternum", "ClavicleL", "ClavicleR"),
        *("LowerBack", "Abdomen", "AbdomenFront", "pelvis"),
    ),
    "thigh": ("ThighL",),
    "shank": ("ShankL",),
    "foot": ("FootL",),
    "upper_arm": ("UpperArmL",),
    "forearm": ("ForearmL",),
    "hand": ("HandL",),
}
# Percent of body mass, one side, typed again from the tables; trunk whole.
DE_LEVA = {
    DE_LEVA_MAN: (6.94, 43.46, 14.16, 4.33, 1.37, 2.71, 1.62, 0.61),
    DE_LEVA_WOMAN: (6.68, 42.57, 14.78, 4.81, 1.29, 2.55, 1.38, 0.56),
    CHILD: (18.2, 43.0, 8.5, 4.6, 1.9, 2.4, 1.3, 0.8),
}


@pytest.fixture(scope="module")
def made():
    kept = {}

    def make(person):
        if person not in kept:
            kept[person] = make_person(person)
        return kept[person]

    return make


def shares(model) -> dict[str, float]:
    mass = {body.name: body.mass for body in model.bodies}
    whole = sum(mass.values())
    return {part: 100 * sum(mass[name] for name in names) / whole for part, names in MEMBERS.items()}


@pytest.mark.parametrize("person", DE_LEVA, ids=str)
def test_segments_have_the_published_shares(made, person):
    model = made(person).model
    assert sum(body.mass for body in model.bodies) == pytest.approx(person.mass, abs=0.010)
    for (part, share), published in zip(shares(model).items(), DE_LEVA[person], strict=True):
        assert share == pytest.approx(published, rel=0.10), part


def test_a_boy_of_twelve_is_predicted(made):
    """Jensen's boys of 12 years are not used anywhere. His arms end elsewhere: at 18 years he has 3.6 % where de Leva
    has 2.7 %, so arms are not compared."""
    found = shares(made(Person(1, 12, 1.49, 40.5)).model)
    for part, published in (("head", 10.1), ("trunk", 41.7), ("thigh", 11.0), ("shank", 5.3)):
        assert found[part] == pytest.approx(published, rel=0.10), part


# Head with neck, kg: Hybrid III dummies of 3 and 6 years; de Leva's adults.
@pytest.mark.parametrize(
    ("person", "kilograms"),
    [
        (Person(1, 3, 0.945, 15.46), 2.685 + 0.748),
        (Person(1, 6, 1.143, 23.41), 3.475 + 0.544),
        (DE_LEVA_MAN, 0.0694 * 73),
        (DE_LEVA_WOMAN, 0.0668 * 61.9),
    ],
    ids=str,
)
def test_heads_weigh_what_is_published(made, person, kilograms):
    mass = {body.name: body.mass for body in made(person).model.bodies}
    assert mass["head"] + mass["Neck"] + mass["NeckUpper"] == pytest.approx(kilograms, rel=0.10)


def test_an_obese_man_has_an_ordinary_head(made):
    """Head and neck by shares alone would weigh 9.7 kg; the 50th percentile dummy's head weighs 4.54 kg."""
    head = next(body for body in made(OBESE).model.bodies if body.name == "head")
    assert head.mass == pytest.approx(4.54, rel=0.15)


@pytest.mark.parametrize("person", [DE_LEVA_MAN, DE_LEVA_WOMAN], ids=str)
def test_centres_and_inertias_are_near_de_leva(made, person):
    """Not calibrated: centre of mass as a share of the length from the proximal joint, and the radius of gyration about
    the transverse axis; whole-body centre at 0.55 to 0.57 of stature."""
    result = made(person)
    bodies = {body.name: body for body in result.model.bodies}
    male = person.sex == 1
    for name, child, centre, radius in (
        ("Thigh", "Shank", 40.95 if male else 36.12, 32.9 if male else 36.4),
        ("Shank", "Foot", 43.95 if male else 43.52, 24.6 if male else 26.3),
        ("Forearm", "Hand", 45.74 if male else 45.59, 26.5 if male else 25.7),
    ):
        length = result.frames[name].origin[2] - result.frames[child].origin[2]
        body = bodies[name + "L"]
        assert -100 * body.center_of_mass[2] / length == pytest.approx(centre, abs=5.0), name
        # a woman's thigh has 30.9 for 36.4: a miss, in docs/people.md
        limit = 0.16 if (name, male) == ("Thigh", False) else 0.15
        assert 100 * np.sqrt(body.inertia[1] / body.mass) / length == pytest.approx(radius, rel=limit), name
    places = body_transforms(result.model)
    moments = sum(b.mass * (places[b.name] @ [*b.center_of_mass, 1.0])[2] for b in result.model.bodies)
    assert moments / person.mass / person.height == pytest.approx(0.56, abs=0.015)


def test_pieces_weigh_as_mujoco_says():
    """Volume, centre and inertia of closed pieces of the cut, against MuJoCo's exact mesh inertia."""
    pieces = cutting.cut(skin_of(solve(DE_LEVA_MAN)))
    for body in ("Shank", "Hand", "UpperArm"):
        rows = pieces.triangles[body]
        used, face = np.unique(rows, return_inverse=True)
        vertices = pieces.vertices[used]
        xml = (
            '<mujoco><asset><mesh name="m" inertia="exact" vertex="{}" face="{}"/></asset><worldbody><body><freejoint/>'
            '<geom type="mesh" mesh="m" density="1000"/></body></worldbody></mujoco>'
        ).format(
            " ".join(f"{x:.9f}" for x in vertices.ravel()),
            " ".join(str(i) for i in face.reshape(-1, 3).ravel()),
        )
        model = mujoco.MjModel.from_xml_string(xml)
        solid = cutting.solid(pieces.vertices, rows)
        assert 1000 * solid.mass == pytest.approx(model.body_mass[1], rel=1e-4)
        assert solid.centre == pytest.approx(model.body_ipos[1], abs=1e-4)
        mine = np.sort(np.linalg.eigvalsh(1000 * solid.inertia))
        assert mine == pytest.approx(np.sort(model.body_inertia[1]), rel=1e-3)


def test_the_pieces_sum_to_the_half():
    skin = skin_of(solve(OBESE))
    pieces = cutting.cut(skin)
    half = cutting.solid(skin.vertices, skin.triangles).mass / 2.0
    assert sum(
        cutting.solid(pieces.vertices, rows).mass for rows in pieces.triangles.values()
    ) == pytest.approx(half, rel=1e-4)


def test_the_stored_shares_are_those_of_the_mesh():
    for name, person in segment_masses.REFERENCE_PEOPLE.items():
        solids = cutting.volumes(cutting.cut(skin_of(solve(person))))
        found = cutting.shares(cutting.segment_volumes(solids))
        assert found == pytest.approx(segment_masses.MESH_SHARES[name], rel=0.003), name


def exact_distance(points: np.ndarray, centre, half) -> np.ndarray:
    """Distance of points from an ellipsoid (half: columns are the half axes), negative inside: the foot of the normal
    by bisection of sum (a y / (t + a^2))^2 = 1."""
    axes = np.linalg.norm(half, axis=0)
    local = (points - centre) @ (half / axes)
    low = np.full(len(points), -(axes.min() ** 2) * (1 - 1e-9))
    high = np.full(len(points), np.linalg.norm(local, axis=1).max() * axes.max() * 2 + axes.max() ** 2)
    for _ in range(80):
        t = (low + high) / 2
        value = ((axes * local / (t[:, None] + axes**2)) ** 2).sum(axis=1)
        low, high = np.where(value > 1, t, low), np.where(value > 1, high, t)
    foot = axes**2 * local / (t[:, None] + axes**2)
    return np.sign((local / axes) ** 2 @ np.ones(3) - 1) * np.linalg.norm(local - foot, axis=1)


CUT_FROM = {"NeckUpper": "Neck", "Sternum": "Chest", "AbdomenFront": "Abdomen"}
"""Bodies of the tissue to the body of the skin whose frame they share."""


def skin_and_union(result, points_per_body=120):
    """(distance of skin points from the union, how far points of the union stand out of the skin), m, in the mesh's
    pose, of the left half without the shod feet."""
    rng = np.random.default_rng(1)
    pieces = cutting.cut(skin_of(result.shape))
    triangles = {b: pieces.skin(b) for b in pieces.triangles}
    blobs = []
    for body in result.model.bodies:
        stem = body.name if body.name in cutting.CENTRAL else CUT_FROM.get(body.name, body.name[:-1])
        frame, left = result.frames[stem], not body.name.endswith("R")
        flip = np.diag([1.0, 1.0 if left else -1.0, 1.0])
        for ellipsoid in body.ellipsoids:
            at = flip @ np.array(ellipsoid.position)
            half = flip @ np.array(ellipsoid.orientation) @ np.diag(ellipsoid.semi_axes)
            blobs.append((stem, flip @ (frame.turn.T @ at + frame.joint), flip @ frame.turn.T @ half))
    area = {
        b: np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1)
        for b, t in triangles.items()
    }
    total = sum(a.sum() for a in area.values())
    skin = []
    for body, t in triangles.items():
        if body != "Foot":
            chosen = rng.choice(
                len(t), int(14 * points_per_body * area[body].sum() / total), p=area[body] / area[body].sum()
            )
            skin.append(t[chosen].mean(axis=1))
    skin = np.concatenate(skin)
    away = np.min([exact_distance(skin, c, h) for _, c, h in blobs], axis=0)
    corners = np.concatenate(list(triangles.values()))
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-15)
    tree = cKDTree(corners.mean(axis=1))
    out = []
    for body, c, h in blobs:
        unit = rng.normal(size=(60, 3))
        surface = c + (unit / np.linalg.norm(unit, axis=1, keepdims=True)) @ h.T
        surface = surface[surface[:, 1] > 0.0]
        if body == "Foot" or not len(surface):
            continue
        inside = (
            np.min([exact_distance(surface, c2, h2) for b2, c2, h2 in blobs if c2 is not c], axis=0) < -0.002
        )
        surface = surface[~inside]
        _, row = tree.query(surface)
        out.append(np.einsum("ij,ij->i", surface - corners.mean(axis=1)[row], normal[row]))
    return np.abs(away), np.maximum(np.concatenate(out), 0.0)


@pytest.mark.long
@pytest.mark.parametrize("person", [OBESE, OLD, CHILD], ids=str)
def test_ellipsoids_lie_on_the_skin(made, person):
    away, out = skin_and_union(made(person))
    assert np.percentile(away, 95) < 0.012
    assert np.percentile(out, 95) < 0.012
    # stated is the fit's; what stands back afterwards for chest and abdomen to give adds up to 2.6 mm (docs/people.md)
    assert made(person).error.skin_95 == pytest.approx(np.percentile(away, 95), abs=0.003)
    assert any("95 % below" in note for note in made(person).model.notes)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ellipsoids_of_all_reference_people_lie_on_the_skin():
    """The worst is printed; a start from nothing is no better than the stored one by much."""
    worst = None
    for person in (
        *fit_layout.REFERENCE_PEOPLE,
        Person(1, 50, 1.75, 150),
        Person(0, 90, 1.50, 42),
        Person(1, 22, 1.95, 98, 1),
    ):
        error = make_person(person).error
        assert error.skin_95 < 0.012, (person, str(error))
        assert error.outside_95 < 0.012, (person, str(error))
        worst = max(
            worst or (error.skin_95, person, error), (error.skin_95, person, error), key=lambda row: row[0]
        )
    print(f"worst: {worst[1]}: {worst[2]}")
    stored = fit_layout.stored_fits()[0]
    again, _ = fit_from_nothing(stored.person)
    assert again.blobs.centre == pytest.approx(stored.blobs.centre, abs=0.003)


def test_joints_of_mesh_and_model_coincide(made):
    result = made(OLD)
    places = body_transforms(result.model)
    for body, frame in result.frames.items():
        name = body if body in cutting.CENTRAL else body + "L"
        assert places[name][:3, 3] == pytest.approx(frame.origin, abs=1e-9), body
    for body, point in (
        ("Shank", "l-knee"),
        ("Forearm", "l-elbow"),
        ("head", "head"),
        ("UpperArm", "l-shoulder"),
    ):
        assert result.frames[body].joint == pytest.approx(result.shape.joint(point), abs=1e-12)
        placed = result.frames[body].place(result.shape.joint(point))
        assert placed == pytest.approx(result.frames[body].origin, abs=1e-12)


@pytest.mark.parametrize("person", [MAN, WOMAN, CHILD, OBESE], ids=str)
def test_hip_joints_lie_where_computed_tomography_has_them(made, person):
    """Hara et al. 2016, typed again: 8 mm + 0.086 L from the middle, 9 mm + 0.078 L below the iliac spines, L from
    there to the ankle; errors of 4.4 mm. The rig's bone and the joint of the model are the same point."""
    result = made(person)
    hip, knee, ankle = (result.frames[body].origin for body in ("Thigh", "Shank", "Foot"))
    leg = spine_to_ankle = np.linalg.norm(hip - knee) + np.linalg.norm(knee - ankle)
    for _ in range(50):
        spine_to_ankle = leg + 0.009 + 0.078 * spine_to_ankle
    assert hip[1] == pytest.approx(0.008 + 0.086 * spine_to_ankle, abs=0.001)
    assert result.frames["Thigh"].joint == pytest.approx(result.shape.joint("l-upper-leg"), abs=1e-12)


@pytest.mark.parametrize("muscle", ["adductor_magnus", "gluteus_medius_middle"])
def test_muscles_of_made_people_have_published_moment_arms_at_the_hip(made, muscle):
    """3 to 8 cm about the axis to the front (Delp et al. 1990); 93 mm with the hips of the mesh."""
    arms = MomentArms(person_with_muscles(made(MAN)))
    arms.place((), 0.0)
    assert 0.03 < abs(arms.moment_arm(f"{muscle}_l", (Turn("hiplJnt", (1.0, 0.0, 0.0)),))) < 0.08


@pytest.mark.parametrize("person", [MAN, WOMAN, CHILD], ids=str)
def test_hard_surfaces_stay_where_their_bones_are(made, person):
    """The knee's ends at the head of the fibula, the trunk's at shoulder height inside the head of the humerus."""
    result = made(person)
    model, at = result.model, body_transforms(result.model)
    shapes = {e.name: (c, np.linalg.norm(h, axis=1)) for _, e, c, h in ellipsoid_shapes(model, at)}
    low = shapes["knee_l"][0][2] - shapes["knee_l"][1][2]
    assert low > at["ShankL"][2, 3] - 0.041 * person.height
    assert shapes["upper_thoracic"][1][1] < at["UpperArmL"][1, 3] - 0.013 * person.height


def test_a_person_stands_on_the_ground_at_full_height(made):
    for person in (OLD, CHILD):
        result = made(person)
        shapes = ellipsoid_shapes(result.model, body_transforms(result.model))
        low = min(c[2] - np.linalg.norm(h, axis=1)[2] for _, _, c, h in shapes)
        high = max(c[2] + np.linalg.norm(h, axis=1)[2] for _, _, c, h in shapes)
        assert low == pytest.approx(0.0, abs=1e-9)
        assert high == pytest.approx(person.height, abs=0.012)
        feet = [c[2] - np.linalg.norm(h, axis=1)[2] for body, _, c, h in shapes if body == "FootL"]
        assert feet == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


LYING = {
    "head": ("head",),
    "trunk": ("UpperBack", "Chest", "Clavicle", "LowerBack", "Abdomen"),
    "buttocks": ("pelvis", "Thigh"),
    "calf": ("Shank",),
}


@pytest.mark.parametrize("person", [OLD, CHILD], ids=str)
def test_lying_on_the_back_picture_and_contact_are_within_10_mm(made, person):
    """How far skin and ellipsoids reach backward, per part of the body that rests on flat ground; soles are above."""
    result = made(person)
    pieces = cutting.cut(skin_of(result.shape))
    shapes = ellipsoid_shapes(result.model, body_transforms(result.model))
    for part, bodies in LYING.items():
        skin = min(
            result.frames[b].place(corner)[0] for b in bodies for corner in pieces.skin(b).reshape(-1, 3)
        )
        own = {b if b in cutting.CENTRAL else f"{b}L" for b in bodies}
        contact = min(c[0] - np.linalg.norm(h[0]) for body, _, c, h in shapes if body in own)
        assert contact == pytest.approx(skin, abs=0.010), part


BACK, FRONT, SIDE = (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
RESTS_ON = {
    BACK: ("head", "UpperBack", "LowerBack", "pelvis", "Thigh", "Shank"),
    FRONT: ("Chest", "Abdomen", "pelvis", "Thigh", "Shank"),
    SIDE: ("UpperArm", "Forearm", "Thigh", "Shank"),
}
"""Direction to the bodies on which somebody rests who lies on that side. Nose and ears are left out: they are soft. On
the side the arm lies before the flank and the hand beside the thigh, and an instep is in its shoe."""


def union_at(shapes, point, way):
    """How far the ellipsoids together reach along a unit vector on the line through a point, m: the ends of the line in
    each."""
    ends = []
    for _, _, centre, half in shapes:
        away, step = np.linalg.solve(half, point - centre), np.linalg.solve(half, way)
        a, b, c = step @ step, step @ away, away @ away - 1.0
        if b * b >= a * c:
            ends.append(way @ point + (-b + np.sqrt(b * b - a * c)) / a)
    return max(ends)


ARMS = ("Clavicle", "UpperArm", "Forearm", "Hand")


def contact_beyond_skin(result, body, way):
    """m by which contact lies outside the skin of a body where that reaches furthest along a unit vector. Hands hang
    beside the thighs and are not there when somebody lies on the side: legs are held against all but the arms."""
    pieces = cutting.cut(skin_of(result.shape))
    shapes = ellipsoid_shapes(result.model, body_transforms(result.model))
    if body in ("Thigh", "Shank"):
        shapes = [shape for shape in shapes if not shape[0].startswith(ARMS)]
    frame = result.frames[body]
    skin = frame.place(pieces.skin(body).reshape(-1, 3))
    if body == "Shank":
        instep = result.frames["Foot"].origin[2] + 0.05 * result.person.height
        skin = skin[skin[:, 2] > instep]
    end = skin[(skin @ way).argmax()]
    return union_at(shapes, end, way) - way @ end


@pytest.mark.parametrize(
    ("person", "ways"),
    [(MAN, (BACK, FRONT, SIDE)), (WOMAN, (BACK, FRONT, SIDE)), (OLD, (BACK, FRONT, SIDE)),
     (CHILD, (BACK, FRONT, SIDE)), (STOUT, (BACK, FRONT, SIDE)), (OBESE, (BACK, SIDE)), (HEAVY, (BACK, SIDE))],
    ids=lambda value: "" if isinstance(value, tuple) else str(value),
)  # fmt: skip
def test_lying_people_are_in_contact_where_the_picture_is_within_10_mm(made, person, ways):
    """Where a body's skin reaches furthest, against all ellipsoids: a knee's skin lies on the thigh's, for one."""
    beside = ("Forearm",) if person in (OBESE, HEAVY) else ()  # lies before the hip
    for way in ways:
        for body in RESTS_ON[way]:
            if body not in beside:
                assert abs(contact_beyond_skin(made(person), body, np.array(way))) < 0.010, (body, way)


@pytest.mark.parametrize(
    ("person", "body", "way"),
    [(OBESE, "Thigh", FRONT), (HEAVY, "Thigh", FRONT), (OBESE, "Shank", FRONT)],
    ids=str,
)
def test_what_misses_10_mm_stays_below_15(made, person, body, way):
    """The groin under a belly, and a heavy man's shin (docs/people.md)."""
    assert abs(contact_beyond_skin(made(person), body, np.array(way))) < 0.015


# m across the deltoids of hanging arms: soldiers of ANSUR II, typed again.
@pytest.mark.parametrize(
    ("person", "breadth"), [(Person(1, 30, 1.756, 85.5), 0.510), (Person(0, 29, 1.628, 67.8), 0.450)], ids=str
)
def test_shoulders_are_as_broad_as_published(made, person, breadth):
    """And the joint lies inside half the biacromial breadth, 416 and 365 mm, by less than 25 mm; clavicles are joined
    to it. Contact is as broad as the skin."""
    result = made(person)
    skin = cutting.cut(skin_of(result.shape)).skin("UpperArm").reshape(-1, 3)
    assert 2 * result.frames["UpperArm"].place(skin)[:, 1].max() == pytest.approx(breadth, abs=0.005)
    inside = {1.0: 0.208, 0.0: 0.1825}[person.sex] - result.frames["UpperArm"].origin[1]
    assert 0.0 < inside < 0.025
    assert abs(contact_beyond_skin(result, "UpperArm", np.array(SIDE))) < 0.010


def test_children_of_six_keep_the_shoulders_of_the_data(made):
    assert shoulders.widening(1.0, CHILD.age) == 0.0
    assert (
        0.0 < shoulders.widening(1.0, 12.0) < shoulders.widening(1.0, 18.0) == shoulders.widening(1.0, 80.0)
    )


@pytest.mark.parametrize("person", [MAN, WOMAN], ids=str)
def test_a_hip_is_struck_as_a_hip(made, person):
    """Nothing with the thigh's curve reaches above the hip joint (but of the stout, by 26 mm of this woman), and what
    stands out furthest to the side at its height has the hip's."""
    model = made(person).model
    at = body_transforms(model)
    hip = at["ThighL"][2, 3]
    shapes = [(e, c, np.linalg.norm(h, axis=1)) for _, e, c, h in ellipsoid_shapes(model, at)]
    legs = [(e, c, half) for e, c, half in shapes if e.material in ("pelvis", "thigh")]
    assert all(c[2] + half[2] < hip + 0.027 for e, c, half in legs if e.material == "thigh")
    outer = max((c[1] + half[1], e.material) for e, c, half in legs if abs(c[2] - hip) < 0.5 * half[2])
    assert outer[1] == "pelvis"


def test_what_is_one_flesh_is_said_in_the_model(made):
    """Hip and thigh share; what slides on a spring of its own (sternum, front of the abdomen) stands alone."""
    word = {body.name: body.flesh for body in made(MAN).model.bodies}
    assert word["pelvis"] == word["ThighL"] == word["ShankR"] != ""
    assert word["ClavicleL"] == word["UpperArmL"] != word["ClavicleR"]
    assert word["Sternum"] == word["AbdomenFront"] == word["head"] == ""


def reach(shape, axis, sign):
    """How far a surface reaches along an axis of its body, m."""
    half = np.linalg.norm(np.array(shape.orientation[axis]) * shape.semi_axes)
    return sign * shape.position[axis] + half


@pytest.mark.parametrize("person", [OLD, CHILD], ids=str)
def test_fronts_of_the_trunk_do_not_reach_up_behind_each_other(made, person):
    """A blow to the chest shall not meet the abdomen's front as well, one to the abdomen not the pelvis': their
    surfaces end a fortieth of stature above their skin, which ends where the next body begins."""
    model = made(person).model
    at = body_transforms(model)
    shapes = {s.name: at[b.name][2, 3] + reach(s, 2, 1.0) for b in model.bodies for s in b.ellipsoids}
    assert shapes["abdomen"] < at["UpperBack"][2, 3] + 0.026 * person.height
    assert shapes["pelvis"] < at["LowerBack"][2, 3] + 0.026 * person.height


def test_a_disc_meets_the_flesh_of_the_chest_once():
    """Closed form: a plate pressed by d into surfaces with fronts behind the first by g_i meets k share (d - g_i) of
    each, together k d; one surface has all of it."""
    fronts = (0.20, 0.197, 0.19, 0.15)
    shapes = [Ellipsoid("", (0.04, 0.1, 0.1), position=(front - 0.04, 0.0, 0.0)) for front in fronts]
    share = flesh_share(shapes, 0.010)
    assert sum(share * max(0.0, 0.010 - (0.20 - front)) for front in fronts) == pytest.approx(0.010)
    assert flesh_share(shapes[:1], 0.010) == 1.0
    assert flesh_share([shapes[0]] * 3, 0.010) == pytest.approx(1.0 / 3.0)


@pytest.mark.parametrize("degrees", [0.0, 25.0, 90.0])
def test_a_surface_that_stands_back_keeps_its_back(degrees):
    """Turned surfaces too: the front stands back by what is asked, the back and the height stay."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turned = ((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c))
    shape = Ellipsoid("back", (0.08, 0.15, 0.12), position=(0.01, 0.0, 0.1), orientation=turned)
    body = Body("UpperBack", 1.0, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), ellipsoids=[shape])
    front = Ellipsoid("front", (0.03, 0.1, 0.1), position=(reach(shape, 0, 1.0) - 0.03, 0.0, 0.1))
    stand_back(Model("m", [body], []), ("UpperBack",), front, 0.05)
    (found,) = body.ellipsoids
    assert reach(found, 0, 1.0) == pytest.approx(reach(shape, 0, 1.0) - 0.05)
    for axis, sign in ((0, -1.0), (1, 1.0), (2, 1.0), (2, -1.0)):
        assert reach(found, axis, sign) == pytest.approx(reach(shape, axis, sign)), axis


@pytest.mark.parametrize("person", [OLD, CHILD], ids=str)
def test_the_side_of_the_skull_stands_out_before_the_temple(made, person):
    """Bones of the face are narrower than the skull, and ears are soft: a blow to the side meets the skull."""
    head = next(body for body in made(person).model.bodies if body.name == "head")
    side = {shape.name: reach(shape, 1, 1.0) for shape in head.ellipsoids}
    assert side["temple_l"] < 0.93 * side["parietal_l"]


def test_limbs_keep_to_their_bodies_when_joints_bend(made):
    """What an ellipsoid reaches beyond its body's own skin along the limb sticks out of a bent joint: not more than a
    fortieth of stature."""
    result = made(OLD)
    pieces = cutting.cut(skin_of(result.shape))
    bodies = {body.name: body for body in result.model.bodies}
    for stem in ("UpperArm", "Forearm", "Hand", "Thigh", "Shank"):
        frame = result.frames[stem]
        along = ((pieces.skin(stem).reshape(-1, 3) - frame.joint) @ frame.turn.T)[:, 2]
        for shape in bodies[f"{stem}L"].ellipsoids:
            half = np.linalg.norm(np.array(shape.orientation[2]) * shape.semi_axes)
            assert shape.position[2] + half < along.max() + 0.026 * OLD.height, shape.name
            assert shape.position[2] - half > along.min() - 0.026 * OLD.height, shape.name


def test_heads_have_regions_as_the_shipped_people(made):
    """Sides answer softer than forehead, crown and occiput, and the jaw otherwise than the face."""
    head = next(body for body in made(CHILD).model.bodies if body.name == "head")
    found = {shape.name: shape.material for shape in head.ellipsoids}
    shipped = next(body for body in load_model("male").bodies if body.name == "head")
    assert {shape.name: shape.material for shape in shipped.ellipsoids}.items() <= found.items()
    front = {s.name: s.position[0] for s in head.ellipsoids}
    assert front["face"] > front["temple_l"] == front["temple_r"] > front["nape"]


def test_both_sides_are_alike_to_the_bit(made):
    bodies = {body.name: body for body in made(OBESE).model.bodies}
    for name, left in bodies.items():
        if not name.endswith("L"):
            continue
        right = bodies[name[:-1] + "R"]
        assert right.mass == left.mass
        x, y, z = left.center_of_mass
        assert right.center_of_mass == (x, -y, z)
        for a, b in zip(left.ellipsoids, right.ellipsoids, strict=True):
            assert b.semi_axes == a.semi_axes
            assert b.position == (a.position[0], -a.position[1], a.position[2])
            flip = np.diag([1.0, -1.0, 1.0])
            assert np.array_equal(np.array(b.orientation), flip @ np.array(a.orientation) @ flip)
    for name in cutting.CENTRAL:
        assert bodies[name].center_of_mass[1] == 0.0


def test_the_names_are_those_of_the_shipped_people(made):
    shipped, person = load_model("male"), made(DE_LEVA_MAN).model
    assert {body.name for body in person.bodies} == {body.name for body in shipped.bodies}
    assert [joint.name for joint in person.joints] == [joint.name for joint in shipped.joints]
    assert {m.name for m in person.materials} == {m.name for m in shipped.materials}


def test_edited_twice_is_made_at_once(made):
    first = Person(0, 30, 1.60, 55)
    edited = dataclasses.replace(dataclasses.replace(first, age=78, height=1.56), mass=52)
    assert same_model(make_person(edited).model, made(OLD).model)


def test_files_round_trip(made, tmp_path):
    model = made(CHILD).model
    write_model(model, tmp_path / "child.json")
    assert same_model(read_model(tmp_path / "child.json"), model)


def test_the_old_bend_less_and_are_weaker():
    young, old = Person(1, 30, 1.75, 75), Person(1, 80, 1.75, 75)
    for motion in ageing.MEASURED_RANGES:
        assert ageing.range_factor(motion, old) < ageing.range_factor(motion, young), motion
    assert ageing.range_factor("hip flexion", Person(1, 32, 1.75, 75)) == pytest.approx(1.0)
    # Knee extensors of people of 70 to 80 years are 20 to 40 % weaker than at 20 to 40 (cross-sectional studies).
    assert 0.60 < ageing.strength(old) / ageing.strength(young) < 0.80
    # Women have about half to two thirds of men's strength, a boy of six far less.
    assert 0.45 < ageing.strength(Person(0, 30, 1.63, 60)) / ageing.strength(young) < 0.75
    assert ageing.strength(CHILD) < 0.25


def test_muscles_come_along(made):
    for person in (OLD, DE_LEVA_MAN):
        model = person_with_muscles(made(person))
        assert len(model.muscles) == 36  # 18 of each side: leg, hip and neck
        assert not [issue for issue in validate(_fall(made(person), model)) if issue.severity == "error"]
    force = {p: person_with_muscles(made(p)).muscles[0].max_isometric_force for p in (OLD, DE_LEVA_MAN)}
    assert 0.3 < force[OLD] / force[DE_LEVA_MAN] < 0.7


def _fall(result, model=None):
    base = read_scenario(scenario_path("fall_standing"))
    actor = dataclasses.replace(
        base.actors[0],
        model=model or result.model,
        person=result.person,
        model_reference="",
        position=(0, 0, 0),
    )
    return dataclasses.replace(base, actors=[place_on_ground(actor, 0.0)])


@pytest.mark.long
@pytest.mark.parametrize("person", [OBESE, OLD, CHILD, TODDLER], ids=str)
def test_they_fall_from_standing_with_closed_energy_books(made, person):
    recording = run(_fall(made(person)))
    energy = dict(zip(ENERGY_TERMS, recording.energy.T, strict=True))
    exchanged = np.ptp(energy["kinetic"]) + np.ptp(energy["gravity"])
    assert np.abs(energy["residual"]).max() < 0.01 * exchanged
    head = recording.body_names.index("head")
    assert recording.position[-1, head, 2] < 0.5 * recording.position[0, head, 2]
