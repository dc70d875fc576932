/**
 * What contact with signed-distance shapes promises, asked of every accepted state by samples ten times denser than those of the
 * contact, in the exact distance of the true surface: `samples` no deeper than ρ + e, `margin` and `swept` never inside.
 */
import {
  type Body,
  compileModel,
  type IpcOptions,
  type Scene,
  type Shape,
  type SignedDistanceGrid,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import type { SignedDistanceField } from '../../packages/engine/src/geometry/signed-distance/field.ts';
import { buildGridField } from '../../packages/engine/src/geometry/signed-distance/grid-field.ts';
import { buildExactMeshField, buildMeshField } from '../../packages/engine/src/geometry/signed-distance/mesh-field.ts';
import { createTorusField } from '../../packages/engine/src/geometry/signed-distance/primitive-field.ts';
import { sampleTriangles } from '../../packages/engine/src/geometry/signed-distance/triangle-samples.ts';
import { transformPoint, untransformPoint } from '../../packages/engine/src/linear-algebra/pose.ts';
import { createRandom } from '../../packages/engine/src/testing/box-sets.ts';
import { randomQuaternion } from '../../packages/engine/src/testing/pair-poses.ts';
import { longTest, takeSamples } from '../../scripts/long-run.ts';

const H = 0.01;
type Mesh = { name: string; vertices: number[]; faces: number[] };

/** A solid between two equal polygons at z = ±half, counter-clockwise from above; every corner sees the first. */
function extrude(name: string, outline: readonly [number, number][], half: number): Mesh {
  const n = outline.length;
  const vertices = [-half, half].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
  const faces: number[] = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    faces.push(i, j, n + j, i, n + j, n + i);
    if (i > 0 && i < n - 1) faces.push(0, i + 1, i, n, n + i, n + i + 1);
  }
  return { name, vertices, faces };
}

// an angle with a groove, seen from its inner corner; a wedge
const angle = extrude(
  'angle',
  [
    [0, 0],
    [0, 0.1],
    [-0.1, 0.1],
    [-0.1, -0.1],
    [0.15, -0.1],
    [0.15, 0],
  ],
  0.06,
);
const wedge = extrude(
  'wedge',
  [
    [-0.04, -0.03],
    [0.06, -0.03],
    [-0.02, 0.04],
  ],
  0.03,
);

/** Points of a mesh with a covering radius. */
function samplePoints(mesh: Mesh, covering: number): Float64Array {
  return sampleTriangles(mesh.vertices, mesh.faces, covering).points;
}

/** The least value of a field at points of body `from`, with the field on body `to`. */
function measureLeast(
  { bodyPosition: position, bodyOrientation: orientation }: Simulation,
  from: number,
  points: Float64Array,
  to: number,
  field: SignedDistanceField,
): number {
  const poses = { position, orientation };
  const x = new Float64Array(3);
  let least = Infinity;
  for (let i = 0; i < points.length; i += 3) {
    transformPoint(x, 0, poses, from, points, i);
    untransformPoint(x, 0, poses, to, x, 0);
    least = Math.min(least, field.distance(x[0]!, x[1]!, x[2]!));
  }
  return least;
}

function build(parts: Partial<Scene>, ipc: IpcOptions): Simulation {
  const options = { timestep: H, ...parts.options, ipc };
  return new Simulation(
    compileModel({ format: 'nexdyn-scene', version: 1, ...parts, options }, { formulation: 'ipc' }),
  );
}

const free = (name: string, position: Vec3, shape: Shape, more: Partial<Body> = {}): Body => ({
  name,
  position,
  joints: [{ kind: 'free' }],
  shapes: [shape],
  ...more,
});

