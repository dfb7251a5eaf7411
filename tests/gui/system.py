"""A Debian with Blender in a folder of the ignored cache: made once, entered with chroot in namespaces of its own.

The namespaces make it end cleanly: mounts and processes of a session are gone when its first process is, however it
ends. Everything comes from the places that debootstrap and apt of this machine are set up for.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = ROOT / ".cache" / "gui"
RELEASE = "trixie"
PACKAGES = (
    "blender", "xvfb", "xauth", "xdotool", "libgl1-mesa-dri", "libegl1", "x11-apps", "imagemagick", "python3-numpy",
)  # fmt: skip
READY = ".mannequin-ready"
"""File in the system's top folder that says it is complete."""
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
NAMESPACES = ("unshare", "--mount", "--pid", "--fork", "--kill-child")


class CannotBeHad(Exception):
    """This machine cannot have such a system; the message says why."""


def prepare() -> Path:
    """Return the top folder of the system, making it if it is not there."""
    folder = CACHE / RELEASE
    require_rights_and_tools()
    if not (folder / READY).exists():
        partial = CACHE / f"{RELEASE}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        print("gui-test: making a Debian with Blender, once: some minutes, 2 GB", flush=True)
        run(["debootstrap", "--variant=minbase", RELEASE, str(partial)], "debootstrap")
        install_packages(partial)
        (partial / READY).touch()
        partial.rename(folder)
    return folder


def require_rights_and_tools() -> None:
    """Say what is missing before anything is tried."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise CannotBeHad("making and entering the Debian with Blender needs root")
    for tool in ("debootstrap", "unshare", "chroot"):
        if shutil.which(tool, path=f"{os.environ['PATH']}:{PATH}") is None:
            raise CannotBeHad(f"the program '{tool}' is not installed")
    if subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode != 0:
        raise CannotBeHad("this machine does not allow new namespaces (unshare --mount --pid)")


def install_packages(system: Path) -> None:
    """Install Blender, a display without a screen, and the tools that work it."""
    if Path("/etc/resolv.conf").exists():
        shutil.copy("/etc/resolv.conf", system / "etc" / "resolv.conf")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run(inside(system, ["apt-get", "-q", "update"], quiet), "apt-get update")
    install = ["apt-get", "-q", "install", "-y", "--no-install-recommends", *PACKAGES]
    run(inside(system, install, quiet), "installing Blender")


def run(command: Sequence[str], task: str) -> None:
    """Run a command; where it fails, such a system cannot be had."""
    environment = os.environ | {"PATH": f"{os.environ['PATH']}:{PATH}"}
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        raise CannotBeHad(f"{task} failed: {(result.stderr or result.stdout).strip()[-2000:]}")


def inside(
    system: Path,
    command: Sequence[str],
    environment: Mapping[str, str],
    folders: Mapping[str, Path] | None = None,
) -> list[str]:
    """Return the command that runs `command` in the system; `folders` are shown there under the given paths."""
    mounts = [("proc", "proc", "-t"), ("/dev", "dev", "--rbind")]
    for path, folder in (folders or {}).items():
        (system / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
        mounts.append((str(folder), path.lstrip("/"), "--bind"))
    lines = ["set -e", 'system="$1"; shift']
    for source, target, option in mounts:
        kind = f"{option} proc" if option == "-t" else option
        lines.append(f'mount {kind} "{source}" "$system/{target}"')
    # Not exec: an X server gives no sign of being ready to a first process of a namespace.
    lines += ['status=0; chroot "$system" "$@" || status=$?', "exit $status"]
    settings = [f"{name}={value}" for name, value in {"PATH": PATH, "LANG": "C.UTF-8", **environment}.items()]
    return [*NAMESPACES, "sh", "-c", "\n".join(lines), "sh", str(system), "env", "-i", *settings, *command]
