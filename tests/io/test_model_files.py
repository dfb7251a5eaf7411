"""Model files: bytes, round trips, and what the keys mean."""

import copy
import dataclasses
import json
import re

import numpy as np
import pytest
from full_specs import TURNED4, Filler, full_model, small_model
from hypothesis import given, settings
from hypothesis import strategies as st

from mannequin.engine import spec
from mannequin.io_json import model_json, openmbd_rules
from mannequin.io_json.errors import FileError
from mannequin.io_json.resolve import SHIPPED_FOLDER
from mannequin.io_json.transforms import is_inverse, rigid_inverse

IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def plain_document(**changes):
    """A small OpenMBD file as parsed JSON."""
    ellipsoid = {
        "name": "e",
        "dimensions": [0.3, 0.02, 0.3],
        "local_position": [0, 0, 0],
        "local_orientation": IDENTITY,
        "force_curve": [[0, 0], [0.01, 100]],
    }
    body = {
        "mass": 2,
        "inertia": [1, 1, 1, 0, 0, 0],
        "center_of_mass": [0, 0, 0.5],
        "ellipsoids": [ellipsoid],
    }
    document = {
        "name": "two",
        "bodies": {"a": copy.deepcopy(body), "b": copy.deepcopy(body)},
        "joints": [
            {"name": "root", "type": "free", "parent": "GROUND", "child": "a"},
            {"name": "axle", "type": "revolute", "parent": "a", "child": "b"},
        ],
    }
    for joint in document["joints"]:
        joint |= {"T1": IDENTITY, "T2": IDENTITY, "T2_inv": IDENTITY}
    return document | changes


def read(document) -> spec.Model:
    return model_json.loads(json.dumps(document))


# ---------------------------------------------------------------- bytes


def test_the_male_comes_back_byte_for_byte(openmbd, tmp_path):
    original = openmbd / "openmbd_male.json"
    model_json.write_model(model_json.read_model(original), tmp_path / "out.json")
    assert (tmp_path / "out.json").read_bytes() == original.read_bytes()


def test_the_bicycle_comes_back_but_for_one_bracket(openmbd):
    """One closing bracket of the original is indented wrongly; every other character is the same."""
    original = (openmbd / "openmbd_bicycle.json").read_text()
    written = model_json.dumps(model_json.loads(original))
    assert re.sub(r"\s", "", written) == re.sub(r"\s", "", original)
    assert [line.strip() for line in written.splitlines()] == [line.strip() for line in original.splitlines()]
    assert sum(a != b for a, b in zip(written.splitlines(), original.splitlines(), strict=True)) == 1
    assert model_json.dumps(model_json.loads(written)) == written


def shipped_model_files():
    return [
        path for path in sorted(SHIPPED_FOLDER.rglob("*.json")) if "bodies" in json.loads(path.read_bytes())
    ]


@pytest.mark.parametrize("path", shipped_model_files(), ids=lambda path: path.name)
def test_shipped_models_come_back_byte_for_byte(path):
    text = path.read_text(encoding="utf-8")
    assert model_json.dumps(model_json.loads(text)) == text


@pytest.mark.parametrize("end", ["", "\n"])
def test_the_line_end_after_the_last_bracket_survives(end):
    text = json.dumps(plain_document(), indent=2) + end
    assert model_json.dumps(model_json.loads(text)) == text


def test_an_odd_order_of_keys_and_empty_values_survive():
    document = plain_document(description="", extra={"a": 1})
    document = dict(reversed(document.items()))
    document["bodies"]["a"] = dict(reversed(document["bodies"]["a"].items()))
    document["joints"][0] = {"note": ""} | document["joints"][0]
    text = json.dumps(document, indent=2)
    assert model_json.dumps(model_json.loads(text)) == text


def test_the_form_of_matrices_and_numbers_survives():
    document = plain_document(height_cm=175, units=plain_document().get("units", {}))
    document["bodies"]["a"]["ellipsoids"][0]["local_orientation"] = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1]]
    document["joints"][1]["T2_inv"] = [[1.0, 0, 0, 1e-9], [0, 1, 0, 0], [0, 0, 1, -0.0], [0, 0, 0, 1]]
    text = json.dumps(document, indent=2)
    assert model_json.dumps(model_json.loads(text)) == text


