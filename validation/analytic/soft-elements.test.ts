/**
 * Elements of soft bodies in scenes: a cantilever under its own weight against beam theory, and a cube at rest on the floor. The
 * vertices that are pinned are those of the mesh; the middles of edges between them are held with them.
 *
 *   w = ρ g A L⁴ / (8 E I) + ρ g L² / (2 κ G),   κ = 10 (1 + ν) / (12 + 11 ν)
 */
import { compileModel, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../scripts/long-run.ts';

const [LENGTH, THICKNESS, E, DENSITY, G] = [1, 0.1, 1e8, 1000, 9.81];

function beamSag(nu: number): number {
  const shear = (10 * (1 + nu)) / (12 + 11 * nu);
  const bending = (DENSITY * G * THICKNESS ** 2 * LENGTH ** 4) / (8 * E * (THICKNESS ** 4 / 12));
  return bending + (DENSITY * G * LENGTH ** 2 * (1 + nu)) / (shear * E);
}

/** Sag of the free end over that of beam theory, 400 tetrahedra, steps so long that inertia does not count. */
function measureSag(element: NonNullable<SoftBody['element']>, poissonRatio: number): number {
  const cells: [number, number, number] = [20, 2, 2];
  const halfSize: [number, number, number] = [LENGTH / 2, THICKNESS / 2, THICKNESS / 2];
  const pinned = Array.from({ length: 9 }, (_, k) => 21 * k);
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1e3, gravity: [0, 0, -G] },
    softBodies: [
      {
        name: 'beam',
        element,
        pinned,
        contact: 'none',
        mesh: { kind: 'box', halfSize, cells },
        elasticity: { model: 'linear', youngsModulus: E, poissonRatio, density: DENSITY },
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  simulation.step(2);
  const { rest } = simulation.model.soft;
  let [sum, count] = [0, 0];
  const now = simulation.softPosition('beam');
  for (let i = 0; i < rest.length; i += 3) {
    if (Math.abs(rest[i]! + LENGTH / 2) < 1e-12) expect(now[i + 2]).toBe(rest[i + 2]);
    if (rest[i]! < LENGTH / 2 - 1e-9) continue;
    sum += rest[i + 2]! - now[i + 2]!;
    count++;
  }
  return sum / count / beamSag(poissonRatio);
}

describe('a cantilever of 400 tetrahedra', () => {
  test('10-node: within 1 % of a beam, within 3 % nearly incompressible', () => {
    expect(Math.abs(measureSag('tet10', 0) - 1)).toBeLessThan(0.01);
    expect(Math.abs(measureSag('tet10', 0.3) - 1)).toBeLessThan(0.01);
    expect(Math.abs(measureSag('tet10', 0.49) - 1)).toBeLessThan(0.03);
    expect(Math.abs(measureSag('tet10', 0.499) - 1)).toBeLessThan(0.03);
  });

  test('smoothed: at most a quarter of the error of plain linear tetrahedra, and half of it nearly incompressible', () => {
    for (const [nu, share] of [
      [0, 0.25],
      [0.3, 0.25],
      [0.499, 0.5],
    ] as const) {
      const linear = 1 - measureSag('tet4', nu);
      const smoothed = Math.abs(measureSag('smoothedTet4', nu) - 1);
      expect(smoothed).toBeLessThan(share * linear);
    }
  });
});

describe.each(['sap', 'ipc'] as const)('%s', (formulation) => {
  const elements = (['smoothedTet4', 'tet10'] as const).filter(
    (element) => isLongRun || (element === 'tet10') === (formulation === 'ipc'),
  );

  test.each(elements)('a cube of %s rests on the floor, which carries it', (element) => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.01 },
      shapes: [{ kind: 'plane' }],
      softBodies: [
        {
          name: 'cube',
          element,
          contact: 'point',
          position: [0, 0, 0.11],
          mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
          elasticity: { model: 'neoHookean', youngsModulus: 1e5, poissonRatio: 0.45, massDamping: 10 },
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene, { formulation }));
    simulation.step(120);
    const carried = simulation.contactForces().reduce((sum, { force }) => sum + Math.abs(force[2]), 0);
    expect(Math.abs(carried / (8 * G) - 1)).toBeLessThan(2e-3);
  });
});

