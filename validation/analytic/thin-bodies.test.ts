/** Shells and rods against closed forms of plates, beams, columns and cables, under the formulations that have soft bodies. */
import { compileModel, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest } from '../../scripts/long-run.ts';

function open(soft: SoftBody, more: Partial<Scene> = {}, options: Scene['options'] = {}): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    softBodies: [{ name: 'soft', ...soft }],
    ...more,
    options: { formulation: 'sap', timestep: 0.02, ...options },
  };
  return new Simulation(compileModel(scene));
}

/** Points of a straight rod along x. */
function line(length: number, cells: number): number[] {
  return Array.from({ length: 3 * (cells + 1) }, (_, i) => (i % 3 === 0 ? (length * i) / 3 / cells : 0));
}

/** Steps until nothing moves; the body has damping of its mass. */
function settle(simulation: Simulation, steps: number): Float64Array {
  for (let k = 0; k < steps; k++) expect(simulation.step().status).toBe('converged');
  return simulation.softPosition('soft');
}

describe.each(['sap', 'ipc'] as const)('under %s', (formulation) => {
  (formulation === 'sap' ? test : longTest)('a strip of a plate sags as a beam, whatever its Poisson ratio', () => {
    const [length, t, young, density, cells] = [1, 0.01, 1e8, 1000, 20];
    const sagOf = (ratio: number): number => {
      const [nx, ny] = [cells, 4];
      const pinned = [...Array(2 * (ny + 1)).keys()].map((k) => (k % 2) + (nx + 1) * Math.floor(k / 2));
      const strip: SoftBody = {
        mesh: { kind: 'grid', size: [length, 0.2], cells: [nx, ny], thickness: t },
        elasticity: { youngsModulus: young, poissonRatio: ratio, density, massDamping: 10 },
        pinned,
      };
      const x = settle(open(strip, {}, { formulation, gravity: [0, 0, -0.1] }), 120);
      return -x[3 * (nx + 1) * (ny / 2) + 3 * nx + 2];
    };
    // clamped between the first two rows: the hinge on the second one bends over half a cell on either side
    const free = length - length / cells;
    const theory = (density * t * 0.1 * free ** 4 * 12) / (8 * young * t ** 3);
    const sag = sagOf(0);
    expect(sag / theory).toBeGreaterThan(1);
    expect(sag / theory).toBeLessThan((1 + 0.5 / cells) ** 4 * 1.03);
    // a strip is free to curve across and keeps E, so that its sag hardly depends on ν
    expect(Math.abs(sagOf(0.3) / sag - 1)).toBeLessThan(0.04);
  });

  test('a rod under its weight sags as a beam', () => {
    const [length, r, young, density, cells, g] = [1, 0.005, 1e9, 1000, 32, 0.1];
    const rod: SoftBody = {
      mesh: { kind: 'polyline', points: line(length, cells), radius: r },
      elasticity: { youngsModulus: young, poissonRatio: 0.3, density, massDamping: 5 },
      pinned: [0, 1],
    };
    const x = settle(open(rod, {}, { formulation, gravity: [0, 0, -g] }), 200);
    // bends from the middle of the clamped edge on
    const free = length * (1 - 0.5 / cells);
    const stiffness = (young * Math.PI * r ** 4) / 4;
    const theory = (density * Math.PI * r * r * g * free ** 4) / (8 * stiffness);
    expect(Math.abs(-x[3 * cells + 2] / theory - 1)).toBeLessThan(2e-3);
  });

  (formulation === 'sap' ? test : longTest)('a slack cable hangs in a catenary', () => {
    const [span, depth, cells] = [1, 0.4, 40];
    const points = line(span, cells).map((value, i) => (i % 3 === 2 ? -1e-9 : value));
    // a zigzag as long as the cable
    const length = 1.4;
    const rise = Math.sqrt((length / cells) ** 2 - (span / cells) ** 2);
    for (let p = 1; p < cells; p += 2) points[3 * p + 2] = -rise;
    const cable: SoftBody = {
      mesh: { kind: 'polyline', points, radius: 0.002 },
      elasticity: { youngsModulus: 1e9, poissonRatio: 0.3, bendingStiffness: 0, twistStiffness: 0, massDamping: 4 },
      pinned: [0, cells],
      contact: 'none',
    };
    const x = settle(open(cable, {}, { formulation }), 300);
    // length = 2 a sinh(span / 2a)
    let [low, high] = [0.05, 10];
    for (let k = 0; k < 80; k++) {
      const a = 0.5 * (low + high);
      if (2 * a * Math.sinh(span / (2 * a)) > length) low = a;
      else high = a;
    }
    const sag = low * (Math.cosh(span / (2 * low)) - 1);
    expect(depth).toBeLessThan(sag);
    expect(Math.abs(-x[3 * (cells / 2) + 2] / sag - 1)).toBeLessThan(3e-3);
  });
});

