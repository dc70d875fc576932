/** MuJoCo as the other engine: that of a Python where one is named, else the npm build. */
import { Option } from 'commander';
import type { ModelRecord, RecordPlan } from './model-record.ts';
import { NpmMujoco } from './npm-record.ts';
import { PythonMujoco } from './python-record.ts';

/** Compiles a file, whose folder `root` holds every file that it names, and runs it. */
export type Peer = (file: string, root: string, plan: RecordPlan) => Promise<ModelRecord>;

export function createPythonOption(): Option {
  return new Option(
    '--python [path]',
    'use the mujoco of this Python (default: the environment variable NEXDYN_PYTHON, else the npm build of MuJoCo)',
  );
}

/** The Python to ask, empty for the npm build. */
export function findPython(python: string | true | undefined): string {
  const named = typeof python === 'string' ? python : process.env['NEXDYN_PYTHON'];
  return (python === true ? (named ?? 'python3') : named) ?? '';
}

export function choosePeer(python: string | true | undefined): Peer {
  const path = findPython(python);
  if (path !== '') {
    const peer = new PythonMujoco(path);
    return async (file, _, plan) => peer.record(file, plan);
  }
  const peer = new NpmMujoco();
  return (file, root, plan) => peer.record(file, root, plan);
}
