"""Everything that vouches for a run folder: signatures and time stamps."""

from collections.abc import Sequence
from pathlib import Path

from ...analysis.files import manifest
from ...io_json.errors import FileError
from .library import is_installed
from .signature import Signed, check_signatures
from .time_stamp import check_time_stamps


def check_vouchers(folder: Path, signer: str = "", authorities: Sequence[Path] = ()) -> Signed:
    """Check signatures and time stamps of a run folder; nothing is found where its manifest cannot be read, which
    `verify_run` says. Raises FileError for a fingerprint or certificate that is none."""
    try:
        manifest.read(folder)
    except FileError:
        return Signed()
    found = check_signatures(folder, signer)
    if is_installed():
        problems, notes = check_time_stamps(folder, authorities)
        found.problems += problems
        found.notes += notes
    return found
