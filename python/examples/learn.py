"""python python/examples/learn.py HalfCheetah --formulation sap: learn to walk in minutes, with nothing but NumPy.

Augmented random search (Mania, Guy and Recht, 2018): a linear policy on normalised observations; in each round some directions of its
weights are tried both ways in a vector of environments, and the weights move along the better ones, each by how much better it was.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import nexdyn.gym


class Moments:
    """Mean and spread of all observations so far."""

    def __init__(self, size: int) -> None:
        self.count = 1e-4
        self.mean = np.zeros(size)
        self.square = np.zeros(size)

    def add(self, rows: np.ndarray) -> None:
        total = self.count + len(rows)
        delta = rows - self.mean
        self.mean = self.mean + delta.sum(axis=0) / total
        self.square += np.sum(delta * (rows - self.mean), axis=0)
        self.count = total

    def normalize(self, rows: np.ndarray) -> np.ndarray:
        return (rows - self.mean) / np.sqrt(self.square / self.count + 1e-8)


def try_policies(envs: nexdyn.gym.VectorEnv, weights: np.ndarray, seen_so_far: Moments, steps: int, seed: int, bonus: float) -> tuple:
    """Return of each policy over one episode, without what is paid for staying alive, and with it."""
    count = len(weights)
    seen, _ = envs.reset(seed=[seed] * count)
    paid, score = np.zeros(count), np.zeros(count)
    alive = np.ones(count, dtype=bool)
    low, high = envs.single_action_space.low, envs.single_action_space.high
    for _ in range(steps):
        seen_so_far.add(seen[alive])
        action = np.clip(np.einsum("nij,nj->ni", weights, seen_so_far.normalize(seen)), low, high).astype(np.float32)
        seen, reward, ended, cut, _ = envs.step(action)
        paid += reward * alive
        score += (reward - bonus) * alive
        alive &= ~(ended | cut)
        if not alive.any():
            break
    return score, paid


def learn(task: str, formulation: str, rounds: int, directions: int, steps: int, step_size: float, noise: float, seed: int) -> float:
    """Learns, prints the return of each tenth round, and gives the best mean return."""
    envs = nexdyn.gym.VectorEnv(task, 2 * directions, formulation=formulation, max_episode_steps=steps)
    bonus = getattr(envs.task, "healthy_reward", 0.0) if task in ("Hopper", "Walker2d", "Ant", "Humanoid") else 0.0
    rng = np.random.default_rng(seed)
    shape = (envs.single_action_space.shape[0], envs.single_observation_space.shape[0])
    policy = np.zeros(shape)
    moments = Moments(shape[1])
    best, start = -np.inf, time.monotonic()
    for k in range(rounds):
        tried = rng.standard_normal((directions, *shape))
        weights = np.concatenate([policy + noise * tried, policy - noise * tried])
        score, paid = try_policies(envs, weights, moments, steps, seed=seed + k, bonus=bonus)
        plus, minus = score[:directions], score[directions:]
        chosen = np.argsort(np.maximum(plus, minus))[-directions // 2 :]
        spread = np.concatenate([plus[chosen], minus[chosen]]).std() + 1e-8
        policy += step_size / (len(chosen) * spread) * np.einsum("n,nij->ij", (plus - minus)[chosen], tried[chosen])
        best = max(best, paid.mean())
        if k % 10 == 9 or k == rounds - 1:
            print(f"round {k + 1}: mean return {paid.mean():.0f}, best {paid.max():.0f}, {time.monotonic() - start:.0f} s", flush=True)
    envs.close()
    return best


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", nargs="?", default="HalfCheetah", choices=sorted(nexdyn.gym.TASKS))
    parser.add_argument("--formulation", default="mujoco")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--directions", type=int, default=16)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--step-size", type=float, default=0.02)
    parser.add_argument("--noise", type=float, default=0.03)
    parser.add_argument("--seed", type=int, default=0)
    learn(**vars(parser.parse_args()))
