"""Vehicles that are driven: braking, dive, ride, tyres, cornering, recorder traces, paths, against closed forms."""

import dataclasses
import math
from dataclasses import replace

import numpy as np
import pytest

from mannequin.engine.build.validate import validate
from mannequin.engine.driving.tyres import advanced, brush, grip
from mannequin.engine.jit.decorators import interpreted
from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Actor, Drive, PairMaterial, Scenario, Settings, Wheel
from mannequin.models.vehicles.chassis import Chassis, build_sprung_vehicle, corners
from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.published import CENTRE_OF_CARS, CENTRE_OF_TRUCKS
from mannequin.models.vehicles.road_vehicle import MASSES, whole_vehicle

G = 9.80665
PEAK, SLIDING = 0.9, 0.75
SPEED = 50.0 / 3.6
FULL_PEDAL = ((0.0, 0.0), (0.2, 1.0))
TRACE = ((0.0, 10.0), (0.5, 10.5), (1.0, 11.5), (2.0, 9.0), (3.0, 4.0), (3.9, 0.0), (4.5, 0.0))
WAY = tuple((float(x), 3.0 / (1.0 + math.exp(-(x - 25.0) / 4.0))) for x in range(-5, 70))


def sprung(kind):
    """The typical vehicle of a class on suspensions, without its contact mesh, which touches nothing here and takes a
    second to make."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mannequin.models.vehicles.chassis.contact_surface", lambda vehicle: None)
        return build_sprung_vehicle(kind)


@pytest.fixture(scope="module")
def saloon():
    return sprung("saloon")


def scenario(model, drive, duration, output_step=0.01, **settings):
    """A car alone on a dry road."""
    return Scenario(
        "drive",
        [Actor("car", model, drive=drive)],
        pairs=[PairMaterial("tyre", "ground", PEAK, SLIDING)],
        settings=Settings(duration=duration, output_step=output_step, time_step=5.0e-4, **settings),
    )


@pytest.fixture(scope="module")
def runs(saloon):
    """Name to the recording of a drive."""
    drives = {
        "brake": (Drive(speed=SPEED, braking=0.7), 2.6, 0.002),
        "locked": (Drive(speed=SPEED, pedal=FULL_PEDAL, anti_lock=False), 2.6, 0.01),
        "abs": (Drive(speed=SPEED, pedal=FULL_PEDAL), 2.6, 0.01),
        "corner": (Drive(speed=10.0, keep_speed=True, steering=((0.0, 0.0), (0.5, 1.5))), 6.0, 0.01),
        "path": (Drive(speed=10.0, keep_speed=True, path=WAY), 5.0, 0.01),
        "trace": (Drive(speed=10.0, trace=TRACE), 4.5, 0.01),
        "slow turn": (Drive(speed=2.0, keep_speed=True, steering=((0.0, 0.0), (1.0, 20.0))), 6.0, 0.01),
    }
    return {name: run(scenario(saloon, drive, t, step)) for name, (drive, t, step) in drives.items()}


def origin(recording):
    """Places (F, 3) of the actor frame's origin: under the middle of the wheelbase."""
    return recording.origin(recording.body_index("car", "car_body"))


def forward_speed(recording):
    """Speed (F,) of that origin along the road."""
    return np.gradient(origin(recording)[:, 0], recording.times)


def pitch(recording):
    """Angle (F,) of the body, nose down positive, rad."""
    axis = recording.rotation(recording.body_index("car", "car_body"))[:, :, 0]
    return -np.arcsin(axis[:, 2])


def wheel_rate(recording, wheel):
    return recording.joint_rate[:, recording.joint_index("car", f"wheel{wheel}Jnt"), 1]


def way(recording):
    """m from the start to where it stands."""
    return origin(recording)[:, 0].max()


def test_deceleration_asked_for_is_held(runs):
    """0.70 g within 0.01 by a line through the speeds, and the way to the stop by the closed form of the ramp."""
    brake = runs["brake"]
    steady = (brake.times > 0.5) & (brake.times < 1.8)
    speeds = brake.velocity[:, brake.body_index("car", "car_body"), 0]
    slope = np.polyfit(brake.times[steady], speeds[steady], 1)[0]
    assert slope == pytest.approx(-0.70 * G, abs=0.01 * G)
    a, ramp = 0.70 * G, 0.2
    after = SPEED - a * ramp / 2.0
    assert way(brake) == pytest.approx(SPEED * ramp - a * ramp**2 / 6.0 + after**2 / (2.0 * a), rel=0.01)
    assert abs(forward_speed(brake)[-20:]).max() < 0.15


