"""Fibre, tendon, activation and reflex in runs, against closed forms and SciPy."""

from dataclasses import replace

import numpy as np
import pytest
from muscle_rigs import RADIUS, driven, hinge_model, limb_model, pulley_muscle, scenario
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from mannequin.engine import ENERGY_TERMS, Actor, Settings, compile_system, run, run_many
from mannequin.engine.muscles import curves
from mannequin.engine.muscles.arrays import MUSCLE_CHANNELS
from mannequin.engine.muscles.compile import chosen_excitation
from mannequin.engine.runs.warmup import muscle_scenario
from mannequin.engine.spec.muscles import MUSCLE_FORMS, Activation, Excitation, StretchReflex

HILL_FORMS = [form for form in MUSCLE_FORMS if form != "actuator"]


def channel(recording, name, muscle=0):
    return recording.muscle[:, muscle, MUSCLE_CHANNELS.index(name)]


def fibre_force(muscle, a, length, v):
    """Fibre force (max forces) as the forms are published, put together here from the tested curves."""
    form = MUSCLE_FORMS.index(muscle.form)
    f_l, f_p = curves.active_length(form, length)[0], curves.passive_length(form, length)[0]
    if muscle.form == "geyer_herr":
        f_v, f_b = curves.velocity_factor(form, v)[0], curves.buffer_length(form, length)[0]
        return (a * f_l + f_p) * f_v - f_b + muscle.damping * v
    scale = 0.25 + 0.75 * a if muscle.form == "thelen" else 1.0
    return a * f_l * curves.velocity_factor(form, v / scale)[0] + f_p + muscle.damping * v


def held(muscle, angle=0.0, **settings):
    return run(driven(hinge_model(muscle), 0.0, angle, **settings))


# ---------------------------------------------------------------- actuator


def test_an_actuator_pulls_with_its_control_at_once():
    """Largest force times excitation, at every length and speed; its work is force times the way of its path."""
    control = Excitation(curve=((0.0, 0.2), (0.05, 1.0)))
    muscle = pulley_muscle(
        form="actuator", tendon="rigid", tendon_slack_length=0.0, damping=0.0, excitation=control
    )
    recording = run(driven(hinge_model(muscle), 300.0, 0.0, duration=0.05))
    force = channel(recording, "force")
    wanted = muscle.max_isometric_force * (0.2 + 16.0 * recording.times)
    assert force == pytest.approx(wanted, abs=muscle.max_isometric_force * 16.0 * 1e-4), "to a time step"
    assert np.ptp(channel(recording, "length")) > 0.005, "the path does change"
    length = channel(recording, "length")
    work = -float((0.5 * (force[1:] + force[:-1]) * np.diff(length)).sum())
    assert recording.muscle_energy[-1, 0] == pytest.approx(work, rel=1e-3)
    assert not recording.muscle_energy[:, 1:].any()


# ---------------------------------------------------------------- activation


def test_activation_rises_and_falls_with_its_two_times():
    pulse = Excitation(curve=((0.0, 0.0), (0.0199999, 0.0), (0.02, 0.8), (0.06, 0.8), (0.0600001, 0.1)))
    muscle = pulley_muscle(excitation=pulse, activation=Activation(rise_time=0.012, fall_time=0.03))
    recording = held(muscle, duration=0.15)
    a, t = channel(recording, "activation"), recording.times
    rise = (t > 0.02) & (t <= 0.06)
    assert a[rise] == pytest.approx(0.8 * (1 - np.exp(-(t[rise] - 0.02) / 0.012)), abs=4e-3)
    top, fall = 0.8 * (1 - np.exp(-0.04 / 0.012)), t > 0.0601
    assert a[fall] == pytest.approx(0.1 + (top - 0.1) * np.exp(-(t[fall] - 0.06) / 0.03), abs=4e-3)


