/** Fields against their definitions, and net forces Σ a p of contact surfaces against closed forms. */
import { describe, expect, test } from 'vitest';
import { longTest, takeCases } from '../../../../../scripts/long-run.ts';
import { NexdynError } from '../../error.ts';
import { buildPolyhedron } from '../convex/build-polyhedron.ts';
import { SHAPE } from '../shape-kind.ts';
import { createTorusField } from '../signed-distance/primitive-field.ts';
import { meshBox } from '../tetrahedra/box-mesher.ts';
import { computeVolume } from '../tetrahedra/tetrahedral-mesh.ts';
import { buildTriangleMesh } from '../triangle-mesh/build-triangle-mesh.ts';
import { ContactFaces, createPlacement, type Placement } from './contact-faces.ts';
import { findHalfSpaceFaces, findSheetFaces } from './half-space-faces.ts';
import {
  buildCompliantGeometry,
  buildRigidGeometry,
  type CompliantOptions,
  type UnplacedShape,
} from './pressure-geometry.ts';
import { buildPressureMesh, type PressureMesh } from './pressure-mesh.ts';
import { buildRigidSurface, type RigidSurface } from './rigid-surface.ts';
import { findSolidFaces, findSurfaceFaces } from './solid-faces.ts';

const E = 1e5;
const GROUND = createPlacement();

function shapeOf(kind: number, ...size: number[]): UnplacedShape {
  const data = { hull: undefined, mesh: undefined, heightField: undefined, field: undefined };
  return { kind, size: Float64Array.from([...size, 0, 0].slice(0, 3)), ...data };
}

function fill(shape: UnplacedShape, options: Partial<CompliantOptions> = {}): PressureMesh {
  const geometry = buildCompliantGeometry(shape, {
    modulus: E,
    resolution: undefined,
    margin: 0,
    thickness: 0.1,
    ...options,
  });
  if (geometry.kind !== 'solid') throw new Error('no solid');
  return geometry.mesh;
}

function surfaceOf(shape: UnplacedShape, resolution?: number): RigidSurface {
  const geometry = buildRigidGeometry(shape, resolution);
  if (geometry.kind !== 'surface') throw new Error('no surface');
  return geometry.surface;
}

function at(x: number, y: number, z: number, angle = 0): Placement {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return { position: Float64Array.of(x, y, z), rotation: Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1) };
}

function sumFaces(faces: ContactFaces): { area: number; force: number[]; stiffness: number; count: number } {
  const sum = { area: 0, force: [0, 0, 0], stiffness: 0, count: faces.count };
  for (let i = 0; i < faces.count; i++) {
    sum.area += faces.area[i];
    sum.stiffness += faces.area[i] * faces.slope[i];
    for (let k = 0; k < 3; k++) sum.force[k] += faces.area[i] * faces.pressure[i] * faces.normal[3 * i + k];
  }
  return sum;
}

function pressOnGround(mesh: PressureMesh, placement: Placement, slope = Infinity): ReturnType<typeof sumFaces> {
  const faces = new ContactFaces();
  findHalfSpaceFaces(faces, GROUND, slope, mesh, placement);
  return sumFaces(faces);
}

/** The field at a point of the mesh, from the tetrahedron that contains it; undefined outside. */
function evaluate(mesh: PressureMesh, x: readonly number[]): number | undefined {
  for (let t = 0; t < mesh.tetrahedra.length / 4; t++) {
    const corners = Array.from(mesh.tetrahedra.subarray(4 * t, 4 * t + 4), (v) =>
      mesh.vertices.subarray(3 * v, 3 * v + 3),
    );
    const isIn = [
      [1, 2, 3],
      [0, 3, 2],
      [0, 1, 3],
      [0, 2, 1],
    ].every(([a, b, c]) => {
      const [u, v, w] = [0, 1, 2].map((k) => [
        corners[b][k] - corners[a][k],
        corners[c][k] - corners[a][k],
        x[k] - corners[a][k],
      ]);
      const height =
        u[0] * (v[1] * w[2] - v[2] * w[1]) + v[0] * (w[1] * u[2] - w[2] * u[1]) + w[0] * (u[1] * v[2] - u[2] * v[1]);
      return height <= 1e-15;
    });
    if (!isIn) continue;
    const v = mesh.tetrahedra[4 * t];
    let p = mesh.pressure[v];
    for (let k = 0; k < 3; k++) p += mesh.gradient[3 * t + k] * (x[k] - mesh.vertices[3 * v + k]);
    return p;
  }
  return undefined;
}

