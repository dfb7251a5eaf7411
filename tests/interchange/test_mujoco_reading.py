"""MJCF files read: their accelerations are MuJoCo's own, and what is not carried over is told."""

import mujoco
import numpy as np
import pytest

from mannequin.engine import Mechanics, compile_system, run, validate
from mannequin.interchange.dispatch import read_model, read_scenario
from mannequin.interchange.mujoco import read_mjcf
from mannequin.io_json.errors import FileError

HUMANOID = """<mujoco model="small humanoid">
  <compiler angle="degree" eulerseq="xyz"/>
  <option gravity="0.3 -0.2 -9.7"/>
  <default>
    <joint damping="0"/>
    <geom density="950" friction="0.8"/>
    <default class="limb"><geom type="capsule" size="0.05" density="1100"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="pelvis" pos="0 0 1.1" euler="10 20 30">
      <freejoint name="root"/>
      <geom type="ellipsoid" size="0.12 0.18 0.1"/>
      <geom type="box" pos="0.02 0 0.15" size="0.08 0.12 0.06" euler="0 15 0"/>
      <site name="hip point" pos="0.1 0 0"/>
      <body name="trunk" pos="0 0 0.2" quat="0.9 0.1 0.2 -0.1">
        <joint name="waist" type="ball" pos="0 0 -0.05"/>
        <geom type="sphere" size="0.15" pos="0 0 0.2"/>
        <body name="arm" pos="0.02 0.2 0.3" axisangle="1 1 0 40" childclass="limb">
          <joint name="shoulder 1" axis="0 1 0.2"/>
          <joint name="shoulder 2" axis="1 0 0"/>
          <joint name="shoulder 3" axis="0 0 1"/>
          <geom fromto="0 0 0 0.02 0.05 -0.3"/>
          <body name="forearm" pos="0.02 0.05 -0.3" xyaxes="1 0.2 0 0 1 0.1">
            <joint name="elbow" axis="0 1 0" pos="0 0 0.01"/>
            <geom fromto="0 0 0 0 0 -0.25" size="0.04"/>
          </body>
        </body>
      </body>
      <body name="thigh" pos="0 0.1 -0.05" zaxis="0.1 0 1" childclass="limb">
        <joint name="hip slide" type="slide" axis="0 0 1"/>
        <joint name="hip x" axis="1 0 0"/>
        <joint name="hip y" axis="0 1 0"/>
        <geom fromto="0 0 0 0 0 -0.4" size="0.07"/>
        <body name="shank" pos="0 0 -0.42">
          <joint name="knee" axis="0 -1 0"/>
          <geom type="cylinder" size="0.05 0.2" pos="0 0 -0.2"/>
          <body name="foot" pos="0 0 -0.42">
            <inertial pos="0.05 0 -0.03" mass="1.2" fullinertia="0.002 0.005 0.005 0.0002 0.0001 -0.0003"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def written(tmp_path, text, name="model.xml"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_accelerations_of_a_humanoid_are_those_of_mujoco(tmp_path):
    """Free root, ball, hinges, slides, three hinges in one body, geoms of every shape: random states, no contact."""
    theirs = mujoco.MjModel.from_xml_string(HUMANOID.replace("<option ", '<option timestep="0.001" '))
    theirs.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(theirs)
    scenario, _ = read_scenario(written(tmp_path, HUMANOID))
    scenario.obstacles = []
    system = compile_system(scenario)
    mechanics, rng = Mechanics(system), np.random.default_rng(5)
    order = [mujoco.mj_id2name(theirs, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(theirs.njnt)]
    assert len(system.u_start) == theirs.nv
    for _ in range(20):
        q, u = system.q_start.copy(), rng.normal(size=theirs.nv)
        data.qpos[:], data.qvel[:] = theirs.qpos0, 0.0
        places = []
        for b, joint in enumerate(system.joint_names):
            i, count = int(system.authored.moving_joint[b]), int(system.authored.motions[b])
            if i < 0:
                continue
            first = i - count + 1
            mine = [system.joint_names[b]] if count == 1 else custom_order(scenario, joint)
            for k, name in enumerate(mine):
                j = order.index(name)
                qa, ua = int(system.tree.q_address[first + k]), int(system.tree.u_address[first + k])
                kind = theirs.jnt_type[j]
                size = {0: 7, 1: 4, 2: 1, 3: 1}[kind]
                speeds = {0: 6, 1: 3, 2: 1, 3: 1}[kind]
                value = rng.normal(scale=0.7, size=size)
                if size >= 4:
                    value[-4:] /= np.linalg.norm(value[-4:])
                q[qa : qa + size] = value
                data.qpos[theirs.jnt_qposadr[j] : theirs.jnt_qposadr[j] + size] = value
                data.qvel[theirs.jnt_dofadr[j] : theirs.jnt_dofadr[j] + speeds] = u[ua : ua + speeds]
                places += [(ua + n, theirs.jnt_dofadr[j] + n) for n in range(speeds)]
        mujoco.mj_forward(theirs, data)
        ours = mechanics.accelerations(q, u)
        mine, other = (np.array(column) for column in zip(*places, strict=True))
        scale = np.abs(data.qacc).max()
        assert np.abs(ours[mine] - data.qacc[other]).max() < 1e-9 * scale
    assert sum(body.mass for body in scenario.actors[0].model.bodies) == pytest.approx(
        theirs.body_mass.sum(), rel=1e-12
    )


def custom_order(scenario, name):
    """Joints of the file in the order of a custom joint's coordinates: ways, then angles."""
    from mannequin.engine.spec.joint_functions import coordinate_names

    joint = next(joint for joint in scenario.actors[0].model.joints if joint.name == name)
    return coordinate_names(joint.functions)