def test_activation_by_rates_as_hyfydy_has_it():
    """a' = (u - a) (c1 u + c2), c2 the fall rate, c1 + c2 the rise rate; u constant."""
    muscle = pulley_muscle(excitation=Excitation(tone=0.6), activation=Activation(form="rate", start=0.05))
    recording = held(muscle, duration=0.05)
    rate = 75.0 * 0.6 + 25.0
    expected = 0.6 + (0.05 - 0.6) * np.exp(-rate * recording.times)
    assert channel(recording, "activation") == pytest.approx(expected, abs=1e-12)


def test_excitation_and_activation_stay_within_their_bounds():
    strong = Excitation(tone=0.9, reflex=StretchReflex(gain=50.0, threshold=0.2, delay=0.0))
    muscle = pulley_muscle(excitation=strong, activation=Activation(minimum=0.2, start=0.0))
    recording = held(muscle, duration=0.05)
    assert channel(recording, "excitation").max() == 1.0
    assert channel(recording, "activation").min() >= 0.2


# ---------------------------------------------------------------- isometric, isokinetic, equilibrium


@pytest.mark.parametrize("form", HILL_FORMS)
@pytest.mark.parametrize("pennation", [0.0, 25.0])
def test_isometric_force_with_a_rigid_tendon(form, pennation):
    muscle = pulley_muscle(form=form, tendon="rigid", pennation=pennation)
    recording = held(muscle, duration=0.05)
    length, width = channel(recording, "length")[0], 0.15 * np.sin(np.radians(pennation))
    along = length - muscle.tendon_slack_length
    fibre = np.hypot(along, width)
    assert channel(recording, "fibre_length") == pytest.approx(fibre, rel=1e-12)
    for a, force in zip(channel(recording, "activation"), channel(recording, "force"), strict=True):
        expected = 800.0 * fibre_force(muscle, a, fibre / 0.15, 0.0) * along / fibre
        assert force == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("form", HILL_FORMS)
@pytest.mark.parametrize("rate", [-200.0, 120.0])
def test_isokinetic_force_with_a_rigid_tendon(form, rate):
    """Over a pulley the path changes at radius times rate; force-length and force-velocity follow in closed form."""
    start = 0.0 if rate < 0 else -30.0
    muscle = pulley_muscle(form=form, tendon="rigid", activation=Activation(start=0.5))
    recording = run(driven(hinge_model(muscle), rate, start, duration=0.1, time_step=2e-5, output_step=1e-3))
    speed = -RADIUS * np.radians(rate)
    assert channel(recording, "velocity")[1:] == pytest.approx(speed, rel=1e-6)
    late = recording.times > 0.03
    for fibre, force in zip(
        channel(recording, "fibre_length")[late], channel(recording, "force")[late], strict=True
    ):
        expected = 800.0 * fibre_force(muscle, 0.5, fibre / 0.15, speed / (10 * 0.15))
        assert force == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("form", HILL_FORMS)
@pytest.mark.parametrize("pennation", [0.0, 25.0])
def test_fibre_and_tendon_are_in_equilibrium_at_the_start_and_stay_there(form, pennation):
    muscle = pulley_muscle(form=form, pennation=pennation, activation=Activation(start=0.5))
    recording = held(muscle, duration=0.1)
    length, width = channel(recording, "length")[0], 0.15 * np.sin(np.radians(pennation))
    form_number = MUSCLE_FORMS.index(form)

    def gap(x):
        fibre = np.hypot(x, width)
        tendon = curves.tendon_force(form_number, (length - x - 0.2) / 0.2)[0]
        return fibre_force(muscle, 0.5, fibre / 0.15, 0.0) * x / fibre - tendon

    x = brentq(gap, 0.05, length - 0.2 + 1e-9, xtol=1e-15)
    assert channel(recording, "fibre_length") == pytest.approx(np.hypot(x, width), abs=2e-10)
    tension = 800.0 * curves.tendon_force(form_number, (length - x - 0.2) / 0.2)[0]
    assert channel(recording, "force") == pytest.approx(tension, rel=1e-6)