describe('fields', () => {
  test('a box: depth over least half edge, everywhere, beyond the surface as well', () => {
    const half = [0.3, 0.2, 0.1];
    const mesh = fill(shapeOf(SHAPE.box, ...half), { margin: 0.01 });
    expect(computeVolume(mesh)).toBeCloseTo(8 * 0.31 * 0.21 * 0.11, 12);
    for (let i = -10; i <= 10; i++) {
      for (let j = -10; j <= 10; j++) {
        const x = [0.0305 * i, 0.0203 * j, 0.0107 * ((3 * i + 7 * j) % 11)];
        const depth = Math.min(...half.map((h, k) => h - Math.abs(x[k])));
        const p = evaluate(mesh, x);
        if (depth > -0.0099) expect(Math.abs(p! - (E * depth) / 0.1)).toBeLessThan(1e-9 * E);
      }
    }
  });

  longTest('volumes of all primitives approach those of the solids', () => {
    const cases: [UnplacedShape, number][] = [
      [shapeOf(SHAPE.sphere, 0.1), (4 / 3) * Math.PI * 1e-3],
      [shapeOf(SHAPE.ellipsoid, 0.1, 0.05, 0.2), (4 / 3) * Math.PI * 1e-3],
      [shapeOf(SHAPE.capsule, 0.1, 0.3), (4 / 3) * Math.PI * 1e-3 + Math.PI * 6e-3],
      [shapeOf(SHAPE.cylinder, 0.1, 0.3), Math.PI * 6e-3],
      [shapeOf(SHAPE.cylinder, 0.3, 0.1), Math.PI * 18e-3],
      [shapeOf(SHAPE.cylinder, 0.1, 0.1), Math.PI * 2e-3],
      [shapeOf(SHAPE.box, 0.1, 0.1, 0.1), 8e-3],
      [shapeOf(SHAPE.box, 0.1, 0.3, 0.1), 24e-3],
    ];
    for (const [shape, volume] of cases) {
      const errors = [0.04, 0.02].map((resolution) => 1 - computeVolume(fill(shape, { resolution })) / volume);
      expect(errors[0]).toBeLessThan(0.1);
      expect(errors[1]).toBeGreaterThan(-1e-12);
      // chords and arcs: of second order
      if (shape.kind !== SHAPE.box) expect(errors[1] / errors[0]).toBeLessThan(0.35);
    }
  });

  test('every tetrahedron of a primitive has positive volume, and the pressure is the modulus at the deepest', () => {
    for (const shape of [
      shapeOf(SHAPE.capsule, 0.1, 0.3),
      shapeOf(SHAPE.cylinder, 0.3, 0.1),
      shapeOf(SHAPE.ellipsoid, 0.1, 0.05, 0.2),
    ]) {
      const mesh = fill(shape, { margin: 1e-3 });
      expect(mesh.highest).toBeCloseTo(E, 6);
      expect(mesh.lowest).toBeLessThan(0);
      const outside = Array.from(mesh.tetrahedra).filter((v) => mesh.pressure[v] < -E * 0.05);
      expect(outside).toEqual([]);
    }
  });

  test('meshes and signed distances through the lattice; the pressure is zero on the surface', () => {
    const { vertices } = meshBox([0.1, 0.1, 0.1], [1, 1, 1]);
    const faces = [
      0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
    ];
    const box = fill({ ...shapeOf(SHAPE.triangleMesh), mesh: buildTriangleMesh(vertices, faces, 'box') });
    expect(computeVolume(box)).toBeCloseTo(8e-3, 9);
    expect(evaluate(box, [0.001, 0.002, 0.099])!).toBeLessThan(0.02 * E);
    const torus = fill({ ...shapeOf(SHAPE.signedDistance), field: createTorusField(0.2, 0.05) });
    expect(torus.highest).toBeCloseTo(E, 6);
    expect(computeVolume(torus)).toBeGreaterThan(0.8 * 2 * Math.PI * Math.PI * 0.2 * 0.05 ** 2);
  });

  test('without a vertex inside there is no field', () => {
    const mesh = meshBox([0.1, 0.1, 0.1], [1, 1, 1]);
    try {
      buildPressureMesh(mesh, new Float64Array(8), 'the cube', { path: 'softBodies[0]' });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(NexdynError);
      expect(error).toMatchObject({ code: 'invalid-mesh', path: 'softBodies[0]' });
    }
    const field = createTorusField(0.2, 0.05);
    expect(() => fill({ ...shapeOf(SHAPE.signedDistance), field }, { resolution: 0.2 })).toThrow(NexdynError);
  });
});

