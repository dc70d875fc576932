import { compileModel, NexdynError, type Scene, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { changeScene } from './scene-changes.ts';

function build(): Scene {
  const world = scene('bench');
  world.plane('floor', { friction: 0.5 });
  const base = world
    .body('base', { position: [0, 0, 1] })
    .free()
    .box('base-box', { halfSize: [0.1, 0.2, 0.3] });
  base
    .body('arm', { position: [0, 0, 0.5] })
    .hinge('elbow')
    .capsule('arm-capsule', { from: [0, 0, 0], to: [0.3, 0, 0], radius: 0.03 });
  return world.build();
}

describe('changes of a scene', () => {
  test('mass: the body weighs what it should, and its inertia grows along', () => {
    const before = compileModel(build());
    const after = compileModel(changeScene(build(), { mass: { arm: 7 } }));
    const arm = before.body.name.indexOf('arm');
    expect(after.body.mass[arm]).toBeCloseTo(7, 12);
    expect(after.body.mass[1]).toBe(before.body.mass[1]);
    for (let k = 3 * arm; k < 3 * arm + 3; k++) {
      const ratio = after.body.inertiaMoments[k]! / before.body.inertiaMoments[k]!;
      expect(ratio).toBeCloseTo(7 / before.body.mass[arm]!, 10);
    }
  });

  test('mass of inertia that is written down', () => {
    const world = build();
    world.bodies![0]!.inertia = { kind: 'principal', mass: 2, moments: [0.1, 0.2, 0.25] };
    const model = compileModel(changeScene(world, { mass: { base: 5 } }));
    expect(model.body.mass[1]).toBe(5);
    expect([...model.body.inertiaMoments.subarray(3, 6)].sort()).toEqual([0.25, 0.5, 0.625]);
  });

  test('friction by name and for all others', () => {
    const model = compileModel(changeScene(build(), { friction: { floor: 0.1, '*': 0.3 } }));
    const slide = Array.from(model.shape.name, (_, s) => model.shape.friction[3 * s]);
    expect(slide).toEqual([0.1, 0.3, 0.3]);
  });

  test('gravity and options; the scene that was given stays as it was', () => {
    const world = build();
    world.options = { timestep: 0.01, mujoco: { solver: 'cg' } };
    const text = JSON.stringify(world);
    const changed = changeScene(world, {
      gravity: [0, 0, -1.62],
      options: { mujoco: { iterations: 7 } },
      friction: { '*': 0 },
    });
    expect(changed.options).toEqual({
      timestep: 0.01,
      mujoco: { solver: 'cg', iterations: 7 },
      gravity: [0, 0, -1.62],
    });
    expect(JSON.stringify(world)).toBe(text);
  });

  test.each([
    [{ mass: { leg: 1 } }, 'unknown-reference'],
    [{ friction: { 'no-shape': 1 } }, 'unknown-reference'],
    [{ mass: { arm: -1 } }, 'invalid-mass'],
    [{ mass: { arm: Number.NaN } }, 'invalid-mass'],
  ])('%j is refused', (changes, code) => {
    expect(() => changeScene(build(), changes)).toThrow(NexdynError);
    expect(() => changeScene(build(), changes)).toThrow(expect.objectContaining({ code }));
  });
});