def test_an_idle_fibre_below_its_optimal_length_starts_where_the_tendon_is_just_taut():
    muscle = pulley_muscle(tendon_slack_length=0.26, excitation=Excitation(tone=0.0))
    recording = held(muscle, duration=0.01)
    slack = channel(recording, "length")[0] - 0.26
    assert slack < 0.15
    assert channel(recording, "fibre_length") == pytest.approx(slack, rel=1e-12)
    assert channel(recording, "force") == pytest.approx(0.0, abs=1e-9)


def test_a_muscle_whose_lengths_do_not_fit_its_path_is_pointed_out():
    long = compile_system(scenario(hinge_model(pulley_muscle(tendon_slack_length=0.05))))
    assert any("muscle 'muscle' starts with its fibre at" in warning for warning in long.warnings)
    fitting = compile_system(scenario(hinge_model(pulley_muscle())))
    assert not any("starts with its fibre" in warning for warning in fitting.warnings)


def fibre_by_scipy(muscle, length_at, a_at, x0, times):
    """The fibre's equation solved by SciPy: equilibrium gives the velocity, integrated by an implicit method."""
    form = MUSCLE_FORMS.index(muscle.form)

    def rate(t, state):
        strain = (length_at(t) - state[0] - 0.2) / 0.2
        tendon = curves.tendon_force(form, float(strain))[0]

        def gap(v):
            return fibre_force(muscle, a_at(t), state[0] / 0.15, v) - tendon

        return [10 * 0.15 * brentq(gap, -50.0, 50.0, xtol=1e-14)]

    return solve_ivp(rate, (0, times[-1]), [x0], "Radau", t_eval=times, rtol=1e-9, atol=1e-12).y[0]


@pytest.mark.parametrize("form", HILL_FORMS)
def test_fibre_length_against_scipy_with_half_the_error_at_half_the_step(form):
    muscle = pulley_muscle(form=form, activation=Activation(start=0.1), excitation=Excitation(tone=0.7))
    errors = []
    for step in (2e-4, 1e-4):
        recording = run(
            driven(hinge_model(muscle), -150.0, 0.0, duration=0.06, time_step=step, output_step=2e-3)
        )
        assert recording.status == "completed"
        l0 = channel(recording, "length")[0]
        x = fibre_by_scipy(
            muscle,
            lambda t, l0=l0: l0 + RADIUS * np.radians(150.0) * t,
            lambda t: 0.7 - 0.6 * np.exp(-t / 0.015),
            channel(recording, "fibre_length")[0],
            recording.times,
        )
        errors.append(np.abs(channel(recording, "fibre_length") - x).max())
    assert errors[1] < 5e-5
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.3)


@pytest.mark.parametrize("form", HILL_FORMS)
def test_a_very_stiff_tendon_without_activation_is_stable_at_the_usual_step(form):
    """Fibre and tendon alone have a time constant far below the step here; explicit steps would blow up."""
    muscle = pulley_muscle(
        form=form,
        optimal_fibre_length=0.34,
        tendon_slack_length=0.004,
        stiffness_factor=20.0,
        excitation=Excitation(tone=0.0),
        max_isometric_force=3000.0,
    )
    coarse = run(scenario(hinge_model(muscle, mass=0.5), 20.0, duration=0.3, time_step=1e-4))
    fine = run(scenario(hinge_model(muscle, mass=0.5), 20.0, duration=0.3, time_step=1e-5))
    assert coarse.status == "completed"
    at = coarse.joint_angle[:, 1, 1]
    assert np.abs(at - fine.joint_angle[:, 1, 1]).max() < 0.01 * np.ptp(at)