def test_dive_is_that_of_the_load_moved_to_the_front(runs):
    """Pitch of a body on four springs and tyres under m a h / L, less the share that the guides carry."""
    chassis, vehicle, mass = Chassis(), CLASSES["saloon"], MASSES["saloon"]
    front, _, rear, _ = corners(vehicle, mass, chassis)
    tyre = chassis.tyre_stiffness * mass * 9.81 / 4.0
    moved = mass * 0.70 * G * whole_vehicle(vehicle, mass).centre[2] / vehicle.wheelbase / 2.0
    give = sum((1.0 - chassis.anti_dive) / corner.spring_rate(tyre) + 1.0 / tyre for corner in (front, rear))
    brake = runs["brake"]
    steady = pitch(brake)[(brake.times > 1.3) & (brake.times < 1.9)].mean()
    assert steady == pytest.approx(moved * give / vehicle.wheelbase, rel=0.08)
    assert 1.0 < math.degrees(steady) / 0.70 < 3.0  # degrees per g of cars with springs of 1 to 1.5 Hz


def test_body_bounces_at_the_frequency_of_cars(saloon):
    """A body let go 1.5 cm too high, dampers off: both motions have the frequencies of a beam on two springs (ride
    rates of the axles), which are those of passenger cars: 1 to 1.5 Hz (Audi, Self-Study Programme 242)."""
    free = [replace(j, damping=0.0) if j.name.startswith("hub") else j for j in saloon.joints]
    actor = Actor("car", replace(saloon, joints=free), position=(0.0, 0.0, 0.015))
    setting = Settings(duration=4.0, output_step=0.005, time_step=5.0e-4)
    recording = run(Scenario("bounce", [actor], settings=setting))
    index = recording.body_index("car", "car_body")
    body, (front, _, rear, _) = saloon.bodies[0], corners(CLASSES["saloon"], MASSES["saloon"], Chassis())
    arms = np.array([corner.centre[0] - body.center_of_mass[0] for corner in (front, rear)])
    rates = np.array([2.0 * corner.ride_rate() for corner in (front, rear)])
    inertia = np.diag([body.mass, body.inertia[1]])
    stiffness = np.array([[rates.sum(), -rates @ arms], [-rates @ arms, rates @ arms**2]])
    squares, shapes = np.linalg.eig(np.linalg.solve(inertia, stiffness))
    motion = np.column_stack([recording.position[:, index, 2], pitch(recording)])
    parts = (motion - motion.mean(axis=0)) @ inertia @ shapes
    for square, part in zip(squares, parts.T, strict=True):
        rising = np.flatnonzero((part[:-1] < 0.0) & (part[1:] >= 0.0))
        found = (len(rising) - 1) / (recording.times[rising[-1]] - recording.times[rising[0]])
        assert found == pytest.approx(math.sqrt(square) / (2.0 * math.pi), rel=0.05)
        assert 1.0 <= found <= 1.5


def test_a_car_at_rest_stays_as_it_stands(saloon):
    """Springs and tyres carry the weight from the start; on a slope of 10 % the brakes hold it."""
    slope = {"gravity": (-0.98, 0.0, -9.76)}
    recording = run(scenario(saloon, Drive(speed=0.0, braking=0.5), 3.0, **slope))
    places = origin(recording)
    assert abs(places[recording.times < 0.05, 2]).max() < 1.0e-4
    assert abs(places[:, 0]).max() < 0.03
    assert abs(places[-1, 0] - places[-60, 0]) < 5.0e-4


def test_free_rolling_keeps_speed_and_resistance_slows(saloon):
    smooth = replace(saloon, wheels=[replace(w, rolling_resistance=0.0) for w in saloon.wheels])
    recording = run(scenario(smooth, Drive(speed=SPEED), 2.0))
    assert forward_speed(recording)[50:] == pytest.approx(SPEED, abs=2.0e-3)
    recording = run(scenario(saloon, Drive(speed=SPEED), 2.0))
    mass = sum(body.mass for body in saloon.bodies)
    turning = sum(
        0.75 * b.mass for b in saloon.bodies if b.name.startswith("wheel")
    )  # I / r^2 of these discs
    slope = np.polyfit(recording.times[50:], forward_speed(recording)[50:], 1)[0]
    assert slope == pytest.approx(-0.012 * 9.81 * mass / (mass + turning), rel=0.03)


