/**
 * Soft bodies under `ipc` with numbers that are known: free fall, momentum, weight, sliding, what is held, driven and attached.
 * Invariant I0 holds on every accepted state: no edge through a triangle, no tetrahedron inside out, by exact arithmetic.
 */
import { NexdynError, type Simulation, type Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun, longTest, takeCases, takeSamples } from '../../scripts/long-run.ts';
import { advance, body, build, cube, G, sumNormalForces } from './checked-scene.ts';
import { measureSoft, measureStrain, softCube } from './soft-scene.ts';

/** Backward Euler. */
const EULER = { integrator: 'semiImplicit' as const };
const NO_WEIGHT = { gravity: [0, 0, 0] as [number, number, number] };

describe('flight and impact', () => {
  for (const model of ['linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff'] as const) {
    test(`free fall is the sum of backward Euler to 1e-12: ${model}`, () => {
      const elasticity = { model, youngsModulus: 1e5, poissonRatio: 0.4 };
      const simulation = build({ options: EULER, softBodies: [softCube([0, 0, 5], { elasticity })] }, 0.01);
      const start = simulation.state.softPosition.slice();
      let worst = 0;
      for (let n = 1; n <= takeSamples(50, 0.5); n++) {
        simulation.step();
        const fall = (G * 1e-4 * n * (n + 1)) / 2;
        simulation.state.softPosition.forEach((x, i) => {
          worst = Math.max(worst, Math.abs(x - start[i]! + (i % 3 === 2 ? fall : 0)));
        });
      }
      expect(worst).toBeLessThan(1e-12);
    });
  }

  longTest('a rigid cube bounces off a soft ball: momentum is kept, nothing overlaps', () => {
    const simulation = build(
      {
        options: NO_WEIGHT,
        bodies: [body('cube', [-0.2, 0, 0], cube(0.05))],
        softBodies: [
          {
            mesh: { kind: 'sphere', radius: 0.1, resolution: isLongRun ? 0.04 : 0.06 },
            elasticity: { youngsModulus: 1e5, poissonRatio: 0.45, density: 1000 },
          },
        ],
      },
      0.001,
    );
    simulation.state.velocity[0] = 4;
    const before = simulation.momentum().linear[0];
    advance(simulation, 150, () => {
      // far below the 1e-3 that Newton's tolerance promises: contacts act on both sides alike
      expect(Math.abs(simulation.momentum().linear[0] / before - 1)).toBeLessThan(1e-9);
    });
    const cubeSpeed = simulation.state.velocity[0]!;
    const ballMass = 1000 * (4 / 3) * Math.PI * 1e-3;
    expect(cubeSpeed).toBeLessThan(-0.5);
    expect((before - cubeSpeed) / ballMass).toBeGreaterThan(0.5);
  });

  test('a box on eight springs with critical damping moves as the formula says', () => {
    const [k, v0, h] = [10, 0.2, 0.001];
    const omega = Math.sqrt(8 * k);
    const springs = [{ vertices: [0, 1, 2, 3, 4, 5, 6, 7], stiffness: k, damping: (2 * omega) / 8 }];
    const mesh = { kind: 'box' as const, halfSize: [0.05, 0.05, 0.05] as Vec3, cells: [1, 1, 1] as Vec3 };
    const simulation = build(
      { options: NO_WEIGHT, softBodies: [softCube([0, 0, 0], { mesh, springs, velocity: [v0, 0, 0] })] },
      h,
      { tolerance: 1e-7 },
    );
    let worst = 0;
    for (let n = 1; n <= takeSamples(1000, 0.5); n++) {
      simulation.step();
      const t = n * h;
      worst = Math.max(worst, Math.abs(simulation.centerOfMass()[0] - v0 * t * Math.exp(-omega * t)));
    }
    // of backward Euler: first order in h ω, 0.9 %, of the largest displacement v₀/(e ω)
    expect(worst).toBeLessThan((h * omega * v0) / (Math.E * omega));
  });

  test('a soft cube at 50 m/s does not pass a sheet of 2 mm, in steps of half a metre', () => {
    const sheet = { kind: 'box' as const, halfSize: [0.001, 0.4, 0.4] as [number, number, number] };
    const simulation = build(
      {
        options: NO_WEIGHT,
        shapes: [{ ...sheet, position: [0.3, 0, 0] }],
        softBodies: [softCube([0, 0, 0], { velocity: [50, 0, 0] })],
      },
      0.01,
    );
    advance(simulation, 30);
    expect(simulation.momentum().linear[0]).toBeLessThan(0);
    expect(measureSoft(simulation, 0, 0).high).toBeLessThan(0.299);
  });
});

