/**
 * Ten pairs of sharp features after Erleben (Methodology for assessing mesh-based contact point methods, 2018): tips, edges, pits,
 * cracks, cliffs and inner edges. None may catch, pass or gain energy; what slides without friction keeps its speed.
 */
import type { Body, Quaternion, Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { advance, body, build, findFastest, G, place, sumEnergy, sumNormalForces } from './checked-scene.ts';
import { createPit, createProfile, createSpike, createWedge } from './sharp-meshes.ts';

const HALF = 0.5;
const HEIGHT = 1;
const DENSITY = 1000;
const SPIKE_MASS = (DENSITY * (2 * HALF) ** 2 * HEIGHT) / 3;
const WEDGE_MASS = (DENSITY * 2 * HALF * HEIGHT * 1) / 2;
/** Inverse sine of half the angle of spike, wedge, pit and crack: how much more than the weight their faces carry. */
const SQUEEZE = Math.hypot(HALF, HEIGHT) / HALF;

const meshes = [
  createSpike('spike', HALF, HEIGHT),
  createWedge('wedge', HALF, HEIGHT, 0.5),
  createPit('pit', HALF, HEIGHT, 2),
  createProfile(
    'crack',
    [
      [-0.6, 1.2],
      [0, 0],
      [0.6, 1.2],
    ],
    3,
    12,
  ),
  createProfile(
    'grid',
    Array.from({ length: 21 }, (_, i) => [-2 + 0.4 * i, 0] as const),
    1,
    7,
  ),
  createProfile(
    'cliff',
    [
      [-2, 0],
      [0, 0],
      [0, -2],
      [2, -2],
    ],
    1,
    1,
  ),
];
const UPSIDE_DOWN: Quaternion = [0, 1, 0, 0];
const mesh = (name: string, more: Partial<Shape> = {}): Shape =>
  ({ kind: 'triangleMesh', mesh: name, friction: 0, ...more }) as Shape;

function meet(under: Shape, over: Body, velocity: readonly number[] = []): Simulation {
  const simulation = build({ meshes, shapes: [under], bodies: [over] }, 0.01);
  simulation.state.velocity.set(velocity);
  return simulation;
}

/** Runs with I0; the energy of motion and height never rises above the start by more than the barrier lends. */
function run(simulation: Simulation, steps: number): void {
  const start = sumEnergy(simulation);
  // lifted by a barrier it lay in at most 0.1 d̂ deep; backward Euler takes energy, never gives it
  const lent = 0.1 * 1e-3 * 2 * WEDGE_MASS * G * SQUEEZE;
  advance(simulation, steps, () => expect(sumEnergy(simulation)).toBeLessThan(start + lent));
}

describe('tips and edges that meet', () => {
  const cases: [name: string, under: Shape, over: Body][] = [
    ['two spikes', mesh('spike', { orientation: UPSIDE_DOWN }), body('a', [0.01, 0.005, 0.1], mesh('spike'))],
    ['two wedges, parallel', mesh('wedge', { orientation: UPSIDE_DOWN }), body('a', [0.001, 0, 0.05], mesh('wedge'))],
    ['a spike on a wedge', mesh('wedge', { orientation: UPSIDE_DOWN }), body('a', [0.01, 0.1, 0.05], mesh('spike'))],
    ['a wedge on a spike', mesh('spike', { orientation: UPSIDE_DOWN }), body('a', [0.01, 0.1, 0.05], mesh('wedge'))],
  ];
  for (const [name, under, over] of cases) {
    test(`${name}: the upper one slips off and falls`, () => {
      const simulation = meet(under, over);
      run(simulation, 150);
      const [x, , z] = place(simulation, 1);
      expect(x).toBeGreaterThan(1);
      expect(z).toBeLessThan(-2);
    });
  }

  test('two wedges, crossed: the upper one rests on the edge, at the place of its weight', () => {
    const orientation: Quaternion = [Math.cos(0.6), 0, 0, Math.sin(0.6)];
    const simulation = meet(
      mesh('wedge', { orientation: UPSIDE_DOWN }),
      body('a', [0, 0, 0.05], mesh('wedge'), { orientation }),
    );
    run(simulation, 100);
    expect(sumNormalForces(simulation) / (WEDGE_MASS * G)).toBeCloseTo(1, 6);
    expect(place(simulation, 1)[2]).toBeLessThan(1e-3);
  });
});

describe('pits and cracks', () => {
  for (const [name, under, over, mass] of [
    ['a spike in a pit', 'pit', 'spike', SPIKE_MASS],
    ['a spike in a crack', 'crack', 'spike', SPIKE_MASS],
    ['a wedge in a crack', 'crack', 'wedge', WEDGE_MASS],
  ] as const) {
    test(`${name} comes to rest; its faces press with its weight over their sine`, () => {
      const simulation = meet(mesh(under), body('a', [0.01, 0.02, 0.1], mesh(over)));
      run(simulation, 150);
      expect(findFastest(simulation)).toBeLessThan(1e-3);
      expect(sumNormalForces(simulation) / (mass * G * SQUEEZE)).toBeCloseTo(1, 5);
      // flush with both sides: less than d̂ from each
      const [x, , z] = place(simulation, 1);
      expect(Math.abs(x)).toBeLessThan(1e-3);
      expect(z + (under === 'pit' ? HEIGHT : 0)).toBeLessThan(1e-3 * SQUEEZE);
    });
  }

  for (const over of ['spike', 'wedge'] as const) {
    test(`a ${over} slides along a crack over eight cuts at its speed`, () => {
      const simulation = meet(mesh('crack'), body('a', [0, -2, 0.0022], mesh(over)), [0, 1]);
      run(simulation, 300);
      expect(Math.abs(place(simulation, 1)[1] - 1)).toBeLessThan(1e-6);
      expect(Math.abs(simulation.state.velocity[1]! - 1)).toBeLessThan(1e-6);
    });
  }
});

describe('inner edges and cliffs', () => {
  const box: Shape = { kind: 'box', halfSize: [0.2, 0.2, 0.15], friction: 0 };

  test('a box slides over a grid of triangles as over a plane: it does not catch, turn or slow down', () => {
    const simulation = meet(mesh('grid'), body('a', [0, 0, 0.1508], box), [1, 0.1]);
    run(simulation, 300);
    const { velocity } = simulation.state;
    [1, 0.1, 0, 0, 0, 0].forEach((value, k) => {
      expect(Math.abs(velocity[k]! - value)).toBeLessThan(1e-6);
    });
  });

  test('a box over a cliff stays where its centre is on land, and falls off where it is not', () => {
    const rough: Shape = { kind: 'box', halfSize: [0.3, 0.3, 0.3], friction: 0.5 };
    const cliff = mesh('cliff', { friction: 0.5 });
    const staying = meet(cliff, body('a', [-0.1, 0, 0.301], rough));
    run(staying, 100);
    expect(Math.abs(place(staying, 1)[0] + 0.1)).toBeLessThan(1e-4);
    expect(sumNormalForces(staying) / (216 * G)).toBeCloseTo(1, 5);
    const falling = meet(cliff, body('a', [0.05, 0, 0.301], rough));
    run(falling, 300);
    expect(place(falling, 1)[2]).toBeLessThan(-1.6);
    expect(findFastest(falling)).toBeLessThan(1e-3);
  });
});
