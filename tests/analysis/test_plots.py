"""Plots show the recording's own numbers, and come out the same every time."""

import xml.etree.ElementTree as ElementTree

import matplotlib
import numpy as np
import pytest
from synthetic_run import make_recording, make_scenario

from mannequin.analysis.plots import figures as plots
from mannequin.analysis.subjects import find_subjects
from mannequin.engine.spec import AxisLimits
from mannequin.io_json.errors import FileError


def lines(figure, axes=0):
    return {
        line.get_label(): np.asarray(line.get_ydata(), dtype=float) for line in figure.axes[axes].get_lines()
    }


def test_body_plots_show_the_recording():
    recording = make_recording(30)
    drawn = lines(plots.plot_body(recording, 1, "velocity"))
    assert np.array_equal(drawn["y"], recording.velocity[:, 1, 1])
    np.testing.assert_allclose(drawn["resultant"], np.linalg.norm(recording.velocity[:, 1], axis=1))
    drawn = lines(plots.plot_body(recording, 1, "acceleration"))
    np.testing.assert_allclose(drawn["x"] * 9.80665, recording.acceleration[:, 1, 0])


def test_joint_plot_has_the_limits_of_each_axis():
    scenario, recording = make_scenario(), make_recording(30)
    scenario.actors[0].model.joints[1].limits = AxisLimits((-10, -20, -30), (11, 22, 33))
    drawn = lines(plots.plot_joint(scenario, recording, 1))
    np.testing.assert_allclose(drawn["z"], np.degrees(recording.joint_angle[:, 1, 2]))
    assert drawn["limits z"][0] == -10 and drawn["limits x"][0] == -30
    drawn = lines(plots.plot_joint(scenario, recording, 2))
    np.testing.assert_allclose(drawn["turn"], np.degrees(2.5 * np.sin(3 * recording.times)), atol=1e-9)


def test_energy_plot_leaves_out_what_is_zero():
    recording = make_recording(30)
    figure = plots.plot_energy(recording)
    assert set(lines(figure)) == {"kinetic", "gravity (change)"}
    assert lines(figure)["gravity (change)"][0] == 0.0
    (error,) = lines(figure, 1).values()
    assert np.array_equal(error, recording.energy[:, -1])


@pytest.mark.parametrize("kind", plots.BODY_PLOTS)
def test_the_same_recording_gives_the_same_bytes(kind):
    recording = make_recording(30)
    one, two = (plots.plot_body(recording, 0, kind) for _ in range(2))
    svg = plots.svg_bytes(one)
    assert svg == plots.svg_bytes(two)
    assert plots.png_bytes(one) == plots.png_bytes(two)
    ElementTree.fromstring(svg)
    assert b"<dc:date>" not in svg


def test_settings_of_others_are_left_alone():
    before = dict(matplotlib.rcParams)
    recording = make_recording(10)
    plots.png_bytes(plots.plot_energy(recording), 40)
    plots.png_bytes(plots.plot_timeline(recording), 40)
    assert dict(matplotlib.rcParams) == before


def test_subjects_by_name():
    recording = make_recording(3)
    assert find_subjects(recording, ["head", "man/neck"]) == ([1], [1])
    with pytest.raises(FileError, match="no body or joint is named 'tail'.*pelvis"):
        find_subjects(recording, ["tail"])
