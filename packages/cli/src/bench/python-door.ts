/** What the door from Python costs, timed by the program of the Python package: in a clone, where NEXDYN_PYTHON names an interpreter. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fromPackage } from '../package-folder.ts';
import { findPython } from './native-peer.ts';

const PROGRAM = fromPackage('../../python/benchmarks/door.py');
/** Time of each part, s, and time after which the process counts as hanging, ms. */
const SECONDS = { full: 6, quick: 1 };
const PATIENCE = 300_000;

/** Its table, or why there is none. */
export function timePythonDoor(isQuick: boolean, isJson: boolean): { text: string } | { missing: string } {
  const python = findPython();
  if (!python) return { missing: 'NEXDYN_PYTHON names no interpreter' };
  if (!existsSync(PROGRAM)) return { missing: 'this is no clone' };
  const args = [PROGRAM, '--seconds', String(isQuick ? SECONDS.quick : SECONDS.full), ...(isJson ? ['--json'] : [])];
  const run = spawnSync(python, args, { encoding: 'utf8', timeout: PATIENCE });
  if (run.error) return { missing: run.error.message };
  if (run.status !== 0) return { missing: run.stderr.trim().split('\n').at(-1) ?? 'no result' };
  return { text: run.stdout };
}
