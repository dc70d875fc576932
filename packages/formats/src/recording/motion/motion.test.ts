import { compileModel, type Model, NexdynError, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import type { Recording } from '../recording.ts';
import { createMotion } from './motion.ts';

/** Two frames in which the second body has moved. */
function record(model: Model): Recording {
  const bodies = model.size.body;
  const bodyPosition = new Float64Array(2 * 3 * bodies);
  const bodyOrientation = Float64Array.from({ length: 2 * 4 * bodies }, (_, i) => (i % 4 === 0 ? 1 : 0));
  bodyPosition[3 * bodies + 3] = 4;
  return {
    name: model.name,
    time: Float64Array.of(0, 0.5),
    columns: [
      { name: 'energy', unit: 'J', width: 1, data: Float64Array.of(1, 2) },
      { name: 'bodyPosition', unit: 'm', width: 3 * bodies, data: bodyPosition },
      { name: 'bodyOrientation', unit: '1', width: 4 * bodies, data: bodyOrientation },
    ],
  };
}

describe('motion', () => {
  test('bodies by unique names, those that move are marked, shapes with their poses', () => {
    const world = scene('two');
    world.plane('floor');
    world
      .body('ball', { position: [0, 0, 1] })
      .free()
      .sphere({ radius: 0.2, position: [0, 0.1, 0] });
    world.body().sphere({ radius: 0.2 });
    const model = compileModel(world.build());
    const motion = createMotion(model, record(model));
    expect(motion.bodies.map(({ name }) => name)).toEqual(['world', 'ball', 'body 2']);
    expect(motion.bodies.map(({ isMoving }) => isMoving)).toEqual([false, true, false]);
    expect(motion.quantities.map(({ name }) => name)).toEqual(['energy']);
    const [floor, first, second] = motion.parts;
    // an endless plane is drawn as far as 1.5 of the way bodies go
    expect(floor).toMatchObject({ name: 'floor', body: 0, solid: { kind: 'rectangle', halfSize: [6, 6] } });
    expect(first).toMatchObject({ body: 1, position: [0, 0.1, 0], solid: { radii: [0.2, 0.2, 0.2] } });
    // equal solids are one object
    expect(second!.solid).toBe(first!.solid);
    expect(motion.undrawn).toEqual([]);
  });

  test('hidden layers are left out unless nothing else shows the body', () => {
    const world = scene('layers');
    const shown = world.body('robot').free();
    shown.sphere('skin', { radius: 0.1 });
    shown.sphere('hull', { radius: 0.11, layer: 3 });
    world.body('ghost').sphere('alone', { radius: 0.1, layer: 3 });
    const model = compileModel(world.build());
    expect(createMotion(model, record(model)).parts.map(({ name }) => name)).toEqual(['skin', 'alone']);
  });

  test('a field of samples has no surface and is named', () => {
    const world = scene('field').build();
    world.signedDistanceFields = [
      {
        kind: 'grid',
        name: 'samples',
        origin: [-1, -1, -1],
        spacing: 1,
        counts: [3, 3, 3],
        values: Array.from({ length: 27 }, (_, i) => (i === 13 ? -0.5 : 0.5)),
      },
      { kind: 'torus', name: 'ring', majorRadius: 0.3, minorRadius: 0.1 },
    ];
    world.shapes = [
      { kind: 'signedDistance', name: 'lump', field: 'samples' },
      { kind: 'signedDistance', name: 'donut', field: 'ring' },
    ];
    const model = compileModel(world);
    const motion = createMotion(model, record(model));
    expect(motion.undrawn).toEqual(['lump']);
    expect(motion.parts).toMatchObject([{ name: 'donut', solid: { kind: 'torus', majorRadius: 0.3 } }]);
  });

  test('recordings without poses or frames are refused', () => {
    const model = compileModel(scene('empty').build());
    const recording = record(model);
    expect(() => createMotion(model, { ...recording, columns: [] })).toThrow(NexdynError);
    const none = {
      ...recording,
      time: new Float64Array(),
      columns: recording.columns.map((c) => ({ ...c, data: new Float64Array() })),
    };
    expect(() => createMotion(model, none)).toThrow(/no frames/);
  });
});