def test_a_rigid_tendon_on_a_light_body_is_stable_and_converges():
    """Its damping would be many times what an explicit step can carry; the lag that carries it goes with the step."""
    muscle = pulley_muscle(tendon="rigid", max_isometric_force=6000.0, excitation=Excitation(tone=1.0))
    light = hinge_model(muscle, mass=0.05)
    light.bodies[1] = replace(light.bodies[1], inertia=(2e-4, 2e-4, 1e-4, 0.0, 0.0, 0.0))
    runs = [run(scenario(light, -30.0, duration=0.2, time_step=step)) for step in (1e-4, 5e-5, 1e-5)]
    assert all(recording.status == "completed" for recording in runs)
    coarse, half, fine = (recording.joint_angle[:, 1, 1] for recording in runs)
    assert np.abs(half - fine).max() < 0.6 * np.abs(coarse - fine).max()
    assert np.abs(coarse - fine).max() < 0.05 * np.ptp(fine)


# ---------------------------------------------------------------- reflex


def test_a_stretch_reflex_answers_after_its_delay():
    reflex = StretchReflex(gain=3.0, threshold=0.9, delay=0.025)
    muscle = pulley_muscle(
        activation=Activation(start=0.05), excitation=Excitation(tone=0.05, reflex=reflex), tendon="rigid"
    )
    recording = run(driven(hinge_model(muscle), -150.0, 5.0, duration=0.1))
    t, u = recording.times, channel(recording, "excitation")
    fibre = channel(recording, "fibre_length") / 0.15
    # an evaluation takes the excitation of the middle of its step
    past = np.interp(t - 0.5e-4 - 0.025, t, fibre)
    expected = np.clip(0.05 + 3.0 * np.maximum(0.0, past - 0.9), 0.0, 1.0)
    assert expected.max() > 0.3
    assert u == pytest.approx(expected, abs=2e-4)


def test_the_history_holds_for_steps_of_any_size():
    reflex = StretchReflex(gain=3.0, threshold=0.9, delay=0.025)
    muscle = pulley_muscle(activation=Activation(start=0.05), excitation=Excitation(tone=0.05, reflex=reflex))
    ends = []
    for values in ({}, {"integrator": "variable_step", "tolerance": 1e-7}, {"integrator": "runge_kutta_4"}):
        recording = run(driven(hinge_model(muscle), -150.0, 5.0, duration=0.1, **values))
        assert recording.status == "completed"
        ends.append(channel(recording, "activation")[-1])
    assert ends[1:] == pytest.approx([ends[0]] * 2, abs=0.01)


# ---------------------------------------------------------------- runs


@pytest.mark.parametrize(
    "integrator", ["midpoint", "runge_kutta_4", "variable_step", "implicit", "forward_euler"]
)
def test_every_integrator_moves_the_same_arm(integrator):
    muscle = pulley_muscle(activation=Activation(start=0.1))
    model = hinge_model(muscle)
    fine = run(scenario(model, -40.0, duration=0.2, time_step=1e-5))
    other = run(scenario(model, -40.0, duration=0.2, integrator=integrator))
    assert other.status == "completed", other.message
    assert np.ptp(fine.joint_angle[:, 1, 1]) > 0.2
    assert np.abs(other.joint_angle - fine.joint_angle).max() < 5e-3


@pytest.mark.parametrize(("integrator", "bound"), [("symplectic_euler", 2e-3), ("runge_kutta_4", 4e-4)])
def test_the_ledger_closes(integrator, bound):
    """On the bodies' side to the numerical error of the run, on the muscles' side too, better with a smaller step."""
    model = limb_model(np.random.default_rng(0))
    gaps = []
    for step in (4e-4, 1e-4):
        actor = Actor("limb", model, position=(0.0, 0.0, 2.0), joint_angles={"hinge": (25.0, 0.0, 0.0)})
        settings = Settings(
            duration=0.2, ground=False, time_step=step, output_step=2e-3, integrator=integrator
        )
        recording = run(replace(scenario(model), actors=[actor], settings=settings))
        assert recording.status == "completed"
        energy = dict(zip(ENERGY_TERMS, recording.energy[-1], strict=True))
        work, tendon, parallel, lost = recording.muscle_energy[-1] - recording.muscle_energy[0]
        assert energy["muscles"] > 5.0
        assert lost > 0.0
        gaps.append(abs(energy["muscles"] - (work - tendon - parallel - lost)) / energy["muscles"])
    assert abs(energy["residual"]) < 1e-2 * energy["muscles"]
    assert gaps[1] < bound
    assert gaps[1] < gaps[0]


