/** What ipc refuses, each with a code, the place in the scene and a way out. */
import {
  type Body,
  compileModel,
  type IpcOptions,
  NexdynError,
  type Scene,
  type Shape,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

function start(parts: Partial<Scene>, ipc: IpcOptions = {}): void {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    ...parts,
    options: { timestep: 0.01, start: 'refuse', ipc },
  };
  new Simulation(compileModel(scene, { formulation: 'ipc' })).step();
}

/** The error that a start raises. */
function refuse(parts: Partial<Scene>, ipc: IpcOptions = {}): NexdynError {
  try {
    start(parts, ipc);
  } catch (error) {
    expect(error).toBeInstanceOf(NexdynError);
    return error as NexdynError;
  }
  throw new Error('nothing was refused');
}

const body = (name: string, position: Vec3, ...shapes: Shape[]): Body => ({
  name,
  position,
  joints: [{ kind: 'free' }],
  shapes,
});
const cube: Shape = { kind: 'box', halfSize: [0.1, 0.1, 0.1] };
const tent = {
  name: 'tent',
  vertices: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 0.7],
  faces: [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
};
const tentShape: Shape = { kind: 'triangleMesh', mesh: 'tent' };

describe('an open mesh', () => {
  test('is no solid: its volume is refused', () => {
    const error = refuse({ meshes: [tent], bodies: [body('a', [0, 0, 1], cube, tentShape)] });
    expect(error.code).toBe('invalid-mesh');
    expect(error.message).toMatch(/mesh 'tent' is open/);
    expect(error.path).toBe('bodies[0].shapes[1]');
    expect(error.hint).toMatch(/shell/);
    // nor with a mass that would be spread over it
    expect(refuse({ meshes: [tent], bodies: [body('a', [0, 0, 1], { ...tentShape, mass: 2 })] }).code).toBe(
      'invalid-mesh',
    );
  });

  test('is a sheet as a shell, by the hull, with an inertia of the body, and where nothing moves', () => {
    const inertia: Body['inertia'] = { kind: 'principal', mass: 1, moments: [0.1, 0.1, 0.1] };
    for (const parts of [
      { meshes: [tent], bodies: [body('a', [0, 0, 1], { ...tentShape, shell: true })] },
      { meshes: [{ ...tent, inertia: 'shell' as const }], bodies: [body('a', [0, 0, 1], tentShape)] },
      { meshes: [{ ...tent, inertia: 'convex' as const }], bodies: [body('a', [0, 0, 1], tentShape)] },
      { meshes: [tent], bodies: [{ ...body('a', [0, 0, 1], tentShape), inertia }] },
      { meshes: [tent], shapes: [tentShape], bodies: [body('a', [0, 0, 2], cube)] },
    ])
      expect(() => start(parts)).not.toThrow();
  });

  test('has no field', () => {
    const error = refuse({
      meshes: [tent],
      signedDistanceFields: [{ kind: 'mesh', name: 'tent', mesh: 'tent', spacing: 0.1 }],
      shapes: [{ kind: 'signedDistance', field: 'tent' }],
    });
    expect(error.message).toMatch(/open|closed/);
    expect(error.path).toMatch(/signedDistanceFields\[0\]/);
  });
});

test('a triangle without area in a strict mesh', () => {
  const flat = {
    name: 'flat',
    strict: true,
    vertices: [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0],
    faces: [0, 1, 3, 0, 1, 2],
  };
  const error = refuse({ meshes: [flat], shapes: [{ kind: 'triangleMesh', mesh: 'flat' }] });
  expect(error.code).toBe('invalid-mesh');
  expect(error.message).toMatch(/triangle 1 has no area/);
  expect(error.path).toBe('meshes[0].faces');
  expect(error.hint).toMatch(/remove the triangle/);
  expect(() =>
    start({ meshes: [{ ...flat, strict: false }], shapes: [{ kind: 'triangleMesh', mesh: 'flat' }] }),
  ).not.toThrow();
});

test('a barrier that begins farther away than a body is large', () => {
  const field: Partial<Scene> = {
    signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.1, minorRadius: 0.02 }],
    shapes: [{ kind: 'plane' }],
    bodies: [body('a', [0, 0, 1], { kind: 'signedDistance', field: 'ring', mass: 1 })],
  };
  for (const parts of [{ bodies: [body('a', [0, 0, 1], cube)] }, field]) {
    const error = refuse(parts, { barrierDistance: 0.5 });
    expect(error.code).toBe('invalid-value');
    expect(error.message).toMatch(/the barrier begins at 0.5 m, but the shape of "a" is only 0.2\d* m large/);
    expect(error.path).toBe('options.ipc.barrierDistance');
    expect(error.hint).toMatch(/smallest body/);
  }
});

test('a start in intersection names the pair and the depth', () => {
  const cases: [Shape, number][] = [
    [{ kind: 'plane', name: 'floor' }, 0.093],
    [{ kind: 'box', halfSize: [1, 1, 1], position: [0, 0, -1], name: 'floor' }, 0.093],
    [{ kind: 'sphere', radius: 1, position: [0, 0, -1], name: 'floor' }, 0.093],
  ];
  for (const [floor, height] of cases) {
    const error = refuse({ shapes: [floor], bodies: [body('a', [0, 0, height], { ...cube, name: 'cube' })] });
    expect(error.code).toBe('invalid-value');
    expect(error.message).toMatch(/shape "floor" and shape "cube" intersect at the start by 7(\.\d+)? mm/);
    // where it is in the scene: the one that may be moved, and the other
    expect(error.path).toBe('bodies[0].shapes[0]');
    expect(error.hint).toMatch(/it and shapes\[0\] apart/);
  }
});

test('a start in intersection says where in the tree the pair is', () => {
  const far: Shape = { ...cube, position: [0, 5, 0] };
  const error = refuse({
    bodies: [
      { ...body('a', [0, 0, 1], far), shapes: [far, cube] },
      { ...body('b', [2, 0, 1], cube), bodies: [{ name: 'c', position: [-1.9, 0, 0], shapes: [far, cube] }] },
    ],
  });
  expect(error.path).toBe('bodies[1].bodies[0].shapes[0]');
  expect(error.hint).toMatch(/it and bodies\[0\]\.shapes\[0\] apart/);
});

test('a part of a mesh inside another body, though nothing crosses', () => {
  const tet = (x: number, size: number): number[] =>
    [
      [x, 0, 0],
      [x + size, 0, 0],
      [x, size, 0],
      [x, 0, size],
    ].flat();
  const faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
  // two tetrahedra in one mesh: the first outside of the block, the second in it
  const two = {
    name: 'two',
    vertices: [...tet(2, 0.3), ...tet(0, 0.1)],
    faces: [...faces, ...faces.map((v) => v + 4)],
  };
  const block: Shape = { kind: 'box', halfSize: [0.5, 0.5, 0.5], name: 'block' };
  const error = refuse({
    meshes: [two],
    shapes: [block],
    bodies: [body('a', [0, 0, 0], { kind: 'triangleMesh', mesh: 'two' })],
  });
  expect(error.message).toMatch(/"block" and the shape of "a" intersect at the start/);
});

test('bouncing and joint coordinates', () => {
  expect(refuse({ materials: [{ name: 'rubber', restitution: 0.5 }] }).message).toMatch(/restitution/);
  const scene: Scene = { format: 'nexdyn-scene', version: 1, bodies: [body('a', [0, 0, 1], cube)] };
  expect(() => new Simulation(compileModel(scene, { formulation: 'ipc', coordinates: 'joint' }))).toThrow(
    /body coordinates/,
  );
});
