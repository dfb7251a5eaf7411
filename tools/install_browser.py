"""Install Chromium from the distribution's packages, for the tests that open pages in a browser.

    python3 tools/install_browser.py

Does nothing where a browser is there. Exit codes: 0 there is one; 1 it could not be installed; 3 there is none and none
can be installed here (no root, or no apt-get).
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
EXIT_FAILED, EXIT_NOT_HERE = 1, 3


def main() -> int:
    """Install the browser where it is missing and can be installed."""
    if any(map(shutil.which, NAMES)):
        return 0
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(
            "install_browser: no Chromium here; as root on Debian: apt-get install chromium", file=sys.stderr
        )
        return EXIT_NOT_HERE
    print("install_browser: installing Chromium", flush=True)
    command = "apt-get update && apt-get install --yes --no-install-recommends chromium fonts-dejavu-core"
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.call(["sh", "-c", command], env=environment, stdout=subprocess.DEVNULL)
    return EXIT_FAILED if done else 0


if __name__ == "__main__":
    sys.exit(main())
