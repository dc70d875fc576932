"""What the door from Python costs: one ``step()`` over the step itself, and a batch of humanoids beside Node and ``mujoco.rollout``.

    python python/benchmarks/door.py [--seconds 4] [--json]

Every part ends when its time is up. Parts take turns, and least times are compared, so that a busy machine changes ratios little.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))

import nexdyn  # noqa: E402
from nexdyn._engine import find_node  # noqa: E402

ENVIRONMENTS, STEPS, THREADS, ROUNDS = 256, 5, 2, 2


def time_steps(seconds: float) -> dict[str, float]:
    """Time of one ``step()`` of a pendulum and of a step within a long call, µs."""
    world = nexdyn.scene("pendulum")
    world.body("arm").hinge("pivot", axis=[0, 1, 0]).capsule(from_=[0, 0, 0], to=[0.3, 0, 0], radius=0.02)
    sim = nexdyn.load(world)
    for _ in range(500):
        sim.step()
    single: list[float] = []
    bare = float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for _ in range(200):
            start = time.perf_counter()
            sim.step()
            single.append(time.perf_counter() - start)
        start = time.perf_counter()
        sim.step(500)
        bare = min(bare, (time.perf_counter() - start) / 500)
    sim.close()
    # the least of medians of some calls: what it takes while nobody else wants the core
    medians = [statistics.median(single[n : n + 50]) for n in range(0, len(single), 50)]
    return {"step() [µs]": 1e6 * min(medians), "step alone [µs]": 1e6 * bare}


def time_python(model: str, seconds: float) -> float:
    """Least time of a call, ms."""
    best = float("inf")
    with nexdyn.Environments(model, ENVIRONMENTS, threads=THREADS) as envs:
        controls = np.zeros((ENVIRONMENTS, envs.model.nu))
        end = time.perf_counter() + seconds
        rounds = 0
        while rounds < 3 or time.perf_counter() < end:
            envs.reset()
            start = time.perf_counter()
            envs.step(controls, STEPS)
            best = min(best, time.perf_counter() - start)
            rounds += 1
    return 1000 * best


def time_node(model: str, seconds: float) -> float:
    """The same in Node, ms."""
    args = [model, ENVIRONMENTS, STEPS, THREADS, seconds]
    done = subprocess.run(
        [find_node(), str(HERE / "batch.mjs"), *map(str, args)], capture_output=True, text=True, timeout=60 + 20 * seconds, check=True
    )
    return float(done.stdout)


def time_rollout(model: str, seconds: float) -> float | None:
    """The same in MuJoCo's own threads, ms; None where there is none."""
    try:
        import mujoco
        from mujoco import rollout
    except ImportError:
        return None
    compiled = mujoco.MjModel.from_xml_path(model)
    data = [mujoco.MjData(compiled) for _ in range(THREADS)]
    size = mujoco.mj_stateSize(compiled, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start_state = np.zeros(size)
    mujoco.mj_getState(compiled, data[0], start_state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    states = np.tile(start_state, (ENVIRONMENTS, 1))
    controls = np.zeros((ENVIRONMENTS, STEPS, compiled.nu))
    best = float("inf")
    with rollout.Rollout(nthread=THREADS) as pool:
        end = time.perf_counter() + seconds
        rounds = 0
        while rounds < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            pool.rollout([compiled] * ENVIRONMENTS, data, states, controls)
            best = min(best, time.perf_counter() - start)
            rounds += 1
    return 1000 * best


def find_humanoid() -> str | None:
    """The humanoid of Gymnasium, where it is installed."""
    try:
        import gymnasium
    except ImportError:
        return None
    return os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets", "humanoid.xml")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=4, help="time of each part")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    results: dict[str, float] = time_steps(options.seconds)
    results["step() over the step [µs]"] = results["step() [µs]"] - results["step alone [µs]"]
    model = find_humanoid()
    if model is None:
        print("no Gymnasium: its humanoid is not timed", file=sys.stderr)
    else:
        calls: dict[str, list[float | None]] = {"Python": [], "Node": [], "mujoco.rollout": []}
        for _ in range(ROUNDS):
            calls["Python"].append(time_python(model, options.seconds / ROUNDS))
            calls["Node"].append(time_node(model, options.seconds / ROUNDS))
            calls["mujoco.rollout"].append(time_rollout(model, options.seconds / ROUNDS))
        least = {name: min(times) for name, times in calls.items() if None not in times}  # type: ignore[type-var]
        title = f"{ENVIRONMENTS} humanoids x {STEPS} steps"
        for name, value in least.items():
            results[f"{title}, {name} [ms]"] = value  # type: ignore[assignment]
        # throughput: steps in a second from Python over those in Node
        results[f"{title}, throughput of Python / Node"] = least["Node"] / least["Python"]  # type: ignore[operator]
        if "mujoco.rollout" in least:
            results[f"{title}, time of Python / mujoco.rollout"] = least["Python"] / least["mujoco.rollout"]  # type: ignore[operator]
    nexdyn.shutdown()
    if options.json:
        print(json.dumps(results))
        return
    for name, value in results.items():
        print(f"{name:<56}{value:10.2f}")


if __name__ == "__main__":
    main()
