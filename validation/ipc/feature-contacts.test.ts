/**
 * Contacts of single features of tetrahedra: corner on corner, corner on face, face on corner, crossed and parallel edges. Guided
 * along z a body rests where the barrier carries its weight,
 *   κ W d̂ (−β'(D)) 2 d = m g,   D = d²,   W = Σ of the areas of all points and edges that are d from the other side, m²;
 * free it tips over and tumbles down.
 */
import type { Body, MeshAsset, Quaternion, Shape, Simulation, Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { advance, body, build, findFastest, G, place, sumNormalForces } from './checked-scene.ts';
import { createParallelogram, createTetrahedron } from './sharp-meshes.ts';

const DHAT = 1e-3;
const KAPPA = 1e4;
const MASS = 50;

/** A tip at the origin, a triangle at z = 1. */
const tip = createTetrahedron('tip', [
  [0.6, 0, 1],
  [-0.3, 0.3 * Math.sqrt(3), 1],
  [-0.3, -0.3 * Math.sqrt(3), 1],
  [0, 0, 0],
]);
/** An edge along y at z = 0, another along x at z = 1. */
const ridge = createTetrahedron('ridge', [
  [0.5, 0, 1],
  [0, 0.5, 0],
  [-0.5, 0, 1],
  [0, -0.5, 0],
]);
const UPSIDE_DOWN: Quaternion = [0, 1, 0, 0];
const QUARTER: Quaternion = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** A pair of features: how both tetrahedra stand where they touch, and the area that presses. */
interface FeaturePair {
  name: string;
  under: { mesh: MeshAsset; position: Vec3; orientation?: Quaternion };
  over: { mesh: MeshAsset; position: Vec3; orientation?: Quaternion };
  area: number;
}

const corner = (mesh: MeshAsset, v: number): number => sumArea(mesh, [v]);
const edge = (mesh: MeshAsset, v: number, w: number): number => sumArea(mesh, [v, w]);

/** Of every triangle a corner has the share of its angle, an edge a third. */
function sumArea(mesh: MeshAsset, feature: number[]): number {
  const at = (v: number): number[] => mesh.vertices.slice(3 * v, 3 * v + 3);
  const faces = mesh.faces!;
  let sum = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const triangle = faces.slice(f, f + 3);
    if (!feature.every((v) => triangle.includes(v))) continue;
    const others = triangle.filter((v) => v !== feature[0]);
    const [p, q, r] = [at(feature[0]!), at(others[0]!), at(others[1]!)];
    const u = q.map((value, k) => value - p[k]!);
    const v = r.map((value, k) => value - p[k]!);
    const cross = Math.hypot(
      u[1]! * v[2]! - u[2]! * v[1]!,
      u[2]! * v[0]! - u[0]! * v[2]!,
      u[0]! * v[1]! - u[1]! * v[0]!,
    );
    const dot = u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!;
    sum += (cross / 2) * (feature.length === 2 ? 1 / 3 : Math.atan2(cross, dot) / Math.PI);
  }
  return sum;
}

const pairs: FeaturePair[] = [
  {
    name: 'corner on corner',
    under: { mesh: tip, position: [0, 0, 0], orientation: UPSIDE_DOWN },
    over: { mesh: tip, position: [0, 0, 0] },
    // both corners, and each of three edges with each of three
    area: 2 * corner(tip, 3) + 9 * 0.25 * 2 * edge(tip, 3, 0),
  },
  {
    name: 'corner on face',
    under: { mesh: tip, position: [0, 0, -1] },
    over: { mesh: tip, position: [0, 0, 0] },
    area: corner(tip, 3),
  },
  {
    name: 'face on corner',
    under: { mesh: tip, position: [0, 0, 0], orientation: UPSIDE_DOWN },
    over: { mesh: tip, position: [0, 0, 1], orientation: UPSIDE_DOWN },
    area: corner(tip, 3),
  },
  {
    name: 'crossed edges',
    under: { mesh: ridge, position: [0, 0, 0], orientation: UPSIDE_DOWN },
    over: { mesh: ridge, position: [0.05, 0.02, 0], orientation: QUARTER },
    area: 0.25 * 2 * edge(ridge, 1, 3),
  },
  {
    name: 'parallel edges',
    under: { mesh: ridge, position: [0, 0, 0], orientation: UPSIDE_DOWN },
    over: { mesh: ridge, position: [0, 0.1, 0] },
    // parallel edges do not count themselves: of each one end is over the other, and two edges go up from there
    area: 2 * corner(ridge, 1) + 4 * 0.25 * (edge(ridge, 1, 3) + edge(ridge, 1, 0)),
  },
];

