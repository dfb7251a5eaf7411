"""Models in other programs' files: Hyfydy (.hfd) read and written, OpenSim (.osim) read, MuJoCo (.xml) written.

>>> from mannequin.interchange import read_model, write_model
>>> model, findings = read_model("leg.hfd")  # doctest: +SKIP
>>> findings = write_model(model, "leg.xml")  # doctest: +SKIP

A *finding* names what could not be carried over exactly, and what was done instead.
"""

from .common.findings import Finding
from .dispatch import READERS, WRITERS, read_model, read_scenario, write_model, write_scenario
