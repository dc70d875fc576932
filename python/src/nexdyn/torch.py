"""Steps and rollouts in PyTorch's automatic differentiation, in double precision.

>>> next_q, next_v = nexdyn.torch.step(sim, q, v, ctrl)
>>> q, v = nexdyn.torch.rollout(sim, q0, v0, controls)   # one row per state
>>> ((q[-1, 0] - 1) ** 2).backward()

Gradients of positions are taken on the tangent space where q has quaternions: the gradient by a quaternion is the one of the rotation,
along directions that keep its length.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    import torch
except ImportError as error:
    raise ImportError("nexdyn.torch needs PyTorch: pip install 'nexdyn[torch]'") from error

from ._tangent import Tangent
from .simulation import Simulation

__all__ = ["rollout", "step"]


def step(simulation: Simulation, q: torch.Tensor, v: torch.Tensor, ctrl: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """The state after one step, from ``q``, ``v`` and ``ctrl``. The simulation itself stays where it is."""
    controls = _empty(simulation, 1) if ctrl is None else ctrl.reshape(1, -1)
    positions, velocities = _Rollout.apply(q, v, controls, simulation)
    return positions[1], velocities[1]


def rollout(simulation: Simulation, q: torch.Tensor, v: torch.Tensor, controls: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """All states of a rollout, (steps + 1, nq) and (steps + 1, nv), from ``q``, ``v`` with one row of controls per step.

    With one more axis in front of every argument, (batch, ...), the rollouts of a batch.
    """
    if q.ndim == 2:
        rows = [rollout(simulation, *row) for row in zip(q, v, controls, strict=True)]
        return torch.stack([row[0] for row in rows]), torch.stack([row[1] for row in rows])
    positions, velocities = _Rollout.apply(q, v, controls, simulation)
    return positions, velocities


def _empty(simulation: Simulation, steps: int) -> torch.Tensor:
    return torch.zeros((steps, simulation.model.nu), dtype=torch.float64)


class _Rollout(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, q: torch.Tensor, v: torch.Tensor, controls: torch.Tensor, simulation: Simulation) -> Any:
        run = _run(simulation, _array(q), _array(v), _array(controls))
        ctx.run = run
        ctx.tangent = Tangent(simulation)
        ctx.options = {"dtype": q.dtype, "device": q.device}
        return torch.from_numpy(run.q).to(**ctx.options), torch.from_numpy(run.v).to(**ctx.options)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor | None) -> Any:
        run, tangent = ctx.run, ctx.tangent
        rows = tangent.pull(run.q, _given(gradients[0], run.q), _given(gradients[1], run.v))
        result = run.backward(rows)
        dq, dv = tangent.push(run.q[0], result["state"])
        dq += _given(gradients[0], run.q)[0] - tangent.project(run.q[0], _given(gradients[0], run.q)[0])
        controls = result["controls"]
        return tuple(torch.from_numpy(np.ascontiguousarray(part)).to(**ctx.options) for part in (dq, dv, controls)) + (None,)


def _run(simulation: Simulation, q: np.ndarray, v: np.ndarray, controls: np.ndarray) -> Any:
    before = simulation.snapshot()
    try:
        simulation.q = q
        simulation.v = v
        return simulation.rollout(controls, steps=len(controls))
    finally:
        simulation.restore(before)


def _array(tensor: torch.Tensor) -> np.ndarray:
    return np.ascontiguousarray(tensor.detach().cpu().numpy(), dtype=np.float64)


def _given(gradient: torch.Tensor | None, like: np.ndarray) -> np.ndarray:
    return np.zeros_like(like) if gradient is None else _array(gradient)