def test_a_changed_value_is_not_written_in_its_old_form():
    document = plain_document(height_cm=175)
    document["bodies"]["a"]["ellipsoids"][0]["local_orientation"] = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1]]
    model = read(document)
    model.height = 1.5
    model.bodies[0].ellipsoids[0].orientation = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    model.joints[1].T2 = TURNED4
    again = model_json.loads(model_json.dumps(model))
    assert again.height == 1.5
    assert again.bodies[0].ellipsoids[0].orientation == ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    assert again.joints[1].T2 == TURNED4


# ---------------------------------------------------------------- round trips


def test_every_field_survives():
    model = full_model()
    text = model_json.dumps(model)
    assert model_json.loads(text) == model
    assert model_json.dumps(model_json.loads(text)) == text


def places(model):
    return {
        spec.Model: model,
        spec.Body: model.bodies[0],
        spec.Ellipsoid: model.bodies[0].ellipsoids[0],
        spec.Joint: model.joints[1],
    }


@pytest.mark.parametrize(
    ("cls", "name"),
    [
        (cls, field.name)
        for cls in (spec.Model, spec.Body, spec.Ellipsoid, spec.Joint)
        for field in dataclasses.fields(cls)
        if (cls, field.name) not in ((spec.Model, "bodies"), (spec.Model, "joints"), (spec.Body, "name"))
    ],
)
def test_each_field_survives_alone(cls, name):
    """So that no field depends on another to get the extension written."""
    model, full = small_model(), places(full_model())
    setattr(places(model)[cls], name, getattr(full[cls], name))
    assert model_json.loads(model_json.dumps(model)) == model


def test_values_that_the_plain_keys_cannot_say_in_full_survive():
    model = small_model()
    model.height = 1.0 / 3.0
    model.sources = ["first", "second"]
    document = json.loads(model_json.dumps(model))
    assert document["source"] == "first"
    assert model_json.loads(json.dumps(document)) == model


def test_a_model_without_extension_data_reads_back_without_notes():
    model = small_model()
    assert model_json.loads(model_json.dumps(model)).notes == []


def test_numpy_numbers_are_written():
    model = small_model()
    model.bodies[0].mass = np.float64(3.5)
    model.bodies[0].center_of_mass = np.array([1.0, 2.0, 3.0])
    body = model_json.loads(model_json.dumps(model)).bodies[0]
    assert (body.mass, body.center_of_mass) == (3.5, (1.0, 2.0, 3.0))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "1", True])
def test_a_model_that_cannot_be_written_says_where(value):
    model = small_model()
    model.bodies[1].mass = value
    with pytest.raises(FileError) as caught:
        model_json.dumps(model)
    assert caught.value.place == "/bodies/body b/mass"


def test_two_bodies_of_one_name_are_not_written():
    model = small_model()
    model.bodies[1].name = "body a"
    with pytest.raises(FileError, match="two bodies are named 'body a'"):
        model_json.dumps(model)


# ---------------------------------------------------------------- without the extension


def keys_openmbd_reads(document):
    """Go through a file as OpenMBD's parser does (keys it takes without asking), and return masses and curves."""
    found = []
    for body in document["bodies"].values():
        assert len(body["inertia"]) == 6
        assert np.shape(body["center_of_mass"]) == (3,)
        for ellipsoid in body.get("ellipsoids", []):
            assert np.shape(ellipsoid["dimensions"]) == (3,)
            assert np.shape(ellipsoid["local_orientation"]) == (4, 4)
            assert np.shape(ellipsoid["local_position"]) == (3,)
            found.append((body["mass"], ellipsoid["name"], ellipsoid.get("force_curve")))
    for joint in document["joints"]:
        product = np.array(joint["T2"], float) @ np.array(joint["T2_inv"], float)
        np.testing.assert_allclose(product, np.eye(4), atol=1e-12)
        assert np.shape(joint["T1"]) == (4, 4)
        assert joint["parent"] == "GROUND" or joint["parent"] in document["bodies"]
        assert joint["child"] in document["bodies"]
    return found


