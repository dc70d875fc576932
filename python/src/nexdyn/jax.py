"""Rollouts in JAX's automatic differentiation, in double precision: call ``jax.config.update('jax_enable_x64', True)`` first.

>>> run = nexdyn.jax.make_rollout(sim)
>>> q, v = run(q0, v0, controls)                         # one row per state
>>> jax.grad(lambda u: run(q0, v0, u)[0][-1, 0])(controls)

``jax.vmap`` runs it row by row; inside ``jax.jit`` the engine is called back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise ImportError("nexdyn.jax needs JAX: pip install 'nexdyn[jax]'") from error

from ._tangent import Tangent
from .errors import NexdynError
from .simulation import Simulation

__all__ = ["make_rollout"]


def make_rollout(simulation: Simulation) -> Callable[[Any, Any, Any], tuple[Any, Any]]:
    """A function of ``q`` (nq), ``v`` (nv) and ``controls`` (steps, nu) that gives all states, (steps + 1, nq) and (steps + 1, nv)."""
    if not jax.config.jax_enable_x64:
        raise NexdynError(
            "invalid-argument", "JAX computes in single precision", hint="call jax.config.update('jax_enable_x64', True) first"
        )
    tangent = Tangent(simulation)
    nq, nv = simulation.model.nq, simulation.model.nv

    def run(q: Any, v: Any, controls: Any) -> Any:
        before = simulation.snapshot()
        try:
            simulation.q = np.asarray(q)
            simulation.v = np.asarray(v)
            return simulation.rollout(np.asarray(controls), steps=len(controls))
        finally:
            simulation.restore(before)

    def forward_call(q: Any, v: Any, controls: Any) -> tuple[Any, Any]:
        result = run(q, v, controls)
        return result.q, result.v

    def backward_call(q: Any, v: Any, controls: Any, by_q: Any, by_v: Any) -> tuple[Any, Any, Any]:
        result = run(q, v, controls)
        rows = tangent.pull(result.q, np.asarray(by_q), np.asarray(by_v))
        gradient = result.backward(rows)
        dq, dv = tangent.push(result.q[0], gradient["state"])
        dq += np.asarray(by_q)[0] - tangent.project(result.q[0], np.asarray(by_q)[0])
        return dq, dv, gradient["controls"]

    @jax.custom_vjp
    def rollout(q: Any, v: Any, controls: Any) -> tuple[Any, Any]:
        steps = controls.shape[0]
        shapes = (jax.ShapeDtypeStruct((steps + 1, nq), jnp.float64), jax.ShapeDtypeStruct((steps + 1, nv), jnp.float64))
        return jax.pure_callback(forward_call, shapes, q, v, controls, vmap_method="sequential")

    def forward(q: Any, v: Any, controls: Any) -> Any:
        return rollout(q, v, controls), (q, v, controls)

    def backward(kept: Any, gradients: Any) -> Any:
        q, v, controls = kept
        shapes = tuple(jax.ShapeDtypeStruct(part.shape, jnp.float64) for part in (q, v, controls))
        return jax.pure_callback(backward_call, shapes, q, v, controls, *gradients, vmap_method="sequential")

    rollout.defvjp(forward, backward)
    return rollout
