"""Debians with Blender in folders of the ignored cache: made once, entered with chroot in namespaces of their own.

The namespaces make it end cleanly: mounts and processes of a session are gone when its first process is, however it
ends. Everything comes from the places that debootstrap and apt of this machine are set up for.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = ROOT / ".cache" / "gui"
PACKAGES = (
    "blender", "xvfb", "xauth", "xdotool", "libgl1-mesa-dri", "libegl1", "x11-apps", "imagemagick", "python3-numpy",
    "python3-xlib",
)  # fmt: skip


@dataclass(frozen=True)
class Release:
    """A Debian release, with the line of Blender and the line of Python that it has."""

    name: str
    blender: str
    python: str
    display: int
    """Number of its display: namespaces do not part the sockets of displays"""
    more_packages: tuple[str, ...] = ()
    """What its Blender needs and does not ask for"""
    apt_options: tuple[str, ...] = ()

    @property
    def packages(self) -> tuple[str, ...]:
        """Everything to install."""
        return PACKAGES + self.more_packages


RELEASES = (
    Release("trixie", "4.3", "3.13", 99),
    # A snapshot of the moving release may be older than its own date of expiry.
    Release(
        "sid",
        "5.2",
        "3.14",
        199,
        ("python3-cattr", "python3-requests"),
        ("-o", "Acquire::Check-Valid-Until=false"),
    ),
)
READY = ".mannequin-ready"
"""File in the system's top folder that says it is complete: it lists the packages that were asked for."""
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
TOOLS = {"debootstrap": "debootstrap", "unshare": "util-linux", "chroot": "coreutils"}
"""Programs that making and entering a system needs, and the Debian packages that have them."""
NAMESPACES = ("unshare", "--mount", "--pid", "--fork", "--kill-child")


class NotHere(Exception):
    """This is not a machine for such a system: not Debian's, not root, or no namespaces. The message says which."""


class CannotBeMade(Exception):
    """This machine should be able to have such a system, but making it failed; the message says how."""


def prepare(release: Release) -> Path:
    """Return the top folder of a release's system; make it, or add what it lacks, if need be."""
    folder = CACHE / release.name
    if not (folder / READY).exists():
        partial = CACHE / f"{release.name}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        print(f"gui-test: making a Debian {release.name} with Blender, once: some minutes, 2 GB", flush=True)
        run(["debootstrap", "--variant=minbase", release.name, str(partial)], "debootstrap")
        install_packages(partial, release)
        partial.rename(folder)
    elif (folder / READY).read_text().split() != list(release.packages):
        install_packages(folder, release)
    return folder


def require_rights_and_tools() -> None:
    """Say what is missing before anything is tried; as root, install the programs that are missing."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise NotHere("making and entering the Debian with Blender needs root")
    if find("apt-get") is None:
        raise NotHere("it needs the tools of Debian, and there is no apt-get")
    missing = [package for program, package in TOOLS.items() if find(program) is None]
    if missing:
        print(f"gui-test: installing {' '.join(missing)}", flush=True)
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        run(["apt-get", "-q", "update"], "apt-get update", quiet)
        install = ["apt-get", "-q", "install", "-y", "--no-install-recommends", *missing]
        run(install, f"installing {' '.join(missing)}", quiet)
    if subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode != 0:
        raise NotHere("this machine does not allow new namespaces (unshare --mount --pid)")


def find(program: str) -> str | None:
    """Return the path of a program, those for root included; None where it is not installed."""
    return shutil.which(program, path=f"{os.environ['PATH']}:{PATH}")


def install_packages(system: Path, release: Release) -> None:
    """Install Blender, a display without a screen, and the tools that work it."""
    if Path("/etc/resolv.conf").exists():
        shutil.copy("/etc/resolv.conf", system / "etc" / "resolv.conf")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run(inside(system, ["apt-get", "-q", *release.apt_options, "update"], quiet), "apt-get update")
    install = ["apt-get", "-q", "install", "-y", "--no-install-recommends", *release.packages]
    run(inside(system, install, quiet), "installing Blender")
    # The packages were unpacked; what was downloaded is only in the way.
    run(inside(system, ["apt-get", "clean"], quiet), "apt-get clean")
    (system / READY).write_text("\n".join(release.packages))


def run(command: Sequence[str], task: str, more: Mapping[str, str] | None = None) -> None:
    """Run a command, with more variables if need be; where it fails, the system cannot be made."""
    environment = os.environ | {"PATH": f"{os.environ['PATH']}:{PATH}"} | (more or {})
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        raise CannotBeMade(f"{task} failed: {(result.stderr or result.stdout).strip()[-2000:]}")


def inside(
    system: Path,
    command: Sequence[str],
    environment: Mapping[str, str],
    folders: Mapping[str, Path] | None = None,
) -> list[str]:
    """Return the command that runs `command` in the system; `folders` are shown there under the given paths."""
    # An empty /tmp: what an earlier session left there must not pass for what this one should make.
    mounts = [("proc", "proc", "-t"), ("tmpfs", "tmp", "-t"), ("/dev", "dev", "--rbind")]
    for path, folder in (folders or {}).items():
        (system / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
        mounts.append((str(folder), path.lstrip("/"), "--bind"))
    lines = ["set -e", 'system="$1"; shift']
    for source, target, option in mounts:
        kind = f"{option} {source}" if option == "-t" else option
        lines.append(f'mount {kind} "{source}" "$system/{target}"')
    # Not exec: an X server gives no sign of being ready to a first process of a namespace.
    lines += ['status=0; chroot "$system" "$@" || status=$?', "exit $status"]
    settings = [f"{name}={value}" for name, value in {"PATH": PATH, "LANG": "C.UTF-8", **environment}.items()]
    return [*NAMESPACES, "sh", "-c", "\n".join(lines), "sh", str(system), "env", "-i", *settings, *command]