describe('a wedge thrown at fields', () => {
  const COVERING = 0.006;
  const SPACING = 0.01;
  const solid = buildExactMeshField(angle.vertices, angle.faces);
  const ring = createTorusField(0.1, 0.03);
  const dense = samplePoints(wedge, COVERING / Math.sqrt(10));

  // a wedge thrown at a field that stands, one that floats, and a ring
  type Promise = NonNullable<IpcOptions['signedDistancePromise']>;
  const throwAt = (field: string, joints: NonNullable<Body['joints']>, signedDistancePromise: Promise): Simulation =>
    build(
      {
        meshes: [angle, wedge],
        signedDistanceFields: [
          { kind: 'mesh', name: 'solid', mesh: 'angle', spacing: SPACING },
          { kind: 'torus', name: 'ring', majorRadius: 0.1, minorRadius: 0.03 },
        ],
        bodies: [
          { name: 'base', joints, shapes: [{ kind: 'signedDistance', field, mass: 2, friction: 0.4 }] },
          free('a', [0, 0, 0.17], { kind: 'triangleMesh', mesh: 'wedge', friction: 0.4 }),
        ],
      },
      { signedDistancePromise, signedDistanceCovering: COVERING },
    );
  const createTargets = (promise: Promise) => [
    { simulation: throwAt('solid', [], promise), field: solid },
    { simulation: throwAt('solid', [{ kind: 'free' }], promise), field: solid },
    { simulation: throwAt('ring', [], promise), field: ring },
  ];

  /** The least distance of dense samples in each contact of the n-th throw, m; Infinity where there was none. */
  function drop(targets: ReturnType<typeof createTargets>, n: number): number {
    const { simulation, field } = targets[n % 3]!;
    const random = createRandom(1000 + n);
    const within = (size: number): number => 2 * size * (random() - 0.5);
    const { position, velocity } = simulation.state;
    simulation.reset();
    const body = position.length / 7 - 1;
    position.set([within(0.1), within(0.08), 0.17 + 0.01 * random(), ...randomQuaternion(random)], 7 * body);
    velocity.set([within(0.2), within(0.2), -1 - 4 * random(), within(10), within(10), within(10)], 6 * body);
    let least = Infinity;
    for (let k = 0; k < 14; k++) {
      simulation.step();
      expect(simulation.report.minimumDistance).toBeGreaterThan(0);
      if (simulation.contactForces().length > 0) least = Math.min(least, measureLeast(simulation, 2, dense, 1, field));
    }
    return least;
  }

  const dropMany = (promise: Promise, count: number): number[] => {
    const targets = createTargets(promise);
    const least = Array.from({ length: count }, (_, n) => drop(targets, n)).filter(Number.isFinite);
    expect(least.length).toBeGreaterThan(0.8 * count);
    return least;
  };

  const drops = takeSamples(200, 0.015);
  test(`margin: in ${drops} random drops ten times denser samples find no intersection`, () => {
    expect(Math.min(...dropMany('margin', drops))).toBeGreaterThan(0);
  });

  const fewer = takeSamples(30, 0.1);
  test(`samples: in ${fewer} random drops none is deeper than ρ + e, and some are deep`, () => {
    const { coveringRadius } = sampleTriangles(wedge.vertices, wedge.faces, COVERING);
    const { errorBound } = buildMeshField(angle.vertices, angle.faces, SPACING);
    const least = Math.min(...dropMany('samples', fewer));
    expect(least).toBeGreaterThan(-(coveringRadius + errorBound));
    expect(least).toBeLessThan(-1e-3);
  });

  test(`swept: in ${fewer} random drops surfaces come nearer than any margin and do not intersect`, () => {
    const least = Math.min(...dropMany('swept', fewer));
    expect(least).toBeGreaterThan(0);
    expect(least).toBeLessThan(1e-3);
  });
});