test('vertices held while a simulation runs hold the middles between them, and let them go', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    softBodies: [
      {
        name: 'one',
        element: 'tet10',
        mesh: { kind: 'tetrahedra', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  expect(simulation.model.size.softVertex).toBe(10);
  simulation.holdVertices('one', [0, 1, 2]);
  expect([...simulation.state.softHeld]).toEqual([1, 1, 1, 0, 1, 1, 0, 1, 0, 0]);
  simulation.releaseVertices('one', [0]);
  expect([...simulation.state.softHeld]).toEqual([0, 1, 1, 0, 0, 0, 0, 1, 0, 0]);
});

/**
 * Cook's membrane: a tapered panel, 48 long, clamped at the left (height 44), sheared up by a force of 1 spread over its right
 * edge (height 16), thickness 1, E = 1, ν = 1/3. In plane stress the middle of the right edge rises by 23.96 (Cook, Malkus, Plesha,
 * Witt, Concepts and applications of finite element analysis (2002), refined). Errors with n × n cells of six tetrahedra, and order:
 *
 *     n   tet4      smoothedTet4   tet10
 *     4   −57.3 %   −19.8 %        −2.6 %
 *     8   −32.4 %    −4.7 %        −0.8 %
 *         0.8        2.1            1.8
 */
function measureMembrane(element: NonNullable<SoftBody['element']>, n: number): number {
  const index = (i: number, j: number, k: number): number => i + (n + 1) * (j + (n + 1) * k);
  const vertices: number[] = [];
  const tetrahedra: number[] = [];
  for (let k = 0; k <= 1; k++)
    for (let j = 0; j <= n; j++)
      for (let i = 0; i <= n; i++) {
        const [u, v] = [i / n, j / n];
        vertices.push(48 * u, 44 * u + v * (44 - 28 * u), k);
      }
  // six tetrahedra per cell around its diagonal
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      for (const [a, b] of [
        [1, 2],
        [2, 1],
        [1, 4],
        [4, 1],
        [2, 4],
        [4, 2],
      ] as const) {
        const corner = (bits: number): number => index(i + (bits & 1), j + ((bits >> 1) & 1), bits >> 2);
        const four = [corner(0), corner(a), corner(a | b), corner(7)];
        const isRight = (a === 1 && b === 2) || (a === 2 && b === 4) || (a === 4 && b === 1);
        tetrahedra.push(...(isRight ? four : [four[0]!, four[2]!, four[1]!, four[3]!]));
      }
    }
  const pinned = [0, 1].flatMap((k) => Array.from({ length: n + 1 }, (_, j) => index(0, j, k)));
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1e6, gravity: [0, 0, 0] },
    softBodies: [
      {
        name: 'panel',
        element,
        pinned,
        contact: 'none',
        mesh: { kind: 'tetrahedra', vertices, tetrahedra },
        elasticity: { model: 'linear', youngsModulus: 1, poissonRatio: 1 / 3, density: 1e-3 },
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  // a shear spread evenly over the edge, by the height that each vertex stands for
  const { rest } = simulation.model.soft;
  const edge = Array.from({ length: rest.length / 3 }, (_, v) => v).filter((v) => rest[3 * v]! > 48 - 1e-9);
  const heights = [...new Set(edge.map((v) => Math.round(1e6 * rest[3 * v + 1]!)))].sort((a, b) => a - b);
  for (const v of edge) {
    const height = Math.round(1e6 * rest[3 * v + 1]!);
    const isEnd = height === heights[0] || height === heights.at(-1);
    const across = edge.filter((w) => Math.round(1e6 * rest[3 * w + 1]!) === height).length;
    simulation.state.softForce[3 * v + 1] = (isEnd ? 0.5 : 1) / (heights.length - 1) / across;
  }
  simulation.step(2);
  const now = simulation.softPosition('panel');
  const middle = edge.filter((v) => Math.abs(rest[3 * v + 1]! - 52) < 1e-6);
  return middle.reduce((sum, v) => sum + now[3 * v + 1]! - rest[3 * v + 1]!, 0) / middle.length;
}

test("Cook's membrane: plain tetrahedra are too stiff, smoothed and 10-node ones are not", () => {
  const error = (element: NonNullable<SoftBody['element']>, n: number): number =>
    measureMembrane(element, n) / 23.96 - 1;
  const linear = [4, 8].map((n) => error('tet4', n));
  const smoothed = [4, 8].map((n) => error('smoothedTet4', n));
  const quadratic = [4, 8].map((n) => error('tet10', n));
  for (const k of [0, 1]) {
    expect(Math.abs(smoothed[k]!)).toBeLessThan(0.5 * Math.abs(linear[k]!));
    expect(Math.abs(quadratic[k]!)).toBeLessThan(0.03);
  }
  expect(Math.abs(linear[1]!)).toBeLessThan(Math.abs(linear[0]!));
});
