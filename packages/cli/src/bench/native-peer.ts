/**
 * MuJoCo's native library through its Python package, where one is given: NEXDYN_PYTHON names an interpreter that can import `mujoco`. A block is
 * one call of the library, so that Python itself takes no time. It runs in a process of its own, in turns with the race: before and after it.
 */
import { spawnSync } from 'node:child_process';
import type { ModelSource } from './bench-scene.ts';
import { type StartState, startControl, startVelocity } from './contender.ts';

/** What the native library took. */
export interface NativeTimes {
  /** For instance 'mujoco 4.0.0'. */
  version: string;
  /** Least time per step, ms. */
  minimum: number;
}

/** What is asked of it. */
export interface NativeTask {
  source: ModelSource;
  /** Where settled scenes start and how they are solved; others start in the initial pose with everything moving. */
  start?: StartState | undefined;
  solver?: 'newton' | 'cg' | undefined;
  /** Steps in a block, and time for all blocks, ms. */
  blockSteps: number;
  budget: number;
  isProcessorTime?: boolean | undefined;
}

const PROGRAM = `
import json, sys, time
import numpy as np
import mujoco
task = json.load(sys.stdin)
assets = {name: text.encode() for name, text in task["files"].items()}
model = mujoco.MjModel.from_xml_string(task["xml"], assets)
if task["solver"]:
    model.opt.solver = 2 if task["solver"] == "newton" else 1
data = mujoco.MjData(model)
velocity = np.array(task["velocity"])
def rewind():
    if task["position"] is None:
        mujoco.mj_resetData(model, data)
        data.qvel[:] = velocity[: model.nv]
        data.ctrl[:] = np.array(task["control"])[: model.nu]
    else:
        data.qpos[:] = task["position"]
        data.qvel[:] = velocity
        data.qacc_warmstart[:] = task["warmStart"]
best = float("inf")
now = time.process_time if task["isProcessorTime"] else time.perf_counter
end = now() + task["budget"] / 1000
rounds = 0
while now() < end or rounds < 3:
    rewind()
    start = now()
    mujoco.mj_step(model, data, nstep=task["blockSteps"])
    best = min(best, (now() - start) / task["blockSteps"])
    rounds += 1
print(json.dumps({"version": "mujoco " + mujoco.__version__, "minimum": 1000 * best}))
`;
/** Numbers for the speeds and controls of models whose size is known there only. */
const MOST_DOFS = 20_000;
/** Time after which a process counts as hanging, ms. */
const PATIENCE = 120_000;

/** The interpreter, where one is named. */
export function findPython(): string | undefined {
  return process.env['NEXDYN_PYTHON'] || undefined;
}

/** Times a scene; why not, where that fails. */
export function timeNative(python: string, task: NativeTask): NativeTimes | { missing: string } {
  const { source, start, solver, blockSteps, budget, isProcessorTime = false } = task;
  const input = JSON.stringify({
    xml: source.xml,
    files: source.files ?? {},
    solver: solver ?? null,
    position: start ? [...start.position] : null,
    velocity: start ? [...start.velocity] : Array.from({ length: MOST_DOFS }, (_, i) => startVelocity(i)),
    warmStart: start ? [...start.warmStart] : null,
    control: Array.from({ length: 1000 }, (_, i) => startControl(i)),
    blockSteps,
    budget,
    isProcessorTime,
  });
  const run = spawnSync(python, ['-c', PROGRAM], { input, encoding: 'utf8', timeout: PATIENCE, maxBuffer: 2 ** 26 });
  if (run.error) return { missing: `${python}: ${run.error.message}` };
  if (run.status !== 0) return { missing: run.stderr.trim().split('\n').at(-1) ?? 'no result' };
  return JSON.parse(run.stdout) as NativeTimes;
}