describe('rest and friction', () => {
  test('a soft cube that starts on the floor rests on it with its weight', () => {
    const simulation = build({ shapes: [{ kind: 'plane' }], softBodies: [softCube([0, 0, 0.05])] }, 0.01);
    advance(simulation, 100);
    expect(Math.abs(sumNormalForces(simulation) / G - 1)).toBeLessThan(1e-4);
    const { low, high } = measureSoft(simulation, 0, 2);
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(0.001);
    // the height shrinks by about ρ g H²/(2E), and no more than ρ g H²/E
    const sag = (1000 * G * 0.01) / 1e5;
    expect(high - low).toBeLessThan(0.1 - 0.3 * sag);
    expect(high - low).toBeGreaterThan(0.1 - sag);
  });

  test('forces on a soft body name its vertices with weights, and area times pressure is the force', () => {
    const simulation = build({ shapes: [{ kind: 'plane' }], softBodies: [softCube([0, 0, 0.05])] }, 0.01);
    advance(simulation, 20);
    const { count, vertex2, weight2, area, pressure, force, carrierKind2, shape2 } = simulation.solvedContacts;
    expect(count).toBe(16);
    for (let i = 0; i < count; i++) {
      expect(carrierKind2[i]).toBe(2);
      expect(shape2[i]).toBe(simulation.model.size.shape);
      expect(vertex2[4 * i]).toBeGreaterThanOrEqual(0);
      expect(weight2.subarray(4 * i, 4 * i + 4).reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
      expect(area[i]! * pressure[i]!).toBeCloseTo(force[6 * i]!, 9);
    }
  });

  test('a floor that moves takes a soft cube along', () => {
    const simulation = build(
      {
        bodies: [{ name: 'floor', mocap: true, shapes: [{ kind: 'plane', friction: 0.5 }] }],
        softBodies: [softCube([0, 0, 0.0509])],
      },
      0.01,
    );
    const sideways = (): number =>
      simulation.contactForces().reduce((sum, contact) => sum + (contact.shape1 === 0 ? 1 : -1) * contact.force[0], 0);
    for (let n = 1; n <= 60; n++) {
      // faster by 1 m/s²: a fifth of what friction can do
      simulation.setMocapPose('floor', [0.5 * (0.01 * n) ** 2, 0, 0]);
      advance(simulation, 1);
      if (n > 40) expect(Math.abs(sideways() - 1)).toBeLessThan(0.1);
    }
    expect(Math.abs(measureSoft(simulation, 0, 0).mean - 0.18)).toBeLessThan(0.005);
  });

  test('cubes of several coefficients slide as far as they should, in their order', () => {
    const coefficients = takeCases([0, 0.05, 0.1, 0.15, 0.2], 2);
    const simulation = build(
      {
        options: { gravity: [5, 0, -10] },
        materials: coefficients.map((friction, n) => ({ name: `m${n}`, friction })),
        shapes: [{ kind: 'plane', friction: 0 }],
        softBodies: coefficients.map((_, n) =>
          softCube([0, 0.3 * n, 0.05087], {
            material: `m${n}`,
            mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
          }),
        ),
      },
      0.01,
    );
    advance(simulation, 100);
    const travel = coefficients.map((_, n) => measureSoft(simulation, n, 0).mean);
    coefficients.forEach((mu, n) => {
      const expected = ((5 - 10 * mu) * 1e-4 * 100 * 101) / 2;
      // the first steps settle: some friction is lacking in them
      expect(Math.abs(travel[n]! / expected - 1)).toBeLessThan(mu === 0 ? 1e-6 : 0.01);
      if (n > 0) expect(travel[n - 1]! - travel[n]!).toBeGreaterThan(0.2);
    });
  });
});

/** Vertices of a soft body whose coordinate at rest is within a micrometre of a value. */
function listAt(simulation: Simulation, axis: number, value: number): number[] {
  const { rest } = simulation.model.soft;
  return Array.from({ length: rest.length / 3 }, (_, v) => v).filter(
    (v) => Math.abs(rest[3 * v + axis]! - value) < 1e-6,
  );
}

describe('held, driven and attached vertices', () => {
  const hanging = build({ softBodies: [softCube([0, 0, 1])] }, 0.01);
  const top = listAt(hanging, 2, 1.05);
  const bottom = listAt(hanging, 2, 0.95);

  test('pinned vertices stay where they are, until they are let go', () => {
    const simulation = build({ options: EULER, softBodies: [softCube([0, 0, 1], { pinned: top })] }, 0.01);
    advance(simulation, 40);
    for (const v of top) expect(simulation.softPosition(0)[3 * v + 2]).toBeCloseTo(1.05, 12);
    expect(measureSoft(simulation, 0, 2).low).toBeLessThan(0.95);
    expect(measureSoft(simulation, 0, 2).low).toBeGreaterThan(0.94);
    simulation.releaseVertices(0, top);
    const start = measureSoft(simulation, 0, 2).mean;
    advance(simulation, 20);
    const fallen = start - measureSoft(simulation, 0, 2).mean;
    expect(Math.abs(fallen / ((G * 1e-4 * 20 * 21) / 2) - 1)).toBeLessThan(0.05);
  });

  test('driven vertices follow their path and take the body along', () => {
    const path = { vertices: top, times: [0, 0.5], displacements: [0, 0, 0, 0.2, 0, 0.1] };
    const simulation = build({ softBodies: [softCube([0, 0, 1], { driven: [path] })] }, 0.01);
    advance(simulation, 60, (n) => {
      const share = Math.min(1, n / 50);
      for (const v of top) expect(simulation.softPosition(0)[3 * v + 2]).toBeCloseTo(1.05 + 0.1 * share, 9);
    });
    expect(measureSoft(simulation, 0, 0).mean).toBeGreaterThan(0.18);
  });

  test('vertices driven into the floor stop over it, and the step says that they were not reached', () => {
    const path = { vertices: bottom, times: [0, 0.2], displacements: [0, 0, 0, 0, 0, -0.1] };
    const scene = { shapes: [{ kind: 'plane' as const, position: [0, 0, 0.9] as [number, number, number] }] };
    const simulation = build({ ...scene, softBodies: [softCube([0, 0, 1], { driven: [path] })] }, 0.01);
    const statuses: string[] = [];
    for (let n = 0; n < 14; n++) statuses.push(simulation.step().status);
    expect(measureSoft(simulation, 0, 2).low).toBeGreaterThan(0.9);
    expect(measureSoft(simulation, 0, 2).low).toBeLessThan(0.901);
    expect(statuses.slice(0, 9).every((status) => status === 'converged')).toBe(true);
    expect(statuses.at(-1)).toBe('stalled');
    // not stuck to the floor: they go up again at once
    expect(simulation.report.minimumDistance).toBeGreaterThan(1e-5);
  });

  test('a soft cube attached under a rigid one falls with it, swings and never leaves it', () => {
    const simulation = build(
      {
        shapes: [{ kind: 'plane' }],
        bodies: [body('b', [0, 0, 1.1], cube(0.05))],
        softBodies: [softCube([0, 0, 1], { attachments: [{ body: 'b', vertices: top }] })],
      },
      0.01,
    );
    simulation.state.velocity.set([0.3, 0, 0, 2, 3, 1]);
    // the vertices are at the lower face of the cube all the way; it lands after 0.45 s
    let worst = 0;
    advance(simulation, takeSamples(80, 0.7), () => {
      const [x, y, z] = simulation.bodyPosition.subarray(3, 6);
      for (const v of top) {
        const p = simulation.softPosition(0).subarray(3 * v, 3 * v + 3);
        const r = simulation.model.soft.rest.subarray(3 * v, 3 * v + 3);
        const now = Math.hypot(p[0]! - x!, p[1]! - y!, p[2]! - z!);
        worst = Math.max(worst, Math.abs(now - Math.hypot(r[0]!, r[1]!, r[2]! - 1.1)));
      }
    });
    expect(worst).toBeLessThan(5e-10);
  });

  test('in flight a body with a soft part keeps linear momentum exactly and falls with g', () => {
    const simulation = build(
      {
        bodies: [body('b', [0, 0, 1.1], cube(0.05))],
        softBodies: [softCube([0, 0, 1], { attachments: [{ body: 'b', vertices: top }] })],
      },
      0.01,
      { tolerance: 1e-8 },
    );
    simulation.state.velocity.set([0.3, 0, 0, 2, 3, 1]);
    const before = simulation.momentum().linear;
    const steps = takeSamples(50, 0.5);
    advance(simulation, steps);
    const after = simulation.momentum().linear;
    const mass = 2;
    expect(after[0]).toBeCloseTo(before[0], 7);
    expect(after[1]).toBeCloseTo(before[1], 7);
    expect(after[2]).toBeCloseTo(before[2] - mass * G * 0.01 * steps, 7);
  });
});

describe('starts that are refused', () => {
  const options = { start: 'refuse' } as const;

  function read(act: () => void): NexdynError {
    try {
      act();
    } catch (error) {
      if (error instanceof NexdynError) return error;
    }
    throw new Error('nothing was refused');
  }

  test('a soft body in the floor is named with its depth', () => {
    const simulation = build(
      { options, shapes: [{ kind: 'plane' }], softBodies: [softCube([0, 0, 0.04], { name: 'jelly' })] },
      0.01,
    );
    const { message } = read(() => simulation.step());
    expect(message).toContain('"jelly"');
    expect(message).toContain('10 mm');
  });

  test('two soft bodies in each other, and one inside another', () => {
    const pair = build({ options, softBodies: [softCube([0, 0, 0]), softCube([0.07, 0.01, 0.02])] }, 0.01);
    expect(read(() => pair.step()).message).toContain('soft body 0 and soft body 1 intersect');
    const small = {
      kind: 'box' as const,
      halfSize: [0.01, 0.01, 0.01] as [number, number, number],
      cells: [1, 1, 1] as [number, number, number],
    };
    const nested = build({ options, softBodies: [softCube([0, 0, 0]), softCube([0, 0, 0], { mesh: small })] }, 0.01);
    expect(read(() => nested.step()).message).toContain('intersect');
  });

  test('a mesh too fine for the barrier, where it is to touch itself', () => {
    const mesh = { kind: 'box' as const, halfSize: [0.01, 0.01, 0.0004] as Vec3, cells: [4, 4, 1] as Vec3 };
    const thin = build({ softBodies: [softCube([0, 0, 1], { mesh, selfContact: true, name: 'foil' })] }, 0.01);
    const { message, path } = read(() => thin.step());
    expect(message).toContain('"foil"');
    expect(message).toContain('0.0008 m apart at rest');
    expect(path).toBe('options.ipc.barrierDistance');
    build({ softBodies: [softCube([0, 0, 1], { mesh })] }, 0.01).step();
    build({ softBodies: [softCube([0, 0, 1], { mesh, selfContact: true })] }, 0.01, { barrierDistance: 5e-4 }).step();
  });

  test('a tetrahedron that is inside out', () => {
    const simulation = build({ softBodies: [softCube([0, 0, 1], { name: 'jelly' })] }, 0.01);
    simulation.softPosition(0)[2]! += 0.1;
    expect(read(() => simulation.step()).message).toMatch(/tetrahedron \d+ of "jelly" has no positive volume/);
  });

  test('a shape far from rest is taken as it is where nothing is inside out', () => {
    const simulation = build({ options: NO_WEIGHT, softBodies: [softCube([0, 0, 0])] }, 0.01);
    const x = simulation.softPosition(0);
    for (let i = 2; i < x.length; i += 3) x[i]! *= 0.3;
    const before = measureStrain(simulation, 0);
    advance(simulation, 200);
    expect(measureStrain(simulation, 0)).toBeLessThan(0.1 * before);
  });
});
