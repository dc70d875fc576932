"""Many environments of one task, stepped together: Gymnasium's vector interface over the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from .environments import Environments
from .tasks import Task


class VectorEnv(GymnasiumVectorEnv):  # type: ignore[type-arg]
    """Environments of a task that are stepped together, each with a generator and an episode of its own.

    Args:
        task: a name of ``nexdyn.gym.TASKS`` or a ``Task``.
        num_envs: how many.
        formulation: of the contact.
        autoreset_mode: when an episode that has ended begins anew: with the next step (default), in the same step (the last observation
            is in ``infos['final_obs']``), or when ``reset`` is called with ``options={'reset_mask': ...}``.
        threads: of the engine; all cores by default.
        parameters: of the task.
    """

    def __init__(
        self,
        task: str | Task,
        num_envs: int,
        *,
        formulation: str = "mujoco",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        threads: int | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._environments = Environments(task, num_envs, formulation=formulation, threads=threads, parameters=parameters)
        self.task = self._environments.task
        self.model = self._environments.model
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_fps": int(np.round(1 / self.task.dt))}
        low, high = self._environments.bounds.T
        self.single_action_space = spaces.Box(low=low, high=high, dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        q = np.tile(self.task.q0, (num_envs, 1))
        self._now = self._environments.reset(np.arange(num_envs), q, np.zeros((num_envs, self._environments.nv)))
        width = self.task.observe(self._now).shape[1]
        self.single_observation_space = spaces.Box(low=-np.inf, high=np.inf, shape=(width,), dtype=np.float64)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._most_steps = max_episode_steps if max_episode_steps is not None else self.task.max_episode_steps
        self._steps = np.zeros(num_envs, dtype=np.int64)
        self._ended = np.zeros(num_envs, dtype=bool)
        self._generators = [seeding.np_random(None)[0] for _ in range(num_envs)]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins all episodes, or those of ``options['reset_mask']``. Environment i has the seed ``seed + i``, or the i-th of a list."""
        mask = np.ones(self.num_envs, dtype=bool)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
                raise ValueError(f"reset_mask must be {self.num_envs} truth values, one of them true")
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else (seed or [None] * self.num_envs)
        for i in np.flatnonzero(mask):
            if seeds[i] is not None:
                self._generators[i] = seeding.np_random(seeds[i])[0]
        self._begin(mask)
        return self.task.observe(self._now), _mark(self.task.describe(self._now), mask)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Takes one action in each environment."""
        rows = np.asarray(actions)
        if rows.shape != self.action_space.shape:
            raise ValueError(f"the actions have shape {rows.shape}, not {self.action_space.shape}")
        waits_for_step = self.autoreset_mode is AutoresetMode.NEXT_STEP
        fresh = self._ended.copy() if waits_for_step else np.zeros(self.num_envs, dtype=bool)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise ValueError("episodes have ended: reset them with options={'reset_mask': terminations | truncations}")
        before = self._now
        self._now = self._environments.step(rows, fresh)
        reward, ended, info = self.task.judge(before, self._now, rows)
        failed = self._environments.failed & ~fresh
        ended = (ended | failed) & ~fresh
        reward = np.where(fresh, 0.0, reward)
        self._steps += ~fresh
        cut = (self._steps >= self._most_steps) & ~ended & ~fresh
        infos = _mark(info, ~fresh)
        if failed.any():
            infos.update(_mark({"diverged": failed}, failed))
        done = ended | cut
        if fresh.any():
            self._begin(fresh)
            for name, value in self.task.describe(self._now).items():
                infos[name] = np.where(_like(fresh, value), value, infos[name]) if name in infos else value
        if self.autoreset_mode is AutoresetMode.SAME_STEP and done.any():
            last = self.task.observe(self._now)
            rows_of = np.empty(self.num_envs, dtype=object)
            for i in np.flatnonzero(done):
                rows_of[i] = last[i].copy()
            infos["final_obs"], infos["_final_obs"] = rows_of, done.copy()
            infos["final_info"], infos["_final_info"] = _mark(info, done), done.copy()
            self._begin(done)
            self._ended = np.zeros(self.num_envs, dtype=bool)
        else:
            self._ended = done
        return self.task.observe(self._now), reward, ended, cut, infos

    def close_extras(self, **_: Any) -> None:
        """Lets the environments go."""
        self._environments.close()

    def _begin(self, mask: np.ndarray) -> None:
        indices = np.flatnonzero(mask)
        drawn = [self.task.draw(self._generators[i]) for i in indices]
        q, v = np.array([q for q, _ in drawn]), np.array([v for _, v in drawn])
        self._now = self._environments.reset(indices, q, v)
        self._steps[mask] = 0
        self._ended[mask] = False


def _mark(info: dict[str, np.ndarray], mask: np.ndarray) -> dict[str, Any]:
    marked: dict[str, Any] = {}
    for name, value in info.items():
        marked[name] = value
        marked[f"_{name}"] = mask.copy()
    return marked


def _like(mask: np.ndarray, value: np.ndarray) -> np.ndarray:
    return mask.reshape(-1, *[1] * (value.ndim - 1))
