import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { CONE_DEFAULTS, ConeSolver, SolveTrace } from '@nexdyn/engine/solvers';
import { createContactProgram, readContactProblem } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { createProblemDump } from './problem-dump.ts';

/** A box that slides on the ground, and a hinged one at its limit. */
const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  name: 'two',
  options: { formulation: 'ccp', ccp: { tolerance: 1e-10 } },
  shapes: [{ kind: 'plane' }],
  bodies: [
    { joints: [{ kind: 'free' }], shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }] },
    {
      position: [1, 0, 1],
      joints: [{ kind: 'hinge', axis: [0, 1, 0], limit: { range: [0, 0.001] } }],
      shapes: [{ kind: 'sphere', radius: 0.1, position: [0.2, 0, 0] }],
    },
  ],
  keyframes: [{ position: [0, 0, 0.1, 1, 0, 0, 0, 0], velocity: [1, 0, 0, 0, 0, 0, 0] }],
};

describe('the problem of a step as a file', () => {
  test('reads back, and has the minimum that the step found', () => {
    const simulation = new Simulation(compileModel(scene));
    const dump = createProblemDump(simulation, 1);
    simulation.step();
    dump.afterStep(2);
    expect(dump.file).toBeUndefined();
    dump.afterStep(1);
    const { rowCount, rows, source } = simulation.formulation.problem!;
    const { residual, force } = simulation.formulation.problem!.data;
    const problem = readContactProblem(dump.file!.text, dump.file!.name);
    expect(problem.name).toBe('two, step 1');
    expect(problem.blocks.map(({ kind }) => kind).sort()).toEqual([
      'contact',
      'contact',
      'contact',
      'contact',
      'free',
      'nonnegative',
      'nonnegative',
    ]);
    const program = createContactProgram(problem);
    expect(program.size).toBe(rowCount);
    const memory = program.memory;
    const impulse = new Float64Array(program.size);
    const velocity = new Float64Array(program.size);
    const options = { ...CONE_DEFAULTS, iterations: 20_000, tolerance: 1e-11 };
    new ConeSolver('spg', memory).solve(program, impulse, velocity, options, new SolveTrace());
    // by island here, in the order of rows there: compared as sorted lists; impulses of four corners are not unique
    const sort = (values: ArrayLike<number>): number[] => Array.from(values).sort((a, b) => a - b);
    const expected = sort(residual.subarray(0, rowCount));
    for (const [i, u] of sort(velocity).entries()) expect(u).toBeCloseTo(expected[i]!, 7);
    let carried = 0;
    for (let b = 0; b < rows.blockCount; b++) if (source[b] === 7) carried += force[rows.rowStart[b]!]!;
    expect(carried).toBeGreaterThan(0);
  });

  test('belongs to formulations over impulses', () => {
    const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
    expect(() => createProblemDump(simulation, 1)).toThrow(/sap has no problem over impulses.*--formulation ccp/);
  });
});
