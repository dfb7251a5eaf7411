"""Work in processes of its own: one class of child process, one protocol, jobs with one face.

    protocol.py     every message that goes either way
    child.py        ChildProcess: start it, send, read its answers as they come, end it
    job.py          Job: one piece of work in a child; poll, text, share, cancel, result
    worker.py       the process that is kept for simulations and reports, and one of its own for a sweep
    film.py         the process that renders a film: a Blender without a window
    film_choices.py what can be chosen for a film
    server.py       the other side: takes requests and answers them
    engine_work.py  what the worker can do: simulate, write a report, draw moment arms
    local_job.py    a simulation in this process, with the face of a job

No Blender here: `scene` looks at jobs from a timer, the command line waits for them. What a job computes belongs to the
layers below; what becomes of its result in a scene belongs to `scene`.
"""
