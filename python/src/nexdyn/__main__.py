"""The command line: ``python -m nexdyn run arch``, or ``nexdyn run arch`` once the package is installed."""

from __future__ import annotations

import os
import subprocess
import sys

from ._engine import engine_environment, find_entry, find_node
from .errors import EngineError


def main() -> None:
    """Runs a command of the command line and ends with its exit code."""
    try:
        command = [find_node(), find_entry("nexdyn.js"), *sys.argv[1:]]
    except EngineError as error:
        sys.exit(f"nexdyn: {error}")
    if os.name == "posix":
        os.execve(command[0], command, engine_environment())
    sys.exit(subprocess.run(command, check=False, env=engine_environment()).returncode)


if __name__ == "__main__":
    main()