def test_locked_wheels_slide_and_antilock_brakes_stop_shorter(runs, saloon):
    """Locked: the sliding coefficient; with ABS near the peak, and no wheel stands while the car goes."""
    locked, held = runs["locked"], runs["abs"]
    sliding = (locked.times > 0.6) & (locked.times < 1.5)
    slope = np.polyfit(locked.times[sliding], forward_speed(locked)[sliding], 1)[0]
    weakened = 1.0 - 0.1 * 0.2  # load sensitivity at the mean load of the front wheels under braking, at most
    assert -SLIDING * G * 1.01 < slope < -SLIDING * G * weakened * 0.97
    assert abs(wheel_rate(locked, "FL")[sliding]).max() < 1.0
    fast = (held.times > 0.3) & (forward_speed(held) > 2.5)
    slip = 1.0 - wheel_rate(held, "FL")[fast] * saloon.wheels[0].radius / forward_speed(held)[fast]
    assert slip.max() < 0.35
    mean = np.polyfit(held.times[fast], forward_speed(held)[fast], 1)[0]
    assert -PEAK * G < mean < -0.93 * PEAK * G
    assert way(held) < 0.92 * way(locked)


def test_cornering_is_that_of_the_bicycle_model(runs, saloon):
    """Radius of steady cornering: delta = L / R + alpha_f - alpha_r, with slip angles by the brush's inverse."""
    corner = runs["corner"]
    body = corner.body_index("car", "car_body")
    last = corner.times > 4.5
    speed = np.linalg.norm(corner.velocity[last, body, :2], axis=1).mean()
    radius = speed / corner.angular_velocity[last, body, 2].mean()
    front, rear = saloon.wheels[0], saloon.wheels[2]
    across = PEAK * front.side_friction
    base, angle = CLASSES["saloon"].wheelbase, math.radians(1.5)

    def slip(wheel, share):
        return 3.0 * across / wheel.cornering_stiffness * (1.0 - (1.0 - share / across) ** (1.0 / 3.0))

    expected = base / angle
    for _ in range(50):
        share = speed**2 / expected / 9.81
        expected = base / (angle - slip(front, share) + slip(rear, share))
    assert radius == pytest.approx(expected, rel=0.02)
    gradient = (angle - base / radius) / (speed**2 / radius / 9.81)
    assert math.degrees(gradient) == pytest.approx(math.degrees(1 / 9.0 - 1 / 12.0), rel=0.25)


def test_recorder_trace_is_followed(runs):
    """Throttle and brakes follow the record within 0.05 m/s to the stop and after it, by the car's frame on the road
    and by its centre of mass, which rocks on springs and treads."""
    trace = runs["trace"]
    asked = np.interp(trace.times, *zip(*TRACE, strict=True))
    for speed in (forward_speed(trace), trace.velocity[:, trace.body_index("car", "car_body"), 0]):
        assert abs(speed - asked)[1:-1].max() < 0.05


def test_slow_turn_is_that_of_the_steering_angles(runs):
    """At 2 m/s tyres hardly slip: the rear axle goes round at L / tan(angle) (Ackermann), the front wheels at their own
    angles about the same centre, and the side acceleration is v^2 / R."""
    turn = runs["slow turn"]
    body, last = turn.body_index("car", "car_body"), turn.times > 4.0
    base, track = CLASSES["saloon"].wheelbase, CLASSES["saloon"].track
    ahead = turn.rotation(body)[:, :, 0]
    axle = origin(turn) - base / 2.0 * ahead
    speed = np.linalg.norm(np.gradient(axle[:, :2], turn.times, axis=0), axis=1)[last].mean()
    rate = turn.angular_velocity[last, body, 2].mean()
    radius = base / math.tan(math.radians(20.0))
    assert speed / rate == pytest.approx(radius, rel=0.01)
    for wheel, y in (("FL", track / 2.0), ("FR", -track / 2.0)):
        angle = turn.joint_angle[last, turn.joint_index("car", f"steer{wheel}Jnt"), 2].mean()
        assert angle == pytest.approx(math.atan(base / (radius - y)), rel=0.01)
    force = turn.contact_force[last].sum(axis=1)
    across = np.linalg.norm(force[:, :2], axis=1).mean() / turn.body_mass.sum()
    centre = math.hypot(radius, whole_vehicle(CLASSES["saloon"], MASSES["saloon"]).centre[0] + base / 2.0)
    assert across == pytest.approx(rate**2 * centre, rel=0.03)


@pytest.fixture(scope="module")
def braked_classes():
    """Class to its model on suspensions and a braking from 50 km/h at 0.70 g."""
    found = {}
    for kind in CLASSES:
        model = sprung(kind)
        found[kind] = model, run(scenario(model, Drive(speed=SPEED, braking=0.7), 2.6, 0.002))
    return found


