"""Environments of one task in the engine: rows of states that stay there and are stepped together."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from .._engine import get_engine
from ..errors import EngineError
from ..live import LiveView
from ..simulation import Model, _close, _compile, _source
from .tasks import TASKS, Array, Readings, Task


class Environments:
    """``count`` environments of a task."""

    def __init__(
        self,
        task: str | Task,
        count: int,
        *,
        formulation: str = "mujoco",
        threads: int | None = None,
        parameters: dict[str, Any],
    ) -> None:
        self.task = _make_task(task, parameters)
        self.count = count
        self._engine = get_engine()
        coordinates = None if formulation == "ipc" else "joint"
        opened = self._engine.request(
            {
                "op": "openEnvironments",
                **_source(self.task.find_model()),
                "compile": _compile(formulation, coordinates, None),
                "count": count,
                "steps": self.task.frame_skip,
                "fields": list(self.task.fields),
                "threads": threads,
            }
        )
        self._id: int = opened["environments"]
        self.model = Model(opened["model"])
        self.nv: int = opened["velocities"]
        self.task.begin(self.model, np.array(opened["initialPosition"]), self.nv)
        unlimited = opened["controlLimited"] == 0
        bounds = np.array(opened["controlRange"])
        bounds[unlimited] = (-np.inf, np.inf)
        #: Least and largest control of each actuator.
        self.bounds = bounds.astype(np.float32)
        #: Whether the last step of an environment could not be taken.
        self.failed = np.zeros(count, dtype=bool)
        self._view: LiveView | None = None
        self._finalizer = weakref.finalize(self, _close, self._engine, self._id)

    def reset(self, indices: np.ndarray, q: Array, v: Array) -> Readings:
        """Begins episodes anew at joint positions and velocities."""
        return self._request(
            {
                "op": "resetEnvironments",
                "indices": np.asarray(indices, dtype=np.int32),
                "position": np.ascontiguousarray(q, dtype=np.float64),
                "velocity": np.ascontiguousarray(v, dtype=np.float64),
            }
        )

    def step(self, control: Array, skip: np.ndarray | None = None) -> Readings:
        """Takes one action in all environments but those to skip."""
        request: dict[str, Any] = {"op": "stepEnvironments", "control": np.ascontiguousarray(control, dtype=np.float64)}
        if skip is not None and skip.any():
            request["skip"] = skip.astype(np.uint8)
        return self._request(request)

    def picture(self, index: int, **options: Any) -> np.ndarray:
        """A picture of an environment: (height, width, 3) bytes."""
        return self._engine.request({"op": "pictureEnvironment", "id": self._id, "index": index, "options": options}).copy()

    def show(self, seconds: float) -> None:
        """Shows the first environment in the browser, ``seconds`` after the picture before it."""
        if self._view is None:
            self._view = LiveView(self._engine.request({"op": "viewEnvironment", "id": self._id}).tobytes())
        now = self._engine.request({"op": "posesEnvironment", "id": self._id})
        self._view.show(now["time"], now["position"], now["orientation"])
        self._view.wait(seconds)

    def close(self) -> None:
        """Lets the environments go."""
        if self._view is not None:
            self._view.close()
            self._view = None
        self._finalizer()

    def _request(self, request: dict[str, Any]) -> Readings:
        if self._engine is not get_engine():
            raise EngineError("the engine of these environments has ended: make them again")
        answer = self._engine.request({**request, "id": self._id})
        self.failed = answer.pop("failed") != 0
        q, v = answer.pop("position"), answer.pop("velocity")
        return Readings(q=q, v=v, fields=answer)


def _make_task(task: str | Task, parameters: dict[str, Any]) -> Task:
    if isinstance(task, Task):
        return task
    if isinstance(task, type) and issubclass(task, Task):
        return task(**parameters)
    name = task.split("/")[-1].split("-v")[0]
    if name not in TASKS:
        raise ValueError(f"there is no task {task!r}; there are {', '.join(sorted(TASKS))}")
    return TASKS[name](**parameters)