def test_a_plain_file_has_what_openmbd_needs_and_nothing_of_ours():
    text = model_json.dumps(full_model(), extensions=False)
    assert "mannequin" not in text
    assert keys_openmbd_reads(json.loads(text))


def test_a_plain_file_carries_the_curves_of_materials():
    model = small_model()
    model.materials = [spec.Material("skin", loading=((0, 0), (0.02, 500)))]
    model.bodies[0].ellipsoids[0].force_curve = ()
    model.bodies[0].ellipsoids[0].material = "skin"
    document = json.loads(model_json.dumps(model, extensions=False))
    assert keys_openmbd_reads(document) == [(1.0, "ball", [[0, 0], [0.02, 500]])]
    assert model.bodies[0].ellipsoids[0].force_curve == ()


def test_what_is_lost_without_the_extension_is_named():
    model = small_model()
    model.joints[1].damping = 3.0
    model.materials = [spec.Material("skin")]
    assert model_json.lost_without_extensions(model) == ["model: materials", "joint 'hinge': damping"]


# ---------------------------------------------------------------- what the keys mean


def test_ground_is_no_parent():
    assert read(plain_document()).joints[0].parent is None


@pytest.mark.parametrize("alias", ["cg", "center_of_mass", "center_of_gravity", "com"])
def test_the_centre_of_mass_has_four_names(alias):
    document = plain_document()
    document["bodies"]["a"][alias] = document["bodies"]["a"].pop("center_of_mass")
    model = read(document)
    assert model.bodies[0].center_of_mass == (0, 0, 0.5)
    written = json.loads(model_json.dumps(model))
    assert written["bodies"]["a"]["center_of_mass"] == [0, 0, 0.5]


def test_two_different_centres_of_mass_are_refused():
    document = plain_document()
    document["bodies"]["a"]["cg"] = [1, 0, 0]
    with pytest.raises(FileError, match="twice and differently: cg and center_of_mass"):
        read(document)


def test_products_of_inertia_of_the_other_sign_are_turned():
    """A point mass at (x, y, z): products are m x y and so on, matrix elements are minus these."""
    x, y, z, m = 0.1, 0.2, 0.3, 2.0
    diagonal = [m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y)]
    products = [m * x * y, m * y * z, m * x * z]
    document = plain_document()
    document["bodies"]["a"]["inertia"] = diagonal + products
    expected = read(document).bodies[0].inertia
    document["bodies"]["a"]["inertia"] = diagonal + [-p for p in products]
    document["mannequin"] = {"format": 1, "inertia_sign": "matrix"}
    model = read(document)
    assert model.bodies[0].inertia == expected
    assert model_json.loads(model_json.dumps(model)).bodies[0].inertia == expected


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=6, max_size=6))
def test_the_inverse_transform(numbers):
    from scipy.spatial.transform import Rotation

    transform = np.eye(4)
    transform[:3, :3] = Rotation.from_rotvec(numbers[:3]).as_matrix()
    transform[:3, 3] = numbers[3:]
    np.testing.assert_allclose(rigid_inverse(transform.tolist()), np.linalg.inv(transform), atol=1e-12)
    assert is_inverse(transform.tolist(), np.linalg.inv(transform).tolist())


