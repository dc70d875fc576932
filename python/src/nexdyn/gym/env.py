"""One environment with the interface of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from .environments import Environments
from .tasks import Readings, Task


class Env(gymnasium.Env):  # type: ignore[type-arg]
    """An environment of a task, under the formulation of your choice.

    Args:
        task: a name of ``nexdyn.gym.TASKS``, as in ``'Ant'``, or a ``Task``.
        formulation: ``'mujoco'``, ``'sap'``, ``'ccp'``, ``'ipc'`` or ``'penalty'``.
        render_mode: ``'rgb_array'``, ``'human'`` (a live view in the browser) or ``None``.
        parameters: of the task, as in ``reset_noise_scale=0``.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "render_fps": 20}

    def __init__(
        self, task: str | Task = "Ant", *, formulation: str = "mujoco", render_mode: str | None = None, **parameters: Any
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode {render_mode!r} is not one of {self.metadata['render_modes']}")
        self._environments = Environments(task, 1, formulation=formulation, parameters=parameters)
        self.task = self._environments.task
        self.model = self._environments.model
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": int(np.round(1 / self.task.dt))}
        low, high = self._environments.bounds.T
        self.action_space = spaces.Box(low=low, high=high, dtype=np.float32)
        self._now = self._begin(self.task.q0, np.zeros(self._environments.nv))
        width = self.task.observe(self._now).shape[1]
        self.observation_space = spaces.Box(low=-np.inf, high=np.inf, shape=(width,), dtype=np.float64)

    @property
    def dt(self) -> float:
        """Time between two actions, s."""
        return self.task.dt

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode."""
        super().reset(seed=seed)
        self._now = self._begin(*self.task.draw(self.np_random))
        if self.render_mode == "human":
            self.render()
        return self.task.observe(self._now)[0], _first(self.task.describe(self._now))

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Takes an action."""
        row = np.asarray(action)
        if row.shape != self.action_space.shape:
            raise ValueError(f"the action has shape {row.shape}, not {self.action_space.shape}")
        before = self._now
        self._now = self._environments.step(row[None])
        reward, ended, info = self.task.judge(before, self._now, row[None])
        failed = bool(self._environments.failed[0])
        if self.render_mode == "human":
            self.render()
        told = _first(info)
        if failed:
            told["diverged"] = True
        return self.task.observe(self._now)[0], float(reward[0]), bool(ended[0]) or failed, False, told

    def render(self) -> np.ndarray | None:
        """A picture of the environment, (height, width, 3) bytes; with ``'human'`` it is shown in the browser, at the pace of the task."""
        if self.render_mode == "rgb_array":
            return self._environments.picture(0, follow=1)
        if self.render_mode == "human":
            self._environments.show(self.task.dt)
        return None

    def close(self) -> None:
        """Lets the environment go."""
        self._environments.close()

    def _begin(self, q: np.ndarray, v: np.ndarray) -> Readings:
        return self._environments.reset(np.zeros(1), np.asarray(q)[None], np.asarray(v)[None])


def _first(info: dict[str, np.ndarray]) -> dict[str, Any]:
    return {name: value[0] for name, value in info.items()}

