/** Friction takes energy out of tumbling bodies in every step, however many passes it has; a ball rolls on at any speed. */
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../../../../scripts/long-run.ts';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Shape } from '../../scene/shape.ts';
import { Simulation } from '../../simulation.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { IntersectionCheck } from '../../testing/world-surfaces.ts';
import './provide.ts';

const H = 0.01;
const SCENES = takeSamples(10, 0.2);

function build(bodies: Body[], frictionPasses: number): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane', friction: 0.9 }],
    bodies,
    options: { timestep: H, ipc: { frictionPasses, iterations: 1000 } },
  };
  return new Simulation(compileModel(scene, { formulation: 'ipc' }));
}

/** A few small bodies over the ground, thrown with spins of up to 60 rad/s about every axis. */
function createTumble(seed: number, frictionPasses: number): Simulation {
  const random = createRandom(seed);
  const any = (size: number): number => 2 * size * (random() - 0.5);
  const bodies: Body[] = [];
  for (let i = 0; i < 4; i++) {
    const q = [any(1), any(1), any(1), any(1)];
    const length = Math.hypot(...q);
    const [w, x, y, z] = q.map((value) => value / length) as [number, number, number, number];
    const half = (): number => 0.01 + 0.01 * random();
    const shapes: Shape[] = [
      { kind: 'box', halfSize: [half(), half(), half()] },
      { kind: 'box', halfSize: [half(), half(), half()] },
      { kind: 'capsule', radius: 0.008, halfLength: 0.015 },
      { kind: 'sphere', radius: 0.015 },
    ];
    bodies.push({
      name: `body ${i}`,
      position: [any(0.05), any(0.05), 0.06 + 0.07 * i],
      orientation: [w, x, y, z],
      joints: [{ kind: 'free' }],
      shapes: [{ ...shapes[i]!, friction: 0.3 + 0.7 * random() }],
    });
  }
  const simulation = build(bodies, frictionPasses);
  const { velocity } = simulation.state;
  for (let i = 0; i < velocity.length; i++) velocity[i] = i % 6 < 3 ? any(1) : any(60);
  return simulation;
}

describe('friction of bodies that tumble', () => {
  for (const passes of takeCases([1, 3, -1], 2)) {
    test(`takes energy out in every step of ${SCENES} scenes, ${passes} passes`, () => {
      for (let seed = 1; seed <= SCENES; seed++) {
        const simulation = createTumble(seed, passes);
        const check = new IntersectionCheck(simulation);
        let sum = 0;
        for (let n = 0; n < 80; n++) {
          const { frictionWork, minimumDistance } = simulation.step();
          // to round-off of forces of newtons over centimetres
          expect(frictionWork).toBeLessThan(1e-15);
          expect(minimumDistance).toBeGreaterThan(0);
          sum += frictionWork!;
        }
        expect(check.count()).toBe(0);
        expect(sum).toBeLessThan(-1e-4);
      }
    });
  }
});

describe('a ball that rolls', () => {
  // one radian and more in a step: points of its surface are not where their chords would have them
  for (const spin of [100, 250, 500]) {
    for (const passes of takeCases([1, -1], 2)) {
      test(`keeps ${spin} rad/s for 1 s, ${passes} passes`, () => {
        const radius = 0.02;
        const shape: Shape = { kind: 'sphere', radius, friction: 0.8 };
        const simulation = build(
          [{ name: 'ball', position: [0, 0, radius + 5e-4], joints: [{ kind: 'free' }], shapes: [shape] }],
          passes,
        );
        simulation.step(100);
        const { velocity } = simulation.state;
        velocity.set([radius * spin, 0, 0, 0, spin, 0]);
        for (let n = 0; n < 100; n++) expect(simulation.step().status).toBe('converged');
        expect(velocity[0]! / (radius * spin)).toBeCloseTo(1, 10);
        expect(Math.hypot(...velocity.subarray(3, 6)) / spin).toBeCloseTo(1, 10);
      });
    }
  }
});