@pytest.mark.parametrize(
    "wrong",
    [
        [[1, 0, 0, 0.001], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        [[1e308, 1e308, 0, 0], [1e308, 1e308, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
    ],
)
def test_a_wrong_inverse_names_the_joint(wrong):
    document = plain_document()
    document["joints"][1]["T2_inv"] = wrong
    with pytest.raises(FileError, match="not the inverse of T2 of the joint 'axle'") as caught:
        read(document)
    assert caught.value.place == "/joints/1/T2_inv"


def test_a_scaled_transform_is_no_transform():
    document = plain_document()
    document["joints"][1]["T2"] = [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]
    document["joints"][1]["T2_inv"] = [[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 1]]
    with pytest.raises(FileError, match="not the inverse"):
        read(document)


# ---------------------------------------------------------------- OpenMBD's rules


@pytest.mark.parametrize("kind", ["fixed", "spherical"])
def test_a_root_becomes_free_in_plain_files_only(kind):
    document = plain_document()
    document["joints"][0]["type"] = kind
    text = json.dumps(document, indent=2)
    model = model_json.loads(text)
    assert model.joints[0].type == "free"
    assert any("'root'" in note and "free" in note for note in model.notes)
    assert model_json.dumps(model) == text
    assert read(document | {"mannequin": {"format": 1}}).joints[0].type == kind


def test_a_tree_without_root_floats():
    document = plain_document()
    del document["joints"][0]
    text = json.dumps(document, indent=2)
    model = model_json.loads(text)
    assert [(j.type, j.parent, j.child) for j in model.joints] == [
        ("revolute", "a", "b"),
        ("free", None, "a"),
    ]
    assert model_json.dumps(model) == text
    model.joints[0].damping = 1.0
    assert len(model_json.loads(model_json.dumps(model)).joints) == 2


def test_bicycle_wheels_turn_about_their_axles(openmbd):
    model = model_json.read_model(openmbd / "openmbd_bicycle.json")
    wheels = [joint for joint in model.joints if joint.type == "revolute"]
    assert len(wheels) == 2
    for joint in wheels:
        assert joint.axis == (0, 1, 0)
        assert any(repr(joint.name) in note and "axle" in note for note in model.notes)
    assert model_json.loads(model_json.dumps(model)) == model


def test_the_axle_of_a_turned_wheel_is_found_in_the_joint_frame():
    """The disc's thin axis in the child frame must be T2's rotation times the axis found."""
    document = plain_document()
    turn = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    document["bodies"]["b"]["ellipsoids"][0]["local_orientation"] = turn.tolist()
    T2 = np.array(TURNED4)
    document["joints"][1] |= {"T2": T2.tolist(), "T2_inv": rigid_inverse(TURNED4)}
    axis = np.array(read(document).joints[1].axis)
    thin = turn[:, 1]
    assert abs(T2[:3, :3] @ axis @ thin) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("dimensions", [[0.3, 0.2, 0.3], [0.1, 0.3, 0.02], [0.1, 0.1, 0.1]])
def test_what_is_no_disc_turns_about_z(dimensions):
    document = plain_document()
    document["bodies"]["b"]["ellipsoids"][0]["dimensions"] = dimensions
    model = read(document)
    assert model.joints[1].axis == (0, 0, 1)
    assert any("turns about z" in note for note in model.notes)


def test_unused_keys_are_kept_and_noted():
    document = plain_document(contact_pairs=[{"body1": "a"}])
    document["joints"][0]["initial_velocity"] = [11.1, 0, 0]
    model = read(document)
    assert sum("not used" in note for note in model.notes) == 2
    written = json.loads(model_json.dumps(model))
    assert written["contact_pairs"] == [{"body1": "a"}]
    assert written["joints"][0]["initial_velocity"] == [11.1, 0, 0]


def test_an_ellipsoid_without_curve_gets_openmbds():
    document = plain_document()
    del document["bodies"]["a"]["ellipsoids"][0]["force_curve"]
    model = read(document)
    assert model.bodies[0].ellipsoids[0].force_curve == ((0, 0), (0.01, 10000))
    assert any("No force curve for 'e'" in note for note in model.notes)


def test_missing_limits_are_noted(openmbd):
    assert openmbd_rules.NO_LIMITS_NOTE in model_json.read_model(openmbd / "openmbd_male.json").notes


def test_the_filler_notices_a_field_it_left_alone():
    """The round-trip tests stand on this check."""
    material = Filler().fill(spec.Material)
    material.source = ""
    from full_specs import check_differs

    field = next(f for f in dataclasses.fields(spec.Material) if f.name == "source")
    with pytest.raises(AssertionError, match="Material.source"):
        check_differs(material, field)
