"""Forces in joints: range of motion, resistance, springs, motors, torque pulses, couplers.

`compile_joint_forces` turns specs into arrays, `joint_forces` evaluates them, `start_friction`, `commit_passive` and
`commit_breaks` keep what joints remember; `prescribed` moves joints along tables. Published ranges of people are data
of `models`.
"""
