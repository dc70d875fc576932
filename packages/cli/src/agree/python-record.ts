/** The record of a model by a Python `mujoco`, in a process of its own. */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import { FIELDS, type ModelRecord, type RecordPlan, SIZES, sortMoments } from './model-record.ts';

/** ms. */
const LONGEST_RUN = 600_000;
/** Bytes. */
const LARGEST_OUTPUT = 1 << 29;

/** Reads a plan from stdin, writes the record to stdout as JSON. */
const SCRIPT = `
import json, sys
import mujoco as mj
import numpy as np

plan = json.load(sys.stdin)
try:
    model = mj.MjModel.from_xml_path(plan['file'])
except Exception as error:
    print(json.dumps({'error': str(error)}))
    sys.exit()
data, scratch = mj.MjData(model), mj.MjData(model)
if model.nkey > 0:
    mj.mj_resetDataKeyframe(model, data, 0)
if plan.get('random') and model.nu > 0:
    low, high = np.where(model.actuator_ctrllimited.astype(bool)[:, None], model.actuator_ctrlrange, [-1.0, 1.0]).T
    state = plan['seed']
    for i in range(model.nu):
        state = (state * 1664525 + 1013904223) % 2**32
        data.ctrl[i] = low[i] + (high[i] - low[i]) * (state / 2**32)
flat = lambda array: np.asarray(array, dtype=float).ravel().tolist()
states, step, h = [], 0, model.opt.timestep
for time in plan['times']:
    # half a step rounds up, as in JavaScript
    while step < int(np.floor(time / h + 0.5)):
        mj.mj_step(model, data)
        step += 1
    mj.mj_copyState(model, data, scratch, mj.mjtState.mjSTATE_INTEGRATION)
    mj.mj_forward(model, scratch)
    contacts = [dict(geom1=int(c.geom1), geom2=int(c.geom2), position=flat(c.pos), normal=flat(c.frame[:3]), distance=float(c.dist))
                for c in scratch.contact[:scratch.ncon]]
    states.append(dict(step=step, time=data.time, qpos=flat(data.qpos), qvel=flat(data.qvel), act=flat(data.act), ctrl=flat(data.ctrl),
                       mocapPosition=flat(data.mocap_pos), mocapOrientation=flat(data.mocap_quat), warmStart=flat(data.qacc_warmstart),
                       contacts=contacts, smoothForce=flat(scratch.qfrc_smooth), constraintForce=flat(scratch.qfrc_constraint), sensors=flat(scratch.sensordata)))
kinds = ['plane', 'hfield', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf']
print(json.dumps(dict(
    engine='MuJoCo %s (Python)' % mj.__version__,
    sizes={name: int(getattr(model, name)) for name in plan['sizes']},
    bodies=[model.body(i).name for i in range(model.nbody)],
    geoms=[model.geom(i).name for i in range(model.ngeom)],
    geomKinds=[kinds[int(k)] if int(k) < len(kinds) else str(int(k)) for k in model.geom_type],
    mass=flat(model.body_mass), inertia=flat(model.body_inertia), timestep=h,
    fields={name: flat(getattr(model, name)) for name in plan['fields'] if hasattr(model, name)},
    sensors=[dict(name=model.sensor(i).name, dimension=int(model.sensor_dim[i])) for i in range(model.nsensor)], states=states), allow_nan=True))
`;

/** A Python that can import `mujoco`. */
export class PythonMujoco {
  readonly #python: string;

  constructor(python: string) {
    this.#python = python;
  }

  /** Compiles and runs a model. */
  record(file: string, plan: RecordPlan): ModelRecord {
    const request = {
      file: resolve(file),
      times: plan.times,
      sizes: SIZES,
      fields: FIELDS,
      random: plan.seed !== undefined,
      seed: plan.seed,
    };
    // a path of the user's folder, or a command
    const python = this.#python.includes('/') ? resolve(this.#python) : this.#python;
    const run = spawnSync(python, ['-c', SCRIPT], {
      input: JSON.stringify(request),
      // MuJoCo writes a log of warnings where it runs
      cwd: tmpdir(),
      encoding: 'utf8',
      timeout: LONGEST_RUN,
      maxBuffer: LARGEST_OUTPUT,
    });
    if (run.error || (run.status !== 0 && /No module named/.test(run.stderr))) {
      throw new NexdynError('invalid-argument', `'${this.#python}' cannot run MuJoCo`, {
        hint: 'give a Python that has the package mujoco, or leave out --python',
      });
    }
    if (run.status !== 0) throw new Error(run.stderr.trim().split('\n').at(-1) || `stopped with ${run.signal}`);
    // Python writes numbers that are not finite as words that JSON does not have
    const text = run.stdout
      .trim()
      .split('\n')
      .at(-1)!
      .replace(/\b(NaN|-?Infinity)\b/g, 'null');
    const answer = JSON.parse(text) as ModelRecord & { error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return { ...answer, inertia: sortMoments(answer.inertia) };
  }
}
