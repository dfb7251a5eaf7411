# What `import mannequin as mq` offers, for editors and type checkers; loaded when it is asked for.
from .study import Marker as Marker
from .study import Result as Result
from .study import Tracked as Tracked
from .study import fit as fit
from .study import load as load
from .study import measures_table as measures_table
from .study import open_run as open_run
from .study import person as person
from .study import run as run
from .study import scaled_to as scaled_to
from .study import scenario_of as scenario_of
from .study import start_from as start_from
from .study import to_pandas as to_pandas
from .study import to_xarray as to_xarray
from .study import track as track

__version__: str

def register() -> None: ...
def unregister() -> None: ...
