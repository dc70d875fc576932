/**
 * Bodies of points and of edges alone, without thickness. They rest on planes, sheets and the rims of holes; where there is no point
 * and no edge, there is nothing to stop them.
 */
import type { Body, MeshAsset, Shape, Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { advance, body, build, findFastest, G, place, sumNormalForces } from './checked-scene.ts';
import { createFrame } from './sharp-meshes.ts';

const DHAT = 1e-3;
const MASS = 1;
const frame = createFrame('frame', 0.2, 1);
const wide = createFrame('wide', 0.35, 1);

/** A tip at the origin, a level triangle above it. */
const corners: Vec3[] = [
  [0, 0, 0],
  [0.6, 0, 0.8],
  [-0.3, 0.3 * Math.sqrt(3), 0.8],
  [-0.3, -0.3 * Math.sqrt(3), 0.8],
];
const edges = [0, 1, 0, 2, 0, 3, 1, 2, 2, 3, 3, 1];
/** The tetrahedron of edges on its tip, and on its level triangle. */
const wires: MeshAsset[] = [
  { name: 'tip down', vertices: corners.flat(), edges },
  { name: 'tip up', vertices: corners.flatMap(([x, y, z]) => [x, y, 0.8 - z]), edges },
];

/** Four points on each of three rings. */
const rings = Array.from({ length: 12 }, (_, i): Vec3 => {
  const ring = Math.floor(i / 4);
  const angle = (Math.PI / 2) * (i + 0.3 * ring);
  return [0.3 * Math.cos(angle), 0.3 * Math.sin(angle), 0.1 * ring];
});
const clouds: MeshAsset[] = [
  { name: 'cloud', vertices: rings.flat(), edges: [] },
  { name: 'narrow cloud', vertices: rings.flatMap(([x, y, z]) => [0.4 * x, 0.4 * y, z]), edges: [] },
];

const meshes = [frame, wide, ...wires, ...clouds];
const mesh = (name: string): Shape => ({ kind: 'triangleMesh', mesh: name, friction: 0.5 });
const drop = (name: string, z: number): Body => body('a', [0, 0, z], { ...mesh(name), mass: MASS });

describe('points alone', () => {
  test('a cloud of points rests on a plane and on a sheet with its weight', () => {
    for (const ground of [{ kind: 'plane' } as Shape, mesh('frame')]) {
      const simulation = build({ meshes, shapes: [ground], bodies: [drop('cloud', 0.05)] }, 0.01, { tolerance: 1e-6 });
      advance(simulation, 100);
      expect(sumNormalForces(simulation) / (MASS * G)).toBeCloseTo(1, 5);
      expect(place(simulation, 1)[2]).toBeGreaterThan(0);
      expect(place(simulation, 1)[2]).toBeLessThan(DHAT);
    }
  });

  test('a cloud falls through a hole that is wider than all its points', () => {
    const simulation = build({ meshes, shapes: [mesh('frame')], bodies: [drop('narrow cloud', 0.05)] }, 0.01);
    advance(simulation, 60);
    expect(place(simulation, 1)[2]).toBeLessThan(-1);
  });
});

describe('edges alone', () => {
  test('a tetrahedron of edges stands on three corners, on a plane and on a sheet', () => {
    for (const ground of [{ kind: 'plane' } as Shape, mesh('frame')]) {
      const simulation = build({ meshes, shapes: [ground], bodies: [drop('tip up', 0.02)] }, 0.01, { tolerance: 1e-6 });
      advance(simulation, 100);
      expect(sumNormalForces(simulation) / (MASS * G)).toBeCloseTo(1, 5);
      expect(place(simulation, 1)[2]).toBeLessThan(DHAT);
      expect(findFastest(simulation)).toBeLessThan(1e-3);
    }
  });

  test('in a hole its edges hang on the rim, its tip below', () => {
    const simulation = build({ meshes, shapes: [mesh('wide')], bodies: [drop('tip down', -0.3)] }, 0.01, {
      tolerance: 1e-6,
    });
    advance(simulation, 200);
    const [, , z] = place(simulation, 1);
    // edges go out by 0.75 of their height: they meet the rim, 0.35 to 0.495 away, between 0.467 and 0.66 above the tip
    expect(z).toBeLessThan(-0.46);
    expect(z).toBeGreaterThan(-0.67);
    expect(findFastest(simulation)).toBeLessThan(2e-3);
    const lift = simulation.contactForces().reduce((sum, { force }) => sum + Math.abs(force[2]), 0);
    expect(lift / (MASS * G)).toBeCloseTo(1, 3);
  });
});
