"""The arguments of the compiled loop: `SystemArrays`, which it only reads, and `State`, which it changes."""

from collections import namedtuple

Params = namedtuple(
    "Params",
    [
        "time_step",
        "output_step",
        "steps_per_frame",
        "most_ticks",  # of a step; 1: every step is the time step
        "last_frame",
        "tolerance",
        "gravity",
        "integrator",
        "multi_contact",
        "ground_obstacles",
        "max_speed",
    ],
)

Pulses = namedtuple(
    "Pulses",
    [
        "body",  # (m,) moving body
        "authored",  # (m,) authored body
        "point",  # (m, 3) in the moving frame
        "peak",  # (m, 3) world axes, or moving-frame axes
        "in_body_frame",  # (m,)
        "start",  # (m,)
        "duration",  # (m,)
        "constant",  # (m,) 1: its full size all the time, 0: half a sine
    ],
)

Sensors = namedtuple(
    "Sensors",
    [
        "host",  # (m,) moving body
        "body",  # (m,) authored body
        "point",  # (m, 3) in the moving frame
        "rotation",  # (m, 9) sensor axes to moving frame, or to the world
        "in_world",  # (m,) 1 where the axes are the world's
        "channel",  # (m, len(SENSOR_QUANTITIES)) channel of each quantity, or -1
    ],
)

SystemArrays = namedtuple(
    "SystemArrays",
    [
        "params",
        "tree",
        "authored",
        "joints",
        "surfaces",
        "connections",
        "pulses",
        "prescribed",
        "muscles",
        "sensors",
        "responses",
        "tyres",
        "drivers",
    ],
)
"""Everything the compiled code reads and never writes."""

Control = namedtuple(
    "Control",
    [
        "due",  # (1,) s: when somebody is to be called next; infinite where nobody is
        "period",  # (3,) s between two calls of responses, controller and drivers; infinite where there is none
        "calls",  # (3,) how often they were called
        "address",  # (1,) of a compiled controller (`jit.late`), or NOBODY: Python is asked
        "asked",  # (1,) 1 while Python is asked, between evaluation and step
    ],
)
RESPONSES, CONTROLLER, DRIVERS = 0, 1, 2
"""Slots of `Control.period` and `Control.calls`."""
NOBODY = -1

State = namedtuple(
    "State",
    [
        "q",  # (nq,) coordinates, laid out as Tree says
        "u",  # (nu,) speeds
        "contact",  # Touches
        "connections",  # ConnectionState
        "muscles",  # MuscleState
        "joints",  # JointState
        "released",  # (n,) 1 where a prescribed motion has let go
        "touched",  # (actors,) 1 once an actor has been hit
        "work",  # (TERMS,) work done by each kind of force since the start, J
        "work_kept",  # (TERMS,) the same before a trial step
        "energy_start",  # (2,) kinetic plus gravity energy at the start, gravity energy at the start, J
        "last_quaternion",  # (b, 4) orientations of the last frame
        "clock",  # (4,) see `loop`
        "elapsed",  # (1,) s since the last output time
        "longest_step",  # (1,) s
        "fastest",  # (1,) moving body with the largest speed, or without a finite one
        "commands",  # Commands
        "control",  # Control
        "responses",  # ResponseState
        "tyres",  # TyreState
        "drivers",  # DriverState
    ],
)
