/** The derivative of a tie's residual against differences, and that it does not change where everything turns together. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { TiePlace } from './tie-place.ts';

const elasticity = { youngsModulus: 1e6, poissonRatio: 0.3 };
const load = {
  name: 'load',
  elasticity,
  mesh: { kind: 'polyline', points: [0.03, 0.02, 0.05, 0.1, 0.1, 0.1], radius: 0.01 },
};
const HOLDERS = {
  solid: { kind: 'box', halfSize: [0.2, 0.2, 0.2], cells: [1, 1, 1] },
  shell: { kind: 'grid', size: [0.2, 0.2], cells: [1, 1], thickness: 0.01 },
  rod: { kind: 'polyline', points: [-0.1, 0, 0, 0, 0.01, 0, 0.1, 0, 0], radius: 0.01 },
};

describe.each(Object.entries(HOLDERS))('a tie to a %s', (_, mesh) => {
  const scene = {
    format: 'nexdyn-scene',
    version: 1,
    softBodies: [
      { name: 'holder', mesh, elasticity },
      { ...load, attachments: [{ vertices: [0], body: 'holder' }] },
    ],
  } as unknown as Scene;
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  const { model, state } = simulation;
  const work = simulation.derived;
  const x = work.softPosition;
  const tie = new TiePlace();
  const read = (): number[] => {
    tie.read(model, work, state.softDirector, 0);
    return Array.from(tie.residual);
  };

  test('begins closed', () => {
    for (const value of read()) expect(Math.abs(value)).toBeLessThan(1e-15);
  });

  test('derivatives', () => {
    read();
    const { count } = tie;
    const vertex = Array.from(tie.vertex.subarray(0, count));
    const block = Float64Array.from(tie.block);
    const h = 1e-6;
    for (let n = 0; n < count; n++) {
      // angles turn directors, which a difference of positions alone does not
      if (vertex[n] >= model.soft.pointCount[0] && vertex[n] < model.soft.vertexStart[1]) continue;
      for (let c = 0; c < 3; c++) {
        const at = 3 * vertex[n] + c;
        const kept = x[at];
        x[at] = kept + h;
        const above = read();
        x[at] = kept - h;
        const below = read();
        x[at] = kept;
        for (let r = 0; r < 3; r++) {
          expect(Math.abs((above[r] - below[r]) / (2 * h) - block[9 * n + 3 * r + c])).toBeLessThan(1e-8);
        }
      }
    }
  });

  test('no residual where all turn', () => {
    read();
    const { count } = tie;
    const ω = [0.3, -0.5, 0.7];
    const speed = [0, 0, 0];
    for (let n = 0; n < count; n++) {
      const v = tie.vertex[n];
      const isAngle = v >= model.soft.pointCount[0] && v < model.soft.vertexStart[1];
      const [px, py, pz] = x.subarray(3 * v, 3 * v + 3);
      // an edge turns about its tangent by ω·t, r θ̇
      const e = model.soft.edge;
      const first = v - model.soft.pointCount[0];
      const along = isAngle ? [0, 1, 2].map((c) => x[3 * e[2 * first + 1] + c] - x[3 * e[2 * first] + c]) : [1, 0, 0];
      const turn = along.reduce((sum, value, c) => sum + value * ω[c], 0) / Math.hypot(...along);
      const move = isAngle
        ? [0.01 * turn, 0, 0]
        : [ω[1] * pz - ω[2] * py, ω[2] * px - ω[0] * pz, ω[0] * py - ω[1] * px];
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) speed[r] += tie.block[9 * n + 3 * r + c] * move[c];
    }
    for (const value of speed) expect(Math.abs(value)).toBeLessThan(1e-14);
  });
});
