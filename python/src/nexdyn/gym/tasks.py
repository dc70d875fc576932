"""Tasks: what an agent sees, what it is paid for, and when an episode ends.

A task works on many environments at once: every array has one row per environment. The eight tasks here have the observations, rewards
and terminations of Gymnasium's MuJoCo tasks, version 5, and take their models from the installed Gymnasium. Like there, poses (``body``,
``site``) are those at the start of the last step, positions and velocities those at its end.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Readings:
    """What is known of the environments, row by row."""

    #: Joint positions: (environments, nq).
    q: Array
    #: Joint velocities: (environments, nv).
    v: Array
    #: Fields of the task: ``bodyPosition``, ``sitePosition``, ``cinert``, ``cvel``, ``cfrc``, ``actuatorJointForce``, ``constraintForce``.
    fields: dict[str, Array]

    def body(self, index: int) -> Array:
        """Position of a body: (environments, 3)."""
        return self.fields["bodyPosition"][:, 3 * index : 3 * index + 3]


class Task:
    """A task. Derive from it for one of your own: give the file and write ``draw``, ``observe`` and ``judge``."""

    #: Model file: a path, or the name of a file of Gymnasium.
    model: str
    #: Steps of the simulation per action.
    frame_skip: int = 5
    #: Actions after which an episode is cut off.
    max_episode_steps: int = 1000
    #: What ``observe`` and ``judge`` read besides positions and velocities.
    fields: tuple[str, ...] = ()

    def __init__(self, **parameters: Any) -> None:
        for name, value in parameters.items():
            if not hasattr(type(self), name):
                known = sorted(n for n in dir(type(self)) if not n.startswith("_") and not callable(getattr(type(self), n)))
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}")
            setattr(self, name, value)

    def begin(self, model: Any, initial_q: Array, nv: int) -> None:
        """Called once, when the model is known."""
        self.q0 = initial_q
        self.nv = nv
        self.dt = self.frame_skip * model.timestep
        self.bodies = {name: i for i, name in enumerate(model.bodies)}

    def find_model(self) -> str:
        """Path of the model file."""
        if os.path.exists(self.model):
            return self.model
        import gymnasium

        return os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets", self.model)

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Joint positions and velocities of a new episode."""
        raise NotImplementedError

    def observe(self, now: Readings) -> Array:
        """What the agent sees: (environments, numbers)."""
        raise NotImplementedError

    def judge(self, before: Readings, now: Readings, action: Array) -> tuple[Array, npt.NDArray[np.bool_], dict[str, Array]]:
        """Rewards, whether episodes have ended, and what else there is to know."""
        raise NotImplementedError

    def describe(self, now: Readings) -> dict[str, Array]:
        """What there is to know after a reset."""
        return {}