def test_acting_as_joint_torques_moves_alike_and_loads_the_joints_less():
    recordings = []
    for acts in ("forces", "joint_torques"):
        model = limb_model(np.random.default_rng(1), acts)
        actor = Actor("limb", model, position=(0.0, 0.0, 2.0), joint_angles={"hinge": (25.0, 0.0, 0.0)})
        settings = Settings(duration=0.1, ground=False)
        recordings.append(run(replace(scenario(model), actors=[actor], settings=settings)))
    first, second = recordings
    assert np.abs(first.position - second.position).max() < 1e-9
    load = [np.linalg.norm(r.reaction_force[0, 1]) for r in recordings]
    assert load[0] > load[1] + 100.0


def test_reactions_balance_the_muscle():
    """At rest the joint carries weight and the muscle's compression: reaction + weight + pull = 0, by hand."""
    muscle = pulley_muscle(activation=Activation(start=0.5))
    recording = held(muscle, duration=0.01)
    force = channel(recording, "force")[-1]
    pull = np.array([0.0, 0.0, 0.0])
    # insertion to its tangent point on the pulley, by the geometry of the pulley alone
    d = np.hypot(0.02, 0.15)
    reach = np.sqrt(d**2 - RADIUS**2)
    angle = np.arctan2(-0.15, -0.02) - np.arccos(RADIUS / d)
    pull = force * (RADIUS * np.array([np.cos(angle), 0.0, np.sin(angle)]) - [-0.02, 0.0, -0.15]) / reach
    weight = np.array([0.0, 0.0, -2.0 * 9.81])
    assert recording.reaction_force[-1, 1] == pytest.approx(-(pull + weight), rel=1e-6, abs=1e-6)


def test_excitations_of_the_actor_come_before_the_models():
    model = hinge_model(*(pulley_muscle(name=name) for name in ("neck_a", "neck_b", "leg")))
    choices = {"*": Excitation(tone=0.1), "neck_*": Excitation(tone=0.2), "neck_b": Excitation(tone=0.3)}
    actor = Actor("a", model, excitations=choices)
    tones = [chosen_excitation(actor, muscle).tone for muscle in model.muscles]
    assert tones == [0.1, 0.3, 0.1]
    ordered = Actor("a", model, excitations=dict(reversed(choices.items())))
    assert [chosen_excitation(ordered, muscle).tone for muscle in model.muscles] == [0.2, 0.3, 0.1]
    assert chosen_excitation(Actor("a", model), model.muscles[0]).tone == 0.5


def test_the_warm_up_of_muscles_is_a_sound_scenario():
    recording = run(muscle_scenario())
    assert recording.status == "completed"
    assert not any("starts with its fibre" in warning for warning in recording.warnings)


def test_batches_with_muscles_give_what_single_runs_give():
    scenarios = [
        scenario(hinge_model(pulley_muscle(excitation=Excitation(tone=t))), duration=0.02) for t in (0.1, 0.9)
    ]
    alone = [run(one).muscle for one in scenarios]
    for outcome in run_many(scenarios, workers=2):
        assert outcome.error is None
        assert np.array_equal(outcome.result.muscle, alone[outcome.index])


def test_a_scenario_without_muscles_asks_for_no_kernel():
    system = compile_system(scenario(hinge_model()))
    assert system.arrays.muscles.forces_address == 0
    assert run(system).muscle.shape[1] == 0
