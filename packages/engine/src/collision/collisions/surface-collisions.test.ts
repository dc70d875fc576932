/** Contacts of boxes that lie on each other: pairs of edges with the same nearest points or edges count once, with all of their energy. */
import { expect, test } from 'vitest';
import { barrier } from '../../contact/barrier.ts';
import { IpcObjective } from '../../formulation/ipc/ipc-objective.ts';
import { classifyEdgeEdge, measureEdgeEdge } from '../../geometry/distance/edge-edge.ts';
import { measureMollifier, measureMollifierThreshold } from '../../geometry/distance/edge-mollifier.ts';
import { Arena } from '../../kernels/arena.ts';
import { matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import { COLLISION } from './surface-collisions.ts';

const RANGE = 1e-3;
const GAP = 4e-4;

function stack(angle: number, shift: number): IpcObjective {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [0, 1].map(() => ({
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
    })),
  };
  const objective = new IpcObjective(compileModel(scene, { formulation: 'ipc' }), new Arena());
  const { position, orientation, rotation } = objective.frames.current;
  position.set([0, 0, 0, shift, 0, 0.2 + GAP]);
  orientation.set([1, 0, 0, 0, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)]);
  for (let f = 0; f < 2; f++) matrixFromQuaternion(rotation, 9 * f, orientation, 4 * f);
  objective.surfaces.place(objective.frames.current);
  objective.candidates.cover();
  objective.place(objective.frames.current);
  return objective;
}

/** Σ w m β over all pairs of sharp edges of two bodies, one by one; and how many there are within range. */
function sumEdges({ surfaces: set }: IpcObjective): { energy: number; count: number } {
  const [one, two] = set.surfaces;
  let energy = 0;
  let count = 0;
  for (let e = one.firstEdge; e < one.endEdge; e++) {
    for (let f = two.firstEdge; f < two.endEdge; f++) {
      if (set.isSharp[e] === 0 || set.isSharp[f] === 0) continue;
      const points = [...set.edge.subarray(2 * e, 2 * e + 2), ...set.edge.subarray(2 * f, 2 * f + 2)];
      const x = Float64Array.from(points.flatMap((v) => Array.from(set.world.subarray(3 * v, 3 * v + 3))));
      const square = measureEdgeEdge(x, 0, classifyEdgeEdge(x, 0));
      if (square >= RANGE * RANGE) continue;
      const weight = 0.25 * (set.edgeArea[e] + set.edgeArea[f]);
      energy += weight * measureMollifier(x, 0, measureMollifierThreshold(x, 0)) * barrier(square, RANGE * RANGE);
      count++;
    }
  }
  return { energy, count };
}

test.each([
  ['aligned', 0, 0],
  ['aligned along one axis', 0, 0.03],
  ['turned a little', 1e-3, 1e-4],
  ['turned far', 0.7, 0],
])('%s', (_, angle, shift) => {
  const objective = stack(angle, shift);
  const { contacts } = objective;
  const all = sumEdges(objective);
  let energy = 0;
  const keys = new Set<string>();
  for (let n = 0; n < contacts.count; n++) {
    energy += contacts.weight[n] * contacts.mollifier[n] * barrier(contacts.square[n], RANGE * RANGE);
    keys.add(`${contacts.kind[n]} ${contacts.part.subarray(4 * n, 4 * n + 4)}`);
  }
  // what points over faces, edges and points have: each of the eight corners that is over the other box, once
  const over = angle === 0.7 ? 0 : shift === 0.03 ? 4 : 8;
  const pointEnergy = over * objective.surfaces.pointArea[0] * barrier(GAP * GAP, RANGE * RANGE);
  if (angle !== 1e-3) expect(energy).toBeCloseTo(all.energy + pointEnergy, 12);
  // no two contacts are of the same features
  expect(keys.size).toBe(contacts.count);
  const edges = contacts.kind.subarray(0, contacts.count).filter((kind) => kind === COLLISION.edge).length;
  expect(edges).toBeLessThanOrEqual(all.count);
  if (angle === 0 && shift === 0) expect(contacts.count).toBeLessThan(8 + 0.6 * all.count);
});
