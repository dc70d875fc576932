/** Gradient and Hessian of the barrier of two boxes, against differences of its energy. Edges that are nearly parallel have a mollifier. */
import { expect, test } from 'vitest';
import { COLLISION } from '../../../collision/collisions/surface-collisions.ts';
import { Arena } from '../../../kernels/arena.ts';
import { matrixFromQuaternion, normalizeQuaternion } from '../../../linear-algebra/quaternion.ts';
import { compileModel } from '../../../model/compile.ts';
import type { Scene } from '../../../scene/scene.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import { IpcObjective } from '../ipc-objective.ts';

const GAP = 4e-4;
/** Difference, m or rad: an energy has 16 digits and changes by its own size over 4e-4 m, at arms of 0.1 m over 4e-3 rad. */
const STEP = 2e-6;

function stack(turn: number[]): IpcObjective {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [0, 1].map(() => ({
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.08, 0.1] }],
    })),
  };
  const objective = new IpcObjective(compileModel(scene, { formulation: 'ipc' }), new Arena());
  const { position, orientation, rotation } = objective.frames.current;
  position.set([0, 0, 0, 1e-3, 2e-3, 0.2 + GAP]);
  orientation.set([1, 0, 0, 0, ...turn]);
  for (let f = 0; f < 2; f++) {
    normalizeQuaternion(orientation, 4 * f, orientation, 4 * f);
    matrixFromQuaternion(rotation, 9 * f, orientation, 4 * f);
  }
  objective.barrier.stiffness = objective.scale = 1;
  objective.surfaces.place(objective.frames.current);
  objective.candidates.cover();
  return objective;
}

/** Energy after steps of some of the twelve numbers. */
function measure(objective: IpcObjective, steps: [number, number][]): number {
  const { frames, barrier, contacts, candidates } = objective;
  frames.step.fill(0);
  for (const [i, by] of steps) frames.step[i] += by;
  frames.writePaths();
  frames.move(1);
  objective.place(frames.trial);
  return barrier.value(contacts, candidates.pairs, 1);
}

/** Takes what terms add, of two frames. */
class Sum {
  isGradientOnly = false;
  readonly gradient: Float64Array = new Float64Array(12);
  readonly hessian: Float64Array = new Float64Array(144);

  blockOf(frame: number): number {
    return frame;
  }

  rowOf(block: number): number {
    return 6 * block;
  }

  addPair(a: number, b: number, block: Float64Array): void {
    for (let i = 0; i < 12; i++) {
      const row = i < 6 ? 6 * a + i : 6 * b + i - 6;
      for (let j = 0; j < 12; j++) this.hessian[12 * row + (j < 6 ? 6 * a + j : 6 * b + j - 6)] += block[12 * i + j];
    }
  }
}

test.each([
  ['nearly parallel edges', [1, 1e-4, -2e-4, 5e-3], true],
  ['edges that cross', [1, 1e-4, -2e-4, 0.3], false],
])('%s', (_, turn, hasMollifier) => {
  const objective = stack(turn as number[]);
  const { frames, barrier, contacts, candidates } = objective;
  const sum = new Sum();
  objective.place(frames.current);
  const mollified = contacts.mollifier.subarray(0, contacts.count).filter((m) => m > 0.05 && m < 0.95).length;
  expect(mollified > 0).toBe(hasMollifier);
  expect(contacts.kind.subarray(0, contacts.count)).toContain(COLLISION.edge);
  barrier.add(sum as unknown as BodyMatrix, contacts, candidates.pairs, frames.current, 1, false);

  const gradient = Float64Array.from(
    sum.gradient,
    (_g, i) => (measure(objective, [[i, STEP]]) - measure(objective, [[i, -STEP]])) / (2 * STEP),
  );
  const force = Math.max(...sum.gradient.map(Math.abs));
  for (let i = 0; i < 12; i++) expect(Math.abs(sum.gradient[i]! - gradient[i]!)).toBeLessThan(1e-4 * force);

  const hessian = sum.hessian.map((_h, k) => {
    const i = Math.floor(k / 12);
    const j = k % 12;
    const at = (x: number, y: number): number =>
      measure(objective, [
        [i, x * STEP],
        [j, y * STEP],
      ]);
    return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * STEP * STEP);
  });
  const stiffness = Math.max(...sum.hessian.map(Math.abs));
  for (let k = 0; k < 144; k++)
    expect(Math.abs(sum.hessian[k]! - hessian[k]!)).toBeLessThan(1e-4 * Math.max(stiffness, Math.abs(hessian[k]!)));
  // the turn about the normal has next to no stiffness but that of the mollifier
  if (hasMollifier) expect(sum.hessian[12 * 5 + 5]! / hessian[12 * 5 + 5]!).toBeCloseTo(1, 2);
});
