/** Soft bodies that touch by pressure under `sap`: with floors, rigid bodies, each other and themselves. */
import { compileModel, NexdynError, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest, takeSamples } from '../../scripts/long-run.ts';

const G = 9.81;

function simulate(softBodies: SoftBody[], scene: Partial<Scene> = {}, h = 0.005): Simulation {
  const { options, ...rest } = scene;
  return new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      shapes: [{ kind: 'plane', name: 'floor' }],
      ...rest,
      options: { formulation: 'sap', timestep: h, ...options },
      softBodies,
    }),
  );
}

function createCube(name: string, position: [number, number, number], more: Partial<SoftBody> = {}): SoftBody {
  return {
    name,
    position,
    mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
    elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, stiffnessDamping: 0.01 },
    ...more,
  };
}

function boundsOf(simulation: Simulation, name: string): { low: number[]; high: number[]; fastest: number } {
  const x = simulation.softPosition(name);
  const v = simulation.softVelocity(name);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    low[i % 3] = Math.min(low[i % 3], x[i]);
    high[i % 3] = Math.max(high[i % 3], x[i]);
  }
  return { low, high, fastest: v.reduce((most, speed) => Math.max(most, Math.abs(speed)), 0) };
}

/** Contact force on a body, N. */
function forceOn(simulation: Simulation, body: string): number[] {
  const sum = [0, 0, 0];
  for (const { force, bodyName1, bodyName2 } of simulation.contactForces()) {
    const sign = bodyName2 === body ? 1 : bodyName1 === body ? -1 : 0;
    for (let k = 0; k < 3; k++) sum[k] += sign * force[k];
  }
  return sum;
}

/** Turns the face of the octahedron that looks along (−1, −1, −1) towards a slope about y. */
function turnFaceDown(slope: number): [number, number, number, number] {
  const a = [-1, -1, -1].map((x) => x / Math.sqrt(3));
  const b = [-Math.sin(slope), 0, -Math.cos(slope)];
  const w = 1 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [x, y, z] = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

test('an octahedron of seven vertices comes to rest on a slope of 15°', () => {
  const r = 0.1;
  const slope = Math.PI / 12;
  const simulation = simulate(
    [
      {
        name: 'octahedron',
        position: [0, 0, 0.7],
        orientation: turnFaceDown(slope),
        mesh: {
          kind: 'tetrahedra',
          vertices: [0, 0, 0, r, 0, 0, 0, r, 0, -r, 0, 0, 0, -r, 0, 0, 0, r, 0, 0, -r],
          tetrahedra: [1, 2, 3, 4].flatMap((a, i) => {
            const b = [2, 3, 4, 1][i];
            return [0, a, b, 5, 0, b, a, 6];
          }),
        },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, stiffnessDamping: 0.01 },
        material: 'rough',
      },
    ],
    {
      // slip in stiction is proportional to the regularisation of friction
      options: { sap: { relativeTolerance: 1e-9, frictionRegularization: 1e-4 } },
      materials: [{ name: 'rough', friction: 0.4, dissipation: 0.02 }],
      shapes: [{ kind: 'plane', orientation: [Math.cos(slope / 2), 0, Math.sin(slope / 2), 0], material: 'rough' }],
    },
    2.5e-3,
  );
  simulation.step(takeSamples(2000, 0.7) - 1);
  const before = simulation.softVelocity('octahedron').slice();
  simulation.step();
  const { fastest } = boundsOf(simulation, 'octahedron');
  expect(fastest).toBeLessThan(2e-5);
  const change = simulation.softVelocity('octahedron').map((v, i) => (v - before[i]) / 2.5e-3);
  expect(change.reduce((most, a) => Math.max(most, Math.abs(a)), 0)).toBeLessThan(2e-6);
  const weight = ((1000 * 4) / 3) * r ** 3 * G;
  const [fx, fy, fz] = forceOn(simulation, 'octahedron');
  expect(Math.abs(fz - weight)).toBeLessThan(1e-5);
  expect(Math.hypot(fx, fy)).toBeLessThan(1e-5);
});

