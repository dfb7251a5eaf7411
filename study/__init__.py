"""For scripts and notebooks: load, run, look, in few words. `import mannequin as mq` has it as `mq.load` and so on.

What belongs here says in one call what the layers below say in several. No physics, no file format, no Blender.
"""

from .fitting import fit
from .loading import load, person, scenario_of
from .markers import Marker, Tracked, scaled_to, start_from, track
from .result import Result, open_run, run
from .tables import measures_table, to_pandas, to_xarray
