import { compileModel, type Scene } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { formatFacts } from './facts-report.ts';
import { collectFacts } from './scene-facts.ts';

/** A soft bar of 0.2 x 0.1 x 0.1 m, held at one vertex, beside a rigid box of 3 kg. */
const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  name: 'both',
  options: { formulation: 'sap', timestep: 0.01 },
  bodies: [{ name: 'box', joints: [{ kind: 'free' }], shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 3 }] }],
  softBodies: [
    {
      name: 'bar',
      position: [1, 0, 0],
      mesh: { kind: 'box', halfSize: [0.1, 0.05, 0.05], cells: [2, 1, 1] },
      elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 },
      pinned: [0],
    },
  ],
};

test('soft bodies count: their mass is density times volume, with vertices and tetrahedra', () => {
  const model = compileModel(SCENE, { coordinates: 'joint', formulation: 'mujoco', timestep: 0.002 });
  const facts = collectFacts(model, { file: 'both.json', scene: SCENE, unsupported: [], formulation: 'ipc' });
  // 2 x 1 x 1 cells have 12 corners
  expect(facts.softBodies).toMatchObject([{ name: 'bar', vertices: 12, held: 1 }]);
  expect(facts.softBodies[0]!.mass).toBeCloseTo(500 * 0.2 * 0.1 * 0.1, 12);
  expect(facts.totalMass).toBeCloseTo(4, 12);
  const text = formatFacts(facts);
  expect(text).toMatch(/^bar {2}1 kg {2}soft {2}12 vertices \(1 held\) {2}\d+ tetrahedra$/m);
  // what the caller replaced, not what the scene says
  expect(text).toMatch(/^step +0\.002 s, semiImplicit, formulation ipc$/m);
});
