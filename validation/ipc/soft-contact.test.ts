/**
 * Soft bodies under `ipc` that press each other, themselves and rigid ones hard: drops, a squash to a tenth, a closing horseshoe,
 * grippers. Invariant I0 holds on every accepted state: no edge through a triangle, no tetrahedron inside out.
 */
import type { Body, Scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest, takeCases, takeSamples } from '../../scripts/long-run.ts';
import { advance, body, build, cube, G, sumNormalForces } from './checked-scene.ts';
import { horseshoe, measureSoft, measureStrain, softCube } from './soft-scene.ts';

const NO_WEIGHT = { gravity: [0, 0, 0] as [number, number, number] };

describe('drops', () => {
  longTest('a soft cube falls on another, tilted, and both come to rest on the floor or on each other', () => {
    const damped = { model: 'neoHookean' as const, youngsModulus: 1e5, poissonRatio: 0.4, stiffnessDamping: 2e-3 };
    const simulation = build(
      {
        shapes: [{ kind: 'plane' }],
        softBodies: [
          softCube([0, 0, 0.06], { elasticity: damped }),
          softCube([0.01, 0.02, 0.2], { orientation: [0.95, 0.1, 0.2, 0.1], elasticity: damped }),
        ],
      },
      0.01,
    );
    advance(simulation, 150);
    // the floor carries both
    const floor = simulation.contactForces().filter(({ shape1 }) => shape1 === 0);
    expect(Math.abs(floor.reduce((sum, contact) => sum + contact.force[2], 0) / (2 * G) - 1)).toBeLessThan(0.02);
  });

  test('a rigid ball, a capsule and a cube on a soft block, which carries them', () => {
    const simulation = build(
      {
        shapes: [{ kind: 'plane' }],
        bodies: [
          body('ball', [-0.06, -0.05, 0.15], { kind: 'sphere', radius: 0.03 }),
          body(
            'capsule',
            [0.05, 0.05, 0.15],
            { kind: 'capsule', radius: 0.02, halfLength: 0.03 },
            { orientation: [0.7, 0, 0.7, 0] },
          ),
          body('cube', [0.05, -0.05, 0.14], cube(0.025)),
        ],
        softBodies: [softCube([0, 0, 0.051], { mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.05], cells: [4, 4, 2] } })],
      },
      0.01,
    );
    advance(simulation, takeSamples(120, 0.6));
    for (let b = 1; b <= 3; b++) {
      expect(simulation.bodyPosition[3 * b + 2]).toBeGreaterThan(0.1);
      expect(simulation.bodyPosition[3 * b + 2]).toBeLessThan(0.14);
    }
  });
});

describe('squash', () => {
  for (const model of ['corotated', 'neoHookean', 'saintVenantKirchhoff'] as const) {
    (model === 'neoHookean' ? test : longTest)(
      `a cube pressed to a tenth of its height and let go recovers its shape: ${model}`,
      () => {
        const plate = { kind: 'box' as const, halfSize: [0.3, 0.3, 0.02] as [number, number, number], friction: 0 };
        const simulation = build(
          {
            options: NO_WEIGHT,
            shapes: [{ ...plate, position: [0, 0, -0.072] }],
            bodies: [{ name: 'press', mocap: true, position: [0, 0, 0.072], shapes: [plate] }],
            softBodies: [softCube([0, 0, 0], { elasticity: { model, youngsModulus: 1e5, poissonRatio: 0.4 } })],
          },
          0.01,
        );
        let least = Infinity;
        for (let n = 1; n <= 180; n++) {
          const depth = n <= 50 ? (0.094 * n) / 50 : Math.max(0, 0.094 - (0.094 * (n - 50)) / 30);
          simulation.setMocapPose('press', [0, 0, 0.072 - depth]);
          advance(simulation, 1);
          const { low, high } = measureSoft(simulation, 0, 2);
          least = Math.min(least, high - low);
        }
        expect(least).toBeLessThan(0.01);
        expect(measureStrain(simulation, 0)).toBeLessThan(1e-3);
      },
    );
  }
});

describe('a body and itself', () => {
  // two plates close a horseshoe; its ends meet, or pass through each other where they may
  function close(selfContact: boolean): { through: boolean; touches: number } {
    const plate = (name: string, y: number): Body => ({
      name,
      mocap: true,
      position: [0, y, 0],
      shapes: [{ kind: 'box', halfSize: [0.2, 0.01, 0.1], friction: 0 }],
    });
    const simulation = build(
      {
        options: NO_WEIGHT,
        bodies: [plate('a', 0.142), plate('b', -0.142)],
        softBodies: [horseshoe(24, 0.35, { selfContact })],
      },
      0.01,
    );
    let touches = 0;
    const steps = takeSamples(60, 0.5);
    for (let n = 1; n <= steps; n++) {
      const depth = (0.035 * n) / steps;
      simulation.setMocapPose('a', [0, 0.142 - depth, 0]);
      simulation.setMocapPose('b', [0, -0.142 + depth, 0]);
      advance(simulation, 1);
      touches = Math.max(touches, simulation.contactForces().filter(({ shape1, shape2 }) => shape1 === shape2).length);
    }
    // the end that began above is still above
    const x = simulation.softPosition(0);
    return { through: x[1]! < x[3 * 96 + 1]!, touches };
  }

  test('touches where it may, and nothing passes through', () => {
    const { through, touches } = close(true);
    expect(touches).toBeGreaterThan(3);
    expect(through).toBe(false);
  });

  test('passes through itself where self contact is not asked for', () => {
    const { through, touches } = close(false);
    expect(touches).toBe(0);
    expect(through).toBe(true);
  });
});