def test_start_is_the_pose_of_the_file(tmp_path):
    theirs = mujoco.MjModel.from_xml_string(HUMANOID)
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    scenario, findings = read_scenario(written(tmp_path, HUMANOID))
    system = compile_system(scenario)
    origins, rotations = Mechanics(system).poses()
    for b, name in enumerate(system.body_names):
        body = theirs.body(name).id
        assert np.abs(origins[b] - data.xpos[body]).max() < 1e-12
        assert np.abs(rotations[b] - data.xmat[body].reshape(3, 3)).max() < 1e-12
    assert scenario.settings.gravity == (0.3, -0.2, -9.7)
    assert [obstacle.shape for obstacle in scenario.obstacles] == ["plane"]
    texts = " ".join(map(str, findings))
    assert "assumed stiffness" in texts and "ellipsoid of the same extent" in texts


def test_it_falls_and_lands_on_the_plane(tmp_path):
    scenario, _ = read_scenario(written(tmp_path, HUMANOID))
    scenario.settings.duration, scenario.settings.output_step = 0.6, 0.01
    recording = run(scenario)
    assert recording.status == "completed" and len(recording.contacts) > 0
    assert recording.position[-1, :, 2].min() > -0.05


SERVO = """<mujoco>
  <compiler angle="radian"/>
  <include file="more.xml"/>
  <worldbody>
    <body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0" range="-1 1" stiffness="3" springref="0.2" damping="0.4"/>
      <geom size="0.1"/><site name="s1" pos="0.1 0 0"/>
      <body name="b" pos="0 0 -0.3"><joint name="jb" axis="0 1 0" armature="0.1"/><geom size="0.1"/>
        <site name="s2" pos="0.1 0 0"/>
      </body>
    </body>
    <body name="ball" pos="1 0 1"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <tendon><spatial name="t"><site site="s1"/><site site="s2"/></spatial></tendon>
  <actuator>
    <muscle name="m" tendon="t" force="200" lengthrange="0.2 0.4" range="0.75 1.05"/>
    <position name="p" joint="jb" kp="50" kv="2"/>
    <motor name="torque" joint="ja"/>
  </actuator>
</mujoco>
"""
COUPLER = '<joint name="c" joint1="jb" joint2="ja" polycoef="0.1 2 0 0 0"/>'
MORE = f"<mujocoinclude><equality>{COUPLER}</equality></mujocoinclude>"


def test_what_acts_is_carried_over_or_told(tmp_path):
    written(tmp_path, MORE, "more.xml")
    model, findings = read_model(written(tmp_path, SERVO))
    joints = {joint.name: joint for joint in model.joints}
    assert joints["ja"].limits.upper[0] == pytest.approx(np.degrees(1.0))
    assert joints["ja"].damping == 0.4
    (spring,) = joints["ja"].springs
    angle, torque = np.array(spring.curve).T
    slope = (torque[1] - torque[0]) / np.radians(angle[1] - angle[0])
    assert slope == pytest.approx(-3.0) and np.interp(np.degrees(0.2), angle, torque) == pytest.approx(
        0.0, abs=1e-9
    )
    assert (joints["jb"].motor.stiffness, joints["jb"].motor.damping) == (50.0, 2.0)
    (coupler,) = model.couplers
    assert (coupler.leader, coupler.follower, coupler.ratio) == ("ja", "jb", 2.0)
    (muscle,) = model.muscles
    # by MuJoCo's manual: L0 = (0.4 - 0.2) / 0.3, LT = 0.2 - 0.75 L0
    assert muscle.optimal_fibre_length == pytest.approx(2.0 / 3.0)
    assert muscle.tendon_slack_length == pytest.approx(0.2 - 0.5)
    texts = [str(finding) for finding in findings]
    for told in ("'ball': left out", "armature", "'torque': left out"):
        assert any(told in text for text in texts), told


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<mujoco>", "<robot>", "not valid XML|is no MJCF"),
        ('size="0.1"/><site name="s1"', 'size="x"/><site name="s1"', "Write 1 or 2 or 3 numbers"),
        ('axis="0 1 0" range', 'axis="0 0 0" range', "has no length"),
        ('file="more.xml"', 'file="../more.xml"', "leads out of the folder"),
        ('<geom size="0.1"/><site name="s1" pos="0.1 0 0"/>', "", "has no mass"),
        ('kp="50"', 'kp="much"', "kp"),
    ],
)
def test_bad_files_are_refused_with_place_and_remedy(tmp_path, old, new, message):
    written(tmp_path, MORE, "more.xml")
    assert old in SERVO
    with pytest.raises(FileError, match=message):
        read_mjcf(written(tmp_path, SERVO.replace(old, new, 1), "bad.xml"))


def test_a_model_written_here_comes_back(tmp_path):
    from mannequin.interchange.mujoco import write_mjcf
    from mannequin.models.library import load_model

    man = load_model("hybrid3_50th")
    write_mjcf(man, tmp_path / "man.xml")
    again, _ = read_model(tmp_path / "man.xml")
    assert sum(body.mass for body in again.bodies) == pytest.approx(sum(body.mass for body in man.bodies))
    assert len(again.bodies) == len(man.bodies)
    assert not [issue for issue in validate(again) if issue.severity == "error"]
