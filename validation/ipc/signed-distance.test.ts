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
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import type { SignedDistanceField } from '../../packages/engine/src/geometry/signed-distance/field.ts';
import { buildExactMeshField, buildMeshField } from '../../packages/engine/src/geometry/signed-distance/mesh-field.ts';
import { createTorusField } from '../../packages/engine/src/geometry/signed-distance/primitive-field.ts';
import { sampleTriangles } from '../../packages/engine/src/geometry/signed-distance/triangle-samples.ts';
import { transformPoint, untransformPoint } from '../../packages/engine/src/linear-algebra/pose.ts';
import { createRandom } from '../../packages/engine/src/testing/box-sets.ts';
import { randomQuaternion } from '../../packages/engine/src/testing/pair-poses.ts';

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

describe('margin', () => {
  const COVERING = 0.006;
  const SPACING = 0.01;
  const solid = buildExactMeshField(angle.vertices, angle.faces);
  const ring = createTorusField(0.1, 0.03);
  const dense = samplePoints(wedge, COVERING / Math.sqrt(10));

  // a wedge thrown at a field that stands, falls freely, or is a ring
  function drop(n: number): void {
    const random = createRandom(1000 + n);
    const isRing = n % 4 === 3;
    const isFree = n % 4 === 2;
    const spin = (): number => 20 * (random() - 0.5);
    const shape: Shape = { kind: 'signedDistance', field: isRing ? 'ring' : 'solid', mass: 2, friction: random() };
    const base: Body = { name: 'base', shapes: [shape], ...(isFree ? { joints: [{ kind: 'free' }] } : {}) };
    const place: Vec3 = [0.2 * (random() - 0.5), 0.16 * (random() - 0.5), 0.17];
    const wedgeShape: Shape = { kind: 'triangleMesh', mesh: 'wedge', friction: random() };
    const orientation = randomQuaternion(random) as [number, number, number, number];
    const simulation = build(
      {
        meshes: [angle, wedge],
        signedDistanceFields: [
          { kind: 'mesh', name: 'solid', mesh: 'angle', spacing: SPACING },
          { kind: 'torus', name: 'ring', majorRadius: 0.1, minorRadius: 0.03 },
        ],
        bodies: [base, free('a', place, wedgeShape, { orientation })],
      },
      { signedDistancePromise: 'margin', signedDistanceCovering: COVERING },
    );
    const o = isFree ? 6 : 0;
    simulation.state.velocity.set([0.4 * (random() - 0.5), 0.4 * (random() - 0.5), -1 - 4 * random()], o);
    simulation.state.velocity.set([spin(), spin(), spin()], o + 3);
    let touched = 0;
    for (let k = 0; k < 16; k++) {
      simulation.step();
      expect(simulation.report.minimumDistance).toBeGreaterThan(0);
      if (simulation.contactForces().length === 0) continue;
      touched++;
      expect(measureLeast(simulation, 2, dense, 1, isRing ? ring : solid)).toBeGreaterThan(0);
    }
    touches += touched > 0 ? 1 : 0;
  }
  let touches = 0;

  test('200 random drops of a mesh on a field: ten times denser samples find no intersection', () => {
    for (let n = 0; n < 200; n++) drop(n);
    expect(touches).toBeGreaterThan(120);
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

  test('margin and swept: the plate stays out', () => {
    expect(fall('margin').deepest).toBeGreaterThan(0);
    const { deepest } = fall('swept');
    expect(deepest).toBeGreaterThan(0);
    // and without the gap that a margin leaves
    expect(deepest).toBeLessThan(1e-3);
  });
});