describe('grippers', () => {
  const LIFT = 0.05;

  const ball = { kind: 'sphere' as const, radius: 0.05, resolution: 0.03 };
  const cases = { ball: softCube([0, 0, 0.051], { mesh: ball }), cube: softCube([0, 0, 0.051]) };

  const seconds = takeSamples(20, 0.25) / 10;

  test.each(takeCases(Object.entries(cases), 2, 1))(
    `two mocap fingers lift a soft %s by 5 cm and hold it for ${seconds} s: it slips less than 0.5 mm a second`,
    (_, soft) => {
      const finger = (name: string, x: number): Body => ({
        name,
        mocap: true,
        position: [x, 0, 0.05],
        shapes: [{ kind: 'box', halfSize: [0.01, 0.03, 0.04], friction: 1 }],
      });
      const simulation = build(
        {
          shapes: [{ kind: 'plane', friction: 0.5 }],
          bodies: [finger('left', -0.065), finger('right', 0.065)],
          softBodies: [soft],
        },
        0.01,
      );
      const start = measureSoft(simulation, 0, 2).mean;
      let lifted = 0;
      for (let n = 1; n <= 120 + 100 * seconds; n++) {
        const close = 0.065 - Math.min(0.012, (0.012 * n) / 50);
        const up = 0.05 + LIFT * Math.max(0, Math.min(1, (n - 60) / 60));
        simulation.setMocapPose('left', [-close, 0, up]);
        simulation.setMocapPose('right', [close, 0, up]);
        advance(simulation, 1);
        if (n === 120) lifted = measureSoft(simulation, 0, 2).mean;
      }
      // it hangs a little lower between the fingers than it stood
      expect(Math.abs(lifted - start - LIFT)).toBeLessThan(0.005);
      expect(Math.abs(measureSoft(simulation, 0, 2).mean - lifted)).toBeLessThan(5e-4 * seconds);
    },
  );

  longTest('a robot hand with joints, limits and servos does the same', () => {
    const finger = (name: string, x: number, sign: number): Body => ({
      name,
      position: [x, 0, -0.1],
      joints: [{ kind: 'slide', name: `${name}-slide`, axis: [sign, 0, 0], damping: 20, limit: { range: [0, 0.05] } }],
      shapes: [{ kind: 'box', halfSize: [0.01, 0.03, 0.04], friction: 1 }],
    });
    const servo = (joint: string, stiffness: number) => ({
      kind: 'position' as const,
      name: joint,
      transmission: { kind: 'joint' as const, joint },
      stiffness,
    });
    const scene: Partial<Scene> = {
      shapes: [{ kind: 'plane', friction: 0.5 }],
      bodies: [
        {
          name: 'hand',
          position: [0, 0, 0.15],
          inertia: { kind: 'principal', mass: 0.5, moments: [1e-3, 1e-3, 1e-3] },
          joints: [{ kind: 'slide', name: 'lift', axis: [0, 0, 1], damping: 60 }],
          bodies: [finger('left', -0.08, 1), finger('right', 0.08, -1)],
        },
      ],
      actuators: [servo('left-slide', 500), servo('right-slide', 500), servo('lift', 2000)],
      softBodies: [softCube([0, 0, 0.051])],
    };
    const simulation = build(scene, 0.01);
    const start = measureSoft(simulation, 0, 2).mean;
    let lifted = 0;
    for (let n = 1; n <= 400; n++) {
      const close = Math.min(0.04, (0.04 * n) / 60);
      simulation.setControl('left-slide', close);
      simulation.setControl('right-slide', close);
      simulation.setControl('lift', n < 100 ? 0 : Math.min(0.06, (0.06 * (n - 100)) / 80));
      advance(simulation, 1);
      if (n === 200) lifted = measureSoft(simulation, 0, 2).mean;
    }
    expect(lifted - start).toBeGreaterThan(LIFT);
    expect(Math.abs(measureSoft(simulation, 0, 2).mean - lifted)).toBeLessThan(0.001);
    // both fingers press alike, and friction carries the weight
    const forces = simulation.contactForces();
    expect(forces.length).toBeGreaterThan(0);
    expect(sumNormalForces(simulation)).toBeGreaterThan(G);
  });
});
