/**
 * Soft bodies that touch, under `sap`, by points: rest, momentum, sliding, attachments, the solver's own measure. Numbers follow
 * from closed forms; scenes are those of Drake's and Genesis' own tests of deformable bodies, authored anew.
 */
import { compileModel, type Scene, type SceneOptions, Simulation, type SoftBody, type Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';
import { longTest } from '../../scripts/long-run.ts';

function simulate(scene: Partial<Scene>, options: SceneOptions): Simulation {
  const model = compileModel({
    format: 'nexdyn-scene',
    version: 1,
    ...scene,
    options: { formulation: 'sap', ...options },
  });
  return new Simulation(model);
}

const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Force of all contacts on a soft body, N. */
function contactForceOn(simulation: Simulation, name: string): number[] {
  const forces = simulation.contactForces();
  return [0, 1, 2].map((k) =>
    forces.reduce((sum, { force, shapeName2 }) => sum + (shapeName2 === name ? force[k] : -force[k]), 0),
  );
}

const meanOf = (x: Float64Array, axis: number): number =>
  x.reduce((sum, value, i) => sum + (i % 3 === axis ? value : 0), 0) / (x.length / 3);

/** Seven vertices, eight tetrahedra around the middle one. */
const R = 0.1;
const OCTAHEDRON: SoftBody['mesh'] = {
  kind: 'tetrahedra',
  vertices: [0, 0, 0, R, 0, 0, -R, 0, 0, 0, R, 0, 0, -R, 0, 0, 0, R, 0, 0, -R],
  // biome-ignore format: one tetrahedron per row
  tetrahedra: [
    0, 1, 3, 5,
    0, 3, 2, 5,
    0, 2, 4, 5,
    0, 4, 1, 5,
    0, 3, 1, 6,
    0, 2, 3, 6,
    0, 4, 2, 6,
    0, 1, 4, 6,
  ],
};

/** Drake's scene; ours starts turned, so that it comes to lie on a face and not on an edge, where it would stand and fall. */
longTest('an octahedron on a slope of 15° comes to rest; contacts carry its weight', () => {
  const angle = (15 * Math.PI) / 180;
  const simulation = simulate(
    {
      materials: [{ name: 'rubber', friction: 0.4 }],
      bodies: [
        {
          name: 'slope',
          orientation: [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0],
          shapes: [{ kind: 'plane', material: 'rubber' }],
        },
      ],
      softBodies: [
        {
          name: 'octahedron',
          mesh: OCTAHEDRON,
          position: [0, 0, 0.7],
          orientation: [Math.cos(0.4), Math.sin(0.4) * 0.6, Math.sin(0.4) * 0.8, 0],
          material: 'rubber',
          contact: 'point',
          elasticity: { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, stiffnessDamping: 0.01 },
        },
      ],
    },
    { timestep: 0.0025, sap: { relativeTolerance: 1e-9 } },
  );
  simulation.step(1999);
  const before = simulation.softVelocity('octahedron').slice();
  expect(simulation.step().status).toBe('converged');
  const velocity = simulation.softVelocity('octahedron');
  expect(largest(velocity)).toBeLessThan(2e-5);
  expect(largest(velocity.map((value, i) => (value - before[i]) / 0.0025))).toBeLessThan(2e-6);
  const weight = 1000 * (4 / 3) * R ** 3 * 9.81;
  const force = contactForceOn(simulation, 'octahedron');
  for (let k = 0; k < 3; k++) expect(Math.abs(force[k] - (k === 2 ? weight : 0))).toBeLessThan(1e-5);
  expect(simulation.contactForces().filter(({ mode }) => mode === 'stick').length).toBe(3);
});

test('a rigid box hangs on vertices it is attached to, both at rest; moved, the vertices go with it', () => {
  const simulation = simulate(
    {
      bodies: [
        {
          name: 'box',
          position: [0, 0, -0.1],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'box', halfSize: [0.05, 0.05, 0.05] }],
        },
      ],
      softBodies: [
        {
          name: 'rubber',
          mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
          contact: 'none',
          pinned: [18, 19, 20, 21, 22, 23, 24, 25, 26],
          attachments: [{ vertices: [0, 1, 2, 3, 4, 5, 6, 7, 8], body: 'box' }],
          elasticity: { youngsModulus: 1e5, poissonRatio: 0.4, stiffnessDamping: 0.01 },
        },
      ],
    },
    { timestep: 0.01 },
  );
  simulation.step(200);
  expect(largest(simulation.state.velocity)).toBeLessThan(1e-6);
  expect(largest(simulation.softVelocity('rubber'))).toBeLessThan(1e-6);
  // the box hangs under E A / L, stiffer for the held faces: between the free and the fully held modulus
  const sag = -0.1 - simulation.bodyPosition[5];
  const load = 1 * 9.81 * (1 + 0.5);
  expect(sag).toBeLessThan((load * 0.1) / (1e5 * 0.01));
  expect(sag).toBeGreaterThan((load * 0.1) / (((1e5 * 0.6) / (1.4 * 0.2)) * 0.01));
  // where the vertices are, the box is
  const x = simulation.softPosition('rubber');
  for (let v = 0; v < 9; v++) {
    expect(Math.abs(x[3 * v + 2] - (simulation.bodyPosition[5] + 0.05))).toBeLessThan(1e-6);
    expect(Math.abs(x[3 * v] - simulation.model.soft.rest[3 * v])).toBeLessThan(1e-6);
  }
});

