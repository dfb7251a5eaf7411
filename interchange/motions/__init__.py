"""Motion files of the field: tables of coordinates (.mot, .sto), marker trials (.trc; .c3d in), skeletons (.bvh) out.

Only files to plain values and back. What is done with a trial is in `study`.
"""

from .bvh import bvh_text, write_bvh
from .c3d import read_c3d
from .joint_table import joint_table, posed, recorded_poses
from .storage import MotionTable, read_storage, storage_text, write_storage
from .trc import read_trc, trc_text, write_trc
from .trial import ForcePlate, Trial