describe('a spike between the samples of a plate', () => {
  const spike: Mesh = {
    name: 'spike',
    vertices: [-0.02, -0.02, -0.1, 0.02, -0.02, -0.1, 0.02, 0.02, -0.1, -0.02, 0.02, -0.1, 0, 0, 0.1],
    faces: [0, 2, 1, 0, 3, 2, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
  };
  const plate = extrude(
    'plate',
    [
      [-0.2, -0.2],
      [0.2, -0.2],
      [0.2, 0.2],
      [-0.2, 0.2],
    ],
    0.01,
  );
  const COVERING = 0.04;
  const exact = buildExactMeshField(spike.vertices, spike.faces);
  const field = buildMeshField(spike.vertices, spike.faces, 0.01);
  const own = sampleTriangles(plate.vertices, plate.faces, COVERING);
  const dense = samplePoints(plate, COVERING / 8);

  function fall(promise: 'samples' | 'margin' | 'swept'): { deepest: number; entered: number } {
    const simulation = build(
      {
        meshes: [spike, plate],
        signedDistanceFields: [{ kind: 'mesh', name: 'spike', mesh: 'spike', spacing: 0.01 }],
        shapes: [{ kind: 'signedDistance', field: 'spike', friction: 0.8 }],
        // the point under the middle of a cell of the samples
        bodies: [free('a', [0.013, 0.021, 0.3], { kind: 'triangleMesh', mesh: 'plate', friction: 0.8 })],
      },
      { signedDistancePromise: promise, signedDistanceCovering: COVERING },
    );
    let deepest = Infinity;
    let entered = Infinity;
    for (let n = 0; n < 60; n++) {
      simulation.step();
      if (simulation.contactForces().length === 0 && simulation.bodyPosition[5]! > 0.2) continue;
      deepest = Math.min(deepest, measureLeast(simulation, 1, dense, 0, exact));
      entered = Math.min(entered, measureLeast(simulation, 1, own.points, 0, field));
    }
    return { deepest, entered };
  }

  test('samples: none enters, the plate is in by no more than ρ + e', () => {
    const { deepest, entered } = fall('samples');
    expect(entered).toBeGreaterThan(0);
    expect(deepest).toBeGreaterThan(-(own.coveringRadius + field.errorBound));
    // the promise is no stronger than it says
    expect(deepest).toBeLessThan(-1e-3);
  });

  longTest('margin and swept: the plate stays out', () => {
    expect(fall('margin').deepest).toBeGreaterThan(0);
    const { deepest } = fall('swept');
    expect(deepest).toBeGreaterThan(0);
    // and without the gap that a margin leaves
    expect(deepest).toBeLessThan(1e-3);
  });
});

describe('where a start or a promise does not hold', () => {
  const ball: Shape = { kind: 'sphere', radius: 0.05, name: 'ball' };
  const block: Shape = { kind: 'box', halfSize: [0.04, 0.04, 0.04], name: 'block' };
  const parts = (shape: Shape, position: Vec3): Partial<Scene> => ({
    signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.2, minorRadius: 0.05 }],
    shapes: [{ kind: 'signedDistance', field: 'ring', name: 'ring' }],
    bodies: [free('a', position, shape)],
    options: { start: 'refuse' },
  });

  test('an intersection at the start names the pair and the depth', () => {
    const start = () => build(parts(ball, [0.2, 0, 0.09]), { signedDistancePromise: 'margin' }).step();
    expect(start).toThrow(/shape "ring" and shape "ball" intersect at the start by 10 mm/);
  });

  test('a shape inside a sampled surface is found', () => {
    const house: Shape = { kind: 'box', halfSize: [0.4, 0.4, 0.4], name: 'house' };
    expect(() => build(parts(house, [0, 0, 0]), {}).step()).toThrow(/shape "ring" and shape "house" intersect/);
  });

  test('touching is mended: the body is moved to where the margin and the barrier hold it', () => {
    const covering = 0.004;
    for (const [promise, gap] of [
      ['samples', 0],
      ['margin', covering],
    ] as const) {
      const simulation = build(parts(block, [0.2, 0, 0.09]), {
        signedDistancePromise: promise,
        signedDistanceCovering: covering,
      });
      simulation.step();
      expect(simulation.report.status).toBe('converged');
      expect(simulation.bodyPosition[5]! - 0.09).toBeGreaterThan(0.8 * gap);
      expect(simulation.bodyPosition[5]! - 0.09).toBeLessThan(gap + 1e-3);
      expect(Math.abs(simulation.state.velocity[2]!)).toBeLessThan(0.05);
    }
  });

  // a ball of radius 0.11 on a grid of spacing 0.02 that reaches `half` cells from its middle
  const gridBall = (half: number): SignedDistanceGrid => {
    const n = 2 * half + 1;
    const at = (i: number): number => 0.02 * (i - half);
    const values = Array.from(
      { length: n ** 3 },
      (_, i) => Math.hypot(at(i % n), at(Math.floor(i / n) % n), at(Math.floor(i / n ** 2))) - 0.11,
    );
    const origin: Vec3 = [at(0), at(0), at(0)];
    return { kind: 'grid', name: 'ball', origin, spacing: 0.02, counts: [n, n, n], values };
  };
  const onGrid = (half: number, shape: Shape, promise: NonNullable<IpcOptions['signedDistancePromise']>): Simulation =>
    build(
      {
        signedDistanceFields: [gridBall(half)],
        shapes: [{ kind: 'signedDistance', field: 'ball', friction: 0.5 }],
        bodies: [free('a', [0, 0.003, 0.3], { ...shape, friction: 0.5 })],
      },
      { signedDistancePromise: promise },
    );

  test('swept is refused for a field known at grid points only', () => {
    expect(() => onGrid(12, block, 'swept')).toThrow(/known at grid points only/);
  });

  longTest(
    'a grid that ends before contact begins is refused; one that reaches holds blocks, balls and its like',
    () => {
      expect(() => onGrid(7, block, 'margin')).toThrow(/ends 20.8 mm outside of its surface, but contact begins at/);
      expect(() => onGrid(7, block, 'samples')).not.toThrow();
      for (const shape of [block, ball, { kind: 'signedDistance', field: 'ball' } as Shape]) {
        for (const promise of ['samples', 'margin'] as const) {
          const simulation = onGrid(12, shape, promise);
          const size = shape === block ? 0.04 : shape === ball ? 0.05 : 0.11;
          for (let n = 0; n < 30; n++) {
            expect(simulation.step().status).toBe('converged');
            // near the top: less is deep in it, more a gap beyond what is promised
            const apart = Math.hypot(...simulation.bodyPosition.subarray(3, 6)) - size - 0.11;
            expect(apart).toBeGreaterThan(promise === 'margin' ? 0 : -0.01);
          }
          const e = buildGridField(gridBall(12)).errorBound;
          const apart = simulation.bodyPosition[5]! - size - 0.11;
          if (promise === 'margin') expect(apart).toBeLessThan(e + 0.03);
          else expect(apart).toBeLessThan(2e-3);
        }
      }
    },
  );

  test('a ball on the field of a mesh is exact: no margin but d̂', () => {
    const slab = extrude(
      'slab',
      [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ],
      0.2,
    );
    const simulation = build(
      {
        meshes: [slab],
        signedDistanceFields: [{ kind: 'mesh', name: 'slab', mesh: 'slab', spacing: 0.1 }],
        shapes: [{ kind: 'signedDistance', field: 'slab' }],
        bodies: [free('a', [0.1, 0.2, 0.27], ball)],
      },
      { signedDistancePromise: 'margin' },
    );
    simulation.step(60);
    expect(simulation.bodyPosition[5]).toBeGreaterThan(0.25);
    expect(simulation.bodyPosition[5]).toBeLessThan(0.251);
  });

  test('a field that falls lies on a plane with its weight, and on terrain', () => {
    const grounds: Partial<Scene>[] = [
      { shapes: [{ kind: 'plane', friction: 0.5 }] },
      {
        heightFields: [
          { name: 'flat', rows: 3, columns: 3, halfSize: [1, 1], baseDepth: 0.2, heights: new Array(9).fill(0) },
        ],
        shapes: [{ kind: 'heightField', heightField: 'flat', friction: 0.5 }],
      },
    ];
    for (const ground of grounds) {
      const simulation = build(
        {
          ...ground,
          signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.2, minorRadius: 0.05 }],
          bodies: [free('a', [0, 0, 0.08], { kind: 'signedDistance', field: 'ring', mass: 2 })],
        },
        { signedDistancePromise: 'samples', tolerance: 1e-6 },
      );
      simulation.step(60);
      const force = simulation.contactForces().reduce((sum, contact) => sum + contact.normalForce, 0);
      expect(force / (2 * 9.81)).toBeCloseTo(1, 4);
      expect(simulation.bodyPosition[5]).toBeGreaterThan(0.05);
      expect(simulation.bodyPosition[5]).toBeLessThan(0.051);
    }
  });

  test('friction of a field slows a block by μ g', () => {
    const slab: Partial<Scene> = {
      meshes: [
        extrude(
          'slab',
          [
            [-2, -1],
            [2, -1],
            [2, 1],
            [-2, 1],
          ],
          0.5,
        ),
      ],
      signedDistanceFields: [{ kind: 'mesh', name: 'slab', mesh: 'slab', spacing: 0.1 }],
      shapes: [{ kind: 'signedDistance', field: 'slab', friction: 0.3 }],
      bodies: [free('a', [-0.5, 0, 0.5 + 0.0408], { ...block, friction: 0.3 })],
    };
    const simulation = build(slab, { signedDistancePromise: 'samples', tolerance: 1e-5 });
    simulation.state.velocity[0] = 1;
    // once the normal force is found and the block lies still on it
    simulation.step(15);
    const fast = simulation.state.velocity[0]!;
    simulation.step(10);
    expect((fast - simulation.state.velocity[0]!) / (0.3 * 9.81 * 0.1)).toBeCloseTo(1, 2);
  });
});
