"""Compile the engine for many machines of this platform, so that a zip needs no compiling at its first use.

    python tools/prepare_code.py FOLDER

Writes one file for each kernel that is called through its address (see engine/jit/prepared.py) and PLATFORM.txt, which
says what the code is for. Compiling again gives the same instructions, some names in another order. What the code would
need beyond the C library is an error. FOLDER must not be there yet, or be empty.
"""

import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNDEFINED = 0
SYMBOL = struct.Struct("<IBBHQQ")
"""Of a symbol table of 64-bit ELF: name, kind, visibility, section, value, size."""
C_LIBRARY = frozenset(
    "acos asin atan atan2 cos exp log memcpy memmove memset pow sin sincos sqrt tan tanh".split()
)


def main(folder: Path) -> int:
    """Prepare code in a process of its own, in which Numba makes code for the chosen level of processors."""
    from mannequin.engine.jit.prepared import LEVEL, is_level_reached

    if not is_level_reached():
        print(
            f"prepare_code: this is no {LEVEL} machine, so its code could not be tried here", file=sys.stderr
        )
        return 1
    with tempfile.TemporaryDirectory(prefix="mannequin-prepare-") as cache:
        level = {"NUMBA_CPU_NAME": LEVEL, "NUMBA_CPU_FEATURES": "", "MANNEQUIN_CACHE_DIR": cache}
        command = [sys.executable, __file__, str(folder), "--here"]
        return subprocess.run(command, env=os.environ | level, check=False).returncode


def prepare(folder: Path) -> None:
    """Compile every kernel that is called through its address, and write it to a folder."""
    from llvmlite import binding

    from mannequin.engine.jit.cache_folder import chosen
    from mannequin.engine.jit.entries import read_entry, write_entry
    from mannequin.engine.jit.late import KERNELS
    from mannequin.engine.jit.object_code import unpacked
    from mannequin.engine.jit.prepared import LEVEL, prepared_name

    compile_everything()
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in KERNELS:
        functions = kernel.functions()
        if not functions:
            raise SystemExit(
                f"prepare_code: {kernel.function.__name__} was not compiled: see compile_everything"
            )
        for function in functions:
            found = unpacked(read_entry(chosen() / f"{function.name}.code")[1])
            found = found._replace(needs=needed_symbols(found.code))
            path = folder / prepared_name(kernel.function, function.layouts, function.floats)
            write_entry(path, found.digest, found.packed())
            path.chmod(0o644)
    (folder / "PLATFORM.txt").write_text(f"{binding.get_process_triple()} {LEVEL}\n")


def compile_everything() -> None:
    """Compile the step loop, filters, what writes tables, muscles, responses, driving, mechanics in any state."""
    from mannequin.analysis.files.ahead import load_code
    from mannequin.engine import Mechanics, compile_system
    from mannequin.engine.runs.warmup import smallest_scenario, warmup
    from mannequin.models.scenarios.every_kernel import kernel_scenarios

    warmup(muscles=True)
    load_code()
    for scenario in kernel_scenarios():
        compile_system(scenario)
    mechanics = Mechanics(compile_system(smallest_scenario()))
    mechanics.jacobian(0)
    mechanics.mass_matrix()
    mechanics.inverse_dynamics(mechanics.accelerations())


def needed_symbols(elf: bytes) -> tuple[str, ...]:
    """Names that an object file does not define itself; an error where one is not of the C library."""
    if elf[:4] != b"\x7fELF":
        raise SystemExit("prepare_code: this platform's object files cannot be examined")
    offset, size, count = struct.unpack_from("<Q", elf, 40)[0], *struct.unpack_from("<HH", elf, 58)
    sections = [struct.unpack_from("<IIQQQQII", elf, offset + number * size) for number in range(count)]
    names = set()
    for kind, start, length, link in [(s[1], s[4], s[5], s[6]) for s in sections]:
        if kind != 2:  # a symbol table
            continue
        strings = sections[link][4]
        for at in range(start, start + length, SYMBOL.size):
            name, _, _, section, _, _ = SYMBOL.unpack_from(elf, at)
            if section == UNDEFINED and name:
                names.add(elf[strings + name : elf.index(b"\0", strings + name)].decode())
    foreign = names - C_LIBRARY
    if foreign:
        raise SystemExit(f"prepare_code: the code needs {', '.join(sorted(foreign))}")
    return tuple(sorted(names))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[2:] == ["--here"]:
        prepare(Path(sys.argv[1]))
        sys.exit(0)
    sys.exit(main(Path(sys.argv[1])))
