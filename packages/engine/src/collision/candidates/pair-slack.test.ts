/** Candidates of bodies that move together: few, as they come little nearer to each other, and still complete. */
import { expect, test } from 'vitest';
import { IpcObjective } from '../../formulation/ipc/ipc-objective.ts';
import { Arena } from '../../kernels/arena.ts';
import { matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import { createRandom } from '../../testing/box-sets.ts';

/** Two boxes with edges of 0.2 m side by side, the first one 1 m from the origin. */
function pair(gap: number): IpcObjective {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [0, 1].map(() => ({
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
    })),
  };
  const objective = new IpcObjective(compileModel(scene, { formulation: 'ipc' }), new Arena());
  const { position, orientation, rotation } = objective.frames.current;
  position.set([1, 0, 0, 1.2 + gap, 0, 0]);
  orientation.set([1, 0, 0, 0, 1, 0, 0, 0]);
  for (let f = 0; f < 2; f++) matrixFromQuaternion(rotation, 9 * f, orientation, 4 * f);
  objective.surfaces.place(objective.frames.current);
  return objective;
}

/** The step of a point by a turn about the z axis through the origin. */
function turn(x: number, y: number, angle: number): [number, number] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * x - s * y - x, s * x + c * y - y];
}

function listCollisions({ contacts }: IpcObjective): string[] {
  return Array.from(
    { length: contacts.count },
    (_, n) => `${contacts.kind[n]} ${contacts.part.subarray(4 * n, 4 * n + 4)} ${contacts.square[n]}`,
  );
}

test('bodies that turn together about a point far away have no candidates across a gap that they keep', () => {
  const objective = pair(0.05);
  const { frames, candidates } = objective;
  const angle = 0.1;
  const { position } = frames.current;
  for (let f = 0; f < 2; f++) {
    const [x, y] = turn(position[3 * f]!, position[3 * f + 1]!, angle);
    frames.step.set([x, y, 0, 0, 0, angle], 6 * f);
  }
  candidates.cover();
  // they move by 100 mm and turn by as much as their gap, and come nearer by 4 mm at most
  expect(candidates.parts.count).toBe(0);
  // apart from each other the same turn brings edges to edges
  frames.step.fill(0, 6);
  candidates.forget();
  candidates.cover();
  expect(candidates.parts.edges.count).toBeGreaterThan(0);
});

test('candidates that were kept through many moves miss no collision', () => {
  const random = createRandom(3);
  const noise = (size: number): number => size * (2 * random() - 1);
  const kept = pair(3e-4);
  const fresh = pair(3e-4);
  let found = 0;
  const { builds } = kept.candidates;
  for (let k = 0; k < 300; k++) {
    const { position } = kept.frames.current;
    const [x1, y1, , x2, y2, z2] = position;
    // they part, turn far together, and come nearer by and by: their own slack is used up long before that of the turn
    const phase = k % 40;
    const angle = phase === 1 ? 0.06 : noise(1e-4);
    const [x, y] = turn(x1!, y1!, angle);
    // the second one goes with the first, and a little beside it
    const tilt = Math.atan2(y2! - y1!, x2! - x1!) + angle;
    const distance = 0.2003 + 0.006 * Math.min(1, 1 - (phase - 1) / 38) + noise(2e-5);
    const dx = x1! + x + distance * Math.cos(tilt) - x2!;
    const dy = y1! + y + distance * Math.sin(tilt) - y2!;
    const step = [x, y, 0, 0, 0, angle, dx, dy, noise(1e-4) - 0.1 * z2!, noise(1e-4), noise(1e-4), angle];
    for (const { frames, candidates, place } of [kept, fresh].map((one) => ({
      frames: one.frames,
      candidates: one.candidates,
      place: () => one.place(one.frames.current),
    }))) {
      frames.step.set(step);
      if (candidates === fresh.candidates) candidates.forget();
      candidates.cover();
      frames.writePaths();
      frames.move(1);
      frames.accept();
      candidates.move(1);
      place();
    }
    expect(listCollisions(kept)).toEqual(listCollisions(fresh));
    found += kept.contacts.count;
  }
  expect(found).toBeGreaterThan(300);
  expect(kept.candidates.builds - builds).toBeLessThan(100);
});