test('a column buckles at π² E I / 4 L²', () => {
  const [length, r, young, cells] = [1, 0.01, 1e9, 24];
  const critical = (Math.PI ** 2 * young * Math.PI * r ** 4) / 4 / (4 * (length * (1 - 0.5 / cells)) ** 2);
  const push = (share: number): number => {
    const rod: SoftBody = {
      mesh: { kind: 'polyline', points: line(length, cells), radius: r },
      elasticity: { youngsModulus: young, poissonRatio: 0.3, massDamping: 2 },
      pinned: [0, 1],
    };
    const simulation = open(rod, {}, { gravity: [0, 0, 0], timestep: 0.05 });
    simulation.applySoftForce('soft', cells, [-share * critical, 0, 1e-4 * critical]);
    const x = settle(simulation, 400);
    return Math.hypot(x[3 * cells + 1], x[3 * cells + 2]);
  };
  expect(push(0.9)).toBeLessThan(0.01);
  expect(push(1.1)).toBeGreaterThan(0.2);
});

test('a straight rod with clamped ends writhes at the moment 8.987 E I / L', () => {
  const [length, r, young, cells] = [1, 0.01, 1e7, 30];
  const ratio = 0.25;
  // E I / G J = 1 + ν
  const critical = 8.9868 * (1 + ratio);
  const twist = (share: number): number => {
    const end = share * critical;
    const rod: SoftBody = {
      mesh: { kind: 'polyline', points: line(length, cells), radius: r },
      elasticity: { youngsModulus: young, poissonRatio: ratio, massDamping: 2 },
      pinned: [0, 1],
      driven: [{ vertices: [cells - 1, cells], times: [0, 4], displacements: [0, 0, 0, 0, 0, 0], twist: [0, end] }],
    };
    const simulation = open(rod, {}, { gravity: [0, 0, -1e-3], timestep: 0.05 });
    const x = settle(simulation, 400);
    return Math.hypot(x[3 * (cells / 2) + 1], x[3 * (cells / 2) + 2]);
  };
  // the ends keep their distance: beyond the threshold it bends as far as it can stretch
  expect(twist(0.9)).toBeLessThan(1e-4);
  expect(twist(1.1)).toBeGreaterThan(3e-3);
});

test.each(['mujoco', 'sap', 'ccp', 'penalty'] as const)(
  'a twisted rod at rest without weight has converged: %s',
  (formulation) => {
    const [cells, r, young] = [20, 0.005, 1e7];
    const rod: SoftBody = {
      mesh: { kind: 'polyline', points: line(0.4, cells), radius: r },
      elasticity: { youngsModulus: young, poissonRatio: 0.25, massDamping: 5 },
      contact: 'none',
      pinned: [0, 1],
      driven: [{ vertices: [cells - 1, cells], times: [0, 1], displacements: [0, 0, 0, 0, 0, 0], twist: [0, 1] }],
    };
    const simulation = open(rod, {}, { formulation, gravity: [0, 0, 0] });
    // nothing moves after the turn has ended: rounding is all that is left
    settle(simulation, 120);
    const moment = ((young / 2.5) * Math.PI * r ** 4) / 2 / (0.4 * (1 - 1 / cells));
    expect(Math.abs(simulation.softStress('soft').twistMoment[10] / moment - 1)).toBeLessThan(1e-9);
  },
);

