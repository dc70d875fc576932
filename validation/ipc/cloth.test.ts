import { compileModel, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { longTest } from '../../scripts/long-run.ts';
import { dropCloth } from './cloth-scene.ts';

test('cloth folds over a box without a single intersection, and keeps half its thickness from it', () => {
  const { simulation, lowest } = dropCloth(10, 30, 5);
  expect(lowest).toBeLessThan(0);
  const x = simulation.softPosition('cloth');
  const onTop = [...Array(x.length / 3).keys()].filter(
    (v) => Math.abs(x[3 * v]) < 0.15 && Math.abs(x[3 * v + 1]) < 0.15,
  );
  expect(onTop.length).toBeGreaterThan(3);
  for (const v of onTop) expect(x[3 * v + 2]).toBeGreaterThan(0.151);
});

longTest('cloth folds over a ball without a single intersection', () => {
  expect(dropCloth(10, 20, 4, 'ball').lowest).toBeLessThan(0);
});

test('a rod falls on a rod across it and lies on it', () => {
  const line = (axis: number, height: number): number[] =>
    Array.from({ length: 33 }, (_, i) => {
      const k = i % 3;
      return k === axis ? 0.05 * (Math.floor(i / 3) - 5) + 0.007 : k === 2 ? height : 0;
    });
  const elasticity = { youngsModulus: 1e7, poissonRatio: 0.3, massDamping: 5 };
  const simulation = new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'ipc', timestep: 0.02 },
      softBodies: [
        {
          name: 'low',
          mesh: { kind: 'polyline', points: line(0, 0), radius: 0.005 },
          elasticity,
          pinned: [0, 1, 9, 10],
        },
        { name: 'high', mesh: { kind: 'polyline', points: line(1, 0.05), radius: 0.005 }, elasticity },
      ],
    }),
  );
  // they cross at the origin, 0.86 of the way from point 4 to point 5 of both: edges meet, and no point is near
  const heightOf = (name: string): number => {
    const x = simulation.softPosition(name);
    return 0.14 * x[3 * 4 + 2] + 0.86 * x[3 * 5 + 2];
  };
  for (let k = 0; k < 20; k++) {
    expect(simulation.step().status).toBe('converged');
    expect(heightOf('high') - heightOf('low')).toBeGreaterThan(0.01);
  }
  expect(heightOf('high') - heightOf('low')).toBeLessThan(0.012);
});

test('cloth that starts through itself is told with its place', () => {
  const open = (): Simulation =>
    new Simulation(
      compileModel({
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'ipc', start: 'refuse' },
        softBodies: [
          {
            name: 'cloth',
            mesh: {
              kind: 'triangles',
              vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -0.5, 0.4, 0.2, 0.5, 0.2, 0.4, 0.5],
              triangles: [0, 1, 2, 3, 4, 5],
              thickness: 0.001,
            },
            elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
            selfContact: true,
          },
        ],
      }),
    );
  expect(() => open().step()).toThrow(/cloth.*passes through itself: triangles 0 and 1/);
});

test('the legs of a bent rod that are pressed together keep its thickness', () => {
  // a U of 13 points, its legs 5 cm apart
  const leg = [0, 1, 2, 3, 4].map((k) => 0.05 * k);
  const points = [
    ...leg.flatMap((x) => [-x - 0.01, 0.025, 0]),
    ...[0.02, 0, -0.02].flatMap((y) => [-0.24, y, 0]),
    ...leg.toReversed().flatMap((x) => [-x - 0.01, -0.025, 0]),
  ];
  const simulation = new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'ipc', timestep: 0.02, gravity: [0, 0, 0] },
      softBodies: [
        {
          name: 'rod',
          mesh: { kind: 'polyline', points, radius: 0.004 },
          elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, massDamping: 10 },
          pinned: [6],
          selfContact: true,
        },
      ],
    }),
  );
  for (let i = 0; i < 4; i++) {
    simulation.applySoftForce('rod', i, [0, -0.05, 0]);
    simulation.applySoftForce('rod', 12 - i, [0, 0.05, 0]);
  }
  let least = Infinity;
  for (let k = 0; k < 25; k++) {
    expect(simulation.step().status).toBe('converged');
    const x = simulation.softPosition('rod');
    for (let i = 0; i < 4; i++) least = Math.min(least, x[3 * i + 1] - x[3 * (12 - i) + 1]);
  }
  expect(least).toBeGreaterThanOrEqual(0.008);
  expect(least).toBeLessThan(0.012);
});

test('cloth without self contact folds through itself, and every step has a minimum', () => {
  const simulation = new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'ipc', timestep: 0.01, gravity: [0, 0, 0] },
      softBodies: [
        {
          name: 'strip',
          mesh: { kind: 'grid', size: [0.3, 0.1], cells: [3, 2], thickness: 0.001 },
          elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, bendingStiffness: 1e-3, massDamping: 5 },
          pinned: [0, 1, 4, 5, 8, 9],
          // over the part that is held, then down through it
          driven: [
            { vertices: [3, 11], times: [0, 0.2, 0.4], displacements: [0, 0, 0, -0.2, 0, 0.05, -0.2, 0, -0.05] },
          ],
        },
      ],
    }),
  );
  for (let k = 0; k < 50; k++) expect(simulation.step().status).toBe('converged');
  const x = simulation.softPosition('strip');
  expect(x[3 * 3 + 2]).toBeLessThan(-0.04);
});