describe('net forces', () => {
  test('a sphere pressed on a rigid plane: below π/3 E d² (3 − 2 d/R) and of second order in the resolution', () => {
    const R = 0.05;
    const balls = [0.01, 0.005, 0.0025].map((resolution) => fill(shapeOf(SHAPE.sphere, R), { resolution }));
    for (const d of [0.01, 0.02, 0.03, 0.04]) {
      const exact = (Math.PI / 3) * E * d * d * (3 - (2 * d) / R);
      const errors = balls.map((ball) => 1 - pressOnGround(ball, at(0, 0, R - d)).force[2] / exact);
      for (const error of errors) expect(error).toBeGreaterThan(0);
      expect(errors[0]).toBeLessThan((27.5 - (16.7 * d) / R) / 100);
      expect(errors[1] / errors[0]).toBeLessThan(0.4);
      expect(errors[2] / errors[1]).toBeLessThan(0.4);
    }
  });

  test('a box on a rigid and on a compliant plane: springs E/c and in series', () => {
    const box = fill(shapeOf(SHAPE.box, 0.1, 0.2, 0.05), { margin: 1e-4 });
    const d = 1e-3;
    const rigid = pressOnGround(box, at(0.3, 0.1, 0.05 - d, 0.7));
    // within d of its edges the sides of the box are nearer and do not rise along the normal
    expect(rigid.force[2]).toBeCloseTo((E / 0.05) * d * 4 * (0.1 - d) * (0.2 - d), 6);
    const slope = E / 0.1;
    const series = 1 / (1 / (E / 0.05) + 1 / slope);
    const compliant = pressOnGround(box, at(0, 0, 0.05 - d), slope);
    const depth = (d * series) / (E / 0.05);
    // there the contact surface bends up and presses less
    expect(compliant.force[2]).toBeGreaterThan(series * d * 4 * (0.1 - depth) * (0.2 - depth));
    expect(compliant.force[2]).toBeLessThan(series * d * 4 * 0.1 * 0.2);
    expect(compliant.stiffness).toBeGreaterThan(series * 4 * (0.1 - depth) * (0.2 - depth));
    expect(compliant.stiffness).toBeLessThan(series * (0.08 + 1.2 * d));
  });

  test('a cube as a convex mesh presses like a box; so does its rigid surface', () => {
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [0.1 * x, 0.1 * y, 0.1 * z])));
    const hull = buildPolyhedron(corners, undefined, 'cube', {});
    const cube = { ...shapeOf(SHAPE.convexMesh), hull };
    const box = shapeOf(SHAPE.box, 0.1, 0.1, 0.1);
    const place = at(0.01, 0.02, 0.098, 0.4);
    const [one, two] = [fill(cube, { margin: 1e-3 }), fill(box)].map((mesh) => pressOnGround(mesh, place));
    expect(one.force[2]).toBeCloseTo(two.force[2], 9);
    expect(one.stiffness).toBeCloseTo(two.stiffness, 6);
    const [sheet, wall] = [cube, box].map((shape) => {
      const faces = new ContactFaces();
      findSheetFaces(faces, GROUND, 1e6, 0, surfaceOf(shape), place);
      return sumFaces(faces);
    });
    expect(sheet.force[2]).toBeCloseTo(1e6 * 0.002 * 0.04, 9);
    expect(wall.force[2]).toBeCloseTo(1e6 * 0.002 * 0.04, 9);
  });

  test('boxes of one modulus meet half way; a stiffer one is entered less', () => {
    const soft = fill(shapeOf(SHAPE.box, 0.1, 0.1, 0.1));
    const d = 2e-3;
    for (const ratio of [1, 3]) {
      const wide = fill(shapeOf(SHAPE.box, 0.2, 0.2, 0.1), { modulus: ratio * E });
      const faces = new ContactFaces();
      findSolidFaces(faces, wide, at(0, 0, 0), soft, at(0.02, 0.01, 0.2 - d, 0.3));
      const { force, area, stiffness } = sumFaces(faces);
      // depths d/2 and d/2, d/4 and 3 d/4
      const depth = (ratio / (1 + ratio)) * d;
      const flat = 4 * (0.1 - depth) ** 2;
      expect(area).toBeGreaterThan(flat);
      expect(area).toBeLessThan(0.04 + 0.8 * d);
      expect(force[2]).toBeGreaterThan((E / 0.1) * depth * flat);
      expect(force[2]).toBeLessThan((E / 0.1) * depth * 0.04);
      expect(stiffness).toBeGreaterThan((E / 0.1) * (depth / d) * flat);
      expect(stiffness).toBeLessThan((E / 0.1) * (depth / d) * area);
      expect(Math.abs(force[0]) + Math.abs(force[1])).toBeLessThan(1e-9 * force[2]);
      for (let i = 0; i < faces.count; i++) expect(faces.normal[3 * i + 2]).toBeGreaterThan(0);
    }
  });

  test('two equal balls meet half way, like one on a rigid plane; unequal ones as samples of their fields say', () => {
    const press = (R1: number, E1: number, R2: number, E2: number, distance: number, rings: number): number => {
      const one = fill(shapeOf(SHAPE.sphere, R1), { modulus: E1, resolution: R1 / rings });
      const two = fill(shapeOf(SHAPE.sphere, R2), { modulus: E2, resolution: R2 / rings });
      const faces = new ContactFaces();
      // askew, so that no edges coincide
      findSolidFaces(faces, one, at(0.1, 0.2, 0.3, 0.2), two, at(0.1, 0.2, 0.3 + distance, 1.1));
      const { force } = sumFaces(faces);
      expect(Math.hypot(force[0], force[1])).toBeLessThan(0.02 * force[2]);
      return force[2];
    };
    const cases: [number, number, number, number, number][] = [
      [0.05, E, 0.05, E, 0.08],
      [0.05, E, 0.08, 2 * E, 0.11],
      [0.05, E, 0.02, 10 * E, 0.06],
    ];
    for (const [R1, E1, R2, E2, distance] of takeCases(cases, 2)) {
      const exact = sampleBalls(R1, E1, R2, E2, distance);
      const errors = [4, 8, 16].map((rings) => Math.abs(1 - press(R1, E1, R2, E2, distance, rings) / exact));
      expect(errors[2]).toBeLessThan(0.03);
      expect(errors[2]).toBeLessThan(0.5 * errors[0]);
    }
    const d = 0.01;
    const half = (Math.PI / 3) * E * d * d * (3 - (2 * d) / 0.05);
    expect(Math.abs(1 - sampleBalls(0.05, E, 0.05, E, 0.08) / half)).toBeLessThan(1e-3);
  });

  test('a modulus of 1e14 is as good as rigid', () => {
    const ball = fill(shapeOf(SHAPE.sphere, 0.05), { resolution: 0.01 });
    const box = shapeOf(SHAPE.box, 0.1, 0.1, 0.1);
    const stiff = new ContactFaces();
    const rigid = new ContactFaces();
    const place = at(0.013, 0.007, 0.145);
    findSolidFaces(stiff, ball, place, fill(box, { modulus: 1e14 }), at(0, 0, 0));
    findSurfaceFaces(rigid, ball, place, surfaceOf(box), at(0, 0, 0));
    const [one, two] = [sumFaces(stiff), sumFaces(rigid)];
    for (let k = 0; k < 3; k++)
      expect(Math.abs(one.force[k] - two.force[k])).toBeLessThan(1e-6 * Math.abs(two.force[2]));
    // and the surface of the box is the plane of its top
    const { force } = pressOnGround(ball, at(0.013, 0.007, 0.045));
    expect(two.force[2]).toBeCloseTo(-force[2], 8);
  });

  test('a rigid plate of two triangles on a half-space of modulus 250 Pa and thickness 0.1 m: k = S E/h = 1e4 N/m', () => {
    const plate = buildRigidSurface([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], [0, 2, 1, 0, 3, 2], Infinity);
    const faces = new ContactFaces();
    findSheetFaces(faces, GROUND, 250 / 0.1, 0, plate, at(0, 0, -0.01));
    const { force, stiffness, count } = sumFaces(faces);
    expect(count).toBe(2);
    expect(stiffness).toBeCloseTo(1e4, 9);
    expect(force[2]).toBeCloseTo(100, 10);
  });

  test('faces of the margin: pressure below zero, gap above it', () => {
    const box = fill(shapeOf(SHAPE.box, 0.1, 0.1, 0.1), { margin: 1e-3 });
    const faces = new ContactFaces();
    findHalfSpaceFaces(faces, GROUND, Infinity, box, at(0, 0, 0.1 + 4e-4));
    expect(faces.count).toBeGreaterThan(3);
    for (let i = 0; i < faces.count; i++) {
      if (faces.area[i] > 1e-4) expect(-faces.pressure[i] / faces.slope[i]).toBeCloseTo(4e-4, 12);
      expect(faces.pressure[i]).toBeLessThan(0);
    }
  });

  test('corners carry the pressure of the field', () => {
    const ball = fill(shapeOf(SHAPE.sphere, 0.05));
    const faces = new ContactFaces();
    faces.keepsCorners = true;
    findHalfSpaceFaces(faces, GROUND, Infinity, ball, at(0.1, 0, 0.04));
    for (let i = 0; i < faces.count; i++) {
      for (let c = faces.cornerStart[i]; c < faces.cornerStart[i + 1]; c++) {
        expect(faces.corner[3 * c + 2]).toBeCloseTo(0, 14);
        const r = Math.hypot(faces.corner[3 * c] - 0.1, faces.corner[3 * c + 1], 0.04);
        expect(Math.abs(faces.cornerPressure[c] - E * (1 - r / 0.05))).toBeLessThan(0.03 * E);
      }
    }
  });
});

/** ∫ p n_z dA over the surface of equal pressure of two balls, one above the other: p summed over a grid across the line of centres. */
function sampleBalls(R1: number, E1: number, R2: number, E2: number, distance: number): number {
  const step = Math.min(R1, R2) / 200;
  let sum = 0;
  for (let r = step / 2; r < Math.min(R1, R2); r += step) {
    const below = (z: number): number => E1 * (1 - Math.hypot(r, z) / R1);
    const above = (z: number): number => E2 * (1 - Math.hypot(r, distance - z) / R2);
    // the pressure of the lower one falls and that of the upper one rises between the centres
    let [low, high] = [0, distance];
    for (let n = 0; n < 60; n++) {
      const middle = 0.5 * (low + high);
      if (below(middle) > above(middle)) low = middle;
      else high = middle;
    }
    sum += Math.max(0, below(low)) * 2 * Math.PI * r * step;
  }
  return sum;
}
