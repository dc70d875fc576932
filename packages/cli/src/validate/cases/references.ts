/**
 * Numbers that other programs have computed. Trajectories of MuJoCo 3.14 and contact problems of FCLIB and Siconos lie beside the
 * repository (folder `shared/reference`, or NEXDYN_REFERENCE); where they are absent these cases say so and are left out.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Simulation } from '@nexdyn/engine';
import { CONE_DEFAULTS, ConeSolver, SolveTrace } from '@nexdyn/engine/solvers';
import { createContactProgram, readContactProblem } from '@nexdyn/formats';
import { fromPackage } from '../../package-folder.ts';
import { compileMujocoRun, readMujocoRuns } from '../mujoco-run.ts';
import type { Outcome, ValidationCase } from '../validation-case.ts';

const FOLDER = process.env['NEXDYN_REFERENCE'] ?? fromPackage('../../../shared/reference');
const group = 'external references' as const;

/** Worst |Δq| over the samples of a stored run. */
function followRun(name: string, id: string): number {
  const folder = join(FOLDER, 'mujoco');
  const run = readMujocoRuns(folder, name).find((candidate) => candidate.id === id);
  if (!run) throw new Error(`there is no run ${id}`);
  const simulation = new Simulation(compileMujocoRun(folder, name, run));
  let worst = 0;
  run.samples.qpos.forEach((qpos, sample) => {
    if (sample > 0) simulation.step(run.every);
    qpos.forEach((q, k) => {
      worst = Math.max(worst, Math.abs(simulation.state.position[k]! - q));
    });
  });
  return worst;
}

function mujocoCase(name: string, id: string, tolerance: number): ValidationCase {
  return {
    name: `mujoco-${name.replaceAll('_', '-')}-${id.replaceAll('_', '-')}`,
    group,
    title: `largest difference in position from MuJoCo 3.14 over 1 s: ${name}, ${id}`,
    unit: 'm, rad',
    source: 'trajectory of MuJoCo 3.14.0',
    basis: 'where the solver of MuJoCo stops: 1e-9 if only round-off remains, more if it stops early',
    formulations: ['mujoco'],
    isMissing: () => findMissing('mujoco/cases.json'),
    run: () => ({ value: followRun(name, id), expected: 0, tolerance }),
  };
}

/** ½ rᵀ W r + qᵀ r at the minimum over the cones. */
function minimum(file: string): Outcome {
  const text = readFileSync(join(FOLDER, 'fclib', file), 'utf8');
  const program = createContactProgram(readContactProblem(text, file));
  const { ccp } = JSON.parse(text) as { ccp: { objective: number } };
  const options = { ...CONE_DEFAULTS, iterations: 50_000, tolerance: 1e-8, velocityTolerance: 1e-6 };
  const [impulse, velocity] = [new Float64Array(program.size), new Float64Array(program.size)];
  const { objective } = new ConeSolver('apgd', program.memory).solve(
    program,
    impulse,
    velocity,
    options,
    new SolveTrace(),
  );
  return { value: objective, expected: ccp.objective, tolerance: 1e-6 * Math.abs(ccp.objective) };
}

function problemCase(file: string): ValidationCase {
  const name = file.replace('.json', '');
  return {
    name: `fclib-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    group,
    title: `least ½ rᵀ W r + qᵀ r of the contact problem ${name}`,
    unit: 'J',
    source: 'FCLIB and Siconos test data; minimum by two other programs in dense arithmetic',
    basis: '1e-6 of the minimum, the tolerance of the reference',
    formulations: ['ccp'],
    isMissing: () => findMissing(`fclib/${file}`),
    run: () => minimum(file),
  };
}

function findMissing(file: string): string | undefined {
  return existsSync(join(FOLDER, file))
    ? undefined
    : `there is no ${file} in the folder of references (NEXDYN_REFERENCE)`;
}

export const REFERENCES: readonly ValidationCase[] = [
  mujocoCase('double_pendulum', 'euler', 1e-10),
  mujocoCase('double_pendulum', 'implicitfast', 1e-10),
  mujocoCase('dzhanibekov', 'rk4', 1e-10),
  mujocoCase('arm_limits', 'euler_newton', 1e-9),
  mujocoCase('equalities', 'euler_newton', 1e-8),
  mujocoCase('incline_box', 'mu0.3_elliptic_tight', 1e-9),
  mujocoCase('incline_box', 'mu0.5_pyramidal_newton', 1e-9),
  mujocoCase('stack5', 'pyramidal_newton', 1e-6),
  problemCase('FC3D_Example1.json'),
  problemCase('FrictionContact3D_1c.json'),
  problemCase('Rover1039.json'),
  problemCase('NESpheres_10_1.json'),
  problemCase('sliding_cube.json'),
  problemCase('Box_Stacks-i0122-82-5.json'),
  problemCase('RFC3D_sphere_1.json'),
];