test('vertices attached to a mocap body follow it', () => {
  const simulation = simulate(
    {
      bodies: [{ name: 'hand', mocap: true, position: [0, 0, 0.2] }],
      softBodies: [
        {
          name: 'rubber',
          mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
          contact: 'none',
          attachments: [{ vertices: [24, 25, 26], body: 'hand' }],
          elasticity: { youngsModulus: 1e5, poissonRatio: 0.4 },
        },
      ],
    },
    { timestep: 0.005 },
  );
  simulation.setMocapPose('hand', [0.01, 0.02, 0.23]);
  simulation.step(3);
  const x = simulation.softPosition('rubber');
  const { rest } = simulation.model.soft;
  [0.01, 0.02, 0.03].forEach((shift, c) => {
    expect(Math.abs(x[3 * 25 + c] - rest[3 * 25 + c] - shift)).toBeLessThan(1e-14);
  });
});

/** Genesis' scene: 1 kg at 4 m/s against a ball of 4.2 kg. */
longTest('a rigid cube hits a soft ball: momentum stays, both move on apart', () => {
  const simulation = simulate(
    {
      bodies: [
        {
          name: 'cube',
          position: [-0.2, 0, 0],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'box', halfSize: [0.05, 0.05, 0.05] }],
        },
      ],
      softBodies: [
        {
          name: 'ball',
          mesh: { kind: 'sphere', radius: 0.1, resolution: 0.05 },
          contact: 'point',
          elasticity: { youngsModulus: 1e5, poissonRatio: 0.45 },
        },
      ],
    },
    { timestep: 0.001, gravity: [0, 0, 0] },
  );
  simulation.state.velocity[0] = 4;
  const { linear } = simulation.momentum();
  let deepest = 0;
  for (let n = 0; n < 300; n++) {
    simulation.step();
    for (const { gap } of simulation.contacts()) deepest = Math.min(deepest, gap);
  }
  const after = simulation.momentum().linear;
  // the solver's tolerance, 1e-6 of a momentum of 4 in every step
  for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - linear[k])).toBeLessThan(1e-5);
  expect(simulation.state.velocity[0]).toBeLessThan(-0.5);
  expect(meanOf(simulation.softVelocity('ball'), 0)).toBeGreaterThan(0.5);
  expect(simulation.contacts().length).toBe(0);
  expect(deepest).toBeGreaterThan(-0.01);
});

test('cubes on a floor slide by ½ (g_x − μ g_z) t (t + h); more friction, less way', () => {
  const frictions = [0, 0.01, 0.04, 0.09, 0.16];
  const h = 0.005;
  const simulation = simulate(
    {
      materials: [{ name: 'ice', friction: 0 }, ...frictions.map((friction, n) => ({ name: `cube ${n}`, friction }))],
      bodies: [{ name: 'floor', shapes: [{ kind: 'plane', material: 'ice' }] }],
      softBodies: frictions.map((_, n) => ({
        name: `cube ${n}`,
        position: [0, 0.5 * n, 0.1] as Vec3,
        mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
        material: `cube ${n}`,
        contact: 'point',
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, stiffnessDamping: 0.005 },
      })),
    },
    { timestep: h, gravity: [5, 0, -10] },
  );
  simulation.step(200);
  const ways = frictions.map((_, n) => meanOf(simulation.softPosition(n), 0));
  frictions.forEach((mu, n) => {
    // the dilation gap of the model, (h + τ) μ v, lifts the cube at the start: less normal force for a moment
    expect(Math.abs(ways[n] - 0.5 * (5 - 10 * mu) * (1 + h))).toBeLessThan(2e-3 + 0.02 * mu);
    if (n > 1) expect(ways[n - 1] - ways[n]).toBeGreaterThan(0.1);
  });
});

