"""Gradients by the numbers of q against gradients on the tangent space of the state.

On the tangent space a rotation has three numbers, in axes of the body: q(δ) = q ⊗ (1, δ/2) to first order. With G the 4 × 3 matrix of that
map, a gradient g by the four numbers of a quaternion becomes Gᵀ g; a gradient γ on the tangent space becomes 4 G γ, the one vector along
q's sphere with Gᵀ(4 G γ) = γ, since GᵀG = ¼.
"""

from __future__ import annotations

import numpy as np

from .simulation import Array, Simulation


class Tangent:
    """The tangent space of a simulation's state: nv numbers for positions, then nv for velocities, then the rest."""

    def __init__(self, simulation: Simulation) -> None:
        self._nv = simulation.model.nv
        self._joints = simulation.model.joint_layout
        self._size = 2 * self._nv

    def pull(self, q: Array, by_q: Array, by_v: Array) -> Array:
        """Rows of gradients by q and v, as rows on the tangent space."""
        return np.concatenate([self._pull_rows(q, by_q), by_v], axis=1)

    def push(self, q: Array, gradient: Array) -> tuple[Array, Array]:
        """A gradient on the tangent space, by q and by v."""
        out = np.zeros(len(q))
        for position, dof, count, quaternion in self._joints:
            out[position : position + count] = gradient[dof : dof + count]
            if quaternion:
                at, turn = position + count, dof + count
                out[at : at + 4] = 4 * _rates(q[at : at + 4]) @ gradient[turn : turn + 3]
        return out, gradient[self._nv : self._size].copy()

    def project(self, q: Array, by_q: Array) -> Array:
        """The part of a gradient by q that the tangent space sees."""
        return self.push(q, np.concatenate([self._pull_rows(q[None], by_q[None])[0], np.zeros(self._nv)]))[0]

    def _pull_rows(self, q: Array, by_q: Array) -> Array:
        out = np.zeros((len(q), self._nv))
        for position, dof, count, quaternion in self._joints:
            out[:, dof : dof + count] = by_q[:, position : position + count]
            if quaternion:
                at, turn = position + count, dof + count
                for row in range(len(q)):
                    out[row, turn : turn + 3] = _rates(q[row, at : at + 4]).T @ by_q[row, at : at + 4]
        return out


def _rates(quaternion: Array) -> Array:
    """d q / d δ for q ⊗ (1, δ/2)."""
    w, x, y, z = quaternion
    return 0.5 * np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])
