/** A shape from outside of the engine, the torus of examples/shapes: mass, rays, rest and rolling against closed forms. */
import { readFileSync } from 'node:fs';
import {
  compileModel,
  describePicture,
  NexdynError,
  registerShape,
  type Scene,
  Simulation,
  schema,
} from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import '../../examples/shapes/torus.mjs';

const R = 0.2;
const r = 0.05;
const FORMULATIONS = ['mujoco', 'sap', 'ccp', 'ipc'] as const;
const torus = { kind: 'torus', majorRadius: R, minorRadius: r };
const head = { format: 'nexdyn-scene', version: 1 } as const;
const read = (value: unknown): Scene =>
  loadScene('a.json', { files: memoryFiles({ 'a.json': JSON.stringify(value) }) }).scene;
const onPlane = (shape: object, more: object = {}): Scene =>
  read({
    ...head,
    ...more,
    shapes: [{ kind: 'plane' }],
    bodies: [{ name: 'a', position: [0, 0, 0.07], joints: [{ kind: 'free' }], shapes: [{ ...shape, mass: 1 }] }],
  });

function refuse(value: unknown): NexdynError {
  try {
    compileModel(read(value));
  } catch (error) {
    if (error instanceof NexdynError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('mass', () => {
  const bodyOf = (shape: object) =>
    compileModel(
      read({ ...head, bodies: [{ joints: [{ kind: 'free' }], shapes: [{ ...torus, density: 1000, ...shape }] }] }),
    ).body;

  test('is that of the closed form: V = 2π²Rr², Iz = m (R² + 3r²/4), Ix = m (R²/2 + 5r²/8)', () => {
    const { mass, inertiaMoments } = bodyOf({});
    const m = 1000 * 2 * Math.PI ** 2 * R * r * r;
    const moments = [m * (R * R + 0.75 * r * r), m * (0.5 * R * R + 0.625 * r * r), m * (0.5 * R * R + 0.625 * r * r)];
    // cubes of a 256th of the longest side: the square of their edge over the radius of curvature
    const tolerance = ((2 * (R + r)) / 256 / r) ** 2;
    expect(Math.abs(mass[1]! / m - 1)).toBeLessThan(tolerance);
    const found = [...inertiaMoments.subarray(3, 6)].sort((a, b) => b - a);
    moments.forEach((value, k) => {
      expect(Math.abs(found[k]! / value - 1)).toBeLessThan(tolerance);
    });
  });

  test('of a shell is that of the surface: A = 4π²Rr, up to the flatness of its triangles', () => {
    expect(bodyOf({ shell: true, density: 1 }).mass[1]! / (4 * Math.PI ** 2 * R * r)).toBeCloseTo(1, 1.5);
  });
});

describe('contact', () => {
  test.each(takeCases(FORMULATIONS, 2))('a torus lies on a plane at the height of its tube under %s', (formulation) => {
    const covering = 0.004;
    const simulation = new Simulation(
      compileModel(onPlane(torus, { options: { ipc: { signedDistanceCovering: covering } } }), { formulation }),
    );
    while (simulation.time < 0.8) simulation.step();
    const gap = simulation.bodyPosition[5]! - r;
    // soft contact sinks under a weight of 10 N by far less than a millimetre; under ipc the samples keep a margin of twice their
    // covering radius at most, and the barrier a part of its distance
    if (formulation === 'ipc') expect(gap > 0 && gap < 2 * covering + 2e-3).toBe(true);
    else expect(Math.abs(gap)).toBeLessThan(1e-3);
    expect(Math.abs(simulation.state.velocity[2]!)).toBeLessThan(5e-3);
  });

  test.each(takeCases(FORMULATIONS, 4))(
    'a torus rolls down a slope as a = g sin α / (1 + I/(m ρ²)) says under %s',
    (formulation) => {
      const scene = JSON.parse(readFileSync('examples/shapes/torus-slope.json', 'utf8'));
      const simulation = new Simulation(compileModel(read(scene), { formulation }));
      const start = [...simulation.bodyPosition.subarray(3, 6)];
      while (simulation.time < 0.5 - 1e-9) simulation.step();
      const moved = [0, 1, 2].map((k) => simulation.bodyPosition[3 + k]! - start[k]!);
      const down = moved[0]! * Math.cos(Math.PI / 18) - moved[2]! * Math.sin(Math.PI / 18);
      // under ipc it rolls on its margin of up to 2 · 8 mm
      const radius = R + r + (formulation === 'ipc' ? 0.008 : 0);
      const a = (9.81 * Math.sin(Math.PI / 18)) / (1 + (R * R + 0.75 * r * r) / (radius * radius));
      expect(Math.abs(down / (0.5 * a * 0.25) - 1)).toBeLessThan(formulation === 'ipc' ? 0.05 : 0.02);
      expect(Math.abs(moved[1]!)).toBeLessThan(0.01);
    },
  );

  test.each(takeCases(['sap', 'mujoco', 'ccp'] as const, 3))(
    'is that of the same field in the scene under %s',
    (formulation) => {
      const field = { signedDistanceFields: [{ ...torus, kind: 'torus', name: 'ring' }] };
      const [outside, inside] = [onPlane(torus), onPlane({ kind: 'signedDistance', field: 'ring' }, field)].map(
        (scene) => {
          const simulation = new Simulation(compileModel(scene, { formulation }));
          for (let i = 0; i < 100; i++) simulation.step();
          return [...simulation.bodyPosition.subarray(3, 6)];
        },
      );
      // gradients by differences, inertia by integration
      inside!.forEach((value, k) => {
        expect(Math.abs(value - outside![k]!)).toBeLessThan(1e-6);
      });
    },
  );

  test('a torus with a pressure field rests on a plane', () => {
    const scene = onPlane({ ...torus, contact: 'hydroelastic' });
    const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
    while (simulation.time < 0.3) simulation.step();
    expect(Math.abs(simulation.bodyPosition[5]! - r)).toBeLessThan(1e-3);
  });
});

test('rays hit the tube and pass through the hole', () => {
  const simulation = new Simulation(compileModel(read({ ...head, shapes: [torus] })));
  const down = simulation.castRay([R, 0, 1], [0, 0, -1])!;
  expect(down.distance).toBeCloseTo(1 - r, 9);
  expect(down.normal[2]).toBeCloseTo(1, 6);
  expect(simulation.castRay([2, 0, 0], [-1, 0, 0])!.distance).toBeCloseTo(2 - R - r, 9);
  expect(simulation.castRay([0, 0, 1], [0, 0, -1])).toBeUndefined();
  // from the middle to the inner side
  expect(simulation.castRay([0, 0, 0], [0, 1, 0])!.distance).toBeCloseTo(R - r, 9);
});

test('the picture is a closed surface with its points on the torus', () => {
  const model = compileModel(read({ ...head, shapes: [torus] }));
  const { vertices, triangles } = describePicture(model, 0)!.surface!;
  for (let i = 0; i < vertices.length; i += 3) {
    const away = Math.hypot(vertices[i]!, vertices[i + 1]!) - R;
    expect(Math.abs(Math.hypot(away, vertices[i + 2]!) - r)).toBeLessThan(1e-9);
  }
  const edges = new Map<string, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [triangles[t + k]!, triangles[t + ((k + 1) % 3)]!];
      const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
      edges.set(key, (edges.get(key) ?? 0) + (from < to ? 1 : -1));
    }
  }
  expect([...edges.values()].every((sum) => sum === 0)).toBe(true);
  // V − E + F = 0 of a torus
  expect(vertices.length / 3 - edges.size + triangles.length / 3).toBe(0);
});

describe('errors', () => {
  test('parameters are checked by schema and by the shape, with the path', () => {
    expect(refuse({ ...head, shapes: [{ kind: 'torus', majorRadius: 1 }] }).path).toBe('shapes[0].minorRadius');
    expect(refuse({ ...head, shapes: [{ ...torus, minorRadius: -1 }] }).path).toBe('shapes[0].minorRadius');
    expect(refuse({ ...head, shapes: [{ ...torus, tube: 1 }] }).code).toBe('unknown-field');
    const thick = refuse({ ...head, shapes: [{ ...torus, minorRadius: 0.3 }] });
    expect(thick.message).toMatch(/shapes\[0\].*thinner than the ring/);
    expect(refuse({ ...head, shapes: [{ ...torus, kind: 'torrus' }] }).hint).toMatch(/torus/);
  });

  test('a specification that would fail in contact is refused when it is used', () => {
    const fields = { radius: schema.number() };
    const bounds = () =>
      [
        [-1, -1, -1],
        [1, 1, 1],
      ] as const as never;
    const ball = (x: number, y: number, z: number) => Math.sqrt(x * x + y * y + z * z) - 1;
    registerShape({
      kind: 'steep',
      fields,
      bounds,
      distance: () => (x: number, y: number, z: number) => 3 * ball(x, y, z),
    } as never);
    registerShape({ kind: 'empty', fields, bounds, distance: () => () => Number.NaN } as never);
    registerShape({
      kind: 'wide',
      fields,
      bounds,
      distance: () => (x: number, y: number, z: number) => ball(x, y, z) - 1,
    } as never);
    const use = (kind: string) => refuse({ ...head, shapes: [{ kind, radius: 1 }] }).message;
    expect(use('steep')).toMatch(/Lipschitz/);
    expect(use('empty')).toMatch(/NaN/);
    expect(use('wide')).toMatch(/nearer than the box/);
  });

  test('kinds of the engine stay as they are, and a distance is needed', () => {
    expect(() => registerShape({ kind: 'box', fields: {} } as never)).toThrow(/'box' cannot be/);
    expect(() => registerShape({ kind: 'cone', fields: {} } as never)).toThrow(/has no function 'bounds'/);
  });
});