describe('the convex problem', () => {
  /** A soft cube under a rigid one, which an arm with a servo pushes down, on a plane; a second soft cube on top. */
  const scene: Partial<Scene> = {
    bodies: [
      { name: 'floor', shapes: [{ kind: 'plane' }] },
      {
        name: 'arm',
        position: [0, 0, 0.22],
        joints: [{ name: 'press', kind: 'slide', axis: [0, 0, 1], limit: { range: [-0.13, 0.2] }, damping: 2 }],
        shapes: [{ kind: 'box', halfSize: [0.06, 0.06, 0.02] }],
        bodies: [
          {
            name: 'flap',
            position: [0.06, 0, 0.05],
            joints: [{ name: 'flap', kind: 'hinge', axis: [0, 1, 0], limit: { range: [-0.5, 0.5] } }],
            shapes: [{ kind: 'capsule', radius: 0.01, halfLength: 0.05, position: [0.06, 0, 0] }],
          },
        ],
      },
      {
        name: 'ball',
        position: [0.01, 0, 0.5],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: 0.03 }],
      },
    ],
    equalities: [{ kind: 'connect', body1: 'ball', body2: 'arm', anchor: [0, 0, -0.1] }],
    actuators: [
      {
        name: 'press',
        kind: 'position',
        transmission: { kind: 'joint', joint: 'press' },
        stiffness: 3000,
        damping: 100,
      },
    ],
    softBodies: [
      {
        name: 'low',
        position: [0, 0, 0.0999],
        mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
        contact: 'point',
        elasticity: { youngsModulus: 2e5, poissonRatio: 0.3, stiffnessDamping: 0.002 },
      },
      {
        name: 'lowest',
        position: [0.005, 0.003, 0.0249],
        mesh: { kind: 'box', halfSize: [0.06, 0.06, 0.025], cells: [2, 2, 1] },
        contact: 'point',
        elasticity: { model: 'neoHookean', youngsModulus: 3e5, poissonRatio: 0.3, stiffnessDamping: 0.002 },
      },
    ],
  };

  test('robot, limits, equality, servo, rigid and two soft bodies are one solve', () => {
    const simulation = simulate(scene, { timestep: 0.002 });
    simulation.setControl('press', -0.12);
    for (let n = 0; n < 600; n++) expect(simulation.step().status).toBe('converged');
    // one island holds everything
    expect(simulation.report.trace.solveCount).toBe(1);
    const forces = simulation.contactForces();
    const press = forces
      .filter(
        ({ bodyName1, bodyName2 }) => [bodyName1, bodyName2].includes('arm') && [bodyName1, bodyName2].includes('low'),
      )
      .reduce((sum, { normalForce }) => sum + normalForce, 0);
    // servo, weights of arm and what hangs on it
    const mass = simulation.model.body.mass;
    const servo = 3000 * (-0.12 - simulation.state.position[0]);
    const weight = [2, 3, 4].reduce((sum, b) => sum + mass[b], 0) * 9.81;
    expect(Math.abs(press - (weight - servo))).toBeLessThan(1e-3 * press);
    // the floor carries that and the soft bodies
    const floor = forces.filter(({ bodyName1 }) => bodyName1 === 'floor').reduce((sum, { force }) => sum + force[2], 0);
    const soft = 1000 * (0.1 ** 3 + 0.12 * 0.12 * 0.05) * 9.81;
    expect(Math.abs(floor - press - soft)).toBeLessThan(1e-3 * floor);
    expect(simulation.contactForces().every(({ area, pressure }) => area === 0 || Number.isFinite(pressure))).toBe(
      true,
    );
  });

  test('conjugate gradients and the factor agree; so do all islands in one', () => {
    const run = (sap: NonNullable<SceneOptions['sap']>, disable: SceneOptions['disable'] = []): Float64Array => {
      const simulation = simulate(scene, { timestep: 0.002, sap: { relativeTolerance: 1e-10, ...sap }, disable });
      simulation.setControl('press', -0.1);
      simulation.step(60);
      return simulation.state.motion.slice();
    };
    const newton = run({ solver: 'newton' });
    const gradients = run({ solver: 'pcg' });
    const whole = run({ solver: 'newton' }, ['island']);
    for (let i = 0; i < newton.length; i++) {
      // the factor leaves A of the last iterate, conjugate gradients take it at v*, projected: both are tangents of the step
      expect(Math.abs(newton[i] - gradients[i])).toBeLessThan(1e-4);
      expect(Math.abs(newton[i] - whole[i])).toBeLessThan(1e-6);
    }
  });

  test('the residual that is reported is A (v − v*) − Jᵀ γ over the momentum; at most the tolerance', () => {
    const simulation = simulate(scene, { timestep: 0.002 });
    simulation.setControl('press', -0.1);
    for (let n = 0; n < 100; n++) {
      const report = simulation.step();
      expect(report.residual).toBeLessThanOrEqual(1e-6);
    }
  });

  test('A (v − v*) = Jᵀ γ, summed up by hand from matrix and rows', () => {
    const simulation = simulate(scene, { timestep: 0.002 });
    simulation.setControl('press', -0.1);
    simulation.step(150);
    const { problem } = simulation.formulation;
    const { model, state, report } = simulation;
    if (!problem) throw new Error('no problem');
    // everything is in one island, so that its numbers are those of the model
    expect(report.trace.solveCount).toBe(1);
    const { rows } = problem;
    const nv = model.size.velocity;
    const v = Float64Array.of(...state.velocity, ...state.softVelocity);
    const offset = v.map((value, i) => value - problem.target[i]);
    const [momentum, whole, scale] = [0, 1, 2].map(() => new Float64Array(v.length));
    const add = (i: number, j: number, value: number): void => {
      momentum[i] += value * offset[j];
      whole[i] += value * v[j];
      if (i === j) scale[i] = value;
    };
    const { rowStart, column } = model.massMatrix;
    for (let i = 0; i < nv; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        add(i, column[k], problem.metric[k]);
        if (column[k] !== i) add(column[k], i, problem.metric[k]);
      }
    }
    problem.softMetric.forEach(({ count, pairCount, low, high, values }, n) => {
      const first = nv + 3 * model.soft.vertexStart[n];
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          for (let b = 0; b < count; b++) add(first + 3 * b + r, first + 3 * b + c, values[9 * b + 3 * r + c]);
          for (let p = 0; p < pairCount; p++) {
            const value = values[9 * (count + p) + 3 * r + c];
            add(first + 3 * high[p] + r, first + 3 * low[p] + c, value);
            add(first + 3 * low[p] + c, first + 3 * high[p] + r, value);
          }
        }
      }
    });
    const impulse = new Float64Array(v.length);
    for (let b = 0; b < rows.blockCount; b++) {
      const n = rows.columnCount[b];
      for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
        for (let c = 0; c < n; c++) {
          const at = rows.valueStart[b] + (r - rows.rowStart[b]) * n + c;
          impulse[rows.column[rows.columnStart[b] + c]] += rows.value[at] * problem.data.force[r];
        }
      }
    }
    const norm = (of: (i: number) => number): number =>
      Math.sqrt(v.reduce((sum, _, i) => sum + of(i) ** 2 / scale[i], 0));
    const left = norm((i) => momentum[i] - impulse[i]);
    const largestMomentum = Math.max(
      norm((i) => whole[i]),
      norm((i) => impulse[i]),
    );
    expect(left).toBeGreaterThan(0);
    expect(left / largestMomentum).toBeLessThan(1.01e-6);
    // contacts with vertices on one and on both sides, limits or servo, and the equality are among the rows
    expect(new Set(problem.source.subarray(0, rows.blockCount)).size).toBeGreaterThan(2);
  });

  test('a snapshot in the middle of contact: the same bytes follow', () => {
    const simulation = simulate(scene, { timestep: 0.002 });
    simulation.setControl('press', -0.1);
    simulation.step(80);
    const snapshot = simulation.snapshot();
    simulation.step(20);
    const other = simulate(scene, { timestep: 0.002 });
    other.restore(snapshot);
    other.step(20);
    expect(other.hash()).toBe(simulation.hash());
  });

  test('without compiled functions: the same bytes', () => {
    const hashes = [false, true].map((portable) => {
      const model = compileModel({
        format: 'nexdyn-scene',
        version: 1,
        ...scene,
        options: { formulation: 'sap', timestep: 0.002 },
      });
      const simulation = new Simulation(model, { portable });
      simulation.setControl('press', -0.1);
      simulation.step(70);
      return simulation.hash();
    });
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('settled steps keep nothing', () => {
    const simulation = simulate(scene, { timestep: 0.002 });
    simulation.setControl('press', -0.12);
    simulation.step(200);
    expect(measureKeptMemory(() => simulation.step(60), 0.2e6)).toBeLessThan(0.2e6);
  });
});
