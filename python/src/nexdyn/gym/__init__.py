"""Environments for learning, with Gymnasium's interface, under the contact formulation of your choice.

>>> env = nexdyn.gym.make('Ant', formulation='sap')
>>> envs = nexdyn.gym.VectorEnv('HalfCheetah', 256, formulation='mujoco')

The eight tasks have the observations, rewards and terminations of Gymnasium's MuJoCo tasks, version 5. They are also registered with
Gymnasium: ``gymnasium.make('nexdyn/Ant-v5', formulation='ipc')``.
"""

from __future__ import annotations

from typing import Any

try:
    import gymnasium
except ImportError as error:
    raise ImportError("nexdyn.gym needs gymnasium: pip install 'nexdyn[gym]'") from error

from .env import Env
from .tasks import TASKS, Readings, Task
from .vector_env import VectorEnv

__all__ = ["TASKS", "Env", "Readings", "Task", "VectorEnv", "make"]


def make(task: str | Task, *, max_episode_steps: int | None = None, **options: Any) -> gymnasium.Env:  # type: ignore[type-arg]
    """An environment whose episodes are cut off after ``max_episode_steps`` actions."""
    env = Env(task, **options)
    return gymnasium.wrappers.TimeLimit(env, max_episode_steps or env.task.max_episode_steps)


for _name, _task in TASKS.items():
    _id = f"nexdyn/{_name}-v5"
    if _id not in gymnasium.registry:
        gymnasium.register(
            id=_id,
            entry_point="nexdyn.gym.env:Env",
            vector_entry_point="nexdyn.gym.vector_env:VectorEnv",
            max_episode_steps=_task.max_episode_steps,
            kwargs={"task": _name},
        )
