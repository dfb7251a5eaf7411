"""One step of time in compiled code: forces, energy, output, integrators, and the loop around them.

`arrays` declares what the loop reads and changes. Laws of force belong to their own rooms, kinematics and
accelerations to `bodies`; what a run keeps between calls from Python is in `runs`.

Arguments that recur here: k `SystemArrays`, s `State`, w `Workspace`, x `StepWork`, out `Frames`.
"""