describe('a soft cube of 1 kg', () => {
  longTest('rests on a rigid box with or without pressure, on a soft cube, and carries a rigid ball', () => {
    const weight = 1000 * 1e-3 * G;
    for (const contact of ['point', 'hydroelastic'] as const) {
      const simulation = simulate([createCube('cube', [0, 0, 0.151])], {
        shapes: [{ kind: 'box', halfSize: [0.2, 0.2, 0.05], position: [0, 0, 0.05], contact }],
      });
      simulation.step(150);
      // friction of sap creeps under what the sides of the cube push outwards; nothing rattles
      expect(boundsOf(simulation, 'cube').fastest).toBeLessThan(3e-4);
      expect(Math.abs(forceOn(simulation, 'cube')[2] - weight)).toBeLessThan(1e-3 * weight);
      const [patch] = simulation.contactPatches();
      expect(patch.bodyName2).toBe('cube');
      expect(Math.abs(patch.force[2] - weight)).toBeLessThan(1e-3 * weight);
      // the whole of its lower face, but for the rim
      expect(patch.area).toBeGreaterThan(0.9e-2);
      expect(patch.area).toBeLessThan(1.05e-2);
    }
    const stack = simulate([createCube('lower', [0, 0, 0.0501]), createCube('upper', [0.01, 0.01, 0.1505])], {
      bodies: [
        {
          name: 'ball',
          position: [0.01, 0.01, 0.235],
          joints: [{ kind: 'slide', axis: [0, 0, 1] }],
          shapes: [{ kind: 'sphere', radius: 0.03, mass: 0.2 }],
        },
      ],
    });
    stack.step(200);
    expect(boundsOf(stack, 'upper').fastest).toBeLessThan(1e-3);
    expect(Math.abs(forceOn(stack, 'upper')[2] - weight)).toBeLessThan(5e-3 * weight);
    expect(Math.abs(forceOn(stack, 'lower')[2] - weight)).toBeLessThan(5e-3 * weight);
    expect(Math.abs(forceOn(stack, 'ball')[2] - 0.2 * G)).toBeLessThan(5e-3 * weight);
    expect(boundsOf(stack, 'upper').low[2]).toBeGreaterThan(0.08);
  });

  test('momentum goes from one to the other when two collide', () => {
    const simulation = simulate(
      [createCube('left', [0, 0, 0], { velocity: [1, 0, 0] }), createCube('right', [0.13, 0.01, 0.02])],
      { shapes: [], options: { gravity: [0, 0, 0] } },
      0.001,
    );
    const total = (): number[] => simulation.momentum().linear;
    const before = [...total()];
    for (let n = 0; n < takeSamples(120, 0.75); n++) {
      simulation.step();
      const now = total();
      for (let k = 0; k < 3; k++) expect(Math.abs(now[k] - before[k])).toBeLessThan(1e-5);
    }
    const speeds = ['left', 'right'].map((name) => {
      const v = simulation.softVelocity(name);
      return v.filter((_, i) => i % 3 === 0).reduce((sum, x) => sum + x, 0) / (v.length / 3);
    });
    expect(speeds[1]).toBeGreaterThan(0.3);
    expect(speeds[1]).toBeGreaterThan(speeds[0]);
  });
});

longTest('two prongs of one body pressed together touch each other where it touches itself', () => {
  // a fork: two prongs on a common root, made of cells of 2 cm
  const run = (selfContact: boolean): number => {
    const simulation = simulate([createFork(selfContact)], { shapes: [], options: { gravity: [0, 0, 0] } });
    const body = simulation.softPosition('fork');
    const upper: number[] = [];
    const lower: number[] = [];
    for (let v = 0; v < body.length / 3; v++) {
      if (body[3 * v] < 0.21) continue;
      (body[3 * v + 2] > 0 ? upper : lower).push(v);
    }
    for (const v of upper) simulation.applySoftForce('fork', v, [0, 0, -2 / upper.length]);
    for (const v of lower) simulation.applySoftForce('fork', v, [0, 0, 2 / lower.length]);
    simulation.step(120);
    // distance of the inner sides of the prongs at their ends
    const x = simulation.softPosition('fork');
    const heights = (list: number[]): number[] => list.map((v) => x[3 * v + 2]);
    return Math.min(...heights(upper)) - Math.max(...heights(lower));
  };
  expect(run(false)).toBeLessThan(-0.02);
  expect(run(true)).toBeGreaterThan(-2e-3);
});

