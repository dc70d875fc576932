import { describe, expect, test } from 'vitest';
import { meshBall } from '../tetrahedra/ball-mesher.ts';
import { meshBox } from '../tetrahedra/box-mesher.ts';
import { computeVolumes } from '../tetrahedra/tetrahedral-mesh.ts';
import { ContactFaces, createPlacement } from './contact-faces.ts';
import { findHalfSpaceFaces } from './half-space-faces.ts';
import { buildSoftField, MovingField } from './soft-field.ts';

const E = 1e6;
const GROUND = createPlacement();
const CUBE = meshBox([0.1, 0.1, 0.1], [4, 4, 4]);

describe('field of a soft body', () => {
  test('zero on the surface, the modulus at the deepest, depth in between', () => {
    const { pressure, body, vertexCount, surface } = buildSoftField(CUBE, E, 0);
    for (let v = 0; v < vertexCount; v++) {
      const depth = 0.1 - Math.max(...[0, 1, 2].map((k) => Math.abs(body.vertices[3 * v + k])));
      expect(pressure[v]).toBeCloseTo((E * depth) / 0.1, 6);
      expect(pressure[v] > 0).toBe(surface.isSurface[v] === 0);
    }
  });

  test('tetrahedra with all corners on the surface are split and know the one they lie in', () => {
    const { mesh, parent, corners, body } = buildSoftField(CUBE, E, 0);
    const volume = new Float64Array(body.tetrahedra.length / 4);
    computeVolumes(mesh).forEach((part, t) => {
      expect(part).toBeGreaterThan(0);
      volume[parent[t]] += part;
    });
    computeVolumes(body).forEach((whole, t) => {
      expect(volume[t]).toBeCloseTo(whole, 12);
    });
    expect(corners.length).toBeGreaterThan(0);
  });

  test('the layer has the volume of a shell, positive tetrahedra, and pressures below zero outside', () => {
    const margin = 1e-3;
    const { mesh, pressure, twin, parent, body } = buildSoftField(CUBE, E, margin);
    const volumes = computeVolumes(mesh);
    const whole = volumes.reduce((sum, volume) => sum + volume, 0);
    // flat faces moved out by the margin, edges and corners with them
    expect(whole).toBeCloseTo((0.2 + 2 * margin) ** 3, 9);
    for (const volume of volumes) expect(volume).toBeGreaterThan(0);
    twin.forEach((t) => {
      if (t >= 0) expect(pressure[t]).toBeCloseTo((-E * margin) / 0.1, 6);
    });
    expect(Math.max(...parent)).toBeLessThan(body.tetrahedra.length / 4);
    expect(parent).toHaveLength(volumes.length);
  });

  test('on a plane: force of a pressed cube at rest, stretched, turned; gaps before it touches', () => {
    const moving = new MovingField(buildSoftField(CUBE, E, 1e-3));
    const press = (move: (x: number, y: number, z: number) => number[]): ContactFaces => {
      const positions = new Float64Array(CUBE.vertices.length + 3);
      for (let i = 0; i < CUBE.vertices.length; i += 3) {
        positions.set(move(CUBE.vertices[i], CUBE.vertices[i + 1], CUBE.vertices[i + 2]), i + 3);
      }
      moving.update(positions, 1);
      const faces = new ContactFaces();
      findHalfSpaceFaces(faces, GROUND, Infinity, moving.mesh, createPlacement());
      return faces;
    };
    const total = (faces: ContactFaces): { force: number; area: number } => {
      let [force, area] = [0, 0];
      for (let i = 0; i < faces.count; i++) {
        force += faces.area[i] * faces.pressure[i];
        area += faces.area[i];
      }
      return { force, area };
    };
    const d = 0.01;
    const rest = total(press((x, y, z) => [x, y, z + 0.1 - d]));
    // linear in cells of a quarter of the edge: about half of the depth in those along the edges of the face
    expect(rest.force).toBeLessThan((E / 0.1) * d * 0.04);
    expect(rest.force).toBeGreaterThan(0.5 * (E / 0.1) * d * 0.04);
    const turned = total(press((x, y, z) => [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y, z + 0.1 - d]));
    expect(turned.force).toBeCloseTo(rest.force, 8);
    // twice as wide: four times the area; twice as high: half the slope at the same depth
    const wide = total(press((x, y, z) => [2 * x, 2 * y, z + 0.1 - d]));
    expect(wide.force).toBeCloseTo(4 * rest.force, 7);
    const high = total(press((x, y, z) => [x, y, 2 * z + 0.2 - 2 * d]));
    expect(high.force).toBeCloseTo(rest.force, 8);
    // above the plane by less than the margin
    const apart = press((x, y, z) => [x, y, z + 0.1 + 4e-4]);
    expect(total(apart).area).toBeGreaterThan(0.039);
    for (let i = 0; i < apart.count; i++) {
      if (apart.area[i] > 1e-5) expect(-apart.pressure[i] / apart.slope[i]).toBeCloseTo(4e-4, 9);
    }
    expect(press((x, y, z) => [x, y, z + 0.1 + 1.1e-3]).count).toBe(0);
  });

  test('a ball of tetrahedra pressed on a plane: near π/3 E d² (3 − 2 d/R), nearer with finer cells', () => {
    const [R, d] = [0.1, 0.03];
    const exact = (Math.PI / 3) * E * d * d * (3 - (2 * d) / R);
    const errors = [0.04, 0.02].map((resolution) => {
      const ball = meshBall(R, resolution);
      const moving = new MovingField(buildSoftField(ball, E, 0));
      moving.update(
        ball.vertices.map((x, i) => (i % 3 === 2 ? x + R - d : x)),
        0,
      );
      const faces = new ContactFaces();
      findHalfSpaceFaces(faces, GROUND, Infinity, moving.mesh, createPlacement());
      let force = 0;
      for (let i = 0; i < faces.count; i++) force += faces.area[i] * faces.pressure[i];
      return Math.abs(1 - force / exact);
    });
    expect(errors[0]).toBeLessThan(0.2);
    expect(errors[1]).toBeLessThan(0.5 * errors[0]);
  });

  test('an inverted tetrahedron has no gradient', () => {
    const moving = new MovingField(buildSoftField(CUBE, E, 0));
    moving.update(
      CUBE.vertices.map((x, i) => (i % 3 === 2 ? -x : x)),
      0,
    );
    expect(moving.mesh.gradient.every((g) => g === 0)).toBe(true);
  });
});
