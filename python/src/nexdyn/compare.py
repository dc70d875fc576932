"""A scene under several formulations, measured with the same metrics."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ._engine import get_engine
from .errors import NexdynError
from .scene import Scene
from .simulation import SceneLike


@dataclass(frozen=True)
class Comparison:
    """What ``compare`` found. In a notebook it shows the report."""

    #: One entry per formulation: status, metrics with their units, cost.
    runs: dict[str, dict[str, Any]]
    #: The report as one HTML page.
    html: str

    def _repr_html_(self) -> str:
        from .notebook import frame

        return frame(self.html, 640)

    def __repr__(self) -> str:
        lines = [f"{name}: {run.get('status')}" for name, run in self.runs.items()]
        return "<nexdyn.Comparison " + ", ".join(lines) + ">"


def compare(
    scene: SceneLike,
    *,
    formulations: Sequence[str] | None = None,
    seconds: float = 1.0,
    timestep: float | None = None,
    accuracy: float | None = None,
    refine: int = 0,
) -> Comparison:
    """Runs a scene under several formulations and measures every step with the same metrics.

    Args:
        scene: as for ``nexdyn.load``.
        formulations: names; all but ``penalty`` where it is left out.
        seconds: simulated time.
        timestep: s; the scene decides where it is left out.
        accuracy: compare at equal error instead of at equal time steps.
        refine: halvings of the time step in the refinement study; 2 give orders of convergence.
    """
    with tempfile.TemporaryDirectory(prefix="nexdyn-") as folder:
        report = os.path.join(folder, "report.html")
        args = ["compare", _write_scene(scene, folder), "--json", "--report", report]
        args += ["--time", repr(float(seconds)), "--refine", str(int(refine)), "--quiet"]
        if formulations is not None:
            args += ["--formulations", ",".join(formulations)]
        if timestep is not None:
            args += ["--dt", repr(float(timestep))]
        if accuracy is not None:
            args += ["--accuracy", repr(float(accuracy))]
        answer = get_engine().request({"op": "command", "args": args})
        lines = [json.loads(line) for line in answer["data"].splitlines() if line.startswith("{")]
        if not lines:
            raise NexdynError("invalid-argument", answer["messages"].strip().removeprefix("nexdyn: "))
        with open(report, encoding="utf-8") as file:
            html = file.read()
    return Comparison({line["formulation"]: line for line in lines if "formulation" in line}, html)


def _write_scene(scene: SceneLike, folder: str) -> str:
    if isinstance(scene, (str, os.PathLike)):
        return os.path.abspath(scene) if os.path.exists(scene) else os.fspath(scene)
    path = os.path.join(folder, "scene.json")
    data = scene.to_dict() if isinstance(scene, Scene) else dict(scene)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file)
    return path