class _Walker(Task):
    """What the tasks that walk forward have in common."""

    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    reset_noise_scale: float = 5e-3
    exclude_current_positions_from_observation: bool = True
    #: Numbers of the position that the agent does not see.
    _hidden = 1

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        s = self.reset_noise_scale
        q = self.q0 + rng.uniform(low=-s, high=s, size=len(self.q0))
        return q, self._draw_velocity(rng)

    def _draw_velocity(self, rng: np.random.Generator) -> Array:
        s = self.reset_noise_scale
        return rng.uniform(low=-s, high=s, size=self.nv)

    def _see(self, now: Readings) -> Array:
        return now.q[:, self._hidden :] if self.exclude_current_positions_from_observation else now.q

    def _control_cost(self, action: Array) -> Array:
        return self.ctrl_cost_weight * np.sum(np.square(action), axis=1)

    def _is_healthy(self, now: Readings) -> npt.NDArray[np.bool_]:
        raise NotImplementedError

    def _end(self, healthy: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        return ~healthy & self.terminate_when_unhealthy


class _Planar(_Walker):
    """Hopper and walker: in the x-z plane, velocities seen up to 10."""

    frame_skip = 4
    healthy_z_range: tuple[float, float] = (0.8, 2.0)
    healthy_angle_range: tuple[float, float] = (-1.0, 1.0)

    def observe(self, now: Readings) -> Array:
        return np.concatenate([self._see(now), np.clip(now.v, -10, 10)], axis=1)

    def judge(self, before: Readings, now: Readings, action: Array) -> tuple[Array, npt.NDArray[np.bool_], dict[str, Array]]:
        speed = (now.q[:, 0] - before.q[:, 0]) / self.dt
        healthy = self._is_healthy(now)
        forward = self.forward_reward_weight * speed
        survive = self.healthy_reward * healthy
        cost = self._control_cost(action)
        info = {
            **self.describe(now),
            "x_velocity": speed,
            "reward_forward": forward,
            "reward_ctrl": -cost,
            "reward_survive": survive,
        }
        return forward + survive - cost, self._end(healthy), info

    def describe(self, now: Readings) -> dict[str, Array]:
        return {"x_position": now.q[:, 0], "z_distance_from_origin": now.q[:, 1] - self.q0[1]}

    def _is_healthy(self, now: Readings) -> npt.NDArray[np.bool_]:
        z, angle = now.q[:, 1], now.q[:, 2]
        return _within(z, self.healthy_z_range) & _within(angle, self.healthy_angle_range)


class Hopper(_Planar):
    """One leg that hops forward."""

    model = "hopper.xml"
    healthy_state_range: tuple[float, float] = (-100.0, 100.0)
    healthy_z_range = (0.7, float("inf"))
    healthy_angle_range = (-0.2, 0.2)

    def _is_healthy(self, now: Readings) -> npt.NDArray[np.bool_]:
        state = np.concatenate([now.q, now.v], axis=1)[:, 2:]
        return super()._is_healthy(now) & np.all(_within(state, self.healthy_state_range), axis=1)


class Walker2d(_Planar):
    """Two legs that walk forward."""

    model = "walker2d_v5.xml"


class HalfCheetah(_Walker):
    """A two-legged cheetah that runs forward; episodes never end early."""

    model = "half_cheetah.xml"
    ctrl_cost_weight = 0.1
    reset_noise_scale = 0.1

    def _draw_velocity(self, rng: np.random.Generator) -> Array:
        return self.reset_noise_scale * rng.standard_normal(self.nv)

    def observe(self, now: Readings) -> Array:
        return np.concatenate([self._see(now), now.v], axis=1)

    def judge(self, before: Readings, now: Readings, action: Array) -> tuple[Array, npt.NDArray[np.bool_], dict[str, Array]]:
        speed = (now.q[:, 0] - before.q[:, 0]) / self.dt
        forward = self.forward_reward_weight * speed
        cost = self._control_cost(action)
        info = {"x_position": now.q[:, 0], "x_velocity": speed, "reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, np.zeros(len(now.q), dtype=bool), info

    def describe(self, now: Readings) -> dict[str, Array]:
        return {"x_position": now.q[:, 0]}


class Ant(_Walker):
    """Four legs that walk forward."""

    model = "ant.xml"
    fields = ("bodyPosition", "cfrc")
    ctrl_cost_weight = 0.5
    contact_cost_weight: float = 5e-4
    healthy_z_range: tuple[float, float] = (0.2, 1.0)
    contact_force_range: tuple[float, float] = (-1.0, 1.0)
    reset_noise_scale = 0.1
    include_cfrc_ext_in_observation: bool = True
    _hidden = 2

    def _draw_velocity(self, rng: np.random.Generator) -> Array:
        return self.reset_noise_scale * rng.standard_normal(self.nv)

    def _contact_forces(self, now: Readings) -> Array:
        return np.clip(now.fields["cfrc"], *self.contact_force_range)

    def observe(self, now: Readings) -> Array:
        parts = [self._see(now), now.v]
        if self.include_cfrc_ext_in_observation:
            parts.append(self._contact_forces(now)[:, 6:])
        return np.concatenate(parts, axis=1)

    def judge(self, before: Readings, now: Readings, action: Array) -> tuple[Array, npt.NDArray[np.bool_], dict[str, Array]]:
        velocity = (now.body(1) - before.body(1))[:, :2] / self.dt
        healthy = self._is_healthy(now)
        forward = velocity[:, 0] * self.forward_reward_weight
        survive = self.healthy_reward * healthy
        control = self._control_cost(action)
        contact = self.contact_cost_weight * np.sum(np.square(self._contact_forces(now)), axis=1)
        info = {
            **self.describe(now),
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "reward_forward": forward,
            "reward_ctrl": -control,
            "reward_contact": -contact,
            "reward_survive": survive,
        }
        return forward + survive - (control + contact), self._end(healthy), info

    def describe(self, now: Readings) -> dict[str, Array]:
        x, y = now.q[:, 0], now.q[:, 1]
        return {"x_position": x, "y_position": y, "distance_from_origin": np.hypot(x, y)}

    def _is_healthy(self, now: Readings) -> npt.NDArray[np.bool_]:
        low, high = self.healthy_z_range
        finite = np.isfinite(now.q).all(axis=1) & np.isfinite(now.v).all(axis=1)
        return finite & (low <= now.q[:, 2]) & (now.q[:, 2] <= high)


class Humanoid(_Walker):
    """Two legs and two arms that walk forward."""

    model = "humanoid.xml"
    fields = ("massCenter", "cinert", "cvel", "cfrc", "actuatorJointForce", "tendonLength", "tendonVelocity")
    forward_reward_weight = 1.25
    ctrl_cost_weight = 0.1
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple[float, float] = (-np.inf, 10.0)
    healthy_reward = 5.0
    healthy_z_range: tuple[float, float] = (1.0, 2.0)
    reset_noise_scale = 1e-2
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True
    _hidden = 2

    def observe(self, now: Readings) -> Array:
        parts = [self._see(now), now.v]
        if self.include_cinert_in_observation:
            parts.append(now.fields["cinert"][:, 10:])
        if self.include_cvel_in_observation:
            parts.append(now.fields["cvel"][:, 6:])
        if self.include_qfrc_actuator_in_observation:
            parts.append(now.fields["actuatorJointForce"][:, 6:])
        if self.include_cfrc_ext_in_observation:
            parts.append(now.fields["cfrc"][:, 6:])
        return np.concatenate(parts, axis=1)

    def judge(self, before: Readings, now: Readings, action: Array) -> tuple[Array, npt.NDArray[np.bool_], dict[str, Array]]:
        velocity = (now.fields["massCenter"] - before.fields["massCenter"])[:, :2] / self.dt
        healthy = self._is_healthy(now)
        forward = self.forward_reward_weight * velocity[:, 0]
        survive = self.healthy_reward * healthy
        control = self._control_cost(action)
        contact = self.contact_cost_weight * np.sum(np.square(now.fields["cfrc"]), axis=1)
        contact = np.clip(contact, *self.contact_cost_range)
        info = {
            **self.describe(now),
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "reward_survive": survive,
            "reward_forward": forward,
            "reward_ctrl": -control,
            "reward_contact": -contact,
        }
        return forward + survive - (control + contact), self._end(healthy), info

    def describe(self, now: Readings) -> dict[str, Array]:
        x, y = now.q[:, 0], now.q[:, 1]
        return {
            "x_position": x,
            "y_position": y,
            "tendon_length": now.fields["tendonLength"],
            "tendon_velocity": now.fields["tendonVelocity"],
            "distance_from_origin": np.hypot(x, y),
        }

    def _is_healthy(self, now: Readings) -> npt.NDArray[np.bool_]:
        return _within(now.q[:, 2], self.healthy_z_range)


class InvertedPendulum(Task):
    """A pole on a cart that must not fall."""

    model = "inverted_pendulum.xml"
    frame_skip = 2
    reset_noise_scale: float = 0.01

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        s = self.reset_noise_scale
        q = self.q0 + rng.uniform(size=len(self.q0), low=-s, high=s)
        return q, rng.uniform(size=self.nv, low=-s, high=s)

    def observe(self, now: Readings) -> Array:
        return np.concatenate([now.q, now.v], axis=1)

    def judge(self, before: Readings, now: Readings, action: Array) -> tuple[Array, npt.NDArray[np.bool_], dict[str, Array]]:
        seen = self.observe(now)
        ended = ~np.isfinite(seen).all(axis=1) | (np.abs(seen[:, 1]) > 0.2)
        reward = (~ended).astype(np.float64)
        return reward, ended, {"reward_survive": reward}


class InvertedDoublePendulum(Task):
    """Two poles on a cart that must not fall."""

    model = "inverted_double_pendulum.xml"
    fields = ("sitePosition", "constraintForce")
    healthy_reward: float = 10.0
    reset_noise_scale: float = 0.1

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        s = self.reset_noise_scale
        q = self.q0 + rng.uniform(low=-s, high=s, size=len(self.q0))
        return q, rng.standard_normal(self.nv) * s

    def observe(self, now: Readings) -> Array:
        angles = now.q[:, 1:]
        force = np.clip(now.fields["constraintForce"][:, :1], -10, 10)
        return np.concatenate([now.q[:, :1], np.sin(angles), np.cos(angles), np.clip(now.v, -10, 10), force], axis=1)

    def judge(self, before: Readings, now: Readings, action: Array) -> tuple[Array, npt.NDArray[np.bool_], dict[str, Array]]:
        x, y = now.fields["sitePosition"][:, 0], now.fields["sitePosition"][:, 2]
        ended = y <= 1
        distance = 0.01 * x**2 + (y - 2) ** 2
        speed = 1e-3 * now.v[:, 1] ** 2 + 5e-3 * now.v[:, 2] ** 2
        alive = self.healthy_reward * ~ended
        info = {"reward_survive": alive, "distance_penalty": -distance, "velocity_penalty": -speed}
        return alive - distance - speed, ended, info


class Reacher(Task):
    """A planar arm of two links whose fingertip goes to a target."""

    model = "reacher.xml"
    frame_skip = 2
    max_episode_steps = 50
    fields = ("bodyPosition",)
    reward_dist_weight: float = 1.0
    reward_control_weight: float = 1.0

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        q = rng.uniform(low=-0.1, high=0.1, size=len(self.q0)) + self.q0
        while True:
            goal = rng.uniform(low=-0.2, high=0.2, size=2)
            if np.linalg.norm(goal) < 0.2:
                break
        q[-2:] = goal
        v = rng.uniform(low=-0.005, high=0.005, size=self.nv)
        v[-2:] = 0
        return q, v

    def _miss(self, now: Readings) -> Array:
        return now.body(self.bodies["fingertip"]) - now.body(self.bodies["target"])

    def observe(self, now: Readings) -> Array:
        angles = now.q[:, :2]
        return np.concatenate([np.cos(angles), np.sin(angles), now.q[:, 2:], now.v[:, :2], self._miss(now)[:, :2]], axis=1)

    def judge(self, before: Readings, now: Readings, action: Array) -> tuple[Array, npt.NDArray[np.bool_], dict[str, Array]]:
        distance = -np.linalg.norm(self._miss(now), axis=1) * self.reward_dist_weight
        control = -np.sum(np.square(action), axis=1) * self.reward_control_weight
        ended = np.zeros(len(now.q), dtype=bool)
        return distance + control, ended, {"reward_dist": distance, "reward_ctrl": control}


#: The tasks by name.
TASKS: dict[str, type[Task]] = {
    task.__name__: task
    for task in (Ant, HalfCheetah, Hopper, Humanoid, InvertedDoublePendulum, InvertedPendulum, Reacher, Walker2d)
}


def _within(value: Array, bounds: tuple[float, float]) -> npt.NDArray[np.bool_]:
    return (bounds[0] < value) & (value < bounds[1])
