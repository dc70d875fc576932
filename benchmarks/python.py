"""python benchmarks/python.py: what the way from Python costs, in turns in one process.

Latency: one step of a pendulum by a call each, over steps of one call. Throughput: environments of the humanoid, five steps a call, from
Python and by the same engine alone (Node, `createBatch`), and beside `mujoco.rollout` with two threads where mujoco is installed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python" / "src"))
import nexdyn  # noqa: E402

ENVIRONMENTS, STEPS, CALLS, ROUNDS = 256, 5, 4, 5

NODE = """
import { loadSceneFile } from './packages/cli/dist/index.js';
import { createBatch } from './packages/batch/dist/index.js';
const [file, environments, steps, calls, threads] = process.argv.slice(2);
const { scene } = loadSceneFile(file);
const batch = await createBatch(scene, { environments: Number(environments), threads: Number(threads), observe: ['position', 'velocity'] });
await batch.step(undefined, 1);
process.stdout.write('ready\\n');
for await (const _ of process.stdin) {
  const start = performance.now();
  for (let k = 0; k < Number(calls); k++) await batch.step(batch.control, Number(steps));
  process.stdout.write(`${JSON.stringify((performance.now() - start) / 1000)}\\n`);
}
"""


def time_calls(call, rounds=ROUNDS):
    """Least time of a call over rounds, s."""
    best = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def measure_latency():
    world = nexdyn.scene()
    world.body().hinge(axis=[0, 1, 0]).capsule(from_=[0, 0, 0], to=[0.5, 0, 0], radius=0.03)
    sim = nexdyn.load(world)
    sim.step(2000)
    single = time_calls(lambda: [sim.step() for _ in range(500)], 20) / 500
    bare = time_calls(lambda: sim.step(20000), 10) / 20000
    print(f"step() of a pendulum: {1e6 * single:.1f} µs, of which the engine {1e6 * bare:.1f} µs")


def find_humanoid():
    import gymnasium

    return os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets", "humanoid.xml")


def measure_throughput(threads=2):
    file = find_humanoid()
    envs = nexdyn.Environments(file, ENVIRONMENTS, threads=threads)
    controls = np.zeros((ENVIRONMENTS, envs.model.nu))
    arguments = [file, str(ENVIRONMENTS), str(STEPS), str(CALLS), str(threads)]
    # threads must not inherit the flags of a program given as text
    program = Path(tempfile.mkdtemp(prefix="nexdyn-")) / "batch.mjs"
    program.write_text(NODE.replace("./packages", f"{ROOT.as_uri()}/packages"))
    node = subprocess.Popen(["node", str(program), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert node.stdout.readline() == "ready\n"

    def from_python():
        envs.reset()
        start = time.perf_counter()
        for _ in range(CALLS):
            envs.step(controls, STEPS)
        return time.perf_counter() - start

    def in_node():
        node.stdin.write("go\n")
        node.stdin.flush()
        return json.loads(node.stdout.readline())

    contenders = {"from Python": from_python, "in Node": in_node}
    try:
        import mujoco
        from mujoco import rollout

        model = mujoco.MjModel.from_xml_path(file)
        data = [mujoco.MjData(model) for _ in range(threads)]
        size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        start_state = np.zeros(size)
        mujoco.mj_getState(model, data[0], start_state, mujoco.mjtState.mjSTATE_FULLPHYSICS)

        def by_mujoco():
            state = np.tile(start_state, (ENVIRONMENTS, 1))
            rows = np.zeros((ENVIRONMENTS, STEPS, model.nu))
            with rollout.Rollout(nthread=threads) as runner:
                begin = time.perf_counter()
                for _ in range(CALLS):
                    states, _ = runner.rollout(model, data, state, rows)
                    state = states[:, -1]
                return time.perf_counter() - begin

        contenders["mujoco.rollout"] = by_mujoco
    except ImportError:
        print("mujoco is not installed: its column is left out")
    best = dict.fromkeys(contenders, np.inf)
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            best[name] = min(best[name], run())
    node.stdin.close()
    node.wait()
    for name, seconds in best.items():
        print(f"{ENVIRONMENTS} humanoids, {STEPS} steps a call, {threads} threads, {name}: {1e3 * seconds / CALLS:.1f} ms a call")


if __name__ == "__main__":
    measure_latency()
    measure_throughput()