@pytest.mark.parametrize("kind", list(CLASSES))
def test_every_class_brakes_as_asked_and_dives_by_its_springs(braked_classes, kind):
    """0.70 g within 0.01; pitch by the load moved over springs and tyres; no wheel leaves the road; energy closed."""
    model, brake = braked_classes[kind]
    body = brake.body_index("car", "car_body")
    steady = (brake.times > 0.5) & (brake.times < 1.8)
    slope = np.polyfit(brake.times[steady], brake.velocity[steady, body, 0], 1)[0]
    assert slope == pytest.approx(-0.70 * G, abs=0.01 * G)
    chassis, vehicle, mass = Chassis(), CLASSES[kind], MASSES[kind]
    front, _, rear, _ = corners(vehicle, mass, chassis)
    tyre = chassis.tyre_stiffness * mass * 9.81 / 4.0
    moved = mass * 0.70 * G * whole_vehicle(vehicle, mass).centre[2] / vehicle.wheelbase / 2.0
    give = sum((1.0 - chassis.anti_dive) / corner.spring_rate(tyre) + 1.0 / tyre for corner in (front, rear))
    late = (brake.times > 1.3) & (brake.times < 1.9)
    assert pitch(brake)[late].mean() == pytest.approx(moved * give / vehicle.wheelbase, rel=0.10)
    load = brake.contact_force[late][:, brake.body_index("car", "wheelRL"), 2].mean()
    assert load == pytest.approx(rear.load - moved, rel=0.08)
    assert abs(brake.energy[:, -1]).max() < 1.0e-3 * brake.energy[0, 0]
    for corner in (front, rear):
        tuned = math.sqrt(corner.ride_rate() / corner.sprung) / (2.0 * math.pi)
        assert 1.0 <= tuned <= 1.5  # passenger cars: Audi, Self-Study Programme 242


def test_path_is_followed(runs):
    """The rear axle stays within 0.25 m of a change of lanes by 3 m at 36 km/h."""
    path = runs["path"]
    turn = path.rotation(path.body_index("car", "car_body"))[:, :, 0]
    axle = origin(path) - 1.375 * turn
    wanted = np.interp(axle[:, 0], *np.array(WAY).T)
    assert abs(axle[:, 1] - wanted).max() < 0.25
    assert axle[-1, 1] == pytest.approx(3.0, abs=0.1)


def test_ledger_and_momentum_are_closed(runs):
    """No energy but by the forces that are counted; momentum is the impulse of the road."""
    for name, recording in runs.items():
        residual = abs(recording.energy[:, -1]).max()
        assert residual < 1.0e-3 * recording.energy[0, 0], name
    brake = runs["brake"]
    momentum = brake.velocity[:, :, 0] @ brake.body_mass
    force = brake.contact_force[:, :, 0].sum(axis=1)
    a, b = np.searchsorted(brake.times, (0.3, 1.8))
    impulse = (0.5 * (force[a:b] + force[a + 1 : b + 1]) * np.diff(brake.times[a : b + 1])).sum()
    assert momentum[b] - momentum[a] == pytest.approx(impulse, rel=2.0e-3)


def test_centres_of_mass_are_as_high_as_measured_ones():
    """Cars within 10 % of the mean of measured cars, the SUV within 10 % of that of SUVs, pickups and vans."""
    for kind, mean in (
        ("hatchback", CENTRE_OF_CARS),
        ("saloon", CENTRE_OF_CARS),
        ("estate", CENTRE_OF_CARS),
        ("suv", CENTRE_OF_TRUCKS),
    ):
        assert whole_vehicle(CLASSES[kind], MASSES[kind]).centre[2] == pytest.approx(mean, rel=0.1), kind


def test_same_bytes_twice(runs, saloon):
    again = run(scenario(saloon, Drive(speed=10.0, trace=TRACE), 4.5))
    assert again.position.tobytes() == runs["trace"].position.tobytes()
    assert again.energy.tobytes() == runs["trace"].energy.tobytes()


def tyre_row(**changes):
    """Numbers of a tyre and its spec."""
    wheel = Wheel("w", radius=0.3, load=4000.0, **changes)
    row = [getattr(wheel, f.name) for f in dataclasses.fields(Wheel)[1:11]]
    return wheel, np.array(row)


def force(numbers, wheel, load, slip_ratio, slip_angle):
    """(along, across) of a tyre that has rolled long enough, at 20 m/s."""
    z = (slip_ratio * wheel.slip_relaxation, math.tan(slip_angle) * wheel.relaxation)
    return interpreted(grip)(numbers, load, PEAK, SLIDING, *z, 0.0, 0.0, 20.0)[:2]


