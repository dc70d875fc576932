"""Puts the engine into the package: in a clone it is built first, with Node; in a source distribution it is there already."""

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
ENGINE = HERE / "src" / "nexdyn" / "engine"
SCENES = HERE / "src" / "nexdyn" / "scenes"
BUILDER = HERE.parent / "scripts" / "python-engine.mjs"


def put_engine() -> None:
    """Builds the engine where this is a clone."""
    if not BUILDER.exists():
        if not (ENGINE / "bridge.js").exists():
            raise SystemExit("nexdyn: the engine is missing from this source distribution")
        return
    node = os.environ.get("NEXDYN_NODE") or shutil.which("node")
    if node is None:
        raise SystemExit("nexdyn: building the engine needs Node 20.19 or newer: see https://nodejs.org")
    subprocess.run([node, str(BUILDER), str(ENGINE)], check=True)
    shutil.rmtree(SCENES, ignore_errors=True)
    shutil.copytree(HERE.parent / "scenes", SCENES)


class BuildWithEngine(build_py):
    def run(self) -> None:
        put_engine()
        super().run()


class SourceWithEngine(sdist):
    def run(self) -> None:
        put_engine()
        super().run()


setup(cmdclass={"build_py": BuildWithEngine, "sdist": SourceWithEngine})
