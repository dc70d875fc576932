import { expect, test } from 'vitest';
import '../../formulation/ccp/provide.ts';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Shape } from '../../scene/shape.ts';
import { Simulation } from '../../simulation.ts';

// a floor of boxes side by side, and without friction
const TILES: Shape[] = Array.from({ length: 20 }, (_, i) => ({
  kind: 'box',
  halfSize: [0.1, 1, 0.05],
  position: [0.2 * i - 1.9, 0, -0.05],
  friction: 0,
}));
const SLIDERS: readonly (readonly [Shape, number])[] = [
  [{ kind: 'box', halfSize: [0.02, 0.015, 0.025], friction: 0 }, 0.025],
  [{ kind: 'sphere', radius: 0.02, friction: 0 }, 0.02],
  [{ kind: 'cylinder', radius: 0.02, halfLength: 0.004, friction: 0 }, 0.004],
];

function slide(formulation: 'mujoco' | 'sap' | 'ccp', shape: Shape, height: number, speed: number, more: Shape[] = []) {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1 / 60 },
    shapes: [...TILES, ...more],
    bodies: [{ name: 'slider', position: [-1.8, 0.43, height], joints: [{ kind: 'free' }], shapes: [shape] }],
  };
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.setVelocity('slider', { linear: [speed, 0, 0] });
  simulation.step(Math.floor((3.2 / speed) * 60));
  return simulation.velocity('slider').linear[0];
}

// the gap of a seam is nothing, so nothing may slow what slides over it; under mujoco bodies rest 3 mm deep at 1/60 s, and a rounded one that comes to stand
// over a seam to a thousandth of its size climbs the edge of that
test.each([
  ['mujoco', 0.03],
  ['sap', 1e-3],
  ['ccp', 1e-3],
] as const)('%s: what slides over seams between boxes keeps its speed', (formulation, share) => {
  for (const [shape, height] of SLIDERS)
    for (const speed of [1, 3, 30])
      expect(Math.abs(slide(formulation, shape, height, speed) / speed - 1)).toBeLessThan(share);
});

// its end dips by 0.1 mm as it rocks on its support; lying, x is its axis
test('mujoco: a rod that rocks while it slides keeps its speed over seams', () => {
  const half = Math.SQRT1_2;
  const rod: Shape = { kind: 'capsule', radius: 0.006, halfLength: 0.04, orientation: [half, 0, half, 0], friction: 0 };
  for (const speed of [5, 10]) expect(slide('mujoco', rod, 0.006, speed) / speed).toBeGreaterThan(0.97);
});

test.each(['sap', 'ccp'] as const)('%s: a step of a tenth of its height stops it', (formulation) => {
  const lip: Shape = { kind: 'box', halfSize: [0.1, 1, 0.0025], position: [0.5, 0, 0.0025], friction: 0 };
  for (const speed of [1, 3]) {
    const [shape, height] = SLIDERS[0]!;
    expect(slide(formulation, shape, height, speed, [lip])).toBeLessThan(0.7 * speed);
  }
});