def test_tyre_is_inside_the_friction_ellipse_and_on_it_at_the_peak():
    """(F_x / mu_x N)^2 + (F_y / mu_y N)^2 is at most one, and one where the whole patch begins to slide."""
    wheel, numbers = tyre_row()
    most, across = PEAK * 4000.0, PEAK * 4000.0 * wheel.side_friction
    largest = 0.0
    for ratio in np.linspace(-0.3, 0.3, 25):
        for angle in np.linspace(-0.4, 0.4, 25):
            x, y = force(numbers, wheel, 4000.0, ratio, angle)
            used = (x / most) ** 2 + (y / across) ** 2
            assert used <= 1.0 + 1e-12
            largest = max(largest, used)
            along = ratio * wheel.slip_stiffness / PEAK
            beside = math.tan(angle) * wheel.cornering_stiffness / (PEAK * wheel.side_friction)
            assert x / most * beside == pytest.approx(y / across * along, abs=1e-9)  # along the scaled slips
    assert largest > 0.98
    peak = 3.0 * PEAK / wheel.slip_stiffness
    assert force(numbers, wheel, 4000.0, peak, 0.0)[0] == pytest.approx(most, rel=1e-9)
    assert force(numbers, wheel, 4000.0, -1.0, 0.0)[0] == pytest.approx(-SLIDING * 4000.0, rel=0.02)


def test_tyre_slopes_and_load():
    """Small slips: the stiffnesses asked for; double the load: friction less by the share asked for."""
    wheel, numbers = tyre_row(load_sensitivity=0.15, stiffness_sensitivity=0.25)
    x, _ = force(numbers, wheel, 4000.0, 1e-6, 0.0)
    _, y = force(numbers, wheel, 4000.0, 0.0, 1e-6)
    assert x == pytest.approx(1e-6 * wheel.slip_stiffness * 4000.0, rel=1e-4)
    assert y == pytest.approx(1e-6 * wheel.cornering_stiffness * 4000.0, rel=1e-4)
    _, y = force(numbers, wheel, 8000.0, 0.0, 1e-6)
    assert y == pytest.approx(1e-6 * 0.75 * wheel.cornering_stiffness * 8000.0, rel=1e-4)
    largest = max(force(numbers, wheel, 8000.0, slip, 0.0)[0] for slip in np.linspace(0.0, 0.3, 301))
    assert largest == pytest.approx(0.85 * PEAK * 8000.0, rel=1e-3)


def test_tread_relaxes_over_its_length():
    """A step of the slip angle: 1 - exp(-way / relaxation), whatever the speed."""
    for speed in (2.0, 30.0):
        z, h, slip = 0.0, 1.0e-5, 0.05
        for _ in range(round(0.4 / speed / h)):
            z = interpreted(advanced)(z, slip * speed, speed, 0.4, h)
        assert -z / 0.4 == pytest.approx(slip * (1.0 - math.exp(-1.0)), rel=2e-3)


def test_brush_is_smooth_where_the_patch_slides():
    at = interpreted(brush)
    assert at(3.0, 0.8) == pytest.approx(1.0) and at(2.999999, 0.8) == pytest.approx(1.0, abs=1e-9)
    assert at(1e-9, 0.8) == pytest.approx(1e-9)
    assert at(60.0, 0.8) == pytest.approx(0.8, abs=1e-4)


def test_what_a_driver_cannot_do_is_named(saloon):
    """One message for each mistake, which names the thing."""
    car = saloon
    plain = replace(car, wheels=[])
    cases = {
        "has no wheels on tyres": Scenario("s", [Actor("car", plain, drive=Drive())]),
        "braking and pedal": Scenario("s", [Actor("car", car, drive=Drive(braking=0.5, pedal=FULL_PEDAL))]),
        "steering and path": Scenario(
            "s", [Actor("car", car, drive=Drive(steering=((0.0, 1.0),), path=WAY))]
        ),
        "keeps a speed and gives none": Scenario("s", [Actor("car", car, drive=Drive(keep_speed=True))]),
        "its body is not in the model": Scenario(
            "s", [Actor("car", replace(car, wheels=[Wheel("x", 0.3, 1.0)]))]
        ),
        "no revolute joint, by which": Scenario(
            "s", [Actor("car", replace(car, wheels=[replace(car.wheels[0], steering="carRoot")]))]
        ),
    }
    for words, spec in cases.items():
        messages = [str(issue) for issue in validate(spec)]
        assert sum(words in message for message in messages) == 1, (words, messages)