test('snapshots and replays take the frames of a rod along', () => {
  const rod: SoftBody = {
    mesh: { kind: 'polyline', points: [0, 0, 0, 0.1, 0, 0, 0.15, 0.1, 0, 0.15, 0.1, 0.1], radius: 0.01 },
    elasticity: { youngsModulus: 1e6, poissonRatio: 0.3 },
    pinned: [0, 1],
  };
  const one = open(rod);
  one.step(20);
  const kept = one.snapshot();
  one.step(20);
  const two = open(rod);
  two.restore(kept);
  two.step(20);
  expect(two.hash()).toBe(one.hash());
});

describe('what is wrong is told', () => {
  const elasticity = { youngsModulus: 1e6, poissonRatio: 0.3 };
  test.each([
    [
      'an edge of three triangles',
      {
        kind: 'triangles',
        vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1],
        triangles: [0, 1, 2, 0, 1, 3, 0, 1, 4],
        thickness: 0.01,
      },
      /edge between vertices 0 and 1 belongs to 3 triangles/,
    ],
    ['no thickness', { kind: 'grid', size: [1, 1], cells: [1, 1], thickness: 0 }, /thickness/],
    [
      'a flat triangle',
      { kind: 'triangles', vertices: [0, 0, 0, 1, 0, 0, 2, 0, 0], triangles: [0, 1, 2], thickness: 0.01 },
      /triangle 0 has no area/,
    ],
    [
      'a missing vertex',
      { kind: 'triangles', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 3], thickness: 0.01 },
      /no vertex 3/,
    ],
    [
      'an unused vertex',
      { kind: 'triangles', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5], triangles: [0, 1, 2], thickness: 0.01 },
      /vertex 3 belongs to no triangle/,
    ],
    [
      'an edge without length',
      { kind: 'polyline', points: [0, 0, 0, 1, 0, 0, 1, 0, 0], radius: 0.01 },
      /edge from point 1 to point 2 has no length/,
    ],
    [
      'an edge that rounding has left',
      { kind: 'polyline', points: [0, 0, 0, 1, 0, 0, 1 + 1e-13, 0, 0], radius: 0.01 },
      /no length/,
    ],
    [
      'a rod that turns back on itself',
      { kind: 'polyline', points: [0, 0, 0, 1, 0, 0, 0.5, 0, 0], radius: 0.01 },
      /turns back on itself at point 1/,
    ],
    ['a missing mesh', { kind: 'shell', mesh: 'x', thickness: 0.01 }, /x/],
  ] as const)('%s', (_, mesh, reason) => {
    expect(() => open({ mesh: mesh as unknown as SoftBody['mesh'], elasticity })).toThrow(reason);
  });

  test('woven cloth whose energy would fall as it stretches', () => {
    const grid: SoftBody['mesh'] = { kind: 'grid', size: [1, 1], cells: [1, 1], thickness: 0.01 };
    // ν² E₂ < E₁ is where Q is positive definite
    const weave = (weft: number) => ({
      ...elasticity,
      orthotropic: { youngsModulus: [1e5, weft] as [number, number] },
    });
    expect(() => open({ mesh: grid, elasticity: weave(1.2e6) })).toThrow(
      /orthotropic.poissonRatio: must be below .* 0.289/,
    );
    expect(open({ mesh: grid, elasticity: weave(1e6) }).step().status).toBe('converged');
  });

  test('an attachment without vertices, and a quantity that there is not', () => {
    const grid: SoftBody['mesh'] = { kind: 'grid', size: [1, 1], cells: [1, 1], thickness: 0.01 };
    const attachments = [{ vertices: [], body: 'world' }];
    expect(() => open({ mesh: grid, elasticity, attachments })).toThrow(/attachments\[0\].vertices: .* holds nothing/);
    const simulation = open({ mesh: grid, elasticity });
    expect(() => simulation.softField('soft', 'colour' as 'vonMises')).toThrow(/no quantity "colour"/);
  });

  test('what passes through itself and is to touch itself, with the place', () => {
    const cloth: SoftBody['mesh'] = {
      kind: 'triangles',
      vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -0.5, 0.2, 0.2, 0.5, 0.8, 0.8, 0.3],
      triangles: [0, 1, 2, 3, 4, 5],
      thickness: 0.001,
    };
    const rod: SoftBody['mesh'] = {
      kind: 'polyline',
      points: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0.5, 1, 0, 0.5, -1, 0],
      radius: 0.01,
    };
    const position: SoftBody['position'] = [0, 0, 2];
    expect(() => open({ mesh: cloth, elasticity, selfContact: true, position })).toThrow(
      /softBodies\[0\].mesh: .* triangles 0 and 1 cross at \(0.5 0.5 2\)/,
    );
    expect(() => open({ mesh: rod, elasticity, selfContact: true, position })).toThrow(
      /edges 0 and 3 cross at \(0.5 0 2\)/,
    );
    // two layers at one place cross as well
    const flat: SoftBody['mesh'] = {
      kind: 'triangles',
      vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 0, 1.2, 0.2, 0, 0.2, 1.2, 0],
      triangles: [0, 1, 2, 3, 4, 5],
      thickness: 0.001,
    };
    expect(() => open({ mesh: flat, elasticity, selfContact: true })).toThrow(/triangles 0 and 1 cross at/);
    // without contact with itself there is nothing wrong
    expect(() => open({ mesh: cloth, elasticity })).not.toThrow();
    const folded: SoftBody['mesh'] = { kind: 'grid', size: [1, 1], cells: [5, 5], thickness: 0.001 };
    expect(() => open({ mesh: folded, elasticity, selfContact: true })).not.toThrow();
    // edges in the plane of a triangle that they do not meet
    const bent: SoftBody['mesh'] = {
      kind: 'triangles',
      vertices: [0, 1, 2, 3].flatMap((i) => [-0.05, 0, 0.05].flatMap((y) => [0.1 * i, y, 0.031 * i * i])),
      triangles: [0, 1, 2].flatMap((i) => [0, 1].flatMap((j) => [0, 3, 4, 0, 4, 1].map((v) => 3 * i + j + v))),
      thickness: 0.001,
    };
    expect(() => open({ mesh: bent, elasticity, selfContact: true })).not.toThrow();
  });

  test("a volume that cannot change: the hint names Poisson's ratios that can be computed", () => {
    const mesh: SoftBody['mesh'] = { kind: 'box', halfSize: [1, 1, 1], cells: [1, 1, 1] };
    const body = (poissonRatio: number): SoftBody => ({ mesh, elasticity: { ...elasticity, poissonRatio } });
    expect(() => open(body(0.5))).toThrow(/poissonRatio: .*up to 0.499/);
    expect(() => open({ ...body(0.499), element: 'tet10' })).not.toThrow();
  });

  test('constants of another dimension', () => {
    const mesh = { kind: 'grid', size: [1, 1], cells: [1, 1], thickness: 0.01 } as SoftBody['mesh'];
    expect(() => open({ mesh, elasticity: { ...elasticity, twistStiffness: 1 } })).toThrow(/constant of rods/);
    expect(() => open({ mesh, elasticity: { ...elasticity, model: 'corotated' } })).toThrow(/no corotated law/);
    expect(() => open({ mesh, elasticity, contact: 'hydroelastic' })).toThrow(/no pressure field/);
    expect(() => open({ mesh, elasticity, pinned: [4] })).toThrow(/no vertex 4/);
  });
});
