"""Many environments of one scene on all cores. Results do not depend on the number of threads."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._engine import get_engine
from .errors import NexdynError
from .simulation import Array, Model, SceneLike, _close, _compile, _own, _source


@dataclass(frozen=True)
class BatchResult:
    """What a batch came to, environment by environment."""

    #: Snapshots of the ends, one row per environment; NaN where one failed.
    state: Array
    #: Steps taken: (environments,).
    steps: npt.NDArray[np.int64]
    #: ``'finished'``, ``'rest'``, ``'stopped'``, ``'diverged'``, ``'unstable'``, ``'timed-out'``, ``'failed'``.
    status: list[str]
    #: Hashes of the ends.
    hash: list[str]
    #: Rewards of the program, summed.
    reward: Array
    #: What was recorded by field: (environments, frames, numbers); NaN after the end of an environment. ``time`` is (environments, frames).
    frames: dict[str, Array]
    #: Errors by environment.
    errors: dict[int, str]

    @property
    def failed(self) -> list[int]:
        """Environments that did not finish."""
        return [i for i, status in enumerate(self.status) if status in ("diverged", "unstable", "timed-out", "failed")]


class Batch:
    """Threads that keep a compiled scene for several batches. Close it at the end, or use it in a ``with``."""

    def __init__(
        self,
        scene: SceneLike,
        *,
        formulation: str | None = None,
        coordinates: str | None = None,
        timestep: float | None = None,
        workers: int | None = None,
        set: Mapping[str, Any] | None = None,
        allow_outside: bool = False,
    ) -> None:
        self._engine = get_engine()
        opened = self._engine.request(
            {
                "op": "openBatch",
                **_source(scene, allow_outside, None, set),
                "compile": _compile(formulation, coordinates, timestep),
                "workers": workers,
            }
        )
        self._id: int = opened["batch"]
        self.model = Model(opened["model"])
        self.unsupported: list[dict[str, Any]] = opened["unsupported"]
        self._finalizer = weakref.finalize(self, _close, self._engine, self._id)

    def run(
        self,
        environments: int | Sequence[Mapping[str, Any]],
        steps: int,
        *,
        controls: npt.ArrayLike | None = None,
        control_every: int = 1,
        record: Sequence[str] = (),
        every: int = 1,
        program: str | None = None,
    ) -> BatchResult:
        """Runs all environments and waits for the last.

        Args:
            environments: how many, or one dictionary each: ``state`` (a snapshot), ``set`` (parts of the state, as in
                ``{'velocity': [...]}``), ``changes`` (parameters, as in ``{'values': {'bodies.cube.mass': 2}}``), ``keyframe``.
            steps: of each.
            controls: (environments, rows, nu), or (environments, nu) for controls that stay.
            control_every: steps between two rows of controls.
            record: fields that are kept over time, as in ``['position', 'velocity']``.
            every: steps between two frames.
            program: address of a JavaScript module whose ``act``, ``reward`` and ``isOver`` run in the threads.
        """
        items: list[dict[str, Any]] = (
            [{} for _ in range(environments)] if isinstance(environments, int) else [_plain(item) for item in environments]
        )
        if controls is not None:
            _add_controls(items, np.ascontiguousarray(controls, dtype=np.float64), control_every, self.model.nu)
        options: dict[str, Any] = {"steps": int(steps), "program": program}
        if record:
            options["record"] = {"fields": list(record), "every": int(every)}
        answer = self._engine.request({"op": "runBatch", "batch": self._id, "environments": items, "options": options})
        return _read_result(answer["results"], record)

    def close(self) -> None:
        """Ends the threads."""
        self._finalizer()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Environments:
    """Environments of a scene that stay in their threads, for many short calls: ``step(controls)``, ``reset(indices)``.

    >>> envs = nexdyn.Environments('robot.xml', 256, observe=['position', 'velocity', 'sensorData'])
    >>> envs.step(controls, 5)
    >>> envs['position']         # (256, nq)
    """

    def __init__(
        self,
        scene: SceneLike,
        environments: int | Sequence[Mapping[str, Any]],
        *,
        observe: Sequence[str] = ("position", "velocity"),
        formulation: str | None = None,
        coordinates: str | None = None,
        timestep: float | None = None,
        threads: int | None = None,
        set: Mapping[str, Any] | None = None,
        program: str | None = None,
        allow_outside: bool = False,
    ) -> None:
        self._engine = get_engine()
        starts = environments if isinstance(environments, int) else [_plain(item) for item in environments]
        options = {"environments": starts, "observe": list(observe), "threads": threads, "program": program}
        options["compile"] = _compile(formulation, coordinates, timestep)
        opened = self._engine.request({"op": "openResident", **_source(scene, allow_outside, None, set), "options": options})
        self._id: int = opened["id"]
        self.model = Model(opened["model"])
        self.unsupported: list[dict[str, Any]] = opened["unsupported"]
        self._statuses = {number: name for name, number in opened["statuses"].items()}
        self._finalizer = weakref.finalize(self, _close, self._engine, self._id)
        self._take(opened)

    def __getitem__(self, field: str) -> Array:
        """A field that is observed: (environments, numbers), of the last call."""
        return self.fields[field]

    @property
    def status(self) -> list[str]:
        """Of each environment: ``'running'``, or why it waits for its reset."""
        return [self._statuses[int(number)] for number in self._status]

    def step(self, controls: npt.ArrayLike | None = None, steps: int = 1) -> dict[str, Array]:
        """Advances all environments that run, with one row of controls each; the fields after it."""
        rows = None if controls is None else np.ascontiguousarray(controls, dtype=np.float64)
        if rows is not None and rows.shape != (len(self.time), self.model.nu):
            raise NexdynError(
                "invalid-argument", f"controls have shape {rows.shape}", hint=f"give ({len(self.time)}, {self.model.nu})"
            )
        flat = None if rows is None else rows.reshape(-1)
        return self._take(self._engine.request({"op": "stepResident", "id": self._id, "controls": flat, "steps": int(steps)}))

    def reset(
        self, indices: Sequence[int] | None = None, starts: Sequence[Mapping[str, Any] | npt.ArrayLike] | None = None
    ) -> dict[str, Array]:
        """Puts environments back to their starts, or to others: snapshots, or dictionaries as for ``Batch.run``."""
        chosen = list(range(len(self.time))) if indices is None else [int(i) for i in indices]
        given = None
        if starts is not None:
            given = [_plain(item) if isinstance(item, Mapping) else np.ascontiguousarray(item, dtype=np.float64) for item in starts]
        return self._take(self._engine.request({"op": "resetResident", "id": self._id, "indices": chosen, "starts": given}))

    def close(self) -> None:
        """Ends the threads."""
        self._finalizer()

    def __enter__(self) -> Environments:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, answer: dict[str, Any]) -> dict[str, Array]:
        #: What is observed, by name: (environments, numbers).
        self.fields: dict[str, Array] = answer["fields"]
        #: Rewards of the program in the last call.
        self.reward: Array = answer["reward"]
        #: s.
        self.time: Array = answer["time"]
        self._status: Array = answer["status"]
        return self.fields


def simulate_batch(scene: SceneLike, environments: int | Sequence[Mapping[str, Any]], steps: int, **options: Any) -> BatchResult:
    """Runs many environments of a scene on all cores: ``Batch`` and ``Batch.run`` in one call, with the options of both."""
    own = {"formulation", "coordinates", "timestep", "workers", "set", "allow_outside"}
    opening = {key: value for key, value in options.items() if key in own}
    with Batch(scene, **opening) as batch:
        return batch.run(environments, steps, **{key: value for key, value in options.items() if key not in own})


def _plain(environment: Mapping[str, Any]) -> dict[str, Any]:
    item = dict(environment)
    if "state" in item:
        item["state"] = np.ascontiguousarray(item["state"], dtype=np.float64)
    if "set" in item:
        item["set"] = {key: np.asarray(value, dtype=np.float64).reshape(-1) for key, value in item["set"].items()}
    return item


def _add_controls(items: list[dict[str, Any]], controls: Array, every: int, nu: int) -> None:
    if controls.ndim == 2:
        controls = controls[:, None, :]
    if controls.ndim != 3 or controls.shape[0] != len(items) or controls.shape[2] != nu:
        raise NexdynError(
            "invalid-argument",
            f"controls have shape {controls.shape}",
            hint=f"(environments, rows, actuators) = ({len(items)}, rows, {nu})",
        )
    for item, rows in zip(items, controls, strict=True):
        item["controls"] = {"rows": rows.reshape(-1), "every": int(every)}


def _read_result(results: list[dict[str, Any]], record: Sequence[str]) -> BatchResult:
    width = max((len(item["state"]) for item in results), default=0)
    state = np.full((len(results), width), np.nan)
    for row, item in zip(state, results, strict=True):
        row[: len(item["state"])] = item["state"]
    frames: dict[str, Array] = {}
    if record:
        most = max((len(item["frames"]["time"]) for item in results if item.get("frames")), default=0)
        frames["time"] = np.full((len(results), most), np.nan)
        for e, item in enumerate(results):
            kept = item.get("frames")
            if not kept:
                continue
            count = len(kept["time"])
            frames["time"][e, :count] = kept["time"]
            for name in record:
                values = kept["fields"][name].reshape(count, -1)
                frames.setdefault(name, np.full((len(results), most, values.shape[1]), np.nan))[e, :count] = values
    return BatchResult(
        state=state,
        steps=np.array([item["steps"] for item in results], dtype=np.int64),
        status=[item["status"] for item in results],
        hash=[item["hash"] for item in results],
        reward=np.array([item["reward"] for item in results], dtype=np.float64),
        frames=frames,
        errors={e: _own(item["error"])["message"] for e, item in enumerate(results) if item.get("error")},
    )