function createFork(selfContact: boolean): SoftBody {
  const cell = 0.02;
  const vertices: number[] = [];
  const tetrahedra: number[] = [];
  const known = new Map<string, number>();
  const at = (i: number, j: number, k: number): number => {
    const key = `${i} ${j} ${k}`;
    const number = known.get(key) ?? vertices.length / 3;
    if (!known.has(key)) {
      known.set(key, number);
      vertices.push(cell * i, cell * (j - 1), cell * (k - 2.5));
    }
    return number;
  };
  const split = [0, 3, 6, 5, 1, 0, 5, 3, 2, 3, 6, 0, 4, 5, 0, 6, 7, 6, 3, 5];
  for (let i = 0; i < 12; i++) {
    for (let j = 0; j < 2; j++) {
      for (let k = 0; k < 5; k++) {
        // a slit of one cell between the prongs
        if (k === 2 && i >= 2) continue;
        const isOdd = (i + j + k) % 2;
        for (let t = 0; t < 20; t += 4) {
          const corners = [0, 1, 2, 3].map((c) => {
            const octant = split[t + c] ^ isOdd;
            return at(i + (octant & 1), j + ((octant >> 1) & 1), k + (octant >> 2));
          });
          if (isOdd === 1) corners.push(...corners.splice(2, 2).reverse());
          tetrahedra.push(...corners);
        }
      }
    }
  }
  const pinned = Array.from(known.values()).filter((v) => vertices[3 * v] === 0);
  return {
    name: 'fork',
    mesh: { kind: 'tetrahedra', vertices, tetrahedra },
    elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, stiffnessDamping: 0.05 },
    pinned,
    selfContact,
  };
}

describe('ways to touch', () => {
  test('a mesh without vertex in its interior touches by points, and has no pressure field where it is asked for', () => {
    const { contact: _, ...cube } = createCube('cube', [0, 0, 0.0499], {
      mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [1, 1, 1] },
    });
    const byPoints = simulate([cube]);
    byPoints.step(100);
    // it lies on the floor
    expect(boundsOf(byPoints, 'cube').low[2]).toBeGreaterThan(-0.002);
    try {
      simulate([{ ...cube, contact: 'hydroelastic' }]);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(NexdynError);
      expect(error).toMatchObject({ code: 'invalid-mesh', path: 'softBodies[0].mesh' });
    }
    expect(() => simulate([{ ...cube, contact: 'none' }])).not.toThrow();
  });

  test('kinds of pairs: no contact with floors lets it fall through; pressure acts where the scene asks for it', () => {
    const fallen = simulate([createCube('cube', [0, 0, 0.0505])], { options: { contactKinds: { softFloor: 'none' } } });
    fallen.step(50);
    expect(boundsOf(fallen, 'cube').high[2]).toBeLessThan(0.1 - 0.2);
    const asked = simulate([createCube('cube', [0, 0, 0.0505], { contact: 'point' })], {
      options: { contactKinds: { softFloor: 'hydroelastic' } },
    });
    asked.step(100);
    expect(Math.abs(boundsOf(asked, 'cube').low[2])).toBeLessThan(1e-3);
    expect(asked.contactPatches()).toHaveLength(1);
  });

  test('vertices attached to a rigid body do not press on it', () => {
    const simulation = simulate(
      [
        createCube('cube', [0, 0, 0.5], {
          attachments: [{ body: 'holder', vertices: Array.from({ length: 9 }, (_, v) => 18 + v) }],
        }),
      ],
      {
        bodies: [
          {
            name: 'holder',
            position: [0, 0, 0.59],
            shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.045] }],
          },
        ],
      },
    );
    simulation.step(5);
    expect(simulation.contactForces().filter(({ normalForce }) => normalForce > 0)).toEqual([]);
    expect(simulation.contactPatches()).toEqual([]);
  });
});
