"""The peer of benchmarks/batch.mjs: mujoco.rollout over many environments of one model. Reads lines "environments steps" and answers seconds
by the clock and of processor time."""

import sys
import time

import mujoco
import numpy as np
from mujoco import rollout

THREADS = 2

model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = [mujoco.MjData(model) for _ in range(THREADS)]
mujoco.mj_forward(model, data[0])
width = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
state = np.zeros(width)
mujoco.mj_getState(model, data[0], state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
states = {}
print(mujoco.__version__, flush=True)

with rollout.Rollout(nthread=THREADS) as pool:
    for line in sys.stdin:
        environments, steps = (int(word) for word in line.split())
        # the same controls as there: they stay all along
        n = np.arange(environments * model.nu)
        control = np.repeat(0.3 * np.sin(n).reshape(environments, 1, model.nu), steps, axis=1)
        start = states.get(environments, np.tile(state, (environments, 1)))
        before = (time.perf_counter(), time.process_time())
        found, _ = pool.rollout([model], data, start, control)
        print(time.perf_counter() - before[0], time.process_time() - before[1], flush=True)
        states[environments] = found[:, -1, :]
