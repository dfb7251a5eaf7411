"""Loaded by every Python that is started with this folder in PYTHONPATH: a run of a sweep does harm to its process.

POISON says which, and what it does: "5 kill" ends the process at run number 5, "5 hang" stops it there for ever without
a further sign, "5 slow" takes very long while the engine goes on. STARTED names a file that gets a line per process.
"""

import os
import signal
import time

if os.environ.get("POISON"):
    number, harm = os.environ["POISON"].split()
    with open(os.environ["STARTED"], "a") as started:
        started.write(f"{os.getpid()}\n")

    from mannequin.sweeps import bench

    make, run = bench.Bench.make, bench.run

    def harmful_make(self, item):
        """Do harm, or make the run."""
        if item[0] == int(number):
            if harm == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if harm == "hang":
                time.sleep(3600)
            if harm == "slow":
                bench.run = slow_run
        try:
            return make(self, item)
        finally:
            bench.run = run

    def slow_run(system, cancel):
        """A second at each output time."""
        return run(system, progress=lambda state: time.sleep(1.0), cancel=cancel)

    bench.Bench.make = harmful_make
