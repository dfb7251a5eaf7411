"""How much memory and disk is free. Asked before anything big is begun, so that it is refused with the numbers."""

import errno
import os
import shutil
import sys
from pathlib import Path


def free_memory() -> int | None:
    """Bytes of memory that a program may still take, or None where the system does not say."""
    if os.name == "nt":
        return _free_memory_of_windows()
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return 1024 * int(line.split()[1])
    except (OSError, ValueError, IndexError):
        pass
    try:  # macOS does not tell what is free: all there is
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def _free_memory_of_windows() -> int | None:
    import ctypes

    class Status(ctypes.Structure):
        """MEMORYSTATUSEX of the Windows interface."""

        _fields_ = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong)] + [
            (name, ctypes.c_ulonglong)
            for name in ("physical", "free", "pages", "free_pages", "virtual", "free_virtual", "extended")
        ]

    status = Status(length=ctypes.sizeof(Status))
    is_known = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.free) if is_known else None


def free_disk(folder: str | os.PathLike) -> int | None:
    """Bytes free on the disk of a folder that may not be there yet, or None where the system does not say."""
    place = Path(folder).absolute()
    for candidate in (place, *place.parents):
        if candidate.is_dir():
            try:
                return shutil.disk_usage(candidate).free
            except OSError:
                return None
    return None


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or what it was raised from, says that a disk or a quota has no room left."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = error.__cause__
    return False


def peak_memory() -> int | None:
    """Most bytes of memory that this process has taken so far, or None where the system does not say."""
    try:
        import resource
    except ImportError:
        return _peak_memory_of_windows()
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _peak_memory_of_windows() -> int | None:
    import ctypes

    class Counters(ctypes.Structure):
        """PROCESS_MEMORY_COUNTERS of the Windows interface."""

        _fields_ = [("length", ctypes.c_ulong), ("faults", ctypes.c_ulong)] + [
            (name, ctypes.c_size_t)
            for name in ("peak", "now", "pool_1", "pool_2", "pool_3", "pool_4", "pages", "peak_pages")
        ]

    counters = Counters(length=ctypes.sizeof(Counters))
    windows = ctypes.windll.kernel32
    windows.GetCurrentProcess.restype = ctypes.c_void_p
    ask = windows.K32GetProcessMemoryInfo
    ask.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong]
    is_known = ask(windows.GetCurrentProcess(), ctypes.byref(counters), counters.length)
    return int(counters.peak) if is_known else None
