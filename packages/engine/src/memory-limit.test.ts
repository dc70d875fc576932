import { describe, expect, test } from 'vitest';
import { longTest } from '../../../scripts/long-run.ts';
import { ContactSet } from './collision/contact-set.ts';
import { NexdynError } from './error.ts';
import { IndexPairs } from './geometry/bounding-tree/index-list.ts';
import { compileModel, type FormulationId, type Scene, type Shape, Simulation, type TetMesh } from './index.ts';
import { Arena } from './kernels/arena.ts';

const MEBIBYTE = 2 ** 20;

function read(call: () => unknown): NexdynError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(NexdynError);
    return error as NexdynError;
  }
  expect.unreachable('nothing was refused');
}

/** Spheres in one place, so that each touches all others. */
function pile(count: number, formulation: FormulationId = 'sap'): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation },
    bodies: Array.from({ length: count }, (_, i) => ({
      name: `ball${i}`,
      position: [1e-6 * i, 0, 1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, density: 1000 }],
    })),
  };
}

describe('the memory of a simulation', () => {
  test('an arena names who asked for more than there is, and still has what it had', () => {
    const arena = new Arena({ maximumBytes: 4 * MEBIBYTE });
    arena.user = 'the solve';
    const first = arena.f64(1000);
    const error = read(() => arena.f64(MEBIBYTE));
    expect(error).toMatchObject({ code: 'too-large', hint: expect.stringContaining('memory') });
    expect(error.message).toMatch(/limit of 4 MiB\. Asked for by the solve: 8 MiB on top of 1 MiB/);
    expect([first.length, arena.usedBytes]).toEqual([1000, 8000]);
    expect(arena.f64(1000)).toHaveLength(1000);
  });

  test.each(['mujoco', 'sap', 'ccp'] as const)(
    '%s: a step without memory leaves the state as it was',
    (formulation) => {
      const model = compileModel(pile(60, formulation));
      const simulation = new Simulation(model, { memory: 4 * MEBIBYTE });
      // not a start, where pairs as deep as these are left out
      simulation.state.time[0] = 1;
      const before = simulation.snapshot();
      const error = read(() => simulation.step());
      expect(error).toMatchObject({ code: 'too-large', reason: expect.stringContaining('limit of 4 MiB') });
      expect(simulation.snapshot()).toEqual(before);
      // arrays that could not grow are too short for any further step
      expect(read(() => simulation.step())).toBe(error);
      expect(read(() => simulation.forward())).toBe(error);
      const larger = new Simulation(model, { memory: 256 * MEBIBYTE });
      larger.restore(simulation.snapshot());
      expect(larger.step().status).not.toBe('diverged');
    },
  );

  test('a scene that does not fit is refused with its part', () => {
    const model = compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap' },
      softBodies: [
        {
          name: 'jelly',
          mesh: { kind: 'box', halfSize: [1, 1, 1], cells: [20, 20, 20] },
          elasticity: { youngsModulus: 1e5, poissonRatio: 0.4 },
        },
      ],
    });
    const error = read(() => new Simulation(model, { memory: 4 * MEBIBYTE }));
    expect(error.message).toMatch(/Asked for by soft bodies with 9261 vertices/);
  });

  test('of many pairs that overlap at the start the first are named, the others counted', () => {
    const { unresolved } = new Simulation(compileModel(pile(60)));
    // 60 · 59 / 2 pairs
    expect(unresolved).toHaveLength(101);
    expect(unresolved.at(-1)).toBe('contact of 1670 more pairs that overlap at the start');
  });

  test('contacts and pairs are bounded', () => {
    const set = new ContactSet();
    set.reserve(1000);
    expect(read(() => set.reserve(999_001))).toMatchObject({ code: 'too-large', hint: expect.any(String) });
    expect(set.count).toBe(1000);
    const pairs = new IndexPairs();
    const error = read(() => {
      for (;;) pairs.add(0, 1);
    });
    expect(error.message).toMatch(/more than 16777216 pairs/);
  });

  longTest('contacts and pairs of a scene are bounded', () => {
    // 1500 · 1499 / 2 pairs
    const simulation = new Simulation(compileModel(pile(1500)));
    // pairs that overlap so deeply at a start are left out
    simulation.state.time[0] = 1;
    const before = simulation.hash();
    expect(read(() => simulation.step()).message).toMatch(/more than 1000000 contacts/);
    expect(simulation.hash()).toBe(before);
  });
});

describe('resolutions that would fill the memory', () => {
  const compile = (shape: Shape, ground: Partial<Shape> = {}) =>
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap' },
      shapes: [{ kind: 'plane', ...ground } as Shape],
      bodies: [{ name: 'a', joints: [{ kind: 'free' }], shapes: [shape] }],
    });
  const solids: Shape[] = [
    { kind: 'sphere', radius: 1 },
    { kind: 'ellipsoid', radii: [1, 2, 3] },
    { kind: 'capsule', radius: 1, halfLength: 1 },
    { kind: 'cylinder', radius: 1, halfLength: 1 },
    { kind: 'box', halfSize: [1, 1, 1] },
  ];
  test.each(solids)('$kind', (solid) => {
    for (const resolution of [1e-9, Number.MIN_VALUE]) {
      const error = read(() => compile({ ...solid, contact: 'hydroelastic', hydroelastic: { resolution } }));
      expect(error).toMatchObject({
        code: 'too-large',
        path: 'bodies[0].shapes[0].hydroelastic.resolution',
        hint: expect.stringContaining('larger resolution'),
      });
      // the same on the rigid side
      const rigid = read(() => compile({ ...solid, hydroelastic: { resolution } }, { contact: 'hydroelastic' }));
      expect(rigid).toMatchObject({ code: 'too-large', path: 'bodies[0].shapes[0].hydroelastic.resolution' });
    }
  });

  test('a soft box of 100³ cells', () => {
    const elasticity = { youngsModulus: 1e5, poissonRatio: 0.4 };
    const mesh: TetMesh = { kind: 'box', halfSize: [1, 1, 1], cells: [100, 100, 100] };
    const scene: Scene = { format: 'nexdyn-scene', version: 1, softBodies: [{ name: 'jelly', mesh, elasticity }] };
    expect(read(() => compileModel({ ...scene, options: { formulation: 'sap' } }))).toMatchObject({
      code: 'too-large',
      hint: 'use fewer cells',
    });
  });
});
