"""Forces in joints: range of motion, resistance, springs, motors, torque pulses, couplers.

`compile_joint_forces` turns specs into arrays, `joint_forces` evaluates them, `start_friction` and `commit_friction`
keep the only history there is; `prescribed` moves joints along tables. Published ranges of people are data of `models`.
"""