function assemble(
  pair: FeaturePair,
  lift: number,
  more: Partial<Body>,
  tolerance: number,
  shapes: Shape[] = [],
): Simulation {
  const shape = (mesh: MeshAsset): Shape => ({ kind: 'triangleMesh', mesh: mesh.name, friction: 0 });
  const { under, over } = pair;
  const [x, y, z] = over.position;
  const turn = over.orientation ?? [1, 0, 0, 0];
  return build(
    {
      meshes: [tip, ridge],
      shapes: [
        ...shapes,
        { ...shape(under.mesh), position: under.position, orientation: under.orientation ?? [1, 0, 0, 0] },
      ],
      bodies: [
        body(
          'over',
          [x, y, z + lift],
          { ...shape(over.mesh), mass: MASS },
          { orientation: turn as Quaternion, ...more },
        ),
      ],
    },
    0.01,
    { barrierDistance: DHAT, barrierStiffness: KAPPA, tolerance },
  );
}

/** d of κ W d̂ (−β') 2 d = m g, by halving. */
function findGap(area: number): number {
  const force = (d: number): number => {
    const y = (d / DHAT) ** 2;
    return ((-KAPPA * area * DHAT * (1 - y) * (2 * Math.log(y) - 1 / y + 1)) / DHAT ** 2) * 2 * d;
  };
  let [low, high] = [0, DHAT];
  for (let n = 0; n < 100; n++) {
    const middle = (low + high) / 2;
    if (force(middle) > MASS * G) low = middle;
    else high = middle;
  }
  return low;
}

describe('features of tetrahedra', () => {
  for (const pair of pairs) {
    test(`${pair.name}: guided, it rests at the gap of its weight`, () => {
      const simulation = assemble(pair, 2e-3, { joints: [{ kind: 'slide', axis: [0, 0, 1] }] }, 1e-9);
      advance(simulation, 100);
      const gap = place(simulation, 1)[2] - pair.over.position[2];
      expect(Math.abs(gap - findGap(pair.area))).toBeLessThan(1e-9);
      expect(simulation.report.minimumDistance).toBeCloseTo(gap, 9);
      expect(sumNormalForces(simulation) / (MASS * G)).toBeCloseTo(1, 6);
    });

    test(`${pair.name}: free, it tumbles down without passing through`, () => {
      const ground: Shape = { kind: 'plane', position: [0, 0, -1.2] };
      const simulation = assemble(pair, 0.05, {}, 1e-3, [ground]);
      simulation.state.velocity.set([0.01, 0.02, 0, 0.1, 0.05, 0]);
      advance(simulation, 250);
      expect(place(simulation, 1)[2]).toBeLessThan(0.9);
    });
  }
});

describe('a tetrahedron in a corner of three walls', () => {
  // seen from its tip the world is turned so that the corner opens straight up: walls at right angles, gravity between them
  const gravity: Vec3 = [-G / Math.sqrt(3), -G / Math.sqrt(3), -G / Math.sqrt(3)];
  const clearance = 5e-4;
  const walls = [
    createParallelogram('floor', [0, 0, 0], [2, 0, 0], [0, 2, 0]),
    createParallelogram('left', [0, 0, 0], [0, 2, 0], [0, 0, 2]),
    createParallelogram('right', [0, 0, 0], [0, 0, 2], [2, 0, 0]),
  ];
  const block = createTetrahedron('block', [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 0],
  ]);

  test('slides in and rests, every wall carrying the weight over √3', () => {
    const simulation = build(
      {
        options: { gravity },
        meshes: [...walls, block],
        shapes: walls.map(({ name }) => ({ kind: 'triangleMesh', mesh: name, name, friction: 0 })),
        bodies: [
          body('block', [clearance, clearance, clearance], {
            kind: 'triangleMesh',
            mesh: 'block',
            mass: MASS,
            friction: 0,
          }),
        ],
      },
      0.01,
      { barrierDistance: 1e-4, tolerance: 1e-6 },
    );
    advance(simulation, 300, () => {
      // it never leaves the clearance it started with
      for (const x of place(simulation, 1)) expect(x).toBeLessThanOrEqual(clearance);
    });
    for (const x of place(simulation, 1)) expect(x).toBeLessThan(1e-4);
    expect(findFastest(simulation)).toBeLessThan(1e-6);
    for (const { name } of walls) {
      const load = simulation
        .contactForces()
        .filter(({ shapeName1, shapeName2 }) => shapeName1 === name || shapeName2 === name)
        .reduce((sum, contact) => sum + contact.normalForce, 0);
      expect(load / ((MASS * G) / Math.sqrt(3))).toBeCloseTo(1, 5);
    }
  });
});
