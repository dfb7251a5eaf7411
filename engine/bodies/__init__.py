"""Bodies on joints, and how they move: the kinematic tree, poses, velocities, accelerations. No law of force.

`posture` does forward kinematics on specs; `virtual_power` and `newton_euler` are the same physics as `dynamics`,
dense and readable: the oracles of the tests. What pushes the bodies is in `joints`, `contact`, `connections` and
`muscles`.
"""
